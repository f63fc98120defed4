//! Notifications between nodes, with LISTEN/NOTIFY: a game has a new version.
//!
//! One dedicated connection sends and receives. Announcements are collected and sent in a statement of their own, never
//! in the transaction of a write, where NOTIFY would hold a lock that all writers share. They contain only game and
//! version, and may be lost. So every few seconds, and after each reconnection, the versions of all games followed on
//! this node are read from the store. Streams that follow all games of a player also check for changes, but less often.
//! A database without LISTEN is only polled.

use super::database::{Database, Params, Tls};
use super::error::{StatementError, describe};
use super::{OpenError, Settings};
use crate::games::ports::{Announcement, Notifier};
use crate::ids::GameId;
use crate::live::LocalNotifier;
use std::collections::HashMap;
use std::mem;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, broadcast, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls};
use uuid::Uuid;

const CHANNEL: &str = "ludotheque_steps";
/// How often the versions of followed games are read.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How often streams that follow all games of a player check for changes, even if nothing was announced. Less often
/// than `POLL_INTERVAL`, because it costs more than comparing versions.
const RECHECK_INTERVAL: Duration = Duration::from_secs(30);
/// How many games one statement polls.
const GAMES_PER_POLL: usize = 1000;
/// The longest payload; PostgreSQL accepts less than 8000 bytes.
const MAX_PAYLOAD_BYTES: usize = 7900;
/// How many games may await announcement while the database is unreachable; polling finds the others.
const MAX_PENDING: usize = 100_000;
const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// Announcements between nodes that share a database.
pub struct PostgresNotifier {
    shared: Arc<NotifierState>,
    running: JoinHandle<()>,
}

struct NotifierState {
    database: Database,
    local: LocalNotifier,
    pending: Mutex<HashMap<GameId, u64>>,
    arrived: Notify,
}

impl PostgresNotifier {
    /// Connects in the background. While there is no connection, this node sees its own steps only.
    pub fn start(settings: &Settings) -> Result<Self, OpenError> {
        let database = Database::new(settings)?;
        let shared = Arc::new(NotifierState {
            database,
            local: LocalNotifier::default(),
            pending: Mutex::default(),
            arrived: Notify::new(),
        });
        let running = tokio::spawn(run(shared.clone()));
        Ok(Self { shared, running })
    }
}

impl Drop for PostgresNotifier {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Notifier for PostgresNotifier {
    fn publish(&self, game: GameId, version: u64) {
        self.shared.local.publish(game, version);
        let mut pending = self.shared.lock();
        if pending.len() < MAX_PENDING {
            let known = pending.entry(game).or_default();
            *known = version.max(*known);
        }
        drop(pending);
        self.shared.arrived.notify_one();
    }

    fn subscribe(&self, game: GameId) -> watch::Receiver<u64> {
        self.shared.local.subscribe(game)
    }

    fn subscribe_to_all(&self) -> broadcast::Receiver<Announcement> {
        self.shared.local.subscribe_to_all()
    }
}

async fn run(shared: Arc<NotifierState>) {
    loop {
        if let Err(error) = listen(&shared).await {
            tracing::warn!(%error, "not connected to the announcements of other nodes; reconnecting");
        }
        tokio::time::sleep(RECONNECT_DELAY).await;
    }
}

/// Sends and receives on one connection until it breaks.
async fn listen(shared: &NotifierState) -> Result<(), StatementError> {
    let (client, mut announcements) = connect(&shared.database).await?;
    let listening = shared.database.within(client.batch_execute(&format!("LISTEN {CHANNEL}"))).await;
    let recheck = match listening {
        Err(StatementError::Refused { why, .. }) => {
            tracing::warn!(why, "the database does not support LISTEN; polling it instead");
            POLL_INTERVAL
        }
        listening => listening.map(|()| RECHECK_INTERVAL)?,
    };
    // The first tick of each is immediate.
    let [mut poll, mut recheck] = [POLL_INTERVAL, recheck].map(|period| {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks
    });
    loop {
        tokio::select! {
            announcement = announcements.recv() => match announcement {
                Some(announcement) => shared.receive(&announcement),
                None => return Err(StatementError::Unsent("the connection was closed".to_owned())),
            },
            () = shared.arrived.notified() => shared.announce(&client).await?,
            _ = poll.tick() => shared.poll(&client).await?,
            _ = recheck.tick() => shared.local.missed(),
        }
    }
}

/// Connects; returns the client and the received announcements.
async fn connect(database: &Database) -> Result<(Client, mpsc::UnboundedReceiver<String>), StatementError> {
    let connected = async {
        match &database.tls {
            Tls::Plain => {
                database.config.connect(NoTls).await.map(|(client, connection)| (client, receive(connection)))
            }
            Tls::Rustls(tls) => {
                database.config.connect(tls.clone()).await.map(|(client, connection)| (client, receive(connection)))
            }
        }
    };
    database.within(connected).await
}

/// Drives a connection until its client is dropped; returns the received announcements.
fn receive<S, T>(mut connection: Connection<S, T>) -> mpsc::UnboundedReceiver<String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, announcements) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let messages = futures::stream::poll_fn(move |context| connection.poll_message(context));
        let mut messages = pin!(messages);
        while let Some(message) = futures::StreamExt::next(&mut messages).await {
            match message {
                Ok(AsyncMessage::Notification(notification)) => {
                    if sender.send(notification.payload().to_owned()).is_err() {
                        return;
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(error = describe(&error), "the connection for announcements broke");
                    return;
                }
            }
        }
    });
    announcements
}

impl NotifierState {
    /// Parses `<game>=<version>`, separated by commas.
    fn receive(&self, announcement: &str) {
        for (game, version) in announcement.split(',').filter_map(|each| each.split_once('=')) {
            // Ignore what can't be parsed: a newer version of the server or another program sent it.
            if let (Ok(game), Ok(version)) = (Uuid::try_parse(game), version.parse()) {
                self.local.publish(GameId::from_bytes(game.into_bytes()), version);
            }
        }
    }

    async fn announce(&self, client: &Client) -> Result<(), StatementError> {
        let pending = mem::take(&mut *self.lock());
        let mut announcements = vec![String::new()];
        for (game, version) in pending {
            let each = format!("{}={version},", uuid::fmt::Simple::from_uuid(Uuid::from_bytes(*game.as_bytes())));
            match announcements.last_mut() {
                Some(last) if last.len() + each.len() <= MAX_PAYLOAD_BYTES => *last += &each,
                _ => announcements.push(each),
            }
        }
        for announcement in announcements.iter().filter(|announcement| !announcement.is_empty()) {
            let values: Params = &[&CHANNEL, announcement];
            match self.database.within(client.execute("SELECT pg_notify($1, $2)", values)).await {
                // NOTIFY is not supported; other nodes poll.
                Err(StatementError::Refused { .. }) => {}
                sent => drop(sent?),
            }
        }
        Ok(())
    }

    async fn poll(&self, client: &Client) -> Result<(), StatementError> {
        for games in self.local.followed().chunks(GAMES_PER_POLL) {
            let games: Vec<_> = games.iter().map(|game| Uuid::from_bytes(*game.as_bytes())).collect();
            let values: Params = &[&games];
            let rows = client.query("SELECT id, version FROM games WHERE id = ANY($1)", values);
            for row in self.database.within(rows).await? {
                let game = GameId::from_bytes(row.get::<_, Uuid>(0).into_bytes());
                self.local.publish(game, row.get::<_, i64>(1).cast_unsigned());
            }
        }
        // An empty statement, so that a dead connection is noticed even if no game is followed.
        self.database.within(client.batch_execute("")).await
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, u64>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
