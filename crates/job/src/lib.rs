//! Jobs: any kernel, run from a file that says what it needs, without host code.
//!
//! Enters: a job file. Leaves: a [`Report`], which is text for a terminal, JSON for a program and an exit code for a
//! shell. The steps: [`Job::read`] (TOML, checked) → [`run()`] on a device → [`Report`]. This crate must never know
//! what a kernel is for.

mod command;
mod compare;
mod error;
mod file;
mod init;
mod places;
mod profile;
mod progress;
mod raw;
mod report;
mod run;
mod scalar;
mod settings;
mod text;

pub use command::main;
pub use compare::{Comparison, Mismatch, Tolerance};
pub use error::Error;
pub use file::{Expected, Job};
pub use profile::{Sources, listing};
pub use report::{Counted, Fault, Json, Launched, Line, Output, Report, Time};
pub use run::run;
pub use scalar::Type;
pub use settings::Settings;
