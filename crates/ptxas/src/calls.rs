//! The functions that a kernel calls.

use crate::Unknown;
use ptx::{Function, Instruction, Module, Operand, Statement};
use std::collections::BTreeSet;

/// What calls make unknown.
pub(crate) fn find(module: &Module<'_>, kernel: &Function<'_>, unknown: &mut BTreeSet<Unknown>) {
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut next = vec![kernel];
    while let Some(function) = next.pop() {
        let mut calls = vec![];
        each(function.body.as_deref().unwrap_or_default(), &mut |i| calls.push(i));
        for call in calls.into_iter().filter(|call| !asserts(call)) {
            match callee(module, call) {
                Callee::Function(callee) => {
                    unknown.insert(Unknown::Calls);
                    if reaches(module, callee, callee.name) {
                        unknown.insert(Unknown::Recursion);
                    }
                    if reached.insert(callee.name) {
                        next.push(callee);
                    }
                }
                Callee::System => {
                    unknown.insert(Unknown::System);
                }
                Callee::Pointer => {
                    unknown.insert(Unknown::Pointer);
                }
            }
        }
    }
}

enum Callee<'m> {
    /// One that the module has.
    Function(&'m Function<'m>),
    /// One that the driver adds.
    System,
    Pointer,
}

/// Whom an instruction calls.
fn callee<'m>(module: &'m Module<'m>, call: &Instruction<'_>) -> Callee<'m> {
    let names = || {
        call.operands.iter().filter_map(|operand| match operand {
            Operand::Name(name, None) => Some(*name),
            _ => None,
        })
    };
    // A function may be declared before it is defined.
    let defined = |name| module.functions.iter().find(|f| f.name == name && f.body.is_some());
    match names().find_map(defined) {
        Some(function) => Callee::Function(function),
        None if names().any(|name| name.starts_with('%')) => Callee::Pointer,
        None => Callee::System,
    }
}

/// Whether a call is that of a failed `assert`, which no launch returns from.
fn asserts(i: &Instruction<'_>) -> bool {
    i.operands.iter().any(|operand| matches!(operand, Operand::Name("__assertfail", None)))
}

/// Whether a function calls another one, itself or through others.
fn reaches(module: &Module<'_>, from: &Function<'_>, name: &str) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut next = vec![from];
    while let Some(function) = next.pop() {
        let mut found = false;
        let mut more = vec![];
        each(function.body.as_deref().unwrap_or_default(), &mut |i| {
            if let Callee::Function(callee) = callee(module, i) {
                found |= callee.name == name;
                more.push(callee);
            }
        });
        if found {
            return true;
        }
        next.extend(more.into_iter().filter(|callee| seen.insert(callee.name)));
    }
    false
}

/// Calls in a body.
fn each<'a>(body: &'a [Statement<'a>], found: &mut impl FnMut(&'a Instruction<'a>)) {
    for statement in body {
        match statement {
            Statement::Instruction(i) if i.opcode == "call" => found(i),
            Statement::Block(inner) => each(inner, found),
            _ => {}
        }
    }
}
