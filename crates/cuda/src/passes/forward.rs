//! Forwarding of loads: what memory holds is known from stores and other loads.
//!
//! Enters: a function. Leaves: it without loads of what every way to them has loaded or stored already; where one way has
//! not, the load moves there (LLVM's `GVN` of loads, with its partial redundancies).
//!
//! Counter: `global_load_sectors`. Of `source_global` in lab-6-2 (small sizes) NVRTC's code has 8,232, ours without the pass 11,356.

pub(crate) mod carry;
mod common;

use super::Context;
use super::effects::{Effect, effect};
use super::mem2reg::bits_convert;
use super::memory::{Aliases, Location};
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::{Block, Convert, Def, Edge, Function, Inst, Op, Terminator, Type, Value};

/// Blocks that are searched for one load.
const BLOCKS: usize = 100;
/// Instructions that are looked at for one load, and for all.
const STEPS: u32 = 4_000;
const ALL_STEPS: u32 = 2_000_000;

/// Forwards; whether anything changed.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    super::resolve_operands(function);
    let mut any = false;
    let mut budget = ALL_STEPS;
    // A split edge is a new graph; each split removes a load, so this ends.
    for round in 0..64 {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        if round == 0 && common::run(function, &cfg, &dominators) {
            super::resolve_operands(function);
            any = true;
        }
        let aliases = Aliases::new(function, &cfg, context);
        let mut forwarder = Forwarder::new(function, &cfg, &dominators, &aliases, budget);
        // One access alone has nothing to learn from.
        if forwarder.moves() < 2 {
            return any;
        }
        forwarder.run();
        let (changed, split) = (forwarder.changed, forwarder.split);
        budget = forwarder.budget;
        super::resolve_operands(function);
        any |= changed;
        if !split || budget == 0 {
            break;
        }
    }
    any
}

/// Block that defines each value; the entry for constants.
fn places(function: &Function, cfg: &Cfg) -> Vec<Block> {
    let mut places = vec![Block(0); function.values.len()];
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
        data.params.iter().chain(results).for_each(|value| places[value.index()] = *block);
    }
    places
}

/// A value at the end of a block: one that is known there replaces it, or it is computed again from such.
fn compute_at(
    function: &mut Function,
    block: Block,
    value: Value,
    known: &impl Fn(Value) -> Option<Value>,
) -> Value {
    let value = function.resolve(value);
    if let Some(known) = known(value) {
        return known;
    }
    let Def::Result(inst, at) = function.values[value.index()].def else { return value };
    let mut data = function.insts[inst.index()].clone();
    for arg in &mut *data.args {
        *arg = compute_at(function, block, *arg, known);
    }
    let types: Vec<Type> = data.results.iter().map(|result| function.ty(*result)).collect();
    let copy = function.inst(data.op, data.args, &types, data.place);
    function.blocks[block.index()].insts.push(copy);
    function.insts[copy.index()].results[at as usize]
}

struct Forwarder<'a> {
    function: &'a mut Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    aliases: &'a Aliases,
    /// By block: instructions with effects.
    accesses: Vec<Vec<Inst>>,
    /// By load or store, once it was asked for: where its elements stand in the next, and how many there are.
    located: Vec<Option<(u32, u32)>>,
    /// What loads and stores move, a value each; after those of one its whole location, with no value of its own.
    elements: Vec<(Location, Value)>,
    /// By instruction: whether it was removed.
    gone: Vec<bool>,
    places: Vec<Block>,
    budget: u32,
    changed: bool,
    split: bool,
}

/// What a search through a block finds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    /// The value that memory holds.
    Value(Value),
    /// Memory is zero.
    Zero,
    /// It may hold anything.
    Unknown,
    /// The block does not touch it.
    Nothing,
}

/// Blocks above a load, with what is found in each.
struct Region {
    blocks: Vec<(Block, Found)>,
    complete: bool,
}

impl<'a> Forwarder<'a> {
    fn new(
        function: &'a mut Function,
        cfg: &'a Cfg,
        dominators: &'a Dominators,
        aliases: &'a Aliases,
        budget: u32,
    ) -> Self {
        let mut accesses: Vec<Vec<Inst>> = vec![Vec::new(); function.blocks.len()];
        for block in &cfg.order {
            let insts = function.blocks[block.index()].insts.iter().copied();
            let ours = insts.filter(|inst| effect(&function.insts[inst.index()].op) != Effect::Pure);
            accesses[block.index()].extend(ours);
        }
        let places = places(function, cfg);
        let located = vec![None; function.insts.len()];
        let (elements, gone) = (Vec::new(), Vec::new());
        let (changed, split) = (false, false);
        Forwarder {
            function,
            cfg,
            dominators,
            aliases,
            accesses,
            located,
            elements,
            gone,
            places,
            budget,
            changed,
            split,
        }
    }

    /// Loads and stores.
    fn moves(&self) -> usize {
        let moves = |inst: &&Inst| matches!(self.function.insts[inst.index()].op, Op::Load(_) | Op::Store(_));
        self.accesses.iter().flatten().filter(moves).count()
    }

    fn run(&mut self) {
        for block in self.cfg.order.clone() {
            let insts = self.accesses[block.index()].clone();
            let mut removed = 0;
            for (at, inst) in insts.iter().enumerate() {
                let at = at - removed;
                if self.budget == 0 {
                    return self.take_out();
                }
                let data = &self.function.insts[inst.index()];
                let (load, store) = match &data.op {
                    Op::Load(access) => (!access.volatile, false),
                    Op::Store(access) => (false, !access.volatile && data.args.len() == 2),
                    _ => (false, false),
                };
                let known =
                    load && self.load(block, *inst, at) || store && self.stored_already(block, *inst, at);
                if known {
                    self.remove(block, *inst, at);
                    removed += 1;
                    self.changed = true;
                    if self.split {
                        return self.take_out();
                    }
                }
            }
        }
        self.take_out();
    }

    /// Takes what was removed out of the blocks.
    fn take_out(&mut self) {
        let gone = std::mem::take(&mut self.gone);
        if !gone.is_empty() {
            for block in &self.cfg.order {
                let insts = &mut self.function.blocks[block.index()].insts;
                insts.retain(|inst| gone.get(inst.index()) != Some(&true));
            }
        }
    }

    /// Takes an instruction out of the accesses of its block, where it is at a place or before it; out of the block
    /// itself at the end.
    fn remove(&mut self, block: Block, inst: Inst, hint: usize) {
        self.gone.resize(self.function.insts.len(), false);
        self.gone[inst.index()] = true;
        let list = &mut self.accesses[block.index()];
        if let Some(at) = list.iter().take(hint + 1).rposition(|other| *other == inst) {
            list.remove(at);
        }
    }

    fn index(&self, block: Block, inst: Inst, hint: usize) -> usize {
        let list = &self.accesses[block.index()];
        list.iter().take(hint + 1).rposition(|other| *other == inst).unwrap_or(0)
    }

    /// Where the elements of a load or store stand in [`Forwarder::elements`], and how many there are. After them is all
    /// that it accesses, as one.
    fn locate(&mut self, inst: Inst) -> (usize, usize) {
        if let Some(Some((first, count))) = self.located.get(inst.index()) {
            return (*first as usize, *count as usize);
        }
        let data = &self.function.insts[inst.index()];
        let values = if matches!(data.op, Op::Load(_)) { &*data.results } else { &data.args[1..] };
        let (first, mut bytes) = (self.elements.len(), 0);
        let mut whole = self.aliases.location_of(self.function, inst, None);
        for value in values {
            let size = u64::from(self.function.ty(*value).bytes());
            let mut element = whole;
            (element.at, element.size) = (whole.at.wrapping_add(bytes), Some(size));
            self.elements.push((element, *value));
            bytes += size as i64;
        }
        whole.size = Some(bytes as u64);
        self.elements.push((whole, data.args[0]));
        if self.located.len() <= inst.index() {
            self.located.resize(self.function.insts.len(), None);
        }
        self.located[inst.index()] = Some((first as u32, values.len() as u32));
        (first, values.len())
    }

    /// Locations of what a load or store moves, a value each.
    fn elements(&mut self, inst: Inst) -> Vec<(Location, Value)> {
        let (first, count) = self.locate(inst);
        self.elements[first..first + count].to_vec()
    }

    /// A store of what is there already.
    fn stored_already(&mut self, block: Block, inst: Inst, at: usize) -> bool {
        let at = self.index(block, inst, at);
        let Some((location, value)) = self.elements(inst).pop() else { return false };
        let value = self.function.resolve(value);
        match self.search(block, at, &location, self.function.ty(value)) {
            Found::Value(known) => self.function.resolve(known) == value,
            Found::Nothing => self.loaded_above(block, &location, value),
            Found::Zero | Found::Unknown => false,
        }
    }

    /// Whether a value was loaded from a location before a block, and nothing has written there since: every way back ends at
    /// that load, which dominates what uses its result.
    fn loaded_above(&mut self, block: Block, location: &Location, value: Value) -> bool {
        let Def::Result(inst, _) = self.function.values[value.index()].def else { return false };
        if !matches!(self.function.insts[inst.index()].op, Op::Load(access) if !access.volatile) {
            return false;
        }
        let (cfg, ty) = (self.cfg, self.function.ty(value));
        let mut seen: Vec<Block> = Vec::new();
        let mut work: Vec<Block> = vec![block];
        while let Some(below) = work.pop() {
            let above = cfg.preds(below);
            if above.is_empty() || seen.len() > BLOCKS {
                return false;
            }
            for above in above.iter().copied() {
                if seen.contains(&above) {
                    continue;
                }
                seen.push(above);
                match self.search(above, usize::MAX, location, ty) {
                    Found::Value(known) if self.function.resolve(known) == value => {}
                    Found::Nothing => work.push(above),
                    Found::Value(_) | Found::Zero | Found::Unknown => return false,
                }
            }
        }
        true
    }

    /// Whether a load was replaced by what is known.
    fn load(&mut self, block: Block, inst: Inst, at: usize) -> bool {
        let at = self.index(block, inst, at);
        let elements = self.elements(inst);
        let single = elements.len() == 1;
        let mut values = Vec::with_capacity(elements.len());
        for (location, result) in &elements {
            let ty = self.function.ty(*result);
            let value = match self.search(block, at, location, ty) {
                Found::Value(value) => Some((value, block)),
                Found::Zero => Some((self.function.value(ty, Def::constant(0)), block)),
                Found::Unknown => None,
                Found::Nothing => self.above(block, inst, location, ty, single).map(|value| (value, block)),
            };
            let Some((value, _)) = value else { return false };
            values.push(value);
        }
        for ((_, result), value) in elements.iter().zip(values) {
            let ty = self.function.ty(*result);
            let value = self.typed_before(block, inst, value, ty);
            self.function.replace(*result, value);
        }
        true
    }

    /// What the instructions of a block before one of its accesses make of a location.
    fn search(&mut self, block: Block, before: usize, location: &Location, ty: Type) -> Found {
        for n in (0..before.min(self.accesses[block.index()].len())).rev() {
            self.budget = self.budget.saturating_sub(1);
            let inst = self.accesses[block.index()][n];
            let found = self.effect_on(inst, location, ty);
            if found != Found::Nothing {
                return found;
            }
        }
        Found::Nothing
    }

    fn effect_on(&mut self, inst: Inst, location: &Location, ty: Type) -> Found {
        let store = match &self.function.insts[inst.index()].op {
            Op::Load(access) if !access.volatile => Some(false),
            Op::Store(access) if !access.volatile => Some(true),
            _ => None,
        };
        if let Some(store) = store {
            let (first, count) = self.locate(inst);
            let same = |(other, _): &&(Location, Value)| {
                other.root == location.root && other.at == location.at && other.size == location.size
            };
            if let Some((_, value)) = self.elements[first..first + count].iter().find(same) {
                let value = self.function.resolve(*value);
                let fits = bits_convert(self.function.ty(value), ty) || self.function.ty(value) == ty;
                return if fits { Found::Value(value) } else { Found::Unknown };
            }
            let whole = &self.elements[first + count].0;
            let writes =
                store && self.aliases.may_alias(whole, location) && !self.aliases.invariant(location);
            return if writes { Found::Unknown } else { Found::Nothing };
        }
        let data = &self.function.insts[inst.index()];
        if let Op::Zero { size, .. } = &data.op {
            let other = self.aliases.location(self.function, data.args[0], Some(*size));
            let inside = location.at >= other.at
                && location.at.saturating_add_unsigned(location.size.unwrap_or(u64::MAX))
                    <= other.at.saturating_add_unsigned(*size);
            if other.root == location.root && inside {
                return Found::Zero;
            }
        }
        if self.aliases.writes(self.function, inst, location) { Found::Unknown } else { Found::Nothing }
    }

    /// What a location holds at the beginning of a block, if all ways there know it; where all but one do, the load is
    /// repeated on that one.
    fn above(
        &mut self,
        block: Block,
        inst: Inst,
        location: &Location,
        ty: Type,
        single: bool,
    ) -> Option<Value> {
        let root = self.function.resolve(location.root);
        let home = self.place(root);
        if block.index() == 0
            || home == block && !matches!(self.function.values[root.index()].def, Def::Constant(_))
        {
            return None;
        }
        let region = self.region(block, location, ty, home);
        if region.complete {
            return self.build(block, &region, ty);
        }
        // The way that does not know: an edge of this block, or of the only one before it.
        let preds = self.cfg.preds(block).to_vec();
        if preds.len() < 2 || !single || !self.runs_first(block, inst) {
            return None;
        }
        let mut unknown = Vec::new();
        for pred in &preds {
            if !self.knows(&region, *pred) {
                unknown.push(*pred);
            }
        }
        let [pred] = unknown[..] else { return None };
        if self.cfg.position[pred.index()] >= self.cfg.position[block.index()]
            || !self.dominators.dominates(home, pred)
        {
            return None;
        }
        self.insert(block, pred, inst, location, &region, ty)
    }

    fn place(&self, value: Value) -> Block {
        self.places.get(value.index()).copied().unwrap_or(Block(0))
    }

    /// Whether an access is reached whenever its block is: nothing before it ends or waits.
    fn runs_first(&self, block: Block, inst: Inst) -> bool {
        !self.accesses[block.index()]
            .iter()
            .take_while(|other| **other != inst)
            .any(|other| self.stops(*other))
    }

    /// Whether an instruction ends or waits.
    fn stops(&self, inst: Inst) -> bool {
        matches!(effect(&self.function.insts[inst.index()].op), Effect::End | Effect::Barrier | Effect::Fence)
    }

    /// Searches the blocks above one, up to where each way knows or cannot know.
    fn region(&mut self, block: Block, location: &Location, ty: Type, home: Block) -> Region {
        let mut region = Region { blocks: Vec::new(), complete: true };
        let mut steps = self.budget;
        let mut work = self.cfg.preds(block).to_vec();
        while let Some(at) = work.pop() {
            if region.blocks.iter().any(|(known, _)| *known == at) {
                continue;
            }
            if region.blocks.len() >= BLOCKS || steps.saturating_sub(self.budget) > STEPS {
                region.complete = false;
                return region;
            }
            steps = steps.max(self.budget);
            let before = self.accesses[at.index()].len();
            let mut found = self.search(at, before, location, ty);
            if found == Found::Nothing && (at.index() == 0 || at == home) {
                found = Found::Unknown;
            }
            region.complete &= found != Found::Unknown;
            if found == Found::Nothing {
                work.extend(self.cfg.preds(at));
            }
            region.blocks.push((at, found));
        }
        region
    }

    /// Whether all ways to the end of a block know the value.
    fn knows(&self, region: &Region, block: Block) -> bool {
        let find =
            |block: Block| region.blocks.iter().find(|(known, _)| *known == block).map(|(_, found)| *found);
        let mut seen = vec![block];
        let mut work = vec![block];
        while let Some(at) = work.pop() {
            match find(at) {
                Some(Found::Value(_) | Found::Zero) => {}
                Some(Found::Nothing) => {
                    for pred in self.cfg.preds(at) {
                        if !seen.contains(pred) {
                            seen.push(*pred);
                            work.push(*pred);
                        }
                    }
                }
                Some(Found::Unknown) | None => return false,
            }
        }
        true
    }

    /// Passes the known values down to a block, through parameters where ways meet.
    fn build(&mut self, block: Block, region: &Region, ty: Type) -> Option<Value> {
        let mut ends: Vec<(Block, Value)> = Vec::new();
        for (at, found) in &region.blocks {
            match found {
                Found::Value(value) => {
                    let value = self.typed_at_end(*at, *value, ty);
                    ends.push((*at, value));
                }
                Found::Zero => {
                    let zero = self.function.value(ty, Def::constant(0));
                    ends.push((*at, zero));
                }
                Found::Unknown | Found::Nothing => {}
            }
        }
        // One value everywhere needs no parameters: it dominates the block, or it could not be on all ways.
        let through: Vec<Block> =
            region.blocks.iter().filter(|(_, found)| *found == Found::Nothing).map(|(at, _)| *at).collect();
        let first = ends.first()?.1;
        if ends.iter().all(|(_, value)| self.function.resolve(*value) == self.function.resolve(first))
            && self.dominators.dominates(self.place_of(first, &ends), block)
        {
            return Some(first);
        }
        let mut starts: Vec<(Block, Value)> = Vec::new();
        for at in through.iter().chain([&block]) {
            if self.cfg.preds(*at).len() > 1 && !starts.iter().any(|(known, _)| known == at) {
                let param = self.function.block_param(*at, ty);
                self.places.resize(self.function.values.len(), Block(0));
                self.places[param.index()] = *at;
                starts.push((*at, param));
            }
        }
        for (at, _) in &starts {
            let mut preds = self.cfg.preds(*at).to_vec();
            preds.dedup();
            let mut done: Vec<Block> = Vec::new();
            for pred in preds {
                if done.contains(&pred) {
                    continue;
                }
                done.push(pred);
                let value = self.at_end(pred, &ends, &starts)?;
                for edge in self.function.blocks[pred.index()].end.edges_mut() {
                    if edge.block == *at {
                        edge.args.push(value);
                    }
                }
            }
        }
        match starts.iter().find(|(at, _)| *at == block) {
            Some((_, param)) => Some(*param),
            None => {
                let pred = *self.cfg.preds(block).first()?;
                self.at_end(pred, &ends, &starts)
            }
        }
    }

    fn place_of(&self, value: Value, ends: &[(Block, Value)]) -> Block {
        match self.function.values[self.function.resolve(value).index()].def {
            Def::Constant(_) | Def::Undefined => Block(0),
            Def::Result(..) | Def::Param(..) | Def::Alias(_) => {
                let value = self.function.resolve(value);
                match self.places.get(value.index()) {
                    Some(place) => *place,
                    // Made just now, at the end of the block that knows it.
                    None => ends.first().map_or(Block(0), |(at, _)| *at),
                }
            }
        }
    }

    /// The value at the end of a block of the region.
    fn at_end(&self, mut block: Block, ends: &[(Block, Value)], starts: &[(Block, Value)]) -> Option<Value> {
        for _ in 0..=BLOCKS {
            if let Some((_, value)) = ends.iter().find(|(at, _)| *at == block) {
                return Some(*value);
            }
            if let Some((_, value)) = starts.iter().find(|(at, _)| *at == block) {
                return Some(*value);
            }
            block = *self.cfg.preds(block).first()?;
        }
        None
    }

    /// Repeats a load at the end of the predecessor that does not know its value.
    fn insert(
        &mut self,
        block: Block,
        pred: Block,
        inst: Inst,
        location: &Location,
        region: &Region,
        ty: Type,
    ) -> Option<Value> {
        let data = self.function.insts[inst.index()].clone();
        let edges = self.function.blocks[pred.index()].end.edges().count();
        let mut at = pred;
        if edges > 1 {
            // The edge is split: the load is for this way alone.
            at = self.function.block();
            self.function.blocks[at.index()].end_place = data.place;
            let mut end = std::mem::take(&mut self.function.blocks[pred.index()].end);
            let mut moved = None;
            for edge in end.edges_mut().filter(|edge| edge.block == block) {
                if moved.is_some() {
                    // Several ways of one branch lead here: too rare to be worth it.
                    moved = None;
                    break;
                }
                moved = Some(edge);
            }
            let Some(edge) = moved else {
                self.function.blocks[pred.index()].end = end;
                return None;
            };
            let args = std::mem::take(&mut edge.args);
            *edge = Edge { block: at, args: Vec::new() };
            self.function.blocks[pred.index()].end = end;
            self.function.blocks[at.index()].end = Terminator::Jump(Edge { block, args });
            self.split = true;
        }
        let mut pointer = self.function.resolve(location.root);
        if location.at != 0 {
            let by = self.function.value(Type::I64, Def::constant(location.at as u64));
            let pointer_ty = self.function.ty(pointer);
            let offset = self.function.inst(Op::Offset, [pointer, by], &[pointer_ty], data.place);
            self.function.blocks[at.index()].insts.push(offset);
            pointer = self.function.insts[offset.index()].results[0];
        }
        let load = self.function.inst(data.op, [pointer], &[ty], data.place);
        self.function.blocks[at.index()].insts.push(load);
        let loaded = self.function.insts[load.index()].results[0];
        if at == pred {
            self.accesses[pred.index()].push(load);
        }
        self.places.resize(self.function.values.len(), Block(0));
        self.places[loaded.index()] = at;
        // What is unknown in the region becomes known: the new load.
        let mut known = Region { blocks: Vec::new(), complete: true };
        let mut work: Vec<Block> =
            self.cfg.preds(block).iter().copied().filter(|other| *other != pred).collect();
        while let Some(next) = work.pop() {
            if known.blocks.iter().any(|(other, _)| *other == next) {
                continue;
            }
            let found = region.blocks.iter().find(|(other, _)| *other == next).map(|(_, found)| *found)?;
            if found == Found::Nothing {
                work.extend(self.cfg.preds(next));
            }
            known.blocks.push((next, found));
        }
        if edges == 1 {
            known.blocks.push((pred, Found::Value(loaded)));
            return self.build(block, &known, ty);
        }
        self.build_split(block, pred, at, loaded, &known, ty)
    }

    /// The same where the edge was split: the new block passes the new load.
    fn build_split(
        &mut self,
        block: Block,
        pred: Block,
        at: Block,
        loaded: Value,
        known: &Region,
        ty: Type,
    ) -> Option<Value> {
        let param = self.function.block_param(block, ty);
        let mut done = vec![pred];
        for other in self.cfg.preds(block).to_vec() {
            if done.contains(&other) {
                continue;
            }
            done.push(other);
            let value = match known.blocks.iter().find(|(known, _)| *known == other)?.1 {
                Found::Value(value) => self.typed_at_end(other, value, ty),
                Found::Zero => self.function.value(ty, Def::constant(0)),
                Found::Nothing => {
                    let start = self.region_at_end(other, known, ty)?;
                    self.function.resolve(start)
                }
                Found::Unknown => return None,
            };
            for edge in self.function.blocks[other.index()].end.edges_mut().filter(|edge| edge.block == block)
            {
                edge.args.push(value);
            }
        }
        if let Terminator::Jump(edge) = &mut self.function.blocks[at.index()].end {
            edge.args.push(loaded);
        }
        Some(param)
    }

    /// The value at the end of a block that only passes it on.
    fn region_at_end(&mut self, block: Block, known: &Region, ty: Type) -> Option<Value> {
        let mut inner = Region { blocks: Vec::new(), complete: true };
        let mut work = self.cfg.preds(block).to_vec();
        while let Some(next) = work.pop() {
            if inner.blocks.iter().any(|(other, _)| *other == next) {
                continue;
            }
            let found = known.blocks.iter().find(|(other, _)| *other == next).map(|(_, found)| *found)?;
            if found == Found::Nothing {
                work.extend(self.cfg.preds(next));
            }
            inner.blocks.push((next, found));
        }
        self.build(block, &inner, ty)
    }

    fn typed_at_end(&mut self, block: Block, value: Value, ty: Type) -> Value {
        let (value, inst) = self.typed(value, ty);
        if let Some(inst) = inst {
            self.function.blocks[block.index()].insts.push(inst);
        }
        value
    }

    fn typed_before(&mut self, block: Block, before: Inst, value: Value, ty: Type) -> Value {
        let (value, inst) = self.typed(value, ty);
        if let Some(inst) = inst {
            let insts = &mut self.function.blocks[block.index()].insts;
            let at = insts.iter().position(|other| *other == before).unwrap_or(insts.len());
            insts.insert(at, inst);
        }
        value
    }

    /// Bits of a value as another type, and the instruction that makes it so.
    fn typed(&mut self, value: Value, ty: Type) -> (Value, Option<Inst>) {
        let value = self.function.resolve(value);
        let from = self.function.ty(value);
        if from == ty {
            return (value, None);
        }
        match self.function.values[value.index()].def {
            Def::Undefined => return (self.function.value(ty, Def::Undefined), None),
            Def::Constant(bits) if !matches!((from, ty), (Type::Ptr(_), _) | (_, Type::Ptr(_))) => {
                return (self.function.value(ty, Def::constant(bits.get())), None);
            }
            Def::Constant(_) | Def::Result(..) | Def::Param(..) | Def::Alias(_) => {}
        }
        let op = match (from, ty) {
            (Type::Ptr(_), Type::Ptr(_)) => Convert::Space,
            _ => Convert::Bits,
        };
        let inst = self.function.inst(Op::Convert(op), [value], &[ty], crate::ir::DebugLocation::default());
        (self.function.insts[inst.index()].results[0], Some(inst))
    }
}

#[cfg(test)]
mod tests;
