//! Files of the output folder.
//!
//! Enters: a path and bytes. Leaves: a whole file or an error, never half a file: it is written beside its place and
//! renamed.

use anyhow::{Context as _, Result};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Writes a whole file, making its folder.
///
/// # Errors
/// A folder or file that cannot be written, with its path and the reason.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let attempt = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".writing-");
        // As any other file: temporary files alone are their owner's secret.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    attempt().with_context(|| format!("cannot write {}; choose another place with --out", path.display()))
}

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
