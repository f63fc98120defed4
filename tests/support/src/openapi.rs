//! Every answer of REST against the OpenAPI document, in whichever test it is heard: its status, its media type and its body
//! must be as the operation says.

use jsonschema::Validator;
use ludotheque::rest;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

const PROBLEM: &str = "application/problem+json";

/// Where the operations for test automation are.
const DEV: &str = "/v1/dev/";

/// That of a server for test automation, which describes all that the others do, and more.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| rest::document_of(rest::DocumentProfile::Full, true));

/// Compiled schemas, by the place of the schema in the document.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// An answer, however it was got.
pub struct Heard<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub status: u16,
    pub headers: &'a HeaderMap,
    pub bytes: &'a [u8],
}

impl Heard<'_> {
    /// Method and path, for messages.
    fn asked(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    fn media_type(&self) -> &str {
        self.header("content-type").split(';').next().unwrap_or_default().trim()
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_slice(self.bytes).unwrap_or_else(|error| panic!("{}: {error}: {}", self.asked(), self.text()))
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }
}

/// Every path that all servers have, with its operations.
pub fn paths() -> impl Iterator<Item = (&'static str, &'static Value)> {
    all_paths().filter(|(path, _)| !path.starts_with(DEV))
}

/// The same with those of a server for test automation.
pub fn all_paths() -> impl Iterator<Item = (&'static str, &'static Value)> {
    DOCUMENT["paths"].as_object().expect("the document has paths").iter().map(|(path, item)| (path.as_str(), item))
}

/// The names of the fields that an operation's body may have.
pub fn fields(operation: &Value) -> Vec<&'static str> {
    let schema = operation["requestBody"]["content"]["application/json"]["schema"].to_string();
    // A body that may be left out is one of two schemas; the one with fields is what counts.
    let name = schema.split("#/components/schemas/").nth(1).and_then(|rest| rest.split('"').next());
    let fields = name.and_then(|name| DOCUMENT["components"]["schemas"][name]["properties"].as_object());
    fields.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// Panics unless the document promises such an answer.
#[track_caller]
pub fn check(answer: &Heard<'_>) {
    let (asked, path) = (&answer.asked(), answer.path);
    assert!(!answer.header("content-language").is_empty(), "{asked}: the answer names its language");
    assert!(!answer.header("x-request-id").is_empty(), "{asked}: the request has an id");
    // No server that strangers use has what helps test automation.
    if path.starts_with(DEV) && matches!(answer.status, 404 | 405) {
        return check_problem(answer);
    }
    let Some((template, item)) = item(path) else {
        assert_eq!(answer.status, 404, "{asked} is no path of the document");
        return check_problem(answer);
    };
    let method = if answer.method == "HEAD" { "get" } else { &answer.method.to_lowercase() };
    let Some(operation) = item.get(method) else {
        assert_eq!(answer.status, 405, "{asked} is no operation of the document");
        assert!(!answer.header("allow").is_empty(), "{asked}: the answer names the methods that there are");
        return check_problem(answer);
    };
    let response = &operation["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{asked} answered an undocumented {}: {}", answer.status, answer.text());
    if answer.method == "HEAD" {
        return;
    }
    match response.get("content") {
        None => assert!(answer.bytes.is_empty(), "{asked}: {} has no body", answer.status),
        Some(content) => {
            let media = answer.media_type();
            assert!(content.get(media).is_some(), "{asked} answered undocumented {media}: {}", answer.text());
            let place = ["paths", template, method, "responses", &answer.status.to_string(), "content", media];
            fits(&place, &answer.json(), asked);
        }
    }
    if answer.status >= 400 {
        check_problem(answer);
    }
}

/// One item of a stream of steps.
pub fn check_step(step: &Value) {
    let place = ["paths", "/v1/games/{id}/events", "get", "responses", "200", "content", "text/event-stream"];
    fits(&place, step, "a stream");
}

/// An example of a `request` or of an answer (`200`, `200 text/event-stream`), which must be in the document and fit it.
pub fn check_example(path: &str, method: &str, of: &str, example: &Value) {
    let (status, wanted) = of.split_once(' ').unwrap_or((of, ""));
    let place: &[&str] =
        if of == "request" { &[path, method, "requestBody"] } else { &[path, method, "responses", status] };
    let content = &place.iter().fold(&DOCUMENT["paths"], |value, name| &value[name])["content"];
    let mut forms = content.as_object().into_iter().flatten();
    let form = forms.find(|(media, _)| wanted.is_empty() || media.as_str() == wanted);
    let (media, body) = form.unwrap_or_else(|| panic!("{method} {path}: {of} has no body"));
    assert_eq!(&body["example"], example, "{method} {path}: the document shows the committed example");
    fits(&[&["paths"], place, &["content", media]].concat(), example, "the example");
}

/// Every body that an operation reads, and every one that it answers with if it succeeds, is shown by an example.
pub fn check_has_examples(name: &str, operation: &Value) {
    let answers = operation["responses"].as_object().into_iter().flatten();
    let successes = answers.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| response);
    for (media, body) in
        successes.chain([&operation["requestBody"]]).filter_map(|body| body["content"].as_object()).flatten()
    {
        assert!(
            body.get("example").is_some(),
            "{name} has an example in {media}: tests/service/api/examples.rs captures them"
        );
    }
}

/// A schema of one of the document's components.
pub fn check_component(name: &str, value: &Value) {
    validate(&format!("component {name}"), value, name, || json!({"$ref": format!("#/components/schemas/{name}")}));
}

#[track_caller]
fn check_problem(answer: &Heard<'_>) {
    let asked = answer.asked();
    assert_eq!(answer.media_type(), PROBLEM, "{asked}: {}", answer.text());
    if answer.method == "HEAD" {
        return;
    }
    let problem = answer.json();
    check_component("Problem", &problem);
    assert_eq!(problem["status"], answer.status, "{asked}");
    for text in ["title", "detail"] {
        let sentence = problem[text].as_str().unwrap_or_default();
        // A key without a text is shown as the key: lower case, with hyphens.
        assert!(sentence.contains(' '), "{asked}: {text} is a sentence, not {sentence:?}");
    }
}

/// The path item that the path belongs to: of several, the one with the fewest gaps.
fn item(path: &str) -> Option<(&'static str, &'static Value)> {
    let fitting = all_paths().filter(|(template, _)| {
        let (gaps, parts) = (template.split('/'), path.split('/'));
        gaps.clone().count() == parts.clone().count()
            && gaps.zip(parts).all(|(gap, part)| gap == part || (gap.starts_with('{') && !part.is_empty()))
    });
    fitting.min_by_key(|(template, _)| template.matches('{').count())
}

#[track_caller]
fn fits(place: &[&str], value: &Value, asked: &str) {
    let key = place.join(" ");
    let schema = || place.iter().fold(&*DOCUMENT, |value, name| &value[name])["schema"].clone();
    validate(&key, value, asked, schema);
}

#[track_caller]
fn validate(key: &str, value: &Value, asked: &str, schema: impl FnOnce() -> Value) {
    let validator = VALIDATORS.lock().expect("nobody panics holding it").get(key).cloned();
    let validator = validator.unwrap_or_else(|| {
        let whole = json!({"allOf": [schema()], "components": DOCUMENT["components"]});
        let options = jsonschema::draft202012::options().should_validate_formats(true);
        let validator = Arc::new(options.build(&whole).expect("the document's schemas are valid"));
        VALIDATORS.lock().expect("nobody panics holding it").insert(key.to_owned(), Arc::clone(&validator));
        validator
    });
    let errors: Vec<_> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{asked} does not fit its schema: {errors:#?}\n{value:#}");
}
