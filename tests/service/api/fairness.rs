//! The hash chain over the steps of a game, computed from its replay by what docs/fairness.md says, and nothing of ours.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use ludotheque::rules::dice::Hex;
use serde_json::{Value, json};
use test_support::table::verified;
use test_support::{Server, Table, dice};

fn mac(key: &[u8], message: &[u8]) -> Vec<u8> {
    sign(&Key::new(HMAC_SHA256, key), message).as_ref().to_vec()
}

/// Our values are sorted by name, and are written without white space.
fn canonical(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// The links of a replay, in hex: before the first step, and after each.
fn links(replay: &Value) -> Vec<String> {
    let digits = text(&replay["seed"]).as_bytes().chunks(2);
    let seed = digits.map(|pair| u8::from_str_radix(str::from_utf8(pair).expect("digits"), 16).expect("hex"));
    let key = mac(&seed.collect::<Vec<_>>(), b"ludotheque/steps/1");
    let start = format!("{}\0{}\0{}", text(&replay["id"]), text(&replay["kind"]), replay["rulesVersion"]);
    let mut link = mac(&key, start.as_bytes());
    let mut links = vec![Hex(&link).to_string()];
    for step in replay["steps"].as_array().expect("steps") {
        let mut bound = step.clone();
        bound.as_object_mut().expect("a step").remove("events");
        if bound["action"]["type"] == "BEGIN" {
            let action = bound["action"].as_object_mut().expect("an action");
            let mut left_out = action.remove("leftOut").unwrap_or_else(|| json!([]));
            let mut left_out = left_out.as_array_mut().expect("digests").drain(..);
            for list in ["opensAt", "puzzles"] {
                for item in action["prepared"][list].as_array_mut().into_iter().flatten() {
                    let given = if item.is_null() { left_out.next() } else { None };
                    *item = given.unwrap_or_else(|| json!(Hex(digest(&SHA256, &canonical(item)).as_ref()).to_string()));
                }
            }
        }
        link = mac(&key, &[link, canonical(&bound)].concat());
        links.push(Hex(&link).to_string());
    }
    links
}

/// What the game showed at each of its versions.
async fn shown(table: &Table) -> Vec<String> {
    let mut shown = Vec::new();
    for version in 1..=table.version().await {
        let game = table.players[0].get(&format!("/v1/games/{}?at={version}", table.game)).await.ok();
        shown.push(text(&game["fairness"]["chain"]).to_owned());
    }
    shown
}

#[tokio::test]
async fn the_chain_shown_along_the_way_is_that_of_the_replay() {
    let server = Server::start().await;
    // A calendar is prepared, and all its days have come.
    let santa = json!({"calendar": "ADVENT", "year": 2000, "firstDay": 1, "lastDay": 3});
    let mut own = santa.clone();
    own["campaignSeed"] = json!(7);
    let tables = [
        server.lobby(3, json!({"options": {"targetTokens": 1}})).await,
        server.lobby(2, json!({"kind": "SANTA_RESCUE", "options": santa})).await,
        server.lobby(2, json!({"kind": "SANTA_RESCUE", "options": own})).await,
    ];
    let mut noted = Vec::new();
    for table in &tables {
        table.players[0].starts(&table.game).await.ok();
        let seen = table.players[1].sees(&table.game).await;
        noted.push((text(&seen["fairness"]["chain"]).to_owned(), seen["version"].clone()));
        table.play_to_the_end(&mut dice(5)).await;
    }
    for (table, (chain, version)) in tables.iter().zip(noted) {
        let replay = table.replay().await;
        verified(&replay);
        let links = links(&replay);
        assert_eq!(replay["chain"], *links.last().expect("links"));
        assert_eq!(shown(table).await, links[1..]);
        assert_eq!(links[usize::try_from(version.as_u64().expect("a number")).expect("small")], chain);
        // Days 4 to 24 were never opened.
        let begun = replay["steps"].as_array().expect("steps").iter().find(|step| step["action"]["type"] == "BEGIN");
        let left_out = begun.map_or(0, |begun| begun["action"]["leftOut"].as_array().map_or(0, Vec::len));
        assert_eq!(left_out, if replay["steps"][0]["action"]["options"]["campaignSeed"] == 7 { 21 } else { 0 });
    }
    // Games are read from their snapshots after a restart.
    let before: Vec<_> = futures::future::join_all(tables.iter().map(Table::replay)).await;
    let server = Server::on(server.stop().await).await;
    for replay in before {
        let path = format!("/v1/games/{}", text(&replay["id"]));
        assert_eq!(server.anybody().get(&path).await.ok()["fairness"]["chain"], replay["chain"]);
    }
}
