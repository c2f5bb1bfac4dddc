//! Copies as they are asked for, against the memory that there is.
//!
//! Enters: addresses, pitches, an extent and a kind. Leaves: the two places of a copy that can be made, or CUDA's error; and
//! what is wrong with it. Which bytes are then copied is not known here.

use super::finding::{CopyKind, End, Kind, Rows, What};
use super::transfer::Place;
use super::{Answer, Call, Space, Status, Stop};
use crate::guest::Signal;
use device::Extent;

/// One end of a copy as the program gives it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) address: u64,
    /// Bytes from row to row; of a single row anything.
    pub(super) pitch: u64,
    /// Rows from slice to slice.
    pub(super) height: u64,
    /// Whether the program gave a pitch.
    pub(super) pitched: bool,
}

impl Asked {
    /// Bytes in a row.
    pub(super) fn linear(address: u64, bytes: u64) -> Self {
        Asked { address, pitch: bytes, height: 1, pitched: false }
    }
}

/// Where a copy meets an array: bytes of a row, rows, slices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) x: u64,
    pub(super) y: u64,
    pub(super) z: u64,
}

/// A copy that can be made.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) to: Place,
    pub(super) from: Place,
    pub(super) to_space: Space,
    pub(super) from_space: Space,
}

/// The kind of a copy by its number.
pub(super) fn kind_of(number: u32) -> Option<CopyKind> {
    Some(match number {
        0 => CopyKind::HostToHost,
        1 => CopyKind::HostToDevice,
        2 => CopyKind::DeviceToHost,
        3 => CopyKind::DeviceToDevice,
        4 => CopyKind::Default,
        _ => return None,
    })
}

/// Whether memory is the host's and the device's.
fn sides(space: &Space) -> (bool, bool) {
    match space {
        Space::Device(_) | Space::Symbol(_) => (false, true),
        Space::Both(_) => (true, true),
        Space::Host => (true, false),
        Space::Freed(_) | Space::Nowhere => (false, false),
    }
}

/// The sides that a kind names: whether the destination and the source are on the device.
fn named(kind: CopyKind) -> Option<(bool, bool)> {
    Some(match kind {
        CopyKind::HostToHost => (false, false),
        CopyKind::HostToDevice => (true, false),
        CopyKind::DeviceToHost => (false, true),
        CopyKind::DeviceToDevice => (true, true),
        CopyKind::Default => return None,
    })
}

/// Bytes from the first to the last of rows and slices.
pub(super) fn span(extent: Extent, pitch: u64, height: u64) -> Option<u64> {
    if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
        return Some(0);
    }
    let rows = (extent.depth - 1).checked_mul(height)?.checked_add(extent.height - 1)?;
    rows.checked_mul(pitch)?.checked_add(extent.width)
}

/// Sizes of elements that a size given without them may explain.
const ELEMENTS: [u64; 3] = [4, 8, 16];

impl Call<'_> {
    /// Judges a copy of at least a byte; `kind` is the number that the program gave.
    pub(super) fn judge(&mut self, to: Asked, from: Asked, extent: Extent, kind: u32) -> Answer<Judged> {
        let Some(kind) = kind_of(kind) else {
            let why = format!("{kind} is not a `cudaMemcpyKind`");
            return self.refuse(Status::INVALID_MEMCPY_DIRECTION, "kind", why);
        };
        for (end, asked) in [(End::Destination, to), (End::Source, from)] {
            let swaps = extent.width > 0 && asked.pitch > 0;
            if asked.pitch < extent.width && asked.pitched {
                let exchanged = swaps && self.pitch_of(asked.address) == Some(extent.width);
                self.found(Kind::NarrowPitch { end, pitch: asked.pitch, width: extent.width, exchanged });
                // An H200's runtime, 13.0, gives another error for a single row.
                let rows = extent.height.max(extent.depth);
                return Err(if rows > 1 { Status::INVALID_PITCH_VALUE } else { Status::INVALID_VALUE }.into());
            }
        }
        for (asked, parameter) in [(to, "dst"), (from, "src")] {
            if extent.depth > 1 && asked.height < extent.height {
                let why = format!("its slices have {} rows, and {} are copied", asked.height, extent.height);
                return self.refuse(Status::INVALID_PITCH_VALUE, parameter, why);
            }
        }
        let (to_space, from_space) = (self.space(to.address), self.space(from.address));
        self.check_kind((&to, &to_space), (&from, &from_space), kind)?;
        self.check_rows(End::Destination, &to, &from, extent, &to_space);
        self.check_rows(End::Source, &from, &to, extent, &from_space);
        self.check_end(End::Destination, &to, extent)?;
        self.check_end(End::Source, &from, extent)?;
        let place = |call: &mut Self, asked: &Asked, space: &Space| {
            let side = call.side(asked.address, space)?;
            Ok::<_, Stop>(Place { side, pitch: asked.pitch, height: asked.height })
        };
        let (to, from) = (place(self, &to, &to_space)?, place(self, &from, &from_space)?);
        Ok(Judged { to, from, to_space, from_space })
    }

    /// The pitch of the memory at an address.
    fn pitch_of(&self, address: u64) -> Option<u64> {
        self.api.blocks.at(address)?.rows.map(|rows| rows.pitch)
    }

    /// Whether pointers are where the kind says.
    fn check_kind(
        &mut self,
        (to, to_space): (&Asked, &Space),
        (from, from_space): (&Asked, &Space),
        kind: CopyKind,
    ) -> Answer<()> {
        for (asked, space, parameter) in [(to, to_space, "dst"), (from, from_space, "src")] {
            match space {
                Space::Freed(block) => {
                    let memory = block.memory();
                    self.found(Kind::UseAfterFree { address: asked.address, memory });
                    return Err(Status::INVALID_VALUE.into());
                }
                Space::Nowhere => {
                    let address = asked.address;
                    let why = match address {
                        0 => "it is a null pointer".to_owned(),
                        _ if self.is_array(address) => {
                            "it is an array, which has no address: copy with `cudaMemcpy2DToArray`, `cudaMemcpy2DFromArray` or \
                             `cudaMemcpy3D`"
                                .to_owned()
                        }
                        _ => format!("{address:#x} is neither an address of the host nor of the device"),
                    };
                    return self.refuse(Status::INVALID_VALUE, parameter, why);
                }
                Space::Device(_) | Space::Both(_) | Space::Symbol(_) | Space::Host => {}
            }
        }
        let Some((to_device, from_device)) = named(kind) else { return Ok(()) };
        let fits = |space: &Space, on_device: bool| if on_device { sides(space).1 } else { sides(space).0 };
        if fits(to_space, to_device) && fits(from_space, from_device) {
            return Ok(());
        }
        let exchanged =
            to_device != from_device && fits(to_space, from_device) && fits(from_space, to_device);
        let is = match (sides(to_space).1, sides(from_space).1) {
            (false, false) => CopyKind::HostToHost,
            (true, false) => CopyKind::HostToDevice,
            (false, true) => CopyKind::DeviceToHost,
            (true, true) => CopyKind::DeviceToDevice,
        };
        let variable = [(to, to_device), (from, from_device)].into_iter().find_map(|(asked, on_device)| {
            match self.memory(asked.address).what {
                What::Shadow(name) if on_device => Some(name),
                _ => None,
            }
        });
        self.found(Kind::WrongKind { given: kind, is, exchanged, variable });
        // With unified addresses, the driver knows on which side memory is that it allocated, and copies all the same.
        let pageable = matches!(to_space, Space::Host) || matches!(from_space, Space::Host);
        if pageable { Err(Status::INVALID_VALUE.into()) } else { Ok(()) }
    }

    /// Whether one end is inside its memory.
    fn check_end(&mut self, end: End, asked: &Asked, extent: Extent) -> Answer<()> {
        let bytes = span(extent, asked.pitch, asked.height);
        self.check_within(Some(end), asked.address, bytes.unwrap_or(u64::MAX))
    }

    /// Whether bytes from an address on are inside its memory.
    pub(super) fn check_within(&mut self, end: Option<End>, address: u64, bytes: u64) -> Answer<()> {
        let memory = self.memory(address);
        let past = address.checked_add(bytes).is_none_or(|end| end > self.guest.end());
        if past && matches!(memory.what, What::Host | What::Unknown | What::Shadow(_)) {
            return Err(Signal::Segmentation { address: self.guest.end().max(address), bytes: 1 }.into());
        }
        if memory.what == What::Unknown || memory.what == What::Host && memory.bytes == 0 {
            return Ok(());
        }
        if memory.what == What::Heap && memory.freed.is_some() {
            self.found(Kind::UseAfterFree { address, memory: memory.clone() });
        }
        let offset = address - memory.address;
        if offset.checked_add(bytes).is_some_and(|end| end <= memory.bytes) {
            return Ok(());
        }
        let element = ELEMENTS
            .into_iter()
            .find(|size| offset == 0 && memory.bytes.checked_mul(*size) == Some(bytes) && memory.bytes > 0);
        // What the host reads past a block of its own is still its memory.
        let own = matches!(memory.what, What::Heap | What::Host | What::Shadow(_));
        let reads = end == Some(End::Source) && own;
        self.found(Kind::Beyond { end, offset, bytes, memory, element });
        if reads && past {
            return Err(Signal::Segmentation { address: self.guest.end(), bytes: 1 }.into());
        }
        if reads { Ok(()) } else { Err(Status::INVALID_VALUE.into()) }
    }

    /// What a copy, or a call that sets memory, makes of memory with rows.
    pub(super) fn check_rows(
        &mut self,
        end: End,
        asked: &Asked,
        other: &Asked,
        extent: Extent,
        space: &Space,
    ) {
        let Space::Device(block) = space else { return };
        let Some(rows) = block.rows.filter(|rows| rows.pitch != rows.width) else { return };
        if asked.address != block.address {
            return;
        }
        let Rows { pitch, width, height, depth } = rows;
        let all_rows = height.saturating_mul(depth);
        let memory = block.memory();
        let copied_rows = extent.height.saturating_mul(extent.depth);
        if !asked.pitched || asked.pitch == width && extent.width == width && copied_rows > 1 {
            // As many bytes as the rows have without what is between them.
            let dense = extent.width.saturating_mul(copied_rows) == width.saturating_mul(all_rows);
            if dense && all_rows > 1 {
                self.found(Kind::DenseRows { end, assumed: width, memory });
            }
            return;
        }
        if copied_rows > 1 && asked.pitch != pitch && !asked.pitch.is_multiple_of(pitch) {
            self.found(Kind::OtherPitch { end, given: asked.pitch, memory });
            return;
        }
        if extent.width > width {
            // What is copied with the bytes between rows is as wide as the pitch.
            let exchanged = extent.width * extent.height == width * height && extent.height != height;
            let in_elements =
                extent.height == height && ELEMENTS.iter().any(|size| width * size == extent.width);
            if extent.width < pitch && (exchanged || in_elements) {
                self.note(Kind::WideRows { given: extent.width, exchanged, memory });
            }
            return;
        }
        let element = ELEMENTS.into_iter().find(|size| extent.width.checked_mul(*size) == Some(width));
        let whole = copied_rows == all_rows && all_rows > 1;
        if let (Some(_), true, true) = (element, whole, other.pitch == extent.width) {
            self.note(Kind::WidthInElements { given: extent.width, width, memory, read: None });
        }
    }

    /// Whether memory that is to be set, or looked at, is the device's.
    pub(super) fn on_device(&mut self, address: u64, parameter: &'static str) -> Answer<Space> {
        let space = self.space(address);
        match &space {
            Space::Device(_) | Space::Both(_) | Space::Symbol(_) => Ok(space),
            Space::Freed(block) => {
                let memory = block.memory();
                self.found(Kind::UseAfterFree { address, memory });
                Err(Status::INVALID_VALUE.into())
            }
            Space::Host => {
                let memory = self.memory(address);
                self.found(Kind::HostPointerOnDevice { parameter: parameter.to_owned(), address, memory });
                Err(Status::INVALID_VALUE.into())
            }
            Space::Nowhere => self.refuse(
                Status::INVALID_VALUE,
                parameter,
                match address {
                    0 => "it is a null pointer".to_owned(),
                    _ => format!("{address:#x} is not an address of the device"),
                },
            ),
        }
    }
}
