//! One run of a lab: the arguments, the device, the plan, the record, the report.
//!
//! Enters: a [`Lab`] and the command line. Leaves: files, text on the terminal and an exit code.

use crate::args::{self, Args, NcuChoice};
use crate::lab::{HOST_SPEED, Host, Lab};
use crate::limits;
use crate::plan::Plan;
use crate::recording::{described_as, recorded};
use crate::report::{self, Extent};
use crate::request::{Request, Scope, Size};
use crate::run::{Bench, Outcome};
use crate::sources::{self, ModuleSource};
use crate::{hardware, layout, output, trace};
use anyhow::{Context, Result, bail};
use cli::{DeviceChoice, exit};
use device::{Device, Embedded, GRADED_CAPABILITY, Gpu, Kind};
use kernels::{Flags, Own};
use record::text::visible_lines;
use record::{Fact, Record};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

/// Note on a kernel's `printf` on a GPU.
const PRINTED_BY_DRIVER: &str = "what the kernel prints on a GPU is not kept: the driver writes it to standard output, in between, for every \
                                 launch; --device simt shows it by kernel";

/// Runs a lab: the `main` of its own binary calls this. That binary has no compiler in it, and starts one for an edited kernel.
pub fn main(lab: &Lab) -> ExitCode {
    main_with(lab, kernels::by_program)
}

/// The same, with the workbook's own compiler as this program reaches it.
pub fn main_with(lab: &Lab, own: Own) -> ExitCode {
    let code = match args::parse(lab.name, lab.about, lab.examples, lab.sizes, program::args()) {
        Ok(args) => run(lab, &args, own).unwrap_or_else(|error| exit::fail(lab.name, &error)),
        Err(error) => program::usage(&error),
    };
    program::end(lab.name, code)
}

fn run(lab: &Lab, args: &Args, own: Own) -> Result<ExitCode> {
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
    let scope = lab.scope(args.quick, args.full, measured);
    let request = Request::new(lab.sizes, &args.sizes, args.seed, scope, measured)?;
    if let Chosen::Embedded(embedded) = &mut device {
        args.limits.apply_with(embedded, || limits::budget(lab.sizes, &request));
    }
    let device = device.as_dyn();
    let host = Host { multiprocessors: described.multiprocessors, measured };
    let mut plan = lab.planned(&request, host)?;
    let note = left_out(lab, &request, &args.sizes, host, &plan)?;
    plan.notes.extend(note);
    // A GPU gets code for itself; on the embedded device a source counts as it does where records are graded.
    let arch = if measured { described.architecture() } else { GRADED_CAPABILITY.to_string() };
    let words = args.options.words();
    if let (Some(option), true) = (words.first(), args.kernel.is_empty()) {
        bail!("{option}: options of the compiler are for a file of --kernel, and none is given");
    }
    let flags = Flags::parse(words.iter().map(String::as_str)).map_err(anyhow::Error::msg)?;
    let sources =
        sources::gather(&plan, &args.kernel, &Flags::for_device(arch).and(flags), args.compiler, own)?;
    if args.once {
        let mut bench = Bench::new(device, &plan, &sources)?;
        bench.once()?;
        return Ok(ExitCode::SUCCESS);
    }

    let to_stderr = args.json.as_deref() == Some(Path::new("-"));
    let say = if to_stderr { program::tell } else { program::say };
    let of = described_as(&described);
    say(&report::opening(lab, &of, why.as_deref(), (&plan.parameters, &plan.notes), &args.kernel));

    let begun = Instant::now();
    let mut bench = Bench::new(device, &plan, &sources)?.watching();
    let measure = bench.measure();
    say(&bench.printed());
    let (mut outcomes, checks) = measure?;
    bench.finish()?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut notes = Vec::new();
    if measured && sources.iter().any(|source| source.is_edited() && source.prints()) {
        notes.push(PRINTED_BY_DRIVER.to_owned());
    }
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

    let extent = if args.all { Extent::All } else { Extent::Brief };
    say(&report::result(lab, &record, extent));
    let written = write(args, &record, &files, &here)?;
    say(&report::closing(lab, &record, &written, &notes, extent));
    Ok(if record.checks.iter().all(|c| c.passed) {
        ExitCode::SUCCESS
    } else {
        program::Exit::Mismatch.into()
    })
}

/// Parts that a run leaves out if it is not of the whole lab, in a line.
fn left_out(
    lab: &Lab,
    request: &Request,
    given: &BTreeMap<&'static str, u64>,
    host: Host,
    plan: &Plan,
) -> Result<Option<String>> {
    let number = |n: u64| layout::number(n as f64);
    let mut without = Vec::new();
    let which = match request.scope {
        Scope::Full => return Ok(None),
        Scope::Quick => {
            if !lab.sizes.is_empty() {
                without.push("small sizes, whose times say little".to_owned());
            }
            "--quick"
        }
        Scope::Short => {
            // A size that was given is the same with `--full`.
            let smaller = |size: &&Size| size.short < size.full && !given.contains_key(size.name);
            without.extend(lab.sizes.iter().filter(smaller).map(|size| {
                format!("{} {} of {}", size.name, number(request.size(size.name)), number(size.full))
            }));
            "without --full"
        }
    };
    let mut whole = request.clone();
    whole.scope = Scope::Full;
    let points = |plan: &Plan| plan.placed().count() as u64;
    let (few, all) = (points(plan), points(&lab.planned(&whole, host)?));
    if few < all {
        without.push(format!("{} of {} points left out", number(all - few), number(all)));
    }
    Ok((!without.is_empty()).then(|| format!("{which}: {}", without.join("; "))))
}

/// The plan's files that have contents.
fn artifacts(plan: &Plan) -> Vec<(&'static str, Vec<u8>)> {
    plan.artifacts.iter().filter_map(|artifact| Some((artifact.file, (artifact.bytes)()?))).collect()
}

/// The device that a lab runs on.
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
            Ok(gpu) => Ok((
                watched(gpu),
                Some("a GPU was found and is used; --device simt runs on the embedded device instead".into()),
            )),
            Err(error) => {
                let reason = match error {
                    device::Error::NoGpu { reason } => reason,
                    other => other.to_string(),
                };
                // The beginning of the driver's message; `--device gpu` gives all of it, with what to do.
                let reason = reason.lines().next().unwrap_or_default();
                let reason = reason.split("; ").next().unwrap_or_default();
                Ok((embedded()?, Some(format!("no GPU can be used: {}", visible_lines(reason)))))
            }
        },
    }
}

/// Fills the counters of a GPU's points: the embedded device runs the same launches once.
fn count_again(
    lab: &Lab,
    args: &Args,
    request: &Request,
    plan: &Plan,
    sources: &[ModuleSource],
    outcomes: &mut [Outcome],
) -> Result<()> {
    let mut embedded = Embedded::new(&args.arch)?;
    args.limits.apply_with(&mut embedded, || limits::budget(lab.sizes, request));
    let mut bench = Bench::new(&mut embedded, plan, sources)?.countable().watching();
    let counted = bench.count()?;
    bench.finish()?;
    for (outcome, counters) in outcomes.iter_mut().zip(counted) {
        outcome.counters = counters;
    }
    Ok(())
}

/// Speed of the embedded device itself on this machine; nothing on a GPU.
fn speed(record: &Record, seconds: f64) -> Option<Fact> {
    if record.device.source() == record::TimeSource::Measured || seconds <= 0.0 {
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
        record.to_json().context("this run made a record that cannot be read back; please report it")?;
    let folder = output::folder(args.out.as_deref(), here, args.quick);
    let mut written = Vec::new();
    let path = folder.join(format!("{}.json", record.lab));
    output::write(&path, json.as_bytes())?;
    written.push(("record", output::shown(&path, here)));
    match args.json.as_deref() {
        Some(path) if path == Path::new("-") => {
            program::put(json.as_bytes());
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
            let svg = plots::Plot::new(record, &experiment.id, "plot").svg()?;
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
    use crate::limits::{LimitReached, Limits};
    use crate::request::Parameters;
    use crate::rerun::{Rerun, rerun, rerun_of};
    use record::{Parameter, Point};
    use std::sync::OnceLock;

    const LIMITS: Limits = Limits { instructions: 1 << 40, memory_bytes: 8 << 30 };

    #[test]
    fn a_lab_is_named_once_and_its_sizes_are_flags_of_their_own() {
        for (at, lab) in ALL.iter().enumerate() {
            assert!(ALL[..at].iter().all(|other| other.name != lab.name), "{}", lab.name);
            let parsed = args::parse(lab.name, lab.about, lab.examples, lab.sizes, [lab.name.into()]);
            assert!(parsed.is_ok(), "{}", lab.name);
            for size in lab.sizes {
                let defaults = [size.quick, size.short, size.full, size.gpu];
                assert!(defaults.iter().all(|n| (1..=size.most).contains(n)), "{} --{}", lab.name, size.name);
                assert!(size.short <= size.full, "{} --{}", lab.name, size.name);
            }
        }
    }

    #[test]
    fn a_lab_is_short_where_it_leaves_something_out_and_a_gpu_leaves_out_nothing() -> Result<()> {
        let host = Host { multiprocessors: 1, measured: false };
        for lab in ALL {
            let scope = lab.scope(false, false, false);
            let request = Request::new(lab.sizes, &BTreeMap::new(), 5, scope, false)?;
            let plan = lab.planned(&request, host)?;
            let note = left_out(lab, &request, &BTreeMap::new(), host, &plan)?;
            assert_eq!(note.is_some(), lab.short, "{}: {note:?}", lab.name);
            assert_eq!(plan.parameters.contains_key("full"), lab.short, "{}", lab.name);
            for (full, measured) in [(true, false), (false, true), (true, true)] {
                assert_eq!(lab.scope(false, full, measured), Scope::Full, "{}", lab.name);
            }
            assert_eq!(lab.scope(true, false, false), Scope::Quick);
        }
        Ok(())
    }

    /// A chip of few multiprocessors: some launches have a block for each.
    const SMALL_CHIP: &str = "gtx970";

    /// The smallest request for the lab at this place: small sizes, and enough bodies that they go through the passes
    /// of one experiment twice and that no block divides them.
    fn parameters(at: usize) -> Parameters {
        let mut parameters = Request::small(ALL[at].sizes, 5).parameters();
        if let Some(bodies) = parameters.get_mut("bodies") {
            *bodies = Parameter::Integer(1025);
        }
        parameters
    }

    /// A small run of the lab at this place, with seed 5. Each is made once.
    fn small(at: usize) -> &'static Rerun {
        static SMALL: [OnceLock<Rerun>; ALL.len()] = [const { OnceLock::new() }; ALL.len()];
        SMALL[at].get_or_init(|| {
            rerun_of(ALL[at], &parameters(at), None, SMALL_CHIP, None, crate::Edited::NONE, LIMITS).unwrap()
        })
    }

    fn passes(record: &Record) {
        for check in &record.checks {
            assert!(check.passed, "{}: {}: {}", record.lab, check.id, check.found);
        }
    }

    fn points(record: &Record) -> impl Iterator<Item = &Point> {
        record.experiments.iter().flat_map(|e| &e.series).flat_map(|s| &s.points)
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn every_lab_passes_and_its_values_are_those_that_the_relations_expect() {
        for (at, lab) in ALL.iter().enumerate() {
            let Rerun { record, relations, .. } = small(at);
            passes(record);
            assert_eq!(relations.len(), points(record).count(), "{}", lab.name);
            for (point, relation) in points(record).zip(relations) {
                let Some([y_min, y, y_max]) = relation.expected(point) else { continue };
                for (expected, value) in [(y_min, point.y_min), (y, point.y), (y_max, point.y_max)] {
                    let wrong = (expected - value).abs();
                    assert!(wrong <= 1e-9 * value.abs(), "{}: {relation:?}: {point:?}", lab.name);
                }
            }
        }
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn every_lab_runs_again_from_its_record_and_gives_the_same() -> Result<()> {
        for (at, lab) in ALL.iter().enumerate() {
            let first = &small(at).record;
            let again = rerun(lab, &first.parameters, None, SMALL_CHIP, LIMITS)?;
            assert_eq!(*first, again, "{}", lab.name);
        }
        Ok(())
    }

    /// With another seed than the record's, as a grader may ask.
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn every_lab_runs_again_from_the_record_of_a_gpu_and_its_outputs_depend_on_the_seed() -> Result<()> {
        for (at, lab) in ALL.iter().enumerate() {
            let first = &small(at).record;
            let host = Host { multiprocessors: 20, measured: true };
            let Rerun { record, relations, instructions, .. } = rerun_of(
                lab,
                &first.parameters,
                Some(6),
                SMALL_CHIP,
                Some(host),
                crate::Edited::NONE,
                LIMITS,
            )?;
            assert!(instructions > 0, "{}", lab.name);
            assert_eq!(relations.len(), points(&record).count(), "{}", lab.name);
            passes(&record);
            assert_eq!(record.parameters["seed"], Parameter::Integer(6), "{}", lab.name);
            let outputs = |check: &record::Check| {
                let here = first.checks.iter().find(|first| first.id == check.id)?;
                (!here.outputs.is_empty()).then(|| here.outputs != check.outputs)
            };
            assert!(record.checks.iter().filter_map(outputs).any(|differ| differ), "{}", lab.name);
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
