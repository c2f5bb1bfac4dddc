//! Functions of the compiler that code of the host may have: mathematics of one instruction, rounding, bits of numbers, bytes.
//!
//! Enters: rows of the table of builtins. Leaves: their code. What only a device has (threads, warps, approximate
//! instructions) is refused by its name.

use super::memory::long;
use super::site::Fault;
use super::writer::Writer;
use crate::builtin::{Builtin, Bytes, Known, Meaning};
use crate::ir::{Inst, Op, Type, Value};
use wasm_encoder::ValType;

impl Writer<'_> {
    /// Puts the result of a builtin on the stack, if it has one.
    pub(super) fn builtin(&mut self, inst: Inst, row: &'static Builtin, letter: u8) {
        let function = self.function;
        let data = &function.insts[inst.index()];
        let known = match row.meaning {
            Meaning::Known(known) => self.known(known, row, letter, &data.args),
            Meaning::Pure(ptx) => self.pure(ptx, row, &data.args),
            Meaning::Bytes(bytes) => self.bytes(bytes, inst),
            Meaning::End("trap;") => {
                self.fault(Fault::Trap, data.place, |this| {
                    this.sink().i64_const(0);
                });
                true
            }
            // One thread has nothing to order.
            Meaning::Fence(_) | Meaning::FenceOrdered => true,
            Meaning::AtomicOrdered(_) | Meaning::LoadOrdered | Meaning::StoreOrdered => {
                self.ordered(row.meaning, letter, inst)
            }
            Meaning::Warp(_)
            | Meaning::State(_)
            | Meaning::Barrier(_)
            | Meaning::End(_)
            | Meaning::Load(_)
            | Meaning::Store(_)
            | Meaning::Atomic(..)
            | Meaning::Call(_)
            | Meaning::Told(_) => false,
        };
        if !known {
            self.refuse(inst, || {
                format!("`{}` is a function of the device, and called on the host", row.name)
            });
        }
    }

    fn known(&mut self, known: Known, row: &Builtin, letter: u8, args: &[Value]) -> bool {
        let Some(first) = args.first() else { return false };
        let ty = self.ty(*first);
        let result = row.signature.bytes().next().map_or(0, |own| if own == b'T' { letter } else { own });
        let signed = matches!(result, b'i' | b'n' | b'l');
        match known {
            Known::Sqrt | Known::Floor | Known::Ceil | Known::Trunc | Known::Rint | Known::Copysign => {
                args.iter().for_each(|arg| self.value(*arg));
                self.float(known, ty);
            }
            Known::Abs if ty == Type::F32 || ty == Type::F64 => {
                self.value(*first);
                let mut sink = self.sink();
                if ty == Type::F32 {
                    sink.f32_abs()
                } else {
                    sink.f64_abs()
                };
            }
            Known::Abs => self.absolute(*first, ty),
            Known::Popcount | Known::LeadingZeros => {
                self.extended(*first, false);
                let popcount = known == Known::Popcount;
                let mut sink = self.sink();
                match (popcount, long(ty)) {
                    (true, false) => sink.i32_popcnt(),
                    (true, true) => sink.i64_popcnt().i32_wrap_i64(),
                    (false, false) => sink.i32_clz(),
                    (false, true) => sink.i64_clz().i32_wrap_i64(),
                };
            }
            Known::ReverseBits => self.reverse(*first, ty),
            Known::MultiplyHigh if long(ty) => self.multiply_high(args, signed),
            Known::MultiplyHigh => {
                for arg in args {
                    self.value(*arg);
                    let mut sink = self.sink();
                    if signed {
                        sink.i64_extend_i32_s()
                    } else {
                        sink.i64_extend_i32_u()
                    };
                }
                self.sink().i64_mul().i64_const(32).i64_shr_u().i32_wrap_i64();
            }
            // These are operations of the representation.
            Known::Fma | Known::Min | Known::Max | Known::Bits => return false,
        }
        true
    }

    /// A function of the floats on the stack.
    fn float(&mut self, known: Known, ty: Type) {
        let mut sink = self.sink();
        match (known, ty) {
            (Known::Sqrt, Type::F32) => sink.f32_sqrt(),
            (Known::Sqrt, _) => sink.f64_sqrt(),
            (Known::Floor, Type::F32) => sink.f32_floor(),
            (Known::Floor, _) => sink.f64_floor(),
            (Known::Ceil, Type::F32) => sink.f32_ceil(),
            (Known::Ceil, _) => sink.f64_ceil(),
            (Known::Trunc, Type::F32) => sink.f32_trunc(),
            (Known::Trunc, _) => sink.f64_trunc(),
            (Known::Copysign, Type::F32) => sink.f32_copysign(),
            (Known::Copysign, _) => sink.f64_copysign(),
            (_, Type::F32) => sink.f32_nearest(),
            (_, _) => sink.f64_nearest(),
        };
    }

    fn absolute(&mut self, value: Value, ty: Type) {
        let again = self.twice(value);
        self.constant(ty, 0);
        self.push(again);
        self.integer(ty, |sink| sink.i32_sub(), |sink| sink.i64_sub());
        self.push(again);
        self.push(again);
        self.constant(ty, 0);
        self.integer(ty, |sink| sink.i32_lt_s(), |sink| sink.i64_lt_s());
        self.sink().select();
        self.done(again);
    }

    fn reverse(&mut self, value: Value, ty: Type) {
        let wide = long(ty);
        let local = self.scratch(if wide { ValType::I64 } else { ValType::I32 });
        self.value(value);
        self.sink().local_set(local);
        let steps = [
            (1, 0x5555_5555_5555_5555u64),
            (2, 0x3333_3333_3333_3333),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (8, 0x00ff_00ff_00ff_00ff),
            (16, 0x0000_ffff_0000_ffff),
            (32, 0x0000_0000_ffff_ffff),
        ];
        for (by, mask) in steps.into_iter().take(if wide { 6 } else { 5 }) {
            let mut sink = self.sink();
            sink.local_get(local);
            if wide {
                let (by, mask) = (i64::from(by), mask as i64);
                sink.i64_const(by).i64_shr_u().i64_const(mask).i64_and();
                sink.local_get(local).i64_const(mask).i64_and().i64_const(by).i64_shl().i64_or();
            } else {
                let mask = mask as i32;
                sink.i32_const(by).i32_shr_u().i32_const(mask).i32_and();
                sink.local_get(local).i32_const(mask).i32_and().i32_const(by).i32_shl().i32_or();
            }
            sink.local_set(local);
        }
        self.sink().local_get(local);
        self.give_back(local);
    }

    /// The upper half of a product of 128 bits, from products of halves.
    fn multiply_high(&mut self, args: &[Value], signed: bool) {
        let [a, b] = args else { return };
        let (a, b) = (self.twice(*a), self.twice(*b));
        let middle = self.scratch(ValType::I64);
        let low = 0xffff_ffff_i64;
        // The middle: a's upper half by b's lower, and what the product of both lower halves carries.
        self.push(a);
        self.sink().i64_const(32).i64_shr_u();
        self.push(b);
        self.sink().i64_const(low).i64_and().i64_mul();
        self.push(a);
        self.sink().i64_const(low).i64_and();
        self.push(b);
        self.sink().i64_const(low).i64_and().i64_mul().i64_const(32).i64_shr_u().i64_add().local_set(middle);
        // The other product of the middle, with the lower half of the first.
        self.push(a);
        self.sink().i64_const(low).i64_and();
        self.push(b);
        self.sink().i64_const(32).i64_shr_u().i64_mul();
        self.sink().local_get(middle).i64_const(low).i64_and().i64_add().i64_const(32).i64_shr_u();
        self.sink().local_get(middle).i64_const(32).i64_shr_u().i64_add();
        self.push(a);
        self.sink().i64_const(32).i64_shr_u();
        self.push(b);
        self.sink().i64_const(32).i64_shr_u().i64_mul().i64_add();
        if signed {
            // Where one is negative, the other was multiplied by 2^64 too much.
            for (one, other) in [(a, b), (b, a)] {
                self.push(one);
                self.sink().i64_const(63).i64_shr_s();
                self.push(other);
                self.sink().i64_and().i64_sub();
            }
        }
        self.give_back(middle);
        self.done(a);
        self.done(b);
    }

    /// An instruction of PTX that WebAssembly has too; whether it does.
    fn pure(&mut self, ptx: &str, row: &Builtin, args: &[Value]) -> bool {
        let types: Vec<Type> = args.iter().map(|arg| self.ty(*arg)).collect();
        match (row.name, args) {
            ("__double2hiint" | "__double2loint", [value]) => {
                self.value(*value);
                self.sink().i64_reinterpret_f64();
                if row.name == "__double2hiint" {
                    self.sink().i64_const(32).i64_shr_u();
                }
                self.sink().i32_wrap_i64();
                return true;
            }
            ("__hiloint2double", [high, low]) => {
                self.value(*high);
                self.sink().i64_extend_i32_u().i64_const(32).i64_shl();
                self.value(*low);
                self.sink().i64_extend_i32_u().i64_or().f64_reinterpret_i64();
                return true;
            }
            _ => {}
        }
        let words: Vec<&str> = ptx.split('.').collect();
        match words.as_slice() {
            ["cvt", rounding, to, from] if scalar(to).is_some() && scalar(from).is_some() => {
                self.converted(rounding, to, from, args)
            }
            [op, "rn", "f32" | "f64"] => self.rounded(op, types.first().copied(), args),
            words => self.half(words, args),
        }
    }

    /// A conversion that is rounded as its name says.
    fn converted(&mut self, rounding: &str, to: &str, from: &str, args: &[Value]) -> bool {
        let ([value], Some(target), Some(source)) = (args, scalar(to), scalar(from)) else { return false };
        let integral = match rounding {
            "rni" => Some(Known::Rint),
            "rzi" => Some(Known::Trunc),
            "rpi" => Some(Known::Ceil),
            "rmi" => Some(Known::Floor),
            _ => None,
        };
        let floating = |ty: Type| matches!(ty, Type::F32 | Type::F64);
        match (integral, floating(source), floating(target)) {
            (Some(known), true, false) => {
                self.value(*value);
                self.float(known, source);
                self.convert_float(to.starts_with('s'), source, target);
            }
            (None, false, true) if rounding == "rn" => {
                self.value(*value);
                self.convert_integer(from.starts_with('s'), long(source), target);
            }
            (None, true, true) if rounding == "rn" && target == Type::F32 && source == Type::F64 => {
                self.value(*value);
                self.sink().f32_demote_f64();
            }
            _ => return false,
        }
        true
    }

    /// Arithmetic that is rounded to nearest.
    fn rounded(&mut self, op: &str, ty: Option<Type>, args: &[Value]) -> bool {
        let Some(ty @ (Type::F32 | Type::F64)) = ty else { return false };
        if op == "rcp" {
            let one = if ty == Type::F32 { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
            self.constant(ty, one);
        }
        if !matches!(op, "add" | "sub" | "mul" | "div" | "rcp" | "sqrt" | "fma") {
            return false;
        }
        args.iter().for_each(|arg| self.value(*arg));
        if op == "fma" {
            self.fused(ty);
            return true;
        }
        let (single, mut sink) = (ty == Type::F32, self.sink());
        match (op, single) {
            ("add", true) => sink.f32_add(),
            ("add", false) => sink.f64_add(),
            ("sub", true) => sink.f32_sub(),
            ("sub", false) => sink.f64_sub(),
            ("mul", true) => sink.f32_mul(),
            ("mul", false) => sink.f64_mul(),
            ("sqrt", true) => sink.f32_sqrt(),
            ("sqrt", false) => sink.f64_sqrt(),
            (_, true) => sink.f32_div(),
            (_, false) => sink.f64_div(),
        };
        true
    }

    /// Bytes that are copied or set, as many as only the program knows.
    fn bytes(&mut self, bytes: Bytes, inst: Inst) -> bool {
        let function = self.function;
        let data = &function.insts[inst.index()];
        let [to, from, count] = *data.args.as_slice() else { return false };
        let (to, count) = (self.twice(to), self.twice(count));
        self.check_range(to, count, true, data.place);
        self.push(count);
        self.count_bytes();
        if bytes == Bytes::Fill {
            self.push(to);
            self.sink().i32_wrap_i64();
            self.value(from);
            self.push(count);
            self.sink().i32_wrap_i64().memory_fill(0);
        } else {
            let from = self.twice(from);
            self.check_range(from, count, false, data.place);
            self.show_range(from, count, data.place);
            for again in [to, from, count] {
                self.push(again);
                self.sink().i32_wrap_i64();
            }
            self.sink().memory_copy(0, 0);
            self.done(from);
        }
        if !data.results.is_empty() {
            self.push(to);
        }
        self.done(to);
        self.done(count);
        true
    }
}

/// Type by its name in PTX.
fn scalar(name: &str) -> Option<Type> {
    Some(match name {
        "s32" | "u32" => Type::I32,
        "s64" | "u64" => Type::I64,
        "f32" => Type::F32,
        "f64" => Type::F64,
        _ => return None,
    })
}

/// Whether code needs `fmaf` or `fma`, which WebAssembly does not have.
pub(super) fn fused(op: &Op, ty: Type) -> bool {
    match op {
        Op::Fma => ty == Type::F32 || ty == Type::F64,
        Op::Builtin(row, _) => matches!(row.meaning, Meaning::Pure(ptx) if ptx.starts_with("fma.rn.f")),
        _ => false,
    }
}
