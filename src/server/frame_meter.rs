//! HTTP/2 frame-flood detection: counts the frames of a peer that belong to no request, such as PING and SETTINGS.
//!
//! Requests are charged where they are answered; these frames never get there. The meter parses frame headers (RFC
//! 9113, section 4.1) from the bytes that the connection reads, and stores nothing else.

use std::time::Instant;

/// Length of the connection preface, before the first frame.
const PREFACE_BYTES: u32 = 24;
const HEADER_BYTES: usize = 9;

/// Token bucket of frames without a request: its size, and its refill per second. Clients send a few per connection and
/// cancelled request; this is enough for a proxy with many clients.
const BURST: u32 = 2_000;
const REFILL_PER_SECOND: u32 = 1_000;
/// This many of them are charged as one request.
const FRAMES_PER_CHARGE: u32 = 16;
/// One WINDOW_UPDATE per this many bytes sent to the peer is free. Clients send at most two for each DATA frame of
/// ours. With the header of its answer, each of those has more than twice this many bytes.
const BYTES_PER_WINDOW_UPDATE: u64 = 128;
/// Free WINDOW_UPDATEs that can accumulate: enough for those that arrive while a whole answer is sent.
const MAX_FREE_WINDOW_UPDATES: u64 = 16_384;
/// How many more HEADERS frames than requests are free. h2 passes on a request only after its HEADERS frame was
/// counted, and some requests are cancelled before. A HEADERS frame that h2 answers itself, such as one that is too
/// long, never becomes a request.
const MAX_OUTSTANDING: u32 = 256;
/// A shorter DATA frame counts as a flood frame, unless it is the last of its body.
const MIN_DATA_BYTES: u32 = 64;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const WINDOW_UPDATE: u8 = 8;
const END_STREAM: u8 = 1;

/// The peer exceeded its allowance of frames without a request.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many HTTP/2 frames without a request")]
pub struct Flood;

/// Counts the frames of one connection.
pub struct FrameMeter {
    /// The header of the next frame, as far as received.
    header: [u8; HEADER_BYTES],
    received: usize,
    /// Bytes left of the current frame, or of the preface.
    skip: u32,
    /// Token bucket of the connection, and when it was last refilled.
    allowance: u32,
    refilled: Instant,
    /// Frames counted towards the next charge.
    uncharged: u32,
    /// Bytes sent that are not acknowledged by a WINDOW_UPDATE yet.
    sent: u64,
    /// HEADERS frames received, and requests that they became.
    headers: u32,
    requests: u32,
}

impl FrameMeter {
    pub fn new(now: Instant) -> Self {
        let (header, allowance) = ([0; HEADER_BYTES], BURST);
        let (received, uncharged, sent, headers, requests) = (0, 0, 0, 0, 0);
        Self { header, received, skip: PREFACE_BYTES, allowance, refilled: now, uncharged, sent, headers, requests }
    }

    /// Counts the frames in the bytes read; `requests` have been received so far. Returns how many requests to charge.
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
            let taken = bytes.len().min(HEADER_BYTES - self.received);
            self.header[self.received..self.received + taken].copy_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            self.received += taken;
            if self.received == HEADER_BYTES {
                self.received = 0;
                frames += u32::from(self.is_without_request());
            }
        }
        self.charge(frames, now)
    }

    /// Notes bytes sent to the peer.
    pub fn wrote(&mut self, bytes: usize) {
        self.sent = (self.sent + bytes as u64).min(MAX_FREE_WINDOW_UPDATES * BYTES_PER_WINDOW_UPDATE);
    }

    /// Whether the frame with this header counts.
    fn is_without_request(&mut self) -> bool {
        let [a, b, c, kind, flags, ..] = self.header;
        self.skip = u32::from_be_bytes([0, a, b, c]);
        match kind {
            HEADERS if self.skip > 0 => {
                self.headers = self.headers.wrapping_add(1);
                self.headers.wrapping_sub(self.requests) > MAX_OUTSTANDING
            }
            DATA => self.skip < MIN_DATA_BYTES && flags & END_STREAM == 0,
            WINDOW_UPDATE if self.sent >= BYTES_PER_WINDOW_UPDATE => {
                self.sent -= BYTES_PER_WINDOW_UPDATE;
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
            self.refill(now());
        }
        self.allowance = self.allowance.checked_sub(frames).ok_or(Flood)?;
        self.uncharged += frames;
        let charges = self.uncharged / FRAMES_PER_CHARGE;
        self.uncharged %= FRAMES_PER_CHARGE;
        Ok(charges)
    }

    fn refill(&mut self, now: Instant) {
        let millis = now.saturating_duration_since(self.refilled).as_millis();
        let more = u32::try_from(millis * u128::from(REFILL_PER_SECOND) / 1000).unwrap_or(BURST);
        self.allowance = self.allowance.saturating_add(more).min(BURST);
        self.refilled = now;
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

    /// How many requests a connection is charged for these bytes after its preface.
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
    fn requests_and_their_bodies_are_not_counted() {
        let request =
            [frame(HEADERS, 4, &[0; 30]), frame(DATA, 0, &[0; 5000]), frame(DATA, END_STREAM, b"{}")].concat();
        let now = Instant::now();
        let mut meter = FrameMeter::new(now);
        meter.skip = 0;
        for requests in 0..5_000 {
            assert_eq!(meter.read(&request, requests, || now), Ok(0));
        }
    }

    #[test]
    fn headers_that_never_become_a_request_are_counted() {
        let (long, outstanding) = (frame(HEADERS, 4, &[0; 5_000]), MAX_OUTSTANDING as usize);
        assert_eq!(read(&long.repeat(outstanding), 4096), Ok(0));
        assert_eq!(read(&long.repeat(outstanding + 32), 4096), Ok(2));
        assert_eq!(read(&long.repeat(outstanding + BURST as usize + 1), 4096), Err(Flood));
    }

    #[test]
    fn window_updates_for_bytes_that_were_sent_are_free() {
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
        let pings = frame(6, 0, &[0; 8]).repeat(REFILL_PER_SECOND as usize);
        assert!(meter.read(&pings.repeat(2), 0, || start).is_ok());
        for second in 1..20 {
            let now = start + Duration::from_secs(second);
            assert!(meter.read(&pings, 0, || now).is_ok(), "second {second}");
        }
        assert_eq!(meter.read(&pings, 0, || start + Duration::from_secs(19)), Err(Flood));
    }
}
