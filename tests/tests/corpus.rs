//! Every job file below `tests/ptx` and `tests/programs`, on the embedded device with all checks: a test each.
//!
//! `tests/ptx/*.toml` are one small PTX an instruction, `tests/programs/*/*.toml` whole programs by several compilers.
//! Their outputs must be those that a GPU gave (`scripts/record-jobs`), and what they print that of an `x.printed.txt`.
//! A job `x.toml`, or `x.compiler.toml`, with an `x.fault.toml` next to it must fault, and as that file says. What the
//! device does not do yet is in `tests/programs/unsupported.toml`; each of those jobs must fail in the way that is
//! said there.

use device::{Device, Embedded};
use job::{Expected, Fault, Job, Settings, run};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Expected fault: every field that is present must match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFault {
    kind: String,
    /// A part of the message.
    message: Option<String>,
    kernel: Option<String>,
    /// The lines of `x.cu` that may be named: a race has two.
    lines: Option<Vec<u32>>,
    block: Option<[u32; 3]>,
    thread: Option<[u32; 3]>,
}

/// Known failures: part of the message, and the jobs below `tests/programs` that end with it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unsupported {
    /// By an instruction or a function that the device refuses.
    #[serde(default)]
    refused: BTreeMap<String, Vec<String>>,
    /// By a part of any other failure's text.
    #[serde(default)]
    open: BTreeMap<String, Vec<String>>,
}

/// Expected failure of a job.
#[derive(Clone)]
enum Fails {
    Refused(String),
    Open(String),
}

impl Unsupported {
    /// By the job's name, as the trials have it.
    fn by_job(&self) -> BTreeMap<String, Fails> {
        let refused = self.refused.iter().map(|(what, jobs)| (Fails::Refused(what.clone()), jobs));
        let open = self.open.iter().map(|(what, jobs)| (Fails::Open(what.clone()), jobs));
        refused
            .chain(open)
            .flat_map(|(fails, jobs)| jobs.iter().map(move |job| (format!("programs/{job}"), fails.clone())))
            .collect()
    }
}

/// Programs that try `__ldg` and its relatives on what they, or others of their threads, have just written, which no kernel should.
const READS_WHAT_IT_WRITES: [&str; 3] = ["half_intrinsics", "bfloat_intrinsics", "cache_hints"];

/// Warp instructions a block of a job that must fault: an endless loop ends soon.
const FAULTS_BUDGET: u64 = 1 << 22;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = vec![];
    let mut listed = match unsupported(&root.join("programs/unsupported.toml")) {
        Ok(listed) => listed.by_job(),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut found = job_files(&root.join("ptx"));
    for folder in entries(&root.join("programs")) {
        found.extend(job_files(&folder));
    }
    for path in found {
        let name = path.strip_prefix(root).unwrap_or(&path).with_extension("");
        let name = name.display().to_string();
        let fails = listed.remove(&name);
        trials.push(Trial::test(name, move || match fails {
            None => job(&path),
            Some(fails) => as_listed(&fails, job(&path), &path),
        }));
    }
    // Were the folders moved, nothing would be tested and no one would know.
    let count = trials.len();
    trials.push(Trial::test("the list names jobs that there are", move || match listed.first_key_value() {
        None => Ok(()),
        Some((name, _)) => Err(format!("unsupported.toml: there is no job {name}").into()),
    }));
    trials.push(Trial::test("there are jobs", move || if count > 0 { Ok(()) } else { Err("none".into()) }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn unsupported(path: &Path) -> Result<Unsupported, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// A listed job must fail as the list has it.
fn as_listed(fails: &Fails, outcome: Result<(), Failed>, path: &Path) -> Result<(), Failed> {
    let Err(failed) = outcome else {
        return Err("it works now: take it off the list in tests/programs/unsupported.toml".into());
    };
    let said = failed.message().unwrap_or_default();
    let (as_said, what) = match fails {
        Fails::Refused(what) => (said.contains(&format!("`{what}`")) && is_refused(path)?, what),
        Fails::Open(what) => (said.contains(what.as_str()), what),
    };
    if as_said { Ok(()) } else { Err(format!("the list says `{what}`, and not so:\n{said}").into()) }
}

/// Whether the device refuses a job before a thread runs, since it does not know an instruction.
fn is_refused(path: &Path) -> Result<bool, Failed> {
    let job = Job::read(path, Expected::Record)?;
    let report = run(&job, &mut Embedded::new("h200")?, &Settings::default(), &mut |_| {});
    Ok(report.launches.is_empty() && report.fault().is_some_and(|f| f.kind == "unsupported-instruction"))
}

/// A folder's entries in order; none where there is no folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries
}

fn job_files(folder: &Path) -> Vec<PathBuf> {
    let is_job = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".toml") && !name.ends_with(".fault.toml")
    };
    entries(folder).into_iter().filter(is_job).collect()
}

/// A file next to a job, by the name before the compiler's.
fn beside(job: &Path, extension: &str) -> Option<PathBuf> {
    let name = job.file_name()?.to_str()?.split('.').next()?;
    Some(job.with_file_name(format!("{name}.{extension}")))
}

/// The first line that is not the same, from 1.
fn differing_line<'a>(expected: &'a str, got: &'a str) -> Option<(usize, (&'a str, &'a str))> {
    let (want, have) = (expected.split('\n'), got.split('\n'));
    let longest = want.clone().count().max(have.clone().count());
    let missing = "(nothing)";
    let pairs = want.chain(std::iter::repeat(missing)).zip(have.chain(std::iter::repeat(missing)));
    (1..).zip(pairs.take(longest)).find(|(_, (a, b))| a != b)
}

fn job(path: &Path) -> Result<(), Failed> {
    let job = Job::read(path, Expected::Compare)?;
    let mut device = Embedded::new("h200")?;
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let read_only = !folder.is_some_and(|folder| READS_WHAT_IT_WRITES.contains(&folder));
    device.options().checks = device::Checks { read_only, global_races: read_only, ..device::Checks::ALL };
    let fault = beside(path, "fault.toml").filter(|file| file.is_file());
    if fault.is_some() {
        device.options().budget = FAULTS_BUDGET;
    }
    let report = run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {});

    if let Some(fault) = fault {
        let expected: ExpectedFault = toml::from_str(&std::fs::read_to_string(&fault)?)?;
        let Some(found) = report.fault() else {
            return Err(format!("it should have faulted ({})\n{report}", expected.kind).into());
        };
        return same_fault(&expected, &found, &fault);
    }
    if report.exit_code() != 0 {
        return Err(report.to_string().into());
    }
    if let Some(expected) = beside(path, "printed.txt").filter(|file| file.is_file()) {
        let expected = std::fs::read_to_string(&expected)?;
        let printed: String = report.launches.iter().map(|launch| launch.printed.as_str()).collect();
        if let Some((n, (want, got))) = differing_line(&expected, &printed) {
            return Err(format!("line {n} of what it prints: expected {want:?}, got {got:?}").into());
        }
    }
    // Without it a job tests next to nothing.
    if report.outputs.iter().any(|o| o.compared.is_some()) {
        Ok(())
    } else {
        Err("no output is compared".into())
    }
}

fn same_fault(expected: &ExpectedFault, found: &Fault, path: &Path) -> Result<(), Failed> {
    let ExpectedFault { kind, message, kernel, lines, block, thread } = expected;
    let source = path.with_extension("").with_extension("cu");
    // In a header, it is the line of the program that calls it.
    let innermost = found.file.as_deref().zip(found.line);
    let calls = found.inlined_at.iter().chain(&found.called_at);
    let stack = innermost.into_iter().chain(calls.map(|at| (at.file.as_str(), at.line)));
    let is_source = |file: &str| Path::new(file).file_name() == source.file_name();
    let own: Vec<u32> = stack.filter(|(file, _)| is_source(file)).map(|(_, line)| line).collect();
    let same = found.kind == kind
        && message.as_ref().is_none_or(|part| found.message.contains(part))
        && (kernel.is_none() || *kernel == found.kernel)
        && lines.as_ref().is_none_or(|lines| own.iter().any(|line| lines.contains(line)))
        && (block.is_none() || *block == found.block)
        && (thread.is_none() || *thread == found.thread);
    if same { Ok(()) } else { Err(format!("another fault than expected: {found:?}").into()) }
}
