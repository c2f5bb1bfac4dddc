//! Values in memory that is bytes: little-endian, of 1, 2, 4 or 8 bytes, at places that have been checked.

use crate::WARP;
use crate::ir::Access as Operand;
use crate::lanes::{W, X};

/// A loaded value in 64 bits.
#[inline(always)]
pub(super) fn extend(value: u64, bytes: u8, signed: bool) -> u64 {
    let shift = 64 - 8 * u32::from(bytes);
    if signed { ((value << shift) as i64 >> shift) as u64 } else { value }
}

/// A value of 1, 2, 4 or 8 bytes.
#[inline(always)]
pub(super) fn little_endian(memory: &[u8], at: usize, bytes: u8) -> u64 {
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
pub(super) fn word(memory: &[u8], at: usize) -> u32 {
    little_endian(memory, at, 4) as u32
}

/// The words at the lanes' addresses.
#[inline(always)]
pub(super) fn gather_words(memory: &[u8], addresses: &X) -> W {
    let mut out = W::ZERO;
    for l in 0..WARP {
        out.0[l] = word(memory, addresses.0[l] as usize);
    }
    out
}

/// Each lane's element `e`; of lanes that are off the addresses have been checked too, or are inside of `mask` only.
#[inline(always)]
pub(super) fn gather(memory: &[u8], operand: &Operand, addresses: &X, mask: u32, e: usize) -> X {
    let offset = e * usize::from(operand.bytes);
    let mut out = X::ZERO;
    for l in crate::lanes::lanes(mask) {
        let value = little_endian(memory, addresses.0[l] as usize + offset, operand.bytes);
        out.0[l] = extend(value, operand.bytes, operand.signed);
    }
    out
}
