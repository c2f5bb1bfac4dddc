//! Launches: what they ask for against what the chip has, the run, and faults with their places.

use super::MOST_THREADS;
use super::fault::called_place;
use super::{Arg, Buffer, Device, Launch, Loaded, find_kernel};
use crate::access_marks::AccessMarks;
use crate::error::Bytes;
use crate::error::{CountedFault, Error, Fault};
use crate::exec::{self, DeferredWork, Left, RawFault, Run, Runtime, index_in};
use crate::hash::HashMap;
use crate::heap::{HEAP_BYTES, Heap};
use crate::ir::{Builtin, Executed, Kernel, Program, Root, Uses};
use crate::memory::{FIRST, NARROW_END};
use crate::model::residency::LaunchSize;
use crate::model::time;
use crate::outcome::{Made, Outcome, profile};
use crate::resolve::resolve;
use crate::written_bytes::WrittenBytes;

/// Warp instructions of the launch's budget that a grid takes in addition to its own.
const GRID_COST: u64 = 64;
/// Workspace of the grid barrier of a cooperative launch, bytes.
const WORKSPACE_BYTES: u64 = 16;
/// Blocks of a cluster on any chip (CUDA C++ Programming Guide, "Thread Block Clusters").
const CLUSTER_BLOCKS: u64 = 8;

/// What was found out of a launch before it.
pub(super) struct Checked {
    /// Static and dynamic together.
    shared_bytes: u32,
    parameters: Vec<u8>,
    /// Addresses of the module's global variables; of constant ones, 0.
    symbols: Vec<u64>,
    cluster: Option<[u32; 3]>,
    /// Whether it is looked at who touches some of global memory.
    watches_global: bool,
}

impl Device {
    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// A launch that no device of this chip would take, or [`Error::Fault`].
    pub fn launch(&mut self, launch: &Launch<'_>) -> Result<Outcome, Error> {
        self.prepare(launch.module, launch.kernel)?;
        let sought = match self.repeated(launch) {
            Some(Ok(outcome)) => return Ok(outcome),
            Some(Err(sought)) => Some(sought),
            None => None,
        };
        let budget = self.options.launch_budget;
        for allocation in &mut self.memory.allocations {
            let account = || Box::new([0, 1].map(|_| WrittenBytes::new(allocation.bytes)));
            allocation.accessed = self.options.checks.accessed.then(account);
        }
        let outcome = self.launch_all(launch);
        self.options.launch_budget = budget;
        if let (Some(sought), Ok(outcome)) = (sought, &outcome) {
            self.keep(sought, outcome);
        }
        outcome
    }

    /// Runs a grid, and after it what it left to be done: each launch with all that this leaves in turn, in the order in
    /// which blocks and threads gave it, tail launches last. So a grid has ended when all its descendants have.
    fn launch_all(&mut self, launch: &Launch<'_>) -> Result<Outcome, Error> {
        let (mut all, left) = self.launch_grid(launch)?;
        let mut levels = vec![exec::in_order(left)];
        while let Some(level) = levels.last_mut() {
            let Some(work) = level.pop_front() else {
                levels.pop();
                continue;
            };
            match work {
                DeferredWork::Launch { kernel, grid, block, shared_bytes, parameters } => {
                    let loaded = self.modules.get(launch.module.0).ok_or(Error::ForeignHandle("module"))?;
                    let args =
                        find_kernel(&loaded.program, &kernel)?.values(&parameters).map(Arg::Value).collect();
                    let (kernel, cluster, cooperative) = (kernel.as_str(), None, false);
                    let child = Launch {
                        module: launch.module,
                        kernel,
                        grid,
                        block,
                        shared_bytes,
                        args,
                        cluster,
                        cooperative,
                    };
                    let (outcome, left) = self.launch_grid(&child).map_err(|error| match error {
                        Error::Fault(mut fault) => {
                            fault.printed.insert_str(0, &all.printed);
                            Error::Fault(fault)
                        }
                        error => error,
                    })?;
                    all.add(outcome);
                    levels.push(exec::in_order(left));
                }
                DeferredWork::Copy { to, from, block } => {
                    for (row, plane) in block.places() {
                        self.memory.copy(to.row(row, plane), from.row(row, plane), block.bytes)?;
                    }
                }
                DeferredWork::Clear { to, block } => {
                    for (row, plane) in block.places() {
                        self.memory.clear(to.row(row, plane), block.bytes)?;
                    }
                }
            }
        }
        Ok(all)
    }

    /// Runs one grid; what it leaves to be done is for the caller.
    fn launch_grid(&mut self, launch: &Launch<'_>) -> Result<(Outcome, Vec<Left>), Error> {
        let number = self.number(launch)?;
        self.prepare_heap(launch, number)?;
        self.prepare_workspace(launch)?;
        self.prepare_executed(launch, number);
        self.begin_launch();
        let (loaded, kernel) = self.numbered(launch.module, number);
        let mut checked = self.checked(loaded, kernel, launch)?;
        checked.watches_global = self.watch_global(launch, number, &checked);
        let (loaded, kernel) = self.numbered(launch.module, number);
        let runtime = self.runtime(loaded, kernel);
        let floats = self.options.checks.not_finite.then(|| exec::Floats::new(&loaded.program, kernel));
        let run = self.run(loaded, kernel, launch, &checked);
        let run = Run { runtime: runtime.as_ref(), floats: floats.as_ref(), ..run };
        self.check_cooperative(&run)?;
        let named = |raw: RawFault| self.fault(&loaded.program, kernel, &run, raw);
        let printed = |all: &[(u64, String)]| {
            let texts = all.iter().map(|(_, text)| text.as_str());
            crate::print::first_bytes(texts, self.options.print_bytes)
        };
        let mut tally = exec::run(&run).map_err(|failed| {
            let printed = printed(&failed.printed);
            Error::Fault(Box::new(Fault { printed, ..named(*failed.fault) }))
        })?;
        let each = tally.profile.take().map(|p| p.finish(kernel)).unwrap_or_default();
        let executed = run.executed.map(|of| {
            let extent = exec::Extent { blocks: run.blocks(), warps_per_block: run.warps_per_block() };
            exec::count_executed(of, &tally, &each, extent)
        });
        let profile = self.options.profile.then(|| profile(&loaded.program, kernel, each));
        let printed = printed(&tally.printed);
        let shape = LaunchSize {
            blocks: run.blocks(),
            warps_per_block: run.warps_per_block(),
            shared_bytes: u64::from(run.shared_bytes),
            registers: kernel.compiled.registers,
        };
        let allocated = |n| run.global.bytes_of(n);
        let (modelled_ns, limit) =
            time::nanoseconds(&self.chip, shape, &tally.counters, &tally.sample, allocated);
        let outcome = Outcome {
            counters: tally.counters,
            modelled_ns,
            longest: Some((modelled_ns, limit)),
            shared_bytes: shape.shared_bytes,
            printed,
            profile: profile.unwrap_or_default(),
            executed: executed.unwrap_or_default(),
            accesses: resolve(&loaded.program, &run, &tally.notes.accesses),
            left_out: tally.notes.left_out,
            faults: tally
                .found
                .sorted()
                .into_iter()
                .map(|counted| CountedFault { fault: named(counted.fault), count: counted.count })
                .collect(),
            not_finite: tally
                .made
                .into_iter()
                .map(|made| named_made(&loaded.program, kernel, &run, made))
                .collect(),
        };
        if let Some(constants) = run.stored.into_inner() {
            let loaded = &mut self.modules[launch.module.0];
            constants.read(0, &mut loaded.constant);
            loaded.constant_set.mark(0, loaded.constant.len() as u64);
        }
        // Of the budget, what this grid took is gone, and a little for having been there.
        let taken = outcome.counters.warp_instructions.saturating_add(GRID_COST);
        self.options.launch_budget = self.options.launch_budget.saturating_sub(taken);
        Ok((outcome, tally.left))
    }

    /// What a launch without checks writes is not noted.
    pub(super) fn begin_launch(&mut self) {
        for allocation in &mut self.memory.allocations {
            allocation.written.begin_launch(self.options.checks.of_accesses());
        }
        for array in self.textures.arrays_mut() {
            array.memory.written.begin_launch(self.options.checks.of_accesses());
        }
    }

    /// Gives what the launch may both write and otherwise touch marks of who does; says whether there is any.
    fn watch_global(&mut self, launch: &Launch<'_>, number: usize, checked: &Checked) -> bool {
        let arrays = self.textures.arrays_mut().map(|array| &mut array.memory);
        self.memory.allocations.iter_mut().chain(arrays).for_each(|allocation| allocation.touched = None);
        let chosen = self.options.checks;
        // A mark has the number of a block in 32 bits.
        let blocks = launch.grid.iter().map(|n| u64::from(*n)).product::<u64>();
        if !(chosen.global_races || chosen.read_only) || blocks >= u64::from(u32::MAX) {
            return false;
        }
        let reach = &self.modules[launch.module.0].program.kernels[number].reach;
        let mut uses: HashMap<usize, Uses> = HashMap::default();
        for (root, of) in &reach.roots {
            let address = match root {
                Root::Parameter(offset) => {
                    let bytes =
                        checked.parameters.get(*offset as usize..).and_then(|rest| rest.first_chunk());
                    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
                }
                Root::Symbol(symbol) => checked.symbols.get(*symbol as usize).copied().unwrap_or(0),
            };
            let after = self.memory.allocations.partition_point(|a| a.base <= address);
            if let Some(at) = after.checked_sub(1) {
                uses.entry(at).or_insert(Uses::NONE).add(*of);
            }
        }
        let fetched: Vec<usize> = if reach.textures { self.textures.buffers().collect() } else { vec![] };
        let anywhere = reach.anywhere;
        let mut any = false;
        for (at, allocation) in self.memory.allocations.iter_mut().enumerate() {
            let mut all = uses.get(&at).copied().unwrap_or(Uses::NONE);
            if let Some(anywhere) = anywhere {
                all.add(anywhere);
            }
            if fetched.contains(&allocation.id) {
                all.add(Uses { read_only: true, shift: 0, ..Uses::NONE });
            }
            if all.conflict(chosen.global_races, chosen.read_only) && !allocation.heap {
                allocation.touched = Some(Box::new(AccessMarks::new(allocation.bytes, all)));
                any = true;
            }
        }
        let mut of_texels = reach.surfaces;
        of_texels.read_only = reach.textures;
        if of_texels.conflict(chosen.global_races, chosen.read_only) {
            for array in self.textures.arrays_mut() {
                let texel = array.format.bytes().trailing_zeros() as u8;
                let uses = Uses { shift: of_texels.shift.min(texel), ..of_texels };
                array.memory.touched = Some(Box::new(AccessMarks::new(array.memory.bytes, uses)));
            }
        }
        any
    }

    /// What kernels ask of the device runtime, if this one does.
    pub(super) fn runtime(&self, loaded: &Loaded, kernel: &Kernel) -> Option<Runtime> {
        let asks = kernel.builtins.iter().any(|call| matches!(call.builtin, Builtin::Runtime(_)));
        asks.then(|| Runtime::new(&loaded.program, self.chip.limits.shared_bytes_per_block.into()))
    }

    /// Finds what ptxas makes of the kernel, the first time that it is asked for.
    fn prepare_executed(&mut self, launch: &Launch<'_>, number: usize) {
        let loaded = &mut self.modules[launch.module.0];
        if self.options.executed && !loaded.executed.contains_key(launch.kernel) {
            let executed = Executed::new(&loaded.program.kernels[number]);
            loaded.executed.insert(launch.kernel.to_owned(), executed);
        }
    }

    /// Checks a launch, and runs nothing: all errors that [`Device::launch`] could end with before a thread runs. Of a
    /// kernel that is refused it is the first reason alone ([`Device::refusals`] has all), and nothing else.
    pub fn problems(&mut self, launch: &Launch<'_>) -> Vec<Error> {
        self.look(launch).unwrap_or_else(|error| vec![error])
    }

    fn look(&mut self, launch: &Launch<'_>) -> Result<Vec<Error>, Error> {
        self.prepare(launch.module, launch.kernel)?;
        let loaded = self.modules.get(launch.module.0).ok_or(Error::ForeignHandle("module"))?;
        let kernel = find_kernel(&loaded.program, launch.kernel)?;
        let problems = [
            self.check_shape(kernel, launch),
            self.check_shared(kernel, launch.shared_bytes).map(drop),
            self.parameters(kernel, &launch.args, loaded.program.narrow).map(drop),
            self.check_cluster(kernel, launch).map(drop),
        ];
        let problems: Vec<Error> = problems.into_iter().filter_map(Result::err).collect();
        if problems.is_empty() {
            let checked = self.checked(loaded, kernel, launch)?;
            self.check_cooperative(&self.run(loaded, kernel, launch, &checked))?;
        }
        Ok(problems)
    }

    /// What of a launch must be found out first.
    pub(super) fn checked(
        &self,
        loaded: &Loaded,
        kernel: &Kernel,
        launch: &Launch<'_>,
    ) -> Result<Checked, Error> {
        self.check_shape(kernel, launch)?;
        let shared_bytes = self.check_shared(kernel, launch.shared_bytes)?;
        let parameters = self.parameters(kernel, &launch.args, loaded.program.narrow)?;
        let base = |buffer: Buffer| self.memory.by_id(buffer.0).map_or(0, |allocation| allocation.base);
        let symbols = loaded.buffers.iter().map(|buffer| buffer.map_or(0, base)).collect();
        let cluster = self.check_cluster(kernel, launch)?;
        Ok(Checked { shared_bytes, parameters, symbols, cluster, watches_global: false })
    }

    pub(super) fn run<'a>(
        &'a self,
        loaded: &'a Loaded,
        kernel: &'a Kernel,
        launch: &Launch<'_>,
        checked: &'a Checked,
    ) -> Run<'a> {
        let workspace = match self.workspace {
            Some(buffer) if launch.cooperative => self.memory.by_id(buffer.0).map_or(0, |a| a.base),
            _ => 0,
        };
        Run {
            kernel,
            chip: &self.chip,
            global: &self.memory,
            textures: &self.textures,
            heap: self.heap.as_ref(),
            constant: &loaded.constant,
            constant_set: Some(&loaded.constant_set).filter(|set| {
                self.options.checks.uninitialised && !set.whole(0, loaded.constant.len() as u64)
            }),
            stored: std::sync::OnceLock::new(),
            symbols: &checked.symbols,
            references: &loaded.bound,
            parameters: &checked.parameters,
            grid: launch.grid,
            block: launch.block,
            shared_bytes: checked.shared_bytes,
            watches_global: checked.watches_global,
            cluster: checked.cluster.unwrap_or([1; 3]),
            is_cluster: checked.cluster.is_some(),
            cooperative: launch.cooperative,
            workspace,
            options: self.options,
            executed: loaded.executed.get(&kernel.name).filter(|_| self.options.executed),
            runtime: None,
            stepping: None,
            floats: None,
            interrupt: self.interrupt.as_ref(),
        }
    }

    /// Gives kernels that allocate a heap, which lives as long as the device.
    pub(super) fn prepare_heap(&mut self, launch: &Launch<'_>, number: usize) -> Result<(), Error> {
        let (_, kernel) = self.numbered(launch.module, number);
        if self.heap.is_none() && kernel.builtins.iter().any(|call| call.builtin.uses_heap()) {
            let buffer = self.allocate(HEAP_BYTES)?;
            self.name_buffer(buffer, "the kernels' heap")?;
            self.heap = self.memory.make_heap(buffer.0).map(Heap::new);
        }
        Ok(())
    }

    /// Gives a cooperative launch the words at which its blocks meet (cooperative groups' `details/driver_abi.h`: a size, and
    /// the barrier).
    pub(super) fn prepare_workspace(&mut self, launch: &Launch<'_>) -> Result<(), Error> {
        if !launch.cooperative {
            return Ok(());
        }
        let buffer = match self.workspace {
            Some(buffer) => buffer,
            None => self.allocate(WORKSPACE_BYTES)?,
        };
        self.workspace = Some(buffer);
        self.name_buffer(buffer, "the grid's barrier")?;
        self.write(buffer, 0, &(WORKSPACE_BYTES as u32).to_le_bytes())?;
        self.write(buffer, 4, &[0; WORKSPACE_BYTES as usize - 4])
    }

    /// The size of a launch's clusters, if it has any.
    fn check_cluster(&self, kernel: &Kernel, launch: &Launch<'_>) -> Result<Option<[u32; 3]>, Error> {
        let refuse = |message: String| Err(Error::TooManyThreads { kernel: kernel.name.clone(), message });
        let cluster = match (kernel.cluster, launch.cluster) {
            (Some(own), Some(asked)) if own != asked => {
                return refuse(format!(
                    "clusters of {asked:?} blocks, but the kernel is compiled for {own:?}"
                ));
            }
            (None, None) if kernel.needs_cluster => {
                return refuse("it must be launched in clusters".to_owned());
            }
            (own, asked) => own.or(asked),
        };
        let Some(size) = cluster else { return Ok(None) };
        if size.contains(&0) || size.iter().zip(launch.grid).any(|(n, grid)| !grid.is_multiple_of(*n)) {
            return refuse(format!("grid {:?} is not made of clusters of {size:?} blocks", launch.grid));
        }
        let blocks = size.iter().fold(1u64, |all, n| all.saturating_mul(u64::from(*n)));
        let limit = kernel.max_cluster.unwrap_or(CLUSTER_BLOCKS).min(CLUSTER_BLOCKS);
        if blocks > limit {
            return refuse(format!("{blocks} blocks a cluster, and {limit} is the most"));
        }
        Ok(cluster)
    }

    /// The blocks of a cooperative launch must fit the chip together.
    pub(super) fn check_cooperative(&self, run: &Run<'_>) -> Result<(), Error> {
        let (blocks, capacity) = (run.blocks(), run.capacity());
        if !run.cooperative || blocks <= capacity {
            return Ok(());
        }
        let multiprocessors = self.chip.multiprocessors;
        let message = format!(
            "{blocks} blocks in a cooperative launch, but {} has room for {capacity} at a time: {} on each of its \
             {multiprocessors} multiprocessors",
            self.chip.name,
            capacity / u64::from(multiprocessors.max(1))
        );
        Err(Error::TooManyThreads { kernel: run.kernel.name.clone(), message })
    }

    /// Limits of the CUDA C++ Programming Guide's table of compute capabilities.
    fn check_shape(&self, kernel: &Kernel, launch: &Launch<'_>) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::TooManyThreads { kernel: kernel.name.clone(), message });
        if launch.grid.contains(&0) || launch.block.contains(&0) {
            return refuse(format!("grid {:?} and block {:?} must have no zero", launch.grid, launch.block));
        }
        let limits =
            [("grid", launch.grid, [0x7fff_ffff, 65535, 65535]), ("block", launch.block, [1024, 1024, 64])];
        for (name, size, limit) in limits {
            if size.iter().zip(limit).any(|(n, limit)| *n > limit) {
                return refuse(format!("{name} {size:?} is larger than {limit:?}"));
            }
        }
        let threads = launch.block.iter().map(|n| u64::from(*n)).product::<u64>();
        let limit = kernel.max_threads.unwrap_or(MOST_THREADS).min(MOST_THREADS);
        if threads > limit {
            return refuse(format!("{threads} threads a block, and {limit} is the most"));
        }
        Ok(())
    }

    fn check_shared(&self, kernel: &Kernel, dynamic: u32) -> Result<u32, Error> {
        let fixed = u64::from(kernel.shared_bytes);
        let bytes = if dynamic == 0 { fixed } else { fixed.next_multiple_of(16) + u64::from(dynamic) };
        let limit = u64::from(self.chip.limits.shared_bytes_per_block);
        match u32::try_from(bytes) {
            Ok(small) if bytes <= limit => Ok(small),
            _ => Err(Error::TooMuchShared {
                kernel: kernel.name.clone(),
                bytes,
                chip: self.chip.name.clone(),
                limit,
            }),
        }
    }

    fn parameters(&self, kernel: &Kernel, args: &[Arg], narrow: bool) -> Result<Vec<u8>, Error> {
        let bad = |message: String| Error::BadArguments { kernel: kernel.name.clone(), message };
        if args.len() != kernel.parameters.len() {
            return Err(bad(format!("{} arguments for {} parameters", args.len(), kernel.parameters.len())));
        }
        let mut bytes = vec![0; kernel.parameter_bytes as usize];
        for (n, (arg, parameter)) in args.iter().zip(&kernel.parameters).enumerate() {
            let address;
            let value: &[u8] = match arg {
                Arg::Value(value) => value,
                Arg::Buffer(buffer, offset) => {
                    address = self.address(*buffer)?.wrapping_add(*offset).to_le_bytes();
                    &address
                }
                Arg::Texture(texture) => {
                    address = texture.handle().to_le_bytes();
                    &address
                }
                Arg::Surface(surface) => {
                    address = surface.handle().to_le_bytes();
                    &address
                }
            };
            // The address of a buffer for a parameter of 32 bits, see `crate::memory::FIRST`.
            let value = match value.try_into().map(u64::from_le_bytes) {
                Ok(address) if narrow && parameter.bytes == 4 && (FIRST..NARROW_END).contains(&address) => {
                    &value[..4]
                }
                Ok(_) if narrow && parameter.bytes == 4 && matches!(arg, Arg::Buffer(..)) => {
                    return Err(bad(format!(
                        "argument {} is a buffer out of reach of addresses of 32 bits: allocate it after the module is \
                         loaded, and no more than 4 GB in all",
                        n + 1
                    )));
                }
                _ => value,
            };
            if value.len() != parameter.bytes as usize {
                let (is, wants) = (Bytes(value.len() as u64), parameter.bytes);
                return Err(bad(format!("argument {} has {is}, but its parameter {wants}", n + 1)));
            }
            bytes[parameter.offset as usize..][..value.len()].copy_from_slice(value);
        }
        Ok(bytes)
    }
}

/// What made a NaN or an infinity, with names and places.
fn named_made(program: &Program, kernel: &Kernel, run: &Run<'_>, made: exec::Made) -> Made {
    let exec::Made { what, block, thread, origin, callers, formula, mnemonic } = made;
    Made {
        what,
        kernel: kernel.name.clone(),
        block: index_in(block, run.grid),
        thread: index_in(u64::from(thread), run.block),
        place: called_place(program, kernel, origin, &callers),
        mnemonic: mnemonic.map_or_else(|| program.mnemonic(origin), str::to_owned),
        formula,
    }
}
