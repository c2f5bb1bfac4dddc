//! Lines of PTX, put together out of pieces: most of the emitter's time would go into `format!` and its strings.
//!
//! Enters: words, operands, addresses. Leaves: text. This module must never know what an instruction does.

use super::operand::{Operand, Register};

/// Part of a line.
#[derive(Clone, Copy)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Texts(&'a [&'a str]),
    Operand(Operand),
    /// With commas between them.
    Operands(&'a [Operand]),
    Address(Address<'a>),
    /// Of labels and parameters.
    Number(u64),
}

/// Address as instructions write it, without its brackets.
#[derive(Clone, Copy)]
pub(super) struct Address<'a> {
    pub(super) base: Base<'a>,
    pub(super) offset: i64,
}

/// What an address begins at.
#[derive(Clone, Copy)]
pub(super) enum Base<'a> {
    Register(Register),
    Variable(&'a str),
    /// Parameter of a number, of the function of that name.
    Parameter(&'a str, usize),
    /// The function's local memory.
    Local,
}

/// Writes a line: `line!(writer, "bra \t", label, ";")`.
macro_rules! line {
    ($writer:expr, $($piece:expr),+) => {
        $writer.line(&[$($crate::emit::text::Piece::from($piece)),+])
    };
}

/// Writes an instruction of registers and numbers: the parts of its name, `=>`, and its operands.
macro_rules! op {
    ($writer:expr, $($name:expr),+ => $($operand:expr),+) => {
        $writer.op(&[$($name),+], &[$($crate::emit::operand::Operand::from($operand)),+])
    };
}

pub(super) use {line, op};

impl<'a> From<&'a str> for Piece<'a> {
    fn from(text: &'a str) -> Self {
        Piece::Text(text)
    }
}

impl<'a> From<&'a String> for Piece<'a> {
    fn from(text: &'a String) -> Self {
        Piece::Text(text)
    }
}

impl<'a> From<&'a [&'a str]> for Piece<'a> {
    fn from(texts: &'a [&'a str]) -> Self {
        Piece::Texts(texts)
    }
}

impl From<Register> for Piece<'_> {
    fn from(register: Register) -> Self {
        Piece::Operand(Operand::Register(register))
    }
}

impl From<Operand> for Piece<'_> {
    fn from(operand: Operand) -> Self {
        Piece::Operand(operand)
    }
}

impl<'a> From<&'a [Operand]> for Piece<'a> {
    fn from(operands: &'a [Operand]) -> Self {
        Piece::Operands(operands)
    }
}

impl<'a> From<&'a Vec<Operand>> for Piece<'a> {
    fn from(operands: &'a Vec<Operand>) -> Self {
        Piece::Operands(operands)
    }
}

impl<'a> From<Address<'a>> for Piece<'a> {
    fn from(address: Address<'a>) -> Self {
        Piece::Address(address)
    }
}

impl From<usize> for Piece<'_> {
    fn from(number: usize) -> Self {
        Piece::Number(number as u64)
    }
}

impl From<u64> for Piece<'_> {
    fn from(number: u64) -> Self {
        Piece::Number(number)
    }
}

impl From<Register> for Operand {
    fn from(register: Register) -> Self {
        Operand::Register(register)
    }
}

impl From<i64> for Operand {
    fn from(number: i64) -> Self {
        Operand::Integer(number)
    }
}

/// Writes pieces one after the other.
pub(super) fn pieces(out: &mut String, pieces: &[Piece<'_>]) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Texts(texts) => texts.iter().for_each(|text| out.push_str(text)),
            Piece::Operand(one) => operand(out, *one),
            Piece::Operands(list) => operands(out, list),
            Piece::Address(one) => address(out, *one),
            Piece::Number(number) => decimal(out, *number),
        }
    }
}

/// Writes operands with commas between them.
pub(super) fn operands(out: &mut String, list: &[Operand]) {
    for (number, one) in list.iter().enumerate() {
        out.push_str(if number > 0 { ", " } else { "" });
        operand(out, *one);
    }
}

/// Writes a register or a number.
pub(super) fn operand(out: &mut String, operand: Operand) {
    match operand {
        Operand::Register(register) => {
            out.push_str(register.class.prefix());
            decimal(out, u64::from(register.number));
        }
        Operand::Integer(value) => signed(out, value),
        Operand::Float(bits) => {
            out.push_str("0f");
            hexadecimal(out, u64::from(bits), 8);
        }
        Operand::Double(bits) => {
            out.push_str("0d");
            hexadecimal(out, bits, 16);
        }
    }
}

fn address(out: &mut String, address: Address<'_>) {
    match address.base {
        Base::Register(register) => operand(out, Operand::Register(register)),
        Base::Variable(name) => out.push_str(name),
        Base::Parameter(function, number) => {
            out.push_str(function);
            out.push_str("_param_");
            decimal(out, number as u64);
        }
        Base::Local => out.push_str("%SPL"),
    }
    if address.offset != 0 {
        out.push('+');
        signed(out, address.offset);
    }
}

fn signed(out: &mut String, value: i64) {
    if value < 0 {
        out.push('-');
    }
    decimal(out, value.unsigned_abs());
}

/// Writes a number in decimal.
pub(super) fn decimal(out: &mut String, value: u64) {
    // Nearly all have one digit or two.
    if value >= 10 {
        decimal(out, value / 10);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
}

/// Writes the lowest digits of a number in hexadecimal.
fn hexadecimal(out: &mut String, value: u64, digits: u32) {
    for digit in (0..digits).rev() {
        let digit = (value >> (4 * digit) & 15) as u8;
        out.push(char::from(if digit < 10 { b'0' + digit } else { b'A' + digit - 10 }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_ptx_reads_them() {
        let text = |one| {
            let mut out = String::new();
            operand(&mut out, one);
            out
        };
        assert_eq!(text(Operand::Integer(0)), "0");
        assert_eq!(text(Operand::Integer(i64::MIN)), i64::MIN.to_string());
        assert_eq!(text(Operand::Integer(i64::MAX)), i64::MAX.to_string());
        assert_eq!(text(Operand::Float(0x3f80_00ab)), "0f3F8000AB");
        assert_eq!(text(Operand::Double(0xfff0_0000_0000_0001)), "0dFFF0000000000001");
        let mut out = String::new();
        decimal(&mut out, u64::MAX);
        assert_eq!(out, u64::MAX.to_string());
    }

    #[test]
    fn addresses_are_a_base_and_a_distance() {
        let mut out = String::new();
        let base = Base::Parameter("k", 12);
        pieces(&mut out, &[Piece::from(Address { base, offset: -8 }), Piece::from(";")]);
        assert_eq!(out, "k_param_12+-8;");
    }
}
