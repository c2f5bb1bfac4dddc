//! The lab in short: what the start of a row costs, and what padding is worth along rows and down columns.

use crate::comparison::{Contest, counted, percent, shown};
use crate::digest::{Digest, Part, Table, Xs};
use crate::layout::number;
use record::{Record, TimeSource};

pub(super) const DIGEST: Digest = Digest {
    chapter: "pitched-memory",
    title: "Pitched and 3D allocation",
    question: "When is it worth padding the rows of a matrix?",
    table: Table::Points {
        parts: &[
            Part { experiment: "padding", series: &["packed", "pitched"], xs: Xs::These(&[WIDTH]) },
            Part {
                experiment: "columns",
                series: &["beside-packed", "beside-pitched", "below-packed", "below-pitched"],
                xs: Xs::These(&[WIDTH]),
            },
        ],
        columns: &[
            "y",
            "global_load_sectors/global_load_requests",
            "global_load_data_wavefronts/global_load_requests",
        ],
    },
    takeaways: &[starts, along, down],
};

/// Floats of a row that is a little shorter than its pitch, so that packed rows begin anywhere.
const WIDTH: f64 = 255.0;

fn starts(record: &Record) -> Option<String> {
    let loads = record.experiment("alignment")?.series("load")?;
    let all: Vec<f64> = loads.points.iter().map(|point| point.y).collect();
    let least = all.iter().copied().reduce(f64::min)?;
    let most = all.iter().copied().reduce(f64::max)?;
    let best = all.iter().filter(|&&y| y == least).count() as u64;
    let sectors = |n: f64| counted(n as u64, "sector", "sectors");
    let begin = format!(
        "A warp's row of 128 bytes can begin at {} in a cache line",
        counted(all.len() as u64, "place", "places")
    );
    let mut text = if least == most {
        format!("{begin}: from each the row takes {}.", sectors(least))
    } else {
        format!(
            "{begin}: from {best} of them the row takes {}, from the others up to {}.",
            sectors(least),
            number(most)
        )
    };
    // The time model does not include that DRAM is read where a sector is written in part.
    if let Some(worst) = record.facts.get("store_worst_share").filter(|_| is_measured(record)) {
        text += &format!(
            " Isolated rows that begin at the worst place are written at {} of the bandwidth of aligned ones.",
            percent(worst.value)
        );
    }
    Some(text)
}

fn is_measured(record: &Record) -> bool {
    record.device.source() == TimeSource::Measured
}

fn along(record: &Record) -> Option<String> {
    let padding = record.experiment("padding")?;
    let (packed, pitched) = (padding.series("packed")?, padding.series("pitched")?);
    let gains =
        packed.points.iter().filter_map(|p| Some(pitched.at(p.x)?.y / p.y)).filter(|gain| gain.is_finite());
    let gains: Vec<f64> = gains.collect();
    let [least, most] = [f64::min, f64::max].map(|of| gains.iter().copied().reduce(of));
    let (least, most) = (percent(least?), percent(most?));
    let range = if least == most { most } else { format!("{least} to {most}, by their length,") };
    let mut text = if is_measured(record) {
        format!("Along the rows, '{}' reach {range} of the bandwidth of '{}'.", pitched.label, packed.label)
    } else {
        "Only a GPU shows what padding gains along the rows: the model shows neither gain nor loss."
            .to_owned()
    };
    let sectors =
        |series| shown(record, "padding", series, WIDTH)?.value("global_load_sectors/global_load_requests");
    if let (Some(padded), Some(packed)) = (sectors("pitched"), sectors("packed")) {
        text += &format!(
            " Sectors for each request at {WIDTH} floats a row: {} padded, {} packed.",
            number(padded),
            number(packed)
        );
    }
    Some(text)
}

fn down(record: &Record) -> Option<String> {
    let point = |series| shown(record, "columns", series, WIDTH);
    let contest = Contest::between(point("below-packed")?, point("below-pitched")?)?;
    Some(format!(
        "Down the columns, at {WIDTH} floats a row, {}.{}{}",
        contest.by_name(),
        contest.counts("Wavefronts for each request", "global_load_data_wavefronts/global_load_requests"),
        contest.counts("Sectors", "global_load_sectors/global_load_requests")
    ))
}
