//! No answer over HTTP reveals hidden information.
//!
//! Two methods, which see different leaks:
//!
//! - **Two worlds** (`worlds.rs`). A server is stopped in mid-game and its data are copied, so that there are two servers
//!   with the same game, players, tokens, seed and dice. From there on a seat's hidden choices differ between the two
//!   worlds, and everything else is the same. All that anybody else is answered, to every question there is, refusals
//!   and entity tags included, must then be the same bytes but for the time of day.
//! - **Cards out of place** (`cards.rs`). Everything that every viewer is answered in a game is kept. When it is over, the
//!   replay tells what each of them could know at which version: no answer may name a card beyond that.
//!
//! Each method is shown to work on something that does leak: the seat itself, and the replay.

mod cards;
mod worlds;

use crate::everything::{GAME, Types};
use futures::{StreamExt, stream};
use ludotheque::texts::Language;
use serde_json::json;
use test_support::Player;
use test_support::graphql::answer;

/// How many questions are asked at a time.
const AT_A_TIME: usize = 8;

/// What somebody was answered.
struct Heard {
    /// The version of the game that the answer is about.
    version: u64,
    /// All of the answer that could tell something.
    text: String,
}

/// Asks everything that a viewer can ask about a game. `tries` are moves, none of which is played.
async fn everything(viewer: &Player, game: &str, tries: &[String]) -> Vec<Heard> {
    let of_game = |rest: &str| format!("/v1/games/{game}{rest}");
    let version = viewer.sees(game).await["version"].as_u64().expect("a version");
    let mut asks = vec![
        viewer.get("/v1/games"),
        viewer.get("/v1/games?mine=true"),
        viewer.get("/v1/games?waitingForMe=true"),
        viewer.get(&of_game("")),
        viewer.get(&of_game("")).header("accept-language", "fr"),
        viewer.get(&of_game("/events?limit=1000")),
        viewer.get(&of_game("/legal-moves")),
        viewer.get(&of_game("/legal-moves")).header("accept-language", "fr"),
        viewer.starts(game),
        viewer.stands(game),
        viewer.sits(game),
        viewer.patch(&of_game("")).json(&json!({"seats": 5})),
    ];
    for mv in tries {
        asks.push(viewer.previews(game, mv));
        // Pinned to a version that never was, so that nothing is ever played.
        asks.push(viewer.post(&of_game("/moves")).json(&json!({"id": mv, "expectedVersion": 0})));
    }
    let mut asks: Vec<_> = asks.into_iter().map(|ask| (version, ask)).collect();
    asks.extend((1..=version).map(|version| (version, viewer.get(&of_game(&format!("?at={version}"))))));
    let answers = stream::iter(asks).map(|(version, ask)| async move {
        let answer = ask.await;
        let text = format!("{} {} {}\n{}", answer.asked, answer.status, answer.header("etag"), answer.text());
        Heard { version, text }
    });
    let mut heard: Vec<_> = answers.buffered(AT_A_TIME).collect().await;
    heard.extend(through_graphql(viewer, game, version, tries).await);
    let mut stream = viewer.follows(game).await;
    for version in 1..=version {
        heard.push(Heard { version, text: stream.next().await.expect("a step").to_string() });
    }
    heard
}

/// The same questions through GraphQL, for every field there is.
async fn through_graphql(viewer: &Player, game: &str, version: u64, tries: &[String]) -> Vec<Heard> {
    let types = &Types::of(viewer).await;
    let of_game = |field: &str, ty: &str| format!("query($id: ID!) {{ {field} {} }}", types.select(ty, GAME));
    let id = json!({"id": game});
    let mut asks = vec![
        (of_game("game(id: $id)", "Game"), id.clone()),
        (of_game("events(gameId: $id, first: 1000)", "StepConnection"), id.clone()),
        (of_game("legalMoves(gameId: $id)", "LegalMoves"), id),
    ];
    let preview = types.select("PreviewPayload", GAME);
    let preview =
        format!("query($id: ID!, $move: String) {{ preview(gameId: $id, moves: [{{id: $move}}]) {preview} }}");
    let played = types.select("PlayMovePayload", GAME);
    let play = format!("mutation($input: PlayMoveInput!) {{ playMove(input: $input) {played} }}");
    for mv in tries {
        asks.push((preview.clone(), json!({"id": game, "move": mv})));
        asks.push((play.clone(), json!({"input": {"gameId": game, "id": mv, "expectedVersion": 0}})));
    }
    let answers = stream::iter(asks).map(|(query, variables)| async move {
        Heard { version, text: answer(viewer, Language::Fr, &query, variables).await.to_string() }
    });
    answers.buffered(AT_A_TIME).collect().await
}
