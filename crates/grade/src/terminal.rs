//! Summary of the grades for the terminal.
//!
//! Enters: grades. Leaves: text with ANSI styles, which the caller strips where they are not wanted.

use crate::coursework::Coursework;
use crate::graded::Graded;
use crate::points::percent;
use crate::submissions::NOBODY;
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::BTreeMap;
use std::path::Path;

const WIDTH: u16 = 80;

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

/// What became of exercises and answers; nothing where there are none.
pub(crate) fn work(work: &Coursework, sheet: &Path, seed: Option<u64>) -> String {
    let mut text = String::new();
    if work.runs + work.kept > 0 {
        text += &format!("{} different sources of exercises were checked", work.runs);
        text += &if work.kept > 0 { format!(", {} had been before\n", work.kept) } else { "\n".to_owned() };
        if seed.is_some_and(|seed| seed < LEAST_SEED) {
            text += "the seed is short: whoever tries all such numbers finds it by the sizes of hidden cases that\n";
            text += "reports name; choose one of 15 digits or more if you grade with it again\n";
        }
    }
    if let unmarked @ 1.. = work.sheet.unmarked() {
        text += &format!(
            "{PART}{unmarked} criteria of answers in words wait for your points{PART:#}: {}, then --resume\n",
            sheet.display()
        );
    }
    if let changed @ 1.. = work.sheet.changed {
        text += &format!("marks of answers that have changed since: {changed}; the sheet remarks on them\n");
    }
    if let left @ 1.. = work.sheet.left_over() {
        text +=
            &format!("marks of answers that are not there any more: {left}; they stay at the sheet's end\n");
    }
    text
}

/// One row per student, and the number of files of each status.
pub(crate) fn summary(graded: &[Graded], runs: usize, kept: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(["student", "points", "of", "%", "files", "to look at"]);
    let mut files = BTreeMap::<String, usize>::new();
    for of in graded {
        let mut flags: Vec<&str> = Vec::new();
        for flag in of.rows.iter().flat_map(|row| &row.flags) {
            if !flags.contains(&flag.as_str()) {
                flags.push(flag);
            }
        }
        for row in &of.rows {
            *files.entry(row.status.to_string()).or_default() += 1;
        }
        let listed = of.rows.iter().filter(|row| !row.file.is_empty()).count();
        let percent = percent(of.points.per_mille(of.of));
        let student = if of.student == NOBODY { "(nobody's)" } else { &of.student };
        table.add_row([
            student.to_owned(),
            of.points.to_string(),
            of.of.to_string(),
            percent,
            listed.to_string(),
            flags.join(", "),
        ]);
    }
    for column in table.column_iter_mut() {
        if (1..=4).contains(&column.index) {
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
    let flagged = graded.iter().filter(|of| of.rows.iter().any(|row| !row.flags.is_empty())).count();
    text += &format!("\n{students} students; labs were rerun {runs} times\n");
    if kept > 0 {
        text += &format!("{kept} records had been graded before and were kept\n");
    }
    text += &wrapped("files: ", &files);
    if flagged > 0 {
        text += &format!("{PART}{flagged} have flags for a person to follow up{PART:#}\n");
    }
    text
}
