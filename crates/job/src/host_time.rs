//! Where the time of the machine that runs a job went, by its own clock: not what the modelled chip would take.
//!
//! Enters: a report of a profiled run. Leaves: a table. A profiled run takes longer than one without, and so do checks. What
//! phases and launches took is measured; what of it goes to a source line is estimated, from how often its instructions ran
//! and what those of their class cost on average.

use crate::mix;
use crate::report::{HostTime, Report};
use anstyle::Style;
use device::InstructionProfile;
use names::shown;
use record::text::visible;
use render::format;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();

/// Lines that are shown.
const LINES: usize = 5;

/// A source line, and the time that it is estimated to have taken.
pub(crate) struct EstimatedLine<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u32,
    pub(crate) time: Duration,
}

/// The estimated times of all lines that ran, the longest first; of code without a line table, those of the PTX.
pub(crate) fn lines(report: &Report) -> Vec<EstimatedLine<'_>> {
    let mut times: BTreeMap<(&str, u32), f64> = BTreeMap::new();
    for launch in &report.launches {
        let cost = |i: &InstructionProfile| {
            i.counters.warp_instructions as f64 * f64::from(mix::host_cost(&i.mnemonic))
        };
        let all: f64 = launch.profile.iter().map(cost).sum();
        for instruction in launch.profile.iter().filter(|i| i.counters.warp_instructions > 0) {
            let place = &instruction.place;
            let line = match place.counted_line() {
                Some((file, line)) => (file.as_str(), *line),
                None => (place.ptx.as_str(), place.at.0),
            };
            *times.entry(line).or_default() += launch.host.as_secs_f64() * cost(instruction) / all;
        }
    }
    let line = |((file, line), time)| EstimatedLine { file, line, time: Duration::from_secs_f64(time) };
    let mut lines: Vec<_> = times.into_iter().map(line).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.time));
    lines
}

/// The table for a program to read, milliseconds: only of a run that was profiled.
pub(crate) fn json(report: &Report) -> serde_json::Result<Option<serde_json::Value>> {
    if report.launches.iter().all(|launch| launch.profile.is_empty()) {
        return Ok(None);
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let HostTime { reading_ptx, decoding, filling, outputs } = report.host;
    let line = |line: &EstimatedLine<'_>| JsonLine {
        file: line.file.to_owned(),
        line: line.line,
        ms: ms(line.time),
    };
    let json = JsonHostTime {
        reading_ptx: ms(reading_ptx),
        decoding: ms(decoding),
        filling: ms(filling),
        launches: report.launches.iter().map(|launch| ms(launch.host)).collect(),
        outputs: ms(outputs),
        lines_estimated: lines(report).iter().map(line).collect(),
    };
    serde_json::to_value(json).map(Some)
}

/// Times of phases, and of each launch in their order.
#[derive(Serialize)]
struct JsonHostTime {
    reading_ptx: f64,
    decoding: f64,
    filling: f64,
    launches: Vec<f64>,
    outputs: f64,
    /// What of the launches' time goes to each source line: estimated, the longest first.
    lines_estimated: Vec<JsonLine>,
}

#[derive(Serialize)]
struct JsonLine {
    file: String,
    line: u32,
    ms: f64,
}

/// A row for each phase and for each kernel, in the order in which they ran.
pub(crate) fn table(report: &Report) -> String {
    let host = report.host;
    let mut rows = vec![
        ("reading the PTX".to_owned(), host.reading_ptx),
        ("decoding the kernels".to_owned(), host.decoding),
        ("filling buffers and symbols".to_owned(), host.filling),
    ];
    let mut kernels: Vec<(&str, u64, Duration)> = vec![];
    for launch in &report.launches {
        match kernels.iter_mut().find(|(name, ..)| *name == launch.kernel) {
            Some((_, runs, time)) => {
                *runs += launch.runs;
                *time += launch.host;
            }
            None => kernels.push((&launch.kernel, launch.runs, launch.host)),
        }
    }
    for (name, runs, time) in kernels {
        let times = if runs == 1 { String::new() } else { format!(", {} times", format::count(runs)) };
        rows.push((format!("running {}{times}", visible(&shown(name))), time));
    }
    rows.push(("reading outputs".to_owned(), host.outputs));
    let all: Duration = rows.iter().map(|(_, time)| *time).sum();
    let width = rows.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
    let mut text = format!(
        "\n{HEAD}time of this machine{HEAD:#}{NOTE}, which runs the device, profiling included{NOTE:#}\n"
    );
    for (what, time) in rows {
        let share = if all.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / all.as_secs_f64() };
        let time = format::time_ns(time.as_secs_f64() * 1e9).replace('\u{a0}', " ");
        text += &format!("  {what:<width$} {time:>10} {share:>5.1} %\n");
    }
    text + &longest(&lines(report), width)
}

/// The lines that are estimated to have taken the longest, of the time that the launches took.
fn longest(lines: &[EstimatedLine<'_>], width: usize) -> String {
    let all: Duration = lines.iter().map(|line| line.time).sum();
    if all.is_zero() {
        return String::new();
    }
    let mut text = format!("{NOTE}  running, by source line, estimated from counts{NOTE:#}\n");
    for line in lines.iter().take(LINES) {
        let share = 100.0 * line.time.as_secs_f64() / all.as_secs_f64();
        let time = format::time_ns(line.time.as_secs_f64() * 1e9).replace('\u{a0}', " ");
        let place = format!("{}:{}", visible(line.file), line.line);
        text += &format!("  {place:<width$} {time:>10} {share:>5.1} %\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Launched;
    use anstream::adapter::strip_str;

    #[test]
    fn every_phase_and_every_kernel_has_its_share() {
        let ms = Duration::from_millis;
        let launched = |kernel: &str, runs, host| {
            let one = Launched::new(kernel.into(), [1; 3], [1; 3]);
            Launched { runs, host, ..one }
        };
        let host =
            HostTime { reading_ptx: ms(10), decoding: ms(20), filling: ms(0), outputs: Duration::ZERO };
        let launches =
            vec![launched("_ZN2ns1fEv", 1, ms(30)), launched("g", 1, ms(20)), launched("g", 3, ms(20))];
        let text = table(&Report { host, launches, ..Report::default() });
        let text = strip_str(&text).to_string();
        let shares: Vec<(&str, &str)> = text
            .lines()
            .skip(2)
            .filter_map(|line| line.trim().trim_end_matches(" %").rsplit_once(' '))
            .map(|(rest, share)| (rest.split("  ").next().unwrap_or_default(), share))
            .collect();
        let wanted = [
            ("reading the PTX", "10.0"),
            ("decoding the kernels", "20.0"),
            ("filling buffers and symbols", "0.0"),
            ("running ns::f()", "30.0"),
            ("running g, 4 times", "40.0"),
            ("reading outputs", "0.0"),
        ];
        assert_eq!(shares, wanted, "{text}");
        assert!(!table(&Report::default()).contains("NaN"));
    }

    #[test]
    fn a_launch_s_time_is_shared_among_its_lines_by_what_their_instructions_cost() {
        let ran = |line, mnemonic: &str, warps| InstructionProfile {
            place: device::Place::in_ptx("k.ptx", (line, 1)),
            mnemonic: mnemonic.into(),
            counters: device::Counters { warp_instructions: warps, ..device::Counters::default() },
        };
        let one = Launched::new("k".into(), [1; 3], [1; 3]);
        let profile =
            vec![ran(3, "add.s32", 2), ran(4, "add.s32", 1), ran(3, "add.f32", 1), ran(5, "ret", 0)];
        let launches = vec![Launched { host: Duration::from_millis(80), profile, ..one }];
        let report = Report { launches, ..Report::default() };
        let times: Vec<_> = lines(&report).iter().map(|l| (l.file, l.line, l.time.as_millis())).collect();
        assert_eq!(times, [("k.ptx", 3, 60), ("k.ptx", 4, 20)]);
        let text = strip_str(&table(&report)).to_string();
        assert!(text.contains("estimated from counts") && text.contains("75.0 %"), "{text}");
        assert!(mix::host_cost("atom.global.add.u32") > mix::host_cost("add.s32"));
    }
}
