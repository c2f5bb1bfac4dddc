//! Assignment, `++` and `--`.
//!
//! Enters: operands. Leaves: places after the change. This module must never know names.

use crate::ast::{self, BinaryOperator};
use crate::diagnostic::Diagnostic;
use crate::hir::{Binary, Expr, ExprKind, Place, PlaceKind, Step, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::expressions::operand::Operand;
use crate::check::expressions::operator::arithmetic;
use crate::check::types::kind::plain;

impl Checker<'_> {
    /// The operand as a place that may be written.
    pub(crate) fn writable(&mut self, operand: Operand, span: Span) -> Option<Place> {
        match operand {
            Operand::Place(place, _) => {
                if place.ty.constant {
                    self.tell_constant(&place, span);
                    return None;
                }
                Some(place)
            }
            Operand::Init(init, ty, at) if self.program.record_of(ty).is_some() && !ty.constant => {
                Some(self.materialise(init, ty, at))
            }
            Operand::Init(_, ty, at) => {
                let shown = self.program.show(plain(ty));
                self.messages.error(
                    "assign",
                    at,
                    format!("expression is not assignable: it is a temporary `{shown}`"),
                );
                None
            }
            Operand::Value(value) => {
                let text = self.messages.text(value.span);
                if let Some((name @ ("threadIdx" | "blockIdx" | "blockDim" | "gridDim"), _)) =
                    text.split_once('.')
                {
                    let message = format!("cannot assign to `{name}`: it is set by the launch");
                    self.messages.error("assign", value.span, message);
                    return None;
                }
                let is_address = text.starts_with('&');
                let message = "expression is not assignable: it is a value, not a variable";
                match self.program.pointee(value.ty) {
                    Some(_) if is_address => {
                        self.messages.error_help(
                            "assign",
                            value.span,
                            message,
                            "`&` takes the address: remove it to store there",
                        );
                    }
                    Some(_) => {
                        self.messages.error_help(
                            "assign",
                            value.span,
                            message,
                            "this is an address: write `*` before it to store there",
                        );
                    }
                    None => self.messages.error("assign", value.span, message),
                }
                None
            }
            other => {
                self.value(other)?;
                None
            }
        }
    }

    pub(crate) fn tell_constant(&mut self, place: &Place, span: Span) {
        let name = self.messages.text(place.span).to_owned();
        let mut diagnostic =
            Diagnostic::error("const", span, format!("cannot assign to `{name}`: it is `const`"));
        if let Some(id) = Self::root_variable(place) {
            let variable = &self.program[id];
            diagnostic = diagnostic.related(variable.span, "declared here");
        }
        if let Some(local) = Self::root_local(place)
            && let Some(local) = self.frame.local(local)
            && !local.name.is_empty()
            && &*local.name != "this"
        {
            diagnostic = diagnostic
                .related(local.span, format!("`{}` is declared `const` here", local.name))
                .help("remove that `const` if the variable is meant to change");
        }
        if let Some(local) = Self::root_local(place)
            && self.frame.local(local).is_some_and(|local| &*local.name == "this")
            && self.frame.closure().is_none()
        {
            diagnostic = diagnostic
                .help("the method is `const`: remove the `const` after its parameters if it is meant to change the object");
        }
        if let Some(closure) = self.frame.closure()
            && !closure.ast.mutable
            && matches!(place.kind, PlaceKind::Field(..))
        {
            diagnostic = diagnostic.help(
                "variables captured by copy are `const`: capture by reference (`[&]`), or write `mutable`",
            );
        }
        self.messages.report(diagnostic);
    }

    /// Variable of the function that a place lies in, or that leads to it.
    fn root_local(place: &Place) -> Option<crate::hir::LocalId> {
        match &place.kind {
            PlaceKind::Local(id) => Some(*id),
            PlaceKind::Field(of, _) | PlaceKind::Element(of, _) => Self::root_local(of),
            PlaceKind::Deref(pointer) => {
                let mut pointer = &**pointer;
                loop {
                    match &pointer.kind {
                        ExprKind::Offset(of, ..) | ExprKind::Cast(of) => pointer = of,
                        ExprKind::Load(from) => match &from.kind {
                            PlaceKind::Local(id) => return Some(*id),
                            _ => return None,
                        },
                        _ => return None,
                    }
                }
            }
            _ => None,
        }
    }

    /// Whether a place lies in constant memory, which kernels only read.
    pub(crate) fn refuse_constant_memory(&mut self, place: &Place, span: Span) -> bool {
        let Some(id) = Self::root_variable(place) else { return false };
        let variable = &self.program[id];
        if variable.space != crate::ir::Space::Constant {
            return false;
        }
        let (name, declared) = (variable.name.to_string(), variable.span);
        let message =
            format!("cannot assign to `{name}`: it is in constant memory, which a kernel can only read");
        self.messages.report(
            Diagnostic::error("const", span, message)
                .related(declared, "declared here")
                .help("the host fills it with `cudaMemcpyToSymbol` before the launch; declare what kernels write `__device__`"),
        );
        true
    }

    /// `++x`, `x--` …
    pub(crate) fn step(&mut self, operand: Operand, step: Step, before: bool, span: Span) -> Option<Operand> {
        if let Some(ty) = operand.ty()
            && self.program.record_of(ty).is_some()
        {
            let shown = self.program.show(plain(ty));
            self.messages.error(
                "operator",
                span,
                format!("cannot increment or decrement a value of type `{shown}`"),
            );
            return None;
        }
        let place = self.writable(operand, span)?;
        if self.refuse_constant_memory(&place, span) {
            return None;
        }
        let ty = place.ty;
        let pointer = self.program.pointee(ty).is_some_and(|to| !self.program.is_void(to));
        if !(pointer || (self.program.is_arithmetic(ty) && !self.program.is_bool(ty))) {
            let shown = self.program.show(plain(ty));
            self.messages.error(
                "type",
                span,
                format!("cannot increment or decrement a value of type `{shown}`"),
            );
            return None;
        }
        if pointer
            && let Some(to) = self.program.pointee(ty)
            && !self.require_complete(to, span)
        {
            return None;
        }
        Some(if before {
            Operand::Place(Place { kind: PlaceKind::PreStep(Box::new(place), step), ty, span }, false)
        } else {
            Operand::Value(Expr { kind: ExprKind::PostStep(Box::new(place), step), ty: plain(ty), span })
        })
    }

    /// `x = y`, `x += y`.
    pub(crate) fn assignment(
        &mut self,
        operator: Option<BinaryOperator>,
        left: &ast::Expr,
        right: &ast::Expr,
        place: Span,
        span: Span,
    ) -> Operand {
        let left = self.expr(left);
        let right = self.expr(right);
        if left.is_error() || right.is_error() {
            self.messages.poison(span);
            return Operand::Error(span);
        }
        let found = match operator {
            None => self.assign(left, right, span),
            Some(operator) => self.compound(operator, left, right, place, span),
        };
        found.unwrap_or(Operand::Error(span))
    }

    /// `x = y` of operands.
    pub(crate) fn assign(&mut self, left: Operand, right: Operand, span: Span) -> Option<Operand> {
        let class = left.ty().and_then(|ty| self.program.record_of(ty));
        if let Some(record) = class {
            let operands = [left.clone(), right.clone()];
            if self.assigns_by_operator(record, &right)
                && !self.takes_defaulted(record, &operands, span)
                && let Some(found) = self.user_operator("operator=", &operands, true, span)
            {
                return Some(found);
            }
            let place = self.writable(left, span)?;
            if self.refuse_constant_memory(&place, span) {
                return None;
            }
            return self.assign_record(place, right, span).map(|place| Operand::Place(place, false));
        }
        let place = self.writable(left, span)?;
        if self.refuse_constant_memory(&place, span) {
            return None;
        }
        if self.program.array_of(place.ty).is_some() {
            self.messages.error_help(
                "assign",
                span,
                "cannot assign to an array as a whole",
                if self.messages.text(place.span).contains(',') {
                    "for two dimensions write `[row][column]`: a comma in brackets discards the value before it"
                } else {
                    "copy its elements in a loop"
                },
            );
            return None;
        }
        let ty = place.ty;
        let value = self.converted(right, plain(ty))?;
        Some(Operand::Place(
            Place { kind: PlaceKind::Assign(Box::new(place), Box::new(value)), ty, span },
            false,
        ))
    }

    /// Whether assignments to a class are its own function's.
    pub(crate) fn assigns_by_operator(&mut self, record: crate::hir::RecordId, right: &Operand) -> bool {
        let scope = self.classes[record].scope;
        if !self.scopes[scope].names.contains_key("operator=") {
            return false;
        }
        let same = right.ty().and_then(|ty| self.program.record_of(ty)) == Some(record);
        if same { self.has_own_assignment(record) } else { !self.only_defaulted_assignments(record) }
    }

    pub(crate) fn compound(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        at: Span,
        span: Span,
    ) -> Option<Operand> {
        if self.program.overloads(&left) || self.program.overloads(&right) {
            let name = format!("operator{}=", operator.text());
            let operands = [left.clone(), right.clone()];
            if let Some(found) = self.user_operator(&name, &operands, false, span) {
                return Some(found);
            }
        }
        if let Some(ty) = left.ty()
            && self.program.record_of(ty).is_some()
        {
            let shown = self.program.show(plain(ty));
            self.messages.error_help(
                "operator",
                at,
                format!("invalid left operand of `{}=`: `{shown}`", operator.text()),
                "apply it to the members (`.x`, `.y` …), or define the operator for the type",
            );
            return None;
        }
        let place = self.writable(left, span)?;
        if self.refuse_constant_memory(&place, span) {
            return None;
        }
        let right = self.number_operand(right, operator.text(), at)?;
        let right = self.promoted(right)?;
        let ty = place.ty;
        let binary = arithmetic(operator)?;
        if let Some(to) = self.program.pointee(ty) {
            let back = match binary {
                Binary::Add => false,
                Binary::Subtract => true,
                _ => {
                    let left = self.load(place)?;
                    self.tell_operands(operator, &left, &right, at);
                    return None;
                }
            };
            if !self.program.is_integral(right.ty) {
                let left = self.load(place)?;
                self.tell_operands(operator, &left, &right, at);
                return None;
            }
            if !self.countable(to, span) {
                return None;
            }
            let by = self.program.index_value(right);
            return Some(Operand::Place(
                Place { kind: PlaceKind::CompoundOffset(Box::new(place), Box::new(by), back), ty, span },
                false,
            ));
        }
        let shift = matches!(binary, Binary::ShiftLeft | Binary::ShiftRight);
        let whole = shift || matches!(binary, Binary::Remainder | Binary::And | Binary::Or | Binary::Xor);
        let fits = |this: &Self, ty: Type| {
            if whole { this.program.is_integral(ty) } else { this.program.is_arithmetic(ty) }
        };
        if !fits(self, ty) || !fits(self, right.ty) {
            let left = self.load(place)?;
            self.tell_operands(operator, &left, &right, at);
            return None;
        }
        let bits = self.program.bit_width(&place);
        let own = self.classes.promoted_type(ty, bits, &mut self.program);
        let common = if shift { own } else { self.program.common_type(own, right.ty) };
        let right = if shift { right } else { self.program.convert_arithmetic(right, common) };
        let kind = PlaceKind::Compound(Box::new(place), binary, Box::new(right), common);
        Some(Operand::Place(Place { kind, ty, span }, false))
    }
}
