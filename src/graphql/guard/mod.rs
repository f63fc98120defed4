//! What stands before the parser and the validation: no document gets further than work that is bounded by its length.
//!
//! The library's own limits are looked at while it expands fragments, so 24 fragments that each spread the next twice
//! burn seconds before any of them is reached; and its parser recurses as deep as a document nests. So, in this order: the
//! length is looked at, [`scan`] counts tokens and brackets without recursion, only then the document is parsed, and
//! [`expand`] tells what it would grow to, visiting every selection once. What passes is handed on parsed.

mod expand;
mod scan;
mod values;

use async_graphql::parser::{self, types::ExecutableDocument};
use expand::Grown;
use serde_json::{Map, Value};

/// How much a document may ask for.
#[derive(Clone, Copy, Debug)]
pub struct DocumentLimits {
    /// Its length.
    pub bytes: usize,
    /// Names, values and punctuation in it.
    pub tokens: usize,
    /// Brackets within brackets, of all sorts: what the parser recurses on.
    pub nesting: usize,
    /// Fields and fragments, once all fragments are expanded.
    pub nodes: usize,
    /// Selections within selections, once all fragments are expanded.
    pub depth: usize,
    /// Fields with another name, once all fragments are expanded.
    pub aliases: usize,
    /// Directives, once all fragments are expanded.
    pub directives: usize,
    /// Values in its variables.
    pub variables: usize,
}

impl Default for DocumentLimits {
    /// GraphiQL's introspection, the largest document most clients send, has 2 KB, 400 tokens, 220 nodes and is 17 deep.
    fn default() -> Self {
        Self {
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
}

/// Something that [`DocumentLimits`] bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Bytes,
    Tokens,
    Nesting,
    Nodes,
    Depth,
    Aliases,
    Directives,
    Variables,
}

impl Limit {
    /// As programs are told.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Bytes => "bytes",
            Limit::Tokens => "tokens",
            Limit::Nesting => "nesting",
            Limit::Nodes => "nodes",
            Limit::Depth => "depth",
            Limit::Aliases => "aliases",
            Limit::Directives => "directives",
            Limit::Variables => "variables",
        }
    }
}

/// What looking at a document took, so that tests can hold it to its bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Bytes looked at before the parser.
    pub bytes: usize,
    /// Tokens among them.
    pub tokens: usize,
    /// Whether it came to parsing.
    pub parsed: bool,
    /// Selections visited after it.
    pub visited: usize,
}

/// A document that passed.
#[derive(Debug)]
pub struct Passed {
    pub document: ExecutableDocument,
    /// What it grows to.
    pub nodes: usize,
    /// Whether it asks for the schema.
    pub introspects: bool,
    /// How often it uses a variable, once all fragments are expanded.
    pub variable_uses: usize,
    /// Values that its variables have where none are sent.
    pub default_values: usize,
    pub work: Work,
}

/// A document that did not, and what it took to know.
#[derive(Debug)]
pub struct LimitExceeded {
    pub why: Why,
    pub work: Work,
}

/// Why a document is refused.
#[derive(Debug)]
pub enum Why {
    /// It goes beyond this, which may be so much.
    Exceeds(Limit, usize),
    /// It is no GraphQL.
    Syntax(parser::Error),
    /// This fragment contains itself.
    Cycle(String),
}

/// Parses a document, if what it asks for is bounded.
pub fn check(document: &str, limits: &DocumentLimits) -> Result<Passed, Box<LimitExceeded>> {
    let mut work = Work::default();
    match look(document, limits, &mut work) {
        Ok((document, Grown { nodes, introspects, variable_uses, default_values, .. })) => {
            Ok(Passed { document, nodes, introspects, variable_uses, default_values, work })
        }
        Err(why) => Err(Box::new(LimitExceeded { why, work })),
    }
}

/// Counts the values in a document's variables, unless there are too many.
pub fn check_variables(variables: &Map<String, Value>, limits: &DocumentLimits) -> Result<usize, Why> {
    let count = variables.values().map(values::count).sum();
    at_most(count, Limit::Variables, limits.variables).map(|()| count)
}

fn look(text: &str, limits: &DocumentLimits, work: &mut Work) -> Result<(ExecutableDocument, Grown), Why> {
    at_most(text.len(), Limit::Bytes, limits.bytes)?;
    scan::scan(text, limits, work)?;
    work.parsed = true;
    let document = parser::parse_query(text).map_err(Why::Syntax)?;
    let grown = expand::expand(&document, work)?;
    at_most(grown.depth, Limit::Depth, limits.depth)?;
    at_most(grown.nodes, Limit::Nodes, limits.nodes)?;
    at_most(grown.aliases, Limit::Aliases, limits.aliases)?;
    at_most(grown.directives, Limit::Directives, limits.directives)?;
    Ok((document, grown))
}

fn at_most(there: usize, limit: Limit, most: usize) -> Result<(), Why> {
    if there > most { Err(Why::Exceeds(limit, most)) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
