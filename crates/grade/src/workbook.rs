//! The labs as the grader sees them: their names, their figures, and the facts that each derives from a record's
//! points.
//!
//! Enters: a lab's name, an untrusted record. Leaves: the lab, or the facts and verdicts that follow from the record's
//! points. Labs expect records that labs wrote, so a panic of theirs is reported like any other refusal.

use labs::Lab;
use record::{Record, Trace};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Once, OnceLock};

/// Names of all labs, in the order of the chapters.
pub(crate) fn names() -> Vec<&'static str> {
    labs::ALL.iter().map(|lab| lab.name).collect()
}

/// The lab of this name.
pub(crate) fn lab(name: &str) -> Option<&'static Lab> {
    labs::ALL.iter().copied().find(|lab| lab.name == name)
}

thread_local! {
    /// Whether this thread is in [`derived`], where a panic is a refusal and prints nothing.
    static DERIVING: Cell<bool> = const { Cell::new(false) };
}

/// The record with the facts and claims that its lab derives from its points, instead of its own.
///
/// # Errors
/// Points from which the lab can derive nothing.
pub(crate) fn derived(lab: &Lab, record: &Record) -> Result<Record, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let reported = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !DERIVING.get() {
                reported(panic);
            }
        }));
    });
    let mut record = record.clone();
    DERIVING.set(true);
    let derived = catch_unwind(AssertUnwindSafe(|| {
        labs::judge(lab, &mut record);
        record
    }));
    DERIVING.set(false);
    derived.map_err(|_| "the lab can conclude nothing from these points".to_owned())
}

/// Figures of a lab, which are identical in every run.
///
/// # Errors
/// Figures that cannot be drawn: an error of the workbook, which its tests find.
pub(crate) fn figures(lab: &Lab) -> Result<&'static [Trace], &'static str> {
    type Made = OnceLock<Result<Vec<Trace>, String>>;
    static FIGURES: OnceLock<Vec<Made>> = OnceLock::new();
    let all = FIGURES.get_or_init(|| labs::ALL.iter().map(|_| Made::new()).collect());
    let at = labs::ALL.iter().position(|other| other.name == lab.name).ok_or("there is no such lab")?;
    let made = all[at].get_or_init(|| labs::traces(lab).map_err(|error| format!("{error:#}")));
    made.as_deref().map_err(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::tests::answer;
    use proptest::prelude::*;
    use serde_json::Value;
    use std::sync::LazyLock;

    /// A record of every lab, as JSON, with the facts and claims that it finds.
    static RECORDS: LazyLock<Vec<Value>> = LazyLock::new(|| {
        let record = |lab: &&'static Lab| {
            let mut record = answer(lab, None).record.clone();
            labs::judge(lab, &mut record);
            serde_json::to_value(record).unwrap()
        };
        labs::ALL.iter().map(record).collect()
    });

    /// Values at which sums overflow, divisions fail and arrays end.
    fn hostile() -> impl Strategy<Value = Value> {
        prop_oneof![
            prop::sample::select(vec![0.0, -1.0, 1e-308, 1e308, -1e308, 0.5, 1e19]).prop_map(Value::from),
            prop::sample::select(vec![0, 1, 3, u64::from(u32::MAX), u64::MAX]).prop_map(Value::from),
            prop::sample::select(vec!["", "constant", "copy", "4", "x"]).prop_map(Value::from),
            Just(Value::Array(vec![])),
            Just(Value::Object(serde_json::Map::new())),
            Just(Value::Bool(false)),
        ]
    }

    /// Puts `with` at some place; an array loses all but its first items instead.
    fn change(value: &mut Value, mut way: &[u8], with: Value) {
        let mut at = value;
        while let Some((&step, rest)) = way.split_first() {
            way = rest;
            let len = match &*at {
                Value::Array(items) => items.len(),
                Value::Object(fields) => fields.len(),
                _ => 0,
            };
            if len == 0 {
                break;
            }
            let nth = usize::from(step) % len;
            at = match at {
                Value::Array(items) if rest.is_empty() && step > 200 => {
                    items.truncate(nth.max(1));
                    return;
                }
                Value::Array(items) => &mut items[nth],
                Value::Object(fields) => fields.iter_mut().nth(nth).unwrap().1,
                _ => break,
            };
        }
        *at = with;
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        #[test]
        #[ignore = "slow: .ci/run runs it"]
        fn every_lab_answers_records_that_no_lab_wrote(
            lab in any::<prop::sample::Index>(),
            changes in prop::collection::vec((prop::collection::vec(any::<u8>(), 1..8), hostile()), 1..5),
        ) {
            let at = lab.index(RECORDS.len());
            let mut json = RECORDS[at].clone();
            for (way, with) in changes {
                change(&mut json, &way, with);
            }
            // Not checked: a lab's functions must withstand more than the checks let through.
            if let Ok(record) = serde_json::from_value::<Record>(json) {
                let _ = derived(labs::ALL[at], &record);
            }
        }
    }
}
