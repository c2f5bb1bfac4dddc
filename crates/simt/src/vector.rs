//! The vector instructions of this machine: work is compiled for each set of them that pays, and the best is chosen when it
//! is called.
//!
//! Code is compiled for a set only where it is inlined into [`Work::call`]; nothing here is worth it for a few instructions.

/// Work that vector instructions speed up.
pub(crate) trait Work {
    type Output;

    /// Does it. Must be `#[inline(always)]`.
    fn call(self) -> Self::Output;
}

/// Does work with the best vector instructions that this machine has: AVX-512 as of Ice Lake and Zen 4, AVX2, or those
/// that every machine of its kind has.
#[inline(always)]
pub(crate) fn call<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use fearless_simd::{Level, Simd as _};
        match Level::new() {
            Level::Avx512(level) => level.vectorize(
                #[inline(always)]
                || work.call(),
            ),
            Level::Avx2(level) => level.vectorize(
                #[inline(always)]
                || work.call(),
            ),
            _ => work.call(),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    work.call()
}
