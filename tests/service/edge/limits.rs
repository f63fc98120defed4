//! How often somebody may ask, and who somebody is.

use futures::future::join_all;
use reqwest::Method;
use test_support::{Answer, Ask, Program, folder};

/// Sends all at once; tells those let in and those refused.
async fn at_once(requests: impl IntoIterator<Item = Ask>) -> (Vec<Answer>, Vec<Answer>) {
    let answers = join_all(requests.into_iter().map(Ask::attempt)).await;
    answers.into_iter().map(Result::unwrap).partition(|answer| answer.status != 429)
}

#[tokio::test]
async fn a_player_who_asks_too_often_is_told_when_to_come_back_and_others_are_not_held_up() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "2"]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let (let_in, mut refused) = at_once((0..40).map(|_| ada.get("/v1/players/me"))).await;
    assert!(let_in.len() >= 2 && !refused.is_empty(), "{} let in, {} refused", let_in.len(), refused.len());
    let one = refused.pop().unwrap();
    assert!(one.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert_eq!(one.problem(), (429, "RATE_LIMITED".to_owned()));
    assert_eq!(bob.get("/v1/players/me").await.status, 200);
}

#[tokio::test]
async fn the_refusal_speaks_the_callers_language() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "1"]);
    let french = || server.get("/v1/kinds").header("accept-language", "fr");
    let (_, refused) = at_once((0..40).map(|_| french())).await;
    let refused = refused.into_iter().next().unwrap();
    assert_eq!(refused.header("content-language"), "fr");
    assert!(refused.text().contains("Trop de requêtes"));
}

#[tokio::test]
async fn an_address_that_asks_too_often_is_refused_whether_it_has_a_token_or_not() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "3"]);
    let (let_in, refused) = at_once((0..60).map(|_| server.get("/v1/kinds"))).await;
    assert!(let_in.len() >= 3 && !refused.is_empty(), "{} let in, {} refused", let_in.len(), refused.len());
}

#[tokio::test]
async fn what_browsers_ask_beforehand_is_paid_for_too() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "1"]);
    let preflight = |path| {
        let asked = server.ask(Method::OPTIONS, path).header("origin", "https://play.example.org");
        asked.header("access-control-request-method", "POST")
    };
    let paths = ["/v1/games", "/graphql", "/docs"].into_iter().cycle();
    let (let_in, refused) = at_once(paths.take(60).map(preflight)).await;
    assert!(let_in.len() >= 3 && !refused.is_empty(), "{} let in, {} refused", let_in.len(), refused.len());
    assert!(refused[0].header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[tokio::test]
async fn zero_is_no_limit() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "0", "--address-rate", "0"]);
    let ada = server.guest("Ada").await;
    let (let_in, _) = at_once((0..600).map(|_| ada.get("/v1/players/me"))).await;
    assert_eq!(let_in.len(), 600);
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_has_a_share_of_its_own() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "1", "--trusted-proxies", "127.0.0.0/8,10.0.0.0/8"]);
    let from = |client: String| server.get("/v1/kinds").header("x-forwarded-for", client);
    let (let_in, _) = at_once((0..40).map(|n| from(format!("192.0.2.{n}, 10.1.1.1")))).await;
    assert_eq!(let_in.len(), 40, "forty clients, one request each");
    let (_, refused) = at_once((0..40).map(|n| from(format!("198.51.100.{n}, 203.0.113.9")))).await;
    assert!(!refused.is_empty(), "what a client writes before its own address is not believed");
}

#[tokio::test]
async fn without_trusted_proxies_nobody_chooses_an_address() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "1"]);
    let (_, refused) =
        at_once((0..40).map(|n| server.get("/v1/kinds").header("x-forwarded-for", format!("192.0.2.{n}")))).await;
    assert!(!refused.is_empty());
}
