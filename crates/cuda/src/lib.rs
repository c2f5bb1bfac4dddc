//! CUDA C to PTX: a compiler that needs no toolkit.
//!
//! # What it must know
//!
//! **Language.** C++17 as CUDA's device code has it, with `__cplusplus` 201703L and `__CUDACC_VER_MAJOR__`.`__CUDACC_VER_MINOR__` of
//! 12.9. Where C++17 leaves a choice, the choice is that of NVRTC 12.9, the reference of the workbook's measurements. It also
//! takes what NVRTC 12.9 refuses and nvcc or other compilers take: statement expressions, compound literals, designated initialisers,
//! `__attribute__` and some `__builtin_…` functions. Another construct is refused by its name, with the
//! code `unsupported` and what to write instead: pointers to members, exceptions, `dynamic_cast`, `long double`,
//! 128-bit integers, constraints and `<=>` of C++20, wide characters.
//! Host code has most of these (`host.rs`): it takes `long double` for `double`, with a warning. Where C++17 leaves the order of evaluation open, host code has that of g++ on
//! x86: the last argument first.
//! `check/standard.rs` has the language chapter by chapter with what NVRTC takes and refuses, `tests/mistakes` the messages, and
//! `tests/tests/language.rs` of the workspace what programs leave on the embedded device.
//!
//! **CUDA.** Function and variable specifiers, launches in host code (which instantiate templates of kernels; the rest of host code is
//! skipped), vector types, built-in variables, and the functions of the CUDA C++ Programming Guide's appendices: rows of
//! `builtin/table.rs` where one instruction does it, otherwise text below `library`.
//!
//! **Headers.** A folder `library` with one file for each header that is found by `#include`, and files by name, which declare what
//! CUDA has without any. `library/index.txt` is generated from these files (`library/make_index.py`); tests compare it with them, parse
//! each file for each architecture (`library.rs`), and call every function of the CUDA Math API's list (`library/api.txt`).
//!
//! **Passes.** Those of LLVM that NVRTC's memory instructions show, one file each below `passes`, in LLVM's order. The reason for a pass
//! is a counter: its module says which one differed from that of NVRTC's code without the pass, in which kernel, and by how much
//! (`Counter:`); the kernel is one of a lab's or of `tests/compiler/passes.cu`. `tests/tests/passes.rs` of the workspace holds every pass to
//! it, and lists those for which no counter shows one.

mod ast;
mod builtin;
mod check;
mod compile;
pub mod diagnostic;
mod emit;
mod evaluate;
mod hash;
mod hir;
#[cfg(feature = "host")]
pub mod host;
mod ir;
mod lex;
mod library;
mod limits;
mod link;
mod lists;
mod lower;
mod options;
mod parse;
mod passes;
mod preprocess;
#[cfg(feature = "host")]
pub mod program;
mod side;
mod sort;
mod sorted;
pub mod source;
mod teach;
mod threads;
pub(crate) mod token;
mod walk;
#[cfg(feature = "host")]
mod wasm;
pub mod written;

pub use compile::{Stage, compile, compile_watched};
pub use names::Shared;
pub use options::{Arch, Failure, Header, Input, Language, Options, Output};

/// Version of the compiler.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
