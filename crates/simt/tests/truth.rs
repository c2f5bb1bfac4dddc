//! The counters against what an H200 counted: every launch of `truth/patterns.json`, run on the embedded device, and the
//! rules behind them against every other file of that folder.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "truth/rules.rs"]
mod rules;

use simt::{Arg, Chip, Device, Launch};
use std::collections::BTreeMap;

#[derive(serde::Deserialize)]
struct Pattern {
    op: String,
    pattern: String,
    offs: Vec<i32>,
    hw: BTreeMap<String, u64>,
}

#[test]
fn every_pattern_counts_what_the_hardware_counted() {
    let patterns: Vec<Pattern> = serde_json::from_str(include_str!("truth/patterns.json")).unwrap();
    assert_eq!(patterns.len(), 864);
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    let module = device.load("patterns.ptx", include_str!("truth/patterns.ptx")).unwrap();
    let offsets = device.allocate(32 * 4).unwrap();
    let data = device.allocate(1 << 20).unwrap();
    let out = device.allocate(32 * 4).unwrap();
    let mut wrong = vec![];
    for p in &patterns {
        let bytes: Vec<u8> = p.offs.iter().flat_map(|o| o.to_le_bytes()).collect();
        device.write(offsets, 0, &bytes).unwrap();
        let seed = Arg::Value(7u32.to_le_bytes().to_vec());
        let (offsets, data, out) = (Arg::Buffer(offsets, 0), Arg::Buffer(data, 0), Arg::Buffer(out, 0));
        let args = match p.op.as_str() {
            op if op.starts_with("ld_global") => vec![offsets, data, out],
            op if op.starts_with("ld_") => vec![offsets, out],
            op if op.starts_with("st_shared") => vec![offsets, seed],
            _ => vec![offsets, data, seed],
        };
        let launch = Launch {
            module,
            kernel: &p.op,
            grid: [1; 3],
            block: [32, 1, 1],
            shared_bytes: 0,
            args,
            cluster: None,
            cooperative: false,
        };
        let counted = device.launch(&launch).unwrap().counters;
        for (name, value) in counted.iter() {
            let mut expected = match p.hw.get(name) {
                Some(value) => *value,
                None if is_hardware(name) => 0,
                None => continue,
            };
            // ptxas loads a kernel's parameters (and the stack pointer) from the constant bank; they are not the PTX's
            // own loads. The `ld_const` kernels have two parameters; the others have no constant loads of their own.
            if matches!(name, "const_instructions" | "idc_requests") {
                expected = if p.op.starts_with("ld_const") { expected - 2 } else { 0 };
            }
            if value != expected {
                wrong.push((p.op.as_str(), p.pattern.as_str(), name, value, expected));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ, such as {:#?}", wrong.len(), &wrong[..wrong.len().min(10)]);
}

/// Whether Nsight Compute counts the accesses of a memory under this name too, and did so for these.
fn is_hardware(name: &str) -> bool {
    let elsewhere = ["global_load_wavefronts", "global_store_wavefronts"];
    counters::get(name).is_some_and(|counter| counter.metric.is_some() && counter.space.is_some())
        && !elsewhere.contains(&name)
}
