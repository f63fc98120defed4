//! Export, import, compaction, verification: what goes in comes out, and what is not whole is noticed.

use crate::fixture::open;
use crate::samples::{self, START, later};
use ludotheque::games::ports::{Append, Done, Scope, Status, Store};
use ludotheque::games::step::{Action, KindMove};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::players::ports::{Family, Player, PlayerStore, Succession, Written};
use ludotheque::store::export_format::{Base64, CommandLine, End, Line, LineWriter};
use ludotheque::store::sled::{ImportError, OpenError, Settings, SledStore, compact};
use std::cell::Cell;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// A store with something of everything in it.
pub fn filled(folder: &Path) -> Arc<SledStore> {
    let store = open(folder);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for number in 0..12u64 {
            let player = samples::player(Some(&format!("Player {number}")));
            let family = samples::family(player.id);
            store.create_player(player.clone(), family.clone()).await.unwrap();
            store.update_player(Player { revision: 2, username: None, ..player.clone() }).await.unwrap();
            store
                .create_player(samples::player(Some(&format!("player {number}"))), samples::family(player.id))
                .await
                .unwrap();
            let succession = Some(Succession { at: START, salt: [5; 32], key_tag: Some([6; 32]) });
            store.rotate_family(Family { generation: 2, succession, ..family.clone() }).await.unwrap();
            store.revoke_family(family.id).await.unwrap();
            let game = GameId::new();
            for version in 1..=number + 1 {
                let scope = Scope { player: player.id, game: (version > 1).then_some(game) };
                let mut append = samples::with_command(game, version, scope, &format!("key {version}"));
                append.step.at = later(i64::try_from(version).unwrap());
                append.head.members = vec![player.id];
                append.head.listed = version % 2 == 0;
                append.head.invite = Some(format!("code {game}"));
                let snapshot = (version % 4 == 0).then(|| vec![9; 100]);
                store.append(Append { snapshot, ..append }).await.unwrap();
            }
        }
    });
    store
}

fn export(store: &SledStore) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    let end = store.export(&mut bytes, START, &|_, _| ()).unwrap();
    (bytes, end)
}

fn findings(store: &SledStore) -> Vec<String> {
    store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).findings
}

fn places() -> (TempDir, std::path::PathBuf, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    (folder, from, to)
}

#[test]
fn what_was_exported_and_imported_exports_the_same() {
    let (_folder, from, to) = places();
    let (bytes, end) = export(&filled(&from));
    assert_eq!((end.games, end.steps, end.players, end.families), (12, 78, 24, 24));
    let lines = Cell::new(0);
    let imported = open(&to);
    assert_eq!(imported.import(&bytes[..], &|done, _| lines.set(done)).unwrap(), end);
    assert_eq!(lines.get(), bytes.lines().count() as u64 - 2);
    assert_eq!(export(&imported), (bytes, end));
    assert_eq!(findings(&imported), Vec::<String>::new());
    drop(imported);
    drop(open(&to));
}

#[test]
fn an_export_holds_every_store_word_in_plain_json() {
    let (_folder, from, _) = places();
    let (bytes, _) = export(&filled(&from));
    let lines: Vec<serde_json::Value> = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(lines[0], serde_json::json!({"start": {"what": "ludotheque export", "format": 2}}));
    let game = lines.iter().find_map(|line| line.get("game")).unwrap();
    assert!(game["id"].as_str().unwrap().starts_with("game_"));
    assert_eq!(game["head"]["status"], "LOBBY");
}

#[test]
fn an_import_goes_into_an_empty_store_only() {
    let (_folder, from, _) = places();
    let store = filled(&from);
    let (bytes, _) = export(&store);
    assert!(matches!(store.import(&bytes[..], &|_, _| ()), Err(ImportError::NotEmpty)));
    assert_eq!(export(&store).0, bytes, "nothing changed");
}

#[test]
fn an_export_that_was_cut_short_or_changed_is_not_imported() {
    let (_folder, from, _) = places();
    let (bytes, _) = export(&filled(&from));
    let text = String::from_utf8(bytes.clone()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let without = |gone: usize| [&lines[..gone], &lines[gone + 1..]].concat().join("\n") + "\n";
    let broken = [
        String::new(),
        text[..text.len() / 2].to_owned(),
        text[..text.len() - 1].to_owned(),
        without(0),
        without(lines.len() / 2),
        without(lines.len() - 1),
        text.replacen("\"seat\":0", "\"seat\":1", 1),
        format!("{text}{text}"),
    ];
    for broken in broken {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("to");
        let store = open(&path);
        assert!(matches!(store.import(broken.as_bytes(), &|_, _| ()), Err(ImportError::Export(_))), "{broken:.200}");
        drop(store);
        // Either nothing was written, or the store can't be taken for a whole one.
        match SledStore::open(&path, &Settings::default()) {
            Ok(store) => assert_eq!(export(&store).1.games, 0),
            Err(error) => assert!(matches!(error, OpenError::Unfinished(_)), "{error}"),
        }
    }
}

#[test]
fn an_export_that_does_not_hold_together_is_not_imported() {
    let (game, other) = (GameId::new(), GameId::new());
    let stands_at = |id, version| Line::Game { id, head: samples::head(version) };
    let step = |version| Line::Step(samples::step(game, version));
    let snapshot = |version| Line::Snapshot { version, bytes: Base64(vec![1]) };
    let scope = Scope { player: PlayerId::new(), game: None };
    // Of a game that is there, but has not come that far; one that was removed since is fine.
    let done = Done { game, version: 2, digest: [0; 32], at: START };
    let wrong = [
        vec![step(1)],
        vec![stands_at(game, 2), step(1)],
        vec![stands_at(game, 2), step(2)],
        vec![stands_at(game, 1), step(1), step(2)],
        vec![stands_at(game, 1), stands_at(other, 0)],
        vec![stands_at(game, 1), step(1), stands_at(game, 1), step(1)],
        vec![stands_at(game, 1), step(1), snapshot(2)],
        vec![stands_at(game, 2), step(1), step(2), snapshot(2), snapshot(1)],
        vec![stands_at(game, 1), step(1), snapshot(1), snapshot(1)],
        vec![Line::Command(CommandLine::new(scope, "key", &done)), stands_at(game, 1), step(1)],
        vec![Line::Player(samples::player(Some("ann"))), Line::Player(samples::player(Some("Ann")))],
    ];
    for lines in wrong {
        let mut bytes = Vec::new();
        let mut writer = LineWriter::start(&mut bytes).unwrap();
        for line in &lines {
            writer.write(line).unwrap();
        }
        writer.finish().unwrap();
        let (_folder, path, _) = places();
        let store = open(&path);
        assert!(store.import(&bytes[..], &|_, _| ()).is_err(), "{lines:?}");
        drop(store);
        assert!(matches!(SledStore::open(&path, &Settings::default()), Err(OpenError::Unfinished(_))));
    }
}

#[test]
fn compaction_gives_space_back_and_keeps_everything_that_counts() {
    let (folder, path, _) = places();
    let store = filled(&path);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let game = GameId::new();
        for version in 1..=400 {
            let append = Append { snapshot: Some(vec![1; 50_000]), ..samples::append(game, version) };
            store.append(append).await.unwrap();
        }
    });
    let (before, _) = export(&store);
    drop(store);
    let compacted = compact(&path, &Settings::default(), START, &|_, _| ()).unwrap();
    assert!(compacted.after < compacted.before, "{compacted:?}");
    let store = open(&path);
    assert_eq!(export(&store).0, before);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| name == "from" || name.to_string_lossy().ends_with(".lock")), "{left:?}");
}

#[test]
fn compaction_drops_commands_that_are_forgotten() {
    let (_folder, path, _) = places();
    let (_, end) = export(&filled(&path));
    assert_eq!(end.commands, 78);
    compact(&path, &Settings::default(), later(100), &|_, _| ()).unwrap();
    let store = open(&path);
    assert_eq!(export(&store).1, End { commands: 0, checksum: export(&store).1.checksum, ..end });
}

/// Imported steps lie in bundles, some of them larger than a bundle: nobody can tell.
#[test]
fn imported_steps_are_read_like_played_ones_and_the_game_goes_on() {
    const LAST: u64 = 500;
    let (_folder, path, _) = places();
    let large = |append: &mut Append| {
        let noise = (0..60_000u32).map(|n| char::from_digit(n.wrapping_mul(n).wrapping_mul(2_654_435_761) >> 27, 36));
        append.step.action = Action::Play { mv: KindMove::Notation(noise.map(Option::unwrap_or_default).collect()) };
    };
    let step_to = |game, version| {
        let mut append = samples::append(game, version);
        append.head.status = if version > LAST { Status::Finished } else { Status::Active };
        if [3, 4, 77].contains(&version) {
            large(&mut append);
        }
        append
    };
    let store = open(&path);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (game, next) = (GameId::new(), GameId::new());
    runtime.block_on(async {
        store.append(samples::append(next, 1)).await.unwrap();
        for version in 1..=LAST {
            store.append(step_to(game, version)).await.unwrap();
        }
    });
    drop(store);
    compact(&path, &Settings::default(), START, &|_, _| ()).unwrap();
    let store = open(&path);
    runtime.block_on(async {
        for version in LAST + 1..=LAST + 3 {
            store.append(step_to(game, version)).await.unwrap();
        }
        let expected: Vec<_> = (1..=LAST + 3).map(|version| step_to(game, version).step).collect();
        for after in (0..=LAST + 3).step_by(7) {
            for limit in [1, 2, 60, usize::MAX] {
                let read = store.steps(game, after, limit).await.unwrap();
                let expected: Vec<_> = expected.iter().skip(usize::try_from(after).unwrap()).take(limit).collect();
                assert_eq!(read.iter().collect::<Vec<_>>(), expected, "after {after}, {limit}");
            }
        }
        assert_eq!(store.load(game).await.unwrap().unwrap().steps, expected);
    });
    let verified = store.verify(&mut |_, _, _| Ok(()), &|_, _| ());
    assert_eq!((verified.counts.steps, verified.findings), (LAST + 4, Vec::new()));
    drop(store);
    compact(&path, &Settings::default(), START, &|_, _| ()).unwrap();
    let store = open(&path);
    runtime.block_on(async {
        assert_eq!(store.load(game).await.unwrap().unwrap().steps.len() as u64, LAST + 3);
        assert!(store.remove(game, later(1)).await.unwrap());
        assert_eq!(store.steps(game, 0, 1).await.unwrap(), []);
        assert_eq!(store.steps(next, 0, 9).await.unwrap().len(), 1);
    });
    assert_eq!(findings(&store), Vec::<String>::new());
}

#[test]
fn a_compaction_that_ended_between_its_two_renames_is_undone() {
    let (folder, path, _) = places();
    let (before, _) = export(&filled(&path));
    std::fs::rename(&path, folder.path().join("from.old")).unwrap();
    drop(open(&folder.path().join("from.new")));
    for name in ["from.old", "from.new"] {
        std::fs::write(folder.path().join(name).join("compaction"), "").unwrap();
    }
    assert_eq!(export(&open(&path)).0, before);
    compact(&path, &Settings::default(), START, &|_, _| ()).unwrap();
    assert_eq!(export(&open(&path)).0, before);
}

#[test]
fn a_store_can_not_be_compacted_while_it_is_in_use() {
    let (_folder, path, _) = places();
    let store = filled(&path);
    assert!(compact(&path, &Settings::default(), START, &|_, _| ()).is_err());
    assert_eq!(findings(&store), Vec::<String>::new());
}

#[test]
fn verification_reads_everything_and_asks_the_judge() {
    let (_folder, path, _) = places();
    let store = filled(&path);
    let mut shown = 0;
    let verified = store.verify(
        &mut |game, head, steps| {
            shown += 1;
            assert_eq!(head.version, steps.len() as u64);
            if head.version == 3 { Err(format!("{game} cheats")) } else { Ok(()) }
        },
        &|_, _| (),
    );
    assert_eq!(shown, 12);
    assert_eq!(verified.findings.len(), 1);
    assert!(verified.findings[0].ends_with("cheats"));
    let counts = verified.counts;
    assert_eq!((counts.games, counts.steps, counts.commands, counts.invites), (12, 78, 78, 12));
    assert_eq!((counts.players, counts.families, counts.snapshots, counts.rows), (24, 24, 9, 30));
}

/// Hands a name over to somebody else once its first bearer was written.
struct Meddler<'a> {
    runtime: &'a tokio::runtime::Runtime,
    store: &'a SledStore,
    bearer: Option<Player>,
}

impl Write for Meddler<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_written = String::from_utf8_lossy(bytes).contains("\"username\":\"ann\"");
        if let Some(player) = self.bearer.take_if(|_| is_written) {
            let heir = samples::player(player.username.as_deref());
            let family = samples::family(heir.id);
            let renamed = Player { revision: 2, username: Some("somebody else".to_owned()), ..player };
            self.runtime.block_on(async {
                assert_eq!(self.store.update_player(renamed).await.unwrap(), Written::Done);
                assert_eq!(self.store.create_player(heir, family).await.unwrap(), Written::Done);
            });
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_export_in_which_two_would_bear_one_name_fails_instead_of_its_import() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let bearer = samples::player(Some("ann"));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // Many come after the first, so that the heir is read on another page than the bearer.
    for player in [bearer.clone()].into_iter().chain((0..200).map(|_| samples::player(None))) {
        let family = samples::family(player.id);
        runtime.block_on(store.create_player(player, family)).unwrap();
    }
    let meddler = Meddler { runtime: &runtime, store: &store, bearer: Some(bearer) };
    let refused = store.export(meddler, START, &|_, _| ()).unwrap_err();
    assert!(refused.to_string().contains("a name changed hands"), "{refused}");
    let (bytes, _) = export(&store);
    let other = open(&folder.path().join("other"));
    other.import(&bytes[..], &|_, _| ()).expect("the next one is whole");
}
