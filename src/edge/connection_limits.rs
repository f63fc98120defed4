//! Connection limits: in total and per address, so that no client can use up all connections.

use super::client_address::{Peer, Proxies, caller};
use super::unsent_bytes::UnsentBytes;
use crate::auth::LastTokens;
use crate::quota::delayed_refusals::ConnectionRefusals;
use crate::signal::Signal;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Limits on concurrent connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// In total; further connections wait to be accepted.
    pub connections: usize,
    /// Of one address; further connections are closed. 0 disables the limit.
    pub per_address: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { connections: Semaphore::MAX_PERMITS, per_address: 0 }
    }
}

/// Enforces the limits of one listener.
pub struct ConnectionLimiter {
    free: Arc<Semaphore>,
    per_address: usize,
    /// Each serves many clients, so they are exempt from the limit per address.
    proxies: Proxies,
    addresses: Arc<Addresses>,
}

type Addresses = Mutex<HashMap<IpAddr, AddressUsage>>;

/// What one address uses.
#[derive(Default)]
struct AddressUsage {
    connections: usize,
    unsent: UnsentBytes,
}

/// Permit of an open connection. Its requests hold clones, so that a connection that is upgraded, and outlives the
/// accept loop, still counts.
#[derive(Clone)]
pub struct ConnectionPermit(Arc<PermitState>);

struct PermitState {
    _permit: OwnedSemaphorePermit,
    peer: Peer,
    /// `None` for a trusted proxy.
    share: Option<AddressShare>,
    unsent: UnsentBytes,
    refusals: ConnectionRefusals,
    last_tokens: LastTokens,
}

/// Counts a connection of an address until dropped.
struct AddressShare {
    addresses: Arc<Addresses>,
    address: IpAddr,
}

impl ConnectionPermit {
    fn new(permit: OwnedSemaphorePermit, peer: Peer, share: Option<AddressShare>, unsent: UnsentBytes) -> Self {
        let (refusals, last_tokens) = (ConnectionRefusals::default(), LastTokens::default());
        Self(Arc::new(PermitState { _permit: permit, peer, share, unsent, refusals, last_tokens }))
    }

    /// The other end of the connection.
    pub fn peer(&self) -> Peer {
        self.0.peer
    }

    /// Counter of unsent bytes: one per address, but one per connection of a trusted proxy.
    pub fn unsent(&self) -> &UnsentBytes {
        &self.0.unsent
    }

    /// The delayed refusals of the connection; `None` for a trusted proxy, whose clients would be cut off together.
    pub fn refusals(&self) -> Option<&ConnectionRefusals> {
        self.0.share.as_ref().map(|_| &self.0.refusals)
    }

    /// Cache of the last tokens of the connection; `None` for a trusted proxy, whose clients could otherwise learn
    /// about each other's tokens from how long the comparison takes.
    pub fn last_tokens(&self) -> Option<&LastTokens> {
        self.0.share.as_ref().map(|_| &self.0.last_tokens)
    }

    /// Raised once the connection must be closed, because it has too many delayed refusals.
    pub fn flooded(&self) -> &Signal {
        self.0.refusals.flooded()
    }
}

impl ConnectionLimiter {
    pub fn new(limits: ConnectionLimits, proxies: &Proxies) -> Self {
        let free = Arc::new(Semaphore::new(limits.connections));
        Self { free, per_address: limits.per_address, proxies: proxies.clone(), addresses: Arc::default() }
    }

    /// Waits until the total allows another connection.
    pub async fn acquire(&self) -> OwnedSemaphorePermit {
        self.free.clone().acquire_owned().await.expect("never closed")
    }

    /// Admits a connection, unless its address has as many as it may.
    pub fn admit(&self, permit: OwnedSemaphorePermit, peer: Peer) -> Option<ConnectionPermit> {
        if self.proxies.trusts(peer.0) {
            return Some(ConnectionPermit::new(permit, peer, None, UnsentBytes::default()));
        }
        let address = caller(peer.0);
        let mut addresses = self.addresses.lock().expect("never poisoned");
        let usage = addresses.entry(address).or_default();
        if self.per_address != 0 && usage.connections >= self.per_address {
            return None;
        }
        usage.connections += 1;
        let unsent = usage.unsent.clone();
        drop(addresses);
        let share = AddressShare { addresses: self.addresses.clone(), address };
        Some(ConnectionPermit::new(permit, peer, Some(share), unsent))
    }
}

impl Drop for AddressShare {
    fn drop(&mut self) {
        let mut addresses = self.addresses.lock().expect("never poisoned");
        if let Some(usage) = addresses.get_mut(&self.address) {
            usage.connections -= 1;
            if usage.connections == 0 {
                addresses.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
impl ConnectionPermit {
    /// The permit of a listener's only connection.
    pub(super) fn alone(peer: Peer) -> Self {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().expect("a free permit");
        ConnectionLimiter::new(ConnectionLimits::default(), &Proxies::default()).admit(permit, peer).expect("no limit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn take(limiter: &ConnectionLimiter, address: &str) -> Option<ConnectionPermit> {
        limiter.admit(limiter.acquire().await, Peer(address.parse().expect("an address")))
    }

    #[tokio::test]
    async fn an_address_has_its_share_and_others_have_theirs() {
        let limiter = ConnectionLimiter::new(ConnectionLimits { connections: 10, per_address: 2 }, &Proxies::default());
        let first = take(&limiter, "192.0.2.1").await;
        let second = take(&limiter, "192.0.2.1").await;
        assert!(first.is_some() && second.is_some() && take(&limiter, "192.0.2.1").await.is_none());
        first.as_ref().expect("a permit").unsent().add(1 << 30);
        assert!(second.as_ref().expect("a permit").unsent().is_exceeded_by(1), "they share what waits for them");
        assert!(take(&limiter, "192.0.2.2").await.is_some());
        let twin = first.clone();
        drop(first);
        assert!(take(&limiter, "192.0.2.1").await.is_none(), "it is held by a twin");
        drop(twin);
        assert!(take(&limiter, "192.0.2.1").await.is_some());
        drop(second);
        assert!(limiter.addresses.lock().expect("never poisoned").is_empty(), "and the address is forgotten");
        assert_eq!(limiter.free.available_permits(), 10);
    }

    #[tokio::test]
    async fn proxies_that_are_trusted_have_no_share_of_their_own() {
        let proxies = Proxies { networks: vec!["10.0.0.0/8".parse().expect("a network")], ..Proxies::default() };
        let limiter = ConnectionLimiter::new(ConnectionLimits { connections: 10, per_address: 1 }, &proxies);
        let held = [take(&limiter, "10.1.1.1").await, take(&limiter, "10.1.1.1").await];
        let [one, other] = held.map(|permit| permit.expect("a permit"));
        one.unsent().add(1 << 30);
        assert!(!other.unsent().is_exceeded_by(1 << 30), "nor is what waits for one counted against another");
    }

    #[tokio::test]
    async fn neighbours_in_an_ipv6_network_share() {
        let limiter = ConnectionLimiter::new(ConnectionLimits { connections: 10, per_address: 1 }, &Proxies::default());
        let held = take(&limiter, "2001:db8::1").await;
        assert!(held.is_some() && take(&limiter, "2001:db8::2").await.is_none());
    }
}
