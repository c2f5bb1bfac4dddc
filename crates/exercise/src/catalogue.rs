//! The workbook's exercises: the manifest with the sources that belong to it.
//!
//! Enters: the files of `kernels/exercises`. Leaves: tasks, in the order in which they are done.

use crate::manifest::{Exercise, Manifest};
use crate::variants::{SKELETON, Variants};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Files by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// An exercise with its sources.
#[derive(Clone, Debug)]
pub struct Task {
    /// What the manifest says of it.
    pub exercise: Exercise,
    /// The solution, the skeleton and attempts.
    pub variants: Variants,
    /// CUDA C of the reference.
    pub reference: String,
}

impl Task {
    /// What a student begins with.
    pub fn skeleton(&self) -> String {
        // That each exercise has one is seen when it is read.
        self.variants.named(SKELETON).unwrap_or_default()
    }

    /// What is to be done, in paragraphs: the comment that the source begins with, without its first line, the title.
    pub fn brief(&self) -> Vec<String> {
        let source = self.variants.solution();
        let lines = source.lines().map_while(|line| line.strip_prefix("//")).map(str::trim).skip(1);
        let mut paragraphs = vec![];
        let mut open = false;
        for line in lines {
            match paragraphs.last_mut() {
                _ if line.is_empty() => open = false,
                Some(paragraph) if open => *paragraph = format!("{paragraph} {line}"),
                _ => {
                    paragraphs.push(line.to_owned());
                    open = true;
                }
            }
        }
        paragraphs
    }
}

/// The exercises of the workbook.
///
/// # Errors
/// A defect of the files, in words; the crate's tests see that there is none.
pub fn all() -> Result<Vec<Task>, String> {
    read(&|name| FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned()))
}

/// A hash of the exercises' files, by which two versions of them are told apart: 16 hexadecimal digits.
pub fn digest() -> String {
    let mut hash = Sha256::new();
    for (name, text) in FILES {
        for part in [name, text] {
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
    }
    hash.finalize().iter().take(8).fold(String::new(), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The exercises of a folder whose files `file` reads by name.
///
/// # Errors
/// A file that is missing, a manifest or a source that is not well-formed, or an attempt that no source has.
fn read(file: &dyn Fn(&str) -> Option<String>) -> Result<Vec<Task>, String> {
    let text = |name: &str| file(name).ok_or_else(|| format!("there is no `{name}`"));
    let manifest = Manifest::parse(&text("exercises.toml")?).map_err(|error| error.to_string())?;
    manifest.exercises.into_iter().map(|exercise| task(exercise, &text)).collect()
}

fn task(exercise: Exercise, text: &dyn Fn(&str) -> Result<String, String>) -> Result<Task, String> {
    let name = format!("{}.cu", exercise.name);
    let variants = Variants::parse(&text(&name)?).map_err(|error| format!("{name}: {error}"))?;
    let reference = exercise.reference.file.as_ref().unwrap_or(&exercise.name);
    let reference = text(&format!("{reference}.reference.cu"))?;
    let attempts = exercise.attempts.iter().map(|attempt| attempt.variant.as_str());
    if !attempts.clone().eq(attempts.clone().collect::<std::collections::BTreeSet<_>>()) {
        return Err(format!("{name}: the manifest's attempts are not in the order of their names"));
    }
    let there = variants.names();
    if !attempts.clone().eq(there.iter().copied()) {
        return Err(format!("{name}: it has the variants {there:?}, and the manifest other attempts"));
    }
    if !there.contains(SKELETON) {
        return Err(format!("{name}: it has no skeleton"));
    }
    let task = Task { exercise, variants, reference };
    let first = format!("// {}.\n//\n", task.exercise.title);
    if !task.skeleton().starts_with(&first) || task.brief().is_empty() {
        return Err(format!(
            "{name}: it does not begin with a comment whose first line is the title, and the rest what to do"
        ));
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The workbook's files, one of them changed.
    fn with(name: &str, old: &str, new: &str) -> Result<Vec<Task>, String> {
        read(&|file| {
            let (_, text) = FILES.iter().find(|(there, _)| *there == file)?;
            assert!(file != name || text.contains(old), "{old}");
            Some(if file == name { text.replace(old, new) } else { (*text).to_owned() })
        })
    }

    #[test]
    fn the_workbook_s_exercises_are_well_formed() {
        let tasks = all().expect("well-formed");
        let brief = tasks.iter().find(|task| task.exercise.name == "uniform_taps").expect("there").brief();
        assert_eq!(brief.len(), 2, "{brief:?}");
        assert!(brief[1].starts_with("Change the loop so that all lanes"), "{brief:?}");
    }

    #[test]
    fn every_file_belongs_to_an_exercise() {
        let tasks = all().expect("well-formed");
        let mut there = vec!["exercises.toml".to_owned()];
        for Task { exercise, .. } in &tasks {
            there.push(format!("{}.cu", exercise.name));
            let reference = exercise.reference.file.as_ref().unwrap_or(&exercise.name);
            there.push(format!("{reference}.reference.cu"));
        }
        let unused: Vec<&str> =
            FILES.iter().map(|(file, _)| *file).filter(|file| !there.iter().any(|one| one == file)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }

    #[test]
    fn sources_and_manifest_must_fit_each_other() {
        const FILE: &str = "uniform_taps.cu";
        for (old, new, said) in [
            ("//| skeleton", "//| skeletal", "the manifest other attempts"),
            ("// Make the reads uniform.", "// Make reads uniform.", "whose first line is the title"),
            ("//>", "", "the region that begins here does not end"),
        ] {
            let error = with(FILE, old, new).map(|_| ()).expect_err(new);
            assert!(error.starts_with(FILE) && error.contains(said), "{error}");
        }
    }
}
