//! The lab in short: which memory feeds an n-body kernel best, what a leaner kernel gains, and what a pass costs.

use crate::comparison::{Contest, LabelledPoint, at_largest, largest, shown};
use crate::digest::{Digest, Part, Table, Xs};
use crate::layout::number;
use record::Record;

pub(super) const DIGEST: Digest = Digest {
    chapter: "n-body",
    title: "N-body: a table larger than constant memory",
    question: "From which memory should the threads read a body that all of them need?",
    table: Table::Points {
        parts: &[
            Part { experiment: "rate", series: &["constant", "shared", "global"], xs: Xs::Largest },
            Part { experiment: "lean", series: &["constant-1", "shared-1"], xs: Xs::Largest },
        ],
        columns: &["y", "const_instructions", "shared_load_instructions", "global_load_requests"],
    },
    takeaways: &[memories, lean, passes],
};

const LEAN: [&str; 6] = ["constant-1", "constant-2", "constant-4", "shared-1", "shared-2", "shared-4"];

fn memories(record: &Record) -> Option<String> {
    let points = at_largest(record, "rate", ["constant", "shared", "global"])?;
    let contest = Contest::among(points)?;
    Some(format!(
        "With {} bodies, {}.{}",
        points[0].x(),
        contest.by_name(),
        for_each(record, &contest, "Loads", |p| {
            let of = ["const_instructions", "shared_load_instructions", "global_load_requests"];
            of.iter().map(|name| p.value(name)).sum()
        })
    ))
}

fn lean(record: &Record) -> Option<String> {
    let plain = at_largest(record, "rate", ["constant", "shared", "global"])?;
    let x = largest(record, "lean", &LEAN).filter(|&x| x == plain[0].point.x)?;
    let fastest = |a: &LabelledPoint<'_>, b: &LabelledPoint<'_>| a.point.y.total_cmp(&b.point.y);
    let lean = LEAN.iter().filter_map(|id| shown(record, "lean", id, x)).max_by(fastest)?;
    let contest = Contest::between(lean, plain.into_iter().max_by(fastest)?)?;
    Some(format!(
        "{}.{}",
        contest.by_name(),
        for_each(record, &contest, "PTX instructions", |p| p.value("warp_instructions"))
    ))
}

/// A count of a warp's for each interaction of its threads, the faster kernel first. A large system is not counted; a
/// smaller one, in the experiment `counts`, has as many for each.
fn for_each(
    record: &Record,
    contest: &Contest<'_>,
    what: &str,
    count: impl Fn(&LabelledPoint<'_>) -> Option<f64>,
) -> String {
    let of = |point: &LabelledPoint<'_>| {
        let there = |p: &LabelledPoint<'_>| Some(32.0 * count(p)? / (p.point.x * p.point.x));
        let counts = record.experiment("counts").and_then(|e| e.series(&point.series.id));
        let smaller = counts.and_then(|s| shown(record, "counts", &s.id, s.points.last()?.x));
        there(point).or_else(|| there(&smaller?))
    };
    match (of(&contest.faster), of(&contest.slower)) {
        (Some(a), Some(b)) => {
            format!(" {what} of a warp for each interaction: {} against {}.", number(a), number(b))
        }
        _ => String::new(),
    }
}

fn passes(record: &Record) -> Option<String> {
    let series = record.experiment("pass")?.series("constant")?;
    let (first, last) = (series.points.first()?, series.points.last()?);
    let point = |x| shown(record, "pass", "constant", x);
    let contest = Contest::between(point(last.x)?, point(first.x)?).filter(Contest::is_decided)?;
    let with = |p: &LabelledPoint<'_>| {
        let made = p.point.operation.as_ref().map(|made| format!(" ({made})")).unwrap_or_default();
        format!("in passes of {} bodies{made}", p.x())
    };
    Some(format!(
        "From {}, {}.",
        contest.faster.name(),
        contest.reported(
            &format!("a system {}", with(&contest.faster)),
            &format!("one {}", with(&contest.slower))
        ),
    ))
}
