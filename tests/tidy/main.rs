//! The architecture, as assertions. A finding says what is wrong, where, and what to use instead; ARCHITECTURE.md has
//! the reasons.
//!
//! Every check is a function from a source or a text to its findings. The tests here run the checks on the repository;
//! each check's own tests run it on a few lines that it must refuse, so that none of them passes because it is blind.

mod arrows;
mod kinds;
mod manners;
mod marks;
mod naming;
mod purity;
mod repository;
mod source;
mod texts;
mod wording;

use repository::{Repository, Text};
use source::Source;

/// What is wrong, where, and what to do instead.
type Finding = String;

#[track_caller]
fn nothing_found(findings: impl IntoIterator<Item = Finding>) {
    let findings: Vec<_> = findings.into_iter().collect();
    assert!(findings.is_empty(), "\n\n{}\n\n", findings.join("\n"));
}

#[track_caller]
fn no_source_is_refused(check: impl Fn(&Source) -> Vec<Finding>) {
    let sources = Repository::here().sources();
    assert!(sources.len() > 50, "only {} sources were found", sources.len());
    nothing_found(sources.iter().flat_map(check));
}

#[test]
fn every_part_knows_only_what_lies_below_it() {
    no_source_is_refused(arrows::between_parts);
}

#[test]
fn nothing_but_the_catalogue_knows_one_kind_from_another() {
    let kinds = kinds::folders(&Repository::here());
    no_source_is_refused(|source| arrows::to_kinds(source, &kinds));
}

#[test]
fn no_place_names_a_kind_but_its_own_folder_its_commands_and_the_catalogue() {
    let kinds = kinds::folders(&Repository::here());
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    no_source_is_refused(|source| naming::of_kinds(source, &kinds));
}

#[test]
fn every_library_stays_where_it_is_at_home() {
    no_source_is_refused(arrows::to_libraries);
}

#[test]
fn rules_are_pure() {
    no_source_is_refused(purity::of_rules);
}

#[test]
fn faces_hold_no_raw_state() {
    no_source_is_refused(purity::of_faces);
}

#[test]
fn the_time_of_day_is_read_in_three_places() {
    no_source_is_refused(purity::of_time);
}

#[test]
fn unsafe_code_is_in_one_file() {
    no_source_is_refused(manners::no_unsafe);
}

#[test]
fn no_source_unwraps() {
    no_source_is_refused(manners::no_unwrap);
}

#[test]
fn every_module_says_why_it_exists() {
    no_source_is_refused(manners::has_a_preface);
}

#[test]
fn no_source_has_grown_too_long() {
    no_source_is_refused(manners::fits_in_the_head);
}

#[test]
fn every_kind_is_complete() {
    nothing_found(kinds::incomplete(&Repository::here()));
}

#[test]
fn every_folder_of_rules_is_in_the_catalogue() {
    nothing_found(kinds::unlisted(&Repository::here()));
}

#[test]
fn nothing_is_left_to_be_done_later() {
    nothing_found(Repository::here().texts().iter().flat_map(texts::put_off));
}

#[test]
fn every_test_that_is_left_out_is_slow_or_no_test() {
    nothing_found(Repository::here().texts().iter().flat_map(marks::of_tests));
}

#[test]
fn no_text_names_a_place_on_somebodys_machine() {
    nothing_found(Repository::here().texts().iter().flat_map(texts::machine_paths));
}

#[test]
fn every_file_has_a_plain_name() {
    nothing_found(Repository::here().texts().iter().filter_map(texts::odd_name));
}

#[test]
fn no_text_sends_anybody_to_an_unknown_host() {
    nothing_found(Repository::here().texts().iter().flat_map(texts::hosts));
}

#[test]
fn every_package_comes_from_the_default_registry() {
    let (repository, ours) = (Repository::here(), Repository::here().packages());
    assert!(ours.contains(&"ludotheque".to_owned()), "{ours:?}");
    let locked = texts::packages(&repository.read("Cargo.lock"));
    assert!(locked.len() > 100, "only {} packages were found", locked.len());
    nothing_found(locked.iter().filter_map(|package| texts::from_elsewhere(package, &ours)));
}

#[test]
fn no_npm_package_is_locked_to_an_address() {
    for (path, package) in [
        ("web/package-lock.json", "graphiql"),
        ("benches/rivals/boardgame.io/package-lock.json", "boardgame.io"),
        ("benches/rivals/colyseus/package-lock.json", "@colyseus/core"),
    ] {
        let (path, text) = (path.to_owned(), Repository::here().read(path));
        assert!(text.contains(&format!("\"node_modules/{package}\"")), "the lock file lists packages");
        nothing_found(texts::with_an_address(&Text { path, text }));
    }
}

#[test]
fn no_two_public_types_share_a_name() {
    nothing_found(wording::shared_names(&Repository::here().sources()));
}

#[test]
fn no_file_has_a_vague_name() {
    nothing_found(Repository::here().texts().iter().filter_map(wording::vague_file));
}

#[test]
fn no_text_uses_a_phrase_of_the_deny_list() {
    nothing_found(Repository::here().texts().iter().flat_map(wording::phrases));
}
