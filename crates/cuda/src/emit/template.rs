//! Functions of the compiler and inline assembly: texts with operands put in.

use super::function::Writer;
use super::instruction::float;
use super::operand::{Class, Operand, bits};
use crate::builtin::{Builtin, Known, Meaning, Order, Rmw, Scope};
use crate::ir::{Asm, InstData, Type, Value};

/// Whether a function is left out where nobody uses its result.
pub(super) fn removable(builtin: &Builtin) -> bool {
    match builtin.meaning {
        Meaning::Known(_) | Meaning::Pure(_) | Meaning::Load(_) => true,
        Meaning::Warp(_)
        | Meaning::State(_)
        | Meaning::Fence(_)
        | Meaning::Barrier(_)
        | Meaning::End(_)
        | Meaning::Store(_)
        | Meaning::Atomic(..)
        | Meaning::AtomicOrdered(_)
        | Meaning::LoadOrdered
        | Meaning::StoreOrdered
        | Meaning::FenceOrdered
        | Meaning::Bytes(_)
        | Meaning::Call(_)
        | Meaning::Told(_) => false,
    }
}

/// Whether the first argument is written as an address.
pub(super) fn takes_address(builtin: &Builtin) -> bool {
    match builtin.meaning {
        Meaning::Atomic(..) | Meaning::AtomicOrdered(_) | Meaning::LoadOrdered | Meaning::StoreOrdered => {
            true
        }
        Meaning::Known(_)
        | Meaning::Pure(_)
        | Meaning::Load(_)
        | Meaning::Warp(_)
        | Meaning::State(_)
        | Meaning::Fence(_)
        | Meaning::Barrier(_)
        | Meaning::End(_)
        | Meaning::Store(_)
        | Meaning::FenceOrdered
        | Meaning::Bytes(_)
        | Meaning::Call(_)
        | Meaning::Told(_) => false,
    }
}

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
        Scope::Block => "membar.cta;",
        Scope::Cluster | Scope::Device => "membar.gl;",
        Scope::System => "membar.sys;",
    }
}

impl Writer<'_, '_> {
    pub(super) fn builtin(&mut self, data: &InstData, builtin: &Builtin, of: u8) {
        let letter = letter(builtin, of);
        match builtin.meaning {
            Meaning::Known(known) => self.known(known, data, letter),
            Meaning::Pure(text)
            | Meaning::Warp(text)
            | Meaning::State(text)
            | Meaning::Fence(text)
            | Meaning::Barrier(text)
            | Meaning::End(text) => self.template(text, data, letter),
            Meaning::Call(name) => self.call(name, &data.args, data.results.first().copied()),
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
        // Two halves in 32 bits have no literals.
        let packed = text.contains("16x2");
        let args: Vec<String> = data.args.iter().map(|arg| self.template_operand(*arg, packed)).collect();
        let mut operands: Vec<String> =
            data.results.iter().map(|result| self.result(*result).to_string()).collect();
        operands.extend(args);
        if !text.contains('%') {
            if operands.is_empty() || text.ends_with(';') {
                return self.push(&format!("{};", text.trim_end_matches(';')));
            }
            return self.push(&format!("{text} \t{};", operands.join(", ")));
        }
        match fill(&text, &operands, self.written()) {
            Some(text) => self.push(&text),
            None => self.refuse("a template names an operand that is not there"),
        }
    }

    /// Operand of a text: numbers of 32 bits as they are, the rest in registers, since not every instruction takes them.
    fn template_operand(&mut self, value: Value, packed: bool) -> String {
        match self.function.ty(value) {
            Type::I32 if !packed => self.operand(value).to_string(),
            _ => self.register(value).to_string(),
        }
    }

    fn known(&mut self, known: Known, data: &InstData, letter: u8) {
        let Some(result) = data.results.first().copied() else { return };
        let Some(first) = data.args.first().copied() else { return };
        let ty = self.function.ty(first);
        let width = bits(ty);
        let floating = matches!(ty, Type::F32 | Type::F64);
        let (typed, _) = types(letter);
        let sign = if typed.starts_with('u') { 'u' } else { 's' };
        let name = match known {
            Known::Fma => format!("fma.rn.{}", float(ty)),
            Known::Min if floating => format!("min.{}", float(ty)),
            Known::Max if floating => format!("max.{}", float(ty)),
            Known::Min => format!("min.{sign}{width}"),
            Known::Max => format!("max.{sign}{width}"),
            Known::Abs if floating => format!("abs.{}", float(ty)),
            Known::Abs => format!("abs.s{width}"),
            Known::Sqrt => format!("sqrt.rn.{}", float(ty)),
            Known::Floor => format!("cvt.rmi.{0}.{0}", float(ty)),
            Known::Ceil => format!("cvt.rpi.{0}.{0}", float(ty)),
            Known::Trunc => format!("cvt.rzi.{0}.{0}", float(ty)),
            Known::Rint => format!("cvt.rni.{0}.{0}", float(ty)),
            Known::Copysign => format!("copysign.{}", float(ty)),
            Known::Popcount => format!("popc.b{width}"),
            Known::LeadingZeros => format!("clz.b{width}"),
            Known::ReverseBits => format!("brev.b{width}"),
            Known::MultiplyHigh => format!("mul.hi.{sign}{width}"),
            Known::Bits => format!("mov.b{width}"),
        };
        let mut operands: Vec<String> = data.args.iter().map(|arg| self.operand(*arg).to_string()).collect();
        if known == Known::Copysign {
            // PTX has the sign first.
            operands.reverse();
        }
        if known == Known::Bits {
            operands = vec![self.register(first).to_string()];
        }
        let to = self.result(result);
        self.push(&format!("{name} \t{to}, {};", operands.join(", ")));
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
            return self.push(barrier_of(scope));
        }
        let kind = match order {
            Order::SequentiallyConsistent => "sc",
            Order::Relaxed | Order::Acquire | Order::Release | Order::AcquireRelease => "acq_rel",
        };
        self.push(&format!("fence.{kind}{};", scope_name(scope)));
    }

    fn atomic(&mut self, rmw: Rmw, data: &InstData, letter: u8, order: Order, scope: Scope) {
        let (typed, untyped) = types(letter);
        let summed = match typed {
            "s32" => "u32",
            "s64" => "u64",
            other => other,
        };
        let (operation, operands) = match rmw {
            Rmw::Add | Rmw::Sub => (format!("add.{summed}"), 1),
            Rmw::Exchange => (format!("exch.{untyped}"), 1),
            Rmw::CompareAndSwap => (format!("cas.{untyped}"), 2),
            Rmw::Min => (format!("min.{typed}"), 1),
            Rmw::Max => (format!("max.{typed}"), 1),
            Rmw::Increment => ("inc.u32".to_owned(), 1),
            Rmw::Decrement => ("dec.u32".to_owned(), 1),
            Rmw::And => (format!("and.{untyped}"), 1),
            Rmw::Or => (format!("or.{untyped}"), 1),
            Rmw::Xor => (format!("xor.{untyped}"), 1),
            Rmw::AddAs(kind) => (format!("add.{kind}"), 1),
        };
        let (Some(pointer), Some(values), Some(result)) =
            (data.args.first().copied(), data.args.get(1..=operands), data.results.first().copied())
        else {
            return self.refuse("an atomic operation without its operands");
        };
        let mut operands: Vec<String> = vec![];
        for value in values {
            let operand = if rmw == Rmw::Sub { self.negated(*value) } else { self.atomic_operand(*value) };
            operands.push(operand);
        }
        let (before, semantics, after) = self.ordering(order, scope, false);
        if let Some(before) = before {
            self.push(&before);
        }
        let space = self.space_of(pointer);
        let address = self.address(pointer);
        let to = self.result(result);
        self.push(&format!(
            "atom{semantics}{space}.{operation} \t{to}, [{address}], {};",
            operands.join(", ")
        ));
        if let Some(after) = after {
            self.push(&after);
        }
    }

    /// Operand of an atomic operation: 16-bit ones in registers.
    fn atomic_operand(&mut self, value: Value) -> String {
        match self.function.ty(value) {
            Type::I8 | Type::I16 | Type::Pred => self.register(value).to_string(),
            Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr(_) => self.operand(value).to_string(),
        }
    }

    fn negated(&mut self, value: Value) -> String {
        if let Operand::Integer(number) = self.operand(value) {
            return Operand::Integer(number.wrapping_neg()).to_string();
        }
        let from = self.register(value);
        let to = self.fresh(from.class);
        let width = if from.class == Class::Long { 64 } else { 32 };
        self.push(&format!("neg.s{width} \t{to}, {from};"));
        to.to_string()
    }

    /// What goes before an operation, its modifiers, and what goes after it. Before `sm_70` PTX has no orders: fences on
    /// both sides are the same or more.
    fn ordering(
        &mut self,
        order: Order,
        scope: Scope,
        plain: bool,
    ) -> (Option<String>, String, Option<String>) {
        let named = scope_name(scope);
        if self.arch() < 70 {
            let barrier = barrier_of(scope).to_owned();
            // Atomics have scopes from sm_60; the device's is the least wide that is always right within a device.
            let scoped = match scope {
                Scope::Device => "",
                Scope::System if !plain && self.arch() < 60 => {
                    self.refuse("atomic operations among devices need sm_60");
                    ""
                }
                _ if plain || self.arch() < 60 => "",
                Scope::Cluster => ".gpu",
                Scope::Block | Scope::System => named,
            };
            let (before, after) = match order {
                Order::Relaxed => (None, None),
                Order::Acquire => (None, Some(barrier)),
                Order::Release => (Some(barrier), None),
                Order::AcquireRelease | Order::SequentiallyConsistent => {
                    (Some(barrier.clone()), Some(barrier))
                }
            };
            return (before, scoped.to_owned(), after);
        }
        match order {
            Order::Relaxed if scope == Scope::Device && !plain => (None, String::new(), None),
            Order::Relaxed if !plain => (None, named.to_owned(), None),
            Order::Relaxed => (None, format!(".relaxed{named}"), None),
            Order::Acquire => (None, format!(".acquire{named}"), None),
            Order::Release => (None, format!(".release{named}"), None),
            Order::AcquireRelease => (None, format!(".acq_rel{named}"), None),
            Order::SequentiallyConsistent if plain => {
                (Some(format!("fence.sc{named};")), String::new(), None)
            }
            Order::SequentiallyConsistent => {
                (Some(format!("fence.sc{named};")), format!(".acq_rel{named}"), None)
            }
        }
    }

    fn ordered_load(&mut self, data: &InstData, letter: u8) {
        let Some((order, scope)) = self.order_and_scope(data) else { return };
        let (Some(pointer), Some(result)) = (data.args.first().copied(), data.results.first().copied())
        else {
            return;
        };
        let (before, mut semantics, after) = self.ordering(order, scope, true);
        if self.arch() < 70 {
            ".volatile".clone_into(&mut semantics);
        } else if order == Order::SequentiallyConsistent {
            semantics = format!(".acquire{}", scope_name(scope));
        }
        if let Some(before) = before {
            self.push(&before);
        }
        let (space, address, ty) = (self.space_of(pointer), self.address(pointer), types(letter).0);
        let to = self.result(result);
        self.push(&format!("ld{semantics}{space}.{ty} \t{to}, [{address}];"));
        if let Some(after) = after {
            self.push(&after);
        }
    }

    fn ordered_store(&mut self, data: &InstData, letter: u8) {
        let Some((order, scope)) = self.order_and_scope(data) else { return };
        let [pointer, value, ..] = *data.args.as_slice() else { return };
        let (before, mut semantics, after) = self.ordering(order, scope, true);
        if self.arch() < 70 {
            ".volatile".clone_into(&mut semantics);
        } else if order == Order::SequentiallyConsistent {
            semantics = format!(".relaxed{}", scope_name(scope));
        }
        let from = self.register(value);
        if let Some(before) = before {
            self.push(&before);
        }
        let (space, address, ty) = (self.space_of(pointer), self.address(pointer), types(letter).0);
        self.push(&format!("st{semantics}{space}.{ty} \t[{address}], {from};"));
        if let Some(after) = after {
            self.push(&after);
        }
    }

    /// Inline assembly, its names in a scope of their own where it has any.
    pub(super) fn assembly(&mut self, data: &InstData, asm: &Asm) {
        let outputs = data.results.len();
        let inputs: Vec<String> = data.args.iter().map(|arg| self.register(*arg).to_string()).collect();
        let results: Vec<String> =
            data.results.iter().map(|result| self.result(*result).to_string()).collect();
        let mut inputs = inputs.into_iter();
        let mut operands = results;
        for number in outputs..asm.classes.len() {
            let constant = asm.numbers.iter().find(|(operand, _)| *operand as usize == number);
            match constant {
                Some((_, value)) => operands.push(value.to_string()),
                None => operands.extend(inputs.next()),
            }
        }
        operands.extend(inputs);
        // What was written so far is never as long again in this function, so its length is a number of its own.
        let Some(text) = fill(&asm.text, &operands, self.written()) else {
            return self.refuse("inline assembly names an operand that it does not have");
        };
        self.push("// begin inline asm");
        self.push(text.trim());
        self.push("// end inline asm");
    }
}

/// Puts operands in place of `%0`, `%1` …; `%%` is a `%`, and `%=` a number that no other assembly of the function has.
fn fill(text: &str, operands: &[String], unique: usize) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if let Some(onward) = after.strip_prefix('=') {
            out.push_str(&unique.to_string());
            rest = onward;
            continue;
        }
        if digits == 0 {
            out.push('%');
            rest = after.strip_prefix('%').unwrap_or(after);
            continue;
        }
        let (number, onward) = after.split_at(digits);
        out.push_str(operands.get(number.parse::<usize>().ok()?)?);
        rest = onward;
    }
    out.push_str(rest);
    Some(out)
}
