//! A service with something of everything in it: games of every kind, played by chance, and their players.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use ludotheque::app::App;
use ludotheque::auth::{Keys, Settings as Tokens};
use ludotheque::routing::router;
use ludotheque::rules::{Dice, Seed, catalog};
use ludotheque::store::sled::{Settings, SledStore};
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::Path;
use std::sync::{Arc, Once};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// Random numbers that are the same in every run.
pub fn dice(number: u64) -> Dice {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    Dice::new(Seed(seed))
}

thread_local! {
    static PANICS: Cell<u32> = const { Cell::new(0) };
}

/// Number of panics on this thread, caught or not.
pub fn panics() -> u32 {
    static COUNTING: Once = Once::new();
    COUNTING.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICS.set(PANICS.get() + 1);
            before(panic);
        }));
    });
    PANICS.get()
}

/// The service on a store, without a socket.
pub struct Service {
    router: Router,
    runtime: Arc<Runtime>,
}

/// A game, and tokens of those who may look at it: its seats, and nobody.
#[derive(Clone)]
pub struct Game {
    pub id: String,
    pub viewers: Vec<Option<String>>,
}

pub fn runtime() -> Arc<Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    Arc::new(builder.enable_all().build().expect("a runtime"))
}

impl Service {
    /// With the keys in the folder, which tokens outlive.
    pub fn on(store: &Arc<SledStore>, keys: &Path, runtime: &Arc<Runtime>) -> Self {
        let keys = Keys::open(keys).expect("keys");
        let app = runtime.block_on(async { App::new(store.clone(), store.clone(), keys, Tokens::default()) });
        Self { router: router(&app), runtime: runtime.clone() }
    }

    /// The status and the body of an answer.
    pub fn call(&self, method: &str, path: &str, token: Option<&str>, body: &Value) -> (u16, String) {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !body.is_null() {
            request = request.header("content-type", "application/json");
        }
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        self.runtime.block_on(async {
            let answer = self.router.clone().oneshot(request.body(body).expect("a request")).await.expect("infallible");
            let status = answer.status().as_u16();
            let bytes = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
            (status, String::from_utf8(bytes.into()).expect("a text"))
        })
    }

    /// The body of a success.
    fn ok(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let (status, text) = self.call(method, path, Some(token).filter(|token| !token.is_empty()), body);
        assert!((200..300).contains(&status), "{method} {path}: {status} {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// A game of a kind, somewhere on its way.
    fn game(&self, kind: &str, seats: u8, dice: &mut Dice) -> Game {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let guest = || text(&self.ok("POST", "/v1/players", "", &json!({"displayName": "Ann"}))["accessToken"]);
        let players: Vec<_> = (0..seats).map(|_| guest()).collect();
        let id = text(&self.ok("POST", "/v1/games", &players[0], &json!({"kind": kind, "seats": seats}))["id"]);
        for player in &players[1..] {
            self.ok("POST", &format!("/v1/games/{id}/seats"), player, &Value::Null);
        }
        self.ok("POST", &format!("/v1/games/{id}/start"), &players[0], &Value::Null);
        for _ in 0..24 {
            let player = &players[dice.index(players.len())];
            let moves = self.ok("GET", &format!("/v1/games/{id}/legal-moves"), player, &Value::Null);
            let moves = moves["moves"].as_array().expect("moves");
            if !moves.is_empty() {
                let mv = &moves[dice.index(moves.len())]["id"];
                self.ok("POST", &format!("/v1/games/{id}/moves"), player, &json!({"id": mv}));
            }
        }
        let viewers = players.into_iter().map(Some).chain([None]).collect();
        Game { id, viewers }
    }

    /// Everything that everybody can read of a game.
    pub fn told(&self, game: &Game) -> Vec<(u16, String)> {
        let paths = ["", "?at=3", "/events?limit=1000", "/replay"].map(|rest| format!("/v1/games/{}{rest}", game.id));
        let asks = game.viewers.iter().flat_map(|token| paths.iter().map(move |path| (token, path)));
        asks.map(|(token, path)| self.call("GET", path, token.as_deref(), &Value::Null)).collect()
    }
}

/// Fills a store with a game of every kind.
pub fn fill(store: &Arc<SledStore>, keys: &Path, runtime: &Arc<Runtime>) -> Vec<Game> {
    let service = Service::on(store, keys, runtime);
    let mut dice = dice(1);
    catalog::BUILT_IN
        .newest_of_all()
        .map(|rules| service.game(rules.info().kind, *rules.info().seats.start(), &mut dice))
        .collect()
}

/// A folder for data that is removed afterwards: in memory where that can be, since a disk would be waited for most of the
/// time.
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder")
}

pub fn open(folder: &Path) -> Arc<SledStore> {
    SledStore::open(folder, &Settings::default()).expect("the store opens")
}
