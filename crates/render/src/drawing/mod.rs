//! Canvas of plots and figures, in pixels, and the document around it.
//!
//! Enters: lines, areas and texts at positions. Leaves: an SVG that follows the light or dark scheme of the page around
//! it (which may also set `--plot-1` and so on) and says in words what it shows. This module must never know what it
//! draws.

mod paint;
mod text;

pub(crate) use paint::{COLOURS, Line, PALETTE, Paint};
pub(crate) use text::{sparse, width, wrap};

use crate::Error;
use crate::table::escape;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};
use plotters::{coord::Shift, prelude::SVGBackend};
use record::text::visible;
use std::fmt::Write as _;

/// Form of a drawing: as wide as a page, or as a telephone's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Wide,
    Narrow,
}

impl Form {
    /// Width of a drawing in pixels at its natural size.
    pub(crate) fn width(self) -> f64 {
        match self {
            Form::Wide => 750.0,
            // A screen of 390 pixels, less the page's margins.
            Form::Narrow => 360.0,
        }
    }
}

/// What the drawing itself counts in: quarters of a pixel.
pub(crate) const FINE: f64 = 4.0;
pub(crate) const TITLE: f64 = 16.0;
/// Distance from one line of a title to the next.
pub(crate) const TITLE_LINE: f64 = TITLE + 5.0;
/// Width of bold text, in that of ordinary text.
pub(crate) const BOLD: f64 = 1.06;
pub(crate) const TEXT: f64 = 13.0;
/// Distance from one line of text to the next.
pub(crate) const LINE: f64 = 17.0;

/// The drawing as a document of its own: `body` is the drawing library's output, whatever size it was given.
pub(crate) fn document(id: &str, [title, desc]: [&str; 2], (width, height): At, body: &str) -> String {
    let body = body.split_once('>').map_or("", |(_, body)| body);
    let id = escape(id);
    format!(
        "<svg class=\"lab-plot\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {:.0} {:.0}\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n<style>{}</style>\n{}",
        width * FINE,
        height * FINE,
        escape(title),
        escape(desc),
        style_sheet(),
        Paint::resolve(body.trim_start().to_owned()),
    )
}

/// Colours by the scheme (`color-scheme`) of the page around, or of the reader's system for a file opened alone. A page
/// may set its own by `--plot-…`.
fn style_sheet() -> String {
    let mut variables = String::new();
    for (name, light, dark) in PALETTE {
        // Writing to a string does not fail.
        let _ = write!(variables, "--wp-{name}:var(--plot-{name},light-dark({light},{dark}));");
    }
    let more = paint::of_series();
    format!(
        ".lab-plot{{{variables}{more}}}\
         .lab-plot text{{font-family:Open Sans,system-ui,sans-serif;font-variant-numeric:tabular-nums}}\
         svg:root{{color-scheme:light dark}}"
    )
}

/// A drawing area in pixels.
pub(crate) struct Canvas<'a> {
    pub(crate) paper: DrawingArea<SVGBackend<'a>, Shift>,
}

pub(crate) type At = (f64, f64);

pub(crate) fn fine((x, y): At) -> (i32, i32) {
    ((x * FINE).round() as i32, (y * FINE).round() as i32)
}

pub(crate) fn stroke(paint: Paint, line: Line, width: f64) -> ShapeStyle {
    ShapeStyle {
        color: paint.stand_in(line).to_rgba(),
        filled: false,
        stroke_width: (width * FINE).round() as u32,
    }
}

pub(crate) fn fill(paint: Paint) -> ShapeStyle {
    ShapeStyle { color: paint.stand_in(Line::Solid).to_rgba(), filled: true, stroke_width: 0 }
}

/// A title, broken into lines that fit the drawing.
pub(crate) fn title_lines(title: &str, width: f64) -> Vec<String> {
    wrap(title, TITLE * BOLD, width)
}

impl<'a> Canvas<'a> {
    /// A canvas that writes into `svg`; what is drawn beyond the size is cut.
    pub(crate) fn new(svg: &'a mut String, (width, height): At) -> Self {
        let size = ((width * FINE) as u32, (height * FINE) as u32);
        Canvas { paper: SVGBackend::with_string(svg, size).into_drawing_area() }
    }

    /// Writes the end of the drawing.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.done(self.paper.present())
    }

    /// The lines of the title, at the top.
    pub(crate) fn title(&self, lines: &[String]) -> Result<(), Error> {
        for (i, line) in lines.iter().enumerate() {
            let at = (0.0, (i as f64 + 0.5) * TITLE_LINE);
            self.text(line, at, TITLE, Paint::Text, FontStyle::Bold, HPos::Left)?;
        }
        Ok(())
    }

    pub(crate) fn line(&self, path: &[At], paint: Paint, line: Line, width: f64) -> Result<(), Error> {
        if path.len() < 2 {
            return Ok(());
        }
        let path: Vec<_> = path.iter().map(|at| fine(*at)).collect();
        self.done(self.paper.draw(&PathElement::new(path, stroke(paint, line, width))))
    }

    pub(crate) fn text(
        &self,
        text: &str,
        at: At,
        size: f64,
        paint: Paint,
        weight: FontStyle,
        anchor: HPos,
    ) -> Result<(), Error> {
        let colour: RGBColor = paint.stand_in(Line::Solid);
        // The SVG backend divides the size by this.
        let font = ("sans-serif", size * FINE * 1.24).into_font().style(weight);
        let style = TextStyle { pos: Pos::new(anchor, VPos::Center), ..TextStyle::from(font).color(&colour) };
        self.done(self.paper.draw_text(&visible(text), &style, fine(at)))
    }

    /// An area from one corner to the opposite one.
    pub(crate) fn area(&self, [from, to]: [At; 2], paint: Paint) -> Result<(), Error> {
        self.done(self.paper.draw(&Rectangle::new([fine(from), fine(to)], fill(paint))))
    }

    /// The outline of an area, with a width that the drawing library cannot give a rectangle.
    pub(crate) fn frame(
        &self,
        [(left, top), (right, bottom)]: [At; 2],
        paint: Paint,
        width: f64,
    ) -> Result<(), Error> {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.line(&corners, paint, Line::Solid, width)
    }

    pub(crate) fn done<E: std::fmt::Display>(&self, result: Result<(), E>) -> Result<(), Error> {
        result.map_err(|e| Error::Draw(e.to_string()))
    }
}
