//! Variables of the device, which the host names by what it has in their place.

use super::blocks::Filled;
use super::copy::Returns;
use super::finding::{CopyKind, Kind, What};
use super::judge::{Asked, kind_of};
use super::{Answer, Call, Space, Status, low};
use device::Extent;

/// As long a text may be a name.
const LONGEST_NAME: usize = 64;

impl Call<'_> {
    /// The variable of a symbol, by its number.
    fn symbol(&mut self, address: u64) -> Answer<usize> {
        let found = self.api.variables.iter().position(|of| of.shadow == address);
        if let Some(at) = found {
            return Ok(at);
        }
        let memory = self.memory(address);
        let text = match self.space(address) {
            Space::Host => self.guest.read_text(address).ok(),
            _ => None,
        };
        let name = text.filter(|text| text.len() <= LONGEST_NAME);
        let name = name.and_then(|text| String::from_utf8(text).ok());
        let is_name = |text: &String| self.api.variables.iter().any(|of| of.name == *text);
        let text = name.filter(is_name);
        self.found(Kind::NotASymbol { address, text, memory });
        Err(Status::INVALID_SYMBOL.into())
    }

    /// One end of a copy in a variable.
    fn within(&mut self, at: usize, offset: u64, bytes: u64) -> Answer<Asked> {
        let of = &self.api.variables[at];
        let (address, size) = (of.address, of.bytes);
        if offset.checked_add(bytes).is_none_or(|end| end > size) {
            let mut memory = self.memory(address);
            if !matches!(memory.what, What::Symbol(_)) {
                memory.bytes = size;
            }
            self.found(Kind::Beyond { end: None, offset, bytes, memory, element: None });
            return Err(Status::INVALID_VALUE.into());
        }
        Ok(Asked::linear(address + offset, bytes))
    }

    /// The address of a part of a variable.
    pub(super) fn place_of_symbol(&mut self, symbol: u64, offset: u64, bytes: u64) -> Answer {
        let at = self.symbol(symbol)?;
        Ok(self.within(at, offset, bytes)?.address)
    }

    fn copy_to_symbol(&mut self, a: &[u64], returns: Returns) -> Answer {
        let [symbol, from, bytes, offset] = [a[0], a[1], a[2], a[3]];
        let at = self.symbol(symbol)?;
        let kind = low(a[4]);
        if !matches!(kind, 1 | 3 | 4) {
            return self.refuse_kind(kind, from, CopyKind::HostToDevice);
        }
        let to = self.within(at, offset, bytes)?;
        let done = self.variable_copy(at, to, Asked::linear(from, bytes), bytes, kind, returns)?;
        let extent = Extent { width: bytes, height: 1, depth: 1 };
        let filled = Filled { extent, call: self.name, site: self.site };
        let copies = &mut self.api.variables[at].copies;
        copies.0 += 1;
        copies.1 = Some(filled).filter(|_| copies.0 == 1 && offset == 0);
        Ok(done)
    }

    fn copy_from_symbol(&mut self, a: &[u64], returns: Returns) -> Answer {
        let [to, symbol, bytes, offset] = [a[0], a[1], a[2], a[3]];
        let at = self.symbol(symbol)?;
        let kind = low(a[4]);
        if !matches!(kind, 2..=4) {
            return self.refuse_kind(kind, to, CopyKind::DeviceToHost);
        }
        let from = self.within(at, offset, bytes)?;
        self.variable_copy(at, Asked::linear(to, bytes), from, bytes, kind, returns)
    }

    /// The error of a kind that no copy to or from a variable has, or not in this direction, which is that of the host where the other
    /// end is there.
    fn refuse_kind(&mut self, kind: u32, other: u64, of_host: CopyKind) -> Answer {
        let status = Status::INVALID_MEMCPY_DIRECTION;
        let on_device = matches!(self.space(other), Space::Device(_) | Space::Symbol(_));
        let is = if on_device { CopyKind::DeviceToDevice } else { of_host };
        match kind_of(kind) {
            Some(given) => {
                self.found(Kind::WrongKind { given, is, exchanged: false, variable: None });
                Err(status.into())
            }
            None => self.refuse(status, "kind", format!("{kind} is not a `cudaMemcpyKind`")),
        }
    }

    /// Copies; a managed variable's host side follows.
    fn variable_copy(
        &mut self,
        at: usize,
        to: Asked,
        from: Asked,
        bytes: u64,
        kind: u32,
        returns: Returns,
    ) -> Answer {
        let (managed, shadow) = (self.api.variables[at].managed, self.api.variables[at].shadow);
        let by = self.access(0, true);
        if managed {
            self.api.bring_to_device(shadow, &by, self.guest)?;
        }
        let copied = self.copy(to, from, Extent { width: bytes, height: 1, depth: 1 }, kind, returns);
        if managed {
            self.api.bring_to_host(shadow, &by, self.guest)?;
        }
        copied
    }
}

/// `cudaMemcpyToSymbol(symbol, src, count, offset, kind)`.
pub(super) fn to_symbol(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.copy_to_symbol(a, Returns::Done)
}

/// `cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, stream)`.
pub(super) fn to_symbol_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.copy_to_symbol(a, Returns::AtOnce(a[5]))
}

/// `cudaMemcpyFromSymbol(dst, symbol, count, offset, kind)`.
pub(super) fn from_symbol(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.copy_from_symbol(a, Returns::Done)
}

/// `cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, stream)`.
pub(super) fn from_symbol_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.copy_from_symbol(a, Returns::AtOnce(a[5]))
}

/// `cudaGetSymbolAddress(devPtr, symbol)`.
pub(super) fn symbol_address(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "devPtr")?;
    let at = call.symbol(a[1])?;
    let of = &call.api.variables[at];
    let address = if of.managed { of.shadow } else { of.address };
    call.put(to, address.to_le_bytes())?;
    Ok(0)
}

/// `cudaGetSymbolSize(size, symbol)`.
pub(super) fn symbol_size(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "size")?;
    let at = call.symbol(a[1])?;
    let bytes = call.api.variables[at].bytes;
    call.put(to, bytes.to_le_bytes())?;
    Ok(0)
}
