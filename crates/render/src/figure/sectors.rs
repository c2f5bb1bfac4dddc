//! Global memory: from lanes to 32-byte sectors in lines of 128 bytes.

use super::lanes::{FALL, LEFT};
use super::{Refusal, SMALL, Sheet, bytes, counter, plural};
use crate::drawing::{self, Paint, WIDTH, width};
use crate::format;
use plotters::style::FontStyle;
use plotters::style::text_anchor::HPos;
use record::{Access, AccessKind};
use std::collections::BTreeSet;

const SECTOR: u64 = 32;
const LINE: u64 = 128;
/// Height of a sector.
const HEIGHT: f64 = 24.0;
/// Greatest width of a line, so that one alone does not look like many.
const WIDEST: f64 = 330.0;
/// Distance between lines that are neighbours, and between others.
const NEAR: f64 = 5.0;
const FAR: f64 = 16.0;
/// Width of a sector from which on it has stronger borders, and least width of its requested bytes.
const DETAILED: f64 = 8.0;
const THINNEST: f64 = 1.4;
/// Paint of requested bytes; the rest of a sector is a tint.
const ASKED: Paint = Paint::Series(0);
const MOVED: Paint = Paint::Tint(0);

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access) -> Result<(), Refusal> {
    let wanted: Vec<(u32, &str, u64)> = access
        .lanes
        .iter()
        .flat_map(|(memory, lanes)| lanes.iter().map(move |(lane, at)| (lane, memory.as_str(), at)))
        .collect();
    let width_of_lane = u64::from(access.bytes);
    // An access is aligned to its width, so it lies in one sector.
    let touched: BTreeSet<(&str, u64)> = wanted.iter().map(|(_, m, at)| (*m, at / SECTOR)).collect();
    let lines: Vec<(&str, u64)> = touched
        .iter()
        .map(|(m, sector)| (*m, sector * SECTOR / LINE))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let asked: BTreeSet<(&str, u64)> =
        wanted.iter().flat_map(|(_, m, at)| (*at..at + width_of_lane).map(move |b| (*m, b))).collect();
    let words = counted(access, touched.len() as u64, lines.len() as u64, asked.len() as u64)?;

    // Where each line begins.
    let follows = |n: usize| n > 0 && lines[n - 1].0 == lines[n].0 && lines[n - 1].1 + 1 == lines[n].1;
    let gaps: f64 = (1..lines.len()).map(|n| if follows(n) { NEAR } else { FAR }).sum();
    let squeeze = if gaps > 200.0 { 200.0 / gaps } else { 1.0 };
    let room = WIDTH - LEFT - 1.0;
    let line_width = ((room - gaps * squeeze) / lines.len() as f64).min(WIDEST);
    let all = line_width * lines.len() as f64 + gaps * squeeze;
    let mut x = LEFT + (room - all) / 2.0;
    let mut starts = Vec::new();
    for n in 0..lines.len() {
        if n > 0 {
            x += squeeze * if follows(n) { NEAR } else { FAR };
        }
        starts.push(x);
        x += line_width;
    }
    let sector_width = line_width / (LINE / SECTOR) as f64;
    let place = |memory: &str, at: f64| {
        let line = (at / LINE as f64) as u64;
        let n = lines.iter().position(|l| *l == (memory, line)).unwrap_or(0);
        starts[n] + (at - (line * LINE) as f64) / LINE as f64 * line_width
    };

    sheet.lanes(wanted.iter().map(|(lane, _, _)| *lane))?;
    for (lane, memory, at) in &wanted {
        sheet.lead(*lane, place(memory, *at as f64 + width_of_lane as f64 / 2.0), Paint::Muted)?;
    }
    sheet.y += FALL;
    sheet.row_label("memory", sheet.y + HEIGHT / 2.0)?;
    let detailed = sector_width >= DETAILED;
    for (n, (memory, line)) in lines.iter().enumerate() {
        for sector in 0..LINE / SECTOR {
            let x = starts[n] + sector as f64 * sector_width;
            let area = [(x, sheet.y), (x + sector_width, sheet.y + HEIGHT)];
            let number = line * (LINE / SECTOR) + sector;
            if touched.contains(&(*memory, number)) {
                sheet.canvas.area(area, MOVED)?;
                // Runs of bytes that somebody asked for.
                let is_asked = |b: u64| asked.contains(&(*memory, b));
                let mut at = number * SECTOR;
                while at < (number + 1) * SECTOR {
                    let end = (at..(number + 1) * SECTOR).find(|b| is_asked(*b) != is_asked(at));
                    let end = end.unwrap_or((number + 1) * SECTOR);
                    if is_asked(at) {
                        let [from, to] = [at, end]
                            .map(|b| x + (b - number * SECTOR) as f64 / SECTOR as f64 * sector_width);
                        let to = to.max(from + THINNEST).min(x + sector_width);
                        sheet.canvas.area([(from, sheet.y), (to, sheet.y + HEIGHT)], ASKED)?;
                    }
                    at = end;
                }
            }
            if sector > 0 {
                // A rim in the ground's colour, so that it is seen on what was asked for too.
                let border = [(x, sheet.y), (x, sheet.y + HEIGHT)];
                sheet.canvas.line(
                    &border,
                    Paint::Ground,
                    drawing::Line::Solid,
                    if detailed { 2.4 } else { 0.8 },
                )?;
                sheet.canvas.line(
                    &border,
                    Paint::Muted,
                    drawing::Line::Solid,
                    if detailed { 0.9 } else { 0.4 },
                )?;
            }
        }
        let area = [(starts[n], sheet.y), (starts[n] + line_width, sheet.y + HEIGHT)];
        sheet.canvas.frame(area, Paint::Text, if detailed { 1.1 } else { 0.7 })?;
    }
    sheet.y += HEIGHT + 3.0;
    // Where lines begin: every one of them, or every second, third, … as there is room.
    let label = |n: usize| {
        let (memory, line) = lines[n];
        let at = format::count(line * LINE);
        if n == 0 || lines[n - 1].0 != memory { format!("{memory} + {at}") } else { format!("+ {at}") }
    };
    let widest = (0..lines.len()).map(|n| width(&label(n), SMALL)).fold(0.0, f64::max) + 8.0;
    let every =
        (1..lines.len()).find(|every| (*every..lines.len()).all(|n| starts[n] - starts[n - every] >= widest));
    for n in (0..lines.len()).step_by(every.unwrap_or(lines.len())) {
        let text = label(n);
        if starts[n] + width(&text, SMALL) > WIDTH {
            continue;
        }
        let place = (starts[n], sheet.y + 8.0);
        sheet.canvas.text(&text, place, SMALL, Paint::Muted, FontStyle::Normal, HPos::Left)?;
    }
    sheet.y += 20.0;
    sheet.explain(ASKED, ASKED, "asked for");
    if touched.len() as u64 * SECTOR > asked.len() as u64 {
        sheet.explain(MOVED, Paint::Muted, "moved with it");
    }
    sheet.explain(Paint::Ground, Paint::Muted, "a sector of 32 bytes that stays where it is");
    sheet
        .note("Four sectors are a line of 128 bytes; what stands below a line is where it begins, in bytes.");
    sheet.say(&words, Paint::Text, FontStyle::Normal)?;
    Ok(())
}

/// The counts in words, if they agree with the sectors drawn.
fn counted(access: &Access, sectors: u64, lines: u64, asked: u64) -> Result<String, Refusal> {
    let cost = &access.cost;
    let lanes: usize = access.lanes.values().map(|lanes| lanes.iter().count()).sum();
    let (requests, moved) = match access.kind {
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
            "the lanes' addresses lie in {}, and {moved} were counted",
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
