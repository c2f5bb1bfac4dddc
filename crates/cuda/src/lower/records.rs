//! Records that functions take and return.
//!
//! Enters: a type. Leaves: the scalars that a record consists of, where a function may be given those.

use super::memory_type;
use crate::evaluate::scalar;
use crate::hir::{Program, Type, TypeKind};
use crate::ir::{self, Record};

/// Most scalars that travel one by one; a larger record is read where it lies.
const MOST_PARTS: usize = 64;

/// What a record consists of; nothing if it is more than its bytes, or too large.
pub(super) fn parts(program: &Program, ty: Type) -> Option<Record> {
    let TypeKind::Record(id) = program.types.kind(ty) else { return None };
    if !program.records[id.index()].bytes_alone {
        return None;
    }
    let (size, align) = program.layout(ty);
    let mut parts = vec![];
    add(program, ty, 0, &mut parts)?;
    Some(Record { size, align, parts })
}

/// Adds the scalars of a value that lies so far from the beginning; nothing if there are too many.
fn add(program: &Program, ty: Type, at: u64, parts: &mut Vec<(u64, ir::Type)>) -> Option<()> {
    if let Some(scalar) = scalar(program, ty) {
        parts.push((at, memory_type(scalar)));
        return (parts.len() <= MOST_PARTS).then_some(());
    }
    match program.types.kind(ty) {
        TypeKind::Array(of, length) => {
            let (size, _) = program.layout(*of);
            (0..*length).try_for_each(|number| add(program, *of, at + number * size, parts))
        }
        TypeKind::Record(id) => {
            let record = &program.records[id.index()];
            if record.union || record.fields.iter().any(|field| field.bits.is_some()) {
                // Any of these bytes may be meant.
                let (word, bytes) = word(record.align);
                return (0..record.size / bytes).try_for_each(|number| {
                    parts.push((at + number * bytes, word));
                    (parts.len() <= MOST_PARTS).then_some(())
                });
            }
            record.fields.iter().try_for_each(|field| add(program, field.ty, at + field.offset, parts))
        }
        _ => None,
    }
}

/// The largest integer whose alignment is at most this, and its bytes.
fn word(align: u32) -> (ir::Type, u64) {
    match align {
        0 | 1 => (ir::Type::I8, 1),
        2 | 3 => (ir::Type::I16, 2),
        4..=7 => (ir::Type::I32, 4),
        _ => (ir::Type::I64, 8),
    }
}
