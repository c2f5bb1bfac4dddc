//! Limits of a lab: instructions by its sizes, and those of a re-run.

use crate::request::{Request, Size};
use device::{FaultKind, SimtError};

/// Warp instructions of a block before it is an endless loop, at the full sizes that a lab has on the embedded device. The most
/// that a block of a lab, or of a program in `tests/programs`, takes at these sizes is a ninth of it; a loop without end
/// takes some seconds to get there.
const BUDGET: u64 = 1 << 25;

/// Limits on the machine's resources for a lab that is run again.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Warp instructions of all launches together; in each launch slow ones are counted as several.
    pub instructions: u64,
    /// Memory, bytes: the embedded device's, and the host's in addition.
    pub memory_bytes: u64,
}

/// The limit that a lab run again has met ([`crate::rerun_of`]). Both are counted, so that they are met on every machine
/// or on none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitReached {
    /// The launches take more instructions.
    #[error("it takes more than the {limit} warp instructions that it may, slow ones counted as several")]
    Instructions {
        /// Warp instructions of all launches.
        limit: u64,
    },
    /// The lab takes more memory, that of the host included.
    #[error("it takes more than the {limit} bytes of memory that it may")]
    Memory {
        /// Bytes.
        limit: u64,
    },
}

impl LimitReached {
    /// The limit that an error of the device means, where nothing but the lab's own kernels ran: they have no endless
    /// loops.
    pub(crate) fn of(error: &anyhow::Error, limits: Limits) -> Option<Self> {
        let device = error.chain().find_map(|cause| cause.downcast_ref::<device::Error>())?;
        match device {
            device::Error::Simt(SimtError::Fault(fault)) if fault.kind == FaultKind::InfiniteLoop => {
                Some(LimitReached::Instructions { limit: limits.instructions })
            }
            device::Error::Simt(SimtError::OutOfMemory { .. }) => {
                Some(LimitReached::Memory { limit: limits.memory_bytes })
            }
            _ => None,
        }
    }
}

/// A lab's loops go over what its sizes count: each may be as many times longer as its size is larger.
pub(crate) fn budget(sizes: &[Size], request: &Request) -> u64 {
    let larger = sizes.iter().map(|size| request.size(size.name).div_ceil(size.full.max(1)));
    larger.fold(BUDGET, u64::saturating_mul)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Scope;
    use std::collections::BTreeMap;

    #[test]
    fn a_lab_of_larger_sizes_may_take_longer() -> anyhow::Result<()> {
        const SIZES: &[Size] = &[
            Size { name: "a", about: "", quick: 2, short: 8, full: 8, gpu: 64, most: 1 << 60 },
            Size { name: "b", about: "", quick: 2, short: 8, full: 8, gpu: 64, most: 1 << 60 },
        ];
        let of = |a, b| -> anyhow::Result<u64> {
            let given = BTreeMap::from([("a", a), ("b", b)]);
            Ok(budget(SIZES, &Request::new(SIZES, &given, 0, Scope::Full, false)?))
        };
        assert_eq!((of(8, 8)?, of(1, 2)?, of(16, 24)?), (BUDGET, BUDGET, 6 * BUDGET));
        assert_eq!(of(1 << 60, 1 << 60)?, u64::MAX);
        Ok(())
    }
}
