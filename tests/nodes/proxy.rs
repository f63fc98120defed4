//! A link that can be cut: between a node and its database, passing everything on until told otherwise.

use std::net::SocketAddr;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How the link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    Whole,
    /// Drops everything silently.
    Stalled,
    /// Everything there is breaks off, and nothing new is let in.
    Cut,
}

/// A link to an address.
pub struct Proxy {
    pub port: u16,
    link: watch::Sender<Link>,
    running: JoinHandle<()>,
}

impl Proxy {
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let link = watch::Sender::new(Link::Whole);
        let own = listener.local_addr().expect("an address").port();
        let running = tokio::spawn(accept(listener, SocketAddr::from(([127, 0, 0, 1], port)), link.clone()));
        Self { port: own, link, running }
    }

    pub fn set(&self, link: Link) {
        self.link.send_replace(link);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn accept(listener: TcpListener, to: SocketAddr, link: watch::Sender<Link>) {
    loop {
        let Ok((near, _)) = listener.accept().await else { continue };
        tokio::spawn(pass(near, to, link.subscribe()));
    }
}

async fn pass(mut near: TcpStream, to: SocketAddr, mut link: watch::Receiver<Link>) {
    // New connections wait while nothing passes, like existing ones.
    let is_whole = link.wait_for(|link| *link != Link::Stalled).await.is_ok_and(|link| *link == Link::Whole);
    if !is_whole {
        return reset(&near);
    }
    let Ok(mut far) = TcpStream::connect(to).await else { return reset(&near) };
    let is_stalled = tokio::select! {
        _ended = copy_bidirectional(&mut near, &mut far) => return,
        changed = link.wait_for(|link| *link != Link::Whole) => changed.is_ok_and(|link| *link == Link::Stalled),
    };
    // What was read on one side and not yet written on the other is lost with the link.
    if is_stalled {
        let _gone = link.wait_for(|link| *link == Link::Cut).await.is_ok();
    }
    reset(&near);
    reset(&far);
}

/// Ends a connection the hard way.
fn reset(stream: &TcpStream) {
    let _gone = stream.set_zero_linger();
}
