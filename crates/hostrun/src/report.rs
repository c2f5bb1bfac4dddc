//! What a program did wrong, for a reader.
//!
//! Enters: an outcome and what was compiled. Leaves: messages, as the compiler's, with their places in the source. This module must
//! never know where they are shown.

use crate::ended::Ended;
use crate::fault;
use crate::run::Outcome;
use crate::sides::Sides;
use cuda::diagnostic::Diagnostic;
use cuda::source::{Sources, Span};
use runtime::Site;
use runtime::api::{self, Certainty, Kind, words};
use runtime::library::{Event, Mistake};

/// Warnings about a program, as text: those of the host's side, then those that only the device's side has.
pub fn warnings(sides: &Sides) -> String {
    let rendered = |all: &[Diagnostic], sources: &Sources| -> Vec<String> {
        all.iter().map(|one| cuda::diagnostic::render(std::slice::from_ref(one), sources, true)).collect()
    };
    let mut all = rendered(&sides.host.warnings, &sides.host.sources);
    for one in rendered(&sides.device.warnings, &sides.device.sources) {
        // Both sides read the files: what is said of a declaration is said once.
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all.concat()
}

/// A number that is shifted by a product, as in `1 << 13 * sizeof(int)`, in a call or in a variable that it names.
fn shifted_product(sides: &Sides, span: Span) -> Option<(Span, &str)> {
    let sources = &sides.host.sources;
    let file = sources.position(span.lo)?.file;
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '(' | ')' | ' ');
    let found = file.text.match_indices("<<").filter_map(|(at, _)| {
        let (before, after) = (file.text[..at].trim_end(), &file.text[at + 2..]);
        let number = before.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + 1);
        let digits = before[number..].trim_end_matches(['u', 'U', 'l', 'L']);
        // `1 << n * size`, and neither `1 << n` nor `1 << (n * size)`.
        let star = after.find(|c: char| !word(c)).filter(|end| after[*end..].starts_with('*'))?;
        let balanced = after[..star].matches('(').count() == after[..star].matches(')').count();
        let end = star + 1 + end_of_operand(&after[star + 1..]);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && balanced && end > star + 1).then(|| {
            let text = file.text[number..at + 2 + end].trim_end();
            let lo = file.start + number as u32;
            (Span { lo, hi: lo + text.len() as u32, expansion: 0 }, text)
        })
    });
    // It is in the call, or in a variable that the call names.
    let call = sources.text(span);
    let is_it = |(at, _): &(Span, &str)| {
        let start = (at.lo - file.start) as usize;
        let line = file.text[..start].rsplit(['\n', ';', '{']).next().unwrap_or("");
        let variable = line.trim_end().strip_suffix('=').map(str::trim_end);
        let name = variable.and_then(|text| text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next());
        let named = |name: &str| {
            call.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == name && !word.is_empty())
        };
        (span.lo..span.hi).contains(&at.lo) || name.is_some_and(named)
    };
    found.filter(is_it).min_by_key(|(at, _)| span.lo.abs_diff(at.lo))
}

/// Bytes up to where an operand ends that is written at the beginning of a text.
fn end_of_operand(text: &str) -> usize {
    let mut open = 0;
    let ends = |c: char| match c {
        '(' => {
            open += 1;
            false
        }
        ')' => {
            open -= 1;
            open < 0
        }
        _ => matches!(c, ';' | ',' | '\n'),
    };
    text.find(ends).unwrap_or(text.len())
}

/// Whether what ended a program is a kernel's fault, which is among what was found.
fn ended_by_fault(outcome: &Outcome, why: &str) -> bool {
    let is_it =
        |one: &api::Finding| matches!(&one.kind, Kind::Fault { fault, .. } if fault.to_string() == why);
    outcome.api.findings().iter().any(is_it)
}

/// Everything that was found, in the order in which it is to be read, and how the program ended if it was not by itself.
pub fn diagnostics(outcome: &Outcome, sides: &Sides) -> Vec<Diagnostic> {
    let mut all = vec![];
    let place = |site: Site| sides.place_of_call(site);
    let ended = match &outcome.ended {
        Ended::Exit(_) => None,
        Ended::Signal { place, .. } | Ended::Limit { place, .. } => *place,
    };
    for one in outcome.library.findings.all() {
        // The API knows more of its memory.
        let explained = |other: &api::Finding| {
            Some(other.site) == one.site && matches!(other.kind, Kind::WrongFree { .. })
        };
        if one.mistake == Mistake::BadFree && outcome.api.findings().iter().any(explained) {
            continue;
        }
        let span = one.site.and_then(place).unwrap_or(Span::NOWHERE);
        let mut shown = Diagnostic::error(one.mistake.name(), span, one.message.clone());
        for (event, site) in &one.others {
            let what = match event {
                Event::Allocated => "allocated here",
                Event::Freed => "freed here",
                Event::Opened => "opened here",
                Event::Closed => "closed here",
            };
            if let Some(span) = place(*site) {
                shown = shown.related(span, what);
            }
        }
        all.push(shown);
    }
    for one in outcome.api.findings() {
        // What the program accesses itself has no call: that has ended it.
        let own = ended.filter(|_| one.call.is_empty());
        let span = place(one.site).or(own).unwrap_or(Span::NOWHERE);
        let mut shown = match &one.kind {
            Kind::Fault { fault, arguments, .. } => fault::message(fault, arguments, sides, span),
            kind => {
                let made =
                    if one.certainty == Certainty::Note { Diagnostic::warning } else { Diagnostic::error };
                made(kind.name(), span, words::sentence(one))
            }
        };
        if let Kind::TooLarge { bytes, .. } = one.kind
            && bytes.is_power_of_two()
            && let Some((product, text)) = shifted_product(sides, span)
        {
            shown =
                shown.related(product, format!("in `{text}` the product comes first: write `(1 << …) * …`"));
        }
        for (text, site) in words::notes(one) {
            shown = match (site.and_then(place), shown.help.clone()) {
                (Some(span), _) => shown.related(span, text),
                (None, None) => shown.help(text),
                (None, Some(before)) => shown.help(format!("{before}; {text}")),
            };
        }
        if let Some(drawing) = api::drawing_of_rows(one) {
            let before = shown.help.take().map_or_else(String::new, |help| help + "; ");
            shown = shown.help(before + &drawing);
        }
        all.push(shown);
    }
    match &outcome.ended {
        Ended::Exit(_) => {}
        Ended::Signal { name, why, place, .. } => {
            all.push(Diagnostic::error("signal", place.unwrap_or(Span::NOWHERE), format!("{name}: {why}")));
        }
        // A kernel that never ends is a fault, which says more.
        Ended::Limit { why, .. } if ended_by_fault(outcome, why) => {}
        Ended::Limit { why, place } => {
            all.push(Diagnostic::error("limit", place.unwrap_or(Span::NOWHERE), why.clone()));
        }
    }
    all
}
