//! How a program has ended.
//!
//! Enters: why a function of it did not return. Leaves: a signal with what explains it, or a limit. This module must never know how it
//! is shown.

use crate::calls::Calls;
use crate::instance::{Instance, Stop};
use crate::sides::Sides;
use cuda::host::Fault;
use cuda::source::Span;
use runtime::{Signal, Site};

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
        place: Option<Span>,
    },
    /// The sandbox has ended it.
    Limit {
        /// Why, in words.
        why: String,
        /// Place that it was at, where that is known.
        place: Option<Span>,
    },
}

impl Ended {
    /// The exit code that a shell shows: 1 where a limit ended the program.
    pub fn code(&self) -> u8 {
        match self {
            Ended::Exit(code) | Ended::Signal { code, .. } => *code as u8,
            Ended::Limit { .. } => 1,
        }
    }

    fn limit(why: String) -> Self {
        Ended::Limit { why, place: None }
    }
}

/// How a program has ended that did not come to its end.
pub(crate) fn stopped(stop: Stop, calls: &Calls, guest: &mut dyn Instance, sides: &Sides) -> Ended {
    let signal = match stop {
        Stop::Fault(number, address) => return fault(number, address, calls, guest, sides),
        Stop::Depth => return killed("SIGSEGV", 139, "the calls are nested too deeply".to_owned(), None),
        Stop::Engine(why) => return Ended::limit(why),
        Stop::Signal(signal) => signal,
    };
    match signal {
        Signal::Exit(code) => Ended::Exit(code & 0xff),
        Signal::Abort => killed("SIGABRT", 134, "the program has ended itself by `abort`".to_owned(), None),
        Signal::Segmentation { address, bytes } => {
            let site = guest.site();
            let place = sides.place_of_call(site);
            explain(address, calls, guest, site);
            let plural = if bytes == 1 { "" } else { "s" };
            let why = format!(
                "a function of the library was to access {bytes} byte{plural} at {address:#x}, which is not memory of the host"
            );
            killed("SIGSEGV", 139, why, place)
        }
        Signal::Limit(why) => Ended::limit(why),
    }
}

fn killed(name: &'static str, code: i32, why: String, place: Option<Span>) -> Ended {
    Ended::Signal { name, code, why, place }
}

/// Has the API say what an address is that the program accessed.
fn explain(address: u64, calls: &Calls, guest: &mut dyn Instance, site: Site) {
    // What it finds is among its findings; without the API there is no one to say more.
    let _: Result<(), Signal> = calls.with(|_, api| {
        api.explain_access(address, site, guest);
        Ok(())
    });
}

/// A fault of the program itself.
fn fault(number: u32, address: u64, calls: &Calls, guest: &mut dyn Instance, sides: &Sides) -> Ended {
    let Some((fault, place)) = sides.host.faults.get(number as usize).copied() else {
        return Ended::limit("internal error: an unknown fault".to_owned());
    };
    let mut accessed = |how: &str, bytes: u64| {
        explain(address, calls, guest, Site(0));
        let of = if address < 4096 {
            "a null pointer".to_owned()
        } else if runtime::heap::is_of_freed(address) {
            format!(
                "the address {address:#x}, which is what freed memory is filled with: the pointer was read from there"
            )
        } else {
            format!("the address {address:#x}, which is not memory of the host")
        };
        killed("SIGSEGV", 139, format!("{how} {bytes} bytes at {of}"), place)
    };
    match fault {
        Fault::Load(bytes) => accessed("load of", bytes),
        Fault::Range => Ended::limit("internal error: what is only shown was a fault".to_owned()),
        Fault::Store(bytes) => accessed("store of", bytes),
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
        Fault::Operations => {
            Ended::Limit { why: "it has not ended within the limit of operations".to_owned(), place }
        }
    }
}
