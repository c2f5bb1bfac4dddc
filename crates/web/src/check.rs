//! Exercises in the page: given and checked as in the terminal.
//!
//! Enters: an exercise as data, and a text. Leaves: its skeleton, or the verdict with what the terminal prints, messages, counts,
//! hints and a picture, or the solution with what both cost. This module must never know which exercises there are: a page that has none loads none.

use crate::{field, message};
use checker::{Both, Case, Costs, Measured, Verdict};
use exercise::manifest::title;
use exercise::{Packed, Task};
use render::format;
use serde_json::{Value, json};

/// What executes the host side of programs; nothing without the feature for it.
#[cfg(feature = "host")]
pub(crate) type Platform<'a> = Option<&'a crate::Platform>;
#[cfg(not(feature = "host"))]
pub(crate) type Platform<'a> = Option<&'a ()>;

const NO_HOST: &str = "nothing here executes the host side of programs";

/// The exercise of a request.
fn task(request: &Value) -> Result<Task, String> {
    let packed: Packed = field::read(request, "exercise")?;
    packed.tasks()?.into_iter().next().ok_or_else(|| "`exercise` has none".to_owned())
}

/// The response to a request for an exercise.
pub(crate) fn exercise(request: &Value) -> Result<Value, String> {
    let task = &task(request)?;
    let exercise = &task.exercise;
    Ok(json!({
        "skeleton": task.skeleton(),
        "title": exercise.title,
        "brief": task.brief(),
        "points": exercise.points,
        "chapter": exercise.chapter,
        "file": file(task),
    }))
}

/// The response to a request to check a text.
pub(crate) fn check(platform: Platform<'_>, request: &Value) -> Result<Value, String> {
    let task = &task(request)?;
    let text = field::text(request, "text")?;
    if field::optional_text(request, "language")?.is_some_and(|language| language != "cuda") {
        return Err("exercises are done in CUDA C".to_owned());
    }
    let name = file(task);
    // What has passed the shown numbers is checked with others every time.
    let mut cases = Case::shown(&task.exercise);
    if !request["seed"].is_null() {
        cases.extend(Case::again(&task.exercise, field::number(request, "seed", 0)?));
    }
    let verdict = verdict(platform, task, &name, text, &cases)?;
    let feedback::Messages { diagnostics, sources, .. } = feedback::messages(&verdict, task, &name, text);
    let found = verdict.found_closely();
    let hint = found.as_deref().and_then(|found| task.exercise.hint(Some(found)));
    Ok(json!({
        "passed": verdict.passed(),
        "title": task.exercise.title,
        "text": feedback::feedback(&verdict, task, &name, text, false),
        "messages": message::messages(&diagnostics, &sources, &[&name]),
        "svg": feedback::picture(&verdict, task, "verdict", request["narrow"] == true),
        "measured": verdict.measured.iter().map(measured).collect::<Vec<_>>(),
        "found": found,
        "hints": hint.map(|hint| &hint.tiers[..]).unwrap_or_default(),
    }))
}

/// The response to a request for the workbook's own solution, with what it and a text that has passed cost.
pub(crate) fn compare(platform: Platform<'_>, request: &Value) -> Result<Value, String> {
    let task = &task(request)?;
    let text = field::text(request, "text")?;
    let case = checker::compared(task).ok_or("the exercise has no cases")?;
    let solution = task.variants.solution();
    let of = |text: &str| costs(platform, task, text, &case)?.ok_or("it does not run to its end".to_owned());
    let (yours, ours) = (of(text)?, of(&solution)?);
    Ok(json!({
        "solution": solution,
        "case": case.words(),
        "device": device::GRADED_CHIP,
        "yours": timed(&yours),
        "solutions": timed(&ours),
        "rows": checker::side_by_side(&yours, &ours).iter().map(row).collect::<Vec<_>>(),
    }))
}

fn timed(costs: &Costs) -> Value {
    json!({ "time": format::time_ns(costs.modelled_ns), "limit": costs.limit.map(|limit| limit.0) })
}

fn row(of: &Both) -> Value {
    let Both { name, title, unit, yours, solutions } = of;
    json!({ "name": name, "title": title, "unit": unit, "yours": yours, "solutions": solutions })
}

/// The costs of a text, of either kind of exercise.
fn costs(platform: Platform<'_>, task: &Task, text: &str, case: &Case) -> Result<Option<Costs>, String> {
    let costs = match (&task.exercise.program, platform) {
        (None, _) => checker::costs(task, &file(task), text, case),
        #[cfg(feature = "host")]
        (Some(_), Some(platform)) => checker::costs_with(task, &file(task), text, case, &*platform.engine),
        _ => return Err(NO_HOST.to_owned()),
    };
    costs.map_err(|defect| defect.to_string())
}

/// The verdict on a text, of either kind of exercise.
fn verdict(
    platform: Platform<'_>,
    task: &Task,
    name: &str,
    text: &str,
    cases: &[Case],
) -> Result<Verdict, String> {
    let verdict = match (&task.exercise.program, platform) {
        (None, _) => checker::check(task, name, text, cases),
        #[cfg(feature = "host")]
        (Some(_), Some(platform)) => checker::check_with(task, name, text, cases, &*platform.engine, None),
        _ => return Err(NO_HOST.to_owned()),
    };
    verdict.map_err(|defect| defect.to_string())
}

fn file(task: &Task) -> String {
    format!("{}.cu", task.exercise.name)
}

fn measured(one: &Measured) -> Value {
    json!({
        "title": title(&one.count),
        "value": one.value,
        "allowed": feedback::allowed(one),
        "holds": one.holds(),
    })
}
