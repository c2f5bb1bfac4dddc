//! Results of a job's run, and their JSON.

use crate::compare::Comparison;
use crate::error::Error;
use crate::profile::Sources;
use device::{Counters, FaultKind, InstructionProfile, SimtError};
use serde::Serialize;
use std::path::Path;

/// Results of a run, as far as it came.
#[derive(Debug, Default)]
pub struct Report {
    /// The device, in words.
    pub device: String,
    /// The launches that ran to their end.
    pub launches: Vec<Launched>,
    /// The outputs; none where the run stopped before its end.
    pub outputs: Vec<Output>,
    /// The files that profiled instructions come from.
    pub sources: Sources,
    /// Error that stopped the run.
    pub error: Option<Error>,
}

/// A launch that ran to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Launched {
    /// The kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads a block in x, y, z.
    pub block: [u32; 3],
    /// Time of the launch, nanoseconds.
    pub time: Time,
    /// Counts of the launch, on the embedded device.
    pub counters: Option<Counters>,
    /// Counts of what the chip executes for it, by name, where they were asked for and can be told.
    pub executed: Vec<(&'static str, u64)>,
    /// Output of `printf`, on the embedded device. A GPU's driver prints by itself.
    pub printed: String,
    /// Counts of each instruction, where they were asked for.
    pub profile: Vec<InstructionProfile>,
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

/// An output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The buffer's or symbol's name.
    pub name: String,
    /// Size of the output, bytes.
    pub bytes: u64,
    /// Name of the expected file and comparison with it, if the job names one.
    pub compared: Option<(String, Comparison)>,
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
    /// The source file, or the PTX where it has no line table.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The address.
    pub address: Option<u64>,
}

impl Report {
    /// A run that never began.
    pub fn unusable(device: &str, error: Error) -> Self {
        Report { device: device.to_owned(), error: Some(error), ..Report::default() }
    }

    /// 0 success; 1 an output does not match; 2 the input was unusable; 3 the kernel faulted.
    pub fn exit_code(&self) -> u8 {
        match &self.error {
            Some(error) => error.exit_code(),
            None => {
                u8::from(self.outputs.iter().any(|o| matches!(&o.compared, Some((_, c)) if !c.matches())))
            }
        }
    }

    /// The fault that stopped the run, if its error is one of those that records name.
    pub fn fault(&self) -> Option<Fault> {
        let Some(Error::Device(error)) = &self.error else { return None };
        match error {
            device::Error::Simt(error) => simt_fault(error),
            device::Error::GpuFault { kernel, message } => Some(Fault {
                kind: gpu_kind(message),
                message: message.clone(),
                // It is followed by the launch's shape.
                kernel: kernel.split([',', ' ']).next().map(str::to_owned),
                block: None,
                thread: None,
                file: None,
                line: None,
                address: None,
            }),
            device::Error::TimeLimit { kernel, seconds } => Some(Fault {
                kind: FaultKind::TimeLimit.name(),
                message: format!("the kernel has not ended within the time limit, {seconds} s"),
                kernel: kernel.split([',', ' ']).next().map(str::to_owned),
                block: None,
                thread: None,
                file: None,
                line: None,
                address: None,
            }),
            _ => None,
        }
    }

    /// The run as the design has it in JSON; `job` is there where a file holds several.
    pub fn json(&self, job: Option<&Path>) -> Json {
        let fault = self.fault();
        let error = match &self.error {
            Some(error) if fault.is_none() => Some(error.to_string()),
            _ => None,
        };
        Json {
            job: job.map(|path| path.display().to_string()),
            device: self.device.clone(),
            launches: self.launches.iter().map(JsonLaunch::new).collect(),
            outputs: self.outputs.iter().map(JsonOutput::new).collect(),
            fault,
            error,
        }
    }
}

/// A run for a program to read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Json {
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<String>,
    device: String,
    launches: Vec<JsonLaunch>,
    outputs: Vec<JsonOutput>,
    fault: Option<Fault>,
    /// Error that stopped the run, where it is no fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonLaunch {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    time_ms: Option<f64>,
    time_is: &'static str,
    counters: serde_json::Map<String, serde_json::Value>,
    /// The same names once more, as far as what ptxas makes of the launch is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    executed: Option<serde_json::Map<String, serde_json::Value>>,
}

impl JsonLaunch {
    fn new(launched: &Launched) -> Self {
        let (time_ms, time_is) = match launched.time {
            Time::Measured(ns) => (Some(ns / 1e6), "measured"),
            Time::Modelled(ns) => (Some(ns / 1e6), "modelled"),
            Time::None => (None, "none"),
        };
        let counters = launched.counters.iter().flat_map(Counters::iter);
        let executed = launched.executed.iter().map(|(name, n)| ((*name).to_owned(), (*n).into()));
        JsonLaunch {
            kernel: launched.kernel.clone(),
            grid: launched.grid,
            block: launched.block,
            time_ms,
            time_is,
            counters: counters.map(|(name, n)| (name.to_owned(), n.into())).collect(),
            executed: (!launched.executed.is_empty()).then(|| executed.collect()),
        }
    }
}

/// An output in JSON. All fields but the name are null if nothing was compared, as is a difference that is not finite.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonOutput {
    name: String,
    matches: Option<bool>,
    max_abs: Option<f64>,
    max_rel: Option<f64>,
}

impl JsonOutput {
    fn new(output: &Output) -> Self {
        let compared = output.compared.as_ref().map(|(_, c)| c);
        JsonOutput {
            name: output.name.clone(),
            matches: compared.map(Comparison::matches),
            max_abs: compared.map(|c| c.max_abs),
            max_rel: compared.map(|c| c.max_rel),
        }
    }
}

/// Fault of an error of the embedded device, or of one that both devices word alike.
fn simt_fault(error: &SimtError) -> Option<Fault> {
    let kind = error.kind()?;
    let before = |message: String, kernel: Option<&String>, place: Option<&device::Place>| {
        let (file, line) = place.map(source).unzip();
        Fault { kind, message, kernel: kernel.cloned(), block: None, thread: None, file, line, address: None }
    };
    Some(match error {
        SimtError::Fault(fault) => {
            let (file, line) = source(&fault.place);
            Fault {
                kind,
                message: fault.message.clone(),
                kernel: Some(fault.kernel.clone()),
                block: Some(fault.block),
                thread: Some(fault.thread),
                file: Some(file),
                line: Some(line),
                address: fault.address,
            }
        }
        SimtError::BadPtx { place, message } => before(message.clone(), None, Some(place)),
        SimtError::Unsupported { place, .. } => before(error.to_string(), None, Some(place)),
        SimtError::BadArguments { kernel, message } | SimtError::TooManyThreads { kernel, message } => {
            before(message.clone(), Some(kernel), None)
        }
        SimtError::TooMuchShared { kernel, .. } | SimtError::MissingKernel { kernel, .. } => {
            before(error.to_string(), Some(kernel), None)
        }
        _ => before(error.to_string(), None, None),
    })
}

/// A place in the source, or in the PTX where it has no line table.
fn source(place: &device::Place) -> (String, u32) {
    place.source.clone().unwrap_or_else(|| (place.ptx.clone(), place.at.0))
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
