//! A student's progress: a small file in the folder of exercises.
//!
//! Enters: the file's text. Leaves: progress, and the text again. It must never know what an exercise is.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

const VERSION: u32 = 2;

/// Progress of one student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Progress {
    version: u32,
    /// Name of the current exercise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) current: Option<String>,
    /// Exercises that were passed, by name.
    #[serde(default)]
    pub(crate) done: BTreeSet<String>,
    /// Seeds with which an exercise failed that had passed before: its next check has the same numbers.
    #[serde(default)]
    pub(crate) seeds: BTreeMap<String, u64>,
    /// Last findings in exercises that are not passed.
    #[serde(default)]
    pub(crate) found: BTreeMap<String, String>,
    /// Choices made in each question, in order, by the question's id.
    #[serde(default)]
    pub(crate) answers: BTreeMap<String, Vec<String>>,
    /// Hints that were shown, by exercise and what they were for.
    #[serde(default)]
    pub(crate) hints: BTreeMap<String, BTreeMap<String, usize>>,
}

/// Fields that every version of the file has.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

impl Default for Progress {
    fn default() -> Self {
        Progress {
            version: VERSION,
            current: None,
            done: BTreeSet::new(),
            seeds: BTreeMap::new(),
            found: BTreeMap::new(),
            answers: BTreeMap::new(),
            hints: BTreeMap::new(),
        }
    }
}

impl Progress {
    /// Progress from a file's text.
    ///
    /// # Errors
    /// A text that this program has not written, or that a later version of it has.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        const NOT_OURS: &str = "it is not what this program writes there";
        // A later version may have fields that this one does not know.
        let any: Versioned = serde_json::from_str(text).context(NOT_OURS)?;
        ensure!(
            any.version <= VERSION,
            "a newer workbook wrote it (version {}, but this one reads {VERSION}): use that one",
            any.version
        );
        let progress: Progress = serde_json::from_str(text).context(NOT_OURS)?;
        ensure!(progress.version > 0, "{NOT_OURS}: there is no version 0");
        // What a later version has in addition may be left out.
        Ok(Progress { version: VERSION, ..progress })
    }

    /// The file's text.
    pub(crate) fn text(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_as_it_was_written() {
        let mut progress = Progress { current: Some("a".into()), ..Progress::default() };
        progress.done.insert("b".into());
        assert_eq!(progress.text().and_then(|text| Progress::parse(&text)).ok(), Some(progress));
    }

    #[test]
    fn a_newer_version_is_distinguished_from_damage() {
        let said = |text: &str| format!("{:#}", Progress::parse(text).expect_err("refused"));
        assert!(said("{\"version\": 3, \"stars\": 3}").contains("a newer workbook wrote it"));
        assert!(said("{\"version\": 1, \"stars\": 3}").contains("not what this program writes"));
        assert!(said("{\"version\": 0}").contains("there is no version 0"));
        assert!(said("{\"version\": 1").contains("not what this program writes"));
    }

    #[test]
    fn what_another_program_wrote_is_refused() {
        for text in ["", "{}", "{\"version\": 3}", "{\"version\": 1, \"points\": 3}"] {
            assert!(Progress::parse(text).is_err(), "{text}");
        }
    }
}
