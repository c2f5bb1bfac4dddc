//! The marking sheet: answers in words, which a person marks.
//!
//! Enters: answers with criteria, and a sheet that was marked. Leaves: the marks by student, question and criterion, and the
//! sheet again, with the marks in it. A mark is never lost: one whose answer has changed since is kept as a remark, and one
//! that no answer belongs to any more stays at the sheet's end. This module must never know how marks are shown to students.

use crate::points::Points;
use crate::text::{self, cell, long_cell};
use anyhow::{Context, Result, bail};
use csv::{QuoteStyle, WriterBuilder};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// Name of the sheet in the output folder.
pub(crate) const NAME: &str = "marks.csv";

/// Most bytes of a sheet.
const MOST_BYTES: u64 = 1 << 28;
/// Most characters of an answer in a sheet; a spreadsheet's cell holds 32,767.
const MOST_OF_ANSWER: usize = 30_000;
/// Digits of the hash of an answer.
const DIGITS: usize = 12;

const COLUMNS: [&str; 10] = [
    "student",
    "question",
    "criterion",
    "of",
    "points",
    "asked",
    "answer",
    "model answer",
    "remark",
    "answer hash",
];

/// Student, question and criterion, as the sheet has them.
type Key = (String, String, String);

/// A mark.
#[derive(Clone, Debug)]
struct Mark {
    points: Option<Points>,
    of: String,
    remark: String,
    hash: String,
    /// Line of the sheet.
    line: u64,
}

/// Marks that were given.
#[derive(Debug, Default)]
pub(crate) struct Marks(BTreeMap<Key, Mark>);

/// A line of the sheet.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) student: String,
    pub(crate) question: String,
    pub(crate) criterion: String,
    pub(crate) of: Points,
    /// The question's words.
    asked: String,
    pub(crate) answer: String,
    pub(crate) model: String,
    /// The points, once they are given.
    points: Option<Points>,
    remark: String,
}

#[derive(Deserialize)]
struct Row {
    student: String,
    question: String,
    criterion: String,
    #[serde(default)]
    of: String,
    points: String,
    #[serde(default)]
    remark: String,
    #[serde(default, rename = "answer hash")]
    hash: String,
}

impl Marks {
    /// Whether no mark was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.values().all(|mark| mark.points.is_none())
    }

    /// The marks of a sheet; none where there is none and `must` is false.
    ///
    /// # Errors
    /// A file that cannot be read, lacks a column, or has points that are not a number or more than a criterion gives; with its
    /// line.
    pub(crate) fn read(path: &Path, must: bool) -> Result<Marks> {
        let shown = path.display();
        let text = match text::read_table(path, MOST_BYTES) {
            Err(error) if is_missing(&error) && !must => return Ok(Marks::default()),
            text => text.with_context(|| format!("{shown}: the sheet of marks"))?,
        };
        Marks::parse(&text).with_context(|| format!("{shown}"))
    }

    fn parse(text: &str) -> Result<Marks> {
        let mut table = text::table(text, csv::Trim::Headers);
        let headers = table.headers().context("the first line")?.clone();
        let mut marks = BTreeMap::new();
        for record in table.records() {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            let row: Row = record
                .deserialize(Some(&headers))
                .with_context(|| format!("line {line}: the columns must be {}", COLUMNS.join(", ")))?;
            let Row { student, question, criterion, of, points, remark, hash } = row;
            let points = match points.trim() {
                "" => None,
                text => {
                    Some(Points::parse(text).map_err(|why| anyhow::anyhow!("line {line}: `{text}`: {why}"))?)
                }
            };
            let mark = Mark { points, of, remark, hash, line };
            if let Some(Mark { line: other, .. }) = marks.insert((student, question, criterion), mark) {
                bail!("line {line}: it is about the same as line {other}; delete one of them");
            }
        }
        Ok(Marks(marks))
    }

    /// The lines of a sheet with the points that were given for these answers. Returns them, with the marks that no line is
    /// for.
    ///
    /// # Errors
    /// More points than a criterion gives.
    pub(crate) fn given(mut self, lines: Vec<Line>) -> Result<Sheet> {
        let mut sheet = Sheet { lines, others: vec![], changed: 0 };
        let key = |line: &Line| (cell(&line.student), line.question.clone(), cell(&line.criterion));
        let own: Vec<Option<Mark>> = sheet.lines.iter().map(|line| self.0.remove(&key(line))).collect();
        for (line, own) in sheet.lines.iter_mut().zip(own) {
            let Some(Mark { points, of: _, remark, hash, line: at }) = own.or_else(|| self.renamed(line))
            else {
                continue;
            };
            line.remark = remark;
            let Some(points) = points else { continue };
            if points > line.of {
                bail!("line {at}: {points} points, but this criterion gives {}", line.of);
            }
            if hash.is_empty() || hash == line.hash() {
                line.points = Some(points);
            } else {
                sheet.changed += 1;
                line.remark = format!("{} ({points} of {} for an earlier answer)", line.remark, line.of);
                line.remark = line.remark.trim().to_owned();
            }
        }
        sheet.others = self.0.into_iter().filter(|(_, mark)| mark.points.is_some()).collect();
        Ok(sheet)
    }

    /// Takes a mark that was given for the same answer under a name that no student has: spreadsheets make 7 of 007, and
    /// folders are renamed. The answer is the same to the letter, so its points are.
    fn renamed(&mut self, line: &Line) -> Option<Mark> {
        let (criterion, hash) = (cell(&line.criterion), line.hash());
        let is_same = |(_, question, says): &Key, mark: &Mark| {
            *question == line.question && *says == criterion && mark.hash == hash && mark.points.is_some()
        };
        let key = self.0.iter().find(|(key, mark)| is_same(key, mark)).map(|(key, _)| key.clone())?;
        self.0.remove(&key)
    }
}

/// Whether there is not of that kind, nor can be.
fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

impl Line {
    /// A line without points.
    pub(crate) fn new(
        student: &str,
        question: &question::bank::Question,
        criterion: &question::bank::Criterion,
        answer: &str,
    ) -> Line {
        Line {
            student: student.to_owned(),
            question: question.id.clone(),
            criterion: criterion.says.clone(),
            of: Points::whole(criterion.points),
            asked: question.ask.clone(),
            answer: answer.to_owned(),
            model: question.answer.clone(),
            points: None,
            remark: String::new(),
        }
    }

    /// Begins with a letter, as a spreadsheet takes digits, and digits around an `e`, for a number and writes another.
    fn hash(&self) -> String {
        "h".chars().chain(kernels::sha256(&self.answer).chars().take(DIGITS)).collect()
    }
}

/// Result of a criterion of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Given<'s> {
    /// Its words.
    pub(crate) criterion: &'s str,
    pub(crate) points: Points,
    /// The most that it gives.
    pub(crate) of: Points,
    /// The marker's remark to the student, or nothing.
    pub(crate) remark: &'s str,
}

/// A sheet with the marks that were given.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    lines: Vec<Line>,
    /// Marks of answers that no longer exist.
    others: Vec<(Key, Mark)>,
    /// Marks whose answers have changed since.
    pub(crate) changed: usize,
}

impl Sheet {
    /// Number of marks that belong to no answer.
    pub(crate) fn left_over(&self) -> usize {
        self.others.len()
    }

    /// Whether there is nothing to mark, nor was.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.others.is_empty()
    }

    /// Criteria without points.
    pub(crate) fn unmarked(&self) -> usize {
        self.lines.iter().filter(|line| line.points.is_none()).count()
    }

    /// Points of a student's answer to a question; none while a criterion has none.
    pub(crate) fn points(&self, student: &str, question: &str) -> Option<Points> {
        let lines = self.lines.iter().filter(|line| line.student == student && line.question == question);
        let points: Option<Vec<Points>> = lines.map(|line| line.points).collect();
        points.filter(|points| !points.is_empty()).map(|points| points.into_iter().sum())
    }

    /// Results of a student's answer for each criterion. Criteria without points are left out.
    pub(crate) fn criteria(&self, student: &str, question: &str) -> Vec<Given<'_>> {
        let lines = self.lines.iter().filter(|line| line.student == student && line.question == question);
        lines
            .filter_map(|line| {
                Some(Given {
                    criterion: &line.criterion,
                    points: line.points?,
                    of: line.of,
                    remark: line.remark.trim(),
                })
            })
            .collect()
    }

    /// The sheet as a table for a spreadsheet. A question and its answer are in the first of their lines.
    ///
    /// # Errors
    /// The writer's; writing to memory has none.
    pub(crate) fn table(&self) -> Result<Vec<u8>> {
        let mut table = WriterBuilder::new().quote_style(QuoteStyle::NonNumeric).from_writer(Vec::new());
        table.write_record(COLUMNS)?;
        let mut last = ("", "");
        for line in &self.lines {
            let this = (line.student.as_str(), line.question.as_str());
            let is_first = std::mem::replace(&mut last, this) != this;
            let once = |text: &str| if is_first { long_cell(text, MOST_OF_ANSWER) } else { String::new() };
            table.write_record([
                cell(&line.student),
                line.question.clone(),
                cell(&line.criterion),
                line.of.to_string(),
                line.points.map_or_else(String::new, |points| points.to_string()),
                once(&line.asked),
                once(&line.answer),
                once(&line.model),
                line.remark.clone(),
                line.hash(),
            ])?;
        }
        for ((student, question, criterion), mark) in &self.others {
            let points = mark.points.map_or_else(String::new, |points| points.to_string());
            let row = [student, question, criterion, &mark.of, &points, "", "", "", &mark.remark, &mark.hash];
            table.write_record(row.map(str::to_owned))?;
        }
        Ok(table.into_inner()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use question::bank::{Criterion, Question};

    fn lines(answer: &str) -> Vec<Line> {
        let criterion = |points, says: &str| Criterion { points, says: says.into() };
        let question = Question {
            id: "why".into(),
            chapter: "tiling".into(),
            ask: "Why?".into(),
            answer: "Since, \"so\".".into(),
            criteria: vec![criterion(2, "Names it"), criterion(1, "=Tells why")],
        };
        question.criteria.iter().map(|one| Line::new("ada", &question, one, answer)).collect()
    }

    fn table(sheet: &Sheet) -> String {
        String::from_utf8(sheet.table().unwrap()).unwrap()
    }

    fn marked(text: &str) -> Result<Sheet, String> {
        let reported = |error: anyhow::Error| format!("{error:#}");
        Marks::parse(text).map_err(reported)?.given(lines("so\n- it\n")).map_err(reported)
    }

    #[test]
    fn a_sheet_that_is_marked_comes_back_with_its_points() {
        let empty = table(&Marks::default().given(lines("so\n- it\n")).unwrap());
        assert_eq!(marked(&empty).unwrap().unmarked(), 2);
        let half = empty.replacen(",2,\"\",", ",2,1.5,", 1);
        assert_eq!(marked(&half).unwrap().points("ada", "why"), None);
        let whole = half.replacen(",1,\"\",", ",1,1,", 1);
        let sheet = marked(&whole).unwrap();
        assert_eq!(sheet.points("ada", "why"), Points::parse("2.5").ok());
        assert_eq!(sheet.points("bob", "why"), None);
        let points = |text| Points::parse(text).unwrap();
        let given = |criterion, got, of| Given { criterion, points: points(got), of: points(of), remark: "" };
        assert_eq!(
            sheet.criteria("ada", "why"),
            [given("Names it", "1.5", "2"), given("=Tells why", "1", "1")]
        );
        assert_eq!(table(&sheet), whole);
    }

    #[test]
    fn what_a_spreadsheet_makes_of_it_is_read() {
        let text =
            "\u{feff}student;question;criterion;of;points\nada;why;Names it;2;1,5\nada;why;'=Tells why;1;0\n";
        assert_eq!(marked(text).unwrap().points("ada", "why"), Points::parse("1.5").ok());
    }

    #[test]
    fn a_sheet_in_another_encoding_is_reported_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("marks.csv");
        std::fs::write(&path, b"student,question,criterion,points\nZo\xeb,why,it,1\n").unwrap();
        let error = format!("{:#}", Marks::read(&path, true).map(|_| ()).unwrap_err());
        assert!(error.contains("marks.csv") && error.contains("CSV UTF-8"), "{error}");
    }

    #[test]
    fn no_mark_is_lost() {
        let empty = table(&Marks::default().given(lines("another")).unwrap());
        let sheet = marked(&empty.replacen(",2,\"\",", ",2,1.5,", 1)).unwrap();
        assert_eq!((sheet.changed, sheet.points("ada", "why")), (1, None));
        assert!(table(&sheet).contains("(1.5 of 2 for an earlier answer)"), "{}", table(&sheet));
        let sheet = marked("student,question,criterion,points\nbob,why,Names it,2\n").unwrap();
        assert_eq!(sheet.left_over(), 1);
        assert!(table(&sheet).contains("\"bob\",\"why\",\"Names it\",\"\",2,"), "{}", table(&sheet));
        assert_eq!(table(&marked(&table(&sheet)).unwrap()), table(&sheet));
    }

    #[test]
    fn a_mark_under_a_name_that_a_spreadsheet_changed_is_the_answer_s() {
        let of = |student: &str| {
            let named = |line: Line| Line { student: student.to_owned(), ..line };
            lines("so").into_iter().map(named).collect::<Vec<_>>()
        };
        let empty = table(&Marks::default().given(of("007")).unwrap());
        let marked =
            empty.replace("\"007\"", "7").replacen(",2,\"\",", ",2,1.5,", 1).replacen(",1,\"\",", ",1,1,", 1);
        let all = || of("006").into_iter().chain(of("007")).collect();
        let sheet = Marks::parse(&marked).unwrap().given(of("007")).unwrap();
        assert_eq!((sheet.points("007", "why"), sheet.left_over()), (Points::parse("2.5").ok(), 0));
        // A student's own marks go to no other student, whatever the order.
        let sheet = Marks::parse(&marked.replace("\n7,", "\n007,")).unwrap().given(all()).unwrap();
        assert_eq!(sheet.points("006", "why"), None);
        assert_eq!(sheet.points("007", "why"), Points::parse("2.5").ok());
        // Nothing in the sheet is a number to a spreadsheet that a person did not mean as one.
        assert!(lines("so")[0].hash().starts_with('h'));
    }

    #[test]
    fn a_text_that_is_not_a_mark_is_reported_with_its_line() {
        let head = "student,question,criterion,points\n";
        for (rows, said) in [
            ("ada,why,Names it,3\n", "line 2: 3 points, but this criterion gives 2"),
            ("ada,why,Names it,good\n", "line 2: `good`: points are between"),
            ("ada,why,Names it,1\nada,why,Names it,1\n", "line 3: it is about the same as line 2"),
            ("ada,why\n", "line: 2"),
        ] {
            let error = marked(&format!("{head}{rows}")).map(|_| ()).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        assert!(
            marked("name,points\nada,1\n").map(|_| ()).unwrap_err().contains("the columns must be student")
        );
    }
}
