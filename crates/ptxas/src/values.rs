//! The values of registers, as far as they can be determined from the text: which are the same, which are the same in all lanes,
//! and which powers of two divide them.
//!
//! A value is a base and a number of bytes beyond it, so that neighbouring addresses have one base. A register that several
//! instructions write has a value of its own in each block.

use crate::flow::{Flow, Register};
use ptx::{Instruction, Operand};
use std::collections::{HashMap, HashSet};

/// A base and what is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    pub(crate) base: u32,
    pub(crate) offset: i64,
}

/// What is known of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Power of two that divides it.
    pub(crate) zeros: u32,
    /// Whether all lanes that are there together have it.
    pub(crate) uniform: bool,
    /// Whether the chip's uniform registers could hold it: nothing of it was loaded from memory.
    pub(crate) in_uniform_registers: bool,
}

/// Of numbers, whose bits are known, and of what nothing was assumed about yet.
const ANY: Facts = Facts { zeros: 63, uniform: true, in_uniform_registers: true };
const NOTHING: Facts = Facts { zeros: 0, uniform: false, in_uniform_registers: false };
/// The base of numbers.
const ZERO: u32 = 0;
/// The base of shared memory.
const SHARED: u32 = 1;
const SHARED_ZEROS: u32 = 10;
/// The base of a thread's local variables.
pub(crate) const LOCAL: u32 = 2;
const LOCAL_ZEROS: u32 = 4;

/// What is known of where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseAddress {
    /// At that many bytes of shared memory.
    Shared(i64),
    /// At that many bytes of local memory.
    Local(i64),
    /// At a multiple of this power of two.
    Aligned(u32),
}
/// Rounds of assumptions about registers that are written more than once.
const ROUNDS: usize = 12;

impl Facts {
    fn and(self, other: Facts) -> Facts {
        Facts {
            zeros: self.zeros.min(other.zeros),
            uniform: self.uniform && other.uniform,
            in_uniform_registers: self.in_uniform_registers && other.in_uniform_registers,
        }
    }
}

/// How a value is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Number,
    Shared,
    Local,
    /// Of a symbol, or of a special register.
    Name(String),
    /// Of a register of several definitions, in a block.
    Opaque(usize, Register),
    /// By an instruction whose result no one else has.
    Own(usize, u32),
    Made(String, Vec<Value>),
}

/// The values of a kernel.
pub(crate) struct Values {
    /// Of each memory instruction: its address.
    pub(crate) addresses: HashMap<usize, Value>,
    /// Of each instruction: its first result, where it has one.
    pub(crate) results: HashMap<usize, Value>,
    /// Of each guard: what is known of its predicate.
    pub(crate) guards: HashMap<usize, Facts>,
    /// Of each instruction: what is known of the last operand, an atomic operation's value.
    pub(crate) operands: HashMap<usize, Facts>,
    /// How often a register is read, and how often of that as an address.
    pub(crate) reads: HashMap<Register, u32>,
    pub(crate) addressed: HashMap<Register, u32>,
    /// Where a base was first made.
    pub(crate) made_at: HashMap<u32, usize>,
    /// Of each block: whether lanes are parted there.
    pub(crate) parted: Vec<bool>,
    facts: Vec<Facts>,
}

impl Values {
    pub(crate) fn facts(&self, value: Value) -> Facts {
        let facts = self.facts[value.base as usize];
        Facts { zeros: facts.zeros.min(trailing(value.offset)), ..facts }
    }

    /// Powers of two that divide a base.
    pub(crate) fn zeros(&self, base: u32) -> u32 {
        self.facts[base as usize].zeros
    }
}

fn trailing(n: i64) -> u32 {
    n.trailing_zeros().min(63)
}

/// Finds the values of a kernel. `symbols` says where variables are, `together` at the end of which blocks lanes are taken not to
/// part, whatever the branch depends on.
pub(crate) fn find<'a>(
    flow: &mut Flow<'a>,
    meets: &[Option<usize>],
    symbols: &HashMap<&str, BaseAddress>,
    together: &HashSet<usize>,
) -> Values {
    let mut definitions: HashMap<Register, u32> = HashMap::new();
    for at in 0..flow.instructions.len() {
        let i = flow.instructions[at];
        let guarded = 1 + u32::from(i.guard.is_some());
        for name in written(i) {
            if let Some(register) = flow.register(at, name) {
                *definitions.entry(register).or_default() += guarded;
            }
        }
    }
    let mut assumed: HashMap<Register, Facts> =
        definitions.iter().filter(|(_, n)| **n > 1).map(|(register, _)| (*register, ANY)).collect();
    let mut parted = vec![false; flow.blocks.len()];
    for round in 0.. {
        let mut numbering = Numbering {
            flow,
            symbols,
            assumed: &assumed,
            parted: &parted,
            keys: HashMap::from([(Key::Number, ZERO), (Key::Shared, SHARED), (Key::Local, LOCAL)]),
            current: HashMap::new(),
            found: HashMap::new(),
            values: Values {
                addresses: HashMap::new(),
                results: HashMap::new(),
                guards: HashMap::new(),
                operands: HashMap::new(),
                reads: HashMap::new(),
                addressed: HashMap::new(),
                made_at: HashMap::new(),
                parted: parted.clone(),
                facts: vec![ANY, Facts { zeros: SHARED_ZEROS, ..ANY }, Facts { zeros: LOCAL_ZEROS, ..ANY }],
            },
        };
        numbering.run();
        let (found, values) = (numbering.found, numbering.values);
        let mut now = vec![false; flow.blocks.len()];
        for block in 0..flow.blocks.len() {
            let last = flow.blocks[block].end.saturating_sub(1);
            let several = flow.successors(block).len() > 1 && !together.contains(&block);
            if several && !values.guards.get(&last).is_some_and(|facts| facts.uniform) {
                flow.parted(block, meets).into_iter().for_each(|b| now[b] = true);
            }
        }
        let next: HashMap<Register, Facts> = assumed
            .keys()
            .map(|register| (*register, found.get(register).copied().unwrap_or(NOTHING)))
            .collect();
        let settled = next == assumed && now == parted;
        if settled {
            return values;
        }
        if round < ROUNDS {
            // Assumptions only ever become weaker, so that this ends.
            assumed =
                next.into_iter().map(|(register, facts)| (register, facts.and(assumed[&register]))).collect();
            parted.iter_mut().zip(now).for_each(|(was, is)| *was |= is);
        } else {
            assumed.values_mut().for_each(|facts| *facts = NOTHING);
            parted.fill(true);
            if round > ROUNDS + 2 {
                return values;
            }
        }
    }
    unreachable!("the last round returns")
}

/// The registers that an instruction writes.
pub(crate) fn written<'a>(i: &Instruction<'a>) -> Vec<&'a str> {
    if !writes(i) {
        return vec![];
    }
    match i.operands.first() {
        Some(Operand::Name(name, _)) => vec![name],
        Some(Operand::Pair(a, b)) => vec![a, b],
        Some(Operand::Vector(elements) | Operand::List(elements)) => elements
            .iter()
            .filter_map(|e| match e {
                Operand::Name(name, _) => Some(*name),
                _ => None,
            })
            .collect(),
        Some(Operand::VectorPair(elements, p)) => elements
            .iter()
            .filter_map(|e| match e {
                Operand::Name(name, _) => Some(*name),
                _ => None,
            })
            .chain([*p])
            .collect(),
        _ => vec![],
    }
}

/// Whether its first operand is a result.
fn writes(i: &Instruction) -> bool {
    !matches!(
        i.opcode,
        "st" | "red"
            | "bra"
            | "brx"
            | "bar"
            | "barrier"
            | "ret"
            | "exit"
            | "trap"
            | "membar"
            | "fence"
            | "call"
            | "prefetch"
            | "prefetchu"
            | "stmatrix"
            | "sust"
            | "sured"
            | "nanosleep"
            | "brkpt"
            | "discard"
    ) || (i.opcode == "call" && matches!(i.operands.first(), Some(Operand::List(_))) && i.operands.len() > 1)
        || (matches!(i.opcode, "bar" | "barrier") && i.modifiers.contains(&"red"))
}

/// The names that an instruction reads.
pub(crate) fn read<'a>(i: &Instruction<'a>, each: &mut impl FnMut(&'a str)) {
    if let Some(guard) = i.guard {
        each(guard.register);
    }
    for (n, operand) in i.operands.iter().enumerate() {
        if n > 0 || !writes(i) || matches!(operand, Operand::Address { .. }) {
            names(operand, each);
        }
    }
}

fn names<'a>(operand: &Operand<'a>, each: &mut impl FnMut(&'a str)) {
    match operand {
        Operand::Name(name, _) | Operand::Not(name) | Operand::Negative(name, _) => each(name),
        Operand::Address { base: Some(base), .. } => each(base),
        Operand::Vector(all) | Operand::List(all) | Operand::Access(all) => {
            all.iter().for_each(|operand| names(operand, each));
        }
        Operand::Pair(a, b) => [a, b].into_iter().for_each(|name| each(name)),
        Operand::VectorPair(all, p) => {
            all.iter().for_each(|operand| names(operand, each));
            each(p);
        }
        Operand::Masked(_, inner) => names(inner, each),
        Operand::Address { base: None, .. }
        | Operand::Integer(_)
        | Operand::F32(_)
        | Operand::F64(_)
        | Operand::Sum { .. }
        | Operand::Element { .. } => {}
    }
}

struct Numbering<'f, 'a> {
    flow: &'f mut Flow<'a>,
    symbols: &'f HashMap<&'f str, BaseAddress>,
    assumed: &'f HashMap<Register, Facts>,
    /// Blocks that only some lanes may run.
    parted: &'f [bool],
    keys: HashMap<Key, u32>,
    /// Values of registers: of those of one definition in the whole kernel, of others in this block.
    current: HashMap<Register, Value>,
    /// What the definitions of each register of several have in common.
    found: HashMap<Register, Facts>,
    values: Values,
}

impl<'a> Numbering<'_, 'a> {
    fn run(&mut self) {
        for block in 0..self.flow.blocks.len() {
            let assumed = self.assumed;
            self.current.retain(|register, _| !assumed.contains_key(register));
            for at in self.flow.blocks[block].start..self.flow.blocks[block].end {
                self.instruction(block, at);
            }
        }
    }

    fn value_of(&mut self, key: Key, facts: impl FnOnce() -> Facts) -> Value {
        let next = self.values.facts.len() as u32;
        let base = *self.keys.entry(key).or_insert(next);
        if base == next {
            self.values.facts.push(facts());
        }
        Value { base, offset: 0 }
    }

    fn number(n: i64) -> Value {
        Value { base: ZERO, offset: n }
    }

    fn operand(&mut self, block: usize, at: usize, operand: &Operand<'a>) -> Value {
        match operand {
            Operand::Integer(n) => Self::number(*n as i64),
            Operand::F32(bits) => {
                self.value_of(Key::Name(format!("f{bits:x}")), || Facts { zeros: 0, ..ANY })
            }
            Operand::F64(bits) => {
                self.value_of(Key::Name(format!("d{bits:x}")), || Facts { zeros: 0, ..ANY })
            }
            Operand::Name(name, part) => self.name(block, at, name, *part),
            Operand::Not(name) => {
                let value = self.name(block, at, name, None);
                let facts = self.values.facts(value);
                self.value_of(Key::Made("!".into(), vec![value]), || Facts { zeros: 0, ..facts })
            }
            Operand::Sum { symbol, offset, .. } => {
                let value = self.name(block, at, symbol, None);
                Value { offset: value.offset.wrapping_add(*offset), ..value }
            }
            Operand::Address { base, offset } => {
                let value = base.map_or(Self::number(0), |base| self.name(block, at, base, None));
                Value { offset: value.offset.wrapping_add(*offset), ..value }
            }
            Operand::Vector(all) => {
                let values: Vec<Value> = all.iter().map(|e| self.operand(block, at, e)).collect();
                let facts = values.iter().fold(ANY, |facts, v| facts.and(self.values.facts(*v)));
                self.value_of(Key::Made("{}".into(), values), || facts)
            }
            Operand::Access(_)
            | Operand::Element { .. }
            | Operand::Masked(..)
            | Operand::Negative(..)
            | Operand::VectorPair(..)
            | Operand::Pair(..)
            | Operand::List(_) => self.value_of(Key::Own(at, u32::MAX), || NOTHING),
        }
    }

    fn name(&mut self, block: usize, at: usize, name: &'a str, part: Option<&'a str>) -> Value {
        if let Some(register) = self.flow.register(at, name) {
            if let Some(value) = self.current.get(&register) {
                return *value;
            }
            let facts = self.assumed.get(&register).copied().unwrap_or(NOTHING);
            let value = self.value_of(Key::Opaque(block, register), || facts);
            self.current.insert(register, value);
            return value;
        }
        let uniform = !matches!(
            name,
            "%tid"
                | "%laneid"
                | "%lanemask_eq"
                | "%lanemask_le"
                | "%lanemask_lt"
                | "%lanemask_ge"
                | "%lanemask_gt"
        ) && !name.starts_with("%clock")
            && !name.starts_with("%global")
            && name != "%warpid";
        let zeros = match self.symbols.get(name) {
            Some(BaseAddress::Shared(at)) => return Value { base: SHARED, offset: *at },
            Some(BaseAddress::Local(at)) => return Value { base: LOCAL, offset: *at },
            Some(BaseAddress::Aligned(zeros)) => *zeros,
            None => 0,
        };
        let facts = Facts { zeros, uniform, in_uniform_registers: uniform };
        self.value_of(Key::Name(format!("{name}.{}", part.unwrap_or_default())), || facts)
    }

    fn instruction(&mut self, block: usize, at: usize) {
        let i = self.flow.instructions[at];
        let mut reads = vec![];
        read(i, &mut |name| reads.push(name));
        for name in reads {
            if let Some(register) = self.flow.register(at, name) {
                *self.values.reads.entry(register).or_default() += 1;
            }
        }
        if let Some(guard) = i.guard {
            let value = self.name(block, at, guard.register, None);
            let facts = self.values.facts(value);
            self.values.guards.insert(at, facts);
        }
        if i.opcode == "brx" {
            let value = i.operands.first().map(|operand| self.operand(block, at, operand));
            let facts = value.map_or(NOTHING, |value| self.values.facts(value));
            self.values.guards.insert(at, facts);
        }
        if let Some(address) = i.operands.iter().find(|o| matches!(o, Operand::Address { .. })) {
            if let Operand::Address { base: Some(base), .. } = address
                && let Some(register) = self.flow.register(at, base)
            {
                *self.values.addressed.entry(register).or_default() += 1;
            }
            let value = self.operand(block, at, address);
            self.values.addresses.insert(at, value);
        }
        if let Some(last) = i.operands.last() {
            let value = self.operand(block, at, last);
            let facts = self.values.facts(value);
            self.values.operands.insert(at, facts);
        }
        let names = written(i);
        let first = names.first().copied();
        for name in names {
            let Some(register) = self.flow.register(at, name) else { continue };
            let single = Some(name) == first && matches!(i.operands.first(), Some(Operand::Name(..)));
            let value = if single && i.guard.is_none() {
                self.result(block, at, i)
            } else {
                self.value_of(Key::Own(at, register + 1), || NOTHING)
            };
            if Some(name) == first {
                self.values.results.insert(at, value);
                self.values.made_at.entry(value.base).or_insert(at);
            }
            self.current.insert(register, value);
            if self.assumed.contains_key(&register) {
                let mut facts = self.values.facts(value);
                if self.parted[block] {
                    (facts.uniform, facts.in_uniform_registers) = (false, false);
                }
                let found = self.found.entry(register).or_insert(ANY);
                *found = found.and(facts);
            }
        }
    }

    /// The value of an instruction's one result.
    fn result(&mut self, block: usize, at: usize, i: &Instruction<'a>) -> Value {
        let sources: Vec<Value> = i.operands.iter().skip(1).map(|o| self.operand(block, at, o)).collect();
        let integer = i.modifiers.last().is_some_and(|ty| ty.starts_with(['s', 'u', 'b']));
        let number = |value: &Value| (value.base == ZERO).then_some(value.offset);
        match (i.opcode, &sources[..]) {
            ("mov" | "cvta", [value]) => return *value,
            ("add", [a, b]) if integer => return self.sum(*a, *b),
            ("sub", [a, b]) if integer && b.base == ZERO => {
                return Value { offset: a.offset.wrapping_sub(b.offset), ..*a };
            }
            ("shl", [a, b]) => {
                if let Some(shift @ 0..=31) = number(b) {
                    return self.product(*a, 1 << shift);
                }
            }
            ("mul", [a, b]) if integer && !i.modifiers.contains(&"hi") => {
                if let Some(factor) = number(b).or(number(a)) {
                    let wide = i.modifiers.contains(&"wide");
                    let other = if number(b).is_some() { *a } else { *b };
                    // What overflows 32 bits is another number when it is widened.
                    let other = if wide { self.opaque(i, other) } else { other };
                    return self.product(other, factor);
                }
            }
            ("mad", [a, b, c]) if integer && !i.modifiers.contains(&"hi") => {
                if let Some(factor) = number(b).or(number(a)) {
                    let wide = i.modifiers.contains(&"wide");
                    let other = if number(b).is_some() { *a } else { *b };
                    let other = if wide { self.opaque(i, other) } else { other };
                    let product = self.product(other, factor);
                    return self.sum(product, *c);
                }
            }
            _ => {}
        }
        let facts = self.made(at, i, &sources);
        let pure = !matches!(
            i.opcode,
            "ld" | "ldu"
                | "atom"
                | "shfl"
                | "vote"
                | "match"
                | "redux"
                | "activemask"
                | "call"
                | "tex"
                | "elect"
        ) && !i.modifiers.contains(&"volatile");
        let parameter = i.opcode == "ld" && i.modifiers.first() == Some(&"param");
        if pure || parameter {
            let mut words = i.opcode.to_owned();
            i.modifiers.iter().for_each(|m| {
                words.push('.');
                words.push_str(m);
            });
            return self.value_of(Key::Made(words, sources), || facts);
        }
        self.value_of(Key::Own(at, 0), || facts)
    }

    /// A widened number: another one than the narrow, with the same factors of two.
    fn opaque(&mut self, i: &Instruction<'a>, value: Value) -> Value {
        if value.base == ZERO {
            return value;
        }
        let facts = self.values.facts(value);
        let ty = i.modifiers.last().copied().unwrap_or_default();
        self.value_of(Key::Made(format!("wide.{ty}"), vec![value]), || facts)
    }

    fn sum(&mut self, a: Value, b: Value) -> Value {
        let offset = a.offset.wrapping_add(b.offset);
        if a.base == ZERO || b.base == ZERO {
            return Value { base: a.base + b.base, offset };
        }
        let (low, high) = (a.base.min(b.base), a.base.max(b.base));
        let bases = vec![Value { base: low, offset: 0 }, Value { base: high, offset: 0 }];
        let facts = self.values.facts[low as usize].and(self.values.facts[high as usize]);
        let sum = self.value_of(Key::Made("add".into(), bases), || facts);
        Value { offset, ..sum }
    }

    fn product(&mut self, a: Value, factor: i64) -> Value {
        let offset = a.offset.wrapping_mul(factor);
        if a.base == ZERO || factor == 1 {
            return Value { offset, ..a };
        }
        let base = Value { offset: 0, ..a };
        let facts = self.values.facts[a.base as usize];
        let facts = Facts { zeros: (facts.zeros + trailing(factor)).min(63), ..facts };
        let product = self.value_of(Key::Made("mul".into(), vec![base, Self::number(factor)]), || facts);
        Value { offset, ..product }
    }

    /// What is known of the result of any other instruction.
    fn made(&mut self, at: usize, i: &Instruction<'a>, sources: &[Value]) -> Facts {
        let all = sources.iter().fold(ANY, |facts, v| facts.and(self.values.facts(*v)));
        let zeros = |n: usize| sources.get(n).map_or(0, |v| self.values.facts(*v).zeros);
        match i.opcode {
            "ld" | "ldu" => {
                let address = self.values.addresses.get(&at).map_or(NOTHING, |v| self.values.facts(*v));
                let space = i
                    .modifiers
                    .iter()
                    .find(|m| matches!(**m, "param" | "const" | "global" | "shared" | "local"));
                Facts {
                    zeros: 0,
                    uniform: address.uniform && space != Some(&"local"),
                    in_uniform_registers: address.in_uniform_registers
                        && matches!(space, Some(&"param" | &"const")),
                }
            }
            "atom" | "shfl" | "vote" | "match" | "redux" | "activemask" | "call" | "elect" | "tex" => NOTHING,
            "and" => Facts { zeros: zeros(0).max(zeros(1)), ..all },
            "cvt" | "or" | "xor" | "sub" | "neg" | "min" | "max" => all,
            "mul" => Facts { zeros: (zeros(0) + zeros(1)).min(63), ..all },
            "mad" => Facts { zeros: (zeros(0) + zeros(1)).min(zeros(2)), ..all },
            "shl" => Facts { zeros: zeros(0), ..all },
            "selp" => Facts { zeros: zeros(0).min(zeros(1)), ..all },
            _ => Facts { zeros: 0, ..all },
        }
    }
}
