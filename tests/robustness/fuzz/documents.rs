//! GraphQL documents: the guard's work is bounded whatever they say, what it lets through stays within its limits, and
//! nothing that is sent is a server's fault.

use crate::fuzz::mutate::{self, Change};
use crate::fuzz::world::{self, Service};
use crate::fuzz::{Fate, fuzz};
use ludotheque::graphql::guard::{self, DocumentLimits, Passed, Work};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

/// What documents are made of, sound or not.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "...",
    "...f0",
    "...f1",
    "on",
    "Query",
    "query",
    "mutation",
    "subscription",
    "fragment",
    "f0",
    "f1",
    "a:",
    "$a",
    "$a: Int",
    "=",
    "1",
    "-0.5e9",
    "\"text\"",
    "\"\"\"block\"\"\"",
    "\"open",
    "#note\n",
    "null",
    "true",
    "@include(if: true)",
    "@skip(if: $a)",
    "kinds",
    "id",
    "__typename",
    "__schema",
    "types",
    "name",
    "fields",
    "games",
    "(first: 100)",
    "nodes",
    "game(id: \"x\")",
    "me",
    "&",
    "|",
    "!",
    ":",
    ",",
    "\u{feff}",
    "é",
];

/// Documents that clients really send.
const SOUND: &[&str] = &[
    test_support::graphql::INTROSPECTION,
    "mutation CreateGame { createGame(input: { kind: CHIPS, seats: 2, options: { chips: { targetTokens: 3 } } }) {
        game { id version } userErrors { code message } } }",
    "mutation PlayMove($gameId: ID!, $moveId: String!) { playMove(input: { gameId: $gameId, id: $moveId }) {
        version userErrors { code message } } }",
    "subscription WatchGame($gameId: ID!, $after: Int = 0) { gameEvents(gameId: $gameId, after: $after) {
        version at seat events { __typename ... on ChipsDrewEvent { board chips } } } }",
    "query A($id: ID!) { game(id: $id) { ...G } } fragment G on Game { id version seats { seat player { id } } }",
    "{ a: kinds { id name } b: games(first: 3) { nodes { id ...on Game { version } } } }",
];

#[derive(Clone, Debug)]
enum Input {
    Soup(Vec<&'static str>),
    Changed(&'static str, Vec<Change>),
    /// Fragments that spread each other: how many spreads there are of whom in each.
    Spread(Vec<Vec<u8>>),
}

impl Input {
    fn document(&self) -> String {
        match self {
            Self::Soup(pieces) => pieces.join(" "),
            Self::Changed(sound, changes) => mutate::text(sound, changes),
            Self::Spread(fragments) => {
                let all = fragments.iter().enumerate().map(|(number, spreads)| {
                    let spreads: Vec<_> = spreads.iter().map(|other| format!(" ...f{other}")).collect();
                    format!(" fragment f{number} on Query {{ __typename{} }}", spreads.concat())
                });
                format!("{{ ...f0 }}{}", all.collect::<Vec<_>>().concat())
            }
        }
    }
}

fn inputs() -> impl Strategy<Value = Input> {
    prop_oneof![
        vec(prop::sample::select(PIECES), 0..80).prop_map(Input::Soup),
        (prop::sample::select(SOUND), mutate::changes()).prop_map(|(sound, changes)| Input::Changed(sound, changes)),
        vec(vec(0..40_u8, 0..6), 1..40).prop_map(Input::Spread),
    ]
}

fn check(service: &Service, input: &Input) -> Result<Fate, TestCaseError> {
    let (document, limits) = (input.document(), DocumentLimits::default());
    let bounded =
        |work: Work| work.bytes <= limits.bytes && work.tokens <= limits.tokens + 1 && work.visited <= limits.tokens;
    let guarded = guard::check(&document, &limits);
    let fate = Fate::of(guarded.is_ok());
    match guarded {
        Ok(Passed { nodes, work, .. }) => {
            prop_assert!(nodes <= limits.nodes, "{nodes} nodes");
            prop_assert!(bounded(work), "{work:?}");
        }
        Err(refused) => prop_assert!(bounded(refused.work), "{:?}", refused.work),
    }
    let (status, text) = service.call("POST", "/graphql", None, &json!({"query": document}));
    prop_assert!([200, 400, 405, 406].contains(&status), "{status} {text}");
    prop_assert!(!text.contains("INTERNAL_SERVER_ERROR"), "{text}");
    Ok(fate)
}

#[test]
#[ignore = "slow: tries inputs for 20 seconds"]
fn no_document_takes_more_than_its_share_or_is_a_servers_fault() {
    let folder = world::folder();
    let store = world::open(&folder.path().join("store"));
    let service = Service::on(&store, folder.path(), &world::runtime());
    fuzz("tests/robustness/fuzz/regressions/documents.txt", &inputs(), |input| check(&service, &input));
}
