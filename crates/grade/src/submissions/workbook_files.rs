//! Submissions of `workbook submit` in the students' folders.
//!
//! Enters: the students' files. Leaves: of each student the submission that counts, the latest; its records are in a
//! separate folder, where they are graded like any others. Every file that is not taken has a reason. This module must
//! never know what an answer is worth.

use crate::status::Status;
use crate::submissions::intake::{self, Refused};
use crate::submissions::reading::{Reader, when};
use crate::submissions::{File, Found, Student};
use crate::text;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use submission::Submission;

/// Name that `workbook submit` gives its file. A broken file of this name counts as one with nothing in it.
const NAME: &str = "submission.toml";

/// A student's submission, without its records.
#[derive(Debug)]
pub(crate) struct SubmittedWork {
    /// Name of its file, escaped.
    pub(crate) file: String,
    pub(crate) work: Submission,
}

/// Submissions of the students.
#[derive(Debug)]
pub(crate) struct Unpacked {
    /// For each student the submission that counts.
    pub(crate) handed: Vec<Option<SubmittedWork>>,
    /// Whether each student has handed in a submission, even one that cannot be read.
    pub(crate) tried: Vec<bool>,
    /// Whether a submission of the student's could not be read, through no fault of the student's.
    pub(crate) unread: Vec<bool>,
    /// Where their records are.
    records: Records,
}

/// Name of the folder of records in the output folder; it exists only while a grading runs.
pub(crate) const RECORDS: &str = ".records";

/// Takes the submissions out of the students' files, and puts the records that they hold in their place. The records are in
/// the output folder, from which the next grading removes them should this one be killed.
///
/// # Errors
/// The records cannot be written.
pub(crate) fn unpack(students: &mut [Student], out: &Path, reader: &Reader<'_>) -> Result<Unpacked> {
    let records = Records::begin(&out.join(RECORDS))?;
    let mut unpacked = Unpacked { handed: vec![], tried: vec![], unread: vec![], records };
    for (at, student) in students.iter_mut().enumerate() {
        let handed = unpacked.of_one(at, student, reader)?;
        unpacked.handed.push(handed);
    }
    Ok(unpacked)
}

impl Unpacked {
    /// The submission of a student that counts. No more than two are in memory at any moment.
    fn of_one(
        &mut self,
        at: usize,
        student: &mut Student,
        reader: &Reader<'_>,
    ) -> Result<Option<SubmittedWork>> {
        let (mut tried, mut unread) = (false, false);
        let mut latest: Option<(SystemTime, usize, Submission)> = None;
        for index in 0..student.files.len() {
            let file = &mut student.files[index];
            let Found::Submission(path) = &file.found else {
                tried |= is_named(file) && matches!(file.found, Found::Refused(..));
                continue;
            };
            match read(path, reader) {
                Ok((when, work)) => {
                    // Of two of one moment the first counts.
                    let is_latest = latest.as_ref().is_none_or(|(other, ..)| when > *other);
                    let before = if is_latest {
                        latest.replace((when, index, work))
                    } else {
                        Some((when, index, work))
                    };
                    if let Some((_, index, _)) = before {
                        let why = "a later file of this student counts".to_owned();
                        student.files[index].found = Found::Refused(Status::Superseded, why);
                    }
                }
                Err((status, why)) => {
                    tried |= is_named(file);
                    unread |= status == Status::NotGraded;
                    file.found = Found::Refused(status, why);
                }
            }
        }
        self.tried.push(tried || latest.is_some());
        self.unread.push(unread);
        let Some((_, index, mut work)) = latest else { return Ok(None) };
        let name = student.files[index].name.clone();
        student.files[index].found = Found::Taken;
        for (n, record) in std::mem::take(&mut work.records).into_iter().enumerate() {
            let path = self.records.add(&format!("{at}-{n}.json"), &record.json)?;
            let name = format!("{name}/{}.json", text::name(OsStr::new(&record.lab)));
            student.files.push(File { name, found: Found::Record(path) });
        }
        Ok(Some(SubmittedWork { file: name, work }))
    }
}

/// The folder of records, which is removed when dropped.
#[derive(Debug)]
struct Records(PathBuf);

impl Records {
    /// An empty folder: what a grading that was killed left there is removed.
    fn begin(folder: &Path) -> Result<Records> {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{}: it cannot be removed", folder.display()))
            }
            _ => Ok(Records(folder.to_owned())),
        }
    }

    fn add(&self, name: &str, json: &str) -> Result<PathBuf> {
        let path = self.0.join(name);
        std::fs::create_dir_all(&self.0)
            .and_then(|()| std::fs::write(&path, json))
            .with_context(|| format!("{}: the records of submissions cannot be written", self.0.display()))?;
        Ok(path)
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        // It does not exist where no submission held a record; what cannot be removed, the next grading tries again.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_named(file: &File) -> bool {
    file.name.rsplit('/').next() == Some(NAME)
}

fn read(path: &Path, reader: &Reader<'_>) -> Result<(SystemTime, Submission), Refused> {
    let limits = &reader.rules.limits;
    let bytes = intake::bytes(path, limits.submission_bytes)?;
    let work = reader.submission(&bytes)?;
    let kept = kept_bytes(&work);
    if kept > limits.work_bytes {
        let most = limits.work_bytes;
        let why = format!("its sources and answers have {kept} bytes together, but at most {most} are read");
        return Err((Status::TooLarge, why));
    }
    let other = || (Status::NotGraded, "it could not be read; grade it again".to_owned());
    Ok((when(&work).ok_or_else(other)?, work))
}

/// Bytes that are kept of a submission while all are graded.
fn kept_bytes(work: &Submission) -> usize {
    let texts = work.answers.iter().map(|one| &one.text).chain(work.exercises.iter().map(|one| &one.source));
    texts.map(String::len).sum()
}
