//! Questions that are answered in words, and what an instructor looks for in an answer.
//!
//! Enters: the book's bank of questions, and records. Leaves: questions with model answers and criteria, every number of
//! which is a value of a record. This module must never know who asks or who marks.
//!
//! ```toml
//! [[question]]
//! id = "padding-of-b"
//! chapter = "tiling"
//! ask = "Why does one float of padding a row help where `b`'s tile is stored transposed?"
//! values = { without = "embedded-h200/lab-4-5 layout conflicts transposed shared_store_bank_conflicts" }
//! answer = "Without it the 32 lanes of a store write to one bank …"
//! criteria = [
//!     { points = 1, says = "Names the bank that the lanes share" },
//!     { points = 1, says = "Says why another row length spreads them" },
//! ]
//! ```

use crate::{Error, filled, of_file, questions, texts, values};
use record::Record;
use serde::Deserialize;
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the file, from the workbook's folder.
pub const BANK: &str = "book/bank.toml";

/// A question as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    chapter: String,
    ask: String,
    #[serde(default)]
    values: BTreeMap<String, String>,
    answer: String,
    criteria: Vec<Criterion>,
}

/// A question to be answered in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Identifier, unique in the bank; letters, digits and `-`.
    pub id: String,
    /// The chapter, by the name of its page without `.md`.
    pub chapter: String,
    /// The question, in which backticks mark code.
    pub ask: String,
    /// A model answer, for those who mark.
    pub answer: String,
    /// Criteria, for those who mark.
    pub criteria: Vec<Criterion>,
}

/// A part of a good answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Points that it gives.
    pub points: u32,
    /// The content that earns them, in a sentence without a full stop.
    pub says: String,
}

impl Question {
    /// Points of all criteria.
    pub fn points(&self) -> u32 {
        self.criteria.iter().map(|criterion| criterion.points).sum()
    }
}

/// The book's bank; `file` gives the text of a file of the workbook's folder.
///
/// # Errors
/// A file that does not exist, and as [`read()`].
pub fn of_book(file: &dyn Fn(&str) -> Result<String, String>) -> Result<Vec<Question>, Error> {
    of_file(BANK, file, &|text, find| read(text, find))
}

/// Reads a bank; `find` gives a record by its folder and lab, such as `h200/lab-5-5`.
///
/// # Errors
/// A file that is not of this form, a value that no record has, or a question without criteria that give points.
pub fn read<R: Borrow<Record>>(
    text: &str,
    find: &dyn Fn(&str) -> Result<R, String>,
) -> Result<Vec<Question>, Error> {
    questions(text, |written: &Written| &written.id, |written| question(written, find))
}

fn question<R: Borrow<Record>>(
    written: &Written,
    find: &dyn Fn(&str) -> Result<R, String>,
) -> Result<Question, String> {
    let values = values(&written.values, find)?;
    if written.criteria.is_empty() || written.criteria.iter().any(|criterion| criterion.points == 0) {
        return Err("it needs criteria, each with points".to_owned());
    }
    let mut said = BTreeSet::new();
    if let Some(twice) = written.criteria.iter().find(|criterion| !said.insert(&criterion.says)) {
        return Err(format!("two of its criteria say `{}`", twice.says));
    }
    let all = texts(&values);
    let text = |template: &str| filled(template, &all);
    Ok(Question {
        id: written.id.clone(),
        chapter: written.chapter.clone(),
        ask: text(&written.ask)?,
        answer: text(&written.answer)?,
        criteria: written.criteria.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const ONE: &str = r#"
[[question]]
id = "one"
chapter = "constant-memory"
ask = "Why?"
values = { sectors = "h200/lab-5-5 stencil constant 32 global_load_sectors" }
answer = "{sectors} sectors."
criteria = [{ points = 2, says = "Counts" }, { points = 1, says = "Tells why" }]
"#;

    fn with(old: &str, new: &str) -> Result<Vec<Question>, String> {
        assert!(ONE.contains(old), "{old}");
        let find = |_: &str| Ok(::tests::fixture::measured());
        read(&ONE.replacen(old, new, 1), &find).map_err(|error| error.to_string())
    }

    #[test]
    fn a_model_answer_has_numbers_of_records() {
        let question = with("one", "one").expect("well-formed").remove(0);
        let sectors =
            ::tests::fixture::measured().experiments[0].series[0].points[0].counters["global_load_sectors"];
        assert_eq!(question.answer, format!("{} sectors.", render::format::count(sectors)));
        assert_eq!(question.points(), 3);
    }

    #[test]
    fn what_cannot_be_marked_is_refused() {
        for (old, new, said) in [
            ("{sectors}", "{lines}", "no value named `lines`"),
            ("points = 2", "points = 0", "it needs criteria, each with points"),
            (
                "[{ points = 2, says = \"Counts\" }, { points = 1, says = \"Tells why\" }]",
                "[]",
                "it needs criteria",
            ),
            ("Tells why", "Counts", "two of its criteria say `Counts`"),
            ("\"one\"", "\"One\"", "its id is not of lower-case"),
            ("ask =", "wrong =", "unknown field `wrong`"),
        ] {
            let error = with(old, new).expect_err(new);
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn the_book_s_bank_has_two_questions_a_chapter() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let file = |name: &str| std::fs::read_to_string(root.join(name)).map_err(|error| error.to_string());
        let bank = of_book(&file).expect("well-formed");
        let mut chapters = BTreeMap::<&str, usize>::new();
        for question in &bank {
            assert!(root.join(format!("book/src/{}.md", question.chapter)).is_file(), "{}", question.chapter);
            *chapters.entry(&question.chapter).or_default() += 1;
        }
        assert!(chapters.len() == 8 && chapters.values().all(|n| *n >= 2), "{chapters:?}");
    }
}
