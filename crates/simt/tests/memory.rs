//! Loads and stores of every width, and what they count.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::model::access;

#[test]
fn narrow_loads_are_extended_by_zeros_or_by_the_sign() {
    for (ty, expected) in [("u8", 0xf1), ("s8", 0xffff_fff1), ("u16", 0xf2f1), ("s16", 0xffff_f2f1)] {
        let mut bench = Bench::new(&kernel(
            2,
            &format!(
                r"
                    ld.param.u64 %rd1, [p1];
                    ld.global.{ty} %r5, [%rd1];
                    {OWN_WORD}
                    st.global.u32 [%rd1], %r5;
                    ret;
                "
            ),
        ));
        let out = bench.words(&[0; 32]);
        let data = bench.words(&[0xf4f3_f2f1]);
        bench.launch(1, 32, &[out, data]).unwrap();
        assert_eq!(bench.read(out, 32), [expected; 32], "{ty}");
    }
}

#[test]
fn neighbouring_narrow_stores_do_not_disturb_each_other() {
    let mut bench = Bench::new(&kernel(
        1,
        r"
            ld.param.u64 %rd0, [p0];
            mov.u32 %r4, %tid.x;
            cvt.u64.u32 %rd2, %r4;
            add.s64 %rd1, %rd0, %rd2;
            st.global.u8 [%rd1], %r4;
            ret;
        ",
    ));
    let out = bench.words(&[u32::MAX; 17]);
    let counters = bench.launch(1, 64, &[out]).unwrap();
    let mut expected: Vec<u32> =
        (0..16).map(|w| u32::from_le_bytes([4 * w, 4 * w + 1, 4 * w + 2, 4 * w + 3])).collect();
    expected.push(u32::MAX);
    assert_eq!(bench.read(out, 17), expected);
    assert_eq!((counters.global_store_requests, counters.global_store_sectors), (2, 2));
}

#[test]
fn vectors_move_all_of_their_elements() {
    for (lanes, offset) in [(32, 0), (32, 16), (7, 0)] {
        let mut bench = Bench::new(&kernel(
            2,
            &format!(
                r"
                    {OWN_WORD}
                    ld.param.u64 %rd3, [p1];
                    shl.b64 %rd4, %rd2, 2;
                    add.s64 %rd5, %rd3, %rd4;
                    ld.global.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd5+{offset}];
                    add.s64 %rd6, %rd0, %rd4;
                    st.global.v4.f32 [%rd6], {{%f4, %f3, %f2, %f1}};
                    ret;
                "
            ),
        ));
        let out = bench.words(&[0; 128]);
        let data = bench.words(&(0..160).collect::<Vec<_>>());
        let counters = bench.launch(1, lanes, &[out, data]).unwrap();
        let expected: Vec<u32> =
            (0..128).map(|i| if i / 4 < lanes { i / 4 * 4 + 3 - i % 4 + offset / 4 } else { 0 }).collect();
        assert_eq!(bench.read(out, 128), expected);
        assert_eq!(counters.global_load_sectors, u64::from((lanes * 16 + offset).div_ceil(32) - offset / 32));
    }
}

#[test]
fn a_global_variable_keeps_its_initial_value_and_what_is_written() {
    let text = kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                mov.u64 %rd5, g;
                ld.global.u32 %r5, [%rd5+4];
                st.global.u32 [%rd1], %r5;
                ret;
            "
        ),
    )
    .replace(".visible", ".global .u32 g[2] = {7, 8}; .visible");
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0; 1]);
    bench.launch(1, 1, &[out]).unwrap();
    assert_eq!(bench.read(out, 1), [8]);
    let module = bench.module;
    bench.device.write_symbol(module, "g", 4, &11u32.to_le_bytes()).unwrap();
    bench.launch(1, 1, &[out]).unwrap();
    assert_eq!(bench.read(out, 1), [11]);
}

#[test]
fn a_constant_at_a_known_address_is_uniform_and_one_through_a_register_is_not() {
    let text = kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                ld.const.u32 %r5, [c+4];
                mov.u64 %rd5, c;
                add.s64 %rd6, %rd5, %rd2;
                ld.const.u32 %r6, [%rd6];
                add.s32 %r7, %r5, %r6;
                st.global.u32 [%rd1], %r7;
                ret;
            "
        ),
    )
    .replace(".visible", ".const .align 4 .b8 c[128];\n.visible");
    let mut bench = Bench::new(&text);
    let words: Vec<u8> = (0..32u32).flat_map(|i| (i * 10).to_le_bytes()).collect();
    let module = bench.module;
    bench.device.write_symbol(module, "c", 0, &words).unwrap();
    let out = bench.words(&[0; 32]);
    let c = bench.launch(1, 32, &[out]).unwrap();
    assert_eq!(bench.read(out, 32), (0..32).map(|i| 10 + 10 * i).collect::<Vec<_>>());
    assert_eq!(
        (c.const_uniform_instructions, c.const_instructions, c.const_replays, c.idc_requests),
        (1, 1, 31, 32)
    );
}

/// What an H200 does (lab 4.4 asks it again): PTX has no store to constant memory, but a constant has an address in global memory.
#[test]
fn a_store_through_a_constant_s_address_is_seen_by_global_loads_and_by_the_next_launch() {
    for (store, load) in [("st.u32", "ld.u32"), ("st.global.u32", "ld.global.u32"), ("st.u8", "ld.u8")] {
        let text = kernel(
            1,
            &format!(
                r"
                    {OWN_WORD}
                    mov.u64 %rd5, c;
                    add.s64 %rd6, %rd5, %rd2;
                    ld.const.u32 %r5, [%rd6];
                    cvta.const.u64 %rd7, %rd6;
                    add.s32 %r6, %r5, 1;
                    {store} [%rd7], %r6;
                    {load} %r7, [%rd7];
                    ld.const.u32 %r8, [%rd6];
                    sub.s32 %r7, %r7, %r8;
                    mad.lo.s32 %r7, %r7, 1000, %r5;
                    st.global.u32 [%rd1], %r7;
                    ret;
                "
            ),
        )
        .replace(".visible", ".const .align 4 .b8 c[128];\n.visible");
        let mut bench = Bench::new(&text);
        let words: Vec<u8> = (0..32u32).flat_map(u32::to_le_bytes).collect();
        let module = bench.module;
        bench.device.write_symbol(module, "c", 0, &words).unwrap();
        let out = bench.words(&[0; 32]);
        for times in 0..2 {
            let counters = bench.launch(1, 32, &[out]).unwrap();
            assert_eq!(bench.read(out, 32), (0..32).map(|i| 1000 + i + times).collect::<Vec<_>>(), "{store}");
            assert_eq!(counters.global_store_requests, 2, "{store}");
        }
        let mut bytes = [0; 4];
        bench.device.read_symbol(module, "c", 4 * 31, &mut bytes).unwrap();
        assert_eq!(u32::from_le_bytes(bytes), 33);
    }
}

#[test]
fn a_store_after_the_constants_is_a_fault() {
    let text = kernel(
        1,
        r"
            mov.u64 %rd5, c;
            cvta.const.u64 %rd6, %rd5;
            st.u32 [%rd6+128], 7;
            ret;
        ",
    )
    .replace(".visible", ".const .align 4 .b8 c[128];\n.visible");
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0; 32]);
    let error = bench.launch(1, 1, &[out]).unwrap_err().to_string();
    assert!(error.contains("the module's constant variables take 128 of 65536 bytes"), "{error}");
}

#[test]
fn lanes_off_are_neither_read_nor_counted() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                setp.eq.u32 %p1, %r4, 3;
                @%p1 ld.global.u32 %r5, [%rd1];
                @%p1 st.global.u32 [%rd1+4], %r5;
                ret;
            "
        ),
    ));
    // Only lanes 3 and 4 have memory.
    let out = bench.words(&[1, 2, 3, 4, 5]);
    let c = bench.launch(1, 32, &[out]).unwrap();
    assert_eq!(bench.read(out, 5), [1, 2, 3, 4, 4]);
    assert_eq!((c.global_load_sectors, c.global_store_sectors), (1, 1));
}

#[test]
fn scattered_accesses_have_the_turns_of_their_own_addresses_wherever_they_begin() {
    // Each of 40 warps loads and stores a row of lanes that begins somewhere else in a line.
    for (apart, bytes) in [(128, 4), (132, 4), (160, 4), (36, 4), (3, 1), (144, 16), (256, 8)] {
        let [ty, values] = match bytes {
            1 => ["u8", "%r4"],
            4 => ["u32", "%r4"],
            8 => ["v2.u32", "{%r4, %r5}"],
            _ => ["v4.u32", "{%r4, %r5, %r6, %r7}"],
        };
        let mut bench = Bench::new(&kernel(
            1,
            &format!(
                "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
                mul.wide.u32 %rd2, %r1, {bytes}; mul.wide.u32 %rd3, %r2, {apart};
                add.u64 %rd1, %rd1, %rd2; add.u64 %rd1, %rd1, %rd3;
                ld.global.{ty} {values}, [%rd1]; st.global.{ty} [%rd1], {values}; ret;"
            ),
        ));
        let data = bench.words(&[0; 1 << 13]);
        let counted = bench.launch(40, 32, &[data]).unwrap();
        let mut expected = [0; 5];
        for warp in 0..40 {
            let addresses = std::array::from_fn(|l| warp * bytes + apart * l as u64);
            let load = access::turns(&addresses, u32::MAX, bytes as u32, false);
            let store = access::turns(&addresses, u32::MAX, bytes as u32, true);
            let sectors = access::sectors(&addresses, u32::MAX);
            for (sum, n) in expected.iter_mut().zip([sectors, load.tags, load.data, store.tags, store.data]) {
                *sum += u64::from(n);
            }
        }
        let c = &counted;
        assert_eq!((c.global_load_sectors, c.global_store_sectors), (expected[0], expected[0]), "{apart}");
        let turns = [c.global_load_wavefronts, c.global_load_data_wavefronts];
        assert_eq!(turns, expected[1..3], "{apart}");
        let turns = [c.global_store_wavefronts, c.global_store_data_wavefronts];
        assert_eq!(turns, expected[3..], "{apart}");
    }
}
