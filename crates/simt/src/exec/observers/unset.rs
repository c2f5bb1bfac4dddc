//! Registers that have values before the first instruction, of constants that nothing has set.

use crate::exec::checks::Unset;
use crate::exec::current::CurrentBlock;
use crate::exec::observers::Observers;
use crate::ir::{File, Inst, UniformValue};
use crate::memory::CONSTANT_WINDOW;

impl Observers {
    /// Whether there are any.
    #[inline(always)]
    pub(in crate::exec) fn has_unset(&self) -> bool {
        !self.unset.is_empty()
    }

    /// The checks of a block begin with these.
    #[inline(always)]
    pub(in crate::exec) fn begin_checks(&self, current: &mut CurrentBlock<'_>) {
        if let Some(checks) = &mut current.block.observers.checks {
            checks.begin_block();
            self.unset.iter().for_each(|(key, unset)| checks.begin_with_constant(*key, *unset));
        }
    }

    /// Finds the registers that have values before the first instruction, of constants that nothing has set.
    pub(in crate::exec) fn find_unset(&mut self, current: &mut CurrentBlock<'_>) {
        let (kernel, Some(set)) = (current.run.kernel, current.run.constant_set) else { return };
        let fixed = [(File::W, &kernel.uniform_w), (File::X, &kernel.uniform_x)];
        for (file, n, value) in fixed
            .into_iter()
            .flat_map(|(file, all)| all.iter().enumerate().map(move |(n, value)| (file, n, *value)))
        {
            let Some(UniformValue::Constant { offset, bytes, .. }) = value else { continue };
            let missing = set.missing(offset.into(), bytes.into());
            if missing != 0 {
                let address = CONSTANT_WINDOW + u64::from(offset);
                self.unset.push(((file, n), Unset { address, width: bytes, missing }));
            }
        }
        if self.unset.is_empty() {
            return;
        }
        for inst in kernel.launch_code.iter().chain(&kernel.block_code) {
            self.spread_unset(current, inst);
        }
        for n in 0..current.block.warps.len() {
            current.enter_warp(n);
            kernel.thread_code.iter().for_each(|inst| self.spread_unset(current, inst));
        }
    }

    /// What is computed from such registers is of the same constants.
    fn spread_unset(&mut self, current: &mut CurrentBlock<'_>, inst: &Inst) {
        let mut from = None;
        current.run.kernel.operands(inst, |file, register| {
            let key = current.block.registers.key(file, register);
            from = from.or(self.unset.iter().find(|(there, _)| *there == key).map(|(_, unset)| *unset));
        });
        let Some(unset) = from else { return };
        let mut keys = vec![];
        current
            .run
            .kernel
            .results(inst, |file, register| keys.push(current.block.registers.key(file, register)));
        self.unset.extend(keys.into_iter().map(|key| (key, unset)));
    }
}
