//! A figure's sheet, which panels fill from top to bottom.
//!
//! Enters: text, boxes and lines, colours to be explained. Leaves: the drawing, with its key below all panels, and its
//! description in words. This module must never know what a panel shows.

use crate::Error;
use crate::drawing::{At, BOLD, Canvas, Form, LINE, Paint, TEXT, TITLE_LINE, title_lines, width, wrap};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;

/// Size of text next to and in small boxes.
pub(super) const SMALL: f64 = 11.5;
/// Distance between panels.
pub(super) const GAP: f64 = 14.0;

/// A sheet that is drawn from top to bottom, with the current height and the description so far.
pub(super) struct Sheet<'a> {
    pub(super) canvas: Canvas<'a>,
    pub(super) form: Form,
    pub(super) y: f64,
    /// Whether only what is drawn is, with its key: what around it says the rest.
    pub(super) compact: bool,
    /// Description of the figure in words.
    said: String,
    /// Key of colours and numbers, drawn once below all panels.
    swatches: Vec<(Swatch, String)>,
    notes: Vec<&'static str>,
}

impl<'a> Sheet<'a> {
    /// A sheet with its title or, for a compact one, without.
    pub(super) fn new(canvas: Canvas<'a>, form: Form, title: Option<&str>) -> Result<Self, Error> {
        let lines = title.map_or(vec![], |title| title_lines(title, form.width()));
        canvas.title(&lines)?;
        let y = lines.len() as f64 * TITLE_LINE + 2.0;
        let compact = title.is_none();
        Ok(Sheet { canvas, form, y, compact, said: String::new(), swatches: vec![], notes: vec![] })
    }

    /// Ends the drawing below the last panel. Returns its height and its description.
    pub(super) fn finish(mut self) -> Result<(f64, String), Error> {
        self.legend()?;
        let height = self.y + 4.0;
        self.canvas.finish()?;
        Ok((height, self.said))
    }

    /// Writes lines of text, also into the description; of a compact sheet, only there.
    pub(super) fn say(&mut self, text: &str, paint: Paint, weight: FontStyle) -> Result<(), Error> {
        if !self.compact {
            self.write(text, paint, weight)?;
        }
        self.describe(text);
        Ok(())
    }

    /// Writes lines of text.
    pub(super) fn write(&mut self, text: &str, paint: Paint, weight: FontStyle) -> Result<(), Error> {
        let wider = if matches!(weight, FontStyle::Bold) { BOLD } else { 1.0 };
        for line in wrap(text, TEXT * wider, self.form.width()) {
            self.canvas.text(&line, (0.0, self.y + LINE / 2.0), TEXT, paint, weight, HPos::Left)?;
            self.y += LINE;
        }
        Ok(())
    }

    /// Describes a part of the drawing that has no text of its own.
    pub(super) fn describe(&mut self, text: &str) {
        if !self.said.is_empty() {
            self.said.push(' ');
        }
        self.said.push_str(text);
        if !text.ends_with(['.', ':']) {
            self.said.push('.');
        }
    }

    /// Small text next to or in what is drawn; the description does not hold it.
    pub(super) fn small(&self, text: &str, at: At, paint: Paint, anchor: HPos) -> Result<(), Error> {
        self.canvas.text(text, at, SMALL, paint, FontStyle::Normal, anchor)
    }

    /// Text in the middle of a box of a row, across the gaps to the boxes next to it, which have its colour too. The paints
    /// are those of the boxes and of the text.
    pub(super) fn across(
        &self,
        text: &str,
        (x, y): At,
        size: f64,
        [boxes, paint]: [Paint; 2],
        weight: FontStyle,
    ) -> Result<(), Error> {
        let half = width(text, size) / 2.0;
        if 2.0 * half > self.form.step() {
            self.canvas.area([(x - half, y - size / 2.0), (x + half, y + size / 2.0)], boxes)?;
        }
        self.canvas.text(text, (x, y), size, paint, weight, HPos::Center)
    }

    /// Explains a colour below all panels.
    pub(super) fn explain(&mut self, fill: Paint, rim: Paint, text: &str) {
        if self.swatches.iter().all(|(_, there)| there != text) {
            self.swatches.push((Swatch { fill, rim }, text.to_owned()));
        }
    }

    /// Adds a note below all panels.
    pub(super) fn note(&mut self, text: &'static str) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Draws the key and the notes of all panels.
    fn legend(&mut self) -> Result<(), Error> {
        let (mut swatches, notes) = (std::mem::take(&mut self.swatches), std::mem::take(&mut self.notes));
        // In one order, whichever panel needed which first.
        swatches.sort_by_key(|(swatch, _)| match swatch.fill {
            Paint::Series(n) => n,
            Paint::Tint(_) => usize::MAX - 1,
            _ => usize::MAX,
        });
        if !swatches.is_empty() || !notes.is_empty() {
            self.y += GAP / 2.0;
        }
        if !swatches.is_empty() {
            self.key(&swatches)?;
        }
        for note in notes {
            self.say(note, Paint::Muted, FontStyle::Normal)?;
        }
        Ok(())
    }

    /// Draws swatches with their words, in lines.
    pub(super) fn key(&mut self, entries: &[(Swatch, String)]) -> Result<(), Error> {
        const SWATCH: f64 = 12.0;
        let mut x = 0.0;
        let mut first = true;
        for (swatch, text) in entries {
            let lines = wrap(text, TEXT, self.form.width() - SWATCH - 6.0);
            let room = SWATCH + 6.0 + lines.iter().map(|l| width(l, TEXT)).fold(0.0, f64::max);
            if !first && x + room > self.form.width() {
                x = 0.0;
                self.y += LINE + 2.0;
            }
            let middle = self.y + LINE / 2.0;
            let area = [(x, middle - SWATCH / 2.0), (x + SWATCH, middle + SWATCH / 2.0)];
            self.canvas.area(area, swatch.fill)?;
            self.canvas.frame(area, swatch.rim, 0.8)?;
            for (n, line) in lines.iter().enumerate() {
                let at = (x + SWATCH + 6.0, middle + n as f64 * LINE);
                self.canvas.text(line, at, TEXT, Paint::Text, FontStyle::Normal, HPos::Left)?;
            }
            self.y += (lines.len() - 1) as f64 * LINE;
            x += room + 20.0;
            first = false;
        }
        self.y += LINE + 4.0;
        Ok(())
    }
}

/// A colour of the key.
#[derive(Clone, Copy)]
pub(super) struct Swatch {
    pub(super) fill: Paint,
    pub(super) rim: Paint,
}
