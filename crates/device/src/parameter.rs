//! Arguments against the parameters that a kernel declares, for both devices.
//!
//! Enters: parameters as the PTX declares them, and arguments. Leaves: the arguments that cannot be meant, such as one of
//! another size, a float for an integer, or a number for what is said to be a pointer (`.ptr`). What the PTX does not state is
//! accepted: `.b32` holds anything of four bytes, an array of bytes any struct, `.u64` a pointer or a number. This module
//! must never know a device.
//!
//! nvcc, NVRTC and Clang declare `.u32` for `int` and `unsigned` alike, `.u64` for `long long` and pointers, `.f32`
//! and `.f64` for `float` and `double`, `.u8` for `bool`, and `.align n .b8 name[size]` for every struct, `float4`,
//! `__half` and `__nv_bfloat16` among them.

use crate::arg::{Arg, Class};
use crate::error::{Error, Result};
use simt::Parameter;

/// Checks the arguments of a launch; `sizes` are those that they take in memory.
///
/// # Errors
/// [`simt::Error::BadArguments`], for the first that does not fit.
pub(crate) fn check(kernel: &str, parameters: &[Parameter], args: &[Arg], sizes: &[usize]) -> Result<()> {
    problems(kernel, parameters, args, sizes).into_iter().next().map_or(Ok(()), Err)
}

/// An error for each argument that does not fit, or one for a wrong number of them.
pub(crate) fn problems(kernel: &str, parameters: &[Parameter], args: &[Arg], sizes: &[usize]) -> Vec<Error> {
    let refused = |message| Error::Simt(simt::Error::BadArguments { kernel: kernel.to_owned(), message });
    if args.len() != parameters.len() {
        let takes: Vec<String> = parameters.iter().map(declared).collect();
        let takes = if takes.is_empty() { "none".to_owned() } else { takes.join("; ") };
        let number = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
        let message = format!(
            "{} for {}: {takes}",
            number(args.len(), "argument"),
            number(parameters.len(), "parameter")
        );
        return vec![refused(message)];
    }
    let problem = |(n, ((arg, parameter), size)): (usize, ((&Arg, &Parameter), &usize))| {
        let wanted = refusal(parameter, arg, *size)?;
        let (is, of, takes) = (arg.name(), bytes(*size), declared(parameter));
        // nvcc numbers parameters: `_Z1kPfi_param_1`.
        let name = match parameter.name.strip_prefix(kernel) {
            Some(_) => format!("parameter {n}"),
            None => format!("parameter `{}`", parameter.name),
        };
        Some(refused(format!("argument {n} is {is} of {of}, but {name} is {takes}: {wanted}")))
    };
    (1..).zip(args.iter().zip(parameters).zip(sizes)).filter_map(problem).collect()
}

/// Advice on what to pass instead of an argument that cannot be what the parameter declares; nothing if it can.
fn refusal(parameter: &Parameter, arg: &Arg, size: usize) -> Option<String> {
    if size != parameter.bytes as usize {
        return Some(suitable(parameter));
    }
    let align = arg.alignment();
    if matches!(arg, Arg::Struct(_)) && align > parameter.align as usize {
        return Some(format!(
            "pass raw bytes: members aligned to {align} would be misaligned in a struct aligned to {}",
            parameter.align
        ));
    }
    let is_number = matches!(arg.class(), Class::Integer | Class::Float | Class::Packed);
    let disagrees = !agrees(&parameter.ty, arg.class()) || parameter.is_pointer && is_number;
    (!parameter.is_array && disagrees).then(|| suitable(parameter))
}

/// Whether a variable or parameter of this type of the PTX can hold values of a class; sizes are not compared.
pub fn agrees(ty: &str, class: Class) -> bool {
    match (Holds::of(ty), class) {
        (Holds::Anything, _) | (_, Class::Bytes | Class::Packed) => true,
        (Holds::Integers, Class::Integer | Class::Pointer) | (Holds::Floats, Class::Float) => true,
        (Holds::Integers, Class::Float) | (Holds::Floats, Class::Integer | Class::Pointer) => false,
    }
}

/// What a PTX type says of its values.
enum Holds {
    Integers,
    Floats,
    Anything,
}

impl Holds {
    fn of(ty: &str) -> Holds {
        match ty.as_bytes() {
            [b'u' | b's', ..] => Holds::Integers,
            [b'f', ..] | [b'b', b'f', ..] => Holds::Floats,
            _ => Holds::Anything,
        }
    }
}

/// A parameter's declaration in words.
fn declared(parameter: &Parameter) -> String {
    let Parameter { ty, is_array, is_pointer, bytes: size, .. } = parameter;
    match (is_array, is_pointer) {
        (true, _) => format!("a struct of {}", bytes(*size as usize)),
        (false, true) => "a pointer".to_owned(),
        (false, false) => in_c(ty),
    }
}

/// A type of the PTX, without its dot, in the words of CUDA C: `u32` is both `int` and `unsigned`.
pub fn in_c(ty: &str) -> String {
    let bits: usize = ty.trim_start_matches(char::is_alphabetic).parse().unwrap_or(0);
    let words = match (Holds::of(ty), bits) {
        (Holds::Integers, 8) => "a `char` or `bool`",
        (Holds::Integers, 16) => "a `short`",
        (Holds::Integers, 32) => "an `int` or `unsigned`",
        (Holds::Integers, 64) => "a pointer or a `long long`",
        (Holds::Floats, 16) if ty == "bf16" => "a `__nv_bfloat16`",
        (Holds::Floats, 16) => "a `__half`",
        (Holds::Floats, 32) => "a `float`",
        (Holds::Floats, 64) => "a `double`",
        (_, 0) => return format!("`{ty}`"), // PTX has no such type of a parameter
        (Holds::Integers | Holds::Floats | Holds::Anything, bits) => return bytes(bits.div_ceil(8)),
    };
    words.to_owned()
}

/// Arguments that a parameter takes, in words.
fn suitable(parameter: &Parameter) -> String {
    let size = parameter.bytes;
    if parameter.is_array {
        return format!("pass a struct, a vector or raw bytes of {}", bytes(size as usize));
    }
    if parameter.is_pointer {
        return "pass a buffer or a null pointer".to_owned();
    }
    let takes = match (Holds::of(&parameter.ty), size) {
        (Holds::Integers, 1) => "a u8, i8 or bool",
        (Holds::Integers, 2) => "a u16 or i16",
        (Holds::Integers, 4) => "an i32 or u32",
        (Holds::Integers, 8) => "a pointer, an i64 or a u64",
        (Holds::Floats, 2) => "an f16 or bf16",
        (Holds::Floats, 4) => "an f32",
        (Holds::Floats, 8) => "an f64",
        (Holds::Anything, 4) => "an i32, u32 or f32",
        (Holds::Anything, 8) => "a pointer, an i64, u64 or f64",
        (Holds::Integers | Holds::Floats | Holds::Anything, _) => {
            return format!("pass a value of {}", bytes(size as usize));
        }
    };
    format!("pass {takes}")
}

fn bytes(count: usize) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arg::Value;
    use crate::handle::Buffer;

    fn parameter(ty: &str, size: u32, array: Option<u32>) -> Parameter {
        let align = array.unwrap_or(size);
        Parameter {
            name: "p".into(),
            ty: ty.into(),
            is_array: array.is_some(),
            is_pointer: false,
            offset: 0,
            bytes: size,
            align,
        }
    }

    fn tell(parameter: Parameter, arg: Arg) -> String {
        let size = arg.bytes(&|_| Ok(0x100)).unwrap().len();
        match check("k", &[parameter], &[arg], &[size]) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    fn buffer() -> Arg {
        Arg::from(Buffer { id: 0, bytes: 8, pitch: None })
    }

    fn half() -> Arg {
        Arg::Value(Value { ty: "f16".into(), class: Class::Float, align: 2, bytes: vec![0, 0] })
    }

    #[test]
    fn a_float_for_an_integer_and_an_integer_for_a_float_are_refused() {
        for (ty, size, arg, words) in [
            (
                "u32",
                4,
                Arg::F32(2.0),
                "argument 1 is an f32 of 4 bytes, but parameter `p` is an `int` or `unsigned`: pass an i32 or u32",
            ),
            ("s32", 4, Arg::F32(2.0), "pass an i32 or u32"),
            (
                "f32",
                4,
                Arg::I32(2),
                "argument 1 is an i32 of 4 bytes, but parameter `p` is a `float`: pass an f32",
            ),
            ("u64", 8, Arg::F64(2.0), "pass a pointer, an i64 or a u64"),
            ("f64", 8, Arg::U64(2), "pass an f64"),
            ("f64", 8, buffer(), "argument 1 is a pointer of 8 bytes"),
            ("f64", 8, Arg::Null, "argument 1 is a null pointer of 8 bytes"),
            ("u16", 2, half(), "pass a u16 or i16"),
        ] {
            let told = tell(parameter(ty, size, None), arg);
            assert!(told.contains(words), "{ty}: {told}");
        }
    }

    #[test]
    fn a_number_for_what_is_said_to_be_a_pointer_is_refused() {
        let pointer = || Parameter { is_pointer: true, ..parameter("u64", 8, None) };
        for arg in [Arg::U64(1), Arg::I64(0), Arg::F64(1.0)] {
            let told = tell(pointer(), arg);
            assert!(told.ends_with("parameter `p` is a pointer: pass a buffer or a null pointer"), "{told}");
        }
        for arg in [buffer(), Arg::Null, Arg::Bytes(vec![0; 8])] {
            assert_eq!(tell(pointer(), arg), "");
        }
    }

    #[test]
    fn every_argument_that_does_not_fit_is_reported() {
        let parameters = [parameter("u32", 4, None), parameter("f32", 4, None), parameter("u64", 8, None)];
        let args = [Arg::F32(1.0), Arg::F32(1.0), Arg::F64(1.0)];
        let told: Vec<_> =
            problems("k", &parameters, &args, &[4, 4, 8]).iter().map(Error::to_string).collect();
        assert!(
            told.len() == 2 && told[0].contains("argument 1") && told[1].contains("argument 3"),
            "{told:?}"
        );
    }

    #[test]
    fn an_argument_of_another_size_is_refused_with_what_fits() {
        for (ty, size, arg, words) in [
            (
                "u32",
                4,
                buffer(),
                "argument 1 is a pointer of 8 bytes, but parameter `p` is an `int` or `unsigned`: pass an i32 or u32",
            ),
            ("u32", 4, Arg::I64(2), "an i64 of 8 bytes"),
            ("f32", 4, Arg::F64(2.0), "pass an f32"),
            ("u8", 1, Arg::I32(2), "pass a u8, i8 or bool"),
            ("b32", 4, Arg::F64(2.0), "pass an i32, u32 or f32"),
            ("b128", 16, Arg::F64(2.0), "pass a value of 16 bytes"),
        ] {
            let told = tell(parameter(ty, size, None), arg);
            assert!(told.contains(words), "{ty}: {told}");
        }
        let told = tell(parameter("b8", 24, Some(8)), Arg::Struct(vec![buffer(), Arg::I32(1)]));
        assert!(told.contains("a struct of 16 bytes, but parameter `p` is a struct of 24 bytes"), "{told}");
    }

    #[test]
    fn what_the_ptx_does_not_state_is_accepted() {
        for (ty, size, arg) in [
            ("b32", 4, Arg::F32(1.0)),
            ("b32", 4, Arg::I32(1)),
            ("b64", 8, buffer()),
            ("b64", 8, Arg::F64(1.0)),
            ("u64", 8, Arg::U64(1)),
            ("u64", 8, Arg::Null),
            ("u32", 4, Arg::I32(-1)),
            ("s32", 4, Arg::U32(u32::MAX)),
            ("u32", 4, Arg::Bytes(vec![0; 4])),
            ("b16", 2, half()),
            ("bf16", 2, half()),
        ] {
            assert_eq!(tell(parameter(ty, size, None), arg.clone()), "", "{ty} {arg:?}");
        }
        for arg in
            [buffer(), Arg::F64(1.0), Arg::Bytes(vec![0; 8]), Arg::Struct(vec![Arg::I32(1), Arg::F32(2.0)])]
        {
            assert_eq!(tell(parameter("b8", 8, Some(8)), arg.clone()), "", "{arg:?}");
        }
    }

    #[test]
    fn a_struct_whose_members_need_more_alignment_than_its_parameter_has_is_refused() {
        let told = tell(parameter("b8", 16, Some(4)), Arg::Struct(vec![Arg::I32(1), buffer()]));
        assert!(told.contains("pass raw bytes: members aligned to 8"), "{told}");
    }

    #[test]
    fn a_wrong_number_of_arguments_is_reported_with_the_parameters() {
        let parameters = [parameter("u32", 4, None), parameter("b8", 24, Some(8))];
        let error = check("k", &parameters, &[], &[]).unwrap_err().to_string();
        assert!(
            error.contains("0 arguments for 2 parameters: an `int` or `unsigned`; a struct of 24 bytes"),
            "{error}"
        );
        let error = check("k", &[], &[Arg::I32(1)], &[4]).unwrap_err().to_string();
        assert!(error.contains("1 argument for 0 parameters: none"), "{error}");
    }
}
