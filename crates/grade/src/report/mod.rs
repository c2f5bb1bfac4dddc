//! A student's report.
//!
//! Enters: a student's grade. Leaves: Markdown for the student, which names no other student; and a file name for it.

pub(crate) mod output;
pub(crate) mod table;
pub(crate) mod terminal;

use crate::fields;
use crate::graded::{Graded, Row};
use crate::judge::Outcome;
use crate::points::{Points, percent};
use crate::submissions::{NOBODY, Student};
use crate::text;
use crate::work::{GradedWork, Kind, Part, State};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// File names of the reports, one per student, distinct on every file system; empty for files that belong to no
/// student.
pub(crate) fn names(students: &[Student]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |of: &Student| {
        if of.name == NOBODY {
            return String::new();
        }
        let safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
        let mut plain: String = of.name.chars().map(|c| if safe(c) { c } else { '_' }).take(60).collect();
        // Neither hidden nor like a command's option, and without trailing characters that Windows drops.
        plain = plain.trim_start_matches(['.', '-', ' ']).trim_end_matches(['.', ' ']).to_owned();
        let hash = kernels::sha256(&of.name);
        let is_marked = plain != of.name || is_reserved(&plain);
        let marked = (8..=hash.len()).step_by(8).map(|digits| format!("{plain}-{}", &hash[..digits]));
        let mut names = (!is_marked).then(|| plain.clone()).into_iter().chain(marked);
        let name = names.find(|name| taken.insert(name.to_lowercase())).unwrap_or(hash.clone());
        format!("{name}.md")
    };
    students.iter().map(name).collect()
}

/// Most characters of the checker's words on one exercise.
const MOST_OF_DETAIL: usize = 8_000;

/// First words of every report.
const BEGINNING: &str = "# Grade of ";

/// Path of a report that exists already and was not written by a grading.
pub(crate) fn foreign(out: &Path, names: &[String]) -> Option<PathBuf> {
    let is_foreign = |path: &PathBuf| {
        let mut start = vec![0; BEGINNING.len()];
        let mut begins = || File::open(path)?.read_exact(&mut start).map(|()| start == BEGINNING.as_bytes());
        match path.symlink_metadata() {
            // A pipe, say, is not opened.
            Ok(metadata) => !metadata.is_file() || !begins().unwrap_or(false),
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        }
    };
    names.iter().filter(|name| !name.is_empty()).map(|name| out.join(name)).find(is_foreign)
}

/// Whether Windows reserves the name for a device, whatever its extension.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |start| stem.strip_prefix(start).is_some_and(|rest| rest.len() == 1);
    matches!(stem.as_str(), "" | "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// Text of a student's report.
pub(crate) fn markdown(of: &Graded) -> String {
    let mut page = format!("{BEGINNING}{}\n\n", text::code(&of.student));
    // Writing to a string does not fail.
    let _ =
        writeln!(page, "**{} of {} points ({} %)**\n", of.points, of.of, percent(of.points.per_mille(of.of)));
    page += "| file | lab | result | points | of | counts |\n| --- | --- | --- | ---: | ---: | --- |\n";
    for row in &of.rows {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} |",
            if row.file.is_empty() { "–".to_owned() } else { text::code(&row.file) },
            row.lab.unwrap_or("–"),
            row.status,
            row.points,
            row.of,
            if row.counts { "yes" } else { "no" }
        );
    }
    for lab in &of.missing {
        let _ = writeln!(page, "| – | {lab} | missing | 0 | | yes |");
    }
    if of.rows.iter().any(|row| row.lab.is_some()) {
        page += "\nOf several records of one lab the best one counts.\n";
    }
    if let Some(work) = &of.work {
        page += &of_work(work, &of.rows);
    }
    for row in of.rows.iter().filter(|row| !row.lines.is_empty() || !row.why.is_empty()) {
        page += &section(row);
    }
    page
}

/// Exercises and answers: a table for each kind, then the checker's words on each exercise that has no points.
fn of_work(work: &GradedWork, rows: &[Row]) -> String {
    let mut page = String::from("\n## Exercises and answers\n\n");
    let broken = rows.iter().find(|row| row.file.ends_with(".toml"));
    let _ = match (work.file.as_str(), broken) {
        ("", Some(row)) => {
            let (file, why) = (text::code(&row.file), row.why.as_str());
            let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
            writeln!(page, "{file} is {}, so there is nothing in it to grade{why}.", row.status)
        }
        ("", None) => writeln!(page, "No file of `workbook submit` was handed in."),
        (file, _) => writeln!(
            page,
            "From {}, the work of {}, written {}.",
            text::code(file),
            work.by,
            text::code(&work.when)
        ),
    };
    for note in &work.notes {
        let _ = writeln!(page, "\nNote: {note}.");
    }
    for kind in Kind::ALL.into_iter().filter(|kind| work.kind(*kind).next().is_some()) {
        let _ = writeln!(
            page,
            "\n| {kind} | chapter | points | of | | why |\n| --- | --- | ---: | ---: | --- | --- |"
        );
        for part in work.kind(kind) {
            let mark = match part.state {
                State::Open | State::Unmarked => "?",
                State::Beside => "–",
                State::Graded if part.points == part.of => "✓",
                State::Graded if part.points > Points::default() => "◐",
                State::Graded | State::Missing => "✗",
            };
            let Part { id, chapter, points, of, why, .. } = part;
            let _ = writeln!(page, "| `{id}` | {chapter} | {points} | {of} | {mark} | {why} |");
        }
        let sum = |of: fn(&Part) -> Points| work.kind(kind).map(of).sum::<Points>();
        let _ = writeln!(page, "| | | **{}** | **{}** | | |", sum(|part| part.points), sum(|part| part.of));
    }
    for part in work.parts.iter().filter(|part| !part.detail.is_empty()) {
        let _ = write!(page, "\n### `{}`\n\n{}", part.id, text::block(&part.detail, MOST_OF_DETAIL));
    }
    page
}

fn section(row: &Row) -> String {
    let mut page = match row.file.as_str() {
        "" => "\n## No files\n\n".to_owned(),
        file => format!("\n## {}\n\n", text::code(file)),
    };
    if !row.device.is_empty() {
        let _ = writeln!(page, "On {}, begun {}.\n", text::code(&row.device), text::code(&row.when));
    }
    if !row.why.is_empty() {
        let _ = writeln!(page, "{}: {}.", row.status, row.why);
    }
    if row.lines.is_empty() {
        return page;
    }
    page += if row.why.is_empty() { "" } else { "\n" };
    page += "| check | points | of | | why |\n| --- | ---: | ---: | --- | --- |\n";
    for line in &row.lines {
        let mark = match line.finding.outcome {
            Outcome::Beside => "–",
            Outcome::Open => "?",
            Outcome::Part(good, of) if good == of && of > 0 => "✓",
            Outcome::Part(0, _) => "✗",
            Outcome::Part(..) => "◐",
        };
        let _ = writeln!(
            page,
            "| {} | {} | {} | {mark} | {} |",
            line.what.replace('|', "\\|"),
            line.points,
            line.of,
            line.finding.why
        );
    }
    page += "\n✓ all of it, ◐ a part, ✗ none, ? could not be found out, – not about this record\n";
    let unchecked = fields::unchecked(row.is_measured).map(text::code).collect::<Vec<_>>().join(", ");
    let _ = writeln!(page, "\nCannot be checked: {unchecked}.");
    page
}
