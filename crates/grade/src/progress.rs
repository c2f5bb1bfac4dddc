//! Progress of the grading.
//!
//! Enters: the number of steps. Leaves: a progress bar on stderr, if that is a terminal and the work takes noticeably
//! long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: AtomicBool,
}

impl Progress {
    pub(crate) fn new(what: &'static str, steps: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        // The template is a constant; were it wrong, the default style would do.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos:>4}/{len} {msg:20} {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(what);
        Progress { bar, begun: Instant::now(), shown: AtomicBool::new(false) }
    }

    /// Counts a step as done.
    pub(crate) fn step(&self) {
        let late = self.begun.elapsed() > Duration::from_secs(1);
        if late && !self.shown.swap(true, Ordering::Relaxed) {
            // A terminal is what indicatif itself asks for; anything else stays hidden.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
