//! The API's description, for committing and for generators of clients.

use super::Result;
use crate::config::Face;
use crate::rest;
use std::process::ExitCode;

pub fn print(face: Face) -> Result<ExitCode> {
    let document = match face {
        Face::Openapi => rest::document(),
    };
    println!("{}", serde_json::to_string_pretty(&document)?);
    Ok(ExitCode::SUCCESS)
}
