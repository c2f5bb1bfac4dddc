//! Enumerations: entered with their constants.
//!
//! Enters: enumerations. Leaves: types and values. This module must never know how constants are evaluated.

use std::rc::Rc;

use crate::ast::{self, Symbol};
use crate::hir::{Enum, Expr, ExprKind, Type, TypeKind};

use crate::check::Checker;
use crate::check::context::output::Output;
use crate::check::names::entity::{Entity, EnumInfo, ScopeKind};
use crate::check::names::lookup::key;

impl Output {
    /// The first type from `int` on that holds all values.
    fn promoted_enum(&self, values: &[i128], underlying: Type) -> Type {
        let all = |fits: &dyn Fn(i128) -> bool| values.iter().all(|value| fits(*value));
        if all(&|value| i32::try_from(value).is_ok()) {
            self.basic().int
        } else if all(&|value| u32::try_from(value).is_ok()) {
            self.basic().uint
        } else if all(&|value| i64::try_from(value).is_ok()) {
            self.basic().long
        } else {
            underlying
        }
    }

    /// Type that holds all values of an enumeration, as Itanium's compilers choose it.
    pub(crate) fn enum_type(&self, values: &[i128]) -> Type {
        let (low, high) = values
            .iter()
            .fold((0, 0), |(low, high), value| (value.min(&low).to_owned(), value.max(&high).to_owned()));
        let fits = |min: i128, max: i128| low >= min && high <= max;
        if low >= 0 && fits(0, u32::MAX.into()) {
            self.basic().uint
        } else if fits(i32::MIN.into(), i32::MAX.into()) {
            self.basic().int
        } else if low >= 0 {
            self.basic().ulong
        } else {
            self.basic().long
        }
    }
}

impl Checker<'_> {
    /// Enters an enumeration with its enumerators.
    pub(crate) fn declare_enum(&mut self, ast: &Rc<ast::Enum>) -> Option<Type> {
        let place = (Rc::as_ptr(ast) as usize, self.scopes.current());
        if let Some(ty) = self.classes.embedded(&place) {
            return Some(*ty);
        }
        let symbol = ast.name.as_ref().and_then(|name| name.last()).and_then(|last| key(&last.id));
        let known = symbol.as_ref().and_then(|symbol| self.scopes.type_in(self.scopes.current(), symbol));
        let ty = match known.filter(|ty| self.program.enum_of(*ty).is_some()) {
            Some(ty) => ty,
            None => self.new_enum(symbol.clone(), ast),
        };
        self.classes.note_embedded(place, ty);
        if let Some(enumerators) = &ast.enumerators {
            self.enumerate(ty, ast, enumerators);
        }
        Some(ty)
    }

    pub(crate) fn new_enum(&mut self, symbol: Option<Symbol>, ast: &ast::Enum) -> Type {
        let id = self.program.next_enum();
        let shown = match &symbol {
            Some(symbol) => self.scopes.qualified_name(self.scopes.current(), symbol, &self.program),
            None => format!("(unnamed enum at line {})", self.messages.line(ast.span)),
        };
        let underlying = match &ast.underlying {
            Some(ty) => self.resolve_type(ty).filter(|ty| self.program.is_integral(*ty)),
            None => None,
        };
        let underlying = underlying.unwrap_or(self.program.basic().int);
        self.program.add_enum(Enum { name: shown.into(), underlying, scoped: ast.scoped });
        let inner = self.scopes.add(self.scopes.current(), ScopeKind::Enum);
        let name = symbol.clone().unwrap_or_else(|| Symbol::from(""));
        self.classes.add_enum(EnumInfo { name, scope: self.scopes.current(), inner, promoted: None });
        let ty = self.program.ty(TypeKind::Enum(id));
        if let Some(symbol) = symbol {
            let span = ast.name.as_ref().map_or(ast.span, |name| name.span);
            self.enter_name(symbol, Entity::Type(ty), span);
        }
        ty
    }

    pub(crate) fn enumerate(&mut self, ty: Type, ast: &ast::Enum, enumerators: &[ast::Enumerator]) {
        let Some(id) = self.program.enum_of(ty) else { return };
        let inner = self.classes[id].inner;
        let outer = self.scopes.current();
        let fixed = ast.underlying.is_some() || ast.scoped;
        let mut next: i128 = 0;
        let mut all = vec![];
        // Until the enumeration is complete, its enumerators are integers.
        let during = self.scopes.add(inner, ScopeKind::Enum);
        for one in enumerators {
            let value = match &one.value {
                None => Some(next),
                // Where the value is the host's business, so are the enumerator's uses.
                Some(value) => self.within(during, |this| {
                    this.apart(|this| {
                        let (found, messages) = this.tried(|this| this.constant_integer(value));
                        if messages.is_empty() {
                            found.map(|(_, value)| value)
                        } else {
                            this.messages.keep_reasons(one.name.span, messages);
                            None
                        }
                    })
                }),
            };
            let span = one.name.span;
            let Some(value) = value else {
                self.enter_in(inner, one.name.symbol.clone(), Entity::Host(span), span);
                if !ast.scoped {
                    self.enter_in(outer, one.name.symbol.clone(), Entity::Host(span), span);
                }
                continue;
            };
            next = value.saturating_add(1);
            all.push(value);
            let integer = match i32::try_from(value) {
                _ if fixed => self.program[id].underlying,
                Ok(_) => self.program.basic().int,
                Err(_) => self.program.basic().long,
            };
            let known = Rc::new(Expr { kind: ExprKind::Integer(value), ty: integer, span });
            self.enter_in(during, one.name.symbol.clone(), Entity::Value(known), span);
            let expr = Rc::new(Expr { kind: ExprKind::Integer(value), ty, span });
            self.enter_in(inner, one.name.symbol.clone(), Entity::Value(Rc::clone(&expr)), span);
            if !ast.scoped {
                self.enter_in(outer, one.name.symbol.clone(), Entity::Value(expr), span);
            }
        }
        if !fixed {
            let underlying = self.program.enum_type(&all);
            self.program[id].underlying = underlying;
            self.classes[id].promoted = Some(self.program.promoted_enum(&all, underlying));
        }
    }
}
