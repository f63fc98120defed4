//! The `serve` command: opens the store, starts the server, and prints how to try it.

use super::{Result, log};
use crate::admin;
use crate::app::{self, App};
use crate::auth::Keys;
use crate::config::{Settings, observer};
use crate::edge::metrics::Metrics;
use crate::rules::Info;
use crate::rules::any::AnyRules;
use crate::rules::catalog::Catalog;
use crate::server;
use crate::store::postgres::{self, Migrated, PostgresNotifier, PostgresStore};
use crate::store::sled::SledStore;
use crate::texts::Language;
use std::error::Error;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

pub fn serve(settings: &Settings, catalog: Catalog) -> Result<ExitCode> {
    let _logging = log::start(settings)?;
    let metrics = Arc::<Metrics>::default();
    let service = settings.app(catalog, metrics.clone())?;
    match settings.database(observer(metrics.clone())) {
        Some(database) => tokio::runtime::Runtime::new()?.block_on(serve_database(settings, &database, service))?,
        None => serve_folder(settings, service, metrics)?,
    }
    tracing::info!("stopped; every acknowledged move is stored");
    Ok(ExitCode::SUCCESS)
}

/// Serves the embedded store, which only one process can open.
fn serve_folder(settings: &Settings, service: app::Settings, metrics: Arc<Metrics>) -> Result<()> {
    let store = SledStore::open(&settings.store_folder(), &settings.served_store(metrics))?;
    tracing::info!(data = %settings.data.display(), "store opened");
    let keys = settings.keys()?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let app = App::new(store.clone(), store.clone(), keys, service);
        let operator = admin::listen(&settings.admin_socket(), store.clone(), app.closing.clone())?;
        run(settings, app).await?;
        operator.await?;
        Ok::<_, Box<dyn Error>>(())
    })?;
    // Dropping the runtime waits for reads that are still running on its threads.
    drop(runtime);
    store.close();
    Ok(())
}

/// Serves a database that several nodes share. The data folder is not used.
async fn serve_database(settings: &Settings, database: &postgres::Settings, mut service: app::Settings) -> Result<()> {
    if !settings.no_migrate {
        let Migrated { from, to } = postgres::migrate(database).await?;
        if from != to {
            tracing::info!(from, to, "migrated the tables");
        }
    }
    let store = PostgresStore::open(database).await?;
    let keys = match settings.signing_key[..] {
        [] => {
            let vault = store.vault();
            tokio::task::spawn_blocking(|| Keys::in_vault(Box::new(vault))).await??
        }
        _ => settings.keys()?,
    };
    service.notifier = Some(Arc::new(PostgresNotifier::start(database)?));
    let app = App::new(store.clone(), store.clone(), keys, service);
    run(settings, app).await?;
    store.close().await;
    Ok(())
}

/// Listens and serves until a stop signal.
async fn run(settings: &Settings, app: Arc<App>) -> Result<()> {
    let public = listen(settings.listen).await?;
    let address = public.local_addr()?;
    // Serve even if standard output is closed.
    let _unread = writeln!(io::stdout(), "{}", welcome(address, &app));
    tracing::info!(%address, "serving");
    let admin = match settings.admin_listen {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    if let Some(admin) = &admin {
        tracing::info!(address = %admin.local_addr()?, "serving operator endpoints");
    }
    let limits = settings.connection_limits()?;
    Ok(server::run(server::Listeners { public, admin, limits }, app, stop_signal()?).await?)
}

async fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| format!("can't listen on {address}: {error}").into())
}

/// Resolves on SIGTERM or Ctrl-C.
fn stop_signal() -> Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Addresses for a browser, and three lines to paste into another terminal: create a game, join it, play.
fn welcome(address: SocketAddr, app: &App) -> String {
    let addresses = format!(
        "Ludotheque listens on http://{address}. Its API is described at http://{address}/docs.\n\
         Open http://{address}/playground in a browser and play there, both sides of the table if you like."
    );
    // A kind with simultaneous moves, so that Ada can move first.
    let is_fit = |info: &&Info| info.simultaneous && info.seats.contains(&2);
    let Some(info) = app.games.offer.newest_of_all().map(AnyRules::info).find(is_fit) else { return addresses };
    let (kind, name) = (info.kind, app.texts.render(&info.name(), Language::En));
    format!(
        r#"{addresses}
Or paste these three lines into another terminal: Ada makes a game of {name}, Bob joins and Ada starts it, Ada plays a move.

U=http://{address}/v1; get() {{ sed 's/.*"'$1'":"\([^"]*\)".*/\1/'; }}; ADA=$(curl -s $U/players --json '{{"displayName":"Ada"}}' | get accessToken); GAME=$(curl -s $U/games -H "Authorization: Bearer $ADA" --json '{{"kind":"{kind}","seats":2}}' | sed 's/.*"\(game_[0-9a-f]*\)".*/\1/'); echo $GAME
BOB=$(curl -s $U/players --json '{{"displayName":"Bob"}}' | get accessToken); curl -s -X POST $U/games/$GAME/seats -H "Authorization: Bearer $BOB"; echo; curl -s -X POST $U/games/$GAME/start -H "Authorization: Bearer $ADA"; echo
MOVE=$(curl -s $U/games/$GAME/legal-moves -H "Authorization: Bearer $ADA" | sed 's/.*"moves":\[{{"id":"\([^"]*\)".*/\1/'); curl -s $U/games/$GAME/moves -H "Authorization: Bearer $ADA" --json "{{\"id\":\"$MOVE\"}}"; echo
"#
    )
}
