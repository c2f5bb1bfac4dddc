//! The first reading of a file, in a separate, confined process.
//!
//! Enters: a file's bytes. Leaves: what is in it, or why nothing is. How much bytes unpack to, and what a reader does with bytes
//! that it was not written for, is found out in a process that the system ends once it takes too much. A file that was read
//! this way can be read by the grader itself: equal bytes give equal answers. This module must never know whose a file is.

use crate::confined::child::{self, Ended, Runner};
use crate::confined::confine::{self, confine};
use crate::confined::rerun::{self, Failure};
use crate::rules::{Limits, Rules};
use crate::schedule::Key;
use crate::similar::duplicate_runs::Run;
use crate::status::Status;
use crate::submissions::intake::{self, Refused};
use crate::text;
use record::Parameter;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};
use submission::Submission;

/// First argument of a child process that reads one file. Internal.
pub(crate) const CHILD: &str = "--reading-of-one-file";

/// Most bytes of an answer for each byte of a file: JSON has two for a line end.
const MOST_OF_A_BYTE: u64 = 6;
/// Most bytes of an answer beyond that.
const MOST_BESIDE: u64 = 1 << 20;
/// Processor time of a reading, in seconds; the largest files take less than one.
const SECONDS: u64 = 60;
/// Wall-clock limit, as a multiple of it.
const PATIENCE: u64 = 10;
/// Addresses of a process that reads, of which the program itself reserves some.
const MEMORY_BYTES: u64 = 4 << 30;

/// Kind of file to read.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Record { seed: u64, limits: Limits },
    Submission,
}

/// Contents of a file.
#[derive(Serialize, Deserialize)]
enum Content {
    Record(Box<Summary>),
    Submission(Box<Submission>),
}

/// Message of a child process.
#[derive(Serialize, Deserialize)]
enum ChildMessage {
    Read(Content),
    /// Status and reason.
    Refused(Status, String),
    /// It could not try.
    Failed(String),
}

/// Summary of a record, kept in memory until the record is judged.
#[derive(Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Seed that the record says it was made with.
    pub(crate) seed: Option<u64>,
    pub(crate) run: Run,
    /// Re-run with the record's own parameters.
    pub(crate) same: Result<Key, Failure>,
    /// Re-run with the instructor's seed.
    pub(crate) seeded: Result<Key, Failure>,
}

impl Summary {
    /// Summary of the record in a file's bytes.
    ///
    /// # Errors
    /// Bytes that are not a record.
    pub(crate) fn of(bytes: &[u8], seed: u64, limits: &Limits) -> Result<Summary, Refused> {
        let record = intake::parse(bytes)?;
        let own = match record.parameters.get("seed") {
            Some(Parameter::Integer(seed)) => Some(*seed),
            _ => None,
        };
        Ok(Summary {
            seed: own,
            run: Run::of(&record),
            same: rerun::request(&record, None, limits),
            seeded: rerun::request(&record, Some(seed), limits),
        })
    }
}

/// Reads files.
pub(crate) struct Reader<'a> {
    pub(crate) runner: &'a Runner<'a>,
    pub(crate) rules: &'a Rules,
}

impl Reader<'_> {
    /// Summary of a record, for its re-runs with `seed`.
    ///
    /// # Errors
    /// Bytes that are not a record.
    pub(crate) fn record(&self, bytes: &[u8], seed: u64) -> Result<Summary, Refused> {
        match self.read(What::Record { seed, limits: self.rules.limits }, bytes, "record")? {
            Content::Record(summary) => Ok(*summary),
            Content::Submission(_) => Err(failed(OTHER)),
        }
    }

    /// A submission.
    ///
    /// # Errors
    /// Bytes that are not a submission.
    pub(crate) fn submission(&self, bytes: &[u8]) -> Result<Submission, Refused> {
        match self.read(What::Submission, bytes, "submission")? {
            Content::Submission(submission) => Ok(*submission),
            Content::Record(_) => Err(failed(OTHER)),
        }
    }

    fn read(&self, what: What, bytes: &[u8], name: &str) -> Result<Content, Refused> {
        let failed = |why: &str| Err(failed(why));
        let stopped = |why: String| Err((Status::Invalid, format!("it is not a valid {name}: {why}")));
        let Ok(request) = serde_json::to_string(&what) else { return failed("there is no request") };
        let limit = Duration::from_secs(SECONDS * PATIENCE);
        let most = (bytes.len() as u64).saturating_mul(MOST_OF_A_BYTE).saturating_add(MOST_BESIDE);
        let done = match self.runner.ask(CHILD, &request, bytes, limit, most) {
            Ok(done) => done,
            Err(Ended::Time(limit)) => {
                return failed(&format!("reading did not end within {} s by the clock", limit.as_secs_f64()));
            }
            Err(Ended::Interrupted) => return failed("grading was interrupted"),
            Err(Ended::Failed(why)) => return failed(&why),
        };
        match serde_json::from_slice(&done.answer) {
            Ok(ChildMessage::Read(read)) => Ok(read),
            Ok(ChildMessage::Refused(status, why)) => Err((status, why)),
            Ok(ChildMessage::Failed(why)) => failed(&text::code(&why)),
            Err(_) if confine::ran_out_of_time(done.status) => {
                stopped(format!("it takes more than {SECONDS} s of processor time to read"))
            }
            Err(_) if child::ran_out_of_memory(&done) => {
                stopped(format!("it takes more than {} MiB of memory to read", MEMORY_BYTES >> 20))
            }
            Err(_) if child::ran_out_of_stack(&done) => stopped("it nests too deep".to_owned()),
            Err(_) => failed("reading was ended from outside"),
        }
    }
}

/// Answer of a child that was asked something else.
const OTHER: &str = "another answer came";

/// Status and reason of a file that could not be tried.
fn failed(why: &str) -> Refused {
    (Status::NotGraded, format!("it could not be read: {why}; grade it again"))
}

/// The submission in a file's bytes.
///
/// # Errors
/// Bytes that are not a submission.
fn submission(bytes: &[u8]) -> Result<Submission, Refused> {
    let invalid = |why: &str| (Status::Invalid, format!("it is not a valid submission: {}", text::code(why)));
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err((Status::Empty, "it is empty".to_owned()));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes.iter().take(error.valid_up_to()).filter(|byte| **byte == b'\n').count();
        invalid(&format!(
            "line {line} is not UTF-8 text; hand in the file as workbook submit wrote it, not as another program saved it"
        ))
    })?;
    let work = Submission::parse(text).map_err(|error| invalid(&error.to_string()))?;
    when(&work).ok_or_else(|| invalid("field `when`: is not a time such as 2026-01-31T12:00:00Z"))?;
    Ok(work)
}

/// When a submission was written.
pub(crate) fn when(work: &Submission) -> Option<SystemTime> {
    humantime::parse_rfc3339(&work.when).ok()
}

/// The child process.
pub(crate) fn child() -> ExitCode {
    child::answer(
        |_| confine(Some(confine::Limits { seconds: SECONDS, memory_bytes: MEMORY_BYTES })),
        |what: What, bytes: &[u8]| {
            let read = match what {
                What::Record { seed, limits } => {
                    Summary::of(bytes, seed, &limits).map(|summary| Content::Record(Box::new(summary)))
                }
                What::Submission => {
                    submission(bytes).map(|submission| Content::Submission(Box::new(submission)))
                }
            };
            match read {
                Ok(content) => ChildMessage::Read(content),
                Err((status, why)) => ChildMessage::Refused(status, why),
            }
        },
        ChildMessage::Failed,
    )
}
