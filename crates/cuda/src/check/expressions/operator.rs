//! Operators of the language: arithmetic, `&&`, `||`, addresses and what they point to.
//!
//! Enters: operands. Leaves: operands. This module must never know names.

use crate::ast::{self, BinaryOperator, UnaryOperator};
use crate::diagnostic::Diagnostic;
use crate::hir::{Binary, Compare, Expr, ExprKind, Logical, Place, Step, Stmt, StmtKind, Type, Unary};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, deref, number};
use crate::check::names::entity::Entity;
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

/// Operation on numbers.
pub(crate) fn arithmetic(operator: BinaryOperator) -> Option<Binary> {
    Some(match operator {
        BinaryOperator::Multiply => Binary::Multiply,
        BinaryOperator::Divide => Binary::Divide,
        BinaryOperator::Remainder => Binary::Remainder,
        BinaryOperator::Add => Binary::Add,
        BinaryOperator::Subtract => Binary::Subtract,
        BinaryOperator::ShiftLeft => Binary::ShiftLeft,
        BinaryOperator::ShiftRight => Binary::ShiftRight,
        BinaryOperator::BitAnd => Binary::And,
        BinaryOperator::BitXor => Binary::Xor,
        BinaryOperator::BitOr => Binary::Or,
        BinaryOperator::Compare
        | BinaryOperator::Less
        | BinaryOperator::Greater
        | BinaryOperator::LessEqual
        | BinaryOperator::GreaterEqual
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Comma => return None,
    })
}

fn comparison(operator: BinaryOperator) -> Option<Compare> {
    Some(match operator {
        BinaryOperator::Less => Compare::Less,
        BinaryOperator::Greater => Compare::Greater,
        BinaryOperator::LessEqual => Compare::LessEqual,
        BinaryOperator::GreaterEqual => Compare::GreaterEqual,
        BinaryOperator::Equal => Compare::Equal,
        BinaryOperator::NotEqual => Compare::NotEqual,
        _ => return None,
    })
}

/// Advice where bits of a floating-point number are wanted.
const BITS_OF_FLOAT: &str =
    "it operates on bits: convert with `(int)x`, or take the bits of a `float` with `__float_as_uint(x)`";

impl Messages<'_> {
    /// Whether `*` is right before a place.
    fn follows_star(&self, span: Span) -> bool {
        let Some(place) = self.position(span.lo) else { return false };
        let before = place.file.text.get(..(span.lo - place.file.start) as usize);
        before.is_some_and(|before| before.ends_with('*'))
    }
}

impl Output {
    /// Whether operators on an operand may be the user's.
    pub(crate) fn overloads(&self, operand: &Operand) -> bool {
        operand.ty().is_some_and(|ty| self.record_of(ty).is_some() || self.enum_of(ty).is_some())
    }

    fn fits_negated(&self, value: i128, ty: Type) -> bool {
        match self.width(ty) {
            Some((bits, true)) => value > -(1i128 << (bits - 1)),
            Some((_, false)) => true,
            None => false,
        }
    }
}

impl Checker<'_> {
    /// `-x`, `*x`, `++x` …
    pub(crate) fn unary(&mut self, operator: UnaryOperator, inner: &ast::Expr, span: Span) -> Operand {
        if operator == UnaryOperator::Address
            && let Some(found) = self.address_of_name(inner)
        {
            return found;
        }
        let operand = self.expr(inner);
        if operand.is_error() {
            return operand;
        }
        if self.program.overloads(&operand) {
            let name = format!("operator{}", operator.text());
            let mut operands = vec![operand.clone()];
            if matches!(operator, UnaryOperator::PostIncrement | UnaryOperator::PostDecrement) {
                operands.push(Operand::Value(number(0, self.program.basic().int, span)));
            }
            if let Some(found) = self.user_operator(&name, &operands, false, span) {
                return found;
            }
        }
        if operator == UnaryOperator::Plus
            && let Some(record) = operand.ty().and_then(|ty| self.program.record_of(ty))
            && self.program[record].lambda
            && let Some(to) = self.call_type(record)
            && let Some(found) = self.lambda_address(&operand, to)
        {
            return Operand::Value(found);
        }
        match self.unary_operand(operator, operand, span) {
            Some(found) => found,
            None => Operand::Error(span),
        }
    }

    fn address_of_name(&mut self, inner: &ast::Expr) -> Option<Operand> {
        let ast::ExprKind::Name(name) = &inner.kind else { return None };
        if let Some(found) = self.address_of_member(name, inner.span) {
            return Some(found);
        }
        match self.resolve_quietly(name, Want::Any)? {
            Entity::Functions(..) => None,
            Entity::Special(crate::check::names::entity::Special::Coordinates(name, _)) => {
                self.messages.error(
                    "address",
                    inner.span,
                    format!("cannot take the address of `{name}`: it is in registers"),
                );
                Some(Operand::Error(inner.span))
            }
            _ => None,
        }
    }

    fn unary_operand(&mut self, operator: UnaryOperator, operand: Operand, span: Span) -> Option<Operand> {
        match operator {
            UnaryOperator::Not => {
                let value = self.condition_value(operand)?;
                if let ExprKind::Integer(found) = value.kind {
                    return Some(Operand::Value(number(
                        i128::from(found == 0),
                        self.program.basic().bool,
                        span,
                    )));
                }
                let kind = ExprKind::Unary(Unary::Not, Box::new(value));
                Some(Operand::Value(Expr { kind, ty: self.program.basic().bool, span }))
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                self.sign(operator, operand, span)
            }
            UnaryOperator::Dereference => {
                if self.called_pointer(&operand) || self.is_function_name(operator, &operand) {
                    return self.value(operand).map(Operand::Value);
                }
                self.dereference(operand, span).map(|place| Operand::Place(place, false))
            }
            UnaryOperator::Address => self.take_address(operand, span),
            UnaryOperator::PreIncrement => self.step(operand, Step::Up, true, span),
            UnaryOperator::PreDecrement => self.step(operand, Step::Down, true, span),
            UnaryOperator::PostIncrement => self.step(operand, Step::Up, false, span),
            UnaryOperator::PostDecrement => self.step(operand, Step::Down, false, span),
        }
    }

    fn sign(&mut self, operator: UnaryOperator, operand: Operand, span: Span) -> Option<Operand> {
        let operand = self.number_operand(operand, operator.text(), span)?;
        if operator == UnaryOperator::Plus
            && let Operand::Place(place, _) = &operand
            && self.program.array_of(place.ty).is_some()
        {
            return self.value(operand).map(Operand::Value);
        }
        let value = self.promoted(operand)?;
        let number_type = if operator == UnaryOperator::Complement {
            self.program.is_integral(value.ty)
        } else {
            self.program.is_arithmetic(value.ty)
                || (operator == UnaryOperator::Plus && self.program.pointee(value.ty).is_some())
        };
        if !number_type {
            let shown = self.program.show(value.ty);
            let message = format!("invalid operand of `{}`: `{shown}`", operator.text());
            match operator == UnaryOperator::Complement && self.program.is_floating(value.ty) {
                true => self.messages.error_help("type", span, message, BITS_OF_FLOAT),
                false => self.messages.error("type", span, message),
            }
            return None;
        }
        let (ty, text) = (value.ty, operator);
        let kind = match (text, &value.kind) {
            (UnaryOperator::Plus, _) => return Some(Operand::Value(value)),
            (UnaryOperator::Minus, ExprKind::Integer(found)) if self.program.fits_negated(*found, ty) => {
                let (bits, signed) = self.program.width(ty)?;
                ExprKind::Integer(crate::check::expressions::operand::wrap(-found, bits, signed))
            }
            (UnaryOperator::Minus, _) => ExprKind::Unary(Unary::Negate, Box::new(value)),
            _ => ExprKind::Unary(Unary::Invert, Box::new(value)),
        };
        Some(Operand::Value(Expr { kind, ty, span }))
    }

    /// The operand as a number: of a class by its conversion.
    pub(crate) fn number_operand(&mut self, operand: Operand, operator: &str, span: Span) -> Option<Operand> {
        if operand.is_error() {
            self.messages.poison(span);
            return None;
        }
        match operand {
            Operand::Functions(_) => self.value(operand).map(Operand::Value),
            Operand::List(_) => {
                self.value(operand);
                None
            }
            operand => {
                let shown = operand.ty().map(|ty| self.program.show(plain(ty))).unwrap_or_default();
                let class = operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some());
                let found = self.scalar_of_class(operand);
                if found.is_none() && class {
                    self.messages.error_help(
                        "operator",
                        span,
                        format!("invalid operand of `{operator}`: `{shown}`"),
                        "apply it to the members, or define the operator for the type",
                    );
                }
                found.filter(|found| !found.is_error())
            }
        }
    }

    /// `*p`.
    fn dereference(&mut self, operand: Operand, span: Span) -> Option<Place> {
        let operand = self.number_operand(operand, "*", span)?;
        let value = self.value(operand)?;
        let Some(to) = self.program.pointee(value.ty) else {
            let shown = self.program.show(value.ty);
            let text = self.messages.text(value.span);
            let help = if self.messages.follows_star(span) {
                "there is no operator `**`: a power is `powf(x, y)`, a square `x * x`".to_owned()
            } else if text.is_empty() || text.len() > 40 {
                "this is already the value: remove the `*`".to_owned()
            } else {
                format!("`{text}` is already the value: remove the `*`")
            };
            self.messages.error_help(
                "type",
                span,
                format!("`*` requires a pointer operand, not `{shown}`"),
                help,
            );
            return None;
        };
        if self.program.is_void(to) {
            self.messages.error_help(
                "type",
                span,
                "a `void *` cannot be dereferenced",
                "cast the pointer first, such as `*(float *)p`",
            );
            return None;
        }
        Some(deref(value, to, span))
    }

    fn take_address(&mut self, operand: Operand, span: Span) -> Option<Operand> {
        match operand {
            Operand::Place(place, false) => {
                if self.program.is_bit_field(&place) {
                    self.messages.error("address", span, "cannot take the address of a bit-field");
                    return None;
                }
                let address = self.program.address(place);
                Some(Operand::Value(Expr { span, ..address }))
            }
            Operand::Error(at) => {
                self.messages.poison(at);
                None
            }
            // A pointer to a function is one already, whatever it will point to.
            Operand::Functions(ref set) if set.object.is_none() => Some(operand),
            Operand::Functions(_) => {
                self.value(operand);
                None
            }
            Operand::Value(_) | Operand::Place(..) | Operand::Init(..) | Operand::List(_) => {
                self.messages.error(
                    "address",
                    span,
                    "cannot take the address of a value that is not a variable",
                );
                None
            }
        }
    }

    /// `x + y`, `x && y`, `x, y` …
    pub(crate) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &ast::Expr,
        right: &ast::Expr,
        place: Span,
        span: Span,
    ) -> Operand {
        // Long sums lean to the left: walked without recursion.
        let mut chain = vec![(operator, right, place, span)];
        let mut first = left;
        while let ast::ExprKind::Binary { operator, place, left, right } = &first.kind {
            chain.push((*operator, right, *place, first.span));
            first = left;
        }
        if let Some((BinaryOperator::Divide, right, ..)) = chain.last() {
            self.warn_of_pointer_size(first, right);
        }
        let mut found = self.expr(first);
        while let Some((operator, right, place, span)) = chain.pop() {
            let right = self.expr(right);
            found = self.binary_operands(operator, found, right, place, span);
        }
        found
    }

    pub(crate) fn binary_operands(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        place: Span,
        span: Span,
    ) -> Operand {
        if left.is_error() || right.is_error() {
            self.messages.poison(span);
            return Operand::Error(span);
        }
        if self.program.overloads(&left) || self.program.overloads(&right) {
            let name = format!("operator{}", operator.text());
            let operands = [left.clone(), right.clone()];
            if let Some(found) = self.user_operator(&name, &operands, false, span) {
                return found;
            }
        }
        let found = match operator {
            BinaryOperator::Comma => self.comma(left, right, span),
            BinaryOperator::And | BinaryOperator::Or => self.logical(operator, left, right, span),
            BinaryOperator::Compare => {
                self.messages.refuse(place, "`<=>` is", "compare with `<` and `==`");
                None
            }
            _ => self.computed(operator, left, right, place, span),
        };
        found.unwrap_or(Operand::Error(span))
    }

    fn comma(&mut self, left: Operand, right: Operand, span: Span) -> Option<Operand> {
        let first = self.statement_of(left, span)?;
        Some(self.sequenced(vec![first], right, span))
    }

    fn logical(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        span: Span,
    ) -> Option<Operand> {
        let left = self.condition_value(left);
        let right = self.condition_value(right);
        let (left, right) = (left?, right?);
        let which = if operator == BinaryOperator::And { Logical::And } else { Logical::Or };
        let kind = ExprKind::Logical(which, Box::new(left), Box::new(right));
        Some(Operand::Value(Expr { kind, ty: self.program.basic().bool, span }))
    }

    fn computed(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        if let (Some(a), Some(b)) = (left.ty(), right.ty())
            && (self.program.record_of(a).is_some() || self.program.record_of(b).is_some())
        {
            let (x, y) = (self.program.show(plain(a)), self.program.show(plain(b)));
            let places = [left.span(), right.span()];
            let (l, r) = (self.scalar_of_class(left), self.scalar_of_class(right));
            let (Some(l), Some(r)) = (l, r) else {
                if places.into_iter().any(|place| self.messages.tell_coordinates(place)) {
                    return None;
                }
                let message = format!("invalid operands of `{}`: `{x}` and `{y}`", operator.text());
                let packed = [(a, b), (b, a)].into_iter().find_map(|(one, other)| {
                    self.program.packed(one).filter(|_| self.program.record_of(other).is_none())
                });
                if let Some(packed) = packed {
                    self.messages.error_help("operator", place, message, packed.of_operand);
                    return None;
                }
                self.messages.error_help(
                    "operator",
                    place,
                    message,
                    "apply it to the members (`.x`, `.y` …), or define the operator for the type",
                );
                return None;
            };
            return self.computed_scalars(operator, l, r, place, span);
        }
        self.computed_scalars(operator, left, right, place, span)
    }

    fn computed_scalars(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        if let Some(compare) = comparison(operator) {
            return self.compared(compare, operator, left, right, place, span);
        }
        let binary = arithmetic(operator)?;
        let (left, right) = (self.promoted(left), self.promoted(right));
        let (left, right) = (left?, right?);
        let (a, b) = (self.program.pointee(left.ty), self.program.pointee(right.ty));
        match (binary, a, b) {
            (Binary::Add, Some(to), None) if self.program.is_integral(right.ty) => {
                self.offset(left, right, to, false, span)
            }
            (Binary::Add, None, Some(to)) if self.program.is_integral(left.ty) => {
                self.offset(right, left, to, false, span)
            }
            (Binary::Subtract, Some(to), None) if self.program.is_integral(right.ty) => {
                self.offset(left, right, to, true, span)
            }
            (Binary::Subtract, Some(x), Some(y)) => {
                if !self.program.similar(x, y) || !self.countable(x, span) {
                    let (x, y) = (self.program.show(left.ty), self.program.show(right.ty));
                    self.messages.error(
                        "type",
                        place,
                        format!("`{x}` and `{y}` are not pointers to compatible types"),
                    );
                    return None;
                }
                let kind = ExprKind::Difference(Box::new(left), Box::new(right));
                Some(Operand::Value(Expr { kind, ty: self.program.basic().long, span }))
            }
            _ => {
                let shift = matches!(binary, Binary::ShiftLeft | Binary::ShiftRight);
                let whole =
                    shift || matches!(binary, Binary::Remainder | Binary::And | Binary::Or | Binary::Xor);
                let fits = |this: &Self, ty: Type| {
                    if whole { this.program.is_integral(ty) } else { this.program.is_arithmetic(ty) }
                };
                if !fits(self, left.ty) || !fits(self, right.ty) {
                    self.tell_operands(operator, &left, &right, place);
                    return None;
                }
                let ty = if shift { left.ty } else { self.program.common_type(left.ty, right.ty) };
                let left = self.program.convert_arithmetic(left, ty);
                let right = if shift { right } else { self.program.convert_arithmetic(right, ty) };
                let kind = ExprKind::Binary(binary, Box::new(left), Box::new(right));
                Some(Operand::Value(Expr { kind, ty, span }))
            }
        }
    }

    pub(crate) fn tell_operands(&mut self, operator: BinaryOperator, left: &Expr, right: &Expr, place: Span) {
        if let Some(void) = [left, right].into_iter().find(|one| self.program.is_void(one.ty)) {
            self.tell_no_value(void);
            return;
        }
        let (x, y) = (self.program.show(left.ty), self.program.show(right.ty));
        let mut diagnostic = Diagnostic::error(
            "operator",
            place,
            format!("invalid operands of `{}`: `{x}` and `{y}`", operator.text()),
        );
        if operator == BinaryOperator::Remainder
            && (self.program.is_floating(left.ty) || self.program.is_floating(right.ty))
        {
            diagnostic = diagnostic.help("the remainder of floating-point numbers is `fmodf(x, y)`");
        } else if operator == BinaryOperator::BitXor
            && (self.program.is_floating(left.ty) || self.program.is_floating(right.ty))
        {
            diagnostic = diagnostic.help("`^` combines bits; a power is `powf(x, y)`, a square `x * x`");
        } else if matches!(
            operator,
            BinaryOperator::BitAnd
                | BinaryOperator::BitOr
                | BinaryOperator::ShiftLeft
                | BinaryOperator::ShiftRight
        ) && (self.program.is_floating(left.ty) || self.program.is_floating(right.ty))
        {
            diagnostic = diagnostic.help(BITS_OF_FLOAT);
        } else if self.program.pointee(left.ty).is_some() && self.program.pointee(right.ty).is_some() {
            diagnostic = diagnostic.help(
                "`p - q` is the number of elements between two pointers; for what they point to write `*`, or an index",
            );
        } else if self.program.pointee(left.ty).is_some() != self.program.pointee(right.ty).is_some() {
            diagnostic = diagnostic
                .help("one is a pointer: write `*` before it, or an index after it, for what it points to");
        }
        self.messages.report(diagnostic);
    }

    /// Whether pointers to a type can be counted with.
    pub(crate) fn countable(&mut self, to: Type, span: Span) -> bool {
        if self.program.is_void(to) || self.program.is_function_kind(to) {
            let shown = self.program.show(to);
            self.messages.error_help(
                "type",
                span,
                format!("arithmetic on a pointer to `{shown}`, which has no size"),
                "cast to `char *` to count in bytes",
            );
            return false;
        }
        self.require_complete(to, span)
    }

    /// Pointer that many elements on.
    pub(crate) fn offset(
        &mut self,
        pointer: Expr,
        by: Expr,
        to: Type,
        back: bool,
        span: Span,
    ) -> Option<Operand> {
        if !self.countable(to, span) {
            return None;
        }
        let by = self.program.index_value(by);
        let ty = pointer.ty;
        let kind = ExprKind::Offset(Box::new(pointer), Box::new(by), back);
        Some(Operand::Value(Expr { kind, ty, span }))
    }

    /// An operand for its effects.
    pub(crate) fn statement_of(&mut self, operand: Operand, span: Span) -> Option<Stmt> {
        let kind = match operand {
            Operand::Value(value) => StmtKind::Expr(value),
            Operand::Place(place, _) => StmtKind::Place(place),
            Operand::Init(init, ty, at) => {
                let local = self.local("".into(), plain(ty), at);
                StmtKind::Init(local, init)
            }
            Operand::Error(at) => {
                self.messages.poison(at);
                return None;
            }
            Operand::Functions(set) => {
                let name = set.name.to_string();
                self.messages.report(
                    Diagnostic::warning(
                        "unused",
                        set.span,
                        format!("reference to `{name}` has no effect: it is not called"),
                    )
                    .help(format!("call it: `{name}()`")),
                );
                return Some(Stmt { kind: StmtKind::Block(vec![]), span });
            }
            Operand::List(list) => {
                self.messages.error("syntax", list.span, "a list in braces has no effect here");
                return None;
            }
        };
        Some(Stmt { kind, span })
    }
}

pub(crate) fn chosen(condition: Expr, left: Expr, right: Expr, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Conditional(Box::new(condition), Box::new(left), Box::new(right)), ty, span }
}
