//! The CUDA device runtime: what a kernel asks it for (`cuda_device_runtime_api.h`), above all launches of other kernels.
//!
//! Enters: a warp's calls. Leaves: work that the grid leaves, in the order in which it was given. It is done once
//! the grid has ended (`crate::device`), which keeps the order of all streams. An H200 begins all but tail launches while
//! the grid runs; a kernel that waits for what its child writes ends there, and the message here says that this is not supported.
//! What is not modelled either is a limit on launches that are pending. Copies and fills
//! are read in [`super::runtime_transfer`], what the device answers to questions is in [`super::runtime_query`]; calls are
//! executed in `calls`.

mod calls;

use super::runtime_transfer::{Block, Rows};
use crate::hash::HashMap;
use crate::ir::{Outline, Program};
use crate::memory::function_address;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of parameters and pieces of work that a grid may leave: more than any program needs. (An H200 took 20,000
/// launches of one thread, and 2,000 levels of grids, without an error.)
const PENDING_BYTES: usize = 64 << 20;
const PENDING: usize = 1 << 20;
/// `cudaStreamTailLaunch` (`cuda_device_runtime_api.h`).
const TAIL: u64 = 3;

/// Errors (`driver_types.h`, `cudaError`).
const SUCCESS: u32 = 0;
const INVALID_VALUE: u32 = 1;
const MEMORY_ALLOCATION: u32 = 2;
const INVALID_CONFIGURATION: u32 = 9;
const INVALID_PITCH: u32 = 12;
const INVALID_DIRECTION: u32 = 21;
const LAUNCH_PENDING_COUNT_EXCEEDED: u32 = 69;
const INVALID_DEVICE_FUNCTION: u32 = 98;
const UNSUPPORTED_LIMIT: u32 = 215;
/// `cudaEventDisableTiming`: the one flag that events of kernels have, and need.
const DISABLE_TIMING: u32 = 2;
/// `cudaMemcpyDeviceToDevice` and `cudaMemcpyDefault`.
const DIRECTIONS: [u32; 2] = [3, 4];
/// Names and descriptions, of those that occur.
const ERRORS: [(u32, &str, &str); 9] = [
    (SUCCESS, "cudaSuccess", "no error"),
    (INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument"),
    (MEMORY_ALLOCATION, "cudaErrorMemoryAllocation", "out of memory"),
    (INVALID_CONFIGURATION, "cudaErrorInvalidConfiguration", "invalid configuration argument"),
    (INVALID_PITCH, "cudaErrorInvalidPitchValue", "invalid pitch argument"),
    (INVALID_DIRECTION, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"),
    (
        LAUNCH_PENDING_COUNT_EXCEEDED,
        "cudaErrorLaunchPendingCountExceeded",
        "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount",
    ),
    (INVALID_DEVICE_FUNCTION, "cudaErrorInvalidDeviceFunction", "invalid device function"),
    (UNSUPPORTED_LIMIT, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"),
];

/// A kernel that others may launch.
#[derive(Clone, Debug)]
struct Launchable {
    name: String,
    parameter_bytes: u32,
    /// Threads of a block, and bytes of its dynamic shared memory, at the most.
    threads: u64,
    dynamic_bytes: u64,
    /// Bytes of its own shared memory.
    shared_bytes: u64,
}

/// What a grid leaves to be done once it has ended.
#[derive(Clone, Debug)]
pub(crate) enum DeferredWork {
    Launch {
        kernel: String,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: u32,
        parameters: Vec<u8>,
    },
    Copy {
        to: Rows,
        from: Rows,
        block: Block,
    },
    /// Zeros.
    Clear {
        to: Rows,
        block: Block,
    },
}

/// Work of a block, for after the grid or, with all else that the grid leaves, after that.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(crate) block: u64,
    pub(crate) tail: bool,
    pub(crate) work: DeferredWork,
}

/// Work in the order in which it is done: by block, tail launches last.
pub(crate) fn in_order(left: Vec<Left>) -> VecDeque<DeferredWork> {
    let (tail, first): (Vec<Left>, Vec<Left>) = left.into_iter().partition(|left| left.tail);
    first.into_iter().chain(tail).map(|left| left.work).collect()
}

/// The runtime, as all threads of a grid share it.
#[derive(Debug)]
pub(crate) struct Runtime {
    /// Kernels by their addresses.
    kernels: HashMap<u64, Launchable>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Parameters that are being written, by their addresses.
    buffers: HashMap<u64, Configuration>,
    /// The last error of each thread that had one, by block and thread.
    errors: HashMap<(u64, u32), u32>,
    /// Texts of errors in the heap.
    texts: HashMap<&'static str, u64>,
    streams: u64,
    left: usize,
    left_bytes: usize,
    /// Some of it a GPU may begin while the grid runs: all but a tail launch.
    concurrent: bool,
}

/// A launch's shape.
#[derive(Clone, Copy, Debug)]
struct Configuration {
    function: u64,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
}

impl Runtime {
    /// That of the kernels of a program that are ready to be launched; `shared_bytes`: the most that a block can have.
    pub(crate) fn new(program: &Program, shared_bytes: u64) -> Self {
        let of = |(number, function): (usize, &Outline)| {
            let kernel =
                program.kernel(&function.name).filter(|_| function.is_kernel && function.span.is_some())?;
            let launchable = Launchable {
                name: kernel.name.clone(),
                parameter_bytes: kernel.parameter_bytes,
                threads: kernel.max_threads.unwrap_or(1024).min(1024),
                dynamic_bytes: shared_bytes
                    .saturating_sub(u64::from(kernel.shared_bytes).next_multiple_of(16)),
                shared_bytes: kernel.shared_bytes.into(),
            };
            Some((function_address(number), launchable))
        };
        let kernels = program.functions.iter().enumerate().filter_map(of).collect();
        Runtime { kernels, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No thread panics while holding it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a thread has left work that a GPU may begin at once, and this device does not.
    pub(crate) fn has_concurrent_work(&self) -> bool {
        self.state().concurrent
    }

    fn check(&self, of: &Configuration) -> Result<&Launchable, u32> {
        let kernel = self.kernels.get(&of.function).ok_or(INVALID_DEVICE_FUNCTION)?;
        let inside = |size: [u32; 3], limit: [u32; 3]| (0..3).all(|n| (1..=limit[n]).contains(&size[n]));
        let threads: u64 = of.block.iter().map(|n| u64::from(*n)).product();
        // CUDA C++ Programming Guide, table of compute capabilities.
        let fits = inside(of.grid, [0x7fff_ffff, 65535, 65535]) && inside(of.block, [1024, 1024, 64]);
        if !fits || threads > kernel.threads || u64::from(of.shared_bytes) > kernel.dynamic_bytes {
            return Err(INVALID_CONFIGURATION);
        }
        Ok(kernel)
    }
}
