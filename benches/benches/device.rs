//! Times of the embedded device and of C, each by itself: `cargo bench -p benches --bench device`.
#![allow(missing_docs, clippy::unwrap_used, reason = "criterion's macros; whatever fails here should stop")]

use benches::{LONG_PTX, Reference, all, empty, load};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Launches of each workload; the throughput is in thread-instructions.
fn launches(criterion: &mut Criterion) {
    let reference = Reference::compile().unwrap();
    for mut workload in all().unwrap() {
        let counters = workload.run(false).unwrap().counters;
        reference.run(&workload, 1).unwrap();
        reference.agrees(&workload).unwrap();
        let mut group = criterion.benchmark_group(workload.name);
        group.sample_size(10);
        group.bench_function("C", |b| b.iter_custom(|times| reference.run(&workload, times).unwrap().total));
        group.throughput(Throughput::Elements(counters.thread_instructions));
        group.bench_function("device", |b| b.iter(|| workload.run(false).unwrap()));
        group.bench_function("device, all checks", |b| b.iter(|| workload.run(true).unwrap()));
        group.finish();
    }
}

fn empty_launches(criterion: &mut Criterion) {
    for blocks in [1, 1024] {
        let (mut device, launch) = empty(blocks).unwrap();
        criterion.bench_function(&format!("empty launch, {blocks} blocks"), |b| {
            b.iter(|| device.launch(&launch).unwrap())
        });
    }
}

/// Text to a module that can be launched.
fn decoding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse and decode");
    for (name, ptx) in [("long", LONG_PTX), (kernels::STENCIL.file, kernels::STENCIL.ptx)] {
        let lines = ptx.lines().count();
        group.throughput(Throughput::Elements(lines as u64));
        group.bench_function(format!("{name}, {lines} lines"), |b| b.iter(|| load(name, ptx).unwrap()));
    }
    group.finish();
}

criterion_group!(benches, empty_launches, decoding, launches);
criterion_main!(benches);
