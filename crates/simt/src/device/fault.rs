//! Faults with names and places, from what the interpreter knows of them.
//!
//! Enters: a fault in numbers, and the program and the memory that they are of. Leaves: the fault as data, and its message.

use super::Device;
use super::nearest::shared_variables;
use crate::decode::CONSTANT_LIMIT;
use crate::detail::{Conflict, Detail, FailedAccess, UnwrittenBytes, UnwrittenMemory, UnwrittenRead};
use crate::error::{Fault, FaultKind, Other, Place};
use crate::exec::{self, RawFault, Run, index_in};
use crate::ir::{Kernel, Origin, Program};

impl Device {
    /// A fault of a launch of a kernel.
    pub(super) fn fault(&self, program: &Program, kernel: &Kernel, run: &Run<'_>, raw: RawFault) -> Fault {
        let texel = raw.address.and_then(exec::array);
        let texel = texel.and_then(|(array, at)| Some(self.textures.memory_of(array)?.texel_at(at)));
        let raw = RawFault { address: raw.address.filter(|_| texel.is_none()), ..raw };
        let nearest = self.nearest(program, kernel, run, &raw);
        let RawFault {
            kind,
            block,
            thread,
            origin,
            callers,
            address,
            width,
            message,
            detail,
            other,
            proven,
            of_launch,
            shared,
        } = raw;
        // An H200 begins such grids while their parent runs, and a thread may wait for what they write.
        let waits = kind == FaultKind::InfiniteLoop && address.is_some();
        let (kind, message, proven) = match run.runtime {
            Some(runtime) if waits && runtime.has_concurrent_work() => {
                let message = "it waits, but what it has launched has not begun: the embedded device runs launched grids \
                               and copies once their parent has ended";
                (FaultKind::UnsupportedInstruction, Some(message.to_owned()), false)
            }
            Some(_) | None => (kind, message, proven),
        };
        let at = address.unwrap_or(0);
        let raced = other.as_deref().map(|other| Other {
            thread: index_in(u64::from(other.thread), run.block),
            block: other.block.map(|block| index_in(block, run.grid)),
            place: program.place(kernel, exec::origin_of(kernel, other.access)),
        });
        let near = nearest.as_ref().map_or_else(String::new, |near| format!(", {}", near.words()));
        let memory = texel.as_deref().unwrap_or("memory");
        let detail = match message {
            Some(message) if kind == FaultKind::UninitialisedRead => Err(message + &near),
            Some(message) => Err(message),
            None => {
                let raw = detail.map(|detail| *detail);
                self.detail(run, (kind, width, at), raw, (memory, &near), other.as_deref())
            }
        };
        let (message, detail) = match detail {
            Ok(detail) => (self.words_of(&detail, at, &near, raced.as_ref()), Some(detail)),
            Err(message) => (message, None),
        };
        Fault {
            kind,
            message,
            kernel: kernel.name.clone(),
            block: index_in(block, run.grid),
            thread: index_in(u64::from(thread), run.block),
            place: called_place(program, kernel, origin, &callers),
            address,
            nearest,
            seen_from: match (address, kind) {
                (Some(at), FaultKind::OutOfBoundsGlobal) => self.memory.seen_from(at, width),
                (Some(at), _) if shared || kind == FaultKind::OutOfBoundsShared => {
                    shared_variables(kernel, run, at, width)
                }
                _ => vec![],
            },
            other: raced,
            detail,
            proven,
            of_launch,
            printed: String::new(),
        }
    }

    /// What is known of the access of a fault of a kind, of `width` bytes at `at`: to `memory`, which is `near` something. Of a
    /// fault that is not about an access, its message.
    fn detail(
        &self,
        run: &Run<'_>,
        (kind, width, at): (FaultKind, u32, u64),
        raw: Option<exec::RawDetail>,
        (memory, near): (&str, &str),
        other: Option<&exec::Other>,
    ) -> Result<Detail, String> {
        let access = |reason: String| {
            Ok(Detail::Access(FailedAccess { bytes: width.into(), reason, without_block: false }))
        };
        let conflict = |(memory, near): (&str, &str), missing: Option<&str>, otherwise: &str| {
            let Some(other) = other else { return Err(otherwise.to_owned()) };
            let [access, by_other] = other.accesses;
            let missing = missing.map_or_else(|| other.missing.to_string(), str::to_owned);
            let (memory, near) = (memory.to_owned(), near.to_owned());
            let shared = kind == FaultKind::SharedRace;
            Ok(Detail::Conflict(Conflict { access, other: by_other, memory, shared, near, missing }))
        };
        match (raw, kind) {
            (Some(exec::RawDetail::Access(access)), _) => Ok(Detail::Access(access)),
            (Some(exec::RawDetail::Unwritten(read)), _) => Ok(Detail::Unwritten(self.early(read, at, other))),
            (None, FaultKind::UninitialisedRead) => {
                let (memory, which) = (UnwrittenMemory::Global, UnwrittenBytes::All);
                Ok(Detail::Unwritten(self.early(UnwrittenRead { bytes: width, memory, which }, at, other)))
            }
            (None, FaultKind::OutOfBoundsGlobal) => access(format!(", {}", self.memory.describe(at))),
            (None, FaultKind::NullPointer) => access(" through a null pointer".to_owned()),
            (None, FaultKind::OutOfBoundsShared) => {
                access(format!("{near}; the block has {} bytes of shared memory", run.shared_bytes))
            }
            (None, FaultKind::OutOfBoundsConstant) => {
                let taken = run.constant.len();
                access(format!(
                    "{near}; the module's constant variables take {taken} of {CONSTANT_LIMIT} bytes"
                ))
            }
            (None, FaultKind::MisalignedAddress) => {
                access(format!(" at an address that is not a multiple of {width}"))
            }
            (None, FaultKind::OutOfBoundsLocal) => access(" outside the thread's local memory".to_owned()),
            (None, FaultKind::SharedRace) => {
                conflict(("shared memory", ""), None, "threads access it without a barrier between them")
            }
            (None, FaultKind::GlobalRace) => {
                conflict((memory, near), None, "threads access it, and nothing orders them")
            }
            (None, FaultKind::ReadOnlyWrite) => conflict((memory, near), Some(READ_ONLY), READ_ONLY),
            (None, FaultKind::InvalidMask) => {
                Err("a member mask does not name a lane that executes it".to_owned())
            }
            (None, FaultKind::StackOverflow) => {
                Err("calls need more local memory than a thread has".to_owned())
            }
            (None, FaultKind::UnsupportedInstruction) => {
                Err("the embedded device cannot execute this".to_owned())
            }
            (None, FaultKind::DivergentBarrier) => {
                Err("threads wait at a barrier which others of their block never reach".to_owned())
            }
            (None, FaultKind::InfiniteLoop) => Err(run.over_block_budget()),
            (None, FaultKind::TimeLimit) => Err("the host ended the launch".to_owned()),
            (None, FaultKind::Trap) => Err("the kernel executed `trap`".to_owned()),
        }
    }

    /// What is known of the access of a fault at `at`, which is `near` something, in words.
    fn words_of(&self, detail: &Detail, at: u64, near: &str, other: Option<&Other>) -> String {
        let who = other.map(|other| {
            let index = |[x, y, z]: [u32; 3]| format!("({x},{y},{z})");
            let block = other.block.map_or_else(String::new, |block| format!(" of block {}", index(block)));
            (format!("thread {}{block}", index(other.thread)), format!(" at {}", other.place.line()))
        });
        let (who, line) = who.unwrap_or_default();
        match detail {
            Detail::Access(access) => access.to_string(),
            Detail::Conflict(conflict) => conflict.words(&who, &line),
            Detail::Unwritten(read) => match (&read.which, read.memory) {
                (UnwrittenBytes::All, UnwrittenMemory::Global) => {
                    format!("{}, {}", read.words(None), self.memory.describe(at))
                }
                (UnwrittenBytes::All | UnwrittenBytes::Some { .. }, _) => read.words(None) + near,
                (UnwrittenBytes::Early { .. }, _) => read.early(&who, &line).unwrap_or_default(),
            },
        }
    }

    /// A read without a value at an address, where it is known which thread writes it later.
    fn early(&self, read: UnwrittenRead, at: u64, other: Option<&exec::Other>) -> UnwrittenRead {
        match (other, read.memory, &read.which) {
            (Some(other), UnwrittenMemory::Global, UnwrittenBytes::All) => {
                let (place, missing) = (self.memory.describe(at), other.missing.to_string());
                UnwrittenRead { which: UnwrittenBytes::Early { place, missing }, ..read }
            }
            _ => read,
        }
    }
}

/// Why a launch must not write what it reads as unchanging.
const READ_ONLY: &str = "a launch must not write what it reads through `__ldg`, a `const … __restrict__` pointer or a texture: \
                         such a load may find the old value";

/// The place of an origin, with the calls that its thread is in.
pub(super) fn called_place(program: &Program, kernel: &Kernel, origin: Origin, callers: &[Origin]) -> Place {
    let lines = |origin: &Origin| {
        let Place { source, inlined_at, .. } = program.place(kernel, *origin);
        source.into_iter().chain(inlined_at)
    };
    Place { called_at: callers.iter().flat_map(lines).collect(), ..program.place(kernel, origin) }
}
