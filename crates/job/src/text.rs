//! A report as text for the terminal, with ANSI styles that the caller strips where they are not wanted.
//!
//! Pure: a report in, text out.

use crate::compare::{Comparison, Mismatch};
use crate::host_time;
use crate::mix;
use crate::profile;
use crate::report::{Input, Launched, Output, Part, Report, Time};
use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, Table, presets};
use counters::Executed;
use device::{Counters, Made};
use names::{readable, shown};
use record::text::{visible, visible_lines};
use render::format;
use std::collections::HashSet;

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Launches, what they printed and counted, and how the outputs compare. Of what stopped a run, nothing: that is for
/// standard error.
pub(crate) fn report(report: &Report) -> String {
    let mut text: String = report.launches.iter().map(launch).collect();
    if let Some(ended) = &report.ended {
        text += &head(ended, "ended by a fault");
        text += &printed(&ended.printed);
    }
    text.extend(report.inputs.iter().map(input));
    for o in &report.outputs {
        text += &output(o);
    }
    let not_finite = |output: &Output| output.not_finite.is_some_and(|found| found.elements > 0);
    let looked = report.launches.iter().any(|launch| launch.counters.is_some());
    if looked
        && report.outputs.iter().any(not_finite)
        && report.launches.iter().all(|l| l.not_finite.is_empty())
    {
        text += "no launch has computed a NaN or an infinity from finite numbers: they were in what it was given\n";
    }
    text + &profiles(report)
}

/// The faults after which launches continued, with how often each was found.
pub(crate) fn faults(report: &Report) -> String {
    let all: Vec<_> = report.launches.iter().flat_map(|launch| &launch.faults).collect();
    let times = |n: u64| match n {
        1 => "once".to_owned(),
        n => format!("{} times", plain(&format::count(n))),
    };
    let mut text = String::new();
    for counted in &all {
        let fault = visible_lines(&counted.fault.to_string()).into_owned();
        text += &format!("launch: {fault}\n  found {}\n", times(counted.count));
    }
    if report.keeps_going {
        let found = all.iter().map(|counted| counted.count).sum::<u64>();
        text += &match all.len() {
            0 => "launch: no faults\n".to_owned(),
            1 => format!("launch: 1 fault, found {}\n", times(found)),
            n => format!("launch: {n} different faults, found {}\n", times(found)),
        };
    }
    text
}

/// A listing for each kernel that was profiled.
fn profiles(report: &Report) -> String {
    let mut text = String::new();
    let mut listed = Vec::new();
    for first in report.launches.iter().filter(|l| !l.profile.is_empty()) {
        if listed.contains(&&first.kernel) {
            continue;
        }
        listed.push(&first.kernel);
        let all: Vec<_> = report.launches.iter().filter(|l| l.kernel == first.kernel).collect();
        let runs: u64 = all.iter().map(|launch| launch.runs).sum();
        let launches = if runs == 1 { String::new() } else { format!(", {runs} launches together") };
        text += &format!("\n{HEAD}profile of {}{HEAD:#}{launches}\n", visible(&shown(&first.kernel)));
        text += &mix::table(all.iter().flat_map(|l| &l.profile));
        text += &profile::listing(all.iter().flat_map(|l| &l.profile), &report.sources);
    }
    if !listed.is_empty() {
        text += &host_time::table(report);
        text += &format!("\n{NOTE}{}{NOTE:#}", profile::legend());
    }
    text
}

/// The report without styles, followed by the error that stopped the run, if any.
impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", strip_str(&report(self)))?;
        match &self.error {
            Some(error) => write!(f, "{}", readable(&error.to_string())),
            None => Ok(()),
        }
    }
}

/// The line of a launch, with its time or what else came of it.
fn head(launch: &Launched, what: &str) -> String {
    let runs =
        if launch.runs == 1 { String::new() } else { format!(", {} times", format::count(launch.runs)) };
    format!(
        "{HEAD}{}{HEAD:#}  grid {}, block {}{runs}: {what}\n",
        visible(&shown(&launch.kernel)),
        size(launch.grid),
        size(launch.block)
    )
}

/// What a launch printed, if it did.
fn printed(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{NOTE}  printed:{NOTE:#}\n{}{end}", visible_lines(text))
}

fn launch(launch: &Launched) -> String {
    let time = match launch.time {
        Time::Measured(ns) => format!("{} measured", plain(&format::time_ns(ns))),
        Time::Modelled(ns) => format!("{} modelled", plain(&format::time_ns(ns))),
        Time::None => "no time taken".to_owned(),
    };
    let mut text = head(launch, &time);
    if let Some(counters) = &launch.counters {
        if launch.executed.is_empty() {
            let rows = counters.iter().filter(|(_, n)| *n > 0);
            text += &table(rows.map(|(name, n)| [name.to_owned(), format::count(n)]), &[1]);
        } else {
            text += &both(counters, &launch.executed);
        }
    }
    for made in &launch.not_finite {
        text += &format!("  {}\n", visible(&first_made(made)));
    }
    text + &printed(&launch.printed)
}

/// What made the first NaN or the first infinity, in words.
fn first_made(made: &Made) -> String {
    let what = match made.what {
        device::NotFinite::Nan => "NaN",
        device::NotFinite::Infinity => "infinity",
    };
    let index = |[x, y, z]: [u32; 3]| format!("({x},{y},{z})");
    let counted = made.place.counted_line().map(|(file, line)| format!("{file}:{line}"));
    let place = counted.unwrap_or_else(|| made.place.line());
    let (formula, mnemonic) = (&made.formula, &made.mnemonic);
    let (block, thread) = (index(made.block), index(made.thread));
    format!("first {what}: {formula} ({mnemonic}) at {place}, block {block}, thread {thread}")
}

/// Counters of the PTX's own instructions next to those of what the chip executes for them.
fn both(counters: &Counters, executed: &Executed) -> String {
    let reported = |name: &str| executed.get(name);
    let head = ["", "PTX", "executed"].map(str::to_owned);
    let rows = counters.iter().filter(|(name, n)| *n > 0 || reported(name).is_some_and(|n| n > 0)).map(
        |(name, n)| {
            let reported = reported(name).map_or_else(|| "–".to_owned(), format::count);
            [name.to_owned(), format::count(n), reported]
        },
    );
    table(std::iter::once(head).chain(rows), &[1, 2]) + &untold(counters, executed)
}

/// Why counters of the launch cannot be determined, a line a reason.
fn untold(counters: &Counters, executed: &Executed) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = vec![];
    for (name, why) in executed.untold().filter(|(name, _)| counters.get(name) != Some(0)) {
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    let lines =
        reasons.into_iter().map(|(why, names)| format!("{NOTE}  –: {why}:{NOTE:#} {}\n", names.join(", ")));
    lines.collect()
}

fn size([x, y, z]: [u32; 3]) -> String {
    match (x, y, z) {
        (x, 1, 1) => x.to_string(),
        (x, y, 1) => format!("{x}×{y}"),
        (x, y, z) => format!("{x}×{y}×{z}"),
    }
}

fn input(input: &Input) -> String {
    let Input { name, ty, unread, must_be_read } = input;
    let name = visible(name);
    match unread {
        None => format!(
            "input {name}: {NOTE}it is not known{NOTE:#} whether all of it is read: the embedded device keeps account of that\n"
        ),
        Some(Part { elements: 0, of, .. }) => {
            format!("input {name}: all of {} × {ty} are read\n", format::count(*of))
        }
        Some(Part { elements, first, of }) => {
            let style = if *must_be_read { BAD } else { NOTE };
            format!(
                "input {name}: {style}nothing has read{style:#} {} of {} × {ty}, the first at index {}\n",
                format::count(*elements),
                format::count(*of),
                format::count(*first)
            )
        }
    }
}

fn output(output: &Output) -> String {
    let Output { name, bytes, ty, first: values, compared, unwritten, must_be_written, not_finite } = output;
    let name = visible(name);
    let unwritten = match unwritten {
        None if *must_be_written => format!(
            "output {name}: {NOTE}it is not known{NOTE:#} whether all of it is written: the embedded device keeps track of that, \
             with the check `uninitialised`\n"
        ),
        None => String::new(),
        Some(Part { elements: 0, of, .. }) => {
            format!("output {name}: all of {} × {ty} are written\n", format::count(*of))
        }
        Some(Part { elements, first, of }) => {
            let style = if *must_be_written { BAD } else { NOTE };
            format!(
                "output {name}: {style}nothing has written{style:#} {} of {} × {ty}, the first at index {}\n",
                format::count(*elements),
                format::count(*of),
                format::count(*first)
            )
        }
    };
    let unwritten = match not_finite {
        None => unwritten,
        Some(Part { elements: 0, of, .. }) => {
            format!("{unwritten}output {name}: all of {} × {ty} are finite\n", format::count(*of))
        }
        Some(Part { elements, first, of }) => format!(
            "{unwritten}output {name}: {BAD}NaN or infinity{BAD:#} in {} of {} × {ty}, the first at index {}\n",
            format::count(*elements),
            format::count(*of),
            format::count(*first)
        ),
    };
    let Some((file, c)) = compared else {
        let elements = bytes / ty.bytes() as u64;
        let more = if elements > values.len() as u64 { " …" } else { "" };
        return format!(
            "output {name}: {}, {} × {ty}: {}{more}\n{unwritten}",
            plain(&format::bytes(*bytes)),
            format::count(elements),
            values.join(" ")
        );
    };
    let file = visible(file);
    let Comparison { ty, tolerance, elements, different, first, .. } = c;
    let how = match (tolerance.atol, tolerance.rtol) {
        (0.0, 0.0) => "bit for bit".to_owned(),
        (atol, 0.0) => format!("within {atol:?}"),
        (0.0, rtol) => format!("within {rtol:?} of the expected value"),
        (atol, rtol) => format!("within {atol:?} + {rtol:?} of the expected value"),
    };
    let (elements, largest) = (format::count(*elements), largest(c));
    if c.matches() {
        return format!(
            "output {name}: {GOOD}matches{GOOD:#} {file}: {elements} × {ty}, {how}{largest}\n{unwritten}"
        );
    }
    let mut text = format!(
        "output {name}: {BAD}differs{BAD:#} from {file}: {} of {elements} × {ty}, {how}{largest}\n",
        format::count(*different)
    );
    let head = ["index", "expected", "got"].map(str::to_owned);
    let component = |m: &Mismatch| match m.component {
        Some(n) => format!(".{}", ["x", "y", "z", "w"].get(usize::from(n)).unwrap_or(&"?")),
        None => String::new(),
    };
    let row = |m: &Mismatch| {
        let index = format!("{}{}", format::count(m.index), component(m));
        [index, m.expected.clone(), m.got.clone()]
    };
    let rows = first.iter().map(row);
    let whole: HashSet<u64> = first.iter().map(|m| m.index).collect();
    text += &table(std::iter::once(head).chain(rows), &[0, 1, 2]);
    if *different > whole.len() as u64 {
        text += &format!("  and {} more\n", format::count(different - whole.len() as u64));
    }
    text + &unwritten
}

/// The largest differences, where there are any.
fn largest(c: &Comparison) -> String {
    if c.max_abs == 0.0 {
        return String::new();
    }
    format!("; largest difference {}, relative {}", short(c.max_abs), short(c.max_rel))
}

fn short(value: f64) -> String {
    match value {
        v if !v.is_finite() => v.to_string(),
        v if v != 0.0 && !(1e-3..1e6).contains(&v) => format!("{v:.2e}"),
        v => plain(&format::number(v)),
    }
}

/// Rows, indented; the columns `right` are numbers.
pub(crate) fn table<const N: usize>(rows: impl Iterator<Item = [String; N]>, right: &[usize]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((2, 0));
        if right.contains(&column.index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Spaces as the terminal has them.
fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Tolerance;
    use crate::report::HostTime;

    fn made(name: &str, elements: u64) -> Output {
        Output {
            name: name.into(),
            bytes: 4 * elements,
            ty: scalar::Scalar::F32.into(),
            first: vec!["0.0".into(), "0.5".into()],
            compared: None,
            unwritten: None,
            must_be_written: false,
            not_finite: None,
        }
    }
    use scalar::Scalar;

    #[test]
    fn a_run_reads_so() {
        let mut comparison = Comparison::new(Scalar::F32.into(), Tolerance { atol: 0.0, rtol: 1e-6 });
        let bytes = |v: &[f32]| v.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        comparison.add(&bytes(&[1.0, 2.5, f32::NAN, 1e-9]), &bytes(&[1.0, 2.0, 0.0, 1e-9]));
        let mut exact = Comparison::new(Scalar::I32.into(), Tolerance::default());
        exact.add(&[0; 4096], &[0; 4096]);
        let counters = device::Counters {
            thread_instructions: 1_234_567,
            global_load_requests: 8,
            ..device::Counters::default()
        };
        let launch = |kernel: &str, grid, time| {
            let one = Launched::new(kernel.into(), grid, [256, 1, 1]);
            Launched { time, counters: Some(counters), ..one }
        };
        let all = Report {
            device: "embedded device, models NVIDIA H200".into(),
            compiler: None,
            launches: vec![
                launch("saxpy", [4, 1, 1], Time::Modelled(2345.0)),
                Launched {
                    printed: "hello from 0\nbell \u{7} and no end".into(),
                    counters: None,
                    ..launch("greet", [4, 2, 3], Time::Measured(1.5e6))
                },
            ],
            ended: None,
            inputs: vec![],
            outputs: vec![
                Output { compared: Some(("y.expected.bin".into(), comparison)), ..made("y", 4) },
                Output { compared: Some(("sum.bin".into(), exact)), ..made("sum", 1024) },
                Output { unwritten: Some(Part { elements: 3, first: 1021, of: 1024 }), ..made("raw", 1024) },
            ],
            keeps_going: false,
            sources: profile::Sources::new(),
            host: HostTime::default(),
            error: None,
        };
        insta::assert_snapshot!(all.to_string());
        assert_eq!(all.exit_code(), 1);
    }
}
