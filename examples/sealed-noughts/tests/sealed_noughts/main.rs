//! Sealed Noughts, tested: what every kind promises, the rules of README.md one by one, and games through every face.

#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod faces;
mod program;
mod rules;

use ludotheque::games::schema::describe;
use ludotheque::rules::any::Adapter;
use ludotheque::rules::catalog::{BUILT_IN, Catalog};
use sealed_noughts::SealedNoughts;

ludotheque_kit::check_kinds!(Catalog::EMPTY.with(Adapter::<SealedNoughts>::new()));

#[test]
fn a_process_describes_one_catalogue() {
    describe(sealed_noughts::catalog());
    describe(sealed_noughts::catalog());
    assert!(std::panic::catch_unwind(|| describe(BUILT_IN)).is_err(), "its GraphQL types are made once");
}

#[test]
fn it_is_no_built_in_kind() {
    assert!(BUILT_IN.newest("SEALED_NOUGHTS").is_none());
    assert_eq!(sealed_noughts::catalog().names().count(), BUILT_IN.names().count() + 1);
}
