//! Checker: from the tree as written to the typed tree, with everything resolved.
//!
//! Enters: the tree of a translation unit. Leaves: [`Program`], what its kernels reach; and messages. Declarations are
//! entered in scopes first; types, classes and bodies are looked at when something needs them, so that a header costs
//! what is used of it. Templates are instantiated by walking their trees again with names bound to arguments; there are
//! no dependent types. This module must never know how code is generated.

mod calls;
mod classes;
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

use crate::ast::{self, Symbol};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::evaluate::Object;
use crate::hash::{Map, Set};
use crate::hir::{
    Expr, Function, FunctionId, Label, Local, LocalId, Program, Stmt, Type, TypeKind, VariableId,
};
use crate::parse::Tree;
use crate::sorted::Sorted;
use crate::source::{Sources, Span};

use names::entity::{
    AliasDecl, Argument, Closure, DeclId, Definition, EnumInfo, FunctionDecl, Functor, GlobalDecl, Instance,
    RecordInfo, Scope, ScopeId, ScopeKind, Signature, TemplateDecl, TemplateId,
};
use types::kind::Basic;

/// Greatest depth of templates that instantiate templates.
const DEPTH: u32 = 200;
/// Code of what is C++ and not known to this compiler.
const UNSUPPORTED: &str = "unsupported";
/// Greatest depth of recursion through the checker.
const NESTING: u32 = 2000;
/// Greatest part of the stack that the checker takes, in bytes: templates recurse through all of it, and how much that takes
/// only the stack itself knows. WebAssembly has 1 MiB in all, tests have 2.
const STACK: usize = if cfg!(debug_assertions) { 1_300_000 } else { 600_000 };
/// Greatest number of instances of templates.
const INSTANCES: usize = 20_000;
/// Greatest number of errors told; more help nobody.
const ERRORS: usize = 30;
/// Greatest number of messages kept, warnings among them.
const WARNINGS: usize = 2_000;

/// About where the stack ends now.
fn stack_place() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// Checks a translation unit. There is no program where there are errors.
pub(crate) fn check(tree: &Tree, sources: &Sources, sink: &mut Diagnostics) -> Option<Program> {
    let mut checker = Checker::new(tree, sources, sink);
    checker.unit();
    checker.finish()
}

/// Function body that is being checked, or what stands for one outside of functions.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// Number of the body: unique.
    uid: u32,
    /// Variables.
    locals: Vec<Local>,
    /// Labels given out.
    labels: u32,
    /// `this`: the variable, and the type of `*this`.
    this: Option<(LocalId, Type)>,
    /// What the function returns, `None` before the first `return` says so.
    result: Option<Type>,
    /// Whether the result is found out from `return`, and may become a reference (`decltype(auto)`, `auto &`).
    deduced: bool,
    /// Whether a `return` that should say the result is erroneous.
    broken: bool,
    /// What `break` leaves.
    breaks: Vec<Label>,
    /// What `continue` continues.
    continues: Vec<Label>,
    /// Switches around.
    switches: Vec<Switch>,
    /// Named labels: number, where defined, where used first.
    named: Sorted<Symbol, (Label, Option<Span>, Option<Span>)>,
    /// Variables whose classes have destructors, with the statements that end them.
    ends: Vec<(LocalId, Vec<Stmt>)>,
    /// Contents of constants.
    known: Sorted<LocalId, Object>,
    /// Lambda whose body this is.
    closure: Option<Rc<Closure>>,
    /// Function whose body this is.
    function: Option<FunctionId>,
    /// Parameters that are written as arrays, and are pointers.
    array_params: Vec<LocalId>,
    /// Whether nothing of this is executed (`sizeof`, `decltype`).
    unevaluated: bool,
    /// Whether it is a constant expression outside of functions.
    constant: bool,
}

/// Switch around the statement that is being checked.
#[derive(Debug)]
pub(crate) struct Switch {
    /// Type of its condition, promoted; none where it can have none.
    ty: Option<Type>,
    /// Values so far.
    cases: Vec<(i128, i128, Label)>,
    /// Where each stands.
    spans: Vec<Span>,
    /// Label of `default`.
    default: Option<(Label, Span)>,
}

/// State of the check.
pub(crate) struct Checker<'a> {
    tree: &'a Tree,
    sources: &'a Sources,
    sink: &'a mut Diagnostics,
    /// Whether there are errors of syntax, from which others may follow.
    is_after_errors: bool,
    /// Whether a function is checked that the host alone calls, although it is the device's too.
    unreached: bool,
    /// Requests for instances so far.
    requests: Vec<templates::request::Request>,
    /// That which is answered now.
    requested: templates::request::RequestId,
    /// Call of which the function is looked for.
    calling: Option<Span>,
    /// Call that is none because of its function's declaration, with which something else must be wrong.
    unexplained: Option<Span>,
    program: Program,
    basic: Basic,
    scopes: Vec<Scope>,
    decls: Vec<FunctionDecl>,
    globals: Vec<GlobalDecl>,
    aliases: Vec<AliasDecl>,
    templates: Vec<TemplateDecl>,
    records: Vec<RecordInfo>,
    enums: Vec<EnumInfo>,
    instances: Vec<Instance>,
    /// Whether some template of a class takes templates as arguments.
    takes_templates: bool,
    /// How many instances of templates were made.
    grown: usize,
    /// How many functions were tried for calls.
    tried_functions: usize,
    by_arguments: Map<(DeclId, Vec<Argument>), FunctionId>,
    signatures: Map<(DeclId, Vec<Argument>), Option<Rc<Signature>>>,
    strings: Map<Rc<[u8]>, VariableId>,
    waiting: std::collections::VecDeque<FunctionId>,
    outside: Vec<(crate::hir::RecordId, names::entity::Outside)>,
    frame: Frame,
    frames: u32,
    /// Scope in which names are looked up now.
    scope: ScopeId,
    /// Declarations after this one are not visible.
    horizon: u32,
    order: u32,
    /// Declarations of namespaces so far.
    counter: u32,
    /// Which element of packs is meant, within an expansion.
    expansion: Option<usize>,
    /// Depth of instantiations.
    depth: u32,
    /// Depth of recursion through the checker itself.
    nesting: u32,
    /// Where the stack was at the beginning.
    stack: usize,
    /// Whether an error was found somewhere whose message may have been dropped.
    poisoned: Option<Span>,
    /// Trials of substitution around.
    trials: u32,
    /// Lengths of arrays around: what is named there must be constant.
    lengths: u32,
    /// Constants of function bodies, for lambdas in them.
    constants: Map<(u32, LocalId), Rc<Expr>>,
    /// Number for names that no one writes.
    unique: u32,
    kernels: Vec<FunctionId>,
    /// Instances of host templates that launches were looked for in.
    host_instances: Vec<(DeclId, Vec<Argument>)>,
    /// Why no instance of a kernel fits a name that was looked at last.
    unfit: Option<String>,
    /// Names of instances that are asked for and cannot be made, with the reasons.
    unmade: Vec<Diagnostic>,
    /// Instances of class templates that host code has objects of.
    host_classes: Vec<crate::hir::RecordId>,
    /// Explicit instantiations, with their scopes and orders.
    explicit: Vec<(Rc<ast::Declaration>, ScopeId, u32)>,
    /// Classes whose objects stand for functions.
    functors: crate::sorted::Sorted<crate::hir::RecordId, Functor>,
    /// Functions whose bodies were wanted and that have none.
    undefined: Vec<(DeclId, FunctionId)>,
    /// Variables of the device that are declared and not defined.
    elsewhere: Vec<VariableId>,
    /// Unknown names that were told, by the function body; 0 for those that errors of the parser name.
    told_names: Set<(u32, Symbol)>,
    /// What `auto` was found to stand for last.
    found_auto: Option<Type>,
    /// Whether the list that comes next fills something that is named before it.
    direct: bool,
    /// Access of the members that are being declared.
    access: ast::Access,
    /// Methods and constructors that are private or protected.
    hidden_functions: Map<DeclId, ast::Access>,
    /// Why names of the host cannot be used.
    reasons: Map<Span, Rc<[Diagnostic]>>,
    /// Classes and enumerations by their place in the tree and their scope.
    embedded: Map<(usize, ScopeId), Type>,
    /// Deduction guides.
    /// What substitutions that may fail found wrong with what they needed.
    deferred: Vec<Diagnostic>,
    /// What `auto` stands for.
    auto: Option<Type>,
    /// Types that stand for any, to compare templates.
    marker_types: Vec<Type>,
    /// Fields that may change in `const` objects.
    mutable_fields: Set<(crate::hir::RecordId, u32)>,
    /// Variables whose contents are constants.
    constant_variables: Set<VariableId>,
    /// Variables in the device's memory.
    device_variables: Set<VariableId>,
    /// `extern __shared__` variables.
    external: Map<(Rc<str>, Type), VariableId>,
    /// Captures of lambdas that are being made.
    captured: Vec<Vec<(u32, LocalId, u32, bool)>>,
    /// Symbols given out.
    symbols: Set<String>,
    guides: Vec<(Rc<ast::Function>, Option<Rc<ast::Template>>, ScopeId)>,
    /// Functions of namespaces.
    roots: Vec<DeclId>,
    /// Definitions of templates that were declared before.
    redeclared: Map<TemplateId, (Rc<ast::Template>, u32)>,
    /// Later declarations of class templates that have defaults, with their [order](names::entity::Entry::order).
    defaulted: Map<TemplateId, (Rc<ast::Template>, u32)>,
    /// Explicit specialisations of functions.
    specialised: Vec<(Definition, ScopeId)>,
    /// Explicit specialisations of methods that are the host's.
    host_specialised: Vec<Definition>,
    /// Names of two types in a scope, to be the same one.
    repeated_types: Vec<(ScopeId, Symbol)>,
    /// Default arguments that are being written out, against circles.
    defaults: u32,
}

impl<'a> Checker<'a> {
    fn new(tree: &'a Tree, sources: &'a Sources, sink: &'a mut Diagnostics) -> Self {
        let mut program = Program::default();
        let basic = Basic::new(&mut program.types);
        Self {
            tree,
            sources,
            is_after_errors: sink.failed(),
            unreached: false,
            requests: vec![],
            requested: 0,
            calling: None,
            unexplained: None,
            sink,
            program,
            basic,
            scopes: vec![Scope::root()],
            decls: vec![],
            globals: vec![],
            aliases: vec![],
            templates: vec![],
            records: vec![],
            enums: vec![],
            instances: vec![],
            takes_templates: false,
            grown: 0,
            tried_functions: 0,
            by_arguments: Map::default(),
            signatures: Map::default(),
            strings: Map::default(),
            waiting: std::collections::VecDeque::new(),
            outside: vec![],
            frame: Frame::default(),
            frames: 0,
            scope: ScopeId(0),
            horizon: u32::MAX,
            order: 0,
            counter: 0,
            expansion: None,
            depth: 0,
            nesting: 0,
            stack: stack_place(),
            poisoned: None,
            trials: 0,
            lengths: 0,
            constants: Map::default(),
            unique: 0,
            kernels: vec![],
            host_instances: vec![],
            unfit: None,
            unmade: vec![],
            host_classes: vec![],
            explicit: vec![],
            functors: crate::sorted::Sorted::default(),
            undefined: vec![],
            elsewhere: vec![],
            told_names: Set::default(),
            found_auto: None,
            direct: false,
            access: ast::Access::Public,
            hidden_functions: Map::default(),
            reasons: Map::default(),
            embedded: Map::default(),
            deferred: vec![],
            auto: None,
            marker_types: vec![],
            mutable_fields: Default::default(),
            constant_variables: Default::default(),
            device_variables: Default::default(),
            external: Map::default(),
            captured: vec![],
            symbols: Default::default(),
            guides: vec![],
            roots: vec![],
            redeclared: Map::default(),
            defaulted: Map::default(),
            specialised: vec![],
            host_specialised: vec![],
            repeated_types: vec![],
            defaults: 0,
        }
    }

    /// Tells a diagnostic, once.
    /// Whether there are more errors than anybody is told of.
    fn has_enough_errors(&self) -> bool {
        self.sink.errors() > 4 * ERRORS
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.trials == 0 && (self.has_enough_errors() || self.sink.list.len() > WARNINGS) {
            return;
        }
        // Nobody is taught by warnings of the library.
        if diagnostic.severity == crate::diagnostic::Severity::Warning && self.ours(diagnostic.span) {
            return;
        }
        // A name that is not found may be of a header that only the host has.
        let hosts = ["host", "name", "undefined", names::lookup::QUALIFIED, UNSUPPORTED];
        if self.unreached && self.trials == 0 && hosts.contains(&diagnostic.code) {
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
        if !self.sink.list.iter().any(|one| again(one) || same(one)) {
            self.sink.push(diagnostic);
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
        if self.trials == 0 && !self.unreached && self.poisoned.is_none() {
            self.poisoned = Some(span);
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
        if !self.unreached && !self.deferred.iter().any(|told| told.span == one.span) {
            self.deferred.push(one.clone());
        }
        true
    }

    /// The same with the errors that it had.
    fn tried<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let before = std::mem::take(&mut self.sink.list);
        self.trials += 1;
        let found = run(self);
        self.trials -= 1;
        let mut messages = std::mem::replace(&mut self.sink.list, before);
        messages.retain(|one| one.severity == crate::diagnostic::Severity::Error);
        (found, messages)
    }

    /// Whether going deeper is allowed; tells where it is not. Pairs with [`Self::leave`].
    fn enter(&mut self, span: Span) -> bool {
        self.nesting += 1;
        if self.nesting > NESTING || stack_place().abs_diff(self.stack) > STACK {
            self.error("nesting", span, "this is nested too deeply");
            return false;
        }
        true
    }

    fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// Checks everything.
    fn unit(&mut self) {
        self.predeclare();
        for one in &self.sink.list {
            self.told_names.insert((0, Symbol::from(self.sources.text(one.span))));
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
        if let Some(span) = self.unexplained.filter(|_| !self.sink.failed() && self.deferred.is_empty()) {
            self.error("call", span, "the types in this call are invalid");
        }
    }

    /// Types that have names without any header, as in NVRTC.
    fn predeclare(&mut self) {
        let all = [
            ("size_t", self.basic.ulong),
            ("ptrdiff_t", self.basic.long),
            ("nullptr_t", self.basic.null),
            ("clock_t", self.basic.long),
        ];
        for (name, ty) in all {
            self.enter_in(ScopeId(0), Symbol::from(name), names::entity::Entity::Type(ty), Span::default());
        }
    }

    /// Checks the bodies that wait.
    fn drain(&mut self) {
        while let Some(id) = self.waiting.pop_front() {
            self.body_of(id);
            if self.sink.errors() > 2 * ERRORS {
                return;
            }
        }
    }

    fn finish(mut self) -> Option<Program> {
        let deferred = std::mem::take(&mut self.deferred);
        for one in deferred {
            self.report(one);
        }
        if !self.sink.failed()
            && let Some(span) = self.poisoned
        {
            self.error("unsupported", span, "this could not be compiled");
        }
        if self.sink.failed() {
            return None;
        }
        self.keep_constants();
        self.keep_reached();
        if self.sink.failed() {
            return None;
        }
        self.see_what_travels();
        Some(self.program)
    }

    /// Finds out which records that functions take and return are their bytes and nothing else.
    fn see_what_travels(&mut self) {
        let mut travel: Vec<Type> = vec![];
        for function in self.program.functions.iter().filter(|function| !function.kernel) {
            travel.push(function.result);
            travel.extend(
                function.params.iter().filter_map(|id| function.locals.get(id.index())).map(|one| one.ty),
            );
        }
        for ty in travel {
            if let TypeKind::Record(record) = self.kind(ty)
                && !self.program.records[record.index()].bytes_alone
            {
                self.program.records[record.index()].bytes_alone =
                    self.trivial_copy(ty) && self.trivially_ended(ty);
            }
        }
    }

    fn new_scope(&mut self, parent: ScopeId, kind: ScopeKind) -> ScopeId {
        self.scopes.push(Scope {
            parent: Some(parent),
            kind,
            name: None,
            names: names::table::Names::default(),
            using: vec![],
            inline: false,
            head: None,
        });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Runs with names looked up in another scope.
    fn within<T>(&mut self, scope: ScopeId, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.scope, scope);
        let found = run(self);
        self.scope = before;
        found
    }

    /// Runs where a declaration stands: in its scope, with what comes before it visible.
    fn at<T>(&mut self, scope: ScopeId, order: u32, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.scope, self.horizon, self.order, self.expansion.take());
        (self.scope, self.horizon, self.order) = (scope, order, order);
        let found = run(self);
        (self.scope, self.horizon, self.order, self.expansion) = before;
        found
    }

    /// Runs with a frame of its own, for what stands outside of functions; in it nothing is executed.
    fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.frames += 1;
        let frame = Frame { uid: self.frames, constant: true, ..Frame::default() };
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
        &mut self.program.functions[id.index()]
    }

    /// Whether a place is in one of the compiler's own files.
    fn ours(&self, span: Span) -> bool {
        self.sources.position(span.lo).is_some_and(|place| place.file.ours)
    }
}
