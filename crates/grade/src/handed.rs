//! Submissions of `workbook submit` in the students' folders.
//!
//! Enters: the students' files. Leaves: of each student the submission that counts, the latest; its records lie in a
//! folder of their own, where they are graded like any others. Of every file that is not taken it is said why. This module must
//! never know what an answer is worth.

use crate::rules::Limits;
use crate::status::Status;
use crate::submissions::{File, Found, Student};
use crate::text;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;
use std::time::SystemTime;
use submission::Submission;
use tempfile::TempDir;

/// Name that `workbook submit` gives its file. A broken file of this name counts as one with nothing in it.
const NAME: &str = "submission.toml";

/// A student's submission, without its records.
#[derive(Debug)]
pub(crate) struct Handed {
    /// Name of its file, escaped.
    pub(crate) file: String,
    pub(crate) work: Submission,
}

/// What the students have handed in.
#[derive(Debug)]
pub(crate) struct Unpacked {
    /// For each student the submission that counts.
    pub(crate) handed: Vec<Option<Handed>>,
    /// Whether each student has handed in a submission, were it one that cannot be read.
    pub(crate) tried: Vec<bool>,
    /// Where their records lie; removed when dropped.
    _folder: Option<TempDir>,
}

/// Takes the submissions out of the students' files, and puts the records that they hold in their place.
///
/// # Errors
/// The records cannot be written.
pub(crate) fn unpack(students: &mut [Student], limits: &Limits) -> Result<Unpacked> {
    let mut unpacked = Unpacked { handed: vec![], tried: vec![], _folder: None };
    for (at, student) in students.iter_mut().enumerate() {
        let mut all = vec![];
        let mut tried = false;
        for (index, file) in student.files.iter_mut().enumerate() {
            let Found::Submission(path) = &file.found else {
                tried |= is_named(file) && matches!(file.found, Found::Refused(..));
                continue;
            };
            match read(path, limits.submission_bytes) {
                Ok((when, work)) => all.push((when, index, work)),
                Err((status, why)) => {
                    tried |= is_named(file);
                    file.found = Found::Refused(status, why);
                }
            }
        }
        // The latest; of two of one moment the first.
        all.sort_by_key(|(when, index, _)| (std::cmp::Reverse(*when), *index));
        let mut all = all.into_iter();
        let counts = all.next();
        for (_, index, _) in all {
            let why = "a later file of this student counts".to_owned();
            student.files[index].found = Found::Refused(Status::Superseded, why);
        }
        unpacked.tried.push(tried || counts.is_some());
        let Some((_, index, mut work)) = counts else {
            unpacked.handed.push(None);
            continue;
        };
        let name = student.files[index].name.clone();
        student.files[index].found = Found::Taken;
        let records = std::mem::take(&mut work.records);
        if !records.is_empty() && unpacked._folder.is_none() {
            unpacked._folder = Some(tempfile::tempdir().context("a folder for the records of submissions")?);
        }
        for (n, record) in records.into_iter().enumerate() {
            let Some(folder) = &unpacked._folder else { break };
            let path = folder.path().join(format!("{at}-{n}.json"));
            std::fs::write(&path, record.json).context("the records of submissions")?;
            let name = format!("{name}/{}.json", text::name(OsStr::new(&record.lab)));
            student.files.push(File { name, found: Found::Record(path) });
        }
        unpacked.handed.push(Some(Handed { file: name, work }));
    }
    Ok(unpacked)
}

fn is_named(file: &File) -> bool {
    file.name.rsplit('/').next() == Some(NAME)
}

fn read(path: &Path, most: u64) -> Result<(SystemTime, Submission), (Status, String)> {
    let bytes = files::read(path, most).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => (Status::TooLarge, format!("it has more than {most} bytes")),
        _ => (Status::Unreadable, format!("it cannot be read: {}", text::code(&error.to_string()))),
    })?;
    let invalid = |why: &str| (Status::Invalid, format!("it is not a valid submission: {}", text::code(why)));
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err((Status::Empty, "it is empty".to_owned()));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes.iter().take(error.valid_up_to()).filter(|byte| **byte == b'\n').count();
        invalid(&format!(
            "line {line} is not UTF-8 text; hand in the file as workbook submit wrote it, not as another program saved it"
        ))
    })?;
    let work = Submission::parse(text).map_err(|error| invalid(&error.to_string()))?;
    let when = humantime::parse_rfc3339(&work.when)
        .map_err(|_| invalid("field `when`: is not a time such as 2026-01-31T12:00:00Z"))?;
    Ok((when, work))
}
