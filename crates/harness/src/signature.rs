//! Arguments against the parameters of a kernel's declaration.
//!
//! Enters: a kernel's name in its module, which encodes the types of its parameters, and the kinds of its arguments. Leaves: the
//! arguments that do not match. A type that says nothing about what is passed, such as a class, matches anything, and a name
//! that is not mangled has no types. This module must never know how a message is phrased.

use device::Arg;

/// Kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed<'a> {
    /// An address; where it is known, that of elements of this type.
    Address(Option<Number>),
    /// A number.
    Number(Number),
    /// A number or vector of a type of job files, such as `bf16` or `f32x4`.
    Value(&'a str),
    /// The members of a struct.
    Struct,
    /// Bytes, or a handle, of which nothing else is known.
    Opaque,
}

impl<'a> Passed<'a> {
    /// The kind of a launch's argument. A device knows no type of a buffer's elements.
    pub fn of<B>(arg: &'a Arg<B>) -> Self {
        match arg {
            Arg::Buffer { .. } | Arg::Null => Passed::Address(None),
            Arg::I32(_) | Arg::U32(_) => Passed::Number(Number::Integer(4)),
            Arg::I64(_) | Arg::U64(_) | Arg::Pitch { .. } => Passed::Number(Number::Integer(8)),
            Arg::F32(_) => Passed::Number(Number::Float(4)),
            Arg::F64(_) => Passed::Number(Number::Float(8)),
            Arg::Value(value) => Passed::Value(&value.ty),
            Arg::Struct(_) | Arg::Bytes(_) => Passed::Opaque,
        }
    }
}

/// A type of numbers: its kind and its bytes. Signs make no difference to what may be passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer.
    Integer(usize),
    /// A floating-point number.
    Float(usize),
}

impl Number {
    /// The number that a type of C is.
    fn of(ty: &str) -> Option<Self> {
        Some(match ty {
            "bool" | "char" | "signed char" | "unsigned char" => Number::Integer(1),
            "short" | "unsigned short" => Number::Integer(2),
            "int" | "unsigned int" => Number::Integer(4),
            "long" | "unsigned long" | "long long" | "unsigned long long" => Number::Integer(8),
            "float" => Number::Float(4),
            "double" => Number::Float(8),
            _ => return None,
        })
    }

    /// The number that C has for a scalar type of job files. It has an integer for one of 8 bits that is not a `char`.
    fn of_value(ty: &str) -> Option<Self> {
        Some(match ty {
            "bool" | "i8" | "u8" | "e4m3" | "e5m2" => Number::Integer(1),
            "i16" | "u16" => Number::Integer(2),
            "i32" | "u32" => Number::Integer(4),
            "i64" | "u64" => Number::Integer(8),
            "f16" | "bf16" => Number::Float(2),
            "f32" => Number::Float(4),
            "f64" => Number::Float(8),
            _ => return None,
        })
    }
}

/// What a parameter takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// An address.
    Address,
    /// An integer of 64 bits that is not an address.
    I64,
    /// A value of a type of job files, such as `bf16` or `f32x4`.
    Value(String),
    /// Anything else.
    Other,
}

/// An argument that does not match its parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The argument's place, from 0.
    pub place: usize,
    /// The parameter's type, as C writes it.
    pub ty: String,
    /// What the parameter takes.
    pub taken: Taken,
    /// Whether the PTX has different parameters for the two, so that a device refuses the launch as well.
    pub in_ptx: bool,
}

/// The types of a kernel's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Vec<String>);

impl Signature {
    /// The types in a kernel's mangled name.
    pub fn of(kernel: &str) -> Option<Signature> {
        names::parameters(kernel).map(Signature)
    }

    /// How many parameters there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The arguments that do not match, in their order; of another number of arguments, none.
    pub fn mismatches<'a>(&'a self, args: &'a [Passed<'a>]) -> impl Iterator<Item = Mismatch> + 'a {
        let comparable = args.len() == self.0.len();
        let pairs = self.0.iter().zip(args).enumerate().filter(move |_| comparable);
        pairs.filter_map(|(place, (ty, arg))| {
            let (taken, in_ptx) = mismatch(ty, *arg)?;
            Some(Mismatch { place, ty: names::in_c(ty), taken, in_ptx })
        })
    }
}

/// A type without what makes no difference to a value of it.
fn plain(ty: &str) -> &str {
    [" const", " volatile"].iter().fold(ty, |ty, word| ty.strip_suffix(word).unwrap_or(ty))
}

/// What a parameter takes instead of an argument that does not match, and whether the PTX shows that, too.
fn mismatch(ty: &str, arg: Passed<'_>) -> Option<(Taken, bool)> {
    let ty = plain(ty);
    if let Some(pointee) = ty.strip_suffix(['*', '&']) {
        let pointee = pointee.trim_end_matches(" const").trim_end_matches(" volatile");
        return match arg {
            Passed::Number(_) | Passed::Value(_) => Some((Taken::Address, false)),
            Passed::Struct => Some((Taken::Address, true)),
            Passed::Address(Some(of)) => {
                Number::of(pointee).is_some_and(|wanted| wanted != of).then_some((Taken::Address, false))
            }
            Passed::Address(None) | Passed::Opaque => None,
        };
    }
    if let Some(number) = Number::of(ty) {
        return match arg {
            Passed::Value("bool" | "u8") if ty == "bool" => None,
            Passed::Value(_) if ty == "bool" => Some((Taken::Value("bool".to_owned()), false)),
            Passed::Value(value) => (Number::of_value(value) != Some(number)).then_some((Taken::Other, true)),
            Passed::Number(other) => (other != number).then_some((Taken::Other, true)),
            // `unsigned long long` is also how the driver's API has pointers.
            Passed::Address(_) if matches!(ty, "long" | "long long") => Some((Taken::I64, false)),
            Passed::Address(_) => (number != Number::Integer(8)).then_some((Taken::Other, true)),
            Passed::Struct => Some((Taken::Other, true)),
            Passed::Opaque => None,
        };
    }
    match (arg, value_of(ty)) {
        (Passed::Value(value), Some(of)) if value != of => Some((Taken::Value(of), false)),
        _ => None,
    }
}

/// The type of a job file for a half or vector type of C.
fn value_of(ty: &str) -> Option<String> {
    let one = |ty: &str| Some(ty.to_owned());
    match ty {
        "__half" => return one("f16"),
        "__nv_bfloat16" => return one("bf16"),
        "__half2" => return one("f16x2"),
        "__nv_bfloat162" => return one("bf16x2"),
        "__nv_fp8_e4m3" => return one("e4m3"),
        "__nv_fp8_e5m2" => return one("e5m2"),
        _ => {}
    }
    let (name, lanes) = ty.split_at_checked(ty.len().checked_sub(1)?)?;
    let scalar = match name {
        "char" => "i8",
        "uchar" => "u8",
        "short" => "i16",
        "ushort" => "u16",
        "int" => "i32",
        "uint" => "u32",
        "longlong" => "i64",
        "ulonglong" => "u64",
        "float" => "f32",
        "double" => "f64",
        _ => return None,
    };
    match lanes {
        "1" => one(scalar),
        "2" | "3" | "4" => Some(format!("{scalar}x{lanes}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ty: &str, arg: Passed<'_>) -> Option<(Taken, bool)> {
        let kernel = Signature::of(&format!("_Z1k{ty}")).expect("a mangled name");
        kernel.mismatches(&[arg]).next().map(|found| (found.taken, found.in_ptx))
    }

    #[test]
    fn a_number_is_not_an_address_and_an_address_is_not_a_signed_number() {
        let float = Passed::Address(Some(Number::Float(4)));
        for (ty, arg, expected) in [
            ("PKf", Passed::Number(Number::Integer(8)), Some((Taken::Address, false))),
            ("PKf", Passed::Value("f16"), Some((Taken::Address, false))),
            ("PKf", float, None),
            ("PKi", float, Some((Taken::Address, false))),
            ("Pv", float, None),
            ("x", float, Some((Taken::I64, false))),
            ("y", float, None),
            ("i", float, Some((Taken::Other, true))),
            ("PKf", Passed::Struct, Some((Taken::Address, true))),
            ("PKf", Passed::Opaque, None),
        ] {
            assert_eq!(of(ty, arg), expected, "{ty} {arg:?}");
        }
    }

    #[test]
    fn numbers_of_other_bytes_are_seen_in_the_ptx_and_halves_and_vectors_are_not() {
        let value = |ty: &str| Some((Taken::Value(ty.to_owned()), false));
        for (ty, arg, expected) in [
            ("i", Passed::Number(Number::Integer(4)), None),
            ("f", Passed::Number(Number::Integer(4)), Some((Taken::Other, true))),
            ("s", Passed::Value("u16"), None),
            ("s", Passed::Value("f16"), Some((Taken::Other, true))),
            ("h", Passed::Value("e4m3"), None),
            ("b", Passed::Value("i8"), value("bool")),
            ("b", Passed::Value("u8"), None),
            ("6__half", Passed::Value("bf16"), value("f16")),
            ("6__half", Passed::Value("f16"), None),
            ("6float4", Passed::Value("i32x4"), value("f32x4")),
            ("6Matrix", Passed::Value("i32x4"), None),
            ("6float4", Passed::Opaque, None),
        ] {
            assert_eq!(of(ty, arg), expected, "{ty} {arg:?}");
        }
    }
}
