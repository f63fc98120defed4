//! Bots in seats: who may seat them, what everybody sees of them, and that they play whole games which verify.

use ludotheque::rules::catalog::BUILT_IN;
use serde_json::{Value, json};
use std::time::Duration;
use test_support::graphql::{ask, mutate};
use test_support::program::{ludotheque_unlimited, run};
use test_support::table::verified;
use test_support::{Player, Program, Server, dice, eventually, folder, pick, rounds};

/// How often a person looks whether the bots have moved, and how often at most.
const PAUSE: Duration = Duration::from_millis(5);
const LONGEST: usize = 50_000;

/// Gives a seat to a bot.
async fn seats_a_bot(host: &Player, game: &str, level: u8) -> Value {
    host.sits(game).json(&json!({"bot": {"level": level}})).await.ok()
}

/// The game once it is over.
async fn once_over(player: &Player, game: &str) -> Value {
    eventually(async || Some(player.sees(game).await).filter(|game| game["outcome"] != Value::Null)).await
}

async fn replay_of(player: &Player, game: &str) -> Value {
    player.get(&format!("/v1/games/{game}/replay")).await.ok()
}

/// Plays random moves for a person until the game is over, while bots play for the other seats.
async fn plays_with_bots(player: &Player, game: &str) -> Value {
    let mut dice = dice(1);
    for _ in 0..LONGEST {
        let seen = player.sees(game).await;
        if seen["outcome"] != Value::Null {
            return seen;
        }
        let is_waited_for = seen["waitingFor"].as_array().is_some_and(|seats| seats.contains(&seen["you"]));
        let moves = if is_waited_for { player.moves(game).await } else { Vec::new() };
        if moves.is_empty() {
            tokio::time::sleep(PAUSE).await;
        } else {
            // In real time a bot may be faster, so the move may be refused.
            let mv: &String = pick(&mut dice, &moves);
            player.plays(game, mv).await;
        }
    }
    panic!("{game} does not end");
}

#[tokio::test]
async fn the_host_seats_bots_and_everybody_sees_who_they_are() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let table = server.lobby(1, json!({"seats": 4})).await;
    let (host, game) = (&table.players[0], &table.game);
    let seated = seats_a_bot(host, game, 3).await;
    let bot = &seated["seats"][1];
    assert_eq!((&bot["bot"], &bot["player"]["displayName"]), (&json!({"level": 3}), &json!("Robot Pixel")));
    assert_eq!((&seated["seats"][0]["bot"], &seated["you"]), (&Value::Null, &json!(0)));
    let chosen = host.sits(game).json(&json!({"seat": 3, "bot": {"level": 5}})).await.ok();
    assert_eq!(chosen["seats"][3]["bot"], json!({"level": 5}));
    assert_eq!(chosen["seats"][3]["player"]["displayName"], "Robot Domino", "each has a name of its own");
    let query = "query($id: ID!) { game(id: $id) { seats { seat bot { level } player { id displayName } } } }";
    let told = ask(&ada, query, json!({"id": game})).await["game"]["seats"].clone();
    let by_rest = ada.sees(game).await["seats"].clone();
    for seat in 0..4 {
        assert_eq!((&told[seat]["bot"], &told[seat]["player"]), (&by_rest[seat]["bot"], &by_rest[seat]["player"]));
    }
    // Removed like a player, and the name is free again.
    host.delete(&format!("/v1/games/{game}/seats/1")).await.ok();
    assert_eq!(host.sees(game).await["seats"][1]["player"], Value::Null);
    assert_eq!(seats_a_bot(host, game, 1).await["seats"][1]["player"]["displayName"], "Robot Pixel");
    let events = host.reads_events(game, 100).await;
    assert_eq!(events[1]["events"][0]["type"], "SAT_DOWN", "{events:?}");
}

#[tokio::test]
async fn what_can_not_be_asked_of_bots_is_refused_and_changes_nothing() {
    let server = Server::start().await;
    let eve = server.guest("Eve").await;
    let table = server.lobby(2, json!({"seats": 3})).await;
    let (host, bob, game) = (&table.players[0], &table.players[1], &table.game);
    let before = host.sees(game).await;
    for level in [json!(0), json!(6), json!(255)] {
        let refused = host.sits(game).json(&json!({"bot": {"level": level}})).await.refused("INVALID_OPTIONS");
        assert_eq!(refused["field"], "bot.level");
        assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("1 to 5")), "{refused}");
        let filled = host.starts(game).json(&json!({"bots": {"level": level}})).await.refused("INVALID_OPTIONS");
        assert_eq!(filled["field"], "bots.level");
        let input = json!({"gameId": game, "bot": {"level": level}});
        let by_graphql = mutate(host, "sitDown", "{ userErrors { code path } }", input).await;
        assert_eq!(by_graphql["userErrors"], json!([{"code": "INVALID_OPTIONS", "path": ["input", "bot"]}]));
    }
    for body in [json!({"bot": {}}), json!({"bot": 3}), json!({"bot": {"level": 3, "name": "x"}})] {
        host.sits(game).json(&body).await.refused("MALFORMED");
    }
    let level_1 = json!({"bot": {"level": 1}});
    bob.sits(game).json(&level_1).await.refused("NOT_HOST");
    eve.sits(game).json(&level_1).await.refused("NOT_HOST");
    server.anybody().sits(game).json(&level_1).await.refused("UNAUTHENTICATED");
    host.sits(game).json(&json!({"seat": 1, "bot": {"level": 1}})).await.refused("SEAT_TAKEN");
    host.sits(game).json(&json!({"seat": 3, "bot": {"level": 1}})).await.refused("NOT_FOUND");
    bob.starts(game).json(&json!({"bots": {"level": 1}})).await.refused("NOT_HOST");
    assert_eq!(host.sees(game).await, before);

    seats_a_bot(host, game, 1).await;
    host.sits(game).json(&level_1).await.refused("SEAT_TAKEN");
    host.starts(game).json(&json!({"bots": {"level": 6}})).await.refused("INVALID_OPTIONS");
    host.starts(game).await.ok();
    host.sits(game).json(&level_1).await.refused("ALREADY_STARTED");
}

#[tokio::test]
async fn a_server_without_bots_says_so() {
    let data = folder();
    let program = Program::start(data.path(), &["--bot-threads", "0"]);
    let host = program.guest("Ada").await;
    let game = host.hosts().await;
    let refused = host.sits(&game).json(&json!({"bot": {"level": 1}})).await.refused("NOT_FOUND");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("--bot-threads")), "{refused}");
    program.stop();
}

#[tokio::test]
async fn free_seats_are_filled_at_the_start_and_the_start_can_be_repeated() {
    let server = Server::start().await;
    let table = server.lobby(1, json!({"seats": 3})).await;
    let (host, game) = (&table.players[0], &table.game);
    let start = || host.starts(game).key("once").json(&json!({"bots": {"level": 2}}));
    let started = start().await.ok();
    assert_eq!(started["status"], "ACTIVE");
    let bots: Vec<_> = (0..3).map(|seat| started["seats"][seat]["bot"].clone()).collect();
    assert_eq!(bots, [Value::Null, json!({"level": 2}), json!({"level": 2})]);
    assert_eq!(start().await.ok()["fairness"], started["fairness"], "the same answer");
    host.starts(game).key("once").json(&json!({"bots": {"level": 3}})).await.refused("IDEMPOTENCY_MISMATCH");
}

/// Options of a game that does not take long.
fn brief(kind: &str) -> Value {
    match kind {
        "CHIPS" => json!({"targetTokens": 1}),
        "SANTA_RESCUE" => json!({"firstDay": 1, "lastDay": 2}),
        "TOY_RUSH" => json!({"targetPoints": 4}),
        "TOYS_GO_GO_GO" => json!({"shopSize": 3}),
        _ => json!({}),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: plays whole games against bots"]
async fn one_person_and_bots_play_every_kind_with_every_number_of_seats_to_its_end() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    for rules in BUILT_IN.newest_of_all() {
        let info = rules.info();
        for seats in info.seats.clone() {
            let game = ada.creates(&json!({"kind": info.kind, "seats": seats, "options": brief(info.kind)})).await.ok();
            let game = game["id"].as_str().expect("an id");
            ada.starts(game).json(&json!({"bots": {"level": 1}})).await.ok();
            plays_with_bots(&ada, game).await;
            verified(&replay_of(&ada, game).await);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_play_a_game_by_themselves_and_every_move_is_computed_again_by_its_replay() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let new = json!({"kind": "CHIPS", "seats": 3, "sit": false, "options": {"targetTokens": 1}});
    let game = ada.creates(&new).await.ok()["id"].as_str().expect("an id").to_owned();
    for level in [1, 3, 5] {
        seats_a_bot(&ada, &game, level).await;
    }
    ada.starts(&game).await.ok();
    let over = once_over(&ada, &game).await;
    assert_eq!(over["status"], "FINISHED");
    let replay = replay_of(&ada, &game).await;
    verified(&replay);
    let played = replay["steps"].as_array().expect("steps").iter().filter(|step| step["action"]["type"] == "BOT_PLAY");
    let played: Vec<_> = played.collect();
    assert!(played.len() >= 9, "three seats choose three times in a round");
    assert!(played.iter().all(|step| step["playerId"] == Value::Null && step["seat"].is_number()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_with_another_move_of_a_bot_does_not_verify() {
    let server = Server::dev().await;
    let ada = server.guest("Ada").await;
    let new = json!({"kind": "CHIPS", "seats": 2, "options": {"targetTokens": 1}});
    let game = ada.creates(&new).await.ok()["id"].as_str().expect("an id").to_owned();
    seats_a_bot(&ada, &game, 5).await;
    ada.starts(&game).await.ok();
    // What the bot has thrown away is hidden, so any other first choice is as legal.
    eventually(async || Some(ada.sees(&game).await).filter(|game| game["waitingFor"] == json!([0]))).await;
    ada.resigns(&game).await.ok();
    let mut replay = replay_of(&ada, &game).await;
    let honest: ludotheque::games::replay::Replay = serde_json::from_value(replay.clone()).expect("a replay");
    assert_eq!(honest.verify(BUILT_IN), Vec::<String>::new());
    let steps = replay["steps"].as_array_mut().expect("steps");
    let step = steps.iter_mut().find(|step| step["action"]["type"] == "BOT_PLAY").expect("the bot has chosen");
    step["action"]["seenVersion"] = json!(step["action"]["seenVersion"].as_u64().expect("a version") - 1);
    let forged: ludotheque::games::replay::Replay = serde_json::from_value(replay).expect("a replay");
    let differences = forged.verify(BUILT_IN);
    assert!(differences.iter().any(|what| what.contains("bot")), "{differences:?}");
}

#[tokio::test]
async fn bots_host_nothing_and_do_not_play_on_without_a_person() {
    let server = Server::start().await;
    let table = server.lobby(1, json!({"seats": 3})).await;
    let (host, game) = (&table.players[0], &table.game);
    seats_a_bot(host, game, 1).await;
    assert_eq!(host.stands(game).await.ok()["status"], "ABANDONED", "the bots that are left host nothing");

    // With three players left of four, the rules would let them go on.
    let table = server.lobby(2, json!({"seats": 4})).await;
    let (game, [ada, bob]) = (&table.game, [&table.players[0], &table.players[1]]);
    ada.starts(game).json(&json!({"bots": {"level": 1}})).await.ok();
    assert_eq!(ada.resigns(game).await.ok()["game"]["status"], "ACTIVE", "Bob is still there");
    assert_eq!(bob.resigns(game).await.ok()["game"]["status"], "ABANDONED");
    verified(&replay_of(bob, game).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_are_there_for_a_rematch() {
    let server = Server::start().await;
    let table = server.lobby(1, json!({"seats": 2, "options": {"targetTokens": 1}})).await;
    let (ada, game) = (&table.players[0], &table.game);
    ada.starts(game).json(&json!({"bots": {"level": 4}})).await.ok();
    plays_with_bots(ada, game).await;
    let again = ada.post(&format!("/v1/games/{game}/rematch")).await.ok();
    assert_eq!(again["seats"][1]["bot"], json!({"level": 4}));
    assert_eq!(ada.starts(again["id"].as_str().expect("an id")).await.ok()["status"], "ACTIVE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_go_on_after_the_server_was_killed() {
    let data = folder();
    let mut program = Program::unlimited(data.path());
    let mut ada = program.guest("Ada").await;
    let mut games = Vec::new();
    for _ in 0..rounds(10) {
        let new = json!({"kind": "CHIPS", "seats": 3, "sit": false, "options": {"targetTokens": 4}});
        let game = ada.creates(&new).await.ok()["id"].as_str().expect("an id").to_owned();
        games.push(game);
    }
    for game in &games {
        ada.starts(game).json(&json!({"bots": {"level": 1}})).await.ok();
    }
    for _ in 0..5 {
        program.kill();
        program = Program::unlimited(data.path());
        ada = ada.at(&program);
    }
    for game in &games {
        once_over(&ada, game).await;
        verified(&replay_of(&ada, game).await);
    }
    program.stop();
    let mut verify = ludotheque_unlimited(data.path());
    verify.arg("verify");
    let verified = run(verify);
    assert!(verified.status.success(), "{verified:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_with_a_bot_goes_through_graphql() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let select = "{ game { id seats { bot { level } } } userErrors { code } }";
    let new = json!({"kind": "CHIPS", "seats": 2, "options": {"chips": {"targetTokens": 1}}});
    let made = mutate(&ada, "createGame", select, new).await;
    let game = made["game"]["id"].as_str().expect("an id").to_owned();
    let seated = mutate(&ada, "sitDown", select, json!({"gameId": game, "bot": {"level": 2}})).await;
    assert_eq!(seated["game"]["seats"][1]["bot"], json!({"level": 2}));
    mutate(&ada, "startGame", select, json!({"gameId": game})).await;
    let over = plays_with_bots(&ada, &game).await;
    assert_eq!(over["status"], "FINISHED");
    let query = "query($id: ID!) { replay(gameId: $id) { steps { action { __typename } } } }";
    let told = ask(&ada, query, json!({"id": game})).await;
    assert!(told.to_string().contains("BotPlay"), "{told}");
}
