//! The stores, under one contract, and under everything that can happen to a disk.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod compaction;
mod contract;
mod crash;
mod damage;
mod disk_space;
mod facts;
mod fixture;
mod journal;
mod kept_snapshots;
mod killed;
mod limits;
mod model;
mod moves_house;
mod newcomers;
mod notifier;
mod programs;
mod revival;
mod samples;
mod tables;
mod transfer;
mod written_before;

mod on_sled {
    use crate::contract::contract_of;

    contract_of!(crate::fixture::sled);
}

mod on_postgres {
    use crate::contract::contract_of;

    contract_of!(crate::fixture::postgres);
}
