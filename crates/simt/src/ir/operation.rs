//! Instructions, each a guard and an operation, and the one table of operations that everything else is derived from.
//!
//! [`operations!`] has a row for every operation but the functions of registers, which have a table of their own
//! ([`super::alu!`]). The type [`Op`], use and definition, the memory access, budget and latency, listings and the
//! interpreter's dispatch are expansions of it.

use super::*;

/// Every operation other than [`Op::Compute`], once. A row has
/// - the name, and the operands with their types;
/// - its text in listings, and the function of the interpreter that executes it;
/// - `effect`: what it does beyond registers ([`Effect`]);
/// - `access`: the access to memory that it makes, if any;
/// - `budget`: what it takes of a budget beyond one, in units of a plain instruction (see `passes::budget`);
/// - `latency`: what a result of it waits for ([`Latency`]);
/// - `unshown`: what it does that no access shows ([`Unshown`]);
/// - `without_value`: what becomes of bits without a value that it reads ([`WithoutValue`]);
/// - `uses`: the registers that it reads and writes, those of addresses first and results last.
///
/// In these, `k` is the kernel and `u` takes the registers.
macro_rules! operations {
    ($use:ident) => {
        $use! { (k, u)
            /// A special register that differs between lanes or warps.
            Special { d: Register, file: File, special: Special } "special {special:?}" special {
                effect: Effect::Pure, access: None, budget: 0, latency: Latency::Pipe,
                unshown: special.unshown(), without_value: WithoutValue::Used,
                uses: u(Use::Write, *file, *d)
            }
            /// A pure function of one lane, computed lane by lane.
            Scalar { d: Register, call: Id<ScalarCall> } "scalar {call:?}" scalar {
                effect: Effect::Pure, access: None, budget: 7, latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Scalar(*call),
                uses: { k[*call].operands(u); u(Use::Write, k[*call].result(), *d) }
            }
            /// The address of this frame's local memory, and `offset` bytes more.
            LocalAddress { d: Register, file: File, offset: i32 } "local.address {offset:+}" local_address {
                effect: Effect::Pure, access: None, budget: 0, latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: u(Use::Write, *file, *d)
            }
            /// Two loads from shared memory and the `fma` of what they load or of its difference, which nothing else
            /// reads. It is where the first load was; the second load and the rest follow. Passes see the
            /// instructions that it represents, so it uses nothing by itself.
            FmaShared { group: Id<Fused> } "fma.shared {group:?}" load_of_group {
                effect: Effect::Load(StateSpace::Shared), access: Some(k[*group].loads[0]), budget: 0,
                latency: Latency::Shared,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: {}
            }
            /// Loads, into the registers of the access.
            LoadGlobal { access: Id<MemoryOperand> } "ld.global" load_global {
                // A warp's lanes may all have lines of their own.
                effect: Effect::Load(StateSpace::Global), access: Some(*access), budget: 31,
                latency: Latency::Global,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: k[*access].load(u)
            }
            LoadShared { access: Id<MemoryOperand> } "ld.shared" load_shared {
                effect: Effect::Load(StateSpace::Shared), access: Some(*access), budget: 1,
                latency: Latency::Shared,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: k[*access].load(u)
            }
            LoadConstant { access: Id<MemoryOperand> } "ld.const" load_constant {
                effect: Effect::Load(StateSpace::Constant), access: Some(*access), budget: 1,
                latency: Latency::Constant,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: k[*access].load(u)
            }
            LoadLocal { access: Id<MemoryOperand> } "ld.local" load_local {
                effect: Effect::Load(StateSpace::Local), access: Some(*access), budget: 7,
                latency: Latency::Global,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: k[*access].load(u)
            }
            /// By an address in any state space.
            LoadGeneric { access: Id<MemoryOperand> } "ld" load_generic {
                effect: Effect::Load(StateSpace::Generic), access: Some(*access), budget: 31,
                latency: Latency::Global,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: k[*access].load(u)
            }
            /// Of the kernel's parameters, by an address that a register holds.
            LoadParameter { access: Id<MemoryOperand> } "ld.param" load_parameter {
                effect: Effect::Load(StateSpace::Parameter), access: Some(*access), budget: 7,
                latency: Latency::Constant,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: k[*access].load(u)
            }
            /// Stores, from the registers of the access.
            StoreGlobal { access: Id<MemoryOperand> } "st.global" store_global {
                effect: Effect::Store(StateSpace::Global), access: Some(*access), budget: 31,
                latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Stored(*access),
                uses: k[*access].store(u)
            }
            StoreShared { access: Id<MemoryOperand> } "st.shared" store_shared {
                effect: Effect::Store(StateSpace::Shared), access: Some(*access), budget: 1,
                latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Copied(*access),
                uses: k[*access].store(u)
            }
            StoreLocal { access: Id<MemoryOperand> } "st.local" store_local {
                effect: Effect::Store(StateSpace::Local), access: Some(*access), budget: 7,
                latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Copied(*access),
                uses: k[*access].store(u)
            }
            StoreGeneric { access: Id<MemoryOperand> } "st" store_generic {
                effect: Effect::Store(StateSpace::Generic), access: Some(*access), budget: 31,
                latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::StoredByAddress(*access),
                uses: k[*access].store(u)
            }
            /// Reads, changes and writes a value that no other thread changes meanwhile.
            Atomic { atomic: Id<AtomicOperands> } "atom" atomic {
                effect: Effect::Atomic(*atomic), access: Some(k[*atomic].access), budget: 63,
                latency: k[*atomic].latency(),
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: { k[*atomic].operands(k, u); k[*atomic].results(u) }
            }
            /// `cp.async`: from global memory to shared memory.
            CopyAsync { copy: Id<CopyOperands> } "cp.async" copy_async {
                effect: Effect::Copy(*copy), access: Some(k[*copy].access), budget: 31, latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: k[*copy].operands(k, u)
            }
            /// `cp.async.commit_group`, `cp.async.wait_group`, `cp.async.wait_all`.
            CopyGroup { does: CopyGroup } "cp.async {does:?}" copy_group {
                effect: Effect::Asynchronous, access: None, budget: 0, latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: {}
            }
            /// On an `mbarrier` object, which counts threads and the bytes of copies.
            Mbarrier { mbarrier: Id<MbarrierOperands> } "mbarrier" mbarrier {
                effect: Effect::Asynchronous, access: Some(k[*mbarrier].access), budget: 31,
                latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: { k[*mbarrier].operands(k, u); k[*mbarrier].results(u) }
            }
            /// A copy of many bytes, of each lane for itself.
            Bulk { copy: Id<BulkOperands> } "cp.async.bulk" bulk {
                effect: Effect::Asynchronous, access: Some(k[*copy].access), budget: 31, latency: Latency::Pipe,
                unshown: Unshown::Change, without_value: WithoutValue::Used,
                uses: k[*copy].operands(k, u)
            }
            /// A warp-wide operation on registers: a shuffle, vote, match or reduction.
            Collective { collective: Id<CollectiveOperands> } "collective" collective {
                effect: Effect::Collective, access: None, budget: 3, latency: Latency::Shuffle,
                unshown: Unshown::Nothing, without_value: WithoutValue::Collective(*collective),
                uses: { k[*collective].operands(u); k[*collective].results(u) }
            }
            /// Earlier accesses are seen by others before later ones: by those of the block, or by all of the device.
            Fence { of_block: bool } "fence" fence {
                effect: Effect::Fence, access: None, budget: 0, latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: {}
            }
            /// A function of the system.
            Builtin { call: Id<BuiltinCall> } "call.system" builtin {
                effect: Effect::System, access: None, budget: 31, latency: Latency::Pipe,
                unshown: k[*call].builtin.unshown(), without_value: WithoutValue::Used,
                uses: {}
            }
            /// `ldmatrix`: matrices of 8 by 8 halves from shared memory into a warp's registers; the access is that of a row.
            LoadMatrix { access: Id<MemoryOperand>, matrix: Id<MatrixOperands> } "ldmatrix" load_matrix {
                effect: Effect::LoadMatrix(*matrix), access: Some(*access), budget: 31, latency: Latency::Shared,
                unshown: Unshown::Nothing, without_value: WithoutValue::Used,
                uses: { k[*access].address.operands(u); k[*matrix].results(u) }
            }
            /// `stmatrix`: matrices of 8 by 8 halves from a warp's registers to shared memory.
            StoreMatrix { access: Id<MemoryOperand>, matrix: Id<MatrixOperands> } "stmatrix" store_matrix {
                effect: Effect::StoreMatrix(*matrix), access: Some(*access), budget: 31, latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Copied(*access),
                uses: { k[*access].address.operands(u); k[*matrix].operands(u) }
            }
            /// `tex`, `tld4`, and questions about a texture or surface.
            Texture { texture: Id<TextureOperands> } "tex" texture {
                effect: Effect::Texture, access: None, budget: 31, latency: Latency::Global,
                unshown: Unshown::Read, without_value: WithoutValue::Used,
                uses: { k[*texture].operands(u); k[*texture].results(u) }
            }
            /// `suld`, `sust`, `sured`.
            Surface { surface: Id<SurfaceOperands> } "surface" surface {
                effect: Effect::Texture, access: None, budget: 31, latency: Latency::Global,
                unshown: k[*surface].operation.unshown(), without_value: WithoutValue::Used,
                uses: { k[*surface].operands(u); k[*surface].results(u) }
            }
            /// A function of matrices in a warp's registers.
            Matrix { matrix: Id<MatrixOperands> } "matrix" matrix {
                effect: Effect::Collective, access: None, budget: k[*matrix].budget(), latency: Latency::Pipe,
                unshown: Unshown::Nothing, without_value: WithoutValue::Matrix(*matrix),
                uses: { k[*matrix].operands(u); k[*matrix].results(u) }
            }
        }
    };
}

pub(crate) use operations;

/// The effect of an operation beyond registers of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: it computes.
    Pure,
    /// Reads memory into the registers of its access.
    Load(StateSpace),
    /// Writes the registers of its access to memory.
    Store(StateSpace),
    Atomic(Id<AtomicOperands>),
    Copy(Id<CopyOperands>),
    LoadMatrix(Id<MatrixOperands>),
    StoreMatrix(Id<MatrixOperands>),
    /// On an `mbarrier`, or on memory and an `mbarrier` that counts it.
    Asynchronous,
    /// On texels, which only such instructions reach, or of global memory that no thread writes meanwhile.
    Texture,
    /// Lanes of a warp read each other's registers.
    Collective,
    Fence,
    System,
}

/// A state space of PTX, as an access names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateSpace {
    Global,
    Shared,
    Constant,
    Local,
    Parameter,
    /// The address says which one.
    Generic,
}

/// Latency that the result of an operation adds to that of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Latency {
    /// The pipe that the PTX instruction takes.
    Pipe,
    /// Nothing: no result is waited for.
    None,
    Global,
    Shared,
    Constant,
    Shuffle,
    SharedAtomic,
    GlobalAtomic,
}

/// What an operation does beyond the registers of its lanes and the accesses that observers are shown: a proof that a loop
/// never ends must know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unshown {
    Nothing,
    /// Its result does not follow from the state of the block.
    Result,
    /// It reads memory that other blocks may change.
    Read,
    /// It changes memory, or what is outside of the block.
    Change,
}

impl Special {
    fn unshown(self) -> Unshown {
        // Time goes on whatever the block does.
        if matches!(self, Special::Clock | Special::ClockHigh) { Unshown::Result } else { Unshown::Nothing }
    }
}

impl SurfaceOperation {
    fn unshown(&self) -> Unshown {
        match self {
            SurfaceOperation::Load => Unshown::Read,
            SurfaceOperation::Store | SurfaceOperation::StoreFormatted | SurfaceOperation::Reduce { .. } => {
                Unshown::Change
            }
        }
    }
}

impl Builtin {
    fn unshown(self) -> Unshown {
        match self {
            Builtin::Sleep => Unshown::Nothing,
            Builtin::Print
            | Builtin::AssertionFailed
            | Builtin::Allocate
            | Builtin::Free
            | Builtin::Runtime(_) => Unshown::Change,
        }
    }
}

/// What becomes of bits without a value that an operation reads: of memory that nothing has written, and of registers that the
/// thread has not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithoutValue {
    /// It uses all that it reads.
    Used,
    /// Its result has those that a function gives it.
    Function(Compute),
    Scalar(Id<ScalarCall>),
    Matrix(Id<MatrixOperands>),
    Collective(Id<CollectiveOperands>),
    /// It uses its address, and copies the rest to where only the thread or its block reads.
    Copied(Id<MemoryOperand>),
    /// It uses its address, and stores the rest where others read.
    Stored(Id<MemoryOperand>),
    /// One of these two, as the address says.
    StoredByAddress(Id<MemoryOperand>),
}

macro_rules! define {
    (($k:ident, $u:ident) $(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $ty:ty),* } $text:literal $run:ident {
            effect: $effect:expr, access: $access:expr, budget: $budget:expr, latency: $latency:expr,
            unshown: $unshown:expr, without_value: $without_value:expr,
            uses: $uses:expr
        }
    )+) => {
        /// An operation with its operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Op {
            /// A function of registers, 32 lanes at once.
            Compute(Compute),
            $($(#[$doc])* $name { $($field: $ty),* },)+
        }

        #[allow(unused_variables, reason = "each property of an operation needs some of its operands")]
        impl Op {
            /// Whether it takes a turn of L1 even if none of a warp's lanes is on: a load or a store of global memory, or
            /// through generic addresses.
            #[inline(always)]
            pub(crate) fn takes_a_turn(&self) -> bool {
                use Op::{LoadGeneric, LoadGlobal, StoreGeneric, StoreGlobal};
                matches!(
                    self,
                    LoadGlobal { .. } | LoadGeneric { .. } | StoreGlobal { .. } | StoreGeneric { .. }
                )
            }

            /// Its effect beyond registers.
            pub(crate) fn effect(&self) -> Effect {
                match self {
                    Op::Compute(_) => Effect::Pure,
                    $(Op::$name { $($field),* } => $effect,)+
                }
            }

            /// The access to memory that it makes.
            pub(crate) fn access(&self, $k: &Kernel) -> Option<Id<MemoryOperand>> {
                match self {
                    Op::Compute(_) => None,
                    $(Op::$name { $($field),* } => $access,)+
                }
            }

            /// The budget that it takes beyond one.
            pub(crate) fn budget(&self, $k: &Kernel) -> u32 {
                match self {
                    Op::Compute(_) => 0,
                    $(Op::$name { $($field),* } => $budget,)+
                }
            }

            /// The latency of its result.
            pub(crate) fn latency(&self, $k: &Kernel) -> Latency {
                match self {
                    Op::Compute(_) => Latency::Pipe,
                    $(Op::$name { $($field),* } => $latency,)+
                }
            }

            /// What it does that no access shows.
            pub(crate) fn unshown(&self, $k: &Kernel) -> Unshown {
                match self {
                    Op::Compute(_) => Unshown::Nothing,
                    $(Op::$name { $($field),* } => $unshown,)+
                }
            }

            /// What becomes of bits without a value that it reads.
            pub(crate) fn without_value(&self) -> WithoutValue {
                match self {
                    Op::Compute(of) => WithoutValue::Function(*of),
                    $(Op::$name { $($field),* } => $without_value,)+
                }
            }

            /// The registers that it reads and writes.
            pub(super) fn uses(&self, $k: &Kernel, $u: &mut dyn FnMut(Use, File, Register)) {
                match self {
                    Op::Compute(compute) => {
                        compute.operands().for_each(|(file, number)| $u(Use::Read, file, number));
                        let (file, number) = compute.result();
                        $u(Use::Write, file, number);
                    }
                    $(Op::$name { $($field),* } => $uses,)+
                }
            }

            /// Its name in a listing.
            pub(super) fn text(&self) -> String {
                match self {
                    Op::Compute(compute) => compute.function.mnemonic().to_owned(),
                    $(Op::$name { $($field),* } => format!($text),)+
                }
            }
        }
    };
}

operations!(define);

/// The condition of an instruction: a predicate, which may be negated, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    /// In `P`.
    predicate: OptionalRegister,
    negated: bool,
}

impl Guard {
    /// No condition: all active lanes execute the instruction.
    pub(crate) const ALWAYS: Guard = Guard { predicate: OptionalRegister::NONE, negated: false };

    /// Lanes execute the instruction for which the predicate, negated or not, holds.
    pub(crate) fn on(predicate: Register, negated: bool) -> Self {
        Guard { predicate: predicate.into(), negated }
    }

    #[inline(always)]
    pub(crate) fn is_always(self) -> bool {
        self.predicate.is_none()
    }

    /// The predicate, and whether it is negated.
    #[inline(always)]
    pub(crate) fn condition(self) -> Option<(Register, bool)> {
        self.predicate.get().map(|predicate| (predicate, self.negated))
    }
}

/// An instruction of the representation: 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inst {
    pub(crate) guard: Guard,
    pub(crate) op: Op,
}

const _: () = assert!(size_of::<Inst>() == 16);

impl From<Op> for Inst {
    /// Without a guard.
    fn from(op: Op) -> Self {
        Inst { guard: Guard::ALWAYS, op }
    }
}
