//! What was made of a game to be shown, kept for the next who ask: views are written once for all who see with the same
//! eyes.

use super::fairness::commitment;
use super::game::Game;
use crate::rules::Eyes;
use serde_json::value::RawValue;
use std::sync::{Arc, OnceLock};

/// JSON that several answers share.
pub type View = Arc<RawValue>;

/// Of one game at one version. A copy has no views, because it is on its way to another version; the commitment stays.
#[derive(Default)]
pub(super) struct Shown {
    /// A spectator's, then each seat's.
    views: OnceLock<Box<[OnceLock<View>]>>,
    commitment: OnceLock<Arc<str>>,
}

impl Clone for Shown {
    fn clone(&self) -> Self {
        Self { views: OnceLock::new(), commitment: self.commitment.clone() }
    }
}

impl Game {
    /// What is on the table, for these eyes; nothing before the start.
    pub fn view(&self, eyes: Eyes) -> Option<View> {
        let running = self.running.as_ref()?;
        let write = || self.rules.view(&running.state, eyes).into();
        let views = self.shown.views.get_or_init(|| (0..=self.size()).map(|_| OnceLock::new()).collect());
        let place = match eyes {
            Eyes::Spectator => 0,
            Eyes::Seat(seat) => seat.index() + 1,
            // All that a game was is told once, when it is over.
            Eyes::Replay => return Some(write()),
        };
        Some(views.get(place).map_or_else(write, |view| view.get_or_init(write).clone()))
    }

    /// The promise that the dice were not chosen along the way.
    pub fn commitment(&self) -> Arc<str> {
        self.shown.commitment.get_or_init(|| commitment(self.id, self.seed).into()).clone()
    }
}
