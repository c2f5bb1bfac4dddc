//! Shapes and copies that a device must refuse, and a copy that it cannot know to be wrong.

use crate::device_error::{self, has_driver};
use crate::plan::{Attempt, Finding, Plan, Probe};
use anyhow::Result;
use device::{Device, Extent, Region};

/// The check that rows come back by 2D copies and not by a linear one, which a claim is judged by.
pub(super) const COPIES: &str = "copies";

/// Rows of 60 bytes, 15 of them, 3 slices: the first of the source's extents.
const EXTENT: Extent = Extent { width: 60, height: 15, depth: 3 };

pub(super) fn plan(plan: &mut Plan) {
    plan.attempts.push(Attempt::new(
        COPIES,
        "rows come back as they were written by 3D copies, and are scattered by a linear one",
        copies,
    ));
    plan.attempts.push(Attempt::new("bad-shapes",
        "pitched memory without rows or bytes, of elements that do not fit, or of more bytes than there are is refused",
        |probe| {
            let driver = has_driver(probe);
            let mut allocate =
                |width, rows, element| probe.device.allocate_pitched(width, rows, element).map(drop);
            refused(driver, [
                allocate(0, 15, 4),
                allocate(60, 0, 4),
                allocate(60, 15, 3),
                allocate(u64::MAX, 15, 4),
                allocate(60, u64::MAX, 4),
                allocate(60, 1 << 50, 4),
            ])
        }));
    plan.attempts.push(Attempt::new("bad-copies",
        "a copy with a pitch below the width, of nothing, past the end of either side or of more than there is is refused",
        |probe| {
            let driver = has_driver(probe);
            let device = &mut *probe.device;
            let pitched = device.allocate_pitched(EXTENT.width, EXTENT.height * EXTENT.depth, 4)?;
            let (at, packed) = (pitched.region(EXTENT.height), Region::packed(EXTENT));
            let host = vec![0; 60 * 15 * 3];
            let mut write =
                |at, host: &[u8], extent| device.write_3d(pitched.buffer, at, host, packed, extent);
            let all = [
                write(Region { pitch: 59, ..at }, &host, EXTENT),
                write(at, &host, Extent { width: 0, ..EXTENT }),
                write(at, &host, Extent { depth: 0, ..EXTENT }),
                write(Region { offset: 512, ..at }, &host, EXTENT),
                write(Region { height: 14, ..at }, &host, EXTENT),
                write(at, &host[1..], EXTENT),
                write(at, &host, Extent { depth: u64::MAX, ..EXTENT }),
            ];
            let finding = refused(driver, all);
            device.free(pitched.buffer)?;
            finding
        }));
}

/// Finding that all of these were refused, with the first reason.
fn refused<const COUNT: usize>(has_driver: bool, all: [device::Result<()>; COUNT]) -> Result<Finding> {
    let reasons: Vec<String> =
        all.into_iter().filter_map(|one| Some(device_error::words(&one.err()?, has_driver))).collect();
    let first = reasons.first().map_or("", String::as_str);
    let found = format!("{} of {COUNT} were refused, the first with: {first}", reasons.len());
    Ok(Finding { passed: reasons.len() == COUNT, found })
}

fn copies(probe: &mut Probe<'_>) -> Result<Finding> {
    let rows = EXTENT.height * EXTENT.depth;
    let host: Vec<u8> = (0..EXTENT.width * rows).map(|i| (i % 251) as u8).collect();
    let device = &mut *probe.device;
    let pitched = device.allocate_pitched(EXTENT.width, rows, 4)?;
    let read = |device: &mut dyn Device| -> Result<Vec<u8>> {
        let mut back = vec![0; host.len()];
        let at = pitched.region(EXTENT.height);
        device.read_3d(pitched.buffer, at, &mut back, Region::packed(EXTENT), EXTENT)?;
        Ok(back)
    };
    device.fill(pitched.buffer, 0xfefe_fefe)?;
    device.write_3d(pitched.buffer, pitched.region(EXTENT.height), &host, Region::packed(EXTENT), EXTENT)?;
    let by_rows = read(device)?;
    device.fill(pitched.buffer, 0xfefe_fefe)?;
    device.write(pitched.buffer, 0, &host)?;
    let linear = read(device)?;
    device.free(pitched.buffer)?;
    let right = |back: &[u8]| {
        let row = EXTENT.width as usize;
        back.chunks(row).zip(host.chunks(row)).filter(|(is, should)| is == should).count()
    };
    let (by_rows, linear) = (right(&by_rows), right(&linear));
    let found = format!("{by_rows} of {rows} rows are right after a 3D copy, {linear} after a linear one");
    Ok(Finding { passed: by_rows as u64 == rows && (linear as u64) < rows, found })
}
