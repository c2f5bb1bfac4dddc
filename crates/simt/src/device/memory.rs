//! Buffers, arrays, textures and surfaces: made, filled, read and freed by the host.

use super::{Accessed, Buffer, Device, ModuleId};
use crate::error::Error;
use crate::memory::{Allocation, COPY_PIECE};
use crate::texture::{Array, Extent, Format, Resource, Sampling, Surface, Texture};
use crate::written_bytes::WrittenBytes;
use std::ops::Range;

impl Device {
    /// Allocates memory, 512-byte aligned.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn allocate(&mut self, bytes: u64) -> Result<Buffer, Error> {
        self.memory.allocate(bytes, self.options.memory_bytes).map(Buffer)
    }

    /// Allocates memory at an address that the caller has chosen, a multiple of 4: where its own memory has the same one.
    /// Such addresses are below 4 GiB and past the first page; all others are the device's to give.
    ///
    /// # Errors
    /// [`Error::NoDeviceAddress`] for another address, or one that meets an allocation; [`Error::OutOfMemory`].
    pub fn allocate_at(&mut self, address: u64, bytes: u64) -> Result<Buffer, Error> {
        let made = self.memory.allocate_at(address, bytes, self.options.memory_bytes)?;
        made.map(Buffer).ok_or(Error::NoDeviceAddress("place"))
    }

    /// Frees a buffer.
    ///
    /// # Errors
    /// [`Error::Freed`] for one that was freed before, or [`Error::ForeignHandle`].
    pub fn free(&mut self, buffer: Buffer) -> Result<(), Error> {
        if self.memory.free(buffer.0) { Ok(()) } else { Err(self.memory.missing(buffer.0)) }
    }

    /// Allocates an array of texels, which textures and surfaces show to kernels (`cudaMalloc3DArray`).
    ///
    /// # Errors
    /// [`Error::BadTexture`] beyond the limits of all chips since compute capability 5.0, or [`Error::OutOfMemory`].
    pub fn allocate_array(&mut self, extent: Extent, format: Format) -> Result<Array, Error> {
        self.textures.allocate(&mut self.memory, self.options.memory_bytes, extent, format)
    }

    /// Gives an array the name that faults call it by.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn name_array(&mut self, array: Array, name: &str) -> Result<(), Error> {
        name.clone_into(&mut self.textures.array_mut(array)?.memory.name);
        Ok(())
    }

    /// Frees an array.
    ///
    /// # Errors
    /// [`Error::Freed`] for one that was freed before, or [`Error::ForeignHandle`].
    pub fn free_array(&mut self, array: Array) -> Result<(), Error> {
        self.textures.free(&mut self.memory, array)
    }

    /// Copies texels from the host to an array, row by row without gaps, slices, layers, faces and levels one after the other;
    /// `bytes` is as long as all of them.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for another length, [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn write_array(&mut self, array: Array, bytes: &[u8]) -> Result<(), Error> {
        self.texels(array, bytes.len() as u64)?.write(0, bytes);
        Ok(())
    }

    /// Puts a pattern into an array, as [`Device::poison`] does into a buffer.
    ///
    /// # Errors
    /// As [`Device::write_array`].
    pub fn poison_array(&mut self, array: Array, bytes: &[u8]) -> Result<(), Error> {
        self.texels(array, bytes.len() as u64)?.put(0, bytes);
        Ok(())
    }

    /// Which bytes of an array's texels have not been written, as [`Device::unwritten`] tells it of a buffer.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn unwritten_array(&self, array: Array) -> Result<Vec<Range<u64>>, Error> {
        Ok(self.textures.array(array)?.memory.written.gaps())
    }

    /// The counterpart of [`Device::write_array`].
    ///
    /// # Errors
    /// As [`Device::write_array`].
    pub fn read_array(&self, array: Array, bytes: &mut [u8]) -> Result<(), Error> {
        self.texels(array, bytes.len() as u64)?.read(0, bytes);
        Ok(())
    }

    /// Bytes of an array's texels.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn array_bytes(&self, array: Array) -> Result<u64, Error> {
        Ok(self.textures.array(array)?.memory.bytes)
    }

    /// An array's memory, all of which is copied.
    fn texels(&self, array: Array, len: u64) -> Result<&Allocation, Error> {
        let memory = &self.textures.array(array)?.memory;
        if len != memory.bytes {
            return Err(Error::OutOfRange { what: memory.name.clone(), offset: 0, len, bytes: memory.bytes });
        }
        Ok(memory)
    }

    /// Creates a texture object (`cudaCreateTextureObject`). `format` is that of the texels in memory; an array has its own.
    ///
    /// # Errors
    /// [`Error::BadTexture`] for what an H200's driver refuses: an address or pitch that is not aligned, a filter or read
    /// mode that the format does not have. [`Error::OutOfRange`] for memory outside of its buffer, [`Error::Freed`] or
    /// [`Error::ForeignHandle`].
    pub fn create_texture(
        &mut self,
        resource: &Resource<Array, Buffer>,
        format: Format,
        sampling: Sampling,
    ) -> Result<Texture, Error> {
        let resource = resource.resolve(
            |array| Ok(*array),
            |buffer| Ok::<_, Error>((buffer.0, self.allocation(*buffer)?.bytes)),
        )?;
        self.textures.texture(&resource, format, sampling)
    }

    /// Creates a surface object of a level of an array, 0 of a plain one (`cudaCreateSurfaceObject`).
    ///
    /// # Errors
    /// [`Error::Freed`], [`Error::ForeignHandle`], or [`Error::BadTexture`] for a level that is not there.
    pub fn create_surface(&mut self, array: Array, level: u32) -> Result<Surface, Error> {
        self.textures.surface(array, level)
    }

    /// Binds a texture to a texture reference of a module (`cuTexRefSetArray` and its relatives).
    ///
    /// # Errors
    /// [`Error::BadTexture`] for a name that is not there, or [`Error::ForeignHandle`].
    pub fn bind_texture(&mut self, module: ModuleId, name: &str, texture: Texture) -> Result<(), Error> {
        self.bind(module, name, texture.handle())
    }

    /// Binds a surface to a surface reference of a module.
    ///
    /// # Errors
    /// As [`Device::bind_texture`].
    pub fn bind_surface(&mut self, module: ModuleId, name: &str, surface: Surface) -> Result<(), Error> {
        self.bind(module, name, surface.handle())
    }

    fn bind(&mut self, module: ModuleId, name: &str, handle: u64) -> Result<(), Error> {
        let loaded = self.modules.get_mut(module.0).ok_or(Error::ForeignHandle("module"))?;
        let references = &loaded.program.references;
        let Some(at) = references.iter().position(|there| there == name) else {
            let (module, there) = (&loaded.program.name, references.join(", "));
            let there = if there.is_empty() { "none" } else { &there };
            let message = format!("no texture or surface reference `{name}` in {module}; it has: {there}");
            return Err(Error::BadTexture(message));
        };
        loaded.bound[at] = handle;
        Ok(())
    }

    fn allocation(&self, buffer: Buffer) -> Result<&Allocation, Error> {
        self.memory.by_id(buffer.0).ok_or_else(|| self.memory.missing(buffer.0))
    }

    pub(super) fn range(&self, buffer: Buffer, offset: u64, len: u64) -> Result<&Allocation, Error> {
        let allocation = self.allocation(buffer)?;
        if offset.checked_add(len).is_none_or(|end| end > allocation.bytes) {
            let what = "buffer".to_owned();
            return Err(Error::OutOfRange { what, offset, len, bytes: allocation.bytes });
        }
        Ok(allocation)
    }

    /// Where a buffer begins.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn address(&self, buffer: Buffer) -> Result<u64, Error> {
        Ok(self.allocation(buffer)?.base)
    }

    /// Copies from the host to an address, as `cudaMemcpy` does.
    ///
    /// # Errors
    /// [`Error::NoDeviceAddress`] where the bytes do not lie in one buffer.
    pub fn write_address(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        let found = address.checked_add(bytes.len() as u64);
        let found = found.and_then(|end| self.memory.find(address, end, &mut 0));
        let allocation = found.ok_or(Error::NoDeviceAddress("destination"))?;
        allocation.write(address - allocation.base, bytes);
        Ok(())
    }

    /// Copies from buffer to buffer; the ranges do not overlap.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn copy(
        &mut self,
        to: Buffer,
        to_offset: u64,
        from: Buffer,
        from_offset: u64,
        len: u64,
    ) -> Result<(), Error> {
        let to = self.range(to, to_offset, len)?;
        let from = self.range(from, from_offset, len)?;
        from.reads.mark(from_offset, len);
        let mut piece = vec![0; len.min(COPY_PIECE) as usize];
        let mut done = 0;
        while done < len {
            let piece = &mut piece[..(len - done).min(COPY_PIECE) as usize];
            from.read(from_offset + done, piece);
            to.write(to_offset + done, piece);
            done += piece.len() as u64;
        }
        Ok(())
    }

    /// Copies from the host.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        self.range(buffer, offset, bytes.len() as u64)?.write(offset, bytes);
        Ok(())
    }

    /// Copies to the host.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] or [`Error::ForeignHandle`].
    pub fn read(&self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<(), Error> {
        self.range(buffer, offset, bytes.len() as u64)?.read(offset, bytes);
        Ok(())
    }

    /// Puts a pattern into a buffer that has not been written to yet, and that counts as unwritten afterwards: a kernel that
    /// computes with it is
    /// at fault.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn poison(&mut self, buffer: Buffer, bytes: &[u8]) -> Result<(), Error> {
        self.range(buffer, 0, bytes.len() as u64)?.put(0, bytes);
        Ok(())
    }

    /// Which bytes of a buffer have not been written, in ranges. Known where all launches have had checks; after one without,
    /// every byte counts as written.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn unwritten(&self, buffer: Buffer) -> Result<Vec<Range<u64>>, Error> {
        Ok(self.allocation(buffer)?.written.gaps())
    }

    /// Which bytes of a buffer no launch and no copy on the device has read, in ranges; nothing without
    /// [`crate::Checks::unread`], which must have been set since the first launch.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn unread(&self, buffer: Buffer) -> Result<Option<Vec<Range<u64>>>, Error> {
        let allocation = self.allocation(buffer)?;
        Ok(self.options.checks.unread.then(|| allocation.reads.gaps()))
    }

    /// The account of what the last launch read and wrote in buffers and variables, by rising address; nothing without
    /// [`crate::Checks::accessed`]. What is copied in bulk and what textures read is not in it.
    pub fn accessed(&self) -> Vec<Accessed> {
        let of = |allocation: &Allocation| {
            let [reads, writes] = allocation.accessed.as_ref()?.each_ref().map(WrittenBytes::ranges);
            let accessed = Accessed { address: allocation.base, reads, writes };
            (!accessed.reads.is_empty() || !accessed.writes.is_empty()).then_some(accessed)
        };
        self.memory.allocations.iter().filter_map(of).collect()
    }

    /// Says that bytes of a buffer go elsewhere on the device: they count as read.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn passed_on(&mut self, buffer: Buffer, offset: u64, len: u64) -> Result<(), Error> {
        self.range(buffer, offset, len)?.reads.mark(offset, len);
        Ok(())
    }

    /// Sets every whole word of a buffer.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`], or [`Error::OutOfRange`] for a buffer whose size is not a multiple of 4.
    pub fn fill(&mut self, buffer: Buffer, word: u32) -> Result<(), Error> {
        let allocation = self.range(buffer, 0, 0)?;
        let bytes = allocation.bytes;
        if bytes % 4 != 0 {
            let what = "words of the buffer".to_owned();
            return Err(Error::OutOfRange { what, offset: 0, len: bytes.next_multiple_of(4), bytes });
        }
        for cell in &allocation.words {
            cell.store(word, std::sync::atomic::Ordering::Relaxed);
        }
        allocation.written.mark(0, bytes);
        Ok(())
    }

    /// Gives a buffer the name that faults call it by.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`].
    pub fn name_buffer(&mut self, buffer: Buffer, name: &str) -> Result<(), Error> {
        if self.memory.name(buffer.0, name) { Ok(()) } else { Err(self.memory.missing(buffer.0)) }
    }
}
