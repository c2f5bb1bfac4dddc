//! Variables of a module.

use super::operand::space;
use crate::ir::{FunctionId, Global, GlobalId, Module, Op, Space, Symbol};
use std::fmt::Write;

/// Which functions name a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Users {
    /// No one.
    None,
    /// One function.
    One(FunctionId),
    /// Several, or another variable's contents.
    Many,
}

/// Users of each variable among the functions that are written.
pub(super) fn users(module: &Module, order: &[FunctionId]) -> Vec<Users> {
    let mut users = vec![Users::None; module.globals.len()];
    for id in order {
        let function = &module.functions[id.index()];
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Op::Global(global) = function.insts[inst.index()].op {
                let user = &mut users[global.index()];
                *user = match *user {
                    Users::None => Users::One(*id),
                    Users::One(other) if other == *id => Users::One(other),
                    Users::One(_) | Users::Many => Users::Many,
                };
            }
        }
    }
    // What a used variable's contents name is used as well.
    let mut work: Vec<usize> =
        (0..users.len()).filter(|at| users[*at] != Users::None || module.globals[*at].visible).collect();
    let mut seen = vec![false; users.len()];
    while let Some(at) = work.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        for id in named(&module.globals[at]) {
            users[id.index()] = Users::Many;
            work.push(id.index());
        }
    }
    users
}

/// Variables whose addresses a variable's contents have.
fn named(global: &Global) -> impl Iterator<Item = GlobalId> {
    let addresses = global.initial.iter().flat_map(|(_, addresses)| addresses);
    addresses.filter_map(|(_, of, _)| match of {
        Symbol::Global(id) => Some(*id),
        Symbol::Function(_) => None,
    })
}

/// Functions whose addresses are in the contents of a variable, or of one that these name.
pub(super) fn functions_in(module: &Module, id: GlobalId, found: &mut Vec<FunctionId>) {
    let (mut work, mut seen) = (vec![id], vec![]);
    while let Some(id) = work.pop() {
        let Some(global) = module.globals.get(id.index()).filter(|_| !seen.contains(&id)) else { continue };
        seen.push(id);
        for (_, of, _) in global.initial.iter().flat_map(|(_, addresses)| addresses) {
            match of {
                Symbol::Global(id) => work.push(*id),
                Symbol::Function(id) if !found.contains(id) => found.push(*id),
                Symbol::Function(_) => {}
            }
        }
    }
}

/// Functions whose addresses are in the contents of variables that are declared.
pub(super) fn functions_in_all(module: &Module, users: &[Users]) -> Vec<FunctionId> {
    let mut found = vec![];
    for (at, global) in module.globals.iter().enumerate() {
        if global.visible || users[at] != Users::None {
            functions_in(module, GlobalId(at as u32), &mut found);
        }
    }
    found
}

/// Whether a shared variable is declared within the one kernel that uses it.
fn within(module: &Module, global: &Global, users: Users) -> Option<FunctionId> {
    match users {
        Users::One(id) if module.functions[id.index()].kernel => {
            (global.space == Space::Shared && !global.external).then_some(id)
        }
        Users::None | Users::One(_) | Users::Many => None,
    }
}

/// Declares all variables but those that lie within kernels.
pub(super) fn declare(module: &Module, users: &[Users], out: &mut String) {
    for at in declaration_order(module) {
        let global = &module.globals[at];
        if (global.visible || users[at] != Users::None) && within(module, global, users[at]).is_none() {
            declare_one(module, global, out);
        }
    }
    out.push('\n');
}

/// Variables in order, those first whose addresses others contain.
fn declaration_order(module: &Module) -> Vec<usize> {
    let mut order = vec![];
    let mut seen = vec![false; module.globals.len()];
    for first in 0..module.globals.len() {
        let mut stack = vec![(first, false)];
        while let Some((at, done)) = stack.pop() {
            if done {
                order.push(at);
            } else if !std::mem::replace(&mut seen[at], true) {
                stack.push((at, true));
                stack.extend(named(&module.globals[at]).map(|id| (id.index(), false)));
            }
        }
    }
    order
}

/// Declares the shared variables that only this kernel uses.
pub(super) fn declare_within(module: &Module, users: &[Users], kernel: FunctionId, out: &mut String) {
    for (at, global) in module.globals.iter().enumerate() {
        if within(module, global, users[at]) == Some(kernel) {
            out.push('\t');
            declare_one(module, global, out);
        }
    }
}

fn declare_one(module: &Module, global: &Global, out: &mut String) {
    let (name, align) = (&global.name, global.align.max(1));
    let spaced = space(global.space);
    if global.external {
        let _ = writeln!(out, ".extern {spaced} .align {align} .b8 {name}[];");
        return;
    }
    let initial = global.initial.as_ref().filter(|(bytes, addresses)| {
        let zeros = addresses.is_empty() && bytes.iter().all(|byte| *byte == 0);
        global.space != Space::Shared && (!zeros || global.space == Space::Constant)
    });
    let (bits, float) = global.element;
    let scalar = !global.array && u64::from(bits) == global.size * 8;
    let empty = (vec![], vec![]);
    let (bytes, addresses) = initial.unwrap_or(&empty);
    if scalar {
        let kind = if float { 'f' } else { 'u' };
        let _ = write!(out, "{spaced} .align {align} .{kind}{bits} {name}");
        if initial.is_some() {
            let word = Word::read(module, bytes, addresses, 0, global.size as usize);
            let _ = write!(out, " = {}", word.text(float));
        }
    } else {
        // Addresses need elements of their width; what holds one is as large and aligned as that.
        let unit = if addresses.is_empty() { 1 } else { 8 };
        let count = global.size.max(1).div_ceil(unit);
        let kind = if unit == 1 { "b8" } else { "u64" };
        let _ = write!(out, "{spaced} .align {align} .{kind} {name}[{count}]");
        if initial.is_some() {
            // The bytes may end before the last address.
            let end = addresses.iter().map(|(at, ..)| *at as usize + 8).fold(bytes.len().max(1), usize::max);
            let mut words: Vec<Word> = (0..end.div_ceil(unit as usize))
                .map(|at| Word::read(module, bytes, addresses, at as u64 * unit, unit as usize))
                .collect();
            while words.len() > 1 && words.last().is_some_and(|word| word.address.is_none() && word.bits == 0)
            {
                words.pop();
            }
            out.push_str(" = {");
            for (number, word) in words.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                out.push_str(&word.text(false));
            }
            out.push('}');
        }
    }
    out.push_str(";\n");
}

/// What an address in a variable's contents is of.
#[derive(Clone, Copy)]
enum Named<'a> {
    Global(&'a str),
    Function(&'a str),
}

/// Element of a variable's contents.
struct Word<'a> {
    bits: u64,
    size: usize,
    /// Name of a variable or function, with what is added to its address.
    address: Option<(Named<'a>, i64)>,
}

impl<'a> Word<'a> {
    fn read(
        module: &'a Module,
        bytes: &[u8],
        addresses: &[(u64, Symbol, i64)],
        at: u64,
        size: usize,
    ) -> Self {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(bytes.iter().skip(at as usize).take(size)) {
            *to = *from;
        }
        let address = addresses.iter().find(|(offset, ..)| *offset == at).and_then(|(_, of, by)| match of {
            Symbol::Global(id) => Some((Named::Global(&module.globals.get(id.index())?.name), *by)),
            Symbol::Function(id) => Some((Named::Function(&module.functions.get(id.index())?.name), *by)),
        });
        Word { bits: u64::from_le_bytes(word), size, address }
    }

    fn text(&self, float: bool) -> String {
        match (self.address, float, self.size) {
            (Some((Named::Global(name), 0)), ..) => format!("generic({name})"),
            (Some((Named::Global(name), by)), ..) => format!("generic({name})+{by}"),
            (Some((Named::Function(name), _)), ..) => name.to_owned(),
            (None, true, 4) => format!("0f{:08X}", self.bits),
            (None, true, _) => format!("0d{:016X}", self.bits),
            (None, false, _) => self.bits.to_string(),
        }
    }
}
