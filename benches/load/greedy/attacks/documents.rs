//! The largest public documents, compressed: each costs the server a compression unless it has kept the result.

use super::super::super::client::get;
use super::super::flood::Flood;
use hyper::header::{ACCEPT_ENCODING, HeaderValue};

const WORKERS: usize = 32;
const PATHS: [&str; 7] = [
    "/openapi.json",
    "/v1/kinds",
    "/v1/kinds/CHIPS",
    "/v1/kinds/LOADING",
    "/v1/kinds/SANTA_RESCUE",
    "/v1/kinds/TOY_RUSH",
    "/v1/kinds/TOYS_GO_GO_GO",
];

pub async fn run(flood: Flood) {
    flood.ready("");
    flood.all(WORKERS, read_for_ever).await;
}

async fn read_for_ever(flood: Flood, worker: usize) {
    let mut client = flood.client();
    for turn in worker.. {
        let path = PATHS[turn % PATHS.len()];
        if let Ok(mut question) = get(path, "") {
            question.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, br"));
            client.insist(path, question).await;
        }
    }
}
