//! Nodes on one database: the real program, each a process of its own.

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use test_support::program::{ludotheque_unlimited, run};
use test_support::{Endpoint, Program};

/// All games of the caller.
pub const MINE: &str = "subscription { myGames { game { id version } } }";

/// The program, with a database and an empty data folder.
pub fn command(data: &TempDir, url: &str) -> Command {
    let mut command = ludotheque_unlimited(data.path());
    command.args(["--store", url, "--store-timeout-seconds", "2"]);
    command
}

/// Some nodes, and where each of them listens at the moment.
pub struct Fleet {
    data: TempDir,
    /// The database as each node reaches it.
    urls: Vec<String>,
    nodes: Mutex<Vec<Option<Program>>>,
    endpoints: Arc<Mutex<Vec<Endpoint>>>,
}

/// The way to the nodes, for clients, who don't know which of them are up.
#[derive(Clone)]
pub struct Endpoints(Arc<Mutex<Vec<Endpoint>>>);

impl Fleet {
    pub fn start(urls: Vec<String>) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let nodes: Vec<_> = urls.iter().map(|url| Program::spawn(command(&data, url))).collect();
        let endpoints = nodes.iter().map(|node| Endpoint::clone(node)).collect();
        let nodes = Mutex::new(nodes.into_iter().map(Some).collect());
        Self { data, urls, nodes, endpoints: Arc::new(Mutex::new(endpoints)) }
    }

    /// Nodes that reach the database by the same address.
    pub fn of(count: usize, url: &str) -> Self {
        Self::start(vec![url.to_owned(); count])
    }

    pub fn endpoints(&self) -> Endpoints {
        Endpoints(self.endpoints.clone())
    }

    pub fn endpoint(&self, node: usize) -> Endpoint {
        self.endpoints().at(node)
    }

    /// Kills a node without warning.
    pub fn kill(&self, node: usize) {
        let program = self.nodes.lock().expect("whole")[node].take();
        program.expect("it runs").kill();
    }

    /// Starts it again, at another address.
    pub fn restart(&self, node: usize) {
        let program = Program::spawn(command(&self.data, &self.urls[node]));
        self.endpoints.lock().expect("whole")[node] = Endpoint::clone(&program);
        self.nodes.lock().expect("whole")[node] = Some(program);
    }

    /// Runs a command on the database to its end, which must be a good one; tells what it printed.
    #[track_caller]
    pub fn command(&self, url: &str, arguments: &[&str]) -> String {
        let mut command = command(&self.data, url);
        command.args(arguments);
        let output = run(command);
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(output.status.success(), "{arguments:?}: {said}");
        said
    }
}

impl Endpoints {
    pub fn at(&self, node: usize) -> Endpoint {
        self.0.lock().expect("whole")[node].clone()
    }

    pub fn count(&self) -> usize {
        self.0.lock().expect("whole").len()
    }
}

/// Waits until a node serves again, far longer than it needs to notice that its database is back.
pub async fn is_ready(endpoint: &Endpoint) {
    let start = Instant::now();
    while endpoint.anybody().get("/readyz").await.status != 200 {
        assert!(start.elapsed() < Duration::from_mins(1), "it comes back");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
