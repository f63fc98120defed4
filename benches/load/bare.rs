//! The limit of what a server can do here: axum with nothing behind it, sending the same bytes as ours after looking the
//! caller's token up in a cache.

use super::answers::{self, Kept};
use super::process::Server;
use super::{Bench, Result};
use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, on};
use axum::serve::ListenerExt;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// What this program is called with to be the bare server.
pub const PART: &str = "as-bare-server";

const TOKENS_LAST: Duration = Duration::from_mins(15);

/// Tokens that were seen, by their hash, and when they end.
type Tokens = RwLock<HashMap<Vec<u8>, Instant>>;

struct Ready {
    tokens: Arc<Tokens>,
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

/// Starts a bare server that answers what ours did.
pub fn start(bench: &Bench, name: &str, kept: &[Kept]) -> Result<Server> {
    let file = bench.folder(&format!("{name}.json"));
    answers::write(&file, kept)?;
    let this = std::env::current_exe()?;
    Server::start([this.as_os_str(), OsStr::new(PART), file.as_os_str()], None)
}

/// Is the bare server, until it is ended.
pub fn run(words: &[String]) -> Result<()> {
    let file = words.first().ok_or("which answers?")?;
    let tokens = Arc::<Tokens>::default();
    let mut router = Router::new();
    // The same path may be answered by several methods; they are merged.
    for kept in answers::read(Path::new(file))? {
        let ready = Arc::new(Ready::new(tokens.clone(), &kept)?);
        let method = if kept.method == "POST" { MethodFilter::POST } else { MethodFilter::GET };
        router = router.route(&kept.path, on(method, answer).with_state(ready));
    }
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        let listener = listener.tap_io(|stream| {
            // Slower without it, and that would show.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await?;
        Ok(())
    })
}

impl Ready {
    fn new(tokens: Arc<Tokens>, kept: &Kept) -> Result<Self> {
        let header = |(name, value): &(String, String)| {
            Ok((HeaderName::try_from(name.as_str())?, HeaderValue::try_from(value.as_str())?))
        };
        Ok(Self {
            tokens,
            status: StatusCode::from_u16(kept.status)?,
            headers: kept.headers.iter().map(header).collect::<Result<_>>()?,
            body: kept.body.clone().into(),
        })
    }

    /// Whether the caller has a token that is still good. One that was never seen is taken for good.
    fn lets_in(&self, headers: &HeaderMap) -> bool {
        let token = headers.get(header::AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        let Some(token) = token else { return false };
        let (mark, now) = (digest(&SHA256, token), Instant::now());
        let known = self.tokens.read().unwrap_or_else(PoisonError::into_inner).get(mark.as_ref()).copied();
        let end = known.unwrap_or_else(|| {
            let mut tokens = self.tokens.write().unwrap_or_else(PoisonError::into_inner);
            *tokens.entry(mark.as_ref().to_vec()).or_insert(now + TOKENS_LAST)
        });
        now < end
    }
}

async fn answer(State(ready): State<Arc<Ready>>, headers: HeaderMap, _body: Bytes) -> impl IntoResponse {
    if ready.lets_in(&headers) {
        (ready.status, ready.headers.clone(), ready.body.clone())
    } else {
        (StatusCode::UNAUTHORIZED, HeaderMap::new(), Bytes::new())
    }
}
