//! Members that are defined outside of their classes: `template <typename T> void List<T>::Node::f() { … }`.
//!
//! Enters: names of definitions, with the headers of templates before them. Leaves: which class template, specialisation and class in it
//! they belong to, and for a class all that is defined outside of it. This module must never know what a body does.

use std::rc::Rc;

use crate::ast::{self, ExprKind, Name, Qualifiers, Symbol, TagKind, TemplateArgument, TypeKind};
use crate::check::Checker;
use crate::check::context::classes::Classes;
use crate::check::context::scopes::Scopes;
use crate::check::context::templates::Templates;
use crate::check::names::entity::{
    Enclosing, Entity, Entry, Outside, Partial, ScopeId, ScopeKind, TemplateId,
};
use crate::check::names::find::Want;
use crate::check::names::lookup::key;
use crate::hir::RecordId;

impl Templates {
    pub(crate) fn add_outside(&mut self, of: Enclosing, one: Outside) {
        let template = &mut self[of.template];
        let list = match of.partial.and_then(|at| template.partials.get_mut(at)) {
            Some(partial) => &mut partial.outside,
            None => &mut template.outside,
        };
        list.push((of.path, one));
    }
}

impl Classes {
    /// A class and those around it.
    fn around<'a>(&'a self, id: RecordId, scopes: &'a Scopes) -> impl Iterator<Item = RecordId> + 'a {
        std::iter::successors(Some(id), |one| {
            let mut at = scopes[self[*one].scope].parent?;
            while scopes[at].kind == ScopeKind::Template {
                at = scopes[at].parent?;
            }
            match scopes[at].kind {
                ScopeKind::Class(outer) => Some(outer),
                _ => None,
            }
        })
    }

    /// Whether a class template made a class, or one around it.
    pub(crate) fn of_template(&self, id: RecordId, scopes: &Scopes) -> bool {
        self.around(id, scopes).any(|one| self[one].template.is_some())
    }

    /// Members that are defined outside of a class: those of the templates that made it and the classes around it, and its own.
    pub(crate) fn defined_outside<'a>(
        &'a self,
        id: RecordId,
        templates: &'a Templates,
        scopes: &Scopes,
    ) -> Vec<&'a Outside> {
        let (mut all, mut path) = (vec![], vec![]);
        for record in self.around(id, scopes) {
            let info = &self[record];
            if let Some((of, _)) = &info.template {
                let template = &templates[*of];
                let partial = info.partial.and_then(|at| template.partials.get(at));
                let list = partial.map_or(&template.outside, |partial| &partial.outside);
                let ours = list.iter().filter(|(names, _)| names.iter().eq(path.iter().rev()));
                all.extend(ours.map(|(_, one)| one));
            }
            path.push(info.name.clone());
        }
        all.extend(self.outside(id));
        all
    }
}

/// Whether the arguments before `::` are the parameters of a header, in their order: those of the template itself.
fn are_own(arguments: &[TemplateArgument], header: &ast::Template) -> bool {
    fn named(one: &TemplateArgument) -> Option<&Symbol> {
        match one {
            TemplateArgument::Type(ty) => match &ty.kind {
                TypeKind::Name(name) if ty.qualifiers == Qualifiers::default() => name.simple(),
                _ => None,
            },
            TemplateArgument::Expression(expr) => match &expr.kind {
                ExprKind::Name(name) => name.simple(),
                _ => None,
            },
            TemplateArgument::Pack(inner) => named(inner),
        }
    }
    arguments.len() == header.parameters.len()
        && arguments.iter().zip(&header.parameters).all(|(argument, parameter)| {
            let name = parameter.name.as_ref().map(|name| &name.symbol);
            name.is_some() && named(argument) == name
        })
}

impl Checker<'_> {
    /// Class template, or class in one, before the last `::`, whose members a definition outside of it names.
    pub(crate) fn template_of_prefix(
        &mut self,
        name: &Name,
        headers: &[Rc<ast::Template>],
    ) -> Option<Enclosing> {
        let (_, before) = name.segments.split_last()?;
        let at = before.iter().position(|one| one.arguments.is_some())?;
        let (around, rest) = before.split_at(at);
        let (first, inner) = rest.split_first()?;
        let arguments = first.arguments.as_ref()?;
        let symbol = key(&first.id)?;
        let found = match self.walk_namespaces(name.global, around)? {
            None => self.find(&symbol, Want::Type, first.span),
            Some(scope) => self.declarations.pick(scope, &symbol, Want::Type, u32::MAX, &self.scopes),
        };
        let Some(Entity::Template(template)) = found else { return None };
        // An explicit specialisation's members are its own. What is a parameter's name is no type for that.
        let scope = self.scopes.add(self.scopes.current(), ScopeKind::Template);
        let parameters = headers.iter().flat_map(|header| &header.parameters);
        for name in parameters.filter_map(|parameter| parameter.name.as_ref()) {
            let entry = Entry { entity: Entity::Error, order: 0, span: name.span };
            self.scopes[scope].names.of(&name.symbol).push(entry);
        }
        let mut of = arguments.iter();
        if of.all(|one| self.within(scope, |this| this.trial(|this| this.template_argument(one)).is_some())) {
            return None;
        }
        let header = headers.first()?;
        let mut path = inner.iter().map(|one| key(&one.id)).collect::<Option<Vec<_>>>()?;
        let mut partial = None;
        if !are_own(arguments, header) {
            partial = self.partial_like(template, header, arguments, first.span);
            if partial.is_none() && self.side.is_device() {
                return None;
            }
            if partial.is_none() {
                // It is reported, and no class's.
                path.push(Symbol::from("<>"));
            }
        }
        let headers = before.iter().filter(|one| one.arguments.is_some()).count();
        Some(Enclosing { template, partial, path, headers })
    }

    /// The specialisation whose pattern says the same as arguments before `::`.
    fn partial_like(
        &mut self,
        id: TemplateId,
        header: &Rc<ast::Template>,
        arguments: &Rc<[TemplateArgument]>,
        span: crate::source::Span,
    ) -> Option<usize> {
        let written = Partial {
            ast: Rc::clone(header),
            pattern: Rc::clone(arguments),
            scope: self.scopes.current(),
            order: self.scopes.order(),
            outside: vec![],
        };
        let all = self.templates[id].partials.clone();
        let found = all.iter().position(|one| {
            one.ast.parameters.len() == header.parameters.len()
                && self.as_special(id, one, &written)
                && self.as_special(id, &written, one)
        });
        if found.is_none() && self.side.is_host() {
            let name = self.templates[id].name.to_string();
            let message = format!("no partial specialisation of `{name}` has these arguments");
            let help = format!("declare it before: `template <…> struct {name}<…> {{ … }};`");
            self.messages.error_help("template", span, message, help);
        }
        found
    }

    /// Finds the definition of a class that is outside of the class template which declares it.
    pub(super) fn class_outside(&mut self, id: RecordId) -> Option<()> {
        let outer = self.classes.around(id, &self.scopes).nth(1)?;
        let name = &self.classes[id].name;
        let all = self.classes.defined_outside(outer, &self.templates, &self.scopes);
        let (ast, headers, order) = all.into_iter().find_map(|one| match one {
            Outside::Class(symbol, ast, headers, order) if symbol == name => {
                Some((Rc::clone(ast), headers.clone(), *order))
            }
            _ => None,
        })?;
        let own = self.classes[id].scope;
        let around = self.scopes[own].parent?;
        self.scopes[own].parent = Some(self.headers_scope(id, &headers, around));
        let union = ast.tag == TagKind::Union;
        self.program[id].union = union;
        let info = &mut self.classes[id];
        (info.union, info.order, info.ast) = (union, order, Some(ast));
        Some(())
    }

    /// Takes over the definitions of static members outside of the class.
    pub(super) fn attach_outside(&mut self, id: RecordId) {
        let all = self.classes.defined_outside(id, &self.templates, &self.scopes);
        let all: Vec<Outside> = all.into_iter().cloned().collect();
        for one in all {
            if let Outside::Variable(symbol, ast, headers) = one {
                let own = self.classes[id].scope;
                let known = self.scopes[own].names.get(&symbol).and_then(|entries| entries.first().cloned());
                if let Some(Entity::Global(global)) = known.map(|entry| entry.entity) {
                    let around = self.headers_scope(id, &headers, own);
                    self.declarations[global].definition = Some((ast, around));
                }
            }
        }
    }

    /// Scope for a definition outside of a class: its own names of the template parameters before the class's members, which
    /// are those of a scope.
    pub(crate) fn headers_scope(
        &mut self,
        id: RecordId,
        headers: &[Rc<ast::Template>],
        members: ScopeId,
    ) -> ScopeId {
        let mut of: Vec<RecordId> = self.classes.around(id, &self.scopes).collect();
        of.retain(|one| self.classes[*one].template.is_some());
        let mut scope = members;
        for (header, record) in headers.iter().zip(of.into_iter().rev()) {
            let info = &self.classes[record];
            let Some((template, arguments)) = info.template.clone() else { continue };
            let partial = info.partial.and_then(|at| self.templates[template].partials.get(at));
            let Some(own) = partial.map(|partial| Rc::clone(&partial.ast)) else {
                scope = self.bind(&header.parameters, &arguments, scope);
                continue;
            };
            let bound = self.scopes[info.scope].parent;
            scope = self.scopes.add(scope, ScopeKind::Template);
            for (own, new) in own.parameters.iter().zip(&header.parameters) {
                let (Some(own), Some(new), Some(bound)) = (&own.name, &new.name, bound) else { continue };
                let entry = self.scopes[bound].names.get(&own.symbol).and_then(|all| all.first().cloned());
                if let Some(entry) = entry {
                    self.scopes[scope].names.set(&new.symbol, entry);
                }
            }
        }
        scope
    }
}
