//! Functions that are called: prototypes and calls.

use super::operand::{Class, Operand, Register};
use super::text::{self, Address, Base, line, op};
use super::writer::Writer;
use crate::builtin::{BUILTINS, Meaning};
use crate::ir::{FunctionId, Module, Op, Record, Type, Value};
use std::fmt::Write;

/// Functions of the driver that take structs by value, such as `dim3`: how many words each parameter has.
const STRUCTS: [(&str, &[usize]); 2] =
    [("__cudaCDP2GetParameterBufferV2", &[1, 3, 3, 1]), ("__cudaCDP2Memset3DAsync", &[4, 1, 3, 1])];

/// Functions that a function names, each once: those that it calls, and those whose addresses it takes.
pub(super) fn callees(module: &Module, id: FunctionId) -> Vec<FunctionId> {
    let function = &module.functions[id.index()];
    let mut found = vec![];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::Call(callee) | Op::Function(callee) = function.insts[inst.index()].op
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
    for row in BUILTINS.iter().copied().flatten() {
        if let Meaning::Call(name) = row.meaning
            && called.contains(&name)
        {
            declare_external(name, row.signature, out);
        }
    }
}

/// Declares a function of the driver, of its name and its types as [`crate::builtin::Builtin::signature`] has them.
fn declare_external(name: &str, signature: &str, out: &mut String) {
    let mut types = letters(signature);
    out.push_str(".extern .func ");
    if let Some(Some(ty)) = types.next() {
        let _ = write!(out, "(.param .{ty} func_retval0) ");
    }
    let _ = write!(out, "{name}\n(\n");
    let types: Vec<&str> = types.flatten().collect();
    let words = Callee::Name(name, None).words(types.len());
    let mut rest = types.iter();
    for (number, count) in words.iter().enumerate() {
        let comma = if number + 1 < words.len() { "," } else { "" };
        let ty = rest.by_ref().take(*count).last().copied().unwrap_or("b32");
        let _ = match count {
            1 => writeln!(out, "\t.param .{ty} {name}_param_{number}{comma}"),
            _ => {
                let bytes = if ty == "b64" { 8 } else { 4 };
                writeln!(out, "\t.param .align {bytes} .b8 {name}_param_{number}[{}]{comma}", bytes * count)
            }
        };
    }
    out.push_str(")\n;\n");
}

/// Types of the result and the parameters of a signature, at least 32 bits wide; `None` for `void`.
fn letters(signature: &str) -> impl Iterator<Item = Option<&'static str>> {
    let mut pointer = false;
    signature.chars().filter_map(move |letter| match letter {
        '*' | '^' => {
            pointer = true;
            None
        }
        '(' | ')' => None,
        letter => Some(match (std::mem::take(&mut pointer), letter) {
            (true, _) | (false, 'n' | 'N' | 'l' | 'L' | 'd') => Some("b64"),
            (false, 'v') => None,
            (false, _) => Some("b32"),
        }),
    })
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

/// Declares functions.
pub(super) fn declare(module: &Module, functions: &[FunctionId], out: &mut String) {
    for id in functions {
        prototype(module, *id, out);
        out.push_str(";\n");
    }
}

/// Declares what a function names but what is written only after it: those that call each other.
pub(super) fn declare_callees(module: &Module, id: FunctionId, emitted: &[bool], out: &mut String) {
    for callee in callees(module, id) {
        // A kernel is named where it is launched, and needs no declaration.
        if !emitted[callee.index()] && !module.functions[callee.index()].kernel {
            prototype(module, callee, out);
            out.push_str(";\n");
        }
    }
}

/// What a function that a pointer leads to returns and takes.
fn indirect_prototype(results: &[Type], params: &[Type]) -> String {
    let mut out = String::new();
    if !results.is_empty() {
        out.push('(');
        returned_variable(None, results, "_", &mut out);
        out.push_str(") ");
    }
    out.push_str("_ (");
    for (number, ty) in params.iter().enumerate() {
        let comma = if number > 0 { ", " } else { "" };
        let _ = write!(out, "{comma}.param .{} _", passed(*ty));
    }
    out.push(')');
    out
}

/// How many values each variable has that a function of the driver takes; `None` for one each.
fn struct_words(name: &str) -> Option<&'static [usize]> {
    STRUCTS.iter().find(|(of, _)| *of == name).map(|(_, words)| *words)
}

/// What is called: a function by its name, with the record that it returns in parts, or the one that a register has the address of.
enum Callee<'a> {
    Name(&'a str, Option<&'a Record>),
    Pointer(Register),
}

impl Callee<'_> {
    /// How many of the arguments each variable has.
    fn words(&self, arguments: usize) -> Vec<usize> {
        let structs = match self {
            Callee::Name(name, _) => struct_words(name),
            Callee::Pointer(_) => None,
        };
        structs.map_or_else(|| vec![1; arguments], <[usize]>::to_vec)
    }
}

impl Writer<'_, '_> {
    /// Writes a call of a function by its name.
    pub(super) fn call(&mut self, name: &str, record: Option<&Record>, args: &[Value], results: &[Value]) {
        self.call_of(&Callee::Name(name, record), args, results);
    }

    /// Writes a call of the function whose address is the first of the values.
    pub(super) fn call_indirect(&mut self, values: &[Value], results: &[Value]) {
        let [pointer, args @ ..] = values else { return self.refuse("a call of nothing") };
        let pointer = self.register(*pointer);
        self.call_of(&Callee::Pointer(pointer), args, results);
    }

    /// Parameters and results travel in variables of the caller.
    fn call_of(&mut self, callee: &Callee<'_>, args: &[Value], results: &[Value]) {
        let types: Vec<Type> = args.iter().map(|arg| self.function.ty(*arg)).collect();
        let args: Vec<Operand> = args.iter().map(|arg| self.widened_argument(*arg)).collect();
        let results: Vec<(Value, Register)> =
            results.iter().map(|result| (*result, self.result(*result))).collect();
        let words = callee.words(args.len());
        self.push("{");
        let mut rest = &args[..];
        for (number, count) in words.iter().enumerate() {
            let Some((these, others)) = rest.split_at_checked(*count) else {
                return self.refuse("a call with too few arguments");
            };
            rest = others;
            let [arg] = these else {
                let is_long = |arg: &Operand| matches!(arg, Operand::Register(of) if of.class == Class::Long);
                let (bytes, ty) = if these.iter().all(is_long) { (8, "b64") } else { (4, "b32") };
                line!(self, ".param .align ", bytes, " .b8 param", number, "[", bytes * count, "];");
                for (word, arg) in these.iter().enumerate() {
                    line!(self, "st.param.", ty, " \t[param", number, "+", bytes * word, "], ", *arg, ";");
                }
                continue;
            };
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
        for number in 0..words.len() {
            let comma = if number > 0 { ", " } else { "" };
            text::pieces(&mut list, &[comma.into(), "param".into(), number.into()]);
        }
        let returned: Vec<Type> = results.iter().map(|(value, _)| self.function.ty(*value)).collect();
        let record = match callee {
            Callee::Name(_, record) => *record,
            Callee::Pointer(_) => None,
        };
        if !returned.is_empty() {
            let mut variable = String::new();
            returned_variable(record, &returned, "retval0", &mut variable);
            line!(self, &variable, ";");
        }
        let result = if returned.is_empty() { "" } else { "(retval0), " };
        match callee {
            Callee::Name(name, _) => line!(self, "call.uni ", result, *name, ", (", &list, ");"),
            Callee::Pointer(pointer) => {
                let label = self.prototypes;
                self.prototypes += 1;
                let prototype = indirect_prototype(&returned, &types);
                line!(self, "prototype_", label, " : .callprototype ", &prototype, ";");
                line!(self, "call ", result, *pointer, ", (", &list, "), prototype_", label, ";");
            }
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
