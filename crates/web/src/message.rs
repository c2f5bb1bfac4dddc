//! Messages as a page's editor marks them.
//!
//! Enters: diagnostics, and the files of their places. Leaves: objects with lines from 1 and columns from 1 in units of
//! UTF-16, as scripts count them; the end is after the last one. This module must never know what was compiled.

use cuda::diagnostic::{Diagnostic, Located, Place, Severity, locate};
use cuda::source::{Sources, Span};
use serde_json::{Value, json};

/// The messages about the reader's files of these names, in the order of their places; those without one come first, at the beginning.
pub(crate) fn messages(diagnostics: &[Diagnostic], sources: &Sources, names: &[&str]) -> Vec<Value> {
    let nowhere = diagnostics.iter().filter(|one| one.span == Span::NOWHERE);
    let nowhere = nowhere.map(|one| {
        let file = names.first().map_or_else(String::new, |name| (*name).to_owned());
        let start = Place { file, line: 1, column: 1, end_line: 1, end_column: 1 };
        let said = Said { severity: one.severity, words: &one.message, label: "", help: one.help.as_deref() };
        message(one.code, &said, spread(&start, ""), vec![])
    });
    nowhere.chain(locate(diagnostics, sources).iter().map(|one| located(one, sources, names))).collect()
}

/// A message about a line of a text, all of it.
pub(crate) fn of_line(text: &str, line: u32, words: &str) -> Value {
    let length =
        text.lines().nth(line.saturating_sub(1) as usize).map_or(0, |line| line.encode_utf16().count());
    let place = Place { file: String::new(), line, column: 1, end_line: line, end_column: length as u32 + 1 };
    let said = Said { severity: Severity::Error, words, label: "", help: None };
    message("", &said, spread(&place, ""), vec![])
}

fn located(one: &Located, sources: &Sources, names: &[&str]) -> Value {
    let named = |place: &Place| names.contains(&&*place.file);
    let text = |place: &Place| {
        sources.files().iter().find(|file| file.name == place.file).map_or("", |file| &*file.text)
    };
    // What is wrong in a header of ours was caused by the reader's file.
    let own = std::iter::once(&one.place).chain(one.related.iter().map(|(place, _)| place));
    let place = own.clone().find(|place| named(place)).unwrap_or(&one.place);
    let related = one.related.iter().filter(|(place, _)| named(place));
    let related = related.map(|(place, words)| {
        let mut all = spread(place, text(place));
        all["text"] = words.as_str().into();
        all
    });
    let said =
        Said { severity: one.severity, words: &one.message, label: &one.label, help: one.help.as_deref() };
    message(one.code, &said, spread(place, text(place)), related.collect())
}

/// What a message says.
struct Said<'a> {
    severity: Severity,
    words: &'a str,
    label: &'a str,
    help: Option<&'a str>,
}

fn message(code: &str, said: &Said<'_>, mut place: Value, related: Vec<Value>) -> Value {
    let severity = match said.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    place["severity"] = severity.into();
    place["code"] = code.into();
    place["text"] = said.words.into();
    place["label"] = said.label.into();
    place["help"] = said.help.map_or(Value::Null, Value::from);
    place["related"] = related.into();
    place
}

/// A place's lines and columns in a text.
fn spread(place: &Place, text: &str) -> Value {
    let column = |line: u32, column: u32| {
        let line = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
        let before = column.saturating_sub(1) as usize;
        let wide = line.chars().take(before).filter(|c| c.len_utf16() == 2).count();
        column as usize + wide
    };
    json!({
        "file": place.file,
        "line": place.line,
        "column": column(place.line, place.column),
        "endLine": place.end_line,
        "endColumn": column(place.end_line, place.end_column),
    })
}
