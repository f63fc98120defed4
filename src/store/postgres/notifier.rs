//! Telling other nodes that a game has a new version, and hearing it from them.
//!
//! One connection of its own, both ways: what was published since the last statement goes out in the next one, never as
//! part of a write, where it would hold a lock that all writers share. Announcements say game and version and nothing else,
//! and may be lost. So every few seconds, and after each new connection, the versions of all games that somebody here
//! follows are read from the store; whoever follows all games of a player is told less often to look again. A database that has no announcements is polled only.

use super::database::{Database, Tls, Values};
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
/// How often the games that are followed are looked at.
const POLL_EVERY: Duration = Duration::from_secs(2);
/// How often whoever follows all games of a player looks at them, whatever was announced: that takes more than comparing
/// versions.
const DOUBT_EVERY: Duration = Duration::from_secs(30);
/// How many games are looked at by one statement.
const POLLED: usize = 1000;
/// How much one announcement may say; the database takes 8000 bytes.
const LONGEST: usize = 7900;
/// How many games may wait to be announced while the database is away; the others will be found by looking.
const WAITING: usize = 100_000;
/// How long to wait before the next connection is tried.
const COME_BACK: Duration = Duration::from_millis(500);

/// The announcements of nodes that share a database.
pub struct PostgresNotifier {
    shared: Arc<NotifierState>,
    running: JoinHandle<()>,
}

struct NotifierState {
    database: Database,
    local: LocalNotifier,
    waiting: Mutex<HashMap<GameId, u64>>,
    arrived: Notify,
}

impl PostgresNotifier {
    /// Connects when it can; until then, and whenever it can't, this node hears of its own steps only.
    pub fn start(settings: &Settings) -> Result<Self, OpenError> {
        let database = Database::new(settings)?;
        let shared = Arc::new(NotifierState {
            database,
            local: LocalNotifier::default(),
            waiting: Mutex::default(),
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
        let mut waiting = self.shared.lock();
        if waiting.len() < WAITING {
            let known = waiting.entry(game).or_default();
            *known = version.max(*known);
        }
        drop(waiting);
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
        if let Err(trouble) = listen(&shared).await {
            tracing::warn!(%trouble, "not connected to other nodes' announcements; trying again");
        }
        tokio::time::sleep(COME_BACK).await;
    }
}

/// Speaks and listens on one connection until it breaks.
async fn listen(shared: &NotifierState) -> Result<(), StatementError> {
    let (client, mut heard) = connect(&shared.database).await?;
    let listening = shared.database.within(client.batch_execute(&format!("LISTEN {CHANNEL}"))).await;
    let doubt = match listening {
        Err(StatementError::Refused { why, .. }) => {
            tracing::warn!(why, "the database has no announcements: it is polled");
            POLL_EVERY
        }
        listening => listening.map(|()| DOUBT_EVERY)?,
    };
    // Both the first time at once.
    let [mut due, mut doubt] = [POLL_EVERY, doubt].map(|period| {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks
    });
    loop {
        tokio::select! {
            announcement = heard.recv() => match announcement {
                Some(announcement) => shared.hear(&announcement),
                None => return Err(StatementError::Unsent("the connection was closed".to_owned())),
            },
            () = shared.arrived.notified() => shared.announce(&client).await?,
            _ = due.tick() => shared.poll(&client).await?,
            _ = doubt.tick() => shared.local.missed(),
        }
    }
}

/// A connection, and what is announced on it.
async fn connect(database: &Database) -> Result<(Client, mpsc::UnboundedReceiver<String>), StatementError> {
    let connected = async {
        match &database.tls {
            Tls::Plain => database.config.connect(NoTls).await.map(|(client, connection)| (client, hear(connection))),
            Tls::Rustls(tls) => {
                database.config.connect(tls.clone()).await.map(|(client, connection)| (client, hear(connection)))
            }
        }
    };
    database.within(connected).await
}

/// Drives a connection for as long as its client is there.
fn hear<S, T>(mut connection: Connection<S, T>) -> mpsc::UnboundedReceiver<String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (tell, heard) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let messages = futures::stream::poll_fn(move |context| connection.poll_message(context));
        let mut messages = pin!(messages);
        while let Some(message) = futures::StreamExt::next(&mut messages).await {
            match message {
                Ok(AsyncMessage::Notification(notification)) => {
                    if tell.send(notification.payload().to_owned()).is_err() {
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
    heard
}

impl NotifierState {
    /// `<game>=<version>`, with commas between.
    fn hear(&self, announcement: &str) {
        for (game, version) in announcement.split(',').filter_map(|each| each.split_once('=')) {
            // What can't be read was sent by a newer program, or by somebody else.
            if let (Ok(game), Ok(version)) = (Uuid::try_parse(game), version.parse()) {
                self.local.publish(GameId::from_bytes(game.into_bytes()), version);
            }
        }
    }

    async fn announce(&self, client: &Client) -> Result<(), StatementError> {
        let waiting = mem::take(&mut *self.lock());
        let mut announcements = vec![String::new()];
        for (game, version) in waiting {
            let each = format!("{}={version},", uuid::fmt::Simple::from_uuid(Uuid::from_bytes(*game.as_bytes())));
            match announcements.last_mut() {
                Some(last) if last.len() + each.len() <= LONGEST => *last += &each,
                _ => announcements.push(each),
            }
        }
        for announcement in announcements.iter().filter(|announcement| !announcement.is_empty()) {
            let values: Values = &[&CHANNEL, announcement];
            match self.database.within(client.execute("SELECT pg_notify($1, $2)", values)).await {
                // It has none: other nodes look by themselves.
                Err(StatementError::Refused { .. }) => {}
                told => drop(told?),
            }
        }
        Ok(())
    }

    async fn poll(&self, client: &Client) -> Result<(), StatementError> {
        for games in self.local.followed().chunks(POLLED) {
            let games: Vec<_> = games.iter().map(|game| Uuid::from_bytes(*game.as_bytes())).collect();
            let values: Values = &[&games];
            let rows = client.query("SELECT id, version FROM games WHERE id = ANY($1)", values);
            for row in self.database.within(rows).await? {
                let game = GameId::from_bytes(row.get::<_, Uuid>(0).into_bytes());
                self.local.publish(game, row.get::<_, i64>(1).cast_unsigned());
            }
        }
        // Nobody follows anything: a dead connection shall be noticed all the same.
        self.database.within(client.batch_execute("")).await
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, u64>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
