//! Experiments that `scripts/causes` measured on a GPU, which belong to no lab: how a record's points are found, what follows from them, and
//! the same launches on the embedded device. A record's own sentences and single numbers are in a file of its name.

use device::{Device, Embedded};
use job::{Expected, Job, Launched, Settings, Time, run};
use record::{Check, Experiment, Fact, Launch, Parameter, Point, Record, Series, TimeSource, Timing};
use render::format::number;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tests::Result;

/// A modelled time depends on nothing but the kernel; sums of floats are not in question.
const SAME: f64 = 1e-9;
/// How a record's numbers and sentences are made again.
pub(crate) const UPDATE: &str =
    "run `UPDATE=1 cargo test -p tests --test all -- --include-ignored causes:: road::`";

pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

pub(crate) fn path(device: &str, record: &str) -> PathBuf {
    file(&format!("book/records/{device}/{record}.json"))
}

pub(crate) fn read(device: &str, record: &str) -> Result<Record> {
    let path = path(device, record);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Record::from_json(&text)?)
}

/// A record's points by experiment and series.
pub(crate) struct Found<'r>(pub(crate) &'r Record);

impl<'r> Found<'r> {
    pub(crate) fn experiment(&self, id: &str) -> Option<&'r Experiment> {
        self.0.experiment(id)
    }

    pub(crate) fn series(&self, experiment: &str, id: &str) -> Option<&'r Series> {
        self.experiment(experiment)?.series(id)
    }

    pub(crate) fn at(&self, experiment: &str, series: &str, x: f64) -> Option<&'r Point> {
        self.series(experiment, series)?.at(x)
    }

    pub(crate) fn y(&self, experiment: &str, series: &str, x: f64) -> Option<f64> {
        Some(self.at(experiment, series, x)?.y)
    }

    pub(crate) fn hardware(&self, experiment: &str, series: &str, x: f64, counter: &str) -> Option<f64> {
        Some(*self.at(experiment, series, x)?.hardware.get(counter)? as f64)
    }

    /// Of two series of an experiment, x and both values of y, where both have one.
    pub(crate) fn pairs(&self, experiment: &str, a: &str, b: &str) -> Vec<(f64, f64, f64)> {
        let (Some(a), Some(b)) = (self.series(experiment, a), self.series(experiment, b)) else {
            return vec![];
        };
        a.points.iter().filter_map(|point| Some((point.x, point.y, b.at(point.x)?.y))).collect()
    }
}

pub(crate) fn median(point: &Point) -> Option<f64> {
    Some(point.time.as_ref()?.median_ns)
}

pub(crate) fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

pub(crate) fn most(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// Single numbers of a record, by name.
#[derive(Default)]
pub(crate) struct Facts(pub(crate) BTreeMap<String, Fact>);

impl Facts {
    /// What the points do not support is left out.
    pub(crate) fn put(
        &mut self,
        name: impl Into<String>,
        value: Option<f64>,
        unit: &str,
        what: impl Into<String>,
    ) {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.0.insert(name.into(), Fact { value, unit: unit.to_owned(), what: what.into() });
        }
    }
}

pub(crate) fn over(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? / b?)
}

pub(crate) fn percent(share: f64) -> String {
    format!("{} %", number((100.0 * share).round()))
}

pub(crate) fn check(id: &str, what: &str, passed: bool, found: String) -> Option<Check> {
    Some(Check { id: id.to_owned(), what: what.to_owned(), passed, found, outputs: vec![] })
}

/// The launches of a job file, in its order.
fn shapes(record: &str, experiment: &str) -> Result<Vec<Launch>> {
    #[derive(serde::Deserialize)]
    struct Text {
        #[serde(default)]
        launch: Vec<Shape>,
        #[serde(default)]
        step: Vec<Step>,
    }
    #[derive(serde::Deserialize)]
    struct Step {
        launch: Option<Shape>,
    }
    #[derive(serde::Deserialize)]
    struct Shape {
        kernel: String,
        grid: [u32; 3],
        block: [u32; 3],
        #[serde(default)]
        shared_bytes: u32,
    }
    let text: Text =
        toml::from_str(&std::fs::read_to_string(file(&format!("tests/{record}/{experiment}.toml")))?)?;
    let all = text.launch.into_iter().chain(text.step.into_iter().filter_map(|step| step.launch));
    let shape = |Shape { kernel, grid, block, shared_bytes }| Launch { kernel, grid, block, shared_bytes };
    Ok(all.map(shape).collect())
}

/// A job's launches are the points of its experiment, series by series, once for each limit that was set. The record has the
/// job's hash, for what they read and are given.
pub(crate) fn has_the_launches_of_its_jobs(record: &Record) -> Result {
    let launched = |experiment: &&Experiment| {
        experiment.series.iter().flat_map(|series| &series.points).any(|point| point.launch.is_some())
    };
    for experiment in record.experiments.iter().filter(launched) {
        let launches = shapes(&record.lab, &experiment.id)?;
        let job = std::fs::read(file(&format!("tests/{}/{}.toml", record.lab, experiment.id)))?;
        let recorded = record.parameters.get(&format!("job_{}", experiment.id));
        let job = Parameter::Text(kernels::sha256(job));
        assert_eq!(recorded, Some(&job), "{} changed, record again", experiment.id);
        let points = experiment.series.iter().flat_map(|series| &series.points);
        let points: Vec<_> = points.filter_map(|point| point.launch.as_ref()).collect();
        assert_eq!(points.len() % launches.len(), 0, "{}", experiment.id);
        for (&point, launch) in points.iter().zip(launches.iter().cycle()) {
            assert_eq!(point, launch, "{}", experiment.id);
        }
    }
    Ok(())
}

/// A job with some of its launches, by their place: each has a line of its own.
fn part(record: &str, experiment: &str, wanted: &[bool]) -> Result<Job> {
    let path = file(&format!("tests/{record}/{experiment}.toml"));
    let text = std::fs::read_to_string(&path)?;
    let mut wanted = wanted.iter();
    let lines = text.lines().filter(|line| !line.contains("kernel = ") || wanted.next() == Some(&true));
    Ok(Job::parse(&path, &lines.collect::<Vec<_>>().join("\n"), Expected::Record)?)
}

/// An experiment of the measured record as the embedded device makes it: its counters, and modelled times, of the points that are
/// wanted. Where a limit of the driver was set, `launched` says which series has the launches of the job.
pub(crate) fn modelled(
    record: &str,
    experiment: &Experiment,
    launched: impl Fn(&Series) -> bool,
    wanted: impl Fn(&Series, &Point) -> bool,
) -> Result<Experiment> {
    let mut now = experiment.clone();
    let of_job = now.series.iter().filter(|series| launched(series));
    let launches: Vec<bool> =
        of_job.flat_map(|series| series.points.iter().map(|point| wanted(series, point))).collect();
    for series in &mut now.series {
        let of = series.clone();
        series.points.retain(|point| wanted(&of, point));
    }
    now.series.retain(|series| !series.points.is_empty());

    let mut device = Embedded::new("h200")?;
    device.options().checks = device::Checks::NONE;
    device.options().deterministic = true;
    let job = part(record, &experiment.id, &launches)?;
    let report = run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {});
    if let Some(error) = report.error {
        return Err(format!("{}: {error}", experiment.id).into());
    }
    let mut launched = report.launches.iter();
    for point in now.series.iter_mut().flat_map(|series| &mut series.points) {
        let at = format!("{} {}", experiment.id, point.x);
        let Some(Launched { time: Time::Modelled(ns), counters: Some(counters), .. }) = launched.next()
        else {
            return Err(format!("{at}: not modelled").into());
        };
        let measured = median(point).ok_or("a point without a time")?;
        // What y is made of apart from the time is the same: it is in proportion to it, or to its inverse.
        let y = if experiment.y.unit == "ns" { point.y * ns / measured } else { point.y * measured / ns };
        point.counters = counters.iter().map(|(name, n)| (name.to_owned(), n)).collect();
        point.hardware.clear();
        (point.y, point.y_min, point.y_max) = (y, y, y);
        point.time = Some(Timing {
            is: TimeSource::Modelled,
            calls: 1,
            median_ns: *ns,
            mean_ns: *ns,
            min_ns: *ns,
            max_ns: *ns,
            iqr_ns: 0.0,
        });
    }
    assert!(launched.next().is_none(), "{}: more launches than points", experiment.id);
    Ok(now)
}

/// The committed record has these experiments, with these times and counters.
pub(crate) fn is_committed(now: &Record) -> Result {
    let committed = read("embedded-h200", &now.lab)?;
    for a in &now.experiments {
        let b = committed.experiment(&a.id).ok_or_else(|| format!("{}: no such experiment", a.id))?;
        assert_eq!(a.series.len(), b.series.len(), "{}; {UPDATE}", a.id);
        for (series, old) in a.series.iter().zip(&b.series) {
            for (point, old) in series.points.iter().zip(&old.points) {
                let at = format!("{} {} {}", a.id, series.id, point.x);
                assert!((point.y - old.y).abs() <= SAME * old.y, "{at}: {} and {}; {UPDATE}", point.y, old.y);
                assert_eq!(point.counters, old.counters, "{at}; {UPDATE}");
            }
        }
    }
    Ok(())
}
