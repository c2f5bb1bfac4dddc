//! Purpose of each of the two barriers of a tile.
//!
//! A GPU may well compute the right product without one of them, so the embedded device decides, which detects races in
//! shared memory, whatever device the rest of the lab runs on.

use crate::plan::{Attempt, Finding};
use device::{Arg, Device, Embedded, Error, FaultKind, Launch, SimtError};
use std::sync::Arc;

/// Rows, columns and terms: two tiles of 16 each.
const LENGTH: usize = 32;

/// The check's id.
pub(super) const ID: &str = "barriers";

pub(super) fn attempt() -> Attempt {
    Attempt {
        id: ID.to_owned(),
        what: "with both barriers a tile there is no race in shared memory, without either there is"
            .to_owned(),
        make: Arc::new(|_| match found() {
            Ok(finding) => finding,
            Err(error) => Finding::bad(format!("the embedded device did not get so far: {error}")),
        }),
    }
}

fn found() -> device::Result<Finding> {
    let mut lines = Vec::new();
    for (kernel, races) in [("both", false), ("without_first", true), ("without_second", true)] {
        match (race(kernel)?, races) {
            (None, false) => {}
            (Some(line), true) => lines.push(line),
            (None, true) => return Ok(Finding::bad(format!("`{kernel}`: no race was found"))),
            (Some(line), false) => return Ok(Finding::bad(format!("`{kernel}`: a race in line {line}"))),
        }
    }
    let [first, second] = lines.as_slice() else { return Ok(Finding::bad("a kernel was left out")) };
    Ok(Finding::good(format!(
        "without the first, line {first} of barriers.cu races with the tile's loads; without the second, line {second} with its use"
    )))
}

/// The line at which a race was found.
fn race(kernel: &str) -> device::Result<Option<u32>> {
    let mut device = Embedded::new("h200")?;
    (device.options().checks, device.options().deterministic) = (device::Checks::ALL, true);
    let module = device.load(kernels::BARRIERS.file, kernels::BARRIERS.ptx)?;
    let matrix = |device: &mut Embedded| -> device::Result<Arg> {
        let buffer = device.allocate(4 * (LENGTH * LENGTH) as u64)?;
        device.fill(buffer, 1.0f32.to_bits())?;
        Ok(buffer.into())
    };
    let length = Arg::I32(LENGTH as i32);
    let args = vec![matrix(&mut device)?, matrix(&mut device)?, matrix(&mut device)?, length.clone(), length];
    let launch = Launch {
        module,
        kernel: kernel.to_owned(),
        grid: [2, 2, 1],
        block: [16, 16, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative: false,
    };
    match device.launch(&launch) {
        Ok(_) => Ok(None),
        Err(Error::Simt(SimtError::Fault(fault))) if fault.kind == FaultKind::SharedRace => {
            Ok(fault.place.source.as_ref().map(|(_, line)| *line))
        }
        Err(other) => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_is_found_without_either_barrier_and_none_with_both() -> device::Result<()> {
        let finding = found()?;
        assert!(finding.passed, "{}", finding.found);
        Ok(())
    }
}
