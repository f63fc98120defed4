//! The real program, as a process that can be told to end.

use super::Player;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// The program with its data folder, on free ports.
pub fn ludotheque(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludotheque"));
    command.arg("--data").arg(data).args(["--listen", "127.0.0.1:0"]);
    command
}

/// A running server.
pub struct Program {
    child: Child,
    /// `127.0.0.1:1234`
    pub address: String,
    pub client: Client,
    log: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
}

impl Program {
    pub fn start(data: &Path, settings: &[&str]) -> Self {
        let mut command = ludotheque(data);
        command.args(settings);
        Self::spawn(command)
    }

    /// Starts a server; it is up once it has told its address.
    pub fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::<Mutex<String>>::default();
        let errors = gather(child.stderr.take().unwrap(), log.clone());
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(". ").next());
        let Some(address) = address.map(str::to_owned) else {
            panic!("no address in {line:?}: {:?}\n{}", child.wait(), log.lock().unwrap());
        };
        let readers = vec![errors, gather(output, Arc::default())];
        Self { child, address, client: Client::new(), log, readers }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.address))
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    /// A new guest.
    pub async fn guest(&self, name: &str) -> Player {
        let answer =
            self.request(Method::POST, "/v1/players").json(&json!({"displayName": name})).send().await.unwrap();
        Player::read(self, &super::answer("POST", "/v1/players", answer).await)
    }

    /// What was logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Tells it to end, and goes on at once.
    pub fn terminate(&self) {
        let told = Command::new("kill").args(["-TERM", &self.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Waits for its end, and tells how it was and all that was logged.
    pub fn ends(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        (status, self.log())
    }

    /// Ends it in order.
    pub fn stop(self) -> String {
        self.terminate();
        let (status, log) = self.ends();
        assert!(status.success(), "{status}\n{log}");
        log
    }
}

fn gather(from: impl Read + Send + 'static, into: Arc<Mutex<String>>) -> JoinHandle<()> {
    thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            let mut all = into.lock().unwrap();
            all.push_str(&String::from_utf8_lossy(&line));
            all.push('\n');
        }
    })
}

impl Drop for Program {
    fn drop(&mut self) {
        // After a failed test nothing is left behind; a program that is dead already is fine.
        let _already_dead = self.child.kill().and_then(|()| self.child.wait());
    }
}
