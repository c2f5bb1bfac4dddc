//! Several iterations of a loop in one.
//!
//! Enters: a loop in its form that tests at its end, and after which iterations its test stays. Leaves: it with copies of its blocks one
//! after the other. This file must never know why that many.

use super::clone::Map;
use super::form::{Form, incoming};
use crate::ir::{Block, Edge, Function, Terminator};

/// Puts that many iterations of a loop that tests at its end into one; its test stays after those iterations of which `tests` says so. Gives the
/// block that leads back now.
pub(super) fn replicate(
    function: &mut Function,
    form: &Form,
    count: u32,
    tests: impl Fn(u32) -> bool,
) -> Block {
    let header = form.header;
    // Copies are of the loop as it was: its way back is another after the first.
    let test = function.blocks[form.latch.index()].end.clone();
    let mut from = form.latch;
    for done in 1..count {
        let args = incoming(function, from, header);
        let mut map = Map::default();
        for (param, arg) in function.blocks[header.index()].params.clone().into_iter().zip(args) {
            map.value(param, *arg);
        }
        // The copy of the way back leads to the header itself, from the last copy.
        map.blocks(function, &form.blocks, header);
        let (entry, latch) = (map.of_block(header), map.of_block(form.latch));
        let mut end = map.of_end(function, &test);
        end.edges_mut().filter(|edge| edge.block == entry).for_each(|edge| edge.block = header);
        function.blocks[latch.index()].end = end;
        let on = Edge { block: entry, args: Vec::new() };
        let before = &mut function.blocks[from.index()].end;
        if tests(done) {
            before.edges_mut().filter(|edge| edge.block == header).for_each(|edge| *edge = on.clone());
        } else {
            *before = Terminator::Jump(on);
        }
        from = latch;
    }
    from
}
