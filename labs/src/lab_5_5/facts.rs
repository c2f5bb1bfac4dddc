//! Single numbers from the experiments.
//!
//! Enters: a record's experiments. Leaves: facts, each with its unit and what it is. A fact that the points do not
//! support (a capacity where no step shows) is left out.

use crate::facts::Facts;
use record::{Experiment, Fact, Point, Record, Series};
use std::collections::BTreeMap;

/// Values within this share of a plateau belong to it.
const PLATEAU: f64 = 0.10;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    lines(&mut facts, record);
    capacities(&mut facts, record);
    fills(&mut facts, record);
    bandwidths(&mut facts, record);
    facts.done()
}

/// Cost against distinct addresses: one address, 32, and the line between.
fn lines(facts: &mut Facts, record: &Record) {
    for (id, kind, per) in [
        ("divergence-latency", "latency", "of one warp"),
        ("divergence-throughput", "throughput", "per warp load and multiprocessor of a full chip"),
    ] {
        for series in record.experiment(id).iter().flat_map(|e| &e.series) {
            let name = |what: &str| format!("{}_{kind}_{what}", series.id);
            let label = &series.label;
            if let Some(loads) = series.at(1.0).filter(|_| kind == "throughput").and_then(loads_in_100_cycles)
            {
                let what = format!(
                    "{label}: loads that a multiprocessor makes in a hundred cycles, all lanes at one address"
                );
                facts.put(format!("{}_loads_in_100_cycles", series.id), loads, "", what);
            }
            if let Some(one) = series.at(1.0) {
                facts.put(
                    name("at_1"),
                    one.y,
                    "ns",
                    format!("{label}: time {per}, all lanes at one address"),
                );
                if let Some(all) = series.at(32.0) {
                    let what = format!("{label}: time {per}, 32 distinct addresses over one");
                    facts.put(
                        name("at_32"),
                        all.y,
                        "ns",
                        format!("{label}: time {per}, 32 distinct addresses"),
                    );
                    facts.put(name("32_over_1"), all.y / one.y, "", what);
                }
            }
            if let Some(line) = Line::through(series.points.iter().map(|p| (p.x, p.y))) {
                let what =
                    format!("{label}: time {per} that each further distinct address adds (least squares)");
                facts.put(name("slope"), line.slope, "ns", what);
                let what =
                    format!("{label}: R² of the straight line through time {per} against distinct addresses");
                facts.put(name("r2"), line.r2, "", what);
            }
        }
    }
}

/// Loads of a chase through one memory, by the hardware's cycles, which each of four schedulers counts.
fn loads_in_100_cycles(point: &Point) -> Option<f64> {
    let hardware = |name: &str| point.hardware.get(name).map(|&n| n as f64);
    let cycles = hardware("active_cycles")? / 4.0;
    // A chase through global memory makes hardly another constant load than those of its parameters.
    let loads = ["const_instructions", "global_load_requests", "shared_load_instructions"];
    let most = loads.iter().filter_map(|name| hardware(name)).fold(0.0, f64::max);
    Some(100.0 * most / cycles)
}

/// A least-squares line.
struct Line {
    slope: f64,
    r2: f64,
}

impl Line {
    fn through(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Line> {
        let n = points.clone().count() as f64;
        if n < 3.0 {
            return None;
        }
        let mean_x = points.clone().map(|(x, _)| x).sum::<f64>() / n;
        let mean_y = points.clone().map(|(_, y)| y).sum::<f64>() / n;
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in points {
            let (dx, dy) = (x - mean_x, y - mean_y);
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        // Points at one height are on a line exactly.
        let flat = yy <= f64::EPSILON * n * mean_y * mean_y;
        Some(Line { slope: xy / xx, r2: if flat { 1.0 } else { xy * xy / (xx * yy) } })
    }
}

/// Capacities of the caches: the working sets at which latency steps up.
fn capacities(facts: &mut Facts, record: &Record) {
    let Some(experiment) = record.experiment("working-set") else { return };
    for (id, names) in
        [("constant", ["constant_l1", "constant_l2"]), ("read-only", ["read_only_l1", "read_only_l2"])]
    {
        let levels = experiment.series(id).map(|s| levels(&s.points)).unwrap_or_default();
        for (level, name) in levels.iter().zip(names) {
            let what = "time per load on the latency's plateau of this cache level (median)";
            facts.put(format!("{name}_latency"), level.latency, "ns", what);
            if let Some(exceeded) = level.exceeded {
                let what = "largest working set tried that is still within 10 % of the latency's plateau: the cache holds no less, and less than the next one tried";
                facts.put(format!("{name}_capacity"), level.largest, "B", what);
                let what = "smallest working set tried beyond the latency's plateau: the cache holds less";
                facts.put(format!("{name}_exceeded"), exceeded, "B", what);
            }
        }
    }
}

/// Data that a miss brings into L1: of the loads of a first trip, those that find their sector there.
fn fills(facts: &mut Facts, record: &Record) {
    let series = record.experiment("fill").and_then(|e| e.series("read-only"));
    for point in series.iter().flat_map(|s| &s.points) {
        if let Some(hits) = first_hits(point) {
            let what = format!(
                "first loads, {} B apart, that find their sector in L1, of a hundred (counted by Nsight Compute)",
                point.x
            );
            facts.put(format!("fill_{}_hits_of_100", point.x), 100.0 * hits, "", what);
        }
    }
}

/// The share of a first trip's loads that hit; the hardware alone counts them.
pub(super) fn first_hits(point: &Point) -> Option<f64> {
    let hits = *point.hardware.get("global_load_hits")?;
    let requests = *point.hardware.get("global_load_requests")?;
    Some(hits as f64 / requests as f64)
}

/// A plateau of latency.
#[derive(Debug, PartialEq)]
struct Level {
    latency: f64,
    /// The largest working set on it.
    largest: f64,
    /// The next larger one, if there is one: the level ends between the two.
    exceeded: Option<f64>,
}

/// Plateaus from the smallest working set on: the first one begins there, a later one has at least four points.
fn levels(points: &[Point]) -> Vec<Level> {
    let mut levels = Vec::new();
    let mut start = 0;
    while start < points.len() {
        let lowest = points[start].y;
        let run = points[start..]
            .iter()
            .take_while(|p| p.y <= lowest * (1.0 + PLATEAU) && p.y >= lowest * (1.0 - PLATEAU))
            .count();
        let end = start + run.max(1);
        if start == 0 || run >= 4 {
            let mut ys: Vec<f64> = points[start..end].iter().map(|p| p.y).collect();
            ys.sort_by(f64::total_cmp);
            levels.push(Level {
                latency: ys[ys.len() / 2],
                largest: points[end - 1].x,
                exceeded: points.get(end).map(|p| p.x),
            });
            start = end;
        } else {
            start += 1;
        }
    }
    levels
}

/// Pairs of stencils that differ in one thing, with the fact's name and what it is.
const PAIRS: [(&str, [&str; 2], &str); 4] = [
    (
        "staged_over_unstaged",
        ["constant", "unstaged"],
        "one output a thread: bandwidth with the input staged in shared memory over that with it straight from global memory",
    ),
    (
        "wide_staged_over_unstaged",
        ["wide-staged", "wide"],
        "four outputs a thread: bandwidth with the input staged in shared memory over that with it straight from global memory",
    ),
    (
        "read_only_over_plain",
        ["unstaged-read-only", "unstaged"],
        "one output a thread: bandwidth with the input through the read-only path over that with plain loads",
    ),
    (
        "wide_read_only_over_plain",
        ["wide-read-only", "wide"],
        "four outputs a thread: bandwidth with the input through the read-only path over that with plain loads",
    ),
];

/// The stencil's bandwidths against each other and the copy's.
fn bandwidths(facts: &mut Facts, record: &Record) {
    let Some(stencil) = record.experiment("stencil") else { return };
    for block in [32.0, 256.0] {
        let y = |id: &str| stencil.series(id).and_then(|s| s.at(block)).map(|p| p.y);
        for other in ["restrict", "ldg", "global", "copy"] {
            if let (Some(constant), Some(other_y)) = (y("constant"), y(other)) {
                let what = format!(
                    "bandwidth with coefficients in constant memory over that of `{other}`, {block} threads a block"
                );
                facts.put(format!("constant_over_{other}_{block}"), constant / other_y, "", what);
            }
        }
    }
    for point in stencil.series.iter().take(1).flat_map(|s| &s.points) {
        let block = point.x;
        for (name, [of, to], what) in PAIRS {
            let y = |id: &str| stencil.series(id).and_then(|s| s.at(block)).map(|p| p.y);
            if let (Some(of), Some(to)) = (y(of), y(to)) {
                facts.put(format!("{name}_{block}"), of / to, "", format!("{what}, {block} threads a block"));
            }
        }
    }
    spreads(facts, stencil);
    let best = |series: &Series| series.points.iter().map(|p| p.y).fold(f64::NAN, f64::max);
    let copy = stencil.series.iter().filter(|s| s.reference).map(best).fold(f64::NAN, f64::max);
    let fastest = stencil.series.iter().filter(|s| !s.reference).map(best).fold(f64::NAN, f64::max);
    facts.put("copy_bandwidth", copy, "GB/s", "bandwidth of the faster copy at its best block size");
    facts.put(
        "best_stencil_bandwidth",
        fastest,
        "GB/s",
        "bandwidth of the fastest stencil at its best block size",
    );
    facts.put(
        "best_stencil_share_of_copy",
        fastest / copy,
        "",
        "bandwidth of the fastest stencil over that of the faster copy",
    );
}

/// How much the kernels whose coefficients come through L1 differ, and how much the launches of one of them do.
fn spreads(facts: &mut Facts, stencil: &Experiment) {
    let at = |id: &str| stencil.series(id).and_then(|s| s.at(256.0));
    let times = ["restrict", "ldg", "global"].map(|id| Some(at(id)?.time.as_ref()?.median_ns));
    if let [Some(a), Some(b), Some(c)] = times {
        let what = "coefficients through `__restrict__`, `__ldg` and plain loads: longest over shortest time, 256 threads a block";
        facts.put("paths_longest_over_shortest_256", a.max(b).max(c) / a.min(b).min(c), "", what);
    }
    if let Some(time) = at("restrict").and_then(|point| point.time.as_ref()) {
        let what = "coefficients through `__restrict__`: time of the slowest launch over that of the fastest, 256 threads a block";
        facts.put("launches_longest_over_shortest_256", time.max_ns / time.min_ns, "", what);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ::tests::fixture;
    use record::{Launch, TimeSource, Timing};

    /// A record of one device with nothing in it.
    pub(in super::super) fn empty(measured: bool) -> Record {
        fixture::empty("lab-5-5", measured)
    }

    /// Adds a series of `(x, y)` with counters made from x.
    pub(in super::super) fn add(
        record: &mut Record,
        experiment: &str,
        series: &str,
        points: impl IntoIterator<Item = (f64, f64)>,
        counters: impl Fn(f64) -> Vec<(&'static str, u64)>,
    ) {
        let is = record.device.source();
        let points = points.into_iter().map(|(x, y)| Point {
            launch: Some(Launch {
                kernel: "k".into(),
                grid: [264, 1, 1],
                block: [x as u32, 1, 1],
                shared_bytes: 0,
            }),
            time: Some(Timing {
                is,
                calls: 15,
                median_ns: 71e3,
                mean_ns: 71.5e3,
                min_ns: 70e3,
                max_ns: 123e3,
                iqr_ns: 1e3,
            }),
            counters: fixture::counters(&counters(x)),
            hardware: fixture::counters(&if is == TimeSource::Measured { counters(x) } else { vec![] }),
            ..fixture::point((x, y))
        });
        fixture::add(record, experiment, series, points);
    }

    fn fact(record: &Record, name: &str) -> Option<f64> {
        of(record).get(name).map(|f| f.value)
    }

    fn near(a: Option<f64>, b: f64) -> bool {
        a.is_some_and(|a| (a - b).abs() < 1e-9)
    }

    #[test]
    fn a_straight_line_has_its_slope_and_an_r2_of_one() {
        let mut record = empty(true);
        add(
            &mut record,
            "divergence-throughput",
            "constant-4",
            (1..=32).map(|k| (f64::from(k), 3.0 + 2.0 * f64::from(k))),
            |_| vec![],
        );
        assert!(near(fact(&record, "constant_4_throughput_slope"), 2.0));
        assert!(near(fact(&record, "constant_4_throughput_r2"), 1.0));
        assert!(near(fact(&record, "constant_4_throughput_32_over_1"), 67.0 / 5.0));
        assert_eq!(record.device.source(), TimeSource::Measured);
    }

    #[test]
    fn loads_are_held_against_the_cycles_of_a_multiprocessor() {
        let mut record = empty(true);
        add(&mut record, "divergence-throughput", "constant-4", [(1.0, 1.0)], |_| vec![]);
        let point = &mut record.experiments[0].series[0].points[0];
        point.hardware = fixture::counters(&[
            ("const_instructions", 500),
            ("global_load_requests", 10),
            ("active_cycles", 4000),
        ]);
        assert!(near(fact(&record, "constant_4_loads_in_100_cycles"), 50.0));
    }

    #[test]
    fn capacities_are_where_latency_steps_up() {
        let mut record = empty(true);
        // 2 KiB at 40 ns, then rising, 16 KiB at 80 ns, then beyond.
        let latency = |kib: f64| match kib {
            k if k <= 2.0 => 40.0,
            k if k <= 3.0 => 60.0,
            k if k <= 16.0 => 80.0,
            _ => 250.0,
        };
        let sizes = [0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0];
        add(&mut record, "working-set", "constant", sizes.map(|k| (k * 1024.0, latency(k))), |_| vec![]);
        assert!(near(fact(&record, "constant_l1_capacity"), 2048.0));
        assert!(near(fact(&record, "constant_l1_exceeded"), 2560.0));
        assert!(near(fact(&record, "constant_l2_capacity"), 16384.0));
        assert!(near(fact(&record, "constant_l2_exceeded"), 24576.0));
        assert!(near(fact(&record, "constant_l2_latency"), 80.0));
    }

    #[test]
    fn latency_that_never_rises_has_no_capacity() {
        let mut record = empty(true);
        add(
            &mut record,
            "working-set",
            "read-only",
            [(256.0, 40.0), (512.0, 41.0), (1024.0, 39.0)],
            |_| vec![],
        );
        assert_eq!(fact(&record, "read_only_l1_capacity"), None);
        assert_eq!(fact(&record, "read_only_l1_exceeded"), None);
        assert!(near(fact(&record, "read_only_l1_latency"), 40.0));
    }

    #[test]
    fn the_copy_is_what_stencils_are_compared_with() {
        let mut record = empty(true);
        for (id, y) in [("constant", 1800.0), ("restrict", 900.0), ("copy", 2000.0)] {
            add(&mut record, "stencil", id, [(32.0, y / 4.0), (256.0, y)], |_| vec![]);
        }
        assert!(near(fact(&record, "constant_over_restrict_256"), 2.0));
        assert!(near(fact(&record, "best_stencil_share_of_copy"), 0.9));
        assert!(near(fact(&record, "copy_bandwidth"), 2000.0));
    }
}
