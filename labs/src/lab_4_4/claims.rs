//! The sources' claims on variables that the host reaches by name, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`. Most are about what
//! calls do and not about time: there a check decides.

use super::constant_store;
use crate::facts::point;
use crate::lab::Rule;
use crate::rules::{as_stated, check, fact};
use record::{Record, Verdict};

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

pub(super) const RULES: &[(&str, Rule)] = &[
    ("host-reads-and-writes-constants", host_alone),
    ("constant-memory-lies-in-dram", in_dram),
    ("constants-live-as-long-as-the-program", lifetime),
    ("constant-memory-is-64-kib", size),
    ("sixty-four-k-for-a-kernel", size),
    ("constants-have-their-size-when-compiled", fixed),
    ("constants-are-copied-to-and-not-allocated", not_allocated),
    ("symbols-take-offsets", offsets),
    ("device-variables-can-be-declared", declared),
    ("a-symbol-may-hold-a-device-pointer", pointer),
    ("host-writes-no-on-chip-memory", on_chip),
    ("copy-to-symbol-takes-82-us", time),
    ("launch-takes-28-us", launch),
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
pub(super) const CHECKS: [&str; 11] =
    [HOST, DEVICE, USES, KEEPS, THROUGH, ADDRESS, STORE, OVERFLOW, PAST, SHARED, constant_store::ID];

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

/// Copies of the host, and both ways in which a kernel may try to write: by the instruction that there is none of, and
/// through the constant's address in global memory.
fn host_alone(record: &Record) -> (Verdict, String) {
    let refused = "the host wrote 256 elements and 8 of them again and read them back; PTX with a store to a constant was refused";
    let (verdict, why) = by(record, &[HOST, STORE], refused);
    match (verdict, check(record, constant_store::ID)) {
        (Holds, None) => {
            (NotShown, "this run did not try to write through the constant's address".to_owned())
        }
        (Holds, Some(check)) if check.passed => (
            HoldsInPart,
            format!("{why}; but a kernel can write a constant through its address: {}", check.found),
        ),
        _ => (verdict, why),
    }
}

fn in_dram(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[constant_store::ID],
        "loads and stores of global memory reach a constant at its address, among those of global memory",
    )
}

/// The values that launches find are counted; that a constant belongs to a context, one on each device, is from the programming
/// guide.
fn lifetime(record: &Record) -> (Verdict, String) {
    let found = by(
        record,
        &[USES, KEEPS],
        "three launches one after the other, in four blocks each, found the values that were written once; but a constant lives as long as its context and each device has its own (CUDA C++ Programming Guide, `__constant__`)",
    );
    match found {
        (Holds, why) => (HoldsInPart, why),
        other => other,
    }
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

fn not_allocated(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[HOST, USES],
        "copies to the symbol gave the array its values, and kernels found them; nothing was allocated or freed for it",
    )
}

fn declared(record: &Record) -> (Verdict, String) {
    by(
        record,
        &[USES],
        "a kernel used a constant array, a variable of the device and a pointer variable, each declared in the module",
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

/// The profile's call to copy to a symbol, and its mean call to launch a kernel, ns.
const COPY_NS: f64 = 81.898e3;
const LAUNCH_NS: f64 = 28.284e3;

fn time(record: &Record) -> (Verdict, String) {
    let Some(point) = point(record, "copy", "host", 20.0) else {
        return (NotShown, "this run did not take the point that would tell".to_owned());
    };
    let why = format!(
        "{:.1} µs for 20 bytes here, the median of many copies; the source's is one call, a program's first copy to a symbol",
        point.y / 1e3
    );
    (as_stated(&[point.y / COPY_NS]), why)
}

fn launch(record: &Record) -> (Verdict, String) {
    let Some(ns) = fact(record, "launch") else {
        return (NotShown, "this run did not take the points that would tell".to_owned());
    };
    let why = format!(
        "{:.1} µs for a launch here, from its beginning to its kernel's end, the median of many; the source's are a program's first",
        ns / 1e3
    );
    (as_stated(&[ns / LAUNCH_NS]), why)
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::made;
    use super::*;

    fn of(record: &Record, id: &str) -> Verdict {
        RULES.iter().find(|(known, _)| *known == id).unwrap().1(record).0
    }

    /// Claims about times, the one that a kernel's store limits, and the one that contexts limit.
    const OTHERS: [&str; 4] = [
        "copy-to-symbol-takes-82-us",
        "launch-takes-28-us",
        "host-reads-and-writes-constants",
        "constants-live-as-long-as-the-program",
    ];

    #[test]
    fn what_calls_do_is_what_the_checks_found() {
        let record = made(true, 80e3);
        for (id, _) in RULES.iter().filter(|(id, _)| !OTHERS.contains(id)) {
            assert_eq!(of(&record, id), Holds, "{id}");
        }
    }

    #[test]
    fn the_embedded_device_shows_what_programs_do_and_not_what_calls_answer() {
        let shown: Vec<&str> = RULES
            .iter()
            .map(|(id, _)| *id)
            .filter(|id| crate::claims::verdict(&super::super::LAB, &made(false, 80e3), id).0 != NotShown)
            .collect();
        let expected = [
            "constants-live-as-long-as-the-program",
            "constants-are-copied-to-and-not-allocated",
            "device-variables-can-be-declared",
            "a-symbol-may-hold-a-device-pointer",
        ];
        assert_eq!(shown, expected);
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
    fn a_kernel_s_store_through_the_address_limits_that_constants_are_read_only() {
        let id = "host-reads-and-writes-constants";
        let mut record = made(true, 7e3);
        assert_eq!(of(&record, id), HoldsInPart);
        let at = record.checks.iter().position(|check| check.id == constant_store::ID).unwrap();
        record.checks[at].passed = false;
        assert_eq!(of(&record, id), Holds);
        record.checks.remove(at);
        assert_eq!(of(&record, id), NotShown);
    }

    #[test]
    fn times_are_of_one_chip() {
        let id = "copy-to-symbol-takes-82-us";
        assert_eq!((of(&made(true, 7e3), id), of(&made(true, 80e3), id)), (DoesNotHold, Holds));
        let on_h200 = crate::claims::verdict(&super::super::LAB, &made(true, 7e3), id);
        assert!(on_h200.0 == NotShown && on_h200.1.contains("7.0 µs"), "{}", on_h200.1);
        let launches = |ns: f64| {
            let mut record = made(true, 7e3);
            ::tests::fixture::state(&mut record, "launch", ns);
            of(&record, "launch-takes-28-us")
        };
        assert_eq!((launches(30e3), launches(4e3)), (Holds, DoesNotHold));
    }

    #[test]
    fn a_record_without_the_points_shows_nothing() {
        let mut record = made(true, 7e3);
        record.experiments.clear();
        record.checks.clear();
        assert!(RULES.iter().all(|(_, rule)| rule(&record).0 == NotShown));
    }
}
