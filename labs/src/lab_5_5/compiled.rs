//! The compiler's code for the stencil: whether its loop is unrolled, and which kernels load by the read-only path.
//!
//! Enters: the PTX of `kernels/ch5-5/stencil.cu`. Leaves: two checks, of text alone.

use crate::plan::{Attempt, Finding, Plan};

/// The check that the loop over the coefficients is unrolled.
pub(super) const UNROLLED: &str = "compiled/unrolled";
/// The check that `__ldg` and `const __restrict__` load by the read-only path, and that a plain pointer does not.
pub(super) const READ_ONLY: &str = "compiled/read-only-loads";

const KERNEL: &str = "stencil_constant";
/// Kernels by what they say of their coefficients, and whether these must come by the read-only path.
const WAYS: [(&str, bool); 3] =
    [("stencil_ldg", true), ("stencil_restrict", true), ("stencil_global", false)];

pub(super) fn plan(plan: &mut Plan) {
    plan.attempts.push(Attempt::new(
        UNROLLED,
        "the PTX of stencil_constant has no branch backwards, and a load for each of its coefficients",
        |_| Ok(unrolled(kernels::STENCIL.ptx, KERNEL)),
    ));
    plan.attempts.push(Attempt::new(
        READ_ONLY,
        "stencil_ldg and stencil_restrict load coefficients with ld.global.nc, stencil_global with ld.global",
        |_| Ok(read_only(kernels::STENCIL.ptx)),
    ));
}

/// The text of a kernel's body.
fn body<'t>(ptx: &'t str, kernel: &str) -> Option<&'t str> {
    let entry = format!(".entry {kernel}(");
    let (_, rest) = ptx.split_once(&entry)?;
    let (_, body) = rest.split_once('{')?;
    body.split_once("\n}").map(|(body, _)| body)
}

fn unrolled(ptx: &str, kernel: &str) -> Finding {
    let Some(body) = body(ptx, kernel) else { return Finding::bad(format!("no kernel named {kernel}")) };
    let mut seen = Vec::new();
    for line in body.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            seen.push(label);
        }
        let target = line.split_once("bra").map(|(_, rest)| rest.trim_start_matches(".uni").trim());
        if let Some(target) = target.and_then(|target| target.strip_suffix(';'))
            && seen.contains(&target)
        {
            return Finding::bad(format!("{kernel} branches back to {target}"));
        }
    }
    let loads = body.matches("ld.const").count();
    let said = format!("no branch of {kernel} leads backwards, and it has {loads} loads of constants");
    Finding { passed: loads >= super::oracle::RADIUS, found: said }
}

fn read_only(ptx: &str) -> Finding {
    let mut said = Vec::new();
    let mut passed = true;
    for (kernel, expected) in WAYS {
        let Some(body) = body(ptx, kernel) else {
            return Finding::bad(format!("no kernel named {kernel}"));
        };
        let loads = body.matches("ld.global.nc").count();
        passed &= (loads >= super::oracle::RADIUS) == expected;
        said.push(format!("{kernel} {loads}"));
    }
    Finding { passed, found: format!("loads by the read-only path (ld.global.nc): {}", said.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lab_s_own_kernels_are_unrolled_and_take_both_ways() {
        let ptx = kernels::STENCIL.ptx;
        assert!(unrolled(ptx, KERNEL).passed, "{:?}", unrolled(ptx, KERNEL));
        assert!(read_only(ptx).passed, "{:?}", read_only(ptx));
    }

    #[test]
    fn a_branch_backwards_is_a_loop() {
        let with = |end: &str| {
            format!(
                ".visible .entry k(\n)\n{{\n$L1:\n{}\t@%p1 bra \t{end};\n\tret;\n$L2:\n}}\n",
                "ld.const.f32;\n".repeat(4)
            )
        };
        assert!(!unrolled(&with("$L1"), "k").passed);
        assert!(unrolled(&with("$L2"), "k").passed);
        assert!(!unrolled("", "k").passed);
    }

    #[test]
    fn a_kernel_that_does_not_load_as_expected_is_reported() {
        let global = kernels::STENCIL.ptx.replace("ld.global.nc", "ld.global");
        let finding = read_only(&global);
        assert!(!finding.passed && finding.found.contains("stencil_ldg 0"), "{finding:?}");
    }
}
