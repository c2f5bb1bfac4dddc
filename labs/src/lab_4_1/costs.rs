//! Costs of the host's own calls: copies between host and device, allocations.

use super::lengths::steps;
use crate::plan::{Direction, Experiment, HostMemory, Plan, Point, Quantity, Series, Transfer, Workload};
use record::{Axis, Scale};

/// Bandwidth of copies, by size, direction and kind of memory.
pub(super) fn transfers(plan: &mut Plan, bytes: u64) {
    let ways = [
        ("pinned-to-device", "pinned memory to the device", HostMemory::Pinned, Direction::ToDevice),
        ("pinned-to-host", "the device to pinned memory", HostMemory::Pinned, Direction::ToHost),
        ("pageable-to-device", "pageable memory to the device", HostMemory::Pageable, Direction::ToDevice),
        ("pageable-to-host", "the device to pageable memory", HostMemory::Pageable, Direction::ToHost),
    ];
    let series = ways.map(|(id, label, memory, direction)| Series {
        id: id.to_owned(),
        label: label.to_owned(),
        reference: false,
        points: steps(4, 4, bytes)
            .into_iter()
            .map(|bytes| {
                let work = Workload::Transfer(Transfer { direction, memory, bytes });
                point(bytes, work, Quantity::Bandwidth { bytes: bytes as f64 })
            })
            .collect(),
    });
    plan.experiments.push(Experiment {
        id: "transfer",
        title: "Copies between host and device: bandwidth by size",
        x: Axis::new("size", "B", Scale::Log2),
        y: Axis::new("bandwidth", "GB/s", Scale::Log10),
        series: series.into(),
    });
}

/// Time of allocations and of giving the memory back, by size: up to four of the largest copies.
pub(super) fn allocations(plan: &mut Plan, bytes: u64) {
    let sizes = steps(4, 4, bytes.saturating_mul(4));
    let all = |work: &dyn Fn(u64) -> Workload| -> Vec<Point> {
        sizes.iter().map(|&bytes| point(bytes, work(bytes), Quantity::Time { per: 1.0 })).collect()
    };
    let series = [
        ("allocate", "cuMemAlloc", all(&|bytes| Workload::Allocate { bytes })),
        ("free", "cuMemFree", all(&|bytes| Workload::Free { bytes })),
    ];
    plan.experiments.push(Experiment {
        id: "allocation",
        title: "Allocations on the device: time by size",
        x: Axis::new("size", "B", Scale::Log2),
        y: Axis::new("time", "ns", Scale::Log10),
        series: series.map(|(id, label, points)| Series::new(id, label, points)).into(),
    });
}

fn point(bytes: u64, work: Workload, quantity: Quantity) -> Point {
    Point { x: bytes as f64, writes: Vec::new(), work, quantity, check: None, profiled: false }
}
