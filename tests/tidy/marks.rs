//! Marks of tests: what is ignored is slow, and says why, or is a program that others start.

use crate::Finding;
use crate::repository::Text;
use std::path::Path;

/// `cargo test` and `./scripts/test quick` leave out what is marked; `./scripts/test` leaves out `programs::` alone.
pub fn of_tests(text: &Text) -> Vec<Finding> {
    if Path::new(&text.path).extension().is_none_or(|extension| extension != "rs") {
        return Vec::new();
    }
    let is_program = |before: &str| text.path.ends_with("/programs.rs") || before.contains("mod programs {");
    let marks =
        text.text.match_indices("#[ignore").filter(|(at, _)| text.text[..*at].trim_end_matches(' ').ends_with('\n'));
    let wrong =
        marks.filter(|(at, _)| !text.text[*at..].starts_with("#[ignore = \"slow: ") && !is_program(&text.text[..*at]));
    wrong
        .map(|(at, _)| {
            let line = text.text[..at].lines().count() + 1;
            format!("{}:{line}: say `slow: why`, or move what is no test into a module `programs`", text.path)
        })
        .collect()
}

#[test]
fn a_mark_says_that_a_test_is_slow_or_stands_among_programs() {
    let at = |path: &str, text: &str| of_tests(&Text { path: path.to_owned(), text: text.to_owned() }).len();
    let (slow, other) = ("#[test]\n#[ignore = \"slow: plays\"]\n", "#[test]\n    #[ignore = \"not today\"]\n");
    assert_eq!((at("tests/a.rs", slow), at("tests/a.rs", other), at("tests/a.rs", "#[test]\n#[ignore]\n")), (0, 1, 1));
    assert_eq!((at("tests/programs.rs", other), at("tests/a.rs", &format!("mod programs {{\n{other}}}"))), (0, 0));
    assert_eq!(at("tests/a.rs", "// says #[ignore] in passing\n"), 0);
}
