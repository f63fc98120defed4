//! Care of the signing keys. The server may be running: it reads them again when they change.

use super::Result;
use crate::auth::keys::folder_of;
use crate::auth::{KeyError, Keys};
use crate::config::{KeyAction, Settings};
use std::process::ExitCode;

pub fn run(settings: &Settings, action: &KeyAction) -> Result<ExitCode> {
    let keys = existing(settings)?;
    match action {
        KeyAction::List => {
            for key in keys.list() {
                let made = key.made_at.and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok());
                let made = made.map_or_else(|| "from the environment".to_owned(), |at| format!("made {at:.0}"));
                println!("{}  {made}{}", key.kid, if key.signs { "  signs" } else { "" });
            }
        }
        KeyAction::Rotate => println!("{}", keys.rotate()?),
        KeyAction::Remove { kid } => keys.remove(kid)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The keys, but never new ones: a mistyped folder has none.
pub fn existing(settings: &Settings) -> Result<Keys> {
    let folder = folder_of(&settings.data);
    if settings.signing_key.is_empty() && !folder.is_dir() {
        return Err(format!("there are no keys in {}", folder.display()).into());
    }
    settings.keys().map_err(|error: KeyError| error.into())
}
