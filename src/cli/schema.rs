//! Prints the descriptions of the API, for schema/, openapi/ and client generators.

use super::Result;
use crate::config::Face;
use crate::games::schema::describe;
use crate::rest::DocumentProfile;
use crate::rules::catalog::Catalog;
use crate::{graphql, rest};
use std::process::ExitCode;

pub fn print(face: Face, catalog: Catalog) -> Result<ExitCode> {
    describe(catalog);
    match face {
        Face::Openapi => {
            println!("{}", serde_json::to_string_pretty(&rest::document_of(DocumentProfile::Full, false))?);
        }
        Face::OpenapiPlain => {
            println!("{}", serde_json::to_string_pretty(&rest::document_of(DocumentProfile::Plain, false))?);
        }
        Face::Graphql => print!("{}", graphql::sdl()),
    }
    Ok(ExitCode::SUCCESS)
}
