//! Shared memory: from lanes to the 32 banks, and the words that each bank must serve, one in each wavefront.

use super::lanes::{BOX, FALL, LANES};
use super::sheet::{SMALL, Sheet};
use super::words::{Refusal, bytes, counter};
use crate::Error;
use crate::drawing::{Paint, width};
use crate::format::plural;
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;
use record::{Access, AccessKind, Lanes, Trace};

/// Words that the banks serve in one wavefront: `None` for an idle bank.
type Wavefront = [Option<u64>; LANES];

/// Height of a word, and of one among many.
const WORD: f64 = 16.0;
const SMALL_WORD: f64 = 12.5;
const MANY: usize = 12;
/// Height of a word among many in a compact drawing, where it has no number, and the wavefronts from one number to the next.
const THIN_WORD: f64 = 8.0;
const NUMBERED: usize = 4;

/// Text in the words of a figure.
#[derive(Clone, Copy)]
pub(super) enum Names {
    /// Numbers of the words.
    Words,
    /// Numbers of the rows of 32 words that the words are in, where their own have too many digits.
    Rows,
    /// No text: the rows' numbers have too many digits too.
    Nothing,
}

impl Names {
    /// The one choice for all panels of a trace.
    pub(super) fn of(trace: &Trace) -> Names {
        let accesses = trace.panels.iter().flat_map(|p| &p.accesses);
        let ends = accesses.flat_map(|a| {
            let bytes = u64::from(a.bytes);
            a.lanes.values().flat_map(Lanes::iter).map(move |(_, at)| (at + bytes - 1) / 4)
        });
        match ends.max().unwrap_or(0) {
            0..=999 => Names::Words,
            1_000..=31_999 => Names::Rows,
            _ => Names::Nothing,
        }
    }

    fn note(self) -> Option<&'static str> {
        match self {
            Names::Words => Some(
                "The numbers in the wavefronts are those of 4-byte words in shared memory; word n is in bank n mod 32.",
            ),
            Names::Rows => Some(
                "The numbers in the wavefronts are those of rows of 32 words in shared memory: row r begins at byte 128 r.",
            ),
            Names::Nothing => None,
        }
    }

    fn text(self, word: u64) -> String {
        match self {
            Names::Words => word.to_string(),
            Names::Rows => (word / LANES as u64).to_string(),
            Names::Nothing => String::new(),
        }
    }
}

/// A warp's access as the banks serve it.
struct Served {
    /// Number of parts that the access splits into.
    groups: u32,
    /// Wavefronts of the parts that have lanes.
    parts: Vec<Vec<Wavefront>>,
    wavefronts: u64,
    conflicts: u64,
}

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access, names: Names) -> Result<(), Refusal> {
    let wanted = wanted(access);
    let served = serve(access, &wanted)?;

    sheet.lanes(wanted.iter().map(|(lane, _)| *lane))?;
    let words = u64::from(access.bytes.div_ceil(4));
    for (lane, at) in &wanted {
        // To the middle of its words, which are next to each other.
        let bank = (at / 4 % LANES as u64) as usize;
        let x = (sheet.form.column(bank) + sheet.form.column(bank + words as usize - 1)) / 2.0;
        sheet.lead(*lane, x, Paint::Muted)?;
    }
    sheet.y += FALL;
    banks(sheet)?;
    wavefronts_of(sheet, &served.parts, names)?;

    let first = if served.parts.len() == 1 { "the first wavefront" } else { "a part's first wavefront" };
    sheet.explain(Paint::Series(0), Paint::Series(0), first);
    if served.most() > 1 {
        sheet.explain(Paint::Series(1), Paint::Series(1), "a bank conflict");
    }
    if let Some(note) = names.note() {
        sheet.note(note);
    }
    sheet.say(&served.in_words(wanted.len() as u64, access.bytes), Paint::Text, FontStyle::Normal)?;
    Ok(())
}

/// Active lanes with their offsets. Shared memory is one memory, whatever its variables are called.
pub(super) fn wanted(access: &Access) -> Vec<(u32, u64)> {
    let mut wanted: Vec<(u32, u64)> = access.lanes.values().flat_map(Lanes::iter).collect();
    wanted.sort_unstable();
    wanted
}

/// The counts in words, if the banks' words explain them.
pub(super) fn in_words(access: &Access) -> Result<String, Refusal> {
    let wanted = wanted(access);
    Ok(serve(access, &wanted)?.in_words(wanted.len() as u64, access.bytes))
}

/// The row of banks. Moves the sheet below it.
fn banks(sheet: &mut Sheet<'_>) -> Result<(), Error> {
    sheet.row_label("bank", sheet.y + BOX / 2.0)?;
    for bank in 0..LANES {
        sheet.canvas.area(sheet.form.in_column(bank, sheet.y, BOX), Paint::Grid)?;
    }
    for bank in (0..LANES).step_by(sheet.form.every_number()) {
        let at = (sheet.form.column(bank), sheet.y + BOX / 2.0);
        sheet.across(&bank.to_string(), at, SMALL, [Paint::Grid, Paint::Text], FontStyle::Normal)?;
    }
    sheet.y += BOX + 3.0;
    Ok(())
}

/// A row for each wavefront, with the words that the banks serve. Moves the sheet below them.
fn wavefronts_of(sheet: &mut Sheet<'_>, parts: &[Vec<Wavefront>], names: Names) -> Result<(), Error> {
    let all: usize = parts.iter().map(Vec::len).sum();
    let thin = all > MANY && sheet.compact;
    let height = if thin {
        THIN_WORD
    } else if all > MANY {
        SMALL_WORD
    } else {
        WORD
    };
    let words = parts.iter().flatten().flatten().flatten();
    let every = sheet.form.every(words.map(|word| names.text(*word)), SMALL - 2.0);
    // In each part, wavefronts after the first are conflicts.
    let colours = parts.iter().flat_map(|part| (0..part.len()).map(|nth| usize::from(nth > 0)));
    for (n, (wavefront, colour)) in parts.iter().flatten().zip(colours).enumerate() {
        let label = if n == 0 { "wavefront".to_owned() } else { (n + 1).to_string() };
        let middle = sheet.y + height / 2.0 - 1.0;
        if !thin || n == 0 || (n + 1).is_multiple_of(NUMBERED) {
            sheet.row_label(&label, middle)?;
        }
        for bank in (0..LANES).filter(|bank| wavefront[*bank].is_some()) {
            let area = sheet.form.in_column(bank, sheet.y, height - 2.0);
            sheet.canvas.area(area, Paint::Series(colour))?;
        }
        for (bank, word) in wavefront.iter().enumerate().filter(|_| !thin) {
            let Some(word) = word else { continue };
            word_of(sheet, wavefront, bank, &names.text(*word), (middle, every, colour))?;
        }
        sheet.y += height;
    }
    sheet.y += 5.0;
    Ok(())
}

/// The text of a word, in the middle of its bank's box. Where it is wider than that, it extends across the boxes next to it, of
/// every fourth bank; where these are idle, it is next to its own.
fn word_of(
    sheet: &Sheet<'_>,
    wavefront: &Wavefront,
    bank: usize,
    text: &str,
    (middle, every, colour): (f64, usize, usize),
) -> Result<(), Error> {
    let size = if text.len() > 2 { SMALL - 2.0 } else { SMALL - 1.0 };
    let (centre, step, wide) = (sheet.form.column(bank), sheet.form.step(), width(text, size));
    if every == 1 {
        let (at, paint) = ((centre, middle), Paint::On(colour));
        return sheet.canvas.text(text, at, size, paint, FontStyle::Normal, HPos::Center);
    }
    let busy = |bank: &usize| wavefront[*bank].is_some();
    let before = (0..bank).rev().take_while(busy).count();
    let after = (bank + 1..LANES).take_while(busy).count();
    let beside =
        |x: f64, anchor| sheet.canvas.text(text, (x, middle), size, Paint::Text, FontStyle::Normal, anchor);
    let has_room = |idle: usize| wide <= step * idle as f64 - 4.0;
    match (before, after) {
        (0, 0) if has_room((bank + 1..LANES).take_while(|bank| !busy(bank)).count()) => {
            beside(centre + step / 2.0 + 2.0, HPos::Left)
        }
        (0, 0) if has_room((0..bank).rev().take_while(|bank| !busy(bank)).count()) => {
            beside(centre - step / 2.0 - 2.0, HPos::Right)
        }
        _ => {
            let (left, right) = (centre - (before as f64 + 0.5) * step, centre + (after as f64 + 0.5) * step);
            // The next one that is shown follows too closely on the last before it.
            let shown = bank.is_multiple_of(every) || before == 0 && bank % every + 1 != every;
            if !shown || wide > right - left {
                return Ok(());
            }
            let x = centre.max(left + wide / 2.0).min(right - wide / 2.0);
            let paints = [Paint::Series(colour), Paint::On(colour)];
            sheet.across(text, (x, middle), size, paints, FontStyle::Normal)
        }
    }
}

impl Served {
    /// Most wavefronts of a part.
    fn most(&self) -> usize {
        self.parts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The counts, and why they are these.
    fn in_words(&self, lanes: u64, lane_bytes: u32) -> String {
        let conflicts = match self.conflicts {
            0 => "no bank conflict".to_owned(),
            1 => "1 of them a bank conflict".to_owned(),
            n => format!("{n} of them bank conflicts"),
        };
        let why = match (self.parts.len(), self.most()) {
            (1, 1) => format!("no bank must give more than one word for {}", plural(lanes, "lane")),
            (1, n) => format!("a bank must give {n} different words, one a wavefront"),
            (n, _) => {
                let lanes = LANES as u32 / self.groups;
                let which = (0..self.groups).map(|g| format!("{} to {}", g * lanes, (g + 1) * lanes - 1));
                format!(
                    "with {} a lane the warp goes in {n} parts, lanes {}",
                    bytes(u64::from(lane_bytes)),
                    which.collect::<Vec<_>>().join(", ")
                )
            }
        };
        format!("Counted: {}, {conflicts}: {why}.", plural(self.wavefronts, "wavefront"))
    }
}

/// Serves the lanes, given with their offsets, in the least number of parts that explains the counts.
fn serve(access: &Access, wanted: &[(u32, u64)]) -> Result<Served, Refusal> {
    let names = match access.kind {
        AccessKind::Load => ["shared_load_wavefronts", "shared_load_bank_conflicts"],
        AccessKind::Store => ["shared_store_wavefronts", "shared_store_bank_conflicts"],
        AccessKind::Atomic => {
            return Err(Refusal::Unexplained(
                "atomic operations go through the banks lane by lane, which this figure does not show".into(),
            ));
        }
    };
    let [counted, conflicts] = names.map(|name| counter(&access.cost, name));
    for groups in [1, 2, 4] {
        let lanes = LANES as u32 / groups;
        let parts: Vec<Vec<Wavefront>> = (0..groups)
            .map(|g| {
                wanted.iter().filter(|(lane, _)| lane / lanes == g).map(|(_, at)| *at).collect::<Vec<_>>()
            })
            .filter(|part| !part.is_empty())
            .map(|part| wavefronts(&part, access.bytes))
            .collect();
        let all: usize = parts.iter().map(Vec::len).sum();
        if all as u64 == counted && (all - parts.len()) as u64 == conflicts {
            return Ok(Served { groups, parts, wavefronts: counted, conflicts });
        }
    }
    Err(Refusal::Unexplained(format!(
        "the words that the banks must give do not make the {} and {} that were counted",
        plural(counted, "wavefront"),
        plural(conflicts, "conflict")
    )))
}

/// Wavefronts of lanes that are served together: their distinct words, bank by bank.
fn wavefronts(offsets: &[u64], bytes: u32) -> Vec<Wavefront> {
    let mut out: Vec<Wavefront> = Vec::new();
    for at in offsets {
        for word in at / 4..at / 4 + u64::from(bytes.div_ceil(4)) {
            let bank = (word % LANES as u64) as usize;
            if out.iter().any(|w| w[bank] == Some(word)) {
                continue;
            }
            match out.iter_mut().find(|w| w[bank].is_none()) {
                Some(wavefront) => wavefront[bank] = Some(word),
                None => {
                    let mut wavefront = [None; LANES];
                    wavefront[bank] = Some(word);
                    out.push(wavefront);
                }
            }
        }
    }
    out
}
