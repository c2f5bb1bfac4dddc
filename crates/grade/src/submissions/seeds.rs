//! Seeds that a course gives its students.
//!
//! Enters: a table of names and numbers. Leaves: the seed of each student, by the name of the student's folder as the
//! grades show it.

use crate::text;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// Maximum size of the table: a hundred thousand students.
const MOST_BYTES: u64 = 1 << 22;

/// Seeds by student.
pub(crate) type Seeds = BTreeMap<String, u64>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    student: String,
    seed: u64,
}

/// Reads a table with the columns `student` and `seed`.
///
/// # Errors
/// A file that cannot be read, an unknown column, a seed that is not a whole number, a repeated student or seed; each
/// with its line.
pub(crate) fn read(path: &Path) -> Result<Seeds> {
    let at = || format!("--seeds {}", path.display());
    let text = text::read_table(path, MOST_BYTES)
        .with_context(|| format!("{}: a table with the columns student and seed is needed", at()))?;
    let mut table = text::table(&text, csv::Trim::All);
    let mut seeds = Seeds::new();
    let mut given: BTreeMap<u64, String> = BTreeMap::new();
    for row in table.deserialize() {
        let Row { student, seed } =
            row.with_context(|| format!("{}: the columns must be student and seed", at()))?;
        let student = text::name(OsStr::new(&student));
        if let Some(other) = given.insert(seed, student.clone()) {
            bail!("{}: {student} and {other} have the same seed, {seed}; give each student another", at());
        }
        if seeds.insert(student.clone(), seed).is_some() {
            bail!("{}: {student} is listed twice", at());
        }
    }
    if seeds.is_empty() {
        bail!("{}: it lists no students", at());
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(text: &str) -> Result<Seeds, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seeds.csv");
        std::fs::write(&path, text).unwrap();
        read(&path).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn each_student_has_a_seed() {
        let seeds = from("student,seed\nada,17\n\"Zoë, M.\", 18\n").unwrap();
        assert_eq!(seeds, Seeds::from([("ada".to_owned(), 17), ("Zoë, M.".to_owned(), 18)]));
        assert_eq!(from("\u{feff}student;seed\r\nada ; 17\r\n\"Zoë, M.\";18\r\n").unwrap(), seeds);
    }

    #[test]
    fn a_defect_is_reported_with_its_place() {
        for (text, part) in [
            ("", "no student"),
            ("student,seed\n", "no student"),
            ("name,seed\nada,1\n", "columns must be student and seed"),
            ("student,seed\nada,x\n", "line: 2"),
            ("student,seed\nada,-1\n", "line: 2"),
            ("student,seed\nada,1\nada,2\n", "ada is listed twice"),
            ("student,seed\nada,1\nbob,1\n", "bob and ada have the same seed"),
            ("student,seed\nada\n", "line: 2"),
        ] {
            let reported = from(text).unwrap_err();
            assert!(reported.contains("seeds.csv") && reported.contains(part), "{text:?}: {reported}");
        }
    }
}
