//! A run of a program.
//!
//! Enters: both sides, a device, arguments and limits. Leaves: what the program printed, how it ended, and what it did wrong. This
//! module must never know how any of this is shown.

use crate::guest::{Program, bits, called, value};
use crate::sides::Sides;
use crate::state::{Parts, State, Stop, Wrong};
use anyhow::{Context, anyhow};
use cuda::host::Fault;
use device::Device;
use runtime::api::{self, Api};
use runtime::library::{self, Library};
use runtime::{Guest, Signal, Site};
use std::path::Path;
use std::time::Duration;
use wasmi::{Caller, Config, Engine, Func, FuncType, Linker, Module, Store, Val};

/// Time that a simple operation of the host's side takes in the model, picoseconds: some three of them a nanosecond.
const OPERATION_PS: u64 = 333;

/// Most calls within each other: as many as have room in 8 MiB, the stack of a program under Linux, with 48 bytes each.
const MOST_CALLS: usize = (8 << 20) / 48;
/// Most bytes of what these calls hold in the interpreter, where each value has 8.
const MOST_STACK: usize = 256 << 20;

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Simple operations of the host's side.
    pub operations: u64,
    /// Whether memory that was never freed is reported.
    pub leaks: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { operations: 200_000_000_000, leaks: false }
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// `main` has returned, or `exit` was called.
    Exit(i32),
    /// By a signal, as a shell calls it; with what explains it.
    Signal {
        /// Its name, such as `SIGSEGV`.
        name: &'static str,
        /// The exit code that a shell shows.
        code: i32,
        /// What happened, in words, and where in the source.
        why: String,
        /// Place of it.
        place: Option<cuda::source::Span>,
    },
    /// The sandbox has ended it, with why.
    Limit(String),
}

/// What a run leaves.
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// The C library, with its findings.
    pub library: Library,
    /// The runtime API, with its findings and its profile.
    pub api: Api,
    /// Simple operations of the host's side that ran.
    pub operations: u64,
}

/// Runs a program.
///
/// # Errors
/// A device or a module that cannot be used; never what the program does.
pub fn run(
    sides: &Sides,
    device: Box<dyn Device>,
    options: library::Options,
    limits: Limits,
) -> anyhow::Result<Outcome> {
    let api = Api::new(device, program(sides))?;
    let mut config = Config::default();
    config.consume_fuel(true);
    config.set_max_recursion_depth(MOST_CALLS);
    config.set_max_stack_height(MOST_STACK);
    let engine = Engine::new(&config);
    let module =
        Module::new(&engine, &sides.host.wasm).context("internal error: the host side is not valid")?;
    let state = State {
        library: Some(Library::new(options)),
        api: Some(api),
        parts: None,
        limit: limits.operations,
        counted: 0,
    };
    let mut store = Store::new(&engine, state);
    store.set_fuel(limits.operations)?;
    let mut linker = Linker::new(&engine);
    linker.func_wrap("fault", "fault", |site: i32, address: i64| -> Result<(), wasmi::Error> {
        Err(wasmi::Error::host(Wrong(site.cast_unsigned(), address.cast_unsigned())))
    })?;
    link(&module, &mut store, &mut linker)?;
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    let missing = |what: &str| anyhow!("internal error: the host side has no `{what}`");
    let heap = instance.get_global(&store, "__heap_base").ok_or_else(|| missing("__heap_base"))?;
    let parts = Parts {
        memory: instance.get_memory(&store, "memory").ok_or_else(|| missing("memory"))?,
        table: instance
            .get_table(&store, "__indirect_function_table")
            .ok_or_else(|| missing("__indirect_function_table"))?,
        heap_end: instance.get_global(&store, "__heap_end").ok_or_else(|| missing("__heap_end"))?,
        site: instance.get_global(&store, "__call_site").ok_or_else(|| missing("__call_site"))?,
        heap: bits(&heap.get(&store)),
    };
    store.data_mut().parts = Some(parts);
    let ended = started(sides, &mut store, &instance);
    finished(ended, store, limits, sides)
}

/// What the API needs to know of a program.
fn program(sides: &Sides) -> api::Program {
    let kernels = sides.host.kernels.iter();
    let kernels = kernels.map(|one| api::Kernel {
        handle: one.handle,
        symbol: one.symbol.clone(),
        name: one.name.clone(),
    });
    let symbols = sides.host.symbols.iter();
    let symbols = symbols.map(|one| api::Symbol {
        shadow: one.shadow,
        bytes: one.bytes,
        symbol: one.symbol.clone(),
        name: one.name.clone(),
        managed: one.managed,
    });
    let source = sides.device.sources.files().first().map_or("", |file| &*file.name);
    let name = Path::new(source).with_extension("ptx").display().to_string();
    api::Program {
        modules: vec![(name, sides.device.ptx.clone())],
        kernels: kernels.collect(),
        symbols: symbols.collect(),
    }
}

/// Defines the functions that a program imports.
fn link(module: &Module, store: &mut Store<State>, linker: &mut Linker<State>) -> anyhow::Result<()> {
    linker.func_wrap("env", "fma", f64::mul_add)?;
    linker.func_wrap("env", "fmaf", f32::mul_add)?;
    for import in module.imports().filter(|import| import.module() == "env") {
        let name = import.name().to_owned();
        let Some(ty) = import.ty().func().cloned() else { continue };
        // One function may be declared by several names.
        if matches!(&*name, "fma" | "fmaf") || linker.get(&*store, "env", &name).is_some() {
            continue;
        }
        let function = imported(&name, &ty, store)?;
        linker.define("env", &name, function)?;
    }
    Ok(())
}

/// The function of a name: of the C library, of the runtime API, or one that says that it is not there.
fn imported(name: &str, ty: &FuncType, store: &mut Store<State>) -> anyhow::Result<Func> {
    let kinds = ty.results().to_vec();
    let (of_library, of_api) = (library::find(name), api::find(name));
    if of_library.is_none() && of_api.is_none() {
        return Err(anyhow!("internal error: the runtime has no `{name}`"));
    }
    let apart = library::calls_back(name);
    Ok(Func::new(
        store,
        ty.clone(),
        move |mut caller: Caller<'_, State>, arguments: &[Val], results: &mut [Val]| {
            let arguments: Vec<u64> = arguments.iter().map(bits).collect();
            tick(&mut caller);
            let answer = match (of_library, of_api) {
                (Some(function), _) if apart => with_guest(&mut caller, |guest| {
                    // It calls the program back, which may call the library.
                    function(&mut Library::new(nothing()), guest, &arguments)
                }),
                (Some(function), _) => {
                    with_library(&mut caller, |library, _, guest| function(library, guest, &arguments))
                }
                (None, Some(function)) => with_library(&mut caller, |library, api, guest| {
                    let result = function.call(api, &mut library.heap, guest, &arguments);
                    let printed = api.take_printed();
                    if !printed.is_empty() {
                        library.print(printed.as_bytes())?;
                    }
                    result
                }),
                (None, None) => Ok(0),
            };
            let answer = answer.map_err(|stop| wasmi::Error::host(Stop(stop)))?;
            if let (Some(result), Some(kind)) = (results.first_mut(), kinds.first()) {
                *result = value(*kind, answer);
            }
            Ok(())
        },
    ))
}

/// A library that nothing is asked of.
fn nothing() -> library::Options {
    library::Options {
        arguments: vec![],
        environment: vec![],
        files: Box::new(library::NoFiles),
        input: Box::new(std::io::empty()),
        output: Box::new(|_: library::Standard, _: &[u8]| {}),
        clock: library::Clock::new(library::Source::Modelled),
        limits: library::Limits::default(),
    }
}

/// Sets the clocks by the operations that ran.
fn tick(caller: &mut Caller<'_, State>) {
    let left = caller.get_fuel().unwrap_or(0);
    let state = caller.data_mut();
    let done = state.limit.saturating_sub(left);
    let passed = done.saturating_sub(state.counted);
    state.counted = done;
    let ns = passed.saturating_mul(OPERATION_PS) / 1000;
    if let Some(library) = &mut state.library {
        library.clock.advance(Duration::from_nanos(ns));
    }
}

fn with_guest<T>(
    caller: &mut Caller<'_, State>,
    run: impl FnOnce(&mut dyn Guest) -> Result<T, Signal>,
) -> Result<T, Signal> {
    let Some(parts) = caller.data().parts else {
        return Err(Signal::Limit("the program has not begun".to_owned()));
    };
    run(&mut Program { caller, parts })
}

fn with_library<T>(
    caller: &mut Caller<'_, State>,
    run: impl FnOnce(&mut Library, &mut Api, &mut dyn Guest) -> Result<T, Signal>,
) -> Result<T, Signal> {
    let state = caller.data_mut();
    let (Some(mut library), Some(mut api)) = (state.library.take(), state.api.take()) else {
        let message =
            "a function that the CUDA runtime calls back cannot call the runtime or the C library here";
        return Err(Signal::Limit(message.to_owned()));
    };
    let result = with_guest(caller, |guest| run(&mut library, &mut api, guest));
    let state = caller.data_mut();
    (state.library, state.api) = (Some(library), Some(api));
    result
}

/// Starts variables, calls `main`, and then what it left to be called.
fn started(sides: &Sides, store: &mut Store<State>, instance: &wasmi::Instance) -> Result<i32, wasmi::Error> {
    call(store, instance, "__start", &[])?;
    let arguments = match sides.host.arguments {
        true => {
            let (count, vector) = outside(store, |library, _, guest| library.start(guest))?;
            vec![u64::from(count.cast_unsigned()), vector, 0]
        }
        false => vec![],
    };
    let result = call(store, instance, "main", &arguments);
    let code = match result {
        Ok(code) => code as u32 as i32,
        Err(error) => match error.downcast_ref::<Stop>() {
            Some(Stop(Signal::Exit(code))) => *code,
            _ => return Err(error),
        },
    };
    let mut code = code;
    while let Some((function, arguments)) = outside(store, |library, _, _| Ok(library.next_at_exit()))? {
        match called_back(store, function, &arguments) {
            Err(Signal::Exit(other)) => code = other,
            Err(other) => return Err(wasmi::Error::host(Stop(other))),
            Ok(()) => {}
        }
    }
    Ok(code & 0xff)
}

fn call(
    store: &mut Store<State>,
    instance: &wasmi::Instance,
    name: &str,
    arguments: &[u64],
) -> Result<u64, wasmi::Error> {
    let Some(function) = instance.get_func(&*store, name) else { return Ok(0) };
    called(function, store, arguments)
}

/// Does something with the library and the API between calls of the program.
fn outside<T>(
    store: &mut Store<State>,
    run: impl FnOnce(&mut Library, &mut Api, &mut dyn Guest) -> Result<T, Signal>,
) -> Result<T, wasmi::Error> {
    with_library(&mut Caller::from(&mut *store), run).map_err(|stop| wasmi::Error::host(Stop(stop)))
}

fn called_back(store: &mut Store<State>, function: u64, arguments: &[u64]) -> Result<(), Signal> {
    with_guest(&mut Caller::from(&mut *store), |guest| guest.call(function, arguments)).map(|_| ())
}

/// What is known once the program has ended.
fn finished(
    ended: Result<i32, wasmi::Error>,
    mut store: Store<State>,
    limits: Limits,
    sides: &Sides,
) -> anyhow::Result<Outcome> {
    let whole = ended.is_ok();
    let ended = match ended {
        Ok(code) => Ended::Exit(code),
        Err(error) => stopped(&error, &mut store, sides),
    };
    let operations = limits.operations.saturating_sub(store.get_fuel().unwrap_or(0));
    let end = outside(&mut store, |library, api, guest| {
        let printed = api.take_printed();
        library.print(printed.as_bytes())?;
        library.flush()?;
        if whole {
            api.end();
            if limits.leaks {
                api.leaks();
            }
        }
        library.check_end(guest, limits.leaks && whole)
    });
    let ended = match (end, ended) {
        (Err(error), Ended::Exit(_)) => stopped(&error, &mut store, sides),
        (_, ended) => ended,
    };
    let state = store.into_data();
    let lost = || anyhow!("internal error: the library is lost");
    Ok(Outcome {
        ended,
        library: state.library.ok_or_else(lost)?,
        api: state.api.ok_or_else(lost)?,
        operations,
    })
}

/// How a program has ended that did not come to its end.
fn stopped(error: &wasmi::Error, store: &mut Store<State>, sides: &Sides) -> Ended {
    if let Some(Wrong(number, address)) = error.downcast_ref::<Wrong>() {
        return fault(*number, *address, store, sides);
    }
    if let Some(code) = error.as_trap_code() {
        return match code {
            wasmi::TrapCode::OutOfFuel => {
                Ended::Limit("it has not ended within the limit of operations".to_owned())
            }
            wasmi::TrapCode::StackOverflow => {
                killed("SIGSEGV", 139, "the calls are nested too deeply".to_owned(), None)
            }
            other => Ended::Limit(format!("internal error: {other}")),
        };
    }
    let Some(Stop(signal)) = error.downcast_ref::<Stop>() else { return Ended::Limit(error.to_string()) };
    match signal.clone() {
        Signal::Exit(code) => Ended::Exit(code & 0xff),
        Signal::Abort => killed("SIGABRT", 134, "the program has ended itself by `abort`".to_owned(), None),
        Signal::Segmentation { address, bytes } => {
            let site = store.data().parts.map(|parts| bits(&parts.site.get(&*store)) as u32);
            let place = site.and_then(|site| place_of_call(sides, Site(site)));
            explain(address, store, site.unwrap_or(0));
            let why = format!(
                "a function of the library was to access {bytes} bytes at {address:#x}, which is not memory of the host"
            );
            killed("SIGSEGV", 139, why, place)
        }
        Signal::Limit(why) => Ended::Limit(why),
    }
}

fn killed(name: &'static str, code: i32, why: String, place: Option<cuda::source::Span>) -> Ended {
    Ended::Signal { name, code, why, place }
}

/// Place of a call of the library.
pub(crate) fn place_of_call(sides: &Sides, site: Site) -> Option<cuda::source::Span> {
    sides.host.calls.get((site.0 as usize).checked_sub(1)?).copied()
}

/// Has the API say what an address is that the program accessed.
fn explain(address: u64, store: &mut Store<State>, site: u32) {
    // What it finds is among its findings.
    let _: Result<(), wasmi::Error> = outside(store, |_, api, guest| {
        api.explain_access(address, Site(site), guest);
        Ok(())
    });
}

/// A fault of the program itself.
fn fault(number: u32, address: u64, store: &mut Store<State>, sides: &Sides) -> Ended {
    let Some((fault, place)) = sides.host.faults.get(number as usize).copied() else {
        return Ended::Limit("internal error: an unknown fault".to_owned());
    };
    let accessed = |how: &str, bytes: u64| {
        let of = if address < 4096 {
            "a null pointer".to_owned()
        } else {
            format!("the address {address:#x}, which is not memory of the host")
        };
        format!("{how} {bytes} bytes at {of}")
    };
    match fault {
        Fault::Load(bytes) => {
            explain(address, store, 0);
            killed("SIGSEGV", 139, accessed("load of", bytes), place)
        }
        Fault::Store(bytes) => {
            explain(address, store, 0);
            killed("SIGSEGV", 139, accessed("store of", bytes), place)
        }
        Fault::DivisionByZero => killed("SIGFPE", 136, "integer division by zero".to_owned(), place),
        Fault::DivisionOverflow => {
            killed("SIGFPE", 136, "the quotient does not fit into its type".to_owned(), place)
        }
        Fault::StackOverflow => {
            killed("SIGSEGV", 139, "the stack has no room for the function's variables".to_owned(), place)
        }
        Fault::Call => killed(
            "SIGSEGV",
            139,
            format!("call of {address:#x}, which is not a function of this type"),
            place,
        ),
        Fault::Unreachable => {
            killed("SIGILL", 132, "the end of a function that returns a value was reached".to_owned(), place)
        }
        Fault::Trap => killed("SIGILL", 132, "the program stopped itself".to_owned(), place),
    }
}
