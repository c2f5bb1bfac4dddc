//! Errors of modules and launches, and faults of kernels, with their places.

use crate::detail::Detail;

pub(crate) use crate::detail::Bytes;

/// A place in PTX and, where the compiler left line information, in the source it was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Name under which the PTX was loaded.
    pub ptx: String,
    /// Line and column in the PTX, from 1.
    pub at: (u32, u32),
    /// Source file and line, from `.loc`: where the instruction itself is.
    pub source: Option<(String, u32)>,
    /// For a function that was inlined, file and line of its call; then of the call of the function that this one is
    /// in, and so on, outermost last.
    pub inlined_at: Vec<(String, u32)>,
    /// For a fault in a function that was called, file and line of the call, then of the call of the function that this one
    /// is in, and so on, outermost last; of many calls the innermost ones.
    pub called_at: Vec<(String, u32)>,
}

impl Place {
    /// A place of which only the PTX is known: line and column, from 1.
    pub fn in_ptx(ptx: impl Into<String>, at: (u32, u32)) -> Self {
        Place { ptx: ptx.into(), at, source: None, inlined_at: vec![], called_at: vec![] }
    }

    /// The one source line for which the instruction counts, where counts are given by line: the innermost that is in a
    /// program's own file, and not in a header; if there is none, that of the outermost call.
    pub fn counted_line(&self) -> Option<&(String, u32)> {
        let mut stack = self.source.iter().chain(&self.inlined_at);
        stack.clone().find(|(file, _)| is_own(file)).or_else(|| stack.next_back())
    }

    /// The source's line that a program's author wrote, with the calls that it was inlined and called at, innermost first: what
    /// is in a library's header counts for the call of it. Where there is nothing else, the library's own lines.
    pub fn lines(&self) -> Vec<(&'static str, &(String, u32))> {
        let stack = self.source.iter().map(|at| ("", at));
        let stack = stack.chain(self.inlined_at.iter().map(|at| ("inlined at", at)));
        let stack: Vec<_> = stack.chain(self.called_at.iter().map(|at| ("called at", at))).collect();
        let written = stack.iter().copied().skip_while(|(_, (file, _))| is_library(file)).collect::<Vec<_>>();
        if written.is_empty() { stack } else { written }
    }

    /// The first of [`Place::lines`].
    pub fn written_line(&self) -> Option<&(String, u32)> {
        self.lines().first().map(|(_, at)| *at)
    }

    /// The source line with the calls that it was inlined and called at, or the line of the PTX where there is no other.
    pub fn line(&self) -> String {
        let lines = self.lines();
        let Some((_, (file, line))) = lines.first() else {
            return format!("{}:{}:{}", self.ptx, self.at.0, self.at.1);
        };
        let calls = lines[1..].iter().filter(|(_, (file, _))| !is_library(file));
        calls.fold(format!("{file}:{line}"), |text, (how, (file, line))| {
            text + &format!(", {how} {file}:{line}")
        })
    }
}

/// Whether a file is a program's own, and not a header.
fn is_own(name: &str) -> bool {
    [".cu", ".c", ".cpp", ".cc", ".cxx"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file is a header of the compiler's or of CUDA's: `<warp.cuh>`, `/usr/local/cuda/include/cuda_fp16.hpp`.
fn is_library(name: &str) -> bool {
    const FOLDERS: [&str; 6] =
        ["/cuda/std/", "/cooperative_groups/", "/cub/", "/thrust/", "/crt/", "/nv/target"];
    const HEADERS: [&str; 9] = [
        "cuda_",
        "cooperative_groups",
        "mma.h",
        "sm_",
        "device_functions.",
        "device_atomic_functions.",
        "math_functions.",
        "texture_",
        "surface_",
    ];
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let is_header = !is_own(name) && HEADERS.iter().any(|head| file.starts_with(head));
    name.starts_with('<') || is_header || FOLDERS.iter().any(|folder| format!("/{name}").contains(folder))
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ptx = format!("{}:{}:{}", self.ptx, self.at.0, self.at.1);
        match self.lines()[..] {
            [] => f.write_str(&ptx),
            _ => write!(f, "{} ({ptx})", self.line()),
        }
    }
}

/// Kind of a fault, named as in job files and records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// A global access outside of every allocation.
    OutOfBoundsGlobal,
    /// A shared access outside of the block's shared memory.
    OutOfBoundsShared,
    /// A constant access outside of the module's constant memory.
    OutOfBoundsConstant,
    /// A local access outside of the thread's local memory.
    OutOfBoundsLocal,
    /// An address that is not a multiple of the access's size.
    MisalignedAddress,
    /// A global access in the first page.
    NullPointer,
    /// Threads that wait at a barrier which others of their block never reach.
    DivergentBarrier,
    /// Threads that access the same shared memory between barriers, at least one of them writing.
    SharedRace,
    /// Threads that access the same global memory in one launch, at least one of them writing, and nothing orders them.
    GlobalRace,
    /// A write to global memory that the same launch reads by a load which takes it as unchanging: `__ldg`, a
    /// `const __restrict__` parameter, a texture.
    ReadOnlyWrite,
    /// A lane that executes a warp-wide instruction whose member mask does not name it, or, with checks, takes the value of
    /// a lane that does not take part.
    InvalidMask,
    /// A read of memory that has not been written.
    UninitialisedRead,
    /// A loop that is proven never to end, or more instructions than the budget ([`Fault::proven`]).
    InfiniteLoop,
    /// The host ended the launch, since it took too long.
    TimeLimit,
    /// Calls that need more local memory than a thread has.
    StackOverflow,
    /// An instruction that no thread can execute, found where it was reached.
    UnsupportedInstruction,
    /// The `trap` instruction, or an assertion that does not hold.
    Trap,
}

impl FaultKind {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::OutOfBoundsGlobal => "out-of-bounds-global",
            FaultKind::OutOfBoundsShared => "out-of-bounds-shared",
            FaultKind::OutOfBoundsConstant => "out-of-bounds-constant",
            FaultKind::OutOfBoundsLocal => "out-of-bounds-local",
            FaultKind::MisalignedAddress => "misaligned-address",
            FaultKind::NullPointer => "null-pointer",
            FaultKind::DivergentBarrier => "divergent-barrier",
            FaultKind::SharedRace => "shared-race",
            FaultKind::GlobalRace => "global-race",
            FaultKind::ReadOnlyWrite => "read-only-write",
            FaultKind::InvalidMask => "invalid-mask",
            FaultKind::UninitialisedRead => "uninitialised-read",
            FaultKind::InfiniteLoop => "infinite-loop",
            FaultKind::TimeLimit => "time-limit",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::UnsupportedInstruction => "unsupported-instruction",
            FaultKind::Trap => "trap",
        }
    }
}

/// A kernel's fault, as compute-sanitizer would report it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// In words, with sizes and the nearest allocation.
    pub message: String,
    /// The kernel.
    pub kernel: String,
    /// The block's index.
    pub block: [u32; 3],
    /// The thread's index in its block: the first lane that faulted.
    pub thread: [u32; 3],
    /// Where in the PTX and in its source.
    pub place: Place,
    /// The address, where the fault has one.
    pub address: Option<u64>,
    /// Of an access outside of its memory: what it was nearest to. Of one in the block's shared memory: what it was in.
    pub nearest: Option<Nearest>,
    /// Of an access outside of global memory: where it is as seen from each allocation. Of one that has to do with the block's
    /// shared memory: as seen from each of its variables.
    pub seen_from: Vec<Nearest>,
    /// Of a race: the other access.
    pub other: Option<Other>,
    /// What the message says of accesses, as data.
    pub detail: Option<Detail>,
    /// Of an infinite loop: that it never ends is proven. Otherwise a budget has run out, and it may only be long.
    pub proven: bool,
    /// Of an infinite loop that is not proven: whether the launch's budget has run out, and none of its blocks'.
    pub of_launch: bool,
    /// Of a fault that ends its launch: what blocks printed until then, as if they ran one after the other. What blocks after
    /// that of the fault printed is left out: whether they have run depends on the machine.
    pub printed: String,
}

/// What is missing between two accesses to global memory by threads of a block that race.
pub const UNORDERED_THREADS: &str =
    "nothing orders the two: a barrier between them is missing, or they have to be one atomic operation";
/// The same of threads of different blocks.
pub const UNORDERED_BLOCKS: &str =
    "nothing orders the blocks of a launch: it takes atomic operations, or a second launch";

/// Name of the shared memory whose size a launch says, which variables in PTX share.
pub const DYNAMIC_SHARED: &str = "dynamic shared memory";

/// A buffer or variable near an address that lies in none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Its name; the variables' as the PTX has it, and `dynamic shared memory`.
    pub name: String,
    /// Its size, bytes.
    pub bytes: u64,
    /// From its first byte to the first of the access, bytes.
    pub offset: i64,
    /// Size of the access, bytes a lane.
    pub width: u32,
    /// The element that begins there, as the source writes it, such as `tile[2][0]`: who knows the source adds it.
    pub element: Option<String>,
}

impl Nearest {
    /// Whether all of the access is in it.
    pub fn is_inside(&self) -> bool {
        let end = self.offset.checked_add(i64::from(self.width)).and_then(|end| u64::try_from(end).ok());
        self.offset >= 0 && end.is_some_and(|end| end <= self.bytes)
    }

    /// Where the access is, in words.
    pub fn words(&self) -> String {
        let Nearest { name, bytes, offset, .. } = self;
        let size = Bytes(*bytes);
        let (distance, end) = (offset.unsigned_abs(), i64::try_from(*bytes).unwrap_or(i64::MAX));
        match *offset {
            ..0 => format!("{} before the start of {name}, {size}", Bytes(distance)),
            at if at >= end => {
                format!("{} past the end of {name}, {size}", Bytes(distance.saturating_sub(*bytes)))
            }
            _ => format!("{} past the start of {name}, {size}", Bytes(distance)),
        }
    }
}

/// The other access of a race.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Other {
    /// The thread's index in its block.
    pub thread: [u32; 3],
    /// The block's index in the grid, where it is another one.
    pub block: Option<[u32; 3]>,
    /// Where in the PTX and in its source.
    pub place: Place,
}

/// A fault after which the launch went on ([`crate::Options::keep_going`]). It is the same as others of its kind in its
/// source line, and for a race with the same other line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedFault {
    /// The first of them, in the lowest block.
    pub fault: Fault,
    /// How many there were: accesses or instructions of single threads; blocks, for faults that end a block.
    pub count: u64,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Fault { kind, message, kernel, block: b, thread: t, place, address, nearest, .. } = self;
        write!(f, "{}: {message}", kind.name())?;
        if let Some(address) = address {
            write!(f, "\n  at address {address:#x}")?;
            // Of a race, the words say who and not where; of no fault do they know the source's own name of the place.
            match nearest.as_ref().map(|near| (near.words(), &near.element)) {
                Some((_, Some(element))) => write!(f, ", `{element}`")?,
                Some((near, None)) if !message.contains(&near) => write!(f, ", {near}")?,
                _ => {}
            }
        }
        write!(
            f,
            "\n  in kernel {kernel}, block ({},{},{}), thread ({},{},{})\n  at {place}",
            b[0], b[1], b[2], t[0], t[1], t[2]
        )
    }
}

impl Fault {
    /// Notes the element that `of` finds for the name of what lies nearest and for bytes past its start.
    pub fn name_element(&mut self, of: impl FnOnce(&str, i64) -> Option<String>) {
        if let Some(near) = &mut self.nearest {
            near.element = of(&near.name, near.offset);
        }
    }
}

/// A kernel that the embedded device refuses.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Its name.
    pub kernel: String,
    /// All reasons, in the order of the text: each an [`Error::Unsupported`] or an [`Error::BadPtx`].
    pub reasons: Vec<Error>,
}

/// An error of the embedded device.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not PTX, or contradicts itself.
    #[error("{place}: {message}")]
    BadPtx {
        /// Where.
        place: Box<Place>,
        /// The contradiction, or the text that was expected.
        message: String,
    },
    /// PTX that this device does not execute.
    #[error("{place}: the embedded device does not support {what}")]
    Unsupported {
        /// Where.
        place: Box<Place>,
        /// The instruction or directive.
        what: String,
    },
    /// More constant memory than there is.
    #[error("{module}: the constant variables take {bytes} bytes, and a module has {limit}")]
    ConstantOverflow {
        /// Name under which the PTX was loaded.
        module: String,
        /// Size of the module's constant variables, bytes.
        bytes: u64,
        /// Constant memory of a module, bytes.
        limit: u64,
    },
    /// No such kernel.
    #[error("no kernel `{kernel}` in {module}; it has: {}", list(there))]
    MissingKernel {
        /// Name that was asked for.
        kernel: String,
        /// Name under which the PTX was loaded.
        module: String,
        /// The kernels there are.
        there: Vec<String>,
    },
    /// No such variable.
    #[error("no constant or global variable `{symbol}` in {module}; it has: {}", list(there))]
    MissingSymbol {
        /// Name that was asked for.
        symbol: String,
        /// Name under which the PTX was loaded.
        module: String,
        /// The variables there are.
        there: Vec<String>,
    },
    /// Arguments that do not fit the kernel's parameters.
    #[error("kernel {kernel}: {message}")]
    BadArguments {
        /// The kernel.
        kernel: String,
        /// The argument and the parameter that do not match.
        message: String,
    },
    /// A grid or block that no device allows.
    #[error("kernel {kernel}: {message}")]
    TooManyThreads {
        /// The kernel.
        kernel: String,
        /// Which size, and the limit.
        message: String,
    },
    /// More shared memory than a block can have.
    #[error("kernel {kernel}: {bytes} bytes of shared memory a block, but {chip} has {limit}")]
    TooMuchShared {
        /// The kernel.
        kernel: String,
        /// Static and dynamic together.
        bytes: u64,
        /// The modelled chip.
        chip: String,
        /// Shared memory that a block can have on it, bytes.
        limit: u64,
    },
    /// Not enough memory on the modelled chip.
    #[error("out of device memory: {asked} bytes asked for, {free} bytes free")]
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes free.
        free: u64,
    },
    /// A copy that leaves its buffer or variable.
    #[error("{what}: bytes {offset}..{end} are not inside of its {bytes} bytes", end = offset.saturating_add(*len))]
    OutOfRange {
        /// Which buffer or variable.
        what: String,
        /// First byte.
        offset: u64,
        /// Bytes to copy.
        len: u64,
        /// Its size.
        bytes: u64,
    },
    /// A handle that this device did not give.
    #[error("this {0} does not belong to this device")]
    ForeignHandle(&'static str),
    /// A buffer that was freed before.
    #[error("this buffer was freed before")]
    Freed,
    /// An address that a copy was given, and that lies in none of the device's buffers.
    #[error("the {0} of the copy is no address of device memory")]
    NoDeviceAddress(&'static str),
    /// An array, texture or surface that the chip does not have.
    #[error("{0}")]
    BadTexture(String),
    /// A chip file that cannot be used.
    #[error("chip {chip}: {message}")]
    BadChip {
        /// Its name.
        chip: String,
        /// The entry, and why it cannot be used.
        message: String,
    },
    /// The kernel faulted.
    #[error("{0}")]
    Fault(Box<Fault>),
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl Error {
    /// Its name in records, for errors of modules, launches and kernels; nothing for those of the host's own calls.
    pub fn kind(&self) -> Option<&'static str> {
        Some(match self {
            Error::Fault(fault) => fault.kind.name(),
            Error::BadPtx { .. } => "bad-ptx",
            Error::Unsupported { .. } => "unsupported-instruction",
            Error::ConstantOverflow { .. } => "constant-overflow",
            Error::MissingKernel { .. } => "missing-kernel",
            Error::BadArguments { .. } => "bad-arguments",
            Error::TooManyThreads { .. } => "too-many-threads",
            Error::TooMuchShared { .. } => "too-much-shared",
            Error::MissingSymbol { .. }
            | Error::OutOfMemory { .. }
            | Error::OutOfRange { .. }
            | Error::ForeignHandle(_)
            | Error::Freed
            | Error::NoDeviceAddress(_)
            | Error::BadTexture(_)
            | Error::BadChip { .. } => return None,
        })
    }

    /// Line and column of the PTX, of an error that is about its text.
    pub(crate) fn at(&self) -> Option<(u32, u32)> {
        match self {
            Error::BadPtx { place, .. } | Error::Unsupported { place, .. } => Some(place.at),
            _ => None,
        }
    }

    /// Adds the source's lines to an error that is about the PTX.
    pub(crate) fn comes_from(&mut self, from: Place) {
        if let Error::BadPtx { place, .. } | Error::Unsupported { place, .. } = self
            && place.source.is_none()
        {
            (place.source, place.inlined_at) = (from.source, from.inlined_at);
        }
    }

    /// Whether a kernel ran and faulted (in contrast to an input that could not be used).
    pub fn is_fault(&self) -> bool {
        matches!(self, Error::Fault(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_is_singular() {
        let near =
            |offset| Nearest { name: "a".to_owned(), bytes: 1, offset, width: 1, element: None }.words();
        assert_eq!(near(-1), "1 byte before the start of a, 1 byte");
        assert_eq!(near(3), "2 bytes past the end of a, 1 byte");
    }
}
