//! Chromium, as a process that we drive over its own protocol (`DevTools`), so that nothing else has to be installed.

use crate::page::Page;
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use test_support::Program;

/// No sandbox, because tests may run as root; no errands of its own, because the only thing to be asked is our server.
const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-port=0",
    "--window-size=1360,900",
];

/// A browser with a profile of its own, until dropped.
pub struct Browser {
    process: Child,
    profile: TempDir,
}

impl Browser {
    pub fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("chromium");
        command.args(FLAGS).arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap_or_else(|error| {
            let missing = error.kind() == ErrorKind::NotFound;
            let why =
                if missing { "it is not installed: ./scripts/test does, or Debian's package chromium" } else { "" };
            panic!("chromium can't be started: {error}; {why}")
        });
        Self { process, profile }
    }

    /// Opens a page of a server, for somebody who reads this language.
    pub async fn open(&self, server: &Program, path: &str, language: &str) -> Page {
        let mut page = Page::connect(&self.tab().await, &server.url).await;
        page.reads(language).await;
        page.goes_to(path).await;
        page
    }

    /// The address under which the browser's one tab is driven.
    async fn tab(&self) -> String {
        let file = self.profile.path().join("DevToolsActivePort");
        // A minute at most.
        for _ in 0..600 {
            if let Some(port) = fs::read_to_string(&file).ok().as_deref().and_then(|text| text.lines().next())
                && let Ok(answer) = reqwest::get(format!("http://127.0.0.1:{port}/json/list")).await
                && let Ok(tabs) = answer.json::<Value>().await
                && let Some(tab) = tabs.as_array().into_iter().flatten().find(|tab| tab["type"] == "page")
            {
                return tab["webSocketDebuggerUrl"].as_str().unwrap().to_owned();
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("chromium did not open a page within a minute");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _already_dead = self.process.kill().and_then(|()| self.process.wait());
    }
}
