//! Optimisation.
//!
//! Enters: a module as `lower` makes it. Leaves: the same program in the form in which `emit` writes it. A file is a pass;
//! the list of them, in LLVM's order, is in [`optimize_watched`]. This module must never know CUDA C or PTX's text.

pub(crate) mod calls;
pub(crate) mod cfg;
pub(crate) mod compact;
pub(crate) mod contract;
pub(crate) mod dce;
pub(crate) mod divide;
pub(crate) mod dse;
pub(crate) mod effects;
pub(crate) mod exits;
pub(crate) mod fold;
pub(crate) mod forward;
pub(crate) mod funnel;
pub(crate) mod gvn;
pub(crate) mod hoist;
pub(crate) mod inline;
pub(crate) mod invariant;
pub(crate) mod known;
pub(crate) mod loops;
mod manager;
pub(crate) mod mem2reg;
pub(crate) mod memory;
pub(crate) mod params;
pub(crate) mod reassociate;
pub(crate) mod records;
pub(crate) mod simplify;
pub(crate) mod sink;
pub(crate) mod spaces;
pub(crate) mod sroa;
pub(crate) mod unaligned;
pub(crate) mod vectorise;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::ir::reach::Reach;
use crate::ir::{Function, Module};
use crate::threads;
use loops::promote::Which;
use manager::{Manager, Pass};

/// What passes may ask about the rest of the module.
pub(crate) struct Context<'a> {
    /// The globals.
    pub(crate) globals: &'a [crate::ir::Global],
    /// Instructions that unrolling may still add to the module.
    pub(crate) room: AtomicUsize,
    /// Whether there were not as many as somebody wanted.
    short: AtomicBool,
}

/// Instructions that unrolling may add to a module: with more, compiling takes longer than anybody waits for.
const ROOM: usize = 150_000;

impl<'a> Context<'a> {
    /// What there is to ask about a module with these globals.
    pub(crate) fn new(globals: &'a [crate::ir::Global]) -> Self {
        Context { globals, room: AtomicUsize::new(ROOM), short: AtomicBool::new(false) }
    }

    /// Takes that many instructions of what unrolling may add; whether there were as many.
    pub(crate) fn take_room(&self, instructions: usize) -> bool {
        let less = |room: usize| room.checked_sub(instructions);
        let taken = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok();
        self.short.fetch_or(!taken, Ordering::Relaxed);
        taken
    }
}

/// What looks at a function on its way: when calls are inlined and variables are values, and loops are still as written.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(&Function, &Context<'_>);

/// Optimises all functions.
#[cfg(test)]
pub(crate) fn optimize(module: &mut Module) {
    optimize_watched(module, &|_| true, &mut |_, _| {});
}

/// Optimises all functions, and shows each to someone; of those that are not wanted nothing is left after that.
pub(crate) fn optimize_watched(module: &mut Module, wanted: &dyn Fn(&Function) -> bool, watch: Watch<'_>) {
    let (mut functions, mut globals) =
        (std::mem::take(&mut module.functions), std::mem::take(&mut module.globals));
    let context = Context::new(&globals);
    inline::run(&mut functions, &globals, |function, often| tidy(function, often, &context));
    inline::remove_unused(&mut functions, &mut globals);
    let context = Context::new(&globals);
    let as_lowered = Reach::new(&functions, &globals).as_lowered(&functions);
    records::run(&mut functions, &as_lowered);
    for function in &mut functions {
        exits::run(function);
    }
    let threads = threads::worth(&functions);
    threads::for_each(threads, &mut functions, Function::size, |function| split_memory(function, &context));
    for (function, changed) in calls::run(&mut functions, &as_lowered).into_iter().enumerate() {
        if changed {
            split_memory(&mut functions[function], &context);
        }
    }
    if spaces::memory_holds_global_pointers(&functions, context.globals) {
        for function in &mut functions {
            spaces::assume_loaded(function);
            spaces::run(function);
        }
    }
    functions.iter().for_each(|function| watch(function, &context));
    // A kernel that another one launches is wanted with it.
    let launched = Reach::new(&functions, &globals).addressed;
    // How many iterations of a loop become one depends on its stores; and once more after what makes loads dead.
    let mut own = dse::own_shared(&globals);
    dse::unread_shared(&mut functions, own.clone());
    let unwanted = |(function, launched): &(&mut Function, bool)| !launched && !wanted(function);
    for (function, _) in functions.iter_mut().zip(launched).filter(unwanted) {
        // What is left of a kernel does not depend on who else is wanted.
        dse::read_by(function, &mut own);
        function.clear();
    }
    optimize_functions(threads, &mut functions, &globals, ROOM);
    dse::unread_shared(&mut functions, own);
    module.functions = functions;
    module.globals = globals;
    debug_assert_eq!(crate::ir::verify::verify(module), Ok(()), "after passes");
}

/// Optimises all functions of the host's side: only what makes little code of much, since it is compiled while its reader waits, and
/// nothing that is for the memory of a device.
#[cfg(feature = "host")]
pub(crate) fn optimize_host(module: &mut Module) {
    let globals = std::mem::take(&mut module.globals);
    let context = Context::new(&globals);
    let functions = &mut module.functions;
    inline::run(functions, &globals, |function, often| tidy(function, often, &context));
    let as_lowered = Reach::new(functions, &globals).as_lowered(functions);
    records::run(functions, &as_lowered);
    for function in functions.iter_mut().filter(|function| !function.external) {
        split_memory(function, &context);
        let mut passes = Manager::new(function, &context);
        if passes.run(Pass::Forward) {
            passes.clean();
        }
        passes.run(Pass::Rotate);
        passes.clean();
        passes.run(Pass::Licm);
        passes.run(Pass::Forward);
        passes.run(Pass::Dse);
        passes.clean();
        passes.run(Pass::Dce);
        passes.compact();
    }
    module.globals = globals;
    debug_assert_eq!(crate::ir::verify::verify(module), Ok(()), "after passes");
}

/// Optimises functions; what comes out is the same with any number of threads.
fn optimize_functions(
    threads: usize,
    functions: &mut Vec<Function>,
    globals: &[crate::ir::Global],
    room: usize,
) {
    let context = || Context { room: room.into(), ..Context::new(globals) };
    if threads > 1 {
        let context = context();
        // Each thread changes copies of its own making: what another has allocated takes a lock to be freed.
        let mut optimized: Vec<(&Function, Option<Function>)> =
            functions.iter().map(|function| (function, None)).collect();
        threads::for_each(
            threads,
            &mut optimized,
            |(function, _)| function.size(),
            |(function, optimized)| {
                optimize_function(optimized.insert(function.clone()), &context);
            },
        );
        let optimized: Vec<Function> = optimized.into_iter().filter_map(|(_, optimized)| optimized).collect();
        if !context.short.into_inner() {
            *functions = optimized;
            return;
        }
        // Who comes first has the room, and that is to be the first of the module.
    }
    let context = context();
    for function in functions {
        optimize_function(function, &context);
    }
}

/// Rounds of splitting: a reference that becomes a value shows what it refers to, which can then be split as well.
const SPLITS: u32 = 8;

/// Instructions of a function that is not simplified before it is inlined into the only place that calls it: there it would be
/// gone through once more.
const LONG: usize = 100;

/// What is worth doing once to a function that is copied into others. Structs stay whole: what they are split into is seen
/// where they are used.
fn tidy(function: &mut Function, often: bool, context: &Context<'_>) {
    let mut passes = Manager::new(function, context);
    passes.run_once(cfg::run_early);
    passes.run_once(mem2reg::run);
    if often || passes.function.size() < LONG {
        passes.run(Pass::Simplify);
    }
    passes.compact();
}

/// Rounds of unrolling: a loop around one that is gone may be small enough once it is simplified, or its iterations be known.
const UNROLLS: u32 = 3;

/// The first passes: variables into values, and state spaces.
fn split_memory(function: &mut Function, context: &Context<'_>) {
    let mut passes = Manager::new(function, context);
    passes.run_once(cfg::run_early);
    // Half of the blocks are gone.
    passes.compact();
    split(&mut passes);
    passes.clean();
    // What writes one of two variables does so through a selected address now.
    if mem2reg::has_slots(passes.function) {
        split(&mut passes);
        passes.clean();
    }
    passes.run(Pass::Spaces);
    passes.compact();
}

fn split(passes: &mut Manager<'_>) {
    for _ in 0..SPLITS {
        passes.run(Pass::Spaces);
        // Conversions that no one uses any more would hold slots back.
        passes.run(Pass::Dce);
        if !passes.run(Pass::Sroa) {
            break;
        }
        passes.compact_if_sparse();
        passes.run(Pass::Simplify);
    }
}

/// The passes in order: LLVM's, as far as its effects can be seen in the memory instructions that remain.
fn optimize_function(function: &mut Function, context: &Context<'_>) -> bool {
    let mut passes = Manager::new(function, context);
    passes.run_once(|function| invariant::run(function, context));
    if passes.run_once(params::run) {
        passes.clean();
    }
    if passes.run(Pass::Forward) {
        passes.clean();
    }
    passes.run_once(reassociate::run);
    for _ in 0..UNROLLS {
        let mut unrolled = false;
        passes.run_once(|function| {
            let before = (function.blocks.len(), function.values.len());
            unrolled = loops::unroll::run(function, context);
            before != (function.blocks.len(), function.values.len())
        });
        if !unrolled {
            break;
        }
        // Indices that are constants now split arrays, and decide branches.
        passes.run(Pass::Simplify);
        split(&mut passes);
        passes.run_once(params::run);
        passes.compact();
        passes.clean();
    }
    passes.run(Pass::Rotate);
    passes.clean();
    passes.run(Pass::Licm);
    passes.run_once(|function| loops::promote::run(function, context, Which::All));
    passes.run(Pass::Forward);
    passes.run(Pass::Dse);
    passes.clean();
    if passes.run(Pass::Delete) {
        passes.clean();
    }
    passes.run(Pass::Licm);
    // What guards an inner loop is known by now. (That two ways store to one place is too, but NVRTC does not look again.)
    if passes.run_once(|function| loops::promote::run(function, context, Which::Outer)) {
        passes.run(Pass::Forward);
    }
    passes.clean();
    if passes.run_once(|function| loops::unroll::partial(function, context)) {
        passes.clean();
        passes.run(Pass::Forward);
        passes.clean();
    }
    if passes.run_once(|function| forward::carry::run(function, context)) {
        // The first iteration's address is what it is made of, and what is there may be known.
        passes.clean();
        passes.run(Pass::Forward);
        passes.clean();
    }
    passes.run_once(sink::run) | passes.run(Pass::Dce)
}

/// Prepares all functions for the emitter, after everything else: wide accesses, and fused operations where they are wanted.
pub(crate) fn finish(module: &mut Module, fmad: bool) {
    let mut functions = std::mem::take(&mut module.functions);
    let context = Context::new(&module.globals);
    let threads = threads::worth(&functions);
    threads::for_each(threads, &mut functions, Function::size, |function| {
        unaligned::run(function);
        if divide::run(function) {
            gvn::run(function);
            loops::licm::run(function, &context);
            dce::run(function);
        }
        vectorise::run(function, &context);
        funnel::run(function);
        if fmad {
            contract::run(function);
        }
        dce::run(function);
        // Last: what is known of an address is not seen in a pointer that goes on.
        loops::reduce::run(function);
        if loops::rematerialise::run(function) {
            dce::run(function);
        }
    });
    module.functions = functions;
    debug_assert_eq!(crate::ir::verify::verify(module), Ok(()), "after the last passes");
}

/// Sets every operand to the value that stands for it.
pub(crate) fn resolve_operands(function: &mut Function) {
    function.resolve_operands();
}

#[cfg(test)]
pub(crate) mod test {
    use super::{Context, Function, Manager, Which, resolve_operands};
    use crate::ir::parse::parse;
    use crate::ir::verify::verify;

    /// Text of a module's last function after a pass; both before and after, the module is checked.
    pub(crate) fn changed(text: &str, pass: impl Fn(&mut Function, &Context<'_>) -> bool) -> String {
        let mut module = parse(text);
        verify(&module).unwrap();
        let mut function = module.functions.pop().unwrap();
        pass(&mut function, &Context::new(&module.globals));
        resolve_operands(&mut function);
        module.functions.push(function);
        verify(&module).unwrap();
        module.to_string()
    }

    /// Functions as any number of threads makes them.
    fn optimized(threads: usize, room: usize) -> String {
        let one = |number: usize, turns: usize| {
            format!(
                "kernel @k{number}(p) {{\nb0(p: ptr.global):\n  jump b1(0:i32)\nb1(i: i32) unroll full:\n  c: pred = cmp.slt i, {turns}:i32\n  branch c, b2, b3\nb2:\n  x: i32 = load.a4 p\n  y: i32 = mul x, i\n  store.a4 p, y\n  builtin \"__syncthreads v() -\"\n  j: i32 = add i, 1:i32\n  jump b1(j)\nb3:\n  return\n}}\n"
            )
        };
        let text: String = (0..12).map(|number| one(number, 40 + number)).collect();
        let mut module = parse(&text);
        super::optimize_functions(threads, &mut module.functions, &[], room);
        verify(&module).unwrap();
        module.to_string()
    }

    #[test]
    fn any_number_of_threads_makes_the_same_of_functions() {
        let all = optimized(1, super::ROOM);
        assert!(!all.contains("branch"), "{all}");
        assert_eq!(optimized(5, super::ROOM), all);
        // Where there is room for some alone, it is the first that have it.
        let some = optimized(1, 1500);
        let unrolled: Vec<bool> = some.split("kernel").skip(1).map(|one| !one.contains("branch")).collect();
        let first = unrolled.iter().take_while(|unrolled| **unrolled).count();
        assert!(first > 1 && !unrolled[first..].contains(&true), "{unrolled:?}");
        for _ in 0..20 {
            assert_eq!(optimized(5, 1500), some);
        }
    }

    fn clean(function: &mut Function, context: &Context<'_>) -> bool {
        Manager::new(function, context).clean()
    }

    type Pass = fn(&mut Function, &Context<'_>) -> bool;
    const PASSES: [(&str, Pass); 32] = [
        ("cfg, early", |one, _| super::cfg::run_early(one)),
        ("spaces", |one, _| super::spaces::run(one)),
        ("forward, in memory", |one, context| super::forward::run(one, context)),
        ("dse, in memory", |one, context| super::dse::run(one, context)),
        ("sroa", |one, context| super::sroa::run(one, context)),
        ("simplify", |one, context| super::simplify::run(one, context)),
        ("cfg", |one, _| super::cfg::run(one)),
        ("gvn", |one, _| super::gvn::run(one)),
        ("hoist", |one, context| super::hoist::run(one, context)),
        ("invariant", |one, context| super::invariant::run(one, context)),
        ("unroll", |one, context| super::loops::unroll::run(one, context)),
        ("clean after unroll", clean),
        ("sroa again", |one, context| super::sroa::run(one, context)),
        ("rotate", |one, _| super::loops::rotate::run(one)),
        ("cfg after rotate", |one, _| super::cfg::run(one)),
        ("gvn after rotate", |one, _| super::gvn::run(one)),
        ("licm", |one, context| super::loops::licm::run(one, context)),
        ("kept by loops", |one, context| super::loops::promote::run(one, context, Which::All)),
        ("forward", |one, context| super::forward::run(one, context)),
        ("dse", |one, context| super::dse::run(one, context)),
        ("simplify again", |one, context| super::simplify::run(one, context)),
        ("hoist again", |one, context| super::hoist::run(one, context)),
        ("cfg again", |one, _| super::cfg::run(one)),
        ("sink", |one, _| super::sink::run(one)),
        ("several iterations in one", |one, context| super::loops::unroll::partial(one, context)),
        ("carried loads", |one, context| super::forward::carry::run(one, context)),
        ("dce", |one, _| super::dce::run(one)),
        ("strength reduction", |one, _| super::loops::reduce::run(one)),
        ("clean", clean),
        ("values made again", |one, _| super::loops::rematerialise::run(one)),
        ("strength reduction again", |one, _| super::loops::reduce::run(one)),
        ("all, again", |function, context| super::optimize_function(function, context)),
    ];

    /// Random functions without undefined operations, before and after all passes.
    #[test]
    fn passes_keep_what_random_functions_compute() {
        for seed in 0..400 {
            let (mut module, args, Some(expected)) = crate::lower::random::case(seed) else { continue };
            let mut functions = std::mem::take(&mut module.functions);
            for (name, pass) in PASSES {
                let context = Context::new(&module.globals);
                functions.iter_mut().for_each(|one| {
                    pass(one, &context);
                });
                functions.iter_mut().for_each(resolve_operands);
                module.functions = functions;
                verify(&module).unwrap();
                let found = crate::ir::run::Machine::new(&module).call(crate::ir::FunctionId(0), &args);
                assert_eq!(found, Ok(vec![expected]), "seed {seed}, after {name}:\n{module}");
                functions = std::mem::take(&mut module.functions);
            }
        }
    }
}
