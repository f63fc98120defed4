//! Many who watch one game, in a process of their own, because they need as many descriptors as the server does.
//!
//! Prints `ready` once all are there; then, for each version that all were told of, when each was, in microseconds since
//! 1970: a clock that both processes read.

use super::client::{Connection, connect, follow, versions};
use super::process::Process;
use super::{Result, table::Table};
use futures::{SinkExt, StreamExt, TryStreamExt, stream};
use http_body_util::BodyExt;
use hyper::header::{HeaderValue, SEC_WEBSOCKET_PROTOCOL};
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::timeout;
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// What this program is called with to be the watchers.
pub const PART: &str = "as-watchers";

/// They leave by themselves after that.
const LONGEST: Duration = Duration::from_mins(10);
/// How many come at a time.
const AT_ONCE: usize = 50;

/// How they watch.
#[derive(Clone, Copy)]
pub enum By {
    Sse,
    WebSocket,
}

impl By {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sse => "SSE",
            Self::WebSocket => "WebSocket",
        }
    }

    /// Each from an address of its own: one has not enough ports for both, which are not free again at once.
    fn caller(self) -> IpAddr {
        IpAddr::V4(match self {
            Self::Sse => Ipv4Addr::new(127, 0, 1, 1),
            Self::WebSocket => Ipv4Addr::new(127, 0, 1, 2),
        })
    }
}

/// A version that somebody was told of, and when.
type Heard = (u64, u128);

/// Starts watchers at the current version of a game; returns once all are connected.
pub fn start(address: &str, table: &Table, by: By, count: usize) -> Result<Process> {
    let this = std::env::current_exe()?.into_os_string();
    let (token, version) = (table.tokens[0].clone(), table.game.version.to_string());
    let rest = [PART, address, by.name(), &count.to_string(), &table.game.id, &token, &version].map(OsString::from);
    let mut process = Process::start([this].into_iter().chain(rest), None)?;
    process.line()?;
    Ok(process)
}

/// Is the watchers.
pub fn run(words: &[String]) -> Result<()> {
    let [address, by, count, game, token, after] = words else { return Err("who watches what?".into()) };
    let count = count.parse()?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let (heard, mut hearing) = mpsc::unbounded_channel();
        let coming = stream::iter(0..count).map(Ok::<_, Box<dyn std::error::Error + Send + Sync>>);
        coming
            .try_for_each_concurrent(AT_ONCE, |_| async {
                if by == By::Sse.name() {
                    watch_by_sse(address, game, token, after, heard.clone()).await
                } else {
                    watch_by_web_socket(address, game, token, after).await
                }
            })
            .await?;
        println!("ready");
        let mut versions: BTreeMap<u64, Vec<u128>> = BTreeMap::new();
        let tell = async {
            while let Some((version, at)) = hearing.recv().await {
                let times = versions.entry(version).or_default();
                times.push(at);
                if times.len() == count {
                    println!("{}", json!(times));
                }
            }
        };
        // Streams that have ended say nothing more, but nobody is sent away before the time.
        let _over = timeout(LONGEST, tell).await;
        Ok(())
    })
}

async fn watch_by_sse(
    address: &str,
    game: &str,
    token: &str,
    after: &str,
    heard: UnboundedSender<Heard>,
) -> Result<()> {
    let mut connection = Connection::open_from(By::Sse.caller(), address).await?;
    let question = follow(&format!("/v1/games/{game}"), after.parse()?, token)?;
    let answer = connection.begin(question).await?;
    if !answer.status().is_success() {
        return Err(format!("a stream was refused: {}", answer.status()).into());
    }
    let mut body = answer.into_body();
    tokio::spawn(async move {
        let _open = connection;
        while let Some(Ok(frame)) = body.frame().await {
            let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros());
            for version in frame.data_ref().map(|data| versions(data)).unwrap_or_default() {
                // Nobody counts any more once the time is over.
                let _ = heard.send((version, at));
            }
        }
    });
    Ok(())
}

async fn watch_by_web_socket(address: &str, game: &str, token: &str, after: &str) -> Result<()> {
    let mut request = format!("ws://{address}/graphql").into_client_request()?;
    request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static("graphql-transport-ws"));
    let small = WebSocketConfig::default().read_buffer_size(1024).write_buffer_size(0);
    let stream = connect(By::WebSocket.caller(), address).await?;
    let (mut socket, _) = client_async_with_config(request, stream, Some(small)).await?;
    let init = json!({"type": "connection_init", "payload": {"authorization": format!("Bearer {token}")}});
    socket.send(init.to_string().into()).await?;
    let acknowledged = socket.try_next().await?.ok_or("no acknowledgement")?.into_text()?;
    if !acknowledged.contains("connection_ack") {
        return Err(format!("a socket was refused: {acknowledged}").into());
    }
    let query = format!("subscription {{ gameEvents(gameId: \"{game}\", after: {after}) {{ version }} }}");
    let subscribe = json!({"type": "subscribe", "id": "1", "payload": {"query": query}});
    socket.send(subscribe.to_string().into()).await?;
    // Answers pings for as long as the server likes.
    tokio::spawn(async move { while let Some(Ok(_)) = socket.next().await {} });
    Ok(())
}
