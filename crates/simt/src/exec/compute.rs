//! Instructions that only compute: a loop over lanes for each.

use super::current::CurrentBlock;
use super::fault::Stop;
use super::registers::RegisterFile;
use super::registers::index;
use super::worker::Worker;
use crate::ir::*;
use crate::lanes::{ALL, W, X, lanes};
use crate::{WARP, semantics, simd128};

/// The registers that instructions of the table name. As a value of its own it is not a field of the worker, so that
/// lengths and places stay in machine registers from one instruction to the next.
pub(super) struct Registers<'r> {
    w: &'r mut [W],
    x: &'r mut [X],
    /// Those of the frame.
    p: &'r mut [u32],
    w_base: usize,
    x_base: usize,
}

// A function of the table, spelled out by its shape: `$s` holds the registers, `$of` names them.

macro_rules! w {
    ($s:ident, $n:expr) => {
        $s.w[index($n, $s.w_base)].0
    };
}
macro_rules! x {
    ($s:ident, $n:expr) => {
        $s.x[index($n, $s.x_base)].0
    };
}
macro_rules! p {
    ($s:ident, $n:expr) => {
        $s.p[$n.offset()]
    };
}
macro_rules! to_p {
    ($s:ident, $d:expr, $bits:expr) => {{
        let bits: u32 = $bits;
        p!($s, $d) = bits;
    }};
}

/// Whether loops over lanes read and write registers where they are, four lanes at a time, of which the compiler makes vectors. Else
/// they begin with copies, of which it sees that the result is none of them, and makes longer ones; in WebAssembly each copy would be a
/// call.
const IN_PLACE: bool = cfg!(target_family = "wasm");

// Every lane's result, in a register of the file `$to`, of operands in those of their own.
macro_rules! each_lane {
    ($s:ident $of:ident $l:ident $to:ident [$($operand:ident $file:ident)+] $value:expr) => {
        if IN_PLACE {
            for n in 0..WARP / 4 {
                $(let $operand: [_; 4] = $file!($s, $of.$operand).as_chunks().0[n];)+
                let mut out = [Default::default(); 4];
                for $l in 4 * n..4 * n + 4 {
                    $(let $operand = $operand[$l % 4];)+
                    out[$l % 4] = $value;
                }
                $to!($s, $of.d).as_chunks_mut().0[n] = out;
            }
        } else {
            $(let $operand = $file!($s, $of.$operand);)+
            let out = &mut $to!($s, $of.d);
            for $l in 0..WARP {
                $(let $operand = $operand[$l];)+
                out[$l] = $value;
            }
        }
    };
}

// The lanes for which something holds of operands in registers of the file `$file`.
macro_rules! lanes_that {
    ($s:ident $of:ident $file:ident $holds:expr) => {{
        let mut bits = 0u32;
        if IN_PLACE {
            for l in 0..WARP {
                bits |= u32::from($holds($file!($s, $of.a)[l], $file!($s, $of.b)[l])) << l;
            }
        } else {
            let (a, b) = ($file!($s, $of.a), $file!($s, $of.b));
            for l in 0..WARP {
                bits |= u32::from($holds(a[l], b[l])) << l;
            }
        }
        to_p!($s, $of.d, bits)
    }};
}

macro_rules! shape {
    (w_w $f:ident $s:ident $of:ident) => { each_lane!($s $of l w [a w] semantics::$f(a)) };
    (w_ww $f:ident $s:ident $of:ident) => { each_lane!($s $of l w [a w b w] semantics::$f(a, b)) };
    (w_www fma_f32 $s:ident $of:ident) => {
        if simd128::PAYS {
            for n in 0..WARP / 4 {
                let (a, b, c) = (&w!($s, $of.a), &w!($s, $of.b), &w!($s, $of.c));
                w!($s, $of.d).as_chunks_mut().0[n] =
                    simd128::fma_f32(a.as_chunks().0[n], b.as_chunks().0[n], c.as_chunks().0[n]);
            }
        } else {
            each_lane!($s $of l w [a w b w c w] semantics::fma_f32(a, b, c))
        }
    };
    (w_www $f:ident $s:ident $of:ident) => { each_lane!($s $of l w [a w b w c w] semantics::$f(a, b, c)) };
    (w_wwwi $f:ident $s:ident $of:ident) => {{
        let i = u32::from($of.immediate);
        each_lane!($s $of l w [a w b w c w] semantics::$f(a, b, c, i))
    }};
    (x_x $f:ident $s:ident $of:ident) => { each_lane!($s $of l x [a x] semantics::$f(a)) };
    (x_xx $f:ident $s:ident $of:ident) => { each_lane!($s $of l x [a x b x] semantics::$f(a, b)) };
    (x_xxx $f:ident $s:ident $of:ident) => { each_lane!($s $of l x [a x b x c x] semantics::$f(a, b, c)) };
    (x_xw $f:ident $s:ident $of:ident) => { each_lane!($s $of l x [a x b w] semantics::$f(a, b)) };
    (x_w $f:ident $s:ident $of:ident) => { each_lane!($s $of l x [a w] semantics::$f(a)) };
    (w_x $f:ident $s:ident $of:ident) => { each_lane!($s $of l w [a x] semantics::$f(a)) };
    (x_ww $f:ident $s:ident $of:ident) => { each_lane!($s $of l x [a w b w] semantics::$f(a, b)) };
    (x_wwx $f:ident $s:ident $of:ident) => { each_lane!($s $of l x [a w b w c x] semantics::$f(a, b, c)) };
    (w_wwp $f:ident $s:ident $of:ident) => {{
        let p = p!($s, $of.c);
        each_lane!($s $of l w [a w b w] semantics::$f(a, b, p >> l & 1 != 0))
    }};
    (x_xxp $f:ident $s:ident $of:ident) => {{
        let p = p!($s, $of.c);
        each_lane!($s $of l x [a x b x] semantics::$f(a, b, p >> l & 1 != 0))
    }};
    (p_ww $f:ident $s:ident $of:ident) => { lanes_that!($s $of w semantics::$f) };
    (p_xx $f:ident $s:ident $of:ident) => { lanes_that!($s $of x semantics::$f) };
    (p_p $f:ident $s:ident $of:ident) => { to_p!($s, $of.d, semantics::$f(p!($s, $of.a))) };
    (p_pp $f:ident $s:ident $of:ident) => {
        to_p!($s, $of.d, semantics::$f(p!($s, $of.a), p!($s, $of.b)))
    };
}

impl RegisterFile {
    #[inline(always)]
    pub(super) fn wi(&self, register: Register) -> usize {
        index(register, self.w_base)
    }

    #[inline(always)]
    pub(super) fn xi(&self, register: Register) -> usize {
        index(register, self.x_base)
    }

    /// The registers as the current frame sees them.
    #[inline(always)]
    pub(super) fn view(&mut self) -> Registers<'_> {
        Registers {
            w: &mut self.w,
            x: &mut self.x,
            p: &mut self.p[self.p_base..],
            w_base: self.w_base,
            x_base: self.x_base,
        }
    }
}

impl Worker<'_> {
    /// An instruction without effects, of those that are executed before the warps run.
    pub(super) fn compute_out_of_line(&mut self, inst: &Inst, mask: u32) {
        let done = self.step_out_of_line(inst, mask, 0);
        debug_assert!(done.is_ok(), "only accesses and warp-wide operations fault");
    }
}

/// The former contents of a result's register.
enum Old {
    W(W),
    X(X),
    P(u32),
}

impl Registers<'_> {
    /// The lanes that an instruction's guard lets run.
    #[inline(always)]
    pub(super) fn guard(&self, inst: &Inst) -> u32 {
        match inst.guard.condition() {
            None => ALL,
            Some((predicate, negated)) => {
                let holds = self.p[predicate.offset()];
                if negated { !holds } else { holds }
            }
        }
    }

    /// [`Registers::compute`] where it is not worth a copy of the table.
    #[inline(never)]
    pub(super) fn compute_out_of_line(&mut self, inst: &Inst, mask: u32) -> bool {
        self.compute(inst, mask)
    }

    /// Runs an instruction of the table; says whether it was one.
    #[inline(always)]
    pub(super) fn compute(&mut self, inst: &Inst, mask: u32) -> bool {
        let Op::Compute(of) = &inst.op else { return false };
        // All lanes compute, and those that are off get back what they had. (One copy of the table: it is most of what
        // there is to compile.)
        let old = if mask == ALL { None } else { Some(self.old(of)) };
        self.compute_all(of);
        if let Some(old) = old {
            self.give_back(of, &old, mask);
        }
        true
    }

    /// The contents of the register of a function's result.
    #[inline(always)]
    fn old(&self, of: &Compute) -> Old {
        match of.result() {
            (File::W, d) => Old::W(self.w[index(d, self.w_base)]),
            (File::X, d) => Old::X(self.x[index(d, self.x_base)]),
            (File::P, d) => Old::P(self.p[d.offset()]),
        }
    }

    #[inline(always)]
    fn give_back(&mut self, of: &Compute, old: &Old, mask: u32) {
        match old {
            Old::W(old) => self.w[index(of.d, self.w_base)].set(old, !mask),
            Old::X(old) => self.x[index(of.d, self.x_base)].set(old, !mask),
            Old::P(old) => {
                let p = &mut self.p[of.d.offset()];
                *p = *p & mask | old & !mask;
            }
        }
    }

    /// A loop over all lanes for each function of the table.
    #[inline(always)]
    fn compute_all(&mut self, of: &Compute) {
        macro_rules! dispatch {
            ($($name:ident $shape:ident $meaning:ident [$($mnemonic:literal),+],)+) => {
                match of.function {
                    $(Function::$name => shape!($shape $meaning self of),)+
                }
            };
        }
        alu!(dispatch);
    }
}

impl Worker<'_> {
    #[inline(never)]
    pub(super) fn special(
        &mut self,
        d: Register,
        file: File,
        special: Special,
        mask: u32,
    ) -> Result<(), Stop> {
        self.current.block.clock_reads += u64::from(special == Special::Clock);
        if file == File::X {
            // The others have 32 bits.
            let is_clock = special == Special::Clock;
            let values = if is_clock {
                X::splat(self.current.clock())
            } else {
                self.current.special_values(special).widened()
            };
            let d = self.current.block.registers.xi(d);
            self.current.block.registers.x[d].set(&values, mask);
        } else {
            let values = self.current.special_values(special);
            let d = self.current.block.registers.wi(d);
            self.current.block.registers.w[d].set(&values, mask);
        }
        Ok(())
    }

    /// A pure function, lane by lane.
    #[inline(never)]
    pub(super) fn scalar(&mut self, d: Register, call: Id<ScalarCall>, mask: u32) -> Result<(), Stop> {
        let call = &self.current.run.kernel[call];
        let scalar = &call.scalar;
        let mut operands = [X::ZERO; 4];
        for (operand, source) in operands.iter_mut().zip(call.sources()) {
            *operand = match *source {
                ScalarOperand::Register(File::W, register) => {
                    self.current.block.registers.w[self.current.block.registers.wi(register)].widened()
                }
                ScalarOperand::Register(File::X, register) => {
                    self.current.block.registers.x[self.current.block.registers.xi(register)]
                }
                ScalarOperand::Register(File::P, register) => {
                    let bits = self.current.block.registers.p
                        [self.current.block.registers.p_base + register.offset()];
                    X(std::array::from_fn(|l| u64::from(bits >> l & 1)))
                }
                ScalarOperand::Immediate(value) => X::splat(u64::from(value)),
            };
        }
        let (mut out, unknown) = scalar.vectorised.map_or((X::ZERO, ALL), |vectorised| vectorised(&operands));
        let [a, b, c, e] = &operands;
        for l in lanes(mask & unknown) {
            out.0[l] = (scalar.compute)(scalar.mode, [a.0[l], b.0[l], c.0[l], e.0[l]]);
        }
        match call.result() {
            File::X => {
                let d = self.current.block.registers.xi(d);
                self.current.block.registers.x[d].set(&out, mask);
            }
            File::P => {
                let bits = lanes(mask).fold(0, |bits, l| bits | ((out.0[l] & 1) as u32) << l);
                let d = &mut self.current.block.registers.p[self.current.block.registers.p_base + d.offset()];
                *d = bits & mask | *d & !mask;
            }
            File::W => {
                let d = self.current.block.registers.wi(d);
                self.current.block.registers.w[d].set(&out.narrowed(), mask);
            }
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn local_address(
        &mut self,
        d: Register,
        file: File,
        offset: i32,
        mask: u32,
    ) -> Result<(), Stop> {
        let address = self.current.cursor.local_base.wrapping_add_signed(offset);
        if file == File::X {
            let d = self.current.block.registers.xi(d);
            self.current.block.registers.x[d].set(&X::splat(u64::from(address)), mask);
        } else {
            let d = self.current.block.registers.wi(d);
            self.current.block.registers.w[d].set(&W::splat(address), mask);
        }
        Ok(())
    }
}

impl CurrentBlock<'_> {
    /// The block's warp instructions so far, and one for each look at the clock, so that time passes in a basic block
    /// too.
    #[inline]
    fn clock(&self) -> u64 {
        self.block.spent + self.block.clock_reads
    }

    #[inline(always)]
    fn special_values(&self, which: Special) -> W {
        let first = (self.cursor.warp * WARP) as u32;
        let mut out = W::ZERO;
        let [bx, by, _] = self.run.block;
        let flat = bx as usize >= self.block.warps.len() * WARP;
        let multiprocessors = self.run.chip.multiprocessors;
        for l in 0..WARP {
            let thread = first + l as u32;
            out.0[l] = match which {
                Special::LaneId => l as u32,
                Special::WarpId => self.cursor.warp as u32,
                // In one dimension, the usual case, without a division.
                Special::TidX if flat => thread,
                Special::TidX => thread % bx,
                Special::TidY => thread / bx % by,
                Special::TidZ => thread / bx / by,
                Special::Warps => self.run.chip.limits.warps,
                Special::LanesEqual => 1 << l,
                Special::LanesBelow => (1 << l) - 1,
                Special::LanesUpTo => u32::MAX >> (WARP - 1 - l),
                Special::LanesAbove => !(u32::MAX >> (WARP - 1 - l)),
                Special::LanesFrom => u32::MAX << l,
                // Blocks go round the multiprocessors; clocks count the block's warp instructions: both the same in
                // every run.
                Special::Multiprocessor => (self.block.number % u64::from(multiprocessors)) as u32,
                Special::Multiprocessors => multiprocessors,
                Special::Clock => self.clock() as u32,
                Special::ClockHigh => (self.clock() >> 32) as u32,
                Special::Zero => 0,
                Special::One => 1,
                Special::DynamicSharedBytes => {
                    let fixed = self.run.kernel.shared_bytes.next_multiple_of(16);
                    self.run.shared_bytes.saturating_sub(fixed)
                }
                Special::SharedBytes => self.run.shared_bytes,
            };
        }
        out
    }
}
