//! Constant expressions (PTX ISA 4.6): integers of 64 bits, signed or not, and doubles.

use crate::ast::Operand;
use crate::cursor::{Cursor, Result};
use crate::lexer::Is;

/// Maximum nesting of parentheses and signs: more than any program has, few enough for any stack.
const DEPTH: u32 = 64;

/// A value with the type that the manual gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

use Value::{Float, Signed, Unsigned};

impl Value {
    fn bits(self) -> Option<u64> {
        match self {
            Signed(value) => Some(value as u64),
            Unsigned(value) => Some(value),
            Float(_) => None,
        }
    }

    fn float(self) -> f64 {
        match self {
            Signed(value) => value as f64,
            Unsigned(value) => value as f64,
            Float(value) => value,
        }
    }

    fn holds(self) -> bool {
        match self {
            Float(value) => value != 0.0,
            other => other.bits() != Some(0),
        }
    }
}

impl<'a> Cursor<'a, '_> {
    /// A constant expression's value.
    pub(crate) fn integer(&mut self, what: &str) -> Result<u64> {
        match self.peek() {
            // A number alone, which is nearly all of them.
            Is::Integer(value) | Is::Unsigned(value)
                if matches!(
                    self.peek_second(),
                    Is::Integer(_) | Is::Word(_) | Is::Dot(_) | Is::Mark(b',' | b';' | b'}' | b']')
                ) =>
            {
                self.take();
                Ok(value)
            }
            Is::Integer(_)
            | Is::Unsigned(_)
            | Is::Mark(b'(' | b'-' | b'+' | b'~' | b'!')
            | Is::Word("WARP_SZ") => integer(self),
            _ => self.expected(what),
        }
    }

    pub(crate) fn small(&mut self, what: &str) -> Result<u32> {
        let at = self.at();
        let value = self.integer(what)?;
        u32::try_from(value).or_else(|_| self.fail_at(at, format!("{value} is too large for {what}")))
    }
}

/// An expression as an operand.
pub(crate) fn operand<'a>(cursor: &mut Cursor<'a, '_>) -> Result<Operand<'a>> {
    Ok(match expression(cursor, 0)? {
        Float(value) => Operand::F64(value.to_bits()),
        Signed(value) => Operand::Integer(value as u64),
        Unsigned(value) => Operand::Integer(value),
    })
}

/// An expression whose value is an integer.
fn integer(cursor: &mut Cursor<'_, '_>) -> Result<u64> {
    let at = cursor.at();
    match expression(cursor, 0)?.bits() {
        Some(bits) => Ok(bits),
        None => cursor.fail_at(at, "this must be an integer"),
    }
}

/// Products and what binds closer, an integer: what may follow `symbol +`.
pub(crate) fn term(cursor: &mut Cursor<'_, '_>) -> Result<u64> {
    above(cursor, PRODUCT)
}

/// Sums and what binds closer, an integer: what may be in `< >`.
pub(crate) fn sum(cursor: &mut Cursor<'_, '_>) -> Result<u64> {
    above(cursor, SUM)
}

fn above(cursor: &mut Cursor<'_, '_>, least: u8) -> Result<u64> {
    let at = cursor.at();
    match binary(cursor, least, 0)?.bits() {
        Some(bits) => Ok(bits),
        None => cursor.fail_at(at, "this must be an integer"),
    }
}

fn expression(cursor: &mut Cursor<'_, '_>, depth: u32) -> Result<Value> {
    let condition = binary(cursor, 0, depth)?;
    if !cursor.if_mark(b'?') {
        return Ok(condition);
    }
    if depth > DEPTH {
        return cursor.fail("expressions are nested too deeply");
    }
    let yes = expression(cursor, depth + 1)?;
    cursor.mark(b':')?;
    let no = expression(cursor, depth + 1)?;
    Ok(if condition.holds() { yes } else { no })
}

/// Operators by rising precedence.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 0),
    ("&&", 1),
    ("|", 2),
    ("^", 3),
    ("&", 4),
    ("==", 5),
    ("!=", 5),
    ("<<", 7),
    (">>", 7),
    ("<=", 6),
    (">=", 6),
    ("<", 6),
    (">", 6),
    ("+", SUM),
    ("-", SUM),
    ("*", PRODUCT),
    ("/", PRODUCT),
    ("%", PRODUCT),
];
const SUM: u8 = 8;
const PRODUCT: u8 = 9;

/// The operator that is next, and of how many tokens it is.
fn operator(cursor: &Cursor<'_, '_>) -> Option<(&'static str, u8, u32)> {
    let first = match cursor.peek() {
        Is::Mark(mark) => mark,
        // `%` begins words.
        Is::Word("%") => b'%',
        _ => return None,
    };
    let second = match cursor.peek_second() {
        Is::Mark(mark) => mark,
        _ => 0,
    };
    // Longer ones are before their beginnings.
    let (text, precedence) = OPERATORS.iter().find(|(text, _)| match text.as_bytes() {
        [a] => *a == first,
        [a, b] => *a == first && *b == second,
        _ => false,
    })?;
    Some((text, *precedence, text.len() as u32))
}

fn binary(cursor: &mut Cursor<'_, '_>, least: u8, depth: u32) -> Result<Value> {
    if depth > DEPTH {
        return cursor.fail("expressions are nested too deeply");
    }
    let mut left = unary(cursor, depth)?;
    while let Some((text, precedence, tokens)) = operator(cursor) {
        if precedence < least {
            break;
        }
        let at = cursor.at();
        for _ in 0..tokens {
            cursor.take();
        }
        let right = binary(cursor, precedence + 1, depth + 1)?;
        left = match apply(text, left, right) {
            Some(value) => value,
            None => return cursor.fail_at(at, format!("`{text}` has no value here")),
        };
    }
    Ok(left)
}

fn apply(operator: &str, a: Value, b: Value) -> Option<Value> {
    let truth = |holds: bool| Signed(i64::from(holds));
    match operator {
        "&&" => return Some(truth(a.holds() && b.holds())),
        "||" => return Some(truth(a.holds() || b.holds())),
        _ => {}
    }
    let (Some(x), Some(y)) = (a.bits(), b.bits()) else {
        let (x, y) = (a.float(), b.float());
        return Some(match operator {
            "+" => Float(x + y),
            "-" => Float(x - y),
            "*" => Float(x * y),
            "/" => Float(x / y),
            "==" => truth(x == y),
            "!=" => truth(x != y),
            "<" => truth(x < y),
            "<=" => truth(x <= y),
            ">" => truth(x > y),
            ">=" => truth(x >= y),
            _ => return None,
        });
    };
    let left_signed = matches!(a, Signed(_));
    let signed = left_signed && matches!(b, Signed(_));
    let (i, j) = (x as i64, y as i64);
    let typed = |bits: u64, signed: bool| if signed { Signed(bits as i64) } else { Unsigned(bits) };
    let order = |ordering: std::cmp::Ordering| match operator {
        "<" => ordering.is_lt(),
        "<=" => ordering.is_le(),
        ">" => ordering.is_gt(),
        _ => ordering.is_ge(),
    };
    Some(match operator {
        "+" => typed(x.wrapping_add(y), signed),
        "-" => typed(x.wrapping_sub(y), signed),
        "*" => typed(x.wrapping_mul(y), signed),
        "/" if signed => Signed(i.checked_div(j)?),
        "/" => Unsigned(x.checked_div(y)?),
        "%" if signed => Signed(i.checked_rem(j)?),
        "%" => Unsigned(x.checked_rem(y)?),
        // A shift's type is that of its left side.
        "<<" => typed(if y > 63 { 0 } else { x << y }, left_signed),
        ">>" if left_signed => Signed(i >> y.min(63)),
        ">>" => Unsigned(if y > 63 { 0 } else { x >> y }),
        "&" => typed(x & y, signed),
        "|" => typed(x | y, signed),
        "^" => typed(x ^ y, signed),
        "==" => truth(x == y),
        "!=" => truth(x != y),
        _ if signed => truth(order(i.cmp(&j))),
        _ => truth(order(x.cmp(&y))),
    })
}

fn unary(cursor: &mut Cursor<'_, '_>, depth: u32) -> Result<Value> {
    if depth > DEPTH {
        return cursor.fail("expressions are nested too deeply");
    }
    let value = match cursor.peek() {
        Is::Integer(value) => Signed(value as i64),
        Is::Unsigned(value) => Unsigned(value),
        Is::F64(bits) => Float(f64::from_bits(bits)),
        Is::F32(bits) => Float(f64::from(f32::from_bits(bits))),
        Is::Word("WARP_SZ") => Signed(32),
        // `.5`
        Is::Dot(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
            match format!("0.{digits}").parse() {
                Ok(value) => Float(value),
                Err(_) => return cursor.expected("a number"),
            }
        }
        Is::Mark(sign @ (b'-' | b'+' | b'~' | b'!')) => {
            let at = cursor.at();
            cursor.take();
            let value = unary(cursor, depth + 1)?;
            let bits = |value: Value, of: fn(u64) -> u64| match value {
                Signed(value) => Some(Signed(of(value as u64) as i64)),
                Unsigned(value) => Some(Unsigned(of(value))),
                Float(_) => None,
            };
            let result = match (sign, value) {
                (b'+', value) => Some(value),
                (b'-', Float(value)) => Some(Float(-value)),
                (b'-', value) => bits(value, u64::wrapping_neg),
                (b'~', value) => bits(value, |bits| !bits),
                (_, value) => Some(Signed(i64::from(!value.holds()))),
            };
            return match result {
                Some(value) => Ok(value),
                None => cursor.fail_at(at, "`~` is for integers"),
            };
        }
        Is::Mark(b'(') => {
            cursor.take();
            // A cast: `(.s64)`, `(.u64)`.
            if let (Is::Dot(ty), Is::Mark(b')')) = (cursor.peek(), cursor.peek_second())
                && matches!(ty, "s64" | "u64")
            {
                cursor.take();
                cursor.take();
                let value = unary(cursor, depth + 1)?;
                return Ok(match (ty, value) {
                    ("s64", Float(value)) => Signed(value as i64),
                    (_, Float(value)) => Unsigned(value as u64),
                    ("s64", value) => Signed(value.bits().unwrap_or(0) as i64),
                    (_, value) => Unsigned(value.bits().unwrap_or(0)),
                });
            }
            let value = expression(cursor, depth + 1)?;
            cursor.mark(b')')?;
            return Ok(value);
        }
        _ => return cursor.expected("a number"),
    };
    cursor.take();
    Ok(value)
}

#[cfg(test)]
mod tests {
    use crate::{Initialiser, Operand, parse};

    fn value(text: &str) -> Result<Operand<'static>, String> {
        let text = format!(".version 8.8\n.global .u64 x = {text};");
        match parse(&text) {
            Ok(module) => match module.variables[0].initialiser.as_ref().unwrap() {
                Initialiser::Value(Operand::Integer(value)) => Ok(Operand::Integer(*value)),
                Initialiser::Value(Operand::F64(value)) => Ok(Operand::F64(*value)),
                other => Err(format!("{other:?}")),
            },
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn integers_follow_c() {
        for (text, wanted) in [
            ("1 + 2 * 3", 7),
            ("(1<<4)|3", 19),
            ("-7 / 2", -3),
            ("-7 % 4", -3),
            ("-1 >> 60", -1),
            ("0xffffffffffffffff >> 60", 15),
            ("-8 >> 1U", -4),
            ("1 < 2 == 1", 1),
            ("-1 < 1U", 0),
            ("5 & 6 ^ 1 | 8", 13),
            ("~0 && !0", 1),
            ("0 || 0 ? 4 : 3 - 1", 2),
            ("(.u64)-1 / 2", i64::MAX),
            ("(.s64)1.9", 1),
            ("WARP_SZ - 1", 31),
            ("1 << 64", 0),
            ("- - 3", 3),
            ("010 + 0b11 + 0x1F + 7U", 49),
        ] {
            assert_eq!(value(text), Ok(Operand::Integer(wanted as u64)), "{text}");
        }
    }

    #[test]
    fn floats_are_doubles() {
        for (text, wanted) in [("1.5 + 1", 2.5), ("-.5", -0.5), ("3. / 2", 1.5), ("0d3FF0000000000000", 1.0)]
        {
            assert_eq!(value(text), Ok(Operand::F64(f64::to_bits(wanted))), "{text}");
        }
        assert_eq!(value("1.5 > 1"), Ok(Operand::Integer(1)));
    }

    #[test]
    fn what_has_no_value_is_refused() {
        for text in ["1 / 0", "1 % 0", "(-9223372036854775807 - 1) / -1", "1.5 & 1", "~1.5", "1 +", "(1"] {
            assert!(value(text).is_err(), "{text}");
        }
        for text in ["(".repeat(100_000), "-".repeat(100_000), "1?".repeat(100_000), "1+(".repeat(100_000)] {
            assert!(value(&text).is_err_and(|error| error.contains("too deep")));
        }
    }
}
