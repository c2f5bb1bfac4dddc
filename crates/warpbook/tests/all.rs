//! The crate's tests, as one program.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod names;
mod releases;
