//! Places at which a program may go wrong.
//!
//! Enters: nothing. Leaves: the meaning of a number that a module hands to its host at a fault.

use crate::ir::{DebugLocation, FunctionId};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A load of that many bytes (0: as many as the program says) from an address that no memory of the host has.
    Load(u64),
    /// No fault, but the first and then the last of the bytes that a copy reads, as many as the program says, for an engine that wants
    /// to see them.
    Range,
    /// A store of as many bytes to an address that no memory of the host has, or that only may be read.
    Store(u64),
    /// An integer divided by zero; there is no address.
    DivisionByZero,
    /// A quotient that its type cannot hold: the least integer by −1.
    DivisionOverflow,
    /// The stack has no room for a function's variables; the address is where they would end.
    StackOverflow,
    /// A call through an address that is not that of a function with such parameters and results.
    Call,
    /// What is never reached was: the end of a function that returns a value, most often.
    Unreachable,
    /// `__trap`.
    Trap,
    /// No operation is left.
    Operations,
}

/// A variable of a function whose address is an argument of a function of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Number of the call, as `__call_site` holds it.
    pub call: u32,
    /// Number of the argument, from 0.
    pub argument: usize,
    /// Bytes from that address to the variable's end.
    pub bytes: u64,
}

/// Place that may fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Site {
    /// What goes wrong there.
    pub(crate) fault: Fault,
    /// Function of the module that `place` is in.
    pub(crate) function: FunctionId,
    /// Where it is written.
    pub(crate) place: DebugLocation,
}
