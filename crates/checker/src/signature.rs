//! Arguments against the parameters that a kernel's declaration has, in the words of C.
//!
//! Enters: a kernel's name in its module, which encodes the types of its parameters, and what a setup passes. Leaves: the first
//! argument that does not match. This module must never know what runs.

use exercise::argument::Argument;
use exercise::manifest::Setup;
use harness::{Number, Passed, Signature};
use scalar::Scalar;

/// Mismatch in words.
pub(crate) fn problem(kernel: &str, args: &[Argument], setup: Setup<'_>) -> Option<String> {
    let signature = Signature::of(kernel)?;
    let name = names::shown(kernel);
    let name = name.split('(').next().unwrap_or_default();
    if signature.count() != args.len() {
        let passed: Vec<String> = args.iter().map(|arg| format!("`{}`", in_c(arg, setup))).collect();
        let passed = if passed.is_empty() { "none".to_owned() } else { passed.join(", ") };
        let parameters = match signature.count() {
            1 => "1 parameter".to_owned(),
            count => format!("{count} parameters"),
        };
        return Some(format!("`{name}` has {parameters}, but is given {}: {passed}", args.len()));
    }
    let passed: Vec<Passed<'_>> = args.iter().map(|arg| passed(arg, setup)).collect();
    let found = signature.mismatches(&passed).next()?;
    let given = in_c(&args[found.place], setup);
    Some(format!("parameter {} of `{name}` is `{}`, but is given `{given}`", found.place + 1, found.ty))
}

/// Kernels of a module, for an error; of many, the first.
pub(crate) fn listed(kernels: &[String]) -> String {
    let list = names::listed_as(kernels.iter().map(String::as_str), declared);
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

/// A kernel's name with the types of its parameters.
fn declared(kernel: &str) -> String {
    let name = names::shown(kernel);
    match names::parameters(kernel) {
        Some(types) => {
            let types: Vec<String> = types.iter().map(|ty| names::in_c(ty)).collect();
            format!("{}({})", name.split('(').next().unwrap_or_default(), types.join(", "))
        }
        None => name.into_owned(),
    }
}

/// Kind of an argument.
fn passed<'a>(arg: &Argument, setup: Setup<'_>) -> Passed<'a> {
    match arg {
        Argument::Buffer(name, _) if setup.texture(name).is_some() => Passed::Opaque,
        Argument::Buffer(name, _) => {
            Passed::Address(setup.buffer(name).map(|(_, buffer)| element(buffer.ty)))
        }
        Argument::Struct(_) => Passed::Struct,
        Argument::Int(_) | Argument::Unsigned(_) => Passed::Number(Number::Integer(4)),
        Argument::Size(_) => Passed::Number(Number::Integer(8)),
        Argument::Number(ty, _) => Passed::Value(ty.name()),
        Argument::Float(_) | Argument::Real(_) => Passed::Number(Number::Float(4)),
    }
}

/// The number that an element of a buffer is to a kernel.
fn element(ty: Scalar) -> Number {
    match ty {
        // A kernel here takes them as bytes.
        Scalar::E4m3 | Scalar::E5m2 => Number::Integer(1),
        _ if ty.is_float() => Number::Float(ty.bytes()),
        _ => Number::Integer(ty.bytes()),
    }
}

/// Type of an argument, as C writes it.
fn in_c(arg: &Argument, setup: Setup<'_>) -> String {
    match arg {
        Argument::Buffer(name, _) => match setup.buffer(name) {
            Some((_, buffer)) => format!("{} *", buffer.ty.in_c()),
            None => "cudaTextureObject_t".to_owned(),
        },
        Argument::Int(_) => "int".to_owned(),
        Argument::Unsigned(_) => "unsigned".to_owned(),
        Argument::Size(_) => "size_t".to_owned(),
        Argument::Float(_) | Argument::Real(_) => "float".to_owned(),
        Argument::Number(ty, _) => ty.in_c().to_owned(),
        Argument::Struct(_) => "struct".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exercise::manifest::Manifest;

    /// Message about a kernel `k` with these parameters, mangled.
    fn reported(parameters: &str, args: &[&str]) -> Option<String> {
        const TEXT: &str = r#"
[[exercise]]
name = "one"
chapter = "linear-memory"
title = "One"
points = 1
cases = [{ n = 1 }]
hidden.n = { from = 1, to = 2 }
buffers = [{ name = "x", type = "f32", len = "n" }, { name = "flags", type = "u8", len = "n" }]
steps = [{ launch = { kernel = "k", grid = [1], block = [1], args = [] } }]
reference = { threads = "n", args = [] }
compare = []
hints = [{ on = "any", tiers = ["a", "b", "c"] }]
attempts = []
"#;
        let manifest = Manifest::parse(TEXT).expect("well-formed");
        let args: Vec<Argument> = args.iter().map(|arg| Argument::parse(arg).expect("an argument")).collect();
        problem(&format!("_Z1k{parameters}"), &args, manifest.exercises[0].setup())
    }

    #[test]
    fn a_mismatch_is_reported_in_c() {
        for (parameters, args, says) in [
            ("PKfPd", &["x", "x"][..], "parameter 2 of `k` is `double *`, but is given `float *`"),
            ("PKii", &["x", "int 1"], "parameter 1 of `k` is `const int *`, but is given `float *`"),
            ("Pi", &["flags"], "parameter 1 of `k` is `int *`, but is given `unsigned char *`"),
            ("Pfl", &["x", "int 1"], "parameter 2 of `k` is `long`, but is given `int`"),
            ("Pff", &["x", "int 1"], "parameter 2 of `k` is `float`, but is given `int`"),
            ("Pfs", &["x", "double 1"], "parameter 2 of `k` is `short`, but is given `double`"),
            ("Pfi", &["x", "size_t 1"], "parameter 2 of `k` is `int`, but is given `size_t`"),
            ("fPf", &["x", "x"], "parameter 1 of `k` is `float`, but is given `float *`"),
            ("PfS_", &["x", "float 1"], "parameter 2 of `k` is `float *`, but is given `float`"),
            ("Pf", &["x", "int 1"], "`k` has 1 parameter, but is given 2: `float *`, `int`"),
            ("v", &["x"], "`k` has 0 parameters, but is given 1: `float *`"),
            ("Pf", &[], "`k` has 1 parameter, but is given 0: none"),
        ] {
            assert_eq!(reported(parameters, args).as_deref(), Some(says), "{parameters}");
        }
    }

    #[test]
    fn what_may_be_meant_fits() {
        for (parameters, args) in [
            ("PKfPfi", &["x", "x", "int 1"][..]),
            ("PfKi", &["x", "int 1"]),
            ("Pfj", &["x", "int 1"]),
            ("Pfd", &["x", "double 1"]),
            ("Pf6__half", &["x", "half 1"]),
            ("Pvm", &["x", "size_t 1"]),
            ("PK6float4", &["x"]),
            ("P6Spherei", &["x", "int 1"]),
            ("Pcy", &["flags", "x"]),
            ("4Args", &["struct { size_t 1; x }"]),
        ] {
            assert_eq!(reported(parameters, args), None, "{parameters}");
        }
    }
}
