//! The rulebook of LOADING, sentence by sentence. Positions are drawn in text; `after` plays some moves and returns the
//! result.

mod bots;
mod confirmed;
mod content;
mod duel;
mod ending;
mod laying;
mod naive;
mod nudging;
mod passing;
mod racing;
mod resigning;
mod scoring;
mod setting_up;
mod shouting;
mod views;

pub use naive::naive_moves;

use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Illegal, Instant, Next, Rules, Seat, Turn,
    loading::{
        Area, Card, Event, Loading, Move, Options, Packet, PacketId, PacketLocation, Phase, SET_ASIDE, State, Stop,
        StopCall, View,
    },
};

const NOW: Instant = Instant(1_000_000);

/// A game just set up, seat 0 with the hand held out if there are more than two.
fn start(seats: u8) -> State {
    let held_out_seat = (seats > 2).then_some(Seat(0));
    begin(&Options { held_out_seat, ..Options::default() }, seats, 1).state
}

fn begin(options: &Options, seats: u8, n: u64) -> Next<Loading> {
    Loading::check_options(options, seats).expect("options that can be played");
    Loading::setup(options, seats, NOW, &mut Dice::new(seed(n)))
}

fn card(id: &str) -> Card {
    Card::from_id(id).unwrap_or_else(|| panic!("no card is called {id}"))
}

/// Reads a drawn table, in play. First what was agreed (`options confirmed shout passes 2 seconds 0`), then the packets
/// (`P1 at 0: 5 9`, `P2 centre: 4 ...`, `P3 out: ...`), then the seats (`seat 0: pile 3 7, boosts 2, laid`; also
/// `received 4`, `nudged 2`, `stop 2+`, `gone`). Cards that are not mentioned lie in the packet with the dots, and ten of
/// them aside at a table of two; STOP cards that are not mentioned lie in the centre.
fn draw(text: &str) -> State {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut state = State {
        options: Options::default(),
        phase: Phase::Play,
        stops: Vec::new(),
        packets: Vec::new(),
        aside: Vec::new(),
        areas: Vec::new(),
        armed: None,
        ended: None,
    };
    let mut rest = None;
    for line in lines {
        let (word, more) = line.split_once(' ').expect("a word and more");
        match word {
            "options" => state.options = read_options(more),
            "seat" => state.areas.push(read_area(more.split_once(": ").expect("a number and a colon").1)),
            _ => {
                let (location, cards) = more.split_once(':').expect("a place and its cards");
                let id = PacketId::from_id(word).unwrap_or_else(|| panic!("not part of a drawing: {line}"));
                rest = cards.contains("...").then_some(id).or(rest);
                state.packets.push(read_packet(id, location, cards));
            }
        }
    }
    let seats = u8::try_from(state.areas.len()).expect("few seats");
    let taken: Vec<_> = state.areas.iter().filter_map(|area| area.stop).collect();
    state.stops = Stop::ALL.into_iter().filter(|stop| stop.mark() <= seats && !taken.contains(stop)).collect();
    let piled = state.areas.iter().flat_map(|area| &area.pile);
    let mentioned: Vec<_> = state.packets.iter().flat_map(|packet| &packet.cards).chain(piled).copied().collect();
    let mut unmentioned: Vec<_> = Card::all().filter(|card| !mentioned.contains(card)).collect();
    if seats == 2 {
        state.aside = unmentioned.split_off(unmentioned.len() - SET_ASIDE);
    }
    if let Some(packet) = state.packets.iter_mut().find(|packet| Some(packet.id) == rest) {
        packet.cards.extend(unmentioned);
        packet.cards.sort_unstable();
    }
    Loading::invariants(&state).unwrap_or_else(|broken| panic!("drawn wrong: {broken}\n{text}"));
    state
}

fn number(text: &str) -> u8 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

fn read_options(words: &str) -> Options {
    let (mut options, mut words) = (Options::default(), words.split(' '));
    while let Some(word) = words.next() {
        let mut value = || number(words.next().expect("a number"));
        match word {
            "confirmed" => options.confirmed = true,
            "shout" => options.stop_call = StopCall::Shout,
            "passes" => options.idle_passes = value(),
            "seconds" => options.idle_seconds = value().into(),
            _ => panic!("not an option: {word}"),
        }
    }
    options
}

fn read_packet(id: PacketId, location: &str, cards: &str) -> Packet {
    let location = match location.split_once(' ') {
        Some(("at", seat)) => PacketLocation::Held(Seat(number(seat))),
        _ if location == "centre" => PacketLocation::Centre,
        _ => PacketLocation::ThrownAway,
    };
    let cards = cards.split_whitespace().filter(|word| *word != "...").map(card).collect();
    let known_to = if let PacketLocation::Held(seat) = location { 1 << seat.0 } else { 0 };
    Packet { id, location, cards, known_to }
}

fn read_area(parts: &str) -> Area {
    let mut area = Area {
        resigned: false,
        stop: None,
        boosts: 1,
        pile: Vec::new(),
        laid: false,
        received: 0,
        since: NOW,
        nudges: 0,
    };
    for part in parts.split(", ") {
        match part.split_once(' ').unwrap_or((part, "")) {
            ("pile", cards) => area.pile = cards.split_whitespace().map(card).collect(),
            ("boosts", boosts) => area.boosts = number(boosts),
            ("received", times) => area.received = number(times),
            ("nudged", times) => area.nudges = number(times),
            ("stop", id) => area.stop = Stop::from_id(id),
            ("laid", _) => area.laid = true,
            ("gone", _) => area.resigned = true,
            _ => panic!("not part of a seat: {part}"),
        }
    }
    area
}

/// Plays moves, written `0 lay 9 on 0; 1 give P2`, and collects what happened.
fn after(state: &State, moves: &str) -> Next<Loading> {
    after_at(state, moves, NOW)
}

fn after_at(state: &State, moves: &str, now: Instant) -> Next<Loading> {
    let mut next = Next { state: state.clone(), events: Vec::new() };
    for mv in moves.split("; ") {
        let (seat, notation) = mv.split_once(' ').expect("a seat and a move");
        let read: Move = notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"));
        let played = Loading::play(&next.state, Seat(number(seat)), &read, now, &mut Dice::new(seed(7)));
        let played = played.unwrap_or_else(|why| panic!("{mv}: {why}\n{}", Loading::draw(&next.state)));
        Loading::invariants(&played.state).unwrap_or_else(|broken| panic!("{mv}: not {broken}"));
        next.state = played.state;
        next.events.extend(played.events);
    }
    next
}

/// The moves of a seat.
fn moves(state: &State, seat: u8) -> Vec<String> {
    moves_at(state, seat, NOW)
}

fn moves_at(state: &State, seat: u8, now: Instant) -> Vec<String> {
    Loading::legal(state, Seat(seat), now).iter().map(Move::to_string).collect()
}

/// The cards that the seat may lay, and where: `9 on 0`.
fn lays(state: &State, seat: u8) -> Vec<String> {
    moves(state, seat).iter().filter_map(|mv| mv.strip_prefix("lay ")).map(str::to_owned).collect()
}

/// The seats the game waits for.
fn waiting(state: &State) -> Vec<u8> {
    match Loading::turn(state) {
        Turn::Waiting(seats) => seats.into_iter().map(|seat| seat.0).collect(),
        Turn::Over(_) => Vec::new(),
    }
}

/// A line of the drawing: `Seat 0`, `P1`.
fn line(state: &State, title: &str) -> String {
    let drawing = Loading::draw(state);
    let line = drawing.lines().find_map(|line| line.strip_prefix(title));
    line.unwrap_or_else(|| panic!("no {title} in\n{drawing}")).trim().to_owned()
}

/// Why a move is refused: whether it is not the seat's turn, and the end of the key of the sentence.
fn refusal(state: &State, seat: u8, notation: &str) -> String {
    refusal_at(state, seat, notation, NOW)
}

fn refusal_at(state: &State, seat: u8, notation: &str, now: Instant) -> String {
    let mv: Move = notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"));
    let played = Loading::play(state, Seat(seat), &mv, now, &mut Dice::new(seed(7)));
    let (before, message) = match played.err().unwrap_or_else(|| panic!("{notation} should be refused")) {
        Illegal::NotYourTurn(message) => ("not your turn: ", message),
        Illegal::Rule(message) => ("", message),
    };
    format!("{before}{}", message.key.strip_prefix("loading-refusal-").expect("a refusal"))
}

/// The reason of the end and the ranking with bars; or that the game continues.
fn ending(state: &State) -> String {
    match Loading::turn(state) {
        Turn::Waiting(_) => "goes on".to_owned(),
        Turn::Over(outcome) => {
            let ranks = outcome
                .standings
                .iter()
                .map(|standing| format!("{}. seat {} with {}", standing.rank, standing.seat, standing.score));
            format!("{}: {}", outcome.reason, ranks.collect::<Vec<_>>().join(", "))
        }
    }
}

fn resign(state: &State, seats: &[u8]) -> Next<Loading> {
    let seats: Vec<_> = seats.iter().copied().map(Seat).collect();
    let next = Loading::resign(state, &seats, NOW, &mut Dice::new(seed(7)));
    Loading::invariants(&next.state).unwrap_or_else(|broken| panic!("not {broken}"));
    next
}

fn view(state: &State, seat: u8) -> View {
    Loading::view(state, Eyes::Seat(Seat(seat)))
}

/// The events as words, in the order they happened: `0 gave P1 to 2`.
fn story(events: &[Event]) -> Vec<String> {
    let tell = |event: &Event| match event {
        Event::Dealt { packet, seat: Some(seat), .. } => format!("{packet} to {seat}"),
        Event::Dealt { packet, seat: None, .. } => format!("{packet} to the centre"),
        Event::SetAside { cards } => format!("{} aside", cards.len()),
        Event::Charged { seat } => format!("{seat} charged"),
        Event::Opened { seat, packet, .. } => format!("{seat} opened {packet}"),
        Event::Laid { seat, packet, card, pile } => format!("{seat} laid {card} of {packet} on {pile}"),
        Event::BoostTaken { from, to } => format!("boost from {from} to {to}"),
        Event::Gave { from, to, packet, .. } => format!("{from} gave {packet} to {to}"),
        Event::Swapped { seat, put, took, .. } => format!("{seat} swapped {put} for {took}"),
        Event::Stopped { seat, packet, card } => format!("{seat} stopped {packet} with {}", card.id()),
        Event::ThrownAway { packet, .. } => format!("{packet} out"),
        Event::HeldOut { seat } => format!("{seat} holds out"),
        Event::Armed { by } => format!("armed by {}", by.id()),
        Event::Called { seat } => format!("{seat} called"),
        Event::Nudged { by, seat } => format!("{by} nudged {seat}"),
        Event::HandedOver { from, to, card } => format!("{card} from {from} to {to}"),
    };
    events.iter().map(tell).collect()
}
