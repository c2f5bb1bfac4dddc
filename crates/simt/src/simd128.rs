//! Four lanes at a time, by WebAssembly's vector instructions, where the compiler would make none of a loop over lanes.
//!
//! Only what kernels of products and stencils spend most of their time in is here. Each function is that of its name in
//! [`crate::semantics`]; where [`PAYS`] says no, a loop over all lanes is faster.

/// Words of four lanes.
pub(crate) type Words = [u32; 4];

/// Whether to go by fours.
pub(crate) const PAYS: bool = cfg!(all(target_arch = "wasm32", target_feature = "simd128"));

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use plain::{fma_f32, splat, sub_f32};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::{fma_f32, splat, sub_f32};

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod plain {
    use super::Words;
    use crate::semantics;

    pub(crate) fn splat(word: u32) -> Words {
        [word; 4]
    }

    pub(crate) fn sub_f32(a: Words, b: Words) -> Words {
        std::array::from_fn(|l| semantics::sub_f32(a[l], b[l]))
    }

    pub(crate) fn fma_f32(a: Words, b: Words, c: Words) -> Words {
        std::array::from_fn(|l| semantics::fma_f32(a[l], b[l], c[l]))
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::Words;
    use crate::semantics::NAN32;
    use core::arch::wasm32::*;

    #[inline(always)]
    fn of(words: Words) -> v128 {
        bytemuck::must_cast(words)
    }

    /// The results, each NaN as the canonical one.
    #[inline(always)]
    fn canonical(results: v128) -> Words {
        bytemuck::must_cast(v128_bitselect(results, u32x4_splat(NAN32), f32x4_eq(results, results)))
    }

    #[inline(always)]
    pub(crate) fn splat(word: u32) -> Words {
        bytemuck::must_cast(u32x4_splat(word))
    }

    #[inline(always)]
    pub(crate) fn sub_f32(a: Words, b: Words) -> Words {
        canonical(f32x4_sub(of(a), of(b)))
    }

    /// In doubles, as a lane alone.
    #[inline(always)]
    pub(crate) fn fma_f32(a: Words, b: Words, c: Words) -> Words {
        let (a, b, c) = (of(a), of(b), of(c));
        let high = |of: v128| i64x2_shuffle::<1, 1>(of, of);
        let (low, high) = (fma_of_two(a, b, c), fma_of_two(high(a), high(b), high(c)));
        // Of a shuffle of both the compiler makes conversions lane by lane.
        let behind = i8x16(16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7);
        canonical(v128_or(low, i8x16_swizzle(high, behind)))
    }

    /// Of the lower two, and zeros after them.
    #[inline(always)]
    fn fma_of_two(a: v128, b: v128, c: v128) -> v128 {
        let product = f64x2_mul(f64x2_promote_low_f32x4(a), f64x2_promote_low_f32x4(b));
        let addend = f64x2_promote_low_f32x4(c);
        let sum = f64x2_add(product, addend);
        let back = f64x2_sub(sum, product);
        let rest = f64x2_add(f64x2_sub(product, f64x2_sub(sum, back)), f64x2_sub(addend, back));
        // A mask is minus one in each lane; of infinite sums none is set, since the rest is a NaN.
        let zero = f64x2_splat(0.0);
        let (less, more) = (f64x2_lt(rest, zero), f64x2_gt(rest, zero));
        let inexact = v128_or(less, more);
        let towards_zero = v128_and(inexact, v128_xor(less, f64x2_lt(sum, zero)));
        let odd = v128_or(i64x2_add(sum, towards_zero), v128_and(inexact, i64x2_splat(1)));
        f32x4_demote_f64x2_zero(odd)
    }
}
