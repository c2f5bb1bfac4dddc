//! Memory as rows of elements, with those that accesses touched: pitched rows, tiles, halos.

use super::{SMALL, Sheet, Swatch, counter, plural};
use crate::Error;
use crate::drawing::{At, Line, Paint, WIDTH, width, wrap};
use crate::format;
use plotters::style::FontStyle;
use plotters::style::text_anchor::HPos;
use record::{Access, Counters, Matrix, Panel, Space, Trace};
use std::collections::{BTreeMap, BTreeSet};

const SECTOR: u64 = 32;
const LINE: u64 = 128;
/// Largest size of an element.
const LARGEST: f64 = 20.0;
/// Least width of an element at which matrices stand side by side.
const NARROW: f64 = 3.4;
/// Distance between matrices.
const APART: f64 = 30.0;
/// Least height of a row, where rows are few.
const ROW: f64 = 14.0;
const FEW: u32 = 16;
/// Width of an element from which on lines separate it from its neighbours.
const RULED: f64 = 4.5;
/// Room for the outline on the right.
const RIM: f64 = 1.0;
/// Height of a line of text.
const TEXT_LINE: f64 = 15.0;

/// Accesses of a panel to one element.
#[derive(Clone, Debug, Default, PartialEq)]
struct Touched {
    groups: BTreeSet<usize>,
    threads: BTreeSet<u32>,
}

/// A matrix with the accesses to its elements, by row and column.
struct Seen<'a> {
    matrix: &'a Matrix,
    cells: BTreeMap<(u64, u64), Touched>,
}

/// Size of an element as drawn, and position of the first one.
#[derive(Clone, Copy)]
struct Scale {
    x: f64,
    y: f64,
    across: f64,
    down: f64,
}

pub(super) fn draw(
    sheet: &mut Sheet<'_>,
    trace: &Trace,
    panel: &Panel,
    matrices: &[Matrix],
    threads: bool,
) -> Result<(), Error> {
    // A panel shows those of the figure's matrices that its launch touched.
    let seen: Vec<Seen<'_>> =
        matrices.iter().map(|matrix| look(matrix, panel)).filter(|seen| !seen.cells.is_empty()).collect();
    if seen.is_empty() {
        let what = format!("no access of `{}` touched what is shown", panel.launch.kernel);
        return Err(Error::Unexplained { trace: trace.id.clone(), what });
    }
    sheet.y += 4.0;

    // Beside each other if elements stay large enough, else below, and then in one scale in all panels.
    let columns = |m: &Matrix| (m.row_bytes / u64::from(m.element_bytes)) as f64;
    let labels: Vec<f64> = seen.iter().map(|seen| row_label_room(seen.matrix)).collect();
    let beside = (WIDTH - RIM - APART * (seen.len() - 1) as f64 - labels.iter().sum::<f64>())
        / seen.iter().map(|seen| columns(seen.matrix)).sum::<f64>();
    let fits = |m: &Matrix, room: f64| {
        width(&m.label, SMALL) * 1.06 <= columns(m) * beside.min(LARGEST.max(names_room(m))) + room
            && m.rows > 1
    };
    let in_a_row = seen.len() > 1
        && beside >= NARROW
        && seen.iter().zip(&labels).all(|(seen, room)| fits(seen.matrix, *room));
    let widest = matrices.iter().map(row_label_room).fold(0.0, f64::max);
    let across = if in_a_row {
        beside
    } else {
        matrices.iter().map(|m| (WIDTH - RIM - widest) / columns(m)).fold(f64::INFINITY, f64::min)
    };
    // Elements that have names are as wide as these.
    let across = across.min(matrices.iter().map(names_room).fold(LARGEST, f64::max));
    let (top, mut x, mut lowest) = (sheet.y, 0.0, sheet.y);
    for (seen, room) in seen.iter().zip(&labels) {
        let down = if seen.matrix.rows <= FEW { across.clamp(ROW, LARGEST) } else { across };
        if in_a_row {
            sheet.y = top;
        }
        let left = x + if in_a_row { *room } else { widest };
        let title = wrap(
            &seen.matrix.label,
            SMALL * 1.06,
            if in_a_row { across * columns(seen.matrix) + room } else { WIDTH - left },
        );
        for line in &title {
            let at = (left, sheet.y + TEXT_LINE / 2.0);
            sheet.canvas.text(line, at, SMALL, Paint::Text, FontStyle::Bold, HPos::Left)?;
            sheet.y += TEXT_LINE;
        }
        sheet.y += 3.0;
        if !seen.matrix.columns.is_empty() && names_room(seen.matrix) <= across {
            for (n, name) in seen.matrix.columns.iter().enumerate() {
                let at = (left + (n as f64 + 0.5) * across, sheet.y + TEXT_LINE / 2.0 - 2.0);
                sheet.canvas.text(name, at, SMALL, Paint::Muted, FontStyle::Normal, HPos::Center)?;
            }
            sheet.y += TEXT_LINE;
        }
        let scale = Scale { x: left, y: sheet.y, across, down };
        matrix(sheet, trace, seen, scale, threads)?;
        sheet.describe(&in_words(trace, seen));
        lowest = lowest.max(sheet.y);
        if in_a_row {
            x = left + across * columns(seen.matrix) + APART;
        } else {
            sheet.y += 10.0;
            lowest = sheet.y;
        }
    }
    sheet.y = lowest + 6.0;
    key(sheet, trace, panel, &seen, threads)
}

/// Collects the panel's accesses to the elements of a matrix.
fn look<'a>(matrix: &'a Matrix, panel: &Panel) -> Seen<'a> {
    let mut cells: BTreeMap<(u64, u64), Touched> = BTreeMap::new();
    let element = u64::from(matrix.element_bytes);
    for access in &panel.accesses {
        let Some(lanes) = access.lanes.get(&matrix.memory) else { continue };
        for (lane, at) in lanes.iter() {
            let mut byte = at;
            while byte < at + u64::from(access.bytes) {
                if let Some(from) = byte.checked_sub(matrix.offset)
                    && from / matrix.row_bytes < u64::from(matrix.rows)
                {
                    let place = (from / matrix.row_bytes, from % matrix.row_bytes / element);
                    let cell = cells.entry(place).or_default();
                    cell.groups.insert(access.group as usize);
                    cell.threads.insert(access.warp * 32 + lane);
                }
                byte += element;
            }
        }
    }
    Seen { matrix, cells }
}

/// Width of the row labels, left of a matrix.
fn row_label_room(matrix: &Matrix) -> f64 {
    if matrix.rows == 1 {
        return 0.0;
    }
    let last = format::count(u64::from(matrix.rows - 1));
    width(&format!("row {last}"), SMALL) + 6.0
}

/// Height of the elements' names above a matrix.
fn names_room(matrix: &Matrix) -> f64 {
    matrix.columns.iter().map(|name| width(name, SMALL) + 10.0).fold(0.0, f64::max)
}

/// Draws a matrix and moves the sheet below it.
fn matrix(
    sheet: &mut Sheet<'_>,
    trace: &Trace,
    seen: &Seen<'_>,
    at: Scale,
    threads: bool,
) -> Result<(), Error> {
    let Matrix { rows, row_bytes, used_bytes, element_bytes, halo, .. } = *seen.matrix;
    let element = u64::from(element_bytes);
    let (all, used) = (row_bytes / element, used_bytes / element);
    let x = |column: u64| at.x + column as f64 * at.across;
    let y = |row: u64| at.y + row as f64 * at.down;
    let bottom = y(u64::from(rows));
    if used < all {
        sheet.canvas.area([(x(used), at.y), (x(all), bottom)], Paint::Grid)?;
    }
    // Neighbours that look alike are one area; several groups share an element's height.
    for (row, column, columns, touched) in runs(seen, threads) {
        let bands = touched.groups.len() as f64;
        for (n, group) in touched.groups.iter().enumerate() {
            let band = at.down / bands;
            let top = y(row) + n as f64 * band;
            let area = [(x(column), top), (x(column + columns), top + band)];
            sheet.canvas.area(area, if threads { Paint::Tint(*group) } else { Paint::Series(*group) })?;
        }
    }
    if at.across >= RULED {
        for column in 1..all {
            sheet.canvas.line(&[(x(column), at.y), (x(column), bottom)], Paint::Ground, Line::Solid, 0.6)?;
        }
        for column in 1..used {
            if at.across >= 3.0 * RULED {
                sheet.canvas.line(
                    &[(x(column), at.y), (x(column), bottom)],
                    Paint::Grid,
                    Line::Solid,
                    0.8,
                )?;
            }
        }
    }
    for row in 1..u64::from(rows) {
        if at.down >= RULED {
            sheet.canvas.line(&[(x(0), y(row)), (x(all), y(row))], Paint::Ground, Line::Solid, 0.6)?;
            sheet.canvas.line(&[(x(0), y(row)), (x(all), y(row))], Paint::Grid, Line::Solid, 0.5)?;
        }
    }
    if seen.matrix.sectors {
        borders(sheet, seen.matrix, at)?;
    }
    let outline: [At; 2] = [(x(0), at.y), (x(used), bottom)];
    sheet.canvas.frame([(x(0), at.y), (x(all), bottom)], Paint::Muted, 0.8)?;
    sheet.canvas.frame(outline, Paint::Text, 1.2)?;
    if threads {
        for ((row, column), touched) in &seen.cells {
            if let (Some(thread), 1) = (touched.threads.first(), touched.threads.len()) {
                let text = thread.to_string();
                if width(&text, SMALL) <= at.across + 1.0 {
                    let middle = (x(*column) + at.across / 2.0, y(*row) + at.down / 2.0);
                    sheet.canvas.text(&text, middle, SMALL, Paint::Text, FontStyle::Normal, HPos::Center)?;
                }
            }
        }
    } else {
        names(sheet, trace, seen, at)?;
    }
    // Rows: the first, the last, and what is between as far as there is room.
    if rows > 1 {
        let every = (SMALL + 1.0) / at.down;
        let every = (every.ceil() as u64).max(1).next_power_of_two();
        for row in (0..u64::from(rows)).filter(|row| row % every == 0) {
            let text = if row == 0 { "row 0".to_owned() } else { format::count(row) };
            let place = (at.x - 5.0, y(row) + at.down / 2.0);
            sheet.canvas.text(&text, place, SMALL, Paint::Muted, FontStyle::Normal, HPos::Right)?;
        }
    }
    sheet.y = bottom + 2.0;
    if halo > 0 {
        // Brackets below, since colours say something else.
        let bracket = |from: u64, to: u64| {
            let (left, right) = (x(from) + 1.0, x(to) - 1.0);
            vec![(left, bottom + 2.0), (left, bottom + 6.0), (right, bottom + 6.0), (right, bottom + 2.0)]
        };
        for (from, to, what) in
            [(0, halo, "halo"), (halo, used - halo, "the block's own"), (used - halo, used, "halo")]
        {
            sheet.canvas.line(&bracket(from, to), Paint::Muted, Line::Solid, 1.0)?;
            let middle = ((x(from) + x(to)) / 2.0, bottom + 14.0);
            sheet.canvas.text(what, middle, SMALL, Paint::Muted, FontStyle::Normal, HPos::Center)?;
        }
        sheet.y += 20.0;
    } else {
        // Where the used part of a row ends, and where the row does.
        let unit = |n: u64| format!("{}, {}", plural(n, "element"), super::bytes(n * element));
        let middle = |column: u64, text: &str| {
            let half = width(text, SMALL) / 2.0;
            x(column).min(WIDTH - half).max(at.x + half)
        };
        let end = unit(all);
        let last = if used == all {
            middle(all, &end).min((x(all) - width(&end, SMALL) / 2.0).max(middle(0, &end)))
        } else {
            middle(all, &end)
        };
        let mut ends = vec![(last, end)];
        if used < all {
            let text = unit(used);
            let at = middle(used, &text);
            if at + width(&text, SMALL) / 2.0 + 10.0 <= last - width(&ends[0].1, SMALL) / 2.0 {
                ends.push((at, text));
            }
        }
        for (place, text) in ends {
            sheet.canvas.text(
                &text,
                (place, bottom + 9.0),
                SMALL,
                Paint::Muted,
                FontStyle::Normal,
                HPos::Center,
            )?;
        }
        sheet.y += 15.0;
    }
    Ok(())
}

/// Runs of neighbours in a row that are drawn alike: row, column, length, accesses.
fn runs<'s>(seen: &'s Seen<'_>, threads: bool) -> Vec<(u64, u64, u64, &'s Touched)> {
    let mut runs: Vec<(u64, u64, u64, &Touched)> = Vec::new();
    for ((row, column), touched) in &seen.cells {
        match runs.last_mut() {
            Some((last, from, columns, before))
                if last == row
                    && *from + *columns == *column
                    && before.groups == touched.groups
                    && !threads =>
            {
                *columns += 1;
            }
            _ => runs.push((*row, *column, 1, touched)),
        }
    }
    runs
}

/// Borders of sectors and, thicker, of lines.
fn borders(sheet: &Sheet<'_>, of: &Matrix, at: Scale) -> Result<(), Error> {
    let element = u64::from(of.element_bytes);
    for row in 0..u64::from(of.rows) {
        let start = of.offset + row * of.row_bytes;
        let mut border = start.next_multiple_of(SECTOR);
        while border < start + of.row_bytes {
            let x = at.x + (border - start) as f64 / element as f64 * at.across;
            let y = at.y + row as f64 * at.down;
            let of_line = border.is_multiple_of(LINE);
            let thick = if of_line { 2.2 } else { 0.9 };
            // A rim in the ground's colour, so that it stands out on every other.
            sheet.canvas.line(&[(x, y), (x, y + at.down)], Paint::Ground, Line::Solid, thick + 1.6)?;
            sheet.canvas.line(&[(x, y), (x, y + at.down)], Paint::Text, Line::Solid, thick)?;
            border += SECTOR;
        }
    }
    Ok(())
}

/// Names of groups in the middle of the elements that they touched, where there is room.
fn names(sheet: &Sheet<'_>, trace: &Trace, seen: &Seen<'_>, at: Scale) -> Result<(), Error> {
    for (group, name) in trace.groups.iter().enumerate() {
        let mine =
            || seen.cells.iter().filter(move |(_, t)| t.groups.contains(&group)).map(|(place, _)| *place);
        let Some(area) = Area::of(mine()) else { continue };
        // A full rectangle, and nobody else in it.
        let alone = seen.cells.iter().all(|(place, t)| !area.holds(*place) || t.groups.len() == 1);
        if area.count() != mine().count() as u64 || !alone {
            continue;
        }
        let (w, h) = (area.columns() as f64 * at.across, area.rows() as f64 * at.down);
        if width(name, SMALL) + 6.0 <= w && h >= SMALL + 2.0 {
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

/// Smallest rectangle around some elements.
#[derive(Clone, Copy)]
struct Area {
    top: u64,
    bottom: u64,
    left: u64,
    right: u64,
}

impl Area {
    fn of(mut places: impl Iterator<Item = (u64, u64)>) -> Option<Area> {
        let (row, column) = places.next()?;
        let one = Area { top: row, bottom: row, left: column, right: column };
        Some(places.fold(one, |a, (row, column)| Area {
            top: a.top.min(row),
            bottom: a.bottom.max(row),
            left: a.left.min(column),
            right: a.right.max(column),
        }))
    }

    fn rows(self) -> u64 {
        self.bottom - self.top + 1
    }

    fn columns(self) -> u64 {
        self.right - self.left + 1
    }

    fn count(self) -> u64 {
        self.rows() * self.columns()
    }

    fn holds(self, (row, column): (u64, u64)) -> bool {
        (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column)
    }
}

/// Description of the touched elements of a matrix, for readers who do not see it.
fn in_words(trace: &Trace, seen: &Seen<'_>) -> String {
    let groups: BTreeSet<usize> = seen.cells.values().flat_map(|t| t.groups.iter().copied()).collect();
    let mut text = format!("{}:", seen.matrix.label);
    for (n, group) in groups.iter().enumerate() {
        let mine = || seen.cells.iter().filter(|(_, t)| t.groups.contains(group)).map(|(place, _)| *place);
        let Some(area) = Area::of(mine()) else { continue };
        let name = trace.groups.get(*group).map_or("the access", String::as_str);
        let row = if area.rows() == 1 {
            format!("row {}", area.top)
        } else {
            format!("rows {} to {}", area.top, area.bottom)
        };
        text += &format!(
            "{} {name}: {}, {row}, columns {} to {}",
            if n > 0 { ";" } else { "" },
            plural(mine().count() as u64, "element"),
            area.left,
            area.right
        );
    }
    text
}

/// Key of the colours, with the lines of the source and the counts.
fn key(
    sheet: &mut Sheet<'_>,
    trace: &Trace,
    panel: &Panel,
    seen: &[Seen<'_>],
    threads: bool,
) -> Result<(), Error> {
    let shown = |a: &Access| seen.iter().any(|s| a.lanes.contains_key(&s.matrix.memory));
    let mut entries = Vec::new();
    for group in 0..trace.groups.len().max(1) {
        let mine: Vec<&Access> =
            panel.accesses.iter().filter(|a| a.group as usize == group && shown(a)).collect();
        let Some(first) = mine.first() else { continue };
        let mut text = trace.groups.get(group).cloned().unwrap_or_else(|| first.instruction.clone());
        if mine.iter().all(|a| (&a.file, a.line) == (&first.file, first.line)) {
            text += &format!(", line {}", first.line);
        }
        text += &format!(": {}", cost(&mine));
        sheet.describe(&text);
        let rim = Paint::Series(group);
        entries.push((Swatch { fill: if threads { Paint::Tint(group) } else { rim }, rim }, text));
    }
    for seen in seen {
        let Matrix { used_bytes, row_bytes, .. } = seen.matrix;
        if used_bytes < row_bytes && !entries.iter().any(|(_, text)| text == "padding") {
            entries.push((Swatch { fill: Paint::Grid, rim: Paint::Muted }, "padding".to_owned()));
        }
    }
    sheet.key(&entries)?;
    let file = panel.accesses.first().map_or("", |a| a.file.as_str());
    let mut text = format!("Counted in {} of {file}, {}", panel.launch.kernel, super::block(panel));
    if seen.iter().any(|s| s.matrix.sectors) {
        sheet.note("Thin borders are those of sectors of 32 bytes, thick ones those of lines of 128.");
    }
    text.push('.');
    sheet.say(&text, Paint::Muted, FontStyle::Normal)
}

/// Cost of several accesses together, in words.
fn cost(accesses: &[&Access]) -> String {
    let sum = |names: [&str; 3]| -> u64 {
        let of = |cost: &Counters| names.iter().map(|n| counter(cost, n)).sum::<u64>();
        accesses.iter().map(|a| of(&a.cost)).sum()
    };
    let mut words = vec![plural(accesses.len() as u64, "warp instruction")];
    let any = |space: Space| accesses.iter().any(|a| a.space == space);
    if any(Space::Global) {
        let sectors = sum(["global_load_sectors", "global_store_sectors", "global_atomic_sectors"])
            + sum(["global_red_sectors", "", ""]);
        words.push(plural(sectors, "sector"));
    }
    if any(Space::Shared) {
        let wavefronts =
            sum(["shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts"]);
        words.push(plural(wavefronts, "wavefront"));
    }
    if any(Space::Constant) {
        words.push(plural(sum(["const_replays", "", ""]), "replay"));
    }
    words.join(", ")
}
