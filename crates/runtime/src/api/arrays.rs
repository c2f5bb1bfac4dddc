//! Arrays of texels, and copies into and out of them.
//!
//! Enters: handles, offsets, rows. Leaves: texels. The device takes an array as a whole, so a part of one is put into the whole
//! before it goes there. Widths are bytes, except where the manual counts texels: in the extents of arrays themselves, and in
//! `cudaMemcpy3D` with an array at one end.

use super::copy::Returns;
use super::finding::{CopyKind, End, Kind, Memory, What};
use super::judge::{Asked, Corner, kind_of};
use super::transfer::{Place, Side};
use super::work::Work;
use super::{Answer, Call, Space, Status, low};
use crate::guest::Site;
use device::Array;
use device::texture::{Channel, Dimension, Extent, Format};

/// Handles of arrays: their number after these bits, which no address has.
const HANDLES: u64 = 0x8003_0000_0000_0000;
/// `cudaArrayLayered`, `cudaArraySurfaceLoadStore`, `cudaArrayCubemap`, `cudaArrayTextureGather`.
const LAYERED: u32 = 1;
const CUBEMAP: u32 = 4;
const FLAGS: u32 = 0xf;

/// An array.
#[derive(Clone, Debug)]
pub(super) struct Texels {
    pub(super) array: Array,
    pub(super) format: Format,
    /// As the program gave it.
    extent: [u64; 3],
    /// Rows of a slice and slices, at least 1.
    rows: [u64; 2],
    flags: u32,
    /// The format as the program gave it.
    descriptor: [u32; 5],
    allocated: Site,
    freed: Option<Site>,
}

impl Texels {
    /// Bytes of a row.
    fn row_bytes(&self) -> u64 {
        self.extent[0] * self.format.bytes()
    }

    fn memory(&self, at: usize) -> Memory {
        Memory {
            what: What::Array,
            address: HANDLES | at as u64,
            bytes: self.array.bytes(),
            rows: None,
            allocated: Some(self.allocated),
            freed: self.freed,
        }
    }
}

/// All arrays.
#[derive(Debug, Default)]
pub(super) struct Arrays(pub(super) Vec<Texels>);

/// The format of a channel descriptor.
pub(super) fn format_of([x, y, z, w, kind]: [u32; 5]) -> Option<Format> {
    let channels = match [x, y, z, w].map(|bits| bits > 0) {
        [true, false, false, false] => 1,
        [true, true, false, false] => 2,
        [true, true, true, true] => 4,
        _ => return None,
    };
    if [y, z, w].iter().any(|bits| *bits != 0 && *bits != x) {
        return None;
    }
    let channel = match (kind, x) {
        (0, 8) => Channel::I8,
        (0, 16) => Channel::I16,
        (0, 32) => Channel::I32,
        (1, 8) => Channel::U8,
        (1, 16) => Channel::U16,
        (1, 32) => Channel::U32,
        (2, 16) => Channel::F16,
        (2, 32) => Channel::F32,
        _ => return None,
    };
    Some(Format { channel, channels })
}

impl Call<'_> {
    pub(super) fn descriptor(&self, at: u64) -> Answer<[u32; 5]> {
        let mut all = [0; 5];
        for (value, n) in all.iter_mut().zip(0..) {
            *value = self.get_u32(at.wrapping_add(4 * n))?;
        }
        Ok(all)
    }

    /// Whether an address is the handle of an array.
    pub(super) fn is_array(&self, address: u64) -> bool {
        self.api.arrays.0.get((address ^ HANDLES) as usize).is_some_and(|array| array.freed.is_none())
    }

    /// The array of a handle.
    pub(super) fn array(&mut self, handle: u64) -> Answer<usize> {
        let at = (handle ^ HANDLES) as usize;
        match self.api.arrays.0.get(at) {
            Some(array) if array.freed.is_none() => Ok(at),
            found => {
                let destroyed = found.and_then(|array| array.freed);
                self.found(Kind::BadHandle { what: "array", destroyed });
                Err(Status::INVALID_RESOURCE_HANDLE.into())
            }
        }
    }

    fn allocate_array(&mut self, to: u64, descriptor: u64, extent: [u64; 3], flags: u32) -> Answer {
        let (to, at) = (self.pointer(to, "array")?, self.pointer(descriptor, "desc")?);
        let descriptor = self.descriptor(at)?;
        let Some(format) = format_of(descriptor) else {
            let why = "the device has no texels of this format";
            return self.refuse(Status::INVALID_CHANNEL_DESCRIPTOR, "desc", why);
        };
        if flags & !FLAGS != 0 {
            return self.refuse(Status::INVALID_VALUE, "flags", format!("{flags:#x} has unknown bits"));
        }
        let [width, height, depth] = extent;
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let (layered, cube) = (flags & LAYERED != 0, flags & CUBEMAP != 0);
        let (dimension, slices) = match (cube, height, depth) {
            (true, ..) => (Dimension::Cube, 1),
            (false, 0, _) => (Dimension::One, 1),
            (false, _, _) if layered || depth == 0 => (Dimension::Two, 1),
            (false, ..) => (Dimension::Three, small(depth)),
        };
        let layers = match (layered, cube) {
            (true, true) => Some(small(depth / 6)),
            (true, false) => Some(small(depth)),
            (false, _) => None,
        };
        let size = [small(width), small(height.max(1)), slices];
        let made = self.api.device.allocate_array(Extent { dimension, size, layers, levels: None }, format);
        let array = made.map_err(|error| self.failed(error))?;
        let at = self.api.arrays.0.len();
        self.api.allocated += array.bytes();
        self.api.arrays.0.push(Texels {
            array,
            format,
            extent,
            rows: [height.max(1), depth.max(1)],
            flags,
            descriptor,
            allocated: self.site,
            freed: None,
        });
        self.put(to, (HANDLES | at as u64).to_le_bytes())?;
        Ok(0)
    }

    /// Copies between an array and other memory; `width` is in bytes.
    pub(super) fn copy_array(
        &mut self,
        handle: u64,
        corner: Corner,
        other: Asked,
        extent: device::Extent,
        (kind, to_array, returns): (u32, bool, Returns),
    ) -> Answer {
        self.array(handle)?;
        let stream = self.stream_of(returns)?;
        if self.is_captured(stream)? {
            let work = Work::ArrayCopy { array: handle, corner, other, extent, kind, to_array };
            return self.record(stream, work);
        }
        self.copy_array_now(handle, corner, other, extent, ((kind, to_array, returns), stream))
    }

    /// Makes such a copy on a stream.
    pub(super) fn copy_array_now(
        &mut self,
        handle: u64,
        corner: Corner,
        other: Asked,
        extent: device::Extent,
        ((kind, to_array, returns), stream): ((u32, bool, Returns), usize),
    ) -> Answer {
        let at = self.array(handle)?;
        if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
            return Ok(0);
        }
        self.check_corner(at, corner, extent, to_array)?;
        let of = &self.api.arrays.0[at];
        let (row, whole) = (of.row_bytes(), extent.height == of.rows[0] && extent.height > 1);
        if extent.width == of.extent[0] && extent.width < row && whole && other.pitch == extent.width {
            let memory = of.memory(at);
            self.note(Kind::WidthInElements { given: extent.width, width: row, memory, read: None });
        }
        // To what a kind says, an array is memory of the device.
        let array_space = Space::Nowhere;
        let other_space = self.check_other(&other, extent, kind, to_array)?;
        let place = self.array_place(at, corner);
        let side = self.side(other.address, &other_space)?;
        let other = Place { side, pitch: other.pitch, height: other.height };
        let (to, from) = if to_array { (&place, &other) } else { (&other, &place) };
        let spaces = if to_array { (&array_space, &other_space) } else { (&other_space, &array_space) };
        self.place(to, from, spaces, extent, (stream, returns))
    }

    fn array_place(&self, at: usize, Corner { x, y, z }: Corner) -> Place {
        let of = &self.api.arrays.0[at];
        let (pitch, height) = (of.row_bytes(), of.rows[0]);
        Place { side: Side::Array { at, offset: (z * height + y) * pitch + x }, pitch, height }
    }

    /// Whether a copy is inside an array.
    fn check_corner(
        &mut self,
        at: usize,
        corner: Corner,
        extent: device::Extent,
        to_array: bool,
    ) -> Answer<()> {
        let of = &self.api.arrays.0[at];
        let (row, [rows, slices]) = (of.row_bytes(), of.rows);
        let within =
            |start: u64, count: u64, most: u64| start.checked_add(count).is_some_and(|end| end <= most);
        if within(corner.x, extent.width, row)
            && within(corner.y, extent.height, rows)
            && within(corner.z, extent.depth, slices)
        {
            return Ok(());
        }
        let end = if to_array { End::Destination } else { End::Source };
        let (memory, texels, texel) = (of.memory(at), of.extent[0], of.format.bytes());
        let offset = corner.x;
        if extent.width == row.saturating_mul(texel) && texel > 1 {
            // A width in bytes was taken for one in texels.
            self.found(Kind::WidthInBytes { given: extent.width / texel, texels, texel });
            return Err(Status::INVALID_VALUE.into());
        }
        self.found(Kind::Beyond { end: Some(end), offset, bytes: extent.width, memory, element: None });
        Err(Status::INVALID_VALUE.into())
    }

    /// The other end of such a copy.
    fn check_other(
        &mut self,
        other: &Asked,
        extent: device::Extent,
        kind: u32,
        to_array: bool,
    ) -> Answer<Space> {
        let space = self.space(other.address);
        let on_device = matches!(space, Space::Device(_) | Space::Both(_) | Space::Symbol(_));
        let on_host = matches!(space, Space::Host | Space::Both(_));
        let fits = match (kind, to_array) {
            (1, true) | (2, false) => on_host,
            (3, _) => on_device,
            (4, _) => on_host || on_device,
            _ => false,
        };
        if !fits {
            let is = match (on_device && !on_host, to_array) {
                (true, _) => CopyKind::DeviceToDevice,
                (false, true) => CopyKind::HostToDevice,
                (false, false) => CopyKind::DeviceToHost,
            };
            let Some(given) = kind_of(kind).filter(|_| on_host || on_device) else {
                let why = format!("{kind} is not the direction of a copy between an array and this pointer");
                return self.refuse(Status::INVALID_VALUE, "kind", why);
            };
            self.found(Kind::WrongKind { given, is, exchanged: false, variable: None });
            return Err(Status::INVALID_VALUE.into());
        }
        let rows = extent.height.max(extent.depth) > 1;
        let end = if to_array { End::Source } else { End::Destination };
        if rows && other.pitch < extent.width {
            self.found(Kind::NarrowPitch { end, pitch: other.pitch, width: extent.width, exchanged: false });
            return Err(Status::INVALID_PITCH_VALUE.into());
        }
        let bytes = super::judge::span(extent, other.pitch, other.height).unwrap_or(u64::MAX);
        self.check_within(Some(end), other.address, bytes)?;
        Ok(space)
    }

    /// Frees all arrays.
    pub(super) fn free_arrays(&mut self) -> Answer<()> {
        for at in 0..self.api.arrays.0.len() {
            if self.api.arrays.0[at].freed.is_none() {
                self.free_array(at)?;
            }
        }
        Ok(())
    }

    fn free_array(&mut self, at: usize) -> Answer<()> {
        let array = self.api.arrays.0[at].array;
        self.api.arrays.0[at].freed = Some(self.site);
        self.api.allocated = self.api.allocated.saturating_sub(array.bytes());
        let freed = self.api.device.free_array(array);
        freed.map_err(|error| self.failed(error))
    }

    /// All bytes of an array.
    pub(super) fn array_bytes(&mut self, at: usize) -> Answer<Vec<u8>> {
        let array = self.api.arrays.0[at].array;
        let mut bytes = vec![0; array.bytes() as usize];
        let read = self.api.device.read_array(array, &mut bytes);
        read.map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    pub(super) fn put_array_bytes(&mut self, at: usize, bytes: &[u8]) -> Answer<()> {
        let array = self.api.arrays.0[at].array;
        let written = self.api.device.write_array(array, bytes);
        written.map_err(|error| self.failed(error))
    }

    /// Bytes of a texel of an array.
    pub(super) fn texel_bytes(&self, at: usize) -> u64 {
        self.api.arrays.0[at].format.bytes()
    }
}

/// `cudaMallocArray(array, desc, width, height, flags)`.
pub(super) fn malloc_array(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.allocate_array(a[0], a[1], [a[2], a[3], 0], low(a[4]))
}

/// `cudaMalloc3DArray(array, desc, extent, flags)`.
pub(super) fn malloc_3d_array(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let extent = call.words(a[2])?;
    call.allocate_array(a[0], a[1], extent, low(a[3]))
}

/// `cudaFreeArray(array)`.
pub(super) fn free_array(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.wait_for_all()?;
    if a[0] == 0 {
        return Ok(0);
    }
    let at = call.array(a[0])?;
    call.free_array(at)?;
    Ok(0)
}

/// `cudaArrayGetInfo(desc, extent, flags, array)`.
pub(super) fn array_info(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.array(a[3])?;
    let Texels { descriptor, extent, flags, .. } = call.api.arrays.0[at].clone();
    if a[0] != 0 {
        for (n, value) in (0..).zip(descriptor) {
            call.put(a[0].wrapping_add(4 * n), value.to_le_bytes())?;
        }
    }
    if a[1] != 0 {
        for (n, value) in (0..).zip(extent) {
            call.put(a[1].wrapping_add(8 * n), value.to_le_bytes())?;
        }
    }
    if a[2] != 0 {
        call.put(a[2], flags.to_le_bytes())?;
    }
    Ok(0)
}

fn rows(address: u64, pitch: u64, height: u64) -> Asked {
    Asked { address, pitch, height, pitched: true }
}

fn flat(width: u64, height: u64) -> device::Extent {
    device::Extent { width, height, depth: 1 }
}

fn to_rows(call: &mut Call<'_>, a: &[u64], returns: Returns) -> Answer {
    let corner = Corner { x: a[1], y: a[2], z: 0 };
    let how = (low(a[7]), true, returns);
    call.copy_array(a[0], corner, rows(a[3], a[4], a[6]), flat(a[5], a[6]), how)
}

/// `cudaMemcpy2DToArray(dst, wOffset, hOffset, src, spitch, width, height, kind)`.
pub(super) fn to_array_2d(call: &mut Call<'_>, a: &[u64]) -> Answer {
    to_rows(call, a, Returns::Done)
}

/// `cudaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind, stream)`.
pub(super) fn to_array_2d_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    to_rows(call, a, Returns::AtOnce(a[8]))
}

fn from_rows(call: &mut Call<'_>, a: &[u64], returns: Returns) -> Answer {
    let corner = Corner { x: a[3], y: a[4], z: 0 };
    let how = (low(a[7]), false, returns);
    call.copy_array(a[2], corner, rows(a[0], a[1], a[6]), flat(a[5], a[6]), how)
}

/// `cudaMemcpy2DFromArray(dst, dpitch, src, wOffset, hOffset, width, height, kind)`.
pub(super) fn from_array_2d(call: &mut Call<'_>, a: &[u64]) -> Answer {
    from_rows(call, a, Returns::Done)
}

/// `cudaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream)`.
pub(super) fn from_array_2d_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    from_rows(call, a, Returns::AtOnce(a[8]))
}

/// Copies bytes that fill rows of an array one after the other.
fn run(call: &mut Call<'_>, handle: u64, from: (u64, u64), other: (u64, u64), how: (u32, bool)) -> Answer {
    let at = call.array(handle)?;
    let of = &call.api.arrays.0[at];
    let (row, rows) = (of.row_bytes(), of.rows[0]);
    let ((mut x, mut y), (mut address, mut left)) = (from, other);
    while left > 0 {
        if y >= rows || x >= row {
            return call.refuse(Status::INVALID_VALUE, "count", "the array has fewer bytes from there on");
        }
        let width = left.min(row - x);
        let corner = Corner { x, y, z: 0 };
        let how = (how.0, how.1, Returns::Done);
        call.copy_array(handle, corner, Asked::linear(address, width), flat(width, 1), how)?;
        (x, y, left, address) = (0, y + 1, left - width, address.wrapping_add(width));
    }
    Ok(0)
}

/// `cudaMemcpyToArray(dst, wOffset, hOffset, src, count, kind)`.
pub(super) fn to_array(call: &mut Call<'_>, a: &[u64]) -> Answer {
    run(call, a[0], (a[1], a[2]), (a[3], a[4]), (low(a[5]), true))
}

/// `cudaMemcpyFromArray(dst, src, wOffset, hOffset, count, kind)`.
pub(super) fn from_array(call: &mut Call<'_>, a: &[u64]) -> Answer {
    run(call, a[1], (a[2], a[3]), (a[0], a[4]), (low(a[5]), false))
}

/// `cudaGetChannelDesc(desc, array)`.
pub(super) fn channel_descriptor(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "desc")?;
    array_info(call, &[to, 0, 0, a[1]])
}
