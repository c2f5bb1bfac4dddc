//! Compaction: what is dead leaves the arenas.
//!
//! Enters: a function. Leaves: the same with its values, instructions and blocks numbered again without gaps, blocks in
//! reverse postorder. Passes take time by the size of the arenas, and unrolling leaves much of it.

use crate::ir::cfg::reverse_postorder;
use crate::ir::{Block, Def, Function, Inst, Value, Values};

/// Renumbers everything that is reached.
pub(crate) fn run(function: &mut Function) {
    super::resolve_operands(function);
    let order = reverse_postorder(function);
    let mut blocks = vec![u32::MAX; function.blocks.len()];
    for (at, block) in order.iter().enumerate() {
        blocks[block.index()] = at as u32;
    }
    let mut old_blocks = std::mem::take(&mut function.blocks);
    let mut old_insts = std::mem::take(&mut function.insts);
    let old_values = std::mem::take(&mut function.values);
    let count: usize = order.iter().map(|block| old_blocks[block.index()].insts.len()).sum();
    function.blocks.reserve_exact(order.len());
    // With room for what passes add: an arena that grows is copied.
    function.insts.reserve_exact(count + count / 2);
    let mut numbers = vec![u32::MAX; old_values.len()];
    let mut values = Vec::with_capacity(old_values.len());
    let mut renumber = |value: &mut Value| {
        let number = &mut numbers[value.index()];
        if *number == u32::MAX {
            *number = values.len() as u32;
            values.push(old_values[value.index()]);
        }
        value.0 = *number;
    };
    function.params.iter_mut().for_each(|param| renumber(&mut param.value));
    for block in &order {
        let mut data = std::mem::take(&mut old_blocks[block.index()]);
        data.params.iter_mut().for_each(&mut renumber);
        for inst in &mut data.insts {
            let mut moved = std::mem::replace(
                &mut old_insts[inst.index()],
                crate::ir::InstData {
                    op: crate::ir::Op::Select,
                    args: Values::default(),
                    results: Values::default(),
                    place: crate::ir::DebugLocation::default(),
                },
            );
            moved.args.iter_mut().for_each(&mut renumber);
            moved.results.iter_mut().for_each(&mut renumber);
            *inst = Inst(function.insts.len() as u32);
            function.insts.push(moved);
        }
        data.end.for_each_use_mut(&mut renumber);
        for edge in data.end.edges_mut() {
            edge.block = Block(blocks[edge.block.index()]);
        }
        function.blocks.push(data);
    }
    function.values = values;
    for at in 0..function.blocks.len() {
        for (n, param) in function.blocks[at].params.iter().enumerate() {
            function.values[param.index()].def = Def::Param(Block(at as u32), n as u32);
        }
        for inst in &function.blocks[at].insts {
            for (n, result) in function.insts[inst.index()].results.iter().enumerate() {
                function.values[result.index()].def = Def::Result(*inst, n as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    #[test]
    fn the_function_stays_as_it_is() {
        let text = "kernel @k(p, n) {\nb0(p: ptr.global, n: i32):\n  x: i32 = load.a4 p\n  jump b1(0:i32)\nb1(i: i32):\n  y: i32 = add i, x\n  store.a4 p, y\n  c: pred = cmp.slt y, n\n  branch c, b1(y), b2\nb2:\n  return\n}";
        let same = changed(text, |_, _| false);
        let compacted = changed(text, |function, _| {
            let before = function.values.len();
            super::run(function);
            function.values.len() <= before
        });
        assert_eq!(compacted, same);
    }
}
