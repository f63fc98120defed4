//! HTTP/2 streams whose flow-control windows are never opened: the server may send the head of an answer and nothing of
//! its body, and has to hold the body, or whatever makes it, until it gives the stream up.

use super::super::super::Result;
use super::super::super::client::connect;
use super::super::flood::{FLOODER, Flood};
use super::long_game;
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper::{Request, header};
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;

const CONNECTIONS: usize = 10;
/// More than servers usually allow on a connection; those beyond wait until the server takes them.
const STREAMS: usize = 256;
/// How long the game is prepared whose events are asked for: a page has 1,000 steps.
const PREPARATION: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(100);
/// The smallest window that a connection can have.
const CONNECTION_WINDOW: u32 = 65_535;

type Sender = SendRequest<Empty<Bytes>>;

pub async fn run(flood: Flood) {
    let token = flood.guest().await;
    let until = flood.prepared_by.min(Instant::now() + PREPARATION);
    let game = long_game::make(&flood, &token, until).await;
    let paths = Arc::new([
        "/openapi.json".to_owned(),
        format!("/v1/games/{}/events?limit=1000", game.id),
        format!("/v1/games/{}/events?limit=999", game.id),
    ]);
    flood.ready(&format!("a game of {} steps", game.steps));
    flood.all(CONNECTIONS, |flood, _| hold_connections(flood, paths.clone())).await;
}

async fn hold_connections(flood: Flood, paths: Arc<[String; 3]>) {
    loop {
        if let Ok(sender) = open(&flood.server).await {
            let mut streams: JoinSet<()> =
                (0..STREAMS).map(|number| hold_streams(flood.clone(), sender.clone(), paths.clone(), number)).collect();
            while streams.join_next().await.is_some() {}
        }
        flood.counts.broken();
        sleep(PAUSE).await;
    }
}

async fn open(server: &str) -> Result<Sender> {
    let stream = connect(FLOODER, server).await?;
    let mut builder = Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(0).initial_connection_window_size(CONNECTION_WINDOW);
    let (sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

/// Asks, and holds the answer until the server gives it up; then asks again, until the connection is closed.
async fn hold_streams(flood: Flood, mut sender: Sender, paths: Arc<[String; 3]>, number: usize) {
    for turn in number.. {
        let path = &paths[turn % paths.len()];
        let uri = format!("http://{}{path}", flood.server);
        let request = Request::builder().uri(uri).header(header::ACCEPT_ENCODING, "identity").body(Empty::new());
        let (Ok(request), Ok(())) = (request, sender.ready().await) else { return };
        match sender.send_request(request).await {
            Ok(answer) => {
                flood.counts.answer(answer.status(), &[]);
                if answer.status().is_success() {
                    let mut body = answer.into_body();
                    while let Some(Ok(_)) = body.frame().await {}
                }
            }
            Err(_) if sender.is_closed() => return,
            Err(_reset) => sleep(PAUSE).await,
        }
    }
}
