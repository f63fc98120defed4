//! Visible characters: refuses names made only of invisible ones, which look empty or like another player's name.

/// Ranges of invisible characters besides white space and controls, sorted. From Unicode 16: all with the property
/// `Default_Ignorable_Code_Point` (DerivedCoreProperties.txt), format characters for annotations and hieroglyphs
/// (general category Cf), and characters without a visible glyph: the blank Braille pattern, the object replacement
/// character, the null notehead.
const INVISIBLE: [(char, char); 21] = [
    ('\u{AD}', '\u{AD}'),
    ('\u{34F}', '\u{34F}'),
    ('\u{61C}', '\u{61C}'),
    ('\u{115F}', '\u{1160}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{200B}', '\u{200F}'),
    ('\u{2028}', '\u{202E}'),
    ('\u{2060}', '\u{206F}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FFA0}', '\u{FFA0}'),
    ('\u{FFF0}', '\u{FFFC}'),
    ('\u{13430}', '\u{1343F}'),
    ('\u{16FE4}', '\u{16FE4}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D159}', '\u{1D159}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0000}', '\u{E0FFF}'),
];

/// Whether a character is visible by itself. Joiners and marks are allowed in a name, but do not make it visible.
pub fn is_visible(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Whether a text has any visible character.
pub fn has_visible(text: &str) -> bool {
    text.chars().any(is_visible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(INVISIBLE.iter().all(|(first, last)| first <= last));
        assert!(INVISIBLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn letters_signs_and_pictures_can_be_seen() {
        for c in "aZ9é_.-ßжאع漢글ㄱก🎲👩★¿".chars() {
            assert!(is_visible(c), "{c:?}");
        }
    }

    #[test]
    fn format_characters_fillers_and_blanks_can_not() {
        let invisible = [
            " \t\n\u{A0}\u{2003}\u{3000}",
            "\u{200B}\u{200D}\u{2060}\u{FEFF}\u{AD}",
            "\u{202A}\u{202E}\u{2066}\u{2069}\u{61C}\u{200E}",
            "\u{115F}\u{1160}\u{3164}\u{FFA0}",
            "\u{2800}\u{34F}\u{17B4}\u{180E}\u{FE0F}\u{FFFC}",
            "\u{E0001}\u{E0041}\u{E007F}\u{E0100}\u{1D159}\u{1D173}\u{1BCA0}",
        ];
        for text in invisible {
            assert!(!has_visible(text), "{text:?}");
        }
        assert!(has_visible("\u{E0041}a"));
    }
}
