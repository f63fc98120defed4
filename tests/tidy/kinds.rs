//! What belongs to a kind: its folder of rules with the usual files, its texts, its rulebook tests, its place in the
//! catalogue.

use crate::Finding;
use crate::repository::Repository;
use ludotheque::rules::catalog;

/// The files of a kind; a reader finds the same thing under the same name in every one.
const FILES: [&str; 6] = ["mod", "types", "moves", "state", "score", "view"];

/// The folders of the rules' crate that are no kinds: they play games of any.
const SHARED: [&str; 2] = ["bots", "simulate"];

/// The folders of kinds.
pub fn folders(repository: &Repository) -> Vec<String> {
    let folders = repository.folders_in("crates/rules/src");
    folders.into_iter().filter(|folder| !SHARED.contains(&folder.as_str())).collect()
}

/// What a kind in the catalogue lacks.
pub fn incomplete(repository: &Repository) -> Vec<Finding> {
    slugs().flat_map(|slug| lacking(repository, slug)).collect()
}

/// Folders of rules that the catalogue does not know.
pub fn unlisted(repository: &Repository) -> Vec<Finding> {
    let folders = folders(repository).into_iter().filter(|folder| !slugs().any(|slug| slug == folder));
    folders
        .map(|folder| {
            format!("crates/rules/src/{folder}: add a line to crates/rules/src/catalog.rs, or nobody can play it")
        })
        .collect()
}

fn slugs() -> impl Iterator<Item = &'static str> {
    catalog::BUILT_IN.all().map(|rules| rules.info().slug)
}

fn lacking(repository: &Repository, slug: &str) -> Vec<Finding> {
    let files = FILES.map(|name| format!("crates/rules/src/{slug}/{name}.rs"));
    let sentences = ["en", "fr"].map(|language| format!("crates/rules/content/{slug}/{language}.ftl"));
    let needed = files.into_iter().chain(sentences).filter(|path| !repository.has(path));
    let mut findings: Vec<_> = needed.map(|path| format!("the kind {slug} lacks {path}")).collect();
    let tests = [format!("crates/rules/tests/rules/{slug}.rs"), format!("crates/rules/tests/rules/{slug}/mod.rs")];
    if !tests.iter().any(|path| repository.has(path)) {
        findings.push(format!("the kind {slug} lacks its rulebook tests: {}, or a folder of that name", tests[0]));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_kind_without_its_files_is_refused() {
        let root = tempfile::tempdir().expect("a folder");
        let repository = Repository::at(root.path());
        assert_eq!(lacking(&repository, "chips").len(), FILES.len() + 3);
        for path in ["crates/rules/src/chips", "crates/rules/content/chips", "crates/rules/tests/rules"] {
            fs::create_dir_all(root.path().join(path)).expect("a folder");
        }
        let files = FILES.map(|name| format!("crates/rules/src/chips/{name}.rs"));
        let others = [
            "crates/rules/content/chips/en.ftl",
            "crates/rules/content/chips/fr.ftl",
            "crates/rules/tests/rules/chips.rs",
        ];
        let others = others.map(str::to_owned);
        for path in files.iter().chain(&others) {
            fs::write(root.path().join(path), "").expect("a file");
        }
        assert_eq!(lacking(&repository, "chips"), [] as [Finding; 0]);
    }

    #[test]
    fn rules_that_the_catalogue_does_not_know_are_refused() {
        let root = tempfile::tempdir().expect("a folder");
        for folder in ["chips", "forgotten", SHARED[0], SHARED[1]] {
            fs::create_dir_all(root.path().join("crates/rules/src").join(folder)).expect("a folder");
        }
        let findings = unlisted(&Repository::at(root.path()));
        assert_eq!(
            findings,
            ["crates/rules/src/forgotten: add a line to crates/rules/src/catalog.rs, or nobody can play it"]
        );
    }
}
