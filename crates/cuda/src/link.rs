//! Linking: the units of a program's side become one module.
//!
//! Enters: modules, each of a unit. Leaves: one module in which every name is resolved, and where each unit's functions and variables
//! are in it; or which names no unit defines, and which two do. What several units have as their own is kept apart under names of the
//! linker's making. This module must never know which side it links, or what a function does.

mod resolve;
mod tell;
#[cfg(test)]
mod tests;

use crate::diagnostic::Diagnostics;
use crate::hash::{Map, Set};
use crate::ir::{Function, FunctionId, GlobalId, Module, Op, Symbol};
use crate::source::Sources;
use resolve::{Place, Resolved};
use std::rc::Rc;

/// Function that starts variables, of which each unit may have one.
pub(crate) const START: &str = crate::check::START;

/// What comes between a name that several units have as their own and a number.
const APART: &str = "$u";

/// What is linked.
pub(crate) struct Unit {
    /// Name of its file.
    pub(crate) file: String,
    /// Its module.
    pub(crate) module: Module,
    /// Names of the variables as written, by the numbers of its first globals.
    pub(crate) names: Vec<Rc<str>>,
}

/// How units are linked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    /// Whether definitions are the unit's own, so that none is found from another. (Two of one name are an error all the same.)
    pub(crate) whole: bool,
    /// Whether a variable that is declared with another size than it has is an error, and not only a warning.
    pub(crate) sizes: bool,
    /// Functions by which the program begins: all others may be changed once all of their calls are known.
    pub(crate) begins: &'a [&'a str],
}

/// One module of several.
pub(crate) struct Linked {
    /// The module.
    pub(crate) module: Module,
    /// Names of its variables as written, by the numbers of its globals; empty for those that no one has written.
    pub(crate) names: Vec<Rc<str>>,
    /// By unit and its functions: what each is in the module.
    pub(crate) functions: Vec<Vec<FunctionId>>,
    /// The same for variables.
    pub(crate) globals: Vec<Vec<GlobalId>>,
}

/// Links units; where the sink has an error afterwards, nothing is to be used.
pub(crate) fn link(
    units: Vec<Unit>,
    rules: Rules<'_>,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<Linked> {
    let resolved = Resolved::new(&units, rules, sources);
    tell::tell(&units, &resolved, rules, sources, sink);
    if sink.failed() {
        return None;
    }
    let mut taken = Set::default();
    let functions: Vec<Vec<FunctionId>> = numbers(&resolved.functions, FunctionId);
    let globals: Vec<Vec<GlobalId>> = numbers(&resolved.globals, GlobalId);
    let mut linked = Linked { module: Module::default(), names: vec![], functions, globals };
    for (number, unit) in units.into_iter().enumerate() {
        linked.take(number, unit, &resolved, &mut taken);
    }
    linked.start();
    for function in &mut linked.module.functions {
        function.visible = rules.begins.contains(&&*function.name);
    }
    Some(linked)
}

/// Numbers in the module of all that is defined, and for declarations those of what they mean.
fn numbers<T: Copy>(places: &[Vec<Place>], make: impl Fn(u32) -> T) -> Vec<Vec<T>> {
    let mut all: Map<(usize, usize), u32> = Map::default();
    for (unit, own) in places.iter().enumerate() {
        for (at, _) in own.iter().enumerate().filter(|(at, place)| **place == Place { unit, at: *at }) {
            all.insert((unit, at), all.len() as u32);
        }
    }
    let number = |place: &Place| make(all.get(&(place.unit, place.at)).copied().unwrap_or(0));
    places.iter().map(|of| of.iter().map(number).collect()).collect()
}

impl Linked {
    /// Moves what a unit defines into the module.
    fn take(&mut self, number: usize, unit: Unit, resolved: &Resolved, taken: &mut Set<String>) {
        let Unit { module, names, .. } = unit;
        for (at, mut global) in module.globals.into_iter().enumerate() {
            if resolved.globals[number][at] != (Place { unit: number, at }) {
                continue;
            }
            for (_, of, _) in global.initial.iter_mut().flat_map(|(_, addresses)| addresses) {
                match of {
                    Symbol::Global(id) => *id = self.globals[number][id.index()],
                    Symbol::Function(id) => *id = self.functions[number][id.index()],
                }
            }
            name_apart(&mut global.name, taken);
            self.module.globals.push(global);
            self.names.push(names.get(at).cloned().unwrap_or_else(|| "".into()));
        }
        for (at, mut function) in module.functions.into_iter().enumerate() {
            if resolved.functions[number][at] != (Place { unit: number, at }) {
                continue;
            }
            for data in &mut function.insts {
                match &mut data.op {
                    Op::Call(id) | Op::Function(id) => *id = self.functions[number][id.index()],
                    Op::Global(id) => *id = self.globals[number][id.index()],
                    _ => {}
                }
            }
            name_apart(&mut function.name, taken);
            self.module.functions.push(function);
        }
    }

    /// Makes one function of those that start the variables of the units: it calls them in their order.
    fn start(&mut self) {
        let own = |function: &Function| function.source_name == START && function.visible;
        let all: Vec<FunctionId> = (0..self.module.functions.len() as u32)
            .map(FunctionId)
            .filter(|id| own(&self.module.functions[id.index()]))
            .collect();
        let Some((first, others)) = all.split_first() else { return };
        if others.is_empty() {
            return;
        }
        // What several units have is started by the first of them.
        let mut started: Set<FunctionId> = Set::default();
        let mut nothing = self.module.functions[first.index()].clone();
        nothing.clear();
        nothing.name = format!("{START}.none");
        nothing.visible = false;
        let nothing_id = FunctionId(self.module.functions.len() as u32);
        for id in &all {
            let function = &mut self.module.functions[id.index()];
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                if let Op::Call(callee) = &mut function.insts[inst.index()].op
                    && !started.insert(*callee)
                {
                    *callee = nothing_id;
                }
            }
        }
        let mut start = nothing.clone();
        self.module.functions.push(nothing);
        start.name = START.to_owned();
        for (number, id) in all.iter().enumerate() {
            self.module.functions[id.index()].name = format!("{START}.{number}");
            let inst = start.inst(Op::Call(*id), vec![], &[], Default::default());
            if let Some(entry) = start.blocks.first_mut() {
                entry.insts.push(inst);
            }
        }
        self.module.functions.push(start);
    }
}

/// A name of the module as its unit has it.
pub(crate) fn written_name(name: &str) -> &str {
    match name.rsplit_once(APART) {
        Some((before, number)) if number.bytes().all(|one| one.is_ascii_digit()) => before,
        _ => name,
    }
}

/// Gives a name that is taken a number.
fn name_apart(name: &mut String, taken: &mut Set<String>) {
    if taken.insert(name.clone()) {
        return;
    }
    let mut number = 2;
    while !taken.insert(format!("{name}{APART}{number}")) {
        number += 1;
    }
    name.push_str(&format!("{APART}{number}"));
}
