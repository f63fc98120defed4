//! Naive move generator, written from the rulebook alone; it uses only the seat's view and the time.

use ludotheque_rules::{Instant, Seat};
use serde_json::Value;
use std::collections::BTreeSet;

pub fn naive_moves(view: &Value, seat: Seat, now: Instant) -> BTreeSet<String> {
    let seats = list(&view["seats"]);
    let own = &seats[seat.index()];
    let is_out = |seat: &Value| seat["resigned"] == true || !seat["stop"].is_null();
    let mut moves = BTreeSet::new();
    if view["gameStage"] == "OVER" || own["resigned"] == true {
        return moves;
    }
    if view["stopCall"] == "SHOUT" && !view["armed"].is_null() {
        moves.insert("stop-call".to_owned());
    }
    if is_out(own) {
        return moves;
    }
    for other in seats {
        // Moments are formatted so that their strings sort like the moments.
        let tired = other["nudgeFrom"].as_str().is_some_and(|from| from <= now.to_string().as_str());
        if tired && other["seat"] != seat.0 {
            moves.insert(format!("nudge {}", other["seat"]));
        }
    }
    if view["gameStage"] == "CHARGE" {
        if seats.len() == 2 || view["heldOut"] == seat.0 {
            moves.insert("charge".to_owned());
        }
        return moves;
    }
    let Some(packet) = list(&view["packets"]).iter().find(|packet| packet["holder"] == seat.0) else { return moves };
    let (id, cards) = (text(&packet["id"]), list(&packet["cards"]));
    moves.insert(format!("{} {id}", if seats.len() == 2 { "swap" } else { "give" }));
    if !list(&own["pile"]).is_empty() && !cards.is_empty() {
        moves.extend(list(&view["stops"]).iter().map(|stop| format!("stop {} with {id}", text(&stop["id"]))));
    }
    if own["laid"] == false {
        let piles = seats.iter().filter(|other| !is_out(other));
        let all = piles.flat_map(|pile| cards.iter().map(move |card| (card, pile)));
        let fitting = all.filter(|(card, pile)| fits(card, pile, seat, view["confirmed"] == true));
        moves.extend(fitting.map(|(card, pile)| format!("lay {} on {}", text(&card["id"]), pile["seat"])));
    }
    moves
}

fn fits(card: &Value, pile: &Value, seat: Seat, confirmed: bool) -> bool {
    let number = |card: &Value| text(&card["id"]).parse::<u8>().expect("a number");
    let own = pile["seat"] == seat.0;
    let Some(top) = list(&pile["pile"]).last() else { return own };
    let same_colour = card["colour"] != "WHITE" && card["colour"] == top["colour"];
    let follows = if own { number(card) > number(top) } else { number(card) == number(top) + 1 };
    follows || confirmed && same_colour
}

fn list(json: &Value) -> &Vec<Value> {
    json.as_array().expect("a list")
}

fn text(json: &Value) -> &str {
    json.as_str().expect("a text")
}
