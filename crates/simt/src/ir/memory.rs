//! Operands of memory instructions: loads, stores, atomic operations, copies, `mbarrier` objects.

use super::{File, Id, Kernel, Latency, OptionalRegister, Register, Use};
use crate::model::access::shared_has;
use crate::semantics::atomic::{Operation, Update};

/// The file of a register of 64 bits, or of up to 32.
pub(crate) fn file_of(wide: bool) -> File {
    if wide { File::X } else { File::W }
}

/// An address as an instruction names it: a register and what is added to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) register: Register,
    /// Whether the register is in `X` (else in `W`).
    pub(crate) wide: bool,
    /// Bytes.
    pub(crate) offset: i32,
}

impl Address {
    pub(super) fn operands(&self, each: &mut dyn FnMut(Use, File, Register)) {
        each(Use::Read, file_of(self.wide), self.register);
    }
}

/// How a load, a store or another memory instruction accesses memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MemoryOperand {
    pub(crate) address: Address,
    /// Bytes an element: 1, 2, 4 or 8.
    pub(crate) bytes: u8,
    /// Elements: 1, 2 or 4; eight of 32 bits are four of 64.
    pub(crate) count: u8,
    /// Logarithm to base 2 of the bytes a lane.
    pub(crate) shift: u8,
    /// Whether it moves 32-bit words to or from `W` alone.
    pub(crate) words: bool,
    /// The register of the one word that it moves, if it is one.
    pub(crate) word: OptionalRegister,
    /// Whether a narrow element is extended by its sign.
    pub(crate) signed: bool,
    /// The first access of its basic block, of the same kind and width, through the same register with the same value.
    pub(crate) leader: Id<MemoryOperand>,
    /// Whether others may be waiting for it: volatile, relaxed, acquire, release.
    pub(crate) strong: bool,
    /// Whether it reads what the whole kernel only reads: `ld.global.nc`.
    pub(crate) read_only: bool,
    /// Whether it is of a function's parameters, which are in local memory here and in registers on the hardware.
    pub(crate) parameter: bool,
    /// Results or sources; absent for `_`, and where elements are [elsewhere](Self::elsewhere).
    pub(crate) registers: [OptionalRegister; 4],
    /// Whether each is in `X` (else in `W`).
    pub(crate) wide: [bool; 4],
    /// Whether elements go to or come from other places than a lane's registers: a copy's, rows of a matrix.
    pub(crate) elsewhere: bool,
}

impl MemoryOperand {
    /// Bytes a lane.
    pub(crate) fn width(&self) -> u32 {
        u32::from(self.bytes) * u32::from(self.count)
    }

    /// The registers of its elements, and their files.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (File, Register)> {
        (0..usize::from(self.count)).filter_map(|n| Some((file_of(self.wide[n]), self.registers[n].get()?)))
    }

    /// Whether anything takes element `e` of a load: nothing does if it is loaded into `_`.
    pub(crate) fn takes(&self, e: usize) -> bool {
        self.elsewhere || self.registers[e].is_some()
    }

    pub(super) fn load(&self, each: &mut dyn FnMut(Use, File, Register)) {
        self.address.operands(each);
        self.elements().for_each(|(file, number)| each(Use::Write, file, number));
    }

    pub(super) fn store(&self, each: &mut dyn FnMut(Use, File, Register)) {
        self.address.operands(each);
        self.elements().for_each(|(file, number)| each(Use::Read, file, number));
    }
}

/// State space of an atomic operation or of an `mbarrier` object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Shared,
    Generic,
}

/// An atomic operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicOperands {
    /// Its address, and the registers of its operands.
    pub(crate) access: Id<MemoryOperand>,
    pub(crate) space: Space,
    pub(crate) update: Update,
    /// Where the old value goes, if anywhere, and of 128 bits the upper 64.
    pub(crate) d: OptionalRegister,
    pub(crate) high: OptionalRegister,
    /// Whether that is in `X`.
    pub(crate) wide: bool,
    /// Whether it is a reduction for the hardware: the old value is not used.
    pub(crate) reduces: bool,
    /// Whether it adds the constant 1.
    pub(crate) adds_one: bool,
}

impl AtomicOperands {
    /// Whether shared memory has an instruction for it; ptxas makes a loop of others.
    pub(crate) fn is_native(&self) -> bool {
        use crate::semantics::atomic::Type::*;
        let whole = match self.update.operation {
            Operation::Exchange | Operation::CompareAndSwap => true,
            Operation::Add
            | Operation::Min
            | Operation::Max
            | Operation::And
            | Operation::Or
            | Operation::Xor
            | Operation::Increment
            | Operation::Decrement => false,
        };
        // By the size alone there is none for the other floating-point types.
        let integer = match self.update.ty {
            F32 | F32Flushed | F16x2 | Bf16x2 => false,
            B16 | B32 | B64 | U32 | S32 | U64 | S64 | F64 | F16 | Bf16 => true,
        };
        shared_has(u32::from(self.update.ty.bytes()), integer || whole, whole)
    }

    pub(super) fn operands(&self, kernel: &Kernel, each: &mut dyn FnMut(Use, File, Register)) {
        let access = &kernel[self.access];
        access.address.operands(each);
        for n in 0..self.update.operands() * usize::from(access.count) {
            access.registers[n].used(Use::Read, file_of(access.wide[n]), each);
        }
    }

    pub(super) fn results(&self, each: &mut dyn FnMut(Use, File, Register)) {
        self.d.used(Use::Write, file_of(self.wide), each);
        self.high.used(Use::Write, File::X, each);
    }

    pub(super) fn latency(&self) -> Latency {
        if self.d.is_none() {
            return Latency::None;
        }
        match self.space {
            Space::Shared => Latency::SharedAtomic,
            Space::Global | Space::Generic => Latency::GlobalAtomic,
        }
    }

    /// Whether what it leaves depends on what was there.
    pub(crate) fn looks(&self) -> bool {
        self.update.operation != Operation::Exchange
    }
}

/// `cp.async`: `bytes` from global memory to shared memory; what the source does not have is zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopyOperands {
    /// Of the source.
    pub(crate) access: Id<MemoryOperand>,
    /// In shared memory.
    pub(crate) to: Address,
    /// Bytes that the source has, in `W`; all of them if absent.
    pub(crate) source_bytes: OptionalRegister,
    /// A predicate that makes it copy nothing but zeros.
    pub(crate) ignore: OptionalRegister,
    /// Whether it goes past L1.
    pub(crate) past_l1: bool,
}

/// What a thread does with its copies that are under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyGroup {
    /// Those that belong to no group yet become one.
    Commit,
    /// It waits until no more than the latest `pending` groups are under way.
    Wait { pending: u32 },
    /// It waits for all of them, in a group or not.
    WaitAll,
}

impl CopyOperands {
    pub(super) fn operands(&self, kernel: &Kernel, each: &mut dyn FnMut(Use, File, Register)) {
        kernel[self.access].address.operands(each);
        self.to.operands(each);
        self.source_bytes.used(Use::Read, File::W, each);
        self.ignore.used(Use::Read, File::P, each);
    }
}

/// The bits of an `mbarrier`'s state that hold the arrivals its phase still waits for (PTX ISA, `mbarrier`: up to
/// 2^20 - 1).
pub(crate) const PENDING: u64 = (1 << 20) - 1;

/// Operations on an `mbarrier` object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mbarrier {
    Init,
    Invalidate,
    /// Also taken out of all later phases; must not complete the phase.
    Arrive {
        drop: bool,
        no_complete: bool,
    },
    /// Without the arrival.
    ExpectBytes,
    CompleteBytes,
    /// Looks whether a phase is complete: that of a state, or of a parity.
    Wait {
        parity: bool,
    },
    /// `cp.async.mbarrier.arrive`: of copies that are done, so it arrives, having made itself expected before or not.
    CopiesArrive {
        expected: bool,
    },
}

impl Mbarrier {
    /// Whether it waits: its result is a predicate, and not a state.
    pub(crate) fn waits(self) -> bool {
        match self {
            Mbarrier::Wait { .. } => true,
            Mbarrier::Init
            | Mbarrier::Invalidate
            | Mbarrier::Arrive { .. }
            | Mbarrier::ExpectBytes
            | Mbarrier::CompleteBytes
            | Mbarrier::CopiesArrive { .. } => false,
        }
    }
}

/// An operation on an `mbarrier` object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MbarrierOperands {
    /// Of the object.
    pub(crate) access: Id<MemoryOperand>,
    pub(crate) does: Mbarrier,
    pub(crate) space: Space,
    /// Threads, or a parity, in `W`; one thread if absent.
    pub(crate) count: OptionalRegister,
    /// Bytes of asynchronous copies, in `W`; 0 if absent.
    pub(crate) bytes: OptionalRegister,
    /// The state that an arrival returned, in `X`.
    pub(crate) state: OptionalRegister,
    /// The result: the state, in `X`, or whether the phase is complete, in `P`.
    pub(crate) d: OptionalRegister,
}

impl MbarrierOperands {
    /// Without registers; the access is still to be named.
    pub(crate) fn new(does: Mbarrier, space: Space) -> Self {
        let none = OptionalRegister::NONE;
        MbarrierOperands {
            access: Id::default(),
            does,
            space,
            count: none,
            bytes: none,
            state: none,
            d: none,
        }
    }

    pub(super) fn operands(&self, kernel: &Kernel, each: &mut dyn FnMut(Use, File, Register)) {
        kernel[self.access].address.operands(each);
        self.count.used(Use::Read, File::W, each);
        self.bytes.used(Use::Read, File::W, each);
        self.state.used(Use::Read, File::X, each);
    }

    pub(super) fn results(&self, each: &mut dyn FnMut(Use, File, Register)) {
        self.d.used(Use::Write, if self.does.waits() { File::P } else { File::X }, each);
    }
}

/// Source and destination of a bulk copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bulk {
    GlobalToShared,
    SharedToGlobal,
    SharedToShared,
    /// `st.async`: registers, those of the [`MemoryOperand`], to shared memory.
    RegistersToShared,
}

/// A copy that `cp.async.bulk` or `st.async` makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BulkOperands {
    /// Of its end in shared memory.
    pub(crate) access: Id<MemoryOperand>,
    pub(crate) bulk: Bulk,
    pub(crate) to: Address,
    pub(crate) from: Address,
    /// Bytes, in `W`; as many as the access has if absent.
    pub(crate) bytes: OptionalRegister,
    /// The object that counts the bytes.
    pub(crate) mbarrier: Option<Address>,
    /// The blocks of the cluster that get it, a bit each, in `W`; the one that the address names if absent.
    pub(crate) blocks: OptionalRegister,
}

impl BulkOperands {
    pub(super) fn operands(&self, kernel: &Kernel, each: &mut dyn FnMut(Use, File, Register)) {
        let access = &kernel[self.access];
        match self.bulk {
            Bulk::RegistersToShared => access.store(each),
            Bulk::GlobalToShared | Bulk::SharedToGlobal | Bulk::SharedToShared => {
                access.address.operands(each)
            }
        }
        for address in [self.to, self.from].iter().chain(&self.mbarrier) {
            address.operands(each);
        }
        self.bytes.used(Use::Read, File::W, each);
        self.blocks.used(Use::Read, File::W, each);
    }
}
