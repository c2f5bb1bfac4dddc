//! Arguments that make kernels work, guessed from nvcc's code.
//!
//! Enters: PTX. Leaves: kernels with their parameters, and for a plan of a launch the argument for each: what code makes a global
//! address of is a buffer, what it reads as a float is one, all else an integer. Structs are filled member by member in the
//! same way. This module must never know results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::Result;
use device::{Arg, Buffer};
use ptx::{Instruction, Operand, Statement};

/// How a kernel reads a place of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    Pointer,
    Float,
    Double,
    /// An integer of that many bytes.
    Integer(u64),
}

/// A parameter: its type, elements where it is an array of bytes, and how the kernel reads it, by offset.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) ty: String,
    pub(crate) bytes: u64,
    pub(crate) reads: BTreeMap<u64, Read>,
}

/// Kernels of a PTX text, with their parameters.
pub(crate) fn kernels_of(ptx: &str) -> Result<BTreeMap<String, Vec<Parameter>>> {
    let module = ptx::parse(ptx)?;
    let mut found = BTreeMap::new();
    for kernel in module.functions.iter().filter(|function| function.is_kernel) {
        let Some(body) = &kernel.body else { continue };
        let mut instructions = vec![];
        gather(body, &mut instructions);
        let pointers = pointers(&instructions);
        let parameters = kernel.parameters.iter().map(|one| {
            let elements = one.dimensions.iter().try_fold(1, |all, length| Some(all * (*length)?));
            let bytes = elements.unwrap_or(1) * size(one.ty);
            let mut reads = reads(&instructions, one.name, &pointers);
            if one.pointer {
                reads.insert(0, Read::Pointer);
            }
            Parameter { ty: one.ty.to_owned(), bytes, reads }
        });
        found.insert(kernel.name.to_owned(), parameters.collect());
    }
    Ok(found)
}

fn gather<'a>(statements: &'a [Statement<'a>], found: &mut Vec<&'a Instruction<'a>>) {
    for one in statements {
        match one {
            Statement::Instruction(instruction) => found.push(instruction),
            Statement::Block(inner) => gather(inner, found),
            _ => {}
        }
    }
}

fn size(ty: &str) -> u64 {
    ty.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap_or(8) / 8
}

/// Registers that become global addresses, those that are copies of others included.
fn pointers<'a>(instructions: &[&Instruction<'a>]) -> BTreeSet<&'a str> {
    let name = |operand: &Operand<'a>| match operand {
        Operand::Name(name, None) => Some(*name),
        _ => None,
    };
    let mut found = BTreeSet::new();
    for one in instructions.iter().rev() {
        let (Some(to), Some(from)) =
            (one.operands.first().and_then(name), one.operands.get(1).and_then(name))
        else {
            continue;
        };
        let address = one.opcode == "cvta" && one.modifiers.first() == Some(&"to");
        let same = one.opcode == "mov" || one.opcode == "add" && one.modifiers.last() == Some(&"s64");
        if address || same && found.contains(to) {
            found.insert(from);
        }
    }
    // What is read or written without being made global first.
    for one in instructions {
        let generic = matches!(one.opcode, "ld" | "st" | "atom" | "red")
            && !one.modifiers.iter().any(|word| matches!(*word, "param" | "shared" | "local" | "const"));
        for operand in one.operands.iter().filter(|_| generic) {
            if let Operand::Address { base: Some(base), .. } = operand {
                found.insert(base);
            }
        }
    }
    found
}

/// How a kernel reads a parameter, by offset.
fn reads(
    instructions: &[&Instruction<'_>],
    parameter: &str,
    pointers: &BTreeSet<&str>,
) -> BTreeMap<u64, Read> {
    let mut found = BTreeMap::new();
    for one in instructions.iter().filter(|one| one.opcode == "ld" && one.modifiers.first() == Some(&"param"))
    {
        let [to, Operand::Address { base: Some(base), offset }] = &one.operands[..] else { continue };
        if *base != parameter {
            continue;
        }
        let ty = one.modifiers.last().copied().unwrap_or_default();
        let targets: Vec<&Operand<'_>> = match to {
            Operand::Vector(all) => all.iter().collect(),
            one => vec![one],
        };
        for (index, target) in targets.into_iter().enumerate() {
            let pointer = matches!(target, Operand::Name(name, None) if pointers.contains(name));
            let read = match ty {
                _ if pointer => Read::Pointer,
                "f32" => Read::Float,
                "f64" => Read::Double,
                _ => Read::Integer(size(ty)),
            };
            found.insert(*offset as u64 + index as u64 * size(ty), read);
        }
    }
    found
}

/// Contents of buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contents {
    Integers,
    Floats,
}

/// A launch: shape, contents of the buffers, and what integers are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) contents: Contents,
    pub(crate) integer: u32,
}

impl Plan {
    pub(crate) fn all() -> [Self; 7] {
        let plan = |grid, block, contents, integer| Self { grid, block, contents, integer };
        [
            plan([2, 1, 1], [64, 1, 1], Contents::Integers, 64),
            plan([4, 1, 1], [256, 1, 1], Contents::Floats, 1024),
            plan([4, 4, 1], [16, 16, 1], Contents::Floats, 64),
            plan([2, 2, 1], [16, 16, 1], Contents::Integers, 32),
            plan([2, 2, 2], [8, 4, 4], Contents::Floats, 16),
            plan([2, 2, 1], [32, 8, 1], Contents::Integers, 256),
            plan([3, 1, 1], [128, 1, 1], Contents::Floats, 7),
        ]
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.block;
        write!(f, "blocks of {x}×{y}×{z}, {:?}, {}", self.contents, self.integer)
    }
}

/// Argument for a parameter. Each pointer asks for a buffer.
pub(crate) fn argument(
    one: &Parameter,
    plan: &Plan,
    buffer: &mut dyn FnMut() -> Result<Buffer>,
) -> Result<Arg> {
    let integer = plan.integer;
    if one.ty == "b8" && one.bytes > 1 || one.bytes > 8 {
        return structure(one, plan, buffer);
    }
    Ok(match (one.reads.get(&0), one.bytes) {
        (Some(Read::Pointer), 8) => Arg::from(buffer()?),
        (Some(Read::Float), _) => Arg::F32(1.5),
        (Some(Read::Double), _) => Arg::F64(1.5),
        (_, 8) => Arg::I64(integer.into()),
        (_, 4) => Arg::I32(integer as i32),
        (_, bytes) => Arg::Bytes(integer.to_le_bytes()[..bytes as usize].to_vec()),
    })
}

fn structure(one: &Parameter, plan: &Plan, buffer: &mut dyn FnMut() -> Result<Buffer>) -> Result<Arg> {
    let (mut members, mut at) = (vec![], 0);
    while at < one.bytes {
        let read = one.reads.get(&at).copied();
        let left = one.bytes - at;
        let (member, bytes) = match read {
            Some(Read::Pointer) if at % 8 == 0 && left >= 8 => (Arg::from(buffer()?), 8),
            Some(Read::Float) if left >= 4 => (Arg::F32(1.5), 4),
            Some(Read::Double) if left >= 8 => (Arg::F64(1.5), 8),
            Some(Read::Integer(8)) if left >= 8 => (Arg::I64(plan.integer.into()), 8),
            Some(Read::Integer(4)) if left >= 4 => (Arg::I32(plan.integer as i32), 4),
            _ => (Arg::Bytes(vec![if at % 4 == 0 { plan.integer as u8 } else { 0 }]), 1),
        };
        members.push(member);
        at += bytes;
    }
    Ok(Arg::Struct(members))
}
