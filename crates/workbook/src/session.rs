//! The commands, on one student's folder.
//!
//! Enters: commands. Leaves: text, files, exit codes.

use crate::command_lines::Typed;
use crate::folder::Folder;
use crate::list::{Row, State};
use crate::output::say;
use crate::progress::Progress;
use crate::quiz::{self, QuizOutcome};
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result, bail};
use checker::{Case, Finding, Verdict};
use device::Device;
use exercise::Task;
use feedback::feedback;
use interpreter::Interpreter;
use program::Exit;
use question::Question;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();

/// The exercises with one student's files and progress.
pub(crate) struct Session {
    tasks: Vec<Task>,
    folder: Folder,
    progress: Progress,
    /// A GPU on which results must be right too.
    gpu: Option<Box<dyn Device>>,
    /// How messages name the program's commands.
    typed: Typed,
}

impl Session {
    pub(crate) fn open(
        path: &Path,
        tasks: Vec<Task>,
        gpu: Option<Box<dyn Device>>,
        typed: Typed,
    ) -> Result<Self> {
        let folder = Folder::open(path, &tasks)?;
        let progress = folder.progress()?;
        Ok(Session { tasks, folder, progress, gpu, typed })
    }

    /// A command of the program, as messages name it.
    pub(crate) fn typed(&self, command: &str) -> String {
        format!("`{}`", self.typed.command(command))
    }

    /// Index of the exercise of a name or of a file's path, or of the current one.
    fn find(&self, name: Option<&str>) -> Result<usize> {
        let Some(name) = name else { return Ok(self.current()) };
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
        let at = self.tasks.iter().position(|task| task.exercise.name == stem);
        at.with_context(|| {
            let letters = |name: &str| name.replace(['_', '-'], "").to_lowercase();
            let names = self.tasks.iter().map(|task| task.exercise.name.as_str());
            let mut like = names.filter(|one| letters(one).contains(&letters(stem)));
            let meant = match (like.next(), like.next()) {
                (Some(one), None) => format!("; did you mean `{one}`?"),
                _ => String::new(),
            };
            format!("no exercise named `{name}`; {} lists them all{meant}", self.typed("list"))
        })
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

    /// Moves on to the next exercise that is not done; whether there is one.
    pub(crate) fn next(&mut self) -> bool {
        let next = self.next_open(self.current() + 1);
        next.into_iter().for_each(|next| self.go_to(next));
        next.is_some()
    }

    /// Makes an exercise the current one. If that cannot be saved, the check that follows says so.
    pub(crate) fn go_to(&mut self, at: usize) {
        self.progress.current = self.tasks.get(at).map(|task| task.exercise.name.clone());
        let _ = self.change(|_| {});
    }

    /// Changes the progress in its file. Another workbook may have changed it since: its changes stay, except for
    /// the exercise that is the current one here.
    /// Where the file cannot be read or written, the change is only known until the program ends.
    fn change(&mut self, change: impl FnOnce(&mut Progress)) -> Result<()> {
        let current = self.progress.current.clone();
        let (now, kept) = self.folder.change(&self.progress, |progress| {
            progress.current = current;
            change(progress);
        });
        self.progress = now;
        kept
    }

    /// How many exercises are done, of those that there are.
    fn done(&self) -> usize {
        self.tasks.iter().filter(|task| self.progress.done.contains(&task.exercise.name)).count()
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
        let (done, all) = (self.done(), self.tasks.len());
        let full = (done * WIDTH).checked_div(all).unwrap_or(0);
        let head = if full < WIDTH { ">" } else { "" };
        let rest = "-".repeat((WIDTH - full).saturating_sub(head.len()));
        format!("Progress: [{GOOD}{}{head}{GOOD:#}{rest}] {done}/{all}", "#".repeat(full))
    }

    /// Checks an exercise, which becomes the current one, and notes the result: the feedback, and the exit code.
    pub(crate) fn check(&mut self, at: usize) -> Result<(String, Exit)> {
        self.progress.current = Some(self.tasks[at].exercise.name.clone());
        self.judge(at)
    }

    fn judge(&mut self, at: usize) -> Result<(String, Exit)> {
        let task = &self.tasks[at];
        let source = self.folder.source(task)?;
        let name = self.folder.file(task).display().to_string();
        // What has passed the shown numbers is checked with others every time.
        let seed = self.progress.seeds.get(&task.exercise.name).copied();
        let seed = seed.or_else(|| self.progress.done.contains(&task.exercise.name).then(new_seed));
        let mut cases = Case::shown(&task.exercise);
        if let Some(seed) = seed {
            cases.extend(Case::again(&task.exercise, seed));
        }
        let verdict = match &mut self.gpu {
            Some(gpu) => checker::check_with(task, &name, &source, &cases, &Interpreter, Some(&mut **gpu))?,
            None => checker::check_with(task, &name, &source, &cases, &Interpreter, None)?,
        };
        let mut text = feedback(&verdict, task, &name, &source, true);
        let exercise = task.exercise.name.clone();
        if !verdict.passed() && self.progress.done.contains(&exercise) {
            let _ =
                writeln!(text, "\n{NOTE}It was passed before; what counts is the file as it is now.{NOTE:#}");
        }
        let of_new = verdict.held >= task.exercise.cases.len() && !verdict.passed();
        if of_new && seed.is_some() {
            let _ = writeln!(
                text,
                "{NOTE}The numbers were new, as in every check of what has passed; the next check has them again.{NOTE:#}"
            );
        }
        let found = verdict.found_closely();
        let kept = self.change(|progress| match found {
            Some(found) => {
                progress.done.remove(&exercise);
                progress.seeds.extend(seed.map(|seed| (exercise.clone(), seed)));
                progress.found.insert(exercise, found);
            }
            None => {
                progress.seeds.remove(&exercise);
                progress.found.remove(&exercise);
                progress.done.insert(exercise);
            }
        });
        Ok((text + &unless_kept(kept), exit(&verdict)))
    }

    /// Checks all exercises and goes to the first that does not pass. `tell` is called before each with its number, how many
    /// there are and its name. Returns the findings, in words.
    pub(crate) fn check_all(
        &mut self,
        tell: &mut dyn FnMut(usize, usize, &str) -> Result<()>,
    ) -> Result<String> {
        let all = self.tasks.len();
        let mut failed = vec![];
        let mut text = String::new();
        for at in 0..all {
            tell(at + 1, all, &self.tasks[at].exercise.name)?;
            match self.judge(at) {
                Ok((_, Exit::Success)) => {}
                Ok(_) => failed.push(at),
                Err(error) => {
                    failed.push(at);
                    let _ = writeln!(text, "{}", record::text::visible_lines(&format!("{error:#}")));
                }
            }
        }
        let _ = match failed.first() {
            None => writeln!(text, "{GOOD}All {all} exercises pass.{GOOD:#}"),
            Some(first) => {
                self.progress.current = Some(self.tasks[*first].exercise.name.clone());
                text += &unless_kept(self.change(|_| {}));
                let name = &self.tasks[*first].exercise.name;
                writeln!(
                    text,
                    "{} of {all} exercises pass; the first that does not is `{name}`.",
                    all - failed.len()
                )
            }
        };
        Ok(text)
    }

    /// The same on a command line.
    pub(crate) fn check_all_once(&mut self) -> Result<Exit> {
        let shown = std::io::stderr().is_terminal();
        let text = self.check_all(&mut |at, of, name| {
            if shown {
                // The line is written over by the next.
                let _ = write!(std::io::stderr(), "\r\x1b[KChecking {at}/{of}: {name}");
            }
            Ok(())
        })?;
        if shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        say(&format!("{text}{}\n", self.bar()));
        if self.done() == self.tasks.len() {
            return Ok(Exit::Success);
        }
        let (go_on, run) = (self.typed(""), self.typed("run"));
        say(&format!("{NOTE}{go_on} continues there, {run} shows what is wrong{NOTE:#}\n"));
        Ok(Exit::Mismatch)
    }

    pub(crate) fn run(&mut self, name: Option<&str>) -> Result<Exit> {
        let at = self.find(name)?;
        let (text, exit) = self.check(at)?;
        say(&text);
        say(&format!("\n{}\n", self.bar()));
        let next =
            if exit == Exit::Success { self.after(at) } else { format!("{} helps", self.typed("hint")) };
        say(&format!("{NOTE}{next}{NOTE:#}\n"));
        Ok(exit)
    }

    /// What to do after an exercise that is passed.
    fn after(&self, at: usize) -> String {
        let name = if at == self.current() { "" } else { &self.tasks[at].exercise.name };
        let solution = self.typed(format!("solution {name}").trim_end());
        let next = match self.next_open(at + 1) {
            Some(next) => {
                format!("the next is {}", self.typed(&format!("run {}", self.tasks[next].exercise.name)))
            }
            None => {
                let quiz = self.typed("quiz");
                format!("all exercises are done; {quiz} has questions on every chapter")
            }
        };
        format!("{solution} shows the workbook's own solution; {next}")
    }

    /// A row for each exercise.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let current = self.current();
        let row = |(at, task): (usize, &Task)| {
            let exercise = &task.exercise;
            let state = if self.progress.done.contains(&exercise.name) {
                State::Done
            } else if self.folder.is_changed(task) {
                State::Begun
            } else {
                State::New
            };
            Row {
                name: exercise.name.clone(),
                chapter: exercise.chapter.clone(),
                title: exercise.title.clone(),
                points: exercise.points,
                state,
                current: at == current,
            }
        };
        self.tasks.iter().enumerate().map(row).collect()
    }

    pub(crate) fn list(&self) -> Result<Exit> {
        let (mut text, rows) = (String::new(), self.rows());
        let mut chapter = "";
        for row in &rows {
            if row.chapter != chapter {
                chapter = &row.chapter;
                let _ = writeln!(text, "{HEAD}{chapter}{HEAD:#}");
            }
            let _ = writeln!(text, "{}", row.line());
        }
        let points: u32 = rows.iter().filter(|row| row.state == State::Done).map(|row| row.points).sum();
        let all: u32 = rows.iter().map(|row| row.points).sum();
        let _ = writeln!(text, "\n{}, {points} of {all} points", self.bar());
        say(&text);
        Ok(Exit::Success)
    }

    /// The next hint for what was found last in an exercise that is not passed.
    pub(crate) fn next_hint(&mut self, at: usize) -> Result<String> {
        let exercise = &self.tasks[at].exercise;
        let name = exercise.name.clone();
        let found = self.progress.found.get(&name).map(String::as_str);
        let Some(hint) = exercise.hint(found).cloned() else { bail!("there is no hint for `{name}`") };
        let shown =
            self.progress.hints.get(&name).and_then(|shown| shown.get(&hint.on[0])).copied().unwrap_or(0);
        // The file with the progress may have been edited.
        let last = hint.tiers.len() - 1;
        let at = shown.min(last);
        let text = format!("{HEAD}Hint {} of {}{HEAD:#}: {}\n", at + 1, last + 1, hint.tiers[at]);
        let kept = self.change(|progress| {
            progress.hints.entry(name).or_default().insert(hint.on[0].clone(), (at + 1).min(last));
        });
        Ok(text + &unless_kept(kept))
    }

    pub(crate) fn hint(&mut self, name: Option<&str>) -> Result<Exit> {
        let at = self.find(name)?;
        let text = if self.progress.done.contains(&self.tasks[at].exercise.name) {
            let name = &self.tasks[at].exercise.name;
            format!("`{name}` is passed: no hint is needed\n{NOTE}{}{NOTE:#}\n", self.after(at))
        } else {
            self.next_hint(at)?
        };
        say(&text);
        Ok(Exit::Success)
    }

    pub(crate) fn solution(&self, name: Option<&str>) -> Result<Exit> {
        let at = self.find(name)?;
        let task = &self.tasks[at];
        if !self.progress.done.contains(&task.exercise.name) {
            bail!(
                "`{}` is not passed yet: its solution is shown once it is; {} helps",
                task.exercise.name,
                self.typed("hint")
            );
        }
        say(&task.variants.solution());
        // Not a part of the source, which may go to a file.
        program::tell(&format!("\n{}", self.costs(at)?));
        Ok(Exit::Success)
    }

    /// The workbook's own solution of an exercise, and what it costs.
    pub(crate) fn solution_text(&self, at: usize) -> Result<String> {
        Ok(format!("{}\n{}", self.tasks[at].variants.solution(), self.costs(at)?))
    }

    /// What the student's file and the solution of an exercise cost.
    fn costs(&self, at: usize) -> Result<String> {
        let task = &self.tasks[at];
        let Some(case) = checker::compared(task) else { return Ok(String::new()) };
        let name = self.folder.file(task).display().to_string();
        let of = |source: &str| checker::costs_with(task, &name, source, &case, &Interpreter);
        let yours = of(&self.folder.source(task)?)?;
        Ok(match of(&task.variants.solution())? {
            Some(solution) => feedback::costs(yours.as_ref(), &solution, &case),
            None => String::new(),
        })
    }

    /// Asks the questions of a chapter, or of all, that have not been answered.
    pub(crate) fn quiz(&mut self, chapter: Option<&str>) -> Result<Exit> {
        let here = std::env::current_dir().context("the working directory")?;
        let all = quiz::questions(&here)?;
        let of = |question: &&Question| chapter.is_none_or(|chapter| question.chapter == chapter);
        if !all.iter().any(|question| of(&question)) {
            let chapters: BTreeSet<&str> = all.iter().map(|question| question.chapter.as_str()).collect();
            let chapters: Vec<&str> = chapters.into_iter().collect();
            bail!(
                "no questions on `{}`; there are questions on {}",
                chapter.unwrap_or_default(),
                chapters.join(", ")
            );
        }
        let mut lines = std::io::stdin().lock();
        for question in all.iter().filter(of) {
            if !self.progress.answers.contains_key(&question.id) {
                let chosen = match quiz::ask(question, &mut lines)? {
                    QuizOutcome::Chosen(chosen) => chosen,
                    QuizOutcome::Skipped => continue,
                    QuizOutcome::Left => break,
                };
                self.change(|progress| {
                    progress.answers.insert(question.id.clone(), chosen);
                })?;
            }
        }
        let asked: Vec<&Question> = all.iter().filter(of).collect();
        let answered = asked.iter().filter_map(|question| self.progress.answers.get(&question.id));
        let (answered, first) =
            answered.fold((0, 0), |(n, first), chosen| (n + 1, first + usize::from(chosen.len() == 1)));
        say(&format!("\n{answered} of {} questions answered, {first} at the first attempt\n", asked.len()));
        Ok(Exit::Success)
    }

    pub(crate) fn reset(&mut self, name: &str) -> Result<Exit> {
        let text = self.reset_at(self.find(Some(name))?)?;
        say(&text);
        Ok(Exit::Success)
    }

    /// Starts an exercise over; what was done, in words.
    pub(crate) fn reset_at(&mut self, at: usize) -> Result<String> {
        let task = &self.tasks[at];
        let (name, file) = (task.exercise.name.clone(), self.folder.file(task));
        let before = self.folder.reset(task)?;
        let kept = self.change(|progress| {
            progress.done.remove(&name);
            progress.seeds.remove(&name);
            progress.found.remove(&name);
            progress.hints.remove(&name);
        });
        let mut text = format!("{} is reset\n", file.display());
        if let Some(before) = before {
            let _ = writeln!(text, "your version is kept as {}", before.display());
        }
        Ok(text + &unless_kept(kept))
    }
}

/// A seed that no check had before.
fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    // A clock before 1970 gives one seed, which is as good.
    now.map_or(0, |now| now.as_nanos() as u64)
}

/// The warning where progress could not be written: a verdict or a hint is valid all the same.
fn unless_kept(kept: Result<()>) -> String {
    let said = |error| {
        let error = format!("{error:#}");
        format!("\n{WARN}Your progress was not saved: {}{WARN:#}\n", record::text::visible_lines(&error))
    };
    kept.err().map_or_else(String::new, said)
}

fn exit(verdict: &Verdict) -> Exit {
    match &verdict.finding {
        None => Exit::Success,
        Some(
            Finding::Wrong(_)
            | Finding::Missed(_)
            | Finding::Cause(_)
            | Finding::Race(_)
            | Finding::Exit { .. }
            | Finding::Output(_),
        ) => Exit::Mismatch,
        Some(Finding::Compile(_) | Finding::Launch { .. } | Finding::Refused { .. }) => Exit::Unusable,
        Some(Finding::Fault(_) | Finding::Driver(_) | Finding::Mistakes(_)) => Exit::Faulted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrap::wrapped;

    /// `UPDATE=1 cargo test -p workbook --lib first_exercise` writes it again. The README shows it, and so does the preface.
    #[test]
    fn the_book_shows_what_is_said_of_the_first_exercise() -> ::tests::Result {
        let tasks = exercise::all()?;
        let task = tasks.first().ok_or("no exercise")?;
        let name = format!("exercises/{}/{}.cu", task.exercise.chapter, task.exercise.name);
        let source = task.skeleton();
        let cases = Case::shown(&task.exercise);
        let verdict = checker::check_with(task, &name, &source, &cases, &Interpreter, None)?;
        let said = wrapped(&feedback(&verdict, task, &name, &source, false), 88);
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/evidence/output/workbook.txt");
        ::tests::committed(
            Path::new(file),
            &format!("{}\n", said.trim_end()),
            "-p workbook --lib first_exercise",
        );
        Ok(())
    }
}
