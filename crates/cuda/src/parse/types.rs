//! Types: specifiers before declarators, attributes, and types on their own.

use std::rc::Rc;

use super::kind::Kind;
use super::name::{Guess, NameMode, Names, Qualifier};
use super::scope::{ScopeId, flag};
use super::{DeclarationContext, Parse, Parser};
use crate::ast::{
    Attribute, AttributeKind, Builtin, Expr, Qualifiers, Specifiers, Symbol, TemplateArgument, Type, TypeKind,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Specifiers at the beginning of a declaration.
#[derive(Clone, Debug)]
pub(super) struct DeclSpecifiers {
    /// Storage and attributes.
    pub specifiers: Specifiers,
    /// `typedef`.
    pub typedef: Option<Span>,
    /// Type; `None` where there is none, as before a constructor.
    pub ty: Option<Rc<Type>>,
    /// Members of the type where known.
    pub scope: Option<ScopeId>,
    /// Whether a class or enumeration has its body here.
    pub has_body: bool,
    /// All of it.
    pub span: Span,
}

/// Keywords of built-in types, counted.
#[derive(Clone, Copy, Debug, Default)]
struct Words {
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
    base: Option<Kind>,
    /// Whether `int` was written.
    int: u8,
    bad: bool,
}

impl Words {
    fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Signed => self.signed = self.signed.saturating_add(1),
            Kind::Unsigned => self.unsigned = self.unsigned.saturating_add(1),
            Kind::Short => self.short = self.short.saturating_add(1),
            Kind::Long => self.long = self.long.saturating_add(1),
            Kind::Int => self.int = self.int.saturating_add(1),
            kind => {
                self.bad |= self.base.is_some();
                self.base = Some(kind);
            }
        }
    }

    fn any(self) -> bool {
        [self.signed, self.unsigned, self.short, self.long, self.int].iter().any(|count| *count > 0)
            || self.base.is_some()
    }

    fn builtin(self) -> Option<Builtin> {
        use Builtin as B;
        let signs = self.signed.saturating_add(self.unsigned);
        if self.bad || signs > 1 || self.short > 1 || self.long > 2 || self.int > 1 {
            return None;
        }
        if self.short > 0 && self.long > 0 {
            return None;
        }
        let unsigned = self.unsigned > 0;
        let plain = signs == 0 && self.short == 0 && self.long == 0 && self.int == 0;
        let Some(base) = self.base else {
            return Some(match (self.short, self.long, unsigned) {
                (1, _, false) => B::Short,
                (1, _, true) => B::UnsignedShort,
                (_, 0, false) => B::Int,
                (_, 0, true) => B::UnsignedInt,
                (_, 1, false) => B::Long,
                (_, 1, true) => B::UnsignedLong,
                (_, _, false) => B::LongLong,
                (_, _, true) => B::UnsignedLongLong,
            });
        };
        let sized = self.short > 0 || self.long > 0 || self.int > 0;
        match base {
            Kind::Void if plain => Some(B::Void),
            Kind::Bool if plain => Some(B::Bool),
            Kind::WideChar if plain => Some(B::WideChar),
            Kind::Char8 if plain => Some(B::Char8),
            Kind::Char16 if plain => Some(B::Char16),
            Kind::Char32 if plain => Some(B::Char32),
            Kind::Float_ if plain => Some(B::Float),
            Kind::Double if plain => Some(B::Double),
            Kind::Double if signs == 0 && self.long == 1 && self.int == 0 => Some(B::LongDouble),
            Kind::Char if !sized => Some(match (self.signed, unsigned) {
                (0, false) => B::Char,
                (_, false) => B::SignedChar,
                (_, true) => B::UnsignedChar,
            }),
            Kind::Int128 if !sized => Some(if unsigned { B::UnsignedInt128 } else { B::Int128 }),
            _ => None,
        }
    }
}

impl Parser {
    /// A type without a declarator's part, of no qualifiers.
    pub(super) fn plain(&self, kind: TypeKind, span: Span) -> Rc<Type> {
        Rc::new(Type { kind, qualifiers: Qualifiers::default(), span })
    }

    /// Whether a type begins here, by the first name.
    pub(super) fn guess_type(&mut self) -> Guess {
        match self.kind() {
            // `decltype(x)::y` is a type or a value.
            kind if kind.begins_type() && !self.is_decltype_prefix() => Guess::Yes,
            Kind::Word | Kind::ColonColon | Kind::Decltype => match self.peek_name() {
                Some((true, _, _)) => Guess::Yes,
                Some((false, true, _)) => Guess::No,
                Some((false, false, _)) => Guess::Unknown,
                None => Guess::No,
            },
            _ => Guess::No,
        }
    }

    /// For a name that begins here: whether it is a type, whether it is known at all, and where it ends.
    pub(super) fn peek_name(&mut self) -> Option<(bool, bool, usize)> {
        let next = self.kind_ahead(1);
        if self.is(Kind::Word) && !matches!(next, Kind::ColonColon | Kind::Less) {
            let end = self.at + 1;
            return Some(match self.scopes.lookup(self.tok().data) {
                Some(entity) => (entity.is(flag::TYPE) && !entity.is(flag::VALUE), true, end),
                None => (false, false, end),
            });
        }
        let saved = (self.at, self.peak, self.greater_closes, self.exhausted);
        self.quiet += 1;
        let named = self.name(NameMode::Type);
        self.quiet -= 1;
        let end = self.at;
        (self.at, self.peak, self.greater_closes, self.exhausted) = saved;
        let named = named.ok()?;
        Some((named.is_type(), named.entity.is_some() || named.word.is_none(), end))
    }

    /// `const int *`, on its own.
    pub(super) fn type_id(&mut self) -> Parse<Rc<Type>> {
        self.deeper(|parser| {
            let before = parser.begin();
            let specifiers = parser.type_specifiers()?;
            let Some(base) = specifiers.ty else { return parser.expected("a type") };
            let declarator = parser.declarator(Names::None, DeclarationContext::Block)?;
            let ty = parser.apply(base, &declarator)?;
            parser.end(before);
            Ok(ty)
        })
    }

    /// Type after `operator` or `new`: without parentheses or brackets.
    pub(super) fn conversion_type(&mut self) -> Parse<Rc<Type>> {
        self.deeper(|parser| {
            let specifiers = parser.type_specifiers()?;
            let Some(base) = specifiers.ty else { return parser.expected("an operator or a type") };
            let operators = parser.pointer_operators()?;
            parser.apply_chunks(base, &operators)
        })
    }

    /// Specifiers of a type on its own.
    fn type_specifiers(&mut self) -> Parse<DeclSpecifiers> {
        self.decl_specifiers(DeclarationContext::Block)
    }

    /// Specifiers before declarators, up to what is none.
    pub(super) fn decl_specifiers(&mut self, place: DeclarationContext) -> Parse<DeclSpecifiers> {
        let start = self.span();
        let mut words = Words::default();
        let mut qualifiers = Qualifiers::default();
        let mut all = DeclSpecifiers {
            specifiers: Specifiers { extern_c: self.extern_c, ..Specifiers::default() },
            typedef: None,
            ty: None,
            scope: None,
            has_body: false,
            span: start,
        };
        let mut type_start = None;
        loop {
            let tok = self.tok();
            let has_type = words.any() || all.ty.is_some();
            if tok.kind.is_builtin_type() {
                if all.ty.is_some() {
                    if all.has_body && tok.first {
                        break;
                    }
                    return self.two_types(tok.span);
                }
                type_start = type_start.or(Some(tok.span));
                words.add(tok.kind);
                self.bump();
                continue;
            }
            if all.has_body && tok.first && tok.kind != Kind::Const && tok.kind.begins_statement() {
                // A semicolon is missing after the class.
                break;
            }
            match tok.kind {
                Kind::Const => qualifiers.constant = self.eat(Kind::Const).is_some(),
                Kind::Volatile => qualifiers.volatile = self.eat(Kind::Volatile).is_some(),
                Kind::Restrict => qualifiers.restrict = self.eat(Kind::Restrict).is_some(),
                Kind::Typedef => all.typedef = self.eat(Kind::Typedef),
                _ if self.storage(&mut all.specifiers)? => {}
                _ if has_type => break,
                _ => {
                    if !self.one_type(&mut all, place)? {
                        break;
                    }
                    type_start = Some(tok.span);
                }
            }
        }
        all.span = start.to(self.before());
        if words.any() {
            let span = type_start.unwrap_or(start).to(self.before());
            let Some(builtin) = words.builtin() else {
                let diagnostic =
                    Diagnostic::error("syntax", span, "these words cannot be combined into a type");
                if self.quiet > 0 || !self.is(Kind::Word) {
                    return self.fail(diagnostic.help("remove one of them"));
                }
                self.firm = true;
                self.tell(diagnostic.help("remove one of them"));
                all.ty = Some(Rc::new(Type { kind: TypeKind::Error, qualifiers, span }));
                return Ok(all);
            };
            all.ty = Some(Rc::new(Type { kind: TypeKind::Builtin(builtin), qualifiers, span }));
        } else if let Some(ty) = all.ty.as_mut().filter(|_| qualifiers != Qualifiers::default()) {
            let mut qualified = (**ty).clone();
            qualified.qualifiers.constant |= qualifiers.constant;
            qualified.qualifiers.volatile |= qualifiers.volatile;
            qualified.qualifiers.restrict |= qualifiers.restrict;
            *ty = Rc::new(qualified);
        }
        Ok(all)
    }

    fn two_types<T>(&mut self, span: Span) -> Parse<T> {
        let found = self.found(self.tok());
        self.fail(
            Diagnostic::error("syntax", span, format!("{found} cannot be combined with the previous type"))
                .help("a declaration has one type; is a `;` or `,` missing before it?"),
        )
    }

    /// Storage class or attribute; false where it is none.
    fn storage(&mut self, to: &mut Specifiers) -> Parse<bool> {
        let tok = self.tok();
        let place = match tok.kind {
            Kind::Static => &mut to.is_static,
            Kind::Extern => {
                self.bump();
                to.is_extern = Some(tok.span);
                if self.is(Kind::String) {
                    let (language, span) = self.strings()?;
                    to.extern_c = &*language == b"C";
                    if !matches!(&*language, b"C" | b"C++") {
                        return self.fail(Diagnostic::error(
                            "syntax",
                            span,
                            "unknown linkage language: expected `extern \"C\"` or `extern \"C++\"`",
                        ));
                    }
                }
                return Ok(true);
            }
            Kind::Inline => &mut to.is_inline,
            Kind::Constexpr => &mut to.is_constexpr,
            Kind::Consteval => &mut to.is_consteval,
            Kind::Constinit => &mut to.is_constinit,
            Kind::Explicit => {
                self.bump();
                to.is_explicit = Some(tok.span);
                if self.is(Kind::LeftParen) {
                    self.skip_brackets();
                }
                return Ok(true);
            }
            Kind::Virtual => &mut to.is_virtual,
            Kind::Mutable => &mut to.is_mutable,
            Kind::ThreadLocal => &mut to.is_thread_local,
            Kind::Register => &mut to.is_register,
            Kind::Friend => &mut to.is_friend,
            _ => return self.attribute(&mut to.attributes),
        };
        *place = Some(tok.span);
        self.bump();
        Ok(true)
    }

    /// One type that is no keyword; false where there is none.
    fn one_type(&mut self, all: &mut DeclSpecifiers, place: DeclarationContext) -> Parse<bool> {
        let tok = self.tok();
        match tok.kind {
            Kind::Auto => {
                self.bump();
                all.ty = Some(self.plain(TypeKind::Auto, tok.span));
            }
            Kind::Struct | Kind::Class | Kind::Union => {
                let (ty, scope) = self.class_specifier(place)?;
                all.has_body = matches!(&ty.kind, TypeKind::Class(class) if class.members.is_some());
                (all.ty, all.scope) = (Some(ty), scope);
            }
            Kind::Enum => {
                let (ty, scope) = self.enum_specifier()?;
                all.has_body = matches!(&ty.kind, TypeKind::Enum(one) if one.enumerators.is_some());
                (all.ty, all.scope) = (Some(ty), scope);
            }
            Kind::Typename | Kind::Decltype if tok.kind == Kind::Typename || self.is_decltype_prefix() => {
                let named = self.name(NameMode::Type)?;
                all.ty = Some(self.plain(TypeKind::Name(named.name.clone()), named.name.span));
            }
            Kind::Decltype | Kind::Typeof => all.ty = Some(self.type_of()?),
            Kind::Word | Kind::ColonColon => return self.named_type(all, place),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A type by its name; false where the name is no type's but what is declared: a constructor, or a variable whose type
    /// is missing.
    fn named_type(&mut self, all: &mut DeclSpecifiers, place: DeclarationContext) -> Parse<bool> {
        let next = self.kind_ahead(1);
        if self.is(Kind::Word) && !matches!(next, Kind::ColonColon | Kind::Less) {
            let word = self.tok().data;
            if place == DeclarationContext::Class(Some(word)) && next == Kind::LeftParen {
                return Ok(false);
            }
            match self.scopes.lookup(word) {
                // A deduction guide, or a constructor.
                Some(entity)
                    if entity.is(flag::TEMPLATE)
                        && next == Kind::LeftParen
                        && place != DeclarationContext::Block =>
                {
                    return Ok(false);
                }
                Some(entity) if entity.is(flag::TYPE) => {}
                Some(_) => return Ok(false),
                None if matches!(next, Kind::LeftParen | Kind::Equal | Kind::Semicolon)
                    && place != DeclarationContext::Block =>
                {
                    return Ok(false);
                }
                None => {}
            }
        } else if !self.qualified_is_type(place) {
            return Ok(false);
        }
        let named = self.name(NameMode::Type)?;
        all.scope = named.entity.and_then(|entity| entity.scope);
        let span = named.name.span;
        all.ty = Some(self.plain(TypeKind::Name(named.name), span));
        Ok(true)
    }

    /// Whether the qualified name here is a type's, and not of a constructor, destructor or conversion.
    fn qualified_is_type(&mut self, place: DeclarationContext) -> bool {
        let saved = (self.at, self.peak, self.greater_closes, self.exhausted);
        self.quiet += 1;
        let named = self.name(NameMode::Type);
        self.quiet -= 1;
        let next = self.kind();
        (self.at, self.peak, self.greater_closes, self.exhausted) = saved;
        let Ok(named) = named else { return true };
        if named.name.typename {
            return true;
        }
        if named.word.is_none() {
            return false;
        }
        if named.doubled && next == Kind::LeftParen {
            return false;
        }
        if next == Kind::LeftParen
            && matches!(place, DeclarationContext::Class(Some(word)) if named.word == Some(word))
            && named.qualifier == Qualifier::None
        {
            // `S<T>(…)` in a class `S<T>`.
            return false;
        }
        match named.entity {
            Some(entity) => entity.is(flag::TYPE),
            None => true,
        }
    }

    /// `decltype(x)`, `__typeof__(x)`.
    pub(super) fn type_of(&mut self) -> Parse<Rc<Type>> {
        let tok = self.bump();
        self.deeper(|parser| {
            let open = parser.at;
            parser.expect(Kind::LeftParen, "this")?;
            let closes = std::mem::replace(&mut parser.greater_closes, false);
            let kind = if tok.kind == Kind::Decltype
                && parser.is(Kind::Auto)
                && parser.kind_ahead(1) == Kind::RightParen
            {
                parser.bump();
                TypeKind::DecltypeAuto
            } else if tok.kind == Kind::Typeof && parser.type_in_parentheses(open) {
                TypeKind::Same(parser.type_id()?)
            } else {
                TypeKind::Decltype(Rc::new(parser.expression()?))
            };
            parser.expect(Kind::RightParen, "this")?;
            parser.greater_closes = closes;
            parser.node()?;
            let span = tok.span.to(parser.before());
            Ok(parser.plain(kind, span))
        })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Attributes

    /// All attributes that stand here.
    pub(super) fn attributes(&mut self, to: &mut Vec<Attribute>) -> Parse<()> {
        while self.attribute(to)? {}
        Ok(())
    }

    /// One attribute (or a `[[…]]` of several); false where there is none.
    pub(super) fn attribute(&mut self, to: &mut Vec<Attribute>) -> Parse<bool> {
        let tok = self.tok();
        let kind = match tok.kind {
            Kind::LeftBracket if self.kind_ahead(1) == Kind::LeftBracket => {
                return self.bracket_attributes(to).map(|()| true);
            }
            Kind::AttributeGnu | Kind::Declspec => return self.gnu_attributes(to).map(|()| true),
            Kind::Global => AttributeKind::Global,
            Kind::Device => AttributeKind::Device,
            Kind::Host => AttributeKind::Host,
            Kind::Constant => AttributeKind::Constant,
            Kind::Shared => AttributeKind::Shared,
            Kind::Managed => AttributeKind::Managed,
            Kind::GridConstant => AttributeKind::GridConstant,
            Kind::ForceInline => AttributeKind::ForceInline,
            Kind::NoInline => AttributeKind::NoInline,
            Kind::Weak | Kind::Extension => {
                AttributeKind::Ignored(Symbol::from(tok.kind.text().unwrap_or_default()))
            }
            Kind::LaunchBounds | Kind::ClusterDims | Kind::BlockSize | Kind::MaxRegisters => {
                let kind = self.attribute_with_values()?;
                to.push(Attribute { kind, span: tok.span.to(self.before()) });
                return Ok(true);
            }
            Kind::Alignas | Kind::Align => {
                self.bump();
                let kind = AttributeKind::Align(self.alignment()?);
                to.push(Attribute { kind, span: tok.span.to(self.before()) });
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.bump();
        to.push(Attribute { kind, span: tok.span });
        Ok(true)
    }

    fn attribute_with_values(&mut self) -> Parse<AttributeKind> {
        let tok = self.bump();
        if !self.is(Kind::LeftParen) {
            let text = tok.kind.text().unwrap_or_default();
            return self.expect(Kind::LeftParen, &format!("`{text}`")).map(|_| AttributeKind::Global);
        }
        let mut values = self.arguments("this value")?;
        Ok(match tok.kind {
            Kind::LaunchBounds => AttributeKind::LaunchBounds(values),
            Kind::ClusterDims => AttributeKind::ClusterDims(values),
            Kind::BlockSize => AttributeKind::BlockSize,
            _ => match (values.pop(), values.len()) {
                (Some(value), 0) => AttributeKind::MaxRegisters(value),
                _ => {
                    let span = tok.span.to(self.before());
                    return self.fail(Diagnostic::error("syntax", span, "`__maxnreg__` takes one value"));
                }
            },
        })
    }

    /// `(16)` or `(T)`.
    fn alignment(&mut self) -> Parse<Option<TemplateArgument>> {
        let open = self.at;
        if !self.is(Kind::LeftParen) {
            self.expect(Kind::LeftParen, "this")?;
        }
        if self.type_in_parentheses(open) {
            self.bump();
            let ty = self.type_id()?;
            self.expect(Kind::RightParen, "this type")?;
            return Ok(Some(TemplateArgument::Type(ty)));
        }
        let mut values = self.arguments("this value")?;
        match (values.pop(), values.len()) {
            (Some(value), 0) => Ok(Some(TemplateArgument::Expression(Rc::new(value)))),
            _ => {
                let span = self.tok_at(open).span;
                self.fail(Diagnostic::error("syntax", span, "expected one alignment"))
            }
        }
    }

    /// `[[a, b::c(…)]]`: none of them changes code.
    fn bracket_attributes(&mut self, to: &mut Vec<Attribute>) -> Parse<()> {
        let Some(close) = self.partner(self.at) else { return self.expected("an attribute") };
        self.bump();
        self.bump();
        while self.at < close {
            let tok = self.tok();
            match tok.kind {
                Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace => self.skip_brackets(),
                Kind::Word => {
                    self.bump();
                    if !self.is(Kind::ColonColon) {
                        let kind = self.bracket_attribute(tok.data);
                        to.push(Attribute { kind, span: tok.span });
                    }
                }
                _ => {
                    self.bump();
                }
            }
        }
        self.at = close;
        self.bump();
        Ok(())
    }

    fn bracket_attribute(&self, word: u32) -> AttributeKind {
        let symbol = self.symbol(word);
        match &*symbol {
            "nodiscard" | "maybe_unused" | "deprecated" | "likely" | "unlikely" | "noreturn"
            | "fallthrough" | "no_unique_address" | "carries_dependency" => AttributeKind::Ignored(symbol),
            _ => AttributeKind::Unknown(symbol),
        }
    }

    /// `__attribute__((a, b(…)))`, `__declspec(a)`.
    fn gnu_attributes(&mut self, to: &mut Vec<Attribute>) -> Parse<()> {
        self.bump();
        let Some(close) = self.partner(self.at).filter(|_| self.is(Kind::LeftParen)) else {
            return self.expect(Kind::LeftParen, "`__attribute__`").map(|_| ());
        };
        self.bump();
        self.eat(Kind::LeftParen);
        while self.at < close {
            let tok = self.tok();
            let name = match tok.kind {
                Kind::Word => self.symbol(tok.data),
                kind if kind.is_keyword() => Symbol::from(kind.text().unwrap_or_default()),
                _ => {
                    self.bump();
                    continue;
                }
            };
            self.bump();
            let kind = match name.trim_matches('_') {
                "aligned" | "align" if self.is(Kind::LeftParen) => AttributeKind::Align(self.alignment()?),
                "aligned" => AttributeKind::Align(None),
                "packed" => AttributeKind::Packed,
                "always_inline" | "forceinline" => AttributeKind::ForceInline,
                "noinline" => AttributeKind::NoInline,
                "device" => AttributeKind::Device,
                "host" => AttributeKind::Host,
                "global" => AttributeKind::Global,
                "shared" => AttributeKind::Shared,
                "constant" => AttributeKind::Constant,
                "managed" => AttributeKind::Managed,
                text if changes_no_code(text) => AttributeKind::Ignored(name),
                _ => AttributeKind::Unknown(name),
            };
            if self.is(Kind::LeftParen) {
                self.skip_brackets();
            }
            to.push(Attribute { kind, span: tok.span });
        }
        self.at = close;
        self.bump();
        Ok(())
    }

    /// Value in parentheses, as `__maxnreg__(…)` has.
    pub(super) fn error_expr(&self, span: Span) -> Expr {
        Expr { kind: crate::ast::ExprKind::Error, span }
    }
}

/// Whether an attribute of gcc's says nothing that changes what the code does.
fn changes_no_code(name: &str) -> bool {
    matches!(
        name,
        "unused"
            | "used"
            | "deprecated"
            | "const"
            | "pure"
            | "noreturn"
            | "visibility"
            | "weak"
            | "format"
            | "nothrow"
            | "hot"
            | "cold"
            | "warn_unused_result"
            | "may_alias"
            | "gnu_inline"
            | "artificial"
            | "nodebug"
            | "optimize"
            | "flatten"
            | "leaf"
            | "malloc"
            | "nonnull"
            | "returns_nonnull"
            | "sentinel"
            | "alloc_size"
            | "alloc_align"
            | "assume_aligned"
            | "access"
            | "noclone"
            | "noipa"
            | "no_instrument_function"
            | "no_sanitize"
            | "no_sanitize_address"
            | "no_sanitize_thread"
            | "no_sanitize_undefined"
            | "no_stack_protector"
            | "target"
            | "section"
            | "externally_visible"
            | "tls_model"
            | "fallthrough"
            | "noplt"
            | "unavailable"
            | "maybe_unused"
            | "nodiscard"
            | "likely"
            | "unlikely"
    )
}
