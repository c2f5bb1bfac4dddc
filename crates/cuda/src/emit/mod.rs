//! PTX text.
//!
//! Enters: a module after all passes. Leaves: PTX that ptxas and the driver accept, in the manner of NVRTC. This module
//! must never know CUDA C, and never decides what is computed: only how it is written.
//!
//! A function goes through these, each a file:
//! - `legalise`: switches become comparisons, large copies loops; critical edges are split.
//! - `order`: in which order blocks are written.
//! - `select`: which instructions are written together with the one that uses them (addresses, `mad`, `mul.wide`).
//! - `live`, `registers`: which values share a register, so that blocks' parameters need few moves.
//! - `plan`: how blocks follow each other, and what is moved between them.
//! - `writer`: lines, made of the pieces of `text`, and the operands in them.
//! - `instruction`, `memory`, `template`, `call`, and `function` for the whole: what is written.

mod call;
mod function;
mod globals;
mod instruction;
mod legalise;
mod lines;
mod live;
mod memory;
mod needs;
mod operand;
mod order;
mod plan;
mod quick;
mod registers;
mod select;
mod slots;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod writer;

use crate::diagnostic::Diagnostic;
use crate::ir::{FunctionId, GlobalId, Module, Op};
use crate::options::Arch;
use crate::source::{Origins, Sources};
use crate::threads;
use function::{Prepared, Unit};

/// What the text is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Architecture.
    pub(crate) arch: Arch,
    /// Whether ptxas may round a product and a sum once.
    pub(crate) fmad: bool,
    /// Whether single precision is computed by the quick instructions.
    pub(crate) fast_math: bool,
    /// Whether lines of the source are reported.
    pub(crate) lines: bool,
}

impl Target {
    /// Least version of PTX's language that knows the architecture and what the compiler writes (line information of
    /// inlined calls: 7.2; the rest by architecture).
    fn version(self, module: &Module) -> &'static str {
        let mut insts = module.functions.iter().flat_map(|function| &function.insts);
        let assembly = insts.any(|inst| matches!(inst.op, Op::Asm(_)));
        let parameters = |function: &crate::ir::Function| -> u64 {
            function.params.iter().map(|param| param.bytes.map_or(8, |(bytes, _)| bytes)).sum()
        };
        // More than 4352 bytes of parameters: 8.1.
        let large = module.functions.iter().any(|function| function.kernel && parameters(function) > 4352);
        match self.arch.number {
            // Inline assembly may ask for anything.
            0..103 if assembly => "8.8",
            0..100 if large => "8.1",
            0..90 => "7.8",
            90..100 => "8.0",
            100..102 => "8.6",
            120 => "8.7",
            103 | 121 => "8.8",
            _ => "9.0",
        }
    }
}

/// Text of a module, with what its lines were made from.
///
/// # Errors
///
/// What PTX has no words for.
pub(crate) fn emit(
    mut module: Module,
    sources: &Sources,
    target: Target,
) -> Result<(String, Origins), Box<Diagnostic>> {
    let order = reachable(&module);
    let threads = threads::worth(&module.functions);
    let mut prepared: Vec<_> = module.functions.iter_mut().map(|function| (function, None)).collect();
    threads::for_each(
        threads,
        &mut prepared,
        |(function, _)| function.size(),
        |(function, prepared)| *prepared = Some(Prepared::new(function)),
    );
    let mut prepared: Vec<_> = prepared.into_iter().map(|(_, prepared)| prepared).collect();
    let module = &module;
    let mut out = String::new();
    let version = target.version(module);
    out.push_str("//\n// Compiled by warpbook's own compiler\n//\n\n");
    let Arch { number, suffix } = target.arch;
    let suffix = suffix.map(String::from).unwrap_or_default();
    out.push_str(&format!(".version {version}\n.target sm_{number}{suffix}\n.address_size 64\n\n"));
    let users = globals::users(module, &order);
    call::declare(module, &globals::functions_in_all(module, &users), &mut out);
    globals::declare(module, &users, &mut out);
    call::declare_externals(module, &order, &mut out);
    let mut lines = lines::Lines::new(sources, target.lines);
    let unit = Unit { module, users: &users, target };
    let mut emitted = vec![false; module.functions.len()];
    for (number, id) in order.iter().enumerate() {
        call::declare_callees(module, *id, &emitted, &mut out);
        if let Some(prepared) = prepared[id.index()].take() {
            function::emit(unit, *id, number, prepared, &mut lines, &mut out)?;
        }
        emitted[id.index()] = true;
    }
    let origins = lines.finish(&mut out);
    Ok((out, origins))
}

/// Kernels and the functions that they call or have the addresses of, a function before its callers (unless they call each other).
fn reachable(module: &Module) -> Vec<FunctionId> {
    let mut order = vec![];
    let mut seen = vec![false; module.functions.len()];
    let mut roots = vec![];
    for (at, _) in module.globals.iter().enumerate().filter(|(_, global)| global.visible) {
        globals::functions_in(module, GlobalId(at as u32), &mut roots);
    }
    let kernels = module.functions.iter().enumerate().filter(|(_, function)| function.kernel);
    roots.extend(kernels.map(|(at, _)| FunctionId(at as u32)));
    for root in roots {
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        // A stack of our own: calls may nest deeply.
        let mut stack = vec![(root, named(module, root))];
        while let Some((id, callees)) = stack.last_mut() {
            match callees.pop() {
                Some(callee) if !seen[callee.index()] => {
                    seen[callee.index()] = true;
                    stack.push((callee, named(module, callee)));
                }
                Some(_) => {}
                None => {
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Functions that a function names, and those in the contents of variables that it names.
fn named(module: &Module, id: FunctionId) -> Vec<FunctionId> {
    let mut found = call::callees(module, id);
    let function = &module.functions[id.index()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::Global(global) = function.insts[inst.index()].op {
            globals::functions_in(module, global, &mut found);
        }
    }
    found
}
