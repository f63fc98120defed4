//! A game as it stands: what its steps add up to.

use super::deadline::Clocks;
use super::fairness::commitment;
use super::hash_chain::{Bound, Chain, Link};
use super::options::with_kind;
use super::ports::{Head, Status};
use super::replay::ReplayAction;
use super::step::{Creation, Event, KindEvent, TableEvent, Text, Visibility};
use crate::ids::{GameId, PlayerId};
use crate::rules::any::{AnyNext, AnyRules, AnyState, AnyValue};
use crate::rules::{Dice, Eyes, Instant, Outcome, Seat, Seed, Turn};
use std::sync::{Arc, OnceLock};

/// A game after one of its steps. Holds every secret; nothing of it is shown but through [`Eyes`].
#[derive(Clone)]
pub struct Game {
    pub id: GameId,
    pub rules: &'static dyn AnyRules,
    pub version: u64,
    pub status: Status,
    pub host: PlayerId,
    pub options: Text,
    pub seats: Vec<Option<PlayerId>>,
    /// In the lobby of a rematch: for whom each free seat is held.
    pub held: Vec<Option<PlayerId>>,
    /// What each seat chose in the lobby, in kinds that let it.
    pub choices: Vec<Option<Text>>,
    pub resigned: Vec<Seat>,
    pub visibility: Visibility,
    pub invite: Option<String>,
    /// Players let in by the invite code, seated or not.
    pub invited: Vec<PlayerId>,
    pub seed: Seed,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// From the start on.
    pub running: Option<Running>,
    pub outcome: Option<Outcome>,
    /// The seats being waited for, each with the moment its time began.
    pub waiting: Clocks,
    /// The same as builds up to 9dc07ca had it, who also waited for seats that could not act yet: steps that they stored
    /// depend on it, and heads that they stored show it.
    pub(super) waiting_v1: Clocks,
    /// Binds every step so far.
    pub chain: Link,
    /// Makes the links. Kept, because deriving its key takes as long as a link.
    pub(super) chain_key: Arc<Chain>,
    /// Computed when it is first shown.
    pub(super) commitment: OnceLock<Arc<str>>,
}

/// What is on the table, and how far the dice have been thrown.
#[derive(Clone)]
pub struct Running {
    pub state: AnyState,
    pub dice: u64,
}

impl Game {
    /// A game's first step. Seats may be held for players who have not taken them yet.
    pub fn create(
        id: GameId,
        rules: &'static dyn AnyRules,
        host: PlayerId,
        creation: &Creation,
        held: &[Option<PlayerId>],
        at: Instant,
    ) -> (Self, Vec<Event>) {
        let size = creation.seats.len();
        let mut game = Self {
            id,
            rules,
            version: 1,
            status: Status::Lobby,
            host,
            options: creation.options.clone(),
            seats: creation.seats.clone(),
            held: held.iter().copied().chain(std::iter::repeat(None)).take(size).collect(),
            choices: vec![None; size],
            resigned: Vec::new(),
            visibility: creation.visibility,
            invite: creation.invite.clone(),
            invited: Vec::new(),
            seed: creation.seed,
            created_at: at,
            updated_at: at,
            running: None,
            outcome: None,
            waiting: Vec::new(),
            waiting_v1: Vec::new(),
            chain: Link::default(),
            chain_key: Arc::new(Chain::of(creation.seed)),
            commitment: OnceLock::new(),
        };
        let chain = game.chain_key.clone();
        let start = chain.start(id, &creation.kind, creation.rules_version);
        let action = ReplayAction::creation(creation, held);
        let (player_id, seat) = (Some(host), game.seat_of(host));
        game.chain = chain.link(start, &Bound { version: 1, at, player_id, seat, action: &action });
        let seated = game.seated().map(|(seat, player)| TableEvent::SatDown { seat, player });
        let invited = game.holds().map(|(seat, player)| TableEvent::Invited { seat, player });
        let events = std::iter::once(TableEvent::Created).chain(seated).chain(invited).map(Event::Table).collect();
        (game, events)
    }

    /// What is on the table, for these eyes; nothing before the start.
    pub fn view(&self, eyes: Eyes) -> Option<AnyValue> {
        self.running.as_ref().map(|running| self.rules.view(&running.state, eyes))
    }

    /// The options as clients are shown them.
    pub fn shown_options(&self) -> serde_json::Value {
        with_kind(self.options.0.clone(), self.rules)
    }

    /// The promise that the dice were not chosen along the way.
    pub fn commitment(&self) -> Arc<str> {
        self.commitment.get_or_init(|| commitment(self.id, self.seed).into()).clone()
    }

    /// Number of seats, taken or not.
    pub fn size(&self) -> u8 {
        u8::try_from(self.seats.len()).expect("no kind has more than 255 seats")
    }

    /// The taken seats and who sits there.
    pub fn seated(&self) -> impl Iterator<Item = (Seat, PlayerId)> + '_ {
        Seat::all(self.size()).filter_map(|seat| self.seats[seat.index()].map(|player| (seat, player)))
    }

    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        self.seated().find(|(_, seated)| *seated == player).map(|(seat, _)| seat)
    }

    /// What a seat chose in the lobby.
    pub fn chosen(&self, seat: Seat) -> Option<&serde_json::Value> {
        self.choices.get(seat.index())?.as_ref().map(|Text(choice)| choice)
    }

    /// What a viewer sees with.
    pub fn eyes(&self, viewer: Option<PlayerId>) -> Eyes {
        viewer.and_then(|player| self.seat_of(player)).map_or(Eyes::Spectator, Eyes::Seat)
    }

    /// Whether the viewer may know of the game at all.
    pub fn admits(&self, viewer: Option<PlayerId>) -> bool {
        self.visibility == Visibility::Public || viewer.is_some_and(|player| self.is_member(player))
    }

    /// Whether the game is one of the player's: joined, or with a seat held for them.
    pub fn is_member(&self, player: PlayerId) -> bool {
        self.has_joined(player) || self.held_for(player).is_some()
    }

    /// Whether the player came of their own accord: as host, to a seat, or by the invite code.
    pub fn has_joined(&self, player: PlayerId) -> bool {
        self.host == player || self.seat_of(player).is_some() || self.invited.contains(&player)
    }

    /// The seats being waited for; none in a lobby, while nobody can act yet, or once it is over.
    pub fn waiting_for(&self) -> Vec<Seat> {
        self.waiting.iter().map(|(seat, _)| *seat).collect()
    }

    /// The seats still in play.
    pub fn active_seats(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seated().map(|(seat, _)| seat).filter(|seat| !self.resigned.contains(seat))
    }

    pub fn head(&self) -> Head {
        let mut members: Vec<_> = self.seated().map(|(_, player)| player).collect();
        members.push(self.host);
        members.extend(&self.invited);
        members.extend(self.holds().map(|(_, player)| player));
        members.sort_unstable();
        members.dedup();
        Head {
            version: self.version,
            status: self.status,
            kind: self.rules.info().kind.to_owned(),
            updated_at: self.updated_at,
            listed: self.visibility == Visibility::Public,
            invite: self.invite.clone(),
            members,
            waiting: self.players_at(&self.waiting),
        }
    }

    /// The head as builds up to 9dc07ca stored it.
    pub(super) fn head_v1(&self) -> Head {
        Head { waiting: self.players_at(&self.waiting_v1), ..self.head() }
    }

    fn players_at(&self, clocks: &Clocks) -> Vec<PlayerId> {
        clocks.iter().filter_map(|(seat, _)| self.seats[seat.index()]).collect()
    }

    /// Whether the game waits for the player.
    pub fn waits_for(&self, player: PlayerId) -> bool {
        self.players_at(&self.waiting).contains(&player)
    }

    pub(super) fn dice(&self) -> Dice {
        Dice::at(self.seed, self.running.as_ref().map_or(0, |running| running.dice))
    }

    /// Takes over what the rules made of the table, and the end of the game if they say so.
    pub(super) fn advance(&mut self, next: AnyNext, dice: &Dice, events: &mut Vec<Event>) {
        events.extend(next.events.into_iter().map(|event| Event::Rules(KindEvent(event))));
        // Rules may resign a seat themselves; the table hears of it as if the others had called time.
        for seat in self.rules.resigned(&next.state) {
            if let Err(at) = self.resigned.binary_search(&seat) {
                self.resigned.insert(at, seat);
                events.push(Event::Table(TableEvent::Resigned { seat, late: true }));
            }
        }
        if let Turn::Over(outcome) = self.rules.turn(&next.state) {
            self.status = Status::Finished;
            self.outcome = Some(outcome.clone());
            events.push(Event::Table(TableEvent::Finished { outcome }));
        }
        self.running = Some(Running { state: next.state, dice: dice.position() });
    }
}
