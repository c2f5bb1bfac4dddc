//! One launch: its shape, and what was counted.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counter names (as in `crates/simt/tests/truth/README.md`) and their values for one launch.
pub type Counters = BTreeMap<String, u64>;

/// A kernel launch's shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory a block, bytes.
    pub shared_bytes: u32,
}
