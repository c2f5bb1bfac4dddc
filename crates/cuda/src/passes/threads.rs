//! Functions that are changed at the same time, by several threads.
//!
//! Enters: functions, and what is done to each by itself. Leaves: them changed, as if one after the other. This module must
//! never know what is done.

use std::num::NonZero;
use std::sync::Mutex;

use crate::ir::Function;

/// Instructions of all functions below which threads cost more than they bring.
const WORTH: usize = 1_000;
/// Bytes of a thread's stack: as many as the first one has.
const STACK: usize = 8 << 20;

fn size(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.insts.len()).sum()
}

/// How many threads are worth their while. (A page has one.)
pub(super) fn worth(functions: &[Function]) -> usize {
    if cfg!(target_family = "wasm") || functions.iter().map(size).sum::<usize>() < WORTH {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, NonZero::get).min(functions.len())
}

/// Does something to every function on so many threads, the longest first.
pub(super) fn for_each(threads: usize, functions: &mut [Function], work: impl Fn(&mut Function) + Sync) {
    if cfg!(target_family = "wasm") || threads < 2 {
        return functions.iter_mut().for_each(work);
    }
    let mut queue: Vec<&mut Function> = functions.iter_mut().collect();
    crate::sort::by_key(&mut queue, |function| size(function));
    let queue = Mutex::new(queue);
    let next = || queue.lock().ok()?.pop();
    let take = || {
        while let Some(function) = next() {
            work(function);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where there is no other thread to be had, this one does what it would have done.
            drop(std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, take));
        }
        take();
    });
}
