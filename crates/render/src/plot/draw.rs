//! Drawing of a plot.
//!
//! Enters: the content of a plot and its layout. Leaves: the body of an SVG. This module must never choose a position
//! that the layout should know, or look at a record beyond its name.

use super::content::{Content, Trace};
use super::layout::{AFTER_SAMPLE, LABEL_LINE, Layout};
use super::marks::MARKER;
use super::style::Style;
use crate::Error;
use crate::drawing::{At, Canvas, Form, LINE, Line, Paint, TEXT, sparse, width};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;

/// Draws everything, in the order in which parts lie over each other.
pub(super) fn draw(svg: &mut String, content: &Content<'_>, layout: &Layout<'_>) -> Result<(), Error> {
    let drawing = Drawing { canvas: Canvas::new(svg, layout.size), content, layout };
    drawing.canvas.title(&layout.title)?;
    drawing.runs()?;
    drawing.vertical_axis()?;
    drawing.horizontal_axis()?;
    drawing.axis_labels()?;
    drawing.series()?;
    drawing.series_labels()?;
    drawing.canvas.finish()
}

struct Drawing<'a> {
    canvas: Canvas<'a>,
    content: &'a Content<'a>,
    layout: &'a Layout<'a>,
}

impl Drawing<'_> {
    /// Whose run each kind of line is.
    fn runs(&self) -> Result<(), Error> {
        let mut top = self.layout.key_top;
        for ((_, run), lines) in self.content.runs.iter().zip(&self.layout.runs) {
            let at = (0.0, top + LINE / 2.0);
            self.canvas.sample(at, Style { paint: Paint::Muted, shape: 0 }, *run, 1.75, false)?;
            for line in lines {
                let at = (AFTER_SAMPLE, top + LINE / 2.0);
                self.canvas.text(line, at, TEXT, Paint::Muted, FontStyle::Normal, HPos::Left)?;
                top += LINE;
            }
        }
        Ok(())
    }

    /// Light lines across the plot, and the values at their left ends.
    fn vertical_axis(&self) -> Result<(), Error> {
        let Layout { left, right, .. } = *self.layout;
        for (share, text) in &self.layout.y.ticks {
            let y = self.layout.up(*share);
            self.canvas.line(&[(left, y), (right, y)], Paint::Grid, Line::Solid, 1.0)?;
            self.text(text, (left - 8.0, y), HPos::Right)?;
        }
        Ok(())
    }

    /// Light lines up the plot, the base line, and the values below it: every one, or every second, third, … as there
    /// is room.
    fn horizontal_axis(&self) -> Result<(), Error> {
        let Layout { top, bottom, left, right, .. } = *self.layout;
        let ticks = &self.layout.x.ticks;
        let ends = |(share, text): &(f64, String)| {
            let (x, half) = (self.layout.across(*share), width(text, TEXT) / 2.0);
            (x - half, x + half)
        };
        let every = sparse(&ticks.iter().map(ends).collect::<Vec<_>>(), 6.0);
        for (i, (share, text)) in ticks.iter().enumerate() {
            let x = self.layout.across(*share);
            self.canvas.line(&[(x, top), (x, bottom)], Paint::Grid, Line::Solid, 0.5)?;
            self.canvas.line(&[(x, bottom), (x, bottom + 5.0)], Paint::Muted, Line::Solid, 1.0)?;
            if i % every == 0 {
                self.text(text, (x, bottom + 15.0), HPos::Center)?;
            }
        }
        self.canvas.line(&[(left, bottom), (right, bottom)], Paint::Muted, Line::Solid, 1.25)
    }

    fn axis_labels(&self) -> Result<(), Error> {
        let Layout { bottom, left, right, label_top, .. } = *self.layout;
        for (i, line) in self.layout.y_label.iter().enumerate() {
            self.text(line, (0.0, label_top + (i as f64 + 0.5) * LINE), HPos::Left)?;
        }
        for (i, line) in self.layout.x_label.iter().enumerate() {
            let middle = ((left + right) / 2.0, bottom + (i + 1) as f64 * LINE + 20.0);
            self.text(line, middle, HPos::Center)?;
        }
        Ok(())
    }

    /// Lines first, markers over all of them; references below, the reader's own above.
    fn series(&self) -> Result<(), Error> {
        let mut order: Vec<&Trace<'_>> = self.content.traces.iter().collect();
        order.sort_by_key(|t| (!t.series.reference, t.run.yours));
        for trace in &order {
            self.line_and_ranges(trace)?;
        }
        for trace in &order {
            self.markers(trace)?;
        }
        Ok(())
    }

    /// A series' line, and at each point a bar from the lowest to the highest value.
    fn line_and_ranges(&self, trace: &Trace<'_>) -> Result<(), Error> {
        let points = &trace.series.points;
        let path: Vec<_> = points.iter().map(|p| self.layout.place(p, p.y)).collect();
        self.canvas.line(&path, trace.style.paint, trace.run.line(), trace.thickness())?;
        for p in points {
            let ((x, low), (_, high)) = (self.layout.place(p, p.y_min), self.layout.place(p, p.y_max));
            if low - high >= 1.0 {
                // An I in one stroke.
                let (left, right) = (x - 3.5, x + 3.5);
                let bar = [(left, high), (right, high), (x, high), (x, low), (left, low), (right, low)];
                self.canvas.line(&bar, trace.style.paint, Line::Solid, 1.25)?;
            }
        }
        Ok(())
    }

    fn markers(&self, trace: &Trace<'_>) -> Result<(), Error> {
        let points = &trace.series.points;
        let every = points.len().div_ceil(self.layout.form.dense());
        for (i, p) in points.iter().enumerate() {
            if i % every == trace.turn % every {
                let at = self.layout.place(p, p.y);
                self.canvas.marker(at, trace.style, trace.run, trace.series.reference)?;
            }
        }
        Ok(())
    }

    /// The series' names, each with a sample; beside the plot also with a leader from the end of its line.
    fn series_labels(&self) -> Result<(), Error> {
        let right = self.layout.right;
        for label in &self.layout.labels {
            let (trace, (x, y)) = (label.trace, label.at);
            if self.layout.form == Form::Wide {
                let end = self.layout.end(trace);
                let leader = [(end.0 + MARKER + 5.0, end.1), (right + 7.0, end.1), (x - 3.0, y)];
                self.canvas.line(&leader, Paint::Grid, Line::Solid, 1.0)?;
            }
            self.canvas.sample((x, y), trace.style, trace.run, trace.thickness(), trace.series.reference)?;
            for (i, line) in label.lines.iter().enumerate() {
                let y = y + (i as f64 - (label.lines.len() - 1) as f64 / 2.0) * LABEL_LINE;
                self.text(line, (x + AFTER_SAMPLE, y), HPos::Left)?;
            }
        }
        Ok(())
    }

    /// Text in the usual size, colour and weight.
    fn text(&self, text: &str, at: At, anchor: HPos) -> Result<(), Error> {
        self.canvas.text(text, at, TEXT, Paint::Text, FontStyle::Normal, anchor)
    }
}
