//! The rules, tested. `chips` and its siblings say what each rulebook says; all the rest is a kit that runs on whatever
//! the catalogue lists, so a new kind is tested by being in it.

#![allow(unreachable_pub, reason = "a test binary exports nothing, so `pub` just means: for the other files")]

mod capabilities;
mod chips;
mod conformance;
mod hiding;
mod kit;
mod leaks;
mod loading;
mod perft;
mod playthroughs;
mod santa_rescue;
mod schemas;
mod texts;
mod toy_rush;
mod toys_go_go_go;
