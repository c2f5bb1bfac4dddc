//! Instructions.

use super::operand::{Class, Operand, Register, float, space, width};
use super::select::Factor;
use super::text::{line, op};
use super::writer::Writer;
use crate::ir::{Binary, Compare, Convert, Inst, InstData, Op, Space, Type, Unary, Value};

impl Writer<'_, '_> {
    pub(super) fn instruction(&mut self, inst: Inst) {
        let function = self.function;
        let data = &function.insts[inst.index()];
        let result = data.results.first().copied();
        match &data.op {
            Op::Load(access) => return self.load(data, *access),
            Op::Store(access) => return self.store(data, *access),
            Op::Builtin(builtin, letter) => return self.builtin(data, builtin, *letter),
            Op::Asm(asm) => return self.assembly(data, asm),
            Op::Call(callee) => {
                let callee = &self.module.functions[callee.index()];
                if callee.external {
                    let why =
                        format!("`{}` is a function of the host, and called in a kernel", callee.source_name);
                    return self.refuse(&why);
                }
                return self.call(&callee.name, callee.record.as_ref(), &data.args, &data.results);
            }
            Op::Copy { .. } | Op::Zero { .. } => return self.refuse("a copy was left for the emitter"),
            Op::CallIndirect => return self.call_indirect(&data.args, &data.results),
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Compare(_)
            | Op::Select
            | Op::Fma
            | Op::Convert(_)
            | Op::Slot { .. }
            | Op::Global(_)
            | Op::Function(_)
            | Op::Offset => {}
        }
        let Some(result) = result else { return };
        if self.selection.folded(result) || self.selection.made_by_load(data) {
            return;
        }
        match data.op {
            Op::Unary(op) => self.unary(op, data, result),
            Op::Binary(op) => self.binary(inst, op, data, result),
            Op::Compare(op) => self.compare(op, data, result),
            Op::Select => self.select(data, result),
            Op::Fma => {
                self.plain(&["fma.rn.", float(function.ty(result))], data, result);
            }
            Op::Convert(kind) => self.convert(kind, data.args[0], result),
            Op::Offset => self.offset(data, result),
            Op::Global(id) => {
                let name = &self.module.globals[id.index()].name;
                let to = self.result(result);
                line!(self, "mov.u64 \t", to, ", ", name, ";");
            }
            Op::Function(id) => {
                let name = &self.module.functions[id.index()].name;
                let to = self.result(result);
                line!(self, "mov.u64 \t", to, ", ", name, ";");
            }
            Op::Slot { .. }
            | Op::Load(_)
            | Op::Store(_)
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Call(_)
            | Op::CallIndirect
            | Op::Builtin(..)
            | Op::Asm(_) => {}
        }
    }

    /// Instruction whose operands follow in order.
    fn plain(&mut self, name: &[&str], data: &InstData, result: Value) {
        let mut operands = std::mem::take(&mut self.operands);
        operands.extend(data.args.iter().map(|arg| self.operand(*arg)));
        let to = self.result(result);
        line!(self, name, " \t", to, ", ", &operands, ";");
        operands.clear();
        self.operands = operands;
    }

    fn unary(&mut self, op: Unary, data: &InstData, result: Value) {
        let ty = self.function.ty(result);
        let name = match (op, ty) {
            (Unary::Not, Type::Pred) => ["not.pred", ""],
            (Unary::Not, _) => ["not.b", width(ty)],
            (Unary::Neg, _) => ["neg.s", width(ty)],
            (Unary::FNeg, _) => ["neg.", float(ty)],
            (Unary::FAbs, _) => ["abs.", float(ty)],
        };
        self.plain(&name, data, result);
    }

    fn binary(&mut self, inst: Inst, op: Binary, data: &InstData, result: Value) {
        let function = self.function;
        let ty = function.ty(result);
        let width = width(ty);
        if let Some(wide) = self.selection.wide(function, data) {
            let sign = if wide.signed { "s" } else { "u" };
            let a = self.operand(wide.a);
            let b = match wide.b {
                Factor::Value(value) => self.operand(value),
                Factor::Number(number) => Operand::Integer(number),
            };
            let to = self.result(result);
            return op!(self, "mul.wide.", sign, "32" => to, a, b);
        }
        if let Some((product, summand)) = self.selection.multiply_add(function, inst, data) {
            let made = match function.values[product.index()].def {
                crate::ir::Def::Result(made, _) => &function.insts[made.index()],
                _ => return self.refuse("a product without its factors"),
            };
            let (a, b, c) = (self.operand(made.args[0]), self.operand(made.args[1]), self.operand(summand));
            let to = self.result(result);
            return op!(self, "mad.lo.s", width => to, a, b, c);
        }
        if op == Binary::FDiv
            && self.fast(ty)
            && function.constant(data.args[0]) == Some(1.0f32.to_bits().into())
        {
            let b = self.operand(data.args[1]);
            let to = self.result(result);
            return op!(self, "rcp.approx.f32" => to, b);
        }
        let rounding = self.rounding();
        // An 8-bit value's upper bits are unknown; operations that see them need them.
        let (name, signs) = match op {
            Binary::Add(_) => (["add.s", width, ""], None),
            Binary::Sub(_) => (["sub.s", width, ""], None),
            Binary::Mul(_) => (["mul.lo.s", width, ""], None),
            Binary::SDiv => (["div.s", width, ""], Some(true)),
            Binary::UDiv => (["div.u", width, ""], Some(false)),
            Binary::SRem => (["rem.s", width, ""], Some(true)),
            Binary::URem => (["rem.u", width, ""], Some(false)),
            Binary::And => (["and", logic(ty), ""], None),
            Binary::Or => (["or", logic(ty), ""], None),
            Binary::Xor => (["xor", logic(ty), ""], None),
            Binary::Shl(_) => (["shl.b", width, ""], None),
            Binary::LShr => (["shr.u", width, ""], Some(false)),
            Binary::AShr => (["shr.s", width, ""], Some(true)),
            Binary::SMin => (["min.s", width, ""], Some(true)),
            Binary::SMax => (["max.s", width, ""], Some(true)),
            Binary::UMin => (["min.u", width, ""], Some(false)),
            Binary::UMax => (["max.u", width, ""], Some(false)),
            Binary::FAdd => (["add", rounding, float(ty)], None),
            Binary::FSub => (["sub", rounding, float(ty)], None),
            Binary::FMul => (["mul", rounding, float(ty)], None),
            Binary::FDiv if self.fast(ty) => (["div.approx.", float(ty), ""], None),
            Binary::FDiv => (["div.rn.", float(ty), ""], None),
            Binary::FMin => (["min.", float(ty), ""], None),
            Binary::FMax => (["max.", float(ty), ""], None),
        };
        match signs {
            Some(signed) if ty == Type::I8 => {
                let a = self.extended(data.args[0], signed);
                let shift = matches!(op, Binary::LShr | Binary::AShr);
                let b = if shift { self.operand(data.args[1]) } else { self.extended(data.args[1], signed) };
                let to = self.result(result);
                self.op(&name, &[to.into(), a, b]);
            }
            _ => self.plain(&name, data, result),
        }
    }

    /// An 8-bit value with its upper bits in order.
    fn extended(&mut self, value: Value, signed: bool) -> Operand {
        if let Some(bits) = self.function.constant(value) {
            let byte = bits as u8;
            return Operand::Integer(if signed { i64::from(byte as i8) } else { i64::from(byte) });
        }
        let from = self.register(value);
        let to = self.fresh(Class::Half);
        self.extend_half(to, from, signed);
        Operand::Register(to)
    }

    /// A byte as 16 bits, a signed one by way of 32: `cvt.s16.s8` of what ptxas 13.0 finds to be a constant across a call fills
    /// all of a register, and `cvt.u32.u16` and `mul.wide.u16` then take its upper half too.
    fn extend_half(&mut self, to: Register, from: Register, signed: bool) {
        if signed {
            let word = self.fresh(Class::Word);
            op!(self, "cvt.s32.s8" => word, from);
            op!(self, "cvt.u16.u32" => to, word);
        } else {
            op!(self, "and.b16" => to, from, 255);
        }
    }

    fn compare(&mut self, op: Compare, data: &InstData, result: Value) {
        let (first, second) = (data.args[0], data.args[1]);
        let ty = self.function.ty(first);
        if ty == Type::Pred {
            return self.compare_predicates(op, first, second, result);
        }
        let op = if self.inverted(result) { op.inverted() } else { op };
        let (name, kind) = comparison(op);
        let (a, b) = match kind {
            Kind::Signed | Kind::Unsigned | Kind::Equal if ty == Type::I8 => {
                let signed = kind == Kind::Signed;
                (self.extended(first, signed), self.extended(second, signed))
            }
            _ => (self.operand(first), self.operand(second)),
        };
        let (sign, width) = match kind {
            Kind::Signed => ("s", width(ty)),
            Kind::Unsigned => ("u", width(ty)),
            Kind::Equal if matches!(ty, Type::F32 | Type::F64) => ("", float(ty)),
            Kind::Equal => ("s", width(ty)),
            Kind::Float => ("", float(ty)),
        };
        let to = self.result(result);
        op!(self, "setp.", name, ".", sign, width => to, a, b);
    }

    /// Comparison of truth values, false below true.
    fn compare_predicates(&mut self, op: Compare, first: Value, second: Value, result: Value) {
        let (a, b) = (self.register(first), self.register(second));
        let to = self.result(result);
        let aside = self.fresh(Class::Predicate);
        // As numbers true is 1, or -1 where signed: below false.
        match op {
            Compare::Ne => op!(self, "xor.pred" => to, a, b),
            Compare::Eq => {
                op!(self, "xor.pred" => aside, a, b);
                op!(self, "not.pred" => to, aside);
            }
            Compare::ULt | Compare::SGt => {
                op!(self, "not.pred" => aside, a);
                op!(self, "and.pred" => to, aside, b);
            }
            Compare::UGt | Compare::SLt => {
                op!(self, "not.pred" => aside, b);
                op!(self, "and.pred" => to, aside, a);
            }
            Compare::ULe | Compare::SGe => {
                op!(self, "not.pred" => aside, a);
                op!(self, "or.pred" => to, aside, b);
            }
            Compare::UGe | Compare::SLe => {
                op!(self, "not.pred" => aside, b);
                op!(self, "or.pred" => to, aside, a);
            }
            Compare::FOEq
            | Compare::FONe
            | Compare::FOLt
            | Compare::FOLe
            | Compare::FOGt
            | Compare::FOGe
            | Compare::FUEq
            | Compare::FUNe
            | Compare::FULt
            | Compare::FULe
            | Compare::FUGt
            | Compare::FUGe
            | Compare::FOrd
            | Compare::FUno => self.refuse("truth values compared as floats"),
        }
    }

    fn select(&mut self, data: &InstData, result: Value) {
        let ty = self.function.ty(result);
        let condition = self.register(data.args[0]);
        if ty == Type::Pred {
            let (then, other) = (self.register(data.args[1]), self.register(data.args[2]));
            let (yes, no) = (self.fresh(Class::Predicate), self.fresh(Class::Predicate));
            let otherwise = self.fresh(Class::Predicate);
            op!(self, "and.pred" => yes, condition, then);
            op!(self, "not.pred" => otherwise, condition);
            op!(self, "and.pred" => no, otherwise, other);
            let to = self.result(result);
            return op!(self, "or.pred" => to, yes, no);
        }
        let (then, other) = (self.operand(data.args[1]), self.operand(data.args[2]));
        let to = self.result(result);
        // ptxas makes a choice between whole numbers one of integers that is then converted, and takes -0.0 for one of them.
        let minus_zero = |value| ty == Type::F32 && self.function.constant(value) == Some(1 << 31);
        let (kind, width) = match ty {
            _ if data.args[1..].iter().copied().any(minus_zero) => ("b", width(ty)),
            Type::F32 | Type::F64 => ("", float(ty)),
            _ => ("b", width(ty)),
        };
        op!(self, "selp.", kind, width => to, then, other, condition);
    }

    fn offset(&mut self, data: &InstData, result: Value) {
        let (pointer, by) = (data.args[0], data.args[1]);
        let address = self.selection.address(self.function, pointer);
        if let (Some(bits), true) = (self.function.constant(by), address.base != pointer) {
            // From where the address begins, so that what lies between needs no register.
            let base = self.register(address.base);
            let to = self.result(result);
            let offset = (bits as i64).wrapping_add(address.offset);
            return op!(self, "add.s64" => to, base, offset);
        }
        let (base, by) = (self.register(pointer), self.operand(by));
        let to = self.result(result);
        op!(self, "add.s64" => to, base, by);
    }

    fn convert(&mut self, kind: Convert, from: Value, result: Value) {
        let (source, target) = (self.function.ty(from), self.function.ty(result));
        match kind {
            Convert::Space => return self.convert_space(source, target, from, result),
            Convert::Bits => {
                // Between integers and floats; the rest has no instruction.
                let (a, to) = (self.register(from), self.result(result));
                return op!(self, "mov.b", width(target) => to, a);
            }
            _ => {}
        }
        if source == Type::Pred {
            return self.extend_predicate(kind, from, target, result);
        }
        if target == Type::Pred {
            return self.lowest_bit(source, from, result);
        }
        let a = self.register(from);
        let to = self.result(result);
        // 8-bit operands have names of their own here: their upper bits are not read, and are written.
        let integer = |ty: Type| if ty == Type::I8 { "8" } else { width(ty) };
        let name = match kind {
            Convert::Truncate if Class::of(source) == Class::of(target) => ["mov.u16", "", "", ""],
            Convert::Truncate => ["cvt.u", width(target), ".u", width(source)],
            Convert::ZeroExtend if source == Type::I8 && target == Type::I16 => {
                return self.extend_half(to, a, false);
            }
            Convert::SignExtend if source == Type::I8 && target == Type::I16 => {
                return self.extend_half(to, a, true);
            }
            Convert::ZeroExtend => ["cvt.u", width(target), ".u", integer(source)],
            Convert::SignExtend => ["cvt.s", width(target), ".s", integer(source)],
            Convert::SToF => ["cvt.rn.", float(target), ".s", integer(source)],
            Convert::UToF => ["cvt.rn.", float(target), ".u", integer(source)],
            Convert::FToS => ["cvt.rzi.s", integer(target), ".", float(source)],
            Convert::FToU => ["cvt.rzi.u", integer(target), ".", float(source)],
            Convert::Float if source == Type::F64 => ["cvt.rn.f32.f64", "", "", ""],
            Convert::Float => ["cvt.f64.f32", "", "", ""],
            Convert::Bits | Convert::Space => return,
        };
        self.op(&name, &[to.into(), a.into()]);
    }

    fn convert_space(&mut self, source: Type, target: Type, from: Value, result: Value) {
        let (a, to) = (self.register(from), self.result(result));
        match (source, target) {
            (Type::Ptr(Space::Generic), Type::Ptr(at)) => {
                op!(self, "cvta.to", space(at), ".u64" => to, a);
            }
            (Type::Ptr(at), Type::Ptr(Space::Generic)) => {
                if at == Space::Param && self.arch() < 70 {
                    self.refuse("the address of a kernel parameter needs sm_70");
                }
                op!(self, "cvta", space(at), ".u64" => to, a);
            }
            _ => self.refuse("a pointer from one memory to another"),
        }
    }

    fn extend_predicate(&mut self, kind: Convert, from: Value, target: Type, result: Value) {
        let condition = self.register(from);
        let to = self.result(result);
        match kind {
            Convert::ZeroExtend => op!(self, "selp.u", width(target) => to, 1, 0, condition),
            Convert::SignExtend => op!(self, "selp.s", width(target) => to, -1, 0, condition),
            Convert::UToF | Convert::SToF => {
                let sign = if kind == Convert::SToF { -1.0f64 } else { 1.0 };
                let (one, zero) = match target {
                    Type::F32 => (Operand::Float((sign as f32).to_bits()), Operand::Float(0)),
                    _ => (Operand::Double(sign.to_bits()), Operand::Double(0)),
                };
                op!(self, "selp.", float(target) => to, one, zero, condition);
            }
            Convert::Truncate
            | Convert::Bits
            | Convert::FToS
            | Convert::FToU
            | Convert::Float
            | Convert::Space => self.refuse("a conversion of a truth value"),
        }
    }

    /// The lowest bit of an integer.
    fn lowest_bit(&mut self, source: Type, from: Value, result: Value) {
        let class = Class::of(source);
        if matches!(class, Class::Float | Class::Double | Class::Predicate) {
            return self.refuse("a conversion to a truth value");
        }
        let a = self.register(from);
        let bit = self.fresh(class);
        let to = self.result(result);
        let width = width(source);
        op!(self, "and.b", width => bit, a, 1);
        op!(self, "setp.eq.s", width => to, bit, 1);
    }
}

/// What the name of an operation on bits ends with.
fn logic(ty: Type) -> &'static str {
    match width(ty) {
        "1" => ".pred",
        "16" => ".b16",
        "32" => ".b32",
        _ => ".b64",
    }
}

/// Whose order a comparison is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Equal,
    Signed,
    Unsigned,
    Float,
}

fn comparison(op: Compare) -> (&'static str, Kind) {
    match op {
        Compare::Eq => ("eq", Kind::Equal),
        Compare::Ne => ("ne", Kind::Equal),
        Compare::SLt => ("lt", Kind::Signed),
        Compare::SLe => ("le", Kind::Signed),
        Compare::SGt => ("gt", Kind::Signed),
        Compare::SGe => ("ge", Kind::Signed),
        Compare::ULt => ("lt", Kind::Unsigned),
        Compare::ULe => ("le", Kind::Unsigned),
        Compare::UGt => ("gt", Kind::Unsigned),
        Compare::UGe => ("ge", Kind::Unsigned),
        Compare::FOEq => ("eq", Kind::Float),
        Compare::FONe => ("ne", Kind::Float),
        Compare::FOLt => ("lt", Kind::Float),
        Compare::FOLe => ("le", Kind::Float),
        Compare::FOGt => ("gt", Kind::Float),
        Compare::FOGe => ("ge", Kind::Float),
        Compare::FUEq => ("equ", Kind::Float),
        Compare::FUNe => ("neu", Kind::Float),
        Compare::FULt => ("ltu", Kind::Float),
        Compare::FULe => ("leu", Kind::Float),
        Compare::FUGt => ("gtu", Kind::Float),
        Compare::FUGe => ("geu", Kind::Float),
        Compare::FOrd => ("num", Kind::Float),
        Compare::FUno => ("nan", Kind::Float),
    }
}
