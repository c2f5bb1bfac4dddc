//! Declarations with specifiers and declarators: variables, classes and enumerations, and what is wrong with them.

use std::rc::Rc;

use super::declarator::Declarator;
use super::kind::Kind;
use super::name::{NameMode, Named, Names, Qualifier};
use super::scope::{Entity, flag};
use super::types::DeclSpecifiers;
use super::{DeclarationContext, Failed, Parse, Parser};
use crate::ast::{
    Alias, Declaration, DeclarationKind, Initializer, Specifiers, StructuredBinding, TagKind, Type, TypeKind,
    Variable,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Parser {
    /// Specifiers, declarators and a semicolon, or a function with its body.
    pub(super) fn simple_declaration(
        &mut self,
        place: DeclarationContext,
        to: &mut Vec<Declaration>,
    ) -> Parse<()> {
        let start = self.span();
        if place == DeclarationContext::Namespace && self.is_statement_here() {
            return self.statement_outside();
        }
        let specifiers = self.decl_specifiers(place)?;
        if specifiers.specifiers.is_friend.is_some() {
            let mut friends = vec![];
            let result = self.after_specifiers(start, specifiers, place, &mut friends);
            to.extend(friends.into_iter().map(|friend| {
                let span = friend.span;
                Declaration { kind: DeclarationKind::Friend(Rc::new(friend)), span }
            }));
            return result;
        }
        self.after_specifiers(start, specifiers, place, to)
    }

    /// Whether a statement begins here that can be no declaration.
    fn is_statement_here(&self) -> bool {
        matches!(
            self.kind(),
            Kind::If
                | Kind::Else
                | Kind::For
                | Kind::While
                | Kind::Do
                | Kind::Switch
                | Kind::Case
                | Kind::Break
                | Kind::Continue
                | Kind::Return
                | Kind::Goto
        )
    }

    /// Error: a statement outside of functions. A `}` before it may be too many: then what is up to the one that closes
    /// nothing is passed over.
    fn statement_outside(&mut self) -> Parse<()> {
        let found = self.found(self.tok());
        let extra = (self.at..self.toks.len()).find(|at| self.tok_at(*at).kind == Kind::ExtraBrace);
        self.firm = true;
        let mut diagnostic =
            Diagnostic::error("syntax", self.span(), format!("unexpected {found} outside any function"));
        let closed =
            self.at.checked_sub(1).map(|at| self.tok_at(at)).filter(|tok| tok.kind == Kind::RightBrace);
        if let (Some(_), Some(brace)) = (extra, closed) {
            diagnostic = diagnostic.related(brace.span, "this `}` ends the function: is it an extra one?");
        }
        self.tell(diagnostic);
        if let Some(extra) = extra {
            self.at = extra;
            self.bump();
            return Ok(());
        }
        Err(Failed)
    }

    fn after_specifiers(
        &mut self,
        start: Span,
        mut specifiers: DeclSpecifiers,
        place: DeclarationContext,
        to: &mut Vec<Declaration>,
    ) -> Parse<()> {
        if let Some(ty) = &specifiers.ty {
            let alone = self.is(Kind::Semicolon) || self.type_without_semicolon(&specifiers);
            if let Some(tag) = tag_declaration(ty, alone) {
                to.push(Declaration { kind: tag, span: start.to(self.before()) });
                if alone {
                    self.firm |= !self.is(Kind::Semicolon);
                    self.semicolon(tag_words(ty));
                    return Ok(());
                }
                specifiers.ty = Some(self.tag_reference(ty));
            } else if alone {
                // `friend X;` names a class, and declares nothing either.
                if specifiers.specifiers.is_friend.is_some() {
                    self.bump();
                    to.push(Declaration { kind: DeclarationKind::Empty, span: start.to(self.before()) });
                    return Ok(());
                }
                if specifiers.typedef.is_none() && matches!(ty.kind, TypeKind::Elaborated(..)) {
                    self.bump();
                    return Ok(());
                }
                return self.declares_nothing();
            }
        } else if self.is_missing_type(place) {
            return self.missing_type(place);
        }
        if let Some(binding) = self.structured_binding(&specifiers)? {
            let kind = DeclarationKind::StructuredBinding(Rc::new(binding));
            to.push(Declaration { kind, span: start.to(self.before()) });
            self.semicolon("this declaration");
            return Ok(());
        }
        self.declarators(start, &specifiers, place, to)
    }

    /// Whether a class or enumeration ends here though no semicolon follows: what does, begins something else.
    fn type_without_semicolon(&mut self, specifiers: &DeclSpecifiers) -> bool {
        if !specifiers.has_body {
            return false;
        }
        let tok = self.tok();
        match tok.kind {
            Kind::Word if tok.first => matches!(
                self.kind_ahead(1),
                Kind::Word | Kind::Star | Kind::Amp | Kind::Less | Kind::ColonColon | Kind::LeftParen
            ),
            Kind::RightBrace | Kind::ExtraBrace | Kind::End => true,
            Kind::Public | Kind::Private | Kind::Protected | Kind::Tilde => true,
            kind => tok.first && kind.begins_statement(),
        }
    }

    fn declares_nothing(&mut self) -> Parse<()> {
        let span = self.before();
        self.fail(
            Diagnostic::error("syntax", span, "declaration does not declare anything: a name is missing")
                .help("write a name after the type"),
        )
    }

    /// What stands for a class or enumeration that has been declared just before.
    fn tag_reference(&self, ty: &Rc<Type>) -> Rc<Type> {
        let (tag, name) = match &ty.kind {
            TypeKind::Class(class) => (class.tag, class.name.clone()),
            TypeKind::Enum(one) => (TagKind::Enum, one.name.clone()),
            _ => return ty.clone(),
        };
        match name {
            Some(name) => Rc::new(Type {
                kind: TypeKind::Elaborated(tag, name),
                qualifiers: ty.qualifiers,
                span: ty.span,
            }),
            None => ty.clone(),
        }
    }

    fn is_missing_type(&mut self, place: DeclarationContext) -> bool {
        match self.kind() {
            Kind::Tilde | Kind::Operator => false,
            Kind::Word | Kind::ColonColon => {
                let class = match place {
                    DeclarationContext::Class(class) => class,
                    DeclarationContext::Namespace | DeclarationContext::Block => None,
                };
                if self.is(Kind::Word) && self.kind_ahead(1) == Kind::LeftParen {
                    let word = self.tok().data;
                    let template = self.scopes.lookup(word).is_some_and(|entity| entity.is(flag::TYPE));
                    return class != Some(word) && !template;
                }
                let saved = (self.at, self.peak, self.exhausted);
                self.quiet += 1;
                let named = self.name(NameMode::Declarator);
                self.quiet -= 1;
                (self.at, self.peak, self.exhausted) = saved;
                !named.is_ok_and(|named| {
                    named.doubled
                        || named.word.is_none()
                        || class.is_some() && named.word == class && named.qualifier == Qualifier::None
                })
            }
            _ => true,
        }
    }

    fn missing_type(&mut self, place: DeclarationContext) -> Parse<()> {
        let tok = self.tok();
        if tok.kind != Kind::Word {
            return self.expected("a declaration");
        }
        let name = self.symbol(tok.data);
        let statement = place == DeclarationContext::Namespace
            && matches!(
                self.kind_ahead(1),
                Kind::LeftBracket
                    | Kind::Dot
                    | Kind::Arrow
                    | Kind::PlusEqual
                    | Kind::PlusPlus
                    | Kind::LeftParen
            );
        if statement {
            let extra = (self.at..self.toks.len()).any(|at| self.tok_at(at).kind == Kind::ExtraBrace);
            if extra {
                return self.statement_outside();
            }
        }
        if self.kind_ahead(1) == Kind::LeftParen {
            return self.fail(
                Diagnostic::error("syntax", tok.span, format!("the return type of `{name}` is missing"))
                    .help(format!("write it before the name, such as `void {name}(…)`")),
            );
        }
        if &*name == "texture" && self.kind_ahead(1) == Kind::Less {
            return self.fail(
                Diagnostic::error("syntax", tok.span, "CUDA no longer has `texture` references").help(
                    "give the kernel a `cudaTextureObject_t`, and read with `tex2D<float>(object, x, y)`",
                ),
            );
        }
        self.fail(
            Diagnostic::error("syntax", tok.span, format!("the type of `{name}` is missing"))
                .help(format!("write it before the name, such as `int {name}` or `auto {name}`")),
        )
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Declarators

    /// `auto [a, b] = x`, without the semicolon.
    pub(super) fn structured_binding(
        &mut self,
        specifiers: &DeclSpecifiers,
    ) -> Parse<Option<StructuredBinding>> {
        let Some(base) = specifiers.ty.clone().filter(|ty| matches!(ty.kind, TypeKind::Auto)) else {
            return Ok(None);
        };
        let reference = matches!(self.kind(), Kind::Amp | Kind::AmpAmp);
        if !(self.is(Kind::LeftBracket) || reference && self.kind_ahead(1) == Kind::LeftBracket) {
            return Ok(None);
        }
        let operators = self.pointer_operators()?;
        let ty = self.apply_chunks(base, &operators)?;
        self.bump();
        let mut names = vec![];
        loop {
            let (name, word) = self.ident("a name")?;
            self.declare_value(word);
            names.push(name);
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.expect(Kind::RightBracket, "these names")?;
        let initializer = if self.is(Kind::Colon) { None } else { self.initializer()? };
        Ok(Some(StructuredBinding { specifiers: specifiers.specifiers.clone(), ty, names, initializer }))
    }

    fn declarators(
        &mut self,
        start: Span,
        specifiers: &DeclSpecifiers,
        place: DeclarationContext,
        to: &mut Vec<Declaration>,
    ) -> Parse<()> {
        let mut start = start;
        loop {
            let no_name = matches!(place, DeclarationContext::Class(_)) && self.is(Kind::Colon);
            let declarator = match no_name {
                true => Declarator { span: self.span(), ..Declarator::default() },
                false => self.declarator(Names::Required, place)?,
            };
            if self.declared(start, specifiers, declarator, place, to)? {
                return Ok(());
            }
            if self.eat(Kind::Comma).is_none() {
                break;
            }
            start = self.span();
        }
        // A declaration that goes on as none does is perhaps no declaration of ours; one that only lacks its end is.
        self.firm |= self.tok().first;
        self.semicolon(match specifiers.typedef {
            Some(_) => "this `typedef`",
            None => "this declaration",
        });
        Ok(())
    }

    /// What a declarator declares, up to the comma or semicolon; true where it is a function with its body, which has none.
    pub(super) fn declared(
        &mut self,
        start: Span,
        specifiers: &DeclSpecifiers,
        declarator: Declarator,
        place: DeclarationContext,
        to: &mut Vec<Declaration>,
    ) -> Parse<bool> {
        if specifiers.typedef.is_some() {
            let base = specifiers.ty.clone().ok_or(Failed)?;
            let target = self.apply(base, &declarator)?;
            let named = declarator.name.ok_or(Failed)?;
            let name = self.simple_name(&named)?;
            if let Some(word) = named.word {
                let scope = specifiers.scope.filter(|_| declarator.chunks.is_empty());
                self.scopes.declare(word, Entity { flags: flag::TYPE, scope });
            }
            let kind = DeclarationKind::Alias(Rc::new(Alias { name, target }));
            to.push(Declaration { kind, span: start.to(self.before()) });
            return Ok(false);
        }
        if let (Some(named), Some(function)) = (&declarator.name, declarator.function()) {
            let (named, function) = (named.clone(), function.clone());
            return self.function(start, specifiers, &declarator, named, &function, place, to);
        }
        let base = match &specifiers.ty {
            Some(base) => base.clone(),
            None => return self.expected("a declaration"),
        };
        let variable = self.variable(start, &specifiers.specifiers, base, declarator, place)?;
        let span = variable.span;
        to.push(Declaration { kind: DeclarationKind::Variable(Rc::new(variable)), span });
        Ok(false)
    }

    /// A variable, from after its declarator on.
    pub(super) fn variable(
        &mut self,
        start: Span,
        specifiers: &Specifiers,
        base: Rc<Type>,
        declarator: Declarator,
        place: DeclarationContext,
    ) -> Parse<Variable> {
        let ty = self.apply(base, &declarator)?;
        if let Some(named) = &declarator.name {
            self.declare_named(named);
        }
        let mut specifiers = specifiers.clone();
        specifiers.attributes.extend(declarator.attributes);
        let mut bits = None;
        if matches!(place, DeclarationContext::Class(_)) && self.eat(Kind::Colon).is_some() {
            bits = Some(self.binary(1)?);
        }
        // What is declared is kept where only its value cannot be read.
        let at = self.at;
        let initializer = match self.initializer() {
            Ok(initializer) => initializer,
            Err(failed) if self.quiet > 0 || self.exhausted => return Err(failed),
            Err(_) => {
                self.firm |= place != DeclarationContext::Namespace;
                self.skip_value(at);
                let value = self.error_expr(self.tok_at(at).span.to(self.before()));
                Some(Initializer::Equals(value))
            }
        };
        let name = declarator.name.map(|named| named.name);
        Ok(Variable { name, specifiers, ty, initializer, bits, span: start.to(self.before()) })
    }

    pub(super) fn declare_named(&mut self, named: &Named) {
        if let (Some(word), Qualifier::None) = (named.word, named.qualifier) {
            self.declare_value(word);
        }
    }

    /// `= x`, `(x)`, `{x}` or nothing.
    pub(super) fn initializer(&mut self) -> Parse<Option<Initializer>> {
        let start = self.span();
        Ok(match self.kind() {
            Kind::Equal => {
                self.bump();
                Some(Initializer::Equals(self.initializer_value()?))
            }
            Kind::LeftParen => {
                let values = self.call_arguments(false)?;
                Some(Initializer::Parentheses(values, start.to(self.before())))
            }
            Kind::LeftBrace => Some(Initializer::Braces(self.init_list()?)),
            _ => None,
        })
    }

    /// Goes before the semicolon, or to what begins a line like a statement.
    fn skip_value(&mut self, from: usize) {
        let error = self.at;
        self.at = from;
        loop {
            let tok = self.tok();
            match tok.kind {
                Kind::Semicolon | Kind::RightBrace | Kind::ExtraBrace | Kind::End | Kind::RightParen => {
                    return;
                }
                Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace => self.skip_brackets(),
                kind if tok.first && self.at >= error && kind.begins_statement() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }
}

/// A class or enumeration that is declared by being written: with a name before declarators, or alone.
fn tag_declaration(ty: &Rc<Type>, alone: bool) -> Option<DeclarationKind> {
    match &ty.kind {
        TypeKind::Class(class) if alone || class.name.is_some() => {
            Some(DeclarationKind::Class(class.clone()))
        }
        TypeKind::Enum(one) if alone || one.name.is_some() => Some(DeclarationKind::Enum(one.clone())),
        _ => None,
    }
}

fn tag_words(ty: &Type) -> &'static str {
    match &ty.kind {
        TypeKind::Class(class) => match class.tag {
            TagKind::Struct => "this `struct`",
            TagKind::Class => "this `class`",
            TagKind::Union => "this `union`",
            TagKind::Enum => "this `enum`",
        },
        _ => "this `enum`",
    }
}
