//! The committed description of the API is the one the code gives, and says all that it should.
//!
//! That the server's answers are as described is checked where answers are: every test of `tests/service/api` holds every
//! answer to this document (`test_support::openapi`).

use ludotheque::games::schema::pascal;
use ludotheque::quota::prices::PRICES;
use ludotheque::rest::{DocumentProfile, document_of};
use ludotheque::rules::catalog;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
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

/// The document in both profiles, with all that a server may have.
fn both_profiles() -> [Value; 2] {
    [DocumentProfile::Full, DocumentProfile::Plain].map(|profile| document_of(profile, true))
}

/// A component by a reference to it.
fn component<'a>(document: &'a Value, reference: &Value) -> (String, &'a Value) {
    let name = text(reference).rsplit('/').next().unwrap_or_default();
    (name.to_owned(), &document["components"]["schemas"][name])
}

/// Calls a function with every object in the document that is no example, and where it is.
fn every_object(part: &Value, place: &str, look: &mut dyn FnMut(&str, &serde_json::Map<String, Value>)) {
    match part {
        Value::Object(fields) => {
            look(place, fields);
            for (name, value) in fields.iter().filter(|(name, _)| !["example", "examples"].contains(&name.as_str())) {
                every_object(value, &format!("{place}/{name}"), look);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| every_object(item, &format!("{place}/{index}"), look));
        }
        _ => {}
    }
}

#[test]
fn the_committed_documents_are_those_the_code_gives() {
    for (file, profile, face) in [
        ("openapi/openapi.json", DocumentProfile::Full, "openapi"),
        ("openapi/plain.json", DocumentProfile::Plain, "openapi-plain"),
    ] {
        let due = serde_json::to_string_pretty(&document_of(profile, false)).expect("JSON") + "\n";
        assert!(
            committed(file) == due,
            "{file} is not what the code describes; `cargo run -- schema {face} > {file}` writes it again"
        );
    }
}

#[test]
fn every_branch_of_a_union_is_a_component_with_its_name_as_its_title() {
    for document in both_profiles() {
        every_object(&document, "", &mut |place, fields| {
            for branches in ["oneOf", "anyOf"].iter().filter_map(|union| fields.get(*union)?.as_array()) {
                assert!(branches.len() > 1, "{place}: a choice of one is none");
                let (nulls, named): (Vec<_>, Vec<_>) = branches.iter().partition(|branch| branch["$ref"].is_null());
                assert!(
                    nulls.iter().all(|branch| **branch == json!({"type": "null"})),
                    "{place}: {nulls:?} has no name"
                );
                assert!(nulls.is_empty() || named.len() == 1, "{place}: what may be null is one component");
                for branch in named {
                    let (name, schema) = component(&document, &branch["$ref"]);
                    assert_eq!(schema["title"], name, "{place}");
                }
            }
        });
    }
}

#[test]
fn a_tag_tells_the_branches_of_a_union_apart() {
    let document = document_of(DocumentProfile::Full, true);
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let mut unions = 0;
    let tag_of = |branch: &Value, tag: &str| {
        let (name, schema) = component(&document, &branch["$ref"]);
        let value = text(&schema["properties"][tag]["const"]).to_owned();
        let is_required = schema["required"].as_array().is_some_and(|required| required.iter().any(|one| one == tag));
        assert!(!value.is_empty(), "{name} has a `{tag}`");
        (value, is_required)
    };
    for (name, schema) in schemas.iter().filter(|(_, schema)| schema["oneOf"].is_array()) {
        let branches = schema["oneOf"].as_array().expect("branches");
        let tags: BTreeMap<_, _> = branches.iter().map(|branch| tag_of(branch, "type")).collect();
        assert_eq!(tags.len(), branches.len(), "{name}: each tag once");
        assert!(tags.values().all(|is_required| *is_required), "{name}: tags are always there");
        unions += 1;
    }
    assert!(unions >= 8, "moves and events of every kind, actions, events of the table");
    for (name, is_answer) in [("GameView", true), ("GameOptions", false)] {
        let branches = schemas[name]["anyOf"].as_array().expect("branches");
        let tags: BTreeMap<_, _> = branches.iter().map(|branch| tag_of(branch, "kind")).collect();
        assert_eq!(tags.len(), branches.len(), "{name}: each kind once");
        assert!(tags.values().all(|is_required| *is_required == is_answer), "{name}");
    }
}

/// Each of these broke generators of clients: docs/clients.md names them.
#[test]
fn nothing_is_said_in_words_that_generators_stumble_over() {
    for document in both_profiles() {
        every_object(&document, "", &mut |place, fields| {
            assert_ne!(fields.get("default"), Some(&Value::Null), "{place}: a default of null");
            assert!(!fields.contains_key("x-graphql"), "{place}: an annotation of ours");
            let choices = fields.get("oneOf").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            assert!(choices.iter().all(|choice| choice["const"].is_null()), "{place}: an enum is an `enum`");
        });
        for (operation, of) in operations(&document) {
            for parameter in of["parameters"].as_array().into_iter().flatten() {
                let schema = parameter["schema"].to_string();
                assert!(!schema.contains("\"null\""), "{operation}: {} is never null", parameter["name"]);
            }
        }
    }
}

#[test]
fn every_field_of_a_component_has_a_type() {
    let mut document = document_of(DocumentProfile::Full, true);
    // These are JSON Schemas, which may be anything.
    document["components"]["schemas"].as_object_mut().expect("schemas").remove("Schemas");
    every_object(&document["components"]["schemas"], "", &mut |place, fields| {
        for (name, schema) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let says = ["$ref", "type", "anyOf", "const", "not"].iter().any(|word| schema.get(word).is_some());
            assert!(says, "{place}: {name} may be anything");
        }
    });
}

#[test]
fn every_operation_has_examples_which_fit() {
    for document in both_profiles() {
        for (operation, of) in operations(&document) {
            let answers = of["responses"].as_object().expect("responses");
            for (what, body) in answers.iter().chain([(&"request".to_owned(), &of["requestBody"])]) {
                for (media, content) in body["content"].as_object().into_iter().flatten() {
                    let example = content.get("example");
                    assert!(example.is_some() || what.starts_with(['3', '4', '5']), "{operation}: {what} {media}");
                    let whole = json!({"allOf": [content["schema"]], "components": document["components"]});
                    let validator = jsonschema::draft202012::new(&whole).expect("a schema");
                    let fits = example.is_none_or(|example| validator.is_valid(example));
                    assert!(fits, "{operation}: the example of {what} does not fit its schema");
                }
            }
        }
    }
}

#[test]
fn only_a_server_for_test_automation_describes_its_operations() {
    let names = |dev: bool| -> BTreeSet<_> {
        operations(&document_of(DocumentProfile::Full, dev)).into_iter().map(|(operation, _)| operation).collect()
    };
    let more: Vec<_> = names(true).difference(&names(false)).cloned().collect();
    assert_eq!(more, ["GET /v1/dev/clock", "PATCH /v1/dev/clock", "POST /v1/dev/games"]);
    assert!(names(false).is_subset(&names(true)));
}

#[test]
fn the_plain_profile_has_the_same_operations_and_no_component_of_a_kind() {
    let [full, plain] = both_profiles();
    let names = |document: &Value| operations(document).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names(&full), names(&plain));
    let components = plain["components"]["schemas"].as_object().expect("schemas").keys();
    let kinds: Vec<_> = catalog::BUILT_IN.newest_of_all().map(|rules| pascal(rules.info().slug)).collect();
    let of_kinds: Vec<_> = components.filter(|name| kinds.iter().any(|kind| name.starts_with(kind.as_str()))).collect();
    assert!(of_kinds.is_empty(), "{of_kinds:?}");
    assert_eq!(plain["components"]["schemas"]["GameView"]["additionalProperties"], true);
    let schemas = plain["components"]["schemas"].as_object().expect("schemas");
    let unions: Vec<_> = schemas.iter().filter(|(_, schema)| schema["oneOf"].is_array()).collect();
    assert!(unions.is_empty(), "{unions:?}");
}

#[test]
fn the_committed_schema_is_the_one_the_code_gives() {
    assert!(
        committed("schema/schema.graphql") == ludotheque::graphql::sdl(),
        "schema/schema.graphql is not what the code gives; \
         `cargo run -- schema graphql > schema/schema.graphql` rewrites it"
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
    for document in [ludotheque::rest::document(), document_of(DocumentProfile::Plain, false)] {
        let text = document.to_string();
        let references = text.split("\"#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
        let components = document["components"]["schemas"].as_object().expect("schemas").keys().map(String::as_str);
        assert_eq!(references.collect::<BTreeSet<_>>(), components.collect());
    }
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
