//! The binary `launch`: arguments to jobs to text, files and an exit code.

use crate::destinations;
use crate::dry_run::{DryRun, dry_run};
use crate::error::Error;
use crate::host_time;
use crate::job::Job;
use crate::parse::Expected;
use crate::progress::Spinner;
use crate::report::{Json, Report};
use crate::run::run;
use crate::settings::Settings;
use crate::text;
use anyhow::{Context, Result, bail};
use clap::Parser;
use cli::{CHIP, CheckArgs, DeviceChoice, LaunchLimits, compilers, exit};
use device::{Device, Embedded, Gpu};
use files::Claims;
use kernels::{Compiler, Flags};
use program::CompilerOptions;
use record::text::{visible, visible_lines};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const ABOUT: &str = "Runs any CUDA kernel from a job file: no host code, no toolkit, no GPU needed";

const EXAMPLES: &str = "\
\x1b[1mA job file\x1b[0m, saxpy.toml; its paths are relative to it:

  module = \"saxpy.ptx\"            # or a .cu, which is compiled here for the
                                  # device that runs it, with
                                  # options = \"-DN=4 --fmad=false\" as for
                                  # nvcc, or on this command line
  [[buffer]]
  name = \"x\"
  type = \"f32\"                    # u8 i8 u16 i16 u32 i32 u64 i64 f16 bf16
                                  # e4m3 e5m2 f32 f64, and vectors: f32x4
  len = 1024                      # elements
  read = true                     # all of it must have been read
  init = { iota = 0 }             # { file = \"x.bin\" }, { fill = 0 },
                                  # { uniform = [0.0, 1.0], seed = 7 };
                                  # without init: uninitialised
  [[buffer]]
  name = \"y\"
  type = \"f32\"
  init = { file = \"y.npy\" }       # a NumPy file says how long it is, as
                                  # does values = [1.0, 2.0], and for type
                                  # u64 values = [{ buffer = \"x\" }]
  [[symbol]]                      # a __constant__ or __device__ variable
  name = \"coef\"
  type = \"f32\"
  values = [0.0, 0.8]             # or file = \"coef.bin\"
  [[launch]]
  kernel = \"saxpy<float>\"         # as in the source, or mangled
  grid = 4                        # or [4, 2], [4, 2, 1]
  block = 256
  shared_bytes = 0                # dynamic shared memory; also cluster and
                                  # cooperative
  args = [ { f32 = 2.0 }, { buffer = \"x\" }, { buffer = \"y\" }, { i32 = 1024 } ]
  repeat = 10                     # run it 10 times
  [[output]]
  buffer = \"y\"                    # or symbol = \"…\"
  offset = 0                      # bytes; len = 16 elements: a part of it
  file = \"y.expected.bin\"         # compared with, if given; or .npy, or
                                  # values = [0.0, 1.5], or equals = \"x\"
  written = true                  # all of it must have been written
  finite = true                   # no NaN and no infinity may be in it; where
                                  # the first comes from is reported
  rtol = 1e-6                     # without atol and rtol: bit for bit

\x1b[1mArguments\x1b[0m  { f32 = 2.0 }, and so on for every type;
{ bool = true }; { f32x4 = [1, 2, 3, 4] }; { buffer = \"x\", offset = 16 },
in bytes; { null = true }; { bytes_file = \"…\" }; and a struct by value, its
members laid out as in C: { struct = [ { buffer = \"x\" }, { i32 = 3 } ] }.

\x1b[1mSteps\x1b[0m  Fills and copies between launches are in the order of
[[step]], which replaces [[launch]]:

  [[step]]
  fill = { buffer = \"x\", value = 0, offset = 0, len = 16 }
  [[step]]
  copy = { from = { buffer = \"x\" }, to = { symbol = \"coef\" }, len = 2 }
  [[step]]
  launch = { kernel = \"saxpy\", grid = 4, block = 256 }
  [[step]]
  repeat = 10
  steps = [ { fill = { … } }, { launch = { … } } ]

Offsets are bytes, lengths are elements; without a length all up to the end
is meant. A fill of a symbol needs a type.

\x1b[1mExamples\x1b[0m

  launch saxpy.toml                    on the GPU, or on the embedded device if
                                       there is none; compares the outputs
  launch saxpy.toml --device simt      counters, and faults with source lines
  launch saxpy.toml --keep-going       all faults, each once, with counts
  launch saxpy.toml --check races      look only for races
  launch saxpy.toml --check all,nan    where the first NaN or infinity comes
                                       from, too
  launch saxpy.toml --unwritten        what of the outputs nothing has written
  launch saxpy.toml --unread           what of the inputs nothing has read
  launch saxpy.toml --no-check uninitialised,masks
                                       for all but these
  launch saxpy.toml --dry-run          why it would be refused, all reasons
  launch saxpy.ptx --dry-run           the kernels of a module, and which are
                                       refused, without a job
  launch saxpy.toml --out results      every output as results/<name>.bin
  launch saxpy.toml --out r --npy      every output as r/<name>.npy
  launch saxpy.toml --json run.json    the run, machine-readable
  launch a.toml b.toml --out results   several jobs: results/a/…, results/b/…
  launch saxpy.toml --record .         write the files that outputs name

`uniform` draws low ≤ value < high from PCG32, for integers too:
{ uniform = [0, 256], seed = 1 } draws any byte. `iota` wraps around. Vectors
are their numbers one after the other.

\x1b[1mExit codes\x1b[0m  0 success; 1 an output does not match; 2 the job is unusable;
3 the kernel faulted";

/// Command line of `launch`.
#[derive(Clone, Debug, Parser)]
#[command(name = "launch", bin_name = "launch", version, about = ABOUT, after_help = EXAMPLES, max_term_width = 80)]
struct Args {
    /// Job files, which run independently
    #[arg(required = true, value_name = "JOB.toml")]
    jobs: Vec<PathBuf>,

    /// Device that runs the kernels: `auto` is the GPU if its driver is installed, else the embedded device
    #[arg(long, value_enum, default_value_t, value_name = "WHERE")]
    device: DeviceChoice,

    /// Chip that the embedded device models
    #[arg(long, default_value = CHIP, value_name = "CHIP")]
    arch: String,

    #[allow(rustdoc::invalid_html_tags, reason = "it is the text of --help too")]
    /// Write every output as raw bytes to DIR/<name>.bin, or with several jobs to DIR/<job>/<name>.bin
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write the outputs of --out as NumPy files, NAME.npy
    #[arg(long, requires = "out")]
    npy: bool,

    /// Write the outputs below DIR, to the files with which the job would compare them, and compare nothing
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,

    /// Write the run as JSON, or an array of runs for several jobs; `-` is standard output, and the text then goes to
    /// standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Run blocks one after the other, so that atomics always happen in the same order (embedded device)
    #[arg(long)]
    deterministic: bool,

    #[command(flatten)]
    checks: CheckArgs,

    /// Continue after a fault, and report all of them, each once with how often it was found (embedded device): a thread
    /// that cannot make an access exits, and the others continue
    #[arg(long)]
    keep_going: bool,

    /// Report how many elements of each output nothing has written, and the first of them (embedded device)
    #[arg(long)]
    unwritten: bool,

    /// Report how many elements of each buffer that begins with contents no kernel and no copy has read, and the first of
    /// them (embedded device)
    #[arg(long)]
    unread: bool,

    /// Also count what the chip executes for the PTX, as Nsight Compute would: ptxas predicates short branches, merges
    /// neighbouring accesses, and lets one lane do what all do at one address (embedded device)
    #[arg(long)]
    executed: bool,

    /// Show the counters of each source line, the mix of instructions, and where this machine's time went; in the JSON
    /// `instruction_mix` and `host_time_ms`, all that differs from run to run (embedded device)
    #[arg(long)]
    profile: bool,

    /// Run nothing: list all that the embedded device does not support in the module, and check each launch. The job may
    /// be a module alone, a .ptx or .cu
    #[arg(long, conflicts_with_all = ["record", "out", "profile"])]
    dry_run: bool,

    /// Compiler of modules that are a .cu
    #[arg(long, default_value_t, value_parser = compilers(), value_name = "WHICH")]
    compiler: Compiler,

    #[command(flatten)]
    options: CompilerOptions,

    #[command(flatten)]
    limits: LaunchLimits,

    /// Total memory of a job's buffers (embedded device), such as 512M or 4G
    #[arg(long, default_value = "4G", value_parser = size, value_name = "BYTES")]
    memory: u64,
}

/// Entry point of the binary.
pub fn main() -> ExitCode {
    let code = match Args::try_parse_from(program::with_dashes(program::args())) {
        Ok(args) => all(&args).map_or_else(|error| exit::fail("launch", &error), ExitCode::from),
        Err(error) => program::usage(&error),
    };
    program::end("launch", code)
}

/// Choice of the device.
enum OpenedDevice {
    /// One for all jobs, since opening it takes a third of a second.
    Gpu(Box<Gpu>),
    /// A new one for each job.
    Embedded,
}

/// The chosen device, and for `auto` the reason for the choice.
fn place(args: &Args) -> Result<(OpenedDevice, Option<String>)> {
    checked(args)?;
    Ok(match args.device {
        DeviceChoice::Simt => (OpenedDevice::Embedded, None),
        DeviceChoice::Gpu => {
            embedded_alone(args)?;
            (OpenedDevice::Gpu(Box::new(Gpu::new(0)?)), None)
        }
        DeviceChoice::Auto => match Gpu::new(0) {
            Ok(gpu) => {
                embedded_alone(args)?;
                (OpenedDevice::Gpu(Box::new(gpu)), None)
            }
            Err(device::Error::NoGpu { reason }) => {
                // One line: what the driver says first.
                let reason = reason.lines().next().unwrap_or_default();
                (OpenedDevice::Embedded, Some(format!("no GPU can be used: {reason}")))
            }
            Err(error) => (OpenedDevice::Embedded, Some(error.to_string())),
        },
    })
}

/// Refuses options that only the embedded device has, rather than ignore them.
fn embedded_alone(args: &Args) -> Result<()> {
    let asked = [
        ("--deterministic", args.deterministic),
        (args.checks.flag().unwrap_or_default(), args.checks.flag().is_some()),
        ("--keep-going", args.keep_going),
        ("--unwritten", args.unwritten),
        ("--unread", args.unread),
        ("--executed", args.executed),
        ("--profile", args.profile),
        ("--dry-run", args.dry_run),
        ("--budget", args.limits.budget.is_some()),
    ];
    match asked.iter().find(|(_, asked)| *asked) {
        Some((flag, _)) => bail!("{flag}: only the embedded device can do that; add --device simt"),
        None => Ok(()),
    }
}

/// Refuses what checks that were left out are needed for.
fn checked(args: &Args) -> Result<()> {
    if args.unwritten && !args.checks.checks().uninitialised {
        bail!("--unwritten: it needs the check `uninitialised`, which is turned off");
    }
    Ok(())
}

fn embedded(args: &Args) -> Result<Embedded, device::Error> {
    let mut device = Embedded::new(&args.arch)?;
    args.limits.apply(&mut device);
    let options = device.options();
    options.deterministic = args.deterministic;
    options.checks = args.checks.checks();
    options.keep_going = args.keep_going;
    options.executed = args.executed;
    options.profile = args.profile;
    Ok(device)
}

fn all(args: &Args) -> Result<u8> {
    let words = args.options.words();
    let flags = Flags::parse(words.iter().map(String::as_str)).map_err(anyhow::Error::msg)?;
    let mut claims = Claims::default();
    if let Some(path) = args.json.as_deref().filter(|path| *path != Path::new("-")) {
        claims.writes(path, "the JSON").map_err(|e| Error::unwritable(path, &e))?;
    }
    let folders = folders(&args.jobs);
    let several = args.jobs.len() > 1;
    let to_stderr = args.json.as_deref() == Some(Path::new("-"));
    let say = if to_stderr { program::tell } else { program::say };

    let (place, why) = match place(args).and_then(|found| Ok((embedded(args)?, found))) {
        Ok((_, found)) => found,
        Err(error) => {
            // Anyone who reads the JSON learns of it there too.
            let without = |job: &PathBuf| {
                let mut json = Report::default().json(several.then_some(job.as_path()));
                json.error = Some(format!("{error:#}"));
                json
            };
            write_json(args, &args.jobs.iter().map(without).collect::<Vec<_>>())?;
            return Err(error);
        }
    };
    if let Some(why) = &why {
        say(&format!("{}\n", visible_lines(why)));
    }
    let mut place = place;
    let mut code = 0;
    // Shared with the thread that ends the process if a GPU's kernel does not end.
    let runs = Arc::new(Mutex::new(Vec::new()));
    if let OpenedDevice::Gpu(gpu) = &mut place {
        let (args, runs) = (args.clone(), Arc::clone(&runs));
        args.limits.watch(gpu, move |error| gave_up(&args, &runs, error));
    }
    for (path, name) in args.jobs.iter().zip(&folders) {
        let settings = Settings {
            out: args.out.as_ref().map(|out| if several { out.join(name) } else { out.clone() }),
            npy: args.npy,
            record: args.record.clone(),
            memory: args.memory,
            keep_going: args.keep_going,
            unwritten: args.unwritten,
            unread: args.unread,
            keeps_account: args.checks.checks().uninitialised,
            finite: args.checks.checks().not_finite,
            compiler: args.compiler,
            flags: flags.clone(),
        };
        let (report, dry_run) = one(args, path, &mut place, &settings, &mut claims)?;
        let on = if report.device.is_empty() { String::new() } else { format!(" on {}", report.device) };
        let head = visible(&format!("{}{on}", path.display())).into_owned();
        let findings = dry_run.as_ref().map(DryRun::text).unwrap_or_default();
        say(&format!("{head}\n{}{findings}", text::report(&report)));
        // As errors are, faults are for standard error.
        let reported = text::faults(&report);
        program::tell(&names::readable(&reported));
        if let Some(error) = &report.error {
            // Were stderr closed, the exit code would still say it.
            let reported = error.to_string();
            program::tell(&format!("launch: {}\n", visible_lines(&names::readable(&reported))));
            if let Some(error) = error.of_device()
                && let Some(advice) = cli::advice(error)
            {
                program::tell(&format!("  {advice}\n"));
            }
        }
        code = code.max(report.exit_code());
        let mut json = report.json(several.then_some(path.as_path()));
        json.host_time_ms = host_time::json(&report)?;
        json.dry_run = dry_run.map(|dry_run| dry_run.json()).transpose()?;
        locked(&runs).push(json);
    }
    write_json(args, &locked(&runs))?;
    Ok(code)
}

fn locked(runs: &Mutex<Vec<Json>>) -> MutexGuard<'_, Vec<Json>> {
    // Anyone who holds it only adds to it.
    runs.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process where a kernel on a GPU does not end: what ran before, and this, is in the JSON.
fn gave_up(args: &Args, runs: &Mutex<Vec<Json>>, error: device::Error) {
    let mut runs = locked(runs);
    let job = args.jobs.get(runs.len()).filter(|_| args.jobs.len() > 1);
    runs.push(Report::unusable("", error.clone().into()).json(job.map(PathBuf::as_path)));
    if let Err(error) = write_json(args, &runs) {
        exit::fail("launch", &error);
    }
    exit::give_up("launch", error)
}

fn one(
    args: &Args,
    path: &Path,
    place: &mut OpenedDevice,
    settings: &Settings,
    claims: &mut Claims,
) -> Result<(Report, Option<DryRun>)> {
    let expected = match (&args.record, args.dry_run) {
        (Some(_), _) => Expected::Record,
        (None, true) => Expected::DryRun,
        (None, false) => Expected::Compare,
    };
    let job = match Job::read(path, expected) {
        Ok(job) => job,
        Err(error) => return Ok((Report::unusable("", error), None)),
    };
    if let Err(error) = destinations::claim(&job, settings, claims) {
        return Ok((Report::unusable("", error), None));
    }
    let spinner = Spinner::new();
    let mut watch = |what: &str| spinner.begin(what);
    Ok(match place {
        OpenedDevice::Gpu(gpu) => (run(&job, gpu.as_mut() as &mut dyn Device, settings, &mut watch), None),
        OpenedDevice::Embedded if args.dry_run => {
            let (report, findings) = dry_run(&job, &mut embedded(args)?, settings, &mut watch);
            (report, Some(findings))
        }
        OpenedDevice::Embedded => {
            let mut device = embedded(args)?;
            device.options().checks.unread = args.unread || job.buffers.iter().any(|buffer| buffer.read);
            device.options().checks.not_finite |= job.outputs.iter().any(|output| output.finite);
            (run(&job, &mut device, settings, &mut watch), None)
        }
    })
}

/// A folder for each job: its file's name without `.toml`, numbered where that is taken.
fn folders(jobs: &[PathBuf]) -> Vec<String> {
    let mut taken = HashSet::new();
    let stem = |job: &PathBuf| job.file_stem().map_or("job".into(), |s| s.to_string_lossy().into_owned());
    jobs.iter()
        .map(|job| {
            let first = stem(job);
            let mut name = first.clone();
            let mut n = 2;
            while !taken.insert(name.clone()) {
                name = format!("{first}-{n}");
                n += 1;
            }
            name
        })
        .collect()
}

fn write_json(args: &Args, runs: &[Json]) -> Result<()> {
    let Some(path) = args.json.as_deref() else { return Ok(()) };
    let text = match runs {
        [run] => serde_json::to_string_pretty(run),
        runs => serde_json::to_string_pretty(runs),
    };
    let text = text.context("this run could not be written as JSON; please report it")? + "\n";
    if path == Path::new("-") {
        program::put(text.as_bytes());
        Ok(())
    } else {
        Ok(files::write(path, text.as_bytes()).map_err(|e| Error::unwritable(path, &e))?)
    }
}

/// `1024`, `512M`, `4G`.
fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let value = digits.parse::<u64>().ok().and_then(|v| v.checked_mul(1 << shift));
    value.ok_or_else(|| "expected bytes, such as 1000000, 512M or 4G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn what_a_gpu_cannot_do_is_refused_there() {
        for flag in [
            "--deterministic",
            "--no-checks",
            "--check=races",
            "--no-check=races",
            "--keep-going",
            "--unwritten",
            "--unread",
            "--executed",
            "--profile",
            "--dry-run",
            "--budget=5",
        ] {
            let reported = Args::try_parse_from(["launch", "a.toml", flag]).map(|args| embedded_alone(&args));
            let reported = reported.map(|reported| reported.map_err(|error| error.to_string()));
            assert!(
                matches!(&reported, Ok(Err(why)) if why.contains("--device simt")),
                "{flag}: {reported:?}"
            );
        }
        let plain = Args::try_parse_from(["launch", "a.toml", "--time-limit=5"]);
        assert!(plain.is_ok_and(|args| embedded_alone(&args).is_ok()));
    }

    #[test]
    fn sizes_have_binary_suffixes() {
        assert_eq!((size("7"), size("2K"), size("3G")), (Ok(7), Ok(2048), Ok(3 << 30)));
        for bad in ["", "G", "-1", "1T", "99999999999G", "é"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn jobs_of_one_name_get_folders_of_their_own() {
        let jobs = ["a/x.toml", "b/x.toml", "y.toml", "x-2.toml"].map(PathBuf::from);
        assert_eq!(folders(&jobs), ["x", "x-2", "y", "x-2-2"]);
    }
}
