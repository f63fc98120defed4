//! Places for connections: so many in all, and so many for one address, so that nobody can take them all and leave the
//! others waiting.

use super::client_address::{Peer, Proxies, caller};
use super::unsent_bytes::UnsentBytes;
use crate::auth::LastTokens;
use crate::quota::delayed_refusals::ConnectionRefusals;
use crate::signal::Signal;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many connections there may be at a time.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// More wait to be accepted.
    pub connections: usize,
    /// More are turned away; 0 for as many as they like.
    pub of_one_address: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { connections: Semaphore::MAX_PERMITS, of_one_address: 0 }
    }
}

/// The places of one listener.
pub struct ConnectionLimiter {
    free: Arc<Semaphore>,
    of_one_address: usize,
    /// Connections of many callers come from these, so they have no share of their own.
    proxies: Proxies,
    taken: Arc<Taken>,
}

/// What each address has.
type Taken = Mutex<HashMap<IpAddr, OfAddress>>;

/// What one address has.
#[derive(Default)]
struct OfAddress {
    connections: usize,
    unsent: UnsentBytes,
}

/// One of the places. It goes with a request, so that a connection which becomes something else, and outlives the loop
/// that accepted it, keeps its place.
#[derive(Clone)]
pub struct ConnectionPermit(Arc<PermitState>);

struct PermitState {
    _permit: OwnedSemaphorePermit,
    peer: Peer,
    /// None for a trusted proxy.
    share: Option<Share>,
    unsent: UnsentBytes,
    refusals: ConnectionRefusals,
    last_tokens: LastTokens,
}

/// Counts against an address until dropped.
struct Share {
    taken: Arc<Taken>,
    address: IpAddr,
}

impl ConnectionPermit {
    fn new(permit: OwnedSemaphorePermit, peer: Peer, share: Option<Share>, unsent: UnsentBytes) -> Self {
        let (refusals, last_tokens) = (ConnectionRefusals::default(), LastTokens::default());
        Self(Arc::new(PermitState { _permit: permit, peer, share, unsent, refusals, last_tokens }))
    }

    /// The other end of the connection.
    pub fn peer(&self) -> Peer {
        self.0.peer
    }

    /// The bytes that wait for whoever has this place: counted with all others of the same address, or alone where many
    /// callers share an address.
    pub fn unsent(&self) -> &UnsentBytes {
        &self.0.unsent
    }

    /// The refusals that are held on the connection; nothing where many callers share it, who would be cut off together.
    pub fn refusals(&self) -> Option<&ConnectionRefusals> {
        self.0.share.as_ref().map(|_| &self.0.refusals)
    }

    /// The tokens that came over the connection last; nothing where many callers share it, who shall learn nothing of each
    /// other's tokens, not even by the time that comparing them takes.
    pub fn last_tokens(&self) -> Option<&LastTokens> {
        self.0.share.as_ref().map(|_| &self.0.last_tokens)
    }

    /// Raised once the connection is to be cut off for them.
    pub fn flooded(&self) -> &Signal {
        self.0.refusals.flooded()
    }
}

impl ConnectionLimiter {
    pub fn new(room: ConnectionLimits, proxies: &Proxies) -> Self {
        let free = Arc::new(Semaphore::new(room.connections));
        Self { free, of_one_address: room.of_one_address, proxies: proxies.clone(), taken: Arc::default() }
    }

    /// Waits until there is a place for anybody.
    pub async fn wait(&self) -> OwnedSemaphorePermit {
        self.free.clone().acquire_owned().await.expect("never closed")
    }

    /// Gives the place to a connection, unless whoever it is from has enough.
    pub fn give(&self, permit: OwnedSemaphorePermit, peer: Peer) -> Option<ConnectionPermit> {
        if self.proxies.trusts(peer.0) {
            return Some(ConnectionPermit::new(permit, peer, None, UnsentBytes::default()));
        }
        let address = caller(peer.0);
        let mut taken = self.taken.lock().expect("nobody panics holding it");
        let has = taken.entry(address).or_default();
        if self.of_one_address != 0 && has.connections >= self.of_one_address {
            return None;
        }
        has.connections += 1;
        let unsent = has.unsent.clone();
        drop(taken);
        let share = Share { taken: self.taken.clone(), address };
        Some(ConnectionPermit::new(permit, peer, Some(share), unsent))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().expect("nobody panics holding it");
        if let Some(has) = taken.get_mut(&self.address) {
            has.connections -= 1;
            if has.connections == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
impl ConnectionPermit {
    /// A place of a listener that has no other connection.
    pub(super) fn alone(peer: Peer) -> Self {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().expect("nobody else has it");
        ConnectionLimiter::new(ConnectionLimits::default(), &Proxies::default())
            .give(permit, peer)
            .expect("there is room")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn take(places: &ConnectionLimiter, address: &str) -> Option<ConnectionPermit> {
        places.give(places.wait().await, Peer(address.parse().expect("an address")))
    }

    #[tokio::test]
    async fn an_address_has_its_share_and_others_have_theirs() {
        let places =
            ConnectionLimiter::new(ConnectionLimits { connections: 10, of_one_address: 2 }, &Proxies::default());
        let first = take(&places, "192.0.2.1").await;
        let second = take(&places, "192.0.2.1").await;
        assert!(first.is_some() && second.is_some() && take(&places, "192.0.2.1").await.is_none());
        first.as_ref().expect("a place").unsent().add(1 << 30);
        assert!(second.as_ref().expect("a place").unsent().is_exceeded_by(1), "they share what waits for them");
        assert!(take(&places, "192.0.2.2").await.is_some());
        let twin = first.clone();
        drop(first);
        assert!(take(&places, "192.0.2.1").await.is_none(), "it is held by a twin");
        drop(twin);
        assert!(take(&places, "192.0.2.1").await.is_some());
        drop(second);
        assert!(places.taken.lock().expect("nobody panicked").is_empty(), "and nobody is remembered");
        assert_eq!(places.free.available_permits(), 10);
    }

    #[tokio::test]
    async fn proxies_that_are_trusted_have_no_share_of_their_own() {
        let proxies = Proxies { networks: vec!["10.0.0.0/8".parse().expect("a network")], ..Proxies::default() };
        let places = ConnectionLimiter::new(ConnectionLimits { connections: 10, of_one_address: 1 }, &proxies);
        let held = [take(&places, "10.1.1.1").await, take(&places, "10.1.1.1").await];
        let [one, other] = held.map(|place| place.expect("a place"));
        one.unsent().add(1 << 30);
        assert!(!other.unsent().is_exceeded_by(1 << 30), "nor is what waits for one counted against another");
    }

    #[tokio::test]
    async fn neighbours_in_an_ipv6_network_share() {
        let places =
            ConnectionLimiter::new(ConnectionLimits { connections: 10, of_one_address: 1 }, &Proxies::default());
        let held = take(&places, "2001:db8::1").await;
        assert!(held.is_some() && take(&places, "2001:db8::2").await.is_none());
    }
}
