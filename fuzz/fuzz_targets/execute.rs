//! Execution: what decodes runs to its end or to an error, within budgets, and does so twice alike, with checks and
//! without. Blocks have several warps, and may wait for each other.
#![no_main]

use simt::{Arg, Chip, Device, Launch};

/// Grids and blocks: one of two warps and a bit, and four of three, of which the first may wait for the last.
const SHAPES: [[[u32; 3]; 2]; 2] = [[[1, 1, 1], [33, 2, 1]], [[2, 1, 2], [48, 2, 1]]];

fn device(checks: bool) -> Option<Device> {
    let mut device = Device::new(Chip::by_name("h200").ok()?);
    let options = device.options();
    options.deterministic = true;
    options.checks = simt::Checks::all_or_none(checks);
    options.budget = 20_000;
    options.launch_budget = 50_000;
    options.stack_bytes = 16 << 20;
    options.memory_bytes = 16 << 20;
    options.print_bytes = 4096;
    Some(device)
}

/// Runs every kernel, and says how that went.
fn run(text: &str, checks: bool) -> Option<String> {
    let mut device = device(checks)?;
    let module = device.load("x.ptx", text).ok()?;
    let tree = ptx::parse(text).ok()?;
    let buffer = device.allocate(8192).ok()?;
    let mut said = String::new();
    for kernel in tree.functions.iter().filter(|f| f.is_kernel && f.body.is_some()).take(4) {
        for [grid, block] in SHAPES {
            let args = kernel.parameters.iter().map(|p| {
                let elements = p.dimensions.iter().map(|d| d.unwrap_or(0)).product::<u64>();
                let bytes = match p.ty {
                    "b8" | "u8" | "s8" => 1,
                    "b16" | "u16" | "s16" | "f16" | "bf16" => 2,
                    "b64" | "u64" | "s64" | "f64" => 8,
                    _ => 4,
                };
                match (p.vector, elements * bytes) {
                    (1, 8) if bytes == 8 && p.dimensions.is_empty() => Arg::Buffer(buffer, 256),
                    (vector, n) => Arg::Value(vec![5; (u64::from(vector) * n).min(1 << 16) as usize]),
                }
            });
            let launch =
                Launch { module, kernel: kernel.name, grid, block, shared_bytes: 512, args: args.collect(), cluster: None, cooperative: false };
            let outcome = device.launch(&launch);
            said.push_str(&match outcome {
                Ok(outcome) => format!("{outcome:?}\n"),
                Err(error) => format!("{error}\n"),
            });
        }
    }
    let mut bytes = vec![0; 8192];
    device.read(buffer, 0, &mut bytes).ok()?;
    Some(format!("{said}{bytes:?}"))
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for checks in [false, true] {
        assert!(run(&text, checks) == run(&text, checks), "two runs differ");
    }
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutator(data, size, max_size, seed)
});
