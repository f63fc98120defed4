//! Persisted documents: requests refer to a document by its SHA-256.
//!
//! By default every client can register documents, which saves bandwidth only. If the operator configures an
//! allow-list, only its documents are executed.

use super::request_error::{Protocol, RequestError};
use crate::auth::sha256;
use crate::graphql::plain::Plain;
use crate::rules::dice::Hex;
use crate::rules::{Fault, Message, reader};
use async_graphql::Request;
use moka::sync::Cache;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io, mem};

/// Capacity for registered documents, in bytes.
const REMEMBERED: u64 = 16 << 20;

/// A SHA-256.
type Hash = [u8; 32];

/// An operator's list of permitted documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList(HashMap<Hash, Arc<str>>);

/// Why an allow-list can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct DocumentsError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error("it can't be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("it is not a JSON object that maps SHA-256 hashes to documents: {0}")]
    NotJson(#[from] serde_json::Error),
    #[error("{hash} is not the SHA-256 of its document, which is {actual}")]
    WrongHash { hash: String, actual: String },
    #[error("it contains no documents")]
    Empty,
}

impl AllowList {
    /// Reads a JSON file that maps each document's SHA-256 to the document, or a folder of files that end in
    /// `.graphql`.
    pub fn read(path: &Path) -> Result<Self, DocumentsError> {
        let listed = if path.is_dir() { read_folder(path) } else { read_file(path) };
        let some = listed.and_then(|listed| if listed.is_empty() { Err(Reason::Empty) } else { Ok(Self(listed)) });
        some.map_err(|reason| DocumentsError { path: path.to_owned(), reason })
    }
}

fn read_folder(path: &Path) -> Result<HashMap<Hash, Arc<str>>, Reason> {
    let mut documents = HashMap::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "graphql") {
            let text = fs::read_to_string(&file)?;
            documents.insert(sha256(text.as_bytes()), text.into());
        }
    }
    Ok(documents)
}

fn read_file(path: &Path) -> Result<HashMap<Hash, Arc<str>>, Reason> {
    let read: HashMap<String, String> = serde_json::from_str(&fs::read_to_string(path)?)?;
    read.into_iter().map(|(hash, text)| check_hash(hash, text)).collect()
}

fn check_hash(hash: String, text: String) -> Result<(Hash, Arc<str>), Reason> {
    let actual = sha256(text.as_bytes());
    if read_hash(&hash) == Some(actual) {
        return Ok((actual, text.into()));
    }
    Err(Reason::WrongHash { hash, actual: Hex(&actual).to_string() })
}

pub enum Documents {
    /// Documents that clients have registered.
    Remembered(Cache<Hash, Arc<str>>),
    /// The operator's documents; others are refused.
    AllowList(AllowList),
}

/// `extensions.persistedQuery`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Persisted {
    version: u32,
    sha256_hash: String,
}

impl Documents {
    pub fn new(listed: Option<AllowList>) -> Self {
        let weigh = |_: &Hash, text: &Arc<str>| u32::try_from(text.len() + size_of::<Hash>()).unwrap_or(u32::MAX);
        let remembered = || Cache::builder().max_capacity(REMEMBERED).weigher(weigh).build();
        listed.map_or_else(|| Self::Remembered(remembered()), Self::AllowList)
    }

    /// Finds the document of a request. Also returns the hash to register it under, once it has passed the guard.
    pub fn find(&self, request: &mut Request) -> Result<(Arc<str>, Option<Hash>), RequestError> {
        let query = Some(mem::take(&mut request.query)).filter(|query| !query.is_empty());
        let hash = persisted_hash(request)?;
        match (self, query, hash) {
            (_, None, None) => Err(RequestError::malformed(Message::new("request-query-missing"))),
            (Self::Remembered(_), Some(query), None) => Ok((query.into(), None)),
            (Self::Remembered(_), Some(query), Some(hash)) => {
                if sha256(query.as_bytes()) == hash {
                    Ok((query.into(), Some(hash)))
                } else {
                    Err(mismatch())
                }
            }
            (Self::Remembered(cache), None, Some(hash)) => cache.get(&hash).map(known).ok_or_else(not_found),
            (Self::AllowList(AllowList(listed)), None, Some(hash)) => {
                listed.get(&hash).cloned().map(known).ok_or_else(not_found)
            }
            (Self::AllowList(AllowList(listed)), Some(query), hash) => {
                let actual = sha256(query.as_bytes());
                if hash.is_some_and(|hash| hash != actual) {
                    return Err(mismatch());
                }
                listed.get(&actual).cloned().map(known).ok_or_else(not_listed)
            }
        }
    }

    /// Registers a document, if clients can do so.
    pub fn remember(&self, hash: Hash, document: Arc<str>) {
        if let Self::Remembered(cache) = self {
            cache.insert(hash, document);
        }
    }
}

fn known(document: Arc<str>) -> (Arc<str>, Option<Hash>) {
    (document, None)
}

fn persisted_hash(request: &Request) -> Result<Option<Hash>, RequestError> {
    let Some(persisted) = request.extensions.get("persistedQuery") else { return Ok(None) };
    let within = |fault: Fault| fault.within("persistedQuery").within("extensions");
    let persisted = serde_json::to_value(Plain(persisted)).expect("it was JSON");
    let persisted: Persisted = reader::read(&persisted).map_err(within)?;
    if persisted.version != 1 {
        return Err(within(Fault::out_of_range("version", 1, 1)).into());
    }
    let hash = read_hash(&persisted.sha256_hash);
    hash.map(Some).ok_or_else(|| RequestError::malformed(Message::new("request-hash")))
}

fn read_hash(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    if text.len() != 2 * hash.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(hash)
}

/// Clients compare this message before they send the document.
fn not_found() -> RequestError {
    RequestError::worded(Protocol::PersistedQueryNotFound, "PersistedQueryNotFound")
}

fn mismatch() -> RequestError {
    RequestError::protocol(Protocol::PersistedQueryMismatch, Message::new("document-hash-mismatch"))
}

fn not_listed() -> RequestError {
    RequestError::protocol(Protocol::DocumentNotListed, Message::new("document-not-listed"))
}
