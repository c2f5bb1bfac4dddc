//! The student's folder: a file for each exercise, in a folder for each chapter.
//!
//! Enters: a path, and skeletons. Leaves: files that were missing, and the texts of those that exist. What a student
//! has written is never replaced.

use crate::progress::Progress;
use anyhow::{Context, Result, anyhow};
use exercise::Task;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most bytes of a source.
const MOST_BYTES: u64 = 1 << 20;
/// Longest wait for another workbook, which holds the folder for as long as it takes to write a file.
const PATIENCE: Duration = Duration::from_secs(5);
/// Name of the file with the progress.
const PROGRESS: &str = "progress.json";

/// The folder of a student's exercises.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at a path, with the skeletons of exercises that do not exist yet.
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

    /// Replaces an exercise's file with the skeleton; the file is kept next to it. Its path, where there was one. The old
    /// file need not be a regular one: it is neither waited for nor read to its end.
    pub(crate) fn reset(&self, task: &Task) -> Result<Option<PathBuf>> {
        let file = self.file(task);
        let skeleton = task.skeleton();
        let _lock = self.lock()?;
        let is_kept = is_there(&file)
            && files::read(&file, MOST_BYTES).map_or(true, |bytes| bytes != skeleton.as_bytes());
        let kept = (1..)
            .map(|n| file.with_extension(if n == 1 { "cu.old".to_owned() } else { format!("cu.old{n}") }))
            .find(|path| !is_there(path))
            .filter(|_| is_kept);
        if let Some(kept) = &kept {
            std::fs::rename(&file, kept).with_context(|| format!("{}", file.display()))?;
        }
        write(&file, &skeleton)?;
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
            anyhow!("{file}: {error:#}; move it away to begin with no exercise done: your kernels stay")
        })
    }

    /// Changes the progress in its file, while no other workbook does. Leaves what is in the file then, or what `change` made of
    /// `otherwise` where the file could not be read or written.
    pub(crate) fn change(
        &self,
        otherwise: &Progress,
        change: impl FnOnce(&mut Progress),
    ) -> (Progress, Result<()>) {
        let lock = self.lock();
        let there = lock.as_ref().map_err(|error| anyhow!("{error:#}")).and_then(|_| self.progress());
        let mut now = there.as_ref().unwrap_or(otherwise).clone();
        change(&mut now);
        let kept = there.and_then(|_| write(&self.path.join(PROGRESS), &now.text()?));
        (now, kept)
    }

    /// The folder, for one workbook at a time.
    fn lock(&self) -> Result<Option<File>> {
        files::lock(&self.path, PATIENCE).with_context(|| format!("{}", self.path.display()))
    }
}

/// Whether something is at a path, even a link to nothing.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn write(file: &Path, text: &str) -> Result<()> {
    files::write(file, text.as_bytes()).with_context(|| format!("{}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_of_another_version_or_damaged_is_refused_with_what_to_do_and_stays_as_it_is() {
        for (text, why) in [
            (
                "{\"version\": 3, \"stars\": 3}",
                "a newer workbook wrote it (version 3, but this one reads 2): use that one",
            ),
            ("{\"version\": 0}", "it is not what this program writes there: there is no version 0"),
            (
                "{\"version\": 1, \"stars\": 3}",
                "it is not what this program writes there: unknown field `stars`",
            ),
            ("{\"version\": 1, \"done\": [\"a\"", "it is not what this program writes there"),
        ] {
            let root = tempfile::tempdir().unwrap();
            let folder = Folder::open(root.path(), &[]).unwrap();
            let file = root.path().join(PROGRESS);
            std::fs::write(&file, text).unwrap();
            let said = folder.progress().expect_err(text).to_string();
            assert!(said.starts_with(&format!("{}: {why}", file.display())), "{said}");
            assert!(
                said.ends_with("; move it away to begin with no exercise done: your kernels stay"),
                "{said}"
            );
            let (now, kept) = folder.change(&Progress::default(), |progress| {
                progress.done.insert("a".to_owned());
            });
            assert!(kept.is_err() && now.done.contains("a"), "it counts until the program ends");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "nothing is lost");
        }
    }

    #[test]
    fn progress_of_the_first_version_needs_no_field_but_its_version() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path(), &[]).unwrap();
        std::fs::write(root.path().join(PROGRESS), "{\"version\": 1}").unwrap();
        assert_eq!(folder.progress().unwrap(), Progress::default());
    }

    #[test]
    fn workbooks_that_change_the_progress_at_once_lose_nothing() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path(), &[]).unwrap();
        std::thread::scope(|scope| {
            for workbook in 0..4 {
                let folder = &folder;
                scope.spawn(move || {
                    let mut known = Progress::default();
                    for n in 0..25 {
                        let (now, kept) = folder.change(&known, |progress| {
                            progress.done.insert(format!("{workbook} {n}"));
                        });
                        kept.unwrap();
                        known = now;
                    }
                });
            }
        });
        assert_eq!(folder.progress().unwrap().done.len(), 100);
    }

    #[cfg(unix)]
    #[test]
    fn whatever_is_in_the_place_of_an_exercise_is_put_aside_and_not_read_to_its_end() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let tasks = exercise::all().unwrap();
        let task = &tasks[0];
        let folder = Folder::open(root.path(), &tasks[..1]).unwrap();
        let file = folder.file(task);
        let anew = || std::fs::remove_file(&file).unwrap();
        assert_eq!(folder.reset(task).unwrap(), None, "it was not changed");
        anew();
        std::process::Command::new("mkfifo").arg(&file).status().unwrap();
        assert_eq!(folder.reset(task).unwrap(), Some(file.with_extension("cu.old")));
        anew();
        symlink("/dev/zero", &file).unwrap();
        assert_eq!(folder.reset(task).unwrap(), Some(file.with_extension("cu.old2")));
        anew();
        // A link to nothing counts too, and is not written through.
        symlink("nowhere", &file).unwrap();
        symlink("nowhere", file.with_extension("cu.old3")).unwrap();
        assert_eq!(folder.reset(task).unwrap(), Some(file.with_extension("cu.old4")));
        assert!(std::fs::symlink_metadata(&file).unwrap().is_file());
        assert_eq!(folder.source(task).unwrap(), task.skeleton());
    }
}
