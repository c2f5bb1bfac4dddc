//! Single numbers from the experiments.
//!
//! Enters: a record's experiments. Leaves: facts, each with its unit and what it is. A fact that the points do not
//! support is left out.

use super::gravity::{COUNTS, RESIDENT, SCHEDULERS};
use crate::facts::Facts;
use crate::schedulers::shares;
use device::Chip;
use record::{Device, Fact, Parameter, Point, Record, Series};
use std::collections::BTreeMap;

/// Additions, products and fused ones of single precision that ptxas makes of an interaction for compute capability 9.0, without
/// and with the lean form; a test counts them in the listings.
pub(super) const FLOATS: f64 = 15.0;
pub(super) const LEAN_FLOATS: f64 = 12.0;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    rates(&mut facts, record);
    passes(&mut facts, record);
    limits(&mut facts, record);
    schedulers(&mut facts, record);
    facts.done()
}

const RATE: &str = "billion/s";

/// The largest system's rates, and what they are to each other.
fn rates(facts: &mut Facts, record: &Record) {
    let of =
        |experiment: &str| record.experiment(experiment).map(|e| e.series.as_slice()).unwrap_or_default();
    let (straightforward, lean) = (of("rate"), of("lean"));
    for series in straightforward.iter().chain(lean) {
        if let Some(last) = series.points.last() {
            let what = format!("{}: interactions a second at {} bodies", series.label, last.x);
            facts.put(format!("rate_{}", series.id), last.y, RATE, what);
        }
    }
    for (over, under) in [
        ("shared", "constant"),
        ("constant", "global"),
        ("constant-300", "constant"),
        ("constant", "constant-flat"),
        ("constant-1", "constant"),
        ("shared-1", "shared"),
        ("constant-2", "constant"),
    ] {
        let Some((x, a, b)) = series(record, over).zip(series(record, under)).and_then(common) else {
            continue;
        };
        let what = format!("rate of `{over}` over that of `{under}`, {x} bodies");
        facts.put(format!("{over}_over_{under}"), a / b, "", what);
    }
    let best = |of: &[Series]| {
        let last = of.iter().filter_map(|s| s.points.last());
        last.map(|p| p.y).fold(f64::NAN, f64::max)
    };
    facts.put("best_rate", best(lean), RATE, "the best rate of a lean kernel in the largest system");
    let what = "the best lean kernel's rate over that of the best straightforward one";
    facts.put("lean_gain", best(lean) / best(straightforward), "", what);
}

/// A kernel's rates by the number of bodies.
fn series<'r>(record: &'r Record, id: &str) -> Option<&'r Series> {
    let of = |experiment: &str| record.experiment(experiment)?.series(id);
    of("rate").or_else(|| of("lean"))
}

/// The largest system that both have: its size and the two rates.
fn common((a, b): (&Series, &Series)) -> Option<(f64, f64, f64)> {
    a.points.iter().rev().find_map(|p| Some((p.x, p.y, b.at(p.x)?.y)))
}

/// Facts on the size of a pass.
fn passes(facts: &mut Facts, record: &Record) {
    let Some(series) = record.experiment("pass").and_then(|e| e.series("constant")) else { return };
    let (Some(first), Some(last)) = (series.points.first(), series.points.last()) else { return };
    let what = format!("rate with {} bodies in a pass over that with {}", last.x, first.x);
    facts.put("large_pass_over_small", last.y / first.y, "", what);
    if let (Some(n), Some(short), Some(long)) =
        (record.parameters.get("pass_system").and_then(whole), first.time.as_ref(), last.time.as_ref())
    {
        let passes = (n / first.x).ceil() - (n / last.x).ceil();
        let what = format!(
            "time of a pass more, from passes of {} bodies and of {}: its copy, its launch, and what of the chip idles then",
            first.x, last.x
        );
        facts.put("pass_cost", (short.median_ns - long.median_ns) / passes, "ns", what);
    }
    let enough = series.points.iter().find(|p| p.y >= 0.95 * last.y);
    if let Some(enough) = enough {
        facts.put(
            "pass_that_is_enough",
            enough.x,
            "",
            "the smallest pass that was tried with at least 95 % of the largest one's rate",
        );
    }
}

fn whole(parameter: &Parameter) -> Option<f64> {
    match parameter {
        Parameter::Integer(value) => Some(*value as f64),
        _ => None,
    }
}

/// Instructions that the hardware executed for an interaction, and the rate at which a described chip could run them.
fn limits(facts: &mut Facts, record: &Record) {
    let Some(counts) = record.experiment(COUNTS) else { return };
    let chip = chip(&record.device);
    for counted in &counts.series {
        let Some(of) = counted.points.iter().find_map(instructions) else { continue };
        let (id, label) = (&counted.id, &counted.label);
        let what = format!("{label}: machine instructions that a warp executes for an interaction");
        facts.put(format!("instructions_{id}"), of, "", what);
        let Some(chip) = &chip else { continue };
        let limit = issued(chip) / of;
        let what = format!("{label}: rate at which every scheduler would issue in every cycle");
        facts.put(format!("limit_{id}"), limit, RATE, what);
        if let Some(last) = series(record, id).and_then(|s| s.points.last()) {
            let what = format!("{label}: rate at {} bodies over that limit", last.x);
            facts.put(format!("share_{id}"), last.y / limit, "", what);
        }
    }
    let value = |facts: &Facts, name: &str| facts.value(name).unwrap_or(f64::NAN);
    for kind in ["constant", "shared", "global"] {
        let share = 100.0 * FLOATS / value(facts, &format!("instructions_{kind}"));
        let what = format!("{kind} memory: share of single-precision arithmetic in the machine instructions");
        facts.put(format!("floats_of_{kind}"), share, "%", what);
    }
    let instructions = value(facts, "instructions_constant") / value(facts, "instructions_shared");
    let what = "machine instructions of an interaction from constant memory over those from shared memory";
    facts.put("instructions_constant_over_shared", instructions, "", what);
    let shares = value(facts, "share_shared") / value(facts, "share_constant");
    let what = "share of its limit that the kernel for shared memory reaches over that of the one for constant memory";
    facts.put("share_shared_over_constant", shares, "", what);
    let Some(chip) = chip.filter(|_| record.device.source() == record::TimeSource::Measured) else { return };
    // A warp's interaction is 32 of them.
    let each_cycle = f64::from(chip.multiprocessors) * chip.clock_mhz * 1e-3 * 32.0;
    facts.put(
        "special_limit",
        each_cycle / chip.rates.special,
        RATE,
        "rate at which the units for square roots would be busy in every cycle",
    );
    for (name, floats, form) in [("", FLOATS, "straightforward"), ("lean_", LEAN_FLOATS, "lean")] {
        facts.put(
            format!("{name}float_limit"),
            each_cycle / (floats * chip.rates.single),
            RATE,
            format!("rate at which the single-precision units would be busy in every cycle, {form} kernels"),
        );
    }
}

/// Activity of the GPU's schedulers, and their capacity.
fn schedulers(facts: &mut Facts, record: &Record) {
    let of = |id: &str| record.experiment(id).map(|e| e.series.as_slice()).unwrap_or_default();
    for series in of(SCHEDULERS) {
        for (at, point) in series.points.iter().rev().enumerate() {
            // The largest system goes without its size.
            let id = if at == 0 { series.id.clone() } else { format!("{}_at_{}", series.id, point.x) };
            let label = format!("{}, {} bodies", series.label, point.x);
            shares(facts, record, point, &id, &label);
            let count = |name: &str| point.hardware.get(name).map(|&count| count as f64);
            if let (Some(hits), Some(sectors)) = (count("global_load_hits"), count("global_load_sectors")) {
                let what = format!("{label}: sectors of global loads that L1 had");
                facts.put(format!("l1_hits_{id}"), 100.0 * hits / sectors, "%", what);
            }
        }
    }
    let (Device::Gpu { multiprocessors, .. } | Device::Simt { multiprocessors, .. }) = &record.device;
    for series in of(RESIDENT) {
        if let Some(point) = series.points.last() {
            let (id, label) = (&series.id, &series.label);
            let what = format!("{label}: blocks that a multiprocessor holds at a time");
            facts.put(format!("resident_{id}"), point.y, "", what);
            let what = format!("{label}: blocks that the chip holds at a time");
            facts.put(format!("room_{id}"), point.y * f64::from(*multiprocessors), "", what);
        }
    }
}

/// 10⁹ instructions of lanes a second if every scheduler issues one for its warp in every cycle.
fn issued(chip: &Chip) -> f64 {
    f64::from(chip.multiprocessors) * chip.rates.issue_per_cycle * chip.clock_mhz * 1e-3 * 32.0
}

/// Warp instructions of the hardware at a profiled point, divided by the interactions of a warp.
fn instructions(point: &Point) -> Option<f64> {
    let executed = *point.hardware.get("warp_instructions")? as f64;
    Some(executed * 32.0 / point.x.powi(2))
}

/// The description of a GPU's chip, if there is one.
fn chip(device: &Device) -> Option<Chip> {
    let Device::Gpu { name, .. } = device else { return None };
    let all = Chip::names().into_iter().filter_map(|id| Chip::by_name(id).ok());
    all.into_iter().find(|chip| chip.name == *name)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ::tests::fixture::{self, passed};

    /// A record with the shape of this lab's: rates in 10⁹ a second, by series, at 1,000 and at 8,192 bodies.
    pub(in super::super) fn made(measured: bool, rates: &[(&str, f64, f64)]) -> Record {
        let mut record = fixture::empty("lab-14-4", measured);
        if let Device::Gpu { name, .. } = &mut record.device {
            "NVIDIA H200".clone_into(name);
        }
        record.checks = ["rate/constant/1000", "rate/constant/8192", "pass/constant/4096"].map(passed).into();
        if rates.is_empty() {
            return record;
        }
        let point = |x: f64, y: f64| {
            let mut point = fixture::point((x, y));
            if measured && x == 8192.0 {
                // 20 instructions for each interaction of a warp, two of them constant loads.
                let warps = (x * x) as u64 / 32;
                point.hardware = fixture::counters(&[
                    ("warp_instructions", 20 * warps),
                    ("const_instructions", 2 * warps),
                ]);
            }
            point
        };
        // Counted facts come first.
        let experiments = [COUNTS, "rate"].into_iter().filter(|id| measured || *id != COUNTS);
        for experiment in experiments {
            for &(id, first, last) in rates.iter().filter(|(id, ..)| !id.ends_with('1')) {
                let points = [point(1000.0, first), point(8192.0, last)];
                fixture::add(&mut record, experiment, id, points);
            }
        }
        for &(id, first, last) in rates.iter().filter(|(id, ..)| id.ends_with('1')) {
            fixture::add(&mut record, "lean", id, [point(1000.0, first), point(8192.0, last)]);
        }
        let passes = [64.0, 512.0, 4096.0].map(|x| point(x, 1300.0 - 19_200.0 / x));
        fixture::add(&mut record, "pass", "constant", passes);
        record
    }

    /// Values near those of an H200.
    pub(in super::super) const H200: &[(&str, f64, f64)] = &[
        ("constant", 20.0, 1280.0),
        ("constant-flat", 10.0, 200.0),
        ("shared", 22.0, 1500.0),
        ("global", 15.0, 1160.0),
        ("shared-1", 25.0, 1900.0),
    ];

    #[test]
    fn rates_and_their_quotients_are_those_of_the_largest_system() {
        let facts = of(&made(true, H200));
        let value = |name: &str| facts[name].value;
        assert_eq!((value("rate_shared"), value("best_rate")), (1500.0, 1900.0));
        assert_eq!(value("constant_over_constant_flat"), 6.4);
        assert!((value("lean_gain") - 1900.0 / 1500.0).abs() < 1e-12);
        assert_eq!(value("pass_that_is_enough"), 512.0);
    }

    #[test]
    fn limits_follow_from_what_the_hardware_executed_and_from_the_chip() {
        let facts = of(&made(true, H200));
        let value = |name: &str| facts[name].value;
        assert_eq!(value("instructions_constant"), 20.0);
        // 132 × 4 × 32 lanes × 1.98 GHz.
        assert!((value("limit_constant") - 33_454.08 / 20.0).abs() < 1e-6);
        assert!((value("share_constant") - 1280.0 / (33_454.08 / 20.0)).abs() < 1e-9);
        assert!((value("special_limit") - 33_454.08 / 8.0).abs() < 1e-6);
        assert!((value("lean_float_limit") - 33_454.08 / 12.0).abs() < 1e-6);
    }

    #[test]
    fn without_a_chip_or_points_there_is_no_limit() {
        let modelled = of(&made(false, H200));
        assert!(!modelled.contains_key("limit_constant") && modelled.contains_key("rate_constant"));
        assert!(of(&made(true, &[])).is_empty());
    }

    #[test]
    fn an_interaction_has_as_many_single_precision_operations_as_the_machine_code() {
        let counted = |listing: &str| {
            let count = |names: &[&str]| {
                listing.lines().filter(|line| names.iter().any(|name| line.contains(name))).count() as f64
            };
            count(&["FADD", "FMUL", "FFMA"]) / count(&["MUFU.RSQ"])
        };
        let constant = include_str!("../../../kernels/ch14-4/gravity_constant.sm_90.sass");
        let shared = include_str!("../../../kernels/ch14-4/gravity_shared.sm_90.sass");
        assert_eq!((counted(constant), counted(shared)), (FLOATS, FLOATS));
        let lean = include_str!("../../../kernels/ch14-4/gravity_shared_1.sm_90.sass");
        assert_eq!(counted(lean), LEAN_FLOATS);
    }
}
