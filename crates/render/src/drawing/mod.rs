//! Canvas of plots and figures, in pixels, and the document around it.
//!
//! Enters: lines, areas and texts at positions. Leaves: an SVG that follows the light or dark scheme of the page around
//! it (which may also set `--plot-1` and so on) and says in words what it shows. This module must never know what it
//! draws.

mod paint;
mod text;

use paint::PALETTE;
pub use paint::{COLOURS, Line, Paint};
pub(crate) use text::sparse;
pub use text::{width, wrap};

use crate::Error;
use crate::table::{escape, quoted};
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, FontFamily, FontStyle,
};
use plotters_svg::SVGBackend;
use record::text::visible;
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::Write as _;

/// Form of a drawing: as wide as a page, or as a telephone's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As wide as a page.
    Wide,
    /// As wide as a screen of 390 pixels shows.
    Narrow,
}

impl Form {
    /// Width of a drawing in pixels at its natural size.
    pub fn width(self) -> f64 {
        match self {
            Form::Wide => 750.0,
            // A screen of 390 pixels, less the page's margins.
            Form::Narrow => 360.0,
        }
    }
}

/// What the drawing itself counts in: quarters of a pixel.
pub const FINE: f64 = 4.0;
/// Size of a title.
pub const TITLE: f64 = 16.0;
/// Distance from one line of a title to the next.
pub const TITLE_LINE: f64 = TITLE + 5.0;
/// Width of bold text, in that of ordinary text.
pub(crate) const BOLD: f64 = 1.06;
/// Size of any other text.
pub const TEXT: f64 = 13.0;
/// Distance from one line of text to the next.
pub const LINE: f64 = 17.0;

/// The drawing as a document of its own: `body` is the drawing library's output, whatever size it was given.
pub fn document(id: &str, [title, desc]: [&str; 2], (width, height): At, body: &str) -> String {
    let body = body.split_once('>').map_or("", |(_, body)| body);
    let id = escape(id);
    format!(
        "<svg class=\"lab-plot\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {:.0} {:.0}\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n<style>{}</style>\n{}",
        width * FINE,
        height * FINE,
        escape(&quoted(title, false)),
        escape(&quoted(desc, false)),
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
    paper: RefCell<SVGBackend<'a>>,
    /// Its last place, right and below.
    end: BackendCoord,
}

/// A place in pixels, from the left and from above.
pub type At = (f64, f64);

pub(crate) fn fine((x, y): At) -> (i32, i32) {
    ((x * FINE).round() as i32, (y * FINE).round() as i32)
}

/// How a line or an area is drawn.
#[derive(Clone, Copy)]
struct Shape {
    colour: BackendColor,
    width: u32,
}

impl BackendStyle for Shape {
    fn color(&self) -> BackendColor {
        self.colour
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

fn stroke(paint: Paint, line: Line, width: f64) -> Shape {
    Shape { colour: paint.stand_in(line), width: (width * FINE).round() as u32 }
}

fn fill(paint: Paint) -> Shape {
    Shape { colour: paint.stand_in(Line::Solid), width: 0 }
}

/// How a text is set.
struct Lettering {
    colour: BackendColor,
    size: f64,
    weight: FontStyle,
    anchor: HPos,
}

impl BackendTextStyle for Lettering {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.colour
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn style(&self) -> FontStyle {
        self.weight
    }

    fn anchor(&self) -> Pos {
        Pos::new(self.anchor, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }

    // The next two are for backends that set texts themselves; a browser does that here.
    fn layout_box(&self, _: &str) -> Result<(BackendCoord, BackendCoord), Infallible> {
        Ok(((0, 0), (0, 0)))
    }

    fn draw<E, D: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: BackendCoord,
        _: D,
    ) -> Result<Result<(), E>, Infallible> {
        Ok(Ok(()))
    }
}

/// A text as it is set: with typographic quotation marks, and nothing in it that cannot be seen.
pub fn typeset(text: &str) -> String {
    quoted(&visible(text), false)
}

/// What the drawing library's SVG backend takes for a size in pixels.
pub fn font_size(size: f64) -> f64 {
    // The backend divides by this.
    size * FINE * 1.24
}

/// A title, broken into lines that fit the drawing.
pub fn title_lines(title: &str, width: f64) -> Vec<String> {
    wrap(title, TITLE * BOLD, width)
}

impl<'a> Canvas<'a> {
    /// A canvas that writes into `svg`; what is drawn beyond the size is cut.
    pub(crate) fn new(svg: &'a mut String, (width, height): At) -> Self {
        let size = ((width * FINE) as u32, (height * FINE) as u32);
        let paper = RefCell::new(SVGBackend::with_string(svg, size));
        Canvas { paper, end: (size.0 as i32, size.1 as i32) }
    }

    /// Writes the end of the drawing.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.done(|paper| paper.present())
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
        let path = path.iter().map(|at| self.on_paper(fine(*at)));
        self.done(|paper| paper.draw_path(path, &stroke(paint, line, width)))
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
        let colour = paint.stand_in(Line::Solid);
        let style = Lettering { colour, size: font_size(size), weight, anchor };
        self.done(|paper| paper.draw_text(&typeset(text), &style, fine(at)))
    }

    /// An area from one corner to the opposite one.
    pub(crate) fn area(&self, [from, to]: [At; 2], paint: Paint) -> Result<(), Error> {
        let [(a, b), (c, d)] = [from, to].map(|corner| self.on_paper(fine(corner)));
        let (from, to) = ((a.min(c), b.min(d)), (a.max(c), b.max(d)));
        self.done(|paper| paper.draw_rect(from, to, &fill(paint), true))
    }

    /// A filled circle.
    pub(crate) fn disc(&self, at: At, radius: f64, paint: Paint) -> Result<(), Error> {
        let (at, radius) = (self.on_paper(fine(at)), (radius * FINE).round() as i32);
        self.done(|paper| paper.draw_circle(at, radius.max(0) as u32, &fill(paint), true))
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

    /// The place itself, or the nearest at the paper's edge.
    fn on_paper(&self, (x, y): BackendCoord) -> BackendCoord {
        (x.min(self.end.0).max(0), y.min(self.end.1).max(0))
    }

    fn done<E: std::fmt::Display>(
        &self,
        draw: impl FnOnce(&mut SVGBackend<'a>) -> Result<(), E>,
    ) -> Result<(), Error> {
        draw(&mut self.paper.borrow_mut()).map_err(|e| Error::Draw(e.to_string()))
    }
}
