//! Values in memory that is bytes: little-endian, of 1, 2, 4 or 8 bytes, at places that have been checked.

use crate::ir::MemoryOperand;
use crate::lanes::{ALL, W, X};
use crate::{WARP, simd128};

/// Lanes of half a warp.
pub(in crate::exec) const HALF: usize = WARP / 2;

/// A loaded value in 64 bits.
#[inline(always)]
pub(in crate::exec) fn extend(value: u64, bytes: u8, signed: bool) -> u64 {
    let shift = 64 - 8 * u32::from(bytes);
    if signed { ((value << shift) as i64 >> shift) as u64 } else { value }
}

/// A value of 1, 2, 4 or 8 bytes.
#[inline(always)]
pub(in crate::exec) fn little_endian(memory: &[u8], at: usize, bytes: u8) -> u64 {
    let array = |n: usize| &memory[at..at + n];
    match bytes {
        4 => array(4).first_chunk().map_or(0, |b| u64::from(u32::from_le_bytes(*b))),
        8 => array(8).first_chunk().map_or(0, |b| u64::from_le_bytes(*b)),
        2 => array(2).first_chunk().map_or(0, |b| u64::from(u16::from_le_bytes(*b))),
        _ => u64::from(memory[at]),
    }
}

/// A word.
#[inline(always)]
pub(in crate::exec) fn word(memory: &[u8], at: usize) -> u32 {
    little_endian(memory, at, 4) as u32
}

/// The lanes' elements `e`. The addresses of the lanes of `mask` have been checked, or of all lanes where it is [`ALL`].
#[inline(always)]
pub(in crate::exec) fn gather(
    memory: &[u8],
    operand: &MemoryOperand,
    addresses: &X,
    mask: u32,
    e: usize,
) -> X {
    let offset = e * usize::from(operand.bytes);
    let mut out = X::ZERO;
    if mask == ALL && operand.bytes == 4 {
        for l in 0..WARP {
            out.0[l] = little_endian(memory, addresses.0[l] as usize + offset, 4);
        }
        if operand.signed {
            out.0 = out.0.map(|value| extend(value, 4, true));
        }
        return out;
    }
    for l in crate::lanes::lanes(mask) {
        let value = little_endian(memory, addresses.0[l] as usize + offset, operand.bytes);
        out.0[l] = extend(value, operand.bytes, operand.signed);
    }
    out
}

/// Gives the lanes of each half of a warp neighbouring words or one word for all, as `rows` says; nothing where they are not
/// all inside, and then `into` may be anything.
#[inline(always)]
pub(in crate::exec) fn load_halves(
    memory: &[u8],
    at: [usize; 2],
    rows: [bool; 2],
    into: &mut W,
) -> Option<()> {
    let from = [memory.get(at[0]..)?, memory.get(at[1]..)?];
    let mut ones = [0; 2];
    for n in 0..2 {
        if !rows[n] {
            ones[n] = u32::from_le_bytes(*from[n].first_chunk()?);
        }
    }
    if simd128::PAYS {
        for (n, lanes) in into.0.as_chunks_mut().0.iter_mut().enumerate() {
            *lanes = simd128::splat(ones[n / (HALF / 4)]);
        }
    } else {
        // A loop over all lanes: one over half of them the compiler unrolls, and does not make a vector of what is left.
        for l in 0..WARP {
            into.0[l] = if l < HALF { ones[0] } else { ones[1] };
        }
    }
    for (n, lanes) in into.0.as_chunks_mut::<HALF>().0.iter_mut().enumerate() {
        if rows[n] {
            *lanes = bytemuck::pod_read_unaligned(from[n].get(..4 * HALF)?);
            if cfg!(target_endian = "big") {
                lanes.iter_mut().for_each(|word| *word = u32::from_le(*word));
            }
        }
    }
    Some(())
}

/// Writes the low bytes of a value.
#[inline(always)]
pub(in crate::exec) fn store_bytes(into: &mut [u8], value: u64) {
    match <&mut [u8; 4]>::try_from(&mut *into) {
        Ok(word) => *word = (value as u32).to_le_bytes(),
        Err(_) => into.copy_from_slice(&value.to_le_bytes()[..into.len()]),
    }
}
