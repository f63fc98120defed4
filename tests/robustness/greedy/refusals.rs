//! Refusals over HTTP/2, where a client can have enough in flight for the refusals themselves to be a flood.

use crate::greedy::connect_http2;
use crate::greedy::others::Others;
use futures::future::join_all;
use std::time::Duration;
use test_support::http2::{HEADERS, WINDOW_UPDATE, frame};
use test_support::{Program, folder};

/// Far longer than anything takes; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_mins(1);
/// As many as a connection may have.
const STREAMS: usize = 100;
const CONNECTIONS: usize = 20;

/// Asks so often at once; how many answers there are before all are there, or it is cut off.
async fn asks(server: &Program, times: usize) -> usize {
    let mut connection = connect_http2(server, 2, 65_535).await;
    let requests = (0..times).map(|_| connection.request("/v1/kinds/CHIPS", &[(":authority", "x")]).1);
    let requests = requests.collect::<Vec<_>>().concat();
    // It may be cut off midway.
    let _cut_off = connection.send(&requests).await;
    let mut answers = 0;
    let heard = async {
        while answers < times
            && let Some(heard) = connection.hear().await
        {
            if heard.kind == HEADERS {
                answers += 1;
            }
            let _cut_off = connection.send(&frame(WINDOW_UPDATE, 0, 0, &65_535_u32.to_be_bytes())).await;
        }
    };
    tokio::time::timeout(PATIENCE, heard).await.expect("it is answered or cut off");
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_with_many_refusals_in_flight_is_cut_off_and_one_with_some_is_not() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "200", "--player-rate", "0", "--log", "error"]);
    let others = Others::start(&server).await;
    let flood = join_all((0..CONNECTIONS).map(|_| asks(&server, STREAMS))).await;
    let cut_off = flood.iter().filter(|answers| **answers < STREAMS).count();
    let answers: usize = flood.iter().sum();
    assert!(cut_off > CONNECTIONS / 2, "{cut_off} of {CONNECTIONS} connections, {flood:?}");
    assert!(answers < CONNECTIONS * STREAMS / 2, "{answers} answers");
    // An address without a budget, and a client that has a few requests in flight.
    for _ in 0..5 {
        assert_eq!(asks(&server, 40).await, 40, "some refusals are in order");
    }
    others.are_served().await;
}
