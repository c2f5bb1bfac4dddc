//! Statements.
//!
//! Enters: the tree of a body. Leaves: typed statements. This module must never know expressions.

use crate::ast::{self, Condition, DeclarationKind, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, Init, Label, Place, PlaceKind, Stmt, StmtKind, Type};
use crate::ir::Unroll;
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::frame::Frame;
use crate::check::context::messages::Messages;
use crate::check::expressions::operand::Operand;
use crate::check::names::entity::{Entity, ScopeId, ScopeKind};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

impl Messages<'_> {
    /// Reports a loop that ends with `;` before what looks like its body: a block, or a line that is indented more.
    fn check_empty_loop(&mut self, one: &ast::Statement, next: &ast::Statement) {
        let (word, body) = match &one.kind {
            StatementKind::For(one) => ("for", &one.body),
            StatementKind::While { body, .. } => ("while", &**body),
            _ => return,
        };
        let place = |span: Span| self.position(span.lo).map(|at| (at.line, at.column()));
        let (Some(head), Some(follows)) = (place(one.span), place(next.span)) else { return };
        let looks_like_body =
            matches!(next.kind, StatementKind::Block(_)) || follows.0 > head.0 && follows.1 > head.1;
        if matches!(body.kind, StatementKind::Empty) && looks_like_body {
            let message = format!("`{word}` loop has an empty body: this `;`");
            self.report(Diagnostic::warning("empty-body", body.span, message).help("remove the `;`"));
        }
    }
}

impl Frame {
    fn default_label(&mut self, span: Span, statements: &mut Vec<Stmt>, messages: &mut Messages<'_>) {
        let label = self.label();
        let Some(switch) = self.switch_mut() else {
            messages.error("jump", span, "`default` statement not in `switch` statement");
            return;
        };
        if switch.default.is_some() {
            messages.error("case", span, "multiple `default` labels in one `switch`");
            return;
        }
        switch.default = Some((label, span));
        statements.push(Stmt { kind: StmtKind::Target(label), span });
    }

    fn jump_label(
        &mut self,
        name: &ast::Symbol,
        defined: Option<Span>,
        used: Option<Span>,
        messages: &mut Messages<'_>,
    ) -> Label {
        let mut twice = false;
        let (label, at, by) = self.named_label(name);
        let label = *label;
        if let Some(defined) = defined {
            twice = at.is_some();
            *at = Some(defined);
        }
        if by.is_none() {
            *by = used;
        }
        if twice && let Some(defined) = defined {
            messages.error("jump", defined, format!("redefinition of label `{name}`"));
        }
        label
    }

    /// Reports labels that are jumped to and not there.
    pub(crate) fn finish_labels(&self, messages: &mut Messages<'_>) {
        let missing: Vec<_> = self
            .named_labels()
            .iter()
            .filter(|(_, (_, at, _))| at.is_none())
            .filter_map(|(name, (_, _, by))| by.map(|by| (name.clone(), by)))
            .collect();
        for (name, span) in missing {
            messages.error("jump", span, format!("use of undeclared label `{name}`"));
        }
    }
}

impl Checker<'_> {
    /// Statements of a function's body, in the scope of its parameters.
    pub(crate) fn body_block(&mut self, block: &ast::Block, statements: &mut Vec<Stmt>) {
        let inner = self.scopes.add(self.scopes.current(), ScopeKind::Block(self.frame.uid()));
        self.scopes[inner].head = Some(self.scopes.current());
        self.within(inner, |this| this.all(&block.statements, statements));
    }

    /// Statements one after the other.
    fn all(&mut self, list: &[ast::Statement], statements: &mut Vec<Stmt>) {
        for (at, one) in list.iter().enumerate() {
            if let Some(next) = list.get(at + 1) {
                self.messages.check_empty_loop(one, next);
            }
            self.statement(one, statements);
        }
    }

    /// Statements in a scope of their own.
    pub(crate) fn scoped(&mut self, run: impl FnOnce(&mut Self, &mut Vec<Stmt>)) -> Vec<Stmt> {
        let inner = self.scopes.add(self.scopes.current(), ScopeKind::Block(self.frame.uid()));
        let mut statements = vec![];
        self.within(inner, |this| run(this, &mut statements));
        statements
    }

    /// What a condition decides about, or a loop repeats: its outermost names are not those of the head.
    pub(crate) fn one(&mut self, statement: &ast::Statement) -> Vec<Stmt> {
        self.controlled(statement, Some(self.scopes.current()))
    }

    /// A controlled statement in a scope of its own, after the scope of a `head` that declares names for it.
    fn controlled(&mut self, statement: &ast::Statement, head: Option<ScopeId>) -> Vec<Stmt> {
        self.scoped(|this, statements| {
            let current = this.scopes.current();
            this.scopes[current].head = head;
            match &statement.kind {
                StatementKind::Block(block) => this.all(&block.statements, statements),
                _ => this.statement(statement, statements),
            }
        })
    }

    /// Checks a statement.
    pub(crate) fn statement(&mut self, statement: &ast::Statement, statements: &mut Vec<Stmt>) {
        if !self.enter(statement.span) {
            self.leave();
            return;
        }
        self.statement_anew(statement, statements);
        self.leave();
    }

    fn statement_anew(&mut self, statement: &ast::Statement, statements: &mut Vec<Stmt>) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Block(block) => {
                let inner = self.scoped(|this, statements| this.all(&block.statements, statements));
                statements.push(Self::block_of(inner, span));
            }
            StatementKind::Expression(expr) => self.expression_statement(expr, statements),
            StatementKind::Declaration(all) => self.declaration_statements(all, statements),
            StatementKind::If(one) => self.if_statement(one, span, statements),
            StatementKind::For(one) => self.for_statement(one, span, statements),
            StatementKind::RangeFor(one) => self.range_for(one, span, statements),
            StatementKind::While { condition, body, unroll } => {
                self.while_statement(condition, body, unroll.as_ref(), span, statements);
            }
            StatementKind::DoWhile { body, condition, unroll } => {
                self.do_while(body, condition, unroll.as_ref(), span, statements);
            }
            StatementKind::Switch { init, condition, body } => {
                self.switch_statement(init.as_deref(), condition, body, span, statements);
            }
            StatementKind::Case { low, high, statement } => {
                self.case(low, high.as_ref(), span, statements);
                self.statement(statement, statements);
            }
            StatementKind::Default(inner) => {
                self.frame.default_label(span, statements, &mut self.messages);
                self.statement(inner, statements);
            }
            StatementKind::Break => match self.frame.break_target() {
                Some(label) => statements.push(Stmt { kind: StmtKind::Break(label), span }),
                None => {
                    self.messages.error("jump", span, "`break` statement not in loop or `switch` statement")
                }
            },
            StatementKind::Continue => match self.frame.continue_target() {
                Some(label) => statements.push(Stmt { kind: StmtKind::Continue(label), span }),
                None => self.messages.error("jump", span, "`continue` statement not in loop statement"),
            },
            StatementKind::Return(value) => self.return_statement(value.as_ref(), span, statements),
            StatementKind::Goto(name) => {
                let label = self.frame.jump_label(&name.symbol, None, Some(name.span), &mut self.messages);
                statements.push(Stmt { kind: StmtKind::Goto(label), span });
            }
            StatementKind::Label(name, inner) => self.labelled(name, inner, span, statements),
            StatementKind::Asm(asm) => {
                if let Some(kind) = self.assembly(asm) {
                    statements.push(Stmt { kind, span });
                }
            }
            StatementKind::Try(block, handlers) => {
                let inner = &mut |this: &mut Self, to: &mut Vec<Stmt>| {
                    block.statements.iter().for_each(|one| this.statement(one, to));
                };
                self.try_statement(inner, handlers, None, span, statements);
            }
            StatementKind::Empty | StatementKind::Fallthrough => {}
            StatementKind::Error => self.messages.poison(span),
        }
    }

    /// Declarations of one statement, whose `auto` stands for one type.
    fn declaration_statements(&mut self, all: &[ast::Declaration], statements: &mut Vec<Stmt>) {
        let mut first = None;
        for one in all {
            self.body.note_auto(None);
            self.declaration_statement(one, statements);
            let (Some(found), DeclarationKind::Variable(variable)) = (self.body.found_auto(), &one.kind)
            else {
                continue;
            };
            if let Some(first) = first.replace(found)
                && first != found
            {
                let (a, b) = (self.program.show(first), self.program.show(found));
                let place = variable.name.as_ref().map_or(one.span, |name| name.span);
                self.messages.error_help(
                    "auto",
                    place,
                    format!("`auto` deduced as both `{a}` and `{b}` in one declaration"),
                    "write a separate declaration for each",
                );
            }
        }
    }

    fn do_while(
        &mut self,
        body: &ast::Statement,
        condition: &ast::Expr,
        unroll: Option<&ast::Unroll>,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) {
        let unroll = self.unroll(unroll);
        let label = self.frame.label();
        // A `do` has no head: what is around it is hidden by the names of its body.
        let body = self.loop_body(label, body, None);
        let condition = self.condition_expr(condition);
        let Some(condition) = condition else { return };
        let kind =
            StmtKind::Loop { label, condition: Some(condition), after: true, step: vec![], body, unroll };
        statements.push(Stmt { kind, span });
    }

    fn labelled(
        &mut self,
        name: &ast::Ident,
        inner: &ast::Statement,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) {
        let label = self.frame.jump_label(&name.symbol, Some(name.span), None, &mut self.messages);
        statements.push(Stmt { kind: StmtKind::Target(label), span });
        self.statement(inner, statements);
    }

    fn expression_statement(&mut self, expr: &ast::Expr, statements: &mut Vec<Stmt>) {
        let operand = self.expr(expr);
        if let Some(one) = self.statement_of(operand, expr.span) {
            statements.push(one);
        }
    }

    pub(crate) fn declaration_statement(&mut self, one: &ast::Declaration, statements: &mut Vec<Stmt>) {
        match &one.kind {
            DeclarationKind::Variable(variable) => self.declare_local(variable, statements),
            DeclarationKind::StructuredBinding(binding) => {
                self.structured_binding(binding, None, statements, one.span)
            }
            DeclarationKind::StaticAssert { condition, message } => {
                self.static_assert(condition, message.as_deref())
            }
            DeclarationKind::Function(function) => self.declare_function_in_block(function),
            DeclarationKind::Error => self.messages.poison(one.span),
            _ => self.declare(one),
        }
    }

    /// A condition that is an expression.
    fn condition_expr(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let operand = self.expr(expr);
        if operand.is_error() {
            return None;
        }
        self.condition_value(operand)
    }

    /// A condition; a variable's declaration goes before.
    fn condition(&mut self, condition: &Condition, statements: &mut Vec<Stmt>) -> Option<Expr> {
        match condition {
            Condition::Expression(expr) => self.condition_expr(expr),
            Condition::Variable(variable) => {
                let operand = self.condition_variable(variable, statements)?;
                self.condition_value(operand)
            }
        }
    }

    fn condition_variable(
        &mut self,
        variable: &std::rc::Rc<ast::Variable>,
        statements: &mut Vec<Stmt>,
    ) -> Option<Operand> {
        self.declare_local(variable, statements);
        let name = variable.name.as_ref()?;
        let symbol = name.simple()?;
        match self.find(symbol, Want::Any, name.span) {
            Some(Entity::Local(_, local)) => {
                let ty = self.frame.local_type(local, &self.program);
                Some(Operand::Place(
                    self.program.variable_place(PlaceKind::Local(local), ty, name.span),
                    false,
                ))
            }
            _ => None,
        }
    }

    fn if_statement(&mut self, one: &ast::If, span: Span, statements: &mut Vec<Stmt>) {
        let inner = self.scoped(|this, statements| {
            if let Some(init) = &one.init {
                this.statement(init, statements);
            }
            let condition = this.condition(&one.condition, statements);
            if one.constexpr {
                let Some(condition) = condition else { return };
                let Some(found) = this.evaluated(&condition) else { return };
                // The other branch is not looked at.
                let chosen =
                    if found.integer() != Some(0) { Some(&one.then) } else { one.otherwise.as_ref() };
                if let Some(chosen) = chosen {
                    let block = this.one(chosen);
                    statements.push(Self::block_of(block, chosen.span));
                }
                return;
            }
            if matches!(one.then.kind, StatementKind::Empty) && one.otherwise.is_none() {
                this.messages.report(
                    Diagnostic::warning(
                        "empty-body",
                        one.then.span,
                        "`if` statement has an empty body: this `;`",
                    )
                    .help("remove the `;`"),
                );
            }
            let then = this.one(&one.then);
            let otherwise = one.otherwise.as_ref().map(|otherwise| this.one(otherwise)).unwrap_or_default();
            let Some(condition) = condition else { return };
            statements.push(Stmt { kind: StmtKind::If(condition, then, otherwise), span });
        });
        Self::splice(inner, span, statements);
    }

    /// Adds statements of a scope: as a block where there are several.
    pub(crate) fn splice(inner: Vec<Stmt>, span: Span, statements: &mut Vec<Stmt>) {
        let declares = inner.iter().any(|one| matches!(one.kind, StmtKind::Let(..)));
        if inner.len() == 1 && !declares {
            statements.extend(inner);
        } else if !inner.is_empty() {
            statements.push(Self::block_of(inner, span));
        }
    }

    fn loop_body(&mut self, label: Label, body: &ast::Statement, head: Option<ScopeId>) -> Vec<Stmt> {
        self.frame.enter_loop(label);
        let found = self.controlled(body, head);
        self.frame.leave_loop();
        found
    }

    pub(crate) fn unroll(&mut self, unroll: Option<&ast::Unroll>) -> Option<Unroll> {
        let one = unroll?;
        let Some(count) = &one.count else { return Some(Unroll::Full) };
        let (_, value) = self.constant_integer(count)?;
        match u32::try_from(value) {
            Ok(0) | Err(_) => {
                self.messages.report(Diagnostic::warning(
                    "unroll",
                    one.span,
                    format!(
                        "invalid value {value} for `#pragma unroll`, which is ignored: it must be positive"
                    ),
                ));
                None
            }
            Ok(value) => Some(Unroll::By(value)),
        }
    }

    fn for_statement(&mut self, one: &ast::For, span: Span, statements: &mut Vec<Stmt>) {
        let inner = self.scoped(|this, statements| {
            let unroll = this.unroll(one.unroll.as_ref());
            this.statement(&one.init, statements);
            let label = this.frame.label();
            // A variable in the condition is made again in each iteration.
            let mut before = vec![];
            let condition = match &one.condition {
                None => None,
                Some(Condition::Expression(expr)) => match this.condition_expr(expr) {
                    Some(found) => Some(found),
                    None => {
                        this.messages.poison(expr.span);
                        None
                    }
                },
                Some(condition @ Condition::Variable(_)) => {
                    let found = this.condition(condition, &mut before);
                    let ends = before.iter().any(|one| match &one.kind {
                        StmtKind::Let(local, _) => this.frame.has_end(*local),
                        _ => false,
                    });
                    if ends && one.step.is_some() {
                        // It would end before the step, which C++ has it outlive.
                        let help = "declare it in the loop's body, and leave the loop with `break`";
                        this.messages.refuse(
                            span,
                            "objects with destructors in the condition of a `for` are",
                            help,
                        );
                    }
                    if let Some(found) = found {
                        before.push(Self::leave_unless(found, label, span));
                    }
                    None
                }
            };
            let mut body = this.loop_body(label, &one.body, Some(this.scopes.current()));
            let mut step = vec![];
            if let Some(expr) = &one.step {
                this.expression_statement(expr, &mut step);
            }
            if !before.is_empty() {
                before.push(Self::block_of(body, one.body.span));
                body = before;
            }
            if matches!(one.body.kind, StatementKind::Empty)
                && this.messages.text(one.body.span) == ";"
                && !this.messages.ours(one.body.span)
                && one.step.is_some()
                && one.condition.is_some()
            {
                this.warn_empty_loop(one.body.span, span);
            }
            statements.push(Stmt {
                kind: StmtKind::Loop { label, condition, after: false, step, body, unroll },
                span,
            });
        });
        Self::splice(inner, span, statements);
    }

    fn warn_empty_loop(&mut self, _body: Span, _span: Span) {}

    fn leave_unless(condition: Expr, label: Label, span: Span) -> Stmt {
        let leave = Stmt { kind: StmtKind::Break(label), span };
        Stmt { kind: StmtKind::If(condition, vec![], vec![leave]), span }
    }

    fn while_statement(
        &mut self,
        condition: &Condition,
        body: &ast::Statement,
        unroll: Option<&ast::Unroll>,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) {
        let unroll = self.unroll(unroll);
        let label = self.frame.label();
        let inner = self.scoped(|this, statements| {
            let mut before = vec![];
            let found = this.condition(condition, &mut before);
            let mut body = this.loop_body(label, body, Some(this.scopes.current()));
            let Some(found) = found else { return };
            let condition = if before.is_empty() {
                Some(found)
            } else {
                before.push(Self::leave_unless(found, label, span));
                before.push(Self::block_of(body, span));
                body = before;
                None
            };
            statements.push(Stmt {
                kind: StmtKind::Loop { label, condition, after: false, step: vec![], body, unroll },
                span,
            });
        });
        Self::splice(inner, span, statements);
    }

    fn switch_statement(
        &mut self,
        init: Option<&ast::Statement>,
        condition: &Condition,
        body: &ast::Statement,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) {
        let inner = self.scoped(|this, statements| {
            if let Some(init) = init {
                this.statement(init, statements);
            }
            let operand = match condition {
                Condition::Expression(expr) => Some(this.expr(expr)),
                Condition::Variable(variable) => this.condition_variable(variable, statements),
            };
            let value = operand.and_then(|operand| this.switch_value(operand));
            let ty = value.as_ref().map(|value| value.ty);
            let label = this.frame.label();
            this.frame.enter_switch(ty, label);
            let body = this.one(body);
            let Some(found) = this.frame.leave_switch() else { return };
            let Some(value) = value else { return };
            let value = match this.program.enum_of(value.ty) {
                Some(id) => {
                    let to = this.program[id].underlying;
                    let value = this.program.convert_arithmetic(value, to);
                    let to = this.classes.promoted_type(value.ty, None, &mut this.program);
                    this.program.convert_arithmetic(value, to)
                }
                None => value,
            };
            let kind = StmtKind::Switch {
                label,
                value,
                cases: found.cases,
                default: found.default.map(|(label, _)| label),
                body,
            };
            statements.push(Stmt { kind, span });
        });
        Self::splice(inner, span, statements);
    }

    fn switch_value(&mut self, operand: Operand) -> Option<Expr> {
        if operand.is_error() {
            return None;
        }
        let span = operand.span();
        if operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some()) {
            return self.integer_of_class(operand, span);
        }
        let scoped = operand.ty().is_some_and(|ty| self.program.is_enum(ty) && !self.program.is_unscoped(ty));
        let value = if scoped { self.value(operand)? } else { self.promoted(operand)? };
        if !scoped && !self.program.is_integral(value.ty) {
            let shown = self.program.show(value.ty);
            self.messages.error_help(
                "type",
                span,
                format!("`switch` requires an integer, not `{shown}`"),
                "use `if` and `else if`",
            );
            return None;
        }
        Some(value)
    }

    fn case(&mut self, low: &ast::Expr, high: Option<&ast::Expr>, span: Span, statements: &mut Vec<Stmt>) {
        let Some(ty) = self.frame.switch().map(|one| one.ty) else {
            self.messages.error("jump", span, "`case` statement not in `switch` statement");
            return;
        };
        // What it decides on is wrong already.
        let Some(ty) = ty else { return };
        let Some(first) = self.case_value(low, ty) else { return };
        let last = match high {
            Some(high) => {
                let help = "write a `case` for each value, or an `if`";
                self.messages.refuse(high.span, "a `case` with a range is", help);
                return;
            }
            None => first,
        };
        let label = self.frame.label();
        let Some(switch) = self.frame.switch_mut() else { return };
        let known = switch.cases.iter().position(|(a, b, _)| first <= *b && last >= *a);
        let before = known.and_then(|at| switch.spans.get(at).copied());
        switch.cases.push((first, last, label));
        switch.spans.push(low.span);
        if let Some(before) = before {
            self.messages.report(
                Diagnostic::error("case", low.span, format!("duplicate case value {first}"))
                    .related(before, "previous case is here"),
            );
        }
        statements.push(Stmt { kind: StmtKind::Target(label), span: low.span });
    }

    fn case_value(&mut self, expr: &ast::Expr, ty: Type) -> Option<i128> {
        let (from, value) = self.constant_integer(expr)?;
        if self.program.is_enum(ty) && from.id != ty.id {
            let (a, b) = (self.program.show(from), self.program.show(ty));
            self.messages.error(
                "case",
                expr.span,
                format!("`case` value of type `{a}` in a `switch` on `{b}`"),
            );
            return None;
        }
        let (bits, signed) = self.program.width(ty)?;
        if crate::check::expressions::operand::wrap(value, bits, signed) != value {
            let shown = self.program.show(ty);
            self.messages.error_help(
                "case",
                expr.span,
                format!("case value {value} does not fit in `{shown}`, the type of the `switch`"),
                "remove the `case`, or write a cast",
            );
            return None;
        }
        Some(value)
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span, statements: &mut Vec<Stmt>) {
        if self.frame.is_in_handler() {
            let message = "`return` is not allowed in a handler of a constructor's function-try-block";
            self.messages.error_help(
                "return",
                span,
                message,
                "remove it: the end of the handler throws the exception again",
            );
        }
        let Some(value) = value else {
            let result = self.frame.deduce_result(self.program.basic().void);
            if !self.program.is_void(result) {
                let shown = self.program.show(result);
                self.messages.error(
                    "return",
                    span,
                    format!("this function must return a value of type `{shown}`"),
                );
                return;
            }
            statements.push(Stmt { kind: StmtKind::Return(None), span });
            return;
        };
        let operand = self.expr(value);
        if operand.is_error() {
            self.messages.poison(span);
            self.frame.note_wrong_return();
            return;
        }
        if self.frame.is_result_deduced() && self.deduce_result(&operand, value.span).is_none() {
            return;
        }
        let result = self.frame.result().unwrap_or(self.program.basic().void);
        if self.program.is_void(result) {
            if operand.ty().is_some_and(|ty| self.program.is_void(ty)) {
                statements.extend(self.statement_of(operand, span));
                statements.push(Stmt { kind: StmtKind::Return(None), span });
                return;
            }
            let line = |span: Span| self.messages.position(span.lo).map(|position| position.line);
            if line(span) != line(value.span) {
                let place = Span { hi: span.lo + "return".len() as u32, ..span }.after();
                self.messages.report(
                    Diagnostic::error(
                        "return",
                        place,
                        "`void` function should not return a value, but this `return` continues on the next line",
                    )
                    .label("write `;` here"),
                );
                return;
            }
            let kernel = self.frame.function().is_some_and(|id| self.program[id].kernel);
            let help = match operand.ty() {
                _ if kernel => {
                    "store it through a pointer, and write `return;` to leave the kernel".to_owned()
                }
                Some(ty) => {
                    let shown = self.program.show(plain(ty));
                    format!("change the return type from `void` to `{shown}`, or remove the value")
                }
                None => "remove the value, or change the return type".to_owned(),
            };
            self.messages.error_help("return", value.span, "`void` function should not return a value", help);
            if let Some(id) = self.frame.function() {
                self.instances[id].returns_in_vain = true;
            }
            return;
        }
        self.return_value(operand, result, span, statements);
    }

    fn return_value(&mut self, operand: Operand, result: Type, span: Span, statements: &mut Vec<Stmt>) {
        if self.program.record_of(result).is_some() {
            // A variable of the function may be moved from.
            let operand = match operand {
                Operand::Place(place, _) if matches!(place.kind, PlaceKind::Local(_)) => {
                    Operand::Place(place, true)
                }
                other => other,
            };
            let returned = match &operand {
                Operand::Place(Place { kind: PlaceKind::Local(local), ty, .. }, _)
                    if plain(*ty) == plain(result) =>
                {
                    Some(*local)
                }
                _ => None,
            };
            self.frame.note_returned(returned);
            if let Some(init) = self.initialised(operand, result) {
                let init = if matches!(init, Init::Nothing) { Init::Nothing } else { init };
                statements.push(Stmt { kind: StmtKind::ReturnInit(init), span });
            }
            return;
        }
        if self.program.referred(result).is_some()
            && let Operand::Place(place, _) = &operand
            && Self::is_own_local(place)
        {
            self.messages.report(Diagnostic::warning(
                "dangling",
                span,
                "returning a reference to a local variable, which ends with the function",
            ));
        }
        if let Some(found) = self.converted(operand, result) {
            let mut inner = &found;
            while let crate::hir::ExprKind::Cast(of) = &inner.kind {
                inner = of;
            }
            if self.program.pointee(result).is_some()
                && let crate::hir::ExprKind::Address(place) = &inner.kind
                && Self::is_own_local(place)
            {
                self.messages.report(
                    Diagnostic::warning(
                        "dangling",
                        span,
                        "returning the address of a local variable, which ends with the function",
                    )
                    .help("let the caller pass an array, and fill that"),
                );
            }
            statements.push(Stmt { kind: StmtKind::Return(Some(found)), span });
        }
    }

    fn is_own_local(place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(_) => true,
            PlaceKind::Field(of, _) | PlaceKind::Element(of, _) => Self::is_own_local(of),
            _ => false,
        }
    }

    /// Finds out the function's result from a `return`.
    fn deduce_result(&mut self, operand: &Operand, span: Span) -> Option<()> {
        let Some(from) = operand.ty() else {
            self.messages.error("auto", span, "cannot deduce `auto` from this");
            return None;
        };
        let id = self.frame.function()?;
        let decl = self.instances[id].decl;
        let pattern = std::rc::Rc::clone(&self.declarations[decl].ast.ty.result);
        let found = if self.program.is_void(from) {
            from
        } else {
            self.deduce_auto(&pattern, (from, operand.is_lvalue()))?
        };
        let found = if self.program.referred(found).is_none() && self.program.record_of(found).is_none() {
            plain(found)
        } else {
            found
        };
        match self.frame.result() {
            None => {
                self.frame.deduce_result(found);
            }
            Some(before) if before == found => {}
            Some(before) => {
                let (a, b) = (self.program.show(before), self.program.show(found));
                self.messages.error_help(
                    "auto",
                    span,
                    format!(
                        "`auto` in return type deduced as `{b}` here, but as `{a}` in an earlier `return`"
                    ),
                    "write the return type instead of `auto`",
                );
                return None;
            }
        }
        Some(())
    }
}
