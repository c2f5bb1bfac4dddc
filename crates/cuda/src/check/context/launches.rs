//! Launches of host code: where they were looked for, and the instances that they ask for in vain.
//!
//! Enters: host templates and classes that were gone through. Leaves: each once, and why an instance cannot be made. This
//! module must never know how host code is read.

use crate::check::names::entity::{Argument, DeclId};
use crate::diagnostic::Diagnostic;
use crate::hir::{FunctionId, RecordId};
use crate::source::Span;

/// What the search for launches in host code keeps.
pub(crate) struct Launches {
    /// Instances of host templates that launches were looked for in.
    instances: Vec<(DeclId, Vec<Argument>)>,
    /// Instances of class templates that host code has objects of.
    classes: Vec<RecordId>,
    /// Why no instance of a kernel fits a name that was looked at last.
    unfit: Option<String>,
    /// Names of instances that are asked for and cannot be made, with the reasons.
    unmade: Vec<Diagnostic>,
    /// Functions that start variables of the host's side, with where those are defined.
    starts: Vec<(FunctionId, Span)>,
    /// Whether host code is looked at, for what it launches.
    in_host_code: bool,
}

impl Launches {
    pub(crate) fn new() -> Self {
        Self {
            instances: vec![],
            classes: vec![],
            unfit: None,
            unmade: vec![],
            starts: vec![],
            in_host_code: false,
        }
    }

    /// Whether host code is looked at: what its functions have of the host's alone is no error.
    pub(crate) fn are_looked_for(&self) -> bool {
        self.in_host_code
    }

    /// Begins or ends to look at host code; whether it was looked at before.
    pub(crate) fn look_for(&mut self, in_host_code: bool) -> bool {
        std::mem::replace(&mut self.in_host_code, in_host_code)
    }

    /// A function that starts a variable of the host's side.
    pub(crate) fn note_start(&mut self, function: FunctionId, span: Span) {
        self.starts.push((function, span));
    }

    pub(crate) fn take_starts(&mut self) -> Vec<(FunctionId, Span)> {
        std::mem::take(&mut self.starts)
    }

    /// Notes an instance of a host template, unless it is known or there are `most` already: whether it is new.
    pub(crate) fn note_instance(&mut self, instance: (DeclId, Vec<Argument>), most: usize) -> bool {
        if self.instances.len() >= most || self.instances.contains(&instance) {
            return false;
        }
        self.instances.push(instance);
        true
    }

    /// Whether another class of the host may be looked at: it is not known, and there are fewer than `most`.
    pub(crate) fn may_note_class(&self, record: RecordId, most: usize) -> bool {
        !self.classes.contains(&record) && self.classes.len() < most
    }

    pub(crate) fn note_class(&mut self, record: RecordId) {
        self.classes.push(record);
    }

    pub(crate) fn class(&self, at: usize) -> Option<RecordId> {
        self.classes.get(at).copied()
    }

    /// Why no instance of a kernel fits the name that is looked at.
    pub(crate) fn note_unfit(&mut self, why: Option<String>) {
        self.unfit = why;
    }

    pub(crate) fn take_unfit(&mut self) -> Option<String> {
        self.unfit.take()
    }

    /// Names of instances that are asked for and cannot be made, with the reasons.
    pub(crate) fn note_unmade(&mut self, one: Diagnostic) {
        self.unmade.push(one);
    }

    pub(crate) fn take_unmade(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.unmade)
    }
}
