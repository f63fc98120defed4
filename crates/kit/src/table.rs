//! Random games of any kind, on which the checks are built.

use ludotheque_rules::{
    Dice, Eyes, Instant, Outcome, Seat, Seed, Turn,
    any::{AnyEvent, AnyMove, AnyRules, AnyState},
    catalog::Catalog,
};
use serde_json::{Value, json};

/// More moves than any random game needs; a game that reaches this limit does not end.
pub const MOST_MOVES: usize = 5_000;

/// A different seed for every number.
pub fn seed(n: u64) -> Seed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&n.to_le_bytes());
    Seed(bytes)
}

/// A game in progress.
#[derive(Clone)]
pub struct Table<'a> {
    pub rules: &'a dyn AnyRules,
    pub seats: u8,
    pub state: AnyState,
    pub dice: Dice,
    pub now: Instant,
    /// The seats that have resigned.
    pub out: Vec<Seat>,
}

impl<'a> Table<'a> {
    /// A new game with the default options, and the events of its setup.
    pub fn start(rules: &'a dyn AnyRules, seats: u8, n: u64) -> (Self, Vec<AnyEvent>) {
        let (mut dice, now) = (Dice::new(seed(n)), Instant(1_700_000_000_000));
        let options = rules.read_options(&json!({}), seats).expect("the default options can be played");
        let next = rules.setup(&options, seats, now, &mut dice);
        (Self { rules, seats, state: next.state, dice, now, out: Vec::new() }, next.events)
    }

    pub fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::all(self.seats)
    }

    /// Every viewer of a running game.
    pub fn all_eyes(&self) -> Vec<Eyes> {
        self.all_seats().map(Eyes::Seat).chain([Eyes::Spectator]).collect()
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self.rules.turn(&self.state) {
            Turn::Waiting(_) => None,
            Turn::Over(outcome) => Some(outcome),
        }
    }

    pub fn legal(&self, seat: Seat) -> Vec<AnyMove> {
        self.rules.legal(&self.state, seat, self.now)
    }

    pub fn ids(&self, seat: Seat) -> Vec<String> {
        self.legal(seat).into_iter().map(|mv| mv.id).collect()
    }

    pub fn view(&self, eyes: Eyes) -> String {
        self.rules.view(&self.state, eyes).to_json()
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.rules.encode_state(&self.state)
    }

    /// The events as the viewer sees them, as JSON.
    pub fn told(&self, events: &[AnyEvent], eyes: Eyes) -> Vec<String> {
        let tell = |event: &AnyEvent| {
            let told = self.rules.tell(event, eyes).expect("an event that was just made can be read");
            told.map(|told| told.to_json())
        };
        for event in events {
            let stored = AnyEvent::encoded(event.bytes().into_owned());
            assert_eq!(tell(event), tell(&stored), "an event from the store is shown as it was before");
        }
        events.iter().filter_map(tell).collect()
    }

    /// Plays a legal move.
    pub fn play(&mut self, seat: Seat, mv: &AnyMove) -> Vec<AnyEvent> {
        let played = self.rules.play(&self.state, seat, mv, self.now, &mut self.dice);
        let next = played.unwrap_or_else(|why| panic!("seat {seat} can't play {}: {why}\n{}", mv.id, self.drawing()));
        self.state = next.state;
        self.out.extend(self.rules.resigned(&self.state));
        self.out.sort_unstable();
        self.out.dedup();
        next.events
    }

    pub fn resign(&mut self, seats: &[Seat]) -> Vec<AnyEvent> {
        let next = self.rules.resign(&self.state, seats, self.now, &mut self.dice);
        self.state = next.state;
        self.out.extend(seats);
        next.events
    }

    pub fn drawing(&self) -> String {
        self.rules.draw(&self.state)
    }

    /// Lets some time pass, then picks a random legal move of any seat; `None` if the game is over.
    pub fn any_move(&mut self, chance: &mut Dice) -> Option<(Seat, AnyMove)> {
        self.now = Instant(self.now.0 + i64::from(chance.below(20_000)));
        if self.outcome().is_some() {
            return None;
        }
        let able: Vec<_> =
            self.all_seats().map(|seat| (seat, self.legal(seat))).filter(|(_, moves)| !moves.is_empty()).collect();
        let (seat, moves) = &able[chance.index(able.len())];
        Some((*seat, moves[chance.index(moves.len())].clone()))
    }

    /// Plays this many random moves, or fewer if the game ends first.
    pub fn stroll(&mut self, moves: usize, chance: &mut Dice) {
        for _ in 0..moves {
            let Some((seat, mv)) = self.any_move(chance) else { return };
            self.play(seat, &mv);
        }
    }
}

/// This many games of every kind at every number of seats.
pub fn every_game(catalog: Catalog, games: u64) -> impl Iterator<Item = (&'static dyn AnyRules, u8, u64)> {
    assert!(catalog.all().next().is_some(), "a catalogue without a kind proves nothing");
    catalog.all().flat_map(move |rules| {
        rules.info().seats.clone().flat_map(move |seats| (0..games).map(move |game| (rules, seats, game)))
    })
}

/// Plays games of every kind to their end and calls `look` on every position, the last one included.
pub fn every_position(catalog: Catalog, games: u64, mut look: impl FnMut(&Table, &mut Dice)) {
    for (rules, seats, game) in every_game(catalog, games) {
        positions(rules, seats, game, &mut look);
    }
}

/// Plays one game to its end and calls `look` on every position, the last one included.
pub fn positions(rules: &dyn AnyRules, seats: u8, game: u64, look: &mut impl FnMut(&Table, &mut Dice)) {
    let (mut table, _) = Table::start(rules, seats, game);
    let mut chance = Dice::new(seed(1_000 + game));
    for moves in 0.. {
        assert!(moves < MOST_MOVES, "{} does not end", rules.info().kind);
        look(&table, &mut chance);
        let Some((seat, mv)) = table.any_move(&mut chance) else { break };
        table.play(seat, &mv);
    }
}

/// All strings in a JSON value, except for the names of fields and types.
pub fn strings(json: &Value) -> Vec<&str> {
    match json {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(fields) => {
            fields.iter().filter(|(name, _)| *name != "type").flat_map(|(_, field)| strings(field)).collect()
        }
        _ => Vec::new(),
    }
}

pub fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("the rules write JSON")
}

/// Occasionally picks some of the remaining seats to resign, never all of them.
pub fn may_give_up(table: &Table, chance: &mut Dice) -> Option<Vec<Seat>> {
    let mut left: Vec<_> = table.all_seats().filter(|seat| !table.out.contains(seat)).collect();
    if left.len() < 2 || chance.below(20) > 0 {
        return None;
    }
    chance.shuffle(&mut left);
    left.truncate(1 + chance.index(left.len() - 1));
    left.sort_unstable();
    Some(left)
}
