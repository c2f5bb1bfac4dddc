//! Live kernels run: their results, counters and faults next to those of the text as it came.
//!
//! Enters: a live kernel, its parameters, a text. Leaves: the response, and the trial, which later requests look into.
//! What runs is the embedded device with all its checks, block after block, so that every run is the same. This module must
//! never know how anything is shown.

use crate::access::{self, Noted, Shape, TELLING, Warp};
use crate::baseline::{Baseline, RunRequest};
use crate::compile::{Compiled, SourceText};
use crate::execution::Execution;
use crate::last_run::LastRun;
use crate::{field, lines, message, output};
use checker::Case;
use checker::bench::{self, Launcher, Program, Ran};
use checker::data;
use counters::Counters;
use cuda::diagnostic::Diagnostic;
use device::{Checks, Device, Embedded, FaultKind, GRADED_CHIP as CHIP, Options, SimtError};
use exercise::expression::Expression;
use exercise::live::Live;
use exercise::manifest::CaseStep;
use render::format;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Instructions of threads that a run may have, if the request says nothing else.
const BUDGET: u64 = 200_000_000;
/// Threads of a warp.
const WARP: u64 = 32;
/// Elements that all buffers may have together: a page has no more than 4 GiB of memory, and holds them several times.
const ELEMENTS: i64 = 1 << 24;
/// Bytes that a device's buffers, heap and variables may have.
const MEMORY: u64 = 1 << 29;
/// Bytes of registers and local memory that a block may have.
const STACK: u64 = 1 << 27;
/// Seed of random contents.
const SEED: u64 = 1;
/// What to do about a kernel that is missing in a text with templates.
const TEMPLATE: &str = "a template's kernel is launched by the name of an instance, with all of its arguments: `k<float, 4>` where \
                        the source has `template <typename T, int N> __global__ void k(T *p)`";

/// What to do about an argument that is of another type than its parameter.
const TYPES: &str = "nothing converts it: give the buffer elements of the parameter's type, or write the value with that type";

impl Execution {
    /// Runs it on a device of its own, whose options `configure` may change and whose launches `launch` makes.
    pub(crate) fn run(
        &self,
        configure: &dyn Fn(&mut Options),
        launch: Launcher<'_, Embedded>,
    ) -> Result<Ran, bench::Error> {
        let mut device = self.device()?;
        configure(device.options());
        bench::run_with(&self.case, &self.contents, self.program(), &mut device, launch)
    }

    fn device(&self) -> Result<Embedded, device::Error> {
        let mut device = Embedded::new(CHIP)?;
        device.limit(self.budget);
        let options = device.options();
        options.checks = Checks::ALL;
        options.deterministic = true;
        options.budget = self.budget;
        options.budget_per_byte = 0;
        (options.memory_bytes, options.stack_bytes) = (MEMORY, STACK);
        Ok(device)
    }

    fn program(&self) -> Program<'_> {
        let Compiled { source, ptx, typed, .. } = &self.compiled;
        Program { name: &source.name, ptx, setup: self.live.setup(), symbols: true, typed }
    }

    /// Runs it with what each of its instructions counts, and what a warp accesses, if there is that warp.
    pub(crate) fn profiled(&self, look: Option<Warp>) -> Result<Profiled, bench::Error> {
        let (mut kernels, mut noted) = (vec![], None);
        let ran = self.run(&|options| options.profile = true, &mut |device, launch| {
            let here = look.filter(|warp| warp.launch == kernels.len() as u64);
            let here = here.filter(|warp| warp.note(launch, device.options()).is_ok());
            kernels.push(Shape::of(launch).kernel().to_owned());
            let mut outcome = device.launch(launch)?;
            if let Some(warp) = here {
                device.options().trace = None;
                noted = Some(Noted::of(warp, launch, outcome.as_mut()));
            }
            Ok(outcome)
        })?;
        Ok(Profiled { ran, kernels, noted })
    }

    /// The counts of each line.
    pub(crate) fn lines(&self, ran: &Ran) -> BTreeMap<u32, Counters> {
        let mut lines: BTreeMap<u32, Counters> = BTreeMap::new();
        for one in ran.outcomes.iter().flat_map(|(outcome, _)| &outcome.profile) {
            if let Some(line) = self.compiled.line(&one.place) {
                lines.entry(line).or_default().add(&one.counters);
            }
        }
        lines
    }
}

/// What a run gave.
pub(crate) struct Profiled {
    pub(crate) ran: Ran,
    /// The name of each launch's kernel.
    pub(crate) kernels: Vec<String>,
    /// What the warp that was looked at accessed.
    noted: Option<Noted>,
}

/// The response to a request to run a live kernel.
pub(crate) fn run(kept: &mut LastRun, noted: &mut Option<Noted>, request: &Value) -> Result<Value, String> {
    let live: Live = field::read(request, "live")?;
    live.check().map_err(|error| error.to_string())?;
    let mut source = SourceText::of(request)?;
    if request["name"].is_null() {
        source.name = live.file.rsplit('/').next().unwrap_or_default().to_owned();
    }
    let original = field::optional_text(request, "original")?;
    let other = |text: &str| SourceText { text: text.to_owned(), ..source.clone() };
    let original = original.map(|text| asked(other(text), live.clone(), request)).transpose()?;
    let pinned = &request["pinned"];
    let pinned = if pinned.is_null() {
        None
    } else {
        Some(asked(other(field::text(pinned, "text")?), reshaped(live.clone(), pinned)?, pinned)?)
    };
    let asked = asked(source, reshaped(live, request)?, request)?;
    let mut response = trial(kept, noted, request, asked, Beside { original, pinned })?;
    let look = &request["look"];
    if look.is_object() && ["done", "fault"].iter().any(|outcome| response["outcome"] == *outcome) {
        response["access"] = looked(kept, noted, look, &response["line"]);
    }
    Ok(response)
}

/// The access that the page draws: that of the line that it names or, without one, that costs the most.
fn looked(kept: &LastRun, noted: &mut Option<Noted>, look: &Value, costliest: &Value) -> Value {
    let mut look = look.clone();
    if look["line"].is_null() {
        look["line"] = costliest["line"].clone();
        look["launch"] = costliest["launch"].clone();
    }
    access::access(kept.last.as_ref(), noted, &look)
        .unwrap_or_else(|error| json!({ "svg": null, "line": look["line"], "text": error }))
}

/// The line with accesses that costs the most, by its most telling counter; what has the text that is looked at first, before.
fn costliest(trial: &Execution, lines: &[Value]) -> Value {
    let accessing = || lines.iter().filter(|line| line["accesses"] == true);
    let number = |line: &Value| line["line"].as_u64().unwrap_or(0) as usize;
    let named = trial.live.line.as_ref().and_then(|text| {
        let at = trial.compiled.source.text.lines().position(|line| line.contains(text.as_str()))?;
        accessing().find(|line| number(line) == at + 1)
    });
    let cost = |line: &Value| {
        let counters = line["counters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let value = |name: &str| {
            let found = counters.iter().find(|one| one["name"] == name)?;
            found["value"].as_u64().filter(|value| *value > 0)
        };
        let telling = TELLING.iter().find_map(|name| value(name));
        telling.or_else(|| counters.first()?["value"].as_u64()).unwrap_or(0)
    };
    // The first of several that cost the same.
    let most = || accessing().rev().max_by_key(|line| cost(line));
    named.or_else(most).map_or(Value::Null, |line| json!({ "line": line["line"], "launch": line["launch"] }))
}

/// What a run is shown next to.
#[derive(Default)]
pub(crate) struct Beside {
    /// The text as it came: its results are to be the same.
    original: Option<RunRequest>,
    /// Where the reader began, whose counters stay what they were; without it, those of the text as it came.
    pinned: Option<RunRequest>,
}

/// What is to run: a text with the parameters and contents of a request.
pub(crate) fn asked(mut source: SourceText, live: Live, request: &Value) -> Result<RunRequest, String> {
    let case = Case { sizes: sizes(&live, request)?, seed: SEED };
    for (name, formula) in &live.defines {
        let value = case.value(live.setup(), formula, &|_| None).map_err(|error| error.to_string())?;
        source.defines.push((name.clone(), value.to_string()));
    }
    source.launched = Some(launched(&live, &case));
    source.instances = instances(&live, &case);
    let contents = contents(&live, &case, request)?;
    Ok(RunRequest { source, live, case, contents })
}

/// Puts the dimensions of the request's `shapes`, one for each step that is a launch, instead of those that formulas give.
fn reshaped(mut live: Live, request: &Value) -> Result<Live, String> {
    let shapes: Option<Vec<Option<Given>>> = field::read(request, "shapes")?;
    let launches = live.steps.iter_mut().filter_map(|step| match step {
        CaseStep::Launch(launch) => Some(launch),
        _ => None,
    });
    for (launch, given) in launches.zip(shapes.into_iter().flatten()) {
        let Some(Given { grid, block }) = given else { continue };
        for (place, given) in [(&mut launch.grid, grid), (&mut launch.block, block)] {
            let Some(given) = given else { continue };
            if !(1..=3).contains(&given.len()) {
                return Err("a launch has one to three dimensions".to_owned());
            }
            *place = given.into_iter().map(Expression::number).collect();
        }
    }
    Ok(live)
}

/// Dimensions of a launch that a reader chose.
#[derive(Deserialize)]
struct Given {
    grid: Option<Vec<i64>>,
    block: Option<Vec<i64>>,
}

/// The response to a request for what a buffer of a live kernel holds before it.
pub(crate) fn initial(request: &Value) -> Result<Value, String> {
    let live: Live = field::read(request, "live")?;
    live.check().map_err(|error| error.to_string())?;
    let case = Case { sizes: sizes(&live, request)?, seed: SEED };
    let name = field::text(request, "buffer")?;
    let (at, buffer) = live.setup().buffer(name).ok_or_else(|| format!("there is no buffer `{name}`"))?;
    let contents = contents(&live, &case, request)?;
    Ok(json!({ "numbers": data::numbers(buffer.ty, &contents[at]) }))
}

/// Runs a text, and what it is shown next to.
pub(crate) fn trial(
    kept: &mut LastRun,
    noted: &mut Option<Noted>,
    request: &Value,
    asked: RunRequest,
    beside: Beside,
) -> Result<Value, String> {
    let RunRequest { source, live, case, contents } = asked;
    let budget = field::number(request, "budget", BUDGET)?.div_ceil(WARP);
    // A handle that moves leaves the text as it is.
    let known = kept.last.take().map(|trial| trial.compiled).filter(|known| known.source == source);
    let compiled = match known.map_or_else(|| source.compile(), Ok) {
        Ok(compiled) => compiled,
        Err(messages) => return Ok(ended("compile", messages)),
    };
    let mut trial = Execution { compiled, live, case, contents, buffers: Rc::default(), budget };
    let look = Some(&request["look"]).filter(|look| look.is_object());
    let look = look.map(|look| Warp::of(look).map(|(warp, _)| warp)).transpose()?;
    let Profiled { mut ran, kernels, noted: seen } = match trial.profiled(look) {
        Ok(ran) => ran,
        Err(error) => {
            let printed = match &error {
                bench::Error::Device(device::Error::Simt(SimtError::Fault(fault))) => fault.printed.clone(),
                _ => String::new(),
            };
            let mut response = stopped(&trial, error)?;
            tell_printed(&mut response, &printed);
            kept.last = Some(trial);
            return Ok(response);
        }
    };
    *noted = seen;
    let Beside { original, pinned } = beside;
    trial.buffers = Rc::new(std::mem::take(&mut ran.buffers));
    let [original, pinned] = kept.baselines.put([original, pinned], (&trial, &ran, &trial.buffers));
    let mut response = ended("done", trial.compiled.messages());
    response["host"] = json!(trial.compiled.host);
    if let Some(original) = &original {
        response["verdict"] = output::verdict(&trial, &trial.buffers, &original.buffers);
    }
    describe(&mut response, &trial, &ran, pinned.or(original).as_deref())?;
    response["kernels"] = of_kernels(&ran, &kernels).into();
    kept.last = Some(trial);
    Ok(response)
}

/// The names of the kernels that a live kernel launches, without arguments of templates and without namespaces.
fn launched(live: &Live, case: &Case) -> Vec<String> {
    let value = |formula: &Expression, pass| {
        case.value(live.setup(), formula, &|name| (name == "pass").then_some(pass))
    };
    let passes = live.passes.as_ref().map_or(Ok(1), |passes| value(passes, 0)).unwrap_or(0);
    let mut names = BTreeSet::new();
    for step in &live.steps {
        let CaseStep::Launch(launch) = step else { continue };
        // Only what has formulas in its name may have another in each pass.
        let passes = if launch.kernel.contains('{') { passes } else { passes.min(1) };
        for pass in 0..passes {
            // A name without a value is an error of the run.
            let Ok(name) = launch.kernel_name(&|formula| value(formula, pass)) else { continue };
            let name = name.split(['<', '(']).next().unwrap_or_default();
            names.insert(name.rsplit([':', ' ']).next().unwrap_or_default().to_owned());
        }
    }
    names.into_iter().collect()
}

/// The kernels that are named with arguments of their templates.
fn instances(live: &Live, case: &Case) -> Vec<String> {
    let named = live.steps.iter().filter_map(|step| match step {
        CaseStep::Launch(launch) if launch.kernel.contains('<') => Some(launch),
        _ => None,
    });
    let value = |formula: &Expression| case.value(live.setup(), formula, &|_| None);
    // A name that has the number of a pass in it is of as many kernels as there are passes: the source has to name these.
    named.filter_map(|launch| launch.kernel_name(&value).ok()).collect()
}

/// The parameters' values: those of the request, and otherwise the first ones.
fn sizes(live: &Live, request: &Value) -> Result<BTreeMap<String, i64>, String> {
    let mut sizes = live.values();
    let given = &request["parameters"];
    if given.is_null() {
        return Ok(sizes);
    }
    for (name, value) in given.as_object().ok_or("`parameters` is not an object")? {
        let parameter = live.parameters.iter().find(|parameter| parameter.name == *name);
        let parameter = parameter.ok_or_else(|| format!("there is no parameter `{name}`"))?;
        let value = value.as_i64().filter(|value| (parameter.from..=parameter.to).contains(value));
        let value = value.ok_or_else(|| {
            format!("`{name}` must be a whole number from {} to {}", parameter.from, parameter.to)
        })?;
        sizes.insert(name.clone(), value);
    }
    Ok(sizes)
}

/// Contents of the buffers: those of the request's `contents`, and otherwise as the live kernel says.
fn contents(live: &Live, case: &Case, request: &Value) -> Result<Vec<Vec<u8>>, String> {
    let mut elements = 0_i64;
    for buffer in &live.buffers {
        let len = case.value(live.setup(), &buffer.len, &|_| None).map_err(|error| error.to_string())?;
        elements = elements.saturating_add(len.max(0));
        if elements > ELEMENTS {
            return Err(format!("the buffers have more than {ELEMENTS} elements in all"));
        }
    }
    let mut all = case.contents(live.setup())?;
    let given = &request["contents"];
    if given.is_null() {
        return Ok(all);
    }
    for (name, numbers) in given.as_object().ok_or("`contents` is not an object")? {
        let found = live.setup().buffer(name);
        let (at, buffer) = found.ok_or_else(|| format!("there is no buffer `{name}`"))?;
        if buffer.init.is_none() {
            return Err(format!("`{name}` is an output, which has no contents before"));
        }
        let numbers = numbers.as_array().ok_or_else(|| format!("the contents of `{name}` are not a list"))?;
        let numbers: Option<Vec<f64>> =
            numbers.iter().take(all[at].len() / buffer.ty.bytes()).map(Value::as_f64).collect();
        let numbers = numbers.ok_or_else(|| format!("the contents of `{name}` are not numbers"))?;
        let bytes = data::bytes(buffer.ty, &numbers);
        all[at][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(all)
}

/// A response about a run of which nothing else is known.
fn ended(outcome: &str, messages: Vec<Value>) -> Value {
    json!({
        "outcome": outcome,
        "messages": messages,
        "fault": null,
        "verdict": null,
        "counters": [],
        "kernels": [],
        "lines": [],
        "line": null,
        "outputs": [],
        "instructions": 0,
        "device": CHIP,
        "modelled": null,
        "host": [],
        "printed": "",
        "printedLeftOut": 0,
    })
}

/// The response about a run that did not end.
fn stopped(trial: &Execution, error: bench::Error) -> Result<Value, String> {
    let mut messages = trial.compiled.messages();
    let Compiled { source, ptx, sources, origins, shared, .. } = &trial.compiled;
    let bench::Error::Device(error) = error else {
        // A formula without a value, or a kernel that the text does not have.
        let words = error.to_string();
        let mut reported = message::of_line(&source.text, 1, &words);
        match error {
            bench::Error::Missing(..) if source.text.contains("template") => {
                reported["help"] = TEMPLATE.into()
            }
            bench::Error::Signature(_) => reported["help"] = TYPES.into(),
            _ => {}
        }
        messages.insert(0, reported);
        let mut response = ended("refused", messages);
        response["fault"] = json!({ "kind": "launch", "message": words, "places": [] });
        return Ok(response);
    };
    let device::Error::Simt(SimtError::Fault(fault)) = error else {
        let kind = match &error {
            device::Error::Simt(error) => error.kind().unwrap_or("launch"),
            _ => "launch",
        };
        let words = names::readable(&error.to_string()).into_owned();
        let place = match &error {
            device::Error::Simt(SimtError::BadPtx { place, .. } | SimtError::Unsupported { place, .. }) => {
                trial.compiled.line(place)
            }
            _ => None,
        };
        messages.insert(0, message::of_line(&source.text, place.unwrap_or(1), &words));
        let mut response = ended("refused", messages);
        let places: Vec<Value> = place.iter().map(|line| json!({ "line": line, "what": "" })).collect();
        response["fault"] = json!({ "kind": kind, "message": words, "places": places });
        return Ok(response);
    };
    let outcome = if fault.kind == FaultKind::InfiniteLoop && !fault.proven { "budget" } else { "fault" };
    let spent = if fault.of_launch { "launch" } else { "block" };
    let kind = fault.kind.name();
    let thread = |[x, y, z]: [u32; 3]| format!("({x},{y},{z})");
    let what = |index| format!("thread {} of block {}", thread(index), thread(fault.block));
    let mut places = vec![json!({ "line": trial.compiled.line(&fault.place), "what": what(fault.thread) })];
    if let Some(other) = &fault.other {
        places.push(json!({ "line": trial.compiled.line(&other.place), "what": what(other.thread) }));
    }
    let line = trial.compiled.line(&fault.place);
    let setup = trial.live.setup();
    let stopped = bench::stopped(*fault, (ptx, shared), &trial.case, setup);
    let diagnostic = feedback::fault_message(&stopped, sources, origins, &source.name, setup.steps);
    let words = diagnostic.message.clone();
    let diagnostic =
        Diagnostic { help: diagnostic.help.or_else(|| elsewhere(&stopped.instruction)), ..diagnostic };
    if source.language == crate::compile::Language::Ptx {
        messages.insert(0, message::of_line(&source.text, line.unwrap_or(1), &words));
    } else {
        messages.splice(0..0, message::messages(&[diagnostic], sources, &[&source.name]));
    }
    let mut response = ended(outcome, messages);
    response["fault"] = json!({ "kind": kind, "message": words, "places": places });
    if outcome == "budget" {
        response["spent"] = spent.into();
    }
    Ok(response)
}

/// What a page does not have, where a fault's instruction may want it.
fn elsewhere(instruction: &str) -> Option<String> {
    let wants = ["tex.", "tld4.", "suld.", "sust.", "sured."].iter().any(|op| instruction.starts_with(op));
    wants.then(|| {
        "how many rows, slices, layers or faces it has, and whether it is a surface, is said below the editor; a texture of a page \
         has one level, and `launch` has mipmaps too"
            .to_owned()
    })
}

/// Adds what kernels printed: what a page can show of it, and how many lines are left out.
fn tell_printed(response: &mut Value, text: &str) {
    let (shown, left_out) = output::first_lines(text);
    response["printed"] = shown.into();
    response["printedLeftOut"] = left_out.into();
}

/// Adds what a run that ended gave.
fn describe(
    response: &mut Value,
    trial: &Execution,
    ran: &Ran,
    baseline: Option<&Baseline>,
) -> Result<(), String> {
    response["modelled"] = modelled(ran, baseline.map(|known| known.modelled_ns));
    response["counters"] = counted(&ran.counters, baseline.map(|known| &known.counters), &|_| true).into();
    let lines = of_lines(trial, ran, baseline);
    response["line"] = costliest(trial, &lines);
    response["lines"] = lines.into();
    response["outputs"] = output::shown(trial, &trial.buffers)?.into();
    response["instructions"] = ran.counters.thread_instructions.into();
    tell_printed(response, &ran.printed());
    Ok(())
}

/// How long the launches would take, as the labs' model has it, and what most of that is limited by, next to a baseline.
fn modelled(ran: &Ran, before: Option<f64>) -> Value {
    ran.limit().map_or(Value::Null, |limit| {
        json!({
            "time": time(ran.modelled_ns()),
            "before": before.map(time),
            "limit": limit.0,
        })
    })
}

fn time(ns: f64) -> String {
    format::time_ns(ns)
}

/// Counters that are not zero, or were not, in the catalogue's order.
fn counted(now: &Counters, before: Option<&Counters>, of: &dyn Fn(&counters::Counter) -> bool) -> Vec<Value> {
    let all = counters::ALL.iter().filter(|counter| counter.embedded && of(counter));
    let rows = all.filter_map(|counter| {
        let value = now.get(counter.name).unwrap_or(0);
        let before = before.map(|before| before.get(counter.name).unwrap_or(0));
        (value > 0 || before.is_some_and(|before| before > 0)).then(|| {
            json!({
                "name": counter.name,
                "title": counter.title,
                "unit": counter.unit.name(),
                "value": value,
                "before": before,
            })
        })
    });
    rows.collect()
}

/// The counters of each kernel, where there are several.
fn of_kernels(ran: &Ran, names: &[String]) -> Vec<Value> {
    let mut kernels: Vec<(&str, u64, Counters, f64)> = vec![];
    for ((outcome, _), name) in ran.outcomes.iter().zip(names) {
        match kernels.iter_mut().find(|(known, ..)| known == name) {
            Some((_, launches, counters, ns)) => {
                *launches += 1;
                counters.add(&outcome.counters);
                *ns += outcome.modelled_ns;
            }
            None => kernels.push((name, 1, outcome.counters, outcome.modelled_ns)),
        }
    }
    let several = kernels.len() > 1;
    let reported = kernels.into_iter().filter(|_| several).map(|(name, launches, counters, ns)| {
        json!({
            "kernel": name,
            "launches": launches,
            "time": time(ns),
            "counters": counted(&counters, None, &|_| true),
        })
    });
    reported.collect()
}

/// What the memory instructions of each line cost.
fn of_lines(trial: &Execution, ran: &Ran, baseline: Option<&Baseline>) -> Vec<Value> {
    let origins = baseline.map(|known| (lines::origins(known.text(), &trial.compiled.source.text), known));
    // The first launch that gets to a line: it is there that its accesses can be seen.
    let mut launches: BTreeMap<u32, usize> = BTreeMap::new();
    for (launch, (outcome, _)) in ran.outcomes.iter().enumerate() {
        let reached = outcome.profile.iter().filter(|one| one.counters != Counters::default());
        for line in reached.filter_map(|one| trial.compiled.line(&one.place)) {
            launches.entry(line).or_insert(launch);
        }
    }
    let rows = trial.lines(ran).into_iter().filter_map(|(line, now)| {
        let before = origins.as_ref().and_then(|(origins, known)| {
            let origin = (*origins.get(line.checked_sub(1)? as usize)?)?;
            Some(known.lines.get(&origin).copied().unwrap_or_default())
        });
        let memory = counted(&now, before.as_ref(), &|counter| counter.space.is_some());
        let accesses = memory.iter().any(|row| row["value"].as_u64().is_some_and(|value| value > 0));
        let mut row = Map::new();
        row.insert("line".to_owned(), line.into());
        row.insert("accesses".to_owned(), accesses.into());
        row.insert("launch".to_owned(), launches.get(&line).copied().unwrap_or(0).into());
        row.insert("counters".to_owned(), memory.into());
        (row["counters"] != json!([])).then_some(Value::Object(row))
    });
    rows.collect()
}
