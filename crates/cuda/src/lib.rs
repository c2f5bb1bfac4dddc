//! CUDA C to PTX: a compiler that needs no toolkit.

mod ast;
mod builtin;
mod check;
mod compile;
pub mod diagnostic;
mod emit;
mod evaluate;
mod hash;
mod hir;
mod ir;
mod lex;
mod library;
mod limits;
mod lists;
mod lower;
mod options;
mod parse;
mod passes;
mod preprocess;
mod sort;
mod sorted;
pub mod source;
mod teach;
mod threads;
pub(crate) mod token;
mod walk;
pub mod written;

pub use compile::{Stage, compile, compile_watched};
pub use names::Shared;
pub use options::{Arch, Failure, Header, Input, Options, Output};

/// Version of the compiler.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
