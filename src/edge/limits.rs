//! How often one player, or one address, may ask: so many times a second, and as many at once.

use super::address::caller;
use crate::ids::PlayerId;
use governor::clock::{Clock, MonotonicClock};
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// After so many questions, those who have been quiet for a while are forgotten. So no more are remembered than asked
/// within a second, and this many: some megabytes at the very most.
const FORGET_EVERY: u32 = 10_000;

/// How long an address that asked too often waits to be told so.
const PAUSE: Duration = Duration::from_millis(100);

/// Somebody who asked too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limited {
    /// How long to wait before asking again.
    pub wait: Duration,
}

/// Counts what players and addresses ask.
pub struct Limits {
    players: Option<Limiter<PlayerId>>,
    addresses: Option<Limiter<IpAddr>>,
}

impl Limits {
    /// So many requests a second each; 0 for no limit.
    pub fn new(player_rate: u32, address_rate: u32) -> Self {
        Self { players: Limiter::new(player_rate), addresses: Limiter::new(address_rate) }
    }

    pub fn check_player(&self, player: PlayerId) -> Result<(), Limited> {
        self.players.as_ref().map_or(Ok(()), |limiter| limiter.check(&player))
    }

    /// Lets a request in or refuses it, the latter not at once: a flood that waits for its answers is slowed down to what
    /// takes nothing from others.
    pub async fn admit(&self, address: IpAddr) -> Result<(), Limited> {
        let checked = self.check_address(address);
        if checked.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
        checked
    }

    pub fn check_address(&self, address: IpAddr) -> Result<(), Limited> {
        self.addresses.as_ref().map_or(Ok(()), |limiter| limiter.check(&caller(address)))
    }
}

struct Limiter<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, DashMapStateStore<K>, MonotonicClock>,
    asked: AtomicU32,
}

impl<K: Hash + Eq + Clone> Limiter<K> {
    fn new(rate: u32) -> Option<Self> {
        let quota = Quota::per_second(NonZeroU32::new(rate)?);
        let limiter = RateLimiter::dashmap_with_clock(quota, MonotonicClock);
        Some(Self { limiter, asked: AtomicU32::new(0) })
    }

    fn check(&self, key: &K) -> Result<(), Limited> {
        if self.asked.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        let checked = self.limiter.check_key(key);
        checked.map_err(|until| Limited { wait: until.wait_time_from(MonotonicClock.now()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v4(last: u32) -> IpAddr {
        IpAddr::V4(std::net::Ipv4Addr::from_bits(last))
    }

    #[test]
    fn the_burst_is_let_in_and_the_next_is_told_how_long_to_wait() {
        let limits = Limits::new(0, 2);
        assert_eq!(limits.check_address(v4(1)), Ok(()));
        assert_eq!(limits.check_address(v4(1)), Ok(()));
        let Limited { wait } = limits.check_address(v4(1)).unwrap_err();
        assert!(wait > Duration::ZERO && wait <= Duration::from_millis(500), "{wait:?}");
        assert_eq!(limits.check_address(v4(2)), Ok(()), "somebody else is not held up");
    }

    #[test]
    fn nothing_is_counted_without_a_limit() {
        let limits = Limits::new(0, 0);
        let player = PlayerId::new();
        for _ in 0..1000 {
            assert_eq!((limits.check_address(v4(1)), limits.check_player(player)), (Ok(()), Ok(())));
        }
    }

    #[test]
    fn neighbours_in_an_ipv6_network_count_as_one() {
        let limits = Limits::new(0, 1);
        let v6 = |text: &str| text.parse().unwrap();
        assert_eq!(limits.check_address(v6("2001:db8::1")), Ok(()));
        assert!(limits.check_address(v6("2001:db8::ffff:2")).is_err());
        assert_eq!(limits.check_address(v6("2001:db8:0:1::1")), Ok(()));
    }

    #[test]
    fn a_flood_of_addresses_is_forgotten_again() {
        let limits = Limits::new(0, 1_000_000);
        for number in 0..20 * FORGET_EVERY {
            limits.check_address(v4(number)).unwrap();
        }
        let remembered = limits.addresses.unwrap().limiter.len();
        assert!(remembered <= 2 * FORGET_EVERY as usize, "{remembered} are remembered");
    }
}
