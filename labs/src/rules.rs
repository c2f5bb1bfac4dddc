//! Parts that the rules of all labs share: look-ups in a record, and common verdicts.

use record::{Check, Record, Source, Verdict};

/// Two times or rates closer than this are called equal.
pub(crate) const EQUAL: f64 = 0.05;

/// Whether two values are equal within the scatter of times.
pub(crate) fn equal(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() <= EQUAL
}

pub(crate) fn is_modelled(record: &Record) -> bool {
    record.device.source() == Source::Modelled
}

/// The value of a fact.
pub(crate) fn fact(record: &Record, name: &str) -> Option<f64> {
    record.facts.get(name).map(|fact| fact.value)
}

pub(crate) fn check<'r>(record: &'r Record, id: &str) -> Option<&'r Check> {
    record.checks.iter().find(|check| check.id == id)
}

/// Verdict on a claim that a check tests directly: it holds if the check passed.
pub(crate) fn as_checked(record: &Record, id: &str) -> (Verdict, String) {
    let Some(check) = check(record, id) else { return missing() };
    (if check.passed { Verdict::Holds } else { Verdict::DoesNotHold }, check.found.clone())
}

pub(crate) fn missing() -> (Verdict, String) {
    (Verdict::NotShown, "this run did not take the points that would tell".to_owned())
}

/// Reason for a claim that the embedded device cannot test and a GPU can.
pub(crate) fn only_a_gpu(why: &str) -> (Verdict, String) {
    (Verdict::NotShown, format!("{why}, so it cannot test this; a GPU can"))
}
