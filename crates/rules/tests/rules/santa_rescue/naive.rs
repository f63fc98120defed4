//! Naive move generator, written from the rulebook alone; it uses only the seat's view.

use ludotheque_rules::Seat;
use serde_json::Value;
use std::collections::BTreeSet;

/// A symbol as a colour and a shape, in words.
type Symbol = (String, String);

pub fn naive_moves(view: &Value, seat: Seat) -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    let you = &view["seats"][seat.index()];
    if view["today"].is_null() || you["resigned"] == true {
        return moves;
    }
    moves.insert(if you["wishesToGiveUp"] == true { "withdraw" } else { "wish" }.to_owned());
    let row: Vec<Symbol> = list(&view["today"]["row"])
        .iter()
        .map(|id| {
            let (colour, shape) = text(id).split_once('_').expect("a colour and a shape");
            (colour.to_lowercase(), shape.to_lowercase())
        })
        .collect();
    for elf in list(&view["elves"]).iter().filter(|elf| elf["holder"] == seat.0 && elf["spent"] == false) {
        for (number, power) in (1..).zip(list(&elf["powers"])) {
            let words: Vec<_> = text(power).split(' ').collect();
            let begin = format!("elf {} power {number}", elf["elf"]);
            if let Some(next) = everywhere(&row, &words) {
                if next != row {
                    moves.insert(begin.clone());
                }
            } else {
                let there = |place: &usize| at(&row, &words, *place).is_some_and(|next| next != row);
                moves.extend((0..row.len()).filter(there).map(|place| format!("{begin} at {place}")));
            }
        }
    }
    moves
}

fn list(json: &Value) -> &[Value] {
    json.as_array().expect("a list")
}

fn text(json: &Value) -> &str {
    json.as_str().expect("a text")
}

fn other(colour: &str) -> String {
    if colour == "white" { "black" } else { "white" }.to_owned()
}

/// What a power that is not aimed makes of the row; nothing for one that is.
fn everywhere(row: &[Symbol], words: &[&str]) -> Option<Vec<Symbol>> {
    let mut next = row.to_vec();
    match words {
        ["invert-all", shape] => {
            for symbol in next.iter_mut().filter(|symbol| symbol.1 == *shape) {
                symbol.0 = other(&symbol.0);
            }
        }
        ["turn", colour, shape] => {
            for symbol in next.iter_mut().filter(|symbol| symbol.0 == *colour && symbol.1 == *shape) {
                symbol.0 = other(&symbol.0);
            }
        }
        ["change-all", colour, shape] => {
            for symbol in next.iter_mut().filter(|symbol| symbol.0 == *colour) {
                (*shape).clone_into(&mut symbol.1);
            }
        }
        ["swap-ends", "shape"] => {
            let last = next.len() - 1;
            if next[0].1 == next[last].1 {
                next.swap(0, last);
            }
        }
        _ => return None,
    }
    Some(next)
}

/// What an aimed power makes of the row; nothing where it can't be played.
fn at(row: &[Symbol], words: &[&str], place: usize) -> Option<Vec<Symbol>> {
    let mut next = row.to_vec();
    match words {
        ["change", from, to] if row[place].1 == *from => (*to).clone_into(&mut next[place].1),
        ["copy", shape] => {
            let sources = row.iter().enumerate().filter(|(from, _)| from.abs_diff(place) == 1);
            let mut alike = sources.filter(|(_, source)| source.1 == *shape && source.0 == row[place].0);
            next[place].1.clone_from(&alike.next()?.1.1);
        }
        ["swap", "colour"] if place + 1 < row.len() && row[place].0 == row[place + 1].0 => next.swap(place, place + 1),
        _ => return None,
    }
    Some(next)
}
