//! Neighbouring loads or stores as one, as LLVM's `LoadStoreVectorizer`.
//!
//! Enters: a function whose addresses are as simple as they get. Leaves: loads and stores of 2 or 4 values where the
//! address is known to be aligned for that. A load moves up to the first of its neighbours, a store down to the last, over
//! nothing that may touch the same memory. Loads may fetch a neighbour that no one asked for, where that makes one
//! access of two (as NVRTC's do), but only within what the address's alignment says belongs to the same object.
//!
//! Counter: `global_store_requests`. Of `add4` in lab-4-1 (small sizes) NVRTC's code has 16, ours without the pass 64.

mod address;
mod align;

use super::Context;
use crate::builtin::Meaning;
use crate::ir::{Access, Block, Convert, DebugLocation, Function, Inst, Op, Type, Value};
use address::{Address, Addresses};
use align::Alignment;

/// Bytes of the widest access.
const WIDEST: u32 = 16;

/// Vectorises a function; whether anything changed.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    super::resolve_operands(function);
    for inst in &mut function.insts {
        if let Op::Slot { size, align } = &mut inst.op {
            // Where it lies is free: as aligned as its size is even, as NVRTC does.
            let even = size.trailing_zeros().min(WIDEST.trailing_zeros());
            *align = (*align).max(1 << even);
        }
    }
    let order = crate::ir::cfg::reverse_postorder(function);
    let alignment = Alignment::new(function, context, &order);
    let mut changed = false;
    for block in order {
        let mut chains = Chains::new(function, context, &alignment);
        for at in 0..function.blocks[block.index()].insts.len() {
            let inst = function.blocks[block.index()].insts[at];
            chains.see(function, inst, at);
        }
        let plans = chains.finish(function);
        changed |= !plans.is_empty();
        rewrite(function, block, &plans);
    }
    changed
}

/// One load or store in a chain.
#[derive(Clone, Debug)]
struct Member {
    inst: Inst,
    at: usize,
    offset: i64,
    align: u32,
}

/// Loads or stores of elements of one size that lie at known distances from each other.
struct Chain {
    store: bool,
    invariant: bool,
    bytes: u32,
    address: Address,
    members: Vec<Member>,
    /// What was written after the first member, and how many bytes: later loads may not move over that.
    written: Vec<(Address, u64)>,
}

/// Vector to be made: its members by lane, none where no one asked.
struct Plan {
    store: bool,
    invariant: bool,
    bytes: u32,
    lanes: Vec<Option<Member>>,
}

/// Most stores between the loads of a chain.
const WRITES: usize = 32;
/// Most accesses of a chain, and most chains at once: a block of thousands of accesses compares each with all of these.
const MEMBERS: usize = 1024;
const CHAINS: usize = 256;

struct Chains<'a> {
    context: &'a Context<'a>,
    alignment: &'a Alignment,
    addresses: Addresses,
    open: Vec<Chain>,
    plans: Vec<Plan>,
    moved: Vec<Moved>,
}

/// Store that moves down to the last of its vector: a load after it may not move up to where it then has yet to happen.
struct Moved {
    address: Address,
    bytes: u64,
    from: usize,
    to: usize,
}

/// What an instruction does to memory.
enum Touch {
    Nothing,
    /// Reads or writes that many bytes at a pointer.
    At {
        pointer: Value,
        bytes: u64,
        writes: bool,
    },
    /// Reads and writes anything.
    All,
}

impl<'a> Chains<'a> {
    fn new(_: &Function, context: &'a Context<'a>, alignment: &'a Alignment) -> Self {
        Self {
            context,
            alignment,
            addresses: Addresses::default(),
            open: vec![],
            plans: vec![],
            moved: vec![],
        }
    }

    fn see(&mut self, function: &Function, inst: Inst, at: usize) {
        for touch in touches(function, inst) {
            self.close(function, &touch);
        }
        let Some((pointer, ty, access, store)) = simple(function, inst) else { return };
        let bytes = ty.bytes();
        let address = self.addresses.of(function, pointer);
        let align = access.align.max(self.alignment.of(pointer)).max(1);
        let member = Member { inst, at, offset: address.offset, align };
        let fits = |chain: &Chain| {
            chain.store == store
                && chain.invariant == access.invariant
                && chain.bytes == bytes
                && chain.address.same_base(&address)
        };
        if let Some(found) = self.open.iter().position(fits) {
            let chain = &mut self.open[found];
            let changed = |(written, size): &(Address, u64)| {
                address.may_overlap(u64::from(bytes), written, *size, function)
            };
            let first = chain.members.first().map_or(at, |first| first.at);
            let late = |store: &Moved| {
                store.from < first
                    && first < store.to
                    && address.may_overlap(u64::from(bytes), &store.address, store.bytes, function)
            };
            let room = chain.members.len() < MEMBERS;
            if room && !chain.written.iter().any(changed) && (chain.store || !self.moved.iter().any(late)) {
                chain.members.push(member);
                return;
            }
            let chain = self.open.remove(found);
            self.plan(function, chain);
        }
        if self.open.len() >= CHAINS {
            let oldest = self.open.remove(0);
            self.plan(function, oldest);
        }
        let (invariant, members, written) = (access.invariant, vec![member], vec![]);
        self.open.push(Chain { store, invariant, bytes, address, members, written });
    }

    /// Ends the chains that what an instruction does is in the way of.
    fn close(&mut self, function: &Function, touch: &Touch) {
        let mut kept = vec![];
        for mut chain in std::mem::take(&mut self.open) {
            let stops = match touch {
                Touch::Nothing => false,
                Touch::All => !chain.invariant,
                Touch::At { writes: false, .. } if !chain.store => false,
                Touch::At { .. } if chain.invariant => false,
                // Loads stand before the store as they are; only later ones would move over it.
                Touch::At { .. } if !chain.store => chain.written.len() >= WRITES,
                Touch::At { pointer, bytes, .. } => {
                    let other = self.addresses.of(function, *pointer);
                    chain.members.iter().any(|member| {
                        let mut address = chain.address.clone();
                        address.offset = member.offset;
                        address.may_overlap(u64::from(chain.bytes), &other, *bytes, function)
                    })
                }
            };
            if stops {
                self.plan(function, chain);
                continue;
            }
            if let Touch::At { pointer, bytes, writes: true } = touch
                && !chain.store
                && !chain.invariant
            {
                chain.written.push((self.addresses.of(function, *pointer), *bytes));
            }
            kept.push(chain);
        }
        self.open = kept;
    }

    fn finish(mut self, function: &Function) -> Vec<Plan> {
        for chain in std::mem::take(&mut self.open) {
            self.plan(function, chain);
        }
        self.plans
    }

    /// Decides which members of a chain become vectors: from the lowest address on, the widest that its alignment allows.
    fn plan(&mut self, function: &Function, chain: Chain) {
        let mut members = chain.members;
        if members.len() < 2 {
            return;
        }
        crate::sort::by_key(&mut members, |member| (member.offset, member.at));
        // A second access to one address stays alone.
        members.dedup_by_key(|member| member.offset);
        let size = chain.address.object_size(function, self.context);
        let step = i64::from(chain.bytes);
        let mut at = 0;
        while let Some(first) = members.get(at) {
            let made = [4u32, 2].into_iter().find_map(|lanes| {
                let bytes = lanes * chain.bytes;
                if bytes > WIDEST || !first.align.is_multiple_of(bytes) {
                    return None;
                }
                let mut found: Vec<Option<Member>> = vec![None; lanes as usize];
                let mut count = 0;
                for member in
                    members.get(at..)?.iter().take_while(|next| next.offset - first.offset < i64::from(bytes))
                {
                    let lane = (member.offset - first.offset) / step;
                    if (member.offset - first.offset) % step == 0 {
                        *found.get_mut(lane as usize)? = Some(member.clone());
                        count += 1;
                    }
                }
                let whole = found.iter().all(Option::is_some);
                let inside = size.is_none_or(|size| (first.offset + i64::from(bytes)) as u64 <= size);
                // More than the lower half, else the narrower one serves as well.
                let wide = found.iter().skip(lanes as usize / 2).any(Option::is_some);
                let filled = !chain.store && lanes == 4 && count >= 2 && wide && inside;
                (whole || filled).then_some(found)
            });
            match made {
                Some(lanes) => {
                    at += lanes.iter().flatten().count();
                    if chain.store {
                        self.moved.extend(moved(&chain.address, chain.bytes, &lanes));
                    }
                    self.plans.push(Plan {
                        store: chain.store,
                        invariant: chain.invariant,
                        bytes: chain.bytes,
                        lanes,
                    });
                }
                None => at += 1,
            }
        }
    }
}

/// The stores of a vector that are not where it will be.
fn moved(base: &Address, bytes: u32, lanes: &[Option<Member>]) -> Vec<Moved> {
    let members = || lanes.iter().flatten();
    let to = members().map(|member| member.at).max().unwrap_or(0);
    let place = |member: &Member| {
        let mut address = base.clone();
        address.offset = member.offset;
        Moved { address, bytes: u64::from(bytes), from: member.at, to }
    };
    members().filter(|member| member.at < to).map(place).collect()
}

/// Pointer, element, access and direction of a load or store that may become part of a vector.
fn simple(function: &Function, inst: Inst) -> Option<(Value, Type, Access, bool)> {
    let data = &function.insts[inst.index()];
    let (access, value, store) = match (&data.op, data.results.as_slice(), data.args.as_slice()) {
        (Op::Load(access), [result], _) => (*access, *result, false),
        (Op::Store(access), _, [_, value]) => (*access, *value, true),
        _ => return None,
    };
    let ty = function.ty(value);
    let plain = !access.volatile && access.cache.is_none() && ty != Type::Pred;
    // NVRTC leaves a kernel's parameters alone.
    let pointer = *data.args.first()?;
    let parameter = function.ty(pointer) == Type::Ptr(crate::ir::Space::Param);
    (plain && !parameter).then_some((pointer, ty, access, store))
}

/// What an instruction does to memory.
fn touches(function: &Function, inst: Inst) -> [Touch; 2] {
    let data = &function.insts[inst.index()];
    let at = |pointer: Option<&Value>, bytes: u64, writes: bool| match pointer {
        Some(pointer) => Touch::At { pointer: *pointer, bytes, writes },
        None => Touch::All,
    };
    let touch = match &data.op {
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select
        | Op::Fma
        | Op::Convert(_)
        | Op::Slot { .. }
        | Op::Global(_)
        | Op::Function(_)
        | Op::Offset => Touch::Nothing,
        Op::Load(access) if access.invariant => Touch::Nothing,
        Op::Load(_) => {
            let bytes = data.results.iter().map(|result| u64::from(function.ty(*result).bytes())).sum();
            at(data.args.first(), bytes, false)
        }
        Op::Store(_) => {
            let values = data.args.get(1..).unwrap_or_default();
            let bytes = values.iter().map(|value| u64::from(function.ty(*value).bytes())).sum();
            at(data.args.first(), bytes, true)
        }
        Op::Copy { size, .. } => {
            return [at(data.args.first(), *size, true), at(data.args.get(1), *size, false)];
        }
        Op::Zero { size, .. } => at(data.args.first(), *size, true),
        Op::Asm(asm) if !asm.memory => Touch::Nothing,
        Op::Call(_) | Op::CallIndirect | Op::Asm(_) => Touch::All,
        Op::Builtin(builtin, _) => match builtin.meaning {
            Meaning::Known(_)
            | Meaning::Pure(_)
            | Meaning::Warp(_)
            | Meaning::State(_)
            | Meaning::Told(_) => Touch::Nothing,
            Meaning::Atomic(..) => at(data.args.first(), 16, true),
            Meaning::Fence(_)
            | Meaning::Barrier(_)
            | Meaning::End(_)
            | Meaning::Load(_)
            | Meaning::Store(_)
            | Meaning::AtomicOrdered(_)
            | Meaning::LoadOrdered
            | Meaning::StoreOrdered
            | Meaning::FenceOrdered
            | Meaning::Bytes(_)
            | Meaning::Call(_) => Touch::All,
        },
    };
    [touch, Touch::Nothing]
}

/// Puts the planned vectors into a block.
fn rewrite(function: &mut Function, block: Block, plans: &[Plan]) {
    if plans.is_empty() {
        return;
    }
    let mut before: Vec<Vec<Inst>> = vec![vec![]; function.blocks[block.index()].insts.len()];
    let mut gone = vec![false; before.len()];
    for plan in plans {
        let present: Vec<&Member> = plan.lanes.iter().flatten().collect();
        let place = if plan.store {
            present.iter().max_by_key(|member| member.at)
        } else {
            present.iter().min_by_key(|member| member.at)
        };
        let Some(place) = place else { continue };
        present.iter().for_each(|member| gone[member.at] = true);
        let made = if plan.store { store(function, plan, place) } else { load(function, plan, place) };
        before[place.at].extend(made);
    }
    let old = std::mem::take(&mut function.blocks[block.index()].insts);
    let mut new = Vec::with_capacity(old.len());
    for (at, inst) in old.into_iter().enumerate() {
        new.append(&mut before[at]);
        if !gone[at] {
            new.push(inst);
        }
    }
    function.blocks[block.index()].insts = new;
}

/// Type of a vector's elements: that of all, or integers of their size.
fn element(types: impl Iterator<Item = Type>, bytes: u32) -> Type {
    let mut found = None;
    for ty in types {
        if found.is_some_and(|found| found != ty) {
            return match bytes {
                1 => Type::I8,
                2 => Type::I16,
                4 => Type::I32,
                _ => Type::I64,
            };
        }
        found = Some(ty);
    }
    found.unwrap_or(Type::I32)
}

/// Address of a plan's first lane, from that of one of its members.
fn pointer(
    function: &mut Function,
    plan: &Plan,
    from: &Member,
    place: DebugLocation,
    made: &mut Vec<Inst>,
) -> Option<Value> {
    let pointer = *function.insts[from.inst.index()].args.first()?;
    let lane =
        plan.lanes.iter().position(|lane| lane.as_ref().is_some_and(|member| member.inst == from.inst))?;
    let back = -(lane as i64) * i64::from(plan.bytes);
    Some(function.offset(pointer, back as u64, place, made))
}

fn access(plan: &Plan) -> Access {
    let align = plan.bytes * plan.lanes.len() as u32;
    Access { align, volatile: false, invariant: plan.invariant, cache: None }
}

fn load(function: &mut Function, plan: &Plan, first: &Member) -> Vec<Inst> {
    let mut made = vec![];
    let place = function.insts[first.inst.index()].place;
    let result = |function: &Function, member: &Member| function.insts[member.inst.index()].results[0];
    let types = plan.lanes.iter().flatten().map(|member| function.ty(result(function, member)));
    let ty = element(types, plan.bytes);
    let Some(pointer) = pointer(function, plan, first, place, &mut made) else { return made };
    let inst = function.inst(Op::Load(access(plan)), [pointer], &vec![ty; plan.lanes.len()], place);
    made.push(inst);
    for (lane, member) in plan.lanes.iter().enumerate() {
        let Some(member) = member else { continue };
        let (old, mut new) = (result(function, member), function.insts[inst.index()].results[lane]);
        if function.ty(old) != ty {
            let place = function.insts[member.inst.index()].place;
            let wanted = function.ty(old);
            let bits = function.inst(Op::Convert(Convert::Bits), [new], &[wanted], place);
            made.push(bits);
            new = function.insts[bits.index()].results[0];
        }
        function.replace(old, new);
    }
    made
}

fn store(function: &mut Function, plan: &Plan, last: &Member) -> Vec<Inst> {
    let mut made = vec![];
    let place = function.insts[last.inst.index()].place;
    let values: Vec<Value> =
        plan.lanes.iter().flatten().map(|member| function.insts[member.inst.index()].args[1]).collect();
    let ty = element(values.iter().map(|value| function.ty(*value)), plan.bytes);
    let Some(pointer) = pointer(function, plan, last, place, &mut made) else { return made };
    let mut args = vec![pointer];
    for value in values {
        if function.ty(value) == ty {
            args.push(value);
            continue;
        }
        let bits = function.inst(Op::Convert(Convert::Bits), [value], &[ty], place);
        made.push(bits);
        args.push(function.insts[bits.index()].results[0]);
    }
    let inst = function.inst(Op::Store(access(plan)), args, &[], place);
    made.push(inst);
    made
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, super::run)
    }

    #[test]
    fn four_aligned_loads_are_one() {
        let text = "kernel @k(p) {\nb0(p: ptr.global):\n  a: f32 = load.a16 p\n  q: ptr.global = offset p, 4:i64\n  b: f32 = load.a4 q\n  r: ptr.global = offset p, 8:i64\n  c: f32 = load.a8 r\n  s: ptr.global = offset p, 12:i64\n  d: f32 = load.a4 s\n  x: f32 = fadd a, b\n  y: f32 = fadd c, d\n  z: f32 = fadd x, y\n  store.a4 p, z\n  return\n}";
        let after = run(text);
        assert!(after.contains("v1: f32, v2: f32, v3: f32, v4: f32 = load.a16 v0"), "{after}");
        assert_eq!(after.matches("load").count(), 1, "{after}");
    }

    #[test]
    fn a_store_between_that_may_be_to_the_same_place_keeps_loads_apart() {
        let text = "kernel @k(p, q) {\nb0(p: ptr.global, q: ptr.global):\n  a: f32 = load.a8 p\n  store.a4 q, a\n  r: ptr.global = offset p, 4:i64\n  b: f32 = load.a4 r\n  store.a4 q, b\n  return\n}";
        assert_eq!(run(text).matches("load").count(), 2);
        let apart = text.replace("@k(p, q)", "@k(p restrict, q restrict)");
        assert_eq!(run(&apart).matches("load").count(), 1, "{}", run(&apart));
    }

    #[test]
    fn a_load_stays_behind_a_store_to_its_place_that_its_neighbours_do_not_mind() {
        let text = "kernel @k(p) {\nb0(p: ptr.global):\n  r: ptr.global = offset p, 4:i64\n  a: f32 = load.a4 r\n  store.a8 p, a\n  b: f32 = load.a8 p\n  store.a4 r, b\n  return\n}";
        assert_eq!(run(text).matches("load").count(), 2, "{}", run(text));
    }

    #[test]
    fn loads_of_other_members_move_over_the_store_of_one() {
        let text = "kernel @k(p, a) {\nb0(p: ptr.global, a: f32):\n  x: f32 = load.a16 p\n  u: f32 = fadd x, a\n  store.a16 p, u\n  q: ptr.global = offset p, 4:i64\n  y: f32 = load.a4 q\n  v: f32 = fadd y, a\n  store.a4 q, v\n  r: ptr.global = offset p, 8:i64\n  z: f32 = load.a8 r\n  w: f32 = fadd z, a\n  store.a8 r, w\n  return\n}";
        let after = run(text);
        assert_eq!(after.matches("load.").count(), 1, "{after}");
    }

    #[test]
    fn a_load_does_not_move_over_a_store_that_moves_down() {
        let text = "kernel @k(p, o, a) {\nb0(p: ptr.global, o: ptr.global, a: i32):\n  q: ptr.global = offset p, 4:i64\n  store.a8 p, a\n  b: i32 = load.a4 q\n  c: i32 = add b, 1:i32\n  store.a4 q, c\n  d: i32 = load.a8 p\n  e: i32 = add b, d\n  store.a4 o, e\n  return\n}";
        let after = run(text);
        assert_eq!(after.matches("load.").count(), 2, "{after}");
        let stored = after.find("store.a8").unwrap();
        assert!(after.find("load.a8 v0").unwrap() > stored, "{after}");
    }

    #[test]
    fn stores_come_to_lie_where_the_last_was() {
        let text = "kernel @k(p) {\nb0(p: ptr.global):\n  r: ptr.global = offset p, 4:i64\n  store.a4 r, 1:i32\n  x: f32 = fadd 1.0:f32, 2.0:f32\n  store.a8 p, x\n  return\n}";
        let after = run(text);
        assert!(after.contains("store.a8 v0, v2, v3") || after.contains("= bits"), "{after}");
        assert_eq!(after.matches("store").count(), 1, "{after}");
    }

    #[test]
    fn a_gap_is_fetched_where_the_whole_is_aligned() {
        let text = "kernel @k(p, o) {\nb0(p: ptr.global, o: ptr.global):\n  a: f32 = load.a16 p\n  q: ptr.global = offset p, 8:i64\n  b: f32 = load.a8 q\n  x: f32 = fadd a, b\n  store.a4 o, x\n  return\n}";
        assert!(run(text).contains("v2: f32, v3: f32, v4: f32, v5: f32 = load.a16 v0"), "{}", run(text));
        let low = text.replace("a16", "a8");
        assert_eq!(run(&low).matches("load").count(), 2);
    }

    #[test]
    fn a_variable_of_the_thread_is_aligned_as_its_size_allows() {
        let text = "kernel @k(i) {\nb0(i: i64):\n  s: ptr.local = slot 8 align 4\n  t: ptr.local = offset s, 4:i64\n  store.a4 s, 1:i32\n  store.a4 t, 2:i32\n  return\n}";
        assert!(run(text).contains("store.a8") && run(text).contains("1:i32, 2:i32"), "{}", run(text));
        assert!(!run(&text.replace("slot 8", "slot 12")).contains("store.a8"));
    }

    #[test]
    fn variables_that_count_by_fours_keep_an_address_aligned() {
        let text = "global @s shared 256 align 16 element f32 array\nkernel @k(o, n) {\nb0(o: ptr.global, n: i32):\n  g: ptr.shared = global @s\n  jump b1(g, 0.0:f32, 0:i32)\nb1(p: ptr.shared, s: f32, i: i32):\n  a: f32 = load.a4 p\n  q: ptr.shared = offset p, 4:i64\n  b: f32 = load.a4 q\n  t: f32 = fadd a, b\n  u: f32 = fadd s, t\n  e: ptr.shared = offset p, 8:i64\n  j: i32 = add i, 1:i32\n  c: pred = cmp.slt j, n\n  branch c, b1(e, u, j), b2\nb2:\n  store.a4 o, u\n  return\n}";
        assert!(run(text).contains("load.a8"), "{}", run(text));
        assert!(!run(&text.replace("offset p, 8:i64", "offset p, 4:i64")).contains("load.a8"));
    }
}
