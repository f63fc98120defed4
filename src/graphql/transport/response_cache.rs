//! Answers that were given before, kept for whoever asks the same again: a client that polls is answered without anything
//! being resolved, as long as it would be answered the same.

use super::document_cache::DocumentHash;
use crate::graphql::read_set::ReadSet;
use crate::graphql::request_context::RequestContext;
use crate::ids::PlayerId;
use crate::texts::Language;
use moka::sync::Cache;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;

/// All answers together take no more than this.
const BYTES: u64 = 32 << 20;
/// One that nobody asks for costs nothing after that.
const IDLE: Duration = Duration::from_mins(1);
/// What one takes beside its text: names of things, and its place.
const BESIDES: usize = 256;
const EACH_SOURCE: usize = 32;

/// The request, who asks, and in which language: with the sources, all that an answer depends on.
type Key = (DocumentHash, Option<PlayerId>, Language);

pub struct ResponseCache(Cache<Key, Arc<Known>>);

struct Known {
    read_set: ReadSet,
    answer: Arc<RawValue>,
}

impl Known {
    fn weight(&self) -> u32 {
        let bytes = self.answer.get().len() + EACH_SOURCE * self.read_set.len() + BESIDES;
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

impl Default for ResponseCache {
    fn default() -> Self {
        let weigh = |_: &Key, known: &Arc<Known>| known.weight();
        Self(Cache::builder().max_capacity(BYTES).weigher(weigh).time_to_idle(IDLE).build())
    }
}

impl ResponseCache {
    /// The answer that was given before, if all that it was made of is still so.
    pub async fn get(&self, request: DocumentHash, context: &RequestContext) -> Option<Arc<RawValue>> {
        let known = self.0.get(&key(request, context))?;
        context.reads_again(&known.read_set).await.then(|| known.answer.clone())
    }

    /// Keeps an answer, unless it depends on more than can be looked at again.
    pub fn keep(&self, request: DocumentHash, context: &RequestContext, answer: impl FnOnce() -> Box<RawValue>) {
        if let Some(read_set) = context.read() {
            self.0.insert(key(request, context), Arc::new(Known { read_set, answer: answer().into() }));
        }
    }
}

fn key(request: DocumentHash, context: &RequestContext) -> Key {
    (request, context.viewer(), context.language)
}
