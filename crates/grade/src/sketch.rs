//! The first reading of every file: the re-runs that its record needs, and the fingerprint of its run.
//!
//! Enters: the students' files. Leaves: for each the reason why it is not graded, or a summary of its record. Records
//! are read a second time to be judged, because those of a whole course do not fit in memory.

use crate::intake;
use crate::progress::Progress;
use crate::rerun::{self, Failure, Key};
use crate::rules::Limits;
use crate::status::Status;
use crate::submissions::{File, Found};
use crate::text;
use crate::twins::Run;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// Result of the first reading of a file.
pub(crate) enum Sketch {
    Refused(Status, String),
    /// A submission, which is graded with its student's other work.
    Work,
    Record(Box<Asked>),
}

/// Summary of a record, kept in memory until the record is judged.
pub(crate) struct Asked {
    pub(crate) path: PathBuf,
    pub(crate) sha256: String,
    pub(crate) run: Run,
    /// Re-run with the record's own parameters.
    pub(crate) same: Result<Key, Failure>,
    /// Re-run with the instructor's seed.
    pub(crate) seeded: Result<Key, Failure>,
}

/// Reads every file once. Each comes with the index of its student.
pub(crate) fn all(files: &[(usize, &File)], limits: &Limits, seed: u64) -> Vec<Sketch> {
    let progress = Progress::new("files read", files.len());
    let read = |(_, file): &(usize, &File)| {
        let sketch = one(file, limits, seed);
        progress.step();
        sketch
    };
    let mut sketches: Vec<Sketch> = files.par_iter().map(read).collect();
    refuse_repeated(files, &mut sketches, limits.records);
    sketches
}

fn one(file: &File, limits: &Limits, seed: u64) -> Sketch {
    let path = match &file.found {
        Found::Record(path) => path,
        Found::Taken | Found::Submission(_) => return Sketch::Work,
        Found::Refused(status, why) => return Sketch::Refused(*status, why.clone()),
    };
    match intake::read(path, limits.file_bytes) {
        Err((status, why)) => Sketch::Refused(status, why),
        Ok((record, bytes)) => Sketch::Record(Box::new(Asked {
            path: path.clone(),
            run: Run::of(&record),
            same: rerun::request(&record, None, limits),
            seeded: rerun::request(&record, Some(seed), limits),
            sha256: kernels::sha256(bytes),
        })),
    }
}

/// Refuses copies of a file within a student's folder, and records beyond the first `most` of a student.
fn refuse_repeated(files: &[(usize, &File)], sketches: &mut [Sketch], most: usize) {
    let mut seen: HashMap<(usize, String), &str> = HashMap::new();
    let mut records = BTreeMap::<usize, usize>::new();
    for ((student, file), sketch) in files.iter().zip(sketches) {
        let Sketch::Record(asked) = sketch else { continue };
        let first = seen.entry((*student, asked.sha256.clone())).or_insert(&file.name);
        if *first != file.name {
            *sketch = Sketch::Refused(Status::Duplicate, format!("the same bytes as {}", text::code(first)));
            continue;
        }
        let records = records.entry(*student).or_default();
        *records += 1;
        if *records > most {
            *sketch =
                Sketch::Refused(Status::TooMany, format!("only {most} records of a student are graded"));
        }
    }
}
