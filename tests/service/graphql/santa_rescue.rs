//! Whole campaigns through GraphQL alone: elves chosen in the lobby, drafts, names, hints, series tried out.

use crate::everything::{self, Types, list, text};
use serde_json::{Value, json};
use test_support::graphql::{ask, mutate};
use test_support::table::verified;
use test_support::{Player, Server};

const DONE: &str = "{ game { id status } version userErrors { code message } }";

/// The payload of a mutation that must have succeeded.
async fn done(player: &Player, mutation: &str, select: &str, input: Value) -> Value {
    let payload = mutate(player, mutation, select, input).await;
    assert_eq!(payload["userErrors"], json!([]), "{mutation}");
    payload
}

/// A campaign in its lobby, every seat taken.
async fn lobby(server: &Server, seats: usize) -> (String, Vec<Player>) {
    let mut players = vec![server.guest("Seat 0").await];
    let new = json!({"kind": "SANTA_RESCUE", "seats": seats, "options": {"santaRescue": {"hints": true}}});
    let game = text(&done(&players[0], "createGame", DONE, new).await["game"]["id"]);
    for seat in 1..seats {
        players.push(server.guest(&format!("Seat {seat}")).await);
        done(&players[seat], "sitDown", DONE, json!({"gameId": game})).await;
    }
    (game, players)
}

/// What to do beside the moves of a game.
fn aside(game: &str, aside: &Value) -> Value {
    json!({"gameId": game, "aside": {"santaRescue": aside}})
}

/// The play of a hint, and who holds its elf.
async fn hint(player: &Player, game: &str) -> (Value, usize) {
    let select = "{ game { view { ... on SantaRescueView { elves { elf holder } } } }
        events { ... on SantaRescueHintedEvent { hint { play { elf power target } } } } userErrors { code message } }";
    let hinted = done(player, "makeAside", select, aside(game, &json!({"hint": "YES"}))).await;
    let play = hinted["events"][0]["hint"]["play"].clone();
    let elves = &hinted["game"]["view"]["elves"];
    let elf = list(elves).find(|elf| elf["elf"] == play["elf"]).expect("a winning line is left");
    (play, usize::try_from(elf["holder"].as_u64().expect("a seat")).expect("few"))
}

/// Plays all 24 days as the hints say.
async fn to_the_end(game: &str, players: &[Player]) -> Value {
    done(&players[0], "startGame", DONE, json!({"gameId": game})).await;
    for _ in 0..24 * 4 {
        let (play, holder) = hint(&players[0], game).await;
        let input = json!({"gameId": game, "move": {"santaRescue": {"play": play}}});
        done(&players[holder], "playMove", DONE, input).await;
    }
    let query = "query($id: ID!) { game(id: $id) { status outcome { reason stage winners }
        view { ... on SantaRescueView { stage days { result } } } } }";
    let over = ask(&players[0], query, json!({"id": game})).await["game"].clone();
    assert_eq!((&over["status"], &over["outcome"]["reason"]), (&json!("FINISHED"), &json!("CAMPAIGN_OVER")));
    assert_eq!(list(&over["view"]["days"]).filter(|day| day["result"] == "WON").count(), 24);
    assert_eq!(over["outcome"]["stage"], over["view"]["stage"]);
    over
}

async fn same_replay_as_rest(types: &Types, player: &Player, game: &str) {
    let replay = everything::replay(types, player, game).await;
    verified(&replay);
    assert_eq!(replay, player.get(&format!("/v1/games/{game}/replay")).await.ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_solo_campaign_is_played_to_the_end() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let (game, players) = lobby(&server, 1).await;
    let over = to_the_end(&game, &players).await;
    assert_eq!(over["outcome"], json!({"reason": "CAMPAIGN_OVER", "stage": 1, "winners": []}), "hints took every boot");
    same_replay_as_rest(&types, &players[0], &game).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campaign_of_four_who_choose_their_elves_is_played_to_the_end() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let (game, players) = lobby(&server, 4).await;
    let select = "{ game { seats { choice { ... on SantaRescueChoice { elves } } } }
        events { ... on SeatChosenEvent { seat choice { ... on SantaRescueChoice { elves } } } }
        userErrors { code message } }";
    for (seat, player) in players.iter().enumerate() {
        let choice = json!({"elves": [4 - seat]});
        let input = json!({"gameId": game, "choice": {"santaRescue": choice}});
        let chosen = done(player, "chooseSetup", select, input).await;
        assert_eq!(chosen["events"], json!([{"seat": seat, "choice": choice}]));
        assert_eq!(chosen["game"]["seats"][seat]["choice"], choice);
    }
    to_the_end(&game, &players).await;
    same_replay_as_rest(&types, &players[3], &game).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campaign_of_ones_own_tells_its_preparation_as_rest_does() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let ada = server.guest("Ada").await;
    let options =
        json!({"campaignSeed": 3, "lastDay": 1, "calendar": "ADVENT", "year": 2020, "timeZone": "Europe/Paris"});
    let new = json!({"kind": "SANTA_RESCUE", "options": {"santaRescue": options}});
    let game = text(&done(&ada, "createGame", DONE, new).await["game"]["id"]);
    done(&ada, "startGame", DONE, json!({"gameId": game})).await;
    let given_up =
        done(&ada, "playMove", DONE, json!({"gameId": game, "move": {"santaRescue": {"wish": "YES"}}})).await;
    assert_eq!(given_up["game"]["status"], "FINISHED");
    let replay = everything::replay(&types, &ada, &game).await;
    let begun = list(&replay["steps"]).find(|step| step["action"]["type"] == "BEGIN").expect("it was prepared");
    assert_eq!(begun["action"]["prepared"]["opensAt"][0], "2020-11-30T23:00:00.000Z");
    assert_eq!(list(&begun["action"]["prepared"]["puzzles"]).filter(|puzzle| !puzzle.is_null()).count(), 1);
    same_replay_as_rest(&types, &ada, &game).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drafts_names_and_series_work_as_through_rest() {
    let server = Server::start().await;
    let (game, players) = lobby(&server, 2).await;
    done(&players[0], "startGame", DONE, json!({"gameId": game})).await;
    let view = async |player: &Player| {
        let query = "query($id: ID!) { game(id: $id) { view { ... on SantaRescueView {
            today { row drafts } elves { elf name holder } } } } }";
        ask(player, query, json!({"id": game})).await["game"]["view"].clone()
    };
    let row = view(&players[0]).await["today"]["row"].clone();
    let draft = |column, rows| aside(&game, &json!({"draft": {"column": column, "rows": rows}}));
    done(&players[1], "makeAside", DONE, draft(2, json!([row]))).await;
    assert_eq!(view(&players[0]).await["today"]["drafts"], json!([[], [row]]));
    assert_eq!(view(&server.guest("Onlooker").await).await["today"]["drafts"], Value::Null);
    let too_many = mutate(&players[1], "makeAside", DONE, draft(3, json!([]))).await;
    assert_eq!(too_many["userErrors"][0]["code"], "ILLEGAL_MOVE");
    // The same key means the same through either face.
    let mut keyed = draft(1, json!([row]));
    keyed["idempotencyKey"] = json!("draft");
    let first = done(&players[1], "makeAside", DONE, keyed).await;
    let same = players[1]
        .post(&format!("/v1/games/{game}/asides"))
        .json(&json!({"type": "DRAFT", "column": 1, "rows": [row]}));
    let again = same.header("idempotency-key", "draft").await.ok();
    assert_eq!(again["version"], first["version"]);

    let named = |name| aside(&game, &json!({"name": {"elf": 1, "name": name}}));
    done(&players[0], "makeAside", DONE, named("Pip")).await;
    assert_eq!(view(&players[1]).await["elves"][0]["name"], "Pip");
    let not_held = mutate(&players[1], "makeAside", DONE, named("Zoe")).await;
    assert_eq!(not_held["userErrors"][0]["code"], "ILLEGAL_MOVE");

    let mv = players[0].moves(&game).await.iter().find(|mv| mv.starts_with("elf 1")).expect("elf 1 can play").clone();
    let query = "query($id: ID!, $moves: [MoveChoiceInput!]!) { preview(gameId: $id, moves: $moves) {
        complete obstacle { step code detail } events { type } userErrors { code } } }";
    let twice = json!({"id": game, "moves": [{"id": mv}, {"id": mv}]});
    let tried = ask(&players[0], query, twice).await["preview"].clone();
    let rest = players[0].post(&format!("/v1/games/{game}/preview")).json(&json!({"moves": [{"id": mv}, {"id": mv}]}));
    assert_eq!(tried["obstacle"], rest.await.ok()["obstacle"], "an elf is played once a day");
    assert_eq!((&tried["complete"], &tried["obstacle"]["step"]), (&json!(false), &json!(1)));
    assert_eq!((list(&tried["events"]).count(), &tried["userErrors"]), (1, &json!([])));
}

#[tokio::test]
async fn other_kinds_have_nothing_of_it() {
    let server = Server::start().await;
    let (lobby, table) = (server.lobby(2, json!({"kind": "CHIPS"})).await, server.table(2).await);
    for (mutation, input) in [
        ("chooseSetup", json!({"choice": {"santaRescue": {"elves": [1]}}})),
        ("makeAside", json!({"aside": {"santaRescue": {"draft": {"column": 1, "rows": []}}}})),
        ("makeAside", json!({"aside": {"santaRescue": {"name": {"elf": 1, "name": "Pip"}}}})),
        ("makeAside", json!({"aside": {"santaRescue": {"hint": "YES"}}})),
    ] {
        let table = if mutation == "chooseSetup" { &lobby } else { &table };
        let mut input = input;
        input["gameId"] = json!(table.game);
        let refused = mutate(&table.players[0], mutation, DONE, input).await;
        assert_eq!(refused["userErrors"][0]["code"], "NOT_FOUND", "{mutation}");
    }
}
