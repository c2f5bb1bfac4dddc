//! Types as written, resolved.
//!
//! Enters: the tree of a type. Leaves: [`Type`]; `None` where an error was reported. This module must never know what the type
//! is for.

use std::rc::Rc;

use crate::ast::{self, Builtin, TagKind};
use crate::diagnostic::Diagnostic;
use crate::hir::{Integer, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::names::entity::{Entity, ScopeKind};
use crate::check::names::find::Want;
use crate::check::names::lookup::key;

impl Output {
    fn builtin_type(&mut self, builtin: Builtin, span: Span, messages: &mut Messages<'_>) -> Option<Type> {
        let integer = match builtin {
            Builtin::Void => return Some(self.basic().void),
            Builtin::Bool => return Some(self.basic().bool),
            Builtin::Float => return Some(self.basic().float),
            Builtin::Double => return Some(self.basic().double),
            // Wider on x86: where that may show, a warning says so.
            Builtin::LongDouble if self.side().is_host() => {
                if !messages.ours(span) {
                    messages.warn_long_double(span);
                }
                return Some(self.basic().double);
            }
            Builtin::LongDouble => {
                messages.refuse(
                    span,
                    "`long double` is",
                    "write `double`: a GPU has no wider floating-point type",
                );
                return None;
            }
            Builtin::Int128 | Builtin::UnsignedInt128 => {
                messages.refuse(
                    span,
                    "128-bit integers are",
                    "use two 64-bit integers, and `__umul64hi` for products",
                );
                return None;
            }
            Builtin::Char => Integer::Char,
            Builtin::SignedChar => Integer::SChar,
            Builtin::UnsignedChar => Integer::UChar,
            Builtin::Short => Integer::Short,
            Builtin::UnsignedShort => Integer::UShort,
            Builtin::Int => Integer::Int,
            Builtin::UnsignedInt => Integer::UInt,
            Builtin::Long => Integer::Long,
            Builtin::UnsignedLong => Integer::ULong,
            Builtin::LongLong => Integer::LongLong,
            Builtin::UnsignedLongLong => Integer::ULongLong,
            Builtin::WideChar | Builtin::Char8 | Builtin::Char16 | Builtin::Char32 => {
                messages.refuse(span, "wide characters are", "use `char` or an integer type");
                return None;
            }
        };
        Some(self.integer(integer))
    }
}

impl Checker<'_> {
    /// The type that is written.
    pub(crate) fn resolve_type(&mut self, ty: &ast::Type) -> Option<Type> {
        if !self.enter(ty.span) {
            self.leave();
            return None;
        }
        let found = self.resolve_kind(ty);
        self.leave();
        let found = found?;
        Some(self.program.with_qualifiers(found, ty.qualifiers.constant, ty.qualifiers.volatile))
    }

    fn resolve_kind(&mut self, ty: &ast::Type) -> Option<Type> {
        match &ty.kind {
            ast::TypeKind::Builtin(builtin) => {
                self.program.builtin_type(*builtin, ty.span, &mut self.messages)
            }
            ast::TypeKind::Auto | ast::TypeKind::DecltypeAuto => match self.body.auto() {
                Some(ty) => Some(ty),
                None => {
                    self.messages.error("auto", ty.span, "cannot deduce the type of this `auto`");
                    None
                }
            },
            ast::TypeKind::Decltype(expr) => self.decltype(expr),
            ast::TypeKind::Same(inner) | ast::TypeKind::Pack(inner) => self.resolve_type(inner),
            ast::TypeKind::Name(name) => self.named_type(name),
            ast::TypeKind::Elaborated(tag, name) => self.elaborated(*tag, name),
            ast::TypeKind::Class(class) => self.declare_class(class),
            ast::TypeKind::Enum(one) => self.declare_enum(one),
            ast::TypeKind::Pointer(to) => {
                let to = self.resolve_type(to)?;
                if self.program.referred(to).is_some() {
                    self.messages.error("type", ty.span, "cannot form a pointer to a reference");
                    return None;
                }
                Some(self.program.pointer(to))
            }
            ast::TypeKind::Reference(to) | ast::TypeKind::RvalueReference(to) => {
                let rvalue = matches!(ty.kind, ast::TypeKind::RvalueReference(_));
                let to = self.resolve_type(to)?;
                if self.program.is_void(to) {
                    self.messages.error("type", ty.span, "cannot form a reference to `void`");
                    return None;
                }
                Some(self.program.reference(to, rvalue))
            }
            ast::TypeKind::MemberPointer(class, of) => self.member_pointer_type(class, of, ty.span),
            ast::TypeKind::Array(of, length) => self.array_type(of, length.as_deref(), ty.span),
            ast::TypeKind::Function(function) => {
                let result = self.resolve_type(&function.result)?;
                let mut params = vec![];
                for parameter in &function.parameters {
                    params.extend(self.parameter_types(&parameter.ty, None)?);
                }
                // `int(void)`
                params.retain(|one| !self.program.is_void(*one));
                Some(self.program.ty(TypeKind::Function(result, params)))
            }
            ast::TypeKind::Error => {
                self.messages.poison(ty.span);
                None
            }
        }
    }

    fn array_type(&mut self, of: &ast::Type, length: Option<&ast::Expr>, span: Span) -> Option<Type> {
        let of = self.resolve_type(of)?;
        if self.program.referred(of).is_some() || self.program.is_void(of) || self.program.is_function(of) {
            let message = format!("an array cannot have elements of type `{}`", self.program.show(of));
            match self.program.referred(of).map(|(referred, _)| self.program.show(referred)) {
                Some(referred) => {
                    let help =
                        format!("an array is passed as a pointer to its first element: write `{referred} *`");
                    self.messages.error_help("type", span, message, help);
                }
                None => self.messages.error("type", span, message),
            }
            return None;
        }
        if matches!(self.program.kind_of(of), TypeKind::UnknownArray(_)) {
            self.messages.error_help(
                "type",
                span,
                "only the first dimension of an array may be omitted",
                "write the others, as in `float a[][32]`, or pass a pointer and compute `a[row * width + column]`",
            );
            return None;
        }
        let Some(length) = length else { return Some(self.program.ty(TypeKind::UnknownArray(of))) };
        let written = length.span;
        let length = self.array_length(length)?;
        if length == 0 {
            self.messages.error("array-size", written, "an array must have at least one element");
            return None;
        }
        let size = self.size_of(of);
        if size.checked_mul(length).is_none_or(|all| all > 1 << 40) {
            self.messages.error("type", span, "array is too large");
            return None;
        }
        Some(self.program.ty(TypeKind::Array(of, length)))
    }

    fn array_length(&mut self, length: &ast::Expr) -> Option<u64> {
        self.body.enter_length();
        let (found, messages) = self.tried(|this| this.constant_integer(length));
        self.body.leave_length();
        match found {
            Some((_, value)) if self.is_marker(value) => self.marker_length(value),
            Some((_, value)) if messages.is_empty() => match u64::try_from(value) {
                Ok(value) => Some(value),
                Err(_) => {
                    self.messages.error(
                        "type",
                        length.span,
                        format!("an array cannot have {value} elements"),
                    );
                    None
                }
            },
            _ => {
                for mut message in messages {
                    if message.code == "constant" {
                        message = Diagnostic::error(
                            "array-size",
                            length.span,
                            "the length of an array must be known at compile time",
                        )
                        .label(message.message)
                        .help(
                            "use a constant (`#define`, `constexpr int`, a template parameter), or `extern __shared__ T name[];` \
                             with the size given at the launch",
                        );
                    }
                    self.messages.report(message);
                }
                self.messages.poison(length.span);
                None
            }
        }
    }

    /// Type by its name.
    fn named_type(&mut self, name: &ast::Name) -> Option<Type> {
        let named = self.resolve_name(name, Want::Type)?;
        if self.lacks_typename(name) {
            let text = self.messages.text(name.span).to_owned();
            self.messages.error_help(
                "typename",
                name.span,
                format!("missing `typename` before dependent type name `{text}`"),
                format!("write `typename {text}`"),
            );
        }
        match named.entity {
            Entity::Type(ty) => Some(ty),
            Entity::Alias(id) => self.alias_type(id),
            Entity::Template(id) => self.injected(id, name.span),
            Entity::Host(declared) => {
                let text = self.messages.text(name.span).to_owned();
                self.messages.tell_host(&text, name.span, declared);
                None
            }
            Entity::Error => {
                self.messages.poison(name.span);
                None
            }
            _ => {
                let text = self.messages.text(name.span).to_owned();
                let message = format!("`{text}` does not name a type");
                self.messages.unknown_name(text, name.span, message);
                None
            }
        }
    }

    /// Whether `typename` is missing before a name: it is a member of what depends on a template's parameter, and not of the
    /// class that the name is in.
    fn lacks_typename(&mut self, name: &ast::Name) -> bool {
        let Some((_, before)) = name.segments.split_last() else { return false };
        if name.typename || before.is_empty() || self.messages.ours(name.span) {
            return false;
        }
        let prefix = ast::Name { segments: before.to_vec(), ..name.clone() };
        let kind = ast::TypeKind::Name(prefix);
        let prefix = ast::Type { kind, qualifiers: ast::Qualifiers::default(), span: name.span };
        if !self.is_dependent(&prefix) {
            return false;
        }
        let Some(scope) = self.scope_of_prefix(name) else { return false };
        let mut at = Some(self.scopes.current());
        while let Some(around) = at {
            if around == scope {
                return false;
            }
            at = self.scopes[around].parent;
        }
        true
    }

    fn elaborated(&mut self, tag: TagKind, name: &ast::Name) -> Option<Type> {
        if let Some(found) = self.resolve_quietly(name, Want::Type) {
            if name.last().is_some_and(|last| last.arguments.is_some()) {
                return self.named_type(name);
            }
            let found = self.body.chosen(found, name.span, &mut self.messages)?;
            // `typedef struct S S;` declares a class, not what it is just about to say.
            let itself = matches!(found, Entity::Alias(id) if self.declarations[id].ty == Some(Err(())));
            if !itself && let Some(ty) = self.entity_type(&found) {
                return Some(ty);
            }
        }
        let symbol = name.last().and_then(|last| key(&last.id))?;
        if tag == TagKind::Enum || name.segments.len() > 1 {
            let message = format!("unknown type name `{symbol}`");
            self.messages.unknown_name(symbol.to_string(), name.span, message);
            return None;
        }
        let mut scope = self.scopes.current();
        while matches!(self.scopes[scope].kind, ScopeKind::Class(_) | ScopeKind::Template | ScopeKind::Enum) {
            scope = self.scopes[scope].parent?;
        }
        // `typedef struct S T; struct S { … };`: an alias is resolved when it is used, after the definition.
        if let Some(later) = self.scopes.type_in(scope, &symbol) {
            self.scopes.known_from(scope, &symbol, self.scopes.order());
            return Some(later);
        }
        let shown = self.scopes.qualified_name(scope, &symbol, &self.program);
        let ty = self.new_record(symbol.clone(), shown, tag == TagKind::Union, scope, name.span);
        self.enter_in(scope, symbol, Entity::Type(ty), name.span);
        Some(ty)
    }

    /// Type that an alias means.
    pub(crate) fn alias_type(&mut self, id: crate::check::names::entity::AliasId) -> Option<Type> {
        let alias = &self.declarations[id];
        match alias.ty {
            Some(Ok(ty)) => return Some(ty),
            Some(Err(())) => {
                let span = alias.ast.name.span;
                self.messages.poison(span);
                return None;
            }
            None => {}
        }
        let (ast, scope, order) = (Rc::clone(&alias.ast), alias.scope, alias.order);
        self.declarations[id].ty = Some(Err(()));
        let found = self.at(scope, order, |this| this.resolve_type(&ast.target));
        if let Some(ty) = found {
            self.declarations[id].ty = Some(Ok(ty));
            self.name_unnamed(ty, &ast.name.symbol, scope);
        } else if self.messages.is_trial() {
            self.declarations[id].ty = None;
        }
        found
    }

    /// `typedef struct { … } Name;` gives the class that name.
    fn name_unnamed(&mut self, ty: Type, name: &ast::Symbol, scope: crate::check::names::entity::ScopeId) {
        let shown = self.scopes.qualified_name(scope, name, &self.program);
        if let Some(record) = self.program.record_of(ty)
            && self.classes[record].name.is_empty()
            && self.classes[record].closure.is_none()
        {
            self.classes[record].name = name.clone();
            self.program[record].name = shown.into();
        } else if let Some(id) = self.program.enum_of(ty)
            && self.classes[id].name.is_empty()
        {
            self.classes[id].name = name.clone();
            self.program[id].name = shown.into();
        }
    }

    /// Whether `auto` is to be found out in a type.
    pub(crate) fn has_auto(ty: &ast::Type) -> bool {
        match &ty.kind {
            ast::TypeKind::Auto | ast::TypeKind::DecltypeAuto => true,
            ast::TypeKind::Pointer(of)
            | ast::TypeKind::Reference(of)
            | ast::TypeKind::RvalueReference(of)
            | ast::TypeKind::Pack(of)
            | ast::TypeKind::Same(of)
            | ast::TypeKind::Array(of, _)
            | ast::TypeKind::MemberPointer(_, of) => Self::has_auto(of),
            _ => false,
        }
    }
}
