//! Jumps past the beginning of a variable's life.
//!
//! Enters: a function's typed statements. Leaves: messages. What `goto` and `case` reach is where all variables in scope have
//! been started, or no one knows what they hold. This module must never know how statements are written.

use crate::diagnostic::Diagnostic;
use crate::hir::{Init, Label, LocalId, Stmt, StmtKind};
use crate::sorted::Sorted;
use crate::source::Span;

use crate::check::Checker;

/// Started variable in scope, with the number of the one before it and how many there are.
struct Live {
    before: usize,
    depth: usize,
    /// The variable, where it is declared, and whether C++ forbids to pass it.
    variable: Option<(LocalId, Span, bool)>,
}

/// Jump to a label.
struct Jump {
    label: Label,
    /// The last variable that is started where it begins.
    from: usize,
    at: Span,
    /// Whether a `switch` jumps, to one of its cases.
    to_case: bool,
}

/// Variables by the places from which and to which is jumped.
struct Jumps {
    all: Vec<Live>,
    now: usize,
    from: Vec<Jump>,
    to: Sorted<Label, (usize, Span)>,
}

impl Jumps {
    fn statements(&mut self, checker: &Checker<'_>, statements: &[Stmt]) {
        let before = self.now;
        for one in statements {
            self.statement(checker, one);
        }
        self.now = before;
    }

    fn statement(&mut self, checker: &Checker<'_>, one: &Stmt) {
        match &one.kind {
            StmtKind::Let(local, init) => {
                let ty = checker.frame.local_type(*local, &checker.program);
                let named = checker.frame.local(*local).is_some_and(|one| !one.name.is_empty());
                let ends = checker.frame.has_end(*local);
                let forbidden = checker.program.record_of(ty).is_some() || ends;
                let started = init.as_ref().is_some_and(|init| !matches!(init, Init::Nothing)) || ends;
                if named && started {
                    let depth = self.all[self.now].depth + 1;
                    let span = checker.frame.local(*local).map_or(one.span, |one| one.span);
                    let variable = Some((*local, span, forbidden));
                    self.all.push(Live { before: self.now, depth, variable });
                    self.now = self.all.len() - 1;
                }
            }
            StmtKind::Block(inner) => self.statements(checker, inner),
            StmtKind::Try(inner, handlers) => {
                self.statements(checker, inner);
                handlers.iter().for_each(|one| self.statements(checker, &one.body));
            }
            StmtKind::If(_, then, otherwise) => {
                self.statements(checker, then);
                self.statements(checker, otherwise);
            }
            StmtKind::Loop { body, .. } => self.statements(checker, body),
            StmtKind::Switch { cases, default, body, .. } => {
                for (_, _, label) in cases {
                    self.from.push(Jump { label: *label, from: self.now, at: one.span, to_case: true });
                }
                let default =
                    default.map(|label| Jump { label, from: self.now, at: one.span, to_case: true });
                self.from.extend(default);
                self.statements(checker, body);
            }
            StmtKind::Target(label) => {
                self.to.insert(*label, (self.now, one.span));
            }
            StmtKind::Goto(label) => {
                self.from.push(Jump { label: *label, from: self.now, at: one.span, to_case: false });
            }
            StmtKind::Expr(_)
            | StmtKind::Place(_)
            | StmtKind::Init(..)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(_)
            | StmtKind::ReturnInit(_)
            | StmtKind::Fill(..)
            | StmtKind::Asm(_) => {}
        }
    }

    /// Whether all that has been started at a place has been started at another.
    fn reaches(&self, from: usize, to: usize) -> bool {
        let depth = self.all[to].depth;
        let mut at = from;
        while self.all[at].depth > depth {
            at = self.all[at].before;
        }
        at == to
    }
}

impl Checker<'_> {
    /// Reports jumps past variables that are started on the way.
    pub(crate) fn check_jumps(&mut self, statements: &[Stmt]) {
        let start = Live { before: 0, depth: 0, variable: None };
        let mut jumps = Jumps { all: vec![start], now: 0, from: vec![], to: Sorted::default() };
        jumps.statements(self, statements);
        for Jump { label, from, at, to_case } in &jumps.from {
            let Some((to, target)) = jumps.to.get(label) else { continue };
            if jumps.reaches(*from, *to) {
                continue;
            }
            let Some((local, span, forbidden)) = jumps.all[*to].variable else { continue };
            let name = self.frame.local(local).map_or("", |one| &one.name).to_owned();
            let message = format!("jump bypasses initialisation of `{name}`");
            let help = if *to_case {
                "put the statements of the `case` that declares it in braces".to_owned()
            } else {
                format!("declare `{name}` before the jump, or in its own block")
            };
            let place = if *to_case { *target } else { *at };
            let one = if forbidden {
                Diagnostic::error("jump", place, message)
            } else {
                Diagnostic::warning("jump", place, message)
            };
            self.messages.report(one.related(span, format!("`{name}` is initialised here")).help(help));
        }
    }
}
