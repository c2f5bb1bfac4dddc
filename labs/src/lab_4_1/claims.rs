//! The source's claims on linear memory, and this lab's verdicts.

use super::{list, mistakes};
use crate::lab::Rule;
use crate::rules::{as_checked, as_stated, check, fact, missing};
use record::{Check, Record, Verdict};
use render::format;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("linear-memory-in-40-bits", address_bits),
    ("linear-memory-holds-linked-structures", linked),
    ("the-kind-is-the-direction", direction),
    ("copies-take-longer-than-the-kernel", copies_over_kernel),
    ("copies-take-44-6-ms", copy_times),
    ("copies-at-10-gb-s", copy_rates),
    ("cuda-malloc-takes-131-ms", allocation),
    ("cuda-free-takes-1-5-ms", freeing),
];

/// Sizes of the source's copies, bytes (halos aside), and the bandwidths of its profile, GB/s: 67.1 MB in 7.165 ms to
/// the device, and in 6.615 ms at best back.
const COPIED: f64 = (64 << 20) as f64;
const RATES: [(&str, f64); 2] = [("pageable-to-device", 9.37), ("pageable-to-host", 10.1)];
/// The profile's copies, one to the device and two back, and its longest call of `cudaMalloc` and mean one of `cudaFree`, ns.
const COPIES_NS: f64 = 44.6e6;
const MALLOC_NS: f64 = 130.75e6;
const FREE_NS: f64 = 1.4951e6;

use Verdict::{DoesNotHold, Holds, HoldsInPart};

fn copies_over_kernel(record: &Record) -> (Verdict, String) {
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

/// Times of the copies of the source's program at these sizes: one to the device, two back.
fn copy_times(record: &Record) -> (Verdict, String) {
    let Some([to_device, to_host]) = rates(record) else { return missing() };
    let ns = COPIED / to_device + 2.0 * COPIED / to_host;
    let why = format!(
        "at the bandwidths found here, one copy of 64 MiB to the device and two back take {:.1} ms",
        ns / 1e6
    );
    (as_stated(&[ns / COPIES_NS]), why)
}

/// Bandwidths of copies of the source's size, to the device and back, GB/s.
fn rates(record: &Record) -> Option<[f64; 2]> {
    let transfer = record.experiment("transfer")?;
    let [to_device, to_host] = RATES.map(|(series, _)| Some(transfer.series(series)?.at(COPIED)?.y));
    Some([to_device?, to_host?])
}

fn copy_rates(record: &Record) -> (Verdict, String) {
    let Some([to_device, to_host]) = rates(record) else { return missing() };
    let why = format!("64 MiB of pageable memory: {to_device:.1} GB/s to the device, {to_host:.1} back");
    (as_stated(&[to_device / RATES[0].1, to_host / RATES[1].1]), why)
}

fn allocation(record: &Record) -> (Verdict, String) {
    let (Some(least), Some(most)) = (fact(record, "allocate_smallest"), fact(record, "allocate_largest"))
    else {
        return missing();
    };
    let why = format!(
        "{} for the smallest size and {} for the largest here, once the program is set up; the source's longest call does that too",
        format::time_ns(least),
        format::time_ns(most)
    );
    // A call that finds the device set up cannot show how long that took.
    (if most > MALLOC_NS { Holds } else { Verdict::NotShown }, why)
}

fn freeing(record: &Record) -> (Verdict, String) {
    let (Some(least), Some(most)) = (fact(record, "free_smallest"), fact(record, "free_largest")) else {
        return missing();
    };
    let why = format!(
        "{} for the smallest size and {} for the largest here",
        format::time_ns(least),
        format::time_ns(most)
    );
    (if (least..=most).contains(&FREE_NS) { Holds } else { DoesNotHold }, why)
}

fn address_bits(record: &Record) -> (Verdict, String) {
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
    use ::tests::fixture::{add, empty, passed, point, state};

    fn record() -> Record {
        empty("lab-4-1", true)
    }

    #[test]
    fn copies_are_held_against_the_kernel() {
        let judged = |ratio: f64| {
            let mut record = record();
            for (name, value) in [("copies_over_add", ratio), ("copies_time", ratio * 1e6), ("add_time", 1e6)]
            {
                state(&mut record, name, value);
            }
            copies_over_kernel(&record).0
        };
        assert_eq!([judged(8.0), judged(0.5)], [Holds, DoesNotHold]);
    }

    #[test]
    fn bandwidths_hold_as_far_as_they_are_near_the_stated_ones() {
        let judged = |to_device: f64, to_host: f64| {
            let mut record = record();
            for (series, rate) in [("pageable-to-device", to_device), ("pageable-to-host", to_host)] {
                add(&mut record, "transfer", series, [point((COPIED, rate))]);
            }
            (copy_rates(&record).0, copy_times(&record).0)
        };
        assert_eq!(judged(9.0, 11.0).0, Holds);
        assert_eq!(judged(9.0, 18.0).0, HoldsInPart);
        assert_eq!(judged(30.0, 18.0), (DoesNotHold, DoesNotHold));
        assert_eq!(judged(9.0, 3.6).1, Holds);
    }

    #[test]
    fn a_call_that_found_the_device_set_up_does_not_refute_one_that_did_not() {
        let judged = |rule: Rule, name: &str, least: f64, most: f64| {
            let mut record = record();
            state(&mut record, &format!("{name}_smallest"), least);
            state(&mut record, &format!("{name}_largest"), most);
            rule(&record).0
        };
        assert_eq!(judged(allocation, "allocate", 1e3, 1e5), Verdict::NotShown);
        assert_eq!(judged(allocation, "allocate", 1e3, 2e8), Holds);
        assert_eq!(judged(freeing, "free", 1e3, 1e7), Holds);
        assert_eq!(judged(freeing, "free", 1e3, 1e5), DoesNotHold);
    }

    #[test]
    fn addresses_of_more_than_40_bits_contradict() {
        let judged = |found: &str| {
            let mut record = record();
            record.checks.push(Check { found: found.to_owned(), ..passed(mistakes::ADDRESSES) });
            address_bits(&record).0
        };
        assert_eq!([judged("40 bits hold them"), judged("47 bits hold them")], [Holds, DoesNotHold]);
    }

    #[test]
    fn a_direction_that_is_not_refused_says_nothing() {
        let judged = |pageable: &str, pinned: &str| {
            let mut record = record();
            for (id, found) in [(mistakes::WRONG_PAGEABLE, pageable), (mistakes::WRONG_PINNED, pinned)] {
                record.checks.push(Check { found: found.to_owned(), ..passed(id) });
            }
            direction(&record).0
        };
        assert_eq!(judged("invalid", "invalid"), Holds);
        assert_eq!(judged("invalid", "no error: copied"), HoldsInPart);
        assert_eq!(judged("no error", "no error: copied"), DoesNotHold);
    }

    #[test]
    fn a_list_that_was_not_followed_contradicts() {
        let judged = |passed: bool| {
            let mut record = record();
            record.checks.push(Check { passed, ..::tests::fixture::passed(list::CHECK) });
            linked(&record).0
        };
        assert_eq!([judged(true), judged(false)], [Holds, DoesNotHold]);
    }

    #[test]
    fn a_record_without_the_points_shows_nothing() {
        for (id, rule) in RULES {
            assert_eq!(rule(&record()).0, Verdict::NotShown, "{id}");
        }
    }
}
