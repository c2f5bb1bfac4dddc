//! Words of an output that were written: the output is filled with a pattern first, and a kernel must replace a
//! rectangle of it.

use rayon::prelude::*;

/// A rectangle of words in an array of rows of `stride` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Number of rows that must be written, from the first.
    pub rows: usize,
    /// Number of words of each row that must be written, from the first.
    pub columns: usize,
    /// Words from one row to the next, at least `columns`.
    pub stride: usize,
}

/// The first word that breaks the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stray {
    /// A word in the rectangle that was not written.
    Missing {
        /// Row of the word.
        row: usize,
        /// Column of the word.
        column: usize,
    },
    /// A word outside the rectangle that was written, by its index in the array.
    Outside(usize),
}

/// Index of the first word that is not `pattern`.
pub fn first_other(words: &[u32], pattern: u32) -> Option<usize> {
    // Whole chunks are compared at the memory's speed, words one by one are not.
    let other = |chunk: &[u32]| chunk.iter().fold(0, |other, word| other | (word ^ pattern)) != 0;
    let chunk = words.chunks(256).position(other)? * 256;
    words[chunk..].iter().position(|word| *word != pattern).map(|at| chunk + at)
}

/// The rectangle's words as numbers, row by row without gaps; all of the other `words` must still be `pattern`.
///
/// # Errors
/// A word that breaks this; those inside the rectangle first.
///
/// # Panics
/// If the rectangle is larger than the array.
pub fn rectangle(words: &[u32], of: Rectangle, pattern: u32) -> Result<Vec<f32>, Stray> {
    let Rectangle { rows, columns, stride } = of;
    assert!(columns <= stride && rows * stride <= words.len() + (stride - columns), "a part of the array");
    if rows == 0 || columns == 0 {
        return match words.iter().position(|&w| w != pattern) {
            None => Ok(Vec::new()),
            Some(at) => Err(Stray::Outside(at)),
        };
    }
    let inside = |row: usize| &words[row * stride..][..columns];
    let missing = |row: usize| Some((row, inside(row).iter().position(|&w| w == pattern)?));
    if let Some((row, column)) = (0..rows).into_par_iter().find_map_first(missing) {
        return Err(Stray::Missing { row, column });
    }
    let outside = |row: usize| {
        let from = row * stride + columns;
        let to = if row + 1 == rows { words.len() } else { (row + 1) * stride };
        Some(from + words[from..to].iter().position(|&w| w != pattern)?)
    };
    match (0..rows).into_par_iter().find_map_first(outside) {
        Some(at) => Err(Stray::Outside(at)),
        None => Ok((0..rows).flat_map(inside).map(|&w| f32::from_bits(w)).collect()),
    }
}

/// The upper left part of a matrix whose rows have `stride` elements.
///
/// # Panics
/// If the part is larger than the matrix.
pub fn part(of: &[f32], stride: usize, rows: usize, columns: usize) -> Vec<f32> {
    (0..rows).flat_map(|row| &of[row * stride..][..columns]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: u32 = 0xdead;
    const OF: Rectangle = Rectangle { rows: 2, columns: 2, stride: 3 };

    #[test]
    fn the_rectangle_comes_without_its_gaps() {
        let one = 1.0f32.to_bits();
        assert_eq!(rectangle(&[one, 0, X, 0, one, X, X], OF, X), Ok(vec![1.0, 0.0, 0.0, 1.0]));
        assert_eq!(rectangle(&[one, 0, X, 0, one], OF, X), Ok(vec![1.0, 0.0, 0.0, 1.0]));
    }

    #[test]
    fn what_was_not_written_is_found() {
        assert_eq!(rectangle(&[0, 0, X, 0, X, X], OF, X), Err(Stray::Missing { row: 1, column: 1 }));
    }

    #[test]
    fn what_was_written_outside_is_found_between_rows_and_after_them() {
        assert_eq!(rectangle(&[0, 0, 7, 0, 0, X], OF, X), Err(Stray::Outside(2)));
        assert_eq!(rectangle(&[0, 0, X, 0, 0, X, 7], OF, X), Err(Stray::Outside(6)));
    }

    #[test]
    fn of_nothing_nothing_may_be_written() {
        let none = Rectangle { rows: 0, columns: 2, stride: 2 };
        assert_eq!(rectangle(&[X, X], none, X), Ok(vec![]));
        assert_eq!(rectangle(&[X, 7], none, X), Err(Stray::Outside(1)));
    }

    #[test]
    fn a_part_is_the_upper_left_one() {
        assert_eq!(part(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3, 2, 2), [1.0, 2.0, 4.0, 5.0]);
    }
}
