//! Whole campaigns over HTTP: alone and by four, won by asking for hints, and generated campaigns.

use super::{campaign, lobby, of, view, ways};
use serde_json::{Value, json};
use test_support::table::verified;
use test_support::{Server, Table};

/// Plays a day as the hints say; what they cost is another matter.
async fn plays_by_hints(table: &Table) {
    for _ in 0..4 {
        let hinted = table.players[0].post(&of(table, "/asides")).json(&json!({"type": "HINT"})).await.ok();
        let play = hinted["events"][0]["hint"]["play"].clone();
        assert!(play.is_object(), "a winning line is left: {hinted}");
        let elf = play["elf"].as_u64().expect("a number");
        let holder = hinted["game"]["view"]["elves"][usize::try_from(elf - 1).expect("few")]["holder"].as_u64();
        let holder = usize::try_from(holder.expect("a seat")).expect("few");
        let mv = json!({"type": "PLAY", "elf": elf, "power": play["power"], "target": play["target"]});
        table.players[holder].post(&of(table, "/moves")).json(&json!({"move": mv})).await.ok();
    }
}

async fn to_the_end(table: &Table) -> Value {
    for day in 1..=24 {
        let seen = view(&table.players[0], table).await;
        assert_eq!((&seen["day"], &seen["today"]["sheet"]["day"]), (&json!(day), &json!(day)));
        plays_by_hints(table).await;
    }
    let game = table.players[0].sees(&table.game).await;
    assert_eq!((&game["status"], &game["outcome"]["reason"]), (&json!("FINISHED"), &json!("CAMPAIGN_OVER")));
    let days = game["view"]["days"].as_array().expect("24 days").clone();
    assert_eq!((days.len(), days.iter().filter(|day| day["result"] == "WON").count()), (24, 24));
    verified(&table.replay().await);
    game
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_solo_campaign_is_played_to_the_end() {
    let server = Server::start().await;
    let table = campaign(&server, 1, &json!({"hints": true})).await;
    let game = to_the_end(&table).await;
    assert_eq!(game["view"]["stage"], 1, "hints took every boot");
    assert_eq!(game["outcome"]["winners"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campaign_of_four_is_played_to_the_end() {
    let server = Server::start().await;
    let table = campaign(&server, 4, &json!({"hints": true})).await;
    let game = to_the_end(&table).await;
    assert_eq!(game["outcome"]["standings"].as_array().map(Vec::len), Some(4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_team_that_finds_every_solution_by_itself_are_the_heroes_of_christmas() {
    let server = Server::start().await;
    let table = campaign(&server, 2, &json!({"firstDay": 1, "lastDay": 2})).await;
    for _ in 0..2 {
        let goal = view(&table.players[0], &table).await["today"]["sheet"]["goal"].clone();
        let line = solution(&table, &goal).await.expect("it can be won");
        for (seat, mv) in line {
            table.players[seat].plays(&table.game, &mv).await.ok();
        }
    }
    let game = table.players[1].sees(&table.game).await;
    assert_eq!((&game["view"]["stage"], &game["outcome"]["winners"]), (&json!(8), &json!([0, 1])));
}

/// A winning line, found by trying out series of moves as a player would. Nothing is played.
async fn solution(table: &Table, goal: &Value) -> Option<Vec<(usize, String)>> {
    let player = &table.players[0];
    let view = view(player, table).await;
    let holders: Vec<_> = view["elves"].as_array()?.iter().map(|elf| elf["holder"].as_u64()).collect();
    let first: Vec<_> = ways(table).await.into_iter().map(|(_, mv, _)| mv).collect();
    let mut lines: Vec<Vec<String>> = first.iter().map(|mv| vec![mv.clone()]).collect();
    // Whatever can be played first can be tried later; the server says where it can't.
    let all: Vec<_> = (1..=4)
        .flat_map(|elf| {
            let places = (0..5).map(move |place| format!("elf {elf} power 1 at {place}"));
            places.chain([format!("elf {elf} power 1")])
        })
        .collect();
    while let Some(line) = lines.pop() {
        let moves: Vec<_> = line.iter().map(|id| json!({"id": id})).collect();
        let tried = player.post(&of(table, "/preview")).json(&json!({"moves": moves})).await.ok();
        if !tried["obstacle"].is_null() {
            continue;
        }
        if line.len() < 4 {
            let spent: Vec<_> = line.iter().map(|mv| &mv[..5]).collect();
            let next = all.iter().filter(|mv| !spent.contains(&&mv[..5]));
            lines.extend(next.map(|mv| [line.clone(), vec![mv.clone()]].concat()));
            continue;
        }
        let won = tried["events"].as_array()?.iter().any(|event| event["result"] == "WON");
        let last = tried["events"].as_array()?.iter().rev().find(|event| event["type"] == "PLAYED")?;
        assert_eq!(won, last["newRow"] == *goal);
        if won {
            let holder = |mv: &String| {
                let elf: usize = mv[4..5].parse().expect("a number");
                usize::try_from(holders[elf - 1].expect("a seat")).expect("few")
            };
            return Some(line.iter().map(|mv| (holder(mv), mv.clone())).collect());
        }
    }
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campaign_of_ones_own_is_the_same_for_everybody_and_replays_without_being_made_again() {
    let server = Server::start().await;
    let options = json!({"campaignSeed": 3, "lastDay": 2});
    let [one, other] = [campaign(&server, 1, &options).await, campaign(&server, 2, &options).await];
    let sheet = async |table: &Table| view(&table.players[0], table).await["today"]["sheet"].clone();
    assert_eq!(sheet(&one).await, sheet(&other).await);
    let ours = campaign(&server, 1, &json!({})).await;
    assert_ne!(sheet(&one).await["start"], sheet(&ours).await["start"]);
    for _ in 0..2 {
        one.players[0].plays(&one.game, "wish").await.ok();
    }
    let replay = one.replay().await;
    let begun = replay["steps"].as_array().expect("steps").iter().find(|step| step["action"]["type"] == "BEGIN");
    let puzzles = begun.expect("it was prepared")["action"]["prepared"]["puzzles"].as_array().cloned();
    assert_eq!(puzzles.expect("puzzles").iter().filter(|puzzle| !puzzle.is_null()).count(), 2, "both days were opened");
    verified(&replay);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_replay_of_an_abandoned_campaign_shows_only_the_sheets_of_opened_days() {
    let server = Server::start().await;
    for options in [json!({}), json!({"campaignSeed": 3})] {
        let table = campaign(&server, 1, &options).await;
        table.players[0].plays(&table.game, "wish").await.ok();
        let left = table.players[0].resigns(&table.game).await.ok();
        assert_eq!(left["game"]["status"], "ABANDONED");
        let replay = table.replay().await;
        verified(&replay);
        let text = replay.to_string();
        for (day, sheet) in (1..).zip(ludotheque::rules::santa_rescue::sheets::all_sheets()) {
            assert_eq!(text.contains(&sheet.monster), day <= 2, "{} of day {day}", sheet.monster);
        }
        let puzzles = replay["steps"][1]["action"]["prepared"]["puzzles"].as_array().cloned().unwrap_or_default();
        assert_eq!(puzzles.iter().filter(|puzzle| !puzzle.is_null()).count(), if puzzles.is_empty() { 0 } else { 2 });
    }
}

#[tokio::test]
async fn a_player_who_deletes_the_account_leaves_the_elves_to_the_others() {
    let server = Server::start().await;
    let table = campaign(&server, 2, &json!({})).await;
    table.players[0].delete("/v1/players/me").await.ok();
    let seen = view(&table.players[1], &table).await;
    let holders: Vec<_> = seen["elves"].as_array().expect("elves").iter().map(|elf| elf["holder"].clone()).collect();
    assert_eq!(holders, vec![json!(1); 4]);
    table.players[1].plays(&table.game, "wish").await.ok();
}

#[tokio::test]
async fn options_that_can_not_be_played_are_refused_with_a_reason() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    for options in [
        json!({"firstDay": 0}),
        json!({"firstDay": 9, "lastDay": 8}),
        json!({"timeZone": "Middle/Earth"}),
        json!({"calendar": "ADVENT", "timeZone": ""}),
        json!({"year": 10}),
        json!({"campaignSeed": -1}),
        json!({"campaignSeed": 2_147_483_648_u32}),
        json!({"calendar": "LUNAR"}),
    ] {
        let made = ada.creates(&json!({"kind": "SANTA_RESCUE", "options": options})).await;
        made.refused("INVALID_OPTIONS");
    }
    let table = lobby(&server, 1, &json!({"timeZone": "Europe/Paris"})).await;
    assert_eq!(table.players[0].sees(&table.game).await["options"]["timeZone"], "Europe/Paris");
}
