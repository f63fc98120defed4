//! Addresses that people and browsers try: `/` leads to the pages, a slash too many does no harm, and the `type` of every
//! problem leads to a page about it.

use ludotheque::codes::Code;
use reqwest::redirect::Policy;
use test_support::{Endpoint, Program, folder};

#[tokio::test]
async fn the_root_and_pages_with_a_slash_lead_to_the_pages() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let mut straight = Endpoint::clone(&server);
    straight.http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
    for (path, leads_to) in [
        ("/", "/docs"),
        ("/docs/", "/docs"),
        ("/docs/kinds/", "/docs/kinds"),
        ("/docs/licences/", "/docs/licences"),
        ("/playground/", "/playground"),
    ] {
        let answer = straight.get(path).send().await.unwrap();
        assert!(answer.status().is_redirection(), "{path}: {}", answer.status());
        assert_eq!(answer.headers()["location"], leads_to, "{path}");
        // Built into the program, or said to be missing from it.
        let page = server.get(leads_to).await;
        assert!([200, 501].contains(&page.status), "{leads_to}: {}", page.status);
    }
}

#[tokio::test]
async fn every_problem_has_a_page_in_both_languages() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let list = server.get("/problems").await.text();
    for code in Code::ALL {
        let path = format!("/problems/{}", code.kebab());
        assert!(list.contains(&format!("href=\"{path}\"")), "{path} is listed");
        let mut pages = Vec::new();
        for language in ["en", "fr"] {
            let page = server.get(&path).header("accept-language", language).await;
            assert_eq!((page.status, page.header("content-language")), (200, language.to_owned()), "{path}");
            assert!(page.header("content-type").starts_with("text/html"), "{path}");
            assert!(page.header("content-security-policy").contains("default-src 'none'"), "{path}");
            let text = page.text();
            assert!(text.contains(&code.name()) && text.contains(&format!("HTTP {}", code.status())), "{path}: {text}");
            assert!(!text.contains("error-"), "{path} has its texts: {text}");
            pages.push(text);
        }
        assert_ne!(pages[0], pages[1], "{path}");
    }
    assert_eq!(server.get("/problems/none").await.status, 404);
}

#[tokio::test]
async fn the_type_of_a_problem_leads_to_its_page() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let problem: serde_json::Value = server.get("/v1/kinds/CHESS").await.json();
    let page = server.get(problem["type"].as_str().unwrap()).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("NOT_FOUND"));
}
