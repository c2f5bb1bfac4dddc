//! Progress of work that takes over a second, shown only where standard error is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A line with the time gone and what is done now.
pub(crate) struct Spinner {
    bar: ProgressBar,
    /// Closed when there is nothing to wait for any more.
    open: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Spinner {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        // The template is a constant; were it wrong, the default style would do.
        if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {msg}") {
            bar.set_style(style);
        }
        let (open, closed) = channel();
        let shown = bar.clone();
        // A launch may be one long call, so another thread must watch the clock.
        let thread = std::thread::spawn(move || {
            if closed.recv_timeout(Duration::from_secs(1)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(250));
            }
        });
        Spinner { bar, open: Some(open), thread: Some(thread) }
    }

    /// Says what comes next.
    pub(crate) fn begin(&self, what: &str) {
        self.bar.set_message(record::text::visible(what).into_owned());
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        drop(self.open.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it cannot panic, and if it did there is nothing to undo
        }
        self.bar.finish_and_clear();
    }
}
