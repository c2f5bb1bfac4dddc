//! From memory events to numbers: what the hardware counts for an access (exact), and how long a chip would take
//! (modelled).

pub mod access;
pub(crate) mod cache;
pub(crate) mod chain;
pub mod chip;
pub(crate) mod fields;
pub(crate) mod issue;
pub(crate) mod link;
pub(crate) mod residency;
pub(crate) mod sample;
pub mod time;
pub(crate) mod traffic;
