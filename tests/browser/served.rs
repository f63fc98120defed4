//! How pages and their files are sent.

use test_support::{Answer, Program};

const PAGES: [&str; 3] = ["/playground", "/docs", "/docs/kinds"];

/// Compared word for word, so that loosening the policy needs a change here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async fn get(server: &Program, path: &str, headers: &[(&str, &str)]) -> Answer {
    let ask = headers.iter().fold(server.get(path), |ask, (name, value)| ask.header(name, value));
    ask.await
}

/// The scripts and styles that a page names.
async fn assets(server: &Program, page: &str) -> Vec<String> {
    let html = get(server, page, &[]).await.text();
    let named = html.split('"').filter(|word| word.starts_with("/assets/")).map(str::to_owned);
    let named: Vec<_> = named.collect();
    assert!(!named.is_empty(), "the program was built without its pages: {html}");
    named
}

#[tokio::test]
async fn a_page_may_ask_us_and_nobody_else_and_is_in_nobodys_frame() {
    let server = Program::fresh(&[]);
    for page in PAGES {
        let answer = get(&server, page, &[]).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8".to_owned()));
        assert_eq!(answer.header("content-security-policy"), POLICY, "{page}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{page}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{page}");
    }
}

#[tokio::test]
async fn a_page_is_asked_for_again_and_its_files_are_kept_for_ever() {
    let server = Program::fresh(&[]);
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
                assert_eq!((answer.status, answer.header("cache-control")), (200, keep.to_owned()), "{path}");
                assert!(answer.header("vary").contains("accept-encoding"), "{path}");
                tags.push(answer.header("etag"));
                let known = [("accept-encoding", encoding), ("if-none-match", tags.last().unwrap())];
                let again = get(&server, path, &known).await;
                assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
            }
            assert!(tags[0] != tags[1] && tags.iter().all(|tag| tag.starts_with('"')), "strong, one each: {tags:?}");
        }
    }
}

#[tokio::test]
async fn files_are_sent_compressed_to_whoever_takes_it() {
    let server = Program::fresh(&[]);
    for path in assets(&server, "/playground").await {
        let plain = get(&server, &path, &[("accept-encoding", "gzip;q=0")]).await;
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        let plain = plain.bytes;
        let packed = get(&server, &path, &[("accept-encoding", "br;q=0.1, gzip")]).await;
        assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
        let packed = packed.bytes;
        assert!(packed.starts_with(&[0x1f, 0x8b]) && (packed.len() < plain.len() || plain.len() < 500), "{path}");
    }
}

#[tokio::test]
async fn whose_code_the_pages_contain_is_told_with_its_licence() {
    let server = Program::fresh(&[]);
    let told = get(&server, "/docs/licences", &[]).await.text();
    for package in ["graphiql 4.", "graphql-ws ", "react ", "redoc 2."] {
        let entry = told.split("-----\n").find(|entry| entry.trim_start().starts_with(package));
        assert!(entry.is_some_and(|entry| entry.to_lowercase().contains("permission is hereby granted")), "{package}");
    }
    assert!(!told.contains("vite "), "what only builds them is not in them");
}

#[tokio::test]
async fn what_is_no_page_is_a_problem_like_any_other() {
    let server = Program::fresh(&[]);
    for path in ["/assets/nothing.js", "/assets/..%2fplayground.html", "/playground/nothing", "/docs/nothing"] {
        let answer = get(&server, path, &[]).await;
        let kind = answer.header("content-type");
        assert_eq!((answer.status, kind.as_str()), (404, "application/problem+json"), "{path}");
    }
    let posted = server.post("/playground").await;
    assert_eq!((posted.status, posted.header("allow")), (405, "GET,HEAD".to_owned()));
}

#[tokio::test]
async fn a_page_loads_whatever_rate_an_address_is_held_to() {
    let server = Program::fresh(&["--address-rate", "1"]);
    for path in PAGES.iter().chain(&PAGES) {
        assert_eq!(get(&server, path, &[]).await.status, 200, "{path}");
    }
    let mut refused = 0;
    for _ in 0..20 {
        refused += u32::from(get(&server, "/v1/kinds", &[]).await.status == 429);
    }
    assert!(refused > 0, "everything else is");
}
