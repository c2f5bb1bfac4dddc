//! The command line.
//!
//! Enters: arguments. Leaves: a call of the session, and an exit code.

use crate::command_lines::Typed;
use crate::session::Session;
use crate::submit::{self, SubmitArgs};
use crate::{terminal, watch, written_answers};
use anyhow::{Context as _, Result};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum as _};
use cli::{DeviceChoice, LaunchLimits, exit};
use device::{Device, Gpu};
use exercise::{Packed, Task};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where kernels run if nothing else is asked for.
const DEVICE: DeviceChoice = DeviceChoice::Simt;
/// And where exercises are.
const FOLDER: &str = "exercises";

/// Exercises on CUDA's memories: change a kernel, save it, and see at once whether it is right and what it costs
///
/// Without a command it watches: it checks the current exercise whenever its file is saved, and continues with the next
/// when you press n. The keys are those of rustlings: n next, h hint, l list, c check all, x reset, r run again, q quit.
///
/// No GPU is needed: kernels run on the embedded device, which counts what the hardware would.
#[derive(Debug, Parser)]
#[command(name = "workbook")]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Where kernels run in addition to the embedded device, which finds faults and counts: results must be right there too
    #[arg(long, global = true, value_name = "DEVICE", default_value_t = DEVICE, value_enum)]
    device: DeviceChoice,

    /// Folder of your exercises; missing files are created, and existing ones are never replaced
    #[arg(long, global = true, default_value = FOLDER, value_name = "DIR")]
    dir: PathBuf,

    /// Folder of your course's own exercises, which follow the workbook's: exercises.toml, and NAME.cu for each
    #[arg(long, global = true, value_name = "DIR")]
    course: Option<PathBuf>,
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
    /// Show the next of three hints on what was found last
    Hint {
        /// Name of the exercise; the current one if left out
        name: Option<String>,
    },
    /// Show the workbook's own solution of an exercise that you have passed, and what it and your version cost
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
    /// exercises that you have begun, and the records of the labs that you have run in this workbook. Write it
    /// again whenever you have done more.
    Submit(SubmitArgs),
    /// Start an exercise over; your file is kept next to it with the ending `.old`
    Reset {
        /// Name of the exercise
        name: String,
    },
}

const EXAMPLES: &[(&str, &str)] = &[
    ("", "start, or continue where you were"),
    ("list", "all exercises, and which are done"),
    ("run uniform_taps", "check one exercise"),
    ("hint", "the next hint for the current exercise"),
    ("quiz constant-memory", "questions on a chapter"),
    ("quiz --words", "questions to be answered in words"),
    ("check-all", "check all exercises"),
    ("reset uniform_taps", "start an exercise over"),
    ("submit", "write all your work to one file, to hand in"),
    ("--device gpu", "also run your kernels on the GPU"),
];

const EXIT_CODES: &str =
    "Exit codes: 0 passed, 1 not yet, 2 it does not compile or the arguments are wrong, 3 the kernel faulted";

const SUBMIT: &[(&str, &str)] = &[
    ("submit --name 'Ada Lovelace' --id s1815", ""),
    ("submit", "your name is remembered"),
    ("submit --out ada.toml", ""),
];

const SUBMIT_CODES: &str = "Exit codes: 0 written, 2 not written: the reason says what to do";

/// Runs the program: what the binary's `main` calls.
pub fn main() -> ExitCode {
    main_with(program::args())
}

/// Runs the program with a command line, whose first word is its name.
pub fn main_with(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut command = command(&Typed::here(vec![]));
    let args = command.try_get_matches_from_mut(words);
    let args =
        args.and_then(|args| Args::from_arg_matches(&args).map_err(|error| error.format(&mut command)));
    let code = match args {
        Ok(args) => run(&args).unwrap_or_else(|error| exit::fail("workbook", &error)),
        Err(error) => program::usage(&error),
    };
    program::end("workbook", code)
}

/// The command line, with help that calls the program as the reader does.
fn command(typed: &Typed) -> clap::Command {
    let help = |examples, codes| format!("{}\n\n{codes}", typed.examples(examples));
    let submit = help(SUBMIT, SUBMIT_CODES);
    Args::command()
        .bin_name(typed.program())
        .after_help(help(EXAMPLES, EXIT_CODES))
        .mut_subcommand("submit", |command| command.after_help(submit))
}

impl Args {
    /// The program with those flags that are not as they would be without them.
    fn typed(&self) -> Typed {
        let mut flags = vec![];
        if let Some(device) = self.device.to_possible_value().filter(|_| self.device != DEVICE) {
            flags.extend(["--device".to_owned(), device.get_name().to_owned()]);
        }
        if self.dir != Path::new(FOLDER) {
            flags.extend(["--dir".to_owned(), self.dir.display().to_string()]);
        }
        if let Some(course) = &self.course {
            flags.extend(["--course".to_owned(), course.display().to_string()]);
        }
        Typed::here(flags)
    }

    /// The exercises: the workbook's, then the course's.
    fn tasks(&self) -> Result<Vec<Task>> {
        let mut tasks = exercise::all().map_err(anyhow::Error::msg)?;
        if let Some(folder) = &self.course {
            let read = || {
                let files = files::read_texts(folder, &[".toml", ".cu"], record::MOST_BYTES)?;
                Packed::of_course(files).and_then(Packed::tasks).map_err(anyhow::Error::msg)
            };
            tasks.extend(read().with_context(|| format!("--course {}", folder.display()))?);
        }
        Ok(tasks)
    }
}

fn run(args: &Args) -> Result<ExitCode> {
    let typed = args.typed();
    let session = || Session::open(&args.dir, args.tasks()?, gpu(args.device)?, typed.clone());
    let exit = match &args.command {
        None if terminal::is_there() => watch::watch(&mut session()?)?,
        // Without a terminal there are no keys, and no student to watch for.
        None => session()?.run(None)?,
        Some(Command::List) => session()?.list()?,
        Some(Command::Run { name }) => session()?.run(name.as_deref())?,
        Some(Command::CheckAll) => session()?.check_all_once()?,
        Some(Command::Hint { name }) => session()?.hint(name.as_deref())?,
        Some(Command::Solution { name }) => session()?.solution(name.as_deref())?,
        Some(Command::Quiz { chapter, words: true }) => {
            written_answers::quiz(&args.dir, chapter.as_deref(), &typed)?
        }
        Some(Command::Quiz { chapter, words: false }) => session()?.quiz(chapter.as_deref())?,
        Some(Command::Reset { name }) => session()?.reset(name)?,
        Some(Command::Submit(asked)) => submit::submit(&args.dir, args.tasks()?, asked, &typed)?,
    };
    Ok(exit.into())
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
