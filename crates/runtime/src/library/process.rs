//! The program as a whole: its arguments and environment, its end, `errno`, `assert`, and what it may not ask for.
//!
//! Enters: exit codes, functions for the end, names. Leaves: signals that end the program.

use super::{
    Finding, Library, Place, Row,
    errno::Errno,
    finding::Mistake,
    io::Standard,
    memory::{arguments, from_int, int, put_text, put_u64},
    row,
};
use crate::{
    guest::{Guest, Signal, Site},
    heap::Kind,
};
use std::path::Path;

/// A function that is called at the program's end, with what it is passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtExit {
    function: u64,
    argument: Option<u64>,
}

/// Functions that may be entered for the end.
const MOST_AT_EXIT: usize = 1 << 16;

pub(super) const ROWS: &[Row] = &[
    // The functions of `atexit` are called by who runs the program, once this call has ended: they may call the library.
    row("exit", "vi", |_, _, given| {
        let [code] = arguments(given);
        Err(Signal::Exit(int(code) & 0xFF))
    }),
    row("_Exit", "vi", |library, _, given| library.exit_at_once(given)),
    row("_exit", "vi", |library, _, given| library.exit_at_once(given)),
    row("quick_exit", "vi", |library, _, given| library.exit_at_once(given)),
    row("abort", "v", |_, _, _| Err(Signal::Abort)),
    row("atexit", "ip", |library, _, given| {
        let [function] = arguments(given);
        Ok(library.at_exit(AtExit { function, argument: None }))
    }),
    row("__assert_fail", "vppip", assert_fail),
    row("__errno_location", "p", |library, guest, _| library.place(guest, Place::Errno, 4)),
    row("setenv", "ippi", setenv),
    row("unsetenv", "ip", unsetenv),
    row("putenv", "ip", putenv),
    row("getenv", "pp", getenv),
    row("system", "ip", system),
    row("mkstemp", "ip", |library, guest, _| {
        library.refuse(guest, "mkstemp", "use `tmpfile`, or `fopen` with a name of your own");
        library.fail(guest, Errno::EACCES, -1)
    }),
];

/// What a compiler calls of itself, with no header.
pub(super) const OF_THE_COMPILER: &[Row] = &[
    row("__cxa_atexit", "ippp", |library, _, given| {
        let [function, argument] = arguments(given);
        Ok(library.at_exit(AtExit { function, argument: Some(argument) }))
    }),
    row("__library_pure_virtual", "v", |library, _, _| library.terminate("pure virtual method called")),
    row("__library_terminate", "vpp", |library, guest, given| {
        let [of, what] = arguments(given);
        if of == 0 {
            return library.terminate("terminate called without an active exception");
        }
        let text = |address| guest.read_text(address).map(|text| String::from_utf8_lossy(&text).into_owned());
        let of = text(of)?;
        let what = if what == 0 { String::new() } else { format!("\n  what():  {}", text(what)?) };
        library.terminate(&format!("terminate called after throwing an instance of '{of}'{what}"))
    }),
    row("_ZSt9terminatev", "v", |library, _, _| {
        library.terminate("terminate called without an active exception")
    }),
    row("__library_assert", "vp", |library, guest, given| {
        let [message] = arguments(given);
        let message = String::from_utf8_lossy(&guest.read_text(message)?).into_owned();
        library.terminate(&message)
    }),
    row("__library_report", "vp", |library, guest, given| {
        let [message] = arguments(given);
        let message = String::from_utf8_lossy(&guest.read_text(message)?).into_owned();
        library.report(guest, Mistake::Precondition, "__library_report", vec![], message);
        Ok(0)
    }),
];

fn assert_fail(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [condition, file, line, function] = arguments(given);
    let text = |address| guest.read_text(address).map(|text| String::from_utf8_lossy(&text).into_owned());
    let (condition, file, function) = (text(condition)?, text(file)?, text(function)?);
    let (program, line) = (library.short_name(), line as u32);
    let message = format!("{program}: {file}:{line}: {function}: Assertion `{condition}' failed.\n");
    library.io.put(Standard::Error, message.as_bytes())?;
    Err(Signal::Abort)
}

/// Gives a variable a value: as a new one, since the text of the old may be longer and pointed to.
fn set_variable(library: &mut Library, name: &[u8], value: Option<&[u8]>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for (known, _) in library.environment.iter_mut().filter(|(known, _)| known.as_bytes() == name) {
        known.clear();
    }
    if let Some(value) = value {
        library.environment.push((text(name), text(value)));
    }
}

fn setenv(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [name, value, replace] = arguments(given);
    let (name, value) = (guest.read_text(name)?, guest.read_text(value)?);
    if name.is_empty() || name.contains(&b'=') {
        library.set_errno(guest, Errno::EINVAL)?;
        return Ok(from_int(-1));
    }
    let known = library.environment.iter().any(|(known, _)| known.as_bytes() == name);
    if int(replace) != 0 || !known {
        set_variable(library, &name, Some(&value));
    }
    Ok(0)
}

fn unsetenv(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [name] = arguments(given);
    let name = guest.read_text(name)?;
    if name.is_empty() || name.contains(&b'=') {
        library.set_errno(guest, Errno::EINVAL)?;
        return Ok(from_int(-1));
    }
    set_variable(library, &name, None);
    Ok(0)
}

fn putenv(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [assignment] = arguments(given);
    let assignment = guest.read_text(assignment)?;
    let mut parts = assignment.splitn(2, |byte| *byte == b'=');
    let name = parts.next().unwrap_or_default();
    set_variable(library, name, parts.next());
    Ok(0)
}

fn getenv(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [name] = arguments(given);
    let name = guest.read_text(name)?;
    let Some(at) = library.environment.iter().position(|(known, _)| known.as_bytes() == name) else {
        return Ok(0);
    };
    let value = library.environment[at].1.clone();
    let address = library.place(guest, Place::Environment(at), value.len() as u64 + 1)?;
    put_text(guest, address, value.as_bytes())?;
    Ok(address)
}

fn system(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [command] = arguments(given);
    if command == 0 {
        return Ok(0); // whether there is a shell
    }
    library.refuse(guest, "system", "a program cannot start others here");
    Ok(from_int(-1))
}

/// Memory that a program is to have freed at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freed {
    /// All of it.
    All,
    /// What `malloc` gave: an object whose function has not returned may still have what `new` gave.
    ByHand,
}

impl Library {
    /// Puts the program's arguments into its memory: `argc`, and the address that `argv` is.
    ///
    /// # Errors
    /// [`Signal::Limit`] where they do not fit.
    pub fn start(&mut self, guest: &mut dyn Guest) -> Result<(i32, u64), Signal> {
        let given = self.arguments.clone();
        let vector = self.place(guest, Place::Arguments, 8 * (given.len() as u64 + 1))?;
        for (at, text) in given.iter().enumerate() {
            let address = self.place(guest, Place::Argument(at), text.len() as u64 + 1)?;
            put_text(guest, address, text.as_bytes())?;
            put_u64(guest, vector + 8 * at as u64, address)?;
        }
        Ok((i32::try_from(given.len()).unwrap_or(i32::MAX), vector))
    }

    /// A function of `atexit` that is still to be called, the last that was noted first, with its argument if it takes one. Who runs the
    /// program calls them, since they may call the library.
    pub fn next_at_exit(&mut self) -> Option<(u64, Vec<u64>)> {
        self.at_exit.pop().map(|AtExit { function, argument }| (function, argument.into_iter().collect()))
    }

    /// Does what is done when `main` has returned or `exit` was called: calls the functions of `atexit`, the last first, and writes
    /// what streams have kept. Returns the exit code: the code given, or that of an `exit` in one of these functions.
    ///
    /// # Errors
    /// What ended one of these functions in another way.
    pub fn finish(&mut self, guest: &mut dyn Guest, code: i32) -> Result<i32, Signal> {
        let mut code = code;
        while let Some(AtExit { function, argument }) = self.at_exit.pop() {
            let argument: Vec<u64> = argument.into_iter().collect();
            match guest.call(function, &argument) {
                Err(Signal::Exit(other)) => code = other,
                other => {
                    other?;
                }
            }
        }
        self.flush()?;
        Ok(code & 0xFF)
    }

    /// Enters what is seen at the program's end: what was written past the ends of blocks, and what was to be freed and was not, by
    /// the place where it was allocated.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where the guest lets no one read its heap.
    pub fn check_end(&mut self, guest: &dyn Guest, freed: Option<Freed>) -> Result<(), Signal> {
        for overrun in self.heap.overruns(guest)? {
            self.report_overrun(None, "exit", &overrun);
        }
        match freed {
            Some(Freed::All) => self.check_leaks(&[Kind::Malloc, Kind::New, Kind::NewArray]),
            Some(Freed::ByHand) => self.check_leaks(&[Kind::Malloc]),
            None => {}
        }
        Ok(())
    }

    fn check_leaks(&mut self, kinds: &[Kind]) {
        let mut by_site: std::collections::BTreeMap<Site, (u64, u64)> = std::collections::BTreeMap::new();
        for kind in kinds {
            for block in self.heap.in_use(*kind) {
                let (count, bytes) = by_site.entry(block.allocated).or_default();
                (*count, *bytes) = (*count + 1, *bytes + block.bytes);
            }
        }
        for (site, (count, bytes)) in by_site {
            let message = match count {
                1 => format!("a block of {bytes} bytes was never freed"),
                _ => format!("{count} blocks of {bytes} bytes in all were never freed"),
            };
            self.findings.add(Finding {
                mistake: Mistake::Leak,
                site: Some(site),
                function: "exit",
                others: vec![],
                message,
                times: count,
            });
        }
    }

    /// The program's name without its folder, as glibc shows it.
    pub(super) fn short_name(&self) -> String {
        let name = self.arguments.first().map_or("", String::as_str);
        Path::new(name).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    fn terminate(&mut self, message: &str) -> Result<u64, Signal> {
        self.io.put(Standard::Error, format!("{message}\n").as_bytes())?;
        Err(Signal::Abort)
    }

    fn at_exit(&mut self, what: AtExit) -> u64 {
        if self.at_exit.len() >= MOST_AT_EXIT {
            return from_int(-1);
        }
        self.at_exit.push(what);
        0
    }

    fn exit_at_once(&mut self, given: &[u64]) -> Result<u64, Signal> {
        let [code] = arguments(given);
        self.at_exit.clear();
        self.io.flush_output()?;
        Err(Signal::Exit(int(code) & 0xFF))
    }

    /// Reports a function that the sandbox does not have.
    pub(super) fn refuse(&mut self, guest: &dyn Guest, function: &'static str, instead: &str) {
        let message = format!("`{function}` is not supported: {instead}");
        self.report(guest, Mistake::Refused, function, vec![], message);
    }
}
