//! Warp-wide operations on registers: shuffles, votes, matches, reductions.

use super::context::Result;
use super::decoder::{Decoder, Pending};
use crate::ir::*;
use crate::semantics::atomic::Update;
use ptx::{Instruction, Operand};

impl<'m> Decoder<'m, '_> {
    pub(super) fn warp_wide(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let last = i.modifiers.last().copied().unwrap_or_default();
        let sync = i.modifiers.contains(&"sync");
        let mode = i.modifiers.iter().copied().find(|m| *m != "sync").unwrap_or_default();
        let what = match (i.opcode, mode) {
            ("activemask", _) => Collective::ActiveMask,
            ("shfl", "up") => Collective::ShuffleUp,
            ("shfl", "down") => Collective::ShuffleDown,
            ("shfl", "bfly") => Collective::ShuffleButterfly,
            ("shfl", "idx") => Collective::ShuffleIndex,
            ("vote", "all") => Collective::VoteAll,
            ("vote", "any") => Collective::VoteAny,
            ("vote", "uni") => Collective::VoteUniform,
            ("vote", "ballot") => Collective::Ballot,
            ("match", "any") if sync => Collective::MatchAny,
            ("match", "all") if sync => Collective::MatchAll,
            ("elect", _) if sync => Collective::Elect,
            ("redux", operation) if sync => match Update::parse(operation, last, false) {
                Some(update) if update.ty.bytes() == 4 => Collective::Reduce(update),
                _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
            },
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        if sync { self.collective(i, what) } else { self.guarded_collective(i, what, guard) }
    }

    pub(super) fn collective(&mut self, i: &'m Instruction<'m>, what: Collective) -> Result<()> {
        self.guarded_collective(i, what, Guard::ALWAYS)?;
        // Lanes that had to be waited for go on from here each for itself.
        self.close(Pending::Next);
        Ok(())
    }

    fn guarded_collective(&mut self, i: &'m Instruction<'m>, what: Collective, guard: Guard) -> Result<()> {
        let wide = i.modifiers.last().is_some_and(|ty| ty.ends_with("64"));
        let sync = matches!(what, Collective::Sync) || i.modifiers.contains(&"sync");
        let mut use_ = CollectiveUse {
            collective: what,
            d: NONE,
            p: NONE,
            a: NONE,
            wide: wide && matches!(what, Collective::MatchAny | Collective::MatchAll),
            b: NONE,
            c: NONE,
            members: NONE,
        };
        let mut operands = &i.operands[..];
        // The lanes that take part stand last.
        if sync {
            let [rest @ .., members] = operands else {
                return self.context.bad(i.at, format!("`{}` takes a mask of lanes", i.mnemonic()));
            };
            use_.members = self.source(i.at, members, File::W)?.0;
            self.members = use_.members;
            operands = rest;
        }
        let bad = |d: &Self| d.context.bad(i.at, format!("`{}` with these operands", i.mnemonic()));
        let to_predicate =
            matches!(what, Collective::VoteAll | Collective::VoteAny | Collective::VoteUniform);
        if !matches!(what, Collective::Sync) {
            let [result, rest @ ..] = operands else { return bad(self) };
            match result {
                Operand::Name("_", None) => {}
                Operand::Name(name, None) if to_predicate => use_.p = self.result(i.at, name, File::P)?,
                Operand::Name(name, None) => use_.d = self.result(i.at, name, File::W)?,
                Operand::Pair(d, p) => {
                    if *d != "_" {
                        use_.d = self.result(i.at, d, File::W)?;
                    }
                    if *p != "_" {
                        use_.p = self.result(i.at, p, File::P)?;
                    }
                }
                _ => return bad(self),
            }
            operands = rest;
        }
        match (what, operands) {
            (Collective::Sync | Collective::ActiveMask | Collective::Elect, []) => {}
            (
                Collective::VoteAll | Collective::VoteAny | Collective::VoteUniform | Collective::Ballot,
                [a],
            ) => {
                use_.a = self.source(i.at, a, File::P)?.0;
            }
            (Collective::MatchAny | Collective::MatchAll, [a]) => {
                use_.a = self.source(i.at, a, if wide { File::X } else { File::W })?.0;
            }
            (Collective::Reduce(_), [a]) => use_.a = self.source(i.at, a, File::W)?.0,
            (_, [a, b, c]) => {
                use_.a = self.source(i.at, a, File::W)?.0;
                use_.b = self.source(i.at, b, File::W)?.0;
                use_.c = self.source(i.at, c, File::W)?.0;
            }
            _ => return bad(self),
        }
        let collective = self.enter(i.at, use_)?;
        self.emit(Inst { guard, op: Op::Collective { collective } });
        Ok(())
    }
}
