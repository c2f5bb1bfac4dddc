//! What a program did wrong, for a reader.
//!
//! Enters: an outcome and the source's files. Leaves: text, with the lines of the source. This module must never know where it is
//! shown.

use crate::run::{Ended, Outcome, place_of_call};
use crate::sides::Sides;
use cuda::diagnostic::{self, Diagnostic};
use cuda::source::Span;
use runtime::Site;
use runtime::api::words;
use runtime::library::Event;

/// Everything that was found, as the compiler shows its messages; nothing where nothing was.
pub(crate) fn findings(outcome: &Outcome, sides: &Sides) -> String {
    let mut all = vec![];
    let place = |site: Site| place_of_call(sides, site);
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
        let mut shown = Diagnostic::error("cuda", span, words::sentence(one));
        for (text, site) in words::notes(one) {
            shown = match (site.and_then(place), shown.help.clone()) {
                (Some(span), _) => shown.related(span, text),
                (None, None) => shown.help(text),
                (None, Some(before)) => shown.help(format!("{before}; {text}")),
            };
        }
        all.push(shown);
    }
    if let Ended::Signal { name, why, place, .. } = &outcome.ended {
        all.push(Diagnostic::error("signal", place.unwrap_or(Span::NOWHERE), format!("{name}: {why}")));
    }
    if let Ended::Limit(why) = &outcome.ended {
        all.push(Diagnostic::error("limit", Span::NOWHERE, why.clone()));
    }
    if all.is_empty() { String::new() } else { diagnostic::render(&all, &sides.host.sources, true) }
}
