//! Launches of kernels.
//!
//! Enters: a kernel's handle, a shape, and where its arguments are. Leaves: the device's memory after it, a place on the
//! timeline, and what of it arrives later: an error, what it printed, memory of the host that it wrote to.

use super::blocks::{Block, Filled};
use super::finding::{Access, ELEMENTS, Kind, Memory, What};
use super::mirror::{Effect, Pending};
use super::profile::Launches;
use super::streams::{Engine, Placed};
use super::work::{Configuration, KernelLaunch, Work};
use super::{Answer, Call, Known, Status, Stop, Variable, low};
use crate::guest::Signal;
use device::{Arg, Counters, Detail, Fault, FaultKind, KernelAttributes, Launch, SimtError, Step};

/// Dynamic shared memory that a launch may have without `cudaFuncSetAttribute`, with the static one, bytes.
pub(super) const SHARED_WITHOUT_ASKING: u64 = 48 << 10;

/// What `<<<…>>>` calls, as profilers name it.
pub(super) const LAUNCH: &str = "cudaLaunchKernel";

/// As many ranges of an allocation are noted one by one.
const MOST_RANGES: usize = 256;

/// What a launch came to.
#[derive(Default)]
struct Ran {
    ns: f64,
    printed: String,
    faults: Vec<Fault>,
    counters: Option<Counters>,
}

/// CUDA's error for a fault; `None` for what no chip detects.
fn status_of(fault: &Fault) -> Option<Status> {
    Some(match fault.kind {
        // Of shared memory and of the stack an H200 says the same, where it finds them at all.
        FaultKind::OutOfBoundsGlobal
        | FaultKind::OutOfBoundsShared
        | FaultKind::StackOverflow
        | FaultKind::OutOfBoundsConstant
        | FaultKind::OutOfBoundsLocal
        | FaultKind::NullPointer => Status::ILLEGAL_ADDRESS,
        FaultKind::MisalignedAddress => Status::MISALIGNED_ADDRESS,
        FaultKind::Trap if fault.message.starts_with("assertion") => Status::ASSERT,
        // Of an address that is not a piece of the kernels' heap.
        FaultKind::Trap if fault.message.starts_with("cudaFree") => Status::ILLEGAL_ADDRESS,
        FaultKind::Trap => Status::LAUNCH_FAILURE,
        // Races, reads of what was never written, masks: a chip computes on, and with the option `keep_going` so do we.
        _ => return None,
    })
}

/// Whether a launch with this fault would not have ended on a chip, or could not be made here.
fn is_endless(fault: &Fault) -> bool {
    matches!(
        fault.kind,
        FaultKind::InfiniteLoop
            | FaultKind::TimeLimit
            | FaultKind::UnsupportedInstruction
            | FaultKind::DivergentBarrier
    )
}

impl Call<'_> {
    /// The kernel of a handle.
    pub(super) fn kernel(&mut self, handle: u64) -> Answer<Known> {
        match self.api.kernels.get(&handle) {
            Some(known) => Ok(known.clone()),
            None => {
                let why = format!("{handle:#x} is not a kernel");
                self.refuse(Status::INVALID_DEVICE_FUNCTION, "func", why)
            }
        }
    }

    /// What is known of a kernel.
    pub(super) fn attributes(&mut self, known: &Known) -> Answer<KernelAttributes> {
        let found = self.api.device.kernel_attributes(known.module, &known.symbol);
        found.map_err(|error| match error {
            device::Error::Simt(SimtError::MissingKernel { .. }) => Status::INVALID_DEVICE_FUNCTION.into(),
            error => Signal::Limit(format!("kernel {}: {error}", known.name)).into(),
        })
    }

    pub(super) fn dim3(&self, at: u64) -> Answer<[u32; 3]> {
        Ok([self.get_u32(at)?, self.get_u32(at.wrapping_add(4))?, self.get_u32(at.wrapping_add(8))?])
    }

    /// Launches a kernel; `arguments` is where the addresses of its arguments are.
    fn launch(&mut self, handle: u64, arguments: u64, of: Configuration) -> Answer {
        let stream = self.stream(of.stream)?;
        let captured = self.is_captured(stream)?;
        let launch = self.kernel_launch(handle, arguments, of);
        if !captured {
            return self.run_kernel(&launch?, stream);
        }
        match launch.and_then(|launch| self.check_shape(handle, &of).map(|()| launch)) {
            Ok(launch) => self.record(stream, Work::Kernel(launch)),
            Err(error) => {
                self.spoil_capture(stream);
                Err(error)
            }
        }
    }

    /// A launch with the bytes of its arguments.
    pub(super) fn kernel_launch(
        &mut self,
        kernel: u64,
        arguments: u64,
        of: Configuration,
    ) -> Answer<KernelLaunch> {
        let known = self.kernel(kernel)?;
        let attributes = self.attributes(&known)?;
        self.check_shared(&known, &attributes, of.shared_bytes)?;
        let mut values = vec![];
        for (n, parameter) in (0..).zip(&attributes.parameters) {
            let at = self.get_u64(arguments.wrapping_add(8 * n))?;
            let mut bytes = vec![0; parameter.bytes as usize];
            self.guest.read(at, &mut bytes)?;
            values.push(bytes);
        }
        Ok(KernelLaunch { kernel, of, values })
    }

    /// Runs a kernel on a stream.
    pub(super) fn run_kernel(&mut self, launch: &KernelLaunch, stream: usize) -> Answer {
        let KernelLaunch { kernel, of, values } = launch;
        let known = &self.kernel(*kernel)?;
        let attributes = self.attributes(known)?;
        let launch = Launch {
            module: known.module,
            kernel: known.symbol.clone(),
            grid: of.grid,
            block: of.block,
            shared_bytes: low(of.shared_bytes),
            args: values.iter().cloned().map(Arg::Bytes).collect(),
            cluster: of.cluster,
            cooperative: of.cooperative,
        };
        if self.api.errors.fault.is_some() {
            return Ok(0); // what comes after a fault is not done any more
        }
        let by = self.access(stream, true);
        let both = self.api.reachable(values);
        for address in &both {
            self.api.bring_to_device(*address, &by, self.guest)?;
        }
        // Without streams and memory of both sides, all accesses have an order.
        let account = self.api.account && (self.api.streams.several() || self.api.has_mirrors());
        self.api.device.set_account(account);
        let Ran { ns, printed, faults, counters } = self.run(known, of, &launch)?;
        let engine = Engine::Multiprocessors(self.part(of, &attributes));
        let placed = self.enqueue(stream, engine, ns, &known.name, 0);
        self.api.profile.launch(Launches {
            kernel: known.name.clone(),
            grid: of.grid,
            block: of.block,
            shared_bytes: of.shared_bytes,
            stream: self.api.streams.label(stream),
            site: self.site,
            times: 1,
            total_ns: ns,
            counters,
        });
        if account {
            self.account(known, stream, &placed);
        }
        for address in both {
            self.api.written(address, placed.stamp, &by);
        }
        if !printed.is_empty() {
            let effect = Effect::Print(printed);
            let by = Access { by: known.name.clone(), ..by };
            self.api.pending.push(Pending { stamp: placed.stamp, by, effect });
        }
        self.faulted(known, faults, values)
    }

    /// Has the device run a launch: on a GPU it is timed, between events.
    fn run(&mut self, known: &Known, of: &Configuration, launch: &Launch) -> Answer<Ran> {
        if matches!(self.api.device.description().kind, device::Kind::Gpu { .. }) {
            return match self.api.device.time(&[Step::Launch(launch.clone())], 1) {
                Ok(times) => Ok(Ran { ns: times.first().copied().unwrap_or(0.0), ..Ran::default() }),
                Err(error @ device::Error::GpuFault { .. }) => {
                    self.api.errors.fault = Some(status_in(&error.to_string()));
                    Ok(Ran::default())
                }
                Err(error) => Err(self.launch_failed(known, of, error)),
            };
        }
        match self.api.device.launch(launch) {
            Ok(outcome) => {
                let outcome = outcome.unwrap_or_default();
                let faults = outcome.faults.iter().map(|counted| counted.fault.clone()).collect();
                let counters = Some(outcome.counters);
                Ok(Ran { ns: outcome.modelled_ns, printed: outcome.printed, faults, counters })
            }
            Err(device::Error::Simt(SimtError::Fault(mut fault))) => {
                let printed = std::mem::take(&mut fault.printed);
                Ok(Ran { printed, faults: vec![*fault], ..Ran::default() })
            }
            Err(error) => Err(self.launch_failed(known, of, error)),
        }
    }

    /// Notes what a launch accessed, as far as the device kept an account of it.
    fn account(&mut self, known: &Known, stream: usize, placed: &Placed) {
        let mut by = self.access(stream, false);
        by.by.clone_from(&known.name);
        for of in self.api.device.accessed() {
            for (ranges, writes) in [(of.reads, false), (of.writes, true)] {
                // What is more scattered is not looked at: one range for all would hold what was not accessed.
                if ranges.len() > MOST_RANGES {
                    continue;
                }
                let by = Access { writes, ..by.clone() };
                for range in ranges {
                    let range = of.address + range.start..of.address + range.end;
                    self.api.used(&self.api.on_host(&range));
                    self.touch_range(range, &by, placed.stamp, &placed.clock);
                }
            }
        }
        // Constant memory has no account: a kernel reads the variables that its text names.
        for at in known.constants.clone() {
            let of = &self.api.variables[at];
            let range = of.address..of.address.saturating_add(of.bytes);
            self.touch_range(range, &by, placed.stamp, &placed.clock);
        }
    }

    /// The part of the multiprocessors that a launch has.
    fn part(&self, of: &Configuration, attributes: &KernelAttributes) -> f64 {
        let blocks: f64 = of.grid.iter().map(|n| f64::from(*n)).product();
        let threads: u64 = of.block.iter().map(|n| u64::from(*n)).product();
        let shared = attributes.shared_bytes + of.shared_bytes;
        let room = self.api.chip.resident_blocks(threads.div_ceil(32), shared, attributes.registers).max(1);
        (blocks / (room as f64 * f64::from(self.api.chip.multiprocessors))).min(1.0)
    }

    /// What a launch has to ask for.
    fn check_shared(&mut self, known: &Known, attributes: &KernelAttributes, dynamic: u64) -> Answer<()> {
        let allowed = known.dynamic_shared.map_or(0, u64::from);
        let without = SHARED_WITHOUT_ASKING.saturating_sub(attributes.shared_bytes);
        if dynamic <= allowed.max(without) {
            return Ok(());
        }
        let limit = u64::from(self.api.chip.limits.shared_bytes_per_block);
        let total = dynamic.saturating_add(attributes.shared_bytes);
        let why = if total > limit {
            format!("{total} bytes of shared memory a block, but {} has {limit}", self.api.chip.name)
        } else {
            format!(
                "{dynamic} bytes of dynamic shared memory, more than the {} that a launch has without \
                 `cudaFuncSetAttribute` with `cudaFuncAttributeMaxDynamicSharedMemorySize`",
                allowed.max(without)
            )
        };
        let (kernel, status) = (known.name.clone(), Status::INVALID_VALUE);
        self.found(Kind::LaunchFailed { kernel, status, why });
        Err(status.into())
    }

    /// The error of a launch that was not made.
    fn launch_failed(&mut self, known: &Known, of: &Configuration, error: device::Error) -> Stop {
        // The device knows the kernel by its name in the PTX.
        let why = error.to_string().replace(&known.symbol, &known.name);
        let status = match error {
            device::Error::Simt(SimtError::TooManyThreads { .. }) if of.cooperative && !self.is_shape(of) => {
                Status::COOPERATIVE_LAUNCH_TOO_LARGE
            }
            device::Error::Simt(SimtError::TooManyThreads { .. })
                if of.cluster.is_some() && !self.is_shape(of) =>
            {
                Status::INVALID_CLUSTER_SIZE
            }
            // Every bad shape, since CUDA 13; it was 9 before.
            device::Error::Simt(
                SimtError::TooManyThreads { .. }
                | SimtError::TooMuchShared { .. }
                | SimtError::BadArguments { .. },
            ) => Status::INVALID_VALUE,
            device::Error::Simt(SimtError::OutOfMemory { .. }) => Status::MEMORY_ALLOCATION,
            _ => return Signal::Limit(super::words::of_kernel(&known.name, &why)).into(),
        };
        self.found(Kind::LaunchFailed { kernel: known.name.clone(), status, why });
        status.into()
    }

    /// Whether a shape can be launched at all, for a launch that is made later.
    pub(super) fn check_shape(&mut self, kernel: u64, of: &Configuration) -> Answer<()> {
        if !self.is_shape(of) {
            return Ok(());
        }
        let (kernel, status) = (self.kernel(kernel)?.name, Status::INVALID_VALUE);
        let [grid, block] = [of.grid, of.block].map(|[x, y, z]| format!("[{x}, {y}, {z}]"));
        let why = format!("no chip takes a grid of {grid} blocks of {block} threads");
        self.found(Kind::LaunchFailed { kernel, status, why });
        Err(status.into())
    }

    /// Whether a shape is wrong whatever the kernel is.
    fn is_shape(&self, of: &Configuration) -> bool {
        let threads: u64 = of.block.iter().map(|n| u64::from(*n)).product();
        of.grid.contains(&0) || of.block.contains(&0) || threads > 1024
    }

    /// What a kernel did wrong; what a chip notices of it arrives later.
    fn faulted(&mut self, known: &Known, faults: Vec<Fault>, values: &[Vec<u8>]) -> Answer {
        let mut ends = None;
        for mut fault in faults {
            if is_endless(&fault) {
                ends = Some(Signal::Limit(fault.to_string()));
            }
            if let (Some(status), None) = (status_of(&fault), self.api.errors.fault) {
                self.api.errors.fault = Some(status);
            }
            if self.explain_fault(known, &fault, values) {
                // How far it is from memory of the device says nothing.
                fault.nearest = None;
                if let Some(Detail::Access(access)) = &mut fault.detail {
                    access.reason = ", which is not memory of the device".to_owned();
                    fault.message = access.to_string();
                }
            }
            let arguments = values.iter().map(|value| self.name_of_first(value)).collect();
            let block = fault.address.and_then(|address| self.api.blocks.at(address));
            let memory = block.map(Block::memory);
            let kind = Kind::Fault { fault: Box::new(fault), arguments, memory };
            self.api.found(kind, known.name.clone(), self.site, super::Certainty::Error);
        }
        match ends {
            Some(signal) => Err(signal.into()),
            None => Ok(0),
        }
    }

    /// The device's name of the memory that begins where an argument points to.
    fn name_of_first(&self, value: &[u8]) -> Option<String> {
        let address = u64::from_le_bytes(value.try_into().ok()?);
        let block = self.api.blocks.at(address).filter(|block| block.address == address)?;
        Some(block.device_name())
    }

    /// Whether what a kernel read of a constant had not been set, as the only copy into it was too short.
    fn explain_unwritten_variable(&mut self, known: &Known, fault: &Fault) {
        let numbers = known.constants.iter();
        let named = |of: &&Variable| super::mentions(&fault.message, &of.name);
        let Some(of) = numbers.map(|at| &self.api.variables[*at]).find(named) else { return };
        let (1, Some(Filled { extent, call, site })) = of.copies else { return };
        // Half of a variable may be one of its two members.
        let found = short(extent.width, of.bytes).filter(|(element, _)| *element != Some(2));
        if let Some((element, _)) = found {
            let (bytes, memory) = (extent.width, self.memory(of.address));
            let kind = Kind::SizeInElements { bytes, element, memory, read: self.site };
            self.api.found(kind, call.to_owned(), site, super::Certainty::Error);
        }
    }

    /// Whether what a kernel read had not been written, as the copy before it was too short.
    fn explain_unwritten(&mut self, known: &Known, fault: &Fault) {
        let Some(block) = fault.address.and_then(|address| self.api.blocks.at(address)) else {
            return self.explain_unwritten_variable(known, fault);
        };
        let (1, Some(Filled { extent, call, site })) = block.copies else { return };
        if let Some(rows) = block.rows.filter(|rows| rows.height * rows.depth > 1) {
            let given = extent.width;
            let element = ELEMENTS.into_iter().find(|size| given.checked_mul(*size) == Some(rows.width));
            let within = fault.address.map(|address| (address - block.address) % rows.pitch.max(1));
            if element.is_some() && within.is_some_and(|at| (given..rows.width).contains(&at)) {
                let (memory, read) = (block.memory(), Some(self.site));
                let kind = Kind::WidthInElements { given, width: rows.width, memory, read };
                self.api.found(kind, call.to_owned(), site, super::Certainty::Error);
            }
            return;
        }
        let bytes = extent.width.saturating_mul(extent.height).saturating_mul(extent.depth);
        let Some((element, full)) = short(bytes, block.bytes) else { return };
        if fault.address.is_some_and(|address| address - block.address < full) {
            return;
        }
        let kind = Kind::SizeInElements { bytes, element, memory: block.memory(), read: self.site };
        self.api.found(kind, call.to_owned(), site, super::Certainty::Error);
    }

    /// Whether an address is so little past memory of both sides, or before it, that an index into that leads there.
    fn is_past_shared(&self, address: u64) -> bool {
        let near = |first: u64, bytes: u64| {
            let far = bytes.max(4096);
            (first.saturating_sub(far)..first.saturating_add(bytes).saturating_add(far)).contains(&address)
        };
        self.api.mirrors.places().any(|(first, bytes)| near(first, bytes))
    }

    /// Whether a kernel used a pointer that is the host's, or memory that was freed.
    fn explain_fault(&mut self, known: &Known, fault: &Fault, values: &[Vec<u8>]) -> bool {
        if fault.kind == FaultKind::UninitialisedRead {
            self.explain_unwritten(known, fault);
            return false;
        }
        let Some(address) = fault.address.filter(|_| fault.kind == FaultKind::OutOfBoundsGlobal) else {
            return false;
        };
        if let Some(block) = self.api.blocks.freed_at(address).filter(|old| address - old.address < old.bytes)
        {
            let kind = Kind::UseAfterFree { address, memory: block.memory() };
            self.api.found(kind, known.name.clone(), self.site, super::Certainty::Error);
            return true;
        }
        let memory = self.memory(address);
        let of_host = matches!(memory.what, What::Heap | What::Host | What::Shadow(_))
            && (!self.is_past_shared(address) || values.iter().any(|value| points_into(value, &memory)));
        if of_host {
            let kind = Kind::HostPointerOnDevice { parameter: String::new(), address, memory };
            self.api.found(kind, known.name.clone(), self.site, super::Certainty::Error);
        }
        of_host
    }
}

/// Whether a copy of a number of bytes is a mistake for one of all that a memory has: the size of its elements, unless that of a pointer or
/// a `std::vector` was copied, and the bytes of the elements that have been copied whole.
fn short(bytes: u64, all: u64) -> Option<(Option<u64>, u64)> {
    /// Bytes of a pointer, and of a `std::vector`.
    const POINTER: u64 = 8;
    const VECTOR: u64 = 24;
    let element = ELEMENTS.into_iter().find(|size| bytes.checked_mul(*size) == Some(all));
    // The last element may have been copied in part.
    let full = bytes - bytes % element.unwrap_or(1);
    let is_short = bytes < all && (element.is_some() || matches!(bytes, POINTER | VECTOR));
    is_short.then_some((element.filter(|_| bytes != POINTER), full))
}

/// Whether a pointer, by its bytes, is to the memory at an address.
fn points_into(value: &[u8], memory: &Memory) -> bool {
    let Ok(value) = value.try_into().map(u64::from_le_bytes) else { return false };
    (memory.address..=memory.address.saturating_add(memory.bytes)).contains(&value)
}

/// The error that a driver's message names.
fn status_in(message: &str) -> Status {
    let named = [
        ("CUDA_ERROR_ILLEGAL_ADDRESS", Status::ILLEGAL_ADDRESS),
        ("CUDA_ERROR_MISALIGNED_ADDRESS", Status::MISALIGNED_ADDRESS),
        ("CUDA_ERROR_ASSERT", Status::ASSERT),
        ("CUDA_ERROR_HARDWARE_STACK_ERROR", Status::HARDWARE_STACK_ERROR),
    ];
    named
        .iter()
        .find(|(name, _)| message.contains(name))
        .map_or(Status::LAUNCH_FAILURE, |(_, status)| *status)
}

/// `__cudaPushCallConfiguration(gridDim, blockDim, sharedMem, stream)`, which `<<<…>>>` begins with; 0 if it could be kept.
pub(super) fn push_configuration(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (grid, block) = (call.dim3(a[0])?, call.dim3(a[1])?);
    let of = Configuration { grid, block, shared_bytes: a[2], stream: a[3], ..Configuration::default() };
    call.api.configurations.push((of, call.site));
    Ok(0)
}

/// `__cudaLaunch(func, args)`: what a kernel's stub on the host calls.
pub(super) fn launch_configured(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let Some((of, site)) = call.api.configurations.pop() else {
        return Err(Status::MISSING_CONFIGURATION.into());
    };
    // Where the launch is written, and not where its kernel is; and what profilers call it.
    (call.site, call.name) = (site, LAUNCH);
    let launched = call.launch(a[0], a[1], of);
    // The program sees the error of `<<<…>>>` only if it asks for it.
    if let (Err(Stop::Error(status)), None) = (&launched, &call.api.errors.launch) {
        let name = call.api.kernels.get(&a[0]).map_or_else(String::new, |known| known.name.clone());
        call.api.errors.launch = Some((name, *status, call.site));
    }
    launched
}

fn plain(call: &mut Call<'_>, a: &[u64], cooperative: bool) -> Answer {
    let (grid, block) = (call.dim3(a[1])?, call.dim3(a[2])?);
    let of = Configuration { grid, block, shared_bytes: a[4], stream: a[5], cluster: None, cooperative };
    call.launch(a[0], a[3], of)
}

/// `cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem, stream)`.
pub(super) fn launch_kernel(call: &mut Call<'_>, a: &[u64]) -> Answer {
    plain(call, a, false)
}

/// `cudaLaunchCooperativeKernel(func, gridDim, blockDim, args, sharedMem, stream)`.
pub(super) fn launch_cooperative(call: &mut Call<'_>, a: &[u64]) -> Answer {
    plain(call, a, true)
}

impl Call<'_> {
    /// The launch that a `cudaLaunchConfig_t` describes.
    pub(super) fn configuration(&self, config: u64) -> Answer<Configuration> {
        /// Bytes of a `cudaLaunchAttribute`, and where its value begins.
        const ATTRIBUTE: (u64, u64) = (72, 8);
        /// Attributes of a launch that change what it computes.
        const COOPERATIVE: u32 = 2;
        const CLUSTER: u32 = 4;
        let at = |bytes: u64| config.wrapping_add(bytes);
        let (grid, block) = (self.dim3(config)?, self.dim3(at(12))?);
        let (shared_bytes, stream) = (self.get_u64(at(24))?, self.get_u64(at(32))?);
        let (list, count) = (self.get_u64(at(40))?, self.get_u32(at(48))?);
        let mut of = Configuration { grid, block, shared_bytes, stream, cluster: None, cooperative: false };
        for n in 0..u64::from(count) {
            let attribute = list.wrapping_add(n * ATTRIBUTE.0);
            let value = attribute.wrapping_add(ATTRIBUTE.1);
            match self.get_u32(attribute)? {
                COOPERATIVE => of.cooperative = self.get_u32(value)? != 0,
                CLUSTER => of.cluster = Some(self.dim3(value)?),
                _ => {}
            }
        }
        Ok(of)
    }
}

/// `cudaLaunchKernelExC(config, func, args)`.
pub(super) fn launch_ex(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let config = call.pointer(a[0], "config")?;
    let of = call.configuration(config)?;
    call.launch(a[1], a[2], of)
}
