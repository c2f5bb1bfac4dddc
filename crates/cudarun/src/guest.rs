//! A program's host side in wasmi, as the functions that it calls see it.
//!
//! Enters: addresses and bytes. Leaves: the same, from and to the linear memory of an instance. This module must never know what a
//! function does.

use crate::state::{Parts, State, signal};
use runtime::{Guest, Signal, Site};
use wasmi::{AsContext, AsContextMut, Caller, Func, Val, ValType};

/// First address of the program's data: null pointers, and what is a little more, come before it.
const DATA: u64 = 64 << 10;
/// Bytes at the memory's end that belong to nothing, so that what is a little past an address needs no look of its own.
const PAD: u64 = 1 << 16;
/// Bytes of a page of linear memory.
const PAGE: u64 = 64 << 10;

/// The program, for the time of a call.
pub(crate) struct Program<'a, 'b> {
    pub(crate) caller: &'a mut Caller<'b, State>,
    pub(crate) parts: Parts,
}

impl Program<'_, '_> {
    fn range(&self, address: u64, bytes: usize) -> Result<usize, Signal> {
        let outside = Signal::Segmentation { address, bytes: bytes as u64 };
        let end = address.checked_add(bytes as u64).filter(|end| *end <= self.end());
        if address < DATA || end.is_none() {
            return if bytes == 0 { Ok(DATA as usize) } else { Err(outside) };
        }
        usize::try_from(address).map_err(|_| outside)
    }
}

impl Guest for Program<'_, '_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Signal> {
        let at = self.range(address, bytes.len())?;
        let data = self.parts.memory.data(self.caller.as_context());
        bytes.copy_from_slice(&data[at..at + bytes.len()]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Signal> {
        let at = self.range(address, bytes.len())?;
        let data = self.parts.memory.data_mut(self.caller.as_context_mut());
        data[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read_text(&self, address: u64) -> Result<Vec<u8>, Signal> {
        let at = self.range(address, 1)?;
        let data = self.parts.memory.data(self.caller.as_context());
        let text = &data[at..];
        let end = text.iter().position(|byte| *byte == 0);
        end.map(|end| text[..end].to_vec()).ok_or(Signal::Segmentation { address: self.end(), bytes: 1 })
    }

    fn end(&self) -> u64 {
        self.parts.memory.data_size(self.caller.as_context()) as u64
    }

    fn grow(&mut self, end: u64) -> bool {
        let pages = end.saturating_add(PAD).saturating_sub(self.end()).div_ceil(PAGE);
        let parts = self.parts;
        let grown = parts.memory.grow(self.caller.as_context_mut(), pages).is_ok();
        // The program looks at this before each access.
        let end = Val::I64(self.end().saturating_sub(PAD).cast_signed());
        grown && parts.heap_end.set(self.caller.as_context_mut(), end).is_ok()
    }

    fn heap(&self) -> u64 {
        self.parts.heap
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Signal> {
        let wrong = || Signal::Segmentation { address: function, bytes: 1 };
        let found = self.parts.table.get(self.caller.as_context(), function).ok_or_else(wrong)?;
        let wasmi::Ref::Val(function) = found.funcref().ok_or_else(wrong)? else { return Err(wrong()) };
        let function = *function;
        if function.ty(self.caller.as_context()).params().len() != arguments.len() {
            return Err(wrong());
        }
        called(function, &mut *self.caller, arguments).map_err(|error| signal(&error))
    }

    fn site(&self) -> Site {
        Site(bits(&self.parts.site.get(self.caller.as_context())) as u32)
    }
}

/// The result of a function by the bits of its arguments; 0 where it has none.
pub(crate) fn called(
    function: Func,
    mut store: impl AsContextMut,
    arguments: &[u64],
) -> Result<u64, wasmi::Error> {
    let ty = function.ty(&store);
    let arguments: Vec<Val> =
        ty.params().iter().zip(arguments).map(|(kind, bits)| value(*kind, *bits)).collect();
    let mut results: Vec<Val> = ty.results().iter().map(|kind| value(*kind, 0)).collect();
    function.call(&mut store, &arguments, &mut results)?;
    Ok(results.first().map_or(0, bits))
}

/// A value of a type by its bits.
pub(crate) fn value(kind: ValType, bits: u64) -> Val {
    match kind {
        ValType::I32 => Val::I32(bits as i32),
        ValType::F32 => Val::F32(f32::from_bits(bits as u32).into()),
        ValType::F64 => Val::F64(f64::from_bits(bits).into()),
        _ => Val::I64(bits.cast_signed()),
    }
}

/// Bits of a value.
pub(crate) fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(value) => u64::from(value.cast_unsigned()),
        Val::I64(value) => value.cast_unsigned(),
        Val::F32(value) => u64::from(value.to_bits()),
        Val::F64(value) => value.to_bits(),
        _ => 0,
    }
}
