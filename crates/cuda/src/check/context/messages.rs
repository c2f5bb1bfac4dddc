//! Messages: where they go, which are left out, and what an instance that has one was asked for by.
//!
//! Enters: diagnostics as the checker finds them. Leaves: those that are shown, each once. This module must never know how
//! anything is found.

use std::rc::Rc;

use crate::ast::Symbol;
use crate::check::templates;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hash::{Map, Set};
use crate::source::{Sources, Span};

/// Diagnostics so far, and what decides which of them are kept.
pub(crate) struct Messages<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) sink: &'a mut Diagnostics,
    /// Whether there are errors of syntax, from which others may follow.
    pub(crate) is_after_errors: bool,
    /// Whether a function is checked that the host alone calls, although it is the device's too.
    pub(crate) unreached: bool,
    /// Requests for instances so far.
    pub(crate) requests: Vec<templates::request::Request>,
    /// That which is answered now.
    pub(crate) requested: templates::request::RequestId,
    /// Call of which the function is looked for.
    pub(crate) calling: Option<Span>,
    /// Call that is none because of its function's declaration, with which something else must be wrong.
    pub(crate) unexplained: Option<Span>,
    /// Whether an error was found somewhere whose message may have been dropped.
    pub(crate) poisoned: Option<Span>,
    /// Trials of substitution around.
    pub(crate) trials: u32,
    /// Unknown names that were told, by the function body; 0 for those that errors of the parser name.
    pub(crate) told_names: Set<(u32, Symbol)>,
    /// What substitutions that may fail found wrong with what they needed.
    pub(crate) deferred: Vec<Diagnostic>,
    /// Why names of the host cannot be used.
    pub(crate) reasons: Map<Span, Rc<[Diagnostic]>>,
}

impl<'a> Messages<'a> {
    pub(crate) fn new(sources: &'a Sources, sink: &'a mut Diagnostics) -> Self {
        Self {
            sources,
            is_after_errors: sink.failed(),
            sink,
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
}
