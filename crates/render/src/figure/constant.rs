//! Constant memory: from lanes to addresses, one of which is read in each broadcast.

use super::lanes::{BOX, FALL, LANES, SPARSE, addresses};
use super::sheet::{SMALL, Sheet};
use super::words::{Refusal, bytes, counter};
use crate::drawing::{BOLD, Form, Paint, sparse, width};
use crate::format::plural;
use crate::{Error, format};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;
use record::Access;

/// Memory and offset of each address, a broadcast each, in the order of the lowest lane that reads it.
struct Broadcasts<'a>(Vec<(&'a str, u64)>);

impl Broadcasts<'_> {
    /// Room of a broadcast in the row, over which they are spread.
    fn room(&self, form: Form) -> f64 {
        form.step() * LANES as f64 / self.0.len() as f64
    }

    /// Horizontal centre of a broadcast.
    fn middle(&self, form: Form, n: usize) -> f64 {
        form.column(0) - form.step() / 2.0 + (n as f64 + 0.5) * self.room(form)
    }
}

/// Index of a broadcast's colour: the first, or a replay.
fn colour(n: usize) -> usize {
    usize::from(n > 0)
}

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access) -> Result<(), Refusal> {
    let mut wanted = addresses(access);
    wanted.sort_unstable();
    let mut broadcasts = Broadcasts(vec![]);
    for (_, memory, at) in &wanted {
        if !broadcasts.0.contains(&(*memory, *at)) {
            broadcasts.0.push((*memory, *at));
        }
    }
    let words = counted(access, broadcasts.0.len() as u64)?;

    sheet.lanes(wanted.iter().map(|(lane, _, _)| *lane))?;
    for (lane, memory, at) in &wanted {
        let n = broadcasts.0.iter().position(|p| *p == (*memory, *at)).unwrap_or(0);
        sheet.lead(*lane, broadcasts.middle(sheet.form, n), Paint::Series(colour(n)))?;
    }
    sheet.y += FALL;
    boxes(sheet, &broadcasts)?;
    sheet.explain(Paint::Series(0), Paint::Series(0), "the first broadcast");
    if broadcasts.0.len() > 1 {
        sheet.explain(Paint::Series(1), Paint::Series(1), "a replay");
        sheet.note(
            "Broadcasts are numbered by the lowest lane that reads the address; in which order the hardware takes them is not \
             known. Offsets are in bytes.",
        );
    }
    sheet.say(&words, Paint::Text, FontStyle::Normal)?;
    Ok(())
}

/// The row of broadcasts, with the offsets below as there is room. Moves the sheet below it.
fn boxes(sheet: &mut Sheet<'_>, broadcasts: &Broadcasts<'_>) -> Result<(), Error> {
    sheet.row_label("broadcast", sheet.y + BOX / 2.0)?;
    sheet.row_label("offset", sheet.y + BOX + 10.0)?;
    let form = sheet.form;
    let [(left, _), (right, _)] = form.in_column(0, 0.0, BOX);
    let gap = form.step() - (right - left);
    // As wide as a lane or, if there is room, as the number.
    let widest = width(&broadcasts.0.len().to_string(), SMALL) * BOLD;
    let half = (right - left).max(widest).min(broadcasts.room(form) - gap) / 2.0;
    for n in 0..broadcasts.0.len() {
        let x = broadcasts.middle(form, n);
        let area = [(x - half, sheet.y), (x + half, sheet.y + BOX)];
        sheet.canvas.area(area, Paint::Series(colour(n)))?;
    }
    // A number that is wider than its box extends across neighbours of the same colour.
    let every = if widest <= broadcasts.room(form) { 1 } else { SPARSE };
    for n in (0..broadcasts.0.len()).step_by(every) {
        let middle = (broadcasts.middle(form, n), sheet.y + BOX / 2.0);
        let paints = [Paint::Series(colour(n)), Paint::On(colour(n))];
        sheet.across(&(n + 1).to_string(), middle, SMALL, paints, FontStyle::Bold)?;
    }
    let offset = |n: usize| {
        let (memory, at) = broadcasts.0[n];
        let at = format::count(at);
        if broadcasts.0.len() <= 4 { format!("{memory} + {at}") } else { at }
    };
    let span = |n: usize| {
        let (x, half) = (broadcasts.middle(form, n), width(&offset(n), SMALL) / 2.0);
        (x - half, x + half)
    };
    let every = sparse(&(0..broadcasts.0.len()).map(span).collect::<Vec<_>>(), 5.0).next_multiple_of(every);
    for n in (0..broadcasts.0.len()).step_by(every) {
        let at = (broadcasts.middle(form, n), sheet.y + BOX + 10.0);
        sheet.small(&offset(n), at, Paint::Muted, HPos::Center)?;
    }
    sheet.y += BOX + 22.0;
    Ok(())
}

/// The counts in words, if they agree with the number of broadcasts drawn.
pub(super) fn counted(access: &Access, broadcasts: u64) -> Result<String, Refusal> {
    let cost = &access.cost;
    let (instructions, replays) = (counter(cost, "const_instructions"), counter(cost, "const_replays"));
    if replays != instructions * (broadcasts - 1) {
        return Err(Refusal::Unexplained(format!(
            "the lanes read different addresses, {broadcasts} of them, and {} were counted for {}",
            plural(replays, "replay"),
            plural(instructions, "instruction")
        )));
    }
    let all = match broadcasts {
        1 => "one address".to_owned(),
        several => format!("{several} different addresses"),
    };
    let taken = plural(broadcasts, "broadcast");
    Ok(if instructions == 1 {
        format!("Counted: 1\u{a0}instruction and {}: {taken} for {all}.", plural(replays, "replay"))
    } else {
        format!(
            "Counted: {}, for {} a lane, and {}: {taken} each, for {all}.",
            plural(instructions, "instruction"),
            bytes(u64::from(access.bytes)),
            plural(replays, "replay")
        )
    })
}
