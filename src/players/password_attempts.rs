//! Brute-force throttling: after a few wrong passwords from one address against one account, or against any account,
//! each further attempt has to wait longer, and is refused before anything is hashed. No account is ever locked, so its
//! owner can sign in from another address with the right password, at once, during an attack too.
//!
//! An attempt counts as wrong from its start, and is taken back when the password proves right: sending many
//! concurrently gains nothing. Each node keeps its own counts, in memory.

use crate::auth::sha256;
use crate::quota::{Client, Limited};
use moka::sync::Cache;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Wrong passwords without a delay, from one address against one account.
const FREE_ATTEMPTS: u32 = 5;
/// The same during an attack on the account: an owner who mistypes twice waits for a second.
const FREE_ATTEMPTS_UNDER_ATTACK: u32 = 2;
/// Wrong passwords against one account, from all addresses together, that count as an attack.
const ATTACK_THRESHOLD: u32 = 20;
/// Wrong passwords without a delay, from one address against all accounts: many people may share an address.
const FREE_ATTEMPTS_OF_ADDRESS: u32 = 20;
/// Longest delay.
const MAX_DELAY: Duration = Duration::from_mins(15);
/// How long counts are kept after their last use.
const COUNT_TTL: Duration = Duration::from_hours(1);
/// Entries in each cache: a few MB.
const CACHE_CAPACITY: u64 = 50_000;

/// SHA-256 of a username. Unknown usernames are counted too, so that a delay does not reveal which exist.
type Account = [u8; 32];

/// Counts of recent wrong passwords.
pub(super) struct Attempts {
    addresses: Cache<IpAddr, Arc<Mutex<Failures>>>,
    pairs: Cache<(IpAddr, Account), Arc<Mutex<Failures>>>,
    accounts: Cache<Account, Arc<Mutex<Failures>>>,
}

#[derive(Default)]
struct Failures {
    count: u32,
    /// Attempts before this time are refused.
    not_before: Option<Instant>,
}

/// A password attempt, which counts as wrong unless it is taken back.
pub(super) struct Attempt(Vec<Arc<Mutex<Failures>>>);

impl Default for Attempts {
    fn default() -> Self {
        Self { addresses: tracking(), pairs: tracking(), accounts: tracking() }
    }
}

fn tracking<K: std::hash::Hash + Eq + Send + Sync + 'static>() -> Cache<K, Arc<Mutex<Failures>>> {
    Cache::builder().max_capacity(CACHE_CAPACITY).time_to_idle(COUNT_TTL).build()
}

impl Attempts {
    /// Begins an attempt, unless the client must wait. A client without an address is on this machine and never waits.
    pub(super) fn begin(&self, account: &str, client: &Client) -> Result<Attempt, Limited> {
        let Some(address) = client.address else { return Ok(Attempt(Vec::new())) };
        let account = sha256(account.to_lowercase().as_bytes());
        let of_account = self.accounts.get_with(account, Arc::default);
        let of_address = self.addresses.get_with(address, Arc::default);
        let of_both = self.pairs.get_with((address, account), Arc::default);
        let now = Instant::now();
        let free = if lock(&of_account).count >= ATTACK_THRESHOLD { FREE_ATTEMPTS_UNDER_ATTACK } else { FREE_ATTEMPTS };
        for failures in [&of_address, &of_both] {
            lock(failures).check(now)?;
        }
        lock(&of_both).add(now, free);
        lock(&of_address).add(now, FREE_ATTEMPTS_OF_ADDRESS);
        lock(&of_account).add(now, u32::MAX);
        Ok(Attempt(vec![of_both, of_address, of_account]))
    }
}

impl Attempt {
    /// Uncounts an attempt whose password was right, or was not verified, and lifts the current delays.
    pub(super) fn take_back(self) {
        for failures in self.0 {
            let mut failures = lock(&failures);
            failures.count = failures.count.saturating_sub(1);
            failures.not_before = None;
        }
    }
}

impl Failures {
    fn check(&self, now: Instant) -> Result<(), Limited> {
        match self.not_before.map(|moment| moment.saturating_duration_since(now)) {
            Some(wait) if !wait.is_zero() => Err(Limited { wait }),
            _ => Ok(()),
        }
    }

    /// Counts an attempt. Number `free` starts a delay of 1 s, and each further one doubles it, up to `MAX_DELAY`.
    fn add(&mut self, now: Instant, free: u32) {
        self.count = self.count.saturating_add(1);
        if self.count >= free {
            let doublings = (self.count - free).min(16);
            self.not_before = Some(now + (Duration::from_secs(1) * (1 << doublings)).min(MAX_DELAY));
        }
    }
}

/// A poisoned lock is safe to use: no panic leaves the counts half updated.
fn lock(failures: &Mutex<Failures>) -> MutexGuard<'_, Failures> {
    failures.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn from(number: u32) -> Client {
        Client { address: Some(IpAddr::V4(Ipv4Addr::from_bits(number))), player: None }
    }

    #[test]
    fn a_few_wrong_passwords_are_free_and_each_further_one_waits_longer() {
        let attempts = Attempts::default();
        for _ in 0..FREE_ATTEMPTS {
            attempts.begin("ada", &from(1)).unwrap();
        }
        let first = attempts.begin("ada", &from(1)).err().unwrap().wait;
        assert!(first <= Duration::from_secs(1), "{first:?}");
        let mut failures = Failures::default();
        let (now, mut longest) = (Instant::now(), Duration::ZERO);
        for _ in 0..40 {
            failures.add(now, FREE_ATTEMPTS);
            longest = failures.check(now).err().map_or(longest, |limited| limited.wait.max(longest));
        }
        assert_eq!(longest, MAX_DELAY);
    }

    #[test]
    fn many_at_once_are_refused_like_many_in_a_row() {
        let attempts = Attempts::default();
        let at_once: Vec<_> = (0..100).map(|_| attempts.begin("ada", &from(1))).collect();
        assert_eq!(at_once.iter().filter(|attempt| attempt.is_ok()).count(), FREE_ATTEMPTS as usize);
    }

    #[test]
    fn the_owner_gets_in_from_elsewhere_whatever_goes_on() {
        let attempts = Attempts::default();
        for attacker in 1..=1000 {
            while attempts.begin("ada", &from(attacker)).is_ok() {}
        }
        attempts.begin("Ada", &from(5000)).expect("nothing is held against the account").take_back();
        attempts.begin("ada", &from(5000)).expect("nor against the owner").take_back();
        attempts.begin("ada", &from(5000)).unwrap();
        attempts.begin("ada", &from(5000)).unwrap();
        assert!(attempts.begin("ada", &from(5000)).is_err(), "two wrong ones are many while there is an attack");
    }

    #[test]
    fn one_address_can_not_go_through_many_accounts() {
        let attempts = Attempts::default();
        let tried = (0..1000).filter(|number| attempts.begin(&format!("player{number}"), &from(1)).is_ok()).count();
        assert_eq!(tried, FREE_ATTEMPTS_OF_ADDRESS as usize);
    }

    #[test]
    fn right_passwords_cost_nothing() {
        let attempts = Attempts::default();
        for _ in 0..1000 {
            attempts.begin("ada", &from(1)).unwrap().take_back();
        }
    }

    #[test]
    fn on_this_machine_nobody_waits() {
        let attempts = Attempts::default();
        assert!((0..1000).all(|_| attempts.begin("ada", &Client::default()).is_ok()));
    }
}
