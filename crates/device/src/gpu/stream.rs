//! Sequences of launches and copies on the GPU's stream, and their times.

use cudarc::driver::{DriverError, result, sys};

use super::launch::Prepared;
use super::{Gpu, driver};
use crate::error::{Error, Result};
use crate::region::apart;
use crate::step::{Launch, Step};

/// Steps between two synchronisations of [`crate::Device::time`], well within the driver's queue. The first of them
/// starts on an idle GPU, so its time also holds the launch's latency: some 10 µs on an H200.
const BATCH: u32 = 256;

/// A step that fits the GPU.
pub(super) enum Ready<'a> {
    Launch(&'a Launch, Prepared),
    /// From address to address, both ours for this many bytes.
    Copy {
        to: sys::CUdeviceptr,
        from: sys::CUdeviceptr,
        bytes: usize,
    },
}

impl Gpu {
    /// Checks steps and makes them ready, so that only the driver's own failures are left.
    pub(super) fn ready<'a>(&mut self, steps: &'a [Step]) -> Result<Vec<Ready<'a>>> {
        self.bind()?;
        let ready = |step: &'a Step| {
            let (to, from, bytes) = match *step {
                Step::Launch(ref launch) => return Ok(Ready::Launch(launch, self.prepare(launch)?)),
                Step::Copy { to, to_offset, from, from_offset, bytes } => {
                    let places = (self.place(to, to_offset, bytes)?, self.place(from, from_offset, bytes)?);
                    apart(to, to_offset, from, from_offset, bytes)?;
                    (places.0, places.1, bytes)
                }
                Step::ToSymbol { module, ref name, offset, from, from_offset, bytes } => {
                    let to = self.variable(module, name, offset, bytes)?;
                    (to, self.place(from, from_offset, bytes)?, bytes)
                }
                Step::FromSymbol { module, ref name, offset, to, to_offset, bytes } => {
                    let from = self.variable(module, name, offset, bytes)?;
                    (self.place(to, to_offset, bytes)?, from, bytes)
                }
            };
            // They fitted the address space of the driver's `size_t`.
            Ok(Ready::Copy { to, from, bytes: bytes as usize })
        };
        steps.iter().map(ready).collect()
    }

    /// Runs steps once.
    pub(super) fn run_once(&mut self, mut ready: Vec<Ready<'_>>) -> Result<()> {
        let queued = ready.iter_mut().try_for_each(|step| self.queue(step));
        self.finish(&ready, 1)?; // in any case: nothing may still run when this returns
        queued
    }

    /// Runs them `calls` times; nanoseconds of each time.
    pub(super) fn time_all(&mut self, mut ready: Vec<Ready<'_>>, calls: u32) -> Result<Vec<f64>> {
        let steps = u32::try_from(ready.len()).unwrap_or(u32::MAX);
        let most = (BATCH / steps.max(1)).max(1);
        let mut times = Vec::new();
        let mut left = calls;
        while left > 0 {
            let batch = left.min(most);
            times.extend(self.time_batch(&mut ready, batch)?);
            left -= batch;
        }
        Ok(times)
    }

    fn queue(&self, step: &mut Ready<'_>) -> Result<()> {
        match step {
            Ready::Launch(launch, prepared) => self.enqueue(launch, prepared),
            Ready::Copy { bytes: 0, .. } => Ok(()),
            Ready::Copy { to, from, bytes } => {
                // SAFETY: that many bytes are ours at both addresses, and the stream is ours.
                unsafe { result::memcpy_dtod_async(*to, *from, *bytes, self.stream) }
                    .map_err(driver(format!("cuMemcpyDtoDAsync of {bytes} bytes")))
            }
        }
    }

    /// Waits for what is queued, `calls` times these steps. An error here is a kernel's.
    fn finish(&mut self, steps: &[Ready<'_>], calls: u32) -> Result<()> {
        // Launches of a kernel that waits for an earlier one may wait before this too, where the driver's queue is
        // full; that is thousands of launches, and a batch has some hundreds.
        let _armed = self.watchdog.as_ref().map(|watchdog| watchdog.arm(named(steps), calls));
        // SAFETY: the stream is ours.
        let Err(error) = (unsafe { result::stream::synchronize(self.stream) }) else { return Ok(()) };
        let kernel = named(steps);
        self.faulted = Some(kernel.clone());
        let Error::Driver { message, .. } = driver(String::new())(error) else { return Ok(()) };
        Err(Error::GpuFault { kernel, message })
    }

    /// Times of `calls` runs in ns, each between two events.
    fn time_batch(&mut self, steps: &mut [Ready<'_>], calls: u32) -> Result<Vec<f64>> {
        let events = (0..=calls).map(|_| Event::new()).collect::<std::result::Result<Vec<_>, _>>();
        let events = events.map_err(driver("cuEventCreate"))?;
        let mut queued = Ok(());
        for (number, event) in events.iter().enumerate() {
            if number > 0 {
                queued = steps.iter_mut().try_for_each(|step| self.queue(step));
            }
            // SAFETY: the event and the stream are ours.
            queued = queued.and_then(|()| {
                unsafe { result::event::record(event.0, self.stream) }.map_err(driver("cuEventRecord"))
            });
            if queued.is_err() {
                break;
            }
        }
        self.finish(steps, calls)?; // in any case: nothing may still run when this returns
        queued?;
        let elapsed = |pair: &[Event]| {
            // SAFETY: both events are ours, were recorded on one stream and are done.
            unsafe { result::event::elapsed(pair[0].0, pair[1].0) }
        };
        events
            .windows(2)
            .map(|pair| elapsed(pair).map(|ms| f64::from(ms) * 1e6).map_err(driver("cuEventElapsedTime")))
            .collect()
    }
}

/// The kernel of steps and its launch's shape, or all of their kernels.
fn named(steps: &[Ready<'_>]) -> String {
    let launches: Vec<&Launch> = steps
        .iter()
        .filter_map(|step| match step {
            Ready::Launch(launch, _) => Some(*launch),
            Ready::Copy { .. } => None,
        })
        .collect();
    match launches[..] {
        [Launch { kernel, grid, block, .. }] => format!("{kernel}, grid {grid:?}, block {block:?}"),
        _ => {
            let mut names: Vec<&str> = launches.iter().map(|launch| launch.kernel.as_str()).collect();
            names.dedup();
            format!("one of {}", names.join(", "))
        }
    }
}

/// An event that takes times.
struct Event(sys::CUevent);

impl Event {
    fn new() -> std::result::Result<Self, DriverError> {
        result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).map(Event)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and not shared.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}
