//! A progress bar for work that takes over a second.
//!
//! Enters: the number of steps, and each step's name. Leaves: a bar on stderr, if that is a terminal and the work takes
//! noticeably long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

pub(crate) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    /// Whether the decision is final: the bar is drawn, or never will be.
    decided: bool,
}

impl Progress {
    /// A bar of so many steps; one that is not wanted is never drawn.
    pub(crate) fn new(steps: usize, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        // The template is a constant; were it wrong, the default style would do.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos:>4}/{len} {msg:32} {eta} left") {
            bar.set_style(style);
        }
        Progress { bar, begun: Instant::now(), decided: !wanted }
    }

    /// Says what comes next.
    pub(crate) fn begin(&mut self, what: &str) {
        if !self.decided && self.begun.elapsed() > Duration::from_secs(1) {
            // A terminal is what indicatif itself asks for; anything else stays hidden.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.decided = true;
        }
        self.bar.set_message(record::text::visible(what).into_owned());
    }

    /// The step is done.
    pub(crate) fn end(&mut self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
