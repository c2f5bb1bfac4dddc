//! Launches of host code: where they were looked for, and the instances that they ask for in vain.
//!
//! Enters: host templates and classes that were gone through. Leaves: each once, and why an instance cannot be made. This
//! module must never know how host code is read.

use crate::check::names::entity::{Argument, DeclId};
use crate::diagnostic::Diagnostic;
use crate::hir::RecordId;

/// What the search for launches in host code keeps.
pub(crate) struct Launches {
    /// Instances of host templates that launches were looked for in.
    pub(crate) instances: Vec<(DeclId, Vec<Argument>)>,
    /// Instances of class templates that host code has objects of.
    pub(crate) classes: Vec<RecordId>,
    /// Why no instance of a kernel fits a name that was looked at last.
    pub(crate) unfit: Option<String>,
    /// Names of instances that are asked for and cannot be made, with the reasons.
    pub(crate) unmade: Vec<Diagnostic>,
}

impl Launches {
    pub(crate) fn new() -> Self {
        Self { instances: vec![], classes: vec![], unfit: None, unmade: vec![] }
    }
}
