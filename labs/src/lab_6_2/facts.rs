//! Single numbers from the experiments.
//!
//! Enters: a record's experiments. Leaves: facts, each with its unit and what it is. One that the points do not support is
//! left out.

use super::scene::SPHERES;
use crate::facts::{Facts, point};
use record::{Counters, Device, Fact, Parameter, Point, Record};
use std::collections::BTreeMap;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    pictures(&mut facts, record);
    picture_loads(&mut facts, record);
    sweep(&mut facts, record);
    facts.done()
}

/// The values of x of an experiment, rising.
pub(super) fn xs(record: &Record, experiment: &str) -> Vec<f64> {
    let first = record.experiment(experiment).and_then(|e| e.series.first());
    first.map_or_else(Vec::new, |s| s.points.iter().map(|p| p.x).collect())
}

/// The time of one series over that of another, for the same work.
pub(super) fn time_ratio(record: &Record, experiment: &str, x: f64, of: &str, to: &str) -> Option<f64> {
    Some(point(record, experiment, to, x)?.y / point(record, experiment, of, x)?.y)
}

/// Pairs of series and what distinguishes the two; the name of a pair's fact begins with its first word.
const PAIRS: [(&str, &str, &str, &str); 5] = [
    ("source", "source-global", "source-constant", "the source's kernel"),
    ("loop", "global-20", "constant-20", "the loop to 20"),
    ("unrolled", "global-unrolled", "constant-unrolled", "the loop to 20, unrolled"),
    ("counted", "global", "constant", "the loop to a number given at run time"),
    ("restrict", "restrict", "constant", "the loop to a number given at run time, __restrict__"),
];

fn pictures(facts: &mut Facts, record: &Record) {
    let (Device::Gpu { multiprocessors, .. } | Device::Simt { multiprocessors, .. }) = record.device;
    for x in xs(record, "picture") {
        for series in record.experiment("picture").iter().flat_map(|e| &e.series) {
            if let Some(point) = series.at(x) {
                let what = format!(
                    "`{}`: time that each multiprocessor takes for the test of a warp's rays against a sphere, {x} × {x} pixels",
                    series.id
                );
                let warp = 32.0 * f64::from(multiprocessors);
                facts.put(format!("picture_{}_time_{x}", series.id), warp / point.y, "ns", what);
                queues(facts, point, &format!("picture_{}", series.id), &x.to_string(), SPHERES as f64);
            }
        }
        let ratio = |of, to| time_ratio(record, "picture", x, of, to);
        for (name, global, constant, what) in PAIRS {
            if let Some(ratio) = ratio(global, constant) {
                let what = format!(
                    "{what}: time from global memory over time from constant memory, {x} × {x} pixels"
                );
                facts.put(format!("{name}_global_over_constant_{x}"), ratio, "", what);
            }
        }
        if let Some(ratio) = ratio("constant-20", "constant-unrolled") {
            let what =
                format!("constant memory: time of the loop over that of the unrolled one, {x} × {x} pixels");
            facts.put(format!("loop_over_unrolled_{x}"), ratio, "", what);
        }
        if let Some(ratio) = ratio("global-20", "global-unrolled") {
            let what =
                format!("global memory: time of the loop over that of the unrolled one, {x} × {x} pixels");
            facts.put(format!("global_loop_over_unrolled_{x}"), ratio, "", what);
        }
        if let Some(ratio) = ratio("constant", "constant-20") {
            let what = format!(
                "constant memory: time with the number of spheres given at run time over time with it compiled in, {x} × {x} pixels"
            );
            facts.put(format!("counted_over_compiled_{x}"), ratio, "", what);
        }
    }
}

/// A picture's loads at the size at which Nsight Compute was asked.
fn picture_loads(facts: &mut Facts, record: &Record) {
    let Some(Parameter::Integer(side)) = record.parameters.get("side") else { return };
    for series in record.experiment("picture").iter().flat_map(|e| &e.series) {
        if let Some(point) = series.at(*side as f64) {
            let name = format!("picture_{}_loads", series.id);
            loads(facts, point, &name, SPHERES as f64, loads_of(&series.id));
        }
    }
}

/// Where a kernel spends its cycles, as the hardware counts them: what each test issues and sends through L1's data path,
/// and how many of a multiprocessor's cycles that takes.
fn queues(facts: &mut Facts, point: &Point, name: &str, x: &str, spheres: f64) {
    let Some(tests) = tests(point, spheres) else { return };
    let hardware = |name: &str| point.hardware.get(name).map(|&n| n as f64);
    // Four schedulers, whose cycles are counted each.
    let cycles = hardware("active_cycles").map(|n| n / 4.0);
    if let Some(instructions) = hardware("warp_instructions") {
        let what = "instructions of the machine code for each test of a warp's rays against a sphere";
        facts.put(format!("{name}_instructions_{x}"), instructions / tests, "", what);
    }
    if let Some(turns) = hardware("lsu_wavefronts") {
        let what = "wavefronts in L1's data path (`lsu_wavefronts`: loads, stores and shared memory) for each test of a warp's rays against a sphere";
        facts.put(format!("{name}_turns_{x}"), turns / tests, "", what);
        if let Some(cycles) = cycles {
            let what = "cycles of a multiprocessor in which its L1's data path is taken, of a hundred";
            facts.put(format!("{name}_l1_of_100_{x}"), 100.0 * turns / cycles, "", what);
        }
    }
    if let (Some(loads), Some(cycles)) = (hardware(CONSTANT), cycles) {
        let what = "constant loads that a multiprocessor makes in a hundred cycles";
        facts.put(format!("{name}_constants_in_100_{x}"), 100.0 * loads / cycles, "", what);
    }
    if let (Some(issued), Some(cycles)) = (hardware("issue_cycles"), cycles) {
        let what = "cycles in which a scheduler issues an instruction, of a hundred";
        facts.put(format!("{name}_issue_of_100_{x}"), 100.0 * issued / (4.0 * cycles), "", what);
    }
}

/// Tests of a warp's rays against a sphere in a launch.
fn tests(point: &Point, spheres: f64) -> Option<f64> {
    let launch = point.launch.as_ref()?;
    let threads = [launch.grid, launch.block].as_flattened().iter().map(|&n| f64::from(n)).product::<f64>();
    Some(threads / 32.0 * spheres)
}

fn sweep(facts: &mut Facts, record: &Record) {
    let counts = xs(record, "spheres");
    for &x in &counts {
        for (name, of, to, what) in [
            (
                "global_over_constant",
                "global",
                "constant",
                "time from global memory over time from constant memory",
            ),
            (
                "global_over_shared",
                "global",
                "shared",
                "time from global memory over time from shared memory",
            ),
            (
                "constant_over_shared",
                "constant",
                "shared",
                "time from constant memory over time from shared memory",
            ),
            (
                "packed_global_over_constant",
                "packed-global",
                "packed-constant",
                "two float4 a sphere: time from global memory over time from constant memory",
            ),
            (
                "constant_over_packed_constant",
                "constant",
                "packed-constant",
                "constant memory: time with 28-byte spheres over time with two float4 a sphere",
            ),
        ] {
            if let Some(ratio) = time_ratio(record, "spheres", x, of, to) {
                facts.put(format!("{name}_{x}"), ratio, "", format!("{what}, {x} spheres"));
            }
        }
        for series in record.experiment("spheres").iter().flat_map(|e| &e.series) {
            if let Some(point) = series.at(x) {
                loads(facts, point, &format!("spheres_{}_{x}_loads", series.id), x, loads_of(&series.id));
                queues(facts, point, &format!("spheres_{}", series.id), &x.to_string(), x);
            }
        }
    }
    // Cost of constants that no longer fit in a cache.
    for series in ["constant", "global"] {
        let ys = |x: f64| point(record, "spheres", series, x).map(|p| p.y);
        if let (Some(few), Some(many)) = (ys(100.0), counts.last().and_then(|&x| ys(x))) {
            let what = format!("`{series}`: rate with 100 spheres over that with the most");
            facts.put(format!("{series}_rate_100_over_most"), few / many, "", what);
        }
    }
}

/// Load instructions for each test of a warp's rays against a sphere, and how many of the constant ones the first cache had.
fn loads(facts: &mut Facts, point: &Point, name: &str, spheres: f64, (counter, what, bytes): Loads) {
    let Some(tests) = tests(point, spheres) else { return };
    let each = |counters: &Counters| counters.get(counter).map(|&n| n as f64 / tests);
    if let Some(value) = each(&point.counters) {
        let what = format!("{what} of the PTX for each test of a warp's rays against a sphere");
        facts.put(format!("{name}_of_the_ptx"), value, "", what);
    }
    if let Some(value) = each(&point.hardware) {
        let what = format!(
            "{what} of the machine code, kernel parameters among them, for each test of a warp's rays against a sphere"
        );
        facts.put(format!("{name}_executed"), value, "", what);
    }
    let hardware = |name: &str| point.hardware.get(name).map(|&n| n as f64);
    if let (Some(requests), Some(misses), CONSTANT) =
        (hardware("idc_requests"), hardware("idc_misses"), counter)
    {
        let what = "requests to the first constant cache that missed, of a hundred";
        facts.put(format!("{name}_missed_of_100"), 100.0 * misses / requests, "", what);
        if let Some(loads) = each(&point.hardware) {
            let what = "requests to the first constant cache that would miss, of a hundred, if each warp missed each line of 64 bytes once";
            facts.put(format!("{name}_missed_of_100_alone"), 100.0 * bytes / LINE / loads, "", what);
        }
    }
}

const CONSTANT: &str = "const_instructions";
/// Bytes of a line of the first constant cache, as lab 5.5 finds them.
const LINE: f64 = 64.0;

/// Counter of a series' loads, its name in a sentence, and the bytes of a sphere.
type Loads = (&'static str, &'static str, f64);

fn loads_of(series: &str) -> Loads {
    let bytes = if series.starts_with("packed-") { 32.0 } else { 28.0 };
    match series.trim_start_matches("source-").trim_start_matches("packed-") {
        "constant" | "constant-20" | "constant-unrolled" => (CONSTANT, "constant loads", bytes),
        "shared" => ("shared_load_instructions", "loads from shared memory", bytes),
        _ => ("global_load_requests", "global loads", bytes),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ::tests::fixture;
    use record::Launch;

    /// A record of one device with nothing in it.
    pub(in super::super) fn empty(measured: bool) -> Record {
        fixture::empty("lab-6-2", measured)
    }

    /// Adds a point: its rate, and what the embedded device counted.
    pub(in super::super) fn add(
        record: &mut Record,
        experiment: &str,
        series: &str,
        at: (f64, f64),
        counters: &[(&str, u64)],
    ) {
        let launch = Launch { kernel: "k".into(), grid: [2, 2, 1], block: [16, 16, 1], shared_bytes: 0 };
        let counters = fixture::counters(counters);
        fixture::add(
            record,
            experiment,
            series,
            [Point { launch: Some(launch), counters, ..fixture::point(at) }],
        );
    }

    fn fact(record: &Record, name: &str) -> Option<f64> {
        of(record).get(name).map(|f| f.value)
    }

    #[test]
    fn a_higher_rate_is_a_shorter_time() {
        let mut record = empty(true);
        add(&mut record, "picture", "source-constant", (1024.0, 100.0), &[]);
        add(&mut record, "picture", "source-global", (1024.0, 125.0), &[]);
        assert_eq!(fact(&record, "source_global_over_constant_1024"), Some(0.8));
        assert_eq!(fact(&record, "loop_global_over_constant_1024"), None);
    }

    #[test]
    fn a_warp_s_test_takes_as_long_on_each_multiprocessor_as_all_of_them_share_the_rate() {
        let mut record = empty(true);
        // 132 multiprocessors with 32 rays a warp: 4,224 tests at once.
        add(&mut record, "picture", "constant-20", (4096.0, 2112.0), &[]);
        assert_eq!(fact(&record, "picture_constant_20_time_4096"), Some(2.0));
    }

    #[test]
    fn loads_are_counted_for_each_warp_and_sphere() {
        let mut record = empty(true);
        // 4 blocks of 8 warps, 20 spheres: 640 tests.
        add(&mut record, "spheres", "constant", (20.0, 1.0), &[("const_instructions", 1920)]);
        assert_eq!(fact(&record, "spheres_constant_20_loads_of_the_ptx"), Some(3.0));
        assert_eq!(fact(&record, "spheres_constant_20_loads_executed"), None, "the hardware was not asked");
    }

    #[test]
    fn the_hardware_s_instructions_and_misses_are_facts_too() {
        let mut record = empty(true);
        add(&mut record, "spheres", "constant", (20.0, 1.0), &[("const_instructions", 1920)]);
        record.experiments[0].series[0].points[0].hardware =
            fixture::counters(&[("const_instructions", 1280), ("idc_requests", 1000), ("idc_misses", 250)]);
        assert_eq!(fact(&record, "spheres_constant_20_loads_executed"), Some(2.0));
        assert_eq!(fact(&record, "spheres_constant_20_loads_missed_of_100"), Some(25.0));
        // 28 of 64 bytes a test, in two loads.
        assert_eq!(fact(&record, "spheres_constant_20_loads_missed_of_100_alone"), Some(21.875));
    }

    #[test]
    fn a_queue_is_what_a_test_sends_through_it_and_the_cycles_that_takes() {
        let mut record = empty(true);
        // 640 tests in 6,400 cycles, counted on each of four schedulers.
        add(&mut record, "picture", "source-global", (4096.0, 1.0), &[]);
        record.experiments[0].series[0].points[0].hardware = fixture::counters(&[
            ("warp_instructions", 16_000),
            ("lsu_wavefronts", 3840),
            ("const_instructions", 320),
            ("active_cycles", 25_600),
            ("issue_cycles", 16_000),
        ]);
        let named = |name: &str| fact(&record, &format!("picture_source_global_{name}_4096"));
        assert_eq!((named("instructions"), named("turns")), (Some(25.0), Some(6.0)));
        assert_eq!((named("l1_of_100"), named("issue_of_100")), (Some(60.0), Some(62.5)));
        assert_eq!(named("constants_in_100"), Some(5.0));
    }

    #[test]
    fn a_list_that_outgrows_its_cache_shows_in_the_rate() {
        let mut record = empty(true);
        for (series, many) in [("constant", 30.0), ("global", 90.0)] {
            add(&mut record, "spheres", series, (100.0, 90.0), &[]);
            add(&mut record, "spheres", series, (2000.0, many), &[]);
        }
        assert_eq!(fact(&record, "constant_rate_100_over_most"), Some(3.0));
        assert_eq!(fact(&record, "global_rate_100_over_most"), Some(1.0));
        assert_eq!(fact(&record, "global_over_constant_2000"), Some(1.0 / 3.0));
    }
}
