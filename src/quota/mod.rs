//! Rate limiting: quotas for each client, counted in work instead of requests.
//!
//! [`prices`] is the price list of all operations, [`budget`] has the token buckets that pay for them, [`queue`] the
//! fair queues in front of slow work, [`delayed_refusals`] the refusals whose responses are delayed. A [`Meter`]
//! charges one request's work to its [`Client`].

pub mod budget;
pub mod delayed_refusals;
pub mod prices;
pub mod queue;

pub use budget::{Balance, Bucket, Budgets, Limited};
pub use queue::{FairQueue, Permit, QueueSize, Rejected};

use crate::ids::PlayerId;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The source of a request, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Client {
    /// The address, or the network that counts as one. None if the request came over no socket.
    pub address: Option<IpAddr>,
    /// None without a token.
    pub player: Option<PlayerId>,
}

impl Client {
    /// The same client without its player, for work that comes before authentication.
    pub fn anonymous(&self) -> Self {
        Self { player: None, ..*self }
    }
}

/// Charges the work of one request to its client, and keeps the client's remaining budget for the response.
#[derive(Debug, Default)]
pub struct Meter {
    address: Option<IpAddr>,
    /// Points that [`admit`](Self::admit) charged before the operation was known.
    prepaid: AtomicU32,
    balance: Mutex<Option<Balance>>,
}

impl Meter {
    pub fn new(address: Option<IpAddr>) -> Self {
        Self { address, ..Self::default() }
    }

    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// The client with the player that the request was authenticated as.
    pub fn client(&self, player: Option<PlayerId>) -> Client {
        Client { address: self.address, player }
    }

    /// Charges the address before the operation and the player are known. A refusal is delayed; it counts against its
    /// connection, unless several clients share that.
    pub async fn admit(
        &self,
        budgets: &Budgets,
        points: u32,
        connection: Option<&delayed_refusals::ConnectionRefusals>,
    ) -> Result<(), Limited> {
        let admitted = self.charge(budgets, None, points);
        match &admitted {
            Ok(()) => self.prepaid.store(points, Ordering::Relaxed),
            Err(_) => Box::pin(budgets.refusals.hold(self.address, connection)).await,
        }
        admitted
    }

    /// Charges the player, too, for what [`admit`](Self::admit) charged to the address.
    pub fn identify(&self, budgets: &Budgets, player: PlayerId) -> Result<(), Limited> {
        let balance = budgets.charge_player(player, self.prepaid.load(Ordering::Relaxed))?;
        self.note(balance);
        Ok(())
    }

    /// Charges the client for work before it is done.
    pub fn charge(&self, budgets: &Budgets, player: Option<PlayerId>, points: u32) -> Result<(), Limited> {
        let balance = budgets.charge(&self.client(player), points)?;
        self.note(balance);
        Ok(())
    }

    /// Charges the part of a price that exceeds the prepaid points. Further prices are charged in full.
    pub fn charge_rest(&self, budgets: &Budgets, player: Option<PlayerId>, points: u32) -> Result<(), Limited> {
        let prepaid = self.prepaid.swap(0, Ordering::Relaxed);
        match points.saturating_sub(prepaid) {
            0 => Ok(()),
            rest => self.charge(budgets, player, rest),
        }
    }

    /// Charges the client for work that can't be refused: waits until the budget suffices.
    pub async fn pace(&self, budgets: &Budgets, player: Option<PlayerId>, points: u32) {
        let mut times = 0;
        while let Err(limited) = self.charge(budgets, player, points) {
            tokio::time::sleep(limited.pause(times)).await;
            times += 1;
        }
    }

    /// The remaining budget after the last charge: the player's, or else the address's.
    pub fn balance(&self) -> Option<Balance> {
        *self.balance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, balance: Option<Balance>) {
        if balance.is_some() {
            *self.balance.lock().unwrap_or_else(PoisonError::into_inner) = balance;
        }
    }
}
