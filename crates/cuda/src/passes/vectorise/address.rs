//! Addresses as sums: where an object begins, multiples of values, and bytes.

use super::super::Context;
use crate::ir::{Binary, Convert, Def, Function, Op, Space, Type, Value};
use std::collections::HashMap;

/// Most terms of a sum; a longer one is a value of its own.
const MOST_TERMS: usize = 6;

/// Most steps into what a value is made of.
const MOST_STEPS: usize = 64;

/// Address: `root + Σ factor × value + offset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) root: Value,
    /// Values by number, each once, with their factors; an `I32` value is meant extended by signs (`true`) or zeros.
    terms: Vec<(Value, Extended, i64)>,
    pub(super) offset: i64,
    space: Space,
}

/// How a term's value is brought to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Extended {
    No,
    Signed,
    Zero,
}

/// Addresses of pointers so far.
#[derive(Default)]
pub(super) struct Addresses {
    known: HashMap<Value, Address>,
}

impl Addresses {
    /// Address that a pointer holds.
    pub(super) fn of(&mut self, function: &Function, pointer: Value) -> Address {
        if let Some(known) = self.known.get(&pointer) {
            return known.clone();
        }
        let address = resolve(function, pointer);
        self.known.insert(pointer, address.clone());
        address
    }
}

fn resolve(function: &Function, pointer: Value) -> Address {
    let Type::Ptr(space) = function.ty(pointer) else {
        return Address { root: pointer, terms: vec![], offset: 0, space: Space::Generic };
    };
    let mut address = Address { root: pointer, terms: vec![], offset: 0, space };
    for _ in 0..MOST_STEPS {
        let Def::Result(inst, _) = function.values[address.root.index()].def else { break };
        let inst = &function.insts[inst.index()];
        match (&inst.op, inst.args.as_slice()) {
            (Op::Offset, [base, by]) => {
                let mut whole = address.clone();
                let mut steps = MOST_STEPS;
                if !whole.add(function, *by, Extended::No, 1, &mut steps) {
                    break;
                }
                whole.root = *base;
                address = whole;
            }
            (Op::Convert(Convert::Space), [from]) => address.root = *from,
            _ => break,
        }
    }
    address.terms.retain(|(_, _, factor)| *factor != 0);
    crate::sort::by_key(&mut address.terms, |term| *term);
    address
}

impl Address {
    /// Adds a multiple of a value; false, with the sum half added, where it has too many terms.
    fn add(
        &mut self,
        function: &Function,
        value: Value,
        extended: Extended,
        factor: i64,
        steps: &mut usize,
    ) -> bool {
        if *steps == 0 {
            return self.term(value, extended, factor);
        }
        *steps -= 1;
        if let Some(number) = number(function, value, extended) {
            self.offset = self.offset.wrapping_add(number.wrapping_mul(factor));
            return true;
        }
        let Def::Result(inst, _) = function.values[value.index()].def else {
            return self.term(value, extended, factor);
        };
        let inst = &function.insts[inst.index()];
        // Of an extended value only what cannot overflow is taken apart.
        let kept = |wrap: crate::ir::Wrap| match extended {
            Extended::No => true,
            Extended::Signed => wrap.nsw,
            Extended::Zero => wrap.nuw,
        };
        match (&inst.op, inst.args.as_slice()) {
            (Op::Binary(Binary::Add(wrap)), [a, b]) if kept(*wrap) => {
                self.add(function, *a, extended, factor, steps)
                    && self.add(function, *b, extended, factor, steps)
            }
            (Op::Binary(Binary::Sub(wrap)), [a, b]) if kept(*wrap) => {
                self.add(function, *a, extended, factor, steps)
                    && self.add(function, *b, extended, factor.wrapping_neg(), steps)
            }
            (Op::Binary(Binary::Mul(wrap)), [a, b]) if kept(*wrap) => {
                match (number(function, *a, extended), number(function, *b, extended)) {
                    (_, Some(number)) => self.add(function, *a, extended, factor.wrapping_mul(number), steps),
                    (Some(number), None) => {
                        self.add(function, *b, extended, factor.wrapping_mul(number), steps)
                    }
                    (None, None) => self.term(value, extended, factor),
                }
            }
            (Op::Binary(Binary::Shl(wrap)), [a, by]) if kept(*wrap) => match function.constant(*by) {
                Some(by) if by < 32 => self.add(function, *a, extended, factor.wrapping_mul(1 << by), steps),
                _ => self.term(value, extended, factor),
            },
            (Op::Convert(kind @ (Convert::SignExtend | Convert::ZeroExtend)), [from])
                if extended == Extended::No && function.ty(*from) == Type::I32 =>
            {
                let how = if *kind == Convert::SignExtend { Extended::Signed } else { Extended::Zero };
                self.add(function, *from, how, factor, steps)
            }
            _ => self.term(value, extended, factor),
        }
    }

    fn term(&mut self, value: Value, extended: Extended, factor: i64) -> bool {
        match self.terms.iter_mut().find(|(known, how, _)| *known == value && *how == extended) {
            Some((_, _, known)) => *known = known.wrapping_add(factor),
            None => self.terms.push((value, extended, factor)),
        }
        self.terms.len() <= MOST_TERMS
    }

    /// Whether two addresses differ by their bytes alone.
    pub(super) fn same_base(&self, other: &Address) -> bool {
        self.root == other.root && self.terms == other.terms && self.space == other.space
    }

    /// Bytes of the object that the address lies in, if its place in it is known.
    pub(super) fn object_size(&self, function: &Function, context: &Context<'_>) -> Option<u64> {
        if !self.terms.is_empty() {
            return None;
        }
        match object(function, self.root)? {
            Object::Global(number) => {
                context.globals.get(number).filter(|global| !global.external).map(|global| global.size)
            }
            Object::Slot(_, size) => Some(size),
            Object::Param(..) => None,
        }
    }

    /// Whether bytes at one address may be bytes at another.
    pub(super) fn may_overlap(&self, bytes: u64, other: &Address, others: u64, function: &Function) -> bool {
        if self.space != other.space && self.space != Space::Generic && other.space != Space::Generic {
            return false;
        }
        if self.root == other.root && self.terms == other.terms {
            let (low, high) = if self.offset <= other.offset { (self, other) } else { (other, self) };
            let first = if self.offset <= other.offset { bytes } else { others };
            return (high.offset as i128) - (low.offset as i128) < i128::from(first);
        }
        match (object(function, self.root), object(function, other.root)) {
            (Some(Object::Param(a, restrict)), Some(Object::Param(b, other))) => {
                a == b || !(restrict || other)
            }
            (Some(Object::Param(_, restrict)), Some(Object::Global(_)))
            | (Some(Object::Global(_)), Some(Object::Param(_, restrict))) => !restrict,
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }
}

/// Object that a root is the beginning of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    Global(usize),
    Slot(Value, u64),
    /// What a parameter points to: one object or several, but with `restrict` no other pointer's.
    Param(Value, bool),
}

fn object(function: &Function, root: Value) -> Option<Object> {
    match function.values[root.index()].def {
        Def::Result(inst, _) => match function.insts[inst.index()].op {
            Op::Global(id) => Some(Object::Global(id.index())),
            Op::Slot { size, .. } => Some(Object::Slot(root, size)),
            _ => None,
        },
        Def::Param(block, _) if block.index() == 0 => {
            let param = function.params.iter().find(|param| param.value == root)?;
            Some(Object::Param(root, param.restrict))
        }
        Def::Param(..) | Def::Constant(_) | Def::Undefined | Def::Alias(_) => None,
    }
}

/// Constant, as it is in 64 bits.
fn number(function: &Function, value: Value, extended: Extended) -> Option<i64> {
    let bits = function.constant(value)?;
    Some(match (function.ty(value), extended) {
        (Type::I32, Extended::Signed) => i64::from(bits as i32),
        (Type::I32, _) => i64::from(bits as u32),
        _ => bits as i64,
    })
}
