//! Memory of one object: bytes, which of them are known, and addresses among them.
//!
//! Enters: scalars at offsets. Leaves: the same, and whole contents. This module must never know expressions.

use crate::hir::{Program, Type};
use crate::sorted::Sorted;

use super::number::{Outcome, Scalar, scalar, wrap};
use super::{Address, Base, Constant};

/// Most bytes that an object may have which is written byte by byte.
const MOST: u64 = 1 << 24;

/// Contents of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object {
    /// Bytes that it has.
    size: u64,
    /// Known ones, from the beginning up to the last that was written.
    bytes: Vec<u8>,
    /// Which of them were written.
    written: Vec<bool>,
    /// Whether what was not written is zero.
    zero: bool,
    /// Addresses, by the offset of their first byte; the bytes below them are zero.
    addresses: Sorted<u64, Address>,
}

impl Object {
    /// An object of that many bytes, zeros or of unknown contents.
    pub(crate) fn new(size: u64, zero: bool) -> Self {
        Self { size, zero, ..Self::default() }
    }

    /// Bytes that it has.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Its bytes up to the last that may not be zero; unknown ones as zeros.
    pub(crate) fn bytes(&self) -> &[u8] {
        let end = self.bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
        self.bytes.get(..end).unwrap_or_default()
    }

    /// Addresses in it, by offsets.
    pub(crate) fn addresses(&self) -> &Sorted<u64, Address> {
        &self.addresses
    }

    /// Scalar of a type at an offset; `None` where it has none that is known, or is no scalar.
    pub(crate) fn read(&self, program: &Program, ty: Type, offset: u64) -> Option<Constant> {
        self.load(i64::try_from(offset).ok()?, scalar(program, ty)?).ok()
    }

    fn range(&self, offset: i64, size: u64) -> Outcome<std::ops::Range<u64>> {
        let start = u64::try_from(offset).map_err(|_| "access before the beginning of an object")?;
        let end = start.checked_add(size).filter(|end| *end <= self.size);
        end.map(|end| start..end).ok_or("access past the end of an object")
    }

    fn byte(&self, at: u64) -> Outcome<u8> {
        let at = at as usize;
        match (self.bytes.get(at), self.written.get(at)) {
            (Some(byte), Some(true)) => Ok(*byte),
            _ if self.zero => Ok(0),
            _ => Err("read of an uninitialised variable"),
        }
    }

    /// Bits of up to 8 bytes.
    fn bits(&self, range: std::ops::Range<u64>) -> Outcome<u64> {
        let near = range.start.saturating_sub(7)..range.end;
        if !self.addresses.range(near).is_empty() {
            return Err("the address of a variable is known only at run time");
        }
        let mut bits = 0;
        for at in range.rev() {
            bits = bits << 8 | u64::from(self.byte(at)?);
        }
        Ok(bits)
    }

    /// Value at an offset.
    pub(crate) fn load(&self, offset: i64, scalar: Scalar) -> Outcome<Constant> {
        let range = self.range(offset, u64::from(scalar.bytes()))?;
        if scalar == Scalar::Pointer
            && let Some(address) = self.addresses.get(&range.start)
        {
            return Ok(Constant::Address(*address));
        }
        let bits = self.bits(range)?;
        Ok(match scalar {
            Scalar::Void => Constant::Void,
            Scalar::Bool => Constant::Integer(i128::from(bits != 0)),
            Scalar::Integer { bits: width, signed } => {
                Constant::Integer(wrap(i128::from(bits), width, signed))
            }
            Scalar::Float | Scalar::Double => Constant::Float(bits),
            Scalar::Pointer => Constant::Integer(i128::from(bits)),
        })
    }

    /// Writes a value.
    pub(crate) fn store(&mut self, offset: i64, scalar: Scalar, value: Constant) -> Outcome<()> {
        let range = self.range(offset, u64::from(scalar.bytes()))?;
        let bits = match value {
            Constant::Void => return Err("value of type `void`"),
            Constant::Integer(value) => value as u64,
            Constant::Float(bits) => bits,
            Constant::Address(address) => {
                self.put(range.clone(), &[0; 8])?;
                self.addresses.insert(range.start, address);
                return Ok(());
            }
        };
        self.put(range, &bits.to_le_bytes())
    }

    /// Writes bytes.
    fn put(&mut self, range: std::ops::Range<u64>, bytes: &[u8]) -> Outcome<()> {
        if range.end > MOST {
            return Err("constant larger than 16 MiB");
        }
        let near = range.start.saturating_sub(7)..range.end;
        while let Some(at) = self.addresses.range(near.clone()).first().map(|(at, _)| *at) {
            self.addresses.remove(&at);
        }
        let end = range.end as usize;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
            self.written.resize(end, false);
        }
        for (at, byte) in (range.start as usize..end).zip(bytes) {
            if let (Some(to), Some(written)) = (self.bytes.get_mut(at), self.written.get_mut(at)) {
                *to = *byte;
                *written = true;
            }
        }
        Ok(())
    }

    /// Writes bytes at an offset, and zeros after them up to a size.
    pub(crate) fn fill(&mut self, offset: i64, bytes: &[u8], size: u64) -> Outcome<()> {
        let range = self.range(offset, size)?;
        if bytes.is_empty() && self.addresses.is_empty() && self.bytes.is_empty() && range == (0..self.size) {
            self.zero = true;
            return Ok(());
        }
        if bytes.is_empty() && self.zero && range.start >= self.bytes.len() as u64 {
            return Ok(());
        }
        if range.end > MOST {
            return Err("constant larger than 16 MiB");
        }
        let mut whole = bytes.get(..bytes.len().min(size as usize)).unwrap_or_default().to_vec();
        whole.resize(size as usize, 0);
        self.put(range, &whole)
    }

    /// Value of a bit-field; only the bytes that it touches need to be known.
    pub(crate) fn load_bits(&self, offset: i64, first: u32, width: u32, signed: bool) -> Outcome<Constant> {
        let (start, end) = (first / 8, (first + width).div_ceil(8));
        let range = self.range(offset.saturating_add(i64::from(start)), u64::from(end - start))?;
        let bits = self.bits(range)? >> (first % 8);
        Ok(Constant::Integer(wrap(i128::from(bits), width, signed)))
    }

    /// Writes a bit-field.
    pub(crate) fn store_bits(&mut self, offset: i64, first: u32, width: u32, value: i128) -> Outcome<()> {
        for bit in 0..width.min(64) {
            let place = first + bit;
            let range = self.range(offset.saturating_add(i64::from(place / 8)), 1)?;
            let (byte, mask) = (self.byte(range.start).unwrap_or(0), 1 << (place % 8));
            let byte = if value >> bit & 1 == 1 { byte | mask } else { byte & !mask };
            self.put(range, &[byte])?;
        }
        Ok(())
    }

    /// Gives addresses of one object another base; false where an address of an object is left that will not live.
    pub(crate) fn rebase(&mut self, from: Base, to: Option<Base>) -> bool {
        for address in self.addresses.values_mut() {
            if address.base == from
                && let Some(to) = to
            {
                address.base = to;
            }
        }
        !self.addresses.values().any(|address| matches!(address.base, Base::Object(_)))
    }

    /// Copies bytes of another object, unknown ones as unknown.
    pub(crate) fn copy(&mut self, offset: i64, from: &Object, at: i64, size: u64) -> Outcome<()> {
        let to = self.range(offset, size)?;
        let source = from.range(at, size)?;
        if to == (0..self.size) && source == (0..from.size) {
            *self = from.clone();
            return Ok(());
        }
        if to.end > MOST {
            return Err("constant larger than 16 MiB");
        }
        for step in 0..size {
            match from.byte(source.start + step) {
                Ok(byte) => self.put(to.start + step..to.start + step + 1, &[byte])?,
                Err(_) => self.forget(to.start + step),
            }
        }
        for (place, address) in from.addresses.range(source.clone()) {
            if place + 8 <= source.end {
                self.addresses.insert(to.start + (place - source.start), *address);
            }
        }
        Ok(())
    }

    /// Makes a byte unknown. (In an object that is zero where it was not written, it stays zero: any value will do.)
    fn forget(&mut self, at: u64) {
        if let Some(written) = self.written.get_mut(at as usize) {
            *written = false;
        }
        if let Some(byte) = self.bytes.get_mut(at as usize) {
            *byte = 0;
        }
    }
}
