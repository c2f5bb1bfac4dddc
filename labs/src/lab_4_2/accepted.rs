//! Pitches that are not the allocator's: which of them copies accept, and which textures over rows of memory.

use crate::plan::{Attempt, Finding, Plan, Probe};
use crate::run::{FORMAT, SAMPLING};
use anyhow::Result;
use device::{Extent, Region, Resource};
use render::format;

/// Rows of 60 bytes, as the source's, in three slices.
const EXTENT: Extent = Extent { width: 60, height: 5, depth: 3 };
/// Pitches of copies, bytes: the width, odd ones, and those of lines and of the allocator with their neighbours.
const PITCHES: [u64; 12] = [60, 61, 62, 63, 64, 65, 96, 100, 127, 129, 512, 513];
/// Bytes from a buffer's start to the first row.
const OFFSETS: [u64; 3] = [0, 1, 4];

/// Pitches of textures that are tried, bytes: up to here, in these steps. Rows of [`TEXELS`] floats fit the least.
const MOST: u64 = 544;
const STEP: u64 = 4;
const TEXELS: u32 = 4;
/// Offsets of a texture's first texel that are tried, bytes: up to here, in these steps.
const FARTHEST: u64 = 1536;
const OFFSET_STEP: u64 = 16;

pub(super) fn plan(plan: &mut Plan) {
    plan.attempts.push(Attempt::new(
        "pitches/copies",
        "copies to the device, on it and back take any pitch that is no less than the rows are wide, from any byte on",
        copies,
    ));
    plan.attempts.push(Attempt::new(
        "pitches/textures",
        "a texture over rows takes the pitches and the first bytes that are multiples of a number, and no others",
        textures,
    ));
}

fn copies(probe: &mut Probe<'_>) -> Result<Finding> {
    let rows = EXTENT.height * EXTENT.depth;
    let host: Vec<u8> = (0..EXTENT.width * rows).map(|i| (i % 251) as u8).collect();
    let device = &mut *probe.device;
    let bytes = OFFSETS[2] + rows * (PITCHES[11] + 1);
    let [one, other] = [device.allocate(bytes)?, device.allocate(bytes)?];
    let mut made = 0;
    let mut wrong = None;
    for pitch in PITCHES {
        for offset in OFFSETS {
            let at = Region { offset, pitch, height: EXTENT.height };
            let wider = Region { pitch: pitch + 1, ..at };
            let mut back = vec![0; host.len()];
            let packed = Region::packed(EXTENT);
            let answer = device
                .write_3d(one, at, &host, packed, EXTENT)
                .and_then(|()| device.copy_3d(other, wider, one, at, EXTENT))
                .and_then(|()| device.read_3d(other, wider, &mut back, packed, EXTENT));
            let said = match answer {
                Err(error) => Some(error.to_string()),
                Ok(()) if back != host => Some("the rows that came back are different".to_owned()),
                Ok(()) => None,
            };
            made += 1;
            wrong = wrong.or_else(|| said.map(|said| format!("pitch {pitch}, from byte {offset}: {said}")));
        }
    }
    device.free(one)?;
    device.free(other)?;
    Ok(match wrong {
        Some(wrong) => Finding::bad(wrong),
        None => Finding::good(format!(
            "all of {made} round trips of rows of {} bytes are right, with pitches from {} to {} bytes, odd ones among them",
            EXTENT.width,
            PITCHES[0],
            PITCHES[11] + 1
        )),
    })
}

fn textures(probe: &mut Probe<'_>) -> Result<Finding> {
    let device = &mut *probe.device;
    let buffer = device.allocate(FARTHEST + 4 * MOST)?;
    let mut takes = |offset: u64, pitch: u64, height: u32| {
        let rows = Resource::Pitched { buffer, offset, width: TEXELS, height, pitch };
        device.create_texture(&rows, FORMAT, SAMPLING).is_ok()
    };
    let pitches = (4 * u64::from(TEXELS)..=MOST).step_by(STEP as usize);
    let of_one_row: Vec<u64> = pitches.clone().filter(|pitch| takes(0, *pitch, 1)).collect();
    let of_rows: Vec<u64> = pitches.clone().filter(|pitch| takes(0, *pitch, 4)).collect();
    let offsets = (0..=FARTHEST).step_by(OFFSET_STEP as usize);
    let begins: Vec<u64> = offsets.clone().filter(|offset| takes(*offset, MOST, 4)).collect();
    device.free(buffer)?;

    let pitch = of_rows.first().copied().unwrap_or(0);
    let begin = begins.get(1).copied().unwrap_or(0);
    let by_rule =
        of_rows == multiples(pitches, pitch) && of_one_row == of_rows && begins == multiples(offsets, begin);
    let found = format!(
        "pitches: {}, also for a single row; first texels: {}",
        all_of(pitch, &of_rows),
        all_of(begin, &begins)
    );
    Ok(Finding { passed: by_rule, found })
}

/// Those that a number divides; of zero, none.
fn multiples(all: impl Iterator<Item = u64>, of: u64) -> Vec<u64> {
    all.filter(|value| of > 0 && value.is_multiple_of(of)).collect()
}

fn all_of(number: u64, taken: &[u64]) -> String {
    format!(
        "multiples of {number} bytes ({} to {})",
        format::count(taken.first().copied().unwrap_or(0)),
        format::count(taken.last().copied().unwrap_or(0))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(make: fn(&mut Probe<'_>) -> Result<Finding>) -> Finding {
        let mut device = device::Embedded::new("h200").unwrap();
        make(&mut Probe { device: &mut device, modules: &[], buffers: &[] }).unwrap()
    }

    #[test]
    fn the_embedded_device_copies_rows_of_any_pitch() {
        let found = found(copies);
        assert!(found.passed, "{}", found.found);
    }

    /// Answers of an H200's driver, in the words of its record.
    #[test]
    fn the_embedded_device_takes_the_textures_of_an_h200_and_no_others() {
        let said = "pitches: multiples of 32 bytes (32 to 544), also for a single row; \
                    first texels: multiples of 512 bytes (0 to 1,536)";
        assert_eq!(found(textures), Finding::good(said));
    }

    #[test]
    fn a_pitch_that_is_left_out_among_others_is_not_a_rule() {
        assert_eq!(multiples(1..=9, 4), [4, 8]);
        assert!(multiples(1..=9, 0).is_empty());
    }
}
