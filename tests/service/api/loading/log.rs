//! The log of a finished game, replayed by the model, and what the clients' diaries must have to do with it.

use super::client::{Diary, Operation, Outcome};
use super::model::{Model, numbers};
use serde_json::Value;

/// The table after each version, from the start on.
pub struct Log {
    first: u64,
    /// The table as it was dealt, then after every move.
    tables: Vec<Model>,
}

impl Log {
    /// Replays a game: one total order of versions, every move legal in the state it met, the end where it was due.
    pub fn of(replay: &Value) -> Self {
        let steps = replay["steps"].as_array().expect("steps");
        let versions: Vec<_> = steps.iter().map(|step| step["version"].as_u64().expect("a number")).collect();
        assert!(versions.iter().copied().eq(1..=steps.len() as u64), "one order, without a gap");
        let start = steps.iter().position(|step| step["action"]["type"] == "START").expect("it was started");
        let events = |step: &Value| step["events"].as_array().expect("events").clone();
        let create = &steps[0]["action"];
        let seats = create["seats"].as_array().expect("seats").len();
        let mut table = Model::dealt(&create["options"], seats, &events(&steps[start]));
        table.check();
        let mut tables = vec![table.clone()];
        for step in &steps[start + 1..] {
            let seat = usize::try_from(step["seat"].as_u64().expect("a seat acts")).expect("few seats");
            let to = table.held_out();
            match step["action"]["type"].as_str() {
                Some("PLAY") => {
                    let mv = step["action"]["id"].as_str().expect("a notation");
                    let legal = table.play(seat, mv);
                    assert_eq!(legal, Ok(()), "version {}: {mv} by {seat}", step["version"]);
                }
                Some("RESIGN") => table.resign(seat),
                other => panic!("what is {other:?}?"),
            }
            table.check();
            let events = events(step);
            if let Some(gave) = events.iter().find(|event| event["type"] == "GAVE") {
                assert_eq!(gave["to"].as_u64(), to.map(|to| to as u64), "it went to the hand held out");
            }
            let finished = events.iter().any(|event| event["type"] == "FINISHED");
            assert_eq!(table.over, finished, "version {}: over when it is due", step["version"]);
            tables.push(table.clone());
        }
        let standings = replay["outcome"]["standings"].as_array().expect("standings");
        let bars = table.bars();
        for place in standings {
            let seat = usize::try_from(place["seat"].as_u64().expect("a seat")).expect("few seats");
            assert_eq!(place["score"], bars[seat], "the bars of seat {seat}");
        }
        Self { first: versions[start], tables }
    }

    fn last(&self) -> u64 {
        self.first + self.tables.len() as u64 - 1
    }

    fn at(&self, version: u64) -> &Model {
        let index = version.clamp(self.first, self.last()) - self.first;
        &self.tables[usize::try_from(index).expect("few steps")]
    }

    /// Nobody saw a packet not held: not in a view, and not in an event.
    pub fn check_what_was_seen(&self, diary: &Diary) {
        for (version, view) in &diary.views {
            for packet in view["packets"].as_array().into_iter().flatten() {
                if !packet["cards"].is_null() {
                    self.may_see(diary.seat, *version, packet["id"].as_str().expect("an id"), &packet["cards"]);
                }
            }
        }
        for step in &diary.steps {
            let version = step["version"].as_u64().expect("a number");
            for event in step["events"].as_array().expect("events").iter().filter(|event| !event["cards"].is_null()) {
                let packet = if event["type"] == "SWAPPED" { &event["took"] } else { &event["packet"] };
                self.may_see(diary.seat, version, packet.as_str().expect("an id"), &event["cards"]);
            }
        }
    }

    fn may_see(&self, seat: usize, version: u64, packet: &str, cards: &Value) {
        let table = self.at(version);
        assert!(table.charged, "closed packets are seen by nobody");
        assert_eq!(table.seats[seat].packet.as_deref(), Some(packet), "seat {seat} holds it at version {version}");
        assert_eq!(numbers(cards), table.packets[packet], "the cards that are in it");
    }

    /// Whether the history fits one order: accepted moves that of their versions, refusals somewhere in it.
    pub fn check_history(&self, mut operations: Vec<Operation>) -> Tally {
        let version = |operation: &Operation| match operation.outcome {
            Outcome::Accepted(version) => Some(version),
            Outcome::Refused(_) => None,
        };
        operations.sort_by_key(|operation| version(operation).unwrap_or(u64::MAX));
        let (accepted, refused) = operations.split_at(operations.partition_point(|one| version(one).is_some()));
        for pair in accepted.windows(2) {
            assert!(version(&pair[0]) < version(&pair[1]), "a version is given once");
        }
        for (n, later) in accepted.iter().enumerate() {
            let earlier = accepted[..n].iter().map(|operation| operation.asked).max();
            assert!(earlier.is_none_or(|asked| asked <= later.answered), "answered before it was asked: {later:?}");
        }
        for refusal in refused {
            // Whatever was answered before this was asked came first; whatever was asked after the answer came later.
            let before = accepted.iter().filter(|other| other.answered < refusal.asked).filter_map(version).max();
            let after = accepted.iter().filter(|other| other.asked > refusal.answered).filter_map(version).min();
            let (from, to) = (before.unwrap_or(self.first), after.map_or(self.last(), |after| after - 1));
            let fits = (from..=to).any(|version| self.would_refuse(version, refusal));
            assert!(fits, "no state from version {from} to {to} refuses this: {refusal:?}");
        }
        Tally { accepted: accepted.len(), refused: refused.len() }
    }

    fn would_refuse(&self, version: u64, operation: &Operation) -> bool {
        let Outcome::Refused(code) = &operation.outcome else { return false };
        let mut table = self.at(version).clone();
        let refused = match operation.mv.as_str() {
            "resign" => {
                table.over || table.seats[operation.seat].packet.is_none() && !table.seats[operation.seat].is_in()
            }
            mv => table.play(operation.seat, mv).is_err(),
        };
        refused && (code == "GAME_OVER") == self.at(version).over
    }
}

/// How much was checked.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub accepted: usize,
    pub refused: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.refused += other.refused;
    }
}
