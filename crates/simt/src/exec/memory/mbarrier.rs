//! `mbarrier`: objects of 64 bits in shared memory that count arrivals of threads and bytes of copies, phase by phase.
//!
//! PTX leaves an object's contents open. Here, from the lowest bit: arrivals still to come, arrivals that the next phase
//! waits for, bytes still to come, the phase's parity, and a mark that tells it from what shared memory held before. A
//! state is the object before the arrival.

use crate::WARP;
use crate::error::FaultKind;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::memory::access::{Access, Memory};
use crate::exec::memory::bits::little_endian;
use crate::exec::memory::generic::in_window;
use crate::exec::schedule::Schedule;
use crate::exec::worker::Worker;
use crate::ir::{Id, Mbarrier, MbarrierOperands, MemoryOperand, OptionalRegister, PENDING, Space};
use crate::lanes::{ALL, X, all_bits, groups, lanes};
use crate::memory::{RANK_AT, SHARED_WINDOW};
use crate::trace::AccessKind;

/// Bits of each count (PTX ISA, `mbarrier`: up to 2^20 - 1 arrivals, and as many bytes more or less).
const COUNT: u32 = 20;
const BYTES_AT: u32 = 2 * COUNT;
const BYTES: u64 = (1 << (COUNT + 1)) - 1;
const PHASE: u64 = 1 << 61;
const MARK: u64 = 0b01 << 62;

/// An object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) struct Object {
    pending: u64,
    expected: u64,
    /// Bytes to come; fewer than none where a copy was done before it was expected.
    bytes: i64,
    odd: bool,
}

impl Object {
    fn new(threads: u64) -> Option<Self> {
        let fits = (1..=PENDING).contains(&threads);
        fits.then_some(Object { pending: threads, expected: threads, bytes: 0, odd: false })
    }

    /// Nothing where the bits are those of no object.
    pub(in crate::exec) fn read(bits: u64) -> Option<Self> {
        let shift = 64 - BYTES_AT - COUNT - 1;
        (bits >> 62 == MARK >> 62).then_some(Object {
            pending: bits & PENDING,
            expected: bits >> COUNT & PENDING,
            bytes: (bits << shift) as i64 >> (shift + BYTES_AT),
            odd: bits & PHASE != 0,
        })
    }

    pub(in crate::exec) fn bits(self) -> u64 {
        let phase = if self.odd { PHASE } else { 0 };
        MARK | phase | (self.bytes as u64 & BYTES) << BYTES_AT | self.expected << COUNT | self.pending
    }

    fn arrive(&mut self, threads: u64) -> Result<(), &'static str> {
        if threads == 0 {
            return Err("an arrival of no thread");
        }
        self.pending = self.pending.checked_sub(threads).ok_or("more arrivals than the mbarrier expects")?;
        Ok(())
    }

    /// Bytes that will come, or have.
    pub(in crate::exec) fn add_bytes(&mut self, bytes: i64) -> Result<(), &'static str> {
        self.bytes += bytes;
        let fits = self.bytes.unsigned_abs() <= PENDING;
        if fits { Ok(()) } else { Err("more bytes than an mbarrier can count") }
    }

    /// The next phase, if this one is complete.
    pub(in crate::exec) fn settle(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.pending = self.expected;
            self.odd = !self.odd;
        }
    }
}

/// Operands of one lane's operation on an object.
struct Operands {
    threads: u64,
    bytes: i64,
    state: u64,
}

/// Operands of all lanes.
struct WarpOperands {
    threads: [u32; WARP],
    bytes: [u32; WARP],
    states: X,
}

impl WarpOperands {
    #[inline(always)]
    fn of_lane(&self, l: usize) -> Operands {
        Operands { threads: self.threads[l].into(), bytes: self.bytes[l].into(), state: self.states.0[l] }
    }
}

/// What lanes have done: each one's object before it, those whose phase is complete, and what stopped one.
struct Done {
    before: X,
    complete: u32,
    stop: Option<Stop>,
}

/// An address of the block's own shared memory without the rank that it may have.
pub(in crate::exec) fn own(address: u64) -> u64 {
    address & ((1 << RANK_AT) - 1)
}

/// Whether the phase that a lane waits for is an odd one.
#[inline(always)]
fn awaited(does: Mbarrier, with: &Operands) -> bool {
    if let Mbarrier::Wait { parity: true } = does { with.threads & 1 != 0 } else { with.state & PHASE != 0 }
}

/// Does an operation: the bits after it, and for a wait whether the phase is complete.
fn operate(does: Mbarrier, before: u64, with: &Operands) -> Result<(u64, bool), &'static str> {
    if does == Mbarrier::Init {
        let object = Object::new(with.threads).ok_or("an mbarrier for no thread, or for 2^20 or more")?;
        return Ok((object.bits(), false));
    }
    let mut object = Object::read(before)
        .ok_or("this is not an mbarrier: it was not initialised, or something else has been written to it")?;
    match does {
        Mbarrier::Init => {}
        Mbarrier::Invalidate => return Ok((0, false)),
        Mbarrier::Wait { .. } => return Ok((before, object.odd != awaited(does, with))),
        Mbarrier::Arrive { drop, no_complete } => {
            object.add_bytes(with.bytes)?;
            object.arrive(with.threads)?;
            if drop {
                object.expected = object
                    .expected
                    .checked_sub(with.threads)
                    .ok_or("more threads drop out than there are")?;
            }
            if no_complete && object.pending == 0 {
                return Err("`mbarrier.arrive.noComplete` completes the phase");
            }
        }
        Mbarrier::ExpectBytes => object.add_bytes(with.bytes)?,
        Mbarrier::CompleteBytes => object.add_bytes(-with.bytes)?,
        // Made expected and then done, the copies change nothing.
        Mbarrier::CopiesArrive { expected: false } => {}
        Mbarrier::CopiesArrive { expected: true } => object.arrive(with.threads)?,
    }
    object.settle();
    Ok((object.bits(), false))
}

/// Does the usual operations of several lanes on one object at once, if that is what these are: waits, and arrivals of one
/// thread each that do not complete the phase before the last of them. Gives the bits afterwards, and the lanes whose phase
/// is complete.
#[inline(always)]
fn together(
    does: Mbarrier,
    bits: u64,
    mask: u32,
    operands: &WarpOperands,
    before: &mut X,
) -> Option<(u64, u32)> {
    let WarpOperands { threads, bytes, .. } = operands;
    let mut object = Object::read(bits)?;
    match does {
        Mbarrier::Wait { .. } => {
            let awaits_odd = |l: usize| awaited(does, &operands.of_lane(l));
            let first = awaits_odd(mask.trailing_zeros() as usize % WARP);
            let same = all_bits(mask, |l| u64::from(awaits_odd(l) != first)) == 0;
            let odd = match (same, first) {
                (true, true) => mask,
                (true, false) => 0,
                (false, _) => lanes(mask).fold(0, |odd, l| odd | u32::from(awaits_odd(l)) << l),
            };
            Some((bits, if object.odd { mask & !odd } else { odd }))
        }
        Mbarrier::Arrive { drop: false, no_complete: false } => {
            let count = u64::from(mask.count_ones());
            let single = all_bits(mask, |l| u64::from(threads[l] ^ 1 | bytes[l])) == 0;
            if !single || object.pending < count {
                return None;
            }
            // The arrivals that are still to come are the lowest bits.
            if mask == ALL {
                (0..WARP).for_each(|l| before.0[l] = bits - l as u64);
            } else {
                lanes(mask).enumerate().for_each(|(nth, l)| before.0[l] = bits - nth as u64);
            }
            object.pending -= count;
            object.settle();
            Some((object.bits(), 0))
        }
        Mbarrier::Init
        | Mbarrier::Invalidate
        | Mbarrier::Arrive { .. }
        | Mbarrier::ExpectBytes
        | Mbarrier::CompleteBytes
        | Mbarrier::CopiesArrive { .. } => None,
    }
}

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn mbarrier(
        &mut self,
        mbarrier: Id<MbarrierOperands>,
        mask: u32,
    ) -> Result<(), Stop> {
        let kernel = self.current.run.kernel;
        let of = kernel[mbarrier];
        let mut addresses = self.current.block.registers.register_addresses(kernel[of.access].address);
        if of.space == Space::Generic {
            let (shared, at) = in_window(&addresses, mask, SHARED_WINDOW);
            if let Some(l) = lanes(mask & !shared).next() {
                let message = "an mbarrier must be in shared memory, but this address is not".to_owned();
                let stop = Stop::at(FaultKind::OutOfBoundsShared, l, addresses.0[l], 8);
                return Err(Stop { message: Some(message), ..stop });
            }
            addresses = at;
        }
        let waits = of.does.waits();
        let is_cluster = self.current.run.is_cluster;
        if !waits && let Some(checks) = &mut self.current.block.observers.checks {
            // A thread that waits for the object waits for these copies too.
            if matches!(of.does, Mbarrier::CopiesArrive { .. }) {
                checks.copies_end(self.current.cursor.warp, mask, None);
            }
            if is_cluster {
                checks.release(self.current.cursor.warp, mask);
            }
        }
        self.check_object(of.access, of.does, &addresses, mask)?;
        let word = |register: OptionalRegister, otherwise: u32| match register.get() {
            None => [otherwise; WARP],
            Some(register) => self.current.block.registers.w[self.current.block.registers.wi(register)].0,
        };
        let operands = WarpOperands {
            threads: word(of.count, 1),
            bytes: word(of.bytes, 0),
            states: of.state.get().map_or(X::ZERO, |state| {
                self.current.block.registers.x[self.current.block.registers.xi(state)]
            }),
        };
        let first = mask.trailing_zeros() as usize % WARP;
        let same = all_bits(mask, |l| addresses.0[l] ^ addresses.0[first]) == 0;
        let Done { before, complete, stop } = if same && of.does != Mbarrier::Init {
            self.current.change_one(&mut self.schedule, of.does, addresses.0[first], mask, &operands)?
        } else {
            self.current.change_several(&mut self.schedule, of.does, &addresses, mask, &operands)
        };
        // What comes after the lane that faulted, the instruction has not done.
        let mask = stop.as_ref().map_or(mask, |stop| mask & stop.done);
        if waits {
            self.current.cursor.did |= complete != 0;
            self.current.cursor.looked |= complete != mask;
            let waiting = lanes(mask & !complete).next();
            self.current.block.incomplete = waiting.map(|l| addresses.0[l]);
            if complete != 0 && self.current.block.observers.checks.is_some() {
                self.current.note_complete(of.does, &addresses, complete, &operands);
            }
            if let Some(d) = of.d.get() {
                let p = &mut self.current.block.registers.p[self.current.block.registers.p_base + d.offset()];
                *p = complete & mask | *p & !mask;
            }
        } else {
            self.current.cursor.did = true;
            if self.current.block.observers.checks.is_some() {
                self.current.note_arrivals(of.does, &addresses, mask, &before);
            }
            if let Some(d) = of.d.get() {
                let d = self.current.block.registers.xi(d);
                self.current.block.registers.x[d].set(&before, mask);
            }
        }
        stop.map_or(Ok(()), Err)
    }

    /// Whether an object may be operated on now.
    fn check_object(
        &mut self,
        id: Id<MemoryOperand>,
        does: Mbarrier,
        addresses: &X,
        mask: u32,
    ) -> Result<(), Stop> {
        let kind = if does == Mbarrier::Init { AccessKind::Store } else { AccessKind::Atomic };
        let access =
            Access { width: 8, ..self.current.run.access_at(Memory::Shared, kind, id, mask, addresses) };
        self.sites.check_alignment(&access)?;
        let near = mask & !CurrentBlock::distant_lanes(addresses, mask);
        if near == 0 {
            return Ok(());
        }
        let access = Access { values: Some(&[]), ..access.of_lanes(Memory::Shared, near, addresses) };
        self.sites.check_inside(
            &access,
            self.current.block.shared.len() as u64,
            FaultKind::OutOfBoundsShared,
        )?;
        self.observe(&access, None)
    }
}

impl<'a> CurrentBlock<'a> {
    /// Tells the checks who has arrived; `before` is the object before each lane's operation.
    #[cold]
    #[inline(never)]
    fn note_arrivals(&mut self, does: Mbarrier, addresses: &X, mask: u32, before: &X) {
        if self.run.is_cluster {
            return;
        }
        for (at, here) in groups(mask, |l| own(addresses.0[l])) {
            let warp = self.cursor.warp;
            let Some(checks) = &mut self.block.observers.checks else { return };
            if matches!(does, Mbarrier::Init | Mbarrier::Invalidate) {
                checks.begin_mbarrier(at);
                continue;
            }
            checks.arrive_at_mbarrier(at, warp, here);
            // A phase may have ended with each lane.
            let after = lanes(here).skip(1).map(|l| before.0[l]);
            let objects: Vec<u64> =
                after.chain([little_endian(&self.block.shared, at as usize, 8)]).collect();
            for (l, after) in lanes(here).zip(objects) {
                self.note_phase(at, before.0[l], after);
            }
        }
    }

    /// Tells the checks of a phase that is complete, if one is.
    pub(in crate::exec) fn note_phase(&mut self, address: u64, before: u64, after: u64) {
        if let (Some(before), Some(after)) = (Object::read(before), Object::read(after))
            && before.odd != after.odd
            && let Some(checks) = &mut self.block.observers.checks
        {
            checks.complete_phase(own(address), before.odd);
        }
    }

    /// Tells the checks who has seen that a phase is complete.
    #[cold]
    #[inline(never)]
    fn note_complete(&mut self, does: Mbarrier, addresses: &X, mask: u32, operands: &WarpOperands) {
        let (warp, is_cluster) = (self.cursor.warp, self.run.is_cluster);
        let Some(checks) = &mut self.block.observers.checks else { return };
        if is_cluster {
            checks.acquire(warp, mask);
            return;
        }
        let phase = |l: usize| (own(addresses.0[l]), awaited(does, &operands.of_lane(l)));
        for ((at, odd), here) in groups(mask, phase) {
            checks.waited_at_mbarrier(at, odd, warp, here);
        }
    }

    /// Lanes change one object, as a rule: it is found and written once.
    #[inline]
    fn change_one(
        &mut self,
        schedule: &mut Schedule<'a>,
        does: Mbarrier,
        address: u64,
        mask: u32,
        operands: &WarpOperands,
    ) -> Result<Done, Stop> {
        let (mut before, mut complete) = (X::ZERO, 0);
        let first = mask.trailing_zeros() as usize % WARP;
        let mut lane = first;
        let change = |bits: u64| {
            if let Some(found) = together(does, bits, mask, operands, &mut before) {
                complete = found.1;
                return Ok((found.0, false));
            }
            let mut after = bits;
            for l in lanes(mask) {
                (lane, before.0[l]) = (l, after);
                let (next, says) = operate(does, after, &operands.of_lane(l))?;
                after = next;
                complete |= u32::from(says) << l;
            }
            Ok((after, false))
        };
        match self.change_object(schedule, first, address, change) {
            Ok(_) => Ok(Done { before, complete, stop: None }),
            Err(stop) => Err(Stop { lane: lane as u32, ..stop }),
        }
    }

    /// Each lane changes an object, up to the first that cannot.
    #[inline]
    fn change_several(
        &mut self,
        schedule: &mut Schedule<'a>,
        does: Mbarrier,
        addresses: &X,
        mask: u32,
        operands: &WarpOperands,
    ) -> Done {
        let mut out = Done { before: X::ZERO, complete: 0, stop: None };
        for l in lanes(mask) {
            let with = operands.of_lane(l);
            match self.change_object(schedule, l, addresses.0[l], |bits| operate(does, bits, &with)) {
                Ok((before, done)) => {
                    out.before.0[l] = before;
                    out.complete |= u32::from(done) << l;
                }
                Err(found) => {
                    out.stop = Some(found.after_lanes_before(l));
                    break;
                }
            }
        }
        out
    }

    /// Changes the object at an address, which is aligned; returns what it was and what the change says.
    pub(in crate::exec) fn change_object(
        &mut self,
        schedule: &mut Schedule<'a>,
        lane: usize,
        address: u64,
        change: impl FnOnce(u64) -> Result<(u64, bool), &'static str>,
    ) -> Result<(u64, bool), Stop> {
        let place = schedule.place_in_cluster(self, lane, address, 8)?;
        let memory = &mut schedule.block_at(self, &place).shared;
        let at = place.at;
        let before = little_endian(memory, at, 8);
        match change(before) {
            Ok((after, says)) => {
                memory[at..at + 8].copy_from_slice(&after.to_le_bytes());
                Ok((before, says))
            }
            Err(message) => {
                let stop = Stop::at(FaultKind::Trap, lane, address, 8);
                Err(Stop { message: Some(message.to_owned()), ..stop })
            }
        }
    }

    /// For a fault of a block that does not end: the `mbarrier` that it looked at last, if its phase was not complete.
    #[cold]
    pub(in crate::exec) fn awaited_mbarrier(&self) -> Option<String> {
        let at = self.block.incomplete?;
        let bits = little_endian(
            &self.block.shared,
            usize::try_from(at).ok().filter(|at| at + 8 <= self.block.shared.len())?,
            8,
        );
        let Object { pending, bytes, .. } = Object::read(bits)?;
        Some(format!(
            "the mbarrier at {at:#x} of shared memory, for which {pending} arrivals and {bytes} bytes are still to come"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(threads: u64, bytes: i64) -> Operands {
        Operands { threads, bytes, state: 0 }
    }

    const ARRIVE: Mbarrier = Mbarrier::Arrive { drop: false, no_complete: false };

    #[test]
    fn a_phase_is_complete_when_all_threads_and_bytes_have_come() {
        let (begun, _) = operate(Mbarrier::Init, 0, &with(2, 0)).unwrap();
        let (one, _) = operate(ARRIVE, begun, &with(1, 48)).unwrap();
        let (two, _) = operate(ARRIVE, one, &with(1, 0)).unwrap();
        let wait = |bits, parity| operate(Mbarrier::Wait { parity: true }, bits, &with(parity, 0)).unwrap().1;
        assert!(!wait(two, 0) && wait(two, 1));
        let (done, _) = operate(Mbarrier::CompleteBytes, two, &with(1, 48)).unwrap();
        assert!(wait(done, 0) && !wait(done, 1));
        assert_eq!(done & PENDING, 2);
    }

    #[test]
    fn bytes_may_come_before_they_are_expected() {
        let mut object = Object::new(1).unwrap();
        object.add_bytes(-64).unwrap();
        assert_eq!(Object::read(object.bits()), Some(object));
        let (done, _) = operate(ARRIVE, object.bits(), &with(1, 64)).unwrap();
        assert!(Object::read(done).unwrap().odd);
    }

    #[test]
    fn who_drops_out_is_not_waited_for_again() {
        let (begun, _) = operate(Mbarrier::Init, 0, &with(2, 0)).unwrap();
        let drop = Mbarrier::Arrive { drop: true, no_complete: false };
        let (one, _) = operate(drop, begun, &with(1, 0)).unwrap();
        let (two, _) = operate(ARRIVE, one, &with(1, 0)).unwrap();
        assert_eq!(Object::read(two), Some(Object { pending: 1, expected: 1, bytes: 0, odd: true }));
    }

    #[test]
    fn lanes_together_do_what_they_do_one_after_the_other() {
        let mask = 0x0ff0_00ff;
        let states = X(std::array::from_fn(|l| if l % 3 == 0 { PHASE } else { 0 }));
        let parities = std::array::from_fn(|l| l as u32 % 5);
        let (begun, _) = operate(Mbarrier::Init, 0, &with(40, 0)).unwrap();
        let wait = |parity| Mbarrier::Wait { parity };
        let cases = [
            (ARRIVE, begun, [1; WARP]),
            (ARRIVE, begun - 24, [1; WARP]),
            (ARRIVE, begun - 25, [1; WARP]),
            (ARRIVE, begun, [2; WARP]),
            (wait(true), begun, parities),
            (wait(false), begun | PHASE, parities),
        ];
        for (n, (does, bits, threads)) in cases.into_iter().enumerate() {
            let (mut after, mut complete, mut states_before) = (bits, 0, X::ZERO);
            for l in lanes(mask) {
                states_before.0[l] = after;
                let with = Operands { threads: threads[l].into(), bytes: 0, state: states.0[l] };
                let (next, says) = operate(does, after, &with).unwrap();
                after = next;
                complete |= u32::from(says) << l;
            }
            let mut before = X::ZERO;
            let operands = WarpOperands { threads, bytes: [0; WARP], states };
            let found = together(does, bits, mask, &operands, &mut before);
            // Those that the fast way leaves alone: a phase that ends before the last lane, and arrivals of two.
            if n == 2 || n == 3 {
                assert_eq!(found, None);
                continue;
            }
            assert_eq!(found, Some((after, complete)), "case {n}");
            assert!(does != ARRIVE || before.0 == states_before.0, "case {n}");
        }
    }

    #[test]
    fn what_is_not_an_object_is_reported() {
        assert!(operate(ARRIVE, 0xcdcd_cdcd_cdcd_cdcd, &with(1, 0)).is_err());
        assert!(operate(ARRIVE, 0, &with(1, 0)).is_err());
        assert!(operate(Mbarrier::Init, 0, &with(1 << 20, 0)).is_err());
    }
}
