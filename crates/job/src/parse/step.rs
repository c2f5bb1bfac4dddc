//! `[[launch]]` and `[[step]]`: what a job does, in order.
//!
//! A file has launches alone, or steps: launches, fills and copies in their order, and sequences of
//! them that are repeated. Both kinds in one file would have no order that TOML keeps.

use super::raw::{RawCopy, RawFill, RawLaunch, RawSpan, RawStep, Size};
use super::reader::{Expected, Reader};
use super::span::{buffer_of, extent, span};
use crate::error::Error;
use crate::job::{Buffer, Copy, Fill, JobStep, LaunchEntry, Span};
use crate::texture::Objects;
use crate::types::Type;
use device::Launch;
use scalar::Scalar;
use toml::Spanned;

/// The most launches, fills and copies that a job runs, repetitions counted.
const MOST_STEPS: u64 = 1_000_000;

const ONE: &str = "expected one of launch, fill, copy, or repeat with steps";

impl Reader<'_> {
    pub(super) fn steps(
        &self,
        launches: Vec<Spanned<RawLaunch>>,
        steps: Vec<Spanned<RawStep>>,
        buffers: &[Buffer],
        objects: &Objects,
    ) -> Result<Vec<JobStep>, Error> {
        let mut number = 0;
        let steps = match (launches.is_empty(), steps.first()) {
            (false, Some(step)) => {
                let line = self.line(step.span().start);
                let message = "[[launch]] and [[step]] cannot be mixed, as TOML does not keep their order: \
                               write each launch as a step, [[step]] with [step.launch]";
                return Err(self.error(line, message));
            }
            (true, None) if self.expected == Expected::DryRun => vec![],
            (true, None) => {
                return Err(Error::job(self.path, None, "no [[launch]], so nothing would run"));
            }
            (false, None) => launches
                .into_iter()
                .map(|l| {
                    self.launch(self.line(l.span().start), l.into_inner(), buffers, objects, &mut number)
                })
                .collect::<Result<_, _>>()?,
            (true, Some(_)) => self.sequence(steps, buffers, objects, &mut number)?,
        };
        let all = count(&steps);
        if all > MOST_STEPS {
            let message = format!("repeat: {all} steps would run, but at most {MOST_STEPS} are allowed");
            return Err(Error::job(self.path, None, message));
        }
        if number == 0 && self.expected != Expected::DryRun {
            return Err(Error::job(self.path, None, "no [[step]] is a launch, so nothing would run"));
        }
        Ok(steps)
    }

    fn sequence(
        &self,
        steps: Vec<Spanned<RawStep>>,
        buffers: &[Buffer],
        objects: &Objects,
        number: &mut usize,
    ) -> Result<Vec<JobStep>, Error> {
        steps
            .into_iter()
            .map(|step| self.step(self.line(step.span().start), step.into_inner(), buffers, objects, number))
            .collect()
    }

    fn step(
        &self,
        line: usize,
        raw: RawStep,
        buffers: &[Buffer],
        objects: &Objects,
        number: &mut usize,
    ) -> Result<JobStep, Error> {
        match raw {
            RawStep { launch: Some(launch), fill: None, copy: None, repeat: None, steps: None } => {
                self.launch(self.line(launch.span().start), launch.into_inner(), buffers, objects, number)
            }
            RawStep { launch: None, fill: Some(fill), copy: None, repeat: None, steps: None } => {
                let fill = read_fill(line, &fill, buffers);
                fill.map(JobStep::Fill).map_err(|reason| self.error(line, format!("fill: {reason}")))
            }
            RawStep { launch: None, fill: None, copy: Some(copy), repeat: None, steps: None } => {
                let copy = read_copy(line, &copy, buffers);
                copy.map(JobStep::Copy).map_err(|reason| self.error(line, format!("copy: {reason}")))
            }
            RawStep { launch: None, fill: None, copy: None, repeat: Some(times), steps: Some(steps) } => {
                if steps.is_empty() {
                    return Err(self.error(line, "step: its list of steps is empty"));
                }
                let times = self.times(line, Some(times))?;
                Ok(JobStep::Repeat { times, steps: self.sequence(steps, buffers, objects, number)? })
            }
            _ => Err(self.error(line, format!("step: {ONE}"))),
        }
    }

    fn times(&self, line: usize, repeat: Option<u64>) -> Result<u64, Error> {
        match repeat {
            Some(0) => Err(self.error(line, "repeat: expected at least 1")),
            Some(times) => Ok(times),
            None => Ok(1),
        }
    }

    fn launch(
        &self,
        line: usize,
        raw: RawLaunch,
        buffers: &[Buffer],
        objects: &Objects,
        number: &mut usize,
    ) -> Result<JobStep, Error> {
        let RawLaunch {
            kernel,
            grid: Size(grid),
            block: Size(block),
            shared_bytes,
            args,
            cluster,
            cooperative,
            repeat,
        } = raw;
        let cluster = cluster.map(|Size(cluster)| cluster);
        let args = (1..)
            .zip(args)
            .map(|(n, arg): (usize, _)| {
                let line = self.line(arg.span().start);
                self.argument(arg.get_ref(), buffers, objects).map_err(|reason| {
                    self.error(line, format!("launch of `{kernel}`: argument {n}: {reason}"))
                })
            })
            .collect::<Result<_, _>>()?;
        let times = self.times(line, repeat)?;
        let launch = Launch { module: (), kernel, grid, block, shared_bytes, args, cluster, cooperative };
        *number += 1;
        Ok(JobStep::Launch(Box::new(LaunchEntry { line, number: *number - 1, times, launch })))
    }
}

/// Launches, fills and copies of a sequence, repetitions counted.
fn count(steps: &[JobStep]) -> u64 {
    let one = |step: &JobStep| match step {
        JobStep::Launch(entry) => entry.times,
        JobStep::Fill(_) | JobStep::Copy(_) => 1,
        JobStep::Repeat { times, steps } => times.saturating_mul(count(steps)),
    };
    steps.iter().map(one).fold(0, u64::saturating_add)
}

fn read_fill(line: usize, raw: &RawFill, buffers: &[Buffer]) -> Result<Fill, String> {
    let to = span(raw.buffer.as_deref(), raw.symbol.as_deref(), raw.offset, buffers)?;
    let ty = match (raw.ty, buffer_of(&to, buffers)) {
        (Some(_), Some(_)) => return Err("type: a buffer has its own".into()),
        (None, Some(buffer)) => buffer.ty,
        (Some(ty), None) => ty,
        (None, None) => return Err("a symbol needs a type, such as type = \"f32\"".into()),
    };
    let element = ty.splat(&raw.value).map_err(|reason| format!("value: {reason}"))?;
    if !to.offset.is_multiple_of(ty.bytes() as u64) {
        return Err(format!("offset: {} is inside an element: {ty} takes {} bytes", to.offset, ty.bytes()));
    }
    let bytes = extent(&to, raw.len, ty, buffers)?;
    Ok(Fill { line, to, bytes, ty, element })
}

fn read_copy(line: usize, raw: &RawCopy, buffers: &[Buffer]) -> Result<Copy, String> {
    let one = |raw: &RawSpan| span(raw.buffer.as_deref(), raw.symbol.as_deref(), raw.offset, buffers);
    let from = one(&raw.from).map_err(|reason| format!("from: {reason}"))?;
    let to = one(&raw.to).map_err(|reason| format!("to: {reason}"))?;
    let is_variable = |span: &Span| buffer_of(span, buffers).is_none();
    if is_variable(&from) && is_variable(&to) {
        return Err("from one symbol to another: go through a buffer".into());
    }
    let ty = buffer_of(&from, buffers).or_else(|| buffer_of(&to, buffers)).map(|buffer| buffer.ty);
    let ty = ty.unwrap_or(Type::from(Scalar::U8));
    // Without a length, all that is there is copied, whatever its type.
    let whole = if raw.len.is_some() { ty } else { Type::from(Scalar::U8) };
    let bytes = extent(&from, raw.len, whole, buffers).map_err(|reason| format!("from: {reason}"))?;
    if let Some(bytes) = bytes {
        extent(&to, Some(bytes), Type::from(Scalar::U8), buffers)
            .map_err(|reason| format!("to: {reason}"))?;
        let overlap = from.memory == to.memory && from.offset.abs_diff(to.offset) < bytes;
        if overlap {
            let (a, b) = (from.offset, to.offset);
            return Err(format!("{bytes} bytes from byte {a} to byte {b} of the same buffer overlap"));
        }
    }
    Ok(Copy { line, from, to, bytes })
}
