//! The `Game` type: a game as its viewer sees it.

use super::catalogue::Kind;
use super::field_cost::work;
use super::kinds::{GameOptions, GameView, Outcome, SeatChoice};
use super::moves::LegalMoves;
use super::players::Player;
use super::request_context::RequestContext;
use super::scalars::{DateTime, int, seat, seats};
use crate::games::ports::Status;
use crate::games::step::Visibility as Listed;
use crate::ids::PlayerId;
use crate::quota::prices;
use crate::rules::dice::Hex;
use crate::rules::{self, Eyes};
use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use std::sync::Arc;

/// A game and its viewer.
pub struct Game {
    pub game: Arc<crate::games::Game>,
    pub eyes: Eyes,
    /// Whether this is the current version, and not an earlier one.
    present: bool,
}

/// The phase that a game is in.
#[derive(Clone, Copy, Enum, PartialEq, Eq)]
#[graphql(remote = "Status")]
pub enum GameStatus {
    /// Not started yet: players join and leave.
    Lobby,
    /// Being played.
    Active,
    /// Played to its end.
    Finished,
    /// All players left or resigned, or the lobby was idle for 24 hours.
    Abandoned,
}

/// Who can find a game.
#[derive(Clone, Copy, Default, Enum, PartialEq, Eq)]
#[graphql(remote = "Listed")]
pub enum Visibility {
    /// Listed, and everyone can read it.
    #[default]
    Public,
    /// Only its members can see it: the host, the seated players, players for whom a seat is held, and players who have
    /// accepted its invite. For all others it does not exist.
    Unlisted,
}

/// One seat of a game.
#[derive(SimpleObject)]
pub struct Seat {
    /// The seat's number, counted from 0.
    seat: i32,
    /// The player on the seat; null while it is free.
    player: Option<Player>,
    /// The bot that plays on the seat; null if a person does, or nobody. `player` has its name.
    bot: Option<SeatBot>,
    /// The player for whom the seat is held in the lobby of a rematch; null if nobody. The player takes it with
    /// `createRematch` or `sitDown`.
    invited: Option<Player>,
    /// Whether the player resigned. The player keeps the seat, but it makes no more moves.
    resigned: bool,
    /// What the seat chose in the lobby; null if nothing, or if the kind has no such choice.
    choice: Option<SeatChoice>,
}

/// A bot on a seat: a player that is a program.
#[derive(SimpleObject)]
pub struct SeatBot {
    /// How strong it plays, from 1.
    level: i32,
}

/// Proof that the random numbers were fixed before the game and that no step was changed afterwards.
#[derive(SimpleObject)]
pub struct Fairness {
    /// Commitment to the seed, shown from the creation of the game on: hex SHA-256 of `ludotheque/1`, a zero byte, the
    /// game's id, a zero byte and the 32 seed bytes.
    commitment: String,
    /// The seed of all random numbers of the game, in hex; null until the game is over.
    seed: Option<String>,
    /// Hash chain over all steps up to this version: hex HMAC-SHA-256 under a key derived from the seed. The replay of
    /// the game must lead to the same value; docs/fairness.md in the server's repository describes how to compute it.
    chain: String,
}

impl Game {
    /// The current version, as this player sees it.
    pub fn of(game: Arc<crate::games::Game>, viewer: Option<PlayerId>) -> Self {
        let eyes = game.eyes(viewer);
        Self { game, eyes, present: true }
    }

    /// An earlier version, as seen through `eyes`.
    pub fn past(game: Arc<crate::games::Game>, eyes: Eyes) -> Self {
        Self { game, eyes, present: false }
    }
}

/// A game, as the caller sees it.
#[Object]
impl Game {
    /// The game's id; the same in REST and GraphQL.
    pub async fn id(&self) -> Result<ID> {
        Ok(self.game.id.into())
    }

    /// The kind of the game.
    async fn kind(&self) -> Kind {
        Kind(self.game.rules)
    }

    /// Whether the game is in its lobby, active, finished or abandoned.
    async fn status(&self) -> GameStatus {
        self.game.status.into()
    }

    /// The number of steps so far. Every step increases it by one.
    async fn version(&self) -> i32 {
        int(self.game.version)
    }

    /// The options of the game.
    async fn options(&self) -> GameOptions {
        GameOptions::of_kind(self.game.rules, self.game.shown_options())
    }

    /// Who can find the game.
    async fn visibility(&self) -> Visibility {
        self.game.visibility.into()
    }

    /// The code for `acceptInvite`; null unless the game is unlisted and the caller is one of its members.
    async fn invite_code(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        let viewer = RequestContext::of(ctx)?.viewer();
        Ok(self.game.invite.clone().filter(|_| viewer.is_some_and(|player| self.game.is_member(player))))
    }

    /// The host, who can change the lobby and start the game: the player who created it, or who took over when the host
    /// left.
    async fn host(&self) -> Player {
        Player(self.game.host)
    }

    /// All seats, in order.
    #[graphql(complexity = "1 + 5 * child_complexity")]
    async fn seats(&self) -> Vec<Seat> {
        let all = rules::Seat::all(self.game.size()).map(|one| Seat {
            seat: seat(one),
            player: self.game.seats[one.index()].map(Player),
            bot: self.game.bot_on(one).map(|bot| SeatBot { level: bot.level.into() }),
            invited: self.game.held[one.index()].map(Player),
            resigned: self.game.resigned.contains(&one),
            choice: self.game.chosen(one).map(|choice| SeatChoice::of_kind(self.game.rules, choice.clone())),
        });
        all.collect()
    }

    /// The caller's seat; null for spectators.
    async fn you(&self) -> Option<i32> {
        match self.eyes {
            Eyes::Seat(own) => Some(seat(own)),
            Eyes::Spectator | Eyes::Replay => None,
        }
    }

    /// The seats whose turn it is; empty if no seat can move.
    async fn waiting_for(&self) -> Vec<i32> {
        seats(self.game.waiting_for())
    }

    /// When the next seat in `waitingFor` runs out of time; null if no seat can move, or if the game has no time limit.
    async fn deadline(&self) -> Option<DateTime> {
        self.game.deadline().map(DateTime)
    }

    /// The state of the game as the caller sees it, without what is hidden from them; null before the start.
    #[graphql(complexity = "1 + work(prices::VIEW) + child_complexity")]
    async fn view(&self) -> Option<GameView> {
        self.game.view(self.eyes).map(|view| GameView::of_kind(self.game.rules, view))
    }

    /// The legal moves of the caller's seat; null for spectators, and for an earlier version.
    #[graphql(complexity = "1 + work(prices::LEGAL_MOVES) + child_complexity")]
    async fn legal_moves(&self, ctx: &Context<'_>) -> Option<Result<LegalMoves>> {
        let Eyes::Seat(own) = self.eyes else { return None };
        self.present.then(|| Ok(LegalMoves::of(RequestContext::of(ctx)?, &self.game, own)))
    }

    /// The result; null until the game is over.
    async fn outcome(&self) -> Option<Outcome> {
        self.game.outcome.clone().map(|outcome| Outcome::of_service(self.game.rules, outcome))
    }

    /// Proof that the random numbers were fixed before the game and that no step was changed afterwards.
    async fn fairness(&self) -> Fairness {
        let seed = self.game.status.is_over().then(|| Hex(&self.game.seed.0).to_string());
        Fairness { commitment: self.game.commitment().to_string(), seed, chain: self.game.chain.to_string() }
    }

    /// The version of the rules; a game keeps the one that it was created with.
    async fn rules_version(&self) -> u32 {
        self.game.rules.info().rules_version
    }

    /// When the game was created.
    async fn created_at(&self) -> DateTime {
        DateTime(self.game.created_at)
    }

    /// When the last step was taken.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.game.updated_at)
    }
}
