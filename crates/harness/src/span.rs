//! A piece of a buffer or of a variable: filled, copied, read, written.

use device::{Buffer, Device, Error, Module, Step};

/// Memory of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// A buffer.
    Buffer(Buffer),
    /// A variable of a module, by the module's name.
    Symbol(Module, String),
}

impl Memory {
    /// All its bytes.
    ///
    /// # Errors
    /// A variable that is not in the module.
    pub fn bytes<D: Device + ?Sized>(&self, device: &D) -> Result<u64, Error> {
        match self {
            Memory::Buffer(buffer) => Ok(buffer.bytes()),
            Memory::Symbol(module, name) => device.symbol_bytes(*module, name),
        }
    }

    /// Writes bytes at an offset.
    ///
    /// # Errors
    /// Bytes past its end.
    pub fn write<D: Device + ?Sized>(&self, device: &mut D, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Memory::Buffer(buffer) => device.write(*buffer, offset, bytes),
            Memory::Symbol(module, name) => device.write_symbol(*module, name, offset, bytes),
        }
    }

    /// Reads bytes at an offset.
    ///
    /// # Errors
    /// Bytes past its end.
    pub fn read<D: Device + ?Sized>(
        &self,
        device: &mut D,
        offset: u64,
        bytes: &mut [u8],
    ) -> Result<(), Error> {
        match self {
            Memory::Buffer(buffer) => device.read(*buffer, offset, bytes),
            Memory::Symbol(module, name) => device.read_symbol(*module, name, offset, bytes),
        }
    }
}

/// Memory from `offset` bytes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The buffer or variable.
    pub memory: Memory,
    /// Bytes past its start.
    pub offset: u64,
}

/// Bytes that are written at a time: a filled buffer of any size takes no more of the host's memory.
const PIECE: u64 = 1 << 20;

impl Span {
    /// Memory from its first byte on.
    pub fn of(memory: Memory) -> Span {
        Span { memory, offset: 0 }
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// Bytes past its end.
    pub fn write<D: Device + ?Sized>(&self, device: &mut D, bytes: &[u8]) -> Result<(), Error> {
        self.memory.write(device, self.offset, bytes)
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// Bytes past its end.
    pub fn read<D: Device + ?Sized>(&self, device: &mut D, bytes: &mut [u8]) -> Result<(), Error> {
        self.memory.read(device, self.offset, bytes)
    }

    /// Fills `bytes` bytes, a whole number of elements, with one element.
    ///
    /// # Errors
    /// Bytes past its end.
    pub fn fill<D: Device + ?Sized>(&self, device: &mut D, bytes: u64, element: &[u8]) -> Result<(), Error> {
        let size = (element.len() as u64).max(1);
        // Whole elements, so that each piece begins with one.
        let most = (PIECE / size * size).max(size);
        let piece = element.repeat((most.min(bytes) / size) as usize);
        let mut done = 0;
        while done < bytes {
            let next = (bytes - done).min(most);
            self.memory.write(device, self.offset + done, &piece[..next as usize])?;
            done += next;
        }
        Ok(())
    }

    /// The step that copies `bytes` bytes from here to other memory on the device; none between two variables, of which CUDA has
    /// no copy.
    pub fn copy_to(&self, to: &Span, bytes: u64) -> Option<Step> {
        Some(match (&self.memory, &to.memory) {
            (Memory::Buffer(from), Memory::Buffer(buffer)) => {
                Step::Copy { to: *buffer, to_offset: to.offset, from: *from, from_offset: self.offset, bytes }
            }
            (Memory::Buffer(from), Memory::Symbol(module, name)) => Step::ToSymbol {
                module: *module,
                name: name.clone(),
                offset: to.offset,
                from: *from,
                from_offset: self.offset,
                bytes,
            },
            (Memory::Symbol(module, name), Memory::Buffer(buffer)) => Step::FromSymbol {
                module: *module,
                name: name.clone(),
                offset: self.offset,
                to: *buffer,
                to_offset: to.offset,
                bytes,
            },
            (Memory::Symbol(..), Memory::Symbol(..)) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allocation, Buffers, Module};
    use device::Embedded;

    const PTX: &str = ".version 8.8\n.target sm_52\n.address_size 64\n.visible .global .align 4 .b8 table[24];\n\
                       .visible .entry _Z1kPf(.param .u64 p)\n{\n\tret;\n}\n";

    #[test]
    fn a_fill_of_any_size_is_made_of_whole_elements() -> Result<(), Error> {
        let mut device = Embedded::new("h200")?;
        let mut buffers = Buffers::default();
        let elements = PIECE / 12 + 5;
        let shape = Allocation::Linear { bytes: 12 * elements + 4 };
        let buffer = buffers.allocate(&mut device, "x", shape)?;
        let element: Vec<u8> = (1..=12).collect();
        Span { memory: Memory::Buffer(buffer), offset: 4 }.fill(&mut device, 12 * elements, &element)?;
        let mut bytes = vec![0; buffer.bytes() as usize];
        device.read(buffer, 0, &mut bytes)?;
        assert_eq!(bytes[..4], [0; 4]);
        assert!(bytes[4..].chunks(12).all(|chunk| chunk == element));
        buffers.free(&mut device)?;
        assert!(device.read(buffer, 0, &mut bytes[..4]).is_err(), "it was freed");
        Ok(())
    }

    #[test]
    fn variables_are_found_by_the_source_s_names_and_copied_to_and_from_buffers() -> Result<(), Error> {
        let mut device = Embedded::new("h200")?;
        let module = Module::load(&mut device, "m.ptx", PTX, &[])?;
        assert_eq!(module.kernel("k").as_deref(), Ok("_Z1kPf"));
        assert!(module.kernel("other").is_err() && module.symbol("table").is_ok());
        let table = Memory::Symbol(module.handle, "table".to_owned());
        assert_eq!(table.bytes(&device)?, 24);
        let mut buffers = Buffers::default();
        buffers.leave_out();
        buffers.allocate(&mut device, "x", Allocation::Linear { bytes: 8 })?;
        assert!(buffers.at(0).is_err() && buffers.at(2).is_err());
        let x = Span::of(Memory::Buffer(buffers.at(1)?));
        x.write(&mut device, &[1, 2, 3, 4, 5, 6, 7, 8])?;
        let at = Span { memory: table.clone(), offset: 16 };
        device.run(&x.copy_to(&at, 8).into_iter().collect::<Vec<_>>())?;
        let mut bytes = [0; 8];
        at.read(&mut device, &mut bytes)?;
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(at.copy_to(&Span::of(table), 8), None, "CUDA has no copy from a variable to another");
        Ok(())
    }
}
