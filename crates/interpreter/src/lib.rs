//! wasmi, which executes the host's side of programs.
//!
//! Enters: WebAssembly and what answers its calls. Leaves: functions called, memory read and written. This module must never know what
//! a function does.

use cuda::host::{DATA, Host, PAD, PAGE};
use hostrun::{Calls, Import, Instance, Stop};
use runtime::{Guest, Signal, Site};
use std::fmt;
use std::rc::Rc;
use wasmi::errors::HostError;
use wasmi::{
    AsContextMut, Caller, Config, Engine, Func, FuncType, Global, Linker, Memory, Module, Store, Table,
    TrapCode, Val, ValType,
};

/// Most calls within each other: as many as have room in 8 MiB, the stack of a program under Linux, with 48 bytes each.
const MOST_CALLS: usize = (8 << 20) / 48;
/// Most bytes of what these calls hold in the interpreter, where each value has 8.
const MOST_STACK: usize = 256 << 20;

/// The interpreter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter;

/// What the functions that a program imports have at hand.
struct State {
    calls: Rc<Calls>,
    /// None while the program is loaded.
    parts: Option<Parts>,
}

/// Parts of an instance.
#[derive(Clone, Copy)]
struct Parts {
    instance: wasmi::Instance,
    memory: Memory,
    table: Table,
    site: Global,
    heap_end: Global,
    left: Global,
    heap: u64,
}

/// The program: between its calls, or for the time of one.
struct Program<C> {
    context: C,
    parts: Parts,
}

/// What ends a call, where [`Calls`] says why.
#[derive(Debug)]
struct Ended;

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the program has ended")
    }
}

impl HostError for Ended {}

impl hostrun::Engine for Interpreter {
    fn load(&self, host: &Host, calls: Rc<Calls>) -> Result<Box<dyn Instance>, String> {
        load(host, calls).map(|program| Box::new(program) as Box<dyn Instance>).map_err(|e| e.to_string())
    }
}

fn load(host: &Host, calls: Rc<Calls>) -> Result<Program<Store<State>>, wasmi::Error> {
    let mut config = Config::default();
    config.set_max_recursion_depth(MOST_CALLS);
    config.set_max_stack_height(MOST_STACK);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, &host.wasm)?;
    let mut store = Store::new(&engine, State { calls, parts: None });
    let mut linker = Linker::new(&engine);
    linker.func_wrap(
        "fault",
        "fault",
        |mut caller: Caller<'_, State>, site: i32, address: i64| -> Result<(), wasmi::Error> {
            let (site, address) = (site.cast_unsigned(), address.cast_unsigned());
            let State { calls, parts } = caller.data();
            let calls = calls.clone();
            if let Some(parts) = *parts
                && calls.sees(site, address, &mut Program { context: &mut caller, parts })
            {
                return Ok(());
            }
            calls.fault(site, address);
            Err(wasmi::Error::host(Ended))
        },
    )?;
    link(&module, &mut store, &mut linker)?;
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    let missing = |what: &str| wasmi::Error::new(format!("internal error: the host side has no `{what}`"));
    let global = |name: &str| instance.get_global(&store, name).ok_or_else(|| missing(name));
    let parts = Parts {
        instance,
        memory: instance.get_memory(&store, "memory").ok_or_else(|| missing("memory"))?,
        table: instance
            .get_table(&store, "__indirect_function_table")
            .ok_or_else(|| missing("__indirect_function_table"))?,
        heap_end: global("__heap_end")?,
        site: global("__call_site")?,
        left: global("__operations_left")?,
        heap: host.heap.0,
    };
    store.data_mut().parts = Some(parts);
    Ok(Program { context: store, parts })
}

/// Defines the functions that a program imports.
fn link(module: &Module, store: &mut Store<State>, linker: &mut Linker<State>) -> Result<(), wasmi::Error> {
    linker.func_wrap("env", "fma", f64::mul_add)?;
    linker.func_wrap("env", "fmaf", f32::mul_add)?;
    for import in module.imports().filter(|import| import.module() == "env") {
        let name = import.name().to_owned();
        let Some(ty) = import.ty().func().cloned() else { continue };
        // One function may be declared by several names.
        if matches!(&*name, "fma" | "fmaf") || linker.get(&*store, "env", &name).is_some() {
            continue;
        }
        let found = Import::find(&name);
        let found =
            found.ok_or_else(|| wasmi::Error::new(format!("internal error: the runtime has no `{name}`")))?;
        linker.define("env", &name, imported(found, ty, store))?;
    }
    Ok(())
}

fn imported(import: Import, ty: FuncType, store: &mut Store<State>) -> Func {
    let kinds = ty.results().to_vec();
    Func::new(store, ty, move |mut caller: Caller<'_, State>, arguments: &[Val], results: &mut [Val]| {
        // Few functions have more, and memory for them would take longer than most of these take themselves.
        let (mut few, mut more) = ([0; 8], vec![]);
        let arguments = match few.get_mut(..arguments.len()) {
            Some(few) => {
                few.iter_mut().zip(arguments).for_each(|(to, from)| *to = bits(from));
                &*few
            }
            None => {
                more.extend(arguments.iter().map(bits));
                &more[..]
            }
        };
        let State { calls, parts } = caller.data();
        let Some(parts) = *parts else {
            return Err(wasmi::Error::new("internal error: the program has not begun"));
        };
        let calls = calls.clone();
        let mut guest = Program { context: &mut caller, parts };
        let answer = calls.answer(import, arguments, &mut guest);
        let answer = answer.map_err(|_| wasmi::Error::host(Ended))?;
        if let (Some(result), Some(kind)) = (results.first_mut(), kinds.first()) {
            *result = value(*kind, answer);
        }
        Ok(())
    })
}

impl<C: AsContextMut<Data = State>> Program<C> {
    fn range(&self, address: u64, bytes: usize) -> Result<usize, Signal> {
        let outside = Signal::Segmentation { address, bytes: bytes as u64 };
        let end = address.checked_add(bytes as u64).filter(|end| *end <= self.end());
        if address < DATA || end.is_none() {
            return if bytes == 0 { Ok(DATA as usize) } else { Err(outside) };
        }
        usize::try_from(address).map_err(|_| outside)
    }

    /// The result of a function by the bits of its arguments; 0 where it has none.
    fn called(&mut self, function: Func, arguments: &[u64]) -> Result<u64, Stop> {
        let ty = function.ty(self.context.as_context());
        let arguments: Vec<Val> =
            ty.params().iter().zip(arguments).map(|(kind, bits)| value(*kind, *bits)).collect();
        let mut results: Vec<Val> = ty.results().iter().map(|kind| value(*kind, 0)).collect();
        match function.call(self.context.as_context_mut(), &arguments, &mut results) {
            Ok(()) => Ok(results.first().map_or(0, bits)),
            Err(error) => Err(self.stop(&error)),
        }
    }

    /// Notes why a function did not return.
    fn stop(&self, error: &wasmi::Error) -> Stop {
        let calls = self.context.as_context().data().calls.clone();
        let own = match error.as_trap_code() {
            Some(TrapCode::StackOverflow) => Stop::Depth,
            Some(other) => Stop::Engine(format!("internal error: {other}")),
            None => Stop::Engine(error.to_string()),
        };
        calls.stop(own.clone());
        calls.stopped().unwrap_or(own)
    }
}

impl<C: AsContextMut<Data = State>> Guest for Program<C> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Signal> {
        let at = self.range(address, bytes.len())?;
        let data = self.parts.memory.data(self.context.as_context());
        bytes.copy_from_slice(&data[at..at + bytes.len()]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Signal> {
        let at = self.range(address, bytes.len())?;
        let data = self.parts.memory.data_mut(self.context.as_context_mut());
        data[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read_text(&self, address: u64) -> Result<Vec<u8>, Signal> {
        let at = self.range(address, 1)?;
        let data = self.parts.memory.data(self.context.as_context());
        let text = &data[at..];
        let end = text.iter().position(|byte| *byte == 0);
        end.map(|end| text[..end].to_vec()).ok_or(Signal::Segmentation { address: self.end(), bytes: 1 })
    }

    fn end(&self) -> u64 {
        (self.parts.memory.data_size(self.context.as_context()) as u64).saturating_sub(PAD)
    }

    fn grow(&mut self, end: u64) -> bool {
        let pages = end.saturating_sub(self.end()).div_ceil(PAGE);
        let parts = self.parts;
        let grown = parts.memory.grow(self.context.as_context_mut(), pages).is_ok();
        // The program looks at this before each access.
        let end = Val::I64(self.end().cast_signed());
        grown && parts.heap_end.set(self.context.as_context_mut(), end).is_ok()
    }

    fn heap(&self) -> u64 {
        self.parts.heap
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Signal> {
        let wrong = || Signal::Segmentation { address: function, bytes: 1 };
        let found = self.parts.table.get(self.context.as_context(), function).ok_or_else(wrong)?;
        let wasmi::Ref::Val(function) = found.funcref().ok_or_else(wrong)? else { return Err(wrong()) };
        let function = *function;
        if function.ty(self.context.as_context()).params().len() != arguments.len() {
            return Err(wrong());
        }
        self.called(function, arguments).map_err(|stop| stop.signal())
    }

    fn site(&self) -> Site {
        Site(bits(&self.parts.site.get(self.context.as_context())) as u32)
    }
}

impl<C: AsContextMut<Data = State>> Instance for Program<C> {
    fn run(&mut self, name: &str, arguments: &[u64]) -> Result<u64, Stop> {
        match self.parts.instance.get_func(self.context.as_context(), name) {
            Some(function) => self.called(function, arguments),
            None => Ok(0),
        }
    }

    fn left(&self) -> i64 {
        bits(&self.parts.left.get(self.context.as_context())).cast_signed()
    }

    fn watch(&mut self, from: u64) {
        let end = Val::I64(from.min(self.end()).cast_signed());
        // It is a global variable of the program, which can be set.
        let _: Result<(), _> = self.parts.heap_end.set(self.context.as_context_mut(), end);
    }

    fn set_left(&mut self, operations: i64) {
        let set = self.parts.left.set(self.context.as_context_mut(), Val::I64(operations));
        debug_assert!(set.is_ok(), "{set:?}");
    }
}

/// A value of a type by its bits.
fn value(kind: ValType, bits: u64) -> Val {
    match kind {
        ValType::I32 => Val::I32(bits as i32),
        ValType::F32 => Val::F32(f32::from_bits(bits as u32).into()),
        ValType::F64 => Val::F64(f64::from_bits(bits).into()),
        _ => Val::I64(bits.cast_signed()),
    }
}

/// Bits of a value.
fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(value) => u64::from(value.cast_unsigned()),
        Val::I64(value) => value.cast_unsigned(),
        Val::F32(value) => u64::from(value.to_bits()),
        Val::F64(value) => value.to_bits(),
        _ => 0,
    }
}
