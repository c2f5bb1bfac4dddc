//! A warp's calls of the device runtime, one lane after the other.

use super::*;
use crate::error::FaultKind;
use crate::exec::count::Counts;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::runtime_query;
use crate::ir::{BuiltinCall, QueryCall, RuntimeCall, TransferCall};
use crate::lanes::{X, lanes};
use crate::memory::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use crate::model::residency::LaunchSize;

impl CurrentBlock<'_> {
    /// A call of the device runtime by lanes of a warp, one after the other.
    pub(in crate::exec) fn runtime(
        &mut self,
        counts: &mut Counts,
        what: RuntimeCall,
        of: &BuiltinCall,
        mask: u32,
        runtime: &Runtime,
    ) -> Result<(), Stop> {
        let mut results = X::ZERO;
        for l in lanes(mask) {
            results.0[l] = self.runtime_call(counts, what, of, l, runtime)?;
        }
        if let Some(result) = of.result {
            let bytes = if what.gives_address() { 8 } else { 4 };
            self.write_local(self.cursor.local_base + result, bytes, &results, mask);
        }
        Ok(())
    }

    fn runtime_call(
        &mut self,
        counts: &mut Counts,
        what: RuntimeCall,
        of: &BuiltinCall,
        lane: usize,
        runtime: &Runtime,
    ) -> Result<u64, Stop> {
        let wide = |worker: &Self, n: usize| worker.argument(of, n, 8).0[lane];
        let word = |worker: &Self, n: usize| worker.argument(of, n, 4).0[lane] as u32;
        let thread = (self.block.number, (self.cursor.warp * crate::WARP + lane) as u32);
        let result = match what {
            RuntimeCall::ParameterBuffer => {
                let configuration = Configuration {
                    function: wide(self, 0),
                    grid: self.dimensions(of, 1, lane),
                    block: self.dimensions(of, 2, lane),
                    shared_bytes: word(self, 3),
                };
                match self.parameter_buffer(configuration, runtime) {
                    Ok(address) => return Ok(address),
                    Err(error) => {
                        runtime.state().errors.insert(thread, error);
                        return Ok(0);
                    }
                }
            }
            RuntimeCall::AnyBuffer => return Ok(self.heap_piece(wide(self, 1))),
            RuntimeCall::Launch => self.launch_buffer(counts, wide(self, 0), wide(self, 1), runtime),
            RuntimeCall::LaunchAny => {
                let configuration = Configuration {
                    function: wide(self, 0),
                    grid: self.dimensions(of, 2, lane),
                    block: self.dimensions(of, 3, lane),
                    shared_bytes: word(self, 4),
                };
                self.leave_launch(counts, configuration, wide(self, 1), wide(self, 5), runtime)
            }
            RuntimeCall::LastError => return Ok(runtime.state().errors.remove(&thread).unwrap_or(0).into()),
            RuntimeCall::PeekError => {
                return Ok(runtime.state().errors.get(&thread).copied().unwrap_or(0).into());
            }
            RuntimeCall::ErrorName | RuntimeCall::ErrorText => {
                return Ok(self.error_text(word(self, 0), what == RuntimeCall::ErrorName, runtime));
            }
            RuntimeCall::CreateStream if word(self, 1) > 1 => Err(INVALID_VALUE),
            RuntimeCall::CreateEvent if word(self, 1) != DISABLE_TIMING => Err(INVALID_VALUE),
            RuntimeCall::CreateStream | RuntimeCall::CreateEvent => {
                let handle = {
                    let mut state = runtime.state();
                    state.streams += 1;
                    // Past those that mean something.
                    0x100 + state.streams
                };
                self.put_generic(lane, wide(self, 0), 8, handle)?;
                Ok(())
            }
            // All work is done in the order in which it was given, so that what a thread waits for is there.
            RuntimeCall::Nothing => Ok(()),
            RuntimeCall::Device => self.put_generic(lane, wide(self, 0), 4, 0).map(Ok)?,
            RuntimeCall::DeviceCount => self.put_generic(lane, wide(self, 0), 4, 1).map(Ok)?,
            // On an H200 the pointer stays as it was.
            RuntimeCall::Allocate if wide(self, 1) == 0 => Err(INVALID_VALUE),
            RuntimeCall::Allocate => {
                let address = self.heap_piece(wide(self, 1));
                self.put_generic(lane, wide(self, 0), 8, address)?;
                if address == 0 { Err(MEMORY_ALLOCATION) } else { Ok(()) }
            }
            RuntimeCall::Free => {
                let address = wide(self, 0);
                if address != 0 && !self.run.free_piece(address) {
                    let message = "cudaFree of an address that cudaMalloc did not give in a kernel, or that has already been freed";
                    let stop = Stop::at(FaultKind::Trap, lane, address, 0);
                    return Err(Stop { message: Some(message.to_owned()), ..stop }.after_lanes_before(lane));
                }
                Ok(())
            }
            RuntimeCall::Transfer(what) => self.leave_transfer(counts, what, of, lane, runtime),
            RuntimeCall::Query(what) => self.query(what, of, lane, runtime)?,
        };
        let error = result.err().unwrap_or(SUCCESS);
        // Those return their errors alone, on an H200.
        let is_returned = matches!(what, RuntimeCall::Query(QueryCall::Limit | QueryCall::Occupancy));
        if error != SUCCESS && !is_returned {
            runtime.state().errors.insert(thread, error);
        }
        Ok(error.into())
    }

    /// A `dim3` among the arguments.
    fn dimensions(&self, of: &BuiltinCall, n: usize, lane: usize) -> [u32; 3] {
        let at = self.cursor.local_base + of.arguments[n];
        std::array::from_fn(|axis| self.read_local(at + 4 * axis as u32, 4).0[lane] as u32)
    }

    fn parameter_buffer(&mut self, of: Configuration, runtime: &Runtime) -> Result<u64, u32> {
        let bytes = runtime.check(&of)?.parameter_bytes;
        let address = self.heap_piece(bytes.max(1).into());
        if address == 0 {
            return Err(MEMORY_ALLOCATION);
        }
        runtime.state().buffers.insert(address, of);
        Ok(address)
    }

    fn launch_buffer(
        &mut self,
        counts: &mut Counts,
        address: u64,
        stream: u64,
        runtime: &Runtime,
    ) -> Result<(), u32> {
        let of = runtime.state().buffers.remove(&address).ok_or(INVALID_VALUE)?;
        let result = self.leave_launch(counts, of, address, stream, runtime);
        self.run.free_piece(address);
        result
    }

    /// Leaves a launch, with the parameters at an address.
    fn leave_launch(
        &mut self,
        counts: &mut Counts,
        of: Configuration,
        parameters: u64,
        stream: u64,
        runtime: &Runtime,
    ) -> Result<(), u32> {
        let kernel = runtime.check(&of)?;
        let mut bytes = vec![0; kernel.parameter_bytes as usize];
        if !bytes.is_empty() {
            let end = parameters.checked_add(bytes.len() as u64).ok_or(INVALID_VALUE)?;
            let found = self.run.global.find(parameters, end, &mut 0).ok_or(INVALID_VALUE)?;
            found.read(parameters - found.base, &mut bytes);
        }
        let Configuration { grid, block, shared_bytes, .. } = of;
        let kernel = kernel.name.clone();
        let work = DeferredWork::Launch { kernel, grid, block, shared_bytes, parameters: bytes };
        self.leave_work(counts, work, stream, runtime)
    }

    fn leave_work(
        &mut self,
        counts: &mut Counts,
        work: DeferredWork,
        stream: u64,
        runtime: &Runtime,
    ) -> Result<(), u32> {
        let (bytes, rows) = match &work {
            DeferredWork::Launch { parameters, .. } => (parameters.len(), 0),
            DeferredWork::Copy { block, .. } | DeferredWork::Clear { block, .. } => (0, block.rows()),
        };
        let mut state = runtime.state();
        if state.left >= PENDING || state.left_bytes + bytes > PENDING_BYTES {
            return Err(LAUNCH_PENDING_COUNT_EXCEEDED);
        }
        state.left += 1;
        state.left_bytes += bytes;
        state.concurrent |= stream != TAIL;
        drop(state);
        self.charge((16 + bytes as u64 / 4).saturating_add(rows));
        counts.tally.left.push(Left { block: self.block.number, tail: stream == TAIL, work });
        Ok(())
    }

    /// A copy or a fill, left to be done.
    fn leave_transfer(
        &mut self,
        counts: &mut Counts,
        what: TransferCall,
        of: &BuiltinCall,
        lane: usize,
        runtime: &Runtime,
    ) -> Result<(), u32> {
        let wide = |n: usize| self.argument(of, n, 8).0[lane];
        let word = |n: usize| self.argument(of, n, 4).0[lane] as u32;
        // A struct among the arguments.
        let field =
            |n: usize, at: u32| self.read_local(self.cursor.local_base + of.arguments[n] + at, 8).0[lane];
        let (from, to, block, kind, stream) = match what {
            TransferCall::Copy => {
                (Some(Rows::line(wide(1))), Rows::line(wide(0)), Block::line(wide(2)), word(3), wide(4))
            }
            TransferCall::CopyPlane => {
                let (to, from) = (Rows::plane(wide(0), wide(1)), Rows::plane(wide(2), wide(3)));
                (Some(from), to, Block { bytes: wide(4), height: wide(5), depth: 1 }, word(6), wide(7))
            }
            TransferCall::CopyBox => {
                let field = |at: u64| {
                    let bytes: Option<Vec<u8>> =
                        (at..at + 8).map(|at| self.byte(lane, wide(0).checked_add(at)?)).collect();
                    bytes.map(|bytes| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
                };
                let (to, from, block, kind) = Block::of_parameters(field).ok_or(INVALID_VALUE)?;
                (Some(from), to, block, kind, wide(1))
            }
            TransferCall::Set => (None, Rows::line(wide(0)), Block::line(wide(2)), DIRECTIONS[0], wide(3)),
            TransferCall::SetPlane => {
                let block = Block { bytes: wide(3), height: wide(4), depth: 1 };
                (None, Rows::plane(wide(0), wide(1)), block, DIRECTIONS[0], wide(5))
            }
            TransferCall::SetBox => {
                let to = Rows::of_box(field(0, 0), field(0, 8), field(0, 24));
                let block = Block { bytes: field(2, 0), height: field(2, 8), depth: field(2, 16) };
                (None, to, block, DIRECTIONS[0], wide(3))
            }
        };
        if !DIRECTIONS.contains(&kind) {
            return Err(INVALID_DIRECTION);
        }
        if block.is_empty() {
            return Ok(());
        }
        for rows in [Some(to), from].into_iter().flatten() {
            if rows.overlap(&block) {
                return Err(INVALID_PITCH);
            }
            let (start, end) = rows.extent(&block).ok_or(INVALID_VALUE)?;
            self.run.global.find(start, end, &mut 0).ok_or(INVALID_VALUE)?;
        }
        let work = match from {
            Some(from) => DeferredWork::Copy { to, from, block },
            None => DeferredWork::Clear { to, block },
        };
        self.leave_work(counts, work, stream, runtime)
    }

    /// Answers a question: stores the answer, or gives an error.
    fn query(
        &mut self,
        what: QueryCall,
        of: &BuiltinCall,
        lane: usize,
        runtime: &Runtime,
    ) -> Result<Result<(), u32>, Stop> {
        let wide = |n: usize| self.argument(of, n, 8).0[lane];
        let word = |n: usize| self.argument(of, n, 4).0[lane] as u32;
        let chip = self.run.chip;
        let (bytes, value) = match what {
            QueryCall::Attribute => match runtime_query::attribute(chip, word(1)) {
                runtime_query::Attribute::Is(value) => (4, u64::from(value)),
                runtime_query::Attribute::Missing => return Ok(Err(INVALID_VALUE)),
                runtime_query::Attribute::Unknown => {
                    let message = format!(
                        "cudaDeviceGetAttribute: the embedded device does not have attribute {}",
                        word(1)
                    );
                    let stop = Stop::at(FaultKind::Trap, lane, wide(0), 4);
                    return Err(Stop { message: Some(message), ..stop }.after_lanes_before(lane));
                }
            },
            QueryCall::Limit => match runtime_query::limit(chip, word(1)) {
                Some(Some(value)) => (8, value),
                Some(None) => {
                    self.put_generic(lane, wide(0), 8, u64::MAX)?;
                    return Ok(Err(UNSUPPORTED_LIMIT));
                }
                None => return Ok(Err(INVALID_VALUE)),
            },
            QueryCall::CacheConfiguration => (4, runtime_query::PREFER_NONE),
            QueryCall::BankSize => (4, runtime_query::FOUR_BYTES),
            QueryCall::Version => (4, runtime_query::VERSION),
            QueryCall::Occupancy => {
                let Some(kernel) = runtime.kernels.get(&wide(1)) else {
                    return Ok(Err(INVALID_DEVICE_FUNCTION));
                };
                let (threads, dynamic) = (u64::from(word(2)), wide(3));
                if threads == 0 || word(2) as i32 <= 0 {
                    return Ok(Err(INVALID_VALUE));
                }
                let fits = threads <= kernel.threads && dynamic <= kernel.dynamic_bytes;
                let shape = LaunchSize {
                    blocks: u64::MAX,
                    warps_per_block: threads.div_ceil(crate::WARP as u64),
                    shared_bytes: kernel.shared_bytes.saturating_add(dynamic),
                    registers: None,
                };
                (4, if fits { shape.room(chip) } else { 0 })
            }
        };
        self.put_generic(lane, wide(0), bytes, value)?;
        Ok(Ok(()))
    }

    /// The address of an error's name or description.
    fn error_text(&mut self, error: u32, name: bool, runtime: &Runtime) -> u64 {
        let found = ERRORS.iter().find(|(number, ..)| *number == error);
        let text = found.map_or("unrecognized error code", |row| if name { row.1 } else { row.2 });
        if let Some(address) = runtime.state().texts.get(text) {
            return *address;
        }
        let address = self.heap_piece(text.len() as u64 + 1);
        let end = address + text.len() as u64 + 1;
        if address != 0
            && let Some(heap) = self.run.global.find(address, end, &mut 0)
        {
            heap.write(address - heap.base, text.as_bytes());
            heap.write(end - 1 - heap.base, &[0]);
            runtime.state().texts.insert(text, address);
        }
        address
    }

    /// Stores a value of a lane's at a generic address.
    fn put_generic(&mut self, lane: usize, address: u64, bytes: u8, value: u64) -> Result<(), Stop> {
        let width = u64::from(bytes);
        let within = |window: u64| address.checked_sub(window).filter(|at| *at < WINDOW);
        if !address.is_multiple_of(width) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, address, width));
        }
        if let Some(at) = within(LOCAL_WINDOW) {
            if self.local_byte(lane, at + width - 1).is_none() {
                return Err(Stop::at(FaultKind::OutOfBoundsLocal, lane, address, width));
            }
            self.write_local(at as u32, bytes, &X::splat(value), 1 << lane);
            return Ok(());
        }
        let value = &value.to_le_bytes()[..usize::from(bytes)];
        if let Some(at) = within(SHARED_WINDOW) {
            let end = at.saturating_add(width) as usize;
            let Some(place) = self.block.shared.get_mut(at as usize..end) else {
                return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, address, width));
            };
            place.copy_from_slice(value);
            return Ok(());
        }
        let end = address.saturating_add(width);
        let Some(found) = self.run.global.find(address, end, &mut 0) else {
            return Err(Stop::at(FaultKind::OutOfBoundsGlobal, lane, address, width));
        };
        found.write(address - found.base, value);
        Ok(())
    }
}
