//! Management of the signing keys. The server may be running: it reloads them when they change.

use super::Result;
use crate::auth::keys::folder_of;
use crate::auth::{Keys, Vault};
use crate::config::{KeyAction, Settings};
use crate::store::Observer;
use crate::store::postgres::PostgresStore;
use std::process::ExitCode;
use tokio::runtime::Runtime;

pub fn run(settings: &Settings, action: &KeyAction) -> Result<ExitCode> {
    let Existing { keys, runtime: _alive } = existing(settings)?;
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

/// Existing keys, and the runtime that the vault in a database needs.
pub struct Existing {
    pub keys: Keys,
    pub runtime: Option<Runtime>,
}

/// Opens the keys, but never creates any: a mistyped folder or an empty database is an error.
pub fn existing(settings: &Settings) -> Result<Existing> {
    if !settings.signing_key.is_empty() {
        return Ok(Existing { keys: settings.keys()?, runtime: None });
    }
    match settings.database(Observer::default()) {
        Some(database) => {
            let runtime = Runtime::new()?;
            let vault = runtime.block_on(async { PostgresStore::open(&database).await.map(|store| store.vault()) })?;
            if vault.kids()?.is_empty() {
                return Err("there are no keys in the database".into());
            }
            Ok(Existing { keys: Keys::in_vault(Box::new(vault))?, runtime: Some(runtime) })
        }
        None => {
            let folder = folder_of(&settings.data);
            if !folder.is_dir() {
                return Err(format!("there are no keys in {}", folder.display()).into());
            }
            Ok(Existing { keys: settings.keys()?, runtime: None })
        }
    }
}
