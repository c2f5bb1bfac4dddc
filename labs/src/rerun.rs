//! Re-runs of a lab with the parameters of a record.
//!
//! Enters: a lab, a record's parameters, limits. Leaves: the results of the same run today, on the embedded device,
//! without output or files.

use crate::lab::{Host, Lab};
use crate::limits::{LimitReached, Limits};
use crate::plan::Plan;
use crate::recording::{described_as, recorded};
use crate::relation::{self, Relation};
use crate::request::{Parameters, Request};
use crate::run::Bench;
use crate::sources::{self, Edited, ModuleSource};
use crate::trace;
use anyhow::Result;
use device::{Device, Embedded};
use kernels::{Compiler, Flags, Own};
use record::Record;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Runs a lab again as a record says it was run, on the embedded device: deterministic, silent, and without a file.
/// Sizes, `quick` and the seed are taken from `parameters`, the rest follows from them. `seed` replaces the record's.
///
/// # Errors
/// A parameter that is missing, of another type or out of its bounds; a chip that does not exist; a fault of a kernel.
/// More than the limits allow is an error that can be downcast to [`LimitReached`].
pub fn rerun(
    lab: &Lab,
    parameters: &Parameters,
    seed: Option<u64>,
    chip: &str,
    limits: Limits,
) -> Result<Record> {
    Ok(rerun_of(lab, parameters, seed, chip, None, Edited::NONE, limits)?.record)
}

/// Id and text of each check that was left out.
pub type LeftOut = Vec<(String, String)>;

/// Result of running a lab again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rerun {
    /// The record, without a time of its making, and with traces only where kernels were edited: else they are the lab's.
    pub record: Record,
    /// Relation of each point's `y` to its time, in the order of the record's points.
    pub relations: Vec<Relation>,
    /// Id and text of each check that was left out, since only a GPU can do its work in good time.
    pub left_out: LeftOut,
    /// Warp instructions that its launches executed, checks included.
    pub instructions: u64,
}

/// Runs a lab again for the record of a GPU; `host` is the device whose launches are repeated: a plan may depend on it.
/// Work that only a GPU can do in good time is left out: its points have neither a time nor counters, and its checks
/// are not among the record's. `edited` are the sources that ran instead of the lab's.
///
/// # Errors
/// Those of [`rerun`]; a source that does not compile.
pub fn rerun_of(
    lab: &Lab,
    parameters: &Parameters,
    seed: Option<u64>,
    chip: &str,
    host: Option<Host>,
    edited: Edited<'_>,
    limits: Limits,
) -> Result<Rerun> {
    let request = Request::from_parameters(lab.sizes, parameters, seed)?;
    let found = within(lab, &request, chip, host, |plan| sources::recorded(plan, edited), limits);
    let found = found.and_then(|mut rerun| {
        if !edited.held.is_empty() {
            rerun.record.traces = trace::of_edited(lab, edited)?;
        }
        Ok(rerun)
    });
    // The limit is the error; the device's message is its cause.
    found.map_err(|error| match LimitReached::of(&error, limits) {
        Some(limit) => error.context(limit),
        None => error,
    })
}

/// Runs a lab with kernel files compiled again by the workbook's own compiler instead of the committed PTX: files of the
/// same names as the lab's.
///
/// # Errors
/// Those of [`rerun`]; a file that is not one of this lab's or does not compile.
pub fn recompiled(
    lab: &Lab,
    parameters: &Parameters,
    files: &[PathBuf],
    own: Own,
    chip: &str,
    limits: Limits,
) -> Result<Record> {
    let request = Request::from_parameters(lab.sizes, parameters, None)?;
    let flags = sources::graded(Flags::default());
    let sources = |plan: &Plan| sources::gather(plan, files, &flags, Compiler::Own, own);
    Ok(within(lab, &request, chip, None, sources, limits)?.record)
}

/// Result of a reader's run with edited kernel files on the embedded device, which makes all checks of them: the kernels' output
/// and the first fault.
///
/// # Errors
/// Those of [`recompiled`].
pub fn watched(
    lab: &Lab,
    parameters: &Parameters,
    files: &[PathBuf],
    own: Own,
    device: &mut dyn Device,
) -> Result<(String, Result<()>)> {
    let request = Request::from_parameters(lab.sizes, parameters, None)?;
    let host = Host { multiprocessors: device.description().multiprocessors, measured: false };
    let plan = lab.planned(&request, host)?;
    let sources = sources::gather(&plan, files, &sources::graded(Flags::default()), Compiler::Own, own)?;
    let mut bench = Bench::new(device, &plan, &sources)?.silent().watching();
    let measured = bench.measure().map(drop);
    Ok((bench.printed(), measured))
}

/// Memory of a run before its sizes count: the program, decoded kernels, and the registers of blocks.
const BASE: u64 = 64 << 20;

fn needed(lab: &Lab, request: &Request, host: Host) -> u64 {
    (lab.memory)(request, host).saturating_add(BASE)
}

/// The most memory that [`rerun_of`] takes, bytes: found without allocating any. With less than this as its limit it
/// ends at once.
///
/// # Errors
/// A parameter that is missing, of another type or out of its bounds.
pub fn memory_needed(lab: &Lab, parameters: &Parameters, host: Option<Host>) -> Result<u64> {
    let request = Request::from_parameters(lab.sizes, parameters, None)?;
    Ok(needed(lab, &request, host.unwrap_or(Host { multiprocessors: 1, measured: false })))
}

fn within(
    lab: &Lab,
    request: &Request,
    chip: &str,
    host: Option<Host>,
    sources: impl Fn(&Plan) -> Result<Vec<ModuleSource>>,
    limits: Limits,
) -> Result<Rerun> {
    let mut device = Embedded::new(chip)?;
    device.limit(limits.instructions);
    let options = device.options();
    options.deterministic = true;
    // The workbook's own kernels end, and edited ones with the limit: it is all that there is.
    (options.budget, options.budget_per_byte) = (limits.instructions, 0);
    options.launch_budget = limits.instructions;
    options.memory_bytes = limits.memory_bytes;
    let own = Host { multiprocessors: device.description().multiprocessors, measured: false };
    if needed(lab, request, host.unwrap_or(own)) > limits.memory_bytes {
        return Err(LimitReached::Memory { limit: limits.memory_bytes }.into());
    }
    let (record, relations, left_out) = on(&mut device, lab, request, host.unwrap_or(own), sources)?;
    let instructions = device.executed();
    Ok(Rerun { record, relations, left_out, instructions })
}

/// Runs a lab on a device of the caller's, such as one that keeps the requests that it gets: as [`rerun`], except the
/// limits. The record, with id and text of each check that was left out.
///
/// # Errors
/// Those of [`rerun`].
pub fn rerun_on(device: &mut dyn Device, lab: &Lab, request: &Request) -> Result<(Record, LeftOut)> {
    let host = Host { multiprocessors: device.description().multiprocessors, measured: false };
    let (record, _, left_out) = on(device, lab, request, host, |plan| sources::recorded(plan, Edited::NONE))?;
    Ok((record, left_out))
}

fn on(
    device: &mut dyn Device,
    lab: &Lab,
    request: &Request,
    host: Host,
    sources: impl Fn(&Plan) -> Result<Vec<ModuleSource>>,
) -> Result<(Record, Vec<Relation>, LeftOut)> {
    let described = device.description().clone();
    let plan = lab.planned(request, host)?;
    let sources = sources(&plan)?;
    let mut bench = Bench::new(device, &plan, &sources)?.silent().countable();
    let found = bench.measure()?;
    let left_out = bench.left_out();
    bench.finish()?;
    let relations = relation::of(&plan);
    let record = recorded(lab, plan, sources, described_as(&described), found, BTreeMap::new());
    Ok((record, relations, left_out))
}
