//! Re-runs of labs, each in a separate process.
//!
//! Enters: the lab and parameters of a record. Leaves: the record of the same run on the embedded device, or the reason
//! why there is none. Equal requests give equal answers, so that each is made once, however many students need it:
//! limits are counted in instructions and bytes, and a run that the clock or the machine cut short is not an answer.
//!
//! The process is confined. Where a record holds the source of an edited kernel, the re-run is of that: the process compiles it,
//! and has limits of processor time and memory as well.

use crate::confined::child::{self, Ended, Runner};
use crate::confined::confine::{self, confine};
use crate::confined::edited;
use crate::rules::Limits;
use crate::schedule::Key;
use crate::status::Status;
use crate::text;
use crate::workbook;
use labs::{Edited, RecordedSource, Relation};
use record::{Device, Parameter, Record};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

/// First argument of a child process that makes one re-run. Internal: the child reads a request and writes an answer.
pub(crate) const CHILD: &str = "--rerun-of-one-record";

/// Most bytes of an answer: several times the record of the largest lab.
const MOST_ANSWER: u64 = 1 << 28;

/// Addresses that this program takes in addition to the device's memory: its own, and those of its threads and of the compiler.
const PROGRAM_BYTES: u64 = 4 << 30;

/// Wall-clock limit, as a multiple of the processor time that a re-run which compiles may take: a machine may have other work,
/// and of the two limits that of processor time should end it, which is the same for everybody.
const PATIENCE: u32 = 10;

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
    /// Sources that the student edited, by the names of the files that they replace.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    edited: BTreeMap<String, EditedSource>,
    /// Processor time of a process that compiles them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
}

/// A source to compile again.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct EditedSource {
    text: String,
    /// Options of the compiler, in words.
    options: Vec<String>,
}

/// The reason why there is no re-run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// Request for the re-run of a record, with another seed if one is given.
///
/// # Errors
/// An unknown lab, or a size that the lab does not have.
pub(crate) fn request(record: &Record, seed: Option<u64>, limits: &Limits) -> Result<Key, Failure> {
    let Some(lab) = workbook::lab(&record.lab) else {
        let labs = workbook::names().join(", ");
        let why = format!("no lab named {}; there are {labs}", text::code(&record.lab));
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
    let edited: BTreeMap<String, EditedSource> = record
        .kernels
        .iter()
        .filter_map(|kernel| {
            let (text, options) = (edited::source(kernel).ok()??.to_owned(), kernel.options.clone());
            Some((kernel.file.clone(), EditedSource { text, options }))
        })
        .collect();
    let request = Request {
        lab: lab.name.to_owned(),
        // Whole seconds are what the system takes.
        seconds: (!edited.is_empty()).then_some(limits.seconds.ceil() as u64),
        edited,
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
enum ChildMessage {
    Answer(Box<Answer>),
    Refused(String),
}

/// Makes one re-run.
///
/// # Errors
/// A run that the lab refuses, as it would every time; or one that was ended before it answered.
pub(crate) fn run(runner: &Runner<'_>, request: &str) -> Result<Answer, Failure> {
    let failed = |why: String| Failure::not_graded(format!("the re-run could not be made: {why}"));
    let seconds = serde_json::from_str::<Request>(request).ok().and_then(|request| request.seconds);
    let limit = seconds.map_or(runner.limit, |seconds| {
        runner.limit.max(Duration::from_secs(seconds)).saturating_mul(PATIENCE)
    });
    let (bytes, status) = match runner.ask(CHILD, request, &[], limit, MOST_ANSWER) {
        Ok(done) => (done.answer, done.status),
        Err(Ended::Time(limit)) => {
            return Err(Failure::not_graded(format!(
                "the re-run did not end within {} s; grade it again, with more time (--timeout) or less load",
                limit.as_secs_f64()
            )));
        }
        Err(Ended::Interrupted) => return Err(failed("grading was interrupted".to_owned())),
        Err(Ended::Failed(why)) => return Err(failed(why)),
    };
    match serde_json::from_slice(&bytes) {
        Ok(ChildMessage::Answer(answer)) => Ok(*answer),
        Ok(ChildMessage::Refused(why)) => {
            Err(Failure::not_rerun(format!("it cannot be run again: {}", text::code(&why))))
        }
        Err(_) if confine::ran_out_of_time(status) => Err(Failure::not_rerun(format!(
            "it cannot be run again: with the edited kernel that it holds, the re-run was ended after {} s of processor time",
            seconds.unwrap_or_default()
        ))),
        Err(_) => Err(Failure::not_graded("the re-run was ended from outside; grade it again".to_owned())),
    }
}

/// The child process.
pub(crate) fn child() -> ExitCode {
    child::answer(
        |request: &Request| {
            // Of addresses; the device's own memory has its limit within.
            let memory_bytes = request.memory_bytes.saturating_add(PROGRAM_BYTES);
            confine(request.seconds.map(|seconds| confine::Limits { seconds, memory_bytes }))
        },
        |request: Request, _: &[u8]| match rerun(&request) {
            Ok(answer) => ChildMessage::Answer(Box::new(answer)),
            Err(error) => ChildMessage::Refused(format!("{error:#}")),
        },
        ChildMessage::Refused,
    )
}

fn rerun(request: &Request) -> anyhow::Result<Answer> {
    let edited = request.edited.iter().map(|(file, EditedSource { text, options })| RecordedSource {
        file: file.clone(),
        text: text.clone(),
        options: options.clone(),
    });
    let held: Vec<RecordedSource> = edited.collect();
    let edited = Edited { held: &held, own: compile::own };
    let lab = workbook::lab(&request.lab).ok_or_else(|| anyhow::anyhow!("there is no such lab"))?;
    let host = request.host.map(|multiprocessors| labs::Host { multiprocessors, measured: true });
    let limits = labs::Limits { instructions: request.instructions, memory_bytes: request.memory_bytes };
    let labs::Rerun { mut record, relations, left_out, instructions } =
        labs::rerun_of(lab, &request.parameters, Some(request.seed), &request.chip, host, edited, limits)?;
    // Unused, and perhaps derived from points that were left out.
    record.facts.clear();
    record.claims.clear();
    Ok(Answer { record, relations, left_out, instructions })
}
