//! Checker: from the tree as written to the typed tree, with everything resolved.
//!
//! Enters: the tree of a translation unit. Leaves: [`Program`], what its kernels reach; and messages. Declarations are
//! entered in scopes first; types, classes and bodies are looked at when something needs them, so that a header costs
//! what is used of it. Templates are instantiated by walking their trees again with names bound to arguments; there are
//! no dependent types. This module must never know how code is generated.

mod calls;
mod classes;
mod context;
mod declarations;
mod expressions;
mod initialisation;
mod names;
mod program;
mod statements;
mod templates;
mod types;

#[cfg(test)]
mod standard;
#[cfg(test)]
mod tests;

pub(crate) use program::host::START;
#[cfg(feature = "host")]
pub(crate) use program::host::no_main;
pub(crate) use program::reach::reached;

use std::rc::Rc;

use crate::ast::Symbol;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hir::{Function, FunctionId, Local, LocalId, Program, Type, TypeKind};
use crate::parse::Tree;
use crate::side::{Side, Unit};
use crate::source::{Sources, Span};

use context::body::Body;
use context::classes::Classes;
use context::declarations::Declarations;
use context::frame::Frame;
use context::instances::Instances;
use context::launches::Launches;
use context::messages::{Messages, RequestId};
use context::output::Output;
use context::recursion::Recursion;
use context::scopes::Scopes;
use context::templates::Templates;
use names::entity::ScopeId;

/// Greatest depth of templates that instantiate templates.
const DEPTH: u32 = 200;
/// Code of errors of names in namespaces, and of types: no template's argument makes these known.
const QUALIFIED: &str = "qualified-name";
/// Code of what is C++ and not known to this compiler.
const UNSUPPORTED: &str = "unsupported";
/// Greatest number of instances of templates.
const INSTANCES: usize = 20_000;

/// Checks a translation unit. There is no program where there are errors.
pub(crate) fn check(
    tree: &Tree,
    unit: impl Into<Unit>,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<Program> {
    let mut checker = Checker::new(tree, unit.into(), sources, sink);
    checker.unit();
    checker.finish()
}

/// State of the check.
pub(crate) struct Checker<'a> {
    tree: &'a Tree,
    unit: Unit,
    side: Side,
    messages: Messages<'a>,
    program: Output,
    scopes: Scopes,
    declarations: Declarations,
    templates: Templates,
    classes: Classes,
    instances: Instances,
    launches: Launches,
    body: Body,
    recursion: Recursion,
    frame: Frame,
}

impl Output {
    /// Function of the program.
    fn function_mut(&mut self, id: FunctionId) -> &mut Function {
        &mut self[id]
    }
}

impl<'a> Checker<'a> {
    fn new(tree: &'a Tree, unit: Unit, sources: &'a Sources, sink: &'a mut Diagnostics) -> Self {
        Self {
            tree,
            unit,
            side: unit.side,
            messages: Messages::new(sources, sink),
            program: Output::new(unit.side),
            scopes: Scopes::new(),
            declarations: Declarations::new(),
            templates: Templates::new(),
            classes: Classes::new(),
            instances: Instances::new(),
            launches: Launches::new(),
            body: Body::new(),
            recursion: Recursion::new(),
            frame: Frame::default(),
        }
    }

    /// Runs a substitution whose failure is no error: `None`, with all messages dropped, where it fails.
    fn trial<T>(&mut self, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (found, messages) = self.tried(run);
        messages.is_empty().then_some(found).flatten()
    }

    /// The same with the errors that it had.
    fn tried<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let before = self.messages.begin_trial();
        let found = run(self);
        let messages = self.messages.end_trial(before);
        (found, messages)
    }

    /// Whether going deeper is allowed; reports where it is not. Pairs with [`Self::leave`].
    pub(crate) fn enter(&mut self, span: Span) -> bool {
        let allowed = self.recursion.enter();
        if !allowed {
            self.messages.error("nesting", span, "this is nested too deeply");
        }
        allowed
    }

    pub(crate) fn leave(&mut self) {
        self.recursion.leave();
    }

    /// Checks everything.
    fn unit(&mut self) {
        self.predeclare();
        self.messages.note_names_of_errors();
        let unit = Rc::clone(&self.tree.unit);
        self.declare_all(&unit.declarations);
        match self.side.is_host() {
            false => {
                self.check_roots();
                self.instantiate_launched();
                self.check_exported();
                self.drain();
                self.tell_deleted();
                self.check_unreached();
            }
            true => {
                self.check_variables();
                self.check_host();
                self.check_exported();
                self.drain();
                self.tell_deleted();
                self.finish_host();
            }
        }
        self.check_repeated_types();
        self.declarations.list_host_functions(&mut self.program, &self.messages);
        self.messages.explain();
    }

    /// Types that have names without any header, as in NVRTC.
    fn predeclare(&mut self) {
        let all = [
            ("size_t", self.program.basic().ulong),
            ("ptrdiff_t", self.program.basic().long),
            ("nullptr_t", self.program.basic().null),
            ("clock_t", self.program.basic().long),
        ];
        for (name, ty) in all {
            self.enter_in(ScopeId(0), Symbol::from(name), names::entity::Entity::Type(ty), Span::default());
        }
    }

    /// Checks the bodies that wait.
    fn drain(&mut self) {
        while let Some(id) = self.instances.next_waiting() {
            self.body_of(id);
            if self.messages.should_stop() {
                return;
            }
        }
    }

    fn finish(mut self) -> Option<Program> {
        #[cfg(feature = "host")]
        if self.side.is_host() {
            self.check_variables_of_device();
        }
        self.messages.finish();
        if self.messages.failed() {
            return None;
        }
        self.keep_constants();
        self.keep_reached();
        if self.messages.failed() {
            return None;
        }
        self.see_what_travels();
        self.program.find_thrown();
        self.program.set_linked(self.unit.exports());
        Some(self.program.finish())
    }

    /// Finds out which records that functions take and return are their bytes and nothing else.
    fn see_what_travels(&mut self) {
        let mut travel: Vec<Type> = vec![];
        for function in self.program.functions().iter().filter(|function| !function.kernel) {
            travel.push(function.result);
            travel.extend(
                function.params.iter().filter_map(|id| function.locals.get(id.index())).map(|one| one.ty),
            );
        }
        for ty in travel {
            if let TypeKind::Record(record) = self.program.kind(ty)
                && !self.program[record].bytes_alone
            {
                self.program[record].bytes_alone = self.trivial_copy(ty) && self.trivially_ended(ty);
            }
        }
    }

    /// Runs what a request asked for.
    pub(crate) fn for_request<T>(&mut self, id: RequestId, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.messages.answer(id);
        let found = run(self);
        self.messages.answer(before);
        found
    }

    /// Runs with names looked up in another scope.
    fn within<T>(&mut self, scope: ScopeId, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scopes.move_to(scope);
        let found = run(self);
        self.scopes.move_to(before);
        found
    }

    /// Runs where a declaration is: in its scope, with what comes before it visible.
    fn at<T>(&mut self, scope: ScopeId, order: u32, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.scopes.place(), self.body.replace_expansion(None));
        self.scopes.set_place((scope, order, order));
        let found = run(self);
        self.scopes.set_place(before.0);
        self.body.replace_expansion(before.1);
        found
    }

    /// Runs with a frame of its own, for what is outside of functions; in it nothing is executed.
    fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let uid = self.body.next_frame();
        let frame = Frame::of_constant(uid);
        let before = std::mem::replace(&mut self.frame, frame);
        let found = run(self);
        self.frame = before;
        found
    }

    /// New automatic variable or temporary.
    fn local(&mut self, name: Rc<str>, ty: Type, span: Span) -> LocalId {
        let align = self.align_of(ty);
        self.frame.add_local(Local { name, ty, align, restrict: false, grid_constant: false, span })
    }
}
