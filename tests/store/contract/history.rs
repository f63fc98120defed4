//! Old positions: the nearest snapshot, and a bounded number of steps after it.

use crate::fixture::Fixture;
use crate::samples::{append, play, snapshot, step};
use ludotheque::clock::SystemClock;
use ludotheque::games::ports::{Append, STEPS_PER_READ, Store};
use ludotheque::games::step::Visibility;
use ludotheque::games::{Call, Game, Games, NewGame};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::live::LocalNotifier;
use ludotheque::quota::Client;
use ludotheque::rules::catalog::{BUILT_IN, Offer};
use std::sync::Arc;

const LAST: u64 = 600;

/// The version of the snapshot that an old position starts from, 0 if there is none, and how many steps follow it.
pub async fn distance(store: &dyn Store, game: GameId, version: u64) -> (u64, usize) {
    let found = store.load_at(game, version).await.unwrap().unwrap();
    let base = found.snapshot.map_or(0, |bytes| u64::from_be_bytes(bytes.try_into().unwrap()));
    let expected: Vec<_> = (base + 1..=version).take(STEPS_PER_READ).map(|version| step(game, version)).collect();
    assert_eq!(found.steps, expected, "version {version}");
    (base, found.steps.len())
}

pub async fn an_old_position_is_less_than_128_steps_away_from_a_snapshot(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    play(&**games, game, 1..=LAST).await;
    for version in 1..=LAST {
        // The newest snapshot of all is at 592.
        let base = if version < 592 { version / 128 * 128 } else { 592 };
        let (found, steps) = distance(&**games, game, version).await;
        assert_eq!((found, steps as u64), (base, version - base), "version {version}");
        assert!(steps <= 127, "version {version}");
    }
    let newest = games.load(game).await.unwrap().unwrap();
    assert_eq!((newest.snapshot, newest.steps.len()), (Some(snapshot(592)), 8));
}

pub async fn a_version_that_a_game_has_not_had_is_not_there(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    play(&**games, game, 1..=20).await;
    for version in [0, 21, 128, u64::MAX] {
        assert!(games.load_at(game, version).await.unwrap().is_none(), "version {version}");
    }
    assert!(games.load_at(GameId::new(), 1).await.unwrap().is_none());
}

pub async fn without_snapshots_a_read_ends_after_256_steps(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    for version in 1..=300 {
        games.append(append(game, version)).await.unwrap();
    }
    for (version, steps) in [(1, 1), (256, 256), (257, 256), (300, 256)] {
        assert_eq!(distance(&**games, game, version).await, (0, steps), "version {version}");
    }
}

/// All that a position is made of in a lobby.
fn position(game: &Game) -> impl PartialEq + std::fmt::Debug + use<> {
    (game.head(), game.seats.clone(), game.options.clone(), game.updated_at)
}

fn games_on(store: &Arc<dyn Store>) -> Arc<Games> {
    Games::new(store.clone(), Arc::new(LocalNotifier::default()), Arc::new(SystemClock), Offer::default())
}

/// As a build wrote it whose structs were others: it may be read, but into something else.
pub async fn a_snapshot_of_another_layout_is_passed_over(Fixture { games: store, .. }: &Fixture) {
    const LAST: usize = 40;
    let (id, then, client) = sit_and_stand(store, LAST).await;
    let steps = store.steps(id, 0, LAST).await.unwrap();
    let genuine = store.load(id).await.unwrap().unwrap().snapshot.expect("one of version 32");
    let mut other_layout = genuine.clone();
    other_layout[0] ^= 1;
    // The build before wrote snapshots without a fingerprint.
    let without_layout = genuine[8..].to_vec();
    for snapshot in [genuine, other_layout, without_layout, Vec::new(), vec![0xff; 300]] {
        let copy = GameId::new();
        for (step, game) in steps.iter().zip(&then) {
            let snapshot = (step.version == 32).then(|| snapshot.clone());
            let (expected, step, head) = (step.version - 1, step.clone(), game.head());
            store.append(Append { game: copy, expected, step, head, snapshot, command: None, epoch: 1 }).await.unwrap();
        }
        let games = games_on(store);
        for version in [31, 32, 33, 40] {
            let (past, _) = games.visible_at(copy, &client, version).await.unwrap();
            assert_eq!(position(&past), position(&then[usize::try_from(version).unwrap() - 1]), "version {version}");
        }
    }
}

/// A real game: somebody sits down and stands up again, until it has this many steps.
async fn sit_and_stand(store: &Arc<dyn Store>, steps: usize) -> (GameId, Vec<Arc<Game>>, Client) {
    let games = games_on(store);
    let call = |by| Call { by, key: None, address: None };
    let (ann, bob) = (PlayerId::new(), PlayerId::new());
    let (kind, options, visibility) = ("CHIPS".to_owned(), serde_json::json!({}), Visibility::Public);
    let new = NewGame { kind, options, seats: Some(2), visibility, sit: true, seed: None };
    let client = Client { address: None, player: Some(ann) };
    let mut then = vec![games.create(&call(ann), new, &client).await.unwrap().game];
    let id = then[0].id;
    while then.len() < steps {
        let sits = then[then.len() - 1].seat_of(bob).is_some();
        let accepted = if sits { games.stand(id, &call(bob)).await } else { games.sit(id, &call(bob), None).await };
        then.push(accepted.map_err(|refused| refused.error).unwrap().game);
    }
    (id, then, client)
}

pub async fn a_game_looks_at_every_version_as_it_did_then(Fixture { games: store, .. }: &Fixture) {
    let (id, then, client) = sit_and_stand(store, 600).await;
    let games = games_on(store);
    for game in &then {
        let found = store.load_at(id, game.version).await.unwrap().unwrap();
        assert!(found.steps.len() <= 127, "version {}: {} steps", game.version, found.steps.len());
        let (past, _) = games.visible_at(id, &client, game.version).await.unwrap();
        assert_eq!(position(&past), position(game), "version {}", game.version);
    }
    let steps = store.steps(id, 0, usize::MAX).await.unwrap();
    for version in [127, 128, 129, 600] {
        assert_eq!(position(&Game::fold(BUILT_IN, id, &steps[..version]).unwrap()), position(&then[version - 1]));
    }
}
