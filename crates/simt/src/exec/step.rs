//! One instruction: each operation is executed by the function that its row in the table names.

use super::fault::Stop;
use super::worker::Worker;
use crate::ir::*;

impl Worker<'_> {
    /// Executes an instruction, the observers that look at single instructions included.
    #[inline(always)]
    pub(super) fn step(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        let watched = self.watching && inst.op.effect() != Effect::Pure;
        let before = watched.then(|| self.before_instruction());
        let result = self.execute(inst, mask);
        if let Some(before) = before {
            self.after_instruction(code, &before);
        }
        result
    }

    #[inline(always)]
    fn execute(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        macro_rules! dispatch {
            (($k:ident, $u:ident) $(
                $(#[$doc:meta])*
                $name:ident { $($field:ident: $ty:ty),* } $text:literal $run:ident { $($rest:tt)* }
            )+) => {
                match inst.op {
                    Op::Compute(_) => {
                        self.registers().compute_seldom(inst, mask);
                        Ok(())
                    }
                    $(Op::$name { $($field),* } => self.$run($($field,)* mask),)+
                }
            };
        }
        operations!(dispatch)
    }

    /// [`Worker::step`] where it is not worth a copy of the interpreter's loops.
    #[inline(never)]
    pub(super) fn step_slowly(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        self.step(inst, mask, code)
    }
}
