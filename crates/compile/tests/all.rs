//! The crate's tests, as one program.

mod command;
