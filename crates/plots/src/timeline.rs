//! What streams did, along a line of time.
//!
//! Enters: lanes with their bars, in nanoseconds. Leaves: an SVG in which a lane is a row, a bar is where it was busy, and a colour
//! is what it did; the names are in the bars as far as they have room, and below. This module must never know what ran.

use crate::axis::Axis;
use crate::chart::{Drawn, Sheet, base_line, letters, lines, paragraph, text};
use crate::marks::{colour, fine, stroke};
use plotters::prelude::{
    ChartBuilder, FontStyle, IntoDrawingArea, LabelAreaPosition, Rectangle, SVGBackend, ShapeStyle,
    TRANSPARENT,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use record::Scale;
use render::Error;
use render::drawing::{
    At, COLOURS, FINE, Form, LINE, Line, Paint, TEXT, TITLE, TITLE_LINE, document, title_lines, typeset,
    width,
};
use render::format;

/// A row of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Name at its left, such as `stream 1`.
    pub name: String,
    /// What it did, by when it began.
    pub bars: Vec<Bar>,
}

/// A piece of work in a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What was done, such as a kernel's name; the same name has the same colour.
    pub name: String,
    /// When it began, nanoseconds.
    pub start_ns: f64,
    /// When it ended, nanoseconds.
    pub end_ns: f64,
}

/// Lanes over one axis of time, which begins with the first bar.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a> {
    /// Title.
    pub title: &'a str,
    /// What is said below the title, such as where the times are from.
    pub note: &'a str,
    /// Rows, the first on top.
    pub lanes: &'a [Lane],
    /// A word that is unique on the page.
    pub id: &'a str,
}

/// Height of a lane and of a bar in it, in pixels.
const LANE: f64 = 30.0;
const BAR: f64 = 20.0;
/// Least width of a bar, in pixels: what is shorter is seen all the same.
const LEAST: f64 = 1.0;
/// Side of the square with a colour before a name.
const SQUARE: f64 = 11.0;

/// A name with how often it was there and for how long.
struct Entry<'a> {
    name: &'a str,
    bars: u64,
    total_ns: f64,
}

impl Timeline<'_> {
    /// Draws the timeline as an SVG, as wide as a page.
    ///
    /// # Errors
    /// What plotters cannot draw.
    pub fn svg(&self) -> Result<String, Error> {
        self.drawn(Form::Wide)
    }

    /// Draws the same for a screen of 390 pixels.
    ///
    /// # Errors
    /// As [`Timeline::svg`].
    pub fn narrow_svg(&self) -> Result<String, Error> {
        self.drawn(Form::Narrow)
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.lanes.iter().flat_map(|lane| &lane.bars)
    }

    /// Names in the order of their first bars.
    fn entries(&self) -> Vec<Entry<'_>> {
        let mut all: Vec<Entry<'_>> = vec![];
        for bar in self.bars() {
            let at = all.iter().position(|one| one.name == bar.name).unwrap_or(all.len());
            if at == all.len() {
                all.push(Entry { name: &bar.name, bars: 0, total_ns: 0.0 });
            }
            all[at].bars += 1;
            all[at].total_ns += bar.end_ns - bar.start_ns;
        }
        all
    }

    /// When the first bar begins, and when the last ends.
    fn span(&self) -> (f64, f64) {
        let first = self.bars().map(|bar| bar.start_ns).fold(f64::INFINITY, f64::min);
        let last = self.bars().map(|bar| bar.end_ns).fold(f64::NEG_INFINITY, f64::max);
        if first <= last { (first, last) } else { (0.0, 0.0) }
    }

    fn describe(&self, entries: &[Entry<'_>]) -> String {
        let (first, last) = self.span();
        let mut text =
            format!("{}. {} lanes over {}.", self.note, self.lanes.len(), format::time_ns(last - first));
        for lane in self.lanes {
            let busy: f64 = lane.bars.iter().map(|bar| bar.end_ns - bar.start_ns).sum();
            text += &format!(" {}: {} bars, {}.", lane.name, lane.bars.len(), format::time_ns(busy));
        }
        for Entry { name, bars, total_ns } in entries {
            text += &format!(" {name}: {bars} times, {}.", format::time_ns(*total_ns));
        }
        text
    }

    fn drawn(&self, form: Form) -> Result<String, Error> {
        let entries = self.entries();
        let (body, size) = self.draw(&entries, form).map_err(|error| Error::Draw(error.to_string()))?;
        Ok(document(self.id, [self.title, &self.describe(&entries)], size, &body))
    }

    fn draw(&self, entries: &[Entry<'_>], form: Form) -> Drawn<(String, At)> {
        let paint = |name: &str| entries.iter().position(|one| one.name == name).unwrap_or(0) % COLOURS;
        let title = title_lines(&typeset(self.title), form.width());
        let note = lines(self.note, form.width());
        let legend: Vec<(usize, String)> =
            entries.iter().flat_map(|one| legend_of(one, paint(one.name), form)).collect();
        let left = self.lanes.iter().map(|lane| width(&lane.name, TEXT)).fold(0.0, f64::max) + 10.0;
        let note_top = title.len() as f64 * TITLE_LINE + 2.0;
        let top = note_top + note.len() as f64 * LINE + 8.0;
        let bottom = top + self.lanes.len() as f64 * LANE;
        let below = bottom + LINE + 14.0;
        let size = (form.width(), below + legend.len() as f64 * LINE + 4.0);
        let (first, last) = self.span();
        let margin = 34.0;
        let of_time = record::Axis::new("time", "ns", Scale::Linear);
        let room = form.width() - left - margin;
        let x = Axis::fitting(
            &of_time,
            &[0.0, (last - first).max(1.0)],
            if form == Form::Wide { 9 } else { 5 },
            room,
        );

        let mut body = String::new();
        {
            let paper = SVGBackend::with_string(&mut body, (fine(size.0) as u32, fine(size.1) as u32));
            let sheet = paper.into_drawing_area();
            sheet.draw(&paragraph(
                &title,
                (0, 0),
                TITLE_LINE,
                letters(TITLE, FontStyle::Bold, Paint::Text),
            ))?;
            let muted = letters(TEXT, FontStyle::Normal, Paint::Muted);
            sheet.draw(&paragraph(&note, (0, fine(note_top)), LINE, muted))?;
            let mut chart = ChartBuilder::on(&sheet)
                .margin_top(fine(top))
                .margin_right(fine(margin))
                .margin_bottom(fine(size.1 - bottom - LINE - 6.0))
                .set_label_area_size(LabelAreaPosition::Left, fine(left))
                .set_label_area_size(LabelAreaPosition::Bottom, fine(LINE + 6.0))
                .build_cartesian_2d(&x, 0.0..self.lanes.len().max(1) as f64)?;
            chart
                .configure_mesh()
                .disable_y_mesh()
                .disable_y_axis()
                .axis_style(base_line())
                .bold_line_style(stroke(Paint::Grid, Line::Solid, 0.5))
                .light_line_style(TRANSPARENT)
                .set_tick_mark_size(LabelAreaPosition::Bottom, fine(4.0))
                .label_style(text())
                .draw()?;
            let (across, _) = chart.plotting_area().get_pixel_range();
            let right = text().pos(Pos::new(HPos::Right, VPos::Center));
            for (row, lane) in (0..).zip(self.lanes) {
                let middle = fine(top + LANE * (f64::from(row) + 0.5));
                sheet.draw_text(&lane.name, &right, (across.start - fine(8.0), middle))?;
                for bar in &lane.bars {
                    let pixel = |ns: f64| chart.backend_coord(&(ns - first, 0.0)).0;
                    let (from, to) = (pixel(bar.start_ns), pixel(bar.end_ns));
                    let to = to.max(from + fine(LEAST));
                    let series = paint(&bar.name);
                    let half = fine(BAR / 2.0);
                    sheet.draw(&Rectangle::new(
                        [(from, middle - half), (to, middle + half)],
                        filled(series),
                    ))?;
                    if f64::from(to - from) / FINE > width(&bar.name, TEXT) + 8.0 {
                        let inside = letters(TEXT, FontStyle::Normal, Paint::On(series));
                        let inside = inside.pos(Pos::new(HPos::Center, VPos::Center));
                        sheet.draw_text(&bar.name, &inside, ((from + to) / 2, middle))?;
                    }
                }
            }
            key(&sheet, &legend, below)?;
            sheet.present()?;
        }
        Ok((body, size))
    }
}

/// The names, each with its colour, from a height on.
fn key(sheet: &Sheet<'_>, legend: &[(usize, String)], top: f64) -> Drawn {
    for (row, (series, line)) in (0..).zip(legend) {
        let y = top + LINE * f64::from(row);
        let square = [(0, fine(y + 1.0)), (fine(SQUARE), fine(y + 1.0 + SQUARE))];
        sheet.draw(&Rectangle::new(square, filled(*series)))?;
        let at = (fine(SQUARE + 7.0), fine(y));
        sheet.draw(&paragraph(std::slice::from_ref(line), at, LINE, text()))?;
    }
    Ok(())
}

fn filled(series: usize) -> ShapeStyle {
    ShapeStyle { color: colour(Paint::Series(series), Line::Solid).into(), filled: true, stroke_width: 0 }
}

/// The line of a name below the lanes.
fn legend_of(of: &Entry<'_>, series: usize, form: Form) -> Option<(usize, String)> {
    let times = if of.bars == 1 { String::new() } else { format!(", {} times", format::count(of.bars)) };
    let line = format!("{}{times}, {}", typeset(of.name), format::time_ns(of.total_ns));
    lines(&line, form.width() - SQUARE - 7.0).into_iter().next().map(|line| (series, line))
}
