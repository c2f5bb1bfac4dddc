//! Rules on records that were altered: that each verdict could have been another one, and that a figure of another chip gets
//! none, however fast this one is.

use record::claims::Catalogue;
use record::{Check, Device, Point, Record, Verdict};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

type Error = Box<dyn std::error::Error>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn catalogue() -> Result<Catalogue, Error> {
    Ok(Catalogue::from_toml(&std::fs::read_to_string(root().join("labs/claims.toml"))?)?)
}

/// The record of a GPU. Checks and series that only the embedded device's has so far stand in for the GPU's, counts and all:
/// rules are asked here what they make of numbers, and not where these come from.
fn of(lab: &str) -> Result<Record, Error> {
    let read = |device: &str| -> Result<Record, Error> {
        let file = root().join(format!("book/records/{device}/{lab}.json"));
        Ok(Record::from_json(&std::fs::read_to_string(file)?)?)
    };
    let (mut record, embedded) = (read("h200")?, read("embedded-h200")?);
    for check in embedded.checks {
        if record.checks.iter().all(|there| there.id != check.id) {
            record.checks.push(check);
        }
    }
    for mut experiment in embedded.experiments {
        experiment.series.retain(|series| {
            let there = record.experiment(&experiment.id).and_then(|there| there.series(&series.id));
            there.is_none()
        });
        for point in experiment.series.iter_mut().flat_map(|series| &mut series.points) {
            point.hardware = point.counters.clone();
        }
        match record.experiments.iter_mut().find(|there| there.id == experiment.id) {
            Some(there) => there.series.extend(experiment.series),
            None => record.experiments.push(experiment),
        }
    }
    // What no rule reads.
    record.traces.clear();
    record.checks.iter_mut().for_each(|check| check.outputs.clear());
    Ok(record)
}

/// The same as if this chip had made it.
fn on(record: &Record, chip: &str) -> Record {
    let mut record = record.clone();
    if let Device::Gpu { name, compute_capability, .. } = &mut record.device {
        match chip {
            "Kepler" => "3.5".clone_into(compute_capability),
            model => format!("NVIDIA {model}").clone_into(name),
        }
    }
    record
}

/// A record with all points of the series for which `of` holds changed.
fn with(record: &Record, of: impl Fn(&str, &str) -> bool, change: impl Fn(&mut Point)) -> Record {
    let mut record = record.clone();
    for experiment in &mut record.experiments {
        for series in experiment.series.iter_mut().filter(|series| of(&experiment.id, &series.id)) {
            series.points.iter_mut().for_each(&change);
        }
    }
    record
}

fn scale(point: &mut Point, y: f64, time: f64) {
    point.y *= y;
    if let Some(timing) = &mut point.time {
        timing.median_ns *= time;
    }
}

/// Factors from a few thousandths to seventy, close enough that one of them makes any value a quarter's neighbour of another.
fn factors() -> impl Iterator<Item = f64> {
    (-17..=15).map(|n| 1.6f64.powi(n))
}

/// What looks at records, one after the other, until it has seen enough.
type Look<'a> = &'a mut dyn FnMut(Record) -> ControlFlow<()>;

/// A record, altered as a whole: the rates of an experiment and the times that belong to them, and its xs.
fn scaled(record: &Record, factors: impl Iterator<Item = f64>, look: Look) -> ControlFlow<()> {
    look(record.clone())?;
    for factor in factors {
        for experiment in &record.experiments {
            let here = |id: &str, _: &str| id == experiment.id;
            look(with(record, here, |point| scale(point, factor, 1.0 / factor)))?;
            look(with(record, here, |point| point.x *= factor))?;
        }
    }
    ControlFlow::Continue(())
}

/// A record, altered: all checks fail, or found otherwise.
fn checked(record: &Record, look: Look) -> ControlFlow<()> {
    let mut checks = |change: &dyn Fn(&mut Check)| {
        let mut record = record.clone();
        record.checks.iter_mut().for_each(change);
        look(record)
    };
    checks(&|check| check.passed = false)?;
    for found in ["40 bits", "no error: done", "refused"] {
        checks(&|check| found.clone_into(&mut check.found))?;
    }
    ControlFlow::Continue(())
}

/// A record, altered: checks that fail or found otherwise, single series whose values, times and counts are others.
fn altered(record: &Record, look: Look) -> ControlFlow<()> {
    scaled(record, [0.1, 10.0, 32.0].into_iter(), look)?;
    checked(record, look)?;
    for experiment in &record.experiments {
        for series in &experiment.series {
            let it = |id: &str, name: &str| id == experiment.id && name == series.id;
            for factor in [0.3, 1000.0] {
                look(with(record, it, |point| scale(point, factor, factor)))?;
                look(with(record, it, |point| scale(point, factor, 1.0 / factor)))?;
            }
            // Pitches that are widths.
            look(with(record, it, |point| point.y = point.x))?;
            for (times, more) in [(3, 0), (1, 100_000)] {
                look(with(record, it, |point| {
                    for count in point.counters.values_mut().chain(point.hardware.values_mut()) {
                        *count = *count * times + more;
                    }
                }))?;
            }
        }
    }
    for counter in [
        "global_load_hits",
        "global_load_sectors",
        "const_replays",
        "shared_load_wavefronts",
        "const_divergent_instructions",
    ] {
        for value in [0, 1_000_000_000] {
            let everywhere = |_: &str, _: &str| true;
            look(with(record, everywhere, |point| {
                for counters in [&mut point.counters, &mut point.hardware] {
                    counters.entry(counter.to_owned()).and_modify(|count| *count = value);
                }
            }))?;
        }
    }
    ControlFlow::Continue(())
}

/// Verdicts by claim, without repetitions.
type Found = BTreeMap<String, Vec<Verdict>>;

/// Adds the verdicts of a lab's claims on a record.
fn judge(lab: &labs::Lab, mut record: Record, found: &mut Found) {
    labs::judge(lab, &mut record);
    for claim in record.claims {
        let all = found.entry(claim.id).or_default();
        if !all.contains(&claim.verdict) {
            all.push(claim.verdict);
        }
    }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn no_verdict_is_foregone() -> Result<(), Error> {
    let catalogue = catalogue()?;
    let mut foregone = vec![];
    for lab in labs::ALL {
        let record = of(lab.name)?;
        let mut chips: Vec<Option<&str>> = catalogue.of_lab(lab.name).map(|c| c.chip.as_deref()).collect();
        chips.sort_unstable();
        chips.dedup();
        for chip in chips {
            let claims: Vec<&str> = catalogue
                .of_lab(lab.name)
                .filter(|claim| claim.chip.as_deref() == chip)
                .map(|claim| claim.id.as_str())
                .collect();
            let mut found = Found::new();
            let mut look = |record: Record| {
                judge(lab, record, &mut found);
                let is_decided = |id: &&str| found.get(*id).is_some_and(|verdicts| verdicts.len() > 1);
                if claims.iter().all(is_decided) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let ended = match chip {
                None => altered(&record, &mut look),
                Some(chip) => {
                    let record = on(&record, chip);
                    match checked(&record, &mut look) {
                        ControlFlow::Continue(()) => scaled(&record, factors(), &mut look),
                        ended => ended,
                    }
                }
            };
            if ended.is_continue() {
                let one =
                    claims.iter().filter(|id| found.get(**id).is_none_or(|verdicts| verdicts.len() < 2));
                foregone.extend(one.map(|id| format!("{id}: {:?}", found.get(*id))));
            }
        }
    }
    assert!(foregone.is_empty(), "one verdict on all records: {foregone:#?}");
    Ok(())
}

#[test]
fn a_figure_of_another_chip_is_not_shown_whatever_this_one_gives() -> Result<(), Error> {
    let catalogue = catalogue()?;
    for lab in labs::ALL {
        let of_chips: Vec<&str> = catalogue
            .of_lab(lab.name)
            .filter(|claim| claim.chip.is_some())
            .map(|claim| claim.id.as_str())
            .collect();
        if of_chips.is_empty() {
            continue;
        }
        let mut found = Found::new();
        let _ = scaled(&of(lab.name)?, [0.001, 0.1, 0.5, 2.0, 50.0].into_iter(), &mut |record| {
            judge(lab, record, &mut found);
            ControlFlow::Continue(())
        });
        for id in of_chips {
            assert_eq!(found.get(id).map(Vec::as_slice), Some(&[Verdict::NotShown][..]), "{id}");
        }
    }
    Ok(())
}
