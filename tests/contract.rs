//! The committed description of the API is the one the code gives, and says all that it should.
//!
//! That the server's answers are as described is checked where answers are: every test of `tests/api` holds every
//! answer to this document (`tests/openapi`).

use ludotheque::quota::prices::PRICES;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Every operation: method, path, and what the document says of it.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("operations");
        methods.iter().map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
    });
    operations.collect()
}

/// A committed file; nothing, if there is none.
fn committed(path: &str) -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(file).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn the_committed_document_is_the_one_the_code_gives() {
    let committed = committed("openapi/openapi.json");
    let due = serde_json::to_string_pretty(&ludotheque::rest::document()).expect("JSON") + "\n";
    assert!(
        committed == due,
        "openapi/openapi.json is not what the code describes; \
         `cargo run -- schema openapi > openapi/openapi.json` writes it anew"
    );
}

#[test]
fn the_committed_schema_is_the_one_the_code_gives() {
    assert!(
        committed("schema/schema.graphql") == ludotheque::graphql::sdl(),
        "schema/schema.graphql is not what the code gives; \
         `cargo run -- schema graphql > schema/schema.graphql` writes it anew"
    );
}

#[test]
fn every_operation_has_a_name_of_its_own_a_summary_and_a_tag() {
    let document = ludotheque::rest::document();
    let mut names = BTreeSet::new();
    for (operation, of) in operations(&document) {
        let name = text(&of["operationId"]);
        assert!(name.contains('_') && names.insert(name.to_owned()), "{operation} reads verb_noun, once: {name:?}");
        assert!(!text(&of["summary"]).is_empty(), "{operation} has a summary");
        assert_eq!(of["tags"].as_array().map(Vec::len), Some(1), "{operation} has a tag");
    }
}

#[test]
fn every_operation_says_how_it_succeeds_and_how_it_refuses() {
    let document = ludotheque::rest::document();
    for (operation, of) in operations(&document) {
        let responses = of["responses"].as_object().expect("responses");
        assert!(responses.keys().any(|status| status.starts_with('2')), "{operation} can succeed");
        for (status, response) in responses {
            assert!(!text(&response["description"]).is_empty(), "{operation} says what {status} means");
            if status.starts_with(['4', '5']) {
                let schema = &response["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/Problem", "{operation}: {status} is a problem");
            }
        }
        let has = |status: &str| responses.contains_key(status);
        if operation.contains("/v1/") {
            assert!(has("503"), "{operation} may be unavailable");
        }
        if operation.contains("{id}") {
            assert!(has("404"), "{operation} may find nothing");
        }
        if of["security"].as_array().is_some_and(|ways| ways.iter().any(|way| way.get("bearer").is_some())) {
            assert!(has("401"), "{operation} looks at the token");
        }
        if of.get("requestBody").is_some() {
            assert!(["400", "413", "415"].iter().all(|status| has(status)), "{operation} reads a body");
        }
    }
}

#[test]
fn every_request_body_has_an_example_that_fits() {
    let document = ludotheque::rest::document();
    let mut bodies = 0;
    for (operation, of) in operations(&document).iter().filter(|(_, of)| of.get("requestBody").is_some()) {
        let schema = of["requestBody"]["content"]["application/json"]["schema"].to_string();
        let name = schema.split("#/components/schemas/").nth(1).and_then(|rest| rest.split('"').next());
        let schema = &document["components"]["schemas"][name.expect("a component")];
        let whole = serde_json::json!({"allOf": [schema], "components": document["components"]});
        let validator = jsonschema::draft202012::new(&whole).expect("a schema");
        let examples = schema["examples"].as_array().expect("examples");
        assert!(!examples.is_empty() && examples.iter().all(|example| validator.is_valid(example)), "{operation}");
        bodies += 1;
    }
    assert!(bodies >= 8);
}

#[test]
fn every_reference_leads_to_a_component_and_every_component_is_led_to() {
    let document = ludotheque::rest::document();
    let text = document.to_string();
    let references = text.split("\"#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
    let components = document["components"]["schemas"].as_object().expect("schemas").keys().map(String::as_str);
    assert_eq!(references.collect::<BTreeSet<_>>(), components.collect());
}

#[test]
fn the_codes_of_problems_are_a_closed_list() {
    let document = ludotheque::rest::document();
    let described = document["components"]["schemas"]["Code"].to_string();
    for code in ludotheque::codes::Code::ALL {
        let name = serde_json::to_string(code).expect("a text");
        assert!(described.contains(&name), "{name} is described");
    }
}

#[test]
fn every_operation_of_both_faces_has_a_price_and_no_price_is_of_nothing() {
    let document = ludotheque::rest::document();
    // What is the operator's is in no description.
    let routes = operations(&document).into_iter().map(|(operation, _)| operation).chain(["GET /metrics".to_owned()]);
    let fields = root_fields(&ludotheque::graphql::sdl());
    let introspection = ["__schema", "__type", "__typename"].map(str::to_owned);
    let priced = |part: fn(&(&'static str, &'static str, u32)) -> &'static str| {
        PRICES.iter().map(part).filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (rest, graphql) = (priced(|row| row.0), priced(|row| row.1));
    assert_eq!(rest.iter().cloned().collect::<BTreeSet<_>>(), routes.collect());
    assert_eq!(graphql.iter().cloned().collect::<BTreeSet<_>>(), fields.into_iter().chain(introspection).collect());
    let (once, all) = (rest.iter().chain(&graphql).collect::<BTreeSet<_>>().len(), rest.len() + graphql.len());
    assert_eq!(once, all, "each of them once");
}

/// The fields of the roots, as the schema definition language has them.
fn root_fields(sdl: &str) -> BTreeSet<String> {
    let roots = ["Query", "Mutation", "Subscription"].map(|root| format!("type {root} {{"));
    let mut fields = BTreeSet::new();
    let mut within = false;
    for line in sdl.lines() {
        within = if within { line != "}" } else { roots.contains(&line.to_owned()) };
        let name = line.strip_prefix("  ").and_then(|rest| rest.split(['(', ':']).next());
        let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !name.is_empty();
        fields.extend(name.filter(|_| within).filter(is_name).map(str::to_owned));
    }
    fields
}

/// OpenAPI allows any value there; OpenAPI Generator takes an expression only, and refuses the whole document.
#[test]
fn no_link_has_an_object_as_its_request_body() {
    let document = ludotheque::rest::document();
    for (operation, of) in operations(&document) {
        let links =
            of["responses"].as_object().into_iter().flatten().filter_map(|(_, response)| response["links"].as_object());
        for (name, link) in links.flatten() {
            assert!(link["requestBody"].is_null() || link["requestBody"].is_string(), "{operation}: {name}");
            assert!(link["parameters"].is_object(), "{operation}: {name} leads somewhere");
        }
    }
}
