//! Steps through a launch of what ran last: the state of a block after an instruction of one of its warps.
//!
//! Enters: a warp of a block of a launch, and where to. Leaves: lanes, variables, registers, shared memory, who waits, the
//! accesses so far. A step backwards is another run to the step before, and gives what was there then. This module must
//! never know how a state is shown.

use crate::access::{Shape, Warp, no_launch};
use crate::compile::{Compiled, Language};
use crate::execution::{Execution, NOTHING};
use crate::field;
use crate::shared;
use crate::variable::Variables;
use checker::bench;
use device::stepping::{Doing, Event, RegisterState, State, Stepped, Stretch, WarpState, Write};
use device::{Device as _, Space, StepTo};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Stretches of a path at the most.
const STRETCHES: u32 = 20_000;
/// Accesses that are listed, if the request says nothing else, and at most.
const EVENTS: u64 = 64;
const MOST_EVENTS: u64 = 4096;
/// Lanes of a warp.
const LANES: usize = 32;
/// Integers of 64 bits beyond are taken for addresses.
const ADDRESSES: u64 = 1 << 33;

/// Where a warp's instructions are, which is the same for each of its steps.
#[derive(Debug)]
pub(crate) struct Path {
    of: Warp,
    /// Whether steps are those of all warps of the block.
    whole: bool,
    shape: Shape,
    stepped: Stepped,
    variables: Variables,
}

/// The response to a request for a step.
pub(crate) fn step(
    last: Option<&Execution>,
    known: &mut Option<Path>,
    request: &Value,
) -> Result<Value, String> {
    let trial = last.ok_or(NOTHING)?;
    let (of, one) = Warp::of(request)?;
    let whole = !one && request["warps"] == "all";
    let path = match known.take().filter(|path| (path.of, path.whole) == (of, whole)) {
        Some(path) => path,
        None => {
            let to =
                StepTo { warp: (!whole).then_some(of.warp), ..StepTo::path(of.block, of.warp, STRETCHES) };
            let (shape, stepped) = stepped(trial, of.launch, to)?;
            Path { of, whole, shape, stepped, variables: Variables::of(&trial.compiled) }
        }
    };
    let path = known.insert(path);
    let total = path.stepped.executed;
    let at = path.aim(trial, &request["to"])?.min(total.saturating_sub(1));
    let mut response = json!({
        "at": at,
        "of": total,
        "warps": [],
        "blocks": path.shape.grid(),
        "launches": trial.launches(),
        "fault": path.fault(trial),
    });
    if request["path"] == true {
        response["path"] = path.stretches(trial).into();
        response["pathLeftOut"] = path.stepped.path_left_out.into();
    }
    if total == 0 {
        response["text"] = "This warp has executed nothing.".into();
        return Ok(response);
    }
    let events = field::number(request, "events", EVENTS)?.min(MOST_EVENTS) as u32;
    let to = StepTo { block: of.block, warp: (!whole).then_some(of.warp), at, path: 0, events };
    let (_, found) = stepped(trial, of.launch, to)?;
    let Some(state) = found.state else {
        response["text"] = "The launch ended here.".into();
        return Ok(response);
    };
    for (name, value) in reported(trial, path, &state) {
        response[name] = value;
    }
    Ok(response)
}

/// Runs a trial up to a launch, and steps into that.
fn stepped(trial: &Execution, launch: u64, to: StepTo) -> Result<(Shape, Stepped), String> {
    let (mut number, mut found) = (0, None);
    let ran = trial.run(&|_| {}, &mut |device, one| {
        if number < launch {
            number += 1;
            return Ok(device.launch(one)?);
        }
        let shape = Shape::of(one);
        found = Some(match shape.check(to.block, to.warp) {
            Ok(()) => {
                device.step_to(one, to).map(|stepped| (shape, stepped)).map_err(|error| error.to_string())
            }
            Err(why) => Err(why),
        });
        Err(bench::Error::Left)
    });
    match (found, ran) {
        (Some(found), _) => found.map_err(|why| names::readable(&why).into_owned()),
        (None, Err(error)) => Err(names::readable(&error.to_string()).into_owned()),
        (None, Ok(_)) => Err(no_launch(trial, launch)),
    }
}

impl Path {
    /// The step that a request aims at: an instruction by its number; the end of the first stretch of a line that begins
    /// after a step; the end of the stretch before or after a step; the last one.
    fn aim(&self, trial: &Execution, to: &Value) -> Result<u64, String> {
        let last = self.stepped.executed.saturating_sub(1);
        if to.is_null() {
            return Ok(0);
        }
        if !to.is_object() {
            return Err("`to` is not an object".to_owned());
        }
        if to["end"] == true {
            return Ok(last);
        }
        if !to["instruction"].is_null() {
            return field::number(to, "instruction", 0);
        }
        let path = &self.stepped.path;
        let end = |n: usize| path.get(n + 1).map_or(last, |next| next.at.saturating_sub(1));
        let holds = |at: u64| path.partition_point(|stretch| stretch.at <= at).saturating_sub(1);
        if !to["next"].is_null() {
            let at = field::number(to, "next", 0)?;
            let n = holds(at);
            // From within a stretch, to its end.
            return Ok(if at < end(n) { end(n) } else { end(n + 1) });
        }
        if !to["previous"].is_null() {
            let n = holds(field::number(to, "previous", 0)?);
            return Ok(if n == 0 { 0 } else { end(n - 1) });
        }
        let line = field::number(to, "line", 0)?;
        let after = match &to["after"] {
            Value::Null => None,
            _ => Some(field::number(to, "after", 0)?),
        };
        let is_it = |stretch: &Stretch| {
            after.is_none_or(|after| stretch.at > after)
                && self.line(trial, stretch).map(u64::from) == Some(line)
        };
        let found = path.iter().position(is_it);
        found.map(end).ok_or_else(|| match after {
            Some(_) => format!("line {line} is not executed again"),
            None => format!("line {line} is not executed by this warp"),
        })
    }

    /// A stretch's line of the text, if it is there.
    fn line(&self, trial: &Execution, stretch: &Stretch) -> Option<u32> {
        let file = self.stepped.files.get(stretch.file as usize)?;
        (*file == trial.compiled.source.name).then_some(stretch.line)
    }

    fn stretches(&self, trial: &Execution) -> Vec<Value> {
        let all = self.stepped.path.iter();
        all.map(|stretch| {
            json!({
                "at": stretch.at,
                "warp": stretch.warp,
                "line": self.line(trial, stretch),
                "active": mask(stretch.active),
            })
        })
        .collect()
    }

    /// The fault that ended the launch.
    fn fault(&self, trial: &Execution) -> Value {
        self.stepped.fault.as_ref().map_or(Value::Null, |fault| {
            json!({
                "kind": fault.kind.name(),
                "message": names::readable(&fault.message),
                "line": trial.compiled.line(&fault.place),
            })
        })
    }
}

/// A state's fields.
fn reported(trial: &Execution, path: &Path, state: &State) -> Map<String, Value> {
    let compiled = &trial.compiled;
    let warp = state.warp as usize;
    let line = compiled.line(&state.place);
    let mut warps: Vec<Value> = state.warps.iter().map(|warp| of_warp(compiled, warp)).collect();
    // The warp of the step is where the step is.
    warps.iter_mut().skip(warp).take(1).for_each(|one| one["line"] = line.into());
    let meetings = state.warps.get(warp).map(|warp| &warp.meetings[..]).unwrap_or_default().iter();
    let meetings = meetings.map(|meeting| {
        json!({
            "line": compiled.line(&meeting.place),
            "expected": mask(meeting.expected),
            "arrived": mask(meeting.arrived),
        })
    });
    let events = state.events.iter().map(|event| of_event(compiled, state, event));
    let instruction = state.instruction.trim_end_matches(';');
    let text = format!(
        "Step {} of {}: line {}, {}; {} of {LANES} lanes.",
        state.at + 1,
        path.stepped.executed,
        line.map_or_else(|| "?".to_owned(), |line| line.to_string()),
        instruction,
        state.active.count_ones(),
    );
    let fields = json!({
        "warp": state.warp,
        "line": line,
        "instruction": instruction,
        "code": trial.code(state.place.at.0),
        "active": mask(state.active),
        "executed": mask(state.executed),
        "warps": warps,
        "meetings": meetings.collect::<Vec<_>>(),
        "variables": variables(compiled, &path.variables, state),
        "registers": registers(compiled, &path.variables, state),
        "shared": shared::reported(&compiled.source.text, state),
        "events": events.collect::<Vec<_>>(),
        "eventsLeftOut": state.events_left_out,
        "text": text,
    });
    match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn mask(lanes: u32) -> String {
    format!("{lanes:08x}")
}

/// A warp of the block: where its lanes are, and what they wait for.
fn of_warp(compiled: &Compiled, warp: &WarpState) -> Value {
    let path = |path: &device::stepping::Path| {
        json!({
            "lanes": mask(path.lanes),
            "line": compiled.line(&path.at),
            "does": match path.does {
                Doing::Running => "runs",
                Doing::Ready => "is ready",
                Doing::Meeting { .. } | Doing::Barrier { .. } | Doing::Cluster | Doing::Gathering => "waits",
            },
            "waits": waits(path.does),
        })
    };
    let active = |does: &dyn Fn(&Doing) -> bool| -> u32 {
        warp.paths.iter().filter(|path| does(&path.does)).fold(0, |lanes, path| lanes | path.lanes)
    };
    let running = warp.paths.iter().find(|path| path.does == Doing::Running).or(warp.paths.first());
    // Lanes wait for those that are on other paths; the warp waits where none of it can continue.
    let stands = warp.paths.iter().all(|path| waits(path.does).is_some());
    let waiting = running.filter(|_| stands).and_then(|path| waits(path.does));
    json!({
        "lanes": mask(warp.lanes),
        "active": mask(active(&|does| matches!(does, Doing::Running | Doing::Ready))),
        "line": running.and_then(|path| compiled.line(&path.at)),
        "waits": waiting,
        "done": warp.paths.is_empty(),
        "executed": warp.executed,
        "paths": warp.paths.iter().map(path).collect::<Vec<_>>(),
    })
}

/// What lanes wait for, in words.
fn waits(does: Doing) -> Option<String> {
    match does {
        Doing::Running | Doing::Ready => None,
        Doing::Meeting { awaits } => Some(format!("{} lanes of the warp", awaits.count_ones())),
        Doing::Barrier { number, threads: None } => Some(format!("barrier {number}")),
        Doing::Barrier { number, threads: Some(threads) } => {
            Some(format!("barrier {number} of {threads} threads"))
        }
        Doing::Cluster => Some("the cluster's barrier".to_owned()),
        Doing::Gathering => Some("other lanes of the warp".to_owned()),
    }
}

/// An access, in words.
fn of_event(compiled: &Compiled, state: &State, event: &Event) -> Value {
    let access = &event.access;
    let lanes: usize = access.parts.iter().map(|part| part.lanes.len()).sum();
    let parts = access.parts.iter().map(|part| {
        let (first, end) = part.lanes.iter().fold((u64::MAX, 0), |(first, end), (_, at)| {
            (first.min(*at), end.max(at + u64::from(access.bytes)))
        });
        // Shared memory has variables, of which that of the first byte is named where it has all.
        let variable = state.shared_variables.iter().filter(|_| part.space == Space::Shared);
        let variable = variable
            .filter(|(_, start, bytes)| {
                u64::from(*start) <= first && end <= u64::from(*start) + u64::from(*bytes)
            })
            .map(|(name, start, _)| (name, u64::from(*start)))
            .next();
        let (memory, start) = variable.unwrap_or((&part.memory, 0));
        let name = names::readable(memory);
        let name = name.rsplit("::").next().unwrap_or_default();
        format!("`{name}`, bytes {} to {}", first.saturating_sub(start), end.saturating_sub(start + 1))
    });
    let parts = parts.collect::<Vec<_>>().join("; ");
    let text = format!("{}: {lanes} {}, {parts}", access.mnemonic, if lanes == 1 { "lane" } else { "lanes" });
    json!({
        "at": event.at,
        "warp": access.warp,
        "line": compiled.line(&access.place),
        "space": access.parts.first().map(|part| format!("{:?}", part.space).to_lowercase()),
        "text": text,
    })
}

/// What was written last, of several.
fn latest(written: &[Option<Write>; LANES]) -> Option<Write> {
    written.iter().flatten().copied().max_by_key(|write| write.at)
}

fn registers(compiled: &Compiled, variables: &Variables, state: &State) -> Vec<Value> {
    let row = |register: &RegisterState| {
        let write = latest(&register.written);
        let line = write.map_or(0, |write| write.line);
        json!({
            "name": register.name,
            "type": register.ty,
            "line": source_line(compiled, line),
            "variable": variables.at(line),
            "values": values(compiled, register),
        })
    };
    state.registers.iter().map(row).collect()
}

/// Variables whose names are known, each lane with what was written for it last.
fn variables(compiled: &Compiled, variables: &Variables, state: &State) -> Vec<Value> {
    let mut order = vec![];
    let mut all: BTreeMap<&str, [Option<(Write, usize)>; LANES]> = BTreeMap::new();
    for (number, register) in state.registers.iter().enumerate() {
        for (lane, write) in register.written.iter().enumerate() {
            let Some(write) = write else { continue };
            let Some(name) = variables.at(write.line) else { continue };
            let lanes = all.entry(name).or_insert_with(|| {
                order.push(name);
                [None; LANES]
            });
            if lanes[lane].is_none_or(|(before, _)| before.at <= write.at) {
                lanes[lane] = Some((*write, number));
            }
        }
    }
    let row = |name: &&str| {
        let lanes = &all[name];
        let value = |lane: usize| {
            lanes[lane]
                .map_or_else(String::new, |(_, number)| value(compiled, &state.registers[number], lane))
        };
        let last = lanes.iter().flatten().max_by_key(|(write, _)| write.at);
        json!({
            "name": name,
            "type": last.map(|(_, number)| state.registers[*number].ty.as_str()),
            "line": last.and_then(|(write, _)| source_line(compiled, write.line)),
            "values": (0..LANES).map(value).collect::<Vec<_>>(),
        })
    };
    order.iter().map(row).collect()
}

/// The line of the text that a line of the PTX was made from.
fn source_line(compiled: &Compiled, line: u32) -> Option<u32> {
    if compiled.source.language == Language::Ptx {
        return (line > 0).then_some(line);
    }
    let position = compiled.sources.position(compiled.origins.span(line)?.lo)?;
    (position.file.name == compiled.source.name).then_some(position.line)
}

fn values(compiled: &Compiled, register: &RegisterState) -> Vec<String> {
    (0..LANES).map(|lane| value(compiled, register, lane)).collect()
}

/// A lane's value, by the type of the instruction that wrote it; nothing where nothing was written.
fn value(compiled: &Compiled, register: &RegisterState, lane: usize) -> String {
    let Some(write) = register.written[lane] else { return String::new() };
    let bits = register.values[lane];
    let text = compiled.ptx.lines().nth((write.line as usize).saturating_sub(1)).unwrap_or_default();
    let opcode = text.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or_default();
    let unsigned = !opcode.starts_with("ld.") && !opcode.starts_with("mov.") && opcode.contains(".u");
    match register.ty.as_str() {
        "pred" => (if bits == 0 { "false" } else { "true" }).to_owned(),
        "f32" => shared::float(f32::from_bits(bits as u32)),
        "f64" => format!("{}", f64::from_bits(bits)),
        "b64" | "s64" | "u64" if bits >= ADDRESSES && bits.wrapping_neg() >= ADDRESSES => {
            format!("0x{bits:x}")
        }
        "b64" | "s64" => (bits as i64).to_string(),
        "b16" | "s16" if !unsigned => (bits as u16 as i16).to_string(),
        "b32" | "s32" if !unsigned => (bits as u32 as i32).to_string(),
        _ => bits.to_string(),
    }
}
