//! Documents by their hash: automatically persisted, or from the operator's allow-list.

use ludotheque::auth::sha256;
use ludotheque::graphql::{self, AllowList};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use test_support::Server;

const KINDS: &str = "query Kinds { kinds { id } }";

fn hash(document: &str) -> String {
    sha256(document.as_bytes()).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn persisted(hash: &str) -> Value {
    json!({"persistedQuery": {"version": 1, "sha256Hash": hash}})
}

#[tokio::test]
async fn a_document_is_sent_once_and_then_known_by_its_hash() {
    let server = Server::as_shipped().await;
    let anybody = server.anybody();
    let by_hash = json!({"extensions": persisted(&hash(KINDS))});
    let unknown = anybody.asks_json(&by_hash).await;
    assert_eq!(unknown.refusal(), (200, "PERSISTED_QUERY_NOT_FOUND".to_owned()));
    assert_eq!(unknown.json()["errors"][0]["message"], "PersistedQueryNotFound");
    assert_eq!(anybody.asks(&by_hash).await.refusal().0, 400);
    let with_document = json!({"query": KINDS, "extensions": persisted(&hash(KINDS))});
    assert_eq!(anybody.asks(&with_document).await.data()["kinds"][0]["id"], "CHIPS");
    assert_eq!(anybody.asks(&by_hash).await.data()["kinds"][0]["id"], "CHIPS");
    let upper_case = json!({"extensions": persisted(&hash(KINDS).to_uppercase())});
    assert_eq!(anybody.asks(&upper_case).await.data()["kinds"][0]["id"], "CHIPS");
}

#[tokio::test]
async fn get_knows_hashes_too() {
    let server = Server::as_shipped().await;
    let extensions = persisted(&hash(KINDS)).to_string();
    let get = async |params: &[(&str, &str)]| server.anybody().graphql_get(params).await;
    assert_eq!(get(&[("extensions", &extensions)]).await.refusal().1, "PERSISTED_QUERY_NOT_FOUND");
    assert_eq!(get(&[("query", KINDS), ("extensions", &extensions)]).await.data()["kinds"][0]["id"], "CHIPS");
    assert_eq!(get(&[("extensions", &extensions)]).await.data()["kinds"][0]["id"], "CHIPS");
}

#[tokio::test]
async fn a_socket_knows_what_http_remembered() {
    let server = Server::as_shipped().await;
    server.anybody().asks(&json!({"query": KINDS, "extensions": persisted(&hash(KINDS))})).await.data();
    let mut socket = server.socket(&server.anybody()).await;
    let by_hash = json!({"extensions": persisted(&hash(KINDS))});
    socket.says(json!({"type": "subscribe", "id": "a", "payload": by_hash})).await;
    assert_eq!(socket.hears_next("a").await["kinds"][0]["id"], "CHIPS");
}

#[tokio::test]
async fn a_hash_of_something_else_is_refused_and_nothing_is_remembered() {
    let server = Server::as_shipped().await;
    let wrong = hash("{ me { id } }");
    let mismatch = server.anybody().asks(&json!({"query": KINDS, "extensions": persisted(&wrong)})).await;
    assert_eq!(mismatch.refusal(), (400, "PERSISTED_QUERY_MISMATCH".to_owned()));
    let unknown = server.anybody().asks(&json!({"extensions": persisted(&wrong)})).await;
    assert_eq!(unknown.refusal().1, "PERSISTED_QUERY_NOT_FOUND");
    for extensions in
        [persisted("abc"), json!({"persistedQuery": {"version": 2, "sha256Hash": wrong}}), json!({"persistedQuery": 7})]
    {
        let refused = server.anybody().asks(&json!({"query": KINDS, "extensions": extensions})).await;
        assert_eq!(refused.refusal(), (400, "MALFORMED".to_owned()), "{extensions}");
    }
}

#[tokio::test]
async fn a_hostile_document_is_not_remembered() {
    let server = Server::as_shipped().await;
    let bomb = test_support::graphql::fragments(30, 2);
    let refused = server.anybody().asks(&json!({"query": bomb, "extensions": persisted(&hash(&bomb))})).await;
    assert_eq!(refused.refusal().1, "LIMIT_EXCEEDED");
    let unknown = server.anybody().asks(&json!({"extensions": persisted(&hash(&bomb))})).await;
    assert_eq!(unknown.refusal().1, "PERSISTED_QUERY_NOT_FOUND");
}

async fn with_listed(path: &Path) -> Server {
    let documents = Some(AllowList::read(path).unwrap());
    Server::with_graphql(graphql::Settings { documents, ..graphql::Settings::default() }).await
}

#[tokio::test]
async fn where_documents_are_listed_no_other_is_carried_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("documents.json");
    fs::write(&file, json!({hash(KINDS): KINDS}).to_string()).unwrap();
    fs::write(folder.path().join("kinds.graphql"), KINDS).unwrap();
    for path in [file.as_path(), folder.path()] {
        let server = with_listed(path).await;
        let anybody = server.anybody();
        let listed = [json!({"query": KINDS}), json!({"extensions": persisted(&hash(KINDS))})];
        for body in &listed {
            assert_eq!(anybody.asks(body).await.data()["kinds"][0]["id"], "CHIPS");
        }
        let other = "{ kinds { id } }";
        let refused = anybody.asks(&json!({"query": other})).await;
        assert_eq!(refused.refusal(), (403, "DOCUMENT_NOT_LISTED".to_owned()));
        let refused = anybody.asks(&json!({"query": other, "extensions": persisted(&hash(other))})).await;
        assert_eq!(refused.refusal(), (403, "DOCUMENT_NOT_LISTED".to_owned()), "and none can be added");
        let refused = anybody.asks(&json!({"extensions": persisted(&hash(other))})).await;
        assert_eq!(refused.refusal().1, "PERSISTED_QUERY_NOT_FOUND");
        let mut socket = server.socket(&anybody).await;
        socket.subscribes("a", other).await;
        assert_eq!(socket.hears_error("a").await[0]["extensions"]["code"], "DOCUMENT_NOT_LISTED");
    }
}

#[test]
fn a_list_that_can_not_be_meant_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("documents.json");
    let trouble = |text: &str| {
        fs::write(&file, text).unwrap();
        AllowList::read(&file).unwrap_err().to_string()
    };
    assert!(trouble(&json!({hash("x"): KINDS}).to_string()).contains("is not the SHA-256"));
    assert!(trouble("[]").contains("not a JSON object"));
    assert!(trouble("{}").contains("no document"));
    assert!(
        AllowList::read(folder.path()).unwrap_err().to_string().contains("no document"),
        "no file ends in .graphql"
    );
    assert!(AllowList::read(&folder.path().join("nowhere")).unwrap_err().to_string().contains("can't be read"));
}

#[tokio::test]
async fn a_document_that_came_before_is_answered_the_same_and_judged_anew_with_other_variables() {
    let server = Server::as_shipped().await;
    let anybody = server.anybody();
    let ask = async |variables: Value| {
        let document = "query Look($id: ID!) { game(id: $id) { id } kinds { id name } }";
        anybody.asks(&json!({"query": document, "variables": variables})).await
    };
    let bad = [json!({"id": {}}), json!({"id": [1]}), json!({"id": null}), json!({})];
    let mut judged = Vec::new();
    for variables in &bad {
        judged.push(ask(variables.clone()).await);
    }
    assert_eq!(judged[0].refusal(), (400, "GRAPHQL_VALIDATION_FAILED".to_owned()));
    let nobodys = json!({"id": "game_00000000000000000000000000000000"});
    let first = ask(nobodys.clone()).await;
    assert_eq!(first.data()["game"], Value::Null);
    for (variables, judged) in bad.iter().zip(&judged) {
        let again = ask(variables.clone()).await;
        assert_eq!((again.status, again.json()), (judged.status, judged.json()), "{variables}");
        assert_eq!(ask(nobodys.clone()).await.json(), first.json());
    }
}
