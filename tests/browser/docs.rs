//! The reference and the kinds, as readers see them.

use crate::chromium::Browser;
use serde_json::Value;
use test_support::Program;

#[tokio::test]
async fn the_reference_shows_every_operation_and_asks_nobody_but_us() {
    let (server, browser) = (Program::fresh(&[]), Browser::start());
    let mut page = browser.open(&server, "/docs", "en").await;
    page.until("document.querySelectorAll('[data-section-id*=\"operation/\"]').length > 20").await;
    let shown = page.evaluate("document.body.innerText").await;
    let description: Value = server.get("/openapi.json").await.ok();
    let items = description["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let summaries: Vec<_> = items.filter_map(|operation| operation["summary"].as_str()).collect();
    assert!(summaries.len() > 20, "{summaries:?}");
    for summary in summaries {
        assert!(shown.as_str().unwrap().contains(summary), "{summary} is shown");
    }
    assert_eq!(page.trouble().await, [] as [String; 0]);
    page.screenshot("docs-light").await;
    page.likes_the_dark().await;
    page.until("getComputedStyle(document.body).backgroundColor == 'rgb(20, 26, 29)'").await;
    page.screenshot("docs-dark").await;
    page.evaluate("document.querySelector('[data-section-id*=\"play_move\"]').scrollIntoView()").await;
    page.screenshot("docs-operation").await;
}

#[tokio::test]
async fn every_kind_is_shown_with_its_rules_options_and_schemas_in_the_readers_language() {
    let (server, browser) = (Program::fresh(&[]), Browser::start());
    for language in ["en", "fr"] {
        let mut page = browser.open(&server, "/docs/kinds", language).await;
        let ask = server.get("/v1/kinds").header("accept-language", language);
        let kinds: Value = ask.await.ok();
        let kinds = kinds["items"].as_array().unwrap();
        page.until(&format!("document.querySelectorAll('article details.exact').length >= 3 * {}", kinds.len())).await;
        assert_eq!(page.evaluate("document.documentElement.lang").await, language);
        for kind in kinds {
            let article = format!("document.getElementById({})", kind["kind"]);
            let text = page.evaluate(&format!("{article}.innerText")).await;
            for part in ["name", "summary"] {
                assert!(text.as_str().unwrap().contains(kind[part].as_str().unwrap()), "{part} of {text}");
            }
            let options = page.evaluate(&format!("{article}.querySelector('table').innerText")).await;
            assert!(options.as_str().unwrap().contains("moveSeconds"), "{options}");
            let pre = format!("[...{article}.querySelectorAll('pre')].map(one => one.textContent)");
            let shown = page.evaluate(&pre).await;
            let path = format!("/v1/kinds/{}", kind["kind"].as_str().unwrap());
            let ask = server.get(&path).header("accept-language", language);
            let whole: Value = ask.await.ok();
            for (part, schema) in ["move", "event", "view"].map(|part| (part, &whole["schemas"][part])) {
                let is_it = |text: &Value| serde_json::from_str::<Value>(text.as_str().unwrap()).unwrap() == *schema;
                assert!(shown.as_array().unwrap().iter().any(is_it), "{part} of {path}");
            }
        }
        page.screenshot(&format!("kinds-{language}")).await;
        assert_eq!(page.trouble().await, [] as [String; 0]);
    }
}
