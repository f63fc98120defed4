//! Notification flag for one waiting task, cheap to poll while it is not raised.
//!
//! The task of a connection polls every reason to close it each time it wakes, at least once per request. A `Notify`
//! takes a lock for that, and a `CancellationToken` takes two that all connections share; this takes one atomic load.

use futures::task::AtomicWaker;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

/// Any task may raise it; one task at a time may wait for it.
#[derive(Debug, Default)]
pub struct Signal {
    is_raised: AtomicBool,
    waiting: AtomicWaker,
}

/// Resolves once a signal is raised, and lowers it.
#[derive(Debug)]
pub struct Raised<'a> {
    signal: &'a Signal,
    /// The registered waker, so that the same task registers once.
    registered: Option<Waker>,
}

impl Signal {
    pub fn raise(&self) {
        self.is_raised.store(true, Ordering::Release);
        self.waiting.wake();
    }

    /// Waits for the signal; returns at once if it was raised before.
    pub fn raised(&self) -> Raised<'_> {
        Raised { signal: self, registered: None }
    }

    /// Whether it was raised; lowers it.
    fn lower(&self) -> bool {
        self.is_raised.load(Ordering::Acquire) && self.is_raised.swap(false, Ordering::AcqRel)
    }
}

impl Future for Raised<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.signal.lower() {
            return Poll::Ready(());
        }
        if self.registered.as_ref().is_none_or(|registered| !registered.will_wake(context.waker())) {
            self.signal.waiting.register(context.waker());
            self.registered = Some(context.waker().clone());
            // It may have been raised just before the waker was registered.
            if self.signal.lower() {
                return Poll::Ready(());
            }
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn what_was_raised_before_is_noticed_once() {
        let signal = Signal::default();
        assert!(signal.raised().now_or_never().is_none());
        signal.raise();
        assert!(signal.raised().now_or_never().is_some());
        assert!(signal.raised().now_or_never().is_none());
    }

    #[tokio::test]
    async fn a_waiting_task_is_woken_even_after_another_gave_up() {
        let signal = Signal::default();
        let mut given_up = signal.raised();
        assert!((&mut given_up).now_or_never().is_none());
        drop(given_up);
        let raise = async {
            tokio::task::yield_now().await;
            signal.raise();
        };
        tokio::join!(signal.raised(), raise);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_signal_is_lost_between_threads() {
        for _ in 0..2_000 {
            let signal = Arc::new(Signal::default());
            let raised = signal.clone();
            let waiting = tokio::spawn(async move { raised.raised().await });
            signal.raise();
            tokio::time::timeout(Duration::from_secs(10), waiting).await.expect("it is woken").expect("it ends");
        }
    }
}
