//! The lab in short: which shape of a block is the fastest, which count shows why, and what the pitch is worth.

use crate::comparison::{Contest, LabelledPoint, counted, shown};
use crate::digest::{Digest, Part, Table, Xs};
use record::Record;

pub(super) const DIGEST: Digest = Digest {
    chapter: "matrix-product",
    title: "The matrix product on pitched memory",
    question: "What does the shape of a block of 256 threads change?",
    table: Table::Points {
        parts: &[Part {
            experiment: "blocks",
            series: &["naive"],
            xs: Xs::These(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0]),
        }],
        columns: &["time.median", "y", SECTORS, WAVEFRONTS],
    },
    takeaways: &[widths, sectors_alone, padding],
};

const SECTORS: &str = "global_load_sectors/global_load_requests";
const WAVEFRONTS: &str = "global_load_data_wavefronts/global_load_requests";

/// The points by the width of a block.
fn blocks(record: &Record) -> Vec<LabelledPoint<'_>> {
    let naive = record.experiment("blocks").and_then(|e| e.series("naive"));
    naive.iter().flat_map(|s| &s.points).filter_map(|p| shown(record, "blocks", "naive", p.x)).collect()
}

fn wide(point: &LabelledPoint<'_>) -> String {
    format!("{} wide", counted(point.point.x as u64, "thread", "threads"))
}

fn widths(record: &Record) -> Option<String> {
    let points = blocks(record);
    let rate = |point: &&LabelledPoint<'_>| point.point.y;
    let best = points.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
    let worst = points.iter().min_by(|a, b| rate(a).total_cmp(&rate(b)))?;
    let contest = Contest::between(*best, *worst).filter(Contest::is_decided)?;
    Some(format!(
        "{}.{}{}",
        contest.reported(&format!("A block {}", wide(best)), &format!("one {}", wide(worst))),
        contest.counts("Wavefronts for each request", WAVEFRONTS),
        contest.counts("Sectors", SECTORS)
    ))
}

/// A block that is slower than the fastest although it asks for fewer sectors: it takes more wavefronts.
fn sectors_alone(record: &Record) -> Option<String> {
    let points = blocks(record);
    let best = points.iter().max_by(|a, b| a.point.y.total_cmp(&b.point.y))?;
    let slower = points.iter().filter_map(|point| Contest::between(*best, *point));
    let more = |contest: &Contest<'_>, field| contest.faster.value(field) > contest.slower.value(field);
    let reported = slower
        .filter(|contest| contest.is_decided() && more(contest, SECTORS))
        .filter(|contest| contest.slower.value(WAVEFRONTS) > contest.faster.value(WAVEFRONTS))
        .min_by(|a, b| a.ratio.total_cmp(&b.ratio))?;
    Some(format!(
        "The sectors alone do not decide: {}, and the faster asks for more sectors.{}{}",
        reported.reported(
            &format!("a block {}", wide(&reported.faster)),
            &format!("one {}", wide(&reported.slower))
        ),
        reported.counts("Sectors for each request", SECTORS),
        reported.counts("Wavefronts", WAVEFRONTS)
    ))
}

fn padding(record: &Record) -> Option<String> {
    let pitch = record.experiment("pitch")?;
    let least = pitch.series("packed")?.points.iter().map(|p| p.x).min_by(f64::total_cmp)?;
    let point = |series| shown(record, "pitch", series, least);
    let contest = Contest::between(point("pitched")?, point("packed")?)?;
    Some(format!(
        "With {} columns, {}.{}",
        contest.faster.x(),
        contest.by_name(),
        contest.counts("Sectors for each request", SECTORS)
    ))
}
