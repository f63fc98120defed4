//! Thousands of requests at random, well and badly formed, over every operation of the OpenAPI document: whatever comes
//! in, no answer is a server's fault. That each answer is also one the document knows is checked as everywhere.

use futures::{StreamExt, stream};
use ludotheque::rules::Dice;
use reqwest::Method;
use serde_json::{Value, json};
use test_support::openapi;
use test_support::{Answer, Ask, Player, Server, dice, pick};

const REQUESTS: usize = 4000;
const AT_A_TIME: usize = 16;

/// Everything a request may be made of.
struct Supplies {
    players: Vec<Player>,
    operations: Vec<Operation>,
    games: Vec<String>,
    /// What may stand in a path besides.
    words: Vec<String>,
    values: Vec<Value>,
}

struct Operation {
    method: Method,
    path: &'static str,
    fields: Vec<&'static str>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_is_answered_with_a_server_error() {
    let server = Server::start().await;
    let supplies = supplies(&server).await;
    let mut dice = dice(2);
    let asks: Vec<_> = (0..REQUESTS).map(|_| supplies.ask(&mut dice)).collect();
    let answers = stream::iter(asks).map(IntoFuture::into_future).buffer_unordered(AT_A_TIME);
    let answers: Vec<Answer> = answers.collect().await;
    let mut statuses = std::collections::BTreeMap::<_, usize>::new();
    for answer in &answers {
        assert!(answer.status < 500, "{}: {}", answer.asked, answer.text());
        *statuses.entry(answer.status).or_default() += 1;
    }
    // Random, but not so random that everything stops at the first endpoint.
    for status in [200, 201, 400, 401, 403, 404, 409, 415, 422] {
        assert!(statuses.contains_key(&status), "{status} among {statuses:?}");
    }
}

async fn supplies(server: &Server) -> Supplies {
    let active = server.table(3).await;
    let lobby = server.lobby(2, json!({})).await;
    let over = server.table(2).await;
    over.players[0].resigns(&over.game).await.ok();
    let hidden = server.lobby(2, json!({"visibility": "UNLISTED"})).await;
    let code = hidden.players[0].sees(&hidden.game).await["inviteCode"].as_str().expect("a code").to_owned();
    let mut values = odd_values();
    for player in &active.players {
        values.extend(
            player.asks_for_moves(&active.game).await.ok()["moves"]
                .as_array()
                .expect("moves")
                .iter()
                .flat_map(|mv| [mv["id"].clone(), mv["move"].clone()]),
        );
    }
    let operations = openapi::paths().flat_map(|(path, item)| {
        item.as_object().expect("operations").iter().map(move |(method, operation)| {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            Operation { method, path, fields: openapi::fields(operation) }
        })
    });
    let words = ["0", "1", "me", "CHIPS", "game_00000000000000000000000000000000", "%00", "%F0%9F%8E%B2", &code];
    Supplies {
        words: words.map(str::to_owned).into(),
        games: vec![active.game, lobby.game, over.game, hidden.game],
        players: [active.players, lobby.players, over.players, hidden.players, vec![server.anybody()]].concat(),
        // Those that sign out are left to other tests: they would soon leave nobody to ask anything.
        operations: operations.filter(|o| o.method != Method::DELETE || o.path.starts_with("/v1/games/")).collect(),
        values,
    }
}

/// What programs and people send by mistake, or on purpose.
fn odd_values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(-1),
        json!(255),
        json!(256),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.5),
        json!(1e300),
        json!(""),
        json!("CHIPS"),
        json!("UNLISTED"),
        json!("Ada"),
        json!("ada"),
        json!("correct horse"),
        json!("x".repeat(1000)),
        json!("\0"),
        json!("\u{202E}abc"),
        json!("🎲"),
        json!([]),
        json!({}),
        json!([null]),
        json!({"targetTokens": 5}),
        json!({"firstDealer": 4}),
        json!({"targetTokens": 0}),
        json!({"moveSeconds": -1}),
        json!({"bot": {"level": 9}}),
        json!({"level": 2}),
        json!({"type": "DISCARD", "cards": ["last-n"]}),
        json!({"type": "BET", "for": ["last-n", "last-o"], "against": "last-n"}),
        json!({"type": "BET"}),
        json!({"type": 1}),
        json!([{"id": "discard last-n last-o"}, {"id": "bet last-n last-o against last-b"}]),
        json!("discard last-n last-n"),
        json!("bet last-n against last-n"),
        json!("bet against"),
    ]
}

impl Supplies {
    fn ask(&self, dice: &mut Dice) -> Ask {
        let operation = pick(dice, &self.operations);
        let mut path = String::new();
        for part in operation.path.split('/').skip(1) {
            path.push('/');
            path.push_str(match part {
                "{id}" if dice.below(8) > 0 => pick::<String>(dice, &self.games),
                gap if gap.starts_with('{') => pick::<String>(dice, &self.words),
                part => part,
            });
        }
        if dice.below(4) == 0 {
            let name = pick(dice, &["at", "after", "limit", "kind", "status", "mine", "waitingForMe", "cursor", "x"]);
            let value = pick(
                dice,
                &["0", "1", "3", "true", "LOBBY", "CHIPS", "18446744073709551615", "-1", "", "%FF", "a=b&c"],
            );
            path = format!("{path}?{name}={value}");
        }
        let mut ask = pick(dice, &self.players).ask(operation.method.clone(), &path);
        for (header, values) in [
            ("idempotency-key", ["a", "b", "", "é"]),
            ("accept-language", ["fr", "*", ";;;", "en;q=2"]),
            ("if-none-match", ["*", "W/", "\"", ",,,"]),
        ] {
            if dice.below(6) == 0 {
                ask = ask.header(header, pick::<&str>(dice, &values));
            }
        }
        if operation.fields.is_empty() || dice.below(10) == 0 {
            ask
        } else {
            self.with_body(ask, &operation.fields, dice)
        }
    }

    fn with_body(&self, ask: Ask, fields: &[&str], dice: &mut Dice) -> Ask {
        let mut body = json!({});
        for field in fields {
            if dice.below(2) == 0 {
                // A kind that exists, often enough that options are read.
                let is_kind = *field == "kind" && dice.below(2) == 0;
                body[field] = if is_kind { json!("CHIPS") } else { pick(dice, &self.values).clone() };
            }
        }
        if dice.below(8) == 0 {
            body["unknown"] = json!(1);
        }
        match dice.below(16) {
            0 => ask.header("content-type", "application/json").body(body.to_string()[1..].to_owned()),
            1 => ask.header("content-type", "text/plain").body(body.to_string()),
            2 => ask.json(&json!([body])),
            _ => ask.json(&body),
        }
    }
}
