//! A page about each problem: where the `type` of a problem leads (RFC 9457, section 3.1.1). Made from the closed list of
//! codes and its texts, so that no code is without one.

use super::bundle;
use crate::app::App;
use crate::codes::Code;
use crate::rules::Message;
use crate::texts::{Language, Texts};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

pub fn router() -> Router<Arc<App>> {
    Router::new().route("/problems", get(list_problems)).route("/problems/{name}", get(get_problem))
}

async fn list_problems(State(app): State<Arc<App>>, asked: HeaderMap) -> Response {
    let language = super::language(&asked);
    let items = Code::ALL.iter().map(|code| {
        let title = escape(&text(&app.texts, &format!("error-{}", code.kebab()), language));
        format!("<li><a href=\"/problems/{}\"><code>{}</code></a> – {title}</li>", code.kebab(), code.name())
    });
    page(&app.texts, language, "page-problems", &format!("<ul>{}</ul>", items.collect::<String>()))
}

async fn get_problem(State(app): State<Arc<App>>, Path(name): Path<String>, asked: HeaderMap) -> Response {
    let Some(code) = Code::ALL.iter().find(|code| code.kebab() == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let language = super::language(&asked);
    let detail = escape(&text(&app.texts, &format!("error-{name}-detail"), language));
    let all = escape(&text(&app.texts, "page-problems", language));
    let body = format!(
        "<p><code>{}</code> · HTTP {}</p><p>{detail}</p><p><a href=\"/problems\">{all}</a> · <a href=\"/docs\">API</a></p>",
        code.name(),
        code.status()
    );
    page(&app.texts, language, &format!("error-{name}"), &body)
}

/// A page with a title and a body, which is HTML.
fn page(texts: &Texts, language: Language, title: &str, body: &str) -> Response {
    let title = escape(&text(texts, title, language));
    let style = "body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}";
    let page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title} – Ludotheque</title>\
         <style>:root{{color-scheme:light dark}}{style}</style><main><h1>{title}</h1>{body}</main>\n"
    );
    bundle::guard(Html(page).into_response())
}

fn text(texts: &Texts, key: &str, language: Language) -> String {
    texts.render(&Message::new(key.to_owned()), language)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
