//! A source file as the checks see it: parsed, without what only tests compile, every path resolved.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// One file of src, or of the crate of the rules.
pub struct Source {
    /// From the repository's root: `src/games/play.rs`.
    pub path: String,
    pub text: String,
    /// Where it is in the crate: `["games", "play"]`.
    pub module: Vec<String>,
    /// The paths it names.
    pub names: Vec<Found<Name>>,
    /// What it writes after a dot: fields and methods.
    pub dotted: Vec<Found<String>>,
    /// Every word of the code, keywords included, those of tests too.
    pub words: Vec<Found<String>>,
}

/// Something, and the line it is on.
pub struct Found<T> {
    pub line: usize,
    pub what: T,
}

/// A path, from the root of our crate or from that of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    Ours(Vec<String>),
    Theirs(Vec<String>),
}

impl Source {
    pub fn parse(path: &str, text: &str) -> Self {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let module = module_of(path);
        let mut reader = Reader { module: module.clone(), ..Reader::default() };
        reader.visit_file(&file);
        let names = reader.resolved();
        let mut words = Vec::new();
        collect_words(text.parse().expect("what parses as a file has tokens"), &mut words);
        Self { path: path.to_owned(), text: text.to_owned(), module, names, dotted: reader.dotted, words }
    }

    /// The part of the crate it belongs to: `games`.
    pub fn part(&self) -> &str {
        self.module.first().map_or("lib", String::as_str)
    }

    pub fn is_in(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }

    /// A finding on a line of this file.
    pub fn finding(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

impl Name {
    /// Whether it is `path`, or something in it; `path` is written with `::`.
    pub fn is_within(&self, path: &str) -> bool {
        let (Name::Ours(segments) | Name::Theirs(segments)) = self;
        let mut path = path.split("::");
        segments.iter().zip(path.by_ref()).all(|(segment, wanted)| segment == wanted) && path.next().is_none()
    }
}

/// The crate of the rules, which the rest knows as the part `rules`.
const RULES: &str = "crates/rules/src/";

fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let (part, path) = match path.strip_prefix(RULES) {
        Some(path) => (Some("rules"), path),
        None => (None, path.trim_start_matches("src/")),
    };
    let segments = path.split('/').filter(|segment| !["lib", "mod"].contains(segment));
    part.into_iter().chain(segments).map(str::to_owned).collect()
}

/// What looks like a crate in `u8::MAX`, and is none.
const PRIMITIVES: [&str; 15] =
    ["bool", "char", "f32", "f64", "i16", "i32", "i64", "i8", "str", "u128", "u16", "u32", "u64", "u8", "usize"];

/// A path as it is written.
struct Written {
    line: usize,
    /// Starts with `::`.
    rooted: bool,
    segments: Vec<String>,
}

#[derive(Default)]
struct Reader {
    module: Vec<String>,
    children: Vec<String>,
    written: Vec<Written>,
    /// What `use` calls things here, and what they are.
    imported: HashMap<String, Vec<String>>,
    dotted: Vec<Found<String>>,
}

impl Reader {
    fn resolved(&self) -> Vec<Found<Name>> {
        let names = self.written.iter().filter_map(|Written { line, rooted, segments }| {
            let theirs = || Some(Name::Theirs(segments.clone()));
            let what =
                if *rooted { theirs() } else { self.resolve(segments).or_else(|| self.resolve_imported(segments)) };
            what.map(|what| Found { line: *line, what })
        });
        names.collect()
    }

    /// What `crate` is here.
    fn root(&self) -> &[String] {
        let is_rules = self.module.first().is_some_and(|part| part == "rules");
        &self.module[..usize::from(is_rules)]
    }

    /// What a path is by itself; nothing if it starts with a name that may have been imported.
    fn resolve(&self, segments: &[String]) -> Option<Name> {
        let (first, rest) = segments.split_first()?;
        let ours = |base: &[String], rest: &[String]| Some(Name::Ours([base, rest].concat()));
        match first.as_str() {
            "crate" => ours(self.root(), rest),
            "ludotheque" => ours(&[], rest),
            "ludotheque_rules" => ours(&["rules".to_owned()], rest),
            "self" => ours(&self.module, rest),
            "super" => {
                let ups = segments.iter().take_while(|segment| *segment == "super").count();
                ours(&self.module[..self.module.len().saturating_sub(ups)], &segments[ups..])
            }
            name if self.children.iter().any(|child| child == name) => ours(&self.module, segments),
            _ => None,
        }
    }

    /// What a path is by the names that `use` brought in. Whatever is neither one of those nor declared here is a crate,
    /// or a word of the language's own.
    fn resolve_imported(&self, segments: &[String]) -> Option<Name> {
        let (first, rest) = segments.split_first()?;
        if let Some(target) = self.imported.get(first) {
            let whole = [target, rest].concat();
            return self.resolve(&whole).or(Some(Name::Theirs(whole)));
        }
        let is_crate = first.starts_with(char::is_lowercase) && !PRIMITIVES.contains(&first.as_str());
        (is_crate && !rest.is_empty()).then(|| Name::Theirs(segments.to_vec()))
    }

    fn read_use(&mut self, tree: &syn::UseTree, before: &[String], rooted: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        let (segments, called) = match tree {
            syn::UseTree::Path(path) => return self.read_use(&path.tree, &with(&path.ident), rooted),
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.read_use(tree, before, rooted));
            }
            syn::UseTree::Glob(_) => (before.to_vec(), None),
            syn::UseTree::Name(name) if name.ident == "self" => (before.to_vec(), before.last().cloned()),
            syn::UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            syn::UseTree::Rename(name) => (with(&name.ident), Some(name.rename.to_string())),
        };
        if let Some(called) = called
            && !rooted
        {
            self.imported.insert(called, segments.clone());
        }
        self.written.push(Written { line: tree.span().start().line, rooted, segments });
    }

    /// Paths and dotted names in tokens that nobody has parsed: the insides of macros and attributes.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let is = |at: usize, wanted: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == wanted);
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Ident(ident) => {
                    let line = ident.span().start().line;
                    let rooted = at >= 2 && is(at - 1, ':') && is(at - 2, ':');
                    if at >= 1 && is(at - 1, '.') {
                        self.dotted.push(Found { line, what: ident.to_string() });
                    }
                    let mut segments = vec![ident.to_string()];
                    while is(at + 1, ':')
                        && is(at + 2, ':')
                        && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    {
                        segments.push(next.to_string());
                        at += 3;
                    }
                    self.written.push(Written { line, rooted, segments });
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.children.push(item.ident.to_string());
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        // Only `macro_rules!` gives a name; a macro of our own is no crate.
        self.children.extend(item.ident.as_ref().map(ToString::to_string));
        visit::visit_item_macro(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.read_use(&item.tree, &[], item.leading_colon.is_some());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let (line, rooted) = (path.span().start().line, path.leading_colon.is_some());
        // A single name behind `::` is that of a method, as in `<[u8]>::to_vec`.
        if !rooted || segments.len() > 1 {
            self.written.push(Written { line, rooted, segments });
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.dotted.push(Found { line: call.method.span().start().line, what: call.method.to_string() });
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        if let syn::Member::Named(name) = &field.member {
            self.dotted.push(Found { line: name.span().start().line, what: name.to_string() });
        }
        visit::visit_expr_field(self, field);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.read_tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.read_tokens(list.tokens.clone());
        }
        visit::visit_attribute(self, attribute);
    }
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let cfg_test = || attribute.parse_args::<syn::Ident>().is_ok_and(|what| what == "test");
    attribute.path().is_ident("test") || (attribute.path().is_ident("cfg") && cfg_test())
}

fn collect_words(tokens: TokenStream, words: &mut Vec<Found<String>>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => words.push(Found { line: word.span().start().line, what: word.to_string() }),
            TokenTree::Group(group) => collect_words(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<Name> {
        Source::parse("src/games/play.rs", text).names.into_iter().map(|found| found.what).collect()
    }

    fn ours(path: &str) -> Name {
        Name::Ours(path.split("::").map(str::to_owned).collect())
    }

    fn theirs(path: &str) -> Name {
        Name::Theirs(path.split("::").map(str::to_owned).collect())
    }

    #[test]
    fn imports_are_told_one_by_one_from_the_root() {
        let imports = "use super::{sequencer::StepRequest, error::*}; use crate::rules::{self, Seat as Chair};";
        let expected = ["games::sequencer::StepRequest", "games::error", "rules", "rules::Seat"].map(ours);
        assert_eq!(names(imports), expected);
    }

    #[test]
    fn an_imported_name_is_what_it_was_imported_from() {
        assert_eq!(names("use crate::store::sled; fn f(s: sled::Settings) {}")[1], ours("store::sled::Settings"));
        assert_eq!(names("fn f(s: ::sled::Db) {}")[0], theirs("sled::Db"));
        assert_eq!(names("use std::fmt; fn f(s: fmt::Error) {}")[1], theirs("std::fmt::Error"));
    }

    #[test]
    fn macros_and_attributes_are_looked_into() {
        assert!(names("fn f() { println!(\"{}\", crate::clock::now()) }").contains(&ours("clock::now")));
        assert!(names("#[serde(with(super::super::auth::x))] struct S;").contains(&ours("auth::x")));
    }

    #[test]
    fn a_macro_that_is_declared_here_is_ours() {
        let found = names("macro_rules! named { () => {} } pub(super) use named; named! {}");
        assert!(found.contains(&ours("games::play::named")) && !found.contains(&theirs("named")), "{found:?}");
    }

    #[test]
    fn what_only_tests_compile_is_passed_over() {
        assert!(
            names("#[cfg(test)] mod tests { use crate::store::sled; } #[test] fn t() { crate::app::x() }").is_empty()
        );
    }

    #[test]
    fn a_finding_knows_its_line() {
        let source = Source::parse("src/ids.rs", "fn f() {}\n\nfn g() { x.unwrap() }");
        let found: Vec<_> = source.dotted.iter().map(|found| (found.line, found.what.as_str())).collect();
        assert_eq!(found, [(3, "unwrap")]);
    }
}
