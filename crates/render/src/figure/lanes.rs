//! The row of a warp's lanes, and the lines that lead from them.

use super::sheet::{SMALL, Sheet};
use crate::Error;
use crate::drawing::{At, Form, Line, Paint, width};
use plotters_backend::text_anchor::HPos;
use record::Access;

/// Lanes of a warp; banks of shared memory.
pub(super) const LANES: usize = 32;
/// Height of a box, and of one that has no text.
pub(super) const BOX: f64 = 19.0;
const EMPTY: f64 = 10.0;
/// Height of the lines that lead from lanes.
pub(super) const FALL: f64 = 62.0;

/// Room to the left of rows, for their labels.
pub(super) const LEFT: f64 = 66.0;
/// Distance from one number to the next in rows whose boxes are narrower than their numbers.
pub(super) const SPARSE: usize = 4;

/// Columns of a row of lanes or banks.
impl Form {
    /// Distance from one box of a row to the next.
    pub(super) fn step(self) -> f64 {
        (self.width() - LEFT) / LANES as f64
    }

    /// Horizontal centre of a column.
    pub(super) fn column(self, n: usize) -> f64 {
        LEFT + self.step() * (n as f64 + 0.5)
    }

    /// Corners of a box in a row, a little narrower than its column.
    pub(super) fn in_column(self, n: usize, y: f64, height: f64) -> [At; 2] {
        let (x, gap) = (LEFT + self.step() * n as f64, self.step() / 22.0);
        [(x + gap, y), (x + self.step() - gap, y + height)]
    }

    /// How many columns there are for each that shows its text: one, if all these texts fit.
    pub(super) fn every(self, texts: impl IntoIterator<Item = String>, size: f64) -> usize {
        if texts.into_iter().all(|text| width(&text, size) <= self.step()) { 1 } else { SPARSE }
    }

    /// The same where the texts are the columns' numbers.
    pub(super) fn every_number(self) -> usize {
        self.every((0..LANES).map(|n| n.to_string()), SMALL)
    }
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

    /// The 32 lanes, with their numbers in them or, of every fourth, above; inactive ones have no box. Moves the sheet below
    /// them.
    pub(super) fn lanes(&mut self, active: impl Iterator<Item = u32>) -> Result<(), Error> {
        let mask = active.fold(0u32, |mask, lane| mask | 1 << (lane % LANES as u32));
        let every = self.form.every_number();
        let numbers = self.y + if every == 1 { BOX } else { SMALL + 2.0 } / 2.0;
        let (top, height) = if every == 1 { (self.y, BOX) } else { (self.y + SMALL + 2.0, EMPTY) };
        self.row_label("lane", numbers)?;
        for lane in 0..LANES {
            let on = mask >> lane & 1 != 0;
            if on {
                self.canvas.frame(self.form.in_column(lane, top, height), Paint::Muted, 0.6)?;
            }
            let paint = if on { Paint::Text } else { Paint::Grid };
            if lane.is_multiple_of(every) {
                self.small(&lane.to_string(), (self.form.column(lane), numbers), paint, HPos::Center)?;
            }
        }
        self.y = top + height;
        Ok(())
    }

    /// A line from below a lane, as far down as lines have room, with a short straight end.
    pub(super) fn lead(&self, lane: u32, x: f64, paint: Paint) -> Result<(), Error> {
        let from = self.form.column(lane as usize);
        let path = [(from, self.y), (from, self.y + 3.0), (x, self.y + FALL - 3.0), (x, self.y + FALL)];
        self.canvas.line(&path, paint, Line::Solid, 1.0)
    }
}
