//! Global and local memory: from lanes to 32-byte sectors in lines of 128 bytes.

use super::lanes::{FALL, LEFT, addresses};
use super::sheet::{SMALL, Sheet};
use super::words::{Refusal, bytes, counter};
use crate::drawing::{self, Form, Paint, sparse, width};
use crate::format::plural;
use crate::{Error, format};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;
use record::{Access, AccessKind, Space};
use std::collections::BTreeSet;

pub(super) const SECTOR: u64 = 32;
const LINE: u64 = 128;
/// What is contiguous of a lane's local memory.
const WORD: u64 = 4;
/// Height of a sector.
const HEIGHT: f64 = 24.0;
/// Greatest share of the row for a line, so that one alone does not look like many, and for the gaps between lines.
const WIDEST: f64 = 0.475;
const GAPS: f64 = 0.2;
/// Distance between lines that are neighbours, and between others.
const NEAR: f64 = 5.0;
const FAR: f64 = 16.0;
/// Width of a sector from which on it has stronger borders, and least width of its requested bytes.
const DETAILED: f64 = 8.0;
const THINNEST: f64 = 1.4;
/// Paint of requested bytes; the rest of a sector is a tint.
const ASKED: Paint = Paint::Series(0);
const MOVED: Paint = Paint::Tint(0);

/// The bytes that an access touches.
struct Lines<'a> {
    /// Sectors by memory and number.
    touched: BTreeSet<(&'a str, u64)>,
    /// Bytes by memory and offset.
    asked: BTreeSet<(&'a str, u64)>,
    /// Lines by memory and number.
    lines: Vec<(&'a str, u64)>,
}

impl<'a> Lines<'a> {
    /// `wanted` holds lane, memory and offset; each lane takes `bytes`.
    fn new(wanted: &[(u32, &'a str, u64)], bytes: u64) -> Lines<'a> {
        // An access is aligned to its width, so it is in one sector.
        let touched: BTreeSet<(&str, u64)> = wanted.iter().map(|(_, m, at)| (*m, at / SECTOR)).collect();
        let lines: BTreeSet<_> = touched.iter().map(|(m, sector)| (*m, sector * SECTOR / LINE)).collect();
        let lines: Vec<(&str, u64)> = lines.into_iter().collect();
        let asked = wanted.iter().flat_map(|(_, m, at)| (*at..at + bytes).map(move |b| (*m, b))).collect();
        Lines { touched, asked, lines }
    }

    /// Runs of bytes of a sector that lanes asked for, as offsets from its first byte.
    fn asked_of(&self, memory: &str, sector: u64) -> Vec<(u64, u64)> {
        let first = sector * SECTOR;
        let is_asked = |b: u64| self.asked.contains(&(memory, first + b));
        let mut runs = Vec::new();
        let mut at = 0;
        while at < SECTOR {
            let end = (at..SECTOR).find(|b| is_asked(*b) != is_asked(at)).unwrap_or(SECTOR);
            if is_asked(at) {
                runs.push((at, end));
            }
            at = end;
        }
        runs
    }
}

/// Lines in a row of the drawing.
struct Row<'a> {
    lines: &'a Lines<'a>,
    /// Left end of each line.
    starts: Vec<f64>,
    /// Width of a line.
    width: f64,
}

impl<'a> Row<'a> {
    fn new(lines: &'a Lines<'a>, form: Form) -> Row<'a> {
        let (starts, width) = spread(&lines.lines, form.width() - LEFT - 1.0);
        Row { lines, starts, width }
    }

    fn sector_width(&self) -> f64 {
        self.width / (LINE / SECTOR) as f64
    }

    /// Whether sectors are wide enough for stronger borders.
    fn detailed(&self) -> bool {
        self.sector_width() >= DETAILED
    }

    /// Horizontal position of an offset into a memory.
    fn place(&self, memory: &str, at: f64) -> f64 {
        let line = (at / LINE as f64) as u64;
        let n = self.lines.lines.iter().position(|l| *l == (memory, line)).unwrap_or(0);
        self.starts[n] + (at - (line * LINE) as f64) / LINE as f64 * self.width
    }
}

/// Left ends of lines in a row, and their width: neighbours in memory are closer together.
fn spread(lines: &[(&str, u64)], room: f64) -> (Vec<f64>, f64) {
    let follows = |n: usize| n > 0 && lines[n - 1].0 == lines[n].0 && lines[n - 1].1 + 1 == lines[n].1;
    let gaps: f64 = (1..lines.len()).map(|n| if follows(n) { NEAR } else { FAR }).sum();
    let squeeze = if gaps > GAPS * room { GAPS * room / gaps } else { 1.0 };
    let width = ((room - gaps * squeeze) / lines.len() as f64).min(WIDEST * room);
    let all = width * lines.len() as f64 + gaps * squeeze;
    let mut x = LEFT + (room - all) / 2.0;
    let mut starts = Vec::new();
    for n in 0..lines.len() {
        if n > 0 {
            x += squeeze * if follows(n) { NEAR } else { FAR };
        }
        starts.push(x);
        x += width;
    }
    (starts, width)
}

/// Lane, memory and place of what an access touches, in pieces of that many bytes. Each lane has a local memory of its own, and
/// these are word by word next to each other: word `w` of lane `l` at `128 w + 4 l`.
pub(super) fn pieces(access: &Access) -> (Vec<(u32, &str, u64)>, u64) {
    let (own, bytes) = (addresses(access), u64::from(access.bytes));
    if access.space != Space::Local {
        return (own, bytes);
    }
    let words = own.into_iter().flat_map(|(lane, memory, at)| {
        let first = at / WORD * LINE + WORD * u64::from(lane) + at % WORD;
        (0..bytes.div_ceil(WORD)).map(move |word| (lane, memory, first + word * LINE))
    });
    (words.collect(), bytes.min(WORD))
}

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access) -> Result<(), Refusal> {
    let (wanted, lane_bytes) = pieces(access);
    let lines = Lines::new(&wanted, lane_bytes);
    let row = Row::new(&lines, sheet.form);
    let words = in_words(access)?;
    let (touched, asked) = (lines.touched.len() as u64, lines.asked.len() as u64);

    sheet.lanes(wanted.iter().map(|(lane, _, _)| *lane))?;
    for (lane, memory, at) in &wanted {
        sheet.lead(*lane, row.place(memory, *at as f64 + lane_bytes as f64 / 2.0), Paint::Muted)?;
    }
    sheet.y += FALL;
    memory(sheet, &row)?;
    offsets(sheet, &row)?;
    sheet.explain(ASKED, ASKED, "asked for");
    if touched * SECTOR > asked {
        sheet.explain(MOVED, Paint::Muted, "moved with it");
    }
    sheet.explain(Paint::Ground, Paint::Muted, "a sector of 32 bytes that stays where it is");
    sheet.note(match access.space {
        Space::Local => "A line of 128 bytes has the same word of all 32 lanes, each of which has a local memory of its own.",
        _ => "Four sectors are a line of 128 bytes; the number below a line is the offset of its first byte.",
    });
    sheet.say(&words, Paint::Text, FontStyle::Normal)?;
    Ok(())
}

/// The row of lines with their sectors. Moves the sheet below it.
fn memory(sheet: &mut Sheet<'_>, row: &Row<'_>) -> Result<(), Error> {
    sheet.row_label("memory", sheet.y + HEIGHT / 2.0)?;
    for ((memory, line), start) in row.lines.lines.iter().zip(&row.starts) {
        for n in 0..LINE / SECTOR {
            let x = start + n as f64 * row.sector_width();
            sector(sheet, row, (memory, line * (LINE / SECTOR) + n), x)?;
            if n > 0 {
                border(sheet, x, row.detailed())?;
            }
        }
        let area = [(*start, sheet.y), (start + row.width, sheet.y + HEIGHT)];
        sheet.canvas.frame(area, Paint::Text, if row.detailed() { 1.1 } else { 0.7 })?;
    }
    sheet.y += HEIGHT + 3.0;
    Ok(())
}

/// A sector at `x`, with the bytes that lanes asked for.
fn sector(sheet: &Sheet<'_>, row: &Row<'_>, sector: (&str, u64), x: f64) -> Result<(), Error> {
    if !row.lines.touched.contains(&sector) {
        return Ok(());
    }
    let end = x + row.sector_width();
    let area = |from, to| [(from, sheet.y), (to, sheet.y + HEIGHT)];
    sheet.canvas.area(area(x, end), MOVED)?;
    for (from, to) in row.lines.asked_of(sector.0, sector.1) {
        let [from, to] = [from, to].map(|b| x + b as f64 / SECTOR as f64 * row.sector_width());
        sheet.canvas.area(area(from, to.max(from + THINNEST).min(end)), ASKED)?;
    }
    Ok(())
}

/// Border between two sectors, with a rim in the ground's colour, so that it is seen on what was asked for too.
fn border(sheet: &Sheet<'_>, x: f64, detailed: bool) -> Result<(), Error> {
    let border = [(x, sheet.y), (x, sheet.y + HEIGHT)];
    let (rim, line) = if detailed { (2.4, 0.9) } else { (0.8, 0.4) };
    sheet.canvas.line(&border, Paint::Ground, drawing::Line::Solid, rim)?;
    sheet.canvas.line(&border, Paint::Muted, drawing::Line::Solid, line)
}

/// Offsets at which lines begin: every one of them, or every second, third, … as there is room.
fn offsets(sheet: &mut Sheet<'_>, row: &Row<'_>) -> Result<(), Error> {
    let (lines, starts) = (&row.lines.lines, &row.starts);
    let label = |n: usize| {
        let (memory, line) = lines[n];
        let at = format::count(line * LINE);
        if n == 0 || lines[n - 1].0 != memory { format!("{memory} + {at}") } else { format!("+ {at}") }
    };
    let widest = (0..lines.len()).map(|n| width(&label(n), SMALL)).fold(0.0, f64::max);
    let spans: Vec<_> = starts.iter().map(|start| (*start, start + widest)).collect();
    for n in (0..lines.len()).step_by(sparse(&spans, 8.0)) {
        let text = label(n);
        if starts[n] + width(&text, SMALL) <= sheet.form.width() {
            sheet.small(&text, (starts[n], sheet.y + 8.0), Paint::Muted, HPos::Left)?;
        }
    }
    sheet.y += 20.0;
    Ok(())
}

/// The counts in words, if they agree with the sectors that the addresses are in.
pub(super) fn in_words(access: &Access) -> Result<String, Refusal> {
    let (wanted, bytes) = pieces(access);
    let lines = Lines::new(&wanted, bytes);
    counted(access, lines.touched.len() as u64, lines.lines.len() as u64, lines.asked.len() as u64)
}

fn counted(access: &Access, sectors: u64, lines: u64, asked: u64) -> Result<String, Refusal> {
    let cost = &access.cost;
    let lanes: usize = access.lanes.values().map(|lanes| lanes.iter().count()).sum();
    let (requests, moved) = match access.kind {
        AccessKind::Load if access.space == Space::Local => ("local_load_requests", "local_load_sectors"),
        _ if access.space == Space::Local => ("local_store_requests", "local_store_sectors"),
        AccessKind::Load => ("global_load_requests", "global_load_sectors"),
        AccessKind::Store => ("global_store_requests", "global_store_sectors"),
        AccessKind::Atomic if counter(cost, "global_red_requests") > 0 => {
            ("global_red_requests", "global_red_sectors")
        }
        AccessKind::Atomic => ("global_atomic_requests", "global_atomic_sectors"),
    };
    let moved = counter(cost, moved);
    if moved != sectors && access.kind != AccessKind::Atomic {
        return Err(Refusal::Unexplained(format!(
            "the lanes' addresses are in {}, and {moved} were counted",
            plural(sectors, "sector")
        )));
    }
    let what = if access.kind == AccessKind::Store { "written" } else { "asked for" };
    Ok(format!(
        "Counted: {}, {} in {}: {} moved, for {} {what} by {}.",
        plural(counter(cost, requests), "request"),
        plural(moved, "sector"),
        plural(lines, "line"),
        bytes(moved * SECTOR),
        if asked < lanes as u64 * u64::from(access.bytes) {
            format!("{} different ones", format::count(asked))
        } else {
            format::count(asked)
        },
        plural(lanes as u64, "lane"),
    ))
}
