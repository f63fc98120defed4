//! Manners of a single file.

use crate::Finding;
use crate::source::Source;

/// Past this, there is a second idea in the file.
const LONGEST: usize = 500;

/// `unsafe` is for the one file that can't do without.
pub fn no_unsafe(source: &Source) -> Vec<Finding> {
    if source.path == "src/store/fdatasync_interposer.rs" {
        return Vec::new();
    }
    let unsafe_words = source.words.iter().filter(|word| ["unsafe", "unsafe_code"].contains(&word.what.as_str()));
    unsafe_words
        .map(|word| source.finding(word.line, "unsafe code is for store/fdatasync_interposer.rs alone, which says why"))
        .collect()
}

/// An invariant is stated, an error is returned.
pub fn no_unwrap(source: &Source) -> Vec<Finding> {
    let unwraps = source.dotted.iter().filter(|method| method.what == "unwrap");
    let instead = "return the error, or state with expect(…) why there can be none";
    unwraps.map(|method| source.finding(method.line, &format!("unwrap() says nothing: {instead}"))).collect()
}

pub fn has_a_preface(source: &Source) -> Vec<Finding> {
    if source.text.starts_with("//! ") {
        Vec::new()
    } else {
        vec![source.finding(1, "begin with //! and why it exists")]
    }
}

pub fn fits_in_the_head(source: &Source) -> Vec<Finding> {
    let lines = source.text.lines().count();
    let too_long = || source.finding(LONGEST, &format!("{lines} lines: look for the second idea and give it a file"));
    if lines > LONGEST { vec![too_long()] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::parse("src/games/play.rs", text)
    }

    #[test]
    fn unsafe_code_elsewhere_is_refused() {
        for text in [
            "fn f() { unsafe { g() } }",
            "unsafe impl Send for X {}",
            "#![allow(unsafe_code)]",
            "#[unsafe(no_mangle)] fn f() {}",
        ] {
            assert_eq!(no_unsafe(&source(text)).len(), 1, "{text}");
        }
        assert!(no_unsafe(&source("/// Is unsafe.\nfn f() {}")).is_empty());
    }

    #[test]
    fn an_unwrap_is_refused_outside_tests() {
        assert_eq!(
            no_unwrap(&source("fn f() { x\n.unwrap() }")),
            [
                "src/games/play.rs:2: unwrap() says nothing: return the error, or state with expect(…) why there can be none"
            ]
        );
        assert_eq!(no_unwrap(&source("fn f() { println!(\"{}\", x.unwrap()) }")).len(), 1);
        assert!(
            no_unwrap(&source("fn f() { x.unwrap_or(1) } #[cfg(test)] mod tests { fn f() { x.unwrap() } }")).is_empty()
        );
    }

    #[test]
    fn a_file_without_a_preface_is_refused() {
        assert_eq!(has_a_preface(&source("use std::fmt;")).len(), 1);
        assert_eq!(has_a_preface(&source("/// Not the file's.\nfn f() {}")).len(), 1);
        assert!(has_a_preface(&source("//! Why.\n")).is_empty());
    }

    #[test]
    fn a_file_that_is_too_long_is_refused() {
        assert!(fits_in_the_head(&source(&"//!\n".repeat(LONGEST))).is_empty());
        assert_eq!(fits_in_the_head(&source(&"//!\n".repeat(LONGEST + 1))).len(), 1);
    }
}
