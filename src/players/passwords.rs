//! Password hashing: argon2id on blocking threads, behind a fair queue.

use super::PlayerError;
use crate::auth::Secret;
use crate::quota::{Client, FairQueue, QueueSize};
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use std::{num::NonZero, thread::available_parallelism};
use tokio::task::spawn_blocking;

/// OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. Enough to make guessing against a stolen
/// hash expensive, little enough for tens of sign-ins per second on one core.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Queue lengths, for one address and in all. At 30 ms each, a class that registers at once behind one address waits
/// for two seconds, and clients behind other addresses do not.
const WAITING_OF_ADDRESS: usize = 64;
const WAITING: usize = 512;

/// Hashes and verifies passwords on at most half of the cores, so that sign-ins never take all of them from games.
pub(super) struct Passwords {
    queue: FairQueue,
    /// Hash of a random password. A sign-in without an account is verified against it, so that it takes as long as any
    /// other and response times do not reveal which usernames exist.
    decoy: String,
}

impl Passwords {
    pub(super) fn new() -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let mut random = [0; 32];
        aws_lc_rs::rand::fill(&mut random).expect("the system has randomness");
        let size = QueueSize {
            running: cores.div_ceil(2),
            waiting_of_player: WAITING_OF_ADDRESS,
            waiting_of_address: WAITING_OF_ADDRESS,
            waiting: WAITING,
        };
        Self { queue: FairQueue::new(size), decoy: hash(&random) }
    }

    /// argon2id in PHC form, with a random salt.
    pub(super) async fn hash(&self, password: Secret, client: &Client) -> Result<String, PlayerError> {
        self.work(client, move || hash(password.expose().as_bytes())).await
    }

    /// Whether the password matches the hash. Without a hash the answer is no, after the same work.
    pub(super) async fn verify(
        &self,
        password: Secret,
        hash: Option<String>,
        client: &Client,
    ) -> Result<bool, PlayerError> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.decoy.clone());
        let verify = move || argon2().verify_password(password.expose().as_bytes(), hash.as_str()).is_ok();
        Ok(self.work(client, verify).await? && known)
    }

    async fn work<T: Send + 'static>(
        &self,
        client: &Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PlayerError> {
        let permit = self.queue.enter(client).await?;
        // The permit moves into the task: if the caller disconnects, the queue admits no other job while this one still
        // holds its memory.
        let done = spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| PlayerError::Busy)
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are within argon2's bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &[u8]) -> String {
    argon2().hash_password(password).expect("the parameters are valid, and any password is").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_fits_its_password_only_and_never_looks_the_same_twice() {
        let passwords = Passwords::new();
        let hash = passwords.hash(Secret::new("correct horse"), &Client::default()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(passwords.hash(Secret::new("correct horse"), &Client::default()).await.unwrap(), hash);
        assert!(passwords.verify(Secret::new("correct horse"), Some(hash.clone()), &Client::default()).await.unwrap());
        assert!(!passwords.verify(Secret::new("correct house"), Some(hash), &Client::default()).await.unwrap());
    }

    #[tokio::test]
    async fn without_a_hash_no_password_is_right() {
        let passwords = Passwords::new();
        assert!(passwords.decoy.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "it must cost as much as a real one");
        assert!(!passwords.verify(Secret::new("anything"), None, &Client::default()).await.unwrap());
        assert!(!passwords.verify(Secret::new("anything"), Some("no hash".into()), &Client::default()).await.unwrap());
    }
}
