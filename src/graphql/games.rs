//! A game, as its viewer sees it.

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

/// A game, and the eyes that look at it.
pub struct Game {
    pub game: Arc<crate::games::Game>,
    pub eyes: Eyes,
    /// Whether this is how it stands, and not how it once stood.
    present: bool,
}

/// Where a game is in its life.
#[derive(Clone, Copy, Enum, PartialEq, Eq)]
#[graphql(remote = "Status")]
pub enum GameStatus {
    /// It has not begun: players come and go.
    Lobby,
    /// It is being played.
    Active,
    /// It was played to its end.
    Finished,
    /// It was given up by everybody, or never began.
    Abandoned,
}

/// Who may find a game.
#[derive(Clone, Copy, Default, Enum, PartialEq, Eq)]
#[graphql(remote = "Listed")]
pub enum Visibility {
    /// Listed, and readable by anybody.
    #[default]
    Public,
    /// Known only to those seated or invited; to all others it does not exist.
    Unlisted,
}

/// One seat of a game.
#[derive(SimpleObject)]
pub struct Seat {
    /// Its number, from 0 on.
    seat: i32,
    /// Who sits there; null while it is free.
    player: Option<Player>,
    /// For whom it is held, in the lobby of a rematch: the player takes it by asking for the rematch too, or by sitting
    /// down.
    invited: Option<Player>,
    /// Whether the player gave up; the seat stays, but acts no more.
    resigned: bool,
    /// What the seat chose in the lobby, in kinds that let it.
    choice: Option<SeatChoice>,
}

/// The promise that the dice were not chosen along the way, and that no step is changed afterwards.
#[derive(SimpleObject)]
pub struct Fairness {
    /// Hex SHA-256 of `ludotheque/1`, a zero byte, the game's id, a zero byte and the 32 seed bytes.
    commitment: String,
    /// All of the game's chance, in hex; null until the game is over.
    seed: Option<String>,
    /// Binds every step up to this version: hex HMAC-SHA-256 under a key derived from the seed. The replay of the game
    /// must lead to the same value; docs/fairness.md says how to compute it.
    chain: String,
}

impl Game {
    /// As it stands, to a viewer.
    pub fn of(game: Arc<crate::games::Game>, viewer: Option<PlayerId>) -> Self {
        let eyes = game.eyes(viewer);
        Self { game, eyes, present: true }
    }

    /// As it once stood, to somebody's present eyes.
    pub fn past(game: Arc<crate::games::Game>, eyes: Eyes) -> Self {
        Self { game, eyes, present: false }
    }
}

/// A game, as the caller sees it.
#[Object]
impl Game {
    /// The same on every face.
    pub async fn id(&self) -> Result<ID> {
        Ok(self.game.id.into())
    }

    /// What is played.
    async fn kind(&self) -> Kind {
        Kind(self.game.rules)
    }

    /// Where it is in its life.
    async fn status(&self) -> GameStatus {
        self.game.status.into()
    }

    /// How many steps it has had.
    async fn version(&self) -> i32 {
        int(self.game.version)
    }

    /// What was agreed.
    async fn options(&self) -> GameOptions {
        GameOptions::of_kind(self.game.rules, self.game.shown_options())
    }

    /// Who may find it.
    async fn visibility(&self) -> Visibility {
        self.game.visibility.into()
    }

    /// What lets others into an unlisted game; shown to its members only.
    async fn invite_code(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        let viewer = RequestContext::of(ctx)?.viewer();
        Ok(self.game.invite.clone().filter(|_| viewer.is_some_and(|player| self.game.is_member(player))))
    }

    /// Who has a say in the lobby.
    async fn host(&self) -> Player {
        Player(self.game.host)
    }

    /// Every seat, in order.
    #[graphql(complexity = "1 + 5 * child_complexity")]
    async fn seats(&self) -> Vec<Seat> {
        let all = rules::Seat::all(self.game.size()).map(|one| Seat {
            seat: seat(one),
            player: self.game.seats[one.index()].map(Player),
            invited: self.game.held[one.index()].map(Player),
            resigned: self.game.resigned.contains(&one),
            choice: self.game.chosen(one).map(|choice| SeatChoice::of_kind(self.game.rules, choice.clone())),
        });
        all.collect()
    }

    /// The caller's seat; null for a spectator.
    async fn you(&self) -> Option<i32> {
        match self.eyes {
            Eyes::Seat(own) => Some(seat(own)),
            Eyes::Spectator | Eyes::Replay => None,
        }
    }

    /// The seats whose move is awaited; none while nobody can move yet.
    async fn waiting_for(&self) -> Vec<i32> {
        seats(self.game.waiting_for())
    }

    /// When the first of them will be late; null if there are none, or they may take as long as they like.
    async fn deadline(&self) -> Option<DateTime> {
        self.game.deadline().map(DateTime)
    }

    /// What the caller may see of the table; null before the start.
    #[graphql(complexity = "1 + work(prices::VIEW) + child_complexity")]
    async fn view(&self) -> Option<GameView> {
        self.game.view(self.eyes).map(|view| GameView::of_kind(self.game.rules, view))
    }

    /// What the caller's seat may play now; null for a spectator, and in a look at the past.
    #[graphql(complexity = "1 + work(prices::LEGAL_MOVES) + child_complexity")]
    async fn legal_moves(&self, ctx: &Context<'_>) -> Option<Result<LegalMoves>> {
        let Eyes::Seat(own) = self.eyes else { return None };
        self.present.then(|| Ok(LegalMoves::of(RequestContext::of(ctx)?, &self.game, own)))
    }

    /// How it ended; null until then.
    async fn outcome(&self) -> Option<Outcome> {
        self.game.outcome.clone().map(|outcome| Outcome::of_service(self.game.rules, outcome))
    }

    /// The promise that the dice were not chosen along the way, and that no step is changed afterwards.
    async fn fairness(&self) -> Fairness {
        let seed = self.game.status.is_over().then(|| Hex(&self.game.seed.0).to_string());
        Fairness { commitment: self.game.commitment().to_string(), seed, chain: self.game.chain.to_string() }
    }

    /// Which rules it is played by, for ever.
    async fn rules_version(&self) -> u32 {
        self.game.rules.info().rules_version
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime {
        DateTime(self.game.created_at)
    }

    /// When it last had a step.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.game.updated_at)
    }
}
