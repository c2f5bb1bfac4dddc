//! Dead store elimination.
//!
//! Enters: a function. Leaves: it without stores that are written over before anybody can read them, and without those to
//! slots that no one reads (LLVM's `DSE`).
//!
//! Counter: `global_store_requests`. Of `twice` in passes.cu NVRTC's code has 1, ours without the pass 2.

use super::Context;
use super::memory::{Aliases, Location, Object};
use crate::ir::cfg::Cfg;
use crate::ir::{Block, Convert, Function, Global, GlobalId, Inst, Op, Space, Value};

/// By global: whether it is shared memory that no other variable lies in.
pub(crate) fn own_shared(globals: &[Global]) -> Vec<bool> {
    globals.iter().map(|global| global.space == Space::Shared && !global.external).collect()
}

/// Takes what a function reads, or passes on, from those globals.
pub(crate) fn read_by(function: &mut Function, unread: &mut [bool]) {
    if unread.contains(&true) {
        let to = leading_to_globals(function);
        take_read(function, &to, unread);
    }
}

fn take_read(function: &Function, to: &[Option<GlobalId>], unread: &mut [bool]) {
    let mut read = |value: Value| {
        if let Some(global) = to[value.index()] {
            unread[global.index()] = false;
        }
    };
    for block in &function.blocks {
        for inst in &block.insts {
            let data = &function.insts[inst.index()];
            let written = match data.op {
                Op::Store(access) => usize::from(!access.volatile),
                Op::Zero { .. } | Op::Copy { .. } | Op::Offset | Op::Convert(Convert::Space) => 1,
                _ => 0,
            };
            data.args.iter().skip(written).for_each(|value| read(*value));
        }
        block.end.for_each_use(&mut read);
    }
}

/// Removes stores to those globals that no function reads either (LLVM's `GlobalOpt`).
pub(crate) fn unread_shared(functions: &mut [Function], mut unread: Vec<bool>) {
    if !unread.contains(&true) {
        return;
    }
    let leading: Vec<Vec<Option<GlobalId>>> = functions.iter_mut().map(leading_to_globals).collect();
    for (function, to) in functions.iter().zip(&leading) {
        take_read(function, to, &mut unread);
    }
    for (function, to) in functions.iter_mut().zip(&leading) {
        let insts = &function.insts;
        let mut changed = false;
        for block in &mut function.blocks {
            block.insts.retain(|inst| {
                let data = &insts[inst.index()];
                let writes = matches!(data.op, Op::Store(_) | Op::Zero { .. } | Op::Copy { .. });
                let dead = writes && to[data.args[0].index()].is_some_and(|global| unread[global.index()]);
                changed |= dead;
                !dead
            });
        }
        if changed {
            super::dce::run(function);
        }
    }
}

/// The global that each value leads into, if it is made of nothing else.
fn leading_to_globals(function: &mut Function) -> Vec<Option<GlobalId>> {
    super::resolve_operands(function);
    let mut to = vec![None; function.values.len()];
    for block in Cfg::new(function).order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let global = match data.op {
                Op::Global(global) => Some(global),
                Op::Offset | Op::Convert(Convert::Space) => to[data.args[0].index()],
                _ => None,
            };
            if let Some(result) = data.results.first().filter(|_| global.is_some()) {
                to[result.index()] = global;
            }
        }
    }
    to
}

/// Locations that are followed at once.
const FOLLOWED: usize = 32;

/// Removes dead stores; whether any was.
#[cfg(test)]
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    let cfg = Cfg::new(function);
    run_within(function, context, &cfg)
}

/// Removes dead stores; whether any was. The graph stays as it is.
pub(crate) fn run_within(function: &mut Function, context: &Context<'_>, cfg: &Cfg) -> bool {
    super::resolve_operands(function);
    let aliases = Aliases::new(function, cfg, context);
    let unread = unread_slots(function, cfg, &aliases);
    // What is written over on all ways from a block's beginning, before it is read.
    let mut over: Vec<Option<Vec<Location>>> = vec![None; function.blocks.len()];
    let mut changed = false;
    for block in cfg.order.iter().rev() {
        let mut later = at_end(function, &over, *block);
        let insts = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut keep = Vec::with_capacity(insts.len());
        for inst in insts.iter().rev() {
            if dead(function, &aliases, *inst, &mut later, &unread) {
                changed = true;
            } else {
                keep.push(*inst);
            }
        }
        keep.reverse();
        function.blocks[block.index()].insts = keep;
        over[block.index()] = Some(later);
    }
    changed
}

/// What every successor writes over.
fn at_end(function: &Function, over: &[Option<Vec<Location>>], block: Block) -> Vec<Location> {
    let end = &function.blocks[block.index()].end;
    let mut edges = end.edges();
    let Some(first) = edges.next() else { return Vec::new() };
    let Some(mut all) = over[first.block.index()].clone() else { return Vec::new() };
    for edge in edges {
        match &over[edge.block.index()] {
            Some(other) => all.retain(|location| other.contains(location)),
            None => return Vec::new(),
        }
    }
    all
}

/// Slots that no one reads, nor knows.
fn unread_slots(function: &Function, cfg: &Cfg, aliases: &Aliases) -> Vec<bool> {
    let mut unread = vec![true; function.values.len()];
    for block in &cfg.order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let read = match data.op {
                Op::Load(_) => data.args.first(),
                Op::Copy { .. } => data.args.get(1),
                Op::Store(access) if access.volatile => data.args.first(),
                Op::Builtin(..) => data.args.first(),
                _ => None,
            };
            match read.map(|pointer| aliases.object(function, *pointer)) {
                Some(Object::Slot(slot)) => unread[slot.index()] = false,
                Some(Object::Global(_) | Object::Param(_) | Object::Any | Object::Nothing) | None => {}
            }
        }
    }
    unread
}

fn dead(
    function: &Function,
    aliases: &Aliases,
    inst: Inst,
    later: &mut Vec<Location>,
    unread: &[bool],
) -> bool {
    let data = &function.insts[inst.index()];
    let plain = match data.op {
        Op::Store(access) => !access.volatile,
        Op::Zero { .. } | Op::Copy { .. } => true,
        _ => false,
    };
    if plain && let Some(written) = aliases.accessed(function, inst) {
        if let Object::Slot(slot) = aliases.object(function, data.args[0])
            && aliases.private(&written)
            && unread[slot.index()]
        {
            return true;
        }
        if covered(later, &written) {
            return true;
        }
        if later.len() < FOLLOWED {
            later.push(written);
        }
        // A copy may read what it writes over.
        later.retain(|location| !aliases.reads(function, inst, location));
        return false;
    }
    later.retain(|location| !aliases.reads(function, inst, location));
    false
}

/// Whether all of a place is written over, by one write or by several together.
fn covered(later: &[Location], written: &Location) -> bool {
    let Some(size) = written.size else { return false };
    let end = written.at.saturating_add_unsigned(size);
    let mut at = written.at;
    while at < end {
        let reach = |over: &Location| {
            let over_end = over.at.saturating_add_unsigned(over.size?);
            (over.root == written.root && over.at <= at && over_end > at).then_some(over_end)
        };
        match later.iter().filter_map(reach).max() {
            Some(reached) => at = reached,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn stores(body: &str) -> usize {
        let text = format!("kernel @k(p, q, c) {{\nb0(p: ptr.global, q: ptr.global, c: pred):\n{body}\n}}");
        changed(&text, super::run).matches("store").count()
    }

    #[test]
    fn what_is_written_over_is_not_stored() {
        assert_eq!(stores("  store.a4 p, 1:i32\n  store.a4 p, 2:i32\n  return"), 1);
    }

    #[test]
    fn what_several_stores_write_over_together_is_not_stored() {
        let zeros = |stores: &str| {
            let text = format!(
                "kernel @k(p, n) {{\nb0(p: ptr.global, n: i64):\n  s: ptr.local = slot 8 align 8\n  q: ptr.local = offset s, 4:i64\n  r: ptr.local = offset s, n\n  zero 8 align 4 s\n{stores}\n  x: i32 = load.a4 r\n  store.a4 p, x\n  return\n}}"
            );
            changed(&text, super::run).matches("zero").count()
        };
        assert_eq!(zeros("  store.a4 q, 1:i32\n  store.a4 s, 2:i32"), 0);
        assert_eq!(zeros("  store.a4 q, 1:i32"), 1);
        assert_eq!(zeros("  store.a4 q, 1:i32\n  y: i32 = load.a4 r\n  store.a4 s, y"), 1);
    }

    #[test]
    fn what_may_be_read_between_is_stored() {
        assert_eq!(stores("  store.a4 p, 1:i32\n  x: i32 = load.a4 q\n  store.a4 p, 2:i32\n  return"), 2);
        assert_eq!(
            stores("  store.a4 p, 1:i32\n  builtin \"__syncthreads v() -\"\n  store.a4 p, 2:i32\n  return"),
            2
        );
    }

    #[test]
    fn what_a_copy_may_read_of_what_it_writes_over_is_stored() {
        let copied = |from: &str| {
            format!(
                "  s: ptr.local = slot 16 align 16\n  i: i64 = load.a8 p\n  r: ptr.local = offset s, {from}\n  store.a4 s, 1:i32\n  copy 4 align 4 s, r\n  x: i32 = load.a4 s\n  store.a4 p, x\n  return"
            )
        };
        assert_eq!(stores(&copied("i")), 2);
        assert_eq!(stores(&copied("8:i64")), 1);
    }

    #[test]
    fn what_all_ways_write_over_is_not_stored() {
        let body = |other: &str| {
            format!(
                "  store.a4 p, 1:i32\n  branch c, b1, b2\nb1:\n  store.a4 p, 2:i32\n  return\nb2:\n  {other}\n  return"
            )
        };
        assert_eq!(stores(&body("store.a4 p, 3:i32")), 2);
        assert_eq!(stores(&body("")), 2);
        assert_eq!(stores(&body("store.a4 q, 3:i32")), 3);
    }

    #[test]
    fn shared_memory_that_no_function_reads_is_not_stored() {
        let left = |declared: &str, read: &str| {
            let text = format!(
                "global @s shared {declared} align 4 element i32 array\nkernel @j(p) {{\nb0(p: ptr.global):\n  g: ptr.shared = global @s\n  {read}\n  return\n}}\nkernel @k(p, n) {{\nb0(p: ptr.global, n: i64):\n  g: ptr.shared = global @s\n  q: ptr.shared = offset g, n\n  store.a4 q, 1:i32\n  return\n}}"
            );
            let mut module = crate::ir::parse::parse(&text);
            super::unread_shared(&mut module.functions, super::own_shared(&module.globals));
            module.to_string().matches("store").count()
        };
        assert_eq!(left("64", ""), 0);
        assert_eq!(left("64", "x: i32 = load.a4 g"), 1);
        assert_eq!(left("64", "store.a8 p, g"), 2);
    }

    #[test]
    fn a_slot_that_nobody_reads_is_not_stored() {
        assert_eq!(stores("  s: ptr.local = slot 8 align 8\n  store.a4 s, 1:i32\n  return"), 0);
    }
}
