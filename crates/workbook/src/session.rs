//! What the commands do, on one student's folder.
//!
//! Enters: commands. Leaves: text, files, exit codes.

use crate::feedback::feedback;
use crate::folder::Folder;
use crate::progress::Progress;
use crate::quiz;
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result, bail};
use checker::{Case, Finding, Verdict};
use exercise::Task;
use question::Question;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();

/// Not passed; does not compile; faulted.
const NOT_YET: u8 = 1;
const UNUSABLE: u8 = 2;
const FAULTED: u8 = 3;

/// The exercises with one student's files and progress.
pub(crate) struct Session {
    tasks: Vec<Task>,
    folder: Folder,
    progress: Progress,
}

impl Session {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let tasks = exercise::all().map_err(anyhow::Error::msg)?;
        let folder = Folder::open(path, &tasks)?;
        let progress = folder.progress()?;
        Ok(Session { tasks, folder, progress })
    }

    /// Index of the exercise of a name, or of the current one.
    fn find(&self, name: Option<&str>) -> Result<usize> {
        let Some(name) = name else { return Ok(self.current()) };
        let at = self.tasks.iter().position(|task| task.exercise.name == name);
        at.with_context(|| format!("there is no exercise `{name}`; `workbook list` shows those there are"))
    }

    /// Index of the current exercise: that which was chosen, or the first that is not done.
    pub(crate) fn current(&self) -> usize {
        let chosen = self.progress.current.as_ref();
        let chosen = chosen.and_then(|name| self.tasks.iter().position(|task| task.exercise.name == *name));
        chosen.or_else(|| self.next_open(0)).unwrap_or(0)
    }

    fn next_open(&self, from: usize) -> Option<usize> {
        let order = (from..self.tasks.len()).chain(0..from.min(self.tasks.len()));
        order.into_iter().find(|at| !self.progress.done.contains(&self.tasks[*at].exercise.name))
    }

    /// Goes on to the next exercise that is not done; whether there is one.
    pub(crate) fn next(&mut self) -> Result<bool> {
        let Some(next) = self.next_open(self.current() + 1) else { return Ok(false) };
        self.progress.current = Some(self.tasks[next].exercise.name.clone());
        self.folder.keep(&self.progress)?;
        Ok(true)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.progress.done.contains(&self.tasks[self.current()].exercise.name)
    }

    /// Path of the current exercise's file.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.file(&self.tasks[self.current()])
    }

    /// How far the student is, in a line.
    pub(crate) fn bar(&self) -> String {
        const WIDTH: usize = 40;
        let (done, all) = (self.progress.done.len(), self.tasks.len());
        let full = (done * WIDTH).checked_div(all).unwrap_or(0);
        let head = if full < WIDTH { ">" } else { "" };
        let rest = "-".repeat((WIDTH - full).saturating_sub(head.len()));
        format!("Progress: [{GOOD}{}{head}{GOOD:#}{rest}] {done}/{all}", "#".repeat(full))
    }

    /// Checks an exercise, which becomes the current one, and notes the result: the feedback, and the exit code.
    pub(crate) fn check(&mut self, at: usize) -> Result<(String, u8)> {
        let task = &self.tasks[at];
        let source = self.folder.source(task)?;
        let name = self.folder.file(task).display().to_string();
        let verdict = checker::check(task, &name, &source, &Case::shown(&task.exercise))?;
        let text = feedback(&verdict, task, &name, &source);
        let exercise = task.exercise.name.clone();
        self.progress.current = Some(exercise.clone());
        if let Some(found) = verdict.found() {
            self.progress.done.remove(&exercise);
            self.progress.found.insert(exercise, found.to_owned());
        } else {
            self.progress.found.remove(&exercise);
            self.progress.done.insert(exercise);
        }
        self.folder.keep(&self.progress)?;
        Ok((text, code(&verdict)))
    }

    pub(crate) fn run(&mut self, name: Option<&str>) -> Result<u8> {
        let at = self.find(name)?;
        let (text, code) = self.check(at)?;
        say(&text);
        say(&format!("\n{}\n", self.bar()));
        let next = match code {
            0 if self.next_open(at + 1).is_some() => "`workbook` goes on with the next exercise",
            0 => "all exercises are done",
            _ => "`workbook hint` helps",
        };
        say(&format!("{NOTE}{next}{NOTE:#}\n"));
        Ok(code)
    }

    pub(crate) fn list(&self) -> Result<u8> {
        let mut text = String::new();
        let mut chapter = "";
        for (at, task) in self.tasks.iter().enumerate() {
            let exercise = &task.exercise;
            if exercise.chapter != chapter {
                chapter = &exercise.chapter;
                let _ = writeln!(text, "{HEAD}{chapter}{HEAD:#}");
            }
            let (style, mark) = if self.progress.done.contains(&exercise.name) {
                (GOOD, "done")
            } else if self.progress.found.contains_key(&exercise.name) {
                (WARN, "begun")
            } else {
                (NOTE, "")
            };
            let current = if at == self.current() { ">" } else { " " };
            let points = format!("{} pt", exercise.points);
            let _ = writeln!(
                text,
                "{current} {:<24} {style}{mark:<6}{style:#} {points:>5}  {}",
                exercise.name, exercise.title
            );
        }
        let earned = |task: &&Task| self.progress.done.contains(&task.exercise.name);
        let points: u32 = self.tasks.iter().filter(earned).map(|task| task.exercise.points).sum();
        let all: u32 = self.tasks.iter().map(|task| task.exercise.points).sum();
        let _ = writeln!(text, "\n{}, {points} of {all} points", self.bar());
        say(&text);
        Ok(0)
    }

    /// The next hint for what was found last in an exercise.
    pub(crate) fn next_hint(&mut self, at: usize) -> Result<String> {
        let exercise = &self.tasks[at].exercise;
        let found = self.progress.found.get(&exercise.name).map(String::as_str);
        let Some(hint) = exercise.hint(found) else { bail!("there is no hint for `{}`", exercise.name) };
        let shown = self.progress.hints.entry(exercise.name.clone()).or_default();
        let tier = shown.entry(hint.on.clone()).or_default();
        // The file with the progress may have been edited.
        let last = hint.tiers.len() - 1;
        let at = (*tier).min(last);
        let text = format!("{HEAD}Hint {} of {}{HEAD:#}: {}\n", at + 1, last + 1, hint.tiers[at]);
        *tier = (at + 1).min(last);
        self.folder.keep(&self.progress)?;
        Ok(text)
    }

    pub(crate) fn hint(&mut self, name: Option<&str>) -> Result<u8> {
        let at = self.find(name)?;
        let text = self.next_hint(at)?;
        say(&text);
        Ok(0)
    }

    pub(crate) fn solution(&self, name: Option<&str>) -> Result<u8> {
        let task = &self.tasks[self.find(name)?];
        if !self.progress.done.contains(&task.exercise.name) {
            bail!(
                "`{}` is not passed yet: its solution is shown then; `workbook hint` helps",
                task.exercise.name
            );
        }
        say(&task.variants.solution());
        Ok(0)
    }

    /// Asks the questions of a chapter, or of all, that have not been answered.
    pub(crate) fn quiz(&mut self, chapter: Option<&str>) -> Result<u8> {
        let here = std::env::current_dir().context("the working directory")?;
        let all = quiz::questions(&here)?;
        let of = |question: &&Question| chapter.is_none_or(|chapter| question.chapter == chapter);
        if !all.iter().any(|question| of(&question)) {
            let chapters: BTreeSet<&str> = all.iter().map(|question| question.chapter.as_str()).collect();
            let chapters: Vec<&str> = chapters.into_iter().collect();
            bail!(
                "there are no questions of `{}`, but of {}",
                chapter.unwrap_or_default(),
                chapters.join(", ")
            );
        }
        let mut lines = std::io::stdin().lock();
        for question in all.iter().filter(of) {
            if !self.progress.answers.contains_key(&question.id) {
                let Some(chosen) = quiz::ask(question, &mut lines)? else { break };
                self.progress.answers.insert(question.id.clone(), chosen);
                self.folder.keep(&self.progress)?;
            }
        }
        let asked: Vec<&Question> = all.iter().filter(of).collect();
        let answered = asked.iter().filter_map(|question| self.progress.answers.get(&question.id));
        let (answered, first) =
            answered.fold((0, 0), |(n, first), chosen| (n + 1, first + usize::from(chosen.len() == 1)));
        say(&format!("\n{answered} of {} questions answered, {first} at the first attempt\n", asked.len()));
        Ok(0)
    }

    pub(crate) fn reset(&mut self, name: &str) -> Result<u8> {
        let task = &self.tasks[self.find(Some(name))?];
        let kept = self.folder.reset(task)?;
        self.progress.done.remove(name);
        self.progress.found.remove(name);
        self.progress.hints.remove(name);
        self.folder.keep(&self.progress)?;
        say(&format!("{} is as it was at the start\n", self.folder.file(task).display()));
        if let Some(kept) = kept {
            say(&format!("what you had is {}\n", kept.display()));
        }
        Ok(0)
    }
}

/// Writes to the terminal; where nobody reads any more, nothing is lost.
pub(crate) fn say(text: &str) {
    let _ = write!(anstream::stdout(), "{text}");
}

fn code(verdict: &Verdict) -> u8 {
    match &verdict.finding {
        None => 0,
        Some(Finding::Wrong(_) | Finding::Missed(_)) => NOT_YET,
        Some(Finding::Compile(_) | Finding::Launch(_)) => UNUSABLE,
        Some(Finding::Fault(_)) => FAULTED,
    }
}
