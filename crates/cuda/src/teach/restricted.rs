//! Pointers that are said to be alone and are not: `__restrict__` on one to shared memory, by which threads exchange values.
//!
//! Enters: the checked tree. Leaves: warnings. Only what a function itself shows is looked at: an element that it stores, a barrier,
//! and another one that it loads. This module must never know what is computed.

use crate::builtin::Meaning;
use crate::diagnostic::Diagnostic;
use crate::hir::{
    Arg, Expr, ExprKind, Function, Init, LocalId, Place, PlaceKind, Program, Stmt, StmtKind, TypeKind,
};
use crate::ir::Space;
use crate::sorted::Sorted;
use crate::source::Span;
use crate::walk::{Node, Use, Walk};

use super::Teacher;
use super::tree::plain;

/// Looks at the calls of all functions.
pub(super) fn look(teacher: &mut Teacher<'_>, program: &Program) {
    let alone = |function: &Function| {
        let restrict = |id: &LocalId| function.locals.get(id.index()).is_some_and(|local| local.restrict);
        !function.kernel && function.params.iter().any(restrict)
    };
    if !program.functions.iter().any(alone) {
        return;
    }
    for function in &program.functions {
        let mut shared: Sorted<LocalId, ()> = Sorted::default();
        let mut passed: Vec<(&Function, LocalId, Span)> = vec![];
        let mut call = |id: crate::hir::FunctionId, args: &[Arg], shared: &Sorted<LocalId, ()>| {
            let Some(callee) = program.functions.get(id.index()) else { return };
            for (param, arg) in callee.params.iter().zip(args) {
                let alone = callee.locals.get(param.index()).is_some_and(|local| local.restrict);
                if let (true, Arg::Value(value)) = (alone, arg)
                    && is_shared(program, shared, value)
                {
                    passed.push((callee, *param, value.span));
                }
            }
        };
        let mut see = |node: Node<'_>| match node {
            Node::Stmt(Stmt { kind: StmtKind::Let(id, Some(Init::Value(value))), .. }) => {
                if is_shared(program, &shared, value) {
                    shared.add(*id);
                }
            }
            Node::Expr(Expr { kind: ExprKind::Call(id, args), .. })
            | Node::Init(Init::Call(id, args) | Init::Construct(id, args)) => call(*id, args, &shared),
            Node::Stmt(_) | Node::Expr(_) | Node::Place(..) | Node::Init(_) => {}
        };
        Walk { see: &mut see }.stmts(&function.body);
        for (callee, param, span) in passed {
            if teacher.readers(callee.span) && exchanges(teacher, program, callee, param) {
                tell(teacher, callee, param, span);
            }
        }
    }
}

/// What a pointer is an offset of.
fn base(mut pointer: &Expr) -> &Expr {
    loop {
        pointer = match &pointer.kind {
            ExprKind::Cast(of) | ExprKind::Offset(of, ..) => of,
            _ => return pointer,
        };
    }
}

/// Whether a pointer leads into shared memory, by how it is made.
fn is_shared(program: &Program, locals: &Sorted<LocalId, ()>, pointer: &Expr) -> bool {
    let mut place = match &base(pointer).kind {
        ExprKind::Address(place) => place,
        ExprKind::Load(place) => {
            return matches!(place.kind, PlaceKind::Local(id) if locals.contains_key(&id));
        }
        _ => return false,
    };
    loop {
        place = match &place.kind {
            PlaceKind::Field(of, _) | PlaceKind::Element(of, _) => of,
            PlaceKind::Variable(id) => {
                return program.variables.get(id.index()).is_some_and(|one| one.space == Space::Shared);
            }
            _ => return false,
        };
    }
}

/// Whether a function stores an element through a pointer, waits for the other threads, and loads another one.
fn exchanges(teacher: &Teacher<'_>, program: &Program, function: &Function, pointer: LocalId) -> bool {
    let Some(local) = function.locals.get(pointer.index()) else { return false };
    let TypeKind::Pointer(to) = program.types.kind(local.ty) else { return false };
    if to.volatile || to.constant {
        return false;
    }
    let mut stored: Vec<&str> = vec![];
    let (mut waited, mut found) = (false, false);
    let mut see = |node: Node<'_>| match node {
        Node::Expr(Expr { kind: ExprKind::Builtin(row, ..), .. }) => {
            waited |= matches!(row.meaning, Meaning::Barrier(_)) && !stored.is_empty();
        }
        Node::Place(Place { kind: PlaceKind::Deref(of), .. }, used) => {
            let of = plain(of);
            let through = matches!(&base(of).kind, ExprKind::Load(place)
                if matches!(place.kind, PlaceKind::Local(id) if id == pointer));
            let index = match &of.kind {
                ExprKind::Offset(_, index, _) => teacher.sources.text(index.span),
                _ => "0",
            };
            match used {
                Use::Write if through => stored.push(index),
                Use::Read if through => found |= waited && !stored.contains(&index),
                Use::Read | Use::Write | Use::Address | Use::Output => {}
            }
        }
        Node::Stmt(_) | Node::Expr(_) | Node::Place(..) | Node::Init(_) => {}
    };
    Walk { see: &mut see }.stmts(&function.body);
    found
}

fn tell(teacher: &mut Teacher<'_>, function: &Function, pointer: LocalId, passed: Span) {
    let Some(local) = function.locals.get(pointer.index()) else { return };
    let message = format!(
        "`{}` is `__restrict__`, but other threads store elements that are read through it",
        local.name
    );
    teacher.warn(
        Diagnostic::warning("restrict-shared", local.span, message)
            .label("promises that what is stored through this pointer is accessed only through it")
            .related(passed, "shared memory is passed here")
            .help("remove `__restrict__`: the compiler may keep an element in a register across `__syncthreads()`"),
    );
}
