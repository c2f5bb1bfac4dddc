//! Pairs of loads from shared memory that feed one `fma` alone, as in every product of tiles, and run as one.

use crate::ir::*;

/// Finds them, and puts [`Op::FmaShared`] where each group begins.
pub(super) fn find(kernel: &mut Kernel) {
    for f in 0..kernel.functions.len() {
        let reads = kernel.reads_of(f);
        for b in kernel.blocks_of(f) {
            let Block { start, end, .. } = kernel.blocks[b];
            let mut n = start as usize;
            let first = kernel.fused.len();
            while n + 2 < end as usize {
                let Some(group) = fuses(kernel, n, end as usize, &reads) else {
                    n += 1;
                    continue;
                };
                n += group.fusion.length();
                let at = group.at as usize;
                let Some(group) = kernel.add(group) else { return };
                kernel.code[at] = Op::FmaShared { group }.into();
            }
            for n in (first + 1..kernel.fused.len()).rev() {
                extend(kernel, n);
            }
        }
    }
}

/// Makes a group part of the run of the one before it, if it follows on its heels and reads through the same registers.
fn extend(kernel: &mut Kernel, n: usize) {
    let (before, next) = (kernel.fused[n - 1], kernel.fused[n]);
    let leader = |load: Id<MemoryOperand>| kernel[load].leader;
    let same =
        before.loads.iter().zip(next.loads).all(|(was, is)| leader(*was) == leader(is) && leader(is) != is);
    let adjacent = next.at as usize == before.at as usize + before.fusion.length();
    if adjacent && same && next.fusion == before.fusion {
        let before = &mut kernel.fused[n - 1];
        before.groups += next.groups;
        for ([low, high], [next_low, next_high]) in before.offsets.iter_mut().zip(next.offsets) {
            (*low, *high) = ((*low).min(next_low), (*high).max(next_high));
        }
    }
}

/// The access and the register of an unguarded load of one word from shared memory that is read once.
fn loaded(kernel: &Kernel, inst: &Inst, reads: &[u32]) -> Option<(Id<MemoryOperand>, Register)> {
    let Op::LoadShared { access: id } = inst.op else { return None };
    let access = &kernel[id];
    let plain = inst.guard.is_always() && access.words && access.count == 1 && !access.strong;
    let register = access.registers[0].get().filter(|register| plain && once(reads, *register))?;
    Some((id, register))
}

fn once(reads: &[u32], register: Register) -> bool {
    register.in_frame().is_some_and(|number| reads[number] == 1)
}

/// An unguarded function of registers.
fn computed(inst: Inst) -> Option<Compute> {
    let Op::Compute(compute) = inst.op else { return None };
    inst.guard.is_always().then_some(compute)
}

/// The group that begins at an instruction, if one does.
fn fuses(kernel: &Kernel, n: usize, end: usize, reads: &[u32]) -> Option<Fused> {
    let (first, a) = loaded(kernel, &kernel.code[n], reads)?;
    let (second, b) = loaded(kernel, &kernel.code[n + 1], reads)?;
    let third = computed(kernel.code[n + 2])?;
    // The second address must not be what the first load gives.
    if a == b {
        return None;
    }
    let straight = (third.a, third.b) == (a, b);
    if !straight && (third.a, third.b) != (b, a) {
        return None;
    }
    let offset = [first, second].map(|load| kernel[load].address.offset);
    let group = |fusion: Fusion, fma: Compute, factor: Register| Fused {
        fusion,
        loads: [first, second],
        offset,
        sum: fma.c,
        d: fma.d,
        factor,
        at: n as u32,
        groups: 1,
        offsets: offset.map(|offset| [offset; 2]),
    };
    if third.function == Function::FmaF32 && third.c != a && third.c != b {
        return Some(group(Fusion::Product, third, third.b));
    }
    if third.function != Function::SubF32 || n + 3 >= end {
        return None;
    }
    let (difference, fma) = (third.d, computed(kernel.code[n + 3])?);
    let factor = if fma.a == difference { fma.b } else { fma.a };
    let others = [a, b, difference];
    let fits = fma.function == Function::FmaF32
        && (fma.a == difference || fma.b == difference)
        && !others.contains(&factor)
        && !others.contains(&fma.c)
        && once(reads, difference);
    fits.then_some(group(Fusion::Difference { reverse: !straight }, fma, factor))
}
