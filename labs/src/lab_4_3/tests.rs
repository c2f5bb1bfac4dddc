//! Tests of the plan and of the rules.

use super::*;
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

#[test]
fn every_element_has_a_thread_in_blocks_of_any_shape() -> Result<()> {
    for (m, n, p) in [(1, 1, 1), (17, 3, 33), (100, 5, 7)] {
        let plan = planned(&[("rows", m), ("inner", n), ("columns", p)], false)?;
        for launch in plan.launches() {
            let threads = |axis: usize| u64::from(launch.grid[axis] * launch.block[axis]);
            assert_eq!(launch.block[0] * launch.block[1], THREADS);
            assert!(threads(1) + 3 >= m && threads(0) + 7 >= p, "{launch:?}");
        }
    }
    Ok(())
}

#[test]
fn where_the_widest_blocks_reach_beyond_the_last_column_fewer_columns_are_tried_too() -> Result<()> {
    for (columns, expected) in [(320, Some([1, 480, 1])), (256, None), (64, None)] {
        let plan = planned(&[("rows", 480), ("columns", columns)], false)?;
        let fitting = plan.experiments.iter().find(|e| e.id == "fitting");
        let widest = fitting.and_then(|e| e.series[0].points.last());
        let grid = widest.and_then(|point| point.work.launches().next()).map(|launch| launch.grid);
        assert_eq!(grid, expected, "{columns} columns");
    }
    Ok(())
}

#[test]
fn two_rows_of_a_are_in_one_bank_of_l1_unless_they_are_a_part_of_a_line_further_apart() -> Result<()> {
    let limits = crate::Limits { instructions: u64::MAX, memory_bytes: 1 << 30 };
    let sizes = [("rows", 32), ("inner", 33), ("columns", 32)];
    let record = crate::rerun(&LAB, &request(&sizes, false)?.parameters(), None, "h200", limits)?;
    let rows = record.experiment("rows").and_then(|e| e.series("naive"));
    let wavefronts = |point: &record::Point| {
        let count = |name: &str| point.counters.get(name).copied().unwrap_or(0) as f64;
        (point.x, count("global_load_data_wavefronts") / count("global_load_requests"))
    };
    let found: Vec<_> = rows.iter().flat_map(|s| &s.points).map(wavefronts).collect();
    // Of two loads, that of B needs one wavefront in any case.
    assert_eq!(found, [(64.0, 1.5), (72.0, 1.0), (80.0, 1.0), (88.0, 1.0), (96.0, 1.5)]);
    assert!(record.checks.iter().all(|check| check.passed));
    Ok(())
}

#[test]
fn a_product_of_one_column_has_no_fewer_to_compare_with() -> Result<()> {
    let plan = planned(&[("rows", 2), ("inner", 2), ("columns", 1)], false)?;
    let pitch = plan.experiments.iter().find(|e| e.id == "pitch");
    assert!(pitch.is_some_and(|e| e.series.iter().all(|s| s.points.len() == 1)));
    Ok(())
}

#[test]
fn larger_matrices_are_for_a_gpu_and_are_not_counted_again() -> Result<()> {
    let ids = |plan: &Plan| plan.experiments.iter().map(|e| e.id).collect::<Vec<_>>();
    let modelled = planned(&[("scale", 3)], false)?;
    assert_eq!(ids(&modelled), ["blocks", "pitch", "rows"]);
    assert!(modelled.notes.iter().any(|n| n.contains("for a GPU")));
    let measured = planned(&[("scale", 3)], true)?;
    assert_eq!(ids(&measured), ["blocks", "pitch", "rows", "large"]);
    assert_eq!(measured.uncounted, ["large"]);
    let xs = |plan: &Plan| plan.experiments[3].series[0].points.iter().map(|p| p.x).collect::<Vec<_>>();
    assert_eq!(xs(&measured), [1.0, 2.0, 3.0]);
    Ok(())
}

#[test]
fn sizes_that_cannot_be_are_refused_with_the_reason() {
    for (sizes, said) in [
        (vec![("rows", 0)], "--rows: 0: there is nothing"),
        (vec![("columns", 1 << 16)], "--columns: 65536: at most 2^15 (32768)"),
        (vec![("rows", 32768), ("inner", 32768), ("columns", 32768)], "4 GiB"),
        (vec![("scale", 32), ("rows", 32768)], "4 GiB"),
        (vec![("scale", 32), ("rows", 8), ("inner", 4096), ("columns", 8)], "--inner 131072"),
    ] {
        let reported = planned(&sizes, false).map(|_| ()).map_err(|e| format!("{e:#}"));
        assert!(reported.as_ref().is_err_and(|e| e.contains(said)), "{sizes:?}: {reported:?}");
    }
}

/// Verdict of the claim with this id on a record, after a change to it.
fn verdict(json: &str, id: &str, change: impl Fn(&mut Record)) -> (Verdict, String) {
    let mut record = Record::from_json(json).unwrap_or_else(|error| panic!("{error}"));
    change(&mut record);
    crate::claims::verdict(&LAB, &record, id)
}

const H200: &str = include_str!("../../../book/records/h200/lab-4-3.json");
const GTX_970: &str = include_str!("../../../book/records/embedded-gtx970/lab-4-3.json");

fn each_point(record: &mut Record, change: impl Fn(&mut record::Point)) {
    record.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points).for_each(change);
}

#[test]
fn accesses_are_the_formula_s_or_they_are_not() {
    let id = "naive-product-accesses";
    assert_eq!(verdict(H200, id, |_| ()).0, Verdict::Holds);
    let more = |r: &mut Record| {
        each_point(r, |p| *p.counters.entry("global_load_requests".to_owned()).or_default() += 1);
    };
    assert_eq!(verdict(H200, id, more).0, Verdict::DoesNotHold);
    let partial = |r: &mut Record| {
        each_point(r, |p| *p.counters.entry("thread_instructions".to_owned()).or_default() += 1);
    };
    assert_eq!(verdict(H200, id, partial).0, Verdict::NotShown);
}

#[test]
fn accesses_that_a_cache_answers_are_not_as_slow_as_said() {
    let id = "every-access-of-the-naive-product-is-slow";
    assert_eq!(verdict(H200, id, |_| ()).0, Verdict::HoldsInPart);
    let cold = |r: &mut Record| {
        each_point(r, |p| {
            p.hardware.insert("global_load_hits".to_owned(), 0);
        });
    };
    assert_eq!(verdict(H200, id, cold).0, Verdict::Holds);
    assert_eq!(verdict(GTX_970, id, |_| ()).0, Verdict::NotShown);
}

#[test]
fn the_source_s_seconds_are_for_its_card_and_its_build_alone() {
    let id = "naive-product-takes-103-s";
    let (found, why) = verdict(H200, id, |_| ());
    assert!(found == Verdict::NotShown && why.contains("another chip (GTX 970)"), "{why}");
    let (found, why) = verdict(GTX_970, id, |_| ());
    assert!(found == Verdict::NotShown && why.contains("modelled here"), "{why}");
    let on_the_card = |rate: f64| {
        verdict(H200, id, |record| {
            if let record::Device::Gpu { name, .. } = &mut record.device {
                *name = "NVIDIA GeForce GTX 970".to_owned();
            }
            each_point(record, |p| p.y = rate);
        })
    };
    assert_eq!(on_the_card(2.0).0, Verdict::Holds);
    assert_eq!(on_the_card(80.0).0, Verdict::NotShown, "a build that optimises refutes none that does not");
}

#[test]
fn identities_give_an_identity_if_the_check_says_so() {
    let id = "product-of-identities";
    assert_eq!(verdict(H200, id, |_| ()).0, Verdict::Holds);
    let failed = |r: &mut Record| r.checks.iter_mut().for_each(|check| check.passed = false);
    assert_eq!(verdict(H200, id, failed).0, Verdict::DoesNotHold);
    assert_eq!(verdict(H200, id, |r| r.checks.clear()).0, Verdict::NotShown);
}
