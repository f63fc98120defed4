//! HTTP client and file reader for an issuer's JWKS.
//!
//! One request every few minutes needs no connection pool, redirects or cookies, so this is hyper's own client over
//! rustls with the machine's root certificates. Plain HTTP is for loopback only: an attacker who can change the answer
//! on its way could sign in as any player.

use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::header::ACCEPT;
use hyper::{Request, StatusCode, Uri};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::{Client, connect::Connect, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use std::{error::Error, fs::File, io::Read, net::IpAddr, path::PathBuf, time::Duration};
use tokio::{task::spawn_blocking, time::timeout};

/// Time limit for a request, from name resolution to the last byte.
const DEADLINE: Duration = Duration::from_secs(5);

/// In bytes; a key set has a few thousand.
const MAX_LENGTH: usize = 256 * 1024;

/// Where a JWKS is read from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    File(PathBuf),
    Url(Uri),
}

/// Why the read failed; for the log and `ludotheque issuers check`.
type ReadError = Box<dyn Error + Send + Sync>;

impl Source {
    /// Accepts a URL if keys from there can be trusted: https, or http on loopback.
    pub(super) fn url(text: &str) -> Result<Self, String> {
        let url: Uri = text.parse().map_err(|_| format!("{text:?} is not a URL"))?;
        let host = url.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        match url.scheme_str() {
            Some("https") if !host.is_empty() => Ok(Self::Url(url)),
            Some("http") if is_loopback => Ok(Self::Url(url)),
            _ => Err(format!("{text:?} is neither https nor on this machine")),
        }
    }

    pub(super) async fn read(&self) -> Result<Bytes, ReadError> {
        match self {
            Self::File(path) => {
                let path = path.clone();
                spawn_blocking(move || read_file(path)).await?
            }
            Self::Url(url) => timeout(DEADLINE, fetch(url.clone())).await?,
        }
    }
}

fn read_file(path: PathBuf) -> Result<Bytes, ReadError> {
    let mut text = Vec::new();
    File::open(path)?.take(MAX_LENGTH as u64 + 1).read_to_end(&mut text)?;
    if text.len() > MAX_LENGTH { Err("the file is too long".into()) } else { Ok(text.into()) }
}

async fn fetch(url: Uri) -> Result<Bytes, ReadError> {
    if url.scheme_str() != Some("https") {
        return get(HttpConnector::new(), url).await;
    }
    // Reading the machine's certificates takes a while, and they may have changed since the last time.
    let connector = spawn_blocking(|| HttpsConnectorBuilder::new().with_native_roots());
    get(connector.await??.https_only().enable_http1().build(), url).await
}

async fn get<C: Connect + Clone + Send + Sync + 'static>(connector: C, url: Uri) -> Result<Bytes, ReadError> {
    let client = Client::builder(TokioExecutor::new()).build(connector);
    let request = Request::get(url).header(ACCEPT, "application/jwk-set+json, application/json");
    let answer = client.request(request.body(Empty::<Bytes>::new())?).await?;
    if answer.status() != StatusCode::OK {
        return Err(format!("the answer was {}", answer.status()).into());
    }
    Ok(Limited::new(answer.into_body(), MAX_LENGTH).collect().await?.to_bytes())
}
