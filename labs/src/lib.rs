//! The labs: what all of them share, and each lab's experiment.
//!
//! Enters: a command line. Leaves: a table on the terminal, a record, plots. The steps are always the same:
//! [`plan`] (pure data) → `run` on a device → record → `report`. A lab is a [`Lab`]: functions from parameters to a
//! plan and from a record to facts, claims and sentences; it never touches a device, a file or the terminal. A plan's
//! [`plan::trace`]s become figures of single memory instructions.
//!
//! ```
//! use labs::{Host, Request, Scope, lab_4_3::LAB};
//!
//! // The plan of a quick run on an embedded device of 132 multiprocessors: data, nothing has run yet.
//! let request = Request::new(LAB.sizes, &Default::default(), 5, Scope::Quick, false)?;
//! let plan = (LAB.plan)(&request, Host { multiprocessors: 132, measured: false })?;
//! let ids: Vec<&str> = plan.experiments.iter().map(|experiment| experiment.id).collect();
//! assert!(ids.contains(&"blocks"), "{ids:?}");
//! assert!(plan.launches().all(|launch| launch.block.iter().product::<u32>() <= 1024));
//! # Ok::<(), anyhow::Error>(())
//! ```

pub mod lab_14_4;
pub mod lab_4_1;
pub mod lab_4_2;
pub mod lab_4_3;
pub mod lab_4_4;
pub mod lab_4_5;
pub mod lab_5_5;
pub mod lab_6_2;
pub mod plan;

mod args;
mod claims;
mod common_part;
mod comparison;
mod device_error;
mod digest;
mod facts;
mod hardware;
mod lab;
mod layout;
mod limits;
mod matrices;
mod measure;
mod output;
mod printed;
mod progress;
mod recording;
mod relation;
mod report;
mod request;
mod rerun;
mod rules;
mod run;
mod schedulers;
mod session;
mod sources;
mod summary;
mod tables;
mod trace;

pub use cli::CHIP;
pub use digest::{Digest, Part, Table, Takeaway, Xs};
pub use lab::{HOST_SPEED, Host, Lab, Rule, View};
pub use limits::{LimitReached, Limits};
pub use measure::{BATCH as BATCH_OF_CALLS, MOST as MOST_CALLS};
pub use output::write as write_whole;
pub use recording::judge;
pub use relation::Relation;
pub use report::{Extent, as_shown};
pub use request::{Parameters, Request, Scope, Size};
pub use rerun::{LeftOut, Rerun, memory_needed, recompiled, rerun, rerun_of, rerun_on, watched};
pub use session::{main, main_with};
pub use sources::{Edited, RecordedSource};
pub use summary::sentences;
pub use trace::traces;

/// Every lab, in the order of the chapters: the list to which `tests/list.rs` holds the modules above, the binaries and
/// the folders of kernels, and the README's table its own test.
pub const ALL: &[&Lab] = &[
    &lab_4_1::LAB,
    &lab_4_2::LAB,
    &lab_4_3::LAB,
    &lab_4_4::LAB,
    &lab_4_5::LAB,
    &lab_5_5::LAB,
    &lab_6_2::LAB,
    &lab_14_4::LAB,
];
