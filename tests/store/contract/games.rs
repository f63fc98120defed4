//! Steps, commands, snapshots.

use crate::fixture::Fixture;
use crate::samples::{START, append, later, step, with_command, with_head};
use futures::future::join_all;
use ludotheque::clock::SystemClock;
use ludotheque::games::options::read_options;
use ludotheque::games::ports::{Append, Appended, Scope, Status, Store, StoreError};
use ludotheque::games::step::{Action, Creation, Step, Visibility};
use ludotheque::games::{Call, Game, GameError, Games, MoveInput};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::live::LocalNotifier;
use ludotheque::rules::catalog::{self, Offer};
use ludotheque::rules::{Seat, Seed};
use std::sync::Arc;

async fn stored(store: &Arc<dyn Store>, append: Append) {
    let version = append.step.version;
    assert_eq!(store.append(append).await.unwrap(), Appended::Stored(version));
}

async fn grown(store: &Arc<dyn Store>, versions: u64) -> GameId {
    let game = GameId::new();
    for version in 1..=versions {
        stored(store, append(game, version)).await;
    }
    game
}

async fn version(store: &Arc<dyn Store>, game: GameId) -> u64 {
    store.head(game).await.unwrap().map_or(0, |head| head.version)
}

fn scope(game: Option<GameId>) -> Scope {
    Scope { player: PlayerId::new(), game }
}

pub async fn a_stored_step_is_read_back(Fixture { games, .. }: &Fixture) {
    let game = grown(games, 3).await;
    let loaded = games.load(game).await.unwrap().unwrap();
    assert_eq!(loaded.snapshot, None);
    assert_eq!(loaded.steps, [step(game, 1), step(game, 2), step(game, 3)]);
    assert_eq!(games.head(game).await.unwrap().unwrap(), crate::samples::head(3));
}

pub async fn a_game_nobody_stored_is_not_there(Fixture { games, .. }: &Fixture) {
    grown(games, 1).await;
    let nowhere = GameId::new();
    assert!(games.load(nowhere).await.unwrap().is_none());
    assert!(games.head(nowhere).await.unwrap().is_none());
    assert_eq!(games.steps(nowhere, 0, 10).await.unwrap(), []);
}

pub async fn a_step_that_does_not_follow_is_a_conflict_and_changes_nothing(Fixture { games, .. }: &Fixture) {
    let game = grown(games, 2).await;
    for wrong in [1, 2, 4] {
        let mut other = append(game, wrong);
        other.step.at = later(9);
        other.snapshot = Some(vec![9]);
        assert_eq!(games.append(other).await.unwrap(), Appended::Conflict);
    }
    let loaded = games.load(game).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot, loaded.steps), (None, vec![step(game, 1), step(game, 2)]));
}

pub async fn an_append_at_odds_with_itself_is_refused(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    let mut ahead = append(game, 2);
    ahead.expected = 0;
    let mut behind = append(game, 1);
    behind.head.version = 2;
    for odd in [ahead, behind] {
        assert!(matches!(games.append(odd).await, Err(StoreError::Unavailable(_))));
    }
    assert_eq!(version(games, game).await, 0);
}

pub async fn appends_are_queued_when_called_and_carried_out_in_that_order(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    let mut futures: Vec<_> = (1..=50).map(|version| (version, games.append(append(game, version)))).collect();
    // One is never even polled.
    drop(futures.remove(10));
    while let Some((version, future)) = futures.pop() {
        assert_eq!(future.await.unwrap(), Appended::Stored(version));
    }
    assert_eq!(version(games, game).await, 50);
}

pub async fn what_was_queued_behind_a_refused_step_falls_with_it(Fixture { games, .. }: &Fixture) {
    let game = grown(games, 1).await;
    let mut theirs = append(game, 2);
    theirs.step.at = later(1);
    // Our 3 would fit onto their 2, but was made on top of ours.
    let ours = append(game, 2);
    let next = Append { epoch: ours.epoch, ..append(game, 3) };
    let late = next.clone();
    let (theirs, ours, next) = (games.append(theirs), games.append(ours), games.append(next));
    assert_eq!(theirs.await.unwrap(), Appended::Stored(2));
    assert_eq!(ours.await.unwrap(), Appended::Conflict);
    assert_eq!(next.await.unwrap(), Appended::Conflict);
    assert_eq!(games.append(late).await.unwrap(), Appended::Conflict, "its maker may not have heard of it yet");
    assert_eq!(version(games, game).await, 2);
    stored(games, append(game, 3)).await;
}

pub async fn in_a_new_epoch_the_next_step_fits_again(Fixture { games, .. }: &Fixture) {
    let game = grown(games, 1).await;
    assert_eq!(games.append(append(game, 3)).await.unwrap(), Appended::Conflict);
    stored(games, append(game, 2)).await;
}

pub async fn of_many_steps_to_one_version_one_is_stored(Fixture { games, .. }: &Fixture) {
    let game = grown(games, 1).await;
    let racing = (0..64).map(|racer| {
        let mut append = append(game, 2);
        append.step.at = later(racer);
        let games = Arc::clone(games);
        tokio::spawn(async move { (later(racer), games.append(append).await.unwrap()) })
    });
    let outcomes: Vec<_> = join_all(racing).await.into_iter().map(Result::unwrap).collect();
    let winners: Vec<_> = outcomes.iter().filter(|(_, outcome)| *outcome == Appended::Stored(2)).collect();
    assert_eq!(winners.len(), 1);
    assert_eq!(outcomes.iter().filter(|(_, outcome)| *outcome == Appended::Conflict).count(), 63);
    assert_eq!(games.steps(game, 1, 9).await.unwrap(), [Step { at: winners[0].0, ..step(game, 2) }]);
}

pub async fn a_command_is_carried_out_once_however_often_it_is_sent(Fixture { games, .. }: &Fixture) {
    let game = grown(games, 1).await;
    let scope = scope(Some(game));
    // Each is made for the version it would have if those before it counted.
    let sent = (2..22).map(|version| games.append(with_command(game, version, scope, "key")));
    let outcomes: Vec<_> = join_all(sent).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes[0], Appended::Stored(2));
    let done = games.command(scope, "key", START).await.unwrap().unwrap();
    assert_eq!((done.game, done.version, done.digest, done.at), (game, 2, [7; 32], START));
    assert!(outcomes[1..].iter().all(|outcome| *outcome == Appended::Duplicate(done)), "{outcomes:?}");
    assert_eq!(version(games, game).await, 2);
}

pub async fn a_command_is_looked_up_before_the_version(Fixture { games, .. }: &Fixture) {
    let game = grown(games, 1).await;
    let scope = scope(Some(game));
    stored(games, with_command(game, 2, scope, "key")).await;
    let again = games.append(with_command(game, 2, scope, "key")).await.unwrap();
    assert!(matches!(again, Appended::Duplicate(done) if done.version == 2), "{again:?}");
}

pub async fn a_command_holds_in_its_scope_only(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    let (creating, other) = (scope(None), scope(Some(game)));
    let within = Scope { game: Some(game), ..creating };
    let scopes = [creating, within, other, Scope { game: None, ..other }];
    for (version, scope) in (1..).zip(scopes) {
        stored(games, with_command(game, version, scope, "key")).await;
    }
    for (version, scope) in (1..).zip(scopes) {
        assert_eq!(games.command(scope, "key", START).await.unwrap().unwrap().version, version);
        assert_eq!(games.command(scope, "ke", START).await.unwrap(), None);
        assert_eq!(games.command(scope, "key2", START).await.unwrap(), None);
    }
}

pub async fn a_command_is_forgotten_after_a_day(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    let scope = scope(None);
    stored(games, with_command(game, 1, scope, "key")).await;
    let mut almost = later(24);
    almost.0 -= 1;
    assert!(games.command(scope, "key", almost).await.unwrap().is_some());
    assert!(games.command(scope, "key", later(24)).await.unwrap().is_none());
    let mut again = with_command(game, 2, scope, "key");
    again.step.at = later(24);
    stored(games, again).await;
    assert_eq!(games.command(scope, "key", later(25)).await.unwrap().unwrap().version, 2);
}

pub async fn a_refused_command_is_not_remembered(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    let scope = scope(Some(game));
    assert_eq!(games.append(with_command(game, 2, scope, "key")).await.unwrap(), Appended::Conflict);
    assert!(games.command(scope, "key", START).await.unwrap().is_none());
}

pub async fn the_newest_snapshot_comes_with_the_steps_after_it(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    for version in 1..=7 {
        let snapshot = [2, 5].contains(&version).then(|| format!("as of {version}").into_bytes());
        stored(games, Append { snapshot, ..append(game, version) }).await;
    }
    let loaded = games.load(game).await.unwrap().unwrap();
    assert_eq!(loaded.snapshot.unwrap(), b"as of 5");
    assert_eq!(loaded.steps, [step(game, 6), step(game, 7)]);
    stored(games, Append { snapshot: Some(b"as of 8".to_vec()), ..append(game, 8) }).await;
    let loaded = games.load(game).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot.unwrap(), loaded.steps), (b"as of 8".to_vec(), Vec::new()));
}

pub async fn steps_are_read_in_order_from_any_version_on(Fixture { games, .. }: &Fixture) {
    let (before, game, after) = (grown(games, 2).await, grown(games, 40).await, grown(games, 2).await);
    for (from, limit) in [(0, 100), (0, 3), (17, 5), (39, 9), (40, 9), (u64::MAX, 9), (3, 0)] {
        let expected: Vec<_> =
            (1..=40).filter(|version| *version > from).take(limit).map(|version| step(game, version)).collect();
        assert_eq!(games.steps(game, from, limit).await.unwrap(), expected, "{from} {limit}");
    }
    for other in [before, after] {
        assert_eq!(games.steps(other, 0, 100).await.unwrap().len(), 2);
    }
}

pub async fn readers_see_a_game_as_of_one_moment(Fixture { games, .. }: &Fixture) {
    const LAST: u64 = 400;
    let game = grown(games, 1).await;
    let writer = tokio::spawn({
        let games = Arc::clone(games);
        async move {
            for version in 2..=LAST {
                let snapshot = (version % 3 == 0).then(|| version.to_be_bytes().to_vec());
                stored(&games, Append { snapshot, ..append(game, version) }).await;
            }
        }
    });
    let readers = (0..4).map(|_| {
        let games = Arc::clone(games);
        tokio::spawn(async move {
            let mut seen = 0;
            while seen < LAST {
                let at_least = version(&games, game).await;
                let loaded = games.load(game).await.unwrap().unwrap();
                let base = loaded.snapshot.map_or(0, |bytes| u64::from_be_bytes(bytes.try_into().unwrap()));
                let versions: Vec<_> = loaded.steps.iter().map(|step| step.version).collect();
                let reached = base + versions.len() as u64;
                assert_eq!(versions, (base + 1..=reached).collect::<Vec<_>>());
                assert!(reached >= at_least && at_least >= seen, "time runs forward");
                seen = reached;
            }
        })
    });
    for task in readers.collect::<Vec<_>>().into_iter().chain([writer]) {
        task.await.unwrap();
    }
}

pub async fn a_store_that_can_be_written_to_is_healthy(Fixture { games, .. }: &Fixture) {
    games.health().await.unwrap();
}

/// Before there was a cap, a head could come to 64 KiB.
pub async fn a_game_with_as_many_members_as_ever_fitted_goes_on(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    let mut members: Vec<_> = (0..4090).map(|_| PlayerId::new()).collect();
    let guest = members[0];
    games.append(with_head(game, 1, |head| head.members.clone_from(&members))).await.unwrap();
    // No kind has more seats than this: everybody on them is new, and is waited for.
    let seated: Vec<_> = (0..255).map(|_| PlayerId::new()).collect();
    members.extend(&seated);
    for version in 2..=3 {
        let started = with_head(game, version, |head| {
            head.members.clone_from(&members);
            head.waiting.clone_from(&seated);
            head.status = Status::Active;
        });
        assert_eq!(games.append(started).await.unwrap(), Appended::Stored(version));
    }
    let head = games.head(game).await.unwrap().unwrap();
    assert_eq!((head.members.len(), head.waiting.len()), (4345, 255));
    assert_eq!(games.count_games(guest, Status::Active, 10).await.unwrap(), 1);
}

/// Steps as an earlier build took them, without a cap; then it is played on.
pub async fn a_game_that_let_more_players_in_than_it_may_now_is_played_on(Fixture { games: store, .. }: &Fixture) {
    let [ann, bob] = [PlayerId::new(), PlayerId::new()];
    let rules = catalog::BUILT_IN.newest("CHIPS").unwrap();
    let creation = Creation {
        kind: "CHIPS".to_owned(),
        rules_version: rules.info().rules_version,
        options: read_options(rules, &serde_json::json!({}), 2).unwrap(),
        seats: vec![Some(ann), Some(bob)],
        visibility: Visibility::Unlisted,
        invite: Some("a code of many".to_owned()),
        seed: Seed([4; 32]),
    };
    let (mut game, events) = Game::create(GameId::new(), rules, ann, &creation, &[], START);
    let id = game.id;
    let action = Action::Create(Box::new(creation));
    let mut step = Step { version: 1, at: START, by: Some(ann), seat: Some(Seat(0)), action, events };
    for version in 1..=300 {
        let (expected, head) = (version - 1, game.head());
        store.append(Append { game: id, expected, step, head, snapshot: None, command: None, epoch: 1 }).await.unwrap();
        let by = Some(PlayerId::new());
        let applied = game.apply(by, &Action::Enter, START).unwrap();
        step = Step { version: version + 1, at: START, by, seat: None, action: Action::Enter, events: applied.events };
        game = applied.game;
    }
    let games = Games::new(store.clone(), Arc::new(LocalNotifier::default()), Arc::new(SystemClock), Offer::default());
    let call = |by| Call { by, key: None, address: None };
    let refused = games.enter("a code of many", &call(PlayerId::new())).await;
    assert!(matches!(refused.err().map(|refused| refused.error), Some(GameError::CapReached(_))));
    let started = games.start(id, &call(ann), None).await.map_err(|refused| refused.error).unwrap().game;
    let seat = started.waiting_for()[0];
    let mv = started.legal_moves(seat, started.updated_at).swap_remove(0);
    let mover = started.seats[seat.index()].unwrap();
    let accepted = games.play(id, &call(mover), &MoveInput::Id(mv.id), None).await.map_err(|refused| refused.error);
    assert_eq!(accepted.unwrap().game.head().members.len(), 301);
}
