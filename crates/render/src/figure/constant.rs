//! Constant memory: from lanes to addresses, one of which is read in each pass.

use super::lanes::{BOX, FALL, STEP, addresses, column, in_column};
use super::sheet::{SMALL, Sheet};
use super::words::{Refusal, bytes, counter};
use crate::drawing::{Paint, width};
use crate::format::plural;
use crate::{Error, format};
use plotters::style::FontStyle;
use plotters::style::text_anchor::HPos;
use record::Access;

/// Memory and offset of each address, a pass each, in the order of the lowest lane that wants it.
struct Passes<'a>(Vec<(&'a str, u64)>);

impl Passes<'_> {
    /// Horizontal centre of a pass; their boxes are spread over the row.
    fn middle(&self, pass: usize) -> f64 {
        let columns = 32.0 / self.0.len() as f64;
        column(0) + STEP * ((pass as f64 + 0.5) * columns - 0.5)
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
        sheet.lead(*lane, passes.middle(pass), Paint::Series(colour(pass)))?;
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
    let [(left, _), (right, _)] = in_column(0, 0.0, BOX);
    let half = (right - left) / 2.0;
    let mut free = f64::NEG_INFINITY;
    for (pass, (memory, at)) in passes.0.iter().enumerate() {
        let x = passes.middle(pass);
        let area = [(x - half, sheet.y), (x + half, sheet.y + BOX)];
        sheet.canvas.area(area, Paint::Series(colour(pass)))?;
        let middle = (x, sheet.y + BOX / 2.0);
        let (number, paint) = ((pass + 1).to_string(), Paint::On(colour(pass)));
        sheet.canvas.text(&number, middle, SMALL, paint, FontStyle::Bold, HPos::Center)?;
        let at = format::count(*at);
        let text = if passes.0.len() <= 4 { format!("{memory} + {at}") } else { at };
        let room = width(&text, SMALL) / 2.0;
        if x - room >= free {
            sheet.small(&text, (x, sheet.y + BOX + 10.0), Paint::Muted, HPos::Center)?;
            free = x + room + 5.0;
        }
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
