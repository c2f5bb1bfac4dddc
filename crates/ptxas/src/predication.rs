//! The branches that ptxas replaces by predicates.
//!
//! It does where what is branched around is one short basic block, or two with nothing else between where they part and where
//! they meet, and no other predicated instruction in them: up to 8 machine instructions, or 6 if all lanes are sure to go the
//! same way, a jump at the end included; of two, the first one may be so alone. Where they meet must not be the kernel's end: lanes exit
//! under a predicate instead.

use crate::Access;
use crate::flow::{End, Flow};
use crate::loops::Loop;
use crate::size;
use crate::values::{self, Value, Values};
use crate::{What, access};
use std::collections::HashMap;

const SHORT: u32 = 8;
const SHORT_IF_UNIFORM: u32 = 6;
/// What counts a loop's rounds, which a round alone does not need.
const COUNTER: u32 = 2;

/// For each block that is predicated the one whose branch led to it.
pub(crate) fn find(
    flow: &mut Flow<'_>,
    values: &Values,
    made: &HashMap<usize, Access>,
) -> Vec<Option<usize>> {
    let count = flow.blocks.len();
    let mut found = Found { made, under: vec![None; count], meets: vec![None; count] };
    // What is within an arm is after its branch.
    for block in (0..count).rev() {
        found.branch(flow, values, block);
    }
    let under = &found.under;
    let outermost = |mut block: usize| {
        while let Some(outer) = under[block] {
            block = outer;
        }
        block
    };
    (0..count).map(|block| under[block].map(outermost)).collect()
}

struct Found<'m> {
    made: &'m HashMap<usize, Access>,
    /// For each predicated block the one that branched to it.
    under: Vec<Option<usize>>,
    /// For each block whose branch is replaced where its arms meet.
    meets: Vec<Option<usize>>,
}

impl Found<'_> {
    fn branch(&mut self, flow: &mut Flow<'_>, values: &Values, block: usize) {
        let End::Branch { taken, next } = flow.blocks[block].exit else { return };
        if taken == next {
            return;
        }
        let alone = |arm: usize| flow.blocks[arm].predecessors == [block] && arm > block;
        let leads = |arm: usize| self.leads(flow, arm);
        let (arms, meet) = if alone(next) && leads(next) == Some(taken) {
            (vec![next], taken)
        } else if alone(taken) && leads(taken) == Some(next) {
            (vec![taken], next)
        } else {
            match (leads(next), leads(taken)) {
                (Some(a), Some(b)) if a == b && alone(next) && alone(taken) => (vec![next, taken], a),
                _ => return,
            }
        };
        if arms.len() == 1 && (ends(flow, meet) || stays(flow, values, block, arms[0])) {
            return;
        }
        let last = flow.blocks[block].end - 1;
        let uniform = values.guards.get(&last).is_some_and(|facts| facts.in_uniform_registers);
        let limit = if uniform { SHORT_IF_UNIFORM } else { SHORT };
        let mut short = |arm: &usize| {
            let jump = u32::from(matches!(flow.blocks[*arm].exit, End::Goto { jump: true, .. }));
            self.size(flow, values, *arm).is_some_and(|size| size + jump <= limit)
        };
        // Of two arms the second one stays after its branch if it alone is too long.
        let fit = arms.iter().take_while(|arm| short(arm)).count();
        for arm in &arms[..fit] {
            self.under[*arm] = Some(block);
        }
        if fit == arms.len() {
            self.meets[block] = Some(meet);
        }
    }

    /// Where all lanes of a block, or of one with its arms, continue.
    fn leads(&self, flow: &Flow<'_>, block: usize) -> Option<usize> {
        match flow.blocks[block].exit {
            End::Goto { to, .. } => Some(to),
            End::Branch { .. } => self.meets[block],
            End::Switch(_) | End::ExitIf(_) | End::Exit => None,
        }
    }

    /// The size of a block. One that only compares before a branch that is replaced is one with its arm: their conditions
    /// become one.
    fn size(&self, flow: &mut Flow<'_>, values: &Values, block: usize) -> Option<u32> {
        let (start, end) = (flow.blocks[block].start, flow.blocks[block].end);
        if self.meets[block].is_none() {
            return size::of(flow, values, self.made, start, end);
        }
        let compares = (start..end - 1).all(|at| matches!(flow.instructions[at].opcode, "setp" | "mov"));
        if !compares {
            return None;
        }
        let arms: Vec<usize> = (0..self.under.len()).filter(|arm| self.under[*arm] == Some(block)).collect();
        let [arm] = arms[..] else { return None };
        let own = size::of(flow, values, self.made, start, end)?;
        Some(own + self.size(flow, values, arm)?)
    }
}

/// Whether a branch stays though its arm is short: lanes fill shared memory from global memory there, by the same condition exit
/// later, and otherwise store to global memory, all at addresses that are computed after the branch.
fn stays(flow: &mut Flow<'_>, values: &Values, block: usize, arm: usize) -> bool {
    let split = flow.blocks[block].end;
    let of = |flow: &Flow<'_>, at: usize| access(flow.instructions[at]).map(|memory| memory.what);
    let computed = |at: usize| {
        let made = values.addresses.get(&at).and_then(|address| values.made_at.get(&address.base));
        made.is_some_and(|made| *made >= split)
    };
    let arm_has = |flow: &Flow<'_>, what| {
        (flow.blocks[arm].start..flow.blocks[arm].end).any(|at| of(flow, at) == Some(what) && computed(at))
    };
    if !arm_has(flow, What::GlobalLoad) || !arm_has(flow, What::SharedStore) {
        return false;
    }
    let Some(condition) = condition(flow, values, block) else { return false };
    for later in arm + 1..flow.blocks.len() {
        let exits = match flow.blocks[later].exit {
            End::Branch { taken, next } => ends(flow, taken) || ends(flow, next),
            End::ExitIf(_) => true,
            End::Goto { .. } | End::Switch(_) | End::Exit => false,
        };
        if exits && self::condition(flow, values, later) == Some(condition) {
            return (flow.blocks[later].end..flow.instructions.len())
                .any(|at| of(flow, at) == Some(What::GlobalStore) && computed(at));
        }
        // After a loop it is another matter.
        if flow.successors(later).iter().any(|next| *next <= later) {
            return false;
        }
    }
    false
}

/// The value of the predicate that a block ends with, if one instruction gives it.
fn condition(flow: &mut Flow<'_>, values: &Values, block: usize) -> Option<Value> {
    let last = flow.blocks[block].end.checked_sub(1)?;
    let register = flow.register(last, flow.instructions[last].guard?.register)?;
    let mut writers = (0..flow.instructions.len()).filter(|at| {
        let names = values::written(flow.instructions[*at]);
        names.iter().any(|name| flow.register(*at, name) == Some(register))
    });
    let (only, None) = (writers.next()?, writers.next()) else { return None };
    values.results.get(&only).copied()
}

/// Whether one round of a loop that is unrolled may be predicated.
pub(crate) fn of_a_round(
    flow: &mut Flow<'_>,
    values: &Values,
    made: &HashMap<usize, Access>,
    of: &Loop,
) -> bool {
    let sizes = of.blocks.iter().map(|block| {
        let (start, end) = (flow.blocks[*block].start, flow.blocks[*block].end);
        size::of(flow, values, made, start, end)
    });
    sizes.sum::<Option<u32>>().is_some_and(|size| size <= SHORT + COUNTER)
}

/// Whether a block is nothing but the kernel's end.
fn ends(flow: &Flow<'_>, block: usize) -> bool {
    let of = &flow.blocks[block];
    of.exit == End::Exit && of.end - of.start <= 1
}
