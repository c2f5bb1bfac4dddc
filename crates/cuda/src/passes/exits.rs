//! One return for each function that is called.
//!
//! Enters: a function that stays one. Leaves: the same with a single block that returns, to which the others jump with what they
//! return. As NVRTC's code: where paths of a branch return each for itself, ptxas of CUDA 13.0 takes them for one after the
//! other, and lets one overwrite uniform registers that the other still reads. (A kernel's paths end as they like.)
//!
//! Counter: `warp_instructions`. Of `signs` in passes.cu NVRTC's code has 33, ours without the pass 48.

use crate::ir::{Block, Edge, Function, Terminator, Value};

/// Leaves one return; whether there were several.
pub(crate) fn run(function: &mut Function) -> bool {
    let returns: Vec<Block> = (0..function.blocks.len() as u32)
        .map(Block)
        .filter(|block| matches!(function.blocks[block.index()].end, Terminator::Return(_)))
        .collect();
    let (false, [.., last]) = (function.kernel || returns.len() < 2, returns.as_slice()) else {
        return false;
    };
    let place = function.blocks[last.index()].end_place;
    let exit = function.block();
    let results = function.results.clone();
    let values: Vec<Value> = results.into_iter().map(|ty| function.block_param(exit, ty)).collect();
    let data = &mut function.blocks[exit.index()];
    (data.end, data.end_place) = (Terminator::Return(values), place);
    for block in returns {
        let end = &mut function.blocks[block.index()].end;
        if let Terminator::Return(values) = std::mem::take(end) {
            *end = Terminator::Jump(Edge { block: exit, args: values });
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    const TEXT: &str = "function @f(x) never -> i32, i8 {\nb0(x: i32):\n  p: pred = cmp.sgt x, 3:i32\n  branch p, b1, b2\nb1:\n  \
                        return x, 1:i8\nb2:\n  return 7:i32, 2:i8\n}\n";

    #[test]
    fn a_function_that_is_called_returns_at_one_place() {
        let after = changed(TEXT, |function, _| super::run(function));
        assert_eq!(after.matches("return").count(), 1, "{after}");
        assert!(after.contains("jump b3(7:i32, 2:i8)") && after.contains("b3(v2: i32, v3: i8)"), "{after}");
    }

    #[test]
    fn a_kernel_ends_where_it_likes() {
        let kernel = TEXT.replace("function", "kernel").replace(" never -> i32, i8", "");
        let kernel = kernel.replace("return x, 1:i8", "return").replace("return 7:i32, 2:i8", "return");
        assert!(!changed(&kernel, |function, _| super::run(function)).contains("jump"));
    }
}
