//! What kernels reach: calls in bodies, and what is left out.
//!
//! Enters: the program. Leaves: the program with nothing that no kernel needs. This module must never know how anything is
//! written.

use crate::diagnostic::Diagnostic;
use crate::hir::{
    Expr, ExprKind, Function, FunctionId, Init, Place, PlaceKind, Program, Variable, VariableId,
};
use crate::ir::Linkage;
use crate::sorted::Sorted;
use crate::source::Span;
use crate::walk::{Node, NodeMut, Walk, WalkMut};

use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::output::Output;
use crate::check::context::output::UNCAUGHT;
use crate::check::context::scopes::Scopes;

/// Advice where what is used is only declared.
const OTHER_FILE: &str = "if another file defines it, include that file here, as in `#include \"other.cu\"`: kernels are compiled from one file, as by nvcc without `-rdc=true`";

/// The same in a program of several files.
const LINKED: &str = "define it in this file; if another file defines it, add `-rdc=true`, which links the device code of several files: without it, each file has its own, as by nvcc";

/// Functions and variables that a part of the tree itself names.
struct Named<'a> {
    function: Option<&'a mut FunctionId>,
    variables: &'a mut [VariableId],
}

fn named(node: NodeMut<'_>) -> Named<'_> {
    let (function, variables): (_, &mut [VariableId]) = match node {
        NodeMut::Expr(Expr { kind: ExprKind::Call(id, _) | ExprKind::Function(id), .. })
        | NodeMut::Init(Init::Call(id, _) | Init::Construct(id, _)) => (Some(id), &mut []),
        NodeMut::Expr(Expr { kind: ExprKind::Printf(format, _), .. }) => (None, std::slice::from_mut(format)),
        NodeMut::Expr(Expr { kind: ExprKind::AssertFail(texts, _), .. }) => (None, texts),
        NodeMut::Init(Init::Tables(_, variables, _)) => (None, variables),
        NodeMut::Place(Place { kind: PlaceKind::Variable(id), .. }, _) => (None, std::slice::from_mut(id)),
        NodeMut::Expr(_) | NodeMut::Init(_) | NodeMut::Place(..) | NodeMut::Stmt(_) => (None, &mut []),
    };
    Named { function, variables }
}

/// Function that a part of the tree itself calls.
fn called(node: &Node<'_>) -> Option<FunctionId> {
    match node {
        Node::Expr(Expr { kind: ExprKind::Call(id, _) | ExprKind::Function(id), .. })
        | Node::Init(Init::Call(id, _) | Init::Construct(id, _)) => Some(*id),
        Node::Expr(_) | Node::Init(_) | Node::Place(..) | Node::Stmt(_) => None,
    }
}

fn collect(calls: &mut Vec<FunctionId>, run: impl FnOnce(&mut Walk<'_>)) {
    run(&mut Walk { see: &mut |node| calls.extend(called(&node)) });
}

/// Adds the functions that an expression calls.
pub(crate) fn calls_of_expr(value: &Expr, calls: &mut Vec<FunctionId>) {
    collect(calls, |walk| walk.expr(value));
}

/// Adds the functions that an initialiser calls.
pub(crate) fn calls_of_init(init: &Init, calls: &mut Vec<FunctionId>) {
    collect(calls, |walk| walk.init(init));
}

/// Adds the functions that a function calls.
pub(crate) fn calls_of_function(function: &Function, calls: &mut Vec<FunctionId>) {
    collect(calls, |walk| walk.stmts(&function.body));
}

/// Of each function, whether one of those that `begins` is true of reaches it by calls.
pub(crate) fn reached(program: &Program, begins: &dyn Fn(&Function) -> bool) -> Vec<bool> {
    let mut reached = vec![false; program.functions.len()];
    let mut waiting: Vec<FunctionId> = vec![];
    let begin = program.functions.iter().enumerate().filter(|(_, function)| begins(function));
    waiting.extend(begin.map(|(at, _)| FunctionId(at as u32)));
    while let Some(id) = waiting.pop() {
        if !std::mem::replace(&mut reached[id.index()], true) {
            calls_of_function(&program.functions[id.index()], &mut waiting);
        }
    }
    reached
}

impl Declarations {
    fn renumber(&self, functions: &[bool], variables: &[bool], scopes: &Scopes, program: &mut Output) {
        let numbers = |kept: &[bool]| {
            let mut map = Sorted::default();
            for (at, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
                map.insert(at as u32, map.len() as u32);
            }
            map
        };
        let f = numbers(functions);
        let places = self.variable_places(scopes, program);
        let mut order: Vec<usize> = (0..variables.len()).filter(|at| variables[*at]).collect();
        order.sort_by(|a, b| places[*a].cmp(&places[*b]));
        let mut v = Sorted::default();
        for (number, at) in order.iter().enumerate() {
            v.insert(*at as u32, number as u32);
        }
        let mut rename = |node: NodeMut<'_>| {
            let Named { function, variables } = named(node);
            if let Some(id) = function {
                id.0 = f.get(&id.0).copied().unwrap_or(id.0);
            }
            variables.iter_mut().for_each(|id| id.0 = v.get(&id.0).copied().unwrap_or(id.0));
        };
        let mut rename = WalkMut { see: &mut rename };
        let mut kept: Vec<Variable> =
            order.iter().map(|at| program[VariableId(*at as u32)].clone()).collect();
        kept.iter_mut().filter_map(|one| one.init.as_mut()).for_each(|init| rename.init(init));
        let mut at = 0;
        program.renumber_stubs(&f);
        let keep = |one: &mut Function| {
            at += 1;
            let kept = functions[at - 1];
            if kept {
                rename.stmts(&mut one.body);
                one.ends.iter_mut().for_each(|(_, ends)| rename.stmts(ends));
            }
            kept
        };
        program.keep(keep, kept);
    }
}

impl Checker<'_> {
    /// Leaves out functions and variables that no kernel needs, and that the host cannot find.
    pub(crate) fn keep_reached(&mut self) {
        let mut functions: Vec<bool> =
            self.program.functions().iter().map(|one| one.kernel || one.visible).collect();
        for (at, kept) in functions.iter_mut().enumerate() {
            *kept |= self.program.is_exported(FunctionId(at as u32));
        }
        let exports = self.unit.exports();
        // What is thrown may come from another unit.
        let found = |one: &Variable| {
            let thrown = &*one.name == crate::check::context::output::THROWN;
            exports && (thrown || one.linkage == Linkage::Visible && !one.external)
        };
        let mut variables: Vec<bool> =
            self.program.variables().iter().map(|one| one.visible || found(one)).collect();
        let mut seen = (vec![false; functions.len()], vec![false; variables.len()]);
        loop {
            let mut more = false;
            for at in 0..functions.len() {
                if functions[at] && !std::mem::replace(&mut seen.0[at], true) {
                    more = true;
                    let function = &mut self.program[FunctionId(at as u32)];
                    mark(&mut functions, &mut variables, |walk| walk.stmts(&mut function.body));
                    for (_, ends) in &mut function.ends {
                        mark(&mut functions, &mut variables, |walk| walk.stmts(ends));
                    }
                }
            }
            // What starts a variable may name others, and constructors.
            for at in 0..variables.len() {
                if variables[at] && !std::mem::replace(&mut seen.1[at], true) {
                    more = true;
                    if let Some(init) = &mut self.program[VariableId(at as u32)].init {
                        mark(&mut functions, &mut variables, |walk| walk.init(init));
                    }
                }
            }
            // A program that throws needs what ends it where nothing catches.
            if let Some(at) = self.program.functions().iter().position(|one| one.symbol == UNCAUGHT)
                && self
                    .program
                    .variables()
                    .iter()
                    .zip(&variables)
                    .any(|(one, kept)| *kept && &*one.name == "__library_thrown")
                && !std::mem::replace(&mut functions[at], true)
            {
                more = true;
            }
            if !more {
                break;
            }
        }
        self.tell_undefined(&functions, &variables);
        self.declarations.renumber(&functions, &variables, &self.scopes, &mut self.program);
    }

    /// Where the source first calls a function.
    fn call_of(&self, id: FunctionId) -> Option<Span> {
        let mut found = None;
        let mut see = |node: Node<'_>| {
            if called(&node) == Some(id)
                && let Node::Expr(expr) = node
                && !self.messages.ours(expr.span)
            {
                found = found.or(Some(expr.span));
            }
        };
        let mut walk = Walk { see: &mut see };
        self.program.functions().iter().for_each(|one| walk.stmts(&one.body));
        found
    }

    /// Reports what kernels need and another file may have.
    fn tell_undefined(&mut self, functions: &[bool], variables: &[bool]) {
        let is = |reached: &[bool], at: usize| reached.get(at).copied().unwrap_or(false);
        let help = if self.unit.is_program() { LINKED } else { OTHER_FILE };
        for (decl, id) in self.instances.take_undefined() {
            if is(functions, id.index()) {
                let (name, span) = (
                    self.declarations.decl_name(decl, &self.scopes, &self.program),
                    self.declarations[decl].ast.name.span,
                );
                let message = format!("`{name}` is called, but not defined in this file");
                let call = self.call_of(id).filter(|_| self.unit.is_program());
                let error = Diagnostic::error("undefined", call.unwrap_or(span), message).help(help);
                self.messages.report(match call {
                    Some(_) => error.related(span, "declared here"),
                    None => error,
                });
            }
        }
        for id in self.program.take_elsewhere() {
            if is(variables, id.index()) {
                let one = &self.program[id];
                let (message, span) =
                    (format!("`{}` is used, but not defined in this file", one.name), one.span);
                self.messages.error_help("undefined", span, message, help);
            }
        }
    }
}

fn mark(functions: &mut [bool], variables: &mut [bool], run: impl FnOnce(&mut WalkMut<'_>)) {
    let mut see = |node: NodeMut<'_>| {
        let found = named(node);
        if let Some(one) = found.function.and_then(|id| functions.get_mut(id.index())) {
            *one = true;
        }
        for id in found.variables {
            if let Some(one) = variables.get_mut(id.index()) {
                *one = true;
            }
        }
    };
    run(&mut WalkMut { see: &mut see });
}
