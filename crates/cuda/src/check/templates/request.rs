//! What an instance was made for: the place of the source that asked for it.
//!
//! Enters: places, as instances are asked for. Leaves: errors that tell them. This module must never know what the errors are.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Span;

use crate::check::Checker;

/// Number of a request, from 1 on; 0 is what the source asks for as it stands.
pub(crate) type RequestId = u32;

/// A request for an instance of a template, or for a function of the library.
pub(crate) struct Request {
    /// What was asked for, as messages show it.
    name: Rc<str>,
    /// Where.
    span: Span,
    /// What asked for it.
    from: RequestId,
}

impl Checker<'_> {
    /// Notes that what is checked now asks for an instance. What a signature of the library names, the call asks for.
    pub(crate) fn request(&mut self, name: Rc<str>, span: Span) -> RequestId {
        let span = self.messages.calling.filter(|_| self.ours(span)).unwrap_or(span);
        self.messages.requests.push(Request { name, span, from: self.messages.requested });
        self.messages.requests.len() as RequestId
    }

    /// Runs what a request asked for.
    pub(crate) fn for_request<T>(&mut self, id: RequestId, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.messages.requested, id);
        let found = run(self);
        self.messages.requested = before;
        found
    }

    /// The innermost request that the source itself made for what is checked now.
    fn made_for(&self) -> Option<&Request> {
        let mut id = self.messages.requested;
        loop {
            let one = self.messages.requests.get((id as usize).checked_sub(1)?)?;
            if !self.ours(one.span) {
                return Some(one);
            }
            id = one.from;
        }
    }

    /// An error with the place that its instance was made for: of the library's text nobody wrote a word, so it is there.
    pub(crate) fn placed(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if diagnostic.severity != Severity::Error {
            return diagnostic;
        }
        let Some(request) = self.made_for() else { return diagnostic };
        if !self.ours(diagnostic.span) {
            // A name is unknown, or lacks a word, whatever an instance is made for.
            let unknown =
                matches!(diagnostic.code, "name" | "typename" | crate::check::names::lookup::QUALIFIED);
            let words = format!("in the instantiation of `{}` requested here", request.name);
            return if unknown { diagnostic } else { diagnostic.related(request.span, words) };
        }
        let inner = std::mem::replace(&mut diagnostic.span, request.span);
        diagnostic.label = String::new();
        diagnostic.related.retain(|(place, _)| !self.ours(*place));
        diagnostic.related(inner, "found here, in the library")
    }
}
