//! Where the record and the plots go.
//!
//! Enters: bytes and a path. Leaves: a whole file or an error, never half a file: it is written beside its place and
//! renamed.

use anyhow::{Context, Result};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder for a lab's results: `--out`, else `book/records/yours` of the workbook around `here`, else `here`.
pub(crate) fn folder(out: Option<&Path>, here: &Path) -> PathBuf {
    if let Some(out) = out {
        return out.to_owned();
    }
    let workbook =
        here.ancestors().find(|dir| dir.join("Cargo.toml").is_file() && dir.join("book.toml").is_file());
    workbook.map_or_else(|| here.to_owned(), |root| root.join("book/records/yours"))
}

/// The path as the reader would type it: relative to `here` where it lies below.
pub(crate) fn shown(path: &Path, here: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

/// Writes a whole file, making its folder.
///
/// # Errors
/// A folder or file that cannot be written, with its path and the reason.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let attempt = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut file = beside(folder)?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    attempt().with_context(|| format!("cannot write {}; choose another place with --out", path.display()))
}

/// A file in `folder` to write and then rename.
pub(crate) fn beside(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".writing-");
    // As any other file: temporary files alone are their owner's secret.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_the_workbook_results_go_to_yours_from_any_folder() -> Result<()> {
        let root = tempfile::tempdir()?;
        let inner = root.path().join("labs/src");
        std::fs::create_dir_all(&inner)?;
        assert_eq!(folder(None, &inner), inner);
        for name in ["Cargo.toml", "book.toml"] {
            std::fs::write(root.path().join(name), "")?;
        }
        assert_eq!(folder(None, &inner), root.path().join("book/records/yours"));
        assert_eq!(folder(Some(Path::new("x")), &inner), Path::new("x"));
        Ok(())
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() -> Result<()> {
        let root = tempfile::tempdir()?;
        let path = root.path().join("a/b.json");
        write(&path, b"one")?;
        write(&path, b"two")?;
        assert_eq!(std::fs::read_to_string(&path)?, "two");
        assert_eq!(std::fs::read_dir(root.path().join("a"))?.count(), 1);
        Ok(())
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() -> Result<()> {
        let root = tempfile::tempdir()?;
        std::fs::write(root.path().join("file"), "")?;
        let Err(error) = write(&root.path().join("file/record.json"), b"x") else {
            panic!("a file is no folder")
        };
        assert!(error.to_string().contains("record.json"), "{error}");
        Ok(())
    }
}
