//! A matrix as rows of elements, coloured by the groups that touched them.
//!
//! Enters: a matrix with the accesses to its elements, and its place on the sheet. Leaves: elements, borders, names and
//! sizes. This module must never know which other matrices are drawn.

use super::grid_accesses::{AccessedMatrix, Area, ElementAccesses};
use super::lanes::SPARSE;
use super::sheet::{SMALL, Sheet};
use super::words::bytes;
use crate::drawing::{Line, Paint, width};
use crate::format::plural;
use crate::{Error, format};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;
use record::Matrix;
use std::collections::BTreeSet;

const SECTOR: u64 = 32;
const LINE: u64 = 128;
/// Width of an element from which on lines separate it from its neighbours.
const RULED: f64 = 4.5;

/// Text in the elements, and their colours.
#[derive(Clone, Copy)]
pub(super) enum Inside<'a> {
    /// Thread that touched an element, on a tint of its group.
    Threads,
    /// Names of groups, on their colours.
    Groups(&'a [String]),
}

impl Inside<'_> {
    /// Paint of an element that a group touched.
    pub(super) fn paint(self, group: usize) -> Paint {
        match self {
            Inside::Threads => Paint::Tint(group),
            Inside::Groups(_) => Paint::Series(group),
        }
    }
}

/// Size of an element as drawn, and position of the first one.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) across: f64,
    pub(super) down: f64,
}

impl Scale {
    /// Left end of a column.
    fn column(self, n: u64) -> f64 {
        self.x + n as f64 * self.across
    }

    /// Top of a row.
    fn row(self, n: u64) -> f64 {
        self.y + n as f64 * self.down
    }
}

/// A matrix and its place on the sheet.
struct Placed<'a> {
    seen: &'a AccessedMatrix<'a>,
    at: Scale,
    /// Elements of a row, and those of them that are not padding.
    all: u64,
    used: u64,
    /// Lower end of the last row.
    bottom: f64,
}

/// Draws a matrix and moves the sheet below it.
pub(super) fn draw(
    sheet: &mut Sheet<'_>,
    seen: &AccessedMatrix<'_>,
    at: Scale,
    inside: Inside<'_>,
) -> Result<(), Error> {
    let Matrix { rows, row_bytes, used_bytes, element_bytes, halo, sectors, .. } = *seen.matrix;
    let element = u64::from(element_bytes);
    let (all, used, bottom) = (row_bytes / element, used_bytes / element, at.row(u64::from(rows)));
    let matrix = Placed { seen, at, all, used, bottom };
    matrix.elements(sheet, inside)?;
    matrix.rules(sheet)?;
    if sectors {
        matrix.sector_borders(sheet)?;
    }
    matrix.outline(sheet)?;
    match inside {
        Inside::Threads => matrix.threads(sheet)?,
        Inside::Groups(names) => matrix.names(sheet, names)?,
    }
    matrix.row_numbers(sheet)?;
    if halo > 0 {
        matrix.halo(sheet)?;
        sheet.y = bottom + 22.0;
    } else {
        sheet.y = bottom + matrix.row_sizes(sheet)?;
    }
    Ok(())
}

impl Placed<'_> {
    /// The padding and the elements touched. Neighbours that look alike are one area; several groups share an element's
    /// height.
    fn elements(&self, sheet: &Sheet<'_>, inside: Inside<'_>) -> Result<(), Error> {
        let at = self.at;
        if self.used < self.all {
            let padding = [(at.column(self.used), at.y), (at.column(self.all), self.bottom)];
            sheet.canvas.area(padding, Paint::Grid)?;
        }
        let runs = match inside {
            Inside::Threads => self.seen.single(),
            Inside::Groups(_) => self.seen.runs(),
        };
        for (row, column, columns, touched) in runs {
            let band = at.down / touched.groups.len() as f64;
            for (n, group) in touched.groups.iter().enumerate() {
                let top = at.row(row) + n as f64 * band;
                let area = [(at.column(column), top), (at.column(column + columns), top + band)];
                sheet.canvas.area(area, inside.paint(*group))?;
            }
        }
        Ok(())
    }

    /// Light lines between elements that are large enough.
    fn rules(&self, sheet: &Sheet<'_>) -> Result<(), Error> {
        let at = self.at;
        let vertical = |column: u64, paint, width| {
            let x = at.column(column);
            sheet.canvas.line(&[(x, at.y), (x, self.bottom)], paint, Line::Solid, width)
        };
        if at.across >= RULED {
            for column in 1..self.all {
                vertical(column, Paint::Ground, 0.6)?;
            }
        }
        if at.across >= 3.0 * RULED {
            for column in 1..self.used {
                vertical(column, Paint::Grid, 0.8)?;
            }
        }
        if at.down >= RULED {
            for row in 1..u64::from(self.seen.matrix.rows) {
                let line = [(at.x, at.row(row)), (at.column(self.all), at.row(row))];
                sheet.canvas.line(&line, Paint::Ground, Line::Solid, 0.6)?;
                sheet.canvas.line(&line, Paint::Grid, Line::Solid, 0.5)?;
            }
        }
        Ok(())
    }

    /// Borders of sectors and, thicker, of lines.
    fn sector_borders(&self, sheet: &Sheet<'_>) -> Result<(), Error> {
        let (of, at) = (self.seen.matrix, self.at);
        let element = u64::from(of.element_bytes);
        for row in 0..u64::from(of.rows) {
            let start = of.offset + row * of.row_bytes;
            let mut border = start.next_multiple_of(SECTOR);
            while border < start + of.row_bytes {
                let x = at.x + (border - start) as f64 / element as f64 * at.across;
                let y = at.row(row);
                let line = [(x, y), (x, y + at.down)];
                let width = if border.is_multiple_of(LINE) { 2.2 } else { 0.9 };
                // A rim in the ground's colour, so that it stands out on every other.
                sheet.canvas.line(&line, Paint::Ground, Line::Solid, width + 1.6)?;
                sheet.canvas.line(&line, Paint::Text, Line::Solid, width)?;
                border += SECTOR;
            }
        }
        Ok(())
    }

    /// The outline of all elements and, stronger, of those that are not padding.
    fn outline(&self, sheet: &Sheet<'_>) -> Result<(), Error> {
        let to = |columns: u64| [(self.at.x, self.at.y), (self.at.column(columns), self.bottom)];
        sheet.canvas.frame(to(self.all), Paint::Muted, 0.8)?;
        sheet.canvas.frame(to(self.used), Paint::Text, 1.2)
    }

    /// The thread in each element that one thread touched. Where a group has one whose number is wider than an element, every
    /// fourth thread has its number, from the element's left end on.
    fn threads(&self, sheet: &Sheet<'_>) -> Result<(), Error> {
        let at = self.at;
        let fits = |thread: u32| width(&thread.to_string(), SMALL) <= at.across + 1.0;
        let single = |touched: &ElementAccesses| {
            touched.threads.first().copied().filter(|_| touched.threads.len() == 1)
        };
        let wide: BTreeSet<usize> = self
            .seen
            .cells
            .values()
            .filter(|touched| single(touched).is_some_and(|thread| !fits(thread)))
            .flat_map(|touched| touched.groups.iter().copied())
            .collect();
        for ((row, column), touched) in &self.seen.cells {
            let Some(thread) = single(touched) else { continue };
            let (left, y) = (at.column(*column), at.row(*row) + at.down / 2.0);
            let text = thread.to_string();
            if touched.groups.is_disjoint(&wide) {
                sheet.small(&text, (left + at.across / 2.0, y), Paint::Text, HPos::Center)?;
            } else if (thread as usize).is_multiple_of(SPARSE)
                && width(&text, SMALL) + 3.0 <= SPARSE as f64 * at.across
            {
                sheet.small(&text, (left + 2.0, y), Paint::Text, HPos::Left)?;
            }
        }
        Ok(())
    }

    /// Names of groups in the middle of the elements that they touched, where there is room.
    fn names(&self, sheet: &Sheet<'_>, groups: &[String]) -> Result<(), Error> {
        let (seen, at) = (self.seen, self.at);
        for (group, name) in groups.iter().enumerate() {
            let Some(area) = Area::of(seen.of_group(group)) else { continue };
            // A full rectangle, and no other group in it.
            let alone = seen.cells.iter().all(|(place, t)| !area.holds(*place) || t.groups.len() == 1);
            if area.count() != seen.of_group(group).count() as u64 || !alone {
                continue;
            }
            let (w, h) = (area.columns() as f64 * at.across, area.rows() as f64 * at.down);
            let fits = |name: &str| width(name, SMALL) + 6.0 <= w;
            let name = if fits(name) { name } else { number_of(name) };
            if !name.is_empty() && fits(name) && h >= SMALL + 2.0 {
                let middle = (
                    at.x + (area.left as f64 + area.columns() as f64 / 2.0) * at.across,
                    at.y + (area.top as f64 + area.rows() as f64 / 2.0) * at.down,
                );
                let half = width(name, SMALL) / 2.0 + 3.0;
                let behind = [(middle.0 - half, middle.1 - 8.0), (middle.0 + half, middle.1 + 8.0)];
                sheet.canvas.area(behind, Paint::Series(group))?;
                sheet.canvas.text(name, middle, SMALL, Paint::On(group), FontStyle::Bold, HPos::Center)?;
            }
        }
        Ok(())
    }

    /// Numbers of the rows to the left: every one, or every second, fourth, … as there is room.
    fn row_numbers(&self, sheet: &Sheet<'_>) -> Result<(), Error> {
        let rows = u64::from(self.seen.matrix.rows);
        if rows == 1 {
            return Ok(());
        }
        let every = (SMALL + 1.0) / self.at.down;
        let every = (every.ceil() as u64).max(1).next_power_of_two();
        for row in (0..rows).filter(|row| row % every == 0) {
            let text = if row == 0 { "row 0".to_owned() } else { format::count(row) };
            let place = (self.at.x - 5.0, self.at.row(row) + self.at.down / 2.0);
            sheet.small(&text, place, Paint::Muted, HPos::Right)?;
        }
        Ok(())
    }

    /// Brackets below the halo and the block's own elements, since colours say something else.
    fn halo(&self, sheet: &Sheet<'_>) -> Result<(), Error> {
        let (used, halo) = (self.used, self.seen.matrix.halo);
        let (top, low) = (self.bottom + 2.0, self.bottom + 6.0);
        let parts = [(0, halo, "halo"), (halo, used - halo, "the block's own"), (used - halo, used, "halo")];
        for (from, to, what) in parts {
            let (from, to) = (self.at.column(from), self.at.column(to));
            let (left, right) = (from + 1.0, to - 1.0);
            let bracket = [(left, top), (left, low), (right, low), (right, top)];
            sheet.canvas.line(&bracket, Paint::Muted, Line::Solid, 1.0)?;
            sheet.small(what, ((from + to) / 2.0, self.bottom + 14.0), Paint::Muted, HPos::Center)?;
        }
        Ok(())
    }

    /// Sizes of a row below its end and, next to or below it, of its used part. Returns the height of both.
    fn row_sizes(&self, sheet: &Sheet<'_>) -> Result<f64, Error> {
        let element = u64::from(self.seen.matrix.element_bytes);
        let size = |n: u64| format!("{}, {}", plural(n, "element"), bytes(n * element));
        let half = |text: &str| width(text, SMALL) / 2.0;
        let middle = |column: u64, text: &str| {
            self.at.column(column).min(sheet.form.width() - half(text)).max(self.at.x + half(text))
        };
        let all = size(self.all);
        let mut last = middle(self.all, &all);
        if self.used == self.all {
            last = last.min((self.at.column(self.all) - half(&all)).max(middle(0, &all)));
        }
        let below =
            |x: f64, y: f64, text: &str| sheet.small(text, (x, self.bottom + y), Paint::Muted, HPos::Center);
        let used = size(self.used);
        let at = middle(self.used, &used);
        let beside = at + half(&used) + 10.0 <= last - half(&all);
        let lower = if self.used < self.all && !beside { 15.0 } else { 0.0 };
        if self.used < self.all {
            below(at, 9.0, &used)?;
        }
        below(last, 9.0 + lower, &all)?;
        Ok(17.0 + lower)
    }
}

/// The number at the end of a group's name, which distinguishes it from the others too; nothing, if there is none.
fn number_of(name: &str) -> &str {
    let last = name.rsplit(' ').next().unwrap_or_default();
    if last.bytes().all(|b| b.is_ascii_digit()) { last } else { "" }
}
