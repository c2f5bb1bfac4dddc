//! The workbook's exercises: the manifest with the sources that belong to it.
//!
//! Enters: the files of `kernels/exercises`. Leaves: tasks, in the order in which they are done.

use crate::manifest::{Exercise, Manifest};
use crate::variants::{SKELETON, Variants};

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
}

/// The exercises of the workbook.
///
/// # Errors
/// A defect of the files, in words; the crate's tests see that there is none.
pub fn all() -> Result<Vec<Task>, String> {
    read(&|name| FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned()))
}

/// The exercises of a folder whose files `file` reads by name.
///
/// # Errors
/// A file that is missing, a manifest or a source that is not well-formed, or an attempt that no source has.
pub fn read(file: &dyn Fn(&str) -> Option<String>) -> Result<Vec<Task>, String> {
    let text = |name: &str| file(name).ok_or_else(|| format!("there is no `{name}`"));
    let manifest = Manifest::parse(&text("exercises.toml")?).map_err(|error| error.to_string())?;
    manifest.exercises.into_iter().map(|exercise| task(exercise, &text)).collect()
}

fn task(exercise: Exercise, text: &dyn Fn(&str) -> Result<String, String>) -> Result<Task, String> {
    let name = format!("{}.cu", exercise.name);
    let variants = Variants::parse(&text(&name)?).map_err(|error| format!("{name}: {error}"))?;
    let reference = text(&format!("{}.reference.cu", exercise.name))?;
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
    Ok(Task { exercise, variants, reference })
}
