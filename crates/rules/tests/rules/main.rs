//! The rules, tested. `chips` and its siblings say what each rulebook says; the kit (`ludotheque-kit`) runs on whatever
//! the catalogue lists, so a new kind is tested by being in it.

#![allow(unreachable_pub, reason = "a test binary exports nothing, so `pub` just means: for the other files")]

mod capabilities;
mod catalogue;
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
