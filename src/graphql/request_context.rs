//! Request context: the caller, the language, and caches for what this request has read.

use super::error::{error_with_code, graphql_error};
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

/// There is one for each HTTP request, shared by the operations of a batch, and one for each operation on a WebSocket.
pub struct RequestContext {
    app: Arc<App>,
    pub caller: Option<Caller>,
    pub language: Language,
    /// Games that this request has read: each is loaded once.
    games: Mutex<Memo>,
    /// Loads the names of players in batches. Created on first use.
    profiles: OnceLock<DataLoader<ProfileLoader>>,
    /// What was read so far, for the response cache.
    read_set: Mutex<ReadSet>,
    /// The meter that the request's work is charged to.
    meter: Arc<Meter>,
}

/// Loaded games; `None` for one that is hidden from the viewer or does not exist. Concurrent readers wait for one load.
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

    /// The context of the operation that is being executed.
    pub fn of<'a>(ctx: &Context<'a>) -> Result<&'a Arc<Self>> {
        ctx.data()
    }

    /// Escape hatch to the whole app. Reads through it are not tracked, so an answer that used it is never cached.
    pub fn app(&self) -> &Arc<App> {
        self.read_set().note_untracked();
        &self.app
    }

    /// The app, for purposes that do not affect the data of an answer.
    pub fn untracked_app(&self) -> &Arc<App> {
        &self.app
    }

    pub fn client(&self) -> Client {
        self.meter.client(self.viewer())
    }

    /// Charges the client for an operation. Fails if the client can't pay now, or if the price exceeds its whole
    /// budget.
    pub fn charge(&self, points: u32) -> Result<(), RequestError> {
        self.can_ever_pay(points)?;
        Ok(self.meter.charge_rest(&self.app.edge.budgets, self.viewer(), points)?)
    }

    /// Charges the client for parsing or validating a document that is not in the cache, also if it turns out invalid.
    /// These points are in addition to those of the request itself.
    pub fn charge_new_document(&self, points: u32) -> Result<(), RequestError> {
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

    /// Charges the client for an event of a subscription: waits until the client can pay.
    pub async fn pace(&self, points: u32) {
        self.meter.pace(&self.app.edge.budgets, self.viewer(), points).await;
    }

    /// The price of an operation and what is left of the budget; `None` if there is no limit.
    pub fn cost(&self, points: u32) -> Option<Cost> {
        let balance = self.meter.balance()?;
        let price = points.div_ceil(prices::UNIT).max(1);
        Some(Cost { price, remaining: balance.remaining, quota: balance.quota })
    }

    /// What was read so far; `None` if something was read that is not tracked.
    pub fn complete_read_set(&self) -> Option<ReadSet> {
        self.read_set().clone().if_complete()
    }

    pub async fn is_current(&self, read_set: &ReadSet) -> bool {
        read_set.is_current(&self.app, self.viewer()).await
    }

    pub fn metrics(&self) -> &Metrics {
        &self.app.edge.metrics
    }

    /// The calling player; `None` without a token.
    pub fn viewer(&self) -> Option<PlayerId> {
        self.caller.map(|caller| caller.player)
    }

    /// The caller. Fails with `UNAUTHENTICATED` without a token.
    pub fn signed_in(&self) -> Result<Caller> {
        self.caller.ok_or_else(|| error_with_code(self, Code::Unauthenticated))
    }

    /// The caller of a step, with an idempotency key or without.
    pub fn call(&self, key: Option<&str>) -> Result<Result<Call, GameError>> {
        Ok(Call::new(self.signed_in()?.player, key, self.meter.address()))
    }

    /// The current version of a game, if the caller can see it.
    pub async fn game(&self, id: GameId) -> Result<Option<Arc<Game>>> {
        let cell = self.memo().entry(id).or_default().clone();
        let read = cell.get_or_try_init(|| async {
            match self.app.games.visible(id, self.viewer()).await {
                Ok(game) => Ok(Some(game)),
                Err(GameError::NotFound) => Ok(None),
                Err(error) => Err(graphql_error(self, error)),
            }
        });
        let game = read.await.cloned()?;
        self.read_set().note_game(id, game.as_deref());
        Ok(game)
    }

    /// Drops a game that this request has changed from the cache.
    pub fn forget(&self, id: GameId) {
        self.memo().remove(&id);
    }

    /// The public profile of a player, if there is such a player.
    pub async fn profile(&self, player: PlayerId) -> Result<Option<PublicProfile>> {
        let profiles = self.profiles.get_or_init(|| {
            let loader = ProfileLoader(self.app.players.clone());
            DataLoader::new(loader, TokioSpawner::current(), TokioTimer::default())
        });
        let profile = profiles.load_one(player).await.map_err(|error| graphql_error(self, error))?;
        self.read_set().note_profile(player, profile.as_ref());
        Ok(profile)
    }

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
