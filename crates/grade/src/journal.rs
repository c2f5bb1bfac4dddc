//! The journal of a grading: the judgements made so far, on disk.
//!
//! Enters: each judgement, as soon as it is made. Leaves: a file in the output folder, one line per record, from which
//! a grading resumes after a kill, an interrupt or a full disk. The file also marks the folder as one that belongs to a
//! grading: nothing is written into any other folder.

use crate::confined::check::Checked;
use crate::graded::Judged;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the journal in the output folder.
pub(crate) const NAME: &str = ".grading.jsonl";

const FORMAT: u32 = 3;

/// Most bytes that are read; a thousand students have a fortieth.
const MOST_BYTES: u64 = 1 << 32;

/// Longest wait for the folder's lock. A grading that is killed while it starts a re-run leaves the lock to the child
/// until the child executes its own program.
const PATIENCE: Duration = Duration::from_secs(2);

/// The open journal.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    kept: HashMap<String, Judged>,
    checked: HashMap<String, Checked>,
    /// Lock of the folder, on systems that can lock folders.
    _lock: Option<File>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// The first line: version of this format.
    Grading(u32),
    /// A judged record, under the key that `grade::key` makes of it.
    Judged(String, Box<Judged>),
    /// A check of an exercise, under a hash of its request.
    Checked(String, Box<Checked>),
    /// The last line: the tables were written.
    Finished,
}

impl Journal {
    /// Opens the journal in `out`, which is created if need be. With `resume`, the judgements in it are kept.
    ///
    /// # Errors
    /// A folder that holds other files, an unfinished grading without `resume`, a grading in progress in another
    /// process, or a folder that cannot be written.
    pub(crate) fn open(out: &Path, resume: bool) -> Result<Journal> {
        let shown = out.display();
        std::fs::create_dir_all(out)
            .with_context(|| format!("cannot write {shown}; choose another --out"))?;
        let lock = match files::lock(out, PATIENCE) {
            Ok(lock) => lock,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                bail!("--out {shown}: another grading is writing to it")
            }
            Err(error) => return Err(error).with_context(|| format!("cannot lock {shown}")),
        };
        let path = out.join(NAME);
        let there = match files::read(&path, MOST_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        if there.is_some() {
            files::clear_unfinished(out).with_context(|| format!("cannot write {shown}"))?;
        } else {
            let mut entries = std::fs::read_dir(out).with_context(|| format!("cannot read {shown}"))?;
            if entries.next().is_some() {
                bail!(
                    "--out {shown}: it holds files that no grading wrote, so nothing is written to it; choose an empty or a new folder"
                );
            }
            // From here on the folder belongs to a grading, whatever a kill leaves in it.
            append(&path, out)?;
        }
        let lines = there.as_deref().map_or(Ok(vec![]), |bytes| read(bytes, &path))?;
        let is_finished = matches!(lines.last(), Some(Line::Finished) | None);
        if !is_finished && lines.len() > 1 && !resume {
            bail!(
                "--out {shown}: it holds an unfinished grading; --resume continues it, another --out starts a new one"
            );
        }
        let (mut kept, mut checked) = (HashMap::new(), HashMap::new());
        for line in lines.into_iter().filter(|_| resume) {
            match line {
                Line::Judged(key, judged) => drop(kept.insert(key, *judged)),
                Line::Checked(key, one) => drop(checked.insert(key, *one)),
                Line::Grading(_) | Line::Finished => {}
            }
        }
        // Rewritten without a truncated last line, atomically.
        let mut sorted: Vec<(&str, &Judged)> = kept.iter().map(|(key, one)| (key.as_str(), one)).collect();
        sorted.sort_by_key(|(key, _)| *key);
        let mut checks: Vec<(&str, &Checked)> =
            checked.iter().map(|(key, one)| (key.as_str(), one)).collect();
        checks.sort_by_key(|(key, _)| *key);
        labs::write_whole(&path, text(checks.into_iter(), sorted.into_iter())?.as_bytes())?;
        let file = append(&path, out)?;
        Ok(Journal { path, file, kept, checked, _lock: lock })
    }

    /// Kept check of this key.
    pub(crate) fn checked(&self, key: &str) -> Option<&Checked> {
        self.checked.get(key)
    }

    /// Appends a check.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub(crate) fn add_check(&self, key: &str, checked: &Checked) -> Result<()> {
        self.append(&Line::Checked(key.to_owned(), Box::new(checked.clone())))
    }

    /// Kept judgement of this key.
    pub(crate) fn kept(&self, key: &str) -> Option<&Judged> {
        self.kept.get(key)
    }

    /// Appends a judgement.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub(crate) fn add(&self, key: &str, judged: &Judged) -> Result<()> {
        self.append(&Line::Judged(key.to_owned(), Box::new(judged.clone())))
    }

    fn append(&self, of: &Line) -> Result<()> {
        let text = line(of)?;
        // A single write, so that lines of two threads do not interleave.
        (&self.file)
            .write_all(text.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Rewrites the journal in the order of the files and marks it as finished.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub(crate) fn finish<'a>(
        self,
        checks: impl Iterator<Item = (&'a str, &'a Checked)>,
        all: impl Iterator<Item = (&'a str, &'a Judged)>,
    ) -> Result<()> {
        let text = text(checks, all)? + &line(&Line::Finished)?;
        let Journal { path, file, _lock, .. } = self;
        // Windows replaces no file that is open.
        drop(file);
        labs::write_whole(&path, text.as_bytes())
    }
}

/// Text of an unfinished journal with these judgements.
fn text<'a>(
    checks: impl Iterator<Item = (&'a str, &'a Checked)>,
    all: impl Iterator<Item = (&'a str, &'a Judged)>,
) -> Result<String> {
    let mut text = line(&Line::Grading(FORMAT))?;
    for (key, checked) in checks {
        text += &line(&Line::Checked(key.to_owned(), Box::new(checked.clone())))?;
    }
    for (key, judged) in all {
        text += &line(&Line::Judged(key.to_owned(), Box::new(judged.clone())))?;
    }
    Ok(text)
}

/// Opens the file for appending; creates it if it does not exist.
fn append(path: &Path, out: &Path) -> Result<File> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.with_context(|| format!("cannot write {}; choose another --out", out.display()))
}

fn line(line: &Line) -> Result<String> {
    Ok(serde_json::to_string(line).context("a line of the journal")? + "\n")
}

/// Parses the lines that are whole. A full disk or a kill cuts a line off anywhere, be it within a character, and another
/// line may follow it: each is a judgement by itself, so a damaged one costs no other.
fn read(bytes: &[u8], path: &Path) -> Result<Vec<Line>> {
    let whole = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let lines: Vec<Line> = whole.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    match lines.first() {
        None | Some(Line::Grading(FORMAT)) => Ok(lines),
        Some(_) => bail!("{}: another version of the grader wrote it; choose another --out", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_of_another_version_is_refused_and_a_cut_one_is_read() {
        let path = Path::new("grades/journal.jsonl");
        let of = |format: u32| line(&Line::Grading(format)).expect("a line");
        for other in [FORMAT - 1, FORMAT + 1] {
            let said =
                read((of(other) + "{\"Unknown\":1}\n").as_bytes(), path).err().map(|error| error.to_string());
            let expected =
                "grades/journal.jsonl: another version of the grader wrote it; choose another --out";
            assert_eq!(said.as_deref(), Some(expected));
        }
        let cut = of(FORMAT) + "{\"Judged\":[\"a";
        assert_eq!(read(cut.as_bytes(), path).map(|lines| lines.len()).ok(), Some(1));
    }
}
