//! One idempotency key, two nodes, the same moment: executed once, with the same answer.

use crate::fleet::Fleet;
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::postgres::database;
use test_support::{Endpoint, Player, dice, pick};

const TIMES: usize = 1000;
const AT_A_TIME: usize = 8;

/// Sends the same request to both nodes at once.
async fn both(endpoints: [&Endpoint; 2], player: &Player, ask: impl Fn(&Player) -> test_support::Ask) -> Value {
    let [one, two] = endpoints.map(|endpoint| player.at(endpoint));
    let (one, two) = futures::join!(ask(&one).into_future(), ask(&two).into_future());
    assert_eq!(one.ok(), two.ok(), "{}", one.asked);
    one.ok()
}

/// Plays tables through, each move sent to both nodes under one key; tells how many.
async fn play(endpoints: [&Endpoint; 2], number: u64, times: usize) -> usize {
    let mut dice = dice(number);
    let mut done = 0;
    while done < times {
        let host = endpoints[0].guest("Ada").await;
        let new = json!({"kind": "CHIPS", "seats": 2});
        let made = both(endpoints, &host, |player| player.creates(&new).key(&format!("make {done}"))).await;
        let game = made["id"].as_str().expect("an id");
        let listed = host.get("/v1/games?mine=true").await.ok();
        assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "one game was made");
        let guest = endpoints[1].guest("Bob").await;
        both(endpoints, &guest, |player| player.sits(game).key("sit")).await;
        let mut version = both(endpoints, &host, |player| player.starts(game).key("start")).await["version"].clone();
        done += 3;
        let players = [host, guest];
        while done < times {
            let waiting = players[0].sees(game).await["waitingFor"].as_array().expect("seats").clone();
            let Some(seat) = waiting.first().and_then(Value::as_u64) else { break };
            let player = &players[usize::try_from(seat).expect("small")];
            let mv = pick(&mut dice, &player.moves(game).await).clone();
            let answer =
                both(endpoints, player, |player| player.plays(game, &mv).key(&format!("move {version}"))).await;
            assert_eq!(answer["version"].as_u64(), version.as_u64().map(|before| before + 1), "one step, not two");
            version = answer["version"].clone();
            done += 1;
        }
    }
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: a thousand races"]
async fn the_same_key_on_two_nodes_at_once_is_carried_out_once_a_thousand_times() {
    let fleet = Fleet::of(2, &database());
    let (one, two) = (fleet.endpoint(0), fleet.endpoint(1));
    let tables = (0..AT_A_TIME).map(|number| play([&one, &two], number as u64, TIMES / AT_A_TIME));
    let done: usize = join_all(tables).await.into_iter().sum();
    assert!(done >= TIMES, "{done}");
}
