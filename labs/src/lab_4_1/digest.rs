//! The lab in short: where the time of a sum goes, what a wider load is worth, and what a copy costs.

use crate::comparison::{Contest, at_largest, fact, longer, shown};
use crate::digest::{Digest, Table};
use crate::layout::quantity;
use record::Record;

pub(super) const DIGEST: Digest = Digest {
    chapter: "linear-memory",
    title: "Linear memory",
    question: "Where does the time of a sum of two vectors go?",
    table: Table::Columns { experiment: "parts", series: &["to-device", "add", "to-host"] },
    takeaways: &[copies, wide, pinned],
};

/// Bytes that a sum reads and writes for each element, on whatever way.
const BYTES: f64 = 12.0;

fn copies(record: &Record) -> Option<String> {
    let [to_device, add, to_host] = at_largest(record, "parts", ["to-device", "add", "to-host"])?;
    let (copies, kernel) = (to_device.point.y + to_host.point.y, add.point.y);
    let ratio = copies / kernel;
    if !ratio.is_finite() {
        return None;
    }
    let mut text = format!(
        "With {} elements, the copies between host and device take {} the kernel.",
        add.x(),
        longer(ratio)
    );
    if let (Some(loaded), Some(stored)) =
        (add.value("global_load_sectors"), add.value("global_store_sectors"))
    {
        let (copied, moved) = (BYTES * add.point.x, 32.0 * (loaded + stored));
        text += &if copied == moved {
            format!(" Both move {}.", quantity(moved, "B"))
        } else {
            format!(" They move {}, and the kernel {}.", quantity(copied, "B"), quantity(moved, "B"))
        };
    }
    Some(text)
}

fn wide(record: &Record) -> Option<String> {
    let [add, add4] = at_largest(record, "add", ["add", "add4"])?;
    let contest = Contest::between(add, add4)?;
    Some(format!(
        "With {} elements, {}.{}{}",
        add.x(),
        contest.by_name(),
        contest.counts("Requests for loads", "global_load_requests"),
        contest.counts("Sectors", "global_load_sectors")
    ))
}

fn pinned(record: &Record) -> Option<String> {
    let [pinned, pageable] = at_largest(record, "transfer", ["pinned-to-device", "pageable-to-device"])?;
    let contest = Contest::between(pinned, pageable)?;
    let mut text = format!("For a copy of {}, {}.", pinned.x(), contest.by_name());
    let least = pinned.series.points.first().and_then(|p| shown(record, "transfer", "pinned-to-device", p.x));
    if let (Some(least), Some(time)) = (least, fact(record, "pinned_to_device_latency")) {
        text += &format!(" A copy of {} takes {time}.", least.x());
    }
    Some(text)
}
