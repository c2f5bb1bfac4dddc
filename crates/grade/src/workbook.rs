//! What the grader knows of the labs: their names, and what each makes of a record's points.
//!
//! Enters: a lab's name, a record that nobody has reason to trust. Leaves: the lab, or the facts and verdicts that follow
//! from the record's points. A lab's functions are made for records that labs wrote, so one that panics on a record is
//! answered like any other refusal.

use crate::judge::Derived;
use labs::Lab;
use record::Record;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// The names of all labs, in the order of the chapters.
pub(crate) fn names() -> Vec<&'static str> {
    labs::ALL.iter().map(|lab| lab.name).collect()
}

/// The lab of this name.
pub(crate) fn lab(name: &str) -> Option<&'static Lab> {
    labs::ALL.iter().copied().find(|lab| lab.name == name)
}

thread_local! {
    /// Whether this thread is in [`derived`], where a panic is an answer and not worth a word.
    static DERIVING: Cell<bool> = const { Cell::new(false) };
}

/// What follows from the record's points. The record's own facts and claims are not looked at.
///
/// # Errors
/// The lab can make nothing of such points.
pub(crate) fn derived(lab: &Lab, record: &Record) -> Result<Derived, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !DERIVING.get() {
                told(panic);
            }
        }));
    });
    let mut record = record.clone();
    DERIVING.set(true);
    let derived = catch_unwind(AssertUnwindSafe(|| {
        record.facts = (lab.facts)(&record);
        let verdicts = lab.rules.iter().map(|(id, rule)| (*id, rule(&record).0)).collect();
        Derived { facts: record.facts, verdicts }
    }));
    DERIVING.set(false);
    derived.map_err(|_| "the lab can make nothing of these points".to_owned())
}
