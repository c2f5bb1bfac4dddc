//! Sums of products in 64 bits.
//!
//! Enters: values that a loop does not change. Leaves: sums of products of them, as numbers modulo 2^64, which can be added,
//! multiplied and compared, and written as instructions. This module must never know what they are computed for.

use crate::ir::{Binary, Convert, Function, Op, Type, Unary, Value, Wrap};
use crate::passes::loops::counted::Before;

/// Most products of a sum: what has more is not worth a register.
const MOST_TERMS: usize = 8;
/// Most factors of a product.
const MOST_FACTORS: usize = 3;

/// How a value is brought to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Extend {
    /// It has them.
    No,
    /// With its sign.
    Signed,
    /// With zeros.
    Zero,
}

/// Value in 64 bits.
pub(super) type Factor = (Value, Extend);

/// Sum of products, each with a coefficient: sorted by their factors, which are sorted as well. The constant is the product
/// of no factors. No coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum(Vec<(Vec<Factor>, i64)>);

impl Sum {
    /// A number.
    pub(super) fn number(number: i64) -> Sum {
        Sum(if number == 0 { Vec::new() } else { vec![(Vec::new(), number)] })
    }

    /// A value.
    pub(super) fn factor(factor: Factor) -> Sum {
        Sum(vec![(vec![factor], 1)])
    }

    /// Whether it is 0 whatever its values are.
    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum if it is a constant.
    pub(super) fn as_number(&self) -> Option<i64> {
        match self.0.as_slice() {
            [] => Some(0),
            [(factors, number)] if factors.is_empty() => Some(*number),
            _ => None,
        }
    }

    /// What varies of it, and its constant.
    pub(super) fn split(mut self) -> (Sum, i64) {
        match self.0.first() {
            Some((factors, number)) if factors.is_empty() => {
                let number = *number;
                self.0.remove(0);
                (self, number)
            }
            _ => (self, 0),
        }
    }

    /// Both sums; `None` for too many products.
    pub(super) fn plus(&self, other: &Sum) -> Option<Sum> {
        let mut sum = self.clone();
        for (factors, coefficient) in &other.0 {
            sum.add(factors.clone(), *coefficient);
        }
        (sum.0.len() <= MOST_TERMS).then_some(sum)
    }

    /// This sum less the other.
    pub(super) fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(&other.scaled(-1))
    }

    /// That many times the sum.
    pub(super) fn scaled(&self, by: i64) -> Sum {
        let mut sum = Sum::default();
        for (factors, coefficient) in &self.0 {
            sum.add(factors.clone(), coefficient.wrapping_mul(by));
        }
        sum
    }

    /// The product of both; `None` for too many products, or too long ones.
    pub(super) fn times(&self, other: &Sum) -> Option<Sum> {
        let mut sum = Sum::default();
        for (left, first) in &self.0 {
            for (right, second) in &other.0 {
                let mut factors: Vec<Factor> = left.iter().chain(right).copied().collect();
                factors.sort_unstable();
                if factors.len() > MOST_FACTORS {
                    return None;
                }
                sum.add(factors, first.wrapping_mul(*second));
            }
        }
        (sum.0.len() <= MOST_TERMS).then_some(sum)
    }

    fn add(&mut self, factors: Vec<Factor>, coefficient: i64) {
        match self.0.binary_search_by(|(other, _)| other.cmp(&factors)) {
            Ok(at) => {
                self.0[at].1 = self.0[at].1.wrapping_add(coefficient);
                if self.0[at].1 == 0 {
                    self.0.remove(at);
                }
            }
            Err(at) if coefficient != 0 => self.0.insert(at, (factors, coefficient)),
            Err(_) => {}
        }
    }

    /// Whether a pointer is among its values.
    pub(super) fn has_pointer(&self, function: &Function) -> bool {
        self.0.iter().flat_map(|(factors, _)| factors).any(|factor| is_pointer(function, *factor))
    }

    /// The pointer of this type that it begins at, and what is added to that; `None` if that is not what it is.
    pub(super) fn begins_at(&self, function: &Function, ty: Type) -> Option<(Value, Sum)> {
        let mut rest = self.clone();
        let begins =
            |(factors, _): &(Vec<Factor>, i64)| factors.iter().any(|factor| is_pointer(function, *factor));
        let at = rest.0.iter().position(begins)?;
        let (factors, coefficient) = rest.0.remove(at);
        match factors.as_slice() {
            [(pointer, _)]
                if coefficient == 1 && function.ty(*pointer) == ty && !rest.has_pointer(function) =>
            {
                Some((*pointer, rest))
            }
            _ => None,
        }
    }

    /// Appends what computes a sum without pointers to a block.
    pub(super) fn emit(&self, at: &mut Before<'_>) -> Value {
        let mut left: Vec<(Vec<Factor>, i64)> = self.0.clone();
        let mut sum: Option<Value> = None;
        let mut number = 0;
        // Products with one coefficient, or with its negative, are added before they are multiplied with it.
        while let Some((factors, coefficient)) = left.pop() {
            if factors.is_empty() {
                number = coefficient;
                continue;
            }
            let mut part = product(at, &factors);
            left.retain(|(factors, other)| {
                if factors.is_empty() || *other != coefficient {
                    return true;
                }
                let product = product(at, factors);
                part = at.binary(Binary::Add(Wrap::default()), part, product);
                false
            });
            let negative = coefficient < 0 && coefficient != i64::MIN;
            let part = times(at, part, if negative { -coefficient } else { coefficient });
            sum = Some(match (sum, negative) {
                (None, false) => part,
                (None, true) => at.add(Op::Unary(Unary::Neg), &[part], Type::I64),
                (Some(sum), false) => at.binary(Binary::Add(Wrap::default()), sum, part),
                (Some(sum), true) => at.binary(Binary::Sub(Wrap::default()), sum, part),
            });
        }
        match sum {
            None => at.constant(Type::I64, number),
            Some(sum) if number == 0 => sum,
            Some(sum) => {
                let number = at.constant(Type::I64, number);
                at.binary(Binary::Add(Wrap::default()), sum, number)
            }
        }
    }
}

fn is_pointer(function: &Function, (value, _): Factor) -> bool {
    matches!(function.ty(value), Type::Ptr(_))
}

fn product(at: &mut Before<'_>, factors: &[Factor]) -> Value {
    let mut product: Option<Value> = None;
    for (value, extend) in factors {
        let factor = match extend {
            Extend::No => *value,
            Extend::Signed => at.add(Op::Convert(Convert::SignExtend), &[*value], Type::I64),
            Extend::Zero => at.add(Op::Convert(Convert::ZeroExtend), &[*value], Type::I64),
        };
        product = Some(match product {
            Some(product) => at.binary(Binary::Mul(Wrap::default()), product, factor),
            None => factor,
        });
    }
    product.unwrap_or_else(|| at.constant(Type::I64, 1))
}

fn times(at: &mut Before<'_>, value: Value, number: i64) -> Value {
    let bits = number as u64;
    if bits == 1 {
        value
    } else if bits.is_power_of_two() {
        let by = at.constant(Type::I32, i64::from(bits.trailing_zeros()));
        at.binary(Binary::Shl(Wrap::default()), value, by)
    } else {
        let number = at.constant(Type::I64, number);
        at.binary(Binary::Mul(Wrap::default()), value, number)
    }
}
