//! Limits of the device that a source can break, and that are known before a launch.
//!
//! Enters: the optimised representation, so that what no one uses does not count. Leaves: errors. This module must never
//! know how the code came about.

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    ir::{Function, Global, Module, Op, Space},
    source::{Sources, Span},
};

/// Bytes of constant memory that a module may declare.
const CONSTANT: u64 = 64 << 10;
/// Bytes of shared memory that a block may have without the launch asking for more, which it can for dynamic memory only.
const SHARED: u64 = 48 << 10;
/// Threads of a block.
const THREADS: u32 = 1024;

/// Reports which limits a module breaks.
pub(crate) fn check(module: &Module, sources: &Sources, sink: &mut Diagnostics) {
    constant_memory(module, sources, sink);
    for function in module.functions.iter().filter(|function| function.kernel) {
        shared_memory(module, function, sources, sink);
        if let Some(threads) = function.bounds.max_threads.filter(|threads| *threads > THREADS) {
            let message = format!("a block of {threads} threads cannot be launched: the limit is {THREADS}");
            sink.push(
                Diagnostic::error("launch-bounds", function.span, message)
                    .help(format!("write `__launch_bounds__({THREADS})` or less, and launch more blocks")),
            );
        }
    }
}

fn constant_memory(module: &Module, sources: &Sources, sink: &mut Diagnostics) {
    let constants: Vec<&Global> =
        module.globals.iter().filter(|global| global.space == Space::Constant).collect();
    let Some(all) = too_large(&constants, CONSTANT) else { return };
    let Some(largest) = largest(&constants) else { return };
    let message = format!(
        "constant memory has {CONSTANT} bytes, but {} {all}",
        if constants.len() == 1 {
            format!("`{}` needs", name(largest, sources))
        } else {
            "its variables need".to_owned()
        }
    );
    sink.push(
        Diagnostic::error("constant-size", largest.span, message)
            .label(format!("{} bytes", largest.size))
            .help("declare it `__device__`, or pass a `const` pointer with `__restrict__` to the kernel"),
    );
}

fn shared_memory(module: &Module, function: &Function, sources: &Sources, sink: &mut Diagnostics) {
    // Functions that were not inlined may use more: ptxas tells that.
    let mut used = vec![];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Some(Op::Global(id)) = function.insts.get(inst.index()).map(|inst| &inst.op)
            && let Some(global) = module.globals.get(id.index())
            && global.space == Space::Shared
            && !global.external
            && !used.contains(&id.index())
        {
            used.push(id.index());
        }
    }
    let used: Vec<&Global> = used.iter().filter_map(|at| module.globals.get(*at)).collect();
    let Some(all) = too_large(&used, SHARED) else { return };
    let Some(largest) = largest(&used) else { return };
    let message = match used.len() {
        1 => {
            format!(
                "a block has {SHARED} bytes of shared memory, but `{}` needs {all}",
                name(largest, sources)
            )
        }
        _ => format!("a block has {SHARED} bytes of shared memory, but this kernel's variables need {all}"),
    };
    let mut problem = Diagnostic::error("shared-size", largest.span, message)
        .label(format!("{} bytes", largest.size))
        .help(
            "make it smaller; for more, write `extern __shared__ T name[];` and have the host raise \
             `cudaFuncAttributeMaxDynamicSharedMemorySize` before the launch",
        );
    if used.len() > 1 && function.span != Span::default() {
        problem = problem.related(function.span, "the kernel");
    }
    sink.push(problem);
}

/// Bytes of all variables, where they are more than there is room for.
fn too_large(globals: &[&Global], most: u64) -> Option<u64> {
    let all = globals.iter().fold(0u64, |sum, global| {
        let align = u64::from(global.align.max(1));
        sum.div_ceil(align).saturating_mul(align).saturating_add(global.size)
    });
    (all > most).then_some(all)
}

fn largest<'a>(globals: &[&'a Global]) -> Option<&'a Global> {
    globals.iter().copied().max_by_key(|global| global.size)
}

/// Name as it is written: the symbol may be mangled.
fn name<'a>(global: &'a Global, sources: &'a Sources) -> &'a str {
    let written = sources.text(global.span);
    let plain = !written.is_empty() && written.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
    if plain { written } else { &global.name }
}
