//! Calls of functions: frames, arguments, results.

use super::block::POISON;
use super::current::CurrentBlock;
use super::fault::Stop;
use super::observers::Observers;
use super::schedule::Schedule;
use super::warp::{Called, FreeRegisters, Reconvergence, Split};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::*;
use crate::lanes::{W, X, lanes};
use crate::memory::{FUNCTION_WINDOW, LOCAL_LIMIT};

/// Registers of 32 bits (of 32 lanes) of functions that are kept from block to block: 32 MiB.
const REMEMBERED: usize = 1 << 18;

impl<'a> CurrentBlock<'a> {
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        observers: &mut Observers,
        schedule: &mut Schedule<'a>,
        at: Split,
        call: u32,
        next: u32,
    ) -> Result<Split, Stop> {
        let kernel = self.run.kernel;
        match kernel.calls[call as usize].callee {
            Callee::Direct(function) => self.enter(observers, schedule, at, function, call, next),
            Callee::Indirect(register) => {
                // Lanes that call the same function go together, the others after them.
                let addresses = self.block.registers.x[self.block.registers.xi(register)];
                let mut parts: Vec<(u64, u32)> = vec![];
                for l in lanes(at.mask) {
                    match parts.iter_mut().find(|(to, _)| *to == addresses.0[l]) {
                        Some((_, mask)) => *mask |= 1 << l,
                        None => parts.push((addresses.0[l], 1 << l)),
                    }
                }
                // All are looked at before the first one is entered.
                let mut callees = vec![];
                for (address, mask) in parts {
                    let lane = mask.trailing_zeros() as usize;
                    let number = address.wrapping_sub(FUNCTION_WINDOW) / 16;
                    let function = usize::try_from(number)
                        .ok()
                        .filter(|_| address % 16 == 0)
                        .and_then(|n| kernel.function_of.get(&n).copied())
                        // The first one is the kernel itself.
                        .filter(|function| *function != 0)
                        .ok_or(Stop::at(FaultKind::Trap, lane, address, 0))?;
                    if !kernel.calls[call as usize].fits(&kernel.functions[function as usize]) {
                        let message =
                            "call of a function whose parameters and results are not those of the prototype";
                        let stop = Stop::at(FaultKind::Trap, lane, address, 0);
                        return Err(Stop { message: Some(message.to_owned()), ..stop });
                    }
                    callees.push((function, mask));
                }
                let reconvergence =
                    if callees.len() > 1 { self.reconvergence_of(at, Some(next)) } else { at.reconvergence };
                let mut first = None;
                for (function, mask) in callees {
                    let part = self.enter(
                        observers,
                        schedule,
                        Split { mask, reconvergence, ..at },
                        function,
                        call,
                        next,
                    )?;
                    match first {
                        None => first = Some(part),
                        Some(_) => self.block.warps[self.cursor.warp].runnable.push(part),
                    }
                }
                Ok(first.unwrap_or(at))
            }
        }
    }

    /// Opens a frame for a function, hands over its arguments and goes to its first block.
    pub(super) fn enter(
        &mut self,
        observers: &mut Observers,
        schedule: &mut Schedule<'a>,
        at: Split,
        function: u32,
        call: u32,
        next: u32,
    ) -> Result<Split, Stop> {
        let kernel = self.run.kernel;
        let frame = &kernel.functions[function as usize];
        let free = &mut self.block.free.of;
        free.resize(kernel.functions.len(), vec![]);
        let (w, x, p) = free[function as usize].pop().unwrap_or_else(|| {
            let start =
                (self.block.registers.w.len(), self.block.registers.x.len(), self.block.registers.p.len());
            self.block.registers.w.resize(start.0 + usize::from(frame.w), W::ZERO);
            self.block.registers.x.resize(start.1 + usize::from(frame.x), X::ZERO);
            self.block.registers.p.resize(start.2 + usize::from(frame.p), 0);
            start
        });
        let warp = &mut self.block.warps[self.cursor.warp];
        let local = warp.frames.last().map_or(0, |f| f.local_end).next_multiple_of(16);
        let local_end = local.saturating_add(frame.local_bytes);
        // Real compilers keep a caller's registers in its frame.
        let registers = 4 * u64::from(frame.w) + 8 * u64::from(frame.x) + 16;
        let depth = warp.frames[at.frame as usize].depth + registers + u64::from(frame.local_bytes);
        let held = warp.held + frame.bytes();
        let limit = self.run.options.stack_bytes.saturating_sub(self.run.stack_bytes());
        if depth > LOCAL_LIMIT
            || u64::from(local_end) > WARP as u64 * LOCAL_LIMIT
            || held > limit / self.run.warps_per_block() / schedule.residents.len().max(1) as u64
        {
            let lane = at.mask.trailing_zeros() as usize % WARP;
            return Err(Stop::without_address(FaultKind::StackOverflow, lane));
        }
        warp.held = held;
        // Lanes that call together return together.
        warp.reconvergences.push(Reconvergence {
            block: next,
            frame: at.frame,
            expected: at.mask,
            arrived: 0,
            parent: at.reconvergence,
        });
        let reconvergence = (warp.reconvergences.len() - 1) as u32;
        warp.frames.push(Called {
            function,
            w,
            x,
            p,
            local,
            local_end,
            depth,
            live: at.mask,
            caller: at.frame,
            call,
            next,
        });
        let words = (local_end as usize).div_ceil(4);
        if warp.local.len() < words {
            warp.local.resize(words, W::splat(POISON));
        }
        let inner = (warp.frames.len() - 1) as u32;
        if let Some(checks) = &mut self.block.observers.checks {
            checks.enter_frame(self.cursor.warp, local, local_end, at.mask);
        }
        if self.block.observers.undefined
            && let Some(checks) = &mut self.block.observers.checks
        {
            for (file, from, count) in [(File::W, w, frame.w), (File::X, x, frame.x), (File::P, p, frame.p)] {
                checks.clear_undefined(file, from, usize::from(count));
            }
        }
        self.clear_unwritten(function, [w, x, p], at.mask);
        self.transfer(observers, &kernel.calls[call as usize].arguments, at.frame, inner, at.mask);
        Ok(Split { block: frame.entry, mask: at.mask, reconvergence, frame: inner })
    }

    /// Returns from a function.
    #[inline(never)]
    pub(super) fn leave(&mut self, observers: &mut Observers, at: Split) -> Split {
        let called = self.block.warps[self.cursor.warp].frames[at.frame as usize];
        let call = &self.run.kernel.calls[called.call as usize];
        self.transfer(observers, &call.returns, at.frame, called.caller, at.mask);
        self.leave_frame(at.frame as usize, at.mask);
        self.drop_frames();
        Split { block: called.next, frame: called.caller, ..at }
    }

    pub(super) fn leave_frame(&mut self, frame: usize, mask: u32) {
        let called = &mut self.block.warps[self.cursor.warp].frames[frame];
        if called.live != 0 {
            called.live &= !mask;
            if called.live == 0 {
                self.block.free.of[called.function as usize].push((called.w, called.x, called.p));
            }
        }
    }

    pub(super) fn drop_frames(&mut self) {
        let kernel = self.run.kernel;
        let warp = &mut self.block.warps[self.cursor.warp];
        while warp.frames.len() > 1 && warp.frames.last().is_some_and(|f| f.live == 0) {
            if let Some(called) = warp.frames.pop() {
                warp.held -= kernel.functions[called.function as usize].bytes();
            }
        }
    }

    /// Gives back the registers of calls, where they are many: which ones it were differs from block to block.
    pub(super) fn forget_frames(&mut self) {
        let (w, x, _) = self.run.kernel.registers_of(self.block.warps.len());
        let more = self.block.registers.w.len() - w + 2 * (self.block.registers.x.len() - x);
        if more > REMEMBERED {
            self.forget_called();
        }
    }

    /// Gives back the registers of all calls: no thread is in one.
    pub(super) fn forget_called(&mut self) {
        let (w, x, p) = self.run.kernel.registers_of(self.block.warps.len());
        self.block.registers.w.truncate(w);
        self.block.registers.x.truncate(x);
        self.block.registers.p.truncate(p);
        self.block.free = FreeRegisters::default();
    }

    /// Copies values between two frames.
    pub(super) fn transfer(
        &mut self,
        observers: &mut Observers,
        transfers: &[CallValue],
        from: u32,
        to: u32,
        mask: u32,
    ) {
        let (f, t) = {
            let frames = &self.block.warps[self.cursor.warp].frames;
            (frames[from as usize], frames[to as usize])
        };
        for transfer in transfers {
            if self.block.observers.undefined {
                let key = |slot: Slot, frame: &Called| match slot {
                    Slot::Bytes(_) => None,
                    Slot::W(n) => Some((File::W, n.index(frame.w))),
                    Slot::X(n) => Some((File::X, n.index(frame.x))),
                    Slot::P(n) => Some((File::P, frame.p + n.offset())),
                };
                observers.transfer_undefined(self, key(transfer.from, &f), key(transfer.to, &t), mask);
            }
            // 8 bytes at a time at the most: structs are copied in pieces.
            let mut done = 0;
            while done < transfer.bytes {
                let left = transfer.bytes - done;
                let place = |slot| if let Slot::Bytes(at) = slot { at + done } else { done };
                let both = place(transfer.from) | place(transfer.to);
                let bytes: u32 = [8, 4, 2].into_iter().find(|b| *b <= left && both % b == 0).unwrap_or(1);
                let value = match transfer.from {
                    Slot::Bytes(at) => self.read_local(f.local + at + done, bytes as u8),
                    Slot::W(n) => self.block.registers.w[n.index(f.w)].widened(),
                    Slot::X(n) => self.block.registers.x[n.index(f.x)],
                    Slot::P(n) => {
                        let bits = self.block.registers.p[f.p + n.offset()];
                        X(std::array::from_fn(|l| u64::from(bits >> l & 1)))
                    }
                };
                match transfer.to {
                    Slot::Bytes(at) => self.write_local(t.local + at + done, bytes as u8, &value, mask),
                    Slot::W(n) => self.block.registers.w[n.index(t.w)].set(&value.narrowed(), mask),
                    Slot::X(n) => self.block.registers.x[n.index(t.x)].set(&value, mask),
                    Slot::P(n) => {
                        let bits = (0..WARP).fold(0, |bits, l| bits | ((value.0[l] & 1) as u32) << l);
                        let p = &mut self.block.registers.p[t.p + n.offset()];
                        *p = bits & mask | *p & !mask;
                    }
                }
                done += bytes;
            }
            if let (Slot::Bytes(from), Slot::Bytes(to)) = (transfer.from, transfer.to)
                && let Some(checks) = &mut self.block.observers.checks
            {
                let (from, to) = (f.local + from, t.local + to);
                checks.local_copied(self.cursor.warp, from, to, transfer.bytes, mask);
            }
        }
    }
}
