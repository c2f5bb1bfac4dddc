//! Markers, and samples of lines.
//!
//! Enters: positions, styles and runs. Leaves: marks on the canvas. This module must never know what they stand for.

use super::style::{self, Run, Style};
use crate::Error;
use crate::drawing::{At, Canvas, FINE, Paint};

/// Size of a marker, in pixels.
pub(super) const MARKER: f64 = 4.2;
/// Length of a sample of a line.
pub(super) const SAMPLE: f64 = 34.0;

impl Canvas<'_> {
    /// A filled shape of about `size` pixels in every direction.
    fn shape(&self, at: At, shape: usize, size: f64, paint: Paint) -> Result<(), Error> {
        match style::corners(shape, size * FINE) {
            None => self.disc(at, size, paint),
            Some(corners) => self.polygon(at, &corners, paint),
        }
    }

    /// A marker with a rim in the background's colour, so that overlapping ones stay apart.
    pub(super) fn marker(&self, at: At, style: Style, run: Run, reference: bool) -> Result<(), Error> {
        let size = if reference { MARKER * 0.75 } else { MARKER };
        self.shape(at, style.shape, size + 1.2, Paint::Ground)?;
        self.shape(at, style.shape, size, style.paint)?;
        if run.hollow() {
            self.shape(at, style.shape, size - 1.7, Paint::Ground)?;
        }
        if run.yours && !run.modelled {
            self.shape(at, 0, 1.2, style.paint)?;
        }
        Ok(())
    }

    /// A sample of a line with its marker, in front of the text that says what it is.
    pub(super) fn sample(
        &self,
        (x, y): At,
        style: Style,
        run: Run,
        thickness: f64,
        reference: bool,
    ) -> Result<(), Error> {
        self.line(&[(x, y), (x + SAMPLE, y)], style.paint, run.line(), thickness)?;
        self.marker((x + SAMPLE / 2.0, y), style, run, reference)
    }
}
