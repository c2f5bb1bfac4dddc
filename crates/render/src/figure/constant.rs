//! Constant memory: from lanes to addresses, one of which is read in each pass.

use super::lanes::{BOX, FALL, LANES, SPARSE, addresses};
use super::sheet::{SMALL, Sheet};
use super::words::{Refusal, bytes, counter};
use crate::drawing::{BOLD, Form, Paint, sparse, width};
use crate::format::plural;
use crate::{Error, format};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;
use record::Access;

/// Memory and offset of each address, a pass each, in the order of the lowest lane that wants it.
struct Passes<'a>(Vec<(&'a str, u64)>);

impl Passes<'_> {
    /// Room of a pass in the row, over which they are spread.
    fn room(&self, form: Form) -> f64 {
        form.step() * LANES as f64 / self.0.len() as f64
    }

    /// Horizontal centre of a pass.
    fn middle(&self, form: Form, pass: usize) -> f64 {
        form.column(0) - form.step() / 2.0 + (pass as f64 + 0.5) * self.room(form)
    }
}

/// Index of a pass' colour: the first, or a replay.
fn colour(pass: usize) -> usize {
    usize::from(pass > 0)
}

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access) -> Result<(), Refusal> {
    let mut wanted = addresses(access);
    wanted.sort_unstable();
    let mut passes = Passes(vec![]);
    for (_, memory, at) in &wanted {
        if !passes.0.contains(&(*memory, *at)) {
            passes.0.push((*memory, *at));
        }
    }
    let words = counted(access, passes.0.len() as u64)?;

    sheet.lanes(wanted.iter().map(|(lane, _, _)| *lane))?;
    for (lane, memory, at) in &wanted {
        let pass = passes.0.iter().position(|p| *p == (*memory, *at)).unwrap_or(0);
        sheet.lead(*lane, passes.middle(sheet.form, pass), Paint::Series(colour(pass)))?;
    }
    sheet.y += FALL;
    boxes(sheet, &passes)?;
    sheet.explain(Paint::Series(0), Paint::Series(0), "the first pass");
    if passes.0.len() > 1 {
        sheet.explain(Paint::Series(1), Paint::Series(1), "a replay");
        sheet.note(
            "Passes are numbered by the lowest lane that wants the address; in which order the hardware takes them is not \
             known. Offsets are in bytes.",
        );
    }
    sheet.say(&words, Paint::Text, FontStyle::Normal)?;
    Ok(())
}

/// The row of passes, with the offsets below as there is room. Moves the sheet below it.
fn boxes(sheet: &mut Sheet<'_>, passes: &Passes<'_>) -> Result<(), Error> {
    sheet.row_label("pass", sheet.y + BOX / 2.0)?;
    sheet.row_label("offset", sheet.y + BOX + 10.0)?;
    let form = sheet.form;
    let [(left, _), (right, _)] = form.in_column(0, 0.0, BOX);
    let gap = form.step() - (right - left);
    // As wide as a lane or, if there is room, as the number.
    let widest = width(&passes.0.len().to_string(), SMALL) * BOLD;
    let half = (right - left).max(widest).min(passes.room(form) - gap) / 2.0;
    for pass in 0..passes.0.len() {
        let x = passes.middle(form, pass);
        let area = [(x - half, sheet.y), (x + half, sheet.y + BOX)];
        sheet.canvas.area(area, Paint::Series(colour(pass)))?;
    }
    // A number that is wider than its box lies across neighbours of the same colour.
    let every = if widest <= passes.room(form) { 1 } else { SPARSE };
    for pass in (0..passes.0.len()).step_by(every) {
        let middle = (passes.middle(form, pass), sheet.y + BOX / 2.0);
        let paints = [Paint::Series(colour(pass)), Paint::On(colour(pass))];
        sheet.across(&(pass + 1).to_string(), middle, SMALL, paints, FontStyle::Bold)?;
    }
    let offset = |pass: usize| {
        let (memory, at) = passes.0[pass];
        let at = format::count(at);
        if passes.0.len() <= 4 { format!("{memory} + {at}") } else { at }
    };
    let span = |pass: usize| {
        let (x, half) = (passes.middle(form, pass), width(&offset(pass), SMALL) / 2.0);
        (x - half, x + half)
    };
    let every = sparse(&(0..passes.0.len()).map(span).collect::<Vec<_>>(), 5.0).next_multiple_of(every);
    for pass in (0..passes.0.len()).step_by(every) {
        let at = (passes.middle(form, pass), sheet.y + BOX + 10.0);
        sheet.small(&offset(pass), at, Paint::Muted, HPos::Center)?;
    }
    sheet.y += BOX + 22.0;
    Ok(())
}

/// The counts in words, if they agree with the number of passes drawn.
pub(super) fn counted(access: &Access, passes: u64) -> Result<String, Refusal> {
    let cost = &access.cost;
    let (instructions, replays) = (counter(cost, "const_instructions"), counter(cost, "const_replays"));
    if replays != instructions * (passes - 1) {
        return Err(Refusal::Unexplained(format!(
            "the lanes want different addresses, {passes} of them, and {} were counted for {}",
            plural(replays, "replay"),
            plural(instructions, "instruction")
        )));
    }
    let all = match passes {
        1 => "one address".to_owned(),
        n => format!("{n} different addresses"),
    };
    let taken = plural(passes, "pass");
    Ok(if instructions == 1 {
        format!("Counted: 1\u{a0}instruction and {}: {taken} for {all}.", plural(replays, "replay"))
    } else {
        format!(
            "Counted: {}, which {} a lane take, and {}: {taken} of each for {all}.",
            plural(instructions, "instruction"),
            bytes(u64::from(access.bytes)),
            plural(replays, "replay")
        )
    })
}
