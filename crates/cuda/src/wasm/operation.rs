//! Operations on values: arithmetic, comparisons, conversions.
//!
//! Enters: instructions. Leaves: their code, with the result on the stack. Where the two differ, C's meaning is computed by
//! several of WebAssembly's instructions, each a function of operands that may be used more than once.

use super::memory::{Extend, long};
use super::site::Fault;
use super::types;
use super::writer::{Again, Writer};
use crate::ir::{Binary, Compare, Convert, DebugLocation, Def, Inst, InstData, Op, Type, Unary, Value};
use wasm_encoder::{BlockType, InstructionSink, ValType};

impl Writer<'_> {
    /// Puts a value on the stack. Of fewer than 32 bits the others say nothing.
    pub(super) fn value(&mut self, value: Value) {
        match self.trees.inline(self.function, value) {
            Some(inst) => self.evaluate(inst),
            None => self.kept(value),
        }
    }

    /// Makes a value one that can be used several times.
    pub(super) fn twice(&mut self, value: Value) -> Again {
        self.again(value, |this| this.value(value))
    }

    /// Puts the result of an instruction on the stack.
    pub(super) fn evaluate(&mut self, inst: Inst) {
        let function = self.function;
        let data = &function.insts[inst.index()];
        match &data.op {
            Op::Unary(op) => self.unary(*op, data.args[0]),
            Op::Binary(op) => self.binary(*op, data),
            Op::Compare(op) => self.compare(*op, data.args[0], data.args[1]),
            Op::Select => {
                self.value(data.args[1]);
                self.value(data.args[2]);
                self.value(data.args[0]);
                self.sink().select();
            }
            Op::Fma => {
                data.args.iter().for_each(|arg| self.value(*arg));
                self.fused(self.ty(data.args[0]));
            }
            Op::Convert(op) => self.convert(*op, data.args[0], self.ty(data.results[0])),
            Op::Offset => {
                self.value(data.args[0]);
                self.value(data.args[1]);
                self.sink().i64_add();
            }
            Op::Load(_) => self.load(inst, Extend::Zero),
            Op::Builtin(row, letter) => self.builtin(inst, row, *letter),
            Op::Slot { .. }
            | Op::Global(_)
            | Op::Function(_)
            | Op::Store(_)
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Call(_)
            | Op::CallIndirect
            | Op::Asm(_) => self.refuse(inst, || "this instruction has no value".to_owned()),
        }
    }

    /// A product and a sum, rounded once, of the operands on the stack.
    pub(super) fn fused(&mut self, ty: Type) {
        if let Some(function) = self.unit.fused[usize::from(ty == Type::F64)] {
            self.sink().call(function);
        }
    }

    /// The load that an operand is written as.
    fn inline_load(&self, value: Value) -> Option<Inst> {
        let inst = self.trees.inline(self.function, value)?;
        matches!(self.function.insts[inst.index()].op, Op::Load(_)).then_some(inst)
    }

    /// Puts an integer of any width on the stack as one of 32 bits or more.
    pub(super) fn extended(&mut self, value: Value, signed: bool) {
        let ty = self.ty(value);
        if !matches!(ty, Type::I8 | Type::I16) {
            return self.value(value);
        }
        if let Some(load) = self.inline_load(value) {
            return self.load(load, if signed { Extend::Sign } else { Extend::Zero });
        }
        if let Def::Constant(bits) = self.function.values[value.index()].def {
            let shift = 64 - 8 * ty.bytes();
            let (bits, high) = (bits.get(), (bits.get() << shift) as i64 >> shift);
            self.sink().i32_const(if signed { high as i32 } else { bits as i32 });
            return;
        }
        self.value(value);
        self.extend_stack(ty, signed);
    }

    /// Extends what is on the stack, and was loaded or computed with any bits above its own.
    pub(super) fn extend_stack(&mut self, ty: Type, signed: bool) {
        let mut sink = self.sink();
        match (ty, signed) {
            (Type::I8, true) => sink.i32_extend8_s(),
            (Type::I16, true) => sink.i32_extend16_s(),
            (Type::I8, false) => sink.i32_const(0xff).i32_and(),
            (Type::I16, false) => sink.i32_const(0xffff).i32_and(),
            _ => &mut sink,
        };
    }

    fn unary(&mut self, op: Unary, value: Value) {
        let ty = self.ty(value);
        match op {
            Unary::Not if ty == Type::Pred => {
                self.value(value);
                self.sink().i32_eqz();
            }
            Unary::Not => {
                self.value(value);
                self.integer(ty, |sink| sink.i32_const(-1).i32_xor(), |sink| sink.i64_const(-1).i64_xor());
            }
            Unary::Neg => {
                self.constant(ty, 0);
                self.value(value);
                self.integer(ty, |sink| sink.i32_sub(), |sink| sink.i64_sub());
            }
            Unary::FNeg | Unary::FAbs => {
                self.value(value);
                let (negative, mut sink) = (op == Unary::FNeg, self.sink());
                match (negative, ty) {
                    (true, Type::F32) => sink.f32_neg(),
                    (true, _) => sink.f64_neg(),
                    (false, Type::F32) => sink.f32_abs(),
                    (false, _) => sink.f64_abs(),
                };
            }
        }
    }

    /// One of two instructions, by whether a type has 64 bits.
    pub(super) fn integer<'s>(
        &'s mut self,
        ty: Type,
        short: impl for<'x> FnOnce(&'x mut InstructionSink<'s>) -> &'x mut InstructionSink<'s>,
        wide: impl for<'x> FnOnce(&'x mut InstructionSink<'s>) -> &'x mut InstructionSink<'s>,
    ) {
        let mut sink = self.sink();
        if long(ty) {
            wide(&mut sink);
        } else {
            short(&mut sink);
        }
    }

    fn binary(&mut self, op: Binary, data: &InstData) {
        let (a, b) = (data.args[0], data.args[1]);
        let ty = self.ty(a);
        match op {
            Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem => {
                return self.divide(op, a, b, data.place);
            }
            Binary::SMin | Binary::SMax | Binary::UMin | Binary::UMax => return self.extreme(op, a, b),
            Binary::FMin | Binary::FMax => return self.float_extreme(op == Binary::FMin, a, b),
            Binary::Shl(_) | Binary::LShr | Binary::AShr => return self.shift(op, a, b),
            _ => {}
        }
        self.value(a);
        self.value(b);
        let wide = long(ty);
        let mut sink = self.sink();
        match (op, wide) {
            (Binary::Add(_), false) => sink.i32_add(),
            (Binary::Add(_), true) => sink.i64_add(),
            (Binary::Sub(_), false) => sink.i32_sub(),
            (Binary::Sub(_), true) => sink.i64_sub(),
            (Binary::Mul(_), false) => sink.i32_mul(),
            (Binary::Mul(_), true) => sink.i64_mul(),
            (Binary::And, false) => sink.i32_and(),
            (Binary::And, true) => sink.i64_and(),
            (Binary::Or, false) => sink.i32_or(),
            (Binary::Or, true) => sink.i64_or(),
            (Binary::Xor, false) => sink.i32_xor(),
            (Binary::Xor, true) => sink.i64_xor(),
            (Binary::FAdd, _) if ty == Type::F32 => sink.f32_add(),
            (Binary::FAdd, _) => sink.f64_add(),
            (Binary::FSub, _) if ty == Type::F32 => sink.f32_sub(),
            (Binary::FSub, _) => sink.f64_sub(),
            (Binary::FMul, _) if ty == Type::F32 => sink.f32_mul(),
            (Binary::FMul, _) => sink.f64_mul(),
            (Binary::FDiv, _) if ty == Type::F32 => sink.f32_div(),
            (Binary::FDiv, _) => sink.f64_div(),
            (
                Binary::SDiv
                | Binary::UDiv
                | Binary::SRem
                | Binary::URem
                | Binary::Shl(_)
                | Binary::LShr
                | Binary::AShr
                | Binary::SMin
                | Binary::SMax
                | Binary::UMin
                | Binary::UMax
                | Binary::FMin
                | Binary::FMax,
                _,
            ) => &mut sink,
        };
    }

    fn shift(&mut self, op: Binary, a: Value, b: Value) {
        let ty = self.ty(a);
        match op {
            Binary::LShr => self.extended(a, false),
            Binary::AShr => self.extended(a, true),
            _ => self.value(a),
        }
        if long(ty) {
            match self.function.constant(b) {
                Some(amount) => {
                    self.sink().i64_const(amount as i64);
                }
                None => {
                    self.value(b);
                    self.sink().i64_extend_i32_u();
                }
            }
        } else {
            self.value(b);
        }
        let (wide, mut sink) = (long(ty), self.sink());
        match (op, wide) {
            (Binary::LShr, false) => sink.i32_shr_u(),
            (Binary::LShr, true) => sink.i64_shr_u(),
            (Binary::AShr, false) => sink.i32_shr_s(),
            (Binary::AShr, true) => sink.i64_shr_s(),
            (_, false) => sink.i32_shl(),
            (_, true) => sink.i64_shl(),
        };
    }

    /// Quotients and remainders: what C leaves undefined faults, as processors do.
    fn divide(&mut self, op: Binary, a: Value, b: Value, place: DebugLocation) {
        let signed = matches!(op, Binary::SDiv | Binary::SRem);
        let ty = self.ty(a);
        let wide = long(ty);
        let known = self.function.constant(b);
        let overflows = signed && matches!(ty, Type::I32 | Type::I64);
        let least = if wide { i64::MIN } else { i64::from(i32::MIN) };
        let minus_one =
            known.is_none_or(|bits| if wide { bits == u64::MAX } else { bits as u32 == u32::MAX });
        let dividend = self.again_extended(a, signed);
        let divisor = self.again_extended(b, signed);
        if known.is_none_or(|bits| bits == 0) {
            self.sink().block(BlockType::Empty);
            self.push(divisor);
            self.sink().br_if_not_zero(wide);
            self.fault(Fault::DivisionByZero, place, |this| {
                this.sink().i64_const(0);
            });
            self.sink().end();
        }
        if overflows && minus_one {
            self.sink().block(BlockType::Empty);
            if known.is_none() {
                self.push(divisor);
                self.compare_constant(wide, -1);
                self.sink().br_if(0);
            }
            self.push(dividend);
            self.compare_constant(wide, least);
            self.sink().br_if(0);
            self.fault(Fault::DivisionOverflow, place, |this| {
                this.sink().i64_const(0);
            });
            self.sink().end();
        }
        self.push(dividend);
        self.push(divisor);
        let mut sink = self.sink();
        match (op, wide) {
            (Binary::SDiv, false) => sink.i32_div_s(),
            (Binary::SDiv, true) => sink.i64_div_s(),
            (Binary::UDiv, false) => sink.i32_div_u(),
            (Binary::UDiv, true) => sink.i64_div_u(),
            (Binary::SRem, false) => sink.i32_rem_s(),
            (Binary::SRem, true) => sink.i64_rem_s(),
            (_, false) => sink.i32_rem_u(),
            (_, true) => sink.i64_rem_u(),
        };
        self.done(dividend);
        self.done(divisor);
    }

    /// Whether what is on the stack is not a constant.
    fn compare_constant(&mut self, wide: bool, constant: i64) {
        if wide {
            self.sink().i64_const(constant).i64_ne();
        } else {
            self.sink().i32_const(constant as i32).i32_ne();
        }
    }

    /// An integer without its sign that can be used several times.
    pub(super) fn twice_extended(&mut self, value: Value) -> Again {
        self.again_extended(value, false)
    }

    /// An extended integer that can be used several times.
    fn again_extended(&mut self, value: Value, signed: bool) -> Again {
        if !matches!(self.ty(value), Type::I8 | Type::I16) {
            return self.twice(value);
        }
        self.extended(value, signed);
        let local = self.scratch(ValType::I32);
        self.sink().local_set(local);
        Again::Local(local)
    }

    fn extreme(&mut self, op: Binary, a: Value, b: Value) {
        let signed = matches!(op, Binary::SMin | Binary::SMax);
        let less = matches!(op, Binary::SMin | Binary::UMin);
        let ty = self.ty(a);
        let (a, b) = (self.again_extended(a, signed), self.again_extended(b, signed));
        self.push(a);
        self.push(b);
        self.less(a, b, less, signed, long(ty));
        self.sink().select();
        self.done(a);
        self.done(b);
    }

    /// Whether one integer is less than another, or greater.
    pub(super) fn less(&mut self, a: Again, b: Again, less: bool, signed: bool, wide: bool) {
        self.push(a);
        self.push(b);
        let mut sink = self.sink();
        match (less, signed, wide) {
            (true, true, false) => sink.i32_lt_s(),
            (true, true, true) => sink.i64_lt_s(),
            (true, false, false) => sink.i32_lt_u(),
            (true, false, true) => sink.i64_lt_u(),
            (false, true, false) => sink.i32_gt_s(),
            (false, true, true) => sink.i64_gt_s(),
            (false, false, false) => sink.i32_gt_u(),
            (false, false, true) => sink.i64_gt_u(),
        };
    }

    /// The number where one is NaN.
    fn float_extreme(&mut self, less: bool, a: Value, b: Value) {
        let single = self.ty(a) == Type::F32;
        let (a, b) = (self.twice(a), self.twice(b));
        // Where a is NaN, b; where b is NaN, a; else the instruction's.
        for again in [b, a, a, b] {
            self.push(again);
        }
        let mut sink = self.sink();
        match (less, single) {
            (true, true) => sink.f32_min(),
            (true, false) => sink.f64_min(),
            (false, true) => sink.f32_max(),
            (false, false) => sink.f64_max(),
        };
        for again in [b, a] {
            self.push(again);
            self.push(again);
            if single {
                self.sink().f32_ne();
            } else {
                self.sink().f64_ne();
            }
            // Of the two below the first, where the condition holds.
            self.sink().select();
        }
        self.done(a);
        self.done(b);
    }

    fn compare(&mut self, op: Compare, a: Value, b: Value) {
        let ty = self.ty(a);
        match ty {
            Type::F32 => return self.compare_floats(op, a, b, true),
            Type::F64 => return self.compare_floats(op, a, b, false),
            Type::Pred | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr(_) => {}
        }
        let signed = matches!(op, Compare::SLt | Compare::SLe | Compare::SGt | Compare::SGe);
        self.extended(a, signed);
        if self.function.constant(b) == Some(0) && op == Compare::Eq {
            self.integer(ty, |sink| sink.i32_eqz(), |sink| sink.i64_eqz());
            return;
        }
        self.extended(b, signed);
        let (wide, mut sink) = (long(ty), self.sink());
        match (op, wide) {
            (Compare::Eq, false) => sink.i32_eq(),
            (Compare::Eq, true) => sink.i64_eq(),
            (Compare::SLt, false) => sink.i32_lt_s(),
            (Compare::SLt, true) => sink.i64_lt_s(),
            (Compare::SLe, false) => sink.i32_le_s(),
            (Compare::SLe, true) => sink.i64_le_s(),
            (Compare::SGt, false) => sink.i32_gt_s(),
            (Compare::SGt, true) => sink.i64_gt_s(),
            (Compare::SGe, false) => sink.i32_ge_s(),
            (Compare::SGe, true) => sink.i64_ge_s(),
            (Compare::ULt, false) => sink.i32_lt_u(),
            (Compare::ULt, true) => sink.i64_lt_u(),
            (Compare::ULe, false) => sink.i32_le_u(),
            (Compare::ULe, true) => sink.i64_le_u(),
            (Compare::UGt, false) => sink.i32_gt_u(),
            (Compare::UGt, true) => sink.i64_gt_u(),
            (Compare::UGe, false) => sink.i32_ge_u(),
            (Compare::UGe, true) => sink.i64_ge_u(),
            (_, false) => sink.i32_ne(),
            (_, true) => sink.i64_ne(),
        };
    }

    fn compare_floats(&mut self, op: Compare, a: Value, b: Value, single: bool) {
        let inverted = match op {
            Compare::FULt | Compare::FULe | Compare::FUGt | Compare::FUGe => true,
            // Those that one instruction does not say.
            Compare::FONe | Compare::FUEq | Compare::FOrd | Compare::FUno => {
                return self.compare_twice(op, a, b, single);
            }
            _ => false,
        };
        self.value(a);
        self.value(b);
        // Where neither may be NaN the opposite one is the same, and it is false where one is.
        let op = if inverted { op.inverted() } else { op };
        let mut sink = self.sink();
        match (op, single) {
            (Compare::FOEq, true) => sink.f32_eq(),
            (Compare::FOEq, false) => sink.f64_eq(),
            (Compare::FOLt, true) => sink.f32_lt(),
            (Compare::FOLt, false) => sink.f64_lt(),
            (Compare::FOLe, true) => sink.f32_le(),
            (Compare::FOLe, false) => sink.f64_le(),
            (Compare::FOGt, true) => sink.f32_gt(),
            (Compare::FOGt, false) => sink.f64_gt(),
            (Compare::FOGe, true) => sink.f32_ge(),
            (Compare::FOGe, false) => sink.f64_ge(),
            (_, true) => sink.f32_ne(),
            (_, false) => sink.f64_ne(),
        };
        if inverted {
            sink.i32_eqz();
        }
    }

    fn compare_twice(&mut self, op: Compare, a: Value, b: Value, single: bool) {
        let (a, b) = (self.twice(a), self.twice(b));
        let ordered = matches!(op, Compare::FOrd | Compare::FUno);
        let pairs = if ordered { [[a, a], [b, b]] } else { [[a, b], [a, b]] };
        for (number, pair) in pairs.into_iter().enumerate() {
            pair.into_iter().for_each(|again| self.push(again));
            let mut sink = self.sink();
            match (ordered, number, single) {
                (true, _, true) => sink.f32_eq(),
                (true, _, false) => sink.f64_eq(),
                (false, 0, true) => sink.f32_lt(),
                (false, 0, false) => sink.f64_lt(),
                (false, _, true) => sink.f32_gt(),
                (false, _, false) => sink.f64_gt(),
            };
        }
        if ordered {
            self.sink().i32_and();
        } else {
            self.sink().i32_or();
        }
        if matches!(op, Compare::FUno | Compare::FUEq) {
            self.sink().i32_eqz();
        }
        self.done(a);
        self.done(b);
    }

    fn convert(&mut self, op: Convert, value: Value, to: Type) {
        let from = self.ty(value);
        match op {
            Convert::Truncate => {
                self.value(value);
                if long(from) && !long(to) {
                    self.sink().i32_wrap_i64();
                }
                if to == Type::Pred {
                    self.sink().i32_const(1).i32_and();
                }
            }
            Convert::ZeroExtend | Convert::SignExtend => self.widen(op == Convert::SignExtend, value, to),
            Convert::Bits => {
                self.value(value);
                let mut sink = self.sink();
                match (types::of(from), types::of(to)) {
                    (ValType::I32, ValType::F32) => sink.f32_reinterpret_i32(),
                    (ValType::F32, ValType::I32) => sink.i32_reinterpret_f32(),
                    (ValType::I64, ValType::F64) => sink.f64_reinterpret_i64(),
                    (ValType::F64, ValType::I64) => sink.i64_reinterpret_f64(),
                    _ => &mut sink,
                };
            }
            Convert::Space => self.value(value),
            Convert::SToF | Convert::UToF => {
                let signed = op == Convert::SToF;
                self.extended(value, signed);
                self.convert_integer(signed, long(from), to);
            }
            Convert::FToS | Convert::FToU => {
                self.value(value);
                self.convert_float(op == Convert::FToS, from, to);
            }
            Convert::Float => {
                self.value(value);
                if to == Type::F64 {
                    self.sink().f64_promote_f32();
                } else {
                    self.sink().f32_demote_f64();
                }
            }
        }
    }

    /// An integer with more bits.
    fn widen(&mut self, signed: bool, value: Value, to: Type) {
        let from = self.ty(value);
        if from == Type::Pred {
            if signed {
                self.sink().i32_const(0);
            }
            self.value(value);
            if signed {
                self.sink().i32_sub();
            }
            if long(to) && signed {
                self.sink().i64_extend_i32_s();
            } else if long(to) {
                self.sink().i64_extend_i32_u();
            }
            return;
        }
        if let Some(load) = self.inline_load(value).filter(|_| long(to)) {
            return self.load(load, if signed { Extend::LongSign } else { Extend::LongZero });
        }
        self.extended(value, signed);
        if long(to) && signed {
            self.sink().i64_extend_i32_s();
        } else if long(to) {
            self.sink().i64_extend_i32_u();
        }
    }

    /// Converts the integer on the stack.
    pub(super) fn convert_integer(&mut self, signed: bool, wide: bool, to: Type) {
        let mut sink = self.sink();
        match (signed, wide, to) {
            (true, false, Type::F32) => sink.f32_convert_i32_s(),
            (true, true, Type::F32) => sink.f32_convert_i64_s(),
            (false, false, Type::F32) => sink.f32_convert_i32_u(),
            (false, true, Type::F32) => sink.f32_convert_i64_u(),
            (true, false, _) => sink.f64_convert_i32_s(),
            (true, true, _) => sink.f64_convert_i64_s(),
            (false, false, _) => sink.f64_convert_i32_u(),
            (false, true, _) => sink.f64_convert_i64_u(),
        };
    }

    /// Converts the float on the stack towards zero, to the nearest number that there is. (C leaves undefined what a type of
    /// fewer than 32 bits cannot hold; its lowest bits are taken, as processors do.)
    pub(super) fn convert_float(&mut self, signed: bool, from: Type, to: Type) {
        let mut sink = self.sink();
        match (signed || !matches!(to, Type::I32 | Type::I64), from, long(to)) {
            (true, Type::F32, false) => sink.i32_trunc_sat_f32_s(),
            (true, Type::F32, true) => sink.i64_trunc_sat_f32_s(),
            (true, _, false) => sink.i32_trunc_sat_f64_s(),
            (true, _, true) => sink.i64_trunc_sat_f64_s(),
            (false, Type::F32, false) => sink.i32_trunc_sat_f32_u(),
            (false, Type::F32, true) => sink.i64_trunc_sat_f32_u(),
            (false, _, false) => sink.i32_trunc_sat_f64_u(),
            (false, _, true) => sink.i64_trunc_sat_f64_u(),
        };
    }
}

/// Branches that WebAssembly has for 32 bits alone.
trait BranchIf {
    fn br_if_not_zero(&mut self, wide: bool);
}

impl BranchIf for InstructionSink<'_> {
    fn br_if_not_zero(&mut self, wide: bool) {
        if wide {
            self.i64_const(0).i64_ne();
        }
        self.br_if(0);
    }
}
