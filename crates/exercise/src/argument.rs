//! A kernel's argument: what it is, from its text and to it.
//!
//! Enters: a text such as `in[4]`, `int n` or `struct { size_t n; in }`. Leaves: a buffer, formulas, numbers. This module must never
//! know what a kernel does with them.

use crate::expression::{Expression, is_word};
use scalar::{Number, Scalar};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A buffer's address, this many elements past its start; or a texture object, without these.
    Buffer(String, Expression),
    /// `int`.
    Int(Expression),
    /// `unsigned`.
    Unsigned(Expression),
    /// `size_t`.
    Size(Expression),
    /// `float`.
    Float(f32),
    /// `float`, by a formula whose quotients are not rounded.
    Real(Expression),
    /// A number of any format, that it can hold.
    Number(Scalar, Number),
    /// A struct by value, with its members in their order.
    Struct(Vec<Argument>),
}

/// Depth to which structs may be nested.
const DEEPEST: u32 = 8;

impl Argument {
    /// An argument from its text.
    ///
    /// # Errors
    /// The defect of a text that cannot be read, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::nested(text, 0)
    }

    fn nested(text: &str, depth: u32) -> Result<Self, String> {
        let text = text.trim();
        let formula = |text: &str| Expression::parse(text.trim()).map_err(|error| error.to_string());
        if let Some((ty, value)) = text.rsplit_once(' ').and_then(|(ty, value)| Some((format(ty)?, value))) {
            let whole = value.parse().map(Number::Int);
            let number = whole.or_else(|_| value.parse().map(Number::Float));
            let number = number.map_err(|_| format!("`{value}` is not a number"))?;
            ty.encode(number)?;
            return Ok(Argument::Number(ty, number));
        }
        let (ty, value) = text.split_once([' ', '{']).unwrap_or((text, ""));
        Ok(match ty {
            "int" => Argument::Int(formula(value)?),
            "unsigned" => Argument::Unsigned(formula(value)?),
            "size_t" => Argument::Size(formula(value)?),
            "float" => match value.trim().parse() {
                Ok(number) => Argument::Float(number),
                Err(_) => Argument::Real(formula(value)?),
            },
            "struct" => {
                let inside =
                    text[ty.len()..].trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
                let inside = inside
                    .filter(|_| depth < DEEPEST)
                    .ok_or_else(|| format!("`{text}` is not a struct in braces"))?;
                let members = members(inside).into_iter().map(str::trim).filter(|member| !member.is_empty());
                let members =
                    members.map(|member| Self::nested(member, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                if members.is_empty() {
                    return Err(format!("`{text}` has no members"));
                }
                Argument::Struct(members)
            }
            _ => {
                let (buffer, offset) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
                    Some((buffer, offset)) => (buffer, formula(offset)?),
                    None => (text, Expression::number(0)),
                };
                if !is_word(buffer) {
                    return Err(format!("`{text}` is neither a buffer's name nor a type with a value"));
                }
                Argument::Buffer(buffer.to_owned(), offset)
            }
        })
    }

    /// Whether it is, or has as a member, the address of this buffer, or this texture object.
    pub fn names_buffer(&self, name: &str) -> bool {
        match self {
            Argument::Buffer(buffer, _) => buffer == name,
            Argument::Struct(members) => members.iter().any(|member| member.names_buffer(name)),
            Argument::Int(_)
            | Argument::Unsigned(_)
            | Argument::Size(_)
            | Argument::Float(_)
            | Argument::Real(_)
            | Argument::Number(..) => false,
        }
    }
}

/// The format that an argument's type names as CUDA C does, or as a buffer's type; none for `int`, `unsigned` and `float`, whose values
/// may be formulas.
fn format(ty: &str) -> Option<Scalar> {
    let is_it = |scalar: &Scalar| {
        let name = scalar.in_c();
        [scalar.name(), name, name.trim_start_matches('_')].contains(&ty)
    };
    Scalar::ALL.into_iter().find(is_it).filter(|_| !["int", "unsigned", "float"].contains(&ty))
}

/// The parts between semicolons outside braces.
fn members(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (vec![], 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Buffer(name, offset) if *offset == Expression::number(0) => f.write_str(name),
            Argument::Buffer(name, offset) => write!(f, "{name}[{offset}]"),
            Argument::Int(value) => write!(f, "int {value}"),
            Argument::Unsigned(value) => write!(f, "unsigned {value}"),
            Argument::Size(value) => write!(f, "size_t {value}"),
            Argument::Float(value) => write!(f, "float {value}"),
            Argument::Real(value) => write!(f, "float {value}"),
            Argument::Number(ty, value) => write!(f, "{ty} {value}"),
            Argument::Struct(members) => {
                f.write_str("struct {")?;
                for (at, member) in members.iter().enumerate() {
                    f.write_str(if at == 0 { " " } else { "; " })?;
                    member.fmt(f)?;
                }
                f.write_str(" }")
            }
        }
    }
}

impl Serialize for Argument {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Argument::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_format_are_arguments() {
        for (text, ty, number) in [
            ("double 0.5", Scalar::F64, Number::Float(0.5)),
            ("f64 -1", Scalar::F64, Number::Int(-1)),
            ("unsigned char 255", Scalar::U8, Number::Int(255)),
            ("long long -9223372036854775808", Scalar::I64, Number::Int(i64::MIN.into())),
            ("half 0.1", Scalar::F16, Number::Float(0.1)),
            ("__nv_bfloat16 3", Scalar::Bf16, Number::Int(3)),
            ("u32 7", Scalar::U32, Number::Int(7)),
        ] {
            let found = Argument::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(found, Argument::Number(ty, number), "{text}");
            assert_eq!(Argument::parse(&found.to_string()), Ok(found), "{text}");
        }
        for (text, says) in [
            ("short 40000", "40000 does not fit i16"),
            ("short 0.5", "0.5 is not an integer"),
            ("half 70000", "more than an f16 can hold"),
            ("double x", "`x` is not a number"),
        ] {
            assert!(Argument::parse(text).is_err_and(|error| error.contains(says)), "{text}");
        }
        let n = Expression::parse("n").expect("a formula");
        assert_eq!(Argument::parse("int n"), Ok(Argument::Int(n.clone())));
        assert_eq!(Argument::parse("float n"), Ok(Argument::Real(n)));
    }
}
