//! Groups of accesses of a basic block whose addresses differ by their offsets alone: how those of all lie is found for the
//! first one of a group, its leader.

use crate::ir::*;

/// Common properties of the accesses of a group: effect, file and number of the address register, width.
type Key = (Effect, File, Register, u8);

/// Gives every access its leader.
pub(super) fn find(kernel: &mut Kernel) {
    for n in 0..kernel.accesses.len() {
        kernel.accesses[n].leader = Id::new(n as u32);
    }
    for b in 0..kernel.blocks.len() {
        let Block { start, end, .. } = kernel.blocks[b];
        let mut leaders: Vec<(Key, Id<MemoryOperand>)> = vec![];
        for n in start as usize..end as usize {
            let inst = kernel.code[n];
            if let Some(id) =
                inst.op.access(kernel).filter(|_| inst.guard.is_always() && groups(inst.op.effect()))
            {
                let access = &mut kernel.accesses[id.index()];
                let address = access.address;
                let key = (inst.op.effect(), file_of(address.wide), address.register, access.shift);
                match leaders.iter().find(|(of, _)| *of == key) {
                    Some((_, leader)) => access.leader = *leader,
                    None => leaders.push((key, id)),
                }
            }
            kernel.results(&inst, |file, d| leaders.retain(|((_, f, a, _), _)| (*f, *a) != (file, d)));
        }
    }
}

/// Whether accesses are looked at by groups.
fn groups(effect: Effect) -> bool {
    use StateSpace::{Constant, Generic, Global, Local, Parameter, Shared};
    match effect {
        Effect::Load(Global | Shared | Constant) | Effect::Store(Global | Shared) => true,
        Effect::Load(Local | Parameter | Generic)
        | Effect::Store(Constant | Local | Parameter | Generic)
        | Effect::Pure
        | Effect::Atomic(_)
        | Effect::Copy(_)
        | Effect::LoadMatrix(_)
        | Effect::StoreMatrix(_)
        | Effect::Asynchronous
        | Effect::Texture
        | Effect::Collective
        | Effect::Fence
        | Effect::System => false,
    }
}
