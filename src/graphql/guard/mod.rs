//! Document guard: bounds the work for a document before it is parsed, validated or executed.
//!
//! The library checks its own limits while it expands fragments, so 24 fragments that each spread the next one twice
//! take seconds before a limit is reached; and its parser recurses as deep as a document nests. So the checks run in
//! this order: the length; [`scan`] counts tokens and brackets without recursion; only then the document is parsed;
//! [`expand`] computes its expanded size, visiting every selection once. A document that passes is returned parsed.

mod expand;
mod scan;
mod values;

use async_graphql::Variables;
use async_graphql::parser::{self, types::ExecutableDocument};
use expand::ExpandedSize;

/// Limits for one document.
#[derive(Clone, Copy, Debug)]
pub struct DocumentLimits {
    /// Length of the document.
    pub bytes: usize,
    /// Names, values and punctuation characters.
    pub tokens: usize,
    /// Nesting of brackets of all kinds: the depth of the parser's recursion.
    pub nesting: usize,
    /// Fields and fragments, with all fragments expanded.
    pub nodes: usize,
    /// Nesting of selections, with all fragments expanded.
    pub depth: usize,
    /// Fields with an alias, with all fragments expanded.
    pub aliases: usize,
    /// Directives, with all fragments expanded.
    pub directives: usize,
    /// Values in the variables.
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

/// A limit of [`DocumentLimits`].
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
    /// The name in `extensions.limit` of an error.
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

/// Work that a check has done, so that tests can bound it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Bytes that were scanned.
    pub bytes: usize,
    /// Tokens that were scanned.
    pub tokens: usize,
    /// Whether the document was parsed.
    pub parsed: bool,
    /// Selections that were visited after parsing.
    pub visited: usize,
}

/// A document within all limits.
#[derive(Debug)]
pub struct Passed {
    pub document: ExecutableDocument,
    /// Fields and fragments, with all fragments expanded.
    pub nodes: usize,
    /// Whether it reads the schema.
    pub introspects: bool,
    /// The number of uses of variables, with all fragments expanded.
    pub variable_uses: usize,
    /// The number of values in the defaults of variables.
    pub default_values: usize,
    pub work: Work,
}

/// A refused document, and the work until then.
#[derive(Debug)]
pub struct LimitExceeded {
    pub why: Why,
    pub work: Work,
}

/// Why a document is refused.
#[derive(Debug)]
pub enum Why {
    /// Exceeds this limit; the second field is the maximum.
    Exceeds(Limit, usize),
    /// A syntax error.
    Syntax(parser::Error),
    /// This fragment contains itself.
    Cycle(String),
}

/// Parses a document, if it is within all limits.
pub fn check(document: &str, limits: &DocumentLimits) -> Result<Passed, Box<LimitExceeded>> {
    let mut work = Work::default();
    match parse_within(document, limits, &mut work) {
        Ok((document, ExpandedSize { nodes, introspects, variable_uses, default_values, .. })) => {
            Ok(Passed { document, nodes, introspects, variable_uses, default_values, work })
        }
        Err(why) => Err(Box::new(LimitExceeded { why, work })),
    }
}

/// Counts the values in the variables, if they are within the limit.
pub fn check_variables(variables: &Variables, limits: &DocumentLimits) -> Result<usize, Why> {
    let count = variables.values().map(values::count).sum();
    at_most(count, Limit::Variables, limits.variables).map(|()| count)
}

fn parse_within(
    text: &str,
    limits: &DocumentLimits,
    work: &mut Work,
) -> Result<(ExecutableDocument, ExpandedSize), Why> {
    at_most(text.len(), Limit::Bytes, limits.bytes)?;
    scan::scan(text, limits, work)?;
    work.parsed = true;
    let document = parser::parse_query(text).map_err(Why::Syntax)?;
    let size = expand::expand(&document, work)?;
    at_most(size.depth, Limit::Depth, limits.depth)?;
    at_most(size.nodes, Limit::Nodes, limits.nodes)?;
    at_most(size.aliases, Limit::Aliases, limits.aliases)?;
    at_most(size.directives, Limit::Directives, limits.directives)?;
    Ok((document, size))
}

fn at_most(there: usize, limit: Limit, most: usize) -> Result<(), Why> {
    if there > most { Err(Why::Exceeds(limit, most)) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
