//! A matrix of a grid, with the accesses to its elements.
//!
//! Enters: a matrix and the accesses of a panel. Leaves: the elements touched, by row and column. This module must never
//! know how they are drawn.

use record::{Matrix, Panel};
use std::collections::{BTreeMap, BTreeSet};

/// Accesses of a panel to one element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ElementAccesses {
    pub(super) groups: BTreeSet<usize>,
    pub(super) threads: BTreeSet<u32>,
}

/// A matrix with the accesses to its elements, by row and column.
pub(super) struct AccessedMatrix<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) cells: BTreeMap<(u64, u64), ElementAccesses>,
}

impl<'a> AccessedMatrix<'a> {
    /// Collects the panel's accesses to the elements of a matrix.
    pub(super) fn new(matrix: &'a Matrix, panel: &Panel) -> AccessedMatrix<'a> {
        let mut cells: BTreeMap<(u64, u64), ElementAccesses> = BTreeMap::new();
        let element = u64::from(matrix.element_bytes);
        for access in &panel.accesses {
            let Some(lanes) = access.lanes.get(&matrix.memory) else { continue };
            for (lane, at) in lanes.iter() {
                let mut byte = at;
                while byte < at + u64::from(access.bytes) {
                    if let Some(from) = byte.checked_sub(matrix.offset)
                        && from / matrix.row_bytes < u64::from(matrix.rows)
                    {
                        let place = (from / matrix.row_bytes, from % matrix.row_bytes / element);
                        let cell = cells.entry(place).or_default();
                        cell.groups.insert(access.group as usize);
                        cell.threads.insert(access.warp * 32 + lane);
                    }
                    byte += element;
                }
            }
        }
        AccessedMatrix { matrix, cells }
    }

    /// Rows and columns of the elements that a group touched.
    pub(super) fn of_group(&self, group: usize) -> impl Iterator<Item = (u64, u64)> {
        self.cells.iter().filter(move |(_, touched)| touched.groups.contains(&group)).map(|(place, _)| *place)
    }

    /// Every element alone: row, column, length 1, accesses.
    pub(super) fn single(&self) -> Vec<(u64, u64, u64, &ElementAccesses)> {
        self.cells.iter().map(|((row, column), touched)| (*row, *column, 1, touched)).collect()
    }

    /// Runs of neighbours in a row that have the same groups: row, column, length, accesses.
    pub(super) fn runs(&self) -> Vec<(u64, u64, u64, &ElementAccesses)> {
        let mut runs: Vec<(u64, u64, u64, &ElementAccesses)> = Vec::new();
        for ((row, column), touched) in &self.cells {
            match runs.last_mut() {
                Some((last, from, columns, before))
                    if last == row && *from + *columns == *column && before.groups == touched.groups =>
                {
                    *columns += 1;
                }
                _ => runs.push((*row, *column, 1, touched)),
            }
        }
        runs
    }
}

/// Smallest rectangle around some elements.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) top: u64,
    pub(super) bottom: u64,
    pub(super) left: u64,
    pub(super) right: u64,
}

impl Area {
    pub(super) fn of(mut places: impl Iterator<Item = (u64, u64)>) -> Option<Area> {
        let (row, column) = places.next()?;
        let one = Area { top: row, bottom: row, left: column, right: column };
        Some(places.fold(one, |a, (row, column)| Area {
            top: a.top.min(row),
            bottom: a.bottom.max(row),
            left: a.left.min(column),
            right: a.right.max(column),
        }))
    }

    pub(super) fn rows(self) -> u64 {
        self.bottom - self.top + 1
    }

    pub(super) fn columns(self) -> u64 {
        self.right - self.left + 1
    }

    pub(super) fn count(self) -> u64 {
        self.rows() * self.columns()
    }

    pub(super) fn holds(self, (row, column): (u64, u64)) -> bool {
        (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column)
    }
}
