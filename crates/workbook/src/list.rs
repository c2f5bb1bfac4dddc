//! The list of exercises to choose from: a selection that moves, and filters.
//!
//! Enters: rows, keys, the window's size. Leaves: a text that fits, and what was chosen. This module must never know how
//! anything is checked.

use anstyle::{AnsiColor, Style};
use crossterm::event::KeyCode;
use std::fmt::Write as _;

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();
const SELECTED: Style = Style::new().invert();

/// State of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    New,
    Begun,
    Done,
}

/// A row: an exercise.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) chapter: String,
    pub(crate) title: String,
    pub(crate) points: u32,
    pub(crate) state: State,
    pub(crate) current: bool,
}

impl Row {
    /// The row as a line, without its end.
    pub(crate) fn line(&self) -> String {
        let (style, mark) = match self.state {
            State::Done => (GOOD, "done"),
            State::Begun => (WARN, "begun"),
            State::New => (NOTE, ""),
        };
        let current = if self.current { ">" } else { " " };
        let points = format!("{} pt", self.points);
        let Row { name, title, .. } = self;
        format!("{current} {name:<24} {style}{mark:<6}{style:#} {points:>5}  {title}")
    }
}

/// Which rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    All,
    Done,
    Pending,
}

impl Filter {
    fn takes(self, row: &Row) -> bool {
        match self {
            Filter::All => true,
            Filter::Done => row.state == State::Done,
            Filter::Pending => row.state != State::Done,
        }
    }
}

/// A key's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Stay,
    Leave,
    /// Continue at the exercise of this number.
    Continue(usize),
    /// Start it over.
    Reset(usize),
}

/// The state of the list.
pub(crate) struct List {
    /// Number of the selected exercise.
    selected: usize,
    filter: Filter,
}

impl List {
    pub(crate) fn new(selected: usize) -> Self {
        List { selected, filter: Filter::All }
    }

    /// Numbers of the rows that are shown.
    fn shown(&self, rows: &[Row]) -> Vec<usize> {
        rows.iter().enumerate().filter(|(_, row)| self.filter.takes(row)).map(|(at, _)| at).collect()
    }

    /// Effect of a key.
    pub(crate) fn press(&mut self, key: KeyCode, rows: &[Row]) -> Choice {
        let shown = self.shown(rows);
        let at = shown.iter().position(|at| *at == self.selected);
        let to = |at: usize| shown.get(at).copied();
        let selected = match key {
            KeyCode::Down | KeyCode::Char('j') => to(at.map_or(0, |at| at + 1)),
            KeyCode::Up | KeyCode::Char('k') => at.and_then(|at| to(at.checked_sub(1)?)),
            KeyCode::PageDown => to((at.unwrap_or(0) + 10).min(shown.len().saturating_sub(1))),
            KeyCode::PageUp => to(at.unwrap_or(0).saturating_sub(10)),
            KeyCode::Home | KeyCode::Char('g') => shown.first().copied(),
            KeyCode::End | KeyCode::Char('G') => shown.last().copied(),
            KeyCode::Char('d') => return self.choose_filter(Filter::Done, rows),
            KeyCode::Char('p') => return self.choose_filter(Filter::Pending, rows),
            KeyCode::Char('c') | KeyCode::Enter => {
                return at.map_or(Choice::Stay, |_| Choice::Continue(self.selected));
            }
            KeyCode::Char('r') => return at.map_or(Choice::Stay, |_| Choice::Reset(self.selected)),
            KeyCode::Char('q' | 'l') | KeyCode::Esc => return Choice::Leave,
            _ => None,
        };
        self.selected = selected.unwrap_or(self.selected);
        Choice::Stay
    }

    /// Chooses a filter; the same again takes it away.
    fn choose_filter(&mut self, filter: Filter, rows: &[Row]) -> Choice {
        self.filter = if self.filter == filter { Filter::All } else { filter };
        let shown = self.shown(rows);
        if !shown.contains(&self.selected) {
            self.selected = shown.first().copied().unwrap_or(self.selected);
        }
        Choice::Stay
    }

    /// The list in a window of this size, with `said` at its foot.
    pub(crate) fn draw(&self, rows: &[Row], bar: &str, columns: usize, lines: usize, said: &str) -> String {
        let shown = self.shown(rows);
        let room = lines.saturating_sub(6).max(1);
        let at = shown.iter().position(|at| *at == self.selected).unwrap_or(0);
        let first = at.saturating_sub(room / 2).min(shown.len().saturating_sub(room));
        let mut text = format!("{HEAD}  {:<24} {:<6} {:>5}  Title{HEAD:#}\n", "Name", "State", "Pts");
        for at in shown.iter().skip(first).take(room) {
            let Some(row) = rows.get(*at) else { continue };
            let line = row.line();
            let plain = anstream::adapter::strip_str(&line).to_string();
            let cut: String = plain.chars().take(columns.saturating_sub(1)).collect();
            let line = match *at == self.selected {
                true => format!("{SELECTED}{cut}{SELECTED:#}"),
                // A line that is too long loses its colours with its end.
                false if cut.len() < plain.len() => cut,
                false => line,
            };
            let _ = writeln!(text, "{line}");
        }
        if shown.is_empty() {
            let _ = writeln!(text, "{NOTE}  none{NOTE:#}");
        }
        let chapter = rows.get(self.selected).filter(|_| !shown.is_empty()).map_or("", |row| &row.chapter);
        let (done, pending) = match self.filter {
            Filter::All => ("d:done", "p:pending"),
            Filter::Done => ("d:all", "p:pending"),
            Filter::Pending => ("d:done", "p:all"),
        };
        let keys = format!("↓/j ↑/k g G | c:continue here / r:reset / {done} / {pending} / q:back");
        let foot = if said.is_empty() { format!("{NOTE}{chapter}{NOTE:#}\n") } else { said.to_owned() };
        let keys: String = keys.chars().take(columns.saturating_sub(1)).collect();
        format!("{text}\n{bar}\n{foot}{keys}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let row = |at: usize| Row {
            name: format!("exercise_{at}"),
            chapter: "tiling".to_owned(),
            title: "Do it".to_owned(),
            points: 2,
            state: [State::Done, State::Begun, State::New][at % 3],
            current: at == 1,
        };
        (0..9).map(row).collect()
    }

    fn plain(list: &List, columns: usize, lines: usize) -> Vec<String> {
        let text = list.draw(&rows(), "Progress: 3/9", columns, lines, "");
        anstream::adapter::strip_str(&text).to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_selection_moves_and_stays_inside() {
        let rows = rows();
        let mut list = List::new(1);
        for (key, at) in [
            (KeyCode::Char('j'), 2),
            (KeyCode::Up, 1),
            (KeyCode::Home, 0),
            (KeyCode::Up, 0),
            (KeyCode::End, 8),
            (KeyCode::Down, 8),
            (KeyCode::PageUp, 0),
            (KeyCode::Char('?'), 0),
        ] {
            assert_eq!((list.press(key, &rows), list.selected), (Choice::Stay, at), "{key:?}");
        }
        assert_eq!(list.press(KeyCode::Char('c'), &rows), Choice::Continue(0));
        assert_eq!(list.press(KeyCode::Char('r'), &rows), Choice::Reset(0));
        assert_eq!(list.press(KeyCode::Char('q'), &rows), Choice::Leave);
    }

    #[test]
    fn a_filter_is_taken_away_by_its_key() {
        let rows = rows();
        let mut list = List::new(1);
        list.press(KeyCode::Char('d'), &rows);
        assert_eq!((list.shown(&rows), list.selected), (vec![0, 3, 6], 0));
        list.press(KeyCode::Char('p'), &rows);
        assert_eq!((list.shown(&rows), list.selected), (vec![1, 2, 4, 5, 7, 8], 1));
        list.press(KeyCode::Char('p'), &rows);
        assert_eq!(list.shown(&rows).len(), 9);
        // Where nothing is done, there is nothing to choose.
        let none: Vec<Row> = rows.into_iter().filter(|row| row.state != State::Done).collect();
        let mut list = List::new(0);
        list.press(KeyCode::Char('d'), &none);
        assert_eq!(list.press(KeyCode::Char('c'), &none), Choice::Stay);
        assert!(list.draw(&none, "", 80, 24, "").contains("none"));
    }

    #[test]
    fn the_list_fits_every_window() {
        for (columns, lines) in [(80, 24), (30, 8), (1, 1), (200, 100)] {
            let mut list = List::new(0);
            for _ in 0..9 {
                let text = plain(&list, columns, lines);
                assert!(text.len() <= lines.max(7), "{columns} x {lines}: {text:#?}");
                let selected = format!("exercise_{}", list.selected);
                assert!(columns < 30 || text.iter().any(|line| line.contains(&selected)), "{text:#?}");
                list.press(KeyCode::Down, &rows());
            }
        }
    }
}
