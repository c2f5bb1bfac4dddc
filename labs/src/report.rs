//! A run as text for the terminal: on two screens, or with all that it found.
//!
//! Enters: a record, and its lab's choice of what to show. Leaves: text of at most 80 columns with ANSI styles, which
//! the caller strips where they are not wanted. Failures are always shown in full.

use crate::lab::{HOST_SPEED, Lab, View};
use crate::layout::{
    BAD, GOOD, HEAD, NOTE, PART, colour, empty, flush, item, lines, number, paragraph, plain, styled,
};
use crate::request::Parameters;
use crate::summary;
use crate::tables::{columns, launches, sweep};
use anstream::adapter::strip_str;
use record::text::visible_lines;
use record::{
    Check, Claim, Device, Experiment, Origin, Parameter, Point, Record, Series, TimeSource, Verdict,
};
use render::format;
use std::path::PathBuf;

/// How much of a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The table that answers the chapter's question, and the conclusions.
    Brief,
    /// Every table, check and claim.
    All,
}

/// Opening text: the lab, the device, what is left out, and the sizes that it runs with.
pub(crate) fn opening(
    lab: &Lab,
    device: &Device,
    why: Option<&str>,
    (parameters, left_out): (&Parameters, &[String]),
    edited: &[PathBuf],
) -> String {
    let on = match device {
        Device::Gpu { driver, .. } => format!("on {}, driver {driver}: times are measured", device.label()),
        Device::Simt { .. } => format!("on the {}: exact counts, modelled times", device.label()),
    };
    let mut text = format!("{}\n", styled(HEAD, &format!("{}: {}", lab.name, lab.subject())));
    text += &paragraph(&on);
    for note in why.into_iter().chain(left_out.iter().map(String::as_str)) {
        text += &paragraph(note);
    }
    for kernel in edited {
        text += &paragraph(&visible_lines(&format!(
            "{} is run instead of the lab's file of this name",
            kernel.display()
        )));
    }
    let shown = |name: &str| match parameters.get(name) {
        Some(Parameter::Integer(value)) => format!("{name} {}", plain(&format::count(*value))),
        _ => format!("no {name}"),
    };
    let asked = lab.sizes.iter().map(|size| size.name).chain(["seed"]).map(shown);
    text += &format!("{}\n", asked.collect::<Vec<_>>().join(", "));
    text
}

/// The result: the table that answers the chapter's question, or all tables; and the conclusions.
pub(crate) fn result(lab: &Lab, record: &Record, extent: Extent) -> String {
    let tables = match extent {
        Extent::Brief => summary::answer(&lab.digest, record),
        Extent::All => tables(lab, record),
    };
    tables + &summary::takeaways(lab, record)
}

/// The tables of the experiments.
fn tables(lab: &Lab, record: &Record) -> String {
    let mut text = String::new();
    for view in lab.views {
        let (View::Launches { experiment } | View::Sweep { experiment, .. } | View::Columns { experiment }) =
            view;
        let Some(experiment) = record.experiment(experiment) else { continue };
        let source = match (experiment.y_is, record.device.source()) {
            (Origin::Count, _) => "counted",
            (Origin::Answer, _) => "as the device answers:",
            (Origin::Time, TimeSource::Measured) => "measured",
            (Origin::Time, TimeSource::Modelled) => "modelled",
        };
        let y = || format!("{} in {}", experiment.y.label, experiment.y.unit);
        let all: Vec<&Series> = experiment.series.iter().collect();
        let (table, unit) = match view {
            View::Launches { .. } => (launches(experiment), "times in µs".to_owned()),
            View::Sweep { xs, .. } => (sweep(experiment, &all, xs, |series| series.id.clone()), y()),
            View::Columns { .. } => (columns(experiment), y()),
        };
        text += &format!(
            "\n{}\n{}\n",
            styled(HEAD, &experiment.title),
            styled(NOTE, &format!("{source} {unit}"))
        );
        text += &lines(&table);
        text += &legend(experiment);
    }
    text + &agreement(record)
}

/// The names in the book of the series, which the wide tables call by their ids.
fn legend(experiment: &Experiment) -> String {
    let named = experiment.series.iter().filter(|series| series.id != series.label);
    let text: String = named.map(|series| item(&format!("{}:", series.id), &series.label)).collect();
    text.lines().map(|line| format!("{}\n", styled(NOTE, line))).collect()
}

/// Checks, claims, the chapter, and where the files are.
pub(crate) fn closing(
    lab: &Lab,
    record: &Record,
    written: &[(&'static str, String)],
    notes: &[String],
    extent: Extent,
) -> String {
    let failed: Vec<Check> = record.checks.iter().filter(|check| !check.passed).cloned().collect();
    let mut text = String::from("\n");
    match extent {
        Extent::Brief if failed.is_empty() => {
            text += &format!("{} {}\n", styled(GOOD, "✓"), all_passed(record.checks.len()));
        }
        Extent::Brief => {
            let of = plain(&format::count(record.checks.len() as u64));
            text += &styled(BAD, &format!("✗ {} of {of} checks failed", failed.len()));
            text += &format!("\n{}", checks(&failed));
        }
        Extent::All => {
            text += &format!("{}\n{}", styled(HEAD, "Checks"), checks(&record.checks));
            text += &format!("\n{}\n{}\n", styled(HEAD, "What the sources say"), claims(&record.claims));
        }
    }
    if let Some(verdicts) = summary::verdicts(record).filter(|_| extent == Extent::Brief) {
        text += &item("sources:", &verdicts);
    }
    for note in notes {
        text += &paragraph(&visible_lines(note));
    }
    if let Some(speed) = record.facts.get(HOST_SPEED).filter(|_| extent == Extent::All) {
        text +=
            &plain(&format!("{} thread-instructions a second on this machine\n", in_millions(speed.value)));
    }
    if extent == Extent::Brief {
        text += "more: --all prints every table, check and claim\n";
    }
    text +=
        &format!("chapter: {}\nbook: {}\n", lab.digest.title, program::Calls::here().line("book", "--open"));
    for (what, path) in written {
        text += &format!("{what}: {path}\n");
    }
    text
}

/// Text that a lab's run printed that left this record, without what depends on the machine: why there is no GPU, and
/// where files are. `left_out` are the notes of its plan.
pub fn as_shown(lab: &Lab, record: &Record, left_out: &[String], extent: Extent) -> String {
    let text = opening(lab, &record.device, None, (&record.parameters, left_out), &[])
        + &result(lab, record, extent)
        + &closing(lab, record, &[], &[], extent);
    strip_str(&text).to_string()
}

fn all_passed(checks: usize) -> String {
    match checks {
        1 => "1 check".to_owned(),
        n => format!("{} checks", plain(&format::count(n as u64))),
    }
}

fn in_millions(value: f64) -> String {
    format!("{} million", format::number((value / 1e6).round()))
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
    // Failures are read last, and so stay in sight.
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

/// By verdict and reason: claims that share a reason are together above it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab_5_5::{LAB, made_up};

    fn whole(record: &Record, extent: Extent) -> String {
        let planned = (&record.parameters, ["`wide` is left out".to_owned()]);
        let (written, notes) = ([("record", "lab-5-5.json".into())], ["ncu is not there".into()]);
        let text = opening(
            &LAB,
            &record.device,
            Some("no GPU can be used: no driver"),
            (planned.0, &planned.1),
            &[],
        ) + &result(&LAB, record, extent)
            + &closing(&LAB, record, &written, &notes, extent);
        strip_str(&text).to_string()
    }

    #[test]
    fn a_modelled_run_reads_so() {
        insta::assert_snapshot!(whole(&made_up(false), Extent::Brief));
    }

    #[test]
    fn all_of_a_modelled_run_reads_so() {
        insta::assert_snapshot!(whole(&made_up(false), Extent::All));
    }

    /// A measured run whose GPU counted differently from the embedded device, and a check of which failed.
    fn failed() -> Record {
        let mut record = made_up(true);
        let point = &mut record.experiments[0].series[0].points[0];
        point.hardware = point.counters.clone();
        point.hardware.insert("shared_load_wavefronts".into(), 10);
        record.checks[0].passed = false;
        record
    }

    #[test]
    fn a_measured_run_with_a_failed_check_reads_so() {
        insta::assert_snapshot!(whole(&failed(), Extent::Brief));
    }

    #[test]
    fn all_of_a_measured_run_with_a_failed_check_reads_so() {
        insta::assert_snapshot!(whole(&failed(), Extent::All));
    }

    #[test]
    fn every_failed_check_is_shown_in_full() {
        let mut record = made_up(false);
        for check in &mut record.checks {
            (check.passed, check.found) = (false, format!("{} is wrong", check.id));
        }
        for extent in [Extent::Brief, Extent::All] {
            let text = whole(&record, extent);
            for check in &record.checks {
                assert!(text.contains(&check.id) && text.contains(&check.found), "{text}");
            }
            assert!(text.contains("Nothing: some of its results are wrong"), "{text}");
        }
        assert!(whole(&record, Extent::Brief).contains("✗ 3 of 3 checks failed"));
    }

    #[test]
    fn every_line_fits_eighty_columns() {
        for measured in [false, true] {
            for extent in [Extent::Brief, Extent::All] {
                for line in whole(&made_up(measured), extent).lines() {
                    assert!(line.chars().count() <= 80, "{line}");
                }
            }
        }
    }

    #[test]
    fn verdicts_are_coloured_and_nothing_else_changes() {
        for extent in [Extent::Brief, Extent::All] {
            let text = closing(&LAB, &made_up(true), &[], &[], extent);
            assert!(text.contains("\u{1b}["));
            assert!(!strip_str(&text).to_string().contains('\u{1b}'));
        }
    }
}
