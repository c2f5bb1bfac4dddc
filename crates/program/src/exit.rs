//! Exit codes, the same in every binary.

use std::process::ExitCode;

/// How a program ended, by what it leaves as its exit code; a later one is the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// As asked.
    Success = 0,
    /// The run finished, and something did not match: an output, a check, a grade below the bar.
    Mismatch = 1,
    /// The input was unusable, or there is no place for what was asked for.
    Unusable = 2,
    /// The kernel faulted.
    Faulted = 3,
    /// A signal ended it, in order: 128 + SIGINT, by the convention of shells.
    Interrupted = 130,
}

impl Exit {
    /// Its number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Ends the process here, where other threads cannot be waited for.
    pub fn now(self) -> ! {
        std::process::exit(i32::from(self.code()))
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
