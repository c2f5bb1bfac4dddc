//! The lab in short: how a kernel gets new values, and what each way costs.

use crate::comparison::{Contest, LabelledPoint, at_largest, longer, shown};
use crate::digest::{Digest, Table};
use record::Record;

pub(super) const DIGEST: Digest = Digest {
    chapter: "symbols",
    title: "Symbols: variables that the host reaches by name",
    question: "What does it cost to give a kernel new values for each launch?",
    table: Table::Columns { experiment: "update", series: &["none", "device", "argument", "pointer"] },
    takeaways: &[ways, copies, sizes],
};

fn ways(record: &Record) -> Option<String> {
    let points = at_largest(record, "update", ["device", "argument", "pointer"])?;
    let contest = Contest::among(points)?;
    let mut text = format!("For {} of new values, {}.", points[0].x(), contest.by_name());
    let slowest = points.into_iter().max_by(|a, b| a.point.y.total_cmp(&b.point.y))?;
    let other = |point: &LabelledPoint<'_>| point.series.id != slowest.series.id;
    let behind = Contest::between(contest.faster, slowest).filter(Contest::is_decided);
    if let Some(behind) = behind.filter(|_| other(&contest.faster) && other(&contest.slower)) {
        let made = slowest.point.operation.as_ref().map(|made| format!(" ({made})")).unwrap_or_default();
        let first = contest.faster.name();
        text += &format!(" {} takes {} {first}{made}.", slowest.name(), longer(behind.ratio));
    }
    Some(text)
}

fn copies(record: &Record) -> Option<String> {
    let points = at_largest(record, "copy", ["host", "host-pinned", "device"])?;
    let contest = Contest::among(points)?;
    Some(format!("A copy of {} to a symbol: {}.", points[0].x(), contest.by_name()))
}

fn sizes(record: &Record) -> Option<String> {
    let series = record.experiment("update")?.series("device")?;
    let (first, last) = (series.points.first()?, series.points.last()?);
    let [least, most] = [first, last].map(|p| shown(record, "update", "device", p.x));
    let (least, most) = (least?, most?);
    let ratio = most.point.y / least.point.y;
    if !ratio.is_finite() || most.point.x == least.point.x {
        return None;
    }
    Some(format!("With {}, {} take {} {}.", most.name(), most.x(), longer(ratio), least.x(),))
}
