//! Backup of a running server through its admin socket, or of the shared database.

use super::Result;
use super::data::{UnfinishedFile, write_out};
use crate::admin::COMMIT_HEADER;
use crate::config::Settings;
use crate::store::export_format::LineReader;
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use indicatif::{HumanBytes, ProgressBar};
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::UnixStream;

pub fn backup(settings: &Settings, file: &Path, overwrite: bool) -> Result<ExitCode> {
    if !overwrite && file.exists() {
        let file = file.display();
        return Err(format!("{file} exists already; name another file, or replace it with --overwrite").into());
    }
    let unfinished = UnfinishedFile::create(file)?;
    let upto = if settings.store.is_some() {
        unfinished.fill(|out| write_out(settings, out))?;
        "as of the moment it began".to_owned()
    } else {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let commit = unfinished.fill(|out| runtime.block_on(fetch(&settings.admin_socket(), out)))?;
        format!("everything up to commit {commit}")
    };
    // Read it back up to the checksum in the last line, to make sure that it is complete.
    let mut reader = LineReader::start(BufReader::new(File::open(unfinished.path())?))?;
    while reader.read()?.is_some() {}
    unfinished.keep()?;
    let end = reader.end();
    println!(
        "backed up {} games with {} steps and {} players; {} is in {}",
        end.games,
        end.steps,
        end.players,
        upto,
        file.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Returns the commit up to which the backup is complete.
async fn fetch(socket: &Path, out: &mut impl Write) -> Result<String> {
    let stream = UnixStream::connect(socket).await;
    let stream = stream.map_err(|error| {
        format!("no server answers at {}: {error}. If the server is stopped, use `export`", socket.display())
    })?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = hyper::Request::get("/backup").header("host", "admin").body(Empty::<Bytes>::new())?;
    let response = sender.send_request(request).await?;
    let commit = response.headers().get(COMMIT_HEADER).ok_or("the answer is not a backup")?.to_str()?.to_owned();
    let mut body = response.into_body();
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    let mut bytes = 0;
    while let Some(frame) = body.frame().await {
        if let Ok(chunk) = frame?.into_data() {
            out.write_all(&chunk)?;
            bytes += chunk.len() as u64;
            bar.set_message(format!("{}", HumanBytes(bytes)));
        }
    }
    bar.finish_and_clear();
    Ok(commit)
}
