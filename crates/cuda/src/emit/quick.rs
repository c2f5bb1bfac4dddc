//! Names of instructions with `-use_fast_math`: small numbers of single precision are zero.
//!
//! Enters: the name of an instruction. Leaves: the same with `.ftz` where that belongs. This module must never know operands.

/// The name with which an instruction flushes small numbers of single precision to zero; `None` where it has no other.
pub(super) fn name(written: &str) -> Option<String> {
    let mut parts: Vec<&str> = written.split('.').collect();
    let single = |part: &&str| *part == "f32";
    let other = |part: &&str| part.contains("f16") || *part == "ftz" || *part == "tf32" || *part == "e8m23";
    if !parts.iter().any(single) || parts.iter().any(other) {
        return None;
    }
    let at = match *parts.first()? {
        "min" | "max" => 1,
        "cvt" => {
            let integer = |part: &str| {
                part.starts_with(['s', 'u']) && part[1..].bytes().all(|one| one.is_ascii_digit())
            };
            // From an integer nothing small comes.
            if parts.last().is_some_and(|last| integer(last)) {
                return None;
            }
            let rounding = parts.iter().skip(1).take_while(|part| part.starts_with('r')).count();
            1 + rounding
        }
        "add" | "sub" | "mul" | "fma" | "neg" | "abs" | "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos"
        | "ex2" | "lg2" | "setp" | "set" => parts.iter().position(|part| single(part) || *part == "sat")?,
        _ => return None,
    };
    parts.insert(at, "ftz");
    Some(parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_have_their_words_in_the_order_of_the_isa() {
        for (written, quick) in [
            ("add.f32", "add.ftz.f32"),
            ("add.rn.f32", "add.rn.ftz.f32"),
            ("fma.rn.sat.f32", "fma.rn.ftz.sat.f32"),
            ("min.NaN.f32", "min.ftz.NaN.f32"),
            ("setp.lt.f32", "setp.lt.ftz.f32"),
            ("ex2.approx.f32", "ex2.approx.ftz.f32"),
            ("cvt.rzi.s32.f32", "cvt.rzi.ftz.s32.f32"),
            ("cvt.rmi.f32.f32", "cvt.rmi.ftz.f32.f32"),
            ("cvt.f64.f32", "cvt.ftz.f64.f32"),
            ("cvt.sat.f32.f32", "cvt.ftz.sat.f32.f32"),
            ("cvt.rn.f32.f64", "cvt.rn.ftz.f32.f64"),
        ] {
            assert_eq!(name(written).as_deref(), Some(quick));
        }
        for same in [
            "ld.global.f32",
            "add.f64",
            "cvt.rn.f32.s32",
            "mov.f32",
            "selp.f32",
            "tanh.approx.f32",
            "cvt.rn.f16.f32",
            "add.s32",
            "ex2.approx.ftz.f32",
        ] {
            assert_eq!(name(same), None, "{same}");
        }
    }
}
