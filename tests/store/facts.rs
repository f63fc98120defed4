//! What a killed program was promised, to be held against what is left.

use crate::samples::{self, START};
use ludotheque::games::ports::Store;
use ludotheque::ids::{FamilyId, GameId, PlayerId};
use ludotheque::players::ports::PlayerStore;
use ludotheque::store::sled::{Settings, SledStore};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Everything acknowledged so far.
#[derive(Default)]
pub struct Facts {
    games: BTreeMap<GameId, u64>,
    players: BTreeMap<PlayerId, u32>,
    signed_out: BTreeSet<FamilyId>,
    newcomers: BTreeMap<PlayerId, String>,
    tokens_ended: BTreeSet<PlayerId>,
    games_removed: BTreeSet<GameId>,
    players_removed: BTreeSet<PlayerId>,
    sign_ins_removed: BTreeSet<FamilyId>,
}

impl Facts {
    /// Takes in what a writer told: `game ID VERSION`, `player ID REVISION`, `signed-out ID`, `newcomer ID SUB`,
    /// `token-ended ID`, `game-removed ID`, `player-removed ID`, `sign-in-removed ID`.
    pub fn learn(&mut self, told: &[String]) {
        for line in told {
            match *line.split(' ').collect::<Vec<_>>() {
                ["game", id, version] => {
                    let known = self.games.entry(id.parse().unwrap()).or_default();
                    *known = version.parse::<u64>().unwrap().max(*known);
                }
                ["player", id, revision] => {
                    let known = self.players.entry(id.parse().unwrap()).or_default();
                    *known = revision.parse::<u32>().unwrap().max(*known);
                }
                ["signed-out", id] => drop(self.signed_out.insert(id.parse().unwrap())),
                ["newcomer", id, sub] => drop(self.newcomers.insert(id.parse().unwrap(), sub.to_owned())),
                ["game-removed", id] => drop(self.games_removed.insert(id.parse().unwrap())),
                ["player-removed", id] => drop(self.players_removed.insert(id.parse().unwrap())),
                ["sign-in-removed", id] => drop(self.sign_ins_removed.insert(id.parse().unwrap())),
                ["token-ended", id] => drop(self.tokens_ended.insert(id.parse().unwrap())),
                _ => panic!("not understood: {line}"),
            }
        }
    }

    /// Whether there is something of each sort to lose.
    pub fn are_rich(&self) -> bool {
        let removed = !self.games_removed.is_empty() && !self.players_removed.is_empty();
        self.games.len() > 30 && self.players.len() > 30 && self.signed_out.len() > 30 && removed
    }

    /// What is missing from the store in a data folder, torn, or otherwise wrong with it.
    pub fn losses(&self, data: &Path) -> Vec<String> {
        let store = match SledStore::open(&data.join("store"), &Settings::default()) {
            Ok(store) => store,
            Err(error) => return vec![error.to_string()],
        };
        let whole = |game, _: &_, steps: &[_]| {
            let torn = (1..).zip(steps).find(|(version, step)| **step != samples::step(game, *version));
            torn.map_or(Ok(()), |(version, _)| Err(format!("version {version} is another step")))
        };
        let mut losses = store.verify(&mut { whole }, &|_, _| ()).findings;
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            for (game, acknowledged) in &self.games {
                let version = store.head(*game).await.unwrap().map_or(0, |head| head.version);
                if version < *acknowledged {
                    losses.push(format!("{game} stands at {version}, {acknowledged} was acknowledged"));
                }
            }
            for (player, acknowledged) in &self.players {
                let revision = store.player(*player).await.unwrap().map_or(0, |player| player.revision);
                if revision < *acknowledged {
                    losses.push(format!("{player} is at revision {revision}, {acknowledged} was acknowledged"));
                }
            }
            for family in &self.signed_out {
                if store.family(*family).await.unwrap().is_none_or(|family| !family.revoked) {
                    losses.push(format!("{family} is still signed in"));
                }
            }
            for (player, sub) in &self.newcomers {
                let subject = samples::newcomer("them", sub).subject.unwrap();
                if store.player_by_subject(&subject).await.unwrap().is_none_or(|found| found.id != *player) {
                    losses.push(format!("{player} is no longer {sub}"));
                }
            }
            for game in &self.games_removed {
                if store.head(*game).await.unwrap().is_some() || !store.steps(*game, 0, 1).await.unwrap().is_empty() {
                    losses.push(format!("{game} is there again"));
                }
            }
            for player in &self.players_removed {
                if store.player(*player).await.unwrap().is_some() {
                    losses.push(format!("{player} is there again"));
                }
            }
            for family in &self.sign_ins_removed {
                if store.family(*family).await.unwrap().is_some() {
                    losses.push(format!("{family} is there again"));
                }
            }
            for player in &self.tokens_ended {
                if !store.is_revoked(&[samples::mark(*player)], START).await.unwrap() {
                    losses.push(format!("the token of {player} is good again"));
                }
            }
        });
        losses
    }
}
