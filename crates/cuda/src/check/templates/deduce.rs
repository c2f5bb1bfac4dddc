//! Deduction: a template's arguments from types.
//!
//! Enters: types as written, with names of parameters in them, and the types that they are to be. Leaves: arguments. This
//! module must never know how functions are ranked.

use crate::ast::{self, Symbol, TemplateArgument, TemplateParameter, TemplateParameterKind};
use crate::hir::{Type, TypeKind};

use crate::check::Checker;
use crate::check::names::entity::{Argument, Entity, same_argument};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

/// What parameters stand for, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) struct Bindings {
    /// Names, and whether they are packs.
    names: Vec<(Option<Symbol>, bool)>,
    /// What they stand for.
    pub(crate) values: Vec<Option<Argument>>,
    /// Whether they are of types.
    types: Vec<bool>,
    /// How many elements of packs were given explicitly.
    given: Vec<usize>,
    /// Which element of packs is being matched.
    element: Option<usize>,
    /// Whether qualifiers must be the same.
    pub(crate) exact: bool,
    /// What `auto` represents.
    pub(crate) auto: Option<Type>,
    /// Markers of packs, where templates are compared: they match packs alone.
    pub(crate) packs: Vec<Argument>,
}

impl Bindings {
    pub(crate) fn new(params: &[TemplateParameter]) -> Self {
        Self {
            names: params
                .iter()
                .map(|one| (one.name.as_ref().map(|name| name.symbol.clone()), one.pack))
                .collect(),
            values: vec![None; params.len()],
            types: params.iter().map(|one| matches!(one.kind, TemplateParameterKind::Type { .. })).collect(),
            given: vec![0; params.len()],
            element: None,
            exact: false,
            auto: None,
            packs: vec![],
        }
    }

    /// Takes explicit arguments; `false` where there are too many.
    pub(crate) fn give(&mut self, arguments: &[Argument]) -> bool {
        let mut at = 0;
        for one in arguments {
            let Some((_, pack)) = self.names.get(at) else { return false };
            if *pack {
                match &mut self.values[at] {
                    Some(Argument::Pack(all)) => all.push(one.clone()),
                    value => *value = Some(Argument::Pack(vec![one.clone()])),
                }
                self.given[at] += 1;
            } else {
                self.values[at] = Some(one.clone());
                at += 1;
            }
        }
        true
    }

    /// Leaves only the names of those that nothing is known of.
    pub(crate) fn forget_known(&mut self) {
        for ((name, pack), value) in self.names.iter_mut().zip(&self.values) {
            if value.is_some() && !*pack {
                *name = None;
            }
        }
    }

    /// Number of a parameter.
    pub(crate) fn number(&self, symbol: &Symbol) -> Option<usize> {
        self.slot(symbol)
    }

    /// Whether a parameter is of a type.
    pub(crate) fn is_type(&self, number: usize) -> bool {
        self.types.get(number).copied().unwrap_or(false)
    }

    fn slot(&self, symbol: &Symbol) -> Option<usize> {
        self.names.iter().position(|(name, _)| name.as_ref() == Some(symbol))
    }

    fn put(&mut self, slot: usize, argument: Argument) -> bool {
        let pack = self.names[slot].1;
        match (pack, self.element) {
            (true, Some(element)) => {
                let Some(Argument::Pack(all)) =
                    Some(self.values[slot].get_or_insert_with(|| Argument::Pack(vec![])))
                else {
                    return false;
                };
                match all.get(element) {
                    Some(old) => same_argument(old, &argument),
                    None => {
                        all.push(argument);
                        true
                    }
                }
            }
            (true, None) => false,
            (false, _) => match &self.values[slot] {
                Some(old) => same_argument(old, &argument),
                None => {
                    self.values[slot] = Some(argument);
                    true
                }
            },
        }
    }

    /// All arguments; packs that nothing was found for are empty.
    pub(crate) fn finish(self) -> Option<Vec<Argument>> {
        self.values
            .into_iter()
            .zip(self.names)
            .map(
                |(value, (_, pack))| if pack { Some(value.unwrap_or(Argument::Pack(vec![]))) } else { value },
            )
            .collect()
    }
}

impl Checker<'_> {
    /// Whether a type names a parameter.
    pub(crate) fn mentions(&self, ty: &ast::Type, bindings: &Bindings) -> bool {
        let mut found = Self::has_auto(ty);
        crate::check::names::walk::Walk {
            name: &mut |name| {
                if let Some(first) = name.segments.first()
                    && let Some(symbol) = crate::check::names::lookup::key(&first.id)
                    && bindings.slot(&symbol).is_some()
                {
                    found = true;
                }
            },
            this: &mut || {},
            packs: true,
        }
        .ty(ty);
        found
    }

    /// Matches a pattern with a type; `false` where they cannot be the same.
    pub(crate) fn unify(&mut self, pattern: &ast::Type, ty: Type, bindings: &mut Bindings) -> bool {
        if !self.mentions(pattern, bindings) {
            // The conversion, or the comparison afterwards, decides.
            return true;
        }
        let mut ty = ty;
        if pattern.qualifiers.constant {
            if bindings.exact && !ty.constant {
                return false;
            }
            ty.constant = false;
        }
        if pattern.qualifiers.volatile {
            if bindings.exact && !ty.volatile {
                return false;
            }
            ty.volatile = false;
        }
        match &pattern.kind {
            ast::TypeKind::Auto | ast::TypeKind::DecltypeAuto => match bindings.auto {
                Some(old) => old == ty,
                None => {
                    bindings.auto = Some(ty);
                    true
                }
            },
            ast::TypeKind::Name(name) => self.unify_name(name, ty, bindings),
            ast::TypeKind::Pointer(to) => match self.program.pointee(ty) {
                Some(of) => self.unify(to, of, bindings),
                None => false,
            },
            ast::TypeKind::Reference(to) => match self.program.referred(ty) {
                Some((of, false)) => self.unify(to, of, bindings),
                _ => !bindings.exact && self.unify(to, ty, bindings),
            },
            ast::TypeKind::RvalueReference(to) => match self.program.referred(ty) {
                Some((of, true)) => self.unify(to, of, bindings),
                _ => !bindings.exact && self.unify(to, ty, bindings),
            },
            ast::TypeKind::Array(of, length) => self.unify_array(of, length.as_deref(), ty, bindings),
            ast::TypeKind::Same(inner) => self.unify(inner, ty, bindings),
            ast::TypeKind::Function(function) => match self.program.kind(ty) {
                TypeKind::Function(result, params) => {
                    self.unify(&function.result, result, bindings)
                        && self.unify_list(
                            &function.parameters.iter().map(|one| &*one.ty).collect::<Vec<_>>(),
                            &params,
                            bindings,
                        )
                }
                _ => false,
            },
            ast::TypeKind::MemberPointer(name, of) => {
                let Some((class, member, constant)) = self.program.member_of(ty) else { return false };
                let record = self.program.record_type(class);
                let written = matches!(of.kind, ast::TypeKind::Function(_));
                let same = !matches!(&of.kind, ast::TypeKind::Function(one) if one.constant != constant);
                let member = Type { constant: member.constant || (constant && !written), ..member };
                same && self.unify_name(name, record, bindings) && self.unify(of, member, bindings)
            }
            // Nothing can be found out from these.
            ast::TypeKind::Decltype(_)
            | ast::TypeKind::Builtin(_)
            | ast::TypeKind::Elaborated(..)
            | ast::TypeKind::Class(_)
            | ast::TypeKind::Enum(_)
            | ast::TypeKind::Pack(_)
            | ast::TypeKind::Error => true,
        }
    }

    fn unify_list(&mut self, patterns: &[&ast::Type], types: &[Type], bindings: &mut Bindings) -> bool {
        let mut types = types.iter();
        for pattern in patterns {
            if let ast::TypeKind::Pack(inner) = &pattern.kind {
                for (at, ty) in types.by_ref().enumerate() {
                    if !self.unify_element(inner, *ty, at, bindings) {
                        return false;
                    }
                }
            } else {
                let Some(ty) = types.next() else { return false };
                if !self.unify(pattern, *ty, bindings) {
                    return false;
                }
            }
        }
        types.next().is_none()
    }

    /// Matches the pattern of a pack with one of its elements.
    pub(crate) fn unify_element(
        &mut self,
        pattern: &ast::Type,
        ty: Type,
        at: usize,
        bindings: &mut Bindings,
    ) -> bool {
        let before = bindings.element.replace(at);
        let found = self.unify(pattern, ty, bindings);
        bindings.element = before;
        found
    }

    fn unify_array(
        &mut self,
        of: &ast::Type,
        length: Option<&ast::Expr>,
        ty: Type,
        bindings: &mut Bindings,
    ) -> bool {
        let Some((element, count)) = self.program.array_of(ty) else { return false };
        match (length, count) {
            (Some(length), Some(count)) => {
                let found = Argument::Value(self.program.basic().ulong, count.into());
                if let ast::ExprKind::Name(name) = &length.kind
                    && let Some(symbol) = name.simple()
                    && let Some(slot) = bindings.slot(symbol)
                    && !bindings.put(slot, found)
                {
                    return false;
                }
            }
            (None, None) => {}
            (None, Some(_)) | (Some(_), None) => return false,
        }
        self.unify(of, element, bindings)
    }

    fn unify_name(&mut self, name: &ast::Name, ty: Type, bindings: &mut Bindings) -> bool {
        if let Some(symbol) = name.simple()
            && let Some(slot) = bindings.slot(symbol)
        {
            return bindings.put(slot, Argument::Type(ty));
        }
        let Some(last) = name.last() else { return false };
        let Some(pattern) = &last.arguments else { return true };
        if let ([_], ast::Id::Word(symbol)) = (&*name.segments, &last.id)
            && let Some(slot) = bindings.slot(symbol)
        {
            let Some(record) = self.program.record_of(ty) else { return false };
            return self.unify_instance(slot, pattern, record, bindings);
        }
        // `A<T>::type` says nothing.
        if name.segments.iter().rev().skip(1).any(|segment| segment.arguments.is_some()) {
            return true;
        }
        let template = match self.resolve_quietly(name, Want::Any) {
            Some(Entity::Template(id)) => id,
            Some(Entity::Type(found)) => {
                match self.program.record_of(found).and_then(|record| self.classes[record].template.clone()) {
                    Some((id, _)) => id,
                    None => return false,
                }
            }
            _ => return true,
        };
        let kind = self.templates[template].kind.clone();
        if let crate::check::names::entity::TemplateKind::Alias(alias) = kind {
            return self.unify_alias(template, &alias, pattern, ty, bindings);
        }
        let Some(record) = self.program.record_of(ty) else { return false };
        self.unify_record(template, pattern, record, bindings)
    }

    /// Matches what an alias stands for, and then its arguments with what was found for its parameters.
    fn unify_alias(
        &mut self,
        template: crate::check::names::entity::TemplateId,
        alias: &ast::Alias,
        pattern: &[TemplateArgument],
        ty: Type,
        bindings: &mut Bindings,
    ) -> bool {
        let one = &self.templates[template];
        let mut inner = Bindings::new(&one.ast.parameters);
        let (scope, order, packs) = (one.scope, one.order, one.ast.parameters.iter().any(|one| one.pack));
        inner.exact = bindings.exact;
        if !self.at(scope, order, |this| this.unify(&alias.target, ty, &mut inner)) {
            return false;
        }
        let before = std::mem::replace(&mut bindings.exact, true);
        if packs {
            // What it stands for need not say all of them; what is said is as long as what was written.
            let all: Option<Vec<Argument>> = inner.values.into_iter().collect();
            let same = all.is_none_or(|all| self.unify_arguments(pattern, &all, bindings));
            bindings.exact = before;
            return same;
        }
        // What it stands for need not say all of them.
        let same = inner.values.into_iter().zip(pattern).all(|(value, pattern)| match value {
            Some(value) => self.unify_arguments(std::slice::from_ref(pattern), &[value], bindings),
            None => true,
        });
        bindings.exact = before;
        same
    }

    /// Matches the arguments of a class template's instance, or of a base that is one.
    fn unify_record(
        &mut self,
        template: crate::check::names::entity::TemplateId,
        pattern: &[TemplateArgument],
        record: crate::hir::RecordId,
        bindings: &mut Bindings,
    ) -> bool {
        if let Some((of, arguments)) = self.classes[record].template.clone()
            && of == template
        {
            let before = std::mem::replace(&mut bindings.exact, true);
            let found = self.unify_arguments(pattern, &arguments, bindings);
            bindings.exact = before;
            return found;
        }
        if bindings.exact {
            return false;
        }
        self.complete_record(record);
        for (base, _) in self.classes[record].bases.clone() {
            let mut attempt = bindings.clone();
            if self.unify_record(template, pattern, base, &mut attempt) {
                *bindings = attempt;
                return true;
            }
        }
        false
    }

    /// Matches `C<T>`, where `C` is itself a parameter, with a class template's instance, or a base that is one. Arguments that
    /// the pattern leaves out are defaults: with others, the parameter's type is another than the argument's.
    fn unify_instance(
        &mut self,
        slot: usize,
        pattern: &[TemplateArgument],
        record: crate::hir::RecordId,
        bindings: &mut Bindings,
    ) -> bool {
        if let Some((of, arguments)) = self.classes[record].template.clone() {
            let mut attempt = bindings.clone();
            attempt.exact = true;
            if attempt.put(slot, Argument::Template(of))
                && self.unify_arguments(pattern, &arguments, &mut attempt)
            {
                attempt.exact = bindings.exact;
                *bindings = attempt;
                return true;
            }
        }
        if bindings.exact {
            return false;
        }
        self.complete_record(record);
        for (base, _) in self.classes[record].bases.clone() {
            if self.unify_instance(slot, pattern, base, bindings) {
                return true;
            }
        }
        false
    }

    /// Matches template arguments as written with arguments.
    pub(crate) fn unify_arguments(
        &mut self,
        pattern: &[TemplateArgument],
        arguments: &[Argument],
        bindings: &mut Bindings,
    ) -> bool {
        let mut flat = vec![];
        crate::check::names::entity::flatten(arguments, &mut flat);
        let mut rest = flat.iter();
        for one in pattern {
            if let TemplateArgument::Pack(inner) = one {
                for (at, argument) in rest.by_ref().enumerate() {
                    let before = bindings.element.replace(at);
                    let found = self.unify_argument(inner, argument, bindings);
                    bindings.element = before;
                    if !found {
                        return false;
                    }
                }
                continue;
            }
            // Arguments that are left out are the template's defaults.
            let Some(argument) = rest.next() else { return false };
            if bindings.packs.contains(argument) || !self.unify_argument(one, argument, bindings) {
                return false;
            }
        }
        rest.next().is_none() || !bindings.exact || pattern.len() < flat.len()
    }

    fn unify_argument(
        &mut self,
        pattern: &TemplateArgument,
        argument: &Argument,
        bindings: &mut Bindings,
    ) -> bool {
        match (pattern, argument) {
            (TemplateArgument::Type(pattern), Argument::Type(ty)) => self.unify(pattern, *ty, bindings),
            (TemplateArgument::Expression(expr), argument) => {
                if let ast::ExprKind::Name(name) = &expr.kind {
                    if let Some(symbol) = name.simple()
                        && let Some(slot) = bindings.slot(symbol)
                    {
                        return bindings.put(slot, argument.clone());
                    }
                    if let Argument::Type(ty) = argument {
                        return self.unify_name(name, *ty, bindings);
                    }
                }
                // A computed value is compared once the parameters are known. A marker is equal to none.
                matches!(argument, Argument::Value(_, value) if !self.is_marker(*value))
            }
            _ => false,
        }
    }

    /// Finds out a function template's arguments from those of a call; each is its type and whether it is an lvalue.
    pub(crate) fn deduce_call(
        &mut self,
        patterns: &[&ast::Type],
        operands: &[Option<(Type, bool)>],
        bindings: &mut Bindings,
    ) -> bool {
        let mut operands = operands.iter();
        for (at, pattern) in patterns.iter().enumerate() {
            if let ast::TypeKind::Pack(inner) = &pattern.kind {
                if at + 1 < patterns.len() {
                    continue;
                }
                for (element, operand) in operands.by_ref().enumerate() {
                    let before = bindings.element.replace(element);
                    let found = operand.is_none_or(|operand| self.deduce_one(inner, operand, bindings));
                    bindings.element = before;
                    if !found {
                        return false;
                    }
                }
                continue;
            }
            let Some(operand) = operands.next() else { break };
            if let Some(operand) = operand
                && !self.deduce_one(pattern, *operand, bindings)
            {
                return false;
            }
        }
        true
    }

    /// Finds out arguments from a parameter and the operand for it.
    pub(crate) fn deduce_one(
        &mut self,
        pattern: &ast::Type,
        (ty, lvalue): (Type, bool),
        bindings: &mut Bindings,
    ) -> bool {
        match &pattern.kind {
            ast::TypeKind::RvalueReference(to) => {
                let forwarding = !to.qualifiers.constant
                    && !to.qualifiers.volatile
                    && match &to.kind {
                        ast::TypeKind::Name(name) => {
                            name.simple().is_some_and(|symbol| bindings.slot(symbol).is_some())
                        }
                        ast::TypeKind::Auto => true,
                        _ => false,
                    };
                let ty = if forwarding && lvalue { self.program.reference(ty, false) } else { ty };
                self.unify(to, ty, bindings)
            }
            ast::TypeKind::Reference(to) => self.unify(to, ty, bindings),
            _ => {
                let ty = plain(self.program.decayed(ty));
                let mut bare = pattern.clone();
                bare.qualifiers = ast::Qualifiers::default();
                // Arrays as parameters are pointers.
                if let ast::TypeKind::Array(of, _) = &pattern.kind {
                    return match self.program.pointee(ty) {
                        Some(to) => self.unify(of, to, bindings),
                        None => !self.mentions(of, bindings),
                    };
                }
                self.unify(&bare, ty, bindings)
            }
        }
    }

    /// Type of a variable whose declared type has `auto` in it; the initialiser's type and whether it is an lvalue are given.
    pub(crate) fn deduce_auto(&mut self, pattern: &ast::Type, operand: (Type, bool)) -> Option<Type> {
        if matches!(pattern.kind, ast::TypeKind::DecltypeAuto) {
            let (ty, lvalue) = operand;
            return Some(if lvalue { self.program.reference(ty, false) } else { ty });
        }
        let mut bindings = Bindings::new(&[]);
        if !self.deduce_one(pattern, operand, &mut bindings) {
            let shown = self.program.show(operand.0);
            self.messages.error(
                "auto",
                pattern.span,
                format!("this type with `auto` does not match the initialiser of type `{shown}`"),
            );
            return None;
        }
        self.body.note_auto(bindings.auto);
        let before = self.body.replace_auto(bindings.auto);
        let found = self.resolve_type(pattern);
        self.body.replace_auto(before);
        found
    }

    /// Whether a template's parameter is of a type or a value.
    pub(crate) fn is_type_parameter(param: &TemplateParameter) -> bool {
        matches!(param.kind, TemplateParameterKind::Type { .. })
    }
}
