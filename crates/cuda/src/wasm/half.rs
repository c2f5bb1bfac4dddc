//! Half precision, which WebAssembly does not have: conversions of its bits.
//!
//! Enters: numbers on the stack. Leaves: code that converts them, to nearest and ties to even. (After F. Giesen's conversions,
//! which let the addition of floats round what is below the smallest normal number.) Arithmetic is in single precision: the
//! library's headers compute so where an architecture has no instructions for it.

use super::memory::long;
use super::writer::Writer;
use crate::ir::{Type, Value};
use wasm_encoder::{Ieee32, ValType};

/// Bits of a float's infinity.
const INFINITY: i32 = 0x7f80_0000;
/// What PTX makes of NaN.
const NAN: i32 = 0x7fff;

impl Writer<'_> {
    /// A conversion from or to half precision, by its words in PTX; whether it is one.
    pub(super) fn half(&mut self, words: &[&str], args: &[Value]) -> bool {
        match (words, args) {
            (["cvt", "f32" | "f64", "f16"], [value]) => {
                self.value(*value);
                self.half_to_float();
                if words[1] == "f64" {
                    self.sink().f64_promote_f32();
                }
            }
            (["cvt", "rzi", to, "f16"], [value]) => {
                let Some(target) = integer(to) else { return false };
                self.value(*value);
                self.half_to_float();
                self.convert_float(to.starts_with('s'), Type::F32, target);
            }
            (["cvt", "rn", "f16", "f32"], [value]) => {
                self.value(*value);
                self.float_to_half();
            }
            // Whatever single precision cannot hold is more than half precision has.
            (["cvt", "rn", "f16", from], [value]) => {
                let Some(source) = integer(from) else { return false };
                let signed = from.starts_with('s');
                self.extended(*value, signed);
                self.convert_integer(signed, long(source), Type::F32);
                self.float_to_half();
            }
            (["cvt", "rn", "bf16", "f32"], [value]) => {
                self.value(*value);
                self.float_to_bfloat();
            }
            (["cvt", "rn", kind @ ("f16x2" | "bf16x2"), "f32"], [high, low]) => {
                for (value, shift) in [(high, 16), (low, 0)] {
                    self.value(*value);
                    if *kind == "f16x2" {
                        self.float_to_half();
                    } else {
                        self.float_to_bfloat();
                    }
                    self.sink().i32_const(shift).i32_shl();
                }
                self.sink().i32_or();
            }
            _ => return false,
        }
        true
    }

    /// From the bits on the stack, of which the lowest 16 count.
    fn half_to_float(&mut self) {
        let half = self.scratch(ValType::I32);
        let scale = Ieee32::from(2f32.powi(112));
        self.sink().local_tee(half).i32_const(0x7fff).i32_and().i32_const(13).i32_shl();
        self.sink().f32_reinterpret_i32().f32_const(scale).f32_mul().i32_reinterpret_f32();
        // Infinity and NaN have all bits of the exponent.
        self.sink().i32_const(INFINITY).i32_const(0);
        self.sink().local_get(half).i32_const(0x7c00).i32_and().i32_const(0x7c00).i32_eq().select().i32_or();
        self.sink().local_get(half).i32_const(0x8000).i32_and().i32_const(16).i32_shl().i32_or();
        self.sink().f32_reinterpret_i32();
        self.give_back(half);
    }

    fn float_to_half(&mut self) {
        let (bits, sign) = (self.scratch(ValType::I32), self.scratch(ValType::I32));
        // Exponents of the smallest normal number, of what is more than the largest, and of the float whose last bit is the
        // smallest number's.
        let (normal, over, small) = (113 << 23, 143 << 23, 126 << 23);
        self.sink().i32_reinterpret_f32().local_tee(bits).i32_const(i32::MIN).i32_and();
        self.sink().i32_const(16).i32_shr_u().local_set(sign);
        self.sink().local_get(bits).i32_const(i32::MAX).i32_and().local_set(bits);
        self.sink().i32_const(NAN).i32_const(0x7c00);
        self.sink().local_get(bits).f32_reinterpret_i32().f32_const(Ieee32::new(small as u32)).f32_add();
        self.sink().i32_reinterpret_f32().i32_const(small).i32_sub();
        self.sink().local_get(bits).i32_const(0xfff - (112 << 23)).i32_add();
        self.sink().local_get(bits).i32_const(13).i32_shr_u().i32_const(1).i32_and().i32_add();
        self.sink().i32_const(13).i32_shr_u();
        self.sink().local_get(bits).i32_const(normal).i32_lt_u().select();
        // What is over, or what was found.
        self.sink().local_get(bits).i32_const(over).i32_ge_u().select();
        self.sink().local_get(sign).i32_or();
        self.sink().local_get(bits).i32_const(INFINITY).i32_gt_u().select();
        self.give_back(bits);
        self.give_back(sign);
    }

    fn float_to_bfloat(&mut self) {
        let bits = self.scratch(ValType::I32);
        self.sink().i32_reinterpret_f32().local_set(bits);
        self.sink().i32_const(NAN);
        self.sink().local_get(bits).i32_const(16).i32_shr_u().i32_const(1).i32_and();
        self.sink().i32_const(0x7fff).i32_add().local_get(bits).i32_add().i32_const(16).i32_shr_u();
        self.sink().local_get(bits).i32_const(i32::MAX).i32_and().i32_const(INFINITY).i32_gt_u().select();
        self.give_back(bits);
    }
}

/// Integer type by its name in PTX.
fn integer(name: &str) -> Option<Type> {
    Some(match name {
        "s16" | "u16" => Type::I16,
        "s32" | "u32" => Type::I32,
        "s64" | "u64" => Type::I64,
        _ => return None,
    })
}
