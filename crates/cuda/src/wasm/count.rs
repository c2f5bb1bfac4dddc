//! Count of what a program executes.
//!
//! Enters: a function. Leaves: code that subtracts what each of its blocks costs from a number of operations that are left, and a
//! fault where none is. The number is the same in every engine of WebAssembly.
//!
//! Within a function the number is in a local: a block's cost is then one instruction of an interpreter, and none to speak of in an
//! engine that compiles. It is in the global variable around calls, since those count too. What is left is looked at where a function begins and in
//! each loop, so that whatever does not end is found; a function with neither calls nor loops leaves that to who calls it.

use super::body::Body;
use super::site::Fault;
use super::writer::{Left, OPERATIONS, Writer};
use crate::ir::{Block, DebugLocation, Op};
use wasm_encoder::{BlockType, ValType};

/// Logarithm of the bytes that are moved at the cost of an operation.
const MOVED_LOG2: i64 = 4;

impl Writer<'_> {
    /// Takes over what is left, where the function begins.
    pub(super) fn begin_count(&mut self) {
        let left = self.locals.add(ValType::I64);
        self.left = Some(left);
        self.sink().global_get(OPERATIONS).local_set(left);
    }

    /// Puts what is left into the global variable: before calls, and at the end.
    pub(super) fn hand_count(&mut self) {
        if let Some(left) = self.left.filter(|_| self.left_in == Left::Local) {
            self.sink().local_get(left).global_set(OPERATIONS);
            self.left_in = Left::Both;
        }
    }

    /// Puts what is left into the local, where a call has changed it.
    pub(super) fn take_count(&mut self) {
        if let Some(left) = self.left.filter(|_| self.left_in == Left::Global) {
            self.sink().global_get(OPERATIONS).local_set(left);
            self.left_in = Left::Both;
        }
    }

    /// Counts the bytes on the stack (64 bits), which are moved.
    pub(super) fn count_bytes(&mut self) {
        let Some(left) = self.left else {
            self.sink().drop();
            return;
        };
        let moved = self.scratch(ValType::I64);
        self.sink().i64_const(MOVED_LOG2).i64_shr_u().local_set(moved);
        self.take_count();
        self.sink().local_get(left).local_get(moved).i64_sub().local_set(left);
        self.left_in = Left::Local;
        self.give_back(moved);
    }
}

impl Body<'_> {
    /// Counts a block that begins.
    pub(super) fn count(&mut self, block: Block) {
        let Some(left) = self.writer.left else { return };
        self.writer.left_in = Left::Local;
        let cost = self.costs[block.index()];
        if cost == 0 {
            return;
        }
        self.sink().local_get(left).i64_const(cost as i64).i64_sub().local_set(left);
        let header = self.flow.header[block.index()];
        if !(header || block == Block(0) && self.calls()) {
            return;
        }
        let place = self.place(block);
        self.sink().local_get(left).i64_const(0).i64_lt_s().if_(BlockType::Empty);
        self.writer.hand_count();
        self.writer.left_in = Left::Local;
        self.writer.fault(Fault::Operations, place, |this| {
            this.sink().i64_const(0);
        });
        self.sink().end();
    }

    /// Whether the function calls another, or itself.
    fn calls(&self) -> bool {
        let function = self.writer.function;
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| matches!(function.insts[inst.index()].op, Op::Call(_) | Op::CallIndirect))
    }

    /// Where a block is in the source: its first instruction that is anywhere, or its end.
    fn place(&self, block: Block) -> DebugLocation {
        let function = self.writer.function;
        let data = &function.blocks[block.index()];
        let mut places = data.insts.iter().map(|inst| function.insts[inst.index()].place);
        places.find(|place| place.span != Default::default()).unwrap_or(data.end_place)
    }
}
