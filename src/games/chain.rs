//! Hash chain over the steps of a game: whoever has seen its head can tell whether any step before it was changed, dropped,
//! reordered or dated otherwise. docs/fairness.md says what that proves, and how anybody can compute it.
//!
//! The head is shown while hidden choices are still hidden, and a sealed bid has only a few possibilities. So each link is
//! keyed: without the seed, which is published when the game is over, nobody can try out which choice leads to it.

use super::replay::ReplayAction;
use crate::ids::{GameId, PlayerId};
use crate::rules::dice::Hex;
use crate::rules::{Instant, Seat, Seed};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, Tag, sign};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// What the key is derived from the seed for.
const LABEL: &[u8] = b"ludotheque/steps/1";

/// The head of the chain after some step.
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

/// The chain of one game.
pub(super) struct Chain(Key);

/// What the chain binds of a step, as the replay shows it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Bound<'a> {
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

    /// The link before the first step: what is played.
    pub fn start(&self, id: GameId, kind: &str, rules_version: u32) -> Link {
        sign(&self.0, format!("{id}\0{kind}\0{rules_version}").as_bytes()).into()
    }

    /// The link of a step that follows another.
    pub fn link(&self, before: Link, step: &Bound<'_>) -> Link {
        let mut text = before.0.to_vec();
        write_canonical(&step.encode(), &mut text);
        sign(&self.0, &text).into()
    }
}

impl Bound<'_> {
    fn encode(&self) -> Value {
        let mut step = serde_json::to_value(self).expect("a step is plain data");
        if let ReplayAction::Begin { prepared, digest } = self.action {
            // A replay leaves out what never came to light, so the digest of all of it stands for it.
            let digest = digest.clone().unwrap_or_else(|| digest_of(prepared));
            step["action"] = serde_json::json!({"type": "BEGIN", "digest": digest});
        }
        step
    }
}

/// Hex SHA-256 of a value in its canonical form.
pub(super) fn digest_of(value: &Value) -> String {
    let mut text = Vec::new();
    write_canonical(value, &mut text);
    Hex(digest(&SHA256, &text).as_ref()).to_string()
}

/// Writes JSON in its canonical form, as RFC 8785 has it: no white space, and members sorted by name.
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

    const DOCUMENTED: &str = include_str!("../../docs/fairness.md");

    fn at(moment: &str) -> Instant {
        serde_json::from_value(moment.into()).unwrap()
    }

    /// The game of the worked example, as it was made and after its second step.
    fn example(seed: Seed) -> [Game; 2] {
        let rules = catalog::newest("CHIPS").unwrap();
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
        let value: Value = serde_json::from_str(r#"{ "b": [1, null, true], "a": {"é\n\"": "x"}, "": -3 }"#).unwrap();
        let mut text = Vec::new();
        write_canonical(&value, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), r#"{"":-3,"a":{"é\n\"":"x"},"b":[1,null,true]}"#);
    }
}
