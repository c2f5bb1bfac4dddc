//! Warnings that teach.
//!
//! Enters: the checked tree, and kernels in the intermediate representation after the first passes, in which variables are values and
//! calls are inlined. Leaves: warnings about what compiles but likely does not do what was meant, each with a code, what it
//! means and what to write. One that can be wrong is not given. This module must never change a program.

mod affine;
mod barrier;
mod divergence;
mod flow;
mod habits;
mod restricted;
mod returns;
mod shared;
#[cfg(test)]
mod tests;
mod tree;

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hash::Set;
use crate::hir::Program;
use crate::ir::{DebugLocation, Function, Global, GlobalId};
use crate::link;
use crate::source::{Sources, Span};

/// Collects the warnings of a compilation.
pub(crate) struct Teacher<'a> {
    sources: &'a Sources,
    /// Warnings, each once.
    found: Vec<Diagnostic>,
    told: Set<(&'static str, u32, u32)>,
    /// Names of variables as written, by the number of their globals.
    names: Vec<Rc<str>>,
    /// Kernels that some threads may leave early: their places, and their symbols before units are linked.
    leaving: Set<(u32, String)>,
    /// Where the functions that are compiled stand.
    bodies: Vec<Span>,
}

impl<'a> Teacher<'a> {
    /// One that has found nothing yet.
    pub(crate) fn new(sources: &'a Sources) -> Self {
        Self {
            sources,
            found: vec![],
            told: Set::default(),
            names: vec![],
            leaving: Set::default(),
            bodies: vec![],
        }
    }

    /// Names of variables as written, by the numbers of the globals that kernels will name.
    pub(crate) fn set_names(&mut self, names: Vec<Rc<str>>) {
        self.names = names;
    }

    /// Files that places lie in.
    pub(crate) fn sources(&self) -> &'a Sources {
        self.sources
    }

    /// Looks at the checked tree of a unit.
    pub(crate) fn tree(&mut self, program: &Program) {
        let kernels = program.functions.iter().filter(|function| function.kernel);
        let leaving = kernels.filter(|function| tree::leaves(function));
        self.leaving.extend(leaving.map(|function| (function.span.lo, function.symbol.clone())));
        self.bodies.extend(program.functions.iter().map(|function| function.span.to(function.end)));
        tree::look(self, program);
        returns::look(self, program);
        flow::look(self, program);
        habits::look(self, program);
        restricted::look(self, program);
    }

    /// Looks at a kernel whose calls are inlined and whose variables are values: what [`crate::passes::optimize_watched`] shows.
    pub(crate) fn kernel(&mut self, globals: &[Global], function: &Function) {
        if !function.kernel || function.blocks.is_empty() {
            return;
        }
        let symbol = link::written_name(&function.name).to_owned();
        let leaving = (function.span.lo, symbol);
        let divergence = divergence::Divergence::new(function, self.leaving.contains(&leaving));
        barrier::look(self, function, &divergence);
        shared::look(self, globals, function, &divergence);
    }

    /// Reports what was found, in the order of the source. What the preprocessor says of a time matters where a kernel uses it.
    pub(crate) fn tell(mut self, sink: &mut Diagnostics) {
        let within = |body: &Span, place: Span| body.lo <= place.lo && place.lo < body.hi;
        sink.list
            .retain(|one| one.code != "fixed-time" || self.bodies.iter().any(|body| within(body, one.span)));
        crate::sort::by_key(&mut self.found, |warning| (warning.span.lo, warning.span.hi));
        sink.list.append(&mut self.found);
    }

    /// Name of a variable as written.
    fn name(&self, globals: &[Global], id: GlobalId) -> String {
        match (self.names.get(id.index()), globals.get(id.index())) {
            (Some(name), _) => name.to_string(),
            (None, Some(global)) => global.name.clone(),
            (None, None) => String::new(),
        }
    }

    /// Whether a place is in a file of the reader's.
    fn readers(&self, span: Span) -> bool {
        self.sources.position(span.lo).is_none_or(|position| !position.file.ours)
    }

    /// Text around a place: before it in its file, and after it.
    fn around(&self, span: Span) -> Option<(&str, &str)> {
        let place = self.sources.position(span.lo)?;
        let text = &place.file.text;
        let before = text.get(..(span.lo - place.file.start) as usize)?;
        Some((before, text.get((span.hi - place.file.start) as usize..)?))
    }

    /// The place of an instruction in the reader's files: where it is, or the call that brought it in.
    fn place(&self, function: &Function, mut place: DebugLocation) -> Option<Span> {
        for _ in 0..64 {
            if self.readers(place.span) {
                return Some(place.span);
            }
            let call = place.inlined.checked_sub(1)?;
            place = function.inlined.get(call as usize)?.call;
        }
        None
    }

    /// Adds a warning, once for each place and code.
    fn warn(&mut self, warning: Diagnostic) {
        if self.readers(warning.span) && self.told.insert((warning.code, warning.span.lo, warning.span.hi)) {
            self.found.push(warning);
        }
    }
}
