//! Statements, and bodies of functions.

use super::kind::Kind;
use super::name::{NameMode, Names};
use super::scope::ScopeKind;
use super::{DeclarationContext, Parse, Parser};
use crate::ast::{
    Asm, AsmOperand, Block, Body, Condition, Declaration, DeclarationKind, Expr, For, Handler, If,
    Initializer, MemberInitializer, RangeFor, Statement, StatementKind, Unroll,
};
use crate::diagnostic::Diagnostic;

/// What is between the parentheses of `for`.
enum ForHead {
    Loop { init: Statement, condition: Option<Condition>, step: Option<Expr> },
    Range { init: Option<Statement>, variable: Declaration, range: Expr },
}

impl Parser {
    /// `: a(1) { … }`, `{ … }`.
    pub(super) fn function_body(&mut self) -> Parse<Body> {
        let mut initializers = vec![];
        let is_try = self.eat(Kind::Try);
        if self.eat(Kind::Colon).is_some() {
            initializers = self.member_initializers()?;
        }
        let mut block = self.block()?;
        if let Some(span) = is_try {
            let whole = span.to(block.span);
            let inner = std::mem::replace(&mut block, Block { statements: vec![], span: whole });
            let handlers = self.handlers()?;
            block.statements.push(Statement { kind: StatementKind::Try(inner, handlers), span: whole });
        }
        Ok(Body { initializers, block })
    }

    fn member_initializers(&mut self) -> Parse<Vec<MemberInitializer>> {
        let mut all = vec![];
        loop {
            let start = self.span();
            let name = self.name(NameMode::Type)?.name;
            let Some(initializer) = self.initializer()? else {
                return self.expected("`(` and the initialiser of this member");
            };
            let pack = self.eat(Kind::Ellipsis).is_some();
            if matches!(initializer, Initializer::Equals(_)) {
                return self.fail(
                    Diagnostic::error(
                        "syntax",
                        start.to(self.before()),
                        "expected `(` or `{` to initialise a member",
                    )
                    .help("write `member(value)`"),
                );
            }
            all.push(MemberInitializer { name, initializer, pack, span: start.to(self.before()) });
            if self.eat(Kind::Comma).is_none() {
                return Ok(all);
            }
        }
    }

    /// `{ … }`.
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.deeper(|parser| {
            let start = parser.expect(Kind::LeftBrace, "this")?;
            let closes = std::mem::replace(&mut parser.greater_closes, false);
            let mut statements = vec![];
            parser.scoped(ScopeKind::Plain, |parser| parser.statements(&mut statements));
            parser.greater_closes = closes;
            if parser.exhausted {
                return Err(super::Failed);
            }
            parser.expect(Kind::RightBrace, "this block")?;
            Ok(Block { statements, span: start.to(parser.before()) })
        })
    }

    /// Statements up to a closing brace.
    pub(super) fn statements(&mut self, to: &mut Vec<Statement>) {
        let around = self.begin();
        let mut highest = around;
        while !matches!(self.kind(), Kind::RightBrace | Kind::ExtraBrace | Kind::End) {
            let start = self.at;
            let depth = self.depth;
            let statement = self.statement(true);
            self.depth = depth;
            highest = highest.max(self.peak);
            match statement {
                Ok(statement) => to.push(statement),
                Err(_) => {
                    let place = self.tok_at(start).span;
                    self.recover(start);
                    to.push(Statement { kind: StatementKind::Error, span: place.to(self.before()) });
                }
            }
        }
        self.peak = highest;
    }

    /// Goes after a statement that could not be read.
    fn recover(&mut self, start: usize) {
        if self.exhausted {
            return;
        }
        let closing = matches!(self.kind(), Kind::RightParen | Kind::RightBracket);
        if self.at == start || closing {
            // Never the same place again.
            self.bump();
        }
        self.skip_statement();
    }

    /// A statement; labels of a `switch` one after the other are siblings where they stand in a block.
    pub(super) fn statement(&mut self, in_block: bool) -> Parse<Statement> {
        self.deeper(|parser| {
            let before = parser.begin();
            let start = parser.span();
            let kind = parser.statement_kind(in_block, None)?;
            parser.node()?;
            parser.end(before);
            Ok(Statement { kind, span: start.to(parser.before()) })
        })
    }

    fn inner_statement(&mut self) -> Parse<Statement> {
        self.scoped(ScopeKind::Plain, |parser| {
            if parser.is(Kind::Colon) {
                // As in Python; in a `case` or a label, a colon is taken before.
                let span = parser.span();
                parser.tell(
                    Diagnostic::error("syntax", span, "unexpected `:` before a statement")
                        .help("remove the `:`, and put several statements in braces: `{ … }`"),
                );
                parser.bump();
            }
            let start = parser.at;
            if matches!(parser.kind(), Kind::RightBrace | Kind::ExtraBrace | Kind::End) {
                return parser.expected("a statement");
            }
            let statement = parser.statement(false);
            if statement.is_ok() || parser.exhausted {
                return statement;
            }
            // What is around it is still good.
            let place = parser.tok_at(start).span;
            parser.recover(start);
            Ok(Statement { kind: StatementKind::Error, span: place.to(parser.before()) })
        })
    }

    pub(super) fn statement_kind(&mut self, in_block: bool, unroll: Option<Unroll>) -> Parse<StatementKind> {
        let tok = self.tok();
        if let Some(unroll) = &unroll {
            let is_loop = matches!(tok.kind, Kind::For | Kind::While | Kind::Do)
                || matches!(tok.kind, Kind::PragmaUnroll | Kind::PragmaNoUnroll);
            if !is_loop {
                let span = unroll.span;
                if self.quiet == 0 {
                    self.sink.push(
                        Diagnostic::warning(
                            "unroll-without-loop",
                            span,
                            "expected a loop after this `#pragma unroll`",
                        )
                        .help("write it directly before `for`, `while` or `do`"),
                    );
                }
            }
        }
        match tok.kind {
            Kind::LeftBrace => Ok(StatementKind::Block(self.block()?)),
            Kind::Semicolon => {
                self.bump();
                Ok(StatementKind::Empty)
            }
            Kind::If => self.scoped(ScopeKind::Plain, Self::if_statement),
            Kind::For => self.scoped(ScopeKind::Plain, |parser| parser.for_statement(unroll)),
            Kind::While => self.scoped(ScopeKind::Plain, |parser| parser.while_statement(unroll)),
            Kind::Do => self.do_statement(unroll),
            Kind::Switch => self.scoped(ScopeKind::Plain, Self::switch_statement),
            Kind::Case | Kind::Default => self.case_statement(in_block),
            Kind::Break => self.jump(StatementKind::Break, "`break`"),
            Kind::Continue => self.jump(StatementKind::Continue, "`continue`"),
            Kind::Return => self.return_statement(),
            Kind::Goto => {
                self.bump();
                let (label, _) = self.ident("a label")?;
                self.semicolon("this `goto`");
                Ok(StatementKind::Goto(label))
            }
            Kind::Asm => {
                let asm = self.asm()?;
                self.semicolon("this `asm`");
                Ok(StatementKind::Asm(Box::new(asm)))
            }
            Kind::Try => self.try_statement(),
            Kind::Else => self.fail(
                Diagnostic::error("syntax", tok.span, "`else` without a previous `if`")
                    .help("only one statement can be between `if (…)` and `else`: several need braces, and no `;` follows `)`"),
            ),
            Kind::PragmaUnroll | Kind::PragmaNoUnroll => {
                let unroll = self.unroll()?;
                self.statement_kind(in_block, Some(unroll))
            }
            Kind::PragmaOmp => self.openmp_statement(in_block),
            Kind::LeftBracket if self.kind_ahead(1) == Kind::LeftBracket => self.attributed_statement(in_block),
            Kind::AttributeGnu => self.attributed_statement(in_block),
            Kind::Word if self.kind_ahead(1) == Kind::Colon => self.label(in_block),
            Kind::Word if self.is_elif() => self.fail(
                Diagnostic::error("syntax", tok.span, format!("C has no {}", self.found(tok)))
                    .help("write `else if (…)`"),
            ),
            Kind::CoReturn => {
                self.fail(Diagnostic::error("unsupported", tok.span, "coroutines are not supported in kernels"))
            }
            _ => self.declaration_or_expression(),
        }
    }

    /// Whether `elif (…)` or `elseif (…)` is no call, since a statement follows.
    fn is_elif(&self) -> bool {
        matches!(&*self.symbol(self.tok().data).0, "elif" | "elseif" | "elsif")
            && self.partner(self.at + 1).is_some_and(|close| {
                let next = self.tok_at(close + 1).kind;
                matches!(next, Kind::Word | Kind::LeftBrace) || next.begins_statement()
            })
    }

    fn jump(&mut self, kind: StatementKind, words: &str) -> Parse<StatementKind> {
        self.bump();
        self.semicolon(words);
        Ok(kind)
    }

    fn declaration_or_expression(&mut self) -> Parse<StatementKind> {
        if self.is_declaration() {
            let mut declarations = vec![];
            let result = self.declaration(DeclarationContext::Block, &mut declarations);
            if result.is_err() {
                if self.exhausted || declarations.is_empty() {
                    return Err(super::Failed);
                }
                // What was declared before the error is kept.
                self.skip_statement();
            }
            return Ok(StatementKind::Declaration(declarations));
        }
        let value = self.expression()?;
        self.semicolon("this expression");
        Ok(StatementKind::Expression(value))
    }

    fn attributed_statement(&mut self, in_block: bool) -> Parse<StatementKind> {
        let start = self.at;
        let mut attributes = vec![];
        self.attributes(&mut attributes)?;
        if self.eat(Kind::Semicolon).is_some() {
            let fallthrough = attributes.iter().any(|one| {
                matches!(&one.kind, crate::ast::AttributeKind::Ignored(name) if *name == *"fallthrough")
            });
            return Ok(if fallthrough { StatementKind::Fallthrough } else { StatementKind::Empty });
        }
        if self.is_declaration() {
            // The attributes are the declaration's.
            self.at = start;
            let mut declarations = vec![];
            self.declaration(DeclarationContext::Block, &mut declarations)?;
            return Ok(StatementKind::Declaration(declarations));
        }
        self.statement_kind(in_block, None)
    }

    fn label(&mut self, in_block: bool) -> Parse<StatementKind> {
        let (label, _) = self.ident("a label")?;
        self.bump();
        let statement = self.labelled(in_block)?;
        Ok(StatementKind::Label(label, Box::new(statement)))
    }

    /// The statement after a label.
    fn labelled(&mut self, in_block: bool) -> Parse<Statement> {
        let ends = matches!(self.kind(), Kind::RightBrace | Kind::ExtraBrace | Kind::End);
        if ends || in_block && matches!(self.kind(), Kind::Case | Kind::Default) {
            return Ok(Statement { kind: StatementKind::Empty, span: self.before().after() });
        }
        self.statement(in_block)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Branches

    fn if_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let constexpr = self.eat(Kind::Constexpr).is_some();
        if self.is(Kind::Consteval) || self.is(Kind::Bang) {
            let span = self.span();
            return self.fail(Diagnostic::error("unsupported", span, "`if consteval` is not supported"));
        }
        let (init, condition) = self.head("`if`")?;
        let then = self.inner_statement()?;
        let mut otherwise = None;
        if self.eat(Kind::Else).is_some() {
            otherwise = Some(self.inner_statement()?);
        }
        Ok(StatementKind::If(Box::new(If { constexpr, init, condition, then, otherwise })))
    }

    fn switch_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let (init, condition) = self.head("`switch`")?;
        let body = Box::new(self.inner_statement()?);
        Ok(StatementKind::Switch { init: init.map(Box::new), condition, body })
    }

    fn case_statement(&mut self, in_block: bool) -> Parse<StatementKind> {
        let tok = self.bump();
        if tok.kind == Kind::Default {
            self.expect(Kind::Colon, "`default`")?;
            return Ok(StatementKind::Default(Box::new(self.labelled(in_block)?)));
        }
        let low = self.assignment()?;
        let high = match self.eat(Kind::Ellipsis) {
            Some(_) => Some(self.assignment()?),
            None => None,
        };
        if self.eat(Kind::Colon).is_none() {
            let found = self.found(self.tok());
            let span = self.before().after();
            self.tell(
                Diagnostic::error(
                    "syntax",
                    span,
                    format!("expected `:` after the value of this `case`, found {found}"),
                )
                .label("write `:` here"),
            );
            if self.is(Kind::Semicolon) {
                self.bump();
            }
        }
        let statement = Box::new(self.labelled(in_block)?);
        Ok(StatementKind::Case { low, high, statement })
    }

    /// `(int x = f(); x > 0)`.
    fn head(&mut self, word: &str) -> Parse<(Option<Statement>, Condition)> {
        let open = self.at;
        if !self.is(Kind::LeftParen) {
            let found = self.found(self.tok());
            let span = self.before().after();
            self.tell(
                Diagnostic::error("syntax", span, format!("expected `(` after {word}, found {found}"))
                    .label("the condition must be in parentheses"),
            );
            self.quiet += 1;
            let condition = self.expression();
            self.quiet -= 1;
            let condition = match condition {
                Ok(condition) => condition,
                Err(failed) if self.exhausted => return Err(failed),
                Err(_) => self.error_expr(span),
            };
            return Ok((None, Condition::Expression(condition)));
        }
        self.bump();
        let mut init = None;
        let mut variable = None;
        let value = self.within(open, |parser| {
            let head = parser.head_within()?;
            init = head.0;
            match head.1 {
                Condition::Expression(value) => Ok(value),
                Condition::Variable(one) => {
                    variable = Some(one);
                    Ok(parser.error_expr(parser.before()))
                }
            }
        })?;
        let condition = match variable {
            Some(variable) => Condition::Variable(variable),
            None => Condition::Expression(value),
        };
        Ok((init, condition))
    }

    fn head_within(&mut self) -> Parse<(Option<Statement>, Condition)> {
        let start = self.span();
        if self.is(Kind::RightParen) {
            return self.fail(Diagnostic::error("syntax", start, "expected a condition between `(` and `)`"));
        }
        let first = self.condition()?;
        if self.eat(Kind::Semicolon).is_none() {
            return Ok((None, first));
        }
        let kind = match first {
            Condition::Expression(value) => StatementKind::Expression(value),
            Condition::Variable(variable) => {
                let span = variable.span;
                StatementKind::Declaration(vec![Declaration {
                    kind: DeclarationKind::Variable(variable),
                    span,
                }])
            }
        };
        let init = Statement { kind, span: start.to(self.before()) };
        Ok((Some(init), self.condition()?))
    }

    /// An expression or a variable.
    fn condition(&mut self) -> Parse<Condition> {
        if self.is(Kind::Semicolon) {
            // `if (; x)`.
            return Ok(Condition::Expression(self.error_expr(self.span())));
        }
        if !self.is_declaration() {
            return Ok(Condition::Expression(self.expression()?));
        }
        let start = self.span();
        let specifiers = self.decl_specifiers(DeclarationContext::Block)?;
        let Some(base) = specifiers.ty else { return self.expected("a condition") };
        let declarator = self.declarator(Names::Required, DeclarationContext::Block)?;
        let variable =
            self.variable(start, &specifiers.specifiers, base, declarator, DeclarationContext::Block)?;
        Ok(Condition::Variable(variable.into()))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Loops

    fn while_statement(&mut self, unroll: Option<Unroll>) -> Parse<StatementKind> {
        self.bump();
        let (_, condition) = self.head("`while`")?;
        let is_closed = |close: usize| self.tok_at(close + 1).kind != Kind::While;
        if self.is(Kind::Do)
            && self.kind_ahead(1) == Kind::LeftBrace
            && self.partner(self.at + 1).is_some_and(is_closed)
        {
            let span = self.span();
            self.tell(
                Diagnostic::error("syntax", span, "unexpected `do` after `while (…)`")
                    .help("remove the `do`: C writes `while (…) { … }`, or `do { … } while (…);`"),
            );
            self.bump();
        }
        let body = Box::new(self.inner_statement()?);
        Ok(StatementKind::While { condition, body, unroll })
    }

    fn do_statement(&mut self, unroll: Option<Unroll>) -> Parse<StatementKind> {
        let start = self.bump().span;
        let body = Box::new(self.inner_statement()?);
        if self.eat(Kind::While).is_none() {
            let found = self.found(self.tok());
            let span = self.before().after();
            let mut diagnostic = Diagnostic::error(
                "syntax",
                span,
                format!("expected `while (…);` after the body of `do`, found {found}"),
            )
            .related(start, "the loop begins here");
            if self.is(Kind::Word) && &*self.symbol(self.tok().data) == "until" {
                diagnostic =
                    diagnostic.help("write `while (!(…));`: the loop continues while the condition is true");
            }
            return self.fail(diagnostic);
        }
        let (_, condition) = self.head("`while`")?;
        let condition = match condition {
            Condition::Expression(value) => value,
            Condition::Variable(variable) => {
                return self.fail(Diagnostic::error(
                    "syntax",
                    variable.span,
                    "a variable cannot be declared in the condition of `do … while`",
                ));
            }
        };
        self.semicolon("`do … while (…)`");
        Ok(StatementKind::DoWhile { body, condition, unroll })
    }

    fn for_statement(&mut self, unroll: Option<Unroll>) -> Parse<StatementKind> {
        self.bump();
        let open = self.at;
        if !self.is(Kind::LeftParen) {
            let message = format!("expected `(` after `for`, found {}", self.found(self.tok()));
            return self.fail(
                Diagnostic::error("syntax", self.tok().span, message)
                    .help("a counting loop is written `for (int i = 0; i < n; i++)`"),
            );
        }
        self.expect(Kind::LeftParen, "`for`")?;
        let mut head = ForHead::Loop {
            init: Statement { kind: StatementKind::Empty, span: self.span() },
            condition: None,
            step: None,
        };
        let result = self.for_head(&mut head);
        match self.partner(open) {
            Some(close) if result.is_err() || self.at != close => {
                if result.is_ok() {
                    let found = self.found(self.tok());
                    let span = self.before().after();
                    let message = format!("expected an operator or `)` after this expression, found {found}");
                    let _: Parse<()> = self.fail(Diagnostic::error("syntax", span, message));
                }
                self.leave_brackets(open)?;
            }
            _ => {
                self.expect(Kind::RightParen, "the header of this loop")?;
            }
        }
        let body = self.inner_statement()?;
        Ok(match head {
            ForHead::Loop { init, condition, step } => {
                StatementKind::For(Box::new(For { init, condition, step, body, unroll }))
            }
            ForHead::Range { init, variable, range } => {
                StatementKind::RangeFor(Box::new(RangeFor { init, variable, range, body, unroll }))
            }
        })
    }

    /// What is between the parentheses; what has been read is kept where the rest cannot be.
    fn for_head(&mut self, head: &mut ForHead) -> Parse<()> {
        let mut first = None;
        if self.for_init(head, None)? {
            return Ok(());
        }
        let ForHead::Loop { init, condition, step } = head else { return Ok(()) };
        self.for_separator("first")?;
        if !self.is(Kind::Semicolon) {
            if self.is_declaration() && self.is_range_ahead() {
                // `for (int x = 0; auto y : z)`.
                first = Some(std::mem::replace(
                    init,
                    Statement { kind: StatementKind::Empty, span: self.span() },
                ));
            } else {
                let value = self.condition();
                if value.is_err() {
                    *condition = Some(Condition::Expression(self.error_expr(self.before())));
                }
                *condition = Some(value?);
            }
        }
        if first.is_some() {
            self.for_init(head, first)?;
            return Ok(());
        }
        self.for_separator("second")?;
        if !self.is(Kind::RightParen) {
            let value = self.expression();
            if value.is_err() {
                *step = Some(self.error_expr(self.before()));
            }
            *step = Some(value?);
        }
        if self.is(Kind::Semicolon) {
            return self.fail(
                Diagnostic::error("syntax", self.span(), "extra `;`: `for` has three parts")
                    .help("remove it"),
            );
        }
        Ok(())
    }

    fn is_range_ahead(&self) -> bool {
        (self.at..self.at + 24).map(|at| self.tok_at(at).kind).find(|kind| {
            matches!(kind, Kind::Colon | Kind::Semicolon | Kind::Equal | Kind::LeftBrace | Kind::End)
        }) == Some(Kind::Colon)
    }

    fn for_separator(&mut self, part: &str) -> Parse<()> {
        if self.eat(Kind::Semicolon).is_some() {
            return Ok(());
        }
        let found = self.found(self.tok());
        let span = self.before().after();
        self.fail(
            Diagnostic::error(
                "syntax",
                span,
                format!("expected `;` after the {part} part of `for`, found {found}"),
            )
            .label("write `;` here")
            .help("`for` is written `for (start; condition; step)`"),
        )
    }

    /// The first part; true where it is a range.
    fn for_init(&mut self, head: &mut ForHead, before: Option<Statement>) -> Parse<bool> {
        let start = self.span();
        if self.is(Kind::Semicolon) {
            return Ok(false);
        }
        if !self.is_declaration() {
            let value = self.expression()?;
            let span = value.span;
            if let ForHead::Loop { init, .. } = head {
                *init = Statement { kind: StatementKind::Expression(value), span };
            }
            return Ok(false);
        }
        let specifiers = self.decl_specifiers(DeclarationContext::Block)?;
        let mut declarations = vec![];
        if let Some(binding) = self.structured_binding(&specifiers)? {
            let kind = DeclarationKind::StructuredBinding(binding.into());
            declarations.push(Declaration { kind, span: start.to(self.before()) });
        } else {
            let mut at = start;
            loop {
                let declarator = self.declarator(Names::Required, DeclarationContext::Block)?;
                self.declared(at, &specifiers, declarator, DeclarationContext::Block, &mut declarations)?;
                if let ForHead::Loop { init, .. } = head {
                    // Kept, also where what follows cannot be read.
                    let kind = StatementKind::Declaration(declarations.clone());
                    *init = Statement { kind, span: start.to(self.before()) };
                }
                if self.eat(Kind::Comma).is_none() {
                    break;
                }
                at = self.span();
            }
        }
        if self.eat(Kind::Colon).is_some() {
            let range = self.initializer_value()?;
            let Some(variable) = declarations.pop() else { return self.expected("a variable") };
            *head = ForHead::Range { init: before, variable, range };
            return Ok(true);
        }
        if let ForHead::Loop { init, .. } = head {
            *init =
                Statement { kind: StatementKind::Declaration(declarations), span: start.to(self.before()) };
        }
        Ok(false)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Others

    fn return_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let mut value = None;
        let next_line = self.tok().first && self.kind().begins_statement();
        if !self.is(Kind::Semicolon) && !self.is(Kind::RightBrace) && !next_line {
            value =
                Some(if self.is(Kind::LeftBrace) { self.initializer_value()? } else { self.expression()? });
        }
        self.semicolon("`return`");
        Ok(StatementKind::Return(value))
    }

    fn try_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let block = self.block()?;
        Ok(StatementKind::Try(block, self.handlers()?))
    }

    /// `catch (T x) { … }`, as many as there are.
    fn handlers(&mut self) -> Parse<Vec<Handler>> {
        let mut all = vec![];
        while let Some(start) = self.eat(Kind::Catch) {
            self.expect(Kind::LeftParen, "`catch`")?;
            let (parameter, block) = self.scoped(ScopeKind::Plain, Self::handler)?;
            let span = start.to(block.span);
            all.push(Handler { parameter, block, span });
        }
        Ok(all)
    }

    fn handler(&mut self) -> Parse<(Option<crate::ast::Parameter>, Block)> {
        let parameter = match self.eat(Kind::Ellipsis) {
            Some(_) => None,
            None => Some(self.parameter()?),
        };
        self.expect(Kind::RightParen, "what is caught")?;
        Ok((parameter, self.block()?))
    }

    /// `asm volatile("…" : "=r"(x) : "r"(y) : "memory")`.
    pub(super) fn asm(&mut self) -> Parse<Asm> {
        let start = self.bump().span;
        let mut volatile = false;
        loop {
            match self.kind() {
                Kind::Volatile => volatile = true,
                Kind::Inline => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.at;
        self.expect(Kind::LeftParen, "`asm`")?;
        let mut asm = Asm {
            volatile,
            text: [].as_slice().into(),
            text_span: start,
            outputs: vec![],
            inputs: vec![],
            clobbers: vec![],
            span: start,
        };
        let result = self.inside(|parser| parser.asm_parts(&mut asm));
        if result.is_err() {
            self.leave_brackets(open)?;
            return Err(super::Failed);
        }
        asm.span = start.to(self.before());
        Ok(asm)
    }

    /// From the text to after the closing parenthesis.
    fn asm_parts(&mut self, asm: &mut Asm) -> Parse<()> {
        if !self.is(Kind::String) {
            return self.expected("the assembly code as a string");
        }
        (asm.text, asm.text_span) = self.strings()?;
        let mut part = 0;
        loop {
            match self.kind() {
                Kind::Colon => part += 1,
                Kind::ColonColon => part += 2,
                Kind::RightParen => {
                    self.bump();
                    return Ok(());
                }
                _ => return self.expected("`:` or `)`"),
            }
            self.bump();
            while !matches!(self.kind(), Kind::Colon | Kind::ColonColon | Kind::RightParen) {
                match part {
                    1 => asm.outputs.push(self.asm_operand()?),
                    2 => asm.inputs.push(self.asm_operand()?),
                    3 => asm.clobbers.push(self.strings()?),
                    _ => return self.expected("`)`: `asm` has at most three parts after its string"),
                }
                // Operands without a comma between them are seen in the field, and NVCC takes them.
                if self.eat(Kind::Comma).is_none() && !self.is(Kind::String) {
                    break;
                }
            }
        }
    }

    fn asm_operand(&mut self) -> Parse<AsmOperand> {
        let start = self.span();
        let mut name = None;
        if self.eat(Kind::LeftBracket).is_some() {
            name = Some(self.ident("the name of this operand")?.0);
            self.expect(Kind::RightBracket, "this name")?;
        }
        let (constraint, _) = self.strings()?;
        let open = self.at;
        self.expect(Kind::LeftParen, "the constraint of this operand")?;
        let value = self.within(open, Self::expression)?;
        Ok(AsmOperand { name, constraint, value, span: start.to(self.before()) })
    }
}
