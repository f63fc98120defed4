//! A node whose clock is not the shared database's: noticed, told, and served all the same.

use crate::metrics::numbers;
use crate::postgres::{database, sql};
use crate::support::{Program, eventually, folder};

/// How far a node's clock is ahead of the database's, once it has compared the two.
async fn clock_ahead(server: &Program) -> f64 {
    eventually(async || Some(numbers(server).await["clock_ahead_seconds"]).filter(|ahead| ahead.abs() > f64::EPSILON))
        .await
}

#[tokio::test]
async fn a_node_whose_clock_is_not_the_databases_says_so_and_serves() {
    let url = database();
    // The database's clock is ten seconds ahead, for whoever asks for it by its plain name.
    sql(&url, "CREATE SCHEMA wrong");
    let clock = "CREATE FUNCTION wrong.clock_timestamp() RETURNS timestamptz LANGUAGE sql
                 AS $$ SELECT pg_catalog.clock_timestamp() + interval '10 seconds' $$";
    sql(&url, clock);
    let name = url.rsplit('/').next().unwrap();
    sql(&url, &format!("ALTER DATABASE {name} SET search_path = wrong, pg_catalog, public"));
    let data = folder();
    let server = Program::start(data.path(), &["--store", &url]);
    let ahead = clock_ahead(&server).await;
    assert!((-11.0..-9.0).contains(&ahead), "{ahead}");
    let ada = server.guest("Ada").await;
    assert_eq!(ada.get("/v1/players/me").send().await.unwrap().status(), 200);
    let log = server.stop();
    assert!(log.contains("this node's clock and the database's are too far apart"), "{log}");
}

#[tokio::test]
async fn a_node_whose_clock_is_the_databases_says_nothing() {
    let data = folder();
    let server = Program::start(data.path(), &["--store", &database()]);
    // A millisecond of difference is enough to see that they were compared; two clocks may also agree to the millisecond.
    let ahead = numbers(&server).await["clock_ahead_seconds"];
    assert!(ahead.abs() < 1.0, "{ahead}");
    let log = server.stop();
    assert!(!log.contains("too far apart"), "{log}");
}
