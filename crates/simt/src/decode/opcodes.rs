//! PTX's opcodes: one table with all that the decoder and the time model know of each.
//!
//! A row says which function decodes an opcode's instructions, whether the first operand is a result, how control goes on
//! after them, and what they cost. An opcode without a row is refused.

use super::context::Result;
use super::decoder::Decoder;
use crate::ir::Guard;
use crate::model::issue::{self, Cost, Mnemonic};
use ptx::Instruction;

/// An instruction's first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The register, or the registers, that it writes.
    Result,
    /// Nothing that it writes.
    Operand,
    /// In parentheses what it writes; else an operand.
    List,
}

/// Control after an instruction, and the lanes that come to it together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// The next instruction follows.
    Next,
    /// Lanes for which its guard holds go elsewhere.
    Leaves,
    /// It ends its basic block and has no guard: lanes whose guard does not hold go around it.
    Ends,
    /// In a function it ends its block, as with [`Flow::Ends`]; in a kernel lanes exit, as with [`Flow::Leaves`].
    Returns,
    /// With `.sync` it waits for the lanes that it names, and ends its block.
    Collective,
    /// With `.warp` it waits for the lanes that it names; else for threads of the block or of the cluster.
    Barrier,
    /// All lanes of the warp take part: its block waits for them.
    Matrix,
}

/// A row of the table.
pub(super) struct Opcode {
    pub(super) first: First,
    pub(super) flow: Flow,
    pub(super) decode: for<'m, 'c> fn(&mut Decoder<'m, 'c>, &'m Instruction<'m>, Guard) -> Result<()>,
    cost: fn(Mnemonic) -> Cost,
}

macro_rules! opcodes {
    ($($($opcode:literal)|+ => $first:ident, $flow:ident, $decode:ident, $cost:ident;)+) => {
        /// The row of an opcode, if it is one that this device executes.
        pub(super) fn find(opcode: &str) -> Option<&'static Opcode> {
            match opcode {
                $($($opcode)|+ => {
                    const ROW: &Opcode = &Opcode {
                        first: First::$first,
                        flow: Flow::$flow,
                        decode: |decoder, i, guard| decoder.$decode(i, guard),
                        cost: issue::$cost,
                    };
                    Some(ROW)
                })+
                _ => None,
            }
        }
    };
}

opcodes! {
    // Opcodes => first operand, flow, function of the decoder, cost.

    // Data movement.
    "ld" => Result, Next, load, issued;
    "ldu" => Result, Next, load, issued;
    "st" => Operand, Next, store, issued;
    "mov" => Result, Next, mov, free;
    "cvta" => Result, Next, convert_address, free;
    "isspacep" => Result, Next, is_space, free;
    "mapa" => Result, Next, map_address, integer;
    "getctarank" => Result, Next, rank_of_address, integer;
    "atom" => Result, Next, atomic, issued;
    "red" => Operand, Next, atomic, issued;
    "cp" => Operand, Next, copy, issued;
    "mbarrier" => Result, Next, mbarrier, integer;
    "createpolicy" => Result, Next, create_policy, integer;
    "alloca" | "stacksave" | "stackrestore" => Result, Next, stack, integer;
    // They change when something happens, not what.
    "prefetch" | "prefetchu" => Operand, Next, ignored, issued;
    "discard" | "pmevent" | "brkpt" => Operand, Next, ignored, integer;
    "applypriority" | "griddepcontrol" | "setmaxnreg" => Result, Next, ignored, integer;

    // Textures and surfaces.
    "tex" => Result, Next, texture, issued;
    "tld4" => Result, Next, gather, issued;
    "txq" | "suq" => Result, Next, texture_query, issued;
    "istypep" => Result, Next, is_texture, integer;
    "suld" => Result, Next, surface, issued;
    "sust" | "sured" => Operand, Next, surface, issued;

    // Arithmetic.
    "add" | "sub" | "fma" => Result, Next, alu, sum;
    "addc" | "subc" | "madc" => Result, Next, alu, integer;
    "mul" | "mad" => Result, Next, alu, multiply;
    "mul24" | "mad24" | "sad" | "dp4a" | "dp2a" | "copysign" | "testp" => Result, Next, alu, integer;
    "div" | "rem" => Result, Next, alu, divide;
    "abs" | "neg" => Result, Next, alu, free;
    "min" | "max" => Result, Next, alu, compare;
    "rcp" => Result, Next, alu, reciprocal;
    "sqrt" => Result, Next, alu, root;
    "rsqrt" | "ex2" | "lg2" => Result, Next, alu, approximate;
    "sin" | "cos" => Result, Next, alu, sine;
    "tanh" => Result, Next, alu, special;
    "cvt" => Result, Next, alu, convert;

    // Comparison and selection, bits.
    "setp" | "set" => Result, Next, alu, compare;
    "selp" | "slct" => Result, Next, alu, integer;
    "and" | "or" | "xor" | "not" | "cnot" | "lop3" => Result, Next, alu, integer;
    "shl" | "shr" | "shf" | "prmt" | "fns" | "bmsk" | "szext" => Result, Next, alu, integer;
    "popc" | "clz" | "brev" | "bfind" => Result, Next, alu, special;
    "bfe" | "bfi" => Result, Next, alu, bit_field;

    // Control flow.
    "bra" => Operand, Leaves, branch, issued;
    "brx" => Operand, Ends, switch, issued;
    "call" => List, Ends, call, issued;
    "ret" => Operand, Returns, ret, free;
    "exit" => Operand, Leaves, exit, issued;
    "trap" => Operand, Ends, trap, integer;

    // Synchronisation.
    "bar" | "barrier" => Result, Barrier, barrier, issued;
    "membar" | "fence" => Operand, Next, fence, issued;
    "nanosleep" => Operand, Next, sleep, issued;

    // Warp-wide operations.
    "shfl" => Result, Collective, warp_wide, shuffle;
    "vote" | "elect" => Result, Collective, warp_wide, integer;
    "match" | "redux" => Result, Collective, warp_wide, reduction;
    "activemask" => Result, Next, warp_wide, integer;
    "ldmatrix" | "stmatrix" => Result, Matrix, rows, issued;
    "movmatrix" => Result, Matrix, move_matrix, shuffle;
    "mma" => Result, Matrix, mma, product;
    "wmma" => Result, Matrix, wmma, fragments;

    // Video instructions.
    "vadd" | "vsub" | "vavrg" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vset" | "vmad"
        => Result, Next, alu, integer;
    "vadd2" | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vshl2" | "vshr2" | "vset2"
        => Result, Next, alu, integer;
    "vadd4" | "vsub4" | "vavrg4" | "vabsdiff4" | "vmin4" | "vmax4" | "vshl4" | "vshr4" | "vset4"
        => Result, Next, alu, integer;
}

impl Opcode {
    /// Whether an instruction waits for lanes of its warp that it names.
    pub(super) fn is_collective(&self, modifiers: &[&str]) -> bool {
        match self.flow {
            Flow::Collective => modifiers.contains(&"sync"),
            Flow::Barrier => modifiers.contains(&"warp"),
            Flow::Next | Flow::Leaves | Flow::Ends | Flow::Returns | Flow::Matrix => false,
        }
    }

    /// Whether lanes may go on somewhere else than after an instruction: it ends a basic block of the text.
    pub(super) fn goes_elsewhere(&self) -> bool {
        match self.flow {
            Flow::Leaves | Flow::Ends | Flow::Returns => true,
            Flow::Next | Flow::Collective | Flow::Barrier | Flow::Matrix => false,
        }
    }

    /// Whether an instruction ends its basic block and can have no guard.
    pub(super) fn ends_block(&self, modifiers: &[&str], in_kernel: bool) -> bool {
        match self.flow {
            Flow::Ends | Flow::Barrier => true,
            Flow::Returns => !in_kernel,
            Flow::Collective => self.is_collective(modifiers),
            Flow::Next | Flow::Leaves | Flow::Matrix => false,
        }
    }
}

/// The cost of a PTX instruction by its words; nothing for one that is in no program.
pub(super) fn cost(mnemonic: &str) -> Option<Cost> {
    let opcode = mnemonic.split('.').next().unwrap_or_default();
    find(opcode).map(|row| (row.cost)(Mnemonic(mnemonic)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::issue::Issue;

    fn of(mnemonic: &str) -> Cost {
        cost(mnemonic).unwrap()
    }

    #[test]
    fn what_ptxas_removes_costs_nothing_and_what_it_expands_costs_more() {
        for free in ["mov.u32", "neg.f32", "cvta.to.global.u64"] {
            assert_eq!(of(free).issue.slots, 0, "{free}");
        }
        assert_eq!(
            of("fma.rn.f32").issue,
            Issue { instructions: 1, slots: 1, single: 1, ..Issue::default() }
        );
        assert_eq!(of("add.s32").issue.integer, 1);
        assert_eq!(of("fma.rn.f64").issue.double, 1);
        assert_eq!(of("fma.rn.f16x2").issue.half, 1);
        assert_eq!(of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").issue.tensor, 3);
        assert_eq!(of("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32").issue.tensor, 2);
        assert_eq!(of("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32").issue.tensor, 6);
        assert!(of("div.rn.f32").issue.slots > of("div.full.f32").issue.slots);
        assert!(of("div.u64").issue.slots > of("div.u32").issue.slots);
        assert!(of("rsqrt.approx.f32").alu > of("rsqrt.approx.ftz.f32").alu);
    }

    #[test]
    fn what_is_not_in_the_table_has_no_cost() {
        assert!(find("tensormap").is_none() && cost("tensormap.replace.tile").is_none());
    }
}
