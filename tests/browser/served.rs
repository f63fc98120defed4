//! How pages and their files are sent.

use crate::support::Server;
use reqwest::header::HeaderMap;
use reqwest::{Client, Response};

const PAGES: [&str; 3] = ["/playground", "/docs", "/docs/kinds"];

/// Ours, to the letter: whoever loosens it has to say so here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).map_or("", |value| value.to_str().unwrap())
}

async fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Response {
    let ask = headers.iter().fold(Client::new().get(server.url(path)), |ask, (name, value)| ask.header(*name, *value));
    ask.send().await.unwrap()
}

/// The scripts and styles that a page names.
async fn assets(server: &Server, page: &str) -> Vec<String> {
    let html = get(server, page, &[]).await.text().await.unwrap();
    let named = html.split('"').filter(|word| word.starts_with("/assets/")).map(str::to_owned);
    let named: Vec<_> = named.collect();
    assert!(!named.is_empty(), "the program was built without its pages: {html}");
    named
}

#[tokio::test]
async fn a_page_may_ask_us_and_nobody_else_and_is_in_nobodys_frame() {
    let server = Server::start(&[]);
    for page in PAGES {
        let answer = get(&server, page, &[]).await;
        assert_eq!(
            (answer.status().as_u16(), header(answer.headers(), "content-type")),
            (200, "text/html; charset=utf-8")
        );
        assert_eq!(header(answer.headers(), "content-security-policy"), POLICY, "{page}");
        assert_eq!(header(answer.headers(), "x-content-type-options"), "nosniff", "{page}");
        assert_eq!(header(answer.headers(), "referrer-policy"), "no-referrer", "{page}");
    }
}

#[tokio::test]
async fn a_page_is_asked_for_again_and_its_files_are_kept_for_ever() {
    let server = Server::start(&[]);
    for page in PAGES {
        for (path, keep) in assets(&server, page)
            .await
            .iter()
            .map(|path| (path.as_str(), "public, max-age=31536000, immutable"))
            .chain([(page, "no-cache")])
        {
            let mut tags = Vec::new();
            for encoding in ["identity", "gzip, br"] {
                let answer = get(&server, path, &[("accept-encoding", encoding)]).await;
                assert_eq!(
                    (answer.status().as_u16(), header(answer.headers(), "cache-control")),
                    (200, keep),
                    "{path}"
                );
                assert!(header(answer.headers(), "vary").contains("accept-encoding"), "{path}");
                tags.push(header(answer.headers(), "etag").to_owned());
                let known = [("accept-encoding", encoding), ("if-none-match", tags.last().unwrap())];
                let again = get(&server, path, &known).await;
                assert_eq!((again.status().as_u16(), again.bytes().await.unwrap().len()), (304, 0), "{path}");
            }
            assert!(tags[0] != tags[1] && tags.iter().all(|tag| tag.starts_with('"')), "strong, one each: {tags:?}");
        }
    }
}

#[tokio::test]
async fn files_are_sent_compressed_to_whoever_takes_it() {
    let server = Server::start(&[]);
    for path in assets(&server, "/playground").await {
        let plain = get(&server, &path, &[("accept-encoding", "gzip;q=0")]).await;
        assert_eq!(header(plain.headers(), "content-encoding"), "", "{path}");
        let plain = plain.bytes().await.unwrap();
        let packed = get(&server, &path, &[("accept-encoding", "br;q=0.1, gzip")]).await;
        assert_eq!(header(packed.headers(), "content-encoding"), "gzip", "{path}");
        let packed = packed.bytes().await.unwrap();
        assert!(packed.starts_with(&[0x1f, 0x8b]) && (packed.len() < plain.len() || plain.len() < 500), "{path}");
    }
}

#[tokio::test]
async fn whose_code_the_pages_contain_is_told_with_its_licence() {
    let server = Server::start(&[]);
    let told = get(&server, "/docs/licences", &[]).await.text().await.unwrap();
    for package in ["graphiql 4.", "graphql-ws ", "react ", "redoc 2."] {
        let entry = told.split("-----\n").find(|entry| entry.trim_start().starts_with(package));
        assert!(entry.is_some_and(|entry| entry.to_lowercase().contains("permission is hereby granted")), "{package}");
    }
    assert!(!told.contains("vite "), "what only builds them is not in them");
}

#[tokio::test]
async fn what_is_no_page_is_a_problem_like_any_other() {
    let server = Server::start(&[]);
    for path in ["/assets/nothing.js", "/assets/..%2fplayground.html", "/playground/nothing", "/docs/nothing"] {
        let answer = get(&server, path, &[]).await;
        let kind = header(answer.headers(), "content-type").to_owned();
        assert_eq!((answer.status().as_u16(), kind.as_str()), (404, "application/problem+json"), "{path}");
    }
    let posted = Client::new().post(server.url("/playground")).send().await.unwrap();
    assert_eq!((posted.status().as_u16(), header(posted.headers(), "allow")), (405, "GET,HEAD"));
}

#[tokio::test]
async fn a_page_loads_whatever_rate_an_address_is_held_to() {
    let server = Server::start(&["--address-rate", "1"]);
    for path in PAGES.iter().chain(&PAGES) {
        assert_eq!(get(&server, path, &[]).await.status(), 200, "{path}");
    }
    let mut refused = 0;
    for _ in 0..20 {
        refused += u32::from(get(&server, "/v1/kinds", &[]).await.status() == 429);
    }
    assert!(refused > 0, "everything else is");
}
