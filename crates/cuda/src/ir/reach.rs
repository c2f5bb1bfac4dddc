//! What is in use: functions and variables that are reached from what others find by name.
//!
//! Enters: a module. Leaves: which functions may be called, which variables' addresses may be known, and of which functions
//! the address is taken. This module must never know how a function is called.

use super::{Function, FunctionId, Global, GlobalId, Op, Symbol};

/// What a module's kernels and visible functions and variables lead to.
pub(crate) struct Reach {
    /// By function: whether it is reached.
    pub(crate) functions: Vec<bool>,
    /// By variable: the same.
    pub(crate) globals: Vec<bool>,
    /// By function: whether something that is reached has its address.
    pub(crate) addressed: Vec<bool>,
    /// By function: whether it may be called though no call names it: a kernel, a visible function, or one whose address is
    /// known.
    pub(crate) roots: Vec<bool>,
}

impl Reach {
    /// Follows calls and addresses.
    pub(crate) fn new(functions: &[Function], globals: &[Global]) -> Reach {
        let none = |count: usize| vec![false; count];
        let mut walk = Walk {
            functions,
            globals,
            reach: Reach {
                functions: none(functions.len()),
                globals: none(globals.len()),
                addressed: none(functions.len()),
                roots: vec![],
            },
            work: vec![],
        };
        for (at, function) in functions.iter().enumerate() {
            if is_root(function) {
                walk.function(FunctionId(at as u32));
            }
        }
        for (at, global) in globals.iter().enumerate() {
            if global.visible {
                walk.global(GlobalId(at as u32));
            }
        }
        while let Some(id) = walk.work.pop() {
            walk.body(id);
        }
        let mut reach = walk.reach;
        let roots = functions.iter().zip(&reach.addressed);
        reach.roots = roots.map(|(function, addressed)| is_root(function) || *addressed).collect();
        reach
    }

    /// By function: whether it must be called as it was lowered, since not all calls of it are known.
    pub(crate) fn as_lowered(&self, functions: &[Function]) -> Vec<bool> {
        functions.iter().zip(&self.roots).map(|(function, root)| *root || function.external).collect()
    }
}

fn is_root(function: &Function) -> bool {
    function.kernel || function.visible
}

struct Walk<'a> {
    functions: &'a [Function],
    globals: &'a [Global],
    reach: Reach,
    /// Functions that are reached, and not looked at yet.
    work: Vec<FunctionId>,
}

impl Walk<'_> {
    fn function(&mut self, id: FunctionId) {
        if let Some(seen) = self.reach.functions.get_mut(id.index())
            && !std::mem::replace(seen, true)
        {
            self.work.push(id);
        }
    }

    fn address(&mut self, id: FunctionId) {
        if let Some(addressed) = self.reach.addressed.get_mut(id.index()) {
            *addressed = true;
        }
        self.function(id);
    }

    fn global(&mut self, id: GlobalId) {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let Some(global) = self.globals.get(id.index()) else { continue };
            if std::mem::replace(&mut self.reach.globals[id.index()], true) {
                continue;
            }
            for (_, of, _) in global.initial.iter().flat_map(|(_, addresses)| addresses) {
                match of {
                    Symbol::Global(id) => work.push(*id),
                    Symbol::Function(id) => self.address(*id),
                }
            }
        }
    }

    fn body(&mut self, id: FunctionId) {
        let function = &self.functions[id.index()];
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            match function.insts[inst.index()].op {
                Op::Call(callee) => self.function(callee),
                Op::Function(id) => self.address(id),
                Op::Global(id) => self.global(id),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reach;
    use crate::ir::parse::parse;

    #[test]
    fn what_contents_of_variables_name_is_reached() {
        let module = parse(
            "global @seen global 8 align 8 element i64 array = \"\", 0: @virtual + 0\n\
             global @unseen global 8 align 8 element i64 array = \"\", 0: @dead + 0\n\
             function @virtual() {\nb0:\n  call @called\n  return\n}\n\
             function @called() {\nb0:\n  return\n}\n\
             function @dead() {\nb0:\n  return\n}\n\
             function @main() visible {\nb0:\n  p: ptr.global = global @seen\n  q: ptr.generic = load.a8 p\n  call_indirect q\n  return\n}",
        );
        let reach = Reach::new(&module.functions, &module.globals);
        assert_eq!(reach.functions, [true, true, false, true]);
        assert_eq!(reach.globals, [true, false]);
        assert_eq!(reach.addressed, [true, false, false, false]);
        assert_eq!(reach.roots, [true, false, false, true]);
    }
}
