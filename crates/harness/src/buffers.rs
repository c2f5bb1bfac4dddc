//! Linear and pitched memory, by its place in the description.

use device::{Buffer, Device, Error, Extent, Region};

/// Layout of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Byte after byte.
    Linear {
        /// Size of the allocation.
        bytes: u64,
    },
    /// Rows that each begin at a multiple of the pitch, which the device chooses. Data are written to it and read from
    /// it packed, by 2D and 3D copies.
    Pitched {
        /// Bytes of a row.
        width: u64,
        /// Rows of a slice.
        height: u64,
        /// Slices.
        depth: u64,
        /// Bytes of the largest word that a kernel reads or writes: 4, 8 or 16.
        element: u32,
    },
}

impl Allocation {
    /// Bytes of its data, padding left out; the most there can be if there are more.
    pub fn packed(self) -> u64 {
        match self {
            Allocation::Linear { bytes } => bytes,
            Allocation::Pitched { width, height, depth, .. } => {
                width.saturating_mul(height).saturating_mul(depth)
            }
        }
    }
}

/// Rows of a pitched buffer.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// Where they are in the buffer.
    pub region: Region,
    /// Bytes of a row, rows of a slice, slices.
    pub extent: Extent,
}

#[derive(Clone, Copy, Debug)]
struct Allocated {
    buffer: Buffer,
    rows: Option<Rows>,
}

/// The buffers of a description, in its order; some may have been left out.
#[derive(Debug, Default)]
pub struct Buffers(Vec<Option<Allocated>>);

impl Buffers {
    /// Allocates the next buffer, which messages call by `name`.
    ///
    /// # Errors
    /// More memory than there is.
    pub fn allocate<D: Device + ?Sized>(
        &mut self,
        device: &mut D,
        name: &str,
        shape: Allocation,
    ) -> Result<Buffer, Error> {
        let held = match shape {
            Allocation::Linear { bytes } => Allocated { buffer: device.allocate(bytes)?, rows: None },
            Allocation::Pitched { width, height, depth, element } => {
                // As cudaMalloc3D does: the slices follow each other without a gap.
                let rows = height.checked_mul(depth).ok_or_else(|| Error::BadShape {
                    message: format!("{height} rows by {depth} slices are more rows than can be counted"),
                })?;
                let pitched = device.allocate_pitched(width, rows, element)?;
                let rows = Rows { region: pitched.region(height), extent: Extent { width, height, depth } };
                Allocated { buffer: pitched.buffer, rows: Some(rows) }
            }
        };
        self.0.push(Some(held));
        device.name_buffer(held.buffer, name)?;
        Ok(held.buffer)
    }

    /// Leaves the next buffer out: what a program is not given is not there, so that no wild address can be in it.
    pub fn leave_out(&mut self) {
        self.0.push(None);
    }

    /// The buffer at a place, unless it was left out.
    pub fn get(&self, place: usize) -> Option<Buffer> {
        self.0.get(place)?.map(|held| held.buffer)
    }

    /// The buffer at a place.
    ///
    /// # Errors
    /// A place at which there is none.
    pub fn at(&self, place: usize) -> Result<Buffer, Error> {
        self.get(place)
            .ok_or_else(|| Error::BadShape { message: format!("there is no buffer number {place}") })
    }

    /// The rows of the buffer at a place, if it is pitched.
    pub fn rows(&self, place: usize) -> Option<Rows> {
        self.0.get(place)?.and_then(|held| held.rows)
    }

    /// All buffers that there are, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Buffer> {
        self.0.iter().flatten().map(|held| held.buffer)
    }

    /// Frees all of them. The first error is given once all have been tried: after a GPU's fault nothing can be freed.
    ///
    /// # Errors
    /// What the device refuses.
    pub fn free<D: Device + ?Sized>(&mut self, device: &mut D) -> Result<(), Error> {
        let mut result = Ok(());
        for held in self.0.drain(..).flatten() {
            result = result.and(device.free(held.buffer));
        }
        result
    }
}
