//! Instructions as the PTX names them, against the manual's words and against other formulations.

use super::*;
use crate::WARP;

/// A source of numbers that is the same in every run (splitmix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Bits of a float of a given width, with a given number of fraction bits: any, or near a given one's exponent, or a corner.
    pub(super) fn float(&mut self, bits: u32, fraction: u32) -> u64 {
        let all = u64::MAX >> (64 - bits);
        let infinity = (1 << (bits - 1)) - (1u64 << fraction);
        let corners = [
            0,
            1,
            (1 << fraction) - 1,
            1 << fraction,
            infinity - 1,
            infinity,
            infinity | 1,
            infinity | 1 << (fraction - 1),
            ((1 << (bits - 2 - fraction)) - 1) << fraction,
            (1 << (bits - 2 - fraction)) << fraction | 1,
        ];
        let sign = (self.next() & 1) << (bits - 1);
        match self.next() % 8 {
            0 => corners[self.next() as usize % corners.len()] | sign,
            // Around one, so that sums cancel and ties are met.
            1..=4 => {
                let exponent = (1 << (bits - 2 - fraction)) - 4 + self.next() % 8;
                // Few bits set, at either end.
                let fraction_bits = self.next() & self.next() & self.next();
                (exponent << fraction | fraction_bits & ((1 << fraction) - 1)) | sign
            }
            _ => self.next() & all,
        }
    }
}

fn scalar(instruction: &str) -> Scalar {
    try_scalar(instruction).unwrap_or_else(|| panic!("{instruction} is not known"))
}

fn try_scalar(instruction: &str) -> Option<Scalar> {
    let words: Vec<&str> = instruction.split('.').collect();
    // The made-up opcodes have two parts.
    let two = matches!(words[0], "carry" | "sum")
        || words[0] == "setp" && matches!(words[1], "lo" | "hi") && words.len() > 3;
    let (opcode, rest) =
        if two { (words[..2].join("."), &words[2..]) } else { (words[0].to_owned(), &words[1..]) };
    find(&opcode, rest)
}

fn run(instruction: &str, operands: &[u64]) -> u64 {
    let scalar = scalar(instruction);
    assert_eq!(scalar.sources.len(), operands.len(), "{instruction}");
    let mut sources = [0; 4];
    sources[..operands.len()].copy_from_slice(operands);
    (scalar.compute)(scalar.mode, sources)
}

fn single(value: f32) -> u64 {
    value.to_bits().into()
}

#[test]
fn additions_and_products_wrap_by_the_type() {
    assert_eq!(run("add.u16", &[0xffff, 2]), 1);
    assert_eq!(run("sub.s64", &[0, 1]), u64::MAX);
    assert_eq!(run("mul.lo.s16", &[0x1_8000, 2]), 0);
    assert_eq!(run("mul.hi.s16", &[0x8000, 0x8000]), 0x4000);
    assert_eq!(run("mul.hi.u64", &[u64::MAX, u64::MAX]), u64::MAX - 1);
    assert_eq!(run("mul.hi.s64", &[u64::MAX, u64::MAX]), 0);
    assert_eq!(run("mul.hi.s64", &[1 << 63, 1 << 63]), 1 << 62);
    assert_eq!(run("mul.wide.s16", &[0xffff, 3]), 0xffff_fffd);
    assert_eq!(run("mul.wide.u32", &[0xffff_ffff, 0xffff_ffff]), 0xffff_fffe_0000_0001);
    assert_eq!(run("mad.wide.u16", &[0xffff, 0xffff, 0xffff_ffff]), 0xfffe_0000);
    assert_eq!(run("mad.hi.u64", &[u64::MAX, 2, u64::MAX]), 0);
    assert_eq!(run("mad.lo.s64", &[u64::MAX, 5, 7]), 2);
    assert_eq!(run("mul24.lo.s32", &[0xff80_0000, 1]), 0xff80_0000);
    assert_eq!(run("mul24.hi.u32", &[0xff_ffff, 0xff_ffff]), 0xffff_fe00);
    assert_eq!(run("sad.s32", &[(-7i32 as u32).into(), 5, 100]), 112);
    assert_eq!(run("sad.u64", &[0, u64::MAX, 1]), 0);
}

#[test]
fn saturation_stays_in_the_range_of_the_integer() {
    assert_eq!(run("add.sat.s32", &[0x7fff_ffff, 1]), 0x7fff_ffff);
    assert_eq!(run("sub.sat.s32", &[0x8000_0000, 1]), 0x8000_0000);
    assert_eq!(run("mad.hi.sat.s32", &[0x8000_0000, 0x8000_0000, 0x7000_0000]), 0x7fff_ffff);
    assert!(try_scalar("add.sat.u32").is_none());
}

#[test]
fn division_of_the_least_number_and_by_zero_do_not_fault() {
    assert_eq!(run("div.s32", &[0x8000_0000, 0xffff_ffff]), 0x8000_0000);
    assert_eq!(run("rem.s64", &[1 << 63, u64::MAX]), 0);
    assert_eq!(run("div.u64", &[5, 0]), u64::MAX);
    assert_eq!(run("rem.s16", &[5, 0]), 0xffff);
    assert_eq!(run("div.s16", &[(-7i16 as u16).into(), 2]), u64::from(-3i16 as u16));
    assert_eq!(run("rem.s32", &[(-7i32 as u32).into(), 2]), u64::from(-1i32 as u32));
    assert_eq!(run("abs.s64", &[1 << 63]), 1 << 63);
}

#[test]
fn a_chain_of_carries_is_wide_arithmetic() {
    let mut random = Random(1);
    for _ in 0..2000 {
        let (a, b, c) = (random.next(), random.next(), random.next() & 1);
        let (low, high) = (|v: u64| v & 0xffff_ffff, |v: u64| v >> 32);
        let sum = low(a) + low(b) + c;
        assert_eq!(run("sum.add.u32", &[a, b, c]), low(sum));
        assert_eq!(run("carry.add.s32", &[a, b, c]), high(sum));
        let carry = run("carry.add.u32", &[a, b, c]);
        let upper = run("sum.add.u32", &[high(a), high(b), carry]);
        assert_eq!(upper << 32 | low(sum), a.wrapping_add(b).wrapping_add(c));
        let borrow = run("carry.sub.u32", &[a, b, c]);
        let difference =
            run("sum.sub.u32", &[high(a), high(b), borrow]) << 32 | run("sum.sub.u32", &[a, b, c]);
        assert_eq!(difference, a.wrapping_sub(b).wrapping_sub(c));
        let wide = u128::from(a) + u128::from(b) + u128::from(c);
        assert_eq!(run("carry.add.u64", &[a, b, c]), (wide >> 64) as u64);
        assert_eq!(
            run("carry.sub.u64", &[a, b, c]),
            u64::from(u128::from(a) < u128::from(b) + u128::from(c))
        );
        let product = u128::from(a) * u128::from(b);
        let d = random.next();
        assert_eq!(
            run("carry.madlo.u64", &[a, b, d, c]),
            ((u128::from(product as u64) + u128::from(d) + u128::from(c)) >> 64) as u64
        );
        assert_eq!(
            run("sum.madhi.u64", &[a, b, d, c]),
            ((product >> 64) as u64).wrapping_add(d).wrapping_add(c)
        );
    }
    let minus = 0xffff_ffff;
    assert_eq!(run("sum.madhi.s32", &[minus, 1, 0, 0]), minus);
    assert_eq!(run("carry.madhi.s32", &[minus, 1, 1, 0]), 1);
}

#[test]
fn shifts_take_counts_past_the_width() {
    for count in [16u64, 17, 32, 64, 255, 0xffff_ffff] {
        assert_eq!(run("shl.b16", &[0xffff, count]), 0);
        assert_eq!(run("shr.s16", &[0x8000, count]), 0xffff);
        assert_eq!(run("shr.b16", &[0x8000, count]), 0);
    }
    assert_eq!(run("shl.b64", &[1, 63]), 1 << 63);
    assert_eq!(run("shr.s64", &[1 << 63, 64]), u64::MAX);
    assert_eq!(run("shr.u16", &[0xabcd_8000, 15]), 1);
    assert_eq!(run("shf.l.wrap.b32", &[0x8000_0000, 1, 33]), 3);
    assert_eq!(run("shf.l.clamp.b32", &[0x1234_5678, 1, 33]), 0x1234_5678);
    assert_eq!(run("shf.r.clamp.b32", &[1, 0x1234_5678, 40]), 0x1234_5678);
    assert_eq!(run("shf.r.wrap.b32", &[0, 1, 1]), 0x8000_0000);
}

#[test]
fn bit_fields_are_those_of_the_manuals_loops() {
    let mut random = Random(2);
    for _ in 0..5000 {
        let (a, b) = (random.next(), random.next());
        let (position, length) = (random.next() & 0x4f, random.next() & 0x4f);
        // 32-bit fields have their place in the low 8 bits of a word.
        assert_eq!(
            run("bfe.s32", &[a, position | 0x100, length]),
            run("bfe.s32", &[a, position, length | 0x4500])
        );
        for (ty, bits, signed) in
            [("u32", 32, false), ("s32", 32, true), ("u64", 64, false), ("s64", 64, true)]
        {
            let last = bits - 1;
            let bit = |v: u64, i: u64| v >> i & 1;
            let sign = if !signed || length == 0 { 0 } else { bit(a, (position + length - 1).min(last)) };
            let extracted: u64 =
                (0..=last)
                    .map(|i| {
                        if i < length && position + i <= last { bit(a, position + i) << i } else { sign << i }
                    })
                    .sum();
            assert_eq!(
                run(&format!("bfe.{ty}"), &[a, position, length]),
                extracted,
                "{ty} {a:x} {position} {length}"
            );
            let inside = |i: u64| i >= position && i < position + length;
            let inserted: u64 =
                (0..=last).map(|i| if inside(i) { bit(a, i - position) << i } else { bit(b, i) << i }).sum();
            assert_eq!(run(&format!("bfi.b{bits}"), &[a, b, position, length]), inserted);
        }
    }
}

#[test]
fn the_first_bit_is_the_one_that_differs_from_the_sign() {
    assert_eq!(run("bfind.u32", &[0]), 0xffff_ffff);
    assert_eq!(run("bfind.s64", &[u64::MAX]), 0xffff_ffff);
    assert_eq!(run("bfind.s32", &[0xffff_fffe]), 0);
    assert_eq!(run("bfind.u64", &[1 << 63]), 63);
    assert_eq!(run("bfind.shiftamt.u32", &[1]), 31);
    assert_eq!(run("bfind.shiftamt.s32", &[0xffff_ffff]), 0xffff_ffff);
    assert_eq!((run("clz.b64", &[0]), run("clz.b32", &[1]), run("popc.b64", &[u64::MAX])), (64, 31, 64));
    assert_eq!((run("brev.b32", &[1]), run("brev.b64", &[1])), (1 << 31, 1 << 63));
    assert_eq!((run("cnot.b16", &[0x1_0000]), run("cnot.b64", &[1])), (1, 0));
    assert_eq!((run("not.pred", &[1]), run("xor.pred", &[1, 1])), (0, 0));
}

#[test]
fn the_nth_set_bit_is_counted_in_both_directions() {
    let bits = 0b1001_0110;
    assert_eq!(run("fns.b32", &[bits, 0, 1]), 1);
    assert_eq!(run("fns.b32", &[bits, 1, 3]), 4);
    assert_eq!(run("fns.b32", &[bits, 4, 0]), 4);
    assert_eq!(run("fns.b32", &[bits, 3, 0]), 0xffff_ffff);
    assert_eq!(run("fns.b32", &[bits, 31, 0xffff_ffff]), 7);
    assert_eq!(run("fns.b32", &[bits, 31, 0xffff_fffc]), 1);
    assert_eq!(run("fns.b32", &[bits, 31, 0x8000_0000]), 0xffff_ffff);
}

#[test]
fn masks_and_extensions_wrap_or_clamp() {
    assert_eq!(run("bmsk.clamp.b32", &[4, 8]), 0xff0);
    assert_eq!(run("bmsk.wrap.b32", &[36, 40]), 0xff0);
    assert_eq!(run("bmsk.clamp.b32", &[36, 8]), 0);
    assert_eq!(run("bmsk.clamp.b32", &[4, 40]), 0xffff_fff0);
    assert_eq!(run("bmsk.clamp.b32", &[28, 8]), 0xf000_0000);
    assert_eq!(run("szext.wrap.s32", &[0x8, 36]), 0xffff_fff8);
    assert_eq!(run("szext.clamp.s32", &[0x1234_5678, 36]), 0x1234_5678);
    assert_eq!(run("szext.wrap.u32", &[0xffff_ffff, 0]), 0);
}

#[test]
fn bytes_are_permuted_by_selector_and_by_mode() {
    let (a, b) = (0x8382_8180, 0x0706_0504);
    assert_eq!(run("prmt.b32", &[a, b, 0x7410]), 0x0704_8180);
    assert_eq!(run("prmt.b32", &[a, b, 0xc8_9f]), 0x00ff_ff00);
    assert_eq!(run("prmt.b32.f4e", &[a, b, 1]), 0x0483_8281);
    assert_eq!(run("prmt.b32.b4e", &[a, b, 1]), 0x0607_8081);
    assert_eq!(run("prmt.b32.rc8", &[a, b, 2]), 0x8282_8282);
    assert_eq!(run("prmt.b32.ecl", &[a, b, 2]), 0x8382_8282);
    assert_eq!(run("prmt.b32.ecr", &[a, b, 1]), 0x8181_8180);
    assert_eq!(run("prmt.b32.rc16", &[a, b, 1]), 0x8382_8382);
}

#[test]
fn dot_products_read_each_lane_by_its_sign() {
    assert_eq!(run("dp4a.s32.u32", &[0xffff_ffff, 0xffff_ffff, 1020]), 0);
    assert_eq!(run("dp4a.u32.u32", &[0xffff_ffff, 0xffff_ffff, 0]), 4 * 255 * 255);
    assert_eq!(run("dp2a.lo.s32.s32", &[0x0003_fffe, 0x7f7f_0201, 0]), u64::from((-2i32 + 6) as u32));
    assert_eq!(run("dp2a.hi.u32.u32", &[0x0003_fffe, 0x0201_7f7f, 1]), 0xfffe + 6 + 1);
}

#[test]
fn packed_integers_do_not_carry_into_each_other() {
    assert_eq!(run("add.u16x2", &[0x0001_ffff, 0x0001_0001]), 0x0002_0000);
    assert_eq!(run("min.s16x2", &[0x8000_0001, 0x0001_ffff]), 0x8000_ffff);
    assert_eq!(run("max.relu.s16x2", &[0x8000_0005, 0xffff_0003]), 0x0000_0005);
    assert_eq!(run("min.relu.s32", &[0xffff_ffff, 3]), 0);
}

#[test]
fn comparisons_know_type_order_and_nan() {
    let nan = single(f32::NAN);
    assert_eq!(run("setp.lt.s16", &[0x8000, 1]), 1);
    assert_eq!(run("setp.lo.u16", &[0x8000, 1]), 0);
    assert_eq!(run("setp.eq.b64", &[1 << 40, 1 << 40]), 1);
    assert!(try_scalar("setp.lt.b32").is_none() && try_scalar("setp.ltu.s32").is_none());
    assert_eq!(run("setp.ne.f32", &[nan, 0]), 0);
    assert_eq!(
        (run("setp.neu.f32", &[nan, 0]), run("setp.num.f32", &[nan, 0]), run("setp.nan.f32", &[0, nan])),
        (1, 0, 1)
    );
    assert_eq!((run("setp.gt.f32", &[1, 0]), run("setp.gt.ftz.f32", &[1, 0])), (1, 0));
    assert_eq!(run("setp.eq.f16", &[0x8000, 0]), 1);
    assert_eq!(run("setp.geu.bf16", &[0x7fc0, 0x3f80]), 1);
    assert_eq!(
        (run("setp.lo.lt.f16x2", &[0x3c00_0000, 0x3c00]), run("setp.hi.lt.f16x2", &[0x3c00_0000, 0x3c00])),
        (1, 0)
    );
    assert_eq!(run("setp.le.f64", &[(-0f64).to_bits(), 0]), 1);
}

#[test]
fn set_writes_ones_or_one() {
    assert_eq!(run("set.lt.u32.s32", &[0xffff_ffff, 0]), 0xffff_ffff);
    assert_eq!(run("set.gt.f32.u32", &[0xffff_ffff, 0]), single(1.0));
    assert_eq!(run("set.eq.and.s32.f64", &[0, 0, 0]), 0);
    assert_eq!(run("set.eq.xor.u32.u16", &[1, 2, 1]), 0xffff_ffff);
    assert_eq!(run("set.lt.or.f32.f32", &[single(f32::NAN), 0, 1]), single(1.0));
    assert_eq!(run("set.gt.f16x2.f16x2", &[0x3c00_3c00, 0x4000_0000]), 0x0000_3c00);
    assert_eq!(run("set.gt.u32.bf16x2", &[0x3f80_3f80, 0x4000_0000]), 0x0000_ffff);
}

#[test]
fn selections_follow_predicate_or_sign() {
    assert_eq!((run("selp.b16", &[1, 2, 1]), run("selp.f64", &[1, 2, 0])), (1, 2));
    assert_eq!(run("slct.u64.s32", &[1, 2, 0x8000_0000]), 2);
    assert_eq!(run("slct.u32.f32", &[1, 2, single(-0.0)]), 1);
    assert_eq!(run("slct.u32.f32", &[1, 2, single(f32::NAN)]), 2);
    assert_eq!(run("slct.ftz.u32.f32", &[1, 2, 0x8000_0001]), 1);
}

#[test]
fn integers_become_integers_of_another_width() {
    assert_eq!(run("cvt.s8.s32", &[0x180]), 0xffff_ff80);
    assert_eq!(run("cvt.u8.s32", &[0x180]), 0x80);
    assert_eq!(run("cvt.s64.s8", &[0x80]), -128i64 as u64);
    assert_eq!(run("cvt.u64.s16", &[0xabcd_8000]), -32768i64 as u64);
    assert_eq!(run("cvt.u32.s64", &[1 << 40 | 5]), 5);
    assert_eq!(run("cvt.sat.u8.s32", &[0xffff_ffff]), 0);
    assert_eq!(run("cvt.sat.s8.u32", &[0xffff_ffff]), 0x7f);
    assert_eq!(run("cvt.sat.s32.u64", &[u64::MAX]), 0x7fff_ffff);
    assert_eq!(run("cvt.pack.sat.s8.s32.b32", &[300, 0xffff_ff00, 0x1_2345]), 0x2345_7f80);
    assert_eq!(run("cvt.pack.sat.u16.s32", &[0xffff_ffff, 70000]), 0x0000_ffff);
}

#[test]
fn floats_become_integers_in_every_direction_and_saturate() {
    let half = single(2.5);
    let results = ["rni", "rzi", "rmi", "rpi"].map(|r| run(&format!("cvt.{r}.s32.f32"), &[half]));
    assert_eq!(results, [2, 2, 2, 3]);
    let half = single(-2.5);
    let results = ["rni", "rzi", "rmi", "rpi"].map(|r| run(&format!("cvt.{r}.s32.f32"), &[half]) as i32);
    assert_eq!(results, [-2, -2, -3, -2]);
    assert_eq!(run("cvt.rzi.u32.f32", &[single(-1.0)]), 0);
    assert_eq!(run("cvt.rzi.s8.f32", &[single(1e9)]), 0x7f);
    assert_eq!(run("cvt.rzi.s8.f32", &[single(-1e9)]), 0xffff_ff80);
    assert_eq!(run("cvt.rzi.u64.f64", &[f64::INFINITY.to_bits()]), u64::MAX);
    assert_eq!(run("cvt.rzi.s64.f32", &[single(f32::NAN)]), 1 << 63);
    assert_eq!(run("cvt.rzi.s32.f32", &[single(f32::NAN)]), 0);
    assert_eq!((run("cvt.rpi.s32.f32", &[1]), run("cvt.rpi.ftz.s32.f32", &[1])), (1, 0));
    assert_eq!(run("cvt.rzi.u16.f16", &[0x7bff]), 65504);
}

#[test]
fn integers_become_floats_rounded_once() {
    assert_eq!(run("cvt.rn.f32.u64", &[u64::MAX]), single(18446744073709551616.0));
    assert_eq!(run("cvt.rz.f32.u64", &[u64::MAX]), single(18446742974197923840.0));
    assert_eq!(run("cvt.rn.f16.s32", &[65520]), 0x7c00);
    assert_eq!(run("cvt.rz.f16.s32", &[65535]), 0x7bff);
    assert_eq!(run("cvt.rm.f32.s32", &[0xfeff_ffff]), single(-16777218.0));
    let mut random = Random(3);
    for _ in 0..5000 {
        let v = random.next() >> (random.next() & 63);
        assert_eq!(run("cvt.rn.f32.u64", &[v]), single(v as f32));
        assert_eq!(run("cvt.rn.f32.s64", &[v]), single(v as i64 as f32));
        assert_eq!(run("cvt.rn.f64.s64", &[v]), (v as i64 as f64).to_bits());
        assert_eq!(run("cvt.rn.f32.s32", &[v]), single(v as i32 as f32));
    }
}

#[test]
fn floats_become_floats() {
    let mut random = Random(4);
    for _ in 0..20000 {
        let v = random.float(64, 52);
        let narrow = f64::from_bits(v) as f32;
        if !narrow.is_nan() {
            assert_eq!(run("cvt.rn.f32.f64", &[v]), single(narrow), "{v:x}");
        }
        let w = random.float(32, 23);
        let wide = f64::from(f32::from_bits(w as u32));
        if !wide.is_nan() {
            assert_eq!(run("cvt.f64.f32", &[w]), wide.to_bits());
        }
    }
    assert_eq!(run("cvt.f32.f16", &[1]), single(2f32.powi(-24)));
    assert_eq!(run("cvt.rn.f16.f32", &[single(65519.9)]), 0x7bff);
    assert_eq!(run("cvt.rn.f16.f32", &[single(65520.0)]), 0x7c00);
    assert_eq!(run("cvt.rn.satfinite.f16.f32", &[single(-1e9)]), 0xfbff);
    assert_eq!(run("cvt.rn.relu.bf16.f32", &[single(-1.0)]), 0);
    assert_eq!(run("cvt.rn.f16x2.f32", &[single(1.0), single(2.0)]), 0x3c00_4000);
    assert_eq!(run("cvt.rni.f32.f32", &[single(-0.5)]), single(-0.0));
    assert_eq!(run("cvt.rpi.f64.f64", &[1e300f64.to_bits()]), 1e300f64.to_bits());
    assert_eq!(run("cvt.rni.f16.f16", &[0x4100]), 0x4000);
    assert_eq!(run("cvt.sat.f32.f32", &[single(-3.0)]), 0);
    assert_eq!(run("cvt.rna.tf32.f32", &[0x3f80_1000]), 0x3f80_2000);
    assert_eq!(run("cvt.rn.tf32.f32", &[0x3f80_1000]), 0x3f80_0000);
    assert_eq!((run("cvt.f64.f32", &[1]), run("cvt.ftz.f64.f32", &[1])), (2f64.powi(-149).to_bits(), 0));
}

#[test]
fn singles_round_flush_and_saturate() {
    let (one, tiny) = (single(1.0), single(1e-30));
    let sums = ["rn", "rz", "rm", "rp"].map(|r| run(&format!("add.{r}.f32"), &[one, tiny]));
    assert_eq!(sums, [one, one, one, one + 1]);
    assert_eq!(run("add.rm.f32", &[one, single(-1.0)]), single(-0.0));
    assert_eq!(run("mul.rp.f32", &[single(1e30), single(1e30)]), single(f32::INFINITY));
    assert_eq!(run("mul.rm.f32", &[single(1e30), single(1e30)]), single(f32::MAX));
    assert_eq!((run("add.f32", &[1, 1]), run("add.ftz.f32", &[0x8000_0001, 0x8000_0001])), (2, 0x8000_0000));
    assert_eq!(run("mul.ftz.f32", &[0x0080_0000, single(-0.5)]), single(-0.0));
    assert_eq!(run("fma.rn.sat.f32", &[one, one, one]), one);
    assert_eq!(run("add.sat.f32", &[single(f32::NAN), one]), 0);
    assert_eq!(run("sub.f32", &[0xff80_0001, one]), 0x7fff_ffff);
    assert_eq!(run("rcp.rn.f32", &[single(-0.0)]), single(f32::NEG_INFINITY));
    assert_eq!(run("sqrt.rp.f32", &[single(2.0)]), single(2f32.sqrt()) + 1);
    assert_eq!(run("sqrt.rm.f32", &[single(2.0)]), single(2f32.sqrt()));
    assert_eq!(run("min.NaN.f32", &[one, single(f32::NAN)]), 0x7fff_ffff);
    assert_eq!(run("min.xorsign.abs.f32", &[single(-3.0), single(2.0)]), single(-2.0));
    assert_eq!(run("copysign.f32", &[single(-1.0), single(3.0)]), single(-3.0));
}

#[test]
fn what_is_flushed_is_decided_with_all_places() {
    let (least, below_one) = (0x0080_0000, 0x3f7f_ffff);
    assert_eq!(run("mul.rn.f32", &[least, below_one]), least);
    for instruction in ["mul.rn.ftz.f32", "mul.rp.ftz.f32"] {
        assert_eq!(run(instruction, &[least, below_one]), 0);
        assert_eq!(run(instruction, &[least, single(1.0)]), least);
        // 2^-126 · (1 − 2^-46) is 2^-126 in 24 places.
        assert_eq!(run(instruction, &[least + 1, below_one - 1]), least);
    }
    assert_eq!(run("mul.ftz.f16", &[0x8400, 0x3bff]), 0x8000);
    let below = 2f64.powi(-126).to_bits() - (1 << 29);
    assert_eq!(run("cvt.rn.f32.f64", &[below]), least);
    assert_eq!(run("cvt.rn.ftz.f32.f64", &[below]), 0);
    assert_eq!(run("cvt.rn.ftz.f32.f64", &[2f64.powi(-126).to_bits() - 1]), least);
}

#[test]
fn a_nan_keeps_its_payload_only_among_doubles() {
    let nan = 0x7ff4_0000_0000_0001;
    assert_eq!(run("add.f64", &[nan, 0]), nan | 1 << 51);
    assert_eq!(run("mul.f64", &[1 << 63, f64::INFINITY.to_bits()]), 0xfff8_0000_0000_0000);
    assert_eq!(run("neg.f64", &[nan]), nan | 1 << 51);
    assert_eq!(run("cvt.rn.f32.f64", &[nan]), 0x7fe0_0000);
    assert_eq!(run("cvt.f64.f32", &[0xff80_0001]), 0xfff8_0000_2000_0000);
    assert_eq!(run("cvt.rn.f16.f32", &[0xff80_0001]), 0x7fff);
    assert_eq!(
        (run("cvt.f32.f32", &[0x7f80_0001]), run("cvt.ftz.f32.f32", &[0x7f80_0001])),
        (0x7f80_0001, 0x7fff_ffff)
    );
    assert_eq!(run("cvt.rni.s32.f64", &[nan]), 0x8000_0000);
    assert_eq!(run("cvt.rni.u8.f64", &[nan]), 0x80);
    assert_eq!(run("cvt.rn.tf32.f32", &[0x7f80_0001]), 0x7fff_e000);
}

#[test]
fn bytes_as_floats_saturate_and_come_back() {
    let pair =
        |name: &str, a: f32, b: f32| run(&format!("cvt.rn.satfinite.{name}.f32"), &[single(a), single(b)]);
    assert_eq!(pair("e4m3x2", 1.0, -448.0), 0x38fe);
    assert_eq!(pair("e4m3x2", 1e9, 464.0), 0x7e7e);
    assert_eq!(pair("e5m2x2", f32::NEG_INFINITY, 1.0), 0xfb3c);
    assert_eq!(pair("e4m3x2", f32::NAN, 2f32.powi(-9)), 0x7f01);
    assert_eq!(run("cvt.rn.satfinite.relu.e4m3x2.f32", &[single(-1.0), single(-0.0)]), 0);
    for bits in 0..=0xffff {
        for name in ["e4m3x2", "e5m2x2"] {
            let halves = run(&format!("cvt.rn.f16x2.{name}"), &[bits]);
            let back = run(&format!("cvt.rn.satfinite.{name}.f16x2"), &[halves]);
            for shift in [0, 8] {
                let (byte, back) = (bits >> shift & 0xff, back >> shift & 0xff);
                let (is_nan, is_infinite) = match name {
                    "e4m3x2" => (byte & 0x7f == 0x7f, false),
                    _ => (byte & 0x7f > 0x7c, byte & 0x7f == 0x7c),
                };
                let expected = if is_nan { 0x7f } else { byte - u64::from(is_infinite) };
                assert_eq!(back, expected, "{name} {byte:x}");
            }
        }
    }
}

#[test]
fn classes_of_numbers_are_distinguished() {
    let classes = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
    let of = |v: f32| classes.map(|c| run(&format!("testp.{c}.f32"), &[single(v)]));
    // As an H200 has it, zero is normal.
    assert_eq!(of(0.0), [1, 0, 1, 0, 1, 0]);
    assert_eq!(of(-1.0), [1, 0, 1, 0, 1, 0]);
    assert_eq!(of(1e-40), [1, 0, 1, 0, 0, 1]);
    assert_eq!(of(f32::NEG_INFINITY), [0, 1, 1, 0, 0, 0]);
    assert_eq!(of(f32::NAN), [0, 0, 0, 1, 0, 0]);
    assert_eq!(run("testp.subnormal.f64", &[1]), 1);
}

#[test]
fn halves_round_once() {
    // 1 + 2^-11 is half way; the product's last bits decide.
    assert_eq!(run("add.f16", &[0x3c00, 0x1000]), 0x3c00);
    assert_eq!(run("fma.rn.f16", &[0x3c01, 0x3c01, 0]), 0x3c02);
    assert_eq!(run("mul.f16x2", &[0x3c00_4000, 0x4000_4200]), 0x4000_4600);
    assert_eq!(run("fma.rn.relu.bf16x2", &[0xbf80_3f80, 0x3f80_3f80, 0]), 0x0000_3f80);
    assert_eq!(run("add.sat.f16", &[0x4000, 0x4000]), 0x3c00);
    assert_eq!((run("add.f16", &[1, 1]), run("add.ftz.f16", &[1, 1])), (2, 0));
    assert_eq!(run("sub.f16", &[0x7c00, 0x7c00]), 0x7fff);
    assert_eq!(run("max.bf16x2", &[0x7fc0_3f80, 0xbf80_4000]), 0xbf80_4000);
}

#[test]
fn approximations_keep_their_special_values() {
    let (zero, minus_zero, infinity) = (0, single(-0.0), single(f32::INFINITY));
    assert_eq!(
        (run("rcp.approx.f32", &[minus_zero]), run("rcp.approx.f32", &[infinity])),
        (single(f32::NEG_INFINITY), zero)
    );
    assert_eq!(run("sqrt.approx.ftz.f32", &[0x8000_0001]), minus_zero);
    assert_eq!(run("rsqrt.approx.f32", &[minus_zero]), single(f32::NEG_INFINITY));
    assert_eq!(run("lg2.approx.f32", &[minus_zero]), single(f32::NEG_INFINITY));
    assert_eq!(run("lg2.approx.ftz.f32", &[1]), single(f32::NEG_INFINITY));
    assert_eq!(run("ex2.approx.f32", &[single(f32::NEG_INFINITY)]), zero);
    assert_eq!(run("sin.approx.f32", &[infinity]), 0x7fff_ffff);
    assert_eq!(run("tanh.approx.f32", &[infinity]), single(1.0));
    assert_eq!(run("div.approx.f32", &[infinity, single(f32::MAX)]), 0x7fff_ffff);
    assert_eq!(run("div.approx.f32", &[single(f32::MAX), single(-f32::MAX)]), minus_zero);
    assert_eq!(run("div.full.f32", &[single(f32::MAX), single(-f32::MAX)]), single(-1.0));
    assert_eq!(run("ex2.approx.f16x2", &[0x3c00_0000]), 0x4000_3c00);
    assert_eq!(run("rcp.approx.ftz.f64", &[3f64.to_bits()]) as u32, 0);
}

#[test]
fn an_unknown_instruction_is_not_found() {
    for instruction in [
        "add",
        "add.f31",
        "add.rn.s32",
        "mul.s32",
        "mul.wide.u64",
        "cvt.s32.f32",
        "cvt.rn.f64.f32",
        "add.rz.f16",
        "min.NaN.f64",
        "div.rn.f16",
        "setp.lt",
        "set.lt.u32",
        "and.f32",
        "popc.b16",
        "add.ftz.f64",
        "fma.rn.rn.f32",
        "testp.f32",
        "ld.u32",
        "",
    ] {
        assert!(try_scalar(instruction).is_none(), "{instruction}");
    }
}

/// A function of the table with the bits of its operands.
macro_rules! call {
    (w_w $f:ident $s:ident) => {
        $f($s[0] as u32).into()
    };
    (w_ww $f:ident $s:ident) => {
        $f($s[0] as u32, $s[1] as u32).into()
    };
    (w_www $f:ident $s:ident) => {
        $f($s[0] as u32, $s[1] as u32, $s[2] as u32).into()
    };
    (w_wwwi $f:ident $s:ident) => {
        $f($s[0] as u32, $s[1] as u32, $s[2] as u32, $s[3] as u32).into()
    };
    (w_x $f:ident $s:ident) => {
        $f($s[0]).into()
    };
    (x_w $f:ident $s:ident) => {
        $f($s[0] as u32)
    };
    (x_ww $f:ident $s:ident) => {
        $f($s[0] as u32, $s[1] as u32)
    };
    (x_wwx $f:ident $s:ident) => {
        $f($s[0] as u32, $s[1] as u32, $s[2])
    };
    (x_x $f:ident $s:ident) => {
        $f($s[0])
    };
    (x_xw $f:ident $s:ident) => {
        $f($s[0], $s[1] as u32)
    };
    (x_xx $f:ident $s:ident) => {
        $f($s[0], $s[1])
    };
    (x_xxx $f:ident $s:ident) => {
        $f($s[0], $s[1], $s[2])
    };
    (w_wwp $f:ident $s:ident) => {
        $f($s[0] as u32, $s[1] as u32, $s[2] & 1 == 1).into()
    };
    (x_xxp $f:ident $s:ident) => {
        $f($s[0], $s[1], $s[2] & 1 == 1)
    };
    (p_ww $f:ident $s:ident) => {
        $f($s[0] as u32, $s[1] as u32).into()
    };
    (p_xx $f:ident $s:ident) => {
        $f($s[0], $s[1]).into()
    };
    // A bit a lane: here the first's.
    (p_p $f:ident $s:ident) => {
        u64::from($f($s[0] as u32) & 1)
    };
    (p_pp $f:ident $s:ident) => {
        u64::from($f($s[0] as u32, $s[1] as u32) & 1)
    };
}

/// The shape, the mnemonics and the function of every row of the table.
macro_rules! rows {
    ($($name:ident $shape:ident $meaning:ident [$($mnemonic:literal),+],)+) => {
        [$((stringify!($shape), &[$($mnemonic),+] as &[&str], (|s: [u64; 4]| call!($shape $meaning s)) as fn([u64; 4]) -> u64),)+]
    };
}

/// Where an instruction is in the vectorised table as well, both must be the same function.
#[test]
fn the_vectorised_table_computes_the_same() {
    use crate::semantics::*;

    let mut random = Random(7);
    let mut count = 0;
    for (shape, mnemonics, fast) in crate::ir::alu!(rows) {
        for mnemonic in mnemonics {
            // Addresses, and halves of registers, are the decoder's.
            if ["cvta", "high", "pack"].iter().any(|opcode| mnemonic.starts_with(opcode)) {
                continue;
            }
            let scalar = scalar(mnemonic);
            let letter = |kind: &Kind| match kind {
                Kind::W => 'w',
                Kind::X => 'x',
                Kind::P => 'p',
                Kind::Immediate => 'i',
            };
            let ours: String = scalar.sources.iter().map(letter).collect();
            assert_eq!(format!("{}_{ours}", letter(&scalar.result)), shape, "{mnemonic}");
            for _ in 0..2000 {
                let mut sources = [0; 4];
                for (source, kind) in sources.iter_mut().zip(scalar.sources) {
                    *source = match kind {
                        Kind::X => random.float(64, 52) >> (random.next() & 31),
                        Kind::W => random.float(32, 23) >> (random.next() & 7),
                        Kind::P => random.next() & 1,
                        Kind::Immediate => random.next() & 0xff,
                    };
                }
                let [ours, fast] = [(scalar.compute)(scalar.mode, sources), fast(sources)];
                assert_eq!(ours, fast, "{mnemonic} {sources:x?}");
            }
            count += 1;
        }
    }
    assert!(count > 100);
}

#[test]
fn loops_over_lanes_compute_the_same() {
    use crate::lanes::X;

    let mut random = Random(11);
    for mnemonic in crate::semantics::vectorised::ALL {
        let scalar = scalar(mnemonic);
        let vectorised = scalar.vectorised.unwrap();
        let mut known_lanes = 0;
        for _ in 0..400 {
            let mut operands = [X::ZERO; 4];
            for (operand, kind) in operands.iter_mut().zip(scalar.sources) {
                operand.0.fill_with(|| match kind {
                    Kind::X => random.float(64, 52) >> (random.next() & 1),
                    Kind::W if mnemonic.contains("16x2") => random.float(16, 10) << 16 | random.float(16, 7),
                    Kind::W if mnemonic.contains("f16") && random.next() & 1 == 0 => random.float(16, 10),
                    Kind::W => random.float(32, 23) >> (random.next() & 7),
                    Kind::P => random.next() & 1,
                    Kind::Immediate => random.next() & 0xff,
                });
            }
            let (out, unknown) = vectorised(&operands);
            for l in (0..WARP).filter(|l| unknown >> l & 1 == 0) {
                let sources = operands.map(|operand| operand.0[l]);
                let expected = (scalar.compute)(scalar.mode, sources);
                assert_eq!(out.0[l], expected, "{mnemonic} {sources:x?}: {:x} {expected:x}", out.0[l]);
                known_lanes += 1;
            }
        }
        assert!(known_lanes > 400 * WARP / 4, "{mnemonic}: {known_lanes} lanes");
    }
}
