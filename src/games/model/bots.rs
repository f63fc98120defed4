//! Bots of a game: who they are, and the moves they make.
//!
//! A bot's move is a function of what its seat knew at one version, its level, the version of the kind's bot, and a seed
//! that is derived from the game's. So anybody who has the replay of a finished game can compute every move of its bots.

use super::game::Game;
use super::step::{Action, Event, KindMove, TableEvent};
use crate::games::error::GameError;
use crate::games::ports::Status;
use crate::ids::BotPlayer;
use crate::rules::any::AnyMove;
use crate::rules::{Dice, Instant, Seat, Seed, bots};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use std::collections::VecDeque;

/// Domain separation: the purpose for which bots' seeds are derived from the game's, so that they tell nothing about the
/// dice.
const LABEL: &str = "ludotheque/bots/1";

/// How many versions a game may have gone on since the one that a bot looked at.
pub const MOST_VERSIONS_BEHIND: u64 = 64;

/// Latest versions of a game, to compute the moves of its bots again.
#[derive(Default)]
pub struct RecentVersions(VecDeque<Game>);

impl RecentVersions {
    pub fn push(&mut self, game: Game) {
        if self.0.len() as u64 == MOST_VERSIONS_BEHIND {
            self.0.pop_front();
        }
        self.0.push_back(game);
    }

    pub fn newest(&self) -> Option<&Game> {
        self.0.back()
    }

    /// Computes the move again, if the action is one of a bot; what differs, in words.
    pub fn check(&self, action: &Action) -> Result<(), String> {
        let Action::BotPlay { seat, mv, seen } = action else { return Ok(()) };
        let game = self.0.iter().find(|game| game.version == *seen);
        let game = game.ok_or_else(|| format!("was chosen by a bot that looked at version {seen}, too long before"))?;
        let bot = game.bot_on(*seat).ok_or_else(|| format!("was chosen by a bot, but there is none on seat {seat}"))?;
        if bot.version != game.rules.bot_version() {
            return Err(format!("was chosen by version {} of the bot, which this build does not have", bot.version));
        }
        match game.bot_move(*seat) {
            Some(chosen) if chosen.id == mv.id() => Ok(()),
            chosen => {
                let chosen = chosen.map_or_else(|| "no move".to_owned(), |chosen| chosen.id);
                Err(format!("is not the move of the bot on seat {seat}, which is {chosen}"))
            }
        }
    }
}

impl Game {
    /// The bot on a seat.
    pub fn bot_on(&self, seat: Seat) -> Option<BotPlayer> {
        BotPlayer::of((*self.seats.get(seat.index())?)?)
    }

    /// Seats a bot in the lobby.
    pub(super) fn add_bot(
        &mut self,
        wanted: Option<Seat>,
        level: u8,
        version: u8,
        events: &mut Vec<Event>,
    ) -> Result<(), GameError> {
        if self.status != Status::Lobby {
            return Err(if self.status.is_over() { GameError::GameOver } else { GameError::AlreadyStarted });
        }
        let is_free = |seat: &Seat| self.seats[seat.index()].is_none() && self.held[seat.index()].is_none();
        let seat = match wanted {
            Some(seat) if seat.index() >= self.seats.len() => return Err(GameError::NotFound),
            Some(seat) => Some(seat).filter(is_free),
            None => Seat::all(self.size()).find(is_free),
        };
        let seat = seat.ok_or(GameError::SeatTaken)?;
        let numbers: Vec<_> =
            Seat::all(self.size()).filter_map(|seat| self.bot_on(seat)).map(|bot| bot.number).collect();
        let number = (0..=u8::MAX).find(|number| !numbers.contains(number)).expect("a table has fewer seats than that");
        let player = BotPlayer { version, level, number }.id();
        self.seats[seat.index()] = Some(player);
        events.push(Event::Table(TableEvent::SatDown { seat, player }));
        Ok(())
    }

    /// The bots that the game waits for, each with the moment from which it moves.
    pub(in crate::games) fn waiting_bots(&self) -> impl Iterator<Item = (Seat, Instant)> + '_ {
        self.waiting.iter().filter_map(|(seat, since)| {
            let bot = self.bot_on(*seat)?;
            let level = self.rules.bot_levels().get(usize::from(bot.level).checked_sub(1)?)?;
            let range = level.reaction.end() - level.reaction.start();
            let reaction = level.reaction.start() + self.bot_dice(*seat, b"reaction", since.0).below(range + 1);
            Some((*seat, Instant(since.0 + i64::from(reaction))))
        })
    }

    /// The move that the bot on this seat makes now; `None` if it waits for others.
    pub(in crate::games) fn bot_move(&self, seat: Seat) -> Option<AnyMove> {
        let (bot, running) = (self.bot_on(seat)?, self.running.as_ref()?);
        // The time of the version, and not of the thinking, so that it can be computed again.
        let version = i64::try_from(self.version).ok()?;
        let seed = self.bot_dice(seat, b"move", version).seed();
        bots::choose(self.rules, &running.state, seat, bot.level, self.updated_at, seed)
    }

    /// The step by which the bot on this seat moves.
    pub(in crate::games) fn bot_play(&self, seat: Seat) -> Option<Action> {
        Some(Action::BotPlay { seat, mv: KindMove::Typed(self.bot_move(seat)?), seen: self.version })
    }

    /// Random numbers for the bot on a seat.
    fn bot_dice(&self, seat: Seat, purpose: &[u8], at: i64) -> Dice {
        let text = [LABEL.as_bytes(), b"\0", purpose, b"\0", &[seat.0], &at.to_be_bytes()].concat();
        let seed = sign(&Key::new(HMAC_SHA256, &self.seed.0), &text);
        Dice::new(Seed(seed.as_ref().try_into().expect("HMAC-SHA-256 has 32 bytes")))
    }
}

/// Whether the step of a bot can still be taken: the game waits for its seat, and has not gone on for too long.
pub(in crate::games) fn is_timely(action: &Action, game: &Game) -> bool {
    let Action::BotPlay { seat, seen, .. } = action else { return false };
    let is_recent = game.version.checked_sub(*seen).is_some_and(|behind| behind < MOST_VERSIONS_BEHIND);
    is_recent && game.waiting.iter().any(|(waiting, _)| waiting == seat)
}
