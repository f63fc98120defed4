//! Flood protection for HTTP/2: counts the frames a peer sends that ask for nothing, such as PING and SETTINGS.
//!
//! A request is counted where it is answered. These frames never get there, and cost a peer nothing. It reads frame
//! headers (RFC 9113, section 4.1) in what the connection reads, and keeps nothing else of it.

use std::time::Instant;

/// What a connection begins with, before the first frame.
const PREFACE: u32 = 24;
const HEADER: usize = 9;

/// Frames without a request that a connection may send at once, and in a second after that. Ordinary clients send a few
/// for each connection and cancelled request, so this is for a proxy with many clients behind it.
const BURST: u32 = 2_000;
const A_SECOND: u32 = 1_000;
/// As many of them count as one request.
const FRAMES_A_CHARGE: u32 = 16;
/// A WINDOW_UPDATE for as many bytes sent to the peer is free. Clients send two for each frame of data, or fewer, and
/// our frames have more than twice that with their answer's header.
const BYTES_A_WINDOW_UPDATE: u64 = 128;
/// As many of those can be saved up: what comes in while a whole answer is read.
const MOST_WINDOW_UPDATES: u64 = 16_384;
/// Requests that may have been sent and not have come in yet: as many as a connection may have, and those given up again.
/// What h2 answers by itself, such as a header that is too long, never does.
const MOST_OUTSTANDING: u32 = 256;
/// A DATA frame shorter than this asks for nothing unless it is the last one.
const LITTLE_DATA: u32 = 64;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const WINDOW_UPDATE: u8 = 8;
const END_STREAM: u8 = 1;

/// The peer sends more frames without a request than any ordinary client.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many HTTP/2 frames that ask for nothing")]
pub struct Flood;

/// Follows the frames of one connection.
pub struct FrameMeter {
    /// The header of the next frame, as far as it has come.
    header: [u8; HEADER],
    has: usize,
    /// What is still to come of the present frame, or of the preface.
    skip: u32,
    /// Token bucket of the connection, and when it was last filled.
    allowance: u32,
    filled: Instant,
    /// Counted towards the next charge.
    uncharged: u32,
    /// Bytes sent that no WINDOW_UPDATE has answered yet.
    sent: u64,
    /// HEADERS frames that were read, and requests that came in of them.
    headers: u32,
    requests: u32,
}

impl FrameMeter {
    pub fn new(now: Instant) -> Self {
        let (header, allowance) = ([0; HEADER], BURST);
        let (has, uncharged, sent, headers, requests) = (0, 0, 0, 0, 0);
        Self { header, has, skip: PREFACE, allowance, filled: now, uncharged, sent, headers, requests }
    }

    /// Follows what was read, after so many requests have come in; how many requests it counts as.
    pub fn read(&mut self, mut bytes: &[u8], requests: u32, now: impl Fn() -> Instant) -> Result<u32, Flood> {
        let mut frames = 0;
        self.requests = requests;
        while !bytes.is_empty() {
            if self.skip > 0 {
                let skipped = bytes.len().min(self.skip as usize);
                bytes = &bytes[skipped..];
                self.skip -= u32::try_from(skipped).unwrap_or(self.skip);
                continue;
            }
            let taken = bytes.len().min(HEADER - self.has);
            self.header[self.has..self.has + taken].copy_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            self.has += taken;
            if self.has == HEADER {
                self.has = 0;
                frames += u32::from(self.asks_for_nothing());
            }
        }
        self.charge(frames, now)
    }

    /// Notes what was sent to the peer.
    pub fn wrote(&mut self, bytes: usize) {
        self.sent = (self.sent + bytes as u64).min(MOST_WINDOW_UPDATES * BYTES_A_WINDOW_UPDATE);
    }

    /// Whether the frame whose header is complete is to be counted.
    fn asks_for_nothing(&mut self) -> bool {
        let [a, b, c, kind, flags, ..] = self.header;
        self.skip = u32::from_be_bytes([0, a, b, c]);
        match kind {
            HEADERS if self.skip > 0 => {
                self.headers = self.headers.wrapping_add(1);
                self.headers.wrapping_sub(self.requests) > MOST_OUTSTANDING
            }
            DATA => self.skip < LITTLE_DATA && flags & END_STREAM == 0,
            WINDOW_UPDATE if self.sent >= BYTES_A_WINDOW_UPDATE => {
                self.sent -= BYTES_A_WINDOW_UPDATE;
                false
            }
            _ => true,
        }
    }

    fn charge(&mut self, frames: u32, now: impl Fn() -> Instant) -> Result<u32, Flood> {
        if frames == 0 {
            return Ok(0);
        }
        if frames > self.allowance {
            self.fill(now());
        }
        self.allowance = self.allowance.checked_sub(frames).ok_or(Flood)?;
        self.uncharged += frames;
        let charges = self.uncharged / FRAMES_A_CHARGE;
        self.uncharged %= FRAMES_A_CHARGE;
        Ok(charges)
    }

    fn fill(&mut self, now: Instant) {
        let millis = now.saturating_duration_since(self.filled).as_millis();
        let more = u32::try_from(millis * u128::from(A_SECOND) / 1000).unwrap_or(BURST);
        self.allowance = self.allowance.saturating_add(more).min(BURST);
        self.filled = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).expect("short").to_be_bytes();
        [&length[1..], &[kind, flags, 0, 0, 0, 1], payload].concat()
    }

    /// How many requests a connection counts as that sends these bytes after its preface.
    fn read(bytes: &[u8], pieces: usize) -> Result<u32, Flood> {
        let now = Instant::now();
        let mut meter = FrameMeter::new(now);
        let all = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", bytes].concat();
        all.chunks(pieces).map(|piece| meter.read(piece, 0, || now)).sum()
    }

    #[test]
    fn frames_that_ask_for_nothing_are_counted_however_they_arrive() {
        let ping = frame(6, 0, &[0; 8]);
        for pieces in [1, 7, 9, 4096] {
            assert_eq!(read(&ping.repeat(15), pieces), Ok(0), "in pieces of {pieces}");
            assert_eq!(read(&ping.repeat(160), pieces), Ok(10), "in pieces of {pieces}");
            assert_eq!(read(&ping.repeat(BURST as usize + 1), pieces), Err(Flood), "in pieces of {pieces}");
        }
        for (kind, flags, payload) in [
            (4, 0, &[][..]),
            (4, 1, &[]),
            (2, 0, &[0; 5]),
            (3, 0, &[0; 4]),
            (8, 0, &[0; 4]),
            (9, 0, &[]),
            (200, 0, &[]),
        ] {
            assert_eq!(read(&frame(kind, flags, payload).repeat(32), 100), Ok(2), "frames of type {kind}");
        }
        assert_eq!(read(&frame(DATA, 0, &[]).repeat(32), 100), Ok(2), "empty data");
        assert_eq!(read(&frame(DATA, 0, b"x").repeat(32), 100), Ok(2), "hardly any data");
        assert_eq!(read(&frame(HEADERS, 4, &[]).repeat(32), 100), Ok(2), "empty headers");
    }

    #[test]
    fn requests_and_their_bodies_are_not() {
        let request =
            [frame(HEADERS, 4, &[0; 30]), frame(DATA, 0, &[0; 5000]), frame(DATA, END_STREAM, b"{}")].concat();
        let now = Instant::now();
        let mut meter = FrameMeter::new(now);
        meter.skip = 0;
        for come_in in 0..5_000 {
            assert_eq!(meter.read(&request, come_in, || now), Ok(0));
        }
    }

    #[test]
    fn headers_that_never_become_a_request_are_counted() {
        let (long, outstanding) = (frame(HEADERS, 4, &[0; 5_000]), MOST_OUTSTANDING as usize);
        assert_eq!(read(&long.repeat(outstanding), 4096), Ok(0));
        assert_eq!(read(&long.repeat(outstanding + 32), 4096), Ok(2));
        assert_eq!(read(&long.repeat(outstanding + BURST as usize + 1), 4096), Err(Flood));
    }

    #[test]
    fn an_answer_that_was_sent_may_be_acknowledged_for_nothing() {
        let now = Instant::now();
        let mut meter = FrameMeter::new(now);
        meter.skip = 0;
        meter.wrote(1 << 20);
        let updates = frame(WINDOW_UPDATE, 0, &[0, 0, 64, 0]);
        assert_eq!(meter.read(&updates.repeat(8192), 0, || now), Ok(0), "128 bytes each");
        assert_eq!(meter.read(&updates.repeat(16), 0, || now), Ok(1), "and no more");
    }

    #[test]
    fn the_allowance_grows_back_with_time() {
        let start = Instant::now();
        let mut meter = FrameMeter::new(start);
        meter.skip = 0;
        let pings = frame(6, 0, &[0; 8]).repeat(A_SECOND as usize);
        assert!(meter.read(&pings.repeat(2), 0, || start).is_ok());
        for second in 1..20 {
            let now = start + Duration::from_secs(second);
            assert!(meter.read(&pings, 0, || now).is_ok(), "second {second}");
        }
        assert_eq!(meter.read(&pings, 0, || start + Duration::from_secs(19)), Err(Flood));
    }
}
