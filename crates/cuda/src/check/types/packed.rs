//! Classes of CUDA's headers that pack two numbers of 16 bits, and what makes one of a number.
//!
//! Enters: a class. Leaves: what to write for it. This module must never know where it is written.

use crate::check::context::output::Output;
use crate::hir::{RecordId, Type};

/// A class of two numbers of 16 bits.
#[derive(Debug)]
pub(crate) struct Packed {
    name: &'static str,
    /// The class of one of them.
    half: &'static str,
    /// What makes it of one.
    pub(crate) of_half: &'static str,
    /// What makes it of a number, where one is initialised.
    pub(crate) of_number: Option<&'static str>,
    /// What makes it of the other operand of an operator.
    pub(crate) of_operand: &'static str,
}

const PACKED: [Packed; 2] = [
    Packed {
        name: "__half2",
        half: "__half",
        of_half: "`__half2half2(x)` copies it to both halves, `__halves2half2(x, y)` combines two of them",
        of_number: Some("`__float2half2_rn(x)` copies it to both halves"),
        of_operand: "copy the number to both halves: `__float2half2_rn(x)`",
    },
    Packed {
        name: "__nv_bfloat162",
        half: "__nv_bfloat16",
        of_half: "`__bfloat162bfloat162(x)` copies it to both halves",
        of_number: None,
        of_operand: "copy the number to both halves: `__float2bfloat162_rn(x)`",
    },
];

impl Packed {
    /// Whether a class is that of one of the two numbers.
    pub(crate) fn is_of(&self, record: RecordId, program: &Output) -> bool {
        *program[record].name == *self.half
    }
}

impl Output {
    /// The class of two numbers of 16 bits that a type is.
    pub(crate) fn packed(&self, ty: Type) -> Option<&'static Packed> {
        let record = self.record_of(ty)?;
        PACKED.iter().find(|one| *self[record].name == *one.name)
    }
}
