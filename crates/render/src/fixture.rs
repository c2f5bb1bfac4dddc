//! Two made-up records of a lab shaped like lab 5.5: plausible, the same every time, and no measurement of anything.
//!
//! For the tests of crates that show records; compiled with the feature `fixture` alone.

use record::{
    Axis, Check, Claim, Counters, Device, Experiment, Fact, Kernel, Launch, Parameter, Point, Record, Scale,
    Series, Source, Timing, VERSION, Verdict,
};
use std::collections::BTreeMap;

const BLOCKS: [u32; 6] = [32, 64, 128, 256, 512, 1024];
const DISTINCT: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// What a GPU might have measured.
pub fn measured() -> Record {
    record(
        Device::Gpu {
            name: "NVIDIA H200".into(),
            compute_capability: "9.0".into(),
            driver: "13.0".into(),
            multiprocessors: 132,
        },
        1.0,
    )
}

/// What the embedded device might have modelled: the same shape, a little slower.
pub fn modelled() -> Record {
    record(
        Device::Simt {
            chip: "h200".into(),
            models: "NVIDIA H200".into(),
            compute_capability: "9.0".into(),
            multiprocessors: 132,
        },
        1.12,
    )
}

fn record(device: Device, slower: f64) -> Record {
    let source = device.source();
    let experiments = vec![
        stencil(source, slower),
        latency(source, slower),
        throughput(source, slower),
        ring(source, slower),
    ];
    Record {
        version: VERSION,
        lab: "lab-5-5".into(),
        written_by: "warpbook 0.0.0".into(),
        when: "2025-01-02T03:04:05Z".into(),
        device,
        parameters: BTreeMap::from([
            ("elements".into(), Parameter::Integer(1 << 24)),
            ("block_sizes".into(), Parameter::Integers(BLOCKS.map(u64::from).to_vec())),
            ("tolerance".into(), Parameter::Number(1e-5)),
            ("quick".into(), Parameter::Flag(false)),
        ]),
        kernels: vec![Kernel {
            file: "ch5-5/stencil.cu".into(),
            cu_sha256: "0f".repeat(32),
            ptx_sha256: "a1".repeat(32),
        }],
        experiments,
        facts: BTreeMap::from([
            (
                "constant-cache-bytes".into(),
                Fact {
                    value: 2048.0,
                    unit: "B".into(),
                    what: "The largest working set before the latency rises.".into(),
                },
            ),
            (
                "replay-slope".into(),
                Fact {
                    value: 5.6 * slower,
                    unit: "ns".into(),
                    what: "Cost of one more distinct address.".into(),
                },
            ),
        ]),
        checks: vec![
            Check {
                id: "stencil/constant/256".into(),
                what: "every output against the CPU's, relative error at most 1e-5".into(),
                passed: true,
                found: "largest relative error 1.2e-7".into(),
            },
            Check {
                id: "chase/constant".into(),
                what: "every lane ends where its chain ends".into(),
                passed: source == Source::Measured,
                found: "32 of 32 lanes".into(),
            },
        ],
        traces: vec![],
        claims: [
            (
                "broadcast",
                "One read serves a half-warp & saves 15.",
                Verdict::HoldsInPart,
                "A whole warp: 1 request.",
            ),
            ("linear", "Cost is linear in the distinct addresses.", Verdict::Holds, "5.6 ns an address."),
            (
                "constant-cache-64-kb",
                "The cache is 64 KB an SM.",
                Verdict::DoesNotHold,
                "Latency rises past 2 KiB.",
            ),
            (
                "faster",
                "Constant memory is faster.",
                Verdict::NotShown,
                "The difference is within the spread.",
            ),
        ]
        .map(|(id, claim, verdict, why)| Claim {
            id: id.into(),
            claim: claim.into(),
            source: "Professional CUDA C Programming, 5.5".into(),
            verdict,
            why: why.into(),
        })
        .to_vec(),
    }
}

fn stencil(source: Source, slower: f64) -> Experiment {
    let variants = [
        ("constant", "constant memory", 71.0),
        ("restrict", "const __restrict__", 72.0),
        ("ldg", "__ldg", 72.5),
        ("global", "plain global", 79.0),
        ("guarded-constant", "guarded, constant memory", 86.0),
        ("guarded-restrict", "guarded, const __restrict__", 88.5),
        ("wide", "four outputs a thread", 53.0),
        ("copy", "copy", 49.6),
    ];
    let series = variants.map(|(id, label, at_256)| {
        let points = BLOCKS.map(|block| {
            let us = at_256
                * slower
                * (0.9 + 115.0 / f64::from(block) * 0.93 * at_256 / 71.0 + f64::from(block) / 9000.0)
                / 1.24;
            let y = |ns: f64| 2.0 * 4.0 * f64::from(1u32 << 24) / ns;
            let mut point = point(source, block.into(), us * 1000.0, 0.02, y);
            point.launch = Some(Launch {
                kernel: format!("stencil_{}", id.replace('-', "_")),
                grid: [(1 << 24) / block, 1, 1],
                block: [block, 1, 1],
                shared_bytes: (block + 8) * 4,
            });
            let warps = 1u64 << 19;
            point.counters = Counters::from([
                ("global_load_requests".into(), warps + warps / u64::from(block / 32)),
                ("global_load_sectors".into(), 4 * warps + 2 * warps / u64::from(block / 32)),
                ("const_instructions".into(), 4 * warps),
                ("const_replays".into(), 0),
            ]);
            if source == Source::Measured && block == 256 {
                point.hardware = point.counters.clone();
                point.hardware.insert("const_instructions".into(), 0);
            }
            point
        });
        Series { id: id.into(), label: label.into(), reference: id == "copy", points: points.to_vec() }
    });
    Experiment {
        id: "stencil".into(),
        title: "Stencil bandwidth by variant and block size".into(),
        x: axis("block size", "threads", Scale::Log2),
        y: axis("bandwidth", "GB/s", Scale::Linear),
        series: series.to_vec(),
    }
}

fn latency(source: Source, slower: f64) -> Experiment {
    divergence(
        source,
        "divergence-latency",
        "Latency against distinct addresses in the warp",
        axis("latency", "ns", Scale::Log10),
        |path, distance, k| match path {
            "constant" if distance == 256 && k >= 16.0 => 42.0 * k * slower,
            "constant" => (35.0 + 5.6 * k) * slower,
            "read-only" => (58.0 + 0.05 * k * f64::from(distance) / 16.0) * slower,
            _ => (44.0 + if distance == 4 { 0.0 } else { 2.0 * k }) * slower,
        },
    )
}

fn throughput(source: Source, slower: f64) -> Experiment {
    divergence(
        source,
        "divergence-throughput",
        "Cost of a warp's load against its distinct addresses",
        axis("time a load and SM", "ns", Scale::Linear),
        |path, distance, k| match path {
            "constant" if distance == 256 && k >= 16.0 => 2.4 * k * slower,
            "constant" => (0.4 + 1.02 * k) * slower,
            "read-only" => (1.9 + 0.02 * k * f64::from(distance) / 32.0) * slower,
            _ => (1.33 + if distance == 4 { 0.0 } else { 0.5 * k }) * slower,
        },
    )
}

fn divergence(
    source: Source,
    id: &str,
    title: &str,
    y: Axis,
    cost: impl Fn(&str, u32, f64) -> f64,
) -> Experiment {
    let mut series = Vec::new();
    for (path, name) in [("constant", "constant"), ("read-only", "read-only"), ("shared", "shared")] {
        for distance in [4, 64, 256] {
            let points = DISTINCT.map(|k| {
                let mut point = point(source, k.into(), cost(path, distance, k.into()), 0.01, |ns| ns);
                point.counters = Counters::from([("const_replays".into(), u64::from(k) - 1)]);
                point
            });
            series.push(Series {
                id: format!("{path}-{distance}"),
                label: format!("{name}, {distance} B apart"),
                reference: false,
                points: points.to_vec(),
            });
        }
    }
    Experiment {
        id: id.into(),
        title: title.into(),
        x: axis("distinct addresses", "", Scale::Linear),
        y,
        series,
    }
}

fn ring(source: Source, slower: f64) -> Experiment {
    type Cost = fn(f64) -> f64;
    let variants: [(&str, &str, Cost); 2] = [
        ("constant", "constant memory", |size| {
            if size <= 2048.0 {
                40.0
            } else if size <= 32768.0 {
                112.0
            } else {
                214.0
            }
        }),
        ("read-only", "read-only cache", |size| 58.0 + size / 65536.0),
    ];
    let series = variants.map(|(id, label, cost)| {
        let points = (8..=16).map(|log| {
            let size = f64::from(1u32 << log);
            point(source, size, cost(size) * slower, 0.01, |ns| ns)
        });
        Series { id: id.into(), label: label.into(), reference: false, points: points.collect() }
    });
    Experiment {
        id: "working-set".into(),
        title: "Latency against working set".into(),
        x: axis("working set", "B", Scale::Log2),
        y: axis("latency", "ns", Scale::Linear),
        series: series.to_vec(),
    }
}

fn axis(label: &str, unit: &str, scale: Scale) -> Axis {
    Axis { label: label.into(), unit: unit.into(), scale }
}

/// One point; `spread` is relative, and a modelled time has none.
fn point(source: Source, x: f64, ns: f64, spread: f64, y: impl Fn(f64) -> f64) -> Point {
    let spread = if source == Source::Measured { spread } else { 0.0 };
    let (least, most) = (ns * (1.0 - spread), ns * (1.0 + 3.0 * spread));
    Point {
        x,
        y: y(ns),
        y_min: y(least).min(y(most)),
        y_max: y(least).max(y(most)),
        launch: Some(Launch { kernel: "chase".into(), grid: [1, 1, 1], block: [32, 1, 1], shared_bytes: 0 }),
        operation: None,
        time: Some(Timing {
            is: source,
            calls: if source == Source::Measured { 100 } else { 1 },
            median_ns: ns,
            mean_ns: ns * (1.0 + spread / 10.0),
            min_ns: least,
            max_ns: most,
            iqr_ns: ns * spread,
        }),
        counters: Counters::new(),
        hardware: Counters::new(),
    }
}
