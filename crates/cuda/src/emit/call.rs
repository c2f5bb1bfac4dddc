//! Functions that are called: prototypes and calls.

use super::function::Writer;
use super::operand::{Class, Operand};
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
            self.push(&format!(".param .{declared} param{number};"));
            self.push(&format!("st.param.{ty} \t[param{number}+0], {arg};"));
        }
        let list: Vec<String> = (0..args.len()).map(|number| format!("param{number}")).collect();
        let list = list.join(", ");
        match (result, out) {
            (Some(value), Some(register)) => {
                let ty = self.function.ty(value);
                self.push(&format!(".param .{} retval0;", passed(ty)));
                self.push(&format!("call.uni (retval0), {name}, ({list});"));
                match ty {
                    Type::Pred => {
                        let word = self.fresh(Class::Word);
                        self.push(&format!("ld.param.b32 \t{word}, [retval0+0];"));
                        self.push(&format!("setp.ne.s32 \t{register}, {word}, 0;"));
                    }
                    Type::I8 | Type::I16 => {
                        let word = self.fresh(Class::Word);
                        self.push(&format!("ld.param.b32 \t{word}, [retval0+0];"));
                        self.push(&format!("cvt.u16.u32 \t{register}, {word};"));
                    }
                    Type::I32 | Type::I64 | Type::Ptr(_) => {
                        self.push(&format!("ld.param.{} \t{register}, [retval0+0];", passed(ty)));
                    }
                    Type::F32 => self.push(&format!("ld.param.f32 \t{register}, [retval0+0];")),
                    Type::F64 => self.push(&format!("ld.param.f64 \t{register}, [retval0+0];")),
                }
            }
            _ => self.push(&format!("call.uni {name}, ({list});")),
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
                self.push(&format!("selp.u32 \t{word}, 1, 0, {condition};"));
                Operand::Register(word)
            }
            Type::I8 | Type::I16 => {
                let half = self.register(value);
                let word = self.fresh(Class::Word);
                self.push(&format!("cvt.u32.u16 \t{word}, {half};"));
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
        self.push(&format!("st.param.{ty} \t[func_retval0+0], {arg};"));
    }

    /// Loads a parameter where a function begins.
    pub(super) fn load_parameter(&mut self, number: usize, value: Value) {
        let name = format!("{}_param_{number}", self.function.name);
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
            self.push(&format!("ld.param.u8 \t{half}, [{name}];"));
            self.push(&format!("setp.ne.s16 \t{register}, {half}, 0;"));
        } else {
            self.push(&format!("ld.param.{suffix} \t{register}, [{name}];"));
        }
    }
}
