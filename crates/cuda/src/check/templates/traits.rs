//! Questions about types that the compiler answers.
//!
//! Enters: types. Leaves: constants. This module must never know what asks.

use crate::ast;
use crate::hir::{Init, RecordId, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, number};
use crate::check::names::entity::Entity;
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

impl Output {
    /// An operand such as `declval<T>()` gives.
    fn declared_value(&mut self, ty: Type) -> Operand {
        let ty = if self.referred(ty).is_some() { ty } else { self.reference(ty, true) };
        self.stand_in(ty, Span::default())
    }
}

impl Checker<'_> {
    /// `__is_same(T, U)` and the like; `None` where the name is none of them.
    pub(crate) fn trait_call(
        &mut self,
        name: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let symbol = name.simple()?;
        if let Some(found) = self.trait_type_call(symbol, arguments, span) {
            return Some(found);
        }
        if !symbol.starts_with("__is_") && !symbol.starts_with("__has_") {
            return None;
        }
        let known = [
            "__is_same",
            "__is_integral",
            "__is_floating_point",
            "__is_pointer",
            "__is_enum",
            "__is_class",
            "__is_union",
            "__is_array",
            "__is_reference",
            "__is_const",
            "__is_void",
            "__is_empty",
            "__has_trivial_destructor",
            "__is_trivially_copyable",
            "__is_unsigned",
            "__is_signed",
            "__is_base_of",
            "__is_convertible",
            "__is_constructible",
            "__is_polymorphic",
            "__is_abstract",
            "__has_virtual_destructor",
            "__is_trivial",
            "__is_standard_layout",
            "__is_aggregate",
            "__is_trivially_constructible",
            "__is_trivially_assignable",
            "__is_assignable",
        ];
        if !known.contains(&&**symbol) {
            return None;
        }
        let mut types = vec![];
        for one in arguments {
            if self.trait_types(one, &mut types).is_none() {
                return Some(Operand::Error(span));
            }
        }
        let found = self.trait_value(symbol, &types);
        match found {
            Some(found) => Some(Operand::Value(number(i128::from(found), self.program.basic().bool, span))),
            None => {
                self.messages.error("call", span, format!("invalid arguments of `{symbol}`"));
                Some(Operand::Error(span))
            }
        }
    }

    /// Types that an argument is: of a pack several.
    fn trait_types(&mut self, one: &ast::Expr, types: &mut Vec<Type>) -> Option<()> {
        let (ast::ExprKind::Pack(inner), span) = (&one.kind, one.span) else {
            types.push(self.trait_type(one)?);
            return Some(());
        };
        let count = self.pack_length(|walk| walk.expr(inner), span)?;
        let before = self.body.expansion();
        for at in 0..count {
            self.body.replace_expansion(Some(at));
            let found = self.trait_type(inner);
            self.body.replace_expansion(before);
            types.push(found?);
        }
        Some(())
    }

    fn trait_type(&mut self, one: &ast::Expr) -> Option<Type> {
        match &one.kind {
            ast::ExprKind::Type(ty) => self.resolve_type(ty),
            ast::ExprKind::Name(name) => {
                let ty = ast::Type {
                    kind: ast::TypeKind::Name(name.clone()),
                    qualifiers: ast::Qualifiers::default(),
                    span: one.span,
                };
                self.resolve_type(&ty)
            }
            _ => {
                self.messages.error("type", one.span, "expected a type");
                None
            }
        }
    }

    fn trait_value(&mut self, name: &str, types: &[Type]) -> Option<bool> {
        let first = *types.first()?;
        let second = types.get(1).copied();
        Some(match name {
            "__is_same" => first == second?,
            "__is_integral" => self.program.is_integral(first),
            "__is_floating_point" => self.program.is_floating(first),
            "__is_pointer" => self.program.pointee(first).is_some(),
            "__is_enum" => self.program.is_enum(first),
            "__is_class" => self.program.record_of(first).is_some_and(|record| !self.classes[record].union),
            "__is_union" => self.program.record_of(first).is_some_and(|record| self.classes[record].union),
            "__is_array" => self.program.array_of(first).is_some(),
            "__is_reference" => self.program.referred(first).is_some(),
            "__is_const" => first.constant && !self.program.is_function(first),
            "__is_void" => self.program.is_void(first),
            "__has_trivial_destructor" => self.trivially_ended(first) || !self.has_destructor(first),
            "__is_empty" => {
                self.complete(first);
                self.program.record_of(first).is_some_and(|record| self.classes[record].empty)
            }
            "__is_trivially_copyable" => self.trivially_copyable(first),
            "__is_unsigned" => {
                self.program.is_integral(first)
                    && self.program.width(first).is_some_and(|(_, signed)| !signed)
            }
            "__is_signed" => {
                self.program.is_floating(first)
                    || (self.program.is_integral(first)
                        && self.program.width(first).is_some_and(|(_, signed)| signed))
            }
            "__is_base_of" => match (self.program.record_of(first), self.program.record_of(second?)) {
                (Some(base), Some(derived)) => self.is_base(base, derived),
                _ => false,
            },
            "__is_convertible" => {
                let second = second?;
                if self.program.is_void(first) || self.program.is_void(second) {
                    return Some(self.program.is_void(first) && self.program.is_void(second));
                }
                let operand = self.program.declared_value(first);
                self.trial(|this| this.conversion(&operand, second, true)).is_some_and(|one| !one.ambiguous)
            }
            "__is_constructible" => {
                let operands: Vec<Operand> =
                    types.iter().skip(1).map(|ty| self.program.declared_value(*ty)).collect();
                self.trial(|this| this.direct_init(first, operands, Span::default())).is_some()
            }
            "__is_polymorphic" => self.whole_record(first).is_some_and(|record| self.is_polymorphic(record)),
            "__is_abstract" => self.whole_record(first).is_some_and(|record| self.is_abstract(record)),
            "__has_virtual_destructor" => {
                self.whole_record(first).is_some_and(|record| self.has_virtual_destructor(record))
            }
            "__is_trivial" => self.trivially_copyable(first) && self.begins_trivially(first),
            "__is_standard_layout" => self.has_standard_layout(first),
            "__is_aggregate" => {
                self.program.array_of(first).is_some()
                    || self.whole_record(first).is_some_and(|record| self.classes[record].aggregate)
            }
            "__is_trivially_constructible" => match second {
                Some(from) => {
                    let from = plain(self.program.without_reference(from));
                    from == plain(first) && self.trivially_copyable(first) || self.program.is_scalar(first)
                }
                None => self.begins_trivially(first),
            },
            "__is_trivially_assignable" => {
                let (to, from) =
                    (self.program.without_reference(first), self.program.without_reference(second?));
                !to.constant
                    && (plain(to) == plain(from) && self.trivially_copyable(to) || self.program.is_scalar(to))
            }
            "__is_assignable" => {
                let (to, from) = (self.program.declared_value(first), self.program.declared_value(second?));
                self.trial(|this| this.assign(to, from, Span::default())).is_some()
            }
            _ => return None,
        })
    }

    fn whole_record(&mut self, ty: Type) -> Option<RecordId> {
        self.complete(ty);
        self.program.record_of(ty)
    }

    /// Whether an object that nothing initialises begins without anything being done.
    fn begins_trivially(&mut self, ty: Type) -> bool {
        let init = self.trial(|this| this.default_init(plain(ty), false, Span::default()));
        matches!(init, Some(Init::Nothing))
    }

    /// Whether C would lay a type out so.
    fn has_standard_layout(&mut self, ty: Type) -> bool {
        if let Some((of, _)) = self.program.array_of(ty) {
            return self.has_standard_layout(of);
        }
        let Some(record) = self.whole_record(ty) else { return self.program.is_scalar(ty) };
        let fields = self.program[record].fields.clone();
        let hidden = self.classes[record].hidden.len();
        let own = fields.iter().filter(|field| !field.base).count();
        let filled = |this: &Self, field: &crate::hir::Field| {
            this.program.record_of(field.ty).is_some_and(|base| !this.classes[base].empty)
        };
        let bases = fields.iter().filter(|field| field.base && filled(self, field)).count();
        !self.is_polymorphic(record)
            && (hidden == 0 || hidden == own)
            && (bases == 0 || bases == 1 && own == 0)
            && fields.iter().all(|field| self.has_standard_layout(field.ty))
    }

    /// Questions whose answer is a type: a value of it, never evaluated, for `decltype`.
    fn trait_type_call(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Option<Operand> {
        if !matches!(name, "__underlying_value" | "__signature_value") {
            return None;
        }
        let ty = arguments.first().and_then(|one| self.trait_type(one));
        let found = ty.and_then(|ty| match name {
            "__underlying_value" => self.program.enum_of(ty).map(|id| self.program[id].underlying),
            _ => self.whole_record(ty).and_then(|record| self.call_type(record)),
        });
        Some(match found {
            Some(ty) => Operand::Value(number(0, ty, span)),
            None => {
                self.messages.error("call", span, format!("invalid arguments of `{name}`"));
                Operand::Error(span)
            }
        })
    }

    /// Pointer to functions of the type of a class's only call operator.
    pub(crate) fn call_type(&mut self, record: RecordId) -> Option<Type> {
        let Some(Entity::Functions(decls, _)) = self.find_member(record, "operator()", Want::Any) else {
            return None;
        };
        let [decl] = decls[..] else { return None };
        if self.has_template(decl) {
            return None;
        }
        let signature = self.signature(decl, &[])?;
        let result = match signature.result {
            Some(result) => result,
            None => {
                let id = self.instance(decl, &[], &signature, Span::default())?;
                self.find_result(id, Span::default())?;
                self.program[id].result
            }
        };
        let function = self.program.ty(TypeKind::Function(result, signature.params.clone()));
        Some(self.program.pointer(function))
    }
}
