//! HTTP/2 client that sends any frame, also those that no well-behaved client would send, or would leave out.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const PRIORITY: u8 = 2;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const WINDOW_UPDATE: u8 = 8;

const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const ACK: u8 = 1;

/// A frame.
#[derive(Debug)]
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

impl Frame {
    pub fn is_last(&self) -> bool {
        [DATA, HEADERS].contains(&self.kind) && self.flags & END_STREAM != 0
    }

    pub fn is_ack(&self) -> bool {
        [SETTINGS, PING].contains(&self.kind) && self.flags & ACK != 0
    }
}

/// A frame as it is sent.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A connection that speaks HTTP/2.
pub struct Connection {
    pub stream: TcpStream,
    next: u32,
}

impl Connection {
    /// Opens one. `window` is how many bytes each stream may be sent at first.
    pub async fn begin(mut stream: TcpStream, window: u32) -> Self {
        let settings = [&[0, 4][..], &window.to_be_bytes()].concat();
        let begin = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &frame(SETTINGS, 0, 0, &settings)[..]].concat();
        stream.write_all(&begin).await.unwrap();
        Self { stream, next: 1 }
    }

    /// Asks for something; the number of its stream.
    pub async fn ask(&mut self, path: &str, headers: &[(&str, &str)]) -> u32 {
        let (stream, frame) = self.request(path, headers);
        self.send(&frame).await.unwrap();
        stream
    }

    /// A request that is yet to be sent, and the number of its stream.
    pub fn request(&mut self, path: &str, headers: &[(&str, &str)]) -> (u32, Vec<u8>) {
        let stream = self.next;
        self.next += 2;
        // HPACK: method and scheme from its table, everything else spelled out.
        let mut block = vec![0x82, 0x86];
        for (name, value) in [(":path", path)].iter().chain(headers) {
            block.push(0);
            for text in [name, value] {
                assert!(text.len() < 127 * 128, "two bytes say how long it is");
                match u8::try_from(text.len()) {
                    Ok(length) if length < 127 => block.push(length),
                    _ => {
                        let more = text.len() - 127;
                        block.extend([127, u8::try_from(more % 128).unwrap() | 128, u8::try_from(more / 128).unwrap()]);
                    }
                }
                block.extend(text.bytes());
            }
        }
        (stream, frame(HEADERS, END_STREAM | END_HEADERS, stream, &block))
    }

    /// Lets the server send `by` bytes more on a stream, or on all (0).
    pub async fn opens_window(&mut self, stream: u32, by: u32) {
        self.send(&frame(WINDOW_UPDATE, 0, stream, &by.to_be_bytes())).await.unwrap();
    }

    pub async fn send(&mut self, frames: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(frames).await
    }

    /// The next frame; nothing once the server has closed the connection. A PING is answered, because
    /// the server closes connections that answer none.
    pub async fn hear(&mut self) -> Option<Frame> {
        let heard = hear(&mut self.stream).await?;
        if heard.kind == PING && !heard.is_ack() {
            self.send(&frame(PING, ACK, 0, &heard.payload)).await.ok()?;
        }
        Some(heard)
    }
}

/// The next frame; nothing once the server has closed the connection.
pub async fn hear(stream: &mut (impl AsyncReadExt + Unpin)) -> Option<Frame> {
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.ok()?;
    let [a, b, c, kind, flags, of @ ..] = head;
    let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
    stream.read_exact(&mut payload).await.ok()?;
    Some(Frame { kind, flags, stream: u32::from_be_bytes(of), payload })
}
