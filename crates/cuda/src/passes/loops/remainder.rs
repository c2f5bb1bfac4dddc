//! Unrolling of loops whose number of iterations is only known when they begin, as LLVM's `UnrollLoopRuntime`.
//!
//! Enters: a loop that leaves by its last block only, and how often it comes back. Leaves: it with several iterations in one, and the
//! iterations that are left over in a copy of it: after it (an epilogue) where it counts from a constant, otherwise before it (a prologue).
//! In a loop within a loop the copy is no loop either, but as many iterations as may be left over, each with a test.
//!
//! Counter: `warp_instructions`. Of `sum_rows` in lab-4-2 (small sizes) NVRTC's code has 3,403, ours without the pass 6,212.

use super::clone::Map;
use super::counted::{Before, Counted};
use super::form::{Form, incoming};
use super::replicate::replicate;
use crate::ir::{
    Binary, Block, Compare, DebugLocation, Def, Edge, Function, Terminator, Type, Unroll, Value, Wrap,
};

/// Where the iterations that are left over go on.
enum After {
    /// Out of the loop.
    Exit,
    /// To a block that takes the header's arguments of the next iteration and the exit's.
    Middle(Block),
}

/// Loop that is unrolled.
struct Remainder<'a> {
    form: &'a Form,
    count: u32,
    ty: Type,
    place: DebugLocation,
    /// Arguments of the way back, and the way out.
    back: Vec<Value>,
    out: Edge,
    /// Turns that are left over.
    left: Value,
}

/// Puts that many iterations of a loop into one; `nested` for a loop within another.
pub(super) fn run(function: &mut Function, form: &Form, counted: &Counted, count: u32, nested: bool) {
    let place = function.blocks[form.latch.index()].end_place;
    let back = incoming(function, form.latch, form.header).to_vec();
    let initial = incoming(function, form.preheader, form.header).to_vec();
    let out = function.blocks[form.latch.index()].end.edges().find(|edge| edge.block != form.header).cloned();
    let Some(out) = out else { return };
    let ty = counted.ty();
    let whole_number = |value: &Value| {
        function.constant(*value).is_some() && matches!(function.ty(*value), Type::I32 | Type::I64)
    };
    let epilogue = initial.iter().any(whole_number);

    let comes_back = counted.emit(function, form, place);
    let mut at = Before { function, block: form.preheader, place };
    let one = at.constant(ty, 1);
    let number = at.constant(ty, i64::from(count));
    let turns = at.binary(Binary::Add(Wrap::default()), comes_back, one);
    let left = if count.is_power_of_two() {
        let mask = at.constant(ty, i64::from(count) - 1);
        at.binary(Binary::And, turns, mask)
    } else {
        // The number of iterations may be 0 for one more than fits.
        let most = at.binary(Binary::URem, comes_back, number);
        let most = at.binary(Binary::Add(Wrap::default()), most, one);
        at.binary(Binary::URem, most, number)
    };
    let enough = at.constant(ty, i64::from(count) - 1);
    let few = at.compare(Compare::ULt, comes_back, enough);
    let zero = at.constant(ty, 0);

    let remainder = Remainder { form, count, ty, place, back, out, left };
    let main = function.block();
    function.blocks[main.index()].end_place = place;
    if epilogue {
        let enter = remainder.copy(function, nested, &After::Exit);
        let whole = Before { function, block: main, place }.binary(Binary::Sub(Wrap::default()), turns, left);
        let latch = replicate(function, form, count, |_| false);
        let next = incoming(function, latch, form.header).to_vec();
        let leave =
            function.blocks[latch.index()].end.edges().find(|edge| edge.block != form.header).cloned();
        let Some(leave) = leave else { return };
        // The loop counts down what is left for it; its own test is gone.
        let counter = function.block_param(form.header, ty);
        let mut at = Before { function, block: latch, place };
        let less = at.constant(ty, -i64::from(count));
        let down = at.binary(Binary::Add(Wrap::default()), counter, less);
        let again = at.compare(Compare::Ne, down, zero);
        let middle = function.block();
        let with = |args: &[Value], value: Value| args.iter().copied().chain([value]).collect();
        function.blocks[latch.index()].end = Terminator::Branch(
            again,
            Edge { block: form.header, args: with(&next, down) },
            Edge { block: middle, args: Vec::new() },
        );
        let none = Before { function, block: middle, place }.compare(Compare::Eq, left, zero);
        end(function, middle, Terminator::Branch(none, leave, Edge { block: enter, args: next }), place);
        let header = Edge { block: form.header, args: with(&initial, whole) };
        end(function, main, Terminator::Jump(header), place);
        let main = Edge { block: main, args: Vec::new() };
        let branch = Terminator::Branch(few, Edge { block: enter, args: initial }, main);
        end(function, form.preheader, branch, place);
    } else {
        let middle = function.block();
        let params: Vec<Value> = remainder.params(function, middle);
        let types: Vec<Type> = remainder.out.args.iter().map(|value| function.ty(*value)).collect();
        let results = types.iter().map(|ty| function.block_param(middle, *ty)).collect();
        let enter = remainder.copy(function, nested, &After::Middle(middle));
        replicate(function, form, count, |_| false);
        let exit = Edge { block: remainder.out.block, args: results };
        let to_main = Edge { block: main, args: Vec::new() };
        end(function, middle, Terminator::Branch(few, exit, to_main), place);
        end(function, main, Terminator::Jump(Edge { block: form.header, args: params }), place);
        let none = Before { function, block: form.preheader, place }.compare(Compare::Eq, left, zero);
        // Without iterations left over there are enough for the loop, and no one asks for what came before it.
        let nothing = types.iter().map(|ty| function.value(*ty, Def::Undefined)).collect::<Vec<_>>();
        let past = Edge { block: middle, args: initial.iter().copied().chain(nothing).collect() };
        let branch = Terminator::Branch(none, past, Edge { block: enter, args: initial });
        end(function, form.preheader, branch, place);
    }
}

fn end(function: &mut Function, block: Block, end: Terminator, place: DebugLocation) {
    let data = &mut function.blocks[block.index()];
    (data.end, data.end_place) = (end, place);
}

impl Remainder<'_> {
    /// Gives a block parameters as the header has them.
    fn params(&self, function: &mut Function, block: Block) -> Vec<Value> {
        let types: Vec<Type> = function.blocks[self.form.header.index()]
            .params
            .iter()
            .map(|param| function.ty(*param))
            .collect();
        types.into_iter().map(|ty| function.block_param(block, ty)).collect()
    }

    /// The way on after the iterations that are left over, from a copy.
    fn way_on(&self, function: &Function, map: &Map, after: &After) -> Edge {
        let out = self.out.args.iter();
        match after {
            After::Exit => {
                Edge { block: self.out.block, args: out.map(|arg| map.of(function, *arg)).collect() }
            }
            After::Middle(block) => {
                let args = self.back.iter().chain(out).map(|arg| map.of(function, *arg)).collect();
                Edge { block: *block, args }
            }
        }
    }

    /// Copies the loop for the iterations that are left over, of which there is one at least. The block that it begins with takes the
    /// header's arguments.
    fn copy(&self, function: &mut Function, nested: bool, after: &After) -> Block {
        let enter = function.block();
        let params = self.params(function, enter);
        if nested {
            self.straight(function, enter, params, after)
        } else {
            self.again(function, enter, params, after)
        }
        enter
    }

    /// As a loop that counts down.
    fn again(&self, function: &mut Function, enter: Block, params: Vec<Value>, after: &After) {
        let mut map = Map::default();
        // No block is the entry: the header's copy has parameters of its own.
        map.blocks(function, &self.form.blocks, Block(u32::MAX));
        let (header, latch) = (map.of_block(self.form.header), map.of_block(self.form.latch));
        let counter = function.block_param(header, self.ty);
        let mut at = Before { function, block: latch, place: self.place };
        let less = at.constant(self.ty, -1);
        let zero = at.constant(self.ty, 0);
        let down = at.binary(Binary::Add(Wrap::default()), counter, less);
        let again = at.compare(Compare::Ne, down, zero);
        let mut args: Vec<Value> = self.back.iter().map(|arg| map.of(function, *arg)).collect();
        args.push(down);
        let way_on = self.way_on(function, &map, after);
        let branch = Terminator::Branch(again, Edge { block: header, args }, way_on);
        end(function, latch, branch, self.place);
        function.blocks[header.index()].unroll = Some(Unroll::By(1));
        let args = params.into_iter().chain([self.left]).collect();
        end(function, enter, Terminator::Jump(Edge { block: header, args }), self.place);
    }

    /// As one iteration after the other.
    fn straight(&self, function: &mut Function, enter: Block, params: Vec<Value>, after: &After) {
        let mut args = params;
        // The copy before, and its way on.
        let mut before: Option<(Block, Edge)> = None;
        for turn in 1..self.count {
            let mut map = Map::default();
            let header = function.blocks[self.form.header.index()].params.clone();
            header.into_iter().zip(&args).for_each(|(param, arg)| map.value(param, *arg));
            map.blocks(function, &self.form.blocks, self.form.header);
            let first = Edge { block: map.of_block(self.form.header), args: Vec::new() };
            match before {
                None => end(function, enter, Terminator::Jump(first), self.place),
                Some((latch, way_on)) => {
                    let mut at = Before { function, block: latch, place: self.place };
                    let done = at.constant(self.ty, i64::from(turn) - 1);
                    let last = at.compare(Compare::Eq, self.left, done);
                    end(function, latch, Terminator::Branch(last, way_on, first), self.place);
                }
            }
            args = self.back.iter().map(|arg| map.of(function, *arg)).collect();
            before = Some((map.of_block(self.form.latch), self.way_on(function, &map, after)));
        }
        if let Some((latch, way_on)) = before {
            end(function, latch, Terminator::Jump(way_on), self.place);
        }
    }
}
