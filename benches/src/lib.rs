//! Benchmarked workloads for the embedded device, each with the same computation in C.
//!
//! Enters: nothing; inputs are made here, the same in every run. Leaves: launches to time ([`Workload`]), times of C
//! ([`Reference`]), and whether both gave the same. Not among the workspace's default members: it needs a C compiler.
//!
//! `cargo bench -p benches` measures all; `RAYON_NUM_THREADS` sets the number of cores on which the device runs.

mod reference;
mod workload;

pub use reference::{Reference, Time};
pub use workload::{Workload, all, empty, load};

/// PTX of about 5,000 lines, as a compiler makes it of a debug build.
pub const LONG_PTX: &str = include_str!("../../tests/programs/math_double/math_double.debug.ptx");

/// Time for which the threads of this process have had a core, where the system reports it (Linux).
pub fn on_cores() -> Option<std::time::Duration> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(std::time::Duration::from_nanos(nanoseconds))
}
