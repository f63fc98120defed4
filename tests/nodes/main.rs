//! Several nodes on one database: nothing lost when one of them dies, or the database does, and one order of all moves,
//! whichever node was asked.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::print_stdout, reason = "prints how long there was no service")]

mod away;
mod crowd;
mod failover;
mod fleet;
mod history;
mod keys;
mod linear;
mod moving;
mod proxy;
mod shared;
mod tls;
