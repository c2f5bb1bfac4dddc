//! Single memory instructions as an SVG: the addresses of their lanes, and the cost.
//!
//! Enters: a record and one of its traces, or one access. Leaves: an SVG in the style of plots. The drawing shows the
//! addresses that the embedded device saw, and the numbers are those that it counted; a drawing that could not explain
//! them is refused. This module must never know where the SVG goes.
//!
//! How to read one: lanes are boxes above, and a line leads from each to its address. Blue is the least that a warp's
//! instruction takes, orange its additional cost (replays, conflicts). In grids, the key explains the
//! colours.

mod banks;
mod constant;
mod grid;
mod grid_accesses;
mod lanes;
mod letters;
mod matrix;
mod sectors;
mod sheet;
mod texels;
mod words;

pub use letters::access_as_text;

use crate::Error;
use crate::drawing::{Canvas, Form, Paint, document};
use plotters_backend::FontStyle;
use record::{Access, Draw, Launch, Matrix, Panel, Record, Space, Trace};
use sheet::{GAP, Sheet};
use words::where_from;

/// A figure of one trace.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// Record that has the trace.
    pub record: &'a Record,
    /// Id of the trace.
    pub trace: &'a str,
    /// Title, instead of the trace's own.
    pub title: Option<&'a str>,
    /// Whether the key of rows of elements has their counts. All else is drawn by its counts, and always has them.
    pub counts: bool,
    /// A word that is unique on the page: the title and description refer to each other by it.
    pub id: &'a str,
}

/// Greatest height of a drawing before it is cut.
const TALLEST: f64 = 20_000.0;
impl<'a> Figure<'a> {
    /// A trace under its own title.
    pub fn new(record: &'a Record, trace: &'a str, id: &'a str) -> Self {
        Figure { record, trace, title: None, counts: true, id }
    }

    /// Draws the figure as an SVG, as wide as a page.
    ///
    /// # Errors
    /// A trace that the record does not have, or one whose costs its addresses do not explain.
    pub fn svg(&self) -> Result<String, Error> {
        self.drawn(Form::Wide)
    }

    /// Draws the same figure for a screen of 390 pixels: lanes are thinner there, and every fourth has its number.
    ///
    /// # Errors
    /// As those of [`Figure::svg`].
    pub fn narrow_svg(&self) -> Result<String, Error> {
        self.drawn(Form::Narrow)
    }

    fn drawn(&self, form: Form) -> Result<String, Error> {
        let trace = self.record.trace(self.trace).ok_or_else(|| {
            let there = self.record.traces.iter().map(|t| t.id.as_str());
            Error::missing("trace", self.trace, format!("the record of {}", self.record.lab), there)
        })?;
        let of_grid: OfGrid = if self.counts { grid::draw } else { grid::draw_uncounted };
        drawn((form, false), trace, self.title.unwrap_or(&trace.title), self.id, Some(of_grid))
    }
}

/// A figure of one access that no record has: drawn as those of records are.
#[derive(Clone, Copy, Debug)]
pub struct Single<'a> {
    /// The access.
    pub access: &'a Access,
    /// The kernel that made it; empty where that is not known.
    pub kernel: &'a str,
    /// Blocks of its launch in x, y, z.
    pub grid: [u32; 3],
    /// Index of its block.
    pub block: [u32; 3],
    /// Title.
    pub title: &'a str,
    /// As [`Figure::id`].
    pub id: &'a str,
}

impl Single<'_> {
    /// Draws the figure as an SVG, as wide as a page.
    ///
    /// # Errors
    /// Costs that the addresses do not explain.
    pub fn svg(&self) -> Result<String, Error> {
        self.drawn((Form::Wide, false))
    }

    /// Draws the same figure for a screen of 390 pixels.
    ///
    /// # Errors
    /// As those of [`Single::svg`].
    pub fn narrow_svg(&self) -> Result<String, Error> {
        self.drawn((Form::Narrow, false))
    }

    /// Draws lanes, memory and the key alone, as narrow, to be next to handles that change them: title and words are in its
    /// description.
    ///
    /// # Errors
    /// As those of [`Single::svg`].
    pub fn compact_svg(&self) -> Result<String, Error> {
        self.drawn((Form::Narrow, true))
    }

    fn drawn(&self, form: (Form, bool)) -> Result<String, Error> {
        let draw = match self.access.space {
            Space::Global | Space::Local => Draw::Sectors,
            Space::Shared => Draw::Banks,
            Space::Constant => Draw::Constant,
            Space::Texture => Draw::Texels,
        };
        let launch = Launch {
            kernel: self.kernel.to_owned(),
            grid: self.grid,
            // A single access is drawn without the block's shape.
            block: [1; 3],
            shared_bytes: 0,
        };
        let accesses = vec![self.access.clone()];
        let panel = Panel { label: String::new(), launch, block: self.block, accesses };
        let (id, title) = (self.id.to_owned(), self.title.to_owned());
        let trace = Trace { id, title, draw, groups: vec![], panels: vec![panel] };
        drawn(form, &trace, self.title, self.id, None)
    }
}

/// What draws a panel of a grid. A page that draws single accesses alone need not load it.
type OfGrid = fn(&mut Sheet<'_>, &Trace, &Panel, &[Matrix], bool) -> Result<(), Error>;

/// Draws it in a form, compact or not.
fn drawn(
    (form, compact): (Form, bool),
    trace: &Trace,
    title: &str,
    id: &str,
    of_grid: Option<OfGrid>,
) -> Result<String, Error> {
    let mut body = String::new();
    let (height, desc) = draw(&mut body, form, trace, (!compact).then_some(title), of_grid)?;
    Ok(document(id, [title, &desc], (form.width(), height), &body))
}

fn draw(
    body: &mut String,
    form: Form,
    trace: &Trace,
    title: Option<&str>,
    of_grid: Option<OfGrid>,
) -> Result<(f64, String), Error> {
    let mut sheet = Sheet::new(Canvas::new(body, (form.width(), TALLEST)), form, title)?;
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
                if let Some(of_grid) = of_grid {
                    of_grid(&mut sheet, trace, panel, matrices, *threads)?;
                }
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
                    Draw::Texels => texels::draw(&mut sheet, access),
                    _ => constant::draw(&mut sheet, access),
                }
                .map_err(|error| error.into_error(refuse))?;
            }
        }
    }
    sheet.finish()
}
