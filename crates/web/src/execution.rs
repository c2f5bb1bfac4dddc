//! A text with what it runs on: what a run leaves, and later requests look into.

use crate::compile::Compiled;
use checker::Case;
use checker::bench::Readback;
use exercise::live::Live;
use std::rc::Rc;

/// What is said where a request needs a run and there was none.
pub(crate) const NOTHING: &str = "nothing has run yet";

/// A text with what it runs on.
#[derive(Debug)]
pub(crate) struct Execution {
    pub(crate) compiled: Compiled,
    pub(crate) live: Live,
    pub(crate) case: Case,
    /// Contents of all buffers before it.
    pub(crate) contents: Vec<Vec<u8>>,
    /// Those after it; empty where it did not end.
    pub(crate) buffers: Rc<Vec<Readback>>,
    /// Instructions of warps that it may have.
    pub(crate) budget: u64,
}
