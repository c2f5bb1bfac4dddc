//! What the source says of linear memory, and what a run says to it.

use super::{list, mistakes};
use crate::Rule;
use record::{Check, Record, Source, Verdict};

pub(super) const RULES: &[(&str, Rule)] = &[
    ("linear-memory-in-40-bits", address_bits),
    ("linear-memory-holds-linked-structures", linked),
    ("the-kind-is-the-direction", direction),
];

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

fn check<'r>(record: &'r Record, id: &str) -> Option<&'r Check> {
    record.checks.iter().find(|check| check.id == id)
}

fn missing() -> (Verdict, String) {
    (NotShown, "this run did not try it".to_owned())
}

fn address_bits(record: &Record) -> (Verdict, String) {
    if record.device.source() == Source::Modelled {
        return (NotShown, "the embedded device chooses its addresses itself; a GPU can tell".to_owned());
    }
    let Some(check) = check(record, mistakes::ADDRESSES) else { return missing() };
    let Some(bits) = check.found.split(' ').next().and_then(|word| word.parse::<u32>().ok()) else {
        return missing();
    };
    (if bits <= 40 { Holds } else { DoesNotHold }, check.found.clone())
}

fn linked(record: &Record) -> (Verdict, String) {
    let Some(check) = check(record, list::CHECK) else { return missing() };
    (if check.passed { Holds } else { DoesNotHold }, check.found.clone())
}

fn direction(record: &Record) -> (Verdict, String) {
    if record.device.source() == Source::Modelled {
        let why = "the embedded device has no addresses in common with the host, so it refuses by itself; a GPU can tell";
        return (NotShown, why.to_owned());
    }
    let (Some(pageable), Some(pinned)) =
        (check(record, mistakes::WRONG_PAGEABLE), check(record, mistakes::WRONG_PINNED))
    else {
        return missing();
    };
    let refused = |check: &Check| !check.found.starts_with(mistakes::NO_ERROR);
    let why = format!(
        "a copy to the host by the call for the other direction: with pageable memory `{}`, with pinned memory `{}`",
        pageable.found, pinned.found
    );
    let verdict = match (refused(pageable), refused(pinned)) {
        (true, true) => Holds,
        (true, false) | (false, true) => HoldsInPart,
        (false, false) => DoesNotHold,
    };
    (verdict, why)
}
