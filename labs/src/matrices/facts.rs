//! Facts that both labs of the product take from their records.

use crate::facts::embedded;
use record::{Device, Parameter, Point, Record};
use reference::product::Shape;

/// The source's times on a GTX 970, at 4800 × 6400 × 3200.
pub(crate) const SOURCE_NAIVE_SECONDS: f64 = 102.90;
pub(crate) const SOURCE_TILED_SECONDS: f64 = 35.46;

/// GFLOP/s of the source's product in this many seconds.
pub(crate) fn source_rate(seconds: f64) -> f64 {
    super::operations(Shape { m: 4800, n: 6400, p: 3200 }) / seconds / 1e9
}

/// The shape of the product whose counts are recorded.
pub(crate) fn shape(record: &Record) -> Option<Shape> {
    let length = |name: &str| match record.parameters.get(name) {
        Some(Parameter::Integer(value)) => usize::try_from(*value).ok(),
        _ => None,
    };
    Some(Shape { m: length("rows")?, n: length("inner")?, p: length("columns")? })
}

/// Accesses of threads to global memory, each of one element: those of requests, where all 32 threads of every warp took
/// part in every instruction of the kernel.
pub(crate) fn accesses(point: &Point) -> Option<f64> {
    let (threads, warps) = (embedded(point, "thread_instructions"), embedded(point, "warp_instructions"));
    let requests = embedded(point, "global_load_requests") + embedded(point, "global_store_requests");
    (warps > 0 && threads == 32 * warps).then_some(32.0 * requests as f64)
}

/// The share of global loads' sectors that L1 had, where the hardware counted it.
pub(crate) fn hits(point: &Point) -> Option<f64> {
    let hits = *point.hardware.get("global_load_hits")?;
    let sectors = *point.hardware.get("global_load_sectors")?;
    (sectors > 0).then(|| hits as f64 / sectors as f64)
}

/// Whether the device is, or models, the source's.
pub(crate) fn of_a_gtx_970(record: &Record) -> bool {
    match &record.device {
        Device::Gpu { name, .. } => name.contains("GTX 970"),
        Device::Simt { models, .. } => models.contains("GTX 970"),
    }
}
