//! What the chapters name as causes: experiments that change one thing each, as `scripts/causes` measured them on an H200. Here
//! the single numbers and the sentences that chapters take from that record follow from its points, and the embedded device
//! makes the same launches where it models what is asked.

use crate::experiments::{
    Facts, Found, UPDATE, check, file, has_the_launches_of_its_jobs, is_committed, least, median, modelled,
    most, over, path, percent, read,
};
use record::{Check, Device as Recorded, Experiment, Fact, Parameter, Point, Record, Series, Verdict};
use render::format::{count, number};
use std::collections::BTreeMap;
use tests::Result;

/// The record.
const LAB: &str = "causes";
/// Times of two variants are as long as each other to within this.
const EQUAL: f64 = 0.03;
/// Experiments that the embedded device makes too. It knows no uniform loads, since ptxas makes them; and `copies` has no
/// launches.
const EMBEDDED: [&str; 4] = ["flight", "entries", "position", "fetch"];
/// That of them which it makes in a second.
const SHORT: &str = "fetch";

/// Bytes on their way on a multiprocessor in `flight`: those of one float, and of four, from either vector in each of 2,048
/// threads.
const ONE: f64 = 16384.0;
const FOUR: f64 = 65536.0;
/// Bodies in the tables of `uniform`.
const BODIES: [u32; 7] = [64, 128, 256, 512, 1024, 2048, 4096];
/// Blocks up to which uniform loads serve a multiprocessor well, and from which they do not.
const FEW_BLOCKS: f64 = 3.0;
const MANY_BLOCKS: f64 = 6.0;
/// Threads a block in `position` from which a block's start is not what counts.
const BLOCKS: [f64; 3] = [256.0, 512.0, 1024.0];
/// Bytes of a row in `copies` that the chapter's matrix has, 15 floats, and of one that the driver copies well.
const ROW: f64 = 60.0;
const ROW_16: f64 = 64.0;

/// Shares of the rate of lanes' loads that uniform loads reach, by the bodies of the table and the blocks on a multiprocessor.
fn uniform_shares(found: &Found) -> Vec<(u32, f64, f64)> {
    let of = |bodies| found.pairs("uniform", &format!("uniform-{bodies}"), &format!("lanes-{bodies}"));
    BODIES
        .into_iter()
        .flat_map(|bodies| of(bodies).into_iter().map(move |(x, a, b)| (bodies, x, a / b)))
        .collect()
}

/// Times of an entry of constant memory over those of one of shared memory, by the entry's and the table's bytes.
fn entry_ratios(found: &Found) -> Vec<(u32, f64, f64)> {
    let of = |size| found.pairs("entries", &format!("constant-{size}"), &format!("shared-{size}"));
    [4, 16].into_iter().flat_map(|size| of(size).into_iter().map(move |(x, a, b)| (size, x, a / b))).collect()
}

/// Of the time that coefficients loaded after the barrier cost, the share that they do not cost before it.
fn share_of_position(found: &Found, block: f64) -> Option<f64> {
    let time = |series| median(found.at("position", series, block)?);
    let (constant, before, after) = (time("constant")?, time("before")?, time("after")?);
    Some((after - before) / (after - constant))
}

fn facts(record: &Record) -> BTreeMap<String, Fact> {
    let found = Found(record);
    let mut facts = Facts::default();
    of_flight(&mut facts, &found);
    of_uniform(&mut facts, &found);
    of_entries(&mut facts, &found);
    of_position(&mut facts, &found);
    of_copies(&mut facts, &found);
    facts.0
}

fn of_flight(facts: &mut Facts, found: &Found) {
    let flight = |series, x| found.y("flight", series, x);
    for (name, series, x, label) in [
        ("one", "single", ONE, "one float"),
        ("four", "single", FOUR, "four single floats at once"),
        ("in_turn", "in-turn", ONE, "four single floats in turn"),
    ] {
        let what = format!("bandwidth with {label} a thread over that with one load of four floats");
        let value = over(flight(series, x), flight("wide", FOUR));
        facts.put(format!("flight_{name}_over_wide"), value, "", what);
    }
    let requests = |series| found.hardware("flight", series, FOUR, "global_load_requests");
    let what = "requests of four single floats at once over those of one load of four floats";
    facts.put("flight_requests_four_over_wide", over(requests("single"), requests("wide")), "", what);
    let (Recorded::Gpu { multiprocessors, .. } | Recorded::Simt { multiprocessors, .. }) = &found.0.device;
    for (name, x) in [("one", ONE), ("four", FOUR)] {
        // Two of the three floats that move are loaded.
        let loads = flight("single", x).map(|rate| rate * 2.0 / 3.0);
        let what = "on the way on each multiprocessor, over the bandwidth of loads with them";
        let waits = loads.map(|rate| x * f64::from(*multiprocessors) / rate);
        facts.put(format!("flight_wait_{name}"), waits, "ns", format!("{} B {what}", count(x as u64)));
    }
}

fn of_uniform(facts: &mut Facts, found: &Found) {
    let rate = "rate of uniform loads over that of loads of lanes";
    let shares = uniform_shares(found);
    for &(bodies, blocks, share) in &shares {
        let what = format!("{rate}, {bodies} bodies, {blocks} blocks on a multiprocessor");
        facts.put(format!("uniform_{bodies}_{blocks}"), Some(share), "", what);
    }
    let few = shares.iter().filter(|s| s.1 <= FEW_BLOCKS).map(|s| s.2).collect::<Vec<_>>();
    let many = shares.iter().filter(|s| s.1 >= MANY_BLOCKS).map(|s| s.2).collect();
    for (name, of, at) in [("few", few, "up to three blocks"), ("many", many, "six blocks or more")] {
        let extremes = [("least", least(of.iter().copied())), ("most", most(of.iter().copied()))];
        for (word, value) in extremes {
            let what = format!("the {word} {rate}, {at} on a multiprocessor, any table");
            facts.put(format!("uniform_{name}_{word}"), Some(value), "", what);
        }
    }
}

fn of_entries(facts: &mut Facts, found: &Found) {
    let ratios = entry_ratios(found);
    for size in [4, 16] {
        let of = || ratios.iter().filter(move |(of, ..)| *of == size).map(|&(.., ratio)| ratio);
        for (word, value) in [("least", least(of())), ("most", most(of()))] {
            let what = format!(
                "the {word} time of an entry of {size} bytes in constant memory over that in shared memory, any table"
            );
            facts.put(format!("constant_over_shared_{size}_{word}"), Some(value), "", what);
        }
    }
}

fn of_position(facts: &mut Facts, found: &Found) {
    for block in BLOCKS {
        let time = |series| median(found.at("position", series, block)?);
        for series in ["before", "after"] {
            let what =
                format!("time with loads {series} the barrier over that with constants, {block} threads");
            let value = over(time(series), time("constant"));
            facts.put(format!("{series}_over_constant_{block}"), value, "", what);
        }
        let what = "share of the time that loads after the barrier cost which they do not cost before it";
        let what = format!("{what}, {block} threads a block");
        facts.put(format!("share_of_position_{block}"), share_of_position(found, block), "", what);
    }
}

fn of_copies(facts: &mut Facts, found: &Found) {
    let copies = |series, x| found.y("copies", series, x);
    for (name, series, x) in [("rows", "rows-pageable", ROW), ("rows_16", "rows-pageable-16", ROW_16)] {
        let what =
            format!("time of rows of {x} bytes from pageable memory over that of one copy of all bytes");
        let value = over(copies(series, x), copies("plain-pageable", x));
        facts.put(format!("{name}_over_plain"), value, "", what);
    }
    let Some(Parameter::Integer(bytes)) = found.0.parameters.get("copied_bytes") else { return };
    let rows = (*bytes as f64 / ROW).floor();
    let each = copies("rows-pageable", ROW).map(|ns| ns / rows);
    let what = format!("time of a row of {ROW} bytes from pageable memory, of {}", count(rows as u64));
    facts.put("row_takes", each, "ns", what);
}

/// The sentences that chapters make of the record, each with what was found; those that its points do not reach are left out.
fn checks(record: &Record) -> Vec<Check> {
    let found = Found(record);
    let all = [
        bytes_decide(&found),
        threads_do_not(&found),
        few_blocks(&found),
        many_blocks(&found),
        shared_is_faster(&found),
    ];
    let all = all.into_iter().chain([
        position_decides(&found),
        granules(&found),
        short_rows(&found),
        rows_of_16(&found),
        begins(&found),
    ]);
    all.flatten().collect()
}

fn bytes_decide(found: &Found) -> Option<Check> {
    let rate = |series| found.y("flight", series, FOUR);
    let requests = |series, x| found.hardware("flight", series, x, "global_load_requests");
    let (four, wide, one) = (rate("single")?, rate("wide")?, found.y("flight", "single", ONE)?);
    let same_requests = requests("single", FOUR)? == requests("single", ONE)?;
    check(
        "flight/bytes-decide",
        "single floats, four at once, are as fast as loads of four floats, with as many requests as one float a thread",
        (four / wide - 1.0).abs() < EQUAL && one < (1.0 - EQUAL) * wide && same_requests,
        format!(
            "{} GB/s with {} requests and {} GB/s with {}; {} GB/s for one float a thread, with {}",
            number(four),
            count(requests("single", FOUR)? as u64),
            number(wide),
            count(requests("wide", FOUR)? as u64),
            number(one),
            count(requests("single", ONE)? as u64)
        ),
    )
}

fn threads_do_not(found: &Found) -> Option<Check> {
    let (turn, four) = (found.y("flight", "in-turn", ONE)?, found.y("flight", "single", FOUR)?);
    check(
        "flight/threads-do-not",
        "four floats a thread that are loaded in turn are slower than four at once, with as many threads",
        turn < (1.0 - EQUAL) * four,
        format!("{} and {} GB/s", number(turn), number(four)),
    )
}

fn few_blocks(found: &Found) -> Option<Check> {
    let shares: Vec<_> =
        uniform_shares(found).into_iter().filter(|&(_, blocks, _)| blocks <= FEW_BLOCKS).collect();
    let (low, high) = (least(shares.iter().map(|s| s.2)), most(shares.iter().map(|s| s.2)));
    (!shares.is_empty()).then_some(())?;
    check(
        "uniform/few-blocks",
        "up to three blocks of 256 threads on a multiprocessor, uniform loads reach at least 95 % of the rate of \
         loads of lanes, for tables of any length",
        low > 0.95,
        format!("{} to {}, {} tables", percent(low), percent(high), BODIES.len()),
    )
}

fn many_blocks(found: &Found) -> Option<Check> {
    let shares: Vec<_> =
        uniform_shares(found).into_iter().filter(|&(_, blocks, _)| blocks >= MANY_BLOCKS).collect();
    let (low, high) = (least(shares.iter().map(|s| s.2)), most(shares.iter().map(|s| s.2)));
    (!shares.is_empty()).then_some(())?;
    check(
        "uniform/many-blocks",
        "with six blocks or more, they reach less than a third, for tables of any length",
        high < 1.0 / 3.0,
        format!("{} to {}, {} tables", percent(low), percent(high), BODIES.len()),
    )
}

fn shared_is_faster(found: &Found) -> Option<Check> {
    let ratios = entry_ratios(found);
    let (low, high) = (least(ratios.iter().map(|r| r.2)), most(ratios.iter().map(|r| r.2)));
    (!ratios.is_empty()).then_some(())?;
    check(
        "entries/shared-is-faster",
        "an entry that only the run decides on takes at least 1.8 times as long in constant memory as in shared \
         memory, for tables of any size",
        low > 1.8,
        format!("{low:.1} to {high:.1} times, {} tables", ratios.len()),
    )
}

fn position_decides(found: &Found) -> Option<Check> {
    let shares = BLOCKS.map(|block| share_of_position(found, block));
    let shares = shares.into_iter().collect::<Option<Vec<_>>>()?;
    let requests = |series| found.hardware("position", series, BLOCKS[0], "global_load_requests");
    check(
        "position/before-the-barrier",
        "most of the time that the coefficients' loads cost after the barrier they do not cost before it, with \
         as many requests",
        shares.iter().all(|&share| share > 0.5) && requests("before")? == requests("after")?,
        format!(
            "{} to {} of it",
            percent(least(shares.iter().copied())),
            percent(most(shares.iter().copied()))
        ),
    )
}

/// Sectors that pieces of `size` bytes have which the 128 bytes from the float `start` on touch.
fn sectors_fetched(size: f64, start: f64) -> f64 {
    let (first, end) = (4.0 * start, 4.0 * start + 128.0);
    ((end / size).ceil() - (first / size).floor()) * size / 32.0
}

fn granules(found: &Found) -> Option<Check> {
    let experiment = found.experiment("fetch")?;
    let mut all = 0;
    for series in &experiment.series {
        let size: f64 = series.id.strip_prefix("fetch-")?.parse().ok()?;
        for point in &series.points {
            let count = |counter: &str| point.hardware.get(counter).map(|&count| count as f64);
            let read = count("dram_read_sectors")? / count("global_load_requests")?;
            if (read / sectors_fetched(size, point.x) - 1.0).abs() > 0.01 {
                return check(
                    "fetch/granules",
                    GRANULES,
                    false,
                    format!("{} at {}: {read:.2}", series.id, point.x),
                );
            }
            all += 1;
        }
    }
    check("fetch/granules", GRANULES, true, format!("{all} of {all} starts and limits"))
}

const GRANULES: &str =
    "DRAM reads every piece of 32, 64 or 128 bytes, as the limit says, in which the row wants a byte";

fn short_rows(found: &Found) -> Option<Check> {
    let time = |series| found.y("copies", series, ROW);
    let (rows, spread, pinned) = (time("rows-pageable")?, time("spread-pageable")?, time("rows-pinned")?);
    check(
        "copies/short-rows",
        "a million rows of 60 bytes are copied from pageable memory several times faster at once and then \
         by rows on the device",
        rows > 5.0 * spread,
        format!(
            "{} ms by rows, {} ms at once and then by rows on the device; {} ms by rows from pinned memory",
            number((rows / 1e6).round()),
            number((spread / 1e6).round()),
            number((pinned / 1e5).round() / 10.0)
        ),
    )
}

fn rows_of_16(found: &Found) -> Option<Check> {
    let (odd, multiple) =
        (found.y("copies", "rows-pageable", ROW)?, found.y("copies", "rows-pageable-16", ROW_16)?);
    check(
        "copies/multiples-of-16",
        "rows of 64 bytes, a multiple of 16, are copied several times faster from pageable memory than rows of 60",
        odd > 5.0 * multiple,
        format!("{} and {} ms", number((multiple / 1e6).round()), number((odd / 1e6).round())),
    )
}

fn begins(found: &Found) -> Option<Check> {
    let (packed, padded) =
        (found.y("copies", "rows-pageable", ROW)?, found.y("copies", "padded-pageable", ROW)?);
    check(
        "copies/where-rows-begin",
        "rows of 60 bytes take as long if each begins at a multiple of 16",
        (padded / packed - 1.0).abs() < 0.1,
        format!("{} and {} ms", number((padded / 1e6).round()), number((packed / 1e6).round())),
    )
}

/// The record with the facts and the checks that follow from its points.
fn judged(record: &Record) -> Record {
    Record { facts: facts(record), checks: checks(record), ..record.clone() }
}

#[test]
fn facts_and_sentences_follow_from_what_was_measured() -> Result {
    let record = read("h200", LAB)?;
    let today = judged(&record);
    if tests::is_update() && today != record {
        std::fs::write(path("h200", LAB), today.to_json()?)?;
        return Ok(());
    }
    assert_eq!(today.checks.len(), 10, "a sentence has lost its points");
    assert!(today.facts == record.facts, "other facts; {UPDATE}");
    assert!(today.checks == record.checks, "other sentences; {UPDATE}");
    for check in &today.checks {
        assert!(check.passed, "{}: {}", check.what, check.found);
    }
    Ok(())
}

fn y(point: &mut Point, by: f64) {
    point.y *= by;
}

fn time(point: &mut Point, by: f64) {
    point.time.iter_mut().for_each(|time| time.median_ns *= by);
}

fn sectors(point: &mut Point, by: f64) {
    point.hardware.entry("dram_read_sectors".to_owned()).and_modify(|n| *n = (*n as f64 * by) as u64);
}

/// Each sentence is refuted by a record in which what it is about is the other way round.
#[test]
fn no_sentence_holds_whatever_was_measured() -> Result {
    let record = read("h200", LAB)?;
    type Change = fn(&mut Point, f64);
    // Of a sentence: series, x or all, what is changed, and by which factor.
    let changes: [(&str, &str, Option<f64>, Change, f64); 10] = [
        ("flight/bytes-decide", "single", Some(FOUR), y, 0.5),
        ("flight/threads-do-not", "in-turn", None, y, 2.0),
        ("uniform/few-blocks", "uniform-64", Some(2.0), y, 0.5),
        ("uniform/many-blocks", "uniform-64", Some(8.0), y, 4.0),
        ("entries/shared-is-faster", "constant-4", Some(2048.0), y, 0.5),
        ("position/before-the-barrier", "before", None, time, 1.1),
        ("fetch/granules", "fetch-64", Some(8.0), sectors, 0.5),
        ("copies/short-rows", "spread-pageable", None, y, 100.0),
        ("copies/multiples-of-16", "rows-pageable-16", None, y, 100.0),
        ("copies/where-rows-begin", "padded-pageable", None, y, 0.1),
    ];
    for (id, series, x, change, by) in changes {
        let mut other = record.clone();
        let all = other.experiments.iter_mut().flat_map(|experiment| &mut experiment.series);
        let points = all.filter(|of| of.id == series).flat_map(|of| &mut of.points);
        points.filter(|point| x.is_none_or(|x| x == point.x)).for_each(|point| change(point, by));
        let failed: Vec<_> =
            checks(&other).into_iter().filter(|check| !check.passed).map(|check| check.id).collect();
        assert!(failed.iter().any(|failed| failed == id), "{id}: {failed:?}");
    }
    Ok(())
}

#[test]
fn a_row_s_sectors_follow_from_where_it_begins_and_what_is_fetched_at_a_time() {
    let of = |size| [0.0, 4.0, 8.0, 16.0].map(|start| sectors_fetched(size, start));
    assert_eq!(of(32.0), [4.0, 5.0, 4.0, 4.0]);
    assert_eq!(of(64.0), [4.0, 6.0, 6.0, 4.0]);
    assert_eq!(of(128.0), [4.0, 8.0, 8.0, 8.0]);
}

/// The claim that copies by rows are best is judged on another record, which has no times of them.
#[test]
fn the_claim_about_copies_by_rows_holds_in_part_while_short_rows_are_slower() -> Result {
    let text = std::fs::read_to_string(file("book/records/h200/lab-4-2.json"))?;
    let lab = Record::from_json(&text)?;
    let claim = lab
        .claims
        .iter()
        .find(|claim| claim.id == "pitched-memory-is-copied-by-rows")
        .ok_or("no such claim")?;
    let slower = short_rows(&Found(&read("h200", LAB)?)).ok_or("no copies")?.passed;
    assert_eq!(claim.verdict, if slower { Verdict::HoldsInPart } else { Verdict::Holds });
    Ok(())
}

/// The chapters' sentences are about what was measured, so the modelled record has none.
#[test]
fn facts_follow_from_what_was_modelled() -> Result {
    let record = read("embedded-h200", LAB)?;
    let today = Record { facts: facts(&record), ..record.clone() };
    if tests::is_update() && today != record {
        std::fs::write(path("embedded-h200", LAB), today.to_json()?)?;
        return Ok(());
    }
    assert!(today.facts == record.facts && record.checks.is_empty(), "other facts; {UPDATE}");
    Ok(())
}

/// What chapters say of the model and of the measurements: it finds that bytes on their way decide and that shared memory is
/// faster, and it has the position of loads the wrong way round.
#[test]
fn chapters_say_of_the_model_what_its_record_has() -> Result {
    let record = read("embedded-h200", LAB)?;
    let found = Found(&record);
    let flight = |series, x| found.y("flight", series, x).ok_or("no such point");
    let (one, four, wide) = (flight("single", ONE)?, flight("single", FOUR)?, flight("wide", FOUR)?);
    assert!((four / wide - 1.0).abs() < EQUAL && one < (1.0 - EQUAL) * wide, "{one} {four} {wide}");
    assert!(flight("in-turn", ONE)? < (1.0 - EQUAL) * four);
    let ratios = entry_ratios(&found);
    assert!(ratios.len() == 4 && ratios.iter().all(|&(.., ratio)| ratio > 1.8), "{ratios:?}");
    let measured = read("h200", LAB)?;
    for (size, bytes, ratio) in ratios.into_iter().filter(|&(_, bytes, _)| bytes == 65536.0) {
        let of = entry_ratios(&Found(&measured)).into_iter().find(|&(s, b, _)| (s, b) == (size, bytes));
        assert!(of.is_some_and(|(.., of)| ratio < 0.7 * of), "a large table costs {ratio}, measured {of:?}");
    }
    for block in BLOCKS {
        let share = share_of_position(&found, block).ok_or("no such point")?;
        assert!(
            share < 0.0,
            "{share} at {block}: the model knows positions now, and the chapter says it does not"
        );
    }
    Ok(())
}

/// The table of errors says of these launches that the model is not made for them.
#[test]
fn the_model_was_not_fitted_to_these_launches() -> Result {
    let (measured, modelled) = (read("h200", LAB)?, read("embedded-h200", LAB)?);
    let table = render::errors::overview(&[(&measured, &modelled)])?;
    let row: Vec<_> = table.rows.first().ok_or("no row")?.iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(row[..2], ["`causes`", "no, nor looked at"]);
    Ok(())
}

/// Whether the embedded device makes a launch. It has L2 fetch 64 bytes at a time and no limit to set; and of the tables, which
/// take it seconds each, it reads the smallest and the largest.
fn is_modelled(experiment: &str, series: &str, x: f64) -> bool {
    match experiment {
        "fetch" => series == "fetch-64",
        "entries" => !series.starts_with("global") && [1024.0, 65536.0].contains(&x),
        _ => true,
    }
}

fn remodelled(wanted: impl Fn(&str) -> bool) -> Result<Record> {
    let measured = read("h200", LAB)?;
    let chip = std::fs::read_to_string(file("book/records/embedded-h200/lab-5-5.json"))?;
    let mut now = Record { device: Record::from_json(&chip)?.device, ..measured };
    now.written_by = "tests/causes.rs".into();
    now.parameters.clear();
    now.experiments.retain(|experiment| wanted(&experiment.id));
    let one = |of: &Experiment| {
        // The launches of `fetch` are those of one series.
        let launched = |series: &Series| of.id != "fetch" || series.id == "fetch-64";
        modelled(LAB, of, launched, |series, point| is_modelled(&of.id, &series.id, point.x))
    };
    now.experiments = now.experiments.iter().map(one).collect::<Result<_>>()?;
    let used = |file: &str| {
        file == "ch4-2/rows.cu" || EMBEDDED.iter().any(|name| file == format!("causes/{name}.cu"))
    };
    now.kernels.retain(|kernel| used(&kernel.file));
    now.checks.clear();
    now.facts = facts(&now);
    Ok(now)
}

#[test]
fn the_record_has_the_launches_of_the_jobs() -> Result {
    has_the_launches_of_its_jobs(&read("h200", LAB)?)
}

#[test]
fn the_embedded_device_counts_isolated_rows_as_its_record_says() -> Result {
    let now = remodelled(|id| id == SHORT)?;
    assert_eq!(now.experiments.len(), 1);
    // It is about to be written.
    if tests::is_update() { Ok(()) } else { is_committed(&now) }
}

mod nightly {
    use super::*;

    /// `UPDATE=1 cargo test -p tests --test all causes:: -- --include-ignored` writes the modelled record.
    #[test]
    #[ignore = "nightly: all launches that the embedded device models, minutes of its work"]
    fn the_embedded_record_is_what_the_device_says_today() -> Result {
        let now = remodelled(|id| EMBEDDED.contains(&id))?;
        if tests::is_update() {
            std::fs::write(path("embedded-h200", LAB), now.to_json()?)?;
        }
        is_committed(&now)?;
        assert_eq!(now.experiments.len(), EMBEDDED.len());
        Ok(())
    }
}
