//! A progress bar for work that takes over a second, with the time that is left once that is known.
//!
//! Enters: the work of the steps, and each step's name. Leaves: a bar on stderr, if that is a terminal and the work takes
//! noticeably long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

pub(crate) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    estimate: Estimate,
    /// Whether the decision is final: the bar is drawn, or never will be.
    decided: bool,
}

impl Progress {
    /// A bar of steps with this much work each, in any unit; one that is not wanted is never drawn.
    pub(crate) fn new(work: Vec<f64>, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(work.len() as u64), ProgressDrawTarget::hidden());
        // The template is a constant; were it wrong, the default style would do.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos:>4}/{len} {msg:32} {prefix}") {
            bar.set_style(style);
        }
        Progress { bar, begun: Instant::now(), estimate: Estimate::new(work), decided: !wanted }
    }

    /// Shows the next step's name.
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
        let left = self.estimate.after(self.begun.elapsed());
        self.bar.set_prefix(left.map(|left| format!("{} left", rough(left))).unwrap_or_default());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// `about 40 s`, `about 3 min`: as exactly as it is known.
fn rough(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 55.0 {
        format!("about {} s", (seconds / 5.0).ceil().max(1.0) * 5.0)
    } else {
        format!("about {} min", (seconds / 60.0).round().max(1.0))
    }
}

/// Steps in a row whose predictions must agree before one is shown.
const AGREEING: usize = 4;
/// Largest of their predictions of the whole time by the smallest, where they agree.
const AGREE: f64 = 1.25;

/// The time that is left, found from the work of the steps and the time that those until now have taken: it is known once work
/// takes as long as it did before, and until then none is shown.
struct Estimate {
    work: Vec<f64>,
    all: f64,
    /// Work of the steps until now.
    done: f64,
    steps: usize,
    /// The latest predictions of the whole time, seconds.
    predicted: Vec<f64>,
}

impl Estimate {
    fn new(work: Vec<f64>) -> Self {
        let all = work.iter().sum();
        Estimate { work, all, done: 0.0, steps: 0, predicted: vec![] }
    }

    /// The time left after one more step, this long after the beginning.
    fn after(&mut self, elapsed: Duration) -> Option<Duration> {
        self.done += self.work.get(self.steps).copied().unwrap_or(0.0);
        self.steps += 1;
        let elapsed = elapsed.as_secs_f64();
        let whole = elapsed * self.all / self.done;
        if !whole.is_finite() {
            return None;
        }
        if self.predicted.len() == AGREEING {
            self.predicted.remove(0);
        }
        self.predicted.push(whole);
        let [least, most] = [f64::min, f64::max].map(|of| self.predicted.iter().copied().reduce(of));
        let agree = most? <= AGREE * least? && self.predicted.len() == AGREEING;
        // Less than a tenth of the work says little about the rest.
        let enough = 10.0 * self.done >= self.all;
        (agree && enough).then(|| Duration::from_secs_f64((whole - elapsed).max(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time shown after each step, seconds, for steps that take this long.
    fn reported(steps: &[(f64, f64)]) -> Vec<Option<u64>> {
        let mut estimate = Estimate::new(steps.iter().map(|(work, _)| *work).collect());
        let mut elapsed = 0.0;
        let after = |(_, seconds): &(f64, f64)| {
            elapsed += seconds;
            let left = estimate.after(Duration::from_secs_f64(elapsed));
            left.map(|left| left.as_secs_f64().round() as u64)
        };
        steps.iter().map(after).collect()
    }

    #[test]
    fn the_time_left_follows_the_work_that_is_left() {
        let growing: Vec<(f64, f64)> = (0..8).map(|n| f64::from(1 << n)).map(|n| (n, n)).collect();
        assert_eq!(reported(&growing)[5..], [Some(192), Some(128), Some(0)]);
    }

    #[test]
    fn nothing_is_said_before_it_is_known() {
        // The first steps take longer than their work: caches are cold, kernels are compiled.
        let mut steps = vec![(1.0, 1.0); 20];
        steps[0] = (1.0, 10.0);
        let reported = reported(&steps);
        assert_eq!(reported[..4], [None; 4], "{reported:?}");
        // A second a step is left, and no more than half as much again is ever shown.
        for (n, left) in reported.iter().enumerate() {
            let really = (19 - n) as u64;
            assert!(left.is_none_or(|left| left <= 2 * really), "after {n}: {left:?} of {really}");
        }
        assert_eq!(reported.last(), Some(&Some(0)));
    }

    #[test]
    fn a_time_is_shown_as_exactly_as_it_is_known() {
        for (seconds, words) in
            [(0.4, "about 5 s"), (12.0, "about 15 s"), (59.0, "about 1 min"), (200.0, "about 3 min")]
        {
            assert_eq!(rough(Duration::from_secs_f64(seconds)), words);
        }
    }
}
