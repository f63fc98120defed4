//! Prints the descriptions of the API, for schema/, openapi/ and client generators.

use super::Result;
use crate::config::ApiDescription;
use crate::games::schema::describe;
use crate::rest::DocumentProfile;
use crate::rules::catalog::Catalog;
use crate::{graphql, rest};
use std::process::ExitCode;

pub fn print(description: ApiDescription, catalog: Catalog) -> Result<ExitCode> {
    describe(catalog);
    match description {
        ApiDescription::Openapi => {
            println!("{}", serde_json::to_string_pretty(&rest::document_of(DocumentProfile::Full, false))?);
        }
        ApiDescription::OpenapiPlain => {
            println!("{}", serde_json::to_string_pretty(&rest::document_of(DocumentProfile::Plain, false))?);
        }
        ApiDescription::Graphql => print!("{}", graphql::sdl()),
    }
    Ok(ExitCode::SUCCESS)
}
