//! Single accesses to memory of what ran last, drawn as the book draws them.
//!
//! Enters: a line, and a warp of a block of a launch. Leaves: the picture of one of the line's accesses, and the same in
//! words. The trial runs again up to that launch, in which accesses are noted; it continues after faults, so that what led to
//! one can be looked at. This module must never know where the picture is shown.

use crate::execution::{Execution, NOTHING};
use crate::field;
use checker::bench;
use cuda::source::Origin;
use device::{AccessKind, Device as _, Launch, Space, Trace, TracedAccess};
use exercise::manifest::CaseStep;
use render::Single;
use serde_json::{Value, json};

/// Accesses of a warp that are noted at the most.
const MOST: u32 = 1 << 15;

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
        Shape { kernel, grid: launch.grid, warps: threads.div_ceil(32) as u32 }
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
}

impl Warp {
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
    let line = field::number(request, "line", 0)?;
    let (of, _) = Warp::of(request)?;
    let noted = match known.take().filter(|noted| noted.of == of) {
        Some(noted) => noted,
        None => note(trial, of)?,
    };
    let noted = known.insert(noted);
    let (index, iteration) = (field::number(request, "index", 0)?, field::number(request, "iteration", 0)?);
    let here = of_line(trial, noted, line);
    let iterations = here.get(index as usize).map_or(0, |(_, accesses)| accesses.len());
    let mut response = json!({
        "svg": null,
        "text": "",
        "letters": null,
        "instruction": null,
        "code": null,
        "iterations": iterations,
        "iteration": iteration,
        "warps": noted.shape.warps,
        "blocks": noted.shape.grid,
        "launches": trial.launches(),
        "index": index,
        "of": here.len(),
        "leftOut": noted.left_out,
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
        let single = Single { access: &access, kernel, grid, block: of.block, title, id: "access" };
        let narrow = request["narrow"] == true;
        let svg = if narrow { single.narrow_svg() } else { single.svg() };
        Ok((svg.map_err(|error| error.to_string())?, access))
    });
    let counted = match drawn {
        Ok((svg, access)) => {
            response["svg"] = svg.into();
            let letters = render::access_as_text(&access, "");
            let counted = letters.as_ref().and_then(|text| text.lines().last()).map(str::to_owned);
            response["letters"] = letters.into();
            counted.unwrap_or_default()
        }
        Err(why) => format!("It is not drawn: {why}."),
    };
    response["text"] =
        format!("{title}, {} in line {line}, {who}{iteration_in_words}. {counted}", one.mnemonic).into();
    response["code"] = code.into();
    Ok(response)
}

/// Runs a trial up to a launch, and notes what a warp accesses there.
fn note(trial: &Execution, of: Warp) -> Result<Noted, String> {
    let (mut number, mut noted) = (0, None);
    let ran = trial.run(&|options| options.keep_going = true, &mut |device, launch| {
        if number < of.launch {
            number += 1;
            return Ok(device.launch(launch)?);
        }
        let shape = Shape::of(launch);
        if let Err(why) = shape.check(of.block, Some(of.warp)) {
            noted = Some(Err(why));
            return Err(bench::Error::Left);
        }
        let warps = 1u32.checked_shl(of.warp).unwrap_or(0);
        device.options().trace = Some(Trace { block: Some(of.block), warps, space: None, most: MOST });
        let outcome = device.launch(launch)?;
        let (accesses, left_out) =
            outcome.map_or((vec![], 0), |outcome| (outcome.accesses, outcome.left_out));
        noted = Some(Ok(Noted { of, shape, accesses, left_out }));
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
