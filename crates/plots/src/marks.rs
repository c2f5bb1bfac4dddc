//! Points and samples of lines, as an element of plotters.
//!
//! Enters: places and looks. Leaves: the element. This module must never know what it means.

use crate::style::{Look, SHAPES};
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{RGBColor, ShapeStyle};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};
use render::drawing::{FINE, Line, Paint};
use std::iter::{Once, once};

/// Size of a point, in pixels.
pub(super) const POINT: f64 = 4.2;
/// Length of a sample of a line.
pub(super) const SAMPLE: f64 = 34.0;

/// A number of pixels in what plotters counts in.
pub(super) fn fine(pixels: f64) -> i32 {
    (pixels * FINE).round() as i32
}

/// How a line of this width in pixels is drawn.
pub(super) fn stroke(paint: Paint, line: Line, width: f64) -> ShapeStyle {
    ShapeStyle { color: colour(paint, line).into(), filled: false, stroke_width: fine(width) as u32 }
}

pub(super) fn colour(paint: Paint, line: Line) -> RGBColor {
    let (red, green, blue) = paint.stand_in(line).rgb;
    RGBColor(red, green, blue)
}

impl Look {
    /// How a series' line is drawn.
    pub(super) fn stroke(self) -> ShapeStyle {
        stroke(self.style.paint, self.run.line(), if self.reference { 1.0 } else { 2.0 })
    }
}

/// A point of a series; as a sample, in the middle of a piece of its line.
pub(super) struct Sign<At> {
    pub(super) at: At,
    pub(super) look: Look,
    pub(super) sample: bool,
}

impl<'a, At> PointCollection<'a, At> for &'a Sign<At> {
    type Point = &'a At;
    type IntoIter = Once<&'a At>;

    fn point_iter(self) -> Once<&'a At> {
        once(&self.at)
    }
}

impl<At, DB: DrawingBackend> Drawable<DB> for Sign<At> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        at: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let Look { style, run, reference, points, line } = self.look;
        let size = if reference { POINT * 0.75 } else { POINT };
        // A rim in the background's colour, so that overlapping points stay apart.
        let rim_and_fill = [(style.shape, size + 1.2, Paint::Ground), (style.shape, size, style.paint)];
        let hollow = run.hollow().then_some((style.shape, size - 1.7, Paint::Ground));
        let dot = (run.yours && !run.modelled).then_some((0, 1.2, style.paint));
        let layers = rim_and_fill.into_iter().chain(hollow).chain(dot).filter(|_| points);
        for (x, y) in at {
            if self.sample && line {
                let half = fine(SAMPLE / 2.0);
                backend.draw_path([(x - half, y), (x + half, y)], &self.look.stroke())?;
            }
            for (shape, size, paint) in layers.clone() {
                let colour = paint.stand_in(Line::Solid);
                let corners = corners(shape, size * FINE);
                if corners.is_empty() {
                    backend.draw_circle((x, y), fine(size) as u32, &colour, true)?;
                } else {
                    backend.fill_polygon(corners.into_iter().map(|(dx, dy)| (x + dx, y + dy)), &colour)?;
                }
            }
        }
        Ok(())
    }
}

/// Corners of a shape of about `size` in every direction.
fn corners(shape: usize, size: f64) -> Vec<BackendCoord> {
    let (corners, first, far) = SHAPES[shape % SHAPES.len()];
    let corner = |i: u32| {
        let (sine, cosine) = ((f64::from(i) / f64::from(corners) + first) * std::f64::consts::TAU).sin_cos();
        let far = size * far[i as usize % 2];
        ((far * cosine).round() as i32, (far * sine).round() as i32)
    };
    (0..corners).map(corner).collect()
}
