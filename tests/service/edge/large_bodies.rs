//! Bodies that are refused before they were read: a client that sends everything before it reads still sees the answer, and
//! one that never ends does not keep us busy.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use test_support::{Program, folder};

/// As Node's fetch and Python's urllib do: all of the body first, the answer afterwards.
fn sends_all_then_reads(address: &str, head: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket");
    stream.write_all(head.as_bytes()).expect("the head is taken");
    stream.write_all(body).expect("all of the body is taken");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the answer is read to its end");
    String::from_utf8_lossy(&answer).into_owned()
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for piece in body.chunks(10_000) {
        chunks.extend(format!("{:x}\r\n", piece.len()).bytes());
        chunks.extend(piece);
        chunks.extend(b"\r\n");
    }
    chunks.extend(b"0\r\n\r\n");
    chunks
}

#[test]
fn a_client_that_sends_everything_before_it_reads_sees_why_it_was_refused() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let address = server.address();
    let body = vec![b' '; 5 << 20];
    for (path, token, status) in [
        ("/v1/players", "", "413"),
        ("/graphql", "", "413"),
        ("/v1/nowhere", "", "413"),
        ("/graphql", "authorization: Bearer nonsense\r\n", "401"),
    ] {
        let head = |length: &str| {
            format!(
                "POST {path} HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\nconnection: close\r\n\
                 {token}{length}\r\n\r\n"
            )
        };
        let answer = sends_all_then_reads(address, &head(&format!("content-length: {}", body.len())), &body);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
        let answer = sends_all_then_reads(address, &head("transfer-encoding: chunked"), &chunked(&body));
        let chunked_status = if path == "/v1/nowhere" { "404" } else { status };
        assert!(answer.starts_with(&format!("HTTP/1.1 {chunked_status} ")), "{path}, in chunks: {answer}");
    }
}

#[test]
fn a_body_without_an_end_is_not_read_for_ever() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    stream.set_write_timeout(Some(Duration::from_secs(30))).expect("a socket");
    let head = "POST /graphql HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 100000000000\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("the head is taken");
    let piece = vec![b' '; 1 << 20];
    // What is not read fills the buffers of both ends, some megabytes; then the connection is gone.
    let taken = (0..200).take_while(|_| stream.write_all(&piece).is_ok()).count();
    assert!(taken < 200, "{taken} MiB were taken");
}

#[test]
fn a_client_that_waits_for_leave_to_send_is_not_asked_for_what_is_refused() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let head = "POST /v1/players HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\nconnection: close\r\n\
                expect: 100-continue\r\ncontent-length: 5000000\r\n\r\n";
    let answer = sends_all_then_reads(server.address(), head, b"");
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

#[test]
fn a_client_that_was_given_leave_to_send_sees_why_it_was_refused_like_any_other() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let head = "POST /v1/players HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\nconnection: close\r\n\
                expect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n";
    let answer = sends_all_then_reads(server.address(), head, &chunked(&vec![b' '; 5 << 20]));
    assert!(answer.starts_with("HTTP/1.1 100 ") && answer.contains("HTTP/1.1 413 "), "{answer}");
}
