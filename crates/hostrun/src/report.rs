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
use runtime::api::{self, Kind, words};
use runtime::library::Event;

/// Warnings of linking: what of one file another does not mean.
const LINKING: [&str; 3] = ["extern-device", "different-types", "one-definition-rule"];

/// Warnings about a program's files together, with the files of the side that has them.
pub fn of_linking(sides: &Sides) -> (Vec<Diagnostic>, &Sources) {
    let of = |warnings: &[Diagnostic]| -> Vec<Diagnostic> {
        warnings.iter().filter(|one| LINKING.contains(&one.code)).cloned().collect()
    };
    let host = of(&sides.host.warnings);
    // Both sides read the files: what is said of a declaration is said once.
    match host.is_empty() {
        true => (of(&sides.device.warnings), &sides.device.sources),
        false => (host, &sides.host.sources),
    }
}

/// Everything that was found, in the order in which it is to be read, and how the program ended if it was not by itself.
pub fn diagnostics(outcome: &Outcome, sides: &Sides) -> Vec<Diagnostic> {
    let mut all = vec![];
    let place = |site: Site| sides.place_of_call(site);
    for one in outcome.library.findings.all() {
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
        let span = place(one.site).unwrap_or(Span::NOWHERE);
        let mut shown = match &one.kind {
            Kind::Fault { fault, arguments, .. } => fault::message(fault, arguments, sides, span),
            kind => Diagnostic::error(kind.name(), span, words::sentence(one)),
        };
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
        Ended::Limit { why, place } => {
            all.push(Diagnostic::error("limit", place.unwrap_or(Span::NOWHERE), why.clone()));
        }
    }
    all
}
