//! Answers of our server, kept so that the bare one can send the same bytes.

use super::Result;
use super::client::{Answer, Question};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Different on every server.
const NOT_KEPT: [&str; 3] = ["date", "content-length", "transfer-encoding"];

/// What is answered to whom.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    pub method: String,
    pub path: String,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Kept {
    pub fn new(question: &Question, answer: &Answer) -> Result<Self> {
        let headers = answer.headers.iter().filter(|(name, _)| !NOT_KEPT.contains(&name.as_str()));
        let headers = headers.map(|(name, value)| Ok((name.to_string(), value.to_str()?.to_owned())));
        Ok(Self {
            method: question.method().to_string(),
            path: question.uri().path().to_owned(),
            status: answer.status.as_u16(),
            headers: headers.collect::<Result<_>>()?,
            body: String::from_utf8(answer.body.to_vec())?,
        })
    }
}

pub fn write(file: &Path, kept: &[Kept]) -> Result<()> {
    Ok(fs::write(file, serde_json::to_vec(kept)?)?)
}

pub fn read(file: &Path) -> Result<Vec<Kept>> {
    Ok(serde_json::from_slice(&fs::read(file)?)?)
}
