//! What looks at a launch besides its counters: checks, traces, samples, profiles. None knows another.

pub(super) mod caches;
pub(super) mod check;
pub(super) mod crossed;
pub(super) mod executed;
pub(super) mod found;
pub(super) mod notes;
pub(super) mod observe;
pub(super) mod profile;
pub(super) mod sample;
pub(super) mod survive;
pub(super) mod trace;
