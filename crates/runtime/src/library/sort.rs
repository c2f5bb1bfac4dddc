//! `qsort` and `bsearch`, with comparisons by the program.
//!
//! Enters: an array, the program's comparison. Leaves: the array in order. As glibc up to 2.36 sorts: by merging, so that equal
//! elements keep their order, with the same comparisons.

use super::{
    Library, Row,
    memory::{arguments, bytes, check, int},
    row,
};
use crate::guest::{Guest, Signal};

pub(super) const ROWS: &[Row] = &[row("qsort", "vpllp", qsort), row("bsearch", "pppllp", bsearch)];

fn qsort(_: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [base, count, size, compare] = arguments(given);
    let Some(total) = count.checked_mul(size) else {
        return Err(Signal::Segmentation { address: base, bytes: u64::MAX });
    };
    check(guest, base, total)?;
    if size > 0 {
        sort(guest, base, count, size, compare)?;
    }
    Ok(0)
}

/// Sorts both halves, then merges them.
fn sort(guest: &mut dyn Guest, base: u64, count: u64, size: u64, compare: u64) -> Result<(), Signal> {
    if count < 2 {
        return Ok(());
    }
    let left = count / 2;
    let middle = base + left * size;
    sort(guest, base, left, size, compare)?;
    sort(guest, middle, count - left, size, compare)?;
    let (mut one, mut two, end) = (base, middle, base + count * size);
    let mut order = Vec::with_capacity(count as usize);
    while one < middle && two < end {
        if int(guest.call(compare, &[one, two])?) <= 0 {
            order.push(one);
            one += size;
        } else {
            order.push(two);
            two += size;
        }
    }
    // What is left of the second half is in its place.
    while one < middle {
        order.push(one);
        one += size;
    }
    let before = bytes(guest, base, count * size)?;
    let mut after = Vec::with_capacity(before.len());
    for element in order {
        let at = (element - base) as usize;
        after.extend(&before[at..at + size as usize]);
    }
    guest.write(base, &after)
}

fn bsearch(_: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [key, base, count, size, compare] = arguments(given);
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base.wrapping_add(middle.wrapping_mul(size));
        match int(guest.call(compare, &[key, element])?) {
            0 => return Ok(element),
            negative if negative < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(0)
}
