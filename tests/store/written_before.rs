//! What the build of commit 9dc07ca wrote opens, verifies and is played on (`written_before/README.md` says what it is).

use crate::fixture::{open, open_postgres};
use crate::samples::START;
use flate2::read::GzDecoder;
use ludotheque::app::{self, App};
use ludotheque::auth::{self, Keys};
use ludotheque::clock::SystemClock;
use ludotheque::games::ports::{Clock, ListQuery, Status, Store, Whose};
use ludotheque::games::{Call, Game, MoveInput};
use ludotheque::players::ports::PlayerStore;
use ludotheque::rules::catalog::BUILT_IN;
use ludotheque::store::export_format::End;
use ludotheque::store::sled::{Settings, SledStore, compact};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use test_support::postgres::database;
use tokio::runtime::Runtime;

const GAMES: u64 = 10;
const STEPS: u64 = 139;
const PLAYERS: u64 = 4;
/// Those in which somebody can move, whatever day it is; of the calendar's nobody can say.
const RUNNING: [&str; 4] = ["CHIPS", "SANTA_RESCUE", "TOYS_GO_GO_GO", "TOY_RUSH"];

fn files() -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/written_before");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "gz"))
}

fn unpack(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(file).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

fn exported() -> Vec<u8> {
    unpack(&files().find(|path| path.ends_with("export.gz")).unwrap())
}

/// The folder of the store as it was left.
fn unpack_store(store: &Path) {
    fs::create_dir_all(store.join("blobs")).unwrap();
    for file in files().filter(|path| !path.ends_with("export.gz")) {
        fs::write(store.join(file.file_stem().unwrap()), unpack(&file)).unwrap();
    }
}

fn verifies(store: &SledStore, steps: u64) {
    let verified = store.verify(&mut Game::verifier(BUILT_IN), &|_, _| ());
    assert_eq!(verified.findings, Vec::<String>::new());
    assert_eq!((verified.counts.games, verified.counts.steps, verified.counts.players), (GAMES, steps, PLAYERS));
}

/// Plays one move in every running game, and tells the kinds.
async fn play_on(store: Arc<dyn Store>, players: Arc<dyn PlayerStore>) -> Vec<String> {
    let keys = tempfile::tempdir().unwrap();
    let settings: app::Settings = auth::Settings::default().into();
    let app = App::new(store.clone(), players, Keys::open(keys.path()).unwrap(), settings);
    let mut games = Vec::new();
    for kind in RUNNING {
        let query = ListQuery { kind: Some(kind.to_owned()), limit: 100, ..ListQuery::default() };
        for (id, head) in store.list(query).await.unwrap() {
            // The unlisted one is found by its members, who are in other games too.
            for member in head.members {
                let query = ListQuery { whose: Whose::Of(member), limit: 100, ..ListQuery::default() };
                games.extend(store.list(query).await.unwrap().into_iter().map(|(id, head)| (id, head.members)));
            }
            assert!(games.iter().any(|(other, _)| *other == id));
        }
    }
    games.sort_by_key(|(id, _)| *id);
    games.dedup_by_key(|(id, _)| *id);
    assert_eq!(games.len() as u64, GAMES);
    let mut played = Vec::new();
    for (id, members) in games {
        let game = app.games.visible(id, members.first().copied()).await.unwrap();
        let by_calendar = game.options.0["calendar"] == "ADVENT";
        if game.status != Status::Active || by_calendar {
            continue;
        }
        let (seat, mv) = game
            .waiting_for()
            .into_iter()
            .find_map(|seat| Some((seat, game.legal_moves(seat, SystemClock.now()).into_iter().next()?)))
            .unwrap();
        let call = Call { by: game.seats[seat.index()].unwrap(), key: None, address: None };
        let accepted = app.games.play(id, &call, &MoveInput::Id(mv.id), Some(game.version)).await;
        let accepted = accepted.unwrap_or_else(|refused| panic!("{id}: {:?}", refused.error));
        assert_eq!(accepted.game.version, game.version + 1);
        played.push(game.rules.info().kind.to_owned());
    }
    played.sort();
    played
}

#[test]
fn a_store_that_an_earlier_build_left_opens_verifies_and_is_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    unpack_store(&path);
    let store = open(&path);
    verifies(&store, STEPS);
    let runtime = Runtime::new().unwrap();
    assert_eq!(runtime.block_on(play_on(store.clone(), store.clone())), RUNNING);
    verifies(&store, STEPS + RUNNING.len() as u64);
    drop(runtime);
    drop(store);
    compact(&path, &Settings::default(), START, &|_, _| ()).unwrap();
    verifies(&open(&path), STEPS + RUNNING.len() as u64);
}

#[test]
fn an_export_of_an_earlier_build_is_imported_into_either_store_and_is_played_on() {
    let check = |end: End| assert_eq!((end.games, end.steps, end.players), (GAMES, STEPS, PLAYERS));
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store"));
    check(store.import(&exported()[..], &|_, _| ()).unwrap());
    verifies(&store, STEPS);
    let runtime = Runtime::new().unwrap();
    assert_eq!(runtime.block_on(play_on(store.clone(), store.clone())), RUNNING);
    verifies(&store, STEPS + RUNNING.len() as u64);

    runtime.block_on(async {
        let shared = open_postgres(&database()).await;
        check(shared.import(&exported()[..], &|_, _| ()).await.unwrap());
        assert_eq!(play_on(shared.clone(), shared.clone()).await, RUNNING);
        let verified = shared.verify(&mut Game::verifier(BUILT_IN), &|_, _| ()).await.unwrap();
        assert_eq!(verified.findings, Vec::<String>::new());
        assert_eq!((verified.counts.games, verified.counts.steps), (GAMES, STEPS + RUNNING.len() as u64));
    });
}
