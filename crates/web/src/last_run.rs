//! What a session keeps of a run for the requests that follow.

use crate::baseline::Baselines;
use crate::execution::Execution;

/// What ran, and what it is shown next to.
#[derive(Debug, Default)]
pub(crate) struct LastRun {
    /// What ran last.
    pub(crate) last: Option<Execution>,
    /// What that is compared with.
    pub(crate) baselines: Baselines,
}
