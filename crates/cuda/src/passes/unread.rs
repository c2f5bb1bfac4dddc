//! Shared variables that nobody reads.
//!
//! Enters: functions of a module, with calls inlined. Leaves: them without the stores to shared arrays of a size of their own
//! whose address goes nowhere but into stores (LLVM's `GlobalOpt`; NVRTC 12.9 keeps those to memory of launch size, volatile ones
//! and atomics).

use crate::hash::{Map, Set};
use crate::ir::{Function, Global, GlobalId, Inst, Op, Space, Type, Value};

/// Removes the stores.
pub(crate) fn run(functions: &mut [Function], globals: &[Global]) {
    let mut unread: Vec<bool> =
        globals.iter().map(|global| global.space == Space::Shared && !global.external).collect();
    if !unread.contains(&true) {
        return;
    }
    let stores: Vec<Vec<(Inst, GlobalId)>> =
        functions.iter_mut().map(|function| stores(function, &mut unread)).collect();
    for (function, stores) in functions.iter_mut().zip(stores) {
        let gone: Set<Inst> =
            stores.into_iter().filter(|(_, global)| unread[global.index()]).map(|(store, _)| store).collect();
        if !gone.is_empty() {
            function.blocks.iter_mut().for_each(|block| block.insts.retain(|inst| !gone.contains(inst)));
        }
    }
}

/// Stores of a function to shared variables. Those whose address does anything else are read from then on.
fn stores(function: &mut Function, unread: &mut [bool]) -> Vec<(Inst, GlobalId)> {
    super::resolve_operands(function);
    let mut owners: Map<Value, GlobalId> = Map::default();
    let mut found = Vec::new();
    for block in crate::ir::cfg::reverse_postorder(function) {
        let data = &function.blocks[block.index()];
        for inst in &data.insts {
            let data = &function.insts[inst.index()];
            if let Op::Global(global) = data.op {
                owners.extend(data.results.iter().map(|result| (*result, global)));
                continue;
            }
            let rest = match (&data.op, data.args.as_slice()) {
                (Op::Offset | Op::Convert(_), [from, rest @ ..]) => {
                    let pointer = |value: &&Value| matches!(function.ty(**value), Type::Ptr(_));
                    match (owners.get(from).copied(), data.results.iter().find(pointer)) {
                        (Some(global), Some(result)) => drop(owners.insert(*result, global)),
                        (Some(global), None) => unread[global.index()] = false,
                        (None, _) => {}
                    }
                    rest
                }
                (Op::Store(access), [to, rest @ ..]) if !access.volatile => {
                    found.extend(owners.get(to).map(|global| (*inst, *global)));
                    rest
                }
                (_, args) => args,
            };
            rest.iter().filter_map(|arg| owners.get(arg)).for_each(|global| unread[global.index()] = false);
        }
        data.end
            .uses()
            .filter_map(|value| owners.get(&value))
            .for_each(|global| unread[global.index()] = false);
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse;

    /// Stores that are left where a kernel does something with a shared array of so many bytes.
    fn stores(size: u32, body: &str) -> usize {
        let text = format!(
            "global @s shared {size} align 4 element i32 array\nkernel @k(i, n) {{\nb0(i: i64, n: i32):\n  p: ptr.shared = global @s\n  q: ptr.shared = offset p, i\n{body}\n  return\n}}"
        );
        let mut module = parse(&text);
        super::run(&mut module.functions, &module.globals);
        module.to_string().matches("store").count()
    }

    #[test]
    fn stores_to_an_array_that_nobody_reads_are_removed() {
        assert_eq!(stores(64, "  store.a4 q, n\n  store.a4 p, 0:i32"), 0);
    }

    #[test]
    fn stores_to_what_is_read_stay() {
        assert_eq!(stores(64, "  store.a4 q, n\n  v: i32 = load.a4 p\n  store.a4 q, v"), 2);
    }

    #[test]
    fn volatile_stores_keep_the_others() {
        assert_eq!(stores(64, "  store.a4 q, n\n  store.a4.volatile p, n"), 2);
    }
}
