//! Jobs: any kernel, run from a file that says what it needs, without host code.
//!
//! Enters: a job file. Leaves: a [`Report`], which is text for a terminal, JSON for a program and an exit code for a
//! shell. The steps: [`Job::read`] (TOML, checked) → [`run()`] on a device → [`Report`]. This crate must never know
//! what a kernel is for.

mod chunk;
mod command;
mod compare;
mod destinations;
mod dry_run;
mod error;
mod host_time;
mod init;
mod job;
mod loaded;
mod mix;
mod module;
mod npy;
mod output;
mod parse;
mod profile;
mod progress;
mod report;
mod run;
mod settings;
mod signature;
mod source;
mod text;
mod texture;
mod types;
mod value;

pub use command::main;
pub use compare::{Comparison, Mismatch, Tolerance};
pub use dry_run::{CheckedLaunch, DryRun, dry_run};
pub use error::Error;
pub use job::Job;
pub use parse::Expected;
pub use profile::{Sources, listing};
pub use report::{Counted, Fault, HostTime, Input, Json, Launched, Line, Output, Part, Report, Time};
pub use run::run;
pub use scalar::Scalar;
pub use settings::Settings;
pub use types::Type;
