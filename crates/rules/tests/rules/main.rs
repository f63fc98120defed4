//! Tests of the rules. `chips` and its siblings test the rulebook of each kind; the kit (`ludotheque-kit`) runs on
//! every kind in the catalog, so a new kind is tested as soon as it is listed.

#![allow(unreachable_pub, reason = "a test binary exports nothing, so `pub` just means: for the other files")]

mod capabilities;
mod catalog;
mod chips;
mod loading;
mod perft;
mod playthroughs;
mod santa_rescue;
mod toy_rush;
mod toys_go_go_go;
mod wording;

use ludotheque_kit as kit;

ludotheque_kit::check_kinds!(ludotheque_rules::catalog::BUILT_IN);
