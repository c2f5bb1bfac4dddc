//! The state of decoding one kernel: what is known of the function at hand, and the block that is being filled.
//!
//! Every family of instructions adds functions to [`Decoder`] in a file of its own. This file knows none of them.

use super::context::{Context, Result, type_bytes};
use super::lifetimes::Lifetimes;
use super::names::{Name, Names};
use crate::error::Error;
use crate::hash::{HashMap, HashSet};
use crate::ir::*;
use crate::memory::LOCAL_LIMIT;
use ptx::{At, Function, Variable};

/// The fixed registers of a kernel.
#[derive(Default)]
pub(super) struct Values {
    pub(super) uniform_w: Vec<Option<UniformValue>>,
    pub(super) uniform_x: Vec<Option<UniformValue>>,
    pub(super) numbers: HashMap<(File, UniformValue), Register>,
}

/// A block's end, with labels where block numbers will be.
pub(super) enum Pending<'m> {
    Next,
    Jump(At, usize, &'m str),
    Branch {
        at: At,
        predicate: Register,
        negated: bool,
        scope: usize,
        label: &'m str,
    },
    /// Over the next block, for lanes whose guard does not hold.
    Skip {
        predicate: Register,
        negated: bool,
    },
    Switch {
        index: Register,
        at: At,
        scope: usize,
        labels: Vec<&'m str>,
    },
    Barrier(u32),
    Call(u32),
    Return,
    Exit,
    ExitIf {
        predicate: Register,
        negated: bool,
    },
    Trap,
}

/// Bytes of shared memory that the system keeps for itself, as chips since 8.0 do. Here they lie after the kernel's static
/// ones.
pub(super) const RESERVED: u32 = 1024;

/// Decodes one kernel.
pub(super) struct Decoder<'m, 'c> {
    pub(super) context: &'c Context<'m>,
    pub(super) constant_bytes: u32,
    /// Whether the kernel gets the names of its registers.
    pub(super) keeps_names: bool,
    pub(super) kernel: Kernel,
    /// The reasons for refusing it that were found so far.
    pub(super) reasons: Vec<Error>,
    /// UniformValue registers, which all functions share.
    pub(super) values: Values,
    /// Shared variables' addresses; `None` for those of a size that the launch decides.
    pub(super) shared: HashMap<&'m str, Option<u32>>,
    /// Functions to decode, by their number in the module, with their names.
    pub(super) functions: Vec<(usize, Names<'m>, Frame)>,
    /// Those of them of which a declaration was refused.
    pub(super) incomplete: HashSet<usize>,
    // Of the function that is being decoded:
    pub(super) names: Names<'m>,
    pub(super) frame: Frame,
    pub(super) is_kernel: bool,
    pub(super) prototypes: Vec<&'m Function<'m>>,
    pub(super) targets: Vec<Vec<&'m str>>,
    /// Registers of special registers that are the same for every block.
    pub(super) specials: HashMap<(File, Special), Register>,
    /// Registers of values that the decoder has computed once for each thread.
    pub(super) of_thread: HashMap<Compute, Register>,
    /// How many targets all `brx.idx` have.
    pub(super) target_count: usize,
    pub(super) lifetimes: Lifetimes,
    /// The predicate that holds the carry flag, where the function has one.
    pub(super) carry_flag: Option<Register>,
    /// The register with the place of the function's next `alloca`, where it has any.
    pub(super) stack: Option<Register>,
    /// Blocks by their labels' scopes and names.
    pub(super) labels: HashMap<(usize, &'m str), u32>,
    /// For places (file, line, column) in functions that were inlined, where: as [`Origin::inlined_at`].
    pub(super) inlined: HashMap<(u32, u32, u32), u32>,
    /// The kernel's call sites by what they are.
    pub(super) call_sites: HashMap<CallSite, u32>,
    pub(super) origin: Origin,
    pub(super) ends: Vec<Pending<'m>>,
    pub(super) first_block: u32,
    /// Of the block being filled:
    pub(super) start: u32,
    pub(super) listed: u32,
    pub(super) uniform_loads: u32,
    pub(super) members: OptionalRegister,
}

impl<'m, 'c> Decoder<'m, 'c> {
    pub(super) fn new(context: &'c Context<'m>, constant_bytes: u32) -> Self {
        Decoder {
            context,
            constant_bytes,
            keeps_names: false,
            kernel: Kernel::default(),
            reasons: vec![],
            values: Values::default(),
            shared: HashMap::default(),
            functions: vec![],
            incomplete: HashSet::default(),
            names: Names::new(),
            frame: Frame::default(),
            is_kernel: true,
            prototypes: vec![],
            targets: vec![],
            specials: HashMap::default(),
            of_thread: HashMap::default(),
            target_count: 0,
            lifetimes: Lifetimes::default(),
            carry_flag: None,
            stack: None,
            labels: HashMap::default(),
            inlined: HashMap::default(),
            call_sites: HashMap::default(),
            origin: Origin::default(),
            ends: vec![],
            first_block: 0,
            start: 0,
            listed: 0,
            uniform_loads: 0,
            members: OptionalRegister::NONE,
        }
    }

    /// Keeps a reason for refusing the kernel, and lets the search for others go on.
    pub(super) fn note(&mut self, result: Result<()>) {
        let Err(reason) = result else { return };
        // A limit that is exceeded once is exceeded by all that follows.
        let is_told = |what: &str| {
            let told =
                |reason: &Error| matches!(reason, Error::Unsupported { what: told, .. } if told == what);
            self.reasons.iter().any(told)
        };
        if matches!(&reason, Error::Unsupported { what, .. } if what.starts_with("more than ") && is_told(what))
        {
            return;
        }
        self.reasons.push(reason);
    }

    pub(super) fn file_of(&self, at: At, ty: &str) -> Result<File> {
        match ty {
            "pred" => Ok(File::P),
            _ => match type_bytes(ty) {
                Some(8) => Ok(File::X),
                Some(_) => Ok(File::W),
                None => self.context.unsupported(at, format!("registers of type `.{ty}`")),
            },
        }
    }

    /// The place of a parameter after others, and its size.
    pub(super) fn next_bytes(&self, variable: &Variable<'m>, offset: &mut u32) -> Result<(u32, u32)> {
        let (bytes, align) = self.context.layout(variable)?;
        // A parameter `[]` belongs to a function with a variable number of arguments.
        let Some(bytes) = bytes else {
            return self.context.unsupported(variable.at, "parameters without a size");
        };
        let start = u64::from(*offset).next_multiple_of(align);
        let end = start + bytes;
        if end > LOCAL_LIMIT {
            // The compiler's name for a function's variables that have an address says nothing.
            let what =
                if variable.name.starts_with("__local_depot") { "local variables" } else { variable.name };
            let most =
                format!("{what} of {bytes} bytes: a thread has at most {LOCAL_LIMIT} bytes of local memory");
            return self.context.unsupported(variable.at, most);
        }
        *offset = end as u32;
        Ok((start as u32, bytes as u32))
    }

    /// The meaning of a name; shared variables of the module included.
    pub(super) fn find(&mut self, name: &'m str) -> Option<Name> {
        match self.names.find(name) {
            Some(Name::DynamicShared) => Some(Name::Shared(self.kernel.shared_bytes.next_multiple_of(16))),
            None => self.shared.get(name).copied().flatten().map(Name::Shared),
            found => found,
        }
    }

    /// Whether the block being filled has no instruction yet.
    pub(super) fn block_is_empty(&self) -> bool {
        self.kernel.listing.len() as u32 == self.listed
    }

    pub(super) fn close(&mut self, end: Pending<'m>) {
        let code = self.kernel.code.len() as u32;
        let listed = self.kernel.listing.len() as u32;
        self.kernel.blocks.push(Block {
            start: self.start,
            end: code,
            listed: self.listed,
            weight: listed - self.listed,
            slow: 0,
            uniform_loads: self.uniform_loads,
            members: self.members,
            exit: End::Exit,
            chain: Default::default(),
            issue: Default::default(),
        });
        self.ends.push(end);
        self.start = code;
        self.listed = listed;
        self.uniform_loads = 0;
        self.members = OptionalRegister::NONE;
    }

    /// Enters an instruction in the listing: once, though it may have been split into several.
    pub(super) fn list(&mut self) {
        if self.kernel.listing.len() as u32 > self.listed
            && self.kernel.listing.last().is_some_and(|before| before.origin == self.origin)
        {
            return;
        }
        self.kernel.listing.push(Listed { origin: self.origin, uniform: false });
    }

    /// Adds an instruction for the PTX instruction that was listed last.
    pub(super) fn emit(&mut self, inst: impl Into<Inst>) {
        self.kernel.code.push(inst.into());
        self.kernel.places.push((self.kernel.listing.len() as u32).saturating_sub(1));
    }

    /// Adds an entry to the kernel's table of its type.
    pub(super) fn enter<T: Entry>(&mut self, at: At, entry: T) -> Result<Id<T>> {
        match self.kernel.add(entry) {
            Some(id) => Ok(id),
            None => {
                self.context.unsupported(at, format!("more than {} {} in one kernel", T::LIMIT, T::CALLED))
            }
        }
    }
}
