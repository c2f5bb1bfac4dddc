//! Instructions that only compute: a loop over lanes for each.

use super::Worker;
use crate::lanes::{W, X, lanes};
use crate::program::*;
use crate::semantics::scalar::Kind;
use crate::{WARP, semantics};

impl Worker<'_> {
    #[inline(always)]
    pub(super) fn wi(&self, number: u16) -> usize {
        let n = usize::from(number & !FIXED);
        if number & FIXED != 0 { n } else { self.w_base + n }
    }

    #[inline(always)]
    pub(super) fn xi(&self, number: u16) -> usize {
        let n = usize::from(number & !FIXED);
        if number & FIXED != 0 { n } else { self.x_base + n }
    }

    /// [`Worker::compute`] where it is not worth a copy for each instruction set.
    #[inline(never)]
    pub(super) fn compute_seldom(&mut self, inst: &Inst, mask: u32) {
        self.compute(inst, mask);
    }

    /// Instructions that only compute: a loop over lanes for each.
    #[inline(always)]
    pub(super) fn compute(&mut self, inst: &Inst, mask: u32) {
        macro_rules! w {
            ($n:ident) => {
                self.w[self.wi(inst.$n)].0
            };
        }
        macro_rules! x {
            ($n:ident) => {
                self.x[self.xi(inst.$n)].0
            };
        }
        macro_rules! p {
            ($n:ident) => {
                self.p[self.p_base + usize::from(inst.$n)]
            };
        }
        macro_rules! to_w {
            ($l:ident, $value:expr) => {{
                let mut out = W::ZERO;
                for $l in 0..WARP {
                    out.0[$l] = $value;
                }
                let d = self.wi(inst.d);
                self.w[d].set(&out, mask);
            }};
        }
        macro_rules! to_x {
            ($l:ident, $value:expr) => {{
                let mut out = X::ZERO;
                for $l in 0..WARP {
                    out.0[$l] = $value;
                }
                let d = self.xi(inst.d);
                self.x[d].set(&out, mask);
            }};
        }
        macro_rules! to_p {
            ($bits:expr) => {{
                let bits: u32 = $bits;
                let d = self.p_base + usize::from(inst.d);
                self.p[d] = bits & mask | self.p[d] & !mask;
            }};
        }
        macro_rules! each {
            ($l:ident, $holds:expr) => {{
                let mut bits = 0u32;
                for $l in 0..WARP {
                    bits |= u32::from($holds) << $l;
                }
                bits
            }};
        }
        macro_rules! shape {
            (w_w $f:ident) => {{
                let a = w!(a);
                to_w!(l, semantics::$f(a[l]))
            }};
            (w_ww $f:ident) => {{
                let (a, b) = (w!(a), w!(b));
                to_w!(l, semantics::$f(a[l], b[l]))
            }};
            (w_www $f:ident) => {{
                let (a, b, c) = (w!(a), w!(b), w!(c));
                to_w!(l, semantics::$f(a[l], b[l], c[l]))
            }};
            (w_wwwi $f:ident) => {{
                let (a, b, c, i) = (w!(a), w!(b), w!(c), inst.imm as u32);
                to_w!(l, semantics::$f(a[l], b[l], c[l], i))
            }};
            (x_x $f:ident) => {{
                let a = x!(a);
                to_x!(l, semantics::$f(a[l]))
            }};
            (x_xx $f:ident) => {{
                let (a, b) = (x!(a), x!(b));
                to_x!(l, semantics::$f(a[l], b[l]))
            }};
            (x_xxx $f:ident) => {{
                let (a, b, c) = (x!(a), x!(b), x!(c));
                to_x!(l, semantics::$f(a[l], b[l], c[l]))
            }};
            (x_xw $f:ident) => {{
                let (a, b) = (x!(a), w!(b));
                to_x!(l, semantics::$f(a[l], b[l]))
            }};
            (x_w $f:ident) => {{
                let a = w!(a);
                to_x!(l, semantics::$f(a[l]))
            }};
            (w_x $f:ident) => {{
                let a = x!(a);
                to_w!(l, semantics::$f(a[l]))
            }};
            (x_ww $f:ident) => {{
                let (a, b) = (w!(a), w!(b));
                to_x!(l, semantics::$f(a[l], b[l]))
            }};
            (x_wwx $f:ident) => {{
                let (a, b, c) = (w!(a), w!(b), x!(c));
                to_x!(l, semantics::$f(a[l], b[l], c[l]))
            }};
            (w_wwp $f:ident) => {{
                let (a, b, p) = (w!(a), w!(b), p!(c));
                to_w!(l, semantics::$f(a[l], b[l], p >> l & 1 != 0))
            }};
            (x_xxp $f:ident) => {{
                let (a, b, p) = (x!(a), x!(b), p!(c));
                to_x!(l, semantics::$f(a[l], b[l], p >> l & 1 != 0))
            }};
            (p_ww $f:ident) => {{
                let (a, b) = (w!(a), w!(b));
                to_p!(each!(l, semantics::$f(a[l], b[l])))
            }};
            (p_xx $f:ident) => {{
                let (a, b) = (x!(a), x!(b));
                to_p!(each!(l, semantics::$f(a[l], b[l])))
            }};
            (p_p $f:ident) => {
                to_p!(semantics::$f(p!(a)))
            };
            (p_pp $f:ident) => {
                to_p!(semantics::$f(p!(a), p!(b)))
            };
        }
        macro_rules! dispatch {
            ($($name:ident $shape:ident $meaning:ident [$($mnemonic:literal),+],)+) => {
                match inst.op {
                    $(Op::$name => shape!($shape $meaning),)+
                    Op::Special => self.special(inst, mask),
                    Op::SpecialX => self.special_wide(inst, mask),
                    Op::Scalar => self.scalar(inst, mask),
                    Op::LocalAddress => self.local_address(inst, mask),
                    _ => {}
                }
            };
        }
        alu!(dispatch);
    }

    #[inline(never)]
    fn special(&mut self, inst: &Inst, mask: u32) {
        let out = self.special_values(inst);
        let d = self.wi(inst.d);
        self.w[d].set(&out, mask);
    }

    #[inline(never)]
    fn special_wide(&mut self, inst: &Inst, mask: u32) {
        let mut out = self.special_values(inst).widened();
        if Special::ALL[usize::from(inst.a)] == Special::Clock {
            out = X([self.spent; WARP]);
        }
        let d = self.xi(inst.d);
        self.x[d].set(&out, mask);
    }

    #[inline(always)]
    fn special_values(&self, inst: &Inst) -> W {
        let first = (self.warp * WARP) as u32;
        let mut out = W::ZERO;
        let [bx, by, _] = self.run.block;
        let which = Special::ALL[usize::from(inst.a)];
        let flat = bx as usize >= self.warps.len() * WARP;
        let multiprocessors = self.run.chip.multiprocessors;
        for l in 0..WARP {
            let thread = first + l as u32;
            out.0[l] = match which {
                Special::LaneId => l as u32,
                Special::WarpId => self.warp as u32,
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
                Special::Multiprocessor => (self.block % u64::from(multiprocessors)) as u32,
                Special::Multiprocessors => multiprocessors,
                Special::Clock => self.spent as u32,
                Special::ClockHigh => (self.spent >> 32) as u32,
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

    /// A pure function, lane by lane.
    #[inline(never)]
    fn scalar(&mut self, inst: &Inst, mask: u32) {
        let ScalarUse { scalar, sources } = &self.run.kernel.scalars[inst.imm as usize];
        let mut operands = [X::ZERO; 4];
        for ((operand, number), kind) in operands.iter_mut().zip(sources).zip(scalar.sources) {
            let register = *number as u16;
            *operand = match kind {
                Kind::W => self.w[self.wi(register)].widened(),
                Kind::X => self.x[self.xi(register)],
                Kind::P => {
                    let bits = self.p[self.p_base + usize::from(register)];
                    X(std::array::from_fn(|l| u64::from(bits >> l & 1)))
                }
                Kind::Immediate => X([u64::from(*number); WARP]),
            };
        }
        let mut out = X::ZERO;
        let [a, b, c, d] = &operands;
        for l in lanes(mask) {
            out.0[l] = (scalar.compute)(scalar.mode, [a.0[l], b.0[l], c.0[l], d.0[l]]);
        }
        match scalar.result {
            Kind::X => {
                let d = self.xi(inst.d);
                self.x[d].set(&out, mask);
            }
            Kind::P => {
                let bits = lanes(mask).fold(0, |bits, l| bits | ((out.0[l] & 1) as u32) << l);
                let d = &mut self.p[self.p_base + usize::from(inst.d)];
                *d = bits & mask | *d & !mask;
            }
            _ => {
                let d = self.wi(inst.d);
                self.w[d].set(&out.narrowed(), mask);
            }
        }
    }

    #[inline(never)]
    fn local_address(&mut self, inst: &Inst, mask: u32) {
        let address = self.local_base.wrapping_add_signed(inst.imm);
        if inst.a != 0 {
            let d = self.xi(inst.d);
            self.x[d].set(&X([u64::from(address); WARP]), mask);
        } else {
            let d = self.wi(inst.d);
            self.w[d].set(&W([address; WARP]), mask);
        }
    }
}
