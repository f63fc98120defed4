//! The stores, under one contract, and under everything that can happen to a disk.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]

mod contract;
mod crash;
mod facts;
mod fixture;
mod limits;
mod newcomers;
mod powerloss;
mod samples;
mod writer;

mod sled {
    use crate::contract::contract_of;

    contract_of!(crate::fixture::sled);
}
