//! Comparisons, and `?:`.
//!
//! Enters: operands. Leaves: truth values, and the operand that is chosen. This module must never know names.

use crate::ast::{self, BinaryOperator};
use crate::diagnostic::Diagnostic;
use crate::hir::{Compare, Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, is_zero_literal, number};
use crate::check::expressions::operator::chosen;
use crate::check::types::kind::{plain, qualified};

impl Messages<'_> {
    fn tell_sides(&mut self, yes: Type, no: Type, span: Span, program: &Output) {
        let (yes, no) = (program.show(yes), program.show(no));
        let message = format!("incompatible operand types of `?:`: `{yes}` and `{no}`");
        self.error_help("type", span, message, "cast one of them");
    }
}

impl Checker<'_> {
    pub(crate) fn compared(
        &mut self,
        compare: Compare,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        let enums = (
            left.ty().and_then(|ty| self.program.enum_of(ty)),
            right.ty().and_then(|ty| self.program.enum_of(ty)),
        );
        let same = matches!(enums, (Some(a), Some(b)) if a == b);
        let (left, right) = if same {
            (self.value(left)?, self.value(right)?)
        } else {
            let (left, right) = (self.promoted(left), self.promoted(right));
            (left?, right?)
        };
        let pointers = (self.program.pointee(left.ty), self.program.pointee(right.ty));
        let (left, right) = if same {
            let to = self.program[enums.0?].underlying;
            (self.program.convert_arithmetic(left, to), self.program.convert_arithmetic(right, to))
        } else if self.program.is_arithmetic(left.ty) && self.program.is_arithmetic(right.ty) {
            self.warn_comparison(compare, &left, &right, place);
            let ty = self.program.common_type(left.ty, right.ty);
            (self.program.convert_arithmetic(left, ty), self.program.convert_arithmetic(right, ty))
        } else if matches!(compare, Compare::Equal | Compare::NotEqual)
            && let Some(both) = self.common_members(&left, &right)
        {
            both
        } else if pointers.0.is_some()
            || pointers.1.is_some()
            || self.program.is_null_type(left.ty)
            || self.program.is_null_type(right.ty)
        {
            match self.common_pointers(left, right) {
                Ok(both) => both,
                Err(both) => {
                    self.tell_operands(operator, &both[0], &both[1], place);
                    return None;
                }
            }
        } else {
            self.tell_operands(operator, &left, &right, place);
            return None;
        };
        let kind = ExprKind::Compare(compare, Box::new(left), Box::new(right));
        Some(Operand::Value(Expr { kind, ty: self.program.basic().bool, span }))
    }

    /// Two pointers to members of one class, or one and null.
    fn common_members(&mut self, left: &Expr, right: &Expr) -> Option<(Expr, Expr)> {
        let member = |one: &Expr| self.program.member_of(one.ty).is_some();
        let to = match (member(left), member(right)) {
            (true, true) if self.conversion(&Operand::Value(left.clone()), right.ty, false).is_some() => {
                right.ty
            }
            (true, _) => left.ty,
            (false, true) => right.ty,
            (false, false) => return None,
        };
        for one in [left, right] {
            self.conversion(&Operand::Value(one.clone()), to, false)?;
        }
        Some((self.convert_scalar(left.clone(), to)?, self.convert_scalar(right.clone(), to)?))
    }

    fn common_pointers(&mut self, left: Expr, right: Expr) -> Result<(Expr, Expr), Box<[Expr; 2]>> {
        let null = |this: &Self, value: &Expr| {
            this.program.is_null_type(value.ty)
                || (is_zero_literal(value) && this.program.is_integral(value.ty))
        };
        match (self.program.pointee(left.ty), self.program.pointee(right.ty)) {
            (Some(_), None) if null(self, &right) => {
                let ty = left.ty;
                let zero = number(0, ty, right.span);
                Ok((left, zero))
            }
            (None, Some(_)) if null(self, &left) => {
                let ty = right.ty;
                let zero = number(0, ty, left.span);
                Ok((zero, right))
            }
            (None, None) if null(self, &left) && null(self, &right) => {
                let (a, b) = (left.span, right.span);
                Ok((number(0, self.program.basic().ulong, a), number(0, self.program.basic().ulong, b)))
            }
            (Some(x), Some(y)) => {
                let to = if self.program.similar(x, y) {
                    plain(x)
                } else if self.program.is_void(x) || self.program.is_void(y) {
                    self.program.basic().void
                } else {
                    match (self.program.record_of(x), self.program.record_of(y)) {
                        (Some(a), Some(b)) if self.is_base(a, b) => plain(x),
                        (Some(a), Some(b)) if self.is_base(b, a) => plain(y),
                        _ => return Err(Box::new([left, right])),
                    }
                };
                let to =
                    Type { constant: x.constant || y.constant, volatile: x.volatile || y.volatile, ..to };
                let ty = self.program.pointer(to);
                let left = if left.ty == ty { left } else { self.pointer_to_base(left, to, ty) };
                let right = if right.ty == ty { right } else { self.pointer_to_base(right, to, ty) };
                Ok((left, right))
            }
            _ => Err(Box::new([left, right])),
        }
    }

    /// Warns of comparisons that are decided by the types.
    pub(crate) fn warn_comparison(&mut self, compare: Compare, left: &Expr, right: &Expr, place: Span) {
        let unsigned = |this: &Self, one: &Expr| {
            this.program.width(one.ty).is_some_and(|(bits, signed)| !signed && bits >= 32)
                && !matches!(one.kind, ExprKind::Integer(_))
        };
        let value = |one: &Expr| match one.kind {
            ExprKind::Integer(value) => Some(value),
            _ => None,
        };
        let (flipped, other, found) = if unsigned(self, left) {
            (false, left, value(right))
        } else if unsigned(self, right) {
            (true, right, value(left))
        } else {
            return;
        };
        let Some(found) = found else { return };
        let less = matches!((compare, flipped), (Compare::Less, false) | (Compare::Greater, true));
        let at_least =
            matches!((compare, flipped), (Compare::GreaterEqual, false) | (Compare::LessEqual, true));
        let text = self.messages.text(other.span).to_owned();
        let message = if found < 0 {
            format!("`{text}` is unsigned: in this comparison, {found} becomes a large positive number")
        } else if found == 0 && less {
            format!("`{text}` is unsigned, so it is never less than 0")
        } else if found == 0 && at_least {
            format!("`{text}` is unsigned, so it is always at least 0")
        } else {
            return;
        };
        // A macro compares what it is given, whatever that is.
        if !self.messages.ours(place) && self.instances.depth() == 0 && place.expansion == 0 {
            self.messages.report(
                Diagnostic::warning("unsigned-comparison", place, message)
                    .help(format!("compare `(int){text}` if negative numbers are meant")),
            );
        }
    }

    /// `c ? x : y`.
    pub(crate) fn conditional(
        &mut self,
        condition: &ast::Expr,
        yes: &ast::Expr,
        no: &ast::Expr,
        span: Span,
    ) -> Operand {
        let condition = self.expr(condition);
        let condition = self.condition_value(condition);
        let throws = [thrown(yes), thrown(no)];
        let yes = self.expr(yes);
        let no = self.expr(no);
        let Some(condition) = condition else { return Operand::Error(span) };
        if yes.is_error() || no.is_error() {
            return Operand::Error(span);
        }
        match throws {
            [true, false] => return self.or_thrown(condition, (yes, true), no, span),
            [false, true] => return self.or_thrown(condition, (no, false), yes, span),
            _ => {}
        }
        self.chosen_operand(condition, yes, no, span).unwrap_or(Operand::Error(span))
    }

    /// The address of the only function that a name means; all else as it is.
    fn function_as_pointer(&mut self, operand: Operand) -> Operand {
        match &operand {
            Operand::Functions(set) => {
                let set = set.clone();
                self.only_function(&set).map_or(operand, Operand::Value)
            }
            _ => operand,
        }
    }

    /// `c ? throw x : y`: where nothing is thrown it is the other operand.
    fn or_thrown(
        &mut self,
        condition: Expr,
        (throw, first): (Operand, bool),
        other: Operand,
        span: Span,
    ) -> Operand {
        let Some(throw) = self.statement_of(throw, span) else { return Operand::Error(span) };
        let (yes, no) = if first { (vec![throw], vec![]) } else { (vec![], vec![throw]) };
        let branch = Stmt { kind: StmtKind::If(condition, yes, no), span };
        let other = match other {
            Operand::Functions(_) | Operand::List(_) => match self.value(other) {
                Some(value) => Operand::Value(value),
                None => return Operand::Error(span),
            },
            other => other,
        };
        self.sequenced(vec![branch], other, span)
    }

    pub(crate) fn chosen_operand(
        &mut self,
        condition: Expr,
        yes: Operand,
        no: Operand,
        span: Span,
    ) -> Option<Operand> {
        let (yes, no) = match self.side.is_host() {
            true => (self.function_as_pointer(yes), self.function_as_pointer(no)),
            false => (yes, no),
        };
        let (Some(a), Some(b)) = (yes.ty(), no.ty()) else {
            if [&yes, &no].iter().any(|one| matches!(one, Operand::Functions(_))) {
                self.messages.refuse(
                    span,
                    "function pointers are",
                    "call the function by its name on either side, or pass a lambda to a template",
                );
            } else {
                self.messages.error("type", span, "both operands after `?` must be values");
            }
            return None;
        };
        if self.program.is_void(a) || self.program.is_void(b) {
            return self.chosen_void(condition, yes, no, span);
        }
        if let (Operand::Place(x, p), Operand::Place(y, q)) = (&yes, &no)
            && p == q
            && plain(x.ty) == plain(y.ty)
            && !self.program.is_bit_field(x)
            && !self.program.is_bit_field(y)
            && (x.ty == y.ty
                || self.program.record_of(x.ty).is_some()
                || self.program.array_of(x.ty).is_some())
            && self.constant_of(&x.clone()).is_none()
        {
            let ty = qualified(x.ty, y.ty);
            let kind = PlaceKind::Conditional(Box::new(condition), Box::new(x.clone()), Box::new(y.clone()));
            return Some(Operand::Place(Place { kind, ty, span }, *p));
        }
        if self.program.record_of(a).is_some() || self.program.record_of(b).is_some() {
            return self.chosen_class(condition, yes, no, span);
        }
        let same = plain(a) == plain(b);
        let (left, right) = (self.value(yes)?, self.value(no)?);
        if same || left.ty == right.ty {
            let ty = left.ty;
            return Some(Operand::Value(chosen(condition, left, right, ty, span)));
        }
        let number_like =
            |this: &Self, ty: Type| this.program.is_arithmetic(ty) || this.program.is_unscoped(ty);
        if number_like(self, left.ty) && number_like(self, right.ty) {
            let (x, y) = (
                self.classes.promoted_type(left.ty, None, &mut self.program),
                self.classes.promoted_type(right.ty, None, &mut self.program),
            );
            let ty = self.program.common_type(x, y);
            let (left, right) =
                (self.program.convert_arithmetic(left, ty), self.program.convert_arithmetic(right, ty));
            return Some(Operand::Value(chosen(condition, left, right, ty, span)));
        }
        let (left, right) = match self.common_pointers(left, right) {
            Ok(both) => both,
            Err(both) => {
                self.messages.tell_sides(both[0].ty, both[1].ty, span, &self.program);
                return None;
            }
        };
        let ty = left.ty;
        Some(Operand::Value(chosen(condition, left, right, ty, span)))
    }

    pub(crate) fn chosen_void(
        &mut self,
        condition: Expr,
        yes: Operand,
        no: Operand,
        span: Span,
    ) -> Option<Operand> {
        let (yes, no) = (self.statement_of(yes, span)?, self.statement_of(no, span)?);
        let branch = Stmt { kind: StmtKind::If(condition, vec![yes], vec![no]), span };
        let void = self.program.void_value(span);
        let ty = self.program.basic().void;
        Some(Operand::Value(Expr { kind: ExprKind::Sequence(vec![branch], Box::new(void)), ty, span }))
    }

    pub(crate) fn chosen_class(
        &mut self,
        condition: Expr,
        yes: Operand,
        no: Operand,
        span: Span,
    ) -> Option<Operand> {
        let (a, b) = (plain(yes.ty()?), plain(no.ty()?));
        let ty = if a == b {
            a
        } else {
            let (to_b, to_a) =
                (self.conversion(&yes, b, true).is_some(), self.conversion(&no, a, true).is_some());
            match (to_a, to_b) {
                (true, false) => a,
                (false, true) => b,
                _ => {
                    self.messages.tell_sides(a, b, span, &self.program);
                    return None;
                }
            }
        };
        if self.program.record_of(ty).is_none() {
            let (left, right) = (self.converted(yes, ty)?, self.converted(no, ty)?);
            return Some(Operand::Value(chosen(condition, left, right, ty, span)));
        }
        let (left, right) = (self.initialised(yes, ty)?, self.initialised(no, ty)?);
        Some(Operand::Init(Init::Conditional(Box::new(condition), Box::new(left), Box::new(right)), ty, span))
    }
}

/// Whether an operand throws.
fn thrown(one: &ast::Expr) -> bool {
    match &one.kind {
        ast::ExprKind::Throw(_) => true,
        ast::ExprKind::Parentheses(inner) => thrown(inner),
        _ => false,
    }
}
