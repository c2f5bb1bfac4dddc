//! The record of a run.
//!
//! Enters: a plan and the outcomes of its points. Leaves: the record, with the facts and verdicts that follow from it.

use crate::claims;
use crate::lab::{HOST_SPEED, Lab};
use crate::plan::{self, Plan, Quantity};
use crate::run::Outcome;
use crate::sources::ModuleSource;
use device::{Description, Kind};
use record::{Counters, Experiment, Point, Record, Series, VERSION, VERSION_WITH_SOURCES};
use std::collections::BTreeMap;

/// Findings of a run, with the facts, checks and verdicts that follow; `when` is left empty.
pub(crate) fn recorded(
    lab: &Lab,
    plan: Plan,
    sources: Vec<ModuleSource>,
    device: record::Device,
    (outcomes, checks): (Vec<Outcome>, Vec<record::Check>),
    hardware: BTreeMap<usize, Counters>,
) -> Record {
    let is_edited = sources.iter().any(|source| source.kernel.source.is_some());
    let mut record = Record {
        version: if is_edited { VERSION_WITH_SOURCES } else { VERSION },
        lab: lab.name.to_owned(),
        written_by: concat!("warpbook ", env!("CARGO_PKG_VERSION")).to_owned(),
        when: String::new(),
        experiments: experiments(&plan, outcomes, hardware, device.source()),
        device,
        parameters: plan.parameters,
        kernels: sources.into_iter().map(|s| s.kernel).collect(),
        facts: BTreeMap::new(),
        checks,
        claims: Vec::new(),
        traces: Vec::new(),
    };
    judge(lab, &mut record);
    record
}

/// Sets a record's facts and verdicts to what the lab finds in its experiments today. Facts of the run itself
/// stay.
pub fn judge(lab: &Lab, record: &mut Record) {
    let of_the_run = record.facts.remove_entry(HOST_SPEED);
    record.facts = (lab.facts)(record);
    record.facts.extend(of_the_run);
    record.claims = claims::judged(lab, record);
}

/// The device, as a record holds it.
pub(crate) fn described_as(description: &Description) -> record::Device {
    let (major, minor) = description.compute_capability;
    let (name, compute_capability) = (description.name.clone(), format!("{major}.{minor}"));
    let multiprocessors = description.multiprocessors;
    match &description.kind {
        Kind::Gpu { driver } => {
            record::Device::Gpu { name, compute_capability, driver: driver.clone(), multiprocessors }
        }
        Kind::Embedded { chip } => {
            record::Device::Simt { chip: chip.clone(), models: name, compute_capability, multiprocessors }
        }
    }
}

/// The plan with its results, as the record holds it. `hardware` is by the point's position in the plan.
fn experiments(
    plan: &Plan,
    outcomes: Vec<Outcome>,
    mut hardware: BTreeMap<usize, Counters>,
    is: record::TimeSource,
) -> Vec<Experiment> {
    let mut outcomes = outcomes.into_iter().enumerate();
    let experiment = |planned: &crate::plan::Experiment| Experiment {
        id: planned.id.to_owned(),
        title: planned.title.to_owned(),
        x: planned.x.clone(),
        y: planned.y.clone(),
        y_is: origin(planned),
        series: planned
            .series
            .iter()
            .map(|series| Series {
                id: series.id.clone(),
                label: series.label.clone(),
                reference: series.reference,
                // A plan's points and their outcomes are in the same order, one each.
                points: series
                    .points
                    .iter()
                    .zip(outcomes.by_ref())
                    .map(|(point, (at, outcome))| {
                        let [y_min, y, y_max] = values(&point.quantity, &outcome);
                        Point {
                            x: point.x,
                            y,
                            y_min,
                            y_max,
                            launch: point.work.launches().next().map(plan::recorded),
                            operation: point.work.operation(),
                            time: outcome.times.as_ref().map(|times| times.timing(is)),
                            counters: outcome.counters,
                            hardware: hardware.remove(&at).unwrap_or_default(),
                        }
                    })
                    .collect(),
            })
            .collect(),
    };
    plan.experiments.iter().map(experiment).collect()
}

/// Origin of an experiment's y: all of its points are alike.
fn origin(planned: &crate::plan::Experiment) -> record::Origin {
    match planned.series.iter().flat_map(|series| &series.points).next().map(|point| &point.quantity) {
        Some(Quantity::Counted { .. }) => record::Origin::Count,
        Some(Quantity::Pitch | Quantity::Resident) => record::Origin::Answer,
        _ => record::Origin::Time,
    }
}

/// Lowest, median and highest value of the quantity. For a difference, the shorter launch counts with its median.
fn values(quantity: &Quantity, outcome: &Outcome) -> [f64; 3] {
    let times = outcome.times.as_ref().map(|times| [times.min(), times.median(), times.max()]);
    // The plan asks for a time where there is one; zero says that there was none.
    let times = times.unwrap_or_default();
    // A time of zero would be a clock's failure; the rate is then unknown, and zero says so.
    let rate = |units: f64| {
        let [shortest, median, longest] = times;
        [longest, median, shortest].map(|t| if t > 0.0 { units / t } else { 0.0 })
    };
    match *quantity {
        Quantity::Bandwidth { bytes } => rate(bytes),
        Quantity::Rate { units } => rate(units),
        Quantity::Time { per } => times.map(|t| t / per),
        Quantity::Difference { units, .. } => {
            let shorter = outcome.shorter.as_ref().map_or(0.0, crate::measure::Times::median);
            times.map(|t| (t - shorter) / units)
        }
        Quantity::Counted { of, per, by } => {
            let sum = |names: &[&str]| {
                names.iter().filter_map(|name| outcome.counters.get(*name)).sum::<u64>() as f64
            };
            // Nothing asked for, nothing moved.
            let per = if per.is_empty() { 1.0 } else { sum(per).max(1.0) };
            [sum(of) / per / by; 3]
        }
        Quantity::Pitch | Quantity::Resident => [outcome.answered.unwrap_or_default(); 3],
    }
}
