//! One instruction: each operation is executed by the function that its row in the table names.

use super::fault::Stop;
use super::memory::access::Memory;
use super::worker::Worker;
use crate::ir::*;
use crate::model::access::Turns;
use crate::trace::AccessKind;

impl Worker<'_> {
    /// Executes an instruction that needs more than registers. Accesses whose memory the instruction names are most of them:
    /// they have a copy of their own here, among the interpreter's loops.
    #[inline(always)]
    pub(super) fn step(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        use AccessKind::{Load, Store};
        if self.observers.is_watching() {
            return self.step_out_of_line(inst, mask, code);
        }
        let (memory, kind, id) = match inst.op {
            Op::LoadGlobal { access } => (Memory::Global, Load, access),
            Op::StoreGlobal { access } => (Memory::Global, Store, access),
            Op::LoadShared { access } => (Memory::Shared, Load, access),
            Op::StoreShared { access } => (Memory::Shared, Store, access),
            Op::LoadConstant { access } => (Memory::Constant, Load, access),
            // The table knows the rest.
            _ => return self.step_out_of_line(inst, mask, code),
        };
        if let Some(profile) = &mut self.counts.profile {
            profile.begin(code);
        }
        let access = self.current.access_of(&mut self.sites, memory, kind, id, mask);
        match (memory, kind) {
            (Memory::Global, Load) => self.read_global(&access),
            (Memory::Global, _) => self.write_global(&access),
            (Memory::Shared, Load) => self.read_shared(&access),
            (Memory::Shared, _) => self.write_shared(&access),
            _ => self.read_constant(&access),
        }
    }

    /// Executes any instruction, and shows it to observers that look at single instructions.
    #[inline(never)]
    pub(super) fn step_out_of_line(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        let before = self.observers.begin_instruction(&mut self.counts, &self.current, inst, code);
        let result = self.execute(inst, mask);
        if let Some(before) = before {
            self.observers.after_instruction(&mut self.counts, self.current.run, code, &before);
        }
        result
    }

    /// An instruction whose lanes are all off: one of global or generic memory takes a turn of L1's data all the same.
    #[cold]
    #[inline(never)]
    pub(super) fn count_without_lanes(&mut self, inst: &Inst, code: u32) {
        let before = self.observers.before_instruction(&mut self.counts, code);
        let counters = self.counts.counters();
        let turns = u64::from(Turns::WITHOUT_LANES.data);
        if matches!(inst.op.effect(), Effect::Store(_)) {
            counters.global_store_data_wavefronts += turns;
        } else {
            counters.global_load_data_wavefronts += turns;
        }
        if let Some(before) = before {
            self.observers.after_instruction(&mut self.counts, self.current.run, code, &before);
        }
    }

    fn execute(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        macro_rules! dispatch {
            (($k:ident, $u:ident) $(
                $(#[$doc:meta])*
                $name:ident { $($field:ident: $ty:ty),* } $text:literal $run:ident { $($rest:tt)* }
            )+) => {
                match inst.op {
                    Op::Compute(_) => {
                        self.current.block.registers.view().compute_out_of_line(inst, mask);
                        Ok(())
                    }
                    $(Op::$name { $($field),* } => self.$run($($field,)* mask),)+
                }
            };
        }
        operations!(dispatch)
    }
}
