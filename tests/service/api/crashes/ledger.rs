//! What a server acknowledged, and whether it still knows.

use futures::{StreamExt, stream};
use serde_json::Value;
use std::collections::HashMap;
use test_support::endpoint::PASSWORD;
use test_support::{Endpoint, Player};

/// How many questions are asked at a time.
const AT_A_TIME: usize = 16;

/// What was acknowledged.
#[derive(Default)]
pub struct Ledger {
    /// Game, who played, and the answer.
    pub moves: Vec<(String, Player, Value)>,
    /// Usernames with the usual password.
    pub accounts: Vec<String>,
    /// Players whose tokens are good.
    pub signed_in: Vec<Player>,
    pub signed_out: Vec<Player>,
    /// Refresh tokens that were exchanged for others.
    pub used: Vec<String>,
}

impl Ledger {
    pub fn add(&mut self, other: Ledger) {
        self.moves.extend(other.moves);
        self.accounts.extend(other.accounts);
        self.signed_in.extend(other.signed_in);
        self.signed_out.extend(other.signed_out);
        self.used.extend(other.used);
    }

    /// Whether there is enough of everything for a check to mean something.
    pub fn is_rich(&self) -> bool {
        let enough = |count: usize, least: usize| count > least;
        enough(self.moves.len(), 1000) && enough(self.accounts.len(), 3) && enough(self.signed_out.len(), 50)
    }

    /// Asks the server about all of it.
    pub async fn check(&mut self, endpoint: &Endpoint) {
        self.check_moves(endpoint).await;
        for username in &self.accounts {
            endpoint.signs_in(username, PASSWORD).await.ok();
        }
        for_each(&mut self.signed_in, |player| async {
            at(endpoint, player).get("/v1/players/me").await.ok();
            // Good for one more exchange; the next check finds the new tokens.
            let next = endpoint.player(&endpoint.refreshes(&player.refresh_token).await);
            assert_eq!(next.id, player.id);
            *player = next;
        })
        .await;
        for_each(&mut self.signed_out, |player| async {
            at(endpoint, player).get("/v1/players/me").await.refused("INVALID_TOKEN");
            endpoint.refreshes(&player.refresh_token).await.refused("INVALID_TOKEN");
        })
        .await;
        for_each(&mut self.used, |token| async {
            endpoint.refreshes(token).await.refused("INVALID_TOKEN");
        })
        .await;
        // A used token that is shown again ends its whole sign-in: what was good is good no more.
        self.signed_out.append(&mut self.signed_in);
    }

    /// Every move is there, once, at its version, with the same events.
    async fn check_moves(&self, endpoint: &Endpoint) {
        let mut pages = HashMap::new();
        for (game, player, answer) in &self.moves {
            let page = match pages.remove(&(game, &player.id)) {
                Some(page) => page,
                None => at(endpoint, player).reads_events(game, 1000).await,
            };
            let version =
                answer["version"].as_u64().and_then(|version| usize::try_from(version).ok()).expect("a version");
            let step = page.get(version - 1).unwrap_or_else(|| panic!("{game} has lost version {version}"));
            assert_eq!((&step["version"], &step["events"]), (&answer["version"], &answer["events"]), "{game}");
            pages.insert((game, &player.id), page);
        }
    }
}

/// The player, at a server that may have another address now.
fn at(endpoint: &Endpoint, player: &Player) -> Player {
    Player { endpoint: endpoint.clone(), ..player.clone() }
}

async fn for_each<'a, T: 'a, F: Future<Output = ()>>(items: &'a mut [T], check: impl Fn(&'a mut T) -> F) {
    stream::iter(items.iter_mut()).for_each_concurrent(AT_A_TIME, check).await;
}
