//! Intermediate representation: functions of scalar values in static single assignment form.
//!
//! Enters: what `lower` makes of the checked tree. Leaves: the same functions, changed by `passes`, for `emit`. This module
//! must never know CUDA C or PTX.
//!
//! Values are scalars; structs and arrays live in memory (slots, as LLVM's `alloca`) until passes split them. Blocks have
//! parameters in place of phis. A pointer's type holds its state space; `Generic` ones may point anywhere. Signedness is in
//! the operations, not in the types.

pub(crate) mod cfg;
pub(crate) mod dominators;
mod function;
pub(crate) mod loops;
#[cfg(test)]
pub(crate) mod parse;
pub(crate) mod print;
pub(crate) mod reach;
#[cfg(test)]
pub(crate) mod run;
mod values;
pub(crate) mod verify;

pub(crate) use values::Values;

use crate::builtin::{Builtin, Cache};
use crate::source::Span;

/// State space of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Space {
    /// Any of the others, found at run time.
    Generic,
    /// Global memory.
    Global,
    /// Shared memory of the block.
    Shared,
    /// Constant memory.
    Constant,
    /// Memory of the thread: slots.
    Local,
    /// Parameters of a kernel.
    Param,
}

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Type {
    /// True or false. In memory it is `I8`, 0 or 1: lowering converts.
    Pred,
    /// 8 bits. Only loaded, stored and converted: C computes with at least 32.
    I8,
    /// 16 bits.
    I16,
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Address of 64 bits in a space.
    Ptr(Space),
}

impl Type {
    /// Bytes in memory.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Type::Pred | Type::I8 => 1,
            Type::I16 => 2,
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 | Type::Ptr(_) => 8,
        }
    }
}

macro_rules! index {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);
        impl $name {
            /// The number as an index.
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", &stringify!($name)[..1].to_ascii_lowercase(), self.0)
            }
        }
    )*};
}
index! {
    /// Index of [`Function::values`].
    Value;
    /// Index of [`Function::insts`].
    Inst;
    /// Index of [`Function::blocks`]; block 0 is the entry, which nothing jumps to.
    Block;
    /// Index of [`Module::functions`].
    FunctionId;
    /// Index of [`Module::globals`].
    GlobalId;
}

/// All that is compiled together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    /// Kernels and the functions that they call.
    pub(crate) functions: Vec<Function>,
    /// Variables outside of functions, and those in functions that live in shared or constant memory.
    pub(crate) globals: Vec<Global>,
}

/// First contents of a variable: its bytes up to the last that is not zero, and addresses at offsets, with what is added to
/// each. (The bytes below an address are zeros, or not there.)
pub(crate) type Initial = (Vec<u8>, Vec<(u64, Symbol, i64)>);

/// What an address in a variable's first contents is the address of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A variable.
    Global(GlobalId),
    /// A function, as in tables of virtual functions.
    #[allow(dead_code, reason = "of host code, which only tests make so far")]
    Function(FunctionId),
}

/// Variable with an address that all threads know.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Global {
    /// Symbol in PTX.
    pub(crate) name: String,
    /// Memory that it lies in.
    pub(crate) space: Space,
    /// Bytes; 0 for shared memory whose size the launch says.
    pub(crate) size: u64,
    /// Bytes that its address is a multiple of.
    pub(crate) align: u32,
    /// Bits of an element as PTX declares it (8, 16, 32, 64), and whether it is a float; a struct is declared as bytes.
    pub(crate) element: (u32, bool),
    /// Whether it is declared as an array.
    pub(crate) array: bool,
    /// Whether it is in the module even if no kernel uses it: the host may look it up.
    pub(crate) visible: bool,
    /// Whether it is defined elsewhere: `extern __shared__` of launch size, and until modules are linked what another has.
    pub(crate) external: bool,
    /// Who finds it by its name.
    pub(crate) linkage: Linkage,
    /// Whether it is `__managed__`: of the host's side, that kernels change it, too.
    pub(crate) managed: bool,
    /// Whether nothing in the module can change it: `const` with a constant initialiser.
    pub(crate) read_only: bool,
    /// First contents; `None` for zero or undefined (shared).
    pub(crate) initial: Option<Initial>,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// Limits of a launch that a kernel states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Most threads of a block.
    pub(crate) max_threads: Option<u32>,
    /// Least blocks of a multiprocessor.
    pub(crate) min_blocks: Option<u32>,
    /// Most blocks of a cluster.
    pub(crate) max_cluster: Option<u32>,
    /// Blocks of a cluster in x, y and z.
    pub(crate) cluster: Option<[u32; 3]>,
    /// Most registers of a thread.
    pub(crate) max_registers: Option<u32>,
}

/// Who finds a function or variable by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// Host and other modules.
    #[default]
    Visible,
    /// The same, and a module that is linked may have it too: instances of templates, `inline`.
    Weak,
    /// Its own module; those that have none find that of the first which has one.
    Copied,
    /// Its own module, and of a kernel the host: `static`, and what lies in a namespace without a name.
    Internal,
}

/// When a function is inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inline {
    /// As the inliner decides.
    Auto,
    /// `__forceinline__`.
    Always,
    /// `__noinline__`.
    Never,
}

/// Parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Param {
    /// Name in the source, for comments and messages.
    pub(crate) name: String,
    /// Its value, a parameter of the entry block. A struct passed to a kernel is a `Ptr(Param)` to its bytes; one passed to a
    /// function is a pointer to a copy that the caller made.
    pub(crate) value: Value,
    /// For a kernel's struct: bytes and alignment.
    pub(crate) bytes: Option<(u64, u32)>,
    /// `__restrict__`: no other pointer of this function leads to what is written through this one.
    pub(crate) restrict: bool,
    /// Pointer to `const`, and so with `restrict` to what no one writes while the kernel runs.
    pub(crate) points_to_const: bool,
    /// For a function's struct, if a copy of its parts is as good: what it consists of.
    pub(crate) record: Option<Record>,
}

/// Struct whose copy of part by part is as good as the whole: no one wrote what copying it does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// Bytes.
    pub(crate) size: u64,
    /// Alignment in bytes.
    pub(crate) align: u32,
    /// Offsets in bytes and types of its scalars, in order; a union's are words as large as its alignment.
    pub(crate) parts: Vec<(u64, Type)>,
}

/// Function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Symbol in PTX.
    pub(crate) name: String,
    /// Name as written, for messages and for line information of what is inlined.
    pub(crate) source_name: String,
    /// Whether it is launched.
    pub(crate) kernel: bool,
    /// Whether it is in the module, and called as it was lowered, even if nothing in the module calls it: `main`, what runs
    /// before it. (A kernel always is.)
    pub(crate) visible: bool,
    /// Whether it is defined elsewhere, in the C library or until modules are linked in another: its one block has its parameters and says nothing of what it does.
    pub(crate) external: bool,
    /// Who finds it by its name.
    pub(crate) linkage: Linkage,
    /// Whether it is inlined.
    pub(crate) inline: Inline,
    /// What it says about launches.
    pub(crate) bounds: Bounds,
    /// Parameters; their values are those of the entry block.
    pub(crate) params: Vec<Param>,
    /// Types of what it returns: one of a scalar, several of a record's parts.
    pub(crate) results: Vec<Type>,
    /// Record that it returns: at the address that is its first parameter, until [`crate::passes::records`] makes its parts the
    /// results.
    pub(crate) record: Option<Record>,
    /// Values, by [`Value`].
    pub(crate) values: Vec<ValueData>,
    /// Instructions, by [`Inst`]; those in no block are dead.
    pub(crate) insts: Vec<InstData>,
    /// Blocks, by [`Block`]; those that nothing reaches are dead.
    pub(crate) blocks: Vec<BlockData>,
    /// Whether values were replaced since the operands were last set to what stands for them
    /// ([`Function::resolve_operands`]).
    pub(crate) replaced: bool,
    /// Calls that were inlined, by [`DebugLocation::inlined`] less 1.
    pub(crate) inlined: Vec<Inlined>,
    /// Where it is defined.
    pub(crate) span: Span,
    /// Where its definition ends.
    pub(crate) end: Span,
}

/// Source place of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DebugLocation {
    /// Where it is written.
    pub(crate) span: Span,
    /// Call that it was inlined by: index of [`Function::inlined`] plus 1, or 0 for none.
    pub(crate) inlined: u32,
}

/// Call that was inlined.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inlined {
    /// Name of the called function, as written.
    pub(crate) function: String,
    /// Where the call is.
    pub(crate) call: DebugLocation,
}

/// Value: its type, and what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ValueData {
    /// Type.
    pub(crate) ty: Type,
    /// Definition.
    pub(crate) def: Def,
}

/// What defines a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Def {
    /// Result of an instruction, by its number among the results.
    Result(Inst, u32),
    /// Parameter of a block, by its number.
    Param(Block, u32),
    /// Constant: the bits, zero-extended. Pointers may be constants (null).
    Constant(Bits),
    /// Any bits at all: what an uninitialised variable holds.
    Undefined,
    /// The same as another value, which takes its place everywhere (after replacements; never chained in a circle).
    Alias(Value),
}

/// Bits of a constant: words, since a value whose alignment is eight bytes would take half as many again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits([u32; 2]);

impl Bits {
    /// All of them.
    pub(crate) fn get(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1]) << 32
    }
}

impl Def {
    /// A constant of these bits.
    pub(crate) fn constant(bits: u64) -> Def {
        Def::Constant(Bits([bits as u32, (bits >> 32) as u32]))
    }
}

/// Basic block.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockData {
    /// Parameters.
    pub(crate) params: Vec<Value>,
    /// Instructions in order.
    pub(crate) insts: Vec<Inst>,
    /// How it ends.
    pub(crate) end: Terminator,
    /// Where the jump or branch at the end is written.
    pub(crate) end_place: DebugLocation,
    /// For the header of a loop: what `#pragma unroll` says, or what has been done.
    pub(crate) unroll: Option<Unroll>,
    /// For the header of a loop: instructions of unrolled inner loops that every iteration computes alike.
    pub(crate) held: u32,
}

/// How a loop is unrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unroll {
    /// `#pragma unroll`: wholly, where the number of iterations is known.
    Full,
    /// `#pragma unroll N`; 1 for not at all, by no one who reads what is written either.
    By(u32),
    /// No one asked, and as much is done as passes do; who reads what is written may do more.
    Done,
}

/// Jump to a block with values for its parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edge {
    /// Block.
    pub(crate) block: Block,
    /// A value a parameter.
    pub(crate) args: Vec<Value>,
}

/// End of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Terminator {
    /// Jump.
    Jump(Edge),
    /// To one of two, by a predicate.
    Branch(Value, Edge, Edge),
    /// To the case whose number the value has, otherwise to the last.
    Switch(Value, Vec<(u64, Edge)>, Edge),
    /// Return of a function, with its results, or end of a thread.
    Return(Vec<Value>),
    /// Never reached.
    #[default]
    Unreachable,
}

/// Instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InstData {
    /// What it does.
    pub(crate) op: Op,
    /// Operands.
    pub(crate) args: Values,
    /// Results; one for most.
    pub(crate) results: Values,
    /// Where it is written.
    pub(crate) place: DebugLocation,
}

/// What an instruction does. Operands and results are named in square brackets: `[a, b] → r`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    /// `[a] → r` of a's type.
    Unary(Unary),
    /// `[a, b] → r`, all of one type; amounts of shifts are `I32`.
    Binary(Binary),
    /// `[a, b] → Pred`.
    Compare(Compare),
    /// `[predicate, if true, if false] → r`.
    Select,
    /// `[a, b, c] → a * b + c` rounded once.
    Fma,
    /// `[a] → r` of another type.
    Convert(Convert),
    /// `[] → Ptr(Local)`: memory of the thread, in the entry block only.
    Slot {
        /// Bytes.
        size: u64,
        /// Alignment in bytes.
        align: u32,
    },
    /// `[] → Ptr(its space)`: the address of a variable.
    Global(GlobalId),
    /// `[] → Ptr(Generic)`: the address of a function, which [`Op::CallIndirect`] calls, and nothing is loaded from.
    #[allow(dead_code, reason = "of host code, which only tests make so far")]
    Function(FunctionId),
    /// `[pointer, I64] → pointer` of the same type: that many bytes on. The result lies in the same object.
    Offset,
    /// `[pointer] → value`, or several neighbouring ones (2 or 4 of one type).
    Load(Access),
    /// `[pointer, value…]`: one, or 2 or 4 neighbouring ones of one type.
    Store(Access),
    /// `[to, from]`: bytes that do not overlap.
    Copy {
        /// Bytes.
        size: u64,
        /// Alignment of both in bytes.
        align: u32,
    },
    /// `[to]`: sets bytes to zero.
    Zero {
        /// Bytes.
        size: u64,
        /// Alignment in bytes.
        align: u32,
    },
    /// `[arguments…] → the function's results`.
    Call(FunctionId),
    /// `[address, arguments…] → results`: of a function whose parameters and results are of the types that these have, as it was
    /// lowered (a record is returned to the address that is the first argument).
    #[allow(dead_code, reason = "of host code, which only tests make so far")]
    CallIndirect,
    /// A row of [`crate::builtin`]'s table, with the letter that its `T` stands for (0 for none): `[arguments…] → result, if
    /// any`. A `q` is a predicate here. Rows that another operation says as well (`Known::Min`, loads and stores of any
    /// cache, copies, what is said to it) are lowered to that.
    Builtin(&'static Builtin, u8),
    /// Inline assembly.
    Asm(Box<Asm>),
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Access {
    /// Bytes that the address is known to be a multiple of.
    pub(crate) align: u32,
    /// `volatile`: neither merged, moved nor left out.
    pub(crate) volatile: bool,
    /// Loads: no one writes there while the kernel runs (`const __restrict__`), so `ld.global.nc` may do it.
    pub(crate) invariant: bool,
    /// Cache operator, if one was asked for: then the access is volatile too.
    pub(crate) cache: Option<Cache>,
}

impl Access {
    /// Its cache operator as PTX writes it (`.cg`), or nothing.
    pub(crate) fn cache_text(self) -> &'static str {
        self.cache.map_or("", Cache::text)
    }
}

/// Operations of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unary {
    /// Bits inverted; of a predicate: not.
    Not,
    /// Integer negated.
    Neg,
    /// Float's sign inverted.
    FNeg,
    /// Float's sign cleared.
    FAbs,
}

/// Operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Binary {
    /// Sum.
    Add(Wrap),
    /// Difference.
    Sub(Wrap),
    /// Product, low half.
    Mul(Wrap),
    /// Signed quotient towards zero; a division by zero is undefined.
    SDiv,
    /// Unsigned quotient.
    UDiv,
    /// Signed remainder.
    SRem,
    /// Unsigned remainder.
    URem,
    /// Bits of both; also of predicates, as the next two.
    And,
    /// Bits of either.
    Or,
    /// Bits of one of them.
    Xor,
    /// Shift left; an amount of the width or more is undefined in C, and here.
    Shl(Wrap),
    /// Shift right, zeros in.
    LShr,
    /// Shift right, signs in.
    AShr,
    /// Smaller, signed.
    SMin,
    /// Larger, signed.
    SMax,
    /// Smaller, unsigned.
    UMin,
    /// Larger, unsigned.
    UMax,
    /// Float sum; a product and a sum may be contracted into [`Op::Fma`], as in C.
    FAdd,
    /// Float difference.
    FSub,
    /// Float product.
    FMul,
    /// Float quotient, rounded to nearest.
    FDiv,
    /// Smaller float; the number where one is NaN.
    FMin,
    /// Larger float; the number where one is NaN.
    FMax,
}

impl Binary {
    /// The operation without its promise, and that.
    pub(crate) fn without_wrap(self) -> (Binary, Wrap) {
        let mut plain = self;
        let wrap = plain.wrap_mut().map(std::mem::take);
        (plain, wrap.unwrap_or_default())
    }

    /// What it promises, where it is an operation that may overflow.
    fn wrap_mut(&mut self) -> Option<&mut Wrap> {
        match self {
            Binary::Add(wrap) | Binary::Sub(wrap) | Binary::Mul(wrap) | Binary::Shl(wrap) => Some(wrap),
            Binary::SDiv
            | Binary::UDiv
            | Binary::SRem
            | Binary::URem
            | Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::LShr
            | Binary::AShr
            | Binary::SMin
            | Binary::SMax
            | Binary::UMin
            | Binary::UMax
            | Binary::FAdd
            | Binary::FSub
            | Binary::FMul
            | Binary::FDiv
            | Binary::FMin
            | Binary::FMax => None,
        }
    }
}

impl Op {
    /// The operation that promises no more about overflow than either of two, if they differ in nothing else.
    pub(crate) fn shared(&self, other: &Op) -> Option<Op> {
        let (Op::Binary(one), Op::Binary(two)) = (self, other) else {
            return (self == other).then(|| self.clone());
        };
        let ((mut plain, first), (same, second)) = (one.without_wrap(), two.without_wrap());
        if plain != same {
            return None;
        }
        if let Some(wrap) = plain.wrap_mut() {
            *wrap = Wrap { nsw: first.nsw && second.nsw, nuw: first.nuw && second.nuw };
        }
        Some(Op::Binary(plain))
    }
}

/// What C promises about overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Wrap {
    /// It does not overflow as signed numbers.
    pub(crate) nsw: bool,
    /// It does not overflow as unsigned numbers.
    pub(crate) nuw: bool,
}

/// Comparisons; those of floats with `O` are false where one is NaN, those with `U` true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's names")]
pub(crate) enum Compare {
    Eq,
    Ne,
    SLt,
    SLe,
    SGt,
    SGe,
    ULt,
    ULe,
    UGt,
    UGe,
    FOEq,
    FONe,
    FOLt,
    FOLe,
    FOGt,
    FOGe,
    FUEq,
    FUNe,
    FULt,
    FULe,
    FUGt,
    FUGe,
    /// Neither is NaN.
    FOrd,
    /// One is NaN.
    FUno,
}

impl Compare {
    /// The comparison that is true just where this one is false.
    pub(crate) fn inverted(self) -> Compare {
        match self {
            Compare::Eq => Compare::Ne,
            Compare::Ne => Compare::Eq,
            Compare::SLt => Compare::SGe,
            Compare::SLe => Compare::SGt,
            Compare::SGt => Compare::SLe,
            Compare::SGe => Compare::SLt,
            Compare::ULt => Compare::UGe,
            Compare::ULe => Compare::UGt,
            Compare::UGt => Compare::ULe,
            Compare::UGe => Compare::ULt,
            Compare::FOEq => Compare::FUNe,
            Compare::FONe => Compare::FUEq,
            Compare::FOLt => Compare::FUGe,
            Compare::FOLe => Compare::FUGt,
            Compare::FOGt => Compare::FULe,
            Compare::FOGe => Compare::FULt,
            Compare::FUEq => Compare::FONe,
            Compare::FUNe => Compare::FOEq,
            Compare::FULt => Compare::FOGe,
            Compare::FULe => Compare::FOGt,
            Compare::FUGt => Compare::FOLe,
            Compare::FUGe => Compare::FOLt,
            Compare::FOrd => Compare::FUno,
            Compare::FUno => Compare::FOrd,
        }
    }
}

/// Conversions between types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Convert {
    /// To fewer bits. To a predicate: the lowest bit.
    Truncate,
    /// To more bits, zeros in; from a predicate: 0 or 1.
    ZeroExtend,
    /// To more bits, signs in.
    SignExtend,
    /// Between integers, floats and pointers of the same width: the bits stay. (Pointer to integer: of its own space.)
    Bits,
    /// Signed integer to float, to nearest.
    SToF,
    /// Unsigned integer to float, to nearest.
    UToF,
    /// Float to signed integer, towards zero, saturating as the hardware does.
    FToS,
    /// Float to unsigned integer, towards zero, saturating.
    FToU,
    /// Float to a wider or narrower float, to nearest.
    Float,
    /// Pointer of a space to a generic one, or back.
    Space,
}

/// Inline assembly: `[inputs…, addresses of memory operands…] → outputs…`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asm {
    /// PTX with `%N` (operand: outputs first, then inputs) and `%%`.
    pub(crate) text: String,
    /// Register class of each operand: `h`, `r`, `l`, `f`, `d`, or `n` for a constant printed as a number.
    pub(crate) classes: Vec<u8>,
    /// Numbers for operands of class `n`, by operand.
    pub(crate) numbers: Vec<(u32, i64)>,
    /// `volatile`.
    pub(crate) volatile: bool,
    /// Whether `memory` is among what it changes.
    pub(crate) memory: bool,
}

/// The value that stands for one of these after replacements.
pub(crate) fn resolve(values: &[ValueData], mut value: Value) -> Value {
    while let Def::Alias(other) = values[value.index()].def {
        value = other;
    }
    value
}
