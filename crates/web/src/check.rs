//! Exercises in the page: given and checked as in the terminal.
//!
//! Enters: an exercise's name, and a text. Leaves: its skeleton, or the verdict with what the terminal prints, messages,
//! counts, hints and a picture. This module must never know what is right.

use crate::{field, message};
use checker::{Case, Measured, Messages};
use exercise::manifest::title;
use exercise::{Packed, Task};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::OnceCell;

/// The exercises as the build packed them.
const PACKED: &str = include_str!(concat!(env!("OUT_DIR"), "/exercises.json"));

/// The exercises, read when one is asked for first.
#[derive(Debug, Default)]
pub(crate) struct Exercises(OnceCell<Result<Vec<Task>, String>>);

impl Exercises {
    fn all(&self) -> Result<&[Task], String> {
        let read = || {
            // By way of a value, as requests are read: their types need no second reader.
            let packed: Value = serde_json::from_str(PACKED).map_err(|error| error.to_string())?;
            Packed::deserialize(&packed).map_err(|error| error.to_string())?.tasks()
        };
        self.0.get_or_init(read).as_deref().map_err(String::clone)
    }

    fn named(&self, request: &Value) -> Result<&Task, String> {
        let name = field::text(request, "exercise")?;
        let task = self.all()?.iter().find(|task| task.exercise.name == name);
        task.ok_or_else(|| format!("there is no exercise `{name}`"))
    }

    /// The response to a request for all exercises.
    pub(crate) fn list(&self) -> Result<Value, String> {
        let row = |task: &Task| {
            let exercise = &task.exercise;
            json!({
                "name": exercise.name,
                "title": exercise.title,
                "chapter": exercise.chapter,
                "points": exercise.points,
            })
        };
        Ok(json!({ "exercises": self.all()?.iter().map(row).collect::<Vec<_>>() }))
    }

    /// The response to a request for an exercise.
    pub(crate) fn exercise(&self, request: &Value) -> Result<Value, String> {
        let task = self.named(request)?;
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
    pub(crate) fn check(&self, request: &Value) -> Result<Value, String> {
        let task = self.named(request)?;
        let text = field::text(request, "text")?;
        if field::optional_text(request, "language")?.is_some_and(|language| language != "cuda") {
            return Err("exercises are done in CUDA C".to_owned());
        }
        let name = file(task);
        let cases = Case::shown(&task.exercise);
        let verdict = checker::check(task, &name, text, &cases).map_err(|defect| defect.to_string())?;
        let Messages { diagnostics, sources, .. } = checker::messages(&verdict, task, &name, text);
        let found = verdict.found_closely();
        let hint = found.as_deref().and_then(|found| task.exercise.hint(Some(found)));
        Ok(json!({
            "passed": verdict.passed(),
            "title": task.exercise.title,
            "text": feedback::feedback(&verdict, task, &name, text, false),
            "messages": message::messages(&diagnostics, &sources, &name),
            "svg": feedback::picture(&verdict, task, "verdict", request["narrow"] == true),
            "measured": verdict.measured.iter().map(measured).collect::<Vec<_>>(),
            "found": found,
            "hints": hint.map(|hint| &hint.tiers[..]).unwrap_or_default(),
            "solution": verdict.passed().then(|| task.variants.solution()),
        }))
    }
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
