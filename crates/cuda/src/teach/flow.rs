//! What the order of statements shows: variables that are read before they have a value, values that are replaced before
//! anybody reads them, loops that never end or leave an array.
//!
//! Enters: the checked tree. Leaves: warnings. Only what happens on every way through a function is reported. This module must
//! never know how an expression is computed.

use crate::diagnostic::Diagnostic;
use crate::evaluate::{self, Scalar};
use crate::hir::{
    Compare, Expr, ExprKind, Function, Init, Label, LocalId, Place, PlaceKind, Program, Step, Stmt, StmtKind,
    Type, TypeKind,
};
use crate::sorted::Sorted;
use crate::source::Span;

use super::Teacher;
use super::tree::{number, plain};
use crate::walk::{Node, Use, Walk};

/// Statements after a store that are looked at.
const AHEAD: usize = 8;

/// Looks at all functions of the reader's.
pub(super) fn look(teacher: &mut Teacher<'_>, program: &Program) {
    for function in &program.functions {
        if !teacher.readers(function.span) {
            continue;
        }
        let mut addressed = Sorted::default();
        let mut jumps = false;
        let mut see = |node: Node<'_>| match node {
            Node::Place(Place { kind: PlaceKind::Local(id), .. }, Use::Address) => {
                addressed.add(*id);
            }
            Node::Stmt(Stmt { kind: StmtKind::Goto(_), .. }) => jumps = true,
            Node::Stmt(_) | Node::Expr(_) | Node::Place(..) | Node::Init(_) => {}
        };
        Walk { see: &mut see }.stmts(&function.body);
        if jumps {
            continue;
        }
        let mut values = Values {
            teacher,
            program,
            function,
            histories: Sorted::default(),
            ahead: false,
            switches: vec![],
        };
        values.stmts(&function.body);
        let mut lists = Lists { teacher, program, function, addressed };
        lists.stmts(&function.body);
    }
}

/// Variable that a place lies in.
fn root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(id) => Some(*id),
        PlaceKind::Field(of, _) | PlaceKind::Element(of, _) => root(of),
        _ => None,
    }
}

/// What a statement changes by what it held before (`x += 1`, `x++`).
fn changed(stmt: &Stmt) -> Option<&Place> {
    match &stmt.kind {
        StmtKind::Place(Place {
            kind: PlaceKind::Compound(to, ..) | PlaceKind::CompoundOffset(to, ..) | PlaceKind::PreStep(to, _),
            ..
        })
        | StmtKind::Expr(Expr { kind: ExprKind::PostStep(to, _), .. }) => Some(to),
        _ => None,
    }
}

/// What has happened to a variable since it was declared, on the ways to where a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct History {
    /// There is a way on which it was neither read nor written. (A read on a way without a store is an error there, so that nothing
    /// after it on that way is another one.)
    open: bool,
    /// There is a way on which it was written.
    written: bool,
}

impl History {
    const DECLARED: Self = Self { open: true, written: false };

    /// Of ways that meet.
    fn joined(self, other: Self) -> Self {
        Self { open: self.open || other.open, written: self.written || other.written }
    }
}

/// Variables that certainly have no value yet.
struct Values<'t, 'a, 'p> {
    teacher: &'t mut Teacher<'a>,
    program: &'p Program,
    function: &'p Function,
    /// Of variables that were declared without a value and have not been reported.
    histories: Sorted<LocalId, History>,
    /// Whether this is a walk through a loop to see what may come before its next iteration: nothing is reported.
    ahead: bool,
    /// What was there at the beginning of each `switch` that the walk is in.
    switches: Vec<Sorted<LocalId, History>>,
}

impl<'p> Values<'_, '_, 'p> {
    fn stmts(&mut self, list: &'p [Stmt]) {
        for stmt in list {
            self.stmt(stmt);
        }
    }

    /// Ways from elsewhere meet those that lead here.
    fn join(&mut self, other: &Sorted<LocalId, History>) {
        self.histories.retain(|id, _| other.contains_key(id));
        for (id, history) in other.iter() {
            if let Some(own) = self.histories.get_mut(id) {
                *own = own.joined(*history);
            }
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Let(id, init) => {
                if self.simple(*id) {
                    self.histories.insert(*id, History::DECLARED);
                }
                if let Some(init) = init {
                    self.scan(|walk| walk.init(init));
                    self.histories.remove(id);
                }
            }
            StmtKind::Block(list) | StmtKind::Try(list, _) => self.stmts(list),
            StmtKind::If(condition, then, otherwise) => {
                self.scan(|walk| walk.expr(condition));
                let before = self.histories.clone();
                self.stmts(then);
                let after = std::mem::replace(&mut self.histories, before);
                self.stmts(otherwise);
                self.join(&after);
            }
            StmtKind::Loop { condition, after, step, body, .. } => {
                self.iterate(condition.as_ref(), *after, step, body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.scan(|walk| walk.expr(value));
                let before = self.histories.clone();
                self.switches.push(before);
                self.stmts(body);
                if let Some(before) = self.switches.pop() {
                    self.join(&before);
                }
            }
            StmtKind::Target(_) => {
                if let Some(before) = self.switches.pop() {
                    self.join(&before);
                    self.switches.push(before);
                }
            }
            StmtKind::Asm(asm) => {
                for (_, expr) in &asm.inputs {
                    self.scan(|walk| walk.expr(expr));
                }
                for (_, place, _) in &asm.outputs {
                    if let Some(id) = root(place) {
                        self.written(id, false);
                    }
                }
            }
            // Nothing looks at the value of `(void)x`.
            StmtKind::Place(Place { kind: PlaceKind::Local(_), .. }) => {}
            StmtKind::Expr(Expr { kind: ExprKind::Sequence(stmts, value), .. }) => {
                self.stmts(stmts);
                self.scan(|walk| walk.expr(value));
            }
            StmtKind::Expr(_)
            | StmtKind::Place(_)
            | StmtKind::Init(..)
            | StmtKind::Goto(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(_)
            | StmtKind::ReturnInit(_)
            | StmtKind::Fill(..) => {
                if let Some(to) = changed(stmt)
                    && let Some(id) = root(to)
                {
                    self.read(id, to.span, false);
                }
                self.scan(|walk| walk.stmts(std::slice::from_ref(stmt)));
            }
        }
    }

    /// A loop; `after` if its condition is tested at the end of an iteration.
    fn iterate(&mut self, condition: Option<&'p Expr>, after: bool, step: &'p [Stmt], body: &'p [Stmt]) {
        let condition = |this: &mut Self| {
            if let Some(condition) = condition {
                this.scan(|walk| walk.expr(condition));
            }
        };
        let iteration = |this: &mut Self| {
            this.stmts(body);
            this.stmts(step);
            if after {
                condition(this);
            }
        };
        if !after {
            condition(self);
        }
        // What an iteration writes is there in the next one.
        let unset = |history: &History| history.open && !history.written;
        if !self.ahead && self.histories.values().any(unset) {
            let before = self.histories.clone();
            self.ahead = true;
            iteration(self);
            self.ahead = false;
            let once = std::mem::replace(&mut self.histories, before);
            self.join(&once);
        }
        let before = self.histories.clone();
        iteration(self);
        if !after {
            self.join(&before);
        }
    }

    /// Whether a variable is one that messages can speak of: a number, a pointer, or an array of them.
    fn simple(&self, id: LocalId) -> bool {
        let Some(local) = self.function.locals.get(id.index()) else { return false };
        let mut ty = local.ty;
        while let TypeKind::Array(of, _) = self.program.types.kind(ty) {
            ty = *of;
        }
        !local.name.is_empty() && !ty.volatile && scalar(self.program, ty)
    }

    /// Goes through what is evaluated in order.
    fn scan(&mut self, walk: impl FnOnce(&mut Walk<'_>)) {
        if self.histories.is_empty() {
            return;
        }
        // Places that are assigned, though the whole is read: `a = b = 1`.
        let mut stored: Vec<*const Place> = vec![];
        let mut events: Vec<(LocalId, bool, Span)> = vec![];
        // Events that do not happen each time, from one to before another.
        let mut sides: Vec<(usize, usize)> = vec![];
        let mut see = |node: Node<'_>| {
            if let Some((before, inside)) = chosen(&node) {
                let first = events.len() + before;
                sides.push((first, first + inside));
            }
            let Node::Place(place, used) = node else { return };
            let written = stored.iter().any(|one| std::ptr::eq(*one, place));
            match &place.kind {
                PlaceKind::Assign(to, _) | PlaceKind::AssignInit(to, _) => stored.push(&raw const **to),
                PlaceKind::Field(of, _) | PlaceKind::Element(of, _) if written => {
                    stored.push(&raw const **of)
                }
                PlaceKind::Local(id) => events.push((*id, used == Use::Read && !written, place.span)),
                _ => {}
            }
        };
        walk(&mut Walk { see: &mut see });
        // By event, how many sides begin there, less those that end.
        let mut changes = vec![0; events.len() + 1];
        for (from, to) in sides {
            for (at, change) in [(from, 1), (to, -1)] {
                if let Some(changes) = changes.get_mut(at) {
                    *changes += change;
                }
            }
        }
        let mut within = 0;
        for ((id, reads, span), change) in events.into_iter().zip(changes) {
            within += change;
            let perhaps = within > 0;
            if reads {
                self.read(id, span, perhaps);
            } else {
                self.written(id, perhaps);
            }
        }
    }

    fn written(&mut self, id: LocalId, perhaps: bool) {
        if let Some(history) = self.histories.get_mut(&id) {
            history.written |= history.open;
            history.open &= perhaps;
        }
    }

    fn read(&mut self, id: LocalId, span: Span, perhaps: bool) {
        let Some(history) = self.histories.get_mut(&id) else { return };
        if self.ahead {
            history.open &= perhaps;
        }
        if self.ahead || history.written || !history.open {
            return;
        }
        self.histories.remove(&id);
        let Some(local) = self.function.locals.get(id.index()) else { return };
        let array = matches!(self.program.types.kind(local.ty), TypeKind::Array(..));
        let name = &local.name;
        let (message, help) = if array {
            (
                format!("array `{name}` is uninitialised when an element is used here"),
                format!("fill it first, or write `{name}[…] = {{}}` for zeros"),
            )
        } else {
            (
                format!("`{name}` is uninitialised when used here"),
                format!("initialise it where it is declared, as in `{name} = 0`"),
            )
        };
        self.teacher.warn(
            Diagnostic::warning("uninitialised", span, message)
                .label("nothing has been stored in it yet")
                .related(local.span, "declared here without a value")
                .help(help),
        );
    }
}

/// How many variables are named in a part of a tree.
fn count(walk: impl FnOnce(&mut Walk<'_>)) -> usize {
    let mut count = 0;
    let mut see = |node: Node<'_>| {
        count += usize::from(matches!(node, Node::Place(Place { kind: PlaceKind::Local(_), .. }, _)));
    };
    walk(&mut Walk { see: &mut see });
    count
}

/// Of what has a side that is not evaluated each time, such as `b` of `a && b` and `a ? b : 0`, or statements under a condition
/// within an expression: how many variables are named before that side, and how many on it.
fn chosen(node: &Node<'_>) -> Option<(usize, usize)> {
    match node {
        Node::Expr(Expr { kind: ExprKind::Logical(_, left, right), .. }) => {
            Some((count(|walk| walk.expr(left)), count(|walk| walk.expr(right))))
        }
        Node::Expr(Expr { kind: ExprKind::Conditional(condition, yes, no), .. }) => {
            let sides = count(|walk| {
                walk.expr(yes);
                walk.expr(no);
            });
            Some((count(|walk| walk.expr(condition)), sides))
        }
        Node::Place(Place { kind: PlaceKind::Conditional(condition, yes, no), .. }, used) => {
            let sides = count(|walk| {
                walk.place(yes, *used);
                walk.place(no, *used);
            });
            Some((count(|walk| walk.expr(condition)), sides))
        }
        Node::Init(Init::Conditional(condition, yes, no)) => {
            let sides = count(|walk| {
                walk.init(yes);
                walk.init(no);
            });
            Some((count(|walk| walk.expr(condition)), sides))
        }
        Node::Stmt(stmt) => {
            let branches =
                matches!(stmt.kind, StmtKind::If(..) | StmtKind::Loop { .. } | StmtKind::Switch { .. });
            branches.then(|| (0, count(|walk| walk.stmts(std::slice::from_ref(*stmt)))))
        }
        Node::Expr(_) | Node::Place(..) | Node::Init(_) => None,
    }
}

fn scalar(program: &Program, ty: Type) -> bool {
    match program.types.kind(ty) {
        TypeKind::Bool
        | TypeKind::Integer(_)
        | TypeKind::Float
        | TypeKind::Double
        | TypeKind::Pointer(_)
        | TypeKind::Member { .. }
        | TypeKind::Enum(_) => true,
        TypeKind::Void
        | TypeKind::NullPointer
        | TypeKind::Reference { .. }
        | TypeKind::Array(..)
        | TypeKind::UnknownArray(_)
        | TypeKind::Record(_)
        | TypeKind::Function(..) => false,
    }
}

/// Lists of statements: what a statement means for those after it.
struct Lists<'t, 'a, 'p> {
    teacher: &'t mut Teacher<'a>,
    program: &'p Program,
    function: &'p Function,
    addressed: Sorted<LocalId, ()>,
}

/// What statements do with variables.
#[derive(Default)]
struct Effects {
    reads: Sorted<LocalId, ()>,
    writes: Sorted<LocalId, ()>,
    /// `break`, `continue`, `return`: the way goes on elsewhere.
    leaves: bool,
    /// Calls, memory and whatever else may change.
    outside: bool,
}

fn effects(walk: impl FnOnce(&mut Walk<'_>)) -> Effects {
    let mut all = Effects::default();
    let write = |all: &mut Effects, to: &Place| {
        if let Some(id) = root(to) {
            all.writes.add(id);
        }
    };
    let mut see = |node: Node<'_>| match node {
        Node::Stmt(stmt) => {
            if let Some(id) = changed(stmt).and_then(root) {
                all.reads.add(id);
            }
            all.leaves |= matches!(
                stmt.kind,
                StmtKind::Break(_)
                    | StmtKind::Continue(_)
                    | StmtKind::Return(_)
                    | StmtKind::ReturnInit(_)
                    | StmtKind::Goto(_)
                    | StmtKind::Asm(_)
            );
        }
        Node::Place(place, used) => match &place.kind {
            PlaceKind::Local(id) => {
                if used == Use::Read || used == Use::Address {
                    all.reads.add(*id);
                }
                // What is assigned within an expression is seen as read there.
                if used != Use::Read {
                    all.writes.add(*id);
                }
            }
            PlaceKind::Assign(to, _)
            | PlaceKind::AssignInit(to, _)
            | PlaceKind::Compound(to, ..)
            | PlaceKind::CompoundOffset(to, ..)
            | PlaceKind::PreStep(to, _) => write(&mut all, to),
            PlaceKind::Variable(_) | PlaceKind::Deref(_) => all.outside = true,
            _ => {}
        },
        Node::Expr(expr) => match &expr.kind {
            ExprKind::PostStep(to, _) => write(&mut all, to),
            ExprKind::Call(..) | ExprKind::Builtin(..) | ExprKind::Printf(..) | ExprKind::AssertFail(..) => {
                all.outside = true;
            }
            _ => {}
        },
        Node::Init(_) => {}
    };
    walk(&mut Walk { see: &mut see });
    all
}

impl<'p> Lists<'_, '_, 'p> {
    fn stmts(&mut self, list: &'p [Stmt]) {
        for (at, stmt) in list.iter().enumerate() {
            self.replaced(list, at, stmt);
            match &stmt.kind {
                StmtKind::Block(inner) => self.stmts(inner),
                StmtKind::If(_, then, otherwise) => {
                    self.stmts(then);
                    self.stmts(otherwise);
                }
                StmtKind::Loop { label, condition, after, step, body, .. } => {
                    if let Some(condition) = condition {
                        self.endless(*label, condition, step, body);
                        if !after {
                            self.direction(condition, step, body);
                            self.beyond(list.get(..at).unwrap_or_default(), condition, step, body);
                        }
                    }
                    self.stmts(body);
                }
                StmtKind::Switch { body, .. } => self.stmts(body),
                _ => {}
            }
        }
    }

    fn name(&self, id: LocalId) -> &'p str {
        self.function.locals.get(id.index()).map_or("", |local| &local.name)
    }

    /// A variable whose value is replaced before anybody reads it.
    fn replaced(&mut self, list: &'p [Stmt], at: usize, stmt: &'p Stmt) {
        let (id, value, span) = match &stmt.kind {
            StmtKind::Let(id, Some(Init::Value(value))) => (*id, value, stmt.span),
            StmtKind::Place(Place { kind: PlaceKind::Assign(to, value), span, .. }) => match &to.kind {
                PlaceKind::Local(id) => (*id, &**value, *span),
                _ => return,
            },
            _ => return,
        };
        let Some(local) = self.function.locals.get(id.index()) else { return };
        if local.name.is_empty()
            || local.ty.volatile
            || !scalar(self.program, local.ty)
            || self.addressed.contains_key(&id)
            || self.function.name.contains('<')
            || span.expansion != 0
            || matches!(plain(value).kind, ExprKind::Integer(_) | ExprKind::Float(_))
        {
            return;
        }
        for next in list.iter().skip(at + 1).take(AHEAD) {
            if let StmtKind::Place(Place { kind: PlaceKind::Assign(to, value), span: again, .. }) = &next.kind
                && matches!(&to.kind, PlaceKind::Local(other) if *other == id)
            {
                if !effects(|walk| walk.expr(value)).reads.contains_key(&id) && again.expansion == 0 {
                    self.tell_replaced(id, span, *again);
                }
                return;
            }
            let found = effects(|walk| walk.stmts(std::slice::from_ref(next)));
            let target = matches!(next.kind, StmtKind::Target(_));
            if found.leaves || target || found.reads.contains_key(&id) || found.writes.contains_key(&id) {
                return;
            }
        }
    }

    fn tell_replaced(&mut self, id: LocalId, span: Span, again: Span) {
        let name = self.name(id);
        self.teacher.warn(
            Diagnostic::warning("unread-store", span, format!("value stored to `{name}` is never read"))
                .label("this store has no effect")
                .related(again, "overwritten here before it is read")
                .help("remove one of the two stores, or use the first value before the second is stored"),
        );
    }

    /// A loop whose condition depends only on variables that the loop does not change.
    fn endless(&mut self, label: Label, condition: &'p Expr, step: &'p [Stmt], body: &'p [Stmt]) {
        let asked = effects(|walk| walk.expr(condition));
        if asked.reads.is_empty() || asked.outside || !asked.writes.is_empty() {
            return;
        }
        let of = asked.reads.keys().any(|id| {
            self.addressed.contains_key(id)
                || self.function.locals.get(id.index()).is_none_or(|local| local.ty.volatile)
        });
        let does = effects(|walk| {
            walk.stmts(body);
            walk.stmts(step);
        });
        if of || asked.reads.keys().any(|id| does.writes.contains_key(id)) || leaves(body, label) {
            return;
        }
        let names: Vec<String> = asked
            .reads
            .keys()
            .map(|id| self.name(*id))
            .filter(|name| !name.is_empty())
            .map(|name| format!("`{name}`"))
            .collect();
        if names.len() != asked.reads.len() || traps(body) {
            return;
        }
        let message = format!("nothing in this loop modifies {}", names.join(" or "));
        self.teacher.warn(
            Diagnostic::warning("endless-loop", condition.span, message)
                .label("once true, this stays true: the loop never ends")
                .help("modify the variable in the loop, or leave the loop with `break`"),
        );
    }

    /// `for (i = 0; i < n; --i)`.
    fn direction(&mut self, condition: &'p Expr, step: &'p [Stmt], body: &'p [Stmt]) {
        let Some((id, direction, at)) = stepped(step) else { return };
        let ExprKind::Compare(op, left, right) = &condition.kind else { return };
        let of = |expr: &Expr| matches!(&plain(expr).kind, ExprKind::Load(place) if root(place) == Some(id));
        let signed = matches!(
            evaluate::scalar(self.program, left.ty),
            Some(Scalar::Integer { signed: true, .. } | Scalar::Float | Scalar::Double)
        );
        let up = match (op, of(left), of(right)) {
            (Compare::Less | Compare::LessEqual, true, false)
            | (Compare::Greater | Compare::GreaterEqual, false, true) => true,
            (Compare::Greater | Compare::GreaterEqual, true, false)
            | (Compare::Less | Compare::LessEqual, false, true) => false,
            _ => return,
        };
        if !signed || up == (direction == Step::Up) || self.addressed.contains_key(&id) {
            return;
        }
        if effects(|walk| walk.stmts(body)).writes.contains_key(&id) {
            return;
        }
        let name = self.name(id);
        let (way, write) = if up { ("down", "++") } else { ("up", "--") };
        self.teacher.warn(
            Diagnostic::warning("endless-loop", at, format!("`{name}` counts {way}, away from its bound"))
                .related(condition.span, "the loop continues while this is true")
                .help(format!("write `{write}{name}`")),
        );
    }

    /// `for (int i = 0; i <= 8; ++i) a[i] = …` where `a` has 8 elements.
    fn beyond(&mut self, before: &'p [Stmt], condition: &'p Expr, step: &'p [Stmt], body: &'p [Stmt]) {
        let Some((id, Step::Up, _)) = stepped(step) else { return };
        let Some(StmtKind::Let(of, Some(Init::Value(first)))) = before.last().map(|one| &one.kind) else {
            return;
        };
        let ExprKind::Compare(op @ (Compare::Less | Compare::LessEqual), left, right) = &condition.kind
        else {
            return;
        };
        let counts = |expr: &Expr| {
            matches!(&plain(expr).kind, ExprKind::Load(place)
                if matches!(place.kind, PlaceKind::Local(of) if of == id))
        };
        let (Some(first), Some(bound)) = (number(self.program, first), number(self.program, right)) else {
            return;
        };
        let last = if *op == Compare::Less { bound - 1 } else { bound };
        if *of != id || !counts(left) || first > last || self.function.name.contains('<') {
            return;
        }
        let does = effects(|walk| walk.stmts(body));
        if does.writes.contains_key(&id) || does.leaves || self.addressed.contains_key(&id) {
            return;
        }
        for stmt in body {
            if !matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Place(_) | StmtKind::Let(..)) {
                continue;
            }
            let mut found = None;
            let mut perhaps = false;
            let mut see = |node: Node<'_>| match node {
                Node::Expr(Expr { kind: ExprKind::Conditional(..) | ExprKind::Logical(..), .. }) => {
                    perhaps = true;
                }
                Node::Place(Place { kind: PlaceKind::Element(array, index), .. }, used) => {
                    if let TypeKind::Array(_, length) = self.program.types.kind(array.ty)
                        && counts(index)
                        && last >= i128::from(*length)
                        && used != Use::Address
                        && *length > 1
                    {
                        found = Some((array.span, index.span, *length));
                    }
                }
                Node::Expr(_) | Node::Stmt(_) | Node::Place(..) | Node::Init(_) => {}
            };
            Walk { see: &mut see }.stmts(std::slice::from_ref(stmt));
            if let (Some((array, index, length)), false) = (found, perhaps) {
                self.tell_beyond(array, index, (length, last), condition.span);
                return;
            }
        }
    }

    fn tell_beyond(&mut self, array: Span, index: Span, (length, last): (u64, i128), condition: Span) {
        let name = super::tree::written(self.teacher, array, "this array");
        let message = format!("the loop accesses {name} past its end: it has {length} elements");
        self.teacher.warn(
            Diagnostic::warning("out-of-bounds", index, message)
                .label(format!("the last index is {last}"))
                .related(condition, "the loop continues while this is true")
                .help(format!("the last element has index {}: compare with `< {length}`", length - 1)),
        );
    }
}

/// Variable that a loop's step counts by one, with where.
fn stepped(step: &[Stmt]) -> Option<(LocalId, Step, Span)> {
    let [one] = step else { return None };
    match &one.kind {
        StmtKind::Place(Place { kind: PlaceKind::PreStep(to, way), span, .. })
        | StmtKind::Expr(Expr { kind: ExprKind::PostStep(to, way), span, .. }) => match &to.kind {
            PlaceKind::Local(id) => Some((*id, *way, *span)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a loop is left from within.
fn leaves(body: &[Stmt], label: Label) -> bool {
    let mut found = false;
    let mut see = |node: Node<'_>| {
        if let Node::Stmt(stmt) = node {
            found |= match &stmt.kind {
                StmtKind::Break(of) => *of == label,
                StmtKind::Return(_) | StmtKind::ReturnInit(_) | StmtKind::Goto(_) | StmtKind::Asm(_) => true,
                _ => false,
            };
        }
    };
    Walk { see: &mut see }.stmts(body);
    found
}

/// Whether the kernel may be stopped from within.
fn traps(body: &[Stmt]) -> bool {
    let mut found = false;
    let mut see = |node: Node<'_>| {
        if let Node::Expr(Expr { kind: ExprKind::Builtin(row, ..), .. }) = node {
            found |= row.name.contains("trap");
        }
    };
    Walk { see: &mut see }.stmts(body);
    found
}
