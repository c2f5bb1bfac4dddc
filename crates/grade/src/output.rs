//! Leftovers in the output folder.

use std::path::{Path, PathBuf};

/// Reports in the folder that this grading has not written.
pub(crate) fn others(folder: &Path, written: &[PathBuf]) -> Vec<PathBuf> {
    // A folder that cannot be listed is not worth an error here.
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut others: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "md") && !written.contains(path))
        .collect();
    others.sort();
    others
}
