//! What of a grading is done, on disk.
//!
//! Enters: what was found in each record, as soon as it was found. Leaves: a file in the output folder, one line a record,
//! from which a grading that was killed, interrupted or out of space goes on. The same file says that the folder is a
//! grading's: no other folder is written into.

use crate::graded::Judged;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file's name in the output folder.
pub(crate) const NAME: &str = ".grading.jsonl";

const FORMAT: u32 = 1;

/// Longest wait for the folder's lock. A grading that is killed while it starts a re-run leaves the lock to that process,
/// until the process runs its own program.
const PATIENCE: Duration = Duration::from_secs(2);

/// The file that is written.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    kept: HashMap<String, Judged>,
    /// Lock of the folder, where folders can be locked.
    _lock: Option<File>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// The first: the version of this format.
    Grading(u32),
    /// A judged record, under the key that `grade::key` makes of it.
    Judged(String, Box<Judged>),
    /// The last: the tables were written.
    Finished,
}

impl Journal {
    /// Makes sure that `out` can be written into and is a grading's, and takes what is done there if it is to go on.
    ///
    /// # Errors
    /// A folder that holds other files, or a grading that was not finished and is not to go on, or is going on elsewhere;
    /// a place that cannot be written.
    pub(crate) fn open(out: &Path, resume: bool) -> Result<Journal> {
        let shown = out.display();
        std::fs::create_dir_all(out)
            .with_context(|| format!("cannot write {shown}; choose another --out"))?;
        let lock = match files::lock(out, PATIENCE) {
            Ok(lock) => lock,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                bail!("--out {shown}: another grading is writing there")
            }
            Err(error) => return Err(error).with_context(|| format!("cannot lock {shown}")),
        };
        let path = out.join(NAME);
        let there = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        if there.is_some() {
            files::clear_unfinished(out).with_context(|| format!("cannot write {shown}"))?;
        } else {
            let mut entries = std::fs::read_dir(out).with_context(|| format!("cannot read {shown}"))?;
            if entries.next().is_some() {
                bail!(
                    "--out {shown}: it holds files that no grading wrote, so nothing is written there; choose an empty or a new folder"
                );
            }
            // From here on the folder is a grading's, whatever a kill leaves in it.
            append(&path, out)?;
        }
        let lines = there.as_deref().map_or(Ok(vec![]), |text| read(text, &path))?;
        let is_finished = matches!(lines.last(), Some(Line::Finished) | None);
        if !is_finished && lines.len() > 1 && !resume {
            bail!(
                "--out {shown}: a grading there was not finished; --resume goes on with it, another --out begins anew"
            );
        }
        let mut kept = HashMap::new();
        if resume {
            for line in lines {
                if let Line::Judged(key, judged) = line {
                    kept.insert(key, *judged);
                }
            }
        }
        // Without a line that was cut off; whole or not at all.
        let mut sorted: Vec<(&String, &Judged)> = kept.iter().collect();
        sorted.sort_by_key(|(key, _)| *key);
        labs::write_whole(
            &path,
            text(sorted.into_iter().map(|(key, judged)| (key.as_str(), judged)))?.as_bytes(),
        )?;
        let file = append(&path, out)?;
        Ok(Journal { path, file, kept, _lock: lock })
    }

    /// What was found in the record of this key before.
    pub(crate) fn kept(&self, key: &str) -> Option<&Judged> {
        self.kept.get(key)
    }

    /// Adds what was found in a record.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn add(&self, key: &str, judged: &Judged) -> Result<()> {
        let text = line(&Line::Judged(key.to_owned(), Box::new(judged.clone())))?;
        // One write, so that lines of two threads are not mixed.
        (&self.file)
            .write_all(text.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Writes the file as it stays, in the order of the files.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish<'a>(self, all: impl Iterator<Item = (&'a str, &'a Judged)>) -> Result<()> {
        let text = text(all)? + &line(&Line::Finished)?;
        labs::write_whole(&self.path, text.as_bytes())
    }
}

/// The journal of these records, as one that is not finished.
fn text<'a>(all: impl Iterator<Item = (&'a str, &'a Judged)>) -> Result<String> {
    let mut text = line(&Line::Grading(FORMAT))?;
    for (key, judged) in all {
        text += &line(&Line::Judged(key.to_owned(), Box::new(judged.clone())))?;
    }
    Ok(text)
}

/// The file, made if it is not there, to add lines to.
fn append(path: &Path, out: &Path) -> Result<File> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.with_context(|| format!("cannot write {}; choose another --out", out.display()))
}

fn line(line: &Line) -> Result<String> {
    Ok(serde_json::to_string(line).context("a line of the journal")? + "\n")
}

/// The lines up to the first that is damaged: the last one may have been cut off.
fn read(text: &str, path: &Path) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for text in text.split_inclusive('\n').filter(|text| text.ends_with('\n')) {
        match serde_json::from_str(text) {
            Ok(line) => lines.push(line),
            Err(_) => break,
        }
    }
    match lines.first() {
        None | Some(Line::Grading(FORMAT)) => Ok(lines),
        Some(_) => bail!("{}: another version of the grader wrote it; choose another --out", path.display()),
    }
}
