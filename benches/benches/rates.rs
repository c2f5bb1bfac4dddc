//! Thread-instructions a second, by what a kernel does: `cargo bench -p benches --bench rates`.
//!
//! The others are compared with the stencil, which is nearly all arithmetic on registers and contiguous accesses. The
//! kernels of `kernels/rates.ptx` are those that may be slow, each a loop over what it is named after. Best of some rounds,
//! alternately; the time is that for which the process had a core, where the system reports it (Linux), so that it changes little
//! while others use the machine. Each kernel also runs with all checks, and the last column says how much longer that takes.
//! Arguments are parts of names: only kernels that contain one of them run.
#![allow(clippy::unwrap_used, reason = "whatever fails here should stop")]

use benches::on_cores;
use simt::{Arg, Buffer, Checks, Chip, Device, Launch};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const RATES: &str = include_str!("../kernels/rates.ptx");
const STENCIL: &str = include_str!("../../kernels/ch5-5/stencil.ptx");
/// Words of the table that the chases read.
const TABLE: usize = 4096;

/// How a case is made, by its name.
type Builder = Box<dyn Fn(&'static str) -> Case>;

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
    // A table of that many words, and how a random word becomes an index in it.
    let table = |bits: u32| {
        move |device: &mut Device| vec![filled(device, &vec![1; 1 << bits]), word(256), word(32 - bits)]
    };
    let builders: Vec<(&str, Builder)> = vec![
        ("stencil", Box::new(stencil)),
        ("chase, all lanes, scattered", Box::new(|name| chase(name, 32))),
        ("chase, one lane", Box::new(|name| chase(name, 1))),
        ("gather, 16 KiB", Box::new(move |name| rates(name, "gather", 128, 256, table(12)))),
        ("gather, 64 MiB", Box::new(move |name| rates(name, "gather", 128, 256, table(24)))),
        ("histogram in shared memory", Box::new(move |name| rates(name, "histogram", 256, 256, alone))),
        ("atomics in shared memory", Box::new(move |name| rates(name, "atomics", 64, 256, alone))),
        ("odd-even sort, divergent", Box::new(move |name| rates(name, "sort", 128, 256, alone))),
        ("cp.async tiles", Box::new(copies)),
        ("barriers, blocks of 64", Box::new(move |name| rates(name, "barriers", 512, 64, alone))),
        ("barriers, blocks of 32", Box::new(move |name| rates(name, "barriers", 512, 32, alone))),
        ("mbarriers, blocks of 256", Box::new(move |name| rates(name, "mbarriers", 64, 256, alone))),
        ("directed rounding, f64", Box::new(move |name| rates(name, "rounding", 64, 256, alone))),
        ("exponentials", Box::new(move |name| rates(name, "exponentials", 128, 256, alone))),
        ("tensor cores", Box::new(tensor)),
    ];
    let chosen: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|part| name.contains(part.as_str()));
    let mut cases: Vec<Case> =
        builders.iter().filter(|(name, _)| is_chosen(name)).map(|(name, build)| build(name)).collect();
    // Without checks, and with them.
    let mut best = vec![[(0u64, Duration::MAX); 2]; cases.len()];
    for _ in 0..ROUNDS {
        for (case, best) in cases.iter_mut().zip(&mut best) {
            for (checks, best) in [Checks::NONE, Checks::ALL].into_iter().zip(best) {
                case.device.options().checks = checks;
                let (before, started) = (on_cores(), Instant::now());
                best.0 = case.device.launch(&case.launch).unwrap().counters.thread_instructions;
                let wall = started.elapsed();
                let cores = before.zip(on_cores()).map(|(before, after)| after.saturating_sub(before));
                best.1 = best.1.min(cores.unwrap_or(wall));
            }
        }
    }
    let rate = |(count, time): (u64, Duration)| count as f64 / time.as_secs_f64() / 1e9;
    println!(
        "{:30} {:>14} {:>20} {:>13} {:>17}",
        "", "10^6 th.i.", "10^9 th.i./s a core", "of the first", "time with checks"
    );
    for (case, [plain, checked]) in cases.iter().zip(&best) {
        print!("{:30} {:>14.1} {:>20.3}", case.name, plain.0 as f64 / 1e6, rate(*plain));
        print!(" {:>12.0}%", 100.0 * rate(*plain) / rate(best[0][0]));
        print!(" {:>16.2}x", checked.1.as_secs_f64() / plain.1.as_secs_f64());
        if case.multiply_adds > 0 {
            print!("  {:.3} * 10^9 multiply-adds/s", case.multiply_adds as f64 / plain.1.as_secs_f64() / 1e9);
        }
        println!();
    }
}

fn stencil(name: &'static str) -> Case {
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
    Case { name, multiply_adds: 0, device, launch }
}

fn copies(name: &'static str) -> Case {
    rates(name, "copies", 256, 256, |device| vec![filled(device, &vec![0x3f80_0000; 64 * 1024]), word(64)])
}

fn tensor(name: &'static str) -> Case {
    Case { multiply_adds: 64 * 8 * 64 * 4 * 2048, ..rates(name, "tensor", 64, 256, |_| vec![word(64)]) }
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
