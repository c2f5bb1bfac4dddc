//! The source's claims on linear memory, and this lab's verdicts.

use super::{list, mistakes};
use crate::lab::Rule;
use crate::rules::{as_checked, check, fact, is_modelled, missing, only_a_gpu};
use record::{Check, Record, Verdict};

pub(super) const RULES: &[(&str, Rule)] = &[
    ("linear-memory-in-40-bits", address_bits),
    ("linear-memory-holds-linked-structures", linked),
    ("the-kind-is-the-direction", direction),
    ("copies-take-longer-than-the-kernel", copies_over_kernel),
    ("copies-at-10-gb-s", copy_rates),
];

/// Sizes of the source's copies, bytes (halos aside), and the bandwidths of its profile, GB/s: 67.1 MB in 7.165 ms to
/// the device, and in 6.615 ms at best back.
const COPIED: f64 = (64 << 20) as f64;
const RATES: [(&str, f64); 2] = [("pageable-to-device", 9.37), ("pageable-to-host", 10.1)];
/// Bandwidths closer than this are called equal: those are of another machine's bus.
const NEAR: f64 = 0.25;

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

const MODELLED: &str = "copies are modelled on the embedded device";

fn copies_over_kernel(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return only_a_gpu(MODELLED);
    }
    let fact = |name| fact(record, name);
    let (Some(ratio), Some(copies), Some(kernel)) =
        (fact("copies_over_add"), fact("copies_time"), fact("add_time"))
    else {
        return missing();
    };
    let why = format!(
        "copying both inputs and the sum takes {:.1} ms, adding {:.2} ms: {ratio:.0} times as long",
        copies / 1e6,
        kernel / 1e6
    );
    (if ratio > 1.0 { Holds } else { DoesNotHold }, why)
}

fn copy_rates(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return only_a_gpu(MODELLED);
    }
    let Some(transfer) = record.experiment("transfer") else { return missing() };
    let mut found = Vec::new();
    for (series, stated) in RATES {
        let Some(point) = transfer.series(series).and_then(|s| s.at(COPIED)) else { return missing() };
        found.push((point.y, (point.y / stated - 1.0).abs() <= NEAR));
    }
    let why =
        format!("64 MiB of pageable memory: {:.1} GB/s to the device, {:.1} back", found[0].0, found[1].0);
    let verdict = match found.iter().filter(|(_, near)| *near).count() {
        2 => Holds,
        1 => HoldsInPart,
        _ => DoesNotHold,
    };
    (verdict, why)
}

fn address_bits(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return (NotShown, "the embedded device chooses its addresses itself; a GPU can tell".to_owned());
    }
    let Some(check) = check(record, mistakes::ADDRESSES) else { return missing() };
    let Some(bits) = check.found.split(' ').next().and_then(|word| word.parse::<u32>().ok()) else {
        return missing();
    };
    (if bits <= 40 { Holds } else { DoesNotHold }, check.found.clone())
}

fn linked(record: &Record) -> (Verdict, String) {
    as_checked(record, list::CHECK)
}

fn direction(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture::{add, empty, point, state};

    fn record(measured: bool) -> Record {
        empty("lab-4-1", measured)
    }

    #[test]
    fn copies_are_held_against_the_kernel_on_a_gpu_alone() {
        let judged = |measured, ratio: f64| {
            let mut record = record(measured);
            for (name, value) in [("copies_over_add", ratio), ("copies_time", ratio * 1e6), ("add_time", 1e6)]
            {
                state(&mut record, name, value);
            }
            copies_over_kernel(&record).0
        };
        assert_eq!(
            [judged(true, 8.0), judged(true, 0.5), judged(false, 8.0)],
            [Holds, DoesNotHold, NotShown]
        );
        assert_eq!(copies_over_kernel(&record(true)).0, NotShown);
    }

    #[test]
    fn bandwidths_hold_as_far_as_they_are_near_the_stated_ones() {
        let judged = |to_device: f64, to_host: f64| {
            let mut record = record(true);
            for (series, rate) in [("pageable-to-device", to_device), ("pageable-to-host", to_host)] {
                add(&mut record, "transfer", series, [point((COPIED, rate))]);
            }
            copy_rates(&record).0
        };
        assert_eq!(
            [judged(9.0, 11.0), judged(9.0, 18.0), judged(30.0, 18.0)],
            [Holds, HoldsInPart, DoesNotHold]
        );
        assert_eq!(copy_rates(&record(true)).0, NotShown);
        assert_eq!(copy_rates(&record(false)).0, NotShown);
    }
}
