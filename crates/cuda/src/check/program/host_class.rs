//! Launches in the methods of host classes.
//!
//! Enters: classes of the source, and instances of its class templates that host code declares objects of. Leaves: instances of
//! the kernels that their methods launch. Such a class is never laid out, since most hold what only the host knows: its members
//! count as variables around its methods. This module must never know how a launch becomes an instance.

use std::rc::Rc;

use crate::ast::{self, DeclarationKind, Expr, ExprKind};
use crate::hir::{RecordId, Type, TypeKind};

use crate::check::Checker;
use crate::check::context::classes::Classes;
use crate::check::context::declarations::Declarations;
use crate::check::context::launches::Launches;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::context::templates::Templates;
use crate::check::names::entity::{Completion, Entity, Outside, ScopeId};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

/// Instances of class templates that are looked at.
const MOST_HOST_CLASSES: usize = 256;

impl Output {
    /// The class of an object, of what a pointer or reference leads to, or of an array's elements.
    fn class_behind(&self, ty: Type) -> Option<RecordId> {
        let mut of = ty;
        while let TypeKind::Pointer(to) | TypeKind::Reference { to, .. } | TypeKind::Array(to, _) =
            self.kind(of)
        {
            of = to;
        }
        self.record_of(of)
    }
}

impl Launches {
    /// Notes the class of an object that host code declares, or has a pointer or reference to.
    pub(crate) fn note_host_class(&mut self, ty: Type, classes: &Classes, program: &Output) {
        if let Some(record) = program.class_behind(ty)
            && classes[record].template.is_some()
            && self.may_note_class(record, MOST_HOST_CLASSES)
        {
            self.note_class(record);
        }
    }
}

impl Declarations {
    fn outside_may_launch(&self, outside: &Outside, messages: &Messages<'_>) -> bool {
        match outside {
            Outside::Function(_, definition) => self.has_launch(definition.ast.span, messages),
            Outside::Variable(..) | Outside::Class(..) => false,
        }
    }
}

impl Templates {
    /// Whether a method of a class template of the source may launch.
    pub(crate) fn class_templates_may_launch(
        &self,
        declarations: &Declarations,
        messages: &Messages<'_>,
    ) -> bool {
        self.iter().any(|one| {
            let inside =
                one.class.as_ref().is_some_and(|class| declarations.has_launch(class.span, messages));
            inside
                || one.outside.iter().any(|(_, outside)| declarations.outside_may_launch(outside, messages))
        })
    }
}

impl Checker<'_> {
    /// Looks at the methods of all classes that host code may use: with `through`, also of those that launch nothing, whose
    /// members may be objects of classes that do.
    pub(crate) fn launches_of_classes(&mut self, through: bool) {
        for at in 0..self.classes.count() {
            if self.classes[RecordId(at as u32)].template.is_none() {
                self.launches_of_class(RecordId(at as u32), through);
            }
        }
        // A method that is looked at may declare objects of further classes.
        let mut at = 0;
        while let Some(record) = self.launches.class(at) {
            self.launches_of_class(record, through);
            at += 1;
        }
    }

    /// What a class consists of, and the scope around it with its template's arguments.
    fn host_class(&mut self, record: RecordId) -> Option<(Rc<ast::Class>, ScopeId, u32)> {
        let info = &self.classes[record];
        if info.ast.is_none() && info.completion == Completion::Declared {
            self.tried(|this| this.choose_source(record));
        }
        let info = &self.classes[record];
        let ast = info.ast.clone().filter(|ast| !self.messages.ours(ast.span))?;
        let around = self.scopes[info.scope].parent.unwrap_or(info.scope);
        Some((ast, around, info.order))
    }

    /// Type of a variable's member, where the variable's class is the host's.
    pub(crate) fn host_member(&mut self, object: &Expr, member: &ast::Name) -> Option<Type> {
        let ExprKind::Name(name) = &object.kind else { return None };
        let Some(Entity::Local(_, local)) = self.resolve_quietly(name, Want::Any) else { return None };
        let record = self.program.class_behind(self.frame.local(local)?.ty)?;
        let (ast, around, order) = self.host_class(record)?;
        let symbol = member.simple()?;
        let field = ast.members.iter().flatten().find_map(|one| match &one.kind {
            DeclarationKind::Variable(field) if field.name.as_ref()?.simple()? == symbol => {
                Some(Rc::clone(field))
            }
            _ => None,
        })?;
        let (ty, errors) = self.tried(|this| this.at(around, order, |this| this.resolve_type(&field.ty)));
        ty.filter(|_| errors.is_empty()).map(|ty| plain(self.program.decayed(ty)))
    }

    fn launches_of_class(&mut self, record: RecordId, through: bool) {
        let Some((ast, around, order)) = self.host_class(record) else { return };
        let mut outside = self.classes.defined_outside(record, &self.templates, &self.scopes);
        outside.retain(|one| self.declarations.outside_may_launch(one, &self.messages));
        let outside: Vec<Outside> = outside.into_iter().cloned().collect();
        if outside.is_empty() && !through && !self.declarations.has_launch(ast.span, &self.messages) {
            return;
        }
        self.in_host_frame(around, order, |this| {
            this.host_members(&ast);
            for one in outside {
                let Outside::Function(_, definition) = one else { continue };
                if definition.template.is_some() || !definition.ast.specifiers.is_host_alone() {
                    continue;
                }
                let scope = this.headers_scope(record, &definition.headers, this.scopes.current());
                this.at(scope, definition.order, |this| {
                    this.in_host_block(|this| this.host_body(&definition.ast));
                });
            }
        });
    }

    /// Members of a class as variables of a block, and then its methods.
    fn host_members(&mut self, ast: &ast::Class) {
        let members = ast.members.as_deref().unwrap_or_default();
        for member in members {
            if let DeclarationKind::Variable(_) | DeclarationKind::Alias(_) = &member.kind {
                self.host_declaration(member);
            }
        }
        for member in members {
            match &member.kind {
                DeclarationKind::Function(function) if function.specifiers.is_host_alone() => {
                    let function = Rc::clone(function);
                    self.in_host_block(|this| this.host_body(&function));
                }
                DeclarationKind::Class(class) => {
                    let class = Rc::clone(class);
                    self.in_host_block(|this| this.host_members(&class));
                }
                _ => {}
            }
        }
    }
}
