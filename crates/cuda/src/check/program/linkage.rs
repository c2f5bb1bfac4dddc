//! Linkage: which names are a unit's own, which other units may have too, and what is kept for these.
//!
//! Enters: declarations. Leaves: the linkage of a function or variable, and instances of the functions that other units may call.
//! This module must never know how units are linked.

use std::rc::Rc;

use crate::ast::{self, FunctionBody};
use crate::check::Checker;
use crate::check::context::classes::Classes;
use crate::check::names::entity::{Argument, DeclId, GlobalDecl, Outside, ScopeId, ScopeKind};
use crate::check::names::lookup::key;
use crate::hir::{FunctionId, RecordId, Type, TypeKind};
use crate::ir::Linkage;

impl Classes {
    /// Classes of which members are defined outside of them, each once.
    fn with_outside_members(&self) -> Vec<RecordId> {
        let mut all: Vec<RecordId> = (0..self.count() as u32).map(RecordId).collect();
        all.retain(|record| self[*record].template.is_none() && self.outside(*record).next().is_some());
        all
    }
}

impl Checker<'_> {
    /// Linkage of a function whose definition is known.
    pub(crate) fn linkage(&mut self, id: FunctionId, decl: DeclId, ast: &Rc<ast::Function>) -> Linkage {
        let one = &self.declarations[decl];
        let (first, own) = (&one.ast.specifiers, &ast.specifiers);
        let arguments = &self.instances[id].arguments;
        let special = one.specialisations.iter().any(|special| Rc::ptr_eq(&special.ast, ast));
        let of_template = one.class.is_some_and(|class| self.classes.of_template(class, &self.scopes));
        let instance = (!arguments.is_empty() || of_template) && !special;
        let within = one.class.is_some() && Rc::ptr_eq(&one.ast, ast);
        let constant = first.is_constexpr.or(own.is_constexpr).or(first.is_consteval).is_some();
        let inline = first.is_inline.or(own.is_inline).is_some() || constant || within;
        let fixed = one.class.is_none() && first.is_static.or(own.is_static).is_some();
        let whole = self.unit.is_whole() && self.side.is_host() && self.program[id].kernel && instance;
        // Two functions of one symbol differ by numbers, which are the unit's own.
        let numbered = self.program[id].symbol.contains('$');
        if fixed
            || numbered
            || one.closure.is_some()
            || self.is_local_scope(one.scope)
            || arguments.iter().any(|one| self.is_local_argument(one))
        {
            Linkage::Internal
        } else if whole {
            Linkage::Copied
        } else if instance || inline || self.messages.ours(ast.name.span) {
            Linkage::Weak
        } else {
            Linkage::Visible
        }
    }

    /// Linkage of a variable of a namespace or class.
    pub(crate) fn variable_linkage(&self, one: &GlobalDecl, ty: Type, marked: bool) -> Linkage {
        let specifiers = &one.ast.specifiers;
        let defined = one.definition.as_ref().map(|(ast, _)| &ast.specifiers);
        let is = |of: &dyn Fn(&ast::Specifiers) -> bool| of(specifiers) || defined.is_some_and(of);
        let inline = is(&|one| one.is_inline.is_some());
        let constant = (ty.constant && !ty.volatile) || is(&|one| one.is_constexpr.is_some());
        let of_template = one.class.is_some_and(|class| self.classes.of_template(class, &self.scopes));
        let free = one.class.is_none();
        let fixed = free
            && (is(&|one| one.is_static.is_some())
                || (constant && !inline && !marked && !is(&|one| one.is_extern.is_some())));
        if fixed
            || (marked && self.unit.is_whole())
            || self.is_local_scope(one.scope)
            || one.arguments.iter().any(|one| self.is_local_argument(one))
        {
            Linkage::Internal
        } else if inline
            || of_template
            || !one.arguments.is_empty()
            || (!free && is(&|one| one.is_constexpr.is_some()))
            || self.messages.ours(one.ast.span)
        {
            Linkage::Weak
        } else {
            Linkage::Visible
        }
    }

    /// Declares what a `typedef` defines: a class or enumeration without a name has its name, by which symbols and messages know it.
    pub(crate) fn name_for_linkage(&mut self, alias: &ast::Alias) {
        self.declare_embedded(&alias.target);
        let ty = match &alias.target.kind {
            ast::TypeKind::Class(class) if class.name.is_none() => self.declare_class(class),
            ast::TypeKind::Enum(ast) if ast.name.is_none() => self.declare_enum(ast),
            _ => None,
        };
        let Some(ty) = ty else { return };
        let name = alias.name.symbol.clone();
        let shown: Rc<str> = self.scopes.qualified_name(self.scopes.current(), &name, &self.program).into();
        if let Some(record) =
            self.program.record_of(ty).filter(|record| self.classes[*record].name.is_empty())
        {
            self.classes[record].name = name;
            self.program[record].name = shown;
        } else if let Some(id) = self.program.enum_of(ty).filter(|id| self.classes[*id].name.is_empty()) {
            self.classes[id].name = name;
            self.program[id].name = shown;
        }
    }

    /// Whether a scope's names are known in this unit alone: it lies in a function, or in a namespace without a name.
    fn is_local_scope(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(id) = at {
            let one = &self.scopes[id];
            let local = match one.kind {
                ScopeKind::Block(_) => true,
                ScopeKind::Namespace => one.name.as_ref().is_some_and(|name| name.is_empty()),
                ScopeKind::Class(record) => self.is_local_record(record),
                ScopeKind::Template | ScopeKind::Enum => false,
            };
            if local {
                return true;
            }
            at = one.parent;
        }
        false
    }

    /// Whether a class is known in this unit alone by its own name or arguments; what is around it is not looked at.
    fn is_local_record(&self, record: RecordId) -> bool {
        let info = &self.classes[record];
        let mut arguments = info.template.iter().flat_map(|(_, arguments)| arguments.iter());
        info.name.is_empty() || arguments.any(|one| self.is_local_argument(one))
    }

    /// Whether a template's argument is known in this unit alone.
    fn is_local_argument(&self, argument: &Argument) -> bool {
        match argument {
            Argument::Type(ty) => self.is_local_type(*ty),
            Argument::Value(ty, _) => self.is_local_type(*ty),
            Argument::Functions(decls, _) => decls.iter().any(|decl| {
                let one = &self.declarations[*decl];
                let fixed = one.class.is_none() && one.ast.specifiers.is_static.is_some();
                fixed || self.is_local_scope(one.scope)
            }),
            Argument::Template(id) => self.is_local_scope(self.templates[*id].scope),
            Argument::Pack(all) => all.iter().any(|one| self.is_local_argument(one)),
        }
    }

    /// Whether a type is known in this unit alone.
    pub(crate) fn is_local_type(&self, ty: Type) -> bool {
        match self.program.kind_of(ty) {
            TypeKind::Pointer(of)
            | TypeKind::Reference { to: of, .. }
            | TypeKind::Array(of, _)
            | TypeKind::UnknownArray(of) => self.is_local_type(*of),
            TypeKind::Function(result, params) => {
                self.is_local_type(*result) || params.iter().any(|one| self.is_local_type(*one))
            }
            TypeKind::Member { class, of, .. } => {
                self.is_local_scope(self.classes[*class].scope) || self.is_local_type(*of)
            }
            TypeKind::Record(record) => self.is_local_scope(self.classes[*record].scope),
            TypeKind::Enum(id) => {
                let info = &self.classes[*id];
                info.name.is_empty() || self.is_local_scope(info.scope)
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Float
            | TypeKind::Double
            | TypeKind::NullPointer => false,
        }
    }

    /// Checks the functions of this side that other units may call.
    pub(crate) fn check_exported(&mut self) {
        if !self.unit.exports() {
            return;
        }
        for decl in self.declarations.roots() {
            if self.is_exported(decl) {
                self.merge_name(decl);
                if self.declarations[decl].repeats.is_none() && self.is_defined(decl) {
                    self.export(decl);
                }
            }
        }
        for record in self.classes.with_outside_members() {
            self.complete_record(record);
            for at in 0..self.declarations.functions().len() {
                let decl = DeclId(at as u32);
                if self.declarations[decl].class == Some(record)
                    && self.is_exported(decl)
                    && self.may_be_outside(record, decl)
                    && self.is_defined(decl)
                {
                    self.export(decl);
                }
            }
        }
        if self.side.is_host() {
            for (declaration, scope, order) in self.declarations.explicit() {
                self.at(scope, order, |this| this.instantiate_explicitly(&declaration));
            }
            for (definition, scope) in self.declarations.specialised() {
                let ast = Rc::clone(&definition.ast);
                if ast.specifiers.is_inline.is_none() && !self.messages.ours(ast.span) {
                    self.at(scope, definition.order, |this| this.instantiate_function(&ast));
                }
            }
        }
    }

    /// Checks the methods of a class that is instantiated explicitly.
    pub(crate) fn export_methods(&mut self, ty: Type) {
        let Some(record) = self.program.record_of(ty).filter(|_| self.unit.exports()) else { return };
        for at in 0..self.declarations.functions().len() {
            let decl = DeclId(at as u32);
            let one = &self.declarations[decl];
            if one.class == Some(record) && one.template.is_none() && self.is_of_side(decl) {
                self.export(decl);
            }
        }
    }

    fn export(&mut self, decl: DeclId) {
        let Some(signature) = self.signature(decl, &[]) else { return };
        let span = self.declarations[decl].ast.name.span;
        let Some(id) = self.instance(decl, &[], &signature, span) else { return };
        self.program.note_exported(id);
    }

    /// Whether a function that this side runs may be called by other units.
    fn is_exported(&self, decl: DeclId) -> bool {
        let one = &self.declarations[decl];
        let specifiers = &one.ast.specifiers;
        let own = one.class.is_none() && specifiers.is_static.is_some();
        let inline = specifiers.is_inline.or(specifiers.is_constexpr).or(specifiers.is_consteval);
        self.is_of_side(decl)
            && one.template.is_none()
            && one.closure.is_none()
            && !own
            && inline.is_none()
            && !self.messages.ours(one.ast.span)
            && !self.is_local_scope(one.scope)
    }

    fn is_of_side(&self, decl: DeclId) -> bool {
        let specifiers = &self.declarations[decl].ast.specifiers;
        let device = specifiers.device().is_some();
        match self.side.is_host() {
            true => !device || specifiers.host().is_some(),
            false => device || specifiers.global().is_some(),
        }
    }

    fn may_be_outside(&self, record: RecordId, decl: DeclId) -> bool {
        let Some(symbol) = self.declarations[decl].ast.name.last().and_then(|last| key(&last.id)) else {
            return false;
        };
        let within = matches!(self.declarations[decl].ast.body, FunctionBody::Defined(_));
        !within
            && self
                .classes
                .outside(record)
                .any(|one| matches!(one, Outside::Function(name, _) if *name == symbol))
    }

    fn is_defined(&mut self, decl: DeclId) -> bool {
        let Some((ast, ..)) = self.definition_of(decl, &[]) else { return false };
        let inline = ast.specifiers.is_inline.or(ast.specifiers.is_constexpr);
        let own = self.declarations[decl].class.is_none() && ast.specifiers.is_static.is_some();
        matches!(ast.body, FunctionBody::Defined(_)) && inline.is_none() && !own
    }

    /// Whether a function that has no definition here may have one in another unit.
    pub(crate) fn may_be_elsewhere(&self, decl: DeclId) -> bool {
        let one = &self.declarations[decl];
        let own = one.class.is_none() && one.ast.specifiers.is_static.is_some();
        self.unit.is_linked() && !own && one.closure.is_none() && !self.is_local_scope(one.scope)
    }
}
