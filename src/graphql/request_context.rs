//! Who asks, in which language, and what has been read for them already.

use super::error::{failed, refuse};
use super::read_set::ReadSet;
use super::transport::{Cost, RequestError};
use crate::app::App;
use crate::auth::Caller;
use crate::codes::Code;
use crate::edge::metrics::Metrics;
use crate::games::{Call, Game, GameError};
use crate::ids::{GameId, PlayerId};
use crate::players::{PlayerError, Players, PublicProfile};
use crate::quota::{Client, Meter, prices};
use crate::rules::Message;
use crate::texts::{Language, Texts};
use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::runtime::{TokioSpawner, TokioTimer};
use async_graphql::{Context, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::OnceCell;

/// One for each HTTP request, shared by the operations of a batch, or for each operation on a socket.
pub struct RequestContext {
    app: Arc<App>,
    pub caller: Option<Caller>,
    pub language: Language,
    /// Games read for this request: each is read once, however often it is asked for.
    games: Mutex<Memo>,
    /// Names are asked for one by one, all over a reply, and read together. Made when the first is asked for.
    profiles: OnceLock<DataLoader<ProfileLoader>>,
    /// What was read so far.
    read_set: Mutex<ReadSet>,
    /// What its work is charged to.
    meter: Arc<Meter>,
}

/// What was read of each game: nothing, if the viewer may not know of it. Whoever asks meanwhile waits for the one read.
type Memo = HashMap<GameId, Arc<OnceCell<Option<Arc<Game>>>>>;

struct ProfileLoader(Arc<Players>);

impl Loader<PlayerId> for ProfileLoader {
    type Value = PublicProfile;
    type Error = PlayerError;

    async fn load(&self, players: &[PlayerId]) -> Result<HashMap<PlayerId, PublicProfile>, PlayerError> {
        let profiles = self.0.public_profiles(players.iter().copied()).await?;
        Ok(profiles.into_iter().map(|profile| (profile.id, profile)).collect())
    }
}

impl RequestContext {
    pub fn new(app: Arc<App>, caller: Option<Caller>, language: Language, meter: Arc<Meter>) -> Arc<Self> {
        let (games, profiles, read_set) = Default::default();
        Arc::new(Self { app, caller, language, games, profiles, read_set, meter })
    }

    /// Of the operation that is being executed.
    pub fn of<'a>(ctx: &Context<'a>) -> Result<&'a Arc<Self>> {
        ctx.data()
    }

    /// The service, for whatever has no door of its own below. It may answer otherwise the next time, even if no game has
    /// changed: an answer that came through here is never given again.
    pub fn app(&self) -> &Arc<App> {
        self.read_set().note_elsewhere();
        &self.app
    }

    /// The service, for what is no part of an answer's data.
    pub fn unread_app(&self) -> &Arc<App> {
        &self.app
    }

    /// The client whose work this is.
    pub fn client(&self) -> Client {
        self.meter.client(self.viewer())
    }

    /// Charges the client for an operation; refuses what it can't pay now, or never.
    pub fn charge(&self, points: u32) -> Result<(), RequestError> {
        self.can_ever_pay(points)?;
        Ok(self.meter.charge_rest(&self.app.edge.budgets, self.viewer(), points)?)
    }

    /// Charges the client for parsing or validating what was not seen lately, whatever becomes of it: points beyond those
    /// that were charged for the request itself.
    pub fn charge_unseen(&self, points: u32) -> Result<(), RequestError> {
        if points == 0 {
            return Ok(());
        }
        self.can_ever_pay(points.saturating_add(prices::DOCUMENT))?;
        Ok(self.meter.charge(&self.app.edge.budgets, self.viewer(), points)?)
    }

    fn can_ever_pay(&self, points: u32) -> Result<(), RequestError> {
        let units = points.div_ceil(prices::UNIT);
        match self.app.edge.budgets.max_price(&self.client()) {
            Some(most) if units > most => Err(RequestError::too_expensive(units, most)),
            _ => Ok(()),
        }
    }

    /// Charges the client for something that it is sent without asking each time: waits until it can pay.
    pub async fn pace(&self, points: u32) {
        self.meter.pace(&self.app.edge.budgets, self.viewer(), points).await;
    }

    /// What was charged and what is left, where there is a limit.
    pub fn cost(&self, points: u32) -> Option<Cost> {
        let balance = self.meter.balance()?;
        let price = points.div_ceil(prices::UNIT).max(1);
        Some(Cost { price, remaining: balance.remaining, quota: balance.quota })
    }

    /// What was read of the service so far, if only games and names were.
    pub fn read(&self) -> Option<ReadSet> {
        self.read_set().clone().only()
    }

    /// Whether the caller would read the same again.
    pub async fn reads_again(&self, read_set: &ReadSet) -> bool {
        read_set.stand(&self.app, self.viewer()).await
    }

    /// Counts what goes on.
    pub fn metrics(&self) -> &Metrics {
        &self.app.edge.metrics
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
        Ok(Call::new(self.signed_in()?.player, key, self.meter.address()))
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
        let game = read.await.cloned()?;
        self.read_set().note_game(id, game.as_deref());
        Ok(game)
    }

    /// A game has changed in the meantime.
    pub fn forget(&self, id: GameId) {
        self.memo().remove(&id);
    }

    /// What everybody may see of a player, if there is such a player.
    pub async fn profile(&self, player: PlayerId) -> Result<Option<PublicProfile>> {
        let profiles = self.profiles.get_or_init(|| {
            let loader = ProfileLoader(self.app.players.clone());
            DataLoader::new(loader, TokioSpawner::current(), TokioTimer::default())
        });
        let profile = profiles.load_one(player).await.map_err(|error| failed(self, error))?;
        self.read_set().note_profile(player, profile.as_ref());
        Ok(profile)
    }

    /// A sentence in the reader's language.
    pub fn say(&self, message: &Message) -> String {
        self.app.texts.render(message, self.language)
    }

    pub fn texts(&self) -> &Texts {
        &self.app.texts
    }

    fn read_set(&self) -> MutexGuard<'_, ReadSet> {
        self.read_set.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn memo(&self) -> MutexGuard<'_, Memo> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
