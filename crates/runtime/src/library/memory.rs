//! Arguments of calls, and values in the program's memory, as the functions of the library take them.
//!
//! Enters: bits of arguments, addresses. Leaves: numbers and bytes, or the signal of an access that is not allowed.

use crate::guest::{Guest, Signal};

/// The first arguments of a call; those that it does not have are zeros.
pub(super) fn arguments<const N: usize>(given: &[u64]) -> [u64; N] {
    std::array::from_fn(|at| given.get(at).copied().unwrap_or(0))
}

/// A C `int` of an argument's bits.
pub(super) fn int(bits: u64) -> i32 {
    bits as i32
}

/// The bits of a C `int` as a result.
pub(super) fn from_int(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

/// The bits of a truth value as C has it.
pub(super) fn truth(value: bool) -> u64 {
    u64::from(value)
}

/// Bytes at an address.
pub(super) fn get<const N: usize>(guest: &dyn Guest, address: u64) -> Result<[u8; N], Signal> {
    let mut bytes = [0; N];
    guest.read(address, &mut bytes)?;
    Ok(bytes)
}

/// An `int` or `unsigned` in memory.
pub(super) fn get_u32(guest: &dyn Guest, address: u64) -> Result<u32, Signal> {
    get(guest, address).map(u32::from_le_bytes)
}

/// A `long` or pointer in memory.
pub(super) fn get_u64(guest: &dyn Guest, address: u64) -> Result<u64, Signal> {
    get(guest, address).map(u64::from_le_bytes)
}

/// Puts an `int` or `unsigned` into memory.
pub(super) fn put_u32(guest: &mut dyn Guest, address: u64, value: u32) -> Result<(), Signal> {
    guest.write(address, &value.to_le_bytes())
}

/// Puts a `long` or pointer into memory.
pub(super) fn put_u64(guest: &mut dyn Guest, address: u64, value: u64) -> Result<(), Signal> {
    guest.write(address, &value.to_le_bytes())
}

/// Bytes at an address, as many as an argument says.
pub(super) fn bytes(guest: &dyn Guest, address: u64, count: u64) -> Result<Vec<u8>, Signal> {
    check(guest, address, count)?;
    let mut bytes = vec![0; count as usize];
    guest.read(address, &mut bytes)?;
    Ok(bytes)
}

/// Whether a range can be the program's: before room is made for that many bytes.
pub(super) fn check(guest: &dyn Guest, address: u64, count: u64) -> Result<(), Signal> {
    if count > guest.end() || address.checked_add(count).is_none() {
        return Err(Signal::Segmentation { address, bytes: count });
    }
    Ok(())
}

/// Bytes that are read at a time where it is not known how many there are.
const PART: u64 = 256;

/// The bytes up to a zero, or as many as there may be at most.
pub(super) fn text_within(guest: &dyn Guest, address: u64, most: u64) -> Result<Vec<u8>, Signal> {
    let mut text = vec![];
    let mut part = [0; PART as usize];
    loop {
        let at = address.wrapping_add(text.len() as u64);
        // Up to the next multiple of a part, so that none goes past the end of memory where its bytes need not.
        let size = (PART - at % PART).min(most - text.len() as u64);
        if size == 0 {
            return Ok(text);
        }
        let part = &mut part[..size as usize];
        let read = match guest.read(at, part) {
            Ok(()) => part,
            Err(_) => {
                guest.read(at, &mut part[..1])?;
                &mut part[..1]
            }
        };
        if let Some(end) = read.iter().position(|byte| *byte == 0) {
            text.extend(&read[..end]);
            return Ok(text);
        }
        text.extend(&*read);
    }
}

/// Puts a text and a zero after it into memory.
pub(super) fn put_text(guest: &mut dyn Guest, address: u64, text: &[u8]) -> Result<(), Signal> {
    let whole: Vec<u8> = text.iter().copied().chain([0]).collect();
    guest.write(address, &whole)
}
