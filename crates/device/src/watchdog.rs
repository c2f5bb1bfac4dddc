//! A thread that reports when a call of the driver takes too long.
//!
//! A kernel that runs on a GPU cannot be stopped, and a thread that waits for it may wait forever: only ending the
//! process helps. That is for the program to decide; this thread notifies it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Launch that is waited for.
#[derive(Default)]
struct State {
    /// Until when, and what it is.
    armed: Option<(Instant, String)>,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // No thread panics while holding it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells when something takes longer than it may.
pub(crate) struct Watchdog {
    limit: Duration,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// `expired` is called, on another thread, with what took longer than `limit`. `None` where no thread can be had.
    pub(crate) fn new(limit: Duration, expired: impl Fn(&str) + Send + 'static) -> Option<Self> {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let watched = Arc::clone(&shared);
        let thread =
            std::thread::Builder::new().name("watchdog".into()).spawn(move || watch(&watched, &expired));
        Some(Watchdog { limit, shared, thread: Some(thread.ok()?) })
    }

    /// From now until the returned guard is dropped, `what` may take this many times the limit.
    pub(crate) fn arm(&self, what: String, times: u32) -> Armed {
        let until = self.limit.checked_mul(times.max(1)).and_then(|limit| Instant::now().checked_add(limit));
        self.shared.state().armed = until.map(|until| (until, what));
        self.shared.changed.notify_one();
        Armed(Arc::clone(&self.shared))
    }
}

/// Guard of a watched launch, for as long as it lives.
pub(crate) struct Armed(Arc<Shared>);

impl Drop for Armed {
    fn drop(&mut self) {
        self.0.state().armed = None;
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.state().closed = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // It has nothing to say.
            let _ = thread.join();
        }
    }
}

fn watch(shared: &Shared, expired: &impl Fn(&str)) {
    let mut state = shared.state();
    while !state.closed {
        let now = Instant::now();
        let left = state.armed.as_ref().map(|(until, _)| until.saturating_duration_since(now));
        state = match left {
            None => shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(Duration::ZERO) => {
                let what = state.armed.take().map(|(_, what)| what).unwrap_or_default();
                drop(state);
                expired(&what);
                shared.state()
            }
            Some(left) => shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn watchdog(limit: Duration) -> Option<(Watchdog, mpsc::Receiver<String>)> {
        let (tell, told) = mpsc::channel();
        let watchdog = Watchdog::new(limit, move |what| {
            let _ = tell.send(what.to_owned());
        })?;
        Some((watchdog, told))
    }

    #[test]
    fn a_call_that_takes_too_long_is_reported_by_its_name() {
        let Some((watchdog, told)) = watchdog(Duration::from_millis(20)) else { panic!("no thread") };
        drop(watchdog.arm("short".to_owned(), 1));
        let _armed = watchdog.arm("long".to_owned(), 2);
        assert_eq!(told.recv_timeout(Duration::from_secs(60)).as_deref(), Ok("long"));
    }

    #[test]
    fn a_call_that_ends_in_time_is_not_reported() {
        let Some((watchdog, told)) = watchdog(Duration::from_secs(3600)) else { panic!("no thread") };
        for _ in 0..100 {
            drop(watchdog.arm("short".to_owned(), 1));
        }
        drop(watchdog);
        assert!(told.recv().is_err());
    }
}
