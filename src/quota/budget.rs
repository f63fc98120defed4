//! Token-bucket rate limiting: sustained rate and burst of work for each player and each address.

use super::Client;
use super::delayed_refusals::{REFUSAL_DELAY, Refusals};
use super::prices::UNIT;
use crate::ids::PlayerId;
use governor::clock::{Clock, MonotonicClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Limit of the exponential backoff: 100 ms × 2⁴ = 1.6 s. A budget takes longer to refill (`BURST_SECONDS`), so a
/// waiting charge loses no part of it.
const MAX_DOUBLINGS: u32 = 4;

/// Burst size, in seconds of the sustained rate.
pub const BURST_SECONDS: u32 = 2;

/// Full buckets are evicted after this many charges. So memory contains the buckets used within the last seconds, and
/// at most this many more: a few megabytes.
const EVICT_EVERY: u32 = 10_000;

/// The rate limit is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rate limit is exceeded; retry in {wait:?}")]
pub struct Limited {
    /// How long to wait before the next attempt.
    pub wait: Duration,
}

impl Limited {
    /// `Retry-After`: whole seconds, never too early.
    pub fn retry_after(&self) -> u32 {
        u32::try_from(self.wait.as_secs()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Exponential backoff for a charge that can't be refused: how long to wait after `times` failures. It grows
    /// because many charges may wait for one budget, and each attempt takes time too.
    pub fn pause(&self, times: u32) -> Duration {
        self.wait.max(REFUSAL_DELAY * (1 << times.min(MAX_DOUBLINGS)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Which budget it is: `player` or `address`.
    pub policy: &'static str,
    /// Burst size, in units.
    pub quota: u32,
    pub remaining: u32,
}

/// The budgets of all players and addresses.
#[derive(Default)]
pub struct Budgets {
    players: Option<Bucket<PlayerId>>,
    addresses: Option<Bucket<IpAddr>>,
    /// Refusals that exceeded a budget and are being delayed.
    pub refusals: Refusals,
}

impl Budgets {
    /// Sustained units of work per second for each player and each address; 0 disables the limit.
    pub fn new(player_rate: u32, address_rate: u32) -> Self {
        let (players, addresses) = (Bucket::per_second(player_rate), Bucket::per_second(address_rate));
        Self { players, addresses, refusals: Refusals::default() }
    }

    /// Charges both the address and the player. Returns the player's balance, or else the address's; None without a
    /// limit.
    pub fn charge(&self, client: &Client, points: u32) -> Result<Option<Balance>, Limited> {
        let address = client.address.map(|address| self.charge_address(address, points)).transpose()?;
        let player = client.player.map(|player| self.charge_player(player, points)).transpose()?;
        Ok(player.flatten().or(address.flatten()))
    }

    pub fn charge_player(&self, player: PlayerId, points: u32) -> Result<Option<Balance>, Limited> {
        let Some(bucket) = &self.players else { return Ok(None) };
        bucket.take(&player, points).map(|left| Some(bucket.balance("player", left)))
    }

    pub fn charge_address(&self, address: IpAddr, points: u32) -> Result<Option<Balance>, Limited> {
        let Some(bucket) = &self.addresses else { return Ok(None) };
        bucket.take(&address, points).map(|left| Some(bucket.balance("address", left)))
    }

    /// The highest price, in units, that the client's burst can pay; None without a limit.
    pub fn max_price(&self, client: &Client) -> Option<u32> {
        let address = client.address.and(self.addresses.as_ref()).map(Bucket::quota);
        let player = client.player.and(self.players.as_ref()).map(Bucket::quota);
        address.into_iter().chain(player).min()
    }
}

/// Token buckets, one for each key.
pub struct Bucket<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, DashMapStateStore<K>, MonotonicClock, StateInformationMiddleware>,
    burst: NonZeroU32,
    charges: AtomicU32,
}

impl<K: Hash + Eq + Clone> Bucket<K> {
    /// Buckets that refill by `units` per second. None for 0: there is no limit.
    fn per_second(units: u32) -> Option<Self> {
        let points = NonZeroU32::new(units.saturating_mul(UNIT))?;
        let burst = points.saturating_mul(NonZeroU32::new(BURST_SECONDS)?);
        Some(Self::new(Quota::per_second(points).allow_burst(burst)))
    }

    /// Buckets that refill by `count` tokens per hour. None for 0: there is no limit.
    pub fn per_hour(count: u32) -> Option<Self> {
        NonZeroU32::new(count).map(|count| Self::new(Quota::per_hour(count)))
    }

    fn new(quota: Quota) -> Self {
        let limiter = RateLimiter::dashmap_with_clock(quota, MonotonicClock).with_middleware();
        Self { limiter, burst: quota.burst_size(), charges: AtomicU32::new(0) }
    }

    /// Takes tokens from a bucket and returns how many remain. A price above the burst size takes a full bucket.
    pub fn take(&self, key: &K, tokens: u32) -> Result<u32, Limited> {
        if self.charges.fetch_add(1, Ordering::Relaxed) % EVICT_EVERY == EVICT_EVERY - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        let Some(tokens) = NonZeroU32::new(tokens) else { return Ok(0) };
        match self.limiter.check_key_n(key, tokens.min(self.burst)) {
            Ok(Ok(state)) => Ok(state.remaining_burst_capacity()),
            Ok(Err(until)) => Err(Limited { wait: until.wait_time_from(MonotonicClock.now()) }),
            // Unreachable: `tokens` is at most the burst size.
            Err(_) => Err(Limited { wait: Duration::from_secs(1) }),
        }
    }

    /// Burst size, in units.
    fn quota(&self) -> u32 {
        self.burst.get() / UNIT
    }

    fn balance(&self, policy: &'static str, left: u32) -> Balance {
        Balance { policy, quota: self.quota(), remaining: left / UNIT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn v4(last: u32) -> IpAddr {
        IpAddr::V4(Ipv4Addr::from_bits(last))
    }

    #[test]
    fn a_full_budget_can_be_spent_at_once_and_then_the_client_is_told_how_long_to_wait() {
        let budgets = Budgets::new(0, 2);
        let balance = budgets.charge_address(v4(1), 3 * UNIT).unwrap().unwrap();
        assert_eq!(balance, Balance { policy: "address", quota: 4, remaining: 1 });
        budgets.charge_address(v4(1), UNIT).unwrap();
        let Limited { wait } = budgets.charge_address(v4(1), UNIT).unwrap_err();
        assert!(wait > Duration::ZERO && wait <= Duration::from_millis(500), "{wait:?}");
        assert!(budgets.charge_address(v4(2), UNIT).is_ok(), "another address has a budget of its own");
    }

    #[test]
    fn what_costs_more_than_a_full_budget_takes_all_of_it() {
        let budgets = Budgets::new(0, 1);
        assert_eq!(budgets.charge_address(v4(1), 100 * UNIT).unwrap().unwrap().remaining, 0);
        assert!(budgets.charge_address(v4(1), UNIT).is_err());
    }

    #[test]
    fn nothing_is_counted_without_a_limit() {
        let (budgets, client) = (Budgets::new(0, 0), Client { address: Some(v4(1)), player: Some(PlayerId::new()) });
        for _ in 0..1000 {
            assert_eq!(budgets.charge(&client, 100 * UNIT), Ok(None));
        }
        assert_eq!(budgets.max_price(&client), None);
    }

    #[test]
    fn a_player_pays_beside_its_address_and_is_told_its_own_balance() {
        let budgets = Budgets::new(10, 100);
        let client = Client { address: Some(v4(1)), player: Some(PlayerId::new()) };
        let balance = budgets.charge(&client, 15 * UNIT).unwrap().unwrap();
        assert_eq!((balance.policy, balance.quota, balance.remaining), ("player", 20, 5));
        assert_eq!(budgets.max_price(&client), Some(20));
        assert_eq!(budgets.charge_address(v4(1), UNIT).unwrap().unwrap().remaining, 184);
    }

    #[test]
    fn a_flood_of_addresses_is_forgotten_again() {
        let budgets = Budgets::new(0, 10_000);
        for number in 0..20 * EVICT_EVERY {
            budgets.charge_address(v4(number), 1).unwrap();
        }
        let remembered = budgets.addresses.unwrap().limiter.len();
        assert!(remembered <= 2 * EVICT_EVERY as usize, "{remembered} are remembered");
    }
}
