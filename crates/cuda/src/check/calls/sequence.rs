//! Implicit conversions: which there is, and how good it is.
//!
//! Enters: operands and types. Leaves: sequences that overloads are ranked by. This module must never know what a conversion
//! computes.

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, is_zero_literal};
use crate::check::types::kind::plain;
use crate::hir::{Type, TypeKind};
use crate::options::Language;
use std::cmp::Ordering;

/// How good a standard conversion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Nothing changes but qualifiers.
    Exact,
    /// To the type that C computes with.
    Promotion,
    /// Any other.
    Conversion,
    /// An argument of `...`, which fits worse than any other.
    Ellipsis,
}

/// Implicit conversion sequence.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    /// Of the standard conversion; of one by the user, the second.
    pub(crate) rank: Rank,
    /// Function of the user's.
    pub(crate) user: Option<Callee>,
    /// Ambiguous conversion of the user's.
    pub(crate) ambiguous: bool,
    /// Whether a pointer's target gets more qualifiers.
    pub(crate) qualifies: bool,
    /// Distance to a base class.
    pub(crate) derived: usize,
    /// Pointer to `void *`, or to `bool`: worse than others of its rank.
    pub(crate) poor: u8,
    /// Reference that is bound: `&&`, whether the operand may be moved from, and the type referred to.
    pub(crate) reference: Option<(bool, bool, Type)>,
}

impl Sequence {
    pub(crate) fn of(rank: Rank) -> Self {
        Self { rank, user: None, ambiguous: false, qualifies: false, derived: 0, poor: 0, reference: None }
    }
}

impl Output {
    /// Compares sequences: less is better; `None` where neither is.
    pub(crate) fn compare_sequences(&self, a: &Sequence, b: &Sequence) -> Ordering {
        let ellipsis = (a.rank == Rank::Ellipsis).cmp(&(b.rank == Rank::Ellipsis));
        if ellipsis != Ordering::Equal {
            return ellipsis;
        }
        match (&a.user, &b.user) {
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) => {
                if a.ambiguous || b.ambiguous || !x.same(y) {
                    return Ordering::Equal;
                }
            }
            (None, None) => {}
        }
        let by_rank = a.rank.cmp(&b.rank).then(a.poor.cmp(&b.poor)).then(a.derived.cmp(&b.derived));
        if by_rank != Ordering::Equal {
            return by_rank;
        }
        if let (Some((x, from, to)), Some((y, _, other))) = (a.reference, b.reference) {
            if x != y && from {
                // What may be moved from binds rather to `&&`.
                return y.cmp(&x);
            }
            if self.similar(to, other) {
                let more = |a: Type, b: Type| (a.constant && !b.constant) || (a.volatile && !b.volatile);
                match (more(to, other), more(other, to)) {
                    (true, false) => return Ordering::Greater,
                    (false, true) => return Ordering::Less,
                    _ => {}
                }
            }
        }
        a.qualifies.cmp(&b.qualifies)
    }

    /// Width of the bit-field that an operand is.
    pub(crate) fn bits_of(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Place(place, _) => self.bit_width(place),
            _ => None,
        }
    }

    /// Whether a pointer's target may be taken for another that differs in qualifiers alone, and whether it gets more.
    fn qualification(&self, source: Type, target: Type, outer_constant: bool) -> Option<bool> {
        let lost = (source.constant && !target.constant) || (source.volatile && !target.volatile);
        if lost {
            return None;
        }
        let adds = source.constant != target.constant || source.volatile != target.volatile;
        if adds && !outer_constant {
            return None;
        }
        match (self.kind_of(source), self.kind_of(target)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
                // All levels above one that differs must be `const`.
                self.qualification(*a, *b, outer_constant && target.constant).map(|more| more || adds)
            }
            (TypeKind::Array(a, _), TypeKind::Array(b, _)) => {
                self.qualification(*a, *b, outer_constant).map(|more| more || adds)
            }
            _ => Some(adds),
        }
    }
}

impl Checker<'_> {
    /// Conversion of an operand to a type; `None` where there is none.
    pub(crate) fn conversion(&mut self, operand: &Operand, to: Type, user: bool) -> Option<Sequence> {
        if let Some((referred, rvalue)) = self.program.referred(to) {
            return self.binding(operand, referred, rvalue, user);
        }
        match operand {
            Operand::Error(_) => Some(Sequence::of(Rank::Exact)),
            Operand::List(list) => self.list_conversion(&list.clone(), to, user),
            Operand::Functions(set) => {
                let set = set.clone();
                if self.is_function_of(&set, to) {
                    return Some(Sequence::of(Rank::Exact));
                }
                match user && self.program.record_of(to).is_some() && self.only_pointer(&set).is_some() {
                    true => self.user_conversion(operand, to),
                    false => None,
                }
            }
            Operand::Value(_) | Operand::Place(..) | Operand::Init(..) => {
                let from = operand.ty()?;
                if let Some(target) = self.program.record_of(to) {
                    if let Some(source) = self.program.record_of(from) {
                        if source == target {
                            return Some(Sequence::of(Rank::Exact));
                        }
                        if let Some(path) = self.base_path(source, target) {
                            let mut sequence = Sequence::of(Rank::Conversion);
                            sequence.derived = path.len();
                            return Some(sequence);
                        }
                    }
                    return if user { self.user_conversion(operand, to) } else { None };
                }
                if self.program.record_of(from).is_some() {
                    if self.program.is_function_pointer(to) && self.lambda_converts(operand, to) {
                        return Some(Sequence::of(Rank::Conversion));
                    }
                    return if user { self.user_conversion(operand, to) } else { None };
                }
                self.standard(operand, to)
            }
        }
    }

    /// Standard conversion between scalars.
    fn standard(&mut self, operand: &Operand, to: Type) -> Option<Sequence> {
        let from = plain(self.program.decayed(operand.ty()?));
        let to = plain(to);
        if from == to {
            return Some(Sequence::of(Rank::Exact));
        }
        if self.program.array_of(to).is_some() || !self.program.is_scalar(to) {
            return None;
        }
        let arithmetic = self.program.is_arithmetic(from) || self.program.is_unscoped(from);
        if arithmetic && self.program.is_arithmetic(to) {
            let promoted = self.classes.promoted_type(from, self.program.bits_of(operand), &mut self.program);
            // One with a fixed type is that type sooner than what it is promoted to.
            let fixed = self.program.enum_of(from).filter(|id| self.classes[*id].promoted.is_none());
            if fixed.is_some_and(|id| self.program[id].underlying == to) {
                return Some(Sequence { poor: 0, ..Sequence::of(Rank::Promotion) });
            }
            if fixed.is_some() && promoted == to {
                return Some(Sequence { poor: 1, ..Sequence::of(Rank::Promotion) });
            }
            let promotes = (promoted == to && promoted != from)
                || (self.program.kind(from) == TypeKind::Float && self.program.kind(to) == TypeKind::Double);
            return Some(Sequence::of(if promotes { Rank::Promotion } else { Rank::Conversion }));
        }
        let null = self.program.is_null_type(from)
            || matches!(operand, Operand::Value(expr) if is_zero_literal(expr) && self.program.is_integral(from) && !self.program.is_bool(from));
        if let Some(target) = self.program.pointee(to) {
            if null {
                return Some(Sequence::of(Rank::Conversion));
            }
            let source = self.program.pointee(from)?;
            if self.loses_const(operand, target) {
                return Some(Sequence { poor: 2, ..Sequence::of(Rank::Conversion) });
            }
            return self.pointer_conversion(source, target);
        }
        if let Some((derived, of, constant)) = self.program.member_of(to) {
            if null {
                return Some(Sequence::of(Rank::Conversion));
            }
            let (base, ..) = self.program.member_of(from).filter(|one| (one.1, one.2) == (of, constant))?;
            return self.base_path(derived, base).map(|_| Sequence::of(Rank::Conversion));
        }
        if self.program.is_null_type(to) {
            return null.then(|| Sequence::of(Rank::Conversion));
        }
        if self.program.is_bool(to)
            && (self.program.pointee(from).is_some() || self.program.member_of(from).is_some())
        {
            let mut sequence = Sequence::of(Rank::Conversion);
            sequence.poor = 2;
            return Some(sequence);
        }
        None
    }

    fn pointer_conversion(&mut self, source: Type, target: Type) -> Option<Sequence> {
        let lost = (source.constant && !target.constant) || (source.volatile && !target.volatile);
        if self.program.similar(source, target) {
            let adds = self.program.qualification(source, target, true)?;
            let mut sequence = Sequence::of(Rank::Exact);
            sequence.qualifies = adds;
            return Some(sequence);
        }
        if lost {
            return None;
        }
        if self.program.is_void(target) && !self.program.is_function(source) {
            let mut sequence = Sequence::of(Rank::Conversion);
            sequence.poor = 1;
            sequence.qualifies = source.constant != target.constant;
            return Some(sequence);
        }
        if self.unit.language == Language::C
            && self.program.is_void(source)
            && !self.program.is_function(target)
        {
            return Some(Sequence::of(Rank::Conversion));
        }
        let (derived, base) = (self.program.record_of(source)?, self.program.record_of(target)?);
        let path = self.base_path(derived, base)?;
        let mut sequence = Sequence::of(Rank::Conversion);
        sequence.derived = path.len();
        sequence.qualifies = source.constant != target.constant;
        Some(sequence)
    }

    /// Binding of a reference.
    fn binding(&mut self, operand: &Operand, to: Type, rvalue: bool, user: bool) -> Option<Sequence> {
        let mut element = to;
        while let Some((of, _)) = self.program.array_of(element) {
            element = of;
        }
        let accepts_temporary = rvalue || (element.constant && !element.volatile);
        match operand {
            Operand::Error(_) => return Some(Sequence::of(Rank::Exact)),
            Operand::Functions(_) if !accepts_temporary => return None,
            Operand::Functions(_) => {
                let mut sequence = self.conversion(operand, plain(to), user)?;
                sequence.reference = Some((rvalue, true, to));
                return Some(sequence);
            }
            Operand::List(list) => {
                if !accepts_temporary {
                    return None;
                }
                let mut sequence = self.list_conversion(&list.clone(), plain(to), user)?;
                sequence.reference = Some((rvalue, true, to));
                return Some(sequence);
            }
            Operand::Value(_) | Operand::Place(..) | Operand::Init(..) => {}
        }
        let from = operand.ty()?;
        let (place, movable) = match operand {
            Operand::Place(place, movable) => {
                (!self.program.is_bit_field(place) || accepts_temporary && to.constant, *movable)
            }
            _ => (false, true),
        };
        let is_place = matches!(operand, Operand::Place(..));
        let related = if self.program.similar(from, to) {
            Some(0)
        } else {
            match (self.program.record_of(from), self.program.record_of(to)) {
                (Some(a), Some(b)) => self.base_path(a, b).map(|path| path.len()),
                _ => None,
            }
        };
        if let Some(derived) = related {
            let lost = (from.constant && !to.constant) || (from.volatile && !to.volatile);
            if lost {
                return None;
            }
            let binds = match (is_place && !movable, rvalue) {
                (true, true) => false,
                (true, false) => place,
                (false, true) => true,
                (false, false) => accepts_temporary,
            };
            if !binds {
                return None;
            }
            let mut sequence = Sequence::of(if derived == 0 { Rank::Exact } else { Rank::Conversion });
            sequence.derived = derived;
            sequence.reference = Some((rvalue, movable || !is_place, to));
            return Some(sequence);
        }
        // A function of the class may give a place of the type.
        if user && self.program.record_of(from).is_some() {
            let whole = self.program.ty(TypeKind::Reference { to, rvalue });
            if let Some(mut sequence) = self.user_reference(operand, whole) {
                sequence.reference = Some((rvalue, false, to));
                return Some(sequence);
            }
        }
        if !accepts_temporary {
            return None;
        }
        let mut sequence = self.conversion(operand, plain(to), user)?;
        sequence.reference = Some((rvalue, true, to));
        Some(sequence)
    }
}
