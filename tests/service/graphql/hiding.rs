//! No GraphQL field reveals a card that the viewer must not know.

use crate::everything::{self, Types};
use ludotheque::rules::chips::Card;
use ludotheque::texts::Language;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use test_support::graphql::answer;
use test_support::redact::told_all;
use test_support::{Player, Server, dice};

/// The cards that a text names by their slugs.
fn cards(text: &str) -> BTreeSet<&str> {
    let words: BTreeSet<&str> =
        text.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-').collect();
    Card::all().map(Card::slug).filter(|slug| words.contains(slug)).collect()
}

/// All that a viewer can get to read of a game, and the version it was read at.
async fn heard(types: &Types, viewer: &Player, game: &str) -> (u64, String) {
    let seen = everything::game(types, viewer, game).await;
    let steps = everything::steps(types, viewer, game).await;
    let mut texts = vec![seen.to_string(), Value::from(steps).to_string()];
    if viewer.token.is_some() {
        let legal = everything::legal_moves(types, viewer, game).await;
        if let Some(mv) = legal["moves"][0]["id"].as_str() {
            texts.push(everything::preview(types, viewer, game, mv).await.to_string());
        }
        texts.push(legal.to_string());
        // What a curious player would try, told in both languages why not; the refusal names no card but the one sent.
        let refused = format!(
            "mutation($input: PlayMoveInput!) {{ playMove(input: $input) {} }}",
            types.select("PlayMovePayload", everything::GAME)
        );
        for language in Language::ALL {
            let input = json!({"input": {"gameId": game, "move": {"chips": {"discard": {"cards": []}}}}});
            texts.push(answer(viewer, language, &refused, input).await.to_string());
        }
    }
    (seen["version"].as_u64().expect("a number"), texts.join("\n"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_field_names_a_card_that_its_reader_could_not_know() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let mut dice = dice(3);
    let table = server.lobby(3, json!({"options": {"targetTokens": 1}})).await;
    table.players[0].starts(&table.game).await.ok();
    let seated = table.players.iter().cloned().enumerate().map(|(seat, player)| (Some(seat), player));
    let viewers: Vec<_> = seated.chain([(None, table.spectator())]).collect();
    let mut all_heard = Vec::new();
    for _ in 0..100 {
        for (seat, viewer) in &viewers {
            all_heard.push((*seat, heard(&types, viewer, &table.game).await));
        }
        match table.waiting().await.first() {
            Some(&seat) => table.plays_any(seat, &mut dice).await,
            None => break,
        };
    }
    let replay = table.replay().await;
    for (seat, (version, text)) in &all_heard {
        let told = told_all(&replay, *seat);
        let told = Value::from(told[..usize::try_from(*version).expect("few steps")].to_vec()).to_string();
        let known = cards(&told);
        let beyond: Vec<_> = cards(text).into_iter().filter(|card| !known.contains(card)).collect();
        assert_eq!(beyond, [] as [&str; 0], "to {seat:?} at version {version}");
    }
    let whole = replay["steps"].to_string();
    assert!(cards(&whole).len() >= 18, "the same eyes do find cards where nothing is hidden");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unlisted_game_does_not_exist_for_strangers() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let table = server.lobby(2, json!({"visibility": "UNLISTED"})).await;
    let stranger = server.guest("Stranger").await;
    let no_such = "game_00000000000070008000000000000000";
    let game = types.select("Game", &[("Kind", &["id"]), ("Game", &["id", "version"])]);
    let query = format!(
        "query($id: ID!) {{ game(id: $id) {game} old: game(id: $id, at: 1) {game} node(id: $id) {{ id }}
            nodes(ids: [$id]) {{ id }} legalMoves(gameId: $id) {{ seat }} events(gameId: $id) {{ version }}
            replay(gameId: $id) {{ seed }} preview(gameId: $id, moves: [{{id: \"x\"}}]) {{ userErrors {{ code message }} }} }}"
    );
    let mut answers = Vec::new();
    for id in [table.game.as_str(), no_such] {
        let mut heard = vec![answer(&stranger, Language::En, &query, json!({"id": id})).await];
        for (name, more) in [("playMove", json!({"id": "x"})), ("sitDown", json!({})), ("startGame", json!({}))] {
            let upper = name[..1].to_uppercase() + &name[1..];
            let mutation = format!(
                "mutation($input: {upper}Input!) {{ {name}(input: $input)
                    {{ game {{ id }} version userErrors {{ code message path }} }} }}"
            );
            let mut input = more;
            input["gameId"] = json!(id);
            heard.push(answer(&stranger, Language::En, &mutation, json!({"input": input})).await);
        }
        answers.push(Value::from(heard));
    }
    assert_eq!(answers[0], answers[1], "the same answer, whether there is such a game or not");
    assert_eq!(answers[0][0]["data"]["game"], Value::Null);
    assert_eq!(answers[0][0].get("errors"), None, "nothing is wrong with asking");
}
