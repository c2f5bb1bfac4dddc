//! What a kernel's accesses to global memory may reach: each address is followed back to the parameters and variables that it
//! was computed from.
//!
//! Enters: all instructions. Leaves: the kernel's [`Reach`]. Registers may be written at several places, and each has whatever
//! any of these gives it, so the order of instructions does not matter.

use crate::hash::HashSet;
use crate::ir::*;

/// Roots that are distinguished; an address from another one may lead anywhere.
const MOST: usize = 63;
/// The bit of those that may lead anywhere.
const ANYWHERE: u64 = 1 << MOST;

/// Finds it.
pub(super) fn find(kernel: &mut Kernel) {
    let mut roots = vec![];
    let mut sets = Sets::of_uniform(kernel, &mut roots);
    while sets.spread(kernel) {}
    let mut uses = vec![Uses::NONE; roots.len()];
    let mut anywhere = Uses::NONE;
    let of_block = uniform_of_block(kernel);
    let mut reach = Reach {
        flags: vec![false; kernel.accesses.len()],
        updates: vec![false; kernel.accesses.len()],
        ..Reach::default()
    };
    let mut loaded: HashSet<(usize, Register, i32)> = HashSet::default();
    for function in 0..kernel.functions.len() {
        for inst in code_of(kernel, function) {
            reach.textures |= matches!(inst.op, Op::Texture { .. });
            if let Op::Surface { surface } = inst.op {
                reach.surfaces.add(of_surface(&kernel[surface]));
            }
            let Some((address, id, made)) = access(kernel, inst) else { continue };
            let operand = &kernel[id];
            reach.orders_blocks |= orders_blocks(kernel, inst, operand);
            if made.loads || made.read_only {
                loaded.insert((function, address.register, address.offset));
            }
            if made.stores {
                reach.flags[id.index()] = operand.elements().all(|(file, register)| {
                    register.is_uniform() && !of_block.contains(&(file, register)) && !operand.elsewhere
                });
            }
            let set = if address.wide { sets.get(function, address.register) } else { ANYWHERE };
            for (n, uses) in uses.iter_mut().enumerate() {
                if set >> n & 1 != 0 {
                    uses.add(made);
                }
            }
            if set & ANYWHERE != 0 {
                anywhere.add(made);
            }
        }
    }
    for function in 0..kernel.functions.len() {
        for inst in code_of(kernel, function) {
            if let Some((address, id, Uses { stores: true, .. })) = access(kernel, inst) {
                reach.updates[id.index()] = loaded.contains(&(function, address.register, address.offset));
            }
        }
    }
    reach.roots = roots.into_iter().zip(uses).filter(|(_, uses)| *uses != Uses::NONE).collect();
    reach.anywhere = Some(anywhere).filter(|uses| *uses != Uses::NONE);
    kernel.reach = reach;
}

/// The instructions of a function.
fn code_of(kernel: &Kernel, function: usize) -> impl Iterator<Item = &Inst> {
    let blocks = &kernel.blocks[kernel.blocks_of(function)];
    blocks.iter().flat_map(|block| &kernel.code[block.start as usize..block.end as usize])
}

/// The access of an instruction that may be to global memory: its address, its place among the kernel's, what it does.
fn access(kernel: &Kernel, inst: &Inst) -> Option<(Address, Id<MemoryOperand>, Uses)> {
    let id = inst.op.access(kernel)?;
    let operand = &kernel[id];
    let shift = (operand.bytes.max(1).trailing_zeros() as u8).min(Uses::WIDEST);
    let none = Uses { shift, ..Uses::NONE };
    let made = match inst.op.effect() {
        Effect::Load(StateSpace::Global | StateSpace::Generic) => {
            Uses { loads: !operand.read_only, read_only: operand.read_only, ..none }
        }
        Effect::Store(StateSpace::Global | StateSpace::Generic) => Uses { stores: true, ..none },
        Effect::Atomic(atomic) if kernel[atomic].space != Space::Shared => Uses { atomics: true, ..none },
        // Copies are looked at by bytes of words: the source may be shorter than what is copied.
        Effect::Copy(_) => Uses { loads: true, shift: shift.min(2), ..none },
        Effect::Asynchronous => {
            let Op::Bulk { copy } = inst.op else { return None };
            let of = &kernel[copy];
            let words = Uses { shift: 2, ..none };
            return match of.bulk {
                Bulk::GlobalToShared => Some((of.from, id, Uses { loads: true, ..words })),
                Bulk::SharedToGlobal => Some((of.to, id, Uses { stores: true, ..words })),
                Bulk::SharedToShared | Bulk::RegistersToShared => None,
            };
        }
        _ => return None,
    };
    Some((operand.address, id, made))
}

/// What an access to a surface does. What depends on the format takes whole texels, of which the array says how wide they
/// are.
fn of_surface(of: &SurfaceOperands) -> Uses {
    let shift = of.bytes.max(1).trailing_zeros() as u8;
    match of.operation {
        SurfaceOperation::Load => Uses { loads: true, shift, ..Uses::NONE },
        SurfaceOperation::Store => Uses { stores: true, shift, ..Uses::NONE },
        SurfaceOperation::StoreFormatted => Uses { stores: true, ..Uses::NONE },
        SurfaceOperation::Reduce { .. } => Uses { atomics: true, shift, ..Uses::NONE },
    }
}

fn orders_blocks(kernel: &Kernel, inst: &Inst, operand: &MemoryOperand) -> bool {
    match inst.op.effect() {
        Effect::Atomic(atomic) => !kernel[atomic].reduces && kernel[atomic].d.is_some(),
        Effect::Load(_) => operand.strong,
        _ => false,
    }
}

/// Uniform registers whose values differ between blocks.
fn uniform_of_block(kernel: &Kernel) -> HashSet<(File, Register)> {
    let mut found = HashSet::default();
    for (file, values) in [(File::W, &kernel.uniform_w), (File::X, &kernel.uniform_x)] {
        for (n, value) in values.iter().enumerate() {
            if matches!(value, Some(UniformValue::Block(_))) {
                found.insert((file, Register::uniform(n as u16)));
            }
        }
    }
    for inst in &kernel.block_code {
        kernel.results(inst, |file, register| {
            found.insert((file, register));
        });
    }
    found
}

/// Of each register of 64 bits the roots that its value may come from, a bit each: of those that all warps share, and of each
/// function's own.
struct Sets {
    uniform: Vec<u64>,
    own: Vec<Vec<u64>>,
}

impl Sets {
    /// Those that are known before the first instruction; the roots are numbered.
    fn of_uniform(kernel: &Kernel, roots: &mut Vec<Root>) -> Self {
        let mut number = |root: Root| match roots.iter().position(|there| *there == root) {
            Some(n) => 1 << n,
            None if roots.len() < MOST => {
                roots.push(root);
                1 << (roots.len() - 1)
            }
            None => ANYWHERE,
        };
        let uniform = kernel.uniform_x.iter().map(|value| match value {
            Some(UniformValue::Parameter { offset, bytes: 8, .. }) => number(Root::Parameter(*offset)),
            Some(UniformValue::Global { symbol, .. }) => number(Root::Symbol(*symbol)),
            Some(UniformValue::Constant { bytes: 8, .. }) => ANYWHERE,
            Some(_) | None => 0,
        });
        let uniform = uniform.collect();
        let frames = kernel.functions.iter().enumerate();
        let own = frames.map(|(n, frame)| {
            let mut own = vec![0; usize::from(frame.x)];
            // What a caller gives may be anything.
            if n > 0 {
                own.fill(ANYWHERE);
            }
            own
        });
        Sets { uniform, own: own.collect() }
    }

    fn get(&self, function: usize, register: Register) -> u64 {
        match register.in_frame() {
            Some(n) => self.own[function].get(n).copied().unwrap_or(ANYWHERE),
            None => self.uniform.get(register.number()).copied().unwrap_or(ANYWHERE),
        }
    }

    /// Gives results the roots of their operands; says whether something changed.
    fn spread(&mut self, kernel: &Kernel) -> bool {
        let mut changed = false;
        for inst in kernel.launch_code.iter().chain(&kernel.block_code).chain(&kernel.thread_code) {
            changed |= self.follow(kernel, 0, inst);
        }
        // Registers of other functions have all roots already.
        for inst in code_of(kernel, 0) {
            changed |= self.follow(kernel, 0, inst);
        }
        for block in &kernel.blocks[kernel.blocks_of(0)] {
            let mut results = vec![];
            kernel.end_results(block, |file, register| results.push((file, register)));
            for (_, register) in results.into_iter().filter(|(file, _)| *file == File::X) {
                changed |= self.add(0, register, ANYWHERE);
            }
        }
        changed
    }

    fn follow(&mut self, kernel: &Kernel, function: usize, inst: &Inst) -> bool {
        let mut results = vec![];
        kernel.results(inst, |file, register| results.push((file, register)));
        results.retain(|(file, _)| *file == File::X);
        if results.is_empty() {
            return false;
        }
        let from = match inst.op {
            // Two halves may be those of an address.
            Op::Compute(Compute { function: Function::PackX, .. }) => ANYWHERE,
            Op::Compute(_) | Op::Scalar { .. } => {
                let mut set = 0;
                kernel.operands(inst, |file, register| {
                    if file == File::X {
                        set |= self.get(function, register);
                    }
                });
                set
            }
            Op::Special { .. } | Op::LocalAddress { .. } => 0,
            _ => ANYWHERE,
        };
        results.into_iter().fold(false, |changed, (_, register)| self.add(function, register, from) | changed)
    }

    fn add(&mut self, function: usize, register: Register, set: u64) -> bool {
        let own = match register.in_frame() {
            Some(n) => self.own[function].get_mut(n),
            None => self.uniform.get_mut(register.number()),
        };
        let Some(own) = own else { return false };
        let before = *own;
        *own |= set;
        *own != before
    }
}
