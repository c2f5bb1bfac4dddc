//! Running a lab again: each run in a process of its own, which is ended at the time limit.
//!
//! Enters: what a record says was run. Leaves: the record of the same run on the embedded device, or why there is none. The
//! same request gives the same answer, so that each is made once however many students ask for it.

use crate::progress::Progress;
use crate::rules::Limits;
use crate::status::Status;
use crate::text;
use crate::workbook;
use record::{Device, Parameter, Record};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, Read as _, Write as _};
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
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
}

/// Answers by request; as bytes, since whole records would take several times the memory.
pub(crate) type Answers = BTreeMap<Key, Result<Vec<u8>, Failure>>;

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
enum Answer {
    Record(Box<Record>),
    Refused(String),
}

/// The record in an answer.
pub(crate) fn answered(answer: &[u8]) -> Result<Record, Failure> {
    match serde_json::from_slice(answer) {
        Ok(Answer::Record(record)) => Ok(*record),
        Ok(Answer::Refused(why)) => {
            Err(Failure::not_rerun(format!("it cannot be run again: {}", text::code(&why))))
        }
        Err(_) => Err(Failure::not_rerun("the re-run ended without an answer".to_owned())),
    }
}

/// Makes every re-run once, `jobs` at a time, by processes of `program`.
pub(crate) fn all(
    program: &Path,
    requests: &BTreeSet<Key>,
    jobs: usize,
    limit: Duration,
    progress: &Progress,
) -> Answers {
    let requests: Vec<&Key> = requests.iter().collect();
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Answers::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(requests.len()) {
            scope.spawn(|| {
                while let Some(key) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let answer = one(program, key, limit);
                    // No thread panics while it holds the lock.
                    answers.lock().unwrap_or_else(PoisonError::into_inner).insert((*key).clone(), answer);
                    progress.step();
                }
            });
        }
    });
    answers.into_inner().unwrap_or_else(PoisonError::into_inner)
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

fn one(program: &Path, request: &str, limit: Duration) -> Result<Vec<u8>, Failure> {
    let failed = |why: String| Failure::not_rerun(format!("the re-run could not be made: {why}"));
    let io = |error: std::io::Error| failed(text::code(&error.to_string()));
    let end = Instant::now() + limit;
    let child = Command::new(program)
        .arg(CHILD)
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
    // Held open until here: a child whose parent is gone reads the end of it and ends too.
    let answer = received.recv_timeout(end.saturating_duration_since(Instant::now()));
    drop(stdin);
    match answer {
        Ok(answer) => answer.map_err(io),
        Err(RecvTimeoutError::Timeout) => Err(Failure {
            status: Status::TimedOut,
            why: format!("the re-run did not end within {} s", limit.as_secs_f64()),
        }),
        Err(RecvTimeoutError::Disconnected) => Err(failed("its output could not be read".to_owned())),
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
        Err(error) => Answer::Refused(format!("this is no request: {error}")),
        // The parent shows a panic's words too.
        Ok(request) => match catch_unwind(|| rerun(&request)) {
            Ok(Ok(record)) => Answer::Record(Box::new(record)),
            Ok(Err(error)) => Answer::Refused(format!("{error:#}")),
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words =
                    words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
                Answer::Refused(format!("the lab stopped: {words}"))
            }
        },
    };
    match serde_json::to_writer(std::io::stdout().lock(), &answer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

fn rerun(request: &Request) -> anyhow::Result<Record> {
    let lab = workbook::lab(&request.lab).ok_or_else(|| anyhow::anyhow!("there is no such lab"))?;
    let host = request.host.map(|multiprocessors| labs::Host { multiprocessors, measured: true });
    let limits = labs::Limits { instructions: request.instructions, memory_bytes: request.memory_bytes };
    let mut record =
        labs::rerun_of(lab, &request.parameters, Some(request.seed), &request.chip, host, limits)?;
    // Nobody looks at these, and they may follow from points that were left out.
    record.facts.clear();
    record.claims.clear();
    record.traces.clear();
    Ok(record)
}
