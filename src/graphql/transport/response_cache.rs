//! Response cache, validated by read sets: a repeated query is answered without resolving it, as long as the games and
//! names that it read are unchanged.

use super::document_cache::DocumentHash;
use crate::graphql::read_set::ReadSet;
use crate::graphql::request_context::RequestContext;
use crate::ids::PlayerId;
use crate::texts::Language;
use moka::sync::Cache;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;

const CAPACITY_BYTES: u64 = 32 << 20;
/// Entries that are not used for this long are dropped.
const MAX_IDLE: Duration = Duration::from_mins(1);
/// Estimated overhead in bytes: of an entry, and of each entry of its read set.
const ENTRY_OVERHEAD: usize = 256;
const READ_ENTRY_BYTES: usize = 32;

/// Request, viewer and language. Together with the read set, an answer depends on nothing else.
type Key = (DocumentHash, Option<PlayerId>, Language);

pub struct ResponseCache(Cache<Key, Arc<Entry>>);

struct Entry {
    read_set: ReadSet,
    answer: Arc<RawValue>,
}

impl Entry {
    fn weight(&self) -> u32 {
        let bytes = self.answer.get().len() + READ_ENTRY_BYTES * self.read_set.len() + ENTRY_OVERHEAD;
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

impl Default for ResponseCache {
    fn default() -> Self {
        let weigh = |_: &Key, entry: &Arc<Entry>| entry.weight();
        Self(Cache::builder().max_capacity(CAPACITY_BYTES).weigher(weigh).time_to_idle(MAX_IDLE).build())
    }
}

impl ResponseCache {
    /// The cached answer, if its read set is still current.
    pub async fn get(&self, request: DocumentHash, context: &RequestContext) -> Option<Arc<RawValue>> {
        let entry = self.0.get(&key(request, context))?;
        context.is_current(&entry.read_set).await.then(|| entry.answer.clone())
    }

    /// Caches an answer, if its read set covers all that it depends on.
    pub fn insert(&self, request: DocumentHash, context: &RequestContext, answer: impl FnOnce() -> Box<RawValue>) {
        if let Some(read_set) = context.complete_read_set() {
            self.0.insert(key(request, context), Arc::new(Entry { read_set, answer: answer().into() }));
        }
    }
}

fn key(request: DocumentHash, context: &RequestContext) -> Key {
    (request, context.viewer(), context.language)
}
