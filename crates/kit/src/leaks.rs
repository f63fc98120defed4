//! Mutation tests for `hiding.rs`, `resampling.rs` and `bots.rs`: makes kinds leak on purpose, and expects the checks
//! to notice.

use crate::{
    bots::compare_ratings,
    hiding::{listen, watch},
    resampling::compare_worlds,
    table::{MOST_MOVES, Table, parse, seed, strings},
};
use ludotheque_rules::{
    Dice, Eyes, Illegal, Info, Instant, Lobby, Message, Outside, Seat, Turn, Unprepared,
    any::{AnyEvent, AnyMove, AnyNext, AnyRules, AnyState, AnyValue, Corrupt, Described, Part, Unreadable},
    bots::{Level, Rating},
    catalog::Catalog,
};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

/// Where a secret leaks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Leak {
    Nowhere,
    View,
    Event,
    Label,
    Preview,
    Refusal,
    /// A secret decides which of the random alternatives `resample` returns.
    Sample,
    /// Sometimes `resample` returns the state as it is, like a fallback after attempts that failed.
    Truth,
    /// A bot rates its moves by a secret.
    Rating,
    /// A secret decides whether the bot throws the dice once more, which changes what it does with them next.
    Throw,
    /// The greedy player picks its move by a secret.
    Greedy,
}

/// How many pairs of worlds show whether a bot peeks.
const RATED: usize = 40;

/// The rules of a kind with a deliberate leak.
struct Leaky {
    inner: &'static dyn AnyRules,
    leak: Leak,
}

impl Leaky {
    fn secret(&self, state: &AnyState) -> String {
        self.inner.draw(state)
    }

    /// One bit of an order-dependent hash of the secret.
    fn secret_bit(&self, state: &AnyState) -> bool {
        let hash = self.secret(state).bytes().fold(0_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
        hash >> 31 == 0
    }
}

fn is_red(inner: &'static dyn AnyRules, leak: Leak) -> bool {
    let rules = Leaky { inner, leak };
    (0..2).any(|game| {
        let (mut table, _) = Table::start(&rules, *inner.info().seats.start(), game);
        match leak {
            Leak::Sample | Leak::Truth => compare_worlds(&mut table, game).is_err(),
            Leak::Rating | Leak::Throw | Leak::Greedy => compare_ratings(&mut table, game, RATED).is_err(),
            Leak::Nowhere => {
                watch(&mut table.clone(), game).is_err()
                    || compare_ratings(&mut table.clone(), game, RATED).is_err()
                    || compare_worlds(&mut table, game).is_err()
            }
            _ => watch(&mut table, game).is_err(),
        }
    })
}

fn hiding_kinds(catalog: Catalog) -> impl Iterator<Item = &'static dyn AnyRules> {
    catalog.all().filter(|rules| rules.info().hidden)
}

/// The hiding kinds whose events have secrets. Only these have events that could leak.
fn whispering_kinds(catalog: Catalog) -> impl Iterator<Item = &'static dyn AnyRules> {
    hiding_kinds(catalog).filter(|rules| whispers(*rules, |_| true))
}

/// Whether a replay shows an event that a spectator does not see, among the events that count.
fn whispers(rules: &dyn AnyRules, counts: impl Fn(&str) -> bool) -> bool {
    let (mut table, mut events) = Table::start(rules, *rules.info().seats.start(), 0);
    let mut chance = Dice::new(seed(9_000));
    (0..MOST_MOVES).any(|_| {
        let [openly, all] = [Eyes::Spectator, Eyes::Replay].map(|eyes| table.told(&events, eyes));
        events = table.any_move(&mut chance).map(|(seat, mv)| table.play(seat, &mv)).unwrap_or_default();
        all.iter().any(|told| !openly.contains(told) && counts(told))
    })
}

pub fn a_leaking_view_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::View)));
}

pub fn a_leaking_event_turns_the_check_red(catalog: Catalog) {
    whispering_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Event)));
}

pub fn a_piece_told_but_not_shown_turns_the_check_red(catalog: Catalog) {
    // Secrets that are not pieces, such as a secret number, are covered by the other checks.
    let is_piece = |rules: &dyn AnyRules, told: &str| {
        let told = parse(told);
        rules.glossary().iter().any(|(id, _)| strings(&told).contains(&id.as_str()))
    };
    for inner in hiding_kinds(catalog).filter(|rules| whispers(*rules, |told| is_piece(*rules, told))) {
        let rules = Leaky { inner, leak: Leak::Event };
        assert!(listen(&rules, *inner.info().seats.start(), 0).is_err());
    }
}

pub fn a_leaking_label_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Label)));
}

pub fn a_leaking_preview_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Preview)));
}

pub fn a_leaking_refusal_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Refusal)));
}

pub fn resampling_by_a_secret_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Sample)));
}

pub fn resampling_to_the_truth_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Truth)));
}

pub fn a_peeking_bot_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Rating) && is_red(kind, Leak::Throw)));
}

pub fn a_peeking_greedy_player_turns_the_check_red(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(is_red(kind, Leak::Greedy)));
}

pub fn without_a_leak_the_same_check_is_green(catalog: Catalog) {
    hiding_kinds(catalog).for_each(|kind| assert!(!is_red(kind, Leak::Nowhere)));
}

impl AnyRules for Leaky {
    fn view(&self, state: &AnyState, eyes: Eyes) -> AnyValue {
        let view = self.inner.view(state, eyes);
        if self.leak != Leak::View {
            return view;
        }
        AnyValue::new((view, self.secret(state)))
    }

    fn tell(&self, event: &AnyEvent, eyes: Eyes) -> Result<Option<AnyValue>, Corrupt> {
        self.inner.tell(event, if self.leak == Leak::Event { Eyes::Replay } else { eyes })
    }

    fn describe(&self, state: &AnyState, seat: Seat, mv: &AnyMove) -> Described {
        let described = self.inner.describe(state, seat, mv);
        if self.leak != Leak::Label {
            return described;
        }
        Described { label: Message::new("leak").with("secret", self.secret(state)), ..described }
    }

    fn preview(&self, state: &AnyState, seat: Seat, mv: &AnyMove, now: Instant) -> Result<(AnyNext, bool), Illegal> {
        let (next, complete) = self.inner.preview(state, seat, mv, now)?;
        Ok((next, complete != (self.leak == Leak::Preview && self.secret_bit(state))))
    }

    fn play(
        &self,
        state: &AnyState,
        seat: Seat,
        mv: &AnyMove,
        now: Instant,
        dice: &mut Dice,
    ) -> Result<AnyNext, Illegal> {
        self.inner.play(state, seat, mv, now, dice).map_err(|why| match self.leak {
            Leak::Refusal => Illegal::Rule(Message::new("leak").with("secret", self.secret(state))),
            _ => why,
        })
    }

    fn info(&self) -> &'static Info {
        self.inner.info()
    }

    fn schema(&self, part: Part, generator: &mut SchemaGenerator) -> Schema {
        self.inner.schema(part, generator)
    }

    fn glossary(&self) -> Vec<(String, Message)> {
        self.inner.glossary()
    }

    fn read_options(&self, options: &Value, seats: u8) -> Result<Value, Unreadable> {
        self.inner.read_options(options, seats)
    }

    fn setup(&self, options: &Value, seats: u8, now: Instant, dice: &mut Dice) -> AnyNext {
        self.inner.setup(options, seats, now, dice)
    }

    fn begin(&self, options: &Value, lobby: &Lobby<'_>, seats: u8, now: Instant, dice: &mut Dice) -> AnyNext {
        self.inner.begin(options, lobby, seats, now, dice)
    }

    fn time_zone(&self, options: &Value) -> Option<String> {
        self.inner.time_zone(options)
    }

    fn prepare(&self, options: &Value, created: Instant, outside: &dyn Outside) -> Result<Option<Value>, Unprepared> {
        self.inner.prepare(options, created, outside)
    }

    fn takes_long_to_prepare(&self, options: &Value) -> bool {
        self.inner.takes_long_to_prepare(options)
    }

    fn read_choice(
        &self,
        options: &Value,
        seats: u8,
        others: &[Value],
        choice: &Value,
    ) -> Option<Result<Value, Unreadable>> {
        self.inner.read_choice(options, seats, others, choice)
    }

    fn reveal(&self, prepared: &Value, state: &AnyState) -> Value {
        self.inner.reveal(prepared, state)
    }

    fn tries_as(&self, state: &AnyState, seat: Seat, mv: &AnyMove) -> Seat {
        self.inner.tries_as(state, seat, mv)
    }

    fn read_aside(&self, aside: &Value) -> Option<Result<String, Unreadable>> {
        self.inner.read_aside(aside)
    }

    fn aside(&self, state: &AnyState, seat: Seat, aside: &str, now: Instant) -> Result<AnyNext, Illegal> {
        self.inner.aside(state, seat, aside, now)
    }

    fn waits_from(&self, state: &AnyState) -> Option<Instant> {
        self.inner.waits_from(state)
    }

    fn turn(&self, state: &AnyState) -> Turn {
        self.inner.turn(state)
    }

    fn legal(&self, state: &AnyState, seat: Seat, now: Instant) -> Vec<AnyMove> {
        self.inner.legal(state, seat, now)
    }

    fn parse_move(&self, notation: &str) -> Option<AnyMove> {
        self.inner.parse_move(notation)
    }

    fn read_move(&self, json: &Value) -> Result<AnyMove, Unreadable> {
        self.inner.read_move(json)
    }

    fn resign(&self, state: &AnyState, seats: &[Seat], now: Instant, dice: &mut Dice) -> AnyNext {
        self.inner.resign(state, seats, now, dice)
    }

    fn resigned(&self, state: &AnyState) -> Vec<Seat> {
        self.inner.resigned(state)
    }

    fn mark_resigned(&self, state: &AnyState, seats: &[Seat]) -> AnyState {
        self.inner.mark_resigned(state, seats)
    }

    fn encode_state(&self, state: &AnyState) -> Vec<u8> {
        self.inner.encode_state(state)
    }

    fn decode_state(&self, bytes: &[u8]) -> Result<AnyState, Corrupt> {
        self.inner.decode_state(bytes)
    }

    fn layout(&self, state: &AnyState) -> u64 {
        self.inner.layout(state)
    }

    fn draw(&self, state: &AnyState) -> String {
        self.inner.draw(state)
    }

    fn invariants(&self, state: &AnyState) -> Result<(), String> {
        self.inner.invariants(state)
    }

    fn resample(&self, state: &AnyState, eyes: Eyes, dice: &mut Dice) -> AnyState {
        match self.leak {
            Leak::Sample if self.secret_bit(state) => {
                dice.below(2);
            }
            Leak::Truth if dice.below(4) == 0 => return state.clone(),
            _ => {}
        }
        self.inner.resample(state, eyes, dice)
    }

    fn has_greedy(&self) -> bool {
        self.inner.has_greedy()
    }

    fn greedy(&self, state: &AnyState, seat: Seat, moves: &[AnyMove], now: Instant) -> Option<usize> {
        let picked = self.inner.greedy(state, seat, moves, now);
        if self.leak == Leak::Greedy { Some(usize::from(self.secret_bit(state))) } else { picked }
    }

    fn bot_version(&self) -> u8 {
        self.inner.bot_version()
    }

    fn bot_levels(&self) -> &'static [Level] {
        self.inner.bot_levels()
    }

    fn rate(
        &self,
        state: &AnyState,
        seat: Seat,
        moves: &[AnyMove],
        now: Instant,
        effort: u32,
        dice: &mut Dice,
    ) -> Vec<Rating> {
        let mut ratings = self.inner.rate(state, seat, moves, now, effort, dice);
        match self.leak {
            Leak::Rating if self.secret_bit(state) => ratings.iter_mut().for_each(|rating| *rating += 1),
            Leak::Throw if self.secret_bit(state) => {
                dice.below(2);
            }
            _ => {}
        }
        ratings
    }
}
