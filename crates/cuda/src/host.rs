//! The host's side of a program: from source to what runs it.
//!
//! Enters: a source and options. Leaves: `main` and what it reaches, as WebAssembly, with what is to be known of it: where it calls the
//! library, where it may go wrong, which kernels its stubs launch, which variables stand for those of the device. This module must
//! never know what a stage does.

use crate::{
    check,
    diagnostic::{Diagnostic, Diagnostics},
    ir, lower,
    options::{Failure, Input, Options},
    parse, passes, preprocess,
    side::Side,
    source::{Sources, Span},
    wasm,
};

pub use wasm::{Fault, Letters};

/// The host's side of a program.
#[derive(Clone, Debug)]
pub struct Host {
    /// WebAssembly, as `ARCHITECTURE.md` describes it: it exports `__start`, which starts variables, and `main`.
    pub wasm: Vec<u8>,
    /// Where the source calls the library, by the number that the exported `__call_site` holds from then on, less 1.
    pub calls: Vec<Span>,
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
}

/// Compiles the host's side of a program.
///
/// # Errors
///
/// What is wrong with the source, or in it and not known to this compiler.
pub fn compile(input: &Input<'_>, options: &Options) -> Result<Host, Failure> {
    with_sources(|sources, sink| {
        let Checked { module, stubs, symbols, thrown } = module(input, options, true, sources, sink)?;
        let written = |span: Span| sources.position(span.lo).is_some_and(|at| !at.file.ours);
        let output = wasm::emit(&module, wasm::Limits::default(), &written);
        let output = output.map_err(|problem| sink.push(*problem)).ok()?;
        let address = |symbol: &str| output.globals.iter().find(|(name, ..)| name == symbol);
        let place = |site: &wasm::Site| {
            let function = &module.functions[site.function.index()];
            (site.fault, wasm::user_place(function, site.place, &written))
        };
        let kernels = stubs.into_iter().filter_map(|(symbol, name)| {
            let (_, handle) = output.functions.iter().find(|(one, _)| *one == symbol)?;
            Some(Kernel { handle: u64::from(*handle), symbol, name })
        });
        let symbols = symbols.into_iter().filter_map(|(symbol, name, managed)| {
            let (_, shadow, bytes) = address(&symbol)?;
            Some(Symbol { shadow: *shadow, bytes: *bytes, symbol, name, managed })
        });
        let main = module.functions.iter().find(|one| one.name == "main");
        Some(Host {
            calls: output.calls.clone(),
            faults: output.sites.iter().map(place).collect(),
            kernels: kernels.collect(),
            symbols: symbols.collect(),
            thrown: thrown.and_then(|symbol| address(&symbol).map(|(_, at, _)| *at)),
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
        let module = module(input, options, optimized, sources, sink)?.module;
        Some(Host { wasm: module.to_string().into_bytes(), ..Host::empty() })
    });
    shown.map(|host| String::from_utf8_lossy(&host.wasm).into_owned())
}

impl Host {
    fn empty() -> Self {
        Self {
            wasm: vec![],
            calls: vec![],
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
    /// Symbols of kernels and their stubs, with the names in the source.
    stubs: Vec<(String, String)>,
    /// Symbols of the device's variables, with the names in the source, and whether they are managed.
    symbols: Vec<(String, String, bool)>,
    /// Symbol of the variable that holds what was thrown.
    thrown: Option<String>,
}

fn module(
    input: &Input<'_>,
    options: &Options,
    optimized: bool,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Option<Checked> {
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
        behind: None,
    };
    let tokens = preprocess::preprocess(sources, 0, &environment, sink);
    if sink.list.iter().any(preprocess::is_fatal) {
        return None;
    }
    let tree = parse::parse(tokens, sources, sink);
    let program = check::check(&tree, Side::Host, sources, sink)?;
    if sink.failed() {
        return None;
    }
    let mut module = lower::lower(&program, sink);
    if sink.failed() {
        return None;
    }
    if optimized {
        passes::optimize_host(&mut module);
    }
    let name = |id: &crate::hir::FunctionId| program.functions[id.index()].name.to_string();
    let symbols = program.variables.iter().filter(|one| one.visible);
    Some(Checked {
        stubs: program.stubs.iter().map(|(id, symbol)| (symbol.clone(), name(id))).collect(),
        symbols: symbols.map(|one| (one.symbol.clone(), one.name.to_string(), one.managed)).collect(),
        thrown: program.thrown.map(|id| program.variables[id.index()].symbol.clone()),
        module,
    })
}
