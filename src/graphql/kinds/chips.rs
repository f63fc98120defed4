//! Chips.

use super::KindId;
use super::shape::tagged;
use async_graphql::{Enum, ID, InputObject, OneofObject, SimpleObject};
use serde::{Deserialize, Serialize};

pub use self::{
    ChipsEvent as Event, ChipsMove as Move, ChipsMoveInput as MoveInput, ChipsOptions as Options,
    ChipsOptionsInput as OptionsInput, ChipsView as View,
};

/// What a chip tastes of. The rarer, the dearer.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ChipsFlavour {
    /// Seven of the 25 chips.
    Plain,
    /// Six of them.
    Onion,
    /// Five of them.
    Barbecue,
    /// Four of them.
    Vinegar,
    /// Three of them.
    Chicken,
}

/// Where a round stands: what everybody is choosing, or that nobody chooses any more.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ChipsStep {
    /// Board 1 is full; everybody throws two cards away.
    DiscardTwo,
    /// Board 2 is full; everybody throws one card away.
    DiscardOne,
    /// Board 3 is full; everybody bets two cards for and one against.
    Bet,
    /// The game's last round has been scored.
    Scored,
}

/// What a met jackpot card does.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ChipsJackpot {
    /// Bet for: the whole game is won.
    WinsGame,
    /// Bet against: the round is lost, whatever the score.
    LosesRound,
}

/// What was agreed before a game of Chips.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ChipsOptions {
    /// What is played.
    pub kind: KindId,
    /// Seconds that a seat may take for a move; 0 for as long as it likes.
    pub move_seconds: i32,
    /// Tokens that end the game; null for 4, or 3 with two players.
    target_tokens: Option<i32>,
    /// The seat that deals first; null if it is drawn by lot.
    first_dealer: Option<i32>,
}

/// What to agree before a game of Chips.
#[derive(InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChipsOptionsInput {
    /// Seconds that a seat may take for a move; 0, or nothing, for as long as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_seconds: Option<i32>,
    /// Tokens that end the game, 1 to 20; 4 unless said otherwise, 3 with two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_tokens: Option<i32>,
    /// The seat that deals first; drawn by lot unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_dealer: Option<i32>,
}

/// A game of Chips as one pair of eyes sees it.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ChipsView {
    /// What is played.
    pub kind: KindId,
    /// The round being played, or the last one, counted from 1.
    round: i32,
    /// What everybody is choosing.
    step: ChipsStep,
    /// The seat that deals; it only matters for display.
    dealer: i32,
    /// Tokens that end the game.
    target_tokens: i32,
    /// The chips of this round, board by board, in the order they were drawn.
    boards: Vec<Vec<ChipsFlavour>>,
    /// Where the chips of each flavour are.
    chips: Vec<ChipsLeft>,
    /// Every seat, in order.
    seats: Vec<ChipsSeat>,
    /// The rounds that were scored, oldest first.
    history: Vec<ChipsRound>,
}

/// Where the chips of a flavour are.
#[derive(Deserialize, SimpleObject)]
pub struct ChipsLeft {
    /// The flavour.
    flavour: ChipsFlavour,
    /// How many are on the boards.
    out: i32,
    /// How many are left in the bag.
    left: i32,
}

/// What lies before a seat in this round.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ChipsSeat {
    /// The seat.
    seat: i32,
    /// Tokens won so far.
    tokens: i32,
    /// Whether the seat has given up.
    resigned: bool,
    /// Whether the seat has chosen in this step.
    chosen: bool,
    /// How many cards the seat has in hand.
    hand_size: i32,
    /// The cards in hand, for their owner only.
    hand: Option<Vec<ID>>,
    /// The cards thrown away in this round, for their owner only.
    discards: Option<Vec<ID>>,
    /// The bet: for its owner as soon as it is sent, for all once it lies face up.
    bet: Option<ChipsBet>,
}

/// Which cards a seat bet on, and against which.
#[derive(Deserialize, SimpleObject)]
pub struct ChipsBet {
    /// The two cards that earn their value if they are met.
    r#for: Vec<ID>,
    /// The card that costs its value if it is met.
    against: ID,
}

/// A round that was scored.
#[derive(Deserialize, SimpleObject)]
pub struct ChipsRound {
    /// Counted from 1.
    round: i32,
    /// The seat that dealt.
    dealer: i32,
    /// All 14 chips, board by board.
    boards: Vec<Vec<ChipsFlavour>>,
    /// Every seat, in order.
    seats: Vec<ChipsRoundSeat>,
}

/// What a seat did in a past round.
#[derive(Deserialize, SimpleObject)]
pub struct ChipsRoundSeat {
    /// The seat.
    seat: i32,
    /// What it bet, unless it had given up.
    bet: Option<ChipsBet>,
    /// What that brought, unless it had given up.
    tally: Option<ChipsTally>,
    /// The cards it threw away, for their owner only.
    discards: Option<Vec<ID>>,
}

/// What a round brought a seat.
#[derive(Deserialize, SimpleObject)]
pub struct ChipsTally {
    /// The values of met objectives: those bet for, less the one bet against.
    score: i32,
    /// The objectives of the seat that were met, on either side.
    met: Vec<ID>,
    /// What the jackpot card did, if the seat had bet it and it was met.
    jackpot: Option<ChipsJackpot>,
    /// The place in the round; equal seats share it.
    rank: i32,
    /// Tokens won in the round.
    gained: i32,
    /// Tokens won so far.
    tokens: i32,
}

/// A seat's bet, face up.
#[derive(Deserialize, SimpleObject)]
pub struct ChipsSeatBet {
    /// Whose bet it is.
    seat: i32,
    /// Which cards lie on which side.
    bet: ChipsBet,
}

/// What a round brought a seat, by seat.
#[derive(Deserialize, SimpleObject)]
pub struct ChipsSeatTally {
    /// Whose tally it is.
    seat: i32,
    /// Score, place and tokens.
    tally: ChipsTally,
}

tagged! {
    /// What a seat chooses in Chips.
    ChipsMove {
        /// Throw cards away, face down: two after the first board, one after the second.
        "DISCARD" => ChipsDiscardMove {
            /// The cards to throw away.
            cards: Vec<ID>,
        },
        /// Bet the three cards left, after the third board.
        "BET" => ChipsBetMove {
            /// The two cards bet to be met.
            r#for: Vec<ID>,
            /// The card bet not to be met.
            against: ID,
        },
    }
}

/// What to choose in Chips.
#[derive(OneofObject, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ChipsMoveInput {
    /// Throw cards away, face down: two after the first board, one after the second.
    Discard(ChipsDiscardInput),
    /// Bet the three cards left, after the third board.
    Bet(ChipsBetInput),
}

/// Which cards to throw away.
#[derive(InputObject, Serialize)]
pub struct ChipsDiscardInput {
    /// The cards to throw away.
    cards: Vec<ID>,
}

/// Which cards to bet on, and against which.
#[derive(InputObject, Serialize)]
pub struct ChipsBetInput {
    /// The two cards bet to be met.
    r#for: Vec<ID>,
    /// The card bet not to be met.
    against: ID,
}

tagged! {
    /// One thing that happened in a game of Chips, as one pair of eyes is told of it.
    ChipsEvent {
        /// All chips went back into the bag and the objectives were shuffled.
        "ROUND_STARTED" => ChipsRoundStartedEvent {
            /// Counted from 1.
            round: i32,
            /// The seat that deals.
            dealer: i32,
        },
        /// A seat was dealt its cards.
        "DEALT" => ChipsDealtEvent {
            /// Whose cards they are.
            seat: i32,
            /// How many there are.
            count: i32,
            /// The cards, for their owner only.
            cards: Option<Vec<ID>>,
        },
        /// Chips were drawn from the bag. The two chips of board 4 come one after the other.
        "DREW" => ChipsDrewEvent {
            /// The board they lie on, counted from 1.
            board: i32,
            /// The chips, in the order they were drawn.
            chips: Vec<ChipsFlavour>,
        },
        /// A seat has chosen.
        "CHOSE" => ChipsChoseEvent {
            /// Who chose.
            seat: i32,
            /// What was chosen, for its owner only.
            choice: Option<ChipsMove>,
        },
        /// All bets were turned face up.
        "REVEALED" => ChipsRevealedEvent {
            /// The bets, by seat.
            bets: Vec<ChipsSeatBet>,
        },
        /// The round was scored and its tokens were handed out.
        "SCORED" => ChipsScoredEvent {
            /// What it brought, by seat.
            tallies: Vec<ChipsSeatTally>,
        },
        /// A seat gave up; the cards before it were set aside, a sealed bet included.
        "SET_ASIDE" => ChipsSetAsideEvent {
            /// Who gave up.
            seat: i32,
            /// The cards, for their owner only.
            cards: Option<Vec<ID>>,
        },
    }
}
