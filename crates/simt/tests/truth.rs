//! The counters against what an H200 counted: every launch of `truth/patterns.json`, run on the embedded device, and the
//! rules that explain them against every other file of that folder.
#![allow(clippy::unwrap_used, missing_docs)]

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

/// Lanes' offsets, then an access of global memory at each that is not negative.
fn access_of(op: &str) -> String {
    let (kind, rest) = op.split_once("_global_").unwrap();
    let modifier = rest.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    let (ty, values) = match &rest[rest.trim_end_matches(|c: char| c.is_ascii_digit()).len()..] {
        "8" => ("u8", "%r4"),
        "16" => ("u16", "%r4"),
        "32" => ("u32", "%r4"),
        "64" => ("v2.u32", "{%r4, %r5}"),
        _ => ("v4.u32", "{%r4, %r5, %r6, %r7}"),
    };
    let name = match modifier {
        "" => format!("{kind}.global.{ty}"),
        "volatile" => format!("{kind}.volatile.global.{ty}"),
        "relaxed" | "acquire" | "release" => format!("{kind}.{modifier}.gpu.global.{ty}"),
        _ => format!("{kind}.global.{modifier}.{ty}"),
    };
    let operands = if kind == "ld" { format!("{values}, [%rd3]") } else { format!("[%rd3], {values}") };
    format!(
        ".version 8.0 .target sm_80 .address_size 64
        .visible .entry k(.param .u64 p0, .param .u64 p1) {{
            .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
            ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
            mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd1, %rd1, %rd4;
            ld.global.s32 %r2, [%rd1]; cvt.s64.s32 %rd5, %r2; add.u64 %rd3, %rd2, %rd5; setp.ge.s32 %p1, %r2, 0;
            mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;
            @%p1 {name} {operands};
            st.global.u32 [%rd1], %r4;
            ret;
        }}"
    )
}

#[test]
fn wavefronts_of_single_accesses_are_those_of_the_hardware_and_none_has_a_request_without_lanes() {
    let patterns: Vec<Pattern> = serde_json::from_str(include_str!("truth/wavefronts.json")).unwrap();
    assert_eq!(patterns.len(), 220);
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    // The first allocation lies as the patterns' did, at a multiple of all their extent.
    let data = device.allocate(1 << 26).unwrap();
    let offsets = device.allocate(32 * 4).unwrap();
    for p in &patterns {
        let bytes: Vec<u8> = p.offs.iter().flat_map(|o| o.to_le_bytes()).collect();
        device.write(offsets, 0, &bytes).unwrap();
        let module = device.load("access.ptx", &access_of(&p.op)).unwrap();
        let launch = Launch {
            module,
            kernel: "k",
            grid: [1; 3],
            block: [32, 1, 1],
            shared_bytes: 0,
            args: vec![Arg::Buffer(offsets, 0), Arg::Buffer(data, 0)],
            cluster: None,
            cooperative: false,
        };
        let c = device.launch(&launch).unwrap().counters;
        let hw = |name: &str| p.hw.get(name).copied().unwrap_or(0);
        let what = format!("{}, {}", p.op, p.pattern);
        assert_eq!(c.global_load_requests, hw("global_load_requests"), "{what}");
        assert_eq!(c.global_store_requests, hw("global_store_requests"), "{what}");
        assert_eq!(c.global_load_wavefronts, hw("global_load_passes"), "{what}");
        assert_eq!(c.global_store_wavefronts, hw("global_store_passes"), "{what}");
        // The kernel's own load and store have one turn of the data each.
        let offs: [u64; 32] = std::array::from_fn(|l| p.offs[l].max(0) as u64);
        let mask = (0..32).map(|l| u32::from(p.offs[l] >= 0) << l).sum();
        let bits: u32 = p.op.rsplit('_').next().unwrap().parse().unwrap();
        let turns = simt::model::access::turns(&offs, mask, bits / 8, p.op.starts_with("st"));
        assert_eq!(
            c.global_load_data_wavefronts + c.global_store_data_wavefronts,
            2 + u64::from(turns.data),
            "{what}"
        );
    }
}

/// Whether Nsight Compute counts the accesses of a memory under this name too, and did so for these.
fn is_hardware(name: &str) -> bool {
    let elsewhere = ["global_load_wavefronts", "global_store_wavefronts"];
    counters::get(name).is_some_and(|counter| counter.metric.is_some() && counter.space.is_some())
        && !elsewhere.contains(&name)
}
