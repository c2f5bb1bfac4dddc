//! Accesses that are wider than their alignment, as fields of packed records have them.
//!
//! Enters: a function in which any access may say any alignment. Leaves: one in which every element is accessed at a multiple of
//! its size, in as many parts as it takes: PTX has no other accesses.

use crate::ir::{Access, Binary, Block, Convert, DebugLocation, Def, Function, Inst, Op, Type, Value, Wrap};

/// Splits such accesses; whether there were any.
pub(crate) fn run(function: &mut Function) -> bool {
    let mut changed = false;
    for block in 0..function.blocks.len() {
        let block = Block(block as u32);
        let insts = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut split =
            Split { function, out: Vec::with_capacity(insts.len()), place: DebugLocation::default() };
        for inst in insts {
            changed |= split.inst(inst);
        }
        let out = split.out;
        function.blocks[block.index()].insts = out;
    }
    changed
}

struct Split<'a> {
    function: &'a mut Function,
    out: Vec<Inst>,
    place: DebugLocation,
}

/// Integer of a number of bytes.
fn integer(bytes: u32) -> Type {
    match bytes {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        _ => Type::I64,
    }
}

impl Split<'_> {
    /// Takes an instruction over, in parts where it must be.
    fn inst(&mut self, inst: Inst) -> bool {
        let data = self.function.insts[inst.index()].clone();
        self.place = data.place;
        match (data.op, data.args.as_slice()) {
            (Op::Load(access), [pointer]) => {
                let Some(ty) = data.results.first().map(|result| self.function.ty(*result)) else {
                    self.out.push(inst);
                    return false;
                };
                if access.align >= ty.bytes() {
                    self.out.push(inst);
                    return false;
                }
                for (number, result) in data.results.iter().enumerate() {
                    let value = self.load(access, *pointer, number as u64 * u64::from(ty.bytes()), ty);
                    self.function.replace(*result, value);
                }
                // Its results stand for others now.
                self.function.insts[inst.index()].results.clear();
                true
            }
            (Op::Store(access), [pointer, values @ ..]) => {
                let wide = values.first().map_or(0, |value| self.function.ty(*value).bytes());
                if access.align >= wide {
                    self.out.push(inst);
                    return false;
                }
                for (number, value) in values.iter().enumerate() {
                    self.store(access, *pointer, number as u64 * u64::from(wide), *value);
                }
                true
            }
            _ => {
                self.out.push(inst);
                false
            }
        }
    }

    fn one(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        let inst = self.function.inst(op, args, &[ty], self.place);
        self.out.push(inst);
        self.function.insts[inst.index()].results[0]
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.function.value(ty, Def::constant(bits))
    }

    fn at(&mut self, pointer: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return pointer;
        }
        let by = self.constant(Type::I64, bytes);
        let ty = self.function.ty(self.function.resolve(pointer));
        self.one(Op::Offset, vec![pointer, by], ty)
    }

    /// Bytes of a part, and the access to it.
    fn part(access: Access) -> (u32, Access) {
        let bytes = if access.align.is_power_of_two() { access.align } else { 1 };
        (bytes, Access { align: bytes, ..access })
    }

    fn load(&mut self, access: Access, pointer: Value, offset: u64, ty: Type) -> Value {
        let (bytes, access) = Self::part(access);
        let whole = if ty.bytes() == 8 { Type::I64 } else { Type::I32 };
        let mut sum = None;
        for number in 0..ty.bytes() / bytes {
            let at = self.at(pointer, offset + u64::from(number * bytes));
            let part = self.one(Op::Load(access), vec![at], integer(bytes));
            let wide = if bytes == whole.bytes() {
                part
            } else {
                self.one(Op::Convert(Convert::ZeroExtend), vec![part], whole)
            };
            sum = Some(match sum {
                None => wide,
                Some(sum) => {
                    let by = self.constant(Type::I32, u64::from(8 * number * bytes));
                    let high = self.one(Op::Binary(Binary::Shl(Wrap::default())), vec![wide, by], whole);
                    self.one(Op::Binary(Binary::Or), vec![sum, high], whole)
                }
            });
        }
        let sum = match sum {
            Some(sum) => sum,
            None => self.constant(whole, 0),
        };
        match ty {
            Type::I8 | Type::I16 => self.one(Op::Convert(Convert::Truncate), vec![sum], ty),
            Type::F32 | Type::F64 | Type::Ptr(_) => self.one(Op::Convert(Convert::Bits), vec![sum], ty),
            Type::I32 | Type::I64 | Type::Pred => sum,
        }
    }

    fn store(&mut self, access: Access, pointer: Value, offset: u64, value: Value) {
        let (bytes, access) = Self::part(access);
        let ty = self.function.ty(self.function.resolve(value));
        let whole = integer(ty.bytes());
        let bits = match ty {
            Type::F32 | Type::F64 | Type::Ptr(_) => self.one(Op::Convert(Convert::Bits), vec![value], whole),
            Type::Pred | Type::I8 | Type::I16 | Type::I32 | Type::I64 => value,
        };
        for number in 0..ty.bytes() / bytes {
            let shifted = if number == 0 {
                bits
            } else {
                let by = self.constant(Type::I32, u64::from(8 * number * bytes));
                self.one(Op::Binary(Binary::LShr), vec![bits, by], whole)
            };
            let part = self.one(Op::Convert(Convert::Truncate), vec![shifted], integer(bytes));
            let at = self.at(pointer, offset + u64::from(number * bytes));
            let inst = self.function.inst(Op::Store(access), [at, part], &[], self.place);
            self.out.push(inst);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn text(body: &str) -> String {
        let text = format!("kernel @k(p, q) {{\nb0(p: ptr.global, q: ptr.global):\n{body}  return\n}}");
        changed(&text, |function, _| super::run(function))
    }

    #[test]
    fn a_load_is_put_together_from_parts_of_its_alignment() {
        let text = text("  x: i32 = load.a2 p\n  store.a4 q, x\n");
        assert_eq!(text.matches("i16 = load.a2").count(), 2, "{text}");
        assert!(text.contains("shl") && text.contains("16:i32") && text.contains("= or "), "{text}");
    }

    #[test]
    fn a_store_is_taken_apart() {
        let text = text("  x: f32 = load.a4 p\n  store.a1 q, x\n");
        assert_eq!(text.matches("store.a1").count(), 4, "{text}");
        assert!(text.contains("24:i32"), "{text}");
    }

    #[test]
    fn aligned_accesses_stay() {
        let text = text("  x: f32, y: f32 = load.a8 p\n  store.a4 q, x, y\n");
        assert_eq!((text.matches("load.a8").count(), text.matches("store.a4").count()), (1, 1), "{text}");
    }
}
