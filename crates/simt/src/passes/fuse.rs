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
                let Some(fusion) = fuses(kernel, n, end as usize, &reads) else {
                    n += 1;
                    continue;
                };
                let op = Inst { imm: kernel.fused.len() as i32, ..Inst::new(Op::FmaShared) };
                let load = std::mem::replace(&mut kernel.code[n], op);
                let offsets = [load.imm, kernel.code[n + 1].imm].map(|imm| [imm; 2]);
                kernel.fused.push(Fused { fusion, load, at: n as u32, groups: 1, offsets });
                n += fusion.length();
            }
            // From each group on, those that follow on its heels and read through the same registers.
            for n in (first + 1..kernel.fused.len()).rev() {
                let next = kernel.fused[n];
                let before = &kernel.fused[n - 1];
                let leaders = |fused: &Fused| {
                    let second = &kernel.code[fused.at as usize + 1];
                    [&fused.load, second].map(|load| (kernel.accesses[usize::from(load.b)].leader, load.b))
                };
                let same = leaders(before)
                    .iter()
                    .zip(leaders(&next))
                    .all(|((was, _), (is, number))| *was == is && is != number);
                let adjacent = next.at as usize == before.at as usize + before.fusion.length();
                if adjacent && same && next.fusion == before.fusion {
                    let before = &mut kernel.fused[n - 1];
                    before.groups += next.groups;
                    for ([low, high], [next_low, next_high]) in before.offsets.iter_mut().zip(next.offsets) {
                        (*low, *high) = ((*low).min(next_low), (*high).max(next_high));
                    }
                }
            }
        }
    }
}

fn fuses(kernel: &Kernel, n: usize, end: usize, reads: &[u32]) -> Option<Fusion> {
    let [first, second, third] = [kernel.code[n], kernel.code[n + 1], kernel.code[n + 2]];
    let once = |number: u16| reads.get(usize::from(number)) == Some(&1);
    let loaded = |inst: &Inst| {
        let access = kernel.accesses.get(usize::from(inst.b))?;
        let plain = inst.op == Op::LoadShared
            && inst.guard == NONE
            && access.words
            && access.count == 1
            && !access.strong
            && once(access.registers[0]);
        plain.then_some(access.registers[0])
    };
    let (a, b) = (loaded(&first)?, loaded(&second)?);
    // The second address must not be what the first load gives.
    if a == b || third.guard != NONE {
        return None;
    }
    let factors = (third.a, third.b);
    let straight = factors == (a, b);
    if !straight && factors != (b, a) {
        return None;
    }
    match third.op {
        Op::FmaF32 if third.c != a && third.c != b => Some(Fusion::Product),
        Op::SubF32 if n + 3 < end => {
            let (difference, fma) = (third.d, kernel.code[n + 3]);
            let factor = if fma.a == difference { fma.b } else { fma.a };
            let others = [a, b, difference];
            let fits = fma.op == Op::FmaF32
                && fma.guard == NONE
                && (fma.a == difference || fma.b == difference)
                && !others.contains(&factor)
                && !others.contains(&fma.c)
                && once(difference);
            fits.then_some(Fusion::Difference { reverse: !straight })
        }
        _ => None,
    }
}
