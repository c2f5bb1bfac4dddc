//! The browser's own engine of WebAssembly, which executes the host side of programs next to this module.
//!
//! Enters: calls of the program's functions, and accesses to its memory; from the program, its calls of the library. Leaves: the same,
//! through functions that a script in the worker imports here (`book/theme/live/host.js`) and through those that are exported here.
//! Values travel as their bits in 64. This module must never know what a function does.

use crate::program::Platform;
use cuda::host::{DATA, Host, Letters, PAD, PAGE};
use hostrun::{Calls, Engine, Import, Instance, Stop};
use runtime::library::Standard;
use runtime::{Guest, Signal, Site};
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::rc::Rc;

/// Most arguments of a function that the program imports.
const MOST: usize = 64;

/// What a call of the program returns: it has returned itself, what it called has ended it, there was no room for another call, or the
/// engine had another reason.
const RETURNED: u32 = 0;
const ENDED: u32 = 1;
const DEPTH: u32 = 2;

#[expect(unsafe_code, reason = "a script of the page supplies these")]
#[link(wasm_import_module = "program")]
unsafe extern "C" {
    /// Loads a program, with a text that names the types of its functions; the bytes of an error's text, or 0.
    safe fn load(wasm: *const u8, bytes: usize, types: *const u8, length: usize) -> usize;
    /// Copies the text of the last error.
    safe fn failure(to: *mut u8, most: usize) -> usize;
    /// Calls `__start` (0) or `main` (1), or another function by its address, with arguments that its result takes the place of.
    safe fn start(which: u32, arguments: *mut u64) -> u32;
    safe fn call(function: u32, arguments: *mut u64) -> u32;
    safe fn read(address: u32, to: *mut u8, bytes: usize);
    safe fn write(address: u32, from: *const u8, bytes: usize);
    /// Bytes of a string at an address, up to its zero; those to the memory's end where there is none.
    safe fn length(address: u32) -> u32;
    /// Pages that the memory has.
    safe fn pages() -> u32;
    safe fn grow(pages: u32) -> u32;
    safe fn site() -> u32;
    safe fn left() -> i64;
    safe fn set_left(operations: i64);
    safe fn set_heap_end(end: u64);
    /// Passes on what the program prints.
    safe fn output(error: u32, from: *const u8, bytes: usize);
}

/// What answers the program that runs.
struct Running {
    calls: Rc<Calls>,
    imports: Vec<Import>,
    heap: u64,
    params: Vec<usize>,
}

thread_local! {
    static RUNNING: RefCell<Option<Rc<Running>>> = const { RefCell::new(None) };
    /// Arguments of a call by the program; the result takes the first's place.
    static ARGUMENTS: [Cell<u64>; MOST] = const { [const { Cell::new(0) }; MOST] };
}

/// What the page has for programs.
pub(crate) fn platform() -> Platform {
    let print = |to: Standard, bytes: &[u8]| {
        output(u32::from(to == Standard::Error), bytes.as_ptr(), bytes.len());
    };
    Platform { engine: Rc::new(Browser), output: Rc::new(print) }
}

struct Browser;

impl Engine for Browser {
    fn load(&self, host: &Host, calls: Rc<Calls>) -> Result<Box<dyn Instance>, String> {
        let mut imports = vec![];
        let mut types = String::new();
        for (name, letters) in &host.imports {
            if letters.params.len() > MOST {
                return Err(format!("`{name}` has more than {MOST} arguments"));
            }
            let found = Import::find(name);
            imports.push(found.ok_or_else(|| format!("internal error: the runtime has no `{name}`"))?);
            line(&mut types, name, letters);
        }
        line(&mut types, "main", &host.main);
        for letters in &host.functions {
            line(&mut types, "", letters);
        }
        let params = host.functions.iter().map(|letters| letters.params.len()).collect();
        let running = Rc::new(Running { calls, imports, heap: host.heap.0, params });
        RUNNING.set(Some(running.clone()));
        match load(host.wasm.as_ptr(), host.wasm.len(), types.as_ptr(), types.len()) {
            0 => Ok(Box::new(Program(running))),
            bytes => Err(text(bytes)),
        }
    }
}

/// A function's name and types, a line.
fn line(to: &mut String, name: &str, letters: &Letters) {
    // Writing to a string never fails.
    let _ = writeln!(to, "{name} {} {}", letters.params, letters.result.unwrap_or('v'));
}

/// Text of the last error.
fn text(bytes: usize) -> String {
    let mut text = vec![0; bytes];
    let bytes = failure(text.as_mut_ptr(), text.len());
    text.truncate(bytes);
    String::from_utf8_lossy(&text).into_owned()
}

/// The program that runs.
struct Program(Rc<Running>);

impl Program {
    fn range(&self, address: u64, bytes: usize) -> Result<u32, Signal> {
        let outside = Signal::Segmentation { address, bytes: bytes as u64 };
        let end = address.checked_add(bytes as u64).filter(|end| *end <= self.end());
        if address < DATA || end.is_none() {
            return if bytes == 0 { Ok(DATA as u32) } else { Err(outside) };
        }
        u32::try_from(address).map_err(|_| outside)
    }

    /// The result of a call, or why there is none.
    fn ended(&self, status: u32, result: u64) -> Result<u64, Stop> {
        let stop = match status {
            RETURNED => return Ok(result),
            ENDED => None,
            DEPTH => Some(Stop::Depth),
            _ => Some(Stop::Engine(text(1 << 10))),
        };
        let calls = &self.0.calls;
        if let Some(stop) = stop {
            calls.stop(stop);
        }
        Err(calls.stopped().unwrap_or_else(|| Stop::Engine("the program has ended".to_owned())))
    }
}

impl Guest for Program {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Signal> {
        let at = self.range(address, bytes.len())?;
        read(at, bytes.as_mut_ptr(), bytes.len());
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Signal> {
        let at = self.range(address, bytes.len())?;
        write(at, bytes.as_ptr(), bytes.len());
        Ok(())
    }

    fn read_text(&self, address: u64) -> Result<Vec<u8>, Signal> {
        let at = self.range(address, 1)?;
        let bytes = length(at);
        if address + u64::from(bytes) >= self.end() {
            return Err(Signal::Segmentation { address: self.end(), bytes: 1 });
        }
        let mut text = vec![0; bytes as usize];
        read(at, text.as_mut_ptr(), text.len());
        Ok(text)
    }

    fn end(&self) -> u64 {
        (u64::from(pages()) * PAGE).saturating_sub(PAD)
    }

    fn grow(&mut self, end: u64) -> bool {
        let pages = end.saturating_sub(self.end()).div_ceil(PAGE);
        let grown = u32::try_from(pages).is_ok_and(|pages| grow(pages) != 0);
        // The program looks at this before each access.
        set_heap_end(self.end());
        grown
    }

    fn heap(&self) -> u64 {
        self.0.heap
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Signal> {
        let wrong = || Signal::Segmentation { address: function, bytes: 1 };
        let number = u32::try_from(function).map_err(|_| wrong())?;
        let params = (number as usize).checked_sub(1).and_then(|at| self.0.params.get(at));
        if params != Some(&arguments.len()) {
            return Err(wrong());
        }
        let mut values = arguments.to_vec();
        values.push(0); // room for the result
        let status = call(number, values.as_mut_ptr());
        self.ended(status, values[0]).map_err(|stop| stop.signal())
    }

    fn site(&self) -> Site {
        Site(site())
    }
}

impl Instance for Program {
    fn run(&mut self, name: &str, arguments: &[u64]) -> Result<u64, Stop> {
        let mut values = arguments.to_vec();
        values.push(0); // room for the result
        let status = start(u32::from(name == "main"), values.as_mut_ptr());
        self.ended(status, values[0])
    }

    fn left(&self) -> i64 {
        left()
    }

    fn watch(&mut self, from: u64) {
        set_heap_end(from.min(self.end()));
    }

    fn set_left(&mut self, operations: i64) {
        set_left(operations);
    }
}

/// Where the arguments of a call by the program are to be put, and where its result is afterwards.
#[expect(unsafe_code, reason = "a script of the page calls it by this name")]
#[unsafe(no_mangle)]
extern "C" fn arguments() -> *const u64 {
    ARGUMENTS.with(|all| all.as_ptr().cast())
}

/// Answers a call of a function that the program imports, by its number; whether it returns to the program.
#[expect(unsafe_code, reason = "a script of the page calls it by this name")]
#[unsafe(no_mangle)]
extern "C" fn answer(import: usize, count: usize) -> u32 {
    let given = ARGUMENTS.with(|all| all.iter().take(count).map(Cell::get).collect::<Vec<u64>>());
    let Some(running) = RUNNING.with_borrow(Clone::clone) else { return ENDED };
    let Some(found) = running.imports.get(import).copied() else { return ENDED };
    let calls = running.calls.clone();
    match calls.answer(found, &given, &mut Program(running)) {
        Ok(result) => {
            ARGUMENTS.with(|all| all[0].set(result));
            RETURNED
        }
        Err(_) => ENDED,
    }
}

/// Notes that the program went wrong at a place, by number. Not 0 if it has not, and continues: it was to show this access.
#[expect(unsafe_code, reason = "a script of the page calls it by this name")]
#[unsafe(no_mangle)]
extern "C" fn fault(number: u32, address: u64) -> u32 {
    let Some(running) = RUNNING.with_borrow(Clone::clone) else { return 0 };
    let calls = running.calls.clone();
    if calls.sees(number, address, &mut Program(running)) {
        return 1;
    }
    calls.fault(number, address);
    0
}

/// A product and a sum, rounded once, which WebAssembly has no instruction for.
#[expect(unsafe_code, reason = "a script of the page hands it to programs")]
#[unsafe(no_mangle)]
extern "C" fn fused(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// Likewise.
#[expect(unsafe_code, reason = "a script of the page hands it to programs")]
#[unsafe(no_mangle)]
extern "C" fn fused_single(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}
