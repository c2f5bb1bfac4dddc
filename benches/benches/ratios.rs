//! The embedded device and C alternately, best of some rounds, as one table: `cargo bench -p benches --bench ratios`.
//!
//! Alternately, so that a machine which is busy or warm for a while is so for both. Where the system reports it (Linux), the
//! time that the device's threads had a core is there too: it changes little while others use the machine.
#![allow(clippy::unwrap_used, reason = "whatever fails here should stop")]

use benches::{LONG_PTX, Reference, all, empty, load, on_cores};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;

/// The shortest of some runs.
fn shortest(times: usize, mut run: impl FnMut()) -> Duration {
    let one = |_| {
        let started = Instant::now();
        run();
        started.elapsed()
    };
    (0..times).map(one).min().unwrap()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() {
    let reference = Reference::compile().unwrap();
    let cores = std::thread::available_parallelism().unwrap();
    let threads = std::env::var("RAYON_NUM_THREADS").unwrap_or_else(|_| cores.to_string());
    println!(
        "{cores} cores, {threads} of them for the device; C: {}, -O3, one thread; best of {ROUNDS}",
        reference.compiler
    );
    println!(
        "th.i.: thread-instructions, PTX instructions x active lanes; ratio: device / C; core ms: of all threads\n"
    );
    println!(
        "{:18} {:>9} {:>9} {:>10} {:>9} {:>13} {:>9} {:>8} {:>6} {:>5} {:>13}",
        "",
        "10^6 th.i.",
        "device ms",
        "10^9 th.i./s",
        "core ms",
        "10^9/s a core",
        "checks ms",
        "C ms",
        "ratio",
        "goal",
        "gpuocelot ms"
    );
    for mut workload in all().unwrap() {
        let count = workload.run(false).unwrap().counters.thread_instructions as f64;
        let [mut device, mut cores, mut checked, mut c] = [Duration::MAX; 4];
        for _ in 0..ROUNDS {
            checked = checked.min(shortest(1, || drop(workload.run(true).unwrap())));
            for _ in 0..2 {
                let before = on_cores();
                device = device.min(shortest(1, || drop(workload.run(false).unwrap())));
                if let (Some(before), Some(after)) = (before, on_cores()) {
                    cores = cores.min(after.saturating_sub(before));
                }
            }
            c = c.min(reference.run(&workload, 3).unwrap().best);
            reference.agrees(&workload).unwrap();
        }
        let known = |figure: Option<f64>| figure.map_or(String::new(), |f| f.to_string());
        let on_cores = Some(cores).filter(|cores| *cores < Duration::MAX);
        let figure = |f: Option<f64>| f.map_or(String::new(), |f| format!("{f:.2}"));
        println!(
            "{:18} {:>9.1} {:>9.2} {:>10.2} {:>9} {:>13} {:>9.2} {:>8.2} {:>6.2} {:>5} {:>13}",
            workload.name,
            count / 1e6,
            ms(device),
            count / device.as_secs_f64() / 1e9,
            figure(on_cores.map(ms)),
            figure(on_cores.map(|cores| count / cores.as_secs_f64() / 1e9)),
            ms(checked),
            ms(c),
            ms(device) / ms(c),
            known(workload.ratio_goal),
            known(workload.gpuocelot_ms),
        );
    }
    println!();
    for blocks in [1, 1024] {
        let (mut device, launch) = empty(blocks).unwrap();
        let time = shortest(1000, || drop(device.launch(&launch).unwrap()));
        println!("empty launch, {blocks:4} blocks of 32: {:7.1} us", ms(time) * 1e3);
    }
    for (name, ptx) in [("math_double, debug build", LONG_PTX), ("lab 5.5's stencils", kernels::STENCIL.ptx)]
    {
        let time = shortest(20, || drop(load(name, ptx).unwrap()));
        println!("parse and decode, {} lines ({name}): {:.2} ms", ptx.lines().count(), ms(time));
    }
}
