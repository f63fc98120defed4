//! One person plays both sides of a table in the playground: over GraphQL alone, watching it live.

use crate::chromium::Browser;
use crate::page::Page;
use serde_json::{Value, json};
use test_support::Program;

/// Waits until it is this guest who is playing.
async fn plays(page: &mut Page, guest: &str) {
    let checked = "document.querySelector('.seats label:has(:checked)')?.innerText.trim()";
    page.until(&format!("{checked} == {}", json!(guest))).await;
}

/// Opens a step, as one of the guests, runs it, and gives what it answers.
async fn takes(page: &mut Page, guest: &str, step: &str) -> Value {
    page.presses(guest).await;
    plays(page, guest).await;
    page.clicks(&format!("[data-step={step}]:enabled")).await;
    let result = "document.querySelector('.result-window .CodeMirror').CodeMirror";
    page.until(&format!("({result}.setValue(''), true)")).await;
    page.clicks(".graphiql-execute-button").await;
    let answer = page.until(&format!("{result}.getValue()")).await;
    let answer: Value = serde_json::from_str(answer.as_str().unwrap()).unwrap();
    assert_eq!(answer.get("errors"), None, "{step}: {answer:#}");
    let refused =
        answer["data"].as_object().into_iter().flatten().filter_map(|(_, payload)| payload["userErrors"].as_array());
    assert!(refused.flatten().next().is_none(), "{step}: {answer:#}");
    answer
}

#[tokio::test]
async fn two_guests_of_one_person_play_a_game_and_see_it_live() {
    let (server, browser) = (Program::fresh(&[]), Browser::start());
    let mut page = browser.open(&server, "/playground", "en").await;
    page.presses("Sign in as a guest").await;
    plays(&mut page, "Ada").await;
    page.presses("+ Add a guest").await;
    plays(&mut page, "Bob").await;
    takes(&mut page, "Ada", "CreateGame").await;
    takes(&mut page, "Bob", "SitDown").await;
    takes(&mut page, "Bob", "WatchGame").await;
    takes(&mut page, "Ada", "StartGame").await;
    let listed = takes(&mut page, "Ada", "LegalMoves").await;
    assert!(listed["data"]["legalMoves"]["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{listed:#}");
    let live = "[...document.querySelectorAll('.feed li code')].map(one => JSON.parse(one.textContent))";
    let version = format!("{live}.at(-1)?.data.gameEvents.version");
    // Created, joined, started; then the move, while the stream runs.
    page.until(&format!("{version} == 3")).await;
    takes(&mut page, "Ada", "PlayMove").await;
    page.until(&format!("{version} == 4")).await;
    let versions = page.evaluate(&format!("{live}.map(one => one.data.gameEvents.version)")).await;
    assert_eq!(versions, json!([1, 2, 3, 4]), "without gap or double");
    page.screenshot("playground-live").await;
    assert_eq!(page.trouble().await, [] as [String; 0]);
}
