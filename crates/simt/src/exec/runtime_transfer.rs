//! Copies and fills that kernels ask the device runtime for, as rows of bytes.
//!
//! Enters: addresses, pitches and extents. Leaves: which bytes these are. Nothing here knows memory.

/// Where rows of bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    start: u64,
    /// Bytes from a row to the next, and from a plane to the next.
    pitch: u64,
    slice: u64,
}

/// How many bytes: a row's, and how many rows and planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) bytes: u64,
    pub(crate) height: u64,
    pub(crate) depth: u64,
}

impl Rows {
    /// One row.
    pub(crate) fn line(start: u64) -> Self {
        Rows { start, pitch: 0, slice: 0 }
    }

    /// Rows of one plane.
    pub(crate) fn plane(start: u64, pitch: u64) -> Self {
        Rows { start, pitch, slice: 0 }
    }

    /// Planes of a given number of rows.
    pub(crate) fn of_box(start: u64, pitch: u64, rows: u64) -> Self {
        Rows { start, pitch, slice: pitch.saturating_mul(rows) }
    }

    /// Whether rows or planes of these begin before the last one has ended.
    pub(crate) fn overlap(&self, block: &Block) -> bool {
        let plane = self.pitch.saturating_mul(block.height);
        block.height > 1 && self.pitch < block.bytes || block.depth > 1 && self.slice < plane.max(block.bytes)
    }

    /// The first byte, and the one after the last; nothing if that is not an address. For a block that is not empty.
    pub(crate) fn extent(&self, block: &Block) -> Option<(u64, u64)> {
        let rows = self.pitch.checked_mul(block.height.checked_sub(1)?)?;
        let planes = self.slice.checked_mul(block.depth.checked_sub(1)?)?;
        let end = self.start.checked_add(rows)?.checked_add(planes)?.checked_add(block.bytes)?;
        Some((self.start, end))
    }

    /// The address of a row, which lies inside of the extent.
    pub(crate) fn row(&self, row: u64, plane: u64) -> u64 {
        self.start + self.pitch * row + self.slice * plane
    }
}

impl Block {
    /// One row.
    pub(crate) fn line(bytes: u64) -> Self {
        Block { bytes, height: 1, depth: 1 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0 || self.height == 0 || self.depth == 0
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> u64 {
        self.height.saturating_mul(self.depth)
    }

    /// The places of its rows: row and plane.
    pub(crate) fn places(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let height = self.height;
        (0..self.depth).flat_map(move |plane| (0..height).map(move |row| (row, plane)))
    }

    /// What `cudaMemcpy3DParms` says: destination, source, extent and kind. `field` reads 8 of its bytes; nothing if it
    /// cannot, or for arrays of texels, which kernels do not copy.
    pub(crate) fn of_parameters(field: impl Fn(u64) -> Option<u64>) -> Option<(Rows, Rows, Block, u32)> {
        // An array; x in bytes, y and z; a pitched pointer with its pitch, width and rows. The second begins at 64.
        let side = |at: u64| {
            let [array, x, y, z, start, pitch, _, rows] =
                std::array::from_fn(|n| field(at + 8 * n as u64)).map(|field| field.unwrap_or(u64::MAX));
            let slice = pitch.checked_mul(rows)?;
            let first = x.checked_add(pitch.checked_mul(y)?)?.checked_add(slice.checked_mul(z)?)?;
            (array == 0).then_some(Rows { start: start.checked_add(first)?, pitch, slice })
        };
        let block = Block { bytes: field(128)?, height: field(136)?, depth: field(144)? };
        Some((side(64)?, side(0)?, block, field(152)? as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_reach_from_the_first_byte_to_the_end_of_the_last_row() {
        let block = Block { bytes: 3, height: 2, depth: 2 };
        let rows = Rows::of_box(1000, 10, 5);
        assert_eq!(rows.extent(&block), Some((1000, 1000 + 10 + 50 + 3)));
        let places: Vec<u64> = block.places().map(|(row, plane)| rows.row(row, plane)).collect();
        assert_eq!((places, block.rows()), (vec![1000, 1010, 1050, 1060], 4));
        assert_eq!(Rows::plane(u64::MAX - 5, 10).extent(&block), None);
        assert_eq!(Rows::plane(0, u64::MAX).extent(&Block { height: 3, ..block }), None);
    }

    #[test]
    fn rows_that_are_closer_than_they_are_long_overlap() {
        let block = |height, depth| Block { bytes: 8, height, depth };
        assert!(Rows::plane(0, 4).overlap(&block(2, 1)) && !Rows::plane(0, 4).overlap(&block(1, 1)));
        assert!(Rows::of_box(0, 8, 1).overlap(&block(2, 2)) && !Rows::of_box(0, 8, 2).overlap(&block(2, 2)));
        assert!(Rows::plane(0, 0).overlap(&block(u64::MAX, 1)));
    }

    #[test]
    fn a_box_lies_where_its_parameters_say() {
        let mut fields = [0u64; 20];
        fields[1..8].copy_from_slice(&[4, 1, 2, 0x1000, 16, 16, 8]);
        fields[9..16].copy_from_slice(&[0, 0, 0, 0x8000, 32, 32, 4]);
        fields[16..].copy_from_slice(&[12, 3, 2, 3]);
        let read = |at: u64| fields.get(at as usize / 8).copied();
        let (to, from, block, kind) = Block::of_parameters(read).unwrap();
        assert_eq!(from, Rows { start: 0x1000 + 4 + 16 + 2 * 128, pitch: 16, slice: 128 });
        assert_eq!((to, kind), (Rows { start: 0x8000, pitch: 32, slice: 128 }, 3));
        assert_eq!(block, Block { bytes: 12, height: 3, depth: 2 });
        fields[0] = 1;
        assert_eq!(Block::of_parameters(|at| fields.get(at as usize / 8).copied()), None);
    }
}
