//! A kernel, decoded.

use super::*;
use crate::hash::HashMap;
use std::ops::Index;

/// A kernel, decoded.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// Its name.
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) parameter_bytes: u32,
    /// Static shared memory, bytes; dynamic shared memory begins at the next multiple of 16.
    pub(crate) shared_bytes: u32,
    /// Its variables there: names, first bytes and sizes.
    pub(crate) shared_variables: Vec<(String, u32, u32)>,
    /// The system's part of it, where the kernel asks for that.
    pub(crate) reserved: Option<std::ops::Range<u32>>,
    /// `.maxntid`'s product, if there.
    pub(crate) max_threads: Option<u64>,
    /// Blocks of its clusters in x, y, z, if it says how many.
    pub(crate) cluster: Option<[u32; 3]>,
    /// It must be launched in clusters.
    pub(crate) needs_cluster: bool,
    /// Blocks of a cluster at the most, if it says so.
    pub(crate) max_cluster: Option<u64>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) code: Vec<Inst>,
    /// For each of `code`, its place in `listing`.
    pub(crate) places: Vec<u32>,
    /// The PTX instructions, in the order of the text.
    pub(crate) listing: Vec<Listed>,
    /// Calls whose functions were inlined; each is after those around it.
    pub(crate) call_sites: Vec<CallSite>,
    /// The kernel and the functions it can call.
    pub(crate) functions: Vec<Frame>,
    /// For functions of the module that can be called their places in `functions`.
    pub(crate) function_of: HashMap<usize, u32>,
    pub(crate) accesses: Vec<MemoryOperand>,
    /// Groups that each [`Op::FmaShared`] represents.
    pub(crate) fused: Vec<Fused>,
    pub(crate) scalars: Vec<ScalarCall>,
    pub(crate) atomics: Vec<AtomicOperands>,
    pub(crate) copies: Vec<CopyOperands>,
    pub(crate) mbarriers: Vec<MbarrierOperands>,
    pub(crate) bulks: Vec<BulkOperands>,
    pub(crate) collectives: Vec<CollectiveOperands>,
    pub(crate) builtins: Vec<BuiltinCall>,
    pub(crate) matrices: Vec<MatrixOperands>,
    pub(crate) textures: Vec<TextureOperands>,
    pub(crate) surfaces: Vec<SurfaceOperands>,
    pub(crate) calls: Vec<Call>,
    pub(crate) tables: Vec<Table>,
    pub(crate) barriers: Vec<BarrierOperands>,
    /// UniformValue registers and their values, in `W` and `X`.
    pub(crate) uniform_w: Vec<Option<UniformValue>>,
    pub(crate) uniform_x: Vec<Option<UniformValue>>,
    /// For each of `functions` the names of its registers; nothing unless they were asked for.
    pub(crate) registers: Vec<Vec<Named>>,
    /// What ptxas makes of it.
    pub(crate) compiled: ptxas::Kernel,
    /// What the chip executes for each of `accesses`, for the time model.
    pub(crate) forms: Vec<AccessForm>,
    /// Of these, which a predicate may turn off for all lanes, where the PTX has a branch.
    pub(crate) predicated: Vec<bool>,
    /// What its accesses to global memory may reach.
    pub(crate) reach: Reach,
    /// Computes fixed registers from fixed registers, once a launch.
    pub(crate) launch_code: Vec<Inst>,
    /// Computes what depends on `%ctaid`, once a block.
    pub(crate) block_code: Vec<Inst>,
    /// Computes what depends on the thread's place in its block, once a worker, into the warps' registers.
    pub(crate) thread_code: Vec<Inst>,
}

/// What the chip executes for a memory instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AccessForm {
    /// Itself.
    #[default]
    Own,
    /// Nothing: another instruction does what it did.
    Gone,
    /// An access of a given number of bytes that begins `before` bytes before its own address.
    Wide { bytes: u32, before: u32 },
}

/// A type of which a kernel has one table.
pub(crate) trait Entry: Sized {
    /// Entries that a kernel may have, and what an error calls them.
    const LIMIT: usize;
    const CALLED: &str;

    fn table(kernel: &Kernel) -> &Vec<Self>;
    fn table_mut(kernel: &mut Kernel) -> &mut Vec<Self>;
}

macro_rules! tables {
    ($($entry:ty: $table:ident, $limit:expr, $called:literal;)+) => {
        $(impl Entry for $entry {
            const LIMIT: usize = $limit as usize;
            const CALLED: &str = $called;

            #[inline(always)]
            fn table(kernel: &Kernel) -> &Vec<Self> {
                &kernel.$table
            }

            fn table_mut(kernel: &mut Kernel) -> &mut Vec<Self> {
                &mut kernel.$table
            }
        })+
    };
}

tables! {
    MemoryOperand: accesses, u16::MAX, "memory instructions";
    AtomicOperands: atomics, u16::MAX, "atomic operations";
    CopyOperands: copies, u16::MAX, "asynchronous copies";
    MbarrierOperands: mbarriers, u16::MAX, "operations on mbarriers";
    BulkOperands: bulks, u16::MAX, "bulk copies";
    CollectiveOperands: collectives, u16::MAX, "warp-wide operations";
    BuiltinCall: builtins, u16::MAX, "calls of the system's functions";
    MatrixOperands: matrices, u16::MAX, "matrix instructions";
    TextureOperands: textures, u16::MAX, "texture instructions";
    SurfaceOperands: surfaces, u16::MAX, "surface instructions";
    ScalarCall: scalars, u32::MAX, "scalar functions";
    Fused: fused, u32::MAX, "fused groups";
}

impl<T: Entry> Index<Id<T>> for Kernel {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: Id<T>) -> &T {
        &T::table(self)[id.index()]
    }
}

impl Kernel {
    /// Adds an entry to the table of its type; nothing if that is full.
    pub(crate) fn add<T: Entry>(&mut self, entry: T) -> Option<Id<T>> {
        let table = T::table_mut(self);
        if table.len() >= T::LIMIT {
            return None;
        }
        table.push(entry);
        Some(Id::new((table.len() - 1) as u32))
    }

    /// The values of its parameters, from the bytes of all of them.
    pub(crate) fn values(&self, bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        let value =
            |p: &Parameter| bytes.get(p.offset as usize..).and_then(|rest| rest.get(..p.bytes as usize));
        self.parameters.iter().map(move |p| value(p).unwrap_or_default().to_vec())
    }

    /// A number for a fetch of a texture, after those of [`Kernel::accesses`].
    pub(crate) fn texture_access(&self, texture: Id<TextureOperands>) -> u16 {
        (self.accesses.len() + texture.index()) as u16
    }

    /// A number for an access to a surface, after those of fetches.
    pub(crate) fn surface_access(&self, surface: Id<SurfaceOperands>) -> u16 {
        (self.accesses.len() + self.textures.len() + surface.index()) as u16
    }

    /// The basic block that an instruction is in, by its number.
    pub(crate) fn block_of(&self, code: u32) -> Option<usize> {
        self.blocks.iter().position(|block| (block.start..block.end).contains(&code))
    }

    /// The basic blocks of a function.
    pub(crate) fn blocks_of(&self, function: usize) -> std::ops::Range<usize> {
        let end = self.functions.get(function + 1).map_or(self.blocks.len(), |next| next.entry as usize);
        self.functions[function].entry as usize..end
    }

    /// Where the registers of a warp of the block begin in each file, after those that all share.
    pub(crate) fn registers_of(&self, warp: usize) -> (usize, usize, usize) {
        let frame = &self.functions[0];
        (
            self.uniform_w.len() + warp * usize::from(frame.w),
            self.uniform_x.len() + warp * usize::from(frame.x),
            warp * usize::from(frame.p),
        )
    }
}

/// A kernel's parameter, as the PTX declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the PTX.
    pub name: String,
    /// Type of the PTX without its dot, such as `u32`; of an array, that of an element.
    pub ty: String,
    /// Whether it is an array of bytes: a struct by value.
    pub is_array: bool,
    /// Whether the PTX says that it is a pointer (`.ptr`); where it does not, it may be one all the same.
    pub is_pointer: bool,
    /// Bytes from the start of the parameters.
    pub offset: u32,
    /// Size, bytes.
    pub bytes: u32,
    /// Alignment, bytes.
    pub align: u32,
}

/// A register by its name in the PTX.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    /// As it is declared, without the dot.
    pub(crate) ty: String,
    pub(crate) file: File,
    pub(crate) register: Register,
    /// The place in [`Kernel::listing`] of the instruction that gives it its value, if that is done before the warps run.
    pub(crate) early: Option<u32>,
    /// It has a value before its function's first instruction, or after the last.
    pub(crate) outlives: bool,
}

/// A PTX instruction as it is in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    pub(crate) origin: Origin,
    /// A constant load at an address known when decoding.
    pub(crate) uniform: bool,
}

/// Where an instruction comes from, for faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Byte of the PTX.
    pub(crate) at: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) file: u32,
    pub(crate) source_line: u32,
    /// The call at which its function was inlined: a place in [`Kernel::call_sites`], from 1; 0 for none.
    pub(crate) inlined_at: u32,
}

/// A call whose function was inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallSite {
    pub(crate) file: u32,
    pub(crate) line: u32,
    /// As [`Origin::inlined_at`], for the function that the call is in.
    pub(crate) inlined_at: u32,
}
