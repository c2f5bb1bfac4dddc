//! What the command line asks for of a run, in addition to the program's own output.
//!
//! Enters: options, and the record of a run. Leaves: tables on standard error, and files. This module must never know how a program
//! is run.

use crate::profile;
use anyhow::{Context, bail};
use clap::ValueEnum;
use device::{Checks, Device, Embedded, Gpu};
use hostrun::ProgramRecord;
use std::path::{Path, PathBuf};

/// Warp instructions that a block of a program may execute: minutes. Its author sees that it runs, and can end it.
const BLOCK_BUDGET: u64 = 1 << 33;
/// Bytes that a program may allocate on the embedded device.
const MEMORY: u64 = 8 << 30;

/// Bytes of registers and local memory of the blocks that run together.
const STACKS: u64 = 2 << 30;

/// Where kernels run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Where {
    /// The embedded device: exact counters, modelled times
    Simt,
    /// The first NVIDIA GPU: measured times
    Gpu,
}

/// Options about the device and about what is reported.
#[derive(Debug, clap::Args)]
pub(crate) struct Reports {
    /// Device that runs the kernels
    #[arg(long, value_enum, default_value_t = Where::Simt, value_name = "WHERE")]
    device: Where,
    /// Chip that the embedded device models
    #[arg(long, default_value = device::GRADED_CHIP, value_name = "CHIP")]
    chip: String,
    /// Find races, reads of what was never written, and wrong masks too, which takes longer
    #[arg(long)]
    check: bool,
    /// Print the times of kernels, copies and calls as nvprof did; with a file, also draw what each stream did
    #[arg(long, value_name = "TIMELINE.svg", num_args = 0..=1, require_equals = true)]
    profile: Option<Option<PathBuf>>,
    /// Print what each launch counted, with the metrics of Nsight Compute
    #[arg(long)]
    counters: bool,
    /// Write what was found, counted and timed to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Reports {
    /// The device that was asked for.
    pub(crate) fn device(&self) -> anyhow::Result<Box<dyn Device>> {
        match self.device {
            Where::Gpu if self.check => {
                bail!("--check needs the embedded device: a GPU makes no checks; leave out --device gpu")
            }
            Where::Gpu => Ok(Box::new(Gpu::new(0).context("--device gpu")?)),
            Where::Simt => {
                let mut device = Embedded::new(&self.chip)?;
                let options = device.options();
                (options.budget, options.memory_bytes, options.stack_bytes) = (BLOCK_BUDGET, MEMORY, STACKS);
                if self.check {
                    let options = device.options();
                    // A chip computes on after what only a check finds.
                    (options.checks, options.keep_going) = (Checks::ALL, true);
                }
                Ok(Box::new(device))
            }
        }
    }

    fn files(&self) -> impl Iterator<Item = &Path> {
        let timeline = self.profile.iter().flatten();
        timeline.chain(&self.json).map(PathBuf::as_path)
    }

    /// Whether the files can be written that the reports go to: asked before the program runs.
    pub(crate) fn check_files(&self) -> anyhow::Result<()> {
        self.files().try_for_each(|path| {
            files::check(path).with_context(|| format!("cannot write {}", path.display()))
        })
    }

    /// Prints and writes what was asked for.
    pub(crate) fn write(&self, record: &ProgramRecord, title: &str) -> anyhow::Result<()> {
        let write = |path: &Path, text: String| {
            files::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
        };
        if self.counters {
            program::tell(&profile::counts(record));
        }
        if let Some(timeline) = &self.profile {
            program::tell(&profile::table(record));
            if let Some(path) = timeline {
                write(path, profile::timeline(record, title)?)?;
            }
        }
        if let Some(path) = &self.json {
            write(path, serde_json::to_string_pretty(record)? + "\n")?;
        }
        Ok(())
    }
}
