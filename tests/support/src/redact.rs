//! What a viewer must be told of a step of Chips, worked out from the replay: a second opinion beside the server's.

use serde_json::{Value, json};

/// The step of a replay as a seat, or a spectator, must have been told of it.
pub fn told(step: &Value, viewer: Option<usize>) -> Value {
    let events: Vec<_> =
        step["events"].as_array().expect("a step has events").iter().map(|e| event(e, viewer)).collect();
    json!({"version": step["version"], "at": step["at"], "seat": step["seat"], "events": events})
}

/// All steps of a replay.
pub fn told_all(replay: &Value, viewer: Option<usize>) -> Vec<Value> {
    replay["steps"].as_array().expect("a replay has steps").iter().map(|step| told(step, viewer)).collect()
}

fn event(event: &Value, viewer: Option<usize>) -> Value {
    let mut event = event.clone();
    let secret = match event["type"].as_str().expect("an event has a type") {
        "DEALT" | "SET_ASIDE" => "cards",
        "CHOSE" => "move",
        _ => return event,
    };
    if viewer.is_none_or(|seat| event["seat"] != seat) {
        event[secret] = Value::Null;
    }
    event
}
