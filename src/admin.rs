//! The operator's door to a running server: a socket in the data folder that only its owner can open.
//!
//! sled admits one process, so whoever wants a backup of a running server has to ask the server.

use crate::clock::SystemClock;
use crate::games::ports::Clock;
use crate::store::sled::SledStore;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::IntoResponse;
use axum::routing::get;
use futures::{future, stream};
use std::fs::{self, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use tokio::net::UnixListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How much of a backup may wait for a slow reader.
const CHUNKS: usize = 16;
const CHUNK: usize = 64 * 1024;

/// The header that says up to which commit a backup is complete; it may hold some of what came after.
pub const COMMIT: &str = "ludotheque-commit";

/// Listens until the server closes. A socket left by a server that was killed is replaced.
pub fn listen(socket: &Path, store: Arc<SledStore>, closing: CancellationToken) -> io::Result<JoinHandle<()>> {
    match fs::remove_file(socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(socket)?;
    fs::set_permissions(socket, Permissions::from_mode(0o600))?;
    let router = Router::new().route("/backup", get(move || future::ready(backup(&store))));
    let socket = socket.to_owned();
    Ok(tokio::spawn(async move {
        let served = axum::serve(listener, router).with_graceful_shutdown(closing.cancelled_owned()).await;
        if let Err(error) = served.and_then(|()| fs::remove_file(socket)) {
            tracing::warn!(%error, "the operator's socket could not be closed");
        }
    }))
}

/// Streams an export; what goes wrong on the way breaks the stream off, which the missing last line shows.
fn backup(store: &Arc<SledStore>) -> impl IntoResponse + use<> {
    let (store, commit) = (store.clone(), store.commit());
    let (sender, receiver) = mpsc::channel(CHUNKS);
    tokio::task::spawn_blocking(move || {
        let out = BufWriter::with_capacity(CHUNK, Pipe(sender.clone()));
        match store.export(out, SystemClock.now(), &|_, _| ()) {
            Ok(end) => tracing::info!(games = end.games, commit, "backed up"),
            Err(error) => {
                tracing::error!(%error, "a backup failed");
                let _gone = sender.blocking_send(Err(io::Error::other(error.to_string())));
            }
        }
    });
    let chunks = stream::unfold(receiver, |mut chunks| async { chunks.recv().await.map(|chunk| (chunk, chunks)) });
    ([(COMMIT, commit.to_string())], Body::from_stream(chunks))
}

/// Writing into the body of a reply.
struct Pipe(mpsc::Sender<io::Result<Bytes>>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let chunk = Bytes::copy_from_slice(bytes);
        self.0.blocking_send(Ok(chunk)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
