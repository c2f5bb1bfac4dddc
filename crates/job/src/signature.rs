//! Arguments against the parameters of the C++ source, as far as a kernel's mangled name tells their types.
//!
//! Enters: a kernel's name in the module, and arguments. Leaves: the arguments that cannot be meant, though the PTX would
//! take them: a number for a pointer, a pointer for a number, an f16 for a `__nv_bfloat16`, integers for a `float4`. Types
//! that are no fundamental, vector or half type say nothing, and neither do names that are not mangled.

use device::{Arg, SimtError};

/// Errors of the arguments that are not of their parameters' types, in their order.
pub(crate) fn problems<B>(kernel: &str, args: &[Arg<B>]) -> Vec<SimtError> {
    let types = names::parameters(kernel).unwrap_or_default();
    if types.len() != args.len() {
        return vec![];
    }
    let problem = |(n, (ty, arg)): (usize, (&String, &Arg<B>))| {
        let pass = wanted(plain(ty), arg)?;
        let (is, ty) = (arg.name(), names::in_c(ty));
        let message = format!("argument {n} is {is}, but the parameter is `{ty}`: pass {pass}");
        Some(SimtError::BadArguments { kernel: kernel.to_owned(), message })
    };
    (1..).zip(types.iter().zip(args)).filter_map(problem).collect()
}

/// A type without what makes no difference to a value of it.
fn plain(ty: &str) -> &str {
    let words = [" const", " volatile"];
    words.iter().fold(ty, |ty, word| ty.strip_suffix(word).unwrap_or(ty))
}

/// What to pass instead of an argument that cannot be meant for a type; nothing if it can.
fn wanted<B>(ty: &str, arg: &Arg<B>) -> Option<String> {
    let is_number = matches!(
        arg,
        Arg::I32(_)
            | Arg::U32(_)
            | Arg::I64(_)
            | Arg::U64(_)
            | Arg::F32(_)
            | Arg::F64(_)
            | Arg::Value(_)
            | Arg::Pitch { .. }
    );
    let is_pointer = matches!(arg, Arg::Buffer { .. } | Arg::Null);
    if ty.ends_with(['*', '&']) {
        return is_number.then(|| "a buffer or a null pointer".to_owned());
    }
    // `unsigned long long` is also how the driver's API has pointers.
    if is_pointer && matches!(ty, "long" | "long long") {
        return Some("an i64".to_owned());
    }
    let Arg::Value(value) = arg else { return None };
    let of = of_value(ty)?;
    (value.ty != of && !(ty == "bool" && value.ty == "u8")).then(|| {
        let article = if of.starts_with(['i', 'f', 'e']) { "an" } else { "a" };
        format!("{article} {of}")
    })
}

/// The type of a job file for one of the source that is passed as [`Arg::Value`], but for integers, of which the sign makes
/// no difference.
fn of_value(ty: &str) -> Option<String> {
    let one = |ty: &str| Some(ty.to_owned());
    match ty {
        "__half" => return one("f16"),
        "__nv_bfloat16" => return one("bf16"),
        "__half2" => return one("f16x2"),
        "__nv_bfloat162" => return one("bf16x2"),
        "__nv_fp8_e4m3" => return one("e4m3"),
        "__nv_fp8_e5m2" => return one("e5m2"),
        "bool" => return one("bool"),
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
    use device::{Class, Value};

    /// The kernel `k` with one parameter of a mangled type.
    fn told(ty: &str, arg: Arg<()>) -> String {
        let told = problems(&format!("_Z1k{ty}"), &[arg]);
        told.first().map(ToString::to_string).unwrap_or_default()
    }

    fn value(ty: &str) -> Arg<()> {
        Arg::Value(Value { ty: ty.into(), class: Class::Packed, align: 2, bytes: vec![0; 2] })
    }

    fn buffer() -> Arg<()> {
        Arg::Buffer { buffer: (), offset: 0 }
    }

    #[test]
    fn a_number_is_no_pointer_and_a_pointer_no_signed_number() {
        for arg in [Arg::U64(0), Arg::I64(1), Arg::F64(1.0)] {
            assert!(told("PKf", arg.clone()).ends_with("`const float *`: pass a buffer or a null pointer"));
            assert_eq!(told("y", arg), "");
        }
        for arg in [buffer(), Arg::Null] {
            assert!(told("x", arg.clone()).ends_with("the parameter is `long long`: pass an i64"));
            assert_eq!((told("Pf", arg.clone()), told("y", arg)), (String::new(), String::new()));
        }
    }

    #[test]
    fn halves_and_vectors_are_of_their_own_types() {
        for (ty, arg, words) in [
            ("6__half", "bf16", "argument 1 is a bf16, but the parameter is `__half`: pass an f16"),
            ("6__half", "u16", "pass an f16"),
            ("13__nv_bfloat16", "f16", "pass a bf16"),
            ("13__nv_fp8_e5m2", "e4m3", "pass an e5m2"),
            ("6float4", "i32x4", "pass an f32x4"),
            ("6float4", "f64x2", "pass an f32x4"),
            ("5uint2", "i32x2", "pass a u32x2"),
            ("9longlong2", "f64x2", "pass an i64x2"),
        ] {
            assert!(told(ty, value(arg)).contains(words), "{ty} {arg}: {}", told(ty, value(arg)));
        }
        for (ty, arg) in [
            ("6__half", "f16"),
            ("13__nv_bfloat16", "bf16"),
            ("6float4", "f32x4"),
            ("b", "bool"),
            ("b", "u8"),
            ("s", "u16"),
            ("6Matrix", "f32x4"),
        ] {
            assert_eq!(told(ty, value(arg)), "", "{ty} {arg}");
        }
        assert_eq!(told("6float4", Arg::Bytes(vec![0; 16])), "");
    }

    #[test]
    fn every_parameter_is_told_and_templates_are_resolved() {
        // ns::scale<float>(float*, float, int)
        let found = problems("_ZN2ns5scaleIfEEvPT_S1_i", &[Arg::<()>::U64(1), Arg::F32(1.0), Arg::I32(1)]);
        assert!(matches!(&found[..], [one] if one.to_string().contains("`float *`")), "{found:?}");
        let nothing = |name: &str| problems(name, &[Arg::<()>::U64(1)]).is_empty();
        assert!(nothing("plain") && nothing("_ZN2ns5scaleIfEEvPT_S1_i") && nothing("_Z1kv"));
        assert_eq!(names::parameters("_Z1kv"), Some(vec![]));
        let nested = names::parameters("_Z1kSt4pairIiPfEPFvidE");
        assert_eq!(nested, Some(vec!["std::pair<int, float*>".into(), "void (*)(int, double)".into()]));
    }
}
