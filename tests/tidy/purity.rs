//! What some parts must not even touch: the rules the world outside, the faces a raw state, anybody the clock.

use crate::Finding;
use crate::source::{Name, Source};

/// The libraries that rules may use, and where only one file may.
const FOR_RULES: &[(&str, &str)] = &[
    ("std", "crates/rules/src/"),
    ("serde", "crates/rules/src/"),
    ("serde_json", "crates/rules/src/"),
    ("schemars", "crates/rules/src/"),
    ("thiserror", "crates/rules/src/"),
    ("erased_serde", "crates/rules/src/any_value.rs"),
    ("jiff", "crates/rules/src/types.rs"),
    ("postcard", "crates/rules/src/any.rs"),
    ("rand_chacha", "crates/rules/src/dice.rs"),
];

/// What even the permitted libraries hold that rules must leave alone, and why.
const NOT_FOR_RULES: &[(&str, &str)] = &[
    ("std::collections::HashMap", "its order differs from run to run; use BTreeMap or a Vec"),
    ("std::collections::HashSet", "its order differs from run to run; use BTreeSet or a Vec"),
    ("std::collections::hash_map", "its order differs from run to run; use BTreeMap or a Vec"),
    ("std::env", "a game depends on its options, its seed and its moves alone"),
    ("std::fs", "content is built in with include_str!"),
    ("std::future", "rules answer at once"),
    ("std::io", "rules neither read nor write"),
    ("std::net", "rules neither read nor write"),
    ("std::process", "rules neither read nor write"),
    ("std::thread", "rules answer at once"),
    ("std::time", "compare the Instant that is handed in"),
    ("std::sync::Mutex", "a state is a value; share parts of it with Arc"),
    ("std::sync::RwLock", "a state is a value; share parts of it with Arc"),
    ("std::sync::atomic", "a state is a value; share parts of it with Arc"),
    ("std::sync::mpsc", "rules answer at once"),
    ("std::cell", "a state is a value; return the next one"),
    ("jiff::Timestamp::now", "compare the Instant that is handed in"),
    ("jiff::Zoned", "rules know no time zone; games turns one into instants at the start"),
    ("jiff::tz", "rules know no time zone; games turns one into instants at the start"),
];

/// Rules know std, serde and schemas: no clock, no thread, no input or output, no order of chance.
pub fn of_rules(source: &Source) -> Vec<Finding> {
    if source.part() != "rules" {
        return Vec::new();
    }
    let names = source.names.iter().filter_map(|name| {
        let Name::Theirs(path) = &name.what else { return None };
        let permitted = FOR_RULES.iter().any(|(library, place)| path[0] == *library && source.is_in(place));
        let tainted = NOT_FOR_RULES.iter().find(|(path, _)| name.what.is_within(path));
        let why = match tainted {
            Some((_, why)) => *why,
            None if permitted => return None,
            None => "rules are pure: std, serde and schemas, and what their own shared files offer",
        };
        Some(source.finding(name.line, &format!("{} is not for rules; {why}", path.join("::"))))
    });
    let waits = source.words.iter().filter(|word| ["async", "await"].contains(&word.what.as_str()));
    let waits = waits.map(|word| source.finding(word.line, "rules answer at once: nothing here is async"));
    names.chain(waits).collect()
}

/// Handlers show views; the state behind them is out of their reach.
pub fn of_faces(source: &Source) -> Vec<Finding> {
    const INSTEAD: &str = "a face shows what Game::view(eyes) and Game::tell(step, eyes) make of it";
    if !["rest", "live"].contains(&source.part()) {
        return Vec::new();
    }
    let secrets = ["rules::any::AnyState", "games::game::Running", "rules::Rules", "rules::Dice"];
    let names = source.names.iter().filter(|name| secrets.iter().any(|secret| name.what.is_within(secret)));
    let names = names.map(|name| source.finding(name.line, &format!("holds a raw state; {INSTEAD}")));
    let fields = source.dotted.iter().filter(|field| ["running", "decode_state"].contains(&field.what.as_str()));
    let fields = fields.map(|field| source.finding(field.line, &format!("looks at a raw state; {INSTEAD}")));
    names.chain(fields).collect()
}

/// Games have a clock that tests can set, tokens have another, and the metrics export when the process started; nothing
/// else reads the clock.
pub fn of_time(source: &Source) -> Vec<Finding> {
    const READERS: [&str; 3] = ["src/clock.rs", "src/auth/mod.rs", "src/edge/metrics.rs"];
    if READERS.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let clocks = ["jiff::Timestamp::now", "jiff::Zoned::now", "std::time::SystemTime"];
    let read = source.names.iter().filter(|name| clocks.iter().any(|clock| name.what.is_within(clock)));
    let read = read.map(|name| {
        let instead = "take games::ports::Clock (games) or auth::Now (tokens)";
        source.finding(name.line, &format!("reads the time of day; {instead}"))
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refuses(check: impl Fn(&Source) -> Vec<Finding>, path: &str, text: &str, because: &str) {
        let findings = check(&Source::parse(path, text));
        assert!(findings.iter().any(|finding| finding.contains(because)), "{path}: {text}: {findings:?}");
    }

    #[test]
    fn rules_that_touch_the_world_are_refused() {
        for (text, because) in [
            ("use std::time::SystemTime;", "Instant that is handed in"),
            ("fn f() { std::thread::sleep(x) }", "rules answer at once"),
            ("use std::collections::{BTreeMap, HashMap};", "BTreeMap"),
            ("async fn f() {}", "nothing here is async"),
            ("use tokio::sync::watch;", "rules are pure"),
            ("use jiff::Timestamp;", "jiff::Timestamp is not for rules"),
            ("fn f() { println!(\"{}\", std::fs::read(\"x\")) }", "include_str!"),
            ("fn f() -> Vec<u8> { postcard::to_stdvec(&1) }", "rules are pure"),
            ("use rand::Rng;", "rules are pure"),
        ] {
            refuses(of_rules, "crates/rules/src/chips/state.rs", text, because);
        }
        refuses(
            of_rules,
            "crates/rules/src/types.rs",
            "fn f() { jiff::Timestamp::now() }",
            "Instant that is handed in",
        );
    }

    #[test]
    fn what_rules_may_know_is_let_through() {
        let text = "use std::{sync::Arc, fmt}; use serde::Serialize; use schemars::JsonSchema; const A: u8 = u8::MAX;";
        assert_eq!(of_rules(&Source::parse("crates/rules/src/chips/view.rs", text)), [] as [Finding; 0]);
        let text = "fn f() { jiff::Timestamp::from_millisecond(1) }";
        assert_eq!(of_rules(&Source::parse("crates/rules/src/types.rs", text)), [] as [Finding; 0]);
    }

    #[test]
    fn a_handler_that_holds_a_state_is_refused() {
        refuses(of_faces, "src/rest/games.rs", "use crate::rules::any::AnyState;", "Game::view(eyes)");
        refuses(of_faces, "src/rest/games.rs", "fn f(g: &Game) { g.running.clone() }", "looks at a raw state");
        refuses(of_faces, "src/live/sse.rs", "fn f(g: &Game) { dbg!(g.running) }", "looks at a raw state");
        let handler = "use axum::extract::State; fn f(State(app): State<App>) {}";
        assert_eq!(of_faces(&Source::parse("src/rest/games.rs", handler)), [] as [Finding; 0]);
    }

    #[test]
    fn a_clock_read_on_the_way_is_refused() {
        refuses(of_time, "src/games/sequencer/mod.rs", "fn f() { jiff::Timestamp::now() }", "games::ports::Clock");
        refuses(of_time, "src/rest/games.rs", "use std::time::{Duration, SystemTime};", "games::ports::Clock");
    }
}
