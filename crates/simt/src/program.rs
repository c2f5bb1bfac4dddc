//! A kernel in the form it runs in: compact instructions in basic blocks, over a dense register file.
//!
//! Registers lie in three files: `W`, 32 lanes of 32 bits; `X`, 32 lanes of 64 bits; `P`, one bit a lane. A register
//! number with [`FIXED`] set is one whose value is the same for all warps of a block (an immediate, a parameter, an
//! address, whatever is computed from these alone); it is written once a launch or once a block, not once a warp.

use crate::WARP;
use crate::error::Place;
use crate::model::access::shared_has;
use crate::model::chain::Chain;
use crate::model::issue::Issue;
use crate::semantics::atomic::{Operation, Update};
use crate::semantics::matrix::{Product, Quads};
use crate::semantics::scalar::{Kind, Scalar};
use std::collections::HashMap;

/// Set in the number of a register that all warps of a block share.
pub(crate) const FIXED: u16 = 0x8000;
/// No register.
pub(crate) const NONE: u16 = 0x7fff;
/// No basic block.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Every instruction that computes without memory, once: operation, shape (files of result and operands), meaning,
/// and the PTX mnemonics it is the meaning of.
macro_rules! alu {
    ($use:ident) => {
        $use! {
            MovW w_w mov_b32 ["mov.b32", "mov.u32", "mov.s32", "mov.f32"],
            AddW w_ww add_b32 ["add.u32", "add.s32"],
            SubW w_ww sub_b32 ["sub.u32", "sub.s32"],
            MulLoW w_ww mul_lo_b32 ["mul.lo.u32", "mul.lo.s32"],
            MulHiU32 w_ww mul_hi_u32 ["mul.hi.u32"],
            MulHiS32 w_ww mul_hi_s32 ["mul.hi.s32"],
            MadLoW w_www mad_lo_b32 ["mad.lo.u32", "mad.lo.s32"],
            NegW w_w neg_b32 ["neg.s32"],
            AbsS32 w_w abs_s32 ["abs.s32"],
            MinU32 w_ww min_u32 ["min.u32"],
            MaxU32 w_ww max_u32 ["max.u32"],
            MinS32 w_ww min_s32 ["min.s32"],
            MaxS32 w_ww max_s32 ["max.s32"],
            DivU32 w_ww div_u32 ["div.u32"],
            DivS32 w_ww div_s32 ["div.s32"],
            RemU32 w_ww rem_u32 ["rem.u32"],
            RemS32 w_ww rem_s32 ["rem.s32"],
            AndW w_ww and_b32 ["and.b32"],
            OrW w_ww or_b32 ["or.b32"],
            XorW w_ww xor_b32 ["xor.b32"],
            NotW w_w not_b32 ["not.b32"],
            ShlW w_ww shl_b32 ["shl.b32"],
            ShrU32 w_ww shr_u32 ["shr.u32", "shr.b32"],
            ShrS32 w_ww shr_s32 ["shr.s32"],
            PopcW w_w popc_b32 ["popc.b32"],
            ClzW w_w clz_b32 ["clz.b32"],
            BrevW w_w brev_b32 ["brev.b32"],
            Lop3W w_wwwi lop3_b32 ["lop3.b32"],

            MovX x_x mov_b64 ["mov.b64", "mov.u64", "mov.s64", "mov.f64", "cvta.to.global.u64", "cvt.u64.u64", "cvt.s64.s64"],
            AddX x_xx add_b64 ["add.u64", "add.s64"],
            SubX x_xx sub_b64 ["sub.u64", "sub.s64"],
            MulLoX x_xx mul_lo_b64 ["mul.lo.u64", "mul.lo.s64"],
            MadLoX x_xxx mad_lo_b64 ["mad.lo.u64", "mad.lo.s64"],
            NegX x_x neg_b64 ["neg.s64"],
            MinU64 x_xx min_u64 ["min.u64"],
            MaxU64 x_xx max_u64 ["max.u64"],
            MinS64 x_xx min_s64 ["min.s64"],
            MaxS64 x_xx max_s64 ["max.s64"],
            AndX x_xx and_b64 ["and.b64"],
            OrX x_xx or_b64 ["or.b64"],
            XorX x_xx xor_b64 ["xor.b64"],
            NotX x_x not_b64 ["not.b64"],
            ShlX x_xw shl_b64 ["shl.b64"],
            ShrU64 x_xw shr_u64 ["shr.u64", "shr.b64"],
            ShrS64 x_xw shr_s64 ["shr.s64"],

            MulWideU32 x_ww mul_wide_u32 ["mul.wide.u32"],
            MulWideS32 x_ww mul_wide_s32 ["mul.wide.s32"],
            MadWideU32 x_wwx mad_wide_u32 ["mad.wide.u32"],
            MadWideS32 x_wwx mad_wide_s32 ["mad.wide.s32"],
            ZeroExtend32 x_w zero_extend_32 ["cvt.u64.u32", "cvt.s64.u32"],
            SignExtend32 x_w sign_extend_32 ["cvt.s64.s32", "cvt.u64.s32"],
            Truncate64 w_x truncate_64 ["cvt.u32.u64", "cvt.s32.s64", "cvt.u32.s64", "cvt.s32.u64"],
            HighX w_x high_64 ["high.b64"],
            PackX x_ww pack_64 ["pack.b64"],
            ZeroExtend16 w_w zero_extend_16 ["cvt.u32.u16", "cvt.s32.u16", "cvt.u16.u32", "cvt.u16.s32"],
            SignExtend16 w_w sign_extend_16 ["cvt.s32.s16", "cvt.u32.s16"],
            ZeroExtend8 w_w zero_extend_8 ["cvt.u32.u8", "cvt.s32.u8"],
            SignExtend8 w_w sign_extend_8 ["cvt.s32.s8", "cvt.u32.s8"],

            AddF32 w_ww add_f32 ["add.f32", "add.rn.f32"],
            SubF32 w_ww sub_f32 ["sub.f32", "sub.rn.f32"],
            MulF32 w_ww mul_f32 ["mul.f32", "mul.rn.f32"],
            FmaF32 w_www fma_f32 ["fma.rn.f32"],
            DivF32 w_ww div_f32 ["div.rn.f32", "div.full.f32"],
            RcpF32 w_w rcp_f32 ["rcp.rn.f32", "rcp.approx.f32"],
            SqrtF32 w_w sqrt_f32 ["sqrt.rn.f32", "sqrt.approx.f32"],
            NegF32 w_w neg_f32 ["neg.f32"],
            AbsF32 w_w abs_f32 ["abs.f32"],
            MinF32 w_ww min_f32 ["min.f32"],
            MaxF32 w_ww max_f32 ["max.f32"],
            RsqrtF32 w_w rsqrt_f32 ["rsqrt.approx.f32"],
            AddFtzF32 w_ww add_ftz_f32 ["add.ftz.f32", "add.rn.ftz.f32"],
            SubFtzF32 w_ww sub_ftz_f32 ["sub.ftz.f32", "sub.rn.ftz.f32"],
            MulFtzF32 w_ww mul_ftz_f32 ["mul.ftz.f32", "mul.rn.ftz.f32"],
            FmaFtzF32 w_www fma_ftz_f32 ["fma.rn.ftz.f32"],
            RcpFtzF32 w_w rcp_ftz_f32 ["rcp.approx.ftz.f32"],
            SqrtFtzF32 w_w sqrt_ftz_f32 ["sqrt.approx.ftz.f32"],
            RsqrtFtzF32 w_w rsqrt_ftz_f32 ["rsqrt.approx.ftz.f32"],
            S32FromF32 w_w s32_from_f32 ["cvt.rzi.s32.f32", "cvt.rzi.ftz.s32.f32"],
            U32FromF32 w_w u32_from_f32 ["cvt.rzi.u32.f32", "cvt.rzi.ftz.u32.f32"],
            ShfLWrap w_www shf_l_wrap ["shf.l.wrap.b32"],
            ShfRWrap w_www shf_r_wrap ["shf.r.wrap.b32"],
            AddF64 x_xx add_f64 ["add.f64", "add.rn.f64"],
            SubF64 x_xx sub_f64 ["sub.f64", "sub.rn.f64"],
            MulF64 x_xx mul_f64 ["mul.f64", "mul.rn.f64"],
            FmaF64 x_xxx fma_f64 ["fma.rn.f64"],
            DivF64 x_xx div_f64 ["div.rn.f64"],
            SqrtF64 x_x sqrt_f64 ["sqrt.rn.f64"],
            NegF64 x_x neg_f64 ["neg.f64"],
            AbsF64 x_x abs_f64 ["abs.f64"],
            F64FromF32 x_w f64_from_f32 ["cvt.f64.f32"],
            F32FromF64 w_x f32_from_f64 ["cvt.rn.f32.f64"],
            F64FromS32 x_w f64_from_s32 ["cvt.rn.f64.s32"],
            F64FromU32 x_w f64_from_u32 ["cvt.rn.f64.u32"],
            F32FromS32 w_w f32_from_s32 ["cvt.rn.f32.s32"],
            F32FromU32 w_w f32_from_u32 ["cvt.rn.f32.u32"],

            SelpW w_wwp selp ["selp.b32", "selp.u32", "selp.s32", "selp.f32"],
            SelpX x_xxp selp ["selp.b64", "selp.u64", "selp.s64", "selp.f64"],

            EqW p_ww eq_b32 ["setp.eq.u32", "setp.eq.s32", "setp.eq.b32"],
            NeW p_ww ne_b32 ["setp.ne.u32", "setp.ne.s32", "setp.ne.b32"],
            LtU32 p_ww lt_u32 ["setp.lt.u32", "setp.lo.u32"],
            LeU32 p_ww le_u32 ["setp.le.u32", "setp.ls.u32"],
            GtU32 p_ww gt_u32 ["setp.gt.u32", "setp.hi.u32"],
            GeU32 p_ww ge_u32 ["setp.ge.u32", "setp.hs.u32"],
            LtS32 p_ww lt_s32 ["setp.lt.s32"],
            LeS32 p_ww le_s32 ["setp.le.s32"],
            GtS32 p_ww gt_s32 ["setp.gt.s32"],
            GeS32 p_ww ge_s32 ["setp.ge.s32"],
            EqX p_xx eq_b64 ["setp.eq.u64", "setp.eq.s64", "setp.eq.b64"],
            NeX p_xx ne_b64 ["setp.ne.u64", "setp.ne.s64", "setp.ne.b64"],
            LtU64 p_xx lt_u64 ["setp.lt.u64"],
            LeU64 p_xx le_u64 ["setp.le.u64"],
            GtU64 p_xx gt_u64 ["setp.gt.u64"],
            GeU64 p_xx ge_u64 ["setp.ge.u64"],
            LtS64 p_xx lt_s64 ["setp.lt.s64"],
            LeS64 p_xx le_s64 ["setp.le.s64"],
            GtS64 p_xx gt_s64 ["setp.gt.s64"],
            GeS64 p_xx ge_s64 ["setp.ge.s64"],
            EqF32 p_ww eq_f32 ["setp.eq.f32"],
            NeF32 p_ww ne_f32 ["setp.ne.f32"],
            LtF32 p_ww lt_f32 ["setp.lt.f32"],
            LeF32 p_ww le_f32 ["setp.le.f32"],
            GtF32 p_ww gt_f32 ["setp.gt.f32"],
            GeF32 p_ww ge_f32 ["setp.ge.f32"],
            EquF32 p_ww equ_f32 ["setp.equ.f32"],
            NeuF32 p_ww neu_f32 ["setp.neu.f32"],
            LtuF32 p_ww ltu_f32 ["setp.ltu.f32"],
            LeuF32 p_ww leu_f32 ["setp.leu.f32"],
            GtuF32 p_ww gtu_f32 ["setp.gtu.f32"],
            GeuF32 p_ww geu_f32 ["setp.geu.f32"],

            EqF64 p_xx eq_f64 ["setp.eq.f64"],
            NeF64 p_xx ne_f64 ["setp.ne.f64"],
            LtF64 p_xx lt_f64 ["setp.lt.f64"],
            LeF64 p_xx le_f64 ["setp.le.f64"],
            GtF64 p_xx gt_f64 ["setp.gt.f64"],
            GeF64 p_xx ge_f64 ["setp.ge.f64"],
            EquF64 p_xx equ_f64 ["setp.equ.f64"],
            NeuF64 p_xx neu_f64 ["setp.neu.f64"],
            LtuF64 p_xx ltu_f64 ["setp.ltu.f64"],
            LeuF64 p_xx leu_f64 ["setp.leu.f64"],
            GtuF64 p_xx gtu_f64 ["setp.gtu.f64"],
            GeuF64 p_xx geu_f64 ["setp.geu.f64"],

            MovP p_p mov_pred ["mov.pred"],
            NotP p_p not_pred ["not.pred"],
            AndP p_pp and_b32 ["and.pred"],
            OrP p_pp or_b32 ["or.pred"],
            XorP p_pp xor_b32 ["xor.pred"],
        }
    };
}
pub(crate) use alu;

macro_rules! define {
    ($($name:ident $shape:ident $meaning:ident [$($mnemonic:literal),+],)+) => {
        /// What a compact instruction does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Op {
            $($name,)+
            /// A special register that differs between lanes or warps; `a` says which. Into `W`, and into `X`.
            Special,
            SpecialX,
            /// A pure function of one lane: `imm` is the [`ScalarUse`].
            Scalar,
            /// Where this frame's local memory begins, and `imm` bytes more.
            LocalAddress,
            /// Two loads from shared memory and the `fma` of what they load or of its difference, which nothing else
            /// reads; `imm` is the place in [`Kernel::fused`]. The second load and the rest follow.
            FmaShared,
            /// Loads and stores; `b` is the [`Access`].
            LoadGlobal,
            StoreGlobal,
            LoadShared,
            StoreShared,
            LoadConstant,
            LoadLocal,
            StoreLocal,
            /// Of an address in any state space.
            LoadGeneric,
            StoreGeneric,
            /// Of the kernel's parameters, by an address that a register holds.
            LoadParameter,
            /// `b` is the [`Access`], `imm`'s counterpart `c` the [`AtomicUse`].
            Atomic,
            /// Global memory to shared memory; `b` is the [`Access`] of the source, `c` the [`CopyUse`].
            CopyAsync,
            /// On an object at which threads and copies meet; `b` is the [`Access`], `c` the [`MbarrierUse`].
            Mbarrier,
            /// A copy of many bytes, of each lane for itself; `b` is the [`Access`] of shared memory, `c` the [`BulkUse`].
            Bulk,
            /// Lanes look at each other; `b` is the [`ExchangeUse`].
            Exchange,
            /// Earlier accesses are seen by others before later ones.
            Fence,
            /// A function of the system; `b` is the [`BuiltinUse`].
            Builtin,
            /// Matrices of 8 by 8 halves from shared memory into a warp's registers, and back; `b` is the [`Access`] of a
            /// row, `c` the [`MatrixUse`].
            LoadMatrix,
            StoreMatrix,
            /// What a warp computes of the matrices in its registers; `c` is the [`MatrixUse`].
            Matrix,
        }

        /// The files of an operation's result and operands, such as `w_ww`.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Shape { w_w, w_ww, w_www, w_wwwi, x_x, x_xx, x_xxx, x_xw, x_w, w_x, x_ww, x_wwx, w_wwp, x_xxp, p_ww, p_xx, p_p, p_pp }

        /// The operation that a mnemonic names, if it is one that only computes.
        pub(crate) fn alu_op(mnemonic: &str) -> Option<(Op, Shape)> {
            match mnemonic {
                $($($mnemonic)|+ => Some((Op::$name, Shape::$shape)),)+
                _ => None,
            }
        }

        /// The shape of an operation of the table.
        pub(crate) fn table_shape(op: Op) -> Option<Shape> {
            match op {
                $(Op::$name => Some(Shape::$shape),)+
                _ => None,
            }
        }
    };
}
alu!(define);

impl Op {
    /// Whether it loads, stores or both, and has an [`Access`].
    pub(crate) fn accesses_memory(self) -> bool {
        matches!(
            self,
            Op::LoadGlobal
                | Op::LoadShared
                | Op::LoadConstant
                | Op::LoadLocal
                | Op::LoadGeneric
                | Op::LoadParameter
                | Op::StoreGlobal
                | Op::StoreShared
                | Op::StoreLocal
                | Op::StoreGeneric
                | Op::CopyAsync
                | Op::Atomic
                | Op::Mbarrier
                | Op::Bulk
                | Op::LoadMatrix
                | Op::StoreMatrix
        )
    }
}

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum File {
    W,
    X,
    P,
}

impl Shape {
    /// Files of the result and of the operands.
    pub(crate) fn files(self) -> (File, &'static [File]) {
        use File::{P, W, X};
        match self {
            Shape::w_w => (W, &[W]),
            Shape::w_ww => (W, &[W, W]),
            Shape::w_www | Shape::w_wwwi => (W, &[W, W, W]),
            Shape::x_x => (X, &[X]),
            Shape::x_xx => (X, &[X, X]),
            Shape::x_xxx => (X, &[X, X, X]),
            Shape::x_xw => (X, &[X, W]),
            Shape::x_w => (X, &[W]),
            Shape::w_x => (W, &[X]),
            Shape::x_ww => (X, &[W, W]),
            Shape::x_wwx => (X, &[W, W, X]),
            Shape::w_wwp => (W, &[W, W, P]),
            Shape::x_xxp => (X, &[X, X, P]),
            Shape::p_ww => (P, &[W, W]),
            Shape::p_xx => (P, &[X, X]),
            Shape::p_p => (P, &[P]),
            Shape::p_pp => (P, &[P, P]),
        }
    }
}

/// A compact instruction: 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    /// The guard is negated.
    pub(crate) negated: bool,
    /// Guard register in `P`, or [`NONE`].
    pub(crate) guard: u16,
    pub(crate) d: u16,
    pub(crate) a: u16,
    pub(crate) b: u16,
    pub(crate) c: u16,
    /// An immediate, or an address's offset.
    pub(crate) imm: i32,
}

impl Inst {
    /// With nothing but its operation.
    pub(crate) fn new(op: Op) -> Self {
        Inst { op, negated: false, guard: NONE, d: 0, a: 0, b: 0, c: 0, imm: 0 }
    }
}

/// Special registers that differ between the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    TidX,
    TidY,
    TidZ,
    LaneId,
    WarpId,
    Warps,
    LanesEqual,
    LanesBelow,
    LanesUpTo,
    LanesAbove,
    LanesFrom,
    Multiprocessor,
    Multiprocessors,
    Clock,
    ClockHigh,
    Zero,
    One,
    DynamicSharedBytes,
    SharedBytes,
}

impl Special {
    pub(crate) const ALL: [Special; 19] = [
        Special::TidX,
        Special::TidY,
        Special::TidZ,
        Special::LaneId,
        Special::WarpId,
        Special::Warps,
        Special::LanesEqual,
        Special::LanesBelow,
        Special::LanesUpTo,
        Special::LanesAbove,
        Special::LanesFrom,
        Special::Multiprocessor,
        Special::Multiprocessors,
        Special::Clock,
        Special::ClockHigh,
        Special::Zero,
        Special::One,
        Special::DynamicSharedBytes,
        Special::SharedBytes,
    ];
}

impl Kernel {
    /// The registers that an instruction reads, besides its guard.
    pub(crate) fn operands(&self, inst: &Inst, mut each: impl FnMut(File, u16)) {
        let file = |wide| if wide { File::X } else { File::W };
        if inst.op.accesses_memory() {
            let access = &self.accesses[usize::from(inst.b)];
            each(file(access.wide_address), inst.a);
            let values = match inst.op {
                Op::StoreGlobal | Op::StoreShared | Op::StoreLocal | Op::StoreGeneric => access.count,
                Op::Atomic => self.atomics[usize::from(inst.c)].update.operands() as u8 * access.count,
                Op::Bulk if self.bulks[usize::from(inst.c)].bulk == Bulk::RegistersToShared => access.count,
                _ => 0,
            };
            for n in 0..usize::from(values) {
                each(file(access.wide[n]), access.registers[n]);
            }
            if inst.op == Op::CopyAsync {
                let copy = &self.copies[usize::from(inst.c)];
                each(file(copy.wide), copy.to);
                each(File::W, copy.source_bytes);
                each(File::P, copy.ignore);
            }
            if inst.op == Op::Mbarrier {
                let of = &self.mbarriers[usize::from(inst.c)];
                each(File::W, of.count);
                each(File::W, of.bytes);
                each(File::X, of.state);
            }
            if inst.op == Op::Bulk {
                let of = &self.bulks[usize::from(inst.c)];
                for place in [of.to, of.from].into_iter().chain(of.mbarrier) {
                    each(file(place.wide), place.register);
                }
                each(File::W, of.bytes);
                each(File::W, of.blocks);
            }
            if inst.op == Op::StoreMatrix {
                self.matrices[usize::from(inst.c)].operands(each);
            }
            return;
        }
        match inst.op {
            Op::Matrix => self.matrices[usize::from(inst.c)].operands(each),
            Op::Scalar => {
                let of = &self.scalars[inst.imm as usize];
                for (number, kind) in of.sources.iter().zip(of.scalar.sources) {
                    match kind {
                        Kind::W => each(File::W, *number as u16),
                        Kind::X => each(File::X, *number as u16),
                        Kind::P => each(File::P, *number as u16),
                        Kind::Immediate => {}
                    }
                }
            }
            Op::Exchange => {
                let of = &self.exchanges[usize::from(inst.b)];
                let votes = matches!(
                    of.exchange,
                    Exchange::VoteAll | Exchange::VoteAny | Exchange::VoteUniform | Exchange::Ballot
                );
                each(if votes { File::P } else { file(of.wide) }, of.a);
                for number in [of.b, of.c, of.members] {
                    each(File::W, number);
                }
            }
            op => {
                if let Some(shape) = table_shape(op) {
                    for (file, number) in shape.files().1.iter().zip([inst.a, inst.b, inst.c]) {
                        each(*file, number);
                    }
                }
            }
        }
    }

    /// The registers that an instruction writes.
    pub(crate) fn results(&self, inst: &Inst, mut each: impl FnMut(File, u16)) {
        let file = |wide| if wide { File::X } else { File::W };
        match inst.op {
            Op::LoadGlobal
            | Op::LoadShared
            | Op::LoadConstant
            | Op::LoadLocal
            | Op::LoadGeneric
            | Op::LoadParameter => {
                let access = &self.accesses[usize::from(inst.b)];
                for n in 0..usize::from(access.count) {
                    each(file(access.wide[n]), access.registers[n]);
                }
            }
            Op::Atomic => {
                let of = &self.atomics[usize::from(inst.c)];
                each(file(of.wide), of.d);
                each(File::X, of.high);
            }
            Op::Mbarrier => {
                let of = &self.mbarriers[usize::from(inst.c)];
                each(if matches!(of.does, Mbarrier::Wait { .. }) { File::P } else { File::X }, of.d);
            }
            Op::Scalar => each(
                match self.scalars[inst.imm as usize].scalar.result {
                    Kind::X => File::X,
                    Kind::P => File::P,
                    _ => File::W,
                },
                inst.d,
            ),
            Op::Exchange => {
                let of = &self.exchanges[usize::from(inst.b)];
                each(File::W, of.d);
                each(File::P, of.p);
            }
            Op::LoadMatrix | Op::Matrix => {
                let of = &self.matrices[usize::from(inst.c)];
                of.d.iter().for_each(|d| each(file(of.wide), *d));
            }
            Op::SpecialX => each(File::X, inst.d),
            Op::LocalAddress => each(file(inst.a != 0), inst.d),
            Op::StoreGlobal
            | Op::StoreShared
            | Op::StoreLocal
            | Op::StoreGeneric
            | Op::CopyAsync
            | Op::Bulk
            | Op::StoreMatrix
            | Op::Fence
            | Op::FmaShared
            | Op::Builtin => {}
            Op::Special => each(File::W, inst.d),
            op => {
                if let Some(shape) = table_shape(op) {
                    each(shape.files().0, inst.d);
                }
            }
        }
    }

    /// Finds accesses of a basic block whose addresses differ by their offsets alone.
    pub(crate) fn group_accesses(&mut self) {
        for n in 0..self.accesses.len() {
            self.accesses[n].leader = n as u16;
        }
        for block in &self.blocks {
            let mut leaders: Vec<(Op, File, u16, u8, u16)> = vec![];
            for inst in &self.code[block.start as usize..block.end as usize] {
                let grouped = matches!(
                    inst.op,
                    Op::LoadShared | Op::StoreShared | Op::LoadGlobal | Op::StoreGlobal | Op::LoadConstant
                );
                if grouped && inst.guard == NONE {
                    let access = &self.accesses[usize::from(inst.b)];
                    let file = if access.wide_address { File::X } else { File::W };
                    let same = leaders.iter().find(|(op, f, a, shift, _)| {
                        (*op, *f, *a, *shift) == (inst.op, file, inst.a, access.shift)
                    });
                    match same {
                        Some((.., leader)) => self.accesses[usize::from(inst.b)].leader = *leader,
                        None => leaders.push((inst.op, file, inst.a, access.shift, inst.b)),
                    }
                }
                self.results(inst, |file, d| leaders.retain(|(_, f, a, ..)| (*f, *a) != (file, d)));
            }
        }
    }
}

impl Kernel {
    /// Finds pairs of loads from shared memory that feed one `fma` alone, as in every product of tiles.
    pub(crate) fn fuse(&mut self) {
        for f in 0..self.functions.len() {
            let first = self.functions[f].entry as usize;
            let end = self.functions.get(f + 1).map_or(self.blocks.len(), |next| next.entry as usize);
            let reads = self.reads_of(first..end, usize::from(self.functions[f].w));
            for b in first..end {
                let Block { start, end, .. } = self.blocks[b];
                let mut n = start as usize;
                let first = self.fused.len();
                while n + 2 < end as usize {
                    let Some(fusion) = self.fuses(n, end as usize, &reads) else {
                        n += 1;
                        continue;
                    };
                    let op = Inst { imm: self.fused.len() as i32, ..Inst::new(Op::FmaShared) };
                    let load = std::mem::replace(&mut self.code[n], op);
                    let offsets = [load.imm, self.code[n + 1].imm].map(|imm| [imm; 2]);
                    self.fused.push(Fused { fusion, load, at: n as u32, groups: 1, offsets });
                    n += fusion.length();
                }
                // From each group on, those that follow on its heels and read through the same registers.
                for n in (first + 1..self.fused.len()).rev() {
                    let next = self.fused[n];
                    let before = &self.fused[n - 1];
                    let leaders = |fused: &Fused| {
                        let second = &self.code[fused.at as usize + 1];
                        [&fused.load, second].map(|load| (self.accesses[usize::from(load.b)].leader, load.b))
                    };
                    let same = leaders(before)
                        .iter()
                        .zip(leaders(&next))
                        .all(|((was, _), (is, number))| *was == is && is != number);
                    let adjacent = next.at as usize == before.at as usize + before.fusion.length();
                    if adjacent && same && next.fusion == before.fusion {
                        let before = &mut self.fused[n - 1];
                        before.groups += next.groups;
                        for ([low, high], [next_low, next_high]) in
                            before.offsets.iter_mut().zip(next.offsets)
                        {
                            (*low, *high) = ((*low).min(next_low), (*high).max(next_high));
                        }
                    }
                }
            }
        }
    }

    /// How often each register of a function in `W` is named, but for results.
    pub(crate) fn reads_of(&self, blocks: std::ops::Range<usize>, registers: usize) -> Vec<u32> {
        let mut reads = vec![0; registers];
        let mut count = |file: File, number: u16| {
            if file == File::W
                && let Some(n) = reads.get_mut(usize::from(number))
            {
                *n += 1;
            }
        };
        let slot = |slot: &Slot| if let Slot::W(number) = slot { Some(*number) } else { None };
        for block in &self.blocks[blocks] {
            for inst in &self.code[block.start as usize..block.end as usize] {
                self.operands(inst, &mut count);
            }
            count(File::W, block.members);
            match block.exit {
                End::Switch { index, .. } => count(File::W, index),
                End::Barrier { barrier, .. } => {
                    let barrier = &self.barriers[barrier as usize];
                    count(File::W, barrier.id);
                    count(File::W, barrier.threads);
                }
                End::Call { call, .. } => {
                    for transfer in &self.calls[call as usize].arguments {
                        if let Some(number) = slot(&transfer.from) {
                            count(File::W, number);
                        }
                    }
                }
                // Register results of a function are read by its callers.
                End::Return => {
                    for call in &self.calls {
                        for transfer in &call.returns {
                            if let Some(number) = slot(&transfer.from) {
                                count(File::W, number);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        reads
    }

    fn fuses(&self, n: usize, end: usize, reads: &[u32]) -> Option<Fusion> {
        let [first, second, third] = [self.code[n], self.code[n + 1], self.code[n + 2]];
        let once = |number: u16| reads.get(usize::from(number)) == Some(&1);
        let loaded = |inst: &Inst| {
            let access = self.accesses.get(usize::from(inst.b))?;
            let plain = inst.op == Op::LoadShared
                && inst.guard == NONE
                && access.words
                && access.count == 1
                && !access.strong
                && once(access.registers[0]);
            plain.then_some(access.registers[0])
        };
        let (a, b) = (loaded(&first)?, loaded(&second)?);
        // The second address must not be what the first load gives.
        if a == b || third.guard != NONE {
            return None;
        }
        let factors = (third.a, third.b);
        let straight = factors == (a, b);
        if !straight && factors != (b, a) {
            return None;
        }
        match third.op {
            Op::FmaF32 if third.c != a && third.c != b => Some(Fusion::Product),
            Op::SubF32 if n + 3 < end => {
                let (difference, fma) = (third.d, self.code[n + 3]);
                let factor = if fma.a == difference { fma.b } else { fma.a };
                let others = [a, b, difference];
                let fits = fma.op == Op::FmaF32
                    && fma.guard == NONE
                    && (fma.a == difference || fma.b == difference)
                    && !others.contains(&factor)
                    && !others.contains(&fma.c)
                    && once(difference);
                fits.then_some(Fusion::Difference { reverse: !straight })
            }
            _ => None,
        }
    }
}

/// What becomes of the words that two loads give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fusion {
    /// A sum's next product, as in a product of tiles.
    Product,
    /// The difference of the two, either way round, is multiplied and added to a sum, as in a stencil.
    Difference { reverse: bool },
}

impl Fusion {
    /// Instructions: the loads and what follows.
    pub(crate) fn length(self) -> usize {
        if self == Fusion::Product { 3 } else { 4 }
    }
}

/// Two loads of a word from shared memory and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fused {
    pub(crate) fusion: Fusion,
    /// The first load; the second one and the rest are in the code.
    pub(crate) load: Inst,
    /// Its place in [`Kernel::code`].
    pub(crate) at: u32,
    /// How many groups from this one on follow on each other's heels, the loads of each through the same registers.
    pub(crate) groups: u32,
    /// The lowest and the highest offset of their first loads, and of their second ones.
    pub(crate) offsets: [[i32; 2]; 2],
}

/// How a load or store accesses memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Access {
    /// Bytes an element: 1, 2, 4 or 8.
    pub(crate) bytes: u8,
    /// Elements: 1, 2 or 4.
    pub(crate) count: u8,
    /// Logarithm to base 2 of the bytes a lane.
    pub(crate) shift: u8,
    /// Whether it moves 32-bit words to or from `W` alone.
    pub(crate) words: bool,
    /// Whether a narrow element is extended by its sign.
    pub(crate) signed: bool,
    /// Whether the address is in `X` (else in `W`).
    pub(crate) wide_address: bool,
    /// The first access of its basic block, of the same kind and width, through the same register with the same value.
    pub(crate) leader: u16,
    /// Whether others may be waiting for it: volatile, relaxed, acquire, release.
    pub(crate) strong: bool,
    /// Whether it is of a function's parameters, which are in local memory here and in registers on the hardware.
    pub(crate) parameter: bool,
    /// Results or sources; [`NONE`] for `_`.
    pub(crate) registers: [u16; 4],
    /// Whether each is in `X` (else in `W`).
    pub(crate) wide: [bool; 4],
}

impl Access {
    /// Bytes a lane.
    pub(crate) fn width(&self) -> u32 {
        u32::from(self.bytes) * u32::from(self.count)
    }
}

/// A value that is there before the first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fixed {
    /// A number.
    Immediate(u64),
    /// Bytes of the parameters.
    Parameter {
        offset: u32,
        bytes: u8,
        signed: bool,
    },
    /// Bytes of constant memory at an address known when decoding.
    Constant {
        offset: u32,
        bytes: u8,
        signed: bool,
    },
    /// `%ntid`, `%nctaid`: axis 0 to 2.
    BlockSize(u8),
    GridSize(u8),
    /// `%cluster_nctaid`, `%nclusterid`: axis 0 to 2.
    ClusterSize(u8),
    Clusters(u8),
    /// `%cluster_nctarank`, `%is_explicit_cluster`.
    ClusterBlocks,
    IsCluster,
    /// Half of the address of the words at which the grid's blocks meet: the high one or the low one.
    Workspace {
        high: bool,
    },
    /// Known once a block.
    Block(OfBlock),
    /// Address of a `.global` variable, by number.
    Global {
        symbol: u32,
        offset: i64,
    },
}

/// What differs between blocks and not within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OfBlock {
    /// `%ctaid`, `%clusterid`, `%cluster_ctaid`: axis 0 to 2.
    Index(u8),
    Cluster(u8),
    IndexInCluster(u8),
    /// `%cluster_ctarank`.
    Rank,
}

/// A pure function of one lane, with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScalarUse {
    pub(crate) scalar: Scalar,
    /// Numbers of the sources' registers; an immediate's value.
    pub(crate) sources: [u32; 4],
}

/// Which memory an atomic operation is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Shared,
    Generic,
}

/// An atomic operation; the address and the registers of its values are in its [`Access`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicUse {
    pub(crate) space: Space,
    pub(crate) update: Update,
    /// Where the old value goes, or [`NONE`] for `red`; of 128 bits the upper 64, else [`NONE`].
    pub(crate) d: u16,
    pub(crate) high: u16,
    /// Whether that is in `X`.
    pub(crate) wide: bool,
    /// Whether it is a reduction for the hardware: nobody uses the old value.
    pub(crate) reduces: bool,
    /// Whether it adds the constant 1.
    pub(crate) adds_one: bool,
}

impl AtomicUse {
    /// Whether shared memory has an instruction for it; ptxas makes a loop of others.
    pub(crate) fn is_native(&self) -> bool {
        use crate::semantics::atomic::Type::{Bf16x2, F16x2, F32, F32Flushed};
        let whole = matches!(self.update.operation, Operation::Exchange | Operation::CompareAndSwap);
        let integer = !matches!(self.update.ty, F32 | F32Flushed | F16x2 | Bf16x2);
        shared_has(u32::from(self.update.ty.bytes()), integer || whole, whole)
    }

    /// Whether what it leaves depends on what was there.
    pub(crate) fn looks(&self) -> bool {
        self.update.operation != Operation::Exchange
    }
}

/// `cp.async`: `bytes` from global memory to shared memory; what the source does not have is zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopyUse {
    /// Register of the shared address and whether it is in `X`.
    pub(crate) to: u16,
    pub(crate) wide: bool,
    pub(crate) offset: i32,
    /// Register in `W` with how many bytes the source has, or [`NONE`] for all.
    pub(crate) source_bytes: u16,
    /// A predicate that makes it copy nothing but zeros, or [`NONE`].
    pub(crate) ignore: u16,
    /// Whether it goes past L1.
    pub(crate) past_l1: bool,
}

/// Where an address is: a register, whether it is in `X`, and what is added to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) register: u16,
    pub(crate) wide: bool,
    pub(crate) offset: i32,
}

/// What is done to an `mbarrier` object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mbarrier {
    Init,
    Invalidate,
    /// Also taken out of all later phases; must not complete the phase.
    Arrive {
        drop: bool,
        no_complete: bool,
    },
    /// Without the arrival.
    ExpectBytes,
    CompleteBytes,
    /// Looks whether a phase is complete: that of a state, or of a parity.
    Wait {
        parity: bool,
    },
    /// `cp.async.mbarrier.arrive`: of copies that are done, so it arrives, having made itself expected before or not.
    CopiesArrive {
        expected: bool,
    },
}

/// An operation on an `mbarrier` object; its address is in its [`Access`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct MbarrierUse {
    pub(crate) does: Mbarrier,
    pub(crate) space: Space,
    /// In `W`: threads, or a parity; [`NONE`] for one thread.
    pub(crate) count: u16,
    /// In `W`: bytes of asynchronous copies; [`NONE`] for none.
    pub(crate) bytes: u16,
    /// In `X`: what an arrival gave.
    pub(crate) state: u16,
    /// The state in `X`, or in `P` whether the phase is complete.
    pub(crate) d: u16,
}

/// From where to where a bulk copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bulk {
    GlobalToShared,
    SharedToGlobal,
    SharedToShared,
    /// `st.async`: registers, those of the [`Access`], to shared memory.
    RegistersToShared,
}

/// A copy that `cp.async.bulk` or `st.async` makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BulkUse {
    pub(crate) bulk: Bulk,
    pub(crate) to: At,
    pub(crate) from: At,
    /// In `W`; [`NONE`] where the access knows it.
    pub(crate) bytes: u16,
    /// The object that counts the bytes.
    pub(crate) mbarrier: Option<At>,
    /// In `W`: the blocks of the cluster that get it, by bits; [`NONE`] for the one that the address names.
    pub(crate) blocks: u16,
}

/// What the lanes of a warp tell each other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exchange {
    ShuffleUp,
    ShuffleDown,
    ShuffleButterfly,
    ShuffleIndex,
    VoteAll,
    VoteAny,
    VoteUniform,
    Ballot,
    MatchAny,
    MatchAll,
    ActiveMask,
    Reduce(Update),
    Elect,
    /// `bar.warp.sync`: nothing but being together.
    Sync,
}

/// A warp-wide operation with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExchangeUse {
    pub(crate) exchange: Exchange,
    /// Result in `W`, and in `P`; [`NONE`] for none.
    pub(crate) d: u16,
    pub(crate) p: u16,
    /// The value: in `P` for votes, in `X` for a wide match, else in `W`.
    pub(crate) a: u16,
    pub(crate) wide: bool,
    /// For shuffles the lane and the clamp, in `W`.
    pub(crate) b: u16,
    pub(crate) c: u16,
    /// The lanes that take part, in `W`; [`NONE`] for those that are there.
    pub(crate) members: u16,
}

/// What a warp does with matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Matrix {
    /// One to four matrices of 8 by 8 halves, one a register; of which each lane has two halves of a row, or of a column.
    /// `generic`: the rows' addresses are generic ones.
    Rows {
        transposed: bool,
        generic: bool,
    },
    /// A matrix of 8 by 8 halves, transposed.
    Transpose,
    Product(Product, Tiling),
    Quads(Quads),
    /// Nothing but being together.
    #[default]
    Meet,
}

/// Of which products of the tensor cores' shape a larger one is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiling {
    Whole,
    /// Two of the same rows, the second of the columns behind.
    Columns,
    /// Two of the same columns, the second of the rows below.
    Rows,
    /// The same, of the transposed matrices.
    Turned,
}

/// A warp's operation on matrices with its registers: all in `X` or all in `W`.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatrixUse {
    pub(crate) matrix: Matrix,
    pub(crate) wide: bool,
    pub(crate) d: Vec<u16>,
    pub(crate) a: Vec<u16>,
    pub(crate) b: Vec<u16>,
    pub(crate) c: Vec<u16>,
}

impl MatrixUse {
    fn operands(&self, mut each: impl FnMut(File, u16)) {
        let file = if self.wide { File::X } else { File::W };
        for number in self.a.iter().chain(&self.b).chain(&self.c) {
            each(file, *number);
        }
    }
}

/// Functions that the system brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    /// `vprintf(format, arguments)`.
    Print,
    /// `__assertfail(message, file, line, function, bytes a character)`.
    AssertionFailed,
    /// `malloc(bytes)`.
    Allocate,
    /// `free(address)`.
    Free,
    /// `nanosleep`: no function, but the system's all the same.
    Sleep,
}

/// A call of a [`Builtin`]: where its arguments and its result are in this frame's local memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltinUse {
    pub(crate) builtin: Builtin,
    pub(crate) arguments: [u32; 5],
    pub(crate) result: Option<u32>,
}

/// Where a value of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Bytes from the start of a frame's local memory.
    Bytes(u32),
    W(u16),
    X(u16),
    P(u16),
}

impl Slot {
    /// The register, if it is one.
    pub(crate) fn register(self) -> Option<(File, u16)> {
        match self {
            Slot::Bytes(_) => None,
            Slot::W(number) => Some((File::W, number)),
            Slot::X(number) => Some((File::X, number)),
            Slot::P(number) => Some((File::P, number)),
        }
    }
}

/// A value that a call hands over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub(crate) from: Slot,
    pub(crate) to: Slot,
    pub(crate) bytes: u32,
}

/// Who is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    /// A place in [`Kernel::functions`].
    Direct(u32),
    /// An address in `X`.
    Indirect(u16),
}

/// A call: values into the callee's frame, and back out of it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    pub(crate) arguments: Vec<Transfer>,
    pub(crate) returns: Vec<Transfer>,
}

impl Call {
    /// Whether a function has its parameters and results where the call puts and looks for them.
    pub(crate) fn fits(&self, callee: &Frame) -> bool {
        let inner = self.arguments.iter().map(|t| (t.to, t.bytes));
        inner.chain(self.returns.iter().map(|t| (t.from, t.bytes))).eq(callee.formals.iter().copied())
    }
}

/// A function's frame. The first function of a kernel is the kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Its first block.
    pub(crate) entry: u32,
    /// Registers in each file.
    pub(crate) w: u16,
    pub(crate) x: u16,
    pub(crate) p: u16,
    /// Local memory a thread, bytes.
    pub(crate) local_bytes: u32,
    /// Bytes of its parameters, with which the local memory begins.
    pub(crate) parameter_bytes: u32,
    /// Where it has its parameters and then its results, and how many bytes each takes; nothing for a kernel.
    pub(crate) formals: Vec<(Slot, u32)>,
    /// Registers that may be read before they are written: they begin as zero.
    pub(crate) unwritten_w: Vec<u16>,
    pub(crate) unwritten_x: Vec<u16>,
    pub(crate) unwritten_p: Vec<u16>,
}

impl Frame {
    /// What a warp needs for it, bytes of the machine that runs it.
    pub(crate) fn bytes(&self) -> u64 {
        let words = 2 + u64::from(self.w) + 2 * u64::from(self.x) + u64::from(self.local_bytes).div_ceil(4);
        words * 4 * WARP as u64 + 4 * u64::from(self.p)
    }

    /// Registers that begin as zero.
    pub(crate) fn unwritten(&self) -> usize {
        self.unwritten_w.len() + self.unwritten_x.len() + self.unwritten_p.len()
    }
}

/// The targets of a `brx.idx`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) targets: Vec<u32>,
    pub(crate) join: u32,
}

/// What threads do at a block's barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    Sync,
    /// Counts and goes on.
    Arrive,
    /// Combines a predicate of all.
    And,
    Or,
    Count,
    /// At the cluster's barrier: comes and goes on, or waits for all who have come.
    ClusterArrive,
    ClusterWait,
}

/// A barrier of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BarrierUse {
    pub(crate) meeting: Meeting,
    /// Its number, in `W`.
    pub(crate) id: u16,
    /// How many threads, in `W`; [`NONE`] for all.
    pub(crate) threads: u16,
    /// The predicate to combine and where the result goes: in `P`, or for a count in `W`.
    pub(crate) p: u16,
    pub(crate) d: u16,
    /// All threads of a warp must come to it together.
    pub(crate) aligned: bool,
}

/// How a basic block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Goto(u32),
    /// To `taken` where the predicate (negated) holds, else to `next`; both meet again at `join`.
    Branch {
        predicate: u16,
        negated: bool,
        taken: u32,
        next: u32,
        join: u32,
    },
    /// To the table's entry that the index in `W` names.
    Switch {
        index: u16,
        table: u32,
    },
    /// Waits for the block, then goes on.
    Barrier {
        barrier: u32,
        next: u32,
    },
    /// Into a function, then on.
    Call {
        call: u32,
        next: u32,
    },
    /// Out of a function.
    Return,
    Exit,
    /// Lanes for which the predicate holds exit.
    ExitIf {
        predicate: u16,
        negated: bool,
        next: u32,
    },
    Trap,
}

/// A basic block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Instructions, in [`Kernel::code`].
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// PTX instructions it stands for, in [`Kernel::listing`]; those that ran once a launch or a block are among them.
    pub(crate) listed: u32,
    pub(crate) weight: u32,
    /// What they take of a budget beyond one each.
    pub(crate) slow: u32,
    /// Of these, constant loads at an address known when decoding.
    pub(crate) uniform_loads: u32,
    /// Register in `W` with the lanes that must be here before it runs; [`NONE`] for those that have come.
    pub(crate) members: u16,
    pub(crate) exit: End,
    /// Twice the longest chain of results that wait for each other in it, for the time model.
    pub(crate) chain: Chain,
    /// What it takes of a multiprocessor, for the time model.
    pub(crate) issue: Issue,
}

/// A PTX instruction as it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    pub(crate) origin: Origin,
    /// A constant load at an address known when decoding.
    pub(crate) uniform: bool,
}

/// A kernel, decoded.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// Its name.
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) parameter_bytes: u32,
    /// Static shared memory, bytes; dynamic shared memory begins at the next multiple of 16.
    pub(crate) shared_bytes: u32,
    /// The system's part of it, where the kernel asks for that.
    pub(crate) reserved: Option<std::ops::Range<u32>>,
    /// `.maxntid`'s product, if there.
    pub(crate) max_threads: Option<u64>,
    /// Blocks of its clusters in x, y, z, if it says how many.
    pub(crate) cluster: Option<[u32; 3]>,
    /// It must be launched in clusters.
    pub(crate) needs_cluster: bool,
    /// Blocks of a cluster at the most, if it says so.
    pub(crate) max_cluster: Option<u64>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) code: Vec<Inst>,
    /// For each of `code`, its place in `listing`.
    pub(crate) places: Vec<u32>,
    /// The PTX instructions, in the order of the text.
    pub(crate) listing: Vec<Listed>,
    /// The kernel and the functions it can call.
    pub(crate) functions: Vec<Frame>,
    /// For functions of the module that can be called their places in `functions`.
    pub(crate) function_of: HashMap<usize, u32>,
    pub(crate) accesses: Vec<Access>,
    /// What each [`Op::FmaShared`] stands for.
    pub(crate) fused: Vec<Fused>,
    pub(crate) scalars: Vec<ScalarUse>,
    pub(crate) atomics: Vec<AtomicUse>,
    pub(crate) copies: Vec<CopyUse>,
    pub(crate) mbarriers: Vec<MbarrierUse>,
    pub(crate) bulks: Vec<BulkUse>,
    pub(crate) exchanges: Vec<ExchangeUse>,
    pub(crate) builtins: Vec<BuiltinUse>,
    pub(crate) matrices: Vec<MatrixUse>,
    pub(crate) calls: Vec<Call>,
    pub(crate) tables: Vec<Table>,
    pub(crate) barriers: Vec<BarrierUse>,
    /// Fixed registers and their values, in `W` and `X`.
    pub(crate) fixed_w: Vec<Option<Fixed>>,
    pub(crate) fixed_x: Vec<Option<Fixed>>,
    /// Computes fixed registers from fixed registers, once a launch.
    pub(crate) launch_code: Vec<Inst>,
    /// The same for what depends on `%ctaid`, once a block.
    pub(crate) block_code: Vec<Inst>,
    /// The same for what depends on the thread's place in its block, once a worker, into the warps' registers.
    pub(crate) thread_code: Vec<Inst>,
}

impl Kernel {
    /// Where the registers of a warp of the block begin in each file, behind those that all share.
    pub(crate) fn registers_of(&self, warp: usize) -> (usize, usize, usize) {
        let frame = &self.functions[0];
        (
            self.fixed_w.len() + warp * usize::from(frame.w),
            self.fixed_x.len() + warp * usize::from(frame.x),
            warp * usize::from(frame.p),
        )
    }
}

/// A kernel's parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameter {
    /// Its name in the PTX.
    pub name: String,
    /// Bytes from the start of the parameters.
    pub offset: u32,
    /// Size, bytes.
    pub bytes: u32,
    /// Whether it is an array of bytes: a struct by value.
    pub is_struct: bool,
}

/// Where an instruction comes from, for faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Byte of the PTX.
    pub(crate) at: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) file: u32,
    pub(crate) source_line: u32,
}

/// A variable in constant or global memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) align: u64,
    /// Its address in constant memory; for a global variable, nothing.
    pub(crate) constant: Option<u32>,
    pub(crate) initial: Vec<u8>,
    /// Addresses among the initial values.
    pub(crate) relocations: Vec<Relocation>,
}

/// An address that is written into a variable when its module is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Relocation {
    /// Where in the variable.
    pub(crate) at: u32,
    /// How many bytes of it, from the lowest.
    pub(crate) bytes: u8,
    /// Those bits of the address that are written, moved down to bit 0.
    pub(crate) mask: u64,
    /// Of what: a symbol of the module by number, or a known number.
    pub(crate) symbol: Option<u32>,
    /// Bytes past it, or the number.
    pub(crate) offset: i64,
}

/// A decoded module.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was loaded as.
    pub(crate) name: String,
    /// The PTX.
    pub(crate) text: String,
    pub(crate) files: Vec<(u32, String)>,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) symbols: Vec<Symbol>,
    /// Bytes of constant memory in use.
    pub(crate) constant_bytes: u32,
}

impl Program {
    /// The words of the instruction at a place, without its guard and operands.
    pub(crate) fn mnemonic(&self, origin: Origin) -> String {
        self.words(origin).into()
    }

    /// [`Program::mnemonic`] as it stands in the text.
    pub(crate) fn words(&self, origin: Origin) -> &str {
        let rest = self.text.get(origin.at as usize..).unwrap_or_default();
        let rest = match rest.strip_prefix('@') {
            Some(guarded) => guarded.trim_start_matches(|c: char| !c.is_whitespace()).trim_start(),
            None => rest,
        };
        rest.split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default()
    }

    pub(crate) fn place(&self, origin: Origin) -> Place {
        let source = (origin.source_line > 0).then(|| {
            let file = self.files.iter().find(|(index, _)| *index == origin.file);
            (
                file.map_or_else(|| format!("file {}", origin.file), |(_, name)| name.clone()),
                origin.source_line,
            )
        });
        Place { ptx: self.name.clone(), at: (origin.line, origin.column), source }
    }
}
