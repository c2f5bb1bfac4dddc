//! PTX text to an abstract syntax tree, with source positions.
//!
//! Enters: the text of a PTX module. Leaves: a [`Module`] that borrows its names from the text, or an [`Error`] with a
//! line and a column. This crate must never know what an instruction means: any sequence of words parses, and the
//! device that executes it decides what it supports.
//!
//! The grammar is that of the PTX ISA manual, chapters 4 (syntax), 5 (state spaces, types), 9 (instructions) and 11
//! (directives).
//!
//! ```
//! let text = "
//! .version 8.8
//! .target sm_52
//! .visible .entry zero(.param .u64 out)
//! {
//!     .reg .b64 %rd<2>;
//!     ld.param.u64 %rd1, [out];
//!     st.global.v2.u32 [%rd1+8], {0, 0};
//!     ret;
//! }";
//! let module = ptx::parse(text)?;
//! let kernel = &module.functions[0];
//! assert_eq!((kernel.name, kernel.is_kernel, kernel.parameters.len()), ("zero", true, 1));
//!
//! let mnemonics: Vec<String> = kernel
//!     .body
//!     .iter()
//!     .flatten()
//!     .filter_map(|statement| match statement {
//!         ptx::Statement::Instruction(instruction) => Some(instruction.mnemonic()),
//!         _ => None,
//!     })
//!     .collect();
//! assert_eq!(mnemonics, ["ld.param.u64", "st.global.v2.u32", "ret"]);
//!
//! let error = ptx::parse(".version 8.8\n.target sm_52\n.visible .entry {").unwrap_err();
//! assert_eq!(error.place.line, 3);
//! # Ok::<(), ptx::Error>(())
//! ```

mod ast;
mod constant;
mod cursor;
mod error;
mod function;
mod lexer;
mod operand;
mod parser;
mod variable;

pub use ast::*;
pub use error::{Error, Position};
pub use parser::{parse, parse_some, parse_without};
