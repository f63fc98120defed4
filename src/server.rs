//! Listening: connections with deadlines, and an orderly end.
//!
//! axum's own loop sets no timer, so a client that sends half a header would be waited for for ever; this one does.

use crate::app::{App, router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How long a request's header may take, and how long a connection may be idle between two requests.
const HEADER_DEADLINE: Duration = Duration::from_secs(30);
/// How long requests in flight are waited for when the server shuts down.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);
/// After a failed accept (no more descriptors, say): time for some to come free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown` resolves; then ends streams, answers what is in flight, and returns.
pub async fn run(listener: TcpListener, app: Arc<App>, shutdown: impl Future<Output = ()>) -> io::Result<()> {
    let service = router(app.clone());
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_DEADLINE);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(HEADER_DEADLINE));
    let connections = GracefulShutdown::new();
    tokio::spawn(app.identity.clone().keep_tending(app.closing.clone()));
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        // Answers are small and wanted at once.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "no delay could not be set");
        }
        let service = TowerToHyperService::new(service.clone());
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(error, "a connection broke off");
            }
        });
    }
    drop(listener);
    app.closing.cancel();
    if tokio::time::timeout(DRAIN_DEADLINE, connections.shutdown()).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
    app.games.drain().await;
    Ok(())
}
