//! How many blocks a multiprocessor has at a time.

use super::chip::Chip;
use crate::WARP;

/// Registers of a multiprocessor, of every chip since compute capability 5.0, and how many of a thread's are handed out
/// together.
const REGISTERS: u64 = 65_536;
const REGISTERS_STEP: u64 = 8;

/// A launch's shape, as far as time depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchSize {
    pub(crate) blocks: u64,
    pub(crate) warps_per_block: u64,
    pub(crate) shared_bytes: u64,
    /// Registers of a thread, as they are estimated; none where they limit nothing.
    pub(crate) registers: Option<u32>,
}

impl LaunchSize {
    /// Blocks that a multiprocessor has at the most; one is there however much it needs.
    pub(crate) fn resident(&self, chip: &Chip) -> u64 {
        self.room(chip).max(1)
    }

    /// Blocks that a multiprocessor has room for.
    pub(crate) fn room(&self, chip: &Chip) -> u64 {
        let limits = &chip.limits;
        let by_warps = u64::from(limits.warps) / self.warps_per_block.max(1);
        let by_shared = u64::from(limits.shared_bytes)
            / (self.shared_bytes + u64::from(limits.shared_bytes_reserved)).max(1);
        let by_registers = self.registers.map_or(u64::MAX, |registers| {
            let of_a_warp = u64::from(registers).next_multiple_of(REGISTERS_STEP) * WARP as u64;
            REGISTERS / (of_a_warp * self.warps_per_block).max(1)
        });
        by_warps.min(by_shared).min(by_registers).min(u64::from(limits.blocks))
    }

    /// Blocks that the busiest multiprocessor has in all.
    pub(crate) fn of_one(&self, chip: &Chip) -> u64 {
        self.blocks.div_ceil(u64::from(chip.multiprocessors)).max(1)
    }

    /// Blocks that it has at a time.
    pub(crate) fn at_a_time(&self, chip: &Chip) -> u64 {
        self.resident(chip).min(self.of_one(chip))
    }
}

impl Chip {
    /// Blocks that a multiprocessor has room for at a time, by what each of them needs: warps, shared memory in bytes,
    /// registers of a thread.
    pub fn resident_blocks(&self, warps_per_block: u64, shared_bytes: u64, registers: Option<u32>) -> u64 {
        LaunchSize { blocks: 1, warps_per_block, shared_bytes, registers }.room(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_limit_the_blocks_of_a_multiprocessor() {
        let chip = Chip::by_name("h200").unwrap();
        let of = |registers| LaunchSize { blocks: 1000, warps_per_block: 8, shared_bytes: 0, registers };
        assert_eq!(
            [None, Some(32), Some(33), Some(105), Some(255)].map(|r| of(r).room(&chip)),
            [8, 8, 6, 2, 1]
        );
    }
}
