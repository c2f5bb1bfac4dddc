//! Single accesses to memory of what ran last, drawn as the book draws them.
//!
//! Enters: a line, and a warp of a block of a launch. Leaves: the picture of one of the line's accesses, and the same in
//! words. The trial runs again up to that launch, in which accesses are noted; it continues after faults, so that what led to
//! one can be looked at. This module must never know where the picture is shown.

use crate::execution::{Execution, NOTHING};
use crate::field;
use checker::bench;
use cuda::source::Origin;
use device::{AccessKind, Device as _, Launch, Options, Outcome, Space, Trace, TracedAccess};
use exercise::manifest::CaseStep;
use render::Single;
use serde_json::{Value, json};

/// Accesses of a warp that are noted at the most.
const MOST: u32 = 1 << 15;

/// Counters that say most of an access, the most telling first: what it asks for more than its share of.
pub(crate) const TELLING: [&str; 5] = [
    "shared_load_bank_conflicts",
    "shared_store_bank_conflicts",
    "const_replays",
    "global_load_sectors",
    "global_store_sectors",
];

/// A warp of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Warp {
    pub(crate) launch: u64,
    pub(crate) block: [u32; 3],
    pub(crate) warp: u32,
}

/// What a warp accessed.
#[derive(Debug)]
pub(crate) struct Noted {
    of: Warp,
    shape: Shape,
    accesses: Vec<TracedAccess>,
    left_out: u64,
}

/// A launch's dimensions, and its kernel as the source calls it.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    warps: u32,
}

impl Shape {
    /// Blocks in x, y, z.
    pub(crate) fn grid(&self) -> [u32; 3] {
        self.grid
    }

    /// The kernel's name in the source.
    pub(crate) fn kernel(&self) -> &str {
        &self.kernel
    }

    pub(crate) fn of(launch: &Launch) -> Self {
        let kernel = names::readable(&launch.kernel);
        let kernel = kernel.split(['(', '<']).next().unwrap_or_default();
        let kernel = kernel.rsplit(' ').next().unwrap_or_default().to_owned();
        let threads: u64 = launch.block.iter().map(|n| u64::from(*n)).product();
        Shape { kernel, grid: launch.grid, block: launch.block, warps: threads.div_ceil(32) as u32 }
    }

    /// What is wrong with a block and a warp of it.
    pub(crate) fn check(&self, block: [u32; 3], warp: Option<u32>) -> Result<(), String> {
        if block.iter().zip(&self.grid).any(|(index, size)| index >= size) {
            return Err(format!(
                "there is no block {}: the grid has {}",
                index(block),
                self.grid.map(|n| n.to_string()).join(" × ")
            ));
        }
        match warp {
            Some(warp) if warp >= self.warps => {
                Err(format!("there is no warp {warp}: a block has {}", self.warps))
            }
            _ => Ok(()),
        }
    }

    /// The index of a thread of a block, by its number there.
    fn thread(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.block.map(|n| n.max(1));
        [number % x, number / x % y, number / x / y]
    }
}

impl Noted {
    /// What a launch gave of the warp, whose accesses leave the outcome.
    pub(crate) fn of(of: Warp, launch: &Launch, outcome: Option<&mut Outcome>) -> Self {
        let (accesses, left_out) =
            outcome.map_or((vec![], 0), |outcome| (std::mem::take(&mut outcome.accesses), outcome.left_out));
        Noted { of, shape: Shape::of(launch), accesses, left_out }
    }
}

impl Warp {
    /// Has the next launch note what the warp accesses.
    ///
    /// # Errors
    /// A launch that has no such warp.
    pub(crate) fn note(self, launch: &Launch, options: &mut Options) -> Result<(), String> {
        Shape::of(launch).check(self.block, Some(self.warp))?;
        let warps = 1u32.checked_shl(self.warp).unwrap_or(0);
        options.trace = Some(Trace { block: Some(self.block), warps, space: None, most: MOST });
        Ok(())
    }

    /// The warp of a request, without which it is the first, and whether one was named.
    pub(crate) fn of(request: &Value) -> Result<(Self, bool), String> {
        let small = |value: u64| u32::try_from(value).map_err(|_| format!("{value} is too large"));
        let block = match &request["block"] {
            Value::Null => [0; 3],
            _ => field::read(request, "block")?,
        };
        let launch = field::number(request, "launch", 0)?;
        let warp = small(field::number(request, "warp", 0)?)?;
        Ok((Warp { launch, block, warp }, !request["warp"].is_null()))
    }
}

impl Execution {
    /// How many launches it has.
    pub(crate) fn launches(&self) -> u64 {
        let setup = self.live.setup();
        let passes = setup.passes.map_or(1, |formula| {
            self.case.value(setup, formula, &|_| None).ok().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
        });
        passes.saturating_mul(
            setup.steps.iter().filter(|step| matches!(step, CaseStep::Launch(_))).count() as u64
        )
    }

    /// The text that an instruction was made from, in one line.
    pub(crate) fn code(&self, line_of_ptx: u32) -> Option<String> {
        let span = self.compiled.origins.span(line_of_ptx)?;
        let text = self.compiled.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    }
}

/// The response to a request for an access of a line.
pub(crate) fn access(
    last: Option<&Execution>,
    known: &mut Option<Noted>,
    request: &Value,
) -> Result<Value, String> {
    let trial = last.ok_or(NOTHING)?;
    let (of, _) = Warp::of(request)?;
    let noted = match known.take().filter(|noted| noted.of == of) {
        Some(noted) => noted,
        None => note(trial, of)?,
    };
    answer(trial, known.insert(noted), request)
}

fn answer(trial: &Execution, noted: &Noted, request: &Value) -> Result<Value, String> {
    let (line, of) = (field::number(request, "line", 0)?, noted.of);
    let here = of_line(trial, noted, line);
    let index = match &request["index"] {
        Value::Null if request["form"] == "compact" => costliest(&here) as u64,
        _ => field::number(request, "index", 0)?,
    };
    let iteration = field::number(request, "iteration", 0)?;
    let iterations = here.get(index as usize).map_or(0, |(_, accesses)| accesses.len());
    let mut response = json!({
        "svg": null,
        "text": "",
        "letters": null,
        "instruction": null,
        "code": null,
        "line": line,
        "iterations": iterations,
        "iteration": iteration,
        "warps": noted.shape.warps,
        "blocks": noted.shape.grid,
        "launches": trial.launches(),
        "index": index,
        "of": here.len(),
        "leftOut": noted.left_out,
        "lanes": [],
    });
    let who = format!("warp {} of block {}", of.warp, self::index(of.block));
    if here.is_empty() {
        response["text"] = format!("Line {line}: {who} makes no access to memory that is noted here.").into();
        return Ok(response);
    }
    let (_, accesses) = here.get(index as usize).ok_or_else(|| {
        format!(
            "line {line} has {} to memory, numbered from 0: there is no {index}",
            plural(here.len(), "access")
        )
    })?;
    let one = accesses.get(iteration as usize).ok_or_else(|| {
        format!(
            "{who} makes this access {}, numbered from 0: there is no {iteration}",
            plural(iterations, "time")
        )
    })?;
    let code = trial.code(one.place.at.0);
    let title = code.as_deref().unwrap_or(&one.mnemonic);
    let iteration_in_words =
        if iterations > 1 { format!(", iteration {} of {iterations}", iteration + 1) } else { String::new() };
    response["instruction"] = one.mnemonic.as_str().into();
    let recorded = traced::recorded_whole(one, (&trial.compiled.source.name, line as u32));
    let drawn = recorded.and_then(|access| {
        let (kernel, grid) = (noted.shape.kernel.as_str(), noted.shape.grid);
        let id = field::optional_text(request, "id")?.unwrap_or("access");
        let single = Single { access: &access, kernel, grid, block: of.block, title, id };
        let svg = match &request["form"] {
            Value::Null => single.svg(),
            form if form == "narrow" => single.narrow_svg(),
            form if form == "compact" => single.compact_svg(),
            form => return Err(format!("`{form}` is not a form: there are narrow and compact")),
        };
        Ok((svg.map_err(|error| error.to_string())?, access))
    });
    let counted = match drawn {
        Ok((svg, access)) => {
            response["svg"] = svg.into();
            let letters = render::access_as_text(&access, "");
            let counted = letters.as_ref().and_then(|text| text.lines().last()).map(str::to_owned);
            response["letters"] = letters.into();
            response["lanes"] = lanes(noted, one).into();
            // As records have it: what is drawn later, elsewhere, is the same.
            if request["recorded"] == true {
                response["recorded"] =
                    json!({ "access": access, "kernel": noted.shape.kernel, "title": title });
            }
            counted.unwrap_or_default()
        }
        Err(why) => format!("It is not drawn: {why}."),
    };
    response["text"] =
        format!("{title}, {} in line {line}, {who}{iteration_in_words}. {counted}", one.mnemonic).into();
    response["code"] = code.into();
    Ok(response)
}

/// The access of a line that costs the most by the most telling counter, the first of several.
fn costliest(here: &[(Key, Vec<&TracedAccess>)]) -> usize {
    let cost = |(_, all): &(Key, Vec<&TracedAccess>)| {
        let of = |name: &str| all.iter().filter_map(|one| one.cost.get(name)).sum::<u64>();
        TELLING.map(of)
    };
    let most = here.iter().enumerate().rev().max_by_key(|(_, one)| cost(one));
    most.map_or(0, |(at, _)| at)
}

/// The lanes of an access that have an address: lane, index of its thread, address in words.
fn lanes(noted: &Noted, one: &TracedAccess) -> Vec<Value> {
    let bytes = u64::from(one.bytes.max(1));
    let address = |space: Space, memory: &str, at: u64| match space {
        Space::Shared => {
            format!("byte {at} of shared memory: word {} in bank {}", at / 4, at / 4 % 32)
        }
        Space::Global if at.is_multiple_of(bytes) => {
            format!("byte {at} of `{memory}`, its element {}: sector {}", at / bytes, at / 32)
        }
        Space::Global => format!("byte {at} of `{memory}`: sector {}", at / 32),
        Space::Constant | Space::Local | Space::Texture => format!("byte {at} of `{memory}`"),
    };
    let of_part = |part: &device::Part| {
        let (space, memory) = (part.space, part.memory.clone());
        let lane = |(lane, at): &(u32, u64)| {
            json!({
                "lane": lane,
                "thread": noted.shape.thread(noted.of.warp * 32 + lane),
                "address": address(space, &memory, *at),
            })
        };
        part.lanes.iter().map(lane).collect::<Vec<_>>()
    };
    one.parts.iter().filter(|_| one.fetch.is_none()).flat_map(of_part).collect()
}

/// Runs a trial up to a launch, and notes what a warp accesses there.
fn note(trial: &Execution, of: Warp) -> Result<Noted, String> {
    let (mut number, mut noted) = (0, None);
    let ran = trial.run(&|options| options.keep_going = true, &mut |device, launch| {
        if number < of.launch {
            number += 1;
            return Ok(device.launch(launch)?);
        }
        noted = Some(match of.note(launch, device.options()) {
            Ok(()) => Ok(Noted::of(of, launch, device.launch(launch)?.as_mut())),
            Err(why) => Err(why),
        });
        Err(bench::Error::Left)
    });
    match (noted, ran) {
        (Some(noted), _) => noted,
        (None, Err(error)) => Err(names::readable(&error.to_string()).into_owned()),
        (None, Ok(_)) => Err(no_launch(trial, of.launch)),
    }
}

/// What is wrong with the number of a launch.
pub(crate) fn no_launch(trial: &Execution, launch: u64) -> String {
    format!(
        "there is no launch {launch}: the run has {}, numbered from 0",
        plural(trial.launches() as usize, "launch")
    )
}

/// What distinguishes the accesses of a line. Copies of a loop's body are one; two calls of a function that was inlined are two.
type Key = (Option<Origin>, u32, AccessKind, Option<Space>);

/// The accesses of a line, each with all its iterations, in the order in which they are made first.
fn of_line<'n>(trial: &Execution, noted: &'n Noted, line: u64) -> Vec<(Key, Vec<&'n TracedAccess>)> {
    let mut all: Vec<(Key, Vec<&TracedAccess>)> = vec![];
    let here = |one: &&TracedAccess| trial.compiled.line(&one.place).map(u64::from) == Some(line);
    for one in noted.accesses.iter().filter(here) {
        let origin = trial.compiled.origins.origin(one.place.at.0);
        let key = (
            origin,
            if origin.is_some() { 0 } else { one.place.at.0 },
            one.kind,
            one.parts.first().map(|part| part.space),
        );
        match all.iter_mut().find(|(known, _)| *known == key) {
            Some((_, iterations)) => iterations.push(one),
            None => all.push((key, vec![one])),
        }
    }
    all
}

/// `(3, 4, 5)`.
pub(crate) fn index([x, y, z]: [u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

/// `1 access`, `2 accesses`.
fn plural(n: usize, what: &str) -> String {
    let end = match what {
        _ if n == 1 => "",
        _ if what.ends_with(['s', 'h']) => "es",
        _ => "s",
    };
    format!("{n} {what}{end}")
}
