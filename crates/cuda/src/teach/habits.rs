//! Expressions that compile and do not mean what they look like.
//!
//! Enters: the checked tree. Leaves: warnings. What a macro writes is left alone. This module must never know what comes before
//! or after an expression.

use crate::builtin::Meaning;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{self, Scalar};
use crate::hir::{Binary, Compare, Expr, ExprKind, Logical, Place, PlaceKind, Program, Stmt, StmtKind};
use crate::source::Span;

use super::Teacher;
use super::tree::{number, plain, written};
use crate::walk::{Node, Walk};

/// Looks at all functions of the reader's.
pub(super) fn look(teacher: &mut Teacher<'_>, program: &Program) {
    for function in &program.functions {
        if !teacher.readers(function.span) {
            continue;
        }
        // Of a template, what is written with its parameters may make sense in another instance.
        let template = function.name.contains('<');
        let mut see = |node: Node<'_>| match node {
            Node::Expr(expr) if expr.span.expansion == 0 => expression(teacher, program, expr, template),
            Node::Stmt(stmt) if stmt.span.expansion == 0 => statement(teacher, stmt),
            Node::Place(place, _) if place.span.expansion == 0 => assigned(teacher, place),
            Node::Expr(_) | Node::Stmt(_) | Node::Place(..) | Node::Init(_) => {}
        };
        Walk { see: &mut see }.stmts(&function.body);
    }
}

fn expression(teacher: &mut Teacher<'_>, program: &Program, expr: &Expr, template: bool) {
    match &expr.kind {
        ExprKind::Compare(op, left, right) => {
            chained(teacher, expr, *op, left);
            negated(teacher, program, expr, left, right);
            texts(teacher, expr, *op, left, right);
            inexact(teacher, program, expr, *op, left, right);
        }
        ExprKind::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), left, right) => {
            precedence(teacher, program, *op, left, right);
        }
        ExprKind::Binary(Binary::ShiftLeft | Binary::ShiftRight, left, right) if !template => {
            shifted(teacher, program, left, right);
        }
        ExprKind::Binary(Binary::Divide, left, right) => {
            vanishing(teacher, expr, left, right);
            pitched(teacher, program, expr, left, right);
        }
        ExprKind::Binary(op @ (Binary::Add | Binary::Subtract | Binary::Multiply), left, right)
            if !template =>
        {
            overflow(teacher, program, expr, *op, left, right);
        }
        ExprKind::Logical(op, left, right) => {
            constant(teacher, *op, (left, false), right);
            constant(teacher, *op, (right, true), left);
        }
        _ => {}
    }
}

impl Teacher<'_> {
    /// Whether a place is in parentheses of its own.
    fn wrapped(&self, span: Span) -> bool {
        let text = self.sources.text(span);
        let own = text.starts_with('(') && text.ends_with(')');
        own || self.around(span).is_some_and(|(before, behind)| {
            before.trim_end().ends_with('(') && behind.trim_start().starts_with(')')
        })
    }
}

fn relation(op: Compare) -> bool {
    !matches!(op, Compare::Equal | Compare::NotEqual)
}

/// `0 < i < n`.
fn chained(teacher: &mut Teacher<'_>, whole: &Expr, op: Compare, left: &Expr) {
    let ExprKind::Compare(first, _, middle) = &plain(left).kind else { return };
    if !relation(op) || !relation(*first) || teacher.wrapped(plain(left).span) {
        return;
    }
    let middle = written(teacher, middle.span, "the middle");
    teacher.warn(
        Diagnostic::warning("chained-comparison", whole.span, "comparisons cannot be chained like this")
            .label("the first comparison gives 0 or 1, which is then compared")
            .help(format!("write two comparisons with {middle}, joined by `&&`")),
    );
}

/// `!i == 5`.
fn negated(teacher: &mut Teacher<'_>, program: &Program, whole: &Expr, left: &Expr, right: &Expr) {
    let ExprKind::Unary(crate::hir::Unary::Not, of) = &plain(left).kind else { return };
    // That a number is a truth compares it with 0, where no one wrote a comparison.
    let of = match &plain(of).kind {
        ExprKind::Compare(Compare::NotEqual, number, _) if plain(number).span == of.span => number,
        _ => of,
    };
    let zero_or_one = matches!(plain(right).kind, ExprKind::Integer(0 | 1));
    if zero_or_one || is_truth(program, right) || is_truth(program, of) || teacher.wrapped(plain(left).span) {
        return;
    }
    let shown = written(teacher, plain(of).span, "the left side");
    teacher.warn(
        Diagnostic::warning(
            "negated-comparison",
            whole.span,
            "`!` is only applied to the left side of this comparison",
        )
        .label(format!("{shown} becomes 0 or 1, which is then compared"))
        .help("write `a != b`, or `!(a < b)`"),
    );
}

/// `mode == "twice"`.
fn texts(teacher: &mut Teacher<'_>, whole: &Expr, op: Compare, left: &Expr, right: &Expr) {
    let text = |expr: &Expr| teacher.sources.text(plain(expr).span).starts_with('"');
    // As a condition (`assert(n > 0 && "n is empty")`) it is compared by no one who wrote that.
    let implied = [left, right].iter().any(|side| plain(side).span == whole.span);
    if relation(op) || implied || !(text(left) || text(right)) {
        return;
    }
    teacher.warn(
        Diagnostic::warning(
            "text-comparison",
            whole.span,
            "this compares addresses, not the characters of the strings",
        )
        .help("pass a number or an `enum` instead, or compare character by character"),
    );
}

/// `x == 0.1` of a `float`.
fn inexact(
    teacher: &mut Teacher<'_>,
    program: &Program,
    whole: &Expr,
    op: Compare,
    left: &Expr,
    right: &Expr,
) {
    let narrow = |expr: &Expr| match &expr.kind {
        ExprKind::Cast(inner) => evaluate::scalar(program, inner.ty) == Some(Scalar::Float),
        _ => false,
    };
    let exact = |expr: &Expr| match expr.kind {
        ExprKind::Float(bits) => {
            let value = f64::from_bits(bits);
            f64::from(value as f32) == value
        }
        _ => true,
    };
    let double = evaluate::scalar(program, left.ty) == Some(Scalar::Double);
    let (value, other) = if narrow(left) { (left, right) } else { (right, left) };
    if relation(op) || !double || !narrow(value) || exact(other) {
        return;
    }
    let shown = written(teacher, other.span, "this number");
    let always = if op == Compare::Equal { "always false" } else { "always true" };
    teacher.warn(
        Diagnostic::warning(
            "inexact-comparison",
            whole.span,
            format!("{shown} cannot be represented exactly in type `float`"),
        )
        .label(always)
        .help("compare the difference with a small number, as in `fabsf(x - 0.1f) < 1e-6f`"),
    );
}

/// `i & 1 == 0`.
fn precedence(teacher: &mut Teacher<'_>, program: &Program, op: Binary, left: &Expr, right: &Expr) {
    let compares = |expr: &Expr| matches!(plain(expr).kind, ExprKind::Compare(..) | ExprKind::Logical(..));
    let (comparison, other) = match (compares(left), compares(right)) {
        (true, false) => (plain(left), right),
        (false, true) => (plain(right), left),
        _ => return,
    };
    let symbol = match op {
        Binary::And => "&",
        Binary::Or => "|",
        _ => "^",
    };
    if teacher.wrapped(comparison.span) || is_truth(program, other) || comparison.span.expansion != 0 {
        return;
    }
    let shown = written(teacher, comparison.span, "the comparison");
    teacher.warn(
        Diagnostic::warning("precedence", comparison.span, format!("{shown} is evaluated before `{symbol}`"))
            .label("comparisons have higher precedence")
            .help(format!("put what belongs together in parentheses, as in `(a {symbol} b) == c`")),
    );
}

/// Whether a value is true or false by how it is made, so that a comparison next to it is meant.
fn is_truth(program: &Program, expr: &Expr) -> bool {
    let expr = plain(expr);
    match &expr.kind {
        ExprKind::Unary(crate::hir::Unary::Not, _) | ExprKind::Compare(..) | ExprKind::Logical(..) => true,
        ExprKind::Binary(Binary::And | Binary::Or | Binary::Xor, left, right) => {
            is_truth(program, left) || is_truth(program, right)
        }
        _ => evaluate::scalar(program, expr.ty) == Some(Scalar::Bool),
    }
}

/// `1 << 40`.
fn shifted(teacher: &mut Teacher<'_>, program: &Program, left: &Expr, right: &Expr) {
    let Some(Scalar::Integer { bits, .. }) = evaluate::scalar(program, left.ty) else { return };
    let Some(by) = number(program, right) else { return };
    if (0..i128::from(bits)).contains(&by) {
        return;
    }
    let shown = written(teacher, left.span, "this number");
    let help = if (0..64).contains(&by) {
        "write `1ull` (or a cast to `unsigned long long`) for 64 bits"
    } else {
        "the result is undefined"
    };
    teacher.warn(
        Diagnostic::warning(
            "shift",
            right.span,
            format!("{shown} has {bits} bits: it cannot be shifted by {by}"),
        )
        .help(help),
    );
}

/// `1 / 2`.
fn vanishing(teacher: &mut Teacher<'_>, whole: &Expr, left: &Expr, right: &Expr) {
    let digits = |expr: &Expr| {
        let text = teacher.sources.text(expr.span);
        !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit())
    };
    let (ExprKind::Integer(a), ExprKind::Integer(b)) = (&left.kind, &right.kind) else { return };
    if *a == 0 || a.abs() >= b.abs() || !digits(left) || !digits(right) {
        return;
    }
    teacher.warn(
        Diagnostic::warning(
            "integer-division",
            whole.span,
            "this is 0: integer division discards the fraction",
        )
        .help(format!("write floating-point numbers with a point: `{a}.0f / {b}.0f`")),
    );
}

/// `pitch / sizeof(float3)`. (`cudaMallocPitch` makes rows as long as a multiple of a power of two.)
fn pitched(teacher: &mut Teacher<'_>, program: &Program, whole: &Expr, left: &Expr, right: &Expr) {
    let pitch = teacher.sources.text(plain(left).span);
    let of_type = teacher.sources.text(plain(right).span);
    let Some(size) = number(program, right).and_then(|size| u64::try_from(size).ok()) else { return };
    let names =
        pitch.bytes().all(|one| one.is_ascii_alphanumeric() || matches!(one, b'_' | b'.' | b'-' | b'>'));
    if size.is_power_of_two()
        || !of_type.starts_with("sizeof")
        || !names
        || !pitch.to_ascii_lowercase().contains("pitch")
    {
        return;
    }
    let message =
        format!("`{pitch}` is unlikely to be a multiple of {size}: this division discards the remainder");
    teacher.warn(
        Diagnostic::warning("pitch-division", whole.span, message)
            .label(format!("`{of_type}` is {size}, but the pitch is a multiple of a power of two"))
            .help("count the rows in bytes, as in `(const T *)((const char *)base + row * pitch) + column`"),
    );
}

/// `1000000 * 1000000`.
fn overflow(
    teacher: &mut Teacher<'_>,
    program: &Program,
    whole: &Expr,
    op: Binary,
    left: &Expr,
    right: &Expr,
) {
    let Some(Scalar::Integer { bits, signed: true }) = evaluate::scalar(program, whole.ty) else { return };
    let (Some(a), Some(b)) = (number(program, left), number(program, right)) else { return };
    let exact = match op {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        _ => a.checked_mul(b),
    };
    let Some(exact) = exact else { return };
    let most = (1i128 << (bits - 1)) - 1;
    if (-most - 1..=most).contains(&exact) {
        return;
    }
    teacher.warn(
        Diagnostic::warning(
            "overflow",
            whole.span,
            format!("overflow in expression: {exact} does not fit in {bits} bits"),
        )
        .label(format!("the largest value is {most}"))
        .help("write `ll` after one of the numbers to compute in 64 bits"),
    );
}

/// `x == 1 || 2`.
fn constant(teacher: &mut Teacher<'_>, op: Logical, (operand, second): (&Expr, bool), other: &Expr) {
    let inner = plain(operand);
    let text = teacher.sources.text(inner.span);
    let digits = !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    // 0 and 1 stand for false and true, but hardly after `x == 2 ||`.
    let equal = matches!(plain(other).kind, ExprKind::Compare(Compare::Equal, ..));
    let meant = matches!(text, "0" | "1") && !(equal && second && op == Logical::Or);
    if inner.span.expansion != 0 || !matches!(inner.kind, ExprKind::Integer(_)) || !digits || meant {
        return;
    }
    let message = format!("`{text}` alone is always {}", if text == "0" { "false" } else { "true" });
    let first = if text == "1" { 2 } else { 1 };
    let help = format!("repeat the whole comparison, as in `x == {first} || x == {text}`");
    teacher.warn(Diagnostic::warning("constant-condition", inner.span, message).help(help));
}

/// `x =+ 1`, `x =! y`.
fn assigned(teacher: &mut Teacher<'_>, place: &Place) {
    let Some(sign) = super::tree::turned(teacher, place) else { return };
    let right = if sign == '!' { "!=".to_owned() } else { format!("{sign}=") };
    teacher.warn(
        Diagnostic::warning(
            "reversed-operator",
            place.span,
            format!("`={sign}` is `=` followed by unary `{sign}`"),
        )
        .label("this stores a value")
        .help(format!("write `{right}`, or a space between the two")),
    );
}

fn statement(teacher: &mut Teacher<'_>, stmt: &Stmt) {
    if let StmtKind::Place(place) = &stmt.kind {
        assigned(teacher, place);
    }
    if let StmtKind::Place(Place { kind: PlaceKind::Local(_) | PlaceKind::Element(..), ty, span }) =
        &stmt.kind
        && !ty.volatile
    {
        useless_value(teacher, *span);
    }
    let StmtKind::Expr(expr) = &stmt.kind else { return };
    let useless = match &expr.kind {
        ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Integer(_) | ExprKind::Float(_) => true,
        ExprKind::Load(place) => {
            matches!(place.kind, PlaceKind::Local(_) | PlaceKind::Element(..)) && !place.ty.volatile
        }
        ExprKind::Builtin(row, ..) => matches!(row.meaning, Meaning::Pure(_) | Meaning::Known(_)),
        _ => false,
    };
    if useless {
        useless_value(teacher, expr.span);
    }
}

/// Whether what surrounds the end of a text most closely is a bracket.
fn in_brackets(before: &str) -> bool {
    let mut depth = 0;
    for letter in before.chars().rev() {
        match letter {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' | '{' | ';' => return false,
            '[' => return true,
            _ => {}
        }
    }
    false
}

/// A value that is computed for nothing.
fn useless_value(teacher: &mut Teacher<'_>, span: Span) {
    if span.expansion != 0 {
        return;
    }
    let Some((before, behind)) = teacher.around(span) else { return };
    let before = before.trim_end();
    // `(void)x` says that it is meant.
    if before.ends_with("void)") || before.ends_with("void>(") || before.ends_with("void(") {
        return;
    }
    let comma = behind.trim_start().starts_with(',');
    let help = if comma && in_brackets(before) {
        "a comma in brackets keeps only the last index: write `[row * width + column]` for a pointer, `[row][column]` for an array of rows"
    } else if comma {
        "a comma between values keeps only the last: write `dim3 b(16, 16)` for several, or `[row][column]`"
    } else {
        "store the result in a variable, or remove the statement"
    };
    teacher.warn(
        Diagnostic::warning("unused-value", span, "expression result unused")
            .label("this has no effect")
            .help(help),
    );
}
