//! Forms of instructions that ptxas takes in addition to those of the manual, rewritten to these before anything is decoded:
//! modifiers in another order, and elements of arrays (`table[2]`) where addresses are.
//!
//! Within one kind of modifiers the order has a meaning (the types of `cvt`), between kinds it has none. ptxas 13.0 was
//! asked, opcode by opcode, which orders it takes; of those that it refuses (`mul.s32.lo`), nothing is taken here either.

use super::context::type_bytes;
use crate::hash::HashMap;
use ptx::{Instruction, Module, Operand, Statement, Variable};

/// Rewrites all instructions of a module.
pub(super) fn rewrite(module: &mut Module) {
    let mut known = HashMap::default();
    module.variables.iter().for_each(|variable| note(variable, &mut known));
    for function in &mut module.functions {
        if let Some(body) = &mut function.body {
            block(body, &mut known.clone());
        }
    }
}

/// Bytes of an element, by the names of variables.
type Elements<'a> = HashMap<&'a str, u64>;

fn note<'a>(variable: &Variable<'a>, known: &mut Elements<'a>) {
    if let Some(bytes) = type_bytes(variable.ty).filter(|_| variable.space != "reg") {
        known.insert(variable.name, bytes * u64::from(variable.vector));
    }
}

fn block<'a>(body: &mut [Statement<'a>], known: &mut Elements<'a>) {
    for statement in body {
        match statement {
            Statement::Block(inner) => block(inner, &mut known.clone()),
            Statement::Variable(variable) => note(variable, known),
            Statement::Instruction(i) => {
                order(i);
                elements(i, known);
            }
            Statement::Label(..)
            | Statement::Registers { .. }
            | Statement::Loc { .. }
            | Statement::Prototype(..)
            | Statement::Directive { .. } => {}
        }
    }
}

/// Puts an instruction's modifiers into the order of the manual.
fn order(i: &mut Instruction) {
    let Some(place) = order_of(i) else { return };
    if !i.modifiers.is_sorted_by_key(|modifier| place(modifier)) {
        i.modifiers.sort_by_key(|modifier| place(modifier));
    }
}

/// For the opcodes of which decoders ask for an order, the place of each kind of modifiers in it.
fn order_of(i: &Instruction) -> Option<fn(&str) -> u8> {
    Some(match i.opcode {
        "set" | "setp" => |modifier| match modifier {
            "and" | "or" | "xor" => 1,
            "ftz" => 2,
            _ => types_last(modifier),
        },
        "prmt" => |modifier| u8::from(modifier != "b32"),
        "add" | "sub" | "addc" | "subc" | "mad" | "madc" | "shfl" | "vote" | "match" | "redux" | "atom"
        | "red" => types_last,
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" => |modifier| {
            // Types come first here.
            u8::from(type_bytes(modifier).is_none())
        },
        "cp" if i.modifiers.first() == Some(&"async") && !i.modifiers.contains(&"bulk") => {
            |modifier| match modifier {
                "async" => 0,
                "ca" | "cg" | "mbarrier" => 1,
                _ => 2,
            }
        }
        "ldmatrix" | "stmatrix" => |modifier| match modifier {
            "sync" => 0,
            "aligned" => 1,
            "x1" | "x2" | "x4" => 3,
            "trans" => 4,
            "shared" | "shared::cta" => 5,
            "b16" | "b8" | "b8x16.b6x16_p32" | "b8x16.b4x16_p64" => 6,
            _ => 2,
        },
        "mma" => |modifier| match modifier {
            "sync" => 1,
            "aligned" => 2,
            "row" | "col" => 4,
            shape if is_shape(shape) => 3,
            sparse if sparse.starts_with("sp") => 0,
            _ => 5,
        },
        "wmma" => |modifier| match modifier {
            "load" | "store" | "mma" => 0,
            "a" | "b" | "c" | "d" => 1,
            "sync" => 2,
            "aligned" => 3,
            "row" | "col" => 4,
            shape if is_shape(shape) => 5,
            _ => 6,
        },
        _ => return None,
    })
}

fn types_last(modifier: &str) -> u8 {
    if type_bytes(modifier).is_some() || modifier == "pred" { 9 } else { 0 }
}

/// `m16n8k16`.
fn is_shape(modifier: &str) -> bool {
    modifier.starts_with('m') && modifier.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// Elements whose numbers are known: as addresses of loads and stores, and as values elsewhere. Those that a register
/// chooses get the size of an element where the number of an element stood.
fn elements<'a>(i: &mut Instruction<'a>, known: &Elements<'a>) {
    let accesses = matches!(i.opcode, "ld" | "ldu" | "st");
    for operand in &mut i.operands {
        if let Operand::Element { symbol, index, register, bytes } = operand
            && let Some(size) = known.get(symbol)
        {
            let offset = index.wrapping_mul(*size as i64);
            match register {
                None if accesses => *operand = Operand::Address { base: Some(symbol), offset },
                None => *operand = Operand::Sum { symbol, offset, generic: false },
                Some(_) => *bytes = *size,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(instruction: &str) -> String {
        let text = format!(".version 8.0\n.target sm_80\n.global .u16 g[4];\n.entry k() {{ {instruction} }}");
        let mut module = ptx::parse(&text).unwrap();
        rewrite(&mut module);
        match &module.functions[0].body.as_deref().unwrap()[0] {
            Statement::Instruction(i) => format!("{} {:?}", i.mnemonic(), i.operands),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn modifiers_are_put_into_the_order_of_the_manual() {
        for (written, manual) in [
            ("setp.f32.ftz.and.lt;", "setp.lt.and.ftz.f32 []"),
            ("set.ftz.lt.u32.f32;", "set.lt.ftz.u32.f32 []"),
            ("prmt.f4e.b32;", "prmt.b32.f4e []"),
            ("mad.lo.u32.cc;", "mad.lo.cc.u32 []"),
            ("shfl.sync.b32.down;", "shfl.sync.down.b32 []"),
            ("atom.u32.add.global;", "atom.add.global.u32 []"),
            ("cp.async.shared.global.ca;", "cp.async.ca.shared.global []"),
            (
                "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16;",
                "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 []",
            ),
            (
                "mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32.xor.popc;",
                "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc []",
            ),
            ("cvt.f32.rn.s32;", "cvt.f32.rn.s32 []"),
        ] {
            assert_eq!(rewritten(written), manual);
        }
    }

    #[test]
    fn elements_are_counted_in_their_own_size() {
        assert_eq!(
            rewritten("st.u16 g[3], 1;"),
            "st.u16 [Address { base: Some(\"g\"), offset: 6 }, Integer(1)]"
        );
        assert!(rewritten("mov.u64 a, g[3];").contains("Sum { symbol: \"g\", offset: 6, generic: false }"));
    }
}
