//! Quotas: what one client may take from everybody else, counted in work and not in requests.
//!
//! [`prices`] is the price list of all operations, [`budget`] the token buckets that clients pay from, [`queue`] the fair
//! queues in front of work that takes long, [`delayed_refusals`] what was refused and is held for a while. A [`Meter`] charges the
//! work of one request to the [`Client`] behind it.

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

/// Who a request comes from, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Client {
    /// The address, or the network that counts as one. None if the request came over no socket.
    pub address: Option<IpAddr>,
    /// None without a token.
    pub player: Option<PlayerId>,
}

impl Client {
    /// The same without its player, for work that nobody has signed in for yet.
    pub fn anonymous(&self) -> Self {
        Self { player: None, ..*self }
    }
}

/// Charges the work of one request to its client, and remembers what is left of the client's budget.
#[derive(Debug, Default)]
pub struct Meter {
    address: Option<IpAddr>,
    /// Points that were charged at the door, before it was known what the request asks for.
    prepaid: AtomicU32,
    balance: Mutex<Option<Balance>>,
}

impl Meter {
    pub fn new(address: Option<IpAddr>) -> Self {
        Self { address, ..Self::default() }
    }

    /// The address that is charged.
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// The client, once it is known which player it is.
    pub fn client(&self, player: Option<PlayerId>) -> Client {
        Client { address: self.address, player }
    }

    /// Charges the address before anything else is known of a request. A refusal is held for a while; it counts against
    /// the connection it came over, unless that is shared with others.
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

    /// Charges the player for what was charged to the address at the door.
    pub fn identify(&self, budgets: &Budgets, player: PlayerId) -> Result<(), Limited> {
        let balance = budgets.charge_player(player, self.prepaid.load(Ordering::Relaxed))?;
        self.note(balance);
        Ok(())
    }

    /// Charges the client for work that is about to be done.
    pub fn charge(&self, budgets: &Budgets, player: Option<PlayerId>, points: u32) -> Result<(), Limited> {
        let balance = budgets.charge(&self.client(player), points)?;
        self.note(balance);
        Ok(())
    }

    /// Charges the part of a price that goes beyond what was charged at the door; each further price is charged in full.
    pub fn charge_rest(&self, budgets: &Budgets, player: Option<PlayerId>, points: u32) -> Result<(), Limited> {
        let prepaid = self.prepaid.swap(0, Ordering::Relaxed);
        match points.saturating_sub(prepaid) {
            0 => Ok(()),
            rest => self.charge(budgets, player, rest),
        }
    }

    /// Charges the client for something that can't be refused: waits until it can pay.
    pub async fn pace(&self, budgets: &Budgets, player: Option<PlayerId>, points: u32) {
        let mut times = 0;
        while let Err(limited) = self.charge(budgets, player, points) {
            tokio::time::sleep(limited.pause(times)).await;
            times += 1;
        }
    }

    /// What is left of the budget that was charged last: the player's, or else the address's.
    pub fn balance(&self) -> Option<Balance> {
        *self.balance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, balance: Option<Balance>) {
        if balance.is_some() {
            *self.balance.lock().unwrap_or_else(PoisonError::into_inner) = balance;
        }
    }
}
