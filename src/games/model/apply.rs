//! Event-sourcing core: applies one action to a game. Requests, replayed steps and verification share this code, so
//! they cannot disagree.

use super::game::Game;
use super::hash_chain::Bound;
use super::options::{TableOptions, read_options};
use super::step::{Action, Event, KindMove, TableEvent, Text};
use crate::games::error::GameError;
use crate::games::ports::Status;
use crate::ids::PlayerId;
use crate::rules::any::{AnyMove, AnyNext, AnyState};
use crate::rules::{Dice, Illegal, Instant, Lobby, Message, Seat};
use serde_json::Value;
use std::borrow::Cow;

/// A game after an action, and the events of that action.
pub struct Applied {
    pub game: Game,
    /// The seat that acted, if the actor has one.
    pub seat: Option<Seat>,
    pub events: Vec<Event>,
}

impl Game {
    /// Applies the action, or returns why it is refused. `at` is never earlier than the previous step.
    pub fn apply(&self, by: Option<PlayerId>, action: &Action, at: Instant) -> Result<Applied, GameError> {
        let mut game = Game { version: self.version + 1, updated_at: at, ..self.clone() };
        let mut events = Vec::new();
        let seat = by.and_then(|player| self.seat_of(player));
        let seat = match action {
            Action::Create(_) | Action::Rematch { .. } => return Err(GameError::AlreadyStarted),
            Action::Sit { seat: wanted } => Some(game.sit(acting_player(by)?, *wanted, &mut events)?),
            Action::Stand => {
                game.stand(acting_player(by)?, &mut events)?;
                seat
            }
            Action::Remove { seat: removed } => {
                game.must_be_hosted_by(by)?;
                game.must_be_in_lobby()?;
                game.remove(*removed, &mut events)?;
                seat
            }
            Action::Configure { seats, options } => {
                game.must_be_hosted_by(by)?;
                game.configure(*seats, options, &mut events)?;
                seat
            }
            Action::Enter => {
                game.enter(acting_player(by)?, &mut events)?;
                seat
            }
            Action::Start => {
                game.must_be_hosted_by(by)?;
                game.start(None, at, &mut events)?;
                seat
            }
            Action::Begin { prepared } => {
                game.must_be_hosted_by(by)?;
                game.start(Some(&prepared.0), at, &mut events)?;
                seat
            }
            Action::Choose { choice } => {
                game.choose(seat.ok_or(GameError::NotSeated)?, &choice.0, &mut events)?;
                seat
            }
            Action::Aside { aside } => {
                let seat = seat.ok_or(GameError::NotSeated)?;
                game.must_be_active()?;
                game.advance_by(&mut events, |game, state, _| game.rules.aside(state, seat, aside, at))?;
                Some(seat)
            }
            Action::Play { mv } => {
                let seat = seat.ok_or(GameError::NotSeated)?;
                let mv = self.typed_move(mv)?;
                game.play(seat, &mv, at, &mut events)?;
                Some(seat)
            }
            Action::Resign { seats } => {
                game.resign(seats, false, at, &mut events)?;
                seat
            }
            Action::TimeOut => {
                seat.ok_or(GameError::NotSeated)?;
                game.must_be_active()?;
                let late = self.late_seats_v1(at);
                if late.is_empty() {
                    return Err(GameError::NotLate);
                }
                game.resign(&late, true, at, &mut events)?;
                seat
            }
            Action::TimeOutSeats { seats } => {
                seat.ok_or(GameError::NotSeated)?;
                game.must_be_active()?;
                if seats.is_empty() || *seats != self.late_seats(at) {
                    return Err(GameError::NotLate);
                }
                game.resign(seats, true, at, &mut events)?;
                seat
            }
            Action::Depart => {
                game.depart(acting_player(by)?, at, &mut events)?;
                seat
            }
            Action::AddBot { seat: wanted, level, version } => {
                game.must_be_hosted_by(by)?;
                game.add_bot(*wanted, *level, *version, &mut events)?;
                seat
            }
            Action::BotPlay { seat, mv, .. } => Some(game.play_for_bot(*seat, mv, at, &mut events)?),
            Action::Expire => {
                game.must_be_in_lobby()?;
                if !self.is_idle_lobby(at) {
                    return Err(GameError::NotLate);
                }
                game.abandon(&mut events);
                None
            }
        };
        // An aside is not a move: the clock of its seat keeps running.
        let moved = seat.filter(|_| !matches!(action, Action::Aside { .. }));
        game.set_clocks(self, moved, at);
        let bound = Bound { version: game.version, at, player_id: by, seat, action: &action.into() };
        game.chain = self.chain_key.link(self.chain, &bound);
        Ok(Applied { game, seat, events })
    }

    fn sit(&mut self, player: PlayerId, wanted: Option<Seat>, events: &mut Vec<Event>) -> Result<Seat, GameError> {
        self.must_be_in_lobby()?;
        if self.seat_of(player).is_some() {
            return Err(GameError::AlreadySeated);
        }
        let own = self.held_for(player);
        let open = |seat: &Seat| self.is_open_to(*seat, player);
        let seat = match wanted {
            Some(seat) if seat.index() >= self.seats.len() => return Err(GameError::NotFound),
            Some(seat) => Some(seat).filter(open),
            None => own.or_else(|| Seat::all(self.size()).find(open)),
        };
        let seat = seat.ok_or(GameError::SeatTaken)?;
        match own {
            // Taking the seat ends its hold without an event.
            Some(own) if own == seat => self.held[seat.index()] = None,
            Some(own) => self.release(own, events),
            None => {}
        }
        self.seats[seat.index()] = Some(player);
        tell(events, TableEvent::SatDown { seat, player });
        Ok(seat)
    }

    /// Stands up, or declines a held seat.
    fn stand(&mut self, player: PlayerId, events: &mut Vec<Event>) -> Result<(), GameError> {
        self.must_be_in_lobby()?;
        match (self.seat_of(player), self.held_for(player)) {
            (Some(seat), _) => self.vacate(seat, false, events),
            (None, Some(seat)) => self.release(seat, events),
            (None, None) => return Err(GameError::NotSeated),
        }
        Ok(())
    }

    /// The host frees a taken or held seat.
    fn remove(&mut self, seat: Seat, events: &mut Vec<Event>) -> Result<(), GameError> {
        let at = |seats: &[Option<PlayerId>]| seats.get(seat.index()).copied().flatten();
        match (at(&self.seats), at(&self.held)) {
            (Some(_), _) => self.vacate(seat, true, events),
            (None, Some(invited)) => {
                self.release(seat, events);
                self.invited.retain(|guest| *guest != invited);
            }
            (None, None) => return Err(GameError::NotFound),
        }
        Ok(())
    }

    fn vacate(&mut self, seat: Seat, removed: bool, events: &mut Vec<Event>) {
        let leaver = self.seats[seat.index()].take();
        self.choices[seat.index()] = None;
        tell(events, if removed { TableEvent::Removed { seat } } else { TableEvent::StoodUp { seat } });
        if removed {
            // A removed player is no longer a member. The invite code still works for them, but they must use it
            // again.
            self.invited.retain(|invited| Some(*invited) != leaver);
        }
        if leaver.is_none_or(|leaver| !leaver.is_bot()) {
            self.replace_host_if_gone(leaver, events);
        }
    }

    /// If the host leaves, the person on the lowest seat becomes host. A lobby that everybody has left is abandoned, also
    /// if bots are still there.
    fn replace_host_if_gone(&mut self, leaver: Option<PlayerId>, events: &mut Vec<Event>) {
        let heir = self.seated().map(|(_, player)| player).find(|player| !player.is_bot());
        match heir {
            None => self.abandon(events),
            Some(heir) if leaver == Some(self.host) => {
                self.host = heir;
                tell(events, TableEvent::HostChanged { host: heir });
            }
            Some(_) => {}
        }
    }

    /// A player leaves for good: stands up in a lobby, resigns from a running game, and loses guest access and held
    /// seats.
    fn depart(&mut self, player: PlayerId, at: Instant, events: &mut Vec<Event>) -> Result<(), GameError> {
        let guests = self.invited.len();
        self.invited.retain(|invited| *invited != player);
        let held = self.held_for(player);
        if let Some(seat) = held {
            self.release(seat, events);
        }
        match (self.status, self.seat_of(player)) {
            (Status::Lobby, Some(seat)) => self.vacate(seat, false, events),
            (Status::Lobby, None) if self.host == player => self.replace_host_if_gone(Some(player), events),
            (Status::Active, Some(seat)) if !self.resigned.contains(&seat) => {
                self.resign(&[seat], false, at, events)?;
            }
            _ if self.invited.len() < guests || held.is_some() => {}
            _ => return Err(GameError::NotSeated),
        }
        Ok(())
    }

    fn abandon(&mut self, events: &mut Vec<Event>) {
        self.status = Status::Abandoned;
        // A lobby that the player never joined must not stay in their list of games once it is over.
        self.held.fill(None);
        tell(events, TableEvent::Abandoned);
    }

    fn configure(&mut self, seats: u8, options: &Text, events: &mut Vec<Event>) -> Result<(), GameError> {
        self.must_be_in_lobby()?;
        // Errors in the request first, then a taken seat, which its player may still leave.
        self.options = read_options(self.rules, &options.0, seats)?;
        if self.seated().chain(self.holds()).any(|(seat, _)| seat.0 >= seats) {
            return Err(GameError::SeatTaken);
        }
        self.seats.resize(usize::from(seats), None);
        self.held.resize(usize::from(seats), None);
        self.choices.resize(usize::from(seats), None);
        tell(events, TableEvent::Configured { seats, options: self.options.clone() });
        self.drop_invalid_choices()
    }

    /// Records what a seat chooses in the lobby, checked against the other choices. The latest choice replaces the
    /// earlier one.
    fn choose(&mut self, seat: Seat, choice: &Value, events: &mut Vec<Event>) -> Result<(), GameError> {
        self.must_be_in_lobby()?;
        let choice = Text(self.read_choice(seat, choice)?);
        self.choices[seat.index()] = Some(choice.clone());
        tell(events, TableEvent::Chosen { seat, choice });
        Ok(())
    }

    fn read_choice(&self, seat: Seat, choice: &Value) -> Result<Value, GameError> {
        let (_, options) = TableOptions::split(&self.options.0)?;
        let others = Seat::all(self.size()).filter(|other| *other != seat);
        let others: Vec<_> = others.filter_map(|other| self.chosen(other).cloned()).collect();
        let read = self.rules.read_choice(&options, self.size(), &others, choice).ok_or(GameError::NothingToChoose)?;
        read.map_err(GameError::unreadable)
    }

    /// A change of options or seats may rule out earlier choices. Those are withdrawn, starting with the latest seat.
    fn drop_invalid_choices(&mut self) -> Result<(), GameError> {
        for seat in Seat::all(self.size()).rev() {
            let Some(Text(choice)) = self.choices[seat.index()].take() else { continue };
            match self.read_choice(seat, &choice) {
                Ok(choice) => self.choices[seat.index()] = Some(Text(choice)),
                Err(GameError::Illegal(_) | GameError::NothingToChoose | GameError::Unreadable { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn enter(&mut self, player: PlayerId, events: &mut Vec<Event>) -> Result<(), GameError> {
        if self.status.is_over() {
            return Err(GameError::GameOver);
        }
        if self.is_member(player) {
            return Err(GameError::AlreadySeated);
        }
        self.invited.push(player);
        tell(events, TableEvent::Entered { player });
        Ok(())
    }

    fn start(&mut self, prepared: Option<&Value>, at: Instant, events: &mut Vec<Event>) -> Result<(), GameError> {
        self.must_be_in_lobby()?;
        if self.seats.contains(&None) {
            return Err(GameError::SeatsFree);
        }
        self.status = Status::Active;
        tell(events, TableEvent::Started);
        let mut dice = self.dice();
        let (_, options) = TableOptions::split(&self.options.0)?;
        let choices: Vec<_> = Seat::all(self.size()).map(|seat| self.chosen(seat).cloned()).collect();
        let lobby = Lobby { choices: &choices, prepared };
        let next = self.rules.begin(&options, &lobby, self.size(), at, &mut dice);
        self.advance(next, &dice, events);
        Ok(())
    }

    /// Whether the player could start the game in its present state.
    pub(in crate::games) fn can_be_started_by(&self, player: PlayerId) -> bool {
        self.status == Status::Lobby && self.host == player && !self.seats.contains(&None)
    }

    fn play(&mut self, seat: Seat, mv: &AnyMove, at: Instant, events: &mut Vec<Event>) -> Result<(), GameError> {
        self.must_be_active()?;
        self.advance_by(events, |game, state, dice| game.rules.play(state, seat, mv, at, dice))
    }

    fn play_for_bot(
        &mut self,
        seat: Seat,
        mv: &KindMove,
        at: Instant,
        events: &mut Vec<Event>,
    ) -> Result<Seat, GameError> {
        self.bot_on(seat).ok_or(GameError::NotSeated)?;
        let mv = self.typed_move(mv)?;
        self.play(seat, &mv, at, events)?;
        Ok(seat)
    }

    /// Plays a move. Clients may write a move in several ways; only its canonical form is stored.
    fn typed_move<'a>(&self, mv: &'a KindMove) -> Result<Cow<'a, AnyMove>, GameError> {
        match mv {
            KindMove::Typed(mv) => Ok(Cow::Borrowed(mv)),
            KindMove::Notation(id) => {
                let read = self.rules.parse_move(id).filter(|read| read.id == *id);
                read.map(Cow::Owned).ok_or_else(no_such_move)
            }
        }
    }

    /// Advances a running game by what `how` returns, given the game, its state and its dice.
    fn advance_by(
        &mut self,
        events: &mut Vec<Event>,
        how: impl FnOnce(&Self, &AnyState, &mut Dice) -> Result<AnyNext, Illegal>,
    ) -> Result<(), GameError> {
        let mut dice = self.dice();
        let running = self.running.as_ref().expect("an active game is running");
        let next = how(self, &running.state, &mut dice)?;
        self.advance(next, &dice, events);
        Ok(())
    }

    /// Marks seats as resigned: they stay, but can no longer act. If no seat is left, the game is abandoned.
    fn resign(&mut self, seats: &[Seat], late: bool, at: Instant, events: &mut Vec<Event>) -> Result<(), GameError> {
        self.must_be_active()?;
        if !seats.iter().all(|seat| self.active_seats().any(|active| active == *seat)) {
            return Err(Illegal::NotYourTurn(Message::new("game-already-resigned")).into());
        }
        self.resigned.extend(seats);
        self.resigned.sort_unstable();
        events.extend(seats.iter().map(|&seat| Event::Table(TableEvent::Resigned { seat, late })));
        if self.active_seats().next().is_none() {
            self.abandon(events);
            self.mark_resigned();
            return Ok(());
        }
        self.advance_by(events, |game, state, dice| Ok(game.rules.resign(state, seats, at, dice)))?;
        let is_person = |seat: Seat| self.bot_on(seat).is_none();
        if self.status == Status::Active && seats.iter().copied().any(is_person) && !self.active_seats().any(is_person)
        {
            // Bots do not go on by themselves.
            self.abandon(events);
        }
        Ok(())
    }

    /// Marks the resigned seats in the state, so that the view shows them. The rules are not asked to continue the
    /// game, because no seat is left.
    fn mark_resigned(&mut self) {
        if let Some(running) = &mut self.running {
            running.state = self.rules.mark_resigned(&running.state, &self.resigned);
        }
    }

    fn must_be_in_lobby(&self) -> Result<(), GameError> {
        match self.status {
            Status::Lobby => Ok(()),
            Status::Active => Err(GameError::AlreadyStarted),
            Status::Finished | Status::Abandoned => Err(GameError::GameOver),
        }
    }

    pub(in crate::games) fn must_be_active(&self) -> Result<(), GameError> {
        match self.status {
            Status::Lobby => Err(GameError::NotStarted),
            Status::Active => Ok(()),
            Status::Finished | Status::Abandoned => Err(GameError::GameOver),
        }
    }

    fn must_be_hosted_by(&self, player: Option<PlayerId>) -> Result<(), GameError> {
        if player == Some(self.host) { Ok(()) } else { Err(GameError::NotHost) }
    }
}

/// A notation that belongs to no move.
pub(in crate::games) fn no_such_move() -> GameError {
    Illegal::Rule(Message::new("game-no-such-move")).into()
}

fn acting_player(by: Option<PlayerId>) -> Result<PlayerId, GameError> {
    by.ok_or(GameError::NotSeated)
}

fn tell(events: &mut Vec<Event>, event: TableEvent) {
    events.push(Event::Table(event));
}
