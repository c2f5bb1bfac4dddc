//! Single numbers from the experiments.

use crate::facts::Facts;
use record::{Experiment, Fact, Point, Record, Series};
use std::collections::BTreeMap;

/// Share of the best bandwidth between whose two sides a size is looked for.
const HALF: f64 = 0.5;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    if let Some(transfer) = record.experiment("transfer") {
        transfers(&mut facts, transfer);
    }
    if let Some(add) = record.experiment("add") {
        kernels(&mut facts, add);
    }
    if let Some(parts) = record.experiment("parts") {
        shares(&mut facts, parts);
    }
    if let Some(allocation) = record.experiment("allocation") {
        allocation.series.iter().for_each(|series| allocations(&mut facts, series));
    }
    facts.done()
}

/// Time of the smallest and of the largest, and between which sizes it rises most.
fn allocations(facts: &mut Facts, series: &Series) {
    let (small, large) = (series.points.first(), series.points.last());
    for (which, point) in [("smallest", small), ("largest", large)] {
        let Some(point) = point else { continue };
        let what = format!("{}: time for the {which} size", series.label);
        facts.put(format!("{}_{which}", series.id), point.y, "ns", what);
    }
    let rise = |pair: &[Point]| pair[1].y / pair[0].y;
    if let Some([before, after]) = series.points.windows(2).max_by(|a, b| rise(a).total_cmp(&rise(b))) {
        for (which, point) in [("before", before), ("after", after)] {
            let what = format!("{}: size right {which} the largest rise in time", series.label);
            facts.put(format!("{}_step_{which}", series.id), point.x, "B", what);
        }
    }
}

/// Rate of large copies, time of small ones, and between which sizes the one becomes the other.
fn transfers(facts: &mut Facts, transfer: &Experiment) {
    let last = |series: &Series| series.points.last().map_or(f64::NAN, |p| p.y);
    for series in &transfer.series {
        let label = &series.label;
        facts.put(
            format!("{}_rate", series.id),
            last(series),
            "GB/s",
            format!("{label}: bandwidth of the largest copy"),
        );
        if let Some(time) = series.points.first().and_then(|p| p.time.as_ref()) {
            let what = format!("{label}: time of the smallest copy");
            facts.put(format!("{}_latency", series.id), time.median_ns, "ns", what);
        }
        let best = series.points.iter().map(|p| p.y).fold(f64::NAN, f64::max);
        facts.put(
            format!("{}_best", series.id),
            best,
            "GB/s",
            format!("{label}: bandwidth of the fastest copy"),
        );
        let half = series.points.iter().position(|p| p.y >= HALF * best);
        if let Some(at) = half {
            let what = format!("{label}: the smallest copy with half of the best bandwidth");
            facts.put(format!("{}_half", series.id), series.points[at].x, "B", what);
        }
        if let Some(before) = half.and_then(|at| series.points.get(at.checked_sub(1)?)) {
            let what = format!("{label}: the copy before the smallest one with half of the best bandwidth");
            facts.put(format!("{}_half_before", series.id), before.x, "B", what);
        }
    }
    for way in ["to-device", "to-host"] {
        let [pinned, pageable] = ["pinned", "pageable"]
            .map(|memory| transfer.series(&format!("{memory}-{way}")).map_or(f64::NAN, last));
        let what =
            format!("{way}: bandwidth of the largest copy with pinned memory over that with pageable memory");
        facts.put(format!("pinned_over_pageable_{way}"), pinned / pageable, "", what);
    }
}

/// The kernels for the longest vectors, compared with each other and with a copy.
fn kernels(facts: &mut Facts, add: &Experiment) {
    let last = |id: &str| add.series(id).and_then(|s| s.points.last()).map_or(f64::NAN, |p| p.y);
    let what = "bandwidth with four elements a thread over that with one, for the longest vectors";
    facts.put("add4_over_add", last("add4") / last("add"), "", what);
    let what =
        "bandwidth with four elements a thread over that of a copy on the device, for the longest vectors";
    facts.put("add4_over_copy", last("add4") / last("copy"), "", what);
}

/// Facts on the kernel's share of the whole.
fn shares(facts: &mut Facts, parts: &Experiment) {
    let last = |id: &str| parts.series(id).and_then(|s| s.points.last()).map_or(f64::NAN, |p| p.y);
    let (inputs, kernel, output) = (last("to-device"), last("add"), last("to-host"));
    facts.put("add_time", kernel, "ns", "time of the kernel for the longest vectors");
    facts.put(
        "copies_time",
        inputs + output,
        "ns",
        "time of the three copies for the longest vectors, pageable memory",
    );
    let what = "time of the three copies over the kernel's, for the longest vectors";
    facts.put("copies_over_add", (inputs + output) / kernel, "", what);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture;
    use record::{TimeSource, Timing};

    fn experiment(id: &str, all: &[(&str, &[(f64, f64)])]) -> Experiment {
        let point = |&(x, y): &(f64, f64)| {
            let ns = x / y;
            let time = Timing {
                is: TimeSource::Measured,
                calls: 1,
                median_ns: ns,
                mean_ns: ns,
                min_ns: ns,
                max_ns: ns,
                iqr_ns: 0.0,
            };
            Point { time: Some(time), ..fixture::point((x, y)) }
        };
        let mut experiment = fixture::experiment(id);
        for (series, points) in all {
            fixture::extend(&mut experiment, series, points.iter().map(point));
        }
        experiment
    }

    #[test]
    fn an_allocation_s_step_is_where_time_rises_most() {
        let made =
            experiment("allocation", &[("alloc", &[(1.0, 10.0), (2.0, 11.0), (4.0, 300.0), (8.0, 900.0)])]);
        let mut facts = Facts::default();
        allocations(&mut facts, &made.series[0]);
        assert_eq!(
            (facts.value("alloc_step_before"), facts.value("alloc_step_after")),
            (Some(2.0), Some(4.0))
        );
        assert_eq!(facts.value("alloc_largest"), Some(900.0));
    }

    #[test]
    fn rates_latencies_and_the_size_between_them_are_found() {
        let transfer = experiment(
            "transfer",
            &[
                ("pinned-to-device", &[(4.0, 0.001), (65536.0, 7.0), (1048576.0, 40.0), (67108864.0, 50.0)]),
                ("pageable-to-device", &[(4.0, 0.001), (67108864.0, 20.0)]),
            ],
        );
        let mut facts = Facts::default();
        transfers(&mut facts, &transfer);
        let value = |name: &str| facts.value(name).unwrap_or(f64::NAN);
        assert_eq!(value("pinned_to_device_rate"), 50.0);
        assert_eq!(value("pinned_to_device_half"), 1048576.0);
        assert_eq!(value("pinned_to_device_half_before"), 65536.0);
        assert_eq!(value("pinned_to_device_latency"), 4000.0);
        assert_eq!(value("pinned_over_pageable_to_device"), 2.5);
        assert_eq!(facts.value("pinned_over_pageable_to_host"), None);
    }

    #[test]
    fn the_kernels_are_compared_at_the_longest_vectors_alone() {
        let add = experiment(
            "add",
            &[
                ("add", &[(1.0, 10.0), (9.0, 20.0)]),
                ("add4", &[(1.0, 10.0), (9.0, 30.0)]),
                ("copy", &[(1.0, 10.0), (9.0, 40.0)]),
            ],
        );
        let mut facts = Facts::default();
        kernels(&mut facts, &add);
        assert_eq!(facts.value("add4_over_add"), Some(1.5));
        assert_eq!(facts.value("add4_over_copy"), Some(0.75));
    }

    #[test]
    fn the_copies_are_weighed_against_the_kernel() {
        let parts = experiment(
            "parts",
            &[("to-device", &[(9.0, 60.0)]), ("add", &[(9.0, 2.0)]), ("to-host", &[(9.0, 40.0)])],
        );
        let mut facts = Facts::default();
        shares(&mut facts, &parts);
        assert_eq!(facts.value("copies_over_add"), Some(50.0));
    }
}
