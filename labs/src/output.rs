//! Destinations of the record and the plots.
//!
//! Enters: the command line; bytes and a path. Leaves: a whole file or an error, never half a file. [`files`] decides
//! how a file is written and what may be replaced.

use crate::args::Args;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The folder for a lab's results: `--out`, else `book/records/yours` of the workbook around `here`, else `here`. Those of
/// quick runs are in the folder `quick` there, so that they do not replace those of whole runs.
pub(crate) fn folder(out: Option<&Path>, here: &Path, quick: bool) -> PathBuf {
    if let Some(out) = out {
        return out.to_owned();
    }
    // A clone has the first, an archive only the second.
    let is_ours = |dir: &&Path| ["Cargo.toml", "book/records"].iter().any(|name| dir.join(name).exists());
    let workbook = here.ancestors().filter(is_ours).find(|dir| dir.join("book.toml").is_file());
    let yours = if quick { "book/records/yours/quick" } else { "book/records/yours" };
    workbook.map_or_else(|| here.to_owned(), |root| root.join(yours))
}

/// The path as the reader would type it: relative to `here` where it is below.
pub(crate) fn shown(path: &Path, here: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

/// Writes a whole file of `--out`, making its folder; as [`files::write`] does.
///
/// # Errors
/// A folder or file that cannot be written, with its path and the reason.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    files::write(path, bytes).with_context(|| unwritable(path, "--out"))
}

/// Writes the file of `--json`.
pub(crate) fn write_json(path: &Path, bytes: &[u8]) -> Result<()> {
    files::write(path, bytes).with_context(|| unwritable(path, "--json"))
}

/// Checks before the run that its files can be written, and that none of them replaces another or an edited kernel.
///
/// # Errors
/// The first that cannot be.
pub(crate) fn check(args: &Args, lab: &str, here: &Path) -> Result<()> {
    let mut claims = files::Claims::default();
    for kernel in &args.kernel {
        claims.reads(kernel, "an edited kernel");
    }
    let folder = folder(args.out.as_deref(), here, args.quick);
    let record = folder.join(format!("{lab}.json"));
    claims.writes(&record, "the record").with_context(|| unwritable(&record, "--out"))?;
    let plots = folder.join(lab);
    if !args.no_plots {
        let plot = plots.join("plot.svg");
        files::check(&plot).with_context(|| unwritable(&plot, "--out"))?;
    }
    let Some(json) = args.json.as_deref().filter(|json| *json != Path::new("-")) else { return Ok(()) };
    let there = files::destination(json).with_context(|| unwritable(json, "--json"))?;
    // The same record at the same place needs to be written once.
    if there.is_some() && there == files::destination(&record).ok().flatten() {
        return Ok(());
    }
    let plots = files::destination(&plots).ok().flatten();
    if let (Some(there), Some(plots), false) = (&there, plots, args.no_plots)
        && there.starts_with(plots)
    {
        anyhow::bail!("--json {}: the plots go into this folder; choose another place", json.display());
    }
    claims.writes(json, "the record of --json").with_context(|| unwritable(json, "--json"))
}

fn unwritable(path: &Path, option: &str) -> String {
    format!("cannot write {}; choose another place with {option}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_the_workbook_results_go_to_yours_from_any_folder() -> Result<()> {
        let root = tempfile::tempdir()?;
        let inner = root.path().join("labs/src");
        std::fs::create_dir_all(&inner)?;
        assert_eq!(folder(None, &inner, true), inner);
        for name in ["Cargo.toml", "book.toml"] {
            std::fs::write(root.path().join(name), "")?;
        }
        assert_eq!(folder(None, &inner, false), root.path().join("book/records/yours"));
        assert_eq!(folder(None, &inner, true), root.path().join("book/records/yours/quick"));
        assert_eq!(folder(Some(Path::new("x")), &inner, true), Path::new("x"));
        Ok(())
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() -> Result<()> {
        let root = tempfile::tempdir()?;
        std::fs::write(root.path().join("file"), "")?;
        let Err(error) = write(&root.path().join("file/record.json"), b"x") else {
            panic!("a file is not a folder")
        };
        assert!(error.to_string().contains("record.json"), "{error}");
        Ok(())
    }
}
