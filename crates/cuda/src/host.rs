//! The host's side of a program: from source to what runs it.
//!
//! Enters: a source and options. Leaves: `main` and what it reaches, as WebAssembly, with what is to be known of it: where it calls the
//! library, where it may go wrong, which kernels its stubs launch, which variables stand for those of the device. This module must
//! never know what a stage does.

use crate::{
    check,
    diagnostic::{Diagnostic, Diagnostics},
    ir, link, lower,
    options::{Failure, Input, Language, Options},
    parse, passes, preprocess,
    side::{Side, Unit},
    source::{Sources, Span},
    wasm,
};

use std::rc::Rc;

pub use wasm::{DATA, Fault, Given, Letters, PAD, PAGE};

/// The host's side of a program.
#[derive(Clone, Debug)]
pub struct Host {
    /// WebAssembly, as `ARCHITECTURE.md` describes it: it exports `__start`, which starts variables, and `main`.
    pub wasm: Vec<u8>,
    /// Where the source calls the library, by the number that the exported `__call_site` holds from then on, less 1.
    pub calls: Vec<Span>,
    /// Variables of functions whose addresses these calls are given.
    pub given: Vec<Given>,
    /// Variables outside of functions that may be written: first address and size, in the order of these.
    pub globals: Vec<(u64, u64)>,
    /// Places that may go wrong, by the number that the imported `fault` gets: how, and where in the source, if it is there.
    pub faults: Vec<(Fault, Option<Span>)>,
    /// Kernels that the host can name.
    pub kernels: Vec<Kernel>,
    /// Variables of the device, as the host names them.
    pub symbols: Vec<Symbol>,
    /// Address of the variable that holds what was thrown and not caught, if anything throws.
    pub thrown: Option<u64>,
    /// The first address of data that may be written, and the lowest of the stack: between them lie variables.
    pub variables: (u64, u64),
    /// The first address of the heap, and that after the last that it has from the beginning.
    pub heap: (u64, u64),
    /// The most bytes that its memory grows to.
    pub memory: u64,
    /// Types of `main`.
    pub main: Letters,
    /// Types of the functions that it imports from `env`, by name, apart from `fma` and `fmaf`.
    pub imports: Vec<(String, Letters)>,
    /// Types of the functions whose addresses are 1, 2, and so on.
    pub functions: Vec<Letters>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Files that the places lie in.
    pub sources: Sources,
}

/// A kernel as the host names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its address on the host.
    pub handle: u64,
    /// Its name in the PTX.
    pub symbol: String,
    /// Its name in the source, with template arguments.
    pub name: String,
    /// The file that has it, by its number among those of the program.
    pub unit: usize,
}

/// A variable of the device as the host names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Address of what the host has in its place.
    pub shadow: u64,
    /// Size, bytes.
    pub bytes: u64,
    /// Its name in the PTX.
    pub symbol: String,
    /// Its name in the source.
    pub name: String,
    /// Whether it is `__managed__`.
    pub managed: bool,
    /// The file that has it, by its number among those of the program.
    pub unit: usize,
}

/// Those of variables outside of functions that may be written, which begin at an address: in the order of their addresses.
fn written_globals(globals: &[(String, u64, u64)], first: u64) -> Vec<(u64, u64)> {
    let mut all: Vec<(u64, u64)> = globals.iter().map(|(_, at, bytes)| (*at, *bytes)).collect();
    all.retain(|(at, bytes)| *at >= first && *bytes > 0);
    all.sort_unstable();
    all
}

/// Compiles the host's side of a program of one file.
///
/// # Errors
///
/// What is wrong with the source, or in it and not known to this compiler.
pub fn compile(input: &Input<'_>, options: &Options) -> Result<Host, Failure> {
    of_units(std::slice::from_ref(input), options)
}

/// Compiles the host's side of a program.
///
/// # Errors
///
/// What is wrong with the sources, or in them and not known to this compiler; names that none defines, or two.
pub(crate) fn of_units(inputs: &[Input<'_>], options: &Options) -> Result<Host, Failure> {
    with_sources(|sources, sink| {
        let Checked { module, stubs, symbols, thrown } = module(inputs, options, true, sources, sink)?;
        let written = |span: Span| sources.position(span.lo).is_some_and(|at| !at.file.ours);
        let output = wasm::emit(&module, wasm::Limits::default(), &written);
        let output = output.map_err(|problem| sink.push(*problem)).ok()?;
        let address = |id: ir::GlobalId| {
            let name = &module.globals[id.index()].name;
            output.globals.iter().find(|(other, ..)| other == name)
        };
        let place = |site: &wasm::Site| {
            let function = &module.functions[site.function.index()];
            (site.fault, wasm::user_place(function, site.place, &written))
        };
        let mut kernels: Vec<Kernel> = vec![];
        for Stub { function, symbol, name, unit } in stubs {
            let own = &module.functions[function.index()].name;
            let Some((_, handle)) = output.functions.iter().find(|(one, _)| one == own) else { continue };
            let handle = u64::from(*handle);
            // What several units have is that of the first.
            if kernels.iter().all(|known| known.handle != handle) {
                kernels.push(Kernel { handle, symbol, name, unit });
            }
        }
        let symbols = symbols.into_iter().filter_map(|Shadow { variable, symbol, name, managed, unit }| {
            let (_, shadow, bytes) = address(variable)?;
            Some(Symbol { shadow: *shadow, bytes: *bytes, symbol, name, managed, unit })
        });
        let main = module.functions.iter().find(|one| one.name == "main");
        Some(Host {
            calls: output.calls.clone(),
            given: output.given.clone(),
            globals: written_globals(&output.globals, output.data.1),
            faults: output.sites.iter().map(place).collect(),
            kernels,
            symbols: symbols.collect(),
            thrown: thrown.and_then(|id| address(id).map(|(_, at, _)| *at)),
            variables: (output.data.1, output.stack.0),
            heap: output.heap,
            memory: output.memory,
            main: main.map_or_else(Letters::none, Letters::of),
            imports: output.imports,
            functions: output.table,
            wasm: output.bytes,
            warnings: vec![],
            sources: Sources::default(),
        })
    })
}

/// Text of a program's host side in the compiler's representation, for those who work on it.
///
/// # Errors
///
/// As [`compile`].
pub fn show(input: &Input<'_>, options: &Options, optimized: bool) -> Result<String, Failure> {
    let shown = with_sources(|sources, sink| {
        let module = module(std::slice::from_ref(input), options, optimized, sources, sink)?.module;
        Some(Host { wasm: module.to_string().into_bytes(), ..Host::empty() })
    });
    shown.map(|host| String::from_utf8_lossy(&host.wasm).into_owned())
}

impl Host {
    fn empty() -> Self {
        Self {
            wasm: vec![],
            calls: vec![],
            given: vec![],
            globals: vec![],
            faults: vec![],
            kernels: vec![],
            symbols: vec![],
            thrown: None,
            variables: (0, 0),
            heap: (0, 0),
            memory: 0,
            main: Letters::none(),
            imports: vec![],
            functions: vec![],
            warnings: vec![],
            sources: Sources::default(),
        }
    }
}

fn with_sources(make: impl FnOnce(&mut Sources, &mut Diagnostics) -> Option<Host>) -> Result<Host, Failure> {
    let mut sources = Sources::default();
    let mut sink = Diagnostics::default();
    let made = make(&mut sources, &mut sink);
    crate::sort::by_key(&mut sink.list, |one| (one.span.lo, one.span.hi));
    match made {
        Some(host) if !sink.failed() => Ok(Host { warnings: sink.list, sources, ..host }),
        _ => {
            if !sink.failed() {
                // A stage that gives up says why; one that does not is wrong itself.
                let message = "internal error: the compiler failed without a message";
                sink.push(Diagnostic::error("defect", Span::default(), message));
            }
            Err(Failure { diagnostics: sink.list, sources })
        }
    }
}

/// What the front end makes of the host's side.
struct Checked {
    module: ir::Module,
    stubs: Vec<Stub>,
    symbols: Vec<Shadow>,
    /// The variable that holds what was thrown.
    thrown: Option<ir::GlobalId>,
}

/// A function that launches a kernel, which is the kernel for the host.
struct Stub {
    function: ir::FunctionId,
    /// The kernel's symbol in its unit, and its name in the source.
    symbol: String,
    name: String,
    unit: usize,
}

/// What the host has in a variable's place.
struct Shadow {
    variable: ir::GlobalId,
    /// The variable's symbol in its unit, and its name in the source.
    symbol: String,
    name: String,
    managed: bool,
    unit: usize,
}

fn module(
    inputs: &[Input<'_>],
    options: &Options,
    optimized: bool,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Option<Checked> {
    let unit = Unit {
        side: Side::Host,
        program: true,
        others: inputs.len() > 1,
        relocatable: options.relocatable,
        language: Language::Cuda,
    };
    let mut all = vec![];
    for input in inputs {
        all.extend(front(input, unit, options, sources, sink));
    }
    if sink.failed() {
        return None;
    }
    let (units, programs): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let rules = link::Rules { whole: false, sizes: false, begins: &["main", link::START] };
    let linked = link::link(units, rules, sources, sink)?;
    let (mut stubs, mut symbols, mut thrown) = (vec![], vec![], None);
    for (number, program) in programs.into_iter().enumerate() {
        let (functions, globals) = (&linked.functions[number], &linked.globals[number]);
        for (id, symbol, name) in program.stubs {
            stubs.push(Stub { function: functions[id], symbol, name, unit: number });
        }
        for (id, symbol, name, managed) in program.symbols {
            symbols.push(Shadow { variable: globals[id], symbol, name, managed, unit: number });
        }
        thrown = thrown.or(program.thrown.map(|id| globals[id]));
    }
    let mut module = linked.module;
    if !module.functions.iter().any(|function| function.name == "main" && !function.external) {
        sink.push(check::no_main(inputs.len() > 1));
        return None;
    }
    if optimized {
        passes::optimize_host(&mut module);
    }
    Some(Checked { module, stubs, symbols, thrown })
}

/// What is to be known of a unit once it is linked, by the numbers that functions and variables have in it.
struct Names {
    stubs: Vec<(usize, String, String)>,
    symbols: Vec<(usize, String, String, bool)>,
    thrown: Option<usize>,
}

/// The stages before units are linked.
fn front(
    input: &Input<'_>,
    unit: Unit,
    options: &Options,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Option<(link::Unit, Names)> {
    let main = sources.files().len();
    if sources.add(input.name, input.text.to_owned(), false).is_none() {
        sink.push(Diagnostic::error("budget", Span::default(), "the source is too long"));
        return None;
    }
    let environment = preprocess::Environment {
        arch: options.arch,
        side: Side::Host,
        fast_math: options.fast_math,
        defines: &options.defines,
        loader: input.include,
        language: options.language_of(input.name),
        before: &options.before,
        behind: None,
    };
    let mut own = Diagnostics::default();
    let tokens = preprocess::preprocess(sources, main, &environment, &mut own);
    let fatal = own.list.iter().any(preprocess::is_fatal);
    let found = (!fatal).then(|| parse::parse(tokens, sources, &mut own));
    let unit = Unit { language: options.language_of(input.name), ..unit };
    let program = found.and_then(|tree| check::check(&tree, unit, sources, &mut own));
    let program = program.filter(|_| !own.failed());
    let module = program.as_ref().map(|program| lower::lower(program, &mut own));
    sink.list.append(&mut own.list);
    let (program, module) = (program?, module?);
    let name = |id: &crate::hir::FunctionId| program.functions[id.index()].name.to_string();
    let stubs = program.stubs.iter().map(|(id, symbol)| (id.index(), symbol.clone(), name(id)));
    let symbols = program.variables.iter().enumerate().filter(|(_, one)| one.visible);
    let symbols = symbols.map(|(at, one)| (at, one.symbol.clone(), one.name.to_string(), one.managed));
    let names = Names {
        stubs: stubs.collect(),
        symbols: symbols.collect(),
        thrown: program.thrown.map(|id| id.index()),
    };
    let written = program.variables.iter().map(|one| Rc::clone(&one.name)).collect();
    Some((link::Unit { file: input.name.to_owned(), module, names: written }, names))
}
