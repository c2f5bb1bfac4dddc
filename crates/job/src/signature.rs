//! Arguments that do not match their parameters, as errors of a launch.
//!
//! Enters: a kernel's name in the module, and arguments. Leaves: an error for each argument that the PTX would take but the C++
//! source does not: a number for a pointer, a pointer for a number, an f16 for a `__nv_bfloat16`, integers for a `float4`. What
//! the PTX shows, the device reports itself.

use device::{Arg, SimtError};
use harness::{Passed, Signature, Taken};

/// Errors of the arguments that are not of their parameters' types, in their order.
pub(crate) fn problems<B>(kernel: &str, args: &[Arg<B>]) -> Vec<SimtError> {
    let Some(signature) = Signature::of(kernel) else { return vec![] };
    let passed: Vec<Passed<'_>> = args.iter().map(Passed::of).collect();
    let mismatches = signature.mismatches(&passed).filter(|found| !found.in_ptx);
    let problem = |found: harness::Mismatch| {
        let (number, is) = (found.place + 1, args[found.place].name());
        let pass = match found.taken {
            Taken::Address => "a buffer or a null pointer".to_owned(),
            Taken::I64 => "an i64".to_owned(),
            Taken::Value(ty) if ty.starts_with(['i', 'f', 'e']) => format!("an {ty}"),
            Taken::Value(ty) => format!("a {ty}"),
            Taken::Other => return None,
        };
        let message = format!("argument {number} is {is}, but the parameter is `{}`: pass {pass}", found.ty);
        Some(SimtError::BadArguments { kernel: kernel.to_owned(), message })
    };
    mismatches.filter_map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use device::{Class, Value};

    /// The kernel `k` with one parameter of a mangled type.
    fn reported(ty: &str, arg: Arg<()>) -> String {
        let reported = problems(&format!("_Z1k{ty}"), &[arg]);
        reported.first().map(ToString::to_string).unwrap_or_default()
    }

    fn value(ty: &str) -> Arg<()> {
        Arg::Value(Value { ty: ty.into(), class: Class::Packed, align: 2, bytes: vec![0; 2] })
    }

    fn buffer() -> Arg<()> {
        Arg::Buffer { buffer: (), offset: 0 }
    }

    #[test]
    fn a_number_is_not_a_pointer_and_a_pointer_is_not_a_signed_number() {
        for arg in [Arg::U64(0), Arg::I64(1), Arg::F64(1.0)] {
            assert!(
                reported("PKf", arg.clone()).ends_with("`const float *`: pass a buffer or a null pointer")
            );
            assert_eq!(reported("y", arg), "");
        }
        for arg in [buffer(), Arg::Null] {
            assert!(reported("x", arg.clone()).ends_with("the parameter is `long long`: pass an i64"));
            assert_eq!((reported("Pf", arg.clone()), reported("y", arg)), (String::new(), String::new()));
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
            assert!(reported(ty, value(arg)).contains(words), "{ty} {arg}: {}", reported(ty, value(arg)));
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
            assert_eq!(reported(ty, value(arg)), "", "{ty} {arg}");
        }
        assert_eq!(reported("6float4", Arg::Bytes(vec![0; 16])), "");
    }

    #[test]
    fn every_parameter_is_reported_and_templates_are_resolved() {
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
