//! Handing in: one file with a student's work.
//!
//! Enters: the student's folder, the workbook's records, and who the student is. Leaves: a file of the form of the crate
//! `submission`, and what is in it. Nothing is judged here.

use crate::command_lines::Typed;
use crate::folder::Folder;
use crate::output::say;
use crate::progress::Progress;
use crate::written_answers;
use anstyle::Style;
use anyhow::{Context, Result, bail};
use clap::Args;
use exercise::Task;
use program::Exit;
use question::Question;
use question::bank;
use record::Record;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use submission::{Answer, Chosen, ExerciseWork, FORMAT, Lab, MOST_OF_NAME, State, Submission, Versions};

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();

/// Name of the file with who the student is, in the folder of exercises.
const STUDENT: &str = "student.json";
/// Name of the submission there, unless another is chosen.
const FILE: &str = "submission.toml";
/// The reader's own records, from the workbook's folder.
const RECORDS: &str = "book/records/yours";
/// Those of quick runs, in that folder.
const QUICK: &str = "quick";
/// Columns of the terminal's lines.
const WIDTH: usize = 100;

/// Arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    /// Your name; asked for once if left out, and remembered
    #[arg(long)]
    name: Option<String>,

    /// Your identifier in the course, such as a number
    #[arg(long)]
    id: Option<String>,

    /// File to write [default: submission.toml in the folder of your exercises]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Who hands in.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Student {
    name: String,
    #[serde(default)]
    id: String,
}

/// Everything that a submission is made of.
struct SubmissionInput<'a> {
    typed: &'a Typed,
    folder: &'a Path,
    files: Folder,
    progress: Progress,
    tasks: Vec<Task>,
    questions: Vec<Question>,
    bank: Vec<bank::Question>,
}

/// Writes the submission, and says what is in it.
///
/// # Errors
/// A student who has no name, a file of the student's that cannot be read, or a place that holds something else.
pub(crate) fn submit(folder: &Path, tasks: Vec<Task>, asked: &SubmitArgs, typed: &Typed) -> Result<Exit> {
    let root = written_answers::root()?;
    let files = Folder::open(folder, &tasks)?;
    let progress = files.progress()?;
    let source = SubmissionInput {
        typed,
        folder,
        files,
        progress,
        tasks,
        questions: question::of_book(&|name| written_answers::text_of(&root, name))?,
        bank: written_answers::questions(&root)?,
    };
    let student = student(folder, asked, typed)?;
    let out = asked.out.clone().unwrap_or_else(|| folder.join(FILE));
    refuse_another_s(&out, &student)?;
    let (records, left_out) = own_records(&root.join(RECORDS))?;
    let submission = Submission {
        format: FORMAT,
        name: student.name,
        id: student.id,
        when: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        versions: Versions {
            workbook: env!("CARGO_PKG_VERSION").to_owned(),
            compiler: cuda::VERSION.to_owned(),
            exercises: exercise::digest(),
        },
        questions: source.chosen(),
        answers: source.answers()?,
        exercises: source.exercises()?,
        records,
    };
    let text = submission.text()?;
    if text.len() as u64 > submission::MOST_BYTES {
        bail!(
            "the file would have {} bytes, and a grader reads {}: leave the longest records out of {}",
            text.len(),
            submission::MOST_BYTES,
            root.join(RECORDS).display()
        );
    }
    files::write(&out, text.as_bytes()).with_context(|| format!("{}", out.display()))?;
    say(&source.reported(&submission, &left_out, &out));
    Ok(Exit::Success)
}

/// Who hands in: as given now, as given before, or asked for.
fn student(folder: &Path, asked: &SubmitArgs, typed: &Typed) -> Result<Student> {
    let file = folder.join(STUDENT);
    let at = || format!("{}", file.display());
    let before: Option<Student> = if file.exists() {
        let text = files::read_text(&file, 1 << 16).with_context(at)?;
        let read = serde_json::from_str(&text);
        Some(read.with_context(|| format!("{}: it does not say who you are; delete it", at()))?)
    } else {
        None
    };
    let known = before.is_some();
    let mut student = Student { ..before.unwrap_or_default() };
    for (now, field) in [(&asked.name, &mut student.name), (&asked.id, &mut student.id)] {
        if let Some(now) = now {
            *field = now.trim().to_owned();
        }
    }
    if asked.name.is_none() && !known {
        say("Your name: ");
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).context("your name")?;
        student.name = line.trim().to_owned();
    }
    if student.name.is_empty() {
        bail!(
            "who hands this in? {}, with --id if your course gave you one",
            typed.command("submit --name 'Ada Lovelace'")
        );
    }
    for field in [&student.name, &student.id] {
        if field.chars().count() > MOST_OF_NAME || field.chars().any(record::text::is_hidden) {
            bail!("a name of at most {MOST_OF_NAME} visible characters is needed");
        }
    }
    let text = serde_json::to_string_pretty(&student)? + "\n";
    files::write(&file, text.as_bytes()).with_context(at)?;
    Ok(student)
}

/// Refuses a place that holds anything but an earlier submission of the same student.
fn refuse_another_s(out: &Path, student: &Student) -> Result<()> {
    let text = match files::read_text(out, submission::MOST_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("{}", out.display())),
    };
    let at = out.display();
    match Submission::parse(&text) {
        Ok(there) if there.name == student.name && there.id == student.id => Ok(()),
        Ok(there) => bail!(
            "{at}: it is the work of {} and is not replaced; move it away, or choose another --out",
            record::text::visible(&who(&there.name, &there.id))
        ),
        Err(_) => bail!("{at}: it is not a submission and is not replaced; choose another --out"),
    }
}

fn who(name: &str, id: &str) -> String {
    if id.is_empty() { name.to_owned() } else { format!("{name} ({id})") }
}

/// The reader's own records; of a quick run where there is none of a whole one.
fn own_records(folder: &Path) -> Result<(Vec<Lab>, Vec<String>)> {
    let (mut all, mut left_out) = records(folder)?;
    let (quick, left_out_too) = records(&folder.join(QUICK))?;
    let whole = all.len();
    for record in quick {
        if !all[..whole].iter().any(|there| there.lab == record.lab) {
            all.push(record);
        }
    }
    left_out.extend(left_out_too);
    all.sort_by(|a, b| a.lab.cmp(&b.lab));
    Ok((all, left_out))
}

/// The records of a folder, by the names of their files, and the files that are not records, with the reason.
fn records(folder: &Path) -> Result<(Vec<Lab>, Vec<String>)> {
    let at = || format!("{}", folder.display());
    let mut paths = vec![];
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                paths.push(entry.with_context(at)?.path());
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(at),
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let (mut records, mut left_out) = (vec![], vec![]);
    for path in paths {
        let read = files::read_text(&path, record::MOST_BYTES).map_err(|error| error.to_string());
        let read = read.and_then(|json| match Record::from_json(&json) {
            Ok(record) => Ok(Lab { lab: record.lab, json }),
            Err(error) => Err(error.to_string()),
        });
        match read {
            Ok(record) => records.push(record),
            Err(why) => left_out.push(format!("{}: {}", path.display(), record::text::visible(&why))),
        }
    }
    Ok((records, left_out))
}

impl SubmissionInput<'_> {
    fn chosen(&self) -> Vec<Chosen> {
        let chosen = |question: &Question| {
            let chosen = self.progress.answers.get(&question.id)?.clone();
            Some(Chosen { id: question.id.clone(), chosen })
        };
        self.questions.iter().filter_map(chosen).collect()
    }

    fn answers(&self) -> Result<Vec<Answer>> {
        let answer = |question: &bank::Question| {
            let text = written_answers::answer(self.folder, question)?;
            Ok(text.map(|text| Answer { id: question.id.clone(), text }))
        };
        self.bank.iter().filter_map(|question| answer(question).transpose()).collect()
    }

    fn exercises(&self) -> Result<Vec<ExerciseWork>> {
        let work = |task: &Task| {
            let name = &task.exercise.name;
            let source = self.files.source(task)?;
            let state = if self.progress.done.contains(name) { State::Passed } else { State::Begun };
            let found = self.progress.found.get(name).and_then(|found| found.split('/').next());
            let found = found.map(str::to_owned);
            let is_begun = state == State::Passed || source != task.skeleton();
            Ok(is_begun.then(|| ExerciseWork { name: name.clone(), state, found, source }))
        };
        self.tasks.iter().filter_map(|task| work(task).transpose()).collect()
    }

    /// A submission's contents, what is missing, and where it is.
    fn reported(&self, submission: &Submission, left_out: &[String], out: &Path) -> String {
        let Submission { questions, answers, exercises, records, .. } = submission;
        let passed = exercises.iter().filter(|work| work.state == State::Passed);
        let points = |name: &str| {
            self.tasks.iter().find(|task| task.exercise.name == name).map_or(0, |task| task.exercise.points)
        };
        let earned: u32 = passed.clone().map(|work| points(&work.name)).sum();
        let all: u32 = self.tasks.iter().map(|task| task.exercise.points).sum();
        let first = questions.iter().filter(|question| question.chosen.len() == 1).count();
        let labs: Vec<&str> = records.iter().map(|record| record.lab.as_str()).collect();
        let mut text = format!(
            "{HEAD}{}{HEAD:#}, the work of {}:\n",
            out.display(),
            who(&submission.name, &submission.id)
        );
        let mut line = |what: &str, words: String| {
            let _ = writeln!(text, "  {what:<18}{words}");
        };
        line(
            "exercises",
            format!(
                "{} of {} begun, {} passed when you last checked them: {earned} of {all} points",
                exercises.len(),
                self.tasks.len(),
                passed.count()
            ),
        );
        line(
            "questions",
            format!("{} of {} answered, {first} at the first attempt", questions.len(), self.questions.len()),
        );
        line("answers in words", format!("{} of {}", answers.len(), self.bank.len()));
        line("records", if labs.is_empty() { "none".to_owned() } else { labs.join(", ") });
        let begun = |name: &str| exercises.iter().any(|work| work.name == name);
        let open = self.tasks.iter().filter(|task| !begun(&task.exercise.name));
        let open = open.map(|task| task.exercise.chapter.as_str());
        let unasked = self.questions.iter().filter(|asked| questions.iter().all(|one| one.id != asked.id));
        let unsaid = self.bank.iter().filter(|asked| answers.iter().all(|one| one.id != asked.id));
        let what = |what: &str, command: &str| format!("{what} ({})", self.typed.command(command));
        let missing = [
            (what("Exercises not begun", "list"), by_chapter(open)),
            (what("Questions not answered", "quiz"), by_chapter(unasked.map(|one| one.chapter.as_str()))),
            (
                what("Not answered in words", "quiz --words"),
                by_chapter(unsaid.map(|one| one.chapter.as_str())),
            ),
        ];
        for (what, chapters) in missing.into_iter().filter(|(_, chapters)| !chapters.is_empty()) {
            let _ = write!(text, "\n{what}:\n{NOTE}{}{NOTE:#}", wrapped(&chapters));
        }
        for left_out in left_out {
            let _ = writeln!(text, "\nLeft out: {left_out}");
        }
        let again = self.typed.command("submit");
        let _ = writeln!(text, "\nHand in this one file. Run `{again}` again after you have done more.");
        text
    }
}

/// Chapters, each with how often it is named, such as `tiling 3`; those that are neighbours count together.
fn by_chapter<'a>(chapters: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counted: Vec<(&str, usize)> = vec![];
    for chapter in chapters {
        match counted.last_mut() {
            Some((last, count)) if *last == chapter => *count += 1,
            _ => counted.push((chapter, 1)),
        }
    }
    counted.into_iter().map(|(chapter, count)| format!("{chapter} {count}")).collect()
}

/// Names in indented lines.
fn wrapped(names: &[String]) -> String {
    let mut text = String::new();
    let mut line = String::from(" ");
    for (at, name) in names.iter().enumerate() {
        let comma = if at + 1 < names.len() { "," } else { "" };
        if line.len() + 2 + name.len() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = " ".to_owned();
        }
        let _ = write!(line, " {name}{comma}");
    }
    text + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_run_is_handed_in_where_there_is_no_whole_one() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/records");
        std::fs::create_dir(folder.path().join(QUICK))?;
        for (from, to) in [
            ("embedded-h200/lab-4-4.json", "lab-4-4.json"),
            ("quick-embedded-h200/lab-4-4.json", "quick/lab-4-4.json"),
            ("quick-embedded-h200/lab-4-1.json", "quick/lab-4-1.json"),
        ] {
            std::fs::copy(book.join(from), folder.path().join(to))?;
        }
        let (records, left_out) = own_records(folder.path())?;
        assert_eq!(
            records.iter().map(|record| record.lab.as_str()).collect::<Vec<_>>(),
            ["lab-4-1", "lab-4-4"]
        );
        assert_eq!(records[1].json, std::fs::read_to_string(book.join("embedded-h200/lab-4-4.json"))?);
        assert_eq!(left_out, [""; 0]);
        Ok(())
    }
}
