//! Operands: literals, names, parentheses, casts with words, lambdas.

use std::rc::Rc;

use super::kind::Kind;
use super::name::{NameMode, Named};
use super::scope::{Entity, ScopeKind, flag};
use super::{Failed, Parse, Parser};
use crate::ast::{
    BinaryOperator, Block, Capture, CaptureMode, CastKind, Designator, Expr, ExprKind, FunctionType, Ident,
    Initializer, Lambda, Specifiers, Symbol, Type, TypeKind,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

impl Parser {
    /// An operand.
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        let tok = self.tok();
        let kind = match tok.kind {
            Kind::Word | Kind::ColonColon | Kind::Operator | Kind::Typename => {
                return self.name_or_construction();
            }
            Kind::Integer | Kind::Float => self.number()?,
            Kind::Character => {
                self.bump();
                ExprKind::Character(tok.data)
            }
            Kind::String => {
                let (text, span) = self.strings()?;
                self.node()?;
                return Ok(Expr { kind: ExprKind::String(text), span });
            }
            Kind::True | Kind::False => {
                self.bump();
                ExprKind::Bool(tok.kind == Kind::True)
            }
            Kind::Nullptr => {
                self.bump();
                ExprKind::Null
            }
            Kind::This => {
                self.bump();
                ExprKind::This
            }
            Kind::LeftParen => return self.parentheses(),
            Kind::LeftBracket => return self.deeper(Self::lambda),
            Kind::StaticCast | Kind::ReinterpretCast | Kind::ConstCast | Kind::DynamicCast => {
                return self.deeper(Self::word_cast);
            }
            Kind::Decltype if self.is_decltype_prefix() => return self.name_or_construction(),
            Kind::Decltype | Kind::Typeof => {
                let specifiers = self.decl_specifiers(super::DeclarationContext::Block)?;
                let ty = specifiers.ty.ok_or(Failed)?;
                return self.construction(ty);
            }
            Kind::Typeid => return self.deeper(Self::rare_operator),
            Kind::Requires => {
                self.skip_requires();
                ExprKind::Requires
            }
            kind if kind.is_builtin_type() => return self.builtin_construction(),
            _ => return self.no_operand(),
        };
        self.node()?;
        Ok(Expr { kind, span: tok.span })
    }

    fn no_operand<T>(&mut self) -> Parse<T> {
        let tok = self.tok();
        let found = self.found(tok);
        let message = if self.at > 0 && self.tok_at(self.at - 1).kind.is_keyword() && tok.first {
            "expected an expression".to_owned()
        } else {
            format!("expected an expression, found {found}")
        };
        // What is missing at the end of a line is missing there, not on the next.
        let span = if tok.first { self.before().after() } else { tok.span };
        let mut diagnostic = Diagnostic::error("syntax", span, message).label("a value is missing here");
        if tok.kind == Kind::Else {
            diagnostic = diagnostic.help("an `else` belongs after the statement of an `if`");
        }
        self.fail(diagnostic)
    }

    fn number(&mut self) -> Parse<ExprKind> {
        let data = self.bump().data;
        match self.literals.get(data as usize) {
            Some(TokenKind::Integer { value, decimal, suffix }) => {
                Ok(ExprKind::Integer { value: *value, decimal: *decimal, suffix: suffix.clone() })
            }
            Some(TokenKind::Float { text, suffix }) => {
                Ok(ExprKind::Float { text: text.clone(), suffix: suffix.clone() })
            }
            _ => Err(Failed),
        }
    }

    /// A name; where it is a type's, `T(x)` or `T{x}`.
    fn name_or_construction(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let named = self.name(NameMode::Expression)?;
        let span = named.name.span;
        self.node()?;
        let expr = if self.is_construction(&named) {
            let ty = self.plain(TypeKind::Name(named.name), span);
            self.construction(ty)?
        } else {
            Expr { kind: ExprKind::Name(named.name), span }
        };
        self.end(before);
        Ok(expr)
    }

    fn is_construction(&self, named: &Named) -> bool {
        match self.kind() {
            Kind::LeftParen => named.is_type(),
            // Where the name is not known, `x{…}` can only be a value made.
            Kind::LeftBrace => {
                named.is_type()
                    || named.entity.is_none()
                        && named.word.is_some()
                        && !self.tok().first
                        && self.is_list_ahead()
            }
            _ => false,
        }
    }

    /// Whether the braces here hold a list, and no statements.
    fn is_list_ahead(&self) -> bool {
        let Some(close) = self.partner(self.at) else { return false };
        (self.at + 1..close.min(self.at + 64)).all(|at| self.tok_at(at).kind != Kind::Semicolon)
    }

    /// `int(x)`, `float{}`.
    fn builtin_construction(&mut self) -> Parse<Expr> {
        let start = self.span();
        let specifiers = self.decl_specifiers(super::DeclarationContext::Block)?;
        let Some(ty) = specifiers.ty else { return self.expected("a type") };
        if !matches!(self.kind(), Kind::LeftParen | Kind::LeftBrace) {
            let span = start.to(self.before());
            let is_argument = self.at >= 2
                && matches!(self.tok_at(self.at - 2).kind, Kind::LeftParen | Kind::Comma)
                && self.is(Kind::Word);
            let help = match is_argument {
                true => {
                    "an argument is a value without its type; a conversion is written `(type)value` or `type(value)`"
                }
                false => "a conversion is written `(type)value` or `type(value)`",
            };
            return self
                .fail(Diagnostic::error("syntax", span, "expected an expression, found a type").help(help));
        }
        self.construction(ty)
    }

    /// `(x)` or `{x}` after a type.
    fn construction(&mut self, ty: Rc<Type>) -> Parse<Expr> {
        let start = ty.span;
        let open = self.span();
        let initializer = match self.kind() {
            Kind::LeftBrace => Initializer::Braces(self.init_list()?),
            Kind::LeftParen => {
                let arguments = self.call_arguments(false)?;
                Initializer::Parentheses(arguments, open.to(self.before()))
            }
            _ => return self.expected("`(` or `{`"),
        };
        self.above(start, ExprKind::Construct(ty, Box::new(initializer)))
    }

    /// `static_cast<T>(x)` and its like.
    fn word_cast(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let tok = self.bump();
        let word = tok.kind.text().unwrap_or_default();
        self.expect(Kind::Less, &format!("`{word}`"))?;
        let closes = std::mem::replace(&mut self.greater_closes, true);
        let ty = self.type_id();
        self.greater_closes = closes;
        let ty = ty?;
        self.expect(Kind::Greater, "this type")?;
        let open = self.at;
        self.expect(Kind::LeftParen, &format!("`{word}<…>`"))?;
        let operand = self.within(open, Self::expression)?;
        let kind = match tok.kind {
            Kind::StaticCast => CastKind::Static,
            Kind::ReinterpretCast => CastKind::Reinterpret,
            Kind::ConstCast => CastKind::Const,
            _ => CastKind::Dynamic,
        };
        let all = self.above(tok.span, ExprKind::Cast(kind, ty, Box::new(operand)))?;
        self.end(before);
        Ok(all)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Parentheses

    /// `(x)`, `(p + ...)`, `({ … })`.
    fn parentheses(&mut self) -> Parse<Expr> {
        let before = self.begin();
        let open = self.at;
        let start = self.bump().span;
        if self.is(Kind::LeftBrace) {
            let block = self.block()?;
            self.expect(Kind::RightParen, "this block")?;
            let all = self.above(start, ExprKind::StatementExpression(std::rc::Rc::new(block)))?;
            self.end(before);
            return Ok(all);
        }
        if self.is(Kind::RightParen) {
            return self.fail(Diagnostic::error(
                "syntax",
                self.span(),
                "expected an expression between `(` and `)`",
            ));
        }
        let inner = self.within(open, Self::fold_or_expression)?;
        let all = match inner.kind {
            // The parentheses belong to it.
            ExprKind::Fold { .. } => Expr { span: start.to(self.before()), ..inner },
            _ => self.above(start, ExprKind::Parentheses(Box::new(inner)))?,
        };
        self.end(before);
        Ok(all)
    }

    fn fold_or_expression(&mut self) -> Parse<Expr> {
        let start = self.span();
        if self.eat(Kind::Ellipsis).is_some() {
            let operator = self.fold_operator()?;
            let right = self.binary(MEMBERS_OF_FOLD)?;
            return self.above(start, ExprKind::Fold { operator, left: None, right: Some(Box::new(right)) });
        }
        let left = self.expression()?;
        let count = self.binary_operator().map_or(1, |(_, _, count)| count);
        if self.kind_ahead(count) != Kind::Ellipsis || self.is(Kind::RightParen) {
            return Ok(left);
        }
        let operator = self.fold_operator()?;
        self.bump();
        let mut right = None;
        if !self.is(Kind::RightParen) {
            let again = self.fold_operator()?;
            if again != operator {
                let span = self.before();
                return self.fail(Diagnostic::error(
                    "syntax",
                    span,
                    "operators in a fold expression must be the same",
                ));
            }
            right = Some(Box::new(self.binary(MEMBERS_OF_FOLD)?));
        }
        self.above(start, ExprKind::Fold { operator, left: Some(Box::new(left)), right })
    }

    fn fold_operator(&mut self) -> Parse<BinaryOperator> {
        if self.eat(Kind::Comma).is_some() {
            return Ok(BinaryOperator::Comma);
        }
        match self.binary_operator() {
            Some((operator, _, count)) => {
                for _ in 0..count {
                    self.bump();
                }
                Ok(operator)
            }
            None => self.expected("the operator of a fold expression"),
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Lists

    /// `.x`, `[3]` before `=`.
    pub(super) fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = vec![];
        loop {
            if self.is(Kind::Dot) && self.kind_ahead(1) == Kind::Word {
                self.bump();
                let (name, _) = self.ident("a member")?;
                designators.push(Designator::Member(name));
            } else if self.is(Kind::LeftBracket) && self.designates() {
                let open = self.at;
                self.bump();
                let index = self.within(open, Self::expression)?;
                designators.push(Designator::Index(index));
            } else {
                break;
            }
        }
        // `.x = 1`, or `.x{1}`.
        if !designators.is_empty() && !self.is(Kind::LeftBrace) {
            self.expect(Kind::Equal, "this member")?;
        }
        Ok(designators)
    }

    /// Whether `[` begins a designator, and not a lambda.
    fn designates(&self) -> bool {
        self.partner(self.at).is_some_and(|close| {
            matches!(self.tok_at(close + 1).kind, Kind::Equal | Kind::Dot | Kind::LeftBracket)
        })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Lambdas

    fn lambda(&mut self) -> Parse<Expr> {
        if self.kind_ahead(1) == Kind::LeftBracket {
            return self.expected("an expression");
        }
        let before = self.begin();
        let start = self.span();
        let closes = std::mem::replace(&mut self.greater_closes, false);
        let lambda = self.scoped(ScopeKind::Plain, |parser| parser.lambda_within(start));
        self.greater_closes = closes;
        let lambda = lambda?;
        let all = self.above(start, ExprKind::Lambda(Rc::new(lambda)))?;
        self.end(before);
        Ok(all)
    }

    fn lambda_within(&mut self, start: Span) -> Parse<Lambda> {
        let (default, captures) = self.captures()?;
        let mut template = vec![];
        if self.is(Kind::Less) {
            template = self.template_parameters()?;
        }
        let mut specifiers = Specifiers::default();
        self.attributes(&mut specifiers.attributes)?;
        let mut function = None;
        if self.is(Kind::LeftParen) {
            let chunk = self.parameters(super::name::Qualifier::None, super::DeclarationContext::Block)?;
            self.scopes.current = chunk.scope;
            function = Some(chunk);
        }
        let mut mutable = false;
        let mut trailing = None;
        loop {
            match self.kind() {
                Kind::Mutable => mutable = self.eat(Kind::Mutable).is_some(),
                Kind::Constexpr => specifiers.is_constexpr = self.eat(Kind::Constexpr),
                Kind::Noexcept => {
                    self.bump();
                    if self.is(Kind::LeftParen) {
                        self.skip_brackets();
                    }
                }
                Kind::Arrow => {
                    self.bump();
                    trailing = Some(self.type_id()?);
                }
                _ => {
                    if !self.attribute(&mut specifiers.attributes)? {
                        break;
                    }
                }
            }
        }
        let head = start.to(self.before());
        let auto = self.plain(TypeKind::Auto, head);
        let mut ty = match &function {
            Some(chunk) => super::declarator::function_type(auto, chunk),
            None => FunctionType {
                result: auto,
                parameters: vec![],
                variadic: false,
                constant: false,
                reference: None,
            },
        };
        if let Some(trailing) = trailing {
            ty.result = trailing;
        }
        if !self.is(Kind::LeftBrace) {
            return self.expected("`{` and the body of the lambda");
        }
        let body: Block = self.block()?;
        Ok(Lambda { default, captures, template, ty: Rc::new(ty), mutable, specifiers, body, head })
    }

    fn captures(&mut self) -> Parse<(Option<CaptureMode>, Vec<Capture>)> {
        self.bump();
        let mut default = None;
        let mut captures = vec![];
        while self.eat(Kind::RightBracket).is_none() {
            let ends = matches!(self.kind_ahead(1), Kind::Comma | Kind::RightBracket);
            match self.kind() {
                Kind::Equal if ends => {
                    self.bump();
                    default = Some(CaptureMode::Copy);
                }
                Kind::Amp if ends => {
                    self.bump();
                    default = Some(CaptureMode::Reference);
                }
                _ => captures.push(self.capture()?),
            }
            if self.eat(Kind::Comma).is_none() && !self.is(Kind::RightBracket) {
                return self.expected("`,` or `]` after this capture");
            }
        }
        Ok((default, captures))
    }

    fn capture(&mut self) -> Parse<Capture> {
        let this = |span| Ident { symbol: Symbol::from("this"), span };
        if let Some(span) = self.eat(Kind::This) {
            return Ok(Capture {
                name: this(span),
                mode: CaptureMode::Reference,
                initializer: None,
                pack: false,
            });
        }
        if self.is(Kind::Star) && self.kind_ahead(1) == Kind::This {
            let span = self.bump().span.to(self.bump().span);
            return Ok(Capture { name: this(span), mode: CaptureMode::Copy, initializer: None, pack: false });
        }
        let mode = match self.eat(Kind::Amp) {
            Some(_) => CaptureMode::Reference,
            None => CaptureMode::Copy,
        };
        let mut pack = self.eat(Kind::Ellipsis).is_some();
        if matches!(self.kind(), Kind::Integer | Kind::Float) {
            // `float w[2] = [0.5f, 0.5f]`.
            return self.fail(
                Diagnostic::error("syntax", self.span(), "array values cannot be in brackets")
                    .help("write the values of an array in braces: `{ …, … }`"),
            );
        }
        let (name, word) = self.ident("the name of a variable")?;
        pack |= self.eat(Kind::Ellipsis).is_some();
        let open = self.span();
        let initializer = match self.kind() {
            Kind::Equal => {
                self.bump();
                Some(Initializer::Equals(self.initializer_value()?))
            }
            Kind::LeftParen => {
                let values = self.call_arguments(false)?;
                Some(Initializer::Parentheses(values, open.to(self.before())))
            }
            Kind::LeftBrace => Some(Initializer::Braces(self.init_list()?)),
            _ => None,
        };
        self.scopes.declare_here(word, Entity { flags: flag::VALUE, scope: None });
        Ok(Capture { name, mode, initializer, pack })
    }
}

/// Operands of a fold bind at least as strongly as pointers to members: they are casts.
const MEMBERS_OF_FOLD: u8 = 12;
