//! PTX text to an abstract syntax tree, with places.
//!
//! Enters: the text of a PTX module. Leaves: a [`Module`] that borrows its names from the text, or an [`Error`] with a
//! line and a column. This crate must never know what an instruction means: any word after any word parses, and whoever
//! executes it decides what it supports.
//!
//! The grammar is that of the PTX ISA manual, chapters 4 (syntax), 5 (state spaces, types), 9 (instructions) and 11
//! (directives).

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
pub use error::{Error, Place};
pub use parser::parse;
