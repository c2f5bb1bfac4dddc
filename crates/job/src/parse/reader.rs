//! What the files of all sections share: lines, paths and errors of the job file that is being read.

use crate::error::Error;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Whether the files that outputs are compared with must exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// They must exist: the run compares outputs with them.
    Compare,
    /// They need not exist: the run writes them.
    Record,
    /// They must exist, and nothing runs: the job need not launch anything.
    DryRun,
}

pub(super) struct Reader<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
    pub(super) expected: Expected,
    /// Files found so far that the job reads.
    pub(super) inputs: RefCell<BTreeSet<PathBuf>>,
}

impl Reader<'_> {
    /// Line of a byte of the text, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes().iter().take(at).filter(|&&b| b == b'\n').count()
    }

    pub(super) fn error(&self, line: usize, message: impl Into<String>) -> Error {
        Error::job(self.path, Some(line), message)
    }

    /// A path of the job file, from here.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }

    /// The path of a file that the job reads.
    pub(super) fn input(&self, path: &Path) -> PathBuf {
        let path = self.resolve(path);
        self.inputs.borrow_mut().insert(path.clone());
        path
    }
}
