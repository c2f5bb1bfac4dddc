//! Instances: functions with all their types known, those of templates among them, and the limits on their number.
//!
//! Enters: declarations with arguments. Leaves: the instance of each, and the bodies that are still to be checked. This module
//! must never know what a body contains.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::check::names::entity::{Argument, DeclId, Instance, Signature};
use crate::hash::Map;
use crate::hir::FunctionId;

/// Functions of the program beside what [`crate::hir::Function`] has of them.
pub(crate) struct Instances {
    pub(crate) all: Vec<Instance>,
    /// How many instances of templates were made.
    pub(crate) grown: usize,
    /// How many functions were tried for calls.
    pub(crate) tried_functions: usize,
    /// Depth of instantiations.
    pub(crate) depth: u32,
    pub(crate) by_arguments: Map<(DeclId, Vec<Argument>), FunctionId>,
    pub(crate) signatures: Map<(DeclId, Vec<Argument>), Option<Rc<Signature>>>,
    pub(crate) waiting: VecDeque<FunctionId>,
    /// Functions whose bodies were wanted and that have none.
    pub(crate) undefined: Vec<(DeclId, FunctionId)>,
}

impl Instances {
    pub(crate) fn new() -> Self {
        Self {
            all: vec![],
            grown: 0,
            tried_functions: 0,
            depth: 0,
            by_arguments: Map::default(),
            signatures: Map::default(),
            waiting: VecDeque::new(),
            undefined: vec![],
        }
    }
}
