//! The workbook's exercises and questions, against which work is graded.
//!
//! Enters: the workbook's folder. Leaves: exercises, questions with their answers, and the bank with its model answers.

use crate::similar::overlap::Given;
use anyhow::{Context, Result};
use exercise::{Packed, Task};
use question::Question;
use question::bank;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Exercises: the workbook's, and a course's own.
pub(crate) struct Tasks {
    pub(crate) all: Vec<Task>,
    /// A course's, each alone, by its name: what a process that checks one needs to be given.
    pub(crate) own: BTreeMap<String, Packed>,
}

/// Work that can be handed in.
pub(crate) struct Book {
    pub(crate) tasks: Vec<Task>,
    /// As [`Tasks::own`].
    pub(crate) own: BTreeMap<String, Packed>,
    pub(crate) questions: Vec<Question>,
    pub(crate) bank: Vec<bank::Question>,
    /// Text of the workbook itself, of all chapters; made where sources are compared.
    pub(crate) given: LazyLock<Given, Box<dyn FnOnce() -> Given + Send>>,
}

/// The exercises, with those of a course's folder.
///
/// # Errors
/// A defect of the workbook's files, which its tests find, or of the course's.
pub(crate) fn tasks(course: Option<&Path>) -> Result<Tasks> {
    let mut tasks = Tasks { all: exercise::all().map_err(anyhow::Error::msg)?, own: BTreeMap::new() };
    if let Some(folder) = course {
        let shown = || format!("--course {}", folder.display());
        let mut read = || {
            let files = files::read_texts(folder, &[".toml", ".cu"], record::MOST_BYTES)?;
            let packed = Packed::of_course(files).map_err(anyhow::Error::msg)?;
            tasks.own = packed.each();
            tasks.all.extend(packed.tasks().map_err(anyhow::Error::msg)?);
            anyhow::Ok(())
        };
        read().with_context(shown)?;
    }
    Ok(tasks)
}

/// Chapters that have exercises.
pub(crate) fn chapters(tasks: &[Task]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let chapters = tasks.iter().map(|task| task.exercise.chapter.as_str());
    chapters.filter(|chapter| seen.insert(*chapter)).collect()
}

impl Book {
    /// The assigned part of the workbook; all of it where no chapters are named.
    ///
    /// # Errors
    /// A file of the workbook that does not exist or is not well-formed.
    pub(crate) fn read(tasks: Tasks, chapters: &[String]) -> Result<Book> {
        let Tasks { all: tasks, own } = tasks;
        let root = root()?;
        let file = |name: &str| {
            files::read_text(&root.join(name), record::MOST_BYTES).map_err(|error| format!("{name}: {error}"))
        };
        let is_assigned = |chapter: &String| chapters.is_empty() || chapters.contains(chapter);
        let (questions, bank) = (question::of_book(&file)?, bank::of_book(&file)?);
        let all = tasks.clone();
        let given: Box<dyn FnOnce() -> Given + Send> = Box::new(move || Given::new(&all));
        let mut book = Book { given: LazyLock::new(given), tasks, own, questions, bank };
        book.tasks.retain(|task| is_assigned(&task.exercise.chapter));
        book.questions.retain(|question| is_assigned(&question.chapter));
        book.bank.retain(|question| is_assigned(&question.chapter));
        Ok(book)
    }
}

/// The workbook's folder: an ancestor of the working directory, or of this program.
fn root() -> Result<PathBuf> {
    let places = [std::env::current_dir(), std::env::current_exe()];
    let around =
        |place: &PathBuf| place.ancestors().find(|at| at.join(bank::BANK).is_file()).map(Path::to_owned);
    places.iter().flatten().find_map(around).with_context(|| {
        format!(
            "found no {} in or above this folder, or above this program: run it in the workbook's folder",
            bank::BANK
        )
    })
}
