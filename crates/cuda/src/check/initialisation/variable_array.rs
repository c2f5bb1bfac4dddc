//! Arrays of host code whose length is known when they are reached, as g++ has them.
//!
//! Enters: a variable of a block. Leaves: one of the class that the library has for such arrays. This module must never know what
//! that class does.

use std::rc::Rc;

use crate::ast::{self, Id, Initializer, Name, Segment, TemplateArgument};
use crate::check::Checker;
use crate::hir::Type;

/// The class of the library.
const CLASS: &str = "__variable_array";

impl Checker<'_> {
    /// The variable as one of the library's class, if it is an array whose length is not constant. Those that are initialised have a
    /// constant one in g++, too.
    pub(super) fn variable_array(&mut self, ast: &ast::Variable) -> Option<Rc<ast::Variable>> {
        let of_function = ast.specifiers.is_static.is_none() && ast.specifiers.is_extern.is_none();
        if self.side.is_device() || !of_function || ast.initializer.is_some() {
            return None;
        }
        let ast::TypeKind::Array(element, Some(length)) = &ast.ty.kind else { return None };
        let (_, messages) = self.tried(|this| this.constant_integer(length));
        if !messages.iter().any(|message| message.code == "constant") {
            return None;
        }
        let arguments = Rc::from([TemplateArgument::Type(Rc::clone(element))]);
        let span = ast.ty.span;
        let segment = Segment { id: Id::Word(CLASS.into()), arguments: Some(arguments), span };
        let name = Name { global: true, typename: false, segments: vec![segment], span };
        let ty = ast::Type { kind: ast::TypeKind::Name(name), qualifiers: ast.ty.qualifiers, span };
        let initializer = Some(Initializer::Parentheses(vec![(**length).clone()], length.span));
        Some(Rc::new(ast::Variable { ty: Rc::new(ty), initializer, ..ast.clone() }))
    }

    /// Whether a type is that class: its size is not that of the array.
    pub(crate) fn is_variable_array(&self, ty: Type) -> bool {
        self.program.record_of(ty).is_some() && self.program.show(ty).starts_with(CLASS)
    }
}
