//! The embedded device behind the trait: handles and names translated, nothing decided.

use crate::{Arg, Buffer, Description, Device, Kind, Launch, Module, Outcome, Result};
use simt::Chip;

/// The embedded SIMT device. Its counters are exact, its times modelled for one chip.
pub struct Embedded {
    device: simt::Device,
    description: Description,
    modules: Vec<simt::ModuleId>,
    /// The device's buffer of each handle; `None` after `free`.
    buffers: Vec<Option<simt::Buffer>>,
}

impl Embedded {
    /// The embedded device with the chip file of this name; [`Embedded::chips`] lists them.
    ///
    /// # Errors
    /// A chip that is not there, with those that are.
    pub fn new(chip: &str) -> Result<Self> {
        let chip = Chip::by_name(chip)?;
        let description = Description {
            kind: Kind::Embedded { chip: chip.id.clone() },
            name: chip.name.clone(),
            compute_capability: chip.compute_capability,
            multiprocessors: chip.multiprocessors,
            memory_bytes: chip.memory_bytes,
        };
        Ok(Embedded { device: simt::Device::new(chip), description, modules: vec![], buffers: vec![] })
    }

    /// How it runs launches; may be changed between them.
    pub fn options(&mut self) -> &mut simt::Options {
        self.device.options()
    }

    /// The chips there are files of.
    pub fn chips() -> Vec<&'static str> {
        Chip::names()
    }

    fn module(&self, module: Module) -> Result<simt::ModuleId> {
        Ok(self.modules.get(module.0).copied().ok_or(simt::Error::ForeignHandle("module"))?)
    }

    fn buffer(&self, buffer: Buffer) -> Result<simt::Buffer> {
        Ok(self.buffers.get(buffer.id).copied().flatten().ok_or(simt::Error::ForeignHandle("buffer"))?)
    }

    fn run(&mut self, launch: &Launch) -> Result<Outcome> {
        let mut args = Vec::with_capacity(launch.args.len());
        for arg in &launch.args {
            args.push(match arg {
                Arg::Buffer { buffer, offset } => simt::Arg::Buffer(self.buffer(*buffer)?, *offset),
                Arg::I32(v) => simt::Arg::Value(v.to_le_bytes().to_vec()),
                Arg::U32(v) => simt::Arg::Value(v.to_le_bytes().to_vec()),
                Arg::I64(v) => simt::Arg::Value(v.to_le_bytes().to_vec()),
                Arg::U64(v) => simt::Arg::Value(v.to_le_bytes().to_vec()),
                Arg::F32(v) => simt::Arg::Value(v.to_le_bytes().to_vec()),
                Arg::F64(v) => simt::Arg::Value(v.to_le_bytes().to_vec()),
                Arg::Bytes(bytes) => simt::Arg::Value(bytes.clone()),
            });
        }
        let Launch { kernel, grid, block, shared_bytes, cluster, cooperative, .. } = launch;
        let module = self.module(launch.module)?;
        let launch = simt::Launch {
            module,
            kernel,
            grid: *grid,
            block: *block,
            shared_bytes: *shared_bytes,
            args,
            cluster: *cluster,
            cooperative: *cooperative,
        };
        Ok(self.device.launch(&launch)?)
    }
}

impl Device for Embedded {
    fn description(&self) -> &Description {
        &self.description
    }

    fn load(&mut self, name: &str, ptx: &str) -> Result<Module> {
        self.modules.push(self.device.load(name, ptx)?);
        Ok(Module(self.modules.len() - 1))
    }

    fn allocate(&mut self, bytes: u64) -> Result<Buffer> {
        self.buffers.push(Some(self.device.allocate(bytes)?));
        Ok(Buffer { id: self.buffers.len() - 1, bytes })
    }

    fn free(&mut self, buffer: Buffer) -> Result<()> {
        self.device.free(self.buffer(buffer)?)?;
        self.buffers[buffer.id] = None;
        Ok(())
    }

    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        Ok(self.device.write(self.buffer(buffer)?, offset, bytes)?)
    }

    fn read(&mut self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<()> {
        Ok(self.device.read(self.buffer(buffer)?, offset, bytes)?)
    }

    fn fill(&mut self, buffer: Buffer, word: u32) -> Result<()> {
        Ok(self.device.fill(self.buffer(buffer)?, word)?)
    }

    fn write_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &[u8]) -> Result<()> {
        Ok(self.device.write_symbol(self.module(module)?, name, offset, bytes)?)
    }

    fn read_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &mut [u8]) -> Result<()> {
        Ok(self.device.read_symbol(self.module(module)?, name, offset, bytes)?)
    }

    fn name_buffer(&mut self, buffer: Buffer, name: &str) -> Result<()> {
        Ok(self.device.name_buffer(self.buffer(buffer)?, name)?)
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Outcome>> {
        Ok(Some(self.run(launch)?))
    }

    fn time(&mut self, launch: &Launch, calls: u32) -> Result<Vec<f64>> {
        let _ = calls; // the model gives the same time every time
        Ok(vec![self.run(launch)?.modelled_ns])
    }
}
