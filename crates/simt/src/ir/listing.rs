//! Kernels as text, for tests and for debugging.
//!
//! A line an instruction: `@!p1 ld.global w3, w4 <- x2 [+16]` loads two words from 16 bytes past the address in `x2`
//! where `p1` does not hold. Registers that all warps share have a `%` before them.

use super::{File, Inst, Kernel, Register};
use std::fmt;

/// An instruction of a kernel.
struct Line<'k> {
    kernel: &'k Kernel,
    inst: &'k Inst,
}

fn register(file: File, register: Register) -> String {
    let letter = match file {
        File::W => 'w',
        File::X => 'x',
        File::P => 'p',
    };
    let shared = if register.is_uniform() { "%" } else { "" };
    format!("{shared}{letter}{}", register.number())
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { kernel, inst } = self;
        if let Some((predicate, negated)) = inst.guard.condition() {
            write!(f, "@{}{} ", if negated { "!" } else { "" }, register(File::P, predicate))?;
        }
        write!(f, "{}", inst.op.text())?;
        let (mut results, mut operands) = (vec![], vec![]);
        kernel.results(inst, |file, number| results.push(register(file, number)));
        kernel.operands(inst, |file, number| operands.push(register(file, number)));
        if !results.is_empty() {
            write!(f, " {}", results.join(", "))?;
        }
        if !operands.is_empty() {
            write!(f, " <- {}", operands.join(", "))?;
        }
        match inst.op.access(kernel).map(|access| kernel[access].address.offset) {
            None | Some(0) => Ok(()),
            Some(offset) => write!(f, " [{offset:+}]"),
        }
    }
}

impl fmt::Display for Kernel {
    /// Its basic blocks with their instructions, and how each of them ends.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, block) in self.blocks.iter().enumerate() {
            writeln!(f, "b{n}:")?;
            for inst in &self.code[block.start as usize..block.end as usize] {
                writeln!(f, "    {}", Line { kernel: self, inst })?;
            }
            writeln!(f, "    {:?}", block.exit)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::Program;

    #[test]
    fn an_instruction_is_a_line_with_its_guard_results_operands_and_offset() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 out) {
            .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
            ld.param.u64 %rd1, [out];
            mov.u32 %r1, %laneid;
            setp.gt.s32 %p1, %r1, 7;
            @!%p1 ld.global.v2.u32 {%r2, %r3}, [%rd1+16];
            shfl.sync.idx.b32 %r4, %r2, %r3, 31, -1;
            @%p1 atom.shared.add.u32 %r5, [%r4], %r1;
            mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r5,%r6},
                {%r1,%r2,%r3,%r4};
            membar.gl;
            exit;
        }";
        let mut program = Program::decode("k", text).unwrap();
        program.prepare("k").unwrap();
        let listing = program.kernels[0].to_string();
        let lines: Vec<&str> = listing.lines().map(str::trim).collect();
        for line in [
            "setp.gt.s32 p0 <- w1, %w0",
            "@!p0 ld.global w2, w3 <- %x0 [+16]",
            "collective w4 <- w2, w3, %w2, %w1",
            "@p0 atom w5 <- w4, w1",
            "matrix w1, w2, w3, w4 <- w1, w2, w3, w4, w5, w6, w1, w2, w3, w4",
            "fence",
        ] {
            assert!(lines.contains(&line), "{line} in {listing}");
        }
    }
}
