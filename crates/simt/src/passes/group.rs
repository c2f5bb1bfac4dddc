//! Groups of accesses of a basic block whose addresses differ by their offsets alone: how those of all lie is found for the
//! first one of a group, its leader.

use crate::ir::*;

/// Gives every access its leader.
pub(super) fn find(kernel: &mut Kernel) {
    for n in 0..kernel.accesses.len() {
        kernel.accesses[n].leader = n as u16;
    }
    for block in &kernel.blocks {
        let mut leaders: Vec<(Op, File, u16, u8, u16)> = vec![];
        for inst in &kernel.code[block.start as usize..block.end as usize] {
            let grouped = matches!(
                inst.op,
                Op::LoadShared | Op::StoreShared | Op::LoadGlobal | Op::StoreGlobal | Op::LoadConstant
            );
            if grouped && inst.guard == NONE {
                let access = &kernel.accesses[usize::from(inst.b)];
                let file = if access.wide_address { File::X } else { File::W };
                let same = leaders.iter().find(|(op, f, a, shift, _)| {
                    (*op, *f, *a, *shift) == (inst.op, file, inst.a, access.shift)
                });
                match same {
                    Some((.., leader)) => kernel.accesses[usize::from(inst.b)].leader = *leader,
                    None => leaders.push((inst.op, file, inst.a, access.shift, inst.b)),
                }
            }
            kernel.results(inst, |file, d| leaders.retain(|(_, f, a, ..)| (*f, *a) != (file, d)));
        }
    }
}
