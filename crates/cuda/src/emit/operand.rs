//! Registers and immediate operands.

use crate::ir::{Space, Type};

/// Class of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Class {
    /// `%p`
    Predicate,
    /// `%rs`
    Half,
    /// `%r`
    Word,
    /// `%rd`
    Long,
    /// `%f`
    Float,
    /// `%fd`
    Double,
}

/// Classes in the order in which registers are declared.
pub(super) const CLASSES: [Class; 6] =
    [Class::Predicate, Class::Half, Class::Float, Class::Word, Class::Double, Class::Long];

impl Class {
    /// Class of a type's registers. Bits above the eighth of an 8-bit value are unknown.
    pub(super) fn of(ty: Type) -> Class {
        match ty {
            Type::Pred => Class::Predicate,
            Type::I8 | Type::I16 => Class::Half,
            Type::I32 => Class::Word,
            Type::I64 | Type::Ptr(_) => Class::Long,
            Type::F32 => Class::Float,
            Type::F64 => Class::Double,
        }
    }

    /// What a register's name begins with.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Class::Predicate => "%p",
            Class::Half => "%rs",
            Class::Word => "%r",
            Class::Long => "%rd",
            Class::Float => "%f",
            Class::Double => "%fd",
        }
    }

    /// Type that it is declared with.
    pub(super) fn declared(self) -> &'static str {
        match self {
            Class::Predicate => "pred",
            Class::Half => "b16",
            Class::Word => "b32",
            Class::Long => "b64",
            Class::Float => "f32",
            Class::Double => "f64",
        }
    }

    /// Type of a move.
    pub(super) fn moved(self) -> &'static str {
        match self {
            Class::Predicate => "pred",
            Class::Half => "u16",
            Class::Word => "u32",
            Class::Long => "u64",
            Class::Float => "f32",
            Class::Double => "f64",
        }
    }
}

/// Register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Register {
    pub(super) class: Class,
    pub(super) number: u32,
}

/// What an instruction reads: a register or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operand {
    Register(Register),
    /// Integer, in decimal.
    Integer(i64),
    /// Bits of a float.
    Float(u32),
    /// Bits of a double.
    Double(u64),
}

/// Constant of a type as PTX writes it: integers signed.
pub(super) fn immediate(ty: Type, bits: u64) -> Operand {
    match ty {
        Type::Pred => Operand::Integer(-i64::from(bits as u8 & 1)),
        Type::I8 => Operand::Integer(i64::from(bits as i8)),
        Type::I16 => Operand::Integer(i64::from(bits as i16)),
        Type::I32 => Operand::Integer(i64::from(bits as i32)),
        Type::I64 | Type::Ptr(_) => Operand::Integer(bits as i64),
        Type::F32 => Operand::Float(bits as u32),
        Type::F64 => Operand::Double(bits),
    }
}

/// A space as instructions name it, with its point.
pub(super) fn space(space: Space) -> &'static str {
    match space {
        Space::Generic => "",
        Space::Global => ".global",
        Space::Shared => ".shared",
        Space::Constant => ".const",
        Space::Local => ".local",
        Space::Param => ".param",
    }
}

/// Bits of an integer type's operations in PTX, as names of instructions have them.
pub(super) fn width(ty: Type) -> &'static str {
    match ty {
        Type::Pred => "1",
        Type::I8 | Type::I16 => "16",
        Type::I32 | Type::F32 => "32",
        Type::I64 | Type::F64 | Type::Ptr(_) => "64",
    }
}

/// A float type's name in PTX.
pub(super) fn float(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "f32",
        _ => "f64",
    }
}
