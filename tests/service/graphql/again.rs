//! Who asks the same again is answered as if for the first time, though the server may have the answer at hand.

use crate::everything::{self, Types};
use ludotheque::texts::Language;
use serde_json::{Value, json};
use std::cell::Cell;
use test_support::graphql::answer;
use test_support::{Player, Server, dice};

/// Often enough to be answered with what was kept, if anything was.
const OFTEN: usize = 4;

/// One question that is asked again and again, and beside it always in words that nobody has used before.
struct Poll {
    select: String,
    asked: Cell<u32>,
}

impl Poll {
    fn new(select: String) -> Self {
        Self { select, asked: Cell::new(0) }
    }

    fn query(&self, name: &str) -> String {
        format!("query {name}($id: ID!) {{ game(id: $id) {} }}", self.select)
    }

    /// What the question is answered with, each time the same, and the same as a new one.
    async fn ask(&self, viewer: &Player, language: Language, game: &str) -> Value {
        let variables = json!({"id": game});
        self.asked.set(self.asked.get() + 1);
        let new = answer(viewer, language, &self.query(&format!("New{}", self.asked.get())), variables.clone()).await;
        for _ in 0..OFTEN {
            assert_eq!(answer(viewer, language, &self.query("Again"), variables.clone()).await, new);
        }
        new
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poll_is_answered_like_a_new_question_after_every_step_to_everybody_in_every_language() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let table = server.table(3).await;
    let viewers: Vec<_> = table.players.iter().cloned().chain([table.spectator(), server.anybody()]).collect();
    let polls = [
        Poll::new(types.select("Game", everything::GAME)),
        Poll::new("{ version you legalMoves { moves { id label } } }".to_owned()),
    ];
    let mut dice = dice(8);
    for _ in 0..8 {
        for poll in &polls {
            for viewer in &viewers {
                for language in Language::ALL {
                    poll.ask(viewer, language, &table.game).await;
                }
            }
        }
        table.play_a_step(&mut dice).await;
    }
}

#[tokio::test]
async fn a_poll_tells_a_new_name_and_a_former_player_at_once() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let poll = Poll::new("{ version seats { player { displayName } } }".to_owned());
    let name = async |language| {
        let answer = poll.ask(&table.players[0], language, &table.game).await;
        answer["data"]["game"]["seats"][1]["player"]["displayName"].as_str().expect("a name").to_owned()
    };
    let before = name(Language::En).await;
    table.players[1].patch("/v1/players/me").json(&json!({"displayName": "Another"})).await.ok();
    assert_eq!((name(Language::En).await.as_str(), before == "Another"), ("Another", false));
    table.players[1].delete("/v1/players/me").await.ok();
    let (english, french) = (name(Language::En).await, name(Language::Fr).await);
    assert!(english != "Another" && english != french, "{english}, {french}");
}

#[tokio::test]
async fn a_poll_of_a_game_that_may_not_be_known_of_tells_of_it_once_it_may() {
    let server = Server::start().await;
    let (host, guest) = (server.guest("Host").await, server.guest("Guest").await);
    let game = host.creates(&json!({"kind": "CHIPS", "visibility": "UNLISTED"})).await.ok();
    let id = game["id"].as_str().expect("an id");
    let poll = Poll::new("{ id inviteCode }".to_owned());
    for stranger in [&guest, &server.anybody()] {
        assert_eq!(poll.ask(stranger, Language::En, id).await, json!({"data": {"game": null}}));
    }
    let code = game["inviteCode"].as_str().expect("a code");
    guest.post(&format!("/v1/invites/{code}")).await.ok();
    let seen = poll.ask(&guest, Language::En, id).await;
    assert_eq!(seen, json!({"data": {"game": {"id": id, "inviteCode": code}}}));
    assert_eq!(poll.ask(&server.anybody(), Language::En, id).await, json!({"data": {"game": null}}));
}

#[tokio::test]
async fn a_poll_ends_with_the_sign_in() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let poll = Poll::new("{ id you }".to_owned());
    let player = &table.players[1];
    assert_eq!(poll.ask(player, Language::En, &table.game).await["data"]["game"]["you"], 1);
    player.delete("/v1/tokens/current").await.ok();
    let refused = answer(player, Language::En, &poll.query("Again"), json!({"id": table.game})).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], "INVALID_TOKEN", "{refused}");
}
