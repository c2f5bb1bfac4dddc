//! Questions that are answered in words: a text file for each, in the folder of exercises.
//!
//! Enters: the book's bank, and the files. Leaves: files that were missing, and answers. A model answer is never shown
//! here. This module must never know what an answer is worth.

use crate::command_lines::Typed;
use crate::output::say;
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result, bail};
use program::Exit;
use question::bank::{self, Question};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();

/// Name of the folder of answers, in the folder of exercises.
const ANSWERS: &str = "answers";
/// Most bytes of an answer's file.
const MOST_BYTES: u64 = 1 << 20;
/// Columns of the questions in the files.
const WIDTH: usize = 88;

/// The folder of the workbook around the working directory; else of the archive that this program is from.
pub(crate) fn root() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the working directory")?;
    let mut places = here.ancestors().map(Path::to_owned).chain(program::archive());
    places.find(|folder| folder.join(bank::BANK).is_file()).with_context(|| {
        format!(
            "found no {} in {} or above it: run this in the workbook's folder",
            bank::BANK,
            here.display()
        )
    })
}

/// Text of a file of the workbook's folder.
pub(crate) fn text_of(root: &Path, name: &str) -> Result<String, String> {
    files::read_text(&root.join(name), record::MOST_BYTES).map_err(|error| format!("{name}: {error}"))
}

/// The book's questions for words.
pub(crate) fn questions(root: &Path) -> Result<Vec<Question>> {
    Ok(bank::of_book(&|name| text_of(root, name))?)
}

fn file(folder: &Path, question: &Question) -> PathBuf {
    folder.join(ANSWERS).join(format!("{}.md", question.id))
}

/// The answer to a question; none where there is no file, or nothing in it but the question.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn answer(folder: &Path, question: &Question) -> Result<Option<String>> {
    let file = file(folder, question);
    if !file.exists() {
        return Ok(None);
    }
    let text = files::read_text(&file, MOST_BYTES).with_context(|| format!("{}", file.display()))?;
    Ok(own_words(&text))
}

/// Text in a file other than the question.
fn own_words(text: &str) -> Option<String> {
    let lines: Vec<&str> = text
        .trim_start_matches('\u{feff}')
        .lines()
        .filter(|line| !line.starts_with('>'))
        .map(str::trim_end)
        .collect();
    let words = lines.join("\n");
    let words = words.trim();
    (!words.is_empty()).then(|| format!("{words}\n"))
}

/// Beginning of a file: the question.
fn begun(question: &Question) -> String {
    let mut text = String::new();
    let mut line = String::from(">");
    for word in question.ask.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = ">".to_owned();
        }
        let _ = write!(line, " {word}");
    }
    let _ =
        writeln!(text, "{line}\n>\n> Your answer goes below. Lines that begin with > do not belong to it.\n");
    text
}

/// Makes the files of the questions of a chapter, or of all, that are missing, and lists them.
///
/// # Errors
/// A chapter without such questions, or a file that cannot be read or written.
pub(crate) fn quiz(folder: &Path, chapter: Option<&str>, typed: &Typed) -> Result<Exit> {
    let all = questions(&root()?)?;
    let asked: Vec<&Question> =
        all.iter().filter(|question| chapter.is_none_or(|chapter| question.chapter == chapter)).collect();
    if asked.is_empty() {
        let chapters: BTreeSet<&str> = all.iter().map(|question| question.chapter.as_str()).collect();
        let chapters: Vec<&str> = chapters.into_iter().collect();
        bail!(
            "no questions on `{}`; there are questions on {}",
            chapter.unwrap_or_default(),
            chapters.join(", ")
        );
    }
    let mut text = String::new();
    let mut last = "";
    let mut answered = 0;
    for question in &asked {
        let file = file(folder, question);
        if !file.exists() {
            files::write(&file, begun(question).as_bytes()).with_context(|| format!("{}", file.display()))?;
        }
        if question.chapter != last {
            last = &question.chapter;
            let _ = writeln!(text, "{HEAD}{last}{HEAD:#}");
        }
        let (style, mark) = if answer(folder, question)?.is_some() {
            answered += 1;
            (GOOD, "✓")
        } else {
            (NOTE, "·")
        };
        let _ = writeln!(text, "{style}{mark}{style:#} {}", file.display());
        let _ = writeln!(text, "    {}", question.ask);
    }
    let _ = writeln!(
        text,
        "\n{answered} of {} answered\n{NOTE}write your answers into these files, with any editor; `{}` takes them in{NOTE:#}",
        asked.len(),
        typed.command("submit")
    );
    say(&text);
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Question {
        Question {
            id: "one".into(),
            chapter: "tiling".into(),
            ask: "Why ".repeat(40),
            answer: "Because.".into(),
            criteria: vec![],
        }
    }

    #[test]
    fn a_file_that_was_not_touched_has_no_answer() {
        let text = begun(&one());
        assert_eq!(own_words(&text), None);
        assert!(
            text.lines().all(|line| line.chars().count() <= WIDTH) && !text.contains("Because"),
            "{text}"
        );
    }

    #[test]
    fn an_answer_is_what_is_written_below() {
        let text = begun(&one()) + "\r\nSince it is so.  \n\n  And more.\n\n";
        assert_eq!(own_words(&text).as_deref(), Some("Since it is so.\n\n  And more.\n"));
    }
}
