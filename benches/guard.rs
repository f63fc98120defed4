//! How long the guard takes to refuse the hostile documents that are known. `cargo bench --bench guard`
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use ludotheque::graphql::guard::{self, DocumentLimits, Why};
use std::fmt::Write;
use std::time::Instant;

const ROUNDS: u32 = 20;

fn fragments(count: usize, spreads: usize) -> String {
    let mut document = "{ ...f0 }".to_owned();
    for number in 0..count {
        let next = format!(" ...f{}", number + 1).repeat(spreads);
        write!(document, " fragment f{number} on Query {{{next} }}").expect("a text can be written to");
    }
    write!(document, " fragment f{count} on Query {{ __typename }}").expect("a text can be written to");
    document
}

fn main() {
    let usual = DocumentLimits::default();
    let open = DocumentLimits { bytes: usize::MAX, tokens: usize::MAX, ..usual };
    let aliases = (0..1_000).fold(String::new(), |text, number| text + &format!("a{number}: me "));
    let hostile = [
        ("fragment bomb, 30 levels", fragments(30, 2)),
        ("chain of 20,000 fragments", fragments(20_000, 1)),
        ("20,000 duplicate fields", format!("{{ {} }}", "me ".repeat(20_000))),
        ("1,000 aliases", format!("{{ {aliases} }}")),
        ("10,000 nested lists", format!("{{ a(x: {}{}) }}", "[".repeat(10_000), "]".repeat(10_000))),
        ("comment of 32 MiB", format!("#{}\n{{ me }}", "x".repeat(32 << 20))),
    ];
    println!("{:<28} {:>14} {:>14}  refused for", "", "ms", "ms, any length");
    for (name, document) in &hostile {
        let (ms, why) = time(document, &usual);
        let (open_ms, open_why) = time(document, &open);
        println!("{name:<28} {ms:>14.3} {open_ms:>14.3}  {why}, {open_why}");
    }
}

/// Milliseconds, the mean of some rounds, and what it is refused for.
fn time(document: &str, limits: &DocumentLimits) -> (f64, String) {
    let start = Instant::now();
    let mut why = String::new();
    for _ in 0..ROUNDS {
        why = match guard::check(document, limits).map_err(|refused| refused.why) {
            Err(Why::Exceeds(limit, most)) => format!("{} > {most}", limit.name()),
            Err(Why::Syntax(_)) => "syntax".to_owned(),
            Err(Why::Cycle(name)) => format!("a cycle at {name}"),
            Ok(_) => "nothing".to_owned(),
        };
    }
    (start.elapsed().as_secs_f64() * 1000.0 / f64::from(ROUNDS), why)
}
