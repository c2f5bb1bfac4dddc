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
        match level() {
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

/// Does work with vector instructions that are worth a copy of it, if this machine has any. (On x86-64 those that every
/// machine has are not: nearly all have AVX2.)
#[inline(always)]
pub(crate) fn call_if_fast<W: Work>(work: W) -> Option<W::Output> {
    #[cfg(target_arch = "x86_64")]
    {
        struct Unspelled<W>(W);

        impl<W: Work> WorkWith for Unspelled<W> {
            type Output = W::Output;

            #[inline(always)]
            fn call<S: fearless_simd::Simd>(self, _: S) -> W::Output {
                self.0.call()
            }
        }

        call_with(Unspelled(work))
    }
    #[cfg(not(target_arch = "x86_64"))]
    Some(work.call())
}

/// Work that spells out the vector instructions it uses.
#[cfg(target_arch = "x86_64")]
pub(crate) trait WorkWith {
    type Output;

    /// Does it. Must be `#[inline(always)]`.
    fn call<S: fearless_simd::Simd>(self, simd: S) -> Self::Output;
}

/// Does work with vector instructions, if this machine has any that are worth it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn call_with<W: WorkWith>(work: W) -> Option<W::Output> {
    use fearless_simd::{Level, Simd as _};
    match level() {
        Level::Avx512(level) => Some(level.vectorize(
            #[inline(always)]
            || work.call(level),
        )),
        Level::Avx2(level) => Some(level.vectorize(
            #[inline(always)]
            || work.call(level),
        )),
        _ => None,
    }
}

/// The set that this machine has: found once, since asking takes longer than some of the work.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn level() -> fearless_simd::Level {
    static LEVEL: std::sync::OnceLock<fearless_simd::Level> = std::sync::OnceLock::new();
    *LEVEL.get_or_init(fearless_simd::Level::new)
}
