//! Classes and enumerations.

use std::rc::Rc;

use super::kind::Kind;
use super::name::{Guess, NameMode, Named, Qualifier};
use super::scope::{Entity, ScopeId, ScopeKind, flag};
use super::{DeclarationContext, Parse, Parser};
use crate::ast::{
    Access, Attribute, AttributeKind, Base, Class, Declaration, DeclarationKind, Enum, Enumerator, TagKind,
    Type, TypeKind,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A class without its body.
struct Head {
    start: Span,
    tag: TagKind,
    attributes: Vec<Attribute>,
    named: Option<Named>,
}

impl Parser {
    /// `struct S { … }`, `struct S;`, `struct S` before something.
    pub(super) fn class_specifier(
        &mut self,
        _place: DeclarationContext,
    ) -> Parse<(Rc<Type>, Option<ScopeId>)> {
        let start = self.span();
        let tag = match self.bump().kind {
            Kind::Union => TagKind::Union,
            Kind::Class => TagKind::Class,
            _ => TagKind::Struct,
        };
        let mut head = Head { start, tag, attributes: vec![], named: None };
        self.attributes(&mut head.attributes)?;
        if self.is(Kind::Word) || self.is(Kind::ColonColon) {
            head.named = Some(self.name(NameMode::Declarator)?);
        }
        self.attributes(&mut head.attributes)?;
        if self.is_final() {
            self.bump();
        }
        if self.is(Kind::LeftBrace) || self.is(Kind::Colon) && self.tok_at(self.at + 1).kind != Kind::Integer
        {
            return self.deeper(|parser| parser.class_definition(head));
        }
        let Some(named) = head.named else { return self.expected("the name or the body of this class") };
        let span = start.to(self.before());
        let scope = named.entity.and_then(|entity| entity.scope);
        if self.is(Kind::Semicolon) {
            self.declare_tag(&named, None);
            let class = Class {
                tag,
                name: Some(named.name),
                attributes: head.attributes,
                bases: vec![],
                members: None,
                span,
            };
            return Ok((self.plain(TypeKind::Class(Rc::new(class)), span), scope));
        }
        if named.entity.is_none() {
            self.declare_tag(&named, None);
        }
        Ok((self.plain(TypeKind::Elaborated(tag, named.name), span), scope))
    }

    fn declare_tag(&mut self, named: &Named, scope: Option<ScopeId>) {
        let arguments = named.name.last().is_some_and(|last| last.arguments.is_some());
        if let (Some(word), Qualifier::None, false) = (named.word, named.qualifier, arguments) {
            self.scopes.declare(word, Entity { flags: flag::TYPE, scope });
        }
    }

    fn class_definition(&mut self, head: Head) -> Parse<(Rc<Type>, Option<ScopeId>)> {
        let node = self.begin();
        let outside = self.scopes.enter(ScopeKind::Plain);
        let scope = self.scopes.current;
        self.scopes.current = outside;
        let word = head.named.as_ref().and_then(|named| named.word);
        if let Some(named) = &head.named {
            self.declare_tag(named, Some(scope));
            if let Qualifier::Known(around) = named.qualifier {
                self.scopes.also(scope, around);
                // `struct A::B { … }`, declared in `A` before.
                if let Some(word) = named.word {
                    self.scopes.declare_in(around, word, Entity { flags: flag::TYPE, scope: Some(scope) });
                }
            }
            if let Some(word) = named.word {
                let template = named.entity.is_some_and(|entity| entity.is(flag::TEMPLATE))
                    || self.scopes.lookup(word).is_some_and(|entity| entity.is(flag::TEMPLATE));
                let flags = flag::TYPE | if template { flag::TEMPLATE } else { 0 };
                self.scopes.declare_in(scope, word, Entity { flags, scope: Some(scope) });
            }
        }
        let mut bases = vec![];
        if self.eat(Kind::Colon).is_some() {
            bases = self.bases(scope)?;
        }
        let pack = self.tok().pack;
        self.expect(Kind::LeftBrace, "the head of this class")?;
        self.scopes.current = scope;
        self.classes += 1;
        let members = self.class_members(word);
        self.classes -= 1;
        self.scopes.current = outside;
        let closed = self.expect(Kind::RightBrace, "the members of this class");
        if self.classes == 0 {
            self.parse_pending();
        }
        closed?;
        let mut attributes = head.attributes;
        if pack > 0 {
            attributes.push(Attribute { kind: AttributeKind::Pack(pack), span: head.start });
        }
        while matches!(self.kind(), Kind::AttributeGnu | Kind::Align) {
            self.attribute(&mut attributes)?;
        }
        self.node()?;
        self.end(node);
        let span = head.start.to(self.before());
        let class = Class {
            tag: head.tag,
            name: head.named.map(|named| named.name),
            attributes,
            bases,
            members: Some(members),
            span,
        };
        Ok((self.plain(TypeKind::Class(Rc::new(class)), span), Some(scope)))
    }

    fn bases(&mut self, class: ScopeId) -> Parse<Vec<Base>> {
        let mut bases = vec![];
        loop {
            let (mut access, mut is_virtual) = (None, None);
            loop {
                match self.kind() {
                    Kind::Public => access = Some(Access::Public),
                    Kind::Protected => access = Some(Access::Protected),
                    Kind::Private => access = Some(Access::Private),
                    Kind::Virtual => is_virtual = Some(self.span()),
                    _ => break,
                }
                self.bump();
            }
            let base = if self.is(Kind::Decltype) && !self.is_decltype_prefix() {
                self.type_of()?
            } else {
                let named = self.name(NameMode::Type)?;
                if let Some(scope) = named.entity.and_then(|entity| entity.scope) {
                    self.scopes.also(class, scope);
                }
                let span = named.name.span;
                self.plain(TypeKind::Name(named.name), span)
            };
            let pack = self.eat(Kind::Ellipsis).is_some();
            bases.push(Base { class: base, access, is_virtual, pack });
            if self.eat(Kind::Comma).is_none() {
                return Ok(bases);
            }
        }
    }

    fn class_members(&mut self, word: Option<u32>) -> Vec<Declaration> {
        let mut members = vec![];
        loop {
            let start = self.span();
            let access = match self.kind() {
                Kind::RightBrace | Kind::ExtraBrace | Kind::End => return members,
                Kind::Semicolon => {
                    self.bump();
                    continue;
                }
                Kind::PragmaUnroll | Kind::PragmaNoUnroll | Kind::PragmaOmp => {
                    self.skip_pragma();
                    continue;
                }
                Kind::Public => Access::Public,
                Kind::Protected => Access::Protected,
                Kind::Private => Access::Private,
                _ => {
                    let (depth, peak) = (self.depth, self.peak);
                    self.member(DeclarationContext::Class(word), &mut members);
                    self.depth = depth;
                    self.peak = self.peak.max(peak);
                    continue;
                }
            };
            self.bump();
            let _: Parse<Span> = self.expect(Kind::Colon, "this access specifier");
            members.push(Declaration { kind: DeclarationKind::Access(access), span: start });
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Enumerations

    /// `enum E { … }`, `enum class E : int;`, `enum E` before something.
    pub(super) fn enum_specifier(&mut self) -> Parse<(Rc<Type>, Option<ScopeId>)> {
        let start = self.bump().span;
        let scoped = matches!(self.kind(), Kind::Class | Kind::Struct);
        if scoped {
            self.bump();
        }
        let mut attributes = vec![];
        self.attributes(&mut attributes)?;
        let mut named = None;
        if self.is(Kind::Word) || self.is(Kind::ColonColon) {
            named = Some(self.name(NameMode::Declarator)?);
        }
        if let Some(packed) = attributes.iter().find(|one| matches!(one.kind, AttributeKind::Packed)) {
            let message = "packed enumerations are not supported by this compiler";
            let help = "write the type of its values after the name: `enum E : unsigned char { … }`";
            self.tell(Diagnostic::error("unsupported", packed.span, message).help(help));
        }
        let mut underlying = None;
        if self.is(Kind::Colon) {
            self.bump();
            if self.guess_type() == Guess::No {
                return self.expected("the type of this enumeration");
            }
            underlying = Some(self.type_id()?);
        }
        let named_scope = named.as_ref().and_then(|named| named.entity).and_then(|entity| entity.scope);
        let defines = self.is(Kind::LeftBrace);
        if !defines && !(self.is(Kind::Semicolon) && (scoped || underlying.is_some())) {
            let Some(named) = named else { return self.expected("the name or the body of this enumeration") };
            let span = start.to(self.before());
            return Ok((self.plain(TypeKind::Elaborated(TagKind::Enum, named.name), span), named_scope));
        }
        let outside = self.scopes.enter(ScopeKind::Plain);
        let scope = std::mem::replace(&mut self.scopes.current, outside);
        if let Some(named) = &named {
            self.declare_tag(named, Some(scope));
        }
        let mut enumerators = None;
        if defines {
            let open = self.at;
            self.bump();
            let mut list = vec![];
            if self.enumerators(&mut list, scope, scoped).is_err() {
                self.firm = true;
                self.leave_brackets(open)?;
            }
            enumerators = Some(list);
        }
        let span = start.to(self.before());
        let name = named.map(|named| named.name);
        let one = Enum { name, scoped, underlying, enumerators, span };
        Ok((self.plain(TypeKind::Enum(Rc::new(one)), span), Some(scope)))
    }

    fn enumerators(&mut self, to: &mut Vec<Enumerator>, scope: ScopeId, scoped: bool) -> Parse<()> {
        while self.eat(Kind::RightBrace).is_none() {
            let (name, word) = self.ident("the name of an enumerator")?;
            let mut ignored = vec![];
            self.attributes(&mut ignored)?;
            let value = match self.eat(Kind::Equal) {
                Some(_) => Some(self.assignment()?),
                None => None,
            };
            let entity = Entity { flags: flag::VALUE, scope: None };
            self.scopes.declare_in(scope, word, entity);
            if !scoped {
                self.scopes.declare(word, entity);
            }
            to.push(Enumerator { name, value });
            if self.eat(Kind::Comma).is_none() && !self.is(Kind::RightBrace) {
                let found = self.found(self.tok());
                let span = self.before().after();
                let diagnostic = Diagnostic::error(
                    "syntax",
                    span,
                    format!("expected `,` or `}}` after this enumerator, found {found}"),
                )
                .label("write `,` here");
                if !self.is(Kind::Word) {
                    return self.fail(diagnostic);
                }
                self.firm = true;
                self.tell(diagnostic);
            }
        }
        Ok(())
    }
}
