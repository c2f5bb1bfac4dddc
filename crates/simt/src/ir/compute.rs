//! Functions of registers alone, computed for 32 lanes at once: one row a function.

use super::{File, Op, Register};

/// Every vectorised operation on registers: function, shape (files of result and operands), meaning in
/// [`crate::semantics`], and the PTX mnemonics that it is the meaning of.
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
        /// A function of registers that the interpreter computes for all lanes at once.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum Function {
            $($name,)+
        }

        impl Function {
            /// The function that a PTX mnemonic names, if it is one of the table.
            pub(crate) fn named(mnemonic: &str) -> Option<Function> {
                match mnemonic {
                    $($($mnemonic)|+ => Some(Function::$name),)+
                    _ => None,
                }
            }

            /// The files of its result and of its operands.
            pub(crate) fn shape(self) -> Form {
                match self {
                    $(Function::$name => Form::$shape,)+
                }
            }

            /// The first mnemonic of its row, for listings.
            pub(crate) fn mnemonic(self) -> &'static str {
                match self {
                    $(Function::$name => [$($mnemonic),+][0],)+
                }
            }
        }
    };
}

alu!(define);

impl Function {
    /// The function of these registers; the register of the result is still to be named.
    pub(crate) fn of<const N: usize>(self, operands: [Register; N]) -> Compute {
        const { assert!(N <= 3) };
        let register = |n: usize| operands.get(n).copied().unwrap_or_default();
        Compute {
            function: self,
            immediate: 0,
            d: Register::default(),
            a: register(0),
            b: register(1),
            c: register(2),
        }
    }
}

/// A function with its registers. All functions have their registers at the same places, so that the interpreter
/// decodes an instruction before it knows the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Compute {
    pub(crate) function: Function,
    /// The truth table of a `lop3`.
    pub(crate) immediate: u8,
    pub(crate) d: Register,
    pub(crate) a: Register,
    pub(crate) b: Register,
    pub(crate) c: Register,
}

impl Compute {
    /// The operation, with the register of its result.
    pub(crate) fn to(self, d: Register) -> Op {
        Op::Compute(Compute { d, ..self })
    }

    /// The registers that it reads, with their files.
    pub(crate) fn operands(&self) -> impl Iterator<Item = (File, Register)> {
        self.function.shape().files().1.iter().copied().zip([self.a, self.b, self.c])
    }

    /// The register that it writes, with its file.
    pub(crate) fn result(&self) -> (File, Register) {
        (self.function.shape().files().0, self.d)
    }
}

/// Files of a function's result and operands: `w_ww` is a result in `W` of two operands in `W`; `i` is an immediate.
#[allow(non_camel_case_types, reason = "a shape is read as what it says")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    w_w,
    w_ww,
    w_www,
    w_wwwi,
    x_x,
    x_xx,
    x_xxx,
    x_xw,
    x_w,
    w_x,
    x_ww,
    x_wwx,
    w_wwp,
    x_xxp,
    p_ww,
    p_xx,
    p_p,
    p_pp,
}

impl Form {
    /// Files of the result and of the operands.
    pub(crate) fn files(self) -> (File, &'static [File]) {
        use File::{P, W, X};
        match self {
            Form::w_w => (W, &[W]),
            Form::w_ww => (W, &[W, W]),
            Form::w_www | Form::w_wwwi => (W, &[W, W, W]),
            Form::x_x => (X, &[X]),
            Form::x_xx => (X, &[X, X]),
            Form::x_xxx => (X, &[X, X, X]),
            Form::x_xw => (X, &[X, W]),
            Form::x_w => (X, &[W]),
            Form::w_x => (W, &[X]),
            Form::x_ww => (X, &[W, W]),
            Form::x_wwx => (X, &[W, W, X]),
            Form::w_wwp => (W, &[W, W, P]),
            Form::x_xxp => (X, &[X, X, P]),
            Form::p_ww => (P, &[W, W]),
            Form::p_xx => (P, &[X, X]),
            Form::p_p => (P, &[P]),
            Form::p_pp => (P, &[P, P]),
        }
    }
}
