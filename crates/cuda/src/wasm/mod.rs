//! WebAssembly.
//!
//! Enters: a module of the host's functions, as lowered or after passes. Leaves: a program for any engine of WebAssembly, native
//! or a browser's, with a table of the places at which it may go wrong. This module must never know CUDA C, nor what the
//! external functions do.
//!
//! A function goes through these, each a file:
//! - `trees`: which instructions are written as operands of others.
//! - `locals`: which values share a local.
//! - `flow`: which blocks lie in which.
//! - `body`, for the whole: how blocks follow each other.
//! - `writer`, with `operation`, `memory`, `atomic`, `call`, `builtin` and `half`: what is written for an instruction.
//! - `cost` and `count`: how many operations that is, and how they are counted.
//!
//! `types` has the types, `layout` the addresses, `site` the places that may fault, `module` the sections.

mod atomic;
mod body;
mod builtin;
mod call;
mod cost;
mod count;
mod flow;
mod half;
mod layout;
mod locals;
mod memory;
mod module;
mod operation;
mod site;
#[cfg(test)]
mod tests;
mod trees;
mod types;
mod writer;

pub(crate) use call::user_place;
pub use layout::{DATA, PAD, PAGE};
#[cfg(test)]
pub(crate) use module::Output;
pub(crate) use module::{Limits, emit};
pub(crate) use site::Site;
pub use site::{Fault, Given};
pub use types::Letters;
