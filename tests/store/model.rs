//! The store against a model that is too simple to be wrong: maps in memory, lists by filtering everything.

use crate::fixture;
use crate::samples::{self, START};
use ludotheque::games::ports::{
    Append, Appended, Command, Done, Head, ListQuery, Scope, Status, Store, StoreError, Whose,
};
use ludotheque::games::step::Step;
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::rules::Instant;
use proptest::prelude::*;
use std::collections::BTreeMap;

const PLAYERS: u8 = 4;
const GAMES: u8 = 6;
const KINDS: [&str; 3] = ["CHIPS", "CHIP", "LOADING"];

#[derive(Default)]
struct Model {
    games: BTreeMap<GameId, Game>,
    commands: BTreeMap<(PlayerId, Option<GameId>, String), Done>,
}

struct Game {
    head: Head,
    steps: Vec<Step>,
    snapshot: Option<(u64, Vec<u8>)>,
}

impl Model {
    fn append(&mut self, append: Append) -> Result<Appended, StoreError> {
        let id = |command: &Command| (command.scope.player, command.scope.game, command.key.clone());
        if let Some(command) = &append.command
            && let Some(done) = self.commands.get(&id(command))
            && append.step.at.0 - done.at.0 < 24 * samples::HOUR
        {
            return Ok(Appended::Duplicate(*done));
        }
        if self.games.get(&append.game).map_or(0, |game| game.head.version) != append.expected {
            return Ok(Appended::Conflict);
        }
        let taken = |code: &String| {
            self.games.iter().any(|(id, game)| *id != append.game && game.head.invite.as_ref() == Some(code))
        };
        if append.head.invite.as_ref().is_some_and(taken) {
            return Err(StoreError::Unavailable(String::new()));
        }
        let (version, at) = (append.step.version, append.step.at);
        if let Some(command) = &append.command {
            self.commands.insert(id(command), Done { game: append.game, version, digest: command.digest, at });
        }
        let game = self.games.entry(append.game).or_insert_with(|| Game {
            head: append.head.clone(),
            steps: Vec::new(),
            snapshot: None,
        });
        game.head = append.head;
        game.steps.push(append.step);
        game.snapshot = append.snapshot.map(|bytes| (version, bytes)).or(game.snapshot.take());
        Ok(Appended::Stored(version))
    }

    fn list(&self, query: &ListQuery) -> Vec<(GameId, Head)> {
        let fits = |id: &GameId, head: &Head| {
            let whose = match &query.whose {
                Whose::Listed => head.listed,
                Whose::Of(player) => head.members.contains(player),
                Whose::WaitingFor(player) => {
                    head.members.contains(player) && head.waiting.contains(player) && !head.status.is_over()
                }
            };
            whose
                && query.kind.as_ref().is_none_or(|kind| *kind == head.kind)
                && query.status.is_none_or(|status| status == head.status)
                && query.before.is_none_or(|before| *id < before)
        };
        let newest_first = self.games.iter().rev().map(|(id, game)| (*id, game.head.clone()));
        newest_first.filter(|(id, head)| fits(id, head)).take(query.limit).collect()
    }
}

/// An id has a bit set somewhere.
fn game(number: u8) -> GameId {
    GameId::from_bytes([number + 1; 16])
}

fn player(number: u8) -> PlayerId {
    PlayerId::from_bytes([number; 16])
}

/// An append, before it is known which version would fit.
#[derive(Clone, Debug)]
struct Wish {
    game: u8,
    /// How far off the version that would fit: mostly not at all.
    off: u64,
    hour: i64,
    head: Head,
    snapshot: Option<Vec<u8>>,
    command: Option<(u8, bool, u8)>,
}

impl Wish {
    fn append(self, model: &Model) -> Append {
        let id = game(self.game);
        let version = model.games.get(&id).map_or(0, |game| game.head.version) + 1 + self.off;
        let Append { mut step, epoch, .. } = samples::append(id, version);
        step.at = Instant(START.0 + self.hour * samples::HOUR);
        let command = self.command.map(|(by, within, key)| Command {
            scope: Scope { player: player(by), game: within.then_some(id) },
            key: format!("key {key}"),
            digest: [key; 32],
        });
        let head = Head { version, ..self.head };
        Append { game: id, expected: version - 1, step, head, snapshot: self.snapshot, command, epoch }
    }
}

fn wishes() -> impl Strategy<Value = Wish> {
    let players = || prop::sample::subsequence((0..PLAYERS).map(player).collect::<Vec<_>>(), 0..=PLAYERS as usize);
    let head = (
        prop::sample::select(&Status::ALL[..]),
        prop::sample::select(&KINDS[..]),
        any::<bool>(),
        players(),
        players(),
        prop::option::of(0..4u8),
    )
        .prop_map(|(status, kind, listed, members, waiting, invite)| Head {
            status,
            listed,
            members,
            waiting,
            kind: kind.to_owned(),
            invite: invite.map(|code| format!("code {code}")),
            ..samples::head(0)
        });
    let off = prop_oneof![9 => Just(0), 1 => 1..3u64];
    let command = prop::option::of((0..PLAYERS, any::<bool>(), 0..4u8));
    let snapshot = prop::option::of(prop::collection::vec(any::<u8>(), 0..50));
    (0..GAMES, off, 0..50i64, head, snapshot, command).prop_map(|(game, off, hour, head, snapshot, command)| Wish {
        game,
        off,
        hour,
        head,
        snapshot,
        command,
    })
}

fn every_list() -> Vec<ListQuery> {
    let mut queries = Vec::new();
    let whose = (0..PLAYERS).flat_map(|p| [Whose::Of(player(p)), Whose::WaitingFor(player(p))]).chain([Whose::Listed]);
    for whose in whose {
        for kind in [None, Some(KINDS[0]), Some(KINDS[1])] {
            for status in [None, Some(Status::Lobby), Some(Status::Finished)] {
                for (before, limit) in [(None, 100), (None, 2), (Some(game(3)), 100)] {
                    queries.push(ListQuery { whose, kind: kind.map(str::to_owned), status, before, limit });
                }
            }
        }
    }
    queries
}

async fn compare(store: &dyn Store, model: &Model) {
    for id in (0..GAMES).map(game) {
        let expected = model.games.get(&id);
        assert_eq!(store.head(id).await.unwrap().as_ref(), expected.map(|game| &game.head));
        let loaded = store.load(id).await.unwrap();
        let kept = expected.and_then(|game| game.snapshot.as_ref());
        let after = kept.map_or(0, |(version, _)| usize::try_from(*version).unwrap());
        assert_eq!(loaded.as_ref().and_then(|game| game.snapshot.as_ref()), kept.map(|(_, bytes)| bytes));
        assert_eq!(loaded.map(|game| game.steps), expected.map(|game| game.steps[after..].to_vec()));
    }
    for query in every_list() {
        assert_eq!(store.list(query.clone()).await.unwrap(), model.list(&query), "{query:?}");
    }
    for code in (0..4).map(|code| format!("code {code}")) {
        let holder = model.games.iter().find(|(_, game)| game.head.invite.as_ref() == Some(&code)).map(|(id, _)| *id);
        assert_eq!(store.game_of_invite(&code).await.unwrap(), holder);
    }
    for (by, key) in (0..PLAYERS).flat_map(|by| (0..4).map(move |key| (player(by), format!("key {key}")))) {
        for within in (0..GAMES).map(|g| Some(game(g))).chain([None]) {
            let done = model.commands.get(&(by, within, key.clone())).copied();
            let found = store.command(Scope { player: by, game: within }, &key, START).await.unwrap();
            assert_eq!(found, done.filter(|done| START.0 - done.at.0 < 24 * samples::HOUR));
        }
    }
}

async fn follows(store: &dyn Store, wishes: Vec<Wish>) {
    let mut model = Model::default();
    for wish in wishes {
        let append = wish.append(&model);
        let outcome = store.append(append.clone()).await;
        match (model.append(append), outcome) {
            (Ok(expected), Ok(outcome)) => assert_eq!(outcome, expected),
            (Err(StoreError::Unavailable(_)), Err(StoreError::Unavailable(_))) => {}
            (expected, outcome) => panic!("{outcome:?} instead of {expected:?}"),
        }
    }
    compare(store, &model).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_store_does_what_the_model_does(wishes in prop::collection::vec(wishes(), 1..60)) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            for fixture in [fixture::sled().await, fixture::postgres().await] {
                follows(&*fixture.games, wishes.clone()).await;
            }
        });
    }
}
