//! What REST does, and what both faces do alike.

mod backend_day;
mod backups;
mod bots;
mod comings;
mod crashes;
mod errors;
mod every_kind;
mod examples;
mod fairness;
mod games;
mod hiding;
mod kinds;
mod loading;
mod lobby;
mod matrix;
mod moves;
mod no_panics;
mod odd_texts;
mod players;
mod playing;
mod races;
mod rematch;
mod replays;
mod santa_rescue;
mod streams;
mod unreadable;
