//! The engine of the book's pages: kernels compiled and run where the page is, in WebAssembly.
//!
//! Enters: a request, an object in JSON. Leaves: its response, another one. [`Session::respond`] is all there is; natively
//! it answers the same to the last byte. This crate must never know how a page shows anything.
//!
//! Every request has `"do"`, its kind; every response has `"ok"`. A bad request is answered with `"ok": false` and
//! `"error"`; what is wrong with a kernel is an answer like any other.
//!
//! | `"do"` | answer |
//! | --- | --- |
//! | `compile` | the compiler's messages, kernels, PTX |
//! | `run` | a live kernel's results next to those of the text as it came: outputs, counters, faults; with `look`, an access as `access` gives it |
//! | `any` | the same for buffers and launches of the reader's own |
//! | `output` | further elements of a buffer of the last run |
//! | `access` | one access of a line of the last run: its picture, and the same in words |
//! | `step` | the state of a block of the last run after an instruction of one of its warps |
//! | `exercise` | of an exercise as data: its skeleton, what is to be done |
//! | `check` | the verdict on a text for an exercise: messages, counts, hints |
//! | `compare` | the solution of an exercise, with what it and a text that has passed cost |
//! | `program` | how a whole program ended, what it did wrong, times, copies of rows; what it prints goes elsewhere while it runs |
//! | `file` | a file that the last program wrote |
//!
//! The last two are there with the feature `host`, and where somebody has an engine for the host side (`Platform`).

mod access;
mod baseline;
#[cfg(all(feature = "host", target_arch = "wasm32"))]
mod browser;
mod check;
mod compile;
mod custom;
mod execution;
pub mod exports;
mod field;
#[cfg(feature = "host")]
mod folder;
mod last_run;
mod lines;
mod message;
mod output;
#[cfg(feature = "host")]
mod program;
#[cfg(feature = "replay")]
pub mod replay;
mod run;
mod session;
mod shared;
mod step;
mod value;
mod variable;

#[cfg(feature = "host")]
pub use program::{Platform, Print};
pub use session::Session;
