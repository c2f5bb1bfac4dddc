//! Names of PTX's instructions, for assembly.
//!
//! Enters: a text of assembly. Leaves: the first instruction in it that PTX does not have. What the others mean, and whether their
//! operands fit, is not known here.

use crate::diagnostic::nearest;

/// What is before the first point of an instruction, as of PTX 8.8.
const OPCODES: &[&str] = &[
    "abs",
    "activemask",
    "add",
    "addc",
    "alloca",
    "and",
    "applypriority",
    "atom",
    "bar",
    "barrier",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "bra",
    "brev",
    "brkpt",
    "brx",
    "call",
    "clusterlaunchcontrol",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cp",
    "createpolicy",
    "cvt",
    "cvta",
    "discard",
    "div",
    "dp2a",
    "dp4a",
    "elect",
    "ex2",
    "exit",
    "fence",
    "fma",
    "fns",
    "getctarank",
    "griddepcontrol",
    "isspacep",
    "istypep",
    "ld",
    "ldmatrix",
    "ldu",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "mapa",
    "match",
    "max",
    "mbarrier",
    "membar",
    "min",
    "mma",
    "mov",
    "movmatrix",
    "mul",
    "mul24",
    "multimem",
    "nanosleep",
    "neg",
    "not",
    "or",
    "pmevent",
    "popc",
    "prefetch",
    "prefetchu",
    "prmt",
    "rcp",
    "red",
    "redux",
    "rem",
    "ret",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setmaxnreg",
    "setp",
    "shf",
    "shfl",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "st",
    "stackrestore",
    "stacksave",
    "stmatrix",
    "sub",
    "subc",
    "suld",
    "suq",
    "sured",
    "sust",
    "szext",
    "tanh",
    "tcgen05",
    "tensormap",
    "testp",
    "tex",
    "tld4",
    "trap",
    "txq",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vote",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "wgmma",
    "wmma",
    "xor",
];

/// The first instruction that PTX does not have, and what may be meant.
pub(crate) fn unknown(text: &str) -> Option<(&str, Option<&'static str>)> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|one: char| one.is_whitespace() || matches!(one, '{' | '}' | ';'));
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n')?.1;
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/")?.1;
            continue;
        }
        if let Some(guard) = rest.strip_prefix('@') {
            rest = guard.split_once(char::is_whitespace)?.1;
            continue;
        }
        // A label may have the number of an operand in it, or of the place (`%=`).
        let part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '$' | '%' | '=');
        let end = rest.find(|one| !part(one)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if let Some(behind) = behind.trim_start().strip_prefix(':').filter(|_| !word.is_empty()) {
            rest = behind;
            continue;
        }
        // A directive, an operand of the source, or nothing any more.
        if !word.is_empty() && !word.contains('%') && OPCODES.binary_search(&word).is_err() {
            return Some((word, nearest(word, OPCODES.iter().copied())));
        }
        rest = rest.split_once(';')?.1;
    }
}

#[cfg(test)]
mod tests {
    use super::{OPCODES, unknown};

    #[test]
    fn opcodes_are_sorted() {
        assert!(OPCODES.is_sorted());
    }

    #[test]
    fn an_instruction_that_ptx_does_not_have_is_found() {
        assert_eq!(unknown("addd.u32 %0, %1, %2;"), Some(("addd", Some("add"))));
        assert_eq!(
            unknown("{ .reg .pred p; setp.ne.b32 p, %1, 0; @!p sellp.b32 %0, 1, 2, p; }").unwrap().0,
            "sellp"
        );
        assert_eq!(unknown("mov.u32 %0, 1; // well\n /* done */ L1: jmp L1;").unwrap().0, "jmp");
    }

    #[test]
    fn what_is_no_instruction_is_passed_over() {
        for text in [
            "",
            "L%=: bra L%=;",
            "// nothing",
            "membar.gl;",
            "{ .reg .b32 t<4>; L: @%p bra L; }",
            "mov.u32 %0, %%clock",
            "%0",
            ".pragma \"x\";",
            "/* foo",
            "exit;",
            "@p",
            "add.u32 %0, %0, 1\n\t;",
        ] {
            assert_eq!(unknown(text), None, "{text}");
        }
    }
}
