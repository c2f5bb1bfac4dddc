//! Operands: registers, constants, vectors, addresses, lists of a call.

use crate::ast::Operand;
use crate::constant;
use crate::cursor::{Cursor, Result};
use crate::lexer::Is;

impl<'a> Cursor<'a, '_> {
    /// One operand; `depth` counts the lists and masks around it.
    pub(crate) fn operand(&mut self, depth: u32) -> Result<Operand<'a>> {
        if depth > 4 {
            return self.fail("operands are nested too deeply");
        }
        match (self.peek(), self.peek_second()) {
            // A number alone, which is nearly all of them.
            (Is::Integer(value) | Is::Unsigned(value), Is::Mark(b',' | b';' | b'}')) => {
                self.take();
                Ok(Operand::Integer(value))
            }
            (Is::F32(bits), _) => {
                self.take();
                Ok(Operand::F32(bits))
            }
            (Is::Mark(b'-'), Is::F32(bits)) => {
                self.take();
                self.take();
                Ok(Operand::F32(bits ^ 1 << 31))
            }
            (Is::Mark(b'-'), Is::Word(name)) if name != "WARP_SZ" => {
                self.take();
                self.take();
                Ok(Operand::Negative(name, self.component()))
            }
            (Is::Mark(b'!'), Is::Word(name)) if name != "WARP_SZ" => {
                self.take();
                self.take();
                Ok(Operand::Not(name))
            }
            (Is::Integer(mask) | Is::Unsigned(mask), Is::Mark(b'(')) => {
                self.take();
                self.take();
                let of = self.operand(depth + 1)?;
                self.mark(b')')?;
                Ok(Operand::Masked(mask, Box::new(of)))
            }
            (Is::Dot(_) | Is::Integer(_) | Is::Unsigned(_) | Is::F64(_), _)
            | (Is::Mark(b'-' | b'+' | b'~' | b'!' | b'('), _) => constant::operand(self),
            (Is::Word("WARP_SZ"), Is::Mark(mark)) if !b",;])}".contains(&mark) => constant::operand(self),
            (Is::Mark(b'{'), _) => {
                self.take();
                self.vector(depth)
            }
            (Is::Mark(b'['), _) => {
                self.take();
                self.address(depth)
            }
            (Is::Word(word), second) => self.named(word, second),
            _ => self.expected("an operand"),
        }
    }

    /// An operand that begins with a word, which is not taken yet; `second` follows it.
    fn named(&mut self, word: &'a str, second: Is<'a>) -> Result<Operand<'a>> {
        self.take();
        match (word, second) {
            ("generic", Is::Mark(b'(')) => {
                self.take();
                let symbol = self.word("a symbol")?;
                let inner = self.offset()?;
                self.mark(b')')?;
                Ok(Operand::Sum { symbol, offset: inner.wrapping_add(self.offset()?), generic: true })
            }
            (_, Is::Mark(b'|')) => {
                self.take();
                Ok(Operand::Pair(word, self.word("a register after `|`")?))
            }
            (_, Is::Mark(b'+' | b'-')) => {
                Ok(Operand::Sum { symbol: word, offset: self.offset()?, generic: false })
            }
            (_, Is::Mark(b'[')) => {
                self.take();
                let (register, index) = match self.peek() {
                    Is::Word(name) if name != "WARP_SZ" => {
                        self.take();
                        (Some(name), self.offset()?)
                    }
                    _ => (None, self.integer("an element's number")? as i64),
                };
                self.mark(b']')?;
                Ok(Operand::Element { symbol: word, index, register, bytes: 0 })
            }
            _ => Ok(Operand::Name(word, self.component())),
        }
    }

    /// `%r1, %r2}`, and the predicate that some instructions have after it.
    fn vector(&mut self, depth: u32) -> Result<Operand<'a>> {
        let vector = self.list(b'}', depth)?;
        if self.if_mark(b'|') {
            return Ok(Operand::VectorPair(vector, self.word("a predicate register after `|`")?));
        }
        Ok(Operand::Vector(vector))
    }

    /// `.x` after a register.
    fn component(&mut self) -> Option<&'a str> {
        match self.peek() {
            Is::Dot(member) => {
                self.take();
                Some(member)
            }
            _ => None,
        }
    }

    pub(crate) fn list(&mut self, end: u8, depth: u32) -> Result<Vec<Operand<'a>>> {
        let mut list = vec![];
        if self.if_mark(end) {
            return Ok(list);
        }
        loop {
            list.push(self.operand(depth + 1)?);
            if self.if_mark(end) {
                return Ok(list);
            }
            self.mark(b',')?;
        }
    }

    /// Reads an address after `[`.
    fn address(&mut self, depth: u32) -> Result<Operand<'a>> {
        let first = match self.peek() {
            Is::Word(base) => {
                self.take();
                Operand::Address { base: Some(base), offset: self.offset()? }
            }
            _ => Operand::Address {
                base: None,
                offset: self.integer("a register, a symbol or an address")? as i64,
            },
        };
        if self.if_mark(b']') {
            return Ok(first);
        }
        if self.peek() != Is::Mark(b',') {
            return self.expected("`]`");
        }
        self.take();
        let mut all = vec![first];
        all.extend(self.list(b']', depth)?);
        Ok(Operand::Access(all))
    }

    /// `+4`, `+-4`, `-4`, `+(1<<2)`, several of them, or nothing.
    fn offset(&mut self) -> Result<i64> {
        let mut sum = 0i64;
        loop {
            let negative = match self.peek() {
                Is::Mark(b'+') => false,
                Is::Mark(b'-') => true,
                _ => return Ok(sum),
            };
            self.take();
            let value = match self.peek() {
                Is::Integer(_)
                | Is::Unsigned(_)
                | Is::Mark(b'-' | b'+' | b'~' | b'(')
                | Is::Word("WARP_SZ") => constant::term(self)? as i64,
                _ => return self.expected("an offset"),
            };
            sum = if negative { sum.wrapping_sub(value) } else { sum.wrapping_add(value) };
        }
    }
}
