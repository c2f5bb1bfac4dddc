//! The lab in short: what tiles save, what bank conflicts cost, and what comes after tiles.

use crate::comparison::{Contest, counted, percent, shown};
use crate::digest::{Digest, Part, Table, Xs};
use record::Record;

pub(super) const DIGEST: Digest = Digest {
    chapter: "tiling",
    title: "The matrix product by tiles",
    question: "What do tiles in shared memory save?",
    table: Table::Points {
        parts: &[Part {
            experiment: "tiles",
            series: &["naive", "tiled", "transposed", "padded"],
            xs: Xs::These(&[16.0, 32.0]),
        }],
        columns: &["y", "global_load_requests", WAVEFRONTS],
    },
    takeaways: &[tiles, conflicts, registers],
};

const WAVEFRONTS: &str = "shared_load_wavefronts/shared_load_instructions";

fn tiles(record: &Record) -> Option<String> {
    let point = |series| shown(record, "tiles", series, 16.0);
    let contest = Contest::between(point("tiled")?, point("naive")?)?;
    Some(format!(
        "In blocks of 16 × 16, {}.{}{}",
        contest.by_name(),
        contest.counts("Requests of loads from global memory", "global_load_requests"),
        contest.counts("Sectors", "global_load_sectors")
    ))
}

fn conflicts(record: &Record) -> Option<String> {
    let point = |series| shown(record, "tiles", series, 32.0);
    let contest = Contest::between(point("padded")?, point("transposed")?)?;
    Some(format!(
        "With tiles of 32, {}.{}",
        contest.by_name(),
        contest.counts("Wavefronts for each load from shared memory", WAVEFRONTS)
    ))
}

fn registers(record: &Record) -> Option<String> {
    let registers = record.experiment("registers")?;
    let product = registers.series("product")?;
    let best = product.points.iter().max_by(|a, b| a.y.total_cmp(&b.y))?;
    let [best, one] = [best.x, 1.0].map(|x| shown(record, "registers", "product", x));
    let contest = Contest::between(best?, one?).filter(Contest::is_decided)?;
    let elements = |n: f64| counted(n as u64, "element", "elements");
    let mut text = format!(
        "{}.{}",
        contest.reported(
            &format!("A product with {} a thread", elements(contest.faster.point.x)),
            &format!("one with {}", elements(contest.slower.point.x))
        ),
        contest.counts("Loads from shared memory", "shared_load_instructions")
    );
    let peak = registers.series("peak");
    if let Some(peak) =
        peak.and_then(|s| s.at(contest.faster.point.x).or_else(|| s.at(1.0))).filter(|p| p.y > 0.0)
    {
        let share = percent(contest.faster.point.y / peak.y);
        text += &format!(" The faster reaches {share} of the rate of 'multiply-adds alone'.");
    }
    Some(text)
}
