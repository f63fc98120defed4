//! Documents that came before. A client asks the same thing again and again: it is parsed once, and validated once with
//! the same variables.

use super::operation_cost::Price;
use crate::auth::sha256;
use crate::graphql::guard::Passed;
use crate::graphql::kinds::Split;
use moka::sync::Cache;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Names a document, or a document with its variables.
pub type DocumentHash = [u8; 32];

/// How many bytes of parsed documents are kept, and what one takes for each byte of its text.
const PARSED: u64 = 32 << 20;
const PARSED_FOR_A_BYTE: usize = 3 * 32; // the whole document, the split one, and its fragments once more
/// How many documents with their variables are known to be valid: some 5 MB.
const VALID: u64 = 50_000;

/// A document that passed the guard.
pub struct Parsed {
    pub passed: Passed,
    pub split: Arc<Split>,
}

pub struct DocumentCache {
    parsed: Cache<DocumentHash, Arc<Parsed>>,
    valid: Cache<DocumentHash, Price>,
}

impl Default for DocumentCache {
    fn default() -> Self {
        let weigh = |_: &DocumentHash, parsed: &Arc<Parsed>| {
            u32::try_from(parsed.passed.work.bytes.saturating_mul(PARSED_FOR_A_BYTE)).unwrap_or(u32::MAX)
        };
        Self { parsed: Cache::builder().max_capacity(PARSED).weigher(weigh).build(), valid: Cache::new(VALID) }
    }
}

impl DocumentCache {
    /// The document, if it came before and grows to no more than so many nodes; else what `check` makes of it.
    pub fn parsed<E>(
        &self,
        mark: DocumentHash,
        nodes: usize,
        check: impl FnOnce() -> Result<Passed, E>,
    ) -> Result<Arc<Parsed>, E> {
        if let Some(parsed) = self.parsed.get(&mark).filter(|parsed| parsed.passed.nodes <= nodes) {
            return Ok(parsed);
        }
        let passed = check()?;
        let split = Arc::new(Split::new(&passed.document));
        let document = Arc::new(Parsed { passed, split });
        self.parsed.insert(mark, document.clone());
        Ok(document)
    }

    /// The price of the same request, if it was found valid before. That depends on nothing else: the schema stays as it
    /// is.
    pub fn price(&self, request: &DocumentHash) -> Option<Price> {
        self.valid.get(request)
    }

    pub fn found_valid(&self, request: DocumentHash, price: Price) {
        self.valid.insert(request, price);
    }
}

/// Names a request: its document, which of its operations, and the variables. Tells how long the latter two are, too.
pub fn mark_of(
    document: DocumentHash,
    operation: Option<&str>,
    variables: Option<&Map<String, Value>>,
) -> (DocumentHash, usize) {
    let mut text = document.to_vec();
    let rest = (operation, variables);
    serde_json::to_writer(&mut text, &rest).expect("plain data");
    (sha256(&text), text.len() - document.len())
}
