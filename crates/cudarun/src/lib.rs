//! Whole CUDA programs in the terminal.
//!
//! Enters: a command line. Leaves: a program's standard output and error, its exit code, and what it did wrong, with the lines of the
//! source. The host's side runs as WebAssembly in wasmi; kernels run on the embedded device. This crate must never know what a program
//! is for.

mod command;
mod flags;
mod nvcc;
mod profile;
mod reports;
mod sources;

pub use command::main;
