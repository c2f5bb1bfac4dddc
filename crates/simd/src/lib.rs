//! The vector instructions of this machine: work is compiled for each set of them that pays, and the best is chosen when
//! it runs.
//!
//! Enters: [`Work`]. Leaves: what it returns. This crate must never know what the work is.
//!
//! It is a crate of its own since a function that is compiled for a set may be called only where the machine has it, which the
//! compiler cannot see: the two calls here are the only unsafe code outside the GPU's driver.
//!
//! Code is compiled for a set only where it is inlined into [`Work::call`]; nothing here is worth it for a few instructions.
//! AVX-512 makes a lab 6 % faster and takes an eighth of the time to build it, so builds with debug assertions, as `cargo run`
//! makes them, have AVX2 at most.
//!
//! On other processors than x86-64 there is one set, that of the whole build, and work is called as it is.

#![allow(unsafe_code, reason = "calls of functions that are compiled for instructions that were looked for")]

/// Work that vector instructions speed up.
pub trait Work {
    /// What it returns.
    type Output;

    /// Does it. Must be `#[inline(always)]`, and so must be what it calls; a closure would be compiled without the
    /// instructions.
    fn call(self) -> Self::Output;
}

macro_rules! sets {
    ($($(#[$when:meta])* $name:ident $has:ident [$($feature:tt)+];)+) => { $(
        /// Does work with the instructions of the row.
        $(#[$when])*
        #[cfg(target_arch = "x86_64")]
        #[inline(never)]
        #[target_feature($(enable = $feature),+)]
        fn $name<W: Work>(work: W) -> W::Output {
            work.call()
        }

        /// Whether this machine, and its system, have the instructions of the row.
        $(#[$when])*
        #[cfg(target_arch = "x86_64")]
        fn $has() -> bool {
            $(std::arch::is_x86_feature_detected!($feature))&&+
        }
    )+ };
}

// Only those that compiled loops use.
sets! {
    with_avx2 has_avx2 ["avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt"];
    #[cfg(not(debug_assertions))]
    with_avx512 has_avx512 [
        "avx512bitalg" "avx512bw" "avx512cd" "avx512dq" "avx512f" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vl"
        "avx512vnni" "avx512vpopcntdq" "bmi1" "bmi2" "f16c" "fma" "gfni" "lzcnt" "movbe" "popcnt"
    ];
}

/// Does work with the best vector instructions that this machine has: AVX-512 as of Ice Lake and Zen 4, AVX2 as of Haswell
/// and Zen, or those that every machine of its kind has.
#[inline(always)]
pub fn call<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    match best() {
        // SAFETY: `best` has looked for these instructions.
        #[cfg(not(debug_assertions))]
        Set::Avx512 => return unsafe { with_avx512(work) },
        // SAFETY: as above.
        Set::Avx2 => return unsafe { with_avx2(work) },
        Set::Base => {}
    }
    work.call()
}

/// Does work with vector instructions that are worth a copy of it, if this machine has any. On x86-64 those that every
/// machine has are not: nearly all have AVX2. Elsewhere there is one copy.
#[inline(always)]
pub fn call_if_it_pays<W: Work>(work: W) -> Option<W::Output> {
    #[cfg(target_arch = "x86_64")]
    match best() {
        // SAFETY: as in `call`.
        #[cfg(not(debug_assertions))]
        Set::Avx512 => Some(unsafe { with_avx512(work) }),
        // SAFETY: as in `call`.
        Set::Avx2 => Some(unsafe { with_avx2(work) }),
        Set::Base => None,
    }
    #[cfg(not(target_arch = "x86_64"))]
    Some(work.call())
}

/// Sets of vector instructions of x86-64.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
enum Set {
    Base,
    Avx2,
    #[cfg(not(debug_assertions))]
    Avx512,
}

/// The best set that this machine has: found once, since asking takes longer than some of the work.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn best() -> Set {
    static BEST: std::sync::OnceLock<Set> = std::sync::OnceLock::new();
    *BEST.get_or_init(|| {
        #[cfg(not(debug_assertions))]
        if has_avx512() {
            return Set::Avx512;
        }
        if has_avx2() { Set::Avx2 } else { Set::Base }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [u32]);

    impl Work for Sum<'_> {
        type Output = u32;

        #[inline(always)]
        fn call(self) -> u32 {
            self.0.iter().fold(0, |sum, number| sum.wrapping_mul(3).wrapping_add(*number))
        }
    }

    #[test]
    fn work_gives_the_same_with_every_set_that_this_machine_has() {
        let numbers: Vec<u32> = (0..1000).map(|n| n * n).collect();
        let expected = Sum(&numbers).call();
        assert_eq!(call(Sum(&numbers)), expected);
        assert!(call_if_it_pays(Sum(&numbers)).is_none_or(|sum| sum == expected));
    }
}
