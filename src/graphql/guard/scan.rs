//! Tokenizer without recursion, in one pass. The document need not be valid: the parser refuses what is not.

use super::{DocumentLimits, Limit, Why, Work, at_most};

/// Counts tokens and open brackets, until the end or until a limit is exceeded.
pub fn scan(text: &str, limits: &DocumentLimits, work: &mut Work) -> Result<(), Why> {
    let bytes = text.as_bytes();
    let mut open = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let length = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b',' => {
                at += 1;
                continue;
            }
            b'#' => {
                at += run(&bytes[at..], |byte| !matches!(byte, b'\r' | b'\n'));
                continue;
            }
            b'"' => string(&bytes[at..]),
            b'{' | b'[' | b'(' => {
                open += 1;
                at_most(open, Limit::Nesting, limits.nesting).inspect_err(|_| work.bytes = at)?;
                1
            }
            b'}' | b']' | b')' => {
                open = open.saturating_sub(1);
                1
            }
            _ => run(&bytes[at..], is_word).max(1),
        };
        at += length;
        work.tokens += 1;
        at_most(work.tokens, Limit::Tokens, limits.tokens).inspect_err(|_| work.bytes = at)?;
    }
    work.bytes = at;
    Ok(())
}

/// Characters of names and numbers. Their exact syntax does not matter here.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.')
}

/// The number of bytes at the front for which the predicate holds.
fn run(bytes: &[u8], of_sort: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !of_sort(byte)).unwrap_or(bytes.len())
}

/// The length of the string at the front. An unterminated string ends with its line, so that everything after it is
/// counted.
fn string(bytes: &[u8]) -> usize {
    if bytes.starts_with(br#"""""#) {
        return block_string(bytes);
    }
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\r' | b'\n' => return at,
            // An escaped character does not end the string; a line break can't be escaped.
            b'\\' if !matches!(bytes.get(at + 1), Some(b'\r' | b'\n')) => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn block_string(bytes: &[u8]) -> usize {
    let mut at = 3;
    while at < bytes.len() {
        if bytes[at..].starts_with(br#"""""#) {
            return at + 3;
        }
        at += if bytes[at..].starts_with(br#"\""""#) { 4 } else { 1 };
    }
    bytes.len()
}
