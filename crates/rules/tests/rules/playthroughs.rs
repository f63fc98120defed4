//! Playthroughs: one seeded game per kind as readable text with the state, the changes in each view, the events and the
//! legal moves. A change of the rules shows up as a diff of these files.

use crate::kit::table::{MOST_MOVES, Table, parse, seed};
use ludotheque_rules::{Dice, Eyes, any::AnyEvent, any::AnyRules, catalog};
use serde_json::Value;
use std::{collections::BTreeMap, env, fmt::Write, fs, path::Path};

/// A view as one line per value, by path.
type Lines = BTreeMap<String, String>;

#[test]
fn playthroughs_go_as_they_are_written() {
    for rules in catalog::BUILT_IN.all() {
        let info = rules.info();
        let name = format!("tests/rules/playthroughs/{}-v{}.txt", info.slug, info.rules_version);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
        let text = playthrough(rules);
        if env::var_os("UPDATE").is_some() {
            fs::write(&file, &text).expect("the file can be written");
        }
        let written = fs::read_to_string(&file).unwrap_or_default();
        let differs = text.lines().zip(written.lines()).position(|(now, then)| now != then);
        let line = differs.unwrap_or_else(|| text.lines().count().min(written.lines().count())) + 1;
        assert!(
            text == written,
            "{name} goes differently from line {line} on. If that is meant, games under way need a new rules version; \
             `UPDATE=1 cargo test --test rules playthroughs` rewrites the file"
        );
    }
}

fn playthrough(rules: &dyn AnyRules) -> String {
    let seats = 3.clamp(*rules.info().seats.start(), *rules.info().seats.end());
    let (mut table, mut events) = Table::start(rules, seats, 42);
    let mut chance = Dice::new(seed(42));
    let mut text = format!("# {} · rules version {} · {seats} seats\n", rules.info().kind, rules.info().rules_version);
    let mut seen: Vec<Lines> = vec![Lines::new(); usize::from(seats) + 1];
    write_down(&mut text, &table, &events, &mut seen);
    for _ in 0..MOST_MOVES {
        let Some((seat, mv)) = table.any_move(&mut chance) else { break };
        events = table.play(seat, &mv);
        writeln!(text, "\n## Seat {seat}: {}\n", mv.id).expect("a String takes everything");
        write_down(&mut text, &table, &events, &mut seen);
    }
    let outcome = serde_json::to_string(&table.outcome().expect("a game ends")).expect("plain data");
    writeln!(text, "\n{outcome}").expect("a String takes everything");
    text
}

fn write_down(text: &mut String, table: &Table, events: &[AnyEvent], seen: &mut [Lines]) {
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    table.told(events, Eyes::Replay).iter().for_each(|event| line(&format!("! {event}")));
    line(&table.drawing());
    let eyes = table.all_eyes();
    let (views, onlooker): (Vec<_>, _) = (eyes.iter().map(|eyes| table.view(*eyes)).collect(), eyes.len() - 1);
    let same = |views: &[String]| views.iter().all(|view| *view == views[0]);
    // If all viewers see the same, print one of them; if all seats do, print one seat.
    let voices: Vec<(usize, String)> = if same(&views) {
        vec![(0, "everybody".into())]
    } else if onlooker > 1 && same(&views[..onlooker]) {
        vec![(0, "every seat".into()), (onlooker, "spectator".into())]
    } else {
        let seats = (0..onlooker).map(|seat| (seat, format!("seat {seat}")));
        seats.chain([(onlooker, "spectator".into())]).collect()
    };
    for (nth, name) in voices {
        let (seen, mut lines) = (&mut seen[nth], Lines::new());
        flatten("", &parse(&views[nth]), &mut lines);
        let gone = seen.keys().filter(|path| !lines.contains_key(*path)).map(|path| format!("  {path} gone"));
        let new = lines.iter().filter(|(path, value)| seen.get(*path) != Some(value));
        let changes: Vec<_> = gone.chain(new.map(|(path, value)| format!("  {path} {value}"))).collect();
        if !changes.is_empty() {
            line(&format!("{name} sees:"));
        }
        for change in changes {
            line(&change);
        }
        *seen = lines;
    }
    for seat in table.all_seats() {
        let ids = table.ids(seat);
        if !ids.is_empty() {
            // Put long lists on one line.
            let between = if ids.len() > 15 { " | " } else { "\n  " };
            line(&format!("seat {seat} may:\n  {}", ids.join(between)));
        }
    }
}

/// Keeps lists of scalars on one line, so that a hand is readable.
fn flatten(path: &str, json: &Value, lines: &mut Lines) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match json {
        Value::Object(fields) => fields.iter().for_each(|(key, field)| flatten(&below(key), field, lines)),
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            items.iter().enumerate().for_each(|(n, item)| flatten(&below(&n.to_string()), item, lines));
        }
        plain => {
            lines.insert(path.to_owned(), plain.to_string());
        }
    }
}
