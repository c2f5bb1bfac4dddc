//! What both labs of the product take from their records.

use record::{Device, Fact, Parameter, Point, Record, Source, Verdict};
use reference::product::Shape;
use std::collections::BTreeMap;

/// The source's times on a GTX 970, at 4800 × 6400 × 3200.
pub(crate) const SOURCE_NAIVE_SECONDS: f64 = 102.90;
pub(crate) const SOURCE_TILED_SECONDS: f64 = 35.46;

/// GFLOP/s of the source's product in so many seconds.
pub(crate) fn source_rate(seconds: f64) -> f64 {
    super::operations(Shape { m: 4800, n: 6400, p: 3200 }) / seconds / 1e9
}

/// Facts as they come.
#[derive(Default)]
pub(crate) struct Facts(BTreeMap<String, Fact>);

impl Facts {
    /// Leaves out what is no number.
    pub(crate) fn put(&mut self, name: &str, value: f64, unit: &str, what: impl Into<String>) {
        if value.is_finite() {
            self.0.insert(name.to_owned(), Fact { value, unit: unit.to_owned(), what: what.into() });
        }
    }

    /// The value of one that there is.
    pub(crate) fn value(&self, name: &str) -> Option<f64> {
        self.0.get(name).map(|fact| fact.value)
    }

    pub(crate) fn done(self) -> BTreeMap<String, Fact> {
        self.0
    }
}

/// The shape of the product whose counts are recorded.
pub(crate) fn shape(record: &Record) -> Option<Shape> {
    let length = |name: &str| match record.parameters.get(name) {
        Some(Parameter::Integer(value)) => usize::try_from(*value).ok(),
        _ => None,
    };
    Some(Shape { m: length("rows")?, n: length("inner")?, p: length("columns")? })
}

/// What the hardware counted, or else the embedded device; absent in both is 0, as in Nsight Compute.
pub(crate) fn counted(point: &Point, name: &str) -> u64 {
    point.hardware.get(name).or_else(|| point.counters.get(name)).copied().unwrap_or(0)
}

/// What the embedded device counted.
pub(crate) fn embedded(point: &Point, name: &str) -> u64 {
    point.counters.get(name).copied().unwrap_or(0)
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

pub(crate) fn missing() -> (Verdict, String) {
    (Verdict::NotShown, "this run did not take the points that would tell".to_owned())
}

pub(crate) fn modelled() -> (Verdict, String) {
    let why = "time and caches are modelled on the embedded device, so it cannot test this; a GPU can";
    (Verdict::NotShown, why.to_owned())
}

pub(crate) fn is_modelled(record: &Record) -> bool {
    record.device.source() == Source::Modelled
}

/// Whether the device is, or models, the source's.
pub(crate) fn of_a_gtx_970(record: &Record) -> bool {
    match &record.device {
        Device::Gpu { name, .. } => name.contains("GTX 970"),
        Device::Simt { models, .. } => models.contains("GTX 970"),
    }
}
