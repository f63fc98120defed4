//! A node whose clock is not the shared database's: noticed, told, and served all the same.

use crate::edge::metrics::numbers;
use test_support::postgres::{database, sql};
use test_support::{Program, eventually, folder};

/// How far a node's clock is ahead of the database's, once it has compared the two.
async fn clock_ahead(server: &Program) -> f64 {
    eventually(async || Some(numbers(server).await["clock_ahead_seconds"]).filter(|ahead| ahead.abs() > f64::EPSILON))
        .await
}

/// A database whose clock is ahead, if it is read by its unqualified name.
fn database_ahead_by(seconds: u32) -> String {
    let url = database();
    sql(&url, "CREATE SCHEMA wrong");
    let clock = format!(
        "CREATE FUNCTION wrong.clock_timestamp() RETURNS timestamptz LANGUAGE sql
         AS $$ SELECT pg_catalog.clock_timestamp() + interval '{seconds} seconds' $$"
    );
    sql(&url, &clock);
    let name = url.rsplit('/').next().unwrap();
    sql(&url, &format!("ALTER DATABASE {name} SET search_path = wrong, pg_catalog, public"));
    url
}

#[tokio::test]
async fn a_node_whose_clock_is_not_the_databases_says_so_and_serves() {
    let data = folder();
    let server = Program::start(data.path(), &["--store", &database_ahead_by(10)]);
    let ahead = clock_ahead(&server).await;
    assert!((-11.0..-9.0).contains(&ahead), "{ahead}");
    let ada = server.guest("Ada").await;
    assert_eq!(ada.get("/v1/players/me").await.status, 200);
    let log = server.stop();
    assert!(log.contains("this node's clock and the database's are too far apart"), "{log}");
}

#[tokio::test]
async fn a_node_whose_clock_is_close_to_the_databases_says_nothing() {
    let data = folder();
    // Two seconds are less than is warned of, and enough to see that the clocks were compared.
    let server = Program::start(data.path(), &["--store", &database_ahead_by(2)]);
    let ahead = clock_ahead(&server).await;
    assert!((-3.0..-1.0).contains(&ahead), "{ahead}");
    let log = server.stop();
    assert!(!log.contains("too far apart"), "{log}");
}
