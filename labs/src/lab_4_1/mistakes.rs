//! Wrong calls, with the device's answers; and the addresses of its memory.

use crate::device_error::{self, has_driver};
use crate::plan::{Attempt, Finding, HostMemory, Mistake, Plan};

/// The check that holds the width of the device's addresses, which a claim is judged by.
pub(super) const ADDRESSES: &str = "addresses";
/// The checks that hold what is answered to a copy in the wrong direction, likewise.
pub(super) const WRONG_PAGEABLE: &str = "wrong-direction/pageable";
/// The check for a copy in the wrong direction with pinned memory.
pub(super) const WRONG_PINNED: &str = "wrong-direction/pinned";
/// Beginning of a text that means no answer.
pub(super) const NO_ERROR: &str = "no error";

pub(super) fn plan(plan: &mut Plan) {
    let mistakes = [
        ("double-free", "the second of two calls that free the same memory is refused", Mistake::DoubleFree),
        ("out-of-memory", "a byte more than the device has is refused", Mistake::OutOfMemory),
        (
            WRONG_PAGEABLE,
            "a copy to the host by the call for copies to the device is refused, with pageable memory",
            Mistake::WrongDirection(HostMemory::Pageable),
        ),
        (
            WRONG_PINNED,
            "the same with pinned memory is refused too, or made as the addresses say, which the device knows then",
            Mistake::WrongDirection(HostMemory::Pinned),
        ),
    ];
    for (id, what, mistake) in mistakes {
        plan.attempts.push(Attempt::new(id, what, move |probe| {
            let answer = probe.device.provoke(mistake)?;
            let made = answer.starts_with(NO_ERROR);
            // A copy that was made all the same says so after these words.
            let passed = !made || (id == WRONG_PINNED && answer.len() > NO_ERROR.len());
            Ok(Finding { passed, found: answer })
        }));
    }
    plan.attempts.push(Attempt::new(
        "freed",
        "memory that was given back can be neither read, written, filled nor freed any more",
        |probe| {
            let driver = has_driver(probe);
            let device = &mut *probe.device;
            let buffer = device.allocate(64)?;
            device.write(buffer, 0, &[1; 64])?;
            device.free(buffer)?;
            let answers = [
                device.read(buffer, 0, &mut [0; 64]),
                device.write(buffer, 0, &[1; 64]),
                device.fill(buffer, 0),
                device.free(buffer),
            ];
            let refused: Vec<String> = answers
                .into_iter()
                .filter_map(|a| a.err().map(|e| device_error::words(&e, driver)))
                .collect();
            let found = refused.first().cloned().unwrap_or_else(|| NO_ERROR.to_owned());
            Ok(Finding { passed: refused.len() == 4, found })
        },
    ));
    plan.attempts.push(Attempt::new(
        "past-the-end",
        "a copy that leaves its memory is refused, and nothing of it is made",
        |probe| {
            let driver = has_driver(probe);
            let device = &mut *probe.device;
            let buffer = device.allocate(64)?;
            device.write(buffer, 0, &[1; 64])?;
            let refused = device.write(buffer, 32, &[2; 64]);
            let mut bytes = [0; 64];
            device.read(buffer, 0, &mut bytes)?;
            device.free(buffer)?;
            Ok(match refused {
                Err(error) => {
                    Finding { passed: bytes == [1; 64], found: device_error::words(&error, driver) }
                }
                Ok(()) => Finding::bad(NO_ERROR),
            })
        },
    ));
    plan.attempts.push(Attempt::new(
        ADDRESSES,
        "allocations have addresses of their own, none of them the null pointer's",
        |probe| {
            let device = &mut *probe.device;
            let both = [device.allocate(1 << 20)?, device.allocate(1 << 20)?];
            let [a, b] = [device.address(both[0])?, device.address(both[1])?];
            for buffer in both {
                device.free(buffer)?;
            }
            // How many bits the last byte of both needs.
            let bits = u64::BITS - (a.max(b) + (1 << 20) - 1).leading_zeros();
            let passed = a != 0 && b != 0 && a.abs_diff(b) >= 1 << 20;
            Ok(Finding { passed, found: format!("{bits} bits hold the addresses of two allocations") })
        },
    ));
}
