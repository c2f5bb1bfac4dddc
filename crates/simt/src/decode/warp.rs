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
        let sync = matches!(what, Collective::Sync) || i.modifiers.contains(&"sync");
        let mut members = OptionalRegister::NONE;
        let mut operands = &i.operands[..];
        // The lanes that take part are last.
        if sync {
            let [rest @ .., mask] = operands else {
                return self.context.bad(i.at, format!("`{}` takes a mask of lanes", i.mnemonic()));
            };
            // A block waits for its members before its first instruction: a number is in a fixed register.
            let (mask, _) = match mask {
                Operand::Integer(mask) => self.immediate(i.at, File::W, *mask)?,
                mask => self.source(i.at, mask, File::W)?,
            };
            members = mask.into();
            self.members = members;
            operands = rest;
        }
        let (mut d, mut p) = (OptionalRegister::NONE, OptionalRegister::NONE);
        let bad = |d: &Self| d.context.bad(i.at, format!("`{}` with these operands", i.mnemonic()));
        if let Some(file) = what.result() {
            let [result, rest @ ..] = operands else { return bad(self) };
            match result {
                Operand::Name("_", None) => {}
                Operand::Name(name, None) if file == File::P => p = self.result(i.at, name, File::P)?.into(),
                Operand::Name(name, None) => d = self.result(i.at, name, File::W)?.into(),
                Operand::Pair(word, predicate) => {
                    if *word != "_" {
                        d = self.result(i.at, word, File::W)?.into();
                    }
                    if *predicate != "_" {
                        p = self.result(i.at, predicate, File::P)?.into();
                    }
                }
                _ => return bad(self),
            }
            operands = rest;
        }
        let source = match what {
            Collective::Sync | Collective::ActiveMask | Collective::Elect => {
                let [] = operands else { return bad(self) };
                CollectiveSource::Nothing
            }
            Collective::VoteAll | Collective::VoteAny | Collective::VoteUniform | Collective::Ballot => {
                let [predicate] = operands else { return bad(self) };
                CollectiveSource::Predicate(self.source(i.at, predicate, File::P)?.0)
            }
            Collective::MatchAny | Collective::MatchAll | Collective::Reduce(_) => {
                let [value] = operands else { return bad(self) };
                let file = file_of(i.modifiers.last().is_some_and(|ty| ty.ends_with("64")));
                CollectiveSource::Value(file, self.source(i.at, value, file)?.0)
            }
            Collective::ShuffleUp
            | Collective::ShuffleDown
            | Collective::ShuffleButterfly
            | Collective::ShuffleIndex => {
                let [value, lane, clamp] = operands else { return bad(self) };
                CollectiveSource::Shuffle {
                    value: self.source(i.at, value, File::W)?.0,
                    lane: self.source(i.at, lane, File::W)?.0,
                    clamp: self.source(i.at, clamp, File::W)?.0,
                }
            }
        };
        let collective = self.enter(i.at, CollectiveOperands { collective: what, d, p, source, members })?;
        self.emit(Inst { guard, op: Op::Collective { collective } });
        Ok(())
    }
}
