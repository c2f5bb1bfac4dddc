//! Expressions: operators, casts, calls. What is between them is in [`super::primary`].

use std::rc::Rc;

use super::kind::Kind;
use super::name::{Guess, NameMode};
use super::{Attempt, Parse, Parser};
use crate::ast::{BinaryOperator, CastKind, Expr, ExprKind, InitElement, InitList, New, UnaryOperator};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Binary operators of one token: what they are and how strongly they bind.
fn binary(kind: Kind) -> Option<(BinaryOperator, u8)> {
    use BinaryOperator as B;
    Some(match kind {
        Kind::PipePipe => (B::Or, 1),
        Kind::AmpAmp => (B::And, 2),
        Kind::Pipe => (B::BitOr, 3),
        Kind::Caret => (B::BitXor, 4),
        Kind::Amp => (B::BitAnd, 5),
        Kind::EqualEqual => (B::Equal, 6),
        Kind::BangEqual => (B::NotEqual, 6),
        Kind::Less => (B::Less, 7),
        Kind::Greater => (B::Greater, 7),
        Kind::LessEqual => (B::LessEqual, 7),
        Kind::GreaterEqual => (B::GreaterEqual, 7),
        Kind::Spaceship => (B::Compare, 8),
        Kind::LessLess => (B::ShiftLeft, 9),
        Kind::Plus => (B::Add, 10),
        Kind::Minus => (B::Subtract, 10),
        Kind::Star => (B::Multiply, 11),
        Kind::Slash => (B::Divide, 11),
        Kind::Percent => (B::Remainder, 11),
        _ => return None,
    })
}

/// Assignments of one token.
fn assignment(kind: Kind) -> Option<Option<BinaryOperator>> {
    use BinaryOperator as B;
    Some(match kind {
        Kind::Equal => None,
        Kind::PlusEqual => Some(B::Add),
        Kind::MinusEqual => Some(B::Subtract),
        Kind::StarEqual => Some(B::Multiply),
        Kind::SlashEqual => Some(B::Divide),
        Kind::PercentEqual => Some(B::Remainder),
        Kind::CaretEqual => Some(B::BitXor),
        Kind::AmpEqual => Some(B::BitAnd),
        Kind::PipeEqual => Some(B::BitOr),
        Kind::LessLessEqual => Some(B::ShiftLeft),
        _ => return None,
    })
}

fn unary(kind: Kind) -> Option<UnaryOperator> {
    use UnaryOperator as U;
    Some(match kind {
        Kind::Plus => U::Plus,
        Kind::Minus => U::Minus,
        Kind::Bang => U::Not,
        Kind::Tilde => U::Complement,
        Kind::Star => U::Dereference,
        Kind::Amp => U::Address,
        Kind::PlusPlus => U::PreIncrement,
        Kind::MinusMinus => U::PreDecrement,
        _ => return None,
    })
}

/// How strongly `.*` and `->*` bind.
const MEMBER_POINTER: u8 = 12;

impl Parser {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let mut left = self.assignment()?;
        while self.is(Kind::Comma) && self.kind_ahead(1) != Kind::Ellipsis {
            let place = self.bump().span;
            let right = self.assignment()?;
            left = self.join(BinaryOperator::Comma, place, left, right)?;
        }
        self.end(before);
        Ok(left)
    }

    fn join(&mut self, operator: BinaryOperator, place: Span, left: Expr, right: Expr) -> Parse<Expr> {
        self.node()?;
        let span = left.span.to(right.span);
        let kind = ExprKind::Binary { operator, place, left: Box::new(left), right: Box::new(right) };
        Ok(Expr { kind, span })
    }

    /// A node above all since [`Parser::begin`], from a place to the token before.
    pub(super) fn above(&mut self, start: Span, kind: ExprKind) -> Parse<Expr> {
        self.node()?;
        Ok(Expr { kind, span: start.to(self.before()) })
    }

    /// An expression without commas, in parentheses of any kind: what `>` is does not matter there.
    pub(super) fn inside<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let closes = std::mem::replace(&mut self.greater_closes, false);
        let result = self.deeper(parse);
        self.greater_closes = closes;
        result
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        self.deeper(Self::assignment_within)
    }

    fn assignment_within(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let start = self.span();
        if self.eat(Kind::Throw).is_some() {
            let ends = matches!(self.kind(), Kind::Semicolon | Kind::RightParen | Kind::Colon | Kind::Comma);
            let value = if ends { None } else { Some(Box::new(self.assignment()?)) };
            let all = self.above(start, ExprKind::Throw(value))?;
            self.end(before);
            return Ok(all);
        }
        let mut left = self.binary(1)?;
        if self.is(Kind::Question) {
            left = self.conditional(left)?;
        } else if let Some((operator, count)) = self.assignment_operator() {
            let place = self.span();
            for _ in 0..count {
                self.bump();
            }
            let place = place.to(self.before());
            let right = self.initializer_value()?;
            self.node()?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Assign { operator, place, left: Box::new(left), right: Box::new(right) };
            left = Expr { kind, span };
        }
        self.end(before);
        Ok(left)
    }

    fn conditional(&mut self, condition: Expr) -> Parse<Expr> {
        let question = self.bump().span;
        if self.is(Kind::Colon) {
            let place = question.to(self.span());
            return self.fail(
                Diagnostic::error("unsupported", place, "`?:` without the middle operand is a GNU extension")
                    .help("repeat the first operand: `x ? x : y`"),
            );
        }
        let then = self.inside(Self::expression)?;
        if !self.is(Kind::Colon) {
            let found = self.found(self.tok());
            return self.fail(
                Diagnostic::error(
                    "syntax",
                    self.before().after(),
                    format!("expected `:` and the value for a false condition, found {found}"),
                )
                .related(question, "to match this `?`"),
            );
        }
        self.bump();
        let otherwise = self.initializer_or_assignment()?;
        self.node()?;
        let span = condition.span.to(otherwise.span);
        Ok(Expr { kind: ExprKind::Conditional(Box::new([condition, then, otherwise])), span })
    }

    fn initializer_or_assignment(&mut self) -> Parse<Expr> {
        self.assignment()
    }

    /// Assignment here, and its number of tokens.
    fn assignment_operator(&self) -> Option<(Option<BinaryOperator>, usize)> {
        let kind = self.kind();
        if kind == Kind::Greater
            && self.kind_ahead(1) == Kind::GreaterEqual
            && self.tok_at(self.at + 1).joined
            && !self.greater_closes
        {
            return Some((Some(BinaryOperator::ShiftRight), 2));
        }
        assignment(kind).map(|operator| (operator, 1))
    }

    /// Binary operator here, how strongly it binds, and its number of tokens.
    pub(super) fn binary_operator(&self) -> Option<(BinaryOperator, u8, usize)> {
        let kind = self.kind();
        if kind == Kind::Greater {
            if self.greater_closes {
                return None;
            }
            let next = self.tok_at(self.at + 1);
            let third = self.tok_at(self.at + 2);
            // No operand begins with `>`, so that spaces need not be looked at: editors make `>> >` of it.
            if self.triple_closes && next.kind == Kind::Greater && third.kind == Kind::Greater {
                return None;
            }
            if next.joined && next.kind == Kind::Greater {
                return Some((BinaryOperator::ShiftRight, 9, 2));
            }
            if next.joined && next.kind == Kind::GreaterEqual {
                return None;
            }
        }
        if kind == Kind::GreaterEqual && self.greater_closes {
            return None;
        }
        binary(kind).map(|(operator, strength)| (operator, strength, 1))
    }

    /// Operands and operators that bind at least so strongly.
    pub(super) fn binary(&mut self, least: u8) -> Parse<Expr> {
        let before = self.begin();
        let mut left = self.unary()?;
        loop {
            if least <= MEMBER_POINTER && matches!(self.kind(), Kind::DotStar | Kind::ArrowStar) {
                if self.bump().kind == Kind::ArrowStar {
                    let span = left.span;
                    left = Expr { kind: ExprKind::Unary(UnaryOperator::Dereference, Box::new(left)), span };
                }
                let right = self.unary()?;
                self.node()?;
                let span = left.span.to(right.span);
                left = Expr { kind: ExprKind::MemberPointer(Box::new(left), Box::new(right)), span };
                continue;
            }
            let Some((operator, strength, count)) = self.binary_operator() else { break };
            // A fold's operator is its parentheses' affair.
            if strength < least || self.kind_ahead(count) == Kind::Ellipsis {
                break;
            }
            let place = self.span();
            for _ in 0..count {
                self.bump();
            }
            let place = place.to(self.before());
            let right = self.deeper(|parser| parser.binary(strength + 1))?;
            left = self.join(operator, place, left, right)?;
        }
        self.end(before);
        Ok(left)
    }

    /// Operand with operators before it.
    pub(super) fn unary(&mut self) -> Parse<Expr> {
        let tok = self.tok();
        if let Some(operator) = unary(tok.kind) {
            return self.deeper(|parser| {
                let before = parser.begin();
                parser.bump();
                let operand = parser.unary()?;
                let all = parser.above(tok.span, ExprKind::Unary(operator, Box::new(operand)))?;
                parser.end(before);
                Ok(all)
            });
        }
        match tok.kind {
            Kind::LeftParen if self.type_in_parentheses_before_value() => self.deeper(Self::c_cast),
            Kind::Sizeof | Kind::Alignof => self.deeper(Self::size_of),
            Kind::Noexcept | Kind::New | Kind::Delete => self.deeper(Self::rare_operator),
            Kind::Extension => {
                self.bump();
                self.deeper(Self::unary)
            }
            Kind::AmpAmp => {
                self.fail(Diagnostic::error("syntax", tok.span, "expected an expression, found `&&`").help(
                    "taking the address of a label is not supported; the address operator is a single `&`",
                ))
            }
            Kind::CoAwait | Kind::CoYield => self.fail(Diagnostic::error(
                "unsupported",
                tok.span,
                "coroutines are not supported in kernels",
            )),
            _ => self.postfix(),
        }
    }

    /// `(T)x`, `(T){…}`.
    fn c_cast(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let start = self.bump().span;
        let ty = self.inside(Self::type_id)?;
        self.expect(Kind::RightParen, "this type")?;
        let all = if self.is(Kind::LeftBrace) {
            let list = self.init_list()?;
            let literal = self.above(start, ExprKind::CompoundLiteral(ty, list))?;
            self.postfix_of(literal)?
        } else {
            let operand = self.unary()?;
            self.above(start, ExprKind::Cast(CastKind::C, ty, Box::new(operand)))?
        };
        self.end(before);
        Ok(all)
    }

    /// Whether `(` at a place, where the parser is or was, has a type in it and nothing else.
    pub(super) fn type_in_parentheses(&mut self, open: usize) -> bool {
        self.type_in_parentheses_or(open, false)
    }

    fn type_in_parentheses_before_value(&mut self) -> bool {
        let open = self.at;
        let Some(close) = self.partner(open) else { return false };
        // What surely follows a cast, where the type's name is not known.
        let value = matches!(
            self.tok_at(close + 1).kind,
            Kind::Word
                | Kind::Integer
                | Kind::Float
                | Kind::Character
                | Kind::String
                | Kind::This
                | Kind::True
                | Kind::False
                | Kind::Nullptr
                | Kind::Sizeof
                | Kind::Bang
                | Kind::Tilde
                | Kind::LeftBrace
        );
        self.type_in_parentheses_or(open, value)
    }

    fn type_in_parentheses_or(&mut self, open: usize, unknown: bool) -> bool {
        let Some(close) = self.partner(open) else { return false };
        let saved = self.at;
        self.at = open + 1;
        let closes = std::mem::replace(&mut self.greater_closes, false);
        let is_type = match self.guess_type() {
            Guess::No => false,
            Guess::Yes => self.attempt_type_to(close),
            Guess::Unknown => match self.peek_name() {
                Some((_, _, end)) if end == close => unknown,
                Some((_, _, end)) => {
                    matches!(self.tok_at(end).kind, Kind::Star | Kind::Amp | Kind::AmpAmp | Kind::Const)
                        && self.attempt_type_to(close)
                }
                None => false,
            },
        };
        self.at = saved;
        self.greater_closes = closes;
        is_type
    }

    fn attempt_type_to(&mut self, close: usize) -> bool {
        let end = self.attempt(Attempt::ParenthesizedType, |parser| {
            parser.type_id()?;
            Ok(true)
        });
        end == Some(close)
    }

    /// `sizeof`, `alignof`.
    fn size_of(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let tok = self.bump();
        let all = if tok.kind == Kind::Sizeof && self.eat(Kind::Ellipsis).is_some() {
            self.expect(Kind::LeftParen, "`sizeof...`")?;
            let (name, _) = self.ident("the name of a parameter pack")?;
            self.expect(Kind::RightParen, "this name")?;
            self.above(tok.span, ExprKind::SizeofPack(name))?
        } else if self.is(Kind::LeftParen) && self.type_in_parentheses(self.at) {
            self.bump();
            let ty = self.inside(Self::type_id)?;
            self.expect(Kind::RightParen, "this type")?;
            let kind = match tok.kind {
                Kind::Sizeof => ExprKind::SizeofType(ty),
                _ => ExprKind::AlignofType(ty),
            };
            self.above(tok.span, kind)?
        } else {
            let operand = Box::new(self.unary()?);
            let kind = match tok.kind {
                Kind::Sizeof => ExprKind::SizeofExpr(operand),
                _ => ExprKind::AlignofExpr(operand),
            };
            self.above(tok.span, kind)?
        };
        self.end(before);
        Ok(all)
    }

    /// Operators that no kernel needs: read so that they can be refused by name.
    pub(super) fn rare_operator(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let tok = self.bump();
        let kind = match tok.kind {
            Kind::Noexcept => {
                let open = self.at;
                self.expect(Kind::LeftParen, "`noexcept`")?;
                let operand = self.within(open, Self::expression)?;
                ExprKind::Noexcept(Box::new(operand))
            }
            Kind::Typeid => {
                let open = self.at;
                let is_type = self.is(Kind::LeftParen) && self.type_in_parentheses(open);
                self.expect(Kind::LeftParen, "`typeid`")?;
                let operand = match is_type {
                    true => {
                        let start = self.span();
                        let ty = self.inside(Self::type_id)?;
                        let one = self.above(start, ExprKind::Type(ty))?;
                        self.expect(Kind::RightParen, "this type")?;
                        one
                    }
                    false => self.within(open, Self::expression)?,
                };
                ExprKind::Typeid(Box::new(operand))
            }
            Kind::Delete => {
                let all = self.is(Kind::LeftBracket) && self.kind_ahead(1) == Kind::RightBracket;
                if all {
                    self.bump();
                    self.bump();
                }
                ExprKind::Delete(Box::new(self.unary()?), all)
            }
            _ => ExprKind::New(Rc::new(self.new_object()?)),
        };
        let all = self.above(tok.span, kind)?;
        self.end(before);
        Ok(all)
    }

    /// What follows `new`.
    fn new_object(&mut self) -> Parse<New> {
        let mut placement = vec![];
        let open = self.at;
        let mut ty = None;
        if self.is(Kind::LeftParen) {
            self.skip_brackets();
            let placed = matches!(self.kind(), Kind::Word | Kind::ColonColon) || self.kind().begins_type();
            self.at = open;
            if placed {
                placement = self.call_arguments(false)?;
            } else {
                self.bump();
                ty = Some(self.type_id()?);
                self.expect(Kind::RightParen, "the type")?;
            }
        }
        let ty = match ty {
            Some(ty) => ty,
            None => self.conversion_type()?,
        };
        let mut lengths = vec![];
        while self.is(Kind::LeftBracket) {
            let open = self.at;
            self.bump();
            lengths.push((self.within(open, Self::expression)?, self.before()));
        }
        let mut lengths = lengths.into_iter();
        let length = lengths.next().map(|(length, _)| length);
        let mut element = ty;
        for (length, span) in lengths.rev() {
            element = self.plain(crate::ast::TypeKind::Array(element, Some(Rc::new(length))), span);
        }
        let initializer = match self.kind() {
            Kind::LeftParen | Kind::LeftBrace => self.initializer()?,
            _ => None,
        };
        Ok(New { placement, ty: element, length, initializer })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // What follows an operand

    fn postfix(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let first = self.primary()?;
        let all = self.postfix_of(first)?;
        self.end(before);
        Ok(all)
    }

    fn postfix_of(&mut self, first: Expr) -> Parse<Expr> {
        let mut left = first;
        loop {
            let tok = self.tok();
            let start = left.span;
            let kind = match tok.kind {
                Kind::LeftParen => {
                    let types = matches!(&left.kind, ExprKind::Name(name)
                        if name.simple().is_some_and(|symbol| symbol.starts_with("__")));
                    let arguments = self.call_arguments(types)?;
                    ExprKind::Call(Box::new(left), arguments)
                }
                Kind::LeftBracket => {
                    let open = self.at;
                    self.bump();
                    if self.is(Kind::RightBracket) {
                        return self.fail(
                            Diagnostic::error("syntax", self.span(), "expected an index between `[` and `]`")
                                .label("which element?"),
                        );
                    }
                    let index = self.within(open, Self::index)?;
                    ExprKind::Index(Box::new(left), Box::new(index))
                }
                Kind::Dot | Kind::Arrow => {
                    self.bump();
                    let member = self.name(NameMode::Member)?.name;
                    ExprKind::Member { object: Box::new(left), arrow: tok.kind == Kind::Arrow, member }
                }
                Kind::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOperator::PostIncrement, Box::new(left))
                }
                Kind::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOperator::PostDecrement, Box::new(left))
                }
                // No operand begins with `<` either.
                Kind::LessLess if self.kind_ahead(1) == Kind::Less => self.launch(left)?,
                _ => return Ok(left),
            };
            left = self.above(start, kind)?;
        }
    }

    fn index(&mut self) -> Parse<Expr> {
        if self.is(Kind::LeftBrace) { self.initializer_value() } else { self.expression() }
    }

    /// `<<<a, b>>>(x)`.
    fn launch(&mut self, callee: Expr) -> Parse<ExprKind> {
        self.bump();
        self.bump();
        let closes = std::mem::replace(&mut self.greater_closes, false);
        let triple = std::mem::replace(&mut self.triple_closes, true);
        let mut configuration = vec![];
        let list = self.configuration(&mut configuration);
        self.greater_closes = closes;
        self.triple_closes = triple;
        list?;
        for _ in 0..3 {
            self.expect(Kind::Greater, "the configuration of a launch")?;
        }
        let arguments = self.call_arguments(false)?;
        Ok(ExprKind::Launch { callee: Box::new(callee), configuration, arguments })
    }

    fn configuration(&mut self, to: &mut Vec<Expr>) -> Parse<()> {
        loop {
            to.push(self.assignment()?);
            if self.eat(Kind::Comma).is_none() {
                return Ok(());
            }
        }
    }

    /// Something before a closing bracket: where it cannot be read, or something else follows, what is left is passed over,
    /// and an error node takes its place.
    pub(super) fn within(
        &mut self,
        open: usize,
        parse: impl FnOnce(&mut Self) -> Parse<Expr>,
    ) -> Parse<Expr> {
        let result = self.inside(parse);
        let Some(close) = self.partner(open) else { return result };
        let value = match result {
            Ok(value) if self.at == close => value,
            Ok(value) => {
                let _: Parse<()> = self.unexpected_inside(close);
                value
            }
            Err(failed) if self.quiet > 0 || self.exhausted => return Err(failed),
            Err(_) => self.error_expr(self.tok_at(open).span.to(self.tok_at(close).span)),
        };
        if self.quiet > 0 && self.at != close {
            return Err(super::Failed);
        }
        self.at = close;
        self.bump();
        Ok(value)
    }

    fn unexpected_inside<T>(&mut self, close: usize) -> Parse<T> {
        let found = self.found(self.tok());
        let text = self.tok_at(close).kind.text().unwrap_or_default();
        self.fail(
            Diagnostic::error(
                "syntax",
                self.before().after(),
                format!("expected an operator or `{text}` after this expression, found {found}"),
            )
            .label(format!("something is missing before {found}")),
        )
    }

    /// Goes after the bracket that belongs to an open one, after what is inside failed.
    pub(super) fn leave_brackets(&mut self, open: usize) -> Parse<()> {
        match self.partner(open) {
            Some(close) if self.quiet == 0 && !self.exhausted => {
                self.at = close;
                self.bump();
                Ok(())
            }
            _ => Err(super::Failed),
        }
    }

    /// `(a, b)` of an attribute.
    pub(super) fn arguments(&mut self, _what: &str) -> Parse<Vec<Expr>> {
        self.call_arguments(false)
    }

    /// `(a, b)`; types among them where the callee is one of the compiler's.
    pub(super) fn call_arguments(&mut self, types: bool) -> Parse<Vec<Expr>> {
        let open = self.at;
        self.expect(Kind::LeftParen, "this")?;
        let mut arguments = vec![];
        let list = self.inside(|parser| parser.argument_list(&mut arguments, types));
        if list.is_err() {
            self.leave_brackets(open)?;
            let span = self.tok_at(open).span.to(self.before());
            arguments.push(self.error_expr(span));
        }
        Ok(arguments)
    }

    fn argument_list(&mut self, to: &mut Vec<Expr>, types: bool) -> Parse<()> {
        if self.eat(Kind::RightParen).is_some() {
            return Ok(());
        }
        loop {
            if types && self.is_type_argument() {
                let ty = self.type_id()?;
                let span = ty.span;
                to.push(Expr { kind: ExprKind::Type(ty), span });
            } else {
                to.push(self.element()?);
            }
            if self.eat(Kind::Comma).is_some() {
                if matches!(self.kind(), Kind::RightParen | Kind::Comma) {
                    return self.expected("another argument");
                }
                continue;
            }
            if self.eat(Kind::RightParen).is_some() {
                return Ok(());
            }
            let found = self.found(self.tok());
            return self.fail(
                Diagnostic::error(
                    "syntax",
                    self.before().after(),
                    format!("expected `,` or `)` after this argument, found {found}"),
                )
                .label("write `,` or an operator here"),
            );
        }
    }

    fn is_type_argument(&mut self) -> bool {
        self.guess_type() == Guess::Yes && {
            let end = self.attempt(Attempt::ArgumentType, |parser| {
                parser.type_id()?;
                Ok(matches!(parser.kind(), Kind::Comma | Kind::RightParen))
            });
            end.is_some()
        }
    }

    /// Element of a list: a value or a list, perhaps with `...`.
    fn element(&mut self) -> Parse<Expr> {
        let value = self.initializer_value()?;
        if self.is(Kind::Ellipsis) {
            let start = value.span;
            self.bump();
            return self.above(start, ExprKind::Pack(Box::new(value)));
        }
        Ok(value)
    }

    /// A value, or a list in braces.
    pub(super) fn initializer_value(&mut self) -> Parse<Expr> {
        if self.is(Kind::LeftBrace) {
            let list = self.init_list()?;
            let span = list.span;
            return Ok(Expr { kind: ExprKind::List(list), span });
        }
        self.assignment()
    }

    /// `{a, .b = c}`.
    pub(super) fn init_list(&mut self) -> Parse<InitList> {
        self.inside(Self::init_list_within)
    }

    fn init_list_within(&mut self) -> Parse<InitList> {
        let before = self.begin();
        let open = self.at;
        let start = self.expect(Kind::LeftBrace, "this")?;
        let mut elements = vec![];
        if self.init_elements(&mut elements).is_err() {
            self.leave_brackets(open)?;
            elements
                .push(InitElement { designators: vec![], value: self.error_expr(start.to(self.before())) });
        }
        self.node()?;
        self.end(before);
        Ok(InitList { elements, span: start.to(self.before()) })
    }

    fn init_elements(&mut self, to: &mut Vec<InitElement>) -> Parse<()> {
        while self.eat(Kind::RightBrace).is_none() {
            let designators = self.designators()?;
            let value = self.element()?;
            to.push(InitElement { designators, value });
            if self.eat(Kind::Comma).is_none() && !self.is(Kind::RightBrace) {
                let found = self.found(self.tok());
                return self.fail(
                    Diagnostic::error(
                        "syntax",
                        self.before().after(),
                        format!("expected `,` or `}}` after this element, found {found}"),
                    )
                    .label("write `,` here"),
                );
            }
        }
        Ok(())
    }
}
