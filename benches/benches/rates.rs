//! Thread-instructions a second, by what a kernel does: `cargo bench -p benches --bench rates`.
//!
//! The others are compared with the stencil, which is nearly all arithmetic on registers and contiguous accesses. The
//! kernels of `kernels/rates.ptx` are those that may be slow, each a loop over what it is named after. Best of some rounds, by
//! turns; the time is that for which the process had a core, where the system tells it (Linux), so that it changes little
//! while others use the machine. Arguments are parts of names: only kernels that contain one of them run.
#![allow(clippy::unwrap_used, reason = "whatever fails here should stop")]

use benches::on_cores;
use simt::{Arg, Buffer, Chip, Device, Launch};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const RATES: &str = include_str!("../kernels/rates.ptx");
const STENCIL: &str = include_str!("../../kernels/ch5-5/stencil.ptx");
/// Words of the table that the chases read.
const TABLE: usize = 4096;

/// A launch on a device of its own.
struct Case {
    name: &'static str,
    /// Of tensor cores, in all.
    multiply_adds: u64,
    device: Device,
    launch: Launch<'static>,
}

fn main() {
    let alone = |_: &mut Device| vec![word(256)];
    // A table of so many words, and how a random word becomes an index in it.
    let table = |bits: u32| {
        move |device: &mut Device| vec![filled(device, &vec![1; 1 << bits]), word(256), word(32 - bits)]
    };
    let mut cases = vec![
        stencil(),
        chase("chase, all lanes, scattered", 32),
        chase("chase, one lane", 1),
        rates("gather, 16 KiB", "gather", 128, 256, table(12)),
        rates("gather, 64 MiB", "gather", 128, 256, table(24)),
        rates("histogram in shared memory", "histogram", 256, 256, alone),
        rates("atomics in shared memory", "atomics", 64, 256, alone),
        rates("odd-even sort, divergent", "sort", 128, 256, alone),
        rates("cp.async tiles", "copies", 256, 256, |device| {
            vec![filled(device, &vec![0x3f80_0000; 64 * 1024]), word(64)]
        }),
        rates("barriers, blocks of 64", "barriers", 512, 64, alone),
        rates("barriers, blocks of 32", "barriers", 512, 32, alone),
        rates("mbarriers, blocks of 256", "mbarriers", 64, 256, alone),
        rates("directed rounding, f64", "rounding", 64, 256, alone),
        rates("exponentials", "exponentials", 128, 256, alone),
        Case {
            multiply_adds: 64 * 8 * 64 * 4 * 2048,
            ..rates("tensor cores", "tensor", 64, 256, |_| vec![word(64)])
        },
    ];
    let chosen: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    cases.retain(|case| chosen.is_empty() || chosen.iter().any(|part| case.name.contains(part.as_str())));
    let mut best = vec![(0u64, Duration::MAX); cases.len()];
    for _ in 0..ROUNDS {
        for (case, (count, least)) in cases.iter_mut().zip(&mut best) {
            let (before, started) = (on_cores(), Instant::now());
            *count = case.device.launch(&case.launch).unwrap().counters.thread_instructions;
            let wall = started.elapsed();
            let cores = before.zip(on_cores()).map(|(before, after)| after.saturating_sub(before));
            *least = (*least).min(cores.unwrap_or(wall));
        }
    }
    let rates: Vec<f64> = best.iter().map(|(count, time)| *count as f64 / time.as_secs_f64() / 1e9).collect();
    println!("{:30} {:>14} {:>18} {:>12}", "", "10^6 th.i.", "10^9 th.i./s a core", "of the first");
    for ((case, (count, time)), rate) in cases.iter().zip(best).zip(&rates) {
        print!("{:30} {:>14.1} {rate:>18.3}", case.name, count as f64 / 1e6);
        print!("  {:>11.0}%", 100.0 * rate / rates[0]);
        if case.multiply_adds > 0 {
            print!("  {:.3} * 10^9 multiply-adds/s", case.multiply_adds as f64 / time.as_secs_f64() / 1e9);
        }
        println!();
    }
}

fn stencil() -> Case {
    const N: u32 = 1 << 20;
    let (mut device, module) = load(STENCIL);
    device.write_symbol(module, "coef", 0, &[0; 20]).unwrap();
    let x = filled(&mut device, &vec![0x3f80_0000; N as usize + 8]);
    let y = filled(&mut device, &vec![0; N as usize + 8]);
    let behind = |arg: Arg| match arg {
        Arg::Buffer(buffer, _) => Arg::Buffer(buffer, 16),
        value => value,
    };
    let launch = Launch {
        module,
        kernel: "stencil_constant",
        grid: [N / 256, 1, 1],
        block: [256, 1, 1],
        shared_bytes: (256 + 8) * 4,
        args: vec![behind(x), behind(y), word(N)],
        cluster: None,
        cooperative: false,
    };
    Case { name: "stencil", multiply_adds: 0, device, launch }
}

fn chase(name: &'static str, lanes: u32) -> Case {
    // One cycle through all words, in an order without a pattern.
    let table: Vec<u32> = (0..TABLE as u32).map(|n| (n * 1021 + 1) % TABLE as u32 * 4).collect();
    let mut case = rates(name, "chase", 128, 256, |_| vec![word(128), word(lanes)]);
    let table = filled(&mut case.device, &table);
    case.launch.args.insert(0, table);
    case
}

/// A kernel of the file, with its output before the last arguments.
fn rates(
    name: &'static str,
    kernel: &'static str,
    blocks: u32,
    threads: u32,
    arguments: impl FnOnce(&mut Device) -> Vec<Arg>,
) -> Case {
    let (mut device, module) = load(RATES);
    let mut args = arguments(&mut device);
    let out = filled(&mut device, &vec![0; (blocks * threads) as usize]);
    let at = args.iter().filter(|arg| matches!(arg, Arg::Buffer(..))).count();
    args.insert(at, out);
    let (grid, block) = ([blocks, 1, 1], [threads, 1, 1]);
    let launch =
        Launch { module, kernel, grid, block, shared_bytes: 0, args, cluster: None, cooperative: false };
    Case { name, multiply_adds: 0, device, launch }
}

fn load(ptx: &str) -> (Device, simt::ModuleId) {
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    let module = device.load("rates.ptx", ptx).unwrap();
    (device, module)
}

fn filled(device: &mut Device, words: &[u32]) -> Arg {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let buffer: Buffer = device.allocate(bytes.len() as u64).unwrap();
    device.write(buffer, 0, &bytes).unwrap();
    Arg::Buffer(buffer, 0)
}

fn word(value: u32) -> Arg {
    Arg::Value(value.to_le_bytes().to_vec())
}
