//! Running a lab again: each run in a process of its own.
//!
//! Enters: what a record says was run. Leaves: the record of the same run on the embedded device, or why there is none. The
//! same request gives the same answer, so that each is made once however many students ask for it: instructions and memory
//! are counted, and whatever a clock or the machine ended says that it is no answer.

use crate::rules::Limits;
use crate::status::Status;
use crate::text;
use crate::workbook;
use labs::Relation;
use record::{Device, Parameter, Record};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead as _, Read as _, Write as _};
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The first argument of a process that makes one re-run. Not for anybody's use: it reads a request and writes an answer.
pub(crate) const CHILD: &str = "--rerun-of-one-record";

/// More than any GPU has; a plan may be as large as this.
const MOST_MULTIPROCESSORS: u32 = 1024;

/// A re-run. Only what a lab takes from a record is in it, so that records which ask for the same are the same request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    lab: String,
    chip: String,
    /// Of a GPU whose launches are to be repeated; the chip's own without.
    host: Option<u32>,
    /// The lab's sizes, and whether it was quick.
    parameters: BTreeMap<String, Parameter>,
    seed: u64,
    memory_bytes: u64,
    instructions: u64,
}

/// A request as text: the same text, the same run.
pub(crate) type Key = String;

/// Why there is no re-run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    /// Safe to show.
    pub(crate) why: String,
}

impl Failure {
    fn not_rerun(why: String) -> Failure {
        Failure { status: Status::NotRerun, why }
    }

    fn not_graded(why: String) -> Failure {
        Failure { status: Status::NotGraded, why }
    }
}

/// A re-run's record, and what it takes to compare another with it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) record: Record,
    /// Of each point, in the order of the record.
    pub(crate) relations: Vec<Relation>,
    /// Id and text of the checks that only a GPU makes in good time.
    pub(crate) left_out: Vec<(String, String)>,
    /// Warp instructions that it took.
    pub(crate) instructions: u64,
}

impl Answer {
    /// Warp instructions of a re-run; of one that could not be made, all that it was allowed.
    pub(crate) fn cost(answer: &Result<Answer, Failure>, limits: &Limits) -> u64 {
        answer.as_ref().map_or(limits.instructions, |answer| answer.instructions)
    }
}

/// How re-runs are made.
pub(crate) struct Runner<'a> {
    /// The program that makes them: this one.
    pub(crate) program: &'a Path,
    /// Of one re-run, as a safety net.
    pub(crate) limit: Duration,
    /// Threads of each.
    pub(crate) threads: usize,
    /// Set where all are to end.
    pub(crate) interrupted: &'a AtomicBool,
}

/// The re-run that the record asks for, with another seed where one is given.
///
/// # Errors
/// A lab or a size that there is not.
pub(crate) fn request(record: &Record, seed: Option<u64>, limits: &Limits) -> Result<Key, Failure> {
    let Some(lab) = workbook::lab(&record.lab) else {
        let labs = workbook::names().join(", ");
        let why = format!("there is no lab {}; there are {labs}", text::code(&record.lab));
        return Err(Failure { status: Status::UnknownLab, why });
    };
    let no = |why: &dyn std::fmt::Display| {
        Err(Failure::not_rerun(format!("it cannot be run again: {}", text::code(&format!("{why:#}")))))
    };
    let (chip, host) = match &record.device {
        Device::Simt { chip, .. } => (chip.as_str(), None),
        Device::Gpu { multiprocessors, .. } if (1..=MOST_MULTIPROCESSORS).contains(multiprocessors) => {
            // As the labs count beside a GPU.
            (labs::CHIP, Some(*multiprocessors))
        }
        Device::Gpu { multiprocessors, .. } => {
            return no(&format_args!("no GPU has {multiprocessors} multiprocessors"));
        }
    };
    let asked = match labs::Request::from_parameters(lab.sizes, &record.parameters, seed) {
        Ok(asked) => asked,
        Err(error) => return no(&error),
    };
    let seed = asked.seed;
    let mut parameters = asked.parameters();
    parameters.remove("seed");
    let request = Request {
        lab: lab.name.to_owned(),
        chip: chip.to_owned(),
        host,
        parameters,
        seed,
        memory_bytes: limits.memory_bytes,
        instructions: limits.instructions,
    };
    serde_json::to_string(&request).or_else(|error| no(&error))
}

/// What a child says.
#[derive(Serialize, Deserialize)]
enum Said {
    Answer(Box<Answer>),
    Refused(String),
}

/// Ends the process however it is left.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        // Both fail where the process has ended and was waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How often it is looked whether all re-runs are to end.
const LOOK: Duration = Duration::from_millis(100);

impl Runner<'_> {
    /// Makes one re-run.
    ///
    /// # Errors
    /// The lab refuses such a run, which it does every time; or the run was ended before it said anything.
    pub(crate) fn run(&self, request: &str) -> Result<Answer, Failure> {
        let bytes = self.said(request)?;
        match serde_json::from_slice(&bytes) {
            Ok(Said::Answer(answer)) => Ok(*answer),
            Ok(Said::Refused(why)) => {
                Err(Failure::not_rerun(format!("it cannot be run again: {}", text::code(&why))))
            }
            Err(_) => {
                Err(Failure::not_graded("the re-run was ended from outside; grade it again".to_owned()))
            }
        }
    }

    fn said(&self, request: &str) -> Result<Vec<u8>, Failure> {
        let failed = |why: String| Failure::not_graded(format!("the re-run could not be made: {why}"));
        let io = |error: std::io::Error| failed(text::code(&error.to_string()));
        let end = Instant::now() + self.limit;
        let child = Command::new(self.program)
            .arg(CHILD)
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(io)?;
        let mut child = Ending(child);
        let (Some(mut stdin), Some(mut stdout)) = (child.0.stdin.take(), child.0.stdout.take()) else {
            return Err(failed("it has no pipes".to_owned()));
        };
        // A child that ended at once does not read; its answer, or the lack of one, says so.
        let _ = stdin.write_all(request.as_bytes()).and_then(|()| stdin.write_all(b"\n"));
        let (send, received) = channel();
        std::thread::spawn(move || {
            let mut answer = Vec::new();
            let read = stdout.read_to_end(&mut answer).map(|_| answer);
            // Nobody waits any more if the time is up.
            let _ = send.send(read);
        });
        // `stdin` is held open until here: a child whose parent is gone reads the end of it and ends too.
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match received.recv_timeout(left.min(LOOK)) {
                Ok(answer) => return answer.map_err(io),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(failed("its output could not be read".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if self.interrupted.load(Ordering::Relaxed) => {
                    return Err(failed("grading was interrupted".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(Failure::not_graded(format!(
                        "the re-run did not end within {} s; grade it again, with more time (--timeout) or less load",
                        self.limit.as_secs_f64()
                    )));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The child: one request on stdin, one answer on stdout.
pub(crate) fn child() -> ExitCode {
    let mut request = String::new();
    if std::io::stdin().lock().read_line(&mut request).is_err() {
        return ExitCode::from(2);
    }
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        // The parent has ended, or has given up waiting.
        std::process::exit(2);
    });
    let answer = match serde_json::from_str::<Request>(&request) {
        Err(error) => Said::Refused(format!("this is no request: {error}")),
        // The parent shows a panic's words too.
        Ok(request) => match catch_unwind(|| rerun(&request)) {
            Ok(Ok(answer)) => Said::Answer(Box::new(answer)),
            Ok(Err(error)) => Said::Refused(format!("{error:#}")),
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words =
                    words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
                Said::Refused(format!("the lab stopped: {words}"))
            }
        },
    };
    match serde_json::to_writer(std::io::stdout().lock(), &answer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

fn rerun(request: &Request) -> anyhow::Result<Answer> {
    let lab = workbook::lab(&request.lab).ok_or_else(|| anyhow::anyhow!("there is no such lab"))?;
    let host = request.host.map(|multiprocessors| labs::Host { multiprocessors, measured: true });
    let limits = labs::Limits { instructions: request.instructions, memory_bytes: request.memory_bytes };
    let labs::Rerun { mut record, relations, left_out, instructions } =
        labs::rerun_of(lab, &request.parameters, Some(request.seed), &request.chip, host, limits)?;
    // Nobody looks at these: they may follow from points that were left out.
    record.facts.clear();
    record.claims.clear();
    Ok(Answer { record, relations, left_out, instructions })
}
