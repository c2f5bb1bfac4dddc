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

pub(crate) use program::reach::reached;

use std::rc::Rc;

use crate::ast::Symbol;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hir::{Function, FunctionId, Label, Local, LocalId, Program, Type, TypeKind};
use crate::parse::Tree;
use crate::source::{Sources, Span};

use context::body::Body;
use context::classes::Classes;
use context::declarations::Declarations;
use context::frame::Frame;
use context::instances::Instances;
use context::launches::Launches;
use context::messages::Messages;
use context::output::Output;
use context::recursion::Recursion;
use context::scopes::Scopes;
use context::templates::Templates;
use names::entity::{Scope, ScopeId, ScopeKind};

/// Greatest depth of templates that instantiate templates.
const DEPTH: u32 = 200;
/// Code of what is C++ and not known to this compiler.
const UNSUPPORTED: &str = "unsupported";
/// Greatest number of instances of templates.
const INSTANCES: usize = 20_000;
/// Greatest number of errors told; more help nobody.
const ERRORS: usize = 30;
/// Greatest number of messages kept, warnings among them.
const WARNINGS: usize = 2_000;

/// Checks a translation unit. There is no program where there are errors.
pub(crate) fn check(tree: &Tree, sources: &Sources, sink: &mut Diagnostics) -> Option<Program> {
    let mut checker = Checker::new(tree, sources, sink);
    checker.unit();
    checker.finish()
}

/// State of the check.
pub(crate) struct Checker<'a> {
    tree: &'a Tree,
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

impl<'a> Checker<'a> {
    fn new(tree: &'a Tree, sources: &'a Sources, sink: &'a mut Diagnostics) -> Self {
        Self {
            tree,
            messages: Messages::new(sources, sink),
            program: Output::new(),
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

    /// Tells a diagnostic, once.
    /// Whether there are more errors than anybody is told of.
    fn has_enough_errors(&self) -> bool {
        self.messages.sink.errors() > 4 * ERRORS
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.messages.trials == 0 && (self.has_enough_errors() || self.messages.sink.list.len() > WARNINGS)
        {
            return;
        }
        // Nobody is taught by warnings of the library.
        if diagnostic.severity == crate::diagnostic::Severity::Warning && self.ours(diagnostic.span) {
            return;
        }
        // A name that is not found may be of a header that only the host has.
        let hosts = ["host", "name", "undefined", names::lookup::QUALIFIED, UNSUPPORTED];
        if self.messages.unreached && self.messages.trials == 0 && hosts.contains(&diagnostic.code) {
            return;
        }
        let diagnostic = self.placed(diagnostic);
        // Of one thing that is the host's, and of one class that keeps all to itself, one place is enough.
        let of = |one: &Diagnostic| match one.code {
            "host" => Some(one.message.clone()),
            "access" => one.message.split_once(": ").map(|(_, who)| who.to_owned()),
            _ => None,
        };
        let same = |one: &Diagnostic| {
            one.code == diagnostic.code && of(one).is_some_and(|what| of(&diagnostic) == Some(what))
        };
        // An instance's own mistake is the same whatever it was made for.
        let again = |one: &Diagnostic| {
            (one.code, one.span, &one.message) == (diagnostic.code, diagnostic.span, &diagnostic.message)
        };
        if !self.messages.sink.list.iter().any(|one| again(one) || same(one)) {
            self.messages.sink.push(diagnostic);
        }
    }

    /// Tells an error.
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Tells an error with what to write instead.
    fn error_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, span, message).help(help));
    }

    /// Refuses a construct that C++ has and this compiler has not.
    fn refuse(&mut self, span: Span, what: &str, help: &str) {
        self.error_help(UNSUPPORTED, span, format!("{what} not supported by this compiler"), help);
    }

    /// Something erroneous was left out: there must be a message, at the latest at the end.
    fn poison(&mut self, span: Span) {
        if self.messages.trials == 0 && !self.messages.unreached && self.messages.poisoned.is_none() {
            self.messages.poisoned = Some(span);
        }
    }

    /// Runs a substitution whose failure is no error: `None`, with all messages dropped, where it fails.
    fn trial<T>(&mut self, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (found, messages) = self.tried(run);
        messages.is_empty().then_some(found).flatten()
    }

    /// Of the errors that a substitution had, those that no argument is to blame for are told: whether there is one.
    fn tell_of_no_argument(&mut self, messages: &[Diagnostic]) -> bool {
        // What is not known to this compiler might fit.
        let no_argument = |one: &&Diagnostic| matches!(one.code, names::lookup::QUALIFIED | UNSUPPORTED);
        let Some(one) = messages.iter().find(no_argument) else { return false };
        if !self.messages.unreached && !self.messages.deferred.iter().any(|told| told.span == one.span) {
            self.messages.deferred.push(one.clone());
        }
        true
    }

    /// The same with the errors that it had.
    fn tried<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let before = std::mem::take(&mut self.messages.sink.list);
        self.messages.trials += 1;
        let found = run(self);
        self.messages.trials -= 1;
        let mut messages = std::mem::replace(&mut self.messages.sink.list, before);
        messages.retain(|one| one.severity == crate::diagnostic::Severity::Error);
        (found, messages)
    }

    /// Whether going deeper is allowed; tells where it is not. Pairs with [`Self::leave`].
    pub(crate) fn enter(&mut self, span: Span) -> bool {
        let allowed = self.recursion.enter();
        if !allowed {
            self.error("nesting", span, "this is nested too deeply");
        }
        allowed
    }

    pub(crate) fn leave(&mut self) {
        self.recursion.leave();
    }

    /// Checks everything.
    fn unit(&mut self) {
        self.predeclare();
        for one in &self.messages.sink.list {
            self.messages.told_names.insert((0, Symbol::from(self.messages.sources.text(one.span))));
        }
        let unit = Rc::clone(&self.tree.unit);
        self.declare_all(&unit.declarations);
        self.check_roots();
        self.instantiate_launched();
        self.drain();
        self.tell_deleted();
        self.check_unreached();
        self.check_repeated_types();
        self.list_host_functions();
        if let Some(span) = self
            .messages
            .unexplained
            .filter(|_| !self.messages.sink.failed() && self.messages.deferred.is_empty())
        {
            self.error("call", span, "the types in this call are invalid");
        }
    }

    /// Types that have names without any header, as in NVRTC.
    fn predeclare(&mut self) {
        let all = [
            ("size_t", self.program.basic.ulong),
            ("ptrdiff_t", self.program.basic.long),
            ("nullptr_t", self.program.basic.null),
            ("clock_t", self.program.basic.long),
        ];
        for (name, ty) in all {
            self.enter_in(ScopeId(0), Symbol::from(name), names::entity::Entity::Type(ty), Span::default());
        }
    }

    /// Checks the bodies that wait.
    fn drain(&mut self) {
        while let Some(id) = self.instances.waiting.pop_front() {
            self.body_of(id);
            if self.messages.sink.errors() > 2 * ERRORS {
                return;
            }
        }
    }

    fn finish(mut self) -> Option<Program> {
        let deferred = std::mem::take(&mut self.messages.deferred);
        for one in deferred {
            self.report(one);
        }
        if !self.messages.sink.failed()
            && let Some(span) = self.messages.poisoned
        {
            self.error("unsupported", span, "this could not be compiled");
        }
        if self.messages.sink.failed() {
            return None;
        }
        self.keep_constants();
        self.keep_reached();
        if self.messages.sink.failed() {
            return None;
        }
        self.see_what_travels();
        Some(self.program.program)
    }

    /// Finds out which records that functions take and return are their bytes and nothing else.
    fn see_what_travels(&mut self) {
        let mut travel: Vec<Type> = vec![];
        for function in self.program.program.functions.iter().filter(|function| !function.kernel) {
            travel.push(function.result);
            travel.extend(
                function.params.iter().filter_map(|id| function.locals.get(id.index())).map(|one| one.ty),
            );
        }
        for ty in travel {
            if let TypeKind::Record(record) = self.kind(ty)
                && !self.program.program.records[record.index()].bytes_alone
            {
                self.program.program.records[record.index()].bytes_alone =
                    self.trivial_copy(ty) && self.trivially_ended(ty);
            }
        }
    }

    fn new_scope(&mut self, parent: ScopeId, kind: ScopeKind) -> ScopeId {
        self.scopes.all.push(Scope {
            parent: Some(parent),
            kind,
            name: None,
            names: names::table::Names::default(),
            using: vec![],
            inline: false,
            head: None,
        });
        ScopeId(self.scopes.all.len() as u32 - 1)
    }

    /// Runs with names looked up in another scope.
    fn within<T>(&mut self, scope: ScopeId, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.scopes.current, scope);
        let found = run(self);
        self.scopes.current = before;
        found
    }

    /// Runs where a declaration stands: in its scope, with what comes before it visible.
    fn at<T>(&mut self, scope: ScopeId, order: u32, run: impl FnOnce(&mut Self) -> T) -> T {
        let before =
            (self.scopes.current, self.scopes.horizon, self.scopes.order, self.body.expansion.take());
        (self.scopes.current, self.scopes.horizon, self.scopes.order) = (scope, order, order);
        let found = run(self);
        (self.scopes.current, self.scopes.horizon, self.scopes.order, self.body.expansion) = before;
        found
    }

    /// Runs with a frame of its own, for what stands outside of functions; in it nothing is executed.
    fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.body.frames += 1;
        let frame = Frame { uid: self.body.frames, constant: true, ..Frame::default() };
        let before = std::mem::replace(&mut self.frame, frame);
        let found = run(self);
        self.frame = before;
        found
    }

    /// New automatic variable or temporary.
    fn local(&mut self, name: Rc<str>, ty: Type, span: Span) -> LocalId {
        let align = self.align_of(ty);
        self.frame.locals.push(Local { name, ty, align, restrict: false, grid_constant: false, span });
        LocalId(self.frame.locals.len() as u32 - 1)
    }

    fn label(&mut self) -> Label {
        self.frame.labels += 1;
        Label(self.frame.labels - 1)
    }

    /// Function of the program.
    fn function_mut(&mut self, id: FunctionId) -> &mut Function {
        &mut self.program.program.functions[id.index()]
    }

    /// Whether a place is in one of the compiler's own files.
    fn ours(&self, span: Span) -> bool {
        self.messages.sources.position(span.lo).is_some_and(|place| place.file.ours)
    }
}
