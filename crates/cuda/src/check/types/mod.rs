//! Types: their kinds, and types as written resolved to these.

pub(crate) mod basic;
pub(crate) mod kind;
pub(crate) mod packed;
pub(crate) mod written;
