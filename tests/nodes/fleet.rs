//! Nodes on one database: the real program, each a process of its own.

use crate::support::program::{ludotheque, run};
use crate::support::{Door, Player, Program};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// All games of whoever asks.
pub const MINE: &str = "subscription { myGames { game { id version } } }";

/// The program, with a database and an empty data folder.
pub fn command(data: &TempDir, url: &str) -> Command {
    let mut command = ludotheque(data.path());
    command.args(["--store", url, "--store-timeout-seconds", "2"]);
    command
}

/// Some nodes, and where each of them listens at the moment.
pub struct Fleet {
    data: TempDir,
    /// The database as each node reaches it.
    urls: Vec<String>,
    nodes: Mutex<Vec<Option<Program>>>,
    doors: Arc<Mutex<Vec<Door>>>,
}

/// The way to the nodes, for clients, who don't know which of them are up.
#[derive(Clone)]
pub struct Doors(Arc<Mutex<Vec<Door>>>);

impl Fleet {
    pub fn start(urls: Vec<String>) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let nodes: Vec<_> = urls.iter().map(|url| Program::spawn(command(&data, url))).collect();
        let doors = nodes.iter().map(|node| Door::clone(node)).collect();
        let nodes = Mutex::new(nodes.into_iter().map(Some).collect());
        Self { data, urls, nodes, doors: Arc::new(Mutex::new(doors)) }
    }

    /// So many nodes that reach the database by the same address.
    pub fn of(count: usize, url: &str) -> Self {
        Self::start(vec![url.to_owned(); count])
    }

    pub fn doors(&self) -> Doors {
        Doors(self.doors.clone())
    }

    pub fn door(&self, node: usize) -> Door {
        self.doors().at(node)
    }

    /// Kills a node without warning.
    pub fn kill(&self, node: usize) {
        let program = self.nodes.lock().expect("whole")[node].take();
        program.expect("it runs").kill();
    }

    /// Starts it again, at another address.
    pub fn restart(&self, node: usize) {
        let program = Program::spawn(command(&self.data, &self.urls[node]));
        self.doors.lock().expect("whole")[node] = Door::clone(&program);
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

impl Doors {
    pub fn at(&self, node: usize) -> Door {
        self.0.lock().expect("whole")[node].clone()
    }

    pub fn count(&self) -> usize {
        self.0.lock().expect("whole").len()
    }
}

/// The same player, at another node.
pub fn at(door: &Door, player: &Player) -> Player {
    Player { door: door.clone(), ..player.clone() }
}

/// Waits until a node serves again, far longer than it needs to notice that its database is back.
pub async fn is_ready(door: &Door) {
    let start = Instant::now();
    while door.anybody().get("/readyz").await.status != 200 {
        assert!(start.elapsed() < Duration::from_mins(1), "it comes back");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
