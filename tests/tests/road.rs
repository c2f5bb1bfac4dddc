//! What later GPUs add to the book's memories: asynchronous copies, memory of other blocks, and L1's share of what shared memory
//! leaves, as `scripts/causes` measured them on an H200, and all chapters' kernels on one plot, by what limits them.

use crate::experiments::{
    Facts, Found, UPDATE, check, file, has_the_launches_of_its_jobs, is_committed, least, modelled, most,
    over, path, percent, read,
};
use record::{Axis, Check, Experiment, Fact, Point, Record, Scale, Series};
use render::format::number;
use std::collections::BTreeMap;
use tests::Result;

/// The record.
const LAB: &str = "road";
/// Experiments with launches; `roofline` is made of other records.
const LAUNCHED: [&str; 3] = ["stages", "bins", "room"];
/// Bytes of a tile of `stages`, and of the most tiles that one block has on their way there.
const TILE: f64 = 4096.0;
const MOST_TILES: f64 = 8.0 * TILE;
/// Bytes of the bins: the most that one block's shared memory holds here, and those that two and eight hold.
const BLOCK: f64 = 131_072.0;
const TWO_BLOCKS: f64 = 262_144.0;
const EIGHT_BLOCKS: f64 = 1_048_576.0;
/// KiB that L1 and shared memory are together on compute capability 9.0, and those that shared memory may have of them (CUDA C++
/// Programming Guide, Compute Capability 9.x).
const TOGETHER: f64 = 256.0;
const CARVE_OUTS: [f64; 10] = [0.0, 8.0, 16.0, 32.0, 64.0, 100.0, 132.0, 164.0, 196.0, 228.0];
/// KiB that a block takes in addition to what it asks for, and blocks of 512 threads that a multiprocessor holds at most.
const RESERVED: f64 = 1.0;
const BLOCKS: f64 = 4.0;
/// Share of sectors that L1 has where a table stays in it, of 64 rounds of which the first has none.
const STAYS: f64 = 0.97;
/// Operations of an interaction of two bodies: 3 subtractions, 6 fused multiply-adds of two each, a reciprocal square root and 3
/// products (`kernels/ch14-4/gravity.cu`).
const INTERACTION: f64 = 19.0;
/// Operations of a point of the stencil: 4 subtractions and 4 fused multiply-adds.
const STENCIL: f64 = 12.0;
const SECTOR: f64 = 32.0;

/// KiB of L1 that blocks leave which ask for that much shared memory: the driver gives shared memory what all blocks need that
/// threads leave room for.
fn left(asked: f64) -> f64 {
    let of_block = if asked > 0.0 { asked + RESERVED } else { 0.0 };
    let blocks =
        |carve_out: f64| if of_block == 0.0 { BLOCKS } else { (carve_out / of_block).floor().min(BLOCKS) };
    let most = CARVE_OUTS.into_iter().map(blocks).fold(0.0, f64::max);
    let carve_out = CARVE_OUTS.into_iter().find(|&carve_out| blocks(carve_out) == most);
    TOGETHER - carve_out.unwrap_or_default()
}

/// KiB of a series' table.
fn table(series: &Series) -> Option<f64> {
    series.id.strip_prefix("table-")?.parse().ok()
}

/// Tables of `room`: KiB of the table, KiB that blocks ask for, and the share of sectors that L1 had.
fn tables(found: &Found) -> Vec<(f64, f64, f64)> {
    let Some(experiment) = found.experiment("room") else { return vec![] };
    let share = |point: &Point| {
        let count = |name| point.hardware.get(name).map(|&count| count as f64);
        Some(count("global_load_hits")? / count("global_load_sectors")?)
    };
    let all =
        experiment.series.iter().flat_map(|series| series.points.iter().map(move |point| (series, point)));
    all.filter_map(|(series, point)| Some((table(series)?, point.x, share(point)?))).collect()
}

fn facts(record: &Record) -> BTreeMap<String, Fact> {
    let found = Found(record);
    let mut facts = Facts::default();
    let stages = |series, x| found.y("stages", series, x);
    for series in ["registers", "async", "bulk"] {
        let what = format!(
            "bandwidth with {MOST_TILES} B on the way on a multiprocessor over that with {TILE} B, {series}"
        );
        facts.put(format!("gain_{series}"), over(stages(series, MOST_TILES), stages(series, TILE)), "", what);
    }
    let bins = |series, x| found.y("bins", series, x);
    for (name, series, x) in
        [("block", "block", BLOCK), ("two", "cluster-2", TWO_BLOCKS), ("eight", "cluster-8", EIGHT_BLOCKS)]
    {
        let what = format!("rate of bins of {x} B in {series} over that in global memory");
        facts.put(format!("{name}_over_global"), over(bins(series, x), bins("global", x)), "", what);
    }
    let room = |x| found.y("room", "table-64", x);
    let what = "rate of a table of 64 KiB that stays in L1 over that of one that does not";
    facts.put("stays_over_goes", over(room(128.0), room(64.0)), "", what);
    for (name, asked) in [("64", 64.0), ("128", 128.0)] {
        if found.experiment("room").is_some() {
            let what = format!(
                "KiB of L1 that are left where blocks of 512 threads ask for {asked} KiB of shared memory"
            );
            facts.put(format!("left_{name}"), Some(left(asked)), "KiB", what);
        }
    }
    let roof = |series: &str| found.series("roofline", series)?.points.first().cloned();
    for series in ["add", "stencil", "naive", "tiled", "blocked", "bodies"] {
        let limit = roof(series).and_then(|point| Some(point.y / limit(&found, point.x)?));
        let what = format!("rate of {series} over what memory and arithmetic allow");
        facts.put(format!("roof_{series}"), limit, "", what);
    }
    let ends = found.series("roofline", "limit").map(|of| &of.points);
    let ridge = ends.and_then(|points| Some(points.last()?.y / (points.first()?.y / points.first()?.x)));
    facts.put("ridge", ridge, "", "operations per byte from DRAM from which arithmetic is the limit");
    facts.0
}

/// GFLOP/s that memory and arithmetic allow at that many operations per byte.
fn limit(found: &Found, x: f64) -> Option<f64> {
    let roof = &found.series("roofline", "limit")?.points;
    let (first, last) = (roof.first()?, roof.last()?);
    Some((first.y / first.x * x).min(last.y))
}

fn checks(record: &Record) -> Vec<Check> {
    let found = Found(record);
    let all = [
        bytes_decide(&found),
        more_is_faster(&found),
        block_holds_them(&found),
        two_blocks(&found),
        many_blocks(&found),
        carve_out(&found),
    ];
    all.into_iter().flatten().collect()
}

fn bytes_decide(found: &Found) -> Option<Check> {
    let ratios: Vec<f64> = ["registers", "bulk"]
        .iter()
        .flat_map(|series| found.pairs("stages", series, "async"))
        .map(|(_, a, b)| a / b)
        .collect();
    (!ratios.is_empty()).then_some(())?;
    let (low, high) = (least(ratios.iter().copied()), most(ratios.iter().copied()));
    check(
        "stages/bytes-decide",
        "with as many bytes on their way, tiles come as fast by more blocks, by asynchronous copies and by bulk copies, to within 15 %",
        low > 0.85 && high < 1.15,
        format!("{} to {} of the bandwidth of asynchronous copies", percent(low), percent(high)),
    )
}

fn more_is_faster(found: &Found) -> Option<Check> {
    let steps: Vec<f64> = ["registers", "async", "bulk"]
        .iter()
        .filter_map(|series| found.series("stages", series))
        .flat_map(|series| series.points.windows(2).map(|two| two[1].y / two[0].y))
        .collect();
    (!steps.is_empty()).then_some(())?;
    let (low, high) = (least(steps.iter().copied()), most(steps.iter().copied()));
    check(
        "stages/more-is-faster",
        "twice the bytes on their way are at least 1.2 times as fast, up to 32 KiB a multiprocessor",
        low > 1.2,
        format!("{low:.2} to {high:.2} times"),
    )
}

fn block_holds_them(found: &Found) -> Option<Check> {
    let ratios: Vec<f64> =
        found.pairs("bins", "block", "global").into_iter().map(|(_, a, b)| a / b).collect();
    (!ratios.is_empty()).then_some(())?;
    let (low, high) = (least(ratios.iter().copied()), most(ratios.iter().copied()));
    check(
        "bins/block-holds-them",
        "bins that a block's shared memory holds are counted in there at least 8 times as fast as in global memory",
        low > 8.0,
        format!("{} to {} times", number(low.round()), number(high.round())),
    )
}

fn two_blocks(found: &Found) -> Option<Check> {
    let (two, global) = (found.y("bins", "cluster-2", TWO_BLOCKS)?, found.y("bins", "global", TWO_BLOCKS)?);
    check(
        "bins/two-blocks",
        "256 KiB of bins, which only two blocks hold, are counted faster in a cluster of two than in global memory",
        two > 1.2 * global,
        format!("{} and {} billion a second", number(two.round()), number(global.round())),
    )
}

fn many_blocks(found: &Found) -> Option<Check> {
    let large = |series| found.pairs("bins", series, "global").into_iter().filter(|&(x, ..)| x >= BLOCK);
    let ratios: Vec<f64> =
        ["cluster-4", "cluster-8"].into_iter().flat_map(large).map(|(_, a, b)| a / b).collect();
    (!ratios.is_empty()).then_some(())?;
    let (low, high) = (least(ratios.iter().copied()), most(ratios.iter().copied()));
    check(
        "bins/many-blocks",
        "from 128 KiB on, clusters of four and of eight are slower than atomics in global memory",
        high < 1.0,
        format!("{} to {} of the rate", percent(low), percent(high)),
    )
}

fn carve_out(found: &Found) -> Option<Check> {
    let tables = tables(found);
    (!tables.is_empty()).then_some(())?;
    let wrong: Vec<_> =
        tables.iter().filter(|&&(table, asked, hits)| (table < left(asked)) != (hits > STAYS)).collect();
    check(
        "room/carve-out",
        "a table stays in L1 if it is smaller than what is left of 256 KiB by the carve-out that as many blocks need as threads leave room for",
        wrong.is_empty(),
        format!("{} of {} points", tables.len() - wrong.len(), tables.len()),
    )
}

/// A kernel's place: operations per byte that it reads from DRAM, and operations a second.
fn place(id: &str, label: &str, of: &Point, operations: f64) -> Option<Series> {
    let bytes = *of.hardware.get("dram_read_sectors")? as f64 * SECTOR;
    let ns = of.time.as_ref()?.median_ns;
    let (x, y) = (operations / bytes, operations / ns);
    Some(Series { id: id.into(), label: label.into(), reference: false, points: vec![bare(x, y, label)] })
}

/// A point that is on a plot for its place alone.
fn bare(x: f64, y: f64, what: &str) -> Point {
    let (hardware, counters) = (BTreeMap::new(), BTreeMap::new());
    Point {
        x,
        y,
        y_min: y,
        y_max: y,
        time: None,
        launch: None,
        operation: Some(what.to_owned()),
        hardware,
        counters,
    }
}

/// Kernels of the chapters, under the limits that memory and arithmetic set.
fn roofline(road: &Record) -> Result<Experiment> {
    let of = |lab: &str, experiment: &str, series: &str, x: f64| -> Result<Point> {
        let record = read("h200", lab)?;
        Ok(Found(&record)
            .at(experiment, series, x)
            .ok_or(format!("{lab} has no {experiment} {series} {x}"))?
            .clone())
    };
    let product = |series: &str, id: &str, label: &str| -> Result<Option<Series>> {
        let point = of("lab-4-5", "large", series, 10.0)?;
        let operations = point.y * point.time.as_ref().ok_or("no time")?.median_ns;
        Ok(place(id, label, &point, operations))
    };
    let elements = 67_108_864.0;
    let bodies = 262_144.0_f64;
    let places = [
        place("add", "the sum of two vectors", &of("lab-4-1", "add", "add4", elements)?, elements),
        place(
            "stencil",
            "the stencil",
            &of("lab-5-5", "stencil", "constant", 256.0)?,
            STENCIL * 16_777_216.0,
        ),
        product("naive-16", "naive", "the product, no tiles")?,
        product("tiled-16", "tiled", "the product by tiles of 16")?,
        product("blocked-8", "blocked", "the product by tiles of registers")?,
        place(
            "bodies",
            "bodies in shared memory",
            &of("lab-14-4", "schedulers", "shared", bodies)?,
            INTERACTION * bodies * bodies,
        ),
    ];
    let memory = ["registers", "async", "bulk"]
        .iter()
        .filter_map(|series| Found(road).y("stages", series, MOST_TILES))
        .fold(0.0, f64::max);
    let arithmetic = of("lab-4-5", "large", "peak", 10.0)?.y;
    let ridge = arithmetic / memory;
    let at = |x: f64| {
        let y = (memory * x).min(arithmetic);
        bare(x, y, "what memory and arithmetic allow")
    };
    let far = INTERACTION * bodies * bodies / 1e6;
    let limit = Series {
        id: "limit".into(),
        label: "what memory and arithmetic allow".into(),
        reference: true,
        points: vec![at(1.0 / 16.0), at(ridge), at(far)],
    };
    Ok(Experiment {
        id: "roofline".into(),
        title: "Operations a second, by operations per byte that DRAM reads".into(),
        x: Axis { label: "operations per byte from DRAM".into(), unit: String::new(), scale: Scale::Log2 },
        y: Axis { label: "rate".into(), unit: "GFLOP/s".into(), scale: Scale::Log10 },
        y_is: Default::default(),
        series: [limit].into_iter().chain(places.into_iter().flatten()).collect(),
    })
}

/// The record with the plot of all chapters' kernels, and what follows from its points.
fn judged(record: &Record) -> Result<Record> {
    let mut now = record.clone();
    now.experiments.retain(|experiment| experiment.id != "roofline");
    let plot = roofline(&now)?;
    now.experiments.insert(0, plot);
    (now.facts, now.checks) = (facts(&now), checks(&now));
    Ok(now)
}

#[test]
fn facts_and_sentences_follow_from_what_was_measured() -> Result {
    let record = read("h200", LAB)?;
    let today = judged(&record)?;
    if tests::is_update() && today != record {
        std::fs::write(path("h200", LAB), today.to_json()?)?;
        return Ok(());
    }
    assert_eq!(today.checks.len(), 6, "a sentence has lost its points");
    assert!(today == record, "other numbers or sentences; {UPDATE}");
    for check in &today.checks {
        assert!(check.passed, "{}: {}", check.what, check.found);
    }
    Ok(())
}

/// Each sentence is refuted by a record in which what it is about is the other way round.
#[test]
fn no_sentence_holds_whatever_was_measured() -> Result {
    let record = read("h200", LAB)?;
    // Of a sentence: series, x or all, and the factor of y, or of hits in L1 where it is about these.
    let changes = [
        ("stages/bytes-decide", "bulk", None, 0.5),
        ("stages/more-is-faster", "async", Some(MOST_TILES), 0.3),
        ("bins/block-holds-them", "block", Some(BLOCK), 0.2),
        ("bins/two-blocks", "cluster-2", None, 0.5),
        ("bins/many-blocks", "cluster-8", Some(EIGHT_BLOCKS), 3.0),
        ("room/carve-out", "table-64", Some(128.0), 0.5),
    ];
    for (id, series, x, by) in changes {
        let mut other = record.clone();
        let all = other.experiments.iter_mut().flat_map(|experiment| &mut experiment.series);
        let points = all.filter(|of| of.id == series).flat_map(|of| &mut of.points);
        for point in points.filter(|point| x.is_none_or(|x| x == point.x)) {
            point.y *= by;
            point.hardware.entry("global_load_hits".to_owned()).and_modify(|n| *n = (*n as f64 * by) as u64);
        }
        let failed: Vec<_> =
            checks(&other).into_iter().filter(|check| !check.passed).map(|check| check.id).collect();
        assert!(failed.iter().any(|failed| failed == id), "{id}: {failed:?}");
    }
    Ok(())
}

#[test]
fn what_blocks_leave_of_l1_is_what_the_carve_out_for_all_of_them_leaves() {
    assert_eq!([0.0, 32.0, 64.0, 128.0, 160.0, 224.0].map(left), [256.0, 124.0, 60.0, 124.0, 92.0, 28.0]);
}

#[test]
fn the_record_has_the_launches_of_the_jobs() -> Result {
    has_the_launches_of_its_jobs(&read("h200", LAB)?)?;
    for experiment in LAUNCHED {
        assert!(file(&format!("tests/{LAB}/{experiment}.toml")).exists());
    }
    Ok(())
}

/// The experiments that have launches, as the embedded device makes them.
fn remodelled() -> Result<Record> {
    let measured = read("h200", LAB)?;
    let chip = read("embedded-h200", "lab-5-5")?;
    let mut now = Record { device: chip.device, ..measured };
    now.written_by = "tests/road.rs".into();
    now.parameters.clear();
    now.experiments.retain(|experiment| LAUNCHED.contains(&experiment.id.as_str()));
    let one = |of: &Experiment| modelled(LAB, of, |_| true, |_, _| true);
    now.experiments = now.experiments.iter().map(one).collect::<Result<_>>()?;
    now.checks.clear();
    now.facts = facts(&now);
    Ok(now)
}

#[test]
fn facts_follow_from_what_was_modelled() -> Result {
    let record = read("embedded-h200", LAB)?;
    assert!(facts(&record) == record.facts && record.checks.is_empty(), "other facts; {UPDATE}");
    Ok(())
}

mod nightly {
    use super::*;

    /// `UPDATE=1 cargo test -p tests --test all road:: -- --include-ignored` writes the modelled record.
    #[test]
    #[ignore = "nightly: all launches of the road on the embedded device, minutes of its work"]
    fn the_embedded_record_is_what_the_device_says_today() -> Result {
        let now = remodelled()?;
        if tests::is_update() {
            std::fs::write(path("embedded-h200", LAB), now.to_json()?)?;
        }
        is_committed(&now)?;
        assert_eq!(now.experiments.len(), LAUNCHED.len());
        Ok(())
    }
}
