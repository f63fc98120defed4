//! Supported languages, and `Accept-Language` negotiation (RFC 9110, section 12.5.4).

use std::{cmp::Reverse, fmt};

/// A supported language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// The default: for requests without a preference, or with unsupported ones only.
    #[default]
    En,
    Fr,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::En, Language::Fr];

    /// The language tag, as in `Content-Language`.
    pub fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Fr => "fr",
        }
    }

    /// The supported language with the highest quality in an `Accept-Language` header; of two, the first.
    pub fn negotiate(accept_language: &str) -> Self {
        let ranges: Vec<Range> = accept_language.split(',').filter_map(Range::parse).collect();
        let accepted = Self::ALL.into_iter().filter_map(|language| Some((language, language.preference(&ranges)?)));
        let best = accepted.min_by_key(|(_, (quality, position))| (Reverse(*quality), *position));
        best.map(|(language, _)| language).unwrap_or_default()
    }

    /// The quality of this language and the position of the range that gives it; none if it is not acceptable. An exact
    /// match takes precedence over a regional variety, and that over `*`.
    fn preference(self, ranges: &[Range]) -> Option<(u16, usize)> {
        let best_of = |matches: &dyn Fn(&str) -> bool| {
            let matching = ranges.iter().enumerate().filter(|(_, range)| matches(range.name));
            matching
                .map(|(position, range)| (range.quality, position))
                .max_by_key(|(quality, at)| (*quality, Reverse(*at)))
        };
        let exact = best_of(&|name| name.eq_ignore_ascii_case(self.tag()));
        let variety = || best_of(&|name| name.split_once('-').is_some_and(|(l, _)| l.eq_ignore_ascii_case(self.tag())));
        let any = || best_of(&|name| name == "*");
        exact.or_else(variety).or_else(any).filter(|(quality, _)| *quality > 0)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// One element of the header: `fr-CA;q=0.8`.
struct Range<'a> {
    name: &'a str,
    /// In thousandths, the precision of the header.
    quality: u16,
}

impl<'a> Range<'a> {
    fn parse(element: &'a str) -> Option<Self> {
        let (name, weight) = element.split_once(';').unwrap_or((element, "q=1"));
        let (q, value) = weight.trim().split_once('=')?;
        let quality = if q.eq_ignore_ascii_case("q") { thousandths(value)? } else { return None };
        Some(Self { name: name.trim(), quality }).filter(|range| !range.name.is_empty())
    }
}

/// `0.75` as 750: at most three decimals, at most 1.
fn thousandths(value: &str) -> Option<u16> {
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    let plain = whole.len() == 1 && decimals.len() <= 3 && decimals.bytes().all(|b| b.is_ascii_digit());
    let quality = format!("{whole}{decimals:0<3}").parse().ok().filter(|quality| *quality <= 1000);
    quality.filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: Language, headers: &[&str]) {
        for header in headers {
            assert_eq!(Language::negotiate(header), language, "{header:?}");
        }
    }

    #[test]
    fn the_language_with_the_highest_quality_wins() {
        check(Language::Fr, &["fr", "FR", "fr, en", "en;q=0.8, fr", "de, fr;q=0.2", "en;q=0.001,fr;q=0.002"]);
        check(Language::En, &["en", "en, fr", "fr;q=0.5, en;q=0.6", "de, en;q=0.2, fr;q=0.1"]);
    }

    #[test]
    fn a_regional_variety_is_better_than_another_language() {
        check(Language::Fr, &["fr-CA", "fr-CH, en;q=0.9", "de-AT, fr-FR;q=0.3, en-GB;q=0.2", "fr-Latn-CA"]);
        check(Language::En, &["fr-CA;q=0.9, fr;q=0.1, en;q=0.5"]);
    }

    #[test]
    fn a_star_matches_the_languages_that_are_not_named() {
        check(Language::En, &["*", "de, *;q=0.1", "fr;q=0.5, *"]);
        check(Language::Fr, &["en;q=0, *", "en;q=0.2, *;q=0.8", "fr, *"]);
    }

    #[test]
    fn the_default_is_english() {
        check(Language::En, &["", "de", "fr;q=0", "fr;q=0, *;q=0", "fro", "french", ",,;,", "en;q=0"]);
    }

    #[test]
    fn a_range_with_an_invalid_weight_is_ignored() {
        for weight in ["2", "1.001", "0.1234", "-1", "+1", "x", "", "1e0", ".5", "NaN"] {
            check(Language::En, &[&format!("fr;q={weight}"), &format!("fr;q={weight}, en;q=0.1")]);
        }
        check(Language::En, &["fr;level=1", "fr;q", "fr;"]);
        check(Language::Fr, &["fr ; q=0.5", "fr;Q=1.000", "fr;q=1."]);
    }
}
