//! Memory as rows of elements, with those that accesses touched: pitched rows, tiles, halos.

use super::grid_accesses::{AccessedMatrix, Area};
use super::matrix::{self, Inside, Scale};
use super::sheet::{SMALL, Sheet, Swatch};
use super::words::{block, counter};
use crate::drawing::{BOLD, Form, Paint, width, wrap};
use crate::format::plural;
use crate::{Error, format};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;
use record::{Access, Counters, Matrix, Panel, Space, Trace};
use std::collections::BTreeSet;

/// Largest size of an element.
const LARGEST: f64 = 20.0;
/// Least width of an element at which matrices are side by side.
const BESIDE: f64 = 3.4;
/// Distance between matrices.
const APART: f64 = 30.0;
/// Largest size of an element of a product, whose matrices are as they are multiplied.
const OF_PRODUCT: f64 = 4.0;
/// Least height of a row, where rows are few.
const ROW: f64 = 14.0;
const FEW: u32 = 16;
/// Distance between the names of columns, and the least one.
const NAMES: f64 = 10.0;
const NAMES_LEAST: f64 = 4.0;
/// Room for the outline on the right.
const RIM: f64 = 1.0;
/// Height of a line of text.
const TEXT_LINE: f64 = 15.0;

/// Arrangement of a panel's matrices.
struct Layout {
    /// Whether they are next to each other, else one below the other.
    in_a_row: bool,
    /// Width of an element.
    across: f64,
    /// Room for the row labels of matrices that are below each other.
    label_room: f64,
}

/// The panel's matrices, with a key that has the counts of each colour.
pub(super) fn draw(
    sheet: &mut Sheet<'_>,
    trace: &Trace,
    panel: &Panel,
    matrices: &[Matrix],
    threads: bool,
) -> Result<(), Error> {
    rows(sheet, trace, panel, matrices, (threads, true))
}

/// The same without the counts, for a reader who is asked for them later.
pub(super) fn draw_uncounted(
    sheet: &mut Sheet<'_>,
    trace: &Trace,
    panel: &Panel,
    matrices: &[Matrix],
    threads: bool,
) -> Result<(), Error> {
    rows(sheet, trace, panel, matrices, (threads, false))
}

fn rows(
    sheet: &mut Sheet<'_>,
    trace: &Trace,
    panel: &Panel,
    matrices: &[Matrix],
    (threads, counts): (bool, bool),
) -> Result<(), Error> {
    // A panel shows those of the figure's matrices that its launch touched.
    let seen: Vec<AccessedMatrix<'_>> = matrices
        .iter()
        .map(|matrix| AccessedMatrix::new(matrix, panel))
        .filter(|seen| !seen.cells.is_empty())
        .collect();
    if seen.is_empty() {
        let what = format!("no access of `{}` touched what is shown", panel.launch.kernel);
        return Err(Error::Unexplained { trace: trace.id.clone(), what });
    }
    sheet.y += 4.0;
    let inside = if threads { Inside::Threads } else { Inside::Groups(&trace.groups) };
    if let [a, b, c] = &seen[..]
        && is_product(a.matrix, b.matrix, c.matrix)
    {
        product(sheet, [a, b, c], inside)?;
        for seen in &seen {
            sheet.describe(&in_words(trace, seen));
        }
        sheet.y += 6.0;
        return key(sheet, trace, panel, &seen, (inside, counts));
    }
    let layout = Layout::new(sheet.form, &seen, matrices);
    let (top, mut x, mut lowest) = (sheet.y, 0.0, sheet.y);
    for seen in &seen {
        let across = layout.across;
        let down = if seen.matrix.rows <= FEW { across.clamp(ROW, LARGEST) } else { across };
        if layout.in_a_row {
            sheet.y = top;
        }
        let room = row_label_room(seen.matrix);
        let left = x + if layout.in_a_row { room } else { layout.label_room };
        let title_room =
            if layout.in_a_row { across * columns(seen.matrix) + room } else { sheet.form.width() - left };
        headings(sheet, seen.matrix, left, title_room, across)?;
        matrix::draw(sheet, seen, Scale { x: left, y: sheet.y, across, down }, inside)?;
        sheet.describe(&in_words(trace, seen));
        lowest = lowest.max(sheet.y);
        if layout.in_a_row {
            x = left + across * columns(seen.matrix) + APART;
        } else {
            sheet.y += 10.0;
            lowest = sheet.y;
        }
    }
    sheet.y = lowest + 6.0;
    key(sheet, trace, panel, &seen, (inside, counts))
}

/// Whether the dimensions are those of C = A · B.
fn is_product(a: &Matrix, b: &Matrix, c: &Matrix) -> bool {
    a.rows == c.rows && columns(b) == columns(c) && columns(a) == f64::from(b.rows)
}

/// A to the left of C and B above it: where the row of A and the column of B meet is the element of C.
fn product(
    sheet: &mut Sheet<'_>,
    [a, b, c]: [&AccessedMatrix<'_>; 3],
    inside: Inside<'_>,
) -> Result<(), Error> {
    let room = row_label_room(a.matrix);
    let (top, gap) = (sheet.y, APART / 3.0);
    let across = (sheet.form.width() - RIM - gap - 2.0 * room) / (columns(a.matrix) + columns(c.matrix));
    let across = across.min(OF_PRODUCT);
    let right = room + across * columns(a.matrix) + gap + room;
    let mut place = |seen: &AccessedMatrix<'_>, x: f64, y: f64| {
        sheet.y = y;
        headings(sheet, seen.matrix, x, across * columns(seen.matrix) + room, across)?;
        matrix::draw(sheet, seen, Scale { x, y: sheet.y, across, down: across }, inside)?;
        Ok::<f64, Error>(sheet.y)
    };
    let below = place(b, right, top)?;
    place(a, room, below)?;
    place(c, right, below)?;
    Ok(())
}

impl Layout {
    /// Next to each other if elements stay large enough, else below, and then in one scale in all panels.
    fn new(form: Form, seen: &[AccessedMatrix<'_>], all: &[Matrix]) -> Layout {
        let labels: f64 = seen.iter().map(|seen| row_label_room(seen.matrix)).sum();
        let beside = (form.width() - RIM - APART * (seen.len() - 1) as f64 - labels)
            / seen.iter().map(|seen| columns(seen.matrix)).sum::<f64>();
        let fits = |m: &Matrix| {
            width(&m.label, SMALL) * BOLD
                <= columns(m) * beside.min(LARGEST.max(names_room(m))) + row_label_room(m)
                && m.rows > 1
        };
        let in_a_row = seen.len() > 1 && beside >= BESIDE && seen.iter().all(|seen| fits(seen.matrix));
        let label_room = all.iter().map(row_label_room).fold(0.0, f64::max);
        let below =
            all.iter().map(|m| (form.width() - RIM - label_room) / columns(m)).fold(f64::INFINITY, f64::min);
        let across = if in_a_row { beside } else { below };
        // Elements that have names are as wide as these.
        let across = across.min(all.iter().map(names_room).fold(LARGEST, f64::max));
        Layout { in_a_row, across, label_room }
    }
}

/// Number of elements of a row.
fn columns(matrix: &Matrix) -> f64 {
    (matrix.row_bytes / u64::from(matrix.element_bytes)) as f64
}

/// The matrix' label, and the names of its columns where they fit. Moves the sheet below them.
fn headings(sheet: &mut Sheet<'_>, of: &Matrix, left: f64, room: f64, across: f64) -> Result<(), Error> {
    for line in wrap(&of.label, SMALL * BOLD, room) {
        let at = (left, sheet.y + TEXT_LINE / 2.0);
        sheet.canvas.text(&line, at, SMALL, Paint::Text, FontStyle::Bold, HPos::Left)?;
        sheet.y += TEXT_LINE;
    }
    sheet.y += 3.0;
    if !of.columns.is_empty() && names_room(of) - NAMES + NAMES_LEAST <= across {
        for (n, name) in of.columns.iter().enumerate() {
            let at = (left + (n as f64 + 0.5) * across, sheet.y + TEXT_LINE / 2.0 - 2.0);
            sheet.small(name, at, Paint::Muted, HPos::Center)?;
        }
        sheet.y += TEXT_LINE;
    }
    Ok(())
}

/// Width of the row labels, left of a matrix.
fn row_label_room(matrix: &Matrix) -> f64 {
    if matrix.rows == 1 {
        return 0.0;
    }
    let last = format::count(u64::from(matrix.rows - 1));
    width(&format!("row {last}"), SMALL) + 6.0
}

/// Width of a column that its name has enough room in.
fn names_room(matrix: &Matrix) -> f64 {
    matrix.columns.iter().map(|name| width(name, SMALL) + NAMES).fold(0.0, f64::max)
}

/// Description of the touched elements of a matrix, for readers who do not see it.
fn in_words(trace: &Trace, seen: &AccessedMatrix<'_>) -> String {
    let groups: BTreeSet<usize> = seen.cells.values().flat_map(|t| t.groups.iter().copied()).collect();
    let mut text = format!("{}:", seen.matrix.label);
    for (n, group) in groups.iter().enumerate() {
        let Some(area) = Area::of(seen.of_group(*group)) else { continue };
        let name = trace.groups.get(*group).map_or("the access", String::as_str);
        let row = if area.rows() == 1 {
            format!("row {}", area.top)
        } else {
            format!("rows {} to {}", area.top, area.bottom)
        };
        text += &format!(
            "{} {name}: {}, {row}, columns {} to {}",
            if n > 0 { ";" } else { "" },
            plural(seen.of_group(*group).count() as u64, "element"),
            area.left,
            area.right
        );
    }
    text
}

/// Key of the colours, with the lines of the source and, if wanted, the counts.
fn key(
    sheet: &mut Sheet<'_>,
    trace: &Trace,
    panel: &Panel,
    seen: &[AccessedMatrix<'_>],
    (inside, counts): (Inside<'_>, bool),
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
        if counts {
            text += &format!(": {}", cost(&mine));
        }
        sheet.describe(&text);
        let rim = Paint::Series(group);
        entries.push((Swatch { fill: inside.paint(group), rim }, text));
    }
    for seen in seen {
        let Matrix { used_bytes, row_bytes, .. } = seen.matrix;
        if used_bytes < row_bytes && !entries.iter().any(|(_, text)| text == "padding") {
            entries.push((Swatch { fill: Paint::Grid, rim: Paint::Muted }, "padding".to_owned()));
        }
    }
    sheet.key(&entries)?;
    let file = panel.accesses.first().map_or("", |a| a.file.as_str());
    let what = if counts { "Counts of kernel" } else { "Kernel" };
    let mut text = format!("{what} {} in {file}, {}", panel.launch.kernel, block(panel));
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
