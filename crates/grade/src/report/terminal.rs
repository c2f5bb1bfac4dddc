//! Summary of the grades for the terminal.
//!
//! Enters: grades. Leaves: text with ANSI styles, which the caller strips where they are not wanted.

use crate::coursework::Coursework;
use crate::graded::{Graded, Row};
use crate::marks;
use crate::points::{Points, percent};
use crate::similar::flags;
use crate::status::Status;
use crate::submissions::NOBODY;
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const WIDTH: u16 = 80;

/// Names that a line shows; the rest are counted.
const MOST_NAMES: usize = 5;

/// Seeds below can be found by trying them all.
const LEAST_SEED: u64 = 100_000_000_000_000;

const HEAD: Style = Style::new().bold();
const PART: Style = AnsiColor::Yellow.on_default();

/// Items separated by commas, wrapped to the terminal's width.
fn wrapped(head: &str, items: &[String]) -> String {
    let mut lines = vec![head.to_owned()];
    for (at, item) in items.iter().enumerate() {
        let item = if at + 1 < items.len() { format!("{item}, ") } else { item.clone() };
        match lines.last_mut() {
            Some(line) if line.chars().count() + item.trim_end().chars().count() <= usize::from(WIDTH) => {
                *line += &item
            }
            _ => lines.push(format!("{:1$}{item}", "", head.chars().count())),
        }
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Summary of exercises and answers; nothing where there are none.
pub(crate) fn work(work: &Coursework, out: &Path, seed: Option<u64>) -> String {
    let mut text = String::new();
    if work.runs + work.kept > 0 {
        let sources = many(work.runs, "different source");
        text += &format!("{sources} of exercises {} checked", if work.runs == 1 { "was" } else { "were" });
        text += &if work.kept > 0 { format!(", {} had been before\n", work.kept) } else { "\n".to_owned() };
        if seed.is_some_and(|seed| seed < LEAST_SEED) {
            text += "the seed is short: trying all such numbers finds it by the sizes of hidden cases that\n";
            text += "reports name; choose one of 15 digits or more if you grade with it again\n";
        }
    }
    if let unmarked @ 1.. = work.sheet.unmarked() {
        let wait = if unmarked == 1 {
            "criterion of an answer in words waits"
        } else {
            "criteria of answers in words wait"
        };
        text += &format!(
            "{PART}{unmarked} {wait} for your points{PART:#}: {}, then --resume\n",
            out.join(marks::NAME).display()
        );
    }
    if let pairs @ 1.. = work.alike.pairs {
        text += &format!(
            "{} with sources that are alike, a reason to look, not a verdict: {} shows what they share\n",
            many(pairs, "pair"),
            out.join(flags::NAME).display()
        );
    }
    if let changed @ 1.. = work.sheet.changed {
        text += &format!("marks of answers that have changed since: {changed}; the sheet notes them\n");
    }
    if let left @ 1.. = work.sheet.left_over() {
        text +=
            &format!("marks of answers that no longer exist: {left}; they stay at the end of the sheet\n");
    }
    text
}

/// Students in the table of seeds who handed in nothing; nothing where there are none.
pub(crate) fn absent(students: &[&str]) -> String {
    if students.is_empty() {
        return String::new();
    }
    wrapped(&format!("{} of those in --seeds handed in nothing: ", students.len()), &few(students))
}

/// The first of these names, and how many more there are.
fn few(names: &[&str]) -> Vec<String> {
    // Of one more than are shown, the name takes no more room than the count.
    let shown = if names.len() <= MOST_NAMES + 1 { names.len() } else { MOST_NAMES };
    let mut few: Vec<String> = names[..shown].iter().map(|name| (*name).to_owned()).collect();
    if let more @ 1.. = names.len() - shown {
        few.push(format!("and {more} more"));
    }
    few
}

/// Beginning of a flag, which is its kind.
fn kind(flag: &str) -> &str {
    flag.split(':').next().unwrap_or_default()
}

/// For each kind of flag the students who have one, and where all flags are; nothing where there are none.
fn flags(graded: &[Graded], sheet: &Path) -> String {
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for of in graded {
        for flag in of.rows.iter().flat_map(|row| &row.flags) {
            let students = kinds.entry(kind(flag)).or_default();
            if students.last() != Some(&of.student.as_str()) {
                students.push(&of.student);
            }
        }
    }
    if kinds.is_empty() {
        return String::new();
    }
    let flagged = graded.iter().filter(|of| of.rows.iter().any(|row| !row.flags.is_empty())).count();
    let mut text = format!(
        "\n{PART}{flagged} {} flags{PART:#}: hints to look, never verdicts; all are in {}\n",
        if flagged == 1 { "has" } else { "have" },
        sheet.display()
    );
    let width = kinds.keys().map(|kind| kind.len()).max().unwrap_or(0);
    for (kind, students) in &kinds {
        text += &wrapped(&format!("  {kind:width$}  "), &few(students));
    }
    text
}

/// One row per student, and the number of files of each status.
pub(crate) fn summary(graded: &[Graded], runs: usize, kept: usize, sheet: &Path) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(["student", "points", "of", "%", "files", "flags"]);
    let mut files = BTreeMap::<String, usize>::new();
    for of in graded {
        let flags: usize = of.rows.iter().map(|row| row.flags.len()).sum();
        for row in &of.rows {
            *files.entry(row.status.to_string()).or_default() += 1;
        }
        let listed = of.rows.iter().filter(|row| !row.file.is_empty()).count();
        let percent = percent(of.points.per_mille(of.of));
        let student = if of.student == NOBODY { "(no student)" } else { &of.student };
        table.add_row([
            student.to_owned(),
            of.points.to_string(),
            of.of.to_string(),
            percent,
            listed.to_string(),
            if flags > 0 { flags.to_string() } else { String::new() },
        ]);
    }
    for column in table.column_iter_mut() {
        if column.index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
        column.set_padding((0, 2));
    }
    let mut text = String::new();
    for (at, line) in table.lines().enumerate() {
        let (line, style) = (line.trim_end().to_owned(), if at == 0 { HEAD } else { Style::new() });
        text += &format!("{style}{line}{style:#}\n");
    }
    let students = graded.iter().filter(|of| of.student != NOBODY).count();
    let files: Vec<String> = files.iter().map(|(status, count)| format!("{count} {status}")).collect();
    text += &flags(graded, sheet);
    text += &format!("\n{}; labs were rerun {}\n", many(students, "student"), many(runs, "time"));
    if kept > 0 {
        let were = if kept == 1 { "was" } else { "were" };
        text += &format!("{} had been graded before and {were} kept\n", many(kept, "record"));
    }
    text += &wrapped("files: ", &files);
    text += &unread(graded);
    text
}

/// A number of things, such as `1 file` or `2 files`.
pub(crate) fn many(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// Coverage of the grades, where the rules do not state it for everybody. `assigned` and `chapters`: whether the rules name labs,
/// and chapters.
pub(crate) fn covered(graded: &[Graded], assigned: bool, chapters: bool) -> &'static str {
    let totals: BTreeSet<_> = graded.iter().map(|of| of.of).filter(|of| *of != Points::default()).collect();
    match (totals.len() > 1, assigned, chapters) {
        (true, true, true) => {
            "grades are out of different totals, since what was not graded, waits for marks or is about another\n\
             version of the book does not count; the reports say what of it each student has\n"
        }
        (true, true, false) => {
            "grades are out of different totals, since exercises and questions count only for those who handed some in;\n\
             `chapters` in a file of --rules makes them equal (crates/grade/course.toml is such a file)\n"
        }
        (true, false, _) => {
            "grades are out of different totals, since each covers what its student handed in; labs and chapters in a\n\
             file of --rules make them equal (crates/grade/course.toml is such a file)\n"
        }
        (false, true, _) => "",
        (false, false, _) => "the rules assign no labs, so a grade covers the labs handed in\n",
    }
}

/// Students with files that could not be read: honest ones want to know soon. Nothing where there are none.
fn unread(graded: &[Graded]) -> String {
    let is_unread = |of: &&Graded| {
        let has_work = of.rows.iter().any(|row| row.counts);
        let is_lost = |row: &Row| row.status.is_unread() || row.status == Status::Ignored && !has_work;
        of.student != NOBODY && of.rows.iter().any(is_lost)
    };
    let students: Vec<&str> = graded.iter().filter(is_unread).map(|of| of.student.as_str()).collect();
    if students.is_empty() {
        return String::new();
    }
    let head = format!("{} handed in files that could not be read; their reports say why:", students.len());
    format!("{PART}{head}{PART:#}\n") + &wrapped("  ", &few(&students))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_the_first_are_shown_and_the_others_counted() {
        let names: Vec<String> = (1..=200).map(|n| format!("s{n}")).collect();
        let few = |n: usize| few(&names[..n].iter().map(String::as_str).collect::<Vec<_>>()).join(", ");
        assert_eq!(few(1), "s1");
        assert_eq!(few(6), "s1, s2, s3, s4, s5, s6");
        assert_eq!(few(7), "s1, s2, s3, s4, s5, and 2 more");
        assert_eq!(few(200), "s1, s2, s3, s4, s5, and 195 more");
    }

    #[test]
    fn different_totals_are_reported_with_what_makes_them_equal() {
        let graded = |of: &[u32]| -> Vec<Graded> {
            let one = |of: &u32| Graded {
                student: "ada".into(),
                rows: vec![],
                points: Points::default(),
                of: Points::whole(*of),
                missing: vec![],
                work: None,
            };
            of.iter().map(one).collect()
        };
        assert!(covered(&graded(&[172, 185]), true, false).contains("`chapters`"));
        assert!(covered(&graded(&[172, 185]), false, true).contains("labs and chapters in a"));
        // They do not differ because of missing rules.
        let all = covered(&graded(&[172, 185]), true, true);
        assert!(all.contains("waits for marks") && !all.contains("course.toml"), "{all}");
        // A student who handed in nothing that can be read has no total.
        assert_eq!(covered(&graded(&[13, 13, 0]), true, true), "");
        assert!(covered(&graded(&[13, 13]), false, false).contains("assign no labs"));
    }
}
