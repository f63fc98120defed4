//! Moves: listed, played, refused with a reason, tried out, given up.

use serde_json::{Value, json};
use test_support::{Player, Server, dice};

#[tokio::test]
async fn every_listed_move_can_be_sent_back_by_its_id_or_spelled_out() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let list = ada.asks_for_moves(&table.game).await.ok();
    assert_eq!((&list["version"], &list["seat"]), (&json!(3), &json!(0)));
    let moves = list["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 15, "two of six cards");
    let played = ada.plays(&table.game, moves[4]["id"].as_str().expect("an id")).await.ok();
    assert_eq!(played["version"], 4);
    assert_eq!(played["events"], json!([{"type": "CHOSE", "seat": 0, "move": moves[4]["move"]}]));
    assert_eq!(played["game"], ada.sees(&table.game).await);
    let list = bob.asks_for_moves(&table.game).header("accept-language", "fr").await.ok();
    let spelled = json!({"move": list["moves"][7]["move"]});
    let played = bob.post(&format!("/v1/games/{}/moves", table.game)).json(&spelled).await.ok();
    assert_eq!(played["events"][0]["move"], spelled["move"]);
    assert_eq!(played["events"][1]["type"], "DREW", "the last choice of a step draws the next chips");
}

#[tokio::test]
async fn a_move_against_the_rules_is_refused_with_the_rule_and_the_legal_moves() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let ada = &table.players[0];
    let game = ada.sees(&table.game).await;
    let hand: Vec<&str> = cards(&game["view"]["seats"][0]["hand"]);
    let legal = ada.asks_for_moves(&table.game).await.ok();
    let foreign = ["last-n", "last-o", "last-b", "last-v", "last-p", "none-p", "none-v"];
    let foreign = foreign.into_iter().find(|card| !hand.contains(card)).expect("a hand has six cards");
    let tries = [
        format!("discard {}", hand[0]),
        format!("discard {} {} {}", hand[0], hand[1], hand[2]),
        format!("discard {} {}", hand[0], hand[0]),
        format!("discard {} {foreign}", hand[0]),
        format!("bet {} {} against {}", hand[0], hand[1], hand[2]),
        "discard".to_owned(),
        "discard no-such-card".to_owned(),
        "castle".to_owned(),
        String::new(),
        "discard ".to_owned() + &"x ".repeat(5000),
    ];
    let mut reasons = std::collections::BTreeSet::new();
    for mv in &tries {
        let problem = ada.plays(&table.game, mv).await.refused("ILLEGAL_MOVE");
        assert_eq!((&problem["version"], &problem["legalMoves"]), (&legal["version"], &legal["moves"]));
        reasons.insert(problem["detail"].as_str().expect("a reason").to_owned());
        assert_eq!(ada.previews(&table.game, mv).await.refused("ILLEGAL_MOVE"), problem, "tried out, it is the same");
    }
    assert!(reasons.len() >= 5, "{reasons:#?}");
    assert_eq!(table.version().await, 3, "nothing changed");
}

#[tokio::test]
async fn who_has_chosen_waits_for_the_others() {
    let server = Server::start().await;
    let table = server.table(3).await;
    let ada = &table.players[0];
    let moves = ada.moves(&table.game).await;
    ada.plays(&table.game, &moves[0]).await.ok();
    assert_eq!(ada.moves(&table.game).await, Vec::<String>::new());
    for mv in [&moves[0], &moves[1]] {
        let problem = ada.plays(&table.game, mv).await.refused("NOT_YOUR_TURN");
        assert_eq!((&problem["version"], &problem["legalMoves"]), (&json!(5), &json!([])));
        ada.previews(&table.game, mv).await.refused("NOT_YOUR_TURN");
    }
    assert_eq!(table.waiting().await, [1, 2]);
}

#[tokio::test]
async fn there_is_a_time_for_everything() {
    let server = Server::start().await;
    let table = server.lobby(2, json!({})).await;
    let (ada, eve) = (&table.players[0], server.guest("Eve").await);
    let every = |player: &Player| {
        [
            player.plays(&table.game, "discard last-n"),
            player.previews(&table.game, "discard last-n"),
            player.resigns(&table.game),
        ]
    };
    for ask in every(ada) {
        ask.await.refused("NOT_STARTED");
    }
    ada.get(&format!("/v1/games/{}/replay", table.game)).await.refused("NOT_OVER");
    ada.starts(&table.game).await.ok();
    for ask in every(&eve) {
        ask.await.refused("NOT_SEATED");
    }
    ada.get(&format!("/v1/games/{}/replay", table.game)).await.refused("NOT_OVER");
    table.play_to_the_end(&mut dice(1)).await;
    let version = table.version().await;
    for ask in every(ada) {
        ask.await.refused("GAME_OVER");
    }
    ada.starts(&table.game).await.refused("GAME_OVER");
    ada.stands(&table.game).await.refused("GAME_OVER");
    assert_eq!(ada.moves(&table.game).await, Vec::<String>::new());
    assert_eq!(table.version().await, version);
}

#[tokio::test]
async fn a_preview_tells_what_the_player_can_know_and_changes_nothing() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let mv = ada.moves(&table.game).await[3].clone();
    let foreseen = ada.previews(&table.game, &mv).await.ok();
    assert_eq!(foreseen["complete"], true);
    assert_eq!(ada.previews(&table.game, &mv).await.ok(), foreseen, "it can be asked again");
    assert_eq!(table.version().await, 3);
    let played = ada.plays(&table.game, &mv).await.ok();
    assert_eq!((&foreseen["events"], &foreseen["view"]), (&played["events"], &played["game"]["view"]));

    // The last choice of a step draws chips: a preview stops before.
    let last = bob.moves(&table.game).await[0].clone();
    let foreseen = bob.previews(&table.game, &last).await.ok();
    assert_eq!((&foreseen["complete"], foreseen["events"].as_array().map(Vec::len)), (&json!(false), Some(1)));
    let path = format!("/v1/games/{}/preview", table.game);
    let series = json!({"moves": [{"id": last}, {"id": "discard last-n"}]});
    assert_eq!(bob.post(&path).json(&series).await.ok(), foreseen, "what comes after is not looked at");
    let endless = json!({"moves": vec![json!({"id": last}); 5]});
    for body in [json!({}), json!({"moves": []}), json!({"id": last, "moves": [{"id": last}]}), endless] {
        bob.post(&path).json(&body).await.refused("MALFORMED");
    }
}

#[tokio::test]
async fn who_resigns_acts_no_more_and_ranks_last() {
    let server = Server::start().await;
    let table = server.table(3).await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    bob.plays(&table.game, &bob.moves(&table.game).await[0]).await.ok();
    let resigned = ada.resigns(&table.game).await.ok();
    assert_eq!(resigned["game"]["seats"][0]["resigned"], true);
    assert_eq!(resigned["events"][0], json!({"type": "RESIGNED", "seat": 0, "late": false}));
    ada.resigns(&table.game).await.refused("NOT_YOUR_TURN");
    assert_eq!(ada.moves(&table.game).await, Vec::<String>::new());
    ada.plays(&table.game, "discard last-n").await.refused("NOT_YOUR_TURN");
    let over = cid.resigns(&table.game).await.ok();
    let outcome = &over["game"]["outcome"];
    assert_eq!((&over["game"]["status"], &outcome["reason"]), (&json!("FINISHED"), &json!("RESIGNED")));
    assert_eq!(outcome["winners"], json!([1]));
    let ranks: Vec<_> =
        outcome["standings"].as_array().expect("standings").iter().map(|s| (&s["seat"], &s["rank"])).collect();
    assert_eq!(ranks, [(&json!(1), &json!(1)), (&json!(0), &json!(2)), (&json!(2), &json!(2))]);
    test_support::table::verified(&table.replay().await);
}

fn cards(value: &Value) -> Vec<&str> {
    value.as_array().expect("cards").iter().map(|card| card.as_str().expect("a slug")).collect()
}
