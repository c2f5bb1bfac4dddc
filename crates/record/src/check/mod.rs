//! Conditions on a record beyond its types.

mod rules;
mod trace;

use crate::error::{Error, Result};
use crate::launch::Launch;
use crate::types::{Experiment, Point, Record, TimeSource, Timing, VERSION};
use crate::types::{MOST_SOURCE_BYTES, VERSION_WITH_SOURCES};
use rules::{finite, hash_holds, names_hold, unique, wrong};

impl Record {
    /// Checks every condition that the types cannot express.
    ///
    /// # Errors
    /// The first field that breaks one.
    pub fn check(&self) -> Result {
        if !(VERSION..=VERSION_WITH_SOURCES).contains(&self.version) {
            return Err(Error::Version { found: self.version });
        }
        let holds = self.kernels.iter().any(|kernel| kernel.source.is_some());
        let is_for_sources = self.version == VERSION_WITH_SOURCES;
        if holds != is_for_sources {
            let what = if holds { "a kernel has its source" } else { "no kernel has its source" };
            return wrong("version", format!("is {}, and {what}", self.version));
        }
        if self.lab.is_empty() {
            return wrong("lab", "is empty");
        }
        for (i, kernel) in self.kernels.iter().enumerate() {
            for (name, hash) in [("cu_sha256", &kernel.cu_sha256), ("ptx_sha256", &kernel.ptx_sha256)] {
                hash_holds(|| format!("kernels[{i}].{name}"), hash, 64)?;
            }
            if let Some(source) = &kernel.source {
                let at = || format!("kernels[{i}].source");
                if source.len() > MOST_SOURCE_BYTES {
                    return wrong(at(), format!("has more than {MOST_SOURCE_BYTES} bytes"));
                }
            }
        }
        for (i, check) in self.checks.iter().enumerate() {
            for (j, hash) in check.outputs.iter().enumerate() {
                hash_holds(|| format!("checks[{i}].outputs[{j}]"), hash, 16)?;
            }
        }
        unique("experiments", self.experiments.iter().map(|e| e.id.as_str()))?;
        unique("checks", self.checks.iter().map(|c| c.id.as_str()))?;
        unique("claims", self.claims.iter().map(|c| c.id.as_str()))?;
        for (name, fact) in &self.facts {
            finite(|| format!("facts.{name}.value"), fact.value)?;
        }
        for (i, experiment) in self.experiments.iter().enumerate() {
            experiment_holds(experiment, &format!("experiments[{i}]"), self.device.source())?;
        }
        trace::hold(&self.traces)
    }
}

fn experiment_holds(experiment: &Experiment, at: &str, source: TimeSource) -> Result {
    if experiment.series.is_empty() {
        return wrong(format!("{at}.series"), "has no series");
    }
    unique(&format!("{at}.series"), experiment.series.iter().map(|s| s.id.as_str()))?;
    for (i, series) in experiment.series.iter().enumerate() {
        if series.points.is_empty() {
            return wrong(format!("{at}.series[{i}].points"), "has no points");
        }
        let mut last = f64::NEG_INFINITY;
        for (j, point) in series.points.iter().enumerate() {
            let at = format!("{at}.series[{i}].points[{j}]");
            point_holds(point, &at)?;
            if point.x <= last {
                return wrong(format!("{at}.x"), format!("{} does not rise from {last}", point.x));
            }
            last = point.x;
            if point.time.as_ref().is_some_and(|time| time.is != source) {
                return wrong(
                    format!("{at}.time.is"),
                    "contradicts the device: a GPU measures, the embedded device models",
                );
            }
        }
    }
    Ok(())
}

fn point_holds(point: &Point, at: &str) -> Result {
    let Point { x, y, y_min, y_max, launch, operation, time, counters, hardware } = point;
    for (name, value) in [("x", x), ("y", y), ("y_min", y_min), ("y_max", y_max)] {
        finite(|| format!("{at}.{name}"), *value)?;
    }
    if !(y_min <= y && y <= y_max) {
        return wrong(format!("{at}.y"), format!("{y} is not between y_min {y_min} and y_max {y_max}"));
    }
    match launch {
        Some(launch) => launch_holds(launch, &format!("{at}.launch"))?,
        None if operation.as_ref().is_none_or(String::is_empty) => {
            return wrong(at, "has neither a launch nor an operation");
        }
        None => {}
    }
    if let Some(time) = time {
        timing_holds(time, &format!("{at}.time"))?;
    }
    for (field, counters) in [("counters", counters), ("hardware", hardware)] {
        names_hold(counters, &format!("{at}.{field}"))?;
    }
    Ok(())
}

fn launch_holds(launch: &Launch, at: &str) -> Result {
    if launch.kernel.is_empty() {
        return wrong(format!("{at}.kernel"), "is empty");
    }
    for (name, size) in [("grid", launch.grid), ("block", launch.block)] {
        if size.contains(&0) {
            return wrong(format!("{at}.{name}"), format!("{size:?} has a zero"));
        }
    }
    Ok(())
}

fn timing_holds(time: &Timing, at: &str) -> Result {
    let Timing { is: _, calls, median_ns, mean_ns, min_ns, max_ns, iqr_ns } = time;
    if *calls == 0 {
        return wrong(format!("{at}.calls"), "no launch was counted");
    }
    for (name, value) in [
        ("median_ns", median_ns),
        ("mean_ns", mean_ns),
        ("min_ns", min_ns),
        ("max_ns", max_ns),
        ("iqr_ns", iqr_ns),
    ] {
        finite(|| format!("{at}.{name}"), *value)?;
        if *value < 0.0 {
            return wrong(format!("{at}.{name}"), format!("{value} is below zero"));
        }
    }
    if !(min_ns <= median_ns && median_ns <= max_ns) {
        return wrong(format!("{at}.median_ns"), format!("{median_ns} is not between {min_ns} and {max_ns}"));
    }
    // The mean of equal numbers may miss them by a rounding.
    let slack = max_ns * 1e-9;
    if *mean_ns < min_ns - slack || *mean_ns > max_ns + slack {
        return wrong(format!("{at}.mean_ns"), format!("{mean_ns} is not between {min_ns} and {max_ns}"));
    }
    Ok(())
}
