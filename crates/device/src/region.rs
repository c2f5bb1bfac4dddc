//! Rows and slices in linear memory, as in `cudaMallocPitch`, `cudaMalloc3D`, `cudaMemcpy2D` and `cudaMemcpy3D`.
//!
//! Enters: shapes. Leaves: whether they fit, with the same messages for both devices. This module must never know
//! a device.

use crate::error::{Error, Result};
use crate::handle::Buffer;
use simt::Transfer;

/// Rows begin at multiples of this, bytes: on the H200 for every width of `tests/pitches.csv`, and so in what the
/// sources print. The driver calls it the device's texture alignment (`CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT`).
pub const PITCH_ALIGNMENT: u64 = 512;

/// Memory whose rows begin at multiples of [`PITCH_ALIGNMENT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pitched {
    /// `pitch` times as many bytes as it has rows.
    pub buffer: Buffer,
    /// From row to row, bytes.
    pub pitch: u64,
}

impl Pitched {
    /// The whole of it, `height` rows a slice (in two dimensions: all of them).
    pub fn region(&self, height: u64) -> Region {
        Region { offset: 0, pitch: self.pitch, height }
    }
}

/// Position of rows in a piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Region {
    /// Bytes to the first byte.
    pub offset: u64,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Rows from slice to slice.
    pub height: u64,
}

impl Region {
    /// Rows without gaps, from the first byte on: how a host's array lies.
    pub fn packed(extent: Extent) -> Region {
        Region { offset: 0, pitch: extent.width, height: extent.height }
    }

    /// Bytes to the first byte of a row; of a region that was checked.
    pub(crate) fn row(&self, slice: u64, row: u64) -> u64 {
        self.offset + (slice * self.height + row) * self.pitch
    }

    /// Checks that all of an extent lies in `bytes` bytes, and rows do not overlap; `what` names the owner of the
    /// bytes.
    ///
    /// # Errors
    /// [`Error::BadShape`], or [`simt::Error::OutOfRange`].
    pub(crate) fn check(&self, extent: Extent, what: &str, bytes: u64) -> Result<()> {
        let refused = |message: String| Err(Error::BadShape { message });
        let Extent { width, height, depth } = extent;
        if width == 0 || height == 0 || depth == 0 {
            return refused(format!(
                "a copy of {width} bytes by {height} rows by {depth} slices copies nothing; none may be zero"
            ));
        }
        if self.pitch < width {
            return refused(format!(
                "a pitch of {} bytes in the {what} is narrower than the rows, {width} bytes",
                self.pitch
            ));
        }
        if depth > 1 && self.height < height {
            return refused(format!(
                "a slice of {} rows in the {what} is lower than what is copied, {height} rows",
                self.height
            ));
        }
        let last = || {
            let rows = (depth - 1).checked_mul(self.height)?.checked_add(height - 1)?;
            rows.checked_mul(self.pitch)?.checked_add(width)
        };
        let Some(len) = last() else {
            return refused(format!(
                "{width} bytes by {height} rows by {depth} slices, {} bytes from row to row: more than 2^64 bytes",
                self.pitch
            ));
        };
        within(what, self.offset, len, bytes)
    }
}

/// Size of a copy: bytes of a row, rows, slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extent {
    /// Bytes a row.
    pub width: u64,
    /// Rows a slice.
    pub height: u64,
    /// Slices; 1 in two dimensions.
    pub depth: u64,
}

impl Extent {
    /// Every row: its slice, and its number in it.
    pub(crate) fn rows(self) -> impl Iterator<Item = (u64, u64)> {
        (0..self.depth).flat_map(move |slice| (0..self.height).map(move |row| (slice, row)))
    }
}

/// Bytes of an allocation with such rows, and their pitch.
///
/// # Errors
/// [`Error::BadShape`].
pub(crate) fn pitched(width: u64, rows: u64, element_bytes: u32) -> Result<(u64, u64)> {
    let refused = |message: String| Err(Error::BadShape { message });
    if width == 0 || rows == 0 {
        return refused(format!("{rows} rows of {width} bytes are nothing to allocate; neither may be zero"));
    }
    if ![4, 8, 16].contains(&element_bytes) {
        return refused(format!(
            "elements of {element_bytes} bytes: pitched memory is for those of 4, 8 or 16 (take 4 for smaller ones)"
        ));
    }
    let pitch = width.checked_next_multiple_of(PITCH_ALIGNMENT);
    match pitch.and_then(|pitch| Some((pitch.checked_mul(rows)?, pitch))) {
        Some(sizes) => Ok(sizes),
        None => refused(format!("{rows} rows of {width} bytes are more than 2^64 bytes")),
    }
}

/// Checks that there is something to transfer.
///
/// # Errors
/// [`Error::BadShape`].
pub(crate) fn transfer(transfer: &Transfer) -> Result<()> {
    if transfer.bytes > 0 {
        return Ok(());
    }
    Err(Error::BadShape { message: "a transfer of 0 bytes copies nothing".to_owned() })
}

/// Checks that a buffer is made of whole words.
///
/// # Errors
/// [`Error::BadShape`].
pub(crate) fn words(buffer: Buffer) -> Result<()> {
    if buffer.bytes.is_multiple_of(4) {
        return Ok(());
    }
    let message = format!("fill of a buffer of {} bytes: its size is not a multiple of 4", buffer.bytes);
    Err(Error::BadShape { message })
}

/// Checks that bytes `offset..offset + len` lie in `bytes` bytes.
///
/// # Errors
/// [`simt::Error::OutOfRange`].
pub(crate) fn within(what: &str, offset: u64, len: u64, bytes: u64) -> Result<()> {
    match offset.checked_add(len) {
        Some(end) if end <= bytes => Ok(()),
        _ => Err(simt::Error::OutOfRange { what: what.to_owned(), offset, len, bytes }.into()),
    }
}

/// Checks that the source and the destination of a copy from buffer to buffer do not overlap.
///
/// # Errors
/// [`Error::BadShape`].
pub(crate) fn apart(to: Buffer, to_offset: u64, from: Buffer, from_offset: u64, bytes: u64) -> Result<()> {
    if to.id != from.id || bytes == 0 || to_offset.abs_diff(from_offset) >= bytes {
        return Ok(());
    }
    let message = format!(
        "a copy of {bytes} bytes from byte {from_offset} to byte {to_offset} of the same buffer overlaps itself"
    );
    Err(Error::BadShape { message })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent { width: 60, height: 15, depth: 3 };

    fn refusal(region: Region, extent: Extent, bytes: u64) -> String {
        region.check(extent, "buffer", bytes).unwrap_err().to_string()
    }

    #[test]
    fn a_region_must_lie_inside_to_its_last_byte_and_no_further() {
        let region = Region { offset: 4, pitch: 512, height: 15 };
        let len = 4 + 44 * 512 + 60;
        assert!(region.check(EXTENT, "buffer", len).is_ok());
        assert!(refusal(region, EXTENT, len - 1).contains("are not inside of its"));
        assert!(Region::packed(EXTENT).check(EXTENT, "buffer", 60 * 15 * 3).is_ok());
        assert!(Region { offset: u64::MAX, ..region }.check(EXTENT, "buffer", u64::MAX).is_err());
    }

    #[test]
    fn rows_and_slices_may_not_run_into_each_other() {
        let region = Region { offset: 0, pitch: 59, height: 15 };
        assert!(refusal(region, EXTENT, u64::MAX).contains("narrower than the rows"));
        let region = Region { offset: 0, pitch: 60, height: 14 };
        assert!(refusal(region, EXTENT, u64::MAX).contains("lower than what is copied"));
        // In two dimensions it does not matter where a second slice would begin.
        assert!(region.check(Extent { depth: 1, ..EXTENT }, "buffer", u64::MAX).is_ok());
    }

    #[test]
    fn nothing_and_too_much_are_refused() {
        let region = Region { offset: 0, pitch: 512, height: 15 };
        for none in
            [Extent { width: 0, ..EXTENT }, Extent { height: 0, ..EXTENT }, Extent { depth: 0, ..EXTENT }]
        {
            assert!(refusal(region, none, u64::MAX).contains("copies nothing"));
        }
        let extent = Extent { depth: u64::MAX, ..EXTENT };
        assert!(refusal(region, extent, u64::MAX).contains("more than 2^64 bytes"));
        let most = Region { offset: 0, pitch: u64::MAX, height: u64::MAX };
        assert!(refusal(most, EXTENT, u64::MAX).contains("more than 2^64 bytes"));
    }

    #[test]
    fn shapes_of_pitched_memory_are_checked() {
        assert_eq!(pitched(60, 15, 4).unwrap(), (512 * 15, 512));
        assert_eq!(pitched(1020, 45, 16).unwrap(), (1024 * 45, 1024));
        for (width, rows) in [(0, 1), (1, 0)] {
            assert!(pitched(width, rows, 4).unwrap_err().to_string().contains("nothing to allocate"));
        }
        for (width, rows) in [(u64::MAX, 1), (u64::MAX - 511, 2), (1, u64::MAX)] {
            assert!(pitched(width, rows, 4).unwrap_err().to_string().contains("more than 2^64"));
        }
        for element in [0, 1, 3, 12, 32] {
            assert!(pitched(60, 15, element).unwrap_err().to_string().contains("4, 8 or 16"));
        }
    }

    #[test]
    fn pitches_are_those_that_the_h200_gives() {
        let mut widths = 0;
        for line in include_str!("../tests/pitches.csv").lines().skip(2) {
            let run: Vec<u64> = line.split(',').map(|n| n.parse().unwrap()).collect();
            let [first, last, wanted] = run[..] else { panic!("{line}") };
            for width in [first, last] {
                for element in [4, 8, 16] {
                    assert_eq!(pitched(width, 15, element).unwrap().1, wanted, "{width} bytes");
                }
                widths += 1;
            }
        }
        assert!(widths > 200, "{widths}");
    }

    #[test]
    fn a_copy_onto_itself_is_refused() {
        let [a, b] = [0, 1].map(|id| Buffer { id, bytes: 100, pitch: None });
        for (to, from) in [(0, 0), (0, 9), (9, 0)] {
            assert!(apart(a, to, a, from, 10).unwrap_err().to_string().contains("overlaps itself"));
            assert!(apart(a, to, b, from, 10).is_ok());
        }
        assert!(
            apart(a, 10, a, 0, 10).is_ok() && apart(a, 0, a, 10, 10).is_ok() && apart(a, 0, a, 0, 0).is_ok()
        );
    }
}
