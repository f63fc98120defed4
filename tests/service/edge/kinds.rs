//! Offering only some kinds.

use ludotheque::clock::SystemClock;
use ludotheque::games::step::Visibility;
use ludotheque::games::{Call, GameError, Games, NewGame, RejectedStep};
use ludotheque::ids::PlayerId;
use ludotheque::live::LocalNotifier;
use ludotheque::quota::Client;
use ludotheque::rules::catalog::Offer;
use ludotheque::store::sled::{Settings, SledStore};
use serde_json::json;
use std::sync::Arc;
use test_support::{folder, ludotheque};

fn call(by: PlayerId) -> Call {
    Call { by, key: None, address: None }
}

fn chips() -> NewGame {
    NewGame {
        kind: "CHIPS".into(),
        options: json!({}),
        seats: Some(2),
        visibility: Visibility::Public,
        sit: true,
        seed: None,
    }
}

#[tokio::test]
async fn a_kind_that_is_not_offered_is_not_listed_nor_begun_but_its_games_go_on() {
    let data = folder();
    let store = SledStore::open(&data.path().join("store"), &Settings::default()).unwrap();
    let games = |offer| Games::new(store.clone(), Arc::new(LocalNotifier::default()), Arc::new(SystemClock), offer);
    let (ada, bob) = (PlayerId::new(), PlayerId::new());
    let game = games(Offer::default()).create(&call(ada), chips(), &Client::default()).await.unwrap().game.id;

    let games = games(Offer::default().only([]));
    assert_eq!(games.offer.newest_of_all().count(), 0);
    assert!(games.offer.newest("CHIPS").is_none());
    assert!(matches!(games.create(&call(ada), chips(), &Client::default()).await, Err(GameError::NoSuchKind { .. })));
    assert!(games.sit(game, &call(bob), None).await.is_ok());
    assert!(games.start(game, &call(ada), None).await.is_ok());
    assert!(games.resign(game, &call(bob)).await.is_ok());
    assert!(
        matches!(
            games.rematch(game, &Call { by: ada, key: None, address: None }, &Client::default(), &[]).await,
            Err(RejectedStep { error: GameError::NoSuchKind { .. }, .. })
        ),
        "a rematch is a new game"
    );
}

#[tokio::test]
async fn what_is_offered_is_listed_and_can_be_begun() {
    let data = folder();
    let server = test_support::Program::start(data.path(), &["--kinds", "CHIPS"]);
    let kinds: serde_json::Value = server.get("/v1/kinds").await.json();
    let kinds: Vec<_> = kinds["items"].as_array().unwrap().iter().map(|kind| kind["kind"].clone()).collect();
    assert_eq!(kinds, ["CHIPS"]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    ada.starts_a_game_with(&bob).await;
}

#[test]
fn a_kind_that_there_is_not_can_not_be_offered() {
    let data = folder();
    let refused = ludotheque(data.path()).args(["--kinds", "CHIPS,CHESS"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("CHESS"), "{refused:?}");
}
