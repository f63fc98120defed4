//! Verification: reads every value of every tree and reports what is wrong.

use crate::games::ports::{Done, Head, StoreError};
use crate::ids::{GameId, PlayerId};
use crate::players::ports::{Family, Player, Revocation};
use crate::store::keys;
use crate::store::sled::open::WATERMARK_MISSING;
use crate::store::sled::trees::{Tree, Trees, damaged};
use crate::store::sled::{SledStore, commit::write, index, read};
use crate::store::verify_report::{Judge, Verified};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

impl SledStore {
    /// Verifies the whole store, which must not be written to meanwhile. Passes each readable game to `judge`, whose
    /// error becomes a finding. `progress` receives the number of games done and the total.
    pub fn verify(&self, judge: Judge, progress: &dyn Fn(u64, Option<u64>)) -> Verified {
        let mut verified = Verified::default();
        let Some(shared) = verified.check(self.shared()) else { return verified };
        let trees = &shared.trees;
        if !self.had_watermark.load(Ordering::SeqCst) {
            verified.add_finding(WATERMARK_MISSING);
        }
        verified.games(trees, judge, progress);
        for tree in Tree::ALL.into_iter().filter(|tree| *tree != Tree::Heads) {
            verified.tree(trees, tree);
        }
        verified
    }
}

impl Verified {
    /// sled may panic on damaged pages. That becomes a finding, and the other parts are still read.
    fn catch_sled_panic(&mut self, part: impl FnOnce(&mut Self) -> Result<(), StoreError>) {
        let result = catch_unwind(AssertUnwindSafe(|| part(self)));
        self.check(result.unwrap_or_else(|_| Err(StoreError::Corrupt("sled panicked while reading".to_owned()))));
    }

    fn games(&mut self, trees: &Trees, judge: Judge, progress: &dyn Fn(u64, Option<u64>)) {
        self.catch_sled_panic(|verified| {
            let total = trees.raw(Tree::Heads).len() as u64;
            for entry in trees.raw(Tree::Heads) {
                let (key, value) = entry.map_err(damaged)?;
                progress(verified.counts.games, Some(total));
                verified.counts.games += 1;
                let Some(head) = verified.check(Tree::Heads.decode(&key, &value)) else { continue };
                match keys::read_game(&key).filter(|_| key.len() == keys::ID_BYTES) {
                    Some(game) => verified.game(trees, game, &head, judge),
                    None => verified.add_finding(Tree::Heads.storage_key(&key).corrupt("not a game id")),
                }
            }
            Ok(())
        });
    }

    /// Checks that the steps reach the head's version without a gap, and that every index row of the head exists.
    fn game(&mut self, trees: &Trees, game: GameId, head: &Head, judge: Judge) {
        let key = game.as_bytes();
        if let Some(steps) = self.check(read::steps(trees, game, 0, usize::MAX)) {
            let reached = steps.len() as u64;
            let gap = format_args!("the head is at version {}, but the steps end at {reached}", head.version);
            self.expect(reached == head.version, Tree::Heads, key, gap);
            if let Err(objection) = judge(game, head, &steps) {
                self.add_finding(format_args!("{game}: {objection}"));
            }
        }
        for row in self.check(index::rows(game, head)).unwrap_or_default() {
            let exists = trees.contains(row.tree, &row.key);
            let exists = self.check(exists).unwrap_or(true);
            self.expect(exists, row.tree, &row.key, format_args!("the row of {game} is missing"));
        }
    }

    fn tree(&mut self, trees: &Trees, tree: Tree) {
        self.catch_sled_panic(|verified| {
            for entry in trees.raw(tree) {
                let (key, value) = entry.map_err(damaged)?;
                let checked = match tree {
                    Tree::Heads => Ok(()),
                    Tree::Steps => verified.step(trees, &key, &value),
                    Tree::Snapshots => verified.snapshot(trees, &key, &value),
                    Tree::Commands => verified.command(trees, &key, &value),
                    Tree::Members | Tree::Listed => verified.row(trees, tree, &key, &value),
                    Tree::Accounts => verified.account(trees, &key, &value),
                    Tree::Meta => check_meta(&key, &value),
                };
                verified.check(checked);
            }
            Ok(())
        });
    }

    /// The content was checked with the game; this checks that the game exists.
    fn step(&mut self, trees: &Trees, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.counts.steps += read::decode_steps(key, value)?.len() as u64;
        let game = keys::read_game(key).map(|game| trees.contains(Tree::Heads, game.as_bytes())).transpose()?;
        self.expect(game == Some(true), Tree::Steps, key, "the game does not exist");
        Ok(())
    }

    fn snapshot(&mut self, trees: &Trees, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.counts.snapshots += 1;
        let (version, _) = match key.len() {
            keys::ID_BYTES => Tree::Snapshots.decode::<(u64, Vec<u8>)>(key, value)?,
            _ => read::decode_kept_snapshot(key, value)?,
        };
        self.expect_version(trees, Tree::Snapshots, key, keys::read_game(key), version)
    }

    fn command(&mut self, trees: &Trees, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.counts.commands += 1;
        let done: Done = Tree::Commands.decode(key, value)?;
        self.expect(keys::read_command(key).is_some(), Tree::Commands, key, "not a command key");
        // The game may have been removed since. If it exists, it has reached that version.
        if trees.contains(Tree::Heads, done.game.as_bytes())? {
            self.expect_version(trees, Tree::Commands, key, Some(done.game), done.version)?;
        }
        Ok(())
    }

    /// Checks that the game has reached this version.
    fn expect_version(
        &mut self,
        trees: &Trees,
        tree: Tree,
        key: &[u8],
        game: Option<GameId>,
        version: u64,
    ) -> Result<(), StoreError> {
        let head = game.map(|game| read::head(trees, game)).transpose()?.flatten();
        self.expect(
            head.is_some_and(|head| version <= head.version),
            tree,
            key,
            "the game does not exist or has not reached that version",
        );
        Ok(())
    }

    /// Checks that the row follows from a head.
    fn row(&mut self, trees: &Trees, tree: Tree, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.counts.rows += 1;
        let () = tree.decode(key, value)?;
        let game = keys::read_row(key).map(|(_, game)| game);
        self.expect_index_row(trees, tree, key, game)
    }

    fn expect_index_row(
        &mut self,
        trees: &Trees,
        tree: Tree,
        key: &[u8],
        game: Option<GameId>,
    ) -> Result<(), StoreError> {
        let head = game.map(|game| read::head(trees, game)).transpose()?.flatten();
        let rows = game.zip(head).map(|(game, head)| index::rows(game, &head)).transpose()?.unwrap_or_default();
        let follows = rows.iter().any(|row| row.tree == tree && *row.key == *key);
        self.expect(follows, tree, key, "no head has this row");
        Ok(())
    }

    fn account(&mut self, trees: &Trees, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        const HERE: Tree = Tree::Accounts;
        match key.first() {
            Some(&keys::PLAYER) => {
                self.counts.players += 1;
                let player: Player = HERE.decode(key, value)?;
                self.expect(keys::player(player.id) == key, HERE, key, "the player has another id");
                for name in write::name_entries(&player)? {
                    let owner = trees.get::<PlayerId>(HERE, &name.key)?;
                    self.expect(
                        owner == Some(player.id),
                        HERE,
                        key,
                        "one of the player's names does not lead to the player",
                    );
                }
            }
            Some(&(keys::USERNAME | keys::SUBJECT)) => {
                let id: PlayerId = HERE.decode(key, value)?;
                let names = read::player(trees, id)?.map(|player| write::name_entries(&player)).transpose()?;
                let has = names.is_some_and(|names| names.iter().any(|name| *name.key == *key));
                self.expect(has, HERE, key, "no player has this name");
            }
            Some(&keys::REVOCATION) => {
                self.counts.revocations += 1;
                let revocation: Revocation = HERE.decode(key, value)?;
                self.expect(keys::revocation(&revocation.mark) == key, HERE, key, "the revoked token has another mark");
            }
            Some(&keys::FAMILY) => {
                self.counts.families += 1;
                let family: Family = HERE.decode(key, value)?;
                self.expect(keys::family(family.id) == key, HERE, key, "the sign-in has another id");
            }
            Some(&keys::INVITE) => {
                self.counts.invites += 1;
                let game = HERE.decode(key, value)?;
                self.expect_index_row(trees, HERE, key, Some(game))?;
            }
            _ => self.add_finding(HERE.storage_key(key).corrupt("unknown kind of key")),
        }
        Ok(())
    }
}

fn check_meta(key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    match key {
        keys::FORMAT => Tree::Meta.decode::<u32>(key, value).map(drop),
        keys::COMMIT => Tree::Meta.decode::<u64>(key, value).map(drop),
        keys::IMPORTING => Tree::Meta.decode::<()>(key, value),
        _ => Err(Tree::Meta.storage_key(key).corrupt("unknown key")),
    }
}
