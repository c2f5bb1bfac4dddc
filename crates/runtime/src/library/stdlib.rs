//! Numbers from text, and the integers' absolute values.
//!
//! Enters: texts in the program's memory. Leaves: numbers, where they end, and `ERANGE`.

use super::{
    Library, Row,
    errno::Errno,
    memory::{arguments, from_int, get, int, put_u64},
    number::{self, Float, Integer, is_space},
    row,
};
use crate::guest::{Guest, Signal};

pub(super) const ROWS: &[Row] = &[
    row("atoi", "ip", |_, guest, given| {
        Ok(from_int(parse_integer(guest, first(given), 10)?.0.signed().0 as i32))
    }),
    row("atol", "lp", |_, guest, given| {
        Ok(parse_integer(guest, first(given), 10)?.0.signed().0.cast_unsigned())
    }),
    row("atoll", "lp", |_, guest, given| {
        Ok(parse_integer(guest, first(given), 10)?.0.signed().0.cast_unsigned())
    }),
    row("atof", "dp", |_, guest, given| Ok(parse_float(guest, first(given))?.0.double.to_bits())),
    row("strtol", "lppi", signed),
    row("strtoll", "lppi", signed),
    row("strtoimax", "lppi", signed),
    row("strtoul", "lppi", unsigned),
    row("strtoull", "lppi", unsigned),
    row("strtoumax", "lppi", unsigned),
    row("strtod", "dpp", |library, guest, given| {
        let [text, end] = arguments(given);
        let (found, after) = parse_float(guest, text)?;
        library.range(guest, found.double_out_of_range)?;
        put_end(guest, end, if found.used == 0 { text } else { after })?;
        Ok(found.double.to_bits())
    }),
    row("strtof", "fpp", |library, guest, given| {
        let [text, end] = arguments(given);
        let (found, after) = parse_float(guest, text)?;
        library.range(guest, found.single_out_of_range)?;
        put_end(guest, end, if found.used == 0 { text } else { after })?;
        Ok(u64::from(found.single.to_bits()))
    }),
    row("labs", "ll", |_, _, given| Ok(first(given).cast_signed().unsigned_abs())),
    row("llabs", "ll", |_, _, given| Ok(first(given).cast_signed().unsigned_abs())),
    row("imaxabs", "ll", |_, _, given| Ok(first(given).cast_signed().unsigned_abs())),
    row("abs", "ii", |_, _, given| Ok(u64::from(int(first(given)).unsigned_abs()))),
];

/// The only argument.
fn first(given: &[u64]) -> u64 {
    arguments::<1>(given)[0]
}

/// Most bytes of a number that are looked at: more digits change no result.
const NUMBER: usize = 4096;

/// The bytes at an address that can be a number, after spaces, and where they begin.
fn number(guest: &dyn Guest, text: u64) -> Result<(Vec<u8>, u64), Signal> {
    let mut start = text;
    while is_space(get::<1>(guest, start)?[0]) {
        start = start.wrapping_add(1);
    }
    let mut found = vec![];
    while found.len() < NUMBER {
        let [byte] = get(guest, start.wrapping_add(found.len() as u64))?;
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'(' | b')' | b'_')) {
            break;
        }
        found.push(byte);
    }
    Ok((found, start))
}

/// The integer at an address, and where it ends.
fn parse_integer(guest: &dyn Guest, text: u64, base: u32) -> Result<(Integer, u64), Signal> {
    let (found, start) = number(guest, text)?;
    let found = number::integer(&found, base);
    Ok((found, start.wrapping_add(found.used as u64)))
}

/// The floating-point number at an address, and where it ends.
fn parse_float(guest: &dyn Guest, text: u64) -> Result<(Float, u64), Signal> {
    let (found, start) = number(guest, text)?;
    let found = number::float(&found);
    Ok((found, start.wrapping_add(found.used as u64)))
}

fn put_end(guest: &mut dyn Guest, to: u64, end: u64) -> Result<(), Signal> {
    if to == 0 { Ok(()) } else { put_u64(guest, to, end) }
}

/// The integer that `strtol` and its like find; 0 and `EINVAL` for a base that does not exist.
fn based(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<Option<Integer>, Signal> {
    let [text, end, base] = arguments(given);
    let base = int(base);
    if base != 0 && !(2..=36).contains(&base) {
        library.set_errno(guest, Errno::EINVAL)?;
        return Ok(None);
    }
    let (found, after) = parse_integer(guest, text, base.unsigned_abs())?;
    put_end(guest, end, if found.used == 0 { text } else { after })?;
    Ok(Some(found))
}

fn signed(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let Some(found) = based(library, guest, given)? else { return Ok(0) };
    let (value, out) = found.signed();
    library.range(guest, out)?;
    Ok(value.cast_unsigned())
}

fn unsigned(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let Some(found) = based(library, guest, given)? else { return Ok(0) };
    let (value, out) = found.unsigned();
    library.range(guest, out)?;
    Ok(value)
}

impl Library {
    /// Sets `ERANGE` where a number was out of range.
    fn range(&mut self, guest: &mut dyn Guest, out: bool) -> Result<(), Signal> {
        if out { self.set_errno(guest, Errno::ERANGE) } else { Ok(()) }
    }
}
