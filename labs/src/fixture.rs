//! Helpers for the tests of several labs: records with given numbers, and the costs in a plan's figures.

use crate::plan::Plan;
use record::{Axis, Check, Counters, Device, Experiment, Fact, Point, Record, Scale, Series, VERSION};
use std::collections::BTreeMap;

/// An empty record of an unknown GPU, or of the embedded device as an H200.
pub(crate) fn empty(lab: &str, measured: bool) -> Record {
    let (compute_capability, multiprocessors) = ("9.0".to_owned(), 132);
    let device = if measured {
        Device::Gpu { name: "GPU".into(), compute_capability, driver: "13.0".into(), multiprocessors }
    } else {
        let (chip, models) = ("h200".to_owned(), "NVIDIA H200".to_owned());
        Device::Simt { chip, models, compute_capability, multiprocessors }
    };
    Record {
        version: VERSION,
        lab: lab.into(),
        written_by: "warpbook 0.1.0".into(),
        when: "2030-01-01T00:00:00Z".into(),
        device,
        parameters: BTreeMap::new(),
        kernels: vec![],
        experiments: vec![],
        facts: BTreeMap::new(),
        checks: vec![],
        claims: vec![],
        traces: vec![],
    }
}

/// A point that nothing is known of beside its value.
pub(crate) fn point((x, y): (f64, f64)) -> Point {
    Point {
        x,
        y,
        y_min: y,
        y_max: y,
        launch: None,
        operation: None,
        time: None,
        counters: Counters::new(),
        hardware: Counters::new(),
    }
}

pub(crate) fn counters(all: &[(&str, u64)]) -> Counters {
    all.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

pub(crate) fn experiment(id: &str) -> Experiment {
    let axis = Axis::new("x", "", Scale::Linear);
    Experiment {
        id: id.into(),
        title: id.into(),
        x: axis.clone(),
        y: axis,
        y_is: Default::default(),
        series: vec![],
    }
}

/// Adds points to a series; one of copies is there to compare with.
pub(crate) fn extend(experiment: &mut Experiment, series: &str, points: impl IntoIterator<Item = Point>) {
    let all = &mut experiment.series;
    let at = all.iter().position(|s| s.id == series).unwrap_or_else(|| {
        let (id, label) = (series.to_owned(), series.to_owned());
        all.push(Series { id, label, reference: series == "copy", points: vec![] });
        all.len() - 1
    });
    all[at].points.extend(points);
}

/// Adds points to a series of an experiment.
pub(crate) fn add(
    record: &mut Record,
    experiment: &str,
    series: &str,
    points: impl IntoIterator<Item = Point>,
) {
    let all = &mut record.experiments;
    let at = all.iter().position(|e| e.id == experiment).unwrap_or_else(|| {
        all.push(self::experiment(experiment));
        all.len() - 1
    });
    extend(&mut all[at], series, points);
}

/// Adds a fact.
pub(crate) fn state(record: &mut Record, name: &str, value: f64) {
    record.facts.insert(name.to_owned(), Fact { value, unit: String::new(), what: String::new() });
}

/// A check that passed.
pub(crate) fn passed(id: &str) -> Check {
    Check { id: id.into(), what: "right".into(), passed: true, found: "all".into(), outputs: vec![] }
}

/// Costs of a figure's accesses by one counter, figure and counter by their names, as the embedded H200 counts them.
pub(crate) fn costs(plan: &Plan) -> anyhow::Result<impl Fn(&str, &str) -> Vec<u64> + use<>> {
    let sources = crate::sources::gather(plan, &[])?;
    let (traces, notes) = crate::trace::make(plan, &sources, "h200", false)?;
    assert!(notes.is_empty(), "{notes:?}");
    Ok(move |id: &str, counter: &str| {
        let panels = traces.iter().filter(|t| t.id == id).flat_map(|t| &t.panels).flat_map(|p| &p.accesses);
        panels.map(|access| access.cost.get(counter).copied().unwrap_or(0)).collect()
    })
}
