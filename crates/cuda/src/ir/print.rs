//! Textual form of the intermediate representation.
//!
//! Enters: a module or a function. Leaves: text that `parse` reads again. Values and blocks are numbered in the
//! order in which they are printed (blocks in reverse postorder), so that the text does not depend on how passes came
//! there; what nothing reaches is not printed. This module must never know PTX.

use super::cfg::reverse_postorder;
use super::{
    Access, Asm, Binary, Block, Compare, Convert, Def, Edge, Function, FunctionId, Global, Inline, Inst,
    Module, Op, Space, Symbol, Terminator, Type, Unary, Unroll, Value, Wrap,
};
use std::fmt::Write;

/// Names of types without pointers.
pub(crate) const TYPES: [(Type, &str); 7] = [
    (Type::Pred, "pred"),
    (Type::I8, "i8"),
    (Type::I16, "i16"),
    (Type::I32, "i32"),
    (Type::I64, "i64"),
    (Type::F32, "f32"),
    (Type::F64, "f64"),
];

/// Names of spaces.
pub(crate) const SPACES: [(Space, &str); 6] = [
    (Space::Generic, "generic"),
    (Space::Global, "global"),
    (Space::Shared, "shared"),
    (Space::Constant, "constant"),
    (Space::Local, "local"),
    (Space::Param, "param"),
];

/// Names of operations of one operand.
pub(crate) const UNARIES: [(Unary, &str); 4] =
    [(Unary::Not, "not"), (Unary::Neg, "neg"), (Unary::FNeg, "fneg"), (Unary::FAbs, "fabs")];

const NONE: Wrap = Wrap { nsw: false, nuw: false };

/// Names of operations of two operands; those that have a [`Wrap`] add it after points.
pub(crate) const BINARIES: [(Binary, &str); 23] = [
    (Binary::Add(NONE), "add"),
    (Binary::Sub(NONE), "sub"),
    (Binary::Mul(NONE), "mul"),
    (Binary::SDiv, "sdiv"),
    (Binary::UDiv, "udiv"),
    (Binary::SRem, "srem"),
    (Binary::URem, "urem"),
    (Binary::And, "and"),
    (Binary::Or, "or"),
    (Binary::Xor, "xor"),
    (Binary::Shl(NONE), "shl"),
    (Binary::LShr, "lshr"),
    (Binary::AShr, "ashr"),
    (Binary::SMin, "smin"),
    (Binary::SMax, "smax"),
    (Binary::UMin, "umin"),
    (Binary::UMax, "umax"),
    (Binary::FAdd, "fadd"),
    (Binary::FSub, "fsub"),
    (Binary::FMul, "fmul"),
    (Binary::FDiv, "fdiv"),
    (Binary::FMin, "fmin"),
    (Binary::FMax, "fmax"),
];

/// Names of comparisons.
pub(crate) const COMPARES: [(Compare, &str); 24] = [
    (Compare::Eq, "eq"),
    (Compare::Ne, "ne"),
    (Compare::SLt, "slt"),
    (Compare::SLe, "sle"),
    (Compare::SGt, "sgt"),
    (Compare::SGe, "sge"),
    (Compare::ULt, "ult"),
    (Compare::ULe, "ule"),
    (Compare::UGt, "ugt"),
    (Compare::UGe, "uge"),
    (Compare::FOEq, "foeq"),
    (Compare::FONe, "fone"),
    (Compare::FOLt, "folt"),
    (Compare::FOLe, "fole"),
    (Compare::FOGt, "fogt"),
    (Compare::FOGe, "foge"),
    (Compare::FUEq, "fueq"),
    (Compare::FUNe, "fune"),
    (Compare::FULt, "fult"),
    (Compare::FULe, "fule"),
    (Compare::FUGt, "fugt"),
    (Compare::FUGe, "fuge"),
    (Compare::FOrd, "ford"),
    (Compare::FUno, "funo"),
];

/// Names of conversions.
pub(crate) const CONVERTS: [(Convert, &str); 10] = [
    (Convert::Truncate, "trunc"),
    (Convert::ZeroExtend, "zext"),
    (Convert::SignExtend, "sext"),
    (Convert::Bits, "bits"),
    (Convert::SToF, "stof"),
    (Convert::UToF, "utof"),
    (Convert::FToS, "ftos"),
    (Convert::FToU, "ftou"),
    (Convert::Float, "float"),
    (Convert::Space, "space"),
];

/// The name of a key in one of the tables above.
pub(crate) fn name_in<K: PartialEq>(table: &[(K, &'static str)], key: &K) -> &'static str {
    table.iter().find(|(other, _)| other == key).map_or("?", |(_, name)| name)
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Ptr(space) => write!(f, "ptr.{}", name_in(&SPACES, space)),
            Type::Pred | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64 => {
                f.write_str(name_in(&TYPES, self))
            }
        }
    }
}

impl std::fmt::Display for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for global in &self.globals {
            print_global(f, self, global)?;
        }
        for function in &self.functions {
            Printer::new(function, Some(self)).print(f)?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Printer::new(self, None).print(f)
    }
}

fn print_global(f: &mut std::fmt::Formatter<'_>, module: &Module, global: &Global) -> std::fmt::Result {
    write!(f, "global @{} {} {}", global.name, name_in(&SPACES, &global.space), global.size)?;
    write!(
        f,
        " align {} element {}{}",
        global.align,
        if global.element.1 { "f" } else { "i" },
        global.element.0
    )?;
    for (is, word) in [
        (global.array, " array"),
        (global.visible, " visible"),
        (global.external, " external"),
        (global.read_only, " readonly"),
    ] {
        if is {
            f.write_str(word)?;
        }
    }
    if let Some((bytes, addresses)) = &global.initial {
        f.write_str(" = \"")?;
        for byte in bytes {
            write!(f, "{byte:02x}")?;
        }
        f.write_char('"')?;
        for (at, of, add) in addresses {
            let name = match of {
                Symbol::Global(id) => module.globals.get(id.index()).map(|global| &global.name),
                Symbol::Function(id) => module.functions.get(id.index()).map(|function| &function.name),
            };
            let name = name.map_or("?", |name| name);
            write!(f, ", {at}: @{name} + {add}")?;
        }
    }
    f.write_char('\n')
}

struct Printer<'a> {
    function: &'a Function,
    module: Option<&'a Module>,
    order: Vec<Block>,
    values: Vec<u32>,
    blocks: Vec<u32>,
}

impl<'a> Printer<'a> {
    fn new(function: &'a Function, module: Option<&'a Module>) -> Self {
        let order = reverse_postorder(function);
        let mut values = vec![u32::MAX; function.values.len()];
        let mut blocks = vec![u32::MAX; function.blocks.len()];
        let mut next = 0;
        for (number, block) in order.iter().enumerate() {
            blocks[block.index()] = number as u32;
            let data = &function.blocks[block.index()];
            let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
            for value in data.params.iter().chain(results) {
                values[value.index()] = next;
                next += 1;
            }
        }
        Printer { function, module, order, values, blocks }
    }

    fn print(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let function = self.function;
        let kind = match (function.kernel, function.external) {
            (true, _) => "kernel",
            (false, true) => "external",
            (false, false) => "function",
        };
        write!(f, "{kind} @{}(", function.name)?;
        for (n, param) in function.params.iter().enumerate() {
            if n > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{}", param.name)?;
            if let Some((bytes, align)) = param.bytes {
                write!(f, " bytes {bytes} align {align}")?;
            }
            if param.restrict {
                f.write_str(" restrict")?;
            }
            if param.points_to_const {
                f.write_str(" const")?;
            }
        }
        f.write_char(')')?;
        f.write_str(if function.visible { " visible" } else { "" })?;
        match function.inline {
            Inline::Auto => {}
            Inline::Always => f.write_str(" always")?,
            Inline::Never => f.write_str(" never")?,
        }
        for (n, ty) in function.results.iter().enumerate() {
            write!(f, "{}{ty}", if n > 0 { ", " } else { " -> " })?;
        }
        f.write_str(" {\n")?;
        for block in &self.order {
            self.block(f, *block)?;
        }
        f.write_str("}\n")
    }

    fn block(&self, f: &mut std::fmt::Formatter<'_>, block: Block) -> std::fmt::Result {
        let data = &self.function.blocks[block.index()];
        write!(f, "b{}", self.blocks[block.index()])?;
        if !data.params.is_empty() {
            f.write_char('(')?;
            for (n, param) in data.params.iter().enumerate() {
                let comma = if n > 0 { ", " } else { "" };
                write!(f, "{comma}{}: {}", self.value(*param), self.function.ty(*param))?;
            }
            f.write_char(')')?;
        }
        match data.unroll {
            None => {}
            Some(Unroll::Full) => f.write_str(" unroll full")?,
            Some(Unroll::Done) => f.write_str(" unroll done")?,
            Some(Unroll::By(by)) => write!(f, " unroll {by}")?,
        }
        f.write_str(":\n")?;
        for inst in &data.insts {
            self.inst(f, *inst)?;
        }
        self.end(f, &data.end)
    }

    fn inst(&self, f: &mut std::fmt::Formatter<'_>, inst: Inst) -> std::fmt::Result {
        let data = &self.function.insts[inst.index()];
        f.write_str("  ")?;
        for (n, result) in data.results.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            write!(f, "{comma}{}: {}", self.value(*result), self.function.ty(*result))?;
        }
        if !data.results.is_empty() {
            f.write_str(" = ")?;
        }
        self.op(f, &data.op)?;
        self.list(f, " ", &data.args)?;
        f.write_char('\n')
    }

    fn list(&self, f: &mut std::fmt::Formatter<'_>, before: &str, values: &[Value]) -> std::fmt::Result {
        for (n, value) in values.iter().enumerate() {
            write!(f, "{}{}", if n > 0 { ", " } else { before }, self.value(*value))?;
        }
        Ok(())
    }

    fn op(&self, f: &mut std::fmt::Formatter<'_>, op: &Op) -> std::fmt::Result {
        match op {
            Op::Unary(unary) => f.write_str(name_in(&UNARIES, unary)),
            Op::Binary(binary) => {
                let (plain, wrap) = binary.without_wrap();
                f.write_str(name_in(&BINARIES, &plain))?;
                f.write_str(if wrap.nsw { ".nsw" } else { "" })?;
                f.write_str(if wrap.nuw { ".nuw" } else { "" })
            }
            Op::Compare(compare) => write!(f, "cmp.{}", name_in(&COMPARES, compare)),
            Op::Select => f.write_str("select"),
            Op::Fma => f.write_str("fma"),
            Op::Convert(convert) => f.write_str(name_in(&CONVERTS, convert)),
            Op::Slot { size, align } => write!(f, "slot {size} align {align}"),
            Op::Global(global) => match self.module.and_then(|module| module.globals.get(global.index())) {
                Some(data) => write!(f, "global @{}", data.name),
                None => write!(f, "global #{}", global.0),
            },
            Op::Function(id) => self.function(f, "function", *id),
            Op::Offset => f.write_str("offset"),
            Op::Load(access) => print_access(f, "load", access),
            Op::Store(access) => print_access(f, "store", access),
            Op::Copy { size, align } => write!(f, "copy {size} align {align}"),
            Op::Zero { size, align } => write!(f, "zero {size} align {align}"),
            Op::Call(callee) => self.function(f, "call", *callee),
            Op::CallIndirect => f.write_str("call_indirect"),
            Op::Builtin(row, letter) => {
                let letter = if *letter == 0 { '-' } else { char::from(*letter) };
                write!(f, "builtin \"{} {} {letter}\"", row.name, row.signature)
            }
            Op::Asm(asm) => print_asm(f, asm),
        }
    }

    fn function(&self, f: &mut std::fmt::Formatter<'_>, word: &str, id: FunctionId) -> std::fmt::Result {
        match self.module.and_then(|module| module.functions.get(id.index())) {
            Some(data) => write!(f, "{word} @{}", data.name),
            None => write!(f, "{word} #{}", id.0),
        }
    }

    fn end(&self, f: &mut std::fmt::Formatter<'_>, end: &Terminator) -> std::fmt::Result {
        match end {
            Terminator::Jump(edge) => writeln!(f, "  jump {}", self.edge(edge)),
            Terminator::Branch(predicate, yes, no) => {
                writeln!(f, "  branch {}, {}, {}", self.value(*predicate), self.edge(yes), self.edge(no))
            }
            Terminator::Switch(value, cases, other) => {
                write!(f, "  switch {}", self.value(*value))?;
                for (number, edge) in cases {
                    write!(f, ", {number}: {}", self.edge(edge))?;
                }
                writeln!(f, ", {}", self.edge(other))
            }
            Terminator::Return(values) => {
                f.write_str("  return")?;
                for (n, value) in values.iter().enumerate() {
                    write!(f, "{}{}", if n > 0 { ", " } else { " " }, self.value(*value))?;
                }
                f.write_char('\n')
            }
            Terminator::Unreachable => f.write_str("  unreachable\n"),
        }
    }

    fn edge(&self, edge: &Edge) -> String {
        let mut text = match self.blocks.get(edge.block.index()) {
            Some(number) => format!("b{number}"),
            None => "b?".to_owned(),
        };
        if !edge.args.is_empty() {
            let args: Vec<String> = edge.args.iter().map(|arg| self.value(*arg)).collect();
            let _ = write!(text, "({})", args.join(", "));
        }
        text
    }

    fn value(&self, value: Value) -> String {
        let value = self.function.resolve(value);
        let data = &self.function.values[value.index()];
        match data.def {
            Def::Result(..) | Def::Param(..) | Def::Alias(_) => match self.values[value.index()] {
                u32::MAX => format!("dead{}", value.0),
                number => format!("v{number}"),
            },
            Def::Undefined => format!("undef:{}", data.ty),
            Def::Constant(bits) => match (data.ty, bits.get()) {
                (Type::F32, bits) => float_text(f64::from(f32::from_bits(bits as u32)), bits, "f32"),
                (Type::F64, bits) => float_text(f64::from_bits(bits), bits, "f64"),
                (ty, bits) => {
                    let unused = 64 - 8 * ty.bytes().min(8);
                    format!("{}:{ty}", ((bits << unused) as i64) >> unused)
                }
            },
        }
    }
}

/// A float as a number where that gives the same bits again, otherwise (NaN) as bits.
fn float_text(float: f64, bits: u64, ty: &str) -> String {
    if float.is_nan() { format!("{bits:#x}:{ty}") } else { format!("{float:?}:{ty}") }
}

fn print_access(f: &mut std::fmt::Formatter<'_>, name: &str, access: &Access) -> std::fmt::Result {
    write!(f, "{name}.a{}", access.align)?;
    f.write_str(if access.volatile { ".volatile" } else { "" })?;
    f.write_str(if access.invariant { ".invariant" } else { "" })?;
    f.write_str(access.cache_text())
}

fn print_asm(f: &mut std::fmt::Formatter<'_>, asm: &Asm) -> std::fmt::Result {
    let classes = String::from_utf8_lossy(&asm.classes);
    write!(f, "asm {:?} {classes:?}", asm.text)?;
    for (operand, number) in &asm.numbers {
        write!(f, " %{operand} = {number}")?;
    }
    f.write_str(if asm.volatile { " volatile" } else { "" })?;
    f.write_str(if asm.memory { " memory" } else { "" })
}
