//! Messages: where they go, which are left out, and what an instance that has one was asked for by.
//!
//! Enters: diagnostics as the checker finds them. Leaves: those that are shown, each once. This module must never know how
//! anything is found.

use std::rc::Rc;

use crate::ast::Symbol;
use crate::check::{QUALIFIED, UNSUPPORTED};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::hash::{Map, Set};
use crate::source::{Position, Sources, Span};

/// Greatest number of errors shown; more help none.
const ERRORS: usize = 30;
/// Greatest number of messages kept, warnings among them.
const WARNINGS: usize = 2_000;

/// Advice where another file's device code is meant in a program whose device code is not linked.
pub(crate) const DEVICE_ALONE: &str = "add `-rdc=true`, which links the device code of several files: without it, each file has its own, as by nvcc";

/// Number of a request, from 1 on; 0 is what the source asks for as it is.
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

/// Diagnostics so far, and what decides which of them are kept.
pub(crate) struct Messages<'a> {
    sources: &'a Sources,
    sink: &'a mut Diagnostics,
    /// Whether `long double` was warned of.
    long_double: bool,
    /// Whether there are errors of syntax, from which others may follow.
    is_after_errors: bool,
    /// Whether a function is checked that the host alone calls, although it is the device's too.
    unreached: bool,
    /// Requests for instances so far.
    requests: Vec<Request>,
    /// That which is answered now.
    requested: RequestId,
    /// Call of which the function is looked for.
    calling: Option<Span>,
    /// Call that is none because of its function's declaration, with which something else must be wrong.
    unexplained: Option<Span>,
    /// Whether an error was found somewhere whose message may have been dropped.
    poisoned: Option<Span>,
    /// Trials of substitution around.
    trials: u32,
    /// Unknown names that were reported, by the function body; 0 for those that errors of the parser name.
    told_names: Set<(u32, Symbol)>,
    /// What substitutions that may fail found wrong with what they needed.
    deferred: Vec<Diagnostic>,
    /// Why names of the host cannot be used.
    reasons: Map<Span, Rc<[Diagnostic]>>,
}

impl<'a> Messages<'a> {
    pub(crate) fn new(sources: &'a Sources, sink: &'a mut Diagnostics) -> Self {
        Self {
            sources,
            is_after_errors: sink.failed(),
            sink,
            long_double: false,
            unreached: false,
            requests: vec![],
            requested: 0,
            calling: None,
            unexplained: None,
            poisoned: None,
            trials: 0,
            told_names: Set::default(),
            deferred: vec![],
            reasons: Map::default(),
        }
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        self.sources.text(span)
    }

    /// Headers that the source includes and that are known by name only.
    pub(crate) fn by_name_only(&self) -> &'a [String] {
        self.sources.by_name_only()
    }

    pub(crate) fn position(&self, at: u32) -> Option<Position<'a>> {
        self.sources.position(at)
    }

    /// Where the parser puts what it finds wrong with a body.
    pub(crate) fn sink(&mut self) -> &mut Diagnostics {
        self.sink
    }

    /// Whether there is an error.
    pub(crate) fn failed(&self) -> bool {
        self.sink.failed()
    }

    /// Whether there are too many errors for further bodies to be checked.
    pub(crate) fn should_stop(&self) -> bool {
        self.sink.errors() > 2 * ERRORS
    }

    /// Whether there are errors of syntax, from which others may follow.
    pub(crate) fn is_after_errors(&self) -> bool {
        self.is_after_errors
    }

    /// Whether a substitution that may fail is under way.
    pub(crate) fn is_trial(&self) -> bool {
        self.trials > 0
    }

    /// Begins a substitution whose errors do not count. The messages so far; pairs with [`Self::end_trial`].
    pub(crate) fn begin_trial(&mut self) -> Vec<Diagnostic> {
        self.trials += 1;
        std::mem::take(&mut self.sink.list)
    }

    /// The errors of a substitution.
    pub(crate) fn end_trial(&mut self, before: Vec<Diagnostic>) -> Vec<Diagnostic> {
        self.trials -= 1;
        let mut messages = std::mem::replace(&mut self.sink.list, before);
        messages.retain(|one| one.severity == Severity::Error);
        messages
    }

    /// Begins what is checked once and for all, even if a substitution asked for it: its errors are errors. Pairs with
    /// [`Self::end_definition`].
    pub(crate) fn begin_definition(&mut self) -> (Vec<Diagnostic>, u32) {
        (std::mem::take(&mut self.sink.list), std::mem::take(&mut self.trials))
    }

    pub(crate) fn end_definition(&mut self, (before, trials): (Vec<Diagnostic>, u32)) {
        self.trials = trials;
        let messages = std::mem::replace(&mut self.sink.list, before);
        match trials {
            0 => self.sink.list.extend(messages),
            _ => self.deferred.extend(messages),
        }
    }

    /// Keeps the messages of a trial after all.
    pub(crate) fn keep(&mut self, messages: Vec<Diagnostic>) {
        self.sink.list.extend(messages);
    }

    /// Refuses `&C::member`.
    pub(crate) fn refuse_member_pointer(&mut self, span: Span) {
        let help = "pass a lambda that names the member: `[](auto &object) { return object.member; }`";
        self.refuse(span, "pointers to members are", help);
    }

    /// Warns, once, that `long double` is `double`.
    pub(crate) fn warn_long_double(&mut self, span: Span) {
        if !std::mem::replace(&mut self.long_double, true) {
            let message = "`long double` has the 64 bits of `double` here, not 80 as with g++ on x86";
            self.report(Diagnostic::warning("long-double", span, message).help("write `double`"));
        }
    }

    /// Whether an error was reported: within a substitution, by it.
    pub(crate) fn has_errors(&self) -> bool {
        self.sink.list.iter().any(|one| one.severity == Severity::Error)
    }

    /// Whether a substitution found errors that no argument is to blame for.
    pub(crate) fn has_deferred(&self) -> bool {
        !self.deferred.is_empty()
    }

    /// A call that is none because of its function's declaration: something else must be wrong with that.
    pub(crate) fn leave_unexplained(&mut self, span: Span) {
        self.unexplained.get_or_insert(span);
    }

    /// Says what no other message says.
    pub(crate) fn explain(&mut self) {
        if let Some(span) = self.unexplained.filter(|_| !self.sink.failed() && self.deferred.is_empty()) {
            self.error("call", span, "the types in this call are invalid");
        }
    }

    /// Reports what was put off. Where something was left out there is an error.
    pub(crate) fn finish(&mut self) {
        for one in std::mem::take(&mut self.deferred) {
            self.report(one);
        }
        if !self.sink.failed()
            && let Some(span) = self.poisoned
        {
            self.error("unsupported", span, "this could not be compiled");
        }
    }

    /// What is checked from now on is reached by no kernel, or is again.
    pub(crate) fn set_unreached(&mut self, unreached: bool) {
        self.unreached = unreached;
    }

    /// The call of which the function is looked for; the one before.
    pub(crate) fn replace_calling(&mut self, calling: Option<Span>) -> Option<Span> {
        std::mem::replace(&mut self.calling, calling)
    }

    /// Names of the parser's errors are not reported as unknown.
    pub(crate) fn note_names_of_errors(&mut self) {
        for one in &self.sink.list {
            self.told_names.insert((0, Symbol::from(self.sources.text(one.span))));
        }
    }

    /// Whether an error of the parser names this.
    pub(crate) fn is_name_of_error(&self, name: &Symbol) -> bool {
        self.told_names.contains(&(0, name.clone()))
    }

    /// Notes that a name is unknown in a function body: whether that is new.
    pub(crate) fn note_unknown_name(&mut self, uid: u32, name: Symbol) -> bool {
        self.told_names.insert((uid, name))
    }

    /// Why a name of the host cannot be used.
    pub(crate) fn reasons(&self, declared: Span) -> Option<Rc<[Diagnostic]>> {
        self.reasons.get(&declared).cloned()
    }

    pub(crate) fn note_reasons(&mut self, declared: Span, reasons: Rc<[Diagnostic]>) {
        self.reasons.insert(declared, reasons);
    }

    /// Whether there are more errors than are shown.
    pub(crate) fn has_enough_errors(&self) -> bool {
        self.sink.errors() > 4 * ERRORS
    }

    /// Keeps a diagnostic, once.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if self.trials == 0 && (self.has_enough_errors() || self.sink.list.len() > WARNINGS) {
            return;
        }
        // No one is taught by warnings of the library.
        if diagnostic.severity == Severity::Warning && self.ours(diagnostic.span) {
            return;
        }
        // A name that is not found may be of a header that only the host has.
        let hosts = ["host", "name", "undefined", QUALIFIED, UNSUPPORTED];
        if self.unreached && self.trials == 0 && hosts.contains(&diagnostic.code) {
            return;
        }
        let diagnostic = self.placed(diagnostic);
        // Of one thing that is the host's, and of one class that keeps all to itself, one place is enough.
        let same = |one: &Diagnostic| {
            one.code == diagnostic.code && one.subject.is_some() && one.subject == diagnostic.subject
        };
        // An instance's own mistake is the same whatever it was made for.
        let again = |one: &Diagnostic| {
            (one.code, one.span, &one.message) == (diagnostic.code, diagnostic.span, &diagnostic.message)
        };
        if !self.sink.list.iter().any(|one| again(one) || same(one)) {
            self.sink.push(diagnostic);
        }
    }

    /// Reports that a name is unknown, or does not name what it is used as.
    pub(crate) fn unknown_name(&mut self, name: impl Into<String>, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error("name", span, message).unknown(name));
    }

    /// Reports an error.
    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports an array whose length is not said; of one that another file has, it would be known if the two were linked.
    pub(crate) fn tell_open(&mut self, name: &str, span: Span, alone: bool) {
        let error = Diagnostic::error("array-size", span, format!("the length of `{name}` is missing"));
        self.report(match alone {
            true => error.help(DEVICE_ALONE),
            false => error,
        });
    }

    /// Warns of a variable of the device that is declared `extern` in a program whose device code is not linked.
    pub(crate) fn tell_alone(&mut self, name: &str, span: Span) {
        let message = format!("this file has a `{name}` of its own, in spite of `extern`");
        self.report(Diagnostic::warning("extern-device", span, message).help(DEVICE_ALONE));
    }

    /// Reports an error with what to write instead.
    pub(crate) fn error_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, span, message).help(help));
    }

    /// Refuses a construct that C++ has and this compiler has not.
    pub(crate) fn refuse(&mut self, span: Span, what: &str, help: &str) {
        self.error_help(UNSUPPORTED, span, format!("{what} not supported by this compiler"), help);
    }

    /// Something erroneous was left out: there must be a message, at the latest at the end.
    pub(crate) fn poison(&mut self, span: Span) {
        if self.trials == 0 && !self.unreached && self.poisoned.is_none() {
            self.poisoned = Some(span);
        }
    }

    /// Of the errors that a substitution had, those that no argument is to blame for are reported: whether there is one.
    pub(crate) fn tell_of_no_argument(&mut self, messages: &[Diagnostic]) -> bool {
        // What is not known to this compiler might fit.
        let no_argument = |one: &&Diagnostic| matches!(one.code, QUALIFIED | UNSUPPORTED);
        let Some(one) = messages.iter().find(no_argument) else { return false };
        if !self.unreached && !self.deferred.iter().any(|told| told.span == one.span) {
            self.deferred.push(one.clone());
        }
        true
    }

    /// Whether a place is in one of the compiler's own files.
    pub(crate) fn ours(&self, span: Span) -> bool {
        self.sources.position(span.lo).is_some_and(|place| place.file.ours)
    }

    /// Notes that what is checked now asks for an instance. What a signature of the library names, the call asks for.
    pub(crate) fn request(&mut self, name: Rc<str>, span: Span) -> RequestId {
        let span = self.calling.filter(|_| self.ours(span)).unwrap_or(span);
        self.requests.push(Request { name, span, from: self.requested });
        self.requests.len() as RequestId
    }

    /// Changes which request is answered; the one before.
    pub(crate) fn answer(&mut self, id: RequestId) -> RequestId {
        std::mem::replace(&mut self.requested, id)
    }

    /// The innermost request that the source itself made for what is checked now.
    fn made_for(&self) -> Option<&Request> {
        let mut id = self.requested;
        loop {
            let one = self.requests.get((id as usize).checked_sub(1)?)?;
            if !self.ours(one.span) {
                return Some(one);
            }
            id = one.from;
        }
    }

    /// An error with the place that its instance was made for: of the library's text no one wrote a word, so it is there.
    pub(crate) fn placed(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if diagnostic.severity != Severity::Error {
            return diagnostic;
        }
        let Some(request) = self.made_for() else { return diagnostic };
        if !self.ours(diagnostic.span) {
            // A name is unknown, or lacks a word, whatever an instance is made for.
            let unknown = matches!(diagnostic.code, "name" | "typename" | QUALIFIED);
            let words = format!("in the instantiation of `{}` requested here", request.name);
            return if unknown { diagnostic } else { diagnostic.related(request.span, words) };
        }
        let inner = std::mem::replace(&mut diagnostic.span, request.span);
        diagnostic.label = String::new();
        diagnostic.related.retain(|(place, _)| !self.ours(*place));
        diagnostic.related(inner, "found here, in the library")
    }
}
