//! Admin socket: a Unix socket in the data folder that only its owner can open.
//!
//! sled admits one process only, so a backup of a running server has to be requested from that server.

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

/// How many chunks of a backup are buffered for a slow reader.
const QUEUED_CHUNKS: usize = 16;
const CHUNK_BYTES: usize = 64 * 1024;

/// Response header with the number of the last commit that a backup surely contains; it may contain later ones.
pub const COMMIT_HEADER: &str = "ludotheque-commit";

/// Serves the socket until the server closes. Replaces a socket left by a killed server.
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
            tracing::warn!(%error, "the admin socket could not be removed");
        }
    }))
}

/// Streams an export. An error aborts the stream; the client notices that the last line is missing.
fn backup(store: &Arc<SledStore>) -> impl IntoResponse + use<> {
    let (store, commit) = (store.clone(), store.commit());
    let (sender, receiver) = mpsc::channel(QUEUED_CHUNKS);
    tokio::task::spawn_blocking(move || {
        let out = BufWriter::with_capacity(CHUNK_BYTES, BodyWriter(sender.clone()));
        match store.export(out, SystemClock.now(), &|_, _| ()) {
            Ok(end) => tracing::info!(games = end.games, commit, "backed up"),
            Err(error) => {
                tracing::error!(%error, "a backup failed");
                let _ = sender.blocking_send(Err(io::Error::other(error.to_string())));
            }
        }
    });
    let chunks = stream::unfold(receiver, |mut chunks| async { chunks.recv().await.map(|chunk| (chunk, chunks)) });
    ([(COMMIT_HEADER, commit.to_string())], Body::from_stream(chunks))
}

/// Writes into a response body.
struct BodyWriter(mpsc::Sender<io::Result<Bytes>>);

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let chunk = Bytes::copy_from_slice(bytes);
        self.0.blocking_send(Ok(chunk)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
