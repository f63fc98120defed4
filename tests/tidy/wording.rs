//! Names and phrases: one name for one public type, file names that are nouns, and a deny-list of phrases that a reader has
//! to read twice.

use crate::Finding;
use crate::repository::Text;
use crate::source::Source;
use std::collections::BTreeMap;

/// Words that say nothing about what a file contains.
const FILE_NAMES: [&str; 26] = [
    "announce",
    "asking",
    "attempts",
    "desk",
    "durable",
    "familiar",
    "held",
    "kept",
    "lines",
    "listed",
    "listening",
    "look",
    "mine",
    "passage",
    "places",
    "record",
    "restage",
    "room",
    "shown",
    "side",
    "spot",
    "tell",
    "told",
    "trouble",
    "turn",
    "welcome",
];

/// Phrases of a private dialect; in two pieces, so that this file does not refuse itself.
const PHRASES: [&str; 20] = [
    concat!("who", "ever"),
    concat!("so ", "many"),
    concat!("so ", "much"),
    concat!("an", "ew"),
    concat!("carried ", "out"),
    concat!("in a ", "box"),
    concat!("rubbed ", "off"),
    concat!("is ", "told"),
    concat!("are ", "told"),
    concat!("at its ", "leisure"),
    concat!("what ", "sort"),
    concat!("of one's ", "own"),
    concat!("that ", "which"),
    concat!("none ", "is"),
    concat!("may be ", "so"),
    concat!("at the ", "desk"),
    concat!("in the same ", "breath"),
    concat!("on the ", "spot"),
    concat!("from the ", "press"),
    concat!("nobody in ", "particular"),
];

/// Public types that share a name because they play the same role.
const SIBLINGS: [(&str, &str); 2] =
    [("Settings", "what each layer can be configured with"), ("OpenError", "why a store could not be opened")];

/// Public types of one name in different modules. Three sorts of siblings may share a name: those of kinds, those of
/// [`SIBLINGS`], and an object of the GraphQL schema with what it shows.
pub fn shared_names(sources: &[Source]) -> Vec<Finding> {
    let mut places: BTreeMap<&str, Vec<(&Source, usize)>> = BTreeMap::new();
    for source in sources {
        for (line, name) in public_types(source) {
            places.entry(name).or_default().push((source, line));
        }
    }
    let mut findings = Vec::new();
    for (name, places) in places {
        let mut strangers = places.iter().filter(|(source, _)| !is_of_a_kind(source));
        let is_sibling = SIBLINGS.iter().any(|(sibling, _)| *sibling == name);
        let in_graphql = places.iter().filter(|(source, _)| source.is_in("src/graphql/")).count();
        let others = strangers.clone().count() - in_graphql;
        let shared_with_a_kind = others == 1 && in_graphql == 0 && places.len() > 1;
        if is_sibling || (others <= 1 && in_graphql <= 1 && !shared_with_a_kind) || ROLES.contains(&name) {
            continue;
        }
        if let Some((source, line)) = strangers.next() {
            let files: Vec<_> = places.iter().map(|(source, _)| source.path.as_str()).collect();
            findings.push(
                source.finding(*line, &format!("{name} is a public type in {}: one name, one type", files.join(", "))),
            );
        }
    }
    findings
}

/// Names that each kind gives to its types for `Rules`, and that the service uses for what they become in a game.
const ROLES: [&str; 6] = ["Event", "EventView", "Move", "Options", "Step", "View"];

fn is_of_a_kind(source: &Source) -> bool {
    source
        .path
        .strip_prefix("crates/rules/src/")
        .is_some_and(|path| path.contains('/') && !["bots/", "simulate/"].iter().any(|shared| path.starts_with(shared)))
}

/// The lines and names of the public types that are declared outside tests.
fn public_types(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let served = source.text.split("\n#[cfg(test)]\n").next().unwrap_or_default();
    (1..).zip(served.lines()).filter_map(|(number, line)| {
        let declared = line.strip_prefix("pub ")?;
        let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| declared.strip_prefix(word))?;
        Some((number, name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()))
    })
}

/// A source file whose name is on the deny-list.
pub fn vague_file(text: &Text) -> Option<Finding> {
    let name = text.path.rsplit('/').next().unwrap_or_default().strip_suffix(".rs")?;
    FILE_NAMES.contains(&name).then(|| format!("{}: a file is named by a noun that says what is in it", text.path))
}

/// Phrases of the deny-list.
pub fn phrases(text: &Text) -> Vec<Finding> {
    let lines = (1..).zip(text.text.lines());
    let found = lines.flat_map(|(number, line)| {
        let line = line.to_lowercase();
        PHRASES.into_iter().filter(move |phrase| has_words(&line, phrase)).map(move |phrase| (number, phrase))
    });
    found.map(|(line, phrase)| format!("{}:{line}: \"{phrase}\": say it in plain English", text.path)).collect()
}

/// Whether a line has these words, not as a part of longer ones.
fn has_words(line: &str, words: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(words)
        .any(|(at, _)| !line[..at].ends_with(is_letter) && !line[at + words.len()..].starts_with(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(files: &[(&str, &str)]) -> usize {
        let sources: Vec<_> = files.iter().map(|(path, text)| Source::parse(path, text)).collect();
        shared_names(&sources).len()
    }

    #[test]
    fn two_public_types_of_one_name_are_found() {
        let [auth, games] = ["src/auth/mod.rs", "src/games/error.rs"];
        assert_eq!(shared(&[(auth, "pub enum Refused {}"), (games, "pub struct Refused;")]), 1);
        assert_eq!(
            shared(&[
                (auth, "pub type Mark = u8;"),
                ("src/graphql/a.rs", "pub struct Mark;"),
                (games, "pub trait Mark {}")
            ]),
            1
        );
        assert_eq!(
            shared(&[(auth, "pub enum Refused {}"), ("crates/rules/src/chips/state.rs", "pub struct Refused;")]),
            1
        );
        assert_eq!(shared(&[("src/graphql/a.rs", "pub struct Mark;"), ("src/graphql/b.rs", "pub struct Mark;")]), 1);
    }

    #[test]
    fn siblings_and_private_types_may_share_a_name() {
        let [auth, games] = ["src/auth/mod.rs", "src/games/error.rs"];
        assert_eq!(shared(&[(auth, "struct Refused;"), (games, "pub struct Refused;")]), 0);
        assert_eq!(shared(&[(auth, "pub struct Settings;"), (games, "pub struct Settings;")]), 0);
        assert_eq!(
            shared(&[("src/graphql/games.rs", "pub struct Game;"), ("src/games/game.rs", "pub struct Game;")]),
            0
        );
        let kinds = ["crates/rules/src/chips/state.rs", "crates/rules/src/loading/state.rs"];
        assert_eq!(shared(&kinds.map(|path| (path, "pub struct Area;"))), 0);
        assert_eq!(
            shared(&[
                (auth, "pub struct A;\n#[cfg(test)]\nmod tests {}"),
                (games, "fn f() {}\n\n#[cfg(test)]\npub struct A;")
            ]),
            0
        );
    }

    fn text(path: &str, text: &str) -> Text {
        Text { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_vague_file_name_is_found() {
        assert!(vague_file(&text("src/rest/kept.rs", "")).is_some());
        assert!(vague_file(&text("src/rest/bodies.rs", "")).is_none());
    }

    #[test]
    fn a_phrase_is_found_wherever_it_stands() {
        for phrase in PHRASES {
            assert_eq!(
                phrases(&text("a.md", &format!("fine\n// {}, here", phrase.to_uppercase()))).len(),
                1,
                "{phrase}"
            );
        }
        assert!(phrases(&text("a.md", "a newer answer, manewver, almost always")).is_empty());
    }
}
