//! Deduction of a class template's arguments from an initialiser: `Pair p{1, 2.0f}`.
//!
//! Enters: a class template and what initialises an object of it. Leaves: the class. Guides are functions that nothing calls: those of
//! the source, one for each constructor, one that copies, and for an aggregate one of its fields; overload resolution chooses among
//! them. This module must never know how the object is then made.

use std::rc::Rc;

use crate::ast::{self, Initializer, Symbol, TemplateArgument, TemplateParameterKind};
use crate::hir::Type;
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::overload::NoMatch;
use crate::check::context::declarations::Guide;
use crate::check::expressions::operand::{FunctionSet, Operand};
use crate::check::names::entity::{
    DeclId, Entity, FunctionDecl, ScopeId, ScopeKind, TemplateId, TemplateKind,
};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

/// What an initialiser gives a class template.
enum Given {
    /// Values: all of them, and whether `explicit` constructors count.
    Values(Vec<Operand>, bool),
    /// A list in braces, and its values.
    List(Rc<ast::InitList>, Vec<Operand>),
}

/// What names of a class template's members stand for outside of it.
struct Members<'a> {
    /// The template with its own parameters as arguments.
    own: &'a ast::Name,
    class: Option<&'a ast::Class>,
}

impl Members<'_> {
    /// A type as it is written outside of the class.
    fn outside(&self, ty: &Rc<ast::Type>) -> Rc<ast::Type> {
        let kind = match &ty.kind {
            ast::TypeKind::Name(name) => return self.named(name, ty),
            ast::TypeKind::Same(to) => ast::TypeKind::Same(self.outside(to)),
            ast::TypeKind::Pointer(to) => ast::TypeKind::Pointer(self.outside(to)),
            ast::TypeKind::Reference(to) => ast::TypeKind::Reference(self.outside(to)),
            ast::TypeKind::RvalueReference(to) => ast::TypeKind::RvalueReference(self.outside(to)),
            ast::TypeKind::Array(of, length) => ast::TypeKind::Array(self.outside(of), length.clone()),
            ast::TypeKind::Pack(of) => ast::TypeKind::Pack(self.outside(of)),
            ast::TypeKind::Function(function) => {
                ast::TypeKind::Function(Rc::new(self.function(function, self.outside(&function.result))))
            }
            _ => return Rc::clone(ty),
        };
        Rc::new(ast::Type { kind, qualifiers: ty.qualifiers, span: ty.span })
    }

    /// A function's type with another result.
    fn function(&self, one: &ast::FunctionType, result: Rc<ast::Type>) -> ast::FunctionType {
        let parameters = one
            .parameters
            .iter()
            .map(|one| ast::Parameter { ty: self.outside(&one.ty), ..one.clone() })
            .collect();
        ast::FunctionType { result, parameters, ..one.clone() }
    }

    fn named(&self, name: &ast::Name, ty: &Rc<ast::Type>) -> Rc<ast::Type> {
        if let Some(found) = name.simple().and_then(|symbol| self.member(symbol)) {
            let mut found = (*found).clone();
            found.qualifiers.constant |= ty.qualifiers.constant;
            found.qualifiers.volatile |= ty.qualifiers.volatile;
            return Rc::new(found);
        }
        let segments = name.segments.iter().map(|one| ast::Segment {
            arguments: one.arguments.as_ref().map(|all| all.iter().map(|one| self.argument(one)).collect()),
            ..one.clone()
        });
        let mut segments: Vec<ast::Segment> = segments.collect();
        // Members of the class's own: `typename C::type`.
        if let [first, _, ..] = segments.as_mut_slice()
            && first.arguments.is_none()
            && let (ast::Id::Word(word), Some(own)) = (&first.id, self.own.last())
            && matches!(&own.id, ast::Id::Word(name) if name == word)
        {
            first.arguments.clone_from(&own.arguments);
        }
        let kind = ast::TypeKind::Name(ast::Name { segments, ..name.clone() });
        Rc::new(ast::Type { kind, qualifiers: ty.qualifiers, span: ty.span })
    }

    fn argument(&self, one: &TemplateArgument) -> TemplateArgument {
        match one {
            TemplateArgument::Type(ty) => TemplateArgument::Type(self.outside(ty)),
            TemplateArgument::Pack(inner) => TemplateArgument::Pack(Box::new(self.argument(inner))),
            TemplateArgument::Expression(expr) => match &expr.kind {
                // Perhaps a type: only names of members become others.
                ast::ExprKind::Name(name) => match name.simple().and_then(|symbol| self.member(symbol)) {
                    Some(ty) => TemplateArgument::Type(ty),
                    None => one.clone(),
                },
                _ => one.clone(),
            },
        }
    }

    /// What the class's own name, or that of a type among its members, stands for.
    fn member(&self, symbol: &Symbol) -> Option<Rc<ast::Type>> {
        let of = |name: ast::Name| {
            let span = name.span;
            Rc::new(ast::Type {
                kind: ast::TypeKind::Name(name),
                qualifiers: ast::Qualifiers::default(),
                span,
            })
        };
        if matches!(self.own.last().map(|last| &last.id), Some(ast::Id::Word(own)) if own == symbol) {
            return Some(of(self.own.clone()));
        }
        self.class?.members.iter().flatten().find_map(|member| match &member.kind {
            ast::DeclarationKind::Alias(alias) if alias.name.symbol == *symbol => {
                Some(self.outside(&alias.target))
            }
            ast::DeclarationKind::Class(class)
                if class.name.as_ref().and_then(ast::Name::simple) == Some(symbol) =>
            {
                let mut name = self.own.clone();
                name.typename = true;
                name.segments.push(word(symbol, name.span));
                Some(of(name))
            }
            _ => None,
        })
    }
}

fn word(symbol: &Symbol, span: Span) -> ast::Segment {
    ast::Segment { id: ast::Id::Word(symbol.clone()), arguments: None, span }
}

fn simple(symbol: &Symbol, span: Span) -> ast::Name {
    ast::Name { global: false, typename: false, segments: vec![word(symbol, span)], span }
}

/// A parameter as an argument of its own template.
fn as_argument(param: &ast::TemplateParameter) -> Option<TemplateArgument> {
    let name = simple(&param.name.as_ref()?.symbol, param.span);
    let one = match param.kind {
        TemplateParameterKind::Type { .. } | TemplateParameterKind::Template { .. } => {
            TemplateArgument::Type(Rc::new(ast::Type {
                kind: ast::TypeKind::Name(name),
                qualifiers: ast::Qualifiers::default(),
                span: param.span,
            }))
        }
        TemplateParameterKind::Value { .. } => TemplateArgument::Expression(Rc::new(ast::Expr {
            kind: ast::ExprKind::Name(name),
            span: param.span,
        })),
    };
    Some(if param.pack { TemplateArgument::Pack(Box::new(one)) } else { one })
}

/// A field as the parameter that initialises it.
fn field_parameter(field: &ast::Variable) -> ast::Parameter {
    let ty = match &field.ty.kind {
        // A list fills an array.
        ast::TypeKind::Array(..) => Rc::new(ast::Type {
            kind: ast::TypeKind::RvalueReference(Rc::clone(&field.ty)),
            qualifiers: ast::Qualifiers::default(),
            span: field.ty.span,
        }),
        _ => Rc::clone(&field.ty),
    };
    // Fields may be left out: their values are those of other initialisers.
    let nothing = Rc::new(ast::Expr { kind: ast::ExprKind::Null, span: field.span });
    ast::Parameter { name: None, attributes: vec![], ty, default: Some(nothing), span: field.span }
}

impl Checker<'_> {
    /// Class that a class template's name without arguments means by what initialises an object; nothing where the name is none,
    /// and `Some(None)` where no guide fits, which is reported.
    pub(crate) fn template_by_arguments(
        &mut self,
        name: &ast::Name,
        initializer: &Initializer,
        span: Span,
    ) -> Option<Option<Type>> {
        if name.last()?.arguments.is_some() {
            return None;
        }
        let Some(Entity::Template(id)) = self.resolve_quietly(name, Want::Type) else { return None };
        if !matches!(self.templates[id].kind, TemplateKind::Class) || self.own_instance(id).is_some() {
            return None;
        }
        Some(self.deduced_class(id, name, initializer, span))
    }

    fn deduced_class(
        &mut self,
        id: TemplateId,
        name: &ast::Name,
        initializer: &Initializer,
        span: Span,
    ) -> Option<Type> {
        let (given, messages) = self.tried(|this| this.given(initializer));
        let Some(given) = given.filter(|_| messages.is_empty()) else {
            self.messages.keep(messages);
            self.messages.poison(span);
            return None;
        };
        let guides = self.guides(id);
        let shown: Rc<str> = Rc::clone(&self.templates[id].name.0);
        let found = match &given {
            Given::Values(operands, explicit) => {
                let decls = guides.into_iter().filter(|decl| {
                    *explicit || self.declarations[*decl].ast.specifiers.is_explicit.is_none()
                });
                let set = FunctionSet::of(Rc::clone(&shown), decls.collect(), name.span);
                self.resolve(&set, operands, true)
            }
            Given::List(list, operands) => self.guide_of_list(id, guides, list, operands, name.span),
        };
        let operands = match given {
            Given::Values(operands, _) | Given::List(_, operands) => operands,
        };
        match found {
            Ok(Callee::Decl(_, _, signature)) => signature.result.map(plain),
            Ok(_) => None,
            Err(NoMatch::Error) => {
                self.messages.poison(span);
                None
            }
            Err(why) => {
                self.tell_no_match(&shown, &operands, span, why);
                None
            }
        }
    }

    /// The best guide for a list in braces.
    fn guide_of_list(
        &mut self,
        id: TemplateId,
        guides: Vec<DeclId>,
        list: &Rc<ast::InitList>,
        operands: &[Operand],
        span: Span,
    ) -> Result<Callee, NoMatch> {
        let name = Rc::clone(&self.templates[id].name.0);
        let copies = match operands {
            [one] => one.ty().and_then(|ty| self.program.record_of(ty)).is_some_and(|record| {
                self.complete_record(record);
                self.is_instance(record, id)
            }),
            _ => false,
        };
        if !copies && !operands.is_empty() {
            let lists = guides.iter().copied().filter(|decl| {
                let parameters = &self.declarations[*decl].ast.ty.parameters;
                parameters.first().is_some_and(|one| Self::is_list_parameter(&one.ty))
                    && parameters.iter().skip(1).all(|one| one.default.is_some())
            });
            let set = FunctionSet::of(Rc::clone(&name), lists.collect(), span);
            if !set.decls.is_empty() {
                match self.resolve(&set, &[Operand::List(Rc::clone(list))], true) {
                    Err(NoMatch::None(_)) => {}
                    found => return found,
                }
            }
        }
        self.resolve(&FunctionSet::of(name, guides, span), operands, true)
    }

    /// Whether a class, or a base of it, is an instance of a template.
    fn is_instance(&self, record: crate::hir::RecordId, id: TemplateId) -> bool {
        self.classes[record].template.as_ref().is_some_and(|(of, _)| *of == id)
            || self.classes[record].bases.iter().any(|(base, _)| self.is_instance(*base, id))
    }

    fn given(&mut self, initializer: &Initializer) -> Option<Given> {
        let list = match initializer {
            Initializer::Equals(expr) => match &expr.kind {
                ast::ExprKind::List(list) => list,
                _ => return Some(Given::Values(self.operands(std::slice::from_ref(expr)), false)),
            },
            Initializer::Parentheses(all, _) => return Some(Given::Values(self.operands(all), true)),
            Initializer::Braces(list) => list,
        };
        let operands = self.list_operands(list)?;
        Some(Given::List(Rc::new(list.clone()), operands))
    }

    /// Guides of a class template: its source's, and those that it has of itself.
    fn guides(&mut self, id: TemplateId) -> Vec<DeclId> {
        let one = &self.templates[id];
        let (name, scope) = (one.name.clone(), one.scope);
        let mut all = self.declarations.guides_of(scope, &name);
        let implicit = match self.declarations.implicit_guides(id) {
            Some(known) => known,
            None => {
                let made = self.implicit_guides(id);
                self.declarations.note_implicit_guides(id, made.clone());
                made
            }
        };
        all.extend(implicit);
        all
    }

    fn implicit_guides(&mut self, id: TemplateId) -> Vec<DeclId> {
        let one = &self.templates[id];
        let (scope, symbol, span, class) = (one.scope, one.name.clone(), one.span, one.class.clone());
        let parameters = self.own_parameters(id);
        let arguments: Vec<TemplateArgument> = parameters.iter().filter_map(as_argument).collect();
        let mut own = simple(&symbol, span);
        if let Some(last) = own.segments.last_mut() {
            last.arguments = Some(arguments.into());
        }
        let members = Members { own: &own, class: class.as_deref() };
        let Some(result) = members.member(&symbol) else { return vec![] };
        let copy =
            ast::Parameter { name: None, attributes: vec![], ty: Rc::clone(&result), default: None, span };
        let mut made = vec![(Guide::Copy, vec![copy], vec![], ast::Specifiers::default(), span)];
        let mut fields = vec![];
        let mut aggregate = class.as_ref().is_some_and(|class| class.bases.is_empty());
        let mut constructor = |function: &ast::Function, template: Option<&ast::Template>| {
            let ty = members.function(&function.ty, Rc::clone(&result));
            let own = template.map_or_else(Vec::new, |template| template.parameters.clone());
            let own = own.into_iter().map(|one| members.parameter(one)).collect();
            let kind = if template.is_some() { Guide::ConstructorTemplate } else { Guide::Constructor };
            made.push((kind, ty.parameters, own, function.specifiers.clone(), function.name.span));
        };
        for member in class.iter().flat_map(|class| class.members.iter().flatten()) {
            match &member.kind {
                ast::DeclarationKind::Function(function)
                    if function.kind == ast::FunctionKind::Constructor =>
                {
                    aggregate = false;
                    constructor(function, None);
                }
                ast::DeclarationKind::Template(template) => {
                    if let ast::DeclarationKind::Function(function) = &template.declaration.kind
                        && function.kind == ast::FunctionKind::Constructor
                    {
                        aggregate = false;
                        constructor(function, Some(template));
                    }
                }
                ast::DeclarationKind::Variable(variable) if variable.specifiers.is_static.is_none() => {
                    let parameter = field_parameter(variable);
                    fields.push(ast::Parameter { ty: members.outside(&parameter.ty), ..parameter });
                }
                _ => {}
            }
        }
        if aggregate {
            made.push((Guide::Constructor, fields, vec![], ast::Specifiers::default(), span));
        }
        made.into_iter()
            .map(|(kind, parameters_of, own, specifiers, at)| {
                let ty = ast::FunctionType {
                    result: Rc::clone(&result),
                    parameters: parameters_of,
                    variadic: false,
                    constant: false,
                    reference: None,
                };
                let all = parameters.iter().cloned().chain(own).collect();
                self.add_implicit_guide(kind, (ty, all, specifiers), &symbol, scope, at)
            })
            .collect()
    }

    fn add_implicit_guide(
        &mut self,
        kind: Guide,
        (ty, parameters, specifiers): (ast::FunctionType, Vec<ast::TemplateParameter>, ast::Specifiers),
        symbol: &Symbol,
        scope: ScopeId,
        span: Span,
    ) -> DeclId {
        let template = ast::Template {
            parameters,
            declaration: ast::Declaration { kind: ast::DeclarationKind::Empty, span },
            requires: None,
        };
        let function = ast::Function {
            kind: ast::FunctionKind::DeductionGuide,
            name: simple(symbol, span),
            specifiers,
            ty: Rc::new(ty),
            is_virtual_like: None,
            is_pure: false,
            is_noexcept: false,
            requires: None,
            body: ast::FunctionBody::None,
            span,
        };
        self.add_guide(kind, Rc::new(function), Some(Rc::new(template)), (scope, self.scopes.horizon()))
    }

    /// A guide as a function that only overload resolution sees.
    pub(crate) fn add_guide(
        &mut self,
        kind: Guide,
        ast: Rc<ast::Function>,
        template: Option<Rc<ast::Template>>,
        (scope, order): (ScopeId, u32),
    ) -> DeclId {
        let decl = self.declarations.add_function(FunctionDecl {
            ast,
            scope,
            class: None,
            template,
            definition: None,
            specialisations: vec![],
            repeats: None,
            closure: None,
            hidden: true,
            order,
            merged: true,
        });
        self.declarations.note_guide(decl, kind);
        decl
    }

    /// Parameters of a class template, each with a name, and with the defaults of whichever declaration has them.
    fn own_parameters(&self, id: TemplateId) -> Vec<ast::TemplateParameter> {
        let template = match self.templates.redeclared(id) {
            Some((ast, _)) => ast,
            None => Rc::clone(&self.templates[id].ast),
        };
        let others =
            [Some(Rc::clone(&self.templates[id].ast)), self.templates.defaulted(id).map(|one| one.0)];
        let mut parameters = template.parameters.clone();
        for (at, one) in parameters.iter_mut().enumerate() {
            for other in others.iter().flatten().filter_map(|other| other.parameters.get(at)) {
                take_default(&mut one.kind, &other.kind);
            }
            if one.name.is_none() {
                let symbol = Symbol::from(format!("__parameter_{at}").as_str());
                one.name = Some(ast::Ident { symbol, span: one.span });
            }
        }
        parameters
    }
}

impl Members<'_> {
    /// A constructor's own template parameter as it is written outside of the class.
    fn parameter(&self, one: ast::TemplateParameter) -> ast::TemplateParameter {
        let kind = match one.kind {
            TemplateParameterKind::Type { default } => {
                TemplateParameterKind::Type { default: default.map(|ty| self.outside(&ty)) }
            }
            TemplateParameterKind::Value { ty, default } => {
                TemplateParameterKind::Value { ty: self.outside(&ty), default }
            }
            kind @ TemplateParameterKind::Template { .. } => kind,
        };
        ast::TemplateParameter { kind, ..one }
    }
}

/// Takes a default from another declaration, where there is none.
fn take_default(one: &mut TemplateParameterKind, other: &TemplateParameterKind) {
    match (one, other) {
        (TemplateParameterKind::Type { default }, TemplateParameterKind::Type { default: other })
        | (TemplateParameterKind::Template { default }, TemplateParameterKind::Template { default: other })
            if default.is_none() =>
        {
            default.clone_from(other);
        }
        (
            TemplateParameterKind::Value { default, .. },
            TemplateParameterKind::Value { default: other, .. },
        ) if default.is_none() => default.clone_from(other),
        _ => {}
    }
}

impl Checker<'_> {
    /// The instance of a class template in which a name is looked up: there the template's name means it.
    pub(crate) fn own_instance(&mut self, id: TemplateId) -> Option<Type> {
        let mut at = Some(self.scopes.current());
        while let Some(scope) = at {
            if let ScopeKind::Class(record) = self.scopes[scope].kind
                && self.classes[record].template.as_ref().is_some_and(|(of, _)| *of == id)
            {
                return Some(self.program.record_type(record));
            }
            at = self.scopes[scope].parent;
        }
        None
    }
}
