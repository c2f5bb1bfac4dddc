//! Whole CUDA programs: `main` too.
//!
//! Enters: the source of a program, its arguments and its standard input. Leaves: its standard output and error, its exit code, and
//! what it did wrong, with the lines of the source. The host's side runs as WebAssembly in a sandbox; kernels run on the embedded
//! device or a GPU. This crate must never know what a program is for.

mod command;
mod guest;
mod report;
mod run;
mod sides;
mod state;

pub use command::main;
pub use run::{Ended, Limits, Outcome, run};
pub use sides::{Sides, compile};
