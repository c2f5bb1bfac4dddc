//! The lab in short: what a load costs by how many addresses its lanes want, and what that means for a stencil.

use crate::comparison::{Contest, LabelledPoint, longer, shown};
use crate::digest::{Digest, Table};
use record::Record;

pub(super) const DIGEST: Digest = Digest {
    chapter: "constant-memory",
    title: "Constant memory and the read-only cache",
    question: "What does a warp's load cost when its lanes access different addresses?",
    table: Table::Sweep {
        experiment: "divergence-throughput",
        series: &["constant-4", "read-only-4", "read-only-256", "shared-4", "shared-256"],
        xs: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0],
    },
    takeaways: &[replays, paths, stencil],
};

const COST: &str = "divergence-throughput";

fn replays(record: &Record) -> Option<String> {
    let point = |x| shown(record, COST, "constant-4", x);
    let (one, all) = (point(1.0)?, point(32.0)?);
    let ratio = all.point.y / one.point.y;
    if !ratio.is_finite() {
        return None;
    }
    let mut text =
        format!("From {}, a load of 32 addresses takes {} a load of one.", all.name(), longer(ratio),);
    let field = "const_replays/const_instructions";
    if let (Some(one), Some(all)) = (one.value(field), all.value(field)) {
        let number = crate::layout::number;
        text += &format!(" Replays for each load: {} against {}.", number(all), number(one));
    }
    Some(text)
}

fn paths(record: &Record) -> Option<String> {
    let point = |series, x| shown(record, COST, series, x);
    let at = |x| Contest::between(point("read-only-4", x)?, point("constant-4", x)?);
    let (one, all) = (at(1.0)?, at(32.0)?);
    Some(format!("With 32 addresses, {}. With one address, {}.", all.by_name(), one.by_name()))
}

fn stencil(record: &Record) -> Option<String> {
    let point = |series, x| shown(record, "stencil", series, x);
    let (constant, restrict) = (point("constant", 256.0)?, point("restrict", 256.0)?);
    let contest = Contest::between(constant, restrict)?;
    let mut text = format!(
        "In a stencil of 256 threads a block, {}.{}",
        contest.by_name(),
        contest.counts("Requests of loads", "global_load_requests")
    );
    if let Some(small) = point("constant", 32.0).and_then(|small| Contest::between(constant, small)) {
        let name = constant.name();
        let [faster, slower] = [&small.faster, &small.slower].map(LabelledPoint::x_alone);
        text += &format!(
            " With {name}, {}.",
            small.reported(&format!("a block of {faster} threads"), &format!("one of {slower}"))
        );
    }
    Some(text)
}
