//! Tests of the plan and of the rules.

use super::*;
use crate::{judge, rerun};
use record::{Record, Verdict};
use std::collections::BTreeMap;

fn request(sizes: &[(&'static str, u64)], measured: bool) -> Result<Request> {
    Request::new(
        SIZES,
        &sizes.iter().copied().collect::<BTreeMap<_, _>>(),
        5,
        crate::request::Scope::Quick,
        measured,
    )
}

fn planned(sizes: &[(&'static str, u64)], measured: bool) -> Result<Plan> {
    plan(&request(sizes, measured)?, Host { multiprocessors: 4, measured })
}

fn record(sizes: &[(&'static str, u64)]) -> Result<Record> {
    let limits = crate::Limits { instructions: u64::MAX, memory_bytes: 1 << 30 };
    rerun(&LAB, &request(sizes, false)?.parameters(), None, "h200", limits)
}

fn verdict(record: &Record, id: &str) -> (Verdict, String) {
    crate::claims::verdict(&LAB, record, id)
}

#[test]
fn every_element_is_in_a_tile() -> Result<()> {
    for (m, n, p) in [(1, 1, 1), (129, 3, 33), (100, 5, 7)] {
        let plan = planned(&[("rows", m), ("inner", n), ("columns", p)], false)?;
        let points = plan
            .experiments
            .iter()
            .flat_map(|e| &e.series)
            .filter(|s| s.id != "peak")
            .flat_map(|s| &s.points);
        for launch in points.flat_map(|p| p.work.launches()) {
            let tile = match launch.kernel.as_str() {
                "blocked_2" => 32,
                "blocked_4" => 64,
                "blocked_8" => 128,
                _ => u64::from(launch.block[0]),
            };
            let [x, y, _] = launch.grid.map(u64::from);
            assert!(
                (y * tile >= m) && (x * tile >= p) && (y - 1) * tile < m && (x - 1) * tile < p,
                "{launch:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn accesses_are_the_formula_s_where_tiles_fit_and_not_shown_where_they_do_not() -> Result<()> {
    let fits = record(&[("rows", 64), ("inner", 96), ("columns", 32)])?;
    assert!(fits.checks.iter().all(|c| c.passed), "{:?}", fits.checks);
    let (found, why) = verdict(&fits, "tiled-product-accesses");
    assert_eq!(found, Verdict::Holds, "{why}");
    assert!(why.contains("without tiles: 395,264"), "2 · 64 · 96 · 32 + 64 · 32: {why}");
    let edges = record(&[("rows", 65), ("inner", 97), ("columns", 33)])?;
    assert!(edges.checks.iter().all(|c| c.passed), "{:?}", edges.checks);
    assert_eq!(verdict(&edges, "tiled-product-accesses").0, Verdict::NotShown);
    Ok(())
}

#[test]
fn wavefronts_of_the_transposed_tile_grow_with_its_size_and_padding_makes_them_one() -> Result<()> {
    let record = record(&[("rows", 32), ("inner", 32), ("columns", 32)])?;
    let fact = |name: &str| crate::rules::fact(&record, name);
    for (size, conflicts) in [(8, 1.5), (16, 4.5), (32, 16.5)] {
        // Half of the loads are of A's tile, which is not transposed.
        assert_eq!(fact(&format!("transposed_{size}_load_wavefronts")), Some(conflicts));
        assert_eq!(fact(&format!("padded_{size}_load_wavefronts")), Some(1.0));
    }
    // They are the device's own rule.
    assert_eq!(verdict(&record, "bank-conflicts-are-the-worst-case").0, Verdict::NotShown);
    Ok(())
}

#[test]
fn claims_about_time_and_limits_need_a_gpu() -> Result<()> {
    let record = record(&[("rows", 32), ("inner", 32), ("columns", 32)])?;
    for id in [
        "shared-memory-is-nearer",
        "tiling-is-faster",
        "tiling-is-2-9-times-as-fast",
        "two-tiles-fit-in-shared-memory",
    ] {
        assert_eq!(verdict(&record, id).0, Verdict::NotShown, "{id}");
    }
    assert_eq!(verdict(&record, "two-barriers-a-tile").0, Verdict::HoldsInPart);
    Ok(())
}

#[test]
fn the_peak_does_about_as_many_multiply_adds_as_a_large_product() -> Result<()> {
    let plan = planned(&[("rows", 1024), ("inner", 1024), ("columns", 1024)], false)?;
    let series = plan.experiments[1].series.iter().find(|s| s.id == "peak");
    let Some(Quantity::Rate { units }) = series.and_then(|s| s.points.first()).map(|p| &p.quantity) else {
        panic!("a rate")
    };
    assert!((0.9..=1.0).contains(&(units / f64::from(1u32 << 31))), "{units}");
    Ok(())
}

#[test]
fn the_source_s_size_is_for_a_gpu() -> Result<()> {
    let measured = planned(&[("scale", 2)], true)?;
    assert_eq!(
        measured.experiments.iter().map(|e| e.id).collect::<Vec<_>>(),
        ["tiles", "registers", "large", "resident"]
    );
    assert_eq!(measured.uncounted, ["large", "waves", "resident"]);
    assert_eq!(planned(&[("scale", 2)], false)?.experiments.len(), 2);
    Ok(())
}

#[test]
fn builds_for_debugging_are_left_out_where_their_tiles_do_not_fit() -> Result<()> {
    let has = |plan: &Plan| plan.experiments[2].series.iter().any(|s| s.id.starts_with("debug"));
    assert!(has(&planned(&[("scale", 2)], true)?));
    assert!(!has(&planned(&[("scale", 2), ("rows", 17)], true)?));
    Ok(())
}

#[test]
fn a_re_run_of_a_gpu_s_record_leaves_out_what_only_a_gpu_can_do() -> Result<()> {
    let parameters =
        request(&[("scale", 2), ("rows", 32), ("inner", 32), ("columns", 32)], true)?.parameters();
    let limits = crate::Limits { instructions: u64::MAX, memory_bytes: 1 << 30 };
    let host = Host { multiprocessors: 4, measured: true };
    let again =
        crate::rerun_of(&LAB, &parameters, None, "h200", Some(host), crate::Edited::NONE, limits)?.record;
    let found = |id: &str| -> Vec<bool> {
        let series = again.experiment(id).iter().flat_map(|e| &e.series).collect::<Vec<_>>();
        series.iter().flat_map(|s| &s.points).map(|p| p.time.is_some() && !p.counters.is_empty()).collect()
    };
    assert!(found("tiles").contains(&true) && !found("tiles").contains(&false));
    for only_a_gpu_s in ["large", "resident"] {
        assert!(found(only_a_gpu_s).contains(&false) && !found(only_a_gpu_s).contains(&true));
    }
    let large = again.checks.iter().filter(|check| check.id.starts_with("large/"));
    assert_eq!(large.count(), 0);
    Ok(())
}

/// Record of an H200.
fn measured() -> Record {
    match Record::from_json(include_str!("../../../book/records/h200/lab-4-5.json")) {
        Ok(record) => record,
        Err(error) => panic!("{error}"),
    }
}

/// The record with the times of a series multiplied by `times`.
fn slower(mut record: Record, series: &str, times: f64) -> Record {
    let all = record.experiments.iter_mut().flat_map(|e| &mut e.series).filter(|s| s.id == series);
    for point in all.flat_map(|s| &mut s.points) {
        if let Some(time) = &mut point.time {
            time.median_ns *= times;
        }
    }
    judge(&LAB, &mut record);
    record
}

#[track_caller]
fn expect(record: &Record, id: &str, expected: Verdict) {
    let (found, why) = verdict(record, id);
    assert_eq!(found, expected, "{id}: {why}");
    assert!(!why.contains("NaN"), "{why}");
}

#[test]
fn tiles_in_shared_memory_are_faster_where_their_times_are_shorter() {
    let id = "tiling-is-faster";
    expect(&measured(), id, Verdict::Holds);
    expect(&slower(measured(), "tiled-32", 2.0), id, Verdict::HoldsInPart);
    expect(&slower(slower(measured(), "tiled-32", 2.0), "tiled-16", 2.0), id, Verdict::DoesNotHold);
}

#[test]
fn shared_memory_is_not_faster_by_itself() {
    let id = "shared-memory-is-nearer";
    expect(&measured(), id, Verdict::HoldsInPart);
    expect(&slower(measured(), "transposed-32", 0.1), id, Verdict::Holds);
    expect(&slower(measured(), "naive-16", 0.1), id, Verdict::DoesNotHold);
}

/// The record as if the source's card had made it.
fn on_the_card(mut record: Record) -> Record {
    if let record::Device::Gpu { name, .. } = &mut record.device {
        *name = "NVIDIA GeForce GTX 970".to_owned();
    }
    record
}

#[test]
fn the_source_s_ratio_and_rates_are_for_its_card_alone() {
    let id = "tiling-is-2-9-times-as-fast";
    expect(&measured(), id, Verdict::NotShown);
    expect(&slower(measured(), "tiled-16", 0.1), id, Verdict::NotShown);
    let rates = |naive: &str, tiled: &str| {
        let mut record = on_the_card(measured());
        for (series, seconds, rate) in [(naive, 102.90, 1.91), (tiled, 35.46, 5.54)] {
            let all = record.experiments.iter_mut().flat_map(|e| &mut e.series).filter(|s| s.id == series);
            for point in all.flat_map(|s| &mut s.points) {
                point.y = rate;
                if let Some(time) = &mut point.time {
                    time.median_ns = seconds * 1e9;
                }
            }
        }
        judge(&LAB, &mut record);
        record
    };
    expect(&rates("naive-16", "tiled-16"), id, Verdict::Holds);
    expect(&rates("debug-naive-16", "debug-tiled-16"), id, Verdict::HoldsInPart);
    expect(&on_the_card(slower(measured(), "tiled-16", 2.0)), id, Verdict::DoesNotHold);
    let mut small = on_the_card(measured());
    small.parameters.insert("rows".to_owned(), record::Parameter::Integer(96));
    expect(&small, id, Verdict::NotShown);
}

#[test]
fn conflicts_are_worst_where_all_lanes_have_them() {
    let id = "bank-conflicts-are-the-worst-case";
    expect(&measured(), id, Verdict::Holds);
    expect(&slower(measured(), "padded", 10.0), id, Verdict::HoldsInPart);
}

#[test]
fn wavefronts_of_a_multiply_add_allow_what_is_reached() {
    let record = measured();
    let fact = |name: &str| record.facts.get(name).map_or(f64::NAN, |f| f.value);
    for series in ["naive_16", "tiled_16", "tiled_32", "transposed_32", "padded_32", "blocked_8"] {
        let (allowed, reached) =
            (fact(&format!("large_{series}_turns_allow")), fact(&format!("large_{series}_of_peak")));
        assert!(reached <= allowed, "{series}: {reached} of {allowed}");
    }
    // One wavefront for each load of B, and two for A's two rows.
    assert!((fact("large_naive_16_turns") - 3.0).abs() < 0.01);
}

#[test]
fn blocks_that_are_left_after_whole_waves_and_the_rate_of_whole_waves_are_facts() {
    use ::tests::fixture;
    let mut record = fixture::empty("lab-4-5", true);
    if let record::Device::Gpu { multiprocessors, .. } = &mut record.device {
        *multiprocessors = 132;
    }
    let product = |scale: f64, grid: [u32; 3], rate: f64| {
        let launch =
            record::Launch { kernel: "blocked_8".to_owned(), grid, block: [16, 16, 1], shared_bytes: 0 };
        record::Point { launch: Some(launch), ..fixture::point((scale, rate)) }
    };
    fixture::add(&mut record, "large", "blocked-8", [product(10.0, [25, 38, 1], 42_000.0)]);
    fixture::add(&mut record, "large", "peak", [fixture::point((10.0, 64_000.0))]);
    let waves = [(528.0, 22, 47_000.0), (792.0, 33, 48_000.0), (816.0, 34, 41_600.0)];
    let waves = waves.map(|(blocks, rows, rate)| product(blocks, [24, rows, 1], rate));
    fixture::add(&mut record, "waves", "blocked-8", waves);
    fixture::add(&mut record, "resident", "blocked-8", [fixture::point((256.0, 2.0))]);
    let facts = facts::of(&record);
    let of = |name: &str| facts.get(name).map_or(f64::NAN, |fact| fact.value);
    assert_eq!((of("resident_blocked_8"), of("wave")), (2.0, 264.0));
    assert!((of("large_blocked_8_waves") - 3.598).abs() < 1e-3);
    assert_eq!(of("large_blocked_8_left"), 158.0);
    assert_eq!((of("large_blocked_8_left_two"), of("large_blocked_8_left_one")), (26.0, 106.0));
    assert_eq!((of("full_waves"), of("full_waves_rate")), (3.0, 48_000.0));
    assert_eq!((of("wave_and_more_blocks"), of("wave_and_more_rate")), (816.0, 41_600.0));
    assert_eq!(of("full_waves_of_peak"), 75.0);
}

#[test]
fn a_record_without_the_points_shows_nothing() {
    let mut record = measured();
    record.experiments.clear();
    record.checks.clear();
    judge(&LAB, &mut record);
    assert!(claims::RULES.iter().all(|(_, rule)| rule(&record).0 == Verdict::NotShown));
}
