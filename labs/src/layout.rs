//! Lines of at most 80 columns: tables, paragraphs, and words that are set off.
//!
//! Enters: text and numbers. Leaves: lines with ANSI styles, which the code that prints them strips where they are not wanted.
//! This module must never know what the lines say.

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use render::format;

pub(crate) const WIDTH: u16 = 80;

pub(crate) const HEAD: Style = Style::new().bold();
pub(crate) const NOTE: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const PART: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

pub(crate) fn empty() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table
}

/// Numbers are right-aligned: all columns from `first` on.
pub(crate) fn right(mut table: Table, first: usize) -> Table {
    for column in table.column_iter_mut() {
        if column.index >= first {
            column.set_cell_alignment(CellAlignment::Right);
        }
        column.set_padding((0, 1));
    }
    table
}

/// Two spaces between columns, where headings of several lines would run into each other at one. No word of a heading is
/// broken.
pub(crate) fn apart(mut table: Table) -> Table {
    const GAP: u16 = 2;
    let words: Vec<u16> = table
        .header()
        .map(|row| row.cell_iter().map(|cell| longest_word(&cell.content())).collect())
        .unwrap_or_default();
    let last = table.column_count().saturating_sub(1);
    for (column, word) in table.column_iter_mut().zip(words) {
        let gap = if column.index == last { 0 } else { GAP };
        column.set_padding((0, gap));
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(word + gap)));
    }
    table
}

fn longest_word(text: &str) -> u16 {
    text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0) as u16
}

/// Removes the space before a table's first column.
pub(crate) fn flush(mut table: Table) -> Table {
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table
}

pub(crate) fn lines(table: &Table) -> String {
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Wrapped to the width.
pub(crate) fn paragraph(text: &str) -> String {
    let mut table = empty();
    table.add_row([plain(text)]);
    lines(&flush(table))
}

/// Wrapped to the width, with a mark before the first line under which the others begin.
pub(crate) fn item(mark: &str, text: &str) -> String {
    let mut table = empty();
    table.add_row([mark.to_owned(), plain(text)]);
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    lines(&table)
}

/// Styles the word with which a line begins.
pub(crate) fn colour(text: &str, word: impl Fn(&str) -> Option<(&'static str, Style)>) -> String {
    text.lines()
        .map(|line| match word(line) {
            Some((word, style)) => format!("{}{}\n", styled(style, word), &line[word.len()..]),
            None => format!("{line}\n"),
        })
        .collect()
}

pub(crate) fn number(value: f64) -> String {
    plain(&format::number(value))
}

pub(crate) fn quantity(value: f64, unit: &str) -> String {
    plain(&format::quantity(value, unit))
}

/// Spaces as the terminal has them.
pub(crate) fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_two_spaces_apart_and_none_of_their_words_is_broken() {
        let mut table = empty();
        let wide = "interactions of all bodies with all others and with themselves (billion/s)";
        table.set_header(["the variant of the kernel, by where it finds what it reads", wide, wide]);
        table.add_row(["constant memory", "151", "151"]);
        let shown = lines(&apart(right(table, 1)));
        assert!(wide.split(' ').all(|word| shown.contains(word)), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= usize::from(WIDTH)), "{shown}");
        let row = shown.lines().last().unwrap_or_default();
        assert!(row.starts_with("constant memory  ") && row.contains("151  "), "{shown}");
    }
}
