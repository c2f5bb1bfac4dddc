//! What namespaces and classes hold: one declaration after the other, and what is kept aside where one cannot be read.

use std::rc::Rc;

use super::kind::Kind;
use super::name::{Guess, NameMode, Qualifier};
use super::scope::{Entity, ScopeId, ScopeKind, flag};
use super::{DeclarationContext, Parse, Parser};
use crate::ast::{Alias, Declaration, DeclarationKind, Id, Ident, Name, TranslationUnit, Type, TypeKind};
use crate::diagnostic::Diagnostic;

impl Parser {
    /// Everything.
    pub(super) fn translation_unit(&mut self) -> TranslationUnit {
        let declarations = self.namespace_members(false);
        TranslationUnit { declarations }
    }

    /// Declarations up to the end, or to the brace that ends a namespace.
    fn namespace_members(&mut self, in_braces: bool) -> Vec<Declaration> {
        let mut members = vec![];
        loop {
            match self.kind() {
                Kind::End => return members,
                Kind::RightBrace if in_braces => return members,
                Kind::RightBrace => {
                    self.bump();
                }
                Kind::ExtraBrace => {
                    if self.sink.list.is_empty() {
                        let span = self.span();
                        self.tell(
                            Diagnostic::error("syntax", span, "unmatched closing `}`")
                                .help("remove it, or write the `{` that it should match"),
                        );
                    }
                    self.bump();
                }
                Kind::Semicolon => {
                    self.bump();
                }
                Kind::PragmaUnroll | Kind::PragmaNoUnroll | Kind::PragmaOmp => self.skip_pragma(),
                _ => self.member(DeclarationContext::Namespace, &mut members),
            }
        }
    }

    /// Goes after `#pragma unroll …`.
    pub(super) fn skip_pragma(&mut self) {
        while !matches!(self.kind(), Kind::PragmaEnd | Kind::End) {
            self.bump();
        }
        self.bump();
    }

    /// One declaration of a namespace or class. What cannot be read and seems to be for the host alone is kept aside with
    /// its errors, which are reported only where device code names it.
    pub(super) fn member(&mut self, place: DeclarationContext, to: &mut Vec<Declaration>) {
        let start = self.at;
        let (told, made) = (self.sink.list.len(), to.len());
        let around = std::mem::replace(&mut self.firm, false);
        self.peak = 0;
        let result = self.declaration(place, to);
        let failed = result.is_err();
        if failed {
            let error = self.at;
            self.skip_declaration(start, error);
        }
        if failed && self.quiet == 0 && !self.firm && self.misspelt_specifier(start, told) {
            to.truncate(made);
            to.push(Declaration {
                kind: DeclarationKind::Error,
                span: self.tok_at(start).span.to(self.before()),
            });
        } else if (failed || self.sink.list.len() > told) && self.quiet == 0 && !self.exhausted {
            let device = (start..self.at).any(|at| self.tok_at(at).kind.is_device_attribute());
            self.firm |=
                device || matches!(place, DeclarationContext::Class(_)) && !self.is_function_like(start);
            let span = self.tok_at(start).span.to(self.before());
            if !self.firm {
                let errors: Vec<Diagnostic> =
                    self.sink.list.drain(told.min(self.sink.list.len())..).collect();
                let name = to.get(made..).and_then(|made| made.iter().find_map(declared_name));
                let name = name.or_else(|| self.guess_name(start));
                to.truncate(made);
                to.push(Declaration { kind: DeclarationKind::OpaqueHost(name, errors.into()), span });
            } else if failed {
                to.push(Declaration { kind: DeclarationKind::Error, span });
            }
        }
        if place == DeclarationContext::Namespace && self.quiet == 0 && !failed {
            self.check_missing_global(start);
        }
        self.firm |= around;
        if self.at == start {
            self.bump();
        }
    }

    /// Reports a function of the host that names what only kernels have. (A lambda in it may be for the device.)
    fn check_missing_global(&mut self, start: usize) {
        if self.tok_at(start).ours || !self.is_function_like(start) {
            return;
        }
        let (mut found, mut within) = (None, false);
        for at in start..self.at {
            let (before, tok) = (self.tok_at(at.saturating_sub(1)).kind, self.tok_at(at));
            let next = self.tok_at(at + 1).kind;
            within |= tok.kind == Kind::LeftBrace;
            match tok.kind {
                // Templates, classes and namespaces hold what is looked at by itself, or may be for either.
                kind if kind.is_device_attribute() && kind != Kind::Shared => return,
                Kind::Template | Kind::Namespace | Kind::Class | Kind::Struct | Kind::Constexpr => return,
                // Before a body it declares a variable, which may stand outside of functions.
                Kind::Shared if !within => return,
                Kind::Shared => found = found.or(Some(tok.span)),
                Kind::Word => {
                    let word = self.symbol(tok.data);
                    // The host may call its own variables and functions so.
                    let declared = matches!(before, Kind::Word | Kind::Amp | Kind::Dot | Kind::Arrow)
                        || before.begins_type();
                    match &*word {
                        "threadIdx" | "blockIdx" | "__syncthreads" if declared => return,
                        "threadIdx" | "blockIdx" if next == Kind::Dot => found = found.or(Some(tok.span)),
                        "__syncthreads" if next == Kind::LeftParen => found = found.or(Some(tok.span)),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        let (Some(place), Some(name)) = (found, self.guess_name(start)) else { return };
        self.firm = true;
        let message = format!("`{}` is a host function, but this exists only in kernels", name.symbol);
        let help = if &*name.symbol == "main" {
            "write a kernel, a separate function with `__global__`, and launch it from `main`".to_owned()
        } else {
            let name = &name.symbol;
            format!("write `__global__ void {name}(…)` for a kernel, `__device__` for what a kernel calls")
        };
        self.sink.push(
            Diagnostic::warning("missing-global", place, message)
                .related(name.span, "declared here, without `__global__`")
                .help(help),
        );
    }

    /// Reports that a declaration that could not be read begins with what is nearly one of CUDA's specifiers: without it, the
    /// declaration would pass for one of the host's, and a kernel would be missing.
    fn misspelt_specifier(&mut self, start: usize, told: usize) -> bool {
        const SPECIFIERS: [&str; 7] = [
            "__global__",
            "__device__",
            "__constant__",
            "__shared__",
            "__host__",
            "__forceinline__",
            "__launch_bounds__",
        ];
        let tok = self.tok_at(start);
        if tok.kind != Kind::Word {
            return false;
        }
        let word = self.ident_of(tok);
        let bare = word.symbol.trim_matches('_').to_ascii_lowercase();
        let near = SPECIFIERS.iter().find(|one| one.trim_matches('_') == bare).copied();
        let near = near.or_else(|| {
            let underscored = word.symbol.starts_with('_');
            underscored.then(|| crate::diagnostic::nearest(&word.symbol, SPECIFIERS)).flatten()
        });
        let Some(near) = near else { return false };
        self.sink.list.truncate(told);
        self.sink.list.push(
            Diagnostic::error("syntax", word.span, format!("unknown specifier `{}`", word.symbol))
                .help(format!("did you mean `{near}`?")),
        );
        true
    }

    /// Whether a declaration that begins at a token has parentheses before its end.
    fn is_function_like(&self, start: usize) -> bool {
        (start..self.at)
            .map(|at| self.tok_at(at).kind)
            .take_while(|kind| {
                !matches!(kind, Kind::Semicolon | Kind::LeftBrace | Kind::LeftBracket | Kind::Equal)
            })
            .any(|kind| kind == Kind::LeftParen)
    }

    /// What a declaration that could not be read most likely declares: the last word before `(`, `=`, `{`, `[` or `;`.
    fn guess_name(&self, start: usize) -> Option<Ident> {
        let mut last = None;
        for at in start..self.at {
            let tok = self.tok_at(at);
            match tok.kind {
                Kind::Word => last = Some(tok),
                Kind::LeftParen | Kind::Equal | Kind::LeftBrace | Kind::LeftBracket | Kind::Semicolon => {
                    break;
                }
                _ => {}
            }
        }
        last.map(|tok| self.ident_of(tok))
    }

    /// Goes from the beginning of a declaration to after its end, which is after the place of an error in it.
    fn skip_declaration(&mut self, start: usize, error: usize) {
        if self.exhausted {
            return;
        }
        self.at = start;
        loop {
            let tok = self.tok();
            match tok.kind {
                Kind::Semicolon => {
                    self.bump();
                    return;
                }
                Kind::RightBrace | Kind::ExtraBrace | Kind::End => return,
                Kind::LeftBrace => {
                    self.skip_brackets();
                    let goes_on = matches!(
                        self.kind(),
                        Kind::Semicolon
                            | Kind::Comma
                            | Kind::RightParen
                            | Kind::Dot
                            | Kind::LeftParen
                            | Kind::Equal
                    );
                    if self.at > error && !goes_on {
                        return;
                    }
                }
                Kind::LeftParen | Kind::LeftBracket => self.skip_brackets(),
                kind if tok.first && self.at > error && kind.begins_declaration() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// A declaration of any kind.
    pub(super) fn declaration(&mut self, place: DeclarationContext, to: &mut Vec<Declaration>) -> Parse<()> {
        self.deeper(|parser| parser.declaration_within(place, to))
    }

    fn declaration_within(&mut self, place: DeclarationContext, to: &mut Vec<Declaration>) -> Parse<()> {
        let start = self.span();
        let kind = match self.kind() {
            Kind::Namespace => self.namespace(false)?,
            Kind::Inline if self.kind_ahead(1) == Kind::Namespace => {
                self.bump();
                self.namespace(true)?
            }
            Kind::Using => self.using(to)?,
            Kind::Template => return self.template(place, to),
            Kind::Extern if self.kind_ahead(1) == Kind::Template => return self.template(place, to),
            Kind::Extern if self.kind_ahead(1) == Kind::String && self.kind_ahead(2) == Kind::LeftBrace => {
                self.linkage()?
            }
            Kind::StaticAssert => self.static_assert()?,
            Kind::Asm => {
                self.asm()?;
                self.semicolon("this `asm`");
                DeclarationKind::Asm
            }
            Kind::Concept => {
                return self.fail(
                    Diagnostic::error("unsupported", start, "concepts are not supported")
                        .help("use `static_assert` inside the template"),
                );
            }
            Kind::Export => {
                self.bump();
                return self.declaration_within(place, to);
            }
            _ => return self.simple_declaration(place, to),
        };
        to.push(Declaration { kind, span: start.to(self.before()) });
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Namespaces

    fn namespace(&mut self, inline: bool) -> Parse<DeclarationKind> {
        self.bump();
        let mut ignored = vec![];
        self.attributes(&mut ignored)?;
        if self.is(Kind::LeftBrace) {
            let scope = self.new_scope();
            self.scopes.also(self.scopes.current, scope);
            return self.namespace_body(None, inline, scope);
        }
        let (name, word) = self.ident("the name of a namespace")?;
        self.attributes(&mut ignored)?;
        if self.eat(Kind::Equal).is_some() {
            let target = self.name(NameMode::Type)?;
            let scope = target.entity.and_then(|entity| entity.scope);
            self.scopes.declare(word, Entity { flags: flag::NAMESPACE, scope });
            self.semicolon("this namespace alias");
            return Ok(DeclarationKind::NamespaceAlias(name, target.name));
        }
        let known = self.scopes.lookup_in(self.scopes.current, word);
        let scope = match known {
            Some(Entity { flags: flag::NAMESPACE, scope: Some(scope) }) => scope,
            _ => {
                let scope = self.new_scope();
                self.scopes.declare(word, Entity { flags: flag::NAMESPACE, scope: Some(scope) });
                scope
            }
        };
        if inline {
            self.scopes.also(self.scopes.current, scope);
        }
        self.namespace_body(Some(name), inline, scope)
    }

    fn new_scope(&mut self) -> ScopeId {
        let before = self.scopes.enter(ScopeKind::Plain);
        std::mem::replace(&mut self.scopes.current, before)
    }

    /// `{ … }` of a namespace, or `::b { … }`.
    fn namespace_body(
        &mut self,
        name: Option<Ident>,
        inline: bool,
        scope: ScopeId,
    ) -> Parse<DeclarationKind> {
        let start = self.span();
        let before = std::mem::replace(&mut self.scopes.current, scope);
        let declarations = if self.is(Kind::ColonColon) {
            self.is(Kind::ColonColon);
            let inline = self.kind_ahead(1) == Kind::Inline;
            if inline {
                self.bump();
            }
            let inner = self.deeper(|parser| parser.namespace(inline));
            inner.map(|kind| vec![Declaration { kind, span: start.to(self.before()) }])
        } else {
            self.braced_members("the name of this namespace")
        };
        self.scopes.current = before;
        Ok(DeclarationKind::Namespace { name, inline, declarations: declarations?.into() })
    }

    fn braced_members(&mut self, after: &str) -> Parse<Vec<Declaration>> {
        self.expect(Kind::LeftBrace, after)?;
        let members = self.namespace_members(true);
        self.expect(Kind::RightBrace, "this namespace")?;
        Ok(members)
    }

    /// `extern "C" { … }`.
    fn linkage(&mut self) -> Parse<DeclarationKind> {
        self.bump();
        let (language, _) = self.strings()?;
        let extern_c = std::mem::replace(&mut self.extern_c, &*language == b"C");
        let members = self.braced_members("`extern`");
        self.extern_c = extern_c;
        Ok(DeclarationKind::Linkage(members?.into()))
    }

    /// `using …;`: of a list of names, all but the last are added.
    fn using(&mut self, to: &mut Vec<Declaration>) -> Parse<DeclarationKind> {
        let start = self.span();
        self.bump();
        if self.eat(Kind::Namespace).is_some() {
            let named = self.name(NameMode::Type)?;
            if let Some(scope) = named.entity.and_then(|entity| entity.scope) {
                self.scopes.also(self.scopes.current, scope);
            }
            self.semicolon("this `using`");
            return Ok(DeclarationKind::UsingNamespace(named.name));
        }
        if self.is(Kind::Enum) {
            let span = self.span();
            return self.fail(Diagnostic::error("unsupported", span, "`using enum` is not supported"));
        }
        if self.is(Kind::Word)
            && matches!(self.kind_ahead(1), Kind::Equal | Kind::LeftBracket | Kind::AttributeGnu)
        {
            let (name, word) = self.ident("a name")?;
            let mut ignored = vec![];
            self.attributes(&mut ignored)?;
            self.expect(Kind::Equal, "the name of this type")?;
            let (target, scope) = self.scoped_type_id()?;
            self.scopes.declare(word, Entity { flags: flag::TYPE, scope });
            self.semicolon("this type");
            return Ok(DeclarationKind::Alias(Rc::new(Alias { name, target })));
        }
        loop {
            let name = self.used_name()?;
            if self.eat(Kind::Comma).is_none() {
                self.semicolon("this `using`");
                return Ok(DeclarationKind::Using(name));
            }
            let span = start.to(name.span);
            to.push(Declaration { kind: DeclarationKind::Using(name), span });
        }
    }

    fn used_name(&mut self) -> Parse<Name> {
        let named = self.name(NameMode::Declarator)?;
        if let (Some(word), Some(entity)) = (named.word, named.entity) {
            if named.qualifier != Qualifier::None {
                self.scopes.declare(word, entity);
            }
        } else if let (Some(word), true) = (named.word, named.name.typename) {
            self.scopes.declare(word, Entity { flags: flag::TYPE, scope: None });
        }
        // Packs in the name say that each of their elements is meant.
        self.eat(Kind::Ellipsis);
        Ok(named.name)
    }

    fn static_assert(&mut self) -> Parse<DeclarationKind> {
        self.bump();
        let open = self.at;
        self.expect(Kind::LeftParen, "`static_assert`")?;
        let mut message = None;
        let condition = self.within(open, |parser| {
            let condition = parser.assignment()?;
            if parser.eat(Kind::Comma).is_some() {
                message = Some(parser.strings()?.0);
            }
            Ok(condition)
        })?;
        self.semicolon("this `static_assert`");
        Ok(DeclarationKind::StaticAssert { condition, message })
    }

    /// A type on its own, and where its members are.
    fn scoped_type_id(&mut self) -> Parse<(Rc<Type>, Option<ScopeId>)> {
        let scope = match self.guess_type() {
            Guess::Yes if self.is(Kind::Word) || self.is(Kind::ColonColon) => {
                let saved = (self.at, self.peak, self.exhausted);
                self.quiet += 1;
                let named = self.name(NameMode::Type);
                self.quiet -= 1;
                (self.at, self.peak, self.exhausted) = saved;
                named.ok().and_then(|named| named.entity).and_then(|entity| entity.scope)
            }
            _ => None,
        };
        let ty = self.type_id()?;
        let scope = scope.filter(|_| matches!(ty.kind, TypeKind::Name(_)));
        Ok((ty, scope))
    }
}

/// Name of what was declared.
fn declared_name(declaration: &Declaration) -> Option<Ident> {
    let name = match &declaration.kind {
        DeclarationKind::Function(function) => Some(&function.name),
        DeclarationKind::Variable(variable) => variable.name.as_ref(),
        DeclarationKind::Class(class) => class.name.as_ref(),
        DeclarationKind::Alias(alias) => return Some(alias.name.clone()),
        DeclarationKind::Template(template) => return declared_name(&template.declaration),
        _ => None,
    }?;
    let last = name.last()?;
    match &last.id {
        Id::Word(symbol) => Some(Ident { symbol: symbol.clone(), span: last.span }),
        _ => None,
    }
}
