//! The command line.
//!
//! Enters: arguments. Leaves: a call of the session, and an exit code.

use crate::session::Session;
use crate::submit::{self, Asked};
use crate::{terminal, watch, words};
use anyhow::Result;
use clap::{Parser, Subcommand};
use cli::{DeviceChoice, LaunchLimits, exit};
use device::{Device, Gpu};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Exercises on CUDA's memories: change a kernel, save it, and see at once whether it is right and what it costs
///
/// Without a command it watches: it checks the current exercise whenever its file is saved, and goes on to the next when
/// you press n. The keys are those of rustlings: n next, h hint, l list, c check all, x reset, r run again, q quit.
///
/// No GPU is needed: kernels run on the embedded device, which counts what the hardware would.
#[derive(Debug, Parser)]
#[command(
    name = "workbook",
    after_help = "Examples:
  workbook                       start, or go on where you were
  workbook list                  all exercises, and which are done
  workbook run uniform_taps      check one exercise
  workbook hint                  the next hint for the current exercise
  workbook quiz constant-memory  questions on a chapter
  workbook quiz --words          questions to be answered in words
  workbook check-all             check all exercises
  workbook reset uniform_taps    begin an exercise anew
  workbook submit                write one file with all of it, to hand in
  workbook --device gpu          also run your kernels on the GPU

Exit codes: 0 passed, 1 not yet, 2 it does not compile or the arguments are wrong, 3 the kernel faulted"
)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Where kernels run besides the embedded device, which finds faults and counts: results must be right there too
    #[arg(long, global = true, value_name = "DEVICE", default_value = "simt")]
    device: DeviceChoice,

    /// Folder of your exercises; what is missing in it is made, and what is there is never replaced
    #[arg(long, global = true, default_value = "exercises", value_name = "DIR")]
    dir: PathBuf,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List all exercises, and which are done
    List,
    /// Check an exercise once
    Run {
        /// Name of the exercise; the current one if left out
        name: Option<String>,
    },
    /// Check all exercises, and go to the first that does not pass
    CheckAll,
    /// Show the next of three hints, for what was found last
    Hint {
        /// Name of the exercise; the current one if left out
        name: Option<String>,
    },
    /// Show the workbook's own solution of an exercise that you have passed
    Solution {
        /// Name of the exercise; the current one if left out
        name: Option<String>,
    },
    /// Ask the book's questions, whose answers are values of its records
    Quiz {
        /// Name of a chapter's page, such as constant-memory; all chapters if left out
        chapter: Option<String>,

        /// The questions to be answered in words: a text file for each, in the folder `answers` of your exercises
        #[arg(long)]
        words: bool,
    },
    /// Write one file with your answers, exercises and records, to hand in
    ///
    /// The file is text that you can read. It holds what you chose in questions, your answers in words, the sources of the
    /// exercises that you have begun, and the records of the labs that you have run in this workbook. Write it anew
    /// whenever you have gone on.
    #[command(after_help = SUBMIT)]
    Submit(Asked),
    /// Begin an exercise anew; your file is kept beside it with the ending `.old`
    Reset {
        /// Name of the exercise
        name: String,
    },
}

const SUBMIT: &str = "\
Examples:
  workbook submit --name 'Ada Lovelace' --id s1815
  workbook submit                who you are is remembered
  workbook submit --out ada.toml

Exit codes: 0 written, 2 not written: the reason says what to do";

/// Runs the program: what the binary's `main` calls.
pub fn main() -> ExitCode {
    main_with(std::env::args_os())
}

/// Runs the program with a command line, whose first word is its name.
pub fn main_with(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) => return exit::usage(&error),
    };
    run(&args).unwrap_or_else(|error| exit::fail("workbook", &error))
}

fn run(args: &Args) -> Result<ExitCode> {
    let session = || Session::open(&args.dir, gpu(args.device)?);
    let code = match &args.command {
        None if terminal::is_there() => watch::watch(&mut session()?)?,
        // Without a terminal there are no keys, and nobody to watch for.
        None => session()?.run(None)?,
        Some(Command::List) => session()?.list()?,
        Some(Command::Run { name }) => session()?.run(name.as_deref())?,
        Some(Command::CheckAll) => session()?.check_all_once()?,
        Some(Command::Hint { name }) => session()?.hint(name.as_deref())?,
        Some(Command::Solution { name }) => session()?.solution(name.as_deref())?,
        Some(Command::Quiz { chapter, words: true }) => words::quiz(&args.dir, chapter.as_deref())?,
        Some(Command::Quiz { chapter, words: false }) => session()?.quiz(chapter.as_deref())?,
        Some(Command::Reset { name }) => session()?.reset(name)?,
        Some(Command::Submit(asked)) => submit::submit(&args.dir, asked)?,
    };
    Ok(ExitCode::from(code))
}

/// The GPU that was asked for; none where the embedded device is enough.
fn gpu(choice: DeviceChoice) -> Result<Option<Box<dyn Device>>> {
    let opened = match choice {
        DeviceChoice::Simt => return Ok(None),
        DeviceChoice::Gpu => Gpu::new(0)?,
        DeviceChoice::Auto => match Gpu::new(0) {
            Ok(gpu) => gpu,
            Err(_) => return Ok(None),
        },
    };
    let mut gpu = Box::new(opened);
    LaunchLimits::default().watch(&mut gpu, |error| {
        terminal::restore();
        exit::give_up("workbook", error);
    });
    Ok(Some(gpu))
}
