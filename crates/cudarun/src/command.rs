//! The command line of `cudarun`.
//!
//! Enters: arguments. Leaves: a program's run, and its exit code. This module must never know how a program is run.

use crate::interpreter::Interpreter;
use crate::reports::Reports;
use anyhow::Context;
use clap::Parser;
use cuda::{Header, Options};
use hostrun::{Limits, ProgramRecord};
use runtime::library;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Most bytes of a source.
const MOST_BYTES: u64 = 16 << 20;

/// Ends of the command line's help.
const EXAMPLES: &str = "\
Examples:
  cudarun sum.cu                   compile and run a program, kernels on the embedded device
  cudarun sum.cu -- 1024 7         with arguments of its own
  cudarun blur.cu --folder images  it may read and write the files of a folder
  cudarun -D N=64 -I include sum.cu
                                   with a macro and a folder of headers
  cudarun sum.cu --check --leaks   report races and what was never freed, too
  cudarun sum.cu --profile=sum.svg times as nvprof printed them, and what each stream did, drawn
  cudarun sum.cu --counters        requests, sectors, bank conflicts of each launch
  cudarun sum.cu --device gpu      the same program, kernels on an NVIDIA GPU

The exit code is the program's: 139, 136, 134 or 132 where a signal ended it. It is 1 where the
program does not compile or a limit ended it, and 2 for a command line or file that cannot be used.";

/// Compile and run a whole CUDA program, `main` too: no toolkit, no compiler, no GPU
#[derive(Parser)]
#[command(name = "cudarun", version, after_help = EXAMPLES)]
struct Arguments {
    /// The program's source
    file: PathBuf,
    /// Arguments of the program
    #[arg(last = true)]
    arguments: Vec<String>,
    /// Folder below which the program may read and write files [default: none]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    reports: Reports,
    /// Define a macro, as `-D` of nvcc does
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Folder with headers, after that of the source
    #[arg(short = 'I', value_name = "FOLDER")]
    headers: Vec<PathBuf>,
    /// Report memory that was never freed
    #[arg(long)]
    leaks: bool,
}

/// Runs the program of the command line.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return program::usage(&error),
    };
    match start(arguments) {
        Ok(code) => code,
        Err(error) => {
            program::tell(&format!("error: {error:#}\n"));
            program::Exit::Unusable.into()
        }
    }
}

fn start(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let path = &arguments.file;
    let text =
        files::read_text(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let own = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let include = |name: &str| -> Option<Header> {
        let mut folders = std::iter::once(&own).chain(&arguments.headers);
        folders.find_map(|folder| files::read_text(&folder.join(name), MOST_BYTES).ok()).map(Header::from)
    };
    let name = path.display().to_string();
    arguments.reports.check_files()?;
    let device = arguments.reports.device()?;
    let arch = cuda::Arch { number: device.description().capability(), suffix: None };
    let defines = arguments.defines.iter().map(|one| match one.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (one.clone(), "1".to_owned()),
    });
    let options = Options { arch, defines: defines.collect(), ..Options::default() };
    let sides = match hostrun::compile(&name, &text, &include, &options) {
        Ok(sides) => sides,
        Err(failure) => {
            program::tell(&cuda::diagnostic::render(&failure.diagnostics, &failure.sources, true));
            return Ok(ExitCode::from(1));
        }
    };
    let mut words = vec![name];
    words.extend(arguments.arguments.iter().cloned());
    let files: Box<dyn library::FileSystem> = match &arguments.folder {
        Some(folder) => Box::new(library::Folder::new(folder.clone(), true)),
        None => Box::new(library::NoFiles),
    };
    let options = library::Options {
        arguments: words,
        environment: vec![],
        files,
        input: Box::new(std::io::stdin()),
        output: Box::new(library::Process),
        clock: library::Clock::new(library::Source::Modelled),
        limits: library::Limits::default(),
    };
    let limits = Limits { leaks: arguments.leaks, ..Limits::default() };
    let title = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let outcome = hostrun::run(&sides, &Interpreter, device, options, limits)?;
    let findings = hostrun::diagnostics(&outcome, &sides);
    if !findings.is_empty() {
        program::tell(&cuda::diagnostic::render(&findings, &sides.host.sources, true));
    }
    arguments.reports.write(&ProgramRecord::of(&outcome, &sides), &title)?;
    Ok(ExitCode::from(outcome.ended.code()))
}
