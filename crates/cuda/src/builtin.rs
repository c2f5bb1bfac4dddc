//! Functions that the compiler itself provides: their names, types, meanings and effects on memory.
//!
//! Enters: nothing. Leaves: one table, which the checker reads as declarations at global scope (several rows of one name
//! are overloads) and the lowering as what to emit. Everything else of CUDA's language is text in `library/`, which
//! calls these. This module must never know how an instruction is optimised or written.

#[cfg(any(feature = "host", not(target_arch = "wasm32")))]
mod runtime;
mod table;

use std::sync::OnceLock;

use crate::hash::Map;

/// Function of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Builtin {
    /// Name, at global scope.
    pub name: &'static str,
    /// Result and parameters: `i(uT)` is `int (unsigned, T)`. One letter a type:
    ///
    /// | letter | type | letter | type |
    /// | --- | --- | --- | --- |
    /// | `v` | `void` | `n`, `N` | `long`, `unsigned long` |
    /// | `c`, `C` | `signed char`, `unsigned char` | `l`, `L` | `long long`, `unsigned long long` |
    /// | `t` | `char` | `f`, `d` | `float`, `double` |
    /// | `s`, `S` | `short`, `unsigned short` | `q` | in C `int`, in PTX a predicate: argument `!= 0`, result 0 or 1 |
    /// | `i`, `u` | `int`, `unsigned` | `k` | `int` that must be constant (after inlining, literally so) |
    /// | `*x`, `^x` | `x *`, `const x *` | `T` | each type of `types` in turn: an overload for each |
    pub signature: &'static str,
    /// What `T` stands for, a letter each; `any` for every scalar type but `bool`, and every vector type of 2 or 4 (of
    /// 8-byte ones: 2) elements, one instruction each.
    pub types: &'static str,
    /// What it does.
    pub meaning: Meaning,
}

/// What a function of the compiler does. A string is PTX: an instruction whose operands follow in order (result first),
/// or, where a `%` is in it, a template of them, as in inline `asm`: `%` and a digit (`%0` the result, if there is one, `%1` the
/// first argument …). In
/// either, `$t` is the instruction type of `T` (`s32`, `u64`, `f32` …) and `$b` its untyped one (`b32`, `b64`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Operation that the optimiser knows.
    Known(Known),
    /// Result that depends on the arguments alone: may be merged, moved and removed.
    Pure(&'static str),
    /// Exchange among the lanes of a warp: touches no memory, but may not be moved to where other lanes run, nor be
    /// doubled, merged or removed.
    Warp(&'static str),
    /// State outside memory is read or changed (a clock, a trap): stays where and as often as it is written, touches no
    /// memory.
    State(&'static str),
    /// No load or store of any memory moves across it.
    Fence(&'static str),
    /// Fence that all threads of a block, or some, wait at: both [`Meaning::Fence`] and [`Meaning::Warp`].
    Barrier(&'static str),
    /// Ends the thread or the program; what follows is unreachable.
    End(&'static str),
    /// Load through the first argument.
    Load(Cache),
    /// Store of the second argument through the first.
    Store(Cache),
    /// Read-modify-write through the first argument, relaxed; its result is the value before. `cas` takes the expected
    /// value before the new one.
    Atomic(Rmw, Scope),
    /// The same with an order and a scope, which are the last two arguments ([`Order`], [`Scope`] by number).
    AtomicOrdered(Rmw),
    /// Load (`T(^Tkk)`) with an order and a scope.
    LoadOrdered,
    /// Store (`v(*TTkk)`) with an order and a scope.
    StoreOrdered,
    /// `fence` with an order (`acq_rel` or `seq_cst`) and a scope: `v(kk)`.
    FenceOrdered,
    /// Bytes copied or filled.
    Bytes(Bytes),
    /// Call of a function of the driver, by this name.
    Call(&'static str),
    /// What is said to the compiler, or answered by it, and makes no instruction.
    Told(Told),
}

/// Operations that the optimiser folds, merges and rewrites; on the type of the result, or else of the first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// `a * b + c`, rounded once to nearest.
    Fma,
    /// Smaller one: of floats, the number where the other is NaN, and −0 below +0.
    Min,
    /// Larger one, likewise.
    Max,
    /// Absolute value; of integers wrapping.
    Abs,
    /// Correctly rounded square root (`sqrt.rn`).
    Sqrt,
    /// Round to an integral value, downwards.
    Floor,
    /// The same upwards.
    Ceil,
    /// The same towards zero.
    Trunc,
    /// The same to nearest, ties to even.
    Rint,
    /// Magnitude of the first argument with the sign of the second. (PTX's `copysign` has them the other way round.)
    Copysign,
    /// Number of bits set, as `int`.
    Popcount,
    /// Number of zero bits above the highest that is set, as `int`.
    LeadingZeros,
    /// Bits in reverse.
    ReverseBits,
    /// Upper half of the double-width product.
    MultiplyHigh,
    /// Bits of the argument as the result's type, which has the same size.
    Bits,
}

/// Cache operators of loads and stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cache {
    /// `ld.global.nc`: memory that no one writes while the kernel runs; may be merged and moved.
    NonCoherent,
    /// `.ca`
    All,
    /// `.cg`
    Global,
    /// `.cs`
    Streaming,
    /// `.lu`
    LastUse,
    /// `.cv`
    Volatile,
    /// `.wb`
    WriteBack,
    /// `.wt`
    WriteThrough,
}

impl Cache {
    /// The operator as PTX writes it.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Cache::NonCoherent => ".nc",
            Cache::All => ".ca",
            Cache::Global => ".cg",
            Cache::Streaming => ".cs",
            Cache::LastUse => ".lu",
            Cache::Volatile => ".cv",
            Cache::WriteBack => ".wb",
            Cache::WriteThrough => ".wt",
        }
    }
}

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rmw {
    /// Sum, by the type of `T`.
    Add,
    /// Difference: PTX has only the sum with the negated value.
    Sub,
    /// Exchange.
    Exchange,
    /// Compare and swap.
    CompareAndSwap,
    /// Minimum, signed or unsigned by `T`.
    Min,
    /// Maximum.
    Max,
    /// `old >= limit ? 0 : old + 1`
    Increment,
    /// `old == 0 || old > limit ? limit : old - 1`
    Decrement,
    /// Bits in both.
    And,
    /// Bits in either.
    Or,
    /// Bits in one of both.
    Xor,
    /// Sum of what the bits of `T` stand for, in PTX's words: `noftz.f16`, `noftz.f16x2`, `noftz.bf16`, `noftz.bf16x2`.
    AddAs(&'static str),
}

/// Memory orders, numbered as C++'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// No order.
    Relaxed = 0,
    /// Acquires (C++'s `consume`, 1, is taken for it).
    Acquire = 2,
    /// Releases.
    Release = 3,
    /// Both.
    AcquireRelease = 4,
    /// Both, and in one order for all threads: `fence.sc` before an acquiring operation.
    SequentiallyConsistent = 5,
}

/// Threads among which an operation is atomic or a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Block.
    Block = 1,
    /// Cluster of blocks.
    Cluster = 2,
    /// Device: what an operation without a scope has, and then emitted without one, as architectures before `sm_60` ask.
    Device = 3,
    /// System.
    System = 4,
}

/// Copies and fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// `memcpy`
    Copy,
    /// `memmove`
    Move,
    /// `memset`
    Fill,
}

/// What makes no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The condition holds.
    Assume,
    /// The first argument, which is most often the second.
    Expect,
    /// The first argument, which is a multiple of the second.
    Aligned,
    /// This place is not reached.
    Unreachable,
    /// 1 where the argument is known to the compiler, else 0.
    IsConstant,
}

impl Builtin {
    /// Whether the first argument is an address that the instruction accesses, so that it may be one of any space; elsewhere a
    /// pointer is a generic one.
    pub(crate) fn accesses(&self) -> bool {
        match self.meaning {
            Meaning::Load(_)
            | Meaning::Store(_)
            | Meaning::Atomic(..)
            | Meaning::AtomicOrdered(_)
            | Meaning::LoadOrdered
            | Meaning::StoreOrdered
            | Meaning::Bytes(_) => true,
            Meaning::Known(_)
            | Meaning::Pure(_)
            | Meaning::Warp(_)
            | Meaning::State(_)
            | Meaning::Fence(_)
            | Meaning::Barrier(_)
            | Meaning::End(_)
            | Meaning::FenceOrdered
            | Meaning::Call(_)
            | Meaning::Told(_) => false,
        }
    }
}

/// The whole table, by kind.
pub(crate) static BUILTINS: &[&[Builtin]] = &[
    table::INTEGERS,
    table::FLOATS,
    table::ROUNDED,
    table::APPROXIMATE,
    table::CONVERSIONS,
    table::HALVES,
    table::WARPS,
    table::BARRIERS,
    table::MEMORY,
    table::ATOMICS,
    table::OTHERS,
    #[cfg(any(feature = "host", not(target_arch = "wasm32")))]
    runtime::RUNTIME,
];

/// Rows by name.
struct Index {
    /// First row of each name.
    first: Map<&'static str, usize>,
    /// All rows, each with the place of the next one of its name.
    rows: Vec<(&'static Builtin, Option<usize>)>,
}

impl Index {
    fn new() -> Self {
        let rows = BUILTINS.iter().copied().flatten().map(|row| (row, None)).collect();
        let mut index = Index { first: Map::default(), rows };
        index.first.reserve(index.rows.len());
        for (at, (row, next)) in index.rows.iter_mut().enumerate().rev() {
            *next = index.first.insert(row.name, at);
        }
        index
    }
}

/// Rows of a name: the overloads, in the table's order.
pub(crate) fn overloads(name: &str) -> impl Iterator<Item = &'static Builtin> + use<> {
    static INDEX: OnceLock<Index> = OnceLock::new();
    let index = INDEX.get_or_init(Index::new);
    let row = |at: usize| index.rows.get(at);
    let first = index.first.get(name).and_then(|at| row(*at));
    std::iter::successors(first, move |(_, next)| row((*next)?)).map(|(row, _)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types of a signature, result first; `None` where a letter is unknown.
    fn types(signature: &str) -> Option<Vec<&str>> {
        let (result, rest) = signature.split_once('(')?;
        let parameters = rest.strip_suffix(')')?;
        let mut found = vec![result];
        let mut start = 0;
        for (at, letter) in parameters.char_indices() {
            match letter {
                '*' | '^' => {}
                _ if "vqcCtsSiunNlLfdkT".contains(letter) => {
                    found.push(parameters.get(start..=at)?);
                    start = at + 1;
                }
                _ => return None,
            }
        }
        Some(found)
    }

    fn rows() -> impl Iterator<Item = &'static Builtin> {
        BUILTINS.iter().copied().flatten()
    }

    #[test]
    fn every_signature_is_read_to_its_end() {
        for row in rows() {
            assert!(types(row.signature).is_some(), "{row:?}");
            assert_eq!(row.signature.contains('T'), !row.types.is_empty(), "{row:?}");
        }
    }

    #[test]
    fn overloads_of_one_name_differ_in_their_parameters() {
        let mut seen = std::collections::HashSet::new();
        for row in rows() {
            let parameters = row.signature.split_once('(').map_or("", |(_, parameters)| parameters);
            let each: Vec<String> = if row.types.is_empty() || row.types == "any" {
                vec![parameters.to_string()]
            } else {
                row.types.chars().map(|letter| parameters.replace('T', &letter.to_string())).collect()
            };
            for one in each {
                assert!(seen.insert((row.name, one.clone())), "{} ({one}", row.name);
            }
        }
    }

    #[test]
    fn a_template_names_every_argument_and_no_other() {
        for row in rows() {
            let (Meaning::Pure(ptx)
            | Meaning::Warp(ptx)
            | Meaning::State(ptx)
            | Meaning::Fence(ptx)
            | Meaning::Barrier(ptx)) = row.meaning
            else {
                continue;
            };
            let count = types(row.signature).map_or(0, |types| types.len())
                - usize::from(row.signature.starts_with('v'));
            let named = (0..9).filter(|number| ptx.contains(&format!("%{number}"))).count();
            assert!(named == count || (!ptx.contains('%') && (!ptx.ends_with(';') || count == 0)), "{row:?}");
        }
    }
}
