//! The lab in short: where a list that all rays walk through should be, and what decides it.

use crate::comparison::{Contest, LabelledPoint, at_largest};
use crate::digest::{Digest, Part, Table, Xs};
use crate::layout::number;
use record::Record;

pub(super) const DIGEST: Digest = Digest {
    chapter: "ray-tracing",
    title: "Ray tracing with constant memory",
    question: "Which memory should hold a list that all threads read in the same order?",
    table: Table::Points {
        parts: &[Part {
            experiment: "picture",
            series: &[
                "constant-20",
                "global-20",
                "constant-unrolled",
                "global-unrolled",
                "constant",
                "global",
            ],
            xs: Xs::Largest,
        }],
        columns: &["y", "const_instructions", "global_load_requests"],
    },
    takeaways: &[looped, unrolled, more],
};

const SECTORS: &str = "global_load_sectors/global_load_requests";

fn looped(record: &Record) -> Option<String> {
    let [constant, global] = at_largest(record, "picture", ["constant-20", "global-20"])?;
    let contest = Contest::between(constant, global)?;
    let mut text = format!("With {} pixels a side, {}.", constant.x_alone(), contest.by_name());
    if let (Some(replays), Some(sectors)) = (constant.value("const_replays"), global.value(SECTORS)) {
        text += &format!(
            " Replays in constant memory: {}; sectors for each request in global memory: {}.",
            number(replays),
            number(sectors)
        );
    }
    Some(text)
}

fn unrolled(record: &Record) -> Option<String> {
    let [constant, global] = at_largest(record, "picture", ["constant-unrolled", "global-unrolled"])?;
    let contest = Contest::between(constant, global)?;
    let mut text = format!("{}.", contest.by_name());
    let loads = |point: &LabelledPoint<'_>| {
        Some(point.value("const_instructions")? + point.value("global_load_requests")?)
    };
    if let (Some(a), Some(b)) = (loads(&contest.faster), loads(&contest.slower)) {
        text += &format!(" Loads with an address for each lane: {} against {}.", number(a), number(b));
    }
    Some(text)
}

fn more(record: &Record) -> Option<String> {
    let points = at_largest(record, "spheres", ["constant", "global", "shared"])?;
    let contest = Contest::among(points)?;
    let mut text = format!("With {} spheres, {}.", points[0].x(), contest.by_name());
    let last = points.into_iter().min_by(|a, b| a.point.y.total_cmp(&b.point.y))?;
    if let Some(behind) = Contest::between(contest.faster, last).filter(Contest::is_decided)
        && last.series.id != contest.slower.series.id
    {
        text += &format!(" {}.", behind.by_name());
    }
    Some(text)
}
