//! Answers that were given before, kept for whoever asks the same again: a client that polls is answered without anything
//! being resolved, as long as it would be answered the same.

use super::familiar::Mark;
use crate::graphql::asking::Asking;
use crate::graphql::sources::Sources;
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
type Key = (Mark, Option<PlayerId>, Language);

pub struct Kept(Cache<Key, Arc<Known>>);

struct Known {
    sources: Sources,
    answer: Arc<RawValue>,
}

impl Known {
    fn weight(&self) -> u32 {
        let bytes = self.answer.get().len() + EACH_SOURCE * self.sources.len() + BESIDES;
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

impl Default for Kept {
    fn default() -> Self {
        let weigh = |_: &Key, known: &Arc<Known>| known.weight();
        Self(Cache::builder().max_capacity(BYTES).weigher(weigh).time_to_idle(IDLE).build())
    }
}

impl Kept {
    /// The answer that was given before, if all that it was made of is still so.
    pub async fn get(&self, request: Mark, asking: &Asking) -> Option<Arc<RawValue>> {
        let known = self.0.get(&key(request, asking))?;
        asking.reads_again(&known.sources).await.then(|| known.answer.clone())
    }

    /// Keeps an answer, unless it depends on more than can be looked at again.
    pub fn keep(&self, request: Mark, asking: &Asking, answer: impl FnOnce() -> Box<RawValue>) {
        if let Some(sources) = asking.read() {
            self.0.insert(key(request, asking), Arc::new(Known { sources, answer: answer().into() }));
        }
    }
}

fn key(request: Mark, asking: &Asking) -> Key {
    (request, asking.viewer(), asking.language)
}
