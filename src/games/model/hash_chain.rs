//! Hash chain over the steps of a game: a client that has seen its head can detect that an earlier step was changed,
//! dropped, reordered or given another time. docs/fairness.md explains what this proves and how to compute it.
//!
//! The head is public while choices are still hidden, and a hidden choice has few possible values. The links are
//! therefore HMACs keyed by the seed: until the seed is published at the end of the game, nobody can test guesses
//! against the head.

use crate::games::replay::ReplayAction;
use crate::ids::{GameId, PlayerId};
use crate::rules::dice::Hex;
use crate::rules::{Instant, Seat, Seed};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, Tag, sign};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// Domain separation: the purpose for which the key is derived from the seed.
const LABEL: &[u8] = b"ludotheque/steps/1";

/// Head of the chain after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link([u8; 32]);

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(f)
    }
}

impl From<Tag> for Link {
    fn from(tag: Tag) -> Self {
        Self(tag.as_ref().try_into().expect("HMAC-SHA-256 has 32 bytes"))
    }
}

/// Computes the links of one game.
pub(in crate::games) struct Chain(Key);

/// The members of a step that a link covers, as a replay shows them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::games) struct Bound<'a> {
    pub version: u64,
    pub at: Instant,
    pub player_id: Option<PlayerId>,
    pub seat: Option<Seat>,
    pub action: &'a ReplayAction,
}

impl Chain {
    pub fn of(seed: Seed) -> Self {
        let key = sign(&Key::new(HMAC_SHA256, &seed.0), LABEL);
        Self(Key::new(HMAC_SHA256, key.as_ref()))
    }

    /// The link before the first step: the kind and the game.
    pub fn start(&self, id: GameId, kind: &str, rules_version: u32) -> Link {
        sign(&self.0, format!("{id}\0{kind}\0{rules_version}").as_bytes()).into()
    }

    /// The link of a step that follows another one.
    pub fn link(&self, before: Link, step: &Bound<'_>) -> Link {
        let mut text = Vec::with_capacity(256);
        text.extend(before.0);
        step.write(&mut text);
        sign(&self.0, &text).into()
    }
}

/// A move in canonical form: all members of a step, sorted by name. Most steps are moves, and writing them directly
/// avoids building and sorting a JSON value.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BoundMove<'a> {
    action: PlayAction<'a>,
    at: Instant,
    player_id: Option<PlayerId>,
    seat: Option<Seat>,
    version: u64,
}

#[derive(Serialize)]
struct PlayAction<'a> {
    id: &'a str,
    r#type: &'static str,
}

impl Bound<'_> {
    /// Writes a step in canonical form.
    fn write(&self, text: &mut Vec<u8>) {
        let Self { version, at, player_id, seat, action } = *self;
        match action {
            ReplayAction::Play { id } => {
                let action = PlayAction { id, r#type: "PLAY" };
                write_plain(&BoundMove { action, at, player_id, seat, version }, text);
            }
            _ => write_canonical(&self.encode(), text),
        }
    }

    fn encode(&self) -> Value {
        let mut step = serde_json::to_value(self).expect("a step is plain data");
        if let ReplayAction::Begin { prepared, left_out } = self.action {
            step["action"] = serde_json::json!({"type": "BEGIN", "prepared": sealed(prepared, left_out)});
        }
        step
    }
}

/// The form of a preparation that a link covers: the whole value, with each item of its lists replaced by a digest. A
/// replay may show null instead of an item; it then contains the digest.
fn sealed(prepared: &Value, left_out: &[String]) -> Value {
    let (mut sealed, mut left_out) = (prepared.clone(), left_out.iter());
    for item in lists_mut(&mut sealed).flatten() {
        let given = if item.is_null() { left_out.next() } else { None };
        *item = Value::String(given.cloned().unwrap_or_else(|| digest_of(item)));
    }
    sealed
}

/// Digests of the items that a replay shows as null, in canonical order.
pub(in crate::games) fn left_out(whole: &Value, shown: &Value) -> Vec<String> {
    let pairs = lists(whole).flatten().zip(lists(shown).flatten());
    pairs.filter(|(_, shown)| shown.is_null()).map(|(whole, _)| digest_of(whole)).collect()
}

/// Whether each digest belongs to an item shown as null. An extra digest would not be covered by the chain.
pub(in crate::games) fn has_room_for(shown: &Value, left_out: &[String]) -> bool {
    left_out.len() <= lists(shown).flatten().filter(|item| item.is_null()).count()
}

/// The lists in a preparation, in the order of their names, because serde_json keeps members sorted.
fn lists(prepared: &Value) -> impl Iterator<Item = &Vec<Value>> {
    prepared.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_array)
}

fn lists_mut(prepared: &mut Value) -> impl Iterator<Item = &mut Vec<Value>> {
    prepared.as_object_mut().into_iter().flat_map(Map::values_mut).filter_map(Value::as_array_mut)
}

/// Hex SHA-256 of the canonical form of a value.
fn digest_of(value: &Value) -> String {
    let mut text = Vec::new();
    write_canonical(value, &mut text);
    Hex(digest(&SHA256, &text).as_ref()).to_string()
}

/// Largest integer that JavaScript represents exactly.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes canonical JSON (RFC 8785): no white space, members sorted by name, numbers as JavaScript writes them. Steps
/// contain integers only, but a program that saved a replay may have written 2 as `2.0`.
fn write_canonical(value: &Value, text: &mut Vec<u8>) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            write_list(text, *b"{}", members, |(name, value), text| {
                write_plain(name, text);
                text.push(b':');
                write_canonical(value, text);
            });
        }
        Value::Array(items) => write_list(text, *b"[]", items, write_canonical),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            #[allow(clippy::cast_possible_truncation, reason = "it is whole and within bounds")]
            Some(whole) if whole.fract() == 0.0 && whole.abs() <= MOST_EXACT => write_plain(&(whole as i64), text),
            _ => write_plain(number, text),
        },
        plain => write_plain(plain, text),
    }
}

fn write_list<T>(
    text: &mut Vec<u8>,
    [open, close]: [u8; 2],
    items: impl IntoIterator<Item = T>,
    write: impl Fn(T, &mut Vec<u8>),
) {
    text.push(open);
    for (n, item) in items.into_iter().enumerate() {
        if n > 0 {
            text.push(b',');
        }
        write(item, text);
    }
    text.push(close);
}

fn write_plain(value: &(impl Serialize + ?Sized), text: &mut Vec<u8>) {
    serde_json::to_writer(text, value).expect("texts and numbers can be written");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::Game;
    use crate::games::options::read_options;
    use crate::games::step::{Action, Creation, Visibility};
    use crate::rules::catalog;

    const DOCUMENTED: &str = include_str!("../../../docs/fairness.md");

    fn at(moment: &str) -> Instant {
        serde_json::from_value(moment.into()).unwrap()
    }

    /// The worked example of docs/fairness.md: the game as created, and after its second step.
    fn example(seed: Seed) -> [Game; 2] {
        let rules = catalog::BUILT_IN.newest("CHIPS").unwrap();
        let [host, guest] = [0, 1].map(|byte| PlayerId::from_bytes([byte; 16]));
        let creation = Creation {
            kind: "CHIPS".to_owned(),
            rules_version: 1,
            options: read_options(rules, &serde_json::json!({"targetTokens": 5}), 2).unwrap(),
            seats: vec![Some(host), None],
            visibility: Visibility::Public,
            invite: None,
            seed,
        };
        let id = GameId::from_bytes([0; 16]);
        let (made, _) = Game::create(id, rules, host, &creation, &[], at("2026-12-01T08:00:00.000Z"));
        let sat = made.apply(Some(guest), &Action::Sit { seat: None }, at("2026-12-01T08:00:05.250Z")).unwrap().game;
        [made, sat]
    }

    #[test]
    fn the_worked_example_is_true() {
        let seed = Seed([1; 32]);
        let start = Chain::of(seed).start(GameId::from_bytes([0; 16]), "CHIPS", 1);
        let [made, sat] = example(seed);
        for (n, link) in [start, made.chain, sat.chain].into_iter().enumerate() {
            assert!(DOCUMENTED.contains(&format!("link {n} {link}\n")), "link {n} is {link}");
        }
    }

    #[test]
    fn nobody_can_try_out_hidden_steps_without_the_seed() {
        let [one, other] = [1, 2].map(|byte| example(Seed([byte; 32]))[1].chain);
        assert_ne!(one, other, "the same steps under another seed lead elsewhere");
    }

    #[test]
    fn values_are_written_in_one_way() {
        for (value, canonical) in [
            (
                r#"{ "b": [1, null, true], "a": {"é\n\"": "x"}, "": -3 }"#,
                r#"{"":-3,"a":{"é\n\"":"x"},"b":[1,null,true]}"#,
            ),
            ("[2.0, 1e2, -0.0, -0, 0.5, 9007199254740992.0]", "[2,100,0,0,0.5,9007199254740992]"),
        ] {
            let mut text = Vec::new();
            write_canonical(&serde_json::from_str(value).unwrap(), &mut text);
            assert_eq!(String::from_utf8(text).unwrap(), canonical);
        }
    }

    #[test]
    fn a_move_is_written_like_any_other_step() {
        for (id, seat) in [("discard last-n none-p", Some(Seat(1))), ("\"é\\\u{7}\u{2028}", None), ("", Some(Seat(0)))]
        {
            let action = &ReplayAction::Play { id: id.to_owned() };
            let player_id = seat.map(|_| PlayerId::from_bytes([7; 16]));
            let bound = Bound { version: 12, at: Instant(1_234), player_id, seat, action };
            let (mut at_once, mut by_value) = (Vec::new(), Vec::new());
            bound.write(&mut at_once);
            write_canonical(&bound.encode(), &mut by_value);
            assert_eq!(String::from_utf8(at_once).unwrap(), String::from_utf8(by_value).unwrap());
        }
    }

    #[test]
    fn a_link_covers_every_item_of_a_preparation() {
        let link = |prepared: &Value, left_out: &[String]| {
            let (prepared, left_out) = (prepared.clone(), left_out.to_vec());
            let action = &ReplayAction::Begin { prepared, left_out };
            let bound = Bound { version: 2, at: Instant(0), player_id: None, seat: None, action };
            Chain::of(Seed([1; 32])).link(Link::default(), &bound)
        };
        let whole = serde_json::json!({"a": ["x", "y", {"z": [1]}], "b": null, "c": {"d": [1, 2]}, "e": [3]});
        let mut shown = whole.clone();
        shown["a"][2] = Value::Null;
        shown["e"][0] = Value::Null;
        let digests = left_out(&whole, &shown);
        assert_eq!(digests, [digest_of(&whole["a"][2]), digest_of(&whole["e"][0])]);
        assert!(has_room_for(&shown, &digests) && !has_room_for(&whole, &digests));
        assert_eq!(link(&shown, &digests), link(&whole, &[]), "what is left out is covered too");
        assert_ne!(link(&shown, &[]), link(&whole, &[]));
        for place in ["/a/0", "/a/1", "/a/2/z/0", "/b", "/c/d/1", "/e/0"] {
            let mut other = whole.clone();
            *other.pointer_mut(place).unwrap() = "other".into();
            assert_ne!(link(&other, &[]), link(&whole, &[]), "{place}");
            let mut other = shown.clone();
            if let Some(value) = other.pointer_mut(place) {
                *value = "other".into();
                assert_ne!(link(&other, &digests), link(&whole, &[]), "{place}");
            }
        }
    }
}
