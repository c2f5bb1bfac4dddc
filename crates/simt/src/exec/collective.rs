//! Warp-wide operations: shuffles, votes, matches, reductions.
//!
//! Lanes may come to an operation from several places of the program (compilers unroll loops whose lanes leave one
//! after the other): what all of them bring is put together first, the result is found, and each part takes its own.

use super::checks::Bits;
use super::current::CurrentBlock;
use super::fault::Stop;
use super::observers::Observers;
use super::warp::Split;
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Collective, CollectiveOperands, CollectiveSource, File, Id, Inst, Op};
use crate::lanes::{ALL, W, X, groups, lanes};

/// Operands of all lanes that take part.
struct Inputs {
    /// Lanes that take part.
    mask: u32,
    /// Lanes that execute the instruction together, whether their masks name each other or not.
    here: u32,
    value: X,
    /// Of shuffles.
    lane: W,
    clamp: W,
    /// Of votes, a bit a lane.
    bits: u32,
    /// Bits of the values that have none.
    undefined: Option<Bits>,
}

impl Inputs {
    const NONE: Inputs =
        Inputs { mask: 0, here: 0, value: X::ZERO, lane: W::ZERO, clamp: W::ZERO, bits: 0, undefined: None };
}

/// Results of all lanes: a word each, and a bit each.
struct Results {
    words: W,
    bits: u32,
    strays: Strays,
}

/// Lanes of a shuffle that take the values of ones which do not take part, and by lane which one's.
#[derive(Clone, Copy)]
struct Strays {
    mask: u32,
    from: X,
}

impl Strays {
    const NONE: Strays = Strays { mask: 0, from: X::ZERO };
}

/// Results' bits without a value.
struct Undefined {
    words: Option<Bits>,
    holds: Option<Bits>,
}

impl Worker<'_> {
    /// All lanes of `mask` are at the operation together: the usual case.
    #[inline(never)]
    pub(super) fn collective(&mut self, id: Id<CollectiveOperands>, mask: u32) -> Result<(), Stop> {
        let of = self.current.run.kernel[id];
        let members = of.members.get().map_or(W::splat(ALL), |members| {
            self.current.block.registers.w[self.current.block.registers.wi(members)]
        });
        let mut inputs = Inputs::NONE;
        self.current.read_inputs(&of, mask, &mut inputs);
        let mut parts = vec![];
        // Tiles of a warp name themselves: each is an operation of its own.
        for (named, part) in groups(mask, |l| members.0[l]) {
            check_members(part, named)?;
            inputs.mask = part;
            self.current.order_collective(&of, part);
            let results = collective_results(&of, &inputs);
            let undefined = self.current.undefined(&of, &inputs, &results, || {
                let is_it = |inst: &Inst| inst.op == Op::Collective { collective: id };
                self.current.run.kernel.code.iter().position(is_it).unwrap_or_default() as u32
            });
            if part == mask {
                self.current.write_results(&mut self.observers, &of, mask, &results, undefined.as_deref());
                return Ok(());
            }
            parts.push((part, results, undefined));
        }
        for (part, results, undefined) in &parts {
            self.current.write_results(&mut self.observers, &of, *part, results, undefined.as_deref());
        }
        Ok(())
    }
}

impl CurrentBlock<'_> {
    /// One operation of splits that have come to it at several places: it is the last instruction of the block of each.
    pub(super) fn collective_of_splits(&mut self, observers: &mut Observers, parts: &[Split]) {
        let kernel = self.run.kernel;
        let of = |part: &Split| {
            let last = kernel.blocks[part.block as usize].end - 1;
            let Op::Collective { collective } = kernel.code[last as usize].op else { return None };
            Some(kernel[collective])
        };
        let mut inputs = Inputs::NONE;
        for part in parts {
            let Some(of) = of(part) else { return };
            self.enter_frame(part.frame);
            self.read_inputs(&of, part.mask, &mut inputs);
        }
        let Some(first) = parts.first().and_then(of) else { return };
        self.order_collective(&first, inputs.mask);
        let results = collective_results(&first, &inputs);
        let undefined = self.undefined(&first, &inputs, &results, || {
            let stray = results.strays.mask;
            let at = parts.iter().find(|part| part.mask & stray != 0);
            at.map_or(0, |at| kernel.blocks[at.block as usize].end - 1)
        });
        for part in parts {
            let Some(of) = of(part) else { return };
            self.enter_frame(part.frame);
            self.write_results(observers, &of, part.mask, &results, undefined.as_deref());
        }
    }

    /// With checks, what results have of values' bits that have none, and of lanes that do not take part; `code` is the
    /// instruction's place.
    fn undefined(
        &mut self,
        of: &CollectiveOperands,
        inputs: &Inputs,
        results: &Results,
        code: impl FnOnce() -> u32,
    ) -> Option<Box<Undefined>> {
        let stray = results.strays.mask != 0 && self.run.options.checks.masks;
        if inputs.undefined.is_none() && !stray || self.block.observers.checks.is_none() {
            return None;
        }
        let mut undefined = match &inputs.undefined {
            Some(bits) => undefined_results(of, inputs, bits),
            None => Undefined { words: None, holds: None },
        };
        if stray {
            let (origin, strays) = (code(), &results.strays);
            let words = undefined.words.get_or_insert(Bits { bits: X::ZERO, computed: 0, origin });
            words.bits.set(&X::splat(u64::from(u32::MAX)), strays.mask);
            let callers = self.callers(self.cursor.warp, self.cursor.frame);
            if let Some(checks) = &mut self.block.observers.checks {
                checks.note_stray(self.cursor.warp, origin, strays.mask, &strays.from, callers);
            }
        }
        Some(Box::new(undefined))
    }

    /// Tells the checks that those who take part are ordered by the operation.
    #[inline]
    fn order_collective(&mut self, of: &CollectiveOperands, mask: u32) {
        if of.collective.orders() {
            self.warp_met(mask);
        }
    }

    #[inline]
    fn read_inputs(&mut self, of: &CollectiveOperands, mask: u32, inputs: &mut Inputs) {
        inputs.mask |= mask;
        inputs.here |= mask;
        if self.block.observers.undefined {
            self.read_undefined(of, mask, inputs);
        }
        let value = match of.source {
            CollectiveSource::Nothing => return,
            CollectiveSource::Predicate(predicate) => {
                inputs.bits |=
                    self.block.registers.p[self.block.registers.p_base + predicate.offset()] & mask;
                return;
            }
            CollectiveSource::Value(File::X, value) => self.block.registers.x[self.block.registers.xi(value)],
            CollectiveSource::Value(File::W | File::P, value) => {
                self.block.registers.w[self.block.registers.wi(value)].widened()
            }
            CollectiveSource::Shuffle { value, lane, clamp } => {
                let (lane, clamp) = (
                    self.block.registers.w[self.block.registers.wi(lane)],
                    self.block.registers.w[self.block.registers.wi(clamp)],
                );
                inputs.lane.set(&lane, mask);
                inputs.clamp.set(&clamp, mask);
                self.block.registers.w[self.block.registers.wi(value)].widened()
            }
        };
        inputs.value.set(&value, mask);
    }

    #[cold]
    #[inline(never)]
    fn read_undefined(&self, of: &CollectiveOperands, mask: u32, inputs: &mut Inputs) {
        let (file, value) = match of.source {
            CollectiveSource::Nothing => return,
            CollectiveSource::Predicate(predicate) => (File::P, predicate),
            CollectiveSource::Value(file, value) => (file, value),
            CollectiveSource::Shuffle { value, .. } => (File::W, value),
        };
        let Some(bits) = self.undefined_bits(file, value) else { return };
        let all = inputs.undefined.get_or_insert(Bits { bits: X::ZERO, computed: 0, origin: bits.origin });
        all.bits.set(&bits.bits, mask);
        all.computed |= bits.computed & mask;
    }

    #[inline]
    fn write_results(
        &mut self,
        observers: &mut Observers,
        of: &CollectiveOperands,
        mask: u32,
        results: &Results,
        undefined: Option<&Undefined>,
    ) {
        if self.block.observers.undefined || undefined.is_some() {
            if let Some(d) = of.d.get() {
                observers.set_undefined(self, File::W, d, mask, undefined.and_then(|of| of.words.as_ref()));
            }
            if let Some(p) = of.p.get() {
                observers.set_undefined(self, File::P, p, mask, undefined.and_then(|of| of.holds.as_ref()));
            }
        }
        if let Some(d) = of.d.get() {
            let d = self.block.registers.wi(d);
            self.block.registers.w[d].set(&results.words, mask);
        }
        if let Some(p) = of.p.get() {
            let p = &mut self.block.registers.p[self.block.registers.p_base + p.offset()];
            *p = results.bits & mask | *p & !mask;
        }
    }
}

/// Lanes of one mask execute an instruction: it must name all of them (PTX ISA: otherwise the behaviour is undefined; an
/// H200 raises an illegal instruction).
#[inline(always)]
pub(super) fn check_members(mask: u32, members: u32) -> Result<(), Stop> {
    if mask & !members == 0 { Ok(()) } else { Err(not_named(mask & !members, members)) }
}

#[cold]
fn not_named(left_out: u32, members: u32) -> Stop {
    let lane = left_out.trailing_zeros() as usize;
    let message = format!(
        "lane {lane} executes a warp-wide instruction whose member mask, {members:#010x}, does not name it"
    );
    Stop { message: Some(message), ..Stop::without_address(FaultKind::InvalidMask, lane) }
}

/// What results have of the values' bits that have none.
fn undefined_results(of: &CollectiveOperands, inputs: &Inputs, bits: &Bits) -> Undefined {
    let of_those = bits.lanes() & inputs.mask;
    let everywhere = |word: u64| {
        let computed = if of_those != 0 { ALL } else { 0 };
        (of_those != 0).then(|| Bits { bits: X::splat(word), computed, origin: bits.origin })
    };
    let (words, holds) = match of.collective {
        Collective::Sync | Collective::ActiveMask | Collective::Elect => (None, None),
        Collective::VoteAll | Collective::VoteAny | Collective::VoteUniform => (None, everywhere(1)),
        Collective::Ballot => (everywhere(u64::from(of_those)), None),
        Collective::MatchAny | Collective::MatchAll | Collective::Reduce(_) => {
            (everywhere(u64::from(u32::MAX)), everywhere(1))
        }
        Collective::ShuffleUp
        | Collective::ShuffleDown
        | Collective::ShuffleButterfly
        | Collective::ShuffleIndex => {
            // They go where the values go.
            let moved = collective_results(of, &Inputs { value: bits.bits, undefined: None, ..*inputs });
            let computed = if bits.computed != 0 { ALL } else { 0 };
            (Some(Bits { bits: moved.words.widened(), computed, origin: bits.origin }), None)
        }
    };
    Undefined { words, holds }
}

fn collective_results(of: &CollectiveOperands, inputs: &Inputs) -> Results {
    let mask = inputs.mask;
    let bits = inputs.bits & mask;
    let everywhere = |word: u32, holds: bool| Results {
        words: W::splat(word),
        bits: if holds { u32::MAX } else { 0 },
        strays: Strays::NONE,
    };
    match of.collective {
        Collective::Sync => everywhere(0, false),
        Collective::VoteAll => everywhere(0, bits == mask),
        Collective::VoteAny => everywhere(0, bits != 0),
        Collective::VoteUniform => everywhere(0, bits == mask || bits == 0),
        Collective::Ballot => everywhere(bits, false),
        Collective::ActiveMask => everywhere(mask, false),
        Collective::Elect => {
            let words = W::splat(mask.trailing_zeros());
            Results { words, bits: mask & mask.wrapping_neg(), strays: Strays::NONE }
        }
        Collective::MatchAny => {
            let mut words = W::ZERO;
            for l in lanes(mask) {
                let same = lanes(mask).filter(|o| inputs.value.0[*o] == inputs.value.0[l]);
                words.0[l] = same.fold(0, |m, o| m | 1 << o);
            }
            Results { words, bits: 0, strays: Strays::NONE }
        }
        Collective::MatchAll => {
            let first = mask.trailing_zeros() as usize % WARP;
            let all = lanes(mask).all(|l| inputs.value.0[l] == inputs.value.0[first]);
            everywhere(if all { mask } else { 0 }, all)
        }
        Collective::Reduce(update) => {
            let total = lanes(mask)
                .map(|l| inputs.value.0[l])
                .reduce(|a, b| update.apply(a, b, 0))
                .unwrap_or_default();
            everywhere(total as u32, false)
        }
        Collective::ShuffleUp => shuffled(inputs, |of| {
            let from = of.lane as i32 - of.by as i32;
            (from as u32, from >= of.highest as i32)
        }),
        Collective::ShuffleDown => shuffled(inputs, |of| (of.lane + of.by, of.lane + of.by <= of.highest)),
        Collective::ShuffleButterfly => {
            shuffled(inputs, |of| (of.lane ^ of.by, of.lane ^ of.by <= of.highest))
        }
        Collective::ShuffleIndex => shuffled(inputs, |of| {
            let from = of.lowest | of.by & !of.segment;
            (from, from <= of.highest)
        }),
    }
}

/// Operands of a shuffle, as one lane has them.
struct Shuffle {
    lane: u32,
    by: u32,
    /// Bits of the lane's number that name its segment of the warp.
    segment: u32,
    /// The first lane of the segment, and the bound on the lane that is read.
    lowest: u32,
    highest: u32,
}

/// PTX ISA, `shfl.sync`: the clamp's bits 0 to 4 bound the lane, its bits 8 to 12 cut the warp into segments. A lane
/// that reads from one that does not take part gets a value that is not defined; an H200 gives 0 if that one does not
/// execute the instruction, and the predicate holds (`tests/masks`). `source` gives the lane that each one reads, and whether that is within bounds.
fn shuffled(inputs: &Inputs, source: impl Fn(Shuffle) -> (u32, bool)) -> Results {
    let mut words = inputs.value.narrowed();
    let mut bits = 0;
    let mut strays = Strays::NONE;
    for l in lanes(inputs.mask) {
        let lane = l as u32;
        let (bound, segment) = (inputs.clamp.0[l] & 31, inputs.clamp.0[l] >> 8 & 31);
        let (highest, lowest) = (lane & segment | bound & !segment, lane & segment);
        let by = inputs.lane.0[l] & 31;
        let (from, holds) = source(Shuffle { lane, by, segment, lowest, highest });
        if holds {
            bits |= 1 << l;
            let from = from as usize % WARP;
            words.0[l] = if inputs.here >> from & 1 != 0 { inputs.value.0[from] as u32 } else { 0 };
            if inputs.mask >> from & 1 == 0 {
                strays.mask |= 1 << l;
                strays.from.0[l] = from as u64;
            }
        }
    }
    Results { words, bits, strays }
}
