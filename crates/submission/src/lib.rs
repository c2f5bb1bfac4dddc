//! A submission: what a student hands in, as one file of TOML that a person can read and compare.
//!
//! Enters: a submission, or a file's text. Leaves: the text, or the submission, or what is wrong and in which line. It reads
//! no file and prints nothing, so that a terminal, a page and the grader use one format. This crate must never know what an
//! answer is worth.
//!
//! ```toml
//! format = 1
//! name = "Ada Lovelace"
//! id = "s1815"
//! when = "2026-01-31T10:00:00Z"
//!
//! [versions]
//! workbook = "0.1.0"
//! compiler = "0.1.0"
//! exercises = "94f1c0a2b7d35e68"      # a hash of the exercises' files
//!
//! [[question]]                        # a prediction: what was chosen, in order
//! id = "halves"
//! chosen = ["16", "2"]
//!
//! [[answer]]                          # an answer in words
//! id = "padding-of-b"
//! text = "…"
//!
//! [[exercise]]
//! name = "uniform_taps"
//! state = "begun"                     # or "passed", as the student's own run found it
//! found = "const_replays"             # what that run found last, where it did not pass
//! source = '''
//! __global__ void filter(…
//! '''
//!
//! [[record]]                          # a lab's record, as the lab wrote it
//! lab = "lab-5-5"
//! json = '''
//! { …
//! '''
//! ```
//!
//! Everything but `when` follows from the student's work: the same work gives the same bytes. Lines end with LF, whatever
//! they ended with in the student's editor. Nothing in a file proves what it says: the grader runs the sources again.

mod parts;

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Version of the format.
pub const FORMAT: u32 = 1;

/// Most bytes of a file: the records of all labs at their default sizes have a fifth.
pub const MOST_BYTES: u64 = 1 << 26;

/// Most characters of a name, an identifier, a date, a version or a choice.
pub const MOST_OF_NAME: usize = 200;

/// Most records of a file: there are 13 labs.
pub const MOST_RECORDS: usize = 200;

/// Most parts of a file: lines, tables and values, except the lines within a string. A student who has done all of the workbook
/// hands in a twentieth.
const MOST_PARTS: usize = 20_000;

/// A student's submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// Version of the format.
    pub format: u32,
    /// Name of the student.
    pub name: String,
    /// Identifier of the student in the course; empty where a name is enough.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// When it was written, as RFC 3339.
    pub when: String,
    /// Versions of the programs that wrote it.
    pub versions: Versions,
    /// Answers to questions with choices.
    #[serde(default, rename = "question", skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Chosen>,
    /// Answers in words.
    #[serde(default, rename = "answer", skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// Exercises that were begun.
    #[serde(default, rename = "exercise", skip_serializing_if = "Vec::is_empty")]
    pub exercises: Vec<ExerciseWork>,
    /// Records of labs that were run.
    #[serde(default, rename = "record", skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Lab>,
}

/// Versions of the programs that the work was done with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// The program.
    pub workbook: String,
    /// The compiler.
    pub compiler: String,
    /// Hash of the exercises' files.
    pub exercises: String,
}

/// Choices made in a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// The question.
    pub id: String,
    /// Texts of the choices, in the order in which they were made.
    pub chosen: Vec<String>,
}

/// An answer in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The question.
    pub id: String,
    /// The answer.
    pub text: String,
}

/// An exercise that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExerciseWork {
    /// Name of the exercise.
    pub name: String,
    /// State by the student's own run.
    pub state: State,
    /// Last finding of that run, where it did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The source.
    pub source: String,
}

/// State of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It was changed, or checked without passing.
    Begun,
    /// It has passed.
    Passed,
}

/// A lab's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// The lab.
    pub lab: String,
    /// The record, as the lab wrote it.
    pub json: String,
}

/// The reason why a text is not a submission, in words, with its line where it has one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

/// The one field that is read of a file of another version.
#[derive(Deserialize)]
struct Version {
    format: Option<u32>,
}

impl Submission {
    /// The submission of a file's text.
    ///
    /// # Errors
    /// A text that is not TOML, is of another version or of another form, has a name that is too long, or has more parts
    /// or records than any work.
    pub fn parse(text: &str) -> Result<Self, Error> {
        if let Some(line) = parts::first_beyond(text, MOST_PARTS) {
            return Err(Error(format!(
                "line {line}: it has more than {MOST_PARTS} lines and values up to here, more than any work has"
            )));
        }
        let reported = |error: &toml::de::Error| Error(in_line(error.message(), error.span(), text));
        let read = toml::from_str::<Submission>(text);
        // A file of another version may fail in any field; its version is the better reason.
        let format = match &read {
            Ok(submission) => Some(submission.format),
            Err(error) => toml::from_str::<Version>(text).map_err(|_| reported(error))?.format,
        };
        match format {
            Some(FORMAT) => {}
            Some(other) => {
                let newer = if other > FORMAT { "; a newer Warpbook wrote it: use that one" } else { "" };
                return Err(Error(format!("its format is {other}, but this program reads {FORMAT}{newer}")));
            }
            None => return Err(Error("it has no `format`, so it is not a submission".to_owned())),
        }
        let submission = read.map_err(|error| reported(&error))?;
        let long = submission.names().find(|name| name.chars().count() > MOST_OF_NAME);
        if let Some(long) = long {
            let start: String = long.chars().take(30).collect();
            return Err(Error(format!("a name has more than {MOST_OF_NAME} characters: {start}…")));
        }
        submission.few_records()?;
        Ok(submission)
    }

    /// The file's text.
    ///
    /// # Errors
    /// More records than are read; or the writer's, and TOML can hold everything in a submission.
    pub fn text(&self) -> Result<String, Error> {
        self.few_records()?;
        let body = toml::to_string(&self.with_plain_lines()).map_err(|error| Error(error.to_string()))?;
        let mut text = String::from("# Work of a student on Warpbook. `grade` reads this file.\n");
        // Writing to a string does not fail.
        let _ = write!(text, "{body}");
        Ok(text)
    }

    fn few_records(&self) -> Result<(), Error> {
        match self.records.len() {
            0..=MOST_RECORDS => Ok(()),
            more => Err(Error(format!("it has {more} records, but at most {MOST_RECORDS} are read"))),
        }
    }

    /// Everything that is short.
    fn names(&self) -> impl Iterator<Item = &String> {
        let Versions { workbook, compiler, exercises } = &self.versions;
        [&self.name, &self.id, &self.when, workbook, compiler, exercises]
            .into_iter()
            .chain(self.questions.iter().flat_map(|one| one.chosen.iter().chain([&one.id])))
            .chain(self.answers.iter().map(|one| &one.id))
            .chain(self.exercises.iter().flat_map(|one| one.found.iter().chain([&one.name])))
            .chain(self.records.iter().map(|one| &one.lab))
    }

    /// The same with lines that end with LF, which a TOML string can have as they are.
    fn with_plain_lines(&self) -> Submission {
        let mut plain = self.clone();
        let sources = plain.exercises.iter_mut().map(|one| &mut one.source);
        let answers = plain.answers.iter_mut().map(|one| &mut one.text);
        let records = plain.records.iter_mut().map(|one| &mut one.json);
        for text in sources.chain(answers).chain(records) {
            *text = text.replace("\r\n", "\n");
        }
        plain
    }
}

/// The indices of items whose key another one before them has.
pub fn repeated<'a>(keys: impl IntoIterator<Item = &'a str>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    keys.into_iter().enumerate().filter(|(_, key)| !seen.insert(*key)).map(|(at, _)| at).collect()
}

fn in_line(message: &str, span: Option<std::ops::Range<usize>>, text: &str) -> String {
    // Messages quote what is there, which may be anything of any length.
    let mut message: String = message.lines().next().unwrap_or_default().chars().take(200).collect();
    if span.as_ref().is_some_and(|span| span.start > 0 && span.end >= text.trim_end().len()) {
        message +=
            "; the file ends here, so a part of it may be missing: hand in all of what workbook submit wrote";
    }
    match span.and_then(|span| text.get(..span.start)) {
        Some(before) => format!("line {}: {message}", before.matches('\n').count() + 1),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one() -> Submission {
        let versions =
            Versions { workbook: "0.1.0".into(), compiler: "0.1.0".into(), exercises: "94f1c0a2".into() };
        Submission {
            format: FORMAT,
            name: "Ada Lovelace".into(),
            id: "s1815".into(),
            when: "2026-01-31T10:00:00Z".into(),
            versions,
            questions: vec![Chosen { id: "halves".into(), chosen: vec!["16".into(), "2".into()] }],
            answers: vec![Answer { id: "why".into(), text: "Since \"it\" is\n'''so'''.\n".into() }],
            exercises: vec![ExerciseWork {
                name: "sum".into(),
                state: State::Begun,
                found: Some("wrong".into()),
                source: "// one\nprintf(\"a\\n\");\n".into(),
            }],
            records: vec![Lab { lab: "lab-5-5".into(), json: "{\n  \"version\": 3\n}\n".into() }],
        }
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        assert_eq!(one().text().and_then(|text| Submission::parse(&text)), Ok(one()));
    }

    #[test]
    fn a_person_can_read_it() {
        let text = one().text().expect("written");
        for lines in
            ["\n// one\nprintf(\"a\\n\");\n", "\n{\n  \"version\": 3\n}\n", "chosen = [\"16\", \"2\"]"]
        {
            assert!(text.contains(lines), "{lines}\n{text}");
        }
        assert!(text.find("[[exercise]]") < text.find("[[record]]"), "{text}");
    }

    #[test]
    fn the_system_s_line_ends_change_nothing() {
        let mut windows = one();
        windows.exercises[0].source = windows.exercises[0].source.replace('\n', "\r\n");
        assert_eq!(windows.text(), one().text());
    }

    #[test]
    fn a_text_that_is_not_a_submission_is_reported_with_its_line() {
        let text = one().text().expect("written");
        for (old, new, said) in [
            (
                "format = 1",
                "format = 2",
                "its format is 2, but this program reads 1; a newer Warpbook wrote it: use that one",
            ),
            ("format = 1", "format = 0", "its format is 0, but this program reads 1"),
            ("format = 1\n", "", "it has no `format`"),
            ("name = \"Ada Lovelace\"", "name = 3", "line 3: "),
            ("state = \"begun\"", "state = \"done\"", "unknown variant `done`"),
            ("id = \"s1815\"", "points = 100", "unknown field `points`"),
            ("[[record]]", "[[record", "line "),
        ] {
            assert!(text.contains(old), "{old}");
            let error = Submission::parse(&text.replacen(old, new, 1)).expect_err(new).to_string();
            assert!(error.contains(said), "{new}: {error}");
        }
        assert!(Submission::parse("").is_err());
        let long = Submission { name: "x".repeat(MOST_OF_NAME + 1), ..one() }.text().expect("written");
        assert!(Submission::parse(&long).expect_err("long").to_string().contains("more than 200 characters"));
    }

    #[test]
    fn of_a_file_that_was_cut_off_it_is_said() {
        let text = one().text().expect("written");
        for end in ["// one", "[[exercise]", "json = \"\"\""] {
            let cut = text.find(end).expect(end) + end.len();
            let error = Submission::parse(&text[..cut]).expect_err(end).to_string();
            assert!(error.contains("the file ends here"), "{end}: {error}");
        }
        let error =
            Submission::parse(&text.replacen("name = ", "nome = ", 1)).expect_err("a field").to_string();
        assert!(!error.contains("the file ends here"), "{error}");
    }

    #[test]
    fn a_key_that_was_there_before_is_repeated() {
        assert_eq!(repeated(["a", "b", "a", "a"]), BTreeSet::from([2, 3]));
    }

    #[test]
    fn what_has_more_parts_than_any_work_is_refused_before_it_is_unpacked() {
        let text = one().text().expect("written");
        let mut refused = vec![
            (format!("{text}n = [{}0]\n", "0,".repeat(MOST_PARTS)), "line 39: it has more than 20000"),
            (
                format!("{text}{}", "[[record]]\nlab = ''\njson = ''\n".repeat(MOST_PARTS)),
                ": it has more than 20000",
            ),
            (format!("{text}{}a = 1\n", "a.".repeat(MOST_PARTS)), "line 39: it has more than 20000"),
        ];
        refused.push((
            format!("{text}{}", "[[record]]\nlab = ''\njson = ''\n".repeat(200)),
            "it has 201 records",
        ));
        for (text, said) in refused {
            let error = Submission::parse(&text).expect_err(said).to_string();
            assert!(error.contains(said), "{said}: {error}");
        }
        let many = Submission { records: vec![one().records[0].clone(); MOST_RECORDS + 1], ..one() };
        assert_eq!(
            many.text().map_err(|error| error.to_string()),
            Err("it has 201 records, but at most 200 are read".to_owned())
        );
        let long = Submission {
            records: vec![Lab { lab: "lab-5-5".into(), json: "[0,\n".repeat(1 << 16) }],
            ..one()
        };
        assert_eq!(long.text().and_then(|text| Submission::parse(&text)), Ok(long));
    }

    proptest! {
        #[test]
        fn any_text_survives(source in any::<String>(), answer in "['\"\\\\\n\t a-z]{0,60}", name in "[^\r]{0,40}") {
            let mut all = one();
            all.name = name;
            all.answers[0].text = answer;
            all.exercises[0].source = source.replace("\r\n", "\n");
            prop_assert_eq!(all.text().and_then(|text| Submission::parse(&text)), Ok(all));
        }

        #[test]
        fn a_damaged_file_is_answered(at in any::<prop::sample::Index>(), with in any::<char>(), cut in any::<bool>()) {
            let text = one().text().expect("written");
            let at = at.index(text.len());
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
            let _ = Submission::parse(&format!("{before}{with}{}", if cut { "" } else { after }));
        }
    }
}
