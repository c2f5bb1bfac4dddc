//! The row of a warp's lanes, and the lines that lead from them.

use super::sheet::Sheet;
use crate::Error;
use crate::drawing::{At, Line, Paint, WIDTH};
use plotters::style::text_anchor::HPos;
use record::Access;

/// Lanes of a warp; banks of shared memory.
pub(super) const LANES: usize = 32;
/// Room to the left of rows, for their labels.
pub(super) const LEFT: f64 = 52.0;
/// Distance from one box of a row to the next.
pub(super) const STEP: f64 = (WIDTH - LEFT) / LANES as f64;
/// Height of a box.
pub(super) const BOX: f64 = 19.0;
/// Height of the lines that lead from lanes.
pub(super) const FALL: f64 = 62.0;

/// Horizontal centre of a column.
pub(super) fn column(n: usize) -> f64 {
    LEFT + STEP * (n as f64 + 0.5)
}

/// Corners of a box in a row, a little narrower than its column.
pub(super) fn in_column(n: usize, y: f64, height: f64) -> [At; 2] {
    let x = LEFT + STEP * n as f64;
    [(x + 1.0, y), (x + STEP - 1.0, y + height)]
}

/// Lane, memory and offset in bytes of each address that an access touched, memory by memory.
pub(super) fn addresses(access: &Access) -> Vec<(u32, &str, u64)> {
    let lanes = access.lanes.iter();
    lanes
        .flat_map(|(memory, lanes)| lanes.iter().map(move |(lane, at)| (lane, memory.as_str(), at)))
        .collect()
}

impl Sheet<'_> {
    /// Label of a row of boxes, to its left.
    pub(super) fn row_label(&self, text: &str, y: f64) -> Result<(), Error> {
        self.small(text, (0.0, y), Paint::Muted, HPos::Left)
    }

    /// The 32 lanes; inactive ones have no box. Moves the sheet below them.
    pub(super) fn lanes(&mut self, active: impl Iterator<Item = u32>) -> Result<(), Error> {
        let mask = active.fold(0u32, |mask, lane| mask | 1 << (lane % LANES as u32));
        self.row_label("lane", self.y + BOX / 2.0)?;
        for lane in 0..LANES {
            let on = mask >> lane & 1 != 0;
            if on {
                self.canvas.frame(in_column(lane, self.y, BOX), Paint::Muted, 0.6)?;
            }
            let paint = if on { Paint::Text } else { Paint::Grid };
            let at = (column(lane), self.y + BOX / 2.0);
            self.small(&lane.to_string(), at, paint, HPos::Center)?;
        }
        self.y += BOX;
        Ok(())
    }

    /// A line from below a lane, as far down as lines have room, with a short straight end.
    pub(super) fn lead(&self, lane: u32, x: f64, paint: Paint) -> Result<(), Error> {
        let from = column(lane as usize);
        let path = [(from, self.y), (from, self.y + 3.0), (x, self.y + FALL - 3.0), (x, self.y + FALL)];
        self.canvas.line(&path, paint, Line::Solid, 1.0)
    }
}
