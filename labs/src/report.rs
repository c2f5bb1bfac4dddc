//! A record as text for the terminal.
//!
//! Enters: a record, and its lab's choice of what to show. Leaves: text of at most 80 columns with ANSI styles, which
//! the caller strips where they are not wanted. Tables are in the manner of nvprof, with the counters that
//! explain a time beside it.

use crate::lab::{HOST_SPEED, Lab, View};
use crate::plan::Plan;
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use record::text::visible_lines;
use record::{
    Check, Claim, Counters, Device, Experiment, Origin, Parameter, Point, Record, Series, Source, Timing,
    Verdict,
};
use render::format;

const WIDTH: u16 = 80;

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const PART: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Opening text: the lab, the device, and the sizes that it runs with.
pub(crate) fn opening(lab: &Lab, device: &Device, why: Option<&str>, plan: &Plan) -> String {
    let on = match device {
        Device::Gpu { driver, .. } => format!("{}, driver {driver}; times are measured", device.label()),
        Device::Simt { .. } => format!("the {}; times are modelled", device.label()),
    };
    let mut text = format!("{} on {on}\n", styled(HEAD, lab.name));
    for note in why.into_iter().chain(plan.notes.iter().map(String::as_str)) {
        text += &paragraph(note);
    }
    let shown = |name: &str| match plan.parameters.get(name) {
        Some(Parameter::Integer(value)) => format!("{name} {}", plain(&format::count(*value))),
        _ => format!("no {name}"),
    };
    let asked = lab.sizes.iter().map(|size| size.name).chain(["seed"]).map(shown);
    text += &format!("{}\n", asked.collect::<Vec<_>>().join(", "));
    text
}

/// The tables of the experiments.
pub(crate) fn tables(lab: &Lab, record: &Record) -> String {
    let mut text = String::new();
    for view in lab.views {
        let (View::Launches { experiment } | View::Sweep { experiment, .. } | View::Columns { experiment }) =
            view;
        let Some(experiment) = record.experiment(experiment) else { continue };
        let source = match (experiment.y_is, record.device.source()) {
            (Origin::Count, _) => "counted",
            (Origin::Answer, _) => "as the device answers:",
            (Origin::Time, Source::Measured) => "measured",
            (Origin::Time, Source::Modelled) => "modelled",
        };
        let (table, unit) = match view {
            View::Launches { .. } => (launches(experiment), "times in µs".to_owned()),
            View::Sweep { xs, .. } => {
                (sweep(experiment, xs), format!("{} in {}", experiment.y.label, experiment.y.unit))
            }
            View::Columns { .. } => {
                (columns(experiment), format!("{} in {}", experiment.y.label, experiment.y.unit))
            }
        };
        text += &format!(
            "\n{}\n{}\n",
            styled(HEAD, &experiment.title),
            styled(NOTE, &format!("{source} {unit}"))
        );
        text += &lines(&table);
    }
    text + &agreement(record)
}

/// Checks, claims, and where the files are.
pub(crate) fn closing(record: &Record, written: &[(&'static str, String)], notes: &[String]) -> String {
    let mut text = format!("\n{}\n", styled(HEAD, "Checks"));
    text += &checks(&record.checks);
    text += &format!("\n{}\n", styled(HEAD, "What the sources say"));
    text += &claims(&record.claims);
    text += "\n";
    for note in notes {
        text += &paragraph(&visible_lines(note));
    }
    if let Some(speed) = record.facts.get(HOST_SPEED) {
        text +=
            &plain(&format!("{} thread-instructions a second on this machine\n", in_millions(speed.value)));
    }
    for (what, path) in written {
        text += &format!("{what}: {path}\n");
    }
    text
}

fn in_millions(value: f64) -> String {
    format!("{} million", format::number((value / 1e6).round()))
}

/// Table with one row per launch: variant, shape, times, bytes moved, and the counters that explain the time.
fn launches(experiment: &Experiment) -> Table {
    let mut table = empty();
    let per = |of: &str, one: &str| format!("{of}/\n{one}");
    table.set_header([
        "variant".into(),
        experiment.x.label.replace(' ', "\n"),
        "calls".into(),
        "avg".into(),
        "min".into(),
        "max".into(),
        experiment.y.unit.clone(),
        per("sect.", "req."),
        per("wavef.", "instr."),
        per("replays", "instr."),
    ]);
    for series in &experiment.series {
        for point in &series.points {
            let us = |of: fn(&Timing) -> f64| {
                point.time.as_ref().map_or_else(|| "-".to_owned(), |time| number(of(time) / 1e3))
            };
            let counters = &point.counters;
            table.add_row([
                series.id.clone(),
                number(point.x),
                point.time.as_ref().map_or_else(|| "-".to_owned(), |time| time.calls.to_string()),
                us(|t| t.mean_ns),
                us(|t| t.min_ns),
                us(|t| t.max_ns),
                number(point.y),
                ratio(
                    counters,
                    &["global_load_sectors", "global_store_sectors"],
                    &["global_load_requests", "global_store_requests"],
                ),
                ratio(
                    counters,
                    &["shared_load_wavefronts", "shared_store_wavefronts"],
                    &["shared_load_instructions", "shared_store_instructions"],
                ),
                ratio(counters, &["const_replays"], &["const_instructions"]),
            ]);
        }
    }
    right(table, 1)
}

/// A row a series at some x, and below it the counter that explains it.
fn sweep(experiment: &Experiment, xs: &[f64]) -> Table {
    let mut table = empty();
    table.set_header(std::iter::once(experiment.x.label.clone()).chain(xs.iter().map(|&x| number(x))));
    for series in &experiment.series {
        let row = |of: &dyn Fn(&Point) -> String| -> Vec<String> {
            xs.iter().map(|&x| series.at(x).map_or_else(|| "-".to_owned(), of)).collect()
        };
        table.add_row(std::iter::once(series.id.clone()).chain(row(&|p| number(p.y))));
        let (name, of, per) = explaining(series);
        let cells = row(&|p| ratio(&p.counters, &[of], &[per]));
        table.add_row(std::iter::once(format!("  {name}")).chain(cells));
    }
    right(table, 1)
}

/// The counter that says what a series' loads cost: its name, and as a ratio of what.
fn explaining(series: &Series) -> (&'static str, &'static str, &'static str) {
    let counts = |name: &str| series.points.iter().any(|p| p.counters.get(name).is_some_and(|&n| n > 0));
    if counts("const_instructions") {
        ("replays/instr.", "const_replays", "const_instructions")
    } else if counts("shared_load_instructions") {
        ("wavefronts/instr.", "shared_load_wavefronts", "shared_load_instructions")
    } else {
        ("sectors/req.", "global_load_sectors", "global_load_requests")
    }
}

/// The most rows of a table; where there are more x, only the powers of two are shown.
const ROWS: usize = 24;

/// A row each x that a series has, a column a series.
fn columns(experiment: &Experiment) -> Table {
    let mut table = empty();
    let heads = experiment.series.iter().map(|s| s.id.clone());
    table.set_header(std::iter::once(experiment.x.label.clone()).chain(heads));
    let mut xs: Vec<f64> = experiment.series.iter().flat_map(|s| &s.points).map(|p| p.x).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let all = xs.len() <= ROWS;
    for x in xs.into_iter().filter(|x| all || x.log2().fract() == 0.0) {
        let cells = experiment.series.iter().map(|s| s.at(x).map_or_else(|| "-".to_owned(), |p| number(p.y)));
        table.add_row(std::iter::once(plain(&format::quantity(x, &experiment.x.unit))).chain(cells));
    }
    right(table, 0)
}

/// Agreement of the GPU's counters with the embedded device's; nothing where there are none of the GPU.
fn agreement(record: &Record) -> String {
    const COMPARED: [(&str, &[&str]); 3] = [
        (
            "requests and sectors of global memory",
            &["global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors"],
        ),
        ("replays of constant loads", &["const_divergent_instructions", "const_replays"]),
        ("wavefronts of shared memory", &["shared_load_wavefronts", "shared_store_wavefronts"]),
    ];
    let points = record.experiments.iter().flat_map(|e| &e.series).flat_map(|s| &s.points);
    let points: Vec<&Point> = points.filter(|p| !p.hardware.is_empty()).collect();
    if points.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", styled(HEAD, "Nsight Compute and the embedded device"));
    for (what, names) in COMPARED {
        let off = |p: &&Point| -> f64 {
            let of = |name: &&str| p.hardware.get(*name).zip(p.counters.get(*name));
            let relative =
                |(&gpu, &embedded): (&u64, &u64)| gpu.abs_diff(embedded) as f64 / gpu.max(1) as f64;
            names.iter().filter_map(of).map(relative).fold(0.0, f64::max)
        };
        let equal = points.iter().filter(|p| off(p) == 0.0).count();
        let largest = points.iter().map(off).fold(0.0, f64::max);
        let but = if largest > 0.0 {
            format!(", largest difference {} %", number(100.0 * largest))
        } else {
            String::new()
        };
        text += &paragraph(&format!("{what}: equal in {equal} of {} launches{but}", points.len()));
    }
    text
}

/// Table of the checks: passed ones grouped by subject, failed ones by finding.
fn checks(checks: &[Check]) -> String {
    let mut groups: Vec<(&Check, &str, u32)> = Vec::new();
    for check in checks {
        let about = |c: &Check| c.id.split('/').next().unwrap_or_default().to_owned();
        let same = |first: &Check| {
            (first.passed, &first.what, about(first)) == (check.passed, &check.what, about(check))
                && (first.passed || first.found == check.found)
        };
        match groups.iter_mut().find(|(first, ..)| same(first)) {
            Some((.., count)) => *count += 1,
            None if check.passed => groups.push((check, check.id.split('/').next().unwrap_or_default(), 1)),
            None => groups.push((check, &check.id, 1)),
        }
    }
    // What failed is read last, and so stays in sight.
    groups.sort_by_key(|(first, ..)| !first.passed);
    let mut table = empty();
    for (Check { passed, what, found, .. }, name, count) in groups {
        table.add_row(match (passed, count) {
            (true, 1) => ["ok".to_owned(), format!("{name}: {found}; {what}")],
            (true, _) => ["ok".to_owned(), format!("{name} × {count}: {found}; {what}")],
            (false, 1) => ["FAILED".to_owned(), format!("{name}: {found}; expected: {what}")],
            (false, _) => {
                ["FAILED".to_owned(), format!("{name} and {} more: {found}; expected: {what}", count - 1)]
            }
        });
    }
    colour(&lines(&flush(table)), |line| {
        if line.starts_with("ok ") {
            Some(("ok", GOOD))
        } else if line.starts_with("FAILED") {
            Some(("FAILED", BAD))
        } else {
            None
        }
    })
}

/// By verdict and reason: claims that one reason answers stand together above it.
fn claims(claims: &[Claim]) -> String {
    let verdict = |v: Verdict| render::table::verdict(v).0;
    let mut groups: Vec<(&Claim, Vec<String>)> = Vec::new();
    for claim in claims {
        let text = claim.claim.clone();
        match groups.iter_mut().find(|(first, _)| (first.verdict, &first.why) == (claim.verdict, &claim.why))
        {
            Some((_, texts)) => texts.push(text),
            None => groups.push((claim, vec![text])),
        }
    }
    let mut table = empty();
    for (first, texts) in groups {
        table.add_row([verdict(first.verdict).to_owned(), format!("{}\n→ {}", texts.join("\n"), first.why)]);
    }
    let table = flush(table);
    let styles = [
        (Verdict::Holds, GOOD),
        (Verdict::HoldsInPart, PART),
        (Verdict::DoesNotHold, BAD),
        (Verdict::NotShown, NOTE),
    ];
    colour(&lines(&table), |line| {
        // The longest first: one verdict's words begin another's.
        let fits = styles.iter().filter(|(v, _)| line.starts_with(verdict(*v)));
        fits.max_by_key(|(v, _)| verdict(*v).len()).map(|(v, style)| (verdict(*v), *style))
    })
}

/// Styles the word with which a line begins.
fn colour(text: &str, word: impl Fn(&str) -> Option<(&'static str, Style)>) -> String {
    text.lines()
        .map(|line| match word(line) {
            Some((word, style)) => format!("{}{}\n", styled(style, word), &line[word.len()..]),
            None => format!("{line}\n"),
        })
        .collect()
}

fn empty() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table
}

/// Numbers stand on the right: all columns from `first` on.
fn right(mut table: Table, first: usize) -> Table {
    for column in table.column_iter_mut() {
        if column.index >= first {
            column.set_cell_alignment(CellAlignment::Right);
        }
        column.set_padding((0, 1));
    }
    table
}

/// Removes the space before a table's first column.
fn flush(mut table: Table) -> Table {
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table
}

fn lines(table: &Table) -> String {
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Wrapped to the width.
fn paragraph(text: &str) -> String {
    let mut table = empty();
    table.add_row([plain(text)]);
    lines(&flush(table))
}

/// Σ of some counters over Σ of others; `-` where there are none of the latter.
fn ratio(counters: &Counters, of: &[&str], per: &[&str]) -> String {
    let sum = |names: &[&str]| names.iter().filter_map(|n| counters.get(*n)).sum::<u64>() as f64;
    if sum(per) == 0.0 { "-".to_owned() } else { number(sum(of) / sum(per)) }
}

fn number(value: f64) -> String {
    plain(&format::number(value))
}

/// Spaces as the terminal has them.
fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab_5_5::{LAB, made_up};
    use anstream::adapter::strip_str;

    fn whole(record: &Record) -> String {
        let parameters = record.parameters.clone();
        let plan = Plan { notes: vec!["`wide` is left out".into()], parameters, ..Plan::default() };
        opening(&LAB, &record.device, Some("no GPU can be used: no driver"), &plan)
            + &tables(&LAB, record)
            + &closing(record, &[("record", "lab-5-5.json".into())], &["ncu is not there".into()])
    }

    #[test]
    fn a_modelled_run_reads_so() {
        insta::assert_snapshot!(strip_str(&whole(&made_up(false))).to_string());
    }

    #[test]
    fn a_measured_run_with_a_failed_check_reads_so() {
        let mut record = made_up(true);
        let point = &mut record.experiments[0].series[0].points[0];
        point.hardware = point.counters.clone();
        point.hardware.insert("shared_load_wavefronts".into(), 10);
        record.checks[0].passed = false;
        insta::assert_snapshot!(strip_str(&whole(&record)).to_string());
    }

    #[test]
    fn every_line_fits_eighty_columns() {
        for measured in [false, true] {
            let text = whole(&made_up(measured));
            for line in strip_str(&text).to_string().lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }

    #[test]
    fn verdicts_are_coloured_and_nothing_else_changes() {
        let record = made_up(true);
        let text = closing(&record, &[], &[]);
        assert!(text.contains("\u{1b}["));
        assert!(!strip_str(&text).to_string().contains('\u{1b}'));
    }
}
