//! Times of a launch: their number and their statistics.
//!
//! Enters: a function that times calls. Leaves: sorted times and the statistics that a record holds. This module must
//! never know what was launched.

use record::{TimeSource, Timing};

/// Launches before the first counted one: they load the code, fill caches and raise the clocks.
pub(crate) const WARM_UP: u32 = 5;
/// The fewest counted launches.
const FEWEST: usize = 10;
/// The most counted launches.
pub const MOST: usize = 300;
/// No further batch is begun once the counted launches took this long, ns.
const ENOUGH_NS: f64 = 250e6;
/// Counted launches between two looks at the spread: on a GPU it is one or several batches.
pub const BATCH: u32 = 15;
/// The confidence interval of the median must be at most this share of the median.
const PRECISION: f64 = 0.01;

/// Sorted times of one launch, ns; at least one.
#[derive(Clone, Debug)]
pub(crate) struct Times(Vec<f64>);

impl Times {
    /// Sorts them; `None` if there are none, or one is not a number.
    pub(crate) fn new(mut times: Vec<f64>) -> Option<Self> {
        if times.is_empty() || times.iter().any(|t| !t.is_finite() || *t < 0.0) {
            return None;
        }
        times.sort_by(f64::total_cmp);
        Some(Times(times))
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    pub(crate) fn min(&self) -> f64 {
        self.0[0]
    }

    pub(crate) fn max(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// Linear between order statistics.
    fn quantile(&self, q: f64) -> f64 {
        let at = q * (self.0.len() - 1) as f64;
        let (below, above) = (self.0[at.floor() as usize], self.0[at.ceil() as usize]);
        below + (above - below) * at.fract()
    }

    /// Width of the 95 % confidence interval of the median, from order statistics (no distribution is assumed: times
    /// have a long upper tail): the ranks n/2 ± 1.96·√n/2.
    fn median_interval(&self) -> f64 {
        let n = self.0.len() as f64;
        let half = 1.96 * n.sqrt() / 2.0;
        let low = (n / 2.0 - half).floor().max(0.0) as usize;
        let high = ((n / 2.0 + half).ceil() as usize).min(self.0.len() - 1);
        self.0[high] - self.0[low]
    }

    pub(crate) fn timing(&self, is: TimeSource) -> Timing {
        let calls = self.0.len();
        Timing {
            is,
            calls: u32::try_from(calls).unwrap_or(u32::MAX),
            median_ns: self.median(),
            mean_ns: self.0.iter().sum::<f64>() / calls as f64,
            min_ns: self.min(),
            max_ns: self.max(),
            iqr_ns: self.quantile(0.75) - self.quantile(0.25),
        }
    }
}

/// Takes times until their spread asks for no more. `time(calls)` launches that often and returns as many times.
///
/// # Errors
/// Any error of `time`.
pub(crate) fn until_steady<E>(mut time: impl FnMut(u32) -> Result<Vec<f64>, E>) -> Result<Option<Times>, E> {
    time(WARM_UP)?;
    let mut all = Vec::new();
    loop {
        let batch = time(BATCH)?;
        let stuck = batch.is_empty();
        all.extend(batch);
        let Some(times) = Times::new(all.clone()) else { return Ok(None) };
        let steady = times.median_interval() <= PRECISION * times.median();
        let long = all.iter().sum::<f64>() >= ENOUGH_NS;
        if stuck || all.len() >= MOST || (all.len() >= FEWEST && (steady || long)) {
            return Ok(Some(times));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls_taken(mut time_of: impl FnMut(usize) -> f64) -> usize {
        let mut made = 0;
        let times = until_steady(|calls| {
            Ok::<_, ()>(
                (0..calls)
                    .map(|_| {
                        made += 1;
                        time_of(made)
                    })
                    .collect(),
            )
        });
        times.ok().flatten().map_or(0, |t| t.0.len())
    }

    #[test]
    fn equal_times_need_the_fewest_calls() {
        assert_eq!(calls_taken(|_| 1000.0), BATCH as usize);
    }

    #[test]
    fn scattered_times_need_more_but_not_forever() {
        assert_eq!(calls_taken(|i| if i % 2 == 0 { 1000.0 } else { 2000.0 }), MOST);
    }

    #[test]
    fn long_calls_end_early() {
        assert_eq!(calls_taken(|i| 1e9 * (1 + i % 3) as f64), BATCH as usize);
    }

    #[test]
    fn the_first_launches_are_never_counted() {
        let mut first = true;
        let times = until_steady(|calls| {
            let t = if first { 1e6 } else { 10.0 };
            first = false;
            Ok::<_, ()>(vec![t; calls as usize])
        });
        assert_eq!(times.ok().flatten().map(|t| t.max()), Some(10.0));
    }

    #[test]
    fn an_outlier_moves_the_mean_and_not_the_median() {
        let timing = Times::new(vec![3.0, 1.0, 2.0, 4.0, 90.0]).map(|t| t.timing(TimeSource::Measured));
        let Some(timing) = timing else { panic!("five times are enough") };
        assert_eq!((timing.median_ns, timing.mean_ns, timing.min_ns, timing.max_ns), (3.0, 20.0, 1.0, 90.0));
        assert_eq!((timing.iqr_ns, timing.calls), (2.0, 5));
    }

    #[test]
    fn a_time_that_is_not_a_number_is_refused() {
        assert!(Times::new(vec![1.0, f64::NAN]).is_none() && Times::new(vec![]).is_none());
    }
}
