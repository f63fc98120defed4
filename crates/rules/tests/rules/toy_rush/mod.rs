//! The rulebook of Toy Rush, sentence by sentence. Positions are drawn in text; `after` plays some moves and returns
//! the result.

mod balance;
mod bot;
mod content;
mod ending;
mod naive;
mod placement;
mod resigning;
mod resolution;
mod setting_up;
mod shipping;
mod views;

pub use naive::naive_moves;

use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Illegal, Instant, Next, Rules, Seat, Turn,
    toy_rush::{
        Area, ELVES, Event, EventView, Move, Object, Objective, Objectives, Objects, Options, Phase, State, ToyRush,
        View,
    },
};
use std::{collections::VecDeque, sync::Arc};

const NOW: Instant = Instant(0);

/// A game just set up, with the default options.
fn start() -> State {
    begin(&Options { first_seat: Some(Seat(0)), ..Options::default() }, 1).state
}

fn begin(options: &Options, n: u64) -> Next<ToyRush> {
    ToyRush::setup(options, 2, NOW, &mut Dice::new(seed(n)))
}

fn objectives(numbers: &str) -> Objectives {
    let read = |id: &str| Objective::from_id(id).unwrap_or_else(|| panic!("no objective is called {id}"));
    numbers.split(',').filter(|numbers| *numbers != "none").map(read).collect()
}

fn objects(words: &str) -> Objects {
    let read = |word| Object::from_word(word).unwrap_or_else(|| panic!("no object is called {word}"));
    Objects::collect(words.split(',').filter(|word| *word != "none").map(read)).expect("no more than in the box")
}

/// Reads a drawn table: first what is done (`round`, `token`, `target`, `rounds`, `step`, `deck`), then the line, as the
/// elves of both seats on each space that holds some, then a line a seat. Elves that are not mentioned are in the
/// reserve, objectives in the deck.
fn draw(text: &str) -> State {
    let area = || Area {
        resigned: false,
        stock: 0,
        reserve: 0,
        objects: Objects::NONE,
        hand: Objectives::NONE,
        drawn: Objectives::NONE,
        completed: Objectives::NONE,
        sealed: None,
    };
    let mut state = State {
        target: 17,
        max_rounds: 40,
        round: 1,
        token: Seat(0),
        phase: Phase::Place,
        active: Seat(0),
        line: Default::default(),
        deck: Vec::new(),
        areas: [area(), area()],
        history: Arc::default(),
        ended: None,
    };
    let mut deck = None;
    let number = |text: &str| text.parse::<u8>().unwrap_or_else(|_| panic!("{text} is no number"));
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(' ').expect("a word and more") {
            ("round", round) => state.round = number(round),
            ("rounds", rounds) => state.max_rounds = number(rounds),
            ("target", target) => state.target = number(target),
            ("token", seat) => state.token = Seat(number(seat)),
            ("placing", seat) => state.active = Seat(number(seat)),
            ("step", "SHIP") => state.phase = Phase::Ship,
            ("deck", cards) => deck = Some(cards.split(',').filter_map(Objective::from_id).collect()),
            ("line", spaces) => {
                for space in spaces.split(' ') {
                    let (space, elves) = space.split_once(':').expect("a space and its elves");
                    let (one, two) = elves.split_once('+').expect("the elves of both");
                    state.line[usize::from(number(space)) - 1] = [number(one), number(two)];
                }
            }
            ("seat", seat) => {
                let (seat, parts) = seat.split_once(": ").expect("a number and a colon");
                let area = &mut state.areas[usize::from(number(seat))];
                for part in parts.split(", ") {
                    match part.split_once(' ').expect("a word and more") {
                        ("stock", elves) => area.stock = number(elves),
                        ("has", words) => area.objects = objects(words),
                        ("hand", cards) => area.hand = objectives(cards),
                        ("completed", cards) => area.completed = objectives(cards),
                        _ => panic!("not part of a seat: {part}"),
                    }
                }
            }
            _ => panic!("not part of a drawing: {line}"),
        }
    }
    let [one, two] = &state.areas;
    let held = one.hand.with(one.completed).with(two.hand).with(two.completed);
    state.deck = deck.unwrap_or_else(|| Objectives::ALL.without(held).iter().collect());
    for (seat, area) in state.areas.iter_mut().enumerate() {
        area.reserve = ELVES - area.stock - state.line.iter().map(|space| space[seat]).sum::<u8>();
    }
    ToyRush::invariants(&state).unwrap_or_else(|broken| panic!("drawn wrong: {broken}\n{text}"));
    state
}

/// Plays moves, written `0 place 5 x3; 1 place 1 x1`, and collects what happened.
fn after(state: &State, moves: &str) -> Next<ToyRush> {
    let mut next = Next { state: state.clone(), events: Vec::new() };
    for mv in moves.split("; ") {
        let (seat, notation) = mv.split_once(' ').expect("a seat and a move");
        let read: Move = notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"));
        let seat = Seat(seat.parse().expect("a seat"));
        let played = ToyRush::play(&next.state, seat, &read, NOW, &mut Dice::new(seed(7)));
        let played = played.unwrap_or_else(|why| panic!("{mv}: {why}\n{}", ToyRush::draw(&next.state)));
        ToyRush::invariants(&played.state).unwrap_or_else(|broken| panic!("{mv}: not {broken}"));
        next.state = played.state;
        next.events.extend(played.events);
    }
    next
}

/// The moves of a seat.
fn moves(state: &State, seat: u8) -> Vec<String> {
    ToyRush::legal(state, Seat(seat), NOW).iter().map(Move::to_string).collect()
}

/// The seats the game waits for.
fn waiting(state: &State) -> Vec<u8> {
    match ToyRush::turn(state) {
        Turn::Waiting(seats) => seats.into_iter().map(|seat| seat.0).collect(),
        Turn::Over(_) => Vec::new(),
    }
}

/// A line of the drawing: `Seat 0`, `Line`.
fn line(state: &State, title: &str) -> String {
    let drawing = ToyRush::draw(state);
    let line = drawing.lines().find_map(|line| line.strip_prefix(title));
    line.unwrap_or_else(|| panic!("no {title} in\n{drawing}")).trim().to_owned()
}

/// Why a move is refused.
fn refusal(state: &State, seat: u8, notation: &str) -> Illegal {
    let mv: Move = notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"));
    let played = ToyRush::play(state, Seat(seat), &mv, NOW, &mut Dice::new(seed(7)));
    played.err().unwrap_or_else(|| panic!("{notation} should be refused"))
}

/// The end of the text key of a refusal.
fn refusal_key(state: &State, seat: u8, notation: &str) -> String {
    let (Illegal::NotYourTurn(message) | Illegal::Rule(message)) = refusal(state, seat, notation);
    message.key.strip_prefix("toy_rush-refusal-").expect("a refusal").to_owned()
}

/// Who won and why, or the step it goes on with.
fn ending(state: &State) -> String {
    match ToyRush::turn(state) {
        Turn::Waiting(_) => format!("round {} {}", state.round, state.phase.id()),
        Turn::Over(outcome) => {
            let [first, second] = &outcome.standings[..] else { panic!("two seats") };
            assert_eq!((outcome.winners, first.rank, second.rank), (vec![first.seat], 1, 2));
            format!("{}: {} with {}, {} with {}", outcome.reason, first.seat, first.score, second.seat, second.score)
        }
    }
}

fn resign(state: &State, seat: u8) -> Next<ToyRush> {
    ToyRush::resign(state, &[Seat(seat)], NOW, &mut Dice::new(seed(7)))
}

fn view(state: &State, seat: u8) -> View {
    ToyRush::view(state, Eyes::Seat(Seat(seat)))
}

fn told(events: &[Event], eyes: Eyes) -> Vec<EventView> {
    events.iter().filter_map(|event| ToyRush::tell(event, eyes)).collect()
}

/// The events as words in the order they happened: `gained 5 by 0`.
fn story(events: &[Event]) -> Vec<String> {
    let tell = |event: &Event| match *event {
        Event::Drew { seat, cards } => format!("{seat} drew {cards}"),
        Event::Chose { seat, objectives } => format!("{seat} chose {objectives}"),
        Event::Kept { seat, kept, back } => {
            format!("{seat} kept {kept}{}", back.map(|back| format!(", back {back}")).unwrap_or_default())
        }
        Event::RoundStarted { round, first } => format!("round {round}, {first} first"),
        Event::Placed { seat, space, elves } => format!("{seat} placed {} x{elves}", space.number()),
        Event::TokenMoved { to } => format!("token to {to}"),
        Event::Gained { seat, space, objects, elves } => {
            let elves = (elves > 0).then(|| format!("{elves} elves"));
            let goods: Vec<_> =
                Some(objects.to_string()).filter(|text| !text.is_empty()).into_iter().chain(elves).collect();
            format!("{seat} gained {} at {}", goods.join(" and "), space.number())
        }
        Event::WentHome { seat, space, elves } => format!("{seat} home {} x{elves}", space.number()),
        Event::Shipped { seat, objectives, points } => format!("{seat} shipped [{objectives}], {points} points"),
    };
    events.iter().map(tell).collect()
}

/// What happened after the last placement, without elves going home.
fn gains(events: &[Event]) -> Vec<String> {
    let story = story(events);
    let last = story.iter().rposition(|line| line.contains(" placed ")).map_or(0, |at| at + 1);
    story[last..].iter().filter(|line| !line.contains(" home ")).cloned().collect()
}

/// Recomputes the positions of all objectives from the shuffled deck and the actions, with a simple queue.
fn deck_by_the_past(state: &State) -> Vec<Objective> {
    use ludotheque_rules::toy_rush::DeckAction;
    let mut deck: VecDeque<_> = state.history.shuffled.iter().copied().collect();
    for action in &state.history.actions {
        match action {
            DeckAction::Drew { cards, .. } => drop(deck.drain(..usize::from(cards.len()))),
            DeckAction::Kept { back, .. } => deck.extend(back),
            DeckAction::Shipped { .. } | DeckAction::Judged { .. } => {}
        }
    }
    deck.into()
}
