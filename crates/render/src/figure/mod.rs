//! Single memory instructions as an SVG: the addresses of their lanes, and the cost.
//!
//! Enters: a record and one of its traces. Leaves: an SVG in the style of [`crate::Plot`]s. The drawing shows the
//! addresses that the embedded device saw, and the numbers are those that it counted; a drawing that could not explain
//! them is refused. This module must never know where the SVG goes.
//!
//! How to read one: lanes are boxes above, and a line leads from each to its address. Blue is the least that a warp's
//! instruction takes, orange its additional cost (replays, conflicts). In grids, the key explains the
//! colours.

mod banks;
mod constant;
mod grid;
mod lanes;
mod sectors;

use crate::drawing::{Canvas, FINE, LINE, Paint, TEXT, TITLE, WIDTH, document, width, wrap};
use crate::{Error, format};
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::SVGBackend;
use plotters::style::FontStyle;
use plotters::style::text_anchor::HPos;
use record::{Access, Counters, Draw, Panel, Record, Trace};

/// A figure of one trace.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// Record that has the trace.
    pub record: &'a Record,
    /// Id of the trace.
    pub trace: &'a str,
    /// Title, instead of the trace's own.
    pub title: Option<&'a str>,
    /// A word that is unique on the page: the title and description refer to each other by it.
    pub id: &'a str,
}

/// Greatest height of a drawing before it is cut.
const TALLEST: f64 = 20_000.0;
/// Size of text beside and in small boxes.
const SMALL: f64 = 11.5;
/// Distance between panels.
const GAP: f64 = 14.0;

impl<'a> Figure<'a> {
    /// A trace under its own title.
    pub fn new(record: &'a Record, trace: &'a str, id: &'a str) -> Self {
        Figure { record, trace, title: None, id }
    }

    /// Draws the figure as an SVG.
    ///
    /// # Errors
    /// A trace that the record does not have, or one whose costs its addresses do not explain.
    pub fn svg(&self) -> Result<String, Error> {
        let trace = self.record.trace(self.trace).ok_or_else(|| {
            let there = self.record.traces.iter().map(|t| t.id.as_str());
            Error::missing("trace", self.trace, format!("the record of {}", self.record.lab), there)
        })?;
        let title = self.title.unwrap_or(&trace.title);
        let mut body = String::new();
        let (height, desc) = draw(&mut body, trace, title)?;
        Ok(document(self.id, [title, &desc], (WIDTH, height), &body))
    }
}

/// A sheet that is drawn from top to bottom, with the current height and the description so far.
struct Sheet<'a> {
    canvas: Canvas<'a>,
    y: f64,
    /// Description of the figure in words.
    said: String,
    /// Key of colours and numbers, drawn once below all panels.
    swatches: Vec<(Swatch, String)>,
    notes: Vec<&'static str>,
}

impl Sheet<'_> {
    /// Writes lines of text, also into the description.
    fn say(&mut self, text: &str, paint: Paint, weight: FontStyle) -> Result<(), Error> {
        self.write(text, paint, weight)?;
        self.describe(text);
        Ok(())
    }

    /// Writes lines of text.
    fn write(&mut self, text: &str, paint: Paint, weight: FontStyle) -> Result<(), Error> {
        let wider = if matches!(weight, FontStyle::Bold) { 1.06 } else { 1.0 };
        for line in wrap(text, TEXT * wider, WIDTH) {
            self.canvas.text(&line, (0.0, self.y + LINE / 2.0), TEXT, paint, weight, HPos::Left)?;
            self.y += LINE;
        }
        Ok(())
    }

    /// Describes a part of the drawing that has no text of its own.
    fn describe(&mut self, text: &str) {
        if !self.said.is_empty() {
            self.said.push(' ');
        }
        self.said.push_str(text);
        if !text.ends_with(['.', ':']) {
            self.said.push('.');
        }
    }

    /// Explains a colour below all panels.
    fn explain(&mut self, fill: Paint, rim: Paint, text: &str) {
        if self.swatches.iter().all(|(_, there)| there != text) {
            self.swatches.push((Swatch { fill, rim }, text.to_owned()));
        }
    }

    /// Adds a note below all panels.
    fn note(&mut self, text: &'static str) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Draws swatches with their words, in lines.
    fn key(&mut self, entries: &[(Swatch, String)]) -> Result<(), Error> {
        const SWATCH: f64 = 12.0;
        let mut x = 0.0;
        let mut first = true;
        for (swatch, text) in entries {
            let lines = wrap(text, TEXT, WIDTH - SWATCH - 6.0);
            let room = SWATCH + 6.0 + lines.iter().map(|l| width(l, TEXT)).fold(0.0, f64::max);
            if !first && x + room > WIDTH {
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
struct Swatch {
    fill: Paint,
    rim: Paint,
}

fn draw(body: &mut String, trace: &Trace, title: &str) -> Result<(f64, String), Error> {
    let size = ((WIDTH * FINE) as u32, (TALLEST * FINE) as u32);
    let canvas = Canvas { paper: SVGBackend::with_string(body, size).into_drawing_area() };
    let mut sheet = Sheet { canvas, y: 0.0, said: String::new(), swatches: vec![], notes: vec![] };
    for line in wrap(title, TITLE * 1.06, WIDTH) {
        let at = (0.0, sheet.y + (TITLE + 5.0) / 2.0);
        sheet.canvas.text(&line, at, TITLE, Paint::Text, FontStyle::Bold, HPos::Left)?;
        sheet.y += TITLE + 5.0;
    }
    sheet.y += 2.0;
    // Where all panels are of one instruction, that is said once.
    let origins: Vec<String> = match &trace.draw {
        Draw::Grid { .. } => vec![],
        _ => trace.panels.iter().filter_map(|p| Some(where_from(p, p.accesses.first()?))).collect(),
    };
    let common = origins.first().filter(|first| origins.iter().all(|o| o == *first));
    if let Some(origin) = common {
        sheet.say(origin, Paint::Muted, FontStyle::Normal)?;
        sheet.y += 4.0;
    }
    let names = banks::Names::of(trace);
    let refuse = |what: String| Error::Unexplained { trace: trace.id.clone(), what };
    for (n, panel) in trace.panels.iter().enumerate() {
        sheet.y += if n > 0 { GAP } else { 0.0 };
        if !panel.label.is_empty() {
            sheet.say(&panel.label, Paint::Text, FontStyle::Bold)?;
        }
        match &trace.draw {
            Draw::Grid { matrices, threads } => {
                grid::draw(&mut sheet, trace, panel, matrices, *threads)?;
            }
            single => {
                // A record's check has seen that there is exactly one.
                let Some(access) = panel.accesses.first() else { continue };
                if common.is_none() {
                    sheet.say(&where_from(panel, access), Paint::Muted, FontStyle::Normal)?;
                }
                sheet.y += 5.0;
                match single {
                    Draw::Sectors => sectors::draw(&mut sheet, access),
                    Draw::Banks => banks::draw(&mut sheet, access, names),
                    _ => constant::draw(&mut sheet, access),
                }
                .map_err(|error| error.into_error(refuse))?;
            }
        }
    }
    let (mut swatches, notes) = (std::mem::take(&mut sheet.swatches), std::mem::take(&mut sheet.notes));
    // In one order, whichever panel needed which first.
    swatches.sort_by_key(|(swatch, _)| match swatch.fill {
        Paint::Series(n) => n,
        Paint::Tint(_) => usize::MAX - 1,
        _ => usize::MAX,
    });
    if !swatches.is_empty() || !notes.is_empty() {
        sheet.y += GAP / 2.0;
    }
    if !swatches.is_empty() {
        sheet.key(&swatches)?;
    }
    for note in notes {
        sheet.say(note, Paint::Muted, FontStyle::Normal)?;
    }
    let height = sheet.y + 4.0;
    sheet.canvas.paper.present().map_err(|e| Error::Draw(e.to_string()))?;
    Ok((height, sheet.said))
}

/// Reason why a panel could not be drawn.
enum Refusal {
    Drawing(Error),
    /// A cost that the addresses do not explain: both, in words.
    Unexplained(String),
}

impl Refusal {
    fn into_error(self, refuse: impl Fn(String) -> Error) -> Error {
        match self {
            Refusal::Drawing(error) => error,
            Refusal::Unexplained(what) => refuse(what),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Drawing(error)
    }
}

/// Kernel, line and mnemonic of the instruction.
fn where_from(panel: &Panel, access: &Access) -> String {
    format!(
        "{}, line {} of {}: {}, {} a lane; warp {} of {}",
        panel.launch.kernel,
        access.line,
        access.file,
        access.instruction,
        bytes(u64::from(access.bytes)),
        access.warp,
        block(panel)
    )
}

/// The block that was traced.
fn block(panel: &Panel) -> String {
    let [x, y, z] = panel.block;
    match panel.launch.grid {
        [_, 1, 1] => format!("block {x}"),
        [_, _, 1] => format!("block ({x}, {y})"),
        _ => format!("block ({x}, {y}, {z})"),
    }
}

fn counter(cost: &Counters, name: &str) -> u64 {
    cost.get(name).copied().unwrap_or(0)
}

/// `1 sector`, `4 sectors`.
fn plural(n: u64, one: &str) -> String {
    let more = match n {
        1 => "",
        _ if one.ends_with('s') => "es",
        _ => "s",
    };
    format!("{}\u{a0}{one}{more}", format::count(n))
}

/// `4 bytes`.
fn bytes(n: u64) -> String {
    plural(n, "byte")
}
