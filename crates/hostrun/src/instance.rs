//! The host's side of a program, loaded by an engine.
//!
//! Enters: names of its functions, with the bits of arguments. Leaves: results, or why there are none. This module must never know
//! what any of the functions does.

use runtime::{Guest, Signal};

/// The host's side of a program, loaded.
///
/// Where [`Guest::call`] ends the program, its error is what ended it, and [`Calls::stopped`](crate::Calls::stopped) what is to be
/// known of it.
pub trait Instance: Guest {
    /// Calls a function by its name; 0 where it returns nothing, or is not there.
    ///
    /// # Errors
    /// Why it did not return.
    fn run(&mut self, name: &str, arguments: &[u64]) -> Result<u64, Stop>;

    /// Operations that are left, as `__operations_left` has them.
    fn left(&self) -> i64;

    /// Has the program's accesses to what is from an address on be shown to [`Calls::sees`](crate::Calls::sees).
    fn watch(&mut self, from: u64);

    /// Sets how many operations are left.
    fn set_left(&mut self, operations: i64);
}

/// Why a function of the program did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// What it called has ended the program.
    Signal(Signal),
    /// It went wrong at a place of the program, by number, with an address.
    Fault(u32, u64),
    /// The engine has no room for another call.
    Depth,
    /// The engine cannot continue, in words.
    Engine(String),
}

impl Stop {
    /// What it is for the function that has called the program back.
    pub fn signal(&self) -> Signal {
        match self {
            Stop::Signal(signal) => signal.clone(),
            Stop::Fault(number, _) => Signal::Limit(format!("fault {number}")),
            Stop::Depth => Signal::Limit("the calls are nested too deeply".to_owned()),
            Stop::Engine(why) => Signal::Limit(why.clone()),
        }
    }
}
