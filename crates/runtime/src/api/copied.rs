//! Copies of rows as they were made, for a drawing: where rows begin in both memories, and how far apart.
//!
//! Enters: copies between memories. Leaves: one entry for those of a place in the program that are alike. This module must never know
//! how they are drawn.

use super::finding::{Memory, Rows};
use super::judge::Asked;
use super::{Call, Space};
use crate::guest::Site;
use device::Extent;

/// Copies of one call, one after the other, that were alike.
#[derive(Clone, Debug, PartialEq)]
pub struct RowCopy {
    /// The function that the program called.
    pub call: &'static str,
    /// Place of the call.
    pub site: Site,
    /// How many there were.
    pub times: u64,
    /// Bytes of a row.
    pub width: u64,
    /// Rows of a slice.
    pub height: u64,
    /// Slices.
    pub depth: u64,
    /// Where they went.
    pub to: RowsIn,
    /// Where they came from.
    pub from: RowsIn,
}

/// Rows of a copy in a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsIn {
    /// The memory.
    pub memory: Memory,
    /// Bytes from its beginning to the first row.
    pub offset: u64,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Rows from slice to slice.
    pub height: u64,
}

/// As many that differ are kept.
const MOST: usize = 64;

/// All that are kept.
#[derive(Debug, Default)]
pub(super) struct Copied {
    all: Vec<RowCopy>,
    left_out: u64,
}

impl Copied {
    fn add(&mut self, one: RowCopy) {
        let same = |last: &&mut RowCopy| RowCopy { times: one.times, ..(**last).clone() } == one;
        let room = self.all.len() < MOST;
        match self.all.last_mut().filter(same) {
            Some(last) => last.times += one.times,
            None if room => self.all.push(one),
            None => self.left_out += one.times,
        }
    }

    pub(super) fn all(&self) -> (&[RowCopy], u64) {
        (&self.all, self.left_out)
    }
}

/// The rows of memory that was allocated in rows, with a gap after each.
fn padded(space: &Space) -> Option<Rows> {
    let (Space::Device(block) | Space::Both(block)) = space else { return None };
    block.rows.filter(|rows| rows.width > 0 && rows.pitch > rows.width)
}

impl Call<'_> {
    /// Notes a copy that is made, if it is one of rows.
    pub(super) fn copied(
        &mut self,
        (to, to_space): (&Asked, &Space),
        (from, from_space): (&Asked, &Space),
        extent: Extent,
    ) {
        let Extent { mut width, mut height, depth } = extent;
        let rows = padded(to_space).or_else(|| padded(from_space));
        let mut ends = [*to, *from];
        if height == 1 && depth == 1 {
            // One piece into or out of memory with rows is meant as rows without gaps.
            let Some(rows) = rows else { return };
            if width > rows.width && width.is_multiple_of(rows.width) && !to.pitched {
                (width, height) = (rows.width, width / rows.width);
                ends = ends.map(|end| Asked { pitch: rows.width, height, ..end });
            }
        }
        let [to, from] = ends.map(|end| {
            let memory = self.memory(end.address);
            let offset = end.address.saturating_sub(memory.address);
            RowsIn { memory, offset, pitch: end.pitch, height: end.height }
        });
        let (call, site) = (self.name, self.site);
        self.api.copied.add(RowCopy { call, site, times: 1, width, height, depth, to, from });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::finding::What;

    #[test]
    fn copies_of_a_loop_are_one_entry_and_others_are_not() {
        let memory =
            Memory { what: What::Host, address: 64, bytes: 0, rows: None, allocated: None, freed: None };
        let end = RowsIn { memory, offset: 0, pitch: 60, height: 15 };
        let one = RowCopy {
            call: "cudaMemcpy2D",
            site: Site(1),
            times: 1,
            width: 60,
            height: 15,
            depth: 1,
            to: end.clone(),
            from: end,
        };
        let mut copied = Copied::default();
        for width in [60, 60, 15, 60] {
            copied.add(RowCopy { width, ..one.clone() });
        }
        let (all, left_out) = copied.all();
        let times: Vec<_> = all.iter().map(|one| (one.width, one.times)).collect();
        assert_eq!((times, left_out), (vec![(60, 2), (15, 1), (60, 1)], 0));
    }
}
