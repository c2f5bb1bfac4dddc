//! Bytes from one place to another: rows in any of the memories.
//!
//! Enters: two ends, each a memory with a pitch, and an extent. Leaves: the bytes at the other end, now or when the host has
//! waited for them. What a copy may do is decided before, in [`super::judge`].

use super::blocks::Block;
use super::finding::Access;
use super::mirror::{Effect, Pending, hash};
use super::order::Stamp;
use super::{Answer, Call, Space, Status, Stop};
use device::{Buffer, Extent, Region};

/// A memory, from a byte of it on.
#[derive(Clone, Debug)]
pub(super) enum Side {
    /// A buffer of the device.
    Device { buffer: Buffer, offset: u64 },
    /// A variable of the device, by its number.
    Symbol { at: usize, offset: u64 },
    /// An array, by its number, from a byte on.
    Array { at: usize, offset: u64 },
    /// The host's memory; `pinned` if the device reads and writes it itself.
    Host { address: u64, pinned: bool },
}

/// Where the rows of a copy are.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) side: Side,
    /// Bytes from row to row.
    pub(super) pitch: u64,
    /// Rows from slice to slice.
    pub(super) height: u64,
}

/// Bytes that are on their way at a time.
const PIECE: u64 = 16 << 20;

impl Place {
    /// Bytes from the first byte to a row.
    fn row(&self, slice: u64, row: u64) -> u64 {
        slice.wrapping_mul(self.height).wrapping_add(row).wrapping_mul(self.pitch)
    }

    /// The place a number of bytes further on.
    fn at(&self, bytes: u64) -> Place {
        let side = match self.side {
            Side::Device { buffer, offset } => Side::Device { buffer, offset: offset.wrapping_add(bytes) },
            Side::Symbol { at, offset } => Side::Symbol { at, offset: offset.wrapping_add(bytes) },
            Side::Array { at, offset } => Side::Array { at, offset: offset.wrapping_add(bytes) },
            Side::Host { address, pinned } => Side::Host { address: address.wrapping_add(bytes), pinned },
        };
        Place { side, ..*self }
    }
}

/// When the host's bytes change.
#[derive(Clone, Debug)]
pub(super) enum When {
    /// At the call.
    Now,
    /// When the host has waited for this.
    Later(Stamp, Access),
}

/// The parts of an extent that are copied at a time: bytes of the first row, or rows of a slice, and where they begin.
fn pieces(extent: Extent) -> Vec<(u64, u64, u64, Extent)> {
    let Extent { width, height, depth } = extent;
    if height == 1 && depth == 1 {
        let parts = width.div_ceil(PIECE);
        let part = |n: u64| {
            let width = (width - n * PIECE).min(PIECE);
            (0, 0, n * PIECE, Extent { width, height: 1, depth: 1 })
        };
        return (0..parts).map(part).collect();
    }
    let rows = (PIECE / width.max(1)).max(1);
    let mut all = vec![];
    for slice in 0..depth {
        let mut row = 0;
        while row < height {
            let part = rows.min(height - row);
            all.push((slice, row, 0, Extent { width, height: part, depth: 1 }));
            row += part;
        }
    }
    all
}

impl Call<'_> {
    /// The memory of an address that a copy or a function that sets memory was given.
    pub(super) fn side(&mut self, address: u64, space: &Space) -> Answer<Side> {
        Ok(match space {
            Space::Device(Block { buffer: Some(buffer), address: first, .. }) => {
                Side::Device { buffer: *buffer, offset: address - first }
            }
            Space::Both(Block { buffer: Some(buffer), address: first, .. })
                if self.api.mirrors.is_newer(*first) =>
            {
                Side::Device { buffer: *buffer, offset: address - first }
            }
            Space::Both(_) => Side::Host { address, pinned: true },
            Space::Symbol(at) => {
                let at = *at;
                Side::Symbol { at, offset: address - self.api.variables[at].address }
            }
            Space::Host => Side::Host { address, pinned: false },
            Space::Device(_) | Space::Freed(_) | Space::Nowhere => return Err(Status::INVALID_VALUE.into()),
        })
    }

    /// Copies rows and slices.
    pub(super) fn transfer(&mut self, to: &Place, from: &Place, extent: Extent, when: &When) -> Answer<()> {
        if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
            return Ok(());
        }
        let dense = |place: &Place| {
            // Of slices with a row each, the pitch is what is between them.
            let row = extent.height == 1 && extent.depth == 1;
            (row || place.pitch == extent.width) && (extent.depth == 1 || place.height == extent.height)
        };
        let all = extent.width.checked_mul(extent.height).and_then(|n| n.checked_mul(extent.depth));
        let all = all.ok_or(Stop::Error(Status::INVALID_VALUE))?;
        let extent = match dense(to) && dense(from) {
            true => Extent { width: all, height: 1, depth: 1 },
            false => extent,
        };
        if let (Side::Device { buffer, offset }, Side::Device { buffer: source, offset: start }) =
            (&to.side, &from.side)
        {
            let region = |place: &Place, offset| Region {
                offset,
                pitch: place.pitch.max(extent.width),
                height: place.height,
            };
            let (to_at, from_at) = (region(to, *offset), region(from, *start));
            let copied = self.api.device.copy_3d(*buffer, to_at, *source, from_at, extent);
            return copied.map_err(|error| self.failed(error));
        }
        for (slice, row, byte, part) in pieces(extent) {
            let bytes = self.fetch(&from.at(from.row(slice, row).wrapping_add(byte)), part, when)?;
            self.store(&to.at(to.row(slice, row).wrapping_add(byte)), part, &bytes, when)?;
        }
        Ok(())
    }

    /// Rows of one slice, without gaps.
    fn fetch(&mut self, from: &Place, extent: Extent, when: &When) -> Answer<Vec<u8>> {
        let Extent { width, height, .. } = extent;
        let mut bytes = vec![0; (width * height) as usize];
        match from.side {
            Side::Device { buffer, offset } => {
                let at = Region { offset, pitch: from.pitch.max(width), height };
                let read = match height {
                    1 => self.api.device.read(buffer, offset, &mut bytes),
                    _ => self.api.device.read_3d(buffer, at, &mut bytes, Region::packed(extent), extent),
                };
                read.map_err(|error| self.failed(error))?;
            }
            Side::Symbol { at, offset } => {
                for (row, part) in (0..).zip(bytes.chunks_mut(width as usize)) {
                    let of = &self.api.variables[at];
                    let offset = offset + row * from.pitch;
                    let read = self.api.device.read_symbol(of.module, &of.symbol, offset, part);
                    read.map_err(|error| self.failed(error))?;
                }
            }
            Side::Array { at, offset } => {
                let all = self.array_bytes(at)?;
                for (row, part) in (0..).zip(bytes.chunks_mut(width as usize)) {
                    let start = (offset + row * from.pitch) as usize;
                    part.copy_from_slice(&all[start..start + part.len()]);
                }
            }
            Side::Host { address, pinned } => {
                let span = from.pitch.wrapping_mul(height - 1).wrapping_add(width);
                self.api.settle_over(address, span, self.guest)?;
                for (row, part) in (0..).zip(bytes.chunks_mut(width as usize)) {
                    let at = address.wrapping_add(from.pitch.wrapping_mul(row));
                    self.guest.read(at, part)?;
                    if let (true, When::Later(stamp, by)) = (pinned, when) {
                        let effect = Effect::Reads { address: at, bytes: width, hash: hash(part) };
                        let pending = Pending { stamp: *stamp, by: by.clone(), effect };
                        self.api.pending.push(pending);
                    }
                }
                self.api.see(&bytes);
            }
        }
        Ok(bytes)
    }

    /// Bytes from a place on.
    pub(super) fn store_at(&mut self, to: &Place, at: u64, bytes: &[u8], when: &When) -> Answer<()> {
        let extent = Extent { width: bytes.len() as u64, height: 1, depth: 1 };
        self.store(&to.at(at), extent, bytes, when)
    }

    /// Rows of one slice to where they belong.
    fn store(&mut self, to: &Place, extent: Extent, bytes: &[u8], when: &When) -> Answer<()> {
        let Extent { width, height, .. } = extent;
        match to.side {
            Side::Device { buffer, offset } => {
                let at = Region { offset, pitch: to.pitch.max(width), height };
                let written = match height {
                    1 => self.api.device.write(buffer, offset, bytes),
                    _ => self.api.device.write_3d(buffer, at, bytes, Region::packed(extent), extent),
                };
                written.map_err(|error| self.failed(error))?;
            }
            Side::Symbol { at, offset } => {
                for (row, part) in (0..).zip(bytes.chunks(width as usize)) {
                    let of = &self.api.variables[at];
                    let offset = offset + row * to.pitch;
                    let written = self.api.device.write_symbol(of.module, &of.symbol, offset, part);
                    written.map_err(|error| self.failed(error))?;
                }
            }
            Side::Array { at, offset } => {
                let mut all = self.array_bytes(at)?;
                for (row, part) in (0..).zip(bytes.chunks(width as usize)) {
                    let start = (offset + row * to.pitch) as usize;
                    all[start..start + part.len()].copy_from_slice(part);
                }
                self.put_array_bytes(at, &all)?;
            }
            Side::Host { address, pinned } => {
                if !(pinned && matches!(when, When::Later(..))) {
                    let span = to.pitch.wrapping_mul(height - 1).wrapping_add(width);
                    self.api.settle_over(address, span, self.guest)?;
                }
                for (row, part) in (0..).zip(bytes.chunks(width as usize)) {
                    let at = address.wrapping_add(to.pitch.wrapping_mul(row));
                    match when {
                        When::Later(stamp, by) if pinned => {
                            let effect = Effect::Bytes { address: at, bytes: part.to_vec() };
                            self.api.pending.push(Pending { stamp: *stamp, by: by.clone(), effect });
                        }
                        When::Now | When::Later(..) => self.guest.write(at, part)?,
                    }
                }
            }
        }
        Ok(())
    }
}
