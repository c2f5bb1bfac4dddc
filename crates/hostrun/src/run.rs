//! A run of a program.
//!
//! Enters: both sides, an engine for the host's, a device, arguments and limits. Leaves: what the program printed, how it ended, and
//! what it did wrong. This module must never know how any of this is shown.

use crate::calls::Calls;
use crate::ended::{Ended, stopped};
use crate::engine::Engine;
use crate::instance::{Instance, Stop};
use crate::sides::Sides;
use device::Device;
use runtime::api::{self, Api};
use runtime::library::{self, Freed, Library};
use runtime::{Signal, Site};
use std::path::Path;
use std::rc::Rc;

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Operations of the host's side: instructions of the compiler's representation that it executes. (More than an `i64` holds
    /// are as many.)
    pub operations: u64,
    /// Whether memory that was never freed is reported.
    pub leaks: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { operations: 200_000_000_000, leaks: false }
    }
}

/// Why a program could not be run, which is never what it does.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device cannot be used, or not with the program's kernels.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// The engine cannot execute the host's side.
    #[error("the host side cannot be executed: {0}")]
    Engine(String),
    /// The engine ended while a function of the library was called, in words.
    #[error("{0}, in a function of the library: what was found until then is lost")]
    Lost(String),
}

/// What a run leaves.
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// The C library, with its findings.
    pub library: Library,
    /// The runtime API, with its findings and its profile.
    pub api: Api,
    /// Operations of the host's side that ran, up to the last call of a function or the end of one.
    pub operations: u64,
}

/// Runs a program.
///
/// # Errors
/// A device or an engine that cannot be used; never what the program does.
pub fn run(
    sides: &Sides,
    engine: &dyn Engine,
    mut device: Box<dyn Device>,
    options: library::Options,
    limits: Limits,
) -> Result<Outcome, Error> {
    // Programs that measure launch the same kernel over and over.
    device.skip_repeats();
    let mut api = Api::new(device, program(sides))?;
    let given = sides.host.given.iter().map(|one| (Site(one.call), one.argument, one.bytes));
    api.set_variables(sides.host.globals.clone(), given);
    let limit = i64::try_from(limits.operations).unwrap_or(i64::MAX);
    let calls = Rc::new(Calls::new(Library::new(options), api, limit, sides.shown()));
    let mut instance = engine.load(&sides.host, calls.clone()).map_err(Error::Engine)?;
    let instance = instance.as_mut();
    instance.set_left(limit);
    let ended = started(sides, &calls, instance);
    finished(ended, &calls, instance, limits, sides)
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

/// Starts variables, calls `main`, and then what it left to be called.
fn started(sides: &Sides, calls: &Calls, instance: &mut dyn Instance) -> Result<Returned, Stop> {
    instance.run("__start", &[])?;
    let arguments = if !sides.host.main.params.is_empty() {
        let begun = calls.with(|library, _| library.start(instance));
        let (count, vector) = begun.map_err(Stop::Signal)?;
        vec![u64::from(count.cast_unsigned()), vector, 0]
    } else {
        vec![]
    };
    let (mut code, of_itself) = match instance.run("main", &arguments) {
        Ok(code) => (code as u32 as i32, true),
        Err(Stop::Signal(Signal::Exit(code))) => (code, false),
        Err(stop) => return Err(stop),
    };
    loop {
        calls.resume();
        let next = calls.with(|library, _| Ok(library.next_at_exit()));
        let Some((function, arguments)) = next.map_err(Stop::Signal)? else { break };
        match instance.call(function, &arguments) {
            Ok(_) => {}
            Err(Signal::Exit(other)) => code = other,
            Err(signal) => return Err(Stop::Signal(signal)),
        }
    }
    Ok(Returned { code: code & 0xff, of_itself })
}

/// What `main` has left.
#[derive(Clone, Copy, Debug)]
struct Returned {
    code: i32,
    /// Whether it has returned, so that its variables have ended, which those of functions that call `exit` never do.
    of_itself: bool,
}

impl Returned {
    /// Memory that is to be free by now: all of it after a return, and after `exit(0)` what no variable could have freed. A program
    /// that ends at an error frees nothing.
    fn freed(self) -> Option<Freed> {
        match self {
            Returned { of_itself: true, .. } => Some(Freed::All),
            Returned { code: 0, .. } => Some(Freed::ByHand),
            Returned { .. } => None,
        }
    }
}

/// What is known once the program has ended.
fn finished(
    ended: Result<Returned, Stop>,
    calls: &Calls,
    instance: &mut dyn Instance,
    limits: Limits,
    sides: &Sides,
) -> Result<Outcome, Error> {
    let whole = ended.is_ok();
    let freed = ended.as_ref().ok().and_then(|of| of.freed()).filter(|_| limits.leaks);
    let operations = calls.done(instance).max(0).cast_unsigned();
    let ended = match ended {
        Ok(of) => Ended::Exit(of.code),
        // What was noted first is why; an engine says that of each call that it was in.
        Err(stop) => stopped(calls.stopped().unwrap_or(stop), calls, instance, sides),
    };
    let end = calls.with(|library, api| {
        let printed = api.take_printed();
        library.print(printed.as_bytes())?;
        library.flush()?;
        if whole {
            api.end();
        }
        if freed.is_some() {
            api.leaks();
        }
        library.check_end(instance, freed)
    });
    let ended = match (end, ended) {
        (Err(signal), Ended::Exit(_)) => stopped(Stop::Signal(signal), calls, instance, sides),
        (_, ended) => ended,
    };
    let Some((library, api)) = calls.take() else {
        let (Ended::Signal { why, .. } | Ended::Limit { why, .. }) = ended else {
            return Err(Error::Lost("the engine ended".to_owned()));
        };
        return Err(Error::Lost(why));
    };
    Ok(Outcome { ended, library, api, operations })
}
