//! What the host's side is made of: `main`, what starts variables before it, and functions that the runtime has.
//!
//! Enters: declarations. Leaves: `main` and what it reaches, and a function that starts variables whose first values are computed, in
//! the order in which they are defined. This module must never know bodies.

use std::rc::Rc;

use crate::ast::FunctionBody;
use crate::check::Checker;
use crate::check::context::output::THROWN;
use crate::check::expressions::operand::number;
use crate::check::names::entity::{DeclId, Entity, GlobalId, Instance, Progress, ScopeId, Signature};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;
use crate::diagnostic::Diagnostic;
use crate::hir::{
    Expr, ExprKind, Function, FunctionId, Init, Local, LocalId, Place, PlaceKind, Stmt, StmtKind, Type,
    Variable, VariableId,
};
use crate::ir::{Bounds, Inline, Linkage, Space};
use crate::source::Span;

/// Function that starts variables.
pub(crate) const START: &str = "__start";

/// The message that a program has no `main`.
pub(crate) fn no_main(several: bool) -> Diagnostic {
    let (message, help) = match several {
        false => (
            "undefined reference to `main`: a program begins with it",
            "write `int main() { … }`, which allocates memory, launches the kernels and looks at the results; if another file has it, name that file too",
        ),
        true => (
            "undefined reference to `main`: none of the files defines it, and a program begins with it",
            "name the file that has `main`, too",
        ),
    };
    Diagnostic::error("main", Span::NOWHERE, message).help(help)
}

impl Checker<'_> {
    /// Has the variable in which the library keeps what was thrown, where other units may throw.
    fn expect_thrown(&mut self) {
        let before = self.scopes.replace_horizon(u32::MAX);
        let found = self.within(ScopeId(0), |this| this.find(THROWN, Want::Any, Span::default()));
        self.scopes.replace_horizon(before);
        if let Some(Entity::Global(id)) = found {
            self.global_variable(id, Span::default());
        }
    }

    /// Checks `main`, and the variables whose first values may have effects.
    pub(crate) fn check_host(&mut self) {
        if self.unit.exports() {
            self.expect_thrown();
        }
        self.check_host_variables();
        let main = self.find_main();
        let Some(decl) = main else {
            if !self.unit.is_program() {
                self.messages.report(no_main(false));
            }
            return;
        };
        let Some(signature) = self.signature(decl, &[]) else { return };
        let span = self.declarations[decl].ast.name.span;
        let Some(id) = self.instance(decl, &[], &signature, span) else { return };
        self.program[id].symbol = "main".to_owned();
        self.program[id].visible = true;
        self.body_of(id);
        let int = self.program.basic().int;
        if self.program[id].result == int {
            let end = self.program[id].end;
            let zero = Stmt { kind: StmtKind::Return(Some(number(0, int, end))), span: end };
            self.program[id].body.push(zero);
        }
    }

    fn find_main(&mut self) -> Option<DeclId> {
        let mains = |(at, one): (usize, &crate::check::names::entity::FunctionDecl)| {
            let named = one.ast.name.simple().is_some_and(|name| &**name == "main");
            let defined = matches!(one.ast.body, FunctionBody::Defined(_)) || one.definition.is_some();
            (named && defined && one.scope == ScopeId(0) && one.template.is_none())
                .then_some(DeclId(at as u32))
        };
        self.declarations.functions().iter().enumerate().find_map(mains)
    }

    /// Variables of the source that are outside of functions: starting one may have effects, whether it is named again or not.
    fn check_host_variables(&mut self) {
        for at in 0..self.declarations.globals().len() {
            let one = &self.declarations.globals()[at];
            let declared_alone = one.ast.specifiers.is_extern.is_some()
                && one.ast.initializer.is_none()
                && one.definition.is_none();
            let constant = one.ast.specifiers.is_constexpr.is_some();
            if !declared_alone
                && !constant
                && !self.messages.ours(one.ast.span)
                && one.arguments.is_empty()
                && one.class.is_none_or(|class| !self.classes.of_template(class, &self.scopes))
                && (one.class.is_none() || one.definition.is_some() || one.ast.specifiers.is_inline.is_some())
            {
                let span = one.ast.span;
                self.global_variable(GlobalId(at as u32), span);
            }
        }
    }

    /// What a variable with static storage starts as, on the host's side: bytes where it is constant, otherwise a statement that
    /// runs before `main`.
    pub(crate) fn start_on_host(&mut self, id: VariableId, ty: Type, init: Init, span: Span) {
        let ends = self.program.referred(ty).is_none() && self.has_destructor(ty);
        if !ends && matches!(init, Init::Nothing | Init::Zero) {
            if matches!(init, Init::Zero) {
                self.program[id].init = Some(init);
            }
            return;
        }
        if !ends && self.evaluated_init(ty, &init, span).is_ok() {
            self.program[id].init = Some(init);
            return;
        }
        let place = Place { kind: PlaceKind::Variable(id), ty: self.held(ty), span };
        let function = self.starting_function(id, ty, place, init, span);
        self.program[function].linkage = match self.program[id].linkage {
            Linkage::Weak => Linkage::Weak,
            Linkage::Visible | Linkage::Copied | Linkage::Internal => Linkage::Internal,
        };
        self.launches.note_start(function, span);
    }

    /// Adds the function that fills a variable's place, and has the variable end when the program or its thread does.
    pub(super) fn starting_function(
        &mut self,
        id: VariableId,
        ty: Type,
        place: Place,
        init: Init,
        span: Span,
    ) -> FunctionId {
        let mut body = vec![Stmt { kind: StmtKind::Fill(place, init), span }];
        self.end_at_exit(id, ty, &mut body, span);
        let symbol = format!("{START}.{}", self.program[id].symbol);
        self.note_all_ends(&[]);
        let ends = self.frame.take_ends();
        let locals = self.frame.locals().to_vec();
        self.add_bare(symbol, locals, ends, body, span)
    }

    /// Adds what has a variable end when the program does.
    pub(super) fn end_at_exit(&mut self, id: VariableId, ty: Type, statements: &mut Vec<Stmt>, span: Span) {
        if self.program.referred(ty).is_some() || !self.has_destructor(ty) {
            return;
        }
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let Some(end) = self.end_function(plain(ty), span) else { return };
        let end = Expr { kind: ExprKind::Cast(Box::new(end)), ty: bytes, span };
        let place = self.static_place(id, plain(ty), span);
        let address = self.program.address(place);
        let address = Expr { kind: ExprKind::Cast(Box::new(address)), ty: bytes, span };
        let call = match self.program.thread_local(id) {
            Some(_) => self.call_of_library("__library_at_thread_end", vec![end, address], span),
            None => {
                let null = number(0, bytes, span);
                self.call_of_library("__cxa_atexit", vec![end, address, null], span)
            }
        };
        statements.extend(call.map(|call| Stmt { kind: StmtKind::Expr(call), span }));
    }

    /// Type of what holds a variable: of a reference, the pointer.
    pub(crate) fn held(&mut self, ty: Type) -> Type {
        match self.program.referred(ty) {
            Some((to, _)) => self.program.pointer(to),
            None => plain(ty),
        }
    }

    /// Statements that start a function's own variable with static storage when they are first reached.
    pub(crate) fn start_when_reached(
        &mut self,
        id: VariableId,
        ty: Type,
        init: Init,
        span: Span,
    ) -> Vec<Stmt> {
        let ends = self.program.referred(ty).is_none() && self.has_destructor(ty);
        let own = self.program.thread_local(id).is_some();
        if own && self.begins_in_threads(id, ty, &init, span) {
            return vec![];
        }
        let zero = matches!(init, Init::Nothing | Init::Zero);
        if !ends && !own && (zero || self.evaluated_init(ty, &init, span).is_ok()) {
            self.start_on_host(id, ty, init, span);
            return vec![];
        }
        let bool = self.program.basic().bool;
        let guard = self.program.next_variable();
        let symbol = format!("{}$started", self.program[id].symbol);
        self.program.add_variable(Variable {
            name: "".into(),
            symbol,
            ty: bool,
            space: Space::Global,
            align: 1,
            visible: false,
            managed: false,
            external: false,
            linkage: self.program[id].linkage,
            init: None,
            span,
        });
        if own {
            self.program.note_thread_local(guard, Default::default());
        }
        let held = self.held(ty);
        let (place, guarded) = (self.static_place(id, held, span), self.static_place(guard, bool, span));
        let load = Expr { kind: ExprKind::Load(Box::new(guarded.clone())), ty: bool, span };
        let not = Expr { kind: ExprKind::Unary(crate::hir::Unary::Not, Box::new(load)), ty: bool, span };
        let set = PlaceKind::Assign(Box::new(guarded), Box::new(number(1, bool, span)));
        let mut then = vec![
            Stmt { kind: StmtKind::Fill(place, init), span },
            Stmt { kind: StmtKind::Place(Place { kind: set, ty: bool, span }), span },
        ];
        self.end_at_exit(id, ty, &mut then, span);
        vec![Stmt { kind: StmtKind::If(not, then, vec![]), span }]
    }

    /// Makes the function that starts variables, once all that is reached is known: the library's first.
    pub(crate) fn finish_host(&mut self) {
        let mut starts = self.launches.take_starts();
        starts.sort_by_key(|(_, span)| (!self.messages.ours(*span), span.lo));
        let void = self.program.basic().void;
        let call = |(id, span): (FunctionId, Span)| Stmt {
            kind: StmtKind::Expr(Expr { kind: ExprKind::Call(id, vec![].into()), ty: void, span }),
            span,
        };
        let body = starts.into_iter().map(call).collect();
        let (mut starts, all) = std::mem::take(self.program.thread_starts());
        starts.sort_by_key(|(_, span)| span.lo);
        if let Some(all) = all
            && let Some(Stmt { kind: StmtKind::If(_, then, _), .. }) = self.program[all].body.first_mut()
        {
            then.extend(starts.into_iter().map(call));
        }
        let id = self.add_bare(START.to_owned(), vec![], vec![], body, Span::default());
        self.program[id].visible = true;
        self.program[id].noexcept = true;
    }

    /// Adds a function without parameters and result that no one has declared.
    pub(crate) fn add_bare(
        &mut self,
        symbol: String,
        locals: Vec<Local>,
        ends: Vec<(LocalId, Vec<Stmt>)>,
        body: Vec<Stmt>,
        span: Span,
    ) -> FunctionId {
        let void = self.program.basic().void;
        let id = self.program.next_function();
        self.program.add_function(Function {
            name: Rc::from(START),
            symbol,
            kernel: false,
            visible: false,
            external: false,
            variadic: None,
            linkage: Linkage::Internal,
            inline: Inline::Auto,
            bounds: Bounds::default(),
            constexpr: false,
            result: void,
            params: vec![],
            locals,
            body,
            returned: None,
            noexcept: false,
            unwound: vec![],
            ends,
            span,
            end: span,
        });
        let signature = Signature {
            result: Some(void),
            params: vec![],
            written: vec![],
            this: None,
            reference: None,
            least: 0,
            scope: ScopeId(0),
            variadic: false,
        };
        self.instances.add(Instance {
            decl: DeclId(0),
            arguments: vec![],
            signature: Rc::new(signature),
            progress: Progress::Done,
            broken: false,
            returns_in_vain: false,
            called: true,
            depth: 0,
            request: 0,
            calls: vec![],
            calls_itself: None,
        });
        id
    }
}
