//! How many low bits of each value are known to be zero.

use super::super::Context;
use crate::ir::{Binary, Block, Convert, Def, Function, InstData, Op, Type, Value};

/// Most bits that matter: addresses of 16 bytes.
const MOST: u32 = 4;

/// Zero bits at the end of each value.
pub(super) struct Alignment {
    zeros: Vec<u32>,
}

impl Alignment {
    /// Looks at a function: parameters of blocks begin as aligned as can be, and lose what an edge does not bring.
    pub(super) fn new(function: &Function, context: &Context<'_>, order: &[Block]) -> Self {
        let mut this = Self { zeros: vec![MOST; function.values.len()] };
        if let Some(entry) = function.blocks.first() {
            for value in &entry.params {
                let param = function.params.iter().find(|param| param.value == *value);
                let align = param.and_then(|param| param.bytes).map_or(1, |(_, align)| align.max(1));
                this.zeros[value.index()] = align.trailing_zeros().min(MOST);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in order {
                let data = &function.blocks[block.index()];
                for inst in &data.insts {
                    let data = &function.insts[inst.index()];
                    let zeros = this.made(function, context, data).min(MOST);
                    for result in &data.results {
                        changed |= zeros < this.zeros[result.index()];
                        this.zeros[result.index()] = zeros.min(this.zeros[result.index()]);
                    }
                }
                for edge in data.end.edges() {
                    for (param, arg) in function.blocks[edge.block.index()].params.iter().zip(&edge.args) {
                        let zeros = this.zeros_of(function, *arg);
                        changed |= zeros < this.zeros[param.index()];
                        this.zeros[param.index()] = zeros.min(this.zeros[param.index()]);
                    }
                }
            }
        }
        this
    }

    /// Bytes that a pointer is known to be a multiple of.
    pub(super) fn of(&self, value: Value) -> u32 {
        self.zeros.get(value.index()).map_or(1, |zeros| 1 << zeros)
    }

    fn zeros_of(&self, function: &Function, value: Value) -> u32 {
        match function.values[value.index()].def {
            Def::Constant(bits) => bits.get().trailing_zeros().min(MOST),
            Def::Undefined => MOST,
            Def::Result(..) | Def::Param(..) | Def::Alias(_) => self.zeros[value.index()],
        }
    }

    fn made(&self, function: &Function, context: &Context<'_>, inst: &InstData) -> u32 {
        let arg = |number: usize| inst.args.get(number).map_or(0, |value| self.zeros_of(function, *value));
        match &inst.op {
            Op::Binary(op) => match op {
                Binary::Add(_) | Binary::Sub(_) | Binary::Or | Binary::Xor => arg(0).min(arg(1)),
                Binary::SMin | Binary::SMax | Binary::UMin | Binary::UMax => arg(0).min(arg(1)),
                Binary::And => arg(0).max(arg(1)),
                Binary::Mul(_) => arg(0) + arg(1),
                Binary::Shl(_) => {
                    let by = inst.args.get(1).and_then(|by| function.constant(*by)).unwrap_or(0);
                    arg(0).saturating_add(by.min(u64::from(MOST)) as u32)
                }
                Binary::SDiv
                | Binary::UDiv
                | Binary::SRem
                | Binary::URem
                | Binary::LShr
                | Binary::AShr
                | Binary::FAdd
                | Binary::FSub
                | Binary::FMul
                | Binary::FDiv
                | Binary::FMin
                | Binary::FMax => 0,
            },
            Op::Select => arg(1).min(arg(2)),
            Op::Offset => arg(0).min(arg(1)),
            Op::Global(id) => {
                context.globals.get(id.index()).map_or(0, |global| global.align.max(1).trailing_zeros())
            }
            Op::Slot { align, .. } => (*align).max(1).trailing_zeros(),
            Op::Convert(kind) => match kind {
                Convert::ZeroExtend | Convert::SignExtend | Convert::Truncate | Convert::Space => arg(0),
                Convert::Bits => {
                    let integer = |value: Option<&Value>| {
                        value.is_some_and(|value| matches!(function.ty(*value), Type::I64 | Type::Ptr(_)))
                    };
                    if integer(inst.args.first()) && integer(inst.results.first()) { arg(0) } else { 0 }
                }
                Convert::SToF | Convert::UToF | Convert::FToS | Convert::FToU | Convert::Float => 0,
            },
            Op::Unary(crate::ir::Unary::Neg) => arg(0),
            Op::Unary(_)
            | Op::Compare(_)
            | Op::Fma
            | Op::Load(_)
            | Op::Store(_)
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Function(_)
            | Op::Call(_)
            | Op::CallIndirect
            | Op::Builtin(..)
            | Op::Asm(_) => 0,
        }
    }
}
