//! What a run took and counted, as text and as a timeline.
//!
//! Enters: the record of a run. Leaves: the tables of nvprof and of Nsight Compute, and an SVG. This module must never know how any of
//! it was found.

use comfy_table::{CellAlignment, Table, presets};
use hostrun::{ActivityRecord, LaunchRecord, ProgramRecord, RowRecord};
use plots::{Bar, Lane, Timeline};
use render::format;

/// The table that nvprof printed: what the device did, and the calls of the API.
pub(crate) fn table(record: &ProgramRecord) -> String {
    let mut rows = vec![];
    for (title, all) in [("GPU activities:", &record.activities), ("API calls:", &record.calls)] {
        let total: f64 = all.iter().map(|row| row.total_ns).sum();
        for (number, row) in all.iter().enumerate() {
            rows.push(cells(if number == 0 { title } else { "" }, row, total));
        }
    }
    let head = ["Type", "Time(%)", "Time", "Calls", "Avg", "Min", "Max", "Name"].map(str::to_owned);
    format!("{}\n{}", note(record), aligned(std::iter::once(head).chain(rows), &[1, 2, 3, 4, 5, 6]))
}

fn cells(title: &str, row: &RowRecord, total: f64) -> [String; 8] {
    let share = if total > 0.0 { 100.0 * row.total_ns / total } else { 0.0 };
    let time = |ns: f64| if ns == 0.0 { "0".to_owned() } else { plain(&format::time_ns(ns)) };
    [
        title.to_owned(),
        format!("{share:.2}%"),
        time(row.total_ns),
        row.calls.to_string(),
        time(row.average_ns),
        time(row.min_ns),
        time(row.max_ns),
        row.name.clone(),
    ]
}

/// Where the times are from.
fn note(record: &ProgramRecord) -> String {
    let device = &record.device;
    let kernels = if record.modelled {
        format!("times of kernels and copies are modelled for {device}")
    } else {
        format!("times of kernels are measured on {device}, those of copies are modelled")
    };
    format!("{kernels}; the time of a call is what the host waits in it")
}

/// The counters of each launch, with the metrics that Nsight Compute has for them.
pub(crate) fn counts(record: &ProgramRecord) -> String {
    let mut text = String::new();
    for one in &record.launches {
        let time = if record.modelled { "modelled" } else { "measured" };
        let average = plain(&format::time_ns(one.total_ns / one.times.max(1) as f64));
        text += &format!("{}{}: {average} {time}\n", head(one), if one.times > 1 { " each" } else { "" });
        let rows = one.counters.iter().filter(|(_, n)| **n > 0).map(|(name, n)| {
            let metric = counters::get(name).and_then(|one| one.metric).unwrap_or("");
            [format!("  {name}"), format::count(*n), metric.to_owned()]
        });
        if one.counters.is_empty() {
            text += "  a GPU counts nothing for a program: run it with --device simt, or ask ncu\n";
        }
        text += &aligned(rows, &[1]);
    }
    if record.launches_left_out > 0 {
        text += &format!("and {} launches more\n", format::count(record.launches_left_out));
    }
    if record.launches.is_empty() {
        text += "the program has launched no kernel\n";
    }
    text
}

fn head(one: &LaunchRecord) -> String {
    let size = |[x, y, z]: [u32; 3]| match (x, y, z) {
        (x, 1, 1) => x.to_string(),
        (x, y, 1) => format!("{x}×{y}"),
        (x, y, z) => format!("{x}×{y}×{z}"),
    };
    let shared = match one.shared_bytes {
        0 => String::new(),
        bytes => format!(", {} dynamic", plain(&format::bytes(bytes))),
    };
    let place = one.place.as_ref().map_or(String::new(), |at| format!(", {}:{}", at.file, at.line));
    let times = if one.times > 1 { format!(", {} times", format::count(one.times)) } else { String::new() };
    format!("{}  grid {}, block {}{shared}{place}{times}", one.kernel, size(one.grid), size(one.block))
}

/// A timeline of the streams, and of what the host waited for.
pub(crate) fn timeline(record: &ProgramRecord, title: &str) -> Result<String, render::Error> {
    // The default streams have no number.
    let number = |name: &str| name.rsplit(' ').next().and_then(|last| last.parse::<u32>().ok());
    let mut streams: Vec<&str> = record.timeline.iter().map(|one| &*one.stream).collect();
    streams.sort_by_key(|name| (number(name), *name));
    streams.dedup();
    let bar =
        |one: &ActivityRecord| Bar { name: one.name.clone(), start_ns: one.start_ns, end_ns: one.end_ns };
    let lane = |stream: &str| Lane {
        name: stream.to_owned(),
        bars: record.timeline.iter().filter(|one| one.stream == stream).map(bar).collect(),
    };
    let lanes: Vec<Lane> = streams.into_iter().map(lane).collect();
    let mut note = note(record);
    if record.timeline_left_out > 0 {
        note += &format!("; {} activities more are not shown", format::count(record.timeline_left_out));
    }
    Timeline { title, note: &note, lanes: &lanes, id: "timeline" }.svg()
}

/// Text with ordinary spaces, for the terminal.
fn plain(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}

fn aligned<const N: usize>(rows: impl Iterator<Item = [String; N]>, right: &[usize]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
        if right.contains(&column.index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).filter(|line| line != "\n").collect()
}
