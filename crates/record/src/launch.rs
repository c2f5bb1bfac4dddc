//! One launch: its shape and its counters.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of one launch by the counters' names, which the crate `counters` explains.
pub type Counters = BTreeMap<String, u64>;

/// A kernel launch with its dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// Name of the kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, bytes.
    pub shared_bytes: u32,
}
