//! Templates of classes, aliases and variables: their arguments, specialisations and instances.
//!
//! Enters: a template and arguments. Leaves: what they make, once. This module must never know how a function template's
//! arguments are found.

use std::rc::Rc;

use crate::ast::{self, TemplateArgument, TemplateParameter, TemplateParameterKind};
use crate::hir::{Expr, ExprKind, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::expressions::operand::{FunctionSet, Operand};
use crate::check::names::entity::{
    AliasDecl, Argument, DeclId, Entity, Entry, GlobalDecl, Partial, ScopeId, ScopeKind, TemplateId,
    TemplateKind, flatten, same_argument,
};
use crate::check::names::find::Want;
use crate::check::templates::deduce::Bindings;

/// What an instance is made of.
pub(crate) enum TemplateSource {
    /// The template itself, with the [order](crate::check::names::entity::Entry::order) of its definition.
    Primary(Rc<ast::Template>, ScopeId, u32),
    /// A specialisation, with its parameters bound, and its [order](crate::check::names::entity::Entry::order).
    Partial(Rc<ast::Template>, ScopeId, u32),
}

impl Checker<'_> {
    /// An argument as written, which stands for one.
    pub(crate) fn template_argument(&mut self, one: &TemplateArgument) -> Option<Argument> {
        let mut list = vec![];
        self.template_arguments_into(one, &mut list)?;
        match <[Argument; 1]>::try_from(list) {
            Ok([one]) => Some(one),
            Err(_) => None,
        }
    }

    /// Adds what an argument as written stands for: of a pack, all of it.
    pub(crate) fn template_arguments_into(
        &mut self,
        one: &TemplateArgument,
        list: &mut Vec<Argument>,
    ) -> Option<()> {
        match one {
            TemplateArgument::Type(ty) => list.push(match self.template_named(ty) {
                Some(id) => Argument::Template(id),
                None => Argument::Type(self.resolve_type(ty)?),
            }),
            TemplateArgument::Expression(expr) => list.push(self.expression_argument(expr)?),
            TemplateArgument::Pack(inner) => {
                let count = self.pack_length(|walk| walk.argument(inner), Self::span_of(inner))?;
                let before = self.body.expansion();
                for at in 0..count {
                    self.body.replace_expansion(Some(at));
                    let done = self.template_arguments_into(inner, list);
                    self.body.replace_expansion(before);
                    done?;
                }
            }
        }
        Some(())
    }

    pub(crate) fn span_of(argument: &TemplateArgument) -> Span {
        match argument {
            TemplateArgument::Type(ty) => ty.span,
            TemplateArgument::Expression(expr) => expr.span,
            TemplateArgument::Pack(inner) => Self::span_of(inner),
        }
    }

    /// Template that a type's name without arguments means, where a template may be an argument.
    fn template_named(&mut self, ty: &ast::Type) -> Option<TemplateId> {
        let ast::TypeKind::Name(name) = &ty.kind else { return None };
        if !self.templates.takes_templates() || name.last()?.arguments.is_some() {
            return None;
        }
        let found = match self.resolve_quietly(name, Want::Any)? {
            Entity::Pack(all) => all.get(self.body.expansion()?)?.clone(),
            found => found,
        };
        match found {
            Entity::Template(id) if !matches!(self.templates[id].kind, TemplateKind::Variable(_)) => Some(id),
            _ => None,
        }
    }

    /// An argument that the parser could not tell from a type.
    fn expression_argument(&mut self, expr: &ast::Expr) -> Option<Argument> {
        if let ast::ExprKind::Name(name) = &expr.kind {
            match self.resolve_quietly(name, Want::Any) {
                Some(Entity::Template(id))
                    if matches!(self.templates[id].kind, TemplateKind::Variable(_)) => {}
                Some(Entity::Type(_) | Entity::Alias(_) | Entity::Template(_)) => {
                    let ty = ast::Type {
                        kind: ast::TypeKind::Name(name.clone()),
                        qualifiers: ast::Qualifiers::default(),
                        span: expr.span,
                    };
                    if let Some(id) = self.template_named(&ty) {
                        return Some(Argument::Template(id));
                    }
                    return Some(Argument::Type(self.resolve_type(&ty)?));
                }
                Some(Entity::Pack(_)) => match self.resolve_name(name, Want::Any)?.entity {
                    Entity::Type(ty) => return Some(Argument::Type(ty)),
                    Entity::Template(id) => return Some(Argument::Template(id)),
                    _ => {}
                },
                _ => {}
            }
        }
        if let Some(found) = self.function_argument(expr) {
            return Some(found);
        }
        if let ast::ExprKind::Type(ty) = &expr.kind {
            return Some(Argument::Type(self.resolve_type(ty)?));
        }
        if matches!(expr.kind, ast::ExprKind::Null) {
            return Some(Argument::Value(self.program.basic().null, 0));
        }
        let (ty, value) = self.apart_if_needed(|this| this.constant_integer(expr))?;
        Some(Argument::Value(ty, value))
    }

    /// A function's name, as it is or with `&` before it.
    fn function_argument(&mut self, expr: &ast::Expr) -> Option<Argument> {
        let name = match &expr.kind {
            ast::ExprKind::Name(name) => name,
            ast::ExprKind::Unary(ast::UnaryOperator::Address, inner) => match &inner.kind {
                ast::ExprKind::Name(name) => name,
                _ => return None,
            },
            _ => return None,
        };
        let Entity::Functions(decls, false) = self.resolve_quietly(name, Want::Any)? else { return None };
        let arguments = match name.last()?.arguments {
            Some(_) => self.resolve_name(name, Want::Any)?.arguments.unwrap_or_default(),
            None => vec![],
        };
        Some(Argument::Functions(decls, arguments))
    }

    /// The one function among several that a parameter of a type can be.
    fn fit_functions(
        &mut self,
        to: Type,
        decls: Vec<DeclId>,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Option<Argument> {
        let pointed =
            self.program.pointee(to).or_else(|| self.program.referred(to).map(|(ty, _)| ty)).unwrap_or(to);
        let TypeKind::Function(result, params) = self.program.kind(pointed) else {
            let shown = self.program.show(to);
            self.messages.error(
                "template",
                span,
                format!("a function cannot be a template argument of type `{shown}`"),
            );
            return None;
        };
        let mut fitting = vec![];
        for decl in &decls {
            let decl = *decl;
            let one = &self.declarations[decl];
            if one.template.is_some() || one.class.is_some() {
                continue;
            }
            let Some(signature) = self.signature(decl, &[]) else { continue };
            let same = signature.result == Some(result)
                && !signature.variadic
                && signature.params.len() == params.len()
                && signature
                    .params
                    .iter()
                    .zip(&params)
                    .all(|(a, b)| crate::check::types::kind::plain(*a) == *b);
            if same {
                fitting.push(decl);
            }
        }
        // The same function may be declared several times.
        match fitting[..] {
            [_, ..] => Some(Argument::Functions(fitting, vec![])),
            [] => {
                let set = FunctionSet { arguments, ..FunctionSet::of("", decls, span) };
                if let Some((decl, arguments)) = self.instance_of_types(&set, to) {
                    return Some(Argument::Functions(vec![decl], arguments));
                }
                let shown = self.program.show(to);
                self.messages.error(
                    "template",
                    span,
                    format!("no function of this name has the type `{shown}`"),
                );
                None
            }
        }
    }

    /// How many things the packs in a pattern stand for.
    pub(crate) fn pack_length(
        &mut self,
        walk: impl FnOnce(&mut crate::check::names::walk::Walk<'_>),
        span: Span,
    ) -> Option<usize> {
        let mut names = vec![];
        walk(&mut crate::check::names::walk::Walk {
            name: &mut |name| {
                if let Some(symbol) =
                    name.segments.first().and_then(|first| crate::check::names::lookup::key(&first.id))
                {
                    names.push(symbol);
                }
            },
            this: &mut || {},
            packs: false,
        });
        let mut count = None;
        for name in names {
            if let Some(Entity::Pack(all)) = self.find(&name, Want::Any, span) {
                if count.is_some_and(|count| count != all.len()) {
                    self.messages.error(
                        "pack",
                        span,
                        "pack expansion contains parameter packs that have different lengths",
                    );
                    return None;
                }
                count = Some(all.len());
            }
        }
        if count.is_none() {
            self.messages.error(
                "pack",
                span,
                "pack expansion does not contain any unexpanded parameter packs",
            );
        }
        count
    }

    /// Binds parameters to arguments in a new scope.
    pub(crate) fn bind(
        &mut self,
        params: &[TemplateParameter],
        arguments: &[Argument],
        parent: ScopeId,
    ) -> ScopeId {
        let scope = self.scopes.add(parent, ScopeKind::Template);
        for (param, argument) in params.iter().zip(arguments) {
            self.bind_one(scope, param, argument);
        }
        scope
    }

    fn bind_one(&mut self, scope: ScopeId, param: &TemplateParameter, argument: &Argument) {
        let Some(name) = &param.name else { return };
        let entity = self.argument_entity(argument, param.span);
        let entry = Entry { entity, order: 0, span: name.span };
        self.scopes[scope].names.set(&name.symbol, entry);
    }

    fn argument_entity(&mut self, argument: &Argument, span: Span) -> Entity {
        match argument {
            Argument::Type(ty) => Entity::Type(*ty),
            Argument::Value(ty, value) => {
                let null = self
                    .program
                    .pointee(*ty)
                    .is_some()
                    .then(|| self.program.zero(self.program.basic().null, span));
                let null = null.and_then(|null| self.converted(Operand::Value(null), *ty));
                let integer = || Expr { kind: ExprKind::Integer(*value), ty: *ty, span };
                Entity::Value(Rc::new(null.unwrap_or_else(integer)))
            }
            Argument::Functions(decls, arguments) => match decls.first().filter(|_| !arguments.is_empty()) {
                // The name alone would not say which instance.
                Some(decl) => match self.instance_address(*decl, arguments, span) {
                    Some(address) => Entity::Value(Rc::new(address)),
                    None => Entity::Functions(decls.clone(), false),
                },
                None => Entity::Functions(decls.clone(), false),
            },
            Argument::Template(id) => Entity::Template(*id),
            Argument::Pack(all) => {
                let all: Vec<_> = all.iter().map(|one| self.argument_entity(one, span)).collect();
                Entity::Pack(all.into())
            }
        }
    }

    /// Fits a list of arguments to a template's parameters: packs gathered, defaults filled in, values converted. Leaves the
    /// scope in which the parameters are bound too.
    pub(crate) fn fit(
        &mut self,
        template: &ast::Template,
        defaults: &ast::Template,
        given: &[Argument],
        parent: ScopeId,
        span: Span,
    ) -> Option<(Vec<Argument>, ScopeId)> {
        let scope = self.scopes.add(parent, ScopeKind::Template);
        let mut given = given.iter();
        let mut arguments = vec![];
        for (at, param) in template.parameters.iter().enumerate() {
            let argument = if param.pack {
                let mut all = vec![];
                for one in given.by_ref() {
                    match one {
                        Argument::Pack(more) => all.extend(more.iter().cloned()),
                        one => all.push(one.clone()),
                    }
                }
                let mut fitted = vec![];
                for one in all {
                    fitted.push(self.fit_one(param, one, scope, span)?);
                }
                Argument::Pack(fitted)
            } else if let Some(one) = given.next() {
                self.fit_one(param, one.clone(), scope, span)?
            } else {
                let other = defaults.parameters.get(at).unwrap_or(param);
                let found =
                    self.default_argument(param, scope).or_else(|| self.default_argument(other, scope));
                let Some(found) = found else {
                    let name = param.name.as_ref().map_or("", |name| &name.symbol);
                    self.messages.error("template", span, format!("missing template argument for `{name}`"));
                    return None;
                };
                self.fit_one(param, found?, scope, span)?
            };
            self.bind_one(scope, param, &argument);
            if let Some(other) = defaults.parameters.get(at) {
                self.bind_one(scope, other, &argument);
            }
            arguments.push(argument);
        }
        if given.next().is_some() {
            let count = template.parameters.len();
            self.messages.error(
                "template",
                span,
                format!("too many template arguments: this template takes at most {count}"),
            );
            return None;
        }
        Some((arguments, scope))
    }

    /// Default of a parameter: `None` where it has none, `Some(None)` where it is erroneous.
    fn default_argument(&mut self, param: &TemplateParameter, scope: ScopeId) -> Option<Option<Argument>> {
        match &param.kind {
            TemplateParameterKind::Type { default: Some(ty) } => {
                Some(self.within(scope, |this| this.resolve_type(ty)).map(Argument::Type))
            }
            TemplateParameterKind::Value { default: Some(value), .. } => {
                Some(self.within(scope, |this| this.expression_argument(value)))
            }
            TemplateParameterKind::Template { default: Some(ty) } => {
                let takes = self.templates.replace_takes_templates(true);
                let found = self.within(scope, |this| this.template_named(ty));
                self.templates.replace_takes_templates(takes);
                Some(found.map(Argument::Template))
            }
            _ => None,
        }
    }

    /// The same, erroneous or not there.
    pub(crate) fn default_of(&mut self, param: &TemplateParameter, scope: ScopeId) -> Option<Argument> {
        self.default_argument(param, scope)?
    }

    /// Converts an argument to what the parameter is.
    pub(crate) fn fit_one(
        &mut self,
        param: &TemplateParameter,
        argument: Argument,
        scope: ScopeId,
        span: Span,
    ) -> Option<Argument> {
        match (&param.kind, argument) {
            (TemplateParameterKind::Type { .. }, one @ Argument::Type(_)) => Some(one),
            (
                TemplateParameterKind::Type { .. },
                Argument::Value(..) | Argument::Functions(..) | Argument::Template(_),
            ) => {
                let name = param.name.as_ref().map_or("", |name| &name.symbol);
                self.messages.error(
                    "template",
                    span,
                    format!("template argument for `{name}` must be a type"),
                );
                None
            }
            (TemplateParameterKind::Value { ty, .. }, Argument::Value(from, value)) => {
                let before = self.body.replace_auto(Some(from));
                let to = self.within(scope, |this| this.resolve_type(ty));
                self.body.replace_auto(before);
                let to = crate::check::types::kind::plain(to?);
                self.fit_value(to, from, value, span)
            }
            (TemplateParameterKind::Value { ty, .. }, Argument::Functions(decls, arguments)) => {
                let to = self.within(scope, |this| this.resolve_type(ty))?;
                self.fit_functions(crate::check::types::kind::plain(to), decls, arguments, span)
            }
            (TemplateParameterKind::Value { .. }, Argument::Type(ty)) => {
                let name = param.name.as_ref().map_or("", |name| &name.symbol);
                let shown = self.program.show(ty);
                self.messages.error(
                    "template",
                    span,
                    format!("template argument for `{name}` must be a value, not the type `{shown}`"),
                );
                None
            }
            (TemplateParameterKind::Template { .. }, one @ Argument::Template(_)) => Some(one),
            (TemplateParameterKind::Template { .. }, _)
            | (TemplateParameterKind::Value { .. }, Argument::Template(_)) => {
                let name = param.name.as_ref().map_or("", |name| &name.symbol);
                let wanted = match &param.kind {
                    TemplateParameterKind::Template { .. } => "the name of a template, without arguments",
                    _ => "a value, not a template",
                };
                self.messages.error(
                    "template",
                    span,
                    format!("template argument for `{name}` must be {wanted}"),
                );
                None
            }
            (_, Argument::Pack(_)) => {
                self.messages.poison(span);
                None
            }
        }
    }

    fn fit_value(&mut self, to: Type, from: Type, value: i128, span: Span) -> Option<Argument> {
        if self.is_marker(value) {
            return Some(Argument::Value(to, value));
        }
        if self.program.enum_of(to).is_some() && to.id != from.id {
            let (a, b) = (self.program.show(from), self.program.show(to));
            self.messages.error(
                "template",
                span,
                format!("template argument of type `{a}` cannot be converted to `{b}`"),
            );
            return None;
        }
        // The only pointer that there can be: `enable_if<…>::type * = nullptr`.
        if self.program.is_null_type(from) && self.program.pointee(to).is_some() {
            return Some(Argument::Value(to, value));
        }
        let Some((bits, signed)) = self.program.width(to) else {
            let shown = self.program.show(to);
            self.messages.refuse(
                span,
                &format!("template arguments of type `{shown}` are"),
                "use an integer, `bool`, an enumerator, or `nullptr` for a pointer",
            );
            return None;
        };
        let fits = match (self.program.is_bool(to), signed) {
            (true, _) => value == 0 || value == 1,
            (false, true) => value >= -(1 << (bits - 1)) && value < 1 << (bits - 1),
            (false, false) => value >= 0 && value < 1 << bits,
        };
        if !fits {
            let shown = self.program.show(to);
            self.messages.error(
                "narrowing",
                span,
                format!("{value} does not fit in `{shown}`, the type of the template parameter"),
            );
            return None;
        }
        Some(Argument::Value(to, value))
    }

    /// Instance of a template by arguments as written.
    pub(crate) fn instantiate_entity(
        &mut self,
        id: TemplateId,
        arguments: &[TemplateArgument],
        span: Span,
    ) -> Option<Entity> {
        let mut list = vec![];
        for one in arguments {
            self.template_arguments_into(one, &mut list)?;
        }
        self.instantiate(id, &list, span)
    }

    /// The same of a class or alias.
    pub(crate) fn instantiate_named(
        &mut self,
        id: TemplateId,
        arguments: &[TemplateArgument],
        span: Span,
    ) -> Option<Type> {
        let entity = self.instantiate_entity(id, arguments, span)?;
        let found = self.entity_type(&entity);
        if found.is_none() {
            let text = self.messages.text(span).to_owned();
            self.messages.unknown_name(text, span, "this does not name a type");
        }
        found
    }

    /// What a class template's own name means in it: the class itself; elsewhere the template with defaults alone.
    pub(crate) fn injected(&mut self, id: TemplateId, span: Span) -> Option<Type> {
        if let Some(own) = self.own_instance(id) {
            return Some(own);
        }
        let defaults = self.templates[id].ast.parameters.iter().all(|param| {
            param.pack
                || matches!(
                    &param.kind,
                    TemplateParameterKind::Type { default: Some(_) }
                        | TemplateParameterKind::Value { default: Some(_), .. }
                )
        });
        if !defaults {
            let name = self.templates[id].name.to_string();
            self.messages.error_help(
                "template",
                span,
                format!("use of template `{name}` requires template arguments"),
                format!("write them in angle brackets: `{name}<…>`"),
            );
            return None;
        }
        let found = self.instantiate(id, &[], span)?;
        self.entity_type(&found)
    }

    /// Explicit arguments of a template with the defaults after them, and the scope with its parameters bound to all.
    fn with_defaults(
        &mut self,
        id: TemplateId,
        given: &[Argument],
        span: Span,
    ) -> Option<(Vec<Argument>, ScopeId)> {
        let one = &self.templates[id];
        let (first, scope) = (Rc::clone(&one.ast), one.scope);
        if self.templates.is_marker(id) {
            return Some((given.to_vec(), scope));
        }
        // Where the first declaration has none, those of a later one count.
        let (defaults, order) =
            self.templates.defaulted(id).unwrap_or_else(|| (Rc::clone(&first), one.order));
        self.at(scope, order, |this| this.fit(&first, &defaults, given, scope, span))
    }

    /// Instance of a template.
    pub(crate) fn instantiate(&mut self, id: TemplateId, given: &[Argument], span: Span) -> Option<Entity> {
        if let Some(found) = self.templates[id].instances.get(given) {
            return Some(found.clone());
        }
        if given.iter().any(|one| self.is_functor(one)) {
            self.messages.refuse(
                span,
                "function pointers are",
                "pass a lambda, or a class with `operator()`",
            );
            return None;
        }
        if !self.may_grow(given, span) {
            return None;
        }
        self.instances.enter();
        let fitted = self.with_defaults(id, given, span);
        self.instances.leave();
        let (arguments, bound) = fitted?;
        if let Some(found) = self.templates[id].instances.get(&arguments) {
            let found = found.clone();
            self.templates[id].instances.insert(given.to_vec(), found.clone());
            return Some(found);
        }
        let entity = self.make_instance(id, &arguments, bound, span)?;
        let known = &mut self.templates[id].instances;
        known.insert(given.to_vec(), entity.clone());
        known.insert(arguments, entity.clone());
        Some(entity)
    }

    /// Whether an argument stands for a function, which is no class in truth.
    fn is_functor(&self, argument: &Argument) -> bool {
        match argument {
            Argument::Type(ty) => {
                let ty = self.program.without_reference(*ty);
                self.program.record_of(ty).is_some_and(|record| self.classes.is_functor(record))
            }
            Argument::Value(..) | Argument::Functions(..) | Argument::Template(_) => false,
            Argument::Pack(all) => all.iter().any(|one| self.is_functor(one)),
        }
    }

    fn make_instance(
        &mut self,
        id: TemplateId,
        arguments: &[Argument],
        bound: ScopeId,
        span: Span,
    ) -> Option<Entity> {
        let one = &self.templates[id];
        let (name, scope, order) = (one.name.clone(), one.scope, one.order);
        match one.kind.clone() {
            TemplateKind::Class => {
                let shown = format!(
                    "{}{}",
                    self.scopes.qualified_name(scope, &name, &self.program),
                    self.show_arguments(arguments)
                );
                let union = one_is_union(self.templates[id].class.as_deref());
                let declared = self.templates[id].span;
                let request = self.messages.request(shown.as_str().into(), span);
                let ty = self.new_record(name, shown, union, bound, declared);
                let record = self.program.record_of(ty)?;
                self.classes[record].request = request;
                self.classes[record].template = Some((id, arguments.to_vec()));
                self.classes[record].order = order;
                Some(Entity::Type(ty))
            }
            TemplateKind::Alias(alias) => {
                let alias =
                    self.declarations.add_alias(AliasDecl { ast: alias, scope: bound, ty: None, order });
                self.instances.enter();
                let found = self.alias_type(alias);
                self.instances.leave();
                found.map(Entity::Type)
            }
            TemplateKind::Variable(variable) => {
                let (ast, scope, order) = match self.source(id, arguments, span)? {
                    TemplateSource::Primary(..) => (variable, bound, order),
                    TemplateSource::Partial(template, scope, order) => match &template.declaration.kind {
                        ast::DeclarationKind::Variable(variable) => (Rc::clone(variable), scope, order),
                        _ => (variable, bound, order),
                    },
                };
                let id = self.declarations.add_global(GlobalDecl {
                    ast,
                    definition: None,
                    scope,
                    class: None,
                    arguments: arguments.to_vec(),
                    variable: None,
                    order,
                });
                Some(Entity::Global(id))
            }
        }
    }

    /// What an instance is made of: the most special of the specialisations that fit, or the template.
    pub(crate) fn source(
        &mut self,
        id: TemplateId,
        arguments: &[Argument],
        span: Span,
    ) -> Option<TemplateSource> {
        let partials = self.templates[id].partials.clone();
        let mut fitting: Vec<(usize, ScopeId)> = vec![];
        for (at, partial) in partials.iter().enumerate() {
            if let Some(scope) = self.fits_partial(id, partial, arguments, vec![]) {
                fitting.push((at, scope));
            }
        }
        if fitting.is_empty() {
            let one = &self.templates[id];
            let redeclared = self.templates.redeclared(id);
            let (ast, order) = redeclared.unwrap_or_else(|| (Rc::clone(&one.ast), one.order));
            return Some(TemplateSource::Primary(ast, one.scope, order));
        }
        let mut best = vec![];
        for (at, scope) in &fitting {
            let mut wins = true;
            for (other, _) in &fitting {
                if at != other
                    && let (Some(a), Some(b)) = (partials.get(*at), partials.get(*other))
                    && !self.more_special_partial(id, a, b)
                {
                    wins = false;
                }
            }
            if wins {
                best.push((*at, *scope));
            }
        }
        match (best.first(), best.len()) {
            (Some((at, scope)), 1) => {
                partials.get(*at).map(|one| TemplateSource::Partial(Rc::clone(&one.ast), *scope, one.order))
            }
            _ => {
                let name = self.templates[id].name.to_string();
                let shown = self.show_arguments(arguments);
                self.messages.error(
                    "ambiguous",
                    span,
                    format!("ambiguous partial specialisations of `{name}{shown}`"),
                );
                None
            }
        }
    }

    /// Scope with a specialisation's parameters bound, where its pattern fits.
    fn fits_partial(
        &mut self,
        id: TemplateId,
        partial: &Partial,
        arguments: &[Argument],
        packs: Vec<Argument>,
    ) -> Option<ScopeId> {
        let Partial { ast: template, pattern, scope, order, .. } = partial;
        let (found, messages) = self.tried(|this| {
            let mut bindings = Bindings::new(&template.parameters);
            bindings.exact = true;
            bindings.packs = packs;
            this.at(*scope, this.scopes.horizon().max(*order), |this| {
                this.unify_arguments(pattern, arguments, &mut bindings)
            })
            .then_some(())?;
            let found = bindings.finish()?;
            let bound = this.bind(&template.parameters, &found, *scope);
            // What was not found by matching must be the same once the parameters are known.
            let list = this.pattern_arguments(id, partial, bound)?;
            let mut flat = vec![];
            flatten(arguments, &mut flat);
            (list.len() == flat.len() && list.iter().zip(&flat).all(|(a, b)| same_argument(a, b)))
                .then_some(bound)
        });
        // That what a pattern asks is unknown does not mean that it does not fit.
        self.messages.tell_of_no_argument(&messages);
        messages.is_empty().then_some(found).flatten()
    }

    /// Arguments that a specialisation's pattern says, with its parameters bound, and the template's defaults after them.
    fn pattern_arguments(
        &mut self,
        id: TemplateId,
        partial: &Partial,
        bound: ScopeId,
    ) -> Option<Vec<Argument>> {
        let mut list = vec![];
        self.at(bound, self.scopes.horizon().max(partial.order), |this| {
            for one in partial.pattern.iter() {
                this.template_arguments_into(one, &mut list)?;
            }
            Some(())
        })?;
        let one = &self.templates[id];
        if list.len() < one.ast.parameters.len() {
            let (all, _) = self.with_defaults(id, &list, one.span)?;
            list.clear();
            flatten(&all, &mut list);
        }
        Some(list)
    }

    fn more_special_partial(&mut self, id: TemplateId, a: &Partial, b: &Partial) -> bool {
        self.as_special(id, a, b) && !self.as_special(id, b, a)
    }

    /// Whether the other specialisation fits whatever the one fits.
    pub(crate) fn as_special(&mut self, id: TemplateId, one: &Partial, other: &Partial) -> bool {
        let found = self.trial(|this| {
            let markers = this.markers(&one.ast.parameters);
            let packs = this.pack_markers(&one.ast.parameters);
            let bound = this.bind(&one.ast.parameters, &markers, one.scope);
            let list = this.pattern_arguments(id, one, bound)?;
            this.fits_partial(id, other, &list, packs)
        });
        found.is_some()
    }
}

fn one_is_union(class: Option<&ast::Class>) -> bool {
    class.is_some_and(|class| class.tag == ast::TagKind::Union)
}
