//! Refusals that are being held, counted per address and per connection.
//!
//! A refusal is cheap, but not free, and is held for a while before it is sent: a client that waits for its answers then
//! can't turn refusals into a flood. Over HTTP/2 a client need not wait, so what it has in flight is bounded too.

use crate::signal::Signal;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

/// How long a refused request is held before it is answered.
pub const REFUSAL_DELAY: Duration = Duration::from_millis(100);

/// Refusals of an address that are held for no longer than that. With more of them, each is held for longer: so an address
/// is sent about 640 in a second, however many connections it has.
const AT_ONCE: u32 = 64;
/// But no more than this many times as long: a refusal that is held takes memory.
const MOST_DELAYS: u32 = 16;

/// The refusals that are being held, by address.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<HashMap<IpAddr, u32>>);

/// The refusals that are being held on one connection.
#[derive(Debug, Default)]
pub struct ConnectionRefusals {
    held: AtomicU32,
    flooded: Signal,
}

impl Refusals {
    /// Holds a refusal for as long as it should be. A connection with several of them in flight, whose address has too
    /// many, is told to be cut off: HTTP/1 has one at a time, and never is.
    pub async fn hold(&self, address: Option<IpAddr>, connection: Option<&ConnectionRefusals>) {
        let (of_connection, here) = connection.map(ConnectionRefusals::count).unzip();
        let (of_address, all) = address.map(|address| self.count(address)).unzip();
        let all = all.unwrap_or_default();
        if let Some(connection) = connection
            && all > AT_ONCE
            && here.is_some_and(|here| here > 1)
        {
            connection.flooded.raise();
        }
        sleep(delay(all)).await;
        drop((of_connection, of_address));
    }

    /// Counts one until it is dropped; how many there are with it.
    fn count(&self, address: IpAddr) -> (OfAddress<'_>, u32) {
        let mut held = self.lock();
        let count = held.entry(address).or_default();
        *count += 1;
        (OfAddress { refusals: self, address }, *count)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long one of so many is held.
fn delay(all: u32) -> Duration {
    REFUSAL_DELAY * (all / AT_ONCE).clamp(1, MOST_DELAYS)
}

impl ConnectionRefusals {
    /// Raised once it has too many of them in flight.
    pub fn flooded(&self) -> &Signal {
        &self.flooded
    }

    fn count(&self) -> (Here<'_>, u32) {
        (Here(self), self.held.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// One refusal of an address.
struct OfAddress<'a> {
    refusals: &'a Refusals,
    address: IpAddr,
}

impl Drop for OfAddress<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.refusals.lock().entry(self.address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// One refusal of a connection.
struct Here<'a>(&'a ConnectionRefusals);

impl Drop for Here<'_> {
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
        join_all((0..AT_ONCE).map(|_| refusals.hold(ADDRESS, Some(&greedy)))).await;
        assert!(!is_flooded(&greedy), "so many are in order");
        join_all((0..=AT_ONCE).map(|_| refusals.hold(ADDRESS, Some(&greedy)))).await;
        assert!(is_flooded(&greedy));

        let single: Vec<_> = (0..2 * AT_ONCE).map(|_| ConnectionRefusals::default()).collect();
        join_all(single.iter().map(|connection| refusals.hold(ADDRESS, Some(connection)))).await;
        assert!(!single.iter().any(is_flooded));
        assert!(refusals.lock().is_empty() && greedy.held.load(Ordering::Relaxed) == 0, "nothing is kept");
    }

    #[test]
    fn the_more_there_are_the_longer_each_is_held() {
        for (all, times) in [(0, 1), (AT_ONCE, 1), (10 * AT_ONCE, 10), (1_000 * AT_ONCE, MOST_DELAYS)] {
            assert_eq!(delay(all), REFUSAL_DELAY * times, "{all}");
        }
    }
}
