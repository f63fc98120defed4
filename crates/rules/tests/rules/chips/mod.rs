//! The rulebook of Chips, sentence by sentence. Positions are drawn in text; `check` plays the end of a round and
//! compares the result.

mod bots;
mod ending;
mod objectives;
mod odds;
mod resigning;
mod round;
mod tokens;

use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Illegal, Instant, Next, Rules, Seat, Turn,
    chips::{Area, BOARDS, Card, Cards, Chips, Event, EventView, Flavour, Move, Options, Phase, State, View},
};
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Write, sync::Arc};

const NOW: Instant = Instant(0);

fn card(slug: &str) -> Card {
    Card::from_slug(slug).unwrap_or_else(|| panic!("no card is called {slug}"))
}

fn cards(slugs: &str) -> Cards {
    slugs.split_whitespace().map(card).collect()
}

/// Chips by their letters; spaces only help the reader.
fn chips(letters: &str) -> Vec<Flavour> {
    let flavour = |letter| Flavour::ALL.into_iter().find(|flavour| flavour.letter() == letter);
    letters.chars().filter(|letter| !letter.is_whitespace()).map(|letter| flavour(letter).expect("a flavour")).collect()
}

/// A game at the beginning of a round, with the default options.
fn start(seats: u8) -> State {
    begin(&Options::default(), seats, 1).state
}

fn begin(options: &Options, seats: u8, n: u64) -> Next<Chips> {
    Chips::setup(options, seats, NOW, &mut Dice::new(seed(n)))
}

/// A position with the bets and chips to come: see [`draw`].
struct Position {
    state: State,
    bets: Vec<(Seat, Move)>,
    last: Vec<Flavour>,
}

/// Parses a drawn position. The boards come first: 12 chips and, after `then`, the two to be drawn. Then one line per
/// seat: its tokens and the bet it is about to make, or `gone`. A line `target` is optional; all other cards are dealt
/// arbitrarily.
fn draw(text: &str) -> Position {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let seats = lines.iter().filter(|line| line.starts_with("seat ")).count();
    let mut position = Position {
        state: State {
            target: if seats == 2 { 3 } else { 4 },
            round: 1,
            dealer: Seat(0),
            phase: Phase::Bet,
            chips: Vec::new(),
            areas: Vec::new(),
            past: Arc::default(),
            ended: None,
        },
        bets: Vec::new(),
        last: Vec::new(),
    };
    for line in lines {
        match line.split_once(' ').expect("a word and more") {
            ("target", target) => position.state.target = target.parse().expect("a number"),
            ("boards", boards) => {
                let (out, last) = boards.split_once(", then ").expect("the last two chips");
                (position.state.chips, position.last) = (chips(out), chips(last));
            }
            ("seat", seat) => position.sit(seat),
            _ => panic!("not part of a drawing: {line}"),
        }
    }
    position.deal_the_rest();
    Chips::invariants(&position.state).unwrap_or_else(|broken| panic!("drawn wrong: {broken}\n{text}"));
    position
}

impl Position {
    /// `0: 3 tokens, bets last-n each-p against none-p`
    fn sit(&mut self, line: &str) {
        let (_, line) = line.split_once(": ").expect("a number and a colon");
        let (tokens, plan) = line.split_once(" tokens, ").expect("tokens and a plan");
        let mut area = Area { tokens: tokens.parse().expect("a number"), ..Area::default() };
        if plan == "gone" {
            area.resigned = true;
        } else {
            let mv: Move = plan.replace("bets", "bet").parse().unwrap_or_else(|why| panic!("{plan}: {why}"));
            let Move::Bet { r#for, against } = mv else { panic!("{plan} is no bet") };
            area.hand = r#for.as_slice().iter().copied().chain([against]).collect();
            self.bets.push((Seat(u8::try_from(self.state.areas.len()).expect("few seats")), mv));
        }
        self.state.areas.push(area);
    }

    /// Each seat discards three arbitrary cards.
    fn deal_the_rest(&mut self) {
        let held = self.state.areas.iter().fold(Cards::NONE, |held, area| held.with(area.hand));
        let mut rest = Cards::ALL.without(held).iter();
        for area in self.state.areas.iter_mut().filter(|area| !area.resigned) {
            area.discards = rest.by_ref().take(3).collect();
        }
    }

    /// Makes all bets, with dice that draw the two chips.
    fn play(&self) -> Next<Chips> {
        let (last_bet, bets) = self.bets.split_last().expect("somebody bets");
        let mut state = self.state.clone();
        for (seat, mv) in bets {
            state = Chips::play(&state, *seat, mv, NOW, &mut Dice::new(seed(0))).expect("a bet in hand").state;
        }
        let mut tries = (0..100_000).map(|n| {
            let (seat, mv) = last_bet;
            Chips::play(&state, *seat, mv, NOW, &mut Dice::new(seed(n))).expect("a bet in hand")
        });
        tries.find(|next| next.state.past[0].chips[12..] == self.last).expect("chips that are in the bag")
    }
}

/// Plays the round to its end and compares: one line per seat, then whether another round follows or who won.
fn check(position: &str, expected: &str) {
    let position = draw(position);
    let expected: Vec<_> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let Next { state, .. } = position.play();
    let mut found = Vec::new();
    for (seat, area) in state.past[0].areas.iter().enumerate() {
        if let Some(tally) = &area.tally {
            found.push(format!("seat {seat}: {} points, {} more, has {}", tally.score, tally.gained, tally.tokens));
        }
    }
    found.push(ending(&state));
    assert_eq!(found, expected);
}

/// The ranking, with `>` for a better rank and `=` for a shared one; or that the game continues.
fn ending(state: &State) -> String {
    let Turn::Over(outcome) = Chips::turn(state) else { return format!("round {} follows", state.round) };
    let mut text = format!("{}: ", outcome.reason);
    for (n, standing) in outcome.standings.iter().enumerate() {
        let shared = n > 0 && outcome.standings[n - 1].rank == standing.rank;
        let sign = if n == 0 {
            ""
        } else if shared {
            " = "
        } else {
            " > "
        };
        write!(text, "{sign}{}", standing.seat).expect("a String takes everything");
    }
    let firsts = outcome.standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat);
    assert_eq!(outcome.winners, firsts.collect::<Vec<_>>());
    text
}

/// Plays a move that is legal, with the same dice every time.
fn play(state: &State, seat: u8, notation: &str) -> Next<Chips> {
    let mv: Move = notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"));
    Chips::play(state, Seat(seat), &mv, NOW, &mut Dice::new(seed(7)))
        .unwrap_or_else(|why| panic!("{notation}: {why}\n{}", Chips::draw(state)))
}

/// Why a move is refused.
fn refusal(state: &State, seat: u8, notation: &str) -> Illegal {
    let mv: Move = notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"));
    let played = Chips::play(state, Seat(seat), &mv, NOW, &mut Dice::new(seed(7)));
    played.err().unwrap_or_else(|| panic!("{notation} should be refused"))
}

/// The text key of a refusal.
fn refusal_key(state: &State, seat: u8, notation: &str) -> String {
    let (Illegal::NotYourTurn(message) | Illegal::Rule(message)) = refusal(state, seat, notation);
    message.key.into_owned()
}

/// The seat plays its first legal move.
fn choose(state: &State, seat: u8) -> Next<Chips> {
    let mv = *Chips::legal(state, Seat(seat), NOW).first().expect("the seat is waited for");
    Chips::play(state, Seat(seat), &mv, NOW, &mut Dice::new(seed(7))).expect("a listed move")
}

/// All seats that have not chosen yet do so.
fn all_choose(state: &State) -> Next<Chips> {
    let mut next = Next { state: state.clone(), events: Vec::new() };
    for seat in state.choosing().collect::<Vec<_>>() {
        let Next { state, events } = choose(&next.state, seat.0);
        next.state = state;
        next.events.extend(events);
    }
    next
}

fn resign(state: &State, seats: &[u8]) -> Next<Chips> {
    let seats: Vec<_> = seats.iter().copied().map(Seat).collect();
    Chips::resign(state, &seats, NOW, &mut Dice::new(seed(7)))
}

fn view(state: &State, seat: u8) -> View {
    Chips::view(state, Eyes::Seat(Seat(seat)))
}

fn told(events: &[Event], eyes: Eyes) -> Vec<EventView> {
    events.iter().filter_map(|event| Chips::tell(event, eyes)).collect()
}

/// Two players, one of whom has bet and one of whom is about to.
const TWO_BETTING: &str = "
    boards NNNOO OBBV VPN, then BV
    seat 0: 0 tokens, bets last-n each-p against none-p
    seat 1: 0 tokens, bets last-v each-o against none-v
";

/// Naive move generator, written from the rulebook alone: any two, any one, or any of three against.
pub fn naive_moves(view: &Value, seat: Seat) -> BTreeSet<String> {
    let own = &view["seats"][seat.index()];
    let idle = own["chosen"] == true || own["resigned"] == true || view["roundStep"] == "SCORED";
    let hand: Vec<_> =
        own["hand"].as_array().expect("the own hand").iter().map(|card| card.as_str().expect("a slug")).collect();
    let mut moves = BTreeSet::new();
    for picked in 0..1_u32 << hand.len() {
        let (taken, left): (Vec<_>, Vec<_>) = (0..hand.len()).partition(|n| picked >> n & 1 == 1);
        let [taken, left] = [taken, left].map(|side| side.into_iter().map(|n| hand[n]).collect::<Vec<_>>().join(" "));
        match (view["roundStep"].as_str().expect("a step"), picked.count_ones()) {
            ("DISCARD_TWO", 2) | ("DISCARD_ONE", 1) => moves.insert(format!("discard {taken}")),
            ("BET", 2) => moves.insert(format!("bet {taken} against {left}")),
            _ => false,
        };
    }
    if idle { BTreeSet::new() } else { moves }
}
