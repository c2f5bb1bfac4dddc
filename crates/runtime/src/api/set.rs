//! `cudaMemset` and its relatives.

use super::blocks::Filled;
use super::copy::Returns;
use super::finding::{End, Kind};
use super::judge::{Asked, span};
use super::streams::Engine;
use super::transfer::{Place, Side, When};
use super::work::{Pattern, Work};
use super::{Answer, Call, Space, Status, low};
use device::Extent;

/// Bytes that are set at a time.
const PIECE: u64 = 1 << 20;

impl Call<'_> {
    /// Sets rows of memory.
    fn set(&mut self, place: (u64, u64, u64), value: u64, extent: Extent, returns: Returns) -> Answer {
        let stream = self.stream_of(returns)?;
        let pattern = Pattern::byte(value);
        self.check_value(low(value).cast_signed(), place.0, extent);
        if self.is_captured(stream)? {
            self.check_set(place, extent)?;
            return self.record(stream, Work::Set { place, pattern, extent });
        }
        self.set_now(place, pattern, extent, (stream, returns))
    }

    /// Whether a value is a byte, as it must be. One of which all bytes are alike may be meant as it is.
    fn check_value(&mut self, value: i32, address: u64, extent: Extent) {
        let [byte, others @ ..] = value.to_le_bytes();
        let is_byte = (i32::from(i8::MIN)..=i32::from(u8::MAX)).contains(&value);
        let bytes = self.api.blocks.at(address).map(|block| block.bytes);
        if extent.width == 0 && value != 0 && bytes == u64::try_from(value).ok() {
            let why = format!("it is 0, and the value is {value}: are the two exchanged?");
            self.note(Kind::BadArgument { parameter: "count", why });
        } else if !is_byte && others != [byte; 3] {
            let int = i32::from_le_bytes([byte; 4]);
            let why = format!(
                "{value} is not a byte, and bytes are set: each becomes {byte:#04x}, so that an `int` becomes {int}"
            );
            self.note(Kind::BadArgument { parameter: "value", why });
        }
    }

    /// Whether memory can be set; where it is.
    pub(super) fn check_set(
        &mut self,
        (address, pitch, height): (u64, u64, u64),
        extent: Extent,
    ) -> Answer<Space> {
        let space = self.on_device(address, "devPtr")?;
        let rows = extent.height.max(extent.depth) > 1;
        if rows && pitch < extent.width {
            self.found(Kind::NarrowPitch {
                end: End::Destination,
                pitch,
                width: extent.width,
                exchanged: false,
            });
            return Err(Status::INVALID_VALUE.into());
        }
        if extent.depth > 1 && height < extent.height {
            let why = format!("its slices have {height} rows, and {} are set", extent.height);
            return self.refuse(Status::INVALID_VALUE, "pitchedDevPtr", why);
        }
        let asked = Asked { address, pitch, height, pitched: rows };
        self.check_rows(End::Destination, &asked, &asked, extent, &space);
        self.check_within(None, address, span(extent, pitch, height).unwrap_or(u64::MAX))?;
        Ok(space)
    }

    /// Sets rows of memory on a stream.
    pub(super) fn set_now(
        &mut self,
        place: (u64, u64, u64),
        pattern: Pattern,
        extent: Extent,
        (stream, returns): (usize, Returns),
    ) -> Answer {
        if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
            return Ok(0);
        }
        let space = self.check_set(place, extent)?;
        let (address, pitch, height) = place;
        if self.api.errors.fault.is_some() {
            return Ok(0);
        }
        let side = self.side(address, &space)?;
        let place = Place { side, pitch, height };
        let bytes = extent.width.saturating_mul(extent.height).saturating_mul(extent.depth);
        // Half of a copy: nothing is read.
        let ns = self.api.chip.copy_ns(bytes / 2);
        let placed = self.enqueue(stream, Engine::None, ns, "[CUDA memset]", bytes);
        let by = self.access(stream, true);
        self.touch(&place, &space, extent, &by, &placed);
        let when = match returns {
            Returns::Done => When::Now,
            Returns::AtOnce(_) | Returns::InGraph => When::Later(placed.stamp, by),
        };
        if let (Space::Device(block), Side::Device { offset, .. }) = (&space, &place.side) {
            let filled = Filled { extent, call: self.name, site: self.site };
            self.api.blocks.filled(block.address, *offset, filled);
        }
        self.fill(&place, pattern, extent, &when)?;
        // The host waits where the memory is its own.
        if matches!((returns, &space), (Returns::Done, Space::Both(_))) {
            self.wait(&placed.clock, placed.end_ns)?;
        }
        Ok(0)
    }

    fn fill(&mut self, place: &Place, pattern: Pattern, extent: Extent, when: &When) -> Answer<()> {
        let dense = extent.depth == 1 && (extent.height == 1 || place.pitch == extent.width);
        let (width, rows) = if dense {
            (extent.width * extent.height, 1)
        } else {
            (extent.width, extent.height * extent.depth)
        };
        let piece = pattern.repeated(width.min(PIECE) as usize);
        for n in 0..rows {
            let (slice, row) = (n / extent.height, n % extent.height);
            let start = if dense { 0 } else { (slice * place.height + row) * place.pitch };
            let mut done = 0;
            while done < width {
                let count = (width - done).min(PIECE);
                self.store_at(place, start + done, &piece[..count as usize], when)?;
                done += count;
            }
        }
        Ok(())
    }
}

fn line(bytes: u64) -> Extent {
    Extent { width: bytes, height: 1, depth: 1 }
}

/// `cudaMemset(devPtr, value, count)`.
pub(super) fn memset(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.set((a[0], a[2], 1), a[1], line(a[2]), Returns::Done)
}

/// `cudaMemsetAsync(devPtr, value, count, stream)`.
pub(super) fn memset_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.set((a[0], a[2], 1), a[1], line(a[2]), Returns::AtOnce(a[3]))
}

/// `cudaMemset2D(devPtr, pitch, value, width, height)`.
pub(super) fn memset_2d(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.set((a[0], a[1], a[4]), a[2], Extent { width: a[3], height: a[4], depth: 1 }, Returns::Done)
}

/// `cudaMemset2DAsync(devPtr, pitch, value, width, height, stream)`.
pub(super) fn memset_2d_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let extent = Extent { width: a[3], height: a[4], depth: 1 };
    call.set((a[0], a[1], a[4]), a[2], extent, Returns::AtOnce(a[5]))
}

/// `cudaMemset3D(pitchedDevPtr, value, extent)`.
pub(super) fn memset_3d(call: &mut Call<'_>, a: &[u64]) -> Answer {
    of_pitched(call, a, Returns::Done)
}

/// `cudaMemset3DAsync(pitchedDevPtr, value, extent, stream)`.
pub(super) fn memset_3d_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    of_pitched(call, a, Returns::AtOnce(a[3]))
}

fn of_pitched(call: &mut Call<'_>, a: &[u64], returns: Returns) -> Answer {
    let [address, pitch, _, height] = call.words(a[0])?;
    let [width, rows, depth] = call.words(a[2])?;
    call.set((address, pitch, height), a[1], Extent { width, height: rows, depth }, returns)
}
