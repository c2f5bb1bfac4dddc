//! Calls: of functions, whose frames these describe, and of what the system brings.

use super::{File, Register};
use crate::WARP;

/// Functions that the system brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    /// `vprintf(format, arguments)`.
    Print,
    /// `__assertfail(message, file, line, function, bytes a character)`.
    AssertionFailed,
    /// `malloc(bytes)`.
    Allocate,
    /// `free(address)`.
    Free,
    /// `nanosleep`: no function, but the system's all the same.
    Sleep,
    /// A function of the CUDA device runtime.
    Runtime(RuntimeCall),
}

impl Builtin {
    /// Whether it may take memory from the kernels' heap.
    pub(crate) fn uses_heap(self) -> bool {
        match self {
            Builtin::Allocate | Builtin::Runtime(_) => true,
            Builtin::Print | Builtin::AssertionFailed | Builtin::Free | Builtin::Sleep => false,
        }
    }
}

/// Functions of the CUDA device runtime (`cuda_device_runtime_api.h`), without `cuda` or `__cudaCDP2` before their names.
/// `FuncGetAttributes` is not among them: it gives a number of registers, which PTX does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuntimeCall {
    /// `GetParameterBufferV2(kernel, grid, block, shared bytes)`.
    ParameterBuffer,
    /// `GetParameterBuffer(alignment, bytes)`.
    AnyBuffer,
    /// `LaunchDeviceV2(buffer, stream)`.
    Launch,
    /// `LaunchDevice(kernel, buffer, grid, block, shared bytes, stream)`.
    LaunchAny,
    /// `GetLastError()`.
    LastError,
    /// `PeekAtLastError()`.
    PeekError,
    /// `GetErrorName(error)`.
    ErrorName,
    /// `GetErrorString(error)`.
    ErrorText,
    /// `StreamCreateWithFlags(stream, flags)`.
    CreateStream,
    /// `EventCreateWithFlags(event, flags)`.
    CreateEvent,
    /// `StreamDestroy`, `StreamWaitEvent`, `EventRecord`, `EventDestroy`.
    Nothing,
    /// `GetDevice(device)`.
    Device,
    /// `GetDeviceCount(count)`.
    DeviceCount,
    /// `Malloc(address, bytes)`.
    Allocate,
    /// `Free(address)`.
    Free,
    /// Copies and fills, which are done after the grid.
    Transfer(TransferCall),
    /// Questions on the device.
    Query(QueryCall),
}

/// Copies and fills. A fill on an H200 with CUDA 13.0 sets zeros whatever its value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransferCall {
    /// `MemcpyAsync(to, from, bytes, kind, stream)`.
    Copy,
    /// `Memcpy2DAsync(to, pitch, from, pitch, width, height, kind, stream)`.
    CopyPlane,
    /// `Memcpy3DAsync(parameters, stream)`.
    CopyBox,
    /// `MemsetAsync(address, value, bytes, stream)`.
    Set,
    /// `Memset2DAsync(address, pitch, value, width, height, stream)`.
    SetPlane,
    /// `Memset3DAsync(pitched pointer, value, extent, stream)`.
    SetBox,
}

/// Questions on the device, whose answers are stored at the address that is the first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryCall {
    /// `DeviceGetAttribute(value, attribute, device)`.
    Attribute,
    /// `DeviceGetLimit(value, limit)`.
    Limit,
    /// `DeviceGetCacheConfig(configuration)`.
    CacheConfiguration,
    /// `DeviceGetSharedMemConfig(configuration)`.
    BankSize,
    /// `RuntimeGetVersion(version)`.
    Version,
    /// `OccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared bytes)`, also `…WithFlags`.
    Occupancy,
}

impl RuntimeCall {
    /// The function of this name, and how many arguments it takes.
    pub(crate) fn named(name: &str) -> Option<(RuntimeCall, usize)> {
        let name = name.strip_prefix("__cudaCDP2").or_else(|| name.strip_prefix("cuda"))?;
        // Those of programs that have a default stream a thread.
        let name = name.strip_suffix("_ptsz").unwrap_or(name);
        Some(match name {
            "GetParameterBufferV2" => (RuntimeCall::ParameterBuffer, 4),
            "GetParameterBuffer" => (RuntimeCall::AnyBuffer, 2),
            "LaunchDeviceV2" => (RuntimeCall::Launch, 2),
            "LaunchDevice" => (RuntimeCall::LaunchAny, 6),
            "GetLastError" => (RuntimeCall::LastError, 0),
            "PeekAtLastError" => (RuntimeCall::PeekError, 0),
            "GetErrorName" => (RuntimeCall::ErrorName, 1),
            "GetErrorString" => (RuntimeCall::ErrorText, 1),
            "StreamCreateWithFlags" => (RuntimeCall::CreateStream, 2),
            "EventCreateWithFlags" => (RuntimeCall::CreateEvent, 2),
            "StreamDestroy" | "EventDestroy" => (RuntimeCall::Nothing, 1),
            "EventRecord" => (RuntimeCall::Nothing, 2),
            "StreamWaitEvent" | "EventRecordWithFlags" => (RuntimeCall::Nothing, 3),
            "GetDevice" => (RuntimeCall::Device, 1),
            "GetDeviceCount" => (RuntimeCall::DeviceCount, 1),
            "Malloc" => (RuntimeCall::Allocate, 2),
            "Free" => (RuntimeCall::Free, 1),
            "MemcpyAsync" => (RuntimeCall::Transfer(TransferCall::Copy), 5),
            "Memcpy2DAsync" => (RuntimeCall::Transfer(TransferCall::CopyPlane), 8),
            "Memcpy3DAsync" => (RuntimeCall::Transfer(TransferCall::CopyBox), 2),
            "MemsetAsync" => (RuntimeCall::Transfer(TransferCall::Set), 4),
            "Memset2DAsync" => (RuntimeCall::Transfer(TransferCall::SetPlane), 6),
            "Memset3DAsync" => (RuntimeCall::Transfer(TransferCall::SetBox), 4),
            "DeviceGetAttribute" => (RuntimeCall::Query(QueryCall::Attribute), 3),
            "DeviceGetLimit" => (RuntimeCall::Query(QueryCall::Limit), 2),
            "DeviceGetCacheConfig" => (RuntimeCall::Query(QueryCall::CacheConfiguration), 1),
            "DeviceGetSharedMemConfig" => (RuntimeCall::Query(QueryCall::BankSize), 1),
            "RuntimeGetVersion" => (RuntimeCall::Query(QueryCall::Version), 1),
            "OccupancyMaxActiveBlocksPerMultiprocessor" => (RuntimeCall::Query(QueryCall::Occupancy), 4),
            "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => {
                (RuntimeCall::Query(QueryCall::Occupancy), 5)
            }
            _ => return None,
        })
    }

    /// Whether its result is an address, and not an error.
    pub(crate) fn gives_address(self) -> bool {
        match self {
            RuntimeCall::ParameterBuffer
            | RuntimeCall::AnyBuffer
            | RuntimeCall::ErrorName
            | RuntimeCall::ErrorText => true,
            RuntimeCall::Launch
            | RuntimeCall::LaunchAny
            | RuntimeCall::LastError
            | RuntimeCall::PeekError
            | RuntimeCall::CreateStream
            | RuntimeCall::CreateEvent
            | RuntimeCall::Nothing
            | RuntimeCall::Device
            | RuntimeCall::DeviceCount
            | RuntimeCall::Allocate
            | RuntimeCall::Free
            | RuntimeCall::Transfer(_)
            | RuntimeCall::Query(_) => false,
        }
    }
}

/// A call of a [`Builtin`]: where its arguments and its result are in this frame's local memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltinCall {
    pub(crate) builtin: Builtin,
    pub(crate) arguments: [u32; 8],
    pub(crate) result: Option<u32>,
}

/// Where a value of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Bytes from the start of a frame's local memory.
    Bytes(u32),
    W(Register),
    X(Register),
    P(Register),
}

impl Slot {
    /// The register, if it is one.
    pub(crate) fn register(self) -> Option<(File, Register)> {
        match self {
            Slot::Bytes(_) => None,
            Slot::W(number) => Some((File::W, number)),
            Slot::X(number) => Some((File::X, number)),
            Slot::P(number) => Some((File::P, number)),
        }
    }
}

/// A value that a call hands over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallValue {
    pub(crate) from: Slot,
    pub(crate) to: Slot,
    pub(crate) bytes: u32,
}

/// Who is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    /// A place in [`super::Kernel::functions`].
    Direct(u32),
    /// An address in `X`.
    Indirect(Register),
}

/// A call: values into the callee's frame, and back out of it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    pub(crate) arguments: Vec<CallValue>,
    pub(crate) returns: Vec<CallValue>,
}

impl Call {
    /// Whether a function has its parameters and results where the call puts and looks for them.
    pub(crate) fn fits(&self, callee: &Frame) -> bool {
        let inner = self.arguments.iter().map(|t| (t.to, t.bytes));
        let outer = self.returns.iter().map(|t| (t.from, t.bytes));
        inner.eq(callee.parameters.iter().copied()) && outer.eq(callee.results.iter().copied())
    }
}

/// A function's frame. The first function of a kernel is the kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Its first block.
    pub(crate) entry: u32,
    /// Registers in each file.
    pub(crate) w: u16,
    pub(crate) x: u16,
    pub(crate) p: u16,
    /// Local memory a thread, bytes.
    pub(crate) local_bytes: u32,
    /// Bytes of its parameters, with which the local memory begins.
    pub(crate) parameter_bytes: u32,
    /// Where it has its parameters and its results, and how many bytes each takes; nothing for a kernel.
    pub(crate) parameters: Vec<(Slot, u32)>,
    pub(crate) results: Vec<(Slot, u32)>,
    /// Registers that may be read before they are written: they begin as zero.
    pub(crate) unwritten_w: Vec<Register>,
    pub(crate) unwritten_x: Vec<Register>,
    pub(crate) unwritten_p: Vec<Register>,
}

impl Frame {
    /// Memory of a warp for it, bytes of the machine that runs it.
    pub(crate) fn bytes(&self) -> u64 {
        let words = 2 + u64::from(self.w) + 2 * u64::from(self.x) + u64::from(self.local_bytes).div_ceil(4);
        words * 4 * WARP as u64 + 4 * u64::from(self.p)
    }

    /// Registers that begin as zero.
    pub(crate) fn unwritten(&self) -> usize {
        self.unwritten_w.len() + self.unwritten_x.len() + self.unwritten_p.len()
    }
}
