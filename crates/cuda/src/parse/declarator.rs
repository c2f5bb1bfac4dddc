//! Declarators: what is around a declared name, and parameters of functions.

use std::rc::Rc;

use super::kind::{FINAL, Kind, OVERRIDE};
use super::name::{Guess, NameMode, Named, Names, Qualifier};
use super::scope::{ScopeId, ScopeKind, flag};
use super::{Attempt, DeclarationContext, Parse, Parser};
use crate::ast::{Attribute, Expr, FunctionType, Ident, Name, Parameter, Qualifiers, Type, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Part of a declarator, from the inside (next to the type) to the outside.
#[derive(Clone, Debug)]
pub(super) enum Chunk {
    Pointer(Qualifiers, Span),
    Reference(Span),
    RvalueReference(Span),
    MemberPointer(Name, Qualifiers, Span),
    Array(Option<Rc<Expr>>, Span),
    Function(Rc<FunctionChunk>),
}

/// `(…) const -> T`.
#[derive(Clone, Debug)]
pub(super) struct FunctionChunk {
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
    pub constant: bool,
    pub reference: Option<&'static str>,
    pub trailing: Option<Rc<Type>>,
    pub requires: Option<Span>,
    pub is_virtual_like: Option<Span>,
    /// Whether it is said that it throws nothing: `noexcept`, or `noexcept(false)`.
    pub is_noexcept: Option<bool>,
    /// Has the parameters.
    pub scope: ScopeId,
    pub span: Span,
}

/// Declarator.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarator {
    pub name: Option<Named>,
    /// In the order in which they are put around the type.
    pub chunks: Vec<Chunk>,
    pub attributes: Vec<Attribute>,
    /// `...` before the name.
    pub pack: Option<Span>,
    pub span: Span,
}

impl Declarator {
    /// The parentheses next to the name, where it declares a function.
    pub(super) fn function(&self) -> Option<&Rc<FunctionChunk>> {
        match self.chunks.last() {
            Some(Chunk::Function(function)) => Some(function),
            _ => None,
        }
    }
}

impl Parser {
    /// `* const`, `&`, `C::*`, one after the other.
    pub(super) fn pointer_operators(&mut self) -> Parse<Vec<Chunk>> {
        let mut chunks = vec![];
        let mut ignored = vec![];
        loop {
            let tok = self.tok();
            match tok.kind {
                Kind::Star => {
                    self.bump();
                    let qualifiers = self.qualifiers(&mut ignored)?;
                    chunks.push(Chunk::Pointer(qualifiers, tok.span));
                }
                Kind::Amp => {
                    self.bump();
                    self.qualifiers(&mut ignored)?;
                    chunks.push(Chunk::Reference(tok.span));
                }
                Kind::AmpAmp => {
                    self.bump();
                    self.qualifiers(&mut ignored)?;
                    chunks.push(Chunk::RvalueReference(tok.span));
                }
                Kind::Word | Kind::ColonColon if self.is_member_pointer() => {
                    let class = self.name(NameMode::Type)?.name;
                    self.bump();
                    self.bump();
                    let qualifiers = self.qualifiers(&mut ignored)?;
                    chunks.push(Chunk::MemberPointer(class, qualifiers, tok.span.to(self.before())));
                }
                _ => return Ok(chunks),
            }
            if chunks.len() > 100 {
                return self.too_deep();
            }
        }
    }

    /// Whether `A::B<C>::*` is next.
    fn is_member_pointer(&self) -> bool {
        let mut at = usize::from(self.is(Kind::ColonColon));
        loop {
            if self.kind_ahead(at) != Kind::Word {
                return false;
            }
            at += 1;
            if self.kind_ahead(at) == Kind::Less {
                let mut depth = 0;
                loop {
                    match self.kind_ahead(at) {
                        Kind::Less => depth += 1,
                        Kind::Greater => depth -= 1,
                        Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::Equal | Kind::End => {
                            return false;
                        }
                        _ => {}
                    }
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            if self.kind_ahead(at) != Kind::ColonColon {
                return false;
            }
            at += 1;
            if self.kind_ahead(at) == Kind::Star {
                return true;
            }
        }
    }

    fn qualifiers(&mut self, attributes: &mut Vec<Attribute>) -> Parse<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.kind() {
                Kind::Const => qualifiers.constant = true,
                Kind::Volatile => qualifiers.volatile = true,
                Kind::Restrict => qualifiers.restrict = true,
                // `float* __device__ f()` is seen; it belongs to what is declared.
                kind if kind.is_attribute() => {
                    if !self.attribute(attributes)? {
                        return Ok(qualifiers);
                    }
                    continue;
                }
                _ => return Ok(qualifiers),
            }
            self.bump();
        }
    }

    /// A declarator, with or without a name.
    pub(super) fn declarator(&mut self, names: Names, place: DeclarationContext) -> Parse<Declarator> {
        self.deeper(|parser| parser.declarator_within(names, place))
    }

    fn declarator_within(&mut self, names: Names, place: DeclarationContext) -> Parse<Declarator> {
        let start = self.span();
        let mut all = Declarator::default();
        // Attributes between `*` and the name are the declaration's.
        let first = self.at;
        let operators = self.pointer_operators()?;
        if self.at > first {
            self.attributes_between(first, &mut all.attributes)?;
        }
        self.attributes(&mut all.attributes)?;
        while self.is(Kind::Restrict) || self.is(Kind::Const) && !operators.is_empty() {
            self.bump();
        }
        all.chunks = operators;
        if names != Names::None {
            // After a type alone, such as a template's argument, it belongs to what is around.
            all.pack = self.eat(Kind::Ellipsis);
        }
        let mut inner = None;
        if self.is(Kind::LeftParen) && self.is_grouping(names) {
            self.bump();
            inner = Some(self.declarator(names, place)?);
            self.expect(Kind::RightParen, "this declarator")?;
        } else if names != Names::None && self.at_declared_name() {
            all.name = Some(self.name(NameMode::Declarator)?);
        } else if names == Names::Required {
            return self.missing_name();
        }
        let has_name = all.name.is_some() || inner.as_ref().is_some_and(|inner| inner.name.is_some());
        let mut suffixes = vec![];
        self.suffixes(&mut suffixes, &mut all, names, place, has_name)?;
        all.chunks.extend(suffixes.into_iter().rev());
        if let Some(inner) = inner {
            all.chunks.extend(inner.chunks);
            all.name = inner.name;
            all.attributes.extend(inner.attributes);
            all.pack = all.pack.or(inner.pack);
        }
        if all.chunks.len() > 200 {
            return self.too_deep();
        }
        all.span = start.to(self.before());
        Ok(all)
    }

    /// Attributes among pointer operators, which [`Parser::pointer_operators`] passed over.
    fn attributes_between(&mut self, first: usize, to: &mut Vec<Attribute>) -> Parse<()> {
        let end = self.at;
        if !(first..end).any(|at| self.tok_at(at).kind.is_attribute()) {
            return Ok(());
        }
        self.at = first;
        while self.at < end {
            if !self.attribute(to)? {
                self.bump();
            }
        }
        self.at = end;
        Ok(())
    }

    fn at_declared_name(&self) -> bool {
        match self.kind() {
            Kind::Word | Kind::Operator | Kind::ColonColon => true,
            Kind::Tilde => self.kind_ahead(1) == Kind::Word,
            _ => false,
        }
    }

    fn missing_name<T>(&mut self) -> Parse<T> {
        let tok = self.tok();
        if tok.kind.is_keyword() && !tok.first && !tok.kind.is_attribute() {
            let text = tok.kind.text().unwrap_or_default();
            return self.fail(
                Diagnostic::error("syntax", tok.span, format!("expected a name, found keyword `{text}`"))
                    .help("choose another name"),
            );
        }
        if tok.kind == Kind::LeftBracket {
            return self.fail(
                Diagnostic::error("syntax", tok.span, "expected a name, found `[`").help(
                    "the brackets of an array come after its name; a function cannot return an array: let it fill one \
                     that a pointer parameter points to",
                ),
            );
        }
        let number = |kind: Kind| matches!(kind, Kind::Integer | Kind::Float);
        let [whole, comma] = [2, 1].map(|back| self.at.checked_sub(back).map(|at| self.tok_at(at)));
        if let (Some(whole), Some(comma)) = (whole, comma)
            && number(tok.kind)
            && comma.kind == Kind::Comma
            && number(whole.kind)
        {
            return self.fail(
                Diagnostic::error(
                    "syntax",
                    comma.span,
                    "expected a name after this comma, which ends the initialiser",
                )
                .help("the decimal separator is a point: `3.14`"),
            );
        }
        self.expected("a name")
    }

    /// Whether `(` groups a declarator, and does not open parameters.
    fn is_grouping(&mut self, names: Names) -> bool {
        let next = self.tok_at(self.at + 1);
        match next.kind {
            Kind::Star | Kind::Amp | Kind::AmpAmp | Kind::Caret => true,
            Kind::LeftParen => {
                let at = self.at;
                self.at += 1;
                let grouping = self.depth < super::RECURSION && {
                    self.depth += 1;
                    let grouping = self.is_grouping(names);
                    self.depth -= 1;
                    grouping
                };
                self.at = at;
                grouping
            }
            Kind::Word if self.kind_ahead(2) == Kind::ColonColon && self.kind_ahead(3) == Kind::Star => true,
            Kind::Word => {
                names == Names::Required
                    || names == Names::Optional
                        && !self.scopes.lookup(next.data).is_some_and(|entity| entity.is(flag::TYPE))
                        && matches!(self.kind_ahead(2), Kind::RightParen | Kind::LeftBracket)
                        && matches!(
                            self.partner(self.at).map(|close| self.tok_at(close + 1).kind),
                            Some(Kind::LeftParen | Kind::LeftBracket | Kind::RightParen | Kind::Comma)
                        )
            }
            Kind::Operator | Kind::Tilde | Kind::ColonColon => names == Names::Required,
            _ => false,
        }
    }

    fn suffixes(
        &mut self,
        suffixes: &mut Vec<Chunk>,
        all: &mut Declarator,
        names: Names,
        place: DeclarationContext,
        has_name: bool,
    ) -> Parse<()> {
        loop {
            match self.kind() {
                Kind::LeftBracket if self.kind_ahead(1) != Kind::LeftBracket => {
                    let start = self.bump().span;
                    let mut size = None;
                    if !self.is(Kind::RightBracket) {
                        let closes = std::mem::replace(&mut self.greater_closes, false);
                        size = Some(Rc::new(self.array_size()?));
                        self.greater_closes = closes;
                    }
                    self.expect(Kind::RightBracket, "the size of this array")?;
                    suffixes.push(Chunk::Array(size, start.to(self.before())));
                }
                Kind::LeftParen if self.opens_parameters(all.name.as_ref(), names, place, has_name) => {
                    let qualifier = all.name.as_ref().map_or(Qualifier::None, |named| named.qualifier);
                    let function = self.parameters(qualifier, place)?;
                    suffixes.push(Chunk::Function(Rc::new(function)));
                }
                Kind::Asm if has_name && self.kind_ahead(1) == Kind::LeftParen => {
                    // `int x asm("name")`: only for linkers.
                    self.bump();
                    self.skip_brackets();
                }
                _ => {
                    // On a new line, `__global__` begins the next declaration, and this one lacks its semicolon.
                    let next = self.tok().first && self.kind().begins_statement();
                    if next && !self.is(Kind::AttributeGnu) || !self.attribute(&mut all.attributes)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn array_size(&mut self) -> Parse<Expr> {
        self.assignment()
    }

    /// Whether `(` after a declarator opens parameters, and not an initialiser.
    fn opens_parameters(
        &mut self,
        name: Option<&Named>,
        names: Names,
        place: DeclarationContext,
        has_name: bool,
    ) -> bool {
        if names == Names::None || names == Names::Optional {
            return true;
        }
        if matches!(place, DeclarationContext::Class(_)) || !has_name {
            return true;
        }
        if name.is_some_and(|named| named.word.is_none() || named.doubled) {
            return true;
        }
        let Some(close) = self.partner(self.at) else { return false };
        let behind = self.tok_at(close + 1).kind;
        match self.kind_ahead(1) {
            Kind::RightParen | Kind::Ellipsis => return true,
            kind if kind.begins_type() || kind.is_attribute() || kind == Kind::Register => {
                if matches!(behind, Kind::LeftBrace | Kind::Const | Kind::Noexcept | Kind::Arrow) {
                    return true;
                }
            }
            Kind::Word | Kind::ColonColon => {
                if matches!(behind, Kind::LeftBrace | Kind::Const | Kind::Noexcept | Kind::Arrow)
                    && place != DeclarationContext::Block
                    || self.is_old_style(close + 1, place)
                {
                    return true;
                }
            }
            Kind::LeftBracket => {}
            _ => return false,
        }
        let end = self.attempt(Attempt::Parameters, |parser| {
            parser.bump();
            let guess = parser.guess_type();
            if guess == Guess::No {
                return Ok(false);
            }
            if guess == Guess::Unknown && place == DeclarationContext::Block {
                // `T x(unknown)`: a value; `T f(unknown y)`: a parameter.
                let Some((_, _, end)) = parser.peek_name() else { return Ok(false) };
                return Ok(parser.tok_at(end).kind == Kind::Word);
            }
            let specifiers = parser.decl_specifiers(DeclarationContext::Block)?;
            if specifiers.ty.is_none() {
                return Ok(false);
            }
            parser.declarator(Names::Optional, DeclarationContext::Block)?;
            Ok(matches!(parser.kind(), Kind::Comma | Kind::RightParen | Kind::Equal | Kind::Ellipsis))
        });
        end.is_some()
    }

    /// Whether declarations stand between a function's head and its body, as C once had them, from this token on.
    pub(super) fn is_old_style(&self, at: usize, place: DeclarationContext) -> bool {
        let first = self.tok_at(at);
        place == DeclarationContext::Namespace
            && first.first
            && first.kind.is_builtin_type()
            && (at..at + 64).find(|at| !self.is_of_plain_declaration(*at)).is_some_and(|end| {
                self.tok_at(end).kind == Kind::LeftBrace && self.tok_at(end - 1).kind == Kind::Semicolon
            })
    }

    fn is_of_plain_declaration(&self, at: usize) -> bool {
        let kind = self.tok_at(at).kind;
        kind.is_builtin_type()
            || matches!(
                kind,
                Kind::Word
                    | Kind::Star
                    | Kind::Comma
                    | Kind::Semicolon
                    | Kind::Const
                    | Kind::LeftBracket
                    | Kind::RightBracket
            )
    }

    /// `(int a, float b) const noexcept -> T`.
    pub(super) fn parameters(
        &mut self,
        qualifier: Qualifier,
        place: DeclarationContext,
    ) -> Parse<FunctionChunk> {
        let before = self.scopes.enter(ScopeKind::Plain);
        let scope = self.scopes.current;
        if let Qualifier::Known(class) = qualifier {
            self.scopes.also(scope, class);
        }
        let closes = std::mem::replace(&mut self.greater_closes, false);
        let result = self.deeper(|parser| parser.parameters_within(scope, place));
        self.greater_closes = closes;
        self.scopes.current = before;
        result
    }

    fn parameters_within(&mut self, scope: ScopeId, place: DeclarationContext) -> Parse<FunctionChunk> {
        let start = self.span();
        let open = self.at;
        self.expect(Kind::LeftParen, "the name of a function")?;
        let mut all = FunctionChunk {
            parameters: vec![],
            variadic: false,
            constant: false,
            reference: None,
            trailing: None,
            requires: None,
            is_virtual_like: None,
            is_noexcept: None,
            scope,
            span: start,
        };
        if self.is(Kind::Void) && self.kind_ahead(1) == Kind::RightParen {
            self.bump();
        }
        let list = self.parameter_list(&mut all);
        if list.is_err() {
            self.leave_brackets(open)?;
        } else {
            self.bump();
        }
        self.after_parameters(&mut all, place)?;
        all.span = start.to(self.before());
        Ok(all)
    }

    fn parameter_list(&mut self, all: &mut FunctionChunk) -> Parse<()> {
        loop {
            if self.is(Kind::RightParen) {
                return Ok(());
            }
            if self.eat(Kind::Ellipsis).is_some() {
                all.variadic = true;
                if self.is(Kind::RightParen) {
                    return Ok(());
                }
                return self.expected("`)`");
            }
            let parameter = self.parameter()?;
            all.parameters.push(parameter);
            if self.eat(Kind::Comma).is_some() {
                if self.is(Kind::RightParen) {
                    return self.expected("another parameter");
                }
                continue;
            }
            match self.kind() {
                Kind::RightParen | Kind::Ellipsis => {}
                _ => {
                    let found = self.found(self.tok());
                    let problem = Diagnostic::error(
                        "syntax",
                        self.before().after(),
                        format!("expected `,` or `)` after this parameter, found {found}"),
                    );
                    // A type begins the next parameter: read on, so that its name is known in the body.
                    if self.quiet == 0 && self.kind().is_builtin_type() {
                        self.tell(problem.label("write `,` here"));
                        continue;
                    }
                    return self.fail(problem.label("write `,` or `)` here"));
                }
            }
        }
    }

    /// One parameter of a function.
    pub(super) fn parameter(&mut self) -> Parse<Parameter> {
        let start = self.span();
        if let Some(parameter) = self.parameter_without_type() {
            return Ok(parameter);
        }
        let mut specifiers = self.decl_specifiers(DeclarationContext::Block)?;
        let Some(base) = specifiers.ty.take() else { return self.expected("a parameter") };
        let declarator = self.declarator(Names::Optional, DeclarationContext::Block)?;
        if declarator.name.is_none() && self.kind().is_keyword() {
            return self.missing_name();
        }
        let mut ty = self.apply(base, &declarator)?;
        if let Some(span) = declarator.pack {
            ty = self.plain(TypeKind::Pack(ty), span);
        }
        let name = match &declarator.name {
            Some(named) => Some(self.simple_name(named)?),
            None => None,
        };
        if let Some(word) = declarator.name.as_ref().and_then(|named| named.word) {
            self.declare_value(word);
        }
        let mut attributes = specifiers.specifiers.attributes;
        attributes.extend(declarator.attributes);
        let mut default = None;
        if self.eat(Kind::Equal).is_some() {
            default = Some(Rc::new(self.initializer_value()?));
        }
        Ok(Parameter { name, attributes, ty, default, span: start.to(self.before()) })
    }

    /// A parameter that is only a name, as in Python, or has its type after it: reported, and taken as one whose type is not known.
    fn parameter_without_type(&mut self) -> Option<Parameter> {
        let start = self.span();
        let at = (self.at..).find(|at| !matches!(self.tok_at(*at).kind, Kind::Const | Kind::Star))?;
        let (tok, next) = (self.tok_at(at), self.tok_at(at + 1).kind);
        let is_one = matches!(next, Kind::Comma | Kind::RightParen) || next == Kind::Colon && at == self.at;
        // In classes, names may come from where the parser does not see them.
        if self.quiet > 0 || self.classes > 0 || tok.ours || tok.kind != Kind::Word || !is_one {
            return None;
        }
        // `f(T, U)`: types without names, where they are known as such.
        if self.scopes.lookup(tok.data).is_some_and(|entity| entity.is(flag::TYPE)) {
            return None;
        }
        let name = self.ident_of(tok);
        let star =
            if self.tok_at(at.saturating_sub(1)).kind == Kind::Star && at > self.at { "*" } else { "" };
        let mut help = format!(
            "write its type before it, such as `{} {star}{}`",
            if star.is_empty() { "int" } else { "float" },
            name.symbol
        );
        self.at = at;
        if next == Kind::Colon {
            help = format!(
                "in C the type comes before the name, such as `int {0}` or `float *{0}`",
                name.symbol
            );
        } else if !star.is_empty() {
            help += ": each parameter needs its own type";
        }
        self.tell(
            Diagnostic::error(
                "syntax",
                name.span,
                format!("the type of the parameter `{}` is missing", name.symbol),
            )
            .help(help),
        );
        self.bump();
        while next == Kind::Colon && !matches!(self.kind(), Kind::Comma | Kind::RightParen | Kind::End) {
            self.bump();
        }
        self.declare_value(tok.data);
        let ty = self.plain(TypeKind::Error, name.span);
        Some(Parameter {
            name: Some(name),
            attributes: vec![],
            ty,
            default: None,
            span: start.to(self.before()),
        })
    }

    /// A declared name that must be one word.
    pub(super) fn simple_name(&mut self, named: &Named) -> Parse<Ident> {
        match named.name.simple() {
            Some(symbol) => Ok(Ident { symbol: symbol.clone(), span: named.name.span }),
            None => self.fail(Diagnostic::error("syntax", named.name.span, "expected a name without `::`")),
        }
    }

    fn after_parameters(&mut self, all: &mut FunctionChunk, place: DeclarationContext) -> Parse<()> {
        let mut ignored = vec![];
        loop {
            let tok = self.tok();
            match tok.kind {
                Kind::Const => all.constant = true,
                Kind::Volatile => {}
                Kind::Amp if place != DeclarationContext::Block => all.reference = Some("&"),
                Kind::AmpAmp if place != DeclarationContext::Block => all.reference = Some("&&"),
                Kind::Noexcept => {
                    self.bump();
                    all.is_noexcept = Some(true);
                    if self.is(Kind::LeftParen) {
                        all.is_noexcept = Some(self.kind_ahead(1) != Kind::False);
                        self.skip_brackets();
                    }
                    continue;
                }
                Kind::Throw if self.kind_ahead(1) == Kind::LeftParen => {
                    self.bump();
                    self.skip_brackets();
                    continue;
                }
                Kind::Arrow => {
                    self.bump();
                    all.trailing = Some(self.type_id()?);
                    continue;
                }
                Kind::Word
                    if matches!(tok.data, OVERRIDE | FINAL)
                        && matches!(place, DeclarationContext::Class(_)) =>
                {
                    all.is_virtual_like = Some(tok.span);
                }
                Kind::Requires => {
                    all.requires = Some(tok.span);
                    self.skip_requires();
                    continue;
                }
                _ => {
                    if !tok.kind.is_attribute() || !self.attribute(&mut ignored)? {
                        return Ok(());
                    }
                    continue;
                }
            }
            self.bump();
        }
    }

    /// Passes over a constraint.
    pub(super) fn skip_requires(&mut self) {
        self.bump();
        if self.is(Kind::Requires) {
            self.bump();
        }
        loop {
            match self.kind() {
                Kind::LeftParen => self.skip_brackets(),
                Kind::Word | Kind::ColonColon | Kind::AmpAmp | Kind::PipePipe | Kind::Bang => {
                    let joins = matches!(self.kind(), Kind::AmpAmp | Kind::PipePipe | Kind::Bang);
                    if joins {
                        self.bump();
                        continue;
                    }
                    if self.name(NameMode::Type).is_err() {
                        return;
                    }
                    if !matches!(self.kind(), Kind::AmpAmp | Kind::PipePipe) {
                        return;
                    }
                }
                Kind::LeftBrace if self.before_is_requires() => self.skip_brackets(),
                _ => return,
            }
            if !matches!(self.kind(), Kind::AmpAmp | Kind::PipePipe | Kind::LeftBrace) {
                return;
            }
            if self.is(Kind::LeftBrace) && !self.before_is_requires() {
                return;
            }
        }
    }

    fn before_is_requires(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|at| self.tok_at(at).kind == Kind::Requires)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Types out of declarators

    /// The type that a declarator makes of the one before it.
    pub(super) fn apply(&mut self, base: Rc<Type>, declarator: &Declarator) -> Parse<Rc<Type>> {
        self.apply_chunks(base, &declarator.chunks)
    }

    pub(super) fn apply_chunks(&mut self, base: Rc<Type>, chunks: &[Chunk]) -> Parse<Rc<Type>> {
        let mut ty = base;
        for chunk in chunks {
            self.node()?;
            let (kind, qualifiers, span) = match chunk {
                Chunk::Pointer(qualifiers, span) => (TypeKind::Pointer(ty), *qualifiers, *span),
                Chunk::Reference(span) => (TypeKind::Reference(ty), Qualifiers::default(), *span),
                Chunk::RvalueReference(span) => (TypeKind::RvalueReference(ty), Qualifiers::default(), *span),
                Chunk::MemberPointer(class, qualifiers, span) => {
                    (TypeKind::MemberPointer(class.clone(), ty), *qualifiers, *span)
                }
                Chunk::Array(size, span) => (TypeKind::Array(ty, size.clone()), Qualifiers::default(), *span),
                Chunk::Function(function) => {
                    let span = function.span;
                    (TypeKind::Function(Rc::new(function_type(ty, function))), Qualifiers::default(), span)
                }
            };
            ty = Rc::new(Type { kind, qualifiers, span });
        }
        Ok(ty)
    }
}

/// Type of a function that returns `result` before its trailing return type is looked at.
pub(super) fn function_type(result: Rc<Type>, function: &FunctionChunk) -> FunctionType {
    FunctionType {
        result: function.trailing.clone().unwrap_or(result),
        parameters: function.parameters.clone(),
        variadic: function.variadic,
        constant: function.constant,
        reference: function.reference,
    }
}
