//! Limits of a job's run, and the places of its results.

use kernels::{Compiler, Flags};
use std::path::PathBuf;

/// Limits of a run, and the destination of its results.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Every output is written here, raw, as `<name>.bin`.
    pub out: Option<PathBuf>,
    /// Outputs in `out` are NumPy files, `<name>.npy`.
    pub npy: bool,
    /// Every output is written below this folder as the file that the job would compare it with, and nothing is
    /// compared.
    pub record: Option<PathBuf>,
    /// The most memory that the job's buffers may take together on the embedded device, bytes.
    pub memory: u64,
    /// The device continues after faults, so the report has all of them.
    pub keep_going: bool,
    /// What of the outputs nothing has written is reported.
    pub unwritten: bool,
    /// What of the inputs nothing has read is reported.
    pub unread: bool,
    /// The device keeps account of what is written: the embedded one does where it checks for reads of what no one has written.
    pub keeps_account: bool,
    /// Outputs may hold neither NaNs nor infinities, whether the job says so or not.
    pub finite: bool,
    /// Compiler of a module that is a `.cu`.
    pub compiler: Compiler,
    /// Options for the compiler, which go before those of the job and of the source.
    pub flags: Flags,
}

impl Default for Settings {
    /// No files, 4 GiB.
    fn default() -> Self {
        Settings {
            out: None,
            npy: false,
            record: None,
            memory: 4 << 30,
            keep_going: false,
            unwritten: false,
            unread: false,
            keeps_account: false,
            finite: false,
            compiler: Compiler::Own,
            flags: Flags::default(),
        }
    }
}
