//! Registers that hold bits without a value: what loads of unwritten memory and shuffles from missing lanes left in them, and
//! what is in them before the thread has written them.
//!
//! As in Valgrind's Memcheck, a load of memory that has not been written is not a mistake yet. The bits without a value are
//! followed from register to register, and who decides by one of them, takes one for an address or stores one has used
//! it: then the load is reported. Registers are kept here only while they have such bits; a block that has none pays
//! nothing.

use super::super::fault::{RawDetail, Stop};
use super::{Checks, Unwritten};
use crate::WARP;
use crate::detail::{UnwrittenBytes, UnwrittenMemory, UnwrittenRead};
use crate::error::FaultKind;
use crate::hash::HashMap;
use crate::ir::{self, File, MemoryOperand};
use crate::lanes::{X, lanes};

/// A register, by its file and its place in the block's.
pub(in crate::exec) type Key = (File, usize);

/// A register's bits without a value, of each lane; of a predicate, the lowest bit.
#[derive(Clone, Debug)]
pub(in crate::exec) struct Bits {
    pub(in crate::exec) bits: X,
    /// Lanes of which something was computed with such bits: they are not only copied.
    pub(in crate::exec) computed: u32,
    /// Where they come from: an instruction, by its place in the kernel's code, or [`Bits::BEGIN`].
    pub(in crate::exec) origin: u32,
}

impl Bits {
    /// Instead of an instruction: the register is as it was when its function began. What reads it first becomes the origin.
    pub(in crate::exec) const BEGIN: u32 = u32::MAX;

    /// The lanes that have such bits.
    pub(in crate::exec) fn lanes(&self) -> u32 {
        (0..WARP).fold(0, |mask, l| mask | u32::from(self.bits.0[l] != 0) << l)
    }
}

/// Memory that a load has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Space {
    Shared,
    Local,
    Global,
    Constant,
}

/// Bytes that a load has read and has not been written, by lane.
#[derive(Debug)]
pub(in crate::exec) struct Loaded {
    space: Space,
    addresses: X,
    /// A bit for each byte of the access.
    missing: X,
    mask: u32,
    /// Where what was stored there came from: a warp and an instruction of its.
    cause: Option<(usize, u32)>,
    /// Lanes for which a byte lies after others that are written, as a struct's holes do.
    holes: u32,
}

/// How bytes that have not been written lie where they are.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::exec) struct Around {
    /// Where what was stored there, and has no value, came from: a warp and an instruction of its.
    pub(super) cause: Option<(usize, u32)>,
    /// It is one byte, after others that are written.
    pub(super) hole: bool,
}

impl Loaded {
    /// The bits without a value of an operand's element.
    pub(in crate::exec) fn element(&self, operand: &MemoryOperand, e: usize) -> X {
        let size = u32::from(operand.bytes);
        let mut out = X::ZERO;
        for l in lanes(self.mask) {
            let missing = self.missing.0[l] >> (e as u32 * size);
            let mut bits =
                (0..size).fold(0, |bits, byte| bits | (0xff * (missing >> byte & 1)) << (8 * byte));
            // A sign without a value is extended.
            if operand.signed && size < 8 && missing >> (size - 1) & 1 != 0 {
                bits |= u64::MAX << (8 * size);
            }
            out.0[l] = bits;
        }
        out
    }

    /// Of the rows of matrices: the bytes that are missing, a bit each, by the lane that gave the row's address.
    pub(in crate::exec) fn rows(&self) -> &X {
        &self.missing
    }

    pub(in crate::exec) fn mask(&self) -> u32 {
        self.mask
    }
}

/// What a fault says of bits without a value.
#[derive(Clone, Debug)]
struct Origin {
    warp: usize,
    code: u32,
    kind: FaultKind,
    space: Option<Space>,
    /// Lanes that got them; by lane the address and the bytes that are missing, or after a shuffle the lane of the value.
    mask: u32,
    addresses: X,
    missing: X,
    width: u32,
    /// Lanes that got a struct's hole, as far as one can see.
    holes: u32,
    /// The calls that the instruction was in.
    callers: Box<[ir::Origin]>,
}

impl Origin {
    /// An instruction of which nothing more is known yet.
    fn new(warp: usize, code: u32, kind: FaultKind, callers: Box<[ir::Origin]>) -> Self {
        Origin {
            warp,
            code,
            kind,
            space: None,
            mask: 0,
            addresses: X::ZERO,
            missing: X::ZERO,
            width: 0,
            holes: 0,
            callers,
        }
    }
}

/// Stores to global memory of what has no value, that may be part of a struct's copy: a member without a value is copied
/// with the others.
#[derive(Debug, Default)]
struct Copies {
    /// The first store of the copy, where the value comes from, lanes, and their addresses.
    pending: Vec<(u32, u32, u32, X)>,
    /// The first store of the copy, lanes of which another store has a value, and their addresses.
    valued: Vec<(u32, u32, X)>,
}

/// A constant that nothing has set, or parts of which nothing has.
#[derive(Clone, Copy, Debug)]
pub(in crate::exec) struct Unset {
    /// Where it is, and how many bytes a register has of it.
    pub(in crate::exec) address: u64,
    pub(in crate::exec) width: u8,
    /// Those of its bytes that are not set, a bit each.
    pub(in crate::exec) missing: u64,
}

/// Bytes within which the parts of a struct lie, as far as copies are concerned.
const STRUCT: u64 = 256;

/// Registers of a block that have bits without a value, and where these come from.
#[derive(Debug, Default)]
pub(super) struct Undefined {
    registers: HashMap<Key, Bits>,
    /// By warp and instruction.
    origins: HashMap<(usize, u32), Origin>,
    /// Pieces of shared memory, and by warp bytes of local memory, to which something without a value was stored, and where
    /// that came from.
    stored: HashMap<(Option<usize>, usize), (usize, u32)>,
    copies: Copies,
    /// Registers that hold constants which nothing has set, or what was computed from them before the first instruction.
    constants: HashMap<Key, Unset>,
    /// Whether some register is or was [`Bits::BEGIN`].
    begins: bool,
    /// Of the load that is being executed.
    loaded: Option<Box<Loaded>>,
}

impl Undefined {
    pub(super) fn begin_block(&mut self) {
        if self.begins || !self.origins.is_empty() || self.loaded.is_some() {
            *self = Undefined::default();
        }
    }
}

impl Checks<'_> {
    // Loads.

    /// Lanes load bytes from an address, of which some are not written: those of `missing`, a bit each.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn note_missing(
        &mut self,
        space: Space,
        mask: u32,
        address: u64,
        missing: u64,
        around: Around,
    ) {
        if !self.chosen.uninitialised {
            return;
        }
        let none = || {
            let (addresses, missing) = (X::ZERO, X::ZERO);
            Box::new(Loaded { space, addresses, missing, mask: 0, cause: None, holes: 0 })
        };
        let loaded = self.undefined.loaded.get_or_insert_with(none);
        loaded.mask |= mask;
        loaded.cause = loaded.cause.or(around.cause);
        if around.hole {
            loaded.holes |= mask;
        }
        for l in lanes(mask) {
            loaded.addresses.0[l] = address;
            loaded.missing.0[l] = missing;
        }
    }

    #[inline(always)]
    pub(in crate::exec) fn is_missing(&self) -> bool {
        self.undefined.loaded.is_some()
    }

    /// For what loads into no registers: a fault if there is a lane that has read nothing but unwritten bytes.
    #[cold]
    pub(in crate::exec) fn missing_at_once(&mut self, width: u32) -> Result<(), Stop> {
        let Some(loaded) = self.undefined.loaded.take() else { return Ok(()) };
        let all = u64::MAX >> (64 - width.min(64));
        match lanes(loaded.mask).find(|l| loaded.missing.0[*l] & all == all) {
            None => Ok(()),
            Some(lane) => {
                let address = loaded.addresses.0[lane];
                self.unwritten = unwritten(loaded.space, address, width).or(self.unwritten.take());
                Err(not_written(loaded.space, lane, address, loaded.missing.0[lane], width))
            }
        }
    }

    /// What the instruction has loaded: it is still to be marked in its registers.
    pub(in crate::exec) fn take_loaded(
        &mut self,
        warp: usize,
        code: u32,
        width: u32,
        callers: Box<[ir::Origin]>,
    ) -> Option<Box<Loaded>> {
        let loaded = self.undefined.loaded.take()?;
        if let Some(origin) = loaded.cause.and_then(|cause| self.undefined.origins.get(&cause)).cloned() {
            self.undefined.origins.insert((warp, code), Origin { holes: loaded.holes, ..origin });
            return Some(loaded);
        }
        let origin = self.undefined.origins.entry((warp, code)).or_insert_with(|| Origin {
            width,
            ..Origin::new(warp, code, FaultKind::UninitialisedRead, callers)
        });
        origin.holes = origin.holes & !loaded.mask | loaded.holes;
        origin.space = Some(loaded.space);
        origin.mask |= loaded.mask;
        origin.addresses.set(&loaded.addresses, loaded.mask);
        origin.missing.set(&loaded.missing, loaded.mask);
        Some(loaded)
    }

    /// Lanes have the values of those of `from`, which take no part in the shuffle. In a loop, each lane's first one counts:
    /// later ones may do no more than move what it has.
    pub(in crate::exec) fn note_stray(
        &mut self,
        warp: usize,
        code: u32,
        mask: u32,
        from: &X,
        callers: Box<[ir::Origin]>,
    ) {
        let origin = self
            .undefined
            .origins
            .entry((warp, code))
            .or_insert_with(|| Origin::new(warp, code, FaultKind::InvalidMask, callers));
        origin.addresses.set(from, mask & !origin.mask);
        origin.mask |= mask;
    }

    /// An instruction is the first that reads a register which the thread has not written.
    pub(in crate::exec) fn note_first_read(
        &mut self,
        key: Key,
        warp: usize,
        code: u32,
        callers: Box<[ir::Origin]>,
    ) {
        let Some(bits) = self.undefined.registers.get_mut(&key) else { return };
        bits.origin = code;
        self.undefined
            .origins
            .entry((warp, code))
            .or_insert_with(|| Origin::new(warp, code, FaultKind::UninitialisedRead, callers));
    }

    // Registers.

    /// Whether there may be registers that the thread has not written.
    pub(in crate::exec) fn begins_without_values(&self) -> bool {
        self.undefined.begins
    }

    /// A register that may be read before it is written belongs to lanes of a frame that begins.
    pub(in crate::exec) fn begin_without_value(&mut self, key: Key, mask: u32) {
        self.undefined.begins = true;
        let bits = Bits { bits: X::splat(key.0.bits()), computed: 0, origin: Bits::BEGIN };
        self.set_undefined(key, mask, Some(&bits));
    }

    /// A register holds a constant that nothing has set, for all threads of the block.
    pub(in crate::exec) fn begin_with_constant(&mut self, key: Key, unset: Unset) {
        self.undefined.begins = true;
        self.undefined.constants.insert(key, unset);
        let bits = Bits { bits: X::splat(key.0.bits()), computed: u32::MAX, origin: Bits::BEGIN };
        self.set_undefined(key, u32::MAX, Some(&bits));
    }

    /// An instruction reads such a register, if it is one: says whether it is.
    pub(in crate::exec) fn note_constant_read(
        &mut self,
        key: Key,
        warp: usize,
        code: u32,
        callers: &[ir::Origin],
    ) -> bool {
        let Some(&Unset { address, width, missing }) = self.undefined.constants.get(&key) else {
            return false;
        };
        if let Some(bits) = self.undefined.registers.get_mut(&key) {
            bits.origin = code;
        }
        self.undefined.origins.entry((warp, code)).or_insert_with(|| Origin {
            space: Some(Space::Constant),
            mask: u32::MAX,
            addresses: X::splat(address),
            missing: X::splat(missing),
            width: width.into(),
            ..Origin::new(warp, code, FaultKind::UninitialisedRead, callers.into())
        });
        true
    }

    pub(in crate::exec) fn undefined_any(&self) -> bool {
        !self.undefined.registers.is_empty()
    }

    pub(in crate::exec) fn undefined_bits(&self, key: Key) -> Option<&Bits> {
        self.undefined.registers.get(&key)
    }

    /// Lanes of a register get a value, without which some of its bits are.
    pub(in crate::exec) fn set_undefined(&mut self, key: Key, mask: u32, new: Option<&Bits>) {
        let new = new.filter(|new| new.lanes() & mask != 0);
        match (self.undefined.registers.get_mut(&key), new) {
            (None, None) => {}
            (None, Some(new)) => {
                let mut bits = X::ZERO;
                bits.set(&new.bits, mask);
                self.undefined
                    .registers
                    .insert(key, Bits { bits, computed: new.computed & mask, origin: new.origin });
            }
            (Some(old), Some(new)) => {
                old.bits.set(&new.bits, mask);
                old.computed = old.computed & !mask | new.computed & mask;
                old.origin = new.origin;
            }
            (Some(old), None) => {
                old.bits.set(&X::ZERO, mask);
                old.computed &= !mask;
                if old.lanes() == 0 {
                    self.undefined.registers.remove(&key);
                }
            }
        }
    }

    /// Registers of a frame that begins have what others left in them: which is not an error.
    pub(in crate::exec) fn clear_undefined(&mut self, file: File, from: usize, count: usize) {
        self.undefined.registers.retain(|key, _| key.0 != file || !(from..from + count).contains(&key.1));
    }

    /// Where the bytes of a piece of shared memory came from that has no value.
    pub(super) fn cause_in_shared(&self, piece: usize) -> Option<(usize, u32)> {
        self.undefined.stored.get(&(None, piece)).copied()
    }

    /// [`Checks::cause_in_shared`] for a byte of a warp's local memory.
    pub(super) fn cause_in_local(&self, warp: usize, at: usize) -> Option<(usize, u32)> {
        self.undefined.stored.get(&(Some(warp), at)).copied()
    }

    /// Something without a value was stored to a byte of local memory.
    pub(super) fn note_stored_locally(&mut self, warp: usize, at: usize, from: (usize, u32)) {
        self.undefined.stored.insert((Some(warp), at), from);
    }

    /// Lanes for which an origin's bytes are a struct's holes, as far as one can see.
    pub(in crate::exec) fn holes(&self, warp: usize, code: u32) -> u32 {
        self.undefined.origins.get(&(warp, code)).map_or(0, |origin| origin.holes)
    }

    // Copies of structs.

    /// Lanes store something that has a value, as part of the copy that begins with the store at `first`.
    pub(in crate::exec) fn note_valued(&mut self, first: u32, mask: u32, addresses: X) {
        self.undefined.copies.valued.push((first, mask, addresses));
    }

    /// Lanes store something without a value, as part of that copy.
    pub(in crate::exec) fn note_unvalued(&mut self, first: u32, origin: u32, mask: u32, addresses: X) {
        self.undefined.copies.pending.push((first, origin, mask, addresses));
    }

    /// The copies are done: origins and lanes of those of which no part has a value. Those that began before `tracked` had
    /// values.
    pub(in crate::exec) fn take_copies(&mut self, tracked: u32) -> Vec<(u32, u32)> {
        let Copies { pending, valued } = std::mem::take(&mut self.undefined.copies);
        let left = |(first, origin, mask, at): (u32, u32, u32, X)| {
            let near = |l: usize| {
                valued.iter().any(|(of, lanes, others)| {
                    *of == first && lanes >> l & 1 != 0 && others.0[l].abs_diff(at.0[l]) < STRUCT
                })
            };
            let alone = lanes(mask).filter(|l| first >= tracked && !near(*l));
            (origin, alone.fold(0, |m, l| m | 1 << l))
        };
        pending.into_iter().map(left).filter(|(_, mask)| *mask != 0).collect()
    }

    pub(in crate::exec) fn has_copies(&self) -> bool {
        !self.undefined.copies.pending.is_empty() || !self.undefined.copies.valued.is_empty()
    }

    /// Something without a value was stored to a piece of shared memory.
    pub(super) fn note_stored(&mut self, piece: usize, warp: usize, code: u32) {
        self.undefined.stored.insert((None, piece), (warp, code));
    }

    /// A lane uses bits without a value: the fault, and the warp and the instruction that they come from, with the calls
    /// that this was in.
    #[cold]
    pub(in crate::exec) fn used(
        &mut self,
        warp: usize,
        lane: usize,
        code: u32,
    ) -> (Stop, usize, u32, Box<[ir::Origin]>) {
        let Some(origin) = self.undefined.origins.get(&(warp, code)) else {
            return (Stop::without_address(FaultKind::UninitialisedRead, lane), warp, code, Box::default());
        };
        let (warp, code, callers) = (origin.warp, origin.code, origin.callers.clone());
        // Where another lane's value came to this one.
        let first = origin.mask.trailing_zeros() as usize % WARP;
        let lane = if origin.mask >> lane & 1 != 0 { lane } else { first };
        let Some(space) = origin.space else {
            if origin.kind == FaultKind::UninitialisedRead {
                let message =
                    "read of a variable that the thread has not set: it has no value yet".to_owned();
                let stop = Stop::without_address(origin.kind, lane);
                return (Stop { message: Some(message), ..stop }, warp, code, callers);
            }
            let from = origin.addresses.0[lane];
            let message = format!(
                "lane {lane} takes the value of lane {from}, which does not take part in the shuffle: that value is undefined"
            );
            return (
                Stop { message: Some(message), ..Stop::without_address(origin.kind, lane) },
                warp,
                code,
                callers,
            );
        };
        let (address, missing, width) = (origin.addresses.0[lane], origin.missing.0[lane], origin.width);
        self.unwritten = unwritten(space, address, width).or(self.unwritten.take());
        (not_written(space, lane, address, missing, width), warp, code, callers)
    }
}

/// What others of the block may still write.
fn unwritten(space: Space, address: u64, width: u32) -> Option<Unwritten> {
    match space {
        Space::Shared | Space::Local => Some(Unwritten::Shared),
        Space::Global => Some(Unwritten::Global(address..address + u64::from(width))),
        Space::Constant => None,
    }
}

/// The fault of a read of bytes of which some are not written.
fn not_written(space: Space, lane: usize, address: u64, missing: u64, width: u32) -> Stop {
    let memory = match space {
        Space::Shared => UnwrittenMemory::Shared,
        Space::Local => UnwrittenMemory::Local,
        Space::Global => UnwrittenMemory::Global,
        Space::Constant => UnwrittenMemory::Constant,
    };
    let stop = Stop {
        shared: space == Space::Shared,
        ..Stop::at(FaultKind::UninitialisedRead, lane, address, u64::from(width))
    };
    let which = match (missing.count_ones(), missing.trailing_zeros()) {
        (all, _) if all >= width => UnwrittenBytes::All,
        (count, first) => UnwrittenBytes::Some { count, first },
    };
    let read = UnwrittenRead { bytes: width, memory, which };
    Stop { detail: Some(Box::new(RawDetail::Unwritten(read))), ..stop }
}
