//! Functions that are called: prototypes and calls.

use super::function::Writer;
use super::operand::{Class, Operand};
use super::text::{self, Address, Base, line, op};
use crate::builtin::Meaning;
use crate::ir::{FunctionId, Module, Op, Type, Value};
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

/// Name, result and parameters of a function that is not a kernel.
pub(super) fn prototype(module: &Module, id: FunctionId, out: &mut String) {
    let function = &module.functions[id.index()];
    out.push_str(".func ");
    if let Some(ty) = function.result {
        let _ = write!(out, " (.param .{} func_retval0) ", passed(ty));
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
    /// Writes a call: parameters and result travel in variables of the caller.
    pub(super) fn call(&mut self, name: &str, args: &[Value], result: Option<Value>) {
        let args: Vec<Operand> = args.iter().map(|arg| self.widened_argument(*arg)).collect();
        let out = result.map(|result| self.result(result));
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
        match (result, out) {
            (Some(value), Some(register)) => {
                let ty = self.function.ty(value);
                line!(self, ".param .", passed(ty), " retval0;");
                line!(self, "call.uni (retval0), ", name, ", (", &list, ");");
                match ty {
                    Type::Pred => {
                        let word = self.fresh(Class::Word);
                        line!(self, "ld.param.b32 \t", word, ", [retval0+0];");
                        op!(self, "setp.ne.s32" => register, word, 0);
                    }
                    Type::I8 | Type::I16 => {
                        let word = self.fresh(Class::Word);
                        line!(self, "ld.param.b32 \t", word, ", [retval0+0];");
                        op!(self, "cvt.u16.u32" => register, word);
                    }
                    Type::I32 | Type::I64 | Type::Ptr(_) => {
                        line!(self, "ld.param.", passed(ty), " \t", register, ", [retval0+0];");
                    }
                    Type::F32 => line!(self, "ld.param.f32 \t", register, ", [retval0+0];"),
                    Type::F64 => line!(self, "ld.param.f64 \t", register, ", [retval0+0];"),
                }
            }
            _ => line!(self, "call.uni ", name, ", (", &list, ");"),
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
    pub(super) fn returned(&mut self, value: Value) {
        let arg = self.widened_argument(value);
        let ty = match self.function.ty(value) {
            Type::F32 => "f32",
            Type::F64 => "f64",
            other => passed(other),
        };
        line!(self, "st.param.", ty, " \t[func_retval0+0], ", arg, ";");
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
