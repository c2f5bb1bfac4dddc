//! The command line of `cudarun`.
//!
//! Enters: arguments. Leaves: a program's run, and its exit code. This module must never know how a program is run.

use crate::nvcc::Nvcc;
use crate::reports::Reports;
use crate::{flags, sources};
use clap::Parser;
use hostrun::{Limits, ProgramRecord};
use interpreter::Interpreter;
use runtime::library;
use std::path::PathBuf;
use std::process::ExitCode;

/// Ends of the command line's help.
const EXAMPLES: &str = "\
Examples:
  cudarun sum.cu                   compile and run a program, kernels on the embedded device
  cudarun sum.cu -- 1024 7         with arguments of its own
  cudarun main.cu kernels.cu io.cpp
                                   of several files, which are linked in this order
  cudarun -rdc=true main.cu math.cu
                                   with kernels that use device code of another file
  cudarun -DN=64 -I include -arch=sm_80 -O3 sum.cu
                                   with a macro, a folder of headers, and other flags of nvcc
  cudarun blur.cu --folder images  it may read and write the files of a folder
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
    /// The program's files: .cu, .cpp, .cc, .cxx or .c
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Arguments of the program
    #[arg(last = true)]
    arguments: Vec<String>,
    /// Folder below which the program may read and write files [default: none]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    reports: Reports,
    /// Report memory that was never freed
    #[arg(long)]
    leaks: bool,
    #[command(flatten)]
    nvcc: Nvcc,
}

/// Runs the program of the command line.
pub fn main() -> ExitCode {
    let words = match flags::translated(program::args()) {
        Ok(words) => words,
        Err(why) => return unusable(&why),
    };
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => return program::usage(&error),
    };
    match start(arguments) {
        Ok(code) => code,
        Err(error) => unusable(&format!("{error:#}")),
    }
}

fn unusable(why: &str) -> ExitCode {
    program::tell(&format!("error: {why}\n"));
    program::Exit::Unusable.into()
}

fn start(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let nvcc = &arguments.nvcc;
    arguments.reports.check_files()?;
    let device = arguments.reports.device()?;
    let description = device.description();
    let arch = cuda::Arch { number: description.capability(), suffix: None };
    let options = nvcc.options(arch, &description.name)?;
    let folders: Vec<PathBuf> = nvcc.headers.iter().chain(&nvcc.system_headers).map(PathBuf::from).collect();
    let files = sources::read(&arguments.files, &folders, options.language.is_some())?;
    let sides = match files.compiled(&options) {
        Ok(sides) => sides,
        Err(failure) => {
            program::tell(&cuda::diagnostic::render(&failure.diagnostics, &failure.sources, true));
            return Ok(ExitCode::from(1));
        }
    };
    if !nvcc.quiet {
        program::tell(&hostrun::warnings(&sides));
    }
    let name = match &nvcc.output {
        Some(name) => name.clone(),
        None => files.name().to_owned(),
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
    let first = arguments.files.first().and_then(|path| path.file_name());
    let title = first.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let outcome = hostrun::run(&sides, &Interpreter, device, options, limits)?;
    let findings = hostrun::diagnostics(&outcome, &sides);
    if !findings.is_empty() {
        program::tell(&cuda::diagnostic::render(&findings, &sides.host.sources, true));
    }
    arguments.reports.write(&ProgramRecord::of(&outcome, &sides), &title)?;
    Ok(ExitCode::from(outcome.ended.code()))
}
