//! What the server does by itself: abandon idle lobbies, remove games that have been over for long, and what nobody needs.

use ludotheque::games::ports::{Clock, Status};
use ludotheque::games::step::Visibility;
use ludotheque::games::{Call, Game, GameError, Games, NewGame};
use ludotheque::ids::{FamilyId, GameId, PlayerId};
use ludotheque::live::LocalNotifier;
use ludotheque::players::ports::{Family, Player, PlayerStore};
use ludotheque::quota::Client;
use ludotheque::rules::Instant;
use ludotheque::rules::catalog::{BUILT_IN, Offer};
use ludotheque::store::sled::{Settings, SledStore};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use test_support::{Program, eventually, folder, ludotheque};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A clock that stands where it is put.
struct Hands(AtomicI64);

impl Clock for Hands {
    fn now(&self) -> Instant {
        Instant(self.0.load(Ordering::SeqCst))
    }
}

/// Games that were made on a store some days ago.
struct Past {
    store: Arc<SledStore>,
    games: Arc<Games>,
    clock: Arc<Hands>,
}

impl Past {
    fn days_ago(data: &Path, days: i64) -> Self {
        let store = SledStore::open(&data.join("store"), &Settings::default()).unwrap();
        let clock = Arc::new(Hands(AtomicI64::new(0)));
        let games = Games::new(store.clone(), Arc::new(LocalNotifier::default()), clock.clone(), Offer::default());
        let past = Self { store, games, clock };
        past.goes_to(days);
        past
    }

    fn goes_to(&self, days_ago: i64) {
        self.clock.0.store(ludotheque::auth::real_time().0 - days_ago * DAY, Ordering::SeqCst);
    }

    async fn lobby(&self, host: PlayerId) -> GameId {
        let call = Call { by: host, key: Some("create".to_owned()), address: None };
        let (kind, options, visibility) = ("CHIPS".to_owned(), json!({}), Visibility::Public);
        let new = NewGame { kind, options, seats: Some(2), visibility, sit: true, seed: None };
        self.games.create(&call, new, &Client::default()).await.unwrap().game.id
    }

    async fn active(&self) -> (GameId, PlayerId) {
        let (ada, bob) = (PlayerId::new(), PlayerId::new());
        let game = self.lobby(ada).await;
        let call = |by| Call { by, key: Some("once".to_owned()), address: None };
        assert!(self.games.sit(game, &call(bob), None).await.is_ok());
        assert!(self.games.start(game, &call(ada), None).await.is_ok());
        (game, ada)
    }

    async fn finished(&self) -> GameId {
        let (game, ada) = self.active().await;
        assert!(self.games.resign(game, &Call { by: ada, key: None, address: None }).await.is_ok());
        game
    }
}

#[tokio::test]
async fn games_that_have_been_over_for_long_enough_are_removed_and_no_others() {
    let data = folder();
    let past = Past::days_ago(data.path(), 8);
    let (old, running) = (past.finished().await, past.active().await.0);
    past.goes_to(6);
    let young = past.finished().await;
    past.goes_to(0);
    assert_eq!(past.games.remove_over(Duration::from_hours(7 * 24)).await.unwrap(), 1);
    assert!(matches!(past.games.visible(old, None).await, Err(GameError::NotFound)), "nor from memory");
    assert!(matches!(past.games.replay(old, &Client::default()).await, Err(GameError::NotFound)));
    assert!(past.games.visible(running, None).await.is_ok());
    assert!(past.games.replay(young, &Client::default()).await.is_ok());
    assert_eq!(past.games.remove_over(Duration::from_hours(7 * 24)).await.unwrap(), 0);
    let verified = past.store.verify(&mut Game::verifier(BUILT_IN), &|_, _| ());
    assert_eq!((verified.findings, verified.counts.games), (Vec::new(), 2));
}

#[tokio::test]
async fn more_games_than_a_batch_are_removed_in_one_go() {
    let data = folder();
    let past = Past::days_ago(data.path(), 2);
    for _ in 0..230 {
        let host = PlayerId::new();
        let game = past.lobby(host).await;
        assert!(
            past.games.stand(game, &Call { by: host, key: None, address: None }).await.is_ok(),
            "abandoned by its only player"
        );
    }
    past.goes_to(0);
    assert_eq!(past.games.remove_over(Duration::from_hours(24)).await.unwrap(), 230);
}

impl Past {
    /// A lobby that its only player left.
    async fn abandoned(&self) -> GameId {
        let host = PlayerId::new();
        let game = self.lobby(host).await;
        assert!(self.games.stand(game, &Call { by: host, key: None, address: None }).await.is_ok());
        game
    }

    /// A game that was played, until both were too late.
    async fn left_by_all(&self) -> GameId {
        let (ada, bob) = (PlayerId::new(), PlayerId::new());
        let call = |by| Call { by, key: None, address: None };
        let (kind, options, visibility) = ("CHIPS".to_owned(), json!({"moveSeconds": 10}), Visibility::Public);
        let new = NewGame { kind, options, seats: Some(2), visibility, sit: true, seed: None };
        let game = self.games.create(&call(ada), new, &Client::default()).await.unwrap().game.id;
        assert!(self.games.sit(game, &call(bob), None).await.is_ok());
        assert!(self.games.start(game, &call(ada), None).await.is_ok());
        self.clock.0.fetch_add(60_000, Ordering::SeqCst);
        let over = self.games.time_out(game, &call(ada)).await.map_err(|refused| refused.error).unwrap().game;
        assert_eq!((over.status, over.running.is_some()), (Status::Abandoned, true));
        game
    }

    /// A player who came that day.
    async fn comes(&self, username: Option<&str>) -> PlayerId {
        let mut player = Player::new("Ada".to_owned(), self.clock.now());
        player.username = username.map(str::to_owned);
        let (id, era, expires_at) = (FamilyId::new(), 0, Instant(self.clock.now().0 + 30 * DAY));
        let family = Family {
            id,
            player: player.id,
            era,
            generation: 1,
            token_hash: [1; 32],
            expires_at,
            revoked: false,
            succession: None,
        };
        self.store.create_player(player.clone(), family).await.unwrap();
        player.id
    }
}

#[tokio::test]
async fn lobbies_that_came_to_nothing_are_removed_and_games_that_were_played_are_not() {
    let data = folder();
    let past = Past::days_ago(data.path(), 8);
    let (lobby, played, finished) = (past.abandoned().await, past.left_by_all().await, past.finished().await);
    past.goes_to(6);
    let young = past.abandoned().await;
    past.goes_to(0);
    let swept = past.games.remove_abandoned_lobbies(Duration::from_hours(7 * 24), None).await.unwrap();
    assert_eq!(swept.removed, 1);
    assert!(matches!(past.games.visible(lobby, None).await, Err(GameError::NotFound)));
    for game in [played, finished, young] {
        assert!(past.games.visible(game, None).await.is_ok());
    }
    let again = past.games.remove_abandoned_lobbies(Duration::from_hours(5 * 24), swept.next).await.unwrap();
    assert_eq!(again.removed, 1, "the younger one, found from where the sweep had ended");
    let verified = past.store.verify(&mut Game::verifier(BUILT_IN), &|_, _| ());
    assert_eq!((verified.findings, verified.counts.games), (Vec::new(), 2));
}

#[tokio::test]
async fn a_server_removes_what_nobody_needs() {
    let data = folder();
    let past = Past::days_ago(data.path(), 8);
    let (idle, account, member) = (past.comes(None).await, past.comes(Some("ada")).await, past.comes(None).await);
    let lobby = past.abandoned().await;
    past.goes_to(1);
    past.lobby(member).await;
    let young = past.comes(None).await;
    drop(past);
    let server = Program::start(data.path(), &[]);
    comes_to(&server, lobby, |status, _| status == 404).await;
    let swept = eventually(async || {
        let page = server.get("/metrics").await.text();
        // The keys that made the games of eight days ago come last.
        page.contains(r#"ludotheque_swept_total{what="commands"}"#).then_some(page)
    })
    .await;
    for what in ["lobbies", "guests"] {
        assert!(swept.contains(&format!("ludotheque_swept_total{{what=\"{what}\"}} 1\n")), "{swept}");
    }
    let log = server.stop();
    assert!(log.contains("swept"), "{log}");
    let store = SledStore::open(&data.path().join("store"), &Settings::default()).unwrap();
    for (player, stays) in [(idle, false), (account, true), (member, true), (young, true)] {
        assert_eq!(store.player(player).await.unwrap().is_some(), stays);
    }
    assert_eq!(store.verify(&mut Game::verifier(BUILT_IN), &|_, _| ()).findings, Vec::<String>::new());
}

#[tokio::test]
async fn guests_and_lobbies_stay_for_ever_where_the_operator_says_so() {
    let data = folder();
    let past = Past::days_ago(data.path(), 4000);
    let (idle, lobby) = (past.comes(None).await, past.abandoned().await);
    drop(past);
    let server = Program::start(data.path(), &["--keep-idle-guests-days", "0", "--keep-abandoned-lobbies-days", "0"]);
    eventually(async || {
        let page = server.get("/metrics").await.text();
        page.contains(r#"ludotheque_swept_total{what="commands"}"#).then_some(())
    })
    .await;
    comes_to(&server, lobby, |_, game| game["status"] == "ABANDONED").await;
    server.stop();
    let store = SledStore::open(&data.path().join("store"), &Settings::default()).unwrap();
    assert!(store.player(idle).await.unwrap().is_some());
}

/// Looks at a game until it looks like that.
async fn comes_to(server: &Program, game: GameId, wanted: impl Fn(u16, &Value) -> bool) {
    eventually(async || {
        let shown = server.get(&format!("/v1/games/{game}")).await;
        let status = shown.status;
        wanted(status, &shown.json()).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_server_sweeps_by_itself() {
    let data = folder();
    let past = Past::days_ago(data.path(), 8);
    let (old, lobby) = (past.finished().await, past.lobby(PlayerId::new()).await);
    past.goes_to(1);
    let young = past.finished().await;
    drop(past);
    let server = Program::start(data.path(), &["--keep-finished-days", "7"]);
    comes_to(&server, old, |status, _| status == 404).await;
    comes_to(&server, lobby, |_, game| game["status"] == "ABANDONED").await;
    comes_to(&server, young, |_, game| game["status"] == "FINISHED").await;
    server.stop();
    let verified = ludotheque(data.path()).arg("verify").output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[tokio::test]
async fn no_game_that_was_played_is_removed_unless_the_operator_wants_it() {
    let data = folder();
    let past = Past::days_ago(data.path(), 4000);
    let (old, lobby) = (past.finished().await, past.lobby(PlayerId::new()).await);
    drop(past);
    let server = Program::start(data.path(), &[]);
    comes_to(&server, lobby, |_, game| game["status"] == "ABANDONED").await;
    comes_to(&server, old, |_, game| game["status"] == "FINISHED").await;
}
