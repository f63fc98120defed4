//! What is the operator's, and where it can be reached.

use test_support::{Endpoint, Program, folder};

/// Where the operator is served, as the log tells.
fn admin_address(log: &str) -> String {
    let line = log.lines().find(|line| line.contains("serving operator endpoints")).unwrap_or_else(|| panic!("{log}"));
    let address = line.split("127.0.0.1:").nth(1).unwrap();
    format!("127.0.0.1:{}", address.split(|c: char| !c.is_ascii_digit()).next().unwrap())
}

#[tokio::test]
async fn without_an_address_of_its_own_the_operators_part_is_served_with_the_rest() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let page = server.get("/metrics").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

#[tokio::test]
async fn with_an_address_of_its_own_nothing_of_it_is_reachable_on_the_public_one() {
    let data = folder();
    let server = Program::start(data.path(), &["--admin-listen", "127.0.0.1:0", "--log-format", "json"]);
    let log = test_support::eventually(async || Some(server.log()).filter(|log| log.contains("operator"))).await;
    let admin = admin_address(&log);
    let ask = async |path: &str| Endpoint::new(format!("http://{admin}")).get(path).await;
    assert_eq!(ask("/metrics").await.status, 200);
    let refused = server.get("/metrics").await;
    assert_eq!(refused.problem(), (404, "NOT_FOUND".to_owned()));
    assert_eq!(server.get("/v1/kinds").await.status, 200);
    assert_eq!(ask("/v1/kinds/CHIPS").await.problem(), (404, "NOT_FOUND".to_owned()), "nor the other way round");
    server.stop();
    assert!(server_is_gone(&admin), "the operator's address is closed with the other");
}

fn server_is_gone(address: &str) -> bool {
    std::net::TcpStream::connect(address).is_err()
}

#[tokio::test]
async fn the_program_itself_tells_whether_its_server_is_healthy() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let health = |address: &str| {
        let mut command = std::process::Command::new(test_support::program::binary());
        command.args(["health"]).env("LUDOTHEQUE_LISTEN", address).output().unwrap()
    };
    let address = server.address().to_owned();
    let port = address.rsplit(':').next().unwrap();
    assert!(health(&address).status.success());
    assert!(health(&format!("0.0.0.0:{port}")).status.success(), "everywhere is also here");
    server.stop();
    let gone = health(&address);
    assert_eq!(gone.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&gone.stderr).contains("does not answer"), "{gone:?}");
}
