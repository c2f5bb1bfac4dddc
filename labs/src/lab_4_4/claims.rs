//! The sources' claims on variables that the host reaches by name, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`. Most are about what
//! calls do and not about time: there a check decides, on either device.

use crate::facts::point;
use crate::lab::Rule;
use crate::rules::{check, is_modelled, only_a_gpu};
use record::{Record, Verdict};

use Verdict::{DoesNotHold, Holds, NotShown};

pub(super) const RULES: &[(&str, Rule)] = &[
    ("host-reads-and-writes-constants", host_alone),
    ("constants-live-as-long-as-the-program", lifetime),
    ("constant-memory-is-64-kib", size),
    ("constants-have-their-size-when-compiled", fixed),
    ("symbols-take-offsets", offsets),
    ("a-symbol-may-hold-a-device-pointer", pointer),
    ("host-writes-no-on-chip-memory", on_chip),
    ("copy-to-symbol-takes-82-us", time),
];

const HOST: &str = "symbols/offsets-from-the-host";
const DEVICE: &str = "symbols/offsets-on-the-device";
const USES: &str = "symbols/kernel-uses-all-three";
const KEEPS: &str = "symbols/kept-from-launch-to-launch";
const THROUGH: &str = "symbols/kernel-writes-through-the-pointer";
const ADDRESS: &str = "symbols/pointer-read-back";
const STORE: &str = "refused/store-to-a-constant";
const OVERFLOW: &str = "refused/too-many-constants";
const PAST: &str = "refused/past-the-end";
const SHARED: &str = "refused/shared-variable";

/// The checks that decide on claims.
#[cfg(test)]
pub(super) const CHECKS: [&str; 10] =
    [HOST, DEVICE, USES, KEEPS, THROUGH, ADDRESS, STORE, OVERFLOW, PAST, SHARED];

/// Holds if all of these checks passed.
fn by(record: &Record, ids: &[&str], why: &str) -> (Verdict, String) {
    for id in ids {
        match check(record, id) {
            None => return (NotShown, "this run did not make the calls that would tell".to_owned()),
            Some(check) if !check.passed => return (DoesNotHold, format!("{id}: {}", check.found)),
            Some(_) => {}
        }
    }
    (Holds, why.to_owned())
}

fn host_alone(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[HOST, STORE],
        "the host wrote 256 elements and 8 of them again and read them back; PTX with a store to a constant was refused",
    )
}

fn lifetime(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[USES, KEEPS],
        "three launches one after the other, in four blocks each, found the values that were written once",
    )
}

fn size(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[OVERFLOW],
        "a module with 65,536 bytes of constants was loaded, one with 65,540 was refused; the limit is a module's",
    )
}

fn fixed(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[PAST],
        "the array has the 1,024 bytes that it was compiled with: copies that end behind them were refused",
    )
}

fn offsets(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[HOST, DEVICE],
        "copies of a part changed that part and nothing else, from the host and from device memory",
    )
}

fn pointer(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[ADDRESS, USES, THROUGH],
        "the variable held the buffer's address; kernels read and wrote 256 floats through it",
    )
}

fn on_chip(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[SHARED],
        "a copy to a variable in shared memory was refused: there is no such symbol for the host",
    )
}

fn time(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return only_a_gpu("time on the embedded device is modelled");
    }
    let Some(point) = point(record, "copy", "host", 20.0) else {
        return (NotShown, "this run did not take the point that would tell".to_owned());
    };
    let why = format!(
        "{:.1} µs for 20 bytes here, the median of many copies; the source's is one call, a program's first copy",
        point.y / 1e3
    );
    // Twice as long or half as long is another order of things than a GPU of another year.
    (if (41e3..164e3).contains(&point.y) { Holds } else { DoesNotHold }, why)
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::made;
    use super::*;

    fn of(record: &Record, id: &str) -> Verdict {
        RULES.iter().find(|(known, _)| *known == id).unwrap().1(record).0
    }

    #[test]
    fn what_calls_do_is_shown_on_either_device() {
        for measured in [true, false] {
            let record = made(measured, 80e3);
            for (id, _) in RULES.iter().filter(|(id, _)| *id != "copy-to-symbol-takes-82-us") {
                assert_eq!(of(&record, id), Holds, "{id}");
            }
        }
    }

    #[test]
    fn a_check_that_failed_or_was_not_made_changes_the_verdict() {
        for id in CHECKS {
            let mut record = made(true, 7e3);
            let at = record.checks.iter().position(|check| check.id == id).unwrap();
            record.checks[at].passed = false;
            assert!(RULES.iter().any(|(_, rule)| rule(&record).0 == DoesNotHold), "{id}");
            record.checks.remove(at);
            assert!(RULES.iter().any(|(_, rule)| rule(&record).0 == NotShown), "{id}");
        }
    }

    #[test]
    fn only_a_measured_time_tests_a_time() {
        let id = "copy-to-symbol-takes-82-us";
        assert_eq!((of(&made(true, 7e3), id), of(&made(true, 80e3), id)), (DoesNotHold, Holds));
        assert_eq!(of(&made(false, 80e3), id), NotShown);
        let mut record = made(true, 7e3);
        record.experiments.clear();
        assert_eq!(of(&record, id), NotShown);
    }
}
