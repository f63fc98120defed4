//! Many who follow a game in which nothing happens, by server-sent events. They come from ten addresses, because one may
//! not have as many connections.

use super::super::super::client::{Connection, follow};
use super::super::flood::Flood;
use http_body_util::BodyExt;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::sleep;

const ADDRESSES: usize = 10;
/// As many as one address may have.
const OF_ONE_ADDRESS: usize = 1_000;
const STREAMS: usize = ADDRESSES * OF_ONE_ADDRESS;
/// Before a stream that was refused or ended is asked for again.
const PAUSE: Duration = Duration::from_secs(1);
/// Below an address's rate.
const ARRIVALS: Duration = Duration::from_millis(3);

pub async fn run(flood: Flood) {
    let token = flood.guest().await;
    let mut client = flood.client();
    let path = loop {
        if let Some(game) = client.post("/v1/games", &token, &json!({"kind": "CHIPS", "seats": 2})).await
            && let Some(id) = game["id"].as_str()
        {
            break format!("/v1/games/{id}");
        }
        sleep(PAUSE).await;
    };
    let (arriving, open) = (flood.clone(), Arc::<AtomicUsize>::default());
    let arrived = open.clone();
    tokio::spawn(async move {
        while arrived.load(Ordering::Relaxed) < STREAMS && arriving.has_time() {
            sleep(ARRIVALS).await;
        }
        arriving.ready(&format!("{} streams", arrived.load(Ordering::Relaxed)));
    });
    flood.all(STREAMS, |flood, number| listen_for_ever(flood, path.clone(), open.clone(), number)).await;
}

async fn listen_for_ever(flood: Flood, path: String, open: Arc<AtomicUsize>, number: usize) {
    let last = u8::try_from(number % ADDRESSES).unwrap_or_default() + 1;
    let from = IpAddr::V4(Ipv4Addr::new(127, 0, 1, last));
    sleep(u32::try_from(number / ADDRESSES).unwrap_or_default() * ARRIVALS).await;
    loop {
        if let Ok(mut connection) = Connection::open_from(from, &flood.server).await
            && let Ok(question) = follow(&path, 0, "")
            && let Ok(answer) = connection.begin(question).await
        {
            flood.counts.answer(answer.status(), &[]);
            open.fetch_add(1, Ordering::Relaxed);
            let mut body = answer.into_body();
            while let Some(Ok(frame)) = body.frame().await {
                flood.counts.bytes(frame.data_ref().map_or(0, |data| data.len() as u64));
            }
            open.fetch_sub(1, Ordering::Relaxed);
        }
        flood.counts.broken();
        sleep(PAUSE).await;
    }
}
