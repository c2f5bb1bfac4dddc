//! Shared memory: from lanes to the 32 banks, and the words that each bank must serve, one in each wavefront.

use super::lanes::{BOX, FALL, LANES, column, in_column};
use super::{Refusal, SMALL, Sheet, counter, plural};
use crate::drawing::Paint;
use plotters::style::FontStyle;
use plotters::style::text_anchor::HPos;
use record::{Access, AccessKind, Lanes, Trace};

/// Words that the banks serve in one wavefront: `None` for an idle bank.
type Wavefront = [Option<u64>; LANES];

/// Height of a word, and of one among many.
const WORD: f64 = 16.0;
const SMALL_WORD: f64 = 12.5;
const MANY: usize = 12;

/// Text in the words of a figure.
#[derive(Clone, Copy)]
pub(super) enum Names {
    /// Numbers of the words.
    Words,
    /// Numbers of the rows of 32 words that the words lie in, where their own have too many digits.
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
                "The numbers in the wavefronts are those of 4-byte words in shared memory; word n lies in bank n mod 32.",
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

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access, names_of_words: Names) -> Result<(), Refusal> {
    // Shared memory is one memory, whatever its variables are called.
    let mut wanted: Vec<(u32, u64)> = access.lanes.values().flat_map(Lanes::iter).collect();
    wanted.sort_unstable();
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
    let (groups, parts) = parts(&wanted, access.bytes, counted, conflicts)?;

    sheet.lanes(wanted.iter().map(|(lane, _)| *lane))?;
    let words = u64::from(access.bytes.div_ceil(4));
    for (lane, at) in &wanted {
        // To the middle of its words, which lie beside each other.
        let bank = (at / 4 % LANES as u64) as usize;
        let x = (column(bank) + column(bank + words as usize - 1)) / 2.0;
        sheet.lead(*lane, x, Paint::Muted)?;
    }
    sheet.y += FALL;
    sheet.row_label("bank", sheet.y + BOX / 2.0)?;
    for bank in 0..LANES {
        let area = in_column(bank, sheet.y, BOX);
        sheet.canvas.area(area, Paint::Grid)?;
        let at = (column(bank), sheet.y + BOX / 2.0);
        sheet.canvas.text(&bank.to_string(), at, SMALL, Paint::Text, FontStyle::Normal, HPos::Center)?;
    }
    sheet.y += BOX + 3.0;

    let waves: usize = parts.iter().map(Vec::len).sum();
    let height = if waves > MANY { SMALL_WORD } else { WORD };
    let mut number = 0;
    for part in &parts {
        for (pass, wavefront) in part.iter().enumerate() {
            number += 1;
            let label = if number == 1 { "wave 1".to_owned() } else { number.to_string() };
            sheet.row_label(&label, sheet.y + height / 2.0 - 1.0)?;
            for (bank, word) in wavefront.iter().enumerate() {
                let Some(word) = word else { continue };
                let paint = if pass == 0 { Paint::Series(0) } else { Paint::Series(1) };
                sheet.canvas.area(in_column(bank, sheet.y, height - 2.0), paint)?;
                let at = (column(bank), sheet.y + height / 2.0 - 1.0);
                let text = names_of_words.text(*word);
                let size = if text.len() > 2 { SMALL - 2.0 } else { SMALL - 1.0 };
                sheet.canvas.text(
                    &text,
                    at,
                    size,
                    Paint::On(usize::from(pass > 0)),
                    FontStyle::Normal,
                    HPos::Center,
                )?;
            }
            sheet.y += height;
        }
    }
    sheet.y += 5.0;
    let mut text = format!("Counted: {}", plural(counted, "wavefront"));
    match conflicts {
        0 => text += ", no bank conflict",
        n => {
            text += &format!(", {n} of them ");
            text += if n == 1 { "a bank conflict" } else { "bank conflicts" };
        }
    }
    let most = parts.iter().map(Vec::len).max().unwrap_or(0) as u64;
    text += &match (parts.len(), most) {
        (1, 1) => {
            format!(": no bank must give more than one word for {}", plural(wanted.len() as u64, "lane"))
        }
        (1, n) => format!(": a bank must give {n} different words, one a wavefront"),
        (n, _) => {
            let lanes = LANES as u32 / groups;
            let which = (0..groups).map(|g| format!("{} to {}", g * lanes, (g + 1) * lanes - 1));
            format!(
                ": with {} a lane the warp goes in {n} parts, lanes {}",
                super::bytes(u64::from(access.bytes)),
                which.collect::<Vec<_>>().join(", ")
            )
        }
    };
    text.push('.');
    let most_paint = if most > 1 { 2 } else { 1 };
    for (n, text) in ["a part's first wavefront", "a bank conflict"].iter().enumerate().take(most_paint) {
        sheet.explain(
            Paint::Series(n),
            Paint::Series(n),
            if parts.len() == 1 && n == 0 { "the first wavefront" } else { text },
        );
    }
    if let Some(note) = names_of_words.note() {
        sheet.note(note);
    }
    sheet.say(&text, Paint::Text, FontStyle::Normal)?;
    Ok(())
}

/// Number of parts that the warp's access splits into, with the wavefronts of the parts that have lanes, as many as
/// were counted.
fn parts(
    wanted: &[(u32, u64)],
    bytes: u32,
    counted: u64,
    conflicts: u64,
) -> Result<(u32, Vec<Vec<Wavefront>>), Refusal> {
    for groups in [1, 2, 4] {
        let lanes = LANES as u32 / groups;
        let parts: Vec<Vec<Wavefront>> = (0..groups)
            .map(|g| {
                wanted.iter().filter(|(lane, _)| lane / lanes == g).map(|(_, at)| *at).collect::<Vec<_>>()
            })
            .filter(|part| !part.is_empty())
            .map(|part| wavefronts(&part, bytes))
            .collect();
        let all: usize = parts.iter().map(Vec::len).sum();
        if all as u64 == counted && (all - parts.len()) as u64 == conflicts {
            return Ok((groups, parts));
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
