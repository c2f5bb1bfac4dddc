//! Accesses noted one by one.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{AccessKind, Arg, Buffer, Counters, Launch, Outcome, Part, Space, Trace, TracedAccess};

const PRODUCT: &str = include_str!("../../../kernels/bench/product.ptx");

impl Bench {
    fn traced(&mut self, grid: u32, block: u32, args: &[Buffer], trace: Trace) -> Outcome {
        self.device.options().trace = Some(trace);
        let launch = Launch {
            module: self.module,
            kernel: "k",
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: 0,
            args: args.iter().map(|b| Arg::Buffer(*b, 0)).collect(),
            cluster: None,
            cooperative: false,
        };
        self.device.launch(&launch).unwrap()
    }
}

/// A product of matrices of n by n, one block; `trace` as given.
fn product(n: u32, trace: Option<Trace>) -> (Outcome, Vec<u32>) {
    let mut bench = Bench::new(PRODUCT);
    let words: Vec<u32> = (0..n * n).map(|i| ((i % 7) as f32).to_bits()).collect();
    let buffers = [&words, &words, &vec![0; words.len()]].map(|w| bench.words(w));
    let mut args: Vec<Arg> = buffers.iter().map(|b| Arg::Buffer(*b, 0)).collect();
    args.push(Arg::Value(n.to_le_bytes().to_vec()));
    bench.device.options().trace = trace;
    let launch = Launch {
        module: bench.module,
        kernel: "product",
        grid: [n / 16, n / 16, 1],
        block: [16, 16, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative: false,
    };
    let outcome = bench.device.launch(&launch).unwrap();
    (outcome, bench.read(buffers[2], words.len()))
}

/// Those of single memory instructions: not what whole launches or basic blocks add.
fn of_memory(counters: &Counters) -> Vec<(&'static str, u64)> {
    let is_of_memory = |name: &str| {
        !name.starts_with("modelled_")
            && name != "const_uniform_instructions"
            && counters::get(name).is_some_and(|counter| counter.space.is_some())
    };
    counters.iter().filter(|(name, _)| is_of_memory(name)).collect()
}

fn sum(accesses: &[TracedAccess]) -> Counters {
    let mut all = Counters::default();
    accesses.iter().for_each(|a| all.add(&a.cost));
    all
}

#[test]
fn an_access_has_its_place_its_lanes_and_its_cost() {
    let mut bench = Bench::new(&kernel(
        2,
        &format!(
            r"
                {OWN_WORD}
                ld.param.u64 %rd3, [p1];
                shl.b64 %rd4, %rd2, 2;
                add.s64 %rd5, %rd3, %rd4;
                ld.global.u32 %r5, [%rd5+8];
                st.global.u32 [%rd1], %r5;
                ret;
            "
        ),
    ));
    let (out, data) = (bench.words(&[0; 32]), bench.words(&[7; 160]));
    bench.device.name_buffer(out, "out").unwrap();
    bench.device.name_buffer(data, "data").unwrap();
    let outcome = bench.traced(1, 32, &[out, data], Trace::FIRST);
    let [load, store] = &outcome.accesses[..] else { panic!("{:?}", outcome.accesses) };
    assert_eq!((load.mnemonic.as_str(), load.kind, load.bytes), ("ld.global.u32", AccessKind::Load, 4));
    assert_eq!((store.mnemonic.as_str(), store.kind, store.warp), ("st.global.u32", AccessKind::Store, 0));
    assert!(load.place.at.0 < store.place.at.0);
    let lanes = (0..32).map(|l| (l, 16 * u64::from(l) + 8)).collect();
    let part = Part { space: Space::Global, memory: "data".into(), size: 640, lanes };
    assert_eq!(load.parts, [part]);
    assert_eq!((load.cost.global_load_requests, load.cost.global_load_sectors), (1, 16));
    assert_eq!((store.cost.global_store_requests, store.cost.global_store_sectors), (1, 4));
    assert_eq!(outcome.left_out, 0);
}

#[test]
fn costs_add_up_to_what_the_launch_counted() {
    let (outcome, _) = product(16, Some(Trace { warps: u32::MAX, ..Trace::FIRST }));
    assert_eq!(of_memory(&sum(&outcome.accesses)), of_memory(&outcome.counters));
    let shared = outcome.accesses.iter().filter(|a| a.parts[0].space == Space::Shared);
    assert_eq!(shared.count() as u64, outcome.counters.shared_load_instructions + 2 * 8);
}

#[test]
fn nothing_changes_for_being_watched() {
    let (plain, result) = product(64, None);
    let (traced, same) =
        product(64, Some(Trace { block: Some([1, 2, 0]), warps: 0b110, space: None, most: 100 }));
    assert!(plain.accesses.is_empty() && traced.accesses.len() == 100);
    assert_eq!((plain.counters, result), (traced.counters, same));
}

#[test]
fn one_block_s_warps_are_noted_in_order_wherever_it_runs() {
    let trace = Trace { block: Some([1, 2, 0]), warps: 0b100, ..Trace::FIRST };
    let (first, _) = product(64, Some(trace));
    let (second, _) = product(64, Some(trace));
    assert_eq!(first.accesses, second.accesses);
    assert!(first.accesses.iter().all(|a| a.warp == 2));
    // Warp 2 has rows 4 and 5 of the tile; its first load is of a's rows 36 and 37.
    let lanes = &first.accesses[0].parts[0].lanes;
    assert_eq!((lanes[0].1, lanes[16].1), (36 * 64 * 4, 37 * 64 * 4));
    // Four tiles: two loads and two stores each, two shared loads for each of 16 elements; and the result.
    assert_eq!(first.accesses.len(), 4 * (4 + 2 * 16) + 1);
}

#[test]
fn what_is_too_much_is_counted() {
    let trace = Trace { most: 3, ..Trace::FIRST };
    let (outcome, _) = product(16, Some(trace));
    assert_eq!((outcome.accesses.len(), outcome.left_out), (3, 4 + 2 * 16 + 1 - 3));
}

#[test]
fn a_block_or_warp_that_is_not_there_has_no_accesses() {
    for trace in [Trace { block: Some([1, 0, 0]), ..Trace::FIRST }, Trace { warps: 1 << 8, ..Trace::FIRST }] {
        let (outcome, _) = product(16, Some(trace));
        assert!(outcome.accesses.is_empty() && outcome.left_out == 0);
    }
}

#[test]
fn constants_are_offsets_in_their_variable_and_replays_are_their_cost() {
    let text = kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                mov.u64 %rd5, c;
                add.s64 %rd6, %rd5, %rd2;
                ld.const.u32 %r6, [%rd6+4];
                st.global.u32 [%rd1], %r6;
                ret;
            "
        ),
    )
    .replace(".visible", ".const .align 4 .b8 before[64];\n.const .align 4 .b8 c[132];\n.visible");
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0; 32]);
    let outcome = bench.traced(1, 32, &[out], Trace::FIRST);
    let load = &outcome.accesses[0];
    let lanes = (0..32).map(|l| (l, 4 * u64::from(l) + 4)).collect();
    assert_eq!(load.parts, [Part { space: Space::Constant, memory: "c".into(), size: 132, lanes }]);
    assert_eq!((load.cost.const_replays, load.cost.idc_requests), (31, 32));
}

#[test]
fn a_load_into_its_own_address_is_noted_with_the_address() {
    let mut bench = Bench::new(&kernel(
        1,
        r"
            ld.param.u64 %rd1, [p0];
            ld.global.u64 %rd1, [%rd1+8];
            st.global.u64 [%rd1], %rd1;
            ret;
        ",
    ));
    let out = bench.words(&[0; 4]);
    // The second of two words of 64 bits holds its own address, which the device's first buffer begins at.
    let base = 0x7_0000_0000u64 + 8;
    bench.device.write(out, 8, &base.to_le_bytes()).unwrap();
    let outcome = bench.traced(1, 1, &[out], Trace::FIRST);
    let at: Vec<_> = outcome.accesses.iter().map(|a| (a.bytes, a.parts[0].lanes[0])).collect();
    assert_eq!(at, [(8, (0, 8)), (8, (0, 8))]);
}

#[test]
fn generic_addresses_are_sorted_by_memory() {
    let text = kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                mov.u64 %rd5, s;
                cvta.shared.u64 %rd6, %rd5;
                setp.lt.u32 %p1, %r4, 4;
                st.shared.u32 [%rd5], %r4;
                selp.b64 %rd7, %rd6, %rd1, %p1;
                ld.u32 %r5, [%rd7];
                st.global.u32 [%rd1], %r5;
                ret;
            "
        ),
    )
    .replace(".reg .pred", ".shared .align 4 .b8 s[16]; .reg .pred");
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0; 32]);
    let outcome = bench.traced(1, 32, &[out], Trace::FIRST);
    let load = &outcome.accesses[1];
    let parts: Vec<_> = load.parts.iter().map(|p| (p.space, p.memory.as_str(), p.lanes.len())).collect();
    assert_eq!(parts, [(Space::Shared, "shared", 4), (Space::Global, "allocation 0", 28)]);
}

#[test]
fn an_asynchronous_copy_is_a_load_with_the_cost_and_a_store() {
    let text = kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                mov.u32 %r5, s;
                shl.b32 %r6, %r4, 2;
                add.s32 %r7, %r5, %r6;
                cp.async.ca.shared.global [%r7], [%rd1], 4;
                cp.async.wait_all;
                ret;
            "
        ),
    )
    .replace(".reg .pred", ".shared .align 4 .b8 s[128]; .reg .pred")
    .replace("sm_52", "sm_80");
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0; 32]);
    let outcome = bench.traced(1, 32, &[out], Trace::FIRST);
    let [load, store] = &outcome.accesses[..] else { panic!("{:?}", outcome.accesses) };
    assert_eq!((load.kind, load.parts[0].space), (AccessKind::Load, Space::Global));
    assert_eq!((store.kind, store.parts[0].space), (AccessKind::Store, Space::Shared));
    assert_eq!((load.cost.copy_instructions, load.cost.global_load_sectors), (1, 4));
    assert_eq!(store.cost, Counters::default());
    assert_eq!(load.parts[0].lanes, store.parts[0].lanes);
}

#[test]
fn an_atomic_operation_is_noted_with_what_it_costs() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
            {OWN_WORD}
            atom.global.add.u32 %r5, [%rd0], 1;
            st.global.u32 [%rd1+4], %r5;
            ret;
        "
        ),
    ));
    let out = bench.words(&[0; 33]);
    let outcome = bench.traced(1, 32, &[out], Trace::FIRST);
    let atomic = &outcome.accesses[0];
    assert_eq!((atomic.kind, atomic.bytes), (AccessKind::Atomic, 4));
    assert_eq!(atomic.parts[0].lanes, (0..32).map(|l| (l, 0)).collect::<Vec<_>>());
    assert_eq!(atomic.cost.global_atomic_sectors, outcome.counters.global_atomic_sectors);
    assert!(atomic.cost.global_atomic_sectors > 0);
}

#[test]
fn accesses_are_noted_with_the_fences_of_the_device_before_them() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
            {OWN_WORD}
            st.global.u32 [%rd1], 1;
            membar.cta;
            st.global.u32 [%rd1], 2;
            membar.gl;
            st.global.u32 [%rd1], 3;
            fence.acq_rel.sys;
            st.global.u32 [%rd1], 4;
            ret;
        "
        ),
    ));
    let out = bench.words(&[0; 64]);
    let all = Trace { block: None, space: None, warps: 1, most: 64 };
    let outcome = bench.traced(2, 32, &[out], all);
    let fences: Vec<u32> = outcome.accesses.iter().map(|access| access.fences).collect();
    assert_eq!(fences, [0, 0, 1, 2, 0, 0, 1, 2], "each block begins anew");
}

#[test]
fn all_blocks_accesses_to_one_state_space_can_be_noted() {
    let trace = Trace { block: None, space: Some(Space::Global), warps: u32::MAX, most: 1 << 14 };
    let (outcome, _) = product(32, Some(trace));
    let blocks: std::collections::BTreeSet<[u32; 3]> =
        outcome.accesses.iter().map(|access| access.block).collect();
    assert_eq!(blocks.len(), 4);
    assert!(outcome.accesses.iter().flat_map(|access| &access.parts).all(|part| part.space == Space::Global));
    // Without checks for races, barriers are not counted.
    assert!(outcome.left_out == 0 && outcome.accesses.iter().all(|access| access.interval == 0));
}
