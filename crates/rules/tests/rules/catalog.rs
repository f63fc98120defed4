//! Catalogs: adding kinds, and offering some of them.

use ludotheque_rules::any::Adapter;
use ludotheque_rules::catalog::{BUILT_IN, Catalog, Offer};
use ludotheque_rules::chips::Chips;
use ludotheque_rules::toy_rush::ToyRush;

#[test]
fn a_list_has_what_was_added_in_that_order() {
    let list = Catalog::EMPTY.with(Adapter::<ToyRush>::new()).with(Adapter::<Chips>::new());
    assert_eq!(list.names().collect::<Vec<_>>(), ["TOY_RUSH", "CHIPS"]);
    assert!(
        list.newest("LOADING").is_none()
            && list.of_version("CHIPS", 1).is_some()
            && list.of_version("CHIPS", 2).is_none()
    );
    assert_eq!(list, Catalog::EMPTY.with(Adapter::<ToyRush>::new()).with(Adapter::<Chips>::new()));
    assert_ne!(list, BUILT_IN);
}

#[test]
#[should_panic(expected = "CHIPS and its rules version 1 are in the catalog already")]
fn the_same_rules_are_added_once() {
    let _refused = BUILT_IN.with(Adapter::<Chips>::new());
}

#[test]
fn what_is_not_offered_can_still_be_found_in_the_list() {
    let offer = Offer::from(BUILT_IN).only(["CHIPS"]);
    assert!(offer.newest("CHIPS").is_some() && offer.newest("LOADING").is_none());
    assert!(offer.catalog.newest("LOADING").is_some());
}
