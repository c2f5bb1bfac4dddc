//! The source's claims on pitched memory, and this lab's verdicts.

use super::misuse;
use crate::lab::Rule;
use crate::rules::{EQUAL, as_checked, fact, hardware, missing, uncounted};
use record::{Point, Record, Verdict};
use render::format::number;

/// Output of the source's programs.
const PRINTED: [(f64, f64); 3] = [(15.0, 512.0), (128.0, 512.0), (255.0, 1024.0)];
/// Multiple that rows are padded to, by the source.
const MULTIPLE: f64 = 512.0;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("pitches-as-printed", printed),
    ("rows-are-padded-to-512-bytes", multiples),
    ("pitches-differ-from-widths", wider),
    ("pitched-rows-are-aligned", aligned),
    ("pitched-rows-are-fastest", fastest),
    ("pitched-memory-is-copied-by-rows", copied),
    ("aligned-neighbours-are-best", neighbours),
];

use Verdict::{DoesNotHold, Holds, HoldsInPart};

fn printed(record: &Record) -> (Verdict, String) {
    let Some(source) = record.experiment("source") else { return missing() };
    let pitch = |series: &str, floats: f64| source.series(series).and_then(|s| s.at(floats)).map(|p| p.y);
    let mut found = Vec::new();
    for (floats, _) in PRINTED {
        let (Some(flat), Some(deep)) = (pitch("2d", floats), pitch("3d", floats)) else { return missing() };
        found.push((floats, flat, deep));
    }
    let same =
        found.iter().zip(PRINTED).all(|((_, flat, deep), (_, printed))| *flat == printed && *deep == printed);
    let list: Vec<String> = found
        .iter()
        .map(|(floats, flat, deep)| format!("{floats} floats: {} and {}", number(*flat), number(*deep)))
        .collect();
    let why = format!("pitches in two and in three dimensions, bytes: {}", list.join("; "));
    (if same { Holds } else { DoesNotHold }, why)
}

/// The pitches that were found: width and pitch, bytes.
fn pitches(record: &Record) -> Vec<&Point> {
    record.experiment("pitch").into_iter().flat_map(|e| &e.series).flat_map(|series| &series.points).collect()
}

fn multiples(record: &Record) -> (Verdict, String) {
    let points = pitches(record);
    if points.is_empty() {
        return missing();
    }
    let next = |width: f64| (width / MULTIPLE).ceil() * MULTIPLE;
    match points.iter().find(|point| point.y != next(point.x)) {
        Some(point) => (
            DoesNotHold,
            format!(
                "rows of {} bytes get a pitch of {}, the next multiple is {}",
                point.x,
                point.y,
                next(point.x)
            ),
        ),
        None => (
            Holds,
            format!(
                "the pitch is the next multiple of {MULTIPLE} bytes for all {} allocations",
                points.len()
            ),
        ),
    }
}

fn wider(record: &Record) -> (Verdict, String) {
    let points = pitches(record);
    let wider = points.iter().filter(|point| point.y > point.x).count();
    let why = format!(
        "{wider} of {} allocations have a pitch above their width{}",
        points.len(),
        match points.iter().find(|point| point.y == point.x) {
            Some(point) => format!(", those of {} bytes have none", point.x),
            None => String::new(),
        }
    );
    match (points.len(), wider) {
        (0, _) => missing(),
        (_, 0) => (DoesNotHold, why),
        (all, some) if some < all => (HoldsInPart, why),
        _ => (Holds, why),
    }
}

/// Sectors a request of loads and stores, as the hardware counted them.
fn sectors(point: &Point) -> Option<f64> {
    let sum = |a, b| Some((hardware(point, a)? + hardware(point, b)?) as f64);
    Some(
        sum("global_load_sectors", "global_store_sectors")?
            / sum("global_load_requests", "global_store_requests")?,
    )
}

/// The same of loads alone.
fn load_sectors(point: &Point) -> Option<f64> {
    Some(hardware(point, "global_load_sectors")? as f64 / hardware(point, "global_load_requests")? as f64)
}

/// A width whose packed rows begin at every place of a sector, and whose padded rows are next to full.
const ODD: f64 = 255.0;

fn aligned(record: &Record) -> (Verdict, String) {
    let at = |series: &str| record.experiment("padding")?.series(series)?.at(ODD);
    let (Some(packed), Some(pitched)) = (at("packed"), at("pitched")) else { return missing() };
    let (Some(packed), Some(pitched)) = (sectors(packed), sectors(pitched)) else { return uncounted() };
    let why = format!(
        "rows of {ODD} floats: {pitched:.2} sectors a request padded, {packed:.2} packed, and 4 are 128 bytes"
    );
    (if pitched <= 4.0 && packed > 4.0 { Holds } else { DoesNotHold }, why)
}

/// Sectors a request of a warp's loads: of aligned neighbours, of neighbours elsewhere, of words far apart.
fn neighbours(record: &Record) -> (Verdict, String) {
    let of = |experiment: &str, series: &str| {
        record.experiment(experiment).and_then(|e| e.series(series)).map(|series| &series.points)
    };
    let (Some(starts), Some(below)) = (of("alignment", "load"), of("columns", "below-packed")) else {
        return missing();
    };
    let most = |points: &[Point]| points.iter().filter_map(load_sectors).reduce(f64::max);
    let best = starts.iter().find(|point| point.x == 0.0).and_then(load_sectors);
    let (Some(best), Some(shifted), Some(apart)) = (best, most(starts), most(below)) else {
        return uncounted();
    };
    let why = format!(
        "a warp's load moves {best:.0} sectors for aligned neighbours, up to {shifted:.0} for neighbours that begin elsewhere, {apart:.0} for words in different rows"
    );
    (if best < shifted && shifted < apart { Holds } else { DoesNotHold }, why)
}

/// Rows that are aligned are read faster than others, and padding makes rows longer: both are seen.
fn fastest(record: &Record) -> (Verdict, String) {
    // Widths whose packed rows do not all begin at a sector: the others have nothing to gain.
    let gains = record.facts.iter().filter_map(|(name, fact)| {
        let width: u32 = name.strip_prefix("padding_gain_")?.parse().ok()?;
        (!width.is_multiple_of(8)).then_some((width, fact.value))
    });
    let mut gains: Vec<(u32, f64)> = gains.collect();
    gains.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(worst), Some(best)) = (gains.first(), gains.last()) else { return missing() };
    let aligned = fact(record, "load_misaligned_share").map(|share| 1.0 / share);
    let written = fact(record, "store_misaligned_share").map(|share| 1.0 / share);
    let down = fact(record, "below_gain_1025")
        .map(|gain| format!("; for a warp that goes down the columns of 1,025 floats {:.0} %", 100.0 * gain));
    let why = format!(
        "{}{}padded rows reach from {:.0} % ({} floats a row) to {:.0} % ({} floats) of the packed rows' bandwidth{}",
        aligned.map_or(String::new(), |gain| format!(
            "isolated rows that are aligned are read {gain:.2} times as fast as others; "
        )),
        written.map_or(String::new(), |gain| format!("they are written {gain:.2} times as fast; ")),
        100.0 * worst.1,
        worst.0,
        100.0 * best.1,
        best.0,
        down.unwrap_or_default()
    );
    let gain = best.1.max(aligned.unwrap_or_default()).max(written.unwrap_or_default()) > 1.0 + EQUAL;
    let loss = worst.1 < 1.0 - EQUAL;
    match (gain, loss) {
        (true, false) => (Holds, why),
        (true, true) => (HoldsInPart, why),
        (false, _) => (DoesNotHold, why),
    }
}

/// Copies by rows put every row in its place, which a linear copy does not. The lab does not measure whether they are best in
/// time too; `scripts/causes` does, and a test holds this verdict to what it found (`tests/tests/causes.rs`).
fn copied(record: &Record) -> (Verdict, String) {
    match as_checked(record, misuse::COPIES) {
        (Holds, found) => (
            HoldsInPart,
            format!(
                "{found}: so they are right; for many short rows in pageable memory they are not the fastest way, as \
                 the record `causes` shows"
            ),
        ),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture::{self, state};

    fn record() -> Record {
        fixture::empty("lab-4-2", true)
    }

    fn with(
        mut record: Record,
        id: &str,
        series: &str,
        points: &[(f64, f64)],
        counters: &[(&str, u64)],
    ) -> Record {
        let counters = fixture::counters(counters);
        let points = points.iter().map(|&at| Point { hardware: counters.clone(), ..fixture::point(at) });
        fixture::add(&mut record, id, series, points);
        record
    }

    #[test]
    fn pitches_are_compared_with_what_the_source_prints() {
        let both = |points| with(with(record(), "source", "2d", points, &[]), "source", "3d", points, &[]);
        assert_eq!(printed(&both(&[(15.0, 512.0), (128.0, 512.0), (255.0, 1024.0)])).0, Holds);
        assert_eq!(printed(&both(&[(15.0, 256.0), (128.0, 512.0), (255.0, 1024.0)])).0, DoesNotHold);
        assert_eq!(printed(&both(&[(15.0, 512.0)])).0, Verdict::NotShown);
    }

    #[test]
    fn a_pitch_that_is_not_the_next_multiple_is_reported() {
        let sweep = |points| with(record(), "pitch", "2d", points, &[]);
        assert_eq!(multiples(&sweep(&[(1.0, 512.0), (512.0, 512.0), (513.0, 1024.0)])).0, Holds);
        let (verdict, why) = multiples(&sweep(&[(512.0, 512.0), (513.0, 768.0)]));
        assert!(verdict == DoesNotHold && why.contains("768"), "{why}");
    }

    #[test]
    fn a_row_that_is_as_wide_as_its_pitch_limits_what_is_said_of_all() {
        let sweep = |points| wider(&with(record(), "pitch", "2d", points, &[])).0;
        assert_eq!(sweep(&[(1.0, 512.0), (513.0, 1024.0)]), Holds);
        assert_eq!(sweep(&[(1.0, 512.0), (512.0, 512.0)]), HoldsInPart);
        assert_eq!(sweep(&[(512.0, 512.0)]), DoesNotHold);
    }

    #[test]
    fn alignment_is_what_the_hardware_s_sectors_say() {
        let counters = |sectors| [("global_load_sectors", sectors), ("global_load_requests", 10)];
        let run = with(record(), "padding", "packed", &[(255.0, 1.0)], &counters(49));
        let good = with(run.clone(), "padding", "pitched", &[(255.0, 1.0)], &counters(40));
        assert_eq!(aligned(&good).0, Holds);
        let bad = with(run.clone(), "padding", "pitched", &[(255.0, 1.0)], &counters(49));
        assert_eq!(aligned(&bad).0, DoesNotHold);
        let uncounted = with(run, "padding", "pitched", &[(255.0, 1.0)], &[]);
        assert_eq!(aligned(&uncounted).0, Verdict::NotShown);
    }

    #[test]
    fn neighbours_are_best_where_they_move_the_fewest_sectors() {
        let judged = |[best, shifted, apart]: [u64; 3]| {
            let counters = |sectors| [("global_load_sectors", sectors), ("global_load_requests", 10)];
            let run = with(record(), "alignment", "load", &[(0.0, 1.0)], &counters(best));
            let run = with(run, "alignment", "load", &[(1.0, 1.0)], &counters(shifted));
            neighbours(&with(run, "columns", "below-packed", &[(1025.0, 1.0)], &counters(apart))).0
        };
        assert_eq!(judged([40, 50, 320]), Holds);
        assert_eq!(judged([40, 40, 320]), DoesNotHold);
    }

    #[test]
    fn speed_is_judged_by_the_widths_that_could_gain_and_by_rows_that_are_aligned_anyway() {
        let gains = |aligned: f64, all: &[(u32, f64)]| {
            let mut record = record();
            state(&mut record, "load_misaligned_share", 1.0 / aligned);
            for (width, value) in all {
                state(&mut record, &format!("padding_gain_{width}"), *value);
            }
            fastest(&record).0
        };
        assert_eq!(gains(1.0, &[(255, 1.2), (257, 1.0)]), Holds);
        assert_eq!(gains(1.0, &[(15, 0.7), (255, 1.2)]), HoldsInPart);
        assert_eq!(gains(1.25, &[(15, 0.7), (255, 1.02)]), HoldsInPart);
        assert_eq!(gains(1.0, &[(255, 1.03), (256, 2.0)]), DoesNotHold);
        assert_eq!(gains(1.25, &[]), Verdict::NotShown);
        let mut written = record();
        state(&mut written, "store_misaligned_share", 0.7);
        state(&mut written, "padding_gain_15", 0.7);
        assert_eq!(fastest(&written).0, HoldsInPart);
    }

    #[test]
    fn a_copy_by_rows_is_shown_to_be_right_and_not_to_be_fast() {
        let judged = |passed| {
            let mut record = record();
            record.checks.push(record::Check { passed, ..fixture::passed(misuse::COPIES) });
            copied(&record).0
        };
        assert_eq!([judged(true), judged(false)], [HoldsInPart, DoesNotHold]);
    }

    #[test]
    fn a_record_without_the_points_shows_nothing() {
        for (id, rule) in RULES {
            assert_eq!(rule(&record()).0, Verdict::NotShown, "{id}");
        }
    }
}
