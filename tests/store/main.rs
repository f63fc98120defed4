//! The stores, under one contract, and under everything that can happen to a disk.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod contract;
mod crash;
mod damage;
mod facts;
mod fixture;
mod limits;
mod model;
mod newcomers;
mod powerloss;
mod raw;
mod room;
mod samples;
mod transfer;
mod writer;

mod sled {
    use crate::contract::contract_of;

    contract_of!(crate::fixture::sled);
}
