//! What is done at the same time, by several threads.
//!
//! Enters: a list, and what is done to each element by itself. Leaves: them changed, as if one after the other. This module
//! must never know what is done.

use std::num::NonZero;
use std::sync::{Mutex, OnceLock};

use crate::ir::Function;

/// Instructions that a thread of its own is worth.
const WORTH: usize = 500;
/// Bytes of a thread's stack: as many as the first one has.
const STACK: usize = 8 << 20;

/// How many threads are worth their while for these functions. (A page has one.)
pub(crate) fn worth<'a>(functions: impl IntoIterator<Item = &'a Function>) -> usize {
    if cfg!(target_family = "wasm") {
        return 1;
    }
    let (mut count, mut size) = (0, 0);
    for function in functions {
        (count, size) = (count + 1, size + function.size());
    }
    let most = count.min(size / WORTH);
    if most < 2 { 1 } else { processors().min(most) }
}

/// Processors that this process may use. The system's answer is kept: on Linux a handful of files is read for it.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

/// Does something to every element on that many threads, the longest first.
pub(crate) fn for_each<T: Send>(
    threads: usize,
    list: &mut [T],
    length: impl Fn(&T) -> usize,
    work: impl Fn(&mut T) + Sync,
) {
    if cfg!(target_family = "wasm") || threads < 2 {
        return list.iter_mut().for_each(work);
    }
    let mut queue: Vec<&mut T> = list.iter_mut().collect();
    crate::sort::by_key(&mut queue, |element| length(element));
    let queue = Mutex::new(queue);
    let next = || queue.lock().ok()?.pop();
    let take = || {
        while let Some(element) = next() {
            work(element);
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
