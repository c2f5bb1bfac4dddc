//! The embedded device, whose calls are made a second time by the engine in WebAssembly.
//!
//! Enters: the calls of a lab or of a job. Leaves: the same calls as frames for node, and what the native device answered to
//! each. Textures are not passed on: no launch of a lab reads one, and one that did would differ.

use device::texture::{Extent as TexelExtent, Format, Sampling};
use device::{
    Array, Buffer, Description, Device, Extent, KernelAttributes, Launch, Mistake, Module, Outcome, Pitched,
    Region, Resource, Result, Step, Surface, Texture, Transfer, TransferTime,
};
use web::replay::{self, Call, Player, Start, Value};

/// What the native device answered to a call.
pub(crate) struct Reported {
    /// The call, in short.
    pub(crate) call: String,
    /// Kernels that it launched.
    pub(crate) kernels: Vec<String>,
    /// The answer, as [`Player::reported`] words it.
    pub(crate) answer: String,
}

/// Takes the frame of each call, and what was answered to it.
pub(crate) trait Sink {
    /// Takes a frame.
    fn take(&mut self, frame: serde_json::Result<Vec<u8>>, reported: Reported);
}

/// The embedded device, and where its calls go.
pub(crate) struct Recorder<'s> {
    player: Player,
    modules: Vec<Module>,
    sink: &'s mut dyn Sink,
}

impl<'s> Recorder<'s> {
    pub(crate) fn new(start: &Start, sink: &'s mut dyn Sink) -> Result<Self> {
        let reported = Reported { call: format!("{start:?}"), kernels: vec![], answer: String::new() };
        sink.take(replay::start(start), reported);
        Ok(Recorder { player: Player::new(start)?, modules: vec![], sink })
    }

    /// Kernels of all modules that were loaded.
    pub(crate) fn loaded(&self) -> Result<Vec<String>> {
        let kernels = self.modules.iter().map(|module| self.player.device.kernels(*module));
        Ok(kernels.collect::<Result<Vec<_>>>()?.concat())
    }

    fn made(&mut self, call: &Call, bytes: &[u8]) -> Result<Value> {
        let found = self.player.play(call, bytes);
        let answer = self.player.reported(call, &found);
        let kernels = call.launches().into_iter().map(|launch| launch.kernel.clone()).collect();
        let call_in_short = format!("{call:?}").chars().take(300).collect();
        self.sink.take(replay::call(call, bytes), Reported { call: call_in_short, kernels, answer });
        found
    }

    fn bytes(&mut self, call: &Call, to: &mut [u8]) -> Result<()> {
        if let Value::Bytes(bytes) = self.made(call, &[])? {
            to.copy_from_slice(&bytes);
        }
        Ok(())
    }

    fn module(&self, module: Module) -> u32 {
        self.player.number_of_module(module)
    }

    fn buffer(&self, buffer: Buffer) -> u32 {
        self.player.number_of_buffer(buffer)
    }

    fn launch_of(&self, launch: &Launch) -> Result<Launch<u32, u32>> {
        launch.resolve(&|module| Ok(self.module(*module)), &|buffer| Ok(self.buffer(*buffer)))
    }

    fn steps(&self, steps: &[Step]) -> Result<Vec<Step<u32, u32>>> {
        let (module, buffer) =
            (|module: &Module| Ok(self.module(*module)), |buffer: &Buffer| Ok(self.buffer(*buffer)));
        steps.iter().map(|step| step.resolve(&module, &buffer)).collect()
    }
}

/// What a call must return, whose kind is known.
fn unexpected(value: &Value) -> device::Error {
    device::Error::BadShape { message: format!("a call returned {value:?}") }
}

impl Device for Recorder<'_> {
    fn description(&self) -> &Description {
        self.player.device.description()
    }

    fn load(&mut self, name: &str, ptx: &str) -> Result<Module> {
        match self.made(&Call::Load { name: name.to_owned(), ptx: ptx.to_owned() }, &[])? {
            Value::Module(module) => {
                self.modules.push(module);
                Ok(module)
            }
            other => Err(unexpected(&other)),
        }
    }

    fn check_kernel(&mut self, module: Module, kernel: &str) -> Result<()> {
        let module = self.module(module);
        self.made(&Call::CheckKernel { module, kernel: kernel.to_owned() }, &[]).map(drop)
    }

    fn kernel_attributes(&mut self, module: Module, kernel: &str) -> Result<KernelAttributes> {
        self.player.device.kernel_attributes(module, kernel)
    }

    fn symbol_address(&mut self, module: Module, name: &str) -> Result<u64> {
        self.player.device.symbol_address(module, name)
    }

    fn allocate(&mut self, bytes: u64) -> Result<Buffer> {
        match self.made(&Call::Allocate { bytes }, &[])? {
            Value::Buffer(buffer) => Ok(buffer),
            other => Err(unexpected(&other)),
        }
    }

    fn allocate_pitched(&mut self, width: u64, rows: u64, element_bytes: u32) -> Result<Pitched> {
        match self.made(&Call::AllocatePitched { width, rows, element_bytes }, &[])? {
            Value::Pitched(pitched) => Ok(pitched),
            other => Err(unexpected(&other)),
        }
    }

    fn free(&mut self, buffer: Buffer) -> Result<()> {
        let buffer = self.buffer(buffer);
        self.made(&Call::Free { buffer }, &[]).map(drop)
    }

    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        let buffer = self.buffer(buffer);
        self.made(&Call::Write { buffer, offset }, bytes).map(drop)
    }

    fn read(&mut self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let buffer = self.buffer(buffer);
        self.bytes(&Call::Read { buffer, offset, bytes: bytes.len() as u64 }, bytes)
    }

    fn write_3d(
        &mut self,
        to: Buffer,
        at: Region,
        from: &[u8],
        from_at: Region,
        extent: Extent,
    ) -> Result<()> {
        let to = self.buffer(to);
        self.made(&Call::Write3d { to, at, from_at, extent }, from).map(drop)
    }

    fn read_3d(
        &mut self,
        from: Buffer,
        at: Region,
        to: &mut [u8],
        to_at: Region,
        extent: Extent,
    ) -> Result<()> {
        let (number, bytes) = (self.buffer(from), to.len() as u64);
        self.made(&Call::Read3d { from: number, at, to_at, extent, bytes }, &[])?;
        // Once more, since what is between the rows stays as it is.
        self.player.device.read_3d(from, at, to, to_at, extent)
    }

    fn copy_3d(
        &mut self,
        to: Buffer,
        to_at: Region,
        from: Buffer,
        from_at: Region,
        extent: Extent,
    ) -> Result<()> {
        let (to, from) = (self.buffer(to), self.buffer(from));
        self.made(&Call::Copy3d { to, to_at, from, from_at, extent }, &[]).map(drop)
    }

    fn address(&self, buffer: Buffer) -> Result<u64> {
        self.player.device.address(buffer)
    }

    fn fill(&mut self, buffer: Buffer, word: u32) -> Result<()> {
        let buffer = self.buffer(buffer);
        self.made(&Call::Fill { buffer, word }, &[]).map(drop)
    }

    fn write_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &[u8]) -> Result<()> {
        let module = self.module(module);
        self.made(&Call::WriteSymbol { module, name: name.to_owned(), offset }, bytes).map(drop)
    }

    fn kernels(&self, module: Module) -> Result<Vec<String>> {
        self.player.device.kernels(module)
    }

    fn symbols(&self, module: Module) -> Result<Vec<String>> {
        self.player.device.symbols(module)
    }

    fn symbol_type(&self, module: Module, name: &str) -> Result<String> {
        self.player.device.symbol_type(module, name)
    }

    fn symbol_bytes(&self, module: Module, name: &str) -> Result<u64> {
        self.player.device.symbol_bytes(module, name)
    }

    fn read_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let module = self.module(module);
        let name = name.to_owned();
        self.bytes(&Call::ReadSymbol { module, name, offset, bytes: bytes.len() as u64 }, bytes)
    }

    fn name_buffer(&mut self, buffer: Buffer, name: &str) -> Result<()> {
        let buffer = self.buffer(buffer);
        self.made(&Call::NameBuffer { buffer, name: name.to_owned() }, &[]).map(drop)
    }

    fn allocate_array(&mut self, extent: TexelExtent, format: Format) -> Result<Array> {
        self.player.device.allocate_array(extent, format)
    }

    fn free_array(&mut self, array: Array) -> Result<()> {
        self.player.device.free_array(array)
    }

    fn write_array(&mut self, array: Array, bytes: &[u8]) -> Result<()> {
        self.player.device.write_array(array, bytes)
    }

    fn read_array(&mut self, array: Array, bytes: &mut [u8]) -> Result<()> {
        self.player.device.read_array(array, bytes)
    }

    fn create_texture(&mut self, resource: &Resource, format: Format, sampling: Sampling) -> Result<Texture> {
        self.player.device.create_texture(resource, format, sampling)
    }

    fn create_surface(&mut self, array: Array, level: u32) -> Result<Surface> {
        self.player.device.create_surface(array, level)
    }

    fn bind_texture(&mut self, module: Module, name: &str, texture: Texture) -> Result<()> {
        self.player.device.bind_texture(module, name, texture)
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Outcome>> {
        match self.made(&Call::Launch(self.launch_of(launch)?), &[])? {
            Value::Outcome(outcome) => Ok(outcome.map(|outcome| *outcome)),
            other => Err(unexpected(&other)),
        }
    }

    fn run(&mut self, steps: &[Step]) -> Result<Option<Outcome>> {
        match self.made(&Call::Run(self.steps(steps)?), &[])? {
            Value::Outcome(outcome) => Ok(outcome.map(|outcome| *outcome)),
            other => Err(unexpected(&other)),
        }
    }

    fn time(&mut self, steps: &[Step], calls: u32) -> Result<Vec<f64>> {
        match self.made(&Call::Time { steps: self.steps(steps)?, calls }, &[])? {
            Value::Times(times) => Ok(times),
            other => Err(unexpected(&other)),
        }
    }

    fn resident_blocks(&mut self, launch: &Launch) -> Result<Option<u32>> {
        self.player.device.resident_blocks(launch)
    }

    fn time_transfer(
        &mut self,
        transfer: &Transfer,
        symbol: Option<(Module, &str)>,
        calls: u32,
    ) -> Result<Vec<TransferTime>> {
        self.player.device.time_transfer(transfer, symbol, calls)
    }

    fn time_allocation(&mut self, bytes: u64, calls: u32) -> Result<Option<Vec<[f64; 2]>>> {
        self.player.device.time_allocation(bytes, calls)
    }

    fn provoke(&mut self, mistake: Mistake) -> Result<String> {
        self.player.device.provoke(mistake)
    }
}
