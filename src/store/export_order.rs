//! Checks the order of an export's lines while they are read: a game has consecutive steps up to its head's version,
//! and snapshots of versions it has had, newest first.

use super::export_format::Line;
use super::keys;
use crate::games::ports::Head;
use crate::ids::GameId;

#[derive(Default)]
pub(super) struct ExportOrder {
    game: Option<CurrentGame>,
}

/// The game whose lines are being read.
struct CurrentGame {
    id: GameId,
    version: u64,
    /// Version of the last step read.
    reached: u64,
    /// Version of the last snapshot read.
    snapshot: Option<u64>,
}

/// The game that a line belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) game: GameId,
    /// Whether the line is the game's newest snapshot. Older ones are those kept as long as the game.
    pub(super) is_newest_snapshot: bool,
}

impl ExportOrder {
    /// Checks the next line. Returns the game it belongs to, if any.
    pub(super) fn next(&mut self, line: &Line) -> Result<Option<Origin>, String> {
        let mut is_newest_snapshot = false;
        match line {
            Line::Game { id, head: Head { version, .. } } => {
                self.end()?;
                self.game = Some(CurrentGame { id: *id, version: *version, reached: 0, snapshot: None });
            }
            Line::Step(step) => {
                let current = self.game.as_mut().ok_or("a step before any game")?;
                current.reached += 1;
                if step.version != current.reached {
                    return Err(format!("expected version {} of {} here", current.reached, current.id));
                }
            }
            Line::Snapshot { version, .. } => {
                let current = self.game.as_mut().ok_or("a snapshot before any game")?;
                if *version > current.reached {
                    return Err(format!(
                        "a snapshot of {} at version {version}, which the game does not have",
                        current.id
                    ));
                }
                match current.snapshot.replace(*version) {
                    None => is_newest_snapshot = true,
                    Some(newer) if *version < newer && keys::is_kept_version(*version) => {}
                    Some(_) => return Err(format!("no snapshot of {} is kept at version {version}", current.id)),
                }
            }
            Line::Start { .. } | Line::End(_) => return Err("allowed as the first line only".to_owned()),
            Line::Command(_) | Line::Family(_) | Line::Player(_) | Line::Revocation(_) => return Ok(None),
        }
        Ok(self.game.as_ref().map(|current| Origin { game: current.id, is_newest_snapshot }))
    }

    /// Checks that the last game has as many steps as its head says.
    pub(super) fn end(&self) -> Result<(), String> {
        match self.game {
            Some(CurrentGame { id, version, reached, .. }) if version != reached => {
                Err(format!("the head of {id} is at version {version}, but the steps end at {reached}"))
            }
            _ => Ok(()),
        }
    }
}
