//! Limits that a source can break: of this compiler's time, and of the device, as far as they are known before a launch.
//!
//! Enters: the representation; for the device's limits the optimised one, so that what no one uses does not count. Leaves: errors.
//! This module must never know how the code came about.

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    ir::{Block, Function, Global, Module, Op, Space, cfg},
    lists::Lists,
    source::{Sources, Span},
};

/// Bytes of constant memory that a module may declare.
const CONSTANT: u64 = 64 << 10;
/// Bytes of shared memory that a block may have without the launch asking for more, which it can for dynamic memory only.
const SHARED: u64 = 48 << 10;
/// Threads of a block.
const THREADS: u32 = 1024;

/// Blocks of all loops of a function, each loop's counted by itself: what passes over loops go through again and again.
const BLOCKS_OF_LOOPS: usize = 4_000_000;

/// Reports functions whose loops no pass would get through in time. Loops that are written as loops are nested a few times;
/// jumps back by `goto` may nest as many loops as there are labels.
pub(crate) fn check_loops(module: &Module, sink: &mut Diagnostics) {
    for function in module.functions.iter().filter(|function| blocks_of_loops(function).is_none()) {
        let message = format!(
            "the jumps of this function form too many loops within each other: their blocks are more than {BLOCKS_OF_LOOPS}, \
             counted for each loop"
        );
        sink.push(
            Diagnostic::error("too-many-loops", function.span, message)
                .help("write loops instead of jumps back by `goto`, or divide the function"),
        );
    }
}

/// How many blocks the loops of a function have together; `None` where there are too many.
fn blocks_of_loops(function: &Function) -> Option<usize> {
    let order = cfg::reverse_postorder(function);
    let mut position = vec![usize::MAX; function.blocks.len()];
    for (at, block) in order.iter().enumerate() {
        position[block.index()] = at;
    }
    let (mut predecessors, mut latches) = (vec![], vec![]);
    for block in &order {
        function.blocks[block.index()].end.for_each_edge(|edge| {
            predecessors.push((edge.block.0, *block));
            if position[edge.block.index()] <= position[block.index()] {
                latches.push((edge.block.0, *block));
            }
        });
    }
    let predecessors = Lists::new(function.blocks.len(), &predecessors);
    let latches = Lists::new(function.blocks.len(), &latches);
    let mut member = vec![usize::MAX; function.blocks.len()];
    let mut all = 0;
    for header in order.iter().map(|header| header.index()) {
        member[header] = header;
        let mut work: Vec<Block> = latches.of(header).to_vec();
        while let Some(block) = work.pop() {
            if member[block.index()] != header {
                member[block.index()] = header;
                all += 1;
                if all > BLOCKS_OF_LOOPS {
                    return None;
                }
                work.extend(predecessors.of(block.index()));
            }
        }
    }
    Some(all)
}

/// Reports which limits of the device a module breaks.
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
