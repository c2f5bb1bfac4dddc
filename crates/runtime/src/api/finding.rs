//! What a program did wrong with the runtime API: as data.
//!
//! Enters: what the API saw. Leaves: a [`Finding`], with the call, what else it concerns, and numbers. How it is worded is
//! [`super::words`]' to say; where it is shown is not known here.

use super::status::Status;
use crate::guest::Site;

/// Sizes of elements, by which a size may have been given, the usual ones first.
pub(super) const ELEMENTS: [u64; 5] = [4, 8, 2, 16, 12];

/// Something that a program did wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// Function of the API that the program called, or the kernel that ran.
    pub call: String,
    /// Place of that call.
    pub site: Site,
    /// Whether the program is wrong, or only likely to be.
    pub certainty: Certainty,
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The program is wrong.
    Error,
    /// The program may be meant so.
    Note,
}

/// Memory that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// What it is.
    pub what: What,
    /// Its first byte.
    pub address: u64,
    /// Its size, bytes.
    pub bytes: u64,
    /// Its rows, where it was allocated in rows.
    pub rows: Option<Rows>,
    /// Where it was allocated; nothing for a variable or a stack.
    pub allocated: Option<Site>,
    /// Where it was freed, if it was.
    pub freed: Option<Site>,
}

/// Kind of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Of the device, allocated by this call.
    Device(&'static str),
    /// Pinned memory of the host, allocated or registered by this call.
    Pinned(&'static str),
    /// Managed memory.
    Managed,
    /// A block of the host's heap.
    Heap,
    /// Memory of the host that was not allocated: a variable.
    Host,
    /// A `__constant__`, `__device__` or `__managed__` variable on the device, by its name.
    Symbol(String),
    /// What the host has in the place of such a variable.
    Shadow(String),
    /// An array of texels.
    Array,
    /// Nothing that is known.
    Unknown,
}

/// Rows of pitched memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Bytes from row to row.
    pub pitch: u64,
    /// Bytes of a row that were asked for.
    pub width: u64,
    /// Rows of a slice.
    pub height: u64,
    /// Slices.
    pub depth: u64,
}

/// One of the two ends of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where bytes go.
    Destination,
    /// Where they come from.
    Source,
}

/// Kinds of `cudaMemcpyKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKind {
    /// `cudaMemcpyHostToHost`.
    HostToHost,
    /// `cudaMemcpyHostToDevice`.
    HostToDevice,
    /// `cudaMemcpyDeviceToHost`.
    DeviceToHost,
    /// `cudaMemcpyDeviceToDevice`.
    DeviceToDevice,
    /// `cudaMemcpyDefault`.
    Default,
}

/// One of two accesses that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What made it: a function of the API or a kernel; empty for the program itself.
    pub by: String,
    /// The stream; `None` for the host.
    pub stream: Option<u32>,
    /// Whether it writes.
    pub writes: bool,
    /// Place of the call.
    pub site: Site,
}

/// What was done wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A pointer to the device's memory where one of the host is expected.
    DevicePointerOnHost {
        /// The parameter, such as `dst`; empty where the program itself accessed it.
        parameter: &'static str,
        /// The pointer.
        address: u64,
        /// What it points to.
        memory: Memory,
    },
    /// A pointer to the host's memory where one of the device is expected.
    HostPointerOnDevice {
        /// The parameter; of a kernel, its number from 1.
        parameter: String,
        /// The pointer.
        address: u64,
        /// What it points to.
        memory: Memory,
    },
    /// The `cudaMemcpyKind` of a copy is not that of its pointers.
    WrongKind {
        /// Kind that was given.
        given: CopyKind,
        /// Kind that the pointers have.
        is: CopyKind,
        /// Whether source and destination are those of the given kind, exchanged.
        exchanged: bool,
        /// The device's variable in whose place on the host a pointer points.
        variable: Option<String>,
    },
    /// An access past the end of what a pointer points to.
    Beyond {
        /// Which end of a copy; `None` of anything but a copy.
        end: Option<End>,
        /// Bytes from the start of the memory.
        offset: u64,
        /// Bytes that the call was to access, from its first to its last.
        bytes: u64,
        /// The memory.
        memory: Memory,
        /// Size of the elements that the allocation would hold if it had been sized in bytes, where that explains it.
        element: Option<u64>,
    },
    /// A copy without pitch into or out of memory with rows.
    DenseRows {
        /// Which end has rows.
        end: End,
        /// Bytes from row to row that the copy assumes.
        assumed: u64,
        /// The memory.
        memory: Memory,
    },
    /// A pitch that is narrower than the rows to be copied.
    NarrowPitch {
        /// Which end.
        end: End,
        /// The pitch, bytes.
        pitch: u64,
        /// The rows, bytes.
        width: u64,
        /// Whether exchanging the two would be right.
        exchanged: bool,
    },
    /// A pitch that is not that of the allocation.
    OtherPitch {
        /// Which end.
        end: End,
        /// The pitch that was given, bytes.
        given: u64,
        /// The memory.
        memory: Memory,
    },
    /// Rows that are wider than those of the memory, in the bytes that its pitch leaves between them.
    WideRows {
        /// The rows, bytes.
        given: u64,
        /// Whether the memory would have such rows if width and height had not been exchanged where it was allocated; otherwise its
        /// width is in elements.
        exchanged: bool,
        /// The memory.
        memory: Memory,
    },
    /// A width or an extent that seems to be in elements instead of bytes.
    WidthInElements {
        /// The width that was given.
        given: u64,
        /// Bytes of a row of the memory.
        width: u64,
        /// The memory.
        memory: Memory,
        /// The launch that has read what was left out, where one has.
        read: Option<Site>,
    },
    /// A width in bytes where an array's texels are counted.
    WidthInBytes {
        /// The width that was given.
        given: u64,
        /// Texels of a row.
        texels: u64,
        /// Bytes of a texel.
        texel: u64,
    },
    /// Something that is not a symbol where one is expected.
    NotASymbol {
        /// The pointer.
        address: u64,
        /// The text that it points to, if that is a symbol's name.
        text: Option<String>,
        /// What it points to.
        memory: Memory,
    },
    /// More bytes than the device has.
    TooLarge {
        /// Bytes that were asked for.
        bytes: u64,
        /// Bytes that the device has.
        has: u64,
    },
    /// Memory used after it was freed.
    UseAfterFree {
        /// The pointer.
        address: u64,
        /// The memory.
        memory: Memory,
    },
    /// Memory freed again.
    FreedTwice {
        /// The memory.
        memory: Memory,
    },
    /// Memory freed by the wrong function.
    WrongFree {
        /// The function that frees it; empty for memory that must not be freed.
        right: &'static str,
        /// The memory.
        memory: Memory,
    },
    /// A pointer into memory given to a function that frees memory by its first byte.
    FreedInside {
        /// Bytes past the start.
        offset: u64,
        /// The memory.
        memory: Memory,
    },
    /// Memory that was not freed when the program ended.
    Leaked {
        /// The memory.
        memory: Memory,
    },
    /// A launch that failed.
    LaunchFailed {
        /// The kernel.
        kernel: String,
        /// The error.
        status: Status,
        /// Why, in words.
        why: String,
    },
    /// A launch that failed, and whose error the program has not looked at.
    LaunchUnseen {
        /// The kernel.
        kernel: String,
        /// The error.
        status: Status,
    },
    /// A kernel printed, and the program ended without having waited for it.
    LostOutput,
    /// A copy to the host that nothing waits for before the memory is freed, or the program ends.
    LostCopy {
        /// The memory.
        memory: Memory,
        /// Where it was freed; nothing where the program ended.
        freed: Option<Site>,
    },
    /// Errors that the program has not looked at.
    Unchecked {
        /// How many calls failed.
        calls: u64,
        /// The first error.
        status: Status,
    },
    /// A kernel's fault.
    Fault {
        /// The fault.
        fault: Box<device::Fault>,
        /// For each parameter of the kernel that points to the first byte of memory of the API, the name that the device has for it.
        arguments: Vec<Option<String>>,
        /// The memory that the access is in or nearest to.
        memory: Option<Memory>,
    },
    /// Two accesses to the same bytes, at least one of which writes, that nothing orders.
    Unordered {
        /// The earlier one in the program.
        first: Access,
        /// The later one, which is the finding's call.
        second: Access,
        /// First byte that both access, from the memory's start.
        offset: u64,
        /// The memory.
        memory: Memory,
    },
    /// An asynchronous copy that was not asynchronous, as the host's memory is not pinned.
    PageableAsync {
        /// Bytes copied.
        bytes: u64,
        /// The host's memory.
        memory: Memory,
    },
    /// A copy of a part of a buffer, whose rest a kernel has then read though nothing had written it.
    SizeInElements {
        /// Bytes that were copied.
        bytes: u64,
        /// Bytes of an element, by which the copy was too short; of the size of a pointer or a vector, nothing.
        element: Option<u64>,
        /// The memory.
        memory: Memory,
        /// The launch.
        read: Site,
    },
    /// A value that no function of the API takes there.
    BadArgument {
        /// The parameter.
        parameter: &'static str,
        /// Its value, in words.
        why: String,
    },
    /// A call that streams which are capturing do not allow, or a capture that cannot be what was asked for.
    InCapture {
        /// The error.
        status: Status,
        /// Why, in words.
        why: &'static str,
        /// Where the capture began.
        began: Option<Site>,
    },
    /// A stream, event, array, texture or surface that does not exist, or has been destroyed.
    BadHandle {
        /// What it was to be.
        what: &'static str,
        /// Where it was destroyed, if it was.
        destroyed: Option<Site>,
    },
}

impl Kind {
    /// Name in messages and records.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::DevicePointerOnHost { .. } => "device-pointer-on-host",
            Kind::HostPointerOnDevice { .. } => "host-pointer-on-device",
            Kind::WrongKind { .. } => "copy-kind",
            Kind::Beyond { .. } => "out-of-bounds",
            Kind::DenseRows { .. } => "dense-rows",
            Kind::NarrowPitch { .. } => "narrow-pitch",
            Kind::OtherPitch { .. } => "other-pitch",
            Kind::WideRows { .. } => "wide-rows",
            Kind::WidthInElements { .. } => "width-in-elements",
            Kind::WidthInBytes { .. } => "width-in-bytes",
            Kind::NotASymbol { .. } => "not-a-symbol",
            Kind::TooLarge { .. } => "too-large",
            Kind::UseAfterFree { .. } => "use-after-free",
            Kind::FreedTwice { .. } => "double-free",
            Kind::WrongFree { .. } => "wrong-free",
            Kind::FreedInside { .. } => "bad-free",
            Kind::Leaked { .. } => "leak",
            Kind::LaunchFailed { .. } => "launch-failed",
            Kind::LaunchUnseen { .. } => "launch-unseen",
            Kind::LostOutput => "lost-output",
            Kind::LostCopy { .. } => "lost-copy",
            Kind::Unchecked { .. } => "unchecked",
            Kind::Fault { fault, .. } => fault.kind.name(),
            Kind::Unordered { .. } => "unordered",
            Kind::PageableAsync { .. } => "pageable-async",
            Kind::SizeInElements { .. } => "size-in-elements",
            Kind::BadArgument { .. } => "bad-argument",
            Kind::InCapture { .. } => "stream-capture",
            Kind::BadHandle { .. } => "bad-handle",
        }
    }
}
