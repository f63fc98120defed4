//! Starting the server, and what it says to whoever started it.

use super::Result;
use crate::app::App;
use crate::config::Settings;
use crate::server;
use crate::store::sled::SledStore;
use std::net::SocketAddr;
use std::process::ExitCode;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

pub fn serve(settings: &Settings) -> Result<ExitCode> {
    let filter = EnvFilter::try_new(&settings.log)?;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let store = SledStore::open(&settings.store_folder(), &settings.store())?;
    let (keys, tokens) = (settings.keys()?, settings.tokens()?);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let app = App::new(store.clone(), store.clone(), keys, tokens);
        let listener = TcpListener::bind(settings.listen).await;
        let listener = listener.map_err(|error| format!("can't listen on {}: {error}", settings.listen))?;
        let address = listener.local_addr()?;
        println!("{}", welcome(address));
        tracing::info!(%address, data = %settings.data.display(), "serving");
        server::run(listener, app, until_told()?).await?;
        tracing::info!("stopped: every answered move is on disk");
        Ok::<_, Box<dyn std::error::Error>>(())
    })?;
    // Whatever still reads, reads to the end; then the store closes in order.
    drop(runtime);
    store.close();
    Ok(ExitCode::SUCCESS)
}

/// Resolves on SIGTERM or Ctrl-C.
fn until_told() -> Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Where to go, and three lines to paste into another terminal: create a game, join it, play.
pub fn welcome(address: SocketAddr) -> String {
    format!(
        r#"Ludotheque listens on http://{address}. Its API is described at http://{address}/openapi.json.
Paste these three lines into another terminal: Ada makes a game of Chips, Bob joins and Ada starts it, Ada plays a move.

U=http://{address}/v1; get() {{ sed 's/.*"'$1'":"\([^"]*\)".*/\1/'; }}; ADA=$(curl -s $U/players --json '{{"displayName":"Ada"}}' | get accessToken); GAME=$(curl -s $U/games -H "Authorization: Bearer $ADA" --json '{{"kind":"CHIPS","seats":2}}' | sed 's/.*"\(game_[0-9a-f]*\)".*/\1/'); echo $GAME
BOB=$(curl -s $U/players --json '{{"displayName":"Bob"}}' | get accessToken); curl -s -X POST $U/games/$GAME/seats -H "Authorization: Bearer $BOB"; echo; curl -s -X POST $U/games/$GAME/start -H "Authorization: Bearer $ADA"; echo
MOVE=$(curl -s $U/games/$GAME/legal-moves -H "Authorization: Bearer $ADA" | sed 's/.*"moves":\[{{"id":"\([^"]*\)".*/\1/'); curl -s $U/games/$GAME/moves -H "Authorization: Bearer $ADA" --json "{{\"id\":\"$MOVE\"}}"; echo
"#
    )
}
