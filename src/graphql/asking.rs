//! Who asks, in which language, and what has been read for them already.

use super::error::{failed, refuse};
use crate::app::App;
use crate::auth::Caller;
use crate::codes::Code;
use crate::games::{Call, Game, GameError};
use crate::ids::{GameId, PlayerId};
use crate::players::{PlayerError, Players, PublicProfile};
use crate::rules::Message;
use crate::texts::Language;
use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::runtime::{TokioSpawner, TokioTimer};
use async_graphql::{Context, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// One for each HTTP request, shared by the operations of a batch, or for each operation on a socket.
pub struct Asking {
    pub app: Arc<App>,
    pub caller: Option<Caller>,
    pub language: Language,
    /// Games read for this request: each is read once, however often it is asked for.
    games: Mutex<Memo>,
    /// Names are asked for one by one, all over a reply, and read together.
    profiles: DataLoader<ProfileLoader>,
}

/// What was read of each game: nothing, if the viewer may not know of it. Whoever asks meanwhile waits for the one read.
type Memo = HashMap<GameId, Arc<OnceCell<Option<Arc<Game>>>>>;

struct ProfileLoader(Arc<Players>);

impl Loader<PlayerId> for ProfileLoader {
    type Value = PublicProfile;
    type Error = PlayerError;

    async fn load(&self, players: &[PlayerId]) -> Result<HashMap<PlayerId, PublicProfile>, PlayerError> {
        self.0.public_profiles(players.iter().copied()).await
    }
}

impl Asking {
    /// Only within a runtime.
    pub fn new(app: Arc<App>, caller: Option<Caller>, language: Language) -> Arc<Self> {
        let loader = ProfileLoader(app.players.clone());
        let profiles = DataLoader::new(loader, TokioSpawner::current(), TokioTimer::default());
        Arc::new(Self { app, caller, language, games: Mutex::default(), profiles })
    }

    /// Of the operation that is being executed.
    pub fn of<'a>(ctx: &Context<'a>) -> Result<&'a Arc<Self>> {
        ctx.data()
    }

    /// The player who asks, if anybody in particular.
    pub fn viewer(&self) -> Option<PlayerId> {
        self.caller.map(|caller| caller.player)
    }

    /// The player who asks; nobody in particular is refused.
    pub fn signed_in(&self) -> Result<Caller> {
        self.caller.ok_or_else(|| refuse(self, Code::Unauthenticated))
    }

    /// The player who asks for a step, under a key or not.
    pub fn call(&self, key: Option<&str>) -> Result<Result<Call, GameError>> {
        Ok(Call::new(self.signed_in()?.player, key))
    }

    /// A game as it stands, if there is one that the viewer may know of.
    pub async fn game(&self, id: GameId) -> Result<Option<Arc<Game>>> {
        let cell = self.memo().entry(id).or_default().clone();
        let read = cell.get_or_try_init(|| async {
            match self.app.games.visible(id, self.viewer()).await {
                Ok(game) => Ok(Some(game)),
                Err(GameError::NotFound) => Ok(None),
                Err(error) => Err(failed(self, error)),
            }
        });
        read.await.cloned()
    }

    /// A game has changed in the meantime.
    pub fn forget(&self, id: GameId) {
        self.memo().remove(&id);
    }

    /// What everybody may see of a player, if there is such a player.
    pub async fn profile(&self, player: PlayerId) -> Result<Option<PublicProfile>> {
        self.profiles.load_one(player).await.map_err(|error| failed(self, error))
    }

    /// A sentence in the reader's language.
    pub fn say(&self, message: &Message) -> String {
        self.app.texts.render(message, self.language)
    }

    fn memo(&self) -> MutexGuard<'_, Memo> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
