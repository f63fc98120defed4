//! The `ADVENT` calendar, and what is prepared for a start.

use super::{begin, give_up, has, key, play, read, today};
use crate::kit::table::seed;
use ludotheque_rules::capabilities::{self, FromLobby, Scheduled};
use ludotheque_rules::santa_rescue::{Calendar, Event, Options, SantaRescue, State, criteria, sheets::Campaign};
use ludotheque_rules::{Dice, Eyes, Instant, Lobby, Outside, Rules, Seat, Turn, Unprepared};
use serde_json::{Value, json};

const HOUR: i64 = 60 * 60 * 1000;

/// A fake [`Outside`]: a fixed UTC offset, years of 24 days, and a deadline after some calls.
struct World {
    patience: std::cell::Cell<u32>,
}

impl World {
    fn new() -> Self {
        Self { patience: u32::MAX.into() }
    }
}

impl Outside for World {
    fn midnight(&self, zone: &str, year: i16, month: i8, day: i8) -> Option<Instant> {
        assert_eq!(month, 12);
        let ahead: i64 = zone.parse().ok()?;
        Some(Instant((i64::from(year) * 24 * 24 + i64::from(day) * 24 - ahead) * HOUR))
    }

    fn year(&self, zone: &str, at: Instant) -> Option<i16> {
        zone.parse::<i64>().ok()?;
        i16::try_from(at.0).ok()
    }

    fn is_out_of_time(&self) -> bool {
        let left = self.patience.get();
        self.patience.set(left.saturating_sub(1));
        left == 0
    }
}

fn advent() -> Options {
    Options { calendar: Calendar::Advent, year: Some(0), time_zone: "0".to_owned(), ..Options::default() }
}

fn midnight(day: u8) -> Instant {
    Instant(i64::from(day) * 24 * HOUR)
}

fn prepared(options: &Options) -> Option<Value> {
    capabilities::prepare::<SantaRescue>(options, Instant(7), &World::new()).expect("prepared")
}

fn start(options: &Options, seats: u8, now: Instant) -> State {
    let prepared = prepared(options);
    let lobby = Lobby { choices: &[], prepared: prepared.as_ref() };
    SantaRescue::begin(options, &lobby, seats, now, &mut Dice::new(seed(1))).state
}

/// Plays at a moment; a refusal by its key and when the day opens.
fn play_at(state: &State, notation: &str, now: Instant) -> Result<State, String> {
    let played = SantaRescue::play(state, Seat(0), &read(notation), now, &mut Dice::new(seed(7)));
    played.map(|next| next.state).map_err(|why| format!("{} {:?}", key(&why), why))
}

#[test]
fn day_n_opens_on_n_december_at_midnight() {
    let before = Instant(midnight(1).0 - 1);
    let state = start(&advent(), 1, before);
    assert_eq!((state.today.is_none(), state.opens_at()), (true, Some(midnight(1))));
    assert_eq!(SantaRescue::legal(&state, Seat(0), before), []);
    assert_eq!(SantaRescue::legal(&state, Seat(0), midnight(1)), [read("open")]);
    let refused = play_at(&state, "open", before).expect_err("too early");
    assert!(refused.starts_with("closed") && refused.contains(&midnight(1).to_string()), "{refused}");
    let open = play_at(&state, "open", midnight(1)).expect("it is time");
    assert_eq!((open.day, open.opens_at()), (1, None));
    assert_eq!(play_at(&open, "open", midnight(1)).expect_err("once is enough").split(' ').next(), Some("open"));
}

#[test]
fn the_hour_is_that_of_the_time_zone() {
    let options = Options { time_zone: "13".to_owned(), ..advent() };
    assert_eq!(start(&options, 1, Instant(0)).opens_at(), Some(Instant(midnight(1).0 - 13 * HOUR)));
}

#[test]
fn the_year_is_that_of_creation_unless_said_otherwise() {
    let options = Options { year: None, ..advent() };
    let created_in_year_7 = start(&options, 1, Instant(0)).opens_at();
    assert_eq!(created_in_year_7, Some(Instant(midnight(1).0 + 7 * 24 * 24 * HOUR)));
}

#[test]
fn missed_days_can_be_caught_up_in_order() {
    let late = midnight(3);
    let mut state = start(&advent(), 1, late);
    for day in 1..=3 {
        assert_eq!((state.day, today(&state).rows.len()), (day, 0), "open at once");
        state = play_at(&state, "wish", late).expect("given up");
    }
    assert_eq!((state.day, state.today.is_none(), state.opens_at()), (4, true, Some(midnight(4))));
    let refused = play_at(&state, "wish", late).expect_err("it is not open");
    assert!(refused.starts_with("closed"), "{refused}");
}

#[test]
fn everybody_is_waited_for_while_a_day_is_closed_but_not_before_it_can_be_opened() {
    let state = start(&advent(), 2, Instant(0));
    assert_eq!(SantaRescue::turn(&state), Turn::Waiting(vec![Seat(0), Seat(1)]));
    assert_eq!(SantaRescue::waits_from(&state), Some(midnight(1)));
    assert_eq!(SantaRescue::waits_from(&begin(&Options::default(), 2).state), None);
}

#[test]
fn opening_a_day_can_not_be_foreseen() {
    let state = start(&advent(), 1, Instant(0));
    let foreseen = SantaRescue::preview(&state, Seat(0), &read("open"), midnight(1)).expect("legal");
    assert!(!foreseen.complete && foreseen.events.is_empty() && foreseen.state == state);
    let open = play_at(&state, "open", midnight(1)).expect("it is time");
    let last = SantaRescue::preview(&open, Seat(0), &read("wish"), midnight(1)).expect("legal");
    assert!(last.complete, "the next day is closed: nothing new is seen");
}

#[test]
fn a_free_calendar_opens_the_next_day_when_the_last_one_ends() {
    assert_eq!(prepared(&Options::default()), None, "nothing to prepare");
    let state = give_up(&begin(&Options::default(), 1).state);
    assert_eq!((state.day, state.opens_at()), (2, None));
}

#[test]
fn a_campaign_of_ones_own_has_other_puzzles_and_the_same_for_everybody() {
    let options = Options { campaign_seed: Some(3), ..Options::default() };
    let (one, other) = (start(&options, 1, Instant(0)), start(&options, 4, Instant(0)));
    assert_eq!(one.campaign, other.campaign);
    assert_ne!(one.campaign, Campaign::built_in());
    assert_eq!(criteria::faults(&one.campaign), [] as [String; 0]);
}

#[test]
fn making_a_campaign_takes_no_longer_than_it_may() {
    let options = Options { campaign_seed: Some(3), ..Options::default() };
    let impatient = World { patience: 5.into() };
    assert_eq!(capabilities::prepare::<SantaRescue>(&options, Instant(0), &impatient), Err(Unprepared::OutOfTime));
}

#[test]
fn what_is_prepared_replays_without_the_generator_and_shows_only_sheets_that_were_opened() {
    let options = Options { campaign_seed: Some(3), last_day: 5, ..Options::default() };
    let whole = prepared(&options).expect("puzzles");
    let state = give_up(&start(&options, 1, Instant(0)));
    let shown = capabilities::reveal::<SantaRescue>(&whole, &state);
    let puzzles = shown["puzzles"].as_array().expect("a list");
    let seen: Vec<_> = puzzles.iter().map(|puzzle| !puzzle.is_null()).collect();
    assert_eq!(seen, [vec![true; 2], vec![false; 22]].concat(), "days 1 and 2 were opened");
    let lobby = Lobby { choices: &[], prepared: Some(&shown) };
    let again = SantaRescue::begin(&options, &lobby, 1, Instant(0), &mut Dice::new(seed(1)));
    assert!(has(&again.events, |event| *event == Event::DayOpened { day: 1, puzzle: state.campaign.puzzle(1) }));
    assert_eq!(give_up(&again.state).campaign.puzzle(2), state.campaign.puzzle(2));
}

#[test]
fn nonsense_that_was_prepared_is_as_if_it_were_not_there() {
    let plain = begin(&Options::default(), 1).state;
    for nonsense in [json!(7), json!({}), json!({"opensAt": []}), json!({"puzzles": [{"start": "b", "goal": "b"}]})] {
        let lobby = Lobby { choices: &[], prepared: Some(&nonsense) };
        let state = SantaRescue::begin(&Options::default(), &lobby, 1, Instant(0), &mut Dice::new(seed(1))).state;
        assert_eq!(state, plain, "{nonsense}");
    }
}

#[test]
fn a_view_tells_when_the_next_day_opens_and_nothing_of_its_sheet() {
    let state = start(&advent(), 1, Instant(0));
    let view = SantaRescue::view(&state, Eyes::Seat(Seat(0)));
    assert_eq!((view.day, view.opens_at, view.today), (1, Some(midnight(1)), None));
    assert_eq!(play(&begin(&Options::default(), 1).state, 0, "wish").state.day, 2);
}
