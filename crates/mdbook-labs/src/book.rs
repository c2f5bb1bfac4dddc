//! Builds the book in this process, with the preprocessor as an object instead of a command.
//!
//! Enters: the folder of a `book.toml`. Leaves: the built book's first page, or what is wrong. This module must never know
//! more of the book than its configuration does.

use crate::Labs;
use anyhow::{Context, Result};
use mdbook_driver::MDBook;
use std::path::{Path, PathBuf};

/// Builds the book whose `book.toml` lies in `root`, into `out` if given and else where the configuration says, and
/// returns its first page.
///
/// # Errors
/// A book that mdBook cannot load or write; [`crate::Problems`] in the error's chain where the chapters are wrong.
pub fn build(root: &Path, out: Option<&Path>) -> Result<PathBuf> {
    let mut book =
        MDBook::load(root).with_context(|| format!("cannot load the book in {}", root.display()))?;
    if let Some(out) = out {
        // Relative to where the command was given, as any path on a command line is.
        book.config.build.build_dir = std::path::absolute(out)?;
    }
    // The configuration names a command for `mdbook build`; the object of the same name takes its place in the order.
    book.with_preprocessor(Labs);
    book.build()?;
    let page = book.build_dir_for("html").join("index.html");
    anyhow::ensure!(page.is_file(), "the book was built, but it has no first page {}", page.display());
    Ok(page)
}

/// The nearest folder, from `start` upwards, that has a `book.toml`.
///
/// # Errors
/// There is none.
pub fn root(start: &Path) -> Result<PathBuf> {
    let start = std::path::absolute(start)?;
    let found = start.ancestors().find(|folder| folder.join("book.toml").is_file());
    found.map(Path::to_owned).with_context(|| {
        format!(
            "no book.toml in {} or above it; give its folder, such as: book --dir warpbook",
            start.display()
        )
    })
}

/// Sends warnings (mdBook's, and those about the reader's own records) to stderr, one a line.
pub fn log_to_stderr() {
    let log = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .without_time()
        .with_target(false);
    // A second call finds the first one's in place.
    let _ = log.try_init().ok();
}
