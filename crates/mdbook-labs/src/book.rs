//! Builds the book in this process, with the preprocessor as an object instead of a command.
//!
//! Enters: the folder of a `book.toml`. Leaves: the built book's first page, or an error. This module must never know
//! more about the book than its configuration says.

use crate::live;
use crate::policy;
use crate::preprocessor::Labs;
use crate::search;
use crate::typed_commands::Named;
use anyhow::{Context, Result};
use files::{Rebuild, Refused};
use mdbook_driver::MDBook;
use std::path::{Path, PathBuf};

/// Builds the book whose `book.toml` is in `root`, into `out` if given, otherwise where the configuration says, and
/// returns its first page. The folder changes at once when the book is complete; a build that fails leaves it as it was.
///
/// # Errors
/// A book that mdBook cannot load or write; [`crate::Problems`] in the error's chain where the chapters are wrong; a
/// folder that holds anything that this program did not write.
pub fn build(root: &Path, out: Option<&Path>) -> Result<PathBuf> {
    let mut book =
        MDBook::load(root).with_context(|| format!("cannot load the book in {}", root.display()))?;
    let target = match out {
        // Relative to where the command was given, as any path on a command line is.
        Some(out) => std::path::absolute(out)?,
        None => root.join(&book.config.build.build_dir),
    };
    apart(&target, &root.join(&book.config.book.src))?;
    let rebuild = Rebuild::begin(&target).map_err(|error| refused(error, &target))?;
    // mdBook empties the folder that it builds into, whatever it holds: it gets a separate one.
    book.config.build.build_dir = rebuild.folder();
    // The configuration names a command for `mdbook build`; the object of the same name takes its place in the order.
    book.with_preprocessor(Labs);
    if let Some(calls) = program::Calls::archive() {
        book.with_preprocessor(Named(calls));
    }
    let lives: Option<String> = book.config.get("preprocessor.labs.live")?;
    let programs: Option<String> = book.config.get("preprocessor.labs.programs")?;
    let questions: Option<String> = book.config.get("preprocessor.labs.questions")?;
    let missing = live::missing(root);
    book.config.set(live::RUNS, lives.is_some() && missing.is_none())?;
    book.build()?;
    let page = book.build_dir_for("html").join("index.html");
    let first = target.join(page.strip_prefix(rebuild.folder()).unwrap_or(&page));
    anyhow::ensure!(page.is_file(), "the book was built, but it has no first page {}", first.display());
    match (lives, missing) {
        (Some(file), None) => live::put(root, &file, programs.as_deref(), &book.build_dir_for("html"))?,
        (Some(_), Some(why)) => tracing::warn!("{why}"),
        (None, _) => {}
    }
    live::put_list(root, questions.as_deref(), &book.build_dir_for("html"))?;
    search::put(&book.build_dir_for("html"))?;
    policy::put(&book.build_dir_for("html"))?;
    if let Some(kept) = rebuild.finish().map_err(|error| refused(error, &target))? {
        tracing::warn!(
            "something was put into {} while it was replaced; it is in {}",
            target.display(),
            kept.display()
        );
    }
    Ok(first)
}

/// Refuses a target among the book's sources: it would become part of the next book.
fn apart(target: &Path, sources: &Path) -> Result<()> {
    if let (Ok(Some(there)), Ok(around)) = (files::destination(target), sources.canonicalize())
        && there.starts_with(&around)
    {
        anyhow::bail!(
            "{} is among the book's sources in {}; give another folder: book --out DIR",
            target.display(),
            sources.display()
        );
    }
    Ok(())
}

/// The error, with advice on how to continue.
fn refused(error: Refused, target: &Path) -> anyhow::Error {
    let advice = match &error {
        Refused::Others { ours: true, .. } => {
            "it was added or changed since the book was built there: move it elsewhere, or give another folder: \
             book --out DIR"
                .to_owned()
        }
        Refused::Others { .. } if target.join("index.html").is_file() => format!(
            "give another folder: book --out DIR; or, if this is a book that `mdbook build` or an earlier version of \
             this program made, remove it first: rm -r {}",
            target.display()
        ),
        Refused::Others { .. } => "give a folder that is empty or does not exist yet: book --out DIR".to_owned(),
        Refused::Here { .. } => {
            "start it in another folder, or give one below, such as: book --out ./book".to_owned()
        }
        _ => "choose another folder: book --out DIR".to_owned(),
    };
    anyhow::anyhow!("{error}; {advice}")
}

/// The nearest folder, from `start` upwards, that has a `book.toml`.
///
/// # Errors
/// No such folder.
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
