//! Thread-instructions a second of the embedded device on lab 5.5's stencil, counters and bounds checks on.
//!
//! `cargo run --release -p simt --example throughput`
#![allow(clippy::unwrap_used)]

use simt::{Arg, Chip, Device, Launch};
use std::time::Instant;

fn main() {
    let ptx = include_str!("../../../kernels/ch5-5/stencil.ptx");
    let started = Instant::now();
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    let module = device.load("ch5-5/stencil.ptx", ptx).unwrap();
    println!("parse and decode: {:.2} ms", started.elapsed().as_secs_f64() * 1e3);
    let n: u32 = 1 << 24;
    let bytes = u64::from(n + 64) * 4;
    let (x, y) = (device.allocate(bytes).unwrap(), device.allocate(bytes).unwrap());
    let values: Vec<u8> =
        (0..n + 64).flat_map(|i| ((i.wrapping_mul(2654435761) >> 24) as f32 / 100.0).to_le_bytes()).collect();
    device.write(x, 0, &values).unwrap();
    let c = device.allocate(20).unwrap();
    let coefficients: Vec<u8> =
        [0.0f32, 0.8, -0.2, 0.03809, -0.00357].iter().flat_map(|c| c.to_le_bytes()).collect();
    device.write(c, 0, &coefficients).unwrap();
    device.write_symbol(module, "coef", 0, &coefficients).unwrap();
    for (kernel, block, takes_c, per_thread) in [
        ("copy", 256, false, 1),
        ("stencil_constant", 32, false, 1),
        ("stencil_constant", 256, false, 1),
        ("stencil_constant", 1024, false, 1),
        ("stencil_restrict", 256, true, 1),
        ("stencil_wide", 256, false, 4),
    ] {
        let mut args = vec![Arg::Buffer(x, 16), Arg::Buffer(y, 16), Arg::Value(n.to_le_bytes().to_vec())];
        if takes_c {
            args.push(Arg::Buffer(c, 0));
        }
        let launch = Launch {
            module,
            kernel,
            grid: [n / block / per_thread, 1, 1],
            block: [block, 1, 1],
            shared_bytes: (block + 8) * 4,
            args,
        };
        let mut best = f64::INFINITY;
        let mut outcome = None;
        for _ in 0..3 {
            let started = Instant::now();
            outcome = Some(device.launch(&launch).unwrap());
            best = best.min(started.elapsed().as_secs_f64());
        }
        let outcome = outcome.unwrap();
        let count = outcome.counters.thread_instructions as f64;
        println!(
            "{kernel:18} block {block:4}: {:7.1} ms, {:5.2}e9 thread-instructions/s, modelled {:.1} us",
            best * 1e3,
            count / best / 1e9,
            outcome.modelled_ns / 1e3
        );
    }
}
