//! Files of the output folder that this run has not written.

use std::path::{Path, PathBuf};

/// Reports in the folder that are not among those written.
pub(crate) fn others(folder: &Path, written: &[PathBuf]) -> Vec<PathBuf> {
    // What cannot be listed is not told.
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut others: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "md") && !written.contains(path))
        .collect();
    others.sort();
    others
}
