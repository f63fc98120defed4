//! Replays of games that were played with a former build, and must verify in every later one.
//!
//! `tests/service/api/replays.rs` captured them from the real server. Those that are older than the chain were given theirs later;
//! it follows from their steps.

use ludotheque::games::replay::Replay;
use ludotheque::rules::{Instant, catalog};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The committed replays, by file name.
fn committed() -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/replays");
    let files = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("a file").path());
    let replays = files.map(|file| {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        (name, serde_json::from_slice(&fs::read(file).expect("it can be read")).expect("JSON"))
    });
    replays.collect()
}

/// What is wrong with a replay.
fn differences(replay: &Value) -> Vec<String> {
    match serde_json::from_value::<Replay>(replay.clone()) {
        Ok(replay) => replay.verify(catalog::BUILT_IN),
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn every_committed_replay_verifies() {
    for (name, replay) in committed() {
        assert_eq!(differences(&replay), Vec::<String>::new(), "{name}");
        let read: Replay = serde_json::from_value(replay.clone()).expect("a replay");
        assert_eq!(serde_json::to_value(read).expect("JSON"), replay, "{name} is read in full");
    }
}

#[test]
fn every_rules_version_of_every_kind_has_a_replay() {
    let due = catalog::BUILT_IN.all().map(|rules| (json!(rules.info().kind), json!(rules.info().rules_version)));
    let replays = committed();
    for (kind, version) in due {
        let there = replays.iter().any(|(_, replay)| replay["kind"] == kind && replay["rulesVersion"] == version);
        assert!(there, "no replay of {kind} version {version}; tests/service/api/replays.rs says how to capture one");
    }
    let chips = replays.iter().filter(|(_, replay)| replay["kind"] == "CHIPS");
    let endings: BTreeSet<_> = chips.filter_map(|(_, replay)| replay["outcome"]["reason"].as_str()).collect();
    assert_eq!(endings, BTreeSet::from(["JACKPOT", "RESIGNED", "TOKENS"]));
}

/// The places of all plain values within, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), found)),
        Value::Array(items) => items.iter().enumerate().for_each(|(n, item)| places(item, &format!("{at}/{n}"), found)),
        _ => found.push(at.to_owned()),
    }
}

/// Another value of the same sort.
fn other(value: &Value) -> Value {
    match value {
        Value::Bool(is) => json!(!is),
        Value::Number(number) => json!(number.as_i64().expect("whole numbers") ^ 1),
        Value::Null => json!(0),
        // A millisecond earlier or later; another digit at the end of an id or a seed, another letter in a word.
        Value::String(text) => match serde_json::from_value::<Instant>(value.clone()) {
            Ok(Instant(moment)) => json!(Instant(moment ^ 1)),
            Err(_) => match text.strip_suffix('0') {
                Some(start) => json!(format!("{start}1")),
                None => json!(format!("{}0", &text[..text.len() - text.chars().last().map_or(0, char::len_utf8)])),
            },
        },
        Value::Array(_) | Value::Object(_) => unreachable!("plain values only"),
    }
}

/// How many values of the events of one replay are changed.
const MOST_OF_EVENTS: usize = 150;

#[test]
fn whatever_is_changed_in_a_replay_is_noticed() {
    for (name, replay) in &committed() {
        let mut found = Vec::new();
        places(replay, "", &mut found);
        assert!(found.len() > 100, "{name}: {}", found.len());
        // Long games have thousands of values in their events, each of which is compared in the same way.
        let (events, bound): (Vec<_>, Vec<_>) = found.iter().partition(|place| place.contains("/events/"));
        let stride = events.len().div_ceil(MOST_OF_EVENTS);
        for place in bound.into_iter().chain(events.into_iter().step_by(stride)) {
            let mut forged = replay.clone();
            let value = forged.pointer_mut(place).expect("a place");
            *value = other(value);
            assert_ne!(differences(&forged), Vec::<String>::new(), "{name}: {place}");
        }
    }
}

#[test]
fn a_replay_whose_times_were_all_moved_by_a_century_is_found_out() {
    for (name, replay) in committed() {
        let mut forged = replay.clone();
        for step in forged["steps"].as_array_mut().expect("steps") {
            let at = step["at"].as_str().expect("a moment").replacen("20", "21", 1);
            step["at"] = json!(at);
        }
        let differences = differences(&forged);
        assert!(differences.iter().any(|found| found.contains("chain")), "{name}: {differences:?}");
    }
}

#[test]
fn a_replay_without_its_chain_proves_nothing() {
    for (name, replay) in committed() {
        let mut forged = replay.clone();
        forged.as_object_mut().expect("a replay").remove("chain");
        let differences = differences(&forged);
        assert!(differences.iter().any(|found| found.starts_with("it has no chain")), "{name}: {differences:?}");
    }
}

#[test]
fn no_step_or_event_can_be_left_out_doubled_or_moved() {
    for (name, replay) in committed() {
        let steps = replay["steps"].as_array().expect("steps");
        let check = |what: &str, steps: Vec<Value>| {
            let mut forged = replay.clone();
            forged["steps"] = Value::Array(steps);
            assert_ne!(differences(&forged), Vec::<String>::new(), "{name}: {what}");
        };
        for step in 0..steps.len() {
            let but_one = steps.iter().enumerate().filter(|(n, _)| *n != step).map(|(_, step)| step.clone());
            check(&format!("without step {step}"), but_one.collect());
            check(&format!("step {step} twice"), [&steps[..=step], &steps[step..]].concat());
            if step > 0 {
                let mut swapped = steps.clone();
                swapped.swap(step - 1, step);
                check(&format!("step {step} before the last"), swapped);
            }
            let mut fewer = steps.clone();
            fewer[step]["events"].as_array_mut().expect("events").pop();
            check(&format!("an event less in step {step}"), fewer);
        }
        check("without steps", Vec::new());
    }
}

/// What is done to a start, in words and in fact.
type Forgery<'a> = (&'static str, &'a dyn Fn(&mut Value));

#[test]
fn nothing_can_be_added_to_or_left_out_of_what_was_prepared() {
    let mut tried = 0;
    for (name, sound) in committed().iter().filter(|(name, _)| name.contains("own-campaign")) {
        let steps = sound["steps"].as_array().expect("steps");
        let begin = steps.iter().position(|step| step["action"]["type"] == "BEGIN").expect("it was prepared");
        let puzzles = steps[begin]["action"]["prepared"]["puzzles"].as_array().expect("puzzles");
        let opened = puzzles.iter().position(|puzzle| !puzzle.is_null()).expect("a day was opened");
        let unopened = puzzles.iter().position(Value::is_null).expect("a day was not");
        let forge = |change: &dyn Fn(&mut Value)| {
            let mut forged = sound.clone();
            change(&mut forged["steps"][begin]["action"]);
            differences(&forged)
        };
        assert_eq!(forge(&|_| ()), Vec::<String>::new());
        let digests = |action: &Value| action["leftOut"].as_array().cloned().unwrap_or_default();
        let changes: [Forgery<'_>; 10] = [
            ("a field more", &|action| action["prepared"]["more"] = json!(1)),
            ("a field less", &|action| {
                action["prepared"].as_object_mut().expect("fields").remove("opensAt");
            }),
            ("a field more in a puzzle", &|action| action["prepared"]["puzzles"][opened]["more"] = json!(1)),
            ("a puzzle that was not shown", &|action| {
                action["prepared"]["puzzles"][unopened] = puzzles[opened].clone();
            }),
            ("a day more", &|action| {
                action["prepared"]["puzzles"].as_array_mut().expect("puzzles").push(Value::Null);
            }),
            ("moments of no calendar", &|action| action["prepared"]["opensAt"] = json!([])),
            ("nothing", &|action| action["prepared"] = Value::Null),
            ("digests of nothing", &|action| {
                action["leftOut"] = json!([digests(action), vec![json!("0"); 24]].concat());
            }),
            ("a digest in another place", &|action| {
                action["leftOut"] = json!([vec![json!("0")], digests(action)].concat());
            }),
            ("other digests", &|action| action["leftOut"] = json!(vec!["0"; digests(action).len().max(1)])),
        ];
        for (what, change) in changes {
            assert_ne!(forge(change), Vec::<String>::new(), "{name}: {what}");
            tried += 1;
        }
    }
    assert_eq!(tried, 20);
}

#[test]
fn a_game_for_which_nothing_was_prepared_is_not_begun_with_something() {
    let mut tried = 0;
    for (name, sound) in committed() {
        let starts = |step: &Value| step["action"]["type"] == "START";
        let Some(start) = sound["steps"].as_array().expect("steps").iter().position(starts) else { continue };
        for prepared in [json!(null), json!({}), json!(7)] {
            let mut forged = sound.clone();
            forged["steps"][start]["action"] = json!({"type": "BEGIN", "prepared": prepared});
            assert_ne!(differences(&forged), Vec::<String>::new(), "{name}: {prepared}");
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn a_move_or_an_aside_is_told_in_one_way_only() {
    let mut tried = 0;
    for (name, sound) in committed() {
        for (number, step) in sound["steps"].as_array().expect("steps").iter().enumerate() {
            let Some(field) = ["id", "aside"].into_iter().find(|field| step["action"][field].is_string()) else {
                continue;
            };
            let told = step["action"][field].as_str().expect("a text");
            for other in [format!("{told} "), format!(" {told}"), format!("{told}\r"), told.replacen(' ', "  ", 1)] {
                if other == told {
                    continue;
                }
                let mut forged = sound.clone();
                forged["steps"][number]["action"][field] = json!(other);
                assert_ne!(differences(&forged), Vec::<String>::new(), "{name}: {other:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}
