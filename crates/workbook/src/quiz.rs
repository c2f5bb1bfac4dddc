//! The quiz: the book's questions in the terminal.
//!
//! Enters: questions, and lines that a student types. Leaves: the response to each choice, and the choices.

use crate::output::say;
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result, bail};
use question::{Choice, Question};
use record::Record;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::rc::Rc;

const HEAD: Style = Style::new().bold();
const RIGHT: Style = AnsiColor::Green.on_default();
const WRONG: Style = AnsiColor::Yellow.on_default();
const KEYS: Style = Style::new().dimmed();

/// Letters of choices, which are numbers: a number before a number would be taken for the answer. No question has enough for
/// `q` to be one.
const LETTERS: &str = "abcdefghijklmnop";

/// Name of the file of questions, from the workbook's folder.
const QUESTIONS: &str = "book/questions.toml";

/// The questions of the workbook around a folder.
pub(crate) fn questions(here: &Path) -> Result<Vec<Question>> {
    let mut places = here.ancestors().map(Path::to_owned).chain(program::archive());
    let Some(root) = places.find(|folder| folder.join(QUESTIONS).is_file()) else {
        bail!("found no {QUESTIONS} in {} or above it: run this in the workbook's folder", here.display())
    };
    let text = files::read_text(&root.join(QUESTIONS), record::MOST_BYTES).context(QUESTIONS)?;
    // Several questions ask one record, which has megabytes.
    let read = RefCell::new(BTreeMap::<String, Rc<Record>>::new());
    let find = |name: &str| -> Result<Rc<Record>, String> {
        if let Some(record) = read.borrow().get(name) {
            return Ok(Rc::clone(record));
        }
        let record = Rc::new(reference(&root, name)?);
        read.borrow_mut().insert(name.to_owned(), Rc::clone(&record));
        Ok(record)
    };
    question::read(&text, &find).context(QUESTIONS)
}

fn reference(root: &Path, name: &str) -> Result<Record, String> {
    let path: PathBuf = root.join("book/records").join(format!("{name}.json"));
    let text = files::read_text(&path, record::MOST_BYTES).map_err(|error| format!("{name}: {error}"))?;
    Record::from_json(&text).map_err(|error| format!("{name}: {error}"))
}

/// How a question ended.
pub(crate) enum QuizOutcome {
    /// With the right choice: all choices, in order.
    Chosen(Vec<String>),
    /// It is left for another time.
    Skipped,
    /// The quiz is left, or there are no more lines.
    Left,
}

/// Asks a question until it is answered, skipped or left.
pub(crate) fn ask(question: &Question, lines: &mut dyn BufRead) -> Result<QuizOutcome> {
    say(&format!("\n{HEAD}{}{HEAD:#}\n", question.ask));
    for (letter, choice) in LETTERS.chars().zip(&question.choices) {
        say(&format!("  {letter}  {}\n", choice.text));
    }
    let last = LETTERS.chars().nth(question.choices.len().saturating_sub(1)).unwrap_or('a');
    let mut chosen = vec![];
    loop {
        let again = if chosen.is_empty() { "" } else { "again? " };
        say(&format!("{again}{KEYS}a to {last} (s skips, q leaves){KEYS:#} > "));
        let mut line = String::new();
        let end = lines.read_line(&mut line).context("the answer")? == 0;
        if end || matches!(line.trim(), "q" | "s") {
            say("\n");
            return Ok(if line.trim() == "s" { QuizOutcome::Skipped } else { QuizOutcome::Left });
        }
        let Some(choice) = chosen_by(line.trim(), question) else {
            say(&format!("type a letter from a to {last}, or s or q\n"));
            continue;
        };
        chosen.push(choice.text.clone());
        if choice.right {
            say(&format!("{RIGHT}✓{RIGHT:#} {}\n", choice.says));
            return Ok(QuizOutcome::Chosen(chosen));
        }
        say(&format!("{WRONG}✗{WRONG:#} {}\n", choice.says));
    }
}

/// The choice of a letter, or of the answer itself.
fn chosen_by<'a>(typed: &str, question: &'a Question) -> Option<&'a Choice> {
    let of_letter = LETTERS
        .chars()
        .zip(&question.choices)
        .find(|(letter, _)| typed.eq_ignore_ascii_case(&letter.to_string()));
    of_letter
        .map(|(_, choice)| choice)
        .or_else(|| question.choices.iter().find(|choice| choice.text == typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_asks_its_questions() -> Result<()> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut asked = BTreeMap::<String, usize>::new();
        for question in questions(here)? {
            let page = here.join(format!("../../book/src/{}.md", question.chapter));
            let page = std::fs::read_to_string(page)?;
            let chapter = question.chapter;
            assert!(
                page.contains(&format!("{{{{#question {}}}}}", question.id)),
                "{chapter} does not ask it"
            );
            *asked.entry(chapter).or_default() += 1;
        }
        assert!(asked.len() == 9 && asked.values().all(|n| *n >= 5), "{asked:?}");
        Ok(())
    }
}
