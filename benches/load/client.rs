//! A lean HTTP/1.1 client: one connection, one request at a time. The same for our server and for the bare one, so that
//! what it costs, on a machine that it shares with them, is in both figures.

use super::Result;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::HeaderValue;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// Nothing is waited for longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection to a server.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
}

pub async fn connect(from: IpAddr, address: &str) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(from, 0))?;
    Ok(socket.connect(address.parse()?).await?)
}

/// What a server said.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

pub type Question = Request<Full<Bytes>>;

impl Connection {
    pub async fn open(address: &str) -> Result<Self> {
        Self::over(timeout(PATIENCE, TcpStream::connect(address)).await??).await
    }

    /// From one of the addresses of the loopback, for servers that look at it.
    pub async fn open_from(from: IpAddr, address: &str) -> Result<Self> {
        Self::over(timeout(PATIENCE, connect(from, address)).await??).await
    }

    async fn over(stream: TcpStream) -> Result<Self> {
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // Ends with the sender; the next request returns the error.
        tokio::spawn(connection);
        Ok(Self { sender })
    }

    /// Asks, and reads the answer to its end.
    pub async fn ask(&mut self, question: Question) -> Result<Answer> {
        let (head, body) = self.begin(question).await?.into_parts();
        let body = timeout(PATIENCE, body.collect()).await??.to_bytes();
        Ok(Answer { status: head.status, headers: head.headers, body })
    }

    /// Asks, and leaves the answer's body to be read.
    pub async fn begin(&mut self, question: Question) -> Result<Response<Incoming>> {
        self.sender.ready().await?;
        Ok(timeout(PATIENCE, self.sender.send_request(question)).await??)
    }

    pub async fn get<T: DeserializeOwned>(&mut self, path: &str, token: &str) -> Result<T> {
        self.ask(get(path, token)?).await?.read()
    }

    pub async fn post<T: DeserializeOwned>(&mut self, path: &str, token: &str, body: &impl Serialize) -> Result<T> {
        self.ask(post(path, token, body)?).await?.read()
    }
}

impl Answer {
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        if !self.status.is_success() {
            return Err(format!("{} {}", self.status, String::from_utf8_lossy(&self.body)).into());
        }
        Ok(serde_json::from_slice(&self.body)?)
    }
}

pub fn get(path: &str, token: &str) -> Result<Question> {
    question(Method::GET, path, token, Bytes::new())
}

pub fn post(path: &str, token: &str, body: &impl Serialize) -> Result<Question> {
    question(Method::POST, path, token, serde_json::to_vec(body)?.into())
}

/// A stream of what happens to a game after a version.
pub fn follow(game: &str, after: u64, token: &str) -> Result<Question> {
    let mut question = get(&format!("{game}/events?after={after}"), token)?;
    question.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
    Ok(question)
}

/// The versions that a piece of such a stream tells of.
pub fn versions(piece: &[u8]) -> Vec<u64> {
    let lines = piece.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"id:"));
    lines.filter_map(|id| std::str::from_utf8(id).ok()?.trim().parse().ok()).collect()
}

fn question(method: Method, path: &str, token: &str, body: Bytes) -> Result<Question> {
    let mut builder = Request::builder().method(method).uri(path).header(header::HOST, "127.0.0.1");
    if !token.is_empty() {
        builder = builder.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    if !body.is_empty() {
        builder = builder.header(header::CONTENT_TYPE, "application/json");
    }
    Ok(builder.body(Full::new(body))?)
}
