//! Arguments against the parameters that a kernel's declaration has, in the words of C.
//!
//! Enters: a kernel's name in its module, which encodes the types of its parameters, and what a setup passes. Leaves: what does
//! not fit. Types that say nothing about what is passed, such as structs, fit. This module must never know what runs.

use exercise::argument::Argument;
use exercise::manifest::Setup;
use scalar::Scalar;

/// Mismatch in words.
pub(crate) fn problem(kernel: &str, args: &[Argument], setup: Setup<'_>) -> Option<String> {
    let types = names::parameters(kernel)?;
    let name = names::shown(kernel);
    let name = name.split('(').next().unwrap_or_default();
    if types.len() != args.len() {
        let passed: Vec<String> = args.iter().map(|arg| format!("`{}`", passed(arg, setup))).collect();
        let passed = if passed.is_empty() { "none".to_owned() } else { passed.join(", ") };
        let parameters =
            if types.len() == 1 { "1 parameter".to_owned() } else { format!("{} parameters", types.len()) };
        return Some(format!("`{name}` has {parameters}, but is given {}: {passed}", args.len()));
    }
    let mut pairs = (1..).zip(types.iter().zip(args));
    let (number, (ty, arg)) = pairs.find(|(_, (ty, arg))| !fits(ty, arg, setup))?;
    Some(format!(
        "parameter {number} of `{name}` is `{}`, but is given `{}`",
        names::in_c(ty),
        passed(arg, setup)
    ))
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

fn fits(ty: &str, arg: &Argument, setup: Setup<'_>) -> bool {
    let plain = ty.strip_suffix(" const").unwrap_or(ty);
    let pointee =
        plain.strip_suffix(['*', '&']).map(|of| of.trim_end_matches(" const").trim_end_matches(" volatile"));
    let number = Number::of(plain);
    match arg {
        Argument::Buffer(name, _) if setup.texture(name).is_some() => true,
        Argument::Buffer(name, _) => match (pointee, number, setup.buffer(name)) {
            (Some(of), _, Some((_, buffer))) => Number::of(of).is_none_or(|of| of == Number::held(buffer.ty)),
            // An address is a number, too, of as many bytes.
            (None, Some(number), _) => number == Number::Integer(8),
            _ => true,
        },
        Argument::Struct(_) => pointee.is_none() && number.is_none(),
        Argument::Int(_) | Argument::Unsigned(_) => {
            pointee.is_none() && number.is_none_or(|one| one == Number::Integer(4))
        }
        Argument::Size(_) => pointee.is_none() && number.is_none_or(|one| one == Number::Integer(8)),
        Argument::Number(ty, _) => pointee.is_none() && number.is_none_or(|one| one == Number::held(*ty)),
        Argument::Float(_) | Argument::Real(_) => {
            pointee.is_none() && number.is_none_or(|one| one == Number::Float(4))
        }
    }
}

/// Type of an argument, as C writes it.
fn passed(arg: &Argument, setup: Setup<'_>) -> String {
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

/// A type of numbers: its kind and its bytes. Signs make no difference to what may be passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Integer(usize),
    Float(usize),
}

impl Number {
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

    fn held(ty: Scalar) -> Self {
        match ty {
            // A kernel here takes them as bytes.
            Scalar::E4m3 | Scalar::E5m2 => Number::Integer(1),
            _ if ty.is_float() => Number::Float(ty.bytes()),
            _ => Number::Integer(ty.bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exercise::manifest::Manifest;

    /// Message about a kernel `k` with these parameters, mangled.
    fn told(parameters: &str, args: &[&str]) -> Option<String> {
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
            assert_eq!(told(parameters, args).as_deref(), Some(says), "{parameters}");
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
            assert_eq!(told(parameters, args), None, "{parameters}");
        }
    }
}
