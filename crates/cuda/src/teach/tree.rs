//! What the checked tree shows: comparisons that are always the same or whose result no one uses, assignments in
//! conditions, variables that are written and never read.

use crate::diagnostic::Diagnostic;
use crate::evaluate::{self, Constant, Known, Scalar};
use crate::hir::{
    Binary, Compare, Expr, ExprKind, Function, Local, LocalId, Place, PlaceKind, Program, Stmt, StmtKind,
    TypeKind, Unary, Variable, VariableId,
};
use crate::ir::Space;
use crate::sorted::Sorted;
use crate::source::Span;

use super::Teacher;
use crate::walk::{Node, Use, Walk};

/// How often a variable is used, and where it was written first.
#[derive(Clone, Copy, Default)]
struct Uses {
    read: bool,
    written: Option<Span>,
}

impl Uses {
    fn add(&mut self, used: Use, span: Span) {
        match used {
            Use::Read | Use::Address | Use::Output => self.read = true,
            Use::Write => {
                self.written.get_or_insert(span);
            }
        }
    }
}

/// Looks at all functions of the reader's.
pub(super) fn look(teacher: &mut Teacher<'_>, program: &Program) {
    let mut shared: Sorted<VariableId, Uses> = Sorted::default();
    for function in &program.functions {
        let mut locals: Sorted<LocalId, Uses> = Sorted::default();
        let mut dynamic: Sorted<VariableId, Uses> = Sorted::default();
        let ours = teacher.readers(function.span);
        let mut see = |node: Node<'_>| match node {
            Node::Place(Place { kind: PlaceKind::Local(id), span, .. }, used) => {
                locals.or_insert_with(*id, Uses::default).add(used, *span);
            }
            Node::Place(Place { kind: PlaceKind::Variable(id), span, .. }, used) => {
                shared.or_insert_with(*id, Uses::default).add(used, *span);
                if program.variables.get(id.index()).is_some_and(launch_sized) {
                    dynamic.or_insert_with(*id, Uses::default).add(used, *span);
                }
            }
            Node::Place(place, used) if ours => beyond(teacher, program, function, place, used),
            // What a template says of its parameters may make sense in another instance.
            Node::Expr(expr) if ours && !function.name.contains('<') => expression(teacher, program, expr),
            Node::Stmt(stmt) if ours => statement(teacher, stmt),
            Node::Expr(_) | Node::Stmt(_) | Node::Place(..) | Node::Init(_) => {}
        };
        Walk { see: &mut see }.stmts(&function.body);
        if ours {
            unread_locals(teacher, function, &locals);
            one_memory(teacher, program, &dynamic);
        }
    }
    // All arrays whose sizes the launch says are one memory: what is stored through one may be read through another.
    let external = |id: &VariableId| program.variables.get(id.index()).is_some_and(launch_sized);
    let read_elsewhere = shared.iter().any(|(id, uses)| uses.read && external(id));
    for (id, uses) in shared {
        let Some(variable) = program.variables.get(id.index()) else { continue };
        if let (true, TypeKind::Array(_, length)) = (launch_sized(variable), program.types.kind(variable.ty))
        {
            let message =
                format!("`{}` gets its size from the launch, not from this `{length}`", variable.name);
            teacher.warn(Diagnostic::warning("extern-shared-size", variable.span, message).help(format!(
                "write `{}[]`, and pass the number of bytes as the launch's third argument",
                variable.name
            )));
        }
        if let (Space::Shared, false, Some(written)) = (variable.space, uses.read, uses.written)
            && !variable.ty.volatile
            && !(launch_sized(variable) && read_elsewhere)
        {
            unread(teacher, &variable.name, written, variable.span);
        }
    }
}

/// Whether a launch says the size of a variable.
fn launch_sized(variable: &Variable) -> bool {
    variable.external && variable.space == Space::Shared
}

/// Two arrays `extern __shared__` that one function writes.
fn one_memory(teacher: &mut Teacher<'_>, program: &Program, dynamic: &Sorted<VariableId, Uses>) {
    let written = dynamic.iter().filter(|(_, uses)| uses.written.is_some());
    let mut written = written.filter_map(|(id, _)| program.variables.get(id.index()));
    if let (Some(first), Some(second)) = (written.next(), written.next()) {
        let message = format!("`{}` and `{}` share the same memory", first.name, second.name);
        let warning = Diagnostic::warning("one-shared-memory", second.span, message)
            .related(first.span, "all `extern __shared__` arrays begin at the same address")
            .help(format!(
                "make one of them begin after the other, as in `int *{} = (int *)&{}[blockDim.x];`",
                second.name, first.name
            ));
        teacher.warn(warning);
    }
}

/// Whether there is a `return` before the end of a function.
pub(super) fn leaves(function: &Function) -> bool {
    let mut returns = 0;
    let mut see = |node: Node<'_>| {
        if let Node::Stmt(stmt) = node
            && matches!(stmt.kind, StmtKind::Return(_) | StmtKind::ReturnInit(_))
        {
            returns += 1;
        }
    };
    Walk { see: &mut see }.stmts(&function.body);
    let last = function.body.last().map(|stmt| &stmt.kind);
    returns > usize::from(matches!(last, Some(StmtKind::Return(_))))
}

/// Variables that are assigned but never read. (Of a template, what this instance does not read another may.)
fn unread_locals(teacher: &mut Teacher<'_>, function: &Function, locals: &Sorted<LocalId, Uses>) {
    if function.name.contains('<') {
        return;
    }
    for (id, uses) in locals {
        let (Some(local), false, Some(written)) = (function.locals.get(id.index()), uses.read, uses.written)
        else {
            continue;
        };
        let Local { name, ty, span, .. } = local;
        if !name.is_empty() && !ty.volatile && !function.params.contains(id) {
            unread(teacher, name, written, *span);
        }
    }
}

fn unread(teacher: &mut Teacher<'_>, name: &str, written: Span, declared: Span) {
    let message = format!("value stored to `{name}` is never read");
    teacher.warn(
        Diagnostic::warning("unread-store", written, message)
            .label("this store has no effect")
            .related(declared, format!("`{name}` is declared here"))
            .help(format!("use `{name}`, or remove it: the compiler removes stores that are never read")),
    );
}

/// Without conversions.
pub(super) fn plain(mut expr: &Expr) -> &Expr {
    while let ExprKind::Cast(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// Value of an expression of literals alone.
pub(super) fn number(program: &Program, expr: &Expr) -> Option<i128> {
    evaluate::evaluate(program, Known::default(), expr).ok().and_then(Constant::integer)
}

/// What is compared, as it is written, if that is short.
pub(super) fn written(teacher: &Teacher<'_>, span: Span, other: &str) -> String {
    let text = teacher.sources.text(span);
    let short = !text.is_empty() && text.len() <= 40 && !text.contains('\n');
    if short { format!("`{text}`") } else { other.to_owned() }
}

fn expression(teacher: &mut Teacher<'_>, program: &Program, expr: &Expr) {
    match &expr.kind {
        ExprKind::Compare(op, left, right) => comparison(teacher, program, expr, *op, left, right),
        ExprKind::Conditional(condition, ..) => assigned(teacher, condition),
        ExprKind::Binary(Binary::Divide | Binary::Remainder, _, right) => divided(teacher, program, right),
        ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::Load(_)
        | ExprKind::Address(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Logical(..)
        | ExprKind::Offset(..)
        | ExprKind::Difference(..)
        | ExprKind::Cast(_)
        | ExprKind::Sequence(..)
        | ExprKind::PostStep(..)
        | ExprKind::Call(..)
        | ExprKind::CallPointer(..)
        | ExprKind::Function(_)
        | ExprKind::Builtin(..)
        | ExprKind::Printf(..)
        | ExprKind::AssertFail(..) => {}
    }
}

/// Elements that an array does not have, by an index that is written. (Of a template, other instances may never come there.)
fn beyond(teacher: &mut Teacher<'_>, program: &Program, function: &Function, place: &Place, used: Use) {
    let PlaceKind::Element(of, index) = &place.kind else { return };
    let TypeKind::Array(_, length) = program.types.kind(of.ty) else { return };
    let Some(at) = number(program, index) else { return };
    // The address after the last one may be taken; an array of one at a struct's end often means more.
    let last = i128::from(*length) - i128::from(used != Use::Address);
    if (0..=last).contains(&at) || *length == 1 || function.name.contains('<') {
        return;
    }
    let name = written(teacher, of.span, "this array");
    let message = format!("array index {at} is out of bounds of {name}");
    teacher.warn(
        Diagnostic::warning("out-of-bounds", index.span, message)
            .label(format!("it has {length} elements"))
            .help(format!("the first element has index 0, the last one {}", length.saturating_sub(1))),
    );
}

/// Integers divided by a zero that is written: the result is whatever the device makes of it.
fn divided(teacher: &mut Teacher<'_>, program: &Program, right: &Expr) {
    let integer = matches!(evaluate::scalar(program, right.ty), Some(Scalar::Integer { .. }));
    if integer && number(program, right) == Some(0) {
        teacher.warn(
            Diagnostic::warning("division-by-zero", right.span, "integer division by zero")
                .label("this is zero")
                .help("a kernel does not stop here as a host program does: the result is undefined"),
        );
    }
}

/// Comparisons of unsigned numbers with zero and with negative ones.
fn comparison(
    teacher: &mut Teacher<'_>,
    program: &Program,
    whole: &Expr,
    op: Compare,
    left: &Expr,
    right: &Expr,
) {
    let Some(Scalar::Integer { signed: false, .. }) = evaluate::scalar(program, left.ty) else { return };
    let (value, constant, op) = match (number(program, left), number(program, right)) {
        (None, Some(_)) => (left, right, op),
        (Some(_), None) => (right, left, mirrored(op)),
        _ => return,
    };
    // A macro compares what it is given, whatever that is.
    if whole.span.expansion != 0 {
        return;
    }
    let name = written(teacher, value.span, "an unsigned number");
    let inner = plain(constant);
    let negative = number(program, inner).is_some_and(|value| value < 0)
        || (inner.span == constant.span && teacher.sources.text(constant.span).starts_with('-'));
    let always = match op {
        Compare::Less if number(program, constant) == Some(0) => "always false",
        Compare::GreaterEqual if number(program, constant) == Some(0) => "always true",
        // `id == -1` is how one asks for the largest number, which means none.
        Compare::Equal | Compare::NotEqual => return,
        _ if negative => "a comparison with a huge positive number",
        _ => return,
    };
    let message = if negative {
        format!("{name} is unsigned: the negative number becomes a huge positive one before it is compared")
    } else {
        format!("{name} is unsigned, so this comparison is {always}")
    };
    teacher.warn(Diagnostic::warning("unsigned-comparison", whole.span, message).label(always).help(
        if has_index(value) {
            "convert it first, as in `(int)threadIdx.x - 1 < 0`, or compare without going below zero"
        } else {
            "make the variable an `int`, or compare without going below zero"
        },
    ));
}

fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::Equal => Compare::Equal,
        Compare::NotEqual => Compare::NotEqual,
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
    }
}

fn statement(teacher: &mut Teacher<'_>, stmt: &Stmt) {
    match &stmt.kind {
        StmtKind::Expr(expr) => {
            if let ExprKind::Compare(op, ..) = &expr.kind {
                let help = match op {
                    Compare::Equal => "write `=` to assign",
                    _ => "use the result, as in `if (…)`, or remove the statement",
                };
                teacher.warn(
                    Diagnostic::warning("unused-comparison", expr.span, "comparison result unused")
                        .label("this has no effect")
                        .help(help),
                );
            }
        }
        StmtKind::If(condition, ..) => assigned(teacher, condition),
        StmtKind::Loop { condition, .. } => {
            if let Some(condition) = condition {
                assigned(teacher, condition);
            }
        }
        StmtKind::Place(_)
        | StmtKind::Fill(..)
        | StmtKind::Init(..)
        | StmtKind::Let(..)
        | StmtKind::Block(_)
        | StmtKind::Try(..)
        | StmtKind::Switch { .. }
        | StmtKind::Target(_)
        | StmtKind::Goto(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::ReturnInit(_)
        | StmtKind::Asm(_) => {}
    }
}

/// `if (a = b)`: an assignment as a condition, unless it is in parentheses of its own.
fn assigned(teacher: &mut Teacher<'_>, condition: &Expr) {
    let mut inner = condition;
    loop {
        inner = match &inner.kind {
            ExprKind::Cast(of) | ExprKind::Unary(Unary::Not, of) => of,
            ExprKind::Compare(Compare::NotEqual, left, right) if left.span == right.span => left,
            _ => break,
        };
    }
    let ExprKind::Load(place) = &inner.kind else { return };
    let PlaceKind::Assign(to, value) = &place.kind else { return };
    let span = to.span.to(value.span);
    if teacher.parenthesised(span) || turned(teacher, place).is_some() {
        return;
    }
    teacher.warn(
        Diagnostic::warning(
            "assignment-in-condition",
            place.span,
            "result of an assignment used as a condition",
        )
        .label("`=` stores the right side, and the condition tests the stored value")
        .help("write `==` to compare; put the assignment in its own parentheses if it is intended"),
    );
}

impl Teacher<'_> {
    /// Whether two opening parentheses stand before a place.
    fn parenthesised(&self, span: Span) -> bool {
        let Some((before, _)) = self.around(span) else { return false };
        let Some(first) = before.trim_end().strip_suffix('(') else { return false };
        first.trim_end().ends_with('(')
    }
}

/// Sign after the `=` of an assignment, where the two look like one operator.
pub(super) fn turned(teacher: &Teacher<'_>, place: &Place) -> Option<char> {
    let PlaceKind::Assign(to, value) = &place.kind else { return None };
    let (_, behind) = teacher.around(to.span)?;
    let mut letters = behind.trim_start().strip_prefix('=')?.chars();
    let (sign, space) = (letters.next()?, letters.next()?);
    let meant = matches!(sign, '+' | '-' | '!') && space == ' ' && value.span.expansion == 0;
    meant.then_some(sign)
}

/// Whether a value is made of an index of the thread or of its block.
fn has_index(value: &Expr) -> bool {
    let mut found = false;
    let mut see = |node: Node<'_>| {
        if let Node::Expr(Expr { kind: ExprKind::Builtin(row, ..), .. }) = node {
            found |=
                ["__builtin_threadIdx_", "__builtin_blockIdx_"].iter().any(|name| row.name.starts_with(name));
        }
    };
    Walk { see: &mut see }.expr(value);
    found
}
