//! The first reading of every file: the re-runs that its record needs, and the fingerprint of its run.
//!
//! Enters: the students' files. Leaves: for each the reason why it is not graded, or a summary of its record. Records
//! are read a second time to be judged, because those of a whole course do not fit in memory.

use crate::progress::Progress;
use crate::status::Status;
use crate::submissions::intake;
use crate::submissions::reading::{Reader, Summary};
use crate::submissions::{File, Found};
use crate::text;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// Result of the first reading of a file.
pub(crate) enum Prescan {
    Refused(Status, String),
    /// A submission, which is graded with its student's other work.
    Work,
    Record(Box<RecordToJudge>),
}

/// A record that is to be judged.
pub(crate) struct RecordToJudge {
    pub(crate) path: PathBuf,
    /// Hash of its bytes.
    pub(crate) sha256: String,
    pub(crate) summary: Summary,
}

/// Reads every file once. Each comes with the index of its student.
pub(crate) fn all(files: &[(usize, &File)], reader: &Reader<'_>, seed: u64) -> Vec<Prescan> {
    let progress = Progress::new("files read", files.len());
    let read = |(_, file): &(usize, &File)| {
        let sketch = one(file, reader, seed);
        progress.step();
        sketch
    };
    let mut sketches: Vec<Prescan> = files.par_iter().map(read).collect();
    refuse_repeated(files, &mut sketches, reader.rules.limits.records);
    sketches
}

fn one(file: &File, reader: &Reader<'_>, seed: u64) -> Prescan {
    let path = match &file.found {
        Found::Record(path) => path,
        Found::Taken | Found::Submission(_) => return Prescan::Work,
        Found::Refused(status, why) => return Prescan::Refused(*status, why.clone()),
    };
    let read = intake::bytes(path, reader.rules.limits.file_bytes).and_then(|bytes| {
        Ok(RecordToJudge {
            path: path.clone(),
            summary: reader.record(&bytes, seed)?,
            sha256: kernels::sha256(bytes),
        })
    });
    match read {
        Ok(asked) => Prescan::Record(Box::new(asked)),
        Err((status, why)) => Prescan::Refused(status, why),
    }
}

/// Refuses copies of a file within a student's folder, and records beyond the first `most` of a student.
fn refuse_repeated(files: &[(usize, &File)], sketches: &mut [Prescan], most: usize) {
    let mut seen: HashMap<(usize, String), &str> = HashMap::new();
    let mut records = BTreeMap::<usize, usize>::new();
    for ((student, file), sketch) in files.iter().zip(sketches) {
        let Prescan::Record(asked) = sketch else { continue };
        let first = seen.entry((*student, asked.sha256.clone())).or_insert(&file.name);
        if *first != file.name {
            *sketch = Prescan::Refused(Status::Duplicate, format!("the same bytes as {}", text::code(first)));
            continue;
        }
        let records = records.entry(*student).or_default();
        *records += 1;
        if *records > most {
            *sketch =
                Prescan::Refused(Status::TooMany, format!("only {most} records of a student are graded"));
        }
    }
}
