//! Rows of the compiler's own functions as candidates of calls.
//!
//! Enters: rows and operands. Leaves: candidates. This module must never know how they are ranked.

use crate::builtin::Builtin;
use crate::hir::{Integer, Type};

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::overload::{Candidate, Failure};
use crate::check::calls::reason::Reason;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::types::kind::plain;

impl Output {
    /// Type of a letter of the table's signatures.
    pub(crate) fn letter(&mut self, letter: char) -> Option<Type> {
        Some(match letter {
            'v' => self.basic().void,
            'c' => self.integer(Integer::SChar),
            'C' => self.integer(Integer::UChar),
            't' => self.basic().char,
            's' => self.integer(Integer::Short),
            'S' => self.integer(Integer::UShort),
            'i' | 'q' | 'k' => self.basic().int,
            'u' => self.basic().uint,
            'n' => self.basic().long,
            'N' => self.basic().ulong,
            'l' => self.integer(Integer::LongLong),
            'L' => self.integer(Integer::ULongLong),
            'f' => self.basic().float,
            'd' => self.basic().double,
            _ => return None,
        })
    }

    /// Result and parameters of a row.
    pub(crate) fn builtin_signature(&mut self, row: &Builtin, choice: Type) -> Option<(Type, Vec<Type>)> {
        let mut types = vec![];
        let mut stars: Vec<char> = vec![];
        for letter in row.signature.chars() {
            match letter {
                '*' | '^' => stars.push(letter),
                '(' | ')' => {}
                _ => {
                    let mut ty = if letter == 'T' { choice } else { self.letter(letter)? };
                    for star in stars.drain(..).rev() {
                        if star == '^' {
                            ty = crate::check::types::kind::constant(ty);
                        }
                        ty = self.pointer(ty);
                    }
                    types.push(ty);
                }
            }
        }
        let result = *types.first()?;
        Some((result, types.get(1..)?.to_vec()))
    }
}

impl Checker<'_> {
    /// Candidates that a row of the compiler's table makes.
    pub(crate) fn builtin_candidates(
        &mut self,
        row: &'static Builtin,
        operands: &[Operand],
        user: bool,
        fitting: &mut Vec<Candidate>,
        failures: &mut Vec<Failure>,
    ) {
        let choices: Vec<Type> = match row.types {
            "" => vec![self.program.basic().void],
            "any" => match self.pointed_type(row, operands) {
                Some(ty) => vec![ty],
                None => vec![],
            },
            letters => letters.chars().filter_map(|letter| self.program.letter(letter)).collect(),
        };
        let mut why = Reason::Pointer;
        let (mut wrong, mut wanted) = (None, None);
        let mut best = None;
        let mut found = false;
        let mut names = vec![];
        for choice in choices {
            let Some((result, params)) = self.program.builtin_signature(row, choice) else { continue };
            if params.len() != operands.len() {
                why = Reason::Count { least: params.len(), most: params.len(), given: operands.len() };
                continue;
            }
            let mut sequences = vec![];
            let mut failure = None;
            for (at, (operand, to)) in operands.iter().zip(&params).enumerate() {
                match self.conversion(operand, *to, user) {
                    Some(sequence) => sequences.push(sequence),
                    None if failure.is_none() => {
                        let from = operand.ty().map_or_else(|| "list".to_owned(), |ty| self.program.show(ty));
                        let why = Reason::Conversion { argument: at, from, to: self.program.show(*to) };
                        failure = Some((why, operand.span(), (at, *to)));
                    }
                    None => {}
                }
            }
            names.push(self.program.show(choice));
            // The overload that is nearest tells what is wrong: the one for what the first argument is, if there is one.
            let own = operands.first().and_then(Operand::ty).is_some_and(|ty| plain(ty) == choice);
            let near = (sequences.len(), own);
            if let Some((text, at, to)) = failure
                && best.is_none_or(|best| near > best)
            {
                (best, why, wrong, wanted) = (Some(near), text, Some(at), Some(to));
            }
            if sequences.len() == params.len() {
                found = true;
                let callee = Callee::Builtin(row, choice, result, params);
                fitting.push(Candidate { callee, sequences, template: false, object: false });
            }
        }
        if !found {
            let pointed = operands.first().and_then(Operand::ty).and_then(|ty| self.program.pointee(ty));
            if let Some(to) = pointed
                && row.signature.contains("(*T")
                && wrong.is_some_and(|at| operands.first().is_some_and(|first| first.span() == at))
                && row.types != "any"
            {
                if to.constant {
                    (why, wanted) = (Reason::ConstPointee, None);
                } else {
                    let shown = self.program.show(plain(to));
                    why = Reason::Overload { shown, others: names };
                }
            }
            failures.push(Failure { place: None, name: row.name.to_owned(), why, at: wrong, wanted });
        }
    }

    /// What the first pointer among the operands points to, where a row takes any such type.
    pub(crate) fn pointed_type(&mut self, row: &Builtin, operands: &[Operand]) -> Option<Type> {
        let at = row.signature.split_once('(')?.1.find(['^', '*'])?;
        let _ = at;
        let ty = operands.first()?.ty()?;
        let pointer = self.program.decayed(ty);
        let to = plain(self.program.pointee(pointer)?);
        if (self.program.is_arithmetic(to) && !self.program.is_bool(to)) || self.is_vector(to) {
            return Some(to);
        }
        None
    }

    /// Whether a type is a vector that one instruction loads.
    pub(crate) fn is_vector(&mut self, ty: Type) -> bool {
        let Some(record) = self.program.record_of(ty) else { return false };
        self.complete_record(record);
        let one = &self.program[record];
        let Some(first) = one.fields.first() else { return false };
        let scalar = self.program.is_arithmetic(first.ty);
        let same = one.fields.iter().all(|field| field.ty == first.ty && !field.base && field.bits.is_none());
        let (size, count) = (one.size, one.fields.len());
        scalar
            && same
            && matches!(count, 2 | 4)
            && size <= 16
            && u64::from(one.align) == size
            && self.messages.ours(self.classes[record].span)
    }
}
