//! Cycles that L1 takes for a warp's access to global memory: pure functions of its lanes' addresses.
//!
//! Measured on an H200: what is slowest of the way of the data, the tags and the banks counts. Data go to registers at 128 bytes a
//! cycle, as wide as the instruction is, even if all lanes want the same; the tags of four lines are looked up in a cycle; and a
//! bank, one for each word of a line, gives one word a cycle.

use super::access;
use crate::WARP;

/// Tags that are looked up in a cycle.
const TAGS: u32 = 4;

/// Cycles of a load of `bytes` (1 to 16) a lane.
pub(crate) fn load_cycles(addresses: &[u64; WARP], mask: u32, bytes: u32) -> u32 {
    cycles(addresses, mask, bytes, false)
}

/// Cycles of a store of `bytes` (1 to 16) a lane.
pub(crate) fn store_cycles(addresses: &[u64; WARP], mask: u32, bytes: u32) -> u32 {
    cycles(addresses, mask, bytes, true)
}

fn cycles(addresses: &[u64; WARP], mask: u32, bytes: u32, store: bool) -> u32 {
    let lines = access::lines(addresses, mask);
    let banks = access::wavefronts(&addresses.map(|a| a as u32), mask, bytes, store).wavefronts;
    lines.div_ceil(TAGS).max(banks).max(bytes.div_ceil(4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::ALL;

    fn strided(stride: u64, lanes: usize) -> (([u64; WARP], u32), u32) {
        ((std::array::from_fn(|l| 4096 + stride * l as u64), ALL >> (WARP - lanes)), 4)
    }

    #[test]
    fn a_load_takes_as_long_as_it_is_wide_though_all_lanes_want_the_same() {
        assert_eq!([4, 8, 16].map(|bytes| load_cycles(&[4096; WARP], ALL, bytes)), [1, 2, 4]);
    }

    #[test]
    fn the_tags_of_four_lines_are_looked_up_at_once_and_a_bank_gives_a_word() {
        // Measured: 32.1, 8.04 and 5.03 cycles.
        for (stride, lanes, cycles) in [(128, 32, 32), (132, 32, 8), (68, 32, 5), (4, 32, 1), (256, 8, 8)] {
            let ((addresses, mask), bytes) = strided(stride, lanes);
            assert_eq!(load_cycles(&addresses, mask, bytes), cycles, "{stride} {lanes}");
        }
    }
}
