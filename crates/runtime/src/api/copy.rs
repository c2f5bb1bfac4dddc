//! `cudaMemcpy` and its relatives of one and two dimensions, and what all copies do.

use super::blocks::Filled;
use super::finding::{Access, Kind};
use super::judge::{Asked, Judged, kind_of};
use super::order::{Clock, Stamp};
use super::profile::Span;
use super::streams::{Engine, LEGACY, Placed};
use super::transfer::{Place, Side, When};
use super::work::Work;
use super::{Answer, Call, Space, Status, low};
use device::{Direction, Extent, HostMemory, Transfer};
use std::ops::Range;

/// Most rows of a copy that are noted one by one.
const MOST_ROWS: u64 = 256;

/// When a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    /// When its work is done, on the default stream.
    Done,
    /// At once, by the stream with this handle.
    AtOnce(u64),
    /// It has returned: this is done by a graph.
    InGraph,
}

/// Which way bytes go, as profiles name it.
fn way(to: &Side, from: &Side) -> (&'static str, Option<Direction>) {
    match (to, from) {
        (Side::Host { .. }, Side::Host { .. }) => ("[CUDA memcpy HtoH]", None),
        (Side::Host { .. }, _) => ("[CUDA memcpy DtoH]", Some(Direction::ToHost)),
        (_, Side::Host { .. }) => ("[CUDA memcpy HtoD]", Some(Direction::ToDevice)),
        _ => ("[CUDA memcpy DtoD]", None),
    }
}

/// Whether a copy's end is memory that the host may have moved.
fn pageable(side: &Side) -> bool {
    matches!(side, Side::Host { pinned: false, .. })
}

impl Call<'_> {
    /// Makes a copy.
    pub(super) fn copy(
        &mut self,
        to: Asked,
        from: Asked,
        extent: Extent,
        kind: u32,
        returns: Returns,
    ) -> Answer {
        let stream = self.stream_of(returns)?;
        if self.is_captured(stream)? {
            self.judge(to, from, extent, kind)?;
            return self.record(stream, Work::Copy { to, from, extent, kind });
        }
        self.copy_now(to, from, extent, kind, (stream, returns))
    }

    /// The stream of an operation.
    pub(super) fn stream_of(&mut self, returns: Returns) -> Answer<usize> {
        match returns {
            Returns::Done | Returns::InGraph => Ok(LEGACY),
            Returns::AtOnce(handle) => self.stream(handle),
        }
    }

    /// Makes a copy on a stream.
    pub(super) fn copy_now(
        &mut self,
        to: Asked,
        from: Asked,
        extent: Extent,
        kind: u32,
        (stream, returns): (usize, Returns),
    ) -> Answer {
        if kind_of(kind).is_some() && (extent.width == 0 || extent.height == 0 || extent.depth == 0) {
            if returns == Returns::Done {
                self.wait_for(stream)?;
            }
            return Ok(0);
        }
        let asked = (to, from);
        let Judged { to, from, to_space, from_space } = self.judge(to, from, extent, kind)?;
        self.copied((&asked.0, &to_space), (&asked.1, &from_space), extent);
        self.place(&to, &from, (&to_space, &from_space), extent, (stream, returns))
    }

    /// Makes a copy between places that have been judged.
    pub(super) fn place(
        &mut self,
        to: &Place,
        from: &Place,
        spaces: (&Space, &Space),
        extent: Extent,
        (stream, returns): (usize, Returns),
    ) -> Answer {
        let bytes = extent.width.saturating_mul(extent.height).saturating_mul(extent.depth);
        let (name, direction) = way(&to.side, &from.side);
        let staged = pageable(&to.side) || pageable(&from.side);
        let (engine, ns) = match direction {
            Some(direction) => {
                let memory = if staged { HostMemory::Pageable } else { HostMemory::Pinned };
                let ns = self.api.chip.transfer_ns(&Transfer { direction, memory, bytes });
                (if direction == Direction::ToDevice { Engine::ToDevice } else { Engine::ToHost }, ns)
            }
            None if name == "[CUDA memcpy DtoD]" => (Engine::None, self.api.chip.copy_ns(bytes)),
            None => (Engine::None, 0.0),
        };
        if staged && matches!(returns, Returns::AtOnce(_)) {
            // The driver copies such memory to memory of its own, after what the stream has to do.
            self.wait_for(stream)?;
            let address = if pageable(&to.side) { &to.side } else { &from.side };
            if let (Side::Host { address, .. }, true) = (address, direction.is_some()) {
                let memory = self.memory(*address);
                self.note(Kind::PageableAsync { bytes, memory });
            }
        }
        if self.api.errors.fault.is_some() {
            // What comes after a fault is not done any more.
            return if returns == Returns::Done { self.wait_for_all().map(|()| 0) } else { Ok(0) };
        }
        let placed = self.enqueue(stream, engine, ns, name, bytes);
        let by = self.access(stream, false);
        self.touch(from, spaces.1, extent, &Access { writes: false, ..by.clone() }, &placed);
        self.touch(to, spaces.0, extent, &Access { writes: true, ..by.clone() }, &placed);
        if let (Space::Device(block), Side::Device { offset, .. }) = (spaces.0, &to.side) {
            let filled = Filled { extent, call: self.name, site: self.site };
            self.api.blocks.filled(block.address, *offset, filled);
        }
        let when = match returns {
            Returns::Done => When::Now,
            Returns::AtOnce(_) | Returns::InGraph => When::Later(placed.stamp, by),
        };
        self.transfer(to, from, extent, &when)?;
        // Inside the device's memory, the host does not wait.
        let waits = returns == Returns::Done && name != "[CUDA memcpy DtoD]";
        if waits || staged && direction == Some(Direction::ToHost) && returns != Returns::InGraph {
            self.wait(&placed.clock, placed.end_ns)?;
        }
        Ok(0)
    }

    /// Puts an operation on a stream and into the profile.
    pub(super) fn enqueue(
        &mut self,
        stream: usize,
        engine: Engine,
        ns: f64,
        name: &str,
        bytes: u64,
    ) -> Placed {
        let placed = self.api.streams.enqueue(stream, engine, ns);
        self.api.profile.activity(Span {
            name: name.to_owned(),
            stream: self.api.streams.label(stream),
            start_ns: placed.start_ns,
            end_ns: placed.end_ns,
            bytes,
            site: self.site,
        });
        placed
    }

    /// An access of this call on a stream.
    pub(super) fn access(&self, stream: usize, writes: bool) -> Access {
        Access {
            by: self.name.to_owned(),
            stream: Some(self.api.streams.label(stream)),
            writes,
            site: self.site,
        }
    }

    /// Notes which bytes an operation accesses.
    pub(super) fn touch(
        &mut self,
        place: &Place,
        space: &Space,
        extent: Extent,
        access: &Access,
        placed: &Placed,
    ) {
        let first = match (&place.side, space) {
            (Side::Device { offset, .. }, Space::Device(block) | Space::Both(block)) => {
                block.address + offset
            }
            (Side::Symbol { at, offset }, _) => self.api.variables[*at].address + offset,
            (Side::Host { address, pinned: true }, _) => *address,
            _ => return,
        };
        let rows = extent.height.saturating_mul(extent.depth);
        let dense = extent.height == 1 && extent.depth == 1
            || place.pitch == extent.width && (extent.depth == 1 || place.height == extent.height);
        if dense {
            let bytes = extent.width.saturating_mul(rows);
            let range = first..first.saturating_add(bytes);
            if let (Side::Device { .. }, Space::Both(_)) = (&place.side, space) {
                self.api.used(&range);
            }
            self.touch_range(range, access, placed.stamp, &placed.clock);
        } else if rows <= MOST_ROWS {
            for (slice, row) in (0..extent.depth).flat_map(|s| (0..extent.height).map(move |r| (s, r))) {
                let row = (slice.wrapping_mul(place.height).wrapping_add(row)).wrapping_mul(place.pitch);
                let start = first.wrapping_add(row);
                let range = start..start.saturating_add(extent.width);
                self.touch_range(range, access, placed.stamp, &placed.clock);
            }
        }
    }

    /// Notes an access, and the one that it is not ordered with.
    pub(super) fn touch_range(&mut self, range: Range<u64>, access: &Access, stamp: Stamp, clock: &Clock) {
        if let Some((first, at)) = self.api.accesses.add(range, access.clone(), stamp, clock) {
            let memory = self.memory(at);
            let offset = at.saturating_sub(memory.address);
            self.found(Kind::Unordered { first, second: access.clone(), offset, memory });
        }
    }
}

fn extent(width: u64, height: u64) -> Extent {
    Extent { width, height, depth: 1 }
}

/// Rows as `cudaMemcpy2D` has them.
fn rows(address: u64, pitch: u64, height: u64) -> Asked {
    Asked { address, pitch, height, pitched: true }
}

/// `cudaMemcpy(dst, src, count, kind)`.
pub(super) fn memcpy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let [to, from, bytes, kind] = [a[0], a[1], a[2], a[3]];
    let (to, from) = (Asked::linear(to, bytes), Asked::linear(from, bytes));
    call.copy(to, from, extent(bytes, 1), low(kind), Returns::Done)
}

/// `cudaMemcpyAsync(dst, src, count, kind, stream)`.
pub(super) fn memcpy_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let [to, from, bytes, kind, stream] = [a[0], a[1], a[2], a[3], a[4]];
    let (to, from) = (Asked::linear(to, bytes), Asked::linear(from, bytes));
    call.copy(to, from, extent(bytes, 1), low(kind), Returns::AtOnce(stream))
}

/// `cudaMemcpyPeer(dst, dstDevice, src, srcDevice, count)`: there is one device.
pub(super) fn memcpy_peer(call: &mut Call<'_>, a: &[u64]) -> Answer {
    peer(call, a, Returns::AtOnce(0))
}

/// `cudaMemcpyPeerAsync(dst, dstDevice, src, srcDevice, count, stream)`.
pub(super) fn memcpy_peer_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    peer(call, a, Returns::AtOnce(a[5]))
}

fn peer(call: &mut Call<'_>, a: &[u64], returns: Returns) -> Answer {
    for (device, parameter) in [(a[1], "dstDevice"), (a[3], "srcDevice")] {
        if low(device) != 0 {
            return call.refuse(Status::INVALID_DEVICE, parameter, "there is one device, number 0");
        }
    }
    let (to, from) = (Asked::linear(a[0], a[4]), Asked::linear(a[2], a[4]));
    call.copy(to, from, extent(a[4], 1), 3, returns)
}

/// `cudaMemcpy2D(dst, dpitch, src, spitch, width, height, kind)`.
pub(super) fn memcpy_2d(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (to, from) = (rows(a[0], a[1], a[5]), rows(a[2], a[3], a[5]));
    call.copy(to, from, extent(a[4], a[5]), low(a[6]), Returns::Done)
}

/// `cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream)`.
pub(super) fn memcpy_2d_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (to, from) = (rows(a[0], a[1], a[5]), rows(a[2], a[3], a[5]));
    call.copy(to, from, extent(a[4], a[5]), low(a[6]), Returns::AtOnce(a[7]))
}
