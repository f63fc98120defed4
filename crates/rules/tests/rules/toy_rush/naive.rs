//! Naive move generator, written from the rulebook alone: tries every conceivable move.

use ludotheque_rules::Seat;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub fn naive_moves(view: &Value, seat: Seat) -> BTreeSet<String> {
    let own = &view["seats"][seat.index()];
    let chosen = own["chosen"] == true;
    let active = view["active"] == seat.0;
    match view["phase"].as_str().expect("a step") {
        "KEEP" if !chosen => {
            subsets(&own["drawn"]).filter(|cards| cards.len() == 2).map(|c| list("keep", &c)).collect()
        }
        "PLACE" if active => placements(view, seat),
        "RESOLVE" if active => answers(view, seat),
        "SHIP" if !chosen => {
            subsets(&own["handObjectives"]).filter(|cards| paid(own, cards)).map(|c| list("ship", &c)).collect()
        }
        _ => BTreeSet::new(),
    }
}

fn subsets(cards: &Value) -> impl Iterator<Item = Vec<&Value>> {
    let cards = cards.as_array().expect("one's own cards");
    let pick = |picked: u32| (0..cards.len()).filter(|n| picked >> n & 1 == 1).map(|n| &cards[n]).collect();
    (0..1_u32 << cards.len()).map(pick)
}

fn list(verb: &str, cards: &[&Value]) -> String {
    let ids: Vec<_> = cards.iter().map(|card| card["id"].as_str().expect("an id")).collect();
    format!("{verb} {}", if ids.is_empty() { "none".to_owned() } else { ids.join(",") })
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|word| word.as_str().expect("a word")).collect()
}

/// Takes a card out of the hand for everything that is needed.
fn paid(own: &Value, cards: &[&Value]) -> bool {
    let mut objects = words(&own["objects"]);
    cards.iter().flat_map(|card| words(&card["needs"])).all(|needed| {
        let found = objects.iter().position(|object| *object == needed);
        found.map(|at| objects.swap_remove(at)).is_some()
    })
}

fn elves(view: &Value, space: usize) -> [u64; 2] {
    [0, 1].map(|seat| view["line"][space - 1]["elves"][seat].as_u64().expect("a number"))
}

fn placements(view: &Value, seat: Seat) -> BTreeSet<String> {
    let stock = view["seats"][seat.index()]["stock"].as_u64().expect("a number");
    let accepted = |space: usize, count: u64| match space {
        1 => true,
        _ if elves(view, space) != [0, 0] => false,
        3 => count == 1,
        2 | 4 => count <= 2,
        _ => true,
    };
    let all = (1..=9).flat_map(|space| (1..=stock).map(move |count| (space, count)));
    all.filter(|(space, count)| accepted(*space, *count))
        .map(|(space, count)| format!("place {space} x{count}"))
        .collect()
}

fn answers(view: &Value, seat: Seat) -> BTreeSet<String> {
    let space = (1..=9).find(|space| elves(view, *space) != [0, 0]).expect("an occupied space");
    let elves = elves(view, space)[seat.index()];
    let piles: BTreeMap<_, _> = view["piles"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|pile| (pile["object"].as_str().expect("a word").to_lowercase(), pile["left"].as_u64().expect("a number")))
        .collect();
    match space {
        2 => subsets(&view["seats"][seat.index()]["drawn"])
            .filter(|cards| cards.len() == 1)
            .map(|c| list("keep", &c))
            .collect(),
        3 => ["take box", "take elf"].map(str::to_owned).into(),
        5 => takings(&["pink", "blue", "yellow"], elves, &piles),
        7 => takings(&["dots", "stripes"], elves / 2, &piles),
        _ => panic!("there is no choice at {space}"),
    }
}

/// Takes cards one by one until no more are due or left.
fn takings(from: &[&str], due: u64, piles: &BTreeMap<String, u64>) -> BTreeSet<String> {
    let mut hands = BTreeSet::from([Vec::new()]);
    for _ in 0..due {
        let taken = hands.iter().flat_map(|hand: &Vec<usize>| {
            let able = (0..from.len()).filter(|n| (hand.iter().filter(|m| *m == n).count() as u64) < piles[from[*n]]);
            able.map(|n| {
                let mut more: Vec<_> = hand.iter().copied().chain([n]).collect();
                more.sort_unstable();
                more
            })
        });
        let taken: BTreeSet<_> = taken.collect();
        if taken.is_empty() {
            break;
        }
        hands = taken;
    }
    let write = |hand: &Vec<usize>| format!("take {}", hand.iter().map(|n| from[*n]).collect::<Vec<_>>().join(","));
    hands.iter().map(write).collect()
}
