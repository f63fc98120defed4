//! The playground: who is playing, for as long as the tab is open.

use crate::chromium::Browser;
use crate::page::Page;
use serde_json::{Value, json};
use test_support::Program;

/// Everybody who is signed in, with whether it is they who are playing.
async fn guests(page: &mut Page) -> Value {
    let labels = "[...document.querySelectorAll('.seats label')]";
    page.evaluate(&format!("{labels}.map(one => [one.innerText.trim(), one.querySelector('input').checked])")).await
}

async fn plays(page: &mut Page, name: &str) {
    let checked = format!("document.querySelector('.seats label:has(:checked)')?.innerText.trim() == {}", json!(name));
    page.until(&checked).await;
}

#[tokio::test]
async fn a_guest_signs_in_with_one_click_and_stays_until_the_tab_is_closed() {
    let (server, browser) = (Program::fresh(&[]), Browser::start());
    let mut page = browser.open(&server, "/playground", "en").await;
    page.presses("Sign in as a guest").await;
    plays(&mut page, "Ada").await;
    page.presses("+ Add a guest").await;
    plays(&mut page, "Bob").await;
    page.presses("Ada").await;
    plays(&mut page, "Ada").await;
    page.reloads().await;
    plays(&mut page, "Ada").await;
    assert_eq!(guests(&mut page).await, json!([["Ada", true], ["Bob", false], ["Nobody", false]]));
    let kept = page.evaluate("JSON.parse(sessionStorage.getItem('ludotheque:guests'))").await;
    let token = kept["guests"][0]["accessToken"].as_str().unwrap().to_owned();
    let me = || server.get("/v1/players/me").bearer_auth(&token).send();
    let profile: Value = me().await.unwrap().json().await.unwrap();
    assert_eq!(profile["displayName"], "Ada");
    assert_eq!(page.evaluate("Object.keys(localStorage).length").await, 0, "nothing outlives the tab");
    page.presses("Sign Ada out").await;
    plays(&mut page, "Bob").await;
    page.until("performance.getEntriesByName(location.origin + '/v1/tokens/current').length").await;
    assert_eq!(me().await.unwrap().status(), 401);
    assert_eq!(page.strays().await, [] as [String; 0]);
}

#[tokio::test]
async fn a_token_is_refreshed_before_it_expires() {
    let (server, browser) = (Program::fresh(&["--token-seconds", "4"]), Browser::start());
    let mut page = browser.open(&server, "/playground", "en").await;
    page.presses("Sign in as a guest").await;
    plays(&mut page, "Ada").await;
    let token = "JSON.parse(sessionStorage.getItem('ludotheque:guests')).guests[0].accessToken";
    let first = page.evaluate(token).await;
    // Each attempt asks with the token of the moment, as any operation does.
    page.clicks("[data-step=CreateGame]:enabled").await;
    let due = "Date.now() > JSON.parse(sessionStorage.getItem('ludotheque:guests')).guests[0].refreshAt";
    page.until(due).await;
    page.clicks(".graphiql-execute-button").await;
    page.until(&format!("{token} != {first}")).await;
    assert_eq!(page.strays().await, [] as [String; 0]);
}

#[tokio::test]
async fn every_step_of_a_game_of_every_kind_opens_in_a_tab_in_the_readers_language() {
    let (server, browser) = (Program::fresh(&[]), Browser::start());
    let mut page = browser.open(&server, "/playground", "fr").await;
    page.presses("Entrer comme invité").await;
    plays(&mut page, "Ada").await;
    let kinds = page.until("document.querySelector('.steps select')?.options.length").await;
    let listed: Value = server.get("/v1/kinds").await.ok();
    assert_eq!(kinds, json!(listed["items"].as_array().unwrap().len()));
    for kind in listed["items"].as_array().unwrap() {
        let choose = format!(
            "(() => {{ const all = document.querySelector('.steps select'); \
             Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(all, {}); \
             all.dispatchEvent(new Event('change', {{bubbles: true}})); return true; }})()",
            kind["kind"]
        );
        page.evaluate(&choose).await;
        let names = page.evaluate("[...document.querySelectorAll('[data-step]')].map(one => one.dataset.step)").await;
        assert!(names.as_array().unwrap().len() >= 6, "{names}");
        for name in names.as_array().unwrap() {
            let name = name.as_str().unwrap();
            page.clicks(&format!("[data-step={name}]:enabled")).await;
            let text = "document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.getValue()";
            page.until(&format!("{text}.includes('{name}')")).await;
        }
        page.clicks("[data-step=CreateGame]:enabled").await;
        let text = "document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.getValue()";
        page.until(&format!("{text}.includes({})", json!(format!("kind: {}", kind["kind"].as_str().unwrap())))).await;
    }
    page.screenshot("playground-fr").await;
    page.likes_the_dark().await;
    page.screenshot("playground-dark").await;
    assert_eq!(page.strays().await, [] as [String; 0]);
}
