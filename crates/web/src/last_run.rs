//! What a session keeps of a run for the requests that follow.

use crate::baseline::Baselines;
use crate::execution::Trial;

/// What ran, and what it is shown beside.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// What ran last.
    pub(crate) last: Option<Trial>,
    /// What that is compared with.
    pub(crate) baselines: Baselines,
}
