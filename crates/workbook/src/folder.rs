//! The student's folder: a file for each exercise, in a folder for each chapter.
//!
//! Enters: a path, and skeletons. Leaves: files that were missing, and the texts of those that are there. What a student
//! has written is never replaced.

use crate::progress::Progress;
use anyhow::{Context, Result, anyhow};
use exercise::Task;
use std::path::{Path, PathBuf};

/// Most bytes of a source.
const MOST_BYTES: u64 = 1 << 20;
/// Name of the file with the progress.
const PROGRESS: &str = "progress.json";

/// The folder of a student's exercises.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at a path, with the skeletons of exercises that are not there yet.
    pub(crate) fn open(path: &Path, tasks: &[Task]) -> Result<Self> {
        let folder = Folder { path: path.to_owned() };
        for task in tasks {
            let file = folder.file(task);
            if !file.exists() {
                write(&file, &task.skeleton())?;
            }
        }
        Ok(folder)
    }

    /// Path of an exercise's file.
    pub(crate) fn file(&self, task: &Task) -> PathBuf {
        self.path.join(&task.exercise.chapter).join(format!("{}.cu", task.exercise.name))
    }

    /// Text of an exercise's file.
    pub(crate) fn source(&self, task: &Task) -> Result<String> {
        let file = self.file(task);
        files::read_text(&file, MOST_BYTES).with_context(|| format!("{}", file.display()))
    }

    /// Whether a student has changed an exercise's file. To check it as it was is not to begin.
    pub(crate) fn is_changed(&self, task: &Task) -> bool {
        self.source(task).map_or(true, |source| source != task.skeleton())
    }

    /// Puts the skeleton in the place of an exercise's file, which is kept beside it. Its path, where there was one.
    pub(crate) fn reset(&self, task: &Task) -> Result<Option<PathBuf>> {
        let file = self.file(task);
        let kept = (1..)
            .map(|n| file.with_extension(if n == 1 { "cu.old".to_owned() } else { format!("cu.old{n}") }))
            .find(|path| !path.exists())
            .filter(|_| {
                file.exists() && std::fs::read(&file).ok().as_deref() != Some(task.skeleton().as_bytes())
            });
        if let Some(kept) = &kept {
            std::fs::rename(&file, kept).with_context(|| format!("{}", file.display()))?;
        }
        write(&file, &task.skeleton())?;
        Ok(kept)
    }

    /// The progress; that of a beginner where there is no file.
    pub(crate) fn progress(&self) -> Result<Progress> {
        let file = self.path.join(PROGRESS);
        if !file.exists() {
            return Ok(Progress::default());
        }
        let text = files::read_text(&file, MOST_BYTES).with_context(|| format!("{}", file.display()))?;
        Progress::parse(&text).map_err(|error| {
            let file = file.display();
            anyhow!("{file}: {error:#}; delete it to begin with no exercise done: your kernels stay")
        })
    }

    /// Writes the progress.
    pub(crate) fn keep(&self, progress: &Progress) -> Result<()> {
        write(&self.path.join(PROGRESS), &progress.text()?)
    }
}

fn write(file: &Path, text: &str) -> Result<()> {
    files::write(file, text.as_bytes()).with_context(|| format!("{}", file.display()))
}
