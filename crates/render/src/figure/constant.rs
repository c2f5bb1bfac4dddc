//! Constant memory: from lanes to addresses, one of which is read in each pass.

use super::lanes::{BOX, FALL, STEP, column, in_column};
use super::{Refusal, SMALL, Sheet, counter, plural};
use crate::drawing::{Paint, width};
use crate::format;
use plotters::style::FontStyle;
use plotters::style::text_anchor::HPos;
use record::Access;

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access) -> Result<(), Refusal> {
    let mut wanted: Vec<(u32, &str, u64)> = access
        .lanes
        .iter()
        .flat_map(|(memory, lanes)| lanes.iter().map(move |(lane, at)| (lane, memory.as_str(), at)))
        .collect();
    wanted.sort_unstable();
    // An address a pass, in the order of the lowest lane that wants it.
    let mut passes: Vec<(&str, u64)> = Vec::new();
    for (_, memory, at) in &wanted {
        if !passes.contains(&(*memory, *at)) {
            passes.push((*memory, *at));
        }
    }
    let cost = &access.cost;
    let (instructions, replays) = (counter(cost, "const_instructions"), counter(cost, "const_replays"));
    if replays != instructions * (passes.len() as u64 - 1) {
        return Err(Refusal::Unexplained(format!(
            "the lanes want different addresses, {} of them, and {} were counted for {}",
            passes.len(),
            plural(replays, "replay"),
            plural(instructions, "instruction")
        )));
    }

    // Boxes of the passes spread over the row.
    let paint = |pass: usize| if pass == 0 { Paint::Series(0) } else { Paint::Series(1) };
    let columns = 32.0 / passes.len() as f64;
    let middle = |pass: usize| column(0) + STEP * ((pass as f64 + 0.5) * columns - 0.5);
    sheet.lanes(wanted.iter().map(|(lane, _, _)| *lane))?;
    for (lane, memory, at) in &wanted {
        let pass = passes.iter().position(|p| *p == (*memory, *at)).unwrap_or(0);
        sheet.lead(*lane, middle(pass), paint(pass))?;
    }
    sheet.y += FALL;
    sheet.row_label("pass", sheet.y + BOX / 2.0)?;
    sheet.row_label("offset", sheet.y + BOX + 10.0)?;
    let [(left, _), (right, _)] = in_column(0, 0.0, BOX);
    let half = (right - left) / 2.0;
    let mut free = f64::NEG_INFINITY;
    for (pass, (memory, at)) in passes.iter().enumerate() {
        let x = middle(pass);
        sheet.canvas.area([(x - half, sheet.y), (x + half, sheet.y + BOX)], paint(pass))?;
        let number = (pass + 1).to_string();
        sheet.canvas.text(
            &number,
            (x, sheet.y + BOX / 2.0),
            SMALL,
            Paint::On(usize::from(pass > 0)),
            FontStyle::Bold,
            HPos::Center,
        )?;
        let at = format::count(*at);
        let text = if passes.len() <= 4 { format!("{memory} + {at}") } else { at };
        let room = width(&text, SMALL) / 2.0;
        if x - room >= free {
            sheet.canvas.text(
                &text,
                (x, sheet.y + BOX + 10.0),
                SMALL,
                Paint::Muted,
                FontStyle::Normal,
                HPos::Center,
            )?;
            free = x + room + 5.0;
        }
    }
    sheet.y += BOX + 22.0;
    sheet.explain(Paint::Series(0), Paint::Series(0), "the first pass");
    if passes.len() > 1 {
        sheet.explain(Paint::Series(1), Paint::Series(1), "a replay");
        sheet.note(
            "Passes are numbered by the lowest lane that wants the address; in which order the hardware takes them is not \
             known. Offsets are in bytes.",
        );
    }
    let all = match passes.len() {
        1 => "one address".to_owned(),
        n => format!("{n} different addresses"),
    };
    let taken = plural(passes.len() as u64, "pass");
    let text = if instructions == 1 {
        format!("Counted: 1\u{a0}instruction and {}: {taken} for {all}.", plural(replays, "replay"))
    } else {
        format!(
            "Counted: {}, since {} a lane are so many, and {}: {taken} of each for {all}.",
            plural(instructions, "instruction"),
            super::bytes(u64::from(access.bytes)),
            plural(replays, "replay")
        )
    };
    sheet.say(&text, Paint::Text, FontStyle::Normal)?;
    Ok(())
}
