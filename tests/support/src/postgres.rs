//! PostgreSQL servers for tests, each with its own data folder, on free ports. They use no server that is there already, and
//! each ends with the test program that started it, however that ends.

use ludotheque::store::postgres::{Settings, migrate};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// How long a server may take to start, stop or catch up on a machine that is busy.
const PATIENCE: Duration = Duration::from_mins(2);
/// The user that servers run as where the tests run as root, which PostgreSQL refuses to.
const SERVANT: &str = "postgres";
/// A database with all tables, which others are copies of.
const TEMPLATE: &str = "ludotheque_template";

/// A server with its data.
pub struct Cluster {
    folder: TempDir,
    pub port: u16,
    /// Holds the server for as long as its input is open.
    keeper: Child,
}

/// Whether what is written is written for good: only where that is tested, because it costs time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disk {
    Synced,
    Lazy,
}

/// An empty database with all tables, on a server that all tests of this program share; its address.
pub fn database() -> String {
    shared().copy_of(TEMPLATE, &new_name())
}

/// A copy of such a database, to which nobody may be connected; its address.
pub fn copy_of(url: &str) -> String {
    let name = url.rsplit('/').next().expect("an address ends with a name");
    shared().copy_of(name, &new_name())
}

/// Runs some SQL on such a database, behind the store's back.
pub fn sql(url: &str, sql: &str) {
    shared().sql(url.rsplit('/').next().expect("an address ends with a name"), sql);
}

fn shared() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    SHARED.get_or_init(|| {
        let cluster = Cluster::start(Disk::Lazy);
        cluster.prepare();
        cluster
    })
}

fn new_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

impl Cluster {
    pub fn start(disk: Disk) -> Self {
        let folder = folder();
        let data = folder.path().join("data");
        let mut initdb = as_servant("initdb");
        initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"]);
        run(initdb.arg(&data));
        Self::run(folder, disk)
    }

    /// A copy that follows this server; nothing is acknowledged any more before the copy has it.
    pub fn standby(&self) -> Self {
        let folder = folder();
        let mut copy = as_servant("pg_basebackup");
        let from = format!("host=127.0.0.1 port={} user=postgres application_name=standby", self.port);
        run(copy
            .args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "-d", &from, "-D"])
            .arg(folder.path().join("data")));
        let standby = Self::run(folder, Disk::Synced);
        self.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        self.sql("postgres", "SELECT pg_reload_conf()");
        until("the standby follows", || {
            self.ask("SELECT count(*)::text FROM pg_stat_replication WHERE sync_state = 'sync'") == "1"
        });
        standby
    }

    /// Has the server show a certificate, and take encrypted connections as well.
    pub fn encrypt(&self, certificate: &Path, key: &Path) {
        for (file, name) in [(certificate, "server.crt"), (key, "server.key")] {
            let mut install = Command::new("install");
            if is_root() {
                install.args(["--owner", SERVANT]);
            }
            run(install.args(["--mode", "600"]).arg(file).arg(self.folder.path().join("data").join(name)));
        }
        self.sql("postgres", "ALTER SYSTEM SET ssl = on");
        self.sql("postgres", "SELECT pg_reload_conf()");
        until("it takes encrypted connections", || self.ask("SHOW ssl") == "on");
    }

    /// Makes a standby the server that can be written to.
    pub fn promote(&self) {
        self.sql("postgres", "SELECT pg_promote()");
    }

    fn run(folder: TempDir, disk: Disk) -> Self {
        let data = folder.path().join("data");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let server = as_servant("postgres");
        let mut keeper = Command::new("sh");
        // When the input ends, because the test has or was killed, the server and its data go.
        keeper
            .args(["-c", r#"folder=$0; "$@" & server=$!; read _; kill -QUIT $server; wait $server; rm -rf "$folder""#]);
        keeper.arg(folder.path()).arg(server.get_program()).args(server.get_args());
        keeper.args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=300"]);
        keeper.args(["-c", "shared_buffers=128MB", "-c", "log_min_messages=fatal", "-c", "max_wal_size=2GB"]);
        if disk == Disk::Lazy {
            keeper.args(["-c", "fsync=off", "-c", "full_page_writes=off"]);
        }
        keeper.arg("-k").arg(folder.path()).arg("-D").arg(&data);
        let log = std::fs::File::create(folder.path().join("log")).expect("a log");
        let keeper = keeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(log).spawn().expect("a shell");
        let cluster = Self { folder, port, keeper };
        until("the server answers", || cluster.try_sql("postgres", "SELECT 1").is_ok());
        cluster
    }

    /// Ends the server as a crash would: all its processes at once, without a word.
    pub fn kill(&self) {
        let file = self.folder.path().join("data/postmaster.pid");
        let text = std::fs::read_to_string(file).expect("it runs");
        let server: i32 = text.lines().next().and_then(|line| line.parse().ok()).expect("a process id");
        run(Command::new("kill").args(["-9", &server.to_string()]));
        // Its other processes notice, and go; until then they might still answer.
        until("the server is gone", || self.try_sql("postgres", "SELECT 1").is_err());
    }

    pub fn url(&self, name: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    /// Makes the template that [`database`](Self::database) copies.
    pub fn prepare(&self) {
        self.sql("postgres", &format!("CREATE DATABASE {TEMPLATE}"));
        let settings = Settings::new(self.url(TEMPLATE));
        alone(async move { migrate(&settings).await.map(drop) }).expect("the tables are made");
    }

    /// A new database with all tables; its address.
    pub fn database(&self, name: &str) -> String {
        self.copy_of(TEMPLATE, name)
    }

    fn copy_of(&self, original: &str, name: &str) -> String {
        let create = format!("CREATE DATABASE {name} TEMPLATE {original}");
        // The last client may still be disconnecting.
        until("the original is free", || self.try_sql("postgres", &create).is_ok());
        self.url(name)
    }

    pub fn sql(&self, database: &str, sql: &str) {
        self.try_sql(database, sql).unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }

    /// The first word of the answer.
    pub fn ask(&self, sql: &str) -> String {
        self.try_sql("postgres", sql).expect("it answers").unwrap_or_default()
    }

    fn try_sql(&self, database: &str, sql: &str) -> Result<Option<String>, tokio_postgres::Error> {
        let (url, sql) = (self.url(database), sql.to_owned());
        alone(async move {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await?;
            let connection = tokio::spawn(connection);
            let messages = client.simple_query(&sql).await;
            drop(client);
            let _ended = connection.await;
            Ok(messages?.iter().find_map(|message| match message {
                tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            }))
        })
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _gone = self.keeper.wait();
    }
}

/// Runs something to its end, whether or not the caller is in a runtime.
fn alone<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    thread::spawn(move || runtime().block_on(work)).join().expect("it does not panic")
}

#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// One of PostgreSQL's programs: on the path, or where Debian puts them.
fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    // The newest version last, so that it is found first.
    let mut versions: Vec<_> = debian.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    let places = versions.into_iter().rev().chain(std::env::split_paths(&path));
    let found = places.map(|place| place.join(name)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name} is missing: install PostgreSQL, or run ./scripts/test, which does"))
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).trim() == "0"
}

/// A program, run as somebody whom PostgreSQL does not refuse.
fn as_servant(name: &str) -> Command {
    let program = program(name);
    let mut command;
    if is_root() {
        command = Command::new("setpriv");
        command.args(["--reuid", SERVANT, "--regid", SERVANT, "--clear-groups"]).arg(program);
    } else {
        command = Command::new(program);
    }
    command.current_dir("/");
    command
}

/// A folder that the server's user can write to.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    if is_root() {
        let id = |flag: &str| output(Command::new("id").args([flag, SERVANT])).trim().parse().expect("a number");
        give(folder.path(), id("-u"), id("-g"));
    }
    folder
}

fn give(path: &Path, user: u32, group: u32) {
    chown(path, Some(user), Some(group)).expect("root may");
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    String::from_utf8(output.stdout).expect("plain text")
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
