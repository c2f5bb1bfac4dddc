//! Tests of the runtime, as one program.
#![allow(missing_docs)]

mod guest;
mod heap;
mod library;
