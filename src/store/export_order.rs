//! The order of an export's lines, checked while it is read: a game has the steps that its head says, one after the other,
//! and snapshots of versions that it has had, the newest first.

use super::export_format::Line;
use super::keys;
use crate::games::ports::Head;
use crate::ids::GameId;

/// Where in an export somebody is.
#[derive(Default)]
pub(super) struct Sequence {
    game: Option<Current>,
}

/// The game whose lines are being read.
struct Current {
    id: GameId,
    version: u64,
    /// The version of the last step read.
    reached: u64,
    /// The version of the last snapshot read.
    snapshot: Option<u64>,
}

/// What a line belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) game: GameId,
    /// Whether the line is the newest snapshot of its game. The others are kept for good.
    pub(super) is_newest_snapshot: bool,
}

impl Sequence {
    /// Takes the next line, or says what is wrong with it. Returns the game it belongs to, if it does to one.
    pub(super) fn next(&mut self, line: &Line) -> Result<Option<Origin>, String> {
        let mut is_newest_snapshot = false;
        match line {
            Line::Game { id, head: Head { version, .. } } => {
                self.end()?;
                self.game = Some(Current { id: *id, version: *version, reached: 0, snapshot: None });
            }
            Line::Step(step) => {
                let current = self.game.as_mut().ok_or("a step before any game")?;
                current.reached += 1;
                if step.version != current.reached {
                    return Err(format!("version {} of {} was to come here", current.reached, current.id));
                }
            }
            Line::Snapshot { version, .. } => {
                let current = self.game.as_mut().ok_or("a snapshot before any game")?;
                if *version > current.reached {
                    return Err(format!("a snapshot of {} at version {version}, which it has not", current.id));
                }
                match current.snapshot.replace(*version) {
                    None => is_newest_snapshot = true,
                    Some(newer) if *version < newer && keys::is_kept(*version) => {}
                    Some(_) => return Err(format!("no snapshot of {} is kept at version {version}", current.id)),
                }
            }
            Line::Start { .. } | Line::End(_) => return Err("only at the start".to_owned()),
            Line::Command(_) | Line::Family(_) | Line::Player(_) | Line::Revocation(_) => return Ok(None),
        }
        Ok(self.game.as_ref().map(|current| Origin { game: current.id, is_newest_snapshot }))
    }

    /// A game has as many steps as its head says.
    pub(super) fn end(&self) -> Result<(), String> {
        match self.game {
            Some(Current { id, version, reached, .. }) if version != reached => {
                Err(format!("{id} stands at version {version}, but its steps end at {reached}"))
            }
            _ => Ok(()),
        }
    }
}
