//! What the functions that a program calls share, and how a call of theirs ends the program.
//!
//! Enters: a library, an API, the parts of an instance. Leaves: the same. This module must never know what a function does.

use runtime::Signal;
use runtime::api::Api;
use runtime::library::Library;
use std::fmt;
use wasmi::errors::HostError;
use wasmi::{Global, Memory, Table};

/// What a call needs of the instance.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) memory: Memory,
    pub(crate) table: Table,
    pub(crate) site: Global,
    pub(crate) heap_end: Global,
    pub(crate) heap: u64,
}

/// What the functions that a program calls share.
pub(crate) struct State {
    pub(crate) library: Option<Library>,
    pub(crate) api: Option<Api>,
    pub(crate) parts: Option<Parts>,
    pub(crate) limit: u64,
    /// Operations up to which the clocks have been set.
    pub(crate) counted: u64,
}

/// Why a call does not return.
#[derive(Debug)]
pub(crate) struct Stop(pub(crate) Signal);

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl HostError for Stop {}

/// A place of the program that has gone wrong, with an address.
#[derive(Debug)]
pub(crate) struct Wrong(pub(crate) u32, pub(crate) u64);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault {} at {:#x}", self.0, self.1)
    }
}

impl HostError for Wrong {}

/// The signal in an error of the engine.
pub(crate) fn signal(error: &wasmi::Error) -> Signal {
    match (error.downcast_ref::<Stop>(), error.downcast_ref::<Wrong>()) {
        (Some(stop), _) => stop.0.clone(),
        (None, Some(wrong)) => Signal::Segmentation { address: wrong.1, bytes: u64::from(wrong.0) },
        (None, None) => Signal::Limit(error.to_string()),
    }
}
