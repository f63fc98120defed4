//! Web pages: the playground, the reference, the kinds and the third-party licences. build.rs builds them from `web/`
//! and embeds them; in a server built without them, a page in their place says what to install. [`problems`] has pages
//! that need no build.

mod bundle;
mod problems;

use crate::app::App;
use crate::edge::asset::{Asset, Keep};
use crate::rules::Message;
use crate::texts::{Language, Texts};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use bundle::{FILES, File};
use std::collections::HashMap;
use std::sync::Arc;

/// The path and the file of each page.
const PAGES: [(&str, &str); 4] = [
    ("/playground", "playground.html"),
    ("/docs", "docs.html"),
    ("/docs/kinds", "kinds.html"),
    ("/docs/licences", "licences.txt"),
];

pub fn router(app: &Arc<App>) -> Router {
    let to_pages = Router::new().route("/", get(async || Redirect::temporary("/docs")));
    let without_slash = PAGES.into_iter().fold(to_pages, |router, (path, _)| {
        router.route(&format!("{path}/"), get(async move || Redirect::permanent(path)))
    });
    serving(FILES).merge(without_slash).merge(problems::router()).with_state(app.clone())
}

fn serving(files: &'static [File]) -> Router<Arc<App>> {
    let named = files.iter().filter_map(|file| Some((file.path.strip_prefix("assets/")?, file.asset(Keep::ForEver))));
    let assets: Arc<HashMap<_, _>> = Arc::new(named.collect());
    let asset = async move |Path(name): Path<String>, headers: HeaderMap| match assets.get(name.as_str()) {
        Some(asset) => bundle::guard(asset.answer(&headers).await),
        None => StatusCode::NOT_FOUND.into_response(),
    };
    PAGES.into_iter().fold(Router::new().route("/assets/{name}", get(asset)), |router, (path, name)| {
        let file = files.iter().find(|file| file.path == name);
        let page: Option<Arc<Asset>> = file.map(|file| Arc::new(file.asset(Keep::Revalidated)));
        let page = async move |State(app): State<Arc<App>>, headers: HeaderMap| match page {
            Some(page) => bundle::guard(page.answer(&headers).await),
            None => absent(&app.texts, &headers),
        };
        router.route(path, get(page))
    })
}

/// The caller's language.
fn language(headers: &HeaderMap) -> Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    wanted.map_or_else(Language::default, Language::negotiate)
}

/// The page of a server that was built without pages.
fn absent(texts: &Texts, headers: &HeaderMap) -> Response {
    let language = language(headers);
    let sentence = texts.render(&Message::new("page-absent"), language);
    let page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>Ludotheque</title><p>{sentence}</p>\n"
    );
    bundle::guard((StatusCode::NOT_IMPLEMENTED, Html(page)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    #[tokio::test]
    async fn a_page_that_was_not_built_says_in_one_sentence_what_to_install() {
        for (language, sentence) in [("en", "install Node.js"), ("fr", "installez Node.js")] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, language.parse().expect("a language"))]);
            let answer = absent(&Texts::new(crate::rules::catalog::BUILT_IN), &headers);
            assert_eq!(answer.status(), StatusCode::NOT_IMPLEMENTED);
            let page = to_bytes(answer.into_body(), 10_000).await.expect("a body");
            let page = String::from_utf8_lossy(&page).into_owned();
            assert!(page.contains(sentence) && page.contains(&format!("lang=\"{language}\"")), "{page}");
        }
    }
}
