//! Who names a kind. A kind is known to its own folder, its own commands and the catalogue: whatever else named one would
//! have to be changed for the next.

use crate::Finding;
use crate::arrows::COMMANDS_OF_KINDS;
use crate::source::Source;
use ludotheque::games::schema::{camel, pascal};

/// Files that name kinds on purpose, which part of them, and why.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    ("crates/rules/src/catalog.rs", &[""], "the one list"),
    ("crates/rules/src/lib.rs", &["pub mod ", "//!"], "declares the modules; its first page plays two kinds"),
];

/// The places that name a kind, in code, texts and comments. What only tests compile is left out: kinds are their fixtures.
pub fn of_kinds(source: &Source, slugs: &[String]) -> Vec<Finding> {
    let own = slugs.iter().find(|slug| source.is_in(&format!("crates/rules/src/{slug}/")));
    let commands = COMMANDS_OF_KINDS.iter().find(|(file, _)| *file == source.path).map(|(_, slug)| *slug);
    let allowed = ALLOWED.iter().find(|(file, ..)| *file == source.path).map_or(&[][..], |(_, parts, _)| parts);
    let served = source.text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(served.lines()) {
        if allowed.iter().any(|part| line.trim_start().starts_with(part)) {
            continue;
        }
        let strangers = slugs.iter().filter(|slug| Some(*slug) != own && Some(slug.as_str()) != commands);
        findings.extend(strangers.filter(|slug| names(line, slug)).map(|slug| {
            source.finding(number, &format!("names the kind {slug}; take kinds from a Catalog, or write `my_kind`"))
        }));
    }
    findings
}

/// Whether a line names a kind as API, as type, as field or as module. A slug that is one word is also a word of English: it
/// only counts where it can be nothing else.
fn names(line: &str, slug: &str) -> bool {
    let pascal = pascal(slug);
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_named = |word: &str| {
        let rest = word.strip_prefix(&pascal);
        let is_type = rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()));
        is_type
            || word == slug.to_uppercase()
            || (slug.contains('_') && (word == slug || word.starts_with(&camel(slug))))
    };
    let as_module = [format!("{slug}::"), format!("mod {slug};"), format!("{slug}/")];
    let as_text = ['"', '`', '\''].map(|quote| format!("{quote}{slug}{quote}"));
    let as_field = [format!("{{{slug}:"), format!("{{ {slug}:")];
    let forms = as_module.iter().chain(&as_text).chain(&as_field);
    let begins_a_word = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    words.into_iter().any(is_named)
        || forms.into_iter().any(|form| line.match_indices(form).any(|(at, _)| begins_a_word(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        of_kinds(&Source::parse(path, text), &["loading".to_owned(), "toy_rush".to_owned()]).len()
    }

    #[test]
    fn a_kind_is_found_however_it_is_written() {
        for text in [
            "fn f() { g(\"TOY_RUSH\") }",
            "fn f() { g(\"{ toyRush: {} }\") }",
            "/// As in `ToyRushView`.\nfn f() {}",
            "use crate::rules::toy_rush::State;",
            "// What `toy_rush` needs.\nfn f() {}",
            "fn f() { g(\"LOADING\") }",
            "/// For example `{loading: {}}`.\nfn f() {}",
            "use crate::rules::loading::State;",
            "mod loading;",
            "fn f() { g(\"loading\") }",
            "fn f() -> Loading {}",
        ] {
            assert_eq!(found("src/games/play.rs", text), 1, "{text}");
        }
    }

    #[test]
    fn words_of_english_and_fixtures_of_tests_name_no_kind() {
        for text in [
            "// It saves time when loading.\nfn f() { table.loading.lock() }",
            "fn downloading() { reloading::now() }",
            "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    fn g() { h(\"LOADING\") }\n}",
        ] {
            assert_eq!(found("src/games/play.rs", text), 0, "{text}");
        }
    }

    #[test]
    fn a_kind_may_name_itself_and_no_other() {
        assert_eq!(found("crates/rules/src/loading/mod.rs", "const KIND: &str = \"LOADING\";"), 0);
        assert_eq!(found("crates/rules/src/loading/mod.rs", "const KIND: &str = \"TOY_RUSH\";"), 1);
        assert_eq!(found("crates/rules/src/catalog.rs", "use super::loading::Loading;"), 0);
    }
}
