//! What an answer was made of, so that it can be given again for as long as nothing of that has changed.

use crate::app::App;
use crate::games::{Game, GameError};
use crate::ids::{GameId, PlayerId};
use crate::players::PublicProfile;

/// An answer with more things in it is not kept: to look at all of them again would take as long as to make it anew.
const MOST: usize = 20;

/// What was read of the service. Whoever resolves a field reads through [`RequestContext`](super::Asking), which notes it here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSet {
    /// The versions of games; none of one that the viewer may not know of.
    games: Vec<(GameId, Option<u64>)>,
    /// The revisions of players' names; none of somebody there is not.
    names: Vec<(PlayerId, Option<u32>)>,
    /// Something else was read, which may change without any of these, or too many of them.
    elsewhere: bool,
}

impl ReadSet {
    pub fn note_game(&mut self, id: GameId, game: Option<&Game>) {
        let one = (id, game.map(|game| game.version));
        if !self.elsewhere && !self.games.contains(&one) {
            self.games.push(one);
            self.elsewhere = self.len() > MOST;
        }
    }

    pub fn note_profile(&mut self, id: PlayerId, profile: Option<&PublicProfile>) {
        let one = (id, profile.map(|profile| profile.revision));
        if !self.elsewhere && !self.names.contains(&one) {
            self.names.push(one);
            self.elsewhere = self.len() > MOST;
        }
    }

    pub fn note_elsewhere(&mut self) {
        self.elsewhere = true;
    }

    /// All that was read, unless there was something else, or too much.
    pub fn only(self) -> Option<Self> {
        (!self.elsewhere).then_some(self)
    }

    /// Whether a viewer would read the same now.
    pub async fn stand(&self, app: &App, viewer: Option<PlayerId>) -> bool {
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

    /// How many things were read.
    pub fn len(&self) -> usize {
        self.games.len() + self.names.len()
    }
}
