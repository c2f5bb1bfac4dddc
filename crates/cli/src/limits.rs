//! Limits of a launch: by count, and by the clock.
//!
//! Enters: `--budget`, `--time-limit`. Leaves: a device that ends an endless launch, and advice in case the launch was
//! only long. A budget ends the same launches on every machine; the clock is there for what no budget foresees.

use crate::count;
use clap::Args;
use device::{Embedded, FaultKind, Gpu, SimtError};
use std::time::Duration;

/// Default time limit in seconds: far beyond what a lab's launch takes on a slow machine.
const EMBEDDED_SECONDS: f64 = 3600.0;
const GPU_SECONDS: f64 = 120.0;

/// Limits of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Args)]
pub struct LaunchLimits {
    /// Warp instructions that a block may execute before it is considered an infinite loop; slow ones count as several
    /// (embedded device) [default: 2^25, more for larger data]
    #[arg(long, value_name = "N", value_parser = count)]
    pub budget: Option<u64>,

    /// Time limit of a launch; 0 for none [default: 3600 on the embedded device, 120 on a GPU]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<f64>,
}

impl LaunchLimits {
    fn time(self, default: f64) -> Option<Duration> {
        let seconds = self.time_limit.unwrap_or(default);
        if seconds == 0.0 { None } else { Duration::try_from_secs_f64(seconds).ok() }
    }

    /// Sets the limits of a device on which anything may run: data are given time by their size.
    pub fn apply(self, device: &mut Embedded) {
        device.set_time_limit(self.time(EMBEDDED_SECONDS));
        if let Some(budget) = self.budget {
            let options = device.options();
            (options.budget, options.budget_per_byte) = (budget, 0);
        }
    }

    /// Sets the limits of a device on which one program runs, which is known to take no more than `budget` warp
    /// instructions a block.
    pub fn apply_with(self, device: &mut Embedded, budget: impl FnOnce() -> u64) {
        self.apply(device);
        let options = device.options();
        options.budget = self.budget.unwrap_or_else(budget);
        options.budget_per_byte = 0;
    }

    /// Sets the limit of a GPU; `expired` is called on another thread with the kernel that takes longer.
    pub fn watch(self, gpu: &mut Gpu, expired: impl Fn(device::Error) + Send + 'static) {
        let time = self.time(GPU_SECONDS);
        let seconds = time.map_or(0.0, |time| time.as_secs_f64());
        gpu.set_time_limit(time, move |kernel| {
            expired(device::Error::TimeLimit { kernel: kernel.to_owned(), seconds });
        });
    }
}

/// Advice for a launch that a limit ended and that may only have been long; `None` for any other error.
pub fn advice(error: &device::Error) -> Option<&'static str> {
    match error {
        device::Error::Simt(SimtError::Fault(fault)) => match fault.kind {
            FaultKind::InfiniteLoop if fault.proven => None,
            FaultKind::InfiniteLoop => Some("if the loop is not infinite, allow more with --budget"),
            FaultKind::TimeLimit => {
                Some("if the launch is not endless, allow more with --time-limit; 0 means no limit")
            }
            _ => None,
        },
        device::Error::TimeLimit { .. } => {
            Some("if the launch is not endless, allow more with --time-limit; 0 means no limit")
        }
        _ => None,
    }
}

/// `10`, `0.5`.
fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|s| *s >= 0.0 && Duration::try_from_secs_f64(*s).is_ok());
    value.ok_or_else(|| "a number of seconds is needed, such as 10 or 0.5; 0 for no limit".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_numbers_that_a_clock_has() {
        assert_eq!((seconds("0"), seconds("0.5"), seconds("1e3")), (Ok(0.0), Ok(0.5), Ok(1000.0)));
        for bad in ["", "-1", "nan", "inf", "1e300", "1s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
