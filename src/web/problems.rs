//! Pages about problems: the `type` of each problem is the address of one (RFC 9457, section 3.1.1). They are generated
//! from the list of codes and its texts, so that every code has a page.

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

/// The style sheet and the icon that the pages from `web/` have too.
const STYLE: &str = include_str!("../../web/src/shared/frame.css");
const ICON: &str = include_str!("../../web/src/shared/icon.svg");
/// The styles of these pages alone.
const OWN_STYLE: &str = "svg{width:26px;height:26px}main{max-width:48rem;margin:32px auto;padding:0 20px}\
    h1{font-size:26px;line-height:1.25}table{border-collapse:collapse;width:100%}\
    td{padding:7px 14px 7px 0;border-bottom:1px solid var(--line);vertical-align:top}\
    code{font:13px var(--mono)}.faint{color:var(--faint)}";

/// The navigation in the head of every page.
const PAGES: [(&str, &str); 3] =
    [("/playground", "page-playground"), ("/docs", "page-reference"), ("/docs/kinds", "page-kinds")];

pub fn router() -> Router<Arc<App>> {
    Router::new().route("/problems", get(list_problems)).route("/problems/{name}", get(get_problem))
}

async fn list_problems(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let language = super::language(&headers);
    let items = Code::ALL.iter().map(|code| {
        let title = escape(&text(&app.texts, &format!("error-{}", code.kebab()), language));
        let (path, name, status) = (code.kebab(), code.name(), code.status());
        format!(
            "<tr><td><a href=\"/problems/{path}\"><code>{name}</code></a></td><td class=\"faint\">{status}</td>\
             <td>{title}</td></tr>"
        )
    });
    let about = escape(&text(&app.texts, "page-problems-about", language));
    let table = format!("<p class=\"faint\">{about}</p><table>{}</table>", items.collect::<String>());
    page(&app.texts, language, "page-problems", &table)
}

async fn get_problem(State(app): State<Arc<App>>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(code) = Code::ALL.iter().find(|code| code.kebab() == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let language = super::language(&headers);
    let detail = escape(&text(&app.texts, &format!("error-{name}-detail"), language));
    let all = escape(&text(&app.texts, "page-problems", language));
    let body = format!(
        "<p class=\"faint\"><code>{}</code> · HTTP {}</p><p>{detail}</p><p><a href=\"/problems\">{all}</a></p>",
        code.name(),
        code.status()
    );
    page(&app.texts, language, &format!("error-{name}"), &body)
}

/// A page with a title and an HTML body.
fn page(texts: &Texts, language: Language, title: &str, body: &str) -> Response {
    let title = escape(&text(texts, title, language));
    let links = PAGES.map(|(path, name)| format!("<a href=\"{path}\">{}</a>", escape(&text(texts, name, language))));
    let page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title} – Ludotheque</title>\
         <style>{STYLE}{OWN_STYLE}</style>\
         <header class=\"head\"><a class=\"brand\" href=\"/playground\">{ICON}Ludotheque</a><nav>{}</nav></header>\
         <main><h1>{title}</h1>{body}</main>\n",
        links.concat()
    );
    bundle::guard(Html(page).into_response())
}

fn text(texts: &Texts, key: &str, language: Language) -> String {
    texts.render(&Message::new(key.to_owned()), language)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
