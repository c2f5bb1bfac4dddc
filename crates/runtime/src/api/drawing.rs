//! Rows of memory with their padding, and where the rows of a copy fall among them.
//!
//! Enters: a [`Finding`] about memory with rows. Leaves: lines of text of the same width. This module must never know where they are
//! shown.

use super::finding::{Finding, Kind, Rows};

/// Most characters of a row.
const CELLS: u64 = 48;
/// Most rows that are drawn.
const MOST: u64 = 4;

/// The drawing for a finding, if it is about rows: a line for each of the first rows, with a bar where its padding begins. A digit is
/// the number of the row of the copy that has its bytes there, and a dot is a place that the copy leaves out.
pub fn rows(finding: &Finding) -> Option<String> {
    let (memory, stride, width) = match &finding.kind {
        Kind::DenseRows { assumed, memory, .. } => (memory, *assumed, *assumed),
        Kind::OtherPitch { given, memory, .. } => (memory, *given, memory.rows?.width.min(*given)),
        Kind::WidthInElements { given, memory, .. } => (memory, memory.rows?.pitch, *given),
        _ => return None,
    };
    let rows = memory.rows.filter(|rows| rows.pitch > 0 && stride > 0)?;
    let lines: Vec<String> = (0..rows.height.min(MOST)).map(|row| line(&rows, row, stride, width)).collect();
    let more = if rows.height > MOST { "\n…" } else { "" };
    Some(format!(
        "the rows in memory, {} bytes and {} of padding each; a digit is the row of the copy whose bytes are there:\n{}{more}",
        rows.width,
        rows.pitch.saturating_sub(rows.width),
        lines.join("\n")
    ))
}

fn line(rows: &Rows, row: u64, stride: u64, width: u64) -> String {
    let cells = rows.pitch.min(CELLS);
    // The padding is seen, however narrow it is.
    let data = (rows.width.min(rows.pitch) * cells).div_ceil(rows.pitch);
    let data = if rows.width < rows.pitch { data.min(cells - 1) } else { cells };
    let cell = |at: u64| {
        let byte = row * rows.pitch + (2 * at + 1) * rows.pitch / (2 * cells);
        let (copied, within) = (byte / stride, byte % stride);
        match within < width && copied < rows.height {
            true => char::from_digit((copied % 10) as u32, 10).unwrap_or('?'),
            false => '.',
        }
    };
    let part = |range: std::ops::Range<u64>| range.map(cell).collect::<String>();
    format!("row {row} |{}|{}|", part(0..data), part(data..cells))
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Certainty, End, Memory, What};
    use super::*;
    use crate::guest::Site;

    fn drawn(kind: impl FnOnce(Memory) -> Kind) -> String {
        let rows = Some(Rows { pitch: 64, width: 40, height: 3, depth: 1 });
        let what = What::Device("cudaMallocPitch");
        let memory = Memory { what, address: 0, bytes: 192, rows, allocated: None, freed: None };
        let finding =
            Finding { kind: kind(memory), call: String::new(), site: Site(0), certainty: Certainty::Error };
        super::rows(&finding).expect("a drawing")
    }

    #[test]
    fn a_copy_without_a_pitch_fills_the_padding_of_the_first_rows_and_never_reaches_the_last() {
        let text = drawn(|memory| Kind::DenseRows { end: End::Destination, assumed: 40, memory });
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "row 0 |000000000000000000000000000000|111111111111111111|",
                "row 1 |111111111111222222222222222222|222222222222......|",
                "row 2 |..............................|..................|",
            ]
        );
    }

    #[test]
    fn a_width_in_elements_leaves_most_of_each_row_as_it_was() {
        let text = drawn(|memory| Kind::WidthInElements { given: 10, width: 40, memory, read: None });
        let line = text.lines().nth(2).expect("a line");
        assert_eq!(line, "row 1 |1111111.......................|..................|");
    }
}
