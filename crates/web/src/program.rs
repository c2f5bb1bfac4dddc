//! Whole programs: both sides compiled, `main` run by an engine of WebAssembly that the caller has, kernels on the embedded device.
//!
//! Enters: sources, one with `main`, arguments, standard input and files. Leaves: messages of the compiler; or how the program ended,
//! what it did wrong, times, a timeline, copies of rows, and the files that it wrote. What it prints goes to the caller while it runs. This module must never
//! know which engine executes the host's side.

use crate::folder::Folder;
use crate::output::base64;
use crate::{field, message};
use cuda::{Arch, Input, Options, diagnostic::Diagnostic};
use device::{Checks, Embedded, GRADED_CAPABILITY, GRADED_CHIP};
use hostrun::{Ended, Engine, Limits, Outcome, PlaceRecord, ProgramRecord, RowsRecord, Sides};
use runtime::api::Row;
use runtime::library::{self, InMemory, Standard};
use serde_json::{Value, json};
use std::rc::Rc;

/// Most bytes that a program may write to files: what a page can hold and pass on.
const MOST_FILES: u64 = 32 << 20;
/// Most rows of each table of times.
const MOST_ROWS: usize = 32;
/// Most pieces of work of a timeline: what a screen can show.
const MOST_BARS: usize = 600;

/// Takes what a program prints, in parts.
pub type Print = dyn Fn(Standard, &[u8]);

/// What executes programs, and where what they print goes.
#[derive(Clone)]
pub struct Platform {
    /// What executes the host's side.
    pub engine: Rc<dyn Engine>,
    /// Where that goes.
    pub output: Rc<Print>,
}

/// Files that the last program left.
#[derive(Default)]
pub(crate) struct Written(Vec<(String, Vec<u8>)>);

/// The response to a request to run a program.
pub(crate) fn program(
    platform: Option<&Platform>,
    written: &mut Written,
    request: &Value,
) -> Result<Value, String> {
    *written = Written::default();
    let platform = platform.ok_or("nothing here executes the host side of programs")?;
    let name = field::optional_text(request, "name")?.unwrap_or("program.cu");
    let folder = Folder::new((name, field::text(request, "text")?), optional(request, "files")?)?;
    let sources = folder.sources();
    let options = Options {
        arch: Arch { number: GRADED_CAPABILITY, suffix: None },
        relocatable: request["relocatable"] == true,
        ..Options::default()
    };
    let include = |path: &str| folder.header(path);
    let inputs: Vec<Input<'_>> =
        sources.iter().map(|&(name, text)| Input { name, text, include: &include }).collect();
    let names: Vec<&str> = folder.all().iter().map(|(name, _)| &**name).collect();
    let sides = match hostrun::compile_files(&inputs, &options) {
        Ok(sides) => sides,
        Err(failure) => {
            let messages = message::messages(&failure.diagnostics, &failure.sources, &names);
            return Ok(json!({ "compiled": false, "messages": messages }));
        }
    };
    // What a browser has never run takes it longer: a page has a program compiled while the reader looks at it.
    if request["run"] == false {
        return Ok(json!({ "compiled": true }));
    }
    let files = InMemory::default();
    for (name, bytes) in folder.all() {
        files.insert(name, bytes.clone());
    }
    let output = platform.output.clone();
    let mut arguments = vec![name.to_owned()];
    arguments.extend(optional::<Vec<String>>(request, "arguments")?);
    let options = library::Options {
        arguments,
        environment: vec![],
        files: Box::new(files.clone()),
        input: Box::new(std::io::Cursor::new(
            field::optional_text(request, "input")?.unwrap_or_default().as_bytes().to_vec(),
        )),
        output: Box::new(move |to: Standard, bytes: &[u8]| output(to, bytes)),
        clock: library::Clock::new(library::Source::Modelled),
        limits: library::Limits { files: MOST_FILES, ..library::Limits::default() },
    };
    let mut device = Embedded::new(GRADED_CHIP).map_err(|error| error.to_string())?;
    if request["check"] == true {
        let options = device.options();
        (options.checks, options.keep_going) = (Checks::ALL, true);
    }
    let default = Limits::default();
    let limits = Limits {
        operations: field::number(request, "operations", default.operations)?,
        leaks: request["check"] == true,
    };
    let outcome = hostrun::run(&sides, &*platform.engine, Box::new(device), options, limits);
    let outcome = outcome.map_err(|error| error.to_string())?;
    written.0 = files.files().into_iter().filter(|(name, bytes)| !folder.has(name, bytes)).collect();
    Ok(report(&outcome, &sides, &names, written))
}

/// A field that may be left out.
fn optional<T: Default + serde::de::DeserializeOwned>(request: &Value, name: &str) -> Result<T, String> {
    if request[name].is_null() { Ok(T::default()) } else { field::read(request, name) }
}

fn report(outcome: &Outcome, sides: &Sides, names: &[&str], written: &Written) -> Value {
    let compiled: Vec<Diagnostic> =
        sides.host.warnings.iter().chain(&sides.device.warnings).cloned().collect();
    let mut messages = message::messages(&compiled, &sides.host.sources, names);
    messages.extend(message::messages(&hostrun::diagnostics(outcome, sides), &sides.host.sources, names));
    let rows = |rows: Vec<(&str, &Row)>| -> Vec<Value> {
        let shown = rows.iter().take(MOST_ROWS);
        let row = |(name, row): &(&str, &Row)| {
            json!({
                "name": name, "calls": row.calls, "total_ns": row.total_ns, "average_ns": row.average_ns(),
                "min_ns": row.min_ns, "max_ns": row.max_ns,
            })
        };
        shown.map(row).collect()
    };
    let profile = outcome.api.profile();
    let files = written.0.iter().map(|(name, bytes)| json!({ "name": name, "bytes": bytes.len() }));
    let record = ProgramRecord::of(outcome, sides);
    let shown = record.timeline.len().min(MOST_BARS);
    let bars = record.timeline[..shown].iter().map(|one| {
        json!({
            "name": one.name, "stream": one.stream, "start_ns": one.start_ns, "end_ns": one.end_ns,
            "bytes": one.bytes, "place": place(one.place.as_ref()),
        })
    });
    let copies = record.copies.iter().map(|one| {
        json!({
            "call": one.call, "times": one.times, "place": place(one.place.as_ref()), "extent": one.extent,
            "to": rows_in(&one.to), "from": rows_in(&one.from),
        })
    });
    json!({
        "compiled": true,
        "ended": ended(&outcome.ended),
        "messages": messages,
        "operations": outcome.operations,
        "activities": rows(profile.activities()),
        "calls": rows(profile.calls()),
        "files": files.collect::<Vec<_>>(),
        "timeline": bars.collect::<Vec<_>>(),
        "timeline_left_out": record.timeline_left_out + (record.timeline.len() - shown) as u64,
        "copies": copies.collect::<Vec<_>>(),
        "copies_left_out": record.copies_left_out,
    })
}

fn place(of: Option<&PlaceRecord>) -> Value {
    of.map_or(Value::Null, |at| json!({ "file": at.file, "line": at.line }))
}

fn rows_in(of: &RowsRecord) -> Value {
    json!({
        "memory": of.memory, "bytes": of.bytes, "rows": of.rows, "offset": of.offset, "pitch": of.pitch,
        "height": of.height,
    })
}

fn ended(ended: &Ended) -> Value {
    match ended {
        Ended::Exit(code) => json!({ "exit": code }),
        Ended::Signal { name, code, why, .. } => json!({ "signal": name, "exit": code, "why": why }),
        Ended::Limit { why, .. } => json!({ "limit": why, "exit": 1 }),
    }
}

/// The response to a request for a file that the last program wrote: its bytes in base64.
pub(crate) fn file(written: &Written, request: &Value) -> Result<Value, String> {
    let name = field::text(request, "file")?;
    let found = written.0.iter().find(|(one, _)| one == name);
    let (_, bytes) = found.ok_or_else(|| format!("the program wrote no file `{name}`"))?;
    Ok(json!({ "bytes": base64(bytes) }))
}
