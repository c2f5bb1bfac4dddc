//! Where a program's memory is.
//!
//! Enters: a module and how much memory there is. Leaves: the address of each variable, the first contents, the ranges of stack
//! and heap, and the addresses of functions.
//!
//! ```text
//! 0        nothing: null pointers, and addresses of functions
//! DATA     constants, which only are read
//!          variables
//!          stack, growing down to the variables' end
//!          heap
//! end-PAD  nothing: what is after the last byte of the heap, which grows when the memory does
//! ```

use super::types::{Signature, Types};
use crate::ir::reach::Reach;
use crate::ir::{FunctionId, Global, GlobalId, Module, Symbol};

/// The first address of data: null pointers, and what is a little more, come before it.
pub const DATA: u64 = 1 << 16;
/// Bytes at the end that nothing lies in, so that an access that begins at an address of memory ends in memory.
pub const PAD: u64 = 1 << 16;
/// Bytes of a page of WebAssembly's memory.
pub const PAGE: u64 = 1 << 16;
/// Bytes of the heap that are there from the beginning.
const HEAP: u64 = 1 << 20;
/// What stack, heap and parts of data are aligned to.
const ALIGN: u64 = 16;

/// Addresses of everything that has one from the beginning.
pub(super) struct Layout {
    /// By variable, where it is reached.
    pub(super) globals: Vec<Option<u64>>,
    /// By function, where its address is taken: its number in the table.
    pub(super) functions: Vec<Option<u32>>,
    /// Those functions, from number 1 on.
    pub(super) table: Vec<FunctionId>,
    /// Address of the function type's number of each function in the table, 4 bytes each, beginning with number 0's.
    pub(super) signatures: u64,
    /// First address that may be written.
    pub(super) writable: u64,
    /// The lowest address of the stack, and that after its highest.
    pub(super) stack: (u64, u64),
    /// First address of the heap, and that after the last that it has from the beginning.
    pub(super) heap: (u64, u64),
    /// Bytes of memory from the beginning, and the most that there may be: whole pages.
    pub(super) memory: (u64, u64),
    /// Contents from [`DATA`] on, without the zeros at their end.
    pub(super) image: Vec<u8>,
}

impl Layout {
    /// Lays out what is reached; none if it is more than the memory.
    pub(super) fn new(
        module: &Module,
        reach: &Reach,
        types: &mut Types,
        memory: u64,
        stack: u64,
    ) -> Option<Layout> {
        let most = memory.min(1 << 32) / PAGE * PAGE;
        let mut functions = vec![None; module.functions.len()];
        let mut table = vec![];
        for (at, addressed) in reach.addressed.iter().enumerate() {
            if *addressed {
                table.push(FunctionId(at as u32));
                functions[at] = Some(table.len() as u32);
            }
        }
        // Addresses of functions are not those of data.
        if table.len() as u64 >= DATA {
            return None;
        }
        let mut next = DATA;
        let mut globals = vec![None; module.globals.len()];
        let signatures = take(&mut next, 4 * (table.len() as u64 + 1), 4)?;
        place(module, reach, &mut globals, &mut next, |global| global.read_only)?;
        next = next.checked_next_multiple_of(ALIGN)?;
        let writable = next;
        let filled = |global: &Global| global.initial.is_some();
        place(module, reach, &mut globals, &mut next, |global| !global.read_only && filled(global))?;
        place(module, reach, &mut globals, &mut next, |global| !global.read_only && !filled(global))?;
        next = next.checked_next_multiple_of(ALIGN)?;
        let low = next;
        let high = low.checked_add(stack)? / ALIGN * ALIGN;
        let first = high.checked_add(HEAP + PAD)?.next_multiple_of(PAGE).min(most);
        let end = first.checked_sub(PAD).filter(|end| *end >= high)?;
        let mut layout = Layout {
            globals,
            functions,
            table,
            signatures,
            writable,
            stack: (low, high),
            heap: (high, end),
            memory: (first, most),
            image: vec![],
        };
        layout.fill(module, types);
        Some(layout)
    }

    /// Writes the first contents.
    fn fill(&mut self, module: &Module, types: &mut Types) {
        for (at, id) in self.table.clone().into_iter().enumerate() {
            let ty = types.number(Signature::of(&module.functions[id.index()]));
            // No type is 0: the table's first place has no function.
            self.write(self.signatures + 4 * (at as u64 + 1), &(ty + 1).to_le_bytes());
        }
        for (at, global) in module.globals.iter().enumerate() {
            let (Some(address), Some((bytes, addresses))) = (self.globals[at], &global.initial) else {
                continue;
            };
            self.write(address, bytes);
            for (offset, of, add) in addresses {
                let of = self.address(*of).wrapping_add_signed(*add);
                self.write(address + offset, &of.to_le_bytes());
            }
        }
        let end = self.image.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        self.image.truncate(end);
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        let at = (address - DATA) as usize;
        if self.image.len() < at + bytes.len() {
            self.image.resize(at + bytes.len(), 0);
        }
        self.image[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Address of a variable or a function; 0 for one that is not reached.
    pub(super) fn address(&self, of: Symbol) -> u64 {
        match of {
            Symbol::Global(id) => self.global(id),
            Symbol::Function(id) => u64::from(self.functions.get(id.index()).copied().flatten().unwrap_or(0)),
        }
    }

    /// Address of a variable.
    pub(super) fn global(&self, id: GlobalId) -> u64 {
        self.globals.get(id.index()).copied().flatten().unwrap_or(0)
    }
}

/// Gives addresses to the variables of one kind.
fn place(
    module: &Module,
    reach: &Reach,
    globals: &mut [Option<u64>],
    next: &mut u64,
    wanted: impl Fn(&Global) -> bool,
) -> Option<()> {
    for (at, global) in module.globals.iter().enumerate() {
        if reach.globals[at] && wanted(global) {
            // Even what has no bytes has an address that nothing else has.
            globals[at] = Some(take(next, global.size.max(1), u64::from(global.align.max(1)))?);
        }
    }
    Some(())
}

fn take(next: &mut u64, size: u64, align: u64) -> Option<u64> {
    let at = next.checked_next_multiple_of(align)?;
    *next = at.checked_add(size).filter(|end| *end <= 1 << 32)?;
    Some(at)
}
