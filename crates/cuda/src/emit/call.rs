//! Functions that are called: prototypes and calls.

use super::operand::{Class, Operand, Register};
use super::text::{self, Address, Base, line, op};
use super::writer::Writer;
use crate::builtin::Meaning;
use crate::ir::{FunctionId, Module, Op, Record, Type, Value};
use std::fmt::Write;

/// Functions of the driver: name, what it returns, and what it takes.
const EXTERNALS: &[(&str, &str, &[&str])] = &[
    ("vprintf", "b32", &["b64", "b64"]),
    ("__assertfail", "", &["b64", "b64", "b32", "b64", "b64"]),
    ("malloc", "b64", &["b64"]),
    ("free", "", &["b64"]),
];

/// Functions that a function calls, each once.
pub(super) fn callees(module: &Module, id: FunctionId) -> Vec<FunctionId> {
    let function = &module.functions[id.index()];
    let mut found = vec![];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::Call(callee) = function.insts[inst.index()].op
            && !found.contains(&callee)
        {
            found.push(callee);
        }
    }
    found
}

/// Declares the functions of the driver that are called.
pub(super) fn declare_externals(module: &Module, order: &[FunctionId], out: &mut String) {
    let mut called = vec![];
    for function in order.iter().map(|id| &module.functions[id.index()]) {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Op::Builtin(builtin, _) = &function.insts[inst.index()].op
                && let Meaning::Call(name) = builtin.meaning
            {
                called.push(name);
            }
        }
    }
    for (name, result, parameters) in EXTERNALS.iter().filter(|(name, ..)| called.contains(name)) {
        out.push_str(".extern .func ");
        if !result.is_empty() {
            let _ = write!(out, "(.param .{result} func_retval0) ");
        }
        let _ = write!(out, "{name}\n(\n");
        for (number, ty) in parameters.iter().enumerate() {
            let comma = if number + 1 < parameters.len() { "," } else { "" };
            let _ = writeln!(out, "\t.param .{ty} {name}_param_{number}{comma}");
        }
        out.push_str(")\n;\n");
    }
}

/// Type of a parameter or result: at least 32 bits wide.
fn passed(ty: Type) -> &'static str {
    match ty {
        Type::Pred | Type::I8 | Type::I16 | Type::I32 | Type::F32 => "b32",
        Type::I64 | Type::F64 | Type::Ptr(_) => "b64",
    }
}

/// Where a result lies in the variable that a function returns, and as what: a record's part as it is, a scalar at least 32
/// bits wide.
fn returned_as(record: Option<&Record>, number: usize, ty: Type) -> (u64, &'static str) {
    let part = record.and_then(|record| record.parts.get(number));
    let place = part.map_or(0, |(offset, _)| *offset);
    let ty = match ty {
        Type::F32 => "f32",
        Type::F64 => "f64",
        Type::I8 if part.is_some() => "b8",
        Type::I16 if part.is_some() => "b16",
        Type::Pred | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr(_) => passed(ty),
    };
    (place, ty)
}

/// Declares the variable that a function returns.
fn returned_variable(record: Option<&Record>, results: &[Type], name: &str, out: &mut String) {
    let _ = match (record, results) {
        (Some(Record { size, align, .. }), _) => write!(out, ".param .align {align} .b8 {name}[{size}]"),
        (None, [ty, ..]) => write!(out, ".param .{} {name}", passed(*ty)),
        (None, []) => Ok(()),
    };
}

/// Name, result and parameters of a function that is not a kernel.
pub(super) fn prototype(module: &Module, id: FunctionId, out: &mut String) {
    let function = &module.functions[id.index()];
    out.push_str(".func ");
    if !function.results.is_empty() {
        out.push_str(" (");
        returned_variable(function.record.as_ref(), &function.results, "func_retval0", out);
        out.push_str(") ");
    }
    let _ = write!(out, "{}(", function.name);
    for (number, param) in function.params.iter().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let ty = passed(function.ty(param.value));
        let _ = write!(out, "{comma}\n\t.param .{ty} {}_param_{number}", function.name);
    }
    out.push_str("\n)\n");
}

/// Declares what a function calls but what is written only after it: those that call each other.
pub(super) fn declare_callees(module: &Module, id: FunctionId, emitted: &[bool], out: &mut String) {
    for callee in callees(module, id) {
        if !emitted[callee.index()] {
            prototype(module, callee, out);
            out.push_str(";\n");
        }
    }
}

impl Writer<'_, '_> {
    /// Writes a call: parameters and results travel in variables of the caller.
    pub(super) fn call(&mut self, name: &str, record: Option<&Record>, args: &[Value], results: &[Value]) {
        let args: Vec<Operand> = args.iter().map(|arg| self.widened_argument(*arg)).collect();
        let results: Vec<(Value, Register)> =
            results.iter().map(|result| (*result, self.result(*result))).collect();
        self.push("{");
        for (number, arg) in args.iter().enumerate() {
            let ty = match arg {
                Operand::Register(register) => match register.class {
                    Class::Word => "b32",
                    Class::Float => "f32",
                    Class::Double => "f64",
                    Class::Long | Class::Half | Class::Predicate => "b64",
                },
                Operand::Integer(_) | Operand::Float(_) | Operand::Double(_) => "b32",
            };
            let declared = if matches!(ty, "b32" | "f32") { "b32" } else { "b64" };
            line!(self, ".param .", declared, " param", number, ";");
            line!(self, "st.param.", ty, " \t[param", number, "+0], ", *arg, ";");
        }
        let mut list = String::new();
        for number in 0..args.len() {
            let comma = if number > 0 { ", " } else { "" };
            text::pieces(&mut list, &[comma.into(), "param".into(), number.into()]);
        }
        if results.is_empty() {
            line!(self, "call.uni ", name, ", (", &list, ");");
        } else {
            let mut variable = String::new();
            let types: Vec<Type> = results.iter().map(|(value, _)| self.function.ty(*value)).collect();
            returned_variable(record, &types, "retval0", &mut variable);
            line!(self, &variable, ";");
            line!(self, "call.uni (retval0), ", name, ", (", &list, ");");
        }
        for (number, (value, register)) in results.into_iter().enumerate() {
            let ty = self.function.ty(value);
            let (place, loaded) = returned_as(record, number, ty);
            match ty {
                Type::Pred | Type::I8 | Type::I16 if loaded == "b32" => {
                    let word = self.fresh(Class::Word);
                    line!(self, "ld.param.b32 \t", word, ", [retval0+0];");
                    if ty == Type::Pred {
                        op!(self, "setp.ne.s32" => register, word, 0);
                    } else {
                        op!(self, "cvt.u16.u32" => register, word);
                    }
                }
                _ => line!(self, "ld.param.", loaded, " \t", register, ", [retval0+", place, "];"),
            }
        }
        self.push("}");
    }

    /// Register of at least 32 bits that holds a value.
    fn widened_argument(&mut self, value: Value) -> Operand {
        let ty = self.function.ty(value);
        match ty {
            Type::Pred => {
                let condition = self.register(value);
                let word = self.fresh(Class::Word);
                op!(self, "selp.u32" => word, 1, 0, condition);
                Operand::Register(word)
            }
            Type::I8 | Type::I16 => {
                let half = self.register(value);
                let word = self.fresh(Class::Word);
                op!(self, "cvt.u32.u16" => word, half);
                Operand::Register(word)
            }
            Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr(_) => {
                Operand::Register(self.register(value))
            }
        }
    }

    /// Writes what a function returns.
    pub(super) fn returned(&mut self, values: &[Value]) {
        let record = self.function.record.as_ref();
        for (number, value) in values.iter().enumerate() {
            let (place, ty) = returned_as(record, number, self.function.ty(*value));
            let arg = match ty {
                "b8" | "b16" => Operand::Register(self.register(*value)),
                _ => self.widened_argument(*value),
            };
            line!(self, "st.param.", ty, " \t[func_retval0+", place, "], ", arg, ";");
        }
    }

    /// Loads a parameter where a function begins.
    pub(super) fn load_parameter(&mut self, number: usize, value: Value) {
        let name = Address { base: Base::Parameter(&self.function.name, number), offset: 0 };
        let ty = self.function.ty(value);
        let register = self.result(value);
        let suffix = match ty {
            Type::Pred | Type::I8 => "u8",
            Type::I16 => "u16",
            Type::I32 => "u32",
            Type::I64 | Type::Ptr(_) => "u64",
            Type::F32 => "f32",
            Type::F64 => "f64",
        };
        if ty == Type::Pred {
            let half = self.fresh(Class::Half);
            line!(self, "ld.param.u8 \t", half, ", [", name, "];");
            op!(self, "setp.ne.s16" => register, half, 0);
        } else {
            line!(self, "ld.param.", suffix, " \t", register, ", [", name, "];");
        }
    }
}
