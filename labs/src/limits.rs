//! Limits of a launch: by count, and by the clock.
//!
//! Enters: `--budget`, `--time-limit`, and a lab's sizes. Leaves: a device that ends a launch without end, and what to do where
//! the launch was only long. What a budget ends it ends on every machine; the clock is there for what no budget foresees.

use crate::request::{Request, Size};
use clap::Args;
use device::{Embedded, FaultKind, Gpu, SimtError};
use std::time::Duration;

/// Warp instructions of a block before it is an endless loop, at the sizes that a lab has on the embedded device. The most
/// that a block of a lab, or of a program in `tests/programs`, takes at these sizes is a ninth of it; a loop without end
/// takes some seconds to get there.
const BUDGET: u64 = 1 << 25;
/// The limit of time where none is given, seconds: far beyond what a lab's launch takes on a slow machine.
const EMBEDDED_SECONDS: f64 = 3600.0;
const GPU_SECONDS: f64 = 120.0;

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
    /// The limit that an error of the device stands for, where nothing but the lab's own kernels ran: they have no endless
    /// loops.
    pub(crate) fn of(error: &anyhow::Error, limits: crate::Limits) -> Option<Self> {
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

/// How long a launch may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Args)]
pub struct LaunchLimits {
    /// Warp instructions that a block may execute before it is an infinite loop, slow ones counted as several (embedded
    /// device) [default: 2^25, and more for larger data]
    #[arg(long, value_name = "N", value_parser = crate::cli::count)]
    pub budget: Option<u64>,

    /// How long a launch may take; 0 for no limit [default: 3600 on the embedded device, 120 on a GPU]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<f64>,
}

impl LaunchLimits {
    fn time(self, default: f64) -> Option<Duration> {
        let seconds = self.time_limit.unwrap_or(default);
        if seconds == 0.0 { None } else { Duration::try_from_secs_f64(seconds).ok() }
    }

    /// Sets the limits of a device on which anything may run: data are given time by their size.
    pub(crate) fn apply(self, device: &mut Embedded) {
        device.set_time_limit(self.time(EMBEDDED_SECONDS));
        if let Some(budget) = self.budget {
            let options = device.options();
            (options.budget, options.budget_per_byte) = (budget, 0);
        }
    }

    /// Applies the limits where a lab runs, whose sizes say how long its loops are.
    pub(crate) fn apply_to_lab(self, device: &mut Embedded, sizes: &[Size], request: &Request) {
        self.apply(device);
        let options = device.options();
        options.budget = self.budget.unwrap_or_else(|| of_lab(sizes, request));
        options.budget_per_byte = 0;
    }

    /// Sets the limit of a GPU; `expired` is called on another thread with the kernel that takes longer.
    pub(crate) fn watch(self, gpu: &mut Gpu, expired: impl Fn(device::Error) + Send + 'static) {
        let time = self.time(GPU_SECONDS);
        let seconds = time.map_or(0.0, |time| time.as_secs_f64());
        gpu.set_time_limit(time, move |kernel| {
            expired(device::Error::TimeLimit { kernel: kernel.to_owned(), seconds });
        });
    }
}

/// A lab's loops go over what its sizes count: each may be as many times longer as its size is larger.
fn of_lab(sizes: &[Size], request: &Request) -> u64 {
    let larger = sizes.iter().map(|size| request.size(size.name).div_ceil(size.embedded.max(1)));
    larger.fold(BUDGET, u64::saturating_mul)
}

/// Advice where a limit ended a launch that was merely long.
pub(crate) fn advice(error: &device::Error) -> Option<&'static str> {
    match error {
        device::Error::Simt(SimtError::Fault(fault)) => match fault.kind {
            FaultKind::InfiniteLoop => Some("if the loop would end, allow more with --budget"),
            FaultKind::TimeLimit => {
                Some("if the launch would end, allow more with --time-limit; 0 is no limit")
            }
            _ => None,
        },
        device::Error::TimeLimit { .. } => {
            Some("if the launch would end, allow more with --time-limit; 0 is no limit")
        }
        _ => None,
    }
}

/// `10`, `0.5`.
fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|s| *s >= 0.0 && Duration::try_from_secs_f64(*s).is_ok());
    value.ok_or_else(|| "seconds are needed, such as 10 or 0.5; 0 for no limit".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn seconds_are_numbers_that_a_clock_has() {
        assert_eq!((seconds("0"), seconds("0.5"), seconds("1e3")), (Ok(0.0), Ok(0.5), Ok(1000.0)));
        for bad in ["", "-1", "nan", "inf", "1e300", "1s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_lab_of_larger_sizes_may_take_longer() -> anyhow::Result<()> {
        const SIZES: &[Size] = &[
            Size { name: "a", about: "", quick: 2, embedded: 8, gpu: 64, most: 1 << 60 },
            Size { name: "b", about: "", quick: 2, embedded: 8, gpu: 64, most: 1 << 60 },
        ];
        let of = |a, b| -> anyhow::Result<u64> {
            let given = BTreeMap::from([("a", a), ("b", b)]);
            Ok(of_lab(SIZES, &Request::new(SIZES, &given, 0, false, false)?))
        };
        assert_eq!((of(8, 8)?, of(1, 2)?, of(16, 24)?), (BUDGET, BUDGET, 6 * BUDGET));
        assert_eq!(of(1 << 60, 1 << 60)?, u64::MAX);
        Ok(())
    }
}
