//! Inline assembly.

use crate::evaluate::{self, Constant, Known, Scalar};
use crate::hir;
use crate::ir::{Asm, Convert, Op, Type, Value};

use super::address::Address;
use super::function::Body;
use super::value_type;

/// Type of a register of a class.
fn class_type(class: u8) -> Option<Type> {
    match class {
        b'h' => Some(Type::I16),
        b'r' => Some(Type::I32),
        b'l' => Some(Type::I64),
        b'f' => Some(Type::F32),
        b'd' => Some(Type::F64),
        _ => None,
    }
}

impl<'a> Body<'a, '_> {
    /// An `asm` statement. An operand that is read and written is an output, and an input more at the end, which an
    /// instruction at the beginning of the text copies into it.
    pub(super) fn asm(&mut self, asm: &'a hir::Asm) {
        let mut classes = vec![];
        let mut numbers = vec![];
        let mut args = vec![];
        let places: Vec<Address> = asm.outputs.iter().map(|(_, place, _)| self.place(place)).collect();
        for (class, ..) in &asm.outputs {
            classes.push(*class);
        }
        for (class, expr) in &asm.inputs {
            let number = classes.len() as u32;
            classes.push(*class);
            match class_type(*class) {
                Some(ty) => {
                    let value = self.value(expr);
                    let kind = self.scalar(expr.ty).unwrap_or(Scalar::Void);
                    let value = self.at_span(expr.span, |body| body.register(value, kind, ty));
                    args.push(value);
                }
                None => match evaluate::evaluate(self.program, Known::default(), expr) {
                    Ok(Constant::Integer(value)) => numbers.push((number, value as i64)),
                    Ok(_) | Err(_) => {
                        let message = "an operand with constraint \"n\" must be an integer constant";
                        self.shared.refuse(expr.span, message);
                    }
                },
            }
        }
        let mut text = String::new();
        for (number, ((class, _, read), address)) in asm.outputs.iter().zip(&places).enumerate() {
            let Some(ty) = class_type(*class) else {
                self.shared.refuse(self.here, "an output with constraint \"n\"");
                return;
            };
            if *read {
                text += &format!("mov.{} %{number}, %{}; ", moved(ty), classes.len());
                classes.push(*class);
                let before = self.load(*address);
                let kind = self.scalar(address.ty).unwrap_or(Scalar::Void);
                let before = self.register(before, kind, ty);
                args.push(before);
            }
        }
        text += &asm.text;
        let results: Vec<Type> = asm.outputs.iter().filter_map(|(class, ..)| class_type(*class)).collect();
        let op = Asm { text, classes, numbers, volatile: asm.volatile, memory: asm.memory };
        let inst = self.push(Op::Asm(Box::new(op)), args, &results);
        for (number, address) in places.into_iter().enumerate() {
            let value = self.result(inst, number);
            let kind = self.scalar(address.ty).unwrap_or(Scalar::Void);
            let value = self.unregister(value, kind);
            self.store(address, value);
        }
    }

    /// A value in a register of a type.
    fn register(&mut self, value: Value, kind: Scalar, to: Type) -> Value {
        let from = value_type(kind);
        match kind {
            _ if from == to => value,
            Scalar::Integer { signed, .. } if integer(to) => self.resize(value, signed, to),
            Scalar::Bool if integer(to) => self.change(Convert::ZeroExtend, value, to),
            Scalar::Pointer if to == Type::I64 => self.change(Convert::Bits, value, to),
            Scalar::Integer { .. } | Scalar::Float | Scalar::Double if from.bytes() == to.bytes() => {
                self.change(Convert::Bits, value, to)
            }
            Scalar::Integer { .. }
            | Scalar::Float
            | Scalar::Double
            | Scalar::Bool
            | Scalar::Pointer
            | Scalar::Void => self.unfit(to),
        }
    }

    /// The value of a register as a scalar.
    fn unregister(&mut self, value: Value, kind: Scalar) -> Value {
        let (from, to) = (self.ty(value), value_type(kind));
        match kind {
            _ if from == to => value,
            Scalar::Integer { signed, .. } if integer(from) => self.resize(value, signed, to),
            Scalar::Bool if integer(from) => {
                self.convert(value, Scalar::Integer { bits: from.bytes() * 8, signed: false }, kind)
            }
            Scalar::Pointer if from == Type::I64 => self.change(Convert::Bits, value, to),
            Scalar::Integer { .. } | Scalar::Float | Scalar::Double if from.bytes() == to.bytes() => {
                self.change(Convert::Bits, value, to)
            }
            Scalar::Integer { .. }
            | Scalar::Float
            | Scalar::Double
            | Scalar::Bool
            | Scalar::Pointer
            | Scalar::Void => self.unfit(to),
        }
    }

    fn unfit(&mut self, ty: Type) -> Value {
        self.shared.refuse(self.here, "an operand of `asm` whose type does not match its constraint");
        self.undefined(ty)
    }
}

fn integer(ty: Type) -> bool {
    match ty {
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => true,
        Type::Pred | Type::F32 | Type::F64 | Type::Ptr(_) => false,
    }
}

/// Type of `mov` for a register.
fn moved(ty: Type) -> &'static str {
    match ty {
        Type::I8 | Type::I16 => "b16",
        Type::I32 => "b32",
        Type::I64 | Type::Ptr(_) => "b64",
        Type::F32 => "f32",
        Type::F64 => "f64",
        Type::Pred => "pred",
    }
}
