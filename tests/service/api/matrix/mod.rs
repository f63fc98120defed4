//! Who may do what, and who may know of what: every operation of REST and every field of GraphQL's roots, tried by
//! everybody who should not get anywhere with it. [`rest`] and [`graphql`] have the operations, taken from the document
//! and the schema themselves: one that has no row in their tables turns the tests red, so that none can be forgotten.
//!
//! The games belong to Bob, who hosts them. Ann sits beside him, somebody looks on, somebody else knows of nothing.

mod graphql;
mod rest;

use crate::everything::Types;
use ludotheque::rules::chips::Card;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use test_support::{Player, Server, Table};

/// What it takes to be let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nothing: it is about nobody.
    Anybody,
    /// Nothing: it lists what the caller may know of.
    Listing,
    /// A token: it is about the caller.
    Own,
    /// To know of the game.
    Looking,
    /// To know of the game, and a free seat.
    Joining,
    /// To sit at the game.
    Seated,
    /// To sit at the game, of a kind that has things to do beside the moves.
    Aside,
    /// To be its host.
    Host,
}

impl Access {
    fn is_to_a_game(self) -> bool {
        matches!(self, Self::Looking | Self::Joining | Self::Seated | Self::Aside | Self::Host)
    }
}

/// Somebody who tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    Outsider,
    Spectator,
    OtherSeat,
}

/// What somebody was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// `OK`, or the code of the refusal. What GraphQL answers with null is not found.
    pub outcome: String,
    /// All that could tell something.
    pub text: String,
}

/// An operation on either face.
pub enum Attempt {
    Rest(rest::Operation),
    Graphql(graphql::Field),
}

impl Attempt {
    fn all(types: &Types) -> Vec<Self> {
        let rest = rest::operations().into_iter().map(Self::Rest);
        rest.chain(graphql::fields(types).into_iter().map(Self::Graphql)).collect()
    }

    fn name(&self) -> &str {
        match self {
            Self::Rest(operation) => &operation.name,
            Self::Graphql(field) => &field.name,
        }
    }

    fn access(&self) -> Access {
        match self {
            Self::Rest(operation) => operation.access,
            Self::Graphql(field) => field.access,
        }
    }

    fn changes_something(&self) -> bool {
        match self {
            Self::Rest(operation) => operation.changes_something(),
            Self::Graphql(field) => field.changes_something(),
        }
    }

    /// Whether it deletes the caller or signs them out.
    fn ends_the_caller(&self) -> bool {
        let name = self.name().to_lowercase().replace('_', "");
        ["deleteplayer", "deletetoken", "signout"].iter().any(|end| name.ends_with(end))
    }

    async fn by(&self, player: &Player, game: &str) -> Heard {
        match self {
            Self::Rest(operation) => operation.sent_by(player, game).await,
            Self::Graphql(field) => field.asked_by(player, game).await,
        }
    }
}

/// The expected refusals, for a game that the caller may know of or a hidden one; `None` if the caller is allowed.
fn refusals(access: Access, who: Who, hidden: bool) -> Option<&'static [&'static str]> {
    match (access, who) {
        (Access::Looking, Who::Nobody | Who::Outsider) if hidden => Some(&["NOT_FOUND"]),
        (Access::Looking, _) | (Access::Seated | Access::Aside, Who::OtherSeat) => None,
        (_, Who::Nobody) => Some(&["UNAUTHENTICATED"]),
        (_, Who::Outsider) if hidden => Some(&["NOT_FOUND"]),
        (Access::Joining, _) => Some(&["SEAT_TAKEN", "ALREADY_SEATED", "ALREADY_STARTED", "GAME_OVER"]),
        (Access::Host, _) => Some(&["NOT_HOST", "ALREADY_STARTED", "GAME_OVER"]),
        (Access::Seated | Access::Aside, _) => {
            Some(&["NOT_SEATED", "NOT_STARTED", "ALREADY_STARTED", "GAME_OVER", "NOT_OVER"])
        }
        (Access::Anybody | Access::Listing | Access::Own, _) => None,
    }
}

/// A kind that hides cards, and one that has all there is to be done.
const KINDS: [&str; 2] = ["CHIPS", ASIDES];
const ASIDES: &str = "SANTA_RESCUE";

/// A game of Bob's, and somebody who was invited to look on.
struct Scene {
    kind: &'static str,
    table: Table,
    spectator: Player,
}

/// Bob's games: in the lobby, under way, over.
async fn scenes(server: &Server, kind: &'static str, visibility: &str) -> [Scene; 3] {
    let scene = async || {
        let table = server.lobby(2, json!({"kind": kind, "visibility": visibility})).await;
        let spectator = spectator(server, &table).await;
        Scene { kind, table, spectator }
    };
    let scenes = [scene().await, scene().await, scene().await];
    for Scene { table, .. } in &scenes[1..] {
        table.players[0].starts(&table.game).await.ok();
    }
    let Scene { table: over, .. } = &scenes[2];
    for player in &over.players {
        if player.sees(&over.game).await["status"] == "ACTIVE" {
            player.resigns(&over.game).await.ok();
        }
    }
    scenes
}

/// Somebody with a game of their own.
async fn somebody(server: &Server, name: &str) -> Player {
    let somebody = server.guest(name).await;
    somebody.creates(&json!({"kind": "CHIPS"})).await.ok();
    somebody
}

/// Somebody who was invited to a game.
async fn spectator(server: &Server, table: &Table) -> Player {
    let spectator = server.guest("Spectator").await;
    if let Some(code) = table.players[0].sees(&table.game).await["inviteCode"].as_str() {
        spectator.post(&format!("/v1/invites/{code}")).await.ok();
    }
    spectator
}

/// All of a game that can change, as its host sees it.
async fn state(table: &Table) -> (String, Value) {
    let answer = table.players[0].looks_at(&table.game).await;
    (answer.header("etag"), answer.ok())
}

/// Everybody but Bob tries everything on a game of his; what they were answered.
async fn tried(server: &Server, attempts: &[Attempt], scene: &Scene, hidden: bool) -> Vec<(Who, String, Heard)> {
    let Scene { kind, table, spectator } = scene;
    let tries = [
        (Who::Nobody, server.anybody()),
        (Who::Outsider, server.guest("Outsider").await),
        (Who::Spectator, spectator.clone()),
        (Who::OtherSeat, table.players[1].clone()),
    ];
    let before = state(table).await;
    let mut heard = Vec::new();
    for (who, player) in tries {
        for attempt in attempts {
            let access = attempt.access();
            let refusals = refusals(access, who, hidden);
            // What Ann does with her own seat is her own business.
            let hers = who == Who::OtherSeat && refusals.is_none() && attempt.changes_something();
            let has_none = access == Access::Aside && *kind != ASIDES;
            if !access.is_to_a_game() || hers || has_none {
                continue;
            }
            let answer = attempt.by(&player, &table.game).await;
            let name = attempt.name();
            match refusals {
                Some(codes) => assert!(codes.contains(&answer.outcome.as_str()), "{name} by {who:?}: {answer:?}"),
                None => assert!(
                    ["OK", "NOT_OVER", "NOT_STARTED", "GAME_OVER", "ILLEGAL_MOVE", "MALFORMED"]
                        .contains(&answer.outcome.as_str()),
                    "{name} by {who:?}: {answer:?}"
                ),
            }
            heard.push((who, name.to_owned(), answer));
        }
    }
    assert_eq!(state(table).await, before, "somebody changed something");
    heard
}

/// The cards that a text names.
fn cards(text: &str) -> BTreeSet<&'static str> {
    let words: BTreeSet<&str> =
        text.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-').collect();
    Card::all().map(Card::slug).filter(|slug| words.contains(slug)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_hidden_game_outsiders_learn_no_more_than_of_one_that_never_was() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let attempts = Attempt::all(&types);
    let no_such = "game_00000000000070008000000000000000";
    let mut hidden = Vec::new();
    for kind in KINDS {
        hidden.extend(scenes(&server, kind, "UNLISTED").await);
    }
    for scene in hidden {
        let heard = tried(&server, &attempts, &scene, true).await;
        let table = &scene.table;
        assert!(heard.len() > attempts.len(), "{} tries", heard.len());
        for player in [server.anybody(), somebody(&server, "Outsider").await] {
            for attempt in attempts.iter().filter(|attempt| !attempt.ends_the_caller()) {
                let (real, imagined) = (attempt.by(&player, &table.game).await, attempt.by(&player, no_such).await);
                let hides = |heard: &Heard| heard.text.replace(&table.game, no_such);
                let same = real.outcome == imagined.outcome && hides(&real) == hides(&imagined);
                let about_a_game = attempt.access().is_to_a_game();
                assert!(!about_a_game || same, "{}: {real:?} {imagined:?}", attempt.name());
                // Lists, and whatever else is about the caller, don't name it either.
                assert!(about_a_game || !real.text.contains(&table.game), "{}: {real:?}", attempt.name());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_a_public_game_whoever_does_not_sit_sees_what_everybody_sees_and_changes_nothing() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let attempts = Attempt::all(&types);
    let mut public = Vec::new();
    for kind in KINDS {
        public.extend(scenes(&server, kind, "PUBLIC").await);
    }
    for scene in public {
        let heard = tried(&server, &attempts, &scene, false).await;
        let by = |who: Who, name: &str| heard.iter().find(|(by, of, _)| *by == who && of == name).map(|row| &row.2);
        for attempt in attempts.iter().filter(|attempt| attempt.access() == Access::Looking) {
            let name = attempt.name();
            let nobody = by(Who::Nobody, name);
            assert!(nobody.is_some_and(|heard| heard.outcome != "NOT_FOUND"), "{name}: {nobody:?}");
            assert_eq!(by(Who::Outsider, name), nobody, "{name}");
            assert_eq!(by(Who::Spectator, name), nobody, "{name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_beside_a_seat_is_told_what_it_holds_nor_plays_its_moves() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let attempts = Attempt::all(&types);
    for visibility in ["PUBLIC", "UNLISTED"] {
        let [_, scene, _] = scenes(&server, "CHIPS", visibility).await;
        let table = &scene.table;
        let (bob, ann) = (&table.players[0], &table.players[1]);
        let hand = cards(&bob.sees(&table.game).await["view"]["seats"][0]["hand"].to_string());
        assert_eq!(hand.len(), 6, "the same eyes do find his cards where they are shown");
        for (who, name, heard) in tried(&server, &attempts, &scene, visibility == "UNLISTED").await {
            let seen: Vec<_> = cards(&heard.text).intersection(&hand).copied().collect();
            assert_eq!(seen, [] as [&str; 0], "{name} told {who:?}: {}", heard.text);
        }
        let before = state(table).await;
        for mv in bob.moves(&table.game).await {
            ann.plays(&table.game, &mv).await.refused("ILLEGAL_MOVE");
        }
        assert_eq!(state(table).await, before);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_about_the_caller_leaves_everybody_else_alone_and_needs_a_token() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let [_, Scene { table, .. }, _] = scenes(&server, "CHIPS", "UNLISTED").await;
    let bob = &table.players[0];
    let before = (state(&table).await, bob.get("/v1/players/me").await.ok());
    for attempt in Attempt::all(&types).iter().filter(|attempt| attempt.access() == Access::Own) {
        // A new caller each time, because some operations delete or sign out the caller.
        let eve = somebody(&server, "Eve").await;
        let heard = attempt.by(&eve, &table.game).await;
        assert!(!["UNAUTHENTICATED", "INVALID_TOKEN"].contains(&heard.outcome.as_str()), "{}", attempt.name());
        assert!(!heard.text.contains(&bob.id) && !heard.text.contains(&table.game), "{}: {heard:?}", attempt.name());
        let heard = attempt.by(&server.anybody(), &table.game).await;
        // Who has no token has no profile either.
        let refused = ["UNAUTHENTICATED", "NOT_FOUND"].contains(&heard.outcome.as_str());
        assert!(refused, "{}: {heard:?}", attempt.name());
    }
    assert_eq!((state(&table).await, bob.get("/v1/players/me").await.ok()), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_open_to_whom_it_belongs_to() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    for attempt in Attempt::all(&types).iter().filter(|attempt| attempt.access() != Access::Anybody) {
        let bob = server.guest("Bob").await;
        let new = json!({"kind": ASIDES, "seats": 3, "visibility": "UNLISTED"});
        let game = bob.creates(&new).await.ok()["id"].as_str().expect("an id").to_owned();
        let ann = server.guest("Ann").await;
        let code = bob.sees(&game).await["inviteCode"].as_str().expect("a code").to_owned();
        ann.post(&format!("/v1/invites/{code}")).await.ok();
        ann.sits(&game).await.ok();
        let heard = attempt.by(&bob, &game).await;
        let closed = ["UNAUTHENTICATED", "INVALID_TOKEN", "NOT_FOUND", "NOT_SEATED", "NOT_HOST"];
        // No code is guessed, not even by those who know another.
        let is_guess = attempt.name().to_lowercase().contains("invite");
        assert_eq!(closed.contains(&heard.outcome.as_str()), is_guess, "{}: {heard:?}", attempt.name());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_names_what_somebody_else_holds() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let table = server.lobby(2, json!({"kind": ASIDES})).await;
    for (player, elves) in table.players.iter().zip([[1, 2], [3, 4]]) {
        let path = format!("/v1/games/{}/seats/me/setup", table.game);
        player.ask(reqwest::Method::PUT, &path).json(&json!({"elves": elves})).await.ok();
    }
    table.players[0].starts(&table.game).await.ok();
    let before = state(&table).await;
    let names = |attempt: &&Attempt| ["make_aside", "Mutation.makeAside"].contains(&attempt.name());
    let attempts = Attempt::all(&types);
    for attempt in attempts.iter().filter(names) {
        let heard = attempt.by(&table.players[1], &table.game).await;
        assert_ne!(heard.outcome, "OK", "Ann named an elf of Bob's: {heard:?}");
    }
    assert_eq!(state(&table).await, before);
    for attempt in attempts.iter().filter(names) {
        assert_eq!(attempt.by(&table.players[0], &table.game).await.outcome, "OK");
    }
}
