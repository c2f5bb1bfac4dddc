//! Functions of the compiler and inline assembly: texts with operands put in.

use super::needs;
use super::operand::{Class, Operand, Register, float, width};
use super::text::{self, line, op};
use super::writer::Writer;
use crate::builtin::{Builtin, Known, Meaning, Order, Rmw, Scope};
use crate::ir::{Asm, InstData, Type, Value};

/// Letter of the type that decides an operation's signedness: what `T` stands for, or the first argument's.
fn letter(builtin: &Builtin, letter: u8) -> u8 {
    let signature = builtin.signature.as_bytes();
    match signature.iter().position(|byte| *byte == b'(').and_then(|at| signature.get(at + 1)) {
        _ if letter != 0 => letter,
        Some(first) => *first,
        None => 0,
    }
}

/// Instruction type (`$t`) and untyped one (`$b`) of a type's letter.
fn types(letter: u8) -> (&'static str, &'static str) {
    match letter {
        b'c' => ("s8", "b8"),
        b'C' => ("u8", "b8"),
        b's' => ("s16", "b16"),
        b'S' => ("u16", "b16"),
        b'i' => ("s32", "b32"),
        b'u' => ("u32", "b32"),
        b'n' | b'l' => ("s64", "b64"),
        b'N' | b'L' => ("u64", "b64"),
        b'f' => ("f32", "b32"),
        b'd' => ("f64", "b64"),
        _ => ("b32", "b32"),
    }
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Block => ".cta",
        Scope::Cluster => ".cluster",
        Scope::Device => ".gpu",
        Scope::System => ".sys",
    }
}

fn barrier_of(scope: Scope) -> &'static str {
    match scope {
        Scope::Block => "membar.cta",
        Scope::Cluster | Scope::Device => "membar.gl",
        Scope::System => "membar.sys",
    }
}

/// What makes an operation on memory one of an order and a scope.
struct Ordering {
    /// Words of the instruction before it; none for no instruction.
    before: Vec<&'static str>,
    /// Its modifiers.
    semantics: [&'static str; 2],
    /// Words of the instruction after it.
    after: Vec<&'static str>,
}

impl Writer<'_, '_> {
    pub(super) fn builtin(&mut self, data: &InstData, builtin: &Builtin, of: u8) {
        let letter = letter(builtin, of);
        let before = self.written();
        self.builtin_here(data, builtin, letter);
        self.check_needs(before, Some(builtin.name));
    }

    /// Refuses what was written since then and the target does not have.
    fn check_needs(&mut self, before: usize, builtin: Option<&str>) {
        let Some((instruction, least)) = needs::missing(self.written_since(before), self.arch()) else {
            return;
        };
        let name = builtin.filter(|name| !name.starts_with("__builtin")).unwrap_or(instruction).to_owned();
        self.refuse_for(&name, least);
    }

    fn builtin_here(&mut self, data: &InstData, builtin: &Builtin, letter: u8) {
        match builtin.meaning {
            Meaning::Known(known) => self.known(known, data, letter),
            Meaning::Pure(text)
            | Meaning::Warp(text)
            | Meaning::State(text)
            | Meaning::Fence(text)
            | Meaning::Barrier(text)
            | Meaning::End(text) => self.template(text, data, letter),
            Meaning::Call(name) => self.call(name, None, &data.args, &data.results),
            Meaning::Atomic(rmw, scope) => self.atomic(rmw, data, letter, Order::Relaxed, scope),
            Meaning::AtomicOrdered(rmw) => {
                if let Some((order, scope)) = self.order_and_scope(data) {
                    self.atomic(rmw, data, letter, order, scope);
                }
            }
            Meaning::LoadOrdered => self.ordered_load(data, letter),
            Meaning::StoreOrdered => self.ordered_store(data, letter),
            Meaning::FenceOrdered => {
                if let Some((order, scope)) = self.order_and_scope(data) {
                    self.fence(order, scope);
                }
            }
            Meaning::Load(_) | Meaning::Store(_) | Meaning::Bytes(_) | Meaning::Told(_) => {
                self.refuse(&format!("`{}` was left for the emitter", builtin.name));
            }
        }
    }

    /// Instruction whose operands follow in order, or text in which they are named.
    fn template(&mut self, text: &str, data: &InstData, letter: u8) {
        let (typed, untyped) = types(letter);
        let text = text.replace("$t", typed).replace("$b", untyped);
        // Instructions of two halves in 32 bits and those for video take no literals.
        let packed = text.contains("16x2") || text.starts_with("vabsdiff");
        let args: Vec<Operand> = data.args.iter().map(|arg| self.template_operand(*arg, packed)).collect();
        let mut operands: Vec<Operand> =
            data.results.iter().map(|result| self.result(*result).into()).collect();
        operands.extend(args);
        if !text.contains('%') {
            if operands.is_empty() || text.ends_with(';') {
                return line!(self, text.trim_end_matches(';'), ";");
            }
            return line!(self, &text, " \t", &operands, ";");
        }
        match fill(&text, &operands, self.written()) {
            Some(text) => self.push(&text),
            None => self.refuse("a template names an operand that is not there"),
        }
    }

    /// Operand of a text: numbers of 32 bits as they are, the rest in registers, since not every instruction takes them.
    fn template_operand(&mut self, value: Value, packed: bool) -> Operand {
        match self.function.ty(value) {
            Type::I32 if !packed => self.operand(value),
            _ => self.register(value).into(),
        }
    }

    fn known(&mut self, known: Known, data: &InstData, letter: u8) {
        let Some(result) = data.results.first().copied() else { return };
        let Some(first) = data.args.first().copied() else { return };
        let ty = self.function.ty(first);
        let width = width(ty);
        let floating = matches!(ty, Type::F32 | Type::F64);
        let (typed, _) = types(letter);
        let sign = if typed.starts_with('u') { "u" } else { "s" };
        let name = match known {
            Known::Fma => ["fma.rn.", float(ty), "", ""],
            Known::Min if floating => ["min.", float(ty), "", ""],
            Known::Max if floating => ["max.", float(ty), "", ""],
            Known::Min => ["min.", sign, width, ""],
            Known::Max => ["max.", sign, width, ""],
            Known::Abs if floating => ["abs.", float(ty), "", ""],
            Known::Abs => ["abs.s", width, "", ""],
            Known::Sqrt if self.fast(ty) => ["sqrt.approx.", float(ty), "", ""],
            Known::Sqrt => ["sqrt.rn.", float(ty), "", ""],
            Known::Floor => ["cvt.rmi.", float(ty), ".", float(ty)],
            Known::Ceil => ["cvt.rpi.", float(ty), ".", float(ty)],
            Known::Trunc => ["cvt.rzi.", float(ty), ".", float(ty)],
            Known::Rint => ["cvt.rni.", float(ty), ".", float(ty)],
            Known::Copysign => ["copysign.", float(ty), "", ""],
            Known::Popcount => ["popc.b", width, "", ""],
            Known::LeadingZeros => ["clz.b", width, "", ""],
            Known::ReverseBits => ["brev.b", width, "", ""],
            Known::MultiplyHigh => ["mul.hi.", sign, width, ""],
            Known::Bits => ["mov.b", width, "", ""],
        };
        let mut operands: Vec<Operand> = data.args.iter().map(|arg| self.operand(*arg)).collect();
        if known == Known::Copysign {
            // PTX has the sign first.
            operands.reverse();
        }
        if known == Known::Bits {
            operands = vec![self.register(first).into()];
        }
        let to = self.result(result);
        line!(self, &name[..], " \t", to, ", ", &operands, ";");
    }

    /// The last two arguments of an operation with an order and a scope.
    fn order_and_scope(&mut self, data: &InstData) -> Option<(Order, Scope)> {
        let [.., order, scope] = data.args.as_slice() else { return None };
        let order = match self.function.constant(*order) {
            Some(0) => Some(Order::Relaxed),
            Some(1 | 2) => Some(Order::Acquire),
            Some(3) => Some(Order::Release),
            Some(4) => Some(Order::AcquireRelease),
            Some(5) => Some(Order::SequentiallyConsistent),
            _ => None,
        };
        let scope = match self.function.constant(*scope) {
            Some(1) => Some(Scope::Block),
            Some(2) => Some(Scope::Cluster),
            Some(3) => Some(Scope::Device),
            Some(4) => Some(Scope::System),
            _ => None,
        };
        let found = order.zip(scope);
        if found.is_none() {
            self.refuse("the order and the scope of an atomic operation must be constant");
        }
        found
    }

    fn fence(&mut self, order: Order, scope: Scope) {
        if self.arch() < 70 {
            return line!(self, barrier_of(scope), ";");
        }
        let kind = match order {
            Order::SequentiallyConsistent => "sc",
            Order::Relaxed | Order::Acquire | Order::Release | Order::AcquireRelease => "acq_rel",
        };
        line!(self, "fence.", kind, scope_name(scope), ";");
    }

    fn atomic(&mut self, rmw: Rmw, data: &InstData, letter: u8, order: Order, scope: Scope) {
        let (typed, untyped) = types(letter);
        let summed = match typed {
            "s32" => "u32",
            "s64" => "u64",
            other => other,
        };
        let (operation, operands) = match rmw {
            Rmw::Add | Rmw::Sub => (["add.", summed], 1),
            Rmw::Exchange => (["exch.", untyped], 1),
            Rmw::CompareAndSwap => (["cas.", untyped], 2),
            Rmw::Min => (["min.", typed], 1),
            Rmw::Max => (["max.", typed], 1),
            Rmw::Increment => (["inc.", "u32"], 1),
            Rmw::Decrement => (["dec.", "u32"], 1),
            Rmw::And => (["and.", untyped], 1),
            Rmw::Or => (["or.", untyped], 1),
            Rmw::Xor => (["xor.", untyped], 1),
            Rmw::AddAs(kind) => (["add.", kind], 1),
        };
        let (Some(pointer), Some(values), Some(result)) =
            (data.args.first().copied(), data.args.get(1..=operands), data.results.first().copied())
        else {
            return self.refuse("an atomic operation without its operands");
        };
        let mut operands: Vec<Operand> = vec![];
        for value in values {
            let operand = if rmw == Rmw::Sub { self.negated(*value) } else { self.atomic_operand(*value) };
            operands.push(operand);
        }
        let Ordering { before, semantics, after } = self.ordering(order, scope, false);
        self.line_of(&before);
        // PTX has none there: ptxas refuses `atom.local`.
        if self.function.ty(pointer) == Type::Ptr(crate::ir::Space::Local) {
            return self.refuse(
                "atomic operation on a variable that is private to each thread: put what is to be shared in \
                 `__shared__` or global memory",
            );
        }
        let space = self.space_of(pointer);
        let address = self.address(pointer);
        let to = self.result(result);
        line!(
            self,
            "atom",
            &semantics[..],
            space,
            ".",
            &operation[..],
            " \t",
            to,
            ", [",
            address,
            "], ",
            &operands,
            ";"
        );
        self.line_of(&after);
    }

    /// Operand of an atomic operation: 16-bit ones in registers.
    fn atomic_operand(&mut self, value: Value) -> Operand {
        match self.function.ty(value) {
            Type::I8 | Type::I16 | Type::Pred => self.register(value).into(),
            Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr(_) => self.operand(value),
        }
    }

    fn negated(&mut self, value: Value) -> Operand {
        if let Operand::Integer(number) = self.operand(value) {
            return Operand::Integer(number.wrapping_neg());
        }
        let from = self.register(value);
        let to = self.fresh(from.class);
        let width = if from.class == Class::Long { "64" } else { "32" };
        op!(self, "neg.s", width => to, from);
        to.into()
    }

    fn line_of(&mut self, words: &[&str]) {
        if !words.is_empty() {
            line!(self, words, ";");
        }
    }

    /// Before `sm_70` PTX has no orders: fences on both sides are the same or more.
    fn ordering(&mut self, order: Order, scope: Scope, plain: bool) -> Ordering {
        let named = scope_name(scope);
        if self.arch() < 70 {
            let barrier = vec![barrier_of(scope)];
            // Atomics have scopes from sm_60; the device's is the least wide that is always right within a device.
            let scoped = match scope {
                Scope::Device => "",
                Scope::System if !plain && self.arch() < 60 => {
                    self.refuse("atomic operations across devices need sm_60");
                    ""
                }
                _ if plain || self.arch() < 60 => "",
                Scope::Cluster => ".gpu",
                Scope::Block | Scope::System => named,
            };
            let (before, after) = match order {
                Order::Relaxed => (vec![], vec![]),
                Order::Acquire => (vec![], barrier),
                Order::Release => (barrier, vec![]),
                Order::AcquireRelease | Order::SequentiallyConsistent => (barrier.clone(), barrier),
            };
            return Ordering { before, semantics: [scoped, ""], after };
        }
        let (before, semantics) = match order {
            Order::Relaxed if scope == Scope::Device && !plain => (vec![], ["", ""]),
            Order::Relaxed if !plain => (vec![], [named, ""]),
            Order::Relaxed => (vec![], [".relaxed", named]),
            Order::Acquire => (vec![], [".acquire", named]),
            Order::Release => (vec![], [".release", named]),
            Order::AcquireRelease => (vec![], [".acq_rel", named]),
            Order::SequentiallyConsistent if plain => (vec!["fence.sc", named], ["", ""]),
            Order::SequentiallyConsistent => (vec!["fence.sc", named], [".acq_rel", named]),
        };
        Ordering { before, semantics, after: vec![] }
    }

    fn ordered_load(&mut self, data: &InstData, letter: u8) {
        let Some((order, scope)) = self.order_and_scope(data) else { return };
        let (Some(pointer), Some(result)) = (data.args.first().copied(), data.results.first().copied())
        else {
            return;
        };
        let Ordering { before, mut semantics, after } = self.ordering(order, scope, true);
        if self.arch() < 70 {
            semantics = [".volatile", ""];
        } else if order == Order::SequentiallyConsistent {
            semantics = [".acquire", scope_name(scope)];
        }
        self.line_of(&before);
        let (space, address, ty) = (self.space_of(pointer), self.address(pointer), types(letter).0);
        let to = self.result(result);
        line!(self, "ld", &semantics[..], space, ".", ty, " \t", to, ", [", address, "];");
        self.line_of(&after);
    }

    fn ordered_store(&mut self, data: &InstData, letter: u8) {
        let Some((order, scope)) = self.order_and_scope(data) else { return };
        let [pointer, value, ..] = *data.args.as_slice() else { return };
        let Ordering { before, mut semantics, after } = self.ordering(order, scope, true);
        if self.arch() < 70 {
            semantics = [".volatile", ""];
        } else if order == Order::SequentiallyConsistent {
            semantics = [".relaxed", scope_name(scope)];
        }
        let from = self.register(value);
        self.line_of(&before);
        let (space, address, ty) = (self.space_of(pointer), self.address(pointer), types(letter).0);
        line!(self, "st", &semantics[..], space, ".", ty, " \t[", address, "], ", from, ";");
        self.line_of(&after);
    }

    /// Inline assembly, its names in a scope of their own where it has any.
    pub(super) fn assembly(&mut self, data: &InstData, asm: &Asm) {
        let outputs = data.results.len();
        let inputs: Vec<Register> = data.args.iter().map(|arg| self.register(*arg)).collect();
        let mut operands: Vec<Operand> =
            data.results.iter().map(|result| self.result(*result).into()).collect();
        let mut inputs = inputs.into_iter().map(Operand::Register);
        for number in outputs..asm.classes.len() {
            let constant = asm.numbers.iter().find(|(operand, _)| *operand as usize == number);
            match constant {
                Some((_, value)) => operands.push(Operand::Integer(*value)),
                None => operands.extend(inputs.next()),
            }
        }
        operands.extend(inputs);
        // What was written so far is never as long again in this function, so its length is a number of its own.
        let Some(text) = fill(&asm.text, &operands, self.written()) else {
            return self.refuse("inline assembly refers to an operand that it does not have");
        };
        self.push("// begin inline asm");
        let before = self.written();
        self.is_assembly = true;
        self.push(text.trim());
        self.is_assembly = false;
        self.check_needs(before, None);
        self.push("// end inline asm");
    }
}

/// Puts operands in place of `%0`, `%1` …; `%%` is a `%`, and `%=` a number that no other assembly of the function has.
fn fill(text: &str, operands: &[Operand], unique: usize) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if let Some(onward) = after.strip_prefix('=') {
            text::decimal(&mut out, unique as u64);
            rest = onward;
            continue;
        }
        if digits == 0 {
            out.push('%');
            rest = after.strip_prefix('%').unwrap_or(after);
            continue;
        }
        let (number, onward) = after.split_at(digits);
        text::operand(&mut out, *operands.get(number.parse::<usize>().ok()?)?);
        rest = onward;
    }
    out.push_str(rest);
    Some(out)
}
