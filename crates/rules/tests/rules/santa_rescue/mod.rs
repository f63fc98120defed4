//! The rulebook of À la rescousse du Père Noël, sentence by sentence. Rows are drawn in text: a letter for each symbol, bell,
//! heart, star, moon, cloud and gift, small if it is white and a capital if it is black.

mod bots;
mod calendar;
mod campaign;
mod day;
mod naive;
mod powers;
mod puzzles;
mod solving;
mod team;
mod training;
mod views;

pub use naive::naive_moves;

use crate::kit::table::seed;
use ludotheque_rules::santa_rescue::{
    Elf, Ending, Event, Move, OpenDay, Options, Row, SantaRescue, State, sheets::Campaign, solver, solver::Puzzle,
};
use ludotheque_rules::{Dice, Illegal, Instant, Next, Rules, Seat, Unreadable, capabilities};

const NOW: Instant = Instant(0);

fn row(letters: &str) -> Row {
    letters.parse().unwrap_or_else(|why| panic!("{letters}: {why}"))
}

fn elf(number: u8) -> Elf {
    Elf::from_number(number).unwrap_or_else(|| panic!("no elf {number}"))
}

fn puzzle(start: &str, goal: &str) -> Puzzle {
    Puzzle { start: row(start), goal: row(goal) }
}

fn begin(options: &Options, seats: u8) -> Next<SantaRescue> {
    SantaRescue::check_options(options, seats).expect("options that can be played");
    SantaRescue::setup(options, seats, NOW, &mut Dice::new(seed(1)))
}

/// A campaign with this puzzle on a day, for this many seats.
fn table(seats: u8, day: u8, start: &str, goal: &str) -> State {
    let mut state = begin(&Options { first_day: day, ..Options::default() }, seats).state;
    put(&mut state, day, start, goal);
    state
}

/// Replaces a puzzle.
fn put(state: &mut State, day: u8, start: &str, goal: &str) {
    let other = |(of, old): (u8, Puzzle)| if of == day { puzzle(start, goal) } else { old };
    state.campaign = Campaign::new(state.campaign.puzzles().map(other).collect()).expect("24 puzzles");
}

fn read(notation: &str) -> Move {
    notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"))
}

/// Plays a move that is legal.
#[track_caller]
fn play(state: &State, seat: u8, notation: &str) -> Next<SantaRescue> {
    SantaRescue::play(state, Seat(seat), &read(notation), NOW, &mut Dice::new(seed(7)))
        .unwrap_or_else(|why| panic!("{notation}: {why}\n{}", SantaRescue::draw(state)))
}

/// Plays moves one after the other, each by the seat that holds its elf.
#[track_caller]
fn after(state: &State, moves: &[&str]) -> State {
    moves.iter().fold(state.clone(), |state, notation| {
        let seat = match read(notation) {
            Move::Play { elf, .. } => state.holder(elf),
            _ => Seat(0),
        };
        play(&state, seat.0, notation).state
    })
}

/// The key of the sentence that refuses a move, which breaks a rule or comes from somebody who is not in play.
#[track_caller]
fn refusal(state: &State, seat: u8, notation: &str) -> String {
    let played = SantaRescue::play(state, Seat(seat), &read(notation), NOW, &mut Dice::new(seed(7)));
    key(&played.err().unwrap_or_else(|| panic!("{notation} should be refused")))
}

fn key(why: &Illegal) -> String {
    let (Illegal::NotYourTurn(message) | Illegal::Rule(message)) = why;
    message.key.replace("santa_rescue-refusal-", "")
}

/// The notations of a seat's legal moves.
fn legal(state: &State, seat: u8) -> Vec<String> {
    SantaRescue::legal(state, Seat(seat), NOW).iter().map(Move::to_string).collect()
}

fn today(state: &State) -> &OpenDay {
    state.today.as_ref().expect("a day is open")
}

/// How the last finished day ended.
fn ended(state: &State) -> Ending {
    state.past.last().expect("a day is over").result
}

/// Makes an aside from its JSON.
fn aside(state: &State, seat: u8, json: &serde_json::Value) -> Result<Next<SantaRescue>, String> {
    let line = capabilities::read_aside::<SantaRescue>(json).map_err(|why| match why {
        Unreadable::Illegal(why) => key(&why),
        Unreadable::Shape(fault) => fault.to_string(),
    })?;
    capabilities::make_aside::<SantaRescue>(state, Seat(seat), &line, NOW).map_err(|why| key(&why))
}

/// Wins the day that is open, by its first solution.
fn win(state: &State) -> State {
    let mut state = state.clone();
    for _ in 0..Elf::COUNT {
        let open = today(&state);
        let powers = ludotheque_rules::santa_rescue::sheets::powers_on(state.day);
        let goal = state.campaign.puzzle(state.day).goal;
        let next = solver::next_of_winning_line(state.row(open), goal, &powers, open.unspent());
        let mv: Move = next.expect("the day can be won").into();
        state = play(&state, state.holder(next.expect("just seen").elf).0, &mv.to_string()).state;
    }
    state
}

/// All seats give the day up.
fn give_up(state: &State) -> State {
    let seats: Vec<_> = state.active().collect();
    seats.iter().fold(state.clone(), |state, seat| play(&state, seat.0, "wish").state)
}

fn has(events: &[Event], what: impl Fn(&Event) -> bool) -> bool {
    events.iter().any(what)
}
