//! Services of the system for a kernel: fences, `printf`, `assert`, the heap.

use super::count::Counts;
use super::current::CurrentBlock;
use super::fault::Stop;
use super::launch::Run;
use super::worker::Worker;
use crate::error::FaultKind;
use crate::ir::{Builtin, BuiltinCall, Id, Inst, Op};
use crate::lanes::{X, lanes};
use crate::memory::{CONSTANT_WINDOW, LOCAL_WINDOW, SHARED_WINDOW, WINDOW};

/// Characters of a string that are looked at.
const STRING_LIMIT: usize = 64 << 10;
/// Characters of all strings that one `printf` looks at.
const STRINGS_LIMIT: usize = 1 << 20;

impl Worker<'_> {
    /// A memory fence: earlier accesses of a thread are visible before its later ones.
    pub(super) fn fence(&mut self, of_block: bool, mask: u32) -> Result<(), Stop> {
        self.current.block.fences += u32::from(!of_block);
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        self.current.warp_fenced(mask);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn builtin(&mut self, id: Id<BuiltinCall>, mask: u32) -> Result<(), Stop> {
        let of = self.current.run.kernel[id];
        match of.builtin {
            Builtin::Print => self.current.print(&mut self.counts, id, mask),
            Builtin::Sleep => {
                // A thread that sleeps has seen that others are not done.
                self.schedule.slept_after_work |= self.current.cursor.did;
                self.current.cursor.looked = true;
                self.current.cursor.did = false;
                Ok(())
            }
            Builtin::AssertionFailed => Err(self.current.assertion(&of, mask)),
            Builtin::Allocate => {
                let sizes = self.current.argument(&of, 0, 8);
                let mut addresses = X::ZERO;
                for l in lanes(mask) {
                    addresses.0[l] = self.current.heap_piece(sizes.0[l]);
                }
                if let Some(result) = of.result {
                    self.current.write_local(self.current.cursor.local_base + result, 8, &addresses, mask);
                }
                Ok(())
            }
            Builtin::Free => {
                let addresses = self.current.argument(&of, 0, 8);
                for l in lanes(mask) {
                    let address = addresses.0[l];
                    if !self.current.run.free_piece(address) && address != 0 {
                        let message =
                            "free of an address that malloc did not return, or that has already been freed";
                        let stop = Stop::at(FaultKind::Trap, l, address, 0);
                        return Err(Stop { message: Some(message.to_owned()), ..stop }.after_lanes_before(l));
                    }
                }
                Ok(())
            }
            Builtin::Runtime(what) => match self.current.run.runtime {
                Some(runtime) => self.current.runtime(&mut self.counts, what, &of, mask, runtime),
                None => Ok(()),
            },
        }
    }
}

impl CurrentBlock<'_> {
    /// The address of a new piece of the heap, or 0.
    pub(super) fn heap_piece(&mut self, bytes: u64) -> u64 {
        let (address, looked) = self.run.heap.map_or((0, 0), |heap| heap.allocate(bytes));
        self.charge(looked / 4);
        self.run.forget_written(address, bytes);
        address
    }

    #[inline]
    pub(super) fn argument(&self, of: &BuiltinCall, n: usize, bytes: u8) -> X {
        self.read_local(self.cursor.local_base + of.arguments[n], bytes)
    }

    /// A byte at a generic address, as lane `lane` sees it.
    pub(super) fn byte(&self, lane: usize, address: u64) -> Option<u8> {
        let within = |window: u64| address.checked_sub(window).filter(|at| *at < WINDOW);
        if let Some(at) = within(LOCAL_WINDOW) {
            return self.local_byte(lane, at);
        }
        if let Some(at) = within(SHARED_WINDOW) {
            return self.block.shared.get(at as usize).copied();
        }
        if let Some(at) = within(CONSTANT_WINDOW) {
            let stored = self.run.stored.get().filter(|stored| at < stored.bytes);
            return stored
                .map(|stored| stored.load(at, 1) as u8)
                .or_else(|| self.run.constant.get(at as usize).copied());
        }
        let mut hint = 0;
        let a = self.run.global.find(address, address.checked_add(1)?, &mut hint)?;
        Some(a.load(address - a.base, 1) as u8)
    }

    fn string(&self, lane: usize, address: u64) -> Option<String> {
        self.string_within(lane, address, &mut (STRING_LIMIT + 1))
    }

    /// A string, if it ends before as many bytes as may still be looked at; takes those that were from them.
    fn string_within(&self, lane: usize, address: u64, left: &mut usize) -> Option<String> {
        let mut bytes = vec![];
        for n in 0..STRING_LIMIT as u64 {
            *left = left.checked_sub(1)?;
            match self.byte(lane, address.wrapping_add(n))? {
                0 => return Some(String::from_utf8_lossy(&bytes).into_owned()),
                byte => bytes.push(byte),
            }
        }
        None
    }

    fn wide_value(&self, lane: usize, address: u64) -> u64 {
        let mut value = 0;
        for n in 0..8 {
            value |= u64::from(self.byte(lane, address.wrapping_add(n)).unwrap_or(0)) << (8 * n);
        }
        value
    }

    fn print(&mut self, counts: &mut Counts, id: Id<BuiltinCall>, mask: u32) -> Result<(), Stop> {
        let of = &self.run.kernel[id];
        let (formats, buffers) = (self.argument(of, 0, 8), self.argument(of, 1, 8));
        let mut results = X::ZERO;
        for l in lanes(mask) {
            let left = std::cell::Cell::new(STRINGS_LIMIT);
            let unwritten = std::cell::Cell::new(None);
            let string = |address| {
                let mut now = left.get();
                let text = self.string_within(l, address, &mut now);
                left.set(now);
                text
            };
            let text = string(formats.0[l]).map(|format| {
                crate::print::format(
                    &format,
                    self.run.options.print_bytes,
                    |n, wide| {
                        // Arguments are aligned to their sizes, of 4 or 8 bytes.
                        let (at, next) = crate::print::place(n, wide);
                        let bytes = if wide { 8 } else { 4 };
                        if self.lacks_value(l, buffers.0[l].wrapping_add(at), bytes) {
                            unwritten.set(unwritten.get().or(Some(bytes)));
                        }
                        (self.wide_value(l, buffers.0[l].wrapping_add(at)), next)
                    },
                    string,
                )
            });
            let written = text.as_ref().map_or(0, |(text, _)| text.len() as u64);
            self.charge(((STRINGS_LIMIT - left.get()) as u64 + written) / 4);
            let Some((text, count)) = text else {
                results.0[l] = u64::from(u32::MAX);
                continue;
            };
            results.0[l] = count;
            self.emit_text(counts, &text);
            if let Some(bytes) = unwritten.get() {
                self.prints_nothing(id, l, bytes)?;
            }
        }
        if let Some(result) = of.result {
            self.write_local(self.cursor.local_base + result, 4, &results, mask);
        }
        Ok(())
    }

    /// Whether a thread has written none of the bytes of an argument, as far as the checks know.
    fn lacks_value(&self, lane: usize, address: u64, bytes: u64) -> bool {
        let at = address.checked_sub(LOCAL_WINDOW).filter(|at| *at < WINDOW);
        match (&self.block.observers.checks, at) {
            (Some(checks), Some(at)) => checks.local_lacks(self.cursor.warp, lane, at, bytes),
            (Some(_) | None, _) => false,
        }
    }

    /// A lane has printed an argument without a value.
    #[cold]
    fn prints_nothing(&mut self, id: Id<BuiltinCall>, lane: usize, bytes: u64) -> Result<(), Stop> {
        let kernel = self.run.kernel;
        let message = format!("`printf` prints an argument of {bytes} bytes that the thread has not set");
        let stop = Stop::without_address(FaultKind::UninitialisedRead, lane);
        let stop = Stop { message: Some(message), ..stop }.after_lanes_before(lane);
        if !self.run.options.keep_going {
            return Err(stop);
        }
        let is_it = |inst: &Inst| inst.op == Op::Builtin { call: id };
        let code = kernel.code.iter().position(is_it).unwrap_or_default();
        let fault = self.fault_at(stop, code as u32);
        // Nothing ends the launch here.
        let _ = self.found(fault, 1);
        Ok(())
    }

    fn emit_text(&mut self, counts: &mut Counts, text: &str) {
        // Blocks come in rising order, so what follows as much as the launch may print is never shown.
        if counts.tally.printed_bytes > self.run.options.print_bytes {
            return;
        }
        counts.tally.printed_bytes += text.len();
        let printed = &mut counts.tally.printed;
        match printed.last_mut() {
            Some((block, so_far)) if *block == self.block.number => so_far.push_str(text),
            _ => printed.push((self.block.number, text.to_owned())),
        }
    }

    fn assertion(&self, of: &BuiltinCall, mask: u32) -> Stop {
        let lane = mask.trailing_zeros() as usize % crate::WARP;
        let text =
            |n: usize| self.string(lane, self.argument(of, n, 8).0[lane]).unwrap_or_else(|| "?".to_owned());
        let line = self.argument(of, 2, 4).0[lane];
        let message = format!("assertion `{}` failed in {} ({}:{line})", text(0), text(3), text(1));
        Stop { message: Some(message), ..Stop::without_address(FaultKind::Trap, lane) }
    }
}

impl Run<'_> {
    /// Gives a piece of the heap back, if it is one.
    pub(super) fn free_piece(&self, address: u64) -> bool {
        let freed = self.heap.and_then(|heap| heap.free(address));
        if let Some(bytes) = freed {
            self.forget_written(address, bytes);
        }
        freed.is_some()
    }

    /// Forgets which bytes of a piece of the heap were written: they may not be read again.
    fn forget_written(&self, address: u64, bytes: u64) {
        let mut hint = 0;
        if address != 0
            && let Some(a) = self.global.find(address, address.saturating_add(bytes), &mut hint)
        {
            a.written.forget(address - a.base, bytes);
        }
    }
}
