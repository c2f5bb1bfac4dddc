//! The source's claims on pitched memory, and this lab's verdicts.

use super::misuse;
use crate::facts::counted;
use crate::lab::Rule;
use crate::rules::{EQUAL, as_checked, fact, is_modelled, missing, only_a_gpu};
use record::{Point, Record, Verdict};

/// Output of the source's programs.
const PRINTED: [(f64, f64); 3] = [(15.0, 512.0), (128.0, 512.0), (255.0, 1024.0)];
/// Multiple that rows are padded to, by the source.
const MULTIPLE: f64 = 512.0;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("pitches-as-printed", printed),
    ("rows-are-padded-to-512-bytes", multiples),
    ("pitched-rows-are-aligned", aligned),
    ("pitched-rows-are-fastest", fastest),
    ("pitched-memory-is-copied-by-rows", copied),
    ("aligned-neighbours-are-best", neighbours),
];

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

fn by_rule() -> (Verdict, String) {
    let why =
        "the embedded device pads rows by the rule that was found on a GPU, so it cannot test it; a GPU can";
    (NotShown, why.to_owned())
}

fn printed(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return by_rule();
    }
    let Some(source) = record.experiment("source") else { return missing() };
    let pitch = |series: &str, floats: f64| source.series(series).and_then(|s| s.at(floats)).map(|p| p.y);
    let mut found = Vec::new();
    for (floats, _) in PRINTED {
        let (Some(flat), Some(deep)) = (pitch("2d", floats), pitch("3d", floats)) else { return missing() };
        found.push((floats, flat, deep));
    }
    let same =
        found.iter().zip(PRINTED).all(|((_, flat, deep), (_, printed))| *flat == printed && *deep == printed);
    let list: Vec<String> =
        found.iter().map(|(floats, flat, deep)| format!("{floats} floats: {flat} and {deep}")).collect();
    let why = format!("pitches in two and in three dimensions, bytes: {}", list.join("; "));
    (if same { Holds } else { DoesNotHold }, why)
}

fn multiples(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return by_rule();
    }
    let Some(sweep) = record.experiment("pitch") else { return missing() };
    let points: Vec<&Point> = sweep.series.iter().flat_map(|series| &series.points).collect();
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

/// Sectors a request of loads and stores: what the hardware counted, or else the embedded device.
fn sectors(point: &Point) -> f64 {
    let counted = |name| counted(point, name) as f64;
    (counted("global_load_sectors") + counted("global_store_sectors"))
        / (counted("global_load_requests") + counted("global_store_requests"))
}

/// A width whose packed rows begin at every place of a sector, and whose padded rows are next to full.
const ODD: f64 = 255.0;

fn aligned(record: &Record) -> (Verdict, String) {
    let Some(padding) = record.experiment("padding") else { return missing() };
    let at = |series: &str| padding.series(series).and_then(|s| s.at(ODD)).map(sectors);
    let (Some(packed), Some(pitched)) = (at("packed"), at("pitched")) else { return missing() };
    let why = format!(
        "rows of {ODD} floats: {pitched:.2} sectors a request padded, {packed:.2} packed, and 4 are 128 bytes"
    );
    (if pitched <= 4.0 && packed > 4.0 { Holds } else { DoesNotHold }, why)
}

/// Sectors a request of a warp's loads: of aligned neighbours, of neighbours elsewhere, of words far apart.
fn neighbours(record: &Record) -> (Verdict, String) {
    let fact = |name| fact(record, name);
    let (Some(best), Some(shifted), Some(apart)) =
        (fact("load_sectors_least"), fact("load_sectors_most"), fact("below_sectors"))
    else {
        return missing();
    };
    let why = format!(
        "a warp's load moves {best:.0} sectors for aligned neighbours, up to {shifted:.0} for neighbours that begin elsewhere, {apart:.0} for words in different rows"
    );
    (if best < shifted && shifted < apart { Holds } else { DoesNotHold }, why)
}

fn fastest(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return only_a_gpu("time on the embedded device is modelled from the sectors");
    }
    // Widths whose packed rows do not all begin at a sector: the others have nothing to gain.
    let gains = record.facts.iter().filter_map(|(name, fact)| {
        let width: u32 = name.strip_prefix("padding_gain_")?.parse().ok()?;
        (!width.is_multiple_of(8)).then_some((width, fact.value))
    });
    let mut gains: Vec<(u32, f64)> = gains.collect();
    gains.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(worst), Some(best)) = (gains.first(), gains.last()) else { return missing() };
    let down = fact(record, "below_gain_1025")
        .map(|gain| format!("; for a warp that goes down the columns of 1,025 floats {gain:.2}"));
    let why = format!(
        "bandwidth padded over packed: from {:.2} ({} floats a row) to {:.2} ({} floats){}",
        worst.1,
        worst.0,
        best.1,
        best.0,
        down.unwrap_or_default()
    );
    let (gain, loss) = (best.1 > 1.0 + EQUAL, worst.1 < 1.0 - EQUAL);
    match (gain, loss) {
        (true, false) => (Holds, why),
        (true, true) => (HoldsInPart, why),
        (false, _) => (DoesNotHold, why),
    }
}

fn copied(record: &Record) -> (Verdict, String) {
    as_checked(record, misuse::COPIES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture::{self, state};

    fn record(measured: bool) -> Record {
        fixture::empty("lab-4-2", measured)
    }

    fn with(
        mut record: Record,
        id: &str,
        series: &str,
        points: &[(f64, f64)],
        counters: &[(&str, u64)],
    ) -> Record {
        let counters = fixture::counters(counters);
        let points = points.iter().map(|&at| Point { counters: counters.clone(), ..fixture::point(at) });
        fixture::add(&mut record, id, series, points);
        record
    }

    #[test]
    fn pitches_are_compared_with_what_the_source_prints() {
        let both =
            |points| with(with(record(true), "source", "2d", points, &[]), "source", "3d", points, &[]);
        assert_eq!(printed(&both(&[(15.0, 512.0), (128.0, 512.0), (255.0, 1024.0)])).0, Holds);
        assert_eq!(printed(&both(&[(15.0, 256.0), (128.0, 512.0), (255.0, 1024.0)])).0, DoesNotHold);
        assert_eq!(printed(&both(&[(15.0, 512.0)])).0, NotShown);
    }

    #[test]
    fn one_pitch_that_is_no_next_multiple_is_told() {
        let sweep = |points| with(record(true), "pitch", "2d", points, &[]);
        assert_eq!(multiples(&sweep(&[(1.0, 512.0), (512.0, 512.0), (513.0, 1024.0)])).0, Holds);
        let (verdict, why) = multiples(&sweep(&[(512.0, 512.0), (513.0, 768.0)]));
        assert!(verdict == DoesNotHold && why.contains("768"), "{why}");
    }

    #[test]
    fn alignment_is_what_the_sectors_say_on_either_device() {
        let counters = |sectors| [("global_load_sectors", sectors), ("global_load_requests", 10)];
        let run = with(record(false), "padding", "packed", &[(255.0, 1.0)], &counters(49));
        let good = with(run.clone(), "padding", "pitched", &[(255.0, 1.0)], &counters(40));
        assert_eq!(aligned(&good).0, Holds);
        let bad = with(run, "padding", "pitched", &[(255.0, 1.0)], &counters(49));
        assert_eq!(aligned(&bad).0, DoesNotHold);
    }

    #[test]
    fn neighbours_are_best_where_they_move_the_fewest_sectors() {
        let judged = |all: &[f64]| {
            let mut record = record(false);
            for (name, value) in ["load_sectors_least", "load_sectors_most", "below_sectors"].iter().zip(all)
            {
                state(&mut record, name, *value);
            }
            neighbours(&record).0
        };
        assert_eq!(judged(&[4.0, 5.0, 32.0]), Holds);
        assert_eq!(judged(&[4.0, 4.0, 32.0]), DoesNotHold);
        assert_eq!(judged(&[4.0, 5.0]), NotShown);
    }

    #[test]
    fn speed_is_judged_by_the_widths_that_could_gain_and_only_by_a_gpu() {
        let gains = |measured, all: &[(u32, f64)]| {
            let mut record = record(measured);
            for (width, value) in all {
                state(&mut record, &format!("padding_gain_{width}"), *value);
            }
            fastest(&record).0
        };
        assert_eq!(gains(true, &[(255, 1.2), (257, 1.0)]), Holds);
        assert_eq!(gains(true, &[(15, 0.7), (255, 1.2)]), HoldsInPart);
        assert_eq!(gains(true, &[(255, 1.03), (256, 2.0)]), DoesNotHold);
        assert_eq!(gains(true, &[]), NotShown);
        assert_eq!(gains(false, &[(255, 1.2)]), NotShown);
    }
}
