//! What a program calls: the C library and the CUDA runtime API.
//!
//! Enters: calls by name, with the bits of their arguments. Leaves: their results, and why the program ended, where it did. An engine
//! has one function for all that a program imports: it finds an [`Import`] once, and answers each call by [`Calls::answer`]. This
//! module must never know which engine calls.

use crate::instance::{Instance, Stop};
use crate::sides::Shown;
use crate::watching::Watching;
use runtime::api::{self, Api};
use runtime::library::{self, Library};
use runtime::{Signal, Site};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// Time that an operation of the host's side takes in the model, picoseconds: some three of them a nanosecond.
const OPERATION_PS: u64 = 333;

/// A function that programs import.
#[derive(Clone, Copy)]
pub struct Import(Found);

#[derive(Clone, Copy)]
enum Found {
    Library(library::Function),
    /// One that frees memory of the heap, by its name in messages.
    Freeing(library::Function, &'static str),
    /// One that calls the program back, which may call the library.
    Calling(library::Function),
    Api(&'static api::Function),
}

impl Import {
    /// The function of a name, if there is one.
    pub fn find(name: &str) -> Option<Import> {
        let found = match (library::find(name), api::find(name)) {
            (Some(function), _) if library::calls_back(name) => Found::Calling(function),
            (Some(function), _) if name == "free" => Found::Freeing(function, "free"),
            (Some(function), _) if name.starts_with("_Zdl") => Found::Freeing(function, "delete"),
            (Some(function), _) if name.starts_with("_Zda") => Found::Freeing(function, "delete[]"),
            (Some(function), _) => Found::Library(function),
            (None, Some(function)) => Found::Api(function),
            (None, None) => return None,
        };
        Some(Import(found))
    }
}

/// What answers the calls of one run.
pub struct Calls {
    /// Not there while a function of theirs is called.
    /// They are large, and moved at each call: by their address.
    parts: RefCell<Option<Box<(Library, Api)>>>,
    limit: i64,
    /// Operations up to which the clock has been set.
    counted: Cell<i64>,
    stopped: RefCell<Option<Stop>>,
    /// The program's own accesses, as [`Sides::shown`](crate::Sides) has them.
    shown: Vec<Shown>,
    /// The first byte of a range, until the last is shown.
    first: Cell<Option<u64>>,
    /// From where on they are seen, and how many more may be: each takes as long as a call.
    watched: Cell<Option<u64>>,
    looks: Cell<u32>,
}

/// Reads of the program's own that are looked at, in all.
const LOOKS: u32 = 1 << 20;

impl Calls {
    pub(crate) fn new(library: Library, api: Api, limit: i64, shown: Vec<Shown>) -> Self {
        Self {
            shown,
            first: Cell::new(None),
            watched: Cell::new(None),
            looks: Cell::new(LOOKS),
            parts: RefCell::new(Some(Box::new((library, api)))),
            limit,
            counted: Cell::new(0),
            stopped: RefCell::new(None),
        }
    }

    /// Answers a call.
    ///
    /// # Errors
    /// What ends the program.
    pub fn answer(&self, import: Import, arguments: &[u64], guest: &mut dyn Instance) -> Result<u64, Signal> {
        self.tick(guest);
        let result = match import.0 {
            Found::Calling(function) => function(&mut Library::new(nothing()), guest, arguments),
            Found::Library(function) => self.of_library(function, arguments, guest),
            Found::Freeing(function, name) => self.with(|library, api| {
                let address = arguments.first().copied().unwrap_or(0);
                if library.heap.block_of(address).is_none() {
                    api.explain_free(address, name, guest.site());
                }
                function(library, guest, arguments)
            }),
            Found::Api(function) => self.of_api(function, arguments, guest),
        };
        match import.0 {
            Found::Api(_) => self.watch_unsettled(guest),
            _ => self.watch_still(guest),
        }
        result.inspect_err(|signal| self.stop(Stop::Signal(signal.clone())))
    }

    /// Has the program's own reads be seen from where on it has not waited for what is about to change, which a call of the API
    /// alone decides.
    fn watch_unsettled(&self, guest: &mut dyn Instance) {
        let from = self.parts.borrow().as_ref().and_then(|parts| parts.1.unsettled());
        let from = from.filter(|_| self.looks.get() > 0);
        if from.is_some() || self.watched.get().is_some() {
            self.watched.set(from);
            guest.watch(from.unwrap_or(u64::MAX));
        }
    }

    /// The same after another call, which may have grown the memory: then all of it may be accessed.
    fn watch_still(&self, guest: &mut dyn Instance) {
        if let Some(from) = self.watched.get() {
            guest.watch(from);
        }
    }

    /// Whether an access that an engine was to show is one to memory of the program, which is made then. What is wrong with it is
    /// noted.
    pub fn sees(&self, number: u32, address: u64, guest: &mut dyn Instance) -> bool {
        let within = self.watched.get().is_some_and(|from| from <= address) && address < guest.end();
        match self.shown.get(number as usize).copied().unwrap_or(Shown::Fault) {
            Shown::Fault => return false,
            Shown::Range(site) => match (self.first.take(), site) {
                (None, _) => self.first.set(Some(address)),
                (Some(first), Some(site)) => self.read(first, address - first + 1, site, guest),
                (Some(_), None) => {}
            },
            Shown::Load(..) | Shown::Other if !within => return false,
            Shown::Load(bytes, site) => self.read(address, bytes, site, guest),
            Shown::Other => {}
        }
        true
    }

    /// Looks at a read of the program's own, or of a function that it has called.
    fn read(&self, address: u64, bytes: u64, site: Site, guest: &mut dyn Instance) {
        let mut parts = self.parts.borrow_mut();
        let (Some(_), Some((_, api))) = (self.watched.get(), parts.as_deref_mut()) else { return };
        self.looks.set(self.looks.get().saturating_sub(1));
        if api.host_access(address, bytes, false, site).is_some() || self.looks.get() == 0 {
            // One of them is enough, until the program calls the API again.
            self.watched.set(None);
            guest.watch(u64::MAX);
        }
    }

    /// Answers a call of the C library, whose reads are looked at as the program's own are.
    fn of_library(
        &self,
        function: library::Function,
        arguments: &[u64],
        guest: &mut dyn Instance,
    ) -> Result<u64, Signal> {
        let Some(from) = self.watched.get() else {
            return self.with(|library, _| function(library, guest, arguments));
        };
        let mut watching = Watching::new(guest, from);
        let result = self.with(|library, _| function(library, &mut watching, arguments));
        let reads = watching.reads();
        let site = guest.site();
        for (address, bytes) in reads {
            self.read(address, bytes, site, guest);
        }
        result
    }

    /// Answers a call of the API, and calls what its streams call of the program.
    fn of_api(
        &self,
        function: &api::Function,
        arguments: &[u64],
        guest: &mut dyn Instance,
    ) -> Result<u64, Signal> {
        let answer = self.with(|library, api| {
            let before = api.host_ns();
            let result = function.call(api, &mut library.heap, guest, arguments);
            // The host's clock continues while it waits for the device.
            library.clock.advance(Duration::from_nanos((api.host_ns() - before).max(0.0) as u64));
            let printed = api.take_printed();
            if !printed.is_empty() {
                library.print(printed.as_bytes())?;
            }
            result
        })?;
        // Its calls of the library find it where it was.
        while let Some((function, arguments)) =
            self.with(|library, api| api.begin_callback(&mut library.heap, guest))?
        {
            guest.call(function, &arguments)?;
            self.with(|_, api| {
                api.end_callback();
                Ok(())
            })?;
        }
        Ok(answer)
    }

    /// Notes that the program went wrong at a place, by number, with an address.
    pub fn fault(&self, number: u32, address: u64) {
        self.stop(Stop::Fault(number, address));
    }

    /// Notes why the program ended. What was noted first is why: the rest follows from it.
    pub fn stop(&self, stop: Stop) {
        let mut stopped = self.stopped.borrow_mut();
        if stopped.is_none() {
            *stopped = Some(stop);
        }
    }

    /// Why the program ended, if it was noted.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped.borrow().clone()
    }

    /// Forgets why, so that functions can be called that a program leaves for its end.
    pub(crate) fn resume(&self) {
        *self.stopped.borrow_mut() = None;
    }

    /// Does something with the library and the API.
    pub(crate) fn with<T>(
        &self,
        run: impl FnOnce(&mut Library, &mut Api) -> Result<T, Signal>,
    ) -> Result<T, Signal> {
        let Some(mut parts) = self.parts.take() else {
            return Err(Signal::Limit(
                "internal error: a function of the library was called in another".to_owned(),
            ));
        };
        let (library, api) = parts.as_mut();
        let result = run(library, api);
        self.parts.replace(Some(parts));
        result
    }

    /// The library and the API, at the end; nothing where the engine ended while one of their functions was called.
    pub(crate) fn take(&self) -> Option<(Library, Api)> {
        self.parts.take().map(|parts| *parts)
    }

    /// Sets the clock by the operations that ran.
    fn tick(&self, guest: &dyn Instance) {
        let done = self.done(guest);
        let passed = done.saturating_sub(self.counted.replace(done));
        let ns = passed.max(0).cast_unsigned().saturating_mul(OPERATION_PS) / 1000;
        if let Some((library, _)) = self.parts.borrow_mut().as_deref_mut() {
            library.clock.advance(Duration::from_nanos(ns));
        }
    }

    /// Operations that ran.
    pub(crate) fn done(&self, guest: &dyn Instance) -> i64 {
        self.limit.saturating_sub(guest.left().max(0))
    }
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
