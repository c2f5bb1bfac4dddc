//! Results of a job's run, and their JSON.

use crate::compare::Comparison;
use crate::error::Error;
use crate::mix;
use crate::profile::Sources;
use crate::types::Type;
use device::{CountedFault, Counters, FaultKind, InstructionProfile, Made, SimtError};
use program::Exit;
use serde::Serialize;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// Results of a run, as far as it came.
#[derive(Debug, Default)]
pub struct Report {
    /// The device, in words.
    pub device: String,
    /// Name of the compiler, where the module is a `.cu`.
    pub compiler: Option<String>,
    /// The launches that ran to their end.
    pub launches: Vec<Launched>,
    /// The launch that a fault ended, where it printed something before.
    pub ended: Option<Launched>,
    /// The inputs of which it is asked what of them was read; none where the run stopped before its end.
    pub inputs: Vec<Input>,
    /// The outputs; none where the run stopped before its end.
    pub outputs: Vec<Output>,
    /// Whether launches continued after faults.
    pub keeps_going: bool,
    /// The files that profiled instructions come from.
    pub sources: Sources,
    /// Time of this machine that the job took apart from its launches.
    pub host: HostTime,
    /// Error that stopped the run.
    pub error: Option<Error>,
}

/// Time of the machine that runs a job, by what it did; launches have their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostTime {
    /// The module was compiled, where it is not PTX, and its PTX read; by a GPU's driver also compiled.
    pub reading_ptx: Duration,
    /// The kernels that are launched were decoded.
    pub decoding: Duration,
    /// Buffers and symbols were filled.
    pub filling: Duration,
    /// Outputs were read, compared and written.
    pub outputs: Duration,
}

/// A launch of the job file that ran to its end, once or more often.
#[derive(Clone, Debug, PartialEq)]
pub struct Launched {
    /// The kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads a block in x, y, z.
    pub block: [u32; 3],
    /// How often it ran; time and counts are those of all runs together.
    pub runs: u64,
    /// Time of the launch, nanoseconds.
    pub time: Time,
    /// Counts of the launch, on the embedded device.
    pub counters: Option<Counters>,
    /// Counts of what the chip executes for it, or why they cannot be determined, where they were asked for.
    pub executed: counters::Executed,
    /// Output of `printf`, on the embedded device. A GPU's driver prints by itself.
    pub printed: String,
    /// Counts of each instruction, where they were asked for.
    pub profile: Vec<InstructionProfile>,
    /// Faults after which it continued.
    pub faults: Vec<CountedFault>,
    /// What made the first NaN and the first infinity, where that was asked for.
    pub not_finite: Vec<Made>,
    /// Time of the machine that ran it.
    pub host: Duration,
}

impl Launched {
    /// One run, of which nothing else is known yet.
    pub(crate) fn new(kernel: String, grid: [u32; 3], block: [u32; 3]) -> Self {
        Launched {
            kernel,
            grid,
            block,
            runs: 1,
            time: Time::None,
            counters: None,
            executed: counters::Executed::default(),
            printed: String::new(),
            profile: vec![],
            faults: vec![],
            not_finite: vec![],
            host: Duration::ZERO,
        }
    }

    /// Adds another run of the same launch; of what they print, `printed` bytes are kept.
    fn add(&mut self, other: Launched, printed: usize) {
        self.runs += other.runs;
        self.time = match (self.time, other.time) {
            (Time::Measured(a), Time::Measured(b)) => Time::Measured(a + b),
            (Time::Modelled(a), Time::Modelled(b)) => Time::Modelled(a + b),
            (Time::Measured(_) | Time::Modelled(_) | Time::None, _) => Time::None,
        };
        match (&mut self.counters, &other.counters) {
            (Some(all), Some(counters)) => all.add(counters),
            (all, _) => *all = None,
        }
        self.executed.add(&other.executed);
        if self.printed.len() < printed {
            self.printed += &other.printed;
        }
        for (all, one) in self.profile.iter_mut().zip(&other.profile) {
            all.counters.add(&one.counters);
        }
        for fault in other.faults {
            self.add_fault(fault);
        }
        // What came first is kept.
        for made in other.not_finite {
            if !self.not_finite.iter().any(|there| there.what == made.what) {
                self.not_finite.push(made);
            }
        }
        self.host += other.host;
    }

    /// Adds a fault of another run: to the one that it repeats, if there is one.
    fn add_fault(&mut self, new: CountedFault) {
        let same = |old: &&mut CountedFault| {
            let (old, new) = (&old.fault, &new.fault);
            (old.kind, old.place.line(), old.place.at) == (new.kind, new.place.line(), new.place.at)
        };
        match self.faults.iter_mut().find(same) {
            Some(old) => old.count += new.count,
            None => self.faults.push(new),
        }
    }
}

/// A launch's time, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    /// Measured with a GPU's events.
    Measured(f64),
    /// Modelled by the embedded device.
    Modelled(f64),
    /// No time was taken.
    None,
}

/// An input of which it is asked what of it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The buffer's name.
    pub name: String,
    /// Type of its elements.
    pub ty: Type,
    /// What of it no launch and no copy has read, where the device keeps account of that.
    pub unread: Option<Part>,
    /// Whether the job requires all of it to be read.
    pub must_be_read: bool,
}

impl Input {
    /// Whether it was read as the job requires.
    pub fn is_as_wanted(&self) -> bool {
        !self.must_be_read || self.unread.is_none_or(|one| one.elements == 0)
    }
}

/// An output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The buffer's or symbol's name.
    pub name: String,
    /// Size of the output, bytes.
    pub bytes: u64,
    /// Type of its elements.
    pub ty: Type,
    /// The first elements, as text.
    pub first: Vec<String>,
    /// Name of what is expected and comparison with it, if the job names such.
    pub compared: Option<(String, Comparison)>,
    /// What of it no thread has written, where that was asked for.
    pub unwritten: Option<Part>,
    /// Whether the job requires all of it to be written.
    pub must_be_written: bool,
    /// Its numbers that are NaNs or infinities, where there may be none.
    pub not_finite: Option<Part>,
}

/// Elements of a buffer that have something in common: nothing has written them (no thread, copy or initial contents),
/// nothing has read them, or they are, or have, a NaN or an infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// How many there are.
    pub elements: u64,
    /// Index of the first.
    pub first: u64,
    /// Elements of the buffer, or of the part of it that is an output.
    pub of: u64,
}

impl Part {
    /// None yet.
    pub(crate) fn none(of: u64) -> Self {
        Part { elements: 0, first: 0, of }
    }

    /// The whole elements of `size` bytes that are in gaps: of `bytes` bytes from one on.
    pub(crate) fn in_gaps(gaps: &[Range<u64>], (from, bytes): (u64, u64), size: u64) -> Self {
        let mut found = Part::none(bytes / size);
        for gap in gaps {
            let begin = gap.start.max(from).saturating_sub(from).div_ceil(size);
            let end = gap.end.min(from + bytes).saturating_sub(from) / size;
            if begin < end {
                if found.elements == 0 {
                    found.first = begin;
                }
                found.elements += end - begin;
            }
        }
        found
    }

    /// Counts those that are not finite among the elements from an index on.
    pub(crate) fn add_not_finite(&mut self, ty: Type, from: u64, elements: &[u8]) {
        let scalar = ty.scalar;
        let finite = |number: &[u8]| scalar.to_f64(scalar.load(number)).is_finite();
        for (n, element) in (from..).zip(elements.chunks_exact(ty.bytes())) {
            if !element.chunks_exact(scalar.bytes()).all(finite) {
                if self.elements == 0 {
                    self.first = n;
                }
                self.elements += 1;
            }
        }
    }
}

impl Output {
    /// Whether it is as the job requires.
    pub fn is_as_wanted(&self) -> bool {
        let written = !self.must_be_written || self.unwritten.is_none_or(|one| one.elements == 0);
        let finite = self.not_finite.is_none_or(|one| one.elements == 0);
        written && finite && self.compared.as_ref().is_none_or(|(_, comparison)| comparison.matches())
    }
}

/// Fault or error that stopped a run, as reports name it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// Kind of the fault, such as `out-of-bounds-global`.
    pub kind: &'static str,
    /// Description in words.
    pub message: String,
    /// The kernel.
    pub kernel: Option<String>,
    /// The block's index.
    pub block: Option<[u32; 3]>,
    /// The thread's index in its block.
    pub thread: Option<[u32; 3]>,
    /// The source file, of a function of the library that of its call; the PTX where it has no line table.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// Where that line is in a function that was inlined: its call, the call around that one, and so on, outermost last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inlined_at: Vec<Line>,
    /// Where that line is in a function that was called: its call, and so on, outermost last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_at: Vec<Line>,
    /// The address.
    pub address: Option<u64>,
}

/// A fault, and how often it was found: how many accesses or instructions of threads had it, or how many blocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counted {
    /// The first of them.
    #[serde(flatten)]
    pub fault: Fault,
    /// How many there were.
    pub count: u64,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
}

impl Fault {
    /// A fault of which only the kind is known, and the description in words.
    fn new(kind: &'static str, message: String, kernel: Option<String>) -> Self {
        Fault {
            kind,
            message,
            kernel,
            block: None,
            thread: None,
            file: None,
            line: None,
            inlined_at: vec![],
            called_at: vec![],
            address: None,
        }
    }

    /// The fault at a place: in the source, or where a function without lines was called; in the PTX where there is no line
    /// table.
    fn at(self, place: &device::Place) -> Self {
        let lines = place.lines();
        let Some((_, (file, line))) = lines.first() else {
            return Fault { file: Some(place.ptx.clone()), line: Some(place.at.0), ..self };
        };
        let how = |wanted: &str| -> Vec<Line> {
            let there = lines[1..].iter().filter(|(how, _)| *how == wanted);
            there.map(|(_, (file, line))| Line { file: file.clone(), line: *line }).collect()
        };
        let (inlined_at, called_at) = (how("inlined at"), how("called at"));
        Fault { file: Some(file.clone()), line: Some(*line), inlined_at, called_at, ..self }
    }
}

impl Report {
    /// A run that never began.
    pub fn unusable(device: &str, error: Error) -> Self {
        Report { device: device.to_owned(), error: Some(error), ..Report::default() }
    }

    /// Adds a run of the launch with this place in the job file; of what its runs print, `printed` bytes are kept.
    pub(crate) fn add(&mut self, number: usize, launched: Launched, printed: usize) {
        match self.launches.get_mut(number) {
            Some(all) => all.add(launched, printed),
            // Launches run in the order of the file, so the place is the next.
            None => self.launches.push(launched),
        }
    }

    /// 0 success; 1 an output does not match; 2 the input was unusable; 3 the kernel faulted.
    pub fn exit_code(&self) -> u8 {
        match &self.error {
            _ if self.launches.iter().any(|launch| !launch.faults.is_empty()) => Exit::Faulted.code(),
            Some(error) => error.exit_code(),
            None if !self.inputs.iter().all(Input::is_as_wanted) => Exit::Mismatch.code(),
            None if !self.outputs.iter().all(Output::is_as_wanted) => Exit::Mismatch.code(),
            None => Exit::Success.code(),
        }
    }

    /// The first fault, or the one that stopped the run, if its error is one of those that records name.
    pub fn fault(&self) -> Option<Fault> {
        self.faults().into_iter().next().map(|counted| counted.fault)
    }

    /// All faults, in the order of the launches: the one that stopped the run, or those after which it continued.
    pub fn faults(&self) -> Vec<Counted> {
        let survived = self.launches.iter().flat_map(|launch| &launch.faults);
        let survived =
            survived.map(|counted| Counted { fault: faulted(&counted.fault), count: counted.count });
        survived.chain(self.stopped().map(|fault| Counted { fault, count: 1 })).collect()
    }

    /// The fault that stopped the run.
    fn stopped(&self) -> Option<Fault> {
        let error = self.error.as_ref()?.of_device()?;
        match error {
            device::Error::Simt(error) => simt_fault(error),
            device::Error::GpuFault { kernel, message } => {
                Some(Fault::new(gpu_kind(message), message.clone(), first_word(kernel)))
            }
            device::Error::TimeLimit { kernel, seconds } => {
                let message = format!("the kernel has not ended within the time limit, {seconds} s");
                Some(Fault::new(FaultKind::TimeLimit.name(), message, first_word(kernel)))
            }
            _ => None,
        }
    }

    /// The run as the design has it in JSON; `job` is there where a file holds several.
    pub fn json(&self, job: Option<&Path>) -> Json {
        let faults = self.faults();
        let error = match &self.error {
            Some(error) if self.stopped().is_none() => Some(error.to_string()),
            _ => None,
        };
        Json {
            job: job.map(|path| path.display().to_string()),
            device: self.device.clone(),
            compiler: self.compiler.clone(),
            launches: self.launches.iter().map(JsonLaunch::new).collect(),
            inputs: self.inputs.iter().map(JsonInput::new).collect(),
            outputs: self.outputs.iter().map(JsonOutput::new).collect(),
            fault: faults.first().map(|counted| counted.fault.clone()),
            faults: self.keeps_going.then_some(faults),
            error,
            dry_run: None,
            host_time_ms: None,
        }
    }
}

/// A run for a program to read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Json {
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<String>,
    device: String,
    /// Compiler of the module, where it is a `.cu`.
    #[serde(skip_serializing_if = "Option::is_none")]
    compiler: Option<String>,
    launches: Vec<JsonLaunch>,
    /// The inputs of which it is asked what of them was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<JsonInput>,
    outputs: Vec<JsonOutput>,
    fault: Option<Fault>,
    /// All faults, where launches continued after them.
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<Counted>>,
    /// Error that stopped the run, where it is not a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The findings of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dry_run: Option<serde_json::Value>,
    /// Time of the machine that ran the job, where it was profiled: the one part that differs from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) host_time_ms: Option<serde_json::Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonLaunch {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    /// How often it ran, where that is more than once: time and counters are those of all runs together.
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<u64>,
    time_ms: Option<f64>,
    time_is: &'static str,
    counters: serde_json::Map<String, serde_json::Value>,
    /// The same names once more, as far as what ptxas makes of the launch is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    executed: Option<serde_json::Map<String, serde_json::Value>>,
    /// The names that are not there, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    executed_unknown: Option<serde_json::Map<String, serde_json::Value>>,
    /// Instructions, once a warp, by class, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    instruction_mix: Option<serde_json::Map<String, serde_json::Value>>,
    /// What made the first NaN and the first infinity, where that was asked for and there are such.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_finite: Vec<JsonMade>,
}

/// What made a NaN or an infinity.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonMade {
    /// `nan` or `infinity`.
    what: &'static str,
    operation: String,
    /// With its operands.
    formula: String,
    block: [u32; 3],
    thread: [u32; 3],
    file: String,
    line: u32,
}

impl JsonMade {
    fn new(made: &Made) -> Self {
        let (file, line) =
            made.place.counted_line().cloned().unwrap_or((made.place.ptx.clone(), made.place.at.0));
        JsonMade {
            what: match made.what {
                device::NotFinite::Nan => "nan",
                device::NotFinite::Infinity => "infinity",
            },
            operation: made.mnemonic.clone(),
            formula: made.formula.clone(),
            block: made.block,
            thread: made.thread,
            file,
            line,
        }
    }
}

impl JsonLaunch {
    fn new(launched: &Launched) -> Self {
        let (time_ms, time_is) = match launched.time {
            Time::Measured(ns) => (Some(ns / 1e6), "measured"),
            Time::Modelled(ns) => (Some(ns / 1e6), "modelled"),
            Time::None => (None, "none"),
        };
        let counters = launched.counters.iter().flat_map(Counters::iter);
        let executed = launched.executed.reported().map(|(name, n)| (name.to_owned(), n.into()));
        let unknown = launched.executed.untold().map(|(name, why)| (name.to_owned(), why.into()));
        let asked = !launched.executed.is_empty();
        let mix = mix::counts(launched.profile.iter()).into_iter().map(|(class, n)| (class, n.into()));
        JsonLaunch {
            kernel: launched.kernel.clone(),
            grid: launched.grid,
            block: launched.block,
            runs: (launched.runs > 1).then_some(launched.runs),
            time_ms,
            time_is,
            counters: counters.map(|(name, n)| (name.to_owned(), n.into())).collect(),
            executed: asked.then(|| executed.collect()),
            executed_unknown: asked.then(|| unknown.collect()),
            not_finite: launched.not_finite.iter().map(JsonMade::new).collect(),
            instruction_mix: (!launched.profile.is_empty()).then(|| mix.collect()),
        }
    }
}

/// An input in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonInput {
    name: String,
    /// Null where the device keeps no account of that.
    unread: Option<Part>,
}

impl JsonInput {
    fn new(input: &Input) -> Self {
        JsonInput { name: input.name.clone(), unread: input.unread }
    }
}

/// An output in JSON. All fields but the name are null if nothing was compared, as is a difference that is not finite.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonOutput {
    name: String,
    matches: Option<bool>,
    max_abs: Option<f64>,
    max_rel: Option<f64>,
    /// The first elements, as text: JSON has no NaN, and no integers of 64 bits.
    first: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unwritten: Option<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_finite: Option<Part>,
}

impl JsonOutput {
    fn new(output: &Output) -> Self {
        let compared = output.compared.as_ref().map(|(_, c)| c);
        JsonOutput {
            name: output.name.clone(),
            matches: compared.map(Comparison::matches),
            max_abs: compared.map(|c| c.max_abs),
            max_rel: compared.map(|c| c.max_rel),
            first: output.first.clone(),
            unwritten: output.unwritten,
            not_finite: output.not_finite,
        }
    }
}

/// Fault of an error of the embedded device, or of one that both devices word alike.
pub(crate) fn simt_fault(error: &SimtError) -> Option<Fault> {
    let kind = error.kind()?;
    let of = |message: &str, kernel: Option<&String>| Fault::new(kind, message.to_owned(), kernel.cloned());
    Some(match error {
        SimtError::Fault(fault) => faulted(fault),
        SimtError::BadPtx { place, message } => of(message, None).at(place),
        SimtError::Unsupported { place, .. } => of(&error.to_string(), None).at(place),
        SimtError::BadArguments { kernel, message } | SimtError::TooManyThreads { kernel, message } => {
            of(message, Some(kernel))
        }
        SimtError::TooMuchShared { kernel, .. } | SimtError::MissingKernel { kernel, .. } => {
            of(&error.to_string(), Some(kernel))
        }
        _ => of(&error.to_string(), None),
    })
}

/// A fault of the embedded device.
fn faulted(fault: &device::Fault) -> Fault {
    let message = fault.message.clone();
    Fault {
        block: Some(fault.block),
        thread: Some(fault.thread),
        address: fault.address,
        ..Fault::new(fault.kind.name(), message, Some(fault.kernel.clone())).at(&fault.place)
    }
}

/// The kernel's name, where the launch's shape follows it.
fn first_word(kernel: &str) -> Option<String> {
    kernel.split([',', ' ']).next().map(str::to_owned)
}

/// A GPU's driver says less than the embedded device: the kind that its error most often stands for (CUDA Driver API,
/// "CUresult").
fn gpu_kind(message: &str) -> &'static str {
    const KINDS: [(&str, &str); 5] = [
        ("CUDA_ERROR_ILLEGAL_ADDRESS", "out-of-bounds-global"),
        ("CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned-address"),
        ("CUDA_ERROR_HARDWARE_STACK_ERROR", "stack-overflow"),
        ("CUDA_ERROR_LAUNCH_TIMEOUT", "infinite-loop"),
        ("CUDA_ERROR_INVALID_ADDRESS_SPACE", "out-of-bounds-shared"),
    ];
    KINDS.iter().find(|(error, _)| message.contains(error)).map_or("trap", |(_, kind)| kind)
}
