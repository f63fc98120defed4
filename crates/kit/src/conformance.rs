//! Conformance tests: what every kind must guarantee, checked on random games at every number of seats.

use crate::table::{MOST_MOVES, Table, every_game, every_position, may_give_up, parse, positions, seed};
use ludotheque_rules::{
    Dice, Eyes, Illegal, Instant, Seat, Turn,
    any::{AnyEvent, AnyMove, AnyRules},
    catalog::Catalog,
};
use serde_json::Value;
use std::collections::BTreeSet;

pub fn every_seat_waited_for_has_a_legal_move(catalog: Catalog) {
    every_position(catalog, 5, |table, _| match table.rules.turn(&table.state) {
        Turn::Waiting(seats) => {
            assert!(!seats.is_empty(), "it waits for nobody\n{}", table.drawing());
            assert!(seats.is_sorted_by(|one, next| one < next), "seats waited for are in order");
            for seat in seats {
                assert!(!table.legal(seat).is_empty(), "seat {seat} can't move\n{}", table.drawing());
            }
        }
        Turn::Over(_) => {
            for seat in table.all_seats() {
                assert_eq!(table.ids(seat), Vec::<String>::new(), "nobody moves when the game is over");
            }
        }
    });
}

pub fn every_listed_move_is_playable_and_listed_once(catalog: Catalog) {
    every_position(catalog, 3, |table, _| {
        for seat in table.all_seats() {
            let moves = table.legal(seat);
            let ids: BTreeSet<_> = moves.iter().map(|mv| &mv.id).collect();
            assert_eq!(ids.len(), moves.len(), "a move is listed twice: {:?}", table.ids(seat));
            for mv in &moves {
                table.clone().play(seat, mv);
            }
        }
    });
}

pub fn a_move_that_is_not_listed_is_refused_and_changes_nothing(catalog: Catalog) {
    let mut refused = 0;
    every_position(catalog, 3, |table, chance| {
        let before = table.bytes();
        for seat in table.all_seats() {
            let listed: BTreeSet<_> = table.ids(seat).into_iter().collect();
            for mv in foreign_moves(table, chance) {
                let mut dice = table.dice.clone();
                let played = table.rules.play(&table.state, seat, &mv, table.now, &mut dice);
                assert_eq!(played.is_ok(), listed.contains(&mv.id), "{} by seat {seat}\n{}", mv.id, table.drawing());
                let previewed = table.rules.preview(&table.state, seat, &mv, table.now);
                let (played, previewed) = (played.err(), previewed.err());
                assert_eq!(played, previewed, "a preview is refused as the move is");
                if let Some(why) = played {
                    assert_eq!(dice.position(), table.dice.position(), "a refused move throws no dice");
                    let waited = table.rules.turn(&table.state).waits_for(seat);
                    let not_your_turn = matches!(why, Illegal::NotYourTurn(_));
                    assert!(!(waited && not_your_turn), "seat {seat} is waited for, yet it is not its turn");
                    refused += 1;
                }
            }
        }
        assert_eq!(table.bytes(), before);
    });
    let least = 200 * catalog.newest_of_all().count();
    assert!(refused > least, "too few moves were tried to show anything: {refused} of {least}");
}

/// Moves of other seats and of earlier and later positions, and moves with one detail changed.
fn foreign_moves(table: &Table, chance: &mut Dice) -> Vec<AnyMove> {
    let mut elsewhere = table.clone();
    elsewhere.stroll(chance.index(4), chance);
    let mut moves: Vec<_> = table.all_seats().flat_map(|seat| [table.legal(seat), elsewhere.legal(seat)]).collect();
    let (start, _) = Table::start(table.rules, table.seats, chance.below(100).into());
    moves.extend(table.all_seats().map(|seat| start.legal(seat)));
    let mut moves: Vec<_> = moves.into_iter().flatten().collect();
    chance.shuffle(&mut moves);
    moves.truncate(12);
    let glossary: Vec<_> = table.rules.glossary().into_iter().map(|(id, _)| id).collect();
    let changed: Vec<_> = moves
        .iter()
        .filter_map(|mv| {
            let mut json = parse(&table.rules.describe(&table.state, Seat(0), mv).mv.to_json());
            change(&mut json, &glossary, chance);
            table.rules.read_move(&json).ok()
        })
        .collect();
    moves.extend(changed);
    moves
}

/// Mutates one detail: replaces a word by another id of the kind, changes a number by one, or adds or removes a list
/// item.
fn change(json: &mut Value, glossary: &[String], chance: &mut Dice) {
    match json {
        Value::Object(fields) => {
            let which = chance.index(fields.len());
            let (name, field) = fields.iter_mut().nth(which).expect("just counted");
            if name != "type" {
                change(field, glossary, chance);
            }
        }
        Value::Array(items) => match (chance.below(3), items.as_mut_slice()) {
            (0, [first, ..]) => {
                let twice = first.clone();
                items.push(twice);
            }
            (1, [_, ..]) => drop(items.pop()),
            (_, [first, ..]) => change(first, glossary, chance),
            _ => {}
        },
        Value::String(word) if !glossary.is_empty() => word.clone_from(&glossary[chance.index(glossary.len())]),
        Value::Number(number) => {
            *json = Value::from(number.as_i64().unwrap_or_default() + 1 - i64::from(chance.below(3)));
        }
        _ => {}
    }
}

pub fn a_move_reads_back_from_its_notation_and_from_its_json(catalog: Catalog) {
    every_position(catalog, 3, |table, _| {
        for seat in table.all_seats() {
            for mv in table.legal(seat) {
                let described = table.rules.describe(&table.state, seat, &mv);
                assert_eq!(described.id, mv.id);
                let read = table.rules.parse_move(&mv.id).expect("a notation that was just written");
                assert_eq!(read.id, mv.id);
                let read = table.rules.read_move(&parse(&described.mv.to_json())).expect("JSON that was just written");
                assert_eq!(read.id, mv.id);
                assert_eq!(table.rules.describe(&table.state, seat, &read).mv.to_json(), described.mv.to_json());
                let bare: Vec<_> =
                    parse(&described.mv.to_json()).as_object().expect("an object").values().cloned().collect();
                assert!(table.rules.read_move(&bare.into()).is_err(), "a move is an object, not a list");
            }
        }
    });
}

pub fn nonsense_is_no_move(catalog: Catalog) {
    for rules in catalog.all() {
        for notation in ["", " ", "castle", "\u{0}", "discard discard", &"a ".repeat(10_000)] {
            assert!(rules.parse_move(notation).is_none(), "{notation:?}");
        }
        for json in ["null", "[]", "{}", "\"\"", r#"{"type": "CASTLE"}"#, r#"{"type": 7}"#] {
            assert!(rules.read_move(&parse(json)).is_err(), "{json}");
        }
        for options in [r#"{"nonsense": 1}"#, "[]", "[1]", "7", "null"] {
            assert!(rules.read_options(&parse(options), *rules.info().seats.start()).is_err(), "{options}");
        }
    }
}

pub fn a_state_survives_the_store(catalog: Catalog) {
    every_position(catalog, 3, |table, _| {
        let mut read = table.clone();
        read.state = table.rules.decode_state(&table.bytes()).expect("a state that was just written");
        assert_eq!(read.bytes(), table.bytes());
        assert_eq!(read.rules.turn(&read.state), table.rules.turn(&table.state));
        for eyes in table.all_eyes() {
            assert_eq!(read.view(eyes), table.view(eyes));
        }
        for seat in table.all_seats() {
            assert_eq!(read.ids(seat), table.ids(seat));
        }
        let cut = &table.bytes()[..table.bytes().len() / 2];
        assert!(table.rules.decode_state(cut).is_err(), "half a state is no state");
    });
}

pub fn two_thousand_games_of_every_kind_end_and_what_must_hold_does_after_every_step(catalog: Catalog) {
    let mut look = |table: &Table, _: &mut Dice| {
        if let Err(broken) = table.rules.invariants(&table.state) {
            panic!("it no longer holds that {broken}\n{}", table.drawing());
        }
        if let Some(outcome) = table.outcome() {
            let mut seats: Vec<_> = outcome.standings.iter().map(|standing| standing.seat).collect();
            assert!(outcome.standings.is_sorted_by_key(|standing| standing.rank), "best first");
            seats.sort_unstable();
            assert_eq!(seats, table.all_seats().collect::<Vec<_>>(), "every seat has its place, once");
            let firsts = outcome.standings.iter().filter(|standing| standing.rank == 1);
            let firsts: Vec<_> = firsts.map(|standing| standing.seat).collect();
            assert!(outcome.winners.is_empty() || outcome.winners == firsts, "the winners come first");
        }
    };
    for rules in catalog.all() {
        let seats: Vec<_> = rules.info().seats.clone().collect();
        for (game, &seats) in (0..2_000).zip(seats.iter().cycle()) {
            positions(rules, seats, game, &mut look);
        }
    }
}

/// Other worlds that a move is tried in, to see whether its player could know what it leads to.
const WORLDS: usize = 8;

/// A kind of which so large a part of the moves can be foreseen must foresee some to the end. In a smaller part, what is
/// hidden may have been known by elimination.
const FORESEEABLE: f64 = 0.1;

pub fn a_preview_agrees_with_the_play_as_far_as_it_goes(catalog: Catalog) {
    assert!(catalog.all().count() > 0, "a catalogue without kinds shows nothing");
    for rules in catalog.all() {
        let (mut tried, mut foreseeable, mut complete) = (0, 0, 0);
        let mut look = |table: &Table, chance: &mut Dice| {
            for seat in table.all_seats() {
                for mv in table.legal(seat) {
                    let (foreseen, whole) =
                        rules.preview(&table.state, seat, &mv, table.now).expect("a listed move can be previewed");
                    let mut played = table.clone();
                    let events = played.play(seat, &mv);
                    assert!(events.starts_with(&foreseen.events), "{} goes otherwise than foreseen", mv.id);
                    if whole {
                        assert_eq!(events, foreseen.events);
                        assert_eq!(played.bytes(), rules.encode_state(&foreseen.state));
                        assert_eq!(played.dice.position(), table.dice.position(), "chance can't be foreseen");
                        complete += 1;
                    }
                    tried += 1;
                    foreseeable += u32::from(complete == 0 && is_foreseeable(table, seat, &mv, &events, chance));
                }
            }
        };
        for seats in rules.info().seats.clone() {
            for game in 0..3 {
                positions(rules, seats, game, &mut look);
            }
        }
        let (kind, part) = (rules.info().kind, f64::from(foreseeable) / f64::from(tried));
        assert!(complete > 0 || part < FORESEEABLE, "no preview of {kind} was complete; {part:.2} of them could be");
    }
}

/// Whether a move throws no dice, and goes the same in every world that its player can't tell from this one.
fn is_foreseeable(table: &Table, seat: Seat, mv: &AnyMove, events: &[AnyEvent], chance: &mut Dice) -> bool {
    (0..WORLDS).all(|_| {
        let mut other = table.clone();
        other.state = table.rules.resample(&table.state, Eyes::Seat(seat), chance);
        other.play(seat, mv) == events && other.dice.position() == table.dice.position()
    })
}

/// An action in a game.
#[derive(Debug)]
enum Action {
    Start,
    Move(Seat, String),
    Resignation(Vec<Seat>),
}

/// An action with its time and its result.
struct PlayedStep {
    action: Action,
    now: Instant,
    events: Vec<AnyEvent>,
    bytes: Vec<u8>,
}

impl PlayedStep {
    fn new(action: Action, table: &Table, events: Vec<AnyEvent>) -> Self {
        Self { action, now: table.now, events, bytes: table.bytes() }
    }
}

pub fn a_game_replays_from_its_seed_to_the_same_bytes(catalog: Catalog) {
    for (rules, seats, game) in every_game(catalog, 5) {
        let (mut table, events) = Table::start(rules, seats, game);
        let mut chance = Dice::new(seed(2_000 + game));
        let mut steps = vec![PlayedStep::new(Action::Start, &table, events)];
        for _ in 0..MOST_MOVES {
            let Some((seat, mv)) = table.any_move(&mut chance) else { break };
            let (action, events) = match may_give_up(&table, &mut chance) {
                Some(leaving) => (Action::Resignation(leaving.clone()), table.resign(&leaving)),
                None => (Action::Move(seat, mv.id.clone()), table.play(seat, &mv)),
            };
            steps.push(PlayedStep::new(action, &table, events));
        }
        replay(rules, seats, game, &steps);
    }
}

/// Repeats all steps, storing and loading state and dice after each.
fn replay(rules: &dyn AnyRules, seats: u8, game: u64, steps: &[PlayedStep]) {
    let (mut table, mut events) = Table::start(rules, seats, game);
    for step in steps {
        table.now = step.now;
        table.dice = Dice::at(seed(game), table.dice.position());
        table.state = rules.decode_state(&table.bytes()).expect("a state that was just written");
        match &step.action {
            Action::Start => {}
            Action::Move(seat, id) => {
                events = table.play(*seat, &rules.parse_move(id).expect("a move that was played"));
            }
            Action::Resignation(seats) => events = table.resign(seats),
        }
        if (&events, &table.bytes()) != (&step.events, &step.bytes) {
            let mut first = table.clone();
            first.state = rules.decode_state(&step.bytes).expect("a state that was written before");
            panic!(
                "{:?} of {} leads elsewhere when it is replayed\nat first: {:#?}\n{}\nnow: {:#?}\n{}",
                step.action,
                rules.info().kind,
                first.told(&step.events, Eyes::Replay),
                first.drawing(),
                table.told(&events, Eyes::Replay),
                table.drawing()
            );
        }
    }
}

pub fn a_seat_that_gave_up_acts_no_more_and_ranks_last(catalog: Catalog) {
    let mut left = BTreeSet::new();
    for (rules, seats, game) in every_game(catalog, 25) {
        let (mut table, _) = Table::start(rules, seats, game);
        let mut chance = Dice::new(seed(3_000 + game));
        for moves in 0.. {
            assert!(moves < MOST_MOVES, "{} does not end", rules.info().kind);
            let Some((seat, mv)) = table.any_move(&mut chance) else { break };
            if let Some(leaving) = may_give_up(&table, &mut chance) {
                table.resign(&leaving);
                left.insert(rules.info().kind);
            } else {
                table.play(seat, &mv);
            }
            if let Err(broken) = rules.invariants(&table.state) {
                panic!("it no longer holds that {broken}\n{}", table.drawing());
            }
            for &seat in &table.out {
                assert!(!rules.turn(&table.state).waits_for(seat), "seat {seat} is gone\n{}", table.drawing());
                assert!(table.legal(seat).is_empty());
            }
        }
        let standings = table.outcome().expect("it ended").standings;
        let (gone, stayed): (Vec<_>, Vec<_>) = standings.iter().partition(|place| table.out.contains(&place.seat));
        let worst = stayed.iter().map(|place| place.rank).max();
        assert!(gone.iter().all(|place| Some(place.rank) >= worst), "{standings:?}, gave up: {:?}", table.out);
    }
    for rules in catalog.all() {
        assert!(left.contains(rules.info().kind), "nobody ever gave up a game of {}", rules.info().kind);
    }
}

pub fn when_everybody_has_given_up_every_view_says_so(catalog: Catalog) {
    every_position(catalog, 1, |table, _| {
        let seats: Vec<_> = table.all_seats().collect();
        let marked = table.rules.mark_resigned(&table.state, &seats);
        for eyes in table.all_eyes() {
            let view = parse(&table.rules.view(&marked, eyes).to_json());
            let seats = view["seats"].as_array().expect("seats");
            assert!(seats.iter().all(|seat| seat["resigned"] == true), "{view}");
        }
    });
}
