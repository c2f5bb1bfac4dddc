//! One run of a lab: the arguments, the device, the plan, the record, the report.
//!
//! Enters: a [`Lab`] and the command line. Leaves: files, text on the terminal and an exit code.

use crate::cli::{self, Args, DeviceChoice};
use crate::plan::{Plan, Quantity};
use crate::run::{Bench, Outcome};
use crate::sources::{self, Source};
use crate::{exit, hardware, output, report};
use anyhow::{Context, Result};
use device::{Description, Device, Embedded, Gpu, Kind};
use record::{Claim, Counters, Experiment, Fact, Parameter, Point, Record, Series, VERSION};
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
    /// From the arguments to the plan and the parameters that the record holds.
    pub plan: fn(&Args, Host) -> Result<(Plan, Parameters)>,
    /// From the experiments to single numbers.
    pub facts: fn(&Record) -> BTreeMap<String, Fact>,
    /// From experiments and facts to verdicts on what the sources say.
    pub claims: fn(&Record) -> Vec<Claim>,
    /// What the terminal shows, in order.
    pub views: &'static [View],
}

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
    /// A row a power of two of x, a column a series.
    Columns {
        /// Its id.
        experiment: &'static str,
    },
}

/// Runs a lab: what a binary's `main` calls.
pub fn main(lab: &Lab) -> ExitCode {
    let args = match cli::parse(lab.name, lab.about, lab.examples, std::env::args_os()) {
        Ok(args) => args,
        Err(error) => {
            // clap prints help to stdout with code 0 and errors to stderr with code 2; if the stream is closed there is
            // nobody to tell.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match run(lab, &args) {
        Ok(code) => code,
        Err(error) => exit::fail(lab.name, &error),
    }
}

fn run(lab: &Lab, args: &Args) -> Result<ExitCode> {
    let when = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let here = std::env::current_dir().context("the working directory")?;
    let (mut device, why) = choose(args)?;
    let described = device.description().clone();
    let measured = matches!(described.kind, Kind::Gpu { .. });
    let host = Host { multiprocessors: described.multiprocessors, measured };
    let (plan, parameters) = (lab.plan)(args, host)?;
    let sources = sources::gather(&plan, &args.kernel)?;
    if args.once {
        let mut bench = Bench::new(device.as_mut(), &plan, &sources)?;
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
    say(&report::opening(lab, &of, why.as_deref(), &parameters, &plan));

    let begun = Instant::now();
    let mut bench = Bench::new(device.as_mut(), &plan, &sources)?;
    let (mut outcomes, checks) = bench.measure()?;
    bench.finish()?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut notes = Vec::new();
    let hardware = if measured {
        count_again(args, &plan, &sources, &mut outcomes)?;
        let (counted, note) = hardware::counters(args.ncu, &plan)?;
        notes.extend(note);
        counted
    } else {
        BTreeMap::new()
    };

    let mut record = Record {
        version: VERSION,
        lab: lab.name.to_owned(),
        written_by: concat!("warpbook ", env!("CARGO_PKG_VERSION")).to_owned(),
        when,
        device: of,
        parameters,
        kernels: sources.into_iter().map(|s| s.kernel).collect(),
        experiments: experiments(&plan, outcomes, hardware, measured),
        facts: BTreeMap::new(),
        checks,
        claims: Vec::new(),
        traces: Vec::new(),
    };
    record.facts = (lab.facts)(&record);
    if let Some(fact) = speed(&record, seconds) {
        record.facts.insert(HOST_SPEED.to_owned(), fact);
    }
    record.claims = (lab.claims)(&record);

    say(&report::tables(lab, &record));
    let written = write(args, &record, &here)?;
    say(&report::closing(&record, &written, &notes));
    Ok(if record.checks.iter().all(|c| c.passed) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(exit::MISMATCH)
    })
}

/// The device that was asked for, and for `auto` a line that says why this one.
fn choose(args: &Args) -> Result<(Box<dyn Device>, Option<String>)> {
    let embedded = || -> Result<Box<dyn Device>> { Ok(Box::new(Embedded::new(&args.arch)?)) };
    match args.device {
        DeviceChoice::Simt => Ok((embedded()?, None)),
        DeviceChoice::Gpu => Ok((Box::new(Gpu::new(0)?), None)),
        DeviceChoice::Auto => match Gpu::new(0) {
            Ok(gpu) => {
                Ok((Box::new(gpu), Some("there is a GPU, so it is used; --device simt for the other".into())))
            }
            Err(error) => {
                let reason = match error {
                    device::Error::NoGpu { reason } => reason,
                    other => other.to_string(),
                };
                // One line: what the driver says first.
                let reason = reason.lines().next().unwrap_or_default().to_owned();
                Ok((embedded()?, Some(format!("no GPU can be used: {reason}"))))
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
fn count_again(args: &Args, plan: &Plan, sources: &[Source], outcomes: &mut [Outcome]) -> Result<()> {
    let mut embedded = Embedded::new(&args.arch)?;
    let mut bench = Bench::new(&mut embedded, plan, sources)?;
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
    measured: bool,
) -> Vec<Experiment> {
    let is = if measured { record::Source::Measured } else { record::Source::Modelled };
    let mut outcomes = outcomes.into_iter().enumerate();
    let experiment = |planned: &crate::plan::Experiment| Experiment {
        id: planned.id.to_owned(),
        title: planned.title.to_owned(),
        x: planned.x.clone(),
        y: planned.y.clone(),
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
                            launch: Some((&point.launch).into()),
                            operation: None,
                            time: Some(outcome.times.timing(is)),
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

/// Lowest, median and highest value of the quantity. For a difference, the shorter launch counts with its median.
fn values(quantity: &Quantity, outcome: &Outcome) -> [f64; 3] {
    let times = &outcome.times;
    match quantity {
        // A time of zero would be a clock's failure; the bandwidth is then unknown, and zero says so.
        Quantity::Bandwidth { bytes } => {
            [times.max(), times.median(), times.min()].map(|t| if t > 0.0 { bytes / t } else { 0.0 })
        }
        Quantity::Difference { units, .. } => {
            let shorter = outcome.shorter.as_ref().map_or(0.0, crate::measure::Times::median);
            [times.min(), times.median(), times.max()].map(|t| (t - shorter) / units)
        }
    }
}

/// The only fact about the machine that ran the lab rather than about the chip.
pub(crate) const HOST_SPEED: &str = "host_thread_instructions_per_second";

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
fn write(args: &Args, record: &Record, here: &Path) -> Result<Vec<(&'static str, String)>> {
    let json =
        record.to_json().context("this run made a record that could not be read back; please report it")?;
    let folder = output::folder(args.out.as_deref(), here);
    let mut written = Vec::new();
    let path = folder.join(format!("{}.json", record.lab));
    output::write(&path, &json)?;
    written.push(("record", output::shown(&path, here)));
    match args.json.as_deref() {
        Some(path) if path == Path::new("-") => {
            std::io::stdout().write_all(json.as_bytes()).context("writing the record to standard output")?;
        }
        Some(path) => {
            output::write(path, &json)?;
            written.push(("record", output::shown(path, here)));
        }
        None => {}
    }
    if !args.no_plots {
        let plots = folder.join(&record.lab);
        for experiment in &record.experiments {
            let svg = render::Plot::new(record, &experiment.id, "plot").svg()?;
            output::write(&plots.join(format!("{}.svg", experiment.id)), &svg)?;
        }
        written.push(("plots", format!("{}/*.svg", output::shown(&plots, here))));
    }
    Ok(written)
}
