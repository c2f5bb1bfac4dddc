//! Errors that make a job unusable, with their places.

use std::path::{Path, PathBuf};

/// Reason why a job did not run to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The job file, or a file it names, cannot be used.
    #[error("{}{}: {message}", file.display(), line.map(|l| format!(":{l}")).unwrap_or_default())]
    Job {
        /// The job file.
        file: PathBuf,
        /// The line at fault, where one is.
        line: Option<usize>,
        /// The error, and what to do about it.
        message: String,
    },
    /// The module's `.cu` does not compile, or there is no compiler.
    #[error(transparent)]
    Compile(#[from] kernels::Error),
    /// The device refused, or the kernel faulted.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// The device refused a launch before a thread ran.
    #[error("{}:{line}: {error}", file.display())]
    Launch {
        /// The job file.
        file: PathBuf,
        /// The launch's line in it.
        line: usize,
        /// The device's error, which reports name.
        error: Box<device::Error>,
    },
    /// A result cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Message of the operating system.
        reason: String,
    },
}

impl Error {
    pub(crate) fn job(file: &Path, line: Option<usize>, message: impl Into<String>) -> Self {
        Error::Job { file: file.to_owned(), line, message: message.into() }
    }

    pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Self {
        Error::Write { path: path.to_owned(), reason: error.to_string() }
    }

    /// The device's own error, where it is one.
    pub(crate) fn of_device(&self) -> Option<&device::Error> {
        match self {
            Error::Device(error) => Some(error),
            Error::Launch { error, .. } => Some(error),
            Error::Job { .. } | Error::Compile(_) | Error::Write { .. } => None,
        }
    }

    /// The exit code of a run that ends so: 3 where the kernel faulted, else 2.
    pub fn exit_code(&self) -> u8 {
        cli::exit::of(self.of_device()).code()
    }
}
