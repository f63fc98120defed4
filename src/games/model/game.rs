//! Aggregate state of a game: the result of folding its steps.

use super::deadline::Clocks;
use super::fairness::commitment;
use super::hash_chain::{Bound, Chain, Link};
use super::options::with_kind;
use super::step::{Creation, Event, KindEvent, TableEvent, Text, Visibility};
use crate::games::ports::{Head, Status};
use crate::games::replay::ReplayAction;
use crate::ids::{BotPlayer, GameId, PlayerId};
use crate::rules::any::{AnyNext, AnyRules, AnyState, AnyValue};
use crate::rules::{Dice, Eyes, Instant, Outcome, Seat, Seed, Turn};
use std::sync::{Arc, OnceLock};

/// A game after one of its steps. It contains every secret; views of it are made for [`Eyes`] only.
#[derive(Clone)]
pub struct Game {
    pub id: GameId,
    pub rules: &'static dyn AnyRules,
    pub version: u64,
    pub status: Status,
    pub host: PlayerId,
    pub options: Text,
    pub seats: Vec<Option<PlayerId>>,
    /// In the lobby of a rematch: the player for whom each free seat is held.
    pub held: Vec<Option<PlayerId>>,
    /// What each seat chose in the lobby, in kinds with choices.
    pub choices: Vec<Option<Text>>,
    pub resigned: Vec<Seat>,
    pub visibility: Visibility,
    pub invite: Option<String>,
    /// Players admitted by the invite code, seated or not.
    pub invited: Vec<PlayerId>,
    pub seed: Seed,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// Set by the start.
    pub running: Option<Running>,
    pub outcome: Option<Outcome>,
    /// The seats that the game waits for, each with the start of its time.
    pub waiting: Clocks,
    /// The same as computed by builds up to 9dc07ca, which also waited for seats that could not act yet. Steps and
    /// heads that they stored depend on it.
    pub(in crate::games) waiting_v1: Clocks,
    /// Head of the hash chain over all steps.
    pub chain: Link,
    /// Computes the links. Kept, because deriving its key takes as long as computing a link.
    pub(in crate::games) chain_key: Arc<Chain>,
    /// Computed on first use.
    pub(in crate::games) commitment: OnceLock<Arc<str>>,
}

/// The state of play, and the position of the dice.
#[derive(Clone)]
pub struct Running {
    pub state: AnyState,
    pub dice: u64,
}

impl Game {
    /// Creates a game by its first step. Seats may be held for players who have not taken them yet.
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

    /// The view for these eyes; nothing before the start.
    pub fn view(&self, eyes: Eyes) -> Option<AnyValue> {
        self.running.as_ref().map(|running| self.rules.view(&running.state, eyes))
    }

    /// The options as shown to clients.
    pub fn shown_options(&self) -> serde_json::Value {
        with_kind(self.options.0.clone(), self.rules)
    }

    /// Commitment to the seed, and the seed once the game is over.
    pub fn commitment(&self) -> Arc<str> {
        self.commitment.get_or_init(|| commitment(self.id, self.seed).into()).clone()
    }

    /// Number of seats, taken or free.
    pub fn size(&self) -> u8 {
        u8::try_from(self.seats.len()).expect("no kind has more than 255 seats")
    }

    /// The taken seats with their players.
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

    /// The eyes with which a viewer sees this game.
    pub fn eyes(&self, viewer: Option<PlayerId>) -> Eyes {
        viewer.and_then(|player| self.seat_of(player)).map_or(Eyes::Spectator, Eyes::Seat)
    }

    /// Whether the viewer may know that the game exists.
    pub fn admits(&self, viewer: Option<PlayerId>) -> bool {
        self.visibility == Visibility::Public || viewer.is_some_and(|player| self.is_member(player))
    }

    /// Whether the player is a member: joined, or with a seat held for them.
    pub fn is_member(&self, player: PlayerId) -> bool {
        self.has_joined(player) || self.held_for(player).is_some()
    }

    /// Whether the player joined by their own action: as host, to a seat, or by the invite code.
    pub fn has_joined(&self, player: PlayerId) -> bool {
        self.host == player || self.seat_of(player).is_some() || self.invited.contains(&player)
    }

    /// The seats that the game waits for; none in a lobby, while nobody can act, or after the end.
    pub fn waiting_for(&self) -> Vec<Seat> {
        self.waiting.iter().map(|(seat, _)| *seat).collect()
    }

    /// The seats still in play.
    pub fn active_seats(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seated().map(|(seat, _)| seat).filter(|seat| !self.resigned.contains(seat))
    }

    pub fn head(&self) -> Head {
        let mut members: Vec<_> = self.seated().map(|(_, player)| player).filter(|player| !player.is_bot()).collect();
        members.push(self.host);
        members.extend(&self.invited);
        members.extend(self.holds().map(|(_, player)| player));
        let waiting = self.players_at(&self.waiting);
        if waiting.contains(&BotPlayer::ANY) {
            // An entry in the index, by which every node finds the games whose bots have to move.
            members.push(BotPlayer::ANY);
        }
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
            waiting,
        }
    }

    /// The head as stored by builds up to 9dc07ca.
    pub(in crate::games) fn head_v1(&self) -> Head {
        Head { waiting: self.players_at(&self.waiting_v1), ..self.head() }
    }

    fn players_at(&self, clocks: &Clocks) -> Vec<PlayerId> {
        let person_or_any_bot = |player: PlayerId| if player.is_bot() { BotPlayer::ANY } else { player };
        let mut players: Vec<_> =
            clocks.iter().filter_map(|(seat, _)| self.seats[seat.index()]).map(person_or_any_bot).collect();
        let mut has_bot = false;
        players.retain(|player| *player != BotPlayer::ANY || !std::mem::replace(&mut has_bot, true));
        players
    }

    /// Whether the game waits for the player.
    pub fn waits_for(&self, player: PlayerId) -> bool {
        self.players_at(&self.waiting).contains(&player)
    }

    pub(in crate::games) fn dice(&self) -> Dice {
        Dice::at(self.seed, self.running.as_ref().map_or(0, |running| running.dice))
    }

    /// Takes over the state that the rules returned, and the end of the game if they report one.
    pub(in crate::games) fn advance(&mut self, next: AnyNext, dice: &Dice, events: &mut Vec<Event>) {
        events.extend(next.events.into_iter().map(|event| Event::Rules(KindEvent(event))));
        // The rules may resign a seat themselves; recorded as if the other players had called timeouts.
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
