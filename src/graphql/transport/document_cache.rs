//! Cache of parsed documents, and of the prices of valid requests. Bounded in size; rarely used entries are evicted.
//!
//! Clients repeat the same requests: a document is parsed once, and validated once with the same variables.

use super::operation_cost::Price;
use crate::auth::sha256;
use crate::graphql::guard::Passed;
use crate::graphql::kinds::Split;
use crate::graphql::plain::Plain;
use async_graphql::Variables;
use moka::sync::Cache;
use std::sync::Arc;

/// SHA-256 of a document, or of a document with its variables.
pub type DocumentHash = [u8; 32];

/// Capacity for parsed documents in bytes, and the estimated size of a parsed document per byte of its text.
const PARSED_CAPACITY_BYTES: u64 = 32 << 20;
const PARSED_BYTES_PER_TEXT_BYTE: usize = 3 * 32; // the whole document, the split one, and its fragments once more
/// Capacity for prices of valid requests: about 5 MB.
const PRICES_CAPACITY: u64 = 50_000;

/// A document that passed the guard.
pub struct Parsed {
    pub passed: Passed,
    pub split: Arc<Split>,
}

pub struct DocumentCache {
    parsed: Cache<DocumentHash, Arc<Parsed>>,
    prices: Cache<DocumentHash, Price>,
}

impl Default for DocumentCache {
    fn default() -> Self {
        let weigh = |_: &DocumentHash, parsed: &Arc<Parsed>| {
            u32::try_from(parsed.passed.work.bytes.saturating_mul(PARSED_BYTES_PER_TEXT_BYTE)).unwrap_or(u32::MAX)
        };
        Self {
            parsed: Cache::builder().max_capacity(PARSED_CAPACITY_BYTES).weigher(weigh).build(),
            prices: Cache::new(PRICES_CAPACITY),
        }
    }
}

impl DocumentCache {
    /// Returns the document, if it is cached and expands to at most `nodes` nodes; otherwise the result of `check`,
    /// which is cached.
    pub fn parsed<E>(
        &self,
        hash: DocumentHash,
        nodes: usize,
        check: impl FnOnce() -> Result<Passed, E>,
    ) -> Result<Arc<Parsed>, E> {
        if let Some(parsed) = self.parsed.get(&hash).filter(|parsed| parsed.passed.nodes <= nodes) {
            return Ok(parsed);
        }
        let passed = check()?;
        let split = Arc::new(Split::new(&passed.document));
        let document = Arc::new(Parsed { passed, split });
        self.parsed.insert(hash, document.clone());
        Ok(document)
    }

    /// The price of the same request, if it was found valid before. Validity depends on nothing else, because the
    /// schema does not change.
    pub fn price(&self, request: &DocumentHash) -> Option<Price> {
        self.prices.get(request)
    }

    pub fn insert_price(&self, request: DocumentHash, price: Price) {
        self.prices.insert(request, price);
    }
}

/// Hashes a request: its document, the operation name and the variables. Also returns the length of the latter two as
/// JSON.
pub fn hash_request(document: DocumentHash, operation: Option<&str>, variables: &Variables) -> (DocumentHash, usize) {
    let mut text = document.to_vec();
    let variables: Vec<_> = variables.iter().map(|(name, value)| (name.as_str(), Plain(value))).collect();
    let rest = (operation, variables);
    serde_json::to_writer(&mut text, &rest).expect("plain data");
    (sha256(&text), text.len() - document.len())
}
