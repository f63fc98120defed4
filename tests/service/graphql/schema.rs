//! The schema as a front-end developer reads it: everything described, named as is the custom, nothing missing.

use crate::everything::{Types, list, named, text};
use ludotheque::codes::Code;
use ludotheque::rules::catalog;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use test_support::Server;
use test_support::graphql::ask;

/// Each operation of REST, and what does the same here.
const COUNTERPARTS: &[(&str, &[&str])] = &[
    ("create_player", &["Mutation.createPlayer"]),
    ("get_player", &["Query.me"]),
    ("update_player", &["Mutation.updatePlayer"]),
    ("delete_player", &["Mutation.deletePlayer"]),
    ("create_token", &["Mutation.signIn", "Mutation.refreshTokens"]),
    ("delete_token", &["Mutation.signOut"]),
    ("list_kinds", &["Query.kinds"]),
    ("get_kind", &["Query.kind"]),
    ("create_game", &["Mutation.createGame"]),
    ("list_games", &["Query.games"]),
    ("get_game", &["Query.game"]),
    ("update_game", &["Mutation.updateGame"]),
    ("get_replay", &["Query.replay"]),
    ("create_rematch", &["Mutation.createRematch"]),
    ("create_seat", &["Mutation.sitDown"]),
    ("leave_seat", &["Mutation.standUp"]),
    ("choose_setup", &["Mutation.chooseSetup"]),
    ("delete_seat", &["Mutation.removePlayer"]),
    ("start_game", &["Mutation.startGame"]),
    ("accept_invite", &["Mutation.acceptInvite"]),
    ("list_legal_moves", &["Query.legalMoves"]),
    ("play_move", &["Mutation.playMove"]),
    ("preview_moves", &["Query.preview"]),
    ("make_aside", &["Mutation.makeAside"]),
    ("resign_game", &["Mutation.resignGame"]),
    ("call_timeouts", &["Mutation.callTimeouts"]),
    ("list_events", &["Query.events", "Subscription.gameEvents"]),
];

/// What is about the server and not about games.
const OF_THE_SERVICE: &[&str] = &["/livez", "/readyz", "/openapi.json", "/.well-known/jwks.json"];

#[tokio::test]
async fn every_operation_of_rest_has_its_counterpart() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let document = ludotheque::rest::document();
    let mut known = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("operations").values() {
            let id = text(&operation["operationId"]);
            if OF_THE_SERVICE.contains(&path.as_str()) {
                continue;
            }
            let counterpart = COUNTERPARTS.iter().find(|(rest, _)| *rest == id);
            let (_, ours) = counterpart.unwrap_or_else(|| panic!("{id} of REST can't be done through GraphQL"));
            for (root, field) in ours.iter().map(|name| name.split_once('.').expect("a root and a field")) {
                assert!(list(&types.get(root)["fields"]).any(|one| one["name"] == field), "{root}.{field} for {id}");
            }
            known.insert(id);
        }
    }
    assert_eq!(known.len(), COUNTERPARTS.len(), "a counterpart of nothing");
}

#[tokio::test]
async fn nothing_is_undescribed() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let mut silent = Vec::new();
    for (name, ty) in types.ours() {
        let mut check = |path: String, described: &Value| {
            if described["description"].as_str().unwrap_or_default().trim().is_empty() {
                silent.push(path);
            }
        };
        check(name.clone(), ty);
        for part in ["fields", "inputFields", "enumValues"] {
            for item in list(&ty[part]) {
                let path = format!("{name}.{}", text(&item["name"]));
                check(path.clone(), item);
                list(&item["args"]).for_each(|arg| check(format!("{path}({})", text(&arg["name"])), arg));
            }
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

#[tokio::test]
async fn names_follow_the_custom() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let is_pascal = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('_');
    let is_camel = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.contains('_');
    let is_loud = |name: &str| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    for (name, ty) in types.ours() {
        assert!(is_pascal(name), "{name}");
        assert!(ty["kind"] != "INPUT_OBJECT" || name.ends_with("Input"), "{name} is an input");
        for part in ["fields", "inputFields"] {
            list(&ty[part]).for_each(|field| assert!(is_camel(&text(&field["name"])), "{name}.{}", field["name"]));
        }
        list(&ty["enumValues"]).for_each(|value| assert!(is_loud(&text(&value["name"])), "{name}.{}", value["name"]));
    }
    for field in list(&types.get("Mutation")["fields"]) {
        let name = text(&field["name"]);
        let upper = name[..1].to_uppercase() + &name[1..];
        assert_eq!(named(&field["type"]), format!("{upper}Payload"));
        assert_ne!(field["type"]["kind"], "NON_NULL", "{name}: one that fails leaves the others be");
        for arg in list(&field["args"]) {
            assert_eq!((text(&arg["name"]), named(&arg["type"])), ("input".to_owned(), format!("{upper}Input")));
        }
        let errors = list(&types.get(&format!("{upper}Payload"))["fields"]).any(|one| one["name"] == "userErrors");
        assert!(errors, "{name} says why not");
    }
}

#[tokio::test]
async fn codes_and_kinds_are_the_closed_lists_of_the_service() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let values =
        |name: &str| list(&types.get(name)["enumValues"]).map(|value| text(&value["name"])).collect::<BTreeSet<_>>();
    assert_eq!(values("Code"), Code::ALL.iter().map(|code| code.name()).collect());
    let kinds: BTreeSet<_> = catalog::BUILT_IN.all().map(|rules| rules.info().kind.to_owned()).collect();
    assert_eq!(values("KindId"), kinds, "add the kind in src/graphql/kinds");
}

#[tokio::test]
async fn kinds_are_described_as_rest_describes_them() {
    let server = Server::start().await;
    let query = "{ kinds { id name summary seats { least most } minutes { least most } hidden simultaneous rulesVersion botLevels
        schemas { options view move event effect choice aside } glossary { term name } } }";
    let kinds = ask(&server.anybody(), query, json!({})).await["kinds"].clone();
    for kind in list(&kinds) {
        let due = server.anybody().get(&format!("/v1/kinds/{}", text(&kind["id"]))).await.ok();
        let mut ours = kind.clone();
        ours["kind"] = ours["id"].take();
        ours.as_object_mut().expect("a kind").remove("id");
        let terms = list(&kind["glossary"]).map(|entry| (text(&entry["term"]), entry["name"].clone()));
        ours["glossary"] = Value::Object(terms.collect());
        assert_eq!(ours, due);
    }
    assert_eq!(list(&kinds).count(), catalog::BUILT_IN.newest_of_all().count());
}
