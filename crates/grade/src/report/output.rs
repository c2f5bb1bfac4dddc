//! Tables and reports in the output folder that another grading wrote.
//!
//! Enters: the output folder, and the names of the files that a grading writes. Leaves: an earlier grading's files, under names
//! that say so until new ones exist: the folder of an interrupted grading holds nothing that may be taken for its result. The
//! marking sheet stays as it is, since a person has written into it.

use anyhow::{Context, Result};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// End of the names of an earlier grading's files.
const OLD: &str = ".old";

/// Puts an earlier grading's files aside.
///
/// # Errors
/// A file that cannot be renamed.
pub(crate) fn put_aside<'a>(folder: &Path, names: impl Iterator<Item = &'a str>) -> Result<()> {
    for name in names {
        match std::fs::rename(folder.join(name), old(folder, name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot write {}", folder.join(name).display()));
            }
            _ => {}
        }
    }
    Ok(())
}

fn old(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{OLD}"))
}

/// Removes the files that were put aside, now that this grading has written its own.
pub(crate) fn clear<'a>(folder: &Path, names: impl Iterator<Item = &'a str>) {
    for name in names {
        // It is reported as a file of another grading if it stays.
        let _ = std::fs::remove_file(old(folder, name));
    }
}

/// Reports in the folder that this grading has not written, and files that were put aside and stayed.
pub(crate) fn others(folder: &Path, written: &[PathBuf]) -> Vec<PathBuf> {
    // A folder that cannot be listed is not worth an error here.
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_report = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let is_old = |path: &Path| path.to_string_lossy().ends_with(OLD);
    let mut others: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| (is_report(path) || is_old(path)) && !written.contains(path))
        .collect();
    others.sort();
    others
}
