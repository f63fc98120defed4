//! Known hostile documents, and generated ones.

use super::*;
use proptest::prelude::*;
use std::fmt::Write as _;

/// Limits that permit any length and number of tokens, so that the later checks are reached.
const LONG: DocumentLimits = DocumentLimits { bytes: usize::MAX, tokens: usize::MAX, ..default() };

const fn default() -> DocumentLimits {
    DocumentLimits {
        bytes: 32 * 1024,
        tokens: 8_000,
        nesting: 64,
        nodes: 2_000,
        depth: 24,
        aliases: 100,
        directives: 50,
        variables: 2_000,
    }
}

fn fragments(count: usize, spreads: usize) -> String {
    let mut document = "{ ...f0 }".to_owned();
    for number in 0..count {
        let next = format!(" ...f{}", number + 1).repeat(spreads);
        write!(document, " fragment f{number} on Query {{{next} }}").expect("a text can be written to");
    }
    write!(document, " fragment f{count} on Query {{ __typename }}").expect("a text can be written to");
    document
}

#[track_caller]
fn refused(document: &str, limits: &DocumentLimits) -> LimitExceeded {
    *check(document, limits).expect_err("it is hostile")
}

#[track_caller]
fn exceeds(document: &str, limits: &DocumentLimits, limit: Limit) -> Work {
    let LimitExceeded { why, work } = refused(document, limits);
    assert!(matches!(why, Why::Exceeds(exceeded, _) if exceeded == limit), "{why:?}");
    work
}

#[test]
fn the_limits_are_what_the_tests_think() {
    assert_eq!(format!("{:?}", DocumentLimits::default()), format!("{:?}", default()));
}

#[test]
fn a_bomb_of_fragments_is_refused_after_one_look_at_each() {
    let work = exceeds(&fragments(30, 2), &default(), Limit::Depth);
    assert_eq!(work.visited, 30 * 2 + 2);
    let shallow = DocumentLimits { depth: usize::MAX, ..default() };
    let work = exceeds(&fragments(30, 2), &shallow, Limit::Nodes);
    assert_eq!(work.visited, 30 * 2 + 2);
    assert_eq!(exceeds(&fragments(500, 3), &shallow, Limit::Nodes).visited, 500 * 3 + 2, "sums don't overflow");
}

#[test]
fn a_bomb_that_no_operation_lights_is_refused_too() {
    let document = fragments(30, 2).replace("{ ...f0 }", "{ __typename }");
    exceeds(&document, &DocumentLimits { depth: usize::MAX, ..default() }, Limit::Nodes);
}

#[test]
fn a_chain_of_20_000_fragments_needs_no_stack() {
    let chain = fragments(20_000, 1);
    assert_eq!(exceeds(&chain, &default(), Limit::Bytes), Work::default(), "too long: not scanned");
    assert_eq!(exceeds(&chain, &LONG, Limit::Depth).visited, 20_002);
}

#[test]
fn duplicate_fields_are_counted_before_they_are_parsed_and_after() {
    let document = format!("{{ {} }}", "me ".repeat(20_000));
    exceeds(&document, &default(), Limit::Bytes);
    let work = exceeds(&document, &DocumentLimits { bytes: usize::MAX, ..default() }, Limit::Tokens);
    assert_eq!((work.tokens, work.parsed), (8_001, false));
    assert_eq!(exceeds(&document, &LONG, Limit::Nodes).visited, 20_000);
}

#[test]
fn aliases_and_directives_are_counted_however_they_come_about() {
    let aliases = (0..1_000).fold(String::new(), |text, number| text + &format!("a{number}: me "));
    exceeds(&format!("{{ {aliases} }}"), &default(), Limit::Aliases);
    let spread = format!("{{ {} }} fragment f on Query {{ a: me b: me c: me }}", "...f ".repeat(40));
    exceeds(&spread, &default(), Limit::Aliases);
    exceeds(&format!("{{ me {} }}", "@skip(if: false) ".repeat(51)), &default(), Limit::Directives);
    exceeds(&format!("query {} {{ me }}", "@x ".repeat(51)), &default(), Limit::Directives);
    exceeds(&format!("query ($a: Int {}) {{ me }}", "@x ".repeat(51)), &default(), Limit::Directives);
}

#[test]
fn nesting_of_every_sort_is_refused_before_the_parser() {
    for (open, close) in [("{a", "}"), ("{a(x: [", "])}"), ("{a(x: {y:", "})}"), ("...@a(x:[{y:", "}])")] {
        let document = format!("{{ {}{} }}", open.repeat(10_000), close.repeat(10_000));
        assert!(!exceeds(&document, &LONG, Limit::Nesting).parsed);
        exceeds(&open.repeat(10_000), &LONG, Limit::Nesting);
    }
    let lists = format!("{{ a(x: {}{}) }}", "[".repeat(10_000), "]".repeat(10_000));
    exceeds(&lists, &LONG, Limit::Nesting);
    let types = format!("query ($x: {}Int{}) {{ a }}", "[".repeat(10_000), "]".repeat(10_000));
    exceeds(&types, &LONG, Limit::Nesting);
    let deepest = format!("{{ a(x: {}1{}) }}", "[".repeat(62), "]".repeat(62));
    assert!(check(&deepest, &default()).is_ok(), "what is let through does not overflow the parser's stack");
}

#[test]
fn brackets_in_strings_and_comments_do_not_count() {
    let many = "{[(".repeat(100);
    for text in [
        format!("{{ a(x: \"{many}\") }}"),
        format!("{{ a(x: \"\"\"{many}\n\\\"\"\"{many}\"\"\") }}"),
        format!("{{ a # {many}\n }}"),
        format!("{{ a(x: \"\\\"{many}\") }}"),
    ] {
        assert!(check(&text, &default()).is_ok(), "{text}");
    }
    let after_a_broken_string = format!("{{ a(x: \"\n{}", "{".repeat(10_000));
    exceeds(&after_a_broken_string, &LONG, Limit::Nesting);
}

#[test]
fn a_long_comment_is_not_looked_at() {
    let document = format!("#{}\n{{ me }}", "x".repeat(32 << 20));
    assert_eq!(exceeds(&document, &default(), Limit::Bytes), Work::default());
}

#[test]
fn fragments_that_contain_themselves_are_named() {
    let why = |document: &str| refused(document, &default()).why;
    let itself = why("{ ...f } fragment f on Query { ...f }");
    assert!(matches!(itself, Why::Cycle(name) if name == "f"));
    let each_other = "{ __typename } fragment f on Query { ...g } fragment g on Query { me { ...f } }";
    assert!(matches!(why(each_other), Why::Cycle(_)));
}

#[test]
fn an_unknown_fragment_is_left_to_the_validation() {
    assert!(check("{ ...nowhere }", &default()).is_ok());
}

#[test]
fn depth_goes_through_fragments() {
    let passed = |document: &str, depth| check(document, &DocumentLimits { depth, ..default() }).is_ok();
    let document = "{ a { ...f } } fragment f on Query { b { ... { c } } }";
    assert!(passed(document, 5) && !passed(document, 4));
}

/// Fragments of text for generated documents; combinations of them are often nearly valid.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        " ",
        "...",
        "...f",
        "...g",
        "fragment f on Q",
        "fragment g on Q",
        "query",
        "a",
        "b: a",
        "@x",
        ":",
        "$v",
        "\"",
        "\"\"\"",
        "\\",
        "#",
        "\n",
        "1",
        "-2.5e3",
        "é",
        "\u{feff}",
        ",",
        "on",
        "!",
        "=",
    ]);
    prop::collection::vec(piece, 0..200).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_comes_in_the_work_is_bounded_by_its_length(document in prop_oneof![pieces(), ".{0,300}"]) {
        let work = match check(&document, &LONG) {
            Ok(passed) => passed.work,
            Err(refused) => refused.work,
        };
        prop_assert!(work.bytes <= document.len());
        prop_assert!(work.tokens <= work.bytes);
        prop_assert!(work.visited <= work.tokens);
    }

    #[test]
    fn what_passes_is_within_its_limits(document in pieces(), nodes in 0_usize..20) {
        if let Ok(passed) = check(&document, &DocumentLimits { nodes, ..default() }) {
            prop_assert!(passed.nodes <= nodes);
        }
    }

    #[test]
    fn fragments_of_any_shape_are_visited_once(spreads in prop::collection::vec(prop::collection::vec(0_usize..12, 0..6), 1..12)) {
        let mut document = "{ ...f0 }".to_owned();
        for (number, spreads) in spreads.iter().enumerate() {
            let spreads = spreads.iter().fold(String::new(), |text, to| text + &format!(" ...f{to}"));
            write!(document, " fragment f{number} on Q {{ a{spreads} }}").expect("a text can be written to");
        }
        let selections = 1 + spreads.len() + spreads.iter().map(Vec::len).sum::<usize>();
        let work = match check(&document, &LONG) {
            Ok(passed) => passed.work,
            Err(refused) => refused.work,
        };
        prop_assert!(work.visited <= selections, "{} of {selections}", work.visited);
    }
}

#[test]
fn uses_of_variables_are_counted_wherever_they_are_and_as_often_as_fragments_repeat_them() {
    let uses = |document: &str| check(document, &default()).unwrap().variable_uses;
    assert_eq!(uses("query($a: Int) { a }"), 0, "a definition is no use");
    assert_eq!(uses("query($a: Int) { b(c: $a, d: [$a, {e: $a}]) @include(if: $a) { f } }"), 4);
    assert_eq!(uses("query($a: Int) { b { ...f } c { ...f ...f @skip(if: $a) } } fragment f on G { g(h: $a) }"), 4);
}

#[test]
fn values_that_variables_have_by_default_are_counted() {
    let defaults = |document: &str| check(document, &default()).unwrap().default_values;
    assert_eq!(defaults("query($a: [Int] = [1, 2, 3], $b: I = {c: [4]}, $d: Int) { e }"), 7);
}

#[test]
fn variables_have_so_many_values_and_not_one_more() {
    let count = |variables| check_variables(&Variables::from_json(variables), &default());
    assert_eq!(count(serde_json::json!({"a": 1, "b": [2, {"c": null}], "d": {"e": [[]]}})).unwrap(), 8);
    assert!(count(serde_json::json!({"ids": vec!["x"; 1_999]})).is_ok());
    let too_many = count(serde_json::json!({"ids": vec!["x"; 2_000]}));
    assert!(matches!(too_many, Err(Why::Exceeds(Limit::Variables, 2_000))));
}
