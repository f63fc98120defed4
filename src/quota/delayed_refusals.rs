//! Delayed refusals (tarpit), counted per address and per connection.
//!
//! A refusal is cheap, but not free, so it is delayed before it is sent: a client that waits for its responses can't
//! flood the server with requests that are refused. Over HTTP/2 a client need not wait, so its refusals in flight are
//! limited too.

use crate::signal::Signal;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

/// Shortest delay of a refusal.
pub const REFUSAL_DELAY: Duration = Duration::from_millis(100);

/// A refusal is delayed by `REFUSAL_DELAY` for each multiple of this number of delayed refusals of its address, and
/// once at least. So an address gets about 640 refusals per second, however many connections it has.
const REFUSALS_PER_DELAY: u32 = 64;
/// Limit of the factor, because a delayed refusal takes memory.
const MAX_DELAY_FACTOR: u32 = 16;

/// Delayed refusals, by address.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<HashMap<IpAddr, u32>>);

/// Delayed refusals of one connection.
#[derive(Debug, Default)]
pub struct ConnectionRefusals {
    held: AtomicU32,
    flooded: Signal,
}

impl Refusals {
    /// Delays a refusal. If the address has more than `REFUSALS_PER_DELAY` of them and the connection more than one,
    /// the connection is marked for closing. An HTTP/1 connection has one at a time, so it never is.
    pub async fn hold(&self, address: Option<IpAddr>, connection: Option<&ConnectionRefusals>) {
        let (of_connection, in_flight) = connection.map(ConnectionRefusals::count).unzip();
        let (of_address, all) = address.map(|address| self.count(address)).unzip();
        let all = all.unwrap_or_default();
        if let Some(connection) = connection
            && all > REFUSALS_PER_DELAY
            && in_flight.is_some_and(|in_flight| in_flight > 1)
        {
            connection.flooded.raise();
        }
        sleep(delay(all)).await;
        drop((of_connection, of_address));
    }

    /// Counts a refusal until the guard is dropped, and returns the number with it.
    fn count(&self, address: IpAddr) -> (AddressCount<'_>, u32) {
        let mut held = self.lock();
        let count = held.entry(address).or_default();
        *count += 1;
        (AddressCount { refusals: self, address }, *count)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The delay of each of `all` refusals of an address.
fn delay(all: u32) -> Duration {
    REFUSAL_DELAY * (all / REFUSALS_PER_DELAY).clamp(1, MAX_DELAY_FACTOR)
}

impl ConnectionRefusals {
    /// Raised when the connection has too many refusals in flight and must be closed.
    pub fn flooded(&self) -> &Signal {
        &self.flooded
    }

    fn count(&self) -> (ConnectionCount<'_>, u32) {
        (ConnectionCount(self), self.held.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

struct AddressCount<'a> {
    refusals: &'a Refusals,
    address: IpAddr,
}

impl Drop for AddressCount<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.refusals.lock().entry(self.address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

struct ConnectionCount<'a>(&'a ConnectionRefusals);

impl Drop for ConnectionCount<'_> {
    fn drop(&mut self) {
        self.0.held.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use futures::future::join_all;
    use std::net::Ipv4Addr;

    const ADDRESS: Option<IpAddr> = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));

    fn is_flooded(connection: &ConnectionRefusals) -> bool {
        connection.flooded().raised().now_or_never().is_some()
    }

    #[tokio::test]
    async fn a_connection_with_many_refusals_in_flight_is_cut_off_and_many_with_one_each_are_not() {
        let refusals = Refusals::default();
        let greedy = ConnectionRefusals::default();
        join_all((0..REFUSALS_PER_DELAY).map(|_| refusals.hold(ADDRESS, Some(&greedy)))).await;
        assert!(!is_flooded(&greedy), "this number is allowed");
        join_all((0..=REFUSALS_PER_DELAY).map(|_| refusals.hold(ADDRESS, Some(&greedy)))).await;
        assert!(is_flooded(&greedy));

        let single: Vec<_> = (0..2 * REFUSALS_PER_DELAY).map(|_| ConnectionRefusals::default()).collect();
        join_all(single.iter().map(|connection| refusals.hold(ADDRESS, Some(connection)))).await;
        assert!(!single.iter().any(is_flooded));
        assert!(refusals.lock().is_empty() && greedy.held.load(Ordering::Relaxed) == 0, "nothing is kept");
    }

    #[test]
    fn the_more_there_are_the_longer_each_is_held() {
        for (all, times) in [
            (0, 1),
            (REFUSALS_PER_DELAY, 1),
            (10 * REFUSALS_PER_DELAY, 10),
            (1_000 * REFUSALS_PER_DELAY, MAX_DELAY_FACTOR),
        ] {
            assert_eq!(delay(all), REFUSAL_DELAY * times, "{all}");
        }
    }
}
