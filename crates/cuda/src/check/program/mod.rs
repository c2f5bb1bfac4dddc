//! The program that leaves the checker: its kernels, what they reach, in which order, under which symbols.

pub(crate) mod host;
pub(crate) mod host_class;
pub(crate) mod itanium;
pub(crate) mod launched;
pub(crate) mod linkage;
pub(crate) mod mangle;
#[cfg(feature = "host")]
pub(crate) mod mixed;
pub(crate) mod order;
pub(crate) mod reach;
pub(crate) mod root;
pub(crate) mod thread_local;
