//! The names of a function and their meanings, scope by scope.
//!
//! Scopes are numbered in the order in which they open, so that every walk over a body meets the same numbers.

use crate::hash::HashMap;
use crate::ir::{File, Named, Register};

/// Dependence of a register's value on more than the launch: on the block's index, the thread's place in its block, or
/// both and more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Uniformity(u8);

impl Uniformity {
    /// Nothing: known when the launch is.
    pub(super) const LAUNCH: Uniformity = Uniformity(0);
    /// The block's index.
    pub(super) const BLOCK: Uniformity = Uniformity(1);
    /// The thread's place in its block: the same for every block.
    pub(super) const THREAD: Uniformity = Uniformity(2);
    /// Both, memory, or the way that the thread took.
    pub(super) const WARP: Uniformity = Uniformity(3);

    /// The dependence of a value that is computed from two.
    pub(super) fn and(self, other: Uniformity) -> Uniformity {
        Uniformity(self.0 | other.0)
    }
}

/// A register that the text declares.
#[derive(Clone, Copy)]
pub(super) struct Declared<'m> {
    pub(super) file: File,
    /// Its type, without the dot.
    pub(super) ty: &'m str,
    /// Absent until it is first used.
    pub(super) number: Option<Register>,
    /// How many instructions had been listed then.
    pub(super) listed: u32,
    pub(super) known: Uniformity,
    /// Whether it has a value before the function's first instruction or after its last.
    pub(super) outlives: bool,
    /// How many instructions write it.
    pub(super) writes: u32,
    /// How often operands name it.
    pub(super) named: u32,
}

/// The meaning of a name.
#[derive(Clone, Copy)]
pub(super) enum Name {
    /// A place in [`Names::registers`].
    Register(u32),
    /// Bytes of the frame's local memory; `.local` ones begin where all parameters end.
    Bytes { offset: u32, bytes: u32, local: bool },
    /// Bytes of the kernel's parameters.
    Parameter { offset: u32, bytes: u32 },
    /// An address in shared memory.
    Shared(u32),
    /// Shared memory of a size that the launch decides.
    DynamicShared,
    /// A variable in global or constant memory that a function declares, as a number of a symbol.
    Static(u32),
    /// A place in the decoder's prototypes.
    Prototype(u32),
    /// A place in the decoder's lists of branch targets.
    Targets(u32),
}

/// `.reg .b32 %r<9>`.
struct Range<'m> {
    count: u32,
    file: File,
    ty: &'m str,
}

#[derive(Default)]
struct Scope<'m> {
    parent: usize,
    names: HashMap<&'m str, Name>,
    /// By prefix.
    ranges: HashMap<&'m str, Range<'m>>,
}

impl<'m> Scope<'m> {
    /// The file and type of a register of a range: `%r12` is the 12th of `%r`, or the 2nd of `%r1`.
    fn in_range(&self, name: &str) -> Option<(File, &'m str)> {
        if self.ranges.is_empty() {
            return None;
        }
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        // No range has a number of more digits.
        for length in (1..=digits.min(8)).rev() {
            let (prefix, number) = name.split_at(name.len() - length);
            // `%r07` is not another name of `%r7`.
            if length > 1 && number.starts_with('0') {
                continue;
            }
            if let (Some(range), Ok(index)) = (self.ranges.get(prefix), number.parse::<u32>())
                && index < range.count
            {
                return Some((range.file, range.ty));
            }
        }
        None
    }
}

/// The names of a function.
pub(super) struct Names<'m> {
    scopes: Vec<Scope<'m>>,
    pub(super) registers: Vec<Declared<'m>>,
    /// The scope that names are looked up from.
    pub(super) current: usize,
    /// The number of the next scope that a walk opens.
    next: usize,
}

impl<'m> Names<'m> {
    pub(super) fn new() -> Self {
        Names { scopes: vec![Scope::default()], registers: vec![], current: 0, next: 1 }
    }

    /// Begins a walk over the body.
    pub(super) fn rewind(&mut self) {
        self.current = 0;
        self.next = 1;
    }

    /// Opens the next scope; to be handed to [`Names::close`].
    pub(super) fn open(&mut self) -> usize {
        let outer = self.current;
        if self.next == self.scopes.len() {
            self.scopes.push(Scope { parent: outer, ..Scope::default() });
        }
        self.current = self.next;
        self.next += 1;
        outer
    }

    pub(super) fn close(&mut self, outer: usize) {
        self.current = outer;
    }

    /// The scope around another, or nothing for the function's own.
    pub(super) fn parent(&self, scope: usize) -> Option<usize> {
        (scope != 0).then(|| self.scopes[scope].parent)
    }

    /// Declares a name in the current scope; false if it is there with another meaning.
    pub(super) fn declare(&mut self, name: &'m str, meaning: Name) -> bool {
        self.scopes[self.current].names.insert(name, meaning).is_none()
    }

    pub(super) fn declare_register(&mut self, name: &'m str, file: File, ty: &'m str) -> bool {
        let register = self.new_register(file, ty);
        self.declare(name, register)
    }

    pub(super) fn declare_range(&mut self, prefix: &'m str, count: u32, file: File, ty: &'m str) -> bool {
        self.scopes[self.current].ranges.insert(prefix, Range { count, file, ty }).is_none()
    }

    fn new_register(&mut self, file: File, ty: &'m str) -> Name {
        let (known, number, listed, outlives) = (Uniformity::WARP, None, 0, false);
        self.registers.push(Declared { file, ty, number, listed, known, outlives, writes: 0, named: 0 });
        Name::Register((self.registers.len() - 1) as u32)
    }

    /// The meaning of a name, seen from the current scope.
    pub(super) fn find(&mut self, name: &'m str) -> Option<Name> {
        let mut scope = self.current;
        loop {
            if let Some(&found) = self.scopes[scope].names.get(name) {
                return Some(found);
            }
            if let Some((file, ty)) = self.scopes[scope].in_range(name) {
                let register = self.new_register(file, ty);
                self.scopes[scope].names.insert(name, register);
                return Some(register);
            }
            scope = self.parent(scope)?;
        }
    }

    /// The registers that instructions name, by number, for single steps.
    pub(super) fn named(&self) -> Vec<Named> {
        let mut all = vec![];
        for (name, meaning) in self.scopes.iter().flat_map(|scope| &scope.names) {
            let Name::Register(at) = *meaning else { continue };
            let declared = self.registers[at as usize];
            let Some(register) = declared.number else { continue };
            // What is computed before the warps run has no instruction of theirs.
            let early = register.is_uniform() || declared.known == Uniformity::THREAD;
            let named = Named {
                name: (*name).to_owned(),
                ty: declared.ty.to_owned(),
                file: declared.file,
                register,
                early: early.then(|| declared.listed.saturating_sub(1)),
                outlives: declared.outlives,
            };
            all.push((at, named));
        }
        all.sort_unstable_by_key(|(at, _)| *at);
        all.into_iter().map(|(_, named)| named).collect()
    }

    /// The register of this name, if it is one.
    pub(super) fn register(&mut self, name: &'m str) -> Option<usize> {
        match self.find(name) {
            Some(Name::Register(number)) => Some(number as usize),
            _ => None,
        }
    }
}
