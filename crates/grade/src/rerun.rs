//! Re-runs of labs, each in a process of its own.
//!
//! Enters: the lab and parameters of a record. Leaves: the record of the same run on the embedded device, or the reason
//! why there is none. Equal requests give equal answers, so that each is made once, however many students need it:
//! limits are counted in instructions and bytes, and a run that the clock or the machine cut short is not an answer.

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

/// First argument of a child process that makes one re-run. Internal: the child reads a request and writes an answer.
pub(crate) const CHILD: &str = "--rerun-of-one-record";

/// Maximum number of multiprocessors in a request, more than any GPU has: plans grow with it.
const MOST_MULTIPROCESSORS: u32 = 1024;

/// A re-run. It holds only what a lab takes from a record, so that records of the same parameters make equal requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    lab: String,
    chip: String,
    /// Multiprocessors of the GPU whose launches are repeated; else those of the chip.
    host: Option<u32>,
    /// Sizes of the lab, and whether it was run with `--quick`.
    parameters: BTreeMap<String, Parameter>,
    seed: u64,
    memory_bytes: u64,
    instructions: u64,
}

/// A request as text: equal texts are equal runs.
pub(crate) type Key = String;

/// Reason why there is no re-run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    /// Escaped text.
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

/// A re-run's record, with what a comparison needs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) record: Record,
    /// Relation of each point's time to others, in the order of the record.
    pub(crate) relations: Vec<Relation>,
    /// Id and text of the checks that were left out because only a GPU is fast enough for them.
    pub(crate) left_out: Vec<(String, String)>,
    /// Warp instructions executed.
    pub(crate) instructions: u64,
}

impl Answer {
    /// Warp instructions of a re-run; for one that failed, its limit.
    pub(crate) fn cost(answer: &Result<Answer, Failure>, limits: &Limits) -> u64 {
        answer.as_ref().map_or(limits.instructions, |answer| answer.instructions)
    }
}

/// Runner of re-runs.
pub(crate) struct Runner<'a> {
    /// Path of this program, which is its own child.
    pub(crate) program: &'a Path,
    /// Timeout of one re-run, a safety net.
    pub(crate) limit: Duration,
    /// Threads of one re-run.
    pub(crate) threads: usize,
    /// Set once all re-runs are to end.
    pub(crate) interrupted: &'a AtomicBool,
}

/// Request for the re-run of a record, with another seed if one is given.
///
/// # Errors
/// An unknown lab, or a size that the lab does not have.
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
            // The chip with which labs count when they run on a GPU.
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

/// Message of a child process.
#[derive(Serialize, Deserialize)]
enum Said {
    Answer(Box<Answer>),
    Refused(String),
}

/// A child process that is killed when dropped.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        // Both fail if the process has ended and was waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Interval at which an interrupt is checked for.
const LOOK: Duration = Duration::from_millis(100);

impl Runner<'_> {
    /// Makes one re-run.
    ///
    /// # Errors
    /// A run that the lab refuses, as it would every time; or one that was ended before it answered.
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
        // A child that ended at once does not read its request; its answer, or the lack of one, tells.
        let _ = stdin.write_all(request.as_bytes()).and_then(|()| stdin.write_all(b"\n"));
        let (send, received) = channel();
        std::thread::spawn(move || {
            let mut answer = Vec::new();
            let read = stdout.read_to_end(&mut answer).map(|_| answer);
            // The receiver is gone if the time is up.
            let _ = send.send(read);
        });
        // `stdin` is held open until here: a child whose parent has died reads its end and ends too.
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

/// The child process: one request on stdin, one answer on stdout.
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
        Err(error) => Said::Refused(format!("this is not a request: {error}")),
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
    // Unused, and perhaps derived from points that were left out.
    record.facts.clear();
    record.claims.clear();
    Ok(Answer { record, relations, left_out, instructions })
}
