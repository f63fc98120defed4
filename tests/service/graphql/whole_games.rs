//! One whole game of each kind through GraphQL alone, moves by id and spelled out in turn; then the same moves through
//! REST: the two replays differ in nothing but ids, times and the commitment.

use crate::everything::{self, Types, list, text};
use ludotheque::rules::catalog;
use serde_json::{Map, Value, json};
use test_support::graphql::{ask, mutate};
use test_support::table::verified;
use test_support::{Player, Server, dice, pick};

/// No game is longer than this.
const LONGEST: usize = 3000;

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

const DONE: &str = "{ game { id version waitingFor status } version userErrors { code message path } }";

async fn guest(server: &Server, name: &str) -> Player {
    let select = "{ tokens { accessToken refreshToken player { id } } userErrors { code } }";
    let made = mutate(&server.anybody(), "createPlayer", select, json!({"displayName": name})).await;
    let tokens = &made["tokens"];
    Player {
        id: text(&tokens["player"]["id"]),
        token: Some(text(&tokens["accessToken"])),
        refresh_token: text(&tokens["refreshToken"]),
        ..server.anybody()
    }
}

/// The game after a mutation that must have been accepted.
#[track_caller]
fn done(payload: &Value) -> Value {
    assert_eq!(payload["userErrors"], json!([]));
    payload["game"].clone()
}

/// `TAKE_ELF` as `takeElf`.
fn camel(id: &str) -> String {
    let mut words = id.split('_').map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

/// A move as GraphQL tells it, as the input that plays it.
fn spelled_out(kind: &str, mv: &Value) -> Value {
    let mut fields: Map<_, _> = mv.as_object().expect("a move").clone();
    let name = camel(&text(&fields.remove("type").expect("a move has a type")));
    let fields = if fields.is_empty() { json!("YES") } else { Value::Object(fields) };
    json!({camel(kind): {name: fields}})
}

/// Plays a game to its end, and tells its id.
async fn play(server: &Server, types: &Types, kind: &str, seats: u8) -> (String, Vec<Player>) {
    let mut players = vec![guest(server, "Seat 0").await];
    let new = json!({"kind": kind, "seats": seats, "seed": SEED});
    let game = text(&done(&mutate(&players[0], "createGame", DONE, new).await)["id"]);
    for seat in 1..seats {
        let player = guest(server, &format!("Seat {seat}")).await;
        done(&mutate(&player, "sitDown", DONE, json!({"gameId": game})).await);
        players.push(player);
    }
    let mut now = done(&mutate(&players[0], "startGame", DONE, json!({"gameId": game})).await);
    let mut dice = dice(1);
    for number in 0..LONGEST {
        let Some(seat) = now["waitingFor"][0].as_u64() else { return (game, players) };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = everything::legal_moves(types, player, &game).await;
        let mv: &Value = pick(&mut dice, legal["moves"].as_array().expect("moves"));
        let input = if number % 2 == 0 {
            json!({"gameId": game, "id": mv["id"], "expectedVersion": legal["version"]})
        } else {
            json!({"gameId": game, "move": spelled_out(kind, &mv["move"])})
        };
        now = done(&mutate(player, "playMove", DONE, input).await);
    }
    panic!("{game} does not end");
}

/// Plays the same moves through REST.
async fn play_again(server: &Server, kind: &str, replay: &Value) -> (String, Vec<Player>) {
    let seats = list(&replay["steps"][0]["action"]["seats"]).count();
    let table = server.lobby(u8::try_from(seats).expect("few"), json!({"kind": kind, "seed": SEED})).await;
    table.players[0].starts(&table.game).await.ok();
    for step in list(&replay["steps"]).filter(|step| step["action"]["type"] == "PLAY") {
        let seat = usize::try_from(step["seat"].as_u64().expect("a seat")).expect("few");
        table.players[seat].plays(&table.game, &text(&step["action"]["id"])).await.ok();
    }
    (table.game, table.players)
}

/// A replay without what differs from game to game: ids, times, the commitment, and the chain that binds them.
fn timeless(replay: &Value, game: &str, players: &[Player]) -> String {
    let mut replay = replay.clone();
    (replay["commitment"], replay["chain"]) = (Value::Null, Value::Null);
    for step in replay["steps"].as_array_mut().expect("steps") {
        step["at"] = Value::Null;
    }
    let text = replay.to_string().replace(game, "game");
    players.iter().enumerate().fold(text, |text, (seat, player)| text.replace(&player.id, &format!("player {seat}")))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_of_each_kind_through_graphql_is_the_same_as_through_rest() {
    let server = Server::dev().await;
    let types = Types::of(&server.anybody()).await;
    for rules in catalog::BUILT_IN.newest_of_all() {
        let info = rules.info();
        let (game, players) = play(&server, &types, info.kind, *info.seats.end()).await;
        let replay = everything::replay(&types, &players[0], &game).await;
        verified(&replay);
        let (again, same_players) = play_again(&server, info.kind, &replay).await;
        let path = format!("/v1/games/{again}/replay");
        let same = same_players[0].get(&path).await.ok();
        assert_eq!(timeless(&replay, &game, &players), timeless(&same, &again, &same_players), "{}", info.kind);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_key_through_both_faces_plays_once() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let player = &table.players[0];
    let mv = player.moves(&table.game).await[0].clone();
    let first = player.plays(&table.game, &mv).header("idempotency-key", "once").await.ok();
    let input = json!({"gameId": table.game, "id": mv, "idempotencyKey": "once"});
    let again = mutate(player, "playMove", DONE, input).await;
    assert_eq!((&again["userErrors"], &again["version"]), (&json!([]), &first["version"]));
    let input = json!({"kind": "CHIPS", "seats": 3, "idempotencyKey": "make"});
    let made = done(&mutate(player, "createGame", DONE, input).await);
    let same = player.creates(&json!({"kind": "CHIPS", "seats": 3})).header("idempotency-key", "make").await.ok();
    assert_eq!(same["id"], made["id"]);
    let mine = ask(player, "{ games(filter: {mine: true}) { nodes { id } } }", json!({})).await;
    assert_eq!(list(&mine["games"]["nodes"]).count(), 2);
}
