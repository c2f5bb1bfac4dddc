//! Loads of what no one writes while the kernel runs.
//!
//! Enters: a kernel. Leaves: those of its loads marked invariant that read what a parameter leads to and that no store in
//! the kernel can lead to: nothing changes what they read, not even a barrier, and `ld.global.nc` may do them. NVRTC
//! does so for every such parameter, `const` or not, `__restrict__` itself or kept apart by another's.

use super::Context;
use super::effects::{Effect, effect};
use super::memory::{Aliases, Location, Object};
use crate::ir::cfg::Cfg;
use crate::ir::{Function, Inst, Op, Space, Type};

/// Marks loads; whether any was.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    if !function.kernel {
        return false;
    }
    super::resolve_operands(function);
    let cfg = Cfg::new(function);
    let aliases = Aliases::new(function, &cfg, context);
    let insts: Vec<Inst> =
        cfg.order.iter().flat_map(|block| function.blocks[block.index()].insts.iter().copied()).collect();
    let mut written: Vec<Location> = Vec::new();
    // What is called, or assembly, may write through any pointer that it can know.
    let mut others = false;
    for inst in &insts {
        match effect(&function.insts[inst.index()].op) {
            Effect::Write | Effect::Update => match aliases.accessed(function, *inst) {
                Some(location) => written.push(location),
                None => return false,
            },
            Effect::Barrier
                if matches!(function.insts[inst.index()].op, Op::Call(_) | Op::CallIndirect | Op::Asm(_)) =>
            {
                others = true;
            }
            // Ordered accesses and asynchronous copies write through what they are given.
            Effect::Warp | Effect::State | Effect::Fence | Effect::Barrier => {
                let pointers = function.insts[inst.index()].args.iter().copied();
                let pointers = pointers.filter(|arg| matches!(function.ty(*arg), Type::Ptr(_)));
                written.extend(pointers.map(|pointer| aliases.location(function, pointer, None)));
            }
            Effect::Pure | Effect::Read | Effect::End => {}
        }
    }
    let mut changed = false;
    for inst in insts {
        let data = &function.insts[inst.index()];
        let Op::Load(access) = &data.op else { continue };
        let global = function.ty(data.args[0]) == Type::Ptr(Space::Global);
        if access.volatile || access.invariant || access.cache.is_some() || !global {
            continue;
        }
        let Object::Param(param) = aliases.object(function, data.args[0]) else { continue };
        if others && !aliases.alone(param) {
            continue;
        }
        // Wherever in the object a store leads.
        let mut whole = aliases.location(function, data.args[0], None);
        whole.root = data.args[0];
        let apart =
            |store: &Location| !aliases.same_object(store, &whole) && !aliases.may_alias(store, &whole);
        if written.iter().all(apart)
            && let Op::Load(access) = &mut function.insts[inst.index()].op
        {
            access.invariant = true;
            changed = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn marked(params: &str, body: &str) -> bool {
        let text = format!("kernel @k({params}) {{\nb0(p: ptr.global, q: ptr.global):\n{body}\n  return\n}}");
        changed(&text, super::run).contains("invariant")
    }

    #[test]
    fn what_a_restrict_parameter_leads_to_is_invariant_if_nobody_writes_it() {
        let body = "  x: i32 = load.a4 p\n  store.a4 q, x";
        assert!(marked("p restrict, q", body));
        assert!(marked("p, q restrict", body));
        assert!(!marked("p, q", body));
    }

    #[test]
    fn what_an_ordered_store_writes_is_not() {
        let row = crate::builtin::BUILTINS
            .iter()
            .copied()
            .flatten()
            .find(|row| row.meaning == crate::builtin::Meaning::StoreOrdered);
        let Some(row) = row else { return };
        let store = format!("builtin \"{} {} i\" p, 1:i32, 0:i32, 3:i32", row.name, row.signature);
        assert!(!marked(
            "p restrict, q restrict",
            &format!("  x: i32 = load.a4 p\n  {store}\n  store.a4 q, x")
        ));
    }

    #[test]
    fn assembly_writes_what_it_may_know_of() {
        let marked = |asm: &str| {
            let text = format!(
                "__global__ void k(float *q, const float *__restrict__ p) {{ asm volatile({asm}); q[0] = p[0]; }}"
            );
            let input = crate::Input { name: "k.cu", text: &text, include: &|_| None };
            crate::compile(&input, &crate::Options::default()).unwrap().ptx.contains("ld.global.nc")
        };
        assert!(marked("\"\" ::: \"memory\""));
        assert!(!marked("\"\" :: \"l\"(p) : \"memory\""));
    }

    #[test]
    fn what_is_written_elsewhere_in_the_object_is_not() {
        let body = "  x: i32 = load.a4 p\n  r: ptr.global = offset p, 64:i64\n  store.a4 r, x";
        assert!(!marked("p restrict, q restrict", body));
    }
}
