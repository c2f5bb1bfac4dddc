//! Which instructions are written together with those that use them, and what each then reads and defines.
//!
//! A value that is *folded* has no register: its users read what it is made of.

use super::operand::Class;
use super::order;
use crate::builtin::{Builtin, Meaning};
use crate::ir::{Binary, Block, Convert, Def, Function, Inst, InstData, Op, Space, Terminator, Type, Value};

/// How values are used, and which are folded.
pub(super) struct Selection {
    /// Uses of each value in registers or addresses; 0 for what no one needs.
    pub(super) uses: Vec<u32>,
    /// Whether a value has no register of its own.
    folded: Vec<bool>,
    /// For a load whose only use widens it: the widened value and whether signs are extended.
    widened: Vec<Option<(Value, bool)>>,
    /// Block of each instruction.
    home: Vec<Option<Block>>,
}

/// Address: what it begins at, and bytes after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Value,
    pub(super) offset: i64,
}

/// Product of two 32-bit values in 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    pub(super) signed: bool,
    pub(super) a: Value,
    pub(super) b: Factor,
}

/// Second factor of a wide product.
#[derive(Clone, Copy)]
pub(super) enum Factor {
    Value(Value),
    Number(i64),
}

/// Definition by an instruction.
fn defining(function: &Function, value: Value) -> Option<&InstData> {
    match function.values[value.index()].def {
        Def::Result(inst, _) => Some(&function.insts[inst.index()]),
        Def::Param(..) | Def::Constant(_) | Def::Undefined | Def::Alias(_) => None,
    }
}

/// Constant distance of an `Offset`.
fn distance(function: &Function, inst: &InstData) -> Option<i64> {
    if !matches!(inst.op, Op::Offset) {
        return None;
    }
    let bits = function.constant(*inst.args.get(1)?)? as i64;
    // PTX has 32 bits for it; halved so that a few may be added up.
    (bits.unsigned_abs() < 1 << 28).then_some(bits)
}

/// Whether an address lies outside of the kernel's parameter that it begins in. Anyone who reads PTX refuses the module for one
/// that is written out, although it may stand where no thread comes; one in a register is found when it is used.
fn leaves_parameter(function: &Function, inst: &InstData) -> bool {
    let (Some(base), Some(by)) = (inst.args.first(), distance(function, inst)) else { return false };
    let param = function.params.iter().find(|param| param.value == *base);
    let bytes = param.and_then(|param| param.bytes).map(|(bytes, _)| bytes);
    bytes.is_some_and(|bytes| u64::try_from(by).map_or(true, |by| by >= bytes))
}

/// Whether an instruction without users is left out.
fn removable(op: &Op) -> bool {
    match op {
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select
        | Op::Fma
        | Op::Convert(_)
        | Op::Slot { .. }
        | Op::Global(_)
        | Op::Function(_)
        | Op::Offset => true,
        Op::Load(access) => !access.volatile,
        Op::Builtin(builtin, _) => is_removable(builtin),
        Op::Store(_) | Op::Copy { .. } | Op::Zero { .. } | Op::Call(_) | Op::CallIndirect | Op::Asm(_) => {
            false
        }
    }
}

/// Whether a function is left out where no one uses its result.
fn is_removable(builtin: &Builtin) -> bool {
    match builtin.meaning {
        Meaning::Known(_) | Meaning::Pure(_) | Meaning::Load(_) => true,
        Meaning::Warp(_)
        | Meaning::State(_)
        | Meaning::Fence(_)
        | Meaning::Barrier(_)
        | Meaning::End(_)
        | Meaning::Store(_)
        | Meaning::Atomic(..)
        | Meaning::AtomicOrdered(_)
        | Meaning::LoadOrdered
        | Meaning::StoreOrdered
        | Meaning::FenceOrdered
        | Meaning::Bytes(_)
        | Meaning::Call(_)
        | Meaning::Told(_) => false,
    }
}

/// Whether the first argument is written as an address.
fn takes_address(builtin: &Builtin) -> bool {
    match builtin.meaning {
        Meaning::Atomic(..) | Meaning::AtomicOrdered(_) | Meaning::LoadOrdered | Meaning::StoreOrdered => {
            true
        }
        Meaning::Known(_)
        | Meaning::Pure(_)
        | Meaning::Load(_)
        | Meaning::Warp(_)
        | Meaning::State(_)
        | Meaning::Fence(_)
        | Meaning::Barrier(_)
        | Meaning::End(_)
        | Meaning::Store(_)
        | Meaning::FenceOrdered
        | Meaning::Bytes(_)
        | Meaning::Call(_)
        | Meaning::Told(_) => false,
    }
}

/// Number of the operand that an instruction takes as an address, if it takes one.
pub(super) fn address_operand(inst: &InstData) -> Option<usize> {
    match &inst.op {
        Op::Load(_) | Op::Store(_) => Some(0),
        Op::Builtin(builtin, _) if takes_address(builtin) => Some(0),
        _ => None,
    }
}

impl Selection {
    /// Decides for a legal function whose blocks are given in the order in which they are written.
    pub(super) fn new(function: &Function, layout: &[Block]) -> Self {
        let mut home = vec![None; function.insts.len()];
        for block in layout {
            for inst in &function.blocks[block.index()].insts {
                home[inst.index()] = Some(*block);
            }
        }
        let count = function.values.len();
        let mut this =
            Self { uses: vec![0; count], folded: vec![false; count], widened: vec![None; count], home };
        this.count(function, layout);
        this.widen(function, layout);
        this.fold_rest(function, layout);
        this
    }

    /// Counts uses, leaving out instructions whose results no one uses.
    fn count(&mut self, function: &Function, layout: &[Block]) {
        for block in layout {
            match &function.blocks[block.index()].end {
                Terminator::Jump(edge) => self.count_all(&edge.args),
                Terminator::Branch(condition, then, other) => {
                    self.count_all(&[*condition]);
                    self.count_all(&then.args);
                    self.count_all(&other.args);
                }
                Terminator::Return(values) => self.count_all(values),
                Terminator::Switch(..) | Terminator::Unreachable => {}
            }
            for inst in &function.blocks[block.index()].insts {
                self.count_all(&function.insts[inst.index()].args);
            }
        }
        // Users come after what they use, but for blocks' parameters.
        for block in layout.iter().rev() {
            for inst in function.blocks[block.index()].insts.iter().rev() {
                let data = &function.insts[inst.index()];
                if removable(&data.op) && data.results.iter().all(|value| self.uses[value.index()] == 0) {
                    for arg in &data.args {
                        self.uses[arg.index()] -= 1;
                    }
                    self.home[inst.index()] = None;
                }
            }
        }
    }

    fn count_all(&mut self, values: &[Value]) {
        for value in values {
            self.uses[value.index()] += 1;
        }
    }

    /// Whether an instruction is written at all.
    pub(super) fn written(&self, inst: Inst) -> bool {
        self.home[inst.index()].is_some()
    }

    /// Lets a load extend what it loads where that is its only use.
    fn widen(&mut self, function: &Function, layout: &[Block]) {
        for inst in layout.iter().flat_map(|block| &function.blocks[block.index()].insts) {
            let data = &function.insts[inst.index()];
            let Op::Convert(kind @ (Convert::ZeroExtend | Convert::SignExtend)) = data.op else { continue };
            let from = data.args[0];
            let narrow = matches!(function.ty(from), Type::I8 | Type::I16);
            let alone = self.written(*inst) && self.uses[from.index()] == 1;
            let loaded = defining(function, from)
                .is_some_and(|load| matches!(load.op, Op::Load(_)) && load.results.len() == 1);
            if narrow && alone && loaded && data.results.len() == 1 {
                self.widened[from.index()] = Some((data.results[0], kind == Convert::SignExtend));
                self.folded[from.index()] = true;
            }
        }
    }

    /// The value that a load of this result loads instead, and whether it extends signs.
    pub(super) fn widened(&self, loaded: Value) -> Option<(Value, bool)> {
        self.widened[loaded.index()]
    }

    /// Folds addresses, factors of wide products, products of sums and truncations of what is stored.
    fn fold_rest(&mut self, function: &Function, layout: &[Block]) {
        // Uses that can be folded: of pointers as addresses, of extensions in wide products, of truncations in stores. A
        // value is one of these, so that one count serves.
        let mut foldable_uses = vec![0u32; function.values.len()];
        for inst in layout.iter().flat_map(|block| &function.blocks[block.index()].insts) {
            if !self.written(*inst) {
                continue;
            }
            let data = &function.insts[inst.index()];
            if let Some(pointer) = address_operand(data).and_then(|at| data.args.get(at)) {
                foldable_uses[pointer.index()] += 1;
            }
            if distance(function, data).is_some() {
                foldable_uses[data.args[0].index()] += 1;
            }
            if self.wide(function, data).is_some() {
                for arg in data.args.iter().filter(|arg| extended(function, **arg).is_some()) {
                    foldable_uses[arg.index()] += 1;
                }
            }
            if let (Op::Store(_), [_, stored]) = (&data.op, data.args.as_slice()) {
                let truncates = |made: &InstData| matches!(made.op, Op::Convert(Convert::Truncate));
                if defining(function, *stored).is_some_and(truncates) {
                    foldable_uses[stored.index()] += 1;
                }
            }
        }
        let in_loop = self.used_in_loops(function, layout);
        for inst in layout.iter().flat_map(|block| &function.blocks[block.index()].insts) {
            let data = &function.insts[inst.index()];
            let (true, [result]) = (self.written(*inst), data.results.as_slice()) else { continue };
            let all = foldable_uses[result.index()] == self.uses[result.index()];
            self.folded[result.index()] |= match data.op {
                Op::Global(_) => all || !in_loop[result.index()],
                Op::Slot { .. } => true,
                Op::Offset => all && distance(function, data).is_some() && !leaves_parameter(function, data),
                // Stored in full or not: what is stored is the low part of the register in any case.
                Op::Convert(Convert::Truncate) => all && data_truncates_integer(function, data),
                Op::Convert(Convert::SignExtend | Convert::ZeroExtend) => {
                    all && extended(function, *result).is_some()
                }
                _ => false,
            };
        }
        for inst in layout.iter().flat_map(|block| &function.blocks[block.index()].insts) {
            let data = &function.insts[inst.index()];
            if self.written(*inst)
                && let Some((product, _)) = self.multiply_add(function, *inst, data)
            {
                self.folded[product.index()] = true;
            }
        }
    }

    /// Variables whose addresses a loop uses that does not make them: these are put into registers once, before it.
    fn used_in_loops(&self, function: &Function, layout: &[Block]) -> Vec<bool> {
        let mut used = vec![false; function.values.len()];
        let depth = order::depths(function);
        for block in layout {
            let insts = &function.blocks[block.index()].insts;
            let args = insts.iter().flat_map(|inst| &function.insts[inst.index()].args);
            for value in args.copied().chain(function.blocks[block.index()].end.uses()) {
                let Def::Result(at, _) = function.values[value.index()].def else { continue };
                let home = self.home[at.index()];
                used[value.index()] |= matches!(function.insts[at.index()].op, Op::Global(_))
                    && home.is_some_and(|home| depth[home.index()] < depth[block.index()]);
            }
        }
        used
    }

    /// Whether a value has no register of its own. Constants have none either, but may be put into one.
    pub(super) fn folded(&self, value: Value) -> bool {
        self.folded[value.index()]
    }

    /// A product of 32-bit values in 64 bits, or the shift of one.
    pub(super) fn wide(&self, function: &Function, inst: &InstData) -> Option<Wide> {
        let Op::Binary(op @ (Binary::Mul(_) | Binary::Shl(_))) = inst.op else { return None };
        let [first, second] = *inst.args.as_slice() else { return None };
        if function.ty(first) != Type::I64 {
            return None;
        }
        if let Binary::Shl(_) = op {
            let (a, signed) = extended(function, first)?;
            let by = function.constant(second)? as u32;
            // 2³¹ is no signed factor of 32 bits.
            let fits = if signed { by < 31 } else { by < 32 };
            return fits.then(|| Wide { signed, a, b: Factor::Number(1i64 << by) });
        }
        let (a, b, signed) = match (extended(function, first), extended(function, second)) {
            (Some((a, sa)), Some((b, sb))) if sa == sb => {
                return Some(Wide { signed: sa, a, b: Factor::Value(b) });
            }
            (Some((a, signed)), None) => (a, second, signed),
            (None, Some((b, signed))) => (b, first, signed),
            _ => return None,
        };
        let number = function.constant(b)? as i64;
        let fits = if signed { i32::try_from(number).is_ok() } else { u32::try_from(number).is_ok() };
        // As PTX writes numbers of 32 bits.
        fits.then(|| Wide { signed, a, b: Factor::Number(i64::from(number as i32)) })
    }

    /// A sum with a product that is used nowhere else: the product and the other summand.
    pub(super) fn multiply_add(
        &self,
        function: &Function,
        inst: Inst,
        data: &InstData,
    ) -> Option<(Value, Value)> {
        if !matches!(data.op, Op::Binary(Binary::Add(_))) {
            return None;
        }
        let [first, second] = *data.args.as_slice() else { return None };
        let product = |value: Value| {
            let Def::Result(at, _) = function.values[value.index()].def else { return false };
            let made = &function.insts[at.index()];
            matches!(made.op, Op::Binary(Binary::Mul(_)))
                && self.uses[value.index()] == 1
                && matches!(Class::of(function.ty(value)), Class::Word | Class::Long)
                && self.home[at.index()] == self.home[inst.index()]
                && self.wide(function, made).is_none()
        };
        if product(first) {
            Some((first, second))
        } else if product(second) {
            Some((second, first))
        } else {
            None
        }
    }

    /// What a pointer begins at, and how far it lies after it.
    pub(super) fn address(&self, function: &Function, pointer: Value) -> Address {
        let mut address = Address { base: pointer, offset: 0 };
        while self.folded(address.base) {
            let Some(inst) = defining(function, address.base) else { break };
            let Some(by) = distance(function, inst) else { break };
            let Some(sum) = address.offset.checked_add(by).filter(|sum| i32::try_from(*sum).is_ok()) else {
                break;
            };
            address = Address { base: inst.args[0], offset: sum };
        }
        address
    }

    /// Values that an instruction reads in registers.
    pub(super) fn reads(&self, function: &Function, inst: Inst, out: &mut Vec<Value>) {
        let data = &function.insts[inst.index()];
        if data.results.len() == 1 && self.folded(data.results[0]) && !matches!(data.op, Op::Load(_)) {
            return;
        }
        if self.made_by_load(data) {
            return;
        }
        if let Some(wide) = self.wide(function, data) {
            // What the factors are made of, even where those have registers of their own.
            self.needs(function, wide.a, out);
            if let Factor::Value(b) = wide.b {
                self.needs(function, b, out);
            }
            return;
        }
        for arg in &data.args {
            self.needs(function, *arg, out);
        }
    }

    /// Registers that reading a value takes.
    pub(super) fn needs(&self, function: &Function, value: Value, out: &mut Vec<Value>) {
        let mut value = value;
        loop {
            let Some(inst) = defining(function, value) else {
                match function.values[value.index()].def {
                    Def::Param(block, _) if !in_memory(function, block, value) => out.push(value),
                    _ => {}
                }
                return;
            };
            if !self.folded(value) {
                out.push(value);
                return;
            }
            match inst.op {
                Op::Offset | Op::Convert(_) => value = inst.args[0],
                Op::Binary(_) => {
                    // A product in a sum: its factors are not products themselves.
                    for factor in &inst.args {
                        self.factor(function, *factor, out);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    fn factor(&self, function: &Function, mut value: Value, out: &mut Vec<Value>) {
        while self.folded(value) {
            match defining(function, value) {
                Some(inst) if matches!(inst.op, Op::Offset | Op::Convert(_)) => value = inst.args[0],
                _ => return,
            }
        }
        match function.values[value.index()].def {
            Def::Result(..) => out.push(value),
            Def::Param(block, _) if !in_memory(function, block, value) => out.push(value),
            _ => {}
        }
    }

    /// Values that an instruction puts into registers.
    pub(super) fn defines(&self, function: &Function, inst: Inst, out: &mut Vec<Value>) {
        let data = &function.insts[inst.index()];
        for result in &data.results {
            match self.widened[result.index()] {
                Some((wide, _)) => out.push(wide),
                None if self.folded(*result) => {}
                None if self.made_by_load(data) => {}
                None => out.push(*result),
            }
        }
    }

    /// Value whose low part a truncation without a register is.
    pub(super) fn truncated(&self, function: &Function, value: Value) -> Option<Value> {
        let mut from = None;
        let mut at = value;
        while let (true, Some(inst)) = (self.folded(at), defining(function, at)) {
            match inst.op {
                Op::Convert(Convert::Truncate) => at = inst.args[0],
                _ => break,
            }
            from = Some(at);
        }
        from
    }

    /// Whether a conversion is done by the load before it.
    pub(super) fn made_by_load(&self, inst: &InstData) -> bool {
        matches!(inst.op, Op::Convert(Convert::ZeroExtend | Convert::SignExtend))
            && inst.args.first().is_some_and(|from| self.widened[from.index()].is_some())
    }
}

/// Whether a value is a kernel's parameter that stays where the launch put it.
pub(super) fn in_memory(function: &Function, block: Block, value: Value) -> bool {
    block.index() == 0 && function.ty(value) == Type::Ptr(Space::Param)
}

/// A 64-bit value that is an extended 32-bit one: that one, and whether by signs.
fn extended(function: &Function, value: Value) -> Option<(Value, bool)> {
    let inst = defining(function, value)?;
    let signed = match inst.op {
        Op::Convert(Convert::SignExtend) => true,
        Op::Convert(Convert::ZeroExtend) => false,
        _ => return None,
    };
    let from = *inst.args.first()?;
    (function.ty(from) == Type::I32 && function.ty(value) == Type::I64).then_some((from, signed))
}

/// Whether a truncation is one of integers (to a predicate it is a test).
fn data_truncates_integer(function: &Function, inst: &InstData) -> bool {
    inst.results.first().is_some_and(|result| function.ty(*result) != Type::Pred)
}
