//! Sign-ins of nobody with nonsense passwords, a hundred a second: each costs the server a hash that is slow on purpose.

use super::super::super::client::post;
use super::super::flood::Flood;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Between two sign-ins.
const PACE: Duration = Duration::from_millis(10);
/// As many as may wait for an answer at a time, so that the pace is kept when answers are slow.
const WAITING: usize = 400;

pub async fn run(flood: Flood) {
    let mut ticks = interval(PACE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (ticks, number) = (Arc::new(Mutex::new(ticks)), Arc::<AtomicU64>::default());
    flood.ready("");
    flood.all(WAITING, |flood, _| sign_in_for_ever(flood, ticks.clone(), number.clone())).await;
}

async fn sign_in_for_ever(flood: Flood, ticks: Arc<Mutex<Interval>>, number: Arc<AtomicU64>) {
    let mut client = flood.client();
    loop {
        ticks.lock().await.tick().await;
        let nobody = format!("nobody-{}", number.fetch_add(1, Ordering::Relaxed));
        let question = post("/v1/tokens", "", &json!({"username": nobody, "password": "nonsense nonsense"}));
        if let Ok(question) = question
            && let Some(answer) = client.ask(question).await
        {
            flood.counts.attempt("sign-ins", &answer);
        }
    }
}
