//! Read set of an answer: the versions that it was made from, for validating the response cache.

use crate::app::App;
use crate::games::{Game, GameError};
use crate::ids::{GameId, PlayerId};
use crate::players::PublicProfile;

/// An answer with more entries is not cached: checking all of them would take as long as executing the query.
const MAX_ENTRIES: usize = 20;

/// Versions of what was read. Resolvers read through [`RequestContext`](super::RequestContext), which records it here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSet {
    /// Versions of games; `None` for a game that is hidden from the viewer or does not exist.
    games: Vec<(GameId, Option<u64>)>,
    /// Revisions of players' names; `None` for a player that does not exist.
    names: Vec<(PlayerId, Option<u32>)>,
    /// Set if something else was read, which can change without any of these, or if there are too many entries.
    untracked: bool,
}

impl ReadSet {
    pub fn note_game(&mut self, id: GameId, game: Option<&Game>) {
        let one = (id, game.map(|game| game.version));
        if !self.untracked && !self.games.contains(&one) {
            self.games.push(one);
            self.untracked = self.len() > MAX_ENTRIES;
        }
    }

    pub fn note_profile(&mut self, id: PlayerId, profile: Option<&PublicProfile>) {
        let one = (id, profile.map(|profile| profile.revision));
        if !self.untracked && !self.names.contains(&one) {
            self.names.push(one);
            self.untracked = self.len() > MAX_ENTRIES;
        }
    }

    pub fn note_untracked(&mut self) {
        self.untracked = true;
    }

    /// The read set, if it covers everything that was read.
    pub fn if_complete(self) -> Option<Self> {
        (!self.untracked).then_some(self)
    }

    /// Whether the viewer would read the same versions now.
    pub async fn is_current(&self, app: &App, viewer: Option<PlayerId>) -> bool {
        for (id, version) in &self.games {
            let now = match app.games.visible(*id, viewer).await {
                Ok(game) => Some(game.version),
                Err(GameError::NotFound) => None,
                Err(_) => return false,
            };
            if now != *version {
                return false;
            }
        }
        let Ok(known) = app.players.public_profiles(self.names.iter().map(|(id, _)| *id)).await else { return false };
        self.names
            .iter()
            .all(|(id, revision)| PublicProfile::find(&known, *id).map(|profile| profile.revision) == *revision)
    }

    pub fn len(&self) -> usize {
        self.games.len() + self.names.len()
    }
}
