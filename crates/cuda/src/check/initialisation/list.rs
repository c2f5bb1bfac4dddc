//! Lists in braces as arguments, and `std::initializer_list` on the host's side, which a list makes of its values.
//!
//! Enters: lists, types and classes. Leaves: whether a list converts; arrays of the values, and objects that have their addresses and
//! lengths. This module must never know what a constructor does with one.

use std::rc::Rc;

use crate::ast::{self, InitList};
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::sequence::{Rank, Sequence};
use crate::check::expressions::operand::{Operand, number};
use crate::check::names::entity::{Argument, DeclId, Entity};
use crate::check::names::find::Want;
use crate::check::types::kind::{constant, plain};
use crate::hir::{Init, Place, PlaceKind, RecordId, Type, TypeKind};
use crate::sorted::Sorted;
use crate::source::Span;

/// Name of the class, in `std`.
const CLASS: &str = "initializer_list";

impl Checker<'_> {
    /// Type of the elements, of a class that is a `std::initializer_list`.
    fn list_element(&self, record: RecordId) -> Option<Type> {
        let (template, arguments) = self.classes[record].template.as_ref()?;
        match (self.side.is_host(), arguments.first()) {
            (true, Some(Argument::Type(element))) if &*self.templates[*template].name == CLASS => {
                Some(*element)
            }
            _ => None,
        }
    }

    /// The class for elements of a type, where its header is there.
    fn list_class(&mut self, element: Type, span: Span) -> Option<Type> {
        if self.side.is_device() {
            return None;
        }
        let std = self.std_scope()?;
        let Some(Entity::Template(id)) =
            self.declarations.pick(std, CLASS, Want::Type, self.scopes.horizon(), &self.scopes)
        else {
            return None;
        };
        match self.instantiate(id, &[Argument::Type(plain(element))], span)? {
            Entity::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// The class that a list's values make, by the first of them.
    pub(crate) fn class_of_list(&mut self, list: &InitList) -> Option<Type> {
        let first = list.elements.first()?;
        let ty = self.trial(|this| {
            let operand = this.expr(&first.value);
            let operand = match operand {
                Operand::Functions(_) => Operand::Value(this.value(operand)?),
                operand => operand,
            };
            operand.ty()
        })?;
        let element = plain(self.program.decayed(ty));
        self.list_class(element, list.span)
    }

    /// The same where a parameter is written as such a class.
    pub(crate) fn list_for_parameter(&mut self, ty: &ast::Type, list: &InitList) -> Option<Type> {
        if Self::is_list_parameter(ty) { self.class_of_list(list) } else { None }
    }

    /// Whether a parameter is written as such a class.
    pub(crate) fn is_list_parameter(ty: &ast::Type) -> bool {
        let named = |ty: &ast::Type| match &ty.kind {
            ast::TypeKind::Name(name) => {
                name.last().is_some_and(|last| matches!(&last.id, ast::Id::Word(word) if &**word == CLASS))
            }
            _ => false,
        };
        let of = match &ty.kind {
            ast::TypeKind::Reference(of) | ast::TypeKind::RvalueReference(of) => of,
            _ => ty,
        };
        named(of)
    }

    /// An object of the class by a list; nothing where it is another class.
    pub(crate) fn list_object(&mut self, record: RecordId, list: &InitList) -> Option<Option<Init>> {
        let element = self.list_element(record)?;
        Some(self.list_object_of(element, list))
    }

    fn list_object_of(&mut self, element: Type, list: &InitList) -> Option<Init> {
        let span = list.span;
        let pointer = self.program.pointer(constant(element));
        let operands = self.list_operands(list)?;
        let count = operands.len();
        let mut elements = vec![];
        for operand in operands {
            elements.push(self.initialised(operand, element)?);
        }
        let length = Init::Value(number(count as i128, self.program.basic().ulong, span));
        if count == 0 {
            let null = Init::Value(number(0, pointer, span));
            return Some(Init::Fields(Sorted::from([(0, null), (1, length)])));
        }
        let array = self.program.ty(TypeKind::Array(element, count as u64));
        let local = self.local("".into(), array, span);
        let kind = PlaceKind::Temporary(local, Box::new(Init::Elements(elements, None)));
        let first = self.program.decay(Place { kind, ty: array, span });
        let first = Init::Value(crate::hir::Expr { ty: pointer, ..first });
        Some(Init::Fields(Sorted::from([(0, first), (1, length)])))
    }

    /// An object by a constructor that takes a `std::initializer_list` of the values, where the class has one that they fit.
    pub(crate) fn list_constructor(&mut self, record: RecordId, list: &InitList) -> Option<Option<Init>> {
        if self.side.is_device() || list.elements.is_empty() {
            return None;
        }
        for decl in self.constructors_of(record) {
            let operand = Operand::List(Rc::new(list.clone()));
            let arguments = match self.has_template(decl) {
                true => match self.deduce_function(decl, &[], std::slice::from_ref(&operand)) {
                    Ok(arguments) => arguments,
                    Err(_) => continue,
                },
                false => vec![],
            };
            let Some(to) = self.list_parameter(decl, &arguments) else { continue };
            if self.trial(|this| this.list_init(to, list)).is_none() {
                continue;
            }
            let signature = self.signature(decl, &arguments)?;
            let callee = Callee::Decl(decl, arguments, signature);
            return Some(self.construct_by(callee, vec![operand], list.span));
        }
        None
    }

    /// Class of a constructor's only parameter that needs an argument, where it is a `std::initializer_list`.
    fn list_parameter(&mut self, decl: DeclId, arguments: &[Argument]) -> Option<Type> {
        let signature = self.signature(decl, arguments)?;
        if signature.least > 1 {
            return None;
        }
        let first = self.program.without_reference(*signature.params.first()?);
        let record = self.program.record_of(first)?;
        self.list_element(record).map(|_| plain(first))
    }

    /// The worst conversion of a list's values to a type.
    fn worst_of_list(&mut self, list: &InitList, element: Type) -> Option<Sequence> {
        let operands = self.trial(|this| this.list_operands(list))?;
        let mut worst = Sequence::of(Rank::Exact);
        for operand in operands {
            let one = self.conversion(&operand, element, true)?;
            if self.program.compare_sequences(&worst, &one).is_lt() {
                worst = one;
            }
        }
        worst.reference = None;
        Some(worst)
    }

    /// Conversion of a list, for overloads.
    pub(crate) fn list_conversion(&mut self, list: &Rc<InitList>, to: Type, user: bool) -> Option<Sequence> {
        if let Some(record) = self.program.record_of(to) {
            if !user && !self.classes[record].aggregate {
                // Within a conversion of the user's no second one may come.
                return None;
            }
            self.trial(|this| this.list_init(to, list))?;
            if let Some(element) = self.list_element(record) {
                return self.worst_of_list(list, element);
            }
            let mut sequence = Sequence::of(Rank::Exact);
            sequence.user = Some(Callee::Copy(record));
            return Some(sequence);
        }
        if self.program.array_of(to).is_some() {
            self.trial(|this| this.list_init(to, list))?;
            return Some(Sequence::of(Rank::Exact));
        }
        match list.elements.as_slice() {
            [] => Some(Sequence::of(Rank::Exact)),
            [one] => {
                let operand = self.trial(|this| Some(this.expr(&one.value)))?;
                self.conversion(&operand, to, user)
            }
            _ => None,
        }
    }
}
