//! Arrays of host code whose lengths are known when they are reached, as g++ has them.
//!
//! Enters: a variable of a block. Leaves: an object of the class that the library has for such arrays (`host/cuda_runtime.h`), under a
//! name that no source can write, and what the array's own name means: with one length a pointer, which is what it would become
//! nearly everywhere, with more the object. This module must never know what that class does.

use std::rc::Rc;

use crate::ast::{self, Expr, ExprKind, Id, Initializer, Name, Segment, Symbol, TemplateArgument, TypeKind};
use crate::check::Checker;
use crate::hir::{Stmt, Type};
use crate::side::HOST;
use crate::source::Span;

/// Classes of the library, by how many lengths are not constant or before one that is not.
const CLASSES: [&str; 3] = ["__variable_array", "__variable_array2", "__variable_array3"];

/// What became of a declaration.
pub(super) enum Declared {
    /// It is no such array.
    Not,
    /// Its errors are reported.
    Failed,
    /// It is done.
    Done,
    /// The object is declared, and the array's name is to be as this says.
    As(Rc<ast::Variable>),
}

fn word(text: &str, span: Span) -> Name {
    let segment = Segment { id: Id::Word(text.into()), arguments: None, span };
    Name { global: false, typename: false, segments: vec![segment], span }
}

fn named(text: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Name(word(text, span)), span }
}

/// Name of the object for an array of that many lengths.
fn hidden(symbol: &str, lengths: usize) -> String {
    format!("{symbol}${lengths}")
}

impl Checker<'_> {
    /// Declares the object for an array whose length is not constant.
    pub(super) fn variable_array(
        &mut self,
        ast: &Rc<ast::Variable>,
        symbol: &Symbol,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Declared {
        let of_function = ast.specifiers.is_static.or(ast.specifiers.is_extern).is_none();
        if !HOST || self.side.is_device() || !of_function {
            return Declared::Not;
        }
        let mut lengths: Vec<&Rc<Expr>> = vec![];
        let (mut count, mut element, mut of) = (0, &ast.ty, &ast.ty);
        while let TypeKind::Array(inner, Some(length)) = &of.kind {
            lengths.push(length);
            of = inner;
            let (_, messages) = self.tried(|this| this.constant_integer(length));
            if messages.iter().any(|message| message.code == "constant") {
                (count, element) = (lengths.len(), inner);
            }
        }
        lengths.truncate(count);
        let Some(class) = count.checked_sub(1).and_then(|at| CLASSES.get(at)) else { return Declared::Not };
        let mut arguments: Vec<Expr> = vec![];
        match &ast.initializer {
            None => {}
            Some(Initializer::Braces(list)) => arguments.push(list_of(list)),
            Some(Initializer::Equals(value)) => arguments.push(match &value.kind {
                ExprKind::List(list) => list_of(list),
                _ => value.clone(),
            }),
            Some(Initializer::Parentheses(..)) => return Declared::Not,
        }
        if count > 1 && arguments.iter().any(|one| !matches!(one.kind, ExprKind::Null)) {
            let help = "assign the elements in a loop";
            let what = "lists of values for an array with more than one length that is not constant are";
            self.messages.refuse(span, what, help);
            return Declared::Failed;
        }
        arguments.extend(lengths.iter().map(|one| (***one).clone()));
        let mut plain = (**element).clone();
        plain.qualifiers = ast::Qualifiers::default();
        let at = ast.ty.span;
        let segment = Segment {
            id: Id::Word((*class).into()),
            arguments: Some(Rc::from([TemplateArgument::Type(Rc::new(plain))])),
            span: at,
        };
        let name = Name { global: true, typename: false, segments: vec![segment], span: at };
        let ty = |kind| ast::Type { kind, qualifiers: ast::Qualifiers::default(), span: at };
        let owner = hidden(symbol, count);
        let object = Rc::new(ast::Variable {
            name: Some(word(&owner, span)),
            ty: Rc::new(ty(TypeKind::Name(name))),
            initializer: Some(Initializer::Parentheses(arguments, at)),
            ..(**ast).clone()
        });
        if self.declare_local_anew(&object, &owner.as_str().into(), span, statements).is_none() {
            return Declared::Failed;
        }
        if count > 1 {
            let current = self.scopes.current();
            let known = self.scopes[current].names.get(&owner).and_then(|all| all.first().cloned());
            if let Some(known) = known {
                self.enter_name(symbol.clone(), known.entity, span);
            }
            return Declared::Done;
        }
        let mut pointer = ty(TypeKind::Pointer(Rc::clone(element)));
        pointer.qualifiers.constant = true;
        let initializer = Some(Initializer::Equals(named(&owner, span)));
        Declared::As(Rc::new(ast::Variable { ty: Rc::new(pointer), initializer, ..(**ast).clone() }))
    }

    /// The object of such an array that an expression names, how many lengths it has, and how many of them are chosen by `[…]` or `*`.
    fn variable_array_of(&self, expr: &Expr) -> Option<(Expr, usize, usize)> {
        if !HOST || self.side.is_device() {
            return None;
        }
        let (mut expr, mut chosen) = (expr, 0);
        let symbol = loop {
            expr = match &expr.kind {
                ExprKind::Name(name) => break name.simple()?,
                ExprKind::Parentheses(inner) => inner,
                ExprKind::Index(inner, _) | ExprKind::Unary(ast::UnaryOperator::Dereference, inner) => {
                    chosen += 1;
                    inner
                }
                _ => return None,
            };
        };
        let mut at = Some(self.scopes.current());
        while let Some(scope) = at {
            let names = &self.scopes[scope].names;
            if names.contains_key(symbol) {
                let mut all = 1..=CLASSES.len();
                let lengths = all.find(|count| names.contains_key(&hidden(symbol, *count)))?;
                return Some((named(&hidden(symbol, lengths), expr.span), lengths, chosen));
            }
            at = self.scopes[scope].parent;
        }
        None
    }

    /// What a loop goes over instead of such an array: the object, which has a beginning and an end.
    pub(crate) fn variable_range(&mut self, range: &Expr) -> Option<Expr> {
        let (object, lengths, _) = self.variable_array_of(range).filter(|(_, _, chosen)| *chosen == 0)?;
        if lengths > 1 {
            let help = "write a loop over the index";
            let what = "loops over the rows of an array whose lengths are not constant are";
            self.messages.refuse(range.span, what, help);
            return Some(Expr { kind: ExprKind::Error, span: range.span });
        }
        Some(object)
    }

    /// The size of such an array, or of a row of it, as a call.
    pub(crate) fn variable_size(&self, of: &Expr) -> Option<Expr> {
        let (object, lengths, chosen) = self.variable_array_of(of)?;
        let name = ["__bytes", "__bytes1", "__bytes2"].get(chosen).filter(|_| chosen < lengths)?;
        let span = of.span;
        let member = ExprKind::Member { object: Box::new(object), arrow: false, member: word(name, span) };
        Some(Expr { kind: ExprKind::Call(Box::new(Expr { kind: member, span }), vec![]), span })
    }

    /// Whether a type is such a class: its size is not that of the array.
    pub(crate) fn is_variable_array(&self, ty: Type) -> bool {
        self.program.record_of(ty).is_some_and(|record| self.classes[record].name.starts_with(CLASSES[0]))
    }
}

/// An empty list as a word to the constructor that all elements are zero.
fn list_of(list: &ast::InitList) -> Expr {
    let kind = match list.elements.is_empty() {
        true => ExprKind::Null,
        false => ExprKind::List(list.clone()),
    };
    Expr { kind, span: list.span }
}
