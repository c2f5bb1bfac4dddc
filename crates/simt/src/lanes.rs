//! The 32 lanes of a warp as arrays, in the shape that the compiler turns into vector instructions.

use crate::WARP;

/// 32 lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct W(pub(crate) [u32; WARP]);

/// 32 lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct X(pub(crate) [u64; WARP]);

/// All lanes.
pub(crate) const ALL: u32 = u32::MAX;

impl W {
    pub(crate) const ZERO: W = W([0; WARP]);

    /// One word for all lanes.
    #[inline(always)]
    pub(crate) fn splat(word: u32) -> W {
        let mut out = W::ZERO;
        out.0.fill(word);
        out
    }

    /// A word for each lane from memory that is bytes, of which there must be `4 * WARP`.
    #[inline(always)]
    pub(crate) fn read(bytes: &[u8]) -> W {
        // One copy; words one by one the compiler does not always put together. No `map` of the array: that is several
        // functions of the standard library to inline wherever this is.
        let mut words = bytemuck::pod_read_unaligned::<[u32; WARP]>(bytes);
        for word in &mut words {
            *word = u32::from_le(*word);
        }
        W(words)
    }

    /// Writes each lane's word to memory that is bytes, of which there must be `4 * WARP`.
    #[inline(always)]
    pub(crate) fn write(&self, bytes: &mut [u8]) {
        let mut words = self.0;
        for word in &mut words {
            *word = word.to_le();
        }
        bytes.as_chunks_mut().0[0] = bytemuck::cast::<_, [u8; 4 * WARP]>(words);
    }

    /// Takes the lanes of `mask` from `new`.
    #[inline(always)]
    pub(crate) fn set(&mut self, new: &W, mask: u32) {
        if mask == ALL {
            *self = *new;
        } else {
            for l in 0..WARP {
                let m = 0u32.wrapping_sub(mask >> l & 1);
                self.0[l] = new.0[l] & m | self.0[l] & !m;
            }
        }
    }
}

impl X {
    /// A word of each lane. No `map` of the array, as in [`W::read`].
    #[inline(always)]
    pub(crate) fn words(&self, of: impl Fn(u64) -> u32) -> [u32; WARP] {
        let mut words = [0; WARP];
        for (word, lane) in words.iter_mut().zip(&self.0) {
            *word = of(*lane);
        }
        words
    }

    pub(crate) const ZERO: X = X([0; WARP]);

    /// One value for all lanes.
    #[inline(always)]
    pub(crate) fn splat(value: u64) -> X {
        let mut out = X::ZERO;
        out.0.fill(value);
        out
    }

    /// Takes the lanes of `mask` from `new`.
    #[inline(always)]
    pub(crate) fn set(&mut self, new: &X, mask: u32) {
        if mask == ALL {
            *self = *new;
        } else {
            for l in 0..WARP {
                let m = 0u64.wrapping_sub(u64::from(mask >> l & 1));
                self.0[l] = new.0[l] & m | self.0[l] & !m;
            }
        }
    }
}

impl W {
    /// Every lane in 64 bits, zero-extended.
    #[inline(always)]
    pub(crate) fn widened(&self) -> X {
        let mut out = X::ZERO;
        for l in 0..WARP {
            out.0[l] = u64::from(self.0[l]);
        }
        out
    }
}

impl X {
    /// The low 32 bits of every lane.
    #[inline(always)]
    pub(crate) fn narrowed(&self) -> W {
        let mut out = W::ZERO;
        for l in 0..WARP {
            out.0[l] = self.0[l] as u32;
        }
        out
    }
}

/// The lanes of a mask, lowest first.
#[inline(always)]
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lane
    })
}

/// All bits that are set in what some lane of a mask has.
#[inline(always)]
pub(crate) fn all_bits(mask: u32, of: impl Fn(usize) -> u64) -> u64 {
    if mask == ALL {
        (0..WARP).fold(0, |bits, l| bits | of(l))
    } else {
        lanes(mask).fold(0, |bits, l| bits | of(l))
    }
}

/// The lanes of a mask by a key of theirs, in the order of the lowest lane of each: the key and the lanes.
#[inline(always)]
pub(crate) fn groups<K: PartialEq>(
    mut mask: u32,
    key: impl Fn(usize) -> K,
) -> impl Iterator<Item = (K, u32)> {
    std::iter::from_fn(move || {
        let named = key(lanes(mask).next()?);
        let group = lanes(mask).filter(|l| key(*l) == named).fold(0, |group, l| group | 1 << l);
        mask &= !group;
        Some((named, group))
    })
}
