//! Instances: functions with all their types known, those of templates among them, and the limits on their number.
//!
//! Enters: declarations with arguments. Leaves: the instance of each, and the bodies that are still to be checked. This module
//! must never know what a body contains.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::check::context::index::by_number;
use crate::check::names::entity::{Argument, DeclId, Instance, Signature};
use crate::hash::Map;
use crate::hir::FunctionId;

/// Functions of the program next to what [`crate::hir::Function`] has of them.
pub(crate) struct Instances {
    all: Vec<Instance>,
    /// How many instances of templates were made.
    grown: usize,
    /// How many functions were tried for calls.
    tried_functions: usize,
    /// Depth of instantiations.
    depth: u32,
    by_arguments: Map<(DeclId, Vec<Argument>), FunctionId>,
    signatures: Map<(DeclId, Vec<Argument>), Option<Rc<Signature>>>,
    waiting: VecDeque<FunctionId>,
    /// Functions whose bodies were wanted and that have none.
    undefined: Vec<(DeclId, FunctionId)>,
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
    pub(crate) fn add(&mut self, one: Instance) {
        self.all.push(one);
    }

    /// Counts an instance of a template; how many there are.
    pub(crate) fn count_grown(&mut self, one: bool) -> usize {
        self.grown += usize::from(one);
        self.grown
    }

    /// Counts functions that are tried for a call; how many were tried before, and with them.
    pub(crate) fn count_tried(&mut self, functions: usize) -> (usize, usize) {
        let before = self.tried_functions;
        self.tried_functions = before.saturating_add(functions);
        (before, self.tried_functions)
    }

    /// Depth of instantiations.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn enter(&mut self) {
        self.depth += 1;
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(crate) fn replace_depth(&mut self, depth: u32) -> u32 {
        std::mem::replace(&mut self.depth, depth)
    }

    pub(crate) fn by_arguments(&self, place: &(DeclId, Vec<Argument>)) -> Option<&FunctionId> {
        self.by_arguments.get(place)
    }

    pub(crate) fn note_by_arguments(&mut self, place: (DeclId, Vec<Argument>), id: FunctionId) {
        self.by_arguments.insert(place, id);
    }

    pub(crate) fn signature(&self, place: &(DeclId, Vec<Argument>)) -> Option<&Option<Rc<Signature>>> {
        self.signatures.get(place)
    }

    pub(crate) fn note_signature(&mut self, place: (DeclId, Vec<Argument>), one: Option<Rc<Signature>>) {
        self.signatures.insert(place, one);
    }

    /// Has a declaration's signatures found again, since another declaration changed them.
    pub(crate) fn forget_signatures(&mut self, decl: DeclId) {
        self.signatures.retain(|(one, _), _| *one != decl);
    }

    /// A function whose body is still to be checked.
    pub(crate) fn next_waiting(&mut self) -> Option<FunctionId> {
        self.waiting.pop_front()
    }

    pub(crate) fn wait(&mut self, id: FunctionId) {
        self.waiting.push_back(id);
    }

    /// Functions whose bodies were wanted and that have none.
    pub(crate) fn undefined(&self) -> Vec<(DeclId, FunctionId)> {
        self.undefined.clone()
    }

    pub(crate) fn note_undefined(&mut self, decl: DeclId, id: FunctionId) {
        self.undefined.push((decl, id));
    }

    pub(crate) fn take_undefined(&mut self) -> Vec<(DeclId, FunctionId)> {
        std::mem::take(&mut self.undefined)
    }
}

by_number!(Instances, all, FunctionId, Instance);
