//! Questions to the reader, whose answers are values of records.
//!
//! Enters: `book/questions.toml`, and records by name. Leaves: questions with their choices, each with the response to it. An
//! answer is never typed in: it is a formula of values that a run left, so it cannot be wrong or stale, and neither can a
//! number in its explanation. This crate must never know whether a page or a terminal asks.
//!
//! ```toml
//! [[question]]
//! id = "halves"
//! chapter = "constant-memory"
//! ask = "The lower 16 lanes of a warp read one constant, the others another one. How many broadcasts does the load take?"
//! values = { loads = "embedded-h200/lab-5-5 divergence-throughput constant-halves 2 const_divergent_instructions",
//!            replays = "embedded-h200/lab-5-5 divergence-throughput constant-halves 2 const_replays" }
//! answer = "1 + replays / loads"
//! why = "The run counted {replays} replays of {loads} loads: one more broadcast for one more address."
//! wrong = [{ is = "16", says = "You counted the lanes of a half-warp: what costs a broadcast is a further address." }]
//! ```
//!
//! A question about causes has choices in words. Each is a statement about records, with a rule that says whether it is true
//! of them; exactly one is:
//!
//! ```toml
//! choices = [
//!     { is = "the bytes in flight", when = "100 * same_bytes >= 95 * wide", says = "With as many bytes, single loads reach {same_bytes}." },
//!     { is = "the number of requests", when = "100 * same_bytes < 95 * wide", says = "Then single loads would be slow." },
//! ]
//! ```
//!
//! A value is named as in the book's directives: `RECORD EXPERIMENT SERIES X FIELD` is a point's, `RECORD FACT` a fact, and
//! `RECORD :PARAMETER` a parameter of the run. In a text, `{name}` is the number with its unit, and `{name:%}` the percentage of a
//! share, which has no unit.

pub mod bank;
mod rule;

use exercise::expression::{self, Expression};
use record::{Parameter, Record};
use render::{Field, Format, Value, format, table};
use rule::Rule;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Name of the file of questions, from the workbook's folder.
const QUESTIONS: &str = "book/questions.toml";

/// A file of questions, as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<Written> {
    question: Vec<Written>,
}

/// A question as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    chapter: String,
    ask: String,
    values: BTreeMap<String, String>,
    /// Where the choices are numbers, the right one.
    answer: Option<Expression>,
    #[serde(default)]
    unit: String,
    /// Significant digits of choices that are not whole numbers. A measured value stands out among round ones.
    digits: Option<usize>,
    #[serde(default)]
    why: String,
    #[serde(default)]
    wrong: Vec<Wrong>,
    /// Where they are words: all of them, in the order in which they are shown.
    #[serde(default)]
    choices: Vec<Statement>,
    /// Points where it is graded.
    #[serde(default = "one")]
    points: u32,
}

fn one() -> u32 {
    1
}

/// A wrong answer that is typical.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrong {
    is: Expression,
    says: String,
}

/// A choice in words, and the rule by which it is true.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    is: String,
    when: Rule,
    says: String,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Identifier, unique in the book; letters, digits and `-`.
    pub id: String,
    /// The chapter, by the name of its page without `.md`.
    pub chapter: String,
    /// The question, in which backticks mark code.
    pub ask: String,
    /// The choices, with the answer among them: numbers by rising value, words as they are written.
    pub choices: Vec<Choice>,
    /// Points where it is graded.
    pub points: u32,
}

impl Question {
    /// How much of a question answers give, in the order in which they were made: parts, and of how many. The right one at
    /// once is all of it; each wrong one before it takes a part, so that those who tried all choices have none.
    ///
    /// # Errors
    /// A choice that the question does not have.
    pub fn score(&self, chosen: &[String]) -> Result<(usize, usize), String> {
        let of = self.choices.len().saturating_sub(1);
        let mut wrong = BTreeSet::new();
        for text in chosen {
            match self.choices.iter().find(|choice| choice.text == *text) {
                None => return Err(text.clone()),
                Some(choice) if choice.right => return Ok((of - wrong.len().min(of), of)),
                Some(choice) => drop(wrong.insert(&choice.text)),
            }
        }
        Ok((0, of))
    }
}

/// A choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The number with its unit, or the words, in which backticks mark code.
    pub text: String,
    /// Whether it is the answer.
    pub right: bool,
    /// Response to a reader who chooses it, in which backticks mark code.
    pub says: String,
}

/// A defect of a question, in words, with its id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

/// The book's questions; `file` gives the text of a file of the workbook's folder.
///
/// # Errors
/// A file that does not exist, and as [`read()`].
pub fn of_book(file: &dyn Fn(&str) -> Result<String, String>) -> Result<Vec<Question>, Error> {
    of_file(QUESTIONS, file, &|text, find| read(text, find))
}

/// Gives a record by its name.
type Find<'a> = &'a dyn Fn(&str) -> Result<Rc<Record>, String>;

/// Result of `read` for a file and the book's records, each of which is read once.
fn of_file<T>(
    name: &str,
    file: &dyn Fn(&str) -> Result<String, String>,
    read: &dyn Fn(&str, Find<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let text = file(name).map_err(Error)?;
    let records = RefCell::new(BTreeMap::<String, Rc<Record>>::new());
    let find = |name: &str| {
        if let Some(record) = records.borrow().get(name) {
            return Ok(Rc::clone(record));
        }
        let path = format!("book/records/{name}.json");
        let record = Record::from_json(&file(&path)?).map_err(|error| format!("{path}: {error}"))?;
        Ok(Rc::clone(records.borrow_mut().entry(name.to_owned()).or_insert(Rc::new(record))))
    };
    read(&text, &find).map_err(|error| Error(format!("{name}: {error}")))
}

/// Reads questions; `find` gives a record by its folder and lab, such as `h200/lab-5-5`.
///
/// # Errors
/// A file that is not of this form, a value that no record has, a formula without a value, or choices that are alike.
pub fn read<R: Borrow<Record>>(
    text: &str,
    find: &dyn Fn(&str) -> Result<R, String>,
) -> Result<Vec<Question>, Error> {
    questions(text, |written: &Written| &written.id, |written| question(written, find))
}

/// The ids of a file's questions by their chapters, in the file's order.
///
/// # Errors
/// A file that is not of this form.
pub fn of_chapters(text: &str) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let mut chapters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let all = questions(
        text,
        |written: &Written| &written.id,
        |written| Ok((written.chapter.clone(), written.id.clone())),
    )?;
    for (chapter, id) in all {
        chapters.entry(chapter).or_default().push(id);
    }
    Ok(chapters)
}

/// The questions of a file, each made of what is written; `id` gives that of one.
fn questions<Written: DeserializeOwned, Question>(
    text: &str,
    id: impl Fn(&Written) -> &str,
    question: impl Fn(&Written) -> Result<Question, String>,
) -> Result<Vec<Question>, Error> {
    let file: File<Written> = toml::from_str(text).map_err(|error| Error(error.to_string()))?;
    let mut ids = BTreeSet::new();
    let one = |written| {
        let made = question(written).map_err(|why| Error(format!("question `{}`: {why}", id(written))))?;
        own(id(written), &mut ids)?;
        Ok(made)
    };
    file.question.iter().map(one).collect()
}

/// Whether an id is of the form that ids have, and new.
fn own<'a>(id: &'a str, ids: &mut BTreeSet<&'a str>) -> Result<(), Error> {
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || !id.chars().all(word) {
        return Err(Error(format!("question `{id}`: its id is not of lower-case letters, digits and `-`")));
    }
    if !ids.insert(id) {
        return Err(Error(format!("question `{id}`: two questions have this id")));
    }
    Ok(())
}

fn question<R: Borrow<Record>>(
    written: &Written,
    find: &dyn Fn(&str) -> Result<R, String>,
) -> Result<Question, String> {
    let values = values(&written.values, find)?;
    let choices = match &written.answer {
        Some(answer) if written.choices.is_empty() => numbers(written, answer, &values)?,
        None if written.why.is_empty() && written.wrong.is_empty() => statements(&written.choices, &values)?,
        _ => {
            return Err(
                "it has numbers, which are `answer`, `why` and `wrong`, or words, which are `choices`"
                    .to_owned(),
            );
        }
    };
    if let Some(two) =
        choices.iter().enumerate().find(|(at, one)| choices[..*at].iter().any(|other| other.text == one.text))
    {
        return Err(format!("two of its choices are {}", two.1.text));
    }
    if choices.len() < 2 {
        return Err("it has no wrong answers to choose from".to_owned());
    }
    Ok(Question {
        id: written.id.clone(),
        chapter: written.chapter.clone(),
        ask: filled(&written.ask, &texts(&values))?,
        choices,
        points: written.points,
    })
}

/// Values of records with their units, by the names that a question gives them.
type Values<'w> = BTreeMap<&'w str, (f64, String)>;

/// The choices of a question about a number.
fn numbers(written: &Written, answer: &Expression, values: &Values<'_>) -> Result<Vec<Choice>, String> {
    let number = |formula: &Expression| {
        let value = formula.evaluate_real(&|name| values.get(name).map(|(value, _)| *value));
        value.map_err(|error: expression::Error| error.to_string())
    };
    let answer = number(answer)?;
    let shown = |number: f64| {
        let digits = written.digits.filter(|_| number.fract() != 0.0);
        let format = Format { digits, unit: None };
        format.quantity(number, &written.unit).unwrap_or_else(|_| format.number(number))
    };
    let mut all = texts(values);
    all.insert("answer".to_owned(), format::quantity(answer, &written.unit));
    let text = |template: &str| filled(template, &all);
    let mut choices = vec![(answer, Choice { text: shown(answer), right: true, says: text(&written.why)? })];
    for wrong in &written.wrong {
        let is = number(&wrong.is)?;
        choices.push((is, Choice { text: shown(is), right: false, says: text(&wrong.says)? }));
    }
    choices.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(choices.into_iter().map(|(_, choice)| choice).collect())
}

/// The choices of a question whose answer is a statement: exactly one of them is true.
fn statements(written: &[Statement], values: &Values<'_>) -> Result<Vec<Choice>, String> {
    let all = texts(values);
    let one = |Statement { is, when, says }: &Statement| {
        let right = when.holds(&|name| values.get(name).map(|(value, _)| *value));
        Ok(Choice {
            text: is.clone(),
            right: right.map_err(|error: expression::Error| error.to_string())?,
            says: filled(says, &all)?,
        })
    };
    let choices = written.iter().map(one).collect::<Result<Vec<_>, String>>()?;
    let right: Vec<&str> = choices.iter().filter(|one| one.right).map(|one| one.text.as_str()).collect();
    match right[..] {
        [_] => Ok(choices),
        [] => Err("none of its choices is true of the records".to_owned()),
        _ => Err(format!("more than one of its choices is true of the records: {}", right.join("; "))),
    }
}

fn values<'w, R: Borrow<Record>>(
    written: &'w BTreeMap<String, String>,
    find: &dyn Fn(&str) -> Result<R, String>,
) -> Result<Values<'w>, String> {
    let one = |(name, of): (&'w String, &String)| {
        Ok((name.as_str(), value(of, find).map_err(|why| format!("`{of}`: {why}"))?))
    };
    written.iter().map(one).collect()
}

/// A value of a record, with its unit.
fn value<R: Borrow<Record>>(
    of: &str,
    find: &dyn Fn(&str) -> Result<R, String>,
) -> Result<(f64, String), String> {
    let words: Vec<&str> = of.split_whitespace().collect();
    let record = find(words.first().copied().unwrap_or_default())?;
    let record = record.borrow();
    match words[..] {
        [_, name] => match name.strip_prefix(':') {
            Some(name) => match record.parameters.get(name) {
                Some(Parameter::Integer(n)) => Ok((*n as f64, String::new())),
                Some(Parameter::Number(n)) => Ok((*n, String::new())),
                Some(_) => Err("this parameter is not a number".to_owned()),
                None => Err("the run has no such parameter".to_owned()),
            },
            None => {
                let fact = record.facts.get(name).ok_or("the record has no such fact")?;
                Ok((fact.value, fact.unit.clone()))
            }
        },
        [_, experiment, series, x, field] => {
            let words = |error: render::Error| error.to_string();
            let experiment = table::experiment(record, experiment).map_err(words)?;
            let series = table::select_series(experiment, &[series]).map_err(words)?;
            let [series] = series[..] else { return Err("it is not a single series".to_owned()) };
            let x: f64 = x.parse().map_err(|_| format!("`{x}` is not a number"))?;
            let point = table::select_point(experiment, series, x).map_err(words)?;
            match Field::parse(field).and_then(|field| field.of(experiment, series, point)).map_err(words)? {
                Value::Number { value, unit } => Ok((value, unit)),
                Value::Text(text) => Err(format!("`{text}` is not a number")),
            }
        }
        _ => Err("a value is RECORD EXPERIMENT SERIES X FIELD, RECORD FACT or RECORD :PARAMETER".to_owned()),
    }
}

/// What texts write for values: by the name of one, its number and unit, and by `NAME:%`, where it has no unit, the percentage.
fn texts(values: &Values<'_>) -> BTreeMap<String, String> {
    let percent = Format { digits: None, unit: Some("%") };
    let mut texts = BTreeMap::new();
    for (name, (value, unit)) in values {
        texts.insert((*name).to_owned(), format::quantity(*value, unit));
        if let Ok(share) = percent.quantity(*value, unit) {
            texts.insert(format!("{name}:%"), share);
        }
    }
    texts
}

/// A text with the values of the names in braces.
fn filled(template: &str, values: &BTreeMap<String, String>) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').ok_or_else(|| format!("`{{{after}` has no `}}`"))?;
        let value = values.get(name).ok_or_else(|| format!("no value named `{name}`"))?;
        text = text + before + value;
        rest = behind;
    }
    Ok(text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture;

    const ONE: &str = r#"
[[question]]
id = "one"
chapter = "constant-memory"
ask = "How many sectors?"
values = { requests = "h200/lab-5-5 stencil constant 32 global_load_requests", sectors = "h200/lab-5-5 stencil constant 32 global_load_sectors" }
answer = "sectors / requests"
why = "{sectors} for {requests}: {answer} each."
wrong = [{ is = "100 * sectors", says = "Too many." }]
"#;

    fn with(old: &str, new: &str) -> Result<Vec<Question>, String> {
        assert!(ONE.contains(old), "{old}");
        let find = |name: &str| {
            if name == "h200/lab-5-5" { Ok(fixture::measured()) } else { Err(format!("no record `{name}`")) }
        };
        read(&ONE.replace(old, new), &find).map_err(|error| error.to_string())
    }

    #[test]
    fn an_answer_is_a_value_of_a_record() {
        let questions = with("one", "two").expect("well-formed");
        let point = &fixture::measured().experiments[0].series[0].points[0];
        let [sectors, requests] =
            ["global_load_sectors", "global_load_requests"].map(|name| point.counters[name]);
        let answer = format::quantity(sectors as f64 / requests as f64, "");
        let right: Vec<&Choice> = questions[0].choices.iter().filter(|choice| choice.right).collect();
        assert_eq!(right.len(), 1);
        assert_eq!(right[0].text, answer);
        assert_eq!(
            right[0].says,
            format!("{} for {}: {answer} each.", format::count(sectors), format::count(requests))
        );
    }

    #[test]
    fn the_answer_in_words_is_the_statement_that_is_true_of_the_records() {
        let (head, _) = ONE.split_once("answer = ").expect("an answer");
        let ask = |choices: &str| {
            let find = |_: &str| Ok(fixture::measured());
            read(&format!("{head}choices = [{choices}]"), &find).map_err(|error| error.to_string())
        };
        let few = r#"{ is = "few", when = "sectors < requests", says = "{sectors}?" }"#;
        let many = r#"{ is = "many", when = "sectors >= requests", says = "{sectors}." }"#;
        let question = ask(&format!("{few}, {many}")).expect("well-formed").remove(0);
        let shown: Vec<(&str, bool)> = question.choices.iter().map(|one| (&*one.text, one.right)).collect();
        assert_eq!(shown, [("few", false), ("many", true)]);
        assert!(!question.choices[1].says.contains('{'), "{}", question.choices[1].says);
        let any = many.replace("many", "any");
        for (choices, why) in [
            (few.to_owned(), "none of its choices is true of the records"),
            (format!("{many}, {any}"), "more than one of its choices is true of the records: many; any"),
            (format!("{many}, {}", few.replace("few", "many")), "two of its choices are many"),
            (many.to_owned(), "it has no wrong answers"),
            (few.replace("<", "~"), "compares nothing"),
            (few.replace("requests", "request"), "`request` has no value"),
        ] {
            let error = ask(&choices).expect_err(&choices);
            assert!(error.contains(why), "{error}");
        }
        let both = with("answer =", "choices = []\nwhy_not = 1\nanswer =").expect_err("an unknown field");
        assert!(both.contains("why_not"), "{both}");
        let both = with("answer =", &format!("choices = [{many}]\nanswer =")).expect_err("numbers and words");
        assert!(both.contains("or words, which are `choices`"), "{both}");
    }

    #[test]
    fn choices_have_as_many_digits_as_are_asked_for_and_explanations_all() {
        let formula = "answer = \"12345 / 10000\"";
        let [all, two] = ["", "\ndigits = 2"].map(|digits| {
            with("answer = \"sectors / requests\"", &format!("{formula}{digits}")).expect("well-formed")
        });
        let right = |questions: &[Question]| {
            questions[0].choices.iter().find(|choice| choice.right).expect("the right one").clone()
        };
        assert_eq!((right(&all).text.as_str(), right(&two).text.as_str()), ("1.23", "1.2"));
        assert_eq!(right(&all).says, right(&two).says);
        // A whole number is just as exact.
        assert_eq!(all[0].choices.last().map(|c| &c.text), two[0].choices.last().map(|c| &c.text));
    }

    #[test]
    fn a_text_has_a_share_as_a_percentage_and_refuses_one_of_a_time() {
        let values = Values::from([("share", (0.0768, String::new())), ("time", (1500.0, "ns".to_owned()))]);
        let all = texts(&values);
        let text = filled("{share:%} of {time}, or {share}", &all).expect("both have a value");
        assert_eq!(text, "7.68\u{a0}% of 1.50\u{a0}µs, or 0.0768");
        assert_eq!(filled("{time:%}", &all), Err("no value named `time:%`".to_owned()));
    }

    #[test]
    fn each_wrong_choice_before_the_right_one_takes_a_part() {
        let wrong = r#"wrong = [{ is = "answer", says = "a" }, { is = "2 * answer", says = "b" }]"#;
        let wrong = wrong.replace("answer", "100 * sectors");
        let (start, _) = ONE.split_once("wrong = ").expect("wrong answers");
        let find = |_: &str| Ok(fixture::measured());
        let question = read(&format!("{start}{wrong}"), &find).expect("well-formed").remove(0);
        let [right, a, b] = [0, 1, 2].map(|at| question.choices[at].text.clone());
        assert!(question.choices[0].right && question.points == 1);
        for (chosen, score) in [
            (vec![&right], (2, 2)),
            (vec![&a, &right], (1, 2)),
            (vec![&a, &a, &right], (1, 2)),
            (vec![&a, &b, &right], (0, 2)),
            (vec![&a], (0, 2)),
            (vec![], (0, 2)),
        ] {
            let chosen: Vec<String> = chosen.into_iter().cloned().collect();
            assert_eq!(question.score(&chosen), Ok(score), "{chosen:?}");
        }
        assert_eq!(question.score(&["7 apples".to_owned()]), Err("7 apples".to_owned()));
    }

    #[test]
    fn what_no_record_has_is_reported() {
        for (old, new, said) in [
            ("is = \"100 * sectors\"", "is = \"1 / 0\"", "divides by zero"),
            ("100 * sectors", "nobody", "`nobody` has no value"),
            (
                "lab-5-5 stencil constant 32 global_load_s",
                "lab-5-6 stencil constant 32 global_load_s",
                "no record `h200/lab-5-6`",
            ),
            ("constant 32 global_load_s", "constance 32 global_load_s", "constance"),
            ("100 * sectors", "sectors / requests", "two of its choices are"),
            ("{answer} each", "{anwser} each", "no value named `anwser`"),
            ("id = \"one\"", "id = \"One\"", "its id is not of lower-case"),
        ] {
            let error = with(old, new).map(|_| ()).expect_err(new);
            assert!(error.starts_with("question `") && error.contains(said), "{error}");
        }
    }
}
