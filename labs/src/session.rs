//! One run of a lab: the arguments, the device, the plan, the record, the report.
//!
//! Enters: a [`Lab`] and the command line. Leaves: files, text on the terminal and an exit code.

use crate::args::{self, Args, NcuChoice};
use crate::limits::{self, LimitReached};
use crate::plan::{Plan, Quantity};
use crate::relation::{self, Relation};
use crate::request::{Request, Size};
use crate::run::{Bench, Outcome};
use crate::sources::{self, Source};
use crate::{claims, hardware, output, report, trace};
use anyhow::{Context, Result};
use cli::{DeviceChoice, exit};
use device::{Description, Device, Embedded, Gpu, Kind};
use record::text::visible_lines;
use record::{Counters, Experiment, Fact, Parameter, Point, Record, Series, VERSION, Verdict};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

/// A lab, as data and pure functions.
pub struct Lab {
    /// The binary's name, such as `lab-5-5`.
    pub name: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// The end of `--help`: how it is called, by example.
    pub examples: &'static str,
    /// Its own sizes: each is a flag, and a parameter of the record.
    pub sizes: &'static [Size],
    /// From what was asked for to the most memory that a run takes beyond what it takes for the smallest sizes, bytes: the
    /// embedded device's, and on the host inputs, what is read back, and what it is compared with.
    pub memory: fn(&Request, Host) -> u64,
    /// From what was asked for to the plan.
    pub plan: fn(&Request, Host) -> Result<Plan>,
    /// From the experiments to single numbers.
    pub facts: fn(&Record) -> BTreeMap<String, Fact>,
    /// From experiments and facts to a verdict on each of the sources' claims that this lab tests, by the claim's id in
    /// `labs/claims.toml`.
    pub rules: &'static [(&'static str, Rule)],
    /// What the terminal shows, in order.
    pub views: &'static [View],
}

/// From a record, with its facts, to a verdict and one line of why.
pub type Rule = fn(&Record) -> (Verdict, String);

/// What a record holds of what was asked for: enough to run it again.
pub type Parameters = BTreeMap<String, Parameter>;

/// What a plan may know of the device: how large it is, and whether its times are measured.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Measured by a GPU's events rather than modelled.
    pub measured: bool,
}

/// How the terminal shows an experiment.
#[derive(Clone, Copy, Debug)]
pub enum View {
    /// A row a launch, in the manner of nvprof.
    Launches {
        /// Its id.
        experiment: &'static str,
    },
    /// A row a series, a column for each of `xs`, with the counter that explains it below.
    Sweep {
        /// Its id.
        experiment: &'static str,
        /// The points shown.
        xs: &'static [f64],
    },
    /// A row each x (each power of two of x, where there are many), a column a series.
    Columns {
        /// Its id.
        experiment: &'static str,
    },
}

/// Runs a lab: what a binary's `main` calls.
pub fn main(lab: &Lab) -> ExitCode {
    let args = match args::parse(lab.name, lab.about, lab.examples, lab.sizes, std::env::args_os()) {
        Ok(args) => args,
        Err(error) => return exit::usage(&error),
    };
    match run(lab, &args) {
        Ok(code) => code,
        Err(error) => exit::fail(lab.name, &error),
    }
}

fn run(lab: &Lab, args: &Args) -> Result<ExitCode> {
    let when = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let here = std::env::current_dir().context("the working directory")?;
    if !args.once {
        output::check(args, lab.name, &here)?;
    }
    let (mut device, why) = choose(lab, args)?;
    let described = device.as_dyn().description().clone();
    let measured = matches!(described.kind, Kind::Gpu { .. });
    if args.ncu == NcuChoice::Always && !args.once {
        hardware::required(measured)?;
    }
    let request = Request::new(lab.sizes, &args.sizes, args.seed, args.quick, measured)?;
    if let Chosen::Embedded(embedded) = &mut device {
        args.limits.apply_with(embedded, || limits::budget(lab.sizes, &request));
    }
    let device = device.as_dyn();
    let plan = planned(lab, &request, Host { multiprocessors: described.multiprocessors, measured })?;
    let sources = sources::gather(&plan, &args.kernel)?;
    if args.once {
        let mut bench = Bench::new(device, &plan, &sources)?;
        bench.once()?;
        return Ok(ExitCode::SUCCESS);
    }

    let to_stderr = args.json.as_deref() == Some(Path::new("-"));
    // A reader that closes the pipe (`| head`) wants no more text; the record is written all the same.
    let say = |text: &str| {
        let _ = if to_stderr {
            write!(anstream::stderr(), "{text}")
        } else {
            write!(anstream::stdout(), "{text}")
        };
    };
    let of = described_as(&described);
    say(&report::opening(lab, &of, why.as_deref(), &plan));

    let begun = Instant::now();
    let mut bench = Bench::new(device, &plan, &sources)?;
    let (mut outcomes, checks) = bench.measure()?;
    bench.finish()?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut notes = Vec::new();
    let hardware = if measured {
        count_again(lab, args, &request, &plan, &sources, &mut outcomes)?;
        let (counted, note) = hardware::counters(args.ncu, &plan)?;
        notes.extend(note);
        counted
    } else {
        BTreeMap::new()
    };

    let files = artifacts(&plan);
    let (traces, left_out) = trace::make(&plan, &sources, &args.arch, !args.kernel.is_empty())?;
    notes.extend(left_out);
    let mut record = recorded(lab, plan, sources, of, (outcomes, checks), hardware);
    record.when = when;
    record.traces = traces;
    if let Some(fact) = speed(&record, seconds) {
        record.facts.insert(HOST_SPEED.to_owned(), fact);
    }

    say(&report::tables(lab, &record));
    let written = write(args, &record, &files, &here)?;
    say(&report::closing(&record, &written, &notes));
    Ok(if record.checks.iter().all(|c| c.passed) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(exit::MISMATCH)
    })
}

/// The plan, with what its record will hold of what was asked for.
fn planned(lab: &Lab, request: &Request, host: Host) -> Result<Plan> {
    let mut plan = (lab.plan)(request, host)?;
    plan.parameters.extend(request.parameters());
    Ok(plan)
}

/// What a run found, with what follows from it; `when` is left empty.
fn recorded(
    lab: &Lab,
    plan: Plan,
    sources: Vec<Source>,
    device: record::Device,
    (outcomes, checks): (Vec<Outcome>, Vec<record::Check>),
    hardware: BTreeMap<usize, Counters>,
) -> Record {
    let mut record = Record {
        version: VERSION,
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

/// Sets a record's facts and verdicts to what the lab finds in its experiments today. What is a fact of the run itself
/// stays.
pub fn judge(lab: &Lab, record: &mut Record) {
    let of_the_run = record.facts.remove_entry(HOST_SPEED);
    record.facts = (lab.facts)(record);
    record.facts.extend(of_the_run);
    record.claims = claims::judged(lab, record);
}

/// How much a lab that is run again may take of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Warp instructions of all launches together; in each launch slow ones are counted as several.
    pub instructions: u64,
    /// Memory, bytes: the embedded device's, and what the host holds beside it.
    pub memory_bytes: u64,
}

/// Runs a lab again as a record says it was run, on the embedded device: deterministic, silent, and without a file.
/// Sizes, `quick` and the seed are taken from `parameters`, the rest follows from them. `seed` replaces the record's.
///
/// # Errors
/// A parameter that is missing, of another type or out of its bounds; a chip that is not there; a fault of a kernel. More than
/// the limits allow is an error that can be downcast to [`LimitReached`].
pub fn rerun(
    lab: &Lab,
    parameters: &Parameters,
    seed: Option<u64>,
    chip: &str,
    limits: Limits,
) -> Result<Record> {
    Ok(rerun_of(lab, parameters, seed, chip, None, limits)?.record)
}

/// What running a lab again gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Rerun {
    /// The record, with neither a time of its making nor traces.
    pub record: Record,
    /// How each point's `y` follows from its time, in the order of the record's points.
    pub relations: Vec<Relation>,
    /// Id and text of each check that was left out, since only a GPU can do its work in good time.
    pub left_out: Vec<(String, String)>,
    /// Warp instructions that its launches executed, checks included.
    pub instructions: u64,
}

/// The same for the record of a GPU: `host` is the one whose launches are to be repeated, since a plan may depend on it.
/// What only a GPU can do in good time is left out: such points have neither a time nor counters, and their checks are not
/// among the record's.
///
/// # Errors
/// As [`rerun`].
pub fn rerun_of(
    lab: &Lab,
    parameters: &Parameters,
    seed: Option<u64>,
    chip: &str,
    host: Option<Host>,
    limits: Limits,
) -> Result<Rerun> {
    let request = Request::from_parameters(lab.sizes, parameters, seed)?;
    let found = within(lab, &request, chip, host, limits);
    // The limit is what the error is; what the device said of it is its cause.
    found.map_err(|error| match LimitReached::of(&error, limits) {
        Some(limit) => error.context(limit),
        None => error,
    })
}

/// What a run takes of memory before its sizes count: the program, decoded kernels, and what blocks have of registers.
const BASE: u64 = 64 << 20;

fn needed(lab: &Lab, request: &Request, host: Host) -> u64 {
    (lab.memory)(request, host).saturating_add(BASE)
}

/// The most memory that [`rerun_of`] takes, bytes: found without allocating any. With less than this as its limit it ends at
/// once.
///
/// # Errors
/// A parameter that is missing, of another type or out of its bounds.
pub fn memory_needed(lab: &Lab, parameters: &Parameters, host: Option<Host>) -> Result<u64> {
    let request = Request::from_parameters(lab.sizes, parameters, None)?;
    Ok(needed(lab, &request, host.unwrap_or(Host { multiprocessors: 1, measured: false })))
}

fn within(lab: &Lab, request: &Request, chip: &str, host: Option<Host>, limits: Limits) -> Result<Rerun> {
    let mut device = Embedded::new(chip)?;
    device.limit(limits.instructions);
    let options = device.options();
    options.deterministic = true;
    // The workbook's own kernels end: the limit is all that there is.
    (options.budget, options.budget_per_byte) = (limits.instructions, 0);
    options.launch_budget = limits.instructions;
    options.memory_bytes = limits.memory_bytes;
    let described = device.description().clone();
    let own = Host { multiprocessors: described.multiprocessors, measured: false };
    if needed(lab, request, host.unwrap_or(own)) > limits.memory_bytes {
        return Err(LimitReached::Memory { limit: limits.memory_bytes }.into());
    }
    let plan = planned(lab, request, host.unwrap_or(own))?;
    let sources = sources::gather(&plan, &[])?;
    let mut bench = Bench::new(&mut device, &plan, &sources)?.silent().countable();
    let found = bench.measure()?;
    let left_out = bench.left_out();
    bench.finish()?;
    let (relations, instructions) = (relation::of(&plan), device.executed());
    let record = recorded(lab, plan, sources, described_as(&described), found, BTreeMap::new());
    Ok(Rerun { record, relations, left_out, instructions })
}

/// The plan's files that there is something to show in.
fn artifacts(plan: &Plan) -> Vec<(&'static str, Vec<u8>)> {
    plan.artifacts.iter().filter_map(|artifact| Some((artifact.file, (artifact.bytes)()?))).collect()
}

/// Where a lab runs.
enum Chosen {
    Gpu(Box<Gpu>),
    Embedded(Box<Embedded>),
}

impl Chosen {
    fn as_dyn(&mut self) -> &mut dyn Device {
        match self {
            Chosen::Gpu(gpu) => gpu.as_mut(),
            Chosen::Embedded(embedded) => embedded.as_mut(),
        }
    }
}

/// The device that was asked for, and for `auto` a line that says why this one.
fn choose(lab: &Lab, args: &Args) -> Result<(Chosen, Option<String>)> {
    let embedded = || -> Result<Chosen> { Ok(Chosen::Embedded(Box::new(Embedded::new(&args.arch)?))) };
    let watched = |mut gpu: Gpu| {
        let name = lab.name;
        args.limits.watch(&mut gpu, move |error| exit::give_up(name, error));
        Chosen::Gpu(Box::new(gpu))
    };
    match args.device {
        DeviceChoice::Simt => Ok((embedded()?, None)),
        DeviceChoice::Gpu => Ok((watched(Gpu::new(0)?), None)),
        DeviceChoice::Auto => match Gpu::new(0) {
            Ok(gpu) => {
                Ok((watched(gpu), Some("there is a GPU, so it is used; --device simt for the other".into())))
            }
            Err(error) => {
                let reason = match error {
                    device::Error::NoGpu { reason } => reason,
                    other => other.to_string(),
                };
                // One line: what the driver says first.
                let reason = reason.lines().next().unwrap_or_default().to_owned();
                Ok((embedded()?, Some(format!("no GPU can be used: {}", visible_lines(&reason)))))
            }
        },
    }
}

fn described_as(description: &Description) -> record::Device {
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

/// Fills the counters of a GPU's points: the embedded device runs the same launches once.
fn count_again(
    lab: &Lab,
    args: &Args,
    request: &Request,
    plan: &Plan,
    sources: &[Source],
    outcomes: &mut [Outcome],
) -> Result<()> {
    let mut embedded = Embedded::new(&args.arch)?;
    args.limits.apply_with(&mut embedded, || limits::budget(lab.sizes, request));
    let mut bench = Bench::new(&mut embedded, plan, sources)?.countable();
    let counted = bench.count()?;
    bench.finish()?;
    for (outcome, counters) in outcomes.iter_mut().zip(counted) {
        outcome.counters = counters;
    }
    Ok(())
}

/// The plan with what it gave, as the record holds it. `hardware` is by the point's position in the plan.
fn experiments(
    plan: &Plan,
    outcomes: Vec<Outcome>,
    mut hardware: BTreeMap<usize, Counters>,
    is: record::Source,
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
                            launch: point.work.launches().next().map(Into::into),
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

/// Where an experiment's y comes from: all of its points are alike.
fn origin(planned: &crate::plan::Experiment) -> record::Origin {
    match planned.series.iter().flat_map(|series| &series.points).next().map(|point| &point.quantity) {
        Some(Quantity::Counted { .. }) => record::Origin::Count,
        Some(Quantity::Pitch) => record::Origin::Answer,
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
        Quantity::Pitch => [outcome.answered.unwrap_or_default(); 3],
    }
}

/// The only fact about the machine that ran the lab rather than about the chip.
pub const HOST_SPEED: &str = "host_thread_instructions_per_second";

/// How fast the embedded device itself was; nothing on a GPU.
fn speed(record: &Record, seconds: f64) -> Option<Fact> {
    if record.device.source() == record::Source::Measured || seconds <= 0.0 {
        return None;
    }
    let points = record.experiments.iter().flat_map(|e| &e.series).flat_map(|s| &s.points);
    let executed: u64 = points.filter_map(|p| p.counters.get("thread_instructions")).sum();
    Some(Fact {
        value: executed as f64 / seconds,
        unit: "1/s".to_owned(),
        what: "thread-instructions of the recorded launches, each counted once, by the wall time of the whole run on the machine that ran the embedded device (checks and repeated launches included in the time)".to_owned(),
    })
}

/// The files that were written, as the reader would type them.
fn write(
    args: &Args,
    record: &Record,
    files: &[(&'static str, Vec<u8>)],
    here: &Path,
) -> Result<Vec<(&'static str, String)>> {
    let json =
        record.to_json().context("this run made a record that could not be read back; please report it")?;
    let folder = output::folder(args.out.as_deref(), here);
    let mut written = Vec::new();
    let path = folder.join(format!("{}.json", record.lab));
    output::write(&path, json.as_bytes())?;
    written.push(("record", output::shown(&path, here)));
    match args.json.as_deref() {
        Some(path) if path == Path::new("-") => {
            std::io::stdout().write_all(json.as_bytes()).context("writing the record to standard output")?;
        }
        Some(path) => {
            output::write_json(path, json.as_bytes())?;
            written.push(("record", output::shown(path, here)));
        }
        None => {}
    }
    if !args.no_plots {
        let plots = folder.join(&record.lab);
        for experiment in &record.experiments {
            let svg = render::Plot::new(record, &experiment.id, "plot").svg()?;
            output::write(&plots.join(format!("{}.svg", experiment.id)), svg.as_bytes())?;
        }
        for trace in &record.traces {
            let svg = render::Figure::new(record, &trace.id, "figure").svg()?;
            output::write(&plots.join(format!("{}.svg", trace.id)), svg.as_bytes())?;
        }
        for (name, bytes) in files {
            let path = plots.join(name);
            output::write(&path, bytes)?;
            written.push(("picture", output::shown(&path, here)));
        }
        written.push(("plots", format!("{}/*.svg", output::shown(&plots, here))));
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALL;

    const LIMITS: Limits = Limits { instructions: 1 << 40, memory_bytes: 8 << 30 };

    #[test]
    fn a_lab_is_named_once_and_its_sizes_are_flags_of_their_own() {
        for (at, lab) in ALL.iter().enumerate() {
            assert!(ALL[..at].iter().all(|other| other.name != lab.name), "{}", lab.name);
            let parsed = cli::parse(lab.name, lab.about, lab.examples, lab.sizes, [lab.name.into()]);
            assert!(parsed.is_ok(), "{}", lab.name);
            for size in lab.sizes {
                let defaults = [size.quick, size.embedded, size.gpu];
                assert!(defaults.iter().all(|n| (1..=size.most).contains(n)), "{} --{}", lab.name, size.name);
            }
        }
    }

    #[test]
    fn every_lab_runs_quickly_again_from_its_record_and_gives_the_same() -> Result<()> {
        for lab in ALL {
            let request = Request::new(lab.sizes, &BTreeMap::new(), 5, true, false)?;
            let first = rerun(lab, &request.parameters(), None, "h200", LIMITS)?;
            for check in &first.checks {
                assert!(check.passed, "{}: {}: {}", lab.name, check.id, check.found);
            }
            let again = rerun(lab, &first.parameters, None, "h200", LIMITS)?;
            assert_eq!(first, again, "{}", lab.name);
        }
        Ok(())
    }

    #[test]
    fn every_lab_runs_again_from_the_record_of_a_gpu_and_repeats_its_launches() -> Result<()> {
        for lab in ALL {
            let parameters = Request::new(lab.sizes, &BTreeMap::new(), 5, true, true)?.parameters();
            let host = Host { multiprocessors: 20, measured: true };
            let Rerun { record, relations, instructions, .. } =
                rerun_of(lab, &parameters, None, "h200", Some(host), LIMITS)?;
            assert!(instructions > 0, "{}", lab.name);
            assert_eq!(relations.len(), points(&record).count(), "{}", lab.name);
            for check in &record.checks {
                assert!(check.passed, "{}: {}: {}", lab.name, check.id, check.found);
            }
        }
        Ok(())
    }

    fn points(record: &Record) -> impl Iterator<Item = &Point> {
        record.experiments.iter().flat_map(|e| &e.series).flat_map(|s| &s.points)
    }

    #[test]
    fn values_are_those_that_the_relations_expect() -> Result<()> {
        for lab in ALL {
            let parameters = Request::new(lab.sizes, &BTreeMap::new(), 5, true, false)?.parameters();
            let Rerun { record, relations, .. } = rerun_of(lab, &parameters, None, "h200", None, LIMITS)?;
            for (point, relation) in points(&record).zip(relations) {
                let Some([y_min, y, y_max]) = relation.expected(point) else { continue };
                for (expected, value) in [(y_min, point.y_min), (y, point.y), (y_max, point.y_max)] {
                    let wrong = (expected - value).abs();
                    assert!(wrong <= 1e-9 * value.abs(), "{}: {relation:?}: {point:?}", lab.name);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn outputs_of_every_lab_depend_on_the_seed() -> Result<()> {
        for lab in ALL {
            let outputs = |seed| -> Result<Vec<Vec<String>>> {
                let parameters = Request::new(lab.sizes, &BTreeMap::new(), seed, true, false)?.parameters();
                let record = rerun(lab, &parameters, None, "h200", LIMITS)?;
                Ok(record.checks.into_iter().map(|check| check.outputs).collect())
            };
            assert_ne!(outputs(5)?, outputs(6)?, "{}", lab.name);
        }
        Ok(())
    }

    #[test]
    fn another_run_stays_within_its_limits() {
        let parameters = Parameters::from([
            ("elements".to_owned(), Parameter::Integer(1 << 16)),
            ("seed".to_owned(), Parameter::Integer(5)),
            ("quick".to_owned(), Parameter::Flag(true)),
        ]);
        let lab = &crate::lab_5_5::LAB;
        let met = |limits| {
            let error = rerun(lab, &parameters, None, "h200", limits).err()?;
            error.downcast_ref::<LimitReached>().copied()
        };
        let instructions = Limits { instructions: 1000, ..LIMITS };
        assert_eq!(met(instructions), Some(LimitReached::Instructions { limit: 1000 }));
        // Both before anything is allocated, and on the device.
        for limit in [1 << 10, 65 << 20] {
            assert_eq!(met(Limits { memory_bytes: limit, ..LIMITS }), Some(LimitReached::Memory { limit }));
        }
        assert!(rerun(lab, &parameters, None, "h100x", LIMITS).is_err());
    }
}
