//! Whole CUDA programs: `main` too.
//!
//! Enters: the source of a program, its arguments and its standard input, a device, and an engine that executes WebAssembly. Leaves:
//! its standard output and error, its exit code, and what it did wrong, with the lines of the source. This crate must never know
//! which engine it is, what a program is for, or where anything is shown.

mod calls;
mod ended;
mod engine;
mod fault;
mod instance;
mod record;
mod report;
mod run;
mod sides;
mod watching;

pub use calls::{Calls, Import};
pub use ended::Ended;
pub use engine::Engine;
pub use instance::{Instance, Stop};
pub use record::{
    ActivityRecord, CopyRecord, FindingRecord, LaunchRecord, PlaceRecord, ProgramRecord, RowRecord,
    RowsRecord, VERSION,
};
pub use report::{diagnostics, warnings};
pub use run::{Error, Limits, Outcome, run};
pub use sides::{Sides, compile, compile_files};
