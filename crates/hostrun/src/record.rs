//! A program's run as data, for those who read it later.
//!
//! Enters: an outcome and what was compiled. Leaves: how the program ended, what it did wrong, what the API and the device did for it,
//! as the JSON that `cudarun --json` writes. This module must never know who reads it.

use crate::ended::Ended;
use crate::report::diagnostics;
use crate::run::Outcome;
use crate::sides::Sides;
use cuda::source::Span;
use runtime::Site;
use runtime::api::words::{self, stream_name};
use runtime::api::{Launches, Row, RowCopy, RowsIn, Span as Activity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of this form: it is raised where what is read from it changes.
pub const VERSION: u32 = 1;

/// A run of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// [`VERSION`].
    pub version: u32,
    /// The device that ran the kernels: the name of a GPU, or of the modelled chip.
    pub device: String,
    /// Whether the times of kernels are modelled; those of copies always are.
    pub modelled: bool,
    /// The exit code as a shell shows it.
    pub exit_code: u8,
    /// The signal that ended the program, such as `SIGSEGV`, or `limit`; nothing where it ended by itself.
    pub ended_by: Option<String>,
    /// What it did wrong, in the order in which it is to be read.
    pub findings: Vec<FindingRecord>,
    /// Operations of the host's side.
    pub host_operations: u64,
    /// Kernels and copies, those that took longest first.
    pub activities: Vec<RowRecord>,
    /// Functions of the API, likewise: the time of each is what the host waited in it.
    pub calls: Vec<RowRecord>,
    /// What each stream did, in the order of the program.
    pub timeline: Vec<ActivityRecord>,
    /// How many more activities there were.
    pub timeline_left_out: u64,
    /// Launches, in the order of the program.
    pub launches: Vec<LaunchRecord>,
    /// How many more launches there were.
    pub launches_left_out: u64,
    /// Copies of rows, in the order of the program.
    #[serde(default)]
    pub copies: Vec<CopyRecord>,
    /// How many more copies of rows there were.
    #[serde(default)]
    pub copies_left_out: u64,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRecord {
    /// File as the command line or an `#include` names it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// Something that the program did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingRecord {
    /// Its kind in a word.
    pub kind: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Where.
    pub place: Option<PlaceRecord>,
    /// What else concerns it, and where.
    pub notes: Vec<(String, Option<PlaceRecord>)>,
    /// What to do.
    pub help: Option<String>,
}

/// Times of what was done several times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowRecord {
    /// A kernel, a kind of copy, or a function of the API.
    pub name: String,
    /// How often.
    pub calls: u64,
    /// All together, nanoseconds.
    pub total_ns: f64,
    /// The average, nanoseconds.
    pub average_ns: f64,
    /// The shortest, nanoseconds.
    pub min_ns: f64,
    /// The longest, nanoseconds.
    pub max_ns: f64,
    /// Bytes copied or set; 0 of kernels and functions.
    pub bytes: u64,
}

/// What a stream did from one time to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActivityRecord {
    /// The kernel, or the kind of copy.
    pub name: String,
    /// The stream's name: those that the program creates are counted from 1.
    pub stream: String,
    /// Nanoseconds since the program began.
    pub start_ns: f64,
    /// Likewise.
    pub end_ns: f64,
    /// Bytes copied or set; 0 of a kernel.
    pub bytes: u64,
    /// Line of the call.
    pub place: Option<PlaceRecord>,
}

/// Launches of a kernel, one after the other, that were of one shape and counted the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchRecord {
    /// The kernel's name in the source.
    pub kernel: String,
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, bytes.
    pub shared_bytes: u64,
    /// The stream's name: those that the program creates are counted from 1.
    pub stream: String,
    /// Place of the launch.
    pub place: Option<PlaceRecord>,
    /// How many there were.
    pub times: u64,
    /// Time of all of them, nanoseconds.
    pub total_ns: f64,
    /// What each counted, by the counter's name; empty on a GPU.
    pub counters: BTreeMap<String, u64>,
}

/// Copies of rows of one call, one after the other, that were alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyRecord {
    /// The function that the program called.
    pub call: String,
    /// Place of the call.
    pub place: Option<PlaceRecord>,
    /// How many there were.
    pub times: u64,
    /// Bytes of a row, rows of a slice, and slices.
    pub extent: [u64; 3],
    /// Where the rows went.
    pub to: RowsRecord,
    /// Where they came from.
    pub from: RowsRecord,
}

/// Rows of a copy in a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowsRecord {
    /// The memory, in words.
    pub memory: String,
    /// Bytes of it; 0 where that is not known.
    pub bytes: u64,
    /// Pitch, bytes of a row, rows of a slice and slices that it was allocated with, where it was in rows.
    pub rows: Option<[u64; 4]>,
    /// Bytes from its beginning to the first row of the copy.
    pub offset: u64,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Rows from slice to slice.
    pub height: u64,
}

impl ProgramRecord {
    /// The record of a run.
    pub fn of(outcome: &Outcome, sides: &Sides) -> Self {
        let device = outcome.api.description();
        let profile = outcome.api.profile();
        let place = |span: Span| place(span, sides);
        let at = |site: Site| sides.place_of_call(site).and_then(place);
        let row = |(name, row): (&str, &Row)| RowRecord {
            name: name.to_owned(),
            calls: row.calls,
            total_ns: row.total_ns,
            average_ns: row.average_ns(),
            min_ns: row.min_ns,
            max_ns: row.max_ns,
            bytes: row.bytes,
        };
        let activity = |one: &Activity| ActivityRecord {
            name: one.name.clone(),
            stream: stream_name(one.stream),
            start_ns: one.start_ns,
            end_ns: one.end_ns,
            bytes: one.bytes,
            place: at(one.site),
        };
        let launch = |one: &Launches| LaunchRecord {
            kernel: one.kernel.clone(),
            grid: one.grid,
            block: one.block,
            shared_bytes: one.shared_bytes,
            stream: stream_name(one.stream),
            place: at(one.site),
            times: one.times,
            total_ns: one.total_ns,
            counters: one
                .counters
                .iter()
                .flat_map(|all| all.iter())
                .map(|(name, n)| (name.to_owned(), n))
                .collect(),
        };
        let findings = diagnostics(outcome, sides).into_iter().map(|one| FindingRecord {
            kind: one.code.to_owned(),
            message: one.message,
            place: place(one.span),
            notes: one.related.into_iter().map(|(span, text)| (text, place(span))).collect(),
            help: one.help,
        });
        let (copies, copies_left_out) = outcome.api.copies_of_rows();
        let copy = |one: &RowCopy| CopyRecord {
            call: one.call.to_owned(),
            place: at(one.site),
            times: one.times,
            extent: [one.width, one.height, one.depth],
            to: rows_in(&one.to),
            from: rows_in(&one.from),
        };
        let (spans, timeline_left_out) = profile.spans();
        let (launches, launches_left_out) = profile.launches();
        ProgramRecord {
            version: VERSION,
            device: device.name.clone(),
            modelled: matches!(device.kind, device::Kind::Embedded { .. }),
            exit_code: outcome.ended.code(),
            ended_by: match &outcome.ended {
                Ended::Exit(_) => None,
                Ended::Signal { name, .. } => Some((*name).to_owned()),
                Ended::Limit { .. } => Some("limit".to_owned()),
            },
            findings: findings.collect(),
            host_operations: outcome.operations,
            activities: profile.activities().into_iter().map(row).collect(),
            calls: profile.calls().into_iter().map(row).collect(),
            timeline: spans.iter().map(activity).collect(),
            timeline_left_out,
            launches: launches.iter().map(launch).collect(),
            launches_left_out,
            copies: copies.iter().map(copy).collect(),
            copies_left_out,
        }
    }
}

fn rows_in(of: &RowsIn) -> RowsRecord {
    RowsRecord {
        memory: words::memory(&of.memory),
        bytes: of.memory.bytes,
        rows: of.memory.rows.map(|rows| [rows.pitch, rows.width, rows.height, rows.depth]),
        offset: of.offset,
        pitch: of.pitch,
        height: of.height,
    }
}

fn place(span: Span, sides: &Sides) -> Option<PlaceRecord> {
    let at = (span != Span::NOWHERE).then(|| sides.host.sources.position(span.lo))??;
    Some(PlaceRecord { file: at.file.name.to_string(), line: at.line, column: at.column() })
}
